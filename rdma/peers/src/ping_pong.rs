//! What `ibv_rc_pingpong` of rdma-core asks a server for: a handshake over TCP, and then every message comes back. No memory of the board
//! is behind these queue pairs: READ, WRITE and atomics find no region.
//!
//! Each side says its [`Side`]; the client answers `done`, and hangs up. Nobody says when a ping-pong has ended: silence does.
use std::collections::BTreeMap;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};

use mneme_rdma::codec::{PathMtu, Psn};
use mneme_rdma::requester::{Operation, RequesterConfig, Work};
use mneme_rdma::responder::{QueuePairConfig, Received};
use mneme_rdma::udp::{Connection, Ends};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;

use crate::callers::{Gids, Heard, Listens, Told, hear, may_have};
use crate::perftest::NotMade;
use crate::side::{Side, WORD};

/// The port that `ibv_rc_pingpong` takes unless told.
pub const PING_PONG_PORT: u16 = 18_515;
/// Bytes of payload of a packet: what `ibv_rc_pingpong` takes unless told.
pub const PATH_MTU: PathMtu = match PathMtu::new(1024) {
    Some(bytes) => bytes,
    None => PathMtu::MAX,
};
/// Bytes of a message at most.
const MESSAGE: usize = 1 << 20;
/// Messages of a queue pair that may wait for their way back.
const BUFFERS: u64 = 4;
/// Queue pairs at most: half of them one address's.
const PAIRS: usize = 16;
/// Handshakes under way at most: half of them one caller's.
const HANDSHAKES: usize = 8;
/// Nanoseconds that a handshake may take.
const PATIENCE: u64 = 5_000_000_000;
/// Nanoseconds after which a queue pair ends that nothing has come for: nobody says that it has done.
const IDLE: u64 = 10_000_000_000;
/// Nanoseconds of silence after which one gives way to another that has no place.
const SILENT: u64 = 2_000_000_000;

/// Why a caller has no ping-pong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    Full,
    Share,
    Nonsense,
    Address,
    Way,
    HungUp,
    Silent,
}

impl Why {
    /// The counter's name, behind *ping-pongs refused*.
    const fn name(self) -> &'static str {
        match self {
            Why::Full => "for want of a place",
            Why::Share => "for the share of their address",
            Why::Nonsense => "for nonsense",
            Why::Address => "for the address of another",
            Why::Way => "for want of a way to the client",
            Why::HungUp => "as the client hung up",
            Why::Silent => "after silence",
        }
    }
    /// What whoever looks at the log can do about it.
    const fn advice(self) -> &'static str {
        match self {
            Why::Full => "all places are taken: try again when one has ended",
            Why::Share => "an address has as many places as are free: try again when one has ended",
            Why::Nonsense => "ibv_rc_pingpong over IPv4 is served: take -g with the GID of RoCEv2, IPv4",
            Why::Address => {
                "the GID must be that of the client's own RDMA port: take -g with the GID of RoCEv2, IPv4"
            }
            Why::Way => "nobody answers ARP for the client's GID: its port must be on the board's Ethernet",
            Why::HungUp => "the client says why",
            Why::Silent => "a handshake takes 5 s at most",
        }
    }
}

/// Somebody who shakes hands.
#[derive(Debug)]
struct Handshake {
    stream: TcpStream,
    caller: IpAddr,
    word: [u8; WORD],
    filled: usize,
    /// The queue pair that was made for him.
    made: Option<u32>,
    since: u64,
}

/// How a handshake goes on.
enum Step {
    Wait,
    Done,
    Refused(Why),
}

/// Where ping-pongs have their queue pairs, whose ends are software's on every board.
pub trait PingPongPlace {
    /// Both ends of them.
    fn ends(&mut self) -> &mut Ends;
    /// Makes one for a peer, under a number that it chooses: the number.
    ///
    /// # Errors
    /// [`NotMade`]: not now, or not at all.
    fn make_both(
        &mut self,
        rng: &mut ChaCha12Rng,
        peer: Ipv4Addr,
        of: impl FnOnce(u32) -> Connection,
    ) -> Result<u32, NotMade>;
    /// Ends one.
    fn end_both(&mut self, qpn: u32);
}

/// A queue pair.
#[derive(Debug, Clone, Copy)]
struct Pair {
    peer: Ipv4Addr,
    /// When something last came.
    heard: u64,
}

