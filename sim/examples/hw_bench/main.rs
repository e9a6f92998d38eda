//! What the hardware reaches under load, beside what could be reached: a table, JSON, and curves.
//!
//! `cargo xtask hw-bench` runs it. Board cycles are exact: the same RTL gives the same figures on every machine.
mod curves;
mod host;
mod judge;
mod measure;
mod report;
mod rows;
mod speed;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Parser;
use measure::{Measured, Recycling};
use mneme_sim::RtlConfig;
use rows::{Form, Row};
use serde::Serialize;
use speed::Speed;

/// What is committed: bounds, table, curves.
const BOUNDS: &str = "bounds.json";
const TABLE: &str = "table.md";

/// Measures the Verilated board at line rate, and fails when a row is slower than what is committed.
#[derive(Parser)]
struct Arguments {
    /// The rows that CI runs, alone.
    #[arg(long)]
    short: bool,
    /// Writes bounds, table and curves anew instead of comparing; needs all rows.
    #[arg(long, conflicts_with = "short")]
    update: bool,
    /// The folder of bounds, table and curves.
    #[arg(long, default_value = "docs/hw-bench")]
    folder: PathBuf,
}

#[derive(Serialize)]
struct Json<'a> {
    rows: &'a [Measured],
    recycling: &'a Recycling,
    simulation: &'a [Speed],
}

fn print(rows: &[Row], all: &[Measured], recycling: &Recycling, speeds: &[Speed]) -> Result<()> {
    println!("{}", report::table(rows, all));
    println!("{}", report::recycling(recycling));
    for speed in speeds {
        println!(
            "simulation of {} on one thread of this machine: {:.2} M cycles/s without traffic, {:.2} M cycles/s and {:.0} reads/s saturated by 16 B reads",
            speed.board,
            speed.idle_cycles_per_second / 1e6,
            speed.busy_cycles_per_second / 1e6,
            speed.reads_per_second
        );
    }
    println!("\n{}", serde_json::to_string(&Json { rows: all, recycling, simulation: speeds })?);
    Ok(())
}

fn run(arguments: &Arguments) -> Result<()> {
    let rows = rows::rows(if arguments.short { Form::Short } else { Form::Long });
    let all = rows.iter().map(measure::measure).collect::<Result<Vec<_>>>()?;
    let recycling = measure::recycling(rows::FAULTS)?;
    let speeds = [RtlConfig::Sim, rows::BOARD].map(speed::measure).into_iter().collect::<Result<Vec<_>>>()?;
    print(&rows, &all, &recycling, &speeds)?;
    let bounds = arguments.folder.join(BOUNDS);
    if arguments.update {
        std::fs::create_dir_all(&arguments.folder)?;
        std::fs::write(&bounds, serde_json::to_string_pretty(&judge::keep(&all))? + "\n")?;
        let page = format!("{}\n\n{}\n", report::table(&rows, &all), report::recycling(&recycling));
        std::fs::write(arguments.folder.join(TABLE), page)?;
        return curves::draw_all(&arguments.folder, &all).context("the curves");
    }
    let fallen = judge::fallen(&all, &judge::read(&bounds)?);
    if !fallen.is_empty() {
        bail!(
            "slower than what is committed:\n  {}\nif that is meant: `cargo xtask hw-bench --update`",
            fallen.join("\n  ")
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
