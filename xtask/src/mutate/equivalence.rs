//! Shows with Yosys that a mutant changes nothing that could be seen: then no test can find it.
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};

use super::mutant::{Mutant, mutated};
use super::structure::Structure;
use crate::process::at_once;
use crate::synth::verilog::Modules;

/// Registers of both are matched by name; then every next state and every output has to be the same, over as many cycles as the steps say.
const INDUCTION: &str = "read_verilog old.v\nhierarchy -top TOP\nproc\nflatten\nmemory_map\nopt_clean\nrename TOP old\ndesign -stash old\n\
    read_verilog new.v\nhierarchy -top TOP\nproc\nflatten\nmemory_map\nopt_clean\nrename TOP new\ndesign -stash new\n\
    design -copy-from old -as old old\ndesign -copy-from new -as new new\nequiv_make old new both\nhierarchy -top both\nopt_clean\n\
    equiv_struct -maxiter 20\nequiv_simple -undef\nequiv_induct -undef -seq 2\ntee -o status.txt equiv_status\n";
/// What is left of the whole board when nothing is kept that no port can see.
const BOARD: &str = "read_verilog board.v\nhierarchy -check -top TOP\nproc -norom\nflatten\nopt -full\nmemory -nomap\nopt -full\nopt_clean -purge\n\
    setattr -unset src w:* c:*\nwrite_json board.json\n";
/// What `equiv_status` says when all is proven.
const PROVEN: &str = "Equivalence successfully proven";
/// Seconds of processor time for one proof.
const SECONDS: &str = "150";

/// Why a mutant cannot be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// By induction over its module.
    SameModule,
    /// The whole board has the same structure when Yosys has optimised it.
    SameBoard,
}

/// The tool, and the board without mutants.
pub struct Prover<'a> {
    pub yosys: PathBuf,
    pub folder: PathBuf,
    /// Its top module is the first.
    pub file: &'a str,
}

impl Prover<'_> {
    /// Runs a script in a folder of its own: the WebAssembly build sees no path outside it. False: it failed, or took too long.
    fn run(&self, folder: &Path, script: &str, files: &[(&str, &str)]) -> Result<bool> {
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
        for (name, text) in files.iter().chain(&[("run.ys", script)]) {
            fs::write(folder.join(name), text).with_context(|| format!("writing {name} for Yosys"))?;
        }
        let mut command = Command::new("nice");
        command.args(["sh", "-c", "ulimit -t \"$0\"; exec \"$@\"", SECONDS]).arg(&self.yosys);
        let output = command.current_dir(folder).args(["-q", "run.ys"]).stdin(Stdio::null()).output();
        Ok(output.context("cannot start Yosys")?.status.success())
    }

    fn same_module(&self, mutant: &Mutant, changed: &str) -> Result<bool> {
        let old = Modules::parse(self.file)?.closure(&mutant.module)?;
        let new = Modules::parse(changed)?.closure(&mutant.module)?;
        let folder = self.folder.join(&mutant.key);
        let script = INDUCTION.replace("TOP", &mutant.module);
        let ended = self.run(&folder, &script, &[("old.v", &old), ("new.v", &new)])?;
        let said = fs::read_to_string(folder.join("status.txt")).unwrap_or_default();
        fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
        Ok(ended && said.contains(PROVEN))
    }

    /// Nothing: Yosys could not make sense of it in its time.
    fn board(&self, name: &str, text: &str) -> Result<Option<Structure>> {
        let top = text.lines().find_map(|line| line.strip_prefix("module ")?.split(' ').next());
        let folder = self.folder.join(name);
        let script = BOARD.replace("TOP", top.context("a file with a module")?);
        if !self.run(&folder, &script, &[("board.v", text)])? {
            return Ok(None);
        }
        let json = fs::read(folder.join("board.json")).context("reading the board's netlist")?;
        fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
        Structure::of(&json)
    }

    fn ask(&self, original: Option<&Structure>, mutant: &Mutant) -> Result<Option<Shown>> {
        let changed = mutated(self.file, mutant);
        if original.is_some() && self.board(&mutant.key, &changed)?.as_ref() == original {
            return Ok(Some(Shown::SameBoard));
        }
        Ok(self.same_module(mutant, &changed)?.then_some(Shown::SameModule))
    }

    /// Looks at each mutant; those that are not shown are missing in the answer.
    pub fn show(&self, mutants: &[&Mutant]) -> Result<HashMap<String, Shown>> {
        let shown = Mutex::new(HashMap::new());
        let original = if mutants.is_empty() { None } else { self.board("original", self.file)? };
        at_once(mutants.to_vec(), |mutant| {
            let found = self.ask(original.as_ref(), mutant)?;
            let words = match found {
                Some(Shown::SameBoard) => "the optimised board is the same",
                Some(Shown::SameModule) => "its module does the same, by induction",
                None => "not shown to be equivalent",
            };
            println!("{} ({}): {words}", mutant.number, mutant.key);
            let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
            shown.extend(found.map(|found| (mutant.key.clone(), found)));
            Ok(())
        })?;
        Ok(shown.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}
