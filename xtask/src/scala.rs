//! Programs of the hardware's Scala sources. sbt compiles them; where nothing has changed since, they start without it: it takes longer to
//! start than most of them run.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::process::{capture, root, tracked};
use crate::setup::{SHORT_JVM, Tools};

/// What sbt is asked for, so that it tells the class path in a line of its own.
pub const COMPILE: [&str; 2] = ["Test/compile", "export Test/fullClasspath"];
/// The class path as sbt told it last, behind a line with the state that it is of.
const KEPT: &str = "hw/target/class-path";
/// Where suites are, and what their names end with.
pub const TESTS: &str = "hw/src/test/scala";
const SUITES: [&str; 2] = ["Test", PROOF];
/// A suite of proofs.
pub const PROOF: &str = "Proof";
/// Where sbt puts classes.
const CLASSES: [&str; 2] = ["hw/target/scala-2.13/classes", "hw/target/scala-2.13/test-classes"];

/// `java` with the program whose object has this name, in `hw/`.
pub fn program(tools: &Tools, object: &str) -> Result<Command> {
    let mut java = Command::new("java");
    java.current_dir(root().join("hw")).args(SHORT_JVM).arg("-cp").arg(class_path(tools)?).arg(object);
    Ok(java)
}

/// The class path of generators and benches, which are compiled first, unless nothing has changed.
pub fn class_path(tools: &Tools) -> Result<String> {
    let kept = fs::read_to_string(root().join(KEPT)).unwrap_or_default();
    if let Some((state, path)) = kept.split_once('\n')
        && state == self::state()?
    {
        return Ok(path.to_owned());
    }
    let said = capture(&mut tools.sbt(&COMPILE))?;
    let path = said.lines().rfind(|line| tells(line)).context("sbt told no class path")?;
    keep(path)?;
    Ok(path.to_owned())
}

/// Whether a line of sbt's is the class path.
pub fn tells(line: &str) -> bool {
    line.contains("scala-library") && line.contains(".jar:") && !line.contains(' ')
}

/// Notes the class path of what sbt has just compiled.
pub fn keep(path: &str) -> Result<()> {
    let file = root().join(KEPT);
    fs::write(&file, format!("{}\n{path}", state()?)).with_context(|| format!("writing {}", file.display()))
}

/// The names of all suites of benches and proofs below a folder, with their packages: classes that are called so. A file may have several.
pub fn suites(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    files(folder, &mut found)?;
    let mut names = Vec::new();
    for (path, ..) in found.iter().filter(|(path, ..)| path.extension().is_some_and(|end| end == "scala")) {
        let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        names.extend(suites_in(&text));
    }
    names.sort_unstable();
    Ok(names)
}

/// Those of a source. What others extend, an abstract class, runs nothing itself.
fn suites_in(text: &str) -> Vec<String> {
    let package = text.lines().find_map(|line| line.strip_prefix("package ")).unwrap_or_default().trim();
    let name = |line: &str| {
        let name = line.strip_prefix("class ")?.split(|c: char| !c.is_alphanumeric()).next()?.to_owned();
        let is_suite = SUITES.iter().any(|end| name.ends_with(end) && name != *end);
        is_suite.then(|| format!("{package}.{name}"))
    };
    text.lines().filter_map(name).collect()
}

/// What sources and classes hash to: sources by their bytes, classes by sizes and times, as another compilation changes them.
fn state() -> Result<String> {
    let mut hasher = Sha256::new();
    for path in tracked(&["scala", "sbt", "properties"])? {
        hasher.update(fs::read(root().join(&path)).with_context(|| format!("reading {}", path.display()))?);
    }
    let mut classes = Vec::new();
    for folder in CLASSES {
        files(&root().join(folder), &mut classes)?;
    }
    classes.sort();
    for (path, bytes, nanoseconds) in classes {
        hasher.update(format!("{} {bytes} {nanoseconds}\n", path.display()));
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// All files below a folder, with sizes and times; none, if it is not there.
fn files(folder: &Path, found: &mut Vec<(PathBuf, u64, u128)>) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let (path, file) = entry.and_then(|entry| Ok((entry.path(), entry.metadata()?)))?;
        if file.is_dir() {
            files(&path, found)?;
        } else {
            let changed = file.modified()?.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
            found.push((path, file.len(), changed));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_path_is_told_from_what_sbt_says_else() {
        assert!(tells("/hw/target/classes:/cache/scala-library-2.13.14.jar:/cache/spinalhdl-core.jar"));
        assert!(!tells("[info] compiling 1 Scala source with scala-library-2.13.14.jar: 3 s"));
        assert!(!tells("/hw/target/classes"));
    }

    #[test]
    fn every_suite_of_a_file_is_found_and_what_they_extend_is_not() {
        let text = "package mneme.a\n\nobject TurnsProof {\n  class Inner extends Component\n}\n\nabstract class AllTest(x: Int)\n\
                    class Bench(x: Int)\nclass TurnsProof extends Proof {\nclass SendersProof extends Proof {\nclass RunTest extends AllTest(1)\n";
        assert_eq!(suites_in(text), ["mneme.a.TurnsProof", "mneme.a.SendersProof", "mneme.a.RunTest"]);
        assert!(suites_in("package a\nabstract class Proof extends AnyFunSuite\nclass Proof\n").is_empty());
    }

    #[test]
    fn all_suites_of_the_hardware_are_found() {
        let names = suites(&root().join(TESTS)).expect("the sources");
        for name in [
            "mneme.vm.MissTableProof",
            "mneme.net.DispatchTest",
            "mneme.MemoryArbiterTest",
            // Not the only ones of their files.
            "mneme.chain.SenderTurnsProof",
            "mneme.chain.ChainLeafTurnsProof",
            "mneme.rdma.RoceTransmitWritesTest",
        ] {
            assert!(names.iter().any(|one| one == name), "{name}");
        }
        assert!(!names.iter().any(|name| name.ends_with(".Proof")), "that one is what they all extend");
    }

    #[test]
    fn another_time_or_size_of_a_class_is_another_state() {
        let folder = tempfile::tempdir().expect("a folder");
        let class = folder.path().join("inner/A.class");
        fs::create_dir(folder.path().join("inner")).expect("made");
        let seen = || {
            let mut found = Vec::new();
            files(folder.path(), &mut found).expect("read");
            found
        };
        assert!(seen().is_empty());
        fs::write(&class, "a").expect("written");
        let first = seen();
        fs::write(&class, "bc").expect("written");
        let second = seen();
        assert_eq!((first.len(), second.len()), (1, 1));
        assert_ne!(first, second);
        let file = fs::File::options().write(true).open(&class).expect("opened");
        file.set_modified(UNIX_EPOCH).expect("set");
        assert_ne!(second, seen());
        files(&folder.path().join("none"), &mut Vec::new()).expect("nothing is nothing");
    }
}
