//! Attacks on a board, and what honest clients suffer from them.
//!
//! A tenant is a source address: attackers have 127.0.0.2 and up, honest clients 127.0.1.1 and up. Attackers write their packets
//! with the wire crate alone; honest clients are CLib's. Each part prints its tables, all of them make one JSON file. The exit
//! code is 0 when every goal was met, 1 when one was missed or a part failed, 2 when none was missed and some could not be
//! measured. What only keyed tags can mend is named and counted on boards without them, and fails nothing; `tagged` has the
//! same on a board that asks for them.
mod amplify;
mod answers;
mod apart;
mod board;
mod contest;
mod exit;
mod filter;
mod forge;
mod honest;
mod inside;
mod leases;
mod log;
mod malformed;
mod proofs;
mod refused;
mod report;
mod storm;
mod stranger;
mod tagged;
mod touch;
mod wrap;

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use board::Kind;
use clap::{Parser, ValueEnum};
use mneme_tests::figures::{goals, judged, load, machine};
use report::Report;

/// Where attacks come from: from here on.
pub const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);
/// Who is attacked where no crew is.
pub const VICTIM: Ipv4Addr = Ipv4Addr::new(127, 0, 1, 9);

/// An attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
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

impl Part {
    fn measure(self, options: &Options, kind: Kind) -> Result<Report> {
        match self {
            Part::RefusedAllocs => refused::measure(options, kind),
            Part::OpenStorm => storm::measure(options, kind),
            Part::OpenProofs => proofs::measure(options, kind),
            Part::TouchAll => touch::measure(options, kind),
            Part::AnswersFill => answers::measure(options, kind),
            Part::FilterFill => filter::measure(options, kind),
            Part::Exit2048 => exit::measure(options, kind),
            Part::ShortLeases => leases::measure(options, kind),
            Part::Amplification => amplify::measure(options, kind),
            Part::Stranger => forge::measure(options, kind),
            Part::Tagged => tagged::measure(options, kind),
            Part::Malformed => malformed::measure(options, kind),
        }
    }
    fn name(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
    }
}

/// Boards to attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Boards {
    Soft,
    Rtl,
    Both,
}

/// How much to measure.
#[derive(Debug, Parser)]
pub struct Options {
    /// Attacks; default: all
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// What is attacked
    #[arg(long, value_enum, default_value_t = Boards::Both)]
    board: Boards,
    /// One short round, and only goals that a busy machine does not miss by itself
    #[arg(long)]
    short: bool,
    /// Rounds; each measures honest clients alone and attacked
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(2..=100))]
    rounds: u16,
    /// Milliseconds per measurement
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(u64).range(100..=60_000))]
    milliseconds: u64,
    /// The attacker has the last processor of this machine for itself, board and honest clients have the others, as if it came from another
    /// machine. Alone they have no more
    #[arg(long)]
    apart: bool,
    /// Damaged frames in process, of the attack `malformed`; default: 20,000, on the RTL 4,000
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    frames: Option<u64>,
    /// What is drawn at random follows from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for attack.json
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

impl Options {
    fn rounds(&self) -> usize {
        if self.short { 1 } else { self.rounds.into() }
    }
    fn time(&self) -> Duration {
        Duration::from_millis(if self.short { 500 } else { self.milliseconds })
    }
    /// One number or, in the short form, another.
    fn either<T>(&self, whole: T, short: T) -> T {
        if self.short { short } else { whole }
    }
}

fn main() -> ExitCode {
    log::count();
    match run(&Options::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<ExitCode> {
    let parts =
        if options.parts.is_empty() { Part::value_variants().to_vec() } else { options.parts.clone() };
    let kinds = match options.board {
        Boards::Soft => vec![Kind::Soft],
        Boards::Rtl => vec![Kind::Rtl],
        Boards::Both => vec![Kind::Soft, Kind::Rtl],
    };
    if options.apart {
        apart::begin()?;
    }
    let before = load();
    let (mut all, mut failed) = (Vec::new(), Vec::new());
    for part in parts {
        for kind in &kinds {
            let name = format!("{} on {}", part.name(), kind.name());
            eprintln!("attacking: {name} …");
            match part.measure(options, *kind) {
                Ok(report) => {
                    println!("\n{name}: {}\n", report.figures.about);
                    report.figures.tables.iter().for_each(|table| println!("{table}\n"));
                    all.push(report);
                }
                Err(error) => {
                    eprintln!("{name} could not be measured: {error:#}");
                    failed.push(name);
                }
            }
        }
    }
    let place = if options.apart { "; the attacker on a processor of its own" } else { "" };
    let machine = format!("{}{place}; load before {before}, after {}", machine(), load());
    println!("{}\n{}\n{machine}", goals(report::goals(&all)), report::tagged(&all));
    report::write(options, &machine, &all)?;
    Ok(judged(report::goals(&all), &failed).into())
}
