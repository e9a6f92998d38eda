//! Counts operations, and how long each took.
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

/// A longer operation counts as this one.
const LONGEST_NS: u64 = 60_000_000_000;
/// Shares of operations at which a curve of latencies has its points.
const CURVE: [f64; 25] = [
    0.001, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75,
    0.8, 0.85, 0.9, 0.95, 0.975, 0.99, 0.999,
];

/// Nanoseconds of each operation.
pub fn latencies() -> Histogram<u64> {
    Histogram::new_with_bounds(1, LONGEST_NS, 3).expect("constant bounds are valid")
}

/// Shares of operations that took no longer than so many microseconds.
pub fn cumulative(latency: &Histogram<u64>) -> Vec<(f64, f64)> {
    CURVE.iter().map(|share| (latency.value_at_quantile(*share) as f64 / 1e3, *share)).collect()
}

/// What was measured.
#[derive(Debug)]
pub struct Run {
    /// Operations per second.
    pub rate: f64,
    /// Nanoseconds of each.
    pub latency: Histogram<u64>,
}

/// Measures for a time, after a tenth of it for warming up.
pub struct Meter {
    from: Instant,
    until: Instant,
    done: u64,
    latency: Histogram<u64>,
}

impl Meter {
    /// From now on.
    pub fn new(time: Duration) -> Meter {
        Meter::since(Instant::now(), time)
    }
    /// For those who are measured together: a time of each one's own would give the last one what the others leave.
    pub fn since(began: Instant, time: Duration) -> Meter {
        let from = began + time / 10;
        Meter { from, until: from + time, done: 0, latency: latencies() }
    }
    /// An operation has ended.
    pub fn ended(&mut self, began: Instant, now: Instant) {
        if now >= self.from && now < self.until {
            self.done += 1;
            self.latency.saturating_record((now - began).as_nanos() as u64);
        }
    }
    /// Whether the time is over.
    pub fn is_over(&self, now: Instant) -> bool {
        now >= self.until
    }
    /// What has been measured.
    pub fn run(self) -> Run {
        Run { rate: self.done as f64 / (self.until - self.from).as_secs_f64(), latency: self.latency }
    }
}
