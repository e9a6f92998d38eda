//! The longest that a hit waits under a load of misses, first touches, frees and slow-path traffic, beside the bound that docs/reference/pipeline.md
//! derives ("How long a hit can take").
use anyhow::{Context, Result, ensure};
use mneme_model::{BoardShape, NetworkPort};
use mneme_rtl::{LoadKind, LoadPage, LoadPlan};
use mneme_slowpath::FastPath;
use mneme_wire::{Counter, Opcode, Register};
use serde::Serialize;

use super::bound::BEAT;
use super::host::{Host, Spread, frame};
use super::measure::SOURCES;
use super::rows::{FAULTS, Form, misses};

/// Cycles of memory, each answer up to half as many later at random.
const LATENCY: u32 = 60;
const JITTER: u32 = 30;
/// Requests: the long form simulates some minutes.
const SHORT: u64 = 20_000;
const LONG: u64 = 4_000_000;
/// Slow-path frames on the board at once; the other packet slots are the load's.
const SLOW: u64 = 2;
/// Sets of the TLB (contracts §8): hot pages have one of them to themselves, so that they are hits whatever the others do.
const TLB_SETS: u64 = 4;
const HOT_PAGES: usize = 4;
const COLD_PAGES: usize = 40;
/// Pages that are freed and touched again.
const FREED_PAGES: usize = 16;
const HOT_SHARE: f64 = 0.7;
/// Cycles between two actions of the slow path.
const LOOKS: u64 = 300;
/// Ticks that a request may wait: far more than the bound.
const WINDOW: u32 = 8;
/// A port that is none of the load's.
const SLOW_PORT: u16 = 39_000;
const SOURCE_PORT: usize = 34;
/// Cycles per request at most.
const PATIENCE: u64 = 2000;
/// Beats of a zero burst, and how many of them may be addressed and not sent.
const ZERO_BURST: u64 = 16;
const ZERO_BURSTS: u64 = 2;

/// The worst wait in one part of the board.
#[derive(Debug, Clone, Serialize)]
pub struct Wait {
    /// Where.
    pub at: &'static str,
    /// Cycles.
    pub cycles: u64,
}

/// How long hits took.
#[derive(Debug, Clone, Serialize)]
pub struct Worst {
    /// Its name in the file of bounds.
    pub name: String,
    /// The board.
    pub board: &'static str,
    /// Its parts' worst waits; their sum is the bound.
    pub waits: Vec<Wait>,
    /// The bound, in cycles from last beat in to last beat out.
    pub bound: u64,
    /// Hits, and the cycles that they took: least, p50, p99, largest.
    pub hits: u64,
    /// Those cycles.
    pub latency: [u64; 4],
    /// Simulated cycles.
    pub cycles: u64,
    /// Misses, page faults, frees (replace commands) and frames of the slow path meanwhile.
    pub misses: u64,
    /// Page faults.
    pub faults: u64,
    /// Pages taken back.
    pub frees: u64,
    /// Frames from and to the slow path.
    pub slow_frames: u64,
}

/// The worst waits of a hit, an atomic being the slowest: all other packet slots hold requests ahead of it, each the worst for the part.
fn waits(shape: &BoardShape, longest: usize) -> Vec<Wait> {
    let memory = u64::from(LATENCY + JITTER);
    let ahead = shape.packet_slots as u64 - 1;
    let lines = (longest.div_ceil(BEAT) + 1) as u64;
    let slow = shape.max_frame().div_ceil(BEAT) as u64;
    // Page faults that wait for a page may have half of the miss entries.
    let entries = (misses(FAULTS) as u64).div_ceil(2);
    let rounds = ahead.div_ceil(entries);
    let wait = |at, cycles| Wait { at, cycles };
    vec![
        wait("its own way: an atomic", 31 + 2 * memory),
        wait("dispatch: one frame per cycle", ahead),
        wait("filter: a write per 2 cycles, and its verdict", 2 * ahead + 6),
        wait(
            "translation: a fill of the TLB stops it for 3 cycles, an answer of a parked request for 1",
            4 * ahead,
        ),
        wait("miss entries: rounds of walk, write-back and B", rounds * (13 + 2 * memory)),
        wait("replace: a probe, a walk, a write in each round", 8 * rounds),
        wait("AXI R: lines and buckets, its own too", (ahead + 1) * (lines + 1)),
        wait("AXI W: lines and entries, its own too", (ahead + 1) * (lines + 1)),
        wait(
            "AXI W: zero bursts that are addressed and not sent when each of them comes",
            ahead * ZERO_BURSTS * ZERO_BURST,
        ),
        wait("memory access: a place is free two cycles after its end", 8 * ahead),
        wait("egress: answers, its own too", (ahead + 1) * lines),
        wait("egress: a slow-path frame between any two", (ahead + 1) * slow),
    ]
}

