//! `cargo xtask differential`: the same packets to the golden model and to the RTL, for as long as one likes.
use anyhow::Result;

use crate::process::{cargo, run};

/// The configuration of the device's own size: it takes minutes to be Verilated and is built only when asked for.
const DEVICE: &str = "zcu106";
/// Frames in CI, over all configurations and seeds.
const CI_TOTAL: u64 = 200_000;

/// What a run covers; each limit left out is the program's own.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Seed of the run; the one that a failure printed replays it.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Requests for each configuration.
    #[arg(long)]
    pub requests: Option<u64>,
    /// Goes on with new seeds until so many minutes have passed.
    #[arg(long)]
    pub minutes: Option<u64>,
    /// Goes on with new seeds until so many requests have been sent.
    #[arg(long)]
    pub total: Option<u64>,
    /// One configuration instead of tiny, sim, wide and odd: one of these, or zcu106, which takes minutes to build.
    #[arg(long)]
    pub config: Option<String>,
}

impl Options {
    /// What CI compares: at least 200,000 requests, the four small configurations, always the same seeds.
    pub fn ci() -> Options {
        Options { total: Some(CI_TOTAL), seed: Some(1), ..Options::default() }
    }
}

/// Builds and runs the comparison of the crate mneme-sim.
pub fn run_differential(options: &Options, profile: &str) -> Result<()> {
    let mut command = cargo();
    command.args(["run", "--quiet", "--profile", profile, "-p", "mneme-sim"]);
    if options.config.as_deref() == Some(DEVICE) {
        command.args(["--features", DEVICE]);
    }
    command.args(["--bin", "differential", "--"]);
    let mut option = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            command.arg(format!("--{name}={value}"));
        }
    };
    option("seed", options.seed.map(|n| n.to_string()));
    option("requests", options.requests.map(|n| n.to_string()));
    option("minutes", options.minutes.map(|n| n.to_string()));
    option("total", options.total.map(|n| n.to_string()));
    option("config", options.config.clone());
    run(&mut command)
}
