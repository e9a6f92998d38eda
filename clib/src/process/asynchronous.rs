//! Asynchronous calls of a process (Clio §3.1): they return at once and end in any order, except that
//!
//! - requests of this process that depend on each other (a read or write behind a write of the same page, a write behind a
//!   read) take effect in the order of the calls, on all handles of one client;
//! - allocations, frees, changes of rights, fences and locks wait for everything before them, and everything after them
//!   waits for them;
//! - when [`Process::rrelease`] returns, everything before it has ended.
//!
//! Synchronous calls obey the same rules against asynchronous ones. `docs/ordering.md` has the table.
use super::{AllocOptions, Process, range, word};
use crate::core::Answers;
use crate::error::{Error, Result};

use crate::order::{Access, Footprint};
use crate::pending::{Outcome, Pending, sealed::Sealed};
use crate::split::pieces;
use crate::transport::Call;
use mneme_wire::Opcode;
use std::collections::VecDeque;

/// Ends with the buffer, filled.
pub struct ReadInto<'b>(&'b mut [u8]);
/// Ends when all bytes are written.
pub struct Written(());
/// Ends with what an atomic's word held before.
pub struct OldWord(());
/// Ends with the address of new memory.
pub struct Allocated {
    size: u64,
    at: Option<u64>,
    small: bool,
}
/// Ends when the memory is freed.
pub struct Unmapped {
    va: u64,
}

impl Sealed for ReadInto<'_> {}
impl<'b> Outcome for ReadInto<'b> {
    type Output = &'b mut [u8];
    fn finish(self, _: &Process, answers: Answers) -> Result<&'b mut [u8]> {
        for (offset, answer) in &answers {
            // The transport lets only answers of the length that was asked for pass.
            self.0[*offset..offset + answer.payload.len()].copy_from_slice(&answer.payload);
        }
        Ok(self.0)
    }
}

impl Sealed for Written {}
impl Outcome for Written {
    type Output = ();
    fn finish(self, _: &Process, _: Answers) -> Result<()> {
        Ok(())
    }
}

impl Sealed for OldWord {}
impl Outcome for OldWord {
    type Output = u64;
    fn finish(self, _: &Process, answers: Answers) -> Result<u64> {
        Ok(answers.first().map_or(0, |(_, answer)| word(answer)))
    }
}

impl Sealed for Allocated {}
impl Outcome for Allocated {
    type Output = u64;
    fn finish(self, process: &Process, answers: Answers) -> Result<u64> {
        let (va, given) = super::given(&answers)?;
        let mut heap = process.heap();
        if !self.small {
            heap.add_range(va, given);
            return Ok(va);
        }
        heap.add_arena(va, given);
        // A fresh page holds what is at most half a page.
        heap.take(self.size).ok_or(Error::TooLarge(self.size))
    }
    fn explain(&self, process: &Process, error: Error) -> Error {
        let asked = if self.small { process.page_size() } else { self.size };
        super::explain_alloc(error, asked, process.page_size(), self.at, process.core().board().memory)
    }
}

impl Sealed for Unmapped {}
impl Outcome for Unmapped {
    type Output = ();
    fn finish(self, _: &Process, _: Answers) -> Result<()> {
        Ok(())
    }
    fn explain(&self, _: &Process, error: Error) -> Error {
        super::explain_free(error, self.va)
    }
}

