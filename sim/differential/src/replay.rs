//! The golden model at the board's heels: it takes the board's commits in their order and at their ticks, and says what
//! each answer has to be.
//!
//! What a board may decide for itself, because its queues and timing are its own: that it has no room (BUSY for the
//! causes QUEUE, FILTER, FAULT; NOMEM; a frame lost for want of a packet slot) and that an attempt is still running
//! (PENDING). For these the model checks that the board had reason to, and that nothing took effect.
pub mod changing;
mod excuse;
mod guest;
mod serve;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use mneme_wire::opcode::STATUS_SLOW_BIT;
use mneme_wire::pte::{self, PageState};
use mneme_wire::{Cause, Counter, HEADER_LEN, Packet, ReplaceStatus, Status, Tick, Trailer};

use self::changing::{Changing, Judged};
use self::guest::Guest;
use super::cover::{Cover, Way};
use super::damaged::DamagedReads;
use super::generate::Sent;
use super::journal::Journal;
use super::mismatch::{Mismatch, hex};
use super::occupancy::{Holder, Occupancy};
use super::outstanding::{Expected, Outstanding, Told};
use super::ticks::{Seen, Ticks};
use mneme_model::port::{EgressFrame, FilterHash, TraceEvent};
use mneme_model::soft::{
    Answer, BoardRequest, BoardShape, Dispatch, Entry, Executed, Key, Model, Page, Registers, ShapeError,
};
use mneme_wire::frame::MNEME_OFFSET;
use mneme_wire::trailer::upper;

/// A replace command that the board has started: requests may meet the old or the new entry.
#[derive(Debug, Clone, Copy)]
struct Replacing {
    page: Page,
    /// The model has executed it, since an answer showed that the board has.
    done: bool,
    /// Requests of the page were answered since the start: accessed and dirty bits of the old entry may differ.
    touched: bool,
}

/// How the board says that a replace command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replaced {
    /// Status.
    pub status: ReplaceStatus,
    /// The old entry.
    pub old: u64,
}

/// The golden model in a replay.
pub struct Replay {
    /// The model.
    pub model: Model,
    sent: Outstanding,
    guest: Guest,
    /// Frames for the slow ring, in order.
    slow: VecDeque<Expected>,
    /// The tick of the last answer to each operation that ran, as far back as the board may be uncertain.
    answered_at: HashMap<Key, Tick>,
    replacing: Option<Replacing>,
    /// Registers that were written while the frames at hand were under way.
    changing: Option<Changing>,
    /// Pages that the board's TLB may hold though the model's does not: requests of theirs were answered while a replace
    /// command ran, and nothing shows on which side of it.
    maybe_cached: HashSet<Page>,
    damaged_reads: DamagedReads,
    /// Memory has been full since shares were written last.
    pub was_exhausted: bool,
    /// What the board may be out of.
    pub occupancy: Occupancy,
    ticks: Ticks,
    /// The board's tick of 64 bits when it was read last.
    pub full_tick: u64,
    /// What was met, and what the answer at hand has met.
    pub cover: Cover,
    way: Way,
    /// Frames that came while all packet slots may have been taken.
    pub may_be_lost: u64,
    /// Answers that may be of an entry's wrong parity or of a leaf table that is nobody's, while the entry was replaced.
    pub unclear: u64,
    /// Frames sent by the time at which all of the ring's frames could be had for sure: none waits that was freed, and none is on its way.
    pub frames_wait: u64,
    /// Requests to split pages, by status and cause.
    pub split: BTreeMap<(u8, u8), u64>,
    /// Frames that the board must have lost at ingress.
    pub lost: u64,
    /// Slow frames that the board lost: at ingress, or for want of room in the slow ring.
    pub lost_slow: u64,
    /// Answers checked.
    pub answers: u64,
    /// Results of tokens of door 1 checked.
    pub results: u64,
    /// Those of them that told their cycles.
    pub timed: u64,
    /// Those of them that were called slow.
    pub called_slow: u64,
    journal: Journal,
    /// Answers by opcode, status and cause.
    pub tally: HashMap<(u8, u8, u8), u64>,
}

