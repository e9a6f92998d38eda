//! What perftest (4.5) asks a server for: a handshake over TCP, memory for WRITEs, READs and atomics, and buffers for SENDs. The
//! memory is that of a process of the board, which is opened for tests.
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
//! its hardware: there `ib_send_bw` calls at a port of its own, and is told a path MTU of software's. `ib_send_lat` has a
//! port of its own on every board: each of its messages is answered by one as long.
//!
//! Programs that wait for operations of the server show by what they do: all of them say keys four times before a packet.
//! Then `-b` reports, what `ib_send_bw` does not; `ib_write_lat`, whose first WRITE is the server's, sends nothing; and
//! `ib_send_lat` at another's port sends one message.
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use mneme_rdma::codec::Psn;
use mneme_rdma::requester::{Operation, Work};
use mneme_rdma::responder::Received;
use mneme_rdma::udp::Ends;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;

use crate::callers::{Gids, Heard, Listens, Told, hear, may_have};

mod place;
mod talk;
mod why;
mod words;
pub use place::{Ground, Kind, NotMade, TestGround, TestPair, TestPlace, give_buffers};
pub use talk::{Talk, Turn};
pub use why::{Counted, Why};
pub use words::Keys;

/// The port that a board takes unless told: perftest's own is that of ping-pongs.
pub const PERFTEST_PORT: u16 = 18_516;
/// The port for programs that SEND.
pub const PERFTEST_SENDS_PORT: u16 = 18_517;
/// And the one for those that want each message answered.
pub const PERFTEST_SEND_LAT_PORT: u16 = 18_518;
/// Bytes that a test reads and writes.
pub const BYTES: u64 = 2 << 20;
/// Tests, with those that shake hands, at most: half of them one caller's.
pub const MOST: usize = 4;
/// Bytes of memory that all tests use.
pub const TEST_BYTES: u64 = BYTES * MOST as u64;
/// Buffers for messages of a test.
pub const BUFFERS: u64 = 16;
/// And their bytes.
pub const MESSAGE: usize = 1 << 20;
/// Messages of a client, or parts of one, that one look takes: the others wait for the next, so that nobody else waits for a client.
const MESSAGES: usize = 16;
/// How long a client may take from one message to the next before its test begins, and while nothing comes of the test: what boards take.
pub const PERFTEST_PATIENCE: Duration = Duration::from_secs(10);

/// Where the service listens.
#[derive(Debug, Clone, Copy)]
pub struct Sockets {
    /// For programs that do not SEND.
    pub at: SocketAddr,
    /// For `ib_send_bw`.
    pub sends: SocketAddr,
    /// For `ib_send_lat`.
    pub send_lat: SocketAddr,
    /// Whose GID a client may name.
    pub gids: Gids,
    /// As [`PERFTEST_PATIENCE`].
    pub patience: Duration,
}

/// A client.
#[derive(Debug)]
struct Test {
    stream: TcpStream,
    caller: IpAddr,
    /// By the port to which it came.
    kind: Kind,
    talk: Talk,
    place: usize,
    /// Its memory was asked for.
    wanted: bool,
    /// The process and where its memory begins, of a test that has a queue pair.
    memory: (u32, u64),
    /// When it last said something, or something came of its test, up to a number of a packet.
    heard: u64,
    expected: Psn,
}

/// How a test goes on.
enum Step {
    Wait,
    Over,
    Refused(Why),
}

/// What became of a message.
#[derive(Debug)]
pub enum Taken {
    /// It is of no test.
    No(Received),
    /// It was one of a test.
    Kept,
    /// And its answer is to be sent.
    Answered,
}

/// The service.
#[derive(Debug)]
pub struct Perftest {
    listeners: [(Kind, Listens); 3],
    own: Ipv4Addr,
    gids: Gids,
    /// Nanoseconds.
    patience: u64,
    tests: Vec<Test>,
    rng: ChaCha12Rng,
    told: Told,
    /// What was counted.
    pub counted: Counted,
}

