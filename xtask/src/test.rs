//! `cargo xtask test`: everything that CI demands, step by step, each with its time.
use std::cell::RefCell;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::process::{cargo, describe, like_tests, root, run, run_and_tell, target_dir, worked};
use crate::setup::Tools;
use crate::skips::{self, Skips};
use crate::within::within;
use crate::{
    arm, attack, bitstream, c, decoder, differential, errors, examples, foreign, formal, hw_bench, lint,
    mutate, own, pages, rdma_bench, rdma_differential, rtl, rxe, scala, setup, sim, soak, synth, tutorial,
    wire,
};

/// Optimised, because simulating RTL is not bearable otherwise, yet with assertions and overflow checks.
pub const PROFILE: &str = "ci";

type Check<'a> = Box<dyn Fn() -> Result<()> + 'a>;

/// How long a step may take: many times what it does on a machine of its own, and less than CI waits for all of them.
const LONGEST: Duration = Duration::from_secs(20 * 60);
/// The same of steps of many minutes.
const LONGEST_OF_MANY: Duration = Duration::from_secs(60 * 60);
const MANY: [&str; 4] = [SETUP, "Rust tests", HARDWARE_TESTS, END_OF_HARDWARE];
/// It may have to fetch much through little.
const SETUP: &str = "setup";
const HARDWARE_TESTS: &str = "hardware tests, scalafmt";
const END_OF_HARDWARE: &str = "end of the hardware's steps";

struct Outcome {
    name: String,
    took: Duration,
    /// Seconds of all processors: what else the machine does hardly changes them.
    worked: Duration,
    /// Why it failed.
    error: Option<String>,
}

/// Runs one step, shows its end and remembers it.
fn step(outcomes: &mut Vec<Outcome>, name: &str, check: impl FnOnce() -> Result<()>) {
    println!("\n=== {name}");
    let (start, before) = (Instant::now(), worked());
    let longest = if MANY.contains(&name) { LONGEST_OF_MANY } else { LONGEST };
    let result = within(longest, check);
    let (took, worked) = (start.elapsed(), worked().saturating_sub(before));
    let times = format!("{:.1} s, processors {:.1} s", took.as_secs_f64(), worked.as_secs_f64());
    match &result {
        Ok(()) => println!("=== {name}: passed in {times}"),
        Err(error) => println!("=== {name}: FAILED in {times}\n{error:#}"),
    }
    let error = result.err().map(|e| format!("{e:#}"));
    outcomes.push(Outcome { name: name.to_owned(), took, worked, error });
}

/// The steps after set-up. A failing step does not keep the later ones from telling what they find.
fn steps<'a>(tools: &'a Tools, begun: &'a Hardware, skips: &'a Skips) -> Vec<(&'static str, Check<'a>)> {
    vec![
        ("generated constants", Box::new(|| wire::run(&root(), true))),
        // What asks sbt is among the hardware's steps, which run beside the others: sbt does one thing at a time.
        ("begin of the hardware's steps", Box::new(|| begun.begin())),
        ("header of the C interface", Box::new(|| c::run_header(true))),
        ("page of errors", Box::new(|| errors::run_errors(true))),
        ("file lengths", Box::new(lint::file_lengths)),
        ("boards without the client", Box::new(lint::boards_without_client)),
        ("files of tests", Box::new(lint::tests_run)),
        ("pages", Box::new(pages::run_pages)),
        ("examples of public types", Box::new(examples::run_examples)),
        ("formatting and clippy", Box::new(|| lint::rust(PROFILE))),
        ("verilator lint", Box::new(lint::verilog)),
        ("bitstream without Vivado", Box::new(bitstream::run_ci)),
        ("foreign models", Box::new(foreign::run_ci)),
        ("area and logic levels", Box::new(synth::run_check)),
        ("state of the board", Box::new(synth::state::run_check)),
        ("build", Box::new(|| build(PROFILE))),
        ("Rust tests", Box::new(|| rust_tests(skips))),
        ("C interface", Box::new(|| c::run_test(PROFILE, skips))),
        ("tutorial", Box::new(|| tutorial::run_tutorial(PROFILE))),
        // Their time is the simulator's, so that what runs beside them changes nothing.
        ("simulated world", Box::new(|| sim::run_ci(PROFILE))),
        ("hardware bench", Box::new(bench)),
        ("figures of RDMA", Box::new(rdma_figures)),
        ("attacks", Box::new(attacks)),
        ("soak", Box::new(soaked)),
        ("daemon for ARM", Box::new(|| arm::run_ci(skips, PROFILE))),
        ("the kernel's RoCE in a guest", Box::new(|| rxe::run_ci(skips, PROFILE))),
        ("packet decoder", Box::new(|| decoder::run_decoder(&tools.python, PROFILE))),
        ("skipped tests", Box::new(|| skips.judge())),
        (END_OF_HARDWARE, Box::new(|| begun.end())),
    ]
}

