//! The transport: one packet is one operation, and each operation that changes something takes effect once.
//!
//! A state machine without input and output: it takes the time and datagrams, and gives datagrams, the moment when it
//! wants to be asked again, and ended operations. The same code runs over sockets and in a board's virtual time.
//!
//! ```text
//!   start ──► Due ──transmit──► Sent ──receive: OK, refusal──► finished
//!              ▲                 │
//!              └─ timeout, NACK, BUSY, proven EXPIRED ─┘ unproven EXPIRED ──► Lingering ──► finished
//! ```
//!
//! An operation keeps its id and its `time` (the board's tick at the first attempt) until an answer proves that nothing
//! of it happened; [`verdict`] holds those rules. Operations without effect are simply repeated.
//! Source: architecture §3 "Exactly once", Clio §4.5 (retries without connection state).
mod clock;
mod config;
mod counters;
mod operation;
mod outcome;
mod rtt;
mod verdict;

pub use clock::BoardClock;
pub use config::{SLOW_WINDOW, TransportConfig};
pub use counters::TransportCounters;
pub use operation::{Call, Token};
pub use outcome::{Answer, Effect, Failure, Reason};
pub use rtt::RttEstimator;

use mneme_wire::payload::BoardInfo;
use mneme_wire::{Cause, Opcode, Packet, ParseError, Pid, Response, Status, Tick, Va};
use operation::{Class, Operation, State};
use std::collections::VecDeque;
use std::time::Duration;
use verdict::{Facts, Verdict, Why, fits, judge};

/// A time further back than this could be taken for one ahead by the board's signed 24-bit comparison.
const TICK_REACH: u64 = 1 << 22;
/// An id that this many operations or fewer ago was ours names a late answer, not a stranger's.
const RECENT_IDS: u32 = 1 << 16;

/// NACKs of one operation that are answered with another attempt at once.
const NACKS_AT_ONCE: u32 = 4;

/// Why an operation cannot be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// All packets that may be in flight are.
    #[error("{0} packets are in flight already")]
    Full(usize),
    /// Only PING may be sent before the board is known.
    #[error("the board is not known yet: ping it first")]
    UnknownBoard,
}

/// The transport towards one board. See the module's page.
#[derive(Debug)]
pub struct Transport {
    config: TransportConfig,
    next_id: u32,
    first_id: u32,
    next_token: u64,
    board: Option<BoardInfo>,
    clock: BoardClock,
    rtt: [RttEstimator; 2],
    operations: Vec<Operation>,
    probe: Option<Operation>,
    /// Copies of failed operations may be executed until the board's tick is past this one; until then no new operation
    /// touches memory, lest an old copy overwrites what came later.
    closing: Option<Tick>,
    finished: VecDeque<(Token, Result<Answer, Failure>)>,
    counters: TransportCounters,
    /// When a datagram of another wire version came last.
    other_version: Option<Duration>,
}

impl Transport {
    /// A transport that knows no board yet. `first_id` should be random in each run of a client, so that a board does
    /// not take a new client on an old port for the old one.
    pub fn new(config: TransportConfig, first_id: u32) -> Self {
        Transport {
            config,
            next_id: first_id,
            first_id,
            next_token: 0,
            board: None,
            clock: BoardClock::new(),
            rtt: Default::default(),
            operations: Vec::new(),
            probe: None,
            closing: None,
            finished: VecDeque::new(),
            counters: TransportCounters::default(),
            other_version: None,
        }
    }
    /// Takes what a board said of itself in PING or OPEN. Another epoch or identity makes everything before void.
    pub fn learn(&mut self, board: BoardInfo, now: Duration) {
        let known = self.board.map(|b| (b.epoch, b.board_id, b.nonce));
        if known.is_some_and(|known| known != (board.epoch, board.board_id, board.nonce)) {
            self.clock.reset();
            self.closing = None;
        }
        let window = Duration::from_nanos(u64::from(board.window) * u64::from(board.ns_per_tick));
        let trust = self.config.clock_trust.unwrap_or(window / 8);
        self.clock.configure(board.ns_per_tick, trust);
        self.clock.observe(Tick::from_low_bits(board.tick), now);
        self.board = Some(board);
    }
    /// What is known of the board.
    pub fn board(&self) -> Option<&BoardInfo> {
        self.board.as_ref()
    }
    /// Settings.
    pub fn config(&self) -> &TransportConfig {
        &self.config
    }
    /// What was counted so far.
    pub fn counters(&self) -> &TransportCounters {
        &self.counters
    }
    /// The board's tick as followed from its answers.
    pub fn clock(&self) -> &BoardClock {
        &self.clock
    }
    /// Operations started and not ended.
    pub fn in_flight(&self) -> usize {
        self.operations.len()
    }
    /// Whether another operation may be started.
    pub fn has_room(&self) -> bool {
        self.operations.len() < self.config.packets_in_flight.max(1)
    }

