//! Writes programs for the bench of the responder in hardware, and what the golden model answers.
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Parser;
use mneme_rdma_world::{PROGRAMS, vectors};

/// Programs of packets, one a seed, with the golden model's answers.
#[derive(Parser)]
#[command(name = "rdma-vectors")]
struct Options {
    /// The first seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seeds
    #[arg(long, default_value_t = PROGRAMS, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seeds: u64,
    /// The file
    to: PathBuf,
}

fn main() -> Result<()> {
    let options = Options::parse();
    if options.seed.checked_add(options.seeds).is_none() {
        bail!("seeds end at {}", u64::MAX)
    }
    let text = vectors(options.seed, options.seeds);
    std::fs::write(&options.to, text).with_context(|| format!("writing {}", options.to.display()))
}
