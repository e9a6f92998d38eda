//! Registers written while requests are under way: tables, addresses, window, control.
//!
//! The board's frames are kept until it rests. Then `judge` looks for the moment at which the write took effect, and the model takes the frames
//! before it by the old values and those after by the new ones, as if it had been told.
use std::collections::VecDeque;

use mneme_model::port::{BadMemory, NetworkPort, RegisterPort, TraceEvent};
use mneme_model::soft::{Dispatch, Page};
use mneme_slowpath::FastPath;
use mneme_wire::frame::MNEME_OFFSET;
use mneme_wire::pte::{self, PageState};
use mneme_wire::register::{AWAY_ROWS, CONTROL_ENABLE, CONTROL_EXHAUSTED};
use mneme_wire::{Counter, Register, Tick};
use rand::Rng;

use super::super::compare::DROPS;
use super::super::control::{self, Writes};
use super::super::generate::{Sent, fresh};
use super::super::mismatch::Mismatch;
use super::super::occupancy::{FEW_TICKS, WINDOWS};
use super::super::replay::changing::{Change, Stage, Written};
use super::super::spoil::pick;
use super::super::world::Addresses;
use super::Run;

/// Frames around a change.
const FRAMES: std::ops::RangeInclusive<usize> = 4..=20;

/// A frame that was offered.
pub(super) struct Offered {
    pub(super) sent: Sent,
    /// What the model makes of it at each stage.
    pub(super) dispatch: Vec<Result<Dispatch, Counter>>,
    pub(super) tick: Tick,
    pub(super) slow_taken: u64,
    /// Writes that had been made by then, and when its outcome was seen.
    pub(super) offered: usize,
    pub(super) seen: Option<usize>,
    pub(super) event: Option<TraceEvent>,
}

impl Offered {
    /// It is dropped whatever holds: by ingress, so that it takes no packet slot, or by dispatch.
    fn never_enters(&self) -> bool {
        self.dispatch.iter().all(Result::is_err)
    }
    fn is_silent(&self) -> bool {
        self.dispatch.iter().all(|dispatch| matches!(dispatch, Err(_) | Ok(Dispatch::Drop(_))))
    }
}

/// What was offered and seen since the frames are kept.
#[derive(Default)]
pub(super) struct Held {
    pub(super) frames: Vec<Offered>,
    pub(super) written: Vec<Written>,
    events: usize,
    slow: usize,
}

/// Who asked for what: source, operation id, attempt.
fn identity(frame: &[u8]) -> Option<(u32, u16, u32, u8)> {
    let word = |at: usize| Some(u32::from_be_bytes(frame.get(at..at + 4)?.try_into().ok()?));
    let port = u16::from_be_bytes(frame.get(34..36)?.try_into().ok()?);
    Some((word(26)?, port, word(MNEME_OFFSET + 6)?, *frame.get(MNEME_OFFSET + 10)?))
}

impl Held {
    /// Notes what has come out of the board. Nothing is taken.
    pub(super) fn look(&mut self, events: &VecDeque<TraceEvent>, slow: &VecDeque<Vec<u8>>) {
        let writes = self.written.len();
        for event in events.iter().skip(self.events) {
            let asked = Some((event.src_ip, event.src_port, event.op_id, event.attempt));
            let of = |frame: &&mut Offered| frame.seen.is_none() && identity(&frame.sent.frame) == asked;
            if let Some(frame) = self.frames.iter_mut().find(of) {
                (frame.seen, frame.event) = (Some(writes), Some(*event));
            }
        }
        for bytes in slow.iter().skip(self.slow) {
            let of = |frame: &&mut Offered| frame.seen.is_none() && frame.sent.frame == *bytes;
            if let Some(frame) = self.frames.iter_mut().find(of) {
                frame.seen = Some(writes);
            }
        }
        (self.events, self.slow) = (events.len(), slow.len());
    }
    /// Frames that may hold a packet slot. One that dispatch drops does not once a later one has been seen.
    fn holding(&self) -> usize {
        let last = self.frames.iter().rposition(|frame| frame.seen.is_some());
        let gone = |at: usize, frame: &Offered| {
            frame.seen.is_some()
                || frame.never_enters()
                || (frame.is_silent() && last.is_some_and(|last| at < last))
        };
        self.frames.iter().enumerate().filter(|(at, frame)| !gone(*at, frame)).count()
    }
    /// An answer to it could not be told from another one's.
    fn knows(&self, frame: &[u8]) -> bool {
        self.frames.iter().any(|other| {
            other.sent.frame == frame
                || identity(frame).is_some_and(|who| identity(&other.sent.frame) == Some(who))
        })
    }
}

/// A change, and what frames are about meanwhile.
pub(super) struct Planned {
    pub(super) what: Change,
    /// Each takes effect at once, with its last register.
    writes: Vec<Writes>,
    pub(super) stages: Vec<Stage>,
    /// Where some of the frames go, by which window some of them have their time, and the page of some.
    there: Option<Addresses>,
    window: Option<u32>,
    page: Option<Page>,
}

