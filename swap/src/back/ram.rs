//! Memory of this process: what the front costs by itself. It is the measure of `bench`, and serves tests; a device on it stores nothing
//! anywhere else.
use super::{Access, Ended, Failure, Lane, Order, Store};
use parking_lot::RwLock;
use std::collections::VecDeque;
use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::Duration;

/// Bytes of a chunk.
const CHUNK: u64 = 4 << 20;

type Chunks = Arc<Vec<RwLock<Box<[u8]>>>>;

/// The memory. All of it is there from the start.
pub struct RamStore {
    chunks: Chunks,
    free: Vec<u64>,
}

impl RamStore {
    /// Memory of so many bytes, rounded up to chunks.
    pub fn new(bytes: u64) -> RamStore {
        let count = bytes.div_ceil(CHUNK);
        let chunk = |_| RwLock::new(vec![0; CHUNK as usize].into_boxed_slice());
        RamStore {
            chunks: Arc::new((0..count).map(chunk).collect()),
            // Address 0 is no memory, for devices.
            free: (1..=count).rev().map(|number| number * CHUNK).collect(),
        }
    }
    /// A lane to it. `depth`: operations under way at most.
    pub fn lane(&self, depth: u32) -> RamLane {
        RamLane { chunks: Arc::clone(&self.chunks), ended: VecDeque::with_capacity(depth as usize) }
    }
}

fn place(va: u64, length: usize) -> (usize, std::ops::Range<usize>) {
    let from = (va % CHUNK) as usize;
    ((va / CHUNK - 1) as usize, from..from + length)
}

impl Store for RamStore {
    fn chunk(&self) -> u64 {
        CHUNK
    }
    fn take(&mut self) -> Result<u64, Failure> {
        self.free.pop().ok_or(Failure::NoMemory)
    }
    fn give(&mut self, va: u64) -> Result<(), Failure> {
        self.free.push(va);
        Ok(())
    }
    fn write(&mut self, va: u64, block: &[u8]) -> Result<(), Failure> {
        let (chunk, range) = place(va, block.len());
        self.chunks[chunk].write()[range].copy_from_slice(block);
        Ok(())
    }
    fn settles(&self) -> Duration {
        Duration::ZERO
    }
    fn memory(&self) -> u64 {
        self.chunks.len() as u64 * CHUNK
    }
    fn end(self: Box<Self>) -> Result<(), Failure> {
        Ok(())
    }
}

/// Copies at once.
pub struct RamLane {
    chunks: Chunks,
    ended: VecDeque<Ended>,
}

impl Lane for RamLane {
    fn submit(&mut self, Order { tag, access, va, mut bytes, .. }: Order) {
        let (chunk, range) = place(va, bytes.len());
        match access {
            Access::Read => bytes.copy_from_slice(&self.chunks[chunk].read()[range]),
            Access::Write => self.chunks[chunk].write()[range].copy_from_slice(&bytes),
            // Its store has chunks.
            Access::Free => debug_assert!(false, "nobody frees blocks of RAM"),
        }
        self.ended.push_back(Ended { tag, bytes, result: Ok(()) });
    }
    fn poll(&mut self) -> Option<Ended> {
        self.ended.pop_front()
    }
    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        None
    }
}
