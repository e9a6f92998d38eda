//! What time does: timeouts, operations given up, probes of the board's tick.
use super::nanos::Nanos;
use super::operation::{Class, Operation, State};
use super::sending::Hold;
use super::{Call, Effect, Payload, Place, Reason, Transport};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Cause, Opcode, Pid, Va};
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
        if !self.table.any_due() && self.probe.is_none() {
            return (!self.table.is_empty()).then_some(self.table.wake());
        }
        let paced = self.congestion.paced_until().filter(|at| *at > now);
        let first = paced.into_iter().fold(self.table.wake(), Nanos::min);
        // The probe has a time of its own.
        let probe = self.probe.as_ref().map_or(Nanos::MAX, |probe| match probe.state {
            State::Due(at) | State::Sent(at) | State::Lingering(at) => at,
            State::Vacant => Nanos::MAX,
        });
        if self.is_closed(now) {
            return Some(first.min(probe));
        }
        let (load, holds) = (self.table.load(), self.holds(now));
        let of = |index: usize| {
            let operation = &self.table[index];
            match operation.state {
                State::Due(at) if holds.of(operation) == Some(Hold::Pace) => {
                    self.pace.until(now).unwrap_or(now).max(at)
                }
                // An answer opens the window, or the time of pacing.
                State::Due(_) if !self.fits_windows(operation, load, now) => {
                    self.passes_from(operation).unwrap_or(Nanos::MAX)
                }
                State::Due(at) if holds.of(operation).is_none() => at,
                // It ends when the table says.
                _ => Nanos::MAX,
            }
        };
        Some(self.table.due().map(of).fold(first.min(probe), Nanos::min))
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
        if self.probe.is_some() || asks || self.is_awaited() {
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
                if hold == Some(Hold::Pace) && self.is_alive(now) {
                    // It has its turn, as long as the board answers others.
                    let ends = now + self.give_up(operation.class);
                    self.table.change(index, |operation| operation.ends = ends);
                    return None;
                }
                let kept = hold.is_some() || !self.fits_windows(operation, self.table.load(), now);
                (kept || !operation.sent.is_empty()).then(|| self.given_up(operation, hold, now))
            }
            State::Sent(deadline) if deadline <= now => {
                self.counters.timeouts += u64::from(!over);
                self.congestion.timed_out(now);
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
    /// Whether the board was heard within the time in which operations are given up.
    fn is_alive(&self, now: Nanos) -> bool {
        self.heard.is_some_and(|at| now - at < self.timers.give_up)
    }
    /// Why an operation is given up.
    fn given_up(&self, operation: &Operation, hold: Option<Hold>, now: Nanos) -> (Reason, Effect) {
        let effect = if operation.can_have_happened() { Effect::Possible } else { Effect::None };
        // Silence is the better reason when there was nothing else, above all when it is why the window is to be waited
        // for.
        let since = self.closing.map_or(operation.started, |closing| closing.since.max(operation.started));
        let answers = self.heard.is_some_and(|at| at >= since);
        let held = match hold {
            Some(Hold::Turn | Hold::Pace) => Some(Reason::Busy(Cause::Filter)),
            // The tick is asked for again and again while the window is open: either may be what it waited for last.
            Some(Hold::Window | Hold::Tick) if answers && self.closing.is_some() => Some(Reason::Held {
                left: self.closes_in(now).max(self.elsewhere.unwrap_or_default()).into(),
            }),
            Some(Hold::Window) if self.closing.is_none() => {
                self.elsewhere.map(|left| Reason::Held { left: left.into() })
            }
            _ => None,
        };
        let outgrown = operation.outgrown.then(|| self.too_long(operation));
        (operation.heard.or(outgrown).or(held).unwrap_or(Reason::Unreachable), effect)
    }
    /// For how long copies of failed operations may still be executed here, for this client's other boards to wait. A
    /// board that is silent for as long as operations are waited for holds up its own memory alone.
    pub(crate) fn closes(&self, now: Duration) -> Option<Duration> {
        let now = now.into();
        let closing = self.closing.filter(|closing| now - closing.since < self.timers.give_up)?;
        let since_then = self.heard.is_some_and(|at| at >= closing.since);
        let left = if since_then { self.closes_in(now) } else { self.timers.give_up - (now - closing.since) };
        Some(left.into())
    }
    /// Other boards of this client say for how long copies of failed operations may still be executed there: until then
    /// nothing new touches memory here, lest its effect is seen before that of such a copy. `awaited`: they wait for
    /// this one.
    pub(crate) fn set_elsewhere(&mut self, left: Option<Duration>, awaited: bool) {
        self.elsewhere = left.map(Nanos::from);
        self.awaited = awaited;
    }
    /// Whether something new waits until copies of failed operations cannot be executed here any more, on other boards.
    fn is_awaited(&self) -> bool {
        self.awaited && self.closing.is_some()
    }
    /// How long copies of failed operations may still be executed, by the advertised tick.
    fn closes_in(&self, now: Nanos) -> Nanos {
        let left = self.closing.zip(self.clock.estimate(now)).and_then(|(closing, tick)| closing.left(tick));
        self.clock.span_of(left.unwrap_or(0) + 1)
    }
    /// Another attempt under the same id, if its number still fits; operations without effect get another id then.
    pub(super) fn again(&mut self, index: usize, at: Nanos) -> Option<(Reason, Effect)> {
        if self.table[index].can_repeat() {
            self.table.change(index, |operation| operation.state = State::Due(at));
        } else if self.table[index].class == Class::Repeatable {
            let id = self.fresh_id();
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
            self.probe = None;
            return;
        }
        // What the windows keep back cannot leave with any tick, and the tick would be old again by then.
        let load = self.table.load();
        let waits = |op: &&Operation| {
            let due = matches!(op.state, State::Due(at) if at <= now);
            due && matches!(holds.of(op), Some(Hold::Tick | Hold::Window)) && self.fits_windows(op, load, now)
        };
        let waiting =
            self.table.iter().find(waits).map(|operation| (operation.call.pid, operation.call.epoch));
        let Some((pid, epoch)) = waiting.or(self.is_awaited().then_some((Pid::NONE, 0))) else {
            self.probe = None;
            return;
        };
        match &mut self.probe {
            None => {
                self.probe = Some(self.new_probe(pid, epoch, now));
            }
            Some(probe) if matches!(probe.state, State::Sent(at) if at <= now) => {
                self.counters.timeouts += 1;
                probe.timeouts += 1;
                probe.ends = now + self.timers.give_up;
                if probe.can_repeat() { probe.state = State::Due(now) } else { self.probe = None }
            }
            Some(_) => {}
        }
    }
    fn new_probe(&mut self, pid: Pid, epoch: u8, now: Nanos) -> Operation {
        // A fence does not leave the fast path; before a process is open only a ping is possible.
        let (opcode, payload) = match pid {
            Pid::NONE => (Opcode::Ping, Payload::from_elem(0, BoardInfo::LEN)),
            _ => (Opcode::Fence, Payload::new()),
        };
        let length = payload.len() as u16;
        let call = Call { opcode, pid, epoch, va: Va::default(), length, payload, place: Place::default() };
        let id = self.fresh_id();
        self.counters.probes += 1;
        let mut probe = Operation::vacant();
        probe.begin(None, call, id, now, now + self.timers.give_up);
        // The tick is known and the window is to be waited for: ask when it should have closed.
        if let (true, Some(tick), Some(closing)) =
            (self.clock.fresh(now), self.clock.estimate(now), self.closing)
        {
            let left = closing.left(tick).unwrap_or(0) + 1;
            probe.state = State::Due(now + self.clock.span_of(left).min(self.timers.max));
        }
        probe
    }
}
