//! `mneme trace`: one request, stage by stage.
use crate::connect::{BoardArgs, Kind};
use crate::fault::Fault;
use crate::interrupt;
use crate::output::{self, say};
use crate::snapshot::{Histogram, Snapshot};
use crate::stat::snapshot;
use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, presets};
use mneme_auth::Size;
use mneme_clib::{AllocOptions, BoardTimes, Client, Process, TransportConfig};
use mneme_wire::{Counter, Stage};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// After this the request is sent again: late, since stages that it passed twice tell of neither way. A busy machine's
/// pauses are shorter.
const RESENT: Duration = Duration::from_millis(500);

/// What is traced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Verb {
    /// A read.
    Read,
    /// A write.
    Write,
    /// A fetch-and-add.
    Atomic,
}

/// Follow one request through the board, stage by stage
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    mneme trace read                  of memory that was used just before: a TLB hit\n  \
    mneme trace write --first-touch   of memory that nobody used yet: a page fault\n  \
    mneme trace read -s 1K --json\n\n\
    The answer itself tells how long its request was on the board: cycles between the board's ports, nobody else's among them.\n\
    Stages the board keeps in buckets of powers of two, so a stage's time is a range. It is the request's own while nobody else uses\n\
    the board; the output says when somebody did. Software boards measure the whole way only.")]
pub struct TraceArgs {
    /// The request
    #[arg(value_enum)]
    verb: Verb,
    #[command(flatten)]
    board: BoardArgs,
    /// Bytes to read or write, in one packet; atomics always have 8
    #[arg(long, short, value_name = "SIZE", default_value_t = Size(16), value_parser = Size::within(1..=1 << 26))]
    size: Size,
    /// Of a page that nobody has used
    #[arg(long)]
    first_touch: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A stage's time, in cycles.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
struct Passed {
    stage: &'static str,
    at_least: u64,
    at_most: u64,
}

#[derive(Serialize)]
struct Report {
    board: String,
    kind: &'static str,
    /// From the call to its end, as the application sees it.
    client_us: f64,
    /// Between the board's ports, as the answer told.
    board_cycles: u64,
    /// The same at 250 MHz.
    board_ns: u64,
    /// Packets that had to be sent again.
    retries: u64,
    /// Requests that passed the board meanwhile; more than one: the stages are not this one's alone.
    requests: u64,
    stages: Vec<Passed>,
    /// Counters that moved.
    counted: BTreeMap<&'static str, u64>,
}

/// Runs the command.
pub fn run(args: &TraceArgs) -> Result<()> {
    let resent = RESENT.min(Duration::from_secs_f64(args.board.timeout / 4.0));
    let patient =
        TransportConfig { first_timeout: resent, min_timeout: resent, ..TransportConfig::default() };
    let client = args.board.connect_by(patient)?;
    let fits = client.lane(0)?.largest_payload();
    if args.size.0 > fits as u64 {
        let found = anyhow!("{} bytes need more than one packet: this board's carry {fits}", args.size.0);
        return Err(found.context(Fault::Arguments));
    }
    interrupt::listen()?;
    let process = client.open(args.board.process())?;
    let traced = trace(&client, &process, args);
    let ended = process.exit();
    let report = traced?;
    ended?;
    if args.json {
        say!("{}", serde_json::to_string(&report)?)?
    } else {
        print(&report)?
    }
    interrupt::check(|| "the request was traced".into())
}

fn trace(client: &Client, process: &Process, args: &TraceArgs) -> Result<Report> {
    let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
    let va = process.ralloc_with(process.page_size(), whole).context("memory for the request")?;
    if !args.first_touch {
        request(process, args, va)?;
        process.rwrite(va, &[0])?;
        request(process, args, va)?;
    }
    let (before, retries) = (snapshot(client)?, client.statistics().transport.retries());
    let began = Instant::now();
    let (answered, times) = client.timed(|| request(process, args, va));
    let client_us = began.elapsed().as_nanos() as f64 / 1e3;
    answered?;
    let retries = client.statistics().transport.retries() - retries;
    let after = snapshot(client)?;
    Ok(Report {
        board: client.peer(),
        kind: Kind::of(client)?.name(),
        client_us,
        board_cycles: times.cycles,
        board_ns: ns(times.cycles),
        retries,
        requests: requests(&before, &after),
        stages: stages(&before, &after),
        counted: counted(&before, &after),
    })
}

fn request(process: &Process, args: &TraceArgs, va: u64) -> Result<()> {
    match args.verb {
        Verb::Read => process.rread(va, &mut vec![0; args.size.0 as usize])?,
        Verb::Write => process.rwrite(va, &vec![0x5a; args.size.0 as usize])?,
        Verb::Atomic => drop(process.fetch_add(va, 1)?),
    }
    Ok(())
}

fn ns(cycles: u64) -> u64 {
    u64::try_from(BoardTimes::span(cycles).as_nanos()).unwrap_or(u64::MAX)
}

fn name(stage: Stage) -> &'static str {
    stage.name().strip_prefix("STAGE_").unwrap_or(stage.name())
}

