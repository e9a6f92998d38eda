//! Round-trip estimate and retransmission timeout (RFC 6298).
use super::nanos::Nanos;

/// Smoothed round trip and its variation. Each answer names its attempt, so retried operations give samples too.
#[derive(Debug, Clone, Default)]
pub(super) struct RttEstimator {
    /// Mean and variation in nanoseconds.
    smoothed: Option<(u64, u64)>,
}

impl RttEstimator {
    /// Takes one round trip.
    #[inline]
    pub(super) fn sample(&mut self, rtt: Nanos) {
        // Far from overflow: a round trip is shorter than a century.
        let rtt = rtt.0.min(1 << 60);
        self.smoothed = Some(match self.smoothed {
            None => (rtt, rtt / 2),
            Some((mean, variation)) => {
                let deviation = rtt.abs_diff(mean);
                ((mean * 7 + rtt) / 8, (variation * 3 + deviation) / 4)
            }
        });
    }
    /// Mean plus four variations, once a round trip was measured.
    #[inline]
    pub(super) fn timeout(&self) -> Option<Nanos> {
        self.smoothed.map(|(mean, variation)| Nanos(mean + variation * 4))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_rfc_6298() {
        let ms = |count: u64| count * Nanos::from_micros(1_000);
        let mut rtt = RttEstimator::default();
        assert_eq!(rtt.timeout(), None);
        rtt.sample(ms(80));
        assert_eq!(rtt.timeout(), Some(ms(80 + 4 * 40)));
        rtt.sample(ms(160));
        assert_eq!(rtt.timeout(), Some(ms(90 + 4 * 50)));
        for _ in 0..100 {
            rtt.sample(ms(10));
        }
        assert!(rtt.timeout() < Some(ms(12)));
    }
}
