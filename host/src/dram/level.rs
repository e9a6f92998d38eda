//! Finds when the bits of each byte of the chip are to be sampled: patterns are written and read back with every delay and every slip,
//! and the middle of the widest row of delays that read them right is taken.
use std::time::Duration;

use super::csr::{READ_PHASE, WRITE_PHASE};
use super::{Controller, Csr, DramError, PHASES, bits};

/// Bytes of the chip, each with a strobe of its own.
pub const MODULES: usize = 2;
/// Delays of a byte's strobe.
pub const DELAYS: usize = 8;
/// Places where a burst's bits may stand.
pub const SLIPS: usize = 4;
/// What is written and read back with each setting: a bit that is read at the wrong time differs in one of them.
const PATTERNS: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0x0123_4567_89ab_cdef, 0xff00_5a3c_c3a5_00ff];
/// The last look is taken with others.
const CHECKS: [u64; 8] = [
    0,
    u64::MAX,
    0x5555_aaaa_5555_aaaa,
    0xaaaa_5555_aaaa_5555,
    0x00ff_ff00_00ff_ff00,
    0xdead_beef_0bad_cafe,
    0x8000_0001_4000_0002,
    0x1357_9bdf_0246_8ace,
];
/// tRCD, tWR, tRP: less than an exchange of frames takes; a chip at the slowest has 15 ns.
const SETTLE: Duration = Duration::from_micros(1);

/// What was found for a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// The slip.
    pub slip: usize,
    /// The delay.
    pub delay: usize,
    /// How many delays in a row read it right: the more, the better.
    pub width: usize,
}

/// The bits of a phase's 64 that are a byte's: 4 beats of 16.
fn lanes(module: usize) -> u64 {
    0x00ff_00ff_00ff_00ff << (8 * module)
}

/// The two halves of the burst that a pattern is.
fn halves(pattern: u64) -> [u64; 2] {
    [pattern, pattern.rotate_left(23) ^ 0x6996_c33c_a55a_0ff0]
}

