//! Writes programs for the benches of the responder, the leaf unit and the requester of replies in hardware, and what the golden
//! models answer.
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Parser;
use mneme_rdma_world::{LEAF_PROGRAMS, PROGRAMS, REPLY_PROGRAMS, leaf_vectors, reply_vectors, vectors};

/// Programs of packets, of the leaf unit's operations, or of replies, one a seed, with the golden model's answers.
#[derive(Parser)]
#[command(name = "rdma-vectors")]
struct Options {
    /// The first seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seeds; those that are kept by default
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seeds: Option<u64>,
    /// Operations of the leaf unit
    #[arg(long)]
    leaf: bool,
    /// Replies of chains
    #[arg(long, conflicts_with = "leaf")]
    replies: bool,
    /// The file
    to: PathBuf,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let (kept, write): (u64, fn(u64, u64) -> String) = match (options.leaf, options.replies) {
        (true, _) => (LEAF_PROGRAMS, leaf_vectors),
        (_, true) => (REPLY_PROGRAMS, reply_vectors),
        _ => (PROGRAMS, vectors),
    };
    let seeds = options.seeds.unwrap_or(kept);
    if options.seed.checked_add(seeds).is_none() {
        bail!("seeds end at {}", u64::MAX)
    }
    let text = write(options.seed, seeds);
    std::fs::write(&options.to, text).with_context(|| format!("writing {}", options.to.display()))
}
