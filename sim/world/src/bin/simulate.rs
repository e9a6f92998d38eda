//! The simulated world for as many seeds as one likes: clients, a switch and boards in virtual time, and all that can go wrong.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::{Parser, ValueEnum};
use comfy_table::Table;
use mneme_model::{BoardShape, SoftFast};
use mneme_world::{Failure, Plan, Report, goodput, run};
use serde::{Deserialize, Serialize};

/// What the boards are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// The golden model.
    Soft,
    /// The Verilated RTL.
    Rtl,
}

/// Runs seeds of the simulated world. A failure prints the command that replays it.
#[derive(Debug, Parser)]
struct Arguments {
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seeds.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    seeds: u64,
    /// Goes on with new seeds until so many minutes have passed.
    #[arg(long, default_value_t = 0)]
    minutes: u64,
    /// What the boards are.
    #[arg(long, value_enum, default_value_t = Kind::Soft)]
    board: Kind,
    /// Virtual time in which things go wrong, in microseconds.
    #[arg(long, default_value_t = 10_000)]
    chaos: u64,
    /// Instead: the goodput at several rates of loss; fails when one is worse than in this file, which `--update` writes.
    #[arg(long, value_name = "FILE")]
    goodput: Option<PathBuf>,
    /// Writes the file instead of comparing.
    #[arg(long, requires = "goodput")]
    update: bool,
}

/// Small, so that what is freed is soon another's.
const MEMORY: u64 = 16 << 20;
/// Shares of frames that are lost, in percent.
const LOSSES: [f64; 5] = [0.0, 0.1, 1.0, 5.0, 10.0];
/// Seeds whose goodput is averaged, and the virtual time of each.
const GOODPUT_SEEDS: u64 = 4;
const GOODPUT_TIME: u64 = 10_000_000;
/// A goodput that falls by more than this share is a regression.
const TOLERANCE: f64 = 0.05;

fn soft() -> SoftFast {
    let shape = BoardShape::SIM.with_memory(MEMORY).expect("a power of two that holds the table");
    SoftFast::new(shape).expect("a kept shape with less memory")
}

fn one(board: Kind, plan: &Plan) -> Result<Report, Failure> {
    match board {
        Kind::Soft => run(plan, Box::new(|_| soft())),
        #[cfg(feature = "rtl")]
        Kind::Rtl => {
            let options = mneme_rtl::RtlOptions {
                memory_limit: MEMORY,
                stall_seed: plan.seed,
                stall_probability: [0.0, 0.1, 0.3][plan.seed as usize % 3],
                ..mneme_rtl::RtlOptions::new(mneme_rtl::RtlConfig::Sim)
            };
            run(plan, Box::new(move |_| mneme_rtl::RtlFast::new(options).expect("a kept board starts")))
        }
        #[cfg(not(feature = "rtl"))]
        Kind::Rtl => unreachable!("refused in main"),
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if arguments.board == Kind::Rtl && !cfg!(feature = "rtl") {
        bail!("this build has no Verilated board: build with the feature `rtl`");
    }
    match &arguments.goodput {
        Some(path) => measure(path, arguments.update),
        None => seeds(&arguments),
    }
}

fn seeds(arguments: &Arguments) -> Result<()> {
    let end = Instant::now() + Duration::from_secs(60 * arguments.minutes);
    let (mut sum, mut count) = (Report::default(), 0);
    while count < arguments.seeds || Instant::now() < end {
        let seed = arguments.seed + count;
        let plan = Plan { seed, chaos: 1000 * arguments.chaos, only: None };
        let report = one(arguments.board, &plan).with_context(|| {
            let board = if arguments.board == Kind::Rtl { " --board rtl" } else { "" };
            format!(
                "seed {seed}; replay: cargo run -p mneme-world --release -- --seed {seed} --chaos {}{board}",
                arguments.chaos
            )
        })?;
        sum.add(&report);
        count += 1;
    }
    println!(
        "{count} seeds from {}: {} requests done, {} failed without effect, {} whose effect nobody knows; {} operations on words and {} calls of the slow path checked; \
         {} board restarts, {} client restarts, {} pauses, {} frames lost at full queues",
        arguments.seed,
        sum.done,
        sum.failed,
        sum.unknown,
        sum.checked,
        sum.slow,
        sum.board_restarts,
        sum.client_restarts,
        sum.pauses,
        sum.overflowed
    );
    // What nobody did anything to has shown nothing.
    ensure!(sum.done > 0 && sum.checked > 0, "no request was done, or none was checked");
    Ok(())
}

/// The table of goodput against loss.
#[derive(Debug, Serialize, Deserialize)]
struct Goodput {
    /// Requests per millisecond of virtual time, all clients together, by percent of frames lost.
    requests_per_ms: BTreeMap<String, f64>,
}

fn measure(path: &Path, update: bool) -> Result<()> {
    let mut measured = Goodput { requests_per_ms: BTreeMap::new() };
    for loss in LOSSES {
        let mut sum = 0.0;
        for seed in 1..=GOODPUT_SEEDS {
            sum += goodput(seed, loss / 100.0, GOODPUT_TIME, Box::new(|_| soft()))?;
        }
        // Two digits: the file is read by people.
        let mean = (100.0 * sum / GOODPUT_SEEDS as f64).round() / 100.0;
        measured.requests_per_ms.insert(format!("{loss}"), mean);
    }
    if update {
        std::fs::write(path, serde_json::to_string_pretty(&measured)? + "\n")
            .with_context(|| format!("writing {}", path.display()))?;
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let kept: Goodput = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    let mut table = Table::new();
    table.set_header(["frames lost", "requests per ms", "kept", "ratio"]);
    let mut worse = Vec::new();
    for loss in LOSSES.map(|loss| format!("{loss}")) {
        let (now, before) = (measured.requests_per_ms[&loss], kept.requests_per_ms.get(&loss).copied());
        let before = before.with_context(|| format!("{} has no row for {loss}%", path.display()))?;
        table.add_row([
            format!("{loss}%"),
            format!("{now}"),
            format!("{before}"),
            format!("{:.3}", now / before),
        ]);
        if now < before * (1.0 - TOLERANCE) {
            worse.push(format!("{loss}%"));
        }
    }
    println!("{table}");
    if !worse.is_empty() {
        bail!("goodput fell by more than {}% at a loss of {}", 100.0 * TOLERANCE, worse.join(", "));
    }
    Ok(())
}
