//! `cargo xtask hw-coverage`: which branches and bits of the committed Verilog the differential test reaches, counted by Verilator.
//!
//! Boards with counters stand in for those of the build (`sim/rtl/src/ffi.rs`), so that no other build is slower for it.
mod page;
mod points;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};

use self::page::{Counted, Page, Reason};
use crate::hw_bench::BOARDS;
use crate::library::Library;
use crate::mutate::sources;
use crate::process::{Target, built, capture, root, run, target_dir};

/// Where a board with counters leaves what it has met (`sim/rtl/cpp/coverage.h`).
const FOLDER: &str = "MNEME_COVERAGE";
const STAND_INS: &str = "MNEME_STAND_INS";
const REASONS: &str = "docs/reference/figures/hw-coverage.json";
const PAGE: &str = "docs/reference/figures/hw-coverage.md";

/// What is counted.
#[derive(clap::Args)]
pub struct Options {
    /// The configurations.
    #[arg(long, value_delimiter = ',', default_value = "sim,doors")]
    config: Vec<String>,
    /// Frames to each of them.
    #[arg(long, default_value_t = 200_000)]
    total: u64,
    /// Frames of a run; seeds count up from 1.
    #[arg(long, default_value_t = 5000)]
    requests: u64,
    /// Takes what the last run has counted, and sends nothing.
    #[arg(long)]
    again: bool,
    /// Writes docs/reference/figures/hw-coverage.md.
    #[arg(long)]
    update: bool,
}

/// Builds a board that counts, or takes the one that an earlier run built of the same sources; answers its folder.
fn board(config: &str, verilog: &str) -> Result<PathBuf> {
    let mut hasher = Sha256::new();
    hasher.update(sources()?);
    hasher.update(verilog);
    let hash: String = hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let done = target_dir()?.join(format!("hw-coverage/{config}-{hash}"));
    if !done.is_dir() {
        let work = done.with_extension("part");
        if work.exists() {
            fs::remove_dir_all(&work).with_context(|| format!("emptying {}", work.display()))?;
        }
        fs::create_dir_all(&work).with_context(|| format!("making {}", work.display()))?;
        fs::write(work.join(format!("CBoard_{config}.v")), verilog).context("writing the Verilog")?;
        Library { apart: true, covered: true, ..Library::new(&work, config) }.build()?;
        fs::remove_dir_all(work.join(config)).context("removing the generated C++")?;
        fs::rename(&work, &done).with_context(|| format!("keeping {}", done.display()))?;
    }
    Ok(done)
}

/// Sends the differential test's frames to a board that counts; answers the merged counts.
fn count(config: &str, board: &Path, options: &Options, profile: &str) -> Result<String> {
    let (counts, merged) = (board.join("counts"), board.join("merged.dat"));
    if !options.again {
        if counts.exists() {
            fs::remove_dir_all(&counts).context("removing older counts")?;
        }
        fs::create_dir_all(&counts).context("making a folder of counts")?;
        let mut test = built(Target::Bin, "differential", profile, BOARDS)?;
        test.args([format!("--config={config}"), "--seed=1".into()]);
        test.args([format!("--requests={}", options.requests), format!("--total={}", options.total)]);
        run(test.env(STAND_INS, board).env(FOLDER, &counts))?;
        let files = fs::read_dir(&counts)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        ensure!(!files.is_empty(), "the board {config} has counted nothing");
        capture(Command::new("verilator_coverage").arg("--write").arg(&merged).args(files))?;
    }
    fs::read_to_string(&merged).with_context(|| format!("reading {}", merged.display()))
}

/// Counts, and compares with the reasons.
pub fn run_hw_coverage(options: &Options, profile: &str) -> Result<()> {
    let path = root().join(REASONS);
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let reasons: Vec<Reason> =
        serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))?;
    let mut counted = Vec::new();
    for config in &options.config {
        let path = root().join(format!("hw/rtl/CBoard_{config}.v"));
        let verilog = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let folder = board(config, &verilog)?;
        let merged = count(config, &folder, options, profile)?;
        counted.push(Counted { config: config.clone(), points: points::read(&merged, &verilog)? });
    }
    let page = Page { counted: &counted, reasons: &reasons };
    let (configs, total, requests) = (options.config.join(","), options.total, options.requests);
    let command = format!("cargo xtask hw-coverage --config {configs} --total {total} --requests {requests}");
    if options.update {
        fs::write(root().join(PAGE), page.text(&command)).with_context(|| format!("writing {PAGE}"))?;
    }
    println!("{}", page.summary());
    let faults = page.faults();
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}
