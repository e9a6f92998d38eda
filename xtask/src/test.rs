//! `cargo xtask test`: everything that CI demands, step by step, each with its time.
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::process::{cargo, root, run};
use crate::setup::Tools;
use crate::{c, decoder, differential, errors, fuzz, hw_bench, lint, rtl, setup, sim, synth, wire};

/// Optimised, because simulating RTL is not bearable otherwise, yet with assertions and overflow checks.
pub const PROFILE: &str = "ci";

type Check<'a> = Box<dyn Fn() -> Result<()> + 'a>;

struct Outcome {
    name: &'static str,
    took: Duration,
    passed: bool,
}

/// Runs one step, shows its end and remembers it.
fn step(outcomes: &mut Vec<Outcome>, name: &'static str, check: impl FnOnce() -> Result<()>) {
    println!("\n=== {name}");
    let start = Instant::now();
    let result = check();
    let took = start.elapsed();
    match &result {
        Ok(()) => println!("=== {name}: passed in {:.1} s", took.as_secs_f64()),
        Err(error) => println!("=== {name}: FAILED in {:.1} s\n{error:#}", took.as_secs_f64()),
    }
    outcomes.push(Outcome { name, took, passed: result.is_ok() });
}

/// The steps after set-up. A failing step does not keep the later ones from telling what they find.
fn steps(tools: &Tools) -> Vec<(&'static str, Check<'_>)> {
    vec![
        ("generated constants", Box::new(|| wire::run(&root(), true))),
        ("header of the C interface", Box::new(|| c::run_header(true))),
        ("page of errors", Box::new(|| errors::run_errors(true))),
        ("file lengths", Box::new(lint::file_lengths)),
        ("formatting and clippy", Box::new(|| lint::rust(PROFILE))),
        ("verilator lint", Box::new(lint::verilog)),
        ("scalafmt", Box::new(|| lint::scala(tools))),
        ("generated Verilog", Box::new(|| rtl::run_rtl(tools, true))),
        ("area and logic levels", Box::new(synth::run_check)),
        ("state of the board", Box::new(synth::state::run_check)),
        ("build", Box::new(|| build(PROFILE))),
        ("Rust tests", Box::new(rust_tests)),
        ("fuzzing", Box::new(|| fuzz::run_fuzz(&fuzz::Options::ci(), PROFILE))),
        ("C interface", Box::new(|| c::run_test(PROFILE))),
        ("hardware tests", Box::new(|| hw_test(tools))),
        ("differential test", Box::new(|| differential(tools))),
        ("simulated world", Box::new(|| sim::run_ci(PROFILE))),
        ("hardware bench", Box::new(bench)),
        ("packet decoder", Box::new(|| decoder::run_decoder(&tools.python, PROFILE))),
    ]
}

/// Everything; fails when a step failed.
pub fn run_tests() -> Result<()> {
    let mut outcomes = Vec::new();
    let start = Instant::now();
    let mut tools = None;
    step(&mut outcomes, "setup", || {
        tools = Some(setup::run_setup()?);
        Ok(())
    });
    let Some(tools) = tools else {
        return summary(&outcomes, start.elapsed());
    };
    for (name, check) in steps(&tools) {
        step(&mut outcomes, name, check);
    }
    summary(&outcomes, start.elapsed())
}

fn summary(outcomes: &[Outcome], took: Duration) -> Result<()> {
    println!();
    for o in outcomes {
        let word = if o.passed { "passed" } else { "FAILED" };
        println!("{word}  {:>7.1} s  {}", o.took.as_secs_f64(), o.name);
    }
    println!("total   {:>7.1} s", took.as_secs_f64());
    let failed = outcomes.iter().filter(|o| !o.passed).count();
    println!("{} passed, {failed} failed", outcomes.len() - failed);
    if failed > 0 {
        bail!("{failed} of {} steps failed", outcomes.len());
    }
    Ok(())
}

/// Builds every binary, the daemon that the end-to-end tests start among them.
pub fn build(profile: &str) -> Result<()> {
    run(cargo().args(["build", "--workspace", "--bins", "--profile", profile]))
}

fn rust_tests() -> Result<()> {
    run(cargo().args(["test", "--workspace", "--no-fail-fast", "--profile", PROFILE]))
}

/// `sbt test`: the unit benches in SpinalSim.
pub fn hw_test(tools: &Tools) -> Result<()> {
    run(&mut tools.sbt(&["test"]))
}

fn bench() -> Result<()> {
    hw_bench::run_hw_bench(&hw_bench::Options { short: true, ..Default::default() }, PROFILE)
}

fn differential(tools: &Tools) -> Result<()> {
    differential::run_differential(tools, &differential::Options::ci(), PROFILE)?;
    differential::run_differential(tools, &differential::Options::ci_drawn(), PROFILE)
}
