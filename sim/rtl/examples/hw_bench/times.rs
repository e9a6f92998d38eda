//! Cycles that a request takes, in two tables: what the architecture asks for and memory takes at least, and what the pipeline as built
//! takes. Who changes the pipeline's cycles edits [`BUILT`] and docs/reference/pipeline.md.

/// Cycles beside memory's latency, which comes on top of each access.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// From a request's last beat in to the beat of the answer before the first of payload: a read that hits.
    pub read_before_payload: usize,
    /// To the answer of a write, before its first line.
    pub write_before_lines: usize,
    /// To the last beat of an atomic's answer.
    pub atomic: usize,
    /// What a miss or a first touch adds, the access to the table included.
    pub miss: usize,
    /// For which a page has its miss entry: the walk.
    pub entry: u32,
    /// And the write-back behind it.
    pub write_back: u32,
    /// For which the place of a burst in flight is taken: a read of one line, a write, an atomic with its two accesses.
    pub read_place: u32,
    /// See above.
    pub write_place: u32,
    /// See above.
    pub atomic_place: u32,
}

/// The architecture's latency goals to the last beat (16 B read 20, write and atomic 28, a miss 6 more), and an access of memory itself: it
/// answers in the cycle after it is asked at best.
pub const ASKED: Times = Times {
    read_before_payload: 19,
    write_before_lines: 27,
    atomic: 28,
    miss: 6,
    entry: 1,
    write_back: 1,
    read_place: 1,
    write_place: 1,
    atomic_place: 2,
};

/// The pipeline as built (docs/reference/pipeline.md, "Seam by seam", "vm.Translation", "mem.MemoryAccess").
pub const BUILT: Times = Times {
    read_before_payload: 18,
    write_before_lines: 25,
    atomic: 28,
    miss: 6,
    entry: 10,
    write_back: 1,
    read_place: 4,
    write_place: 6,
    atomic_place: 8,
};
