//! Memory of a node as its queue pairs see it: segments of frames before any other memory. Reads and writes of clients, native and by
//! chains, meet here.
use std::collections::BTreeMap;

use mneme_wire::roce::{ROCE_FREE_PAGES, ROCE_FREE_RANGES};

use super::chain::ChainQp;
use super::leaf::{FRAME, Leaf, Shortage};
use crate::codec::profile::PAGE;
use crate::memory::{Access, Atomic, Memory, MemoryFault, Region, WritePart};
use crate::planted::PlantedFault;
use crate::responder::turns::Turns;

/// Ranges of a FREE, at most.
pub const FREE_RANGES: usize = ROCE_FREE_RANGES as usize;
/// Pages of all ranges of a FREE together, at most: others wait for a bounded time.
pub const FREE_PAGES: u64 = ROCE_FREE_PAGES as u64;
/// Bytes of a range in a FREE: address and pages, 8 bytes each, little-endian.
pub const FREE_RANGE_LEN: usize = 16;

/// What a node's tables have seen. Refusals are also among the responder's counters, by what they were answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PagedCounters {
    /// Loads done.
    pub loads: u64,
    /// Stores into a page that had a frame.
    pub mapped_stores: u64,
    /// Stores that took a frame.
    pub unmapped_stores: u64,
    /// Frames that native WRITEs and atomics took.
    pub first_touches: u64,
    /// Frames given up by invalidate and FREE.
    pub freed: u64,
    /// Invalidates and pages of a FREE that had no frame.
    pub freed_nothing: u64,
    /// Loads and mapped stores of a page without frame; refused.
    pub unmapped: u64,
    /// An entry's address outside of the table; refused.
    pub outside: u64,
    /// Another secret than the connection's; refused.
    pub wrong_key: u64,
    /// The segment may not be accessed so; refused.
    pub right: u64,
    /// A FREE that is no list of ranges of the process's segments, or of too many pages; refused.
    pub bad_free: u64,
    /// Not ready: the ring was empty.
    pub ring_empty: u64,
    /// Not ready: the segment had as many frames as it may.
    pub budget_spent: u64,
    /// Stores answered "not stored" because no frame was to be had.
    pub not_stored: u64,
    /// Not ready: as many replies wait as may.
    pub replies_full: u64,
    /// Replies whose page was looked up once more because they were sent again, by packet.
    pub looked_up_again: u64,
}

/// A frame that a WRITE fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Filling {
    segment: u32,
    page: u32,
    frame: u64,
}

/// What happens to a page of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Frame(u64),
    /// The frame that its WRITE is filling.
    Filling(u64),
    /// A new frame, published when the page's last byte is there.
    Whole,
    /// A new frame, first zeroed.
    Zeroed,
}

/// A node's memory: the leaf unit, the bytes of its frames, and memory of board pages.
pub trait Frames {
    /// Memory of board pages.
    type Under: Memory + ?Sized;

    /// Tables and ring.
    fn leaf(&self) -> &Leaf;
    /// The same, to be changed.
    fn leaf_mut(&mut self) -> &mut Leaf;
    /// Memory behind everything that is no segment.
    fn under(&mut self) -> &mut Self::Under;
    /// Reads bytes of a frame that the ring has given, from an address in it on.
    ///
    /// # Errors
    /// [`MemoryFault::Failed`].
    fn load(&self, address: u64, to: &mut [u8]) -> Result<(), MemoryFault>;
    /// Writes bytes of a frame that the ring has given, from an address in it on.
    ///
    /// # Errors
    /// [`MemoryFault::Failed`].
    fn store(&mut self, address: u64, from: &[u8]) -> Result<(), MemoryFault>;
}

/// A native queue pair: whose it is, and which pages it may give up.
#[derive(Debug, Clone, Copy)]
pub(super) struct NativePair {
    pub pid: u32,
    /// `None`: all of the process's.
    pub frees: Option<Region>,
}

