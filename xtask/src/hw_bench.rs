//! `cargo xtask hw-bench`: the hardware under load, beside what could be reached.
use anyhow::Result;

use crate::process::{Target, built, run};

/// The feature of mneme-rtl that builds the board with the most memory.
pub const LARGE: &str = "mneme-rtl/large";
/// The features of mneme-rtl that build the board with the most memory, the one of the device's size and the one with a second door. The comparison
/// needs all of them, and has tests of two; with the same features for all, nothing is built twice.
pub const BOARDS: &[&str] = &[
    LARGE,
    "mneme-rtl/zcu106",
    "mneme-rtl/doors",
    "mneme-rtl/tags",
    "mneme-rtl/rdma",
    "mneme-differential/zcu106",
    "mneme-differential/doors",
    "mneme-differential/tags",
    "mneme-differential/rdma",
];

/// How much is measured, and what becomes of it.
#[derive(clap::Args, Default)]
pub struct Options {
    /// The rows that CI runs, alone.
    #[arg(long)]
    pub short: bool,
    /// The rows whose names contain this, alone: a quick look, which compares with nothing that is committed.
    #[arg(long, value_name = "TEXT", conflicts_with = "short")]
    pub rows: Option<String>,
    /// Writes docs/reference/figures/hw-bench anew instead of comparing with it.
    #[arg(long, conflicts_with_all = ["short", "rows"])]
    pub update: bool,
}

/// Builds and runs the bench of the crate mneme-rtl.
pub fn run_hw_bench(options: &Options, profile: &str) -> Result<()> {
    let mut command = built(Target::Example, "hw_bench", profile, BOARDS)?;
    command.args(options.short.then_some("--short"));
    command.args(options.rows.iter().flat_map(|text| ["--rows", text]));
    command.args(options.update.then_some("--update"));
    run(&mut command)
}
