//! `cargo xtask rdma-differential`: the same frames to the RTL's RoCEv2 port and to the model of a responder, for as long as one likes.
use anyhow::Result;

use crate::hw_bench::BOARDS;
use crate::process::{Target, built, run};

/// The program, of the crate mneme-differential.
const PROGRAM: &str = "rdma-differential";
/// Its tests: defects that are planted in the model and must be found, and attacks on the port.
const TESTS: [&str; 5] = ["roce_rtl", "roce_attacks", "native_attacks", "chain_replies", "chain_attacks"];
/// Tells them that there is time for all faults and ends.
const ALL: (&str, &str) = ("MNEME_ATTACKS", "all");
/// What CI compares: 50,400 frames, always the same. A board takes as long to boot as 1,000 frames take.
const CI_SEEDS: u64 = 8;
const CI_FRAMES: u64 = 6_300;

/// What a run covers.
#[derive(clap::Args)]
pub struct Options {
    /// The first seed; the one that a failure printed replays it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seeds.
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// Frames of each.
    #[arg(long, default_value_t = 5_000)]
    frames: u64,
    /// Begins no more seeds when so many minutes have passed.
    #[arg(long)]
    minutes: Option<u64>,
    /// Runs the tests instead, with every planted fault and every attack; CI runs a part of them.
    #[arg(long, conflicts_with_all = ["seed", "seeds", "frames", "minutes"])]
    tests: bool,
}

/// Builds and runs the comparison.
pub fn run_rdma_differential(options: &Options, profile: &str) -> Result<()> {
    if options.tests {
        return TESTS
            .iter()
            .try_for_each(|test| run(built(Target::Test, test, profile, BOARDS)?.env(ALL.0, ALL.1)));
    }
    let mut command = built(Target::Bin, PROGRAM, profile, BOARDS)?;
    command.arg(format!("--seed={}", options.seed)).arg(format!("--seeds={}", options.seeds));
    command.arg(format!("--frames={}", options.frames));
    command.args(options.minutes.map(|minutes| format!("--minutes={minutes}")));
    run(&mut command)
}

/// The short form. A part of the tests of the same crate runs with all others.
pub fn run_ci(profile: &str) -> Result<()> {
    let short = Options { seed: 1, seeds: CI_SEEDS, frames: CI_FRAMES, minutes: None, tests: false };
    run_rdma_differential(&short, profile)
}
