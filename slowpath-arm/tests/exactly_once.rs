//! Retried, doubled, late and conflicting requests take effect once.
use crate::double;
use double::Bench;
use mneme_wire::payload::{Alloc, OpenRequest, RangeRights};
use mneme_wire::{Cause, NodeCounter, Opcode, Rights, Status, Tick};

const ME: [u8; 4] = [10, 0, 0, 1];

fn alloc(pages: u64) -> [u8; Alloc::LEN] {
    Alloc::request(pages << 18, Rights::READ_WRITE).to_bytes()
}

#[test]
fn a_retried_alloc_answers_the_same_range_again() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let mut request = b.request(Opcode::Alloc, pid, 0, Alloc::LEN);
    let first = b.send(ME, &request, &alloc(2));
    assert_eq!(first.0.status, Status::Ok);
    for attempt in 1..5 {
        b.pass(7);
        request.attempt = attempt;
        let again = b.send(ME, &request, &alloc(2));
        assert_eq!((again.0.status, again.0.attempt, &again.1), (Status::Ok, attempt, &first.1));
    }
    assert_eq!(b.slow.inspect(|s| s.live_ranges()), 1);
    assert_eq!(b.slow.counter(&mut b.fp, NodeCounter::Replays.number()), 4);
    assert_eq!(b.slow.counter(&mut b.fp, NodeCounter::Allocs.number()), 1);
    b.audit();
}

#[test]
fn a_retried_open_gives_one_process() {
    let mut b = Bench::tiny();
    let request = b.request(Opcode::Open, 0, 0, OpenRequest::LEN);
    let payload = OpenRequest::default().to_bytes();
    let first = b.send(ME, &request, &payload);
    let again = b.send(ME, &request, &payload);
    assert_eq!(first.1, again.1);
    assert_eq!(b.slow.inspect(|s| s.process_count()), 1);
}

#[test]
fn a_doubled_free_and_exit_are_answered_alike() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let at = b.alloc(pid, 1, Rights::READ_WRITE).unwrap();
    let free = b.request(Opcode::Free, pid, at << 18, RangeRights::LEN);
    let payload = RangeRights::default().to_bytes();
    assert_eq!(b.send(ME, &free, &payload).0.status, Status::Ok);
    assert_eq!(b.send(ME, &free, &payload).0.status, Status::Ok);
    let exit = b.request(Opcode::Exit, pid, 0, 0);
    assert_eq!(b.send(ME, &exit, &[]).0.status, Status::Ok);
    assert_eq!(b.send(ME, &exit, &[]).0.status, Status::Ok);
    let anew = b.exit(pid);
    assert_eq!((anew.status, anew.detail().cause), (Status::BadRequest, Cause::Pid));
}

#[test]
fn another_digest_under_the_same_id_is_a_conflict() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let request = b.request(Opcode::Alloc, pid, 0, Alloc::LEN);
    assert_eq!(b.send(ME, &request, &alloc(1)).0.status, Status::Ok);
    assert_eq!(b.send(ME, &request, &alloc(2)).0.status, Status::Conflict, "only the payload differs");
    assert_eq!(b.send([10, 0, 0, 2], &request, &alloc(2)).0.status, Status::Ok, "another source");
    b.audit();
}

#[test]
fn requests_outside_the_window_are_not_executed() {
    let mut b = Bench::tiny();
    let pid = b.open();
    b.pass(2000);
    let mut old = b.request(Opcode::Alloc, pid, 0, Alloc::LEN);
    old.time = Tick::from_low_bits((b.fp.tick - 1001) as u32);
    let (response, _) = b.send(ME, &old, &alloc(1));
    assert_eq!((response.status, response.detail().cause), (Status::Expired, Cause::Window));
    let mut ahead = b.request(Opcode::Alloc, pid, 0, Alloc::LEN);
    ahead.time = Tick::from_low_bits((b.fp.tick + 251) as u32);
    let (response, _) = b.send(ME, &ahead, &alloc(1));
    assert_eq!((response.status, response.detail().cause), (Status::Busy, Cause::Clock));
    assert_eq!(b.slow.inspect(|s| s.live_ranges()), 0);
    old.time = Tick::from_low_bits((b.fp.tick - 1000) as u32);
    assert_eq!(b.send(ME, &old, &alloc(1)).0.status, Status::Ok, "just inside");
    b.pass(1);
    assert_eq!(
        b.send(ME, &old, &alloc(1)).0.status,
        Status::Expired,
        "its answer is forgotten with its window"
    );
    b.audit();
}

#[test]
fn a_refused_request_executes_only_under_a_higher_attempt() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let at = b.alloc(pid, 1, Rights::READ_WRITE).unwrap();
    let ask = Alloc { fixed: true, ..Alloc::request(1 << 18, Rights::READ_WRITE) };
    let mut request = b.request(Opcode::Alloc, pid, at << 18, Alloc::LEN);
    assert_eq!(b.send(ME, &request, &ask.to_bytes()).0.status, Status::NoMemory);
    assert_eq!(b.free(pid, at, 0).status, Status::Ok);
    b.pass(20);
    assert_eq!(b.send(ME, &request, &ask.to_bytes()).0.status, Status::NoMemory, "the same attempt, late");
    assert_eq!(b.slow.inspect(|s| s.live_ranges()), 0);
    request.attempt = 1;
    assert_eq!(b.send(ME, &request, &ask.to_bytes()).0.status, Status::Ok);
    b.audit();
}

#[test]
fn a_full_share_of_the_answer_cache_is_busy_before_anything_happens() {
    let mut config = double::config();
    // Of sixteen places one source has four, and the OPEN takes one of them.
    config.limits.answers = 16;
    let mut b = Bench::new(double::Double::new(18, 24, 2), config);
    let pid = b.open();
    for _ in 0..3 {
        b.alloc(pid, 1, Rights::READ_WRITE).unwrap();
    }
    let full = b.alloc(pid, 1, Rights::READ_WRITE).unwrap_err();
    assert_eq!((full.status, full.detail().cause), (Status::Busy, Cause::Filter));
    assert_ne!(full.detail().hint, 0);
    assert_eq!(b.slow.inspect(|s| s.live_ranges()), 3);
    b.pass(1001);
    assert!(b.alloc(pid, 1, Rights::READ_WRITE).is_ok());
}

#[test]
fn a_request_that_memory_failed_never_executes_again() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let at = b.alloc(pid, 2, Rights::READ_WRITE).unwrap();
    let ask = RangeRights { size: 2 << 18, rights: Rights::default() };
    let mut request = b.request(Opcode::Free, pid, at << 18, RangeRights::LEN);
    b.fp.fail = Some((1, mneme_wire::ReplaceStatus::Error));
    for attempt in [0, 0, 1, 255] {
        request.attempt = attempt;
        let (answer, _) = b.send(ME, &request, &ask.to_bytes());
        assert_eq!((answer.status, answer.detail().cause), (Status::MemoryError, Cause::Dram), "{attempt}");
        assert_eq!(answer.attempt, attempt);
    }
}
