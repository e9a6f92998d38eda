//! A soak: honest tenants, floods, a bad network, failing memory, killed and stopped programs and resets at once, round after round.
//! After each round everything heals, everybody looks at his memory and gives it back, and the board must have all of it:
//! each frame is accounted for, each page, slot, entry, process and lease is back.
//!
//! Everything is in one thread for each board and in the board's own time: a seed replays a board's rounds, to the byte. The exit
//! code is 1 when something did not balance; the report tells the round, its plan, and the command that replays it.
mod again;
mod plan;
mod round;
mod tenant;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use mneme_model::BoardShape;
use mneme_rtl::RtlConfig;
use mneme_tests::figures::{Table, load, machine};
use mneme_tests::yard::{rtl, soft};
use round::{Bounds, Keyed, Outcome, soak};

/// Boards, the soft ones first. *zcu106* and *tags* are part of builds with their features alone. Those of *tags* know their tenants
/// by keys, whose packets have tags, and those of *asks* serve nobody else.
const BOARDS: [&str; 8] = ["soft", "soft-tags", "soft-asks", "tiny", "sim", "tags", "tags-asks", "zcu106"];
/// The end of the name of a board that asks for tags.
const ASKS: &str = "-asks";
/// Cycles of trouble in a round.
const SOFT_CYCLES: u64 = 2_000_000;
const RTL_CYCLES: u64 = 400_000;
/// And in the short form.
const SHORT_CYCLES: u64 = 120_000;
const SHORT_SOFT_CYCLES: u64 = 1_000_000;
/// Rounds of the short form: the second has a roll-over, the third a reset. The largest of its boards has none.
const SHORT_ROUNDS: u64 = 3;
const SHORT_TAGS_ROUNDS: u64 = 2;
/// Memory of the boards that have more: all of it is within reach.
const MEMORY: u64 = 16 << 20;
/// The device's pages are of 4 MB.
const LARGE_MEMORY: u64 = 256 << 20;
/// Handshakes outside the RTL that are held back.
const STALLS: f64 = 0.1;

/// How much to soak.
#[derive(Debug, Parser)]
struct Options {
    /// Boards; default: all of this build
    #[arg(long, value_delimiter = ',')]
    boards: Vec<String>,
    /// New rounds begin for so many minutes; default: 60, with --rounds as many as these take
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=60_000))]
    minutes: Option<u64>,
    /// Rounds of each board at most
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: Option<u64>,
    /// Three small rounds on each board
    #[arg(long)]
    short: bool,
    /// What happens, and when, follows from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for soak.json
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

