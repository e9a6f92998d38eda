//! The 22-byte Mneme header: a view over bytes, and what it means.
//!
//! `Packet::new_checked` must succeed before any accessor is called; `Request::parse` and `Response::parse` then give the
//! meaning with typed errors. All fields are in network byte order.
//!
//! ```text
//!  0      version 4 | trailer 2 | key phase 1 | timed 1
//!  1      response 1 | opcode 7
//!  2      epoch (request)  /  slow 1 | zero 2 | status 5 (response)
//!  3..6   pid
//!  6..10  operation id
//!  10     attempt
//!  11..14 time
//!  14..20 va
//!  20..22 length
//! ```
use crate::opcode::{Cause, Opcode, RESPONSE_BIT, STATUS_CODE_MASK, STATUS_SLOW_BIT, Status, Trailer};
use crate::{Pid, Tick, Va};

/// The wire version that this crate speaks.
pub const WIRE_VERSION: u8 = 1;
/// Bytes of the header.
pub const HEADER_LEN: usize = 22;
/// The bit of the first byte that asks for cycles in place of the tick, or says that TIME tells them.
pub const TIMED_BIT: u8 = 1;
/// The board's UDP port unless told otherwise.
pub const DEFAULT_UDP_PORT: u16 = 19790;

/// Field positions for generators: name, first byte, bytes, doc.
pub const FIELDS: &[(&str, u32, u32, &str)] = &[
    ("FLAGS", 0, 1, "Version (4 bits), trailer (2), key phase (1), timed (1)."),
    ("OPCODE", 1, 1, "Opcode; the top bit marks a response."),
    ("EPOCH", 2, 1, "Request: the board's epoch. Response: status code in bits 4:0, slow in bit 7."),
    ("PID", 3, 3, "Process id; the top 4 bits are the service class."),
    ("OP_ID", 6, 4, "Operation id, the same in every attempt."),
    ("ATTEMPT", 10, 1, "0, 1, …; a response carries it back."),
    (
        "TIME",
        11,
        3,
        "Request: the board's tick at the first attempt as the client knows it. Response: the tick now; with the flag timed: cycles.",
    ),
    ("VA", 14, 6, "Remote virtual address; in an answer that is not OK cause, zero, hint."),
    (
        "LENGTH",
        20,
        2,
        "Payload bytes of a write, bytes wanted by a read, bytes carried or written in an OK answer.",
    ),
];

/// Why bytes are not a Mneme packet, or not one of the expected kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Fewer bytes than a header.
    #[error("{0} bytes are too few for a Mneme header of 22")]
    Short(usize),
    /// A version that this crate does not speak.
    #[error("wire version {0}, this side speaks version 1")]
    Version(u8),
    /// Reserved bits of a response's status byte are set.
    #[error("a reserved bit is set")]
    ReservedBit,
    /// A number that names no trailer kind.
    #[error("unknown trailer kind {0}")]
    Trailer(u8),
    /// A request where a response was expected.
    #[error("a request where a response was expected")]
    NotAResponse,
    /// A response where a request was expected.
    #[error("a response where a request was expected")]
    NotARequest,
    /// A number that names no operation.
    #[error("unknown opcode {0:#04x}")]
    Opcode(u8),
    /// A number that names no status.
    #[error("unknown status {0}")]
    Status(u8),
    /// Payload and trailer are not as long as the header says.
    #[error("header says {header} bytes of payload and trailer, the packet carries {actual}")]
    Length {
        /// What the header asks for.
        header: usize,
        /// What is there.
        actual: usize,
    },
}

/// A view over the bytes of one Mneme packet, header first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet<T> {
    bytes: T,
}

