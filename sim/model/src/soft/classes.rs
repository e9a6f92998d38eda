//! Rates of the service classes, and what is left of them (docs/reference/classes.md): two token buckets a class, as in the hardware, but
//! exact to the cycle. The hardware looks at each class once in 16 cycles.
use mneme_wire::Pid;

/// Service classes.
pub const CLASSES: usize = 1 << Pid::CLASS_BITS;
/// Bits of a credit behind its point, and log2 of the cycles in which a rate counts.
const FRACTION_BITS: u32 = 16;
/// Elapsed cycles that fill any bucket at any rate: 2^15 operations at one in 2^16 cycles.
const LONGEST: u64 = 1 << 33;

/// What a class may ask for: operations and lines of 64 bytes in 2^16 cycles, 0: no bound; and how much of it at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClassRate {
    /// Operations in 2^16 cycles.
    pub operations: u16,
    /// Lines in 2^16 cycles.
    pub lines: u16,
    /// log2 of the operations, and of the lines, that a quiet class may ask for at once: 0 to 15.
    pub burst_log2: u8,
}

impl ClassRate {
    /// A class of this rate may be refused.
    pub fn is_bounded(&self) -> bool {
        self.operations != 0 || self.lines != 0
    }
}

/// One bucket.
#[derive(Debug, Clone, Copy, Default)]
struct Bucket(i64);

impl Bucket {
    fn grow(&mut self, rate: u16, elapsed: u64, burst_log2: u8) {
        let most = 1i64 << (FRACTION_BITS + u32::from(burst_log2));
        // At most 2^49.
        let earned = u64::from(rate) * elapsed.min(LONGEST);
        self.0 = self.0.saturating_add(earned as i64).min(most);
    }
    fn pay(&mut self, count: u16) {
        self.0 = self.0.saturating_sub(i64::from(count) << FRACTION_BITS);
    }
    fn is_open(self, rate: u16) -> bool {
        rate == 0 || self.0 > 0
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Class {
    rate: ClassRate,
    /// The cycle for which the buckets hold.
    at: u64,
    operations: Bucket,
    lines: Bucket,
}

/// The buckets of all classes.
#[derive(Debug, Clone, Default)]
pub(super) struct ClassMeter([Class; CLASSES]);

impl ClassMeter {
    /// Gives a class its rate. It has no credit yet.
    pub fn set(&mut self, class: u8, rate: ClassRate, cycle: u64) {
        self.0[usize::from(class) % CLASSES] = Class { rate, at: cycle, ..Class::default() };
    }
    /// Lets a request of a class in, and charges it: an operation and its lines. Answers whether it may come in now.
    pub fn take(&mut self, class: u8, lines: u16, cycle: u64) -> bool {
        let Class { rate, at, operations, lines: of_lines } = &mut self.0[usize::from(class) % CLASSES];
        let elapsed = cycle.saturating_sub(*at);
        *at = cycle;
        operations.grow(rate.operations, elapsed, rate.burst_log2);
        of_lines.grow(rate.lines, elapsed, rate.burst_log2);
        let open = operations.is_open(rate.operations) && of_lines.is_open(rate.lines);
        if open {
            operations.pay(u16::from(rate.operations != 0));
            of_lines.pay(if rate.lines == 0 { 0 } else { lines });
        }
        open
    }
}

/// Lines that a request of a length costs: those of its data, and one.
pub(super) fn lines_of(length: u16) -> u16 {
    length.div_ceil(64) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn let_in(meter: &mut ClassMeter, class: u8, lines: u16, cycles: std::ops::Range<u64>) -> u64 {
        cycles.filter(|cycle| meter.take(class, lines, *cycle)).count() as u64
    }

    #[test]
    fn a_class_gets_its_rate_and_others_what_they_ask_for() {
        let mut meter = ClassMeter::default();
        meter.set(3, ClassRate { operations: 656, lines: 0, burst_log2: 4 }, 0);
        let got = let_in(&mut meter, 3, 141, 0..100_000);
        assert!((1_000..=1_002).contains(&got), "{got} of a hundredth of 100,000");
        assert_eq!(let_in(&mut meter, 4, 141, 0..100_000), 100_000, "no bound");
        meter.set(3, ClassRate::default(), 100_000);
        assert_eq!(let_in(&mut meter, 3, 1, 100_000..100_010), 10, "the bound is gone");
    }

    #[test]
    fn a_quiet_class_has_its_burst_and_pays_what_it_overdraws() {
        let mut meter = ClassMeter::default();
        meter.set(0, ClassRate { operations: 0, lines: 0x1000, burst_log2: 6 }, 0);
        assert!(!meter.take(0, 17, 0), "no credit at first");
        // 64 lines are there, and four requests of 17 are let in by them.
        assert_eq!(let_in(&mut meter, 0, 17, 1_000_000..1_000_004), 4);
        // Four are owed, and a line comes in 16 cycles.
        assert_eq!(let_in(&mut meter, 0, 17, 1_000_004..1_000_060), 0);
        assert_eq!(let_in(&mut meter, 0, 17, 1_000_060..1_000_081), 1);
    }

    #[test]
    fn the_longest_time_fills_a_bucket_and_no_more() {
        let mut meter = ClassMeter::default();
        meter.set(15, ClassRate { operations: u16::MAX, lines: 1, burst_log2: 15 }, 0);
        let got = (0..40_000).filter(|_| meter.take(15, 0, u64::MAX)).count();
        assert_eq!(got, 32_768, "all at one moment");
    }
}
