//! The figures, end to end: every part prints its tables; all of them make one JSON file and one report with plots.
//!
//! Contestants take turns in rounds, so that what disturbs the machine disturbs all alike. Figures are means over the rounds
//! with 95% confidence intervals (Student's t), ratios are of the same round. The exit code is 0 when every goal was met, 1 when
//! one was missed or a part failed, 2 when none was missed and some could not be measured (`mneme_tests::goal`).
mod board;
mod cost;
mod drivers;
mod figures;
mod html;
mod incast;
mod meter;
mod ordering;
mod processes;
mod redis;
mod statistics;
mod threads;

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use figures::{Figures, Verdict};
use mneme_tests::goal::exit_code;
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
    /// CLib's own cost per operation
    Cost,
}

impl Part {
    const ALL: [Part; 8] = [
        Part::Cost,
        Part::Drivers,
        Part::Redis,
        Part::Large,
        Part::Processes,
        Part::Threads,
        Part::Ordering,
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
    let goals = figures::goals(all.iter().flat_map(|figures| &figures.goals));
    println!("{goals}\n{machine}");
    write(options, &machine, &all)?;
    Ok(judged(&all, &failed))
}

/// Says what was missed and what could not be measured; the exit code.
fn judged(all: &[Figures], failed: &[String]) -> ExitCode {
    let goals = || all.iter().flat_map(|figures| &figures.goals);
    let named = |wanted: &dyn Fn(Verdict) -> bool| -> Vec<&str> {
        goals().filter(|goal| wanted(goal.verdict)).map(|goal| goal.name.as_str()).collect()
    };
    let lists = [
        ("parts that failed", failed.iter().map(String::as_str).collect()),
        ("goals missed", named(&|verdict| verdict == Verdict::Missed)),
        ("goals not measured", named(&|verdict| matches!(verdict, Verdict::NotMeasured(_)))),
    ];
    for (what, names) in lists.iter().filter(|(_, names)| !names.is_empty()) {
        eprintln!("{what}: {}", names.join("; "));
    }
    match failed.is_empty() {
        true => exit_code(goals().map(|goal| goal.verdict)).into(),
        false => ExitCode::FAILURE,
    }
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

/// What the figures were measured on.
fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let information = read("/proc/cpuinfo");
    let model = information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{processors} processors ({}), Linux {}",
        model.map_or("unknown", |(_, name)| name),
        read("/proc/sys/kernel/osrelease").trim()
    )
}

/// Runnable programs in the last minute, on average.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("unknown").to_owned()
}