fn requests(before: &Snapshot, after: &Snapshot) -> u64 {
    let count = |snapshot: &Snapshot| snapshot.stages.get(name(Stage::Whole)).map_or(0, |all| all.requests);
    count(after) - count(before)
}

/// The buckets that have grown, from the lowest to the highest.
fn stages(before: &Snapshot, after: &Snapshot) -> Vec<Passed> {
    let grown = |stage: &Stage| {
        let buckets = |snapshot: &Snapshot| {
            snapshot.stages.get(name(*stage)).map(|Histogram { buckets, .. }| buckets.clone())
        };
        let (before, after) = (buckets(before)?, buckets(after)?);
        let grown: Vec<usize> = (0..after.len()).filter(|bucket| after[*bucket] > before[*bucket]).collect();
        let (first, last) = (*grown.first()?, *grown.last()?);
        let at_least = if first == 0 { 0 } else { 1 << first };
        Some(Passed { stage: name(*stage), at_least, at_most: (2 << last) - 1 })
    };
    Stage::ALL.iter().filter_map(grown).collect()
}

/// Counters that moved, those of asking for counters left out.
fn counted(before: &Snapshot, after: &Snapshot) -> BTreeMap<&'static str, u64> {
    let of_asking =
        [Counter::RxFrames.name(), Counter::TxFrames.name(), Counter::SlowTx.name(), Counter::SlowRx.name()];
    let fast = Counter::ALL.iter().map(|counter| counter.name()).filter(|name| !of_asking.contains(name));
    let moved = fast.filter_map(|name| {
        let more = after.counters.get(name)?.checked_sub(*before.counters.get(name)?)?;
        (more > 0).then_some((name, more))
    });
    moved.collect()
}

fn print(report: &Report) -> Result<()> {
    say!(
        "{}, {} board\n{:.1} µs from call to end, {} sent again; of these {} cycles on the board, {} ns at 250 MHz",
        report.board,
        report.kind,
        report.client_us,
        report.retries,
        report.board_cycles,
        report.board_ns
    )?;
    let mut table = output::table(false);
    table.load_preset(presets::NOTHING).set_header(["stage", "cycles", "ns at 250 MHz"]);
    for Passed { stage, at_least, at_most } in &report.stages {
        let range = |of: fn(u64) -> u64| format!("{} to {}", of(*at_least), of(*at_most));
        table.add_row([stage.to_string(), range(|cycles| cycles), range(ns)]);
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    say!("{table}")?;
    let counted: Vec<String> = report.counted.iter().map(|(name, more)| format!("{name} +{more}")).collect();
    say!("{}", output::listed("counted:", &counted))?;
    if report.requests != 1 {
        say!("{} requests passed meanwhile: the times are not of this one alone", report.requests)?;
    }
    Ok(())
}
