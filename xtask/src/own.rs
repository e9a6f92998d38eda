//! `cargo xtask board`: a board of any legal configuration, generated, Verilated, and run by `mneme board`.
mod cache;
pub mod check;
mod file;
pub mod netlist;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::process::{Target, built, run};
use crate::setup::{Tools, run_setup};
use crate::test;
use file::Wanted;

/// Of `mneme board`: it takes a library that can write waveforms.
const WAVES: &str = "--waves";

/// Which board, and what becomes of it.
#[derive(clap::Args)]
pub struct Options {
    /// A configuration as a file (docs/guides/own-configuration.md), or the name of a kept one (docs/reference/contracts.md §8).
    #[arg(value_name = "FILE|NAME", required_unless_present = "check")]
    configuration: Option<String>,
    /// Run nothing: build the board, and say on the last line in which folder its library is.
    #[arg(long)]
    build_only: bool,
    /// Build it so that it can write waveforms: it runs slower. Goes without saying where `--waves` is among mneme's arguments.
    #[arg(long)]
    traced: bool,
    /// Instead: build a board of an own configuration, run it, and look whether its waveforms are those asked for.
    #[arg(long, conflicts_with_all = ["configuration", "build_only", "traced"])]
    check: bool,
    /// Arguments of `mneme board`.
    #[arg(last = true, value_name = "ARGUMENTS")]
    board: Vec<String>,
}

/// Builds the board, or finds it built, and runs it until it ends.
pub fn run_board(options: &Options, profile: &str) -> Result<()> {
    let Some(configuration) = &options.configuration else { return check::run_check(test::PROFILE) };
    let waves = |argument: &String| argument == WAVES || argument.starts_with(&format!("{WAVES}="));
    let traced = options.traced || options.board.iter().any(waves);
    let folder = library(configuration, if traced { Build::Traced } else { Build::Served })?;
    if options.build_only {
        if !options.board.is_empty() {
            bail!("with --build-only no board runs: leave out what follows `--`");
        }
        println!("{}", folder.display());
        return Ok(());
    }
    let mut command = built(Target::Bin, "mneme", profile, &[])?;
    // Files that the arguments name are where the caller is.
    command.current_dir(std::env::current_dir().context("the folder of this command is gone")?);
    command.args(["board", "--kind", "rtl", "--library"]).arg(&folder);
    run(command.args(&options.board))
}

/// What a board is built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// To be served: as fast as it can.
    Served,
    /// To be served, and write waveforms.
    Traced,
    /// To be compared with the golden model: what the hardware leaves undefined is random.
    Compared,
    /// To be compared, and write waveforms.
    ComparedTraced,
}

impl Build {
    fn traced(self) -> bool {
        matches!(self, Build::Traced | Build::ComparedTraced)
    }
    fn served(self) -> bool {
        matches!(self, Build::Served | Build::Traced)
    }
    fn name(self) -> &'static str {
        match self {
            Build::Served => "served",
            Build::Traced => "traced",
            Build::Compared => "compared",
            Build::ComparedTraced => "compared-traced",
        }
    }
}

/// A board for a device: what its core is, and the folder with the Verilog and the constraints around it.
#[derive(Debug)]
pub struct Device {
    /// Name, base and fields, as the generator was told.
    pub configuration: String,
    /// It has `Zcu106.v` and `Zcu106.xdc`.
    pub folder: PathBuf,
}

/// A ZCU106 with so many Ethernet ports, and a core as a file says. Without a base in it, or a file, that is the ZCU106's own.
pub fn zcu106(path: Option<&Path>, ports: u8) -> Result<Device> {
    let mut wanted = path.map_or_else(|| Wanted::kept("zcu106"), Wanted::read)?;
    wanted.base.get_or_insert_with(|| "zcu106".into());
    if ports > 1 {
        // No field of the core: the generator of the board takes it.
        wanted.fields.push(("ports", ports.to_string()));
    }
    let folder = cache::zcu106(run_setup, &wanted).with_context(|| match path {
        Some(path) => format!("the configuration {}", path.display()),
        None => format!("a board with {ports} Ethernet ports"),
    })?;
    Ok(Device { configuration: wanted.arguments().join(" "), folder })
}

/// The folder with a board's library: of a file, or of a kept configuration.
pub fn library(configuration: &str, build: Build) -> Result<PathBuf> {
    let path = Path::new(configuration);
    let is_file = path.extension().is_some() || path.exists() || configuration.contains('/');
    let wanted = if is_file { Wanted::read(path)? } else { Wanted::kept(configuration)? };
    let tools: fn() -> Result<Tools> = run_setup;
    cache::library(tools, &wanted, build).with_context(|| match is_file {
        true => format!("the configuration {configuration}"),
        false => format!("the configuration `{configuration}`"),
    })
}
