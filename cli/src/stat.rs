//! `mneme stat`: what a running board is built from and has counted, and this client while it asked.
use crate::built::Built;
use crate::connect::{BoardArgs, Kind};
use crate::output::say;
use crate::snapshot::Snapshot;
use anyhow::Result;
use clap::Args;
use mneme_clib::{Client, NodeCounter, Process};
use mneme_wire::payload::NODE_COUNTER_BASE;
use mneme_wire::register::HISTOGRAM_BASE;
use mneme_wire::{Counter, Mark, Stage};
use serde::Serialize;
use std::collections::BTreeMap;

/// Ask a running board what it was built from, and for its counters, queue marks and times per stage.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    mneme stat                             everything that is not zero\n  \
    mneme stat --board 10.0.0.2:19790 --zeros\n  \
    mneme stat --json | jq .stages.WHOLE\n  \
    mneme stat --json | jq .build            git hash, date, parameters; null: the board does not tell\n\n\
    Numbers are since the board started; their meaning is in docs/reference/wire.md. Asking changes PINGS, SLOW_TX and the like. Those of\n\
    clients are theirs: this command tells its own (retries on the way here), `mneme bench --json` those of its clients.")]
pub struct StatArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Show zeros too
    #[arg(long)]
    zeros: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    board: String,
    kind: &'static str,
    build: Built,
    #[serde(flatten)]
    snapshot: Snapshot,
    /// What this command's own client counted: what the way to the board costs.
    client: BTreeMap<String, u64>,
}

/// Runs the command.
pub fn run(args: &StatArgs) -> Result<()> {
    let client = args.board.connect()?;
    let standing = args.board.standing(&client)?;
    let (board, kind, snapshot) = (client.peer(), Kind::of(&client)?.name(), snapshot(&client)?);
    let build = Built::new(client.build()?);
    standing.map_or(Ok(()), Process::exit)?;
    let report = Report { board, kind, build, snapshot, client: client.statistics().transport.named() };
    match args.json {
        true => say!("{}", serde_json::to_string(&report)?)?,
        false => {
            say!("{}, {} board", report.board, report.kind)?;
            say!("{}", report.build.text())?;
            say!("{}", report.snapshot.text(args.zeros).trim_end())?;
            say!("this client, while it asked")?;
            for (name, count) in report.client.iter().filter(|(_, count)| args.zeros || **count > 0) {
                say!("{count:>14}    {name}")?;
            }
        }
    }
    Ok(())
}

/// Reads the numbers in a few stretches.
pub(crate) fn snapshot(client: &Client) -> Result<Snapshot> {
    let last = |numbers: &mut dyn Iterator<Item = u32>| numbers.max().unwrap_or(0);
    let cells = Stage::ALL.iter().map(|stage| stage.bucket(mneme_wire::register::HISTOGRAM_BUCKETS - 1));
    let stretches = [
        (0, last(&mut Counter::ALL.iter().map(|c| *c as u32))),
        (Mark::PacketSlots as u32, last(&mut Mark::ALL.iter().map(|m| *m as u32))),
        (HISTOGRAM_BASE, last(&mut cells.into_iter())),
        (NODE_COUNTER_BASE, last(&mut NodeCounter::ALL.iter().map(|c| *c as u32))),
    ];
    let mut read = Vec::new();
    for (first, last) in stretches {
        read.push((first, client.counters(first, last - first + 1)?));
    }
    Ok(Snapshot::of(|number| {
        let found = read.iter().find_map(|(first, values)| values.get(number.checked_sub(*first)? as usize));
        found.copied().unwrap_or(0)
    }))
}
