//! Libraries of own configurations, kept by what they were made of, so that the same board is made once.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::Build;
use super::file::Wanted;
use crate::library::Library;
use crate::process::{capture, root, run, target_dir};
use crate::scala;
use crate::setup::{Tools, run_traced_setup};

/// Below cargo's target folder.
pub(super) const FOLDER: &str = "boards";
/// Folders that are kept there, the newest: a library takes some megabytes.
const MOST: usize = 32;
/// Where the generator leaves why there is no such board.
const REFUSED: &str = "refused.txt";
/// What a board's text is made of, from the repository's top.
const GENERATOR: &[&str] =
    &["hw/src/main/scala", "hw/build.sbt", "hw/project/build.properties", "hw/project/plugins.sbt"];
/// What a board's library is made of beside its text.
pub(super) const SHIM: &[&str] =
    &["sim/rtl/cpp", "sim/rtl/verilator_flags.rs", "wire/generated/mneme_wire.h", "xtask/src/library.rs"];

/// The folder with the library of a configuration, from the cache or made now.
pub fn library(tools: impl FnOnce() -> Result<Tools>, wanted: &Wanted, build: Build) -> Result<PathBuf> {
    let boards = target_dir()?.join(FOLDER);
    let verilog = verilog(tools, &boards, wanted)?;
    let mut hasher = Sha256::new();
    for name in [format!("CBoard_{}.v", wanted.name), format!("{}.json", wanted.name)] {
        hasher.update(read(&verilog.join(name))?);
    }
    hash_files(&mut hasher, SHIM)?;
    hasher.update(capture(Command::new("verilator").arg("--version"))?);
    hasher.update(std::env::var("CXX").unwrap_or_default());
    kept(&boards, &format!("{}-{}-{}", wanted.name, build.name(), short(hasher)), |work| {
        if build.traced() {
            run_traced_setup()?;
        }
        let name = wanted.name.as_str();
        for file in [format!("CBoard_{name}.v"), format!("{name}.json")] {
            fs::copy(verilog.join(&file), work.join(&file)).with_context(|| format!("copying {file}"))?;
        }
        let shape: serde_json::Value = serde_json::from_slice(&read(&work.join(format!("{name}.json")))?)?;
        let library = Library {
            apart: true,
            served: build.served(),
            traced: build.traced(),
            traffic: shape["traffic"] == 1,
            ..Library::new(work, name)
        };
        library.build()?;
        // The generated C++ is many times as large as the library.
        fs::remove_dir_all(work.join(name)).context("removing the generated C++")
    })
}

/// The folder with the Verilog of a configuration and its parameters. What needs the generator is asked for only where it has to run.
pub(super) fn verilog(
    tools: impl FnOnce() -> Result<Tools>,
    boards: &Path,
    wanted: &Wanted,
) -> Result<PathBuf> {
    generated(tools, boards, wanted, ("verilog", "mneme.OwnConfig"))
}

/// The folder with `Zcu106.v` and `Zcu106.xdc` around a core of this configuration.
pub(super) fn zcu106(tools: impl FnOnce() -> Result<Tools>, wanted: &Wanted) -> Result<PathBuf> {
    generated(tools, &target_dir()?.join(FOLDER), wanted, ("zcu106", "mneme.board.OwnZcu106"))
}

/// What one of the generators, by what it makes and its name, makes of a configuration.
fn generated(
    tools: impl FnOnce() -> Result<Tools>,
    boards: &Path,
    wanted: &Wanted,
    (kind, generator): (&str, &str),
) -> Result<PathBuf> {
    let mut hasher = Sha256::new();
    for argument in wanted.arguments() {
        hasher.update(argument + "\n");
    }
    hash_files(&mut hasher, GENERATOR)?;
    kept(boards, &format!("{}-{kind}-{}", wanted.name, short(hasher)), |work| {
        run(scala::program(&tools()?, generator)?.arg(work).args(wanted.arguments()))?;
        match fs::read_to_string(work.join(REFUSED)) {
            Ok(words) => bail!("there is no such board: {words}"),
            Err(_) => Ok(()),
        }
    })
}

