//! Frames given to the board that nothing has accounted for, and which of them an answer belongs to.
//!
//! A board answers requests of different pages in any order: hits overtake misses, and what the filter refuses overtakes what
//! waits for its page. So answers are matched by who asked, operation and attempt; what must not happen is checked by marks:
//! a request that ran may not have been overtaken by one of its own page, nor by a fence of its process.
mod copies;

use std::collections::VecDeque;

use mneme_model::port::TraceEvent;
use mneme_model::soft::{BoardRequest, Dispatch, Entry, Key, Model, Page};
use mneme_wire::{Cause, Counter, Opcode, Status, Tick};

use self::copies::{same_operation, same_packet, tells};
use super::occupancy::{Entered, Holder};
use super::replay::is_busy;
pub use copies::Told;

/// A frame given to the board, with what the model makes of it.
#[derive(Clone)]
pub struct Expected {
    /// Its bytes.
    pub frame: Vec<u8>,
    /// Nothing when it is dropped at ingress.
    pub dispatch: Result<Dispatch, Counter>,
    /// Place in the order of arrival.
    pub number: u64,
    /// What it may have met when it came.
    pub entered: Entered,
    /// A copy of it has been answered, and nothing tells which of them that was.
    pub ambiguous: bool,
    /// What ran before this request, though it came later and should have waited.
    pub overtaken_by: Option<&'static str>,
    /// An older copy that was taken for the one that the filter refused: it may be that this one was refused, and that one runs.
    older: Option<Box<Expected>>,
}

impl Expected {
    /// Since when it may have been on the board: its own place in the order of arrival, or that of an older copy.
    pub fn since(&self) -> u64 {
        self.older.as_ref().map_or(self.number, |older| older.since())
    }
    /// The tick at which it came, or the oldest of the copies that it may be.
    pub fn entered_at(&self) -> Tick {
        self.copies().last().unwrap_or(self).entered.tick
    }
    /// It, and the older copies that it may be.
    fn copies(&self) -> impl Iterator<Item = &Expected> {
        std::iter::successors(Some(self), |copy| copy.older.as_deref())
    }
    /// The request that may be answered.
    pub fn request(&self) -> Option<&BoardRequest> {
        match &self.dispatch {
            Ok(Dispatch::Answered(request, _) | Dispatch::Execute(request)) => Some(request),
            Ok(Dispatch::Slow(request)) => request.as_ref(),
            _ => None,
        }
    }
    /// The request, when it passed dispatch.
    fn executes(&self) -> Option<&BoardRequest> {
        match &self.dispatch {
            Ok(Dispatch::Execute(request)) => Some(request),
            _ => None,
        }
    }
    fn filtered(&self) -> Option<&BoardRequest> {
        self.executes().filter(|request| request.is_filtered())
    }
    /// Whether dispatch gives no answer to it, as a rule.
    fn is_silent(&self) -> bool {
        !matches!(self.dispatch, Ok(Dispatch::Answered(..) | Dispatch::Execute(_)))
    }
    fn is_slow(&self) -> bool {
        matches!(self.dispatch, Ok(Dispatch::Slow(_)))
    }
    /// Whether an event of the trace can be its answer.
    pub fn answers(&self, event: &TraceEvent) -> bool {
        self.request().is_some_and(|request| belongs(event, request))
    }
    /// Whether dispatch itself gives this answer. What passes dispatch is never answered so.
    fn is_answered_by_dispatch(&self, event: &TraceEvent) -> bool {
        let Ok(Dispatch::Answered(_, answer)) = &self.dispatch else { return false };
        (answer.status.number(), answer.cause_number()) == (event.status, event.cause)
    }
}

/// All of them, the oldest in front.
#[derive(Default)]
pub struct Outstanding {
    frames: VecDeque<Expected>,
    sent: u64,
}

