//! `cargo xtask bitstream zcu106`: a board's bitstream by Vivado, its images and overlays, and the manifest that tells of them.
//! `cargo xtask flash`: puts them onto a board.
pub mod board;
mod check;
pub mod flash;
mod image;
mod manifest;
mod names;
mod overlay;
mod reports;
mod vivado;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};

use self::board::{Board, MemoryPart, ZCU106};
use self::manifest::{Entry, Figures};
use crate::own::{self, Device};
use crate::process::{capture, root, target_dir};
use crate::{rtl, setup};

pub use check::run_ci;

/// What to build.
#[derive(clap::Args)]
pub struct Options {
    /// Do what can be done without Vivado: look at the wrapper, the constraints, the overlays. Builds nothing.
    #[arg(long)]
    check: bool,
    /// Write the sources of the device tree overlays into packaging/mneme-boardd/, and nothing else.
    #[arg(long, conflicts_with = "check")]
    overlays: bool,
    /// Vivado's program.
    #[arg(long, value_name = "PROGRAM", default_value = "vivado")]
    vivado: PathBuf,
    /// The chips of DRAM on the board, as printed on them.
    #[arg(long, value_enum, default_value = "075e")]
    memory_part: MemoryPart,
    /// A core of one's own instead of the kept one: a file (docs/guides/own-configuration.md), from `base = "zcu106"` unless it says
    /// otherwise. Its Verilog is generated, and kept beside the bitstream. `trailers = true` lets the board ask for tags.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// SFP+ cages with an Ethernet port, the first ones. For two the board's Verilog is generated, and kept beside the bitstream.
    #[arg(long, value_name = "CAGES", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    ports: u8,
    /// Take the Verilog as it is committed, without asking the generator whether it is fresh.
    #[arg(long, conflicts_with = "config")]
    committed_verilog: bool,
    /// Make a boot image, too: the folder has fsbl.elf, pmufw.elf, bl31.elf, u-boot.elf and system.dtb.
    #[arg(long, value_name = "DIR")]
    boot: Option<PathBuf>,
    /// Where files go; target/bitstream/BOARD unless named.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The manifest; bitstreams/manifest.toml unless named.
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
}

/// Where a board's files go.
fn out_folder(board: &Board, named: Option<&Path>) -> Result<PathBuf> {
    let folder = match named {
        Some(folder) => std::path::absolute(folder).context("finding the folder of the files")?,
        None => target_dir()?.join("bitstream").join(board.name),
    };
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    Ok(folder)
}

fn manifest_path(named: Option<&Path>) -> PathBuf {
    named.map_or_else(|| root().join("bitstreams/manifest.toml"), Path::to_path_buf)
}

/// The program that is meant: a name is searched for, a path holds in other folders, too, since builds run in their own.
fn program(named: &Path) -> Result<PathBuf> {
    if named.components().count() == 1 && named.is_relative() {
        return Ok(named.to_path_buf());
    }
    std::path::absolute(named).with_context(|| format!("finding {}", named.display()))
}

/// The Verilog of a board that is not the kept one.
fn generated(options: &Options) -> Result<Option<Device>> {
    let kept = options.config.is_none() && options.ports == 1;
    (!kept).then(|| own::zcu106(options.config.as_deref(), options.ports)).transpose()
}

/// Builds, checks or writes what `options` ask for.
pub fn run_bitstream(options: &Options) -> Result<()> {
    let board = &ZCU106;
    if options.committed_verilog && options.ports > 1 {
        bail!("the committed Verilog has one Ethernet port: leave out --committed-verilog");
    }
    if options.overlays {
        return overlay::write(board);
    }
    if options.check {
        setup::run_bitstream_setup()?;
        let own = generated(options)?;
        return check::run_check(board, options.ports, own.as_ref().map(|own| own.folder.as_path()));
    }
    let vivado = program(&options.vivado)?;
    vivado::check_version(&vivado, board)?;
    setup::run_bitstream_setup()?;
    let own = generated(options)?;
    if !options.committed_verilog && own.is_none() {
        rtl::run_rtl(&setup::run_setup()?, true)?;
    }
    build(options, &vivado, board, own)
}

