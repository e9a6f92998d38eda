//! Calls that end before their time: deadlines and cancellation, and what their errors say of their effects.
use crate::support;

use mneme_clib::{
    AllocOptions, Client, Effect, Error, LockOptions, OpenOptions, Polled, Process, Reason, RemoteBox,
    Rights, TransportConfig,
};
use mneme_wire::Opcode;
use proptest::prelude::*;
use std::time::Duration;
use support::{Faults, Mood, PAGE, Second, Shared};

fn open(world: &Shared) -> (Client, Process, u64) {
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let va = process.ralloc_with(PAGE, AllocOptions { own_pages: true, ..AllocOptions::default() }).unwrap();
    (client, process, va)
}

fn lose(world: &Shared, loss: f64) {
    world.with(|world| world.faults = Faults { loss, ..Faults::default() });
}

/// Shorter than the board's window.
const SHORT: Duration = Duration::from_micros(300);

#[test]
fn a_call_ends_at_its_deadline_and_says_whether_it_may_have_taken_effect() {
    let world = Shared::new(1);
    let (_client, process, va) = open(&world);
    let hurried = process.within(SHORT);
    hurried.rwrite(va, b"in time").unwrap();
    lose(&world, 1.0);
    let before = world.with(|world| world.now);
    let error = hurried.rwrite(va, b"no time").unwrap_err();
    assert_eq!((error.reason(), error.effect()), (Some(Reason::Deadline), Effect::Possible));
    let took = world.with(|world| world.now) - before;
    assert!((SHORT..2 * SHORT).contains(&took), "{took:?}");
    let error = hurried.rread(va, &mut [0; 7]).unwrap_err();
    assert_eq!((error.reason(), error.effect()), (Some(Reason::Deadline), Effect::None));
    assert!(error.is_deadline() && error.id().to_string() == "MNM-0055");
    lose(&world, 0.0);
    // The other handle has all the time that it needs, also until the window has closed on that write.
    let mut back = [0; 7];
    process.rread(va, &mut back).unwrap();
    assert_eq!(&back, b"in time", "every packet of the second write was lost");
}

#[test]
fn what_waits_behind_another_call_ends_without_a_packet() {
    let world = Shared::new(2);
    let (_client, process, va) = open(&world);
    lose(&world, 1.0);
    let first = process.rwrite_async(va, &[1; 64]);
    let behind = process.within(SHORT).rwrite_async(va, &[2; 64]);
    let independent = process.within(SHORT).rread_owned_async(va + 64, vec![7; 100]);
    let sent = world.with(|world| world.sent);
    let error = behind.wait().unwrap_err();
    assert_eq!((error.reason(), error.effect()), (Some(Reason::Deadline), Effect::None));
    assert_eq!(error.operation().unwrap().attempts, 0, "it never left");
    let error = independent.wait().unwrap_err();
    assert_eq!((error.error.reason(), error.buffer.len()), (Some(Reason::Deadline), 100));
    assert!(world.with(|world| world.sent) > sent, "the others were sent again meanwhile");
    lose(&world, 0.0);
    first.wait().unwrap();
    let mut back = [0; 64];
    process.rread(va, &mut back).unwrap();
    assert_eq!(back, [1; 64]);
}

#[test]
fn a_deadline_that_is_met_does_nothing_later() {
    let world = Shared::new(3);
    let (_client, process, va) = open(&world);
    process.within(Duration::MAX).rwrite(va, b"for ever").unwrap();
    let hurried = process.within(SHORT);
    for round in 0..500u64 {
        hurried.rwrite(va, &round.to_le_bytes()).unwrap();
        assert_eq!(hurried.fetch_add(va, 0).unwrap(), round);
    }
    // Their slots are used again by calls that have no deadline, and take longer.
    lose(&world, 0.6);
    for _ in 0..20 {
        process.rread(va, &mut [0; 8]).unwrap();
    }
}

#[test]
fn a_cancelled_call_gives_its_buffer_back_and_makes_room() {
    let world = Shared::new(4);
    let (client, process, va) = open(&world);
    lose(&world, 1.0);
    let calls: Vec<_> = (0..1_024).map(|n| process.rread_owned_async(va + n, vec![0; 64])).collect();
    let full = process.rread_owned_async(va, vec![0; 64]);
    assert!(full.wait().is_err(), "as many are outstanding as may be");
    for call in calls {
        let error = call.cancel().unwrap_err();
        assert_eq!((error.error.reason(), error.error.effect()), (Some(Reason::Cancelled), Effect::None));
        assert_eq!(error.buffer.len(), 64);
    }
    lose(&world, 0.0);
    let sent = client.statistics().transport.sent;
    process.rread(va, &mut [0; 8]).unwrap();
    assert_eq!(client.statistics().transport.sent, sent + 1, "nothing of them is sent any more");
    let done = process.rwrite_async(va, b"done");
    let Polled::Pending(mut call) = done.rpoll() else { panic!("too soon") };
    for _ in 0..100 {
        match call.rpoll() {
            Polled::Ready(result) => return result.unwrap(),
            Polled::Pending(again) => call = again,
        }
    }
    panic!("the write does not end");
}

