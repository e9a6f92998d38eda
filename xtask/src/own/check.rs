//! `cargo xtask board --check`: an own configuration from its file to waveforms that can be read.
use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::net::{SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use fst_reader::{FstFilter, FstHierarchyEntry, FstReader, FstSignalHandle, FstSignalValue};
use mneme_wire::{Counter, HEADER_LEN, Opcode, Packet, Pid, Request, Response, Status, Tick, Trailer, Va};
use mneme_wire::{frame, opcode::STATUS_CODE_MASK};

use super::{Build, library};
use crate::board::Board;
use crate::hw_bench::BOARDS;
use crate::process::{Target, built, run, run_and_tell};

/// Nanoseconds of a cycle in the file (`mneme_rtl::NS_PER_CYCLE`).
const CYCLE: u64 = 4;
/// How long a board may take to do what is waited for.
const PATIENCE: Duration = Duration::from_secs(120);
/// The wire with a bit for each counter.
const COUNTED: &str = "registers_io_counted";
/// The byte of an answer's frame that has its status.
const STATUS_BYTE: usize = frame::MNEME_OFFSET + 2;

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
    // The program finds the checkout and the board in it by itself.
    window(&mneme, &file("legal.toml"), &file("window.fst"))?;
    ensure!(
        std::fs::metadata(board.join("checked.so"))?.modified()? == made,
        "`mneme board` has built it again"
    );
    for awaited in AWAITED {
        around(&mneme, &board, folder.path(), awaited).with_context(|| awaited.until.to_owned())?;
    }
    failure(&board, folder.path(), profile).context("waveforms of a run that fails")?;
    println!("an own configuration is built once, runs, and its waveforms are those asked for");
    Ok(())
}

/// Cycles that are named, of a board that is named by its file.
fn window(mneme: &Path, configuration: &Path, file: &Path) -> Result<()> {
    let configuration = configuration.display().to_string();
    let own = ["--config-file", &configuration, "--from-cycle", "500", "--for-cycles", "300"];
    let _board = start(mneme, file, &own)?;
    let waves = Waves::read(file)?;
    ensure!(waves.cycles == (500, 799), "cycles 500 to 799 were asked for, {:?} are there", waves.cycles);
    waves.has_all_saved(file)
}

/// What waveforms wait for.
struct Awaited {
    until: &'static str,
    /// Makes it happen.
    cause: fn(&Path, SocketAddr) -> Result<()>,
    /// What the wires tell of it.
    seen: Seen,
}

enum Seen {
    Counted(Counter),
    Answered(Status),
}

const AWAITED: &[Awaited] = &[
    Awaited { until: "event=PAGE_FAULT", cause: touch, seen: Seen::Counted(Counter::PageFault) },
    Awaited { until: "drop=MNEME_SHORT", cause: send_short, seen: Seen::Counted(Counter::DropMnemeShort) },
    Awaited { until: "status=UNMAPPED", cause: read_nothing, seen: Seen::Answered(Status::Unmapped) },
];

/// Writes to a page that nobody has used.
fn touch(mneme: &Path, board: SocketAddr) -> Result<()> {
    let mut trace = std::process::Command::new(mneme);
    run(trace.args(["trace", "write", "--first-touch", "--board", &board.to_string()]))
}

/// Sends a datagram that is no Mneme header.
fn send_short(_: &Path, board: SocketAddr) -> Result<()> {
    let socket = UdpSocket::bind((board.ip(), 0)).context("no free port")?;
    socket.send_to(&[0; HEADER_LEN - 1], board).context("sending a short datagram")?;
    Ok(())
}

