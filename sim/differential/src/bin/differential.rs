//! The differential test for as long as one likes: random requests to a board and to the golden model.
use std::num::NonZero;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{Parser, ValueEnum};
use mneme_differential::{Beside, Cover, Plan, Report, RunError, again, boards, cover, page, run};
use mneme_model::BoardShape;
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
    /// One configuration (tiny, sim, wide, odd, large, zcu106, doors, tags, rdma) instead of all that are built.
    #[arg(long)]
    config: Option<String>,
    /// Seed of the first run; later runs count up.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Frames of each run.
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
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
    /// Boards that were built apart, each a library with its parameters beside it in this folder, instead of those of this build.
    #[arg(long, value_name = "DIR")]
    boards: Option<PathBuf>,
    /// The board beside the model.
    #[arg(long, value_enum, default_value_t = Kind::Rtl)]
    board: Kind,
    /// Writes what was met to this page. Fails when a bin is empty and not explained.
    #[arg(long, value_name = "FILE")]
    coverage: Option<PathBuf>,
    /// Replays a run that fails, and writes the waveforms of its last cycles to this FST file and, of as many cycles before them, to
    /// FILE.before.fst. Takes boards that were built for it (`cargo xtask differential --board ... --waves`).
    #[arg(long, value_name = "FILE", requires = "boards")]
    waves: Option<PathBuf>,
    /// How many cycles each of those files has at most.
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    waves_cycles: u64,
    /// Prints how often each answer came.
    #[arg(long)]
    tally: bool,
}

/// Of so many rounds of seeds one includes the configurations whose runs take several times as long as others: pages of 2 MB, pages of 4 MB, and these with
/// terabytes of memory.
const LARGE_PAGES_EVERY: u64 = 8;
const LARGEST_PAGES_EVERY: u64 = 4;
const MOST_MEMORY_EVERY: u64 = 32;
/// Address bits of memory beyond those of any device.
const MOST_MEMORY_BITS: u32 = 40;

/// Empty bins that are named.
const SHOWN: usize = 40;

/// A board to test.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    shape: BoardShape,
    /// Nothing: the software board of this shape.
    #[cfg(feature = "rtl")]
    rtl: Option<mneme_rtl::RtlConfig>,
}

impl Candidate {
    fn soft(shape: BoardShape) -> Candidate {
        Candidate {
            shape,
            #[cfg(feature = "rtl")]
            rtl: None,
        }
    }
    #[cfg(feature = "rtl")]
    fn rtl(config: mneme_rtl::RtlConfig) -> Candidate {
        Candidate { shape: config.shape(), rtl: Some(config) }
    }
}

/// In how many rounds of seeds a board has one run.
fn every(shape: &BoardShape) -> u64 {
    match shape.page_bits {
        ..=20 => 1,
        21 => LARGE_PAGES_EVERY,
        _ if shape.mem_bits < MOST_MEMORY_BITS => LARGEST_PAGES_EVERY,
        _ => MOST_MEMORY_EVERY,
    }
}

