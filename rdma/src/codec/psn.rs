//! Packet sequence numbers: 24 bits, compared around the wrap (IBTA volume 1, 9.7.1).
use core::fmt;

/// A packet sequence number.
///
/// ```
/// use mneme_rdma::codec::Psn;
///
/// let last = Psn::from_low_bits(0xff_ffff);
/// assert_eq!(last.plus(2), Psn::from_low_bits(1));
/// assert_eq!(last.plus(2).since(last), 2);
/// assert!(last.is_before(Psn::from_low_bits(1)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Psn(u32);

impl Psn {
    /// Bits of a number.
    pub const BITS: u32 = 24;
    /// How many numbers there are.
    pub const COUNT: u32 = 1 << Self::BITS;
    /// Numbers less than this far ahead count as ahead, all others as behind.
    pub const HALF: u32 = Self::COUNT / 2;

    /// The low 24 bits of a number.
    pub const fn from_low_bits(number: u32) -> Psn {
        Psn(number & (Self::COUNT - 1))
    }
    /// The number, below 2^24.
    pub const fn number(self) -> u32 {
        self.0
    }
    /// The number so many packets later.
    pub const fn plus(self, packets: u32) -> Psn {
        Psn::from_low_bits(self.0.wrapping_add(packets))
    }
    /// The number so many packets earlier.
    pub const fn minus(self, packets: u32) -> Psn {
        Psn::from_low_bits(self.0.wrapping_sub(packets))
    }
    /// Packets from `earlier` to this one, 0 to 2^24 - 1.
    pub const fn since(self, earlier: Psn) -> u32 {
        self.minus(earlier.0).0
    }
    /// Whether this number lies in the half of the circle behind `other`.
    pub const fn is_before(self, other: Psn) -> bool {
        self.since(other) >= Self::HALF
    }
}

impl fmt::Debug for Psn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#08x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Psn;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn order_and_distance_hold_across_the_wrap(start in 0..Psn::COUNT, ahead in 0..Psn::HALF) {
            let (early, late) = (Psn::from_low_bits(start), Psn::from_low_bits(start).plus(ahead));
            prop_assert_eq!(late.since(early), ahead);
            prop_assert_eq!(late.minus(ahead), early);
            prop_assert!(!late.is_before(early));
            prop_assert_eq!(early.is_before(late), ahead > 0);
        }
    }

    #[test]
    fn the_number_half_a_circle_away_counts_as_behind() {
        let here = Psn::from_low_bits(5);
        assert!(!here.plus(Psn::HALF - 1).is_before(here));
        assert!(here.plus(Psn::HALF).is_before(here));
    }
}
