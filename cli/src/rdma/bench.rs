//! `mneme rdma bench`: rates and latencies of one connection.
use super::{PageKind, Reached, WayArgs};
use crate::fault::Fault;
use crate::interrupt;
use crate::output::say;
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use hdrhistogram::Histogram;
use mneme_auth::Size;
use mneme_rdma::cm::Kind;
use mneme_rdma::codec::profile::{Chain, PAGE};
use mneme_rdma::memory::Access;
use mneme_rdma::node::FRAME;
use mneme_rdma::requester::Seen;
use serde::Serialize;
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Verb {
    /// READs
    Read,
    /// WRITEs
    Write,
    /// Fetch-and-add of one word of 8 bytes
    Atomic,
}

/// Measure rates and latencies of one connection. What READs and atomics bring is checked, and what WRITEs and atomics leave.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// What to measure
    #[arg(value_enum)]
    verb: Verb,
    #[command(flatten)]
    way: WayArgs,
    /// What is accessed: board pages or pages of 4 KB, natively or by ODRP's loads and stores
    #[arg(long, value_enum, default_value_t)]
    kind: PageKind,
    /// Bytes of each operation; atomics always have 8, loads and stores of ODRP 4 KiB
    #[arg(long, short, value_name = "SIZE", default_value_t = Size(64), value_parser = Size::within(1..=1 << 20))]
    size: Size,
    /// Operations
    #[arg(long, short = 'n', default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    iters: u64,
    /// Operations in flight
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    depth: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    board: String,
    verb: String,
    bytes: u64,
    depth: u64,
    operations: u64,
    operations_per_second: f64,
    bytes_per_second: f64,
    t_min_us: f64,
    t_p50_us: f64,
    t_p99_us: f64,
    t_max_us: f64,
    /// A device tells neither.
    packets_sent_again: Option<u64>,
    not_ready: Option<u64>,
}

/// The byte at a place of what is read.
fn byte(at: u64) -> u8 {
    (at.wrapping_mul(0x9e37_79b9) >> 24) as u8
}

/// Runs the command.
pub fn run(args: &BenchArgs) -> Result<()> {
    interrupt::listen()?;
    let bytes = if args.verb == Verb::Atomic { 8 } else { args.size.0 };
    let kind = match args.kind {
        PageKind::Pages => Kind::Pages,
        PageKind::Frames => Kind::Frames,
        PageKind::Chain => return chain(args),
    };
    let mut reached = args.way.reach(bytes, kind, Access::ALL)?;
    let content: Vec<u8> = (0..bytes).map(byte).collect();
    let first = match args.verb {
        Verb::Read => content.clone(),
        // Other bytes in every place: what is there afterwards came by RDMA.
        Verb::Write => content.iter().map(|byte| !byte).collect(),
        // The word counts from 0.
        Verb::Atomic => vec![0; 8],
    };
    reached.process.rwrite(reached.va, &first)?;
    let (histogram, took, operations) = measure(args, &mut reached, &content)?;
    let left = match args.verb {
        Verb::Atomic => operations.to_le_bytes().to_vec(),
        _ if operations == 0 => first,
        _ => content,
    };
    let mut there = vec![0; left.len()];
    reached.process.rread(reached.va, &mut there)?;
    ensure!(
        there == left,
        anyhow::anyhow!("the memory is not what the operations left").context(Fault::Data)
    );
    let seen = reached.rdma.seen();
    let board = *reached.board.ip();
    reached.end()?;
    report(args, (board, bytes), (&histogram, took, operations), seen)
}

