//! `bitstreams/manifest.toml`: what a bitstream was built from, what it takes, and the hashes of its files.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::board::Board;
use super::reports::{Timing, Used};
use crate::process::root;

/// One board's entry.
#[derive(Debug, Deserialize)]
pub struct Entry {
    /// Vivado's name of the device.
    pub part: String,
    /// Vivado's version.
    pub vivado: String,
    /// The commit that was checked out.
    pub git: String,
    /// Whether files of the build differed from it.
    pub dirty: bool,
    /// What the register block tells: the first bits of `git`, 0 for one that was dirty.
    pub build_hash: u32,
    /// The same, seconds since 1970.
    pub build_date: u32,
    /// A hash of all files that the bitstream is built from.
    pub sources: String,
    /// Files by name, and their hashes.
    pub files: BTreeMap<String, String>,
}

/// What is written beside an [`Entry`]'s fields.
pub struct Figures<'a> {
    /// Name and value, as the Tcl was told.
    pub parameters: &'a [(&'static str, String)],
    /// Cells.
    pub used: &'a [Used],
    /// Slacks.
    pub timing: Timing,
}

/// The hash of some bytes, in hexadecimal.
fn hash(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash of a file.
pub fn file_hash(path: &Path) -> Result<String> {
    Ok(hash(std::fs::read(path).with_context(|| format!("reading {}", path.display()))?))
}

/// What a board is built from, by name from the repository's top.
pub fn source_files(board: &Board) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for source in board.sources {
        let path = root().join(source);
        if path.is_file() {
            files.push(PathBuf::from(source));
            continue;
        }
        let entries = std::fs::read_dir(&path).with_context(|| format!("reading {}", path.display()))?;
        for entry in entries {
            let name = PathBuf::from(source).join(entry?.file_name());
            if name.extension().is_some_and(|kind| kind == "v" || kind == "tcl" || kind == "xdc") {
                files.push(name);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// A hash of all sources: names, lengths, bytes.
pub fn sources_hash(board: &Board) -> Result<String> {
    let mut all = Sha256::new();
    for name in source_files(board)? {
        let bytes =
            std::fs::read(root().join(&name)).with_context(|| format!("reading {}", name.display()))?;
        all.update(format!("{} {}\n", name.display(), bytes.len()));
        all.update(bytes);
    }
    Ok(all.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A board's entry; an error in words where there is none.
pub fn read(path: &Path, board: &Board) -> Result<Entry> {
    let name = board.name;
    let text = std::fs::read_to_string(path).with_context(|| {
        format!(
            "no bitstream has been built: {} is not there. `cargo xtask bitstream {name}` makes it",
            path.display()
        )
    })?;
    let mut all: BTreeMap<String, Entry> =
        toml::from_str(&text).with_context(|| format!("understanding {}", path.display()))?;
    all.remove(name).with_context(|| {
        format!("{} has no {name}: `cargo xtask bitstream {name}` builds it", path.display())
    })
}

/// Text of the whole file; it has one board.
pub fn text(board: &Board, entry: &Entry, figures: &Figures) -> String {
    let name = board.name;
    let mut text = format!(
        "# What `cargo xtask bitstream` has built last. Slacks are in ns; of cells, those taken and those there are.\n\
         [{name}]\npart = \"{}\"\nvivado = \"{}\"\ngit = \"{}\"\ndirty = {}\nbuild_hash = {:#010x}\nbuild_date = {}\n\
         sources = \"{}\"\n",
        entry.part, entry.vivado, entry.git, entry.dirty, entry.build_hash, entry.build_date, entry.sources
    );
    text += &format!("\n[{name}.files]\n");
    for (file, hash) in &entry.files {
        text += &format!("\"{file}\" = \"{hash}\"\n");
    }
    text += &format!("\n[{name}.parameters]\n");
    for (parameter, value) in figures.parameters {
        text += &format!("{parameter} = \"{value}\"\n");
    }
    text += &format!("\n[{name}.utilisation]\n");
    for used in figures.used {
        text += &format!("{} = [{:.1}, {:.1}]\n", used.name, used.used, used.available);
    }
    let Timing { setup, hold, pulse } = figures.timing;
    text + &format!("\n[{name}.slack]\nsetup = {setup:.3}\nhold = {hold:.3}\npulse_width = {pulse:.3}\n")
}

/// Fails where a file is not the one that the manifest tells of, or the sources have changed since.
pub fn verify(entry: &Entry, board: &Board, folder: &Path, names: &[&str]) -> Result<()> {
    if entry.part != board.part {
        bail!("the bitstream is for the device {}, and the {} has {}", entry.part, board.name, board.part);
    }
    if entry.sources != sources_hash(board)? {
        bail!(
            "the bitstream is stale: its sources have changed since it was built of {}. `cargo xtask bitstream {}` builds it anew; \
             --stale flashes it as it is",
            &entry.git[..entry.git.len().min(12)],
            board.name
        );
    }
    verify_files(entry, folder, names)
}

/// The same of the files alone.
pub fn verify_files(entry: &Entry, folder: &Path, names: &[&str]) -> Result<()> {
    for name in names {
        let path = folder.join(name);
        let wanted = entry.files.get(*name).with_context(|| format!("the manifest has no file {name}"))?;
        if file_hash(&path)? != *wanted {
            bail!("{} is not the file that the manifest tells of: its hash differs", path.display());
        }
    }
    Ok(())
}
