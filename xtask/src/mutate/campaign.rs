//! Lets the hardware's tests judge mutants, each in a process of its own with bounded time.
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::benches::Bench;
use super::mutant::Mutant;
use crate::process::{at_once, describe, root};

/// The variable that tells a planted board which mutant lives.
pub const SELECTION: &str = "MNEME_MUTANT";
/// The variable that tells test programs where such boards are (`sim/rtl/src/ffi.rs`).
const STAND_INS: &str = "MNEME_STAND_INS";
/// A test may take so many times what it took without a mutant, and so much more for the start.
const SLOWER: u32 = 10;
const START: Duration = Duration::from_secs(20);
/// Time on the clock for each second of the processor's: others may use the machine.
const OTHERS: u32 = 8;
/// How often a test that runs is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// Of what a test says at its end, so much is told.
const TOLD: usize = 160;

/// A test that a mutant has to fail.
#[derive(Debug, Clone)]
pub struct Test {
    /// In words, for tables.
    pub name: String,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// It asks about this configuration alone.
    pub config: Option<String>,
    /// It is a suite of single components: it asks about no board.
    pub bench: Option<Arc<Bench>>,
}

impl Test {
    /// A suite of benches or proofs.
    pub fn of(bench: Arc<Bench>) -> Test {
        Test {
            name: "benches and proofs of single components".into(),
            program: "java".into(),
            arguments: bench.arguments(),
            config: None,
            bench: Some(bench),
        }
    }
    fn judges(&self, mutant: &Mutant) -> bool {
        self.config.as_ref().is_none_or(|config| *config == mutant.config)
            && self.bench.as_ref().is_none_or(|bench| bench.has(mutant))
    }
    /// What is asked, in a word.
    fn about(&self) -> &str {
        match (&self.bench, &self.config) {
            (Some(bench), _) => bench.suite(),
            (None, Some(config)) => config,
            (None, None) => "all boards",
        }
    }
    /// What tells it from others, and from what it was before its program changed.
    fn id(&self) -> Result<String> {
        if let Some(bench) = &self.bench {
            return Ok(bench.id());
        }
        let program =
            fs::metadata(&self.program).with_context(|| format!("reading {}", self.program.display()))?;
        let built = program.modified()?.duration_since(std::time::UNIX_EPOCH)?.as_secs();
        Ok(format!("{} {} {built}", self.name, self.arguments.join(" ")))
    }
}

/// What campaigns on the same hardware know, by the mutants' keys: kept, so that one that was ended can go on.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Ledger {
    found: BTreeMap<String, End>,
    /// The tests that did not find one. A test that has been built anew is another.
    passed: BTreeMap<String, BTreeSet<String>>,
}

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// The test that found it, and how the test ended.
    Found {
        test: String,
        how: String,
    },
    Survived,
}

/// The tests, in the order in which they are tried, with the time that each may take.
pub struct Campaign {
    tests: Vec<(Test, Duration)>,
    ledger: Mutex<Ledger>,
    ledger_path: PathBuf,
    folder: PathBuf,
    /// Runs of tests so far: each has a log of its own.
    runs: AtomicUsize,
}

/// How a test ended.
enum Ended {
    Well,
    Badly(String),
}

impl Campaign {
    /// Runs all tests without a mutant: they must pass, and the time that they take bounds that of the mutants, unless `seconds` does.
    pub fn begin(tests: &[Test], folder: &Path, ledger: &Path, seconds: Option<u64>) -> Result<Campaign> {
        let mut campaign = Campaign {
            tests: Vec::new(),
            ledger: Mutex::default(),
            ledger_path: ledger.to_path_buf(),
            folder: folder.to_path_buf(),
            runs: AtomicUsize::new(0),
        };
        let took = Mutex::new(vec![Duration::ZERO; tests.len()]);
        let numbered: Vec<(usize, &Test)> = tests.iter().enumerate().collect();
        at_once(numbered, |(number, test)| {
            let took_one = campaign.without_mutant(test)?;
            took.lock().unwrap_or_else(PoisonError::into_inner)[*number] = took_one;
            Ok(())
        })?;
        for (test, took) in tests.iter().zip(took.into_inner().unwrap_or_else(PoisonError::into_inner)) {
            // A bench is slow to build, which no mutant makes slower.
            let slower = if test.bench.is_some() { SLOWER / 3 } else { SLOWER };
            campaign.tests.push((test.clone(), seconds.map_or(START + took * slower, Duration::from_secs)));
        }
        Ok(campaign)
    }

