//! Pages of 4 KB: what a slow path does for the board's leaf unit, and how segments and the ring change while a run goes on.
//!
//! An example. The last three of a process's six pages are split, and its segment may have 4 frames. Its fifth first touch is told to come
//! again, by the model and by the board. Some steps later the segment ends, its frames go back, and another one has its place: the same
//! request comes again and is done.
use std::collections::BTreeSet;

use mneme_model::soft::{Page as PageOf, Replace};
use mneme_rdma::memory::Access;
use mneme_rdma::node::SegmentConfig;
use mneme_slowpath::{FastPath, RoceFrees};
use mneme_wire::leaf::{LEAF_CLEAN, LEAF_RIGHT_ATOMIC, LEAF_RIGHT_READ, LEAF_RIGHT_WRITE};
use mneme_wire::pte::{self, FRAME_BYTES, PageState};
use mneme_wire::{LeafCounter, LeafOrder, LeafRegister, LeafResult, Pid};
use rand::Rng;

use super::board::Board;
use super::end::differ;
use super::memory::{Page, State};
use super::peers::{BASE, PAGE, PAGES};
use super::run::{PIDS, RIGHTS, Run};
use crate::Mismatch;

/// Of a process's pages those from this one on are split.
pub(super) const FIRST: u64 = 3;
/// Leaf tables of a process.
const TABLES: u64 = PAGES - FIRST;
/// Frames that a segment may have: fewer than are touched, or more.
const BUDGETS: [u32; 3] = [4, 24, ENOUGH];
/// More frames than all processes touch.
const ENOUGH: u32 = 1000;
/// Bytes of a line of memory.
const LINE: u64 = 64;

/// Rights as the leaf unit has them.
fn rights(access: Access) -> u32 {
    let right = |has: bool, right: u32| if has { right } else { 0 };
    right(access.read, LEAF_RIGHT_READ)
        | right(access.write, LEAF_RIGHT_WRITE)
        | right(access.atomic, LEAF_RIGHT_ATOMIC)
}

