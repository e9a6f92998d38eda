//! Boards of random legal configurations: generated, Verilated and compiled to shared libraries that the comparison loads.
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::library::Library;
use crate::process::{at_once, root, run};
use crate::scala;
use crate::setup::Tools;

/// Builds `count` boards of configurations drawn from the seed; answers the folder with their libraries.
pub fn build(tools: &Tools, seed: u64, count: u64) -> Result<PathBuf> {
    let folder = root().join(format!("hw/target/drawn/{seed}"));
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("emptying {}", folder.display()))?;
    }
    fs::create_dir_all(&folder)?;
    let mut draw = scala::program(tools, "mneme.DrawnConfig")?;
    run(draw.arg(&folder).args([seed, count].map(|number| number.to_string())))?;
    let names: Vec<String> = (0..count).map(|number| format!("drawn{number}")).collect();
    at_once(names, |name| Library::new(&folder, name).build())?;
    Ok(folder)
}