impl Replay {
    /// A model after reset.
    pub fn new(shape: BoardShape, hash: FilterHash, slow_places: u64) -> Result<Replay, ShapeError> {
        Ok(Replay {
            model: Model::for_replay(shape)?,
            sent: Outstanding::default(),
            guest: Guest::default(),
            slow: VecDeque::new(),
            answered_at: HashMap::new(),
            replacing: None,
            changing: None,
            maybe_cached: HashSet::new(),
            damaged_reads: DamagedReads::default(),
            was_exhausted: false,
            occupancy: Occupancy::new(shape, hash, slow_places),
            ticks: Ticks::default(),
            full_tick: 0,
            cover: Cover::default(),
            way: Way::default(),
            may_be_lost: 0,
            unclear: 0,
            frames_wait: 0,
            split: BTreeMap::new(),
            lost: 0,
            lost_slow: 0,
            answers: 0,
            results: 0,
            timed: 0,
            called_slow: 0,
            journal: Journal::default(),
            tally: HashMap::new(),
        })
    }
    /// Notes a frame that was given to the board at this tick or later, when the slow path had taken so many frames since the board's start.
    /// Addresses, epoch and tables are those of the model now.
    pub fn send(&mut self, sent: Sent, tick: Tick, slow_taken: u64) {
        let dispatch = self.dispatch(&sent);
        self.send_as(sent, dispatch, tick, slow_taken);
    }
    /// What the model makes of a frame.
    pub fn dispatch(&mut self, sent: &Sent) -> Result<Dispatch, Counter> {
        // What a tag covers of the tick is nearest to the one of now, not to that of the last answer.
        let before = std::mem::replace(&mut self.model.tick, Tick::from_low_bits(self.full_tick as u32));
        self.model.tick_high = upper(self.full_tick);
        let made =
            self.model.admit(&sent.frame, sent.fcs_error, true).map(|()| self.model.dispatch(&sent.frame));
        self.model.tick = before;
        made
    }
    /// [`send`](Self::send), of a frame of which the board was seen to make this.
    pub fn send_as(&mut self, sent: Sent, dispatch: Result<Dispatch, Counter>, tick: Tick, slow_taken: u64) {
        self.model.counters.count(Counter::RxFrames);
        let entered = self.occupancy.enters(tick, self.sent.holding(), slow_taken);
        self.may_be_lost += u64::from(entered.may_be_lost);
        if matches!(dispatch, Ok(Dispatch::Slow(_))) {
            self.occupancy.slow_enters();
        }
        self.sent.push(sent.frame, dispatch, entered);
    }
    /// So many free pages were read of the board.
    pub fn pages_read(&mut self, pages: u32, rests: bool) {
        self.occupancy.pages_read(pages.into(), self.sent.sent(), rests);
    }
    /// Entries of the filter that may be in use.
    pub fn entries_in_use(&self) -> usize {
        self.occupancy.entries() + self.sent.len()
    }
    /// Frames given to the board that no answer has accounted for.
    pub fn outstanding(&self) -> usize {
        self.sent.len()
    }

    /// Requests to a page that no answer has accounted for.
    pub fn outstanding_on(&self, page: Page) -> usize {
        self.sent.on_page(&self.model, page) + self.guest.on_page(&self.model, page)
    }

    /// Accounts for a frame that gave no answer.
    fn settle(&mut self, expected: Expected) -> Result<(), Mismatch> {
        match expected.dispatch {
            Err(reason) | Ok(Dispatch::Drop(reason)) => self.model.counters.count(reason),
            Ok(Dispatch::Slow(_)) => self.slow.push_back(expected),
            Ok(Dispatch::Answered(..) | Dispatch::Execute(_)) if expected.entered.may_be_lost => {
                self.lost += 1;
            }
            Ok(Dispatch::Answered(..) | Dispatch::Execute(_)) => {
                return Err(Mismatch::new(format!(
                    "a request was lost though a packet slot was free: {}",
                    hex(&expected.frame)
                )));
            }
        }
        Ok(())
    }
    /// The board is quiet: what was not answered never will be.
    pub fn settle_all(&mut self) -> Result<(), Mismatch> {
        self.answered_at.clear();
        self.ticks.rest();
        self.occupancy.filter_rests(self.model.tick, self.model.registers.window());
        self.sent.take_all().try_for_each(|expected| self.settle(expected))
    }