fn one(board: &str, options: &Options) -> Result<Outcome> {
    let minutes = again::minutes(options.minutes, options.rounds);
    let until = minutes.map(|minutes| Instant::now() + Duration::from_secs(60 * minutes));
    let cycles = match (options.short, board.starts_with("soft")) {
        (true, true) => SHORT_SOFT_CYCLES,
        (true, false) => SHORT_CYCLES,
        (false, true) => SOFT_CYCLES,
        (false, false) => RTL_CYCLES,
    };
    let keyed = if board.ends_with(ASKS) {
        Some(Keyed::Asks)
    } else {
        board.ends_with("tags").then_some(Keyed::Serves)
    };
    let short = if board.starts_with("tags") { SHORT_TAGS_ROUNDS } else { SHORT_ROUNDS };
    let rounds = options.rounds.unwrap_or(u64::MAX).min(if options.short { short } else { u64::MAX });
    let bounds = Bounds { seed: options.seed, rounds, until, cycles, keyed };
    if board.starts_with("soft") {
        return Ok(soak(board, soft(BoardShape::DAEMON, MEMORY), &bounds));
    }
    let config = RtlConfig::named(board.trim_end_matches(ASKS))
        .with_context(|| format!("this build has no board {board}"))?;
    let memory = MEMORY.max(if config.shape().page_bits > 20 { LARGE_MEMORY } else { 0 });
    Ok(soak(board, rtl(config, memory, STALLS, options.seed), &bounds))
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<ExitCode> {
    let there =
        |board: &str| board.starts_with("soft") || RtlConfig::named(board.trim_end_matches(ASKS)).is_some();
    let boards: Vec<&str> = match options.boards.is_empty() {
        true => BOARDS.into_iter().filter(|board| there(board)).collect(),
        false => options.boards.iter().map(String::as_str).collect(),
    };
    let before = load();
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let work: Vec<_> = boards.iter().map(|board| (board, scope.spawn(|| one(board, options)))).collect();
        let ended = work.into_iter().map(|(board, thread)| match thread.join() {
            Ok(outcome) => outcome,
            Err(_) => {
                let wrong = vec!["a panic, which is told above".to_owned()];
                Ok(Outcome { board: (*board).to_owned(), wrong, ..Outcome::default() })
            }
        });
        ended.collect::<Result<_>>()
    })?;
    outcomes.iter().for_each(|outcome| println!("{}\n", table(outcome)));
    let machine = format!("{}; load before {before}, after {}", machine(), load());
    println!("{machine}");
    write(options, &machine, &outcomes)?;
    let mut failed = false;
    for outcome in outcomes.iter().filter(|outcome| !outcome.wrong.is_empty()) {
        failed = true;
        outcome.wrong.iter().for_each(|wrong| println!("{}: {wrong}", outcome.board));
        let again = again::again(options.short, options.seed, &outcome.board, outcome.rounds + 1);
        println!("replay: {again}");
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn table(o: &Outcome) -> Table {
    let mut table = Table::new(format!("{}: {} rounds balance", o.board, o.rounds), &["what", "count"]);
    let frames: u64 = o.frames.values().sum();
    let drops: u64 = o.drops.values().sum();
    let rows = [
        ("cycles of the board", o.cycles),
        ("times that the tick began anew", o.ticks_begun_anew),
        ("of these, rolled over while tenants worked", o.rolled_over),
        ("rolls of keys", o.key_rolls),
        ("handshakes that proved nobody", o.unproven),
        ("frames to the board", frames),
        ("frames from the board", o.left),
        ("of these, damaged on purpose", o.damaged),
        ("frames under way at a reset", o.cut_off),
        ("frames dropped, each for a reason, in the last lives", drops),
        ("resets under load", o.restarts),
        ("stops of the slow path", o.slow_stops),
        ("killed clients", o.kills),
        ("flipped bits of entries, all told", o.flips),
        ("leases that ran out", o.leases_expired),
        ("entries written again", o.table_repairs),
        ("slots given up, back after a reset", o.slots_lost),
        ("honest operations done", o.done),
        ("failed without effect", o.failed),
        ("failed, outcome unknown", o.unknown),
        ("places compared", o.checked),
        ("errors of memory told", o.memory_errors),
        ("tenants served once nothing was wrong", o.served),
    ];
    table.rows.extend(rows.into_iter().map(|(what, count)| vec![what.into(), count.into()]));
    for (who, count) in &o.frames {
        table.rows.push(vec![format!("frames: {who}").into(), (*count).into()]);
    }
    table
}

fn write(options: &Options, machine: &str, outcomes: &[Outcome]) -> Result<()> {
    std::fs::create_dir_all(&options.out).with_context(|| format!("creating {}", options.out.display()))?;
    let path = options.out.join("soak.json");
    let json = serde_json::json!({
        "machine": machine,
        "seed": options.seed,
        "short": options.short,
        "boards": outcomes,
    });
    std::fs::write(&path, serde_json::to_string_pretty(&json)? + "\n")
        .with_context(|| format!("writing {}", path.display()))?;
    println!("wrote {}", path.display());
    ensure!(!outcomes.is_empty(), "no board was soaked");
    Ok(())
}
