//! The command `mneme`: applications on remote memory, and boards to run them against.
mod bench;
mod board;
mod capture;
mod config;
mod connect;
mod cp;
mod doctor;
mod output;
mod pages;
mod ping;
mod size;
mod snapshot;
mod stat;
mod trace;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::process::ExitCode;

/// Remote memory from the command line: boards without hardware, and applications on them.
#[derive(Debug, Parser)]
#[command(
    name = "mneme",
    version,
    after_help = "Try it on one machine:\n  mneme board --kind soft --listen 127.0.0.1:19790 --memory 256M &\n  mneme cp README.md docs\n\n\
        Options can come from the environment (MNEME_BOARD and the like, see each command) and from a file of settings,\n\
        $MNEME_CONFIG or ~/.config/mneme/config.toml: `board = \"10.0.0.2:19790\"` for all commands, `[bench]` with\n\
        `depth = 16` for one."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::BenchArgs),
    Board(board::BoardArgs),
    Capture(capture::CaptureArgs),
    Cp(cp::CpArgs),
    Doctor(doctor::DoctorArgs),
    Ping(ping::PingArgs),
    Stat(stat::StatArgs),
    Trace(trace::TraceArgs),
    Completions(pages::CompletionsArgs),
    Man(pages::ManArgs),
}

fn main() -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_env("MNEME_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    match parse().and_then(|cli| run(cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::reader_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Causes on one line: what failed, on which board, and what would work.
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The command line, with defaults from the file of settings. Wrong arguments end the program here.
fn parse() -> Result<Cli> {
    let command = match config::path() {
        Some(path) => config::apply(Cli::command(), &path)?,
        None => Cli::command(),
    };
    Ok(Cli::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit()))
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Bench(args) => bench::run(&args),
        Command::Board(args) => board::run(&args),
        Command::Capture(args) => capture::run(&args),
        Command::Cp(args) => cp::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Ping(args) => ping::run(&args),
        Command::Stat(args) => stat::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Completions(args) => pages::completions(&args, Cli::command()),
        Command::Man(args) => pages::man(&args, Cli::command()),
    }
}
