//! PROCESSES: who is told of which process.
use crate::double;
use double::Bench;
use mneme_wire::payload::{OpenRequest, ProcessEntry, ProcessesRequest};
use mneme_wire::{Cause, NodeCounter, Opcode, Response, Rights, Status};

const ME: [u8; 4] = [10, 0, 0, 1];
const OTHER: [u8; 4] = [10, 0, 0, 2];

fn ask(b: &mut Bench, ip: [u8; 4], after: u32, count: u32) -> Vec<ProcessEntry> {
    let ask = ProcessesRequest { after, count };
    let mut payload = vec![0; ask.payload_len()];
    ask.emit(None, &mut payload);
    let request = b.request(Opcode::Processes, 0, 0, payload.len());
    let (response, answer) = b.send(ip, &request, &payload);
    assert_eq!(response.status, Status::Ok);
    assert_eq!(answer.len(), payload.len(), "an answer is as long as its request");
    ask.parse_answer(&answer).unwrap().collect()
}

fn pids(entries: &[ProcessEntry]) -> Vec<u32> {
    entries.iter().map(|entry| entry.pid).collect()
}

fn opened(b: &mut Bench, ip: [u8; 4]) -> u32 {
    b.open_from(ip, 0, &OpenRequest::default()).unwrap().pid
}

#[test]
fn a_source_address_is_told_what_its_processes_have_and_no_others() {
    let mut b = Bench::tiny();
    let lease = OpenRequest { lease_ns: 500_000, ..OpenRequest::default() };
    let first = b.open_from(ME, 0, &lease).unwrap().pid;
    let stranger = opened(&mut b, OTHER);
    let second = opened(&mut b, ME);
    let at = b.alloc(first, 3, Rights::READ_WRITE).unwrap();
    let read_only = b.alloc(first, 2, Rights::READ_ONLY).unwrap();
    b.alloc(stranger, 1, Rights::READ_WRITE).unwrap();
    b.pass(20);
    let told = ask(&mut b, ME, 0, 8);
    let has = ProcessEntry {
        pid: first,
        lease_ns: 500_000,
        slots: 5,
        pages: 3,
        ranges: 2,
        ..ProcessEntry::default()
    };
    assert_eq!(told.len(), 2);
    assert_eq!(ProcessEntry { silent_ns: 0, ..told[0] }, has);
    assert!((20_000..=30_000).contains(&told[0].silent_ns), "{} ns", told[0].silent_ns);
    assert_eq!(
        ProcessEntry { silent_ns: 0, ..told[1] },
        ProcessEntry { pid: second, ..ProcessEntry::default() }
    );
    assert_eq!(pids(&ask(&mut b, OTHER, 0, 8)), [stranger]);
    assert_eq!(ask(&mut b, [10, 0, 0, 3], 0, 8), [], "an address that has nothing");
    // What was writable may hold memory; what is freed is gone.
    b.protect(first, read_only, 1, Rights::READ_WRITE);
    b.protect(first, read_only, 1, Rights::READ_ONLY);
    b.free(first, at, 0);
    let told = ask(&mut b, ME, 0, 8);
    assert_eq!((told[0].slots, told[0].pages, told[0].ranges), (2, 1, 1));
    assert!(told[0].silent_ns < 10_000, "it has just been heard");
    b.exit(first);
    assert_eq!(pids(&ask(&mut b, ME, 0, 8)), [second]);
    b.exit(stranger);
    assert_eq!(ask(&mut b, OTHER, 0, 8), []);
    b.audit();
}

/// Who joins a process of another address does not own it.
#[test]
fn a_process_belongs_to_the_address_that_opened_it() {
    let mut b = Bench::tiny();
    let opened = b.open_from(ME, 0, &OpenRequest::default()).unwrap();
    let join = OpenRequest { join: true, token: opened.token, ..OpenRequest::default() };
    b.open_from(OTHER, opened.pid, &join).unwrap();
    assert_eq!(ask(&mut b, OTHER, 0, 8), []);
    assert_eq!(pids(&ask(&mut b, ME, 0, 8)), [opened.pid]);
}

#[test]
fn long_lists_are_told_in_pieces() {
    let mut b = Bench::tiny();
    let mut all: Vec<u32> = (0..20).map(|_| opened(&mut b, ME)).collect();
    let largest = b.open_from(ME, 0xef_ffff, &OpenRequest::default()).unwrap().pid;
    all.push(largest);
    for count in [1, 5, 7, 20, 21, 29] {
        let (mut told, mut after): (Vec<u32>, u32) = (Vec::new(), 0);
        loop {
            let piece = pids(&ask(&mut b, ME, after, count));
            told.extend(&piece);
            match piece.last() {
                Some(last) if piece.len() == count as usize => after = *last,
                _ => break,
            }
        }
        assert_eq!(told, all, "in pieces of {count}");
    }
    assert_eq!(ask(&mut b, ME, u32::MAX, 4), []);
    assert_eq!(pids(&ask(&mut b, ME, all[18], 4)), all[19..]);
}

#[test]
fn being_looked_at_renews_no_lease_and_takes_no_answer() {
    let mut b = Bench::tiny();
    let lease = OpenRequest { lease_ns: 100_000, ..OpenRequest::default() };
    b.open_from(ME, 0, &lease).unwrap();
    for _ in 0..3 {
        b.pass(30);
        assert_eq!(ask(&mut b, ME, 0, 4).len(), 1);
    }
    b.pass(30);
    assert_eq!(ask(&mut b, ME, 0, 4), [], "reclaimed");
    assert_eq!(b.slow.counter(&mut b.fp, NodeCounter::LeasesExpired as u32), 1);
}

#[test]
fn what_is_not_asked_for_as_it_should_be_is_refused() {
    let why = |response: Response| (response.status, response.detail().cause);
    let mut b = Bench::tiny();
    let pid = opened(&mut b, ME);
    let payload = |count: u32, len: usize| {
        let mut bytes = vec![0; len];
        bytes[4..8].copy_from_slice(&count.to_le_bytes());
        bytes
    };
    let length = (Status::BadRequest, Cause::Length);
    for (count, len) in [(0, 56), (1, 55), (1, 57), (2, 56), (129, 8 + 48 * 129), (u32::MAX, 56), (1, 8)] {
        assert_eq!(why(b.ask(Opcode::Processes, 0, 0, &payload(count, len)).0), length, "{count} in {len}");
    }
    assert_eq!(why(b.ask(Opcode::Processes, pid, 0, &payload(1, 56)).0), (Status::BadRequest, Cause::Pid));
    assert_eq!(why(b.ask(Opcode::Processes, 0, 8, &payload(1, 56)).0), (Status::BadRequest, Cause::Address));
    let mut full = payload(1, 56);
    full[55] = 1;
    assert_eq!(why(b.ask(Opcode::Processes, 0, 0, &full).0), (Status::Unsupported, Cause::Option));
}
