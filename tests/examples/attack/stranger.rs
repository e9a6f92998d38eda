//! A client that knows the wire and nothing else: what an attacker is. It sends what it likes from an address of its own.
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use mneme_wire::payload::{Alloc, BoardInfo, CountersRequest, OpenAnswer, OpenRequest, RangeRights};
use mneme_wire::{
    Cause, HEADER_LEN, NodeCounter, Opcode, Packet, Pid, Request, Response, Rights, Status, Tick, Trailer, Va,
};
use rustix::net::sockopt;

/// How long an answer to one attempt is waited for, and to all of them.
const ATTEMPT: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(20);
/// A longer wait than this is not obeyed.
const LONGEST_HINT: Duration = Duration::from_millis(20);
/// Bytes of answers that wait to be looked at: those to some thousands of requests.
const ANSWERS: usize = 4 << 20;

/// An answer, its payload apart.
#[derive(Debug, Clone)]
pub struct Answer {
    pub response: Response,
    pub payload: Vec<u8>,
}

impl Answer {
    pub fn status(&self) -> Status {
        self.response.status
    }
    pub fn is_ok(&self) -> bool {
        self.response.status == Status::Ok
    }
    pub fn cause(&self) -> Cause {
        self.response.detail().cause
    }
    pub fn hint(&self) -> u32 {
        self.response.detail().hint
    }
    /// Status and cause, in words.
    pub fn words(&self) -> String {
        match self.is_ok() {
            true => "OK".into(),
            false => format!("{} {}", self.status().name(), self.cause().name()),
        }
    }
}

/// One source: an address and a port.
pub struct Stranger {
    socket: UdpSocket,
    pub info: BoardInfo,
    /// The newest tick that the board told, and when.
    heard: (Tick, Instant),
    next: u32,
}

