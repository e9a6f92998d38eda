//! `cargo xtask bench`: figures, each from a command that prints a table and JSON.
use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::process::{cargo, run, target_dir};
use crate::setup;

/// What to measure.
#[derive(Debug, Args)]
pub struct Options {
    /// One part; default: all
    #[arg(value_enum)]
    part: Option<Part>,
}

/// A part of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The allocator's time and retries against fill level.
    Allocator,
    /// The client's own cost per operation.
    Client,
    /// Ping-pong over veth: every driver beside plain UDP sockets. Needs root.
    Drivers,
    /// Cycles of a request through the core.
    Pipeline,
}

/// Runs one part, or all of them.
pub fn run_bench(options: &Options) -> Result<()> {
    let wanted = |part| options.part.is_none_or(|only| only == part);
    if wanted(Part::Allocator) {
        allocator()?;
    }
    if wanted(Part::Client) {
        client()?;
    }
    if wanted(Part::Drivers) {
        drivers()?;
    }
    if wanted(Part::Pipeline) {
        pipeline()?;
    }
    Ok(())
}

/// Allocation time and retries against fill level (Clio, figures 12 and 13).
fn allocator() -> Result<()> {
    run(cargo().args(["run", "--quiet", "--release", "-p", "mneme-slowpath", "--example", "allocator_fill"]))
}

/// The client's own cost per operation (criterion: target/criterion has the JSON).
fn client() -> Result<()> {
    run(cargo().args(["bench", "-p", "mneme-clib", "--bench", "client"]))
}

/// Every driver's ping-pong; the JSON goes to target/drivers.json.
fn drivers() -> Result<()> {
    let json = target_dir()?.join("drivers.json");
    let example =
        ["run", "--quiet", "--release", "-p", "mneme-tests", "--example", "drivers", "--", "--json"];
    run(cargo().args(example).arg(&json))?;
    println!("wrote {}", json.display());
    Ok(())
}

/// Cycles of a request through the core, seam by seam.
fn pipeline() -> Result<()> {
    run(&mut setup::run_setup()?.sbt(&["Test/runMain mneme.PipelineCycles"]))
}
