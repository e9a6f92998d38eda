//! The differential test: the same frames and commands to a board and to the golden model, everything compared.
//!
//! `generate` and `spoil` make frames, `control` the slow path's commands, `run` drives both, `replay` lets the model
//! follow the board's commits, `compare` looks at counters and memory when the board is quiet.
pub mod boards;
mod compare;
mod control;
mod generate;
mod mismatch;
mod packet;
mod replay;
mod run;
mod spoil;
mod world;

pub use mismatch::Mismatch;
pub use run::{Plan, Report, RunError, run};