impl Perftest {
    /// Listens at its ports, for a board whose RDMA port has the address `own`.
    ///
    /// # Errors
    /// Where one cannot be had.
    pub fn listen(sockets: &Sockets, own: Ipv4Addr, mut seed: [u8; 32]) -> std::io::Result<Perftest> {
        seed.iter_mut().for_each(|byte| *byte ^= 0x74);
        Ok(Perftest {
            listeners: [
                (Kind::Others, Listens::at(sockets.at)?),
                (Kind::SendBw, Listens::at(sockets.sends)?),
                (Kind::SendLat, Listens::at(sockets.send_lat)?),
            ],
            own,
            gids: sockets.gids,
            patience: u64::try_from(sockets.patience.as_nanos()).unwrap_or(u64::MAX),
            tests: Vec::new(),
            rng: ChaCha12Rng::from_seed(seed),
            told: Told::default(),
            counted: Counted::default(),
        })
    }

    /// Goes on with all tests, and ends those that are over.
    pub fn watch(&mut self, now: u64, board: &mut impl TestPlace) {
        if !board.grounds().ready() {
            return;
        }
        self.accept(now);
        for mut test in std::mem::take(&mut self.tests) {
            let why = match self.go_on(now, board, &mut test) {
                Step::Wait if now.saturating_sub(test.heard) < self.patience => {
                    self.tests.push(test);
                    continue;
                }
                Step::Wait => Some(test.talk.silent()),
                Step::Refused(why) => Some(why),
                Step::Over => None,
            };
            if let Some(why) = why {
                self.refuse(now, test.caller, why);
            }
            if let Some((_, own)) = test.talk.keys() {
                board.end(own.qpn, own.rkey);
            }
            if test.wanted {
                board.grounds().release(test.place);
            }
        }
    }
    /// Tests that there are.
    pub fn busy(&self) -> usize {
        self.tests.len()
    }

    /// Takes clients that call, and refuses those that have no place.
    fn accept(&mut self, now: u64) {
        let mut refused = Vec::new();
        let tests = &mut self.tests;
        for (kind, listener) in &self.listeners {
            listener.take(|stream, caller| {
                let own = tests.iter().filter(|test| test.caller == caller).count();
                let free = (0..MOST).find(|place| tests.iter().all(|test| test.place != *place));
                let Some(place) = free.filter(|_| may_have(own, MOST - tests.len())) else {
                    refused.push((caller, if free.is_none() { Why::Full } else { Why::Share }));
                    return false;
                };
                tests.push(Test {
                    stream,
                    caller,
                    kind: *kind,
                    talk: Talk::default(),
                    place,
                    wanted: false,
                    memory: (0, 0),
                    heard: now,
                    expected: Psn::default(),
                });
                true
            });
        }
        for (caller, why) in refused {
            self.refuse(now, caller, why);
        }
    }
    /// Counts and tells why a client has no test.
    fn refuse(&mut self, now: u64, caller: IpAddr, why: Why) {
        self.counted[why.place()] += 1;
        self.told.line(now, "perftest", caller, why.name(), why.advice());
    }

    fn go_on(&mut self, now: u64, board: &mut impl TestPlace, test: &mut Test) -> Step {
        if board.grounds().ground(test.place) == Ground::Gone {
            return Step::Refused(Why::Memory);
        }
        if let Some((_, own)) = test.talk.keys()
            && let Some((expected, over)) = board.progress(own.qpn)
        {
            if over {
                return Step::Refused(Why::Failed);
            }
            if expected != test.expected {
                (test.expected, test.heard) = (expected, now);
            }
        }
        for _ in 0..MESSAGES {
            let said = match test.talk.turn(board.mtu(test.kind)) {
                Ok(Turn::More) => match hear(&mut test.stream, test.talk.room()) {
                    Heard::Nothing => return Step::Wait,
                    Heard::End => return Step::Refused(Why::HungUp),
                    // A part of a message is no sign of life: who says a byte now and then would stay for long.
                    Heard::Bytes(read) => {
                        test.talk.came(read);
                        continue;
                    }
                },
                Ok(Turn::Say(message)) => test.say(&message).map(|()| true),
                Ok(Turn::Keys(keys)) => self.exchange_keys(board, test, &keys),
                Ok(Turn::Over) => return Step::Over,
                Err(why) => Err(why),
            };
            // Where a client waits for the board it is not the client who is late: the board bounds how long that takes.
            test.heard = now;
            match said {
                Ok(true) => {}
                Ok(false) => return Step::Wait,
                Err(why) => return Step::Refused(why),
            }
            if test.talk.has_greeted() && !test.wanted {
                test.wanted = true;
                board.grounds().want(test.place);
            }
        }
        Step::Wait
    }

