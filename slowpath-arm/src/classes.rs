//! Rates of the service classes (docs/reference/classes.md): told in operations and bytes a second, kept by the fast path in units of
//! 2^16 cycles.
use crate::fast_path::FastPath;
use mneme_wire::{Pid, Register};

/// Service classes.
pub const CLASSES: usize = 1 << Pid::CLASS_BITS;
/// Bytes of a line, in which the fast path counts.
const LINE: u64 = 64;
/// log2 of the cycles in which a rate counts.
const ROUND_LOG2: u32 = 16;

/// What a service class may ask of the fast path.
///
/// A request is one operation, and as many bytes as the longer of request and answer has in lines of 64, and a line more. What the
/// hardware can't tell apart is rounded up: a rate is at least one operation, or line, in 2^16 cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassRate {
    /// Operations a second; 0: no bound.
    pub operations: u64,
    /// Bytes a second; 0: no bound.
    pub bytes: u64,
    /// Operations, and lines of 64 bytes, that a quiet class may ask for at once: rounded up to a power of two, at most 32,768.
    pub burst: u32,
}

impl Default for ClassRate {
    /// No bound.
    fn default() -> ClassRate {
        ClassRate { operations: 0, bytes: 0, burst: 256 }
    }
}

impl ClassRate {
    /// The words of CLASS_RATE and CLASS_COMMIT for a class of a board whose cycle lasts `tick_ns / 2^tick_log2` ns.
    fn words(&self, class: usize, tick_ns: u32, tick_log2: u32) -> (u32, u32) {
        let units = |a_second: u64| {
            let ns = u128::from(tick_ns) << ROUND_LOG2;
            let units = (u128::from(a_second) * ns).div_ceil(1_000_000_000 << tick_log2);
            units.min(u16::MAX.into()) as u32
        };
        let lines = units(self.bytes.div_ceil(LINE));
        let burst = self.burst.max(1).checked_next_power_of_two().map_or(15, u32::ilog2).min(15);
        (lines << 16 | units(self.operations), burst << 8 | class as u32)
    }
}

/// Gives the fast path the rates of all classes.
pub(crate) fn write<F: FastPath + ?Sized>(
    rates: &[ClassRate; CLASSES],
    (tick_ns, tick_log2): (u32, u32),
    fp: &mut F,
) {
    for (class, rate) in rates.iter().enumerate() {
        let (rate, commit) = rate.words(class, tick_ns, tick_log2);
        fp.write_register(Register::ClassRate, rate);
        fp.write_register(Register::ClassCommit, commit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hardware's tick: 2,048 cycles of 4 ns.
    const TICK: (u32, u32) = (8192, 11);

    fn words(operations: u64, bytes: u64, burst: u32) -> (u32, u32) {
        ClassRate { operations, bytes, burst }.words(3, TICK.0, TICK.1)
    }

    #[test]
    fn rates_are_units_of_65536_cycles_rounded_up() {
        // A unit is 3,814.7 operations a second, or 244,141 bytes.
        assert_eq!(words(3_814, 0, 256).0, 1);
        assert_eq!(words(3_815, 0, 256).0, 2);
        assert_eq!(words(1_000_000, 244_140_608, 256).0, 1_000 << 16 | 263);
        assert_eq!(words(0, 0, 256).0, 0, "no bound");
        assert_eq!(
            words(u64::MAX, 1, 256).0,
            1 << 16 | 0xffff,
            "more than a board does, and less than it can tell"
        );
    }

    #[test]
    fn bursts_are_powers_of_two() {
        let burst = |burst| words(1, 1, burst).1;
        assert_eq!([0, 1, 3, 256, 40_000, u32::MAX].map(burst), [3, 3, 0x203, 0x803, 0xf03, 0xf03]);
    }
}
