//! Boards in this process, where frames are bytes and time passes when it is waited for.
use std::time::Duration;

use anyhow::{Context, Result, bail};
use mneme_model::network::ClientPort;
use mneme_model::port::NetworkPort;
use mneme_slowpath::FastPath;
use mneme_wire::payload::{Alloc, BoardInfo, OpenAnswer, OpenRequest};
use mneme_wire::{Opcode, Packet, Pid, Request, Response, Rights, Status, Tick, Trailer, Va};

use crate::stranger::{Answer, bytes};

/// Board time for an answer.
const ANSWER: Duration = Duration::from_millis(5);
/// And for a board that is busy.
const PAUSE: Duration = Duration::from_micros(100);
/// How often a busy board is asked.
const TRIES: u32 = 100;

/// A client of such a board.
pub struct Inside<F: FastPath + NetworkPort> {
    pub port: ClientPort<F>,
    pub info: BoardInfo,
    next: u32,
    pub pid: u32,
    /// A page that has been written to.
    pub va: u64,
}

impl<F: FastPath + NetworkPort> Inside<F> {
    /// One with a process and a page.
    pub fn new(port: ClientPort<F>) -> Result<Inside<F>> {
        let mut client = Inside { port, info: BoardInfo::default(), next: 1, pid: 0, va: 0 };
        client.learn()?;
        let answer = client.must(Opcode::Open, 0, 0, &OpenRequest::default().to_bytes())?;
        client.pid = OpenAnswer::parse(&answer.payload)?.pid;
        let page = 1 << client.info.page_bits;
        let answer =
            client.must(Opcode::Alloc, 0, 0, &Alloc::request(page, Rights::READ_WRITE).to_bytes())?;
        client.va = Alloc::parse_answer(&answer.payload)?.va;
        client.write(0)?;
        Ok(client)
    }
    /// Asks for the tick, among other things.
    pub fn learn(&mut self) -> Result<Tick> {
        let answer = self.must(Opcode::Ping, 0, 0, &[0; BoardInfo::LEN])?;
        self.info = BoardInfo::parse(&answer.payload)?;
        Ok(Tick::from_low_bits(self.info.tick))
    }
    pub fn request(&mut self, opcode: Opcode, va: u64, length: u16) -> Request {
        self.next += 1;
        Request { op_id: self.next, ..self.header(opcode, va, length) }
    }
    /// A request without an operation id of its own.
    pub fn header(&self, opcode: Opcode, va: u64, length: u16) -> Request {
        Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: self.info.epoch,
            pid: Pid::from_low_bits(if opcode.is_query() { 0 } else { self.pid }),
            op_id: 0,
            attempt: 0,
            time: Tick::from_low_bits(self.info.tick),
            va: Va::from_low_bits(va),
            length,
        }
    }
    /// Sends a datagram and takes the first answer.
    pub fn send(&mut self, datagram: &[u8]) -> Result<Option<Answer>> {
        self.port.send(datagram);
        let Some(bytes) = self.port.receive(ANSWER) else { return Ok(None) };
        let packet = Packet::new_checked(&bytes[..])?;
        let answer = Answer { response: Response::parse(&packet)?, payload: packet.payload().to_vec() };
        self.info.tick = answer.response.tick().map_or(self.info.tick, Tick::get);
        Ok(Some(answer))
    }
    /// What a request that must be served gave. One that the board has no time for comes again as another one.
    pub fn must(&mut self, opcode: Opcode, va: u64, length: u16, payload: &[u8]) -> Result<Answer> {
        let length = length.max(payload.len() as u16);
        let mut said = String::new();
        for _ in 0..TRIES {
            let request = self.request(opcode, va, length);
            let answer = self.send(&bytes(&request, payload))?;
            let answer = answer.with_context(|| format!("no answer to {}", opcode.name()))?;
            match answer.status() {
                Status::Ok => return Ok(answer),
                Status::Busy => self.pause()?,
                _ => bail!("{} was answered {}", opcode.name(), answer.words()),
            }
            said = answer.words();
        }
        bail!("{} was answered {said}, {TRIES} times", opcode.name())
    }
    /// A moment, and the tick after it: the window is short.
    fn pause(&mut self) -> Result<()> {
        let _late = self.port.receive(PAUSE);
        let request = self.request(Opcode::Ping, 0, BoardInfo::LEN as u16);
        self.send(&bytes(&request, &[0; BoardInfo::LEN])).map(drop)
    }
    pub fn write(&mut self, value: u64) -> Result<()> {
        self.learn()?;
        self.must(Opcode::Write, self.va, 0, &value.to_le_bytes()).map(drop)
    }
    pub fn read(&mut self) -> Result<u64> {
        let answer = self.must(Opcode::Read, self.va, 8, &[])?;
        Ok(answer.payload.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)))
    }
}
