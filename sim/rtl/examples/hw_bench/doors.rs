//! Two doors at the access engine: the network's requests and the tokens of the traffic generator beside them, by the weights of register DOOR_WEIGHTS.
use anyhow::{Context, Result, ensure};
use mneme_model::Traffic;
use mneme_rtl::{LoadKind, LoadPage, LoadPlan, RtlConfig};
use mneme_slowpath::FastPath;
use mneme_wire::{Opcode, Register, Va};
use serde::Serialize;

use super::bound::BEAT;
use super::host::{Host, Spread, frame};
use super::measure::SOURCES;

/// The board.
pub const BOARD: RtlConfig = RtlConfig::Doors;
/// Cycles of memory.
const LATENCY: u32 = 60;
/// Ticks that the retry filter remembers: more than any request takes here.
const WINDOW: u32 = 64;
/// Pages of each door, all of which the TLB holds.
const PAGES: usize = 4;
/// Bytes of a long read.
const LONG: usize = 1024;
/// Hits of the network come every so many cycles in the mean where they come at random times.
const HITS_EVERY: f64 = 64.0;
/// Requests of the network counted.
const REQUESTS: u64 = 1500;
/// Cycles per request at most.
const PATIENCE: u64 = 4000;
/// The share of AXI R's beats that two doors reach together at least, and how far their shares may lie from their weights'.
const SHARE: f64 = 0.98;
const FAIR: f64 = 0.02;

/// What two doors do at once.
struct Case {
    name: &'static str,
    weights: [u8; 2],
    /// Bytes of the network's reads, and of the generator's.
    lengths: [usize; 2],
    /// The network's requests come at random times, and do not fill its door.
    at_random: bool,
}

impl Case {
    /// Both doors always ask for long reads.
    const fn shares(name: &'static str, weights: [u8; 2]) -> Case {
        Case { name, weights, lengths: [LONG; 2], at_random: false }
    }
    /// Short reads of the network beside those of the generator, which has nothing to do where these are of no bytes.
    const fn beside(name: &'static str, length: usize) -> Case {
        Case { name, weights: [1, 1], lengths: [16, length], at_random: true }
    }
    fn alone(&self) -> bool {
        self.lengths[1] == 0
    }
}

const CASES: [Case; 6] = [
    Case::shares("both read 1 KB, weights 1 : 1", [1, 1]),
    Case::shares("both read 1 KB, weights 3 : 1", [3, 1]),
    Case::shares("both read 1 KB, weights 1 : 3", [1, 3]),
    Case::beside("16 B reads of the network at random times, alone", 0),
    Case::beside("16 B reads of the network at random times, door 1 reads 16 B", 16),
    Case::beside("16 B reads of the network at random times, door 1 reads 1 KB", LONG),
];

/// What came of it.
#[derive(Debug, Clone, Serialize)]
pub struct Doors {
    /// Its name in tables and in the file of bounds.
    pub name: String,
    /// Register DOOR_WEIGHTS, by door.
    pub weights: [u8; 2],
    /// Requests and tokens per 1,000 cycles.
    pub rates: [f64; 2],
    /// Their lines of memory per cycle: AXI R moves one.
    pub lines: [f64; 2],
    /// Least, p50, p99, largest: of requests from last beat in to last beat out (at random times from when they came), of tokens from offer to result.
    pub latency: [[u64; 4]; 2],
    /// Both doors always have something to ask for: shares and sum must be as they should.
    pub saturated: bool,
    /// Nothing is asked for at the second door.
    pub alone: bool,
}

impl Doors {
    /// The doors that ask for something.
    pub fn served(&self) -> impl Iterator<Item = usize> + use<> {
        0..2 - usize::from(self.alone)
    }
}

/// The generator reads its pages from end to end, over and over.
fn traffic(pages: &[LoadPage], length: usize) -> Vec<Traffic> {
    let read = |page: &LoadPage| Traffic {
        operation: Some(Opcode::Read),
        windowed: None,
        pid: page.pid,
        va: Va::from_low_bits(page.va),
        length: length as u16,
        data_offset: 0,
        operands: [0; 2],
        count: 32,
        stride: length.max(BEAT) as u16,
    };
    pages.iter().map(read).collect()
}

