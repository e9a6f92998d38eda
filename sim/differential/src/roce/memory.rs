//! Memory as the access engine has it: rights and states of pages, page by page, and what a packet has touched of it. Tables and free
//! frames of split pages are the golden model's leaf unit; native accesses and chains meet there.
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use mneme_rdma::client::FreeRange;
use mneme_rdma::memory::{Access, Atomic, Memory, MemoryFault};
use mneme_rdma::node::{FREE_PAGES, FREE_RANGE_LEN, FREE_RANGES, Frames, Leaf, Shortage};
use mneme_wire::pte::{self, FRAME_BYTES};

use super::peers::BASE;

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
    /// From the first write on; of a split page never.
    pub bytes: Option<Vec<u8>>,
    /// Of a split page: which page of its segment is its first one. Pages without a frame are zeros.
    pub split: Option<u32>,
}

/// With so many frames or fewer it matters in which order packets take them.
const SCARCE: u64 = 64;

impl Default for Page {
    fn default() -> Page {
        Page { rights: pte::READ | pte::WRITE, state: State::Open, bytes: None, split: None }
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
    /// A chain did.
    chain: bool,
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
    /// A page of 4 KB of a process, which a chain reads or writes.
    pub fn of_chain(pid: u32, va: u64, writes: bool) -> Touches {
        let own = vec![Touched { pid, bytes: va..va + FRAME_BYTES, chain: true }];
        match writes {
            true => Touches { read: Vec::new(), written: own },
            false => Touches { read: own, written: Vec::new() },
        }
    }
    /// Whether what they give depends on when it comes beside `before`, which comes first: anything is written here that those read. Chains
    /// do not wait for native packets, nor those for them: of both whatever is written may not meet at all.
    pub fn races(&self, before: &Touches) -> bool {
        let meets = |some: &[Touched], others: &[Touched], chains: bool| {
            let pairs = some.iter().flat_map(|own| others.iter().map(move |other| (own, other)));
            pairs.into_iter().any(|(own, other)| own.meets(other) && (!chains || own.chain || other.chain))
        };
        meets(&self.written, &before.read, false)
            || meets(&self.written, &before.written, true)
            || meets(&self.read, &before.written, true)
    }
    /// These as well.
    pub fn add(&mut self, others: Touches) {
        self.read.extend(others.read);
        self.written.extend(others.written);
    }
}

/// Pages of processes.
#[derive(Debug)]
pub struct Pages {
    /// By process and number.
    pub pages: BTreeMap<(u32, u64), Page>,
    /// Of the packet under way.
    pub touches: Touches,
    /// The packet under way wanted a frame where there are few.
    pub scarce: bool,
    /// Tables and free frames.
    pub leaf: Leaf,
    /// Segments, by process.
    pub segments: BTreeMap<u32, u32>,
    /// What lies in frames, by their addresses.
    frames: BTreeMap<u64, Vec<u8>>,
    /// Frames of which chains' replies have taken bytes.
    loaded: RefCell<BTreeSet<u64>>,
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

/// Addresses of the model's frames, which have nothing to do with the board's.
const FRAMES: (u64, usize) = (1 << 20, 1 << 16);

impl Pages {
    /// No pages, of 2^`page_bits` bytes.
    pub fn new(page_bits: u32) -> Pages {
        Pages {
            pages: BTreeMap::new(),
            touches: Touches::default(),
            scarce: false,
            leaf: Leaf::new(FRAMES.0, FRAMES.1),
            segments: BTreeMap::new(),
            frames: BTreeMap::new(),
            loaded: RefCell::default(),
            taken: 0,
            freed: 0,
            swept: 0,
            owners: BTreeMap::new(),
            ring_empty: 0,
            budget_spent: 0,
            page_bits,
        }
    }
    /// Whether this may be done with pages of a segment.
    pub fn may(&self, segment: u32, access: Access) -> bool {
        self.leaf.config(segment).is_some_and(|own| own.access.covers(access))
    }
    /// Whether it matters in which order packets take frames of a segment, or give them back.
    pub fn is_scarce(&self, segment: u32) -> bool {
        let budget = self.leaf.config(segment).map_or(0, |own| own.budget);
        let left = u64::from(budget.saturating_sub(self.leaf.used(segment)));
        left.min(self.leaf.ring().len() as u64) <= SCARCE
    }
    /// Pages of a process that are written get frames, all that they need or none.
    fn touch(&mut self, segment: u32, all: Range<u32>) -> Result<(), MemoryFault> {
        let wanted: Vec<u32> = all.filter(|page| self.leaf.frame(segment, *page).is_none()).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        self.scarce |= self.is_scarce(segment);
        if let Err(short) = self.leaf.can_take(segment, wanted.len()) {
            match short {
                Shortage::Ring => self.ring_empty += 1,
                Shortage::Budget => self.budget_spent += 1,
            }
            return Err(MemoryFault::NotReady);
        }
        for page in wanted {
            let frame = self.leaf.take(segment).map_err(|_| MemoryFault::NotReady)?;
            self.frames.insert(frame, vec![0; FRAME_BYTES as usize]);
            self.leaf.publish(segment, page, frame);
            self.taken += 1;
        }
        Ok(())
    }
    /// What lies in a split page; `None`: it is none.
    pub fn split_bytes(&self, key: (u32, u64)) -> Option<Vec<u8>> {
        let first = self.pages.get(&key)?.split? as usize;
        let table = self.leaf.table(*self.segments.get(&key.0)?)?;
        let mut bytes = vec![0; 1 << self.page_bits];
        for (entry, place) in table[first..].iter().zip(bytes.chunks_mut(FRAME_BYTES as usize)) {
            if let Some(own) = self.frames.get(&u64::from_be_bytes(*entry)) {
                place.copy_from_slice(own);
            }
        }
        Some(bytes)
    }
    /// Test-only: another byte in a page, if it has a frame.
    pub fn spoil_byte(&mut self, segment: u32, page: u32) {
        let frame = self.leaf.frame(segment, page);
        let own = frame.and_then(|frame| self.frames.get_mut(&frame));
        if let Some(byte) = own.and_then(|own| own.get_mut(0x777)) {
            *byte ^= 0x10;
        }
    }
    /// Takes which pages chains' replies have read. A frame that is no page's any more is nobody's to write.
    pub fn take_loaded(&self) -> Touches {
        let loaded = self.loaded.take();
        let mut touches = Touches::default();
        for (pid, segment) in self.segments.iter().filter(|_| !loaded.is_empty()) {
            let table = self.leaf.table(*segment).unwrap_or_default();
            let read =
                table.iter().zip(0..).filter(|(entry, _)| loaded.contains(&u64::from_be_bytes(**entry)));
            read.for_each(|(_, page)| touches.add(Touches::of_chain(*pid, self.va(*segment, page), false)));
        }
        touches
    }
    /// The address of a page of a segment.
    pub fn va(&self, segment: u32, page: u32) -> u64 {
        let first = self.leaf.config(segment).map_or(BASE, |own| own.va);
        first + u64::from(page) * FRAME_BYTES
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
            let split = self.pages.get(&(pid, vpn)).is_some_and(|page| page.split.is_some());
            split.then_some(((pid, vpn), from..(end - vpn * in_page).min(in_page)))
        };
        numbers.map(part).collect()
    }

