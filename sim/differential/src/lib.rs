//! The differential test: the same frames and commands to a board and to the golden model, everything compared.
//!
//! `generate` and `spoil` make frames, `control` and `commands` what the slow path does, `run` drives both, `replay` lets
//! the model follow the board's commits, `compare` looks at counters and memory when the board is quiet. `roce` does the same for a
//! board's RoCEv2 port, beside the model of a responder.
mod again;
pub mod boards;
mod commands;
mod compare;
mod control;
pub mod cover;
mod cover_page;
mod damaged;
mod generate;
mod journal;
mod mismatch;
mod occupancy;
mod outstanding;
mod packet;
mod pages;
mod programs;
mod replay;
#[cfg(feature = "rdma")]
pub mod roce;
mod run;
mod segments;
mod shown;
mod spoil;
mod ticks;
mod world;

pub use again::{Beside, again};
pub use cover::Cover;
pub use cover_page::page;
pub use mismatch::Mismatch;
pub use run::{Plan, Report, RunError, run};
