//! The Linux kernel's RoCE (rdma_rxe) in a guest as a client of `mneme board --rdma`. `cargo xtask rxe` builds the guest and runs this
//! program in a network namespace of its own, which it takes for granted: it gives the namespace a network card.
//!
//! `guest` boots the machine and talks with the client in it (tests/guest/peer.c), `peer` says what that client does, `board` is the
//! board, `tap` the card of the board's system, `relay` the cable with its weather, `seen` what has passed,
//! `reads` what answers to READs bring, `parts` what is tried.
//!
//! The exit code is 1 when a part failed; the others are tried all the same.
mod board;
mod guest;
mod lab;
mod parts;
mod peer;
mod reads;
mod relay;
mod seen;
mod tap;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use mneme_tests::figures::{Cell, Table, load, machine};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use serde::Serialize;

use board::{Board, Programs};
use guest::{Role, Settings};
use lab::{BESIDE, BOARD, GUEST, Lab, MTU, Tally};
use parts::{PARTS, Part};
use relay::{Relay, Weather};
use seen::{Counts, Way};

/// Frames of each part that the capture has, at most.
const CAPTURED: u64 = 10_000;
const CAPTURED_SHORT: u64 = 1_500;

/// What is tried, and with what.
#[derive(Debug, Parser)]
struct Options {
    /// The program that is the board: `mneme`
    #[arg(long)]
    board: PathBuf,
    /// The guest's kernel
    #[arg(long)]
    kernel: PathBuf,
    /// The archive of the guest's programs
    #[arg(long)]
    archive: PathBuf,
    /// The package that the kernel is from
    #[arg(long)]
    package: String,
    /// Data, programs and weather follow from this number
    #[arg(long)]
    seed: u64,
    /// Less of everything
    #[arg(long)]
    short: bool,
    /// The board is the Verilated one, whose own port answers
    #[arg(long)]
    rtl: bool,
    /// The program that is the Verilated board's slow path: `mneme-boardd`
    #[arg(long, requires = "rtl")]
    daemon: Option<PathBuf>,
    /// Parts; default: all
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// The folder for rxe.json, rxe.pcap and logs
    #[arg(long)]
    out: PathBuf,
}

/// What came of a part.
#[derive(Debug, Serialize)]
struct Outcome {
    part: &'static str,
    about: &'static str,
    operations: u64,
    bytes_compared: u64,
    frames: u64,
    seconds: f64,
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct Report {
    machine: String,
    /// The board's kind, as `cargo xtask rxe` names it.
    kind: &'static str,
    seed: u64,
    short: bool,
    kernel: String,
    package: String,
    accelerator: &'static str,
    boot_seconds: f64,
    parts: Vec<Outcome>,
    /// What no frame and no count may be, whatever the parts say.
    wrong: Vec<String>,
    frames_to_board: BTreeMap<&'static str, u64>,
    frames_to_guest: BTreeMap<&'static str, u64>,
    frames_captured: u64,
    frames_lost_doubled_delayed: [u64; 3],
    writes_begun_again_in_their_middle: u64,
    notes: Vec<String>,
    board: BTreeMap<&'static str, u64>,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The parts that are asked for.
fn chosen(options: &Options) -> Result<Vec<&'static Part>> {
    for name in &options.only {
        let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        ensure!(names.contains(&name.as_str()), "no part {name}; there are {}", names.join(", "));
    }
    let wanted = |part: &&Part| options.only.is_empty() || options.only.iter().any(|name| name == part.name);
    Ok(PARTS.iter().filter(wanted).collect())
}

/// A folder for sockets and logs of this run.
fn fresh(out: &Path) -> Result<PathBuf> {
    let folder = out.join("run");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("emptying {}", folder.display()))?;
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    Ok(folder)
}

fn lab(options: &Options, role: Role) -> Result<Lab> {
    let folder = fresh(&options.out)?;
    // The names of sockets have 107 bytes at most; a folder's may be longer.
    std::env::set_current_dir(&folder)?;
    let (cable, card) = (Path::new("cable"), Path::new("card"));
    let tap = tap::Tap::new(&[BOARD, BESIDE], MTU)?;
    let relay = Relay::lay(tap, cable, card, &options.out.join("rxe.pcap"), options.seed)?;
    let programs = Programs { board: &options.board, rtl: options.rtl, daemon: options.daemon.as_deref() };
    let board = Board::start(&programs, BOARD, BESIDE)?;
    let settings = Settings {
        kernel: options.kernel.clone(),
        archive: options.archive.clone(),
        folder: PathBuf::new(),
        frames: (cable.to_owned(), card.to_owned()),
        address: format!("{GUEST}/24"),
        mtu: MTU,
    };
    let guest = lab::boot(&settings, role)?;
    let rng = ChaCha12Rng::seed_from_u64(options.seed);
    let (tally, notes) = Default::default();
    let Options { rtl, short, .. } = *options;
    let daemon = options.daemon.is_some();
    Ok(Lab { guest, settings, role, board, rtl, daemon, relay, rng, short, tally, notes })
}

/// Tries a part. What it leaves behind does not touch the next one: each has its own memory.
fn part(lab: &mut Lab, part: &Part, spoilt: bool) -> Result<Outcome> {
    let (begun, before) = (Instant::now(), frames(&lab.relay.counts()?));
    lab.have(part.role, spoilt)?;
    // What a part that failed has left.
    lab.guest.ask("clear", peer::PATIENCE)?;
    lab.tally = Tally::default();
    lab.relay.capture(if lab.short { CAPTURED_SHORT } else { CAPTURED });
    let result = (part.run)(lab);
    lab.relay.set_weather(Weather::default());
    let Tally { operations, compared } = lab.tally;
    let (seconds, error) = (begun.elapsed().as_secs_f64(), result.err().map(|error| format!("{error:#}")));
    match &error {
        Some(error) => println!("{}: FAILED: {error}", part.name),
        None => println!("{}: {operations} operations, {compared} bytes compared, {seconds:.1} s", part.name),
    }
    let frames = frames(&lab.relay.counts()?) - before;
    Ok(Outcome {
        part: part.name,
        about: part.about,
        operations,
        bytes_compared: compared,
        frames,
        seconds,
        error,
    })
}