/// The service.
#[derive(Debug)]
pub struct PingPong {
    listener: Listens,
    own: Ipv4Addr,
    gids: Gids,
    handshakes: Vec<Handshake>,
    pairs: BTreeMap<u32, Pair>,
    rng: ChaCha12Rng,
    told: Told,
    refused: BTreeMap<&'static str, u64>,
    /// Queue pairs made, handshakes refused, messages sent back.
    pub counted: [u64; 3],
}

impl PingPong {
    /// Listens at an address, for a board whose RDMA port has the address `own`.
    ///
    /// # Errors
    /// Where the address cannot be had.
    pub fn listen(
        at: SocketAddr,
        own: Ipv4Addr,
        gids: Gids,
        mut seed: [u8; 32],
    ) -> std::io::Result<PingPong> {
        seed.iter_mut().for_each(|byte| *byte ^= 0x70);
        Ok(PingPong {
            listener: Listens::at(at)?,
            own,
            gids,
            handshakes: Vec::new(),
            pairs: BTreeMap::new(),
            rng: ChaCha12Rng::from_seed(seed),
            told: Told::default(),
            refused: BTreeMap::new(),
            counted: [0; 3],
        })
    }

    /// Goes on with handshakes, and ends queue pairs that are over.
    pub fn watch(&mut self, now: u64, board: &mut impl PingPongPlace) {
        self.accept(now);
        for mut handshake in std::mem::take(&mut self.handshakes) {
            let why = match self.go_on(now, board, &mut handshake) {
                Step::Wait if now.saturating_sub(handshake.since) < PATIENCE => {
                    self.handshakes.push(handshake);
                    continue;
                }
                Step::Done => continue,
                Step::Wait => Why::Silent,
                Step::Refused(why) => why,
            };
            self.refuse(now, handshake.caller, why);
            if let Some(qpn) = handshake.made {
                self.end(qpn, board);
            }
        }
        let ends = board.ends();
        let over = |(qpn, pair): (&u32, &Pair)| {
            let asks = ends.requester(*qpn).is_none_or(|requester| requester.has_ended());
            let answers = ends.responder.in_error(*qpn) != Some(false);
            (asks || answers || now.saturating_sub(pair.heard) >= IDLE).then_some(*qpn)
        };
        for qpn in self.pairs.iter().filter_map(over).collect::<Vec<_>>() {
            self.end(qpn, board);
        }
    }

    fn accept(&mut self, now: u64) {
        let mut refused = Vec::new();
        let handshakes = &mut self.handshakes;
        self.listener.take(|stream, caller| {
            let own = handshakes.iter().filter(|other| other.caller == caller).count();
            let free = HANDSHAKES.saturating_sub(handshakes.len());
            if !may_have(own, free) {
                refused.push((caller, if free == 0 { Why::Full } else { Why::Share }));
                return false;
            }
            let word = [0; WORD];
            handshakes.push(Handshake { stream, caller, word, filled: 0, made: None, since: now });
            true
        });
        for (caller, why) in refused {
            self.refuse(now, caller, why);
        }
    }
    /// Counts and tells why a caller has no ping-pong.
    fn refuse(&mut self, now: u64, caller: IpAddr, why: Why) {
        self.counted[1] += 1;
        *self.refused.entry(why.name()).or_default() += 1;
        self.told.line(now, "ping-pong refused", caller, why.name(), why.advice());
    }

    fn go_on(&mut self, now: u64, board: &mut impl PingPongPlace, of: &mut Handshake) -> Step {
        // Behind the word comes `done`: any byte of it, and the end of the stream as well.
        let mut rest = [0; 8];
        let room = if of.filled < WORD { &mut of.word[of.filled..] } else { &mut rest[..] };
        match hear(&mut of.stream, room) {
            Heard::Nothing => {}
            Heard::Bytes(_) | Heard::End if of.made.is_some() => return Step::Done,
            // The end of the stream before it was answered; or more than the word.
            Heard::End => return Step::Refused(Why::HungUp),
            Heard::Bytes(_) if of.filled == WORD => return Step::Refused(Why::Nonsense),
            Heard::Bytes(read) => of.filled += read,
        }
        if of.filled < WORD || of.made.is_some() {
            return Step::Wait;
        }
        let Some(side) = Side::parse(&of.word) else { return Step::Refused(Why::Nonsense) };
        if !self.gids.allow(of.caller, side.address, self.own) {
            return Step::Refused(Why::Address);
        }
        let own = match self.make(now, board, &side) {
            Ok(Some(own)) => own,
            Ok(None) => return Step::Wait,
            Err(why) => return Step::Refused(why),
        };
        of.made = Some(own.qpn);
        // A fresh connection takes so little at once.
        match of.stream.write(own.word().as_bytes()) {
            Ok(WORD) => Step::Wait,
            _ => Step::Refused(Why::HungUp),
        }
    }