    /// Compares a frame of the slow ring.
    pub fn slow_frame(&mut self, frame: &[u8]) -> Result<(), Mismatch> {
        while let Some(expected) = self.slow.pop_front() {
            if expected.frame == frame {
                self.model.counters.count(Counter::SlowTx);
                return Ok(());
            }
            self.lose_slow(&expected)?;
        }
        Err(Mismatch::new(format!("a frame in the slow ring that does not belong there: {}", hex(frame))))
    }
    /// The slow ring is empty and the board quiet: frames that did not come never will. `taken`: those that did, since its start.
    pub fn settle_slow(&mut self, taken: u64) -> Result<(), Mismatch> {
        self.occupancy.slow_rests(taken);
        std::mem::take(&mut self.slow).iter().try_for_each(|expected| self.lose_slow(expected))
    }
    fn lose_slow(&mut self, expected: &Expected) -> Result<(), Mismatch> {
        self.lost_slow += 1;
        if expected.entered.may_be_lost || expected.entered.ring_may_be_full {
            return Ok(());
        }
        let frame = hex(&expected.frame);
        Err(Mismatch::new(format!(
            "a slow frame was lost though a packet slot and a place in the slow ring were free: {frame}"
        )))
    }

    /// Compares an answer of the board with the model's.
    pub fn answer(&mut self, event: &TraceEvent, answer: &EgressFrame, now: Tick) -> Result<(), Mismatch> {
        let frame = &answer.bytes[..];
        let expected = self.find(event, frame)?;
        let request = expected.request().cloned();
        let request = request.ok_or_else(|| wrong("an answer to a frame that has none", event, frame))?;
        let page = self.model.page(&request);
        let compared = self.compare(request, &expected, event, answer, now);
        compared.map_err(|mismatch| self.journal.explain(page, mismatch))
    }

