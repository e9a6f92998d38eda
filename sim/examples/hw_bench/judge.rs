//! Goals, and the committed bounds below which no row may fall again.
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};

use super::measure::Measured;
use super::rows::{Goal, Row};

/// A row may take this much longer than what is committed.
const TOLERANCE: f64 = 1.02;
/// The share of its bound that every row is to reach.
const SHARE: f64 = 0.98;
/// How far rows of another scale may differ.
const ALIKE: f64 = 0.01;

/// What is compared from run to run: cycles per request, p50 of the latency.
pub type Kept = BTreeMap<String, (f64, u64)>;

/// Reads what is committed.
pub fn read(path: &Path) -> Result<Kept> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))
}

/// What is to be committed of these rows.
pub fn keep(all: &[Measured]) -> Kept {
    all.iter().map(|m| (m.name.clone(), (m.cycles_per_request, m.latency[1]))).collect()
}

/// The rows that are slower than what is committed, or not in it, in words.
pub fn fallen(all: &[Measured], kept: &Kept) -> Vec<String> {
    let fell = |m: &Measured| match kept.get(&m.name) {
        None => Some(format!("{}: no bound is committed", m.name)),
        Some((cycles, _)) if m.cycles_per_request > cycles * TOLERANCE => Some(format!(
            "{}: {:.3} cycles per request, {cycles:.3} are committed",
            m.name, m.cycles_per_request
        )),
        Some((_, p50)) if m.latency[1] as f64 > *p50 as f64 * TOLERANCE => {
            Some(format!("{}: p50 of {} cycles, {p50} are committed", m.name, m.latency[1]))
        }
        Some(_) => None,
    };
    all.iter().filter_map(fell).collect()
}

/// Whether a row reaches its goal, and the goal in words. Nothing for a point of a curve.
pub fn goal(row: &Row, m: &Measured, all: &[Measured]) -> Option<(bool, String)> {
    let share = m.bound.as_ref().map_or(1.0, |bound| bound.share) >= SHARE;
    match row.goal {
        Goal::OfBound => Some((share, "98% of the bound".into())),
        Goal::Gbit(least) => Some((share && m.gbit_per_second >= least, format!("98%, {least} Gbit/s"))),
        Goal::Millions(least) => Some((share && m.millions_per_second >= least, format!("98%, {least} M/s"))),
        Goal::Cycles(most) => Some((m.latency[1] <= most, format!("p50 of {most} cycles"))),
        Goal::Like(name) => {
            let base = all.iter().find(|other| other.name == name)?.cycles_per_request;
            let alike = (m.cycles_per_request / base - 1.0).abs() <= ALIKE;
            Some((alike, "within 1% of 1 process, 2 GB".into()))
        }
        Goal::Curve => None,
    }
}
