//! The end of much memory at once: what the slow path does for it must not keep the others waiting.
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use mneme_tests::rig::Config;
use mneme_wire::Opcode;

use crate::board::{Board, Kind};
use crate::contest::{Attack, Did, contest};
use crate::honest::Work;
use crate::report::Report;
use crate::stranger::Stranger;
use crate::{ATTACKER, Options};

/// Pages that are written to: of the software board with 1 GB, and of the RTL board, which has 1,024 with its table's.
const SOFT_PAGES: u64 = 2048;
const RTL_PAGES: u64 = 640;
/// The same in the short form: zeroing takes the RTL its time.
const SOFT_SHORT: u64 = 512;
const RTL_SHORT: u64 = 96;
/// Pages of one ALLOC.
const RANGE: u64 = 32;
/// When it ends: after the honest clients are at their pace.
const AFTER: Duration = Duration::from_millis(100);
const STALL_MS: f64 = 5.0;

/// How the memory comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Exit,
    Free,
}

struct End {
    kind: Kind,
    way: Way,
    pages: u64,
}

struct State {
    stranger: Stranger,
    pid: u32,
    ranges: Vec<u64>,
}

impl Attack for End {
    type State = State;
    fn config(&self) -> Config {
        if self.kind.is_slow() { Config::Sim } else { Config::Large }
    }
    fn prepare(&self, board: &Board) -> Result<State> {
        let mut stranger = Stranger::at(ATTACKER, board.address()?)?;
        let (pid, page) = (stranger.open()?, stranger.page_size());
        let mut ranges = Vec::new();
        for _ in 0..self.pages / RANGE {
            let va = stranger.alloc(pid, RANGE)?;
            for nth in 0..RANGE {
                stranger.must(Opcode::Write, pid, va + nth * page, 0, &[0xa5; 8])?;
            }
            ranges.push(va);
        }
        Ok(State { stranger, pid, ranges })
    }
    fn attack(&self, state: &mut State, stop: &AtomicBool) -> Result<Did> {
        std::thread::sleep(AFTER);
        let mut did = Did::default();
        let State { stranger, pid, ranges } = state;
        match self.way {
            Way::Free => {
                for va in ranges.drain(..) {
                    ensure!(stranger.free(*pid, va)?.is_ok(), "FREE was refused");
                    did.sent += 1;
                }
            }
            Way::Exit => {
                ensure!(stranger.exit(*pid)?.is_ok(), "EXIT was refused");
                did.sent += 1;
            }
        }
        did.answered = did.sent;
        let until = Instant::now() + Duration::from_secs(60);
        while !stop.load(Ordering::Relaxed) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(did)
    }
}

pub fn measure(options: &Options, kind: Kind) -> Result<Report> {
    let pages = match kind {
        Kind::Soft => options.either(SOFT_PAGES, SOFT_SHORT),
        Kind::Rtl => options.either(RTL_PAGES, RTL_SHORT),
    };
    let mut report =
        Report::new("exit-2048", kind, format!("{pages} pages that were written to come back at once"));
    for way in [Way::Exit, Way::Free] {
        let contest = contest(options, kind, options.time(), &End { kind, way, pages })?;
        let words = if way == Way::Exit { "EXIT" } else { "FREE" };
        let named = format!("{}, by {words}", report.named());
        report
            .figures
            .tables
            .push(contest.table(&format!("Honest clients while {words} gives {pages} pages back")));
        contest.gross(options, &named, &mut report.figures);
        if !options.short {
            for work in Work::USUAL {
                contest.stall(work, STALL_MS, &named, &mut report.figures);
            }
        }
    }
    Ok(report)
}
