//! Shell completions and manual pages, made of the same description as `--help`.
use crate::output::say;
use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    mneme completions bash > ~/.local/share/bash-completion/completions/mneme\n  \
    mneme completions zsh > ~/.zfunc/_mneme")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Write manual pages, one for each command
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  mneme man ~/.local/share/man/man1 && man mneme-cp")]
pub struct ManArgs {
    /// The folder to write them to; it is made if need be
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Runs `completions`.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "mneme", &mut text);
    Ok(stdout().write_all(&text)?)
}

/// Runs `man`.
pub fn man(args: &ManArgs, command: Command) -> Result<()> {
    std::fs::create_dir_all(&args.folder).with_context(|| format!("making {}", args.folder.display()))?;
    let written = clap_mangen::generate_to(command.disable_help_subcommand(true), &args.folder);
    written.with_context(|| format!("writing manual pages to {}", args.folder.display()))?;
    Ok(say!("wrote mneme.1 and a page for each command to {}", args.folder.display())?)
}