impl Board<'_> {
    fn order(&mut self, order: LeafOrder, registers: &[(LeafRegister, u32)]) -> Result<u32, Mismatch> {
        for (register, value) in registers {
            self.fast.write_leaf(*register, *value);
        }
        self.fast.write_leaf(LeafRegister::Command, order.number());
        let mut ended = LeafResult::Pending.number();
        self.wait("a command of the leaf unit does not end", |fast| {
            ended = fast.read_leaf(LeafRegister::Result.number());
            ended != LeafResult::Pending.number()
        })?;
        match ended == LeafResult::Done.number() {
            true => Ok(self.fast.read_leaf(LeafRegister::Count.number())),
            false => Err(Mismatch::new(format!("{order} ends with {ended}"))),
        }
    }
    /// Tells the leaf unit where its ring is.
    ///
    /// # Errors
    /// The board refuses it.
    pub fn make_ring(&mut self) -> Result<(), Mismatch> {
        let geometry = self.geometry;
        self.fast.write_leaf(LeafRegister::Zeros, (geometry.zero_frame() / FRAME_BYTES) as u32);
        let line = (LeafRegister::Line, (geometry.ring_address() / LINE) as u32);
        let lines = (LeafRegister::Page, (geometry.ring_bytes() / LINE - 1) as u32);
        self.order(LeafOrder::Ring, &[line, lines]).map(drop)
    }
    /// Makes a process's segment, whose tables are zeros.
    ///
    /// # Errors
    /// The board refuses it.
    pub fn make_segment(&mut self, number: u32, pid: u32, budget: u32) -> Result<(), Mismatch> {
        let (frames, table) = (self.geometry.page_frames(), u64::from(number) * TABLES);
        self.order(
            LeafOrder::Create,
            &[
                (LeafRegister::Segment, number),
                (LeafRegister::Pid, pid),
                (LeafRegister::Rights, rights(Access::ALL)),
                (LeafRegister::Pages, (TABLES * frames) as u32),
                (LeafRegister::Page, budget),
                (LeafRegister::Line, (self.geometry.leaf_table(table) / LINE) as u32),
            ],
        )?;
        for own in 0..TABLES {
            let row =
                [(LeafRegister::Table, (table + own) as u32), (LeafRegister::Page, (own * frames) as u32)];
            self.order(LeafOrder::Map, &row)?;
        }
        Ok(())
    }
    /// Ends a segment: its frames go back.
    ///
    /// # Errors
    /// The board refuses it, or pages are left.
    pub fn end_segment(&mut self, number: u32) -> Result<(), Mismatch> {
        self.order(LeafOrder::Close, &[(LeafRegister::Segment, number)])?;
        let pages = (TABLES * self.geometry.page_frames()) as u32;
        let sweep = [(LeafRegister::Segment, number), (LeafRegister::Pages, pages)];
        let left = self.order(LeafOrder::Sweep, &sweep)?;
        differ("pages of a segment that has ended", 0, left)
    }
    /// Puts so many frames of a page into the ring, those behind `from`.
    ///
    /// # Errors
    /// The board refuses it.
    pub fn push(&mut self, page: u32, from: u64, frames: u64) -> Result<(), Mismatch> {
        let first = u64::from(page) * self.geometry.page_frames() + from;
        let run = [(LeafRegister::Page, first as u32), (LeafRegister::Pages, frames as u32)];
        self.order(LeafOrder::Push, &run).map(drop)
    }
    /// Allocates a page as frames behind a leaf table.
    ///
    /// # Errors
    /// The board refuses it.
    pub fn split(&mut self, (pid, vpn): (u32, u64), table: u64) -> Result<(), Mismatch> {
        let page = PageOf { pid: Pid::from_low_bits(pid), vpn };
        let state = u64::from(PageState::Split.number()) << pte::STATE_SHIFT;
        let new = pte::ALLOCATED | RIGHTS | state | table;
        self.replace(&Replace { page, compare: pte::ALLOCATED, expected: 0, write: u64::MAX, new })
    }
    /// Changes the rights of a page and nothing else.
    fn protect(&mut self, (pid, vpn): (u32, u64), rights: u64) -> Result<(), Mismatch> {
        let page = PageOf { pid: Pid::from_low_bits(pid), vpn };
        let (compare, expected) = (pte::ALLOCATED, pte::ALLOCATED);
        self.replace(&Replace { page, compare, expected, write: RIGHTS, new: rights })
    }
    /// Addresses of a table's frames; 0: none. A segment has three tables, from three times its number on.
    ///
    /// # Errors
    /// Changed entries never come to memory.
    pub fn table(&mut self, table: u64) -> Result<Vec<u64>, Mismatch> {
        self.wait("changed entries never come to memory", |fast| {
            fast.read_leaf(LeafRegister::State.number()) & LEAF_CLEAN != 0
        })?;
        let mut bytes = vec![0; 8 * self.geometry.page_frames() as usize];
        self.fast.read_memory(self.geometry.leaf_table(table), &mut bytes);
        Ok(bytes.as_chunks::<8>().0.iter().map(|entry| u64::from_be_bytes(*entry)).collect())
    }
    /// What lies in a frame.
    pub fn frame(&mut self, address: u64) -> Vec<u8> {
        let mut bytes = vec![0; FRAME_BYTES as usize];
        self.fast.read_memory(address, &mut bytes);
        bytes
    }
    /// A register of the leaf unit.
    pub fn leaf(&mut self, register: LeafRegister) -> u32 {
        self.fast.read_leaf(register.number())
    }
    fn leaf_counter(&mut self, counter: LeafCounter) -> u64 {
        let offset = mneme_wire::leaf::LEAF_COUNTERS + 4 * counter.number();
        self.fast.read_leaf(offset).into()
    }
}

/// Where the ring's next frames come from.
#[derive(Debug, Default)]
pub(super) struct Source {
    page: u32,
    given: u64,
}

/// The pages of 4 KB of a process, which its queue pairs may give up.
pub(super) fn frees(number: usize) -> RoceFrees {
    RoceFrees {
        segment: number as u32,
        first: 0,
        va: BASE + FIRST * PAGE,
        pages: TABLES * (PAGE / FRAME_BYTES),
    }
}