#[test]
fn what_is_cancelled_behind_a_release_or_a_fence_lets_them_end() {
    let world = Shared::new(5);
    let (_client, process, va) = open(&world);
    lose(&world, 1.0);
    let write = process.rwrite_async(va, b"lost");
    let read = process.rread_owned_async(va, vec![0; 4]);
    assert_eq!(read.cancel().unwrap_err().error.reason(), Some(Reason::Cancelled));
    assert_eq!(write.cancel().unwrap_err().effect(), Effect::Possible);
    process.rrelease().unwrap();
    lose(&world, 0.0);
    process.rfence().unwrap();
    process.rwrite(va, b"next").unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn what_errors_say_of_effects_is_true(
        seed in 0..1_000_000u64, loss in 0.0..0.5f64, steps in prop::collection::vec((0..4u8, 0..6u64, 0..40u64), 1..60),
    ) {
        let world = Shared::new(seed);
        let (_client, process, va) = open(&world);
        world.with(|world| {
            world.faults = Faults { loss, doubling: 0.2, lateness: 0.1, ..Faults::default() };
        });
        // Each word is added to once, by a call that may be ended early.
        let mut calls = Vec::new();
        for (number, (kind, word, wait)) in steps.iter().enumerate() {
            let hurried = process.within(Duration::from_micros(20 * wait + 1));
            let of = if *kind < 2 { &hurried } else { &process };
            calls.push((8 * word, *kind, of.fetch_add_async(va + 8 * word, 1 << number)));
        }
        let (mut certain, mut possible) = ([0u64; 6], [0u64; 6]);
        for (number, (at, kind, call)) in calls.into_iter().enumerate() {
            let word = at as usize / 8;
            let ended = if kind == 2 { call.cancel() } else { call.wait() };
            match ended {
                Ok(_) => certain[word] |= 1 << number,
                Err(error) if error.effect() == Effect::None => {}
                Err(_) => possible[word] |= 1 << number,
            }
        }
        world.with(|world| world.faults = Faults::default());
        for word in 0..6 {
            let found = process.fetch_add(va + 8 * word as u64, 0).unwrap();
            prop_assert_eq!(found & certain[word], certain[word], "what ended well is there");
            prop_assert_eq!(found & !(certain[word] | possible[word]), 0, "what had no effect is not");
        }
    }
}

/// A client of two boards, with a process on both and memory on each.
fn open_on_two(world: &Shared) -> (Client, Process, [u64; 2]) {
    let client = world.client();
    assert_eq!(client.add_lane(Second(world.clone())).unwrap(), 1);
    let process = client.open(OpenOptions::default()).unwrap();
    let on = |lane| AllocOptions { lane: Some(lane), own_pages: true, ..AllocOptions::default() };
    let vas = [0, 1].map(|lane| process.ralloc_with(PAGE, on(lane)).unwrap());
    (client, process, vas)
}

/// Both boards hear nothing any more.
fn silence(world: &Shared, boards: [bool; 2]) {
    let moods = |deaf| std::iter::repeat_n(Mood::Deaf, if deaf { 1_000_000 } else { 0 }).collect();
    world.with(|world| (world.board.moods, world.second.moods) = (moods(boards[0]), moods(boards[1])));
}

/// The call ends with a deadline, at it.
#[track_caller]
fn takes_its_time<T: std::fmt::Debug>(world: &Shared, what: &str, call: impl FnOnce() -> Result<T, Error>) {
    let before = world.with(|world| world.now);
    let ended = call();
    let took = world.with(|world| world.now) - before;
    let error = ended.expect_err(what);
    assert!(error.is_deadline(), "{what}: {error}");
    assert!((SHORT..SHORT + SHORT / 4).contains(&took), "{what} took {took:?}");
}

#[test]
fn calls_to_several_boards_end_at_one_deadline() {
    for silent in [[true, true], [true, false], [false, true]] {
        let world = Shared::new(6);
        let (_client, process, vas) = open_on_two(&world);
        let hurried = process.within(SHORT);
        hurried.rfence().unwrap();
        silence(&world, silent);
        takes_its_time(&world, "rfence", || hurried.rfence());
        takes_its_time(&world, "exit", || hurried.end());
        if silent == [true, true] {
            takes_its_time(&world, "ralloc", || hurried.ralloc(PAGE));
            takes_its_time(&world, "ralloc_zeroed", || hurried.ralloc_zeroed(8));
            takes_its_time(&world, "a box", || RemoteBox::new(&hurried, &7u64));
            takes_its_time(&world, "rprotect", || hurried.rprotect(vas[0], PAGE, Rights::READ_ONLY));
            takes_its_time(&world, "rfree", || hurried.rfree(vas[1]));
        }
    }
}

