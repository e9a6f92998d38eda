//! Where a request's cycles go: stamped at the taps of the board's stages while it is alone there, and held against the board's own histograms.
use anyhow::{Result, bail, ensure};
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use mneme_rtl::{LoadKind, LoadPlan, LoadResult, LoadStage, RtlFast};
use mneme_slowpath::FastPath;
use mneme_wire::{Counter, Opcode, Stage};
use serde::Serialize;

use super::bound::WINDOW_RESERVE;
use super::host::{Host, Spread, frame};
use super::measure::SOURCES;
use super::rows::{BOARD, Form};

/// Requests that are followed, each alone on the board.
const REQUESTS: u64 = 4;
/// Cycles that each may take.
const PATIENCE: u64 = 4000;

/// A kind of request, and what its page is to it.
struct Case {
    name: &'static str,
    opcode: Opcode,
    length: usize,
    page: Page,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Page {
    InTlb,
    InTable,
    NeverTouched,
}

const CASES: [Case; 6] = [
    Case { name: "read 16 B, hit", opcode: Opcode::Read, length: 16, page: Page::InTlb },
    Case { name: "write 16 B, hit", opcode: Opcode::Write, length: 16, page: Page::InTlb },
    Case { name: "fetch-add 8 B, hit", opcode: Opcode::FetchAdd, length: 8, page: Page::InTlb },
    Case { name: "read 16 B, miss", opcode: Opcode::Read, length: 16, page: Page::InTable },
    Case { name: "write 16 B, miss", opcode: Opcode::Write, length: 16, page: Page::InTable },
    Case { name: "write 16 B, fault", opcode: Opcode::Write, length: 16, page: Page::NeverTouched },
];

/// The columns, each of the taps' stages that it is made of.
const COLUMNS: [(&str, &[LoadStage]); 7] = [
    ("ingress", &[LoadStage::Slot, LoadStage::Ingress]),
    ("dispatch", &[LoadStage::Dispatch]),
    ("filter", &[LoadStage::Filter]),
    ("translation", &[LoadStage::Translation]),
    ("memory", &[LoadStage::Memory]),
    ("response", &[LoadStage::Response]),
    ("egress", &[LoadStage::Egress]),
];

/// The board's own stages, each of the taps' stages that it is made of: those without the way into a slot, nor that out of the port.
const OWN: [(Stage, &[LoadStage]); 6] = [
    (Stage::Dispatch, &[LoadStage::Ingress, LoadStage::Dispatch]),
    (Stage::Filter, &[LoadStage::Filter]),
    (Stage::Translation, &[LoadStage::Translation]),
    (Stage::Memory, &[LoadStage::Memory]),
    (Stage::Response, &[LoadStage::Response]),
    (
        Stage::Whole,
        &[
            LoadStage::Ingress,
            LoadStage::Dispatch,
            LoadStage::Filter,
            LoadStage::Translation,
            LoadStage::Memory,
            LoadStage::Response,
        ],
    ),
];

/// A request's cycles.
#[derive(Debug, Clone, Serialize)]
pub struct Breakdown {
    /// The request.
    pub name: String,
    /// Cycles in each stage.
    pub stages: Vec<(&'static str, u64)>,
    /// Last beat in to first beat out, measured at the ports.
    pub first_beat: u64,
    /// Last beat in to last beat out.
    pub latency: u64,
}

/// Cycles in several stages; all requests took the same.
fn together(result: &LoadResult, stages: &[LoadStage]) -> Result<u64> {
    let mut sum = 0;
    for stage in stages {
        let passed = result.stage(*stage);
        ensure!(
            passed.start() == passed.end(),
            "{stage:?} took {passed:?} cycles of requests that are alike"
        );
        sum += passed.start();
    }
    Ok(sum)
}

fn buckets(board: &mut RtlFast) -> Vec<Vec<u32>> {
    let cells = |(stage, _): &(Stage, &[LoadStage])| {
        let numbers = 0..mneme_wire::register::HISTOGRAM_BUCKETS;
        numbers.map(|bucket| board.read_observed(stage.bucket(bucket))).collect()
    };
    OWN.iter().map(cells).collect()
}

/// What the board counted by itself must be what was stamped: each request in the bucket of its cycles, in every stage.
fn agree(case: &str, before: &[Vec<u32>], after: &[Vec<u32>], result: &LoadResult) -> Result<()> {
    for ((stage, parts), (before, after)) in OWN.iter().zip(before.iter().zip(after)) {
        let cycles = together(result, parts)?;
        for (bucket, (before, after)) in before.iter().zip(after).enumerate() {
            let its = cycles.checked_ilog2().unwrap_or(0) as usize == bucket;
            let grown = u64::from(after - before);
            ensure!(
                grown == if its { REQUESTS } else { 0 },
                "{case}: {} was stamped with {cycles} cycles, but the board counted {grown} requests in bucket {bucket}",
                stage.name()
            );
        }
    }
    Ok(())
}

fn plan(case: &Case, host: &mut Host, first_id: u32, hot: usize) -> Result<LoadPlan> {
    let spread = Spread { pids: 16, bytes: 1 << 36, backed: case.page != Page::NeverTouched };
    let pages = host.allocate(if hot > 0 { hot } else { REQUESTS as usize }, &spread)?;
    let kind =
        LoadKind { frame: frame(case.opcode, case.length)?, weight: 1, offset: 0, stride: 64, places: 1 };
    Ok(LoadPlan {
        seed: 1,
        requests: REQUESTS,
        cycle_limit: REQUESTS * PATIENCE,
        window: 1,
        sources: SOURCES,
        first_id,
        kinds: vec![kind],
        pages,
        hot_pages: hot,
        hot_share: if hot > 0 { 1.0 } else { 0.0 },
        ..LoadPlan::default()
    })
}

fn breakdown(case: &Case, latency: u32) -> Result<Breakdown> {
    let name = format!("{}, memory {latency}", case.name);
    let mut host = Host::boot(BOARD, latency, WINDOW_RESERVE)?;
    let mut plan = plan(case, &mut host, 1, usize::from(case.page == Page::InTlb))?;
    match case.page {
        // The first of them brings the page into the TLB.
        Page::InTlb => drop(host.board.carry(&plan)?),
        Page::InTable => {}
        Page::NeverTouched => drop(host.fill_async_buffer(REQUESTS as u32)?),
    }
    plan.first_id += REQUESTS as u32;
    let before = buckets(&mut host.board);
    let result = host.board.carry(&plan)?;
    let after = buckets(&mut host.board);
    let faults = if case.page == Page::NeverTouched { REQUESTS } else { 0 };
    if result.ok != REQUESTS || result.stamped != [REQUESTS, 0] {
        bail!("{name}: {result:?}: not every request passed every tap once and was answered OK");
    }
    ensure!(
        u64::from(host.board.read_counter(Counter::PageFault)) == faults,
        "{name}: not {faults} page faults"
    );
    agree(&name, &before, &after, &result)?;
    let stages = COLUMNS
        .iter()
        .map(|(name, stages)| Ok((*name, together(&result, stages)?)))
        .collect::<Result<Vec<_>>>()?;
    let (sum, [least, _, _, first_beat]) =
        (stages.iter().map(|(_, cycles)| cycles).sum::<u64>(), result.first_latency);
    ensure!(
        sum == first_beat && least == first_beat,
        "{name}: {sum} cycles in all stages, but {least} to {first_beat} between the ports"
    );
    Ok(Breakdown { name, stages, first_beat, latency: result.latency[3] })
}

/// All of them.
pub fn breakdowns(form: Form) -> Result<Vec<Breakdown>> {
    let latencies: &[u32] = if form == Form::Long { &[0, 60] } else { &[0] };
    let mut all = Vec::new();
    for latency in latencies {
        for case in &CASES {
            all.push(breakdown(case, *latency)?);
        }
    }
    Ok(all)
}

/// As a Markdown table.
pub fn table(all: &[Breakdown]) -> String {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    let columns = COLUMNS.iter().map(|(name, _)| *name);
    table.set_header(["request alone, cycles in"].into_iter().chain(columns).chain([
        "sum",
        "first beat out",
        "last beat out",
    ]));
    for b in all {
        let stages = b.stages.iter().map(|(_, cycles)| cycles.to_string());
        let sum: u64 = b.stages.iter().map(|(_, cycles)| cycles).sum();
        let ends = [sum, b.first_beat, b.latency].map(|cycles| cycles.to_string());
        table.add_row([b.name.clone()].into_iter().chain(stages).chain(ends));
    }
    table.to_string()
}