impl<T: AsRef<[u8]>> Packet<T> {
    /// Wraps bytes that hold at least a header.
    #[inline]
    pub fn new_checked(bytes: T) -> Result<Self, ParseError> {
        match bytes.as_ref().len() {
            len if len < HEADER_LEN => Err(ParseError::Short(len)),
            _ => Ok(Packet { bytes }),
        }
    }
    /// Bytes of the header, which are there: `new_checked` has seen to that.
    #[inline]
    fn at<const N: usize>(&self, from: usize) -> [u8; N] {
        self.bytes.as_ref()[from..].first_chunk().copied().unwrap_or([0; N])
    }
    /// The four bytes that begin here, as a number: fields of three bytes are the low ones of it.
    #[inline]
    fn word(&self, from: usize) -> u32 {
        u32::from_be_bytes(self.at(from))
    }
    /// All bytes, header first.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }
    /// Wire version.
    #[inline]
    pub fn version(&self) -> u8 {
        self.bytes.as_ref()[0] >> 4
    }
    /// The two bits of the trailer kind.
    #[inline]
    pub fn trailer_number(&self) -> u8 {
        (self.bytes.as_ref()[0] >> 2) & 3
    }
    /// Trailer kind, if the number names one.
    #[inline]
    pub fn trailer(&self) -> Option<Trailer> {
        Trailer::from_number(self.trailer_number())
    }
    /// Key phase bit.
    #[inline]
    pub fn key_phase(&self) -> bool {
        self.bytes.as_ref()[0] & 2 != 0
    }
    /// Whether an OK answer is to tell cycles, or tells them.
    #[inline]
    pub fn timed(&self) -> bool {
        self.bytes.as_ref()[0] & TIMED_BIT != 0
    }
    /// Whether this is a response.
    #[inline]
    pub fn is_response(&self) -> bool {
        self.bytes.as_ref()[1] & RESPONSE_BIT != 0
    }
    /// The opcode number without the response bit.
    #[inline]
    pub fn opcode_number(&self) -> u8 {
        self.bytes.as_ref()[1] & !RESPONSE_BIT
    }
    /// Third byte: the epoch of a request, the status byte of a response.
    #[inline]
    pub fn epoch_or_status(&self) -> u8 {
        self.bytes.as_ref()[2]
    }
    /// Process id.
    #[inline]
    pub fn pid(&self) -> Pid {
        Pid::from_low_bits(self.word(2))
    }
    /// Operation id.
    #[inline]
    pub fn op_id(&self) -> u32 {
        self.word(6)
    }
    /// Attempt.
    #[inline]
    pub fn attempt(&self) -> u8 {
        self.bytes.as_ref()[10]
    }
    /// Time in ticks.
    #[inline]
    pub fn time(&self) -> Tick {
        Tick::from_low_bits(self.word(10))
    }
    /// Remote virtual address.
    #[inline]
    pub fn va(&self) -> Va {
        Va::from_low_bits(u64::from_be_bytes(self.at(12)))
    }
    /// Length field.
    #[inline]
    pub fn length(&self) -> u16 {
        u16::from_be_bytes(self.at(20))
    }
    /// Everything after the header, the trailer too.
    #[inline]
    pub fn rest(&self) -> &[u8] {
        &self.bytes.as_ref()[HEADER_LEN..]
    }
    /// What lies between the header and the trailer; nothing, if not even the trailer is whole.
    #[inline]
    pub fn payload(&self) -> &[u8] {
        let rest = self.rest();
        &rest[..rest.len().saturating_sub(self.trailer().map_or(0, Trailer::bytes))]
    }
}

/// What the header of a request means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Trailer kind.
    pub trailer: Trailer,
    /// Key phase.
    pub key_phase: bool,
    /// An OK answer is to tell how many cycles the request was on the board, in place of the tick.
    pub timed: bool,
    /// What is asked.
    pub opcode: Opcode,
    /// The board's epoch; 0 only in a ping.
    pub epoch: u8,
    /// Protection domain.
    pub pid: Pid,
    /// Operation id.
    pub op_id: u32,
    /// Attempt of this operation.
    pub attempt: u8,
    /// The board's tick at the first attempt.
    pub time: Tick,
    /// Address.
    pub va: Va,
    /// Bytes wanted or carried.
    pub length: u16,
}

/// What the header of a response means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Response {
    /// Trailer kind.
    pub trailer: Trailer,
    /// Key phase.
    pub key_phase: bool,
    /// TIME tells cycles, not the tick.
    pub timed: bool,
    /// The operation that this answers.
    pub opcode: Opcode,
    /// How it ended.
    pub status: Status,
    /// The request waited: its round trip is no RTT sample.
    pub slow: bool,
    /// Protection domain.
    pub pid: Pid,
    /// Operation id.
    pub op_id: u32,
    /// Attempt that this answers.
    pub attempt: u8,
    /// The TIME field: [`Response::tick`] or [`Response::cycles`].
    pub time: Tick,
    /// The request's address, or details (`Detail`) when not OK.
    pub va: Va,
    /// Bytes carried or written, or details when not OK.
    pub length: u16,
}