#[test]
fn the_parts_of_one_call_leave_before_any_is_waited_for() {
    let world = Shared::new(7);
    let (_client, process, _) = open_on_two(&world);
    let fences = |world: &Shared| {
        let of = |board: &support::Board| board.requests.iter().filter(|r| r.opcode == Opcode::Fence).count();
        world.with(|world| [of(&world.board), of(&world.second)])
    };
    // The first board is away: the second has its part of a call that fails there all the same.
    silence(&world, [true, false]);
    process.within(SHORT).rfence().unwrap_err();
    assert!(fences(&world)[0] > 0 && fences(&world)[1] == 1, "{:?}", fences(&world));
    // And what comes behind waits for all parts.
    silence(&world, [false, false]);
    process.rfence().unwrap();
}

#[test]
fn an_allocation_goes_to_a_board_that_answers_within_the_deadline() {
    let world = Shared::new(8);
    let (client, process, _) = open_on_two(&world);
    // What the boards have free is long known no more, and one of them does not tell.
    world.with(|world| world.pass(Duration::from_millis(200)));
    client.ping().unwrap();
    client.lane(1).unwrap().ping().unwrap();
    silence(&world, [true, false]);
    let va = process.within(4 * SHORT).ralloc(PAGE).unwrap();
    assert_eq!(process.lane_of(va), 1);
}

#[test]
fn a_release_ends_at_its_deadline_and_what_it_waited_for_goes_on() {
    let world = Shared::new(9);
    let (_client, process, va) = open(&world);
    lose(&world, 1.0);
    let write = process.rwrite_async(va, b"slow");
    drop(process.rwrite_async(va + PAGE, b"nowhere"));
    takes_its_time(&world, "rrelease", || process.within(SHORT).rrelease());
    lose(&world, 0.0);
    write.wait().unwrap();
    let error = process.within(Duration::from_secs(1)).rrelease().unwrap_err();
    assert!(!error.is_deadline(), "that of the dropped handle: {error}");
    process.within(Duration::ZERO).rrelease().unwrap();
}

#[test]
fn a_lock_is_waited_for_no_longer_than_its_handle_says() {
    let world = Shared::new(10);
    let (_client, process, va) = open(&world);
    let token = process.rlock(va, LockOptions::default()).unwrap();
    let before = world.with(|world| world.now);
    let wait = Duration::from_millis(3);
    let held = process.within(wait).rlock(va, LockOptions::default());
    let took = world.with(|world| world.now) - before;
    assert!(matches!(held, Err(Error::LockTimeout { .. })), "{held:?}");
    assert!((wait..wait + SHORT).contains(&took), "{took:?}");
    // The board falls silent between two looks.
    world.mood([Mood::Normal, Mood::Normal].into_iter().chain([Mood::Deaf; 10_000]));
    let before = world.with(|world| world.now);
    let error = process.within(wait).rlock(va, LockOptions::default()).unwrap_err();
    let took = world.with(|world| world.now) - before;
    assert!(error.is_deadline(), "{error}");
    assert!((wait..wait + SHORT).contains(&took), "{took:?}");
    // A release has one deadline for all its tries.
    let before = world.with(|world| world.now);
    let failed = process.within(wait).runlock(token).unwrap_err();
    let took = world.with(|world| world.now) - before;
    assert!(failed.error.is_deadline(), "{failed}");
    assert!((wait..wait + SHORT).contains(&took), "{took:?}");
    world.mood([]);
    process.runlock(failed.token).unwrap();
}

#[test]
fn a_release_whose_answer_was_lost_is_known_by_the_next_try() {
    let world = Shared::new(12);
    let (_client, process, va) = open(&world);
    process.swap(va, 0).unwrap();
    let token = process.rlock(va, LockOptions::default()).unwrap();
    world.mood([Mood::Mute].into_iter().chain([Mood::Deaf; 10_000]));
    let failed = process.within(Duration::from_millis(3)).runlock(token).unwrap_err();
    assert_eq!((failed.error.is_deadline(), failed.error.effect()), (true, Effect::Possible), "{failed}");
    world.mood([]);
    process.runlock(failed.token).unwrap();
    // Whoever has lost a lock without a try to release it is told so.
    let token = process.rlock(va, LockOptions::default()).unwrap();
    process.swap(va, 0).unwrap();
    let lost = process.runlock(token).unwrap_err();
    assert!(matches!(*lost.error, Error::LockLost { found: 0, .. }), "{lost}");
}

