//! What the service asks of a board.
use std::net::Ipv4Addr;

use mneme_rdma::codec::{PathMtu, Psn};
use mneme_rdma::requester::RequesterConfig;
use mneme_rdma::responder::{QueuePairConfig, Responder};
use mneme_rdma::udp::Connection;
use rand_chacha::ChaCha12Rng;

use super::{BUFFERS, MESSAGE};

/// What programs want, by the port to which they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Memory.
    Others,
    /// Buffers for their SENDs.
    SendBw,
    /// And an answer to each.
    SendLat,
}

/// What a test's queue pair is.
#[derive(Debug, Clone, Copy)]
pub struct TestPair {
    /// The client's address.
    pub peer: Ipv4Addr,
    /// Its queue pair.
    pub peer_qpn: u32,
    /// The number of its first packet.
    pub psn: Psn,
    /// The path MTU.
    pub mtu: PathMtu,
    /// The process whose memory it reaches.
    pub pid: u32,
    /// Where its region begins, of [`BYTES`](super::BYTES).
    pub va: u64,
    /// What for.
    pub kind: Kind,
    /// The number of our first packet.
    pub own_psn: Psn,
}

/// Memory of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// It is being made ready.
    Wait,
    /// It is as a test begins: this process's, from this address on.
    Ready {
        /// The process.
        pid: u32,
        /// Where it begins.
        va: u64,
    },
    /// There is none, or none any more.
    Gone,
}

/// Why there is no queue pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotMade {
    /// Not yet: it is to be asked for again.
    Wait,
    /// There is no place, or the peer has its share.
    Full,
    /// Nobody knows how frames reach the peer.
    Way,
}

/// Memory of tests. Their places are numbers below [`MOST`](super::MOST).
pub trait TestGround {
    /// Whether there are tests at all: until then clients wait in the listener's queue.
    fn ready(&self) -> bool;
    /// The test at a place will want its memory, as tests begin with it.
    fn want(&mut self, place: usize);
    /// Its memory.
    fn ground(&mut self, place: usize) -> Ground;
    /// The test at a place has ended, and its queue pair with it.
    fn release(&mut self, place: usize);
}

/// Where tests have their memory and their queue pairs.
pub trait TestPlace {
    /// Their memory.
    fn grounds(&mut self) -> &mut dyn TestGround;
    /// The largest packets of tests.
    fn mtu(&self, _: Kind) -> PathMtu {
        PathMtu::MAX
    }
    /// Makes a queue pair and its region: its number, and the region's key.
    ///
    /// # Errors
    /// [`NotMade`]: not now, or not at all.
    fn make(&mut self, pair: &TestPair, rng: &mut ChaCha12Rng) -> Result<(u32, u32), NotMade>;
    /// Ends them.
    fn end(&mut self, qpn: u32, rkey: u32);
    /// The packet that is expected next, and whether the queue pair is over.
    fn progress(&mut self, qpn: u32) -> Option<(Psn, bool)>;
}

impl TestPair {
    /// Both ends of it under a number, where software has them.
    pub fn connection(&self, qpn: u32) -> Connection {
        let own = Connection::new(qpn, self.peer, self.peer_qpn, self.psn, self.own_psn);
        let responder = QueuePairConfig { path_mtu: self.mtu, ..own.responder };
        let requester = RequesterConfig { path_mtu: self.mtu, ..own.requester };
        Connection { responder, requester }
    }
}

/// Gives a new queue pair of software's its buffers for messages.
pub fn give_buffers(responder: &mut Responder, qpn: u32) {
    for id in 0..BUFFERS {
        // It is new, and takes so many.
        let _posted = responder.post_receive(qpn, id, vec![0; MESSAGE].into_boxed_slice());
    }
}
