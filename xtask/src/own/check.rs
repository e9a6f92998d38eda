//! `cargo xtask board --check`: an own configuration from its file to waveforms that can be read.
use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use fst_reader::{FstFilter, FstHierarchyEntry, FstReader, FstSignalHandle, FstSignalValue};
use mneme_wire::Counter;

use super::{Build, library};
use crate::board::Board;
use crate::process::{Target, built, run};

/// Nanoseconds of a cycle in the file (`mneme_rtl::NS_PER_CYCLE`).
const CYCLE: u64 = 4;
/// How long a board may take to do what is waited for.
const PATIENCE: Duration = Duration::from_secs(120);
/// The wire with a bit for each counter.
const COUNTED: &str = "registers_io_counted";

/// No kept configuration is like it.
const LEGAL: &str = "base = \"tiny\"\nname = \"checked\"\ntlbEntries = 8\ntlbWays = 4\ntrailers = true\n";
const ILLEGAL: &str = "base = \"tiny\"\nname = \"checked\"\ntlbEntries = 9\n";

/// Fails when a file is not refused as it should be, a board is built twice, or waveforms are not those asked for.
pub fn run_check(profile: &str) -> Result<()> {
    let folder = tempfile::tempdir().context("a folder for the files")?;
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("illegal.toml"), ILLEGAL)?;
    std::fs::write(file("legal.toml"), LEGAL)?;
    let build = |name: &str| library(&file(name).display().to_string(), Build::Traced);
    let refused = build("illegal.toml").err().map(|error| format!("{error:#}")).unwrap_or_default();
    ensure!(
        refused.contains("there is no such board: tlbEntries: a TLB of 9 entries"),
        "refused otherwise: {refused}"
    );
    let board = build("legal.toml")?;
    let made = std::fs::metadata(board.join("checked.so"))?.modified()?;
    ensure!(
        build("legal.toml")? == board && std::fs::metadata(board.join("checked.so"))?.modified()? == made,
        "built twice"
    );

    let mneme = PathBuf::from(built(Target::Bin, "mneme", profile, &[])?.get_program());
    window(&mneme, &board, &file("window.fst"))?;
    event(&mneme, &board, &file("event.fst"))?;
    println!("an own configuration is built once, runs, and its waveforms are those asked for");
    Ok(())
}

/// Cycles that are named.
fn window(mneme: &Path, board: &Path, file: &Path) -> Result<()> {
    let _board = start(mneme, board, file, &["--from-cycle", "500", "--for-cycles", "300"])?;
    let waves = Waves::read(file)?;
    ensure!(waves.cycles == (500, 799), "cycles 500 to 799 were asked for, {:?} are there", waves.cycles);
    waves.has_all_saved(file)
}

/// Cycles around a page fault, which is in the file where it is said to be.
fn event(mneme: &Path, board: &Path, file: &Path) -> Result<()> {
    let arguments = ["--until", "event=PAGE_FAULT", "--before-cycles", "200", "--after-cycles", "50"];
    let running = start(mneme, board, file, &arguments)?;
    let mut fault = std::process::Command::new(mneme);
    fault.args(["trace", "write", "--first-touch", "--board", &running.address.to_string()]);
    run(&mut fault)?;
    let waves = Waves::read(file)?;
    waves.has_all_saved(file)?;
    let save = std::fs::read_to_string(file.with_extension("gtkw"))?;
    let marker =
        save.lines().find_map(|line| line.strip_prefix("*-8.0 ")?.split(' ').next()?.parse::<u64>().ok());
    let marker = marker.context("the save file has no marker")?;
    ensure!(
        waves.cycles.1 == marker / CYCLE + 50,
        "50 cycles after {} were asked for: {:?}",
        marker / CYCLE,
        waves.cycles
    );
    // The wire rises in the cycle itself, or with the edge before it.
    let first = waves.first(file, COUNTED, Counter::PageFault.number() as usize)?;
    ensure!(
        first.is_some_and(|first| (marker - CYCLE / 2..=marker).contains(&first)),
        "the page fault is at {first:?} ns, not at {marker}"
    );
    // The stretch before: as many cycles, and none is missing in between.
    let older = file.with_extension("before.fst");
    let before = Waves::read(&older)?;
    ensure!(
        before.cycles.1 + 1 == waves.cycles.0 && before.cycles.1 - before.cycles.0 == 199,
        "before: {:?}",
        before.cycles
    );
    ensure!(
        before.first(&older, COUNTED, Counter::PageFault.number() as usize)?.is_none(),
        "a page fault before the first"
    );
    Ok(())
}

