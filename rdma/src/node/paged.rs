//! Memory of a node: segments of frames before any other memory. Reads and writes of clients, native and by chains, meet here.
use std::collections::BTreeMap;

use super::chain::ChainQp;
use super::leaf::{FRAME, Leaf, Shortage};
use crate::codec::profile::PAGE;
use crate::memory::{Access, Atomic, Memory, MemoryFault, WritePart};
use crate::planted::PlantedFault;

/// Ranges of a FREE, at most.
pub const FREE_RANGES: usize = 64;
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
    /// A FREE that is no list of ranges of the process's segments; refused.
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

/// Segments, and the memory behind everything that is no segment.
#[derive(Debug)]
pub struct Paged<M> {
    /// Memory of board pages.
    pub under: M,
    /// Tables, ring and frames.
    pub leaf: Leaf,
    /// Chain queue pairs.
    pub(super) chains: BTreeMap<u32, ChainQp>,
    /// Processes of native queue pairs.
    pub(super) native: BTreeMap<u32, u32>,
    filling: BTreeMap<u32, Filling>,
    pub(super) counters: PagedCounters,
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

impl<M: Memory> Paged<M> {
    /// No segments yet.
    pub fn new(under: M, leaf: Leaf) -> Paged<M> {
        Paged {
            under,
            leaf,
            chains: BTreeMap::new(),
            native: BTreeMap::new(),
            filling: BTreeMap::new(),
            counters: PagedCounters::default(),
        }
    }

    /// The segment that a range lies in; `None`: it is other memory's.
    fn segment(
        &mut self,
        pid: u32,
        va: u64,
        length: usize,
        wanted: Access,
    ) -> Result<Option<(u32, u64)>, MemoryFault> {
        let Some(segment) = self.leaf.overlapped(pid, va, length as u64) else { return Ok(None) };
        let Some(config) = self.leaf.config(segment) else { return Ok(None) };
        let bytes = u64::from(config.entries) * FRAME;
        let inside =
            va.checked_sub(config.va).is_some_and(|offset| bytes - offset.min(bytes) >= length as u64);
        // Nothing lies half in a segment: regions do not, and a range across its end would be done by halves.
        if !inside {
            return Err(MemoryFault::Denied);
        }
        if !config.access.covers(wanted) {
            self.counters.right += 1;
            return Err(MemoryFault::Denied);
        }
        Ok(Some((segment, config.va)))
    }

    pub(super) fn short(&mut self, shortage: Shortage) -> MemoryFault {
        match shortage {
            Shortage::Ring => self.counters.ring_empty += 1,
            Shortage::Budget => self.counters.budget_spent += 1,
        }
        MemoryFault::NotReady
    }

    /// A private frame for a page, zeroed, and the page's from now on.
    fn zeroed(&mut self, segment: u32, page: u32) -> Result<u64, MemoryFault> {
        let frame = self.leaf.take(segment).map_err(|short| self.short(short))?;
        self.leaf.bytes_mut(frame).fill(0);
        self.leaf.publish(segment, page, frame);
        self.counters.first_touches += 1;
        Ok(frame)
    }

