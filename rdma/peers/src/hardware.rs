//! Places of a board whose port is hardware: it answers READs, WRITEs and atomics, and leaves queue pairs that take SENDs to software.
use std::net::Ipv4Addr;

use mneme_rdma::codec::{DEFAULT_PKEY, PathMtu, Psn};
use mneme_rdma::memory::{Access, Region};
use mneme_rdma::udp::{Connection, Ends};
use mneme_rdma_manager::{Manager, PairAsk};
use mneme_slowpath::FastPath;
use mneme_wire::roce::ROCE_QPN_FIRST;
use rand::Rng;
use rand_chacha::ChaCha12Rng;

use crate::callers::Way;
use crate::perftest::{BYTES, Kind, NotMade, TestGround, TestPair, TestPlace, give_buffers};
use crate::ping_pong::PingPongPlace;

/// What of a board is neither its port nor the connection manager's: the way to peers, and memory of tests, which does not stay
/// [`Ground::Wait`](crate::Ground::Wait) for ever.
pub trait Around: TestGround {
    /// How frames reach a peer. Asked again and again until it is known or nobody answers, which takes a bounded time.
    fn way(&mut self, peer: Ipv4Addr) -> Way;
}

/// The port's places. It takes no SENDs; tests of these have queue pairs that the hardware leaves to software, and no region: what they
/// send comes no further than into software's buffers.
pub struct Hardware<'a, F, A> {
    /// The connection manager.
    pub manager: &'a mut Manager,
    /// The board.
    pub fast: &'a mut F,
    /// And what is around.
    pub around: A,
}

impl<F: FastPath, A: Around> Hardware<'_, F, A> {
    fn mac(&mut self, peer: Ipv4Addr) -> Result<[u8; 6], NotMade> {
        match self.around.way(peer) {
            Way::Known(mac) => Ok(mac),
            Way::Asked => Err(NotMade::Wait),
            Way::Nobody => Err(NotMade::Way),
        }
    }
}

impl<F: FastPath, A: Around> PingPongPlace for Hardware<'_, F, A> {
    fn ends(&mut self) -> &mut Ends {
        self.manager.software()
    }
    fn make_both(
        &mut self,
        _: &mut ChaCha12Rng,
        peer: Ipv4Addr,
        of: impl FnOnce(u32) -> Connection,
    ) -> Result<u32, NotMade> {
        let mac = self.mac(peer)?;
        self.manager.lend_software((peer.octets(), mac), of).ok_or(NotMade::Full)
    }
    fn end_both(&mut self, qpn: u32) {
        self.manager.take_back_software(qpn);
    }
}

impl<F: FastPath, A: Around> TestPlace for Hardware<'_, F, A> {
    fn grounds(&mut self) -> &mut dyn TestGround {
        &mut self.around
    }
    fn mtu(&self, kind: Kind) -> PathMtu {
        if kind == Kind::Others { PathMtu::MAX } else { self.manager.software_mtu() }
    }
    fn make(&mut self, pair: &TestPair, rng: &mut ChaCha12Rng) -> Result<(u32, u32), NotMade> {
        let TestPair { peer, peer_qpn, psn, mtu, pid, va, kind, .. } = *pair;
        let peer_mac = self.mac(peer)?;
        if kind != Kind::Others {
            let made = self.manager.lend_software((peer.octets(), peer_mac), |qpn| pair.connection(qpn));
            let qpn = made.ok_or(NotMade::Full)?;
            give_buffers(&mut self.manager.software().responder, qpn);
            // Of no region: nothing can be had with it.
            return Ok((qpn, rng.random()));
        }
        let ask = PairAsk {
            peer: peer.octets(),
            peer_mac,
            peer_qpn,
            pkey: DEFAULT_PKEY,
            path_mtu: mtu,
            first: psn,
            region: Region { pid, va, length: BYTES, access: Access::ALL },
            frees: None,
            hardened: false,
        };
        self.manager.lend(&ask, self.fast).ok_or(NotMade::Full)
    }
    fn end(&mut self, qpn: u32, rkey: u32) {
        if qpn < ROCE_QPN_FIRST {
            self.manager.take_back_software(qpn);
        } else {
            self.manager.take_back(qpn, rkey, self.fast);
        }
    }
    fn progress(&mut self, qpn: u32) -> Option<(Psn, bool)> {
        self.manager.progress(qpn, self.fast)
    }
}
