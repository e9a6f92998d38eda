//! What a copy did: a table for people, one JSON object for programs.
use crate::connect::Kind;
use crate::output;
use comfy_table::CellAlignment;
use comfy_table::presets::UTF8_BORDERS_ONLY;
use mneme_auth::Size;
use mneme_clib::{BoardCounters, NodeCounter, Statistics};
use mneme_wire::{Counter, Opcode};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// Latencies of one kind of operation on this host, in microseconds.
#[derive(Debug, Clone, Serialize)]
pub struct HostLatency {
    /// Operations.
    pub operations: u64,
    /// Median.
    pub p50_us: f64,
    /// 99th percentile.
    pub p99_us: f64,
    /// The longest.
    pub max_us: f64,
}

/// Latencies on the board since it started, last beat of a request in to first beat of its answer out, in cycles.
#[derive(Debug, Clone, Serialize)]
pub struct BoardLatency {
    /// Requests measured.
    pub requests: u64,
    /// The shortest.
    pub min_cycles: u64,
    /// Median.
    pub p50_cycles: u64,
    /// 99th percentile.
    pub p99_cycles: u64,
    /// The longest.
    pub max_cycles: u64,
}

/// Everything that a copy tells.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The board's name.
    pub board: String,
    /// What it is made of.
    pub kind: &'static str,
    /// Files copied.
    pub files: usize,
    /// Bytes copied.
    pub bytes: u64,
    /// The input was larger than the limit.
    pub cut: bool,
    /// Files whose hash (XXH3, 128 bits) came back the same: all of them.
    pub verified_files: usize,
    /// Reads as another process that the board refused: all of them.
    pub foreign_reads_refused: u64,
    /// Seconds for writing, reading back and the refused reads.
    pub seconds: f64,
    /// READ and WRITE packets answered OK.
    pub operations: u64,
    /// READ on this host.
    pub read: HostLatency,
    /// WRITE on this host.
    pub write: HostLatency,
    /// On the board; simulated RTL only.
    pub board_latency: Option<BoardLatency>,
    /// Translations that hit the TLB.
    pub tlb_hits: u64,
    /// Translations that walked the page table.
    pub tlb_misses: u64,
    /// Page faults served.
    pub page_faults: u64,
    /// Pages zeroed.
    pub zeroed_pages: u64,
    /// Accesses that the board refused (UNMAPPED and DENIED).
    pub refused_accesses: u64,
    /// Writes that were made again, since nobody knew whether they had taken effect.
    pub written_again: u64,
    /// Retries of all clients of this copy.
    pub retries: u64,
    /// Retries by reason.
    pub retries_by_reason: BTreeMap<String, u64>,
    /// Cycles that passed on the board.
    pub board_cycles: u64,
}

/// What was measured while copying.
pub struct Measured<'a> {
    /// Board and kind.
    pub board: (String, Kind),
    /// Files, bytes, cut.
    pub input: (usize, u64, bool),
    /// Reads as another process that were refused.
    pub foreign_reads_refused: u64,
    /// Writes that were made again.
    pub written_again: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// The owner's client, and the other process's.
    pub statistics: [&'a Statistics; 2],
    /// The board's counters before and after.
    pub counters: [&'a BoardCounters; 2],
}

fn host_latency(statistics: &Statistics, opcode: Opcode) -> HostLatency {
    let latencies = statistics.latency_of(&[opcode]);
    let us = |span: Duration| span.as_nanos() as f64 / 1e3;
    HostLatency {
        operations: latencies.count(),
        p50_us: us(latencies.quantile(0.5)),
        p99_us: us(latencies.quantile(0.99)),
        max_us: us(latencies.max()),
    }
}

fn retries(statistics: &[&Statistics]) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::<String, u64>::new();
    for transport in statistics.iter().map(|s| &s.transport) {
        let plain = [
            ("timeout", transport.timeouts),
            ("NACK", transport.nacks),
            ("EXPIRED, started anew", transport.anew_expired),
            ("released, started anew", transport.anew_released),
        ];
        let busy = transport.busy.iter().map(|(cause, count)| (format!("BUSY {cause}"), *count));
        for (reason, count) in plain.map(|(r, c)| (r.to_string(), c)).into_iter().chain(busy) {
            if count > 0 {
                *all.entry(reason).or_default() += count;
            }
        }
    }
    all
}

