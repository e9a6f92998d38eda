//! `cargo xtask rdma-sim`: requesters and a responder of RoCEv2 in virtual time, and a network that loses, doubles, delays and
//! damages their packets.
use anyhow::Result;

use crate::process::{Target, built, run};

/// The program, of the crate mneme-rdma-world.
const PROGRAM: &str = "rdma-world";

/// What a run covers.
#[derive(clap::Args)]
pub struct Options {
    /// The first seed; the one that a failure printed replays it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seeds.
    #[arg(long, default_value_t = 10_000)]
    seeds: u64,
}

/// Runs seeds. The tests of the crate run the first 200.
pub fn run_rdma_sim(options: &Options, profile: &str) -> Result<()> {
    let mut command = built(Target::Bin, PROGRAM, profile, &[])?;
    run(command.arg(format!("--seed={}", options.seed)).arg(format!("--seeds={}", options.seeds)))
}
