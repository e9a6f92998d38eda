//! `cargo xtask bench`: figures, each from a command that prints a table and JSON.
use anyhow::Result;

use crate::process::{cargo, run};
use crate::setup::Tools;

/// Allocation time and retries against fill level (Clio, figures 12 and 13); the client's own cost per
/// operation (criterion: target/criterion has the JSON); cycles of a request through the core, seam by seam.
pub fn run_bench(tools: &Tools) -> Result<()> {
    run(cargo().args([
        "run",
        "--quiet",
        "--release",
        "-p",
        "mneme-slowpath",
        "--example",
        "allocator_fill",
    ]))?;
    run(cargo().args(["bench", "-p", "mneme-clib", "--bench", "client"]))?;
    run(&mut tools.sbt(&["Test/runMain mneme.PipelineCycles"]))
}
