//! Writes programs for the benches of the responder, the leaf unit and parts of chains in hardware, and what the golden models
//! answer.
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Parser;
use mneme_rdma_world::{
    CHAIN_PACKET_PROGRAMS, FIELD_MESSAGES, LEAF_PROGRAMS, MESSAGE_PROGRAMS, PROGRAMS, RATE_PROGRAMS,
    REPLY_PROGRAMS, chain_packet_vectors, field_vectors, leaf_vectors, message_vectors, rate_vectors,
    reply_vectors, vectors,
};

/// Programs of packets, of the leaf unit's operations, or of parts of chains, one a seed, with the golden model's answers.
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
    #[arg(long, group = "part")]
    leaf: bool,
    /// Replies of chains
    #[arg(long, group = "part")]
    replies: bool,
    /// Arguments of chains' messages
    #[arg(long, group = "part")]
    fields: bool,
    /// Messages of chains
    #[arg(long, group = "part")]
    messages: bool,
    /// Packets of chains
    #[arg(long, group = "part")]
    chain_packets: bool,
    /// Rates of queue pairs
    #[arg(long, group = "part")]
    rates: bool,
    /// The file
    to: PathBuf,
}

/// Writes programs of so many seeds from the first one on.
type Write = fn(u64, u64) -> String;

fn main() -> Result<()> {
    let options = Options::parse();
    let parts: [(bool, u64, Write); 7] = [
        (options.leaf, LEAF_PROGRAMS, leaf_vectors),
        (options.replies, REPLY_PROGRAMS, reply_vectors),
        (options.fields, FIELD_MESSAGES, field_vectors),
        (options.messages, MESSAGE_PROGRAMS, message_vectors),
        (options.chain_packets, CHAIN_PACKET_PROGRAMS, chain_packet_vectors),
        (options.rates, RATE_PROGRAMS, rate_vectors),
        (true, PROGRAMS, vectors),
    ];
    let (_, kept, write) = parts.into_iter().find(|part| part.0).context("the last one is always chosen")?;
    let seeds = options.seeds.unwrap_or(kept);
    if options.seed.checked_add(seeds).is_none() {
        bail!("seeds end at {}", u64::MAX)
    }
    let text = write(options.seed, seeds);
    std::fs::write(&options.to, text).with_context(|| format!("writing {}", options.to.display()))
}
