//! DRAM that fails.
use std::ops::Range;

use super::SoftFast;
use crate::port::BadMemory;
use crate::soft::LineFault;

impl BadMemory for SoftFast {
    fn fail_lines(&mut self, lines: Range<u64>, fault: LineFault) {
        self.model.bad_lines.add(lines, fault);
    }
    fn fail_table(&mut self, _chance: u32, _most: u32) {}
}
