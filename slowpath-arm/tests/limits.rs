//! Quotas, shares, bounds, fixed addresses, leases.
use crate::double;
use double::{Bench, Double, config};
use mneme_slowpath::Limits;
use mneme_wire::payload::{BoardInfo, OpenRequest};
use mneme_wire::{Cause, NodeCounter, Opcode, Response, Rights, Status};

const RW: Rights = Rights::READ_WRITE;
const ME: [u8; 4] = [10, 0, 0, 1];
const OTHER: [u8; 4] = [10, 0, 0, 2];

fn why(response: &Response) -> (Status, Cause, u32) {
    (response.status, response.detail().cause, response.detail().hint)
}

fn limited(limits: Limits) -> Bench {
    Bench::new(Double::new(18, 24, 2), mneme_slowpath::Config { limits, ..config() })
}

#[test]
fn quotas_of_slots_and_pages_hold_over_all_processes_of_a_source() {
    let mut b = limited(Limits { tenant_slots: Some(10), tenant_pages: Some(6), ..double::limits() });
    let (one, two) = (b.open(), b.open());
    b.alloc(one, 4, RW).unwrap();
    let refused = b.alloc(two, 3, RW).unwrap_err();
    assert_eq!(why(&refused), (Status::Quota, Cause::QuotaPages, 2), "two pages would work");
    let second = b.alloc(two, 2, RW).unwrap();
    let read_only = b.alloc(two, 4, Rights::READ_ONLY).unwrap();
    let refused = b.alloc(one, 1, Rights::READ_ONLY).unwrap_err();
    assert_eq!(why(&refused), (Status::Quota, Cause::QuotaSlots, 0));
    let refused = b.protect(two, read_only, 1, RW);
    assert_eq!(why(&refused), (Status::Quota, Cause::QuotaPages, 0), "writable now means a page later");
    assert_eq!(b.free(two, second, 0).status, Status::Ok);
    assert_eq!(b.protect(two, read_only, 2, RW).status, Status::Ok);
    assert_eq!(b.protect(two, read_only, 2, Rights::READ_ONLY).status, Status::Ok);
    let refused = b.protect(two, read_only + 2, 1, RW);
    assert_eq!(why(&refused).1, Cause::QuotaPages, "what was writable may still hold a page");
    let stranger = b.open_from(OTHER, 0, &OpenRequest::default()).unwrap().pid;
    assert!(b.alloc(stranger, 6, RW).is_ok(), "the quota is the owner's, whoever asks");
    b.audit();
    assert_eq!(b.exit(one).status, Status::Ok);
    assert!(b.alloc(two, 2, RW).is_ok());
    b.audit();
}

#[test]
fn a_tenant_cannot_take_more_than_half_of_a_bucket() {
    let mut b = Bench::tiny();
    let g = b.fp.geometry;
    let hostile = b.open();
    let bucket = g.bucket(hostile, 1);
    let aimed: Vec<u64> = (1..g.buckets() * 16).filter(|v| g.bucket(hostile, *v) == bucket).take(5).collect();
    for vpn in &aimed[..4] {
        assert_eq!(b.alloc_at(hostile, *vpn, 1).unwrap(), *vpn);
    }
    let refused = b.alloc_at(hostile, aimed[4], 1).unwrap_err();
    assert_eq!((refused.status, refused.detail().cause), (Status::Quota, Cause::Slots));
    let works = u64::from(refused.detail().hint);
    assert_eq!(b.alloc_at(hostile, works, 1).unwrap(), works, "the hint is true");
    let victim = b.open_from(OTHER, 0, &OpenRequest::default()).unwrap().pid;
    let span = g.buckets() - 1;
    assert!(b.alloc(victim, span, RW).is_ok(), "others do not notice");
    b.audit();
}