/// The hardware's steps, which `cargo xtask test` runs beside the others. What simulated time decides, a busy machine does not change.
pub fn run_hardware() -> Result<()> {
    let tools = setup::run_setup()?;
    let (mut outcomes, start) = (Vec::new(), Instant::now());
    // One start of sbt for all that needs it.
    let tests = [&scala::COMPILE[..], &["test", "scalafmtCheckAll"]].concat();
    step(&mut outcomes, HARDWARE_TESTS, || hw_tests(&mut tools.sbt(&tests)));
    step(&mut outcomes, "generated Verilog", || rtl::run_rtl(&tools, true));
    step(&mut outcomes, "differential test", || differential(&tools));
    step(&mut outcomes, "board of one's own", || own::check::run_check(PROFILE));
    step(&mut outcomes, "mutants of the hardware", || mutate::run_mutate(&mutate::Options::ci(), PROFILE));
    summary(&outcomes, start.elapsed(), "")
}

/// Everything; fails when a step failed.
pub fn run_tests() -> Result<()> {
    let mut outcomes = Vec::new();
    let start = Instant::now();
    let mut ready = None;
    step(&mut outcomes, SETUP, || {
        ready = Some((setup::run_setup()?, Skips::begin()?));
        Ok(())
    });
    let Some((tools, skips)) = ready else {
        return summary(&outcomes, start.elapsed(), "");
    };
    let begun = Hardware::default();
    for (name, check) in steps(&tools, &begun, &skips) {
        step(&mut outcomes, name, check);
    }
    outcomes.extend(begun.outcomes.take());
    summary(&outcomes, start.elapsed(), &skips::list(&skips.noted().unwrap_or_default()))
}

fn summary(outcomes: &[Outcome], took: Duration, skipped: &str) -> Result<()> {
    println!();
    for o in outcomes {
        let word = if o.error.is_none() { "passed" } else { "FAILED" };
        let (took, worked) = (o.took.as_secs_f64(), o.worked.as_secs_f64());
        println!("{word}  {took:>7.1} s  processors {worked:>7.1} s  {}", o.name);
    }
    println!("total   {:>7.1} s  processors {:>7.1} s", took.as_secs_f64(), worked().as_secs_f64());
    let failed = outcomes.iter().filter(|o| o.error.is_some()).count();
    println!("{} passed, {failed} failed", outcomes.len() - failed);
    if !skipped.is_empty() {
        println!("{skipped}");
    }
    // Once more where a reader of no more than the end finds them.
    for o in outcomes {
        if let Some(error) = &o.error {
            println!("{}: {error}", o.name);
        }
    }
    if failed > 0 {
        bail!("{failed} of {} steps failed", outcomes.len());
    }
    Ok(())
}

/// Builds every binary, the daemon that the end-to-end tests start among them.
pub fn build(profile: &str) -> Result<()> {
    let mut build = cargo();
    run(like_tests(build.args(["build", "--workspace", "--bins", "--profile", profile]), profile))
}

fn rust_tests(skips: &Skips) -> Result<()> {
    let mut failures = Failures::default();
    let mut tests = cargo();
    skips
        .of(like_tests(tests.args(["test", "--workspace", "--no-fail-fast", "--profile", PROFILE]), PROFILE));
    let result = run_and_tell(&mut tests, |line| failures.line(line));
    result.with_context(|| format!("tests failed\n{}", failures.list()))
}

/// The failed tests in the output of `cargo test`, and what each of them said first.
#[derive(Default)]
struct Failures {
    /// Names of tests, and lines that tell of binaries that did not end well.
    failed: Vec<String>,
    /// Places and texts of panics; a property that fails has many.
    panics: Vec<String>,
}

impl Failures {
    /// A bound on the lines of either kind that are shown again.
    const MOST: usize = 20;

    fn line(&mut self, line: &str) {
        let failed_test = line.starts_with("test ") && line.ends_with("FAILED");
        let stopped = line.starts_with("error") || line.starts_with("process didn't exit successfully");
        // The text of a panic is the line behind the one that tells its place.
        let panic_text = self.panics.last().is_some_and(|l| l.contains("panicked at ")) && !line.is_empty();
        if failed_test || stopped {
            self.failed.push(line.trim().to_owned());
        } else if panic_text || line.contains("panicked at ") {
            self.panics.push(line.trim().to_owned());
        }
    }
    /// What failed; of passed tests that panic on purpose nothing was shown.
    fn list(&self) -> String {
        let first = |lines: &[String]| {
            let mut shown: Vec<String> = lines.iter().take(Self::MOST).cloned().collect();
            if lines.len() > Self::MOST {
                shown.push(format!("and {} lines more", lines.len() - Self::MOST));
            }
            shown
        };
        [first(&self.panics), first(&self.failed)].concat().join("\n")
    }
}

/// The hardware's steps ([`run_hardware`]) in a process of their own.
#[derive(Default)]
struct Hardware {
    process: RefCell<Option<Child>>,
    outcomes: RefCell<Vec<Outcome>>,
}