/// What a node keeps of its queue pairs beside the responder: chains, processes, frames that are being filled.
#[derive(Debug, Default)]
pub struct QueuePairs {
    pub(super) chains: BTreeMap<u32, ChainQp>,
    pub(super) native: BTreeMap<u32, NativePair>,
    filling: BTreeMap<u32, Filling>,
    pub(super) counters: PagedCounters,
    pub(super) turns: Turns,
    /// Chains come before the responder.
    pub(super) turn: bool,
}

impl QueuePairs {
    /// What has happened to pages and frames.
    pub const fn counters(&self) -> &PagedCounters {
        &self.counters
    }
    /// Chain queue pairs, with the segments that they are of.
    pub fn chains(&self) -> impl Iterator<Item = (u32, u32)> {
        self.chains.iter().map(|(qpn, chain)| (*qpn, chain.config.segment))
    }
    /// When replies are to be sent again, if nothing comes before.
    pub fn next_time(&self) -> Option<u64> {
        self.chains.values().filter_map(ChainQp::next_time).min()
    }
}

/// The way of queue pairs to a node's memory.
#[derive(Debug)]
pub struct Door<'a, F> {
    /// The memory.
    pub frames: &'a mut F,
    /// The queue pairs.
    pub pairs: &'a mut QueuePairs,
}

/// A range inside one page.
struct Piece {
    page: u32,
    offset: usize,
    length: usize,
}

fn pieces(base: u64, va: u64, length: usize) -> impl Iterator<Item = Piece> {
    let mut at = va - base;
    let end = at + length as u64;
    std::iter::from_fn(move || {
        let offset = (at % FRAME) as usize;
        let length = (PAGE - offset).min((end - at) as usize);
        let piece = Piece { page: (at / FRAME) as u32, offset, length };
        at += length as u64;
        (length > 0).then_some(piece)
    })
}

