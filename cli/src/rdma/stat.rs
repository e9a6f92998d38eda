//! `mneme rdma stat`: what a board's RDMA port has counted, read by RDMA.
use super::WayArgs;
use crate::output::say;
use anyhow::{Context, Result};
use clap::Args;
use mneme_daemon::rdma::statistics_names;
use mneme_rdma::cm::Kind;
use mneme_rdma::memory::Access;
use std::collections::BTreeMap;

/// Read what the board's RDMA port has counted since it started, this connection included.
#[derive(Debug, Args)]
pub struct StatArgs {
    #[command(flatten)]
    way: WayArgs,
    /// Show zeros too
    #[arg(long)]
    zeros: bool,
    /// Print one JSON object, zeros included
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &StatArgs) -> Result<()> {
    let mut reached = args.way.reach(8, Kind::Statistics, Access::READ)?;
    let grant = *reached.rdma.native().grant();
    let length = usize::try_from(grant.length).context("statistics of this length")?;
    reached.rdma.native().read(grant.va, vec![0; length])?;
    let bytes = reached.done()?.buffer.unwrap_or_default();
    reached.end()?;
    let values =
        bytes.chunks_exact(8).map(|word| word.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte)));
    // A board of another version may tell more or less: the first ones have kept their places.
    let named: Vec<(&str, u64)> = statistics_names().zip(values).collect();
    if args.json {
        let all: BTreeMap<String, u64> =
            named.iter().map(|(name, value)| (name.replace(' ', "_"), *value)).collect();
        return Ok(say!("{}", serde_json::to_string(&all)?)?);
    }
    for (name, value) in named.into_iter().filter(|(_, value)| args.zeros || *value > 0) {
        say!("{value:>14}  {name}")?;
    }
    Ok(())
}
