//! The seam between the slow path and any fast path: the software board, the Verilated RTL, the device.
use crate::leaf::{LeafCommand, LeafRefused, LeafState};
use mneme_wire::{ChainRegister, LeafRegister, Register, RoceRegister};

/// The ring towards the network has no room for the frame; offer it again later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the slow ring towards the network is full")]
pub struct RingFull;

/// Latency of requests inside a board, in cycles of the core clock: last beat at ingress to first beat at egress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LatencySummary {
    /// Requests measured.
    pub count: u64,
    /// Shortest.
    pub min: u64,
    /// Median.
    pub p50: u64,
    /// 99th percentile.
    pub p99: u64,
    /// Longest.
    pub max: u64,
}

/// One fast path, whatever it is made of (contracts §6). Calls do not wait for the network.
///
/// A register access may let a simulated board's time pass. Whoever starts a replace command reads `REPLACE_STATUS` until
/// it is no longer `RUNNING`: a board must get there within a bounded number of such reads, without any other call.
pub trait FastPath {
    /// Reads a register.
    fn read_register(&mut self, register: Register) -> u32;
    /// Writes a register.
    fn write_register(&mut self, register: Register, value: u32);
    /// Reads one of the 32-bit wrapping hardware counters.
    fn read_counter(&mut self, counter: mneme_wire::Counter) -> u32;
    /// Reads a word that lies among the counters and is none: a high-water mark (`Mark`), or a histogram's bucket (`Stage`), by its
    /// number. 0 where the board does not have it.
    fn read_observed(&mut self, number: u32) -> u32 {
        let _ = number;
        0
    }
    /// Takes the next frame of the slow ring, a whole Ethernet frame without its check sequence: what was in `into` is gone then.
    /// False: there is none, and what is in `into` says nothing. One buffer serves for all frames, so that none costs an
    /// allocation.
    fn receive(&mut self, into: &mut Vec<u8>) -> bool;
    /// Queues a frame that leaves through the board's network port as it is.
    fn send(&mut self, frame: &[u8]) -> Result<(), RingFull>;
    /// Reads board DRAM. `address + into.len()` lies within memory.
    fn read_memory(&mut self, address: u64, into: &mut [u8]);
    /// Writes board DRAM. The page table is never written through this window: only the replace command changes it.
    fn write_memory(&mut self, address: u64, from: &[u8]);
    /// Has a leaf unit that is software execute a command; one of hardware has registers.
    ///
    /// # Errors
    /// [`LeafRefused`]: nothing was done. [`LeafRefused::None`] of a fast path that has none.
    fn leaf(&mut self, command: LeafCommand) -> Result<u64, LeafRefused> {
        let _ = command;
        Err(LeafRefused::None)
    }
    /// What that leaf unit has; `None`: there is none.
    fn leaf_state(&self) -> Option<LeafState> {
        None
    }
    /// Reads a word of the leaf unit's registers by its offset in their block; 0 where there are none.
    fn read_leaf(&mut self, offset: u32) -> u32 {
        let _ = offset;
        0
    }
    /// Writes one of its registers; nothing happens where there are none.
    fn write_leaf(&mut self, register: LeafRegister, value: u32) {
        let _ = (register, value);
    }
    /// Reads a word of the chains' registers by its offset in their block; 0 where BUILD_FLAGS tell of no chains.
    fn read_chain(&mut self, offset: u32) -> u32 {
        let _ = offset;
        0
    }
    /// Writes one of their registers; nothing happens where there are no chains.
    fn write_chain(&mut self, register: ChainRegister, value: u32) {
        let _ = (register, value);
    }
    /// Reads a word of the RoCEv2 port's registers by its offset in their block; 0 where BUILD_FLAGS tell of no port.
    fn read_roce(&mut self, offset: u32) -> u32 {
        let _ = offset;
        0
    }
    /// Writes one of its registers; nothing happens where there is no port.
    fn write_roce(&mut self, register: RoceRegister, value: u32) {
        let _ = (register, value);
    }
    /// Bytes of memory that may be used, page table included, where they are fewer than MEM_BITS tells: the table and its
    /// index stay those of all memory.
    fn memory_limit(&self) -> Option<u64> {
        None
    }
    /// Simulated boards: cycles from a request's last beat in to its answer's first beat out.
    fn latency(&self) -> Option<LatencySummary> {
        None
    }
}