/// The slow path's part: pages that are freed and come back, frames in both directions.
struct SlowPath {
    host: Host,
    freed: Vec<LoadPage>,
    ping: Vec<u8>,
    frees: u64,
    asked: u64,
    answered: u64,
}

impl SlowPath {
    /// Takes the next page back when the async buffer has a page for every one that may be touched first.
    fn free(&mut self) -> Result<()> {
        let board = &mut self.host.board;
        let faults = u64::from(board.read_counter(Counter::PageFault));
        let untouched = FREED_PAGES as u64 + self.frees - faults;
        if u64::from(board.read_register(Register::AsyncLevel)) <= untouched
            || board.read_register(Register::ZeroSpace) == 0
        {
            return Ok(());
        }
        let page = self.freed[self.frees as usize % FREED_PAGES];
        if let Some(physical) = self.host.take_back(&page)? {
            self.frees += 1;
            self.host.board.write_register(Register::ZeroPush, physical as u32);
        }
        Ok(())
    }
    /// Answers what came to it, and lets as much come as it may hold.
    fn serve(&mut self) {
        let mut frame = Vec::new();
        while self.host.board.receive(&mut frame) {
            self.answered += u64::from(self.host.board.send(&frame).is_ok());
        }
        if self.asked < self.answered + SLOW {
            self.asked += u64::from(self.host.board.ingress(&self.ping, false).is_ok());
        }
    }
}

fn kinds(shape: &BoardShape, page: u64) -> Result<Vec<LoadKind>> {
    let most = shape.max_payload();
    let kinds = [
        (Opcode::Read, 16, 16),
        (Opcode::Read, most, 4),
        (Opcode::Write, 16, 1),
        (Opcode::Write, most, 1),
        (Opcode::FetchAdd, 8, 1),
    ];
    // Each kind has its part of the page and goes through it in turn: no two requests in flight touch the same bytes.
    let part = (page / kinds.len() as u64) & !4095;
    let kind = |(number, (opcode, length, weight)): (usize, &(Opcode, usize, u64))| {
        let stride = if *length > BEAT { 4096 } else { BEAT as u64 };
        let (offset, places) = (number as u64 * part, part / stride);
        Ok(LoadKind { frame: frame(*opcode, *length)?, weight: *weight, offset, stride, places })
    };
    kinds.iter().enumerate().map(kind).collect()
}

/// Hot pages, then others, some of which were never touched. All of one process: then a page's bucket alone tells its set.
fn pages(host: &mut Host) -> Result<(Vec<LoadPage>, Vec<LoadPage>)> {
    let geometry = host.geometry;
    let bytes = 1 << (host.board.shape().mem_bits - 1);
    let set = |page: &LoadPage| geometry.bucket(page.pid.get(), geometry.vpn(page.va)) % TLB_SETS;
    let backed = Spread { pids: 1, bytes, backed: true };
    let many = host.allocate(HOT_PAGES * 2 * TLB_SETS as usize + 2 * COLD_PAGES, &backed)?;
    let (hot, cold): (Vec<_>, Vec<_>) = many.into_iter().partition(|page| set(page) == 0);
    let mut untouched = host.allocate(2 * FREED_PAGES, &Spread { backed: false, ..backed })?;
    untouched.retain(|page| set(page) != 0);
    ensure!(
        hot.len() >= HOT_PAGES && cold.len() >= COLD_PAGES && untouched.len() >= FREED_PAGES,
        "pages lie in too few sets"
    );
    untouched.truncate(FREED_PAGES);
    // The latter between the others, so that first touches come in twos and threes.
    let mut all = hot[..HOT_PAGES].to_vec();
    for (part, first) in cold[..COLD_PAGES].chunks(COLD_PAGES / 4).zip(untouched.chunks(FREED_PAGES / 4)) {
        all.extend(part);
        all.extend(first);
    }
    Ok((all, untouched))
}

