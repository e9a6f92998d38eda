//! The benches and proofs of single components (`hw/src/test`) as judges of mutants: they see what whole boards hide.
//!
//! ScalaTest's own runner runs one suite in a folder of its own. Scripts named `verilator` and `sby` come first in its PATH: without a mutant they note
//! the Verilog that a suite makes, and with one they put the changed text in its place.
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};

use super::mutant::{self, Mutant, Text};
use super::verilog::{self, Scan};
use crate::formal;
use crate::process::root;
use crate::scala;
use crate::setup::Tools;

/// What the tools are told through the environment: the folder of changed texts, and the one to note texts in.
const PLANTED: &str = "MNEME_PLANTED";
const RECORD: &str = "MNEME_RECORD";
/// Left in the folder of changed texts: a tool was given one, and: a tool could not read one.
const TAKEN: &str = "taken";
const BROKEN: &str = "broken";
/// What a board's module begins with.
const BOARD: &str = "CBoard";

/// What stands before a tool: each file that it is about to read goes through `place`.
const STAND_IN: &str = r#"#!/bin/sh
# Before the tool of this name: notes the Verilog that it is given, and puts a mutant's in its place.
tool=${0##*/}
PATH=${PATH#*:}
place() {
  # A commit meanwhile is no other text.
  sum=$(grep -v '^// Git hash' "$1" | sha256sum)
  sum=${sum%% *}
  if [ -n "$MNEME_RECORD" ]; then cp "$1" "$MNEME_RECORD/$sum"; fi
  if [ -f "$MNEME_PLANTED/$sum" ]; then cp "$MNEME_PLANTED/$sum" "$1"; : > "$MNEME_PLANTED/taken"; fi
}
for word; do
  case $word in
    *.v) place "$word" ;;
    *.sby) for file in $(sed '1,/^\[files\]/d' "$word"); do place "$file"; done ;;
  esac
done
case $tool in
  # A changed text may have what the linter warns of.
  verilator) "$tool" -Wno-fatal "$@"; end=$?; unreadable=$end ;;
  # 16 is an error, all others are answers.
  *) "$tool" "$@"; end=$?; unreadable=$((end & 16)) ;;
esac
if [ "$unreadable" != 0 ] && [ -f "$MNEME_PLANTED/taken" ]; then : > "$MNEME_PLANTED/broken"; fi
exit $end
"#;

/// A text that a suite makes.
struct Recorded {
    sum: String,
    file: String,
    scan: Scan,
}

/// What all suites share.
pub struct Runner {
    classpath: String,
    path: OsString,
    /// Configurations with the modules that are the only ones of their kind there.
    alone: HashSet<(String, String)>,
    /// The state of the sources: a suite that has passed has to pass again when they change.
    sources: String,
    folder: PathBuf,
}

/// One suite.
pub struct Bench {
    suite: String,
    runner: Arc<Runner>,
    recorded: OnceLock<Vec<Recorded>>,
}

impl std::fmt::Debug for Bench {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bench").field("suite", &self.suite).finish_non_exhaustive()
    }
}

impl Runner {
    /// Compiles the suites, installs what proofs need, and puts the scripts into a folder.
    pub fn new(tools: &Tools, folder: &Path, boards: &[Text]) -> Result<Runner> {
        let classpath = scala::class_path(tools)?;
        let mut with_tools = Command::new("true");
        formal::with_tools(&mut with_tools)?;
        let own = folder.join("stand-ins");
        fs::create_dir_all(&own).with_context(|| format!("making {}", own.display()))?;
        for tool in ["verilator", "sby"] {
            let path = own.join(tool);
            fs::write(&path, STAND_IN).with_context(|| format!("writing {}", path.display()))?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
                .with_context(|| format!("cannot make {} executable", path.display()))?;
        }
        let mut path = own.into_os_string();
        for (name, value) in with_tools.get_envs() {
            if let ("PATH", Some(rest)) = (name.to_str().unwrap_or_default(), value) {
                path.push(":");
                path.push(rest);
            }
        }
        let mut alone = HashSet::new();
        for Text { config, scan, .. } in boards {
            let modules = scan.modules.iter().filter(|module| mutant::is_alone(scan, module));
            alone.extend(modules.map(|module| ((*config).to_owned(), module.clone())));
        }
        Ok(Runner { classpath, path, alone, sources: sources()?, folder: folder.into() })
    }

