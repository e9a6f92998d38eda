//! Processes that have ended while somebody holds a handle: nothing is sent to what may have their number by then.
use crate::support;

use mneme_clib::{AllocOptions, Client, ClientOptions, Effect, ErrorId, OpenOptions, Process, Reason};
use mneme_wire::Opcode;
use std::sync::Barrier;
use std::time::Duration;
use support::{Mood, PAGE, Second, Shared};

/// Somebody else's client.
fn another(world: &Shared) -> Client {
    let options = ClientOptions { seed: Some(2), ..Shared::options() };
    Client::connect(world.clone(), options).expect("the board answers")
}

/// The next process of this number, as another client opens it, and a page that it has written.
fn open_ninth(client: &Client) -> (Process, u64) {
    let process = client.open(OpenOptions { pid: Some(9), ..OpenOptions::default() }).expect("open");
    let va = process.ralloc(PAGE).expect("ralloc");
    process.rwrite(va, b"its own").expect("rwrite");
    (process, va)
}

#[track_caller]
fn is_refused<T>(call: mneme_clib::Result<T>, perhaps: bool) {
    let error = call.err().expect("nothing is sent for it");
    assert_eq!((error.id(), error.reason()), (ErrorId::Exited, Some(Reason::Exited { perhaps })), "{error}");
    assert_eq!((error.effect(), error.operation().map(|of| of.attempts)), (Effect::None, Some(0)), "{error}");
}

fn every_call_is_refused(handle: &Process, va: u64, perhaps: bool) {
    is_refused(handle.rread(va, &mut [0; 8]), perhaps);
    is_refused(handle.rwrite(va, &[0; 8_000]), perhaps);
    is_refused(handle.fetch_add(va, 1), perhaps);
    is_refused(handle.rfence(), perhaps);
    is_refused(handle.ralloc(4 * PAGE), perhaps);
    is_refused(handle.rwrite_async(va, &[0; 8]).wait(), perhaps);
    is_refused(handle.ralloc_async(4 * PAGE).wait(), perhaps);
    drop(handle.rwrite_async(va, &[0; 8]));
    is_refused(handle.rrelease(), perhaps);
}

#[test]
fn handles_of_a_process_that_has_ended_reach_no_other_one() {
    let world = Shared::new(71);
    let client = world.client();
    let (process, va) = open_ninth(&client);
    let kept = process.within(Duration::from_secs(1));
    process.exit().expect("exit");
    let other = another(&world);
    let (next, next_va) = open_ninth(&other);
    // The board gives addresses again.
    let before = world.with(|world| world.sent);
    every_call_is_refused(&kept, va, false);
    every_call_is_refused(&kept, next_va, false);
    kept.exit().expect("it has ended");
    assert_eq!(world.with(|world| world.sent), before, "nothing was sent");
    let mut back = [0; 7];
    next.rread(next_va, &mut back).expect("rread");
    assert_eq!(&back, b"its own");
    // Other processes of the client go on, one of the same number, too.
    next.exit().expect("exit");
    let (again, again_va) = open_ninth(&client);
    again.rwrite(again_va, &[3; 8]).expect("rwrite");
    again.exit().expect("exit");
}

#[test]
fn calls_that_wait_behind_an_exit_are_not_sent_after_it() {
    for seed in 0..40 {
        let world = Shared::new(seed);
        let client = world.client();
        let (process, va) = open_ninth(&client);
        let threads = [(); 3].map(|()| process.within(Duration::from_secs(1)));
        let begin = Barrier::new(threads.len() + 1);
        std::thread::scope(|scope| {
            for handle in &threads {
                scope.spawn(|| {
                    begin.wait();
                    let failed = loop {
                        if let Err(error) = handle.rread(va, &mut [0; 8]) {
                            break error;
                        }
                    };
                    is_refused::<()>(Err(failed), false);
                });
            }
            begin.wait();
            process.exit().expect("exit");
        });
        world.with(|world| {
            let exit = world.board.requests.iter().position(|request| request.opcode == Opcode::Exit);
            let after = &world.board.requests[exit.expect("it was sent")..];
            assert!(after.iter().all(|request| request.opcode == Opcode::Exit), "seed {seed}: {after:?}");
        });
    }
}