    /// Takes an operation; its first attempt comes out of [`Transport::transmit`].
    pub fn start(&mut self, call: Call, now: Duration) -> Result<Token, StartError> {
        if !self.has_room() {
            return Err(StartError::Full(self.operations.len()));
        }
        if self.board.is_none() && call.opcode != Opcode::Ping {
            return Err(StartError::UnknownBoard);
        }
        let token = Token(self.next_token);
        self.next_token += 1;
        let op_id = self.fresh_id();
        self.operations.push(Operation::new(Some(token), call, op_id, now));
        Ok(token)
    }
    /// The next operation that ended, with its answer or why it failed.
    pub fn finished(&mut self) -> Option<(Token, Result<Answer, Failure>)> {
        self.finished.pop_front()
    }
    /// Whether [`Transport::finished`] has something to say.
    pub fn has_finished(&self) -> bool {
        !self.finished.is_empty()
    }
    /// Ends all operations in flight: the driver is gone. Their outcomes are finished as failures.
    pub fn abandon(&mut self, now: Duration) {
        while let Some(operation) = self.operations.last() {
            let effect = if operation.can_have_happened() { Effect::Possible } else { Effect::None };
            self.fail(self.operations.len() - 1, Reason::Unreachable, effect, now);
        }
        self.probe = None;
    }

    fn fresh_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id = id.wrapping_add(1);
        id
    }
    /// The window of a class in ticks.
    fn window(&self, class: Class) -> u32 {
        let fast = self.board.map_or(0, |board| board.window);
        match class {
            // Taking it for longer than it is only makes proofs rarer; for shorter, it would make them wrong.
            Class::SlowEffect => {
                let ticks = self.clock.ticks_in(SLOW_WINDOW).max(4 * u64::from(fast));
                ticks.min(TICK_REACH) as u32
            }
            _ => fast,
        }
    }
    fn give_up(&self, class: Class) -> Duration {
        match class {
            Class::Repeatable => self.config.give_up,
            _ => self.config.give_up.min(self.clock.span_of(TICK_REACH)),
        }
    }
    /// A new operation waits: the board's tick is not known well enough, or an old copy may still change memory.
    fn blocked(&self, operation: &Operation, now: Duration) -> bool {
        // The probe itself waits for nothing.
        let first = operation.time.is_none() && operation.token.is_some();
        let touches_memory = !matches!(operation.call.opcode, Opcode::Ping | Opcode::Counters);
        first
            && (operation.class.has_effect() && !self.clock.fresh(now)
                || touches_memory && self.closing.is_some())
    }
}

