//! What leaves, when, and how long its answer may take.
use super::operation::{Class, Operation, State};
use super::{Reason, Transport};
use mneme_wire::{Cause, Opcode};
use std::time::Duration;

/// Why a new operation may not leave yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// The board's tick is not known well enough.
    Tick,
    /// A copy of a failed operation may still change memory.
    Window,
    /// The board's retry filter has no room: those that it refused come first, since their windows pass.
    Turn,
}

impl Transport {
    /// Writes the next datagram that is due into `datagram`; false when none is.
    pub fn transmit(&mut self, now: Duration, datagram: &mut Vec<u8>) -> bool {
        let tick = self.clock.estimate(now).unwrap_or_default();
        let due = |operation: &Operation| matches!(operation.state, State::Due(at) if at <= now);
        let load = self.on_the_way();
        let ready =
            |op: &Operation| due(op) && self.hold(op, now).is_none() && self.fits_windows(op, load, now);
        // Retries first, since their time window is passing; then those that have waited longest.
        let candidates = self.operations.iter().enumerate().filter(|(_, op)| ready(op));
        let next = candidates.min_by_key(|(_, op)| (op.time.is_none(), op.token)).map(|(index, _)| index);
        let mut operation = match next {
            Some(index) => self.operations.swap_remove(index),
            None => match self.probe.take() {
                Some(probe) if due(&probe) => probe,
                probe => {
                    self.probe = probe;
                    return false;
                }
            },
        };
        operation.emit(now, tick, datagram);
        let timeout = self.timeout(&operation);
        operation.state = State::Sent((now + timeout).min(operation.started + self.give_up(operation.class)));
        self.counters.sent += 1;
        self.congestion.sent(now);
        match operation.token {
            Some(_) => self.operations.push(operation),
            None => self.probe = Some(operation),
        }
        true
    }
    /// What keeps a new operation from leaving.
    pub(super) fn hold(&self, operation: &Operation, now: Duration) -> Option<Hold> {
        // Later attempts keep their time, and the probe itself waits for nothing.
        if operation.time.is_some() || operation.token.is_none() {
            return None;
        }
        let touches_memory = !matches!(operation.call.opcode, Opcode::Ping | Opcode::Counters);
        let refused = |op: &Operation| op.time.is_some() && op.heard == Some(Reason::Busy(Cause::Filter));
        if operation.class.has_effect() && !self.clock.fresh(now) {
            Some(Hold::Tick)
        } else if touches_memory && self.closing.is_some() {
            Some(Hold::Window)
        } else if operation.class == Class::Filtered && self.operations.iter().any(refused) {
            Some(Hold::Turn)
        } else {
            None
        }
    }
    /// Packets and expected bytes on the way, as the windows count them: without what the slow path serves.
    pub(super) fn on_the_way(&self) -> (usize, usize) {
        let counts = |op: &&Operation| matches!(op.state, State::Sent(_)) && op.class != Class::SlowEffect;
        let sent = self.operations.iter().filter(counts);
        sent.fold((0, 0), |(packets, bytes), op| (packets + 1, bytes + op.expected_bytes()))
    }
    /// Whether congestion and incast window let a packet leave. What the slow path serves is rare and small: it passes. So
    /// do retries of operations whose time window is passing; their timers back off.
    pub(super) fn fits_windows(
        &self,
        operation: &Operation,
        (packets, bytes): (usize, usize),
        now: Duration,
    ) -> bool {
        let passes = match operation.class {
            Class::SlowEffect => true,
            Class::Filtered => operation.time.is_some(),
            Class::Repeatable => false,
        };
        passes || self.congestion.allows(packets, bytes, operation.expected_bytes(), now)
    }
    pub(super) fn estimator(&self, class: Class) -> usize {
        usize::from(class == Class::SlowEffect)
    }
    /// How long the latest attempt may take: estimate, backed off. Effects leave room for several attempts in the window.
    pub(super) fn timeout(&self, operation: &Operation) -> Duration {
        let config = &self.config;
        let rtt = &self.rtt[self.estimator(operation.class)];
        let estimate = rtt.timeout(config.first_timeout).min(config.max_timeout);
        let back_off =
            |base: Duration| base.saturating_mul(1 << operation.timeouts.min(16)).min(config.max_timeout);
        match operation.class {
            Class::Repeatable => back_off(estimate.max(config.min_timeout)),
            class => {
                let share = self.window_share(class);
                let base = estimate.max(config.min_timeout.min(share));
                // A board that was measured to be slower than that is not flooded.
                let measured = rtt.smoothed().map_or(Duration::ZERO, |_| base);
                back_off(base).min(share.max(measured))
            }
        }
    }
    /// An eighth of a class's window: Clio's TIMEOUT in hardware.
    pub(super) fn window_share(&self, class: Class) -> Duration {
        self.clock.span_of(u64::from(self.window(class)) / 8)
    }
}
