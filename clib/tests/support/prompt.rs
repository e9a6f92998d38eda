//! A driver whose board answers at once, out of plain memory, without allocating: what is left is the client's own
//! work.
#![allow(dead_code)] // the bench takes the time, the test does not

use mneme_auth::{Responder, SecretKey};
use mneme_clib::driver::{self, Driver, DriverError, Take};
use mneme_clib::{ClientOptions, Credentials, Integrity};
use mneme_wire::payload::{Alloc, BoardInfo, OpenAnswer, SECURE_OPEN_LEN, SecureOpenAnswer};
use mneme_wire::trailer::{COVERED_LEN, Means, ProcessKey, covered, full_time, upper};
use mneme_wire::{HEADER_LEN, Opcode, Packet, Request, Response, Tick, Trailer};
use std::cell::Cell;
use std::collections::VecDeque;
use std::net::SocketAddrV4;
use std::time::Duration;

const LARGEST: usize = 1_450;
const PAGE_BITS: u8 = 18;
/// Where the only allocation begins.
const BASE: u64 = 1 << PAGE_BITS;
/// Pages of that allocation.
const PAGES: usize = 16;

/// The key of the only process.
const KEY: [u8; 16] = [7; 16];
const NONCE: u64 = 77;

fn board_key() -> SecretKey {
    SecretKey::from_bytes([1; 32])
}
/// The client's address and port, and the board's.
fn addresses() -> (SocketAddrV4, SocketAddrV4) {
    (SocketAddrV4::new([10, 0, 0, 2].into(), 4_000), SocketAddrV4::new([10, 0, 0, 1].into(), 19_790))
}
/// What trailers of answers cover.
fn back() -> [u8; COVERED_LEN] {
    let (own, board) = addresses();
    covered(board.ip().octets(), own.ip().octets(), board.port(), own.port())
}
/// How clients behave whose packets have trailers.
pub fn sealed(integrity: Integrity) -> ClientOptions {
    let credentials = Credentials::new(SecretKey::from_bytes([2; 32])).board(board_key().public());
    let credentials = (integrity == Integrity::Tag).then_some(credentials);
    ClientOptions { integrity, credentials, ..ClientOptions::default() }
}

/// Where the time comes from.
enum Clock {
    /// The one that the drivers go by.
    Wall(driver::Clock),
    /// A microsecond for each look: runs are alike.
    Steps(Duration),
}

/// See the module's page.
pub struct Prompt {
    clock: Clock,
    /// What the clock said last.
    told: Cell<Duration>,
    memory: Vec<u8>,
    frame: Vec<u8>,
    answers: VecDeque<Vec<u8>>,
    spare: Vec<Vec<u8>>,
    responder: Responder,
    back: [u8; COVERED_LEN],
}

