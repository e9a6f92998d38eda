//! `cargo xtask arm`: the slow path's daemon for a board's processor, tested where there is none.
mod cost;

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::process::{Target, built, cargo, run, target_dir};
use crate::setup;
use crate::skips::Skips;
use mneme_skips::Lack;

/// What a board's processor runs.
pub const TARGET: &str = "aarch64-unknown-linux-gnu";
/// What links for it.
pub const LINKER: &str = "aarch64-linux-gnu-gcc";
/// Runs its programs on another processor.
pub const EMULATOR: &str = "qemu-aarch64-static";
/// Where its libraries are.
pub const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

/// What is tested.
#[derive(clap::Args)]
pub struct Options {
    /// Only the software board, and daemons that die.
    #[arg(long)]
    short: bool,
    /// Instead: count the instructions of the slow path's requests on ARM, beside this machine's kind of processor. Fails when one takes
    /// more where memory is full.
    #[arg(long, conflicts_with = "short")]
    cost: bool,
}

/// Builds the daemon for ARM; its path.
pub fn build(profile: &str) -> Result<PathBuf> {
    let mut build = cargo();
    build.args([
        "build",
        "-p",
        "mneme-boardd",
        "--bin",
        "mneme-boardd",
        "--profile",
        profile,
        "--target",
        TARGET,
    ]);
    run(build.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER))?;
    Ok(target_dir()?.join(TARGET).join(profile).join("mneme-boardd"))
}

/// The emulator, before the program that it runs. Its libraries are named twice: a system that has some for ARM of its own would
/// else give the loader of one C library to another, which crashes or hangs.
pub fn emulator() -> [String; 5] {
    let libraries = format!("LD_LIBRARY_PATH={LIBRARIES}/lib");
    [EMULATOR.to_owned(), "-E".to_owned(), libraries, "-L".to_owned(), LIBRARIES.to_owned()]
}

/// Builds the daemon for ARM and runs the end-to-end tests with it: the board as this machine's program, the daemon under QEMU.
pub fn run_arm(options: &Options, profile: &str) -> Result<()> {
    if options.cost {
        return cost::run_cost();
    }
    setup::run_arm_setup()?;
    // What is installed on a board is the release; to optimise it across crates takes longer than the short form runs.
    let daemon = build(if options.short { profile } else { "release" })?;
    let mut tests = built(Target::Test, "end_to_end", profile, &[])?;
    tests.env("MNEME_BOARDD", format!("{} {}", emulator().join(" "), daemon.display()));
    if options.short {
        // Each test of the RTL is one of the software board, too; a daemon does not see the difference.
        tests.args(["--skip", "rtl::"]);
    }
    run(&mut tests).context("the daemon for ARM failed a test")
}

/// What `cargo xtask test` runs: where the tools for ARM cannot be had, the native runs of the same tests have to do.
pub fn run_ci(skips: &Skips, profile: &str) -> Result<()> {
    match setup::run_arm_setup() {
        Ok(()) => run_arm(&Options { short: true, cost: false }, profile),
        Err(error) => skips.skip("the daemon for ARM under QEMU", Lack::System, &format!("{error:#}")),
    }
}