impl Outstanding {
    /// Notes a frame.
    pub fn push(&mut self, frame: Vec<u8>, dispatch: Result<Dispatch, Counter>, entered: Entered) {
        self.frames.push_back(Expected {
            frame,
            dispatch,
            number: self.sent,
            entered,
            ambiguous: false,
            overtaken_by: None,
            older: None,
        });
        self.sent += 1;
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }
    /// How many were noted, ever.
    pub fn sent(&self) -> u64 {
        self.sent
    }
    /// Frames of the fast path that may hold a packet slot.
    pub fn holding(&self) -> usize {
        self.frames.iter().filter(|expected| expected.dispatch.is_ok() && !expected.is_slow()).count()
    }
    /// Operations that may hold an entry of the filter, or are about to take a page.
    pub fn operations(&self) -> impl Iterator<Item = Holder> {
        self.frames.iter().filter_map(Expected::filtered).map(Holder::of)
    }
    /// Takes all of them.
    pub fn take_all(&mut self) -> impl Iterator<Item = Expected> + use<> {
        std::mem::take(&mut self.frames).into_iter()
    }
    /// Requests to a page.
    pub fn on_page(&self, model: &Model, page: Page) -> usize {
        self.frames
            .iter()
            .filter_map(Expected::executes)
            .filter(|request| model.page(request) == page)
            .count()
    }

    /// Takes the frame that an answer belongs to, and all before it that dispatch dropped or gave to the slow path: those are
    /// accounted for now, since dispatch keeps the order.
    ///
    /// `told`: what the answer tells; `entry` is what the filter holds of the event's key, if that is live; `recent`: its operation
    /// was answered so lately that it may have been running when the filter decided.
    pub fn take(
        &mut self,
        event: &TraceEvent,
        told: Told,
        entry: Option<&Entry>,
        recent: bool,
    ) -> Option<(Expected, Vec<Expected>)> {
        let at = self.position(event, told, entry, recent)?;
        let mut found = self.frames.remove(at)?;
        self.mark_copies(event, &mut found);
        if is_refused(event) || is_busy(event, Cause::Class) {
            self.may_be_younger(at, &found);
        } else {
            let meant = found.copies().find(|copy| tells(event, told, copy));
            if let Some((frame, dispatch)) = meant.map(|copy| (copy.frame.clone(), copy.dispatch.clone())) {
                (found.frame, found.dispatch) = (frame, dispatch);
            }
        }
        let (mut silent, mut index) = (Vec::new(), 0);
        for _ in 0..at {
            if self.frames[index].is_silent() {
                silent.extend(self.frames.remove(index));
            } else {
                index += 1;
            }
        }
        Some((found, silent))
    }

    /// A frame was taken for the one that is answered. It may have been any of its copies, and any of them may be the one that was lost.
    fn mark_copies(&mut self, event: &TraceEvent, found: &mut Expected) {
        let lost = found.entered.may_be_lost;
        for copy in self.frames.iter_mut().filter(|copy| copy.answers(event)) {
            copy.ambiguous = true;
            copy.entered.may_be_lost |= lost;
            found.ambiguous = true;
        }
    }

    /// A frame was taken for the one that its class or the filter refused; a copy that came after it is as good.
    fn may_be_younger(&mut self, from: usize, refused: &Expected) {
        let Some(request) = refused.executes() else { return };
        let copy = |other: &&mut Expected| {
            other.executes().is_some_and(|other| {
                Key::of(other) == Key::of(request)
                    && other.attempt == request.attempt
                    && same_operation(request, other)
            })
        };
        if let Some(younger) = self.frames.iter_mut().skip(from).find(copy) {
            younger.older = Some(Box::new(refused.clone()));
        }
    }

