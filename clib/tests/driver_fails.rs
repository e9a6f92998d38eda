//! Drivers that fail under a client: every call that this ends names the board, what was asked and whether it can have
//! happened, and the client goes on when the driver does.
use crate::support;

use mneme_clib::{AllocOptions, Client, Effect, Error, ErrorId, OpenOptions, Reason};
use support::narrow::{Narrow, Rig};
use support::{PAGE, Second, Shared};

/// A client that has used its memory.
fn used(seed: u64) -> Rig {
    let rig = Rig::new(seed, 1_430);
    rig.process.rwrite(rig.va, &[1; 8]).expect("write");
    rig
}

/// Demands that an error tells all that there is to tell.
#[track_caller]
fn tells(error: &Error, what: &str, effect: Effect) {
    let said = error.to_string();
    let parts = [what, "virtual board", "cannot go on", "the board: ", "os error 5", &effect.to_string()];
    for part in parts {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!((error.id(), error.reason()), (ErrorId::Driver, Some(Reason::Driver)), "{said}");
    assert_eq!(error.effect(), effect, "{said}");
}

#[test]
fn a_synchronous_call_whose_packet_did_not_leave_changed_nothing() {
    let rig = used(1);
    let before = rig.world.with(|world| world.sent);
    let check = |what: &str, call: &dyn Fn() -> Option<Error>| {
        rig.fail_after(0);
        let error = call().expect("the driver fails");
        tells(&error, what, Effect::None);
        assert_eq!(error.operation().map(|failed| failed.attempts), Some(0), "{error}");
    };
    let (process, va) = (&rig.process, rig.va);
    check("READ of 8 bytes at 0x40000 in process 1", &|| process.rread(va, &mut [0; 8]).err());
    check("WRITE of 9 bytes at 0x40000 in process 1", &|| process.rwrite(va, &[2; 9]).err());
    check("WRITE of 1408 bytes", &|| process.rwrite(va, &[2; 9_000]).err());
    check("FETCH_ADD", &|| process.fetch_add(va, 1).err());
    check("FENCE", &|| process.rfence().err());
    let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
    check("ALLOC", &|| process.ralloc_with(64, whole).err());
    check("PING", &|| rig.client.ping().err());
    assert_eq!(rig.world.with(|world| world.sent), before);
    process.rread(va, &mut [0; 8]).expect("the driver goes on");
}

#[test]
fn an_attempt_that_left_makes_the_effect_of_writes_possible_and_not_that_of_reads() {
    let rig = used(2);
    rig.fail_receiving();
    let error = rig.process.rread(rig.va, &mut [0; 8]).expect_err("the driver fails");
    tells(&error, "READ of 8 bytes", Effect::None);
    rig.fail_receiving();
    let error = rig.process.rwrite(rig.va, &[2; 8]).expect_err("the driver fails");
    tells(&error, "WRITE of 8 bytes", Effect::Possible);
    assert_eq!(error.operation().map(|failed| failed.attempts), Some(1), "{error}");
    rig.fail_receiving();
    let rig = used(6);
    rig.fail_receiving();
    tells(&rig.process.swap(rig.va, 3).expect_err("the driver fails"), "SWAP", Effect::Possible);
    // One packet of two leaves, and nothing is known of it.
    let rig = used(7);
    rig.fail_after(1);
    let error = rig.process.rwrite(rig.va, &[2; 2_000]).expect_err("the driver fails");
    tells(&error, "WRITE of 1408 bytes", Effect::Possible);
    // The first ones are answered before it fails.
    let rig = used(8);
    rig.fail_after(70);
    let error = rig.process.rwrite(rig.va, &[2; 200_000]).expect_err("the driver fails");
    tells(&error, "WRITE of 1408 bytes", Effect::Partial);
    rig.process.rwrite(rig.va, &[4; 8]).expect("the driver goes on");
}

#[test]
fn asynchronous_calls_all_tell_those_that_waited_too() {
    let rig = used(3);
    let (process, va) = (&rig.process, rig.va);
    rig.fail_after(1);
    let calls = rig.client.corked(|| {
        // The third waits for the first, whose page it reads, and the fourth is dropped.
        let first = process.rwrite_async(va, &[5; 8]);
        let second = process.fetch_add_async(va + PAGE, 1);
        drop(process.rwrite_async(va + PAGE + 64, &[6; 8]));
        (first, second, process.rread_owned_async(va, vec![0; 8]))
    });
    tells(&calls.0.wait().expect_err("it left"), "WRITE of 8 bytes at 0x40000", Effect::Possible);
    tells(&calls.1.wait().expect_err("it did not"), "FETCH_ADD", Effect::None);
    tells(
        &calls.2.wait().map_err(Error::from).expect_err("it was not begun"),
        "READ of 8 bytes at 0x40000",
        Effect::None,
    );
    tells(&process.rrelease().expect_err("nobody asked"), "WRITE of 8 bytes at 0x80040", Effect::None);
    process.rrelease().expect("once");
    process.rwrite_async(va, &[7; 8]).wait().expect("the driver goes on");
}

#[test]
fn a_synchronous_call_goes_on_when_what_it_waited_for_has_failed() {
    let rig = used(4);
    let write = rig.process.rwrite_async(rig.va, &[5; 8]);
    rig.fail_receiving();
    let mut into = [0; 8];
    rig.process.rread(rig.va, &mut into).expect("nothing of it was under way");
    tells(&write.wait().expect_err("it was"), "WRITE of 8 bytes", Effect::Possible);
    assert!(into == [5; 8] || into == [1, 1, 1, 1, 1, 1, 1, 1]);
}

#[test]
fn connecting_names_the_board() {
    let world = Shared::new(5);
    let (driver, path) = Narrow::new(&world, 1_430);
    path.lock().unwrap().fails_after = Some(0);
    tells(&Client::connect(driver, Shared::options()).expect_err("the driver fails"), "PING", Effect::None);
}

#[test]
fn a_failed_driver_ends_nothing_that_is_for_another_board() {
    let rig = used(20);
    assert_eq!(rig.client.add_lane(Second(rig.world.clone())).expect("a lane"), 1);
    let process = rig.client.open(OpenOptions::default()).expect("open");
    let options = AllocOptions { lane: Some(1), own_pages: true, ..AllocOptions::default() };
    let va = process.ralloc_with(PAGE, options).expect("alloc");
    let write = process.rwrite_async(va, &[5; 8]);
    // It waits for the write, and has not been given to the board yet.
    let read = process.rread_owned_async(va, vec![0; 8]);
    rig.fail_after(0);
    write.wait().expect("its board is well");
    assert_eq!(read.wait().expect("so it is"), [5; 8]);
    rig.path(|path| assert_eq!(path.fails_after, None, "it has failed meanwhile"));
}
