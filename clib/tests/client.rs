//! The whole client against a reference board in virtual time.
use crate::support;

use mneme_clib::{
    AllocOptions, Client, ClientOptions, Credentials, Effect, Error, ErrorId, ExitError, Integrity,
    LockOptions, OpenOptions, Process, Reason, Rights, SecretKey, TransportConfig, transport::SLOW_WINDOW,
};
use mneme_wire::{Cause, Counter, Opcode, Status};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use support::{MEMORY, Mood, PAGE, Shared};

const LIMIT: u64 = 1 << 48;

#[test]
fn connects_and_learns_the_board() {
    let world = Shared::new(1);
    let client = world.client();
    let board = client.board();
    assert_eq!((board.epoch, board.window, board.ns_per_tick, board.memory), (7, 1_000, 1_000, MEMORY));
    let (_, rtt) = client.ping().unwrap();
    assert!(rtt >= Duration::from_micros(4) && rtt <= Duration::from_micros(10), "{rtt:?}");
}

#[test]
fn credentials_that_nothing_would_be_proven_with_are_refused() {
    let world = Shared::new(1);
    for integrity in [Integrity::None, Integrity::Crc32c] {
        let credentials = Some(Credentials::new(SecretKey::from_bytes([1; 32])));
        let options = ClientOptions { integrity, credentials, ..Shared::options() };
        let error = Client::connect(world.clone(), options).expect_err("refused");
        assert!(matches!(error, Error::UnusedCredentials(told) if told == integrity), "{error}");
        assert_eq!(error.id(), ErrorId::Invalid);
    }
    assert!(world.with(|world| world.board.requests.is_empty()), "nothing was sent");
}

#[test]
fn writes_and_reads_across_pages_and_packets() {
    let world = Shared::new(2);
    let process = world.client().open(OpenOptions::default()).unwrap();
    let va = process.ralloc(3 * PAGE).unwrap();
    let data: Vec<u8> = (0..300_000u32).map(|i| ((i * 31) >> 3) as u8).collect();
    for (offset, length) in [(0, 1), (7, 1_409), (PAGE - 3, 10), (PAGE - 700, 300_000)] {
        process.rwrite(va + offset, &data[..length]).unwrap();
        let mut back = vec![0; length];
        process.rread(va + offset, &mut back).unwrap();
        assert!(back == data[..length], "{length} bytes at offset {offset}");
    }
    world.with(|world| {
        for request in
            world.board.requests.iter().filter(|r| matches!(r.opcode, Opcode::Read | Opcode::Write))
        {
            let last = request.va.get() + u64::from(request.length) - 1;
            assert_eq!(request.va.get() / PAGE, last / PAGE, "a packet crosses a page");
            assert!(request.length <= world.board.max_payload);
        }
    });
}

#[test]
fn large_requests_keep_several_packets_in_flight_and_no_more() {
    let world = Shared::new(3);
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let va = process.ralloc(PAGE).unwrap();
    process.rwrite(va, &[1; 8]).unwrap();
    let began = client.now();
    process.rwrite(va, &vec![1; 64 * 1_408]).unwrap();
    let took = client.now() - began;
    // 64 packets of 4 to 10 µs each: one at a time they would take 256 µs at least, eight at a time 32 µs at least.
    assert!(took >= Duration::from_micros(32) && took < Duration::from_micros(200), "{took:?}");
}

#[test]
fn atomics_answer_the_old_word() {
    let world = Shared::new(4);
    let process = world.client().open(OpenOptions::default()).unwrap();
    let va = process.ralloc(8).unwrap();
    assert_eq!(process.swap(va, 5).unwrap(), 0);
    assert_eq!(process.fetch_add(va, 10).unwrap(), 5);
    assert_eq!(process.compare_swap(va, 14, 1).unwrap(), 15);
    assert_eq!(process.compare_swap(va, 15, 1).unwrap(), 15);
    assert_eq!(process.fetch_add(va, u64::MAX).unwrap(), 1);
    assert_eq!(process.swap(va, 0).unwrap(), 0);
    process.rfence().unwrap();
}

