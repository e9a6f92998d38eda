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
    /// The core's configuration where it is not the kept one: then its Verilog lies beside the bitstream.
    pub configuration: Option<String>,
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

/// What a board is built from, by name from the repository's top. Of a core of one's own the Verilog and constraints are in the folder
/// `own`.
pub fn source_files(board: &Board, own: Option<&Path>) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for source in board.sources {
        let path = root().join(source);
        if path.is_file() {
            let name = path.file_name().context("a file has a name")?;
            files.push(own.map_or_else(|| PathBuf::from(source), |own| own.join(name)));
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

/// A hash of all sources: names, lengths, bytes. Those of the kept core are among them, beside a core of one's own, too: they change with
/// the hardware's sources.
pub fn sources_hash(board: &Board, own: Option<&Path>) -> Result<String> {
    let mut all = Sha256::new();
    let mut add = |name: &Path, path: &Path| -> Result<()> {
        let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        all.update(format!("{} {}\n", name.display(), bytes.len()));
        all.update(bytes);
        Ok(())
    };
    for name in source_files(board, None)? {
        add(&name, &root().join(&name))?;
    }
    for path in own.map_or_else(|| Ok(Vec::new()), |own| source_files(board, Some(own)))? {
        if path.is_absolute() {
            add(Path::new(path.file_name().context("a file has a name")?), &path)?;
        }
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
    let configuration = entry.configuration.as_ref();
    let configuration =
        configuration.map(|words| format!("configuration = \"{words}\"\n")).unwrap_or_default();
    let mut text = format!(
        "# What `cargo xtask bitstream` has built last. Slacks are in ns; of cells, those taken and those there are.\n\
         [{name}]\npart = \"{}\"\nvivado = \"{}\"\ngit = \"{}\"\ndirty = {}\nbuild_hash = {:#010x}\nbuild_date = {}\n\
         {}sources = \"{}\"\n",
        entry.part,
        entry.vivado,
        entry.git,
        entry.dirty,
        entry.build_hash,
        entry.build_date,
        configuration,
        entry.sources
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
    let own = entry.configuration.is_some().then_some(folder);
    if entry.sources != sources_hash(board, own)? {
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

#[cfg(test)]
mod tests {
    use super::super::board::ZCU106;
    use super::*;

    #[test]
    fn a_core_of_ones_own_is_among_the_sources() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
        write("Zcu106.v", "module Zcu106; endmodule");
        let own = || sources_hash(&ZCU106, Some(folder.path()));
        own().expect_err("no constraints");
        write("Zcu106.xdc", "");
        let first = own().expect("whole");
        assert_ne!(first, sources_hash(&ZCU106, None).expect("the kept core"));
        write("Zcu106.v", "module Zcu106; wire a; endmodule");
        assert_ne!(first, own().expect("whole"));
    }

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let entry = |configuration: Option<&str>| Entry {
            part: "part".into(),
            vivado: "2024.1".into(),
            git: "0123456789".into(),
            dirty: false,
            configuration: configuration.map(str::to_owned),
            build_hash: 1,
            build_date: 2,
            sources: "3".into(),
            files: BTreeMap::from([("mneme.bit".into(), "4".into())]),
        };
        let figures =
            Figures { parameters: &[], used: &[], timing: Timing { setup: 0.0, hold: 0.0, pulse: 0.0 } };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("manifest.toml");
        for configuration in [None, Some("tagged zcu106 trailers=true")] {
            std::fs::write(&path, text(&ZCU106, &entry(configuration), &figures)).expect("written");
            let back = read(&path, &ZCU106).expect("it is sound");
            assert_eq!(back.configuration.as_deref(), configuration);
            assert_eq!((back.sources.as_str(), back.files["mneme.bit"].as_str()), ("3", "4"));
        }
    }
}
