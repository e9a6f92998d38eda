//! Goals, and the committed bounds below which no row may fall again.
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};

use super::measure::{Measured, Recycling};
use super::rows::{Form, Goal, Row};
use super::storm::Storm;
use super::worst::Worst;

/// A row may take this much longer than what is committed.
const TOLERANCE: f64 = 1.02;
/// The share of its bound that every row is to reach.
const SHARE: f64 = 0.98;
/// How far a figure that must be exact may lie from it: counting begins and ends with whole requests.
const EXACT: f64 = 0.002;
/// How far rows of another scale may differ.
const ALIKE: f64 = 0.01;

/// What is compared from run to run: cycles per request, p50 of the latency.
pub type Kept = BTreeMap<String, (f64, u64)>;

/// Reads what is committed.
pub fn read(path: &Path) -> Result<Kept> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))
}

/// What is to be committed of these rows; a storm counts with its pages' cycles, hits under load of the long form with the longest and p50.
pub fn keep(all: &[Measured], storms: &[Storm], worst: Option<&Worst>) -> Kept {
    let rows = all.iter().map(|m| (m.name.clone(), (m.cycles_per_request, m.latency[1])));
    let storms = storms.iter().map(|s| (s.name.clone(), (s.cycles_per_page, 0)));
    let worst = worst.map(|worst| {
        let [_, p50, _, longest] = worst.latency;
        ("hits under load, p100".to_owned(), (longest as f64, p50))
    });
    rows.chain(storms).chain(worst).collect()
}

/// The rows that are slower than what is committed, or not in it, in words.
pub fn fallen(now: &Kept, kept: &Kept) -> Vec<String> {
    let fell = |(name, (cycles, p50)): (&String, &(f64, u64))| match kept.get(name) {
        None => Some(format!("{name}: no bound is committed")),
        Some((before, _)) if *cycles > before * TOLERANCE => {
            Some(format!("{name}: {cycles:.3} cycles per request, {before:.3} are committed"))
        }
        Some((_, before)) if *p50 as f64 > *before as f64 * TOLERANCE => {
            Some(format!("{name}: p50 of {p50} cycles, {before} are committed"))
        }
        Some(_) => None,
    };
    now.iter().filter_map(fell).collect()
}

/// The rows that show a bound to be none, in words: they are faster than it; or their request was alone on the board, whose way is then
/// the bound, and took another time.
pub fn refuted(rows: &[Row], all: &[Measured]) -> Vec<String> {
    let refutes = |(row, m): (&Row, &Measured)| {
        // Rows of the long form alone are curves, on which requests differ.
        let exact = row.window == 1 && row.form == Form::Short;
        let wrong = m.bound.share > 1.0 + EXACT || (exact && m.bound.share < 1.0 - EXACT);
        let bound = m.bound.cycles_per_request;
        wrong.then(|| {
            format!("{}: {:.3} cycles per request, its bound is {bound:.3}", m.name, m.cycles_per_request)
        })
    };
    rows.iter().zip(all).filter_map(refutes).collect()
}

/// What stays below its goal, in words: rows, storms, recycling.
pub fn missed(rows: &[Row], all: &[Measured], storms: &[Storm], recycling: &Recycling) -> Vec<String> {
    let of_row = |(row, m): (&Row, &Measured)| {
        let (reached, words) = goal(row, m, all)?;
        let (share, p50) = (100.0 * m.bound.share, m.latency[1]);
        (!reached)
            .then(|| format!("{}: {share:.1}% of the bound, p50 of {p50} cycles, asked are {words}", m.name))
    };
    let below = |share: f64, name: &str| {
        (share < SHARE).then(|| format!("{name}: {:.1}% of the bound", 100.0 * share))
    };
    let storms = storms.iter().filter_map(|storm| below(storm.share, &storm.name));
    let recycled = below(recycling.beats_per_page / recycling.cycles_per_page, "recycling");
    rows.iter().zip(all).filter_map(of_row).chain(storms).chain(recycled).collect()
}

/// Whether a row reaches its goal, and the goal in words. Nothing for a point of a curve.
pub fn goal(row: &Row, m: &Measured, all: &[Measured]) -> Option<(bool, String)> {
    let share = m.bound.share >= SHARE;
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
