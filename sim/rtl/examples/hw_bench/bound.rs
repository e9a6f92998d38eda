//! What could be reached at best, computed from the ports, the build parameters, the requests really drawn and a table of cycles: what the
//! architecture asks for and memory takes, or what the pipeline is built for (`times.rs`). Nothing here is a measured rate.
use mneme_model::BoardShape;
use mneme_wire::frame::MNEME_OFFSET;
use mneme_wire::{HEADER_LEN, Opcode};

use super::rows::Row;
use super::times::Times;

/// Bytes of a beat.
pub const BEAT: usize = 64;
/// Bytes that a burst cannot cross.
const BLOCK: usize = 4096;

/// Bytes of a frame's preamble, check sequence and gap on the wire; and the least of a frame (`cpp/link.h`).
const AROUND: usize = 24;
const LEAST_FRAME: usize = 60;

/// What a part that bounds a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A port of the board: a beat per cycle.
    Port,
    /// Accesses of memory, a build parameter of how many there may be at a time.
    Memory,
    /// How many requests are in flight, and the latency that is asked for: what is faster beats a goal and refutes nothing.
    Latency,
}

/// A part of the board.
#[derive(Debug, Clone)]
pub struct Part {
    /// Cycles per request at least.
    pub cycles: f64,
    /// What asks for them.
    pub by: String,
    /// What it is.
    pub kind: Kind,
}

/// What was drawn: requests of each of the row's kinds that were answered, and that went in meanwhile; and the share that went to pages
/// outside the TLB.
pub struct Drawn {
    /// Answered, of each kind.
    pub answered: Vec<u64>,
    /// Gone in.
    pub entered: Vec<u64>,
    /// Of all.
    pub missing: f64,
}

impl Drawn {
    /// What the row asks for, before anything is drawn.
    pub fn expected(row: &Row) -> Drawn {
        let kinds: Vec<_> = row.traffic.kinds().iter().map(|(_, weight)| *weight).collect();
        Drawn { answered: kinds.clone(), entered: kinds, missing: 1.0 - row.hits }
    }
}

fn beats(bytes: usize) -> f64 {
    bytes.div_ceil(BEAT) as f64
}

/// Payload bytes of a request and of its answer.
fn payload(opcode: Opcode, length: usize) -> (usize, usize) {
    match opcode {
        Opcode::Read => (0, length),
        Opcode::Write => (length, 0),
        _ => (8, 8),
    }
}

fn pieces(row: &Row, of: usize) -> usize {
    let begin = row.offset as usize;
    (begin + row.length - 1) / of - begin / of + 1
}

/// Cycles per beat on the way through a port.
fn per_beat(row: &Row) -> f64 {
    if row.link_bits == 0 { 1.0 } else { (8 * BEAT) as f64 / f64::from(row.link_bits) }
}

/// Cycles from the first beat of a request in to the cycle after the last beat of its answer, when it is alone on the board.
pub fn round_trip(row: &Row, opcode: Opcode, missing: bool, times: &Times) -> f64 {
    let (last_out, accesses) = match opcode {
        Opcode::Read => (times.read_before_payload + row.length.div_ceil(BEAT), 1),
        Opcode::Write => (times.write_before_lines + pieces(row, BEAT), 1),
        _ => (times.atomic, 2),
    };
    let (into, out) = payload(opcode, row.length);
    let [beats_in, beats_out] = [into, out].map(|bytes| beats(MNEME_OFFSET + HEADER_LEN + bytes));
    let miss = if missing { times.miss + row.latency as usize } else { 0 };
    // All beats but the last wait for the wire; a read's header is on it before the data have come.
    let early = if opcode == Opcode::Read { 1.0 } else { 0.0 };
    let wire = (beats_in + beats_out - early - 2.0) * (per_beat(row) - 1.0);
    beats_in + (last_out + accesses * row.latency as usize + miss) as f64 + wire
}

/// Mean over requests of each kind.
fn mean(row: &Row, counts: &[u64], of: impl Fn(Opcode) -> f64) -> f64 {
    let kinds = row.traffic.kinds().iter().zip(counts);
    let total: u64 = counts.iter().sum();
    kinds.map(|((opcode, _), count)| of(*opcode) * *count as f64).sum::<f64>() / total.max(1) as f64
}

