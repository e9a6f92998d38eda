//! Registers that were written while requests were under way: by which values a request was judged shows in its answer.
//!
//! Each request has met the old value or the new one, nothing else. What was offered after the write has met the new one, what was answered
//! before it the old one. Translation looks at the registers when it comes to a request, so order is kept within a page alone.
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use mneme_model::port::TraceEvent;
use mneme_model::soft::{BoardRequest, Model, Page, Registers};
use mneme_wire::pte::{self, PageState};
use mneme_wire::register::AWAY_ROWS;
use mneme_wire::trailer::COVERED_LEN;
use mneme_wire::{Cause, Status, Tick, WindowCheck, check_window};

use super::{Replay, is_busy, packet};

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// CONTROL.enable: off, and on again.
    Enable,
    /// CONTROL.exhausted.
    Exhausted,
    /// The MAC address, which is two registers.
    Mac,
    /// The IPv4 address.
    Ip,
    /// The UDP port.
    UdpPort,
    /// A row of the match-action table.
    Mat,
    /// An away row.
    Away,
    /// The window.
    Window,
    /// The hint of BUSY answers.
    BusyHint,
}

impl Change {
    /// All of them.
    pub const ALL: &'static [Change] = &[
        Change::Enable,
        Change::Exhausted,
        Change::Mac,
        Change::Ip,
        Change::UdpPort,
        Change::Mat,
        Change::Away,
        Change::Window,
        Change::BusyHint,
    ];
}

/// The board's tick around a write.
#[derive(Debug, Clone, Copy)]
pub struct Written {
    /// Before it.
    pub before: Tick,
    /// After it.
    pub after: Tick,
}

/// Values that a board may judge by.
#[derive(Debug, Clone)]
pub struct Stage {
    /// All registers.
    pub registers: Registers,
    /// So many writes lead to them.
    pub after: usize,
}

/// What becomes of a windowed request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// It is inside the window whenever anybody looks.
    Inside,
    /// The filter refuses it: too old.
    Expired,
    /// The filter refuses it: ahead of the clock.
    Ahead,
    /// The filter lets it pass, and it is too old when it leaves translation.
    ExpiredLate,
}

/// The change that the frames at hand have met.
pub struct Changing {
    /// What is written.
    pub what: Change,
    /// Old values, those between the writes, new ones.
    pub stages: Vec<Stage>,
    /// When each of the writes was.
    pub written: Vec<Written>,
    /// The number of the first frame, and which stages each one may have met.
    pub first: u64,
    /// See `first`.
    pub met: Vec<(usize, usize)>,
    /// Frames that the filter let pass, and that were too old when they left translation.
    pub expired_late: HashSet<u64>,
    /// The newest stage that a page's requests have met.
    pub newest: HashMap<Page, usize>,
    /// The stage by which translation checks the window of the request at hand.
    pub translation: usize,
}

/// An answer whose request is judged.
pub struct Judged<'a> {
    /// The request's number.
    pub number: u64,
    /// Its page.
    pub page: Page,
    /// The event of the trace.
    pub event: &'a TraceEvent,
    /// The answer.
    pub frame: &'a [u8],
}

impl Changing {
    /// The longest window of all stages.
    pub fn longest_window(&self) -> u32 {
        self.stages.iter().map(|stage| stage.registers.window()).max().unwrap_or_default()
    }

    fn range(&self, number: u64) -> (usize, usize) {
        let last = self.stages.len() - 1;
        let at = number.checked_sub(self.first).and_then(|at| self.met.get(at as usize));
        at.copied().unwrap_or((last, last))
    }

    /// Those stages of a range that somebody may have met who looked at this tick.
    fn at_tick(&self, (first, last): (usize, usize), tick: u32) -> Range<usize> {
        let tick = Tick::from_low_bits(tick);
        let writes = |at: usize| self.stages[at].after;
        let mut stages = first..last + 1;
        while stages.len() > 1 && tick.since(self.written[writes(stages.end - 1) - 1].before) < 0 {
            stages.end -= 1;
        }
        while stages.len() > 1 && tick.since(self.written[writes(stages.start + 1) - 1].after) > 0 {
            stages.start += 1;
        }
        stages
    }

    /// By which stages filter and translation may have judged a windowed request so that this became of it.
    pub fn windows(
        &self,
        number: u64,
        request: &BoardRequest,
        event: &TraceEvent,
        course: Course,
    ) -> Option<(usize, usize)> {
        let range = self.range(number);
        let check = |tick: u32, stage: usize| {
            check_window(Tick::from_low_bits(tick), request.time, self.stages[stage].registers.window())
        };
        let translation = self.at_tick(range, event.tick_resume);
        self.at_tick(range, event.tick_filter).find_map(|filter| match check(event.tick_filter, filter) {
            WindowCheck::Expired => (course == Course::Expired).then_some((filter, filter)),
            WindowCheck::Ahead => (course == Course::Ahead).then_some((filter, filter)),
            WindowCheck::Inside => translation.clone().filter(|stage| *stage >= filter).find_map(|stage| {
                let late = check(event.tick_resume, stage) == WindowCheck::Expired;
                let wanted = if late { Course::ExpiredLate } else { Course::Inside };
                (course == wanted).then_some((filter, stage))
            }),
        })
    }

