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
mod gate;
mod hearing;
mod ids;
mod keys;
mod nanos;
mod operation;
mod outbox;
mod outcome;
mod pacing;
mod probe;
mod receiving;
mod rtt;
mod seal;
mod sending;
mod table;
mod times;
mod timing;
mod verdict;
mod waiting;

pub use buffers::{Buffers, Payload, Place};
pub use clock::BoardClock;
pub use config::{SLOW_WINDOW, TransportConfig};
pub use congestion::CongestionWindow;
pub use counters::TransportCounters;
pub use keys::ProcessKeys;
pub use operation::{Call, Token};
pub use outcome::{Answer, Effect, Ended, Failure, Finished, Reason};
pub use seal::{Integrity, UnknownIntegrity};
pub use sending::Fill;
pub use times::BoardTimes;

use gate::Gate;
use hearing::Hearing;
use ids::Ids;
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Opcode, Packet, Pid};
use nanos::Nanos;
use operation::{Class, State};
use outbox::Outbox;
use probe::Probe;
use seal::Seal;
use std::net::SocketAddrV4;
use std::time::Duration;
use table::Table;
use timing::Timing;

/// A time further back than this could be taken for one ahead by the board's signed 24-bit comparison.
const TICK_REACH: u64 = 1 << 22;
/// Operations that keep leases and keys and are in flight beside those of calls, at most.
const OWN_PLACES: usize = 8;
/// Whether two descriptions are of one board between two restarts.
fn is_one_life(one: &BoardInfo, other: &BoardInfo) -> bool {
    let of = |board: &BoardInfo| (board.epoch, board.board_id, board.nonce);
    of(one) == of(other)
}

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