impl<B: FastPath + NetworkPort + BadMemory + RegisterPort> Run<'_, B> {
    /// Some frames, a change among them, and everything compared.
    pub(super) fn change_under_load(&mut self) -> Result<(), Mismatch> {
        self.drain()?;
        let asleep = std::mem::take(&mut self.slow_asleep);
        let what = *pick(&mut self.rng, Change::ALL);
        let Some(plan) = self.plan(what) else { return Ok(()) };
        let dropped = self.dropped();
        self.held = Some(Held::default());
        let frames = self.rng.random_range(FRAMES);
        let mut at: Vec<usize> = plan.writes.iter().map(|_| self.rng.random_range(1..frames)).collect();
        at.sort_unstable();
        let mut writes = plan.writes.iter().zip(at).peekable();
        for number in 0..frames {
            while let Some((write, _)) = writes.next_if(|(_, at)| *at == number) {
                self.write_held(write)?;
            }
            // The trace tells of an answer before its slot is free again.
            let slots = self.world.shape.packet_slots - 1;
            if self.held.as_ref().is_some_and(|held| held.holding() < slots) {
                self.offer(&plan)?;
            }
            if self.rng.random_bool(0.4) {
                let cycles = self.rng.random_range(0..60);
                self.pass(cycles)?;
            }
        }
        self.come_to_rest()?;
        self.collect()?;
        let dropped = self.dropped().iter().zip(dropped).map(|(now, then)| now.wrapping_sub(then)).collect();
        let held = self.held.take().unwrap_or_default();
        self.judge(held, &plan, dropped)?;
        self.collect()?;
        self.drain()?;
        self.replay.end_change();
        self.slow_asleep = asleep;
        self.put_back(&plan)
    }

    /// The counters of frames that the board drops for what they are, and of those that found the slow ring full.
    fn dropped(&mut self) -> Vec<u32> {
        let counters = DROPS.iter().chain([&Counter::DropSlowFull, &Counter::ResumeExpired]);
        counters.map(|counter| self.board.read_counter(*counter)).collect()
    }

    fn plan(&mut self, what: Change) -> Option<Planned> {
        let (mut there, mut page) = (self.world.board, None);
        let control = |enable: bool, exhausted: bool| {
            let bit = |set: bool, bit: u32| if set { bit } else { 0 };
            vec![(Register::Control, bit(enable, CONTROL_ENABLE) | bit(exhausted, CONTROL_EXHAUSTED))]
        };
        let writes = match what {
            Change::Enable => vec![control(false, self.exhausted), control(true, self.exhausted)],
            Change::Exhausted => vec![control(true, !self.exhausted)],
            Change::Mac | Change::Ip | Change::UdpPort => {
                there = self.elsewhere(what);
                let [low, high, ip, port] = control::addresses(there)[..] else { return None };
                match what {
                    Change::Mac => vec![vec![low], vec![high]],
                    Change::Ip => vec![vec![ip]],
                    _ => vec![vec![port]],
                }
            }
            Change::Mat => vec![control::other_mat_row(there.port, &mut self.rng)],
            Change::Away => {
                page = Some(self.page_in(PageState::Away)?);
                let entry = page.and_then(|page| self.replay.model.find_entry(page).ok());
                vec![control::away_row(
                    entry.unwrap_or_default() as u32 & (AWAY_ROWS as u32 - 1),
                    &mut self.rng,
                )]
            }
            Change::Window => vec![vec![(Register::Window, self.other_window())]],
            Change::BusyHint => {
                page = self.page_in(PageState::Hold);
                vec![vec![(Register::BusyHint, self.rng.random())]]
            }
        };
        let stages = self.stages(what, &writes);
        let there = (there != self.world.board).then_some(there);
        let window = (what == Change::Window).then(|| stages[1].registers.window());
        Some(Planned { what, writes, stages, there, window, page })
    }

    /// A page whose entry has this state, if there is one.
    fn page_in(&mut self, state: PageState) -> Option<Page> {
        let entry = |page: &Page| self.replay.model.find_entry(*page).unwrap_or_default();
        let has = |page: &&Page| pte::state(entry(page)) == state;
        let pages: Vec<Page> = self.world.pages.iter().filter(has).copied().collect();
        pages.get(self.rng.random_range(0..pages.len().max(1))).copied()
    }

    /// One of the board's addresses, another one.
    fn elsewhere(&mut self, what: Change) -> Addresses {
        let mut there = self.world.board;
        match what {
            Change::Mac => {
                self.rng.fill(&mut there.mac);
                there.mac[0] = 2;
            }
            Change::Ip => there.ip[3] ^= self.rng.random_range(1..=255),
            _ => there.port ^= self.rng.random_range(1..=255),
        }
        there
    }
    pub(super) fn other_window(&mut self) -> u32 {
        let window = self.world.window;
        let near =
            window.saturating_add_signed(self.rng.random_range(-(FEW_TICKS as i32)..=FEW_TICKS as i32));
        let far = *pick(&mut self.rng, &WINDOWS);
        let other = if self.world.shape.simulated && self.rng.random_bool(0.7) { far } else { near };
        // A quarter of it is a time of its own.
        other.max(4)
    }

    /// The registers before, between and after the writes. The UDP port is looked at twice, by ingress and by the match-action table, so that a
    /// frame may meet the old one first and then the new one: this is a stage of its own, with the new values.
    fn stages(&mut self, what: Change, writes: &[Writes]) -> Vec<Stage> {
        let before = self.replay.model.registers.clone();
        let mut stages = vec![Stage { registers: before.clone(), after: 0 }];
        for (write, after) in writes.iter().zip(1..) {
            for (register, value) in write {
                self.replay.model.write_register(*register, *value);
            }
            let registers = self.replay.model.registers.clone();
            if what == Change::UdpPort {
                stages.push(Stage { registers: registers.clone(), after });
            }
            stages.push(Stage { registers, after });
        }
        self.replay.model.registers = before;
        stages
    }

    fn write_held(&mut self, write: &Writes) -> Result<(), Mismatch> {
        self.collect()?;
        let before = self.now();
        for (register, value) in write {
            self.board.write_register(*register, *value);
        }
        let after = self.now();
        if let Some(held) = &mut self.held {
            // What has come out meanwhile may have met either.
            held.written.push(Written { before, after });
        }
        self.collect()
    }

    fn offer(&mut self, plan: &Planned) -> Result<(), Mismatch> {
        // Without a look at the board, which would let time pass.
        let (now, here, window) = (self.reached(), self.world.board, self.world.window);
        let moved = plan.there.filter(|_| self.rng.random_bool(0.5));
        self.world.move_board(moved.unwrap_or(here));
        self.world.window = plan.window.filter(|_| self.rng.random_bool(0.5)).unwrap_or(window);
        let page = plan.page.filter(|_| self.rng.random_bool(0.7));
        let sent = fresh(&mut self.world, page, now, &mut self.rng);
        self.world.move_board(here);
        self.world.window = window;
        if self.held.as_ref().is_some_and(|held| held.knows(&sent.frame)) {
            return Ok(());
        }
        while self.board.ingress(&sent.frame, sent.fcs_error).is_err() {
            self.pass(8)?;
        }
        self.report.frames += 1;
        let dispatch = self.dispatch_at(plan, &sent);
        let (tick, slow_taken) = (self.reached(), self.slow_taken + self.board.slow_waiting());
        if let Some(held) = &mut self.held {
            let offered = held.written.len();
            held.frames.push(Offered { sent, dispatch, tick, slow_taken, offered, seen: None, event: None });
        }
        Ok(())
    }

    /// What the model makes of a frame at each stage.
    fn dispatch_at(&mut self, plan: &Planned, sent: &Sent) -> Vec<Result<Dispatch, Counter>> {
        let before = self.replay.model.registers.clone();
        let mut at_stage = |stage: &Stage, sent: &Sent| {
            self.replay.model.registers = stage.registers.clone();
            self.replay.dispatch(sent)
        };
        let mut all: Vec<_> = plan.stages.iter().map(|stage| at_stage(stage, sent)).collect();
        if plan.what == Change::UdpPort {
            let table = |reason: &Counter| matches!(reason, Counter::DropMatDrop | Counter::DropMatMiss);
            all[1] = match &all[0] {
                Ok(Dispatch::Slow(None)) | Err(_) => all[0].clone(),
                Ok(Dispatch::Drop(reason)) if !table(reason) => all[0].clone(),
                _ if sent.frame.len() < MNEME_OFFSET => all[0].clone(),
                _ => {
                    let mut moved = sent.clone();
                    moved.frame[36..38].copy_from_slice(&plan.stages[1].registers.udp_port().to_be_bytes());
                    moved.frame[40..42].fill(0);
                    at_stage(&plan.stages[1], &moved)
                }
            };
        }
        self.replay.model.registers = before;
        all
    }

    /// The board is reached where it was, and other things go on with what they are now.
    fn put_back(&mut self, plan: &Planned) -> Result<(), Mismatch> {
        match plan.what {
            Change::Mac | Change::Ip | Change::UdpPort => {
                control::write_all(self.board, &mut self.replay, &control::addresses(self.world.board));
            }
            Change::Mat => {
                let table = control::mat_table(self.world.board.port, &mut self.rng);
                control::write_all(self.board, &mut self.replay, &table);
            }
            Change::Exhausted => {
                self.exhausted = !self.exhausted;
                self.replay.was_exhausted = true;
            }
            Change::Window => self.window_has_changed(),
            Change::Enable | Change::Away | Change::BusyHint => {}
        }
        Ok(())
    }

    /// The window is another one; nothing is under way. What the filter forgot since a shorter window was over is too old for the longer one, too,
    /// once as many ticks have passed as it has grown (contracts §3).
    pub(super) fn window_has_changed(&mut self) {
        let before = std::mem::replace(&mut self.world.window, self.replay.model.registers.window());
        let grown = self.world.window.saturating_sub(before);
        self.now();
        if !self.world.shape.simulated {
            self.board.run(u64::from(grown + 1) << self.world.shape.tick_log2);
        } else if grown > 0 {
            self.skip_ticks(grown + 1);
        } else {
            // The scrubber has more to free.
            self.scrub();
        }
    }
}
