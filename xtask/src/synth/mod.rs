//! `cargo xtask synth`: area and logic levels of the core and its components on the ZCU106's device, by Yosys.
//! `cargo xtask hw-state`: all state of the board.
mod between;
mod components;
mod levels;
#[cfg(test)]
mod levels_tests;
mod netlist;
mod record;
mod report;
pub mod state;
pub mod verilog;
mod yosys;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use self::components::{ASSEMBLIES, CONFIGURATION, check_groups};
use self::record::{Entry, Record};
use self::verilog::Modules;
use self::yosys::{Figures, Yosys};
use crate::process::root;
use crate::setup;

/// Where the table lies, from the repository's top.
const TABLE: &str = "docs/reference/figures/area.md";
const JSON: &str = "docs/reference/figures/area.json";

/// What to synthesise.
#[derive(clap::Args)]
pub struct Options {
    /// Change nothing; fail when a component has grown past what docs/reference/figures/area.json says, or when that file is not of this design.
    #[arg(long)]
    check: bool,
    /// Only this module of hw/rtl/CBoard_zcu106.v, with every net of its longest path; writes no table.
    #[arg(long, conflicts_with = "check")]
    module: Option<String>,
    /// The module is in this file instead.
    #[arg(long, requires = "module")]
    verilog: Option<PathBuf>,
    /// Map it with fewer passes: a CRC over a wide beat does not end with all.
    #[arg(long, requires = "module")]
    quick: bool,
}

/// What CI demands: nothing has grown past the committed table.
pub fn run_check() -> Result<()> {
    run_synth(&Options { check: true, module: None, verilog: None, quick: false })
}

/// Synthesises what `options` ask for, prints the table, and writes or checks the committed one.
pub fn run_synth(options: &Options) -> Result<()> {
    let yosys = Yosys::new(setup::run_synthesis_setup()?)?;
    let file = match &options.verilog {
        Some(path) => std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?,
        None => read_verilog(CONFIGURATION)?,
    };
    let modules = Modules::parse(&file)?;
    if let Some(module) = &options.module {
        let text = modules.closure(module)?;
        let figures = if options.quick {
            yosys.synthesise_quickly(module, &text)?
        } else {
            yosys.synthesise(module, &text)?
        };
        println!("{}", report::one(module, &figures));
        return Ok(());
    }
    let instances = modules.components(&record_top(), ASSEMBLIES)?;
    check_groups(&instances)?;
    let recorded = if options.check { read_record()? } else { Record::default() };
    let record = measure(&yosys, &modules, &recorded)?;
    println!("{}", report::table(&record, &instances)?);
    if options.check {
        return check(&recorded, &record, &instances);
    }
    write(TABLE, &report::markdown(&record, &instances)?)?;
    write(JSON, &json(&record)?)
}

/// The committed Verilog of a configuration.
fn read_verilog(configuration: &str) -> Result<String> {
    let path = root().join(format!("hw/rtl/CBoard_{configuration}.v"));
    std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))
}

fn record_top() -> String {
    format!("CBoard_{CONFIGURATION}")
}

fn json(record: &Record) -> Result<String> {
    Ok(serde_json::to_string_pretty(record)? + "\n")
}

fn write(name: &str, text: &str) -> Result<()> {
    std::fs::write(root().join(name), text).with_context(|| format!("writing {name}"))?;
    println!("wrote {name}");
    Ok(())
}

fn read_record() -> Result<Record> {
    let text = std::fs::read_to_string(root().join(JSON))
        .with_context(|| format!("reading {JSON}: `cargo xtask synth` writes it"))?;
    serde_json::from_str(&text).with_context(|| format!("reading {JSON}"))
}

/// Figures of the whole core and of each component of its top, those from `recorded` whose input has not changed.
fn measure(yosys: &Yosys, modules: &Modules, recorded: &Record) -> Result<Record> {
    let top = record_top();
    let mut names = modules.components(&top, ASSEMBLIES)?;
    names.push(&top);
    names.sort_unstable();
    names.dedup();
    let mut done = BTreeMap::new();
    let mut work = Vec::new();
    for name in names {
        let text = modules.closure(name)?;
        let input = yosys.input_hash(&text);
        match recorded.components.get(name).filter(|e| e.input == input) {
            Some(entry) => {
                done.insert(name.to_owned(), entry.clone());
            }
            None => work.push((name.to_owned(), text, input)),
        }
    }
    println!("synth: {} components as recorded, {} to synthesise", done.len(), work.len());
    // The longest first: one that starts last would be waited for alone.
    work.sort_by_key(|(_, text, _)| text.len());
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get()).min(work.len()).min(4);
    let queue = Mutex::new(work);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((name, text, input)) = pop(&queue) {
                    let start = Instant::now();
                    let figures = yosys.synthesise(&name, &text);
                    println!("synth: {name}, {:.0} s", start.elapsed().as_secs_f64());
                    results.lock().expect("no worker panics").push((name, input, figures));
                }
            });
        }
    });
    for (name, input, figures) in results.into_inner().expect("no worker panics") {
        let is_top = name == top;
        done.insert(name, Entry { input, figures: recorded_of(figures?, is_top) });
    }
    Ok(Record { yosys: yosys.version().to_owned(), components: done })
}

fn pop<T>(queue: &Mutex<Vec<T>>) -> Option<T> {
    queue.lock().expect("no worker panics").pop()
}

/// Of the longest paths only where they begin and end: the nets between are named differently after every change. What lies between
/// components, of the whole core alone.
fn recorded_of(mut figures: Figures, whole_core: bool) -> Figures {
    if !whole_core {
        figures.between.clear();
    }
    for path in [&mut figures.levels.path, &mut figures.levels.port_path] {
        if path.len() > 2 {
            path.drain(1..path.len() - 1);
        }
    }
    figures
}

/// Holds what was measured against what is committed.
fn check(recorded: &Record, measured: &Record, instances: &[&str]) -> Result<()> {
    let mut found = recorded.outgrown_by(measured);
    let table = std::fs::read_to_string(root().join(TABLE)).with_context(|| format!("reading {TABLE}"))?;
    if table != report::markdown(recorded, instances)? {
        found.push(format!("{TABLE} is not what {JSON} says"));
    }
    if !found.is_empty() {
        bail!(
            "{}\nif this is wanted, run `cargo xtask synth`, which writes the table, and commit it with the change",
            found.join("\n")
        );
    }
    println!("{JSON}: nothing has grown past it");
    Ok(())
}
