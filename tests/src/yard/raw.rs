//! A client that knows the wire and nothing else, in a yard. It hears the board without loss.
use anyhow::{Context, Result, bail, ensure};
use mneme_wire::frame::Endpoints;
use mneme_wire::payload::{Alloc, BoardInfo, OpenAnswer, OpenRequest, RangeRights};
use mneme_wire::{Cause, Opcode, Packet, Pid, Request, Response, Rights, Status, Tick, Trailer, Va};

use super::{Ground, SLICE, Shared, lock};

/// Slices that an answer to one attempt is waited for, and attempts.
const SLICES: u64 = 1 << 11;
const ATTEMPTS: u8 = 24;
/// Cycles after which the slow path has forgotten an answer.
const FORGETS: u64 = 250_000_000;
/// The longest pause that a busy board is given, in cycles.
const LONGEST_PAUSE: u64 = 1 << 14;

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its header.
    pub response: Response,
    /// What it carries.
    pub payload: Vec<u8>,
}

impl Answer {
    /// Of a datagram.
    pub fn parse(datagram: &[u8]) -> Result<Answer> {
        let packet = Packet::new_checked(datagram)?;
        Ok(Answer { response: Response::parse(&packet)?, payload: packet.payload().to_vec() })
    }
    /// Served.
    pub fn is_ok(&self) -> bool {
        self.response.status == Status::Ok
    }
    /// Status and cause.
    pub fn told(&self) -> (Status, Cause) {
        let cause = if self.is_ok() { Cause::None } else { self.response.detail().cause };
        (self.response.status, cause)
    }
    /// The same in words.
    pub fn words(&self) -> String {
        let (status, cause) = self.told();
        if self.is_ok() { "OK".into() } else { format!("{} {}", status.name(), cause.name()) }
    }
}

/// One source.
pub struct Raw<F: Ground> {
    yard: Shared<F>,
    /// Its addresses, and the board's.
    pub endpoints: Endpoints,
    /// What the board said of itself.
    pub info: BoardInfo,
    tick: Tick,
    next: u32,
}

