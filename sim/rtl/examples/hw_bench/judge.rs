//! Goals, and the committed bounds below which no row may fall again.
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::doors::Doors;
use super::measure::{Measured, Recycling};
use super::rows::{Form, Goal, Row};
use super::storm::Storm;
use super::worst::Worst;

/// A row may take this much longer than what is committed.
const TOLERANCE: f64 = 1.02;
/// The share of what the pipeline is built for that every row must reach.
const SHARE: f64 = 0.98;
/// The share of beats of a port that bounds a row: the architecture asks for less than 1% idle ones.
const BUSY: f64 = 0.99;
/// How far a figure that must be exact may lie from it: counting begins and ends with whole requests.
const EXACT: f64 = 0.002;
/// The same where hits come at random times: a round of misses in flight at either end is worth almost as much.
const AT_RANDOM: f64 = 0.01;
/// How far rows of another scale may differ.
const ALIKE: f64 = 0.01;
/// How much longer hits may take beside misses.
const BESIDE: f64 = 1.5;

/// What is compared from run to run.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Kept {
    /// Cycles per request.
    pub cycles: f64,
    /// p50 of the latency.
    pub p50: u64,
    /// The longest of hits, where all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p100: Option<u64>,
}

/// By row.
pub type AllKept = BTreeMap<String, Kept>;

/// Reads what is committed.
pub fn read(path: &Path) -> Result<AllKept> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))
}

/// What is to be committed of these rows; a storm counts with its pages' cycles, hits under load with their own.
pub fn keep(rows: &[Row], all: &[Measured], storms: &[Storm], worst: &[Worst], doors: &[Doors]) -> AllKept {
    let rows = rows.iter().zip(all).map(|(row, m)| {
        let ([_, p50, ..], [_, _, _, longest]) = (m.latency, m.hot_latency);
        let hits = (row.hits >= 1.0 || row.hit_rate > 0.0).then_some(longest);
        (m.name.clone(), Kept { cycles: m.cycles_per_request, p50, p100: hits })
    });
    let storms =
        storms.iter().map(|s| (s.name.clone(), Kept { cycles: s.cycles_per_page, p50: 0, p100: None }));
    let worst = worst.iter().map(|w| {
        let [_, p50, _, longest] = w.latency;
        let cycles = w.cycles as f64 / w.hits.max(1) as f64;
        (w.name.clone(), Kept { cycles, p50, p100: Some(longest) })
    });
    // Each door of its own; one at which nothing is asked for has nothing to keep.
    let doors = doors.iter().flat_map(|d| {
        let of =
            move |door: usize| Kept { cycles: 1000.0 / d.rates[door], p50: d.latency[door][1], p100: None };
        let name =
            move |door: usize| if door == 0 { d.name.clone() } else { format!("{}, door {door}", d.name) };
        d.served().map(move |door| (name(door), of(door)))
    });
    rows.chain(storms).chain(worst).chain(doors).collect()
}

/// The rows that are slower than what is committed, or not in it, in words. The longest of hits may not grow at all.
pub fn fallen(now: &AllKept, kept: &AllKept) -> Vec<String> {
    let fell = |(name, now): (&String, &Kept)| {
        let Some(before) = kept.get(name) else { return Some(format!("{name}: no bound is committed")) };
        if now.cycles > before.cycles * TOLERANCE {
            let (now, before) = (now.cycles, before.cycles);
            return Some(format!("{name}: {now:.3} cycles per request, {before:.3} are committed"));
        }
        if now.p50 as f64 > before.p50 as f64 * TOLERANCE {
            return Some(format!("{name}: p50 of {} cycles, {} are committed", now.p50, before.p50));
        }
        match (now.p100, before.p100) {
            (Some(now), Some(before)) if now > before => {
                Some(format!("{name}: a hit took {now} cycles, {before} at most are committed"))
            }
            (Some(_), None) => Some(format!("{name}: no longest hit is committed")),
            _ => None,
        }
    };
    now.iter().filter_map(fell).collect()
}

/// The rows that show a bound to be none, in words: they are faster than it; or their request was alone on the board, whose way as built is
/// then the bound, and took another time.
pub fn refuted(rows: &[Row], all: &[Measured]) -> Vec<String> {
    let refutes = |(row, m): (&Row, &Measured)| {
        // Rows of the long form alone are curves, on which requests differ.
        let exact = row.window == 1 && row.form == Form::Short;
        let off = if row.hit_rate > 0.0 { AT_RANDOM } else { EXACT };
        let built = m.built.share > 1.0 + off || (exact && m.built.share < 1.0 - EXACT);
        // What follows from a goal may be beaten.
        let asked = !m.bound.goal && m.bound.share > 1.0 + off;
        let bound = if asked { &m.bound } else { &m.built };
        (built || asked).then(|| {
            let cycles = bound.cycles_per_request;
            format!("{}: {:.3} cycles per request, its bound is {cycles:.3}", m.name, m.cycles_per_request)
        })
    };
    rows.iter().zip(all).filter_map(refutes).collect()
}

