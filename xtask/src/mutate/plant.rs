//! Builds the boards in which all mutants are planted.
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::campaign::SELECTION;
use crate::library::Library;
use crate::process::root;

/// Tells the Verilog which mutant lives.
fn selection() -> String {
    format!(
        "#include <cstdlib>\n\
         // Which mutant lives; 0 is none.\n\
         extern \"C\" int mneme_mutant_selected() {{\n  const char* number = getenv(\"{SELECTION}\");\n  return number ? atoi(number) : 0;\n}}\n"
    )
}

/// What a library is made of beside the Verilog: other sources are another board.
pub fn sources() -> Result<Vec<u8>> {
    let mut paths = Vec::new();
    for folder in ["sim/rtl/cpp", "wire/generated"] {
        let folder = root().join(folder);
        let entries = fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?;
        paths.extend(entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?);
    }
    paths.push(root().join("sim/rtl/verilator_flags.rs"));
    paths.sort();
    let mut bytes = Vec::new();
    for path in paths.iter().filter(|path| path.is_file()) {
        bytes.extend(fs::read(path).with_context(|| format!("reading {}", path.display()))?);
    }
    Ok(bytes)
}

/// Builds the boards, or takes those that an earlier run has built of the same texts: configurations with their planted Verilog. Answers the
/// folder of their libraries.
pub fn build(folder: &Path, boards: &[(&str, String)]) -> Result<PathBuf> {
    let mut hasher = Sha256::new();
    hasher.update(selection());
    hasher.update(sources()?);
    boards.iter().for_each(|(config, verilog)| hasher.update(format!("{config} {verilog}")));
    let hash: String = hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let done = folder.join(&hash);
    if !done.is_dir() {
        let work = folder.join(format!("{hash}.part"));
        if work.exists() {
            fs::remove_dir_all(&work).with_context(|| format!("emptying {}", work.display()))?;
        }
        let libraries = work.join("libraries");
        fs::create_dir_all(&libraries).with_context(|| format!("making {}", libraries.display()))?;
        let selector = work.join("mutants.cpp");
        fs::write(&selector, selection()).with_context(|| format!("writing {}", selector.display()))?;
        for (config, verilog) in boards {
            fs::write(work.join(format!("CBoard_{config}.v")), verilog).context("writing planted Verilog")?;
            let more = [selector.clone()];
            Library { more: &more, apart: true, ..Library::new(&work, config) }.build()?;
            let library = format!("{config}.so");
            fs::rename(work.join(&library), libraries.join(&library)).context("keeping a planted board")?;
        }
        fs::rename(&libraries, &done).with_context(|| format!("keeping {}", done.display()))?;
        fs::remove_dir_all(&work).with_context(|| format!("removing {}", work.display()))?;
    }
    Ok(done)
}