/// Cause and retry hint of an answer that is not OK.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detail {
    /// Why.
    pub cause: Cause,
    /// When to try again, in nanoseconds; STALE: the board's epoch.
    pub hint: u32,
}

impl Detail {
    /// The `va` field that carries these details.
    pub fn to_va(self) -> Va {
        Va::from_low_bits(u64::from(self.cause.number()) << 40 | u64::from(self.hint))
    }
    /// Reads the details; an unknown cause counts as `None`, so that new causes do not break old clients.
    #[inline]
    pub fn from_va(va: Va) -> Detail {
        let cause = Cause::from_number((va.get() >> 40) as u8).unwrap_or(Cause::None);
        Detail { cause, hint: va.get() as u32 }
    }
}

/// The fields of a header as they are on the wire: the first bytes may mean nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fields {
    /// Trailer kind.
    pub trailer: Trailer,
    /// Key phase.
    pub key_phase: bool,
    /// The flag timed.
    pub timed: bool,
    /// The opcode's number, with the response bit in a response.
    pub opcode: u8,
    /// Third byte: the epoch of a request, the status byte of a response.
    pub epoch_or_status: u8,
    /// Process id.
    pub pid: Pid,
    /// Operation id.
    pub op_id: u32,
    /// Attempt.
    pub attempt: u8,
    /// TIME field.
    pub time: Tick,
    /// `va` field.
    pub va: Va,
    /// `length` field.
    pub length: u16,
}

impl Fields {
    /// Writes the header.
    // In whole words, each from registers: bytes that are put together in memory cannot be read as one word until they
    // have left the processor's store buffer.
    #[inline(always)]
    pub fn write(&self, to: &mut [u8; HEADER_LEN]) {
        let flags = u8::from(self.key_phase) << 1 | if self.timed { TIMED_BIT } else { 0 };
        let first = WIRE_VERSION << 4 | self.trailer.number() << 2 | flags;
        let bytes = [first, self.opcode, self.epoch_or_status];
        let [first, opcode, third] = bytes.map(u64::from);
        let (pid, op_id) = (u64::from(self.pid.get()), u64::from(self.op_id));
        let (attempt, time) = (u64::from(self.attempt), u64::from(self.time.get()));
        let va = self.va.get();
        let words = [
            (0, first << 56 | opcode << 48 | third << 40 | pid << 16 | op_id >> 16),
            (8, op_id << 48 | attempt << 40 | time << 16 | va >> 32),
            (14, va << 16 | u64::from(self.length)),
        ];
        for (at, word) in words {
            to[at..at + 8].copy_from_slice(&word.to_be_bytes());
        }
    }
}

#[inline]
fn check_flags<T: AsRef<[u8]>>(packet: &Packet<T>) -> Result<(Trailer, Opcode), ParseError> {
    if packet.version() != WIRE_VERSION {
        return Err(ParseError::Version(packet.version()));
    }
    let trailer = packet.trailer().ok_or(ParseError::Trailer(packet.trailer_number()))?;
    let opcode = Opcode::from_number(packet.opcode_number());
    Ok((trailer, opcode.ok_or(ParseError::Opcode(packet.opcode_number()))?))
}

