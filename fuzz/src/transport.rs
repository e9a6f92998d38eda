//! The transport against a hostile board: wrong lengths, ids, attempts, ticks, endless BUSY, strangers. Each operation
//! ends once, in bounded time and packets, and nothing lands but what was asked for.
use crate::input::Input;
use mneme_clib::transport::{Buffers, Call, Payload, Place, Token, Transport};
use mneme_clib::{BoardInfo, BoardTimes, TransportConfig};
use mneme_wire::{Opcode, Packet, Pid, Request, Response, Status, Tick, Trailer, Va};
use std::collections::HashMap;
use std::convert::Infallible;
use std::time::Duration;

const OPCODES: [Opcode; 12] = [
    Opcode::Read,
    Opcode::Write,
    Opcode::FetchAdd,
    Opcode::CompareSwap,
    Opcode::Swap,
    Opcode::Fence,
    Opcode::Ping,
    Opcode::Open,
    Opcode::Alloc,
    Opcode::Free,
    Opcode::Exit,
    Opcode::Counters,
];
/// A deadline may be too early; so many in a row that lead to nothing are a busy loop.
const IDLE_LOOKS: u32 = 16;
/// Microseconds.
const STEPS: [u64; 8] = [0, 1, 20, 300, 5_000, 100_000, 2_000_000, 40_000_000];

/// What reads may land where: the length asked for at each place.
#[derive(Default)]
struct Asked(HashMap<u32, usize>);

impl Buffers for Asked {
    fn fill(&self, place: Place, payload: &mut [u8]) {
        assert_eq!(
            self.0.get(&place.request),
            Some(&payload.len()),
            "another length than the call's is filled"
        );
        payload.fill(place.request as u8);
    }
    fn land(&mut self, place: Place, payload: &[u8]) {
        assert_eq!(self.0.get(&place.request), Some(&payload.len()), "another length than the call's lands");
    }
}

struct World {
    transport: Transport,
    now: Duration,
    asked: Asked,
    running: HashMap<Token, Duration>,
    sent: Vec<Request>,
    calls: u32,
}