/// Cycles for which a place is taken, all bursts of a request together.
fn places(row: &Row, opcode: Opcode, times: &Times) -> f64 {
    let bursts = pieces(row, BLOCK) as f64;
    match opcode {
        Opcode::Read => bursts * f64::from(times.read_place + row.latency),
        Opcode::Write => bursts * f64::from(times.write_place + row.latency),
        _ => f64::from(times.atomic_place + 2 * row.latency),
    }
}

/// Cycles for which a page has its miss entry: during the walk, and during the write-back if there is one.
fn entry(row: &Row, times: &Times) -> f64 {
    let write_back = if row.first_touch { times.write_back + row.latency } else { 0 };
    f64::from(times.entry + row.latency + write_back)
}

/// Cycles that a frame takes at the port.
fn at_port(row: &Row, payload: usize) -> f64 {
    let bytes = MNEME_OFFSET + HEADER_LEN + payload;
    if row.link_bits == 0 {
        return beats(bytes);
    }
    (8 * (bytes.max(LEAST_FRAME) + AROUND)) as f64 / f64::from(row.link_bits)
}

fn ports(row: &Row, drawn: &Drawn) -> Vec<Part> {
    let lines = pieces(row, BEAT) as f64;
    let answered = &drawn.answered;
    let parts = [
        (mean(row, &drawn.entered, |opcode| at_port(row, payload(opcode, row.length).0)), "ingress"),
        (mean(row, answered, |opcode| at_port(row, payload(opcode, row.length).1)), "egress"),
        (mean(row, answered, |opcode| f64::from(opcode != Opcode::Write) * lines) + drawn.missing, "AXI R"),
        (
            mean(row, answered, |opcode| f64::from(opcode != Opcode::Read) * lines)
                + f64::from(row.first_touch),
            "AXI W",
        ),
    ];
    parts.map(|(cycles, by)| Part { cycles, by: by.into(), kind: Kind::Port }).into()
}

/// Cycles per request that each part needs at least; the largest bounds the row.
pub fn bound(row: &Row, shape: &BoardShape, drawn: &Drawn, times: &Times) -> Part {
    let missing = drawn.missing;
    let both = |opcode| {
        let [hit, miss] = [false, true].map(|missing| round_trip(row, opcode, missing, times));
        hit + missing * (miss - hit)
    };
    let answered = &drawn.answered;
    let way = mean(row, answered, both);
    let place = mean(row, answered, |opcode| places(row, opcode, times));
    let entries = super::rows::misses(row.board);
    // Places of bursts in flight (`MemoryAccess.places`).
    let slots = shape.packet_slots.max(64) as f64;
    let mut parts = ports(row, drawn);
    let entry = entry(row, times);
    let mut part = |cycles, by, kind| parts.push(Part { cycles, by, kind });
    part(missing * entry / entries, format!("{entries} misses / {entry} cycles"), Kind::Memory);
    part(place / slots, format!("{slots} places / {place:.0} cycles"), Kind::Memory);
    // Hits that come by themselves are as many as come.
    if row.hit_rate == 0.0 {
        let by = format!("{} in flight / {way:.0} cycles", row.window);
        part(way / row.window as f64, by, Kind::Latency);
    }
    let filtered = mean(row, answered, |opcode| f64::from(opcode != Opcode::Read));
    let ticks = row.retry_window.unwrap_or_else(|| window_ticks(row, largest(&parts).cycles, shape));
    let live_cycles = f64::from((ticks + 1) << shape.tick_log2);
    // Fewer requests than entries never fill the filter.
    if row.requests > shape.filter_entries() as u64 {
        let cycles = filtered * live_cycles / shape.filter_entries() as f64;
        parts.push(Part { cycles, by: "filter".into(), kind: Kind::Memory });
    }
    largest(&parts)
}

fn largest(parts: &[Part]) -> Part {
    let most = parts.iter().max_by(|one, other| one.cycles.total_cmp(&other.cycles));
    most.cloned().expect("a row has ports")
}

/// Ticks of the retry window beyond what requests in flight need.
pub const WINDOW_RESERVE: u32 = 8;

/// The retry window: twice the time that the requests in flight take at the bound, and a reserve.
pub fn window_ticks(row: &Row, cycles_each: f64, shape: &BoardShape) -> u32 {
    let in_flight = (2.0 * cycles_each * row.window as f64) as u32;
    WINDOW_RESERVE + (in_flight >> shape.tick_log2)
}