impl Process {
    /// Begins a call of some packets, `bytes` in all, unless as many as may be are outstanding.
    fn begin<K: Outcome>(
        &self,
        footprint: Footprint,
        bytes: usize,
        kind: K,
        calls: impl FnOnce() -> VecDeque<(usize, Call)>,
    ) -> Pending<'_, K> {
        let mut core = self.core();
        match core.admit(bytes) {
            Ok(()) => {
                let id = core.submit(footprint, calls());
                drop(core);
                Pending::flying(self, id, kind)
            }
            Err(error) => {
                drop(core);
                Pending::ready(self, Err(error))
            }
        }
    }
    /// As [`Process::rread`]; the buffer comes back, filled, with the result.
    pub fn rread_async<'p, 'b>(&'p self, va: u64, into: &'b mut [u8]) -> Pending<'p, ReadInto<'b>> {
        let address = match range("rread", va, into.len() as u64) {
            Ok(address) => address,
            Err(error) => return Pending::ready(self, Err(error)),
        };
        let (limits, length) = (self.core().limits(), into.len());
        let footprint = self.footprint(Access::Read, va, length as u64);
        self.begin(footprint, length, ReadInto(into), || {
            pieces(address, length, limits)
                .map(|piece| (piece.offset, self.call(Opcode::Read, piece.va, piece.length, Vec::new())))
                .collect()
        })
    }
    /// As [`Process::rwrite`]. The bytes are taken at once: `from` may change as soon as this returns.
    pub fn rwrite_async(&self, va: u64, from: &[u8]) -> Pending<'_, Written> {
        let address = match range("rwrite", va, from.len() as u64) {
            Ok(address) => address,
            Err(error) => return Pending::ready(self, Err(error)),
        };
        let limits = self.core().limits();
        let footprint = self.footprint(Access::Write, va, from.len() as u64);
        self.begin(footprint, from.len(), Written(()), || {
            let packet = |piece: crate::split::Piece| {
                let payload = from[piece.offset..piece.offset + usize::from(piece.length)].to_vec();
                (piece.offset, self.call(Opcode::Write, piece.va, piece.length, payload))
            };
            pieces(address, from.len(), limits).map(packet).collect()
        })
    }
    /// As [`Process::compare_swap`].
    pub fn compare_swap_async(&self, va: u64, expected: u64, new: u64) -> Pending<'_, OldWord> {
        self.atomic_async(Opcode::CompareSwap, va, [expected.to_le_bytes(), new.to_le_bytes()].concat())
    }
    /// As [`Process::fetch_add`].
    pub fn fetch_add_async(&self, va: u64, addend: u64) -> Pending<'_, OldWord> {
        self.atomic_async(Opcode::FetchAdd, va, addend.to_le_bytes().to_vec())
    }
    /// As [`Process::swap`].
    pub fn swap_async(&self, va: u64, new: u64) -> Pending<'_, OldWord> {
        self.atomic_async(Opcode::Swap, va, new.to_le_bytes().to_vec())
    }
    fn atomic_async(&self, opcode: Opcode, va: u64, payload: Vec<u8>) -> Pending<'_, OldWord> {
        let address = match super::aligned(va) {
            Ok(address) => address,
            Err(error) => return Pending::ready(self, Err(error)),
        };
        let footprint = self.footprint(Access::Write, va, 8);
        self.begin(footprint, 8, OldWord(()), || [(0, self.call(opcode, address, 8, payload))].into())
    }
    /// As [`Process::ralloc`].
    pub fn ralloc_async(&self, size: u64) -> Pending<'_, Allocated> {
        self.ralloc_with_async(size, AllocOptions::default())
    }
    /// As [`Process::ralloc_with`]. Memory of a handle that is dropped before its end is freed when the process exits.
    pub fn ralloc_with_async(&self, size: u64, options: AllocOptions) -> Pending<'_, Allocated> {
        let small = match self.check_alloc(size, options) {
            Ok(small) => small,
            Err(error) => return Pending::ready(self, Err(error)),
        };
        let at_hand = if small { self.heap().take(size) } else { None };
        if let Some(va) = at_hand {
            return Pending::ready(self, Ok(va));
        }
        let asked = if small { self.page_size() } else { size };
        let (va, payload) = super::alloc_request(asked, options);
        let kind = Allocated { size, at: options.at, small };
        self.begin(Footprint::barrier(self.pid), payload.len(), kind, || {
            [(0, self.call(Opcode::Alloc, va, payload.len() as u16, payload))].into()
        })
    }
    /// As [`Process::rfree`].
    pub fn rfree_async(&self, va: u64) -> Pending<'_, Unmapped> {
        let payload = super::free_request();
        // Refused before the heap forgets the allocation, so that the call can be made again.
        let admitted = self.core().admit(payload.len());
        let base = match admitted.and_then(|()| self.take_back(va)) {
            Ok(Some(base)) => base,
            Ok(None) => return Pending::ready(self, Ok(())),
            Err(error) => return Pending::ready(self, Err(error)),
        };
        self.begin(Footprint::barrier(self.pid), payload.len(), Unmapped { va }, || {
            [(0, self.call(Opcode::Free, base, payload.len() as u16, payload))].into()
        })
    }
    /// Waits until all asynchronous calls of this process on this client that were made so far have ended. Answers the
    /// first error of those whose handles were dropped; the others tell theirs through their handles.
    pub fn rrelease(&self) -> Result<()> {
        self.core().release(self.pid)
    }
}
