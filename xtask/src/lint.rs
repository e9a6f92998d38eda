//! `cargo xtask lint`: what can be told without running anything.
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::hw_bench::BOARDS;
use crate::process::{answers, capture, cargo, root, run, tracked};
use crate::rtl;
use crate::setup::Tools;
use crate::{examples, pages};

/// Most lines of a file written by hand: past it, split by concept.
const MAX_LINES: usize = 500;
/// Files that are written by `cargo xtask wire` and `cargo xtask c-header`.
const GENERATED: &[&str] =
    &["hw/src/main/scala/mneme/wire/Wire.scala", "wire/generated/mneme_wire.h", "clib/c/include/mneme.h"];

/// The crates that boards are made of, and the one that they must not link: boards know the wire, not who is at its other end.
const BOARD_CRATES: &[&str] = &["mneme-model", "mneme-rtl", "mneme-daemon", "mneme-window", "mneme-boardd"];
const CLIENT: &str = "mneme-clib";

/// Everything below, in the order of how soon it answers.
pub fn run_lint(tools: &Tools, profile: &str) -> Result<()> {
    file_lengths()?;
    boards_without_client()?;
    tests_run()?;
    pages::run_pages()?;
    examples::run_examples()?;
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

/// Where a crate names its test binaries itself, each file of tests is one of them or a module of `tests/main.rs`: Cargo looks for
/// none, so one that nothing names would never run.
pub fn tests_run() -> Result<()> {
    let files = tracked(&["rs", "toml"])?;
    let mut seen = 0;
    for manifest in files.iter().filter(|p| p.ends_with("Cargo.toml")) {
        let text = std::fs::read_to_string(root().join(manifest))
            .with_context(|| format!("reading {}", manifest.display()))?;
        if !text.lines().any(|line| line.trim() == "autotests = false") {
            continue;
        }
        let folder = manifest.with_file_name("tests");
        let main = root().join(&folder).join("main.rs");
        let modules =
            std::fs::read_to_string(&main).with_context(|| format!("reading {}", main.display()))?;
        for file in files.iter().filter(|p| p.parent() == Some(&folder) && !p.ends_with("main.rs")) {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let is_module = modules.lines().any(|line| line == format!("mod {stem};"));
            if !is_module && !text.contains(&format!("path = \"tests/{stem}.rs\"")) {
                bail!(
                    "{}: neither {} nor {} names it, so no test of it runs",
                    file.display(),
                    main.display(),
                    manifest.display()
                );
            }
            seen += 1;
        }
    }
    println!("tests: {seen} files are named where they run");
    Ok(())
}

/// No crate of a board depends on the client with any feature, tests apart.
pub fn boards_without_client() -> Result<()> {
    for package in BOARD_CRATES {
        if let Some(way) = way_to(package, CLIENT)? {
            bail!("{package} depends on {CLIENT}, though boards must do without the client:\n{way}");
        }
    }
    println!("boards: {} depend on no {CLIENT}", BOARD_CRATES.join(", "));
    Ok(())
}

/// How a package of the workspace comes to depend on another, if it does: as `cargo tree` draws it.
fn way_to(package: &str, other: &str) -> Result<Option<String>> {
    let mut tree = cargo();
    tree.args(["tree", "--quiet", "--all-features", "--edges", "normal,build", "--prefix", "depth"]);
    let tree = capture(tree.args(["--no-dedupe", "--format", " {p}", "--package", package]))?;
    way_in(&tree, other)
}

/// The first line of this package in a tree whose lines begin with their depth, and those that it hangs from.
fn way_in(tree: &str, other: &str) -> Result<Option<String>> {
    let mut way: Vec<&str> = Vec::new();
    for line in tree.lines() {
        let (depth, package) = line.split_once(' ').context("a line of cargo's tree has no depth")?;
        way.truncate(depth.parse().with_context(|| format!("cargo's tree says `{line}`"))?);
        way.push(package);
        if package.split(' ').next() == Some(other) {
            return Ok(Some(way.join("\n")));
        }
    }
    Ok(None)
}

/// Crates, or parts of them, that need no standard library: they are checked without their default features.
const WITHOUT_STD: &[&str] = &["mneme-rdma"];

/// rustfmt and clippy, warnings denied. `profile` should be one that is built anyway: build scripts run once for each.
pub fn rust(profile: &str) -> Result<()> {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    for package in WITHOUT_STD {
        let mut clippy = cargo();
        clippy.args(["clippy", "--package", package, "--no-default-features", "--profile", profile]);
        run(clippy.args(["--", "-D", "warnings"]))?;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_do_not_depend_on_the_client_and_who_does_is_found() {
        boards_without_client().expect("boards do without it");
        let way = way_to("mneme-world", CLIENT).expect("cargo draws a tree").expect("the world has clients");
        let names: Vec<_> = way.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(names, ["mneme-world", CLIENT]);
    }

    #[test]
    fn the_way_to_a_package_is_told_whatever_lies_beside_it() {
        let tree = "0 a v1\n1 b v1\n2 c v1\n1 d v1 (/d)\n2 client v1\n2 c v1\n";
        let way = |other| way_in(tree, other).expect("a tree");
        assert_eq!(way("client").as_deref(), Some("a v1\nd v1 (/d)\nclient v1"));
        assert_eq!(way("clien"), None);
        assert!(way_in("a v1\n", "client").is_err(), "no tree");
    }
}
