//! Boards that stand in a yard: they can be reset under load, and their memory can be told to fail.
use std::ops::Range;

use mneme_model::port::{BadMemory, NetworkPort};
use mneme_model::soft::LineFault;
use mneme_model::{BoardShape, SoftFast};
use mneme_rtl::{RtlConfig, RtlFast, RtlOptions};
use mneme_slowpath::FastPath;

/// A board of any kind.
pub trait Ground: FastPath + NetworkPort + BadMemory + Send + Sized + 'static {
    /// What the BOARD_KIND counter tells.
    const NUMBER: u32;
    /// Its build parameters.
    fn shape(&self) -> BoardShape;
    /// Resets the core at once, under whatever traffic there is. `dead` lines of every page stay dead.
    fn reset(self, dead: &Range<u64>) -> Self;
    /// Whether its clock goes on over a reset.
    const CLOCK_GOES_ON: bool;
    /// Whether it frees every entry of its retry filter, and counts that.
    const FREES_ENTRIES: bool;
}

impl Ground for SoftFast {
    const NUMBER: u32 = 1;
    const CLOCK_GOES_ON: bool = false;
    const FREES_ENTRIES: bool = false;
    fn shape(&self) -> BoardShape {
        *SoftFast::shape(self)
    }
    fn reset(self, dead: &Range<u64>) -> SoftFast {
        let mut fresh = SoftFast::new(Ground::shape(&self)).expect("a shape that was sound before");
        if !dead.is_empty() {
            fresh.fail_lines(dead.clone(), LineFault::DEAD);
        }
        fresh
    }
}

/// Cycles that a reset of the RTL lasts.
const RESET_CYCLES: u64 = 3;

impl Ground for RtlFast {
    const NUMBER: u32 = 2;
    const CLOCK_GOES_ON: bool = true;
    const FREES_ENTRIES: bool = true;
    fn shape(&self) -> BoardShape {
        *RtlFast::shape(self)
    }
    fn reset(mut self, _dead: &Range<u64>) -> RtlFast {
        self.reset_core(RESET_CYCLES);
        self
    }
}

/// The Verilated board of a configuration; its handshakes outside are held back with this chance.
pub fn rtl(board: RtlConfig, memory: u64, stalls: f64, seed: u64) -> RtlFast {
    let built = 1 << board.shape().mem_bits;
    let options = RtlOptions {
        memory_limit: memory.min(built),
        stall_seed: seed,
        stall_probability: stalls,
        ..RtlOptions::new(board)
    };
    RtlFast::new(options).expect("a kept board starts")
}

/// The software board of a shape.
pub fn soft(shape: BoardShape, memory: u64) -> SoftFast {
    let shape = shape.with_memory(memory.min(1 << shape.mem_bits)).expect("a sound size");
    SoftFast::new(shape).expect("a sound shape")
}
