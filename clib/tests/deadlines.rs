//! Calls that end before their time: deadlines and cancellation, and what their errors say of their effects.
use crate::support;

use mneme_clib::{AllocOptions, Client, Effect, OpenOptions, Polled, Process, Reason};
use proptest::prelude::*;
use std::time::Duration;
use support::{Faults, PAGE, Shared};

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