    /// Answers a client's keys. False: not yet.
    fn exchange_keys(
        &mut self,
        board: &mut impl TestPlace,
        test: &mut Test,
        keys: &Keys,
    ) -> Result<bool, Why> {
        if !self.gids.allow(test.caller, keys.address, self.own) {
            return Err(Why::Address);
        }
        let own = match test.talk.keys() {
            Some((_, own)) => *own,
            None => {
                let Some(own) = self.make(board, test, keys)? else { return Ok(false) };
                test.expected = keys.psn;
                own
            }
        };
        let begun = test.expected != keys.psn;
        let answer = test.talk.grant(*keys, own, begun);
        test.say(answer.as_bytes()).map(|()| true)
    }

    /// A region and a queue pair for a test, whose memory is as it begins; `None`: not yet.
    fn make(
        &mut self,
        board: &mut impl TestPlace,
        test: &mut Test,
        peer: &Keys,
    ) -> Result<Option<Keys>, Why> {
        let (pid, va) = match board.grounds().ground(test.place) {
            Ground::Ready { pid, va } => (pid, va),
            Ground::Wait => return Ok(None),
            Ground::Gone => return Err(Why::Memory),
        };
        let Keys { qpn: peer_qpn, psn, address, .. } = *peer;
        let (mtu, kind, own_psn) = (test.talk.mtu(), test.kind, Psn::from_low_bits(self.rng.random()));
        let pair = TestPair { peer: address, peer_qpn, psn, mtu, pid, va, kind, own_psn };
        let (qpn, rkey) = match board.make(&pair, &mut self.rng) {
            Ok(made) => made,
            Err(NotMade::Wait) => return Ok(None),
            Err(NotMade::Full) => return Err(Why::Memory),
            Err(NotMade::Way) => return Err(Why::Way),
        };
        test.memory = (pid, va);
        self.counted[0] += 1;
        Ok(Some(Keys { qpn, psn: own_psn, rkey, va, address: self.own }))
    }

    /// Takes a message, if it is one of a test, whose process, address and bytes `write` is told. Its buffer is for the next one, or for
    /// its answer.
    pub fn take(
        &mut self,
        received: Received,
        ends: &mut Ends,
        write: impl FnOnce(u32, u64, &[u8]),
    ) -> Taken {
        let is_its = |test: &&mut Test| test.talk.keys().is_some_and(|(_, own)| own.qpn == received.qpn);
        let Some(test) = self.tests.iter_mut().find(is_its) else { return Taken::No(received) };
        let Received { qpn, id, buffer, length, by_write, .. } = received;
        if !by_write {
            self.counted[1] += 1;
            let (pid, va) = test.memory;
            write(pid, va, &buffer[..length]);
            if test.kind == Kind::SendLat {
                let mut data = buffer.into_vec();
                data.truncate(length);
                let work = Work::new(id, Operation::Send { data, immediate: None });
                // There is room for as many as there are buffers; of a requester that has ended the client hears nothing, and hangs up.
                let _posted = ends.requester(qpn).map(|requester| requester.post(work));
                return Taken::Answered;
            }
        }
        let _posted = ends.responder.post_receive(qpn, id, buffer);
        Taken::Kept
    }
    /// Gives the buffers of answers that have gone to the next messages.
    pub fn refill(&mut self, ends: &mut Ends) {
        for test in self.tests.iter().filter(|test| test.kind == Kind::SendLat) {
            let Some((_, own)) = test.talk.keys() else { continue };
            while let Some(done) = ends.requester(own.qpn).and_then(|requester| requester.poll_completion()) {
                let mut data = done.buffer.unwrap_or_default();
                data.resize(MESSAGE, 0);
                let _posted = ends.responder.post_receive(own.qpn, done.id, data.into_boxed_slice());
            }
        }
    }
}

impl Test {
    /// A client that waits for so little has room for it.
    fn say(&mut self, message: &[u8]) -> Result<(), Why> {
        let written = self.stream.write(message).map_err(|_| Why::HungUp)?;
        if written == message.len() { Ok(()) } else { Err(Why::HungUp) }
    }
}

#[cfg(test)]
mod tests;