impl World {
    fn start(&mut self, input: &mut Input) {
        let opcode = input.pick(&OPCODES);
        let length = match opcode {
            Opcode::Read | Opcode::Write => 1 + input.number(2) as u16 % 1_500,
            _ => u16::from(input.byte()),
        };
        let outside = matches!(opcode, Opcode::Read | Opcode::Write | Opcode::Fence | Opcode::Exit);
        let payload = if outside { Payload::new() } else { Payload::from_elem(0, usize::from(length)) };
        let (pid, va) = (Pid::from_low_bits(input.byte().into()), Va::from_low_bits(input.number(6)));
        self.calls += 1;
        let place = Place { request: self.calls, ..Place::default() };
        self.asked.0.insert(self.calls, usize::from(length));
        let call = Call { opcode, pid, epoch: input.byte(), va, length, payload, place };
        if let Ok(token) = self.transport.start(call, self.now) {
            assert!(self.running.insert(token, self.now).is_none(), "a token was given twice");
        }
    }
    /// Sends what is due, and says how many packets: a moment's are bounded by the operations.
    fn send(&mut self) -> usize {
        self.transport.poll(self.now);
        let mut packets = 0;
        loop {
            let mut datagram = Vec::new();
            let sent = self.transport.transmit(self.now, &self.asked, |length, fill| {
                datagram.resize(length, 0);
                fill(&mut datagram);
                Ok::<(), Infallible>(())
            });
            if sent != Ok(true) {
                break;
            }
            packets += 1;
            assert!(packets <= 2 * self.transport.config().packets_in_flight + 1, "a storm of packets");
            let packet = Packet::new_checked(&datagram[..]).expect("a whole header");
            self.sent.push(Request::parse(&packet).expect("a request"));
        }
        let least = self.sent.len().saturating_sub(256);
        self.sent.drain(..least);
        packets
    }
    fn answer(&mut self, input: &mut Input) {
        if self.sent.is_empty() {
            return;
        }
        let request = self.sent[input.number(2) as usize % self.sent.len()];
        let status = Status::from_number(input.byte() & 0x1f).unwrap_or(Status::Ok);
        let twist = input.byte();
        let mut length = if status == Status::Ok { request.length } else { 0 };
        let mut header = Response {
            trailer: if twist == 8 { Trailer::Crc32c } else { request.trailer },
            key_phase: twist == 1,
            timed: twist == 7,
            opcode: if twist == 2 { input.pick(&OPCODES) } else { request.opcode },
            status,
            slow: input.byte() & 1 == 1,
            pid: request.pid,
            op_id: request.op_id.wrapping_add(if twist == 3 { input.number(4) as u32 } else { 0 }),
            attempt: request.attempt.wrapping_add(if twist == 4 { input.byte() } else { 0 }),
            time: Tick::from_low_bits(input.number(3) as u32),
            va: if status == Status::Ok && twist != 5 {
                request.va
            } else {
                Va::from_low_bits(input.number(6))
            },
            length,
        };
        if twist == 6 {
            length = input.number(2) as u16 % 2_000;
            header.length = length;
        }
        let carried = if request.opcode == Opcode::Write { 0 } else { usize::from(length) };
        let mut bytes = header.to_bytes().to_vec();
        bytes.extend(input.take(carried));
        bytes.resize(22 + carried, 0);
        self.transport.receive(self.now, &bytes, &mut self.asked);
    }
    fn learn(&mut self, input: &mut Input) {
        let board = BoardInfo {
            epoch: input.byte(),
            window: input.number(3) as u32,
            ns_per_tick: input.number(4) as u32,
            tick: input.number(3) as u32,
            page_bits: 18,
            max_payload: input.number(2) as u16,
            ..BoardInfo::default()
        };
        self.transport.learn(board, self.now);
    }
    fn settle(&mut self) {
        while let Some((ended, result)) = self.transport.finished() {
            assert!(self.running.remove(&ended.token).is_some(), "an operation ended twice, or never began");
            if let Err(failure) = result {
                assert!(!failure.reason.to_string().is_empty());
            }
        }
        assert_eq!(self.running.len(), self.transport.in_flight());
    }
    /// One of the things that may happen, most of the time.
    fn step(&mut self, step: u8, input: &mut Input) {
        match step {
            0..=2 => self.start(input),
            3 => self.now += Duration::from_micros(input.pick(&STEPS)),
            4 => drop(self.send()),
            5..=7 => {
                self.send();
                self.answer(input);
            }
            8 => {
                let length = usize::from(input.byte());
                let bytes = input.take(length);
                self.transport.receive(self.now, bytes, &mut self.asked);
            }
            _ => self.learn(input),
        }
    }
    /// The driver says of something that it was given lately that it has not left, be that true or not.
    fn take_back(&mut self, input: &mut Input) {
        if let Some(last) = self.sent.len().checked_sub(1) {
            let request = self.sent[last - usize::from(input.byte()) % (last + 1)];
            self.transport.take_back(&request.to_bytes(), self.now);
        }
    }
    /// The board is silent from now on: everything ends in bounded time.
    fn end(&mut self) {
        let limit = self.now + 2 * self.transport.config().give_up;
        let mut idle = 0;
        for _ in 0..100_000 {
            let running = self.running.len();
            let packets = self.send();
            self.settle();
            if self.running.is_empty() {
                return;
            }
            let deadline = self.transport.deadline(self.now).expect("operations under way want something");
            let moved = deadline > self.now || packets > 0 || self.running.len() < running;
            idle = if moved { 0 } else { idle + 1 };
            assert!(
                idle < IDLE_LOOKS,
                "asked to look again at once, {idle} times for nothing: {:?}",
                self.running
            );
            self.now = deadline.max(self.now + Duration::from_nanos(1));
            assert!(self.now <= limit, "not given up after {:?}: {:?}", self.now, self.running);
        }
        panic!("operations that neither end nor let time pass");
    }
}

/// The way of the clock, a seed and the board; then steps.
pub fn run(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let modes = input.byte();
    let config = if modes & 1 == 1 { TransportConfig::board_time() } else { TransportConfig::default() };
    let mut world = World {
        transport: Transport::new(config, input.number(4) as u32),
        now: Duration::from_millis(1),
        asked: Asked::default(),
        running: HashMap::new(),
        sent: Vec::new(),
        calls: 0,
    };
    if modes & 2 == 2 {
        world.transport.set_times(Some(BoardTimes::default()));
    }
    world.learn(&mut input);
    for _ in 0..400 {
        if input.is_over() {
            break;
        }
        match input.byte() {
            255 => world.transport.set_longest(input.number(2) as usize),
            254 => world.take_back(&mut input),
            step => world.step(step % 10, &mut input),
        }
        world.settle();
    }
    world.end();
}
