//! What holds operations back: the board's tick, windows of failed operations, the retry filter, congestion.
use super::closing::Closing;
use super::nanos::Nanos;
use super::operation::{Class, Operation, State};
use super::pacing::FilterPace;
use super::table::Table;
use super::timing::Timing;
use super::{BoardClock, CongestionWindow, Reason, TransportConfig};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Cause, Response};

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
        // Later attempts keep their time, and the probe itself waits for nothing. A handshake proves what the board is: it must
        // not wait for what nobody else proves.
        if operation.time.is_some() || operation.token.is_none() || operation.is_handshake() {
            return None;
        }
        let touches_memory = !operation.call.opcode.is_query();
        let closed = self.window || self.elsewhere;
        if self.pace && !closed && operation.class == Class::Filtered {
            // Before the tick: that would be old again by the time when the filter has room.
            Some(Hold::Pace)
        } else if self.tick && operation.class.has_effect() {
            Some(Hold::Tick)
        } else if closed && touches_memory {
            Some(Hold::Window)
        } else if self.turn && operation.class == Class::Filtered {
            Some(Hold::Turn)
        } else {
            None
        }
    }
}

#[derive(Debug)]
pub(super) struct Gate {
    /// Until when copies of failed operations may be executed.
    closing: Option<Closing>,
    /// For how long the same holds of other boards of this client.
    elsewhere: Option<Nanos>,
    /// Other boards wait for this one's.
    awaited: bool,
    /// Some operation may have been refused for want of a place in the board's filter.
    turns: bool,
    /// How fast writes and atomics may leave.
    pace: FilterPace,
    /// When it held something back last.
    paced: Option<Nanos>,
    congestion: CongestionWindow,
    /// The congestion window may fall below one request, so that packets are paced.
    paces: bool,
}

impl Gate {
    pub(super) fn new(config: &TransportConfig) -> Gate {
        Gate {
            closing: None,
            elsewhere: None,
            awaited: false,
            turns: false,
            pace: FilterPace::new(),
            paced: None,
            congestion: CongestionWindow::new(config),
            paces: config.paces,
        }
    }
    /// Learns of a board.
    pub(super) fn learn(
        &mut self,
        config: &TransportConfig,
        board: &BoardInfo,
        window: Nanos,
        clock: &BoardClock,
    ) {
        self.congestion.learn(config, window / 8);
        self.pace.learn(board.filter_entries, window, clock);
    }
    pub(super) fn congestion(&self) -> &CongestionWindow {
        &self.congestion
    }

