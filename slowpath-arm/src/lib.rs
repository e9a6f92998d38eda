//! The memory node's slow path (architecture §6): processes, virtual addresses, physical pages, the answers to slow
//! requests. A state machine: time and I/O are passed in, the fast path is behind the [`FastPath`] trait.
#![forbid(unsafe_code)]

mod fast_path;

pub use fast_path::{FastPath, LatencySummary, RingFull};