    fn compare(
        &mut self,
        request: BoardRequest,
        sent: &Expected,
        event: &TraceEvent,
        answered: &EgressFrame,
        now: Tick,
    ) -> Result<(), Mismatch> {
        let frame = &answered.bytes[..];
        let packet = packet(frame).ok_or_else(|| wrong("the answer is no Mneme packet", event, frame))?;
        let told = packet.timed();
        let sent_at = if told { Tick::from_low_bits(event.tick) } else { packet.time() };
        let tick_filter = Tick::from_low_bits(event.tick_filter);
        let seen = Seen {
            event,
            number: (!sent.ambiguous).then_some(sent.number),
            filtered: matches!(sent.dispatch, Ok(Dispatch::Execute(_)))
                && request.is_filtered()
                && !is_busy(event, Cause::Class),
            entered: sent.entered_at(),
            page: self.model.page(&request),
            told: (!told).then_some(sent_at),
            now,
        };
        self.ticks.check(&seen).map_err(|what| wrong(what, event, frame))?;
        self.model.advance(tick_filter);
        self.way = Way::default();
        let judged = Judged { number: sent.number, page: seen.page, event, frame };
        self.take_values_of(&request, &judged);
        let mut answer = match self.excuse(&request, sent, event, frame)? {
            Some(answer) => answer,
            None => self.decide(&request, sent, (event, sent_at), frame)?,
        };
        self.model.tick = sent_at;
        // The model answers at once. Who waited is the board's to say, but nobody waits who did not walk; checkpoints compare the sums.
        answer.slow = event.resumed && frame[MNEME_OFFSET + 2] & STATUS_SLOW_BIT != 0;
        self.called_slow += u64::from(answer.slow);
        // How long it took is the board's to say; its port checks it.
        let cycles = if told { packet.time().get() } else { 0 };
        self.timed += u64::from(told);
        let mut expected = self.model.respond(&request, &mut answer, cycles.into());
        if let Some(changing) = &self.changing {
            changing.accept_addresses(sent.number, frame, &mut expected);
            // A trailer covers those that the answer has, though its header's sum may be of another one.
            let addresses = changing::covered(&expected);
            request.means.of_answer(answer.status).seal(&addresses, &mut expected[MNEME_OFFSET..]);
        }
        self.model.counters.count(Counter::TxFrames);
        self.answers += 1;
        // Bins tell what became of a translation; who is over its share has none, and that of a split page, which alone is told QUOTA, goes on in its leaf table.
        if !is_over_its_share(event) && !self.way.split && event.status() != Some(Status::Quota) {
            self.cover.note(&self.model.shape, &request, event.status, self.way);
        }
        *self.tally.entry((request.opcode, event.status, event.cause)).or_default() += 1;
        if answer.bad_fcs {
            self.model.counters.count(Counter::TxDamaged);
        }
        if answer.bad_fcs != answered.bad_fcs {
            let what =
                if answer.bad_fcs { "good, though memory failed" } else { "bad, though memory did not fail" };
            return Err(wrong(&format!("the check sequence is {what}"), event, frame));
        }
        // What memory failed to deliver means nothing.
        let meant = if answer.bad_fcs { MNEME_OFFSET + HEADER_LEN } else { frame.len() };
        if expected.len() != frame.len() || expected[..meant] != frame[..meant] {
            return Err(
                wrong("the answer differs from the model's", event, frame).expecting(&expected, &request)
            );
        }
        let status = (answer.status.number(), answer.cause_number());
        if status != (event.status, event.cause) {
            return Err(wrong("the trace names another status or cause than the answer", event, frame));
        }
        Ok(())
    }

    /// The frame that an answer belongs to.
    fn find(&mut self, event: &TraceEvent, frame: &[u8]) -> Result<Expected, Mismatch> {
        let key = Key { source_ip: event.src_ip, source_port: event.src_port, op_id: event.op_id };
        let (tick, window) = (Tick::from_low_bits(event.tick_filter), self.model.registers.window());
        let recent = self.answered_lately(&key, tick);
        // One whose operation was running is held for as long as it runs, whatever its window.
        let held = |entry: &&Entry| recent || entry.is_live(tick, window);
        let entry = self.model.filter.entry(&key).filter(held);
        let told = packet(frame).map_or(Told::default(), |packet| Told {
            time: packet.timed(),
            trailer: packet.trailer().unwrap_or(Trailer::None),
        });
        if let Some((found, silent)) = self.sent.take(event, told, entry, recent) {
            silent.into_iter().try_for_each(|expected| self.settle(expected))?;
            return Ok(found);
        }
        // The slow ring was full, and a later request has been answered already.
        let refused = self.slow.iter().position(|expected| expected.answers(event));
        let refused = refused.filter(|_| is_busy(event, Cause::Queue)).and_then(|at| self.slow.remove(at));
        refused.ok_or_else(|| {
            wrong("an answer to nothing that was sent by then, or to what had to be dropped", event, frame)
        })
    }

    /// Whether an operation of the key was answered at or after the tick, or so shortly before that it may have been running then.
    fn answered_lately(&self, key: &Key, tick: Tick) -> bool {
        self.answered_at.get(key).is_some_and(|at| at.since(tick) >= -1)
    }

