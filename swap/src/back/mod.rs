//! What a device's bytes lie on. A back end has a [`Store`], which gives and takes memory by the chunk and belongs to one thread, and
//! a [`Lane`] for each queue, which reads and writes.
//!
//! A board with pages of 4 KB gives a block memory with its first write and takes it back with a FREE. Then the store has one place
//! for the whole device ([`Store::place`]), nobody takes and gives chunks, and lanes free blocks.
mod chain;
mod clib;
mod frames;
mod native;
mod ram;

pub use chain::ChainLane;
pub use clib::{ClibLane, ClibStore};
pub use frames::FrameStore;
pub use native::{NativeLane, Way};
pub use ram::{RamLane, RamStore};

use std::os::fd::BorrowedFd;
use std::time::Duration;

/// Why an operation or a wish for memory failed. The same few words everywhere: in the log, in the counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Failure {
    /// Nothing was heard of the board for as long as operations are tried.
    #[error("the board does not answer")]
    Silent,
    /// The board has started anew, or has taken the process's memory back.
    #[error("the board has started anew or reclaimed the process: its memory is gone")]
    Gone,
    /// No free page, or the quota is spent.
    #[error("the board has no memory left for this device")]
    NoMemory,
    /// The board refused, or its memory failed.
    #[error("the board refused the operation")]
    Refused,
    /// As many blocks wait in RAM as may.
    #[error("as many blocks wait in RAM as may")]
    HeldFull,
}

impl Failure {
    /// All of them.
    pub const ALL: [Failure; 5] =
        [Failure::Silent, Failure::Gone, Failure::NoMemory, Failure::Refused, Failure::HeldFull];
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Failure::Silent => "board_silent",
            Failure::Gone => "board_memory_gone",
            Failure::NoMemory => "no_board_memory",
            Failure::Refused => "board_refused",
            Failure::HeldFull => "ram_full",
        }
    }
}

/// Which way bytes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Into the buffer.
    Read,
    /// Out of it.
    Write,
    /// No way: the board takes blocks back. Only where the store has one place for the device.
    Free,
}

/// An operation. The buffer is the lane's until the operation has ended.
#[derive(Debug)]
pub struct Order {
    /// The caller's number, below the lane's depth; no two under way have the same.
    pub tag: u32,
    /// Which way.
    pub access: Access,
    /// Where in the board's memory: a block's beginning.
    pub va: u64,
    /// Blocks behind that, bit by bit: of a read those that matter, of a write those that the board has a frame for, of a FREE those
    /// that are freed.
    pub blocks: u16,
    /// As many bytes as are to be read or written, [`UNIT`](crate::UNIT) at most. Of a FREE: any, with room for its message.
    pub bytes: Vec<u8>,
}

/// An operation that has ended.
#[derive(Debug)]
pub struct Ended {
    /// The order's.
    pub tag: u32,
    /// The order's buffer; after a failed read it holds anything.
    pub bytes: Vec<u8>,
    /// How.
    pub result: Result<(), Failure>,
}

/// The operations of one queue. Every one ends, within the time that the back end was given; they end in any order. What is written and
/// read together and touches the same bytes has no order.
pub trait Lane: Send {
    /// Begins an operation. Its failures come with its end, too. Does not block.
    fn submit(&mut self, order: Order);
    /// What was submitted has to leave now. Does not block.
    fn flush(&mut self) {}
    /// An operation that has ended. Does not block, unless the lane has lost the board and looks for it.
    fn poll(&mut self) -> Option<Ended>;
    /// Readable when [`Lane::poll`] may have something; looked at before sleeping.
    fn descriptor(&self) -> Option<BorrowedFd<'_>>;
    /// When to poll in any case.
    fn wait(&self) -> Option<Duration> {
        None
    }
    /// Packets or operations that were sent once more.
    fn sent_again(&self) -> u64 {
        0
    }
}

/// Memory of a back end. Its calls block.
pub trait Store: Send {
    /// Bytes of a chunk: a multiple of [`UNIT`](crate::UNIT).
    fn chunk(&self) -> u64;
    /// Where the whole device lies, of a board that gives and takes memory by the block: then nobody calls [`Store::take`] and
    /// [`Store::give`].
    fn place(&self) -> Option<u64> {
        None
    }
    /// A chunk, by an address that is not 0. It holds anything: the device knows which blocks were written.
    ///
    /// # Errors
    /// [`Failure`]; may work later.
    fn take(&mut self) -> Result<u64, Failure>;
    /// Gives a chunk back.
    ///
    /// # Errors
    /// [`Failure`]: it may stay the process's until its end, and is not used again.
    fn give(&mut self, va: u64) -> Result<(), Failure>;
    /// Writes a block.
    ///
    /// # Errors
    /// [`Failure`]; may work later.
    fn write(&mut self, va: u64, block: &[u8]) -> Result<(), Failure>;
    /// How long after a write that failed a late copy of it may still change memory: newer content must not come before that.
    fn settles(&self) -> Duration;
    /// Bytes that the board has for all its processes.
    fn memory(&self) -> u64;
    /// Gives everything back. Blocks until the board has answered, or for as long as operations are tried.
    ///
    /// # Errors
    /// [`Failure`]: the memory comes back with the lease.
    fn end(self: Box<Self>) -> Result<(), Failure>;
}
