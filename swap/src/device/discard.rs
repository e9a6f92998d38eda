//! Discards. Where memory comes by the chunk they are done at once: the keeper gives an empty chunk back. Where it comes by the block,
//! each stretch that has frames is a unit of its own, which a lane frees.
use super::{BYTES, Chunk, Device};
use crate::back::Failure;
use crate::{BLOCK, UNIT};
use bitvec::{bitbox, boxed::BitBox};
use std::sync::atomic::Ordering;

/// Blocks of a unit.
const BLOCKS: u64 = UNIT / BLOCK;

/// A stretch of a discard whose frames have to be freed; then [`Device::end_discard`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Discard {
    /// Where it begins in the device.
    pub at: u64,
    /// The same in the board's memory.
    pub va: u64,
    /// Blocks behind `at` that have frames: never none.
    pub blocks: u16,
    /// Where the discard goes on.
    pub next: u64,
}

impl Device {
    /// Begins to discard whole blocks from `at` to `end`; they read as zeros from now on. Answers the first stretch that has frames:
    /// begin again at its `next`. `None`: all is discarded.
    pub fn begin_discard(&self, mut at: u64, end: u64) -> Option<Discard> {
        while at < end {
            let (number, first) = self.chunk(at);
            let stop = end.min((at / self.chunk_bytes + 1) * self.chunk_bytes);
            let mut chunk = self.chunks[number].lock();
            let blocks = ((stop - at) / BLOCK) as usize;
            let gone = (0..blocks).filter(|n| chunk.set(first + n, false)).count() as u64;
            (0..blocks as u64).for_each(|n| self.held.discard(at / BLOCK + n));
            self.live.fetch_sub(gone, Ordering::Relaxed);
            self.counters.discarded.add(gone);
            self.look_whether_empty(&mut chunk, number);
            if let Some(stretch) = self.stretch(&mut chunk, at, stop) {
                return Some(stretch);
            }
            at = stop;
        }
        None
    }
    /// The first frames of a part of a chunk that are to be freed. Those that are being written stay: the write comes behind the discard.
    fn stretch(&self, chunk: &mut Chunk, at: u64, stop: u64) -> Option<Discard> {
        let (_, first) = self.chunk(at);
        let frames = &mut chunk.frames;
        let can_go = |frames: &Frames, n: u64| self.by_block && frames.can_go(first + n as usize);
        let end = (stop - at) / BLOCK;
        let from = (0..end).find(|n| can_go(frames, *n))?;
        if self.is_away() {
            // Not to the board: a late copy of the FREE could come behind a write. A later discard frees them.
            let count = (from..end).filter(|n| can_go(frames, *n)).count();
            self.counters.frees_put_off.add(count as u64);
            return None;
        }
        let mut blocks = 0;
        for n in from..end.min(from + BLOCKS) {
            if can_go(frames, n) {
                frames.freed.set(first + n as usize, true);
                blocks |= 1 << (n - from);
            }
        }
        chunk.users += 1;
        let (at, next) = (at + from * BLOCK, at + end.min(from + BLOCKS) * BLOCK);
        Some(Discard { at, va: self.va(chunk, at), blocks, next })
    }
    /// A stretch was freed, or was not: then its frames stay with the device, until blocks are written there or discarded again.
    pub fn end_discard(&self, at: u64, blocks: u16, result: Result<(), Failure>) {
        let (number, first) = self.chunk(at);
        let mut chunk = self.chunks[number].lock();
        let mut count = 0;
        for n in (0..BLOCKS as usize).filter(|n| blocks >> n & 1 == 1) {
            chunk.frames.freed.set(first + n, false);
            if result.is_ok() {
                chunk.frames.there.set(first + n, false);
                count += 1;
            }
        }
        match result {
            Ok(()) => {
                self.on_board.fetch_sub(count * BLOCK, Ordering::Relaxed);
                self.counters.blocks_freed.add(count);
            }
            Err(failure) => {
                self.counters.frees_failed.add(1);
                // A late copy may free what is written from now on.
                if failure == Failure::Silent {
                    self.lose(failure);
                }
            }
        }
        if std::mem::take(&mut chunk.frames.waits) {
            self.ring();
        }
        self.leave(&mut chunk, number);
    }
    /// Blocks of a chunk are written from now on: the board may have frames for them.
    pub(super) fn begin_frames(&self, chunk: &mut Chunk, first: usize, blocks: usize) {
        if self.by_block {
            let new = (first..first + blocks).filter(|n| chunk.frames.begin(*n)).count();
            self.on_board.fetch_add((new * BYTES) as u64, Ordering::Relaxed);
        }
    }
}

/// What is known of the frames of a chunk's blocks. Empty where memory comes by the chunk.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The board may have one.
    there: BitBox,
    /// It is being freed: nobody writes the block.
    freed: BitBox,
    /// Writes under way: nobody frees it.
    writes: Box<[u16]>,
    /// A write waits for the end of a FREE.
    pub(super) waits: bool,
}

impl Frames {
    /// Of a chunk without frames.
    pub(super) fn new(blocks: usize) -> Frames {
        Frames {
            there: bitbox![0; blocks],
            freed: bitbox![0; blocks],
            writes: vec![0; blocks].into_boxed_slice(),
            waits: false,
        }
    }
    fn can_go(&self, number: usize) -> bool {
        self.there[number] && !self.freed[number] && self.writes[number] == 0
    }
    /// Whether a write has to wait.
    pub(super) fn are_freed(&self, first: usize, blocks: usize) -> bool {
        !self.writes.is_empty() && self.freed[first..first + blocks].any()
    }
    /// A write of a block begins. Answers whether the block had no frame.
    fn begin(&mut self, number: usize) -> bool {
        // No more than there are units of all queues.
        self.writes[number] += 1;
        !self.there.replace(number, true)
    }
    /// A write of blocks has ended.
    pub(super) fn end(&mut self, first: usize, blocks: usize) {
        if !self.writes.is_empty() {
            self.writes[first..first + blocks].iter_mut().for_each(|writes| *writes -= 1);
        }
    }
}
