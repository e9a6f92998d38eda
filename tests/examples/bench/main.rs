//! The figures, end to end: every part prints its tables; all of them make one JSON file and one report with plots.
//!
//! Contestants take turns in rounds, so that what disturbs the machine disturbs all alike. Figures are means over the rounds
//! with 95% confidence intervals (Student's t), ratios are of the same round. The exit code is 0 when every goal was met, 1 when
//! one was missed or a part failed, 2 when none was missed and some could not be measured (`mneme_tests::goal`).
mod board;
mod cost;
mod drivers;
mod html;
mod incast;
mod ordering;
mod pacing;
mod processes;
mod redis;
mod threads;

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use mneme_tests::figures::{Figures, goals, judged, load, machine};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// A part of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Ping-pong over veth: every driver beside plain UDP sockets
    Drivers,
    /// Remote reads through CLib beside Redis GETs
    Redis,
    /// The same of values that are many packets, of 1,500 and 9,000 bytes
    Large,
    /// A thousand processes on one board beside the same load from one
    Processes,
    /// Many clients that write to one board
    Incast,
    /// Threads that share a client beside threads with a client each
    Threads,
    /// Writes to one page beside writes to a page each
    Ordering,
    /// Writes at the rate that the retry filter of each configuration takes
    Pacing,
    /// CLib's own cost per operation
    Cost,
}

impl Part {
    const ALL: [Part; 9] = [
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

    fn measure(self, options: &Options) -> Result<Figures> {
        match self {
            Part::Drivers => drivers::measure(options),
            Part::Redis => redis::measure(options),
            Part::Large => redis::large::measure(options),
            Part::Processes => processes::measure(options),
            Part::Incast => incast::measure(options),
            Part::Threads => threads::measure(options),
            Part::Ordering => ordering::measure(options),
            Part::Pacing => pacing::measure(options),
            Part::Cost => cost::measure(options),
        }
    }
    fn name(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
    }
}

/// How much to measure.
#[derive(Debug, Parser)]
struct Options {
    /// What to measure; default: all
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// Rounds; each measures every contestant once
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(2..=1000))]
    rounds: u16,
    /// Milliseconds per measurement
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(10..=60_000))]
    milliseconds: u64,
    /// Drivers: both ends on one processor, where they have to take turns
    #[arg(long)]
    one_processor: bool,
    /// The folder for bench.json and bench.html
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

impl Options {
    fn rounds(&self) -> usize {
        self.rounds.into()
    }
    fn time(&self) -> Duration {
        Duration::from_millis(self.milliseconds)
    }
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<ExitCode> {
    let parts = if options.parts.is_empty() { Part::ALL.to_vec() } else { options.parts.clone() };
    let before = load();
    let (mut all, mut failed) = (Vec::new(), Vec::new());
    for part in parts {
        eprintln!("measuring: {} …", part.name());
        match part.measure(options) {
            Ok(figures) => {
                println!("\n{}: {}\n", figures.part, figures.about);
                figures.tables.iter().for_each(|table| println!("{table}\n"));
                all.push(figures);
            }
            Err(error) => {
                eprintln!("{} could not be measured: {error:#}", part.name());
                failed.push(part.name());
            }
        }
    }
    let machine = format!("{}; load before {before}, after {}", machine(), load());
    let goals = goals(all.iter().flat_map(|figures| &figures.goals));
    println!("{goals}\n{machine}");
    write(options, &machine, &all)?;
    Ok(judged(all.iter().flat_map(|figures| &figures.goals), &failed).into())
}

/// The JSON file and the report.
fn write(options: &Options, machine: &str, all: &[Figures]) -> Result<()> {
    std::fs::create_dir_all(&options.out).with_context(|| format!("creating {}", options.out.display()))?;
    let json = serde_json::json!({
        "machine": machine,
        "rounds": options.rounds,
        "milliseconds": options.milliseconds,
        "parts": all,
    });
    let files = [
        ("bench.json", serde_json::to_string_pretty(&json)? + "\n"),
        ("bench.html", html::report(machine, all)?),
    ];
    for (name, text) in files {
        let path = options.out.join(name);
        std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
        println!("wrote {}", path.display());
    }
    Ok(())
}