    /// What holds new operations back now.
    #[inline]
    pub(super) fn holds(&mut self, clock: &BoardClock, table: &Table, now: Nanos) -> Holds {
        let refused = |op: &Operation| op.time.is_some() && op.heard == Some(Reason::Busy(Cause::Filter));
        self.turns = self.turns && table.iter().any(refused);
        self.pace.follow(clock);
        let pace = self.pace.until(now).is_some();
        if pace {
            self.paced = Some(now);
        }
        let (window, elsewhere) = (self.closing.is_some(), self.elsewhere.is_some());
        Holds { tick: !clock.fresh(now), window, elsewhere, turn: self.turns, pace }
    }
    /// Whether the filter's pace is why an operation has not left: it holds it back, or did since `since`, so that the
    /// operation has not had its time for what else holds it back.
    pub(super) fn has_waited_for_pace(
        &self,
        operation: &Operation,
        hold: Option<Hold>,
        since: Nanos,
    ) -> bool {
        let late = match hold {
            Some(Hold::Pace) => true,
            Some(Hold::Window) => false,
            Some(Hold::Tick | Hold::Turn) | None => self.paced.is_some_and(|at| at >= since),
        };
        late && operation.class == Class::Filtered && operation.sent.is_empty()
    }
    /// Whether the windows let nothing leave, and nothing is due that does not ask them.
    #[inline]
    pub(super) fn is_closed(&self, table: &Table, now: Nanos) -> bool {
        let (packets, bytes) = table.load();
        !table.any_privileged() && !self.congestion.allows(packets, bytes, 0, now)
    }
    /// Whether congestion and incast window let a packet leave. What the slow path serves is rare and small: it passes.
    /// So do retries of operations whose time window has half passed. Where packets are paced younger ones wait as
    /// others do: a queue that has delayed answers for longer than their timers must not be fed with copies.
    #[inline]
    pub(super) fn fits(
        &self,
        operation: &Operation,
        (packets, bytes): (usize, usize),
        timing: &Timing,
        now: Nanos,
    ) -> bool {
        let passes = match operation.class {
            Class::SlowEffect => true,
            Class::Filtered => self.passes_from(operation, timing).is_some_and(|from| from <= now),
            Class::Repeatable => false,
        };
        passes || self.congestion.allows(packets, bytes, operation.expected_bytes(), now)
    }
    /// From when on a retry leaves whatever the windows say.
    fn passes_from(&self, operation: &Operation, timing: &Timing) -> Option<Nanos> {
        let first = operation.sent.first().filter(|_| operation.class == Class::Filtered)?;
        // Without pacing late answers are no sign of a queue.
        let waits = if self.paces { 4 * timing.window_share(operation.class) } else { Nanos::ZERO };
        Some(*first + waits)
    }
    /// Whether an operation may leave now.
    #[inline]
    pub(super) fn lets(
        &self,
        operation: &Operation,
        holds: Holds,
        load: (usize, usize),
        timing: &Timing,
        now: Nanos,
    ) -> bool {
        matches!(operation.state, State::Due(at) if at <= now)
            && holds.of(operation).is_none()
            && self.fits(operation, load, timing, now)
    }
    /// When an operation that is due may leave, as far as time decides that.
    pub(super) fn lets_from(
        &self,
        operation: &Operation,
        holds: Holds,
        load: (usize, usize),
        timing: &Timing,
        now: Nanos,
    ) -> Nanos {
        match operation.state {
            State::Due(at) if holds.of(operation) == Some(Hold::Pace) => {
                self.pace.until(now).unwrap_or(now).max(at)
            }
            // An answer opens the window, or the time of pacing.
            State::Due(_) if !self.fits(operation, load, timing, now) => {
                self.passes_from(operation, timing).unwrap_or(Nanos::MAX)
            }
            State::Due(at) if holds.of(operation).is_none() => at,
            // It ends when the table says.
            _ => Nanos::MAX,
        }
    }
    /// Until when nothing leaves, while packets are paced.
    pub(super) fn paced_until(&self, now: Nanos) -> Option<Nanos> {
        self.congestion.paced_until().filter(|at| *at > now)
    }
    /// No answer is missing before this.
    #[inline]
    pub(super) fn least_timeout(&self) -> Nanos {
        self.congestion.least_timeout()
    }

    /// An operation leaves, with so many packets on the way.
    #[inline]
    pub(super) fn sent(&mut self, operation: &Operation, packets: usize, now: Nanos) {
        self.congestion.sent(packets, now);
        if operation.time.is_none() && operation.class == Class::Filtered {
            self.pace.sent(now);
        }
    }
    /// An answer came that did not wait for memory.
    #[inline]
    pub(super) fn answered(&mut self, rtt: Nanos, now: Nanos) {
        self.congestion.answered(rtt, now);
    }
    /// An answer did not come in time.
    pub(super) fn timed_out(&mut self, now: Nanos) {
        self.congestion.timed_out(now);
    }
    /// A timer was too short: the board has what it waited for.
    pub(super) fn was_not_lost(&mut self, now: Nanos) {
        self.congestion.was_not_lost(now);
    }
    /// The board's filter had no room for an operation.
    pub(super) fn refused(&mut self) {
        self.turns = true;
        self.pace.refused();
    }

