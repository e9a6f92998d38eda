//! One operation in flight: what is asked, under which id and time, and which attempts left.
use super::nanos::Nanos;
use super::seal::Sealing;
use super::timing::Moment;
use super::{Payload, Place, Reason};
use mneme_wire::payload::SECURE_OPEN_LEN;
use mneme_wire::trailer::upper;
use mneme_wire::{Cause, HEADER_LEN, Opcode, Pid, Request, Status, Tick, Trailer, Va};
use smallvec::SmallVec;

/// What a caller asks of the transport: one packet's worth.
///
/// ```
/// use mneme_clib::transport::{Call, Payload, Place};
/// use mneme_wire::{Opcode, Pid, Va};
///
/// let call = Call {
///     opcode: Opcode::Read,
///     pid: Pid::from_low_bits(5),
///     epoch: 1,
///     va: Va::from_low_bits(0x40_0000),
///     length: 64,
///     payload: Payload::new(),
///     place: Place::default(),
/// };
/// assert_eq!(call.opcode, Opcode::Read);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Operation.
    pub opcode: Opcode,
    /// Protection domain.
    pub pid: Pid,
    /// The epoch that the caller's process belongs to; 0 only in a ping.
    pub epoch: u8,
    /// Address.
    pub va: Va,
    /// The header's length field.
    pub length: u16,
    /// Payload of the request. A write that has none takes it from the [`Buffers`](super::Buffers).
    pub payload: Payload,
    /// Where the buffers have what a write carries, or want what a read brings.
    pub place: Place,
}

impl Call {
    /// Bytes of the request's payload.
    pub(super) fn payload_len(&self) -> usize {
        if self.is_filled() { usize::from(self.length) } else { self.payload.len() }
    }
    /// Whether the payload comes from the buffers.
    pub(super) fn is_filled(&self) -> bool {
        self.opcode == Opcode::Write && self.payload.is_empty()
    }
}

/// Names an operation between [`start`](super::Transport::start) and [`finished`](super::Transport::finished).
///
/// ```no_run
/// # use mneme_clib::transport::{Call, Transport};
/// # fn example(transport: &mut Transport, call: Call) -> Result<(), mneme_clib::transport::StartError> {
/// let token = transport.start(call, std::time::Duration::ZERO)?;
/// // Later:
/// if let Some((ended, result)) = transport.finished() {
///     println!("{} {result:?}", ended.token == token);
/// }
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Token(pub(super) u64);

/// How often an operation may be executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Any number of times: READ, FENCE, PING, COUNTERS, PROCESSES.
    Repeatable,
    /// Once, by the fast path's retry filter: WRITE and atomics.
    Filtered,
    /// Once, by the slow path's answer cache: OPEN, EXIT, ALLOC, FREE, PROTECT and those to come.
    SlowEffect,
}

impl Class {
    #[inline]
    pub(super) fn of(opcode: Opcode) -> Class {
        match opcode {
            Opcode::Read | Opcode::Fence => Class::Repeatable,
            opcode if opcode.is_query() => Class::Repeatable,
            opcode if opcode.is_filtered() => Class::Filtered,
            _ => Class::SlowEffect,
        }
    }
    pub(super) fn has_effect(self) -> bool {
        self != Class::Repeatable
    }
}

/// Where an operation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// The next attempt leaves at this time (later when the board's tick must be asked for first).
    Due(Nanos),
    /// An attempt is under way; the next one is due at this time.
    Sent(Nanos),
    /// EXPIRED without proof: a late OK of an earlier attempt may still come until this time.
    Lingering(Nanos),
    /// It has been removed, and its place is free.
    Vacant,
}