/// The commit, whether the board's sources differ from it, and what the register block is to tell.
fn stamp(board: &Board) -> Result<(String, bool, u32, u32)> {
    let git = |words: &[&str]| -> Result<String> {
        Ok(capture(Command::new("git").current_dir(root()).args(words))?.trim().to_owned())
    };
    let commit = git(&["rev-parse", "HEAD"])?;
    let changed = git(&[&["--no-optional-locks", "status", "--porcelain", "--"], board.sources].concat())?;
    let dirty = !changed.is_empty();
    if dirty {
        println!("the work tree is dirty, so the board will tell no hash:\n{changed}");
    }
    let first = commit.get(..8).context("git tells no commit")?;
    let hash = if dirty { 0 } else { u32::from_str_radix(first, 16).context("git tells no commit")? };
    let told = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse::<u32>().ok());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?.as_secs();
    Ok((commit, dirty, hash, told.unwrap_or(u32::try_from(now).context("the clock is past 2106")?)))
}

/// Puts the core's Verilog and constraints beside the bitstream.
fn keep(board: &Board, own: &Device, out: &Path) -> Result<()> {
    for path in manifest::source_files(board, Some(&own.folder))?.iter().filter(|path| path.is_absolute()) {
        let name = path.file_name().context("a file has a name")?;
        std::fs::copy(path, out.join(name)).with_context(|| format!("copying {}", path.display()))?;
    }
    Ok(())
}

fn build(options: &Options, vivado: &Path, board: &'static Board, own: Option<Device>) -> Result<()> {
    let out = out_folder(board, options.out.as_deref())?;
    let (git, dirty, hash, date) = stamp(board)?;
    if let Some(own) = &own {
        keep(board, own, &out)?;
    }
    let (beside, kept) = (own.as_ref().map(|_| out.as_path()), root().join("hw/rtl"));
    let hardware = beside.unwrap_or(&kept);
    let sources = manifest::sources_hash(board, beside)?;
    let memory_part = options.memory_part.name();
    let vivado_out = out.join("vivado");
    std::fs::create_dir_all(&vivado_out).with_context(|| format!("making {}", vivado_out.display()))?;
    let ports = options.ports;
    let build = vivado::Build { out: &vivado_out, hardware, hash, date, memory_part, ports };
    let bitstream = vivado::build(vivado, board, &build)?;
    let report = reports::read(&vivado_out, "timing.rpt")?;
    let timing = reports::timing(&report)?;
    reports::all_timed(&report)?;
    let used = reports::utilisation(&reports::read(&vivado_out, "utilization.rpt")?)?;
    if manifest::sources_hash(board, beside)? != sources {
        bail!("the sources have changed while Vivado ran: the bitstream is of neither. Build it again");
    }
    std::fs::copy(&bitstream, out.join("mneme.bit")).context("copying the bitstream")?;
    let mut files = vec![out.join("mneme.bit"), image::loadable(&out)?];
    files.extend(overlay::compile(board, &out)?);
    match &options.boot {
        Some(parts) => files.push(image::boot(&out, parts)?),
        None => println!("no boot image: --boot names the folder of its other parts"),
    }
    let hashed = files.iter().map(|path| {
        let name = path.file_name().context("a file has a name")?.to_string_lossy().into_owned();
        Ok((name, manifest::file_hash(path)?))
    });
    let files = hashed.collect::<Result<BTreeMap<_, _>>>()?;
    let part = board.part.to_owned();
    let entry = Entry {
        part,
        vivado: board.vivado.to_owned(),
        git,
        dirty,
        build_hash: hash,
        build_date: date,
        configuration: own.map(|own| own.configuration),
        sources,
        files,
    };
    let parameters = [
        ("memory_part", memory_part.to_owned()),
        ("channels", board.channels[..usize::from(ports)].join(" ")),
        ("clock_mhz", board.clock_mhz.to_string()),
    ];
    let figures = Figures { parameters: &parameters, used: &used, timing };
    let path = manifest_path(options.manifest.as_deref());
    std::fs::write(&path, manifest::text(board, &entry, &figures))
        .with_context(|| format!("writing {}", path.display()))?;
    println!("built {} and wrote {}", out.display(), path.display());
    Ok(())
}