/// A board that answers and writes waveforms.
fn start(mneme: &Path, board: &Path, file: &Path, more: &[&str]) -> Result<Board> {
    let (board, waves) = (board.display().to_string(), file.display().to_string());
    let mut running =
        Board::start_with(mneme, "rtl", &[&["--library", &board, "--waves", &waves], more].concat())?;
    running.wait(mneme)?;
    Ok(running)
}

/// What a file of waveforms has.
struct Waves {
    /// The first and the last.
    cycles: (u64, u64),
    /// By their paths.
    wires: Vec<(String, FstSignalHandle)>,
}

type Reader = FstReader<BufReader<File>>;

fn open(file: &Path) -> Result<Reader> {
    let opened = File::open(file).with_context(|| format!("opening {}", file.display()))?;
    FstReader::open(BufReader::new(opened)).with_context(|| format!("reading {}", file.display()))
}

impl Waves {
    /// Waits until the file's last save file is there, and reads it.
    fn read(file: &Path) -> Result<Waves> {
        let (began, last) = (Instant::now(), file.with_extension("sucl"));
        let complete = || last.exists() || file.to_string_lossy().ends_with(".before.fst");
        while !complete() {
            if began.elapsed() > PATIENCE {
                bail!("no waveforms in {} after {PATIENCE:?}", file.display());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let mut reader = open(file)?;
        let header = reader.get_header();
        let (mut scopes, mut wires) = (Vec::<String>::new(), Vec::new());
        reader.read_hierarchy(|entry| match entry {
            FstHierarchyEntry::Scope { name, .. } => scopes.push(name),
            FstHierarchyEntry::UpScope => drop(scopes.pop()),
            FstHierarchyEntry::Var { name, handle, .. } => {
                wires.push((format!("{}.{}", scopes.join("."), name.replace(' ', "")), handle));
            }
            _ => {}
        })?;
        Ok(Waves { cycles: (header.start_time / CYCLE, header.end_time / CYCLE), wires })
    }
    /// Every wire that the save files name is in the file, and they name those of each part of the board.
    fn has_all_saved(&self, file: &Path) -> Result<()> {
        let known: BTreeSet<&str> = self.wires.iter().map(|(path, _)| path.as_str()).collect();
        let bare: BTreeSet<&str> =
            known.iter().map(|path| path.split('[').next().unwrap_or_default()).collect();
        let gtkwave = std::fs::read_to_string(file.with_extension("gtkw"))?;
        let gtkwave: Vec<&str> = gtkwave.lines().filter(|line| line.starts_with("TOP.")).collect();
        let surfer = std::fs::read_to_string(file.with_extension("sucl"))?;
        let surfer: Vec<&str> =
            surfer.lines().filter_map(|line| line.strip_prefix("variable_add ")).collect();
        ensure!(
            gtkwave.len() == surfer.len(),
            "{} wires for GTKWave, {} for Surfer",
            gtkwave.len(),
            surfer.len()
        );
        if let Some(wire) = gtkwave.iter().find(|wire| !known.contains(*wire)) {
            bail!("the save file for GTKWave names {wire}, which is not there");
        }
        if let Some(wire) = surfer.iter().find(|wire| !bare.contains(*wire)) {
            bail!("the save file for Surfer names {wire}, which is not there");
        }
        for part in [
            "clk",
            "net_rx_tvalid",
            "observer_1.",
            "translation_1.tlb_1.",
            "misses.valid",
            "mem_arvalid",
            "trace_valid",
        ] {
            ensure!(surfer.iter().any(|wire| wire.contains(part)), "no {part} in the save files");
        }
        Ok(())
    }
    /// When a bit of a wire is first 1, in nanoseconds.
    fn first(&self, file: &Path, wire: &str, bit: usize) -> Result<Option<u64>> {
        let path = self.wires.iter().find(|(path, _)| path.contains(&format!(".{wire}[")));
        let (_, handle) = path.with_context(|| format!("no wire {wire}"))?;
        let mut first = None;
        let see = |time, _, value: FstSignalValue<'_>| {
            if let FstSignalValue::String(bits) = value
                && bits.iter().rev().nth(bit) == Some(&b'1')
            {
                first.get_or_insert(time);
            }
            Ok::<(), std::convert::Infallible>(())
        };
        open(file)?.read_signals(
            &FstFilter::filter_signals(vec![FstSignalHandle::from_index(handle.get_index())]),
            see,
        )?;
        Ok(first)
    }
}