    /// All suites whose names contain one of these, or all.
    pub fn benches(self, only: &[String]) -> Result<Vec<Arc<Bench>>> {
        let mut names = scala::suites(&root().join(scala::TESTS))?;
        names.retain(|name| only.is_empty() || only.iter().any(|part| name.contains(part)));
        ensure!(!names.is_empty(), "no bench and no proof has one of {only:?} in its name");
        let runner = Arc::new(self);
        let bench = |suite| Arc::new(Bench { suite, runner: Arc::clone(&runner), recorded: OnceLock::new() });
        Ok(names.into_iter().map(bench).collect())
    }
}

/// What the sources of hardware and suites hash to.
fn sources() -> Result<String> {
    let mut hasher = Sha256::new();
    for path in crate::process::tracked(&["scala"])? {
        hasher.update(fs::read(&path).with_context(|| format!("reading {}", path.display()))?);
    }
    Ok(hex(&hasher.finalize()[..4]))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Bench {
    pub fn suite(&self) -> &str {
        &self.suite
    }
    /// What tells this state of the suite from others.
    pub fn id(&self) -> String {
        format!("{} {}", self.suite, self.runner.sources)
    }
    pub fn arguments(&self) -> Vec<String> {
        let words = ["-Xmx3g", "-cp", &self.runner.classpath, "org.scalatest.tools.Runner", "-oW", "-s"];
        words.into_iter().chain([self.suite.as_str()]).map(Into::into).collect()
    }

    /// Where the suite runs: suites look for `../docs`, and leave what they build in the current folder.
    fn place(&self, number: u32) -> PathBuf {
        self.runner.folder.join(format!("{}-{number}", self.suite))
    }

    /// Gives the command its folder, the scripts, and the texts of this mutant.
    pub fn prepare(&self, command: &mut Command, mutant: Option<&Mutant>) -> Result<()> {
        let place = self.place(mutant.map_or(0, |mutant| mutant.number));
        remove(&place)?;
        let [hw, planted, record] = ["hw", "planted", "recorded"].map(|name| place.join(name));
        for folder in [&hw, &planted, &record] {
            fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        }
        symlink(root().join("docs"), place.join("docs")).context("linking docs")?;
        if let Some(mutant) = mutant {
            for (sum, text) in self.planted(mutant) {
                fs::write(planted.join(sum), text).context("writing a planted text")?;
            }
        } else {
            command.env(RECORD, record);
        }
        command.env(PLANTED, planted).env("PATH", &self.runner.path).env("MNEME_FORMAL", "all");
        command.current_dir(hw);
        Ok(())
    }

    /// Reads what a run without a mutant has noted, and what one with a mutant says of itself; and leaves nothing behind.
    pub fn end(&self, mutant: Option<&Mutant>, passed: bool) -> Result<()> {
        let place = self.place(mutant.map_or(0, |mutant| mutant.number));
        match mutant {
            None => {
                let recorded = read(&place.join("recorded"))?;
                self.recorded.set(recorded).ok().context("a suite was recorded twice")?;
            }
            Some(mutant) => {
                let is = |what: &str| place.join("planted").join(what).exists();
                if is(BROKEN) {
                    bail!("{}: the tools cannot read its text with the mutant {mutant}", self.suite);
                }
                if passed && !is(TAKEN) {
                    bail!("{} makes other Verilog than it did without a mutant: {mutant}", self.suite);
                }
            }
        }
        remove(&place)
    }

    /// Whether the mutant is in a text of the suite.
    pub fn has(&self, mutant: &Mutant) -> bool {
        !self.planted(mutant).is_empty()
    }

    /// The suite's texts that have the mutant, changed. Where several modules are of one kind, there or on the board, nobody knows which is which:
    /// they have none.
    fn planted(&self, mutant: &Mutant) -> HashMap<String, String> {
        if !self.runner.alone.contains(&(mutant.config.clone(), mutant.module.clone())) {
            return HashMap::new();
        }
        let one = |recorded: &Recorded| {
            let Recorded { sum, file, scan } = recorded;
            let text = Text { config: "", file, scan };
            let own = mutant::with_keys(text, &[&mutant.key]).pop().flatten()?;
            mutant::is_alone(scan, &own.module).then(|| (sum.clone(), mutant::mutated(file, &own)))
        };
        let recorded = self.recorded.get().map(Vec::as_slice).unwrap_or_default();
        let kind = mutant::kind_of_module(&mutant.module);
        // Most suites have nothing of it, which is quickly told.
        let near = recorded.iter().filter(|one| one.scan.modules.iter().any(|name| name.starts_with(kind)));
        near.filter_map(one).collect()
    }
}

fn read(folder: &Path) -> Result<Vec<Recorded>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        let file = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let sum = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let scan = verilog::scan(&file);
        // Whole boards are asked by other tests, which take less long.
        if !scan.modules.iter().any(|name| name.starts_with(BOARD)) {
            all.push(Recorded { sum, file, scan });
        }
    }
    Ok(all)
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with the script in front of a tool that reads the file and ends so.
    struct Rig {
        folder: tempfile::TempDir,
        file: PathBuf,
    }

    impl Rig {
        fn new(tool: &str, end: i32) -> Rig {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            for name in ["front", "behind", "planted", "recorded"] {
                fs::create_dir(at(name)).unwrap();
            }
            let script = format!("#!/bin/sh\ncat bench.v > seen\nexit {end}\n");
            for (place, text) in [("front", STAND_IN), ("behind", &script)] {
                let path = at(place).join(tool);
                fs::write(&path, text).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
            let file = at("bench.v");
            fs::write(&file, "// Git hash : 1\nwire a;\n").unwrap();
            fs::write(at("proof.sby"), "[script]\nread bench.v\n\n[files]\nbench.v").unwrap();
            Rig { folder, file }
        }
        fn run(&self, tool: &str, argument: &str, record: bool) -> Option<i32> {
            let at = |name: &str| self.folder.path().join(name);
            let path = format!("{}:{}:/usr/bin:/bin", at("front").display(), at("behind").display());
            let mut command = Command::new(at("front").join(tool));
            command.arg(argument).current_dir(self.folder.path()).env("PATH", path);
            command.env(PLANTED, at("planted"));
            if record {
                command.env(RECORD, at("recorded"));
            }
            command.status().unwrap().code()
        }
        fn has(&self, name: &str) -> bool {
            self.folder.path().join(name).exists()
        }
    }

    #[test]
    fn a_text_that_was_noted_is_changed_for_the_tool_and_a_commit_between_is_no_other_text() {
        for (tool, argument) in [("verilator", "bench.v"), ("sby", "proof.sby")] {
            let rig = Rig::new(tool, 0);
            assert_eq!(rig.run(tool, argument, true), Some(0));
            let noted = read(&rig.folder.path().join("recorded")).unwrap();
            assert_eq!((noted.len(), noted[0].file.lines().last()), (1, Some("wire a;")));
            assert!(!rig.has("planted/taken"));
            fs::write(rig.folder.path().join("planted").join(&noted[0].sum), "wire b;\n").unwrap();
            fs::write(&rig.file, "// Git hash : 2\nwire a;\n").unwrap();
            assert_eq!(rig.run(tool, argument, false), Some(0));
            assert_eq!(fs::read_to_string(rig.folder.path().join("seen")).unwrap(), "wire b;\n");
            assert!(rig.has("planted/taken") && !rig.has("planted/broken"));
            fs::remove_file(rig.folder.path().join("planted/taken")).unwrap();
            fs::write(&rig.file, "wire other;\n").unwrap();
            assert_eq!(rig.run(tool, argument, false), Some(0));
            assert!(!rig.has("planted/taken"), "another text has no mutant");
        }
    }

    #[test]
    fn a_changed_text_that_a_tool_cannot_read_is_told_from_a_proof_that_fails() {
        for (tool, argument, end, broken) in [
            ("verilator", "bench.v", 1, true),
            ("sby", "proof.sby", 2, false),
            ("sby", "proof.sby", 16, true),
        ] {
            let rig = Rig::new(tool, end);
            assert_eq!(rig.run(tool, argument, true), Some(end));
            assert!(!rig.has("planted/broken"), "nothing was changed");
            let noted = read(&rig.folder.path().join("recorded")).unwrap();
            fs::write(rig.folder.path().join("planted").join(&noted[0].sum), "wire b;\n").unwrap();
            assert_eq!(rig.run(tool, argument, false), Some(end));
            assert_eq!(rig.has("planted/broken"), broken, "{tool} ended with {end}");
        }
    }
}
