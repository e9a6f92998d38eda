//! What requests of RDMA clients take on the Verilated board, beside the design's goals and ODRP's paper.
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use mneme_differential::roce::{Figure, measure};

/// Cycles and line rate of the RDMA port of the Verilated board *rdma*. What it measures is always the same, whatever the machine.
#[derive(Debug, Parser)]
struct Options {
    /// Cycles that memory takes, beyond the next one
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=10_000))]
    memory: u32,
    /// The file for JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// JSON of an earlier run: a figure that is another one now is an error
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let all = measure(options.memory)?;
    let mut table = Table::new();
    let head = ["request", "measured", "goal", "", "ODRP's paper"];
    table.load_preset(presets::UTF8_FULL_CONDENSED).set_header(head);
    for figure in &all {
        let word = figure.met().map_or("", |met| if met { "met" } else { "MISSED" });
        let goal = figure.goal.map(|goal| goal.to_string()).unwrap_or_default();
        let value = format!("{} {}", rounded(figure.value), figure.unit);
        table.add_row([figure.name, &value, &goal, word, figure.paper]);
    }
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    println!(
        "The RTL's board rdma, memory answers {} cycles after the next one; goals are cycles at most, Gbit/s at least.",
        options.memory
    );
    let text = json(options.memory, &all)? + "\n";
    if let Some(path) = &options.json {
        std::fs::write(path, &text).with_context(|| format!("writing {}", path.display()))?;
    }
    if let Some(path) = &options.known {
        let known = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        ensure!(
            known == text,
            "{} has other figures: `cargo xtask rdma-bench --update` writes these",
            path.display()
        );
    }
    Ok(())
}

fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn json(memory: u32, all: &[Figure]) -> Result<String> {
    let rows = all.iter().map(|figure| {
        serde_json::json!({
            "figure": figure.name, "value": rounded(figure.value), "unit": figure.unit,
            "goal": figure.goal, "met": figure.met(), "paper": figure.paper,
        })
    });
    Ok(serde_json::to_string_pretty(
        &serde_json::json!({ "memory": memory, "rows": rows.collect::<Vec<_>>() }),
    )?)
}