    /// Where a page's part of a WRITE goes. `whole`: the WRITE has all of the page.
    fn way(&self, qpn: u32, segment: u32, piece: &Piece, whole: bool) -> Way {
        let filling = self.filling.get(&qpn);
        let filling =
            filling.filter(|own| own.segment == segment && own.page == piece.page && piece.offset > 0);
        match (filling, self.leaf.frame(segment, piece.page)) {
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
        self.leaf.can_take(segment, needed).map_err(|short| self.short(short))?;
        let mut rest = from;
        for (Piece { page, offset, length }, way) in plan {
            let (now, later) = rest.split_at(length);
            rest = later;
            let (frame, filled) = match way {
                Way::Frame(frame) => (frame, false),
                Way::Filling(frame) => (frame, true),
                Way::Zeroed => (self.zeroed(segment, page)?, false),
                Way::Whole => {
                    let frame = self.leaf.take(segment).map_err(|short| self.short(short))?;
                    self.counters.first_touches += 1;
                    self.filled(part.qpn, Filling { segment, page, frame });
                    (frame, true)
                }
            };
            self.leaf.bytes_mut(frame)[offset..offset + length].copy_from_slice(now);
            let early = self.leaf.plants.has(PlantedFault::PublishedEarly);
            if filled && (offset + length == PAGE || early) {
                self.filling.remove(&part.qpn);
                self.leaf.publish(segment, page, frame);
            }
        }
        Ok(())
    }

    fn filled(&mut self, qpn: u32, filling: Filling) {
        if let Some(old) = self.filling.insert(qpn, filling) {
            self.leaf.give_back(old.frame);
        }
    }

    /// A queue pair has ended: what it was filling goes back, and its replies are no more.
    pub(super) fn end(&mut self, qpn: u32) {
        if let Some(filling) = self.filling.remove(&qpn) {
            self.leaf.give_back(filling.frame);
        }
        if let Some(mut chain) = self.chains.remove(&qpn) {
            chain.close(&mut self.leaf);
        }
        self.native.remove(&qpn);
    }

    /// A list of ranges of pages that are given up, all or none.
    fn free(&mut self, pid: u32, message: &[u8]) -> Result<(), MemoryFault> {
        let ranges = message.len() / FREE_RANGE_LEN;
        if !message.len().is_multiple_of(FREE_RANGE_LEN) || !(1..=FREE_RANGES).contains(&ranges) {
            self.counters.bad_free += 1;
            return Err(MemoryFault::Invalid);
        }
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
        let mut all = Vec::with_capacity(ranges);
        for range in message.chunks_exact(FREE_RANGE_LEN) {
            let (va, pages) = (number(&range[..8]), number(&range[8..]));
            let bytes = pages.checked_mul(FRAME).and_then(|bytes| usize::try_from(bytes).ok());
            let here = match bytes {
                Some(bytes) if va.is_multiple_of(FRAME) && bytes > 0 => {
                    self.segment(pid, va, bytes, Access::WRITE)?
                }
                _ => None,
            };
            let Some((segment, base)) = here else {
                self.counters.bad_free += 1;
                return Err(MemoryFault::Denied);
            };
            all.push((segment, ((va - base) / FRAME) as u32, pages as u32));
        }
        for (segment, first, pages) in all {
            for page in first..first + pages {
                match self.leaf.unmap(segment, page) {
                    true => self.counters.freed += 1,
                    false => self.counters.freed_nothing += 1,
                }
            }
        }
        Ok(())
    }
}

impl<M: Memory> Memory for Paged<M> {
    fn read(&mut self, pid: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        let Some((segment, base)) = self.segment(pid, va, to.len(), Access::READ)? else {
            return self.under.read(pid, va, to);
        };
        let mut rest = to;
        for piece in pieces(base, va, rest.len()) {
            let (now, later) = rest.split_at_mut(piece.length);
            rest = later;
            match self.leaf.frame(segment, piece.page) {
                Some(frame) => {
                    now.copy_from_slice(&self.leaf.bytes(frame)[piece.offset..piece.offset + piece.length]);
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
            None => self.under.write_part(part, from),
        }
    }

    fn atomic(&mut self, pid: u32, va: u64, operation: Atomic) -> Result<u64, MemoryFault> {
        let Some((segment, base)) = self.segment(pid, va, 8, Access::ATOMIC)? else {
            return self.under.atomic(pid, va, operation);
        };
        let (page, offset) = (((va - base) / FRAME) as u32, (va % FRAME) as usize);
        let frame = match self.leaf.frame(segment, page) {
            Some(frame) => frame,
            None => self.zeroed(segment, page)?,
        };
        let place = &mut self.leaf.bytes_mut(frame)[offset..offset + 8];
        let word = place.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
        place.copy_from_slice(&operation.apply(word).to_le_bytes());
        Ok(word)
    }

    fn message(&mut self, qpn: u32, message: &[u8]) -> Result<(), MemoryFault> {
        if self.chains.contains_key(&qpn) {
            return self.chain(qpn, message);
        }
        match self.native.get(&qpn) {
            Some(pid) => self.free(*pid, message),
            None => Err(MemoryFault::Invalid),
        }
    }
}