/// The folder of this name; if it is not there, it is made beside and moved in when it is whole.
pub(super) fn kept(boards: &Path, name: &str, make: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let folder = boards.join(name);
    if folder.exists() {
        // The cache keeps what was used last.
        let touched = fs::File::open(&folder).and_then(|file| file.set_modified(SystemTime::now()));
        touched.with_context(|| format!("marking {} as used", folder.display()))?;
        return Ok(folder);
    }
    let work = boards.join(format!("{name}.part{}", std::process::id()));
    fs::create_dir_all(&work).with_context(|| format!("making {}", work.display()))?;
    let made = make(&work);
    // Another process may have been first; its folder is the same.
    if made.is_err() || fs::rename(&work, &folder).is_err() {
        fs::remove_dir_all(&work).with_context(|| format!("removing {}", work.display()))?;
    }
    made?;
    forget(boards)?;
    Ok(folder)
}

/// Removes the folders that nobody has used for longest. A board that runs keeps its library open.
fn forget(boards: &Path) -> Result<()> {
    let entries = fs::read_dir(boards).with_context(|| format!("reading {}", boards.display()))?;
    let mut folders = Vec::new();
    for entry in entries {
        let entry = entry?;
        folders.push((entry.metadata()?.modified()?, entry.path()));
    }
    folders.sort();
    let old = folders.len().saturating_sub(MOST);
    for (_, folder) in folders.drain(..old) {
        fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    Ok(())
}

pub(super) fn short(hasher: Sha256) -> String {
    hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("reading {}", path.display()))
}

/// Files, and all below folders, with their names.
pub(super) fn hash_files(hasher: &mut Sha256, paths: &[&str]) -> Result<()> {
    for path in paths {
        hash_below(hasher, &root().join(path))?;
    }
    Ok(())
}

fn hash_below(hasher: &mut Sha256, path: &Path) -> Result<()> {
    if !path.is_dir() {
        let name = path.file_name().unwrap_or_default();
        hasher.update(name.as_encoded_bytes());
        hasher.update(read(path)?);
        return Ok(());
    }
    let entries = fs::read_dir(path).with_context(|| format!("reading {}", path.display()))?;
    let mut below = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    below.sort();
    below.iter().try_for_each(|path| hash_below(hasher, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_made_once_and_a_failure_leaves_nothing() {
        let boards = tempfile::tempdir().expect("a folder");
        let made = |work: &Path| Ok(fs::write(work.join("a"), "1")?);
        let first = kept(boards.path(), "one", made).expect("made");
        let again = kept(boards.path(), "one", |_| bail!("made twice")).expect("kept");
        assert!(first == again && read(&again.join("a")).expect("kept") == b"1");
        kept(boards.path(), "two", |work| {
            fs::write(work.join("a"), "1")?;
            bail!("refused")
        })
        .expect_err("it failed");
        assert_eq!(fs::read_dir(boards.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let boards = tempfile::tempdir().expect("a folder");
        for number in 0..MOST + 3 {
            kept(boards.path(), &number.to_string(), |_| Ok(())).expect("made");
            let at = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000 + number as u64);
            let folder = fs::File::open(boards.path().join(number.to_string())).expect("a folder");
            folder.set_modified(at).expect("marked");
            // The first is used again and again.
            kept(boards.path(), "0", |_| bail!("made twice")).expect("kept");
        }
        assert_eq!(fs::read_dir(boards.path()).expect("a folder").count(), MOST);
        assert!(boards.path().join("0").exists() && !boards.path().join("1").exists());
    }

    #[test]
    fn a_hash_sees_names_and_contents() {
        let folder = tempfile::tempdir().expect("a folder");
        let hash = || {
            let mut hasher = Sha256::new();
            hash_below(&mut hasher, folder.path()).expect("read");
            short(hasher)
        };
        fs::write(folder.path().join("a"), "1").expect("written");
        let first = hash();
        fs::write(folder.path().join("a"), "2").expect("written");
        let second = hash();
        fs::rename(folder.path().join("a"), folder.path().join("b")).expect("moved");
        assert!(first != second && second != hash() && first.len() == 16);
    }
}
