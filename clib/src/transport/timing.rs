//! How long things take: the board's tick and windows, round trips, and what follows from them for timers.
use super::config::Timers;
use super::nanos::Nanos;
use super::operation::{Class, Operation};
use super::rtt::RttEstimator;
use super::{BoardClock, SLOW_WINDOW, TICK_REACH, TransportConfig};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Cause, Detail, Response, Status};

#[derive(Debug)]
pub(super) struct Timing {
    timers: Timers,
    clock: BoardClock,
    /// Of what the fast path serves, and of what has an effect through the slow path.
    rtt: [RttEstimator; 2],
    /// The fast path's window in ticks; 0 while the board is not known.
    window: u32,
    /// An eighth of it.
    fast_share: Nanos,
    /// How long a page fault waits for a page on the board at most: a quarter of it.
    page_wait: Nanos,
    /// How long the last attempt that was answered BUSY FAULT took.
    page_waited: Nanos,
    /// No operation with an effect may take longer: its time must not seem to be ahead.
    reach: Nanos,
}

/// Attempts at a filter that is full, in the time of an operation: those that are lost and others find numbers, too.
const LOOKS: u64 = 160;
/// When to look for a place in the filter first: after an eighth of a window by so much.
const FIRST_LOOK: u64 = 32;

/// What is the same for all datagrams that leave at one time.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moment {
    pub(super) now: Nanos,
    /// The board's, with the bits that no packet carries.
    pub(super) tick: u64,
    /// By how long that may lag.
    pub(super) late: Nanos,
}

fn estimator(class: Class) -> usize {
    usize::from(class == Class::SlowEffect)
}

impl Timing {
    pub(super) fn new(config: &TransportConfig) -> Timing {
        Timing {
            timers: Timers::of(config),
            clock: BoardClock::new(),
            rtt: Default::default(),
            window: 0,
            fast_share: Nanos::ZERO,
            page_wait: Nanos::ZERO,
            page_waited: Nanos::ZERO,
            reach: Nanos(TICK_REACH),
        }
    }
    /// Learns of a board. `trust`: how long its tick may be carried forward.
    pub(super) fn learn(&mut self, board: &BoardInfo, trust: Nanos, now: Nanos) {
        self.clock.configure(board.ns_per_tick, trust);
        self.clock.observe_full(board.full_tick(), now);
        self.window = board.window;
        self.fast_share = self.clock.span_of(u64::from(board.window) / 8);
        self.page_wait = self.clock.span_of(u64::from(board.window) / 4);
        self.reach = self.clock.span_of(TICK_REACH);
    }
    /// Another boot counts ticks from elsewhere.
    pub(super) fn forget_ticks(&mut self) {
        self.clock.reset();
    }
    /// Follows the board's tick, by an answer to an attempt of this operation.
    #[inline]
    pub(super) fn observe(&mut self, operation: &Operation, response: &Response, now: Nanos) {
        if response.status == Status::Stale {
            self.clock.reset();
        }
        if let Some(tick) = response.tick() {
            self.clock.observe(tick, now, operation.since(response.attempt, now));
        }
    }
    /// Takes the tick of an answer to a handshake that is not to be believed, for the next one.
    #[cold]
    pub(super) fn hear(&mut self, response: &Response, now: Nanos) {
        if let Some(tick) = response.tick() {
            self.clock.hear(tick, now);
        }
    }
    pub(super) fn clock(&self) -> &BoardClock {
        &self.clock
    }
    #[inline(always)]
    pub(super) fn moment(&self, now: Nanos) -> Moment {
        Moment { now, tick: self.clock.estimate_full(now).unwrap_or_default(), late: self.clock.late() }
    }
    /// Takes a round trip.
    #[inline]
    pub(super) fn sample(&mut self, class: Class, rtt: Nanos) {
        self.rtt[estimator(class)].sample(rtt);
    }
    /// An attempt was answered BUSY FAULT after so long.
    pub(super) fn waited_for_page(&mut self, rtt: Nanos) {
        self.page_waited = rtt;
    }