#[test]
fn what_cannot_work_is_refused_on_this_side() {
    let world = Shared::new(5);
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let packets = world.with(|world| world.sent);
    let mut buffer = [0; 16];
    assert!(matches!(process.ralloc(0), Err(Error::ZeroSize("ralloc"))));
    assert!(matches!(process.ralloc(LIMIT + 1), Err(Error::TooLarge(_))));
    assert!(matches!(process.rread(0, &mut []), Err(Error::ZeroSize("rread"))));
    assert!(matches!(process.rwrite(0, &[]), Err(Error::ZeroSize("rwrite"))));
    assert!(matches!(process.rread(LIMIT, &mut buffer), Err(Error::AddressRange { .. })));
    assert!(matches!(process.rread(LIMIT - 8, &mut buffer), Err(Error::AddressRange { .. })));
    assert!(matches!(process.rwrite(u64::MAX - 3, &buffer), Err(Error::AddressRange { .. })));
    assert!(matches!(process.fetch_add(4, 1), Err(Error::Unaligned(4))));
    assert!(matches!(process.fetch_add(LIMIT - 4, 1), Err(Error::AddressRange { .. })));
    assert!(matches!(process.rprotect(PAGE, 0, Rights::READ_ONLY), Err(Error::ZeroSize("rprotect"))));
    assert!(matches!(process.rprotect(PAGE + 1, 1, Rights::READ_ONLY), Err(Error::NotAPage { .. })));
    assert!(matches!(process.rfree(12_345), Err(Error::NotAllocated(12_345))));
    let at = |va| AllocOptions { at: Some(va), ..AllocOptions::default() };
    assert!(matches!(process.ralloc_with(1, at(PAGE + 64)), Err(Error::NotAPage { .. })));
    assert!(matches!(process.ralloc_with(1, at(LIMIT)), Err(Error::AddressRange { .. })));
    assert!(matches!(
        client.open(OpenOptions { pid: Some(1 << 24), ..OpenOptions::default() }),
        Err(Error::BadPid(_))
    ));
    assert!(matches!(client.join(0, [0; 16]), Err(Error::BadPid(0))));
    assert_eq!(world.with(|world| world.sent), packets, "nothing of this reaches the network");
}

#[test]
fn errors_say_what_would_work() {
    let world = Shared::new(6);
    let process = world.client().open(OpenOptions::default()).unwrap();
    let at = |va| AllocOptions { at: Some(va), ..AllocOptions::default() };
    let error = process.ralloc(64 * MEMORY).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { memory: MEMORY, .. }));
    assert!(error.to_string().contains("up to 8388608 bytes in one piece would work"), "{error}");
    assert_eq!(error.effect(), Effect::None);
    assert_eq!(process.ralloc_with(PAGE, at(8 * PAGE)).unwrap(), 8 * PAGE);
    let error = process.ralloc_with(3 * PAGE, at(7 * PAGE)).unwrap_err();
    assert!(matches!(error, Error::AddressUnavailable { possible: Some(_), .. }));
    assert!(error.to_string().contains("cannot be had: 0x240000 or no fixed address would work"), "{error}");
    let error = process.ralloc_with(1, at(PAGE + 64)).unwrap_err();
    assert!(error.to_string().contains("0x40000 would"), "{error}");
    let error = process.rread(40 * PAGE, &mut [0]).unwrap_err();
    let expected = "READ of 1 bytes at 0xa00000 in process 1 on virtual board failed: refused as UNMAPPED";
    assert!(error.to_string().starts_with(expected), "{error}");
}

#[test]
fn small_allocations_share_pages_and_come_back() {
    let world = Shared::new(7);
    let process = world.client().open(OpenOptions::default()).unwrap();
    let blocks: Vec<u64> = (1..=100).map(|size| process.ralloc(size).unwrap()).collect();
    assert!(blocks.iter().all(|va| va / PAGE == blocks[0] / PAGE), "100 small allocations fit one page");
    let allocs = |world: &Shared| {
        world.with(|world| world.board.requests.iter().filter(|r| r.opcode == Opcode::Alloc).count())
    };
    assert_eq!(allocs(&world), 1);
    for (i, va) in blocks.iter().enumerate() {
        process.rwrite(*va, &vec![i as u8; i + 1]).unwrap();
    }
    for (i, va) in blocks.iter().enumerate() {
        let mut back = vec![0; i + 1];
        process.rread(*va, &mut back).unwrap();
        assert_eq!(back, vec![i as u8; i + 1]);
    }
    assert!(matches!(
        process.rprotect(blocks[0] / PAGE * PAGE, 1, Rights::READ_ONLY),
        Err(Error::SharedPage(_))
    ));
    for va in &blocks {
        process.rfree(*va).unwrap();
        assert!(matches!(process.rfree(*va), Err(Error::NotAllocated(_))), "freed twice");
    }
}

