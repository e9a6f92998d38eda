//! What the hardware reaches under load, beside what could be reached: a table, JSON, and curves.
//!
//! `cargo xtask hw-bench` runs it. Board cycles are exact: the same RTL gives the same figures on every machine.
mod bound;
mod curves;
mod device;
mod doors;
mod host;
mod judge;
mod measure;
mod report;
mod rows;
mod speed;
mod stages;
mod storm;
mod times;
mod worst;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use doors::Doors;
use measure::{Measured, Recycling};
use mneme_rtl::RtlConfig;
use rows::{Form, Row};
use serde::Serialize;
use speed::Speed;
use stages::Breakdown;
use storm::Storm;
use worst::Worst;

/// What is committed: bounds, table, curves.
const BOUNDS: &str = "bounds.json";
const TABLE: &str = "table.md";

/// Measures the Verilated board at line rate, and fails when a row is slower than what is committed, or misses its goal.
#[derive(Parser)]
struct Arguments {
    /// The rows that CI runs, alone.
    #[arg(long)]
    short: bool,
    /// The rows whose names contain this, alone: a quick look, which compares with nothing that is committed.
    #[arg(long, value_name = "TEXT", conflicts_with = "short")]
    rows: Option<String>,
    /// Writes bounds, table and curves anew instead of comparing; needs all rows.
    #[arg(long, conflicts_with_all = ["short", "rows"])]
    update: bool,
    /// The folder of bounds, table and curves.
    #[arg(long, default_value = "docs/reference/figures/hw-bench")]
    folder: PathBuf,
}

/// Everything that was measured.
#[derive(Serialize)]
struct Everything {
    rows: Vec<Measured>,
    stages: Vec<Breakdown>,
    hits_under_load: Vec<Worst>,
    storms: Vec<Storm>,
    doors: Vec<Doors>,
    recycling: Recycling,
    simulation: Vec<Speed>,
}

impl Everything {
    fn measure(rows: &[Row], form: Form) -> Result<Everything> {
        let speeds = [RtlConfig::Sim, rows::BOARD].map(speed::measure);
        Ok(Everything {
            rows: rows.iter().map(measure::measure).collect::<Result<_>>()?,
            stages: stages::breakdowns(form)?,
            hits_under_load: worst::all(form)?,
            storms: storm::storms(form)?,
            doors: doors::all()?,
            recycling: measure::recycling(rows::FAULTS)?,
            simulation: speeds.into_iter().collect::<Result<_>>()?,
        })
    }
    /// What depends on the board alone, as Markdown.
    fn page(&self, rows: &[Row]) -> String {
        let storms = self.storms.iter().map(|s| storm::words(s) + "\n\n").collect::<String>();
        [
            report::table(rows, &self.rows),
            stages::table(&self.stages),
            self.hits_under_load.iter().map(worst::words).collect::<Vec<_>>().join("\n\n"),
            storms + &report::recycling(&self.recycling),
            doors::table(&self.doors),
        ]
        .join("\n\n")
    }
    fn print(&self, rows: &[Row]) -> Result<()> {
        println!("{}", self.page(rows));
        for speed in &self.simulation {
            println!(
                "simulation of {} on one thread of this machine: {:.2} M cycles/s without traffic, {:.2} M cycles/s and {:.0} reads/s saturated by 16 B reads",
                speed.board,
                speed.idle_cycles_per_second / 1e6,
                speed.busy_cycles_per_second / 1e6,
                speed.reads_per_second
            );
        }
        println!("\n{}", serde_json::to_string(self)?);
        Ok(())
    }
}

/// Rows of a table alone, and what they say of the pipeline's bounds and of their goals.
fn look(text: &str) -> Result<()> {
    let mut rows = rows::rows(Form::Long);
    rows.retain(|row| row.name.contains(text));
    ensure!(!rows.is_empty(), "no row has \"{text}\" in its name");
    let all = rows.iter().map(measure::measure).collect::<Result<Vec<_>>>()?;
    println!("{}\n\n{}", report::table(&rows, &all), serde_json::to_string(&all)?);
    let refuted = judge::refuted(&rows, &all);
    ensure!(
        refuted.is_empty(),
        "what docs/reference/pipeline.md derives does not hold:\n  {}",
        refuted.join("\n  ")
    );
    let unmet: Vec<_> = rows.iter().zip(&all).flat_map(|(row, m)| judge::verdict(row, m, &all)).collect();
    for verdict in unmet.iter().filter(|verdict| !verdict.met) {
        println!("not met: {}, but {}", verdict.asked, verdict.instead);
    }
    Ok(())
}

fn run(arguments: &Arguments) -> Result<()> {
    if let Some(text) = &arguments.rows {
        return look(text);
    }
    let form = if arguments.short { Form::Short } else { Form::Long };
    let rows = rows::rows(form);
    let all = Everything::measure(&rows, form)?;
    all.print(&rows)?;
    let mut refuted = judge::refuted(&rows, &all.rows);
    refuted.extend(all.hits_under_load.iter().filter_map(worst::broken));
    if !refuted.is_empty() {
        bail!("what docs/reference/pipeline.md derives does not hold:\n  {}", refuted.join("\n  "));
    }
    let (mut missed, below) = judge::missed(&rows, &all.rows, &all.storms, &all.recycling);
    missed.extend(all.doors.iter().filter_map(doors::missed));
    let words =
        |what: &str, rows: &[String]| rows.iter().map(|row| format!("\n  {what}: {row}")).collect::<String>();
    println!("{}", words("below the architecture's goal", &below));
    let missed = words("goal missed", &missed);
    let bounds = arguments.folder.join(BOUNDS);
    if arguments.update {
        std::fs::create_dir_all(&arguments.folder)?;
        let kept = judge::keep(&rows, &all.rows, &all.storms, &all.hits_under_load, &all.doors);
        std::fs::write(&bounds, serde_json::to_string_pretty(&kept)? + "\n")?;
        std::fs::write(arguments.folder.join(TABLE), all.page(&rows))?;
        println!("{missed}");
        return curves::draw_all(&arguments.folder, &all.rows).context("the curves");
    }
    let now = judge::keep(&rows, &all.rows, &all.storms, &all.hits_under_load, &all.doors);
    let fallen = judge::fallen(&now, &judge::read(&bounds)?);
    if !fallen.is_empty() {
        bail!(
            "slower than what is committed:\n  {}\nif that is meant: `cargo xtask hw-bench --update`{missed}",
            fallen.join("\n  ")
        );
    }
    ensure!(missed.is_empty(), "all rows are as committed, but:{missed}");
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
