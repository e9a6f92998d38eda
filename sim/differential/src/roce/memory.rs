//! Memory as the access engine has it: rights and states of pages, page by page, and what a packet has touched of it.
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use mneme_rdma::memory::{Atomic, Memory, MemoryFault};
use mneme_wire::pte::{self, FRAME_BYTES};

/// What accesses to a page end with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// They are done.
    Open,
    /// Writes and atomics are not ready.
    Hold,
    /// All end so: a row of the away table, which only a page without a physical one may have.
    Away(MemoryFault),
}

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Read,
    Write,
    Atomic,
}

/// A page that is allocated.
#[derive(Debug)]
pub struct Page {
    /// pte::READ and pte::WRITE.
    pub rights: u64,
    /// What accesses end with.
    pub state: State,
    /// From the first write on.
    pub bytes: Option<Vec<u8>>,
    /// Of a split page: which of its pages of 4 KB have a frame. The others are zeros.
    pub frames: Option<BTreeSet<u64>>,
}

/// Frames that a process may have, and that it has.
#[derive(Debug)]
pub struct Segment {
    /// At most.
    pub budget: u64,
    /// Now.
    pub used: u64,
}

/// With so many frames or fewer it matters in which order packets take them.
const SCARCE: u64 = 64;

impl Default for Page {
    fn default() -> Page {
        Page { rights: pte::READ | pte::WRITE, state: State::Open, bytes: None, frames: None }
    }
}

impl Page {
    fn judge(&self, does: Does) -> Result<(), MemoryFault> {
        if let State::Away(fault) = self.state {
            return Err(fault);
        }
        let needs = match does {
            Does::Read => pte::READ,
            Does::Write => pte::WRITE,
            Does::Atomic => pte::READ | pte::WRITE,
        };
        match self.state {
            _ if self.rights & needs != needs => Err(MemoryFault::Denied),
            State::Hold if does != Does::Read => Err(MemoryFault::NotReady),
            _ => Ok(()),
        }
    }
}

/// What a packet has touched.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Touched {
    pid: u32,
    bytes: Range<u64>,
}

impl Touched {
    fn meets(&self, other: &Touched) -> bool {
        let (a, b) = (&self.bytes, &other.bytes);
        self.pid == other.pid && a.start < b.end && b.start < a.end
    }
}

/// What packets have read and written.
#[derive(Debug, Default)]
pub struct Touches {
    read: Vec<Touched>,
    written: Vec<Touched>,
}

impl Touches {
    /// Whether anything is written here that others read.
    pub fn overwrites(&self, others: &Touches) -> bool {
        self.written.iter().any(|own| others.read.iter().any(|other| own.meets(other)))
    }
    /// These as well.
    pub fn add(&mut self, others: Touches) {
        self.read.extend(others.read);
        self.written.extend(others.written);
    }
}

/// Pages of processes.
#[derive(Debug, Default)]
pub struct Pages {
    /// By process and number.
    pub pages: BTreeMap<(u32, u64), Page>,
    /// Of the packet under way.
    pub touches: Touches,
    /// The packet under way wanted a frame where there are few.
    pub scarce: bool,
    /// By process.
    pub segments: BTreeMap<u32, Segment>,
    /// Free frames.
    pub ring: u64,
    /// Frames taken.
    pub taken: u64,
    /// Accesses that found the ring empty.
    pub ring_empty: u64,
    /// Accesses that found the budget spent.
    pub budget_spent: u64,
    page_bits: u32,
}

impl Pages {
    /// No pages, of 2^`page_bits` bytes.
    pub fn new(page_bits: u32) -> Pages {
        Pages { page_bits, ..Pages::default() }
    }
    /// Bytes of a page are written: those of a split one get frames, all that they need or none.
    fn touch(&mut self, key: (u32, u64), first: u64, bytes: u64) -> Result<(), MemoryFault> {
        let frames = self.pages.get_mut(&key).and_then(|page| page.frames.as_mut());
        let (Some(frames), Some(segment)) = (frames, self.segments.get_mut(&key.0)) else { return Ok(()) };
        let all = first / FRAME_BYTES..=(first + bytes - 1) / FRAME_BYTES;
        let wanted: Vec<u64> = all.filter(|frame| !frames.contains(frame)).collect();
        let (needed, left) = (wanted.len() as u64, segment.budget - segment.used);
        if needed == 0 {
            return Ok(());
        }
        self.scarce |= self.ring.min(left) <= SCARCE;
        if needed > left {
            self.budget_spent += 1;
            return Err(MemoryFault::NotReady);
        }
        if needed > self.ring {
            self.ring_empty += 1;
            return Err(MemoryFault::NotReady);
        }
        segment.used += needed;
        self.ring -= needed;
        self.taken += needed;
        frames.extend(wanted);
        Ok(())
    }
    /// Does `with` for each part of a range, with the place of the part in its page, and which bytes of the range it is. What lies
    /// before a page that may not be accessed is done.
    fn parts(
        &mut self,
        (pid, va, length): (u32, u64, usize),
        does: Does,
        mut with: impl FnMut(&mut Option<Vec<u8>>, usize, Range<usize>),
    ) -> Result<(), MemoryFault> {
        let page_size = 1u64 << self.page_bits;
        let mut at = 0;
        while at < length {
            let here = va + at as u64;
            let bytes = (page_size - here % page_size).min((length - at) as u64) as usize;
            let key = (pid, here >> self.page_bits);
            let page = self.pages.get_mut(&key).ok_or(MemoryFault::Denied)?;
            page.judge(does)?;
            if does != Does::Read {
                page.bytes.get_or_insert_with(|| vec![0; page_size as usize]);
                self.touch(key, here % page_size, bytes as u64)?;
            }
            let page = self.pages.get_mut(&key).ok_or(MemoryFault::Denied)?;
            with(&mut page.bytes, (here % page_size) as usize, at..at + bytes);
            let touched = Touched { pid, bytes: here..here + bytes as u64 };
            match does {
                Does::Read => self.touches.read.push(touched),
                Does::Write | Does::Atomic => self.touches.written.push(touched),
            }
            at += bytes;
        }
        Ok(())
    }
}

impl Memory for Pages {
    fn read(&mut self, pid: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        self.parts((pid, va, to.len()), Does::Read, |page, first, range| {
            let to = &mut to[range];
            match page {
                Some(bytes) => to.copy_from_slice(&bytes[first..][..to.len()]),
                None => to.fill(0),
            }
        })
    }
    fn write(&mut self, pid: u32, va: u64, from: &[u8]) -> Result<(), MemoryFault> {
        self.parts((pid, va, from.len()), Does::Write, |page, first, range| {
            let from = &from[range];
            if let Some(bytes) = page {
                bytes[first..][..from.len()].copy_from_slice(from);
            }
        })
    }
    fn atomic(&mut self, pid: u32, va: u64, operation: Atomic) -> Result<u64, MemoryFault> {
        let mut found = 0;
        self.parts((pid, va, 8), Does::Atomic, |page, first, _| {
            if let Some(word) = page.as_mut().and_then(|bytes| bytes[first..].first_chunk_mut::<8>()) {
                found = u64::from_le_bytes(*word);
                *word = operation.apply(found).to_le_bytes();
            }
        })?;
        Ok(found)
    }
}
