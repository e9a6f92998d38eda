//! `cargo xtask bench`: figures, each from a command that prints a table; those that have goals also as JSON and as one report
//! with plots.
use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::hw_bench::BOARDS;
use crate::process::{Target, built, cargo, run, target_dir};
use crate::setup;

/// The program that measures end to end, of the crate mneme-tests.
const PROGRAM: &str = "bench";

/// What to measure.
#[derive(Debug, Args)]
#[command(after_help = "\
drivers, redis, large, processes, threads, ordering and incast lay cables between network namespaces, which needs root; redis and\n\
large install Redis. It fails when a goal of cost or of one of these is missed, or could not be measured: its 95% interval contains\n\
the goal or is wider than ±25%. A quiet machine, more --rounds and `nice -n -5 cargo xtask bench` as root help.")]
pub struct Options {
    /// What to measure; default: all
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// Rounds of the parts that have goals; each measures every contestant once
    #[arg(long)]
    rounds: Option<u16>,
    /// Milliseconds per measurement of the parts that have goals
    #[arg(long)]
    milliseconds: Option<u64>,
    /// Drivers: both ends on one processor, where they have to take turns
    #[arg(long)]
    one_processor: bool,
}

/// A part of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The allocator's time and retries against fill level.
    Allocator,
    /// The client's operations under criterion.
    Client,
    /// The client's own cost per operation, as percentiles.
    Cost,
    /// Ping-pong over veth: every driver beside plain UDP sockets. Needs root.
    Drivers,
    /// Remote reads through CLib beside Redis GETs. Needs root.
    Redis,
    /// The same of values that are many packets, of 1,500 and 9,000 bytes. Needs root.
    Large,
    /// A thousand processes on one board beside the same load from one. Needs root.
    Processes,
    /// Many clients that write to one board, simulated and over veth. Needs root.
    Incast,
    /// Threads that share a client beside threads with a client each. Needs root.
    Threads,
    /// Writes to one page beside writes to a page each. Needs root.
    Ordering,
    /// Writes at the rate that the retry filter of each configuration takes: those refused, of unknown outcome, and how
    /// evenly they leave.
    Pacing,
    /// Cycles of a request through the core.
    Pipeline,
    /// A quiet tenant beside neighbours that flood the core with misses, with and without shares.
    Tenants,
}

impl Part {
    /// Measured end to end by [`PROGRAM`], beside goals.
    const WITH_GOALS: [Part; 9] = [
        Part::Cost,
        Part::Drivers,
        Part::Redis,
        Part::Large,
        Part::Processes,
        Part::Threads,
        Part::Ordering,
        Part::Pacing,
        Part::Incast,
    ];

    fn name(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
    }
}

/// Runs some parts, or all of them.
pub fn run_bench(options: &Options) -> Result<()> {
    let wanted = |part: &Part| options.parts.is_empty() || options.parts.contains(part);
    if wanted(&Part::Allocator) {
        allocator()?;
    }
    if wanted(&Part::Client) {
        client()?;
    }
    if wanted(&Part::Pipeline) {
        pipeline()?;
    }
    if wanted(&Part::Tenants) {
        tenants()?;
    }
    // Last, since a goal that was missed ends the task.
    let with_goals: Vec<Part> = Part::WITH_GOALS.into_iter().filter(wanted).collect();
    if with_goals.is_empty() { Ok(()) } else { end_to_end(&with_goals, options) }
}

/// Allocation time and retries against fill level (Clio, figures 12 and 13).
fn allocator() -> Result<()> {
    run(cargo().args(["run", "--quiet", "--release", "-p", "mneme-slowpath", "--example", "allocator_fill"]))
}

/// The client's operations (criterion: target/criterion has the JSON).
fn client() -> Result<()> {
    run(cargo().args(["bench", "-p", "mneme-clib", "--bench", "client"]))
}

/// The parts with goals; fails when one is missed.
fn end_to_end(parts: &[Part], options: &Options) -> Result<()> {
    let redis = [Part::Redis, Part::Large];
    setup::run_bench_setup(parts.iter().any(|part| redis.contains(part)))?;
    // Every board that `mneme board` offers.
    let features: &[&str] = if parts.contains(&Part::Pacing) { BOARDS } else { &[] };
    let mut program = built(Target::Example, PROGRAM, "release", features)?;
    program.args(parts.iter().map(|part| part.name()));
    program.args(options.rounds.map(|rounds| format!("--rounds={rounds}")));
    program.args(options.milliseconds.map(|milliseconds| format!("--milliseconds={milliseconds}")));
    program.args(options.one_processor.then_some("--one-processor"));
    run(program.arg("--out").arg(target_dir()?.join("bench")))
}

/// Cycles of a request through the core, seam by seam.
fn pipeline() -> Result<()> {
    run(&mut setup::run_setup()?.sbt(&["Test/runMain mneme.PipelineCycles"]))
}

/// What a quiet tenant keeps of its rate and of its delay beside flooding neighbours; fails when a goal is missed.
fn tenants() -> Result<()> {
    run(&mut setup::run_setup()?.sbt(&["Test/runMain mneme.TenantFlood"]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::tests::parts_of;
    use std::collections::BTreeSet;

    #[test]
    fn the_task_has_the_parts_of_its_program() {
        let here = Part::WITH_GOALS.iter().map(|part| format!("{part:?}"));
        assert_eq!(here.collect::<BTreeSet<_>>(), parts_of(PROGRAM).into_iter().collect());
    }
}
