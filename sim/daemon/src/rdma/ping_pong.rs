//! What `ibv_rc_pingpong` of rdma-core asks a server for: a handshake over TCP, and then every message comes back. No memory of the board
//! is behind these queue pairs: READ, WRITE and atomics find no region.
//!
//! Each side says `LID:QPN:PSN:GID`, in hexadecimal digits (4, 6, 6 and 32) and with a zero byte behind; the client answers `done`.
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};

use mneme_rdma::codec::{PathMtu, Psn};
use mneme_rdma::requester::{Operation, RequesterConfig, Work};
use mneme_rdma::responder::{QueuePairConfig, Received};
use mneme_rdma::udp::{Connection, Ends, Exchange};
use mneme_rdma_manager::Manager;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;

use super::line::peer_mac;

/// The port that `ibv_rc_pingpong` takes unless told.
pub const PING_PONG_PORT: u16 = 18_515;
/// Bytes of a side's word.
const WORD: usize = 52;
/// Bytes of payload of a packet: what `ibv_rc_pingpong` takes unless told.
pub(super) const PATH_MTU: PathMtu = match PathMtu::new(1024) {
    Some(bytes) => bytes,
    None => PathMtu::MAX,
};
/// Bytes of a message at most.
const MESSAGE: usize = 1 << 20;
/// Messages of a queue pair that may wait for their way back.
const BUFFERS: u64 = 4;
/// Queue pairs, and handshakes under way, at most.
const MOST: usize = 8;
/// Nanoseconds that a handshake may take.
const PATIENCE: u64 = 5_000_000_000;
/// Nanoseconds after which a queue pair ends that nothing has come for: nobody says that it has done.
const IDLE: u64 = 10_000_000_000;
/// Nanoseconds of silence after which one gives way to another that has no place.
const SILENT: u64 = 2_000_000_000;
/// Queue pairs' numbers on a software board: 12 bits that nobody can guess, behind those of regions' connections.
const QPN: u32 = 0x2000;
const QPN_BITS: u32 = 12;

/// One side of a ping-pong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Side {
    qpn: u32,
    psn: Psn,
    address: Ipv4Addr,
}

impl Side {
    fn parse(word: &[u8; WORD]) -> Option<Side> {
        let text = std::str::from_utf8(word.strip_suffix(&[0])?).ok()?;
        let mut fields = text.split(':');
        let mut number = |digits: usize| {
            let field = fields.next().filter(|field| field.len() == digits)?;
            u128::from_str_radix(field, 16).ok()
        };
        let (_lid, qpn, psn, gid) = (number(4)?, number(6)?, number(6)?, number(32)?);
        // A GID of RoCEv2 over IPv4 is the address, mapped (IBTA annex A17).
        let address = u32::try_from(gid ^ 0xffff << 32).ok()?;
        let (qpn, psn) = (qpn as u32, Psn::from_low_bits(psn as u32));
        fields.next().is_none().then_some(Side { qpn, psn, address: address.into() })
    }
    fn word(&self) -> String {
        let gid = 0xffff << 32 | u128::from(u32::from(self.address));
        format!("0000:{:06x}:{:06x}:{gid:032x}\0", self.qpn, self.psn.number())
    }
}

/// Somebody who shakes hands.
#[derive(Debug)]
struct Handshake {
    stream: TcpStream,
    peer: IpAddr,
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
    Refused,
}

/// Where ping-pongs have their queue pairs, whose ends are software's on every board.
pub(super) trait Place {
    /// Both ends of them.
    fn ends(&mut self) -> &mut Ends;
    /// Makes one for a peer, under a number that it chooses: the number.
    fn make(
        &mut self,
        rng: &mut ChaCha12Rng,
        peer: Ipv4Addr,
        of: impl FnOnce(u32) -> Connection,
    ) -> Option<u32>;
    fn end(&mut self, qpn: u32);
}

/// A software board's.
impl Place for Exchange {
    fn ends(&mut self) -> &mut Ends {
        self
    }
    fn make(
        &mut self,
        rng: &mut ChaCha12Rng,
        _: Ipv4Addr,
        of: impl FnOnce(u32) -> Connection,
    ) -> Option<u32> {
        let qpn = QPN | rng.random::<u32>() >> (32 - QPN_BITS);
        // A number that is taken: the client tries again.
        self.connect(&of(qpn)).ok().map(|()| qpn)
    }
    fn end(&mut self, qpn: u32) {
        // It was made with the pair.
        let _flushed = self.disconnect(qpn);
    }
}

/// Those of a board of RTL that its hardware leaves to software.
impl Place for Manager {
    fn ends(&mut self) -> &mut Ends {
        self.software()
    }
    fn make(
        &mut self,
        _: &mut ChaCha12Rng,
        peer: Ipv4Addr,
        of: impl FnOnce(u32) -> Connection,
    ) -> Option<u32> {
        self.lend_software(peer_mac(peer.octets()), of)
    }
    fn end(&mut self, qpn: u32) {
        self.take_back_software(qpn);
    }
}

/// The service.
#[derive(Debug)]
pub(super) struct PingPong {
    listener: TcpListener,
    own: Ipv4Addr,
    handshakes: Vec<Handshake>,
    /// By queue pair: when something last came.
    pairs: BTreeMap<u32, u64>,
    rng: ChaCha12Rng,
    /// Queue pairs made, handshakes refused, messages sent back.
    pub counted: [u64; 3],
}

