//! `mneme-boardd`: serves a board from the processor beside its fast path.
#![forbid(unsafe_code)]
mod settings;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use clap::Parser;
use mneme_boardd::{Board, Options, Watchdog, identity, serve};
use mneme_slowpath::{Slow, TenantsWatch};
use mneme_window::{simulated, uio};
use mneme_wire::payload::BoardInfo;

use settings::Settings;

fn main() -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_env("MNEME_LOG").unwrap_or_else(|_| "warn".into());
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    if let Err(error) = run(&Settings::parse()) {
        eprintln!("error: {error:#}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// A line for whoever started the daemon. It serves on when nobody reads it.
fn say(line: &str) {
    let _nobody_reads = writeln!(std::io::stdout(), "{line}");
}

/// Tells what a board's registers say.
fn tell(settings: &Settings) -> Result<()> {
    let (name, mut registers) = match &settings.simulated {
        Some(folder) => {
            let window = simulated::open(folder)?;
            (window.name, window.registers)
        }
        None => uio::look(settings.uio())?,
    };
    say(identity(registers.as_mut()).with_context(|| name)?.trim_end());
    Ok(())
}

fn run(settings: &Settings) -> Result<()> {
    if settings.identify {
        return tell(settings);
    }
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).context("cannot wait for signals")?;
    }
    let window = match &settings.simulated {
        Some(folder) => simulated::open(folder)?,
        None => uio::open(settings.uio())?,
    };
    let (name, facts) = (window.name.clone(), window.facts.clone());
    let mut board = Board::open(window, settings.target()).with_context(|| name.clone())?;
    let config = settings.config(&mut board, facts.as_ref())?;
    let (ip, port) = (std::net::Ipv4Addr::from(config.ip), config.udp_port);
    let mut slow = Slow::boot(config, &mut board, &mut settings.epochs(), settings.workers as usize)
        .with_context(|| format!("{name} does not start"))?;
    if let Some(former) = board.former() {
        say(&format!("the core was in use: {former}; epoch {} begins", slow.info().epoch));
    }
    let mut options =
        Options { tenants: settings.tenants().map(TenantsWatch::new), watchdog: Watchdog::of_environment() };
    let target = board.target();
    let ready = |info: &BoardInfo| {
        let memory = info.memory >> 10;
        let line = format!("serving {ip}:{port}: {target}, {memory} KB for processes, epoch {}", info.epoch);
        say(&line);
        line
    };
    serve(&mut board, &mut slow, &mut options, &stop, ready).with_context(|| name.clone())?;
    let (damaged, unsendable) = board.dropped();
    board.close();
    say(&format!(
        "ended: {damaged} frames damaged in the receive ring, {unsendable} too long for the transmit ring"
    ));
    Ok(())
}
