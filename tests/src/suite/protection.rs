//! Who may do what with which memory.
use mneme_clib::{AllocOptions, OpenOptions, Rights};
use mneme_wire::{Cause, Counter, Status};

use super::{assert_refused, pattern, read, whole_pages};
use crate::rig::{Config, Rig};

const DENIED: (Status, Cause) = (Status::Denied, Cause::Rights);

/// Writes and atomics on read-only memory are refused, counted, and change nothing.
pub fn read_only_memory_refuses_writes<R: Rig>() {
    let rig = R::start(Config::Sim);
    let client = rig.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let options = AllocOptions { rights: Rights::READ_ONLY, ..AllocOptions::default() };
    let va = process.ralloc_with(100, options).expect("alloc");
    let before = client.board_counters().expect("counters").get(Counter::StatusDenied);
    assert_refused(process.rwrite(va, b"no"), DENIED.0, DENIED.1);
    assert_refused(process.fetch_add(va, 1), DENIED.0, DENIED.1);
    assert_refused(process.compare_swap(va, 0, 1), DENIED.0, DENIED.1);
    assert_refused(process.swap(va, 1), DENIED.0, DENIED.1);
    assert_eq!(client.board_counters().expect("counters").get(Counter::StatusDenied), before + 4);
    assert_eq!(read(&process, va, 100), vec![0; 100]);
}

/// Rights that are taken away are gone when `rprotect` returns, also for pages in the TLB; data stays.
pub fn rights_follow_protect<R: Rig>() {
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let other = rig.join(&process);
    let page = process.page_size();
    let va = process.ralloc_with(3 * page, whole_pages()).expect("alloc");
    let data = pattern(1, 500);
    for n in 0..3 {
        process.rwrite(va + n * page, &data).expect("write");
    }
    process.rprotect(va + page, page, Rights::READ_ONLY).expect("protect");
    for client in [&process, &other] {
        assert_refused(client.rwrite(va + page, b"no"), DENIED.0, DENIED.1);
        assert_eq!(read(client, va + page, 500), data);
        client.rwrite(va, &data).expect("the page before");
        client.rwrite(va + 2 * page, &data).expect("the page behind");
    }
    process.rprotect(va + page, page, Rights { read: false, write: false }).expect("protect");
    assert_refused(other.rread(va + page, &mut [0; 8]), DENIED.0, DENIED.1);
    process.rprotect(va + page, page, Rights::READ_WRITE).expect("protect");
    assert_eq!(read(&other, va + page, 500), data);
    other.rwrite(va + page, b"yes").expect("write");
    assert_eq!(read(&process, va + page, 3), b"yes");
}

/// The same address in two processes is two memories, and no address of one works in the other.
pub fn processes_do_not_see_each_other<R: Rig>() {
    let rig = R::start(Config::Sim);
    let (one, two) = (rig.process(), rig.process());
    assert_ne!(one.pid(), two.pid());
    let page = one.page_size();
    let va = one.ralloc_with(2 * page, whole_pages()).expect("alloc");
    let data = pattern(1, 3_000);
    one.rwrite(va, &data).expect("write");
    assert_refused(two.rread(va, &mut [0; 8]), Status::Unmapped, Cause::None);
    assert_refused(two.rwrite(va, b"no"), Status::Unmapped, Cause::None);
    assert_refused(two.fetch_add(va, 1), Status::Unmapped, Cause::None);
    let same = two
        .ralloc_with(page, AllocOptions { at: Some(va), ..AllocOptions::default() })
        .expect("the same address");
    assert_eq!(same, va);
    assert_eq!(read(&two, va, 3_000), vec![0; 3_000]);
    two.rwrite(va, &pattern(2, 3_000)).expect("write");
    assert_eq!(read(&one, va, 3_000), data);
    assert_eq!(read(&two, va, 3_000), pattern(2, 3_000));
}

/// A pid is a name, not a secret: joining takes the token too.
pub fn joining_needs_the_token<R: Rig>() {
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let mut token = process.token();
    token[0] ^= 1;
    let error = rig.client().join(process.pid(), token).expect_err("a wrong token");
    assert!(super::refusal(&error).is_some(), "{error}");
    let va = process.ralloc(10).expect("alloc");
    process.rwrite(va, b"shared").expect("write");
    assert_eq!(read(&rig.join(&process), va, 6), b"shared");
}
