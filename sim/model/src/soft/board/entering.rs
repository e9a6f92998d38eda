//! How frames come in: packet slots, dispatch, the retry filter.
use mneme_wire::{Cause, Counter};

use super::{Admitted, NEVER, SLOW_RING, SoftFast, beats, stay};
use crate::port::NetworkPort;
use crate::soft::PlantedFault;
use crate::soft::classes::lines_of;
use crate::soft::dispatch::Course;
use crate::soft::request::Answer;
use crate::soft::translate::Lookup;

impl SoftFast {
    /// A frame's last beat is in: checks 1 to 3.
    pub(super) fn arrive(&mut self) {
        let Some((frame, fcs_error)) = self.mac.pop_front() else { return };
        self.due.arrival = self.mac.front().map_or(NEVER, |(next, _)| self.cycle + beats(next));
        self.model.counters.count(Counter::RxFrames);
        if self.next_epoch.is_some() {
            let reason = self.model.admit(&frame, fcs_error, true).err().unwrap_or(Counter::DropDisabled);
            return self.model.counters.count(reason);
        }
        let taken = self.admitted.len() + self.in_flight.len() + self.leaked;
        let slot_free = taken < self.model.shape.packet_slots;
        match self.model.admit(&frame, fcs_error, slot_free) {
            Err(reason) => self.model.counters.count(reason),
            Ok(()) => {
                let dispatch_at = self.cycle + self.timing.dispatch;
                if self.admitted.is_empty() {
                    self.due.dispatch = dispatch_at;
                }
                self.admitted.push_back(Admitted { frame, arrived: self.cycle, dispatch_at });
                self.leaked += usize::from(self.model.now_and_then(PlantedFault::SlotsLeak));
            }
        }
    }

    /// Checks 4 to 18.
    pub(super) fn dispatch(&mut self) {
        let Some(Admitted { frame, arrived, .. }) = self.admitted.pop_front() else { return };
        self.due.dispatch = self.admitted.front().map_or(NEVER, |next| next.dispatch_at);
        let half = self.model.planted(PlantedFault::SlowRingHalf);
        let places = if half { SLOW_RING / 2 } else { SLOW_RING };
        let full = self.to_slow.len() >= places;
        let before = self.in_flight.back().map(|before| before.leave_at);
        let next = self.in_flight.next();
        next.answer = None;
        match self.model.decide(&frame, &mut next.request) {
            Course::Drop(reason) => return self.model.counters.count(reason),
            Course::Slow(false) if full => return self.model.counters.count(Counter::DropSlowFull),
            Course::Slow(true) if full => {
                next.answer = Some(Answer::busy(Cause::Queue, self.model.registers.busy_hint()));
            }
            Course::Slow(_) => {
                self.model.counters.count(Counter::SlowTx);
                return self.to_slow.push_back(frame);
            }
            Course::Answered(answer) => next.answer = Some(answer),
            Course::Execute
                if !self.meter.take(next.request.pid.class(), lines_of(next.request.length), self.cycle)
                    || self.model.now_and_then(PlantedFault::ClassWithoutBound) =>
            {
                if self.model.planted(PlantedFault::ClassExecutes) {
                    self.model.execute(&next.request, Lookup::Own);
                }
                self.model.counters.count(Counter::ClassBusy);
                next.answer = Some(Answer::busy(Cause::Class, self.model.registers.busy_hint()));
            }
            Course::Execute => {
                if let Some(answer) = self.model.filter(&next.request) {
                    next.answer = Some(answer);
                }
            }
        }
        next.tick_filter = self.model.tick.get();
        next.arrived = arrived;
        let takes = stay(&self.model, self.timing, &mut self.jitter, next);
        next.leave_at = before.map_or(0, |before| before + 1).max(self.cycle + takes);
        if before.is_none() {
            self.due.leave = next.leave_at;
        }
        self.in_flight.push();
        self.recycle(frame);
    }
}
