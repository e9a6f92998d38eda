//! What perftest (4.5) asks a server for: a handshake over TCP, memory for WRITEs, READs and atomics, and buffers for SENDs. The
//! memory is that of a process of the board, which whoever runs the board has opened.
//!
//! The client says one thing at a time and waits for as many bytes:
//!
//! | what | bytes | answered by |
//! |---|---|---|
//! | version, filled with zeros | 16 | the same |
//! | bytes of its buffer, of its cache's lines | 4, 4 | the same |
//! | path MTU, 1 to 5, as a digit, and a zero | 2 | the same |
//! | keys `LID:READS:QPN:PSN:RKEY:ADDRESS:GID:SRQ:`, hexadecimal, a zero behind; as often as it likes | 108 | our keys |
//! | its report, which begins with bytes of zeros; once | 8, five times | the same |
//! | `done` and a zero | 5 | the end |
//!
//! It does not say which program it is. A board of RTL has queue pairs that take SENDs in software, and all others in
//! its hardware: there `ib_send_bw` calls at a port of its own, and is told a path MTU of software's.
//!
//! Programs that wait for operations of the server show by what they do: all of them say keys four times before a packet.
//! Then `-b` reports, what `ib_send_bw` does not; `ib_write_lat`, whose first WRITE is the server's, sends nothing; and
//! `ib_send_lat` sends one message.
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use mneme_model::SoftFast;
use mneme_rdma::codec::{PathMtu, Psn};
use mneme_rdma::memory::Memory;
use mneme_rdma::responder::{Received, Responder};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;

use super::memory::BoardMemory;

mod lent;
mod place;
mod why;
mod words;
pub use lent::Lent;
use lent::Words;
pub(super) use place::{Hardware, Soft};
use place::{Place, TestPair};
pub(super) use why::Counted;
use why::Why;
use words::{KEYS, Keys, NUMBERS, Next};

/// The port that `mneme board --perftest` takes: perftest's own is that of ping-pongs.
pub const PERFTEST_PORT: u16 = 18_516;
/// The port for programs that SEND.
pub const PERFTEST_SENDS_PORT: u16 = 18_517;
/// Bytes that a test reads and writes.
const BYTES: u64 = 2 << 20;
/// Tests, with those that shake hands, at most.
const MOST: usize = 4;
/// Bytes of a process that tests use.
pub const TEST_BYTES: u64 = BYTES * MOST as u64;
/// Bytes that are written at a time where a test begins.
const PIECE: usize = 4096;
/// Buffers for messages, and their bytes.
const BUFFERS: u64 = 16;
const MESSAGE: usize = 1 << 20;
/// Messages of a client, or parts of one, that one look takes: the others wait for the next, so that nobody else waits for a client.
const MESSAGES: usize = 16;
/// Connections that are refused in one look when all places are taken.
const REFUSED: usize = 16;
/// How long a client may take from one message to the next before its test begins, and while nothing comes of the test: what boards take.
pub const PERFTEST_PATIENCE: Duration = Duration::from_secs(10);
/// Nanoseconds between two lines of the log about refused clients.
const PAUSE: u64 = 100_000_000;
/// Keys that a program has said before its first packet, when the server is to do something, too.
const EARLY: u8 = 4;
/// Queue pairs' numbers: 12 bits that nobody can guess, behind those of ping-pongs.
const QPN: u32 = 0x3000;
const QPN_BITS: u32 = 12;

