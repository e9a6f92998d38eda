//! The table of the RDMA port's figures, beside the design's goals and the paper's numbers. Ends with 1 when a goal is missed.
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use mneme_rdma_world::{BenchOptions, Row, bench};

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
    /// JSON of an earlier run: goals that were missed there are told, and fail nothing
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
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

/// Fails when a goal is missed that is not known to be.
fn judge(options: &Options, rows: &[Row]) -> Result<()> {
    let known = match &options.known {
        Some(path) => missed_before(path)?,
        None => Vec::new(),
    };
    let missed = || rows.iter().filter(|row| row.met == Some(false)).map(|row| row.figure.as_str());
    let (old, new): (Vec<&str>, Vec<&str>) =
        missed().partition(|figure| known.iter().any(|own| own == figure));
    let goals = rows.iter().filter(|row| row.met.is_some()).count();
    if !old.is_empty() {
        println!("Missed, as is known:\n  {}", old.join("\n  "));
    }
    ensure!(new.is_empty(), "{} of {goals} goals are missed:\n  {}", new.len(), new.join("\n  "));
    println!("{} of {goals} goals are met.", goals - old.len());
    Ok(())
}

/// Figures whose goals an earlier run has missed.
fn missed_before(path: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let all: serde_json::Value =
        serde_json::from_str(&text).with_context(|| format!("{}", path.display()))?;
    let rows = all["rows"].as_array().with_context(|| format!("{} has no rows", path.display()))?;
    let missed = rows.iter().filter(|row| row["met"] == false);
    Ok(missed.filter_map(|row| row["figure"].as_str().map(str::to_owned)).collect())
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
