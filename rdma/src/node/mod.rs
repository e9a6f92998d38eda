//! A memory node's side, as a state machine: native queue pairs and ODRP's chains on the same pages of 4,096 bytes. The golden
//! model of the port's leaf unit.
//!
//! | part | what it holds |
//! |---|---|
//! | `leaf` | segments (tables of 8 bytes a page), the ring of free frames, and the frames |
//! | `epochs` | when a freed frame may have another owner |
//! | `paged` | memory as clients see it: segments, and other memory beside them; FREE |
//! | `chain` | load, mapped store, unmapped store, invalidate, and the WRITEs that answer them |
//!
//! ODRP's contract is kept: a client SENDs, and is answered by RDMA WRITEs (design of the port, §1). It is stronger than the paper's
//! in three ways. An unmapped store of a page that has a frame stores into that one. A freed frame enters the ring when the loads
//! that had begun before have left, and a reply that is sent again looks its page up again, so that nobody sees the next owner's
//! bytes. A page is published after its last byte. A ring without frames, and a spent budget, are "not ready" and need no repair.
//!
//! What a WRITE does to a page without a frame: one that covers the page fills a frame that nobody else sees; any other one
//! zeroes a frame first. READs of such a page give zeros, and take no frame. Frames are not zeroed in the ring.
//!
//! ```
//! use mneme_rdma::codec::Psn;
//! use mneme_rdma::memory::{Access, Memory, MemoryFault, Region};
//! use mneme_rdma::node::{Leaf, Node, NoMemory, SegmentConfig};
//! use mneme_rdma::responder::{Limits, QueuePairConfig};
//!
//! let mut leaf = Leaf::new(0x10_0000, 16);
//! leaf.push_run(0x10_0000, 16)?;
//! let pages = SegmentConfig { pid: 7, va: 0x4000_0000, entries: 1024, budget: 8, access: Access::ALL };
//! let segment = leaf.create(pages)?;
//! let mut node = Node::new(Limits::default(), NoMemory, leaf);
//! node.memory.write(7, 0x4000_0010, b"remote")?;
//! let mut bytes = [0xee; 8];
//! node.memory.read(7, 0x4000_000f, &mut bytes)?;
//! assert_eq!(&bytes, b"\0remote\0");
//! assert_eq!((node.memory.leaf.used(segment), node.memory.leaf.ring().len()), (1, 15));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
mod chain;
mod epochs;
mod leaf;
mod paged;
mod ring;

use std::ops::Bound;

pub use chain::{ChainConfig, REPLIES, ReplyOptions};
pub use epochs::{Begun, Epochs};
pub use leaf::{
    Audit, AuditError, ENTRY_MASK, FRAME, Leaf, RunError, SEGMENTS, SegmentConfig, SegmentError, Shortage,
};
pub use paged::{FREE_RANGE_LEN, FREE_RANGES, Paged, PagedCounters};
pub use ring::{Ring, RingFull};

use crate::codec::{Bth, Opcode};
use crate::memory::{Atomic, Memory, MemoryFault};
use crate::responder::{
    Arrival, Departure, Limits, PACKET_MAX, QueuePairConfig, Received, Responder, ResponderError, Serves,
};
use chain::ChainQp;

/// Immediates that wait for the owner of a native queue pair, at most. Beyond, its client is told to come again.
const IMMEDIATES: u64 = 16;

/// No memory but segments: everything else is denied.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoMemory;

impl Memory for NoMemory {
    fn read(&mut self, _: u32, _: u64, _: &mut [u8]) -> Result<(), MemoryFault> {
        Err(MemoryFault::Denied)
    }
    fn write(&mut self, _: u32, _: u64, _: &[u8]) -> Result<(), MemoryFault> {
        Err(MemoryFault::Denied)
    }
    fn atomic(&mut self, _: u32, _: u64, _: Atomic) -> Result<u64, MemoryFault> {
        Err(MemoryFault::Denied)
    }
}

/// Why there is no such queue pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NodeError {
    /// The responder refuses it.
    #[error(transparent)]
    Responder(#[from] ResponderError),
    /// No such segment.
    #[error(transparent)]
    Segment(#[from] SegmentError),
    /// The table would not have an address.
    #[error(
        "a table of {entries} entries cannot begin at {tt_base:#x}: a multiple of 8 below its end is needed"
    )]
    TableBase {
        /// The address.
        tt_base: u64,
        /// Entries.
        entries: u32,
    },
}

/// A responder, its memory, and the replies of chains.
#[derive(Debug)]
pub struct Node<M> {
    /// The side that answers; regions are its matter.
    pub responder: Responder,
    /// Segments, and memory beside them.
    pub memory: Paged<M>,
    /// The chain that sent last: the others come first.
    served: u32,
    /// Chains come before the responder.
    turn: bool,
}

impl<M: Memory> Node<M> {
    /// A node without queue pairs.
    pub fn new(limits: Limits, under: M, leaf: Leaf) -> Node<M> {
        Node { responder: Responder::new(limits), memory: Paged::new(under, leaf), served: 0, turn: false }
    }

    /// Test-only: gives it a defect.
    #[cfg(feature = "planted-faults")]
    pub fn plant(&mut self, fault: crate::planted::PlantedFault) {
        self.memory.leaf.plants.0 = Some(fault);
        self.responder.plant(fault);
    }