#[test]
fn until_an_exit_is_known_to_be_done_nothing_but_another_one_is_sent() {
    let world = Shared::new(72);
    let client = world.client();
    let (process, va) = open_ninth(&client);
    let kept = process.within(Duration::from_secs(1));
    world.mood([Mood::Mute].into_iter().chain([Mood::Deaf; 1_000]));
    let failed = process.exit().expect_err("no answer");
    assert_eq!(failed.error.effect(), Effect::Possible);
    world.mood([]);
    world.with(|world| world.pass(Duration::from_secs(10)));
    client.ping().expect("the board is back");
    let (next, next_va) = open_ninth(&another(&world));
    let before = world.with(|world| world.sent);
    every_call_is_refused(&kept, va, true);
    assert_eq!(world.with(|world| world.sent), before, "nothing was sent");
    let mut back = [0; 7];
    next.rread(next_va, &mut back).expect("rread");
    assert_eq!(&back, b"its own");
    next.exit().expect("exit");
    failed.process.exit().expect("exit");
    every_call_is_refused(&kept, va, false);
}

#[test]
fn an_exit_that_never_left_closes_nothing() {
    let world = Shared::new(73);
    let client = world.client();
    let (process, va) = open_ninth(&client);
    let failed = process.within(Duration::ZERO).exit().expect_err("no time");
    assert!(failed.error.is_deadline(), "{}", failed.error);
    assert_eq!(failed.error.effect(), Effect::None);
    process.rread(va, &mut [0; 8]).expect("it lives");
    process.exit().expect("exit");
}

#[test]
fn what_one_board_has_ended_is_refused_there_and_goes_on_at_the_other() {
    let world = Shared::new(74);
    let client = world.client();
    client.add_lane(Second(world.clone())).expect("another board");
    let process = client.open(OpenOptions::default()).expect("open");
    let on = |lane| AllocOptions { lane: Some(lane), own_pages: true, ..AllocOptions::default() };
    let on = |lane| process.ralloc_with(PAGE, on(lane)).expect("ralloc");
    let vas = [on(0), on(1)];
    for va in vas {
        process.rwrite(va, &[1; 8]).expect("rwrite");
    }
    let kept = process.within(Duration::from_secs(1));
    // The first board ends it, the other one does not hear.
    world.with(|world| world.second.moods = [Mood::Deaf; 1_000].into());
    let failed = process.exit().expect_err("one board is away");
    world.with(|world| world.second.moods.clear());
    world.with(|world| world.pass(Duration::from_secs(10)));
    is_refused(kept.rread(vas[0], &mut [0; 8]), false);
    is_refused(kept.rread(vas[1], &mut [0; 8]), true);
    let before = world.with(|world| world.board.requests.len());
    failed.process.exit().expect("exit");
    assert_eq!(world.with(|world| world.board.requests.len()), before, "the first board is not asked again");
    is_refused(kept.rread(vas[1], &mut [0; 8]), false);
}

#[test]
fn the_lease_of_a_process_that_has_ended_is_not_kept() {
    let world = Shared::new(75);
    world.with(|world| world.board.leases = true);
    let client = world.client();
    let process = client.open(OpenOptions { pid: Some(9), ..OpenOptions::default() }).expect("open");
    let other = client.open(OpenOptions::default()).expect("open");
    let kept = process.within(Duration::from_secs(1));
    let renewals = |of: u32| {
        world.with(|world| {
            let requests = world.board.requests.iter();
            requests.filter(|asked| asked.opcode == Opcode::Ping && asked.pid.get() == of).count()
        })
    };
    let pass = || {
        for _ in 0..60 {
            world.with(|world| world.pass(Duration::from_secs(1)));
            other.rfence().expect("rfence");
        }
    };
    pass();
    let before = renewals(9);
    assert!(before > 1, "the lease was kept");
    process.exit().expect("exit");
    pass();
    assert_eq!(renewals(9), before);
    assert!(renewals(other.pid()) > before, "the other one's goes on");
    drop(kept);
}

/// Errors say what to do.
#[test]
fn the_error_says_that_exit_was_called() {
    let world = Shared::new(76);
    let client = world.client();
    let (process, va) = open_ninth(&client);
    let kept = process.within(Duration::from_secs(1));
    process.exit().expect("exit");
    let error = kept.rread(va, &mut [0; 8]).expect_err("it has ended");
    let said = error.to_string();
    assert!(said.contains("in process 9") && said.contains("this client has ended the process"), "{said}");
}
