//! Leases that are over at once: each makes the board reclaim a process.
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use mneme_tests::figures::{Bound, Cell, Table};
use mneme_wire::NodeCounter;

use crate::board::{Board, Kind};
use crate::contest::exactly;
use crate::report::Report;
use crate::stranger::Stranger;
use crate::{ATTACKER, Options, log};

/// Leases that are asked for, in nanoseconds.
const LEASES: [(u64, &str); 3] = [(1, "1 ns"), (1_000, "1 µs"), (1_000_000, "1 ms")];
/// What the board has to make of them at least: longer than a client may go without a processor, or without an answer.
const FLOOR_NS: u64 = 10_000_000;
/// OPENs with each.
const OPENS: u64 = 512;
const OPENS_SHORT: u64 = 64;
/// Lines of the log for all of it.
const LINES: f64 = 100.0;
/// How long the board has for ending what has run out, beyond the longest lease that it told.
const PATIENCE: Duration = Duration::from_secs(10);

pub fn measure(options: &Options, kind: Kind) -> Result<Report> {
    let (board, opens) = (Board::start(kind), options.either(OPENS, OPENS_SHORT));
    let mut stranger = Stranger::at(ATTACKER, board.address()?)?;
    let mut report = Report::new("short-leases", kind, format!("{opens} OPENs with each of three leases"));
    let named = report.named();
    let mut table = Table::new(
        "Short leases",
        &["asked", "opened", "refused", "shortest told, ns", "counted as expired", "log lines"],
    );
    let before = log::lines();
    for (lease_ns, words) in LEASES {
        let lines = log::lines();
        let expired = stranger.node_counter(NodeCounter::LeasesExpired)?;
        let (mut opened, mut refused, mut shortest, mut longest) = (0u64, 0u64, u64::MAX, 0);
        for _ in 0..opens {
            match stranger.try_open(lease_ns)? {
                (_, Some(answer)) => {
                    opened += 1;
                    (shortest, longest) = (shortest.min(answer.lease_ns), longest.max(answer.lease_ns));
                }
                (_, None) => refused += 1,
            }
        }
        let counted = settle(&mut stranger, expired, opened, Duration::from_nanos(longest))?;
        let told = (opened > 0).then_some(shortest);
        table.rows.push(vec![
            words.into(),
            opened.into(),
            refused.into(),
            told.map_or(Cell::None, Into::into),
            counted.into(),
            (log::lines() - lines).into(),
        ]);
        let floor = Bound::AtLeast(FLOOR_NS as f64);
        // A board that refuses all of them has told none that is too short.
        let shortest = told.unwrap_or(FLOOR_NS) as f64;
        report.figures.goals.extend([
            exactly(format!("{named}: shortest lease told for {words}"), floor, " ns", shortest),
            exactly(
                format!("{named}: processes of {words} not counted as expired once"),
                Bound::AtMost(0.0),
                "",
                opened.abs_diff(counted) as f64,
            ),
        ]);
    }
    let lines = log::lines() - before;
    let most = Bound::AtMost(LINES);
    report.figures.goals.push(exactly(format!("{named}: lines of the board's log"), most, "", lines as f64));
    report.figures.tables.push(table);
    // One that refuses the shortest that it has to give has shown nothing.
    let (answer, opened) = stranger.try_open(FLOOR_NS)?;
    let told = opened.map(|opened| opened.lease_ns);
    ensure!(told >= Some(FLOOR_NS), "an OPEN with a lease of {FLOOR_NS} ns is answered {}", answer.words());
    let panics = stranger.node_counter(NodeCounter::WorkerPanics)?;
    ensure!(panics == 0, "{panics} workers panicked");
    board.end()?;
    Ok(report)
}

/// Waits until as many leases have run out as processes were opened, or none any more; how many.
fn settle(stranger: &mut Stranger, before: u64, opened: u64, lease: Duration) -> Result<u64> {
    let until = Instant::now() + lease.min(PATIENCE) + PATIENCE;
    loop {
        let counted = stranger.node_counter(NodeCounter::LeasesExpired)?.saturating_sub(before);
        if counted >= opened || Instant::now() > until {
            // One that is counted twice shows a moment later.
            std::thread::sleep(Duration::from_millis(50));
            return Ok(stranger.node_counter(NodeCounter::LeasesExpired)?.saturating_sub(before));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
