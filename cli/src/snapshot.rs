//! Everything that a board counts, for people and for programs.
use mneme_clib::NodeCounter;
use mneme_wire::register::HISTOGRAM_BUCKETS;
use mneme_wire::{Counter, Mark, Stage};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The time that requests spent in one stage, in cycles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Histogram {
    /// Requests counted.
    pub requests: u64,
    /// No more than this for half of them: the upper end of a bucket.
    pub p50_at_most: u64,
    /// No more than this for 99 of 100.
    pub p99_at_most: u64,
    /// No more than this for all.
    pub max_at_most: u64,
    /// Requests with 0 or 1 cycles, with 2 or 3, 4 to 7, and so on in powers of two.
    pub buckets: Vec<u64>,
}

/// All counters of a board, read one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Snapshot {
    /// Events since the board started, and figures of its slow path, by name.
    pub counters: BTreeMap<&'static str, u64>,
    /// High-water marks of its queues; 0 also on boards that keep none.
    pub marks: BTreeMap<&'static str, u64>,
    /// Times by stage; without requests on boards that do not measure the stage.
    pub stages: BTreeMap<&'static str, Histogram>,
}

impl Histogram {
    fn new(buckets: Vec<u64>) -> Histogram {
        let requests: u64 = buckets.iter().sum();
        let at_most = |share: u64| {
            let (mut below, rank) = (0, (requests * share).div_ceil(100).max(1));
            let reached = buckets.iter().position(|count| {
                below += count;
                below >= rank
            });
            reached.map_or(0, |bucket| (2 << bucket) - 1)
        };
        let (p50_at_most, p99_at_most, max_at_most) = (at_most(50), at_most(99), at_most(100));
        Histogram { requests, p50_at_most, p99_at_most, max_at_most, buckets }
    }
    /// One line for each bucket that is not empty.
    fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let filled = self.buckets.iter().enumerate().filter(|(_, count)| **count > 0);
        filled.map(|(bucket, count)| {
            let from = if bucket == 0 { 0 } else { 1u64 << bucket };
            format!("{count:>14}    {from} to {} cycles", (2u64 << bucket) - 1)
        })
    }
}

impl Snapshot {
    /// Reads everything by number.
    pub fn of(mut read: impl FnMut(u32) -> u64) -> Snapshot {
        let counters = Counter::ALL.iter().map(|counter| (counter.name(), *counter as u32));
        let node = NodeCounter::ALL.iter().map(|counter| (counter.name(), *counter as u32));
        let short = |name: &'static str, prefix| name.strip_prefix(prefix).unwrap_or(name);
        Snapshot {
            counters: counters.chain(node).map(|(name, number)| (name, read(number))).collect(),
            marks: Mark::ALL.iter().map(|mark| (short(mark.name(), "MARK_"), read(*mark as u32))).collect(),
            stages: Stage::ALL
                .iter()
                .map(|stage| {
                    let buckets = (0..HISTOGRAM_BUCKETS).map(|bucket| read(stage.bucket(bucket))).collect();
                    (short(stage.name(), "STAGE_"), Histogram::new(buckets))
                })
                .collect(),
        }
    }

    /// A table; zeros are left out unless asked for.
    pub fn text(&self, zeros: bool) -> String {
        let mut text = String::new();
        let shown = |value: &u64| zeros || *value > 0;
        let numbers = self.counters.iter().filter(|(name, _)| **name != NodeCounter::BoardKind.name());
        for (name, value) in numbers.filter(|(_, value)| shown(value)) {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{value:>14}  {name}");
        }
        for (name, value) in self.marks.iter().filter(|(_, value)| shown(value)) {
            let _ = writeln!(text, "{value:>14}  most: {name}");
        }
        for stage in Stage::ALL {
            let name = stage.name().strip_prefix("STAGE_").unwrap_or(stage.name());
            let Some(histogram) = self.stages.get(name).filter(|histogram| shown(&histogram.requests)) else {
                continue;
            };
            let Histogram { requests, p50_at_most, p99_at_most, .. } = histogram;
            let _ = writeln!(
                text,
                "{requests:>14}  requests by time: {name}, half at most {p50_at_most} cycles, 99% at most {p99_at_most}"
            );
            for line in histogram.lines() {
                let _ = writeln!(text, "{line}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_read_once_and_shown_when_it_is_not_zero() {
        let mut asked = Vec::new();
        let snapshot = Snapshot::of(|number| {
            asked.push(number);
            match number {
                n if n == Counter::TlbHit as u32 => 7,
                n if n == Mark::Memory as u32 => 5,
                n if n == Stage::Whole.bucket(4) => 98,
                n if n == Stage::Whole.bucket(9) => 2,
                _ => 0,
            }
        });
        let words = Counter::ALL.len() + NodeCounter::ALL.len() + Mark::ALL.len() + 16 * Stage::ALL.len();
        asked.sort_unstable();
        asked.dedup();
        assert_eq!(asked.len(), words);
        let whole = &snapshot.stages["WHOLE"];
        assert_eq!(
            (whole.requests, whole.p50_at_most, whole.p99_at_most, whole.max_at_most),
            (100, 31, 1023, 1023)
        );
        let expected = "             7  TLB_HIT\n             5  most: MEMORY\n           100  requests by time: WHOLE, half at most 31 cycles, \
                        99% at most 1023\n            98    16 to 31 cycles\n             2    512 to 1023 cycles\n";
        assert_eq!(snapshot.text(false), expected);
        assert!(snapshot.text(true).lines().count() > Counter::ALL.len() + NodeCounter::ALL.len());
        assert_eq!(Histogram::new(vec![0; 16]).p99_at_most, 0);
    }
}
