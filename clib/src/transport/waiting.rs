//! What time does: timeouts, operations given up, probes of the board's tick.
use super::gate::{Hold, Holds};
use super::nanos::Nanos;
use super::operation::{Class, Operation, State};
use super::probe::Late;
use super::{Effect, Reason, Transport};
use mneme_wire::{Cause, Pid};
use std::time::Duration;

impl Transport {
    /// When [`Transport::poll`] and [`Transport::transmit`] want to be called again, unless a datagram comes before.
    /// May be too early, never too late.
    #[inline]
    pub fn deadline(&mut self, now: Duration) -> Option<Duration> {
        self.next_deadline(now.into()).map(Duration::from)
    }
    #[inline]
    fn next_deadline(&mut self, now: Nanos) -> Option<Nanos> {
        if !self.may_transmit() {
            return (!self.table.is_empty()).then_some(self.table.wake());
        }
        let paced = self.gate.paced_until(now).unwrap_or(Nanos::MAX);
        // The probe has a time of its own.
        let first = self.table.wake().min(paced).min(self.probe.wakes());
        if self.gate.is_closed(&self.table, now) {
            return Some(first);
        }
        let (load, holds) = (self.table.load(), self.holds(now));
        let from = |index: usize| self.gate.lets_from(&self.table[index], holds, load, &self.timing, now);
        Some(self.table.due().map(from).fold(first, Nanos::min))
    }
    /// What holds new operations back now.
    #[inline]
    fn holds(&mut self, now: Nanos) -> Holds {
        self.gate.holds(self.timing.clock(), &self.table, now)
    }
    /// Whether [`Transport::poll`] may find a timer that has run out. May be true too early, never too late.
    #[inline]
    pub fn is_late(&self, now: Duration) -> bool {
        self.table.wake() <= now.into()
    }
    /// Lets time pass: timeouts, operations given up, probes that have become necessary.
    #[inline]
    pub fn poll(&mut self, now: Duration) {
        let now = now.into();
        if self.table.wake() <= now {
            for index in self.table.places() {
                if let Some((reason, effect)) = self.after_time(index, now) {
                    self.fail(index, reason, effect, now);
                }
            }
            self.table.rewind();
        }
        let asks = self.table.any_due() && self.holds(now).asks_for_the_tick();
        if self.probe.is_under_way() || asks || self.gate.is_awaited() {
            self.poll_probe(now);
        }
    }
    /// What time does to an operation; an error ends it.
    fn after_time(&mut self, index: usize, now: Nanos) -> Option<(Reason, Effect)> {
        let holds = self.holds(now);
        let operation = &self.table[index];
        let over = now >= operation.ends;
        match operation.state {
            State::Due(_) if over => {
                let hold = holds.of(operation);
                let (time, patience) =
                    (self.timing.give_up(operation.class), self.timing.patience_with_board());
                if self.gate.has_waited_for_pace(operation, hold, now - time)
                    && self.hearing.is_alive(now, patience)
                {
                    // It has its turn, as long as the board answers others, and its time from then on.
                    let ends = now + time;
                    self.table.change(index, |operation| operation.ends = ends);
                    return None;
                }
                let kept = hold.is_some() || !self.gate.fits(operation, self.table.load(), &self.timing, now);
                (kept || !operation.sent.is_empty()).then(|| self.given_up(operation, hold, now))
            }
            State::Sent(deadline) if deadline <= now => {
                self.counters.timeouts += u64::from(!over);
                self.gate.timed_out(now);
                self.table.change(index, |operation| {
                    operation.heard = None;
                    operation.timeouts += 1;
                });
                if over {
                    return Some(self.given_up(&self.table[index], None, now));
                }
                self.again(index, now)
            }
            State::Lingering(until) if until <= now => Some((Reason::Expired, Effect::Possible)),
            _ => None,
        }
    }
    /// Why an operation is given up.
    fn given_up(&self, operation: &Operation, hold: Option<Hold>, now: Nanos) -> (Reason, Effect) {
        let effect = if operation.can_have_happened() { Effect::Possible } else { Effect::None };
        // Silence is the better reason when there was nothing else, above all when it is why the window is to be waited
        // for.
        let closing = self.gate.closing();
        let since = closing.map_or(operation.started, |closing| closing.since.max(operation.started));
        let answers = self.hearing.answers_since(since);
        let held = match hold {
            Some(Hold::Turn) => Some(Reason::Busy(Cause::Filter)),
            // It had its turn as long as the board answered.
            Some(Hold::Pace) => answers.then_some(Reason::Busy(Cause::Filter)),
            // The tick is asked for again and again while the window is open: either may be what it waited for last.
            Some(Hold::Window | Hold::Tick) if answers && closing.is_some() => {
                let here = self.gate.closes_in(&self.timing, now);
                Some(Reason::Held { left: here.max(self.gate.elsewhere().unwrap_or_default()).into() })
            }
            Some(Hold::Window) if closing.is_none() => {
                self.gate.elsewhere().map(|left| Reason::Held { left: left.into() })
            }
            _ => None,
        };
        let outgrown = operation.outgrown.then(|| self.too_long(operation));
        (operation.heard.or(outgrown).or(held).unwrap_or(Reason::Unreachable), effect)
    }
    /// For how long copies of failed operations may still be executed here, for this client's other boards to wait. A
    /// board that is silent for as long as operations are waited for holds up its own memory alone.
    pub(crate) fn closes(&self, now: Duration) -> Option<Duration> {
        let (now, give_up) = (now.into(), self.timing.patience_with_board());
        let closing = self.gate.closing().filter(|closing| now - closing.since < give_up)?;
        let since_then = self.hearing.answers_since(closing.since);
        let here = self.gate.closes_in(&self.timing, now);
        Some(if since_then { here } else { give_up - (now - closing.since) }.into())
    }
    /// Other boards of this client say for how long copies of failed operations may still be executed there: until then
    /// nothing new touches memory here, lest its effect is seen before that of such a copy. `awaited`: they wait for
    /// this one.
    pub(crate) fn set_elsewhere(&mut self, left: Option<Duration>, awaited: bool) {
        self.gate.set_elsewhere(left.map(Nanos::from), awaited);
    }
    /// Another attempt under the same id, if its number still fits; operations without effect get another id then.
    pub(super) fn again(&mut self, index: usize, at: Nanos) -> Option<(Reason, Effect)> {
        if self.table[index].can_repeat() {
            self.table.change(index, |operation| operation.state = State::Due(at));
        } else if self.table[index].class == Class::Repeatable {
            let id = self.ids.fresh();
            self.table.restart(index, id, at);
        } else {
            let operation = &self.table[index];
            let effect = if operation.released { Effect::None } else { Effect::Possible };
            return Some((operation.heard.unwrap_or(Reason::Unreachable), effect));
        }
        None
    }
    /// Keeps a probe under way while an operation waits for the board's tick: any answer tells it.
    fn poll_probe(&mut self, now: Nanos) {
        let holds = self.holds(now);
        if !holds.asks_for_the_tick() {
            return self.probe.end();
        }
        // What the windows keep back cannot leave with any tick, and the tick would be old again by then.
        let load = self.table.load();
        let waits = |op: &&Operation| {
            let due = matches!(op.state, State::Due(at) if at <= now);
            let held = matches!(holds.of(op), Some(Hold::Tick | Hold::Window));
            due && held && self.gate.fits(op, load, &self.timing, now)
        };
        let waiting =
            self.table.iter().find(waits).map(|operation| (operation.call.pid, operation.call.epoch));
        let Some(process) = waiting.or(self.gate.is_awaited().then_some((Pid::NONE, 0))) else {
            return self.probe.end();
        };
        // What is asked in nobody's name has no tag, and its answer would not be believed.
        let process = if process.0 == Pid::NONE { self.keyed().unwrap_or(process) } else { process };
        let give_up = self.timing.give_up(Class::Repeatable);
        match self.probe.poll(give_up, now) {
            Late::Nothing => {
                self.counters.probes += 1;
                self.probe.ask(process, self.ids.fresh(), self.probe_at(now), now, now + give_up);
            }
            Late::TimedOut => self.counters.timeouts += 1,
            Late::Waits => {}
        }
    }
    /// When to ask: now, or, if the tick is known and a window is to be waited for, when that should have closed.
    fn probe_at(&self, now: Nanos) -> Nanos {
        match self.gate.closing() {
            Some(_) if self.timing.clock().fresh(now) => {
                now + self.gate.closes_in(&self.timing, now).min(self.timing.longest())
            }
            _ => now,
        }
    }
}