/// The leaf table of a page; `None`: it is a board page.
fn table_of((pid, vpn): (u32, u64)) -> Option<u64> {
    let number = PIDS.iter().position(|own| *own == pid)? as u64;
    (vpn - BASE / PAGE).checked_sub(FIRST).map(|own| number * TABLES + own)
}

impl Run<'_> {
    /// The last pages of all processes are split from the beginning on.
    pub(super) fn make_frames(&mut self) -> Result<(), Mismatch> {
        self.board.make_ring()?;
        for (number, pid) in PIDS.into_iter().enumerate() {
            let budget = if self.is_scarce { BUDGETS[2 * number] } else { ENOUGH };
            self.make_segment(number, pid, budget)?;
            for page in FIRST..PAGES {
                let key = (pid, BASE / PAGE + page);
                self.board.split(key, table_of(key).unwrap_or_default())?;
                let page = Page {
                    rights: RIGHTS,
                    state: State::Open,
                    bytes: None,
                    split: Some(((page - FIRST) * (PAGE / FRAME_BYTES)) as u32),
                };
                self.model.memory.pages.insert(key, page);
            }
        }
        if self.is_scarce {
            return self.push(3);
        }
        (0..PIDS.len() as u64).try_for_each(|_| self.push(PAGE / FRAME_BYTES))
    }
    fn make_segment(&mut self, number: usize, pid: u32, budget: u32) -> Result<(), Mismatch> {
        self.board.make_segment(number as u32, pid, budget)?;
        let pages = TABLES * (PAGE / FRAME_BYTES);
        let va = BASE + FIRST * PAGE;
        let config = SegmentConfig { pid, va, entries: pages as u32, budget, access: Access::ALL };
        let segment =
            self.model.memory.leaf.create(config).map_err(|error| Mismatch::new(error.to_string()))?;
        self.model.memory.segments.insert(pid, segment);
        Ok(())
    }
    fn push(&mut self, frames: u64) -> Result<(), Mismatch> {
        let all = PAGE / FRAME_BYTES;
        let Source { page, given } = &mut self.source;
        if *page == 0 || *given + frames > all {
            (*page, *given) = (self.board.take_page(), 0);
        }
        self.board.push(*page, *given, frames)?;
        *given += frames;
        let leaf = &mut self.model.memory.leaf;
        let first = leaf.range().start + leaf.given() as u64 * FRAME_BYTES;
        leaf.push_run(first, frames).map_err(|error| Mismatch::new(error.to_string()))
    }
    /// The ring gets frames, or a segment ends and another one has its place.
    pub(super) fn change_frames(&mut self) -> Result<(), Mismatch> {
        if self.rng.random_bool(0.6) {
            let frames = self.rng.random_range(1..6);
            return self.push(frames);
        }
        let number = self.rng.random_range(0..PIDS.len());
        let budget = BUDGETS[self.rng.random_range(0..BUDGETS.len())];
        let budget = if self.is_scarce { budget } else { ENOUGH };
        self.without_chains(PIDS[number], |run| run.renew_segment(number, budget))
    }
    fn renew_segment(&mut self, number: usize, budget: u32) -> Result<(), Mismatch> {
        let pid = PIDS[number];
        self.board.end_segment(number as u32)?;
        let memory = &mut self.model.memory;
        if let Some(segment) = memory.segments.remove(&pid) {
            memory.swept += u64::from(memory.leaf.used(segment));
            memory.leaf.destroy(segment).map_err(|error| Mismatch::new(error.to_string()))?;
        }
        self.make_segment(number, pid, budget)
    }
    /// A segment lacks a right from now on, or has it again; those of its pages stay.
    pub(super) fn change_segment_rights(&mut self) -> Result<(), Mismatch> {
        self.flush()?;
        self.come_to_rest()?;
        self.report.commands += 1;
        if let Some(number) = self.restricted.take() {
            return self.set_segment_rights(number, Access::ALL);
        }
        let number = self.rng.random_range(0..PIDS.len());
        let access = [Access::READ, Access::WRITE, Access { atomic: false, ..Access::ALL }];
        let which = self.rng.random_range(0..access.len());
        self.restricted = Some(number);
        self.set_segment_rights(number, access[which])
    }
    /// What may be done with all pages of a segment.
    pub(super) fn set_segment_rights(&mut self, number: usize, access: Access) -> Result<(), Mismatch> {
        let own = [(LeafRegister::Segment, number as u32), (LeafRegister::Rights, rights(access))];
        self.board.order(LeafOrder::SetRights, &own)?;
        let memory = &mut self.model.memory;
        let segment = memory.segments.get(&PIDS[number]).copied();
        let segment = segment.ok_or_else(|| Mismatch::new(format!("process {number} has no segment")))?;
        memory.leaf.set_access(segment, access).map_err(|error| Mismatch::new(error.to_string()))
    }
    /// Rights of a split page.
    pub(super) fn change_rights(&mut self, key: (u32, u64), rights: u64) -> Result<(), Mismatch> {
        self.board.protect(key, rights)
    }
    /// From now on there are frames for all.
    pub(super) fn heal_frames(&mut self) -> Result<(), Mismatch> {
        let short = |run: &Self, pid| {
            let memory = &run.model.memory;
            let own = memory.segments.get(pid).and_then(|segment| memory.leaf.config(*segment));
            own.is_some_and(|own| own.budget < ENOUGH)
        };
        for (number, pid) in PIDS.iter().enumerate() {
            if short(self, pid) {
                self.without_chains(*pid, |run| run.renew_segment(number, ENOUGH))?;
            }
        }
        (0..PIDS.len()).try_for_each(|number| self.set_segment_rights(number, Access::ALL))?;
        (0..PIDS.len() as u64).try_for_each(|_| self.push(PAGE / FRAME_BYTES))
    }

    /// Compares which pages have frames, and what the leaf unit has counted. Nothing is under way.
    pub(super) fn check_frames(&mut self) -> Result<(), Mismatch> {
        let memory = &self.model.memory;
        let mut all = Vec::new();
        for (key, page) in &memory.pages {
            let (Some(first), Some(table)) = (page.split, table_of(*key)) else { continue };
            let own = memory.segments.get(&key.0).and_then(|segment| memory.leaf.table(*segment));
            let model = own.unwrap_or_default().iter().skip(first as usize).map(|entry| *entry != [0; 8]);
            let model: BTreeSet<u64> =
                (0..PAGE / FRAME_BYTES).zip(model).filter(|own| own.1).map(|own| own.0).collect();
            let board = self.board.table(table)?;
            all.extend(board.iter().copied().filter(|frame| *frame != 0));
            let board: BTreeSet<u64> =
                (0..).zip(board).filter(|(_, frame)| *frame != 0).map(|(at, _)| at).collect();
            differ(&format!("frames of page {key:x?}"), model, board)?;
        }
        self.check_places(&all)?;
        let memory = &self.model.memory;
        let (chains, told) = (self.model.chain_counters(), self.report.chains.told_empty);
        // The model takes a frame when it has all of a page. One that was no page's yet goes back uncounted.
        let abandoned = self.report.chains.abandoned;
        for (counter, model) in [
            (LeafCounter::Taken, memory.taken + chains.unmapped_stores + abandoned),
            (LeafCounter::Freed, memory.freed + memory.swept + chains.freed),
            (LeafCounter::RingEmpty, memory.ring_empty + chains.ring_empty + told[0]),
            (LeafCounter::BudgetSpent, memory.budget_spent + chains.budget_spent + told[1]),
        ] {
            differ(&format!("leaf unit: {counter}"), model, self.board.leaf_counter(counter))?;
        }
        Ok(())
    }
    /// What lies in the frames of a page, zeros where it has none.
    pub(super) fn split_page(&mut self, key: (u32, u64)) -> Result<Option<Vec<u8>>, Mismatch> {
        let Some(table) = table_of(key) else { return Ok(None) };
        let mut bytes = vec![0; PAGE as usize];
        for (frame, place) in self.board.table(table)?.into_iter().zip(bytes.chunks_mut(FRAME_BYTES as usize))
        {
            if frame != 0 {
                place.copy_from_slice(&self.board.frame(frame));
            }
        }
        Ok(Some(bytes))
    }
}