    /// What the model decides at the board's ticks.
    fn decide(
        &mut self,
        request: &BoardRequest,
        sent: &Expected,
        (event, sent_at): (&TraceEvent, Tick),
        frame: &[u8],
    ) -> Result<Answer, Mismatch> {
        if let Ok(Dispatch::Answered(_, answer)) = &sent.dispatch {
            return Ok(answer.clone());
        }
        let answer = self.model.filter(request);
        self.way.filter = self.model.judged.filter(|_| request.is_filtered());
        if let Some(answer) = answer {
            return Ok(answer);
        }
        if request.is_filtered() {
            self.occupancy.holds_entry(Holder::of(request), sent_at);
        }
        // Who is over its share has done nothing, so it waits for nobody, and nobody for it.
        if !is_over_its_share(event) {
            if let Some(by) = sent.overtaken_by {
                return Err(wrong(&format!("{by} ran before this request"), event, frame));
            }
            self.sent.ran(sent.since(), request, &self.model);
        }
        self.answered_at.insert(Key::of(request), sent_at);
        self.take_window_of_translation();
        let Executed { answer, .. } = self.serve(request, sent.since(), event, frame)?;
        if request.is_filtered() {
            self.model.filter.finish(request, &answer);
        }
        Ok(answer)
    }

    /// The board has started a replace command; registers hold it.
    pub fn start_replace(&mut self, page: Page) {
        self.journal.replaced(page, "started", self.model.find_entry(page).unwrap_or_default());
        self.replacing = Some(Replacing { page, done: false, touched: false });
    }

    /// The board says that the command ended: the model must see the same.
    pub fn end_replace(&mut self, board: Replaced, geometry: &pte::Geometry) -> Result<Replaced, Mismatch> {
        let replacing = self.replacing.take();
        if let Some(Replacing { page, touched, .. }) = replacing {
            if board.status == ReplaceStatus::Done {
                self.maybe_cached.remove(&page);
            }
            if touched {
                self.maybe_cached.insert(page);
            }
        }
        if !replacing.is_some_and(|replacing| replacing.done) {
            self.model.write_register(mneme_wire::Register::ReplaceGo, 1);
        }
        let Registers { replace_status: status, replace_old: old, .. } = self.model.registers;
        if let Some(Replacing { page, .. }) = replacing {
            let entry = self.model.find_entry(page).unwrap_or_default();
            self.journal.replaced(page, &format!("ended as {}", board.status), entry);
        }
        let mut ignored = pte::PARITY | if old & pte::VALID != 0 { geometry.ppn_mask() } else { 0 };
        if replacing.is_some_and(|replacing| replacing.touched) {
            // Requests may have come before or after where that does not show in their answers: while rights change.
            ignored |= pte::ACCESSED | pte::DIRTY | pte::VALID | geometry.ppn_mask();
        }
        if status != board.status || (old ^ board.old) & !ignored != 0 {
            let mismatch = Mismatch::new(format!(
                "replace ended as {} with old entry {:#018x}, the model says {status} with {old:#018x}",
                board.status, board.old
            ));
            return Err(match replacing {
                Some(Replacing { page, .. }) => self.journal.explain(page, mismatch),
                None => mismatch,
            });
        }
        Ok(Replaced { status, old })
    }
}

/// Whether translation has refused the request since too many of its group waited. An away row may tell the same of a page that was walked for.
pub(super) fn is_over_its_share(event: &TraceEvent) -> bool {
    is_busy(event, Cause::Share) && !event.resumed
}
pub(super) fn is_busy(event: &TraceEvent, cause: Cause) -> bool {
    event.status() == Some(Status::Busy) && event.cause() == Some(cause)
}

pub(super) fn packet(frame: &[u8]) -> Option<Packet<&[u8]>> {
    Packet::new_checked(frame.get(MNEME_OFFSET..)?).ok()
}

fn wrong(what: &str, event: &TraceEvent, frame: &[u8]) -> Mismatch {
    Mismatch::new(format!("{what}\n  trace  {event:?}\n  answer {}", hex(frame)))
}

/// Whether an entry of the table is whole and belongs to somebody.
pub fn in_use(entry: u64) -> bool {
    entry & pte::ALLOCATED != 0 && pte::parity_ok(entry)
}

/// Whether an entry names a physical page with contents of its own.
pub fn has_page(entry: u64) -> bool {
    in_use(entry) && entry & pte::VALID != 0 && !matches!(pte::state(entry), PageState::Split)
}