/// Reads for a process that nobody has opened. Another status comes first: that of a request of no epoch, whose answer tells it.
fn read_nothing(_: &Path, board: SocketAddr) -> Result<()> {
    let socket = UdpSocket::bind((board.ip(), 0)).context("no free port")?;
    socket.set_read_timeout(Some(PATIENCE))?;
    let ask = |epoch, op_id| {
        let request = Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode: Opcode::Read,
            epoch,
            pid: Pid::from_low_bits(77),
            op_id,
            attempt: 0,
            time: Tick::from_low_bits(0),
            va: Va::from_low_bits(0),
            length: 8,
        };
        socket.send_to(&request.to_bytes(), board).context("sending a read")?;
        let mut answer = [0; HEADER_LEN];
        let bytes = socket.recv(&mut answer).context("waiting for the answer to a read")?;
        let answer = Packet::new_checked(&answer[..bytes]).context("an answer that is no packet")?;
        Response::parse(&answer).context("an answer that means nothing")
    };
    let stale = ask(0, 1)?;
    ensure!(stale.status == Status::Stale, "a request of no epoch was answered {}", stale.status);
    let unmapped = ask(stale.detail().hint as u8, 2)?;
    ensure!(unmapped.status == Status::Unmapped, "a read of nothing was answered {}", unmapped.status);
    Ok(())
}

/// Cycles around what is waited for, which is in the file where it is said to be.
fn around(mneme: &Path, board: &Path, folder: &Path, awaited: &Awaited) -> Result<()> {
    let file = &folder.join(format!("{}.fst", awaited.until.replace('=', "_")));
    let board = board.display().to_string();
    let arguments = ["--library", &board, "--until", awaited.until];
    let running =
        start(mneme, file, &[&arguments[..], &["--before-cycles", "200", "--after-cycles", "50"]].concat())?;
    (awaited.cause)(mneme, running.address)?;
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
    // The stretch before: as many cycles, and none is missing in between.
    let older = file.with_extension("before.fst");
    let before = Waves::read(&older)?;
    ensure!(
        before.cycles.1 + 1 == waves.cycles.0 && before.cycles.1 - before.cycles.0 == 199,
        "before: {:?}",
        before.cycles
    );
    match awaited.seen {
        Seen::Counted(counter) => {
            // The wire rises in the cycle itself, or with the edge before it.
            let bit = counter.number() as usize;
            let first = waves.first(file, COUNTED, bit)?;
            ensure!(
                first.is_some_and(|first| (marker - CYCLE / 2..=marker).contains(&first)),
                "it is at {first:?} ns, not at {marker}"
            );
            ensure!(before.first(&older, COUNTED, bit)?.is_none(), "it was before the first time");
        }
        Seen::Answered(status) => {
            let leaves = waves.at(file, "net_tx_tvalid", marker)? == "1";
            let beat = waves.at(file, "net_tx_tdata", marker)?;
            // The first byte of a beat is its lowest, and bits are written from the highest down.
            let lowest = beat.len().saturating_sub(8 * STATUS_BYTE);
            let byte =
                beat.get(lowest.saturating_sub(8)..lowest).and_then(|bits| u8::from_str_radix(bits, 2).ok());
            let told = byte.map(|byte| byte & STATUS_CODE_MASK);
            ensure!(leaves && told == Some(status.number()), "{told:?} leaves at {marker} ns, not {status}");
        }
    }
    Ok(())
}

/// A run of the differential test that fails, and its last cycles: the golden model is told of an MTU that the hardware does not have.
fn failure(board: &Path, folder: &Path, profile: &str) -> Result<()> {
    let planted = folder.join("planted");
    std::fs::create_dir(&planted)?;
    std::fs::copy(board.join("checked.so"), planted.join("checked.so"))?;
    let parameters = std::fs::read_to_string(board.join("checked.json"))?;
    let wrong = parameters.replace("\"mtu\": 1500", "\"mtu\": 1400");
    ensure!(wrong != parameters, "the board's MTU is not what it was");
    std::fs::write(planted.join("checked.json"), wrong)?;
    let file = folder.join("failed.fst");
    let program = built(Target::Bin, "differential", profile, BOARDS)?;
    let compare = |boards: &Path, told: &mut Vec<String>| {
        let mut command = std::process::Command::new(program.get_program());
        command.args(["--requests", "500", "--waves-cycles", "2000", "--boards"]).arg(boards);
        run_and_tell(command.arg("--waves").arg(&file), |line| told.push(line.to_owned()))
    };
    let mut told = Vec::new();
    compare(board, &mut told)?;
    ensure!(!file.exists(), "waveforms of a run in which all was equal");
    ensure!(compare(&planted, &mut told).is_err(), "the wrong MTU was not found");
    let says = |words: &str| told.iter().any(|line| line.contains(words));
    ensure!(
        says("checked with seed 1 fails: once more, with waveforms") && !says("did not fail again"),
        "it said otherwise: {told:?}"
    );
    let (older, waves) = (Waves::read(&file.with_extension("before.fst"))?, Waves::read(&file)?);
    waves.has_all_saved(&file)?;
    ensure!(
        older.cycles.1 + 1 == waves.cycles.0
            && older.cycles.1 - older.cycles.0 == 1_999
            && waves.cycles.1 - waves.cycles.0 < 2_000,
        "the last cycles: {:?} and {:?}",
        older.cycles,
        waves.cycles
    );
    Ok(())
}

