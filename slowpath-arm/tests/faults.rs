//! When the table cannot be changed: what was begun is taken back, what cannot be is given up, and everything else goes on.
use crate::double;
use double::{Bench, LeafKind};
use mneme_slowpath::LeafRefused;
use mneme_wire::payload::{Alloc, AllocUnit, OpenRequest};
use mneme_wire::pte::{ALLOCATED, VALID};
use mneme_wire::{Cause, NodeCounter, Opcode, ReplaceStatus, Rights, Status};

const RW: Rights = Rights::READ_WRITE;

#[test]
fn an_alloc_whose_nth_page_is_refused_leaves_nothing_behind() {
    let mut b = Bench::tiny();
    let pid = b.open();
    for n in 0..5 {
        b.fp.fail = Some((n, ReplaceStatus::Error));
        let refused = b.alloc_at(pid, 40 + 10 * u64::from(n), 5).unwrap_err();
        assert_eq!((refused.status, refused.detail().cause), (Status::MemoryError, Cause::Dram));
        assert!(b.fp.table.iter().all(|entry| entry & ALLOCATED == 0));
    }
    assert_eq!(b.slow.inspect(|s| s.live_ranges()), 0);
    // One slot each is given up: nobody knows what the refused entry holds.
    assert_eq!(b.slow.inspect(|s| s.slots_used()), 5);
    assert_eq!(b.slow.counter(&mut b.fp, NodeCounter::SlotsLost.number()), 5);
    assert!(b.alloc(pid, 5, RW).is_ok());
}

#[test]
fn a_full_bucket_that_the_shadow_did_not_know_is_avoided_from_then_on() {
    let mut twin = Bench::tiny();
    let pid = twin.open();
    let chosen = twin.alloc(pid, 4, RW).unwrap();
    let mut b = Bench::tiny();
    assert_eq!(b.open(), pid);
    // Entries with wrong parity are neither free nor anybody's.
    let bucket = b.fp.geometry.bucket(pid, chosen + 1) as usize;
    for slot in 0..8 {
        b.fp.table[bucket * 8 + slot] = VALID;
    }
    let at = b.alloc(pid, 4, RW).unwrap();
    assert!(at > chosen + 1, "the range moved past the damage");
    for vpn in at..at + 4 {
        assert_eq!(b.fp.touch(pid, vpn), Status::Ok);
    }
    let refused = b.alloc_at(pid, chosen + 1, 1).unwrap_err();
    assert_eq!((refused.status, refused.detail().cause), (Status::NoMemory, Cause::Slots));
    assert_eq!(b.free(pid, at, 0).status, Status::Ok);
}

#[test]
fn a_protect_that_fails_half_way_restores_the_rights() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let at = b.alloc(pid, 4, RW).unwrap();
    b.fp.fail = Some((2, ReplaceStatus::Error));
    let refused = b.protect(pid, at, 4, Rights::READ_ONLY);
    assert_eq!((refused.status, refused.detail().cause), (Status::MemoryError, Cause::Dram));
    for vpn in at..at + 4 {
        assert_eq!(b.fp.touch(pid, vpn), Status::Ok, "still writable");
    }
    b.audit();
    assert_eq!(b.protect(pid, at, 4, Rights::READ_ONLY).status, Status::Ok);
    b.audit();
}

#[test]
fn a_free_that_fails_gives_the_page_up_and_frees_the_rest() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let at = b.alloc(pid, 4, RW).unwrap();
    b.fp.fail = Some((1, ReplaceStatus::Error));
    let refused = b.free(pid, at, 0);
    assert_eq!((refused.status, refused.detail().cause), (Status::MemoryError, Cause::Dram));
    assert_eq!(b.fp.touch(pid, at + 1), Status::Ok, "its entry is still there");
    for vpn in [at, at + 2, at + 3] {
        assert_eq!(b.fp.touch(pid, vpn), Status::Unmapped);
    }
    b.pass(100);
    let lost = b.alloc_at(pid, at + 1, 1).unwrap_err();
    assert_eq!(
        (lost.status, lost.detail().cause),
        (Status::NoMemory, Cause::Address),
        "never given out again"
    );
    assert_eq!(b.exit(pid).status, Status::Ok);
    b.pass(100);
    let burnt = b.open_from([10, 0, 0, 1], pid, &Default::default()).unwrap_err();
    assert_eq!(burnt.status, Status::Busy, "its pid could reach the entry that stayed");
    assert_eq!(b.slow.inspect(|s| s.slots_used()), 1);
}

#[test]
fn a_command_that_never_ends_is_given_up_and_the_board_still_answers() {
    let mut config = double::config();
    config.replace_patience = 50;
    let mut b = Bench::new(double::Double::new(18, 24, 2), config);
    let pid = b.open();
    b.fp.slowness = 1_000_000;
    let refused = b.alloc(pid, 1, RW).unwrap_err();
    assert_eq!((refused.status, refused.detail().cause), (Status::MemoryError, Cause::Dram));
    assert!(b.open() > pid);
}

#[test]
fn a_page_that_two_entries_name_is_taken_back_once() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let (one, two) = (b.alloc(pid, 1, RW).unwrap(), b.alloc(pid, 1, RW).unwrap());
    assert_eq!((b.fp.touch(pid, one), b.fp.touch(pid, two)), (Status::Ok, Status::Ok));
    // Damage that parity does not show: both entries name one page.
    let (from, to) = (b.fp.find(pid, one).unwrap(), b.fp.find(pid, two).unwrap());
    let page = b.fp.geometry.entry_ppn(b.fp.table[from]);
    let mask = b.fp.geometry.ppn_mask();
    b.fp.table[to] = mneme_wire::pte::with_parity(b.fp.table[to] & !mask | page);
    assert_eq!((b.free(pid, one, 0).status, b.free(pid, two, 0).status), (Status::Ok, Status::Ok));
    assert_eq!(b.slow.counter(&mut b.fp, NodeCounter::PagesAstray.number()), 1);
}

