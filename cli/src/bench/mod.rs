//! `mneme bench`: rates and latencies of remote memory, with the flags and columns of perftest.
mod figures;
mod work;

use crate::connect::BoardArgs;
use crate::fault::Fault;
use crate::interrupt;
use crate::output::say;
use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, ValueEnum};
use figures::{Row, Samples};
use mneme_auth::Size;
use std::collections::BTreeMap;
use std::num::NonZeroU16;
use std::sync::{Barrier, Mutex, PoisonError};
use std::time::Duration;
use work::{Enough, Job, Worker};

/// The largest size of `--all`, log2.
const LARGEST_LOG2: u32 = 20;
/// Bytes of an atomic.
const WORD: usize = 8;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Verb {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Fetch-and-add of 8-byte words.
    Atomic,
    /// Allocations of whole pages; freeing is not measured.
    Alloc,
}

/// Measure rates and latencies. What reads, atomics and allocations bring is checked while measuring, what writes left
/// behind when they have ended.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    mneme bench read                              1,000 reads of 64 bytes, one after the other\n  \
    mneme bench write -s 1K --depth 16   -D 10    writes of 1 KiB, 16 in flight, for 10 seconds\n  \
    mneme bench read -a -q 4 --json               2 bytes to 1 MiB, four clients, for programs\n  \
    mneme bench atomic --max-p99 50               fails when more than 1% took longer than 50 µs\n\n\
    Columns are perftest's, those of --wide all of them; t_ is the time from call to end, in microseconds.")]
pub struct BenchArgs {
    /// What to measure
    #[arg(value_enum)]
    verb: Verb,
    #[command(flatten)]
    board: BoardArgs,
    /// Bytes of each operation; atomics always have 8
    #[arg(long, short, value_name = "SIZE", default_value_t = Size(64), value_parser = Size::within(1..=1 << 26))]
    size: Size,
    /// All sizes: powers of two from 2 bytes to 1 MiB
    #[arg(long, short, conflicts_with = "size")]
    all: bool,
    /// Operations of each client
    #[arg(long, short = 'n', default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    iters: u64,
    /// Seconds for each size, instead of a number of operations
    #[arg(long, short = 'D', value_name = "SECONDS", conflicts_with = "iters", value_parser = clap::value_parser!(u64).range(1..=3600))]
    duration: Option<u64>,
    /// Operations in flight of each client
    #[arg(long, short = 't', default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    depth: u16,
    /// Clients, each with a thread and a process of its own (perftest: queue pairs)
    #[arg(long = "qp", short = 'q', value_name = "CLIENTS", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    clients: u16,
    /// As many clients again that write while the others read, or the other way round
    #[arg(long, short = 'b')]
    bidirectional: bool,
    /// The board's UDP port, instead of the one in `--board`
    #[arg(long, short)]
    port: Option<NonZeroU16>,
    /// All of perftest's columns under their names, wider than 100 characters
    #[arg(long)]
    wide: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Fail when a size stays below this many operations per second
    #[arg(long, value_name = "PER_SECOND")]
    min_rate: Option<f64>,
    /// Fail when more than 1% of a size's operations take longer
    #[arg(long, value_name = "MICROSECONDS")]
    max_p99: Option<f64>,
}

impl BenchArgs {
    /// What the verbs cannot do.
    fn check(&self) -> Result<()> {
        ensure!(
            !self.bidirectional || matches!(self.verb, Verb::Read | Verb::Write),
            "-b goes with read and write: the others have no opposite"
        );
        Ok(())
    }
    fn sizes(&self) -> Vec<usize> {
        match (self.verb, self.all) {
            (Verb::Atomic, _) => vec![WORD],
            (_, true) => (1..=LARGEST_LOG2).map(|log2| 1 << log2).collect(),
            (_, false) => vec![self.size.0 as usize],
        }
    }
    /// The jobs of one size, one for each client.
    fn jobs(&self, size: usize) -> Vec<Job> {
        let enough = match self.duration {
            Some(seconds) => Enough::Time(Duration::from_secs(seconds)),
            None => Enough::Operations(self.iters),
        };
        let back = if self.verb == Verb::Read { Verb::Write } else { Verb::Read };
        let clients = usize::from(self.clients);
        let verbs = (0..clients).map(|_| self.verb);
        let others = (0..if self.bidirectional { clients } else { 0 }).map(|_| back);
        verbs
            .chain(others)
            .enumerate()
            .map(|(client, verb)| Job { verb, size, depth: self.depth.into(), enough, client })
            .collect()
    }
}

