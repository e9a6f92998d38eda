//! What parts measure, in one form: tables, plots, goals. As text for people, as JSON for programs; `html` makes the report.
use std::fmt;

use crate::goal::exit_code;
pub use crate::goal::{Bound, Verdict};
use comfy_table::{CellAlignment, presets};
use serde::Serialize;

use crate::statistics::Mean;

/// What a part has measured.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// The part's name on the command line.
    pub part: String,
    /// What was measured, and how.
    pub about: String,
    /// What people read.
    pub tables: Vec<Table>,
    /// What the report draws.
    pub plots: Vec<Plot>,
    /// What was asked for, beside what was measured.
    pub goals: Vec<Goal>,
}

impl Figures {
    /// Of a part that has measured nothing yet.
    pub fn new(part: &str, about: impl Into<String>) -> Figures {
        let (tables, plots, goals) = Default::default();
        Figures { part: part.into(), about: about.into(), tables, plots, goals }
    }
}

/// Rows beneath a title.
#[derive(Debug, Serialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Their titles.
    pub columns: Vec<String>,
    /// As many cells as there are columns, each.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Without rows.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Table {
        let columns = columns.iter().map(|column| column.to_string()).collect();
        Table { title: title.into(), columns, rows: Vec::new() }
    }
}

/// What stands in a table.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A count.
    Whole(u64),
    /// A figure.
    Number(f64),
    /// A figure and its confidence.
    Mean(Mean),
    /// Could not be measured.
    None,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.into())
    }
}
impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}
impl From<usize> for Cell {
    fn from(number: usize) -> Cell {
        Cell::Whole(number as u64)
    }
}
impl From<u64> for Cell {
    fn from(number: u64) -> Cell {
        Cell::Whole(number)
    }
}
impl From<f64> for Cell {
    fn from(number: f64) -> Cell {
        Cell::Number(number)
    }
}
impl From<Option<Mean>> for Cell {
    fn from(mean: Option<Mean>) -> Cell {
        mean.map_or(Cell::None, Cell::Mean)
    }
}

/// A number with as many digits as it is worth: three of them count.
pub fn short(number: f64) -> String {
    match number.abs() {
        size if size.is_infinite() || size.is_nan() => "?".into(),
        size if size >= 100.0 => grouped(number.round() as i64),
        size if size >= 10.0 => format!("{number:.1}"),
        size if size >= 1.0 || size == 0.0 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

/// Thousands apart.
fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Text(text) => f.write_str(text),
            Cell::Whole(number) => write!(f, "{number}"),
            Cell::Number(number) => f.write_str(&short(*number)),
            Cell::Mean(mean) => write!(f, "{} ± {}", short(mean.mean), short(mean.confidence)),
            Cell::None => f.write_str("–"),
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = comfy_table::Table::new();
        table.load_preset(presets::UTF8_FULL_CONDENSED).set_header(&self.columns);
        for row in &self.rows {
            table.add_row(row.iter().map(Cell::to_string));
        }
        let numbers = |at: usize| self.rows.iter().any(|row| !matches!(row.get(at), Some(Cell::Text(_))));
        for at in (0..self.columns.len()).filter(|at| numbers(*at)) {
            if let Some(column) = table.column_mut(at) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        write!(f, "{}\n{table}", self.title)
    }
}

/// An axis of a plot.
#[derive(Debug, Clone, Serialize)]
pub struct Axis {
    /// What is measured, and in what unit.
    pub label: String,
    /// Logarithmic, with a mark at every power of this number.
    pub powers_of: Option<f64>,
}

impl Axis {
    /// The same step everywhere.
    pub fn linear(label: &str) -> Axis {
        Axis { label: label.into(), powers_of: None }
    }
    /// With a mark at every power of a number.
    pub fn powers(of: f64, label: &str) -> Axis {
        Axis { label: label.into(), powers_of: Some(of) }
    }
}

/// A line of a plot.
#[derive(Debug, Serialize)]
pub struct Series {
    /// What it is called.
    pub name: String,
    /// Its points from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Lines over the same axes.
#[derive(Debug, Serialize)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
}

/// A goal, what was measured, and what that says.
#[derive(Debug, Serialize)]
pub struct Goal {
    /// What it is called.
    pub name: String,
    /// What is asked for.
    pub bound: Bound,
    /// Of bound and figure.
    pub unit: &'static str,
    /// What was measured, if anything.
    pub measured: Option<Mean>,
    /// What that says.
    pub verdict: Verdict,
}

impl Goal {
    /// Judges what was measured.
    pub fn new(name: impl Into<String>, bound: Bound, unit: &'static str, measured: Option<Mean>) -> Goal {
        let verdict = Verdict::of(bound, measured.map(|Mean { mean, confidence }| (mean, confidence)));
        Goal { name: name.into(), bound, unit, measured, verdict }
    }
    /// What is asked for, in words.
    pub fn asked(&self) -> String {
        match self.bound {
            Bound::AtLeast(least) => format!("at least {}{}", short(least), self.unit),
            Bound::AtMost(most) => format!("at most {}{}", short(most), self.unit),
        }
    }
    /// What was measured, in words.
    pub fn measured(&self) -> String {
        self.measured.map_or("–".into(), |mean| format!("{}{}", Cell::Mean(mean), self.unit))
    }
}

/// The goals of several parts.
pub fn goals<'a>(goals: impl IntoIterator<Item = &'a Goal>) -> Table {
    let mut table = Table::new("Goals", &["goal", "asked", "measured (± 95%)", ""]);
    let rows = goals.into_iter();
    table.rows.extend(rows.map(|goal| {
        vec![
            goal.name.clone().into(),
            goal.asked().into(),
            goal.measured().into(),
            goal.verdict.words().into(),
        ]
    }));
    table
}

/// Names what was missed and what could not be measured, on standard error; the exit code.
pub fn judged<'a>(goals: impl IntoIterator<Item = &'a Goal>, failed: &[String]) -> u8 {
    let goals: Vec<&Goal> = goals.into_iter().collect();
    let named = |wanted: &dyn Fn(Verdict) -> bool| -> Vec<&str> {
        goals.iter().filter(|goal| wanted(goal.verdict)).map(|goal| goal.name.as_str()).collect()
    };
    let lists = [
        ("parts that failed", failed.iter().map(String::as_str).collect()),
        ("goals missed", named(&|verdict| verdict == Verdict::Missed)),
        ("goals not measured", named(&|verdict| matches!(verdict, Verdict::NotMeasured(_)))),
    ];
    for (what, names) in lists.iter().filter(|(_, names)| !names.is_empty()) {
        eprintln!("{what}: {}", names.join("; "));
    }
    if failed.is_empty() { exit_code(goals.iter().map(|goal| goal.verdict)) } else { 1 }
}

/// What the figures were measured on.
pub fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let information = read("/proc/cpuinfo");
    let model = information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{processors} processors ({}), Linux {}",
        model.map_or("unknown", |(_, name)| name),
        read("/proc/sys/kernel/osrelease").trim()
    )
}

/// Runnable programs in the last minute, on average.
pub fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("unknown").to_owned()
}
