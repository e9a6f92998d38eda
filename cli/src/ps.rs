//! `mneme ps` and `mneme reap`: the processes of one's own on a board, and the end of those whose client is gone.
use crate::connect::BoardArgs;
use crate::fault::Fault;
use crate::output::{self, say};
use anyhow::{Context, Result, anyhow};
use clap::{ArgGroup, Args};
use comfy_table::CellAlignment;
use comfy_table::presets::NOTHING;
use mneme_auth::Size;
use mneme_clib::ProcessInfo;
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// Show one's own processes on a board, which are this machine's address's, or with tags the tenant's: what each holds, how long it has been silent, and when its
/// lease ends.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    mneme ps\n  \
    mneme ps --board 10.0.0.2:19790\n  \
    mneme ps --board 10.0.0.2 --identity tenant.key --board-key mneme_pub_...
  \
    mneme ps --json | jq '.processes[] | select(.silent_s > 60) | .pid'\n\n\
    A process belongs to the tenant that opened it, where the board asks for tags, else to the address: a board tells nobody of the\n\
    processes of others. Clients are heard when they open, allocate, free or keep a lease, reads and writes do not count; looking at processes keeps none of them alive.\n\
    `mneme reap` ends those that nobody wants any more.")]
pub struct PsArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// One line for each process, even where it is wider than the terminal or 100 characters
    #[arg(long)]
    wide: bool,
}

/// End processes of one's own on a board, for all their clients and with all their memory: those of this machine's address, or with
/// tags those of the tenant.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("which").required(true),
    after_help = "Examples:\n  \
        mneme reap 17 18                      these two\n  \
        mneme reap --silent-for 10m           those of which no client has been heard for ten minutes\n  \
        mneme reap --all --yes                all of them, without a question\n\n\
        Processes that are named are ended at once; of others you are asked first, or say --yes. A process that is still in use\n\
        loses its memory, too: its clients' next calls fail. `mneme ps` shows what there is."
)]
pub struct ReapArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// The processes' numbers
    #[arg(value_name = "PID", group = "which", value_parser = pid)]
    pids: Vec<u32>,
    /// Those of which no client has been heard for so long: 90, 90s, 10m, 2h or 1d
    #[arg(long, value_name = "DURATION", group = "which", value_parser = duration)]
    silent_for: Option<Duration>,
    /// All of them
    #[arg(long, group = "which")]
    all: bool,
    /// Do not ask; needed where nobody can be asked
    #[arg(long, short)]
    yes: bool,
}

fn pid(text: &str) -> Result<u32, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    number
        .filter(|pid| (1..1 << 24).contains(pid))
        .ok_or_else(|| format!("`{text}` is no process id: 1 to 16777215 are"))
}

/// Units of time, the longest first.
const UNITS: [(&str, f64); 5] = [("d", 86_400.0), ("h", 3_600.0), ("m", 60.0), ("ms", 1e-3), ("s", 1.0)];

fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" => Some(1.0),
        unit => UNITS.iter().find(|(name, _)| *name == unit).map(|(_, seconds)| *seconds),
    };
    let seconds = unit.and_then(|unit| Some(digits.parse::<f64>().ok()? * unit));
    let sound = seconds.filter(|seconds| (0.0..=3e9).contains(seconds)).map(Duration::from_secs_f64);
    sound.ok_or_else(|| {
        format!("`{text}` is no duration: write seconds, or a number with ms, s, m, h or d, such as 10m")
    })
}