#[derive(Debug, Clone)]
pub(super) struct Operation {
    /// `None` for the transport's own probe.
    pub(super) token: Option<Token>,
    pub(super) call: Call,
    pub(super) class: Class,
    pub(super) op_id: u32,
    /// The board's tick at the first attempt under this id.
    pub(super) time: Option<Tick>,
    /// The upper 40 bits of that time, which tags cover.
    pub(super) upper: u64,
    /// By how long it lagged behind the board's at most, if the client's clock did not stand still.
    pub(super) late: Nanos,
    /// The kind of the latest attempt's trailer.
    pub(super) kind: Trailer,
    /// What was said last of an attempt by an answer without the trailer that it should have.
    pub(super) hint: Option<(Status, u8)>,
    /// An attempt asked how long it was on the board.
    pub(super) timed: bool,
    /// When each attempt under this id left, its first copy where it has several; the last one is the latest attempt.
    pub(super) sent: SmallVec<[Nanos; 3]>,
    pub(super) state: State,
    /// When the caller asked.
    pub(super) started: Nanos,
    /// When it is given up.
    pub(super) ends: Nanos,
    /// Attempts under all ids.
    pub(super) transmissions: u32,
    /// Timeouts in a row: the backoff's exponent.
    pub(super) timeouts: u32,
    /// BUSY answers in a row.
    pub(super) busy: u32,
    /// NACKs so far.
    pub(super) nacks: u32,
    /// The latest attempt is recorded on the board as released: nothing happened so far, and nothing will.
    pub(super) released: bool,
    /// The same of the attempts before the latest.
    pub(super) was_released: bool,
    /// What the board said last, if it said anything since the last timeout.
    pub(super) heard: Option<Reason>,
    /// The board said that it has an attempt, or let one go for want of a page, so answers may wait for a page. Copies
    /// of the latest attempt keep its number then, else the board's answer would be one to an overtaken attempt, which
    /// proves nothing.
    pub(super) waits: bool,
    /// Copies under this id that kept a number.
    pub(super) copies: usize,
    /// The latest attempt is such a copy.
    pub(super) copied: bool,
    /// Its packet did not fit the path when another attempt was due; what was sent may still be answered.
    pub(super) outgrown: bool,
}