#[test]
fn rights_of_own_pages_change() {
    let world = Shared::new(8);
    let process = world.client().open(OpenOptions::default()).unwrap();
    let va = process.ralloc_with(100, AllocOptions { own_pages: true, ..AllocOptions::default() }).unwrap();
    process.rwrite(va, b"constant").unwrap();
    process.rprotect(va, 100, Rights::READ_ONLY).unwrap();
    let error = process.rwrite(va, b"changed!").unwrap_err();
    assert_eq!(error.refusal(), Some((Status::Denied, Cause::Rights)));
    assert_eq!(error.effect(), Effect::None);
    let mut back = [0; 8];
    process.rread(va, &mut back).unwrap();
    assert_eq!(&back, b"constant");
    process.rfree(va).unwrap();
    assert!(matches!(process.rfree(va), Err(Error::NotAllocated(_))));
}

#[test]
fn another_client_joins_with_the_token_and_a_stranger_cannot() {
    let world = Shared::new(9);
    let process =
        world.client().open(OpenOptions { pid: Some(42), lease: None, ..OpenOptions::default() }).unwrap();
    let va = process.ralloc(64).unwrap();
    process.rwrite(va, b"shared").unwrap();
    let mut options = Shared::options();
    options.seed = Some(2);
    let other = mneme_clib::Client::connect(world.clone(), options).unwrap();
    let joined = other.join(42, process.token()).unwrap();
    let mut back = [0; 6];
    joined.rread(va, &mut back).unwrap();
    assert_eq!(&back, b"shared");
    let error = other.join(42, [0; 16]).unwrap_err();
    assert_eq!(error.refusal(), Some((Status::Denied, Cause::Pid)));
    let stranger = other.open(OpenOptions::default()).unwrap();
    let error = stranger.rread(va, &mut back).unwrap_err();
    assert_eq!(error.refusal(), Some((Status::Unmapped, Cause::None)));
    process.exit().unwrap();
    assert!(joined.rread(va, &mut back).is_err());
}

#[test]
fn locks_exclude_time_out_and_notice_a_lost_word() {
    let world = Shared::new(10);
    let process = world.client().open(OpenOptions::default()).unwrap();
    let va = process.ralloc(8).unwrap();
    let token = process.rlock(va, LockOptions::default()).unwrap();
    let wait = Duration::from_millis(2);
    match process.rlock(va, LockOptions::within(wait)) {
        Err(Error::LockTimeout { waited, holder, .. }) => {
            assert!(holder != 0 && waited >= wait && waited < 2 * wait, "{waited:?}");
        }
        other => panic!("{other:?}"),
    }
    process.runlock(token).unwrap();
    let token = process.rlock(va, LockOptions::default()).unwrap();
    process.swap(va, 99).unwrap();
    let failed = process.runlock(token).unwrap_err();
    assert!(matches!(*failed.error, Error::LockLost { found: 99, .. }));
    assert_eq!(failed.token.va(), va);
    assert!(matches!(process.rlock(va + 4, LockOptions::default()), Err(Error::Unaligned(_))));
}

#[test]
fn pauses_between_looks_at_a_lock_are_rows_of_short_waits() {
    let world = Shared::new(10);
    let process = world.client().open(OpenOptions::default()).unwrap();
    let va = process.ralloc(8).unwrap();
    let token = process.rlock(va, LockOptions::default()).unwrap();
    world.with(|world| world.longest_wait = Duration::ZERO);
    let pause = Duration::from_millis(5);
    let options = LockOptions { timeout: 2 * pause, first_pause: pause, longest_pause: pause };
    let looks = || {
        let is_look = |request: &&mneme_wire::Request| request.opcode == Opcode::CompareSwap;
        world.with(|world| world.board.requests.iter().filter(is_look).count())
    };
    let before = looks();
    assert!(matches!(process.rlock(va, options), Err(Error::LockTimeout { .. })));
    let looks = looks() - before;
    assert!((3..=6).contains(&looks), "{looks} looks at the lock within two to four pauses");
    let longest = world.with(|world| world.longest_wait);
    // No pause is shorter than 2.5 ms; the looks themselves wait for answers.
    assert!(
        longest < Duration::from_millis(1),
        "no thread but the waiting one has the client for {longest:?}"
    );
    process.runlock(token).unwrap();
}

#[test]
fn a_lock_whose_outcome_was_unknown_is_settled_by_its_word() {
    let world = Shared::new(11);
    let process = world.client().open(OpenOptions::default()).unwrap();
    let va = process.ralloc(8).unwrap();
    process.swap(va, 0).unwrap();
    // The swap happens, its answer and all later attempts are lost until the window has closed.
    world.mood([Mood::Mute].into_iter().chain([Mood::Deaf; 7]));
    let token = process.rlock(va, LockOptions::default()).unwrap();
    assert_ne!(world.with(|world| world.board.word(1, va)), 0);
    world.mood([Mood::Mute].into_iter().chain([Mood::Deaf; 7]));
    process.runlock(token).unwrap();
    assert_eq!(world.with(|world| world.board.word(1, va)), 0);
}