impl Report {
    /// Puts the measurements together.
    pub fn new(m: &Measured) -> Report {
        let [before, after] = m.counters;
        // The board's fast-path counters have 32 bits and wrap.
        let passed = |c: Counter| u64::from((after.get(c) as u32).wrapping_sub(before.get(c) as u32));
        let node = |c: NodeCounter| after.node(c);
        let board_latency =
            (m.board.1 == Kind::Rtl && node(NodeCounter::LatencyCount) > 0).then(|| BoardLatency {
                requests: node(NodeCounter::LatencyCount),
                min_cycles: node(NodeCounter::LatencyMin),
                p50_cycles: node(NodeCounter::LatencyP50),
                p99_cycles: node(NodeCounter::LatencyP99),
                max_cycles: node(NodeCounter::LatencyMax),
            });
        let by_reason = retries(&m.statistics);
        let (read, write) =
            (host_latency(m.statistics[0], Opcode::Read), host_latency(m.statistics[0], Opcode::Write));
        Report {
            board: m.board.0.clone(),
            kind: m.board.1.name(),
            files: m.input.0,
            bytes: m.input.1,
            cut: m.input.2,
            verified_files: m.input.0,
            foreign_reads_refused: m.foreign_reads_refused,
            seconds: m.elapsed.as_secs_f64(),
            operations: read.operations + write.operations,
            read,
            write,
            board_latency,
            tlb_hits: passed(Counter::TlbHit),
            tlb_misses: passed(Counter::TlbMiss),
            page_faults: passed(Counter::PageFault),
            zeroed_pages: passed(Counter::ZeroPages),
            refused_accesses: passed(Counter::StatusUnmapped) + passed(Counter::StatusDenied),
            written_again: m.written_again,
            retries: by_reason.values().sum(),
            retries_by_reason: by_reason,
            board_cycles: node(NodeCounter::Cycles).saturating_sub(before.node(NodeCounter::Cycles)),
        }
    }

    /// The table.
    pub fn table(&self) -> String {
        let mut table = output::table(false);
        table.load_preset(UTF8_BORDERS_ONLY).set_header(["", "", &format!("{} board", self.kind)]);
        let mut row = |name: &str, unit: &str, value: String| {
            table.add_row([name.to_string(), unit.to_string(), value]);
        };
        row("files, hashes equal", "", format!("{} of {}", self.verified_files, self.files));
        row("bytes, each way", "", format!("{} ({})", self.bytes, Size(self.bytes)));
        row("operations", "packets", self.operations.to_string());
        row("time", "s", format!("{:.2}", self.seconds));
        for (name, latency) in [("read", &self.read), ("write", &self.write)] {
            let value = format!("{:.1} / {:.1} / {:.1}", latency.p50_us, latency.p99_us, latency.max_us);
            row(&format!("{name} latency p50 / p99 / max"), "µs, host", value);
        }
        if let Some(board) = &self.board_latency {
            let value = format!("{} / {} / {}", board.p50_cycles, board.p99_cycles, board.max_cycles);
            row("latency on the board p50 / p99 / max", "cycles", value);
        }
        row("board time passed", "cycles", self.board_cycles.to_string());
        row("TLB hits / misses", "", format!("{} / {}", self.tlb_hits, self.tlb_misses));
        row("page faults", "", self.page_faults.to_string());
        row("zeroed pages", "", self.zeroed_pages.to_string());
        row("reads as another process, refused", "", self.foreign_reads_refused.to_string());
        row("refused accesses, all", "", self.refused_accesses.to_string());
        row("writes of unknown outcome, made again", "", self.written_again.to_string());
        row("retries", "", self.retries.to_string());
        for (reason, count) in &self.retries_by_reason {
            row(&format!("  {reason}"), "", count.to_string());
        }
        if let Some(column) = table.column_mut(2) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table.to_string()
    }
}
