//! Rows of the ZCU106's own build: 8 misses at a time, 64 packet slots, the retry window that boards have, 10 Gbit/s on the wire. And hits
//! beside misses, where the few miss entries show.
use mneme_model::BoardShape;

use super::measure::MEGAHERTZ;
use super::rows::{DEVICE, Goal, Row, Traffic};

/// Its memory, and the pages over which misses go.
const BYTES: u64 = 1 << 31;
const PAGES: usize = 440;
/// Cycles of memory.
const LATENCY: u32 = 60;
/// Megabits per second on the wire.
const LINK: f64 = 10_000.0;
/// The retry window of a board by default, in microseconds.
const WINDOW_US: f64 = 200.0;
/// Hits come every so many cycles in the mean: with the misses beside them every port is idle for half of the time, and holds nobody up.
const HITS_EVERY: f64 = 8.0;
/// Requests counted: fewer than the retry filter remembers of one client's sources, which is none of what these rows are about.
const HITS_AND_MISSES: u64 = 2000;
/// Misses in flight beside them: four times the miss entries, so that all are taken at any time.
const MISSES_IN_FLIGHT: u64 = 32;

fn row(shape: &BoardShape, traffic: Traffic, length: usize) -> Row {
    let ticks = (WINDOW_US * MEGAHERTZ) as u32 >> shape.tick_log2;
    let row = Row::new(shape, traffic, length, LATENCY);
    Row { board: DEVICE, pages: PAGES, pids: 1, spread: BYTES, retry_window: Some(ticks + 1), ..row }
}

/// At the wire's rate.
fn wire(shape: &BoardShape) -> Vec<Row> {
    let most = shape.max_payload();
    let link = |row: Row| Row { link_bits: (LINK / MEGAHERTZ) as u32, requests: 600, ..row };
    let linked = |traffic, length| link(row(shape, traffic, length)).named("zcu106, 10G");
    let mut rows = Vec::new();
    for length in [16, 64, 1024, most] {
        for traffic in [Traffic::Read, Traffic::Write] {
            rows.push(linked(traffic, length).short());
        }
    }
    rows.push(linked(Traffic::Atomic, 8).short());
    for traffic in [Traffic::Read, Traffic::Write] {
        let row = Row { hits: 0.0, ..linked(traffic, 16) };
        rows.push(row.named("0% hot").short());
    }
    let alone = |row: Row, name| Row { window: 1, requests: 20, ..row }.named(name).goal(Goal::Curve);
    for traffic in [Traffic::Read, Traffic::Write, Traffic::Atomic] {
        rows.push(alone(linked(traffic, 16), "alone, hit"));
    }
    for traffic in [Traffic::Read, Traffic::Write] {
        rows.push(alone(Row { hits: 0.0, ..linked(traffic, 16) }, "alone, miss"));
    }
    rows
}

/// The row whose hits those beside misses must be like.
const READS_ALONE: &str = "read 16 B, memory 60, zcu106, hits at random times, alone";
const WRITES_ALONE: &str = "write 16 B, memory 60, zcu106, hits at random times, alone";

/// Hits that come at the same rate with and without misses beside them.
fn beside(shape: &BoardShape) -> Vec<Row> {
    let mut rows = Vec::new();
    for (traffic, alone) in [(Traffic::Read, READS_ALONE), (Traffic::Write, WRITES_ALONE)] {
        let row = Row { hit_rate: 1.0 / HITS_EVERY, requests: HITS_AND_MISSES, ..row(shape, traffic, 16) };
        let row = row.named("zcu106").named("hits at random times");
        rows.push(row.clone().named("alone").goal(Goal::Curve).short());
        debug_assert_eq!(rows.last().map(|row| &row.name[..]), Some(alone));
        let beside = Row { hits: 0.5, window: MISSES_IN_FLIGHT, ..row };
        rows.push(beside.named("beside misses").goal(Goal::HitsLike(alone)).short());
    }
    rows
}

/// All of them.
pub fn rows() -> Vec<Row> {
    let shape = &DEVICE.shape();
    [wire(shape), beside(shape)].concat()
}
