//! A request as dispatch hands it on, and the answer that it gets.
use mneme_wire::frame::{ALL_HEADERS, Endpoints, MNEME_OFFSET, emit_headers};
use mneme_wire::trailer::Means;
use mneme_wire::{Cause, Detail, Opcode, Packet, Pid, Status, Tick, Va};
use mneme_wire::{header::Fields, opcode};

/// A Mneme request on its way through the pipeline. Every field is the packet's own; nothing is checked here.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoardRequest {
    /// Where the packet came from and went to.
    pub endpoints: Endpoints,
    /// Opcode number; it may name no operation.
    pub opcode: u8,
    /// Epoch.
    pub epoch: u8,
    /// Key phase bit.
    pub key_phase: bool,
    /// The flag timed: an OK answer tells how long the request was on the board.
    pub timed: bool,
    /// Protection domain.
    pub pid: Pid,
    /// Operation id.
    pub op_id: u32,
    /// Attempt.
    pub attempt: u8,
    /// Tick of the first attempt.
    pub time: Tick,
    /// Address.
    pub va: Va,
    /// Length field.
    pub length: u16,
    /// It takes effect only inside the retry window that began at `time`: of the network, what the filter looks up.
    pub windowed: bool,
    /// What its answer is sealed with: its own trailer was right.
    pub means: Means,
    /// Bytes between header and trailer.
    pub payload: Vec<u8>,
}

impl BoardRequest {
    /// Becomes the request of a packet.
    // One by one: a whole that was just put together could not be copied before its parts have left the processor's store
    // buffer.
    #[inline(always)]
    pub fn take(&mut self, endpoints: Endpoints, packet: &Packet<&[u8]>) {
        self.endpoints = endpoints;
        self.opcode = packet.opcode_number();
        self.epoch = packet.epoch_or_status();
        self.key_phase = packet.key_phase();
        self.timed = packet.timed();
        self.pid = packet.pid();
        self.op_id = packet.op_id();
        self.attempt = packet.attempt();
        self.time = packet.time();
        self.va = packet.va();
        self.length = packet.length();
        self.windowed = self.is_filtered();
        self.means = Means::None;
        self.payload.clear();
        if !packet.payload().is_empty() {
            self.payload.extend_from_slice(packet.payload());
        }
    }
    /// The operation, if the number names one.
    // Mostly compared with one or a few: no more than that is left of it.
    #[inline(always)]
    pub fn operation(&self) -> Option<Opcode> {
        Opcode::from_number(self.opcode)
    }
    /// Whether the retry filter makes this operation exactly-once.
    pub fn is_filtered(&self) -> bool {
        self.operation().is_some_and(Opcode::is_filtered)
    }
    /// Source IPv4 address as a number, first byte in the top bits.
    pub fn source_ip(&self) -> u32 {
        u32::from_be_bytes(self.endpoints.src_ip)
    }
}

/// How a request ended: what the response will carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Status.
    pub status: Status,
    /// `va` field: the request's address when OK, details else.
    pub va: Va,
    /// `length` field.
    pub length: u16,
    /// Room for all headers and the bytes behind them; empty when there are none.
    pub body: Vec<u8>,
    /// The old word of an atomic that is OK, 0 else: what the retry filter keeps.
    pub result: u64,
    /// Memory failed when the header had left: the frame ends with a bad check sequence, its payload means nothing.
    pub bad_fcs: bool,
    /// The request waited for a free page, or behind one of its page that did. The model answers at once: a board that it follows says so.
    pub slow: bool,
}

impl Answer {
    /// OK with the given length field and body.
    pub fn ok(request: &BoardRequest, length: u16, body: Vec<u8>) -> Answer {
        Answer { status: Status::Ok, va: request.va, length, body, result: 0, bad_fcs: false, slow: false }
    }
    /// OK of an operation that the retry filter knows: a write, or an atomic with its old word.
    pub fn stored(request: &BoardRequest, result: u64) -> Answer {
        let body = match request.operation() {
            Some(operation) if operation.is_atomic() => {
                [&[0; ALL_HEADERS][..], &result.to_le_bytes()].concat()
            }
            _ => Vec::new(),
        };
        Answer { result, ..Answer::ok(request, request.length, body) }
    }
    /// Not OK, for a cause; only BUSY carries a hint.
    pub fn fail(status: Status, cause: Cause) -> Answer {
        Answer::detailed(status, Detail { cause, hint: 0 }.to_va(), 0)
    }
    /// BUSY for a cause, with a hint in ns.
    pub fn busy(cause: Cause, hint: u32) -> Answer {
        Answer::detailed(Status::Busy, Detail { cause, hint }.to_va(), 0)
    }
    /// Not OK, with the given `va` and `length` fields.
    pub fn detailed(status: Status, va: Va, length: u16) -> Answer {
        Answer { status, va, length, body: Vec::new(), result: 0, bad_fcs: false, slow: false }
    }
    /// Bytes after the header; none when not OK.
    pub fn payload(&self) -> &[u8] {
        self.body.get(ALL_HEADERS..).unwrap_or_default()
    }
    /// The cause's number; 0 for OK and MOVED, whose `va` holds none.
    pub fn cause_number(&self) -> u8 {
        if matches!(self.status, Status::Ok | Status::Moved) { 0 } else { (self.va.get() >> 40) as u8 }
    }
    /// The whole response frame, sent from `mac` at tick `now`, `cycles` after the request's last beat came in.
    ///
    /// It is built field by field, since the opcode of the request may name no operation. It takes the answer's body, or
    /// `spare`, whose content does not matter.
    pub fn frame(
        &mut self,
        request: &BoardRequest,
        mac: [u8; 6],
        now: Tick,
        cycles: u64,
        mut spare: Vec<u8>,
    ) -> Vec<u8> {
        let mut frame = std::mem::take(&mut self.body);
        if frame.is_empty() {
            spare.clear();
            spare.resize(ALL_HEADERS, 0);
            frame = spare;
        }
        let told = request.timed && self.status == Status::Ok;
        let time = if told { Tick::from_low_bits(cycles as u32) } else { now };
        let means = request.means.of_answer(self.status);
        let fields = Fields {
            trailer: means.kind(),
            key_phase: request.key_phase,
            timed: told,
            opcode: request.opcode | opcode::RESPONSE_BIT,
            epoch_or_status: self.status.number() | if self.slow { opcode::STATUS_SLOW_BIT } else { 0 },
            pid: request.pid,
            op_id: request.op_id,
            attempt: request.attempt,
            time,
            va: self.va,
            length: self.length,
        };
        if let Some(header) = frame.get_mut(MNEME_OFFSET..).and_then(<[u8]>::first_chunk_mut) {
            fields.write(header);
        }
        let endpoints = Endpoints { src_mac: mac, ..request.endpoints.reversed() };
        frame.resize(frame.len() + means.kind().bytes(), 0);
        emit_headers(&endpoints, false, &mut frame)
            .expect("the buffer has room for the headers, and a payload is at most 9,000 bytes");
        means.seal(&endpoints.covered(), &mut frame[MNEME_OFFSET..]);
        frame
    }
}