    /// The oldest frame of the event's key that can have got this answer: one that dispatch answers so, or else one that it does not
    /// answer. The older of two copies of an attempt may have been lost: then the answer is that of the one that asked for what it tells,
    /// and that nothing has overtaken. When the filter refuses, the oldest that meets what the filter holds, or a request that is still
    /// under way.
    fn position(&self, event: &TraceEvent, told: Told, entry: Option<&Entry>, recent: bool) -> Option<usize> {
        let queue_full = is_busy(event, Cause::Queue);
        let of_key = self
            .frames
            .iter()
            .enumerate()
            .filter(|(_, expected)| expected.answers(event) && (queue_full || !expected.is_slow()))
            // One that came after the filter had decided cannot be the one.
            .filter(|(_, expected)| Tick::from_low_bits(event.tick_filter).since(expected.entered_at()) >= 0);
        let of_dispatch = of_key.clone().find(|(_, expected)| expected.is_answered_by_dispatch(event));
        if let Some((at, _)) = of_dispatch {
            return Some(at);
        }
        let matching: Vec<_> =
            of_key.filter(|(_, expected)| !matches!(expected.dispatch, Ok(Dispatch::Answered(..)))).collect();
        if is_busy(event, Cause::Class) {
            // Whichever copy it was, the oldest with this trailer is as good.
            let oldest = matching.iter().find(|(_, expected)| tells(event, told, expected));
            return oldest.or(matching.first()).map(|(at, _)| *at);
        }
        if !is_refused(event) {
            let asked = |expected: &Expected| expected.copies().any(|copy| tells(event, told, copy));
            let in_order = |expected: &Expected| asked(expected) && expected.overtaken_by.is_none();
            let (oldest, first) = matching.first()?;
            let copy = |expected: &Expected| first.request().zip(expected.request()).is_some_and(same_packet);
            let copies: Vec<_> = matching.iter().filter(|(_, expected)| copy(expected)).collect();
            let meant = copies.iter().find(|(_, expected)| in_order(expected));
            let meant = meant.or_else(|| copies.iter().find(|(_, expected)| asked(expected)));
            return Some(meant.map_or(*oldest, |(at, _)| *at));
        }
        let pending = is_busy(event, Cause::Pending);
        let refused = matching.iter().find(|(_, expected)| {
            expected.filtered().is_some_and(|request| {
                // An entry alone keeps nobody pending: its operation must have been running.
                let met = entry.is_some_and(|entry| entry.same_operation(request) == pending);
                met && (!pending || recent) || self.runs_before(expected.number, request, pending)
            })
        });
        refused.or(matching.first()).map(|(at, _)| *at)
    }

    /// Whether an earlier request of the same key is under way: the same operation, or another one.
    fn runs_before(&self, number: u64, request: &BoardRequest, same: bool) -> bool {
        let mut earlier = self.frames.iter().take_while(|expected| expected.number < number);
        earlier.any(|expected| {
            expected.filtered().is_some_and(|other| {
                Key::of(other) == Key::of(request) && same_operation(other, request) == same
            })
        })
    }
    /// [`Self::runs_before`] for a frame that has been taken.
    pub fn runs_before_taken(&self, taken: &Expected, same: bool) -> bool {
        taken.filtered().is_some_and(|request| self.runs_before(taken.number, request, same))
    }

    /// Notes that a request has run: earlier ones that it should have waited for may not run any more.
    pub fn ran(&mut self, number: u64, request: &BoardRequest, model: &Model) {
        let fence = request.operation() == Some(Opcode::Fence);
        let page = model.page(request);
        for earlier in self.frames.iter_mut().take_while(|expected| expected.number < number) {
            let Some(other) = earlier.executes() else { continue };
            let is_fence = other.operation() == Some(Opcode::Fence);
            if fence && other.pid == request.pid {
                earlier.overtaken_by = Some("a fence of its process");
            } else if !fence && !is_fence && model.page(other) == page {
                earlier.overtaken_by = Some("a later request of its page");
            }
        }
    }
}

/// Whether the filter has refused the request since another one of its key is under way or was.
fn is_refused(event: &TraceEvent) -> bool {
    is_busy(event, Cause::Pending) || event.status() == Some(Status::Conflict)
}

fn belongs(event: &TraceEvent, request: &BoardRequest) -> bool {
    event.src_ip == request.source_ip()
        && event.src_port == request.endpoints.src_port
        && event.op_id == request.op_id
        && event.attempt == request.attempt
        && event.opcode == request.opcode
}

#[cfg(test)]
mod tests {
    use mneme_wire::frame::Endpoints;
    use mneme_wire::{Pid, Va};

    use super::*;
    use mneme_model::soft::BoardShape;

