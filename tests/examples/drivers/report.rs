//! The figures: means with confidence intervals, as a table and as JSON.
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::fmt;

use crate::ways::Way;

/// What raw drivers should reach against plain UDP, by depth.
const GOALS: [(usize, f64); 2] = [(1, 1.2), (16, 1.5)];
/// Student's t for 95%, two-sided, by degrees of freedom from 1 on; beyond, the normal distribution's.
const STUDENT: [f64; 15] =
    [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13];

/// What was measured of one way at one depth: round trips per second, one figure a round.
pub struct Row {
    pub way: Way,
    pub depth: usize,
    pub rates: Vec<f64>,
    pub failed: Option<String>,
}

/// A mean, and the half of its 95% confidence interval.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Mean {
    pub mean: f64,
    pub confidence: f64,
}

impl Mean {
    fn of(samples: &[f64]) -> Option<Mean> {
        let count = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / count;
        let freedom = samples.len().checked_sub(1)?;
        let variance =
            samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / freedom.max(1) as f64;
        let t = freedom.checked_sub(1).and_then(|at| STUDENT.get(at)).copied().unwrap_or(1.96);
        Some(Mean { mean, confidence: t * (variance / count).sqrt() })
    }
}

/// A line of the table.
#[derive(Debug, Serialize)]
pub struct Figure {
    way: &'static str,
    depth: usize,
    /// Round trips per second.
    rate: Option<Mean>,
    /// Against plain UDP, awake, of the same round.
    ratio: Option<Mean>,
    raw: bool,
    failed: Option<String>,
}

/// All figures, and how the best raw driver stands to its goal.
#[derive(Debug, Serialize)]
pub struct Figures {
    bytes: usize,
    rounds: usize,
    figures: Vec<Figure>,
    goals: Vec<Goal>,
}

#[derive(Debug, Serialize)]
struct Goal {
    depth: usize,
    goal: f64,
    best: &'static str,
    reached: f64,
}

impl Figures {
    pub fn of(rows: &[Row]) -> Figures {
        let plain = |depth| rows.iter().find(|row| row.depth == depth && row.way == Way::Plain);
        let figures: Vec<Figure> = rows
            .iter()
            .map(|row| {
                let ratios: Vec<f64> = plain(row.depth)
                    .map(|plain| {
                        row.rates.iter().zip(&plain.rates).map(|(rate, plain)| rate / plain).collect()
                    })
                    .unwrap_or_default();
                Figure {
                    way: row.way.name(),
                    depth: row.depth,
                    rate: Mean::of(&row.rates),
                    ratio: Mean::of(&ratios),
                    raw: row.way.is_raw(),
                    failed: row.failed.clone(),
                }
            })
            .collect();
        let goals = GOALS.iter().filter_map(|(depth, goal)| {
            let raw = figures.iter().filter(|figure| figure.depth == *depth && figure.raw);
            let ratio = |figure: &&Figure| figure.ratio.map_or(0.0, |ratio| ratio.mean);
            let best = raw.max_by(|a, b| ratio(a).total_cmp(&ratio(b)))?;
            Some(Goal { depth: *depth, goal: *goal, best: best.way, reached: ratio(&best) })
        });
        let goals = goals.collect();
        let rounds = rows.iter().map(|row| row.rates.len()).max().unwrap_or(0);
        Figures { bytes: crate::BYTES, rounds, figures, goals }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Ping-pong of {} bytes over veth, both ends awake, {} rounds:", self.bytes, self.rounds)?;
        let mut table = Table::new();
        table.load_preset(presets::UTF8_FULL_CONDENSED);
        table.set_header(["depth", "way", "round trips/s", "± 95%", "µs each", "against plain", "± 95%"]);
        for figure in &self.figures {
            let cell = |value: Option<Mean>, of: &dyn Fn(Mean) -> String| value.map_or("–".into(), of);
            let reason = figure.failed.clone().unwrap_or_default();
            table.add_row([
                figure.depth.to_string(),
                format!("{} {reason}", figure.way),
                cell(figure.rate, &|rate| format!("{:.0}", rate.mean)),
                cell(figure.rate, &|rate| format!("{:.0}", rate.confidence)),
                cell(figure.rate, &|rate| format!("{:.2}", figure.depth as f64 * 1e6 / rate.mean)),
                cell(figure.ratio, &|ratio| format!("{:.2}", ratio.mean)),
                cell(figure.ratio, &|ratio| format!("{:.2}", ratio.confidence)),
            ]);
        }
        for column in [0, 2, 3, 4, 5, 6] {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        writeln!(f, "{table}")?;
        for goal in &self.goals {
            let word = if goal.reached >= goal.goal { "reached" } else { "missed" };
            writeln!(
                f,
                "depth {}: best raw driver {} at {:.2} × plain UDP, goal {:.1} {word}",
                goal.depth, goal.best, goal.reached, goal.goal
            )?;
        }
        Ok(())
    }
}
