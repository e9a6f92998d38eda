//! What time does: timeouts, operations given up, probes of the board's tick.
use super::operation::{Class, Operation, State};
use super::sending::Hold;
use super::{Call, Effect, Reason, Transport};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Cause, Opcode, Pid, Va};
use std::time::Duration;

impl Transport {
    /// When [`Transport::poll`] and [`Transport::transmit`] want to be called again, unless a datagram comes before.
    pub fn deadline(&self, now: Duration) -> Option<Duration> {
        let load = self.on_the_way();
        let of = |operation: &Operation| match operation.state {
            State::Due(_) if self.hold(operation, now).is_some() => {
                operation.started + self.give_up(operation.class)
            }
            // An answer opens the window, or the time of pacing.
            State::Due(_) if operation.token.is_some() && !self.fits_windows(operation, load, now) => {
                let end = operation.started + self.give_up(operation.class);
                self.congestion.paced_until().filter(|at| *at > now).map_or(end, |at| at.min(end))
            }
            State::Due(at) | State::Sent(at) | State::Lingering(at) => at,
        };
        self.operations.iter().chain(&self.probe).map(of).min()
    }
    /// Lets time pass: timeouts, operations given up, probes that have become necessary.
    pub fn poll(&mut self, now: Duration) {
        let mut index = 0;
        while index < self.operations.len() {
            match self.after_time(index, now) {
                Some((reason, effect)) => self.fail(index, reason, effect, now),
                None => index += 1,
            }
        }
        self.poll_probe(now);
    }
    /// What time does to an operation; an error ends it.
    fn after_time(&mut self, index: usize, now: Duration) -> Option<(Reason, Effect)> {
        let hold = self.hold(&self.operations[index], now);
        let kept = hold.is_some() || !self.fits_windows(&self.operations[index], self.on_the_way(), now);
        let give_up = self.give_up(self.operations[index].class);
        let operation = &mut self.operations[index];
        let over = now >= operation.started + give_up;
        let ended = |operation: &Operation| {
            let effect = if operation.can_have_happened() { Effect::Possible } else { Effect::None };
            let turn = (hold == Some(Hold::Turn)).then_some(Reason::Busy(Cause::Filter));
            Some((operation.heard.or(turn).unwrap_or(Reason::Unreachable), effect))
        };
        match operation.state {
            State::Due(_) if over && (kept || !operation.sent.is_empty()) => ended(operation),
            State::Sent(deadline) if deadline <= now => {
                self.counters.timeouts += u64::from(!over);
                self.congestion.timed_out(now);
                operation.heard = None;
                operation.timeouts += 1;
                if over {
                    return ended(operation);
                }
                self.again(index, now)
            }
            State::Lingering(until) if until <= now => Some((Reason::Expired, Effect::Possible)),
            _ => None,
        }
    }
    /// Another attempt under the same id, if its number still fits; operations without effect get another id then.
    pub(super) fn again(&mut self, index: usize, at: Duration) -> Option<(Reason, Effect)> {
        if self.operations[index].can_repeat() {
            self.operations[index].state = State::Due(at);
        } else if self.operations[index].class == Class::Repeatable {
            let id = self.fresh_id();
            self.operations[index].restart(id, at);
        } else {
            let operation = &self.operations[index];
            let effect = if operation.released { Effect::None } else { Effect::Possible };
            return Some((operation.heard.unwrap_or(Reason::Unreachable), effect));
        }
        None
    }
    /// Keeps a probe under way while an operation waits for the board's tick: any answer tells it.
    fn poll_probe(&mut self, now: Duration) {
        let waits = |op: &&Operation| {
            let due = matches!(op.state, State::Due(at) if at <= now);
            due && matches!(self.hold(op, now), Some(Hold::Tick | Hold::Window))
        };
        let Some(waiting) = self.operations.iter().find(waits) else {
            self.probe = None;
            return;
        };
        match &mut self.probe {
            None => {
                let (pid, epoch) = (waiting.call.pid, waiting.call.epoch);
                self.probe = Some(self.new_probe(pid, epoch, now));
            }
            Some(probe) if matches!(probe.state, State::Sent(at) if at <= now) => {
                self.counters.timeouts += 1;
                probe.timeouts += 1;
                probe.started = now;
                if probe.can_repeat() { probe.state = State::Due(now) } else { self.probe = None }
            }
            Some(_) => {}
        }
    }
    fn new_probe(&mut self, pid: Pid, epoch: u8, now: Duration) -> Operation {
        // A fence does not leave the fast path; before a process is open only a ping is possible.
        let (opcode, payload) = match pid {
            Pid::NONE => (Opcode::Ping, vec![0; BoardInfo::LEN]),
            _ => (Opcode::Fence, Vec::new()),
        };
        let length = payload.len() as u16;
        let call = Call { opcode, pid, epoch, va: Va::default(), length, payload };
        let id = self.fresh_id();
        self.counters.probes += 1;
        let mut probe = Operation::new(None, call, id, now);
        // The tick is known and the window is to be waited for: ask when it should have closed.
        if let (true, Some(tick), Some(closing)) =
            (self.clock.fresh(now), self.clock.estimate(now), self.closing)
        {
            let left = u64::try_from(closing.since(tick).max(0)).unwrap_or(0) + 1;
            probe.state = State::Due(now + self.clock.span_of(left).min(self.config.max_timeout));
        }
        probe
    }
}
