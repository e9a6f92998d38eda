//! Memory as the access engine has it: rights and states of pages, page by page, and what a packet has touched of it.
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use mneme_rdma::client::FreeRange;
use mneme_rdma::memory::{Atomic, Memory, MemoryFault};
use mneme_rdma::node::{FREE_PAGES, FREE_RANGE_LEN, FREE_RANGES};
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

/// A split page, by process and number, and which of its pages of 4 KB.
type Part = ((u32, u64), Range<u64>);

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
    /// Frames that lists of pages gave back.
    pub freed: u64,
    /// Frames that came back with their segments.
    pub swept: u64,
    /// Whose queue pairs are that give pages up.
    pub owners: BTreeMap<u32, u32>,
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
    /// The split pages of a range, each with the first and the last of its pages of 4 KB; `None`: some are none.
    fn split(&self, pid: u32, FreeRange { va, pages }: FreeRange) -> Option<Vec<Part>> {
        let in_page = (1 << self.page_bits) / FRAME_BYTES;
        let first = va / FRAME_BYTES;
        let end = first.checked_add(pages).filter(|_| va.is_multiple_of(FRAME_BYTES) && pages > 0)?;
        let numbers = first / in_page..=(end - 1) / in_page;
        if numbers.clone().count() as u64 > self.pages.len() as u64 {
            return None;
        }
        let part = |vpn: u64| {
            let from = first.max(vpn * in_page) - vpn * in_page;
            let split = self.pages.get(&(pid, vpn)).is_some_and(|page| page.frames.is_some());
            split.then_some(((pid, vpn), from..(end - vpn * in_page).min(in_page)))
        };
        numbers.map(part).collect()
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
    fn message(&mut self, qpn: u32, message: &[u8]) -> Result<(), MemoryFault> {
        let pid = *self.owners.get(&qpn).ok_or(MemoryFault::Invalid)?;
        let ranges = message.len() / FREE_RANGE_LEN;
        if !message.len().is_multiple_of(FREE_RANGE_LEN) || !(1..=FREE_RANGES).contains(&ranges) {
            return Err(MemoryFault::Invalid);
        }
        let words: Vec<u64> =
            message.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let (mut all, mut total) = (Vec::new(), 0);
        for &[va, pages] in words.as_chunks::<2>().0 {
            all.extend(self.split(pid, FreeRange { va, pages }).ok_or(MemoryFault::Denied)?);
            total += pages;
            if total > FREE_PAGES {
                return Err(MemoryFault::Invalid);
            }
        }
        for (key, frames) in all {
            let page = self.pages.get_mut(&key);
            let Some(Page { frames: Some(own), bytes: Some(bytes), .. }) = page else { continue };
            let gone = frames.clone().filter(|frame| own.remove(frame)).count() as u64;
            let range = frames.start * FRAME_BYTES..frames.end * FRAME_BYTES;
            bytes[range.start as usize..range.end as usize].fill(0);
            let first = key.1 << self.page_bits;
            let bytes = first + range.start..first + range.end;
            self.touches.written.push(Touched { pid, bytes });
            if let Some(segment) = self.segments.get_mut(&pid) {
                // Those who come next find what has come back.
                self.scarce |= gone > 0 && self.ring.min(segment.budget - segment.used) <= SCARCE;
                segment.used -= gone;
            }
            self.ring += gone;
            self.freed += gone;
        }
        Ok(())
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
