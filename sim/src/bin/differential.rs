//! The differential test for as long as one likes: random requests to a board and to the golden model.
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{Parser, ValueEnum};
use mneme_sim::BoardShape;
use mneme_sim::differential::{Plan, Report, RunError, boards, run};
use mneme_wire::{Cause, Opcode, Status};

/// What stands beside the golden model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// The software board with timings of its own: the test's own test.
    Soft,
    /// The Verilated RTL.
    Rtl,
}

/// Sends random requests and commands to a board and to the golden model, and compares every answer, the page table, all
/// memory and the counters. A failure prints the command that replays it.
#[derive(Debug, Parser)]
struct Arguments {
    /// One configuration (tiny, sim, wide, odd, zcu106) instead of all that are built.
    #[arg(long)]
    config: Option<String>,
    /// Seed of the first run; later runs count up.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Frames of each run.
    #[arg(long, default_value_t = 5000)]
    requests: u64,
    /// Goes on with new seeds until so many minutes have passed; 0: one run of each configuration.
    #[arg(long, default_value_t = 0)]
    minutes: u64,
    /// The board beside the model.
    #[arg(long, value_enum, default_value_t = Kind::Rtl)]
    board: Kind,
    /// Prints how often each answer came.
    #[arg(long)]
    tally: bool,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let shapes = shapes(&arguments)?;
    let end = Instant::now() + Duration::from_secs(60 * arguments.minutes);
    let mut seed = arguments.seed;
    let mut total = 0;
    loop {
        for shape in &shapes {
            total += one(&arguments, *shape, seed)?.answers;
        }
        seed += 1;
        if Instant::now() >= end {
            println!("{total} answers equal; seeds {} to {}", arguments.seed, seed - 1);
            return Ok(());
        }
    }
}

fn shapes(arguments: &Arguments) -> Result<Vec<BoardShape>> {
    let all = match arguments.board {
        Kind::Soft => BoardShape::ALL.to_vec(),
        #[cfg(feature = "rtl")]
        Kind::Rtl => mneme_sim::RtlConfig::ALL.iter().map(|config| config.shape()).collect(),
        #[cfg(not(feature = "rtl"))]
        Kind::Rtl => bail!("this build has no Verilated board: build with the feature `rtl`"),
    };
    let Some(name) = &arguments.config else { return Ok(all) };
    let names: Vec<_> = all.iter().map(|shape| shape.name).collect();
    let shape = all.iter().find(|shape| shape.name == name);
    Ok(vec![*shape.with_context(|| format!("no configuration `{name}`: there are {}", names.join(", ")))?])
}

fn one(arguments: &Arguments, shape: BoardShape, seed: u64) -> Result<Report> {
    let plan = Plan { shape, seed, requests: arguments.requests };
    let began = Instant::now();
    let result = match arguments.board {
        Kind::Soft => run(&mut boards::soft(shape, seed)?, &plan),
        #[cfg(feature = "rtl")]
        Kind::Rtl => {
            let config = mneme_sim::RtlConfig::named(shape.name).context("a configuration that is built")?;
            run(&mut boards::rtl(config, seed)?, &plan)
        }
        #[cfg(not(feature = "rtl"))]
        Kind::Rtl => bail!("this build has no Verilated board"),
    };
    let report = match result {
        Ok(report) => report,
        Err(RunError::Mismatch(mismatch)) => {
            let kind = if arguments.board == Kind::Soft { " --board soft" } else { "" };
            bail!(
                "{} with seed {seed}: {mismatch}\nreplay: cargo run -p mneme-sim --release --bin differential -- --config {} --seed {seed} --requests {}{kind}",
                shape.name,
                shape.name,
                arguments.requests
            )
        }
        Err(error) => return Err(error.into()),
    };
    println!(
        "{:7} seed {seed}: {} frames, {} answers, {} commands done and {} refused, {} lost at full queues, {} MB compared, {} cycles, {:.1} s",
        shape.name,
        report.frames,
        report.answers,
        report.replaced.0,
        report.replaced.1,
        report.lost,
        report.memory >> 20,
        report.cycles,
        began.elapsed().as_secs_f64()
    );
    if arguments.tally {
        print_tally(&report);
    }
    Ok(report)
}

fn print_tally(report: &Report) {
    for ((opcode, status, cause), count) in &report.tally {
        let opcode = Opcode::from_number(*opcode).map_or(format!("{opcode:#04x}"), |o| o.to_string());
        let status = Status::from_number(*status).map_or(format!("{status}"), |s| s.to_string());
        let cause = Cause::from_number(*cause).map_or(format!("{cause}"), |c| c.to_string());
        println!("  {count:6}  {opcode:13} {status:16} {cause}");
    }
}
