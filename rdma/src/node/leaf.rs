//! The leaf unit: sole writer of tables and ring. The frames' bytes are elsewhere ([`super::Frames`]).
use std::collections::{BTreeMap, BTreeSet};

use super::epochs::{Begun, Epochs};
use super::ring::{Ring, RingFull};
use super::touches::{Touch, Touches};
use crate::codec::profile::PAGE;
use crate::memory::Access;
use crate::planted::{PlantedFault, Plants};

mod audit;
pub use audit::{Audit, AuditError};

/// Bytes of a frame.
pub const FRAME: u64 = PAGE as u64;
/// Segments, at most.
pub const SEGMENTS: usize = 256;
/// The bits of a table's entry that are no address: the board's check bits.
pub const ENTRY_MASK: u64 = !(FRAME - 1);

/// A run of leaf tables: pages of a process that have frames of 4,096 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentConfig {
    /// The process, 24 bits.
    pub pid: u32,
    /// The first address, a multiple of 4,096.
    pub va: u64,
    /// Pages, and so entries of 8 bytes.
    pub entries: u32,
    /// Frames that it may have at a time, those included that are being filled.
    pub budget: u32,
    /// What clients may do with its pages.
    pub access: Access,
}

/// Why there is no such segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SegmentError {
    /// All are in use.
    #[error("all {SEGMENTS} segments are in use")]
    Full,
    /// The range is empty, begins within a page, or goes past the last address.
    #[error("{entries} pages at {va:#x} are no range of whole pages")]
    Range {
        /// The first address.
        va: u64,
        /// Pages.
        entries: u32,
    },
    /// Another segment of the process lies there.
    #[error("segment {0} lies there")]
    Taken(u32),
    /// No such segment.
    #[error("no segment {0}")]
    Unknown(u32),
}

/// Why frames did not enter the ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// Not inside the memory that frames lie in.
    #[error("{count} frames at {base:#x} do not lie in the memory of frames")]
    Range {
        /// The first frame's address.
        base: u64,
        /// Frames.
        count: u64,
    },
    /// The frame is in use, or in the ring.
    #[error("frame {0:#x} is here already")]
    Here(u64),
    /// The ring has no room.
    #[error(transparent)]
    Full(#[from] RingFull),
    /// A frame that is to be taken back is not in the ring.
    #[error("frame {0:#x} is not free")]
    NotFree(u64),
}

/// No frame can be had now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortage {
    /// The ring is empty.
    Ring,
    /// The segment has as many as it may.
    Budget,
}

#[derive(Debug, Clone)]
struct Segment {
    config: SegmentConfig,
    /// Addresses of frames as the paper's node keeps them: big-endian, 0: none.
    table: Vec<[u8; 8]>,
    used: u32,
}

/// Tables and ring.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// The address of the first frame that there can be, and the one behind the last.
    base: u64,
    end: u64,
    segments: BTreeMap<u32, Segment>,
    next: u32,
    ring: Ring,
    epochs: Epochs,
    /// Frames that are being filled, and whose.
    private: BTreeMap<u64, u32>,
    given: BTreeSet<u64>,
    pub(super) plants: Plants,
    pub(super) touches: Touches,
}

impl Leaf {
    /// For so many frames from an address on, which is a multiple of 4,096 and not 0; the ring has as many elements. No frame is in
    /// it yet ([`Leaf::push_run`]).
    pub fn new(base: u64, frames: usize) -> Leaf {
        let base = base.max(1).next_multiple_of(FRAME);
        Leaf {
            base,
            end: base + frames as u64 * FRAME,
            segments: BTreeMap::new(),
            next: 0,
            ring: Ring::new(frames),
            epochs: Epochs::default(),
            private: BTreeMap::new(),
            given: BTreeSet::new(),
            plants: Plants::default(),
            touches: Touches::default(),
        }
    }

    /// Test-only: gives it a defect.
    #[cfg(feature = "planted-faults")]
    pub fn plant(&mut self, fault: PlantedFault) {
        self.plants.0 = Some(fault);
    }

