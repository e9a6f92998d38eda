//! What leaves, when, and how long its answer may take.
use super::nanos::Nanos;
use super::operation::{Class, Operation, State};
use super::{Buffers, Effect, Reason, Transport};
use mneme_wire::{Cause, HEADER_LEN, Request, Tick};
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
    /// The board's retry filter would have no room: they leave as fast as its windows pass.
    Pace,
}

/// What holds new operations back at a moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Holds {
    tick: bool,
    window: bool,
    /// The window of another board of this client.
    elsewhere: bool,
    turn: bool,
    pace: bool,
}

impl Holds {
    /// Whether the board has to be asked for its tick.
    pub(super) fn asks_for_the_tick(self) -> bool {
        self.tick || self.window
    }
    /// What keeps an operation from leaving.
    #[inline]
    pub(super) fn of(self, operation: &Operation) -> Option<Hold> {
        // Later attempts keep their time, and the probe itself waits for nothing.
        if operation.time.is_some() || operation.token.is_none() {
            return None;
        }
        let touches_memory = !operation.call.opcode.is_query();
        if self.tick && operation.class.has_effect() {
            Some(Hold::Tick)
        } else if (self.window || self.elsewhere) && touches_memory {
            Some(Hold::Window)
        } else if self.turn && operation.class == Class::Filtered {
            Some(Hold::Turn)
        } else if self.pace && operation.class == Class::Filtered {
            Some(Hold::Pace)
        } else {
            None
        }
    }
}

/// What is the same for all datagrams that leave at one time.
#[derive(Debug, Clone, Copy)]
struct Moment {
    now: Nanos,
    /// The board's.
    tick: Tick,
    /// It is not known well enough.
    stale: bool,
}

/// Writes a datagram into the memory it is given.
///
/// ```
/// use mneme_clib::transport::Fill;
///
/// fn send(length: usize, fill: &mut Fill) -> Vec<u8> {
///     let mut datagram = vec![0; length];
///     fill(&mut datagram);
///     datagram
/// }
/// assert_eq!(send(2, &mut |bytes| bytes.fill(7)), [7, 7]);
/// ```
pub type Fill<'a> = dyn FnMut(&mut [u8]) + 'a;