fn frames(counts: &Counts) -> u64 {
    counts.kinds.values().sum()
}

fn run(options: &Options) -> Result<bool> {
    let parts = chosen(options)?;
    let before = load();
    let mut lab = lab(options, parts.first().map_or(Role::Roce, |part| part.role))?;
    let mut outcomes: Vec<Outcome> = Vec::new();
    for one in parts {
        let spoilt = outcomes.last().is_some_and(|last| last.error.is_some());
        outcomes.push(part(&mut lab, one, spoilt)?);
    }
    // What is still under way comes first.
    std::thread::sleep(Duration::from_millis(100));
    let (counts, weathered) = (lab.relay.counts()?, lab.relay.weathered());
    let mut wrong = judge(&counts);
    let counted = lab.board.counters()?;
    for name in
        ["datagrams with a wrong ICRC", "datagrams of a wrong length", "datagrams too long for the way"]
    {
        if counted.get(name).is_none_or(|count| *count > 0) {
            wrong.push(format!("the board has counted {name}: {:?}", counted.get(name)));
        }
    }
    let captured = lab.relay.captured()?;
    let Lab { guest, board, notes, .. } = lab;
    board.end()?;
    let side =
        |way| counts.kinds.iter().filter(|((own, _), _)| *own == way).map(|((_, k), n)| (*k, *n)).collect();
    let report = Report {
        machine: format!("{}; load before {before}, after {}", machine(), load()),
        kind: match (options.rtl, &options.daemon) {
            (_, Some(_)) => "daemon",
            (true, None) => "rtl",
            (false, None) => "soft",
        },
        seed: options.seed,
        short: options.short,
        kernel: guest.version.clone(),
        package: options.package.clone(),
        accelerator: guest.accelerator,
        boot_seconds: guest.boot.as_secs_f64(),
        parts: outcomes,
        wrong,
        frames_to_board: side(Way::ToBoard),
        frames_to_guest: side(Way::ToGuest),
        frames_captured: captured,
        frames_lost_doubled_delayed: weathered,
        writes_begun_again_in_their_middle: counts.restarts,
        notes,
        board: counted.into_iter().filter(|(_, count)| *count > 0).collect(),
    };
    show(&report);
    report.wrong.iter().for_each(|wrong| println!("{wrong}"));
    let path = options.out.join("rxe.json");
    std::fs::write(&path, serde_json::to_vec_pretty(&report)?)
        .with_context(|| format!("writing {}", path.display()))?;
    println!("{}", path.display());
    Ok(report.wrong.is_empty() && report.parts.iter().all(|part| part.error.is_none()))
}

/// What no frame may be, whatever the parts say.
fn judge(counts: &Counts) -> Vec<String> {
    let mut wrong = Vec::new();
    for (side, who) in ["guest", "board"].into_iter().enumerate() {
        if counts.wrong[side] > 0 {
            wrong.push(format!(
                "{} frames of the {who} have another ICRC than our codec's",
                counts.wrong[side]
            ));
        }
    }
    if counts.malformed > 0 {
        wrong.push(format!("{} frames of RoCEv2 are none for our codec", counts.malformed));
    }
    if counts.identified[1] > 0 {
        wrong.push(format!("{} frames of the board have an IPv4 identification", counts.identified[1]));
    }
    wrong
}

fn show(report: &Report) {
    let columns = ["part", "what", "operations", "bytes compared", "frames", "seconds", ""];
    let title = format!(
        "Linux {} ({}, {}) against a board of kind {}",
        report.kernel, report.package, report.accelerator, report.kind
    );
    let mut table = Table::new(title, &columns);
    for part in &report.parts {
        let verdict = if part.error.is_none() { "agrees" } else { "FAILED" };
        table.rows.push(vec![
            part.part.into(),
            part.about.into(),
            Cell::Whole(part.operations),
            Cell::Whole(part.bytes_compared),
            Cell::Whole(part.frames),
            Cell::Number(part.seconds),
            verdict.into(),
        ]);
    }
    println!("\n{table}\n");
    let mut kinds = Table::new("Frames of RoCEv2 by kind", &["kind", "from the guest", "from the board"]);
    let all: std::collections::BTreeSet<&str> =
        report.frames_to_board.keys().chain(report.frames_to_guest.keys()).copied().collect();
    for kind in all {
        let of = |side: &BTreeMap<&str, u64>| Cell::Whole(side.get(kind).copied().unwrap_or(0));
        kinds.rows.push(vec![kind.into(), of(&report.frames_to_board), of(&report.frames_to_guest)]);
    }
    println!("{kinds}\n");
    let [lost, doubled, delayed] = report.frames_lost_doubled_delayed;
    println!("frames lost {lost}, doubled {doubled}, delayed {delayed}, captured {}", report.frames_captured);
    println!(
        "WRITEs that the guest has begun again in their middle: {}",
        report.writes_begun_again_in_their_middle
    );
    report.notes.iter().for_each(|note| println!("{note}"));
    println!("{}", report.machine);
    for part in &report.parts {
        if let Some(error) = &part.error {
            println!("{}: {error}", part.part);
        }
    }
}