impl PingPong {
    /// Listens at a port of the board's address.
    pub fn listen(own: Ipv4Addr, port: u16, mut seed: [u8; 32]) -> std::io::Result<PingPong> {
        let listener = TcpListener::bind(SocketAddr::from((own, port)))?;
        listener.set_nonblocking(true)?;
        seed.iter_mut().for_each(|byte| *byte ^= 0x70);
        let rng = ChaCha12Rng::from_seed(seed);
        Ok(PingPong { listener, own, handshakes: Vec::new(), pairs: BTreeMap::new(), rng, counted: [0; 3] })
    }

    /// Goes on with handshakes, and ends queue pairs that are over.
    pub fn watch(&mut self, now: u64, board: &mut impl Place) {
        while self.handshakes.len() < MOST
            && let Ok((stream, peer)) = self.listener.accept()
        {
            // What cannot be made so would stop the board.
            if stream.set_nonblocking(true).is_ok() {
                let peer = peer.ip();
                self.handshakes.push(Handshake {
                    stream,
                    peer,
                    word: [0; WORD],
                    filled: 0,
                    made: None,
                    since: now,
                });
            }
        }
        for mut handshake in std::mem::take(&mut self.handshakes) {
            match self.go_on(now, board, &mut handshake) {
                Step::Wait if now.saturating_sub(handshake.since) < PATIENCE => {
                    self.handshakes.push(handshake)
                }
                Step::Done => {}
                Step::Wait | Step::Refused => {
                    self.counted[1] += 1;
                    if let Some(qpn) = handshake.made {
                        self.end(qpn, board);
                    }
                }
            }
        }
        let ends = board.ends();
        let over = |(qpn, heard): (&u32, &u64)| {
            let asks = ends.requester(*qpn).is_none_or(|requester| requester.has_ended());
            let answers = ends.responder.in_error(*qpn) != Some(false);
            (asks || answers || now.saturating_sub(*heard) >= IDLE).then_some(*qpn)
        };
        for qpn in self.pairs.iter().filter_map(over).collect::<Vec<_>>() {
            self.end(qpn, board);
        }
    }

    fn go_on(&mut self, now: u64, board: &mut impl Place, of: &mut Handshake) -> Step {
        // Behind the word comes `done`: any byte of it, and the end of the stream as well.
        let mut rest = [0; 8];
        let room = if of.filled < WORD { &mut of.word[of.filled..] } else { &mut rest[..] };
        match of.stream.read(room) {
            Ok(_) if of.filled == WORD => return Step::Done,
            Ok(0) => return Step::Refused,
            Ok(read) => of.filled += read,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => return Step::Refused,
        }
        if of.filled < WORD || of.made.is_some() {
            return Step::Wait;
        }
        let Some(side) = Side::parse(&of.word).filter(|side| of.peer == IpAddr::V4(side.address)) else {
            return Step::Refused;
        };
        let Some(own) = self.make(now, board, &side) else { return Step::Refused };
        of.made = Some(own.qpn);
        // A fresh connection takes so little at once.
        match of.stream.write(own.word().as_bytes()) {
            Ok(WORD) => Step::Wait,
            _ => Step::Refused,
        }
    }

    /// A queue pair for a client.
    fn make(&mut self, now: u64, board: &mut impl Place, peer: &Side) -> Option<Side> {
        if self.pairs.len() >= MOST {
            let (&qpn, &heard) = self.pairs.iter().min_by_key(|(_, heard)| **heard)?;
            if now.saturating_sub(heard) < SILENT {
                return None;
            }
            self.end(qpn, board);
        }
        let psn = Psn::from_low_bits(self.rng.random());
        let of = |qpn| {
            let connection = Connection::new(qpn, peer.address, peer.qpn, peer.psn, psn);
            let responder = QueuePairConfig { path_mtu: PATH_MTU, ..connection.responder };
            let requester = RequesterConfig { path_mtu: PATH_MTU, ..connection.requester };
            Connection { responder, requester }
        };
        let qpn = board.make(&mut self.rng, peer.address, of)?;
        for id in 0..BUFFERS {
            // It is new, and takes so many.
            let _posted = board.ends().responder.post_receive(qpn, id, vec![0; MESSAGE].into_boxed_slice());
        }
        self.pairs.insert(qpn, now);
        self.counted[0] += 1;
        Some(Side { qpn, psn, address: self.own })
    }
    fn end(&mut self, qpn: u32, board: &mut impl Place) {
        if self.pairs.remove(&qpn).is_some() {
            board.end(qpn);
        }
    }

    /// Whether a queue pair is one of these.
    pub fn has(&self, qpn: u32) -> bool {
        self.pairs.contains_key(&qpn)
    }
    /// Sends a message back.
    pub fn send_back(&mut self, now: u64, received: Received, ends: &mut Ends) {
        let Received { qpn, id, buffer, length, immediate, by_write, .. } = received;
        self.pairs.insert(qpn, now);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_rdma_core() {
        let text = b"0000:00001a:ffe0b1:00000000000000000000ffff0a000201\0";
        let side = Side::parse(text).expect("a word");
        let address = Ipv4Addr::new(10, 0, 2, 1);
        assert_eq!(side, Side { qpn: 0x1a, psn: Psn::from_low_bits(0xff_e0b1), address });
        assert_eq!(side.word().as_bytes(), text);
        for wrong in [
            // An address of IPv6, no zero behind, no digits, a field that is short by one.
            b"0000:00001a:ffe0b1:fe800000000000000000ffff0a000201\0",
            b"0000:00001a:ffe0b1:00000000000000000000ffff0a000201x",
            b"0000:0000!a:ffe0b1:00000000000000000000ffff0a000201\0",
            b"0000:0001a:ffe0b1:000000000000000000000ffff0a000201\0",
        ] {
            assert_eq!(Side::parse(wrong), None, "{}", String::from_utf8_lossy(wrong));
        }
    }
}
