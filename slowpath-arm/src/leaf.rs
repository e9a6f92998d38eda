//! Pages of 4 KB: what the slow path tells a fast path's leaf unit, and which leaf tables are whose.
//!
//! The leaf unit is the sole writer of leaf tables and of the ring of free frames (design of the RDMA port, §2). The slow path
//! makes and ends segments, feeds the ring with whole board pages, and takes whole empty ones back.
mod collect;
mod driver;
mod pace;

pub use driver::LeafDriver;
pub(crate) use pace::Pace;

use mneme_wire::Rights;
use std::collections::BTreeMap;

/// Entries whose frames one command gives back: others get their turn in between.
pub(crate) const SWEEP: u32 = 4096;

/// Segments of a leaf unit.
pub(crate) const SEGMENTS: usize = 256;

/// A run of leaf tables that stands for pages of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeafSegment {
    /// The process.
    pub pid: u32,
    /// The first address, a multiple of a board page.
    pub va: u64,
    /// The number of the first leaf table; each board page has one.
    pub table: u32,
    /// Leaf tables.
    pub tables: u32,
    /// Frames that it may have at a time.
    pub budget: u32,
    /// What the process may do with its pages.
    pub rights: Rights,
}

/// A command for the leaf unit. A segment is named by the number of its first leaf table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafCommand {
    /// Makes a segment without frames. Done: 0.
    Create(LeafSegment),
    /// Changes what the process may do. Done: 0.
    Protect(u32, Rights),
    /// From now on nobody may access the segment. Done: 0.
    Close(u32),
    /// Gives the frames of up to so many entries of a closed segment back; it is gone with its last entry. Done: entries left.
    Sweep(u32, u32),
    /// Takes a page out of the async buffer, as a page fault does, and puts its frames into the ring. Done: the page.
    Refill,
    /// Takes a page out of the ring all of whose frames are in it. Done: the page. A unit of hardware looks at a slice of the ring at a
    /// time: [`LeafRefused::Unfinished`] until it has found one, or has looked at all.
    TakeBack,
}

/// Why a command did nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LeafRefused {
    /// The fast path has no leaf unit.
    #[error("the board has no leaf unit")]
    None,
    /// As many segments are there as there can be.
    #[error("all segments are in use")]
    Full,
    /// The tables, or the addresses, are those of another segment, or no tables or addresses at all.
    #[error("a segment is there already, or cannot be there")]
    Taken,
    /// No segment has this table as its first.
    #[error("no such segment")]
    Unknown,
    /// No page is in the async buffer, or none is free as a whole.
    #[error("no page")]
    NoPage,
    /// There is more to look at: the command has to come again.
    #[error("the ring has not been looked at as a whole yet")]
    Unfinished,
    /// Memory has failed, or the leaf unit does not answer. Some of the command may have been done.
    #[error("the leaf unit failed")]
    Failed,
}

/// What the leaf unit has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeafState {
    /// Frames in the ring.
    pub ring: u64,
    /// Frames of all board pages that it has, but for those that are out of the ring on their way back.
    pub given: u64,
    /// Frames that its segments may still take.
    pub wanted: u64,
}

/// Which leaf tables are in use: runs by their first one.
#[derive(Debug, Clone, Default)]
pub(crate) struct LeafArea {
    tables: u64,
    used: BTreeMap<u64, u64>,
}

impl LeafArea {
    pub(crate) fn new(tables: u64) -> LeafArea {
        LeafArea { tables, used: BTreeMap::new() }
    }
    /// Takes a run of tables, the first that is long enough.
    pub(crate) fn take(&mut self, tables: u64) -> Option<u64> {
        let mut at = 0;
        for (start, length) in &self.used {
            if start - at >= tables {
                break;
            }
            at = start + length;
        }
        let fits = tables > 0 && self.tables.checked_sub(at).is_some_and(|rest| rest >= tables);
        fits.then(|| {
            self.used.insert(at, tables);
            at
        })
    }
    /// Gives a run back.
    pub(crate) fn give_back(&mut self, start: u64) {
        self.used.remove(&start);
    }
    /// Tables in use.
    pub(crate) fn used(&self) -> u64 {
        self.used.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_tables_never_overlap_and_come_back() {
        let mut area = LeafArea::new(10);
        assert_eq!((area.take(4), area.take(4), area.take(3)), (Some(0), Some(4), None));
        area.give_back(0);
        assert_eq!(
            (area.take(5), area.take(3), area.take(2), area.take(1)),
            (None, Some(0), Some(8), Some(3))
        );
        assert_eq!((area.used(), area.take(1), area.take(0)), (10, None, None));
        assert_eq!(LeafArea::default().take(1), None, "a board without a leaf unit has none");
    }
}