    /// The stages by which filter and translation have judged a request, as far as its answer tells.
    fn choose(&mut self, request: &BoardRequest, judged: &Judged<'_>, model: &Model) -> (usize, usize) {
        let Judged { number, page, event, frame } = *judged;
        let (first, last) = self.range(number);
        let first_of = |from: usize, fits: &dyn Fn(&Registers) -> bool| {
            (from..=last).find(|at| fits(&self.stages[*at].registers)).unwrap_or(last)
        };
        let one = match self.what {
            Change::Window if request.is_filtered() => {
                let course = match event.status() {
                    Some(Status::Expired) if self.expired_late.contains(&number) => Course::ExpiredLate,
                    Some(Status::Expired) => Course::Expired,
                    _ if is_busy(event, Cause::Clock) => Course::Ahead,
                    _ => Course::Inside,
                };
                return self.windows(number, request, event, course).unwrap_or((last, last));
            }
            Change::BusyHint => {
                let hint = packet(frame).map(|packet| packet.va().get() as u32);
                first_of(first, &|registers| Some(registers.busy_hint()) == hint)
            }
            Change::Exhausted => {
                let exhausted = event.status() == Some(Status::NoMemory);
                first_of(first, &|registers| registers.exhausted() == exhausted)
            }
            Change::Away => {
                let entry = model.find_entry(page).unwrap_or_default();
                if pte::state(entry) != PageState::Away {
                    return (first, first);
                }
                let row = (entry & (AWAY_ROWS as u64 - 1)) as usize;
                let told = packet(frame).map(|packet| (packet.va(), packet.length()));
                let newest = self.newest.get(&page).copied().unwrap_or(first).clamp(first, last);
                let told_at = (newest..=last).find(|at| {
                    let row = self.stages[*at].registers.away[row];
                    event.status() == Some(row.status) && told == Some((row.va, row.length))
                });
                // An answer that shows no row, since the request was too old, tells nothing of when it changed.
                let Some(told_at) = told_at else { return (newest, newest) };
                self.newest.insert(page, told_at);
                told_at
            }
            _ => first,
        };
        (one, one)
    }

    /// An answer carries the addresses that hold when its header is built, each field by itself: one that leaves during the write may mix them, and
    /// have the sum of the other address.
    pub fn accept_addresses(&self, number: u64, frame: &[u8], expected: &mut [u8]) {
        if frame.len() != expected.len() {
            return;
        }
        let (first, last) = self.range(number);
        let mut accept = |at: Range<usize>, of: &dyn Fn(&Registers) -> Vec<u8>| {
            let met = self.stages[first..=last].iter().any(|stage| of(&stage.registers) == frame[at.clone()]);
            if met {
                expected[at.clone()].copy_from_slice(&frame[at]);
            }
        };
        accept(6..12, &|registers| registers.mac().to_vec());
        accept(26..30, &|registers| registers.ip().to_vec());
        accept(34..36, &|registers| registers.udp_port().to_be_bytes().to_vec());
        accept(24..26, &|registers| header_sum(&frame[14..34], registers.ip()).to_be_bytes().to_vec());
    }
}

/// Addresses and ports of an answer, as its trailer covers them, whatever its checksums are.
pub(super) fn covered(frame: &[u8]) -> [u8; COVERED_LEN] {
    let mut bytes = [0; COVERED_LEN];
    bytes.copy_from_slice(&frame[26..26 + COVERED_LEN]);
    bytes
}

/// The checksum of an IPv4 header that comes from this address.
fn header_sum(header: &[u8], source: [u8; 4]) -> u16 {
    let mut header = header.to_vec();
    header[10..12].fill(0);
    header[12..16].copy_from_slice(&source);
    let sum: u32 = header.chunks(2).map(|word| u32::from(word[0]) << 8 | u32::from(word[1])).sum();
    let folded = (sum & 0xffff) + (sum >> 16);
    !(((folded & 0xffff) + (folded >> 16)) as u16)
}

impl Replay {
    /// The frames that were sent last have met a change.
    pub fn begin_change(&mut self, changing: Changing) {
        self.changing = Some(changing);
    }
    /// All of them have been accounted for: the last values hold.
    pub fn end_change(&mut self) {
        if let Some(last) = self.changing.take().and_then(|mut changing| changing.stages.pop()) {
            self.model.registers = last.registers;
        }
    }
    /// The number that the next frame gets.
    pub fn next_number(&self) -> u64 {
        self.sent.sent()
    }

    /// The model takes the values by which the board has judged a request.
    pub(super) fn take_values_of(&mut self, request: &BoardRequest, judged: &Judged<'_>) {
        if let Some(changing) = &mut self.changing {
            let (filter, translation) = changing.choose(request, judged, &self.model);
            changing.translation = translation;
            self.model.registers = changing.stages[filter].registers.clone();
        }
    }
    pub(super) fn take_window_of_translation(&mut self) {
        if let Some(changing) = &self.changing {
            self.model.registers = changing.stages[changing.translation].registers.clone();
        }
    }
}
