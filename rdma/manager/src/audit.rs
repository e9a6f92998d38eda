//! Whether every frame of 4 KB of a board of hardware is in exactly one place, looked for while the board serves.
//!
//! An audit reads the page table and the leaf tables piece by piece, and compares the frames in them with what the leaf
//! unit counts. It holds for one moment: nothing may have moved from its beginning to its end, which the same counts tell.
//! Where something has, it begins anew, a bounded number of times.
use std::collections::BTreeSet;
use std::time::Duration;

use mneme_rdma::node::{Audit, AuditError};
use mneme_slowpath::pages::PagePlace;
use mneme_slowpath::{FastPath, Slow};
use mneme_wire::leaf::{LEAF_CLEAN, LEAF_COUNTERS};
use mneme_wire::pte::{self, FRAME_BYTES, Geometry, PageState};
use mneme_wire::{LeafCounter, LeafRegister};

use crate::counts::FrameCounts;

/// How often it is looked, where the leaf unit has frames.
const EVERY: Duration = Duration::from_secs(10);
/// Bytes that one step reads at most: some dozens of microseconds over a board's bus.
const PIECE: u64 = 8 << 10;
/// How often an audit begins anew, and for how many steps it waits for changed entries to come to memory each time.
const TRIES: u32 = 64;
const WAITS: u32 = 1_000;

/// What is wrong with the frames of a board of hardware.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FrameAuditError {
    /// A frame is in two places, or in none.
    #[error(transparent)]
    Leaf(#[from] AuditError),
    /// The slow path has a page of which the leaf unit has frames.
    #[error("page {page} is the leaf unit's, and {place:?} for the slow path")]
    Page {
        /// The board page.
        page: u64,
        /// Where the slow path has it.
        place: PagePlace,
    },
    /// An entry names what is no frame of memory.
    #[error("an entry of a leaf table names {0:#x}, which is no frame of memory")]
    Outside(u64),
}

/// How an audit ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audited {
    /// Each frame is in one place. What waits for the end of accesses and what a queue pair fills is one count.
    Sound(Audit),
    /// One is not.
    Wrong(FrameAuditError),
    /// Frames moved whenever it was looked: nothing is known.
    Moving,
}

/// What is another one whenever a frame has moved: given, in the ring, waiting; taken and freed so far.
type Moment = [u32; 5];

/// An audit that is under way.
#[derive(Debug)]
pub struct FrameAudit {
    geometry: Geometry,
    /// As it was in the beginning; `None`: it has not begun.
    began: Option<Moment>,
    /// Bytes of the page table that were read.
    read: u64,
    /// Leaf tables that split entries name, and that were not read to the end.
    tables: BTreeSet<u64>,
    /// Bytes of the table that is being read.
    within: u64,
    mapped: BTreeSet<u64>,
    tries: u32,
    waits: u32,
}