/// Runs the command.
pub fn run(args: &BenchArgs) -> Result<()> {
    args.check().context(Fault::Arguments)?;
    let mut board = args.board.clone();
    if let Some(port) = args.port {
        board.board = board.board.with_port(port.get());
    }
    let mut rows = Vec::new();
    interrupt::listen()?;
    let sizes = args.sizes();
    for size in &sizes {
        if interrupt::came() {
            break;
        }
        let size = *size;
        let row = measure(&board, &args.jobs(size)).with_context(|| format!("operations of {size} bytes"))?;
        rows.push(row);
    }
    if args.json {
        say!(
            "{}",
            serde_json::json!({ "board": board.board.to_string(), "verb": format!("{:?}", args.verb).to_lowercase(),
            "depth": args.depth, "clients": args.clients, "bidirectional": args.bidirectional, "rows": rows })
        )?;
    } else {
        say!("{}", figures::table(&rows, args.wide))?;
    }
    interrupt::check(|| format!("{} of {} sizes, the last one in part", rows.len(), sizes.len()))?;
    judge(args, &rows)
}

/// All jobs at once, each with a client and a process of its own; they begin together.
fn measure(board: &BoardArgs, jobs: &[Job]) -> Result<Row> {
    let first = &jobs[0];
    let _span =
        tracing::debug_span!("bench", verb = ?first.verb, size = first.size, clients = jobs.len()).entered();
    // Connecting may fail, and whoever fails before the start must not keep the others waiting.
    let opened = jobs.iter().map(|_| {
        let client = board.connect()?;
        let process = client.open(board.process())?;
        Ok((client, process))
    });
    let opened = opened.collect::<Result<Vec<_>>>()?;
    let begin = Barrier::new(jobs.len());
    let failed = Mutex::new(None);
    let all = std::thread::scope(|scope| {
        let threads: Vec<_> = jobs
            .iter()
            .zip(&opened)
            .map(|(job, (client, process))| {
                let (begin, failed) = (&begin, &failed);
                scope.spawn(move || {
                    let mut waited = false;
                    let result = work::run(Worker { client, process }, job, || {
                        waited = true;
                        begin.wait();
                    });
                    if !waited {
                        begin.wait();
                    }
                    result.map_err(|error| {
                        failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    })
                })
            })
            .collect();
        let mut all = Samples::new();
        for thread in threads {
            match thread.join() {
                Ok(Ok(samples)) => all.merge(&samples),
                Ok(Err(())) => {}
                Err(_) => {
                    let panicked = anyhow!("the thread of a client panicked").context(Fault::Bug);
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panicked);
                }
            }
        }
        all
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut counted = BTreeMap::new();
    for (name, count) in opened.iter().flat_map(|(client, _)| client.statistics().transport.named()) {
        *counted.entry(name).or_default() += count;
    }
    opened.into_iter().try_for_each(|(_, process)| process.exit())?;
    Ok(Row::of(jobs[0].size as u64, &all, counted))
}

/// Bounds that the user set.
fn judge(args: &BenchArgs, rows: &[Row]) -> Result<()> {
    let mut missed = Vec::new();
    for row in rows {
        if let Some(least) = args.min_rate.filter(|least| row.rate() < *least) {
            missed.push(format!(
                "{} bytes: {:.0} operations per second, at least {least} wanted",
                row.bytes,
                row.rate()
            ));
        }
        if let Some(most) = args.max_p99.filter(|most| row.t_p99_us > *most) {
            missed.push(format!("{} bytes: p99 of {:.2} µs, at most {most} wanted", row.bytes, row.t_p99_us));
        }
    }
    if !missed.is_empty() {
        return Err(anyhow!(missed.join("; ")).context(Fault::Bound));
    }
    Ok(())
}
