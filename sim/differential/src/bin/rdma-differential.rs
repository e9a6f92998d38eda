//! The differential test of the RoCEv2 port for as long as one likes.
use std::num::NonZero;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use mneme_differential::boards;
use mneme_differential::roce::{ChainReport, Plan, Report, run};
use mneme_rtl::RtlConfig;

/// RC requesters over a bad network, and packets that none sends, to the Verilated board *rdma* and to the model of a responder: compares
/// every answer byte by byte, queue pairs, counters and memory. A failure prints the command that replays it.
#[derive(Debug, Parser)]
struct Arguments {
    /// Seed of the first run; later runs count up.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Runs.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    seeds: u64,
    /// Frames that the board gets in each run.
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    frames: u64,
    /// Begins no more runs when so many minutes have passed.
    #[arg(long)]
    minutes: Option<u64>,
    /// Runs at once; by default as many as there are processors.
    #[arg(long)]
    jobs: Option<NonZero<usize>>,
}

/// What all runs have seen.
#[derive(Default)]
struct Sum {
    runs: u64,
    last: u64,
    all: Report,
    failure: Option<anyhow::Error>,
}

impl Sum {
    fn add(&mut self, seed: u64, report: &Report) {
        self.runs += 1;
        self.last = self.last.max(seed);
        let all = &mut self.all;
        all.frames += report.frames;
        all.dropped += report.dropped;
        all.nonsense += report.nonsense;
        all.answers += report.answers;
        all.acknowledges += report.acknowledges;
        all.ended += report.ended;
        all.commands += report.commands;
        all.frames_taken += report.frames_taken;
        all.frames_short += report.frames_short;
        all.chains.add(&report.chains);
        all.memory += report.memory;
        all.cycles += report.cycles;
        for which in 0..2 {
            all.groups[which] += report.groups[which];
            all.operations[which] += report.operations[which];
            all.freed[which] += report.freed[which];
        }
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let jobs = arguments.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let began = Instant::now();
    let (next, sum) = (AtomicU64::new(0), Mutex::new(Sum::default()));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| worker(&arguments, began, &next, &sum));
        }
    });
    let sum = sum.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(failure) = sum.failure {
        return Err(failure);
    }
    ensure!(sum.runs > 0, "no run has begun: {} minutes are none", arguments.minutes.unwrap_or_default());
    print!(
        "seeds {} to {}, {} runs, {:.0} s: ",
        arguments.seed,
        sum.last,
        sum.runs,
        began.elapsed().as_secs_f64()
    );
    tell(&sum.all);
    Ok(())
}

/// Runs until nothing is left, or one has failed.
fn worker(arguments: &Arguments, began: Instant, next: &AtomicU64, sum: &Mutex<Sum>) {
    let lock = || sum.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let limit = arguments.minutes.map(|minutes| Duration::from_secs(60 * minutes));
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= arguments.seeds
            || limit.is_some_and(|limit| began.elapsed() >= limit)
            || lock().failure.is_some()
        {
            return;
        }
        let seed = arguments.seed.wrapping_add(number);
        let plan = Plan { seed, frames: arguments.frames };
        // The simulated ports panic when the RTL breaks a rule of theirs; the other workers must hear of that, too.
        let ended = std::panic::catch_unwind(AssertUnwindSafe(|| one(&plan)));
        let ended = ended.unwrap_or_else(|_| bail!("seed {seed} ended in the panic above"));
        let replay = format!(
            "seed {seed}; replay: cargo xtask rdma-differential --seed {seed} --frames {}",
            plan.frames
        );
        match ended.with_context(|| replay) {
            Ok(report) => lock().add(seed, &report),
            Err(error) => {
                lock().failure.get_or_insert(error);
            }
        }
    }
}

fn one(plan: &Plan) -> Result<Report> {
    let began = Instant::now();
    let mut board = boards::rtl(RtlConfig::Rdma, plan.seed)?;
    let report = run(&mut board, plan, |_| ())?;
    print!("seed {}, {:.1} s: ", plan.seed, began.elapsed().as_secs_f64());
    tell(&report);
    Ok(report)
}

fn tell(report: &Report) {
    let Report { frames, dropped, nonsense, answers, acknowledges, ended, commands, memory, cycles, .. } =
        report;
    let (taken, short, [freed, lists]) = (report.frames_taken, report.frames_short, report.freed);
    let ([groups, alone], [operations, failed]) = (report.groups, report.operations);
    let ChainReport { messages, refused: [refused, later], rights, strange, told_empty, .. } = report.chains;
    let ChainReport { replies: [replies, again], answers: to, silences, anew, .. } = report.chains;
    let told = told_empty.iter().sum::<u64>();
    let messages = messages.map(|count| count.to_string()).join(" + ");
    println!(
        "{frames} frames ({dropped} dropped, {nonsense} that no requester sends) in {groups} groups ({alone} of one), {answers} answers \
         ({acknowledges} acknowledges), {operations} operations ({failed} failed), {ended} queue pairs made anew, {commands} commands on \
         pages, {taken} frames of 4 KB taken, {freed} given up by {lists} lists, and {short} times none, \
         chains: {messages} messages, {refused} refused ({rights} for want of a right), {later} told to come again, {told} told \"not stored\", {replies} packets of replies ({again} again), \
         {to} answers to them, {strange} packets that nobody should send, {silences} silences, {anew} made anew; {} MB compared, {cycles} cycles, all equal",
        memory >> 20
    );
}
