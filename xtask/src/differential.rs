//! `cargo xtask differential`: the same packets to the golden model and to the RTL, for as long as one likes.
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::drawn;
use crate::hw_bench::BOARDS;
use crate::own::{self, Build, netlist};
use crate::process::{Target, built, run, run_and_tell};
use crate::setup::Tools;
use crate::test;

/// The page of what the comparison has met.
const COVERAGE: &str = "docs/reference/figures/coverage.md";
/// Frames in CI, over all configurations and seeds.
const CI_TOTAL: u64 = 20_000;
/// Random configurations in CI, of which each is built for minutes of a processor, their seed, the frames over all of them, and in a run.
const CI_DRAWN: u64 = 1;
const DRAWN_SEED: u64 = 1;
const CI_DRAWN_RUN: u64 = 2_500;
const CI_DRAWN_TOTAL: u64 = 7_500;

/// Requests to the netlist, which is simulated bit by bit.
const NETLIST_REQUESTS: u64 = 2_000;
/// What the program says of a run that met a difference.
const DIFFERENCE: &str = " with seed ";

/// What a run covers; each limit left out is the program's own.
#[derive(clap::Args)]
pub struct Options {
    /// Seed of the run; the one that a failure printed replays it.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Requests for each configuration.
    #[arg(long)]
    pub requests: Option<u64>,
    /// Goes on with new seeds until so many minutes have passed.
    #[arg(long)]
    pub minutes: Option<u64>,
    /// Goes on with new seeds until so many requests have been sent.
    #[arg(long)]
    pub total: Option<u64>,
    /// So many random legal configurations instead, drawn from `--drawn-seed`, generated and built for this run: a minute or so each.
    #[arg(long, value_name = "COUNT")]
    pub drawn: Option<u64>,
    /// Which configurations are drawn.
    #[arg(long, value_name = "SEED", default_value_t = DRAWN_SEED, requires = "drawn")]
    pub drawn_seed: u64,
    /// Writes docs/reference/figures/coverage.md, what the run has met; fails when anything that can be met was not: give it millions of frames (`--total`).
    #[arg(long)]
    pub coverage: bool,
    /// One configuration instead of tiny, sim, wide, odd, large, zcu106, doors, tags and rdma.
    #[arg(long)]
    pub config: Option<String>,
    /// A configuration of one's own (docs/guides/own-configuration.md), or a kept one as the sources have it now, instead of those of hw/rtl/.
    #[arg(long, value_name = "FILE|NAME", conflicts_with_all = ["config", "drawn", "coverage"])]
    pub board: Option<String>,
    /// Replays a run that fails and writes the waveforms of its last cycles to this FST file, with save files beside it.
    #[arg(long, value_name = "FILE", requires = "board")]
    pub waves: Option<PathBuf>,
    /// The ECPIX-5's core as a netlist of cells, by the command that makes its bitstream, with models of these; or only the component of this name, such as RetryFilter, in the Verilog of the rest.
    #[arg(long, value_name = "COMPONENT", num_args = 0..=1, default_missing_value = netlist::CORE, conflicts_with_all = ["config", "drawn", "coverage", "board", "waves"])]
    pub netlist: Option<String>,
    /// One look-up table of the netlist says the contrary; fails unless the test finds it.
    #[arg(long, value_name = "NUMBER", requires = "netlist")]
    pub planted: Option<usize>,
}

impl Options {
    fn total(total: u64) -> Options {
        Options {
            seed: Some(1),
            requests: None,
            minutes: None,
            total: Some(total),
            drawn: None,
            coverage: false,
            drawn_seed: DRAWN_SEED,
            config: None,
            board: None,
            waves: None,
            netlist: None,
            planted: None,
        }
    }
    /// What CI compares: at least 20,000 requests, all configurations, always the same seeds.
    pub fn ci() -> Options {
        Options::total(CI_TOTAL)
    }
    /// What CI compares of configurations drawn at random, always the same ones.
    pub fn ci_drawn() -> Options {
        Options { drawn: Some(CI_DRAWN), requests: Some(CI_DRAWN_RUN), ..Options::total(CI_DRAWN_TOTAL) }
    }
}

