//! `mneme-boardd`: serves a board from the processor beside its fast path, or from a host on its Ethernet.
#![forbid(unsafe_code)]
mod settings;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use clap::Parser;
use mneme_boardd::{
    Board, Callers, FarBoard, Former, Options, Served, Watchdog, identity, raise, reach, serve,
};
use mneme_host::{Identity, mac_text};
use mneme_slowpath::{Slow, TenantsWatch};
use mneme_window::simulated::Facts;
use mneme_window::{simulated, uio};
use mneme_wire::Target;
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
    let (name, said) = match (&settings.simulated, settings.ecpix5()) {
        (Some(folder), _) => {
            let mut window = simulated::open(folder)?;
            (window.name, identity(window.registers.as_mut()))
        }
        (None, Some((interface, key))) => {
            let (mut registers, of) = reach(interface, key)?;
            let name = far_name(interface, &of);
            if settings.bring_up {
                raise(&mut registers).with_context(|| name.clone())?.iter().for_each(|line| say(line));
            }
            (name, identity(&mut registers))
        }
        (None, None) => {
            let (name, mut registers) = uio::look(settings.uio())?;
            (name, identity(registers.as_mut()))
        }
    };
    say(said.with_context(|| name)?.trim_end());
    Ok(())
}

/// What a board on the network is called.
fn far_name(interface: &str, of: &Identity) -> String {
    format!("the board {} on {interface}", mac_text(&of.board))
}

fn run(settings: &Settings) -> Result<()> {
    if settings.document()? {
        return Ok(());
    }
    if settings.identify {
        return tell(settings);
    }
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).context("cannot wait for signals")?;
    }
    let serving = Serving { settings, stop: &stop };
    if let Some((interface, key)) = settings.ecpix5() {
        let (registers, of) = reach(interface, key)?;
        let name = far_name(interface, &of);
        let asked = settings.target().unwrap_or(Target::Ecpix5);
        let mut board = FarBoard::open(registers, Some(asked)).with_context(|| name.clone())?;
        let told = Told { mac: Some(of.board), facts: None, target: board.target(), former: board.former() };
        serving.serve(&mut board, &name, &told)?;
        let (damaged, unsendable) = board.dropped();
        board.close();
        say(&format!(
            "ended: {damaged} frames damaged on their way from the board, {unsendable} too long for it"
        ));
        return Ok(());
    }
    let window = match &settings.simulated {
        Some(folder) => simulated::open(folder)?,
        None => uio::open(settings.uio())?,
    };
    let (name, facts) = (window.name.clone(), window.facts.clone());
    let mut board = Board::open(window, settings.target()).with_context(|| name.clone())?;
    let told = Told { mac: None, facts: facts.as_ref(), target: board.target(), former: board.former() };
    serving.serve(&mut board, &name, &told)?;
    let (damaged, unsendable) = board.dropped();
    board.close();
    say(&format!(
        "ended: {damaged} frames damaged in the receive ring, {unsendable} too long for the transmit ring"
    ));
    Ok(())
}

/// What is known of a board before it is served.
struct Told<'a> {
    /// Its address, where who reaches it knows it.
    mac: Option<[u8; 6]>,
    /// What a simulated one says of itself.
    facts: Option<&'a Facts>,
    target: Target,
    former: Option<Former>,
}

/// A daemon that serves until it is asked to stop.
struct Serving<'a> {
    settings: &'a Settings,
    stop: &'a AtomicBool,
}

impl Serving<'_> {
    fn serve(&self, board: &mut impl Served, name: &str, told: &Told<'_>) -> Result<()> {
        let settings = self.settings;
        let config = settings.config(board, told.facts, told.mac, told.target)?;
        let (ip, port) = (std::net::Ipv4Addr::from(config.ip), config.udp_port);
        let rdma = settings.manager(board, &config).with_context(|| name.to_owned())?;
        let callers = settings.callers(rdma.as_ref(), &config)?;
        let mut slow = Slow::boot(config, board, &mut settings.epochs(), settings.workers as usize)
            .with_context(|| format!("{name} does not start"))?;
        if let Some(former) = told.former {
            say(&format!("the core was in use: {former}; epoch {} begins", slow.info().epoch));
        }
        let mut options = Options {
            tenants: settings.tenants().map(TenantsWatch::new),
            rdma,
            callers,
            watchdog: Watchdog::of_environment(),
        };
        let target = told.target;
        let also = settings.also();
        let ready = |info: &BoardInfo| {
            let memory = info.memory >> 10;
            let line = format!(
                "serving {ip}:{port}: {target}, {memory} KB for processes, epoch {}{also}",
                info.epoch
            );
            say(&line);
            line
        };
        serve(board, &mut slow, &mut options, self.stop, ready).with_context(|| name.to_owned())?;
        let counted = options.rdma.iter().flat_map(mneme_rdma_manager::Manager::named);
        let counted = counted.chain(options.callers.iter().flat_map(Callers::named));
        counted.filter(|(_, count)| *count > 0).for_each(|(name, count)| say(&format!("{name}: {count}")));
        Ok(())
    }
}