#[test]
fn a_lock_that_may_be_taken_says_so_though_its_last_try_never_left() {
    let world = Shared::new(11);
    let (_client, process, va) = open(&world);
    process.swap(va, 0).unwrap();
    // The swap happens, and the deadline comes when nothing has answered until its window has closed.
    world.mood([Mood::Mute].into_iter().chain([Mood::Deaf; 10_000]));
    let error = process.within(Duration::from_millis(8)).rlock(va, LockOptions::default()).unwrap_err();
    assert!(error.is_deadline(), "{error}");
    assert_eq!(error.effect(), Effect::Possible);
    assert_ne!(world.with(|world| world.board.word(1, va)), 0, "held by nobody's token");
}

#[test]
fn what_a_client_asks_boards_ends_at_the_deadline_of_its_handle() {
    let world = Shared::new(12);
    let (client, process, _) = open_on_two(&world);
    let memberships = process.memberships();
    let hurried = client.within(SHORT);
    hurried.ping().unwrap();
    hurried.open(OpenOptions::default()).unwrap();
    for silent in [[true, true], [true, false], [false, true]] {
        silence(&world, silent);
        takes_its_time(&world, "open", || hurried.open(OpenOptions::default()));
        takes_its_time(&world, "join_all", || hurried.join_all(&memberships));
    }
    silence(&world, [true, true]);
    takes_its_time(&world, "ping", || hurried.ping());
    takes_its_time(&world, "ping of a lane", || client.lane(1).unwrap().within(SHORT).ping());
    takes_its_time(&world, "an inherited ping", || hurried.lane(1).unwrap().ping());
    takes_its_time(&world, "join", || hurried.join(1, [0; 16]));
    takes_its_time(&world, "counters", || hurried.counters(0, 4));
    takes_its_time(&world, "board_counters", || hurried.board_counters());
    takes_its_time(&world, "processes", || hurried.processes());
    takes_its_time(&world, "reap", || hurried.reap(77));
    takes_its_time(&world, "add_lane", || hurried.add_lane(Second(world.clone())));
    takes_its_time(&world, "reconnect", || hurried.reconnect(1, Second(world.clone())));
    // The boards come back; none of this holds up calls on memory, as a write of unknown outcome would.
    silence(&world, [false, false]);
    process.rfence().unwrap();
}

#[test]
fn counters_of_many_packets_have_one_deadline() {
    let world = Shared::new(13);
    world.with(|world| world.board.max_payload = 64);
    let client = world.client();
    let all = client.within(Duration::from_millis(1)).counters(0, 20).unwrap();
    assert_eq!(all.len(), 20);
    // Three of the packets of seven counters, and one that is lost.
    world.mood([Mood::Normal, Mood::Normal].into_iter().chain([Mood::Deaf; 10_000]));
    takes_its_time(&world, "counters", || client.within(SHORT).counters(0, 200));
}

#[test]
fn a_process_that_was_opened_on_one_board_in_time_is_ended_there() {
    let world = Shared::new(14);
    let (client, _process, _) = open_on_two(&world);
    silence(&world, [false, true]);
    let exits =
        || world.with(|world| world.board.requests.iter().filter(|r| r.opcode == Opcode::Exit).count());
    takes_its_time(&world, "open", || client.within(SHORT).open(OpenOptions::default()));
    // Behind a question for the board's tick.
    for _ in 0..5 {
        client.ping().unwrap();
    }
    assert_eq!(exits(), 1, "it leaves though the time is over");
}

#[test]
fn without_a_deadline_a_question_to_a_board_takes_as_long_as_the_transport_says() {
    let world = Shared::new(15);
    let (client, _process, _) = open(&world);
    lose(&world, 1.0);
    let give_up = TransportConfig::board_time().give_up;
    let ends = |what: &str, call: &dyn Fn() -> Error| {
        let before = world.with(|world| world.now);
        let error = call();
        let took = world.with(|world| world.now) - before;
        assert_eq!(error.reason(), Some(Reason::Unreachable), "{what}: {error}");
        assert!(took <= give_up + give_up / 10, "{what} took {took:?}");
    };
    ends("ping", &|| client.ping().unwrap_err());
    ends("open", &|| client.open(OpenOptions::default()).unwrap_err());
    ends("join", &|| client.join(1, [0; 16]).unwrap_err());
    ends("counters", &|| client.board_counters().unwrap_err());
    ends("processes", &|| client.processes().unwrap_err());
    ends("reap", &|| client.reap(77).unwrap_err());
    ends("add_lane", &|| client.add_lane(Second(world.clone())).unwrap_err());
}
