//! Waiting on sockets: a thread that sleeps comes back when its own time has come, though nothing else has happened.
use std::time::{Duration, Instant};

use mneme_clib::{Error, LockOptions, OpenOptions};
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::udp::Udp;
use mneme_tests::{Config, Rig};
use mneme_wire::Opcode;

#[test]
fn a_lock_that_is_held_is_looked_at_as_often_as_its_pauses_say() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let client = rig.client();
    let process = client.open(OpenOptions { lease: None, ..OpenOptions::default() }).unwrap();
    let va = process.ralloc_zeroed(8).unwrap();
    let token = process.rlock(va, LockOptions::default()).unwrap();
    let looks = || client.statistics().operations.get(&Opcode::CompareSwap).copied().unwrap_or(0);
    let (before, began) = (looks(), Instant::now());
    let held = process.rlock(va, LockOptions::within(Duration::from_millis(500)));
    assert!(matches!(held, Err(Error::LockTimeout { .. })), "{held:?}");
    // Pauses are 5 ms at most; a thread that waits for nothing else comes back after 100 ms by itself.
    let looks = looks() - before;
    assert!(looks > 20, "{looks} looks in {:?}", began.elapsed());
    let began = Instant::now();
    let held = process.within(Duration::from_millis(20)).rlock(va, LockOptions::default());
    assert!(matches!(held, Err(Error::LockTimeout { .. })), "{held:?}");
    let took = began.elapsed();
    assert!(took < Duration::from_millis(500), "a lock's own timeout is 10 s: {took:?}");
    process.runlock(token).unwrap();
}

#[test]
fn a_release_comes_back_from_a_board_that_is_gone() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let client = rig.client();
    let process = client.open(OpenOptions { lease: None, ..OpenOptions::default() }).unwrap();
    let va = process.ralloc(8).unwrap();
    process.rwrite(va, b"there").unwrap();
    drop(rig);
    let lost = process.rwrite_async(va, b"gone");
    let began = Instant::now();
    let error = process.within(Duration::from_millis(20)).rrelease().unwrap_err();
    let took = began.elapsed();
    assert!(error.is_deadline() && took < Duration::from_millis(500), "{error} after {took:?}");
    assert!(lost.cancel().is_err());
}