impl Hardware {
    fn log() -> Result<PathBuf> {
        Ok(target_dir()?.join("hardware-steps.log"))
    }
    fn begin(&self) -> Result<()> {
        let path = Self::log()?;
        std::fs::create_dir_all(target_dir()?)?;
        let log = File::create(&path).with_context(|| format!("creating {}", path.display()))?;
        let mut steps = Command::new(std::env::current_exe().context("this program's own file")?);
        steps.arg("hardware").stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        println!("$ {} > {} &", describe(&steps), path.display());
        self.process.replace(Some(steps.spawn().context("cannot start the hardware's steps")?));
        Ok(())
    }
    /// Waits for their end and shows what they said.
    fn end(&self) -> Result<()> {
        let mut process = self.process.take().context("the hardware's steps could not be started")?;
        let status = process.wait()?;
        let said = String::from_utf8_lossy(&std::fs::read(Self::log()?)?).into_owned();
        print!("{said}");
        let ended = said.lines().filter_map(ended);
        self.outcomes.replace(ended.collect());
        if !status.success() {
            bail!("the hardware's steps failed: {status}");
        }
        Ok(())
    }
}

impl Drop for Hardware {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // It may have ended by itself; then there is nothing to end.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// The step whose end a line tells, as [`step`] writes it.
fn ended(line: &str) -> Option<Outcome> {
    let (name, how) = line.strip_prefix("=== ")?.split_once(": ")?;
    let (well, times) = how.split_once(" in ")?;
    let (took, worked) = times.strip_suffix(" s")?.split_once(" s, processors ")?;
    let time = |text: &str| Duration::try_from_secs_f64(text.parse().ok()?).ok();
    let error = (well != "passed").then(|| "see its output above".to_owned());
    Some(Outcome { name: name.to_owned(), took: time(took)?, worked: time(worked)?, error })
}

/// `sbt test`: the unit benches in SpinalSim, and the proofs; with what CI leaves out for want of time.
pub fn hw_test(tools: &Tools) -> Result<()> {
    hw_tests(tools.sbt(&["test"]).env("MNEME_HW_TESTS", "long"))
}

fn hw_tests(tests: &mut Command) -> Result<()> {
    formal::with_tools(tests)?;
    let mut kept = Ok(());
    // At once: other steps start generators while the tests run.
    run_and_tell(tests, |line| {
        if scala::tells(line) {
            kept = scala::keep(line);
        }
    })?;
    kept
}

/// The short form: counts and gross bounds, which a busy machine does not miss by itself.
fn attacks() -> Result<()> {
    attack::run_attack(&attack::Options { short: true, ..attack::Options::default() }, PROFILE)
}

/// The short form: always the same rounds.
fn soaked() -> Result<()> {
    soak::run_soak(&soak::Options { short: true, ..soak::Options::default() }, PROFILE)
}

/// The short form: virtual time, so that a busy machine gives the same.
fn rdma_figures() -> Result<()> {
    rdma_bench::run_rdma_bench(&rdma_bench::Options { short: true, ..Default::default() }, PROFILE)
}

fn bench() -> Result<()> {
    hw_bench::run_hw_bench(&hw_bench::Options { short: true, ..Default::default() }, PROFILE)
}

fn differential(tools: &Tools) -> Result<()> {
    differential::run_differential(tools, &differential::Options::ci(), PROFILE)?;
    differential::run_differential(tools, &differential::Options::ci_drawn(), PROFILE)?;
    rdma_differential::run_ci(PROFILE)
}

#[cfg(test)]
mod tests {
    use super::{Failures, Outcome, ended};

    #[test]
    fn what_failed_is_told_once_more_and_the_rest_is_not() {
        let output = [
            "test path::widens ... ok",
            "test path::narrows ... FAILED",
            "---- path::narrows stdout ----",
            "thread 'path::narrows' (7) panicked at clib/tests/path.rs:7:5:",
            "assertion `left == right` failed",
            "  left: 1",
            "test result: FAILED. 1 passed; 1 failed; 0 ignored",
            "error: test failed, to rerun pass `-p mneme-clib --test path`",
        ];
        let mut failures = Failures::default();
        output.iter().for_each(|line| failures.line(line));
        assert_eq!(failures.list(), [output[3], output[4], output[1], output[7]].join("\n"));
    }

    #[test]
    fn ends_of_steps_are_read_as_they_are_written() {
        let told = [
            "=== a, b: passed in 12.5 s, processors 20.0 s",
            "=== c: FAILED in 3.0 s, processors 0.5 s",
            "=== d",
            "c: failed",
            "=== e: done",
        ];
        let outcomes: Vec<_> = told.into_iter().filter_map(ended).collect();
        let seconds = |o: &Outcome| (o.took.as_secs_f64(), o.worked.as_secs_f64());
        let seen: Vec<_> = outcomes.iter().map(|o| (o.name.clone(), seconds(o), o.error.is_some())).collect();
        assert_eq!(seen, [("a, b".into(), (12.5, 20.0), false), ("c".into(), (3.0, 0.5), true)]);
    }

    #[test]
    fn the_list_of_failures_is_bounded() {
        let mut failures = Failures::default();
        (0..100).for_each(|i| failures.line(&format!("test t{i} ... FAILED")));
        assert_eq!(failures.list().lines().count(), Failures::MOST + 1);
        assert!(failures.list().ends_with("and 80 lines more"));
    }
}
