//! Lets the hardware's tests judge mutants, each in a process of its own with bounded time.
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::mutant::Mutant;
use crate::process::describe;

/// The variable that tells a planted board which mutant lives.
pub const SELECTION: &str = "MNEME_MUTANT";
/// The variable that tells test programs where such boards are (`sim/src/rtl/ffi.rs`).
const STAND_INS: &str = "MNEME_STAND_INS";
/// What was found, in the folder of the boards.
const FOUND: &str = "found.json";
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
    /// What was found, by keys: kept beside the boards, so that a campaign that was ended can go on.
    found: Mutex<BTreeMap<String, End>>,
    folder: PathBuf,
    root: PathBuf,
}

/// How a test ended.
enum Ended {
    Well,
    Badly(String),
}

impl Campaign {
    /// Runs all tests without a mutant: they must pass, and the time that they take bounds that of the mutants, unless `seconds` does.
    pub fn begin(tests: &[Test], folder: &Path, root: &Path, seconds: Option<u64>) -> Result<Campaign> {
        let mut campaign = Campaign {
            tests: Vec::new(),
            found: Mutex::default(),
            folder: folder.to_path_buf(),
            root: root.to_path_buf(),
        };
        for test in tests {
            let unbounded = Duration::from_secs(24 * 3600);
            let start = Instant::now();
            if let Ended::Badly(how) = campaign.run(test, 0, unbounded)? {
                bail!(
                    "without a mutant, the planted board fails the test \"{}\": {how}\n{}",
                    test.name,
                    campaign.replay(test, 0)
                );
            }
            let took = start.elapsed();
            println!("without a mutant, {} passed in {:.1} s", test.name, took.as_secs_f64());
            campaign.tests.push((test.clone(), seconds.map_or(START + took * SLOWER, Duration::from_secs)));
        }
        Ok(campaign)
    }

    /// The command that runs a test once more.
    fn replay(&self, test: &Test, mutant: u32) -> String {
        let mut command = Command::new(&test.program);
        command.args(&test.arguments);
        format!("{STAND_INS}={} {SELECTION}={mutant} {}", self.folder.display(), describe(&command))
    }

    fn run(&self, test: &Test, mutant: u32, bound: Duration) -> Result<Ended> {
        let path = self.folder.join(format!("{mutant}.log"));
        let log = File::create(&path).with_context(|| format!("creating {}", path.display()))?;
        // The bound is of the processor's time, so that it does not depend on what else the machine does.
        let seconds = bound.as_secs().max(1).to_string();
        let mut command = Command::new("nice");
        command.args(["sh", "-c", "ulimit -c 0; ulimit -t \"$0\"; exec \"$@\"", &seconds]).arg(&test.program);
        command.args(&test.arguments).current_dir(&self.root);
        command.env(SELECTION, mutant.to_string()).env(STAND_INS, &self.folder);
        command.env("RUST_BACKTRACE", "0");
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
        Ok(match status {
            Some(status) if status.success() => Ended::Well,
            Some(status) if status.code().is_some() => Ended::Badly(reason(&said)),
            Some(status) => {
                Ended::Badly(format!("ended by {status}, as after {seconds} s of processor time"))
            }
            None => Ended::Badly(format!("did not end within {seconds} s of processor time")),
        })
    }