/// What is left to run, and what has been.
struct Work<'a> {
    arguments: &'a Arguments,
    candidates: &'a [Candidate],
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
    fn take(&mut self) -> Option<(Candidate, u64)> {
        loop {
            if self.next == self.candidates.len() {
                (self.next, self.round) = (0, self.round + 1);
            }
            let more = Instant::now() < self.end || self.planned < self.arguments.total;
            if self.failure.is_some() || (self.next == 0 && self.round > 0 && !more) {
                return None;
            }
            let candidate = self.candidates[self.next];
            self.next += 1;
            let every = if self.candidates.len() == 1 { 1 } else { every(&candidate.shape) };
            if self.round.is_multiple_of(every) {
                self.planned += self.arguments.requests;
                return Some((candidate, self.arguments.seed + self.round));
            }
        }
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let candidates = candidates(&arguments)?;
    let work = Mutex::new(Work {
        arguments: &arguments,
        candidates: &candidates,
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
        "{} frames sent, {} answers equal, {} of them told their time, {} results of door 1 equal, {} steps of dependent programs, {} page faults waited, {} requests to frames of {} segments, {} frames compared; {} runs, seeds {} to {}",
        sum(|report| report.frames),
        sum(|report| report.answers),
        sum(|report| report.timed),
        sum(|report| report.results),
        sum(|report| report.dependent),
        sum(|report| report.waited),
        sum(|report| report.split),
        sum(|report| report.segments),
        sum(|report| report.framed),
        work.reports.len(),
        arguments.seed,
        arguments.seed + work.round.saturating_sub(1)
    );
    let mut met = Cover::default();
    work.reports.iter().for_each(|report| met.add(&report.cover));
    check_coverage(&arguments, &met)
}

/// No bin may be met that was explained as impossible; where a page is asked for, no other may be empty.
fn check_coverage(arguments: &Arguments, met: &Cover) -> Result<()> {
    if let Some(bin) = Cover::bins().find(|bin| met.met(bin) > 0 && cover::reason(bin).is_some()) {
        let (pattern, why) = cover::REASONS[cover::reason(&bin).unwrap_or_default()];
        bail!("{} came, though `{pattern}`: {why}", cover::describe(&bin));
    }
    let Some(path) = &arguments.coverage else { return Ok(()) };
    let (seed, total) = (arguments.seed, arguments.total);
    let kind = if arguments.board == Kind::Soft { " --board soft" } else { "" };
    let text = page(met, &format!("differential --seed {seed} --total {total}{kind}"));
    std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
    let empty = |bin: &cover::Bin| met.met(bin) == 0 && cover::reason(bin).is_none();
    let empty: Vec<_> = Cover::bins().filter(empty).map(|bin| cover::describe(&bin)).collect();
    if !empty.is_empty() {
        let (count, first) = (empty.len(), empty[..empty.len().min(SHOWN)].join("\n  "));
        bail!("{count} bins are empty and not explained, among them\n  {first}");
    }
    Ok(())
}

/// Runs until nothing is left.
fn worker(arguments: &Arguments, work: &Mutex<Work<'_>>) {
    let lock = || work.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    loop {
        let Some((candidate, seed)) = lock().take() else { return };
        let result = caught(arguments, candidate, seed, None)
            .with_context(|| format!("replay: {}", replay(arguments, candidate, seed)));
        let mut work = lock();
        match result {
            Ok(report) => work.reports.push(report),
            Err(error) if work.failure.is_none() => {
                work.failure = Some(error);
                drop(work);
                // Of the first failure alone: there is one file.
                if let Some(file) = &arguments.waves {
                    println!("{} with seed {seed} fails: once more, with waveforms", candidate.shape.name);
                    if caught(arguments, candidate, seed, Some(file)).is_ok() {
                        println!("it did not fail again: the waveforms are those of its end");
                    }
                }
            }
            Err(_) => {}
        }
    }
}

/// A run. The simulated ports panic when the RTL breaks a rule of theirs; the other workers must hear of that, too.
fn caught(arguments: &Arguments, candidate: Candidate, seed: u64, waves: Option<&Path>) -> Result<Report> {
    std::panic::catch_unwind(AssertUnwindSafe(|| one(arguments, candidate, seed, waves)))
        .unwrap_or_else(|_| bail!("{} with seed {seed} ended in the panic above", candidate.shape.name))
}

/// The Verilated board, with waveforms of its last cycles.
#[cfg(feature = "rtl")]
fn rtl(
    arguments: &Arguments,
    config: mneme_rtl::RtlConfig,
    seed: u64,
    waves: Option<&Path>,
) -> Result<mneme_rtl::RtlFast> {
    let mut board = boards::rtl(config, seed)?;
    if let Some(file) = waves {
        let window = mneme_rtl::WaveWindow::Last { cycles: arguments.waves_cycles };
        let plan = mneme_rtl::WavePlan { file: file.to_path_buf(), window };
        board.write_waves(plan, |written| match written {
            Ok(report) => println!("waveforms: {report}"),
            Err(error) => println!("no waveforms: {error}"),
        })?;
    }
    Ok(board)
}

fn candidates(arguments: &Arguments) -> Result<Vec<Candidate>> {
    let all: Vec<Candidate> = match (arguments.board, &arguments.boards) {
        (Kind::Soft, None) => BoardShape::ALL.into_iter().map(Candidate::soft).collect(),
        (Kind::Soft, Some(_)) => bail!("--boards names Verilated boards: leave out `--board soft`"),
        #[cfg(feature = "rtl")]
        (Kind::Rtl, None) => mneme_rtl::RtlConfig::ALL.iter().copied().map(Candidate::rtl).collect(),
        #[cfg(feature = "rtl")]
        (Kind::Rtl, Some(folder)) => loaded(folder)?,
        #[cfg(not(feature = "rtl"))]
        (Kind::Rtl, _) => bail!("this build has no Verilated board: build with the feature `rtl`"),
    };
    let Some(name) = &arguments.config else { return Ok(all) };
    let names: Vec<_> = all.iter().map(|candidate| candidate.shape.name).collect();
    let candidate = all.iter().find(|candidate| candidate.shape.name == name);
    Ok(vec![
        *candidate.with_context(|| format!("no configuration `{name}`: there are {}", names.join(", ")))?,
    ])
}

/// Every library of a folder.
#[cfg(feature = "rtl")]
fn loaded(folder: &Path) -> Result<Vec<Candidate>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "so"));
    paths.sort();
    if paths.is_empty() {
        bail!("{} holds no library (*.so): `cargo xtask differential --drawn` builds some", folder.display());
    }
    let load = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        // SAFETY: who gives the folder to a test program of this repository has built it with this version's sources.
        let board = unsafe { mneme_rtl::RtlConfig::load(folder, &name) };
        Ok(Candidate::rtl(board.with_context(|| path.display().to_string())?))
    };
    paths.iter().map(load).collect()
}

