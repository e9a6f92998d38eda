//! Carries one row to the board, and computes what could be reached at best.
use anyhow::{Context, Result};
use mneme_sim::rtl::{LoadKind, LoadPlan, LoadResult};
use mneme_sim::{BoardShape, RtlConfig};
use mneme_slowpath::FastPath;
use mneme_wire::frame::MNEME_OFFSET;
use mneme_wire::{Counter, HEADER_LEN, Opcode};
use serde::Serialize;

use super::host::{Host, Spread, frame};
use super::rows::Row;

/// Bytes of a beat.
const BEAT: usize = 64;
/// The device's clock (architecture §5), in millions.
pub const MEGAHERTZ: f64 = 250.0;
/// Cycles of a miss beyond memory's latency (the goal: one DRAM access and at most 6 more).
const MISS_CYCLES: f64 = 6.0;
/// Misses that the translation works on at once, a build parameter (contracts §8).
fn misses(board: RtlConfig) -> f64 {
    if board == super::rows::BOARD { 32.0 } else { 8.0 }
}
/// Ticks of the retry window beyond what requests in flight need.
const WINDOW_RESERVE: u32 = 16;
/// Cycles that any row may take at most, per request.
const PATIENCE: u64 = 4000;
/// Source ports.
pub const SOURCES: u64 = 8;

/// What could be reached at best.
#[derive(Debug, Clone, Serialize)]
pub struct Bound {
    /// Cycles per request at least.
    pub cycles_per_request: f64,
    /// What bounds it.
    pub by: &'static str,
    /// Share of it that was reached.
    pub share: f64,
}