    fn request(op_id: u32, pid: u32, page: u64, opcode: Opcode) -> BoardRequest {
        let shape = BoardShape::TINY;
        BoardRequest {
            endpoints: Endpoints {
                src_mac: [2; 6],
                dst_mac: [4; 6],
                src_ip: [10, 0, 0, 1],
                dst_ip: [10, 0, 0, 2],
                src_port: 40_000,
                dst_port: mneme_wire::DEFAULT_UDP_PORT,
            },
            opcode: opcode.number(),
            epoch: 1,
            key_phase: false,
            timed: false,
            pid: Pid::from_low_bits(pid),
            op_id,
            attempt: 0,
            time: Tick::default(),
            va: Va::from_low_bits(page << shape.page_bits),
            length: 8,
            windowed: true,
            means: mneme_wire::trailer::Means::None,
            payload: vec![0; 8],
        }
    }
    fn outstanding(requests: &[BoardRequest]) -> (Outstanding, Model) {
        let mut all = Outstanding::default();
        for request in requests {
            all.push(Vec::new(), Ok(Dispatch::Execute(request.clone())), Entered::default());
        }
        (all, Model::for_replay(BoardShape::TINY).expect("a legal shape"))
    }
    fn event(request: &BoardRequest, status: Status, cause: Cause) -> TraceEvent {
        TraceEvent {
            src_ip: request.source_ip(),
            src_port: request.endpoints.src_port,
            op_id: request.op_id,
            attempt: request.attempt,
            opcode: request.opcode,
            status: status.number(),
            cause: cause.number(),
            tick_filter: 0,
            tick_resume: 0,
            tick: 0,
            resumed: false,
        }
    }

    #[test]
    fn only_requests_of_the_same_page_must_not_be_overtaken() {
        let requests =
            [(1, 7, 3), (2, 7, 4), (3, 7, 3)].map(|(id, pid, page)| request(id, pid, page, Opcode::Read));
        let (mut all, model) = outstanding(&requests);
        let (last, _) = all
            .take(&event(&requests[2], Status::Ok, Cause::None), Told::default(), None, false)
            .expect("it was sent");
        all.ran(last.number, &requests[2], &model);
        let overtaken: Vec<bool> = all.take_all().map(|expected| expected.overtaken_by.is_some()).collect();
        assert_eq!(overtaken, [true, false]);
    }

    #[test]
    fn a_fence_must_not_overtake_requests_of_its_process() {
        let requests = [
            request(1, 7, 3, Opcode::Write),
            request(2, 8, 3, Opcode::Write),
            request(3, 7, 0, Opcode::Fence),
        ];
        let (mut all, model) = outstanding(&requests);
        let (fence, _) = all
            .take(&event(&requests[2], Status::Ok, Cause::None), Told::default(), None, false)
            .expect("it was sent");
        all.ran(fence.number, &requests[2], &model);
        let overtaken: Vec<bool> = all.take_all().map(|expected| expected.overtaken_by.is_some()).collect();
        assert_eq!(overtaken, [true, false]);
    }

    #[test]
    fn what_the_filter_refuses_is_the_repeat_and_not_the_request_under_way() {
        let first = request(1, 7, 3, Opcode::Write);
        let other = BoardRequest { va: Va::from_low_bits(8), ..first.clone() };
        let (mut all, _) = outstanding(&[first.clone(), other.clone(), first.clone()]);
        let (pending, _) = all
            .take(&event(&first, Status::Busy, Cause::Pending), Told::default(), None, false)
            .expect("it was sent");
        assert_eq!(pending.number, 2);
        let (conflict, _) = all
            .take(&event(&first, Status::Conflict, Cause::None), Told::default(), None, false)
            .expect("it was sent");
        assert_eq!(conflict.number, 1);
        let (done, _) = all
            .take(&event(&first, Status::Ok, Cause::None), Told::default(), None, false)
            .expect("it was sent");
        assert_eq!(done.number, 0);
        assert!(all.take(&event(&first, Status::Ok, Cause::None), Told::default(), None, false).is_none());
    }

    #[test]
    fn of_copies_the_one_that_nothing_has_overtaken_ran() {
        let copy = request(1, 7, 3, Opcode::Write);
        let later = request(2, 7, 3, Opcode::Read);
        let (mut all, model) = outstanding(&[copy.clone(), later.clone(), copy.clone()]);
        let done = event(&later, Status::Ok, Cause::None);
        let (ran, _) = all.take(&done, Told::default(), None, false).expect("it was sent");
        all.ran(ran.number, &later, &model);
        // The first was lost, or else its answer, which comes second, is wrong.
        for (number, overtaken) in [(2, false), (0, true)] {
            let (taken, _) = all
                .take(&event(&copy, Status::Ok, Cause::None), Told::default(), None, false)
                .expect("it was sent");
            assert_eq!((taken.number, taken.overtaken_by.is_some()), (number, overtaken));
        }
    }