/// Loads or stores, each of a page of its own; what is loaded and what stores leave is checked.
fn chain(args: &BenchArgs) -> Result<()> {
    ensure!(args.verb != Verb::Atomic, "ODRP has no atomics: measure them with --kind frames");
    let pages = args.depth as u32;
    let bytes = u64::from(pages) * FRAME;
    let Reached { mut rdma, process, board, va } = args.way.reach_chain(bytes, pages as usize)?;
    let content: Vec<u8> = (0..FRAME).map(byte).collect();
    let page: &[u8; PAGE] = content.first_chunk().context("a page")?;
    for number in 0..pages {
        // Stores change every byte.
        let first =
            if args.verb == Verb::Read { content.clone() } else { content.iter().map(|b| !b).collect() };
        process.rwrite(va + u64::from(number) * FRAME, &first)?;
        rdma.chain.learn(number, true)?;
    }
    let mut histogram = Histogram::new_with_bounds(1, 3_600_000_000_000, 3).context("a histogram")?;
    let (began, mut begun, mut ended) = (Instant::now(), 0, 0);
    let mut since = vec![began; pages as usize];
    let mut free: Vec<u32> = (0..pages).collect();
    while ended < args.iters {
        let stop = interrupt::came();
        while !stop
            && begun < args.iters
            && let Some(number) = free.pop()
        {
            match args.verb {
                Verb::Read => rdma.chain.load(number)?,
                _ => rdma.chain.store(number, page)?,
            };
            since[number as usize] = Instant::now();
            begun += 1;
        }
        let Some(done) = rdma.wait()? else { break };
        done.result.context(Fault::Rdma)?;
        let took = since[done.page as usize].elapsed();
        histogram.saturating_record(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX));
        let right = done.bytes.is_none_or(|bytes| bytes == content);
        ensure!(right, anyhow::anyhow!("load {ended} brought something else").context(Fault::Data));
        free.push(done.page);
        ended += 1;
    }
    let took = began.elapsed();
    let mut there = vec![0; PAGE];
    process.rread(va + (u64::from(pages) - 1) * FRAME, &mut there)?;
    // The last page is the first that is taken.
    let right = ended == 0 || there == content;
    ensure!(right, anyhow::anyhow!("the memory is not what the operations left").context(Fault::Data));
    let function = if args.verb == Verb::Read { Chain::Load } else { Chain::MappedStore };
    let seen = Some(*rdma.chain.seen(function));
    drop(rdma);
    process.exit()?;
    report(args, (*board.ip(), FRAME), (&histogram, took, ended), seen)
}

fn report(
    args: &BenchArgs,
    (board, bytes): (Ipv4Addr, u64),
    (histogram, took, operations): (&Histogram<u64>, Duration, u64),
    seen: Option<Seen>,
) -> Result<()> {
    let us = |nanoseconds: u64| nanoseconds as f64 / 1e3;
    let rate = operations as f64 / took.as_secs_f64().max(1e-9);
    let report = Report {
        board: board.to_string(),
        verb: format!("{:?}", args.verb).to_lowercase(),
        bytes,
        depth: args.depth,
        operations,
        operations_per_second: rate,
        bytes_per_second: rate * bytes as f64,
        t_min_us: us(histogram.min()),
        t_p50_us: us(histogram.value_at_quantile(0.5)),
        t_p99_us: us(histogram.value_at_quantile(0.99)),
        t_max_us: us(histogram.max()),
        packets_sent_again: seen.map(|seen| seen.sent_again),
        not_ready: seen.map(|seen| seen.not_ready),
    };
    if args.json {
        say!("{}", serde_json::to_string(&report)?)?;
    } else {
        report.print()?;
    }
    interrupt::check(|| format!("{operations} of {} operations", args.iters))
}

impl Report {
    fn print(&self) -> Result<()> {
        let seen = match (self.packets_sent_again, self.not_ready) {
            (Some(again), Some(not_ready)) => format!(", packets sent again {again}, not ready {not_ready}"),
            _ => String::new(),
        };
        say!(
            "{} of {} bytes, {} in flight: {:.0} a second, {:.1} MB/s\nt_min/p50/p99/max {:.1}/{:.1}/{:.1}/{:.1} µs{seen}",
            self.operations,
            self.bytes,
            self.depth,
            self.operations_per_second,
            self.bytes_per_second / 1e6,
            self.t_min_us,
            self.t_p50_us,
            self.t_p99_us,
            self.t_max_us
        )?;
        Ok(())
    }
}

/// Keeps operations in flight until all have ended or somebody interrupts.
fn measure(
    args: &BenchArgs,
    reached: &mut Reached,
    content: &[u8],
) -> Result<(Histogram<u64>, Duration, u64)> {
    let mut histogram = Histogram::new_with_bounds(1, 3_600_000_000_000, 3).context("a histogram")?;
    let (va, began) = (reached.va, Instant::now());
    let (mut begun, mut ended, mut under_way) = (0, 0, VecDeque::new());
    while ended < args.iters {
        let stop = interrupt::came();
        while !stop && begun < args.iters && (under_way.len() as u64) < args.depth {
            let native = reached.rdma.native();
            match args.verb {
                Verb::Read => native.read(va, vec![0; content.len()])?,
                Verb::Write => native.write(va, content.to_vec(), None, false)?,
                Verb::Atomic => native.fetch_add(va, 1)?,
            };
            under_way.push_back(Instant::now());
            begun += 1;
        }
        let Some(since) = under_way.pop_front() else { break };
        let done = reached.done()?;
        // A saturated value is one that nobody waits for.
        histogram.saturating_record(u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX));
        let right = match args.verb {
            Verb::Read => done.buffer.as_deref() == Some(content),
            Verb::Write => true,
            Verb::Atomic => done.found == Some(ended),
        };
        ensure!(right, anyhow::anyhow!("operation {ended} brought something else").context(Fault::Data));
        ended += 1;
    }
    Ok((histogram, began.elapsed(), ended))
}
