//! `mneme ping`: is a board there, and who is it?
use crate::connect::{BoardArgs, Kind};
use crate::interrupt;
use crate::output::say;
use crate::size::Size;
use anyhow::Result;
use clap::Args;
use serde::Serialize;
use std::time::Duration;

/// Ask a board who it is, and how long that takes.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mneme ping\n  mneme ping --board 10.0.0.2:19790 --count 10\n  mneme ping --json | jq .epoch"
)]
pub struct PingArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// How many pings
    #[arg(long, short = 'n', default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    board: String,
    kind: &'static str,
    board_id: u64,
    epoch: u8,
    page_bytes: u64,
    memory_bytes: u64,
    max_payload_bytes: u16,
    window_ticks: u32,
    ns_per_tick: u32,
    rtt_us: Vec<f64>,
}

/// Runs the command.
pub fn run(args: &PingArgs) -> Result<()> {
    let client = args.board.connect()?;
    let mut rtt_us = Vec::new();
    let mut info = client.board();
    interrupt::listen()?;
    for _ in 0..args.count {
        if interrupt::came() {
            break;
        }
        let (answer, rtt) = client.ping()?;
        info = answer;
        rtt_us.push(rtt.as_nanos() as f64 / 1e3);
    }
    let report = Report {
        board: client.peer(),
        kind: Kind::of(&client)?.name(),
        board_id: info.board_id,
        epoch: info.epoch,
        page_bytes: 1 << info.page_bits,
        memory_bytes: info.memory,
        max_payload_bytes: info.max_payload,
        window_ticks: info.window,
        ns_per_tick: info.ns_per_tick,
        rtt_us,
    };
    if args.json {
        say!("{}", serde_json::to_string(&report)?)?;
        return told(args, &report);
    }
    let window = Duration::from_nanos(u64::from(info.window) * u64::from(info.ns_per_tick));
    say!(
        "{} is a {} board, epoch {}: {} in pages of {}, payloads up to {} bytes, window {:?}",
        report.board,
        report.kind,
        report.epoch,
        Size(report.memory_bytes),
        Size(report.page_bytes),
        report.max_payload_bytes,
        window,
    )?;
    for (i, rtt) in report.rtt_us.iter().enumerate() {
        say!("ping {}: {rtt:.1} µs", i + 1)?;
    }
    told(args, &report)
}

/// Whether all pings were sent.
fn told(args: &PingArgs, report: &Report) -> Result<()> {
    interrupt::check(|| format!("{} of {} pings", report.rtt_us.len(), args.count))
}
