//! `cargo xtask rtl`: the Verilog that the SpinalHDL sources generate, and the constraints that belong to it, committed in `hw/rtl/`.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::process::{root, run};
use crate::scala;
use crate::setup::Tools;

/// Where the committed Verilog lies, from the repository's top.
const FOLDER: &str = "hw/rtl";

/// Generates the Verilog of every kept configuration; with `check` changes nothing and fails on any difference.
pub fn run_rtl(tools: &Tools, check: bool) -> Result<()> {
    let committed = root().join(FOLDER);
    let fresh = root().join("hw/target/rtl");
    if fresh.exists() {
        std::fs::remove_dir_all(&fresh).with_context(|| format!("emptying {}", fresh.display()))?;
    }
    std::fs::create_dir_all(&fresh)?;
    run(scala::program(tools, "mneme.Generate")?.arg(&fresh))?;
    let new = verilog(&fresh)?;
    if new.is_empty() {
        bail!("the generator ended well but wrote no Verilog to {}", fresh.display());
    }
    if !check {
        std::fs::create_dir_all(&committed)?;
        for (name, text) in &new {
            std::fs::write(committed.join(name), text)?;
            println!("wrote {FOLDER}/{name}");
        }
    }
    let old = verilog(&committed)?;
    let stale = differences(&old, &new);
    if !stale.is_empty() {
        bail!("{}\nrun `cargo xtask rtl` and commit the result", stale.join("\n"));
    }
    println!("{FOLDER}: {} files, all as the sources generate them", new.len());
    Ok(())
}

/// The Verilog files of a folder, and the constraints, whole.
fn verilog(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for path in verilog_paths(folder)? {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        files.insert(name, std::fs::read(&path).with_context(|| format!("reading {}", path.display()))?);
    }
    Ok(files)
}

fn verilog_paths(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut paths = entries.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|p| p.extension().is_some_and(|e| e == "v" || e == "sv" || e == "bin" || e == "xdc"));
    paths.sort();
    Ok(paths)
}

/// The committed modules that can be built by themselves: one file each, named after its top.
pub fn tops() -> Result<Vec<PathBuf>> {
    let mut paths = verilog_paths(&root().join(FOLDER))?;
    paths.retain(|p| p.extension().is_some_and(|e| e == "v"));
    if paths.is_empty() {
        bail!("{FOLDER} holds no Verilog: run `cargo xtask rtl`");
    }
    Ok(paths)
}

fn differences(old: &BTreeMap<String, Vec<u8>>, new: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, text) in new {
        match old.get(name) {
            None => found.push(format!("{FOLDER}/{name} is missing")),
            Some(was) if was != text => found.push(format!("{FOLDER}/{name} is stale")),
            Some(_) => {}
        }
    }
    found.extend(
        old.keys()
            .filter(|n| !new.contains_key(*n))
            .map(|n| format!("{FOLDER}/{n} is not generated any more")),
    );
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
        files.iter().map(|(n, t)| (n.to_string(), t.as_bytes().to_vec())).collect()
    }

    #[test]
    fn every_kind_of_difference_is_found() {
        let new = folder(&[("a.v", "1"), ("b.v", "2")]);
        assert!(differences(&new, &new).is_empty());
        assert_eq!(differences(&folder(&[("a.v", "1")]), &new), ["hw/rtl/b.v is missing"]);
        assert_eq!(differences(&folder(&[("a.v", "0"), ("b.v", "2")]), &new), ["hw/rtl/a.v is stale"]);
        let old = folder(&[("a.v", "1"), ("b.v", "2"), ("c.v", "3")]);
        assert_eq!(differences(&old, &new), ["hw/rtl/c.v is not generated any more"]);
    }
}