/// A board that answers and writes waveforms.
fn start(mneme: &Path, file: &Path, more: &[&str]) -> Result<Board> {
    let waves = file.display().to_string();
    let mut running = Board::start_with(mneme, "rtl", &[&["--waves", &waves], more].concat())?;
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

/// What GTKWave and Surfer call a wire: both `x[0]` what the file calls `x[0:0]`, and Surfer `x` what it calls `x[7:0]`.
fn viewed(path: &str) -> (String, String) {
    let Some((bare, range)) = path.split_once('[') else { return (path.to_owned(), path.to_owned()) };
    match range.trim_end_matches(']').split_once(':') {
        Some((high, low)) if high == low => (format!("{bare}[{low}]"), format!("{bare}[{low}]")),
        _ => (path.to_owned(), bare.to_owned()),
    }
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
    /// Every wire that the save files name is in the file, by the name that their viewer gives it, and they name those of each part
    /// of the board.
    fn has_all_saved(&self, file: &Path) -> Result<()> {
        let names = self.wires.iter().map(|(path, _)| viewed(path));
        let (known, bare): (BTreeSet<String>, BTreeSet<String>) = names.unzip();
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
        if let Some(wire) = gtkwave.iter().find(|wire| !known.contains(**wire)) {
            bail!("the save file for GTKWave names {wire}, which is not there");
        }
        if let Some(wire) = surfer.iter().find(|wire| !bare.contains(**wire)) {
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
            // Arrays of one bit on this board, which viewers name otherwise than others.
            "tlb_1.io_set[0]",
            "tlb_1.io_fill_payload_set[0]",
        ] {
            ensure!(surfer.iter().any(|wire| wire.contains(part)), "no {part} in the save files");
        }
        Ok(())
    }
    /// Every value of a wire, its highest bit first, and the nanosecond from which on it has it.
    fn values(&self, file: &Path, wire: &str, mut see: impl FnMut(u64, &[u8])) -> Result<()> {
        let named =
            |path: &str| path.split('[').next().is_some_and(|path| path.ends_with(&format!(".{wire}")));
        let found = self.wires.iter().find(|(path, _)| named(path));
        let (_, handle) = found.with_context(|| format!("no wire {wire}"))?;
        let see = |time, _, value: FstSignalValue<'_>| {
            if let FstSignalValue::String(bits) = value {
                see(time, bits);
            }
            Ok::<(), std::convert::Infallible>(())
        };
        let filter = FstFilter::filter_signals(vec![FstSignalHandle::from_index(handle.get_index())]);
        Ok(open(file)?.read_signals(&filter, see)?)
    }
    /// When a bit of a wire is first 1, in nanoseconds.
    fn first(&self, file: &Path, wire: &str, bit: usize) -> Result<Option<u64>> {
        let mut first = None;
        self.values(file, wire, |time, bits| {
            if bits.iter().rev().nth(bit) == Some(&b'1') {
                first.get_or_insert(time);
            }
        })?;
        Ok(first)
    }
    /// The value of a wire at a nanosecond.
    fn at(&self, file: &Path, wire: &str, nanosecond: u64) -> Result<String> {
        let mut value = String::new();
        self.values(file, wire, |time, bits| {
            if time <= nanosecond {
                value = String::from_utf8_lossy(bits).into_owned();
            }
        })?;
        Ok(value)
    }
}