#[test]
fn a_dead_board_ends_every_call_in_bounded_time() {
    let world = Shared::new(12);
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let va = process.ralloc(PAGE).unwrap();
    world.with(|world| world.faults.loss = 1.0);
    let bound = TransportConfig::board_time().give_up * 2;
    let took = |call: &dyn Fn() -> Error, effect: Effect| {
        let began = client.now();
        let error = call();
        assert_eq!(error.reason(), Some(Reason::Unreachable), "{error}");
        assert_eq!(error.effect(), effect, "{error}");
        assert!(client.now() - began <= bound, "{:?}", client.now() - began);
    };
    took(&|| process.rread(va, &mut [0; 5_000]).unwrap_err(), Effect::None);
    took(&|| process.rwrite(va, &[0; 50_000]).unwrap_err(), Effect::None);
    took(&|| process.ralloc(PAGE).unwrap_err(), Effect::None);
    took(&|| client.ping().unwrap_err(), Effect::None);
    took(&|| process.rfence().unwrap_err(), Effect::None);
}

#[test]
fn a_board_that_dies_in_a_write_leaves_the_outcome_open() {
    let world = Shared::new(13);
    let process = world.client().open(OpenOptions::default()).unwrap();
    let va = process.ralloc(PAGE).unwrap();
    process.rwrite(va, &[1; 8]).unwrap();
    world.mood([Mood::Deaf; 100_000]);
    let error = process.rwrite(va, &[2; 8]).unwrap_err();
    assert_eq!((error.reason(), error.effect()), (Some(Reason::Unreachable), Effect::Possible));
    // Half of a large write is done, then the board dies.
    world.mood([Mood::Normal; 20].into_iter().chain([Mood::Deaf; 100_000]));
    let error = process.rwrite(va, &[3; 100_000]).unwrap_err();
    assert_eq!((error.reason(), error.effect()), (Some(Reason::Unreachable), Effect::Partial));
}

#[test]
fn a_restarted_board_is_told_and_a_new_process_can_be_opened() {
    let world = Shared::new(14);
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let va = process.ralloc(64).unwrap();
    process.rwrite(va, &[1; 64]).unwrap();
    world.with(|world| world.board.restart());
    for error in [process.rread(va, &mut [0; 8]).unwrap_err(), process.rwrite(va, &[1]).unwrap_err()] {
        assert_eq!(error.reason(), Some(Reason::Restarted { epoch: 8 }), "{error}");
        assert!(error.is_restart());
    }
    let process = client.open(OpenOptions::default()).unwrap();
    let va = process.ralloc(64).unwrap();
    process.rwrite(va, &[1; 64]).unwrap();
    assert_eq!(client.board().epoch, 8);
}

#[test]
fn no_board_at_all_is_an_error_of_connect() {
    let world = Shared::new(15);
    world.with(|world| world.faults.loss = 1.0);
    let error = mneme_clib::Client::connect(world.clone(), Shared::options()).unwrap_err();
    assert_eq!(error.reason(), Some(Reason::Unreachable));
    assert!(error.to_string().contains("the board is not there"), "{error}");
}

#[test]
fn slow_path_operations_take_effect_once_under_lost_answers() {
    let world = Shared::new(16);
    let process = world.client().open(OpenOptions::default()).unwrap();
    let before = world.with(|world| world.board.executed);
    world.mood([Mood::Mute, Mood::Deaf, Mood::Mute]);
    process.ralloc(PAGE).unwrap();
    assert_eq!(world.with(|world| world.board.executed), before + 1);
    assert!(SLOW_WINDOW > TransportConfig::board_time().give_up);
}

#[test]
fn counters_come_in_as_many_packets_as_they_need() {
    let world = Shared::new(17);
    world.with(|world| world.board.max_payload = 64);
    let client = world.client();
    assert_eq!(client.counters(100, 20).unwrap(), (100..120).collect::<Vec<u64>>());
    let counters = client.board_counters().unwrap();
    assert_eq!(counters.get(Counter::TlbMiss), Counter::TlbMiss as u64);
}