    /// The slow path gives frames, whole pages of the board, and so never less than it has: `count` from `base` on. Frames that wait
    /// for accesses to end enter the ring before them.
    ///
    /// # Errors
    /// No frame was taken then.
    pub fn push_run(&mut self, base: u64, count: u64) -> Result<(), RunError> {
        let range = RunError::Range { base, count };
        let end = count.checked_mul(FRAME).and_then(|bytes| bytes.checked_add(base)).ok_or(range)?;
        if !base.is_multiple_of(FRAME) || base < self.base || end > self.end {
            return Err(range);
        }
        let frames = || (0..count).map(|frame| base + frame * FRAME);
        if let Some(here) = frames().find(|frame| self.given.contains(frame)) {
            return Err(RunError::Here(here));
        }
        if self.ring.len() as u64 + count > self.ring.capacity() as u64 {
            return Err(RingFull(self.ring.capacity()).into());
        }
        let behind = self.epochs.waiting().next().is_some();
        for frame in frames() {
            match behind {
                true => self.epochs.free(frame),
                false => self.ring.push(frame)?,
            }
            self.given.insert(frame);
        }
        Ok(())
    }

    /// The slow path takes `count` frames from `base` on back: all of them must be in the ring. The others stay in their order.
    ///
    /// # Errors
    /// [`RunError::Range`] and [`RunError::NotFree`]: nothing was taken.
    pub fn take_back(&mut self, base: u64, count: u64) -> Result<(), RunError> {
        let range = RunError::Range { base, count };
        let end = count.checked_mul(FRAME).and_then(|bytes| bytes.checked_add(base)).ok_or(range)?;
        if !base.is_multiple_of(FRAME) {
            return Err(range);
        }
        let free: BTreeSet<u64> = self.ring.frames().filter(|frame| (base..end).contains(frame)).collect();
        if let Some(used) = (base..end).step_by(PAGE).find(|frame| !free.contains(frame)) {
            return Err(RunError::NotFree(used));
        }
        for _ in 0..self.ring.len() {
            if let Some(frame) = self.ring.pop().filter(|frame| !free.contains(frame)) {
                self.ring.push(frame)?;
            }
        }
        self.given.retain(|frame| !free.contains(frame));
        Ok(())
    }

    /// From now on it is known which runs of `count` frames, that begin at multiples of their length, are in the ring as a whole.
    pub fn count_runs(&mut self, count: u64) {
        self.ring.count_runs(count * FRAME);
    }
    /// The first frame of the first of these runs.
    pub fn free_run(&self) -> Option<u64> {
        self.ring.first_whole()
    }

    /// The addresses that frames can have.
    pub const fn range(&self) -> std::ops::Range<u64> {
        self.base..self.end
    }
    /// All frames that the slow path has given, ascending.
    pub fn frames(&self) -> impl Iterator<Item = u64> {
        self.given.iter().copied()
    }
    /// How many frames the slow path has given.
    pub fn given(&self) -> usize {
        self.given.len()
    }

    /// Makes a segment without frames. Answers its number.
    ///
    /// # Errors
    /// [`SegmentError::Full`], [`SegmentError::Range`], [`SegmentError::Taken`].
    pub fn create(&mut self, config: SegmentConfig) -> Result<u32, SegmentError> {
        let SegmentConfig { va, entries, .. } = config;
        let end = va.checked_add(u64::from(entries) * FRAME);
        if entries == 0 || !va.is_multiple_of(FRAME) || end.is_none() {
            return Err(SegmentError::Range { va, entries });
        }
        if let Some(taken) = self.overlapped(config.pid, va, u64::from(entries) * FRAME) {
            return Err(SegmentError::Taken(taken));
        }
        if self.segments.len() >= SEGMENTS {
            return Err(SegmentError::Full);
        }
        let number = self.next;
        self.next = self.next.wrapping_add(1);
        let table = vec![[0; 8]; entries as usize];
        self.segments.insert(number, Segment { config, table, used: 0 });
        Ok(number)
    }

