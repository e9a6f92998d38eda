//! `cargo xtask fuzz`: hostile bytes for the parsers, the transport, a whole client and the frames of raw drivers.
use std::path::PathBuf;

use anyhow::Result;

use crate::process::{Target, built, run};

/// How the fuzzer runs.
#[derive(clap::Args)]
pub struct Options {
    /// How long, all targets together.
    #[arg(long, default_value_t = 60)]
    pub seconds: u64,
    /// Decides the mutations; told at the beginning when it is not given.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Add inputs with new behaviour to the corpus clib/fuzz/corpus.
    #[arg(long)]
    pub save: bool,
    /// Run this input alone, in the target of its folder's name.
    #[arg(long)]
    pub input: Option<PathBuf>,
}

impl Options {
    /// What CI runs.
    pub fn ci() -> Self {
        Options { seconds: 60, seed: None, save: false, input: None }
    }
}

/// Runs the corpus, then mutations of it. Fails when a property is broken, and tells the input's file.
pub fn run_fuzz(options: &Options, profile: &str) -> Result<()> {
    let mut command = built(Target::Example, "fuzz", profile, &[])?;
    command.arg("--seconds").arg(options.seconds.to_string());
    if let Some(seed) = options.seed {
        command.arg("--seed").arg(seed.to_string());
    }
    if options.save {
        command.arg("--save");
    }
    if let Some(input) = &options.input {
        command.arg("--input").arg(std::path::absolute(input)?);
    }
    run(&mut command)
}