#[test]
fn statistics_count_operations_bytes_retries_and_latencies() {
    let world = Shared::new(18);
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let va = process.ralloc(PAGE).unwrap();
    world.mood([Mood::Normal, Mood::Nack, Mood::BusyUnrecorded(Cause::Filter), Mood::Deaf]);
    process.rwrite(va, &[7; 14_080]).unwrap();
    process.rread(va, &mut [0; 100]).unwrap();
    process.rread(LIMIT - 8, &mut [0; 8]).unwrap_err();
    let statistics = client.statistics();
    assert_eq!((statistics.bytes_written, statistics.bytes_read), (14_080, 100));
    assert_eq!((statistics.operations[&Opcode::Write], statistics.failures[&Opcode::Read]), (10, 1));
    let transport = &statistics.transport;
    assert_eq!((transport.nacks, transport.busy[&Cause::Filter], transport.timeouts), (1, 1, 1));
    assert_eq!(transport.retries(), 3);
    assert_eq!(statistics.latency_of(&[Opcode::Write]).count(), 10);
    assert!(statistics.latency_of(&[Opcode::Read]).quantile(0.5) >= Duration::from_micros(4));
}

#[test]
fn a_panic_in_timed_calls_ends_the_timing() {
    let world = Shared::new(40);
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let va = process.ralloc(PAGE).unwrap();
    let asked = |world: &Shared| {
        process.rwrite(va, &[1; 8]).unwrap();
        world.with(|world| world.board.requests.last().unwrap().timed)
    };
    let panics = || client.timed(|| -> () { panic!("what the user's closure does") });
    assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
    assert!(!asked(&world), "nobody wants to know any longer");
    // A timing around it goes on.
    let (caught, _) = client.timed(|| {
        let caught = catch_unwind(AssertUnwindSafe(panics));
        assert!(asked(&world));
        caught
    });
    assert!(caught.is_err() && !asked(&world));
}

/// The board does the next EXIT, and the answer is lost.
fn exit_unheard(world: &Shared, client: &Client, process: Process) -> ExitError {
    client.ping().unwrap();
    world.mood([Mood::Mute].into_iter().chain([Mood::Deaf; 1_000]));
    let failed = process.exit().unwrap_err();
    assert_eq!((failed.error.reason(), failed.error.effect()), (Some(Reason::Unreachable), Effect::Possible));
    world.mood([]);
    // No late copy of it is served any more: nothing is held up.
    world.with(|world| world.pass(2 * SLOW_WINDOW));
    client.ping().unwrap();
    failed
}

#[test]
fn an_exit_that_did_not_reach_the_board_can_be_tried_again() {
    let world = Shared::new(41);
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let token = process.token();
    world.with(|world| world.faults.loss = 1.0);
    let failed = process.exit().unwrap_err();
    world.with(|world| world.faults.loss = 0.0);
    world.with(|world| world.pass(2 * SLOW_WINDOW));
    drop(client.join(1, token).unwrap());
    failed.process.exit().unwrap();
    assert!(client.join(1, token).is_err(), "it has ended");
}

#[test]
fn an_exit_whose_answer_was_lost_ends_well_when_it_is_tried_again() {
    let world = Shared::new(42);
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let failed = exit_unheard(&world, &client, process);
    failed.process.exit().unwrap();
    // A process that somebody else has ended is another matter.
    let process = client.open(OpenOptions::default()).unwrap();
    let options = ClientOptions { seed: Some(2), ..Shared::options() };
    let other = Client::connect(world.clone(), options).unwrap();
    let joined = other.join(process.pid(), process.token()).unwrap();
    process.exit().unwrap();
    let error = joined.exit().unwrap_err();
    assert_eq!(error.error.refusal(), Some((Status::BadRequest, Cause::Pid)));
    // And each further try says so again.
    assert!(error.process.exit().is_err());
}

#[test]
fn an_exit_whose_answer_was_lost_ends_well_on_a_board_that_has_restarted() {
    let world = Shared::new(43);
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let failed = exit_unheard(&world, &client, process);
    world.with(|world| world.board.restart());
    failed.process.exit().unwrap();
}

#[test]
fn a_second_try_of_an_exit_ends_no_process_that_has_got_its_number() {
    let world = Shared::new(44);
    let client = world.client();
    let process = client.open(OpenOptions { pid: Some(9), ..OpenOptions::default() }).unwrap();
    let failed = exit_unheard(&world, &client, process);
    let next = client.open(OpenOptions { pid: Some(9), ..OpenOptions::default() }).unwrap();
    let va = next.ralloc(PAGE).unwrap();
    failed.process.exit().unwrap();
    next.rwrite(va, b"still here").unwrap();
    next.exit().unwrap();
}
