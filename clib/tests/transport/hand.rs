//! A transport alone, with answers written by hand.
use mneme_clib::transport::{Answer, Call, Failure, Payload, Place, Transport};
use mneme_clib::{BoardInfo, Effect, Reason, TransportConfig};
use mneme_wire::{Cause, Detail, Opcode, Packet, Pid, Request, Response, Status, Tick, Va};
use std::time::Duration;

pub const US: Duration = Duration::from_micros(1);
/// Ticks of the window, 1 µs each.
pub const WINDOW: u32 = 800;

/// Takes the next datagram that is due.
pub fn transmit(transport: &mut Transport, now: Duration, datagram: &mut Vec<u8>) -> bool {
    let sent = transport.transmit(now, &(), |length, fill| {
        datagram.resize(length, 0);
        fill(datagram);
        Ok::<(), std::convert::Infallible>(())
    });
    sent.unwrap_or_default()
}

pub struct Bench {
    pub transport: Transport,
    pub now: Duration,
    pub datagram: Vec<u8>,
}

impl Bench {
    /// A transport that has just learned of a board at tick 1,000 (of 1 µs), epoch 3.
    pub fn new() -> Self {
        let mut transport = Transport::new(TransportConfig::board_time(), 100);
        let board = BoardInfo {
            window: WINDOW,
            ns_per_tick: 1_000,
            tick: 1_000,
            epoch: 3,
            page_bits: 18,
            max_payload: 1_024,
            ..BoardInfo::default()
        };
        transport.learn(board, Duration::ZERO);
        Bench { transport, now: Duration::ZERO, datagram: Vec::new() }
    }
    pub fn call(opcode: Opcode) -> Call {
        let payload = Payload::from_elem(0, if opcode == Opcode::Read { 0 } else { 8 });
        let va = Va::from_low_bits(4_096);
        Call { opcode, pid: Pid::from_low_bits(5), epoch: 3, va, length: 8, payload, place: Place::default() }
    }
    pub fn start(&mut self, opcode: Opcode) -> Request {
        self.transport.start(Bench::call(opcode), self.now).unwrap();
        self.sent().expect("the first attempt leaves at once")
    }
    /// What leaves now, if anything does.
    pub fn sent(&mut self) -> Option<Request> {
        self.transport.poll(self.now);
        let left = transmit(&mut self.transport, self.now, &mut self.datagram);
        left.then(|| Request::parse(&Packet::new_checked(&self.datagram[..]).unwrap()).unwrap())
    }
    /// Waits for what leaves next, or for the end; within 100 ms.
    pub fn next(&mut self) -> Option<Request> {
        let end = self.now + Duration::from_millis(100);
        while self.now < end && !self.transport.has_finished() {
            if let Some(request) = self.sent() {
                return Some(request);
            }
            if self.transport.has_finished() {
                break;
            }
            self.now = self.transport.deadline(self.now).map_or(end, |at| at.max(self.now));
        }
        None
    }
    /// The board's tick when the clocks agree.
    pub fn tick(&self) -> u32 {
        1_000 + self.now.as_micros() as u32
    }
    pub fn answer_at(&mut self, request: &Request, status: Status, cause: Cause, hint: u32, tick: u32) {
        let va = Detail { cause, hint }.to_va();
        let header = match status {
            Status::Ok => Response::ok(request, Tick::from_low_bits(tick), request.length),
            _ => Response::fail(request, Tick::from_low_bits(tick), status, va),
        };
        self.hear(request, header);
    }
    /// OK to a request that waited for a page.
    pub fn ok_slow(&mut self, request: &Request) {
        self.ok_slow_at(request, self.tick());
    }
    /// The same, of a board that says which tick it has.
    pub fn ok_slow_at(&mut self, request: &Request, tick: u32) {
        let header = Response::ok(request, Tick::from_low_bits(tick), request.length);
        self.hear(request, Response { slow: true, ..header });
    }
    fn hear(&mut self, request: &Request, header: Response) {
        let status = header.status;
        let mut bytes = header.to_bytes().to_vec();
        if status == Status::Ok && !matches!(request.opcode, Opcode::Write | Opcode::Fence) {
            bytes.extend([9; 8]);
        }
        self.transport.receive(self.now, &bytes, &mut ());
    }
    pub fn answer(&mut self, request: &Request, status: Status, cause: Cause) {
        self.answer_at(request, status, cause, 10_000, self.tick());
    }
    pub fn ok(&mut self, request: &Request) {
        self.answer(request, Status::Ok, Cause::None);
    }
    pub fn ended(&mut self) -> Option<Result<Answer, Failure>> {
        self.transport.finished().map(|(_, result)| result)
    }
    pub fn failure(&mut self) -> (Reason, Effect) {
        let failure = self.ended().expect("it has ended").expect_err("it has failed");
        (failure.reason, failure.effect)
    }
}
