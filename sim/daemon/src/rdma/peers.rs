//! Where programs of others have their queue pairs and memory, on a software board and on one of RTL behind a socket.
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use mneme_model::SoftFast;
use mneme_rdma::codec::Psn;
use mneme_rdma::memory::{Access, Memory, Region};
use mneme_rdma::responder::QueuePairConfig;
use mneme_rdma::udp::{Connection, Ends, Exchange, UdpError};
use mneme_rdma_peers::{
    Around, BYTES, Gids, Ground, Kind, NotMade, Perftest, PingPong, PingPongPlace, Sockets, TestGround,
    TestPair, TestPlace, Way, give_buffers,
};
use mneme_slowpath::Slow;
use rand::Rng;
use rand_chacha::ChaCha12Rng;

use super::door::RdmaSettings;
use super::lent::{Lent, PIECE};
use super::line::peer_mac;
use super::memory::BoardMemory;

/// Queue pairs' numbers on a software board, for ping-pongs and for tests: 12 bits that nobody can guess, behind those of regions'
/// connections.
const PING_PONG_QPN: u32 = 0x2000;
const TEST_QPN: u32 = 0x3000;
const QPN_BITS: u32 = 12;

/// What a service for perftest is.
#[derive(Debug, Clone)]
pub struct PerftestSettings {
    /// The TCP port.
    pub port: u16,
    /// The one for `ib_send_bw`. A software board serves all that want no answers at both.
    pub sends: u16,
    /// The one for `ib_send_lat`.
    pub send_lat: u16,
    /// What tests read and write, once it is there: a process can be opened when the board serves. Until then clients wait.
    pub memory: Arc<Lent>,
    /// As [`PERFTEST_PATIENCE`](super::PERFTEST_PATIENCE).
    pub patience: Duration,
}

/// Listens for ping-pongs and for perftest's programs, where a board is to.
pub(super) fn listen(settings: &RdmaSettings) -> Result<(Option<PingPong>, Option<Perftest>), UdpError> {
    let (own, seed) = (settings.address, settings.seed);
    let system = |what| move |error| UdpError::System { what, error };
    let ping_pong =
        settings.ping_pong.map(|port| PingPong::listen((own, port).into(), own, Gids::Callers, seed));
    let sockets = settings.perftest.as_ref().map(|asked| Sockets {
        at: (own, asked.port).into(),
        sends: (own, asked.sends).into(),
        send_lat: (own, asked.send_lat).into(),
        gids: Gids::Callers,
        patience: asked.patience,
    });
    let perftest = sockets.map(|sockets| Perftest::listen(&sockets, own, seed));
    Ok((
        ping_pong.transpose().map_err(system("a TCP port for ping-pongs"))?,
        perftest.transpose().map_err(system("a TCP port for perftest"))?,
    ))
}

/// A software board's places.
pub(super) struct Soft<'a> {
    pub exchange: &'a mut Exchange,
    pub grounds: Grounds<'a>,
}

impl PingPongPlace for Soft<'_> {
    fn ends(&mut self) -> &mut Ends {
        self.exchange
    }
    fn make_both(
        &mut self,
        rng: &mut ChaCha12Rng,
        _: Ipv4Addr,
        of: impl FnOnce(u32) -> Connection,
    ) -> Result<u32, NotMade> {
        let qpn = PING_PONG_QPN | rng.random::<u32>() >> (32 - QPN_BITS);
        // A number that is taken: the client tries again.
        self.exchange.connect(&of(qpn)).map(|()| qpn).map_err(|_| NotMade::Full)
    }
    fn end_both(&mut self, qpn: u32) {
        // It was made with the pair.
        let _flushed = self.exchange.disconnect(qpn);
    }
}

impl TestPlace for Soft<'_> {
    fn grounds(&mut self) -> &mut dyn TestGround {
        &mut self.grounds
    }
    fn make(&mut self, pair: &TestPair, rng: &mut ChaCha12Rng) -> Result<(u32, u32), NotMade> {
        let TestPair { pid, va, kind, .. } = *pair;
        let qpn = TEST_QPN | rng.random::<u32>() >> (32 - QPN_BITS);
        let region = Region { pid, va, length: BYTES, access: Access::ALL };
        let rkey = self.exchange.responder.regions.insert(rng.random(), region).map_err(|_| NotMade::Full)?;
        let connection = pair.connection(qpn);
        let responder = QueuePairConfig { pid, ..connection.responder };
        let made = match kind {
            Kind::SendLat => self.exchange.connect(&Connection { responder, ..connection }),
            Kind::Others | Kind::SendBw => self.exchange.responder.create(responder),
        };
        if made.is_err() {
            // A number that is taken: the client tries again.
            let _made_above = self.exchange.responder.regions.remove(rkey);
            return Err(NotMade::Full);
        }
        give_buffers(&mut self.exchange.responder, qpn);
        Ok((qpn, rkey))
    }
    fn end(&mut self, qpn: u32, rkey: u32) {
        // Both were made with the test.
        let _flushed = self.exchange.disconnect(qpn);
        let _removed = self.exchange.responder.regions.remove(rkey);
    }
    fn progress(&mut self, qpn: u32) -> Option<(Psn, bool)> {
        let (expected, _) = self.exchange.responder.progress(qpn)?;
        Some((expected, self.exchange.responder.is_over(qpn) == Some(true)))
    }
}

/// Memory of tests, lent by who opened its process; and all that is around a port in hardware behind a socket.
pub(super) struct Grounds<'a> {
    pub slow: &'a Slow,
    /// What perftest's programs have.
    pub memory: Option<&'a Lent>,
}

impl Around for Grounds<'_> {
    fn way(&mut self, peer: Ipv4Addr) -> Way {
        Way::Known(peer_mac(peer.octets()))
    }
}

impl TestGround for Grounds<'_> {
    fn ready(&self) -> bool {
        self.memory.is_some_and(|memory| memory.get().is_some())
    }
    fn want(&mut self, place: usize) {
        if let Some(memory) = self.memory {
            memory.want(place);
        }
    }
    fn ground(&mut self, place: usize) -> Ground {
        self.memory.map_or(Ground::Gone, |memory| memory.ground(place, self.slow))
    }
    fn release(&mut self, _: usize) {}
}

/// Puts a message where its test's memory begins, on a software board.
pub(super) fn put(fast: &mut SoftFast, pid: u32, va: u64, message: &[u8]) {
    let mut pages = BoardMemory { fast, statistics: &[] };
    for (piece, at) in message.chunks(PIECE).zip((va..).step_by(PIECE)) {
        // Its pages are there since the test began: what fails now is the end of the process, which the next look sees.
        let _written = pages.write(pid, at, piece);
    }
}
