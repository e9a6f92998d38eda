//! The table of the RDMA port's figures, beside the design's goals and the paper's numbers. Ends with 1 when a goal is missed.
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use mneme_rdma_world::{BenchOptions, Row, bench};
use serde::Deserialize;

/// What needs something else.
const NOT_MEASURED: &[(&str, &str)] = &[
    (
        "cycles of requests, line rate of packets of 1 KB",
        "the RTL: the program rdma-cycles, which `cargo xtask rdma-bench` runs, too",
    ),
    (
        "size on the ZCU106 (<= 12% LUT, 10% BRAM, 20% URAM)",
        "Yosys: `cargo xtask synth`; docs/reference/rdma-port.md",
    ),
    ("times, RNR, CNP and PFC of a ConnectX at 100 Gbit/s", "a ConnectX: packaging/rdma/connectx.sh"),
];

/// Figures of the RDMA port in virtual time.
#[derive(Parser)]
#[command(name = "rdma-bench")]
struct Options {
    /// Requests of each client in a rate
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    requests: u64,
    /// Requests of a client at a time
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=16))]
    depth: u64,
    /// Pages of each program, of which half are local: a power of two
    #[arg(long, default_value_t = 1024, value_parser = pages)]
    pages: usize,
    /// Where the programs' data comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file for JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// JSON of an earlier run: other figures than there fail
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Goals that were missed there are told, and fail nothing
    #[arg(long, requires = "known")]
    excuse: bool,
    /// Print rows with goals alone
    #[arg(long)]
    goals: bool,
}

fn pages(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(pages) if pages.is_power_of_two() && (64..=65_536).contains(&pages) => Ok(pages),
        _ => Err("a power of two, 64 to 65536".to_owned()),
    }
}

fn main() -> Result<()> {
    let options = Options::parse();
    let all = BenchOptions {
        requests: options.requests,
        depth: options.depth as usize,
        pages: options.pages,
        seed: options.seed,
    };
    let rows = bench(&all).map_err(|failure| anyhow::anyhow!("{failure}"))?;
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED).set_header([
        "figure",
        "measured",
        "goal",
        "",
        "ODRP's paper",
    ]);
    for row in rows.iter().filter(|row| !options.goals || row.met.is_some()) {
        let word = row.met.map_or("", |met| if met { "met" } else { "MISSED" });
        table.add_row([
            row.figure.clone(),
            format!("{}{}", number(row.value), unit(row)),
            row.goal.clone(),
            word.into(),
            row.paper.into(),
        ]);
    }
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    println!(
        "Virtual time: docs/reference/rdma.md says what the model charges and what it leaves out. Not measured:"
    );
    for (figure, needs) in NOT_MEASURED {
        println!("  {figure}: needs {needs}");
    }
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(&json(&options, &rows))?;
        std::fs::write(path, text + "\n").with_context(|| format!("writing {}", path.display()))?;
    }
    judge(&options, &rows)
}

/// Fails when a goal is missed that is not known to be, or when a figure is not what it was.
fn judge(options: &Options, rows: &[Row]) -> Result<()> {
    let known = options.known.as_deref().map(Known::read).transpose()?;
    let excused = |figure: &str| {
        let known = known.as_ref().filter(|_| options.excuse);
        known.is_some_and(|known| known.rows.iter().any(|row| row.figure == figure && row.met == Some(false)))
    };
    let missed = rows.iter().filter(|row| row.met == Some(false)).map(|row| row.figure.as_str());
    let (old, new): (Vec<&str>, Vec<&str>) = missed.partition(|figure| excused(figure));
    let goals = rows.iter().filter(|row| row.met.is_some()).count();
    if !old.is_empty() {
        println!("Missed, as is known:\n  {}", old.join("\n  "));
    }
    let others = match &known {
        Some(known) if known.seed == options.seed => known.differences(options, rows)?,
        Some(known) => {
            println!("Figures of seed {} are known, which these are not compared with.", known.seed);
            Vec::new()
        }
        None => Vec::new(),
    };
    ensure!(new.is_empty(), "{} of {goals} goals are missed:\n  {}", new.len(), new.join("\n  "));
    ensure!(
        others.is_empty(),
        "{} figures are not what is known of them (`cargo xtask rdma-bench --update`, with --short, too, if they are right):\n  {}",
        others.len(),
        others.join("\n  ")
    );
    println!("{} of {goals} goals are met.", goals - old.len());
    Ok(())
}

/// What an earlier run has written.
#[derive(Deserialize)]
struct Known {
    requests: u64,
    depth: u64,
    pages: usize,
    seed: u64,
    rows: Vec<KnownRow>,
}

