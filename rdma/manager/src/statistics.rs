//! What a port has counted, as memory that its clients read.
use mneme_rdma::memory::{Atomic, Memory, MemoryFault};

/// The process of what the board has counted: no other one has a number of more than 24 bits.
pub const STATISTICS: u32 = 1 << 24;

/// What a port has counted: counters of 8 bytes, little-endian, to be read by process [`STATISTICS`].
pub struct StatisticsMemory<'a>(pub &'a [u8]);

impl Memory for StatisticsMemory<'_> {
    fn read(&mut self, pid: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        let start = usize::try_from(va).ok().filter(|_| pid == STATISTICS).ok_or(MemoryFault::Denied)?;
        let bytes = self.0.get(start..).and_then(|rest| rest.get(..to.len()));
        to.copy_from_slice(bytes.ok_or(MemoryFault::Denied)?);
        Ok(())
    }
    fn write(&mut self, _: u32, _: u64, _: &[u8]) -> Result<(), MemoryFault> {
        Err(MemoryFault::Denied)
    }
    fn atomic(&mut self, _: u32, _: u64, _: Atomic) -> Result<u64, MemoryFault> {
        Err(MemoryFault::Denied)
    }
}
