//! A memory node's side, as a state machine: native queue pairs and ODRP's chains on the same pages of 4,096 bytes. The golden
//! model of the port's leaf unit.
//!
//! | part | what it holds |
//! |---|---|
//! | `leaf` | segments (tables of 8 bytes a page), and the ring of free frames |
//! | `epochs` | when a freed frame may have another owner |
//! | `door` | memory as clients see it: segments, and other memory beside them; FREE |
//! | `serve` | queue pairs: how they are made, and which packets they take and send |
//! | `paged` | frames in memory of their own, where no board has them |
//! | `touches` | which of its own memory the leaf unit accesses, for models of cost |
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
mod door;
mod epochs;
mod leaf;
mod paged;
mod ring;
mod serve;
mod touches;

pub use chain::{ChainConfig, REPLIES, ReplyOptions};
pub use door::{Door, FREE_PAGES, FREE_RANGE_LEN, FREE_RANGES, Frames, PagedCounters, QueuePairs};
pub use epochs::{Begun, Epochs};
pub use leaf::{
    Audit, AuditError, ENTRY_MASK, FRAME, Leaf, RunError, SEGMENTS, SegmentConfig, SegmentError, Shortage,
};
pub use paged::Paged;
pub use ring::{Ring, RingFull};
pub use touches::Touch;

use crate::memory::{Atomic, Memory, MemoryFault};
use crate::responder::{
    Arrival, Departure, Limits, PACKET_MAX, QueuePairConfig, Received, Responder, ResponderError,
};

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
    pairs: QueuePairs,
}

impl<M: Memory> Node<M> {
    /// A node without queue pairs.
    pub fn new(limits: Limits, under: M, leaf: Leaf) -> Node<M> {
        let (responder, memory) = (Responder::new(limits), Paged::new(under, leaf));
        Node { responder, memory, pairs: QueuePairs::default() }
    }

    /// Test-only: gives it a defect.
    #[cfg(feature = "planted-faults")]
    pub fn plant(&mut self, fault: crate::planted::PlantedFault) {
        self.memory.leaf.plant(fault);
        self.responder.plant(fault);
    }

    fn parts(&mut self) -> (Door<'_, Paged<M>>, &mut Responder) {
        (Door { frames: &mut self.memory, pairs: &mut self.pairs }, &mut self.responder)
    }

    /// As [`Door::create_native`], for all pages of the process. Immediates of WRITEs come from [`Node::poll_immediate`].
    ///
    /// # Errors
    /// [`NodeError::Responder`].
    pub fn create_native(&mut self, config: QueuePairConfig) -> Result<(), NodeError> {
        let (mut door, responder) = self.parts();
        door.create_native(responder, config, None)
    }
    /// As [`Door::create_chain`].
    ///
    /// # Errors
    /// Every [`NodeError`].
    pub fn create_chain(&mut self, config: ChainConfig) -> Result<(), NodeError> {
        let (mut door, responder) = self.parts();
        door.create_chain(responder, config)
    }
    /// As [`Door::destroy`].
    ///
    /// # Errors
    /// [`NodeError::Responder`].
    pub fn destroy(&mut self, qpn: u32) -> Result<(), NodeError> {
        let (mut door, responder) = self.parts();
        door.destroy(responder, qpn)
    }

    /// Ends a segment and every chain on it; the frames go back.
    ///
    /// # Errors
    /// [`NodeError::Segment`].
    pub fn destroy_segment(&mut self, segment: u32) -> Result<(), NodeError> {
        let on_it = self.pairs.chains().filter(|(_, own)| *own == segment);
        for qpn in on_it.map(|(qpn, _)| qpn).collect::<Vec<_>>() {
            let (mut door, responder) = self.parts();
            door.fail(responder, qpn);
        }
        Ok(self.memory.leaf.destroy(segment)?)
    }

    /// What the tables have seen.
    pub const fn counters(&self) -> &PagedCounters {
        self.pairs.counters()
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
        let (mut door, responder) = self.parts();
        door.receive(responder, now, arrival);
    }
    /// When [`Node::poll_transmit`] is to be called, if nothing comes before. A responder that is not idle is to be asked again
    /// besides.
    pub fn next_time(&self) -> Option<u64> {
        self.pairs.next_time()
    }
    /// As [`Door::poll_transmit`].
    pub fn poll_transmit(&mut self, now: u64, to: &mut [u8; PACKET_MAX]) -> Option<Departure> {
        let (mut door, responder) = self.parts();
        door.poll_transmit(responder, now, to)
    }
}