/// A duration for people: two units at most.
fn told(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let two = |one: u64, of: &str, other: u64, with: &str| match other {
        0 => format!("{one} {of}"),
        _ => format!("{one} {of} {other} {with}"),
    };
    match seconds {
        0..10 => format!("{:.1} s", duration.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        60..3_600 => two(seconds / 60, "min", seconds % 60, "s"),
        3_600..86_400 => two(seconds / 3_600, "h", seconds % 3_600 / 60, "min"),
        _ => two(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h"),
    }
}

#[derive(Serialize)]
struct Report {
    board: String,
    processes: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    pid: u32,
    allocated_bytes: u64,
    writable_bytes: u64,
    ranges: u64,
    silent_s: f64,
    /// Null: it has no lease.
    lease_s: Option<f64>,
    lease_left_s: Option<f64>,
    ending: bool,
    broken: bool,
}

impl From<&ProcessInfo> for Line {
    fn from(info: &ProcessInfo) -> Line {
        Line {
            pid: info.pid,
            allocated_bytes: info.bytes,
            writable_bytes: info.writable_bytes,
            ranges: info.ranges,
            silent_s: info.silent.as_secs_f64(),
            lease_s: info.lease.map(|lease| lease.as_secs_f64()),
            lease_left_s: info.lease_left().map(|left| left.as_secs_f64()),
            ending: info.ending,
            broken: info.broken,
        }
    }
}

fn table(processes: &[Line], wide: bool) -> String {
    let mut table = output::table(wide);
    table.load_preset(NOTHING);
    table.set_header(["PID", "ALLOCATED", "WRITABLE", "RANGES", "SILENT", "LEASE LEFT", "STATE"]);
    let told = |seconds| told(Duration::from_secs_f64(seconds));
    for process in processes {
        table.add_row([
            process.pid.to_string(),
            Size(process.allocated_bytes).to_string(),
            Size(process.writable_bytes).to_string(),
            process.ranges.to_string(),
            told(process.silent_s),
            process.lease_left_s.map_or("no lease".into(), told),
            state(process).into(),
        ]);
    }
    for column in table.column_iter_mut().take(6) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn lines(processes: &[ProcessInfo]) -> Vec<Line> {
    processes.iter().map(Line::from).collect()
}

fn state(process: &Line) -> &'static str {
    match (process.ending, process.broken) {
        (true, _) => "ending",
        (_, true) => "broken: can only end",
        _ => "open",
    }
}

/// Runs `mneme ps`.
pub fn ps(args: &PsArgs) -> Result<()> {
    let (client, who) = (args.board.connect()?, args.board.asker()?);
    let (board, processes) = (client.peer(), lines(&client.processes()?));
    if args.json {
        let report = Report { board, processes };
        say!("{}", serde_json::to_string(&report)?)?;
    } else if processes.is_empty() {
        say!("{who} has no process on {board}")?;
    } else {
        say!("{}", table(&processes, args.wide).trim_end())?;
    }
    Ok(())
}

/// Runs `mneme reap`.
pub fn reap(args: &ReapArgs) -> Result<()> {
    let (client, who) = (args.board.connect()?, args.board.asker()?);
    let board = client.peer();
    let reaper = client.reaper()?;
    let mut pids = args.pids.clone();
    if pids.is_empty() {
        let mut chosen = reaper.processes()?;
        chosen.retain(|info| info.silent >= args.silent_for.unwrap_or_default());
        if chosen.is_empty() {
            say!("{who} has no such process on {board}")?;
            return Ok(());
        }
        if !args.yes && !agreed(&chosen, &board)? {
            say!("nothing was ended")?;
            return Ok(());
        }
        pids = chosen.iter().map(|info| info.pid).collect();
    }
    pids.sort_unstable();
    pids.dedup();
    let (mut unknown, mut said) = (Vec::new(), Ok(()));
    for pid in pids {
        let line = match reaper.reap(pid).with_context(|| format!("process {pid} may live on"))? {
            true => say!("ended process {pid}"),
            // One that has ended by itself since it was chosen is what was asked for.
            false if args.pids.is_empty() => say!("process {pid} had ended"),
            false => {
                unknown.push(pid.to_string());
                Ok(())
            }
        };
        // All are ended though nobody reads what is said of them.
        said = said.and(line);
    }
    said?;
    match &unknown[..] {
        [] => Ok(()),
        [one] => Err(anyhow!("{who} has no process {one} on {board}").context(Fault::Process)),
        many => {
            let many = many.join(", ");
            Err(anyhow!("{who} has no processes {many} on {board}").context(Fault::Process))
        }
    }
}

/// Asks whoever sits there. Where nobody does, that is an error.
fn agreed(chosen: &[ProcessInfo], board: &str) -> Result<bool> {
    let (count, plural) = (chosen.len(), if chosen.len() == 1 { "" } else { "es" });
    if !std::io::stdin().is_terminal() {
        let why =
            anyhow!("{count} process{plural} on {board} would be ended, and nobody can be asked: say --yes");
        return Err(why.context(Fault::Arguments));
    }
    eprint!(
        "{}End {count} process{plural} on {board}, with all memory? [y/N] ",
        table(&lines(chosen), false)
    );
    std::io::stderr().flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_and_told() {
        for (text, seconds) in [
            ("90", 90.0),
            ("1.5s", 1.5),
            ("10m", 600.0),
            ("2h", 7_200.0),
            ("1d", 86_400.0),
            ("20ms", 0.02),
            ("0", 0.0),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "m", "-1s", "1w", "1 h", "nan", "inf", "9e99", "1M"] {
            assert!(duration(text).is_err(), "{text}");
        }
        for (seconds, text) in [
            (0.04, "0.0 s"),
            (9.87, "9.9 s"),
            (59.0, "59 s"),
            (60.0, "1 min"),
            (3_599.0, "59 min 59 s"),
            (3_660.0, "1 h 1 min"),
            (90_000.0, "1 d 1 h"),
        ] {
            assert_eq!(told(Duration::from_secs_f64(seconds)), text);
        }
    }

    #[test]
    fn a_table_is_no_wider_than_a_page_unless_it_may_be() {
        let most = [Line {
            pid: 0xff_ffff,
            allocated_bytes: u64::MAX,
            writable_bytes: u64::MAX,
            ranges: u64::MAX,
            silent_s: 99_999_999_999.0,
            lease_s: Some(2e11),
            lease_left_s: Some(99_999_999_999.0),
            ending: false,
            broken: true,
        }];
        let longest = |text: &str| text.lines().map(|line| line.chars().count()).max();
        let (narrow, wide) = (table(&most, false), table(&most, true));
        assert!(longest(&narrow) <= Some(output::COLUMNS.into()), "{narrow}");
        assert!(longest(&wide) > Some(output::COLUMNS.into()) && wide.lines().count() == 2, "{wide}");
        assert!(wide.contains(&u64::MAX.to_string()) && wide.contains("broken: can only end"), "{wide}");
    }

    #[test]
    fn pids_are_read() {
        assert_eq!((pid("17"), pid("0x20"), pid("16777215")), (Ok(17), Ok(32), Ok(0xff_ffff)));
        for text in ["0", "16777216", "x", "-1", "0x", ""] {
            assert!(pid(text).is_err(), "{text}");
        }
    }
}
