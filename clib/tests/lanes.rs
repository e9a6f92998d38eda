//! What is promised across boards, on two that share a network and a time: fences, locks, and calls whose outcome is
//! unknown. Each promise is broken by a planted fault, which its check finds.
use crate::support;

use mneme_clib::{AllocOptions, Client, Effect, LockOptions, OpenOptions, Process};
use mneme_wire::Opcode;
use std::time::Duration;
use support::{Board, Mood, PAGE, Second, Shared};

fn open(world: &Shared) -> (Client, Process, [u64; 2]) {
    let client = world.client();
    assert_eq!(client.add_lane(Second(world.clone())).unwrap(), 1);
    let process = client.open(OpenOptions::default()).unwrap();
    let on = |lane| AllocOptions { lane: Some(lane), own_pages: true, ..AllocOptions::default() };
    let vas = [0, 1].map(|lane| process.ralloc_with(PAGE, on(lane)).unwrap());
    // Words that are zero, and boards whose ticks are known.
    vas.iter().for_each(|va| process.rwrite(*va, &[0; 16]).unwrap());
    (client, process, vas)
}

/// How many requests of a kind each board has seen.
fn seen(world: &Shared, opcode: Opcode) -> [usize; 2] {
    let of = |board: &Board| board.requests.iter().filter(|request| request.opcode == opcode).count();
    world.with(|world| [of(&world.board), of(&world.second)])
}

/// Whether a fence reaches both boards. None is asked for its tick by one meanwhile.
fn fence_reaches_both(world: &Shared, process: &Process) -> bool {
    let before = seen(world, Opcode::Fence);
    process.rfence().unwrap();
    let after = seen(world, Opcode::Fence);
    [0, 1].map(|board| after[board] - before[board]) == [1, 1]
}

/// Whether a lock on the first board waits for a write to the second one, which hears nothing of it.
fn lock_waits_for_both(world: &Shared, process: &Process, vas: [u64; 2]) -> bool {
    world.with(|world| world.second.moods = [Mood::Deaf; 10_000].into());
    let write = process.rwrite_async(vas[1], b"first");
    let before = seen(world, Opcode::CompareSwap);
    let hurried = process.within(Duration::from_micros(400));
    let locked = hurried.rlock(vas[0], LockOptions::default());
    let waits = locked.is_err_and(|error| error.is_deadline() && error.effect() == Effect::None);
    let asked = seen(world, Opcode::CompareSwap) != before;
    world.with(|world| world.second.moods.clear());
    write.wait().unwrap();
    if waits {
        // Behind it the lock is free, and a release waits in the same way.
        let token = process.rlock(vas[0], LockOptions::default()).unwrap();
        process.runlock(token).unwrap();
    }
    waits && !asked
}

/// Whether a write to the second board waits until no late copy of one to the first board, whose outcome is unknown, is
/// executed any more.
fn unknown_outcome_holds_up_both(world: &Shared, process: &Process, vas: [u64; 2]) -> bool {
    let late = (Duration::from_micros(600), Duration::from_micros(601));
    process.rwrite(vas[0], b"before").unwrap();
    process.rwrite(vas[1], b"before").unwrap();
    let delay = world.with(|world| std::mem::replace(&mut world.faults.delay, late));
    let error = process.within(Duration::from_micros(100)).rwrite(vas[0], b"late!!").unwrap_err();
    assert_eq!(error.effect(), Effect::Possible, "{error}");
    world.with(|world| world.faults.delay = delay);
    process.rwrite(vas[1], b"after").unwrap();
    // Whoever sees that must not see the other one come yet.
    let word = |world: &Shared| world.with(|world| world.board.word(1, vas[0]));
    let then = word(world);
    world.with(|world| world.pass(Duration::from_millis(5)));
    then == word(world)
}

#[test]
fn a_fence_reaches_all_boards() {
    let world = Shared::new(1);
    let (_client, process, _) = open(&world);
    assert!(fence_reaches_both(&world, &process));
}

#[test]
fn a_lock_waits_for_calls_on_all_boards() {
    let world = Shared::new(2);
    let (_client, process, vas) = open(&world);
    assert!(lock_waits_for_both(&world, &process, vas));
}

#[test]
fn a_call_whose_outcome_is_unknown_holds_up_calls_on_all_boards() {
    let world = Shared::new(3);
    let (_client, process, vas) = open(&world);
    assert!(unknown_outcome_holds_up_both(&world, &process, vas));
}

#[test]
fn a_write_that_its_deadline_ends_holds_up_what_waited_for_it_on_another_board() {
    let world = Shared::new(5);
    let (_client, process, vas) = open(&world);
    let token = process.rlock(vas[0], LockOptions::default()).unwrap();
    world.with(|world| world.second.moods = [Mood::Deaf; 10_000].into());
    // The first board's tick is known, so that nothing else puts the release off.
    process.rread(vas[0], &mut [0; 8]).unwrap();
    let write = process.within(Duration::from_micros(40)).rwrite_async(vas[1], b"its data");
    let before = seen(&world, Opcode::CompareSwap)[0];
    let failed = process.within(Duration::from_micros(400)).runlock(token).unwrap_err();
    assert!(failed.error.is_deadline(), "{failed}");
    assert_eq!(seen(&world, Opcode::CompareSwap)[0], before, "released before the write's window is over");
    assert_eq!(write.wait().unwrap_err().effect(), Effect::Possible);
    world.with(|world| world.second.moods.clear());
    process.runlock(failed.token).unwrap();
}

#[cfg(feature = "planted-faults")]
#[test]
fn clients_that_keep_these_promises_on_one_board_alone_are_found() {
    use mneme_clib::PlantedFault;
    let planted = |fault| {
        let world = Shared::new(4);
        let (client, process, vas) = open(&world);
        client.plant(fault);
        (world, process, vas)
    };
    let (world, process, _) = planted(PlantedFault::FenceOfOneBoard);
    assert!(!fence_reaches_both(&world, &process));
    let (world, process, vas) = planted(PlantedFault::UnlockOvertakes);
    assert!(!lock_waits_for_both(&world, &process, vas));
    let (world, process, vas) = planted(PlantedFault::HeldOnOneBoard);
    assert!(!unknown_outcome_holds_up_both(&world, &process, vas));
}