#[test]
fn an_entry_that_memory_did_not_take_is_written_until_it_does() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let at = b.alloc(pid, 4, RW).unwrap();
    assert_eq!(b.fp.touch(pid, at + 2), Status::Ok);
    let entry = b.fp.table[b.fp.find(pid, at + 2).unwrap()];
    b.fp.pinned = Some((pid, at + 2));
    // The first look meets an error again, a later one does not.
    b.fp.fail = Some((0, ReplaceStatus::Error));
    let count = |b: &mut Bench, counter: NodeCounter| b.slow.counter(&mut b.fp, counter.number());
    for _ in 0..4 {
        b.pass(100);
    }
    assert_eq!(b.fp.pinned, None);
    assert_eq!((count(&mut b, NodeCounter::TableRefused), count(&mut b, NodeCounter::TableRepairs)), (1, 1));
    assert_eq!(b.fp.table[b.fp.find(pid, at + 2).unwrap()], entry, "as it was");
    let replaces = b.fp.replaces;
    b.pass(1000);
    assert_eq!(b.fp.replaces, replaces, "nothing is left to do");
    b.audit();
}

#[test]
fn an_entry_of_a_page_that_was_given_up_is_written_when_memory_takes_it() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let at = b.alloc(pid, 4, RW).unwrap();
    assert_eq!(b.fp.touch(pid, at + 1), Status::Ok);
    // The board keeps its entry, which memory does not take for FREE, either.
    b.fp.pinned = Some((pid, at + 1));
    b.fp.fail = Some((1, ReplaceStatus::Error));
    assert_eq!(b.free(pid, at, 0).status, Status::MemoryError);
    assert_eq!(b.exit(pid).status, Status::Ok);
    let count = |b: &mut Bench, counter: NodeCounter| b.slow.counter(&mut b.fp, counter.number());
    assert_eq!(count(&mut b, NodeCounter::SlotsLost), 1);
    // What is pinned takes one of the board's few miss entries until it has been written.
    for _ in 0..4 {
        b.pass(100);
    }
    assert_eq!(b.fp.pinned, None);
    assert_eq!(count(&mut b, NodeCounter::TableRepairs), 1);
    assert_eq!(count(&mut b, NodeCounter::SlotsLost), 1, "nobody knows what memory holds");
}

/// Pages of frames of 4 KB that a process of an address allocates: where, or what it is told.
fn frames_of(b: &mut Bench, (ip, pid): ([u8; 4], u32), pages: u64) -> Result<u64, (Status, Cause)> {
    let bits = b.fp.geometry.page_bits();
    let ask = Alloc { unit: AllocUnit::Frame, ..Alloc::request(pages << bits, RW) };
    let request = b.request(Opcode::Alloc, pid, 0, Alloc::LEN);
    let (response, payload) = b.send(ip, &request, &ask.to_bytes());
    match response.status {
        Status::Ok => Ok(Alloc::parse_answer(&payload).expect("an answer").va >> bits),
        status => Err((status, response.detail().cause)),
    }
}

/// A segment that cannot be swept to its end keeps its leaf tables; others get others.
#[test]
fn tables_of_a_segment_that_did_not_end_are_nobody_elses() {
    const ONE: [u8; 4] = [10, 0, 0, 1];
    const TWO: [u8; 4] = [10, 0, 0, 2];
    for (kind, ends) in [(LeafKind::Sweep, false), (LeafKind::Close, false), (LeafKind::Sweep, true)] {
        let mut b = Bench::new(double::Double::new(20, 28, 2).with_leaf(), double::config());
        let one = b.open_from(ONE, 0, &OpenRequest::default()).expect("open").pid;
        let two = b.open_from(TWO, 0, &OpenRequest::default()).expect("open").pid;
        let at = frames_of(&mut b, (ONE, one), 3).expect("alloc");
        b.fp.leaf_fails.push((kind, LeafRefused::Failed));
        let ended = if ends { b.exit(one) } else { b.free(one, at, 0) };
        assert_eq!((ended.status, b.fp.segments.len()), (Status::Ok, 1), "{kind:?}: the segment stays");
        let at = frames_of(&mut b, (TWO, two), 3).unwrap_or_else(|told| panic!("{kind:?}: {told:?}"));
        assert_eq!((b.fp.segments.len(), b.free(two, at, 0).status), (2, Status::Ok));
        assert_eq!(b.slow.inspect(|space| space.leaf_tables_used()), 3, "{kind:?}: those of the first");
    }
}

/// One that was refused since others are there, or that was never made, has nothing that could stay.
#[test]
fn tables_of_a_segment_that_could_not_be_made_come_back_unless_the_unit_failed() {
    let refusals = [(LeafRefused::Full, 0), (LeafRefused::Taken, 0), (LeafRefused::Failed, 3)];
    for (refused, kept) in refusals {
        let mut b = Bench::new(double::Double::new(20, 28, 2).with_leaf(), double::config());
        let pid = b.open();
        b.fp.leaf_fails.push((LeafKind::Create, refused));
        let own = ([10, 0, 0, 1], pid);
        assert_eq!(frames_of(&mut b, own, 3), Err((Status::NoMemory, Cause::Slots)));
        assert_eq!(b.slow.inspect(|space| space.leaf_tables_used()), kept, "{refused:?}");
        frames_of(&mut b, own, 3).expect("others are there");
    }
}