    /// Runs a test as it is, which must pass; how long it took.
    fn without_mutant(&self, test: &Test) -> Result<Duration> {
        let unbounded = Duration::from_secs(24 * 3600);
        let start = Instant::now();
        if let Ended::Badly(how) = self.run(test, None, unbounded)? {
            let replay = self.replay(test, 0);
            bail!("without a mutant, the planted board fails the test \"{}\": {how}\n{replay}", test.name);
        }
        let took = start.elapsed();
        println!("without a mutant, {} of {} passed in {:.1} s", test.name, test.about(), took.as_secs_f64());
        Ok(took)
    }

    /// The command that runs a test once more.
    fn replay(&self, test: &Test, mutant: u32) -> String {
        let mut command = Command::new(&test.program);
        command.args(&test.arguments);
        format!("{STAND_INS}={} {SELECTION}={mutant} {}", self.folder.display(), describe(&command))
    }

    fn run(&self, test: &Test, mutant: Option<&Mutant>, bound: Duration) -> Result<Ended> {
        let number = mutant.map_or(0, |mutant| mutant.number);
        let path = self.folder.join(format!("{number}-{}.log", self.runs.fetch_add(1, Ordering::Relaxed)));
        let log = File::create(&path).with_context(|| format!("creating {}", path.display()))?;
        // The bound is of the processor's time, so that it does not depend on what else the machine does.
        let seconds = bound.as_secs().max(1).to_string();
        let mut command = Command::new("nice");
        command.args(["sh", "-c", "ulimit -c 0; ulimit -t \"$0\"; exec \"$@\"", &seconds]).arg(&test.program);
        command.args(&test.arguments).current_dir(root());
        command.env(SELECTION, number.to_string()).env(STAND_INS, &self.folder);
        command.env("RUST_BACKTRACE", "0");
        if let Some(bench) = &test.bench {
            bench.prepare(&mut command, mutant)?;
        }
        let mut child = command
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("cannot start {}", test.program.display()))?;
        let end = Instant::now() + bound.saturating_mul(OTHERS);
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if Instant::now() > end {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(LOOK);
        };
        let said = fs::read(&path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())?;
        // A log for each mutant that survives or that a person asked for is of use; hundreds are not.
        fs::remove_file(&path)?;
        if let Some(bench) = &test.bench {
            bench.end(mutant, status.is_some_and(|status| status.success()))?;
        }
        Ok(match status {
            Some(status) if status.success() => Ended::Well,
            Some(status) if status.code().is_some() => Ended::Badly(reason(&said)),
            Some(status) => {
                Ended::Badly(format!("ended by {status}, as after {seconds} s of processor time"))
            }
            None => Ended::Badly(format!("did not end within {seconds} s of processor time")),
        })
    }

    /// Takes over what an earlier campaign on the same hardware has left in the ledger.
    pub fn go_on(&mut self) -> Result<()> {
        if self.ledger_path.exists() {
            let reading = || format!("reading {}", self.ledger_path.display());
            let json = fs::read(&self.ledger_path).with_context(reading)?;
            let kept: Ledger = serde_json::from_slice(&json).with_context(reading)?;
            let (found, passed) = (kept.found.len(), kept.passed.len());
            println!(
                "kept from campaigns before: {found} found, {passed} that passed a test ({})",
                self.ledger_path.display()
            );
            self.ledger = Mutex::new(kept);
        }
        Ok(())
    }
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn keep(&self, change: impl FnOnce(&mut Ledger)) -> Result<()> {
        let mut ledger = self.ledger();
        change(&mut ledger);
        fs::write(&self.ledger_path, serde_json::to_vec_pretty(&*ledger)?)
            .with_context(|| format!("writing {}", self.ledger_path.display()))
    }

    /// Tries one test on one mutant, unless that has been done.
    fn judge(&self, test: &Test, bound: Duration, mutant: &Mutant) -> Result<()> {
        let id = test.id()?;
        if self.ledger().passed.get(&mutant.key).is_some_and(|ids| ids.contains(&id)) {
            return Ok(());
        }
        match self.run(test, Some(mutant), bound)? {
            Ended::Badly(how) => {
                println!("{mutant}\n  found by {} of {}: {how}", test.name, test.about());
                let how = if test.bench.is_some() { format!("{}: {how}", test.about()) } else { how };
                let end = End::Found { test: test.name.clone(), how };
                self.keep(|ledger| {
                    ledger.found.insert(mutant.key.clone(), end);
                })
            }
            Ended::Well => self.keep(|ledger| {
                ledger.passed.entry(mutant.key.clone()).or_default().insert(id);
            }),
        }
    }

    /// Tries the tests one after the other on all that none before has found, `jobs` mutants at a time: the longest tests come last, for the fewest.
    pub fn judge_all(&self, mutants: &[Mutant], jobs: usize) -> Result<Vec<End>> {
        for (test, bound) in &self.tests {
            let next = AtomicUsize::new(0);
            let worker = || -> Result<()> {
                while let Some(mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if !self.ledger().found.contains_key(&mutant.key) && test.judges(mutant) {
                        self.judge(test, *bound, mutant)?;
                    }
                }
                Ok(())
            };
            std::thread::scope(|scope| {
                let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(worker)).collect();
                workers.into_iter().try_for_each(|thread| match thread.join() {
                    Ok(end) => end,
                    Err(_) => bail!("a thread that judges mutants panicked"),
                })
            })?;
        }
        let ledger = self.ledger();
        let end = |mutant: &Mutant| ledger.found.get(&mutant.key).cloned().unwrap_or(End::Survived);
        let survivor = |mutant: &&Mutant| !ledger.found.contains_key(&mutant.key);
        mutants.iter().filter(survivor).for_each(|mutant| println!("{mutant}\n  SURVIVED"));
        Ok(mutants.iter().map(end).collect())
    }
}

