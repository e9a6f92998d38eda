//! Latency inside a board, as a histogram of cycles.
use std::collections::BTreeMap;

use mneme_slowpath::LatencySummary;
use mneme_wire::register::HISTOGRAM_BUCKETS;

/// Longer latencies count as this many cycles, which bounds the histogram.
const LONGEST: u64 = 1 << 16;

/// Counts latencies; exact up to 65,536 cycles.
#[derive(Debug, Clone, Default)]
pub struct LatencyHistogram {
    counts: BTreeMap<u64, u64>,
    total: u64,
}

impl LatencyHistogram {
    /// Counts one request.
    pub fn record(&mut self, cycles: u64) {
        *self.counts.entry(cycles.min(LONGEST)).or_default() += 1;
        self.total += 1;
    }
    /// The least latency that at least this share of the requests kept to.
    fn quantile(&self, share: f64) -> u64 {
        let rank = (share * self.total as f64).ceil() as u64;
        let mut below = 0;
        for (cycles, count) in &self.counts {
            below += count;
            if below >= rank {
                return *cycles;
            }
        }
        0
    }
    /// Requests with 2^`bucket` to 2^(`bucket` + 1) − 1 cycles; bucket 0: with 0 or 1, the last bucket: all longer ones too.
    pub fn power_of_two(&self, bucket: u32) -> u64 {
        let from = if bucket == 0 { 0 } else { 1 << bucket };
        let end = if bucket + 1 == HISTOGRAM_BUCKETS { u64::MAX } else { 2 << bucket };
        self.counts.range(from..end).map(|(_, count)| count).sum()
    }
    /// The summary, once there is something to summarise.
    pub fn summary(&self) -> Option<LatencySummary> {
        let (min, max) = (*self.counts.first_key_value()?.0, *self.counts.last_key_value()?.0);
        Some(LatencySummary {
            count: self.total,
            min,
            p50: self.quantile(0.5),
            p99: self.quantile(0.99),
            max,
        })
    }
}
