//! Round-trip estimate and retransmission timeout (RFC 6298).
use std::time::Duration;

/// Smoothed round trip and its variation. Each answer names its attempt, so retried operations give samples too.
#[derive(Debug, Clone, Default)]
pub struct RttEstimator {
    /// Mean and variation in nanoseconds.
    smoothed: Option<(u64, u64)>,
}

impl RttEstimator {
    /// Takes one round trip.
    #[inline]
    pub fn sample(&mut self, rtt: Duration) {
        // Far from overflow: a round trip is shorter than a century.
        let rtt = u64::try_from(rtt.as_nanos()).unwrap_or(u64::MAX).min(1 << 60);
        self.smoothed = Some(match self.smoothed {
            None => (rtt, rtt / 2),
            Some((mean, variation)) => {
                let deviation = rtt.abs_diff(mean);
                ((mean * 7 + rtt) / 8, (variation * 3 + deviation) / 4)
            }
        });
    }
    /// The smoothed round trip, once one was measured.
    #[inline]
    pub fn smoothed(&self) -> Option<Duration> {
        self.smoothed.map(|(mean, _)| Duration::from_nanos(mean))
    }
    /// Mean plus four variations, or `first` before the first sample.
    #[inline]
    pub fn timeout(&self, first: Duration) -> Duration {
        self.timeout_ns().map_or(first, Duration::from_nanos)
    }
    /// Mean plus four variations in nanoseconds, once a round trip was measured.
    #[inline]
    pub(super) fn timeout_ns(&self) -> Option<u64> {
        self.smoothed.map(|(mean, variation)| mean + variation * 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_rfc_6298() {
        let ms = Duration::from_millis;
        let mut rtt = RttEstimator::default();
        assert_eq!(rtt.timeout(ms(70)), ms(70));
        rtt.sample(ms(80));
        assert_eq!(rtt.timeout(ms(70)), ms(80 + 4 * 40));
        rtt.sample(ms(160));
        assert_eq!(rtt.smoothed(), Some(ms(90)));
        assert_eq!(rtt.timeout(ms(70)), ms(90 + 4 * 50));
        for _ in 0..100 {
            rtt.sample(ms(10));
        }
        assert!(rtt.timeout(ms(70)) < ms(12));
    }
}
