//! Memory that counts its accesses: board pages, frames, tables and ring, in beats of 64 bytes.
use std::cell::Cell;
use std::collections::VecDeque;

use mneme_rdma::memory::{Atomic, Memory, MemoryFault};
use mneme_rdma::node::{Frames, Leaf, Touch};

/// Bytes of a beat.
const BEAT: u64 = 64;
/// Lines of 8 entries that the leaf unit keeps (design of the port, §2).
const LINES: usize = 64;
/// Entries of a line, and elements of the ring in one.
const PER_LINE: u32 = 8;

/// Accesses to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Beats {
    /// Beats of pages read.
    pub read: u64,
    /// Beats of pages written.
    pub written: u64,
    /// Lines of entries read: each must come before what it leads to.
    pub entries_read: u64,
    /// Entries written.
    pub entries_written: u64,
    /// Lines of the ring, read or written.
    pub ring: u64,
}

impl Beats {
    /// What was read, and what was written, the ring apart.
    pub const fn both(&self) -> (u64, u64) {
        (self.read + self.entries_read, self.written + self.entries_written)
    }
}

const fn beats(address: u64, length: usize) -> u64 {
    if length == 0 { 0 } else { (address + length as u64 - 1) / BEAT - address / BEAT + 1 }
}

/// Board pages of one process, all of them mapped and their translation known.
#[derive(Debug)]
pub struct Flat {
    va: u64,
    bytes: Vec<u8>,
    spent: (u64, u64),
}

impl Flat {
    fn place(&self, va: u64, length: usize) -> Result<std::ops::Range<usize>, MemoryFault> {
        let at = va.checked_sub(self.va).ok_or(MemoryFault::Denied)? as usize;
        if at + length <= self.bytes.len() { Ok(at..at + length) } else { Err(MemoryFault::Denied) }
    }
}

impl Memory for Flat {
    fn read(&mut self, _: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        to.copy_from_slice(&self.bytes[self.place(va, to.len())?]);
        self.spent.0 += beats(va, to.len());
        Ok(())
    }
    fn write(&mut self, _: u32, va: u64, from: &[u8]) -> Result<(), MemoryFault> {
        let place = self.place(va, from.len())?;
        self.bytes[place].copy_from_slice(from);
        self.spent.1 += beats(va, from.len());
        Ok(())
    }
    fn atomic(&mut self, _: u32, _: u64, _: Atomic) -> Result<u64, MemoryFault> {
        Err(MemoryFault::Denied)
    }
}

/// A board's memory.
#[derive(Debug)]
pub struct Board {
    leaf: Leaf,
    frames: Vec<u8>,
    flat: Flat,
    read: Cell<u64>,
    written: u64,
    /// Lines of entries, the one that was used last behind all others.
    lines: VecDeque<(u32, u32)>,
    popped: u32,
    pushed: u32,
}

impl Board {
    /// Frames that the leaf unit has, and board pages from an address on.
    pub fn new(mut leaf: Leaf, (va, bytes): (u64, usize)) -> Board {
        leaf.watch();
        let range = leaf.range();
        let frames = vec![0; (range.end - range.start) as usize];
        let flat = Flat { va, bytes: vec![0; bytes], spent: (0, 0) };
        Board {
            leaf,
            frames,
            flat,
            read: Cell::new(0),
            written: 0,
            lines: VecDeque::new(),
            popped: 0,
            pushed: 0,
        }
    }

    /// What was accessed since the last call.
    pub fn spent(&mut self) -> Beats {
        let (read, written) = std::mem::take(&mut self.flat.spent);
        let mut beats = Beats {
            read: read + self.read.take(),
            written: written + std::mem::take(&mut self.written),
            ..Beats::default()
        };
        for touch in self.leaf.touches() {
            match touch {
                Touch::EntryRead { segment, page } => {
                    beats.entries_read += u64::from(!self.line(segment, page))
                }
                Touch::EntryWritten { segment, page } => {
                    self.line(segment, page);
                    beats.entries_written += 1;
                }
                // A line of the ring is read, and later written with zeros, for eight elements.
                Touch::Popped => {
                    beats.ring += if self.popped.is_multiple_of(PER_LINE) { 2 } else { 0 };
                    self.popped += 1;
                }
                Touch::Pushed => {
                    beats.ring += u64::from(self.pushed.is_multiple_of(PER_LINE));
                    self.pushed += 1;
                }
            }
        }
        beats
    }

    /// Whether an entry's line is kept; from now on it is.
    fn line(&mut self, segment: u32, page: u32) -> bool {
        let line = (segment, page / PER_LINE);
        let at = self.lines.iter().position(|own| *own == line);
        let had = at.and_then(|at| self.lines.remove(at)).is_some();
        self.lines.push_back(line);
        if self.lines.len() > LINES {
            self.lines.pop_front();
        }
        had
    }

    fn place(&self, address: u64, length: usize) -> Result<std::ops::Range<usize>, MemoryFault> {
        let at = address.checked_sub(self.leaf.range().start).ok_or(MemoryFault::Failed)? as usize;
        if at + length <= self.frames.len() { Ok(at..at + length) } else { Err(MemoryFault::Failed) }
    }
}

impl Frames for Board {
    type Under = Flat;

    fn leaf(&self) -> &Leaf {
        &self.leaf
    }
    fn leaf_mut(&mut self) -> &mut Leaf {
        &mut self.leaf
    }
    fn under(&mut self) -> &mut Flat {
        &mut self.flat
    }
    fn load(&self, address: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        to.copy_from_slice(&self.frames[self.place(address, to.len())?]);
        self.read.set(self.read.get() + beats(address, to.len()));
        Ok(())
    }
    fn store(&mut self, address: u64, from: &[u8]) -> Result<(), MemoryFault> {
        let place = self.place(address, from.len())?;
        self.frames[place].copy_from_slice(from);
        self.written += beats(address, from.len());
        Ok(())
    }
}
