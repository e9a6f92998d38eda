//! Two tables on one ring of frames, as programs of chains begin.
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use mneme_rdma::memory::Access;
use mneme_rdma::node::{FRAME, Leaf, NoMemory, Node, SegmentConfig};
use mneme_rdma::responder::Limits;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// The ring's first frame.
const BASE: u64 = 0x100 * FRAME;
/// Pages of each table.
pub(crate) const PAGES: u32 = 16;

/// What is drawn of them.
pub(crate) struct Draw {
    /// Frames of the ring.
    pub frames: u64,
    /// Frames that a table may have.
    pub budgets: RangeInclusive<u32>,
    /// One table in so many may only be read, and one only written to.
    pub rare: u32,
}

/// A node with both, and how the program of a seed tells of them.
pub(crate) fn two(rng: &mut ChaCha8Rng, seed: u64, draw: &Draw) -> (Node<NoMemory>, String) {
    let frames = draw.frames;
    let mut leaf = Leaf::new(BASE, frames as usize);
    leaf.push_run(BASE, frames).expect("they are new");
    let mut text = format!("program {seed}\nring {frames:x}\n");
    for (number, pid) in [7, 8].into_iter().enumerate() {
        let (va, budget) = (0x4000_0000, rng.random_range(draw.budgets.clone()));
        let (access, rights) = match rng.random_range(0..draw.rare) {
            0 => (Access::READ, 1),
            1 => (Access::WRITE, 2),
            _ => (Access::ALL, 3),
        };
        leaf.create(SegmentConfig { pid, va, entries: PAGES, budget, access }).expect("a new segment");
        // A string takes everything.
        let _ = writeln!(text, "segment {number:x} {pid:x} {PAGES:x} {budget:x} {rights:x}");
    }
    (Node::new(Limits::default(), NoMemory, leaf), text)
}