    #[test]
    fn an_answer_that_tells_its_time_belongs_to_the_copy_that_asked_for_it() {
        let plain = request(1, 7, 3, Opcode::Read);
        let timed = BoardRequest { timed: true, ..plain.clone() };
        let (mut all, _) = outstanding(&[plain.clone(), timed, plain.clone()]);
        let done = event(&plain, Status::Ok, Cause::None);
        // The third has nobody left that asked: the oldest of all, whose answer then is wrong.
        for (told, number) in [(true, 1), (false, 0), (true, 2)] {
            assert_eq!(
                all.take(&done, Told { time: told, ..Told::default() }, None, false)
                    .expect("it was sent")
                    .0
                    .number,
                number
            );
        }
    }

    #[test]
    fn the_second_of_two_repeats_is_pending_while_the_first_runs() {
        let repeat = request(1, 7, 3, Opcode::Swap);
        let (mut all, mut model) = outstanding(&[repeat.clone(), repeat.clone()]);
        // An earlier attempt was released long ago.
        model.filter.decide(&repeat, model.tick, 100, false);
        let entry = model.filter.entry(&Key::of(&repeat)).copied();
        let refused = event(&repeat, Status::Busy, Cause::Pending);
        let (pending, _) = all.take(&refused, Told::default(), entry.as_ref(), false).expect("it was sent");
        assert_eq!(pending.number, 1);
        // Unless the earlier one was answered just now: then it may have been the first that met it.
        all.push(Vec::new(), Ok(Dispatch::Execute(repeat.clone())), Entered::default());
        let (pending, _) = all.take(&refused, Told::default(), entry.as_ref(), true).expect("it was sent");
        assert_eq!(pending.number, 0);
    }

    #[test]
    fn of_two_copies_either_may_be_the_one_that_the_filter_refused() {
        let copy = BoardRequest { timed: true, ..request(1, 7, 3, Opcode::Write) };
        let between = request(2, 7, 3, Opcode::Write);
        let (mut all, mut model) = outstanding(&[copy.clone(), between.clone()]);
        let plain = BoardRequest { timed: false, ..copy.clone() };
        all.push(Vec::new(), Ok(Dispatch::Execute(plain)), Entered::default());
        model.filter.decide(&copy, model.tick, 100, false);
        let entry = model.filter.entry(&Key::of(&copy)).copied();
        let refused = event(&copy, Status::Busy, Cause::Pending);
        assert_eq!(
            all.take(&refused, Told::default(), entry.as_ref(), true).expect("it was sent").0.number,
            0
        );
        // The time that is told says that the older one ran after all: before what came between.
        let (ran, _) = all
            .take(&event(&copy, Status::Ok, Cause::None), Told { time: true, ..Told::default() }, None, false)
            .expect("it was sent");
        assert_eq!(
            (ran.number, ran.since(), ran.request().is_some_and(|request| request.timed), ran.overtaken_by),
            (2, 0, true, None)
        );
        all.ran(ran.since(), &copy, &model);
        let (after, _) = all
            .take(&event(&between, Status::Ok, Cause::None), Told::default(), None, false)
            .expect("it was sent");
        assert_eq!(after.overtaken_by, None);
    }

    #[test]
    fn what_dispatch_refuses_is_not_taken_for_what_it_let_pass() {
        let sound = request(1, 7, 3, Opcode::Write);
        let crossing =
            BoardRequest { va: Va::from_low_bits((4 << BoardShape::TINY.page_bits) - 4), ..sound.clone() };
        let (mut all, _) = outstanding(std::slice::from_ref(&sound));
        let answer = mneme_model::soft::Answer::fail(Status::BadRequest, Cause::Crossing);
        all.push(Vec::new(), Ok(Dispatch::Answered(crossing, answer)), Entered::default());
        let done = event(&sound, Status::Ok, Cause::None);
        let refused = event(&sound, Status::BadRequest, Cause::Crossing);
        assert_eq!(all.take(&refused, Told::default(), None, false).expect("it was sent").0.number, 1);
        assert!(all.take(&refused, Told::default(), None, false).is_some_and(|(taken, _)| taken.number == 0));
        assert!(all.take(&done, Told::default(), None, false).is_none());
    }
}