    /// The window of a class in ticks.
    pub(super) fn window(&self, class: Class) -> u32 {
        match class {
            // Taking it for longer than it is only makes proofs rarer; for shorter, it would make them wrong.
            Class::SlowEffect => {
                let ticks = self.clock.ticks_in(SLOW_WINDOW.into()).max(4 * u64::from(self.window));
                ticks.min(TICK_REACH) as u32
            }
            _ => self.window,
        }
    }
    /// An eighth of a class's window: Clio's TIMEOUT in hardware.
    #[inline]
    pub(super) fn window_share(&self, class: Class) -> Nanos {
        match class {
            Class::SlowEffect => self.clock.span_of(u64::from(self.window(class)) / 8),
            _ => self.fast_share,
        }
    }
    /// After so long an operation is given up.
    #[inline]
    pub(super) fn give_up(&self, class: Class) -> Nanos {
        match class {
            Class::Repeatable => self.timers.give_up,
            _ => self.timers.give_up.min(self.reach),
        }
    }
    /// When an operation is given up that the board's filter has refused: not before its window has passed by the board's
    /// tick, if it has left so late, but it has its whole time from its first attempt on at most. When a window has passed the
    /// entries that were in its way have gone, and nothing new is sent before it.
    pub(super) fn ends_once_refused(&self, operation: &Operation, response: &Response, now: Nanos) -> Nanos {
        let Some(first) = operation.sent.first() else { return operation.ends };
        let age = operation.time.map_or(0, |time| u64::try_from(response.time.since(time)).unwrap_or(0));
        let left = self.clock.span_of(u64::from(self.window(operation.class)).saturating_sub(age));
        operation.ends.max((now + left).min(*first + self.give_up(operation.class)))
    }
    /// A board that was not heard for so long does not answer.
    pub(super) fn patience_with_board(&self) -> Nanos {
        self.timers.give_up
    }
    /// No timer is shorter, where nothing else says so.
    pub(super) fn shortest(&self) -> Nanos {
        self.timers.min
    }
    /// No timer is longer.
    pub(super) fn longest(&self) -> Nanos {
        self.timers.max
    }
    /// How long a page fault waits for a page on the board at most.
    pub(super) fn page_wait(&self) -> Nanos {
        self.page_wait
    }
    /// How long the latest attempt may take: estimate, `blind` at least unless it is a retry, backed off. Effects leave
    /// room for several attempts in the window.
    #[inline]
    pub(super) fn timeout(&self, operation: &Operation, blind: Nanos) -> Nanos {
        let timers = &self.timers;
        let measured = self.rtt[estimator(operation.class)].timeout();
        let mut estimate = measured.unwrap_or(timers.first);
        // Who waited for a page has been answered since.
        if operation.timeouts == 0 && measured.is_some() && !operation.waits {
            estimate = estimate.max(blind);
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
    fn patience(&self, operation: &Operation, blind: Nanos, now: Nanos) -> Option<Nanos> {
        let patience = self.page_wait + self.timeout(operation, blind);
        let tick = self.clock.estimate(now);
        let age = tick.zip(operation.time).map_or(0, |(tick, time)| tick.since(time).max(0));
        let left = u64::from(self.window(operation.class)).saturating_sub(u64::try_from(age).unwrap_or(0));
        (patience <= self.clock.span_of(left)).then_some(patience)
    }
    /// How long to wait after BUSY: the hint, doubled each time it was not enough, spread by up to a half so that
    /// clients do not return in step.
    pub(super) fn busy_delay(
        &self,
        operation: &Operation,
        response: &Response,
        blind: Nanos,
        now: Nanos,
    ) -> Nanos {
        let Detail { cause, hint } = response.detail();
        // The board answers the attempt that it has when it has ended; only when that answer is lost another one must
        // ask.
        if cause == Cause::Pending
            && operation.class == Class::Filtered
            && let Some(patience) = self.patience(operation, blind, now)
        {
            return patience;
        }
        let mut hint = Nanos(u64::from(hint.max(1_000)));
        if cause == Cause::Filter && operation.class.has_effect() {
            // Places come free as entries leave the window, which no look hastens: of two full sets, the next one does so
            // in a small part of it.
            hint = hint.max(self.window_share(operation.class) / FIRST_LOOK);
        }
        let mut delay = (1 << operation.busy.min(20)) * hint;
        if let (Cause::Clock, Some(time)) = (cause, operation.time) {
            let ahead = u64::try_from(time.since(response.time)).unwrap_or(0);
            let allowed = u64::from(self.window(operation.class)) / 4;
            delay = delay.max(self.clock.span_of(ahead.saturating_sub(allowed) + 1));
        }
        let mut cap = self.timers.max_busy_wait;
        if operation.class.has_effect() {
            // A place in the filter is free for a moment only: whoever looks more often gets it.
            let looks = if cause == Cause::Filter { 4 } else { 1 };
            cap = cap.min((self.window_share(operation.class) / looks).max(Nanos::from_micros(1)));
        }
        if cause == Cause::Filter {
            // Attempts have fewer numbers than a board whose tick lags has such times in its window.
            cap = cap.max(self.give_up(operation.class) / LOOKS);
        }
        let spread = operation.op_id.wrapping_mul(0x9e37_79b9) >> 24;
        let delay = delay.min(cap);
        delay - u64::from(spread) * delay / 512
    }
    /// Whether an operation of which nothing has happened so far had better end at once: the answer to another attempt
    /// would wait for a page, come when it has been given up, and leave its outcome unknown.
    pub(super) fn ends_before(&self, operation: &Operation, at: Nanos) -> bool {
        operation.waits && at + self.page_waited > operation.ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_wire::{Opcode, Pid, Request, Tick, Va};
    use std::time::Duration;

    const MS: Nanos = Nanos::from_micros(1_000);

    fn operation(opcode: Opcode) -> Operation {
        Operation::asking(opcode, 1_000 * MS)
    }
    fn timing() -> Timing {
        let config = TransportConfig {
            first_timeout: Duration::from_millis(100),
            min_timeout: Duration::from_millis(5),
            max_timeout: Duration::from_millis(400),
            ..TransportConfig::default()
        };
        Timing::new(&config)
    }

    #[test]
    fn timers_follow_what_was_measured_and_back_off() {
        let mut timing = timing();
        let mut read = operation(Opcode::Read);
        assert_eq!(timing.timeout(&read, Nanos::ZERO), 100 * MS, "nothing was measured");
        (0..100).for_each(|_| timing.sample(Class::Repeatable, MS));
        assert_eq!(timing.timeout(&read, Nanos::ZERO), 5 * MS, "the shortest");
        assert_eq!(timing.timeout(&read, 50 * MS), 50 * MS, "after a pause");
        read.timeouts = 3;
        assert_eq!(timing.timeout(&read, 50 * MS), 40 * MS, "a retry is not blind");
        read.timeouts = 30;
        assert_eq!(timing.timeout(&read, Nanos::ZERO), 400 * MS, "the longest");
        let alloc = operation(Opcode::Alloc);
        assert_eq!(
            timing.timeout(&alloc, Nanos::ZERO),
            SLOW_WINDOW_SHARE,
            "the slow path has a measure of its own"
        );
    }
    /// An eighth of 2^22 ticks of 1 ns: what no tick length was told for.
    const SLOW_WINDOW_SHARE: Nanos = Nanos(TICK_REACH / 8);

    #[test]
    fn busy_waits_longer_each_time_and_clients_apart() {
        let timing = timing();
        let header = Request {
            trailer: mneme_wire::Trailer::None,
            key_phase: false,
            timed: false,
            opcode: Opcode::Read,
            epoch: 0,
            pid: Pid::NONE,
            op_id: 1,
            attempt: 0,
            time: Tick::default(),
            va: Va::default(),
            length: 64,
        };
        let va = Detail { cause: Cause::Queue, hint: 10_000 }.to_va();
        let busy = Response::fail(&header, Tick::default(), Status::Busy, va);
        let mut read = operation(Opcode::Read);
        let mut wait = |busy_before: u32, op_id: u32| {
            (read.busy, read.op_id) = (busy_before, op_id);
            timing.busy_delay(&read, &busy, Nanos::ZERO, Nanos::ZERO)
        };
        let bounds = |most: u64, delay: Nanos| delay.0 > most / 2 && delay.0 <= most;
        assert!(bounds(10_000, wait(0, 1)) && bounds(80_000, wait(3, 1)));
        assert!(bounds(100_000_000, wait(20, 1)), "the longest");
        assert_ne!(wait(3, 1), wait(3, 2));
    }

    #[test]
    fn what_may_wait_for_a_page_ends_before_it_would_be_given_up() {
        let mut timing = timing();
        let mut write = operation(Opcode::Write);
        timing.waited_for_page(300 * MS);
        assert!(!timing.ends_before(&write, 900 * MS), "it does not wait for one");
        write.waits = true;
        assert!(timing.ends_before(&write, 701 * MS) && !timing.ends_before(&write, 700 * MS));
    }
}
