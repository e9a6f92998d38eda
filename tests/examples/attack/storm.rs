//! OPENs from one address until the board refuses.
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use mneme_slowpath::Limits;
use mneme_tests::figures::{Bound, Cell, Table};
use mneme_wire::NodeCounter;

use crate::board::{Board, Kind};
use crate::contest::exactly;
use crate::report::Report;
use crate::stranger::Stranger;
use crate::{ATTACKER, Options, VICTIM};

/// Of the board's processes, one part in so many is one address's.
const SHARE: u64 = 4;
/// Nanoseconds of the leases that are asked for.
const LEASE_NS: u64 = 10_000_000_000;
/// How long another address waits for an OPEN.
const OPEN_MS: f64 = 20.0;
const OPEN_SHORT_MS: f64 = 1_000.0;

/// What came of a storm.
struct Storm {
    opened: u64,
    refusal: String,
    /// How long another address waited for its OPEN; none: refused.
    other_ms: Option<f64>,
    refused_other: String,
    left: u64,
}

fn storm(options: &Options, kind: Kind, lease_ns: u64, most: u64) -> Result<Storm> {
    let board = Board::start(kind);
    let mut attacker = Stranger::at(ATTACKER, board.address()?)?;
    let mut other = Stranger::at(VICTIM, board.address()?)?;
    let before = other.node_counter(NodeCounter::Processes)?;
    let (mut pids, mut refusal) = (Vec::new(), "none".to_owned());
    // In the short form one more than the share is enough to know.
    let most = options.either(most, most / SHARE + 1);
    while (pids.len() as u64) < most {
        match attacker.try_open(lease_ns)? {
            (_, Some(opened)) => pids.push(opened.pid),
            (answer, None) => {
                refusal = answer.words();
                break;
            }
        }
    }
    let began = Instant::now();
    let (answer, opened) = other.try_open(0)?;
    let took = began.elapsed();
    for pid in &pids {
        let answer = attacker.exit(*pid)?;
        // With leases, one may have ended by itself.
        anyhow::ensure!(answer.is_ok() || lease_ns > 0, "EXIT was answered {}", answer.words());
    }
    if let Some(opened) = opened {
        other.exit(opened.pid)?;
    }
    std::thread::sleep(Duration::from_millis(10));
    let left = other.node_counter(NodeCounter::Processes)?.saturating_sub(before);
    board.end().context("after the storm")?;
    Ok(Storm {
        opened: pids.len() as u64,
        refusal,
        other_ms: opened.map(|_| took.as_secs_f64() * 1e3),
        refused_other: answer.words(),
        left,
    })
}

pub fn measure(options: &Options, kind: Kind) -> Result<Report> {
    let most = Limits::default().processes as u64;
    let mut report =
        Report::new("open-storm", kind, format!("OPENs from one address to a board for {most} processes"));
    let mut table = Table::new(
        "OPENs until refused",
        &["leases", "opened", "refusal", "another address", "its OPEN, ms", "left after EXIT"],
    );
    for lease_ns in [0, LEASE_NS] {
        let storm = storm(options, kind, lease_ns, most)?;
        let words = if lease_ns == 0 { "none" } else { "10 s" };
        let named = format!("{}, leases {words}", report.named());
        table.rows.push(vec![
            words.into(),
            storm.opened.into(),
            storm.refusal.into(),
            storm.refused_other.into(),
            storm.other_ms.map_or(Cell::None, Into::into),
            storm.left.into(),
        ]);
        let share = Bound::AtMost((most / SHARE) as f64);
        let limit = Bound::AtMost(options.either(OPEN_MS, OPEN_SHORT_MS));
        let refused = f64::from(u8::from(storm.other_ms.is_none()));
        report.figures.goals.extend([
            exactly(format!("{named}: processes of one address"), share, "", storm.opened as f64),
            exactly(format!("{named}: refused OPENs of another address"), Bound::AtMost(0.0), "", refused),
            exactly(format!("{named}: processes left after EXIT"), Bound::AtMost(0.0), "", storm.left as f64),
        ]);
        report.figures.goals.extend(
            storm.other_ms.map(|ms| exactly(format!("{named}: OPEN of another address"), limit, " ms", ms)),
        );
    }
    report.figures.tables.push(table);
    Ok(report)
}
