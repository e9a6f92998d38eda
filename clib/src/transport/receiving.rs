//! What answers do.
use super::closing::Closing;
use super::nanos::Nanos;
use super::operation::{Class, Operation, State};
use super::verdict::{Facts, Verdict, Why, fits, judge};
use super::{Answer, Buffers, Call, Effect, Ended, Failure, Payload, Reason, Transport};
use mneme_wire::{Cause, Opcode, Packet, ParseError, Response, Status};
use std::time::Duration;

/// An id that this many operations or fewer ago was ours names a late answer, not a stranger's.
const RECENT_IDS: u32 = 1 << 16;

/// NACKs of one operation that are answered with another attempt at once.
const NACKS_AT_ONCE: u32 = 4;

impl Transport {
    /// Takes a datagram from the network. Whatever is not an answer to an operation in flight is counted and ignored.
    /// What a read brings is given to `buffers`.
    pub fn receive(&mut self, now: Duration, datagram: &[u8], buffers: &mut dyn Buffers) {
        let now = now.into();
        let packet = match Packet::new_checked(datagram) {
            Ok(packet) => packet,
            Err(error) => return self.is_no_answer(error, now),
        };
        let response = match Response::parse(&packet) {
            Ok(response) => response,
            Err(error) => return self.is_no_answer(error, now),
        };
        let named = |op: &Operation| op.op_id == response.op_id && !op.sent.is_empty();
        if let Some(index) = self.table.find(response.op_id) {
            if fits(&self.table[index], &response, packet.payload()) {
                Closing::reopen(&mut self.closing, &response, &self.table[index]);
                self.observe(&response, now);
                self.answered(index, &response, packet.payload(), now, buffers);
            } else {
                self.counters.mismatched += 1;
            }
        } else if let Some(probe) =
            self.probe.take_if(|op| named(op) && fits(op, &response, packet.payload()))
        {
            Closing::reopen(&mut self.closing, &response, &probe);
            self.observe(&response, now);
            self.counters.answered += 1;
        } else if self.next_id.wrapping_sub(response.op_id).wrapping_sub(1)
            < RECENT_IDS.min(self.next_id.wrapping_sub(self.first_id))
        {
            self.counters.late += 1;
        } else {
            self.counters.strangers += 1;
        }
    }
    #[cold]
    fn is_no_answer(&mut self, error: ParseError, now: Nanos) {
        if let ParseError::Version(_) = error {
            self.counters.other_version += 1;
            self.other_version = Some(now);
        } else {
            self.counters.malformed += 1;
        }
    }
    /// Follows the board's tick.
    #[inline]
    fn observe(&mut self, response: &Response, now: Nanos) {
        self.heard = Some(now);
        if response.status == Status::Stale {
            // Another boot counts from elsewhere.
            self.clock.reset();
        }
        if let Some(tick) = response.tick() {
            self.clock.observe(tick, now);
        }
    }
    fn answered(
        &mut self,
        index: usize,
        response: &Response,
        payload: &[u8],
        now: Nanos,
        buffers: &mut dyn Buffers,
    ) {
        let operation = &self.table[index];
        let since = |attempt: u8| now - operation.sent.get(usize::from(attempt)).copied().unwrap_or(now);
        let (rtt, since_first) = (since(response.attempt), since(0));
        let estimator = self.estimator(operation.class);
        self.counters.answered += 1;
        let busy = response.status == Status::Busy;
        // What waited for a page, or for a tier to bring one, is no sample, and no sign of congestion.
        let waited = operation.waits || busy && matches!(response.detail().cause, Cause::Fault | Cause::Tier);
        if !response.slow && !waited {
            self.rtt[estimator].sample(rtt);
            if operation.class != Class::SlowEffect {
                self.congestion.answered(rtt, now);
            }
        }
        if busy {
            self.page_waits(index, response.detail().cause, rtt, now);
        }
        let operation = &self.table[index];
        let facts = || Facts {
            window: self.window(operation.class),
            ticks_since_first: self.clock.ticks_at_most(since_first),
        };
        let ended = match judge(operation, response, facts) {
            Verdict::Done => {
                if let (Some(times), Some(cycles)) = (&mut self.times, response.cycles()) {
                    times.told(cycles);
                }
                self.done(index, payload, now, buffers);
                None
            }
            Verdict::Outdated => {
                self.counters.outdated += 1;
                self.overtaken(index, response, now);
                None
            }
            Verdict::Linger => {
                let until = now + self.timeout(&self.table[index]);
                if !matches!(self.table[index].state, State::Lingering(_)) {
                    self.table.change(index, |operation| operation.state = State::Lingering(until));
                }
                None
            }
            Verdict::Again { why, released } => self.repeat(index, why, released, response, now),
            Verdict::Anew { why } => self.start_anew(index, why, response, now),
            Verdict::Fail(reason, effect) => Some((reason, effect)),
        };
        if let Some((reason, effect)) = ended {
            self.fail(index, reason, effect, now);
        }
    }
    #[inline]
    fn done(&mut self, index: usize, payload: &[u8], now: Nanos, buffers: &mut dyn Buffers) {
        let operation = &self.table[index];
        let latency = now - operation.sent[0];
        let kept = if operation.call.opcode == Opcode::Read {
            buffers.land(operation.call.place, payload);
            Payload::new()
        } else {
            Payload::from_slice(payload)
        };
        let answer = Answer { payload: kept, attempts: operation.transmissions, latency: latency.into() };
        // The probe has no token and never comes here.
        if let Some(ended) = ended(operation) {
            self.finished.push_back((ended, Ok(answer)));
        }
        self.table.remove(index);
    }
    /// An answer to an attempt that a later one has overtaken proves nothing. Yet it may say that the board has let go
    /// what PENDING was said for; then the latest attempt need not wait for that any longer.
    fn overtaken(&mut self, index: usize, response: &Response, now: Nanos) {
        let cause = response.detail().cause;
        let released =
            response.status == Status::Busy && matches!(cause, Cause::Fault | Cause::Hold | Cause::Tier);
        let operation = &self.table[index];
        if released && operation.class == Class::Filtered {
            let state = match operation.state {
                State::Due(at) if operation.is_pending() => {
                    State::Due(at.min(now + self.busy_delay(index, response, now)))
                }
                state => state,
            };
            self.table.change(index, |operation| {
                operation.state = state;
                operation.heard = Some(Reason::Busy(cause));
            });
        }
    }
    /// BUSY after so long: does it tell that answers wait for a page?
    #[cold]
    fn page_waits(&mut self, index: usize, cause: Cause, rtt: Nanos, now: Nanos) {
        match cause {
            // An earlier attempt has arrived.
            Cause::Pending => self.congestion.was_not_lost(now),
            Cause::Fault => self.page_waited = rtt,
            _ => return,
        }
        if self.table[index].class == Class::Filtered {
            self.table.change(index, |operation| operation.waits = true);
        }
    }
    /// Whether an operation of which nothing has happened so far had better end at once: the answer to another attempt
    /// would wait for a page, come when it has been given up, and leave its outcome unknown.
    fn ends_before(&self, index: usize, at: Nanos) -> bool {
        let operation = &self.table[index];
        operation.waits && at + self.page_waited > operation.ends
    }
    fn repeat(
        &mut self,
        index: usize,
        why: Why,
        released: bool,
        response: &Response,
        now: Nanos,
    ) -> Option<(Reason, Effect)> {
        // A doubled answer, or one after EXPIRED: what is to follow has been decided. But a doubled attempt may be told
        // PENDING first.
        let ends_pending = released && self.table[index].is_pending();
        if !matches!(self.table[index].state, State::Sent(_)) && !ends_pending {
            self.counters.outdated += 1;
            return None;
        }
        let (delay, heard) = match why {
            Why::Busy(cause) => {
                let delay = self.busy_delay(index, response, now);
                *self.counters.busy.entry(cause).or_default() += 1;
                self.turns |= cause == Cause::Filter;
                if cause == Cause::Filter {
                    self.pace.refused(now);
                }
                (delay, Reason::Busy(cause))
            }
            _ => {
                // At once, unless everything arrives damaged: then sending faster does not help.
                let so_far = self.table[index].nacks;
                self.counters.nacks += 1;
                let delay = if so_far < NACKS_AT_ONCE { Nanos::ZERO } else { self.timers.min };
                (delay, Reason::Damaged)
            }
        };
        self.table.change(index, |operation| {
            operation.busy += u32::from(heard != Reason::Damaged);
            operation.nacks += u32::from(heard == Reason::Damaged);
            operation.heard = Some(heard);
            operation.timeouts = 0;
            operation.released = released;
        });
        if released && self.ends_before(index, now + delay) {
            return Some((heard, Effect::None));
        }
        let limit = self.table[index].ends;
        self.again(index, (now + delay).min(limit))
    }
    fn start_anew(
        &mut self,
        index: usize,
        why: Why,
        response: &Response,
        now: Nanos,
    ) -> Option<(Reason, Effect)> {
        let mut at = now;
        let cause = response.detail().cause;
        match why {
            Why::Released => {
                self.counters.anew_released += 1;
                at += self.busy_delay(index, response, now);
                self.table.change(index, |operation| {
                    operation.busy += 1;
                    operation.heard = Some(Reason::Busy(cause));
                });
            }
            _ => self.counters.anew_expired += 1,
        }
        if now >= self.table[index].ends || self.ends_before(index, at) {
            let reason = self.table[index].heard.unwrap_or(Reason::Expired);
            return Some((reason, Effect::None));
        }
        let id = self.fresh_id();
        self.table.restart(index, id, at);
        None
    }
    /// How long to wait after BUSY: the hint, doubled each time it was not enough, spread by up to a half so that
    /// clients do not return in step.
    fn busy_delay(&self, index: usize, response: &Response, now: Nanos) -> Nanos {
        let operation = &self.table[index];
        let detail = response.detail();
        // The board answers the attempt that it has when it has ended; only when that answer is lost another one must
        // ask.
        if detail.cause == Cause::Pending
            && operation.class == Class::Filtered
            && let Some(patience) = self.patience(operation, now)
        {
            return patience;
        }
        let hint = Nanos(u64::from(detail.hint.max(1_000)));
        let mut delay = (1 << operation.busy.min(20)) * hint;
        if let (Cause::Clock, Some(time)) = (detail.cause, operation.time) {
            let ahead = u64::try_from(time.since(response.time)).unwrap_or(0);
            let allowed = u64::from(self.window(operation.class)) / 4;
            delay = delay.max(self.clock.span_of(ahead.saturating_sub(allowed) + 1));
        }
        let mut cap = self.timers.max_busy_wait;
        if operation.class.has_effect() {
            // A place in the filter is free for a moment only: whoever looks more often gets it.
            let looks = if detail.cause == Cause::Filter { 4 } else { 1 };
            cap = cap.min((self.window_share(operation.class) / looks).max(Nanos::from_micros(1)));
        }
        let spread = operation.op_id.wrapping_mul(0x9e37_79b9) >> 24;
        let delay = delay.min(cap);
        delay - u64::from(spread) * delay / 512
    }
    pub(super) fn fail(&mut self, index: usize, reason: Reason, effect: Effect, now: Nanos) {
        let operation = &self.table[index];
        if let (Effect::Possible, Some(time)) = (effect, operation.time) {
            let ticks = (self.window(operation.class), self.clock.error());
            let closing = Closing::new(operation, time, ticks, now);
            let open = self.clock.last().is_none_or(|tick| closing.left(tick).is_some());
            let gone = matches!(reason, Reason::Restarted { .. });
            if open && !gone {
                self.closing = Some(self.closing.map_or(closing, |earlier| earlier.and(closing)));
            }
        }
        let other_version = self.other_version.is_some_and(|at| at >= operation.started);
        let silent = matches!(reason, Reason::Unreachable);
        let reason = if silent && other_version { Reason::Version } else { reason };
        let elapsed = now - operation.started;
        let failure = Failure { reason, effect, attempts: operation.transmissions, elapsed: elapsed.into() };
        self.finished.extend(ended(operation).map(|ended| (ended, Err(failure))));
        self.table.remove(index);
    }
}

/// Which operation ended; nothing for the probe.
#[inline]
fn ended(operation: &Operation) -> Option<Ended> {
    let Call { opcode, pid, va, length, place, .. } = operation.call;
    operation.token.map(|token| Ended { token, place, opcode, pid, va, length })
}