/// The word of 8 bytes, little-endian, that a test's memory begins with at this place, in words: each is another one, so that what READs bring
/// can be told from what lies elsewhere.
pub const fn test_word(number: u64) -> u64 {
    (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Memory of a process that was opened for tests: [`TEST_BYTES`] that may be read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestMemory {
    /// The process.
    pub pid: u32,
    /// What shows that it is there.
    pub token: [u8; 16],
    /// Where the bytes begin, a multiple of 8.
    pub va: u64,
}

/// What a service for perftest is.
#[derive(Debug, Clone)]
pub struct PerftestSettings {
    /// The TCP port.
    pub port: u16,
    /// The one for programs that SEND. A software board serves all at both.
    pub sends: u16,
    /// What tests read and write, once it is there: a process can be opened when the board serves. Until then clients wait.
    pub memory: Arc<Lent>,
    /// As [`PERFTEST_PATIENCE`].
    pub patience: Duration,
}

/// A client.
#[derive(Debug)]
struct Test {
    stream: TcpStream,
    peer: IpAddr,
    /// It came to the port for SENDs.
    sends: bool,
    next: Next,
    input: [u8; KEYS],
    filled: usize,
    mtu: PathMtu,
    /// The client's keys, and ours.
    keys: Option<(Keys, Keys)>,
    /// Its part of the memory.
    place: u64,
    /// When it last said something, or something came of its test, up to a number of a packet.
    heard: u64,
    expected: Psn,
    /// Keys that came before the first packet.
    early: u8,
    has_reported: bool,
}

/// How a test goes on.
enum Step {
    Wait,
    Over,
    Refused(Why),
}

/// The service.
#[derive(Debug)]
pub(super) struct Perftest {
    listener: TcpListener,
    sends: TcpListener,
    own: Ipv4Addr,
    /// Nanoseconds.
    patience: u64,
    memory: Arc<Lent>,
    tests: Vec<Test>,
    rng: ChaCha12Rng,
    /// When the next line of the log may be written, and how many were left out.
    log: (u64, u64),
    pub counted: Counted,
}

impl Perftest {
    /// Listens at two ports of the board's address.
    pub fn listen(
        own: Ipv4Addr,
        settings: &PerftestSettings,
        mut seed: [u8; 32],
    ) -> std::io::Result<Perftest> {
        let listen = |port| {
            let listener = TcpListener::bind(SocketAddr::from((own, port)))?;
            listener.set_nonblocking(true).map(|()| listener)
        };
        let (listener, sends) = (listen(settings.port)?, listen(settings.sends)?);
        seed.iter_mut().for_each(|byte| *byte ^= 0x74);
        Ok(Perftest {
            listener,
            sends,
            own,
            patience: u64::try_from(settings.patience.as_nanos()).unwrap_or(u64::MAX),
            memory: settings.memory.clone(),
            tests: Vec::new(),
            rng: ChaCha12Rng::from_seed(seed),
            log: (0, 0),
            counted: Counted::default(),
        })
    }

    /// Goes on with all tests, and ends those that are over.
    pub fn watch(&mut self, board: &mut impl Place) {
        let Some(memory) = self.memory.get() else { return };
        let now = board.now();
        let is_there = board.has(&memory);
        self.accept(now);
        for mut test in std::mem::take(&mut self.tests) {
            let step = match is_there {
                true => self.go_on(board, &mut test, &memory),
                false => Step::Refused(Why::Memory),
            };
            let why = match step {
                Step::Wait if now.saturating_sub(test.heard) < self.patience => {
                    self.tests.push(test);
                    continue;
                }
                Step::Wait => Some(test.silent()),
                Step::Refused(why) => Some(why),
                Step::Over => None,
            };
            if let Some(why) = why {
                self.refuse(now, test.peer, why);
            }
            if let Some((_, own)) = &test.keys {
                board.end(own.qpn, own.rkey);
            }
        }
    }

    /// Takes clients that call, and refuses those that have no place.
    fn accept(&mut self, now: u64) {
        for sends in [false, true] {
            for _ in 0..MOST + REFUSED {
                let listener = if sends { &self.sends } else { &self.listener };
                let Ok((stream, peer)) = listener.accept() else { break };
                self.begin(now, stream, peer.ip(), sends);
            }
        }
    }
    fn begin(&mut self, now: u64, stream: TcpStream, peer: IpAddr, sends: bool) {
        let mut places = (0..TEST_BYTES).step_by(BYTES as usize);
        let free = places.find(|place| self.tests.iter().all(|own| own.place != *place));
        // A stream that cannot be made so would stop the board.
        let (Some(place), Ok(())) = (free, stream.set_nonblocking(true)) else {
            return self.refuse(now, peer, Why::Full);
        };
        self.tests.push(Test {
            stream,
            peer,
            sends,
            next: Next::Version,
            input: [0; KEYS],
            filled: 0,
            mtu: PathMtu::MAX,
            keys: None,
            place,
            heard: now,
            expected: Psn::default(),
            early: 0,
            has_reported: false,
        });
    }

    /// Counts and tells why a client has no test. Clients can cause such lines: some are left out.
    fn refuse(&mut self, now: u64, peer: IpAddr, why: Why) {
        self.counted[why.place()] += 1;
        if now < self.log.0 {
            self.log.1 += 1;
            return;
        }
        let left_out = self.log.1;
        self.log = (now.saturating_add(PAUSE), 0);
        tracing::warn!(%peer, left_out, "perftest: {}; {}", why.name(), why.advice());
    }

    fn go_on(&mut self, board: &mut impl Place, test: &mut Test, memory: &TestMemory) -> Step {
        if let Some((_, own)) = &test.keys
            && let Some((expected, over)) = board.progress(own.qpn)
        {
            if over {
                return Step::Refused(Why::Failed);
            }
            if expected != test.expected {
                (test.expected, test.heard) = (expected, board.now());
            }
        }
        for _ in 0..MESSAGES {
            let wanted = test.next.bytes();
            if test.filled < wanted {
                match test.stream.read(&mut test.input[test.filled..wanted]) {
                    Ok(0) => return Step::Refused(Why::HungUp),
                    Ok(read) => (test.filled, test.heard) = (test.filled + read, board.now()),
                    Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                        return Step::Wait;
                    }
                    Err(_) => return Step::Refused(Why::HungUp),
                }
            }
            if test.filled < wanted {
                continue;
            }
            let said = match test.next {
                Next::Keys => match self.memory.words(test.place) {
                    Words::Written => self.exchange_keys(board, test, memory),
                    Words::None | Words::Wanted => {
                        // It is not the client who is late.
                        test.heard = board.now();
                        return Step::Wait;
                    }
                    Words::Failed => Err(Why::Memory),
                },
                _ => test.said(board.mtu(test.sends)),
            };
            match said {
                Ok(Next::Done) if test.next == Next::Done => return Step::Over,
                Ok(next) => {
                    if test.next == Next::Mtu {
                        self.memory.want(test.place);
                    }
                    // Of a message whose kind its first byte told, that byte is there.
                    test.filled = usize::from(test.next == Next::Any);
                    test.next = next;
                }
                Err(why) => return Step::Refused(why),
            }
        }
        Step::Wait
    }

    fn exchange_keys(
        &mut self,
        board: &mut impl Place,
        test: &mut Test,
        memory: &TestMemory,
    ) -> Result<Next, Why> {
        let keys = Keys::parse(&test.input).ok_or(Why::Nonsense)?;
        if test.peer != IpAddr::V4(keys.address) {
            return Err(Why::Address);
        }
        let own = match test.keys {
            Some((first, own)) if first == keys => own,
            Some(_) => return Err(Why::Second),
            None => {
                let own = self.make(board, test, &keys, memory).ok_or(Why::Memory)?;
                (test.keys, test.expected) = (Some((keys, own)), keys.psn);
                own
            }
        };
        if test.has_begun() == Some(false) {
            test.early = test.early.saturating_add(1);
        }
        test.say(own.message().as_bytes())?;
        Ok(Next::Any)
    }

    /// A region and a queue pair for a test, whose memory is as it begins.
    fn make(
        &mut self,
        board: &mut impl Place,
        test: &Test,
        peer: &Keys,
        memory: &TestMemory,
    ) -> Option<Keys> {
        let (pid, va) = (memory.pid, memory.va + test.place);
        let Keys { qpn: peer_qpn, psn, address, .. } = *peer;
        let (mtu, sends, own_psn) = (test.mtu, test.sends, Psn::from_low_bits(self.rng.random()));
        let pair = TestPair { peer: address, peer_qpn, psn, mtu, pid, va, sends, own_psn };
        let (qpn, rkey) = board.make(&pair, &mut self.rng)?;
        self.counted[0] += 1;
        Some(Keys { qpn, psn: own_psn, rkey, va, address: self.own })
    }

    /// Takes a message, if it is one of a test, whose process, address and bytes `write` is told; its buffer is for the next one. Gives
    /// back what is not.
    pub fn take(
        &mut self,
        received: Received,
        responder: &mut Responder,
        write: impl FnOnce(u32, u64, &[u8]),
    ) -> Option<Received> {
        let is_its = |test: &&mut Test| test.keys.is_some_and(|(_, own)| own.qpn == received.qpn);
        let Some(test) = self.tests.iter_mut().find(is_its) else { return Some(received) };
        let (Some((_, own)), Some(memory)) = (test.keys, self.memory.get()) else { return Some(received) };
        if !received.by_write {
            self.counted[1] += 1;
            write(memory.pid, own.va, &received.buffer[..received.length]);
        }
        let _posted = responder.post_receive(received.qpn, received.id, received.buffer);
        None
    }
}

/// Puts a message where its test's memory begins, on a software board.
pub(super) fn put(fast: &mut SoftFast, pid: u32, va: u64, message: &[u8]) {
    let mut pages = BoardMemory { fast, statistics: &[] };
    for (piece, at) in message.chunks(PIECE).zip((va..).step_by(PIECE)) {
        // Its pages are there since the test began: what fails now is the end of the process, which the next look sees.
        let _written = pages.write(pid, at, piece);
    }
}

impl Drop for Perftest {
    fn drop(&mut self) {
        self.memory.close();
    }
}

impl Test {
    /// Whether a packet has come; nothing before there are keys.
    fn has_begun(&self) -> Option<bool> {
        self.keys.map(|(client, _)| self.expected != client.psn)
    }
    /// Why it is silent.
    fn silent(&self) -> Why {
        if self.early >= EARLY { Why::Waits } else { Why::Silent }
    }
    /// A client that waits for so little has room for it.
    fn say(&mut self, message: &[u8]) -> Result<(), Why> {
        let written = self.stream.write(message).map_err(|_| Why::HungUp)?;
        if written == message.len() { Ok(()) } else { Err(Why::HungUp) }
    }

    /// Answers a whole message that is no keys, the path MTU by `most` where the client's is larger. What comes next, or why not.
    fn said(&mut self, most: PathMtu) -> Result<Next, Why> {
        let message = &mut self.input[..self.filled];
        let next = match self.next {
            // Behind the digits is a zero, as everything of C.
            Next::Version if message[0].is_ascii_digit() && message[15] == 0 => Next::CycleBuffer,
            Next::CycleBuffer => Next::CacheLine,
            Next::CacheLine => Next::Mtu,
            Next::Mtu => {
                let code = message[0].checked_sub(b'0').filter(|_| message[1] == 0);
                let mtu = code.and_then(PathMtu::from_code).ok_or(Why::Nonsense)?;
                // Both sides take the smaller one.
                self.mtu = mtu.min(most);
                message[0] = b'0' + self.mtu.code();
                Next::Keys
            }
            Next::Any => {
                return match message[0] {
                    b'0' => Ok(Next::Keys),
                    b'd' => Ok(Next::Done),
                    0 if self.early >= EARLY => Err(Why::BothWays),
                    0 if !std::mem::replace(&mut self.has_reported, true) => Ok(Next::Report(NUMBERS)),
                    _ => Err(Why::Nonsense),
                };
            }
            Next::Report(left) if left > 1 => Next::Report(left - 1),
            Next::Report(_) => Next::Any,
            Next::Done if *message == *b"done\0" => return Ok(Next::Done),
            Next::Version | Next::Keys | Next::Done => return Err(Why::Nonsense),
        };
        let (said, bytes) = (self.input, self.filled);
        self.say(&said[..bytes])?;
        Ok(next)
    }
}
