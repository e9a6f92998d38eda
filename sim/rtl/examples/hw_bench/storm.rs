//! A storm of first touches through free pages: every request is the first write to its page, as many as packet slots are under way at any
//! time, and the slow path's part is played here: it gives the board one free page after the other to zero.
use anyhow::{Context, Result};
use mneme_rtl::{LoadKind, LoadPlan};
use mneme_wire::Opcode;
use serde::Serialize;

use super::bound::BEAT;
use super::host::{Host, Spread, frame};
use super::measure::SOURCES;
use super::rows::{FAULTS, Form};

/// Pages of the storm that CI runs: thrice the async buffer.
const SHORT_PAGES: u64 = 96;
/// Cycles between two looks of the slow path.
const LOOKS: u64 = 512;
/// Cycles after which a first touch that was told BUSY comes again: so seldom that the retry filter has room for all attempts.
const RETRY_AFTER: u64 = 16_384;
/// Cycles per page after which a storm has failed.
const PATIENCE: u64 = 20_000;

/// What a storm gave.
#[derive(Debug, Clone, Serialize)]
pub struct Storm {
    /// Its name in tables and in the file of bounds.
    pub name: String,
    /// First touches.
    pub pages: u64,
    /// Cycles from one to the next once the async buffer, which was full, is empty.
    pub cycles_per_page: f64,
    /// W beats that each needs: its zeros, its data, its entry.
    pub beats_per_page: f64,
    /// Share of this bound that was reached.
    pub share: f64,
    /// Answers BUSY for want of a page, asked again.
    pub busy: u64,
    /// Cycles of memory.
    pub memory_latency: u32,
}

fn storm(pages: Option<u64>, latency: u32) -> Result<Storm> {
    let shape = FAULTS.shape();
    let geometry = shape.check()?;
    let zeros = geometry.page_size() / BEAT as u64;
    let ready = shape.async_depth as u64;
    // A first touch may wait until all that are in flight ahead of it have got their pages.
    let waits = 2 * (shape.packet_slots as u64 + 1) * zeros;
    let window = 2 + (waits >> shape.tick_log2) as u32;
    let mut host = Host::boot(FAULTS, latency, window)?;
    let pages = pages.unwrap_or(host.free_pages());
    let spread = Spread { pids: 16, bytes: 1 << shape.mem_bits, backed: false };
    let warm_up = ready + 2;
    let plan = LoadPlan {
        seed: 1,
        requests: pages,
        warm_up,
        window: shape.packet_slots as u64,
        sources: SOURCES,
        first_id: 1,
        kinds: vec![LoadKind {
            frame: frame(Opcode::Write, 16)?,
            weight: 1,
            offset: 0,
            stride: 64,
            places: 1,
        }],
        pages: host.allocate(pages as usize, &spread)?,
        retry_after: RETRY_AFTER,
        ..LoadPlan::default()
    };
    host.fill_async_buffer(ready as u32)?;
    host.board.begin_load(&plan)?;
    for _ in 0..pages * PATIENCE / LOOKS {
        if host.board.run_load(LOOKS) {
            break;
        }
        while host.offer() {}
    }
    let name = format!("first touches through {pages} free pages of {}, memory {latency}", shape.name);
    let result = host.board.end_load(&plan).with_context(|| format!("storm \"{name}\""))?;
    let cycles_per_page = result.cycles as f64 / result.ok.max(1) as f64;
    let beats_per_page = (zeros + 2) as f64;
    let share = beats_per_page / cycles_per_page;
    Ok(Storm {
        name,
        pages,
        cycles_per_page,
        beats_per_page,
        share,
        busy: result.other,
        memory_latency: latency,
    })
}

/// All storms of a form.
pub fn storms(form: Form) -> Result<Vec<Storm>> {
    let mut all = vec![storm(Some(SHORT_PAGES), 60)?];
    if form == Form::Long {
        all.push(storm(None, 0)?);
        all.push(storm(None, 60)?);
    }
    Ok(all)
}

/// In words.
pub fn words(s: &Storm) -> String {
    format!(
        "Storm of {}: a page every {:.1} cycles; {} beats on W for its zeros, its data and its entry bound it ({:.1}% reached; {} times BUSY).",
        s.name,
        s.cycles_per_page,
        s.beats_per_page,
        100.0 * s.share,
        s.busy
    )
}
