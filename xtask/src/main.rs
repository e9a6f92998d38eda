//! The one entry command of the repository: `cargo xtask <task>`.
mod wire;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Every task of the repository.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Generate Scala, C and documentation from the wire crate's tables.
    Wire {
        /// Change nothing; fail when a generated file is stale.
        #[arg(long)]
        check: bool,
    },
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_path_buf()
}

fn main() -> Result<()> {
    match Cli::parse().task {
        Task::Wire { check } => wire::run(&root(), check),
    }
}