impl Prompt {
    fn new(clock: Clock) -> Self {
        let spare = (0..256).map(|_| Vec::with_capacity(2 * LARGEST)).collect();
        let memory = vec![0; PAGES << PAGE_BITS];
        Prompt {
            clock,
            told: Cell::new(Duration::ZERO),
            memory,
            frame: vec![0; 2 * LARGEST],
            answers: VecDeque::with_capacity(256),
            spare,
            responder: Responder::new(board_key()),
            back: back(),
        }
    }
    /// With the clock of the drivers.
    pub fn timed() -> Self {
        Prompt::new(Clock::Wall(driver::Clock::default()))
    }
    /// With a clock of its own.
    pub fn stepping() -> Self {
        Prompt::new(Clock::Steps(Duration::ZERO))
    }
    /// The board's: it serves a request at the moment when its client looked at the clock last.
    fn tick(&self) -> Tick {
        Tick::from_low_bits((self.full_tick() & 0xff_ffff) as u32)
    }
    fn full_tick(&self) -> u64 {
        self.told.get().as_micros() as u64
    }
    fn info(&self) -> BoardInfo {
        BoardInfo {
            epoch: 1,
            board_id: 1,
            window: 100_000,
            ns_per_tick: 1_000,
            tick: self.tick().get(),
            page_bits: PAGE_BITS,
            max_payload: LARGEST as u16,
            memory: self.memory.len() as u64,
            nonce: NONCE,
            tick_high: upper(self.full_tick()),
            key_hint: self.responder.public().hint(),
            ..BoardInfo::default()
        }
    }
    fn serve(&mut self, length: usize, answer: &mut Vec<u8>) {
        let tick = self.tick();
        let Ok(packet) = Packet::new_checked(&self.frame[..length]) else { return };
        let Ok(request) = Request::parse(&packet) else { return };
        let means = match request.trailer {
            Trailer::None => Means::None,
            Trailer::Crc32c => Means::Crc32c,
            Trailer::Tag => {
                let upper = upper(full_time(self.full_tick(), request.time));
                Means::Tag { key: ProcessKey::new(KEY), upper }
            }
        };
        let payload = packet.payload();
        let at = request.va.get().wrapping_sub(BASE) as usize;
        let bytes = usize::from(request.length);
        let back = self.back;
        let mut ok = |length: u16, payload: &[u8]| {
            let header = Response { trailer: request.trailer, ..Response::ok(&request, tick, length) };
            answer.extend_from_slice(&header.to_bytes());
            answer.extend_from_slice(payload);
            if request.trailer != Trailer::None {
                answer.resize(answer.len() + request.trailer.bytes(), 0);
                means.seal(&back, answer);
            }
        };
        match request.opcode {
            Opcode::Read => ok(request.length, &self.memory[at..at + bytes]),
            Opcode::Write => {
                self.memory[at..at + bytes].copy_from_slice(payload);
                ok(request.length, &[]);
            }
            Opcode::CompareSwap | Opcode::FetchAdd | Opcode::Swap => {
                let word = |bytes: &[u8]| u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes"));
                let old = word(&self.memory[at..]);
                let new = match request.opcode {
                    Opcode::FetchAdd => old.wrapping_add(word(payload)),
                    Opcode::Swap => word(payload),
                    _ if old == word(payload) => word(&payload[8..]),
                    _ => old,
                };
                self.memory[at..at + 8].copy_from_slice(&new.to_le_bytes());
                ok(8, &old.to_le_bytes());
            }
            Opcode::Fence => ok(0, &[]),
            Opcode::Ping => ok(request.length, &self.info().to_bytes()),
            Opcode::Open if payload.len() == SECURE_OPEN_LEN => {
                let Ok(asked) = self.responder.read(NONCE, payload, [3; 32]) else { return };
                let open = OpenAnswer { pid: 1, key: KEY, board: self.info(), ..OpenAnswer::default() };
                let told = SecureOpenAnswer { open, valid: 1, ..SecureOpenAnswer::default() };
                let Ok(message) = asked.answer(&told) else { return };
                ok(request.length, &message);
            }
            Opcode::Open => {
                let opened =
                    OpenAnswer { pid: 1, token: [0; 16], board: self.info(), ..OpenAnswer::default() };
                ok(request.length, &opened.to_bytes());
            }
            Opcode::Alloc => {
                let Ok(asked) = Alloc::parse_request(payload) else { return };
                let size = asked.size.next_multiple_of(1 << PAGE_BITS);
                ok(request.length, &Alloc { va: BASE, size, ..asked }.to_bytes());
            }
            _ => {}
        }
    }
}

impl Driver for Prompt {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        assert!(length >= HEADER_LEN);
        fill(&mut self.frame[..length]);
        let mut answer = self.spare.pop().unwrap_or_default();
        answer.clear();
        self.serve(length, &mut answer);
        self.answers.push_back(answer);
        Ok(())
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        if let Clock::Steps(now) = &mut self.clock {
            *now += Duration::from_micros(1);
            if self.answers.is_empty() {
                *now += wait;
            }
        }
        let (at, count) = (self.now(), self.answers.len());
        while let Some(answer) = self.answers.pop_front() {
            take(at, &answer);
            self.spare.push(answer);
        }
        Ok(count)
    }
    fn now(&self) -> Duration {
        let now = match &self.clock {
            Clock::Wall(clock) => clock.now(),
            Clock::Steps(now) => *now,
        };
        self.told.set(now);
        now
    }
    fn max_datagram(&self) -> usize {
        HEADER_LEN + LARGEST
    }
    fn addresses(&self) -> Option<(SocketAddrV4, SocketAddrV4)> {
        Some(addresses())
    }
    fn looks_for_free(&self) -> bool {
        matches!(self.clock, Clock::Wall(_))
    }
    fn peer(&self) -> String {
        "a board that answers at once".into()
    }
}
