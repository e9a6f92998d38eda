//! The differential test for as long as one likes: random requests to a board and to the golden model.
use std::num::NonZero;
use std::sync::Mutex;
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
    /// Goes on with new seeds until so many minutes have passed.
    #[arg(long, default_value_t = 0)]
    minutes: u64,
    /// Goes on with new seeds until so many frames have been sent. With neither: one run of each configuration.
    #[arg(long, default_value_t = 0)]
    total: u64,
    /// Runs at once; by default as many as there are processors.
    #[arg(long)]
    jobs: Option<NonZero<usize>>,
    /// The board beside the model.
    #[arg(long, value_enum, default_value_t = Kind::Rtl)]
    board: Kind,
    /// Prints how often each answer came.
    #[arg(long)]
    tally: bool,
}

/// Of so many rounds of seeds one includes the configurations with large pages, whose zeroing takes most of their time.
const LARGE_PAGES_EVERY: u64 = 8;
/// log2 of the largest page that is small.
const SMALL_PAGE_BITS: u32 = 20;

/// What is left to run, and what has been.
struct Work<'a> {
    arguments: &'a Arguments,
    shapes: &'a [BoardShape],
    end: Instant,
    round: u64,
    /// The next configuration of the round.
    next: usize,
    planned: u64,
    reports: Vec<Report>,
    failure: Option<anyhow::Error>,
}

impl Work<'_> {
    /// The next configuration and seed; nothing when all has been given out, or a run has failed.
    fn take(&mut self) -> Option<(BoardShape, u64)> {
        loop {
            if self.next == self.shapes.len() {
                (self.next, self.round) = (0, self.round + 1);
            }
            let more = Instant::now() < self.end || self.planned < self.arguments.total;
            if self.failure.is_some() || (self.next == 0 && self.round > 0 && !more) {
                return None;
            }
            let shape = self.shapes[self.next];
            self.next += 1;
            let small = shape.page_bits <= SMALL_PAGE_BITS || self.shapes.len() == 1;
            if small || self.round.is_multiple_of(LARGE_PAGES_EVERY) {
                self.planned += self.arguments.requests;
                return Some((shape, self.arguments.seed + self.round));
            }
        }
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let shapes = shapes(&arguments)?;
    let work = Mutex::new(Work {
        arguments: &arguments,
        shapes: &shapes,
        end: Instant::now() + Duration::from_secs(60 * arguments.minutes),
        round: 0,
        next: 0,
        planned: 0,
        reports: Vec::new(),
        failure: None,
    });
    let jobs = arguments.jobs.or(std::thread::available_parallelism().ok()).map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| worker(&arguments, &work));
        }
    });
    let work = work.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(failure) = work.failure {
        return Err(failure);
    }
    let sum = |of: fn(&Report) -> u64| work.reports.iter().map(of).sum::<u64>();
    println!(
        "{} frames sent, {} answers equal, {} steps of dependent programs; {} runs, seeds {} to {}",
        sum(|report| report.frames),
        sum(|report| report.answers),
        sum(|report| report.dependent),
        work.reports.len(),
        arguments.seed,
        arguments.seed + work.round.saturating_sub(1)
    );
    Ok(())
}

/// Runs until nothing is left.
fn worker(arguments: &Arguments, work: &Mutex<Work<'_>>) {
    let lock = || work.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    loop {
        let Some((shape, seed)) = lock().take() else { return };
        let result = one(arguments, shape, seed);
        let mut work = lock();
        match result {
            Ok(report) => work.reports.push(report),
            Err(error) => {
                work.failure.get_or_insert(error);
            }
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
        "{:7} seed {seed}: {} frames, {} answers, {} commands done and {} refused, {} lost at full queues, {} steps of programs, {} refused pages, {} MB compared, {} cycles, {:.1} s",
        shape.name,
        report.frames,
        report.answers,
        report.replaced.0,
        report.replaced.1,
        report.lost,
        report.dependent,
        report.refused_zeroing,
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
