//! Carries one row to the board, and computes what could be reached at best.
use anyhow::{Context, Result};
use mneme_rtl::{LoadKind, LoadPage, LoadPlan, LoadResult, RtlConfig};
use mneme_slowpath::FastPath;
use mneme_wire::{Counter, Opcode};
use serde::Serialize;

use super::bound::{BEAT, Drawn, Kind, Part, WINDOW_RESERVE, bound, window_ticks};
use super::host::{Host, Spread, frame};
use super::rows::{DEVICE, Row};
use super::times::{ASKED, BUILT};

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
    /// What bounds it is a port of the board, of whose beats less than 1% are to be idle.
    pub port: bool,
    /// It follows from a goal, and may be beaten.
    pub goal: bool,
}

impl Bound {
    fn new(part: Part, reached: f64) -> Bound {
        let Part { cycles, by, kind } = part;
        let (port, goal) = (kind == Kind::Port, kind == Kind::Latency);
        Bound { cycles_per_request: cycles, by, share: cycles / reached, port, goal }
    }
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
    /// The bound: by the contract, the ports, memory and the architecture's latency goals.
    pub bound: Bound,
    /// What the pipeline as built can reach (docs/reference/pipeline.md).
    pub built: Bound,
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
    /// Last beat in to last beat out: least, p50, p99, largest.
    pub latency: [u64; 4],
    /// Last beat in to first beat out.
    pub first_beat: [u64; 4],
    /// Last beat in to last beat out of requests to hot pages; of those that come by themselves from when they came.
    pub hot_latency: [u64; 4],
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
        pages: pages(row, host, hot, cold, &spread)?,
        hot_pages: hot,
        hot_share: row.hits,
        hot_rate: row.hit_rate,
        hot_window: shape.packet_slots as u64 / 2,
        link_bits: row.link_bits,
        ..LoadPlan::default()
    })
}

/// Ways of a TLB set, and sets of the device's TLB (contracts §8).
const TLB_WAYS: usize = 4;
const TLB_SETS: u64 = 64;

/// Hot pages, then others. The device's TLB holds most of what its memory has pages for; so these are pages of sets that have more of them
/// than ways and no hot one: none is there when its turn comes again.
fn pages(row: &Row, host: &mut Host, hot: usize, cold: usize, spread: &Spread) -> Result<Vec<LoadPage>> {
    let mut all = host.allocate(hot + cold, spread)?;
    if row.board != DEVICE || cold == 0 {
        return Ok(all);
    }
    let geometry = host.geometry;
    let set = |page: &LoadPage| geometry.bucket(page.pid.get(), geometry.vpn(page.va)) % TLB_SETS;
    let taken: Vec<_> = all[..hot].iter().map(set).collect();
    let others: Vec<_> = all[hot..].iter().map(set).collect();
    let crowded =
        |at: u64| !taken.contains(&at) && others.iter().filter(|other| **other == at).count() > TLB_WAYS;
    let kept: Vec<_> = all[hot..].iter().filter(|page| crowded(set(page))).copied().collect();
    all.truncate(hot);
    all.extend(kept);
    Ok(all)
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
        hot_rate: 0.0,
        ..plan.clone()
    };
    host.board.carry(&each)?;
    plan.first_id += hot as u32;
    Ok(())
}

/// Ticks for which the retry filter remembers.
fn retry_window(row: &Row) -> u32 {
    let shape = row.board.shape();
    let cycles = || bound(row, &shape, &Drawn::expected(row), &BUILT).cycles;
    row.retry_window.unwrap_or_else(|| window_ticks(row, cycles(), &shape))
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
    let LoadResult { ok, other, cycles, read_beats, write_beats, latency, hot_latency, .. } = result;
    let per_request = cycles as f64 / ok.max(1) as f64;
    // Pages that come round so soon that the TLB holds them still are of a curve alone.
    let in_tlb = row.pages <= shape.tlb_entries && row.hits == 0.0 && !row.first_touch;
    let tlb_hits = hits / (hits + misses).max(1.0);
    let missing = match row.hit_rate > 0.0 {
        _ if in_tlb => 0.0,
        // Pages that were not brought into the TLB leave those of their set in it for longer, so that some come round in time.
        true => 1.0 - tlb_hits,
        false => 1.0 - result.hot as f64 / (ok + other).max(1) as f64,
    };
    let drawn =
        Drawn { answered: result.ok_of_kind.to_vec(), entered: result.entered_of_kind.to_vec(), missing };
    let bounds = [&ASKED, &BUILT].map(|times| Bound::new(bound(row, &shape, &drawn, times), per_request));
    let [bound, built] = bounds;
    Ok(Measured {
        name: row.name.clone(),
        cycles_per_request: per_request,
        millions_per_second: MEGAHERTZ / per_request,
        gbit_per_second: row.length as f64 * 8.0 * MEGAHERTZ / per_request / 1000.0,
        bound,
        built,
        refused: other,
        tlb_hits,
        window: row.window,
        sources: SOURCES,
        mtu: shape.mtu,
        retry_window: u64::from(retry_window(row)) << shape.tick_log2,
        memory_latency: row.latency,
        latency,
        first_beat: result.first_latency,
        hot_latency,
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
