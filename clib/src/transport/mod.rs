//! The transport: one packet is one operation, and each operation that changes something takes effect once.
//!
//! A state machine without input and output: it takes the time and datagrams, and gives datagrams, the moment when it
//! wants to be asked again, and ended operations. What reads and writes carry stays in its callers' [`Buffers`]. The
//! same code runs over sockets and in a board's virtual time.
//!
//! ```text
//!   start ──► Due ──transmit──► Sent ──receive: OK, refusal──► finished
//!              ▲                 │
//!              └─ timeout, NACK, BUSY, proven EXPIRED ─┘ unproven EXPIRED ──► Lingering ──► finished
//! ```
//!
//! An operation keeps its id and its `time` (the board's tick at the first attempt) until an answer proves that nothing
//! of it happened; `verdict` holds those rules. Operations without effect are simply repeated.
//! Source: architecture §3 "Exactly once", Clio §4.5 (retries without connection state).
mod buffers;
mod clock;
mod closing;
mod config;
mod congestion;
mod counters;
mod nanos;
mod operation;
mod outcome;
mod pacing;
mod receiving;
mod rtt;
mod sending;
mod table;
mod times;
mod verdict;
mod waiting;

pub use buffers::{Buffers, Payload, Place};
pub use clock::BoardClock;
pub use config::{SLOW_WINDOW, TransportConfig};
pub use congestion::CongestionWindow;
pub use counters::TransportCounters;
pub use operation::{Call, Token};
pub use outcome::{Answer, Effect, Ended, Failure, Finished, Reason};
pub use sending::Fill;
pub use times::BoardTimes;

use closing::Closing;
use config::Timers;
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Opcode, Packet, Tick};
use nanos::Nanos;
use operation::{Class, Operation, State};
use pacing::FilterPace;
use rtt::RttEstimator;
use std::collections::VecDeque;
use std::time::Duration;
use table::Table;

/// A time further back than this could be taken for one ahead by the board's signed 24-bit comparison.
const TICK_REACH: u64 = 1 << 22;
/// Why an operation cannot be started.
///
/// ```
/// use mneme_clib::transport::{Call, Payload, Place, StartError, Transport, TransportConfig};
/// use mneme_wire::{Opcode, Pid, Va};
/// use std::time::Duration;
///
/// let mut transport = Transport::new(TransportConfig::default(), 1);
/// let call = Call {
///     opcode: Opcode::Read,
///     pid: Pid::from_low_bits(5),
///     epoch: 1,
///     va: Va::from_low_bits(0x40_0000),
///     length: 64,
///     payload: Payload::new(),
///     place: Place::default(),
/// };
/// assert!(matches!(transport.start(call, Duration::ZERO), Err(StartError::UnknownBoard)));
/// ```
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
///
/// ```
/// use mneme_clib::transport::{Call, Payload, Place, Transport, TransportConfig};
/// use mneme_wire::payload::BoardInfo;
/// use mneme_wire::{Opcode, Pid, Va};
/// use std::time::Duration;
///
/// let mut transport = Transport::new(TransportConfig::default(), 1);
/// let payload = Payload::from_elem(0, BoardInfo::LEN);
/// let (pid, va, place) = (Pid::NONE, Va::default(), Place::default());
/// let ping = Call { opcode: Opcode::Ping, pid, epoch: 0, va, length: 64, payload, place };
/// transport.start(ping, Duration::ZERO)?;
///
/// // Whoever has a socket sends what is due, and gives what comes to `receive`.
/// let mut datagram = Vec::new();
/// let sent = transport.transmit(Duration::ZERO, &(), |length, fill| {
///     datagram.resize(length, 0);
///     fill(&mut datagram);
///     Ok::<(), ()>(())
/// });
/// assert_eq!((sent, datagram.len()), (Ok(true), 22 + 64));
/// # Ok::<(), mneme_clib::transport::StartError>(())
/// ```
#[derive(Debug)]
pub struct Transport {
    config: TransportConfig,
    timers: Timers,
    next_id: u32,
    first_id: u32,
    next_token: u64,
    board: Option<BoardInfo>,
    clock: BoardClock,
    rtt: [RttEstimator; 2],
    congestion: CongestionWindow,
    table: Table,
    probe: Option<Operation>,
    /// Until when copies of failed operations may be executed.
    closing: Option<Closing>,
    /// For how long the same holds of other boards of this client.
    elsewhere: Option<Nanos>,
    /// Other boards wait for this one's.
    awaited: bool,
    finished: VecDeque<Finished>,
    counters: TransportCounters,
    /// When a datagram of another wire version came last.
    other_version: Option<Nanos>,
    /// When the board was heard last.
    heard: Option<Nanos>,
    /// An eighth of the fast path's window.
    fast_share: Nanos,
    /// How long a page fault waits for a page on the board at most: a quarter of that window.
    page_wait: Nanos,
    /// How long the last attempt that was answered BUSY FAULT took.
    page_waited: Nanos,
    /// No operation with an effect may take longer: its time must not seem to be ahead.
    reach: Nanos,
    /// Some operation may have been refused for want of a place in the board's filter.
    turns: bool,
    /// How fast writes and atomics may leave.
    pace: FilterPace,
    /// Bytes of the longest datagram that the path carries.
    longest: usize,
    /// What answers told of their requests' time on the board, while they are asked to.
    times: Option<BoardTimes>,
}

