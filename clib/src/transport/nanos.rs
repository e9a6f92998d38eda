//! Times and spans inside of the transport: whole nanoseconds in one word.
//!
//! A [`Duration`] has two, and every sum, difference and comparison of it takes several steps; there are dozens of them
//! in a packet's life. The transport converts at its border.
use std::ops::{Add, AddAssign, Div, Mul, Sub};
use std::time::Duration;

/// A moment or a span in nanoseconds. Sums and products end at 584 years, differences at zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Nanos(pub(super) u64);

impl Nanos {
    pub(super) const ZERO: Nanos = Nanos(0);
    /// Never.
    pub(super) const MAX: Nanos = Nanos(u64::MAX);

    pub(super) const fn from_micros(micros: u64) -> Nanos {
        Nanos(micros.saturating_mul(1_000))
    }
    pub(super) fn mul_f64(self, by: f64) -> Nanos {
        Nanos((self.0 as f64 * by) as u64)
    }
    pub(super) fn div_f64(self, by: f64) -> Nanos {
        Nanos((self.0 as f64 / by) as u64)
    }
}

impl From<Duration> for Nanos {
    #[inline]
    fn from(span: Duration) -> Nanos {
        Nanos(span.as_secs().saturating_mul(1_000_000_000).saturating_add(span.subsec_nanos().into()))
    }
}
impl From<Nanos> for Duration {
    #[inline]
    fn from(span: Nanos) -> Duration {
        Duration::from_nanos(span.0)
    }
}
impl Add for Nanos {
    type Output = Nanos;
    #[inline]
    fn add(self, other: Nanos) -> Nanos {
        Nanos(self.0.saturating_add(other.0))
    }
}
impl AddAssign for Nanos {
    #[inline]
    fn add_assign(&mut self, other: Nanos) {
        *self = *self + other;
    }
}
impl Sub for Nanos {
    type Output = Nanos;
    #[inline]
    fn sub(self, other: Nanos) -> Nanos {
        Nanos(self.0.saturating_sub(other.0))
    }
}
impl Mul<Nanos> for u64 {
    type Output = Nanos;
    #[inline]
    fn mul(self, span: Nanos) -> Nanos {
        Nanos(self.saturating_mul(span.0))
    }
}
impl Div<u64> for Nanos {
    type Output = Nanos;
    #[inline]
    fn div(self, by: u64) -> Nanos {
        Nanos(self.0 / by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_same_time_as_a_duration_as_far_as_it_reaches() {
        for span in [Duration::ZERO, Duration::new(5, 999_999_999), Duration::from_nanos(u64::MAX)] {
            assert_eq!(Duration::from(Nanos::from(span)), span);
        }
        for span in [Duration::MAX, Duration::from_nanos(u64::MAX) + Duration::from_nanos(1)] {
            assert_eq!(Nanos::from(span), Nanos::MAX, "a patience without end has none");
        }
        let mut late = Nanos(3);
        late += Nanos::MAX;
        assert_eq!((late, Nanos(3) - Nanos(4), 3 * Nanos::MAX), (Nanos::MAX, Nanos::ZERO, Nanos::MAX));
        assert_eq!((Nanos(7) + Nanos(5) - Nanos(2)) / 3, Nanos(3));
        assert_eq!((Nanos(10).mul_f64(1.5), Nanos(10).div_f64(0.25)), (Nanos(15), Nanos(40)));
    }
}
