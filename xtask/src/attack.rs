//! `cargo xtask attack`: hostile clients against simulated boards, and what honest clients suffer from them.
use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::process::{Target, built, describe, target_dir};

/// The program that attacks, of the crate mneme-tests.
const PROGRAM: &str = "attack";
/// The board of RTL that can ask for tags.
const BOARDS: &[&str] = &["mneme-rtl/tags"];
/// How it ends when no goal was missed and some could not be measured.
const NOT_MEASURED: i32 = 2;

/// What to attack, and how long.
#[derive(Debug, Default, Args)]
#[command(after_help = "\
It ends with 1 when a goal is missed, with 2 when none is and some could not be measured: rounds say different things, or a\n\
busy machine misses the goal without an attack, too. What only keyed tags can mend is named and counted, and fails nothing.\n\
--short is for CI: one seeded round, counts, and bounds that a busy machine keeps.")]
pub struct Options {
    /// Attacks; default: all
    #[arg(value_enum)]
    pub parts: Vec<Part>,
    /// What is attacked; default: both
    #[arg(long, value_enum)]
    pub board: Option<Boards>,
    /// One short round, and only goals that a busy machine does not miss by itself
    #[arg(long)]
    pub short: bool,
    /// Rounds; each measures honest clients alone and attacked
    #[arg(long, conflicts_with = "short")]
    pub rounds: Option<u16>,
    /// Milliseconds per measurement
    #[arg(long, conflicts_with = "short")]
    pub milliseconds: Option<u64>,
    /// The attacker has the last processor of this machine for itself, board and honest clients have the others, as if it came from
    /// another machine
    #[arg(long)]
    pub apart: bool,
    /// Damaged frames in process, of the attack `malformed`; default: 20,000, on the RTL 4,000
    #[arg(long)]
    pub frames: Option<u64>,
    /// What is drawn at random follows from this number
    #[arg(long)]
    pub seed: Option<u64>,
    /// The folder for attack.json; default: target/attack
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
}

/// Boards to attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Boards {
    /// The golden model
    Soft,
    /// The Verilog under Verilator
    Rtl,
    /// One after the other
    Both,
}

/// An attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// ALLOCs that the board must refuse, in bursts of 1,024
    RefusedAllocs,
    /// OPENs from one address until the board refuses
    OpenStorm,
    /// OPENs with handshakes that prove nothing, on a board that asks for tags
    OpenProofs,
    /// One source takes all memory that it is given
    TouchAll,
    /// Slow-path requests with fresh ids, 2,500/s and 10,000/s
    AnswersFill,
    /// WRITEs with fresh ids from 64 ports, as fast as the board takes them
    FilterFill,
    /// EXIT and FREE of 2,048 pages that were written to
    #[value(name = "exit-2048")]
    Exit2048,
    /// OPENs with leases of 1 ns, 1 µs and 1 ms
    ShortLeases,
    /// Bytes of answers over bytes of requests
    Amplification,
    /// Forged pids and sources, requests that are sent again by others
    Stranger,
    /// The same on a board that asks for tags
    Tagged,
    /// Damaged requests and frames, from a seed
    Malformed,
}

fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
}

/// Builds the program and runs it.
pub fn run_attack(options: &Options, profile: &str) -> Result<()> {
    let mut program = built(Target::Example, PROGRAM, profile, BOARDS)?;
    program.args(options.parts.iter().map(|part| name(*part)));
    program.args(options.board.map(|board| format!("--board={}", name(board))));
    program.args(options.short.then_some("--short"));
    program.args(options.apart.then_some("--apart"));
    program.args(options.rounds.map(|rounds| format!("--rounds={rounds}")));
    program.args(options.milliseconds.map(|milliseconds| format!("--milliseconds={milliseconds}")));
    program.args(options.frames.map(|frames| format!("--frames={frames}")));
    program.args(options.seed.map(|seed| format!("--seed={seed}")));
    let out = options.out.clone().map_or_else(|| Ok(target_dir()?.join("attack")), anyhow::Ok)?;
    program.arg("--out").arg(std::path::absolute(out)?);
    let line = describe(&program);
    println!("$ {line}");
    let status = program.stdin(Stdio::null()).status().with_context(|| format!("cannot start `{line}`"))?;
    match status.code() {
        Some(0) => Ok(()),
        // The program has said what it could not measure.
        Some(NOT_MEASURED) => std::process::exit(NOT_MEASURED),
        _ => bail!("`{line}` failed: {status}"),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::process::root;

    /// The parts that a program of the crate mneme-tests has, as its source calls them.
    pub fn parts_of(program: &str) -> Vec<String> {
        let path = root().join("tests/examples").join(program).join("main.rs");
        let text = std::fs::read_to_string(path).expect("the program is there");
        let (_, rest) = text.split_once("enum Part {\n").expect("it has parts");
        let (parts, _) = rest.split_once("\n}").expect("they end");
        let names = parts.lines().map(str::trim).filter(|line| !line.starts_with(['/', '#']));
        names.map(|name| name.trim_end_matches(',').to_owned()).collect()
    }

    #[test]
    fn the_task_has_the_parts_of_its_program() {
        let here: Vec<String> = Part::value_variants().iter().map(|part| format!("{part:?}")).collect();
        assert_eq!(here, parts_of(PROGRAM));
    }
}
