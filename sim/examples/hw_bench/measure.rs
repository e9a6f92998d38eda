//! Carries one row to the board, and computes what could be reached at best.
use anyhow::{Context, Result};
use mneme_sim::RtlConfig;
use mneme_sim::rtl::{LoadKind, LoadPlan, LoadResult};
use mneme_slowpath::FastPath;
use mneme_wire::{Counter, Opcode};
use serde::Serialize;

use super::bound::{BEAT, Drawn, WINDOW_RESERVE, bound, window_ticks};
use super::host::{Host, Spread, frame};
use super::rows::Row;

/// The device's clock (architecture §5), in millions.
pub const MEGAHERTZ: f64 = 250.0;
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
    pub by: String,
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
    /// The bound.
    pub bound: Bound,
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
    /// Cycles for which the retry filter remembers.
    pub retry_window: u64,
    /// Cycles of memory.
    pub memory_latency: u32,
    /// Last beat in to first beat out: least, p50, p99, largest.
    pub latency: [u64; 4],
    /// Beats of DRAM per request: read and written.
    pub memory_beats: [f64; 2],
}

fn kinds(row: &Row, page_size: u64) -> Result<Vec<LoadKind>> {
    let kind = |(number, (opcode, weight)): (usize, &(Opcode, u64))| {
        let (offset, stride, places) = row.places(number, page_size);
        Ok(LoadKind { frame: frame(*opcode, row.length)?, weight: *weight, offset, stride, places })
    };
    row.traffic.kinds().iter().enumerate().map(kind).collect()
}

fn plan(row: &Row, host: &mut Host) -> Result<LoadPlan> {
    let shape = *host.board.shape();
    let spread = Spread { pids: row.pids, bytes: row.spread, backed: !row.first_touch };
    let hot = if row.hits > 0.0 { (shape.tlb_entries / 4).clamp(1, 8) } else { 0 };
    let cold = if row.hits < 1.0 { row.pages } else { 0 };
    // Enough to touch all pages that the TLB shall hold, and to fill all queues.
    let warm_up = if row.warm_up > 0 {
        row.warm_up
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
        ..LoadPlan::default()
    })
}

/// Brings the hot pages into the TLB, one after the other: missed all at once, each would gather a queue that is as long as the load is dense.
fn touch(host: &mut Host, plan: &mut LoadPlan) -> Result<()> {
    let hot = plan.hot_pages;
    let kinds = plan.kinds[..1].to_vec();
    let pages = plan.pages[..hot].to_vec();
    let each = LoadPlan {
        requests: hot as u64,
        warm_up: 0,
        window: 1,
        kinds,
        pages,
        hot_pages: 0,
        hot_share: 0.0,
        ..plan.clone()
    };
    host.board.carry(&each)?;
    plan.first_id += hot as u32;
    Ok(())
}

/// Ticks for which the retry filter remembers.
fn retry_window(row: &Row) -> u32 {
    let shape = row.board.shape();
    window_ticks(row, bound(row, &shape, &Drawn::expected(row)).0, &shape)
}

/// A board for a row, and what is to be sent to it.
pub fn prepare(row: &Row) -> Result<(Host, LoadPlan)> {
    let shape = row.board.shape();
    let window = retry_window(row);
    let mut host = Host::boot(row.board, row.latency, window)?;
    let mut plan = plan(row, &mut host)?;
    if plan.hot_pages > 0 {
        touch(&mut host, &mut plan)?;
    }
    if row.first_touch {
        host.fill_async_buffer(shape.async_depth as u32)?;
    }
    Ok((host, plan))
}

/// Sends the row to a board of its own.
pub fn measure(row: &Row) -> Result<Measured> {
    let shape = row.board.shape();
    let (mut host, plan) = prepare(row)?;
    let result = host.board.carry(&plan).with_context(|| format!("row \"{}\"", row.name))?;
    let [hits, misses] =
        [Counter::TlbHit, Counter::TlbMiss].map(|counter| f64::from(host.board.read_counter(counter)));
    let LoadResult { ok, other, cycles, read_beats, write_beats, latency, .. } = result;
    let per_request = cycles as f64 / ok.max(1) as f64;
    // Pages that come round so soon that the TLB holds them still are of a curve alone.
    let in_tlb = row.pages <= shape.tlb_entries && row.hits == 0.0 && !row.first_touch;
    let missing = if in_tlb { 0.0 } else { 1.0 - result.hot as f64 / (ok + other).max(1) as f64 };
    let drawn =
        Drawn { answered: result.ok_of_kind.to_vec(), entered: result.entered_of_kind.to_vec(), missing };
    let (least, by) = bound(row, &shape, &drawn);
    Ok(Measured {
        name: row.name.clone(),
        cycles_per_request: per_request,
        millions_per_second: MEGAHERTZ / per_request,
        gbit_per_second: row.length as f64 * 8.0 * MEGAHERTZ / per_request / 1000.0,
        bound: Bound { cycles_per_request: least, by, share: least / per_request },
        refused: other,
        tlb_hits: hits / (hits + misses).max(1.0),
        window: row.window,
        sources: SOURCES,
        mtu: shape.mtu,
        retry_window: u64::from(retry_window(row)) << shape.tick_log2,
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
    let depth = host.board.shape().async_depth as u32;
    let (pages, cycles) = host.fill_async_buffer(depth)?;
    Ok(Recycling {
        board: board.shape().name,
        cycles_per_page: cycles as f64 / f64::from(pages),
        beats_per_page: (host.geometry.page_size() / BEAT as u64) as f64,
    })
}
