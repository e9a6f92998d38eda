//! The command `mneme-swap`: a block device on a board's memory, for swap above all.
mod command;

// Reaching a board is the same in both commands: options, keys, words of errors.
#[allow(dead_code, reason = "the command `mneme` uses all of it")]
#[path = "../../cli/src/connect.rs"]
mod connect;
#[path = "../../cli/src/fault.rs"]
mod fault;
#[path = "../../cli/src/interrupt.rs"]
#[allow(dead_code, reason = "the command `mneme` uses all of it")]
mod interrupt;
#[path = "../../cli/src/log.rs"]
mod log;
#[allow(dead_code, unused_imports, reason = "the command `mneme` uses all of it")]
#[path = "../../cli/src/output.rs"]
mod output;
#[path = "../../cli/src/pages.rs"]
mod pages;
#[path = "../../cli/src/trust.rs"]
mod trust;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use fault::Fault;
use mneme_clib::ErrorId;
use mneme_clib::driver::{DriverError, LinkError};
use std::process::ExitCode;

/// A block device whose blocks lie on a memory node: swap space on today's kernels, or a disk.
#[derive(Debug, Parser)]
#[command(
    name = "mneme-swap",
    version,
    after_help = "Swap on a board's memory, on a machine whose kernel has nbd:\n  \
        mneme-swap serve --board 10.0.0.2 --size 12G --socket /run/mneme-swap.sock &\n  \
        nbd-client -unix /run/mneme-swap.sock /dev/nbd0 -block-size 4096 -connections 2 -swap\n  \
        mkswap /dev/nbd0 && swapon --discard /dev/nbd0\n  \
        mneme-swap stat --socket /run/mneme-swap.sock\n\n\
        The guide docs/guides/swap.md says what happens when the board dies. MNEME_LOG=debug tells what goes on inside."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(Box<command::serve::ServeArgs>),
    Stat(command::stat::StatArgs),
    Bench(Box<command::bench::BenchArgs>),
    #[command(after_help = "Example:\n  \
        mneme-swap completions bash > ~/.local/share/bash-completion/completions/mneme-swap")]
    Completions(pages::CompletionsArgs),
    #[command(after_help = "Example:\n  mneme-swap man ~/.local/share/man/man1 && man mneme-swap-serve")]
    Man(pages::ManArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match log::begin().and_then(|()| run(cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::reader_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", output::plain(&format!("{error:#}")));
            eprintln!("{}", help(&error));
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Serve(args) => command::serve::run(&args),
        Command::Stat(args) => command::stat::run(&args),
        Command::Bench(args) => command::bench::run(&args),
        Command::Completions(args) => pages::completions(&args, Cli::command()),
        Command::Man(args) => pages::man(&args, Cli::command()),
    }
}

/// The error's id and what to do: of the library's errors and the commands' own, whichever the chain has.
fn help(error: &anyhow::Error) -> String {
    let of_library = |cause: &(dyn std::error::Error + 'static)| {
        let known = cause.downcast_ref::<mneme_clib::Error>().map(mneme_clib::Error::id);
        let driver = || cause.downcast_ref::<DriverError>().map(ErrorId::from);
        known.or_else(driver).or_else(|| cause.downcast_ref::<LinkError>().map(ErrorId::from))
    };
    let (id, title, remedy) = match error.chain().find_map(of_library) {
        Some(id) => (id.to_string(), id.title(), id.remedy()),
        None => {
            let fault = error.downcast_ref::<Fault>().copied().unwrap_or(Fault::Swap);
            (format!("MNM-{}", fault as u16), fault.title(), fault.remedy())
        }
    };
    format!("{id} ({title}; docs/reference/errors.md): {remedy}")
}