impl Stranger {
    /// A source at this address, which learns from a PING what everybody may know.
    pub fn at(ip: Ipv4Addr, board: SocketAddrV4) -> Result<Stranger> {
        let socket = UdpSocket::bind((ip, 0)).with_context(|| format!("no socket at {ip}"))?;
        socket.connect(SocketAddr::V4(board))?;
        // Loopback gives what it can; less only means that more answers are not looked at.
        let _ = sockopt::set_socket_recv_buffer_size(&socket, ANSWERS);
        let port = socket.local_addr()?.port();
        let mut stranger = Stranger {
            socket,
            info: BoardInfo::default(),
            heard: (Tick::default(), Instant::now()),
            next: u32::from(port) << 16 | 1,
        };
        let answer = stranger.ask(Opcode::Ping, 0, 0, 0, &[0; BoardInfo::LEN])?;
        ensure!(answer.is_ok(), "PING was answered {}", answer.words());
        stranger.info = BoardInfo::parse(&answer.payload)?;
        Ok(stranger)
    }
    /// How long a tick that was heard is carried on: an eighth of the window, since simulated boards may lag.
    fn trust(&self) -> Duration {
        Duration::from_nanos(u64::from(self.info.window / 8) * u64::from(self.info.ns_per_tick))
    }
    /// The board's tick now, as far as it is known.
    pub fn tick(&self) -> Tick {
        let passed = self.heard.1.elapsed().min(self.trust()).as_nanos();
        self.heard.0.plus((passed / u128::from(self.info.ns_per_tick.max(1))) as u32)
    }
    pub fn page_size(&self) -> u64 {
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
            epoch: self.info.epoch,
            pid: Pid::from_low_bits(pid),
            op_id: self.next,
            attempt: 0,
            time: self.tick(),
            va: Va::from_low_bits(va),
            length,
        }
    }
    /// Its bytes.
    pub fn packet(&mut self, opcode: Opcode, pid: u32, va: u64, payload: &[u8]) -> Vec<u8> {
        let request = self.request(opcode, pid, va, payload.len() as u16);
        bytes(&request, payload)
    }
    /// Lets a datagram go; the system may lose it.
    pub fn send(&self, datagram: &[u8]) -> Result<()> {
        match self.socket.send(datagram) {
            Ok(_) => Ok(()),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(()),
            Err(error) => Err(error).context("the attacker's socket"),
        }
    }
    /// The next datagram, if one comes in time.
    pub fn datagram(&self, wait: Duration) -> Result<Option<Vec<u8>>> {
        self.socket.set_nonblocking(wait.is_zero())?;
        if !wait.is_zero() {
            self.socket.set_read_timeout(Some(wait))?;
        }
        let mut bytes = [0; 9216];
        match self.socket.recv(&mut bytes) {
            Ok(length) => Ok(Some(bytes[..length].to_vec())),
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(error).context("the attacker's socket"),
        }
    }
    /// The next answer, if one comes in time.
    pub fn answer(&mut self, wait: Duration) -> Result<Option<Answer>> {
        let until = Instant::now() + wait;
        while let Some(bytes) = self.datagram(until.saturating_duration_since(Instant::now()))? {
            let Ok(packet) = Packet::new_checked(&bytes[..]) else { continue };
            let Ok(response) = Response::parse(&packet) else { continue };
            if let Some(tick) = response.tick().filter(|tick| tick.since(self.heard.0) >= 0) {
                self.heard = (tick, Instant::now());
            }
            return Ok(Some(Answer { response, payload: packet.payload().to_vec() }));
        }
        Ok(None)
    }
    /// Sends a request until it is answered for good: retries as the protocol wants it, for a bounded time.
    pub fn ask(&mut self, opcode: Opcode, pid: u32, va: u64, length: u16, payload: &[u8]) -> Result<Answer> {
        let length = length.max(payload.len() as u16);
        if !opcode.is_query() && self.heard.1.elapsed() > self.trust() {
            self.must(Opcode::Ping, 0, 0, 0, &[0; BoardInfo::LEN])?;
        }
        let mut request = self.request(opcode, pid, va, length);
        let until = Instant::now() + PATIENCE;
        // An attempt that nobody answered may have been executed: only its successors can tell.
        let mut lost = false;
        while Instant::now() < until {
            self.send(&bytes(&request, payload))?;
            let answer = self.answer_to(request.op_id)?;
            let Some(answer) = answer else {
                (lost, request.attempt) = (true, request.attempt.wrapping_add(1));
                continue;
            };
            if answer.status() != Status::Busy {
                return Ok(answer);
            }
            std::thread::sleep(Duration::from_nanos(answer.hint().into()).min(LONGEST_HINT));
            match lost || answer.cause() == Cause::Pending {
                true => request.attempt = request.attempt.wrapping_add(1),
                false => request = self.request(opcode, pid, va, length),
            }
        }
        bail!("{} was not answered for good within {PATIENCE:?}", opcode.name())
    }
    fn answer_to(&mut self, op_id: u32) -> Result<Option<Answer>> {
        let until = Instant::now() + ATTEMPT;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.answer(left)? {
                Some(answer) if answer.response.op_id == op_id => return Ok(Some(answer)),
                Some(_) if !left.is_zero() => {}
                _ => return Ok(None),
            }
        }
    }
    /// What a request that must be served gave.
    pub fn must(&mut self, opcode: Opcode, pid: u32, va: u64, length: u16, payload: &[u8]) -> Result<Answer> {
        let answer = self.ask(opcode, pid, va, length, payload)?;
        ensure!(answer.is_ok(), "{} was answered {}", opcode.name(), answer.words());
        Ok(answer)
    }
    pub fn try_open(&mut self, lease_ns: u64) -> Result<(Answer, Option<OpenAnswer>)> {
        let payload = OpenRequest { lease_ns, ..OpenRequest::default() }.to_bytes();
        let answer = self.ask(Opcode::Open, 0, 0, 0, &payload)?;
        let opened = answer.is_ok().then(|| OpenAnswer::parse(&answer.payload)).transpose()?;
        Ok((answer, opened))
    }
    /// A process without a lease.
    pub fn open(&mut self) -> Result<u32> {
        let (answer, opened) = self.try_open(0)?;
        opened.map(|opened| opened.pid).with_context(|| format!("OPEN was answered {}", answer.words()))
    }
    /// So many pages, or why not.
    pub fn try_alloc(&mut self, pid: u32, pages: u64, rights: Rights) -> Result<(Answer, Option<u64>)> {
        let payload = Alloc::request(pages * self.page_size(), rights).to_bytes();
        let answer = self.ask(Opcode::Alloc, pid, 0, 0, &payload)?;
        let va =
            answer.is_ok().then(|| Alloc::parse_answer(&answer.payload)).transpose()?.map(|given| given.va);
        Ok((answer, va))
    }
    pub fn alloc(&mut self, pid: u32, pages: u64) -> Result<u64> {
        let (answer, va) = self.try_alloc(pid, pages, Rights::READ_WRITE)?;
        va.with_context(|| format!("ALLOC of {pages} pages was answered {}", answer.words()))
    }
    pub fn free(&mut self, pid: u32, va: u64) -> Result<Answer> {
        self.ask(Opcode::Free, pid, va, 0, &RangeRights::default().to_bytes())
    }
    pub fn exit(&mut self, pid: u32) -> Result<Answer> {
        self.ask(Opcode::Exit, pid, 0, 0, &[])
    }
    pub fn counters(&mut self, first: u32, count: u32) -> Result<Vec<u64>> {
        let request = CountersRequest { first, count };
        let mut payload = vec![0; request.payload_len()];
        request.emit(&[], &mut payload);
        let answer = self.must(Opcode::Counters, 0, 0, 0, &payload)?;
        Ok(request.parse_answer(&answer.payload)?.collect())
    }
    pub fn node_counter(&mut self, counter: NodeCounter) -> Result<u64> {
        Ok(self.counters(counter.number(), 1)?.first().copied().unwrap_or_default())
    }
}

/// A request's bytes.
pub fn bytes(request: &Request, payload: &[u8]) -> Vec<u8> {
    let mut all = Vec::with_capacity(HEADER_LEN + payload.len());
    all.extend_from_slice(&request.to_bytes());
    all.extend_from_slice(payload);
    all
}
