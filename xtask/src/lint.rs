//! `cargo xtask lint`: what can be told without running anything.
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::hw_bench::BOARDS;
use crate::process::{answers, cargo, root, run, tracked};
use crate::rtl;
use crate::setup::Tools;

/// Most lines of a file written by hand: past it, split by concept.
const MAX_LINES: usize = 500;
/// Files that are written by `cargo xtask wire` and `cargo xtask c-header`.
const GENERATED: &[&str] =
    &["hw/src/main/scala/mneme/wire/Wire.scala", "wire/generated/mneme_wire.h", "clib/c/include/mneme.h"];

/// Everything below, in the order of how soon it answers.
pub fn run_lint(tools: &Tools, profile: &str) -> Result<()> {
    file_lengths()?;
    rust(profile)?;
    verilog()?;
    scala(tools)
}

/// No file written by hand is over [`MAX_LINES`].
pub fn file_lengths() -> Result<()> {
    let mut long = Vec::new();
    let files = tracked(&["rs", "scala", "cpp", "hpp", "h", "c", "py"])?;
    for path in files.iter().filter(|p| !GENERATED.iter().any(|g| p.ends_with(g))) {
        let text = std::fs::read_to_string(root().join(path))
            .with_context(|| format!("reading {}", path.display()))?;
        let lines = text.lines().count();
        if lines > MAX_LINES {
            long.push(format!("{}: {lines} lines, over {MAX_LINES}: split it by concept", path.display()));
        }
    }
    if !long.is_empty() {
        bail!(long.join("\n"));
    }
    println!("file lengths: {} files, none over {MAX_LINES} lines", files.len());
    Ok(())
}

/// rustfmt and clippy, warnings denied. `profile` should be one that is built anyway: build scripts run once for each.
pub fn rust(profile: &str) -> Result<()> {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    run(cargo().args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--features",
        &BOARDS.join(","),
        "--profile",
        profile,
        "--",
        "-D",
        "warnings",
    ]))
}

/// scalafmt on the hardware's sources and benches.
pub fn scala(tools: &Tools) -> Result<()> {
    run(&mut tools.sbt(&["scalafmtCheckAll"])).context("`scalafmtAll` in sbt formats")
}

/// `verilator --lint-only -Wall` on every committed module; waivers with their reasons live in `hw/rtl/lint.vlt`.
pub fn verilog() -> Result<()> {
    if !answers("verilator", &["--version"]) {
        bail!("verilator is missing: run `cargo xtask setup`");
    }
    let waivers = root().join("hw/rtl/lint.vlt");
    for path in rtl::tops()? {
        let top = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let mut command = Command::new("verilator");
        command.current_dir(root()).args(["--lint-only", "-Wall", "--top-module", &top]);
        if waivers.is_file() {
            command.arg("hw/rtl/lint.vlt");
        }
        run(command.arg(format!("hw/rtl/{top}.v")))?;
    }
    Ok(())
}
