//! The async-buffer filler and the exhausted bit.
use crate::double;
use double::Bench;
use mneme_slowpath::pages::PagePlace;
use mneme_wire::{NodeCounter, Rights, Status};

const RW: Rights = Rights::READ_WRITE;

#[test]
fn memory_runs_out_with_nomem_and_comes_back() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let mut ranges = Vec::new();
    let mut written = 0;
    while ranges.len() < 9 {
        let at = b.alloc(pid, 7, RW).unwrap();
        for vpn in at..at + 7 {
            assert_eq!(b.fp.touch(pid, vpn), Status::Ok, "page {written}");
            written += 1;
            b.pass(0);
            b.audit();
        }
        ranges.push(at);
    }
    assert_eq!(written, 63, "all memory but the table's page");
    assert!(b.fp.exhausted());
    let more = b.alloc(pid, 2, RW).unwrap();
    assert_eq!(b.fp.touch(pid, more), Status::NoMemory, "virtual memory is over-committed");
    assert_eq!(b.free(pid, ranges[3], 0).status, Status::Ok);
    assert!(!b.fp.exhausted(), "cleared before anybody is told of the free memory");
    b.pass(0);
    for vpn in more..more + 2 {
        assert_eq!(b.fp.touch(pid, vpn), Status::Ok);
    }
    b.audit();
    assert_eq!(b.exit(pid).status, Status::Ok);
    b.pass(0);
    b.audit();
    assert_eq!(b.slow.counter(&mut b.fp, NodeCounter::PagesFree.number()), 63 - 8);
    assert_eq!(b.slow.pages(&mut b.fp).place(0), PagePlace::Table);
}

#[test]
fn while_pages_are_being_zeroed_memory_is_busy_not_exhausted() {
    let mut b = Bench::tiny();
    let pid = b.open();
    // 32 buckets: 63 pages in one range need two slots of most buckets.
    let at = b.alloc(pid, 63, RW).unwrap();
    for vpn in at..at + 63 {
        assert_eq!(b.fp.touch(pid, vpn), Status::Ok);
        b.pass(0);
    }
    assert_eq!(b.free(pid, at, 63).status, Status::Ok);
    let again = b.alloc(pid, 63, RW).unwrap();
    let ready = b.fp.buffer.len() as u64;
    for vpn in again..again + ready {
        assert_eq!(b.fp.touch(pid, vpn), Status::Ok);
    }
    assert_eq!(b.fp.touch(pid, again + ready), Status::Busy);
    b.pass(0);
    assert_eq!(b.fp.touch(pid, again + ready), Status::Ok);
}
