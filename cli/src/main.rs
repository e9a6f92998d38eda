//! The command `mneme`: applications on remote memory, and boards to run them against.
mod bench;
mod board;
mod built;
mod capture;
mod config;
mod connect;
mod cp;
mod doctor;
mod fault;
mod intact;
mod interrupt;
mod output;
mod pages;
mod ping;
mod size;
mod snapshot;
mod stat;
mod trace;

use anyhow::{Context, Result};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use fault::Fault;
use mneme_clib::ErrorId;
use mneme_clib::driver::{DriverError, LinkError};
use std::process::ExitCode;

/// Remote memory from the command line: boards without hardware, and applications on them.
#[derive(Debug, Parser)]
#[command(
    name = "mneme",
    version,
    after_help = "Try it on one machine:\n  mneme board --kind soft --listen 127.0.0.1:19790 --memory 256M &\n  mneme cp README.md docs\n\n\
        Options can come from the environment (MNEME_BOARD and the like, see each command) and from a file of settings,\n\
        $MNEME_CONFIG or ~/.config/mneme/config.toml: `[all]` with `board = \"10.0.0.2:19790\"` for all commands,\n\
        `[bench]` with `depth = 16` for one. Errors have numbers; docs/reference/errors.md has cause and remedy of each."
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
    let parsed = parse().map_err(|error| Failed { error, otherwise: Fault::Settings });
    match parsed.and_then(|cli| run(cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) if output::reader_gone(&failed.error) => ExitCode::SUCCESS,
        Err(failed) => {
            // Causes on one line: what failed, on which board, and what would work.
            eprintln!("error: {:#}", failed.error);
            eprintln!("{}", failed.help());
            ExitCode::FAILURE
        }
    }
}

/// Why the command failed, and what that is where nothing says more.
struct Failed {
    error: anyhow::Error,
    otherwise: Fault,
}

impl Failed {
    /// The error's id and what to do: of the library's errors and the command's own, whichever the chain has.
    fn help(&self) -> String {
        let of_library = |cause: &(dyn std::error::Error + 'static)| {
            let error = cause.downcast_ref::<mneme_clib::Error>().map(mneme_clib::Error::id);
            let driver = || cause.downcast_ref::<DriverError>().map(ErrorId::from);
            error.or_else(driver).or_else(|| cause.downcast_ref::<LinkError>().map(ErrorId::from))
        };
        let (id, title, remedy) = match self.error.chain().find_map(of_library) {
            Some(id) => (id.to_string(), id.title(), id.remedy()),
            None => {
                let fault = self.error.downcast_ref::<Fault>().copied().unwrap_or(self.otherwise);
                (format!("MNM-{}", fault as u16), fault.title(), fault.remedy())
            }
        };
        format!("{id} ({title}; docs/reference/errors.md): {remedy}")
    }
}

/// The command line, with defaults from the file of settings. Wrong arguments end the program here.
fn parse() -> Result<Cli> {
    // Help is there whatever the settings are: it says what they can be.
    if let Err(asked) = Cli::command().try_get_matches()
        && matches!(asked.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion)
    {
        asked.exit()
    }
    config::check_environment(&Cli::command(), std::env::vars_os().map(|(name, _)| name))?;
    let filter = match std::env::var("MNEME_LOG") {
        Ok(text) => text.parse().with_context(|| format!("MNEME_LOG is `{text}`"))?,
        Err(_) => tracing_subscriber::EnvFilter::new("warn"),
    };
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let command = match config::path() {
        Some(path) => config::apply(Cli::command(), &path)?,
        None => Cli::command(),
    };
    Ok(Cli::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit()))
}

fn run(command: Command) -> Result<(), Failed> {
    let (result, otherwise) = match command {
        Command::Bench(args) => (bench::run(&args), Fault::System),
        Command::Board(args) => (board::run(&args), Fault::Board),
        Command::Capture(args) => (capture::run(&args), Fault::Capture),
        Command::Cp(args) => (cp::run(&args), Fault::Files),
        Command::Doctor(args) => (doctor::run(&args), Fault::System),
        Command::Ping(args) => (ping::run(&args), Fault::System),
        Command::Stat(args) => (stat::run(&args), Fault::System),
        Command::Trace(args) => (trace::run(&args), Fault::System),
        Command::Completions(args) => (pages::completions(&args, Cli::command()), Fault::System),
        Command::Man(args) => (pages::man(&args, Cli::command()), Fault::System),
    };
    result.map_err(|error| Failed { error, otherwise })
}
