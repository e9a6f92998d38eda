//! Shell completions and manual pages, made of the same description as `--help`.
use crate::output::say;
use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Print completions for a shell
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Write manual pages, one for each command
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The folder to write them to; it is made if need be
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Runs `completions`.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<()> {
    let mut text = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(args.shell, &mut command, name, &mut text);
    Ok(stdout().write_all(&text)?)
}

/// Runs `man`.
pub fn man(args: &ManArgs, command: Command) -> Result<()> {
    std::fs::create_dir_all(&args.folder).with_context(|| format!("making {}", args.folder.display()))?;
    let name = command.get_name().to_owned();
    let written = clap_mangen::generate_to(command.disable_help_subcommand(true), &args.folder);
    written.with_context(|| format!("writing manual pages to {}", args.folder.display()))?;
    Ok(say!("wrote {name}.1 and a page for each command to {}", args.folder.display())?)
}