impl<F: Frames> Door<'_, F> {
    /// The segment that a range lies in; `None`: it is other memory's.
    fn segment(
        &mut self,
        pid: u32,
        va: u64,
        length: usize,
        wanted: Access,
    ) -> Result<Option<(u32, u64)>, MemoryFault> {
        let leaf = self.frames.leaf();
        let Some(segment) = leaf.overlapped(pid, va, length as u64) else { return Ok(None) };
        let Some(config) = leaf.config(segment) else { return Ok(None) };
        let bytes = u64::from(config.entries) * FRAME;
        let inside =
            va.checked_sub(config.va).is_some_and(|offset| bytes - offset.min(bytes) >= length as u64);
        // What lies half in a segment is for memory that knows of board pages' borders.
        if !inside {
            return Ok(None);
        }
        let (base, allowed) = (config.va, config.access.covers(wanted));
        if !allowed {
            self.pairs.counters.right += 1;
            return Err(MemoryFault::Denied);
        }
        Ok(Some((segment, base)))
    }

    pub(super) fn short(&mut self, shortage: Shortage) -> MemoryFault {
        match shortage {
            Shortage::Ring => self.pairs.counters.ring_empty += 1,
            Shortage::Budget => self.pairs.counters.budget_spent += 1,
        }
        MemoryFault::NotReady
    }

    fn take(&mut self, segment: u32) -> Result<u64, MemoryFault> {
        self.frames.leaf_mut().take(segment).map_err(|short| self.short(short))
    }

    /// A private frame for a page, zeroed, and the page's from now on.
    fn zeroed(&mut self, segment: u32, page: u32) -> Result<u64, MemoryFault> {
        let frame = self.take(segment)?;
        let zeros = if self.frames.leaf().plants.has(PlantedFault::FrameNotZeroed) { 0 } else { PAGE };
        if let Err(fault) = self.frames.store(frame, &[0; PAGE][..zeros]) {
            self.frames.leaf_mut().give_back(segment, frame);
            return Err(fault);
        }
        self.frames.leaf_mut().publish(segment, page, frame);
        self.pairs.counters.first_touches += 1;
        Ok(frame)
    }

    /// Where a page's part of a WRITE goes. `whole`: the WRITE has all of the page.
    fn way(&self, qpn: u32, segment: u32, piece: &Piece, whole: bool) -> Way {
        let leaf = self.frames.leaf();
        let goes_on = |own: &&Filling| own.segment == segment && own.page == piece.page && piece.offset > 0;
        // What was filled may have gone back with its segment, and be another one's.
        let filling =
            self.pairs.filling.get(&qpn).filter(goes_on).filter(|own| leaf.is_private(segment, own.frame));
        match (filling, leaf.frame(segment, piece.page)) {
            (Some(own), _) => Way::Filling(own.frame),
            (None, Some(frame)) => Way::Frame(frame),
            (None, None) if whole && piece.offset == 0 => Way::Whole,
            (None, None) => Way::Zeroed,
        }
    }

    /// Writes into a segment. All frames that it needs are there before a byte is written.
    fn write_segment(
        &mut self,
        part: &WritePart,
        (segment, base): (u32, u64),
        from: &[u8],
    ) -> Result<(), MemoryFault> {
        let start = u128::from(part.va) - u128::from(part.before).min(part.va.into());
        let end = u128::from(part.va) + u128::from(part.left);
        let whole = |page: u32| {
            let first = u128::from(base) + u128::from(page) * u128::from(FRAME);
            start <= first && first + u128::from(FRAME) <= end
        };
        let plan: Vec<(Piece, Way)> = pieces(base, part.va, from.len())
            .map(|piece| {
                let way = self.way(part.qpn, segment, &piece, whole(piece.page));
                (piece, way)
            })
            .collect();
        let needed = plan.iter().filter(|(_, way)| matches!(way, Way::Whole | Way::Zeroed)).count();
        self.frames.leaf().can_take(segment, needed).map_err(|short| self.short(short))?;
        let mut rest = from;
        for (Piece { page, offset, length }, way) in plan {
            let (now, later) = rest.split_at(length);
            rest = later;
            let (frame, filled) = match way {
                Way::Frame(frame) => (frame, false),
                Way::Filling(frame) => (frame, true),
                Way::Zeroed => (self.zeroed(segment, page)?, false),
                Way::Whole => {
                    let frame = self.take(segment)?;
                    self.pairs.counters.first_touches += 1;
                    self.filled(part.qpn, Filling { segment, page, frame });
                    (frame, true)
                }
            };
            self.frames.store(frame + offset as u64, now)?;
            let early = self.frames.leaf().plants.has(PlantedFault::PublishedEarly);
            if filled && (offset + length == PAGE || early) {
                self.pairs.filling.remove(&part.qpn);
                self.frames.leaf_mut().publish(segment, page, frame);
            }
        }
        Ok(())
    }

    fn filled(&mut self, qpn: u32, filling: Filling) {
        if let Some(old) = self.pairs.filling.insert(qpn, filling) {
            self.frames.leaf_mut().give_back(old.segment, old.frame);
        }
    }

    /// A queue pair has ended: what it was filling goes back, and its replies are no more.
    pub(super) fn end(&mut self, qpn: u32) {
        let kept = self.frames.leaf().plants.has(PlantedFault::PrivateFrameKept);
        if let Some(filling) = self.pairs.filling.remove(&qpn).filter(|_| !kept) {
            self.frames.leaf_mut().give_back(filling.segment, filling.frame);
        }
        if let Some(mut chain) = self.pairs.chains.remove(&qpn) {
            self.pairs.turns.remove(chain.pid, qpn);
            chain.close(self.frames.leaf_mut());
        }
        self.pairs.native.remove(&qpn);
    }

    /// A list of ranges of pages that are given up, all or none.
    fn free(&mut self, NativePair { pid, frees }: NativePair, message: &[u8]) -> Result<(), MemoryFault> {
        let ranges = message.len() / FREE_RANGE_LEN;
        if !message.len().is_multiple_of(FREE_RANGE_LEN) || !(1..=FREE_RANGES).contains(&ranges) {
            self.pairs.counters.bad_free += 1;
            return Err(MemoryFault::Invalid);
        }
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
        let (mut all, mut total) = (Vec::with_capacity(ranges), 0);
        for range in message.chunks_exact(FREE_RANGE_LEN) {
            let (va, pages) = (number(&range[..8]), number(&range[8..]));
            let bytes = pages.checked_mul(FRAME).and_then(|bytes| usize::try_from(bytes).ok());
            let allowed = frees.is_none_or(|own| own.has(va, bytes.unwrap_or(0) as u64, Access::WRITE))
                || self.frames.leaf().plants.has(PlantedFault::FreesAnything);
            let here = match bytes.filter(|_| allowed) {
                Some(bytes) if va.is_multiple_of(FRAME) && bytes > 0 => {
                    self.segment(pid, va, bytes, Access::WRITE)?
                }
                _ => None,
            };
            let Some((segment, base)) = here else {
                self.pairs.counters.bad_free += 1;
                return Err(MemoryFault::Denied);
            };
            total += pages;
            if total > FREE_PAGES {
                self.pairs.counters.bad_free += 1;
                return Err(MemoryFault::Invalid);
            }
            all.push((segment, ((va - base) / FRAME) as u32, pages as u32));
        }
        for (segment, first, pages) in all {
            for page in first..first + pages {
                match self.frames.leaf_mut().unmap(segment, page) {
                    true => self.pairs.counters.freed += 1,
                    false => self.pairs.counters.freed_nothing += 1,
                }
            }
        }
        Ok(())
    }
}

