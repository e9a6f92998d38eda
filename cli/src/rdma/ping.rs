//! `mneme rdma ping`: how long a READ of 8 bytes takes.
use super::{PageKind, Reached, WayArgs};
use crate::fault::Fault;
use crate::interrupt;
use crate::output::say;
use anyhow::{Context, Result};
use clap::Args;
use mneme_rdma::cm::Kind;
use mneme_rdma::codec::profile::Chain;
use mneme_rdma::memory::Access;
use std::time::{Duration, Instant};

/// READ 8 bytes again and again, and tell how long each took.
#[derive(Debug, Args)]
pub struct PingArgs {
    #[command(flatten)]
    way: WayArgs,
    /// What is read: board pages or pages of 4 KB, natively or by ODRP's loads
    #[arg(long, value_enum, default_value_t)]
    kind: PageKind,
    /// How many READs; 0: until interrupted
    #[arg(long, short = 'c', short_alias = 'n', default_value_t = 3, value_parser = clap::value_parser!(u64).range(0..=1_000_000_000))]
    count: u64,
    /// Seconds from one READ to the next
    #[arg(long, short = 'i', value_name = "SECONDS", default_value_t = 1.0, value_parser = pause)]
    interval: f64,
}

fn pause(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=3_600.0).contains(&seconds) => Ok(seconds),
        _ => Err("0 to 3600 seconds".into()),
    }
}

/// Runs the command.
pub fn run(args: &PingArgs) -> Result<()> {
    interrupt::listen()?;
    let kind = match args.kind {
        PageKind::Pages => Kind::Pages,
        PageKind::Frames => Kind::Frames,
        PageKind::Chain => return chain(args),
    };
    let mut reached = args.way.reach(8, kind, Access::READ)?;
    let granted = reached.rdma.granted();
    say!(
        "{} speaks RDMA: {}, {} bytes at {:#x} under key {:#010x}",
        reached.board.ip(),
        reached.rdma.way(),
        granted.length,
        granted.va,
        granted.rkey
    )?;
    let times = repeat(args, "READ", || {
        reached.rdma.native().read(reached.va, vec![0; 8])?;
        reached.done().map(drop)
    })?;
    times.tell(reached.rdma.seen().map(|seen| seen.sent_again))?;
    reached.end()
}

/// Loads of one page that has been stored first.
fn chain(args: &PingArgs) -> Result<()> {
    let Reached { mut rdma, process, board, va } = args.way.reach_chain(4096, 1)?;
    let table = *rdma.table();
    say!(
        "{} speaks ODRP: {} pages at {va:#x}, the first entry at {:#x}",
        board.ip(),
        table.entries,
        table.tt_base
    )?;
    process.rwrite(va, b"ping")?;
    rdma.chain.learn(0, true)?;
    let times = repeat(args, "load", || {
        rdma.chain.load(0)?;
        let done = rdma.wait()?.context("no request was begun")?;
        done.result.context(Fault::Rdma)
    })?;
    times.tell(Some(rdma.chain.seen(Chain::Load).sent_again))?;
    drop(rdma);
    Ok(process.exit()?)
}

/// How long round trips took.
struct Times {
    number: u64,
    least: Duration,
    most: Duration,
    sum: Duration,
}

/// Does something again and again, and tells how long each took.
fn repeat(args: &PingArgs, name: &str, mut once: impl FnMut() -> Result<()>) -> Result<Times> {
    let all = if args.count == 0 { u64::MAX } else { args.count };
    let (mut number, mut least, mut most, mut sum) = (0, Duration::MAX, Duration::ZERO, Duration::ZERO);
    while number < all && !interrupt::came() {
        if number > 0 {
            let until = Instant::now() + Duration::from_secs_f64(args.interval);
            while Instant::now() < until && !interrupt::came() {
                let left = until.saturating_duration_since(Instant::now());
                std::thread::sleep(left.min(Duration::from_millis(50)));
            }
        }
        let began = Instant::now();
        once()?;
        let took = began.elapsed();
        number += 1;
        (least, most, sum) = (least.min(took), most.max(took), sum + took);
        say!("{name} {number}: {:.1} µs", took.as_nanos() as f64 / 1e3)?;
    }
    Ok(Times { number, least, most, sum })
}

impl Times {
    /// A device does not tell what it has sent again.
    fn tell(&self, sent_again: Option<u64>) -> Result<()> {
        let Times { number, least, most, sum } = *self;
        if number == 0 {
            return Ok(());
        }
        let us = |span: Duration| span.as_nanos() as f64 / 1e3;
        let mean = sum / u32::try_from(number).unwrap_or(u32::MAX);
        let again = sent_again.map_or(String::new(), |count| format!(", packets sent again {count}"));
        say!("round trip min/avg/max {:.1}/{:.1}/{:.1} µs{again}", us(least), us(mean), us(most))?;
        Ok(())
    }
}
