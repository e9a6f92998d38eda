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
