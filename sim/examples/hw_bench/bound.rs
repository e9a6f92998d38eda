//! What could be reached at best, computed from the build parameters, the requests really drawn and the stages' cycles (docs/pipeline.md);
//! nothing here is a measured rate.
use mneme_sim::BoardShape;
use mneme_wire::frame::MNEME_OFFSET;
use mneme_wire::{HEADER_LEN, Opcode};

use super::rows::Row;

/// Bytes of a beat.
pub const BEAT: usize = 64;
/// Cycle of the last beat out before the first beat of payload, counted from the last beat in: a hit, memory 0 (pipeline, "Seam by seam").
const READ_BEFORE_PAYLOAD: usize = 20;
/// Cycle of the answer to a write, before the first line of it.
const WRITE_BEFORE_LINES: usize = 27;
/// Cycle of the last beat of an atomic's answer.
const ATOMIC: usize = 31;
/// What a miss or a first touch adds, beside memory's latency.
const MISS: usize = 6;
/// Cycles for which a page has its miss entry, beside memory's latency (pipeline, "vm.Translation").
const ENTRY: u32 = 10;
/// What a write-back adds to that, beside memory's latency.
const WRITE_BACK: u32 = 1;
/// Cycles for which the place of a burst in flight is taken, beside memory's latency (pipeline, "mem.MemoryAccess").
const READ_PLACE: u32 = 4;
const WRITE_PLACE: u32 = 7;
const ATOMIC_PLACE: u32 = 10;
/// Bytes that a burst cannot cross.
const BLOCK: usize = 4096;

/// Cycles per request at least, and what asks for them.
pub type Part = (f64, String);

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

/// Cycles from the first beat of a request in to the cycle after the last beat of its answer, when it is alone on the board.
pub fn round_trip(row: &Row, opcode: Opcode, missing: bool) -> usize {
    let (last_out, accesses) = match opcode {
        Opcode::Read => (READ_BEFORE_PAYLOAD + row.length.div_ceil(BEAT), 1),
        Opcode::Write => (WRITE_BEFORE_LINES + pieces(row, BEAT), 1),
        _ => (ATOMIC, 2),
    };
    let beats_in = (MNEME_OFFSET + HEADER_LEN + payload(opcode, row.length).0).div_ceil(BEAT);
    let miss = if missing { MISS + row.latency as usize } else { 0 };
    beats_in + last_out + accesses * row.latency as usize + miss
}

/// Mean over requests of each kind.
fn mean(row: &Row, counts: &[u64], of: impl Fn(Opcode) -> f64) -> f64 {
    let kinds = row.traffic.kinds().iter().zip(counts);
    let total: u64 = counts.iter().sum();
    kinds.map(|((opcode, _), count)| of(*opcode) * *count as f64).sum::<f64>() / total.max(1) as f64
}

/// Cycles for which a place is taken, all bursts of a request together.
fn places(row: &Row, opcode: Opcode) -> f64 {
    let bursts = pieces(row, BLOCK) as f64;
    match opcode {
        Opcode::Read => bursts * f64::from(READ_PLACE + row.latency),
        Opcode::Write => bursts * f64::from(WRITE_PLACE + row.latency),
        _ => f64::from(ATOMIC_PLACE + 2 * row.latency),
    }
}

/// Cycles for which a page has its miss entry: during the walk, and during the write-back if there is one.
fn entry(row: &Row) -> f64 {
    let write_back = if row.first_touch { WRITE_BACK + row.latency } else { 0 };
    f64::from(ENTRY + row.latency + write_back)
}

/// Cycles per request that each part needs at least; the largest bounds the row.
pub fn bound(row: &Row, shape: &BoardShape, drawn: &Drawn) -> Part {
    let headers = MNEME_OFFSET + HEADER_LEN;
    let lines = pieces(row, BEAT) as f64;
    let missing = drawn.missing;
    let both = |opcode| {
        let [hit, miss] = [false, true].map(|missing| round_trip(row, opcode, missing) as f64);
        hit + missing * (miss - hit)
    };
    let answered = &drawn.answered;
    let way = mean(row, answered, both);
    let place = mean(row, answered, |opcode| places(row, opcode));
    let entries = super::rows::misses(row.board);
    // Places of bursts in flight (`MemoryAccess.places`).
    let slots = shape.packet_slots.max(64) as f64;
    let mut parts = vec![
        (
            mean(row, &drawn.entered, |opcode| beats(headers + payload(opcode, row.length).0)),
            "ingress".into(),
        ),
        (mean(row, answered, |opcode| beats(headers + payload(opcode, row.length).1)), "egress".into()),
        (mean(row, answered, |opcode| f64::from(opcode != Opcode::Write) * lines) + missing, "AXI R".into()),
        (
            mean(row, answered, |opcode| f64::from(opcode != Opcode::Read) * lines)
                + f64::from(row.first_touch),
            "AXI W".into(),
        ),
        (missing * entry(row) / entries, format!("{entries} misses / {} cycles", entry(row))),
        (place / slots, format!("{slots} places / {place:.0} cycles")),
        (way / row.window as f64, format!("{} in flight / {way:.0} cycles", row.window)),
    ];
    let filtered = mean(row, answered, |opcode| f64::from(opcode != Opcode::Read));
    let live_cycles = f64::from((window_ticks(row, largest(&parts).0, shape) + 1) << shape.tick_log2);
    // Fewer requests than entries never fill the filter.
    if row.requests > shape.filter_entries() as u64 {
        parts.push((filtered * live_cycles / shape.filter_entries() as f64, "filter".into()));
    }
    largest(&parts)
}

fn largest(parts: &[Part]) -> Part {
    parts.iter().max_by(|one, other| one.0.total_cmp(&other.0)).cloned().unwrap_or_default()
}

/// Ticks of the retry window beyond what requests in flight need.
pub const WINDOW_RESERVE: u32 = 8;

/// The retry window: twice the time that the requests in flight take at the bound, and a reserve.
pub fn window_ticks(row: &Row, cycles_each: f64, shape: &BoardShape) -> u32 {
    let in_flight = (2.0 * cycles_each * row.window as f64) as u32;
    WINDOW_RESERVE + (in_flight >> shape.tick_log2)
}