/// The transport towards one board. See the module's page. Each of its machines has a state of its own, which no other
/// one sees; here, and in `sending`, `receiving` and `waiting`, is what happens between them.
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
    board: Option<BoardInfo>,
    /// What is known of the board was proven by an OPEN.
    proven: bool,
    /// A tag was said to be wrong.
    doubt: bool,
    ids: Ids,
    /// The operations in flight.
    table: Table,
    probe: Probe,
    timing: Timing,
    gate: Gate,
    hearing: Hearing,
    outbox: Outbox,
    counters: TransportCounters,
    /// Trailers.
    seal: Seal,
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
            gate: Gate::new(&config),
            timing: Timing::new(&config),
            config,
            board: None,
            proven: false,
            doubt: false,
            ids: Ids::new(first_id),
            table: Table::default(),
            probe: Probe::default(),
            hearing: Hearing::default(),
            outbox: Outbox::default(),
            counters: TransportCounters::default(),
            seal: Seal::default(),
            longest: usize::MAX,
            times: None,
        }
    }
    /// Takes what a board said of itself in PING or OPEN. Another epoch or identity makes everything before void.
    pub fn learn(&mut self, board: BoardInfo, now: Duration) {
        let is_the_same = self.board.is_some_and(|known| is_one_life(&known, &board));
        if self.proven && is_the_same {
            // Whoever forges this changes neither tick nor window.
            return;
        }
        self.proven = false;
        self.take_in(board, now);
    }
    /// As [`Transport::learn`], of a board that has proven who it is.
    pub fn learn_proven(&mut self, board: BoardInfo, now: Duration) {
        self.take_in(board, now);
        self.proven = true;
    }
    fn take_in(&mut self, board: BoardInfo, now: Duration) {
        let now = now.into();
        if self.board.is_some_and(|known| !is_one_life(&known, &board)) {
            self.timing.forget_ticks();
            self.gate.open();
        }
        let window = Nanos(u64::from(board.window) * u64::from(board.ns_per_tick));
        let trust = self.config.clock_trust.map_or(window / 8, Nanos::from);
        self.timing.learn(&board, trust, now);
        self.gate.learn(&self.config, &board, window, self.timing.clock());
        self.board = Some(board);
    }
    /// From now on packets have trailers, which cover the own address and port and the board's, as frames have them.
    pub fn set_integrity(&mut self, integrity: Integrity, own: SocketAddrV4, board: SocketAddrV4) {
        self.seal.set(integrity, own, board);
    }
    /// What packets carry.
    pub fn integrity(&self) -> Integrity {
        self.seal.integrity()
    }
    /// The board's tick with all its bits now, as far as it is known: for a handshake, by what anybody told.
    pub fn full_tick(&self, now: Duration) -> u64 {
        self.timing.clock().for_handshake(now.into()).unwrap_or_default()
    }
    /// Whether an answer has said that a tag is wrong, since this was asked last: newer keys are to be had.
    pub fn take_doubt(&mut self) -> bool {
        std::mem::take(&mut self.doubt)
    }
    /// Takes the newest keys of a process in an epoch.
    pub fn set_keys(&mut self, pid: Pid, epoch: u8, keys: ProcessKeys) {
        self.seal.keys.put(pid, epoch, keys);
    }
    /// Forgets the keys of all processes but these.
    pub fn retain_keys(&mut self, stays: impl FnMut(Pid, u8) -> bool) {
        self.seal.keys.retain(stays);
    }
    /// A process that has keys, and its epoch: what is asked of no process is asked in its name, so that it has a tag.
    pub fn keyed(&self) -> Option<(Pid, u8)> {
        self.seal.keys.any()
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
        self.timing.clock()
    }
    /// The windows that bound what is on the way.
    pub fn congestion(&self) -> &CongestionWindow {
        self.gate.congestion()
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
    /// Whether another one may that keeps a lease or keys.
    #[inline]
    pub(crate) fn has_room_for_own(&self) -> bool {
        self.table.len() < self.config.packets_in_flight.max(1).saturating_add(OWN_PLACES)
    }

    /// Takes an operation; its first attempt comes out of [`Transport::transmit`].
    #[inline(always)]
    pub fn start(&mut self, call: Call, now: Duration) -> Result<Token, StartError> {
        if !self.has_room() {
            return Err(StartError::Full(self.table.len()));
        }
        self.begin(call, now.into())
    }
    /// The same of an operation that keeps a lease or keys, which has a place though calls have all of theirs.
    pub(crate) fn start_own(&mut self, call: Call, now: Duration) -> Result<Token, StartError> {
        if !self.has_room_for_own() {
            return Err(StartError::Full(self.table.len()));
        }
        self.begin(call, now.into())
    }
    #[inline(always)]
    fn begin(&mut self, call: Call, now: Nanos) -> Result<Token, StartError> {
        if self.board.is_none() && call.opcode != Opcode::Ping {
            return Err(StartError::UnknownBoard);
        }
        let (token, op_id) = (self.ids.token(), self.ids.fresh());
        let ends = now + self.timing.give_up(Class::of(call.opcode));
        self.table.add(|operation| operation.begin(Some(token), call, op_id, now, ends));
        Ok(token)
    }
    /// The next operation that ended, with its answer or why it failed.
    #[inline]
    pub fn finished(&mut self) -> Option<Finished> {
        self.outbox.next()
    }
    /// What [`Transport::finished`] would answer, where it lies: it is large. [`Transport::pass_finished`] goes on to the
    /// next.
    #[inline]
    pub(crate) fn look_at_finished(&mut self) -> Option<&mut Finished> {
        self.outbox.look()
    }
    #[inline]
    pub(crate) fn pass_finished(&mut self) {
        self.outbox.pass();
    }
    /// Whether [`Transport::finished`] has something to say.
    #[inline]
    pub fn has_finished(&self) -> bool {
        !self.outbox.is_empty()
    }
    /// Whether [`Transport::transmit`] may have something to give: without it, no.
    #[inline]
    pub fn may_transmit(&self) -> bool {
        self.table.any_due() || self.probe.is_under_way()
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
        self.hearing.has_answered()
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
        self.probe.end();
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
        self.table.is_empty() && !self.probe.is_under_way()
    }
}