#[test]
fn fixed_addresses_are_honoured_or_refused_with_one_that_works() {
    let mut b = Bench::tiny();
    let pid = b.open();
    assert_eq!(b.alloc_at(pid, 50, 3).unwrap(), 50);
    let taken = b.alloc_at(pid, 48, 3).unwrap_err();
    assert_eq!((taken.status, taken.detail().cause), (Status::NoMemory, Cause::Address));
    let hint = u64::from(taken.detail().hint);
    assert_eq!(b.alloc_at(pid, hint, 3).unwrap(), hint);
    let zero = b.alloc_at(pid, 0, 1).unwrap_err();
    assert_eq!(why(&zero), (Status::BadRequest, Cause::Address, 1));
    let last = (1u64 << 30) - 1;
    assert_eq!(b.alloc_at(pid, last, 1).unwrap(), last, "the last page of 48 bits");
    let past = b.alloc_at(pid, last - 1, 3).unwrap_err();
    assert_eq!((past.status, past.detail().cause), (Status::BadRequest, Cause::Address));
    let odd = mneme_wire::payload::Alloc { fixed: true, ..mneme_wire::payload::Alloc::request(1, RW) };
    let unaligned = b.alloc_as(pid, (60 << 18) + 1, &odd).unwrap_err();
    assert_eq!(why(&unaligned), (Status::BadRequest, Cause::Address, 61));
    assert_eq!(b.free(pid, 50, 0).status, Status::Ok);
    let resting = b.alloc_at(pid, 51, 1).unwrap_err();
    assert_eq!((resting.status, resting.detail().cause), (Status::Busy, Cause::Hold));
    let ticks = u64::from(resting.detail().hint).div_ceil(1000);
    b.pass(ticks - 1);
    assert_eq!(b.alloc_at(pid, 51, 1).unwrap_err().detail().cause, Cause::Hold);
    b.pass(1);
    assert_eq!(b.alloc_at(pid, 51, 1).unwrap(), 51, "the hint is true");
    b.audit();
}

#[test]
fn an_address_rests_for_one_and_a_quarter_windows() {
    let mut b = Bench::tiny();
    let pid = b.open();
    assert_eq!(b.alloc_at(pid, 9, 1).unwrap(), 9);
    assert_eq!(b.free(pid, 9, 0).status, Status::Ok);
    // A write sent now with a time a quarter window ahead could execute for 8 + 2 more ticks.
    b.pass(10);
    assert_eq!(b.alloc_at(pid, 9, 1).unwrap_err().status, Status::Busy);
    b.pass(1);
    assert_eq!(b.alloc_at(pid, 9, 1).unwrap(), 9);
}

#[test]
fn everything_that_clients_can_make_grow_is_bounded() {
    let limits = Limits {
        processes: 8,
        tenant_processes: 2,
        ranges_per_process: 3,
        quarantine: 8,
        ..double::limits()
    };
    let mut b = limited(limits);
    let (one, two) = (b.open(), b.open());
    let refused = b.open_from(ME, 0, &OpenRequest::default()).unwrap_err();
    assert_eq!(why(&refused), (Status::Quota, Cause::Processes, 0));
    b.open_from(OTHER, 0, &OpenRequest::default()).unwrap();
    for last in 3..8 {
        b.open_from([10, 0, 0, last], 0, &OpenRequest::default()).unwrap();
    }
    let refused = b.open_from([10, 0, 0, 8], 0, &OpenRequest::default()).unwrap_err();
    assert_eq!(why(&refused), (Status::NoMemory, Cause::Processes, 0));
    let first: Vec<u64> = (0..3).map(|_| b.alloc(one, 1, RW).unwrap()).collect();
    assert_eq!(b.alloc(one, 1, RW).unwrap_err().status, Status::Quota);
    let other = b.alloc(two, 1, RW).unwrap();
    assert_eq!(b.free(one, first[0], 0).status, Status::Ok);
    assert_eq!(b.free(one, first[1], 0).status, Status::Ok);
    let full = b.free(two, other, 0);
    assert_eq!((full.status, full.detail().cause), (Status::Busy, Cause::Queue));
    b.audit();
    b.pass(u64::from(full.detail().hint).div_ceil(1000));
    assert_eq!(b.free(two, other, 0).status, Status::Ok, "the hint is true");
    b.audit();
}

