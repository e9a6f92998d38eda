//! The slow path's counters. Plain atomics, since pool workers count too; nobody orders anything by them.
use crate::refusal::Refusal;
use mneme_wire::payload::{NODE_REFUSED_CAUSE, NODE_REFUSED_STATUS};
use mneme_wire::register::HISTOGRAM_BUCKETS;
use mneme_wire::{Counter, NodeCounter, Stage};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const STATUSES: usize = 32;
const CAUSES: usize = 64;

/// Counters since boot.
#[derive(Debug)]
pub struct Stats {
    events: Vec<AtomicU64>,
    by_status: [AtomicU64; STATUSES],
    by_cause: [AtomicU64; CAUSES],
}

impl Default for Stats {
    fn default() -> Stats {
        Stats {
            events: NodeCounter::ALL.iter().map(|_| AtomicU64::new(0)).collect(),
            by_status: std::array::from_fn(|_| AtomicU64::new(0)),
            by_cause: std::array::from_fn(|_| AtomicU64::new(0)),
        }
    }
}

impl Stats {
    fn cell(&self, counter: NodeCounter) -> Option<&AtomicU64> {
        NodeCounter::ALL.iter().position(|c| *c == counter).map(|at| &self.events[at])
    }
    /// Counts an event.
    pub fn count(&self, counter: NodeCounter) {
        if let Some(cell) = self.cell(counter) {
            cell.fetch_add(1, Relaxed);
        }
    }
    /// Counts several events.
    pub fn count_many(&self, counter: NodeCounter, times: u64) {
        if let Some(cell) = self.cell(counter) {
            cell.fetch_add(times, Relaxed);
        }
    }
    /// Counts a refusal, by its status and by its cause.
    pub fn refused(&self, refusal: &Refusal) {
        self.count(NodeCounter::Refused);
        self.by_status[refusal.status.number() as usize % STATUSES].fetch_add(1, Relaxed);
        self.by_cause[refusal.cause.number() as usize % CAUSES].fetch_add(1, Relaxed);
    }
    /// Events counted so far.
    pub fn get(&self, counter: NodeCounter) -> u64 {
        self.cell(counter).map_or(0, |cell| cell.load(Relaxed))
    }
    /// Refusals by number, `NODE_REFUSED_STATUS + status` or `NODE_REFUSED_CAUSE + cause`.
    pub fn refusals(&self, number: u32) -> Option<u64> {
        let at = |from: u32, cells: &[AtomicU64]| {
            cells.get(number.checked_sub(from)? as usize).map(|cell| cell.load(Relaxed))
        };
        at(NODE_REFUSED_CAUSE, &self.by_cause).or_else(|| at(NODE_REFUSED_STATUS, &self.by_status))
    }
}

/// The fast path's 32-bit wrapping counters, widened to 64 bits by looking at them often enough: none can count more than
/// one event a cycle, so once in 2^31 cycles is enough.
#[derive(Debug, Clone)]
pub struct HardwareCounters {
    last: Vec<u32>,
    wide: Vec<u64>,
}

/// Words of all histograms.
const CELLS: usize = Stage::ALL.len() * HISTOGRAM_BUCKETS as usize;

impl Default for HardwareCounters {
    fn default() -> HardwareCounters {
        let words = Counter::ALL.len() + CELLS;
        HardwareCounters { last: vec![0; words], wide: vec![0; words] }
    }
}

impl HardwareCounters {
    /// Takes in what the register shows now; answers the widened value.
    pub fn observe(&mut self, counter: Counter, word: u32) -> u64 {
        let Some(at) = Counter::ALL.iter().position(|c| *c == counter) else { return u64::from(word) };
        self.widen(at, word)
    }
    /// The same for a bucket of a histogram, by its index among all of them.
    pub fn observe_bucket(&mut self, index: usize, word: u32) -> u64 {
        self.widen(Counter::ALL.len() + index % CELLS, word)
    }
    fn widen(&mut self, at: usize, word: u32) -> u64 {
        self.wide[at] += u64::from(word.wrapping_sub(self.last[at]));
        self.last[at] = word;
        self.wide[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_wire::{Cause, Status};

    #[test]
    fn counters_widen_over_a_wrap() {
        let mut c = HardwareCounters::default();
        assert_eq!(c.observe(Counter::RxFrames, u32::MAX), u64::from(u32::MAX));
        assert_eq!(c.observe(Counter::RxFrames, 4), (1 << 32) + 4);
        for index in [0, CELLS - 1] {
            assert_eq!(c.observe_bucket(index, u32::MAX), u64::from(u32::MAX));
            assert_eq!(c.observe_bucket(index, 6), (1 << 32) + 6);
        }
        assert_eq!(c.observe(Counter::RxFrames, 4), (1 << 32) + 4, "each has its own word");
    }

    #[test]
    fn refusals_are_counted_by_status_and_cause() {
        let s = Stats::default();
        s.refused(&Refusal::new(Status::Quota, Cause::QuotaPages));
        s.count(NodeCounter::Opens);
        assert_eq!(s.get(NodeCounter::Refused), 1);
        assert_eq!(s.get(NodeCounter::Opens), 1);
        assert_eq!(s.refusals(NODE_REFUSED_STATUS + u32::from(Status::Quota.number())), Some(1));
        assert_eq!(s.refusals(NODE_REFUSED_CAUSE + u32::from(Cause::QuotaPages.number())), Some(1));
        assert_eq!(s.refusals(NODE_REFUSED_CAUSE + u32::from(Cause::Slots.number())), Some(0));
        assert_eq!(s.refusals(NODE_REFUSED_STATUS - 1), None);
    }
}