impl Transport {
    /// A transport that knows no board yet. `first_id` should be random in each run of a client, so that a board does
    /// not take a new client on an old port for the old one.
    pub fn new(config: TransportConfig, first_id: u32) -> Self {
        Transport {
            congestion: CongestionWindow::new(&config),
            timers: Timers::of(&config),
            config,
            next_id: first_id,
            first_id,
            next_token: 0,
            board: None,
            clock: BoardClock::new(),
            rtt: Default::default(),
            table: Table::default(),
            probe: None,
            closing: None,
            elsewhere: None,
            awaited: false,
            finished: VecDeque::new(),
            counters: TransportCounters::default(),
            other_version: None,
            heard: None,
            fast_share: Nanos::ZERO,
            page_wait: Nanos::ZERO,
            page_waited: Nanos::ZERO,
            reach: Nanos(TICK_REACH),
            turns: false,
            pace: FilterPace::new(),
            longest: usize::MAX,
            times: None,
        }
    }
    /// Takes what a board said of itself in PING or OPEN. Another epoch or identity makes everything before void.
    pub fn learn(&mut self, board: BoardInfo, now: Duration) {
        let now = now.into();
        let known = self.board.map(|b| (b.epoch, b.board_id, b.nonce));
        if known.is_some_and(|known| known != (board.epoch, board.board_id, board.nonce)) {
            self.clock.reset();
            self.closing = None;
        }
        let window = Nanos(u64::from(board.window) * u64::from(board.ns_per_tick));
        let trust = self.config.clock_trust.map_or(window / 8, Nanos::from);
        self.clock.configure(board.ns_per_tick, trust);
        self.congestion.learn(&self.config, window / 8);
        self.pace.learn(board.filter_entries, window, now);
        self.clock.observe(Tick::from_low_bits(board.tick), now);
        self.fast_share = self.clock.span_of(u64::from(board.window) / 8);
        self.page_wait = self.clock.span_of(u64::from(board.window) / 4);
        self.reach = self.clock.span_of(TICK_REACH);
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
    /// The windows that bound what is on the way.
    pub fn congestion(&self) -> &CongestionWindow {
        &self.congestion
    }
    /// From now on fast-path packets ask how long they were on the board, or no longer (`None`). Answers what was told so far.
    ///
    /// An answer that tells this does not tell the board's tick, so the transport has to ask for that now and then.
    pub fn set_times(&mut self, times: Option<BoardTimes>) -> Option<BoardTimes> {
        std::mem::replace(&mut self.times, times)
    }
    /// Operations started and not ended.
    pub fn in_flight(&self) -> usize {
        self.table.len()
    }
    /// Whether another operation may be started.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.table.len() < self.config.packets_in_flight.max(1)
    }

