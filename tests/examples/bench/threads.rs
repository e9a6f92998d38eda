//! Threads that share one client, beside the same threads with a client each: synchronous reads, one after the other in each thread, on one
//! processor and on two.
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, ensure};
use mneme_clib::driver::{DriverKind, Waiting};
use mneme_clib::{OpenOptions, Process};
use mneme_tests::rig::veth::End;

use crate::Options;
use crate::board::{BOARD_PROCESSOR, Board, CLIENT_PROCESSOR, Setup, cable, connect};
use crate::drivers::ways::pin_to;
use mneme_tests::figures::{Axis, Bound, Figures, Goal, Plot, Series, Table};
use mneme_tests::meter::{Meter, Run, cumulative, latencies};
use mneme_tests::statistics::{Mean, Samples, interleave};

/// Threads.
const COUNTS: [usize; 3] = [2, 8, 32];
/// Bytes of a read.
const BYTES: usize = 64;
/// How much longer than others this is measured: threads take turns on a processor.
const SPANS: u32 = 2;
/// What the rate of threads that share a client is to be against that of threads with a client each.
const GOAL: f64 = 0.8;

/// How threads reach the board.
struct Crowd {
    threads: usize,
    processors: &'static [usize],
    /// One for each thread, or one for all.
    processes: Vec<Process>,
    va: u64,
}

impl Crowd {
    fn open(threads: usize, shared: bool, processors: &'static [usize]) -> Result<Crowd> {
        let client = || connect(DriverKind::Udp, Waiting::Yield);
        let first = client()?.open(OpenOptions::default())?;
        let (pid, token) = (first.pid(), first.token());
        let va = first.ralloc((threads * BYTES) as u64)?;
        for thread in 0..threads {
            first.rwrite(va + (thread * BYTES) as u64, &[thread as u8; BYTES])?;
        }
        let mut processes = vec![first];
        while !shared && processes.len() < threads {
            processes.push(client()?.join(pid, token)?);
        }
        Ok(Crowd { threads, processors, processes, va })
    }
    fn is_shared(&self) -> bool {
        self.processes.len() == 1
    }
    fn name(&self) -> String {
        let clients = if self.is_shared() { "one client" } else { "a client each" };
        format!("{} threads, {clients}, {} processors", self.threads, self.processors.len())
    }
    /// What was measured, and how often a processor went from one of the threads to another or to rest.
    fn read(&self, time: Duration) -> Result<(Run, f64)> {
        pin_to(self.processors);
        let began = Instant::now();
        let runs = std::thread::scope(|scope| {
            let all: Vec<_> =
                (0..self.threads).map(|thread| scope.spawn(move || self.one(thread, began, time))).collect();
            let ended = |thread: std::thread::ScopedJoinHandle<'_, Result<(Run, f64)>>| {
                thread.join().map_err(|_| anyhow!("a thread panicked"))?
            };
            all.into_iter().map(ended).collect::<Result<Vec<_>>>()
        })?;
        let mut latency = latencies();
        for (run, _) in &runs {
            latency.add(&run.latency)?;
        }
        let switches = runs.iter().map(|(_, switches)| switches).sum::<f64>() / self.threads as f64;
        Ok((Run { rate: runs.iter().map(|(run, _)| run.rate).sum(), latency }, switches))
    }
    /// What a thread measured, and how often it left its processor per read.
    fn one(&self, thread: usize, began: Instant, time: Duration) -> Result<(Run, f64)> {
        let process = &self.processes[thread % self.processes.len()];
        let (va, mut meter) = (self.va + (thread * BYTES) as u64, Meter::since(began, time));
        let (before, mut reads) = (switches()?, 0u32);
        loop {
            let (mut into, start) = ([0xa5; BYTES], Instant::now());
            process.rread(va, &mut into)?;
            let now = Instant::now();
            meter.ended(start, now);
            reads += 1;
            ensure!(into == [thread as u8; BYTES], "thread {thread} read other bytes than were written");
            if meter.is_over(now) {
                return Ok((meter.run(), (switches()? - before) / f64::from(reads)));
            }
        }
    }
}

/// How often the calling thread has left its processor.
fn switches() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/thread-self/status")?;
    let counts = status.lines().filter(|line| line.contains("ctxt_switches:"));
    let counts = counts.filter_map(|line| line.split_whitespace().last()?.parse::<f64>().ok());
    let all: Vec<f64> = counts.collect();
    ensure!(all.len() == 2, "the system does not say how often a thread leaves its processor");
    Ok(all.iter().sum())
}

pub fn measure(options: &Options) -> Result<Figures> {
    let veth = cable()?;
    let _board = Board::start(&veth, Setup::default())?;
    let all = veth.at(End::Client, || {
        let mut crowds = Vec::new();
        for processors in [&[CLIENT_PROCESSOR][..], &[CLIENT_PROCESSOR, BOARD_PROCESSOR]] {
            for threads in COUNTS {
                crowds.push(Crowd::open(threads, false, processors)?);
                crowds.push(Crowd::open(threads, true, processors)?);
            }
        }
        anyhow::Ok(interleave(options.rounds(), crowds, |crowd| crowd.read(SPANS * options.time())))
    })?;
    if let Some(reason) = all.iter().find_map(|crowd| crowd.failed.as_deref()) {
        anyhow::bail!("{reason}");
    }
    Ok(figures(options, &all))
}

fn figures(options: &Options, all: &[Samples<Crowd, (Run, f64)>]) -> Figures {
    let about = format!(
        "synchronous reads of {BYTES} bytes, one after the other in each thread, from a software board over veth by UDP, asleep while \
         waiting; on two processors the board has one of them beside the threads; {} rounds of {:?}",
        options.rounds,
        SPANS * options.time()
    );
    let mut figures = Figures::new("threads", about);
    let rates = |crowd: &Samples<Crowd, (Run, f64)>| {
        crowd.samples.iter().map(|(run, _)| run.rate).collect::<Vec<_>>()
    };
    let mut table = Table::new(
        "Threads that share a client",
        &["load", "reads/s", "p50 µs", "p99 µs", "switches/read", "against a client each"],
    );
    let mut plot = Plot {
        title: format!("Latency of a synchronous read of {BYTES} bytes"),
        x: Axis::powers(10.0, "µs"),
        y: Axis::linear("share of reads that took no longer"),
        series: Vec::new(),
    };
    for pair in all.chunks_exact(2) {
        let each = rates(&pair[0]);
        for crowd in pair {
            let mut latency = latencies();
            for (run, _) in &crowd.samples {
                latency.add(&run.latency).expect("all have the same bounds");
            }
            let quantile = |share| latency.value_at_quantile(share) as f64 / 1e3;
            let (name, own) = (crowd.contestant.name(), rates(crowd));
            let ratio = Mean::of_ratios(&own, &each);
            let rate = Mean::of(&own);
            let switches: Vec<_> = crowd.samples.iter().map(|(_, switches)| *switches).collect();
            table.rows.push(vec![
                name.clone().into(),
                rate.into(),
                quantile(0.5).into(),
                quantile(0.99).into(),
                Mean::of(&switches).into(),
                ratio.into(),
            ]);
            plot.series.push(Series { name: name.clone(), points: cumulative(&latency) });
            if crowd.contestant.is_shared() {
                let goal = format!("{name}: rate against a client each");
                figures.goals.push(Goal::new(goal, Bound::AtLeast(GOAL), "×", ratio));
            }
        }
    }
    figures.tables.push(table);
    figures.plots.push(plot);
    figures
}
