//! What answers do.
use super::closing::Closing;
use super::nanos::Nanos;
use super::operation::{Class, Operation, State};
use super::seal::Worth;
use super::verdict::{Facts, Verdict, Why, fits, judge};
use super::{Answer, Buffers, Call, Effect, Failure, Payload, Reason, Transport};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Cause, Opcode, Packet, ParseError, Response, Status, Trailer};
use std::time::Duration;

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
        if let Some(index) = self.table.find(response.op_id) {
            let operation = &self.table[index];
            if !fits(operation, &response, packet.payload()) {
                self.counters.mismatched += 1;
                return;
            }
            match self.seal.worth(operation, &response, datagram) {
                Worth::Sound => {
                    self.hearing.heard(now);
                    if self.seal.believes(operation.kind) {
                        self.gate.reopen(&response, operation);
                        self.timing.observe(operation, &response, now);
                    } else if operation.is_handshake() {
                        self.timing.hear(&response, now);
                    }
                    self.answered(index, &response, packet.payload(), now, buffers);
                }
                Worth::Hint => self.hinted(index, &response, now),
                Worth::Wrong => self.counters.wrong_trailer += 1,
            }
        } else if self.probe.named(response.op_id).is_some() {
            self.probed(&response, datagram, packet.payload(), now);
        } else if self.ids.is_recent(response.op_id) {
            self.counters.late += 1;
        } else {
            self.counters.strangers += 1;
        }
    }
    #[cold]
    fn is_no_answer(&mut self, error: ParseError, now: Nanos) {
        if let ParseError::Version(_) = error {
            self.counters.other_version += 1;
            self.hearing.heard_other_version(now);
        } else {
            self.counters.malformed += 1;
        }
    }
    /// Somebody answers the probe.
    fn probed(&mut self, response: &Response, datagram: &[u8], payload: &[u8], now: Nanos) {
        let Some(probe) = self.probe.named(response.op_id) else { return };
        let (worth, believed) = (self.seal.worth(probe, response, datagram), self.seal.believes(probe.kind));
        match worth {
            Worth::Sound => {
                let Some(probe) = self.probe.answered(response, payload) else { return };
                self.hearing.heard(now);
                self.counters.answered += 1;
                if believed {
                    self.gate.reopen(response, &probe);
                    self.timing.observe(&probe, response, now);
                }
            }
            Worth::Hint => {
                self.counters.hints += 1;
                self.hearing.heard_hint(response.status, now);
                // Operations that wait for the tick are not sent, so nothing else tells that the keys are old.
                self.doubt |= probe.kind == Trailer::Tag && response.status == Status::Unauthenticated;
                self.probe.hinted(response);
            }
            Worth::Wrong => self.counters.wrong_trailer += 1,
        }
    }
    /// The board, or who pretends to be it, says without the trailer that belongs there that something is wrong. That
    /// proves nothing: the operation goes on as without any answer. Yet an attempt that was damaged, or whose tag is of
    /// the other key, need not wait for its timer.
    #[cold]
    fn hinted(&mut self, index: usize, response: &Response, now: Nanos) {
        self.counters.hints += 1;
        self.hearing.heard_hint(response.status, now);
        let operation = &self.table[index];
        let before = operation.hint;
        let board = self.board.filter(|board| self.proven && board.epoch != operation.call.epoch);
        if let (Status::Stale, Trailer::Tag, Some(board)) = (response.status, operation.kind, board) {
            // That it has restarted is proven by itself.
            let effect = if operation.class.has_effect() { Effect::Possible } else { Effect::None };
            return self.fail(index, Reason::Restarted { epoch: board.epoch }, effect, now);
        }
        self.doubt |= operation.kind == Trailer::Tag && response.status == Status::Unauthenticated;
        let latest = operation.latest() == Some(response.attempt);
        let at_once = latest && matches!(operation.state, State::Sent(_)) && before.is_none();
        self.table.change(index, |operation| operation.hint = Some((response.status, response.attempt)));
        if at_once && let Some((reason, effect)) = self.again(index, now) {
            self.fail(index, reason, effect, now);
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
        let (rtt, since_first) = (operation.since(response.attempt, now), operation.since(0, now));
        let class = operation.class;
        self.counters.answered += 1;
        let busy = response.status == Status::Busy;
        // What waited for a page, or for a tier to bring one, is no sample, and no sign of congestion.
        let waited = operation.waits || busy && matches!(response.detail().cause, Cause::Fault | Cause::Tier);
        if !response.slow && !waited {
            self.timing.sample(class, rtt);
            if class != Class::SlowEffect {
                self.gate.answered(rtt, now);
            }
        }
        if busy {
            self.page_waits(index, response.detail().cause, rtt, now);
        }
        let operation = &self.table[index];
        let facts = || Facts {
            window: match operation.kind == Trailer::Tag && !self.proven {
                // What nobody has proven, proves nothing.
                true => u32::MAX >> 1,
                false => self.timing.window(operation.class),
            },
            ticks_since_first: self.timing.clock().ticks_at_most(since_first),
            lag: self.timing.clock().lag(operation.late),
        };
        let ended = match judge(operation, response, facts) {
            Verdict::Done => {
                if operation.kind == Trailer::Tag {
                    self.follow_phase(index, response, payload);
                }
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
    /// Which keys are the newer ones: a ping tells, and so does what was answered after a doubt.
    fn follow_phase(&mut self, index: usize, response: &Response, payload: &[u8]) {
        let Operation { call: Call { opcode, pid, .. }, hint, .. } = &self.table[index];
        let told = match opcode {
            Opcode::Ping => BoardInfo::parse(payload).ok().map(|board| board.key_phase == 1),
            _ => hint.map(|_| response.key_phase),
        };
        if let Some(phase) = told {
            self.seal.keys.told(*pid, phase);
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
        self.outbox.done(operation, answer);
        self.table.remove(index);
    }
    /// An answer to an attempt that a later one has overtaken proves nothing. Yet it may say that the board has let go
    /// what PENDING was said for; then the latest attempt need not wait for that any longer.
    fn overtaken(&mut self, index: usize, response: &Response, now: Nanos) {
        let cause = response.detail().cause;
        let released = response.status == Status::Busy
            && matches!(cause, Cause::Fault | Cause::Hold | Cause::Share | Cause::Tier);
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
            Cause::Pending => self.gate.was_not_lost(now),
            Cause::Fault => self.timing.waited_for_page(rtt),
            _ => return,
        }
        if self.table[index].class == Class::Filtered {
            self.table.change(index, |operation| operation.waits = true);
        }
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
                if cause == Cause::Filter {
                    self.gate.refused();
                    let ends = self.timing.ends_once_refused(&self.table[index], response, now);
                    self.table.change(index, |operation| operation.ends = ends);
                }
                (delay, Reason::Busy(cause))
            }
            _ => {
                // At once, unless everything arrives damaged: then sending faster does not help.
                let so_far = self.table[index].nacks;
                self.counters.nacks += 1;
                let delay = if so_far < NACKS_AT_ONCE { Nanos::ZERO } else { self.timing.shortest() };
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
        if released && self.timing.ends_before(&self.table[index], now + delay) {
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
            Why::Released => self.counters.anew_released += 1,
            // It was ahead of the board's tick, which the next one goes by.
            Why::Busy(cause) => *self.counters.busy.entry(cause).or_default() += 1,
            _ => self.counters.anew_expired += 1,
        }
        if why != Why::Expired {
            at += self.busy_delay(index, response, now);
            self.table.change(index, |operation| {
                operation.busy += 1;
                operation.heard = Some(Reason::Busy(cause));
            });
        }
        if now >= self.table[index].ends || self.timing.ends_before(&self.table[index], at) {
            let reason = self.table[index].heard.unwrap_or(Reason::Expired);
            return Some((reason, Effect::None));
        }
        let id = self.ids.fresh();
        self.table.restart(index, id, at);
        None
    }
    fn busy_delay(&self, index: usize, response: &Response, now: Nanos) -> Nanos {
        self.timing.busy_delay(&self.table[index], response, self.gate.least_timeout(), now)
    }
    pub(super) fn fail(&mut self, index: usize, reason: Reason, effect: Effect, now: Nanos) {
        let operation = &self.table[index];
        if let (Effect::Possible, Some(time)) = (effect, operation.time)
            && !matches!(reason, Reason::Restarted { .. })
            // A late copy opens a process that nobody has, and changes no memory of any other.
            && operation.call.opcode != Opcode::Open
        {
            let clock = self.timing.clock();
            let ticks = (self.timing.window(operation.class), clock.error());
            self.gate.close(Closing::new(operation, time, ticks, now), clock.last());
        }
        let reason = self.hearing.explain(reason, operation.started);
        let elapsed = (now - operation.started).into();
        let failure = Failure { reason, effect, attempts: operation.transmissions, elapsed };
        self.outbox.failed(operation, failure);
        self.table.remove(index);
    }
}
