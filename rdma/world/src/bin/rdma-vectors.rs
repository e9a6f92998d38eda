//! Writes programs for the benches of the responder, the leaf unit and parts of chains in hardware, and what the golden models
//! answer.
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Parser;
use mneme_rdma_world::{
    FIELD_MESSAGES, LEAF_PROGRAMS, PROGRAMS, REPLY_PROGRAMS, field_vectors, leaf_vectors, reply_vectors, vectors,
};

/// Programs of packets, of the leaf unit's operations, of replies, or messages of chains, one a seed, with the golden model's answers.
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
    /// Messages of chains, and their arguments
    #[arg(long, conflicts_with_all = ["leaf", "replies"])]
    fields: bool,
    /// The file
    to: PathBuf,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let (kept, write): (u64, fn(u64, u64) -> String) = match (options.leaf, options.replies, options.fields) {
        (true, ..) => (LEAF_PROGRAMS, leaf_vectors),
        (_, true, _) => (REPLY_PROGRAMS, reply_vectors),
        (.., true) => (FIELD_MESSAGES, field_vectors),
        _ => (PROGRAMS, vectors),
    };
    let seeds = options.seeds.unwrap_or(kept);
    if options.seed.checked_add(seeds).is_none() {
        bail!("seeds end at {}", u64::MAX)
    }
    let text = write(options.seed, seeds);
    std::fs::write(&options.to, text).with_context(|| format!("writing {}", options.to.display()))
}
