//! What a board may decide for itself: that it has no room, that a class has no credit, that an attempt is still running.
use mneme_model::port::TraceEvent;
use mneme_model::soft::{Answer, BoardRequest, Dispatch, Key};
use mneme_wire::{Cause, Counter, Status, WindowCheck, check_window};

use crate::occupancy::Holder;

use super::changing::Changing;
use super::{Expected, Mismatch, Replay, is_busy, wrong};

impl Replay {
    /// What the board may decide for itself, when it had reason to.
    pub(super) fn excuse(
        &mut self,
        request: &BoardRequest,
        sent: &Expected,
        event: &TraceEvent,
        frame: &[u8],
    ) -> Result<Option<Answer>, Mismatch> {
        let hint = self.model.registers.busy_hint();
        if let Ok(Dispatch::Slow(_)) = &sent.dispatch {
            if !sent.entered.ring_may_be_full {
                return Err(wrong("BUSY, cause QUEUE, though the slow ring has room", event, frame));
            }
            self.occupancy.slow_refused();
            return Ok(Some(Answer::busy(Cause::Queue, hint)));
        }
        if !matches!(&sent.dispatch, Ok(Dispatch::Execute(_))) {
            return Ok(None);
        }
        if is_busy(event, Cause::Class) {
            // When, is the meter's to say, which has a proof of its own; here it counts that nothing was done.
            if !self.model.registers.classes[usize::from(request.pid.class())].is_bounded() {
                return Err(wrong("BUSY, cause CLASS, of a class without a bound", event, frame));
            }
            self.model.counters.count(Counter::ClassBusy);
            return Ok(Some(Answer::busy(Cause::Class, hint)));
        }
        if !request.is_filtered() {
            return Ok(None);
        }
        let entry = self.model.filter.entry(&Key::of(request)).copied();
        // An entry whose operation was answered at or after this decision may have been pending then.
        let overlapped = self.answered_lately(&Key::of(request), self.model.tick);
        let same = entry.map(|entry| entry.same_operation(request));
        let ran = |operation: bool| {
            overlapped && same == Some(operation) || self.sent.runs_before_taken(sent, operation)
        };
        if is_busy(event, Cause::Pending) {
            if !ran(true) {
                return Err(wrong("BUSY, cause PENDING, of an operation that was not running", event, frame));
            }
            self.excused(Counter::FilterPending);
            return Ok(Some(Answer::busy(Cause::Pending, hint)));
        }
        if event.status() == Some(Status::Conflict) && ran(false) {
            self.excused(Counter::FilterConflict);
            return Ok(Some(Answer::fail(Status::Conflict, Cause::None)));
        }
        if is_busy(event, Cause::Filter) {
            let window = self.changing.as_ref().map_or(0, Changing::longest_window);
            let window = window.max(self.model.registers.window());
            let inside = check_window(self.model.tick, request.time, window) == WindowCheck::Inside;
            let known = entry.is_some_and(|entry| self.model.tick.since(entry.time) <= window as i32);
            let (holder, under_way) = (Holder::of(request), self.sent.operations());
            let full = self.occupancy.filter_may_be_full(&holder, under_way, self.model.tick, window);
            if !inside || known || !full {
                return Err(wrong("BUSY, cause FILTER, without reason", event, frame));
            }
            self.excused(Counter::FilterFull);
            return Ok(Some(Answer::busy(Cause::Filter, hint)));
        }
        Ok(None)
    }

    /// What the filter counts is the board's to say.
    fn excused(&mut self, counter: Counter) {
        self.model.counters.count(counter);
        self.way.filter = Some(counter);
    }
}