/// What a failed test gives as its reason: its panic, or the first cause of its error, or what it said last.
fn reason(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let behind =
        |head: &str| lines.iter().position(|line| line.contains(head)).and_then(|at| lines.get(at + 1));
    let line = behind("*** FAILED ***")
        .or(behind("panicked at "))
        .or(behind("Caused by:"))
        .or(lines.last())
        .copied()
        .unwrap_or("without a word");
    line.trim_start_matches("0: ").chars().take(TOLD).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::mutant::{Text, Wanted, mutants};
    use crate::mutate::verilog::scan;

    const FILE: &str = "module M (\n);\n  wire y;\n  assign y = (a && b);\n  assign y = (a || b);\n  assign y = (a + b);\nendmodule\n";

    fn test(script: &str) -> Test {
        Test {
            name: "test".into(),
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), script.into()],
            config: None,
            bench: None,
        }
    }

    #[test]
    fn mutants_that_fail_die_or_hang_are_found_and_others_survive() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("ledger.json");
        let script = "case $MNEME_MUTANT in 1) echo differs; exit 1;; 2) kill -SEGV $$;; 3) while :; do :; done;; esac";
        let tests = [test("exit 0"), test(script)];
        let campaign = Campaign::begin(&tests, folder.path(), &ledger, Some(1)).unwrap();
        let text = Text { config: "m", file: FILE, scan: &scan(FILE) };
        let all = mutants(&[text], &Wanted { seed: 1, count: 4, module: "" });
        let ends = campaign.judge_all(&all, 2).unwrap();
        assert_eq!(ends.len(), 4);
        assert_eq!(ends[0], End::Found { test: "test".into(), how: "differs".into() });
        assert!(matches!(&ends[1], End::Found { how, .. } if how.contains("signal")), "{:?}", ends[1]);
        assert!(matches!(&ends[2], End::Found { .. }));
        assert_eq!(ends[3], End::Survived);
        // What was found before is not judged again, nor the survivor by a test that it passed; by another it is.
        let went = folder.path().join("went");
        let again = |tests: &[Test]| {
            let mut later = Campaign::begin(tests, folder.path(), &ledger, Some(1)).unwrap();
            std::fs::remove_file(&went).unwrap();
            later.go_on().unwrap();
            later.judge_all(&all, 1).unwrap()
        };
        let other = format!("echo $MNEME_MUTANT >> {}; test $MNEME_MUTANT != 4", went.display());
        let later = again(&[test(&other)]);
        assert_eq!(std::fs::read_to_string(&went).unwrap(), "4\n");
        assert!(matches!(&later[3], End::Found { .. }));
        let passing = format!("echo $MNEME_MUTANT >> {}", went.display());
        assert_eq!(again(&[test(&passing)]), later);
        assert!(!went.exists(), "all are known");
        // Another configuration's test has nothing to say.
        let fails = Test { config: Some("other".into()), ..test("test $MNEME_MUTANT = 0") };
        let campaign = Campaign::begin(&[fails], folder.path(), &folder.path().join("new"), Some(1)).unwrap();
        assert!(campaign.judge_all(&all, 1).unwrap().iter().all(|end| *end == End::Survived));
    }

    #[test]
    fn a_reason_is_the_cause_or_the_panic() {
        assert_eq!(
            reason("Error: replay: x\n\nCaused by:\n    tiny with seed 1: differs\n"),
            "tiny with seed 1: differs"
        );
        assert_eq!(
            reason("thread 'x' panicked at a.rs:1:1:\nthe bus\nError: y\n\nCaused by:\n    0: z\n"),
            "the bus"
        );
        assert_eq!(reason("error: slower"), "error: slower");
    }

    #[test]
    fn a_board_that_fails_without_a_mutant_ends_the_campaign() {
        let folder = tempfile::tempdir().unwrap();
        let failed =
            Campaign::begin(&[test("echo broken; exit 1")], folder.path(), &folder.path().join("l"), None);
        assert!(failed.err().unwrap().to_string().contains("broken"));
    }
}
