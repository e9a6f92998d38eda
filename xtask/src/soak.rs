//! `cargo xtask soak`: tenants, floods, faults and resets at once for hours, and a balance after each round.
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::process::{Target, built, run, target_dir};

/// The program that soaks, of the crate mneme-tests.
const PROGRAM: &str = "soak";
/// The board with trailers, and that of the device's size, which the short form leaves out.
const BOARDS: &[&str] = &["mneme-rtl/tags", "mneme-rtl/zcu106"];

/// How much to soak.
#[derive(Debug, Default, Args)]
#[command(after_help = "\
It ends with 1 when something does not balance or an honest client saw what cannot be; the report tells the round, its plan\n\
of events, and the command that replays it. One seed replays a board's rounds, whatever the machine.")]
pub struct Options {
    /// New rounds begin for so many hours
    #[arg(long, conflicts_with = "minutes")]
    pub hours: Option<u64>,
    /// New rounds begin for so many minutes; default: 60, with --rounds as many as these take
    #[arg(long)]
    pub minutes: Option<u64>,
    /// What happens, and when, follows from this number; default: 1
    #[arg(long)]
    pub seed: Option<u64>,
    /// Rounds of each board at most
    #[arg(long)]
    pub rounds: Option<u64>,
    /// soft, soft-tags, soft-asks, tiny, sim, tags, tags-asks, zcu106; default: all, in the short form without zcu106
    #[arg(long, value_delimiter = ',')]
    pub boards: Vec<String>,
    /// Three small rounds on each board, but zcu106
    #[arg(long, conflicts_with_all = ["hours", "minutes"])]
    pub short: bool,
    /// The folder for soak.json; default: target/soak
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
}

/// Builds the program and runs it.
pub fn run_soak(options: &Options, profile: &str) -> Result<()> {
    let mut program =
        built(Target::Example, PROGRAM, profile, if options.short { &BOARDS[..1] } else { BOARDS })?;
    let minutes = options.hours.map(|hours| 60 * hours).or(options.minutes);
    let numbers = [("minutes", minutes), ("seed", options.seed), ("rounds", options.rounds)];
    for (name, value) in numbers {
        program.args(value.map(|value| format!("--{name}={value}")));
    }
    program.args((!options.boards.is_empty()).then(|| format!("--boards={}", options.boards.join(","))));
    program.args(options.short.then_some("--short"));
    let out = options.out.clone().map_or_else(|| Ok(target_dir()?.join("soak")), anyhow::Ok)?;
    run(program.arg("--out").arg(std::path::absolute(out)?))
}

#[cfg(test)]
#[path = "../../tests/examples/soak/again.rs"]
mod again;

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::again::{MINUTES, again, minutes};
    use crate::{Cli, Task};

    #[test]
    fn the_command_that_a_failed_soak_prints_comes_to_its_round() {
        for short in [false, true] {
            let line = again(short, 3, "tags-asks", 901);
            let words = line.strip_prefix("cargo xtask ").expect("a task").split(' ');
            let read = Cli::try_parse_from(["cargo xtask"].into_iter().chain(words));
            let Ok(Cli { task: Task::Soak(options) }) = read else {
                panic!("`{line}` is no command of this task")
            };
            assert_eq!((options.seed, options.rounds, options.short), (Some(3), Some(901), short));
            assert_eq!(options.boards, ["tags-asks"]);
            // A round that came after hours takes hours to come to.
            assert_eq!(minutes(options.minutes, options.rounds), None);
        }
        assert_eq!((minutes(None, None), minutes(Some(9), Some(901))), (Some(MINUTES), Some(9)));
    }
}