impl<F: Ground> Raw<F> {
    /// At an address; it learns from a PING what everybody may know.
    pub fn new(yard: &Shared<F>, ip: [u8; 4], port: u16) -> Result<Raw<F>> {
        let endpoints = lock(yard).attach(ip, port);
        let (info, tick, next) = (BoardInfo::default(), Tick::default(), u32::from(port) << 16 | 1);
        let mut raw = Raw { yard: yard.clone(), endpoints, info, tick, next };
        raw.learn()?;
        Ok(raw)
    }
    /// What the board says of itself now; a life of its own has another epoch.
    pub fn learn(&mut self) -> Result<()> {
        self.info.epoch = 0;
        let answer = self.must(Opcode::Ping, 0, 0, 0, &[0; BoardInfo::LEN])?;
        self.info = BoardInfo::parse(&answer.payload)?;
        self.tick = Tick::from_low_bits(self.info.tick);
        Ok(())
    }
    /// Bytes of a page.
    pub fn page(&self) -> u64 {
        1 << self.info.page_bits
    }
    /// A request with an operation id of its own.
    pub fn request(&mut self, opcode: Opcode, pid: u32, va: u64, length: u16) -> Request {
        self.next = self.next.wrapping_add(1);
        Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: if opcode == Opcode::Ping { 0 } else { self.info.epoch },
            pid: Pid::from_low_bits(pid),
            op_id: self.next,
            attempt: 0,
            time: self.tick,
            va: Va::from_low_bits(va),
            length,
        }
    }
    /// Lets a request go.
    pub fn send(&self, request: &Request, payload: &[u8]) -> Result<()> {
        let datagram = [&request.to_bytes()[..], payload].concat();
        lock(&self.yard).send("by hand", self.endpoints, &datagram, false)
    }
    /// The next answer, if one comes in time.
    pub fn answer(&mut self, slices: u64) -> Result<Option<Answer>> {
        let address = (self.endpoints.src_ip, self.endpoints.src_port);
        let mut yard = lock(&self.yard);
        for _ in 0..slices {
            if let Some((_, datagram)) = yard.take(address) {
                // What answers a request that is none has an opcode that is none.
                let Ok(answer) = Answer::parse(&datagram) else { continue };
                self.tick = answer.response.tick().unwrap_or(self.tick);
                return Ok(Some(answer));
            }
            yard.pass(SLICE)?;
        }
        Ok(None)
    }
    /// Sends a request until it is answered for good: retries as the protocol wants it, a bounded number of times.
    pub fn ask(&mut self, opcode: Opcode, pid: u32, va: u64, length: u16, payload: &[u8]) -> Result<Answer> {
        let length = length.max(payload.len() as u16);
        if opcode != Opcode::Ping {
            // Who was silent for long does not know the tick any more.
            self.tick = lock(&self.yard).ask_tick();
        }
        let mut request = self.request(opcode, pid, va, length);
        let (mut lost, mut said) = (false, String::from("nothing"));
        for _ in 0..ATTEMPTS {
            self.send(&request, payload)?;
            let answer = loop {
                match self.answer(SLICES)? {
                    Some(answer) if answer.response.op_id != request.op_id => {}
                    other => break other,
                }
            };
            let Some(answer) = answer else {
                // An attempt that nobody answered may have been executed: only its successors can tell.
                (lost, request.attempt) = (true, request.attempt + 1);
                continue;
            };
            if answer.response.status != Status::Busy {
                return Ok(answer);
            }
            said = answer.words();
            let pause = match answer.response.detail().cause {
                // This source's share of answers that the slow path remembers is spent: it forgets them after a second.
                Cause::Filter if !opcode.is_fast() => FORGETS / u64::from(ATTEMPTS) * 2,
                _ => (u64::from(answer.response.detail().hint) / 4).clamp(SLICE, LONGEST_PAUSE),
            };
            lock(&self.yard).pass(pause)?;
            match lost || answer.response.detail().cause == Cause::Pending {
                true => request.attempt += 1,
                false => {
                    self.tick = lock(&self.yard).ask_tick();
                    request = self.request(opcode, pid, va, length);
                }
            }
        }
        bail!("{} was answered {said}, {ATTEMPTS} times", opcode.name())
    }
    /// What a request that must be served gave.
    pub fn must(&mut self, opcode: Opcode, pid: u32, va: u64, length: u16, payload: &[u8]) -> Result<Answer> {
        let answer = self.ask(opcode, pid, va, length, payload)?;
        ensure!(answer.is_ok(), "{} was answered {}", opcode.name(), answer.words());
        Ok(answer)
    }
    /// A process with a lease; 0: without.
    pub fn open(&mut self, lease_ns: u64) -> Result<u32> {
        let ask = OpenRequest { lease_ns, ..OpenRequest::default() };
        let answer = self.must(Opcode::Open, 0, 0, 0, &ask.to_bytes())?;
        Ok(OpenAnswer::parse(&answer.payload)?.pid)
    }
    /// So many pages.
    pub fn alloc(&mut self, pid: u32, pages: u64, rights: Rights) -> Result<u64> {
        let payload = Alloc::request(pages * self.page(), rights).to_bytes();
        let answer = self.must(Opcode::Alloc, pid, 0, 0, &payload)?;
        Ok(Alloc::parse_answer(&answer.payload).context("an ALLOC's answer")?.va)
    }
    /// Gives a range back.
    pub fn free(&mut self, pid: u32, va: u64) -> Result<Answer> {
        self.ask(Opcode::Free, pid, va, 0, &RangeRights::default().to_bytes())
    }
    /// Ends a process.
    pub fn exit(&mut self, pid: u32) -> Result<Answer> {
        self.ask(Opcode::Exit, pid, 0, 0, &[])
    }
    /// Writes one packet.
    pub fn write(&mut self, pid: u32, va: u64, bytes: &[u8]) -> Result<Answer> {
        self.ask(Opcode::Write, pid, va, 0, bytes)
    }
    /// Reads one packet.
    pub fn read(&mut self, pid: u32, va: u64, length: u16) -> Result<Answer> {
        self.ask(Opcode::Read, pid, va, length, &[])
    }
}

impl<F: Ground> Drop for Raw<F> {
    fn drop(&mut self) {
        lock(&self.yard).detach((self.endpoints.src_ip, self.endpoints.src_port));
    }
}