impl<F: Frames> Memory for Door<'_, F> {
    fn read(&mut self, pid: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        let Some((segment, base)) = self.segment(pid, va, to.len(), Access::READ)? else {
            return self.frames.under().read(pid, va, to);
        };
        let mut rest = to;
        for piece in pieces(base, va, rest.len()) {
            let (now, later) = rest.split_at_mut(piece.length);
            rest = later;
            match self.frames.leaf().frame(segment, piece.page) {
                Some(frame) => {
                    self.frames.load(frame + piece.offset as u64, now)?;
                }
                None => now.fill(0),
            }
        }
        Ok(())
    }

    fn write(&mut self, pid: u32, va: u64, from: &[u8]) -> Result<(), MemoryFault> {
        // No queue pair has this number: the write is whole in itself.
        let part = WritePart { qpn: 0, pid, va, before: 0, left: from.len() as u32 };
        self.write_part(&part, from)
    }

    fn write_part(&mut self, part: &WritePart, from: &[u8]) -> Result<(), MemoryFault> {
        match self.segment(part.pid, part.va, from.len(), Access::WRITE)? {
            Some(own) => self.write_segment(part, own, from),
            None => self.frames.under().write_part(part, from),
        }
    }

    fn atomic(&mut self, pid: u32, va: u64, operation: Atomic) -> Result<u64, MemoryFault> {
        let Some((segment, base)) = self.segment(pid, va, 8, Access::ATOMIC)? else {
            return self.frames.under().atomic(pid, va, operation);
        };
        let (page, offset) = (((va - base) / FRAME) as u32, va % FRAME);
        let frame = match self.frames.leaf().frame(segment, page) {
            Some(frame) => frame,
            None => self.zeroed(segment, page)?,
        };
        let (address, mut place) = (frame + offset, [0; 8]);
        self.frames.load(address, &mut place)?;
        let word = u64::from_le_bytes(place);
        self.frames.store(address, &operation.apply(word).to_le_bytes())?;
        Ok(word)
    }

    fn message(&mut self, qpn: u32, message: &[u8]) -> Result<(), MemoryFault> {
        if self.pairs.chains.contains_key(&qpn) {
            return self.chain(qpn, message);
        }
        match self.pairs.native.get(&qpn) {
            Some(native) => self.free(*native, message),
            None => Err(MemoryFault::Invalid),
        }
    }
}