impl Request {
    /// The meaning of a request's header. The payload is judged by the operation (`payload`), not here.
    #[inline]
    pub fn parse<T: AsRef<[u8]>>(packet: &Packet<T>) -> Result<Request, ParseError> {
        if packet.is_response() {
            return Err(ParseError::NotARequest);
        }
        let (trailer, opcode) = check_flags(packet)?;
        Ok(Request {
            opcode,
            trailer,
            key_phase: packet.key_phase(),
            timed: packet.timed(),
            epoch: packet.epoch_or_status(),
            pid: packet.pid(),
            op_id: packet.op_id(),
            attempt: packet.attempt(),
            time: packet.time(),
            va: packet.va(),
            length: packet.length(),
        })
    }
    /// Writes this header.
    #[inline(always)]
    pub fn write(&self, to: &mut [u8; HEADER_LEN]) {
        let Request { trailer, key_phase, timed, opcode, epoch, pid, op_id, attempt, time, va, length } =
            *self;
        let (opcode, epoch_or_status) = (opcode.number(), epoch);
        Fields { trailer, key_phase, timed, opcode, epoch_or_status, pid, op_id, attempt, time, va, length }
            .write(to);
    }
    /// The 22 bytes of this header.
    #[inline]
    pub fn to_bytes(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        self.write(&mut bytes);
        bytes
    }
}

impl Response {
    /// The meaning of a response's header; checks that the payload is as long as the header says.
    // Inlined: an answer is large, and would be copied from the call's result.
    #[inline(always)]
    pub fn parse<T: AsRef<[u8]>>(packet: &Packet<T>) -> Result<Response, ParseError> {
        if !packet.is_response() {
            return Err(ParseError::NotAResponse);
        }
        let (trailer, opcode) = check_flags(packet)?;
        let byte = packet.epoch_or_status();
        if byte & !(STATUS_CODE_MASK | STATUS_SLOW_BIT) != 0 {
            return Err(ParseError::ReservedBit);
        }
        let code = byte & STATUS_CODE_MASK;
        let response = Response {
            opcode,
            trailer,
            key_phase: packet.key_phase(),
            timed: packet.timed(),
            status: Status::from_number(code).ok_or(ParseError::Status(code))?,
            slow: byte & STATUS_SLOW_BIT != 0,
            pid: packet.pid(),
            op_id: packet.op_id(),
            attempt: packet.attempt(),
            time: packet.time(),
            va: packet.va(),
            length: packet.length(),
        };
        let (header, actual) = (response.payload_len() + trailer.bytes(), packet.rest().len());
        if header != actual { Err(ParseError::Length { header, actual }) } else { Ok(response) }
    }
    /// The board's tick when it built this answer, unless the answer tells cycles instead.
    #[inline]
    pub fn tick(&self) -> Option<Tick> {
        if self.timed { None } else { Some(self.time) }
    }
    /// How many cycles the request was on the board, if this answer tells: modulo 2^24.
    #[inline]
    pub fn cycles(&self) -> Option<u32> {
        if self.timed { Some(self.time.get()) } else { None }
    }
    /// Payload bytes that follow this header. An answer that is not OK is a header alone.
    pub fn payload_len(&self) -> usize {
        match (self.status, self.opcode) {
            (Status::Ok, Opcode::Write) => 0,
            (Status::Ok, _) => usize::from(self.length),
            _ => 0,
        }
    }
    /// Cause and hint of an answer that is not OK.
    pub fn detail(&self) -> Detail {
        Detail::from_va(self.va)
    }
    /// An OK answer to a request.
    pub fn ok(request: &Request, time: Tick, length: u16) -> Response {
        Response { length, ..Response::fail(request, time, Status::Ok, request.va) }
    }
    /// An answer to a request with the given status and `va` details, length 0.
    pub fn fail(request: &Request, time: Tick, status: Status, va: Va) -> Response {
        Response {
            trailer: Trailer::None,
            key_phase: request.key_phase,
            timed: false,
            opcode: request.opcode,
            status,
            slow: false,
            pid: request.pid,
            op_id: request.op_id,
            attempt: request.attempt,
            time,
            va,
            length: 0,
        }
    }
    /// The 22 bytes of this header.
    #[inline]
    pub fn to_bytes(&self) -> [u8; HEADER_LEN] {
        let Response {
            trailer, key_phase, timed, status, slow, pid, op_id, attempt, time, va, length, ..
        } = *self;
        let opcode = self.opcode.number() | RESPONSE_BIT;
        let epoch_or_status = status.number() | if slow { STATUS_SLOW_BIT } else { 0 };
        let mut bytes = [0; HEADER_LEN];
        Fields { trailer, key_phase, timed, opcode, epoch_or_status, pid, op_id, attempt, time, va, length }
            .write(&mut bytes);
        bytes
    }
}
