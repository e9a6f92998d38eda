//! The command that runs a comparison again which has failed. It needs nothing of this crate: `cargo xtask` has a test that reads it
//! as its own command line.
use std::path::Path;

/// The board of a run.
#[derive(Debug, Clone, Copy)]
pub enum Beside<'a> {
    /// A kept configuration under Verilator.
    Kept,
    /// The software board.
    Soft,
    /// A library in this folder.
    Loaded(&'a Path),
}

/// The command. Kept boards are those of the task, whose builds have all of them: a build of the crate alone has no large one.
pub fn again(board: Beside<'_>, config: &str, seed: u64, requests: u64) -> String {
    let run = format!("--config {config} --seed {seed} --requests {requests}");
    let program = "cargo run --release -p mneme-differential --bin differential --";
    match board {
        Beside::Kept => format!("cargo xtask differential {run}"),
        Beside::Soft => format!("{program} {run} --board soft"),
        Beside::Loaded(folder) => format!("{program} {run} --boards {}", folder.display()),
    }
}