/// What a row gave.
#[derive(Debug, Clone, Serialize)]
pub struct Measured {
    /// The row.
    pub name: String,
    /// Board cycles per request that was answered OK.
    pub cycles_per_request: f64,
    /// Millions of requests per second at 250 MHz.
    pub millions_per_second: f64,
    /// Payload at 250 MHz.
    pub gbit_per_second: f64,
    /// The bound; nothing when one request is under way at a time, since latency decides then.
    pub bound: Option<Bound>,
    /// Answers other than OK, among those counted.
    pub refused: u64,
    /// Share of translations that hit the TLB, warm-up included.
    pub tlb_hits: f64,
    /// Requests in flight at most.
    pub window: u64,
    /// Source ports.
    pub sources: u64,
    /// Largest IPv4 packet.
    pub mtu: usize,
    /// Cycles of memory.
    pub memory_latency: u32,
    /// Last beat in to first beat out: least, p50, p99, largest.
    pub latency: [u64; 4],
    /// Beats of DRAM per request: read and written.
    pub memory_beats: [f64; 2],
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

/// Mean over the kinds of a row.
fn mean(row: &Row, of: impl Fn(Opcode) -> f64) -> f64 {
    let kinds = row.traffic.kinds();
    let total: u64 = kinds.iter().map(|(_, weight)| weight).sum();
    kinds.iter().map(|(opcode, weight)| of(*opcode) * *weight as f64).sum::<f64>() / total as f64
}

/// Cycles per request that each part needs at least; the largest bounds the row.
fn bound(row: &Row, shape: &BoardShape) -> (f64, &'static str) {
    let headers = MNEME_OFFSET + HEADER_LEN;
    let lines = {
        let begin = row.offset as usize;
        ((begin + row.length - 1) / BEAT - begin / BEAT + 1) as f64
    };
    let missing = 1.0 - row.hits;
    let mut parts = vec![
        (mean(row, |opcode| beats(headers + payload(opcode, row.length).0)), "ingress"),
        (mean(row, |opcode| beats(headers + payload(opcode, row.length).1)), "egress"),
        (mean(row, |opcode| f64::from(opcode != Opcode::Write) * lines) + missing, "AXI R"),
        (mean(row, |opcode| f64::from(opcode != Opcode::Read) * lines) + f64::from(row.first_touch), "AXI W"),
        (missing * (MISS_CYCLES + f64::from(row.latency)) / misses(row.board), "misses"),
    ];
    let filtered = mean(row, |opcode| f64::from(opcode != Opcode::Read));
    let live_cycles = f64::from((window_ticks(row, largest(&parts).0, shape) + 1) << shape.tick_log2);
    // Fewer requests than entries never fill the filter.
    if row.requests > shape.filter_entries() as u64 {
        parts.push((filtered * live_cycles / shape.filter_entries() as f64, "filter"));
    }
    largest(&parts)
}

fn largest(parts: &[(f64, &'static str)]) -> (f64, &'static str) {
    parts.iter().copied().max_by(|one, other| one.0.total_cmp(&other.0)).unwrap_or_default()
}

/// The retry window: twice the time that the requests in flight take at the bound, and a reserve.
fn window_ticks(row: &Row, cycles_each: f64, shape: &BoardShape) -> u32 {
    let in_flight = (2.0 * cycles_each * row.window as f64) as u32;
    WINDOW_RESERVE + (in_flight >> shape.tick_log2)
}

fn kinds(row: &Row, page_size: u64) -> Result<Vec<LoadKind>> {
    let kind = |(opcode, weight): &(Opcode, u64)| {
        Ok(LoadKind {
            frame: frame(*opcode, row.length)?,
            weight: *weight,
            offset: row.offset,
            stride: 4096,
            // The last place ends within the page.
            places: if row.first_touch { 1 } else { (page_size - row.length as u64 - row.offset) / 4096 },
        })
    };
    row.traffic.kinds().iter().map(kind).collect()
}

fn plan(row: &Row, host: &mut Host) -> Result<LoadPlan> {
    let shape = *host.board.shape();
    let spread = Spread { pids: row.pids, bytes: row.spread, backed: !row.first_touch };
    let hot = if row.hits > 0.0 { (shape.tlb_entries / 4).clamp(1, 8) } else { 0 };
    let cold = if row.hits < 1.0 { row.pages } else { 0 };
    // Enough to touch all pages that the TLB shall hold, and to fill all queues.
    let warm_up = if row.first_touch {
        1
    } else {
        (3 * row.window).max(10 * hot as u64).max(2 * (cold as u64).min(64))
    };
    let requests = row.requests + warm_up;
    Ok(LoadPlan {
        seed: 1,
        requests,
        warm_up,
        cycle_limit: requests * PATIENCE,
        window: row.window,
        sources: SOURCES,
        first_id: 1,
        kinds: kinds(row, host.geometry.page_size())?,
        pages: host.allocate(hot + cold, &spread)?,
        hot_pages: hot,
        hot_share: row.hits,
    })
}

/// A board for a row, and what is to be sent to it.
pub fn prepare(row: &Row) -> Result<(Host, LoadPlan)> {
    let shape = row.board.shape();
    let window = window_ticks(row, bound(row, &shape).0, &shape);
    let mut host = Host::boot(row.board, row.latency, window)?;
    let plan = plan(row, &mut host)?;
    if row.first_touch {
        host.fill_async_buffer()?;
    }
    Ok((host, plan))
}

/// Sends the row to a board of its own.
pub fn measure(row: &Row) -> Result<Measured> {
    let shape = row.board.shape();
    let (bound, bound_by) = bound(row, &shape);
    let (mut host, plan) = prepare(row)?;
    let result = host.board.carry(&plan).with_context(|| format!("row \"{}\"", row.name))?;
    let [hits, misses] =
        [Counter::TlbHit, Counter::TlbMiss].map(|counter| f64::from(host.board.read_counter(counter)));
    let LoadResult { ok, other, cycles, read_beats, write_beats, latency } = result;
    let per_request = cycles as f64 / ok.max(1) as f64;
    Ok(Measured {
        name: row.name.clone(),
        cycles_per_request: per_request,
        millions_per_second: MEGAHERTZ / per_request,
        gbit_per_second: row.length as f64 * 8.0 * MEGAHERTZ / per_request / 1000.0,
        bound: (row.window > 1).then(|| Bound {
            cycles_per_request: bound,
            by: bound_by,
            share: bound / per_request,
        }),
        refused: other,
        tlb_hits: hits / (hits + misses).max(1.0),
        window: row.window,
        sources: SOURCES,
        mtu: shape.mtu,
        memory_latency: row.latency,
        latency,
        memory_beats: [read_beats, write_beats].map(|beats| beats as f64 / ok.max(1) as f64),
    })
}

/// How fast pages come back.
#[derive(Debug, Clone, Serialize)]
pub struct Recycling {
    /// The configuration.
    pub board: &'static str,
    /// Cycles from one free page to the next while the slow path always has one to zero.
    pub cycles_per_page: f64,
    /// Beats of a page, which bound it.
    pub beats_per_page: f64,
}

/// Measures the rate of recycling.
pub fn recycling(board: RtlConfig) -> Result<Recycling> {
    let mut host = Host::boot(board, 0, WINDOW_RESERVE)?;
    let (pages, cycles) = host.fill_async_buffer()?;
    Ok(Recycling {
        board: board.shape().name,
        cycles_per_page: cycles as f64 / f64::from(pages),
        beats_per_page: (host.geometry.page_size() / BEAT as u64) as f64,
    })
}
