//! Latency inside a board, as a histogram of cycles.
use std::collections::BTreeMap;

use mneme_slowpath::LatencySummary;
use mneme_wire::register::HISTOGRAM_BUCKETS;

/// Latencies below are counted in a row; longer ones, of which there are few, in a tree.
const SHORT: usize = 512;
/// Longer latencies count as this many cycles, which bounds the histogram.
const LONGEST: u64 = 1 << 16;

/// Counts latencies; exact up to 65,536 cycles.
#[derive(Debug, Clone)]
pub struct LatencyHistogram {
    short: [u64; SHORT],
    long: BTreeMap<u64, u64>,
    total: u64,
}

impl Default for LatencyHistogram {
    fn default() -> Self {
        LatencyHistogram { short: [0; SHORT], long: BTreeMap::new(), total: 0 }
    }
}

impl LatencyHistogram {
    /// Counts one request.
    pub fn record(&mut self, cycles: u64) {
        match self.short.get_mut(cycles as usize) {
            Some(count) => *count += 1,
            None => *self.long.entry(cycles.min(LONGEST)).or_default() += 1,
        }
        self.total += 1;
    }
    /// The latencies that there were, in their order, with how often.
    fn counts(&self) -> impl DoubleEndedIterator<Item = (u64, u64)> {
        let short = self.short.iter().enumerate().map(|(cycles, count)| (cycles as u64, *count));
        short.filter(|(_, count)| *count > 0).chain(self.long.iter().map(|(cycles, count)| (*cycles, *count)))
    }
    /// The least latency that at least this share of the requests kept to.
    fn quantile(&self, share: f64) -> u64 {
        let rank = (share * self.total as f64).ceil() as u64;
        let mut below = 0;
        for (cycles, count) in self.counts() {
            below += count;
            if below >= rank {
                return cycles;
            }
        }
        0
    }
    /// Requests with 2^`bucket` to 2^(`bucket` + 1) − 1 cycles; bucket 0: with 0 or 1, the last bucket: all longer ones too.
    pub(crate) fn power_of_two(&self, bucket: u32) -> u64 {
        let from = if bucket == 0 { 0 } else { 1 << bucket };
        let end = if bucket + 1 == HISTOGRAM_BUCKETS { u64::MAX } else { 2 << bucket };
        self.counts().filter(|(cycles, _)| (from..end).contains(cycles)).map(|(_, count)| count).sum()
    }
    /// The summary, once there is something to summarise.
    pub fn summary(&self) -> Option<LatencySummary> {
        let (min, max) = (self.counts().next()?.0, self.counts().next_back()?.0);
        Some(LatencySummary {
            count: self.total,
            min,
            p50: self.quantile(0.5),
            p99: self.quantile(0.99),
            max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_latencies_are_one_histogram() {
        let mut histogram = LatencyHistogram::default();
        assert!(histogram.summary().is_none());
        let short = SHORT as u64;
        [3_000, short, 1 << 40, 3, short - 1, 70_000].into_iter().for_each(|cycles| histogram.record(cycles));
        let all: Vec<_> = histogram.counts().collect();
        assert_eq!(all, [(3, 1), (short - 1, 1), (short, 1), (3_000, 1), (LONGEST, 2)]);
        let summary = histogram.summary().expect("there is something");
        assert_eq!((summary.count, summary.min, summary.p50), (6, 3, short));
        assert_eq!((summary.p99, summary.max), (LONGEST, LONGEST));
        let buckets: Vec<_> = (0..HISTOGRAM_BUCKETS).map(|bucket| histogram.power_of_two(bucket)).collect();
        assert_eq!((buckets[0], buckets[1], buckets[8], buckets[9]), (0, 1, 1, 1));
        assert_eq!(buckets.iter().sum::<u64>(), 6);
    }
}
