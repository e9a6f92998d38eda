//! Latency inside a board, as a histogram of cycles.
use std::collections::BTreeMap;

use mneme_slowpath::LatencySummary;

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