impl FrameAudit {
    /// Of the board of this slow path.
    pub fn new(slow: &Slow) -> FrameAudit {
        FrameAudit {
            geometry: slow.inspect(mneme_slowpath::space::Space::geometry),
            began: None,
            read: 0,
            tables: BTreeSet::new(),
            within: 0,
            mapped: BTreeSet::new(),
            tries: 0,
            waits: 0,
        }
    }
    /// Goes on by one step, which blocks for no longer than it takes to read 8 KB of the board's memory. How the audit
    /// ended; `None`: it has not.
    pub fn step<F: FastPath>(&mut self, fast: &mut F, slow: &mut Slow) -> Option<Audited> {
        if self.began.is_none() {
            if !is_clean(fast) {
                self.waits += 1;
                return (self.waits > WAITS).then_some(Audited::Moving);
            }
            self.began = Some(moment(fast));
        }
        let ended = match self.look(fast, slow) {
            Ok(None) => return None,
            Ok(Some(audit)) => Audited::Sound(audit),
            Err(error) => Audited::Wrong(error),
        };
        // What was found counts if it was so at one moment.
        if is_clean(fast) && self.began == Some(moment(fast)) {
            return Some(ended);
        }
        let tries = self.tries + 1;
        *self = FrameAudit { tries, ..FrameAudit::new(slow) };
        (tries == TRIES).then_some(Audited::Moving)
    }
    /// Reads the next piece. What there is when everything has been read.
    fn look<F: FastPath>(&mut self, fast: &mut F, slow: &mut Slow) -> Result<Option<Audit>, FrameAuditError> {
        let geometry = self.geometry;
        if self.read < geometry.table_bytes() {
            let bytes = PIECE.min(geometry.table_bytes() - self.read);
            for entry in words(fast, self.read, bytes).into_iter().map(u64::from_le_bytes) {
                if entry & pte::ALLOCATED != 0 && pte::state(entry) == PageState::Split {
                    self.tables.insert(entry & geometry.leaf_mask());
                }
            }
            self.read += bytes;
            return Ok(None);
        }
        if let Some(table) = self.tables.first().copied() {
            let all = 8 * geometry.page_frames();
            let bytes = PIECE.min(all - self.within);
            self.take(words(fast, geometry.leaf_table(table) + self.within, bytes))?;
            self.within += bytes;
            if self.within == all {
                self.tables.pop_first();
                self.within = 0;
            }
            return Ok(None);
        }
        let pages: BTreeSet<u64> = self.mapped.iter().map(|frame| frame / geometry.page_size()).collect();
        for page in pages {
            let place = slow.page_place(fast, page);
            if place != PagePlace::Given {
                return Err(FrameAuditError::Page { page, place });
            }
        }
        let [given, ring, waiting, ..] = self.began.unwrap_or_default().map(|count| count as usize);
        let mapped = self.mapped.len();
        if mapped + ring + waiting != given {
            return Err(AuditError::Lost { found: mapped + ring + waiting, given }.into());
        }
        Ok(Some(Audit { ring, mapped, private: 0, waiting }))
    }
    /// The frames that a piece of a leaf table names.
    fn take(&mut self, entries: Vec<[u8; 8]>) -> Result<(), FrameAuditError> {
        for frame in entries.into_iter().map(u64::from_be_bytes).filter(|frame| *frame != 0) {
            if frame >= self.geometry.pages() * self.geometry.page_size()
                || !frame.is_multiple_of(FRAME_BYTES)
            {
                return Err(FrameAuditError::Outside(frame));
            }
            if !self.mapped.insert(frame) {
                return Err(AuditError::Twice(frame).into());
            }
        }
        Ok(())
    }
}

/// The audits of a board, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Audits {
    now: Option<FrameAudit>,
    /// When the next one begins.
    at: u64,
}

impl Audits {
    /// One is to begin now.
    pub(crate) const fn are_due(&mut self, now: u64) {
        self.at = now;
    }
    pub(crate) const fn are_under_way(&self) -> bool {
        self.now.is_some()
    }
    /// Goes on by one step, or begins when it is time. Whether one has ended, which is counted.
    pub(crate) fn go_on<F: FastPath>(
        &mut self,
        now: u64,
        frames: &mut FrameCounts,
        fast: &mut F,
        slow: &mut Slow,
    ) -> bool {
        if self.now.is_none() && now >= self.at {
            self.at = now + EVERY.as_nanos() as u64;
            let has_frames = slow.leaf_state(fast).is_some_and(|_| moment(fast)[0] > 0);
            self.now = has_frames.then(|| FrameAudit::new(slow));
        }
        let Some(ended) = self.now.as_mut().and_then(|audit| audit.step(fast, slow)) else { return false };
        *self = Audits { now: None, at: now + EVERY.as_nanos() as u64 };
        match ended {
            Audited::Sound(_) => frames.audited(true),
            Audited::Wrong(error) => {
                if frames.is_sound() {
                    tracing::error!(%error, "frames are not where they should be");
                }
                frames.audited(false);
            }
            Audited::Moving => frames.moved(),
        }
        true
    }
}

fn is_clean<F: FastPath>(fast: &mut F) -> bool {
    fast.read_leaf(LeafRegister::State.number()) & LEAF_CLEAN != 0
}

fn moment<F: FastPath>(fast: &mut F) -> Moment {
    let counter = |counter: LeafCounter| LEAF_COUNTERS + 4 * counter.number();
    let register = |register: LeafRegister| register.number();
    [
        register(LeafRegister::Total),
        register(LeafRegister::Usable),
        register(LeafRegister::Waiting),
        counter(LeafCounter::Taken),
        counter(LeafCounter::Freed),
    ]
    .map(|offset| fast.read_leaf(offset))
}

fn words<F: FastPath>(fast: &mut F, address: u64, bytes: u64) -> Vec<[u8; 8]> {
    let mut read = vec![0; bytes as usize];
    fast.read_memory(address, &mut read);
    read.as_chunks::<8>().0.to_vec()
}