impl Controller<'_> {
    /// Does something with the delays of one byte. All bytes' strobes begin anew afterwards, together.
    fn adjust(&mut self, module: usize, what: Csr) -> Result<(), DramError> {
        self.write(Csr::Select, 1 << module)?;
        self.write(what, 1)?;
        for selected in [0, (1 << MODULES) - 1, 0] {
            self.write(Csr::Select, selected)?;
        }
        Ok(())
    }

    /// Writes a burst, reads it back: the bits of each half that differ, and the bytes whose strobe came.
    fn round(&mut self, pattern: u64) -> Result<([u64; 2], u32), DramError> {
        let wrote = halves(pattern);
        self.command(0, 0, 0, bits::RAS | bits::CS)?;
        self.pause(SETTLE);
        for (phase, half) in PHASES.iter().zip(wrote) {
            self.write_long(phase.write, half)?;
        }
        self.command(WRITE_PHASE, 0, 0, bits::CAS | bits::WE | bits::CS | bits::WRITES)?;
        self.pause(SETTLE);
        self.write(Csr::BurstsClear, 1)?;
        self.command(READ_PHASE, 0, 0, bits::CAS | bits::CS | bits::READS)?;
        self.pause(SETTLE);
        let mut wrong = wrote;
        for (phase, half) in PHASES.iter().zip(&mut wrong) {
            *half ^= self.read_long(phase.read)?;
        }
        let seen = self.read(Csr::BurstsSeen)?;
        self.command(0, 0, 0, bits::RAS | bits::WE | bits::CS)?;
        self.pause(SETTLE);
        Ok((wrong, seen))
    }

    /// Whether a byte is read right as it is set.
    fn reads_right(&mut self, module: usize) -> Result<bool, DramError> {
        for pattern in PATTERNS {
            let (wrong, seen) = self.round(pattern)?;
            if (wrong[0] | wrong[1]) & lanes(module) != 0 || seen & 1 << module == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The widest row of delays that read right, its first one's slip and delay.
fn widest(scan: &[[bool; DELAYS]; SLIPS]) -> Option<Level> {
    let mut best: Option<Level> = None;
    for (slip, row) in scan.iter().enumerate() {
        let mut first = 0;
        for (delay, right) in row.iter().enumerate() {
            if !right {
                first = delay + 1;
                continue;
            }
            let width = delay + 1 - first;
            if best.is_none_or(|best| width > best.width) {
                best = Some(Level { slip, delay: first + width / 2, width });
            }
        }
    }
    best
}

fn map(scan: &[[bool; DELAYS]; SLIPS]) -> String {
    let row = |row: &[bool; DELAYS]| row.map(|right| if right { "1" } else { "0" }).concat();
    scan.iter().map(row).collect::<Vec<_>>().join(" ")
}

/// Levels all bytes.
pub(super) fn level(controller: &mut Controller<'_>) -> Result<[Level; MODULES], DramError> {
    let mut levels = [Level { slip: 0, delay: 0, width: 0 }; MODULES];
    for (module, found) in levels.iter_mut().enumerate() {
        let mut scan = [[false; DELAYS]; SLIPS];
        controller.adjust(module, Csr::SlipReset)?;
        for (slip, row) in scan.iter_mut().enumerate() {
            if slip > 0 {
                controller.adjust(module, Csr::SlipNext)?;
            }
            controller.adjust(module, Csr::DelayReset)?;
            for (delay, right) in row.iter_mut().enumerate() {
                if delay > 0 {
                    controller.adjust(module, Csr::DelayNext)?;
                }
                *right = controller.reads_right(module)?;
            }
        }
        *found = widest(&scan).ok_or_else(|| DramError::Unreadable { module, map: map(&scan) })?;
        for (reset, next, count) in
            [(Csr::SlipReset, Csr::SlipNext, found.slip), (Csr::DelayReset, Csr::DelayNext, found.delay)]
        {
            controller.adjust(module, reset)?;
            for _ in 0..count {
                controller.adjust(module, next)?;
            }
        }
    }
    for pattern in CHECKS {
        let (wrong, seen) = controller.round(pattern)?;
        if wrong != [0; 2] || seen != (1 << MODULES) - 1 {
            return Err(DramError::Unsteady { wrong: wrong[0] | wrong[1] });
        }
    }
    Ok(levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(rows: [&str; SLIPS]) -> [[bool; DELAYS]; SLIPS] {
        rows.map(|row| std::array::from_fn(|at| row.as_bytes()[at] == b'1'))
    }

    #[test]
    fn the_middle_of_the_widest_row_is_taken() {
        let none = "00000000";
        let found = |rows| widest(&scan(rows)).map(|level| (level.slip, level.delay, level.width));
        assert_eq!(found([none; 4]), None);
        assert_eq!(found([none, "00111110", none, none]), Some((1, 4, 5)));
        assert_eq!(found(["11000000", none, none, "00000111"]), Some((3, 6, 3)));
        // Rows that were told by chance, and a gap.
        assert_eq!(found(["10110000", "01111000", "00000001", none]), Some((1, 3, 4)));
        assert_eq!(found([none, none, none, "11111111"]), Some((3, 4, 8)));
        assert_eq!(map(&scan([none, "00111110", none, none])), "00000000 00111110 00000000 00000000");
    }

    #[test]
    fn patterns_have_both_values_of_every_line_and_differ_when_they_are_late_by_a_beat() {
        for module in 0..MODULES {
            let burst = |pattern: u64| -> Vec<u8> {
                let beats = halves(pattern)
                    .into_iter()
                    .flat_map(|half| (0..4).map(move |n| (half >> (16 * n)) as u16));
                beats.map(|beat| (beat >> (8 * module)) as u8).collect()
            };
            for line in 0..8 {
                let levels: Vec<u8> =
                    PATTERNS.iter().flat_map(|p| burst(*p)).map(|byte| byte >> line & 1).collect();
                assert!(levels.contains(&0) && levels.contains(&1), "line {line} of byte {module}");
            }
            for slip in 1..4 {
                assert!(PATTERNS.iter().any(|p| {
                    let b = burst(*p);
                    let mut late = b.clone();
                    late.rotate_left(slip);
                    late != b
                }));
            }
        }
    }
}