    /// Ends a segment: every frame that it has goes back.
    ///
    /// # Errors
    /// [`SegmentError::Unknown`].
    pub fn destroy(&mut self, segment: u32) -> Result<(), SegmentError> {
        self.close(segment)?;
        while self.sweep(segment, u32::MAX)? > 0 {}
        Ok(())
    }

    /// From now on nobody may access a segment, and what is being filled for it goes back. [`Leaf::sweep`] does the rest.
    ///
    /// # Errors
    /// [`SegmentError::Unknown`].
    pub fn close(&mut self, segment: u32) -> Result<(), SegmentError> {
        let own = self.segments.get_mut(&segment).ok_or(SegmentError::Unknown(segment))?;
        // No frame is taken for it any more, whatever its rights.
        (own.config.access, own.config.budget) = (Access::default(), 0);
        let private: Vec<u64> =
            self.private.iter().filter(|(_, own)| **own == segment).map(|(frame, _)| *frame).collect();
        for frame in private {
            self.give_back(segment, frame);
        }
        Ok(())
    }

    /// Gives the frames of up to `most` entries of a closed segment back, from its end on; the segment is gone with its last entry.
    /// Answers how many entries are left.
    ///
    /// # Errors
    /// [`SegmentError::Unknown`].
    pub fn sweep(&mut self, segment: u32, most: u32) -> Result<u32, SegmentError> {
        let own = self.segments.get(&segment).ok_or(SegmentError::Unknown(segment))?;
        let entries = own.table.len() as u32;
        let left = entries - most.min(entries);
        for page in left..entries {
            self.unmap(segment, page);
        }
        if left == 0 {
            self.segments.remove(&segment);
        } else if let Some(own) = self.segments.get_mut(&segment) {
            own.table.truncate(left as usize);
        }
        Ok(left)
    }

    /// Clients may do this with a segment's pages from now on.
    ///
    /// # Errors
    /// [`SegmentError::Unknown`].
    pub fn set_access(&mut self, segment: u32, access: Access) -> Result<(), SegmentError> {
        let own = self.segments.get_mut(&segment).ok_or(SegmentError::Unknown(segment))?;
        own.config.access = access;
        Ok(())
    }

    /// Segments, by number.
    pub fn segments(&self) -> impl Iterator<Item = (u32, &SegmentConfig)> {
        self.segments.iter().map(|(number, segment)| (*number, &segment.config))
    }

    /// What a segment is.
    pub fn config(&self, segment: u32) -> Option<&SegmentConfig> {
        self.segments.get(&segment).map(|segment| &segment.config)
    }
    /// A segment's table: an entry a page, big-endian, 0: no frame.
    pub fn table(&self, segment: u32) -> Option<&[[u8; 8]]> {
        self.segments.get(&segment).map(|segment| &segment.table[..])
    }
    /// Frames that a segment has, those included that are being filled.
    pub fn used(&self, segment: u32) -> u32 {
        self.segments.get(&segment).map_or(0, |segment| segment.used)
    }
    /// The free page queue.
    pub const fn ring(&self) -> &Ring {
        &self.ring
    }
    /// Accesses under way that hold freed frames back.
    pub const fn under_way(&self) -> u64 {
        self.epochs.under_way()
    }

    /// The segment that has a byte of a range.
    pub fn overlapped(&self, pid: u32, va: u64, length: u64) -> Option<u32> {
        let last = va.saturating_add(length.saturating_sub(1));
        let meets = |config: &SegmentConfig| {
            let end = config.va + (u64::from(config.entries) * FRAME - 1);
            config.pid == pid && va <= end && config.va <= last
        };
        self.segments.iter().find(|(_, segment)| meets(&segment.config)).map(|(number, _)| *number)
    }

    /// The frame of a page; `None`: it has none, or there is no such page.
    pub fn frame(&self, segment: u32, page: u32) -> Option<u64> {
        let entry = self.segments.get(&segment)?.table.get(page as usize)?;
        self.touches.note(Touch::EntryRead { segment, page });
        Some(u64::from_be_bytes(*entry) & ENTRY_MASK).filter(|frame| *frame != 0)
    }