fn one(
    arguments: &Arguments,
    candidate: Candidate,
    seed: u64,
    #[cfg_attr(not(feature = "rtl"), allow(unused_variables))] waves: Option<&Path>,
) -> Result<Report> {
    let shape = candidate.shape;
    let plan = Plan { shape, seed, requests: arguments.requests };
    let began = Instant::now();
    let result = match candidate {
        #[cfg(feature = "rtl")]
        Candidate { rtl: Some(config), .. } => run(&mut rtl(arguments, config, seed, waves)?, &plan),
        _ => run(&mut boards::soft(shape, seed)?, &plan),
    };
    let report = match result {
        Ok(report) => report,
        Err(RunError::Mismatch(mismatch)) => bail!("{} with seed {seed}: {mismatch}", shape.name),
        Err(error) => return Err(error.into()),
    };
    println!(
        "{:7} seed {seed}: {} frames, {} answers, {} with their time, {} commands done and {} refused, {} lost at full queues, {} steps of programs, {} refused pages, {} faults waited, {} requests to frames of {} segments, {} frames and {} MB compared, {} cycles, {:.1} s",
        shape.name,
        report.frames,
        report.answers,
        report.timed,
        report.replaced.0,
        report.replaced.1,
        report.lost,
        report.dependent,
        report.refused_zeroing,
        report.waited,
        report.split,
        report.segments,
        report.framed,
        report.memory >> 20,
        report.cycles,
        began.elapsed().as_secs_f64()
    );
    if arguments.tally {
        print_tally(&report);
    }
    Ok(report)
}

/// The command that runs this again.
fn replay(arguments: &Arguments, candidate: Candidate, seed: u64) -> String {
    let board = match &arguments.boards {
        Some(folder) => Beside::Loaded(folder),
        None if arguments.board == Kind::Soft => Beside::Soft,
        None => Beside::Kept,
    };
    again(board, candidate.shape.name, seed, arguments.requests)
}

fn print_tally(report: &Report) {
    let line = |count: &u64, what: String, status: &u8, cause: &u8| {
        let status = Status::from_number(*status).map_or(format!("{status}"), |s| s.to_string());
        let cause = Cause::from_number(*cause).map_or(format!("{cause}"), |c| c.to_string());
        println!("  {count:6}  {what:13} {status:16} {cause}");
    };
    for ((opcode, status, cause), count) in &report.tally {
        let opcode = Opcode::from_number(*opcode).map_or(format!("{opcode:#04x}"), |o| o.to_string());
        line(count, opcode, status, cause);
    }
    for ((status, cause), count) in &report.split_tally {
        line(count, "split pages".into(), status, cause);
    }
}
