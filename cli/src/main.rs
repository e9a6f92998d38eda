//! The command `mneme`: applications on remote memory, and boards to run them against.
mod board;
mod connect;
mod cp;
mod doctor;
mod ping;
mod size;
mod snapshot;
mod stat;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Remote memory from the command line: boards without hardware, and applications on them.
#[derive(Debug, Parser)]
#[command(
    name = "mneme",
    version,
    after_help = "Try it on one machine:\n  mneme board --kind soft --listen 127.0.0.1:19790 --memory 256M &\n  mneme cp README.md docs"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Board(board::BoardArgs),
    Cp(cp::CpArgs),
    Doctor(doctor::DoctorArgs),
    Ping(ping::PingArgs),
    Stat(stat::StatArgs),
}

fn main() -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_env("MNEME_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let done = match Cli::parse().command {
        Command::Board(args) => board::run(&args),
        Command::Cp(args) => cp::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Ping(args) => ping::run(&args),
        Command::Stat(args) => stat::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Causes on one line: what failed, on which board, and what would work.
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
