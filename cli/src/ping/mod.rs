//! `mneme ping`: is a board there, who is it, and how long do its answers take?
mod exchange;

use crate::connect::BoardArgs;
use crate::interrupt;
use crate::output::say;
use anyhow::Result;
use clap::Args;
use exchange::{Exchange, Info, Tally};
use mneme_auth::Size;
use mneme_clib::{Effect, Error, OperationError, Reason};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Opcode, Pid, Va};
use serde::Serialize;
use std::time::Duration;

/// How soon the next ping leaves while nobody was heard and the board's host refuses them: whether nothing listens there is
/// soon known.
const REFUSED_AGAIN: Duration = Duration::from_millis(100);
/// Refusals that are believed when nobody was ever heard: so long a board may take to begin to listen.
const REFUSALS: u32 = 5;
/// Pings without a pause between them wait for answers no longer than this.
const FLOOD_PATIENCE: Duration = Duration::from_millis(10);
/// Between two looks whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Ask a board who it is, and how long its answers take: one packet for each ping. None is sent again, but for the first
/// few where the board's host says that nothing listens yet.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    mneme ping                                     three pings, a second apart\n  \
    mneme ping --board 10.0.0.2 -c 100 -i 0.01     a hundred, 10 ms apart\n  \
    mneme ping -c 0                                until interrupted; the summary comes then, too\n  \
    mneme ping --json | jq .rtt_avg_us\n\n\
    Exit code: 0 when a ping was answered, 1 when none was.")]
pub struct PingArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// How many pings; 0: until interrupted
    #[arg(long, short = 'c', short_alias = 'n', default_value_t = 3, value_parser = clap::value_parser!(u64).range(0..=1_000_000_000))]
    count: u64,
    /// Seconds from one ping to the next; 0: the next one leaves when the one before was answered, or after 10 ms
    #[arg(long, short = 'i', value_name = "SECONDS", default_value_t = 1.0, value_parser = pause)]
    interval: f64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn pause(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=3_600.0).contains(&seconds) => Ok(seconds),
        _ => Err("0 to 3600 seconds".into()),
    }
}

#[derive(Serialize)]
struct Report {
    board: String,
    kind: &'static str,
    #[serde(flatten)]
    info: Option<Told>,
    #[serde(flatten)]
    tally: Tally,
}

/// What the board said of itself last.
#[derive(Serialize)]
struct Told {
    board_id: u64,
    epoch: u8,
    page_bytes: u64,
    memory_bytes: u64,
    max_payload_bytes: u16,
    window_ticks: u32,
    ns_per_tick: u32,
}

impl From<&BoardInfo> for Told {
    fn from(info: &BoardInfo) -> Told {
        Told {
            board_id: info.board_id,
            epoch: info.epoch,
            page_bytes: 1 << info.page_bits,
            memory_bytes: info.memory,
            max_payload_bytes: info.max_payload,
            window_ticks: info.window,
            ns_per_tick: info.ns_per_tick,
        }
    }
}

/// Runs the command.
pub fn run(args: &PingArgs) -> Result<()> {
    interrupt::listen()?;
    let mut exchange = Exchange::new(args.board.open()?.driver);
    let began = exchange.now();
    go_on(args, &mut exchange)?;
    let elapsed = exchange.now().saturating_sub(began);
    let tally = exchange.tally();
    let (sent, answered) = (tally.sent, tally.answered);
    match args.json {
        true => {
            let Info { kind, board } = exchange.info();
            let info = board.as_ref().map(Told::from);
            say!(
                "{}",
                serde_json::to_string(&Report { board: exchange.peer(), kind: kind.name(), info, tally })?
            )?;
        }
        false => say!("{}", summary(&exchange.peer(), &tally, elapsed))?,
    }
    if answered > 0 {
        return Ok(());
    }
    interrupt::check(|| format!("none of {sent} pings was answered by then"))?;
    let reason = if exchange.other_version() { Reason::Version } else { Reason::Unreachable };
    Err(Error::from(Box::new(OperationError {
        board: exchange.peer(),
        opcode: Opcode::Ping,
        pid: Pid::NONE,
        va: Va::default(),
        length: 0,
        reason,
        effect: Effect::None,
        attempts: u32::try_from(sent).unwrap_or(u32::MAX),
        elapsed,
        trouble: exchange.trouble(),
        driver: None,
    }))
    .into())
}

/// Sends pings and prints answers until all are there, patience is at its end, nobody listens, or somebody interrupts.
fn go_on(args: &PingArgs, exchange: &mut Exchange) -> Result<()> {
    let (patience, interval) =
        (Duration::from_secs_f64(args.board.timeout), Duration::from_secs_f64(args.interval));
    let all = if args.count == 0 { u64::MAX } else { args.count };
    let (mut next, mut last, mut introduced) = (exchange.now(), exchange.now(), false);
    while !interrupt::came() {
        let now = exchange.now();
        let refused = exchange.refusals() > 0 && !exchange.was_heard();
        if refused && exchange.refusals() >= REFUSALS {
            break;
        }
        // Those that were refused before anybody listened are made up for.
        let counted = exchange.sent() - exchange.refused();
        if refused {
            next = next.min(last + REFUSED_AGAIN);
        } else if interval.is_zero() && exchange.all_answered() {
            next = now;
        }
        if counted < all && now >= next {
            exchange.send()?;
            last = now;
            // A command that was stopped for a while does not make up for it.
            let pause = if interval.is_zero() { FLOOD_PATIENCE } else { interval };
            next = if now - next > pause { now + pause } else { next + pause };
        }
        let counted = exchange.sent() - exchange.refused();
        if counted >= all && (exchange.all_answered() || now >= last + patience) {
            break;
        }
        let until = if counted < all { next } else { last + patience };
        for answer in exchange.receive(until.saturating_sub(now).min(LOOK))? {
            if let (false, Some(line)) = (args.json || introduced, introduction(exchange)) {
                say!("{line}")?;
                introduced = true;
            }
            if !args.json {
                let again = if answer.again { ", answered once more" } else { "" };
                say!("ping {}: {:.1} µs{again}", answer.number + 1, us(answer.took))?;
            }
        }
    }
    Ok(())
}

/// Who the board is, as soon as it has said so.
fn introduction(exchange: &Exchange) -> Option<String> {
    let Info { kind, board } = exchange.info();
    let info = board.as_ref()?;
    let window = Duration::from_nanos(u64::from(info.window) * u64::from(info.ns_per_tick));
    Some(format!(
        "{} is a {} board, epoch {}:\n  {} in pages of {}, payloads up to {} bytes, window {window:?}",
        exchange.peer(),
        kind.name(),
        info.epoch,
        Size(info.memory),
        Size(1 << info.page_bits),
        info.max_payload,
    ))
}

fn us(span: Duration) -> f64 {
    span.as_nanos() as f64 / 1e3
}

fn summary(peer: &str, tally: &Tally, elapsed: Duration) -> String {
    let doubled = match tally.duplicates {
        0 => String::new(),
        more => format!(", {more} answered more than once"),
    };
    let times = match (tally.rtt_min_us, tally.rtt_avg_us, tally.rtt_max_us, tally.rtt_mdev_us) {
        (Some(min), Some(avg), Some(max), Some(mdev)) => {
            format!("\nround trip min/avg/max/mdev {min:.1}/{avg:.1}/{max:.1}/{mdev:.1} µs")
        }
        _ => String::new(),
    };
    format!(
        "--- {peer}\n{} sent, {} answered{doubled}, {:.1}% lost, in {elapsed:.1?}{times}",
        tally.sent, tally.answered, tally.lost_percent
    )
}