    /// Does `with` for each part of a range, with the bytes of its page or frame, the place of the part there, and which bytes of the
    /// range it is. What lies before a page that may not be accessed is done.
    fn parts(
        &mut self,
        (pid, va, length): (u32, u64, usize),
        does: Does,
        mut with: impl FnMut(Option<&mut Vec<u8>>, usize, Range<usize>),
    ) -> Result<(), MemoryFault> {
        let page_size = 1u64 << self.page_bits;
        let mut at = 0;
        while at < length {
            let here = va + at as u64;
            let bytes = (page_size - here % page_size).min((length - at) as u64) as usize;
            let page = self.pages.get_mut(&(pid, here >> self.page_bits)).ok_or(MemoryFault::Denied)?;
            page.judge(does)?;
            match page.split {
                Some(_) => self.frame_parts(pid, here, at..at + bytes, does, &mut with)?,
                None => {
                    if does != Does::Read {
                        page.bytes.get_or_insert_with(|| vec![0; page_size as usize]);
                    }
                    with(page.bytes.as_mut(), (here % page_size) as usize, at..at + bytes);
                }
            }
            let touched = Touched { pid, bytes: here..here + bytes as u64, chain: false };
            // An atomic may wait for READs of its queue pair, and those of others to the same word pass it: it reads, too.
            if does != Does::Write {
                self.touches.read.push(touched.clone());
            }
            if does != Does::Read {
                self.touches.written.push(touched);
            }
            at += bytes;
        }
        Ok(())
    }
    /// The same for a part of a split page, frame by frame.
    fn frame_parts(
        &mut self,
        pid: u32,
        va: u64,
        range: Range<usize>,
        does: Does,
        with: &mut impl FnMut(Option<&mut Vec<u8>>, usize, Range<usize>),
    ) -> Result<(), MemoryFault> {
        let segment = *self.segments.get(&pid).ok_or(MemoryFault::Denied)?;
        let needs = match does {
            Does::Read => Access::READ,
            Does::Write => Access::WRITE,
            Does::Atomic => Access { atomic: true, ..Access::default() },
        };
        if !self.may(segment, needs) {
            return Err(MemoryFault::Denied);
        }
        let offset = va - self.va(segment, 0);
        if does != Does::Read {
            let last = offset + range.len() as u64 - 1;
            self.touch(segment, (offset / FRAME_BYTES) as u32..(last / FRAME_BYTES) as u32 + 1)?;
        }
        let mut at = range.start;
        while at < range.end {
            let place = offset + (at - range.start) as u64;
            let bytes = (FRAME_BYTES - place % FRAME_BYTES).min((range.end - at) as u64) as usize;
            let frame = self.leaf.frame(segment, (place / FRAME_BYTES) as u32);
            let own = frame.and_then(|frame| self.frames.get_mut(&frame));
            with(own, (place % FRAME_BYTES) as usize, at..at + bytes);
            at += bytes;
        }
        Ok(())
    }
}

/// The way of chains to frames.
impl Frames for Pages {
    type Under = Pages;

