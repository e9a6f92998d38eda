//! `cargo xtask bench`: figures, each from a command that prints a table and JSON.
use anyhow::Result;

use crate::process::{cargo, run};

/// Allocation time and retries against fill level (Clio, figures 12 and 13).
pub fn run_bench() -> Result<()> {
    run(cargo().args(["run", "--quiet", "--release", "-p", "mneme-slowpath", "--example", "allocator_fill"]))
}
