//! `cargo xtask rdma-bench`: figures of the RDMA port, in virtual time and in cycles of the Verilated board, beside the design's goals and
//! the numbers of ODRP's paper.
use anyhow::{Context, Result};

use crate::hw_bench::BOARDS;
use crate::process::{Target, built, root, run, target_dir};

/// The program, of the crate mneme-rdma-world.
const PROGRAM: &str = "rdma-bench";
/// That of the RTL, of the crate mneme-differential, and what it measured last.
const CYCLES: (&str, &str) = ("rdma-cycles", "docs/reference/figures/rdma-cycles.json");
/// What was measured last, which the documentation quotes, and the same of the short form.
const KNOWN: [&str; 2] =
    ["docs/reference/figures/rdma-bench.json", "docs/reference/figures/rdma-bench-short.json"];

/// How much is measured, and what becomes of it.
#[derive(clap::Args, Default)]
#[command(after_help = "\
It ends with 1 when a goal is missed. --short is for CI: little of everything, and goals that its committed figures say are\n\
missed are told and fail nothing. What a seed gives is always the same, whatever the machine, and so are the RTL's\n\
cycles: other figures than the committed ones fail.")]
pub struct Options {
    /// Little of everything; fails when a goal is missed that the committed figures meet.
    #[arg(long)]
    pub short: bool,
    /// Writes docs/reference/figures/rdma-bench.json anew, with --short rdma-bench-short.json; and rdma-cycles.json.
    #[arg(long)]
    pub update: bool,
    /// Print rows with goals alone.
    #[arg(long)]
    pub goals: bool,
    /// Where the programs' data comes from; default: 1.
    #[arg(long)]
    pub seed: Option<u64>,
}

/// Builds the program and runs it. target/rdma-bench/rdma-bench.json has every row.
pub fn run_rdma_bench(options: &Options, profile: &str) -> Result<()> {
    let mut command = built(Target::Bin, PROGRAM, profile, &[])?;
    let known = root().join(KNOWN[usize::from(options.short)]);
    let out = if options.update { known.clone() } else { target_dir()?.join("rdma-bench/rdma-bench.json") };
    let folder = out.parent().context("a folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
    command.arg("--json").arg(out);
    command.args(options.short.then_some(["--requests=1000", "--pages=64"]).into_iter().flatten());
    if !options.update {
        command.arg("--known").arg(known);
        command.args(options.short.then_some("--excuse"));
    }
    command.args((options.goals || options.short).then_some("--goals"));
    command.args(options.seed.map(|seed| format!("--seed={seed}")));
    let figures = run(&mut command);
    run_cycles(options.update, profile).and(figures)
}

/// Cycles of the Verilated board, all of them in both forms. target/rdma-bench/rdma-cycles.json has them.
fn run_cycles(update: bool, profile: &str) -> Result<()> {
    let (program, known) = CYCLES;
    let mut command = built(Target::Bin, program, profile, BOARDS)?;
    let known = root().join(known);
    if update {
        command.arg("--json").arg(known);
    } else {
        command
            .arg("--json")
            .arg(target_dir()?.join("rdma-bench/rdma-cycles.json"))
            .arg("--known")
            .arg(known);
    }
    run(&mut command)
}