    fn leaf(&self) -> &Leaf {
        &self.leaf
    }
    fn leaf_mut(&mut self) -> &mut Leaf {
        &mut self.leaf
    }
    fn under(&mut self) -> &mut Pages {
        self
    }
    fn load(&self, address: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        let (frame, from) = (address & !(FRAME_BYTES - 1), (address % FRAME_BYTES) as usize);
        let own = self.frames.get(&frame).and_then(|own| own.get(from..from + to.len()));
        to.copy_from_slice(own.ok_or(MemoryFault::Failed)?);
        self.loaded.borrow_mut().insert(frame);
        Ok(())
    }
    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryFault> {
        let (frame, from) = (address & !(FRAME_BYTES - 1), (address % FRAME_BYTES) as usize);
        let own = self.frames.entry(frame).or_insert_with(|| vec![0; FRAME_BYTES as usize]);
        own.get_mut(from..from + bytes.len()).ok_or(MemoryFault::Failed)?.copy_from_slice(bytes);
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
        let segment = *self.segments.get(&pid).ok_or(MemoryFault::Denied)?;
        if !self.may(segment, Access::WRITE) {
            return Err(MemoryFault::Denied);
        }
        for (key, frames) in all {
            let Some(first) = self.pages.get(&key).and_then(|page| page.split) else { continue };
            // Those who come next find what has come back.
            let scarce = self.is_scarce(segment);
            let pages = frames.clone().map(|page| first + page as u32);
            let gone = pages.filter(|page| self.leaf.unmap(segment, *page)).count() as u64;
            let from = key.1 << self.page_bits;
            let bytes = from + frames.start * FRAME_BYTES..from + frames.end * FRAME_BYTES;
            self.touches.written.push(Touched { pid, bytes, chain: false });
            self.scarce |= gone > 0 && scarce;
            self.freed += gone;
        }
        Ok(())
    }
    fn atomic(&mut self, pid: u32, va: u64, operation: Atomic) -> Result<u64, MemoryFault> {
        let mut found = 0;
        self.parts((pid, va, 8), Does::Atomic, |page, first, _| {
            if let Some(word) = page.and_then(|bytes| bytes[first..].first_chunk_mut::<8>()) {
                found = u64::from_le_bytes(*word);
                *word = operation.apply(found).to_le_bytes();
            }
        })?;
        Ok(found)
    }
}