    /// The queue pair that is to end for another one of a peer, if one is.
    fn gives_way(&self, now: u64, peer: Ipv4Addr) -> Result<Option<u32>, Why> {
        let free = PAIRS - self.pairs.len().min(PAIRS);
        let own = self.pairs.values().filter(|pair| pair.peer == peer).count();
        if may_have(own, free) {
            return Ok(None);
        }
        // Who has his share ends one of his own.
        let may_end = |pair: &Pair| own == 0 || pair.peer == peer;
        let silent = self.pairs.iter().filter(|(_, pair)| may_end(pair)).min_by_key(|(_, pair)| pair.heard);
        match silent {
            Some((&qpn, pair)) if now.saturating_sub(pair.heard) >= SILENT => Ok(Some(qpn)),
            _ => Err(if free == 0 { Why::Full } else { Why::Share }),
        }
    }

    /// A queue pair for a client; `None`: not yet.
    fn make(&mut self, now: u64, board: &mut impl PingPongPlace, peer: &Side) -> Result<Option<Side>, Why> {
        if let Some(silent) = self.gives_way(now, peer.address)? {
            self.end(silent, board);
        }
        let psn = Psn::from_low_bits(self.rng.random());
        let of = |qpn| {
            let connection = Connection::new(qpn, peer.address, peer.qpn, peer.psn, psn);
            let responder = QueuePairConfig { path_mtu: PATH_MTU, ..connection.responder };
            let requester = RequesterConfig { path_mtu: PATH_MTU, ..connection.requester };
            Connection { responder, requester }
        };
        let qpn = match board.make_both(&mut self.rng, peer.address, of) {
            Ok(qpn) => qpn,
            Err(NotMade::Wait) => return Ok(None),
            Err(NotMade::Full) => return Err(Why::Full),
            Err(NotMade::Way) => return Err(Why::Way),
        };
        for id in 0..BUFFERS {
            // It is new, and takes so many.
            let _posted = board.ends().responder.post_receive(qpn, id, vec![0; MESSAGE].into_boxed_slice());
        }
        self.pairs.insert(qpn, Pair { peer: peer.address, heard: now });
        self.counted[0] += 1;
        Ok(Some(Side { qpn, psn, address: self.own }))
    }
    fn end(&mut self, qpn: u32, board: &mut impl PingPongPlace) {
        if self.pairs.remove(&qpn).is_some() {
            board.end_both(qpn);
        }
    }

    /// Whether a queue pair is one of these.
    pub fn has(&self, qpn: u32) -> bool {
        self.pairs.contains_key(&qpn)
    }
    /// Handshakes that are under way, and queue pairs.
    pub fn busy(&self) -> (usize, usize) {
        (self.handshakes.len(), self.pairs.len())
    }
    /// Sends a message back.
    pub fn send_back(&mut self, now: u64, received: Received, ends: &mut Ends) {
        let Received { qpn, id, buffer, length, immediate, by_write, .. } = received;
        if let Some(pair) = self.pairs.get_mut(&qpn) {
            pair.heard = now;
        }
        let mut data = buffer.into_vec();
        if by_write {
            let _posted = ends.responder.post_receive(qpn, id, data.into_boxed_slice());
            return;
        }
        data.truncate(length);
        let work = Work::new(id, Operation::Send { data, immediate });
        // There is room for as many as there are buffers; a requester that has ended is seen by the next look.
        if ends.requester(qpn).is_some_and(|requester| requester.post(work).is_ok()) {
            self.counted[2] += 1;
        }
    }
    /// Gives the buffers of messages that have gone back to the next ones.
    pub fn refill(&mut self, ends: &mut Ends) {
        for &qpn in self.pairs.keys() {
            while let Some(done) = ends.requester(qpn).and_then(|requester| requester.poll_completion()) {
                let mut data = done.buffer.unwrap_or_default();
                data.resize(MESSAGE, 0);
                let _posted = ends.responder.post_receive(qpn, done.id, data.into_boxed_slice());
            }
        }
    }
    /// Why callers were refused, by name.
    pub fn named(&self) -> impl Iterator<Item = (String, u64)> {
        self.refused.iter().map(|(why, count)| (format!("RDMA ping-pongs refused {why}"), *count))
    }
}
