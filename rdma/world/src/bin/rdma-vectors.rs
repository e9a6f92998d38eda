//! Writes programs for the benches of the responder and of the leaf unit in hardware, and what the golden models answer.
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Parser;
use mneme_rdma_world::{LEAF_PROGRAMS, PROGRAMS, leaf_vectors, vectors};

/// Programs of packets, or of the leaf unit's operations, one a seed, with the golden model's answers.
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
    /// The file
    to: PathBuf,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let seeds = options.seeds.unwrap_or(if options.leaf { LEAF_PROGRAMS } else { PROGRAMS });
    if options.seed.checked_add(seeds).is_none() {
        bail!("seeds end at {}", u64::MAX)
    }
    let text = if options.leaf { leaf_vectors(options.seed, seeds) } else { vectors(options.seed, seeds) };
    std::fs::write(&options.to, text).with_context(|| format!("writing {}", options.to.display()))
}