    /// An operation has failed of which a copy may still be executed; `tick`: the last that the board told.
    pub(super) fn close(&mut self, closing: Closing, tick: Option<mneme_wire::Tick>) {
        if tick.is_none_or(|tick| closing.left(tick).is_some()) {
            self.closing = Some(self.closing.map_or(closing, |earlier| earlier.and(closing)));
        }
    }
    /// Opens memory again where the answer to an operation tells that nothing is executed any more.
    #[inline]
    pub(super) fn reopen(&mut self, response: &Response, operation: &Operation) {
        Closing::reopen(&mut self.closing, response, operation);
    }
    /// The board is another one, or has lost everything: no copy is executed any more.
    pub(super) fn open(&mut self) {
        self.closing = None;
    }
    /// Copies of failed operations may be executed.
    pub(super) fn closing(&self) -> Option<&Closing> {
        self.closing.as_ref()
    }
    /// How long copies of failed operations may still be executed, by the advertised tick.
    pub(super) fn closes_in(&self, timing: &Timing, now: Nanos) -> Nanos {
        let clock = timing.clock();
        let left = self.closing.zip(clock.estimate(now)).and_then(|(closing, tick)| closing.left(tick));
        clock.span_of(left.unwrap_or(0) + 1)
    }
    /// Other boards of this client say for how long copies of failed operations may still be executed there. `awaited`:
    /// they wait for this one.
    pub(super) fn set_elsewhere(&mut self, left: Option<Nanos>, awaited: bool) {
        (self.elsewhere, self.awaited) = (left, awaited);
    }
    /// For how long copies of failed operations may be executed on other boards of this client.
    pub(super) fn elsewhere(&self) -> Option<Nanos> {
        self.elsewhere
    }
    /// Whether something new waits until copies of failed operations cannot be executed here any more, on other boards.
    pub(super) fn is_awaited(&self) -> bool {
        self.awaited && self.closing.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_wire::{Opcode, Tick};

    fn operation(opcode: Opcode) -> Operation {
        Operation::asking(opcode, Nanos::MAX)
    }
    fn clock(stale: bool) -> BoardClock {
        let mut clock = BoardClock::new();
        if !stale {
            clock.observe(Tick::default(), Nanos::ZERO, Nanos::ZERO);
        }
        clock
    }
    fn gate() -> (Gate, Timing) {
        let config = TransportConfig::default();
        (Gate::new(&config), Timing::new(&config))
    }

    #[test]
    fn each_hold_keeps_back_what_it_is_about() {
        let (mut gate, _) = gate();
        let held = |stale: bool, gate: &mut Gate| {
            let holds = gate.holds(&clock(stale), &Table::default(), Nanos::ZERO);
            [Opcode::Ping, Opcode::Read, Opcode::Write].map(|opcode| holds.of(&operation(opcode)))
        };
        assert_eq!(held(false, &mut gate), [None; 3]);
        assert_eq!(held(true, &mut gate), [None, None, Some(Hold::Tick)]);
        gate.close(Closing::new(&operation(Opcode::Write), Tick::default(), (100, 0), Nanos::ZERO), None);
        assert_eq!(held(false, &mut gate), [None, Some(Hold::Window), Some(Hold::Window)]);
        gate.open();
        assert_eq!(held(false, &mut gate), [None; 3]);
        gate.set_elsewhere(Some(Nanos(9)), true);
        assert_eq!(held(false, &mut gate), [None, Some(Hold::Window), Some(Hold::Window)]);
        assert!(!gate.is_awaited(), "nothing is closed here");
        let mut sent = operation(Opcode::Write);
        sent.time = Some(Tick::default());
        let holds = gate.holds(&clock(true), &Table::default(), Nanos::ZERO);
        assert_eq!(holds.of(&sent), None, "a retry keeps its time");
    }

    #[test]
    fn a_window_that_the_board_has_passed_closes_nothing() {
        let (mut gate, timing) = gate();
        let failed = Closing::new(&operation(Opcode::Write), Tick::default(), (100, 0), Nanos::ZERO);
        gate.close(failed, Some(Tick::from_low_bits(101)));
        assert!(gate.closing().is_none());
        gate.close(failed, Some(Tick::from_low_bits(100)));
        assert!(gate.closing().is_some());
        assert_eq!(gate.closes_in(&timing, Nanos::ZERO), Nanos(1), "no tick is known");
    }

    #[test]
    fn the_windows_bound_reads_and_let_the_slow_path_and_old_retries_pass() {
        let (gate, timing) = gate();
        let (full, now) = ((1_000, 1 << 30), Nanos(50));
        assert!(gate.fits(&operation(Opcode::Read), (0, 0), &timing, now));
        assert!(!gate.fits(&operation(Opcode::Read), full, &timing, now));
        assert!(gate.fits(&operation(Opcode::Alloc), full, &timing, now));
        let mut write = operation(Opcode::Write);
        assert!(!gate.fits(&write, full, &timing, now));
        write.sent.push(Nanos(40));
        assert!(gate.fits(&write, full, &timing, now) && !gate.fits(&write, full, &timing, Nanos(39)));
    }
}