    /// Takes an operation; its first attempt comes out of [`Transport::transmit`].
    #[inline(always)]
    pub fn start(&mut self, call: Call, now: Duration) -> Result<Token, StartError> {
        let now = now.into();
        if !self.has_room() {
            return Err(StartError::Full(self.table.len()));
        }
        if self.board.is_none() && call.opcode != Opcode::Ping {
            return Err(StartError::UnknownBoard);
        }
        let token = Token(self.next_token);
        self.next_token += 1;
        let op_id = self.fresh_id();
        let ends = now + self.give_up(Class::of(call.opcode));
        self.table.add(|operation| operation.begin(Some(token), call, op_id, now, ends));
        Ok(token)
    }
    /// The next operation that ended, with its answer or why it failed.
    #[inline]
    pub fn finished(&mut self) -> Option<Finished> {
        self.finished.pop_front()
    }
    /// What [`Transport::finished`] would answer, where it lies: it is large. [`Transport::pass_finished`] goes on to the
    /// next.
    #[inline]
    pub(crate) fn look_at_finished(&mut self) -> Option<&mut Finished> {
        self.finished.front_mut()
    }
    #[inline]
    pub(crate) fn pass_finished(&mut self) {
        self.finished.pop_front();
    }
    /// Whether [`Transport::finished`] has something to say.
    #[inline]
    pub fn has_finished(&self) -> bool {
        !self.finished.is_empty()
    }
    /// Whether [`Transport::transmit`] may have something to give: without it, no.
    #[inline]
    pub fn may_transmit(&self) -> bool {
        self.table.any_due() || self.probe.is_some()
    }
    /// From now on the path carries datagrams of so many bytes. An operation that needs a longer one ends when it is to
    /// be sent ([`Reason::TooLong`]), with an effect of `None` where nothing of it can have happened: then its caller
    /// may cut it anew. One that can have happened is not sent again, and is waited for a little longer, for the
    /// answer to what was sent before.
    pub fn set_longest(&mut self, longest: usize) {
        self.longest = longest;
    }
    /// A datagram given for sending has not left and does not leave. If it was its operation's latest attempt, that
    /// counts as never made and is due again.
    pub fn take_back(&mut self, datagram: &[u8], now: Duration) {
        let Ok(packet) = Packet::new_checked(datagram) else { return };
        let Some(index) = self.table.find(packet.op_id()) else { return };
        let operation = &self.table[index];
        if matches!(operation.state, State::Sent(_)) && operation.latest() == Some(packet.attempt()) {
            self.unsend(index, now.into());
        }
    }
    fn unsend(&mut self, index: usize, now: Nanos) {
        self.counters.sent -= 1;
        self.counters.taken_back += 1;
        self.table.change(index, |operation| operation.take_back(now));
    }
    /// Whether the board was ever heard.
    pub fn was_heard(&self) -> bool {
        self.heard.is_some()
    }
    /// Ends all operations in flight for one reason: the driver is gone, or nobody listens. They are finished as
    /// failures.
    pub fn abandon(&mut self, reason: Reason, now: Duration) {
        let now = now.into();
        // Oldest first: a request's first error is that of its first packet.
        let taken = |table: &Table, index: &usize| table[*index].state != State::Vacant;
        while let Some(first) = self
            .table
            .places()
            .filter(|index| taken(&self.table, index))
            .min_by_key(|index| self.table[*index].token)
        {
            let happened = self.table[first].can_have_happened();
            let effect = if happened { Effect::Possible } else { Effect::None };
            self.fail(first, reason, effect, now);
        }
        self.probe = None;
    }

    /// Ends what is in flight of a request: its caller has no more time for it. What left may be executed all the same,
    /// of which its effect tells.
    pub(crate) fn cancel(&mut self, request: u32, reason: Reason, now: Duration) {
        let now = now.into();
        for index in self.table.places() {
            let operation = &self.table[index];
            if operation.state != State::Vacant && operation.call.place.request == request {
                let happened = operation.can_have_happened();
                self.fail(index, reason, if happened { Effect::Possible } else { Effect::None }, now);
            }
        }
    }
    /// Whether nothing is in flight, not even a probe.
    pub(crate) fn is_quiet(&self) -> bool {
        self.table.is_empty() && self.probe.is_none()
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
                let ticks = self.clock.ticks_in(SLOW_WINDOW.into()).max(4 * u64::from(fast));
                ticks.min(TICK_REACH) as u32
            }
            _ => fast,
        }
    }
    #[inline]
    fn give_up(&self, class: Class) -> Nanos {
        match class {
            Class::Repeatable => self.timers.give_up,
            _ => self.timers.give_up.min(self.reach),
        }
    }
}