impl Operation {
    /// A place without an operation.
    pub(super) fn vacant() -> Self {
        let call = Call {
            opcode: Opcode::Ping,
            pid: Pid::NONE,
            epoch: 0,
            va: Va::default(),
            length: 0,
            payload: Payload::new(),
            place: Place::default(),
        };
        Operation {
            token: None,
            class: Class::Repeatable,
            call,
            op_id: 0,
            time: None,
            upper: 0,
            late: Nanos::ZERO,
            kind: Trailer::None,
            hint: None,
            timed: false,
            sent: SmallVec::new(),
            state: State::Vacant,
            started: Nanos::ZERO,
            ends: Nanos::ZERO,
            transmissions: 0,
            timeouts: 0,
            busy: 0,
            nacks: 0,
            released: false,
            was_released: false,
            heard: None,
            waits: false,
            copies: 0,
            copied: false,
            outgrown: false,
        }
    }
    /// Begins in a vacant place. Field by field: a copy of the whole would have to wait until the fields that it was just
    /// made of have left the processor's store buffer.
    #[inline(always)]
    pub(super) fn begin(&mut self, token: Option<Token>, call: Call, op_id: u32, now: Nanos, ends: Nanos) {
        self.token = token;
        self.class = Class::of(call.opcode);
        self.call.opcode = call.opcode;
        self.call.pid = call.pid;
        self.call.epoch = call.epoch;
        self.call.va = call.va;
        self.call.length = call.length;
        self.call.place = call.place;
        // Most have none, and the place's is empty.
        if !call.payload.is_empty() {
            self.call.payload = call.payload;
        }
        self.op_id = op_id;
        self.time = None;
        self.hint = None;
        self.timed = false;
        self.state = State::Due(now);
        self.started = now;
        self.ends = ends;
        self.transmissions = 0;
        self.timeouts = 0;
        self.busy = 0;
        self.nacks = 0;
        self.released = false;
        self.was_released = false;
        self.heard = None;
        self.waits = false;
        self.copies = 0;
        self.copied = false;
        self.outgrown = false;
    }
    /// How long ago an attempt left.
    #[inline]
    pub(super) fn since(&self, attempt: u8, now: Nanos) -> Nanos {
        now - self.sent.get(usize::from(attempt)).copied().unwrap_or(now)
    }
    /// The number of the latest attempt; `None` before the first.
    pub(super) fn latest(&self) -> Option<u8> {
        u8::try_from(self.sent.len()).ok()?.checked_sub(1)
    }
    /// Whether a copy of this operation may have been executed or may still be.
    pub(super) fn can_have_happened(&self) -> bool {
        self.class.has_effect() && !self.sent.is_empty() && !self.released
    }
    /// Bytes of the longest datagram that it needs, with a trailer of so many: its request, or its answer.
    #[inline]
    pub(super) fn needs(&self, trailer: usize) -> usize {
        HEADER_LEN + self.call.payload_len().max(self.expected_bytes()) + trailer
    }
    /// Whether it opens a process by a handshake.
    #[inline]
    pub(super) fn is_handshake(&self) -> bool {
        self.call.opcode == Opcode::Open && self.call.payload.len() == SECURE_OPEN_LEN
    }
    /// Whether the latest attempt was told that its tag is wrong.
    pub(super) fn is_doubted(&self) -> bool {
        self.hint.is_some_and(|(status, attempt)| {
            status == Status::Unauthenticated && Some(attempt) == self.latest()
        })
    }
    /// Whether the next attempt waits for the answer to one that the board has.
    pub(super) fn is_pending(&self) -> bool {
        matches!(self.state, State::Due(_)) && self.heard == Some(Reason::Busy(Cause::Pending))
    }
    /// Bytes of payload that the answer will carry.
    #[inline]
    pub(super) fn expected_bytes(&self) -> usize {
        if self.call.opcode == Opcode::Read { usize::from(self.call.length) } else { 0 }
    }
    /// Whether it may leave whatever the windows say, at once or later.
    #[inline]
    pub(super) fn may_pass(&self) -> bool {
        match self.class {
            Class::SlowEffect => true,
            Class::Filtered => !self.sent.is_empty(),
            Class::Repeatable => false,
        }
    }
    /// Whether another attempt under this id has a number; copies count too, so that no id is sent without end.
    pub(super) fn can_repeat(&self) -> bool {
        self.sent.len() + self.copies < 255
    }
    /// The operation starts anew: nothing of it happened, and nothing will, under the old id.
    pub(super) fn restart(&mut self, op_id: u32, at: Nanos) {
        self.op_id = op_id;
        self.time = None;
        self.sent.clear();
        self.copies = 0;
        self.released = false;
        self.outgrown = false;
        self.timeouts = 0;
        self.state = State::Due(at);
    }
    /// It is no more: nothing finds it, and its payload is given back.
    #[inline]
    pub(super) fn vacate(&mut self) {
        self.state = State::Vacant;
        self.sent.clear();
        if !self.call.payload.is_empty() {
            self.call.payload = Payload::new();
        }
    }
    /// The latest attempt did not leave: as if it had never been made.
    pub(super) fn take_back(&mut self, now: Nanos) {
        self.transmissions -= 1;
        if self.copied {
            self.copies -= 1;
        } else {
            self.sent.pop();
        }
        self.released = self.was_released;
        if self.sent.is_empty() {
            self.time = None;
            self.timed = false;
        }
        self.state = State::Due(now);
    }
    /// When time does something to it.
    #[inline]
    pub(super) fn wakes(&self) -> Nanos {
        match self.state {
            // What was let go shortly before its end may be due behind it: until then time does nothing.
            State::Due(at) => self.ends.max(at),
            State::Sent(at) | State::Lingering(at) => at,
            State::Vacant => Nanos::MAX,
        }
    }
    /// Takes the next attempt's number, or the latest one's for a copy of it; the packet's header. `tick`: the board's, with
    /// all its bits. `timed`: it asks how long it was on the board, if it can.
    #[inline(always)]
    pub(super) fn emit(&mut self, moment: Moment, sealing: &Sealing, timed: bool) -> Request {
        let Moment { now, tick, late } = moment;
        let time = match self.time {
            Some(time) => time,
            None => {
                self.late = late;
                self.upper = upper(tick);
                *self.time.insert(Tick::from_low_bits(tick as u32))
            }
        };
        self.kind = sealing.kind;
        let next = self.sent.len() as u8;
        self.copied = self.waits && !self.released && next > 0;
        let attempt = if self.copied {
            self.copies += 1;
            next - 1
        } else {
            self.sent.push(now);
            next
        };
        self.transmissions += 1;
        self.was_released = std::mem::take(&mut self.released);
        self.outgrown = false;
        let timed = timed && self.call.opcode.is_fast();
        self.timed |= timed;
        Request {
            trailer: sealing.kind,
            key_phase: sealing.phase,
            timed,
            opcode: self.call.opcode,
            epoch: self.call.epoch,
            pid: self.call.pid,
            op_id: self.op_id,
            attempt,
            time,
            va: self.call.va,
            length: self.call.length,
        }
    }
}

#[cfg(test)]
impl Operation {
    /// One of 64 bytes that has just begun.
    pub(super) fn asking(opcode: Opcode, ends: Nanos) -> Operation {
        let mut operation = Operation::vacant();
        let call = Call { opcode, length: 64, ..operation.call.clone() };
        operation.begin(Some(Token(1)), call, 1, Nanos::ZERO, ends);
        operation
    }
}
