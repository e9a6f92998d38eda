//! Slow-path requests with fresh ids: each takes a place among the answers that the board remembers.
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use mneme_wire::payload::{Alloc, RangeRights};
use mneme_wire::{Opcode, Rights};

use crate::board::{Board, Kind};
use crate::contest::{Attack, Did, contest};
use crate::honest::Work;
use crate::report::Report;
use crate::stranger::Stranger;
use crate::{ATTACKER, Options};

/// Requests per second.
const SLOW: u32 = 2_500;
const FAST: u32 = 10_000;
/// Long enough for the slower rate to fill 8,192 places.
const LEAST: Duration = Duration::from_secs(6);
/// Most requests that are made up at once after the thread had no processor.
const CATCH_UP: u32 = 256;
/// How often the attacker looks for answers.
const LOOK: Duration = Duration::from_micros(200);
const ALLOC_P99_MS: f64 = 20.0;

struct Fresh {
    rate: u32,
}

struct State {
    stranger: Stranger,
    pid: u32,
    /// A range whose rights are changed to and fro.
    range: u64,
    /// What has been allocated and goes back.
    given: Vec<u64>,
}

impl State {
    fn request(&mut self, nth: u64) -> Vec<u8> {
        let page = self.stranger.page_size();
        let alloc = |size: u64| Alloc::request(size, Rights::READ_WRITE).to_bytes();
        if let Some(va) = self.given.pop() {
            return self.stranger.packet(Opcode::Free, self.pid, va, &RangeRights::default().to_bytes());
        }
        match nth % 3 {
            0 => self.stranger.packet(Opcode::Alloc, self.pid, 0, &alloc(page)),
            1 => self.stranger.packet(Opcode::Alloc, self.pid, 0, &alloc(1 << 47)),
            _ => {
                let rights = if nth.is_multiple_of(2) { Rights::READ_ONLY } else { Rights::READ_WRITE };
                let payload = RangeRights { size: page, rights }.to_bytes();
                self.stranger.packet(Opcode::Protect, self.pid, self.range, &payload)
            }
        }
    }
    fn collect(&mut self, did: &mut Did) -> Result<()> {
        while let Some(answer) = self.stranger.answer(Duration::ZERO)? {
            did.answered += 1;
            if answer.is_ok() && answer.response.opcode == Opcode::Alloc {
                self.given.push(Alloc::parse_answer(&answer.payload)?.va);
            }
        }
        Ok(())
    }
}

impl Attack for Fresh {
    type State = State;
    fn prepare(&self, board: &Board) -> Result<State> {
        let mut stranger = Stranger::at(ATTACKER, board.address()?)?;
        let pid = stranger.open()?;
        let range = stranger.alloc(pid, 1)?;
        Ok(State { stranger, pid, range, given: Vec::new() })
    }
    fn attack(&self, state: &mut State, stop: &AtomicBool) -> Result<Did> {
        let (mut did, mut next) = (Did::default(), Instant::now());
        let interval = Duration::from_secs(1) / self.rate;
        while !stop.load(Ordering::Relaxed) {
            state.collect(&mut did)?;
            let now = Instant::now();
            next = next.max(now.checked_sub(CATCH_UP * interval).unwrap_or(now));
            while next <= now {
                let packet = state.request(did.sent);
                state.stranger.send(&packet)?;
                (did.sent, next) = (did.sent + 1, next + interval);
            }
            std::thread::sleep(LOOK);
        }
        Ok(did)
    }
}

pub fn measure(options: &Options, kind: Kind) -> Result<Report> {
    let mut report =
        Report::new("answers-fill", kind, "ALLOC and FREE of a page, refused ALLOCs, PROTECT; fresh ids");
    let rates = options.either(vec![SLOW, FAST], vec![FAST]);
    for rate in rates {
        let time = options.either(options.time().max(LEAST), 3 * options.time());
        let contest = contest(options, kind, time, &Fresh { rate })?;
        let named = format!("{} at {rate}/s", report.named());
        let title = format!("Honest clients beside fresh slow-path requests: {}", contest.attacker());
        report.figures.tables.push(contest.table(&title));
        contest.gross(options, &named, &mut report.figures);
        if !options.short {
            contest.p99(Work::Alloc, ALLOC_P99_MS, &named, &mut report.figures);
        }
    }
    Ok(report)
}