/// Something that is asked of a row.
pub struct Verdict {
    /// In words.
    pub asked: String,
    /// Whether it is so.
    pub met: bool,
    /// Missing it fails.
    pub must: bool,
    /// What there is instead.
    pub instead: String,
}

/// What stays below its goal, in words: rows, storms, recycling. First what fails, then what is only said.
pub fn missed(
    rows: &[Row],
    all: &[Measured],
    storms: &[Storm],
    recycling: &Recycling,
) -> (Vec<String>, Vec<String>) {
    let of_row = |(row, m): (&Row, &Measured)| {
        let found = verdict(row, m, all).into_iter().filter(|found| !found.met);
        let words = |found: Verdict| (found.must, format!("{}: {}, {}", m.name, found.instead, found.asked));
        found.map(words).collect::<Vec<_>>()
    };
    let below = |share: f64, name: &str| {
        let words = format!("{name}: {:.1}%", 100.0 * share);
        let must = (share < SHARE).then(|| (true, format!("{words} of the bound, 98%")));
        let idle = (share < BUSY).then(|| (false, format!("{words}, < 1% idle")));
        must.into_iter().chain(idle)
    };
    let storms = storms.iter().flat_map(|storm| below(storm.share, &storm.name));
    let recycled = below(recycling.beats_per_page / recycling.cycles_per_page, "recycling");
    let all = rows.iter().zip(all).flat_map(of_row).chain(storms).chain(recycled);
    let (must, said): (Vec<_>, Vec<_>) = all.partition(|(must, _)| *must);
    let words = |list: Vec<(bool, String)>| list.into_iter().map(|(_, words)| words).collect();
    (words(must), words(said))
}

/// What is asked of a row, and whether it is so. Nothing for a point of a curve.
pub fn verdict(row: &Row, m: &Measured, all: &[Measured]) -> Vec<Verdict> {
    let (reached, share) = (m.built.share >= SHARE, format!("{:.1}%", 100.0 * m.built.share));
    let built = |asked: String, met: bool, instead: String| Verdict { asked, met, must: true, instead };
    let mut found = match row.goal {
        Goal::OfBound => vec![built("98%".into(), reached, share)],
        Goal::Gbit(least) => {
            let met = reached && m.gbit_per_second >= least;
            vec![built(format!("98%, {least} Gbit/s"), met, share)]
        }
        Goal::Millions(least) => {
            let met = reached && m.millions_per_second >= least;
            vec![built(format!("98%, {least} M/s"), met, share)]
        }
        Goal::Cycles(most) => {
            let p50 = m.latency[1];
            vec![built(format!("p50 of {most} cycles"), p50 <= most, format!("{p50}"))]
        }
        Goal::Like(name) => {
            let base = all.iter().find(|other| other.name == name).map_or(0.0, |m| m.cycles_per_request);
            let met = (m.cycles_per_request / base - 1.0).abs() <= ALIKE;
            let cycles = format!("{:.3} cycles", m.cycles_per_request);
            vec![built("within 1% of 1 process, 2 GB".into(), met, cycles)]
        }
        Goal::HitsLike(name) => {
            let alone = all.iter().find(|other| other.name == name).map_or([0; 4], |m| m.hot_latency);
            let within = |what: &str, of: usize| {
                let (alone, beside) = (alone[of], m.hot_latency[of]);
                let asked = format!("{what} of hits, {beside}, within {BESIDE} × {alone} cycles");
                built(asked, beside as f64 <= BESIDE * alone as f64, format!("{beside}"))
            };
            vec![within("p99", 2), within("longest", 3), built("98% of misses".into(), reached, share)]
        }
        Goal::Curve => Vec::new(),
    };
    if m.bound.port && matches!(row.goal, Goal::OfBound | Goal::Gbit(_) | Goal::Millions(_)) {
        let share = m.bound.share;
        let instead = format!("{:.1}%", 100.0 * share);
        found.push(Verdict { asked: "< 1% idle".into(), met: share >= BUSY, must: false, instead });
    }
    found
}
