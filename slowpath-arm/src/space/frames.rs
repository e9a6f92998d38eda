//! Ranges of 4 KB frames: their leaf tables, and what they are charged.
use super::Space;
use super::alloc::AllocAsk;
use crate::leaf::LeafArea;
use crate::process::FrameRange;
use crate::refusal::Refusal;
use crate::share::Source;
use mneme_wire::{Cause, Status};
use std::sync::atomic::Ordering::Relaxed;

/// A range of frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameSpan {
    /// Its first leaf table.
    pub table: u64,
    /// Its first address.
    pub va: u64,
    /// How long it is.
    pub bytes: u64,
}

impl Space {
    /// The board has a leaf unit.
    pub(crate) fn serve_frames(&mut self) {
        self.leaf = LeafArea::new(self.geometry().leaf_tables().unwrap_or(0));
    }
    /// Leaf tables in use.
    pub fn leaf_tables_used(&self) -> u64 {
        self.leaf.used()
    }
    /// Board pages that the leaf unit has beyond what frame ranges are charged: those whose frames are scattered. Nobody else can
    /// have them now.
    pub(crate) fn frames_beyond(&self) -> u64 {
        self.pool.load(Relaxed).saturating_sub(self.frame_pages).min(self.usable_pages)
    }
    /// Of these pages, those that a tenant is charged for, since it has freed its frames in them.
    pub(crate) fn scattered(&self, source: Source) -> u64 {
        self.scattered.of(source, self.frames_beyond())
    }
    /// Looks at how many board pages the leaf unit has by now.
    pub(crate) fn look_at_pool(&mut self) {
        self.scattered.look(self.pool.load(Relaxed));
    }

    /// Leaf tables for a range of frames; `None`: it is none.
    pub(super) fn take_tables(&mut self, ask: &AllocAsk) -> Result<Option<u64>, Refusal> {
        if ask.budget.is_none() {
            return Ok(None);
        }
        if !self.segments.has_room(self.source(ask.pid)) {
            return Err(Refusal::new(Status::Quota, Cause::QuotaSlots));
        }
        let table = self.leaf.take(ask.pages);
        table.map(Some).ok_or(Refusal::new(Status::NoMemory, Cause::Capacity))
    }
    /// Notes a range of frames that has been charged.
    pub(super) fn enter_frames(&mut self, ask: &AllocAsk, start: u64, table: Option<u64>) {
        let (Some(table), Some(budget)) = (table, ask.budget) else { return };
        self.look_at_pool();
        self.scattered.reuse(self.source(ask.pid), budget);
        self.frame_pages += budget;
        self.segments.add(self.source(ask.pid));
        if let Some(process) = self.processes.get_mut(&ask.pid) {
            process.frames.insert(start, FrameRange { table, pages: ask.pages, budget });
        }
    }
    /// The frames of the range that begins at a page; `None`: it is none of frames.
    pub(crate) fn frames_at(&self, pid: u32, start: u64) -> Option<FrameRange> {
        self.processes.get(&pid)?.frames.get(&start).copied()
    }
    /// Ranges of frames.
    pub fn frame_range_count(&self) -> u64 {
        self.processes.values().map(|process| process.frames.len() as u64).sum()
    }
    /// The range of frames of a process that has all of the bytes from an address on; `None`: none has.
    pub fn frames_of(&self, pid: u32, va: u64, bytes: u64) -> Option<FrameSpan> {
        let page_bits = self.geometry().page_bits();
        let (start, range) = self.processes.get(&pid)?.frames.range(..=va >> page_bits).next_back()?;
        let end = (start + range.pages) << page_bits;
        let whole = FrameSpan { table: range.table, va: start << page_bits, bytes: range.pages << page_bits };
        end.checked_sub(va).filter(|rest| *rest >= bytes).map(|_| whole)
    }
    /// The first pages of a process's ranges of frames.
    pub(crate) fn frame_ranges(&self, pid: u32) -> Vec<u64> {
        self.processes.get(&pid).map(|process| process.frames.keys().copied().collect()).unwrap_or_default()
    }
    /// A range of frames is gone. `clean`: so is its segment, and no entry names its leaf tables any more, so that they can be
    /// another's. Its tenant is charged for what the leaf unit still has of it, but for what a broken leaf unit keeps.
    pub(crate) fn frames_gone(&mut self, pid: u32, start: u64, clean: bool) {
        let range = self.processes.get_mut(&pid).and_then(|process| process.frames.remove(&start));
        let Some(FrameRange { table, budget, .. }) = range else { return };
        let source = self.source(pid);
        self.uncharge(pid, 0, budget);
        self.segments.leave(source);
        self.look_at_pool();
        self.frame_pages -= budget;
        if clean {
            self.leaf.give_back(table);
            self.scattered.add(source, budget, self.frames_beyond());
        }
    }
}
