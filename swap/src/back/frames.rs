//! Pages of 4 KB (kind P): the device is one range of a process. The board's data path gives a page a frame with the first write, and
//! lanes that speak RDMA give frames back.
use super::{ClibStore, Failure, Store};
use crate::BLOCK;
use mneme_clib::{AllocOptions, Client, Error, OpenOptions, Process};
use mneme_wire::{Cause, Status};
use std::time::Duration;

/// A process with one range, whose pages come one by one.
pub struct FrameStore {
    under: ClibStore,
    va: u64,
    length: u64,
}

impl FrameStore {
    /// Opens a process and allocates `length` bytes of addresses, of which `budget` bytes may have frames at a time. `None`: the board
    /// has no pages of 4 KB.
    ///
    /// # Errors
    /// Those of [`Client::open`] and [`Process::ralloc_with`]: no memory or no quota for the budget, among others.
    pub fn open(
        client: &Client,
        options: OpenOptions,
        length: u64,
        budget: u64,
    ) -> Result<Option<FrameStore>, Error> {
        let under = ClibStore::open(client, options)?;
        let frames = AllocOptions { frames: Some(budget), ..AllocOptions::default() };
        match under.process().ralloc_with(length, frames) {
            Ok(va) => Ok(Some(FrameStore { under, va, length })),
            Err(error) => {
                // What failed first is what is told; without an answer the process ends with its lease.
                let _ended = Box::new(under).end();
                match error.refusal() {
                    Some((Status::Unsupported, Cause::Split)) => Ok(None),
                    _ => Err(error),
                }
            }
        }
    }
    /// The process.
    pub const fn process(&self) -> &Process {
        self.under.process()
    }
    /// Where the range begins, and its bytes.
    pub const fn range(&self) -> (u64, u64) {
        (self.va, self.length)
    }
}

impl Store for FrameStore {
    fn chunk(&self) -> u64 {
        self.under.chunk()
    }
    fn place(&self) -> Option<u64> {
        Some(self.va)
    }
    fn take(&mut self) -> Result<u64, Failure> {
        Err(Failure::Refused)
    }
    fn give(&mut self, _: u64) -> Result<(), Failure> {
        Err(Failure::Refused)
    }
    fn write(&mut self, va: u64, block: &[u8]) -> Result<(), Failure> {
        debug_assert!(va - self.va + BLOCK <= self.length, "{va:#x}");
        self.under.write(va, block)
    }
    fn settles(&self) -> Duration {
        self.under.settles()
    }
    fn memory(&self) -> u64 {
        self.under.memory()
    }
    fn end(self: Box<Self>) -> Result<(), Failure> {
        Box::new(self.under).end()
    }
}
