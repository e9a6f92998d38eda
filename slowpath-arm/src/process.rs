//! Processes: protection domains with their tree of virtual ranges.
use crate::allocator::Bounds;
use crate::shadow::TenantId;
use std::collections::BTreeMap;

/// What a range of a process's addresses is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeState {
    /// Answered by an ALLOC and not freed.
    Live,
    /// A request is working on it.
    Busy,
    /// Freed; its addresses are not given out again before this tick, since a late write of its old life may still come.
    Quarantined(u64),
    /// The table could not be changed here: never given out again.
    Lost,
}

/// A range of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// Pages.
    pub pages: u64,
    /// What it is.
    pub state: RangeState,
}

/// The ranges of one process, by first page; they never overlap.
#[derive(Debug, Clone, Default)]
pub struct Ranges {
    tree: BTreeMap<u64, Range>,
}

impl Ranges {
    /// Ranges, those in quarantine included.
    pub fn len(&self) -> usize {
        self.tree.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tree.is_empty()
    }
    /// All ranges with their first page, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Range)> + '_ {
        self.tree.iter().map(|(start, range)| (*start, *range))
    }
    /// The range that begins at a page.
    pub fn get(&self, start: u64) -> Option<Range> {
        self.tree.get(&start).copied()
    }
    /// The range that holds a page.
    pub fn holding(&self, vpn: u64) -> Option<(u64, Range)> {
        let (start, range) = self.tree.range(..=vpn).next_back()?;
        (vpn - start < range.pages).then_some((*start, *range))
    }
    /// The last range that overlaps `[start, start + pages)`.
    pub fn overlap(&self, start: u64, pages: u64) -> Option<(u64, Range)> {
        let (at, range) = self.tree.range(..start + pages).next_back()?;
        (at + range.pages > start).then_some((*at, *range))
    }
    /// First page after the last range that overlaps `[start, start + pages)`.
    pub fn end_of_overlap(&self, start: u64, pages: u64) -> Option<u64> {
        self.overlap(start, pages).map(|(at, range)| at + range.pages)
    }
    /// First page of the first range that begins behind `page`.
    pub fn next(&self, page: u64) -> Option<u64> {
        self.tree.range(page + 1..).next().map(|(at, _)| *at)
    }
    /// Adds a range; the caller has checked that it overlaps none.
    pub fn insert(&mut self, start: u64, range: Range) {
        debug_assert!(self.overlap(start, range.pages).is_none());
        self.tree.insert(start, range);
    }
    /// Changes what a range is.
    pub fn set(&mut self, start: u64, state: RangeState) {
        if let Some(range) = self.tree.get_mut(&start) {
            range.state = state;
        }
    }
    /// Takes a range out.
    pub fn remove(&mut self, start: u64) -> Option<Range> {
        self.tree.remove(&start)
    }
}

/// How far the end of a process has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ending {
    /// Nobody has asked for it.
    #[default]
    No,
    /// An EXIT works on it.
    Running,
    /// An EXIT broke off: some of its pages are gone from the table, nobody knows which. All that it can do is end.
    BrokenOff,
}

/// Slots and writable pages that an ALLOC has been charged for and has not put into the shadow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coming {
    /// Page-table slots.
    pub slots: u64,
    /// Writable pages.
    pub pages: u64,
}

/// A range of 4 KB frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameRange {
    /// The number of its first leaf table.
    pub table: u64,
    /// Board pages, and so leaf tables.
    pub pages: u64,
    /// Pages that its frames may fill, which are counted against its tenant.
    pub budget: u64,
}

/// What a process has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Held {
    /// Page-table slots.
    pub slots: u64,
    /// Pages that are or were writable.
    pub pages: u64,
    /// Ranges that ALLOC answered and FREE has not taken, or that a request works on.
    pub ranges: u64,
}

/// One process.
#[derive(Debug, Clone)]
pub struct Process {
    /// Whose quotas it counts against.
    pub tenant: TenantId,
    /// What a client needs to join.
    pub token: [u8; 16],
    /// Ticks without a slow-path request after which it is reclaimed; 0 = never.
    pub lease_ticks: u64,
    /// The lease as told to clients, in nanoseconds.
    pub lease_ns: u64,
    /// Tick of its last slow-path request.
    pub seen: u64,
    /// Its addresses.
    pub ranges: Ranges,
    /// What it has of the board.
    pub held: Held,
    /// Where the board places its ranges.
    pub bounds: Bounds,
    /// First page of the last range that the board chose: the next one goes into the same block of addresses if it can.
    pub cursor: u64,
    /// Whether it is about to end.
    pub ending: Ending,
    /// Its lease ran out, or its tenant is no longer one, and somebody is to reclaim it.
    pub claimed: bool,
    /// Nobody tries to reclaim it before this tick: the last try was in vain.
    pub rests: u64,
    /// Its tenant is no longer one: all that it can do is end.
    pub revoked: bool,
    /// Somebody else than its tenant has joined it, so its key proves no more than itself.
    pub shared: bool,
    /// Its keys were told: to a tenant who opened or joined it.
    pub told: bool,
    /// Which of its ranges are of 4 KB frames, by first page.
    pub frames: BTreeMap<u64, FrameRange>,
    /// What it was charged for pages that are not in the shadow yet: an ALLOC is about to put them there.
    pub coming: Coming,
}

impl Process {
    /// Tick at which its lease ends; that of a revoked tenant's process has ended.
    pub fn lease_end(&self) -> Option<u64> {
        if self.revoked {
            return Some(self.rests);
        }
        (self.lease_ticks != 0).then(|| self.seen.saturating_add(self.lease_ticks).max(self.rests))
    }
    /// Ranges that ALLOC answered and FREE has not taken.
    pub fn live(&self) -> usize {
        self.ranges.iter().filter(|(_, r)| matches!(r.state, RangeState::Live | RangeState::Busy)).count()
    }
}
