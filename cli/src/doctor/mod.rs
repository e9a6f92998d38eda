//! `mneme doctor`: what works on this machine, why the rest does not, and what to do about it.
mod board;
mod check;
mod developer;
mod drivers;
mod network;
mod system;

use crate::connect::RouteArgs;
use crate::fault::Fault;
use crate::output::{self, say};
use anyhow::{Result, anyhow};
use check::{Check, State};
use clap::Args;
use comfy_table::presets;
use mneme_clib::driver::BoardAddress;
use serde::Serialize;

/// Check what works on this machine: drivers, privileges, network, clock, tools, and a board.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    mneme doctor\n  \
    mneme doctor --board 10.0.0.2:19790 --interface eth1\n  \
    mneme doctor --json | jq '.checks[] | select(.state != \"ok\")'\n\n\
    Exit code: 0 when nothing failed (warnings are allowed), 1 when something did. Nothing is changed: drivers are tried in a\n\
    network namespace of their own, which ends with the command.")]
pub struct DoctorArgs {
    /// A board to check too: is it reached, by which drivers, and does it speak this wire version?
    #[arg(long, value_name = "HOST[:PORT]")]
    board: Option<BoardAddress>,
    #[command(flatten)]
    route: RouteArgs,
    /// No line is wrapped, however long
    #[arg(long)]
    wide: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    checks: Vec<Check>,
    ok: usize,
    warnings: usize,
    failures: usize,
}

/// Runs the command.
pub fn run(args: &DoctorArgs) -> Result<()> {
    let mut checks = system::checks();
    checks.extend(network::checks());
    checks.extend(drivers::checks(&args.route));
    checks.extend(developer::checks());
    if let Some(board) = &args.board {
        checks.extend(board::checks(board, &args.route));
    }
    let count = |state| checks.iter().filter(|check| check.state == state).count();
    let (ok, warnings, failures) = (count(State::Ok), count(State::Warn), count(State::Fail));
    let report = Report { version: env!("CARGO_PKG_VERSION"), checks, ok, warnings, failures };
    if args.json {
        say!("{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        print(&report, args.wide)?;
    }
    match report.failures {
        0 => Ok(()),
        failures => {
            let found = anyhow!("{failures} of {} checks failed", report.checks.len());
            Err(found.context(Fault::Checks))
        }
    }
}

fn print(report: &Report, wide: bool) -> Result<()> {
    let mut table = output::table(wide);
    table.load_preset(presets::NOTHING);
    for check in &report.checks {
        let remedy = check.remedy.as_ref().map_or_else(String::new, |remedy| format!("\n→ {remedy}"));
        table.add_row([
            check.state.word().to_owned(),
            check.name.to_owned(),
            format!("{}{remedy}", check.found),
        ]);
    }
    say!("{table}")?;
    say!(
        "{} checks: {} ok, {} warnings, {} failures",
        report.checks.len(),
        report.ok,
        report.warnings,
        report.failures
    )?;
    Ok(())
}
