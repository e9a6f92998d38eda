//! Audits of a board of hardware: what they find wrong, and that they say nothing while frames move.
use mneme_rdma::node::{Audit, AuditError};
use mneme_rdma_manager::{Audited, FrameAudit, FrameAuditError};
use mneme_slowpath::FastPath;
use mneme_slowpath::pages::PagePlace;
use mneme_wire::leaf::LEAF_COUNTERS;
use mneme_wire::pte::{self, FRAME_BYTES, Geometry, PageState};
use mneme_wire::{LeafCounter, LeafRegister};

use crate::client::{MB, World};

/// More steps than any audit takes.
const STEPS: usize = 100_000;

fn geometry(world: &World) -> Geometry {
    world.slow.inspect(mneme_slowpath::space::Space::geometry)
}
fn set(world: &mut World, register: LeafRegister, value: u32) {
    world.hardware.leaf.insert(register.number(), value);
}
/// How an audit ends; `meanwhile` happens before each of its steps.
fn audit(world: &mut World, mut meanwhile: impl FnMut(&mut World, usize)) -> Audited {
    let mut audit = FrameAudit::new(&world.slow);
    let ended = (0..STEPS).find_map(|step| {
        meanwhile(world, step);
        audit.step(&mut world.hardware, &mut world.slow)
    });
    ended.expect("it ends")
}
fn nothing(_: &mut World, _: usize) {}
/// The page table has an entry, at a place of its own, that names this leaf table.
fn split(world: &mut World, place: u64, table: u64) {
    let entry = pte::ALLOCATED | (PageState::Split as u64) << pte::STATE_SHIFT | table;
    world.hardware.write_memory(8 * place, &entry.to_le_bytes());
}
/// An entry of a leaf table.
fn entry(world: &mut World, table: u64, page: u64, frame: u64) {
    let address = geometry(world).leaf_table(table) + 8 * page;
    world.hardware.write_memory(address, &frame.to_be_bytes());
}
/// A page of memory that the slow path has for itself.
fn free_page(world: &mut World) -> u64 {
    let pages = geometry(world).pages();
    let mut free =
        (0..pages).filter(|page| world.slow.page_place(&mut world.hardware, *page) == PagePlace::Free);
    free.next().expect("there is one")
}

#[test]
fn an_audit_counts_what_is_free_and_what_waits() {
    let mut world = World::new(false);
    for (register, count) in
        [(LeafRegister::Total, 300), (LeafRegister::Usable, 297), (LeafRegister::Waiting, 3)]
    {
        set(&mut world, register, count);
    }
    // Tables without entries are none of anything.
    split(&mut world, 3, 7);
    let sound = Audit { ring: 297, mapped: 0, private: 0, waiting: 3 };
    assert_eq!(audit(&mut world, nothing), Audited::Sound(sound));
    set(&mut world, LeafRegister::Waiting, 2);
    let lost = AuditError::Lost { found: 299, given: 300 };
    assert_eq!(audit(&mut world, nothing), Audited::Wrong(lost.into()));
}

#[test]
fn an_audit_finds_frames_in_two_entries_outside_of_memory_and_of_pages_not_given() {
    let mut world = World::new(false);
    set(&mut world, LeafRegister::Usable, 0);
    set(&mut world, LeafRegister::Total, 1);
    let page = free_page(&mut world);
    let frame = page * MB + 5 * FRAME_BYTES;
    split(&mut world, 0, 7);
    entry(&mut world, 7, 255, frame);
    let place = PagePlace::Free;
    let wrong = FrameAuditError::Page { page, place };
    assert_eq!(audit(&mut world, nothing), Audited::Wrong(wrong));
    // In another table, whose entry is the page table's last.
    let last = geometry(&world).table_bytes() / 8 - 1;
    split(&mut world, last, 9);
    entry(&mut world, 9, 0, frame);
    assert_eq!(audit(&mut world, nothing), Audited::Wrong(AuditError::Twice(frame).into()));
    let end = geometry(&world).pages() * MB;
    for outside in [end, frame + 8] {
        entry(&mut world, 9, 0, outside);
        assert_eq!(audit(&mut world, nothing), Audited::Wrong(FrameAuditError::Outside(outside)));
    }
}

#[test]
fn an_audit_says_nothing_while_frames_move() {
    let mut world = World::new(false);
    set(&mut world, LeafRegister::Total, 1);
    set(&mut world, LeafRegister::Usable, 1);
    let taken = LEAF_COUNTERS + 4 * LeafCounter::Taken.number();
    let moves = |world: &mut World, step: usize| {
        world.hardware.leaf.insert(taken, step as u32);
    };
    assert_eq!(audit(&mut world, moves), Audited::Moving);
    // What it saw in between is not held against the board: the frame was in an entry, and then in the ring.
    let frame = free_page(&mut world) * MB;
    split(&mut world, 0, 7);
    entry(&mut world, 7, 1, frame);
    let settles = |world: &mut World, step: usize| {
        world.hardware.leaf.insert(taken, step.min(2) as u32);
        if step == 2 {
            entry(world, 7, 1, 0);
        }
    };
    let sound = Audit { ring: 1, ..Audit::default() };
    assert_eq!(audit(&mut world, settles), Audited::Sound(sound));
    // Entries that never come to memory.
    set(&mut world, LeafRegister::State, 0);
    assert_eq!(audit(&mut world, nothing), Audited::Moving);
}

#[test]
fn audits_are_counted_and_come_again() {
    let mut world = World::new(false);
    set(&mut world, LeafRegister::Total, 10);
    set(&mut world, LeafRegister::Usable, 10);
    let counts =
        |world: &World| ["audits", "audits that found something wrong"].map(|name| world.counted()[name]);
    (0..200).for_each(|_| world.pass(10_000_000));
    assert_eq!(counts(&world), [1, 0], "one in ten seconds");
    set(&mut world, LeafRegister::Usable, 9);
    (0..1_000).for_each(|_| world.pass(10_000_000));
    assert_eq!(counts(&world), [2, 1]);
}
