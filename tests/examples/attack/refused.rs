//! ALLOCs that the board must refuse after it has looked for room: what a search costs is what the others wait for.
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;
use mneme_wire::payload::Alloc;
use mneme_wire::{Opcode, Rights, Va};

use crate::board::{Board, Kind};
use crate::contest::{Attack, Did, contest, drain};
use crate::honest::Work;
use crate::report::Report;
use crate::stranger::Stranger;
use crate::{ATTACKER, Options};

/// ALLOCs that leave together.
const BURST: usize = 1024;
/// A burst whose answers do not come any more is over.
const SILENCE: Duration = Duration::from_millis(50);
/// Single pages of which every other one is freed: room for one page here and there, for two nowhere.
const SCATTERED: u64 = 64;
/// The longest range that is tried when the table is filled.
const LONGEST: u64 = 256;
/// Goals (milliseconds, and times the figure alone).
const READ_P99: f64 = 2.0;
const STALL_MS: f64 = 5.0;
const ALLOC_P99_MS: f64 = 20.0;

struct Refused;

/// An attacker who has all slots that the board gives to it.
struct Full {
    stranger: Stranger,
    pid: u32,
    taken: u64,
}

impl Full {
    /// A request that no search can satisfy, of every kind in turn.
    fn request(&mut self, nth: usize) -> Vec<u8> {
        let (page, memory) = (self.stranger.page_size(), self.stranger.info.memory);
        let pages = memory / page;
        let read = |pages: u64| Alloc::request(pages * page, Rights::READ_ONLY);
        let at = |pages: u64| Alloc { fixed: true, ..read(pages) };
        let (ask, va) = match nth % 8 {
            0 => (read(2), 0),
            1 => (read(64), 0),
            2 => (read(pages / 2), 0),
            3 => (read(pages), 0),
            4 => (Alloc::request(memory * 16, Rights::READ_WRITE), 0),
            5 => (at(1), self.taken),
            6 => (at(pages / 2), 0),
            _ => (at(2), Va::LIMIT - page),
        };
        self.stranger.packet(Opcode::Alloc, self.pid, va, &ask.to_bytes())
    }
}

impl Attack for Refused {
    type State = Full;
    const ELSEWHERE: bool = true;
    fn prepare(&self, board: &Board) -> Result<Full> {
        let mut stranger = Stranger::at(ATTACKER, board.address()?)?;
        let pid = stranger.open()?;
        let mut single = Vec::new();
        for _ in 0..SCATTERED {
            single.extend(stranger.try_alloc(pid, 1, Rights::READ_ONLY)?.1);
        }
        let mut pages = LONGEST;
        while pages > 0 {
            if stranger.try_alloc(pid, pages, Rights::READ_ONLY)?.1.is_none() {
                pages /= 2;
            }
        }
        for va in single.iter().step_by(2) {
            stranger.free(pid, *va)?;
        }
        let taken = single.get(1).copied().unwrap_or(stranger.page_size());
        Ok(Full { stranger, pid, taken })
    }
    fn attack(&self, state: &mut Full, stop: &AtomicBool) -> Result<Did> {
        let mut did = Did::default();
        while !stop.load(Ordering::Relaxed) {
            let mut missing = BURST as u64;
            for nth in 0..BURST {
                let packet = state.request(nth);
                state.stranger.send(&packet)?;
                did.sent += 1;
                if nth % 64 == 0 {
                    let here = drain(&mut state.stranger)?;
                    (missing, did.answered) = (missing.saturating_sub(here), did.answered + here);
                }
            }
            while missing > 0 && !stop.load(Ordering::Relaxed) && state.stranger.answer(SILENCE)?.is_some() {
                (missing, did.answered) = (missing - 1, did.answered + 1);
            }
        }
        Ok(did)
    }
}

pub fn measure(options: &Options, kind: Kind) -> Result<Report> {
    let contest = contest(options, kind, options.time(), &Refused)?;
    let about = format!(
        "ALLOCs that must be refused, of eight kinds, in bursts of {BURST}, by a source that has all slots it gets; {}",
        contest.attacker()
    );
    let mut report = Report::new("refused-allocs", kind, about);
    let named = report.named();
    report.figures.tables.push(contest.table("Honest clients beside refused ALLOCs"));
    contest.gross(options, &named, &mut report.figures);
    if !options.short {
        contest.p99_ratio(Work::Read, READ_P99, &named, &mut report.figures);
        contest.stall(Work::Read, STALL_MS, &named, &mut report.figures);
        contest.p99(Work::Alloc, ALLOC_P99_MS, &named, &mut report.figures);
    }
    Ok(report)
}
