//! `mneme-swap stat`.
use super::table;
use crate::fault::Fault;
use crate::interrupt;
use crate::output::say;
use anyhow::{Context, Result};
use clap::Args;
use mneme_swap::server;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Show the figures of a running device: rates, times, utilisation of the board's memory, blocks that wait in RAM
#[derive(Debug, Args)]
pub struct StatArgs {
    /// The device's socket
    #[arg(long, value_name = "PATH", env = "MNEME_SWAP_SOCKET")]
    socket: PathBuf,
    /// Print one JSON object, one a line with --every
    #[arg(long)]
    json: bool,
    /// Again and again, so many seconds apart
    #[arg(long, value_name = "SECONDS", value_parser = pause)]
    every: Option<f64>,
}

fn pause(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.1..=3_600.0).contains(&seconds) => Ok(seconds),
        _ => Err("0.1 to 3600 seconds".into()),
    }
}

/// Runs the command.
pub fn run(args: &StatArgs) -> Result<()> {
    interrupt::listen()?;
    loop {
        let snapshot = server::ask(&args.socket).context(Fault::Swap)?;
        match args.json {
            true => say!("{}", serde_json::to_string(&snapshot)?)?,
            false => say!("{}", table::whole(&snapshot))?,
        }
        let Some(every) = args.every else { return Ok(()) };
        let next = Instant::now() + Duration::from_secs_f64(every);
        while Instant::now() < next {
            if interrupt::came() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(20).min(next.saturating_duration_since(Instant::now())));
        }
    }
}
