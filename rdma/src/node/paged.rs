//! Segments in memory of their own, for nodes that are no board: models, tests.
use super::door::{Door, Frames, QueuePairs};
use super::leaf::Leaf;
use crate::memory::{Atomic, Memory, MemoryFault};

/// Segments, their frames' bytes, and the memory behind everything that is no segment.
#[derive(Debug)]
pub struct Paged<M> {
    /// Memory of board pages.
    pub under: M,
    /// Tables and ring.
    pub leaf: Leaf,
    bytes: Vec<u8>,
}

impl<M> Paged<M> {
    /// Memory for all frames that there can be; all of it is zero.
    pub fn new(under: M, leaf: Leaf) -> Paged<M> {
        let frames = leaf.range();
        let bytes = usize::try_from(frames.end - frames.start).unwrap_or(0);
        Paged { under, leaf, bytes: vec![0; bytes] }
    }
    fn place(&self, address: u64, length: usize) -> Result<std::ops::Range<usize>, MemoryFault> {
        let from = address.checked_sub(self.leaf.range().start).ok_or(MemoryFault::Failed)? as usize;
        let end = from.checked_add(length).filter(|end| *end <= self.bytes.len());
        end.map(|end| from..end).ok_or(MemoryFault::Failed)
    }
    fn apart<R>(&mut self, work: impl FnOnce(&mut Door<'_, Paged<M>>) -> R) -> R {
        work(&mut Door { frames: self, pairs: &mut QueuePairs::default() })
    }
}

impl<M: Memory> Frames for Paged<M> {
    type Under = M;

    fn leaf(&self) -> &Leaf {
        &self.leaf
    }
    fn leaf_mut(&mut self) -> &mut Leaf {
        &mut self.leaf
    }
    fn under(&mut self) -> &mut M {
        &mut self.under
    }
    fn load(&self, address: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        to.copy_from_slice(&self.bytes[self.place(address, to.len())?]);
        Ok(())
    }
    fn store(&mut self, address: u64, from: &[u8]) -> Result<(), MemoryFault> {
        let place = self.place(address, from.len())?;
        self.bytes[place].copy_from_slice(from);
        Ok(())
    }
}

/// Accesses of no queue pair: each is whole in itself.
impl<M: Memory> Memory for Paged<M> {
    fn read(&mut self, pid: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        self.apart(|door| door.read(pid, va, to))
    }
    fn write(&mut self, pid: u32, va: u64, from: &[u8]) -> Result<(), MemoryFault> {
        self.apart(|door| door.write(pid, va, from))
    }
    fn atomic(&mut self, pid: u32, va: u64, operation: Atomic) -> Result<u64, MemoryFault> {
        self.apart(|door| door.atomic(pid, va, operation))
    }
}
