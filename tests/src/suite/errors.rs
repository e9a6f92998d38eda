//! Calls that cannot work: typed errors that say what would, and nothing is lost.
use mneme_clib::{AllocOptions, Client, Effect, Error, OpenOptions, Process, Reason};
use mneme_wire::Status;

use super::{read, refusal, whole_pages};
use crate::rig::{Config, Rig};

/// A process with a few bytes that every failed call must leave alone.
fn prepared<R: Rig>(rig: &R) -> (Client, Process, u64) {
    let client = rig.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(100, whole_pages()).expect("alloc");
    process.rwrite(va, b"still here").expect("write");
    (client, process, va)
}

fn at(va: u64) -> AllocOptions {
    AllocOptions { at: Some(va), ..AllocOptions::default() }
}

/// Nothing, more than the board holds, more than there are addresses, a taken address, one within a page.
pub fn allocations_that_cannot_be<R: Rig>() {
    let rig = R::start(Config::Sim);
    let (client, process, va) = prepared(&rig);
    let (page, memory) = (process.page_size(), client.board().memory);
    assert!(matches!(process.ralloc(0), Err(Error::ZeroSize(_))));
    assert!(matches!(process.ralloc(u64::MAX), Err(Error::TooLarge(_))));
    let error = process.ralloc(memory * 1_000).expect_err("a thousand boards");
    assert!(
        matches!(error, Error::OutOfMemory { asked, memory: holds, .. } if asked == memory * 1_000 && holds == memory),
        "{error}"
    );
    assert!(error.to_string().contains(&memory.to_string()), "says what the board holds: {error}");
    let error = process.ralloc_with(page, at(va)).expect_err("a taken address");
    assert!(matches!(error, Error::AddressUnavailable { va: asked, .. } if asked == va), "{error}");
    let error = process.ralloc_with(page, at(va + 1)).expect_err("within a page");
    assert!(matches!(error, Error::NotAPage { .. }), "{error}");
    let error = process.ralloc_with(page, at((1 << 48) - page + 1)).expect_err("past the end");
    assert!(matches!(error, Error::AddressRange { .. }), "{error}");
    assert_eq!(read(&process, va, 10), b"still here");
    process.ralloc(10).expect("what can be goes on");
}

/// An address that nothing begins at, one within an allocation, the same twice, somebody else's.
pub fn frees_that_cannot_be<R: Rig>() {
    let rig = R::start(Config::Sim);
    let (_, process, va) = prepared(&rig);
    let page = process.page_size();
    let large = process.ralloc_with(3 * page, whole_pages()).expect("alloc");
    for wrong in [0x7fff_0000_0000, large + page, large + 1] {
        let error = process.rfree(wrong).expect_err("nothing begins there");
        assert!(matches!(error, Error::NotAllocated(a) if a == wrong), "{error}");
    }
    let stranger = rig.process();
    assert!(matches!(stranger.rfree(large), Err(Error::NotAllocated(_))));
    process.rfree(large).expect("free");
    assert!(matches!(process.rfree(large), Err(Error::NotAllocated(_))), "twice");
    let small = process.ralloc(16).expect("alloc");
    process.rfree(small).expect("free");
    assert!(matches!(process.rfree(small), Err(Error::NotAllocated(_))), "twice, within a shared page");
    assert_eq!(read(&process, va, 10), b"still here");
}

/// Accesses of nothing, of unaligned words, past the address space, of memory that nobody allocated.
pub fn calls_that_cannot_be<R: Rig>() {
    let rig = R::start(Config::Sim);
    let (client, process, va) = prepared(&rig);
    assert!(matches!(process.rwrite(va, b""), Err(Error::ZeroSize(_))));
    assert!(matches!(process.rread(va, &mut []), Err(Error::ZeroSize(_))));
    assert!(matches!(process.fetch_add(va + 1, 1), Err(Error::Unaligned(_))));
    assert!(matches!(process.rread((1 << 48) - 4, &mut [0; 8]), Err(Error::AddressRange { .. })));
    assert!(matches!(process.rwrite(u64::MAX, b"x"), Err(Error::AddressRange { .. })));
    let error = process.rwrite(0x6000_0000_0000, b"x").expect_err("nothing is there");
    assert_eq!(refusal(&error).map(|r| r.0), Some(Status::Unmapped), "{error}");
    assert_eq!(error.effect(), Effect::None, "{error}");
    // The part of a write that has memory may be done: the error says so.
    let page = process.page_size();
    let error = process.rwrite(va + page - 10, &[7; 20]).expect_err("the second half has no memory");
    assert_eq!(refusal(&error).map(|r| r.0), Some(Status::Unmapped), "{error}");
    for pid in [0, 1 << 24] {
        let error =
            client.open(OpenOptions { pid: Some(pid), ..OpenOptions::default() }).expect_err("no pid");
        assert!(matches!(error, Error::BadPid(p) if p == pid), "{error}");
    }
    let taken = OpenOptions { pid: Some(process.pid()), ..OpenOptions::default() };
    let error = client.open(taken).expect_err("taken");
    assert!(refusal(&error).is_some(), "{error}");
    assert_eq!(read(&process, va, 10), b"still here");
}

/// After exit nothing of the process answers, and nothing of it is left for whoever gets its pid.
pub fn a_process_that_ended<R: Rig>() {
    let rig = R::start(Config::Sim);
    let (client, process, va) = prepared(&rig);
    let (pid, other) = (process.pid(), rig.join(&process));
    process.exit().expect("exit");
    assert_eq!(
        other.rread(va, &mut [0; 4]).as_ref().err().and_then(refusal).map(|r| r.0),
        Some(Status::Unmapped)
    );
    assert!(other.ralloc(10).is_err(), "an allocation in a process that ended");
    // A pid rests before it is given out again; until then the answer is BUSY.
    let wish = OpenOptions { pid: Some(pid), ..OpenOptions::default() };
    let heir = (0..500).find_map(|_| match client.open(wish) {
        Ok(process) => Some(process),
        Err(error) => {
            assert!(matches!(error.reason(), Some(Reason::Busy(_))), "{error}");
            None
        }
    });
    let heir = heir.expect("the pid is free again after a while");
    assert_eq!(
        heir.rread(va, &mut [0; 4]).as_ref().err().and_then(refusal).map(|r| r.0),
        Some(Status::Unmapped)
    );
}