    /// Takes over what an earlier campaign with the same boards and tests has found.
    pub fn go_on(&mut self) -> Result<()> {
        let path = self.folder.join(FOUND);
        if path.exists() {
            let json = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            let found =
                serde_json::from_slice(&json).with_context(|| format!("reading {}", path.display()))?;
            self.found = Mutex::new(found);
        }
        Ok(())
    }
    fn found(&self) -> MutexGuard<'_, BTreeMap<String, End>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn keep(&self, mutant: &Mutant, end: &End) -> Result<()> {
        let mut found = self.found();
        found.insert(mutant.key.clone(), end.clone());
        let path = self.folder.join(FOUND);
        fs::write(&path, serde_json::to_vec_pretty(&*found)?)
            .with_context(|| format!("writing {}", path.display()))
    }

    /// Tries the tests on one mutant until one finds it.
    fn judge(&self, mutant: &Mutant) -> Result<End> {
        for (test, bound) in &self.tests {
            if let Ended::Badly(how) = self.run(test, mutant.number, *bound)? {
                let end = End::Found { test: test.name.clone(), how };
                self.keep(mutant, &end)?;
                return Ok(end);
            }
        }
        Ok(End::Survived)
    }

    /// Judges all of them, `jobs` at a time, and tells each end as it comes.
    pub fn judge_all(&self, mutants: &[Mutant], jobs: usize) -> Result<Vec<End>> {
        let next = AtomicUsize::new(0);
        let ends = Mutex::new(vec![None; mutants.len()]);
        let worker = || -> Result<()> {
            while let Some(mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
                let before = self.found().get(&mutant.key).cloned();
                let end = before.map_or_else(|| self.judge(mutant), Ok)?;
                tell(mutant, &end);
                let place = mutants.iter().position(|other| other.number == mutant.number);
                let mut ends = ends.lock().unwrap_or_else(PoisonError::into_inner);
                ends[place.context("a mutant of this list")?] = Some(end);
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
        let ends = ends.into_inner().unwrap_or_else(PoisonError::into_inner);
        ends.into_iter().collect::<Option<_>>().context("every mutant was judged")
    }
}

fn tell(mutant: &Mutant, end: &End) {
    let end = match end {
        End::Found { test, how } => format!("found by {test}: {how}"),
        End::Survived => "SURVIVED".to_owned(),
    };
    println!("{mutant}\n  {end}");
}

/// What a failed test gives as its reason: its panic, or the first cause of its error, or what it said last.
fn reason(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let behind =
        |head: &str| lines.iter().position(|line| line.contains(head)).and_then(|at| lines.get(at + 1));
    let line =
        behind("panicked at ").or(behind("Caused by:")).or(lines.last()).copied().unwrap_or("without a word");
    line.trim_start_matches("0: ").chars().take(TOLD).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::mutant::{Wanted, mutants};
    use crate::mutate::verilog::scan;

    const FILE: &str = "module M (\n);\n  wire y;\n  assign y = (a && b);\n  assign y = (a || b);\n  assign y = (a + b);\nendmodule\n";

    fn test(script: &str) -> Test {
        Test { name: "test".into(), program: "sh".into(), arguments: vec!["-c".into(), script.into()] }
    }

    #[test]
    fn mutants_that_fail_die_or_hang_are_found_and_others_survive() {
        let folder = tempfile::tempdir().unwrap();
        let script = "case $MNEME_MUTANT in 1) echo differs; exit 1;; 2) kill -SEGV $$;; 3) while :; do :; done;; esac";
        let tests = [test("exit 0"), test(script)];
        let campaign = Campaign::begin(&tests, folder.path(), folder.path(), Some(1)).unwrap();
        let all = mutants(FILE, &scan(FILE), &Wanted { seed: 1, count: 4, module: "" });
        let ends = campaign.judge_all(&all, 2).unwrap();
        assert_eq!(ends.len(), 4);
        assert_eq!(ends[0], End::Found { test: "test".into(), how: "differs".into() });
        assert!(matches!(&ends[1], End::Found { how, .. } if how.contains("signal")), "{:?}", ends[1]);
        assert!(matches!(&ends[2], End::Found { .. }));
        assert_eq!(ends[3], End::Survived);
        // What was found before is not judged again; the survivor is.
        let mut later = Campaign::begin(&[test("exit 0")], folder.path(), folder.path(), Some(1)).unwrap();
        later.go_on().unwrap();
        assert_eq!(later.judge_all(&all, 1).unwrap(), ends);
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
        let failed = Campaign::begin(&[test("echo broken; exit 1")], folder.path(), folder.path(), None);
        assert!(failed.err().unwrap().to_string().contains("broken"));
    }
}
