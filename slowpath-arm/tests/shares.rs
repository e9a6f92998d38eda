//! What one tenant can take from the others, with the limits that boards have: a share of everything, and no more.
use crate::double;
use double::{Bench, Double, config};
use mneme_slowpath::{Config, Limits};
use mneme_wire::payload::OpenRequest;
use mneme_wire::{Cause, ReplaceStatus, Response, Rights, Status};

const RW: Rights = Rights::READ_WRITE;
const ME: [u8; 4] = [10, 0, 0, 1];
const OTHER: [u8; 4] = [10, 0, 0, 2];

/// A board with 63 pages of memory for processes and four slots for each.
fn board(limits: Limits) -> Bench {
    Bench::new(Double::new(18, 24, 2), Config { limits, ..config() })
}

fn why(response: &Response) -> (Status, Cause) {
    (response.status, response.detail().cause)
}

fn open(b: &mut Bench, ip: [u8; 4]) -> Result<u32, Response> {
    b.open_from(ip, 0, &OpenRequest::default()).map(|opened| opened.pid)
}

#[test]
fn a_storm_of_opens_gets_a_quarter_and_gives_it_back() {
    let mut b = board(Limits { processes: 400, ..Limits::default() });
    let mut pids = Vec::new();
    let refused = loop {
        match open(&mut b, ME) {
            Ok(pid) => pids.push(pid),
            Err(refused) => break refused,
        }
    };
    assert_eq!(why(&refused), (Status::Quota, Cause::Processes));
    assert_eq!(pids.len(), 100);
    assert!(open(&mut b, OTHER).is_ok());
    for pid in pids {
        // Their pids rest, of which a source has its share, too.
        let mut answer = b.exit(pid);
        while why(&answer) == (Status::Busy, Cause::Queue) {
            b.pass(11);
            answer = b.exit(pid);
        }
        assert_eq!(answer.status, Status::Ok);
    }
    assert!(open(&mut b, ME).is_ok());
    b.audit();
}

#[test]
fn what_was_allocated_writable_has_memory_whatever_another_tenant_takes() {
    let mut b = board(Limits::default());
    let (greedy, modest) = (open(&mut b, ME).unwrap(), open(&mut b, OTHER).unwrap());
    let mine = b.alloc(modest, 2, RW).unwrap();
    let refused = b.alloc(greedy, 60, RW).unwrap_err();
    assert_eq!(why(&refused), (Status::NoMemory, Cause::Capacity));
    let mut all = Vec::new();
    let mut hint = refused.detail().hint;
    while hint > 0 {
        let at = b.alloc(greedy, hint.into(), RW).unwrap();
        all.extend(at..at + u64::from(hint));
        let refused = b.alloc(greedy, 60, RW).unwrap_err();
        assert_eq!(why(&refused), (Status::NoMemory, Cause::Capacity));
        hint = refused.detail().hint;
    }
    // Of 63 pages two are the other's; one more and three are kept, for it and for one who may come.
    assert_eq!(all.len(), 57);
    let more = b.alloc(greedy, 4, Rights::READ_ONLY).unwrap();
    assert_eq!(why(&b.protect(greedy, more, 4, RW)), (Status::NoMemory, Cause::Capacity));
    let touch = |b: &mut Bench, pid, vpn| {
        b.pass(0);
        b.fp.touch(pid, vpn)
    };
    for vpn in all {
        assert_eq!(touch(&mut b, greedy, vpn), Status::Ok);
    }
    let last = b.alloc(modest, 1, RW).unwrap();
    let newcomer = open(&mut b, [10, 0, 0, 3]).unwrap();
    let its = b.alloc(newcomer, 3, RW).unwrap();
    for (pid, vpn) in [(modest, mine), (modest, mine + 1), (modest, last), (newcomer, its + 2)] {
        assert_eq!(touch(&mut b, pid, vpn), Status::Ok);
    }
    b.audit();
    assert_eq!(b.exit(greedy).status, Status::Ok);
    assert!(b.alloc(modest, 40, RW).is_ok(), "what one gives back the others may have");
    b.audit();
}

#[test]
fn searches_for_nothing_are_bounded_for_a_source_and_free_for_others() {
    // 3,000 pages a second, 12,000 at once.
    let limits = Limits { search_rate: 3_000, search_probes: 12_000, ..double::limits() };
    let mut b = board(limits);
    let (one, other) = (open(&mut b, ME).unwrap(), open(&mut b, OTHER).unwrap());
    // Four slots of each of 32 buckets: the share is spent, so that no further page has room.
    for _ in 0..32 {
        b.alloc(one, 4, Rights::READ_ONLY).unwrap();
    }
    let mut refused = b.alloc(one, 1, Rights::READ_ONLY).unwrap_err();
    let mut searches = 0;
    while why(&refused) == (Status::Quota, Cause::QuotaSlots) {
        searches += 1;
        refused = b.alloc(one, 1, Rights::READ_ONLY).unwrap_err();
    }
    // A walk looks at 8,192 pages, 256 blocks of the table's 32 buckets; a search makes two at most.
    assert!((1..=2).contains(&searches), "{searches}");
    assert_eq!(why(&refused), (Status::Busy, Cause::Queue));
    assert!(b.alloc(other, 4, Rights::READ_ONLY).is_ok());
    b.pass(u64::from(refused.detail().hint).div_ceil(1_000));
    let again = b.alloc(one, 1, Rights::READ_ONLY).unwrap_err();
    assert_eq!(why(&again), (Status::Quota, Cause::QuotaSlots), "the hint is true");
    b.audit();
}

#[test]
fn one_source_fills_its_places_to_rest_and_no_more() {
    let mut b = board(Limits { quarantine: 16, ..Limits::default() });
    let (one, other) = (open(&mut b, ME).unwrap(), open(&mut b, OTHER).unwrap());
    for _ in 0..4 {
        let at = b.alloc(one, 1, RW).unwrap();
        assert_eq!(b.free(one, at, 0).status, Status::Ok);
    }
    let at = b.alloc(one, 1, RW).unwrap();
    let full = b.free(one, at, 0);
    assert_eq!(why(&full), (Status::Busy, Cause::Queue));
    let its = b.alloc(other, 1, RW).unwrap();
    assert_eq!(b.free(other, its, 0).status, Status::Ok);
    b.pass(u64::from(full.detail().hint).div_ceil(1_000));
    assert_eq!(b.free(one, at, 0).status, Status::Ok, "the hint is true");
    b.audit();
}

#[test]
fn a_stuck_engine_is_waited_for_once() {
    let mut b = board(Limits::default());
    let pid = open(&mut b, ME).unwrap();
    let at = b.alloc(pid, 8, RW).unwrap();
    b.fp.slowness = u32::MAX;
    let before = b.fp.status_reads;
    let refused = b.free(pid, at, 0);
    assert_eq!(why(&refused), (Status::MemoryError, Cause::Dram));
    let patience = u64::from(config().replace_patience);
    let reads = b.fp.status_reads - before;
    assert!((patience..patience + 2 * 8).contains(&reads), "{reads} reads for eight pages");
    // It comes to an end after all: commands are waited for again.
    b.fp.slowness = 2;
    b.fp.end_command();
    assert!(b.alloc(pid, 4, RW).is_ok());
    b.fp.fail = Some((0, ReplaceStatus::Error));
    assert_eq!(why(&b.alloc(pid, 1, RW).unwrap_err()), (Status::MemoryError, Cause::Dram));
}