#[test]
fn answers_wait_for_room_in_the_ring_and_none_is_lost() {
    let mut b = limited(Limits { outbox: 2, frames_per_poll: 100, ..double::limits() });
    b.fp.tx_depth = 1;
    for _ in 0..20 {
        let ping = b.request(Opcode::Ping, 0, 0, BoardInfo::LEN);
        b.fp.rx.push_back(double::frame_of(ME, &ping, &[0; BoardInfo::LEN]));
    }
    b.slow.poll(&mut b.fp);
    assert_eq!((b.fp.rx.len(), b.fp.tx.len()), (17, 1), "one sent, two waiting, the rest not taken");
    assert!(!b.slow.idle());
    let mut answered = 0;
    for _ in 0..100 {
        answered += u32::from(b.take().is_some());
        b.slow.poll(&mut b.fp);
    }
    assert_eq!(answered, 20);
    assert!(b.slow.idle());
}

/// Requests that must be refused, from one address; how many are answered.
fn refusals(b: &mut Bench, from: [u8; 4], count: u32) -> usize {
    for _ in 0..count {
        let exit = b.request(Opcode::Exit, 4_000, 0, 0);
        b.fp.rx.push_back(double::frame_of(from, &exit, &[]));
        b.slow.poll(&mut b.fp);
    }
    let answers: Vec<_> = std::iter::from_fn(|| b.take()).collect();
    assert!(answers.iter().all(|(answer, _)| answer.status == Status::BadRequest));
    answers.len()
}

#[test]
fn an_address_is_told_so_many_refusals_in_a_time_and_others_are_told_theirs() {
    let mut b = limited(Limits { refusal_rate: 1_000, ..double::limits() });
    b.fp.tx_depth = 1_000;
    assert_eq!(refusals(&mut b, ME, 200), 50, "a twentieth of a second's");
    assert_eq!(refusals(&mut b, OTHER, 20), 20, "another address");
    let unsent = b.slow.counter(&mut b.fp, NodeCounter::RefusalsUnsent.number());
    assert_eq!(unsent, 150, "none is lost without being counted");
    let pid = b.open();
    assert!(b.alloc(pid, 1, RW).is_ok(), "what is served is told whatever was refused");
    // A tick lasts a microsecond here: five milliseconds later there are five more.
    b.pass(5_000);
    assert_eq!(refusals(&mut b, ME, 200), 5);
}

#[test]
fn a_silent_process_is_reclaimed_after_its_lease() {
    let mut b = Bench::tiny();
    let lease = OpenRequest { lease_ns: 50_000, ..OpenRequest::default() };
    let opened = b.open_from(ME, 0, &lease).unwrap();
    assert_eq!(opened.lease_ns, 50_000);
    let keeper = b.open();
    let at = b.alloc(opened.pid, 2, RW).unwrap();
    assert_eq!(b.fp.touch(opened.pid, at), Status::Ok);
    for _ in 0..4 {
        b.pass(49);
        assert_eq!(b.ask(Opcode::Ping, opened.pid, 0, &[0; BoardInfo::LEN]).0.status, Status::Ok);
    }
    assert_eq!(b.slow.inspect(|s| s.process_count()), 2, "pings keep it");
    b.pass(50);
    assert_eq!(b.slow.inspect(|s| s.process_count()), 1);
    assert_eq!(b.fp.touch(opened.pid, at), Status::Unmapped);
    assert_eq!(b.slow.counter(&mut b.fp, NodeCounter::LeasesExpired.number()), 1);
    b.pass(5000);
    assert!(b.alloc(keeper, 1, RW).is_ok(), "no lease, no end");
    b.audit();
}

#[test]
fn a_lease_is_never_longer_than_the_board_allows() {
    let mut b = limited(Limits { lease_max_ns: 9_000, ..double::limits() });
    let long = OpenRequest { lease_ns: u64::MAX, ..OpenRequest::default() };
    assert_eq!(b.open_from(ME, 0, &long).unwrap().lease_ns, 9_000);
}

#[test]
fn a_lease_that_is_too_short_is_refused_with_the_shortest() {
    let mut b = limited(Limits { lease_min_ns: 7_000, ..double::limits() });
    for lease_ns in [1, 6_999] {
        let refused = b.open_from(ME, 0, &OpenRequest { lease_ns, ..OpenRequest::default() }).unwrap_err();
        assert_eq!(why(&refused), (Status::Unsupported, Cause::Option, 7_000));
    }
    for lease_ns in [7_000, 0] {
        let opened = b.open_from(ME, 0, &OpenRequest { lease_ns, ..OpenRequest::default() });
        assert_eq!(opened.unwrap().lease_ns, lease_ns);
    }
}