fn measure(case: &Case) -> Result<Doors> {
    let shape = BOARD.shape();
    let mut host = Host::boot(BOARD, LATENCY, WINDOW)?;
    let weights = u32::from(case.weights[1]) << 8 | u32::from(case.weights[0]);
    host.board.write_register(Register::DoorWeights, weights);
    let set_aside = Spread { pids: 1, bytes: 1 << shape.mem_bits, backed: true };
    let pages = host.allocate(2 * PAGES, &set_aside)?;
    let (ours, theirs) = pages.split_at(PAGES);
    let warm_up = 4 * shape.packet_slots as u64;
    let length = case.lengths[0];
    let plan = LoadPlan {
        seed: 1,
        requests: REQUESTS + warm_up,
        warm_up,
        cycle_limit: (REQUESTS + warm_up) * PATIENCE,
        window: shape.packet_slots as u64,
        sources: SOURCES,
        first_id: 1,
        kinds: vec![LoadKind {
            frame: frame(Opcode::Read, length)?,
            weight: 1,
            offset: 0,
            stride: length.max(BEAT) as u64,
            places: 32,
        }],
        pages: ours.to_vec(),
        hot_pages: PAGES,
        hot_share: 1.0,
        hot_rate: if case.at_random { 1.0 / HITS_EVERY } else { 0.0 },
        hot_window: shape.packet_slots as u64,
        traffic: if case.alone() { Vec::new() } else { traffic(theirs, case.lengths[1]) },
        ..LoadPlan::default()
    };
    let result = host.board.carry(&plan).with_context(|| format!("doors, \"{}\"", case.name))?;
    let [ok, failed] = result.tokens;
    ensure!(
        result.other == 0 && failed == 0,
        "{}: {} answers and {failed} tokens failed",
        case.name,
        result.other
    );
    let cycles = result.cycles as f64;
    let counts = [result.ok as f64, ok as f64];
    let lines = |door: usize| counts[door] * case.lengths[door].div_ceil(BEAT) as f64 / cycles;
    Ok(Doors {
        name: format!("doors: {}", case.name),
        weights: case.weights,
        rates: counts.map(|count| 1000.0 * count / cycles),
        lines: [lines(0), lines(1)],
        latency: [if case.at_random { result.hot_latency } else { result.latency }, result.token_latency],
        saturated: !case.at_random,
        alone: case.alone(),
    })
}

/// All of them.
pub fn all() -> Result<Vec<Doors>> {
    CASES.iter().map(measure).collect()
}

/// What is not as it should be.
pub fn missed(d: &Doors) -> Option<String> {
    let (together, weights) = (d.lines[0] + d.lines[1], d.weights.map(f64::from));
    let (share, fair) = (d.lines[0] / together, weights[0] / (weights[0] + weights[1]));
    // A door that gets nothing has no figures that could be compared.
    if let Some(door) = d.served().find(|door| d.rates[*door] == 0.0) {
        return Some(format!("{}: door {door} got nothing of what it asked for", d.name));
    }
    if !d.saturated {
        return None;
    }
    if together < SHARE {
        return Some(format!("{}: {:.1}% of AXI R's beats, {:.0}%", d.name, 100.0 * together, 100.0 * SHARE));
    }
    let off = (share - fair).abs() > FAIR;
    off.then(|| {
        format!(
            "{}: the network has {:.1}% of the lines, {:.0}% is its share",
            d.name,
            100.0 * share,
            100.0 * fair
        )
    })
}

/// The table.
pub fn table(all: &[Doors]) -> String {
    let row = |d: &Doors| {
        let spread = |of: [u64; 4]| format!("{}/{}/{}/{}", of[0], of[1], of[2], of[3]);
        format!(
            "| {} | {:.1} | {:.1} | {:.3} | {:.3} | {} | {} |\n",
            d.name,
            d.rates[0],
            d.rates[1],
            d.lines[0],
            d.lines[1],
            spread(d.latency[0]),
            if d.rates[1] > 0.0 { spread(d.latency[1]) } else { "–".into() }
        )
    };
    format!(
        "Two doors on {}, memory {LATENCY}: requests of the network and tokens of door 1 per 1,000 cycles, lines of memory per cycle (AXI R moves one), cycles (min/p50/p99/p100).\n\n\
         | both doors | network, rate | door 1, rate | network, lines | door 1, lines | network, cycles | door 1, cycles |\n|---|---:|---:|---:|---:|---:|---:|\n{}",
        BOARD.shape().name,
        all.iter().map(row).collect::<String>()
    )
}