#[derive(Deserialize)]
struct KnownRow {
    figure: String,
    value: f64,
    met: Option<bool>,
}

impl Known {
    fn read(path: &Path) -> Result<Known> {
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is not what this writes", path.display()))
    }
    /// Rows that have another value than an earlier run of the same options has found, and those that only one of both has. Time is
    /// virtual: each machine finds the same.
    fn differences(&self, options: &Options, rows: &[Row]) -> Result<Vec<String>> {
        ensure!(
            (self.requests, self.depth, self.pages) == (options.requests, options.depth, options.pages),
            "the known figures are of {} requests, {} at a time, and {} pages",
            self.requests,
            self.depth,
            self.pages
        );
        let new = rows.iter().filter_map(|row| match self.rows.iter().find(|own| own.figure == row.figure) {
            None => Some(format!("{}: {}, which is new", row.figure, number(row.value))),
            Some(own) if differ(own.value, row.value) => {
                Some(format!("{}: was {}, is {}", row.figure, own.value, row.value))
            }
            Some(_) => None,
        });
        let is_gone = |own: &&KnownRow| rows.iter().all(|row| row.figure != own.figure);
        let gone = self.rows.iter().filter(is_gone).map(|own| format!("{}: is gone", own.figure));
        Ok(new.chain(gone).collect())
    }
}

/// Whether values differ by more than their last digits, which JSON may have rounded.
fn differ(a: f64, b: f64) -> bool {
    (a - b).abs() > 1e-9 * a.abs().max(b.abs())
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 || value == 0.125 || value == 0.25 {
        format!("{value}")
    } else {
        format!("{value:.2}")
    }
}

fn unit(row: &Row) -> String {
    match row.unit {
        "" | "%" => row.unit.to_owned(),
        unit => format!(" {unit}"),
    }
}

fn json(options: &Options, rows: &[Row]) -> serde_json::Value {
    let rows: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            serde_json::json!({
                "figure": row.figure, "value": row.value, "unit": row.unit,
                "goal": row.goal, "met": row.met, "paper": row.paper,
            })
        })
        .collect();
    let not: Vec<serde_json::Value> = NOT_MEASURED
        .iter()
        .map(|(figure, needs)| serde_json::json!({ "figure": figure, "needs": needs }))
        .collect();
    serde_json::json!({
        "requests": options.requests, "depth": options.depth, "pages": options.pages, "seed": options.seed,
        "rows": rows, "not_measured": not,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(figure: &str, value: f64, met: Option<bool>) -> Row {
        Row { figure: figure.into(), value, unit: "", goal: String::new(), met, paper: "" }
    }

    /// What is said of these rows beside known ones: a met goal, a missed one, and one without.
    fn said(rows: &[Row], arguments: &[&str]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.json");
        let text = |options: &Options| json(options, &known()).to_string();
        let all = ["rdma-bench", "--known", path.to_str().unwrap()];
        let options = Options::parse_from(all.iter().chain(arguments));
        let written = Options::parse_from(["rdma-bench"]);
        std::fs::write(&path, text(&written)).unwrap();
        judge(&options, rows).map_or_else(|error| error.to_string(), |()| "well".into())
    }

    fn known() -> Vec<Row> {
        vec![row("met", 1.0, Some(true)), row("missed", 20.98, Some(false)), row("time", 434.4, None)]
    }

    #[test]
    fn known_figures_pass_and_others_fail() {
        assert_eq!(said(&known(), &["--excuse"]), "well");
        assert!(said(&known(), &[]).starts_with("1 of 2 goals are missed"));
        for (at, value, word) in
            [(1, 200.0, "missed: was 20.98, is 200"), (2, 434.5, "time: was 434.4, is 434.5")]
        {
            let mut rows = known();
            rows[at].value = value;
            let said = said(&rows, &["--excuse"]);
            assert!(said.contains(word), "{said}");
        }
        assert!(said(&known()[..2], &["--excuse"]).contains("time: is gone"));
        let more: Vec<Row> = known().into_iter().chain([row("another", 1.0, None)]).collect();
        assert!(said(&more, &["--excuse"]).contains("another: 1, which is new"));
        let mut rows = known();
        rows[0].met = Some(false);
        assert!(said(&rows, &["--excuse"]).starts_with("1 of 2 goals are missed"));
    }

    #[test]
    fn figures_of_other_options_are_not_compared() {
        let mut rows = known();
        rows[2].value = 1.0;
        assert_eq!(said(&rows, &["--excuse", "--seed=2"]), "well");
        assert!(
            said(&rows, &["--excuse", "--pages=64"]).starts_with("the known figures are of 20000 requests")
        );
    }
}
