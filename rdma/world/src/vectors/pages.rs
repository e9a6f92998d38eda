//! Memory as the access engine has it: an access is done page by page, and ends at the first page that is not ready, may not
//! be accessed or fails. What lies before that is done.
use std::collections::BTreeMap;

use mneme_rdma::memory::{Atomic, Memory, MemoryFault};

/// log2 of a page's bytes.
pub const PAGE_BITS: u32 = 18;
const PAGE: u64 = 1 << PAGE_BITS;

/// Pages of processes; one that was never written is zeros.
#[derive(Debug, Default)]
pub struct Pages {
    written: BTreeMap<(u32, u64), Vec<u8>>,
    faults: BTreeMap<(u32, u64), MemoryFault>,
}

impl Pages {
    /// From now on accesses to the page end so; `None`: they are done.
    pub fn set(&mut self, pid: u32, page: u64, fault: Option<MemoryFault>) {
        match fault {
            Some(fault) => self.faults.insert((pid, page), fault),
            None => self.faults.remove(&(pid, page)),
        };
    }
    /// Pages that were written: process, number, bytes.
    pub fn written(&self) -> impl Iterator<Item = (u32, u64, &[u8])> {
        self.written.iter().map(|((pid, page), bytes)| (*pid, *page, bytes.as_slice()))
    }
    fn page(&mut self, pid: u32, page: u64) -> &mut Vec<u8> {
        self.written.entry((pid, page)).or_insert_with(|| vec![0; PAGE as usize])
    }
    /// Does `with` for each part of a range: page, first byte in it, and which bytes of the range.
    fn parts(
        &mut self,
        pid: u32,
        va: u64,
        length: usize,
        mut with: impl FnMut(&mut Pages, u64, usize, std::ops::Range<usize>),
    ) -> Result<(), MemoryFault> {
        let mut at = 0;
        while at < length {
            let here = va + at as u64;
            let bytes = (PAGE - here % PAGE).min((length - at) as u64) as usize;
            if let Some(fault) = self.faults.get(&(pid, here >> PAGE_BITS)) {
                return Err(*fault);
            }
            with(self, here >> PAGE_BITS, (here % PAGE) as usize, at..at + bytes);
            at += bytes;
        }
        Ok(())
    }
}

impl Memory for Pages {
    fn read(&mut self, pid: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        self.parts(pid, va, to.len(), |pages, page, first, range| {
            let to = &mut to[range];
            match pages.written.get(&(pid, page)) {
                Some(bytes) => to.copy_from_slice(&bytes[first..][..to.len()]),
                None => to.fill(0),
            }
        })
    }
    fn write(&mut self, pid: u32, va: u64, from: &[u8]) -> Result<(), MemoryFault> {
        self.parts(pid, va, from.len(), |pages, page, first, range| {
            let from = &from[range];
            pages.page(pid, page)[first..][..from.len()].copy_from_slice(from);
        })
    }
    fn atomic(&mut self, pid: u32, va: u64, operation: Atomic) -> Result<u64, MemoryFault> {
        let mut found = 0;
        self.parts(pid, va, 8, |pages, page, first, _| {
            if let Some(word) = pages.page(pid, page)[first..].first_chunk_mut::<8>() {
                found = u64::from_le_bytes(*word);
                *word = operation.apply(found).to_le_bytes();
            }
        })?;
        Ok(found)
    }
}