/// Builds and runs the comparison of the crate mneme-differential.
pub fn run_differential(tools: &Tools, options: &Options, profile: &str) -> Result<()> {
    let drawn = options.drawn.map(|count| drawn::build(tools, options.drawn_seed, count)).transpose()?;
    let build = if options.waves.is_some() { Build::ComparedTraced } else { Build::Compared };
    let own = options.board.as_deref().map(|board| own::library(board, build)).transpose()?;
    let cells = options
        .netlist
        .as_deref()
        .map(|component| netlist::library(component, options.planted))
        .transpose()?;
    let waves = options.waves.as_deref().map(std::path::absolute).transpose()?;
    // The netlist's own simulation takes all the time: the test is built as CI has built it, without boards that nobody asks for.
    let (profile, features): (_, &[&str]) =
        if options.netlist.is_some() { (test::PROFILE, &[]) } else { (profile, BOARDS) };
    let mut command = built(Target::Bin, "differential", profile, features)?;
    let requests = options.requests.or(options.netlist.as_ref().map(|_| NETLIST_REQUESTS));
    let mut option = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            command.arg(format!("--{name}={value}"));
        }
    };
    option("seed", options.seed.map(|n| n.to_string()));
    option("requests", requests.map(|n| n.to_string()));
    option("minutes", options.minutes.map(|n| n.to_string()));
    option("total", options.total.map(|n| n.to_string()));
    option("config", options.config.clone());
    option("coverage", options.coverage.then(|| COVERAGE.to_string()));
    option("boards", drawn.or(own).or(cells).map(|folder| folder.display().to_string()));
    option("waves", waves.map(|file| file.display().to_string()));
    if options.planted.is_some() { found(&mut command) } else { run(&mut command) }
}

/// Fails unless the comparison finds a difference.
fn found(command: &mut Command) -> Result<()> {
    let mut told = None;
    let ended = run_and_tell(command, |line| {
        if line.contains(DIFFERENCE) {
            told.get_or_insert(line.to_owned());
        }
    });
    match (ended, told) {
        (Err(_), Some(line)) => {
            println!("the planted fault was found: {}", line.trim());
            Ok(())
        }
        (Err(error), None) => Err(error.context("the comparison came to no result")),
        (Ok(()), _) => bail!("the planted fault was not found: nobody may have asked that look-up table"),
    }
}

#[cfg(test)]
#[path = "../../sim/differential/src/again.rs"]
mod again;

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::again::{Beside, again};
    use super::*;
    use crate::{Cli, Task, rtl};

    /// Configurations that every build of the program has; the others are features of it.
    const ALWAYS: [&str; 4] = ["tiny", "sim", "wide", "odd"];

    #[test]
    fn the_command_that_a_failed_run_prints_runs_it_again() {
        let kept = rtl::tops().expect("the committed Verilog");
        let names = kept.iter().filter_map(|path| path.file_stem()?.to_str()?.strip_prefix("CBoard_"));
        let names: Vec<&str> = names.collect();
        assert!(names.len() > ALWAYS.len());
        for name in names {
            let line = again(Beside::Kept, name, 7, 300);
            let words = line.strip_prefix("cargo xtask ").expect("a task").split(' ');
            let read = Cli::try_parse_from(["cargo xtask"].into_iter().chain(words));
            let Ok(Cli { task: Task::Differential(options) }) = read else {
                panic!("`{line}` is no command of this task")
            };
            assert_eq!(
                (options.config.as_deref(), options.seed, options.requests),
                (Some(name), Some(7), Some(300))
            );
            let built = BOARDS.contains(&format!("mneme-rtl/{name}").as_str());
            assert!(ALWAYS.contains(&name) != built, "what this task builds has no {name}");
        }
        for line in [again(Beside::Soft, "tiny", 1, 2), again(Beside::Loaded("x".as_ref()), "a", 1, 2)] {
            // The package has several programs.
            assert!(line.contains(" -p mneme-differential --bin differential -- "), "{line}");
        }
    }
}