/// Sending.
impl Transport {
    /// Writes the next datagram that is due into `datagram`; false when none is.
    pub fn transmit(&mut self, now: Duration, datagram: &mut Vec<u8>) -> bool {
        let tick = self.clock.estimate(now).unwrap_or_default();
        let due = |operation: &Operation| matches!(operation.state, State::Due(at) if at <= now);
        let next = self.operations.iter().position(|op| due(op) && !self.blocked(op, now));
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
        match operation.token {
            Some(_) => self.operations.push(operation),
            None => self.probe = Some(operation),
        }
        true
    }
    fn estimator(&self, class: Class) -> usize {
        usize::from(class == Class::SlowEffect)
    }
    /// How long the latest attempt may take: estimate, backed off. Effects leave room for several attempts in the window.
    fn timeout(&self, operation: &Operation) -> Duration {
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
    fn window_share(&self, class: Class) -> Duration {
        self.clock.span_of(u64::from(self.window(class)) / 8)
    }
}

/// Time.
impl Transport {
    /// When [`Transport::poll`] and [`Transport::transmit`] want to be called again, unless a datagram comes before.
    pub fn deadline(&self, now: Duration) -> Option<Duration> {
        let of = |operation: &Operation| match operation.state {
            State::Due(_) if self.blocked(operation, now) => {
                operation.started + self.give_up(operation.class)
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
        let blocked = self.blocked(&self.operations[index], now);
        let give_up = self.give_up(self.operations[index].class);
        let operation = &mut self.operations[index];
        let over = now >= operation.started + give_up;
        let ended = |operation: &Operation| {
            let effect = if operation.can_have_happened() { Effect::Possible } else { Effect::None };
            Some((operation.heard.unwrap_or(Reason::Unreachable), effect))
        };
        match operation.state {
            State::Due(_) if over && (blocked || !operation.sent.is_empty()) => ended(operation),
            State::Sent(deadline) if deadline <= now => {
                self.counters.timeouts += u64::from(!over);
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
    fn again(&mut self, index: usize, at: Duration) -> Option<(Reason, Effect)> {
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
        let waiting = self
            .operations
            .iter()
            .find(|op| matches!(op.state, State::Due(at) if at <= now) && self.blocked(op, now));
        let Some(waiting) = waiting else {
            self.probe = None;
            return;
        };
        match &mut self.probe {
            None => {
                // A fence does not leave the fast path; before a process is open only a ping is possible.
                let (opcode, payload) = match waiting.call.pid {
                    Pid::NONE => (Opcode::Ping, vec![0; BoardInfo::LEN]),
                    _ => (Opcode::Fence, Vec::new()),
                };
                let (pid, epoch, length) = (waiting.call.pid, waiting.call.epoch, payload.len() as u16);
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
                self.probe = Some(probe);
            }
            Some(probe) => {
                if matches!(probe.state, State::Sent(at) if at <= now) {
                    self.counters.timeouts += 1;
                    probe.timeouts += 1;
                    probe.started = now;
                    if probe.can_repeat() { probe.state = State::Due(now) } else { self.probe = None }
                }
            }
        }
    }
}

/// Receiving.
impl Transport {
    /// Takes a datagram from the network. Whatever is not an answer to an operation in flight is counted and ignored.
    pub fn receive(&mut self, now: Duration, datagram: &[u8]) {
        let parsed = Packet::new_checked(datagram).and_then(|packet| Ok((packet, Response::parse(&packet)?)));
        let (packet, response) = match parsed {
            Ok(parsed) => parsed,
            Err(ParseError::Version(_)) => {
                self.counters.other_version += 1;
                self.other_version = Some(now);
                return;
            }
            Err(_) => {
                self.counters.malformed += 1;
                return;
            }
        };
        let named = |op: &Operation| op.op_id == response.op_id && !op.sent.is_empty();
        if let Some(index) = self.operations.iter().position(named) {
            if fits(&self.operations[index], &response, packet.payload()) {
                self.observe(&response, now);
                self.answered(index, &response, packet.payload(), now);
            } else {
                self.counters.mismatched += 1;
            }
        } else if self.probe.as_ref().is_some_and(|op| named(op) && fits(op, &response, packet.payload())) {
            self.observe(&response, now);
            self.counters.answered += 1;
            self.probe = None;
        } else if self.next_id.wrapping_sub(response.op_id).wrapping_sub(1)
            < RECENT_IDS.min(self.next_id.wrapping_sub(self.first_id))
        {
            self.counters.late += 1;
        } else {
            self.counters.strangers += 1;
        }
    }
    /// Follows the board's tick, and opens memory again once failed operations can no longer be executed.
    fn observe(&mut self, response: &Response, now: Duration) {
        if response.status == Status::Stale {
            // Another boot counts from elsewhere.
            self.clock.reset();
        }
        self.clock.observe(response.time, now);
        if self.closing.is_some_and(|closing| response.time.since(closing) > 0) {
            self.closing = None;
        }
    }
    fn answered(&mut self, index: usize, response: &Response, payload: &[u8], now: Duration) {
        let operation = &self.operations[index];
        let sent = |attempt: u8| operation.sent.get(usize::from(attempt)).copied().unwrap_or(now);
        let facts = Facts {
            window: self.window(operation.class),
            ticks_since_first: self.clock.ticks_at_most(now.saturating_sub(sent(0))),
        };
        let rtt = now.saturating_sub(sent(response.attempt));
        let estimator = self.estimator(operation.class);
        self.counters.answered += 1;
        if !response.slow {
            self.rtt[estimator].sample(rtt);
        }
        let ended = match judge(&self.operations[index], response, facts) {
            Verdict::Done => {
                let operation = self.operations.swap_remove(index);
                let latency = now.saturating_sub(operation.sent[0]);
                let attempts = operation.transmissions;
                let answer = Answer { header: *response, payload: payload.to_vec(), attempts, latency };
                // The probe has no token and never comes here.
                self.finished.extend(operation.token.map(|token| (token, Ok(answer))));
                None
            }
            Verdict::Outdated => {
                self.counters.outdated += 1;
                None
            }
            Verdict::Linger => {
                let until = now + self.timeout(&self.operations[index]);
                self.operations[index].state = State::Lingering(until);
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
    fn repeat(
        &mut self,
        index: usize,
        why: Why,
        released: bool,
        response: &Response,
        now: Duration,
    ) -> Option<(Reason, Effect)> {
        if matches!(self.operations[index].state, State::Lingering(_)) {
            return None;
        }
        let delay = match why {
            Why::Busy(cause) => {
                let delay = self.busy_delay(index, response);
                *self.counters.busy.entry(cause).or_default() += 1;
                self.operations[index].busy += 1;
                self.operations[index].heard = Some(Reason::Busy(cause));
                delay
            }
            _ => {
                // At once, unless everything arrives damaged: then sending faster does not help.
                let so_far = self.operations[index].nacks;
                self.counters.nacks += 1;
                self.operations[index].nacks += 1;
                self.operations[index].heard = Some(Reason::Damaged);
                if so_far < NACKS_AT_ONCE { Duration::ZERO } else { self.config.min_timeout }
            }
        };
        self.operations[index].timeouts = 0;
        self.operations[index].released = released;
        let limit = self.operations[index].started + self.give_up(self.operations[index].class);
        self.again(index, (now + delay).min(limit))
    }
    fn start_anew(
        &mut self,
        index: usize,
        why: Why,
        response: &Response,
        now: Duration,
    ) -> Option<(Reason, Effect)> {
        let mut at = now;
        let cause = response.detail().cause;
        match why {
            Why::Released => {
                self.counters.anew_released += 1;
                at += self.busy_delay(index, response);
                self.operations[index].busy += 1;
                self.operations[index].heard = Some(Reason::Busy(cause));
            }
            _ => self.counters.anew_expired += 1,
        }
        if now >= self.operations[index].started + self.give_up(self.operations[index].class) {
            let reason = self.operations[index].heard.unwrap_or(Reason::Expired);
            return Some((reason, Effect::None));
        }
        let id = self.fresh_id();
        self.operations[index].restart(id, at);
        None
    }
    /// How long to wait after BUSY: the hint, doubled each time it was not enough, spread by up to a half so that clients
    /// do not return in step.
    fn busy_delay(&self, index: usize, response: &Response) -> Duration {
        let operation = &self.operations[index];
        let detail = response.detail();
        let hint = Duration::from_nanos(u64::from(detail.hint.max(1_000)));
        let mut delay = hint.saturating_mul(1 << operation.busy.min(20));
        if let (Cause::Clock, Some(time)) = (detail.cause, operation.time) {
            let ahead = u64::try_from(time.since(response.time)).unwrap_or(0);
            let allowed = u64::from(self.window(operation.class)) / 4;
            delay = delay.max(self.clock.span_of(ahead.saturating_sub(allowed) + 1));
        }
        let mut cap = self.config.max_busy_wait;
        if operation.class.has_effect() {
            // A place in the filter is free for a moment only: whoever looks more often gets it.
            let looks = if detail.cause == Cause::Filter { 4 } else { 1 };
            cap = cap.min((self.window_share(operation.class) / looks).max(Duration::from_micros(1)));
        }
        let spread = operation.op_id.wrapping_mul(0x9e37_79b9) >> 24;
        let delay = delay.min(cap);
        delay - delay * spread / 512
    }
    fn fail(&mut self, index: usize, reason: Reason, effect: Effect, now: Duration) {
        let operation = self.operations.swap_remove(index);
        if let (Effect::Possible, Some(time)) = (effect, operation.time) {
            let closing = time.plus(self.window(operation.class));
            let open = self.clock.last().is_none_or(|tick| tick.since(closing) <= 0);
            let later = self.closing.is_none_or(|other| closing.since(other) > 0);
            let gone = matches!(reason, Reason::Restarted { .. });
            if open && later && !gone {
                self.closing = Some(closing);
            }
        }
        let other_version = self.other_version.is_some_and(|at| at >= operation.started);
        let silent = matches!(reason, Reason::Unreachable);
        let reason = if silent && other_version { Reason::Version } else { reason };
        let elapsed = now.saturating_sub(operation.started);
        let failure = Failure { reason, effect, attempts: operation.transmissions, elapsed };
        self.finished.extend(operation.token.map(|token| (token, Err(failure))));
    }
}
