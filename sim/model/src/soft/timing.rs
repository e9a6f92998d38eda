//! How long the software board takes for its steps. Nothing of what it decides depends on these numbers, except through
//! the tick and through what is full at the moment.

/// Durations in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// From a frame's last beat to its dispatch and filter decision.
    pub dispatch: u64,
    /// From there to the answer's first beat, memory apart.
    pub pipeline: u64,
    /// One access to DRAM; a walk takes another.
    pub memory: u64,
    /// Each request takes up to this many cycles more, at random.
    pub jitter: u64,
    /// A register access over the bus.
    pub register: u64,
    /// Zeroing 64 bytes.
    pub zero_beat: u64,
    /// Seed of the jitter.
    pub seed: u64,
}

impl Default for Timing {
    /// About the figures of architecture §5, with a DRAM of 25 cycles.
    fn default() -> Self {
        Timing { dispatch: 6, pipeline: 14, memory: 25, jitter: 0, register: 8, zero_beat: 1, seed: 0 }
    }
}