impl Transport {
    /// Gives the next datagram that is due to `send`: its length, and what writes it. False when none is due. Payloads
    /// of writes come from `buffers`.
    pub fn transmit<E>(
        &mut self,
        now: Duration,
        buffers: &dyn Buffers,
        send: impl FnOnce(usize, &mut Fill) -> Result<(), E>,
    ) -> Result<bool, E> {
        let moment = self.moment(now.into());
        self.transmit_at(moment, buffers, send)
    }
    /// Gives all datagrams that are due to `send`.
    #[inline]
    pub(crate) fn transmit_all<E>(
        &mut self,
        now: Duration,
        buffers: &dyn Buffers,
        mut send: impl FnMut(usize, &mut Fill) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.may_transmit() {
            let moment = self.moment(now.into());
            while self.may_transmit() && self.transmit_at(moment, buffers, &mut send)? {}
        }
        Ok(())
    }
    #[inline(always)]
    fn moment(&self, now: Nanos) -> Moment {
        Moment { now, tick: self.clock.estimate(now).unwrap_or_default(), stale: !self.clock.fresh(now) }
    }
    #[inline(always)]
    fn transmit_at<E>(
        &mut self,
        moment: Moment,
        buffers: &dyn Buffers,
        send: impl FnOnce(usize, &mut Fill) -> Result<(), E>,
    ) -> Result<bool, E> {
        let Moment { now, tick, .. } = moment;
        let next = if self.table.any_due() { self.next_that_fits(moment) } else { None };
        let of_probe = |probe: &Operation| matches!(probe.state, State::Due(at) if at <= now);
        if next.is_none() && !self.probe.as_ref().is_some_and(of_probe) {
            return Ok(false);
        }
        let timed = self.times.is_some();
        self.counters.sent += 1;
        let header = match next {
            Some(index) => {
                // A probe is not paced, and must not put off what is.
                self.congestion.sent(self.table.load().0, now);
                let until = (now + self.timeout(&self.table[index])).min(self.table[index].ends);
                if self.table[index].time.is_none() && self.table[index].class == Class::Filtered {
                    self.pace.sent(now);
                }
                self.table.send(index, |operation| {
                    operation.state = State::Sent(until);
                    operation.emit(now, tick, timed)
                })
            }
            None => match self.transmit_probe(now, tick) {
                Some(header) => header,
                None => return Ok(false),
            },
        };
        let Some(call) = next.map(|index| &self.table[index]).or(self.probe.as_ref()).map(|op| &op.call)
        else {
            return Ok(false);
        };
        let mut fill = |frame: &mut [u8]| {
            // A driver gives as many bytes as it is asked for.
            let Some((head, payload)) = frame.split_first_chunk_mut() else { return };
            header.write(head);
            if call.is_filled() {
                buffers.fill(call.place, payload);
            } else {
                payload.copy_from_slice(&call.payload);
            }
        };
        let sent = send(HEADER_LEN + call.payload_len(), &mut fill);
        if let (Err(_), Some(index)) = (&sent, next) {
            self.unsend(index, now);
        }
        sent.map(|()| true)
    }
    /// The operation to send now; those that the path does not carry any longer end, or wait for what was sent before.
    #[inline(always)]
    fn next_that_fits(&mut self, moment: Moment) -> Option<usize> {
        loop {
            let next = self.next_due(moment)?;
            if self.table[next].needs() <= self.longest {
                return Some(next);
            }
            self.outgrown(next, moment.now);
        }
    }
    #[cold]
    fn outgrown(&mut self, index: usize, now: Nanos) {
        let operation = &self.table[index];
        if !operation.outgrown {
            self.counters.outgrown += 1;
        }
        let reason = self.too_long(operation);
        if !operation.can_have_happened() {
            self.fail(index, reason, Effect::None, now);
        } else if operation.outgrown || now >= operation.ends {
            self.fail(index, reason, Effect::Possible, now);
        } else {
            // The board may have what was sent, and answer when a page fault has got its page.
            let until = (now + self.page_wait + self.timeout(operation)).min(operation.ends);
            self.table.change(index, |operation| {
                operation.outgrown = true;
                operation.state = State::Sent(until);
            });
        }
    }
    pub(super) fn too_long(&self, operation: &Operation) -> Reason {
        Reason::TooLong { needs: operation.needs(), carries: self.longest }
    }
    /// The operation to send now.
    #[inline(always)]
    fn next_due(&mut self, Moment { now, stale, .. }: Moment) -> Option<usize> {
        if self.is_closed(now) {
            return None;
        }
        let (load, holds) = (self.table.load(), self.holds_while(stale, now));
        for index in self.table.due() {
            let operation = &self.table[index];
            if matches!(operation.state, State::Due(at) if at <= now)
                && holds.of(operation).is_none()
                && self.fits_windows(operation, load, now)
            {
                return Some(index);
            }
        }
        None
    }
    /// Whether the windows let nothing leave, and nothing is due that does not ask them.
    #[inline]
    pub(super) fn is_closed(&self, now: Nanos) -> bool {
        let (packets, bytes) = self.table.load();
        !self.table.any_privileged() && !self.congestion.allows(packets, bytes, 0, now)
    }
    fn transmit_probe(&mut self, now: Nanos, tick: Tick) -> Option<Request> {
        let mut probe = self.probe.take()?;
        let until = (now + self.timeout(&probe)).min(probe.ends);
        probe.state = State::Sent(until);
        let header = probe.emit(now, tick, false);
        self.probe = Some(probe);
        Some(header)
    }
    /// What holds new operations back now.
    #[inline]
    pub(super) fn holds(&mut self, now: Nanos) -> Holds {
        self.holds_while(!self.clock.fresh(now), now)
    }
    /// The same, if it is known whether the board's tick is too old.
    #[inline]
    fn holds_while(&mut self, stale: bool, now: Nanos) -> Holds {
        let refused = |op: &Operation| op.time.is_some() && op.heard == Some(Reason::Busy(Cause::Filter));
        self.turns = self.turns && self.table.iter().any(refused);
        let pace = self.pace.until(now).is_some();
        let (window, elsewhere) = (self.closing.is_some(), self.elsewhere.is_some());
        Holds { tick: stale, window, elsewhere, turn: self.turns, pace }
    }
    /// Whether congestion and incast window let a packet leave. What the slow path serves is rare and small: it passes.
    /// So do retries of operations whose time window has half passed. Where packets are paced younger ones wait as
    /// others do: a queue that has delayed answers for longer than their timers must not be fed with copies.
    #[inline]
    pub(super) fn fits_windows(
        &self,
        operation: &Operation,
        (packets, bytes): (usize, usize),
        now: Nanos,
    ) -> bool {
        let passes = match operation.class {
            Class::SlowEffect => true,
            Class::Filtered => self.passes_from(operation).is_some_and(|from| from <= now),
            Class::Repeatable => false,
        };
        passes || self.congestion.allows(packets, bytes, operation.expected_bytes(), now)
    }
    /// From when on a retry leaves whatever the windows say.
    pub(super) fn passes_from(&self, operation: &Operation) -> Option<Nanos> {
        let first = operation.sent.first().filter(|_| operation.class == Class::Filtered)?;
        // Without pacing late answers are no sign of a queue.
        let waits = if self.config.paces { 4 * self.window_share(operation.class) } else { Nanos::ZERO };
        Some(*first + waits)
    }
    pub(super) fn estimator(&self, class: Class) -> usize {
        usize::from(class == Class::SlowEffect)
    }
    /// How long the latest attempt may take: estimate, backed off. Effects leave room for several attempts in the
    /// window.
    #[inline]
    pub(super) fn timeout(&self, operation: &Operation) -> Nanos {
        let timers = &self.timers;
        let measured = self.rtt[self.estimator(operation.class)].timeout();
        let mut estimate = measured.unwrap_or(timers.first);
        // Who waited for a page has been answered since.
        if operation.timeouts == 0 && measured.is_some() && !operation.waits {
            estimate = estimate.max(self.congestion.least_timeout());
        }
        let estimate = estimate.min(timers.max);
        let back_off = |base: Nanos| ((1 << operation.timeouts.min(16)) * base).min(timers.max);
        match operation.class {
            Class::Repeatable => back_off(estimate.max(timers.min)),
            class => {
                let share = self.window_share(class);
                let base = estimate.max(timers.min.min(share));
                // A board that was measured to be slower than that is not flooded.
                let measured = measured.map_or(Nanos::ZERO, |_| base);
                back_off(base).min(share.max(measured))
            }
        }
    }
    /// How long to wait after PENDING for the answer to the attempt that the board has: a page fault waits for a page
    /// for a quarter of the window. `None` when the operation's window may close before: then it is asked for again and
    /// again, since what the board remembers of it, it forgets.
    pub(super) fn patience(&self, operation: &Operation, now: Nanos) -> Option<Nanos> {
        let patience = self.page_wait + self.timeout(operation);
        let tick = self.clock.estimate(now);
        let age = tick.zip(operation.time).map_or(0, |(tick, time)| tick.since(time).max(0));
        let left = u64::from(self.window(operation.class)).saturating_sub(u64::try_from(age).unwrap_or(0));
        (patience <= self.clock.span_of(left)).then_some(patience)
    }
    /// An eighth of a class's window: Clio's TIMEOUT in hardware.
    #[inline]
    pub(super) fn window_share(&self, class: Class) -> Nanos {
        match class {
            Class::SlowEffect => self.clock.span_of(u64::from(self.window(class)) / 8),
            _ => self.fast_share,
        }
    }
}