    /// An access begins that must not see the frame's next owner.
    pub fn begin(&mut self) -> Begun {
        self.epochs.begin()
    }
    /// It has ended.
    pub fn end(&mut self, begun: Begun) {
        self.epochs.end(begun);
        self.refill();
    }
    fn refill(&mut self) {
        for frame in self.epochs.ended() {
            // The ring has an element for every frame.
            let _ = self.ring.push(frame);
            self.touches.note(Touch::Pushed);
        }
    }
    fn free(&mut self, frame: u64) {
        if self.plants.has(PlantedFault::FreedAtOnce) {
            let _ = self.ring.push(frame);
            return;
        }
        self.epochs.free(frame);
        self.refill();
    }

    /// Whether so many frames could be had by a segment.
    ///
    /// # Errors
    /// [`Shortage`].
    pub fn can_take(&self, segment: u32, frames: usize) -> Result<(), Shortage> {
        let Some(segment) = self.segments.get(&segment) else { return Err(Shortage::Budget) };
        let left = segment.config.budget - segment.used.min(segment.config.budget);
        if left < frames as u32 && !self.plants.has(PlantedFault::BudgetIgnored) {
            return Err(Shortage::Budget);
        }
        if self.ring.len() < frames { Err(Shortage::Ring) } else { Ok(()) }
    }
    /// Takes a frame that nobody else sees. What its last owner wrote is still in it.
    ///
    /// # Errors
    /// [`Shortage`].
    pub fn take(&mut self, segment: u32) -> Result<u64, Shortage> {
        self.can_take(segment, 1)?;
        let frame = self.ring.pop().ok_or(Shortage::Ring)?;
        if let Some(segment) = self.segments.get_mut(&segment) {
            segment.used += 1;
        }
        self.private.insert(frame, segment);
        self.touches.note(Touch::Popped);
        Ok(frame)
    }
    /// Whether a frame is private, and this segment's. With the segment's end it may be another one's.
    pub fn is_private(&self, segment: u32, frame: u64) -> bool {
        self.private.get(&frame) == Some(&segment)
    }
    /// A private frame of a segment goes back. What is private of another one stays.
    pub fn give_back(&mut self, segment: u32, frame: u64) {
        if self.is_private(segment, frame) {
            self.private.remove(&frame);
            self.one_less(segment);
            self.free(frame);
        }
    }
    fn one_less(&mut self, segment: u32) {
        if let Some(segment) = self.segments.get_mut(&segment) {
            segment.used = segment.used.saturating_sub(1);
        }
    }
    /// Makes a private frame of the segment the page's; no other frame. One that it had goes back: the later replaces.
    pub fn publish(&mut self, segment: u32, page: u32, frame: u64) {
        if !self.is_private(segment, frame) {
            return;
        }
        self.private.remove(&frame);
        self.touches.note(Touch::EntryRead { segment, page });
        self.touches.note(Touch::EntryWritten { segment, page });
        let entry = self.segments.get_mut(&segment).and_then(|own| own.table.get_mut(page as usize));
        let old = entry.map(|entry| std::mem::replace(entry, frame.to_be_bytes()));
        let old = old.map_or(0, u64::from_be_bytes) & ENTRY_MASK;
        if old != 0 && !self.plants.has(PlantedFault::MappedFrameLost) {
            self.one_less(segment);
            self.free(old);
        }
    }
    /// Takes a page's frame away. Answers whether it had one.
    pub fn unmap(&mut self, segment: u32, page: u32) -> bool {
        let Some(frame) = self.frame(segment, page) else { return false };
        self.touches.note(Touch::EntryWritten { segment, page });
        let keeps = self.plants.has(PlantedFault::EntryKept);
        let entry = self.segments.get_mut(&segment).and_then(|own| own.table.get_mut(page as usize));
        if let Some(entry) = entry.filter(|_| !keeps) {
            *entry = [0; 8];
        }
        self.one_less(segment);
        self.free(frame);
        true
    }
}
