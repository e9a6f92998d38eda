//! A driver whose board answers at once, out of plain memory, without allocating: what is left is the client's own
//! work.
#![allow(dead_code)] // the bench takes the time, the test does not

use mneme_clib::driver::{self, Driver, DriverError, Take};
use mneme_wire::payload::{Alloc, BoardInfo, OpenAnswer};
use mneme_wire::{HEADER_LEN, Opcode, Packet, Request, Response, Tick};
use std::cell::Cell;
use std::collections::VecDeque;
use std::time::Duration;

const LARGEST: usize = 1_450;
const PAGE_BITS: u8 = 18;
/// Where the only allocation begins.
const BASE: u64 = 1 << PAGE_BITS;
/// Pages of that allocation.
const PAGES: usize = 16;

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
        Tick::from_low_bits((self.told.get().as_micros() & 0xff_ffff) as u32)
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
            ..BoardInfo::default()
        }
    }
    fn serve(&mut self, length: usize, answer: &mut Vec<u8>) {
        let tick = self.tick();
        let Ok(packet) = Packet::new_checked(&self.frame[..length]) else { return };
        let Ok(request) = Request::parse(&packet) else { return };
        let payload = packet.payload();
        let at = request.va.get().wrapping_sub(BASE) as usize;
        let bytes = usize::from(request.length);
        let mut ok = |length: u16, payload: &[u8]| {
            answer.extend_from_slice(&Response::ok(&request, tick, length).to_bytes());
            answer.extend_from_slice(payload);
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
    fn looks_for_free(&self) -> bool {
        matches!(self.clock, Clock::Wall(_))
    }
    fn peer(&self) -> String {
        "a board that answers at once".into()
    }
}
