//! The command `mneme`: applications on remote memory, and boards to run them against.
mod bench;
mod board;
mod built;
mod capture;
mod checkout;
mod class;
mod config;
mod connect;
mod cp;
mod doctor;
mod fault;
mod intact;
mod interrupt;
mod log;
mod output;
mod pages;
mod ping;
mod ps;
mod rdma;
mod replay;
mod rtl;
mod shares;
mod snapshot;
mod stat;
mod tags;
mod tenant;
mod trace;
mod trust;

use anyhow::Result;
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
        `[bench]` with `depth = 16` for one. Errors have numbers; docs/reference/errors.md has cause and remedy of each.\n\
        MNEME_LOG=debug tells what goes on inside, on standard error: off, error, warn (unless set), info, debug or trace, for\n\
        parts, too (MNEME_LOG=warn,mneme_clib=debug). Colours are for terminals alone, and not when NO_COLOR is set."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::BenchArgs),
    Board(Box<board::BoardArgs>),
    Capture(capture::CaptureArgs),
    Cp(cp::CpArgs),
    Doctor(doctor::DoctorArgs),
    Ping(ping::PingArgs),
    Ps(ps::PsArgs),
    Rdma(rdma::RdmaArgs),
    Reap(ps::ReapArgs),
    Replay(replay::ReplayArgs),
    Stat(stat::StatArgs),
    Tenant(tenant::TenantArgs),
    Trace(trace::TraceArgs),
    #[command(after_help = "Examples:\n  \
        mneme completions bash > ~/.local/share/bash-completion/completions/mneme\n  \
        mneme completions zsh > ~/.zfunc/_mneme")]
    Completions(pages::CompletionsArgs),
    #[command(after_help = "Example:\n  mneme man ~/.local/share/man/man1 && man mneme-cp")]
    Man(pages::ManArgs),
}

fn main() -> ExitCode {
    let parsed = parse().map_err(|error| Failed { error, otherwise: Fault::Settings, command: "" });
    match parsed.and_then(|cli| run(cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) if output::reader_gone(&failed.error) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("error: {}", output::plain(&failed.told()));
            eprintln!("{}", failed.help());
            ExitCode::FAILURE
        }
    }
}

/// Why the command failed, and what that is where nothing says more.
struct Failed {
    error: anyhow::Error,
    otherwise: Fault,
    /// The command's name; empty before one was found.
    command: &'static str,
}

impl Failed {
    /// Causes on one line: what failed, on which board, and what would work. Each is said once, whoever repeats it.
    fn told(&self) -> String {
        let mut said = String::new();
        for cause in self.error.chain().map(ToString::to_string) {
            if said.is_empty() {
                said = cause;
            } else if !said.contains(cause.as_str()) {
                said += &format!(": {cause}");
            }
        }
        said
    }
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
        format!("{id} ({title}; docs/reference/errors.md): {}", without(remedy, self.command))
    }
}

/// A remedy without the clauses that advise to run a command: the one that has just failed.
fn without(remedy: &str, command: &str) -> String {
    let named = format!("`mneme {command}");
    let names = |clause: &str| {
        clause.match_indices(&named).any(|(at, _)| clause[at + named.len()..].starts_with([' ', '`']))
    };
    let sentences = remedy.trim_end_matches('.').split(". ").filter_map(|sentence| {
        let clauses: Vec<&str> = sentence.split("; ").filter(|clause| !names(clause)).collect();
        (!clauses.is_empty()).then(|| clauses.join("; "))
    });
    let kept: Vec<String> = sentences.collect();
    let mut letters = kept.join(". ");
    if let Some(first) = letters.get(..1).map(str::to_uppercase) {
        letters.replace_range(..1, &first);
    }
    letters + "."
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
    log::begin()?;
    let command = match config::path() {
        Some(path) => config::apply(Cli::command(), &path)?,
        None => Cli::command(),
    };
    Ok(Cli::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit()))
}

fn run(command: Command) -> Result<(), Failed> {
    let (name, result, otherwise) = match command {
        Command::Bench(args) => ("bench", bench::run(&args), Fault::System),
        Command::Board(args) => ("board", board::run(&args), Fault::Board),
        Command::Capture(args) => ("capture", capture::run(&args), Fault::Capture),
        Command::Cp(args) => ("cp", cp::run(&args), Fault::Files),
        Command::Doctor(args) => ("doctor", doctor::run(&args), Fault::System),
        Command::Ping(args) => ("ping", ping::run(&args), Fault::System),
        Command::Ps(args) => ("ps", ps::ps(&args), Fault::System),
        Command::Rdma(args) => ("rdma", rdma::run(&args), Fault::System),
        Command::Reap(args) => ("reap", ps::reap(&args), Fault::System),
        Command::Replay(args) => ("replay", replay::run(&args), Fault::Capture),
        Command::Stat(args) => ("stat", stat::run(&args), Fault::System),
        Command::Tenant(args) => ("tenant", tenant::run(&args), Fault::Keys),
        Command::Trace(args) => ("trace", trace::run(&args), Fault::System),
        Command::Completions(args) => {
            ("completions", pages::completions(&args, Cli::command()), Fault::System)
        }
        Command::Man(args) => ("man", pages::man(&args, Cli::command()), Fault::System),
    };
    result.map_err(|error| Failed { error, otherwise, command: name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_remedy_is_the_command_that_failed() {
        let of_library = ErrorId::ALL.iter().map(|id| id.remedy());
        let remedies: Vec<&str> = of_library.chain(Fault::ALL.iter().map(|fault| fault.remedy())).collect();
        for command in Cli::command().get_subcommands().map(clap::Command::get_name) {
            for remedy in &remedies {
                let left = without(remedy, command);
                let named = [format!("`mneme {command}`"), format!("`mneme {command} ")];
                assert!(named.iter().all(|name| !left.contains(name)), "{command}: {left}");
                assert!(left.len() > 10 && left.ends_with('.'), "`{command}` leaves `{left}` of `{remedy}`");
            }
        }
        assert!(remedies.iter().any(|remedy| without(remedy, "stat") != **remedy), "some name it");
        assert_eq!(without("Look. See `mneme stat`; then go.", "stat"), "Look. then go.");
        assert_eq!(without("Start one; `mneme ping` looks. Or not.", "ping"), "Start one. Or not.");
        assert_eq!(without("Run `mneme pings` for it.", "ping"), "Run `mneme pings` for it.");
    }

    #[test]
    fn a_cause_that_was_told_is_not_told_again() {
        let told = |error| Failed { error, otherwise: Fault::System, command: "" }.told();
        let error = anyhow::anyhow!("refused").context("it failed: refused").context("on the board");
        assert_eq!(told(error), "on the board: it failed: refused");
        assert_eq!(told(anyhow::anyhow!("once")), "once");
    }
}
