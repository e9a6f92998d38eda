//! Where tests have their queue pairs: in software's responder, or in the board's port.
use std::net::Ipv4Addr;

use mneme_model::{Node, SoftFast};
use mneme_rdma::codec::{DEFAULT_PKEY, PathMtu, Psn};
use mneme_rdma::memory::{Access, Region};
use mneme_rdma::responder::{QueuePairConfig, Responder};
use mneme_rdma::udp::{Connection, Exchange};
use mneme_rdma_manager::{Manager, PairAsk};
use mneme_slowpath::{FastPath, Slow};
use mneme_wire::roce::ROCE_QPN_FIRST;
use rand::Rng;
use rand_chacha::ChaCha12Rng;

use super::{BUFFERS, BYTES, MESSAGE, QPN, QPN_BITS, TestMemory};
use crate::rdma::line::peer_mac;

/// What a test's queue pair is.
#[derive(Debug, Clone, Copy)]
pub struct TestPair {
    pub peer: Ipv4Addr,
    pub peer_qpn: u32,
    /// The number of its first packet.
    pub psn: Psn,
    pub mtu: PathMtu,
    pub pid: u32,
    /// Where its region begins, of [`BYTES`].
    pub va: u64,
    /// It is for SENDs: the client called at the port for these.
    pub sends: bool,
    /// The number of our first packet.
    pub own_psn: Psn,
}

/// Where tests have their queue pairs.
pub trait Place {
    /// Nanoseconds.
    fn now(&self) -> u64;
    /// Whether the process is there.
    fn has(&self, memory: &TestMemory) -> bool;
    /// The largest packets of tests, or of those that SEND.
    fn mtu(&self, _sends: bool) -> PathMtu {
        PathMtu::MAX
    }
    /// Makes a queue pair and its region: its number, and the region's key.
    fn make(&mut self, pair: &TestPair, rng: &mut ChaCha12Rng) -> Option<(u32, u32)>;
    fn end(&mut self, qpn: u32, rkey: u32);
    /// The packet that is expected next, and whether the queue pair is over.
    fn progress(&mut self, qpn: u32) -> Option<(Psn, bool)>;
}

fn has(slow: &Slow, memory: &TestMemory) -> bool {
    slow.inspect(|space| space.may_join(memory.pid, &memory.token)).is_ok()
}

/// A software board's.
pub struct Soft<'a> {
    pub exchange: &'a mut Exchange,
    pub node: &'a Node<SoftFast>,
}

impl Place for Soft<'_> {
    fn now(&self) -> u64 {
        self.exchange.now()
    }
    fn has(&self, memory: &TestMemory) -> bool {
        has(self.node.slow(), memory)
    }
    fn make(&mut self, pair: &TestPair, rng: &mut ChaCha12Rng) -> Option<(u32, u32)> {
        let TestPair { peer, peer_qpn, psn, mtu, pid, va, .. } = *pair;
        let responder = &mut self.exchange.responder;
        let qpn = QPN | rng.random::<u32>() >> (32 - QPN_BITS);
        let region = Region { pid, va, length: BYTES, access: Access::ALL };
        let rkey = responder.regions.insert(rng.random(), region).ok()?;
        let config =
            QueuePairConfig { pid, path_mtu: mtu, ..QueuePairConfig::new(qpn, peer.octets(), peer_qpn, psn) };
        if responder.create(config).is_err() {
            // A number that is taken: the client tries again.
            let _made_above = responder.regions.remove(rkey);
            return None;
        }
        give_buffers(responder, qpn);
        Some((qpn, rkey))
    }
    fn end(&mut self, qpn: u32, rkey: u32) {
        // Both were made with the test.
        let _ended = self.exchange.responder.destroy(qpn);
        let _removed = self.exchange.responder.regions.remove(rkey);
    }
    fn progress(&mut self, qpn: u32) -> Option<(Psn, bool)> {
        let (expected, _) = self.exchange.responder.progress(qpn)?;
        Some((expected, self.exchange.responder.is_over(qpn) == Some(true)))
    }
}

fn give_buffers(responder: &mut Responder, qpn: u32) {
    for id in 0..BUFFERS {
        // It is new, and takes so many.
        let _posted = responder.post_receive(qpn, id, vec![0; MESSAGE].into_boxed_slice());
    }
}

/// The port's of a board of RTL, which takes no SENDs; tests of these have queue pairs that the hardware leaves to software, and no
/// region: what they send comes no further than into software's buffers.
pub struct Hardware<'a, F> {
    pub now: u64,
    pub manager: &'a mut Manager,
    pub fast: &'a mut F,
    pub slow: &'a Slow,
}

impl<F: FastPath> Place for Hardware<'_, F> {
    fn now(&self) -> u64 {
        self.now
    }
    fn has(&self, memory: &TestMemory) -> bool {
        has(self.slow, memory)
    }
    fn mtu(&self, sends: bool) -> PathMtu {
        if sends { self.manager.software_mtu() } else { PathMtu::MAX }
    }
    fn make(&mut self, pair: &TestPair, rng: &mut ChaCha12Rng) -> Option<(u32, u32)> {
        let TestPair { peer, peer_qpn, psn, mtu, pid, va, sends, own_psn } = *pair;
        if sends {
            let of = |qpn| {
                let connection = Connection::new(qpn, peer, peer_qpn, psn, own_psn);
                let responder = QueuePairConfig { path_mtu: mtu, ..connection.responder };
                Connection { responder, ..connection }
            };
            let qpn = self.manager.lend_software(peer_mac(peer.octets()), of)?;
            give_buffers(&mut self.manager.software().responder, qpn);
            // Of no region: nothing can be had with it.
            return Some((qpn, rng.random()));
        }
        let peer = peer.octets();
        let ask = PairAsk {
            peer,
            peer_mac: peer_mac(peer),
            peer_qpn,
            pkey: DEFAULT_PKEY,
            path_mtu: mtu,
            first: psn,
            region: Region { pid, va, length: BYTES, access: Access::ALL },
            frees: None,
            hardened: false,
        };
        self.manager.lend(&ask, self.fast)
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