    /// Makes a native queue pair: READ, WRITE, atomics and FREE. Immediates of WRITEs come from [`Node::poll_immediate`].
    ///
    /// # Errors
    /// [`NodeError::Responder`].
    pub fn create_native(&mut self, config: QueuePairConfig) -> Result<(), NodeError> {
        let most = (FREE_RANGES * FREE_RANGE_LEN) as u32;
        self.responder.create(QueuePairConfig { serves: Serves::RegionsAndMessages(most), ..config })?;
        self.memory.native.insert(config.qpn, config.pid);
        let mut ids = 0..IMMEDIATES;
        let posted = ids.try_for_each(|id| self.responder.post_receive(config.qpn, id, Box::default()));
        // A responder of fewer buffers: nothing of the queue pair stays.
        posted.or_else(|error| {
            self.destroy(config.qpn)?;
            Err(error.into())
        })
    }

    /// Makes a chain queue pair on a segment.
    ///
    /// # Errors
    /// Every [`NodeError`].
    pub fn create_chain(&mut self, config: ChainConfig) -> Result<(), NodeError> {
        let segment = self.memory.leaf.config(config.segment).ok_or(SegmentError::Unknown(config.segment))?;
        let (pid, entries, tt_base) = (segment.pid, segment.entries, config.tt_base);
        if tt_base % 8 != 0 || tt_base.checked_add(8 * u64::from(entries)).is_none() {
            return Err(NodeError::TableBase { tt_base, entries });
        }
        self.responder.create(config.queue_pair(pid))?;
        self.memory.chains.insert(config.qpn, ChainQp::new(config));
        Ok(())
    }

    /// Ends a queue pair. A frame that it was filling goes back, and its replies are not sent again.
    ///
    /// # Errors
    /// [`NodeError::Responder`].
    pub fn destroy(&mut self, qpn: u32) -> Result<(), NodeError> {
        self.memory.end(qpn);
        Ok(self.responder.destroy(qpn)?)
    }

    /// Ends a segment and every chain on it; the frames go back.
    ///
    /// # Errors
    /// [`NodeError::Segment`].
    pub fn destroy_segment(&mut self, segment: u32) -> Result<(), NodeError> {
        let on_it = self.memory.chains.iter().filter(|(_, chain)| chain.config.segment == segment);
        for qpn in on_it.map(|(qpn, _)| *qpn).collect::<Vec<_>>() {
            self.memory.end(qpn);
            self.responder.end(qpn);
        }
        Ok(self.memory.leaf.destroy(segment)?)
    }

    /// What the tables have seen.
    pub const fn counters(&self) -> &PagedCounters {
        &self.memory.counters
    }

    /// The next immediate of a native WRITE.
    pub fn poll_immediate(&mut self) -> Option<(u32, u32)> {
        loop {
            let Received { qpn, id, buffer, immediate, .. } = self.responder.poll_received()?;
            // It may have ended since: then it needs no buffer.
            let _ = self.responder.post_receive(qpn, id, buffer);
            if let Some(immediate) = immediate {
                return Some((qpn, immediate));
            }
        }
    }

    /// Takes a packet at `now`, in nanoseconds from any start.
    pub fn receive(&mut self, now: u64, arrival: &Arrival<'_>) {
        let header = arrival.transport.first_chunk().map(|header| Bth::from_bytes(header).0);
        let Some(bth) = header else {
            return self.responder.receive(now, arrival, &mut self.memory);
        };
        let answers = Opcode::from_number(bth.opcode).is_some_and(Opcode::is_response);
        let Paged { chains, leaf, .. } = &mut self.memory;
        match chains.get_mut(&bth.dest_qp) {
            Some(chain) if answers && chain.config.peer == arrival.source => {
                if !chain.receive(now, arrival.transport, leaf) {
                    self.fail(bth.dest_qp);
                }
            }
            _ => {
                self.responder.receive(now, arrival, &mut self.memory);
                if self.responder.in_error(bth.dest_qp) == Some(true) {
                    self.memory.end(bth.dest_qp);
                }
            }
        }
    }

    fn fail(&mut self, qpn: u32) {
        self.memory.end(qpn);
        self.responder.end(qpn);
    }

    /// When [`Node::poll_transmit`] is to be called, if nothing comes before. A responder that is not idle is to be asked again
    /// besides.
    pub fn next_time(&self) -> Option<u64> {
        self.memory.chains.values().filter_map(ChainQp::next_time).min()
    }

    /// Writes the next packet that is to be sent, answers and replies in turns. `None`: there is nothing now.
    pub fn poll_transmit(&mut self, now: u64, to: &mut [u8; PACKET_MAX]) -> Option<Departure> {
        self.turn = !self.turn;
        if self.turn {
            self.reply(now, to).or_else(|| self.responder.poll_transmit(now, &mut self.memory, to))
        } else {
            let answer = self.responder.poll_transmit(now, &mut self.memory, to);
            answer.or_else(|| self.reply(now, to))
        }
    }

    fn reply(&mut self, now: u64, to: &mut [u8; PACKET_MAX]) -> Option<Departure> {
        let behind = (Bound::Excluded(self.served), Bound::Unbounded);
        let chains = &self.memory.chains;
        let turns: Vec<u32> =
            chains.range(behind).chain(chains.range(..=self.served)).map(|(qpn, _)| *qpn).collect();
        for qpn in turns {
            let Paged { chains, leaf, counters, .. } = &mut self.memory;
            let Some(chain) = chains.get_mut(&qpn) else { continue };
            let destination = chain.config.peer;
            let (length, sound) = chain.transmit(now, leaf, &mut counters.looked_up_again, to);
            if !sound {
                self.fail(qpn);
            }
            if let Some(length) = length {
                self.served = qpn;
                return Some(Departure { qpn, destination, length });
            }
        }
        None
    }
}
