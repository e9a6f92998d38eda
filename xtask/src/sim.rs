//! `cargo xtask sim`: many clients and boards in virtual time, with all that can go wrong, and checkers beside them.
use anyhow::Result;

use crate::process::{Target, built, run};

/// The program, of the crate mneme-world.
const PROGRAM: &str = "simulate";
/// The kept table of goodput against loss, from the repository's top.
const GOODPUT: &str = "docs/reference/figures/goodput.json";
/// Seeds in CI: on the software board, and on the RTL, where things go wrong for a shorter time.
const CI_SOFT: u64 = 200;
const CI_RTL: u64 = 5;
const CI_RTL_CHAOS: u64 = 1_500;

/// What a run covers; each limit left out is the program's own.
#[derive(clap::Args, Default)]
pub struct Options {
    /// The first seed; the one that a failure printed replays it.
    #[arg(long)]
    seed: Option<u64>,
    /// How many seeds.
    #[arg(long)]
    seeds: Option<u64>,
    /// Goes on with new seeds until so many minutes have passed.
    #[arg(long)]
    minutes: Option<u64>,
    /// Virtual time in which things go wrong, in microseconds.
    #[arg(long)]
    chaos: Option<u64>,
    /// The Verilated RTL as boards, instead of the software board.
    #[arg(long)]
    rtl: bool,
    /// Instead: measure the goodput at several rates of loss and write docs/reference/figures/goodput.json.
    #[arg(long)]
    update_goodput: bool,
}

/// Runs seeds, or measures the goodput.
pub fn run_sim(options: &Options, profile: &str) -> Result<()> {
    let mut command = built(Target::Bin, PROGRAM, profile, &[])?;
    if options.update_goodput {
        return run(command.args(["--goodput", GOODPUT, "--update"]));
    }
    let numbers = [
        ("seed", options.seed),
        ("seeds", options.seeds),
        ("minutes", options.minutes),
        ("chaos", options.chaos),
    ];
    for (name, value) in numbers {
        command.args(value.map(|value| format!("--{name}={value}")));
    }
    if options.rtl {
        command.args(["--board", "rtl"]);
    }
    run(&mut command)
}

/// What CI runs: always the same seeds, and the goodput against the kept one.
pub fn run_ci(profile: &str) -> Result<()> {
    run_sim(&Options { seeds: Some(CI_SOFT), ..Options::default() }, profile)?;
    let rtl = Options { seeds: Some(CI_RTL), chaos: Some(CI_RTL_CHAOS), rtl: true, ..Options::default() };
    run_sim(&rtl, profile)?;
    run(built(Target::Bin, PROGRAM, profile, &[])?.args(["--goodput", GOODPUT]))
}