/// The short load, and in the long form the long one.
pub fn all(form: Form) -> Result<Vec<Worst>> {
    let forms: &[Form] = if form == Form::Long { &[Form::Short, Form::Long] } else { &[Form::Short] };
    forms.iter().map(|form| worst(*form)).collect()
}

/// Carries the load.
fn worst(form: Form) -> Result<Worst> {
    let shape = FAULTS.shape();
    let mut host = Host::boot_with(FAULTS, LATENCY, JITTER, WINDOW)?;
    host.offer_from(host.geometry.pages() / 2);
    let kinds = kinds(&shape, host.geometry.page_size())?;
    let (pages, freed) = pages(&mut host)?;
    host.fill_async_buffer(shape.async_depth as u32)?;
    let mut ping = frame(Opcode::Ping, shape.max_payload())?;
    ping[SOURCE_PORT..SOURCE_PORT + 2].copy_from_slice(&SLOW_PORT.to_be_bytes());
    let requests = if form == Form::Long { LONG } else { SHORT };
    let plan = LoadPlan {
        seed: 1,
        requests,
        warm_up: 10 * pages.len() as u64,
        window: shape.packet_slots as u64 - SLOW,
        sources: SOURCES,
        first_id: 1,
        kinds,
        pages,
        hot_pages: HOT_PAGES,
        hot_share: HOT_SHARE,
        in_turn: true,
        ..LoadPlan::default()
    };
    let mut slow = SlowPath { host, freed, ping, frees: 0, asked: 0, answered: 0 };
    let before = slow.host.board.cycles();
    slow.host.board.begin_load(&plan)?;
    for _ in 0..requests * PATIENCE / LOOKS {
        if slow.host.board.run_load(LOOKS) {
            break;
        }
        slow.serve();
        slow.free()?;
    }
    let SlowPath { mut host, frees, asked, answered, .. } = slow;
    let cycles = host.board.cycles() - before;
    let result =
        host.board.end_load(&plan).context("hits under misses, faults, frees and slow-path traffic")?;
    ensure!(result.other == 0, "{} answers that were not OK", result.other);
    let counted = |host: &mut Host, counter| u64::from(host.board.read_counter(counter));
    let waits = waits(&shape, shape.max_payload());
    Ok(Worst {
        name: format!("hits under load, {requests} requests"),
        board: shape.name,
        bound: waits.iter().map(|wait| wait.cycles).sum(),
        waits,
        hits: result.hot,
        latency: result.hot_latency,
        cycles,
        misses: counted(&mut host, Counter::TlbMiss),
        faults: counted(&mut host, Counter::PageFault),
        frees,
        slow_frames: asked + answered,
    })
}

/// Why the bound does not hold, or the load was none; nothing when all is well.
pub fn broken(w: &Worst) -> Option<String> {
    let [_, _, _, largest] = w.latency;
    if largest > w.bound {
        return Some(format!("a hit took {largest} cycles, the bound is {}", w.bound));
    }
    let idle =
        [("misses", w.misses), ("faults", w.faults), ("frees", w.frees), ("slow-path frames", w.slow_frames)];
    idle.iter().find(|(_, count)| *count == 0).map(|(what, _)| format!("hits were measured without {what}"))
}

/// In words.
pub fn words(w: &Worst) -> String {
    let [least, p50, p99, largest] = w.latency;
    let waits = w.waits.iter().map(|wait| format!("\n- {}: {}", wait.at, wait.cycles)).collect::<String>();
    format!(
        "Hits on {} under load, memory {LATENCY} to {}: {} hits in {:.1} M cycles, with {} misses, {} page faults, {} frees and {} slow-path frames: \
         {least}/{p50}/{p99}/{largest} cycles (min/p50/p99/p100, last beat in to last beat out). Bound: {} cycles, the sum of\n{waits}",
        w.board,
        LATENCY + JITTER,
        w.hits,
        w.cycles as f64 / 1e6,
        w.misses,
        w.faults,
        w.frees,
        w.slow_frames,
        w.bound
    )
}
