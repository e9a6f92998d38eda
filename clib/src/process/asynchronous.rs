//! Asynchronous calls of a process (Clio §3.1): they return at once and end in any order, except that
//!
//! - requests of this process that depend on each other (a read or write behind a write of the same bytes, a write
//!   behind a read) take effect in the order of the calls, on all handles of one client;
//! - allocations, frees, changes of rights, fences and locks wait for everything before them, and everything after them
//!   waits for them;
//! - when [`Process::rrelease`] returns, everything before it has ended.
//!
//! Synchronous calls obey the same rules against asynchronous ones. `docs/guides/ordering.md` has the table.
use super::memory::{self, Back};
use super::{AllocOptions, Process, range, way, word};
use crate::core::{Slot, Way};
use crate::error::{Error, Result};
use crate::order::{Access, Footprint};
use crate::pending::{Outcome, Pending, sealed::Sealed};
use crate::request::{Kind, Lent};
use crate::transport::{Answer, Payload};
use mneme_wire::{Opcode, Va};

/// Ends with the buffer, filled.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// let mut bytes = [0; 64];
/// let filled: &mut [u8] = process.rread_async(va, &mut bytes).wait()?;
/// # Ok(()) }
/// ```
pub struct ReadInto<'b>(&'b mut [u8]);
/// Ends with the buffer that the call was given, filled.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// let filled: Vec<u8> = process.rread_owned_async(va, vec![0; 64]).wait()?;
/// # Ok(()) }
/// ```
pub struct ReadOwned(pub(super) Vec<u8>);
/// Ends when all bytes are written, or have come into memory that was lent.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// process.rwrite_async(va, b"remote memory").wait()?;
/// # Ok(()) }
/// ```
pub struct Written(pub(super) ());
/// Ends with the buffer when all its bytes are written.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// let back: Vec<u8> = process.rwrite_owned_async(va, vec![7; 64]).wait()?;
/// # Ok(()) }
/// ```
pub struct WrittenOwned(Vec<u8>);
/// Ends with what an atomic's word held before.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// let old: u64 = process.swap_async(va, 1).wait()?;
/// # Ok(()) }
/// ```
pub struct OldWord(u64);
/// Ends with the address of new memory.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process) -> mneme_clib::Result<()> {
/// let va: u64 = process.ralloc_async(4096).wait()?;
/// # Ok(()) }
/// ```
pub struct Allocated {
    /// Of the process's boards, the number of the one that is asked.
    number: usize,
    size: u64,
    at: Option<u64>,
    small: bool,
    /// The answer's payload.
    given: Payload,
}
/// Ends when the memory is freed.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// process.rfree_async(va).wait()?;
/// # Ok(()) }
/// ```
pub struct Unmapped {
    va: u64,
    back: Back,
}

/// A call on a buffer of its own that failed: the buffer comes back, after a read with anything in it.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// if let Err(error) = process.rread_owned_async(va, vec![0; 64]).wait() {
///     println!("{error}; the buffer of {} bytes is back", error.buffer.len());
/// }
/// # Ok(()) }
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct BufferError {
    /// The buffer that the call was given.
    pub buffer: Vec<u8>,
    /// Why the call failed.
    #[source]
    pub error: Box<Error>,
}

impl From<Error> for BufferError {
    /// Of a call that has no buffer any more.
    fn from(error: Error) -> BufferError {
        BufferError { buffer: Vec::new(), error: Box::new(error) }
    }
}

impl From<BufferError> for Error {
    /// Without the buffer.
    fn from(error: BufferError) -> Error {
        *error.error
    }
}

impl Sealed for ReadInto<'_> {}
impl<'b> Outcome for ReadInto<'b> {
    type Output = &'b mut [u8];
    type Error = Error;
    fn collect(&mut self, buffer: &mut Vec<u8>, _: Option<Answer>) {
        // The request's buffer was made as long as this one at least.
        let length = self.0.len().min(buffer.len());
        self.0[..length].copy_from_slice(&buffer[..length]);
    }
    fn finish(self, _: &Process) -> Result<&'b mut [u8]> {
        Ok(self.0)
    }
}

impl Sealed for ReadOwned {}
impl Outcome for ReadOwned {
    type Output = Vec<u8>;
    type Error = BufferError;
    fn collect(&mut self, buffer: &mut Vec<u8>, _: Option<Answer>) {
        self.0 = std::mem::take(buffer);
    }
    fn reclaim(&mut self, buffer: &mut Vec<u8>) {
        self.0 = std::mem::take(buffer);
    }
    fn finish(self, _: &Process) -> Result<Vec<u8>, BufferError> {
        Ok(self.0)
    }
    fn fail(self, _: &Process, error: Error) -> BufferError {
        BufferError { buffer: self.0, error: Box::new(error) }
    }
}

impl Sealed for WrittenOwned {}
impl Outcome for WrittenOwned {
    type Output = Vec<u8>;
    type Error = BufferError;
    fn collect(&mut self, buffer: &mut Vec<u8>, _: Option<Answer>) {
        self.0 = std::mem::take(buffer);
    }
    fn reclaim(&mut self, buffer: &mut Vec<u8>) {
        self.0 = std::mem::take(buffer);
    }
    fn finish(self, _: &Process) -> Result<Vec<u8>, BufferError> {
        Ok(self.0)
    }
    fn fail(self, _: &Process, error: Error) -> BufferError {
        BufferError { buffer: self.0, error: Box::new(error) }
    }
}

impl Sealed for Written {}
impl Outcome for Written {
    type Output = ();
    type Error = Error;
    fn finish(self, _: &Process) -> Result<()> {
        Ok(())
    }
}

impl Sealed for OldWord {}
impl Outcome for OldWord {
    type Output = u64;
    type Error = Error;
    fn collect(&mut self, _: &mut Vec<u8>, answer: Option<Answer>) {
        self.0 = answer.as_ref().map_or(0, word);
    }
    fn finish(self, _: &Process) -> Result<u64> {
        Ok(self.0)
    }
}

impl Sealed for Allocated {}
impl Outcome for Allocated {
    type Output = u64;
    type Error = Error;
    fn collect(&mut self, _: &mut Vec<u8>, answer: Option<Answer>) {
        self.given = answer.map_or_else(Payload::new, |answer| answer.payload);
    }
    fn finish(self, process: &Process) -> Result<u64> {
        let given = memory::given(&self.given)?;
        process.came(self.number, given, self.size, self.small)
    }
    fn unclaimed(va: u64, process: &Process) {
        process.discard(va);
    }
    fn explain(&self, process: &Process, error: Error) -> Error {
        let page = process.page_of(self.number);
        let asked = if self.small { page } else { self.size };
        let lane = process.inner.members[self.number].lane;
        let memory = process.session().look(0, |core| core.lane(lane).board().memory);
        memory::explain_alloc(error, asked, page, self.at, memory)
    }
}

impl Sealed for Unmapped {}
impl Outcome for Unmapped {
    type Output = ();
    type Error = Error;
    fn finish(self, process: &Process) -> Result<()> {
        process.session().lock()?.freed(process.domain(), self.back.0.get(), self.back.1);
        Ok(())
    }
    fn explain(&self, _: &Process, error: Error) -> Error {
        memory::explain_free(error, self.va)
    }
}

impl Process {
    /// Begins a call of `bytes` in all, unless as many as may be are outstanding.
    pub(super) fn begin<K: Outcome>(
        &self,
        footprint: Footprint,
        bytes: usize,
        kind: K,
        ask: impl FnOnce(&mut Slot),
    ) -> Pending<K> {
        self.begin_at((footprint, None), bytes, kind, ask)
    }
    /// The same. `to.1`: for the board of this lane; none: for memory, wherever it is.
    fn begin_at<K: Outcome>(
        &self,
        to: (Footprint, Option<usize>),
        bytes: usize,
        kind: K,
        ask: impl FnOnce(&mut Slot),
    ) -> Pending<K> {
        let submitted = self.session().submit(to, bytes, self.ends, ask);
        match submitted {
            Ok(handle) => Pending::flying(self, handle, kind),
            Err(error) => Pending::ready(self, Err(error.into())),
        }
    }
    /// Begins an operation of one board, of which the footprint is a barrier.
    fn slow_async<K: Outcome>(
        &self,
        (footprint, way): (Footprint, Way),
        kind: K,
        (opcode, va): (Opcode, Va),
        payload: &[u8],
    ) -> Pending<K> {
        let to = (footprint, Some(way.lane));
        let packet = Kind { opcode, pid: way.pid, epoch: way.epoch };
        self.begin_at(to, payload.len(), kind, |slot| {
            slot.allocates = opcode == Opcode::Alloc;
            slot.once = Some(packet.call(va, payload.len() as u16, Payload::from_slice(payload)));
        })
    }
    /// A read whose outcome knows where its bytes go.
    pub(crate) fn read_plain<K: Outcome>(&self, va: u64, length: usize, kind: K) -> Pending<K> {
        let address = match range("rread", va, length as u64) {
            Ok(address) => address,
            Err(error) => return Pending::ready(self, Err(error.into())),
        };
        let footprint = self.footprint(Access::Read, va, length as u64);
        self.begin(footprint, length, kind, |slot| {
            slot.transfers(self.kind(Opcode::Read));
            slot.ranges.push(address, length);
            slot.reserve(length);
        })
    }
    /// As [`Process::rread`]; the buffer comes back, filled, with the result. The bytes lie with the client until the
    /// result is taken: [`Process::rread_owned_async`] saves that copy.
    pub fn rread_async<'b>(&self, va: u64, into: &'b mut [u8]) -> Pending<ReadInto<'b>> {
        self.read_plain(va, into.len(), ReadInto(into))
    }
    /// As [`Process::rread`] into a buffer that is the call's until it has ended: the bytes land in it straight from
    /// the network. An error has it, too.
    pub fn rread_owned_async(&self, va: u64, into: Vec<u8>) -> Pending<ReadOwned> {
        self.owned("rread", (Opcode::Read, Access::Read), va, into, ReadOwned)
    }
    /// A call on a buffer that is handed over.
    fn owned<K: Outcome<Error = BufferError>>(
        &self,
        what: &'static str,
        (opcode, access): (Opcode, Access),
        va: u64,
        buffer: Vec<u8>,
        kind: fn(Vec<u8>) -> K,
    ) -> Pending<K> {
        let length = buffer.len();
        let address = match range(what, va, length as u64) {
            Ok(address) => address,
            Err(error) => return self.refuse(buffer, error),
        };
        let footprint = self.footprint(access, va, length as u64);
        let mut handed = Some(buffer);
        let submitted = self.session().submit((footprint, None), length, self.ends, |slot| {
            slot.transfers(self.kind(opcode));
            slot.ranges.push(address, length);
            slot.buffer = handed.take().unwrap_or_default();
        });
        match submitted {
            Ok(handle) => Pending::flying(self, handle, kind(Vec::new())),
            Err(error) => self.refuse(handed.unwrap_or_default(), error),
        }
    }
    /// A call that is not made; its buffer comes back.
    pub(super) fn refuse<K: Outcome<Error = BufferError>>(
        &self,
        buffer: Vec<u8>,
        error: Error,
    ) -> Pending<K> {
        Pending::ready(self, Err(BufferError { buffer, error: Box::new(error) }))
    }
    /// As [`Process::rwrite`]. The bytes are taken at once: `from` may change as soon as this returns.
    pub fn rwrite_async(&self, va: u64, from: &[u8]) -> Pending<Written> {
        let address = match range("rwrite", va, from.len() as u64) {
            Ok(address) => address,
            Err(error) => return Pending::ready(self, Err(error)),
        };
        let footprint = self.footprint(Access::Write, va, from.len() as u64);
        self.begin(footprint, from.len(), Written(()), |slot| {
            slot.transfers(self.kind(Opcode::Write));
            slot.ranges.push(address, from.len());
            slot.buffer.clear();
            slot.buffer.extend_from_slice(from);
        })
    }
    /// As [`Process::rwrite`] from a buffer that is the call's until it has ended: the bytes are encoded straight from
    /// it. An error has it, too.
    pub fn rwrite_owned_async(&self, va: u64, from: Vec<u8>) -> Pending<WrittenOwned> {
        self.owned("rwrite", (Opcode::Write, Access::Write), va, from, WrittenOwned)
    }
    /// As [`Process::rread_owned_async`] into memory of any owner: the bytes land in it straight from the network, and
    /// it is dropped when the call has ended, or at once when the call is refused on this side.
    pub fn rread_lent_async(&self, va: u64, into: Box<dyn Lent>) -> Pending<Written> {
        self.lent("rread", (Opcode::Read, Access::Read), va, into)
    }
    /// As [`Process::rwrite_owned_async`] from memory of any owner, in the manner of [`Process::rread_lent_async`].
    pub fn rwrite_lent_async(&self, va: u64, from: Box<dyn Lent>) -> Pending<Written> {
        self.lent("rwrite", (Opcode::Write, Access::Write), va, from)
    }
    fn lent(
        &self,
        what: &'static str,
        (opcode, access): (Opcode, Access),
        va: u64,
        memory: Box<dyn Lent>,
    ) -> Pending<Written> {
        let length = memory.bytes().len();
        let address = match range(what, va, length as u64) {
            Ok(address) => address,
            Err(error) => return Pending::ready(self, Err(error)),
        };
        let footprint = self.footprint(access, va, length as u64);
        self.begin(footprint, length, Written(()), |slot| {
            slot.transfers(self.kind(opcode));
            slot.ranges.push(address, length);
            slot.lend(memory);
        })
    }
    /// As [`Process::compare_swap`].
    pub fn compare_swap_async(&self, va: u64, expected: u64, new: u64) -> Pending<OldWord> {
        self.atomic_async(Opcode::CompareSwap, va, super::two_words(expected, new).as_slice())
    }
    /// As [`Process::fetch_add`].
    pub fn fetch_add_async(&self, va: u64, addend: u64) -> Pending<OldWord> {
        self.atomic_async(Opcode::FetchAdd, va, &addend.to_le_bytes())
    }
    /// As [`Process::swap`].
    pub fn swap_async(&self, va: u64, new: u64) -> Pending<OldWord> {
        self.atomic_async(Opcode::Swap, va, &new.to_le_bytes())
    }
    fn atomic_async(&self, opcode: Opcode, va: u64, payload: &[u8]) -> Pending<OldWord> {
        let address = match super::aligned(va) {
            Ok(address) => address,
            Err(error) => return Pending::ready(self, Err(error)),
        };
        let footprint = self.footprint(Access::Write, va, 8);
        self.begin(footprint, payload.len(), OldWord(0), |slot| {
            slot.once = Some(self.kind(opcode).call(address, 8, Payload::from_slice(payload)));
        })
    }
    /// As [`Process::ralloc`].
    pub fn ralloc_async(&self, size: u64) -> Pending<Allocated> {
        self.ralloc_with_async(size, AllocOptions::default())
    }
    /// As [`Process::ralloc_with`]. Memory of a handle that is dropped before its end goes back to the board with the next
    /// allocation, free or [`Process::rrelease`] of the process.
    pub fn ralloc_with_async(&self, size: u64, options: AllocOptions) -> Pending<Allocated> {
        let asked = match self.session().is_own().and_then(|()| self.check_alloc(size, options)) {
            Ok(asked) => asked,
            Err(error) => return Pending::ready(self, Err(error)),
        };
        let number = self.candidates(&asked, false)[0];
        let at_hand = self.heaps().map(|mut heaps| {
            let at_hand = if asked.may_share { heaps.take(size, asked.only) } else { None };
            at_hand.ok_or_else(|| heaps.shares(number, size, asked.may_share))
        });
        let (page, small) = match at_hand {
            Ok(Ok(va)) => return Pending::ready(self, Ok(va)),
            Ok(Err(shares)) => shares,
            Err(error) => return Pending::ready(self, Err(error)),
        };
        let (va, payload) = memory::alloc_request(if small { page } else { size }, options);
        let kind = Allocated { number, size, at: options.at, small, given: Payload::new() };
        let to = (Footprint::barrier(self.domain()), way(&self.inner.members[number]));
        self.slow_async(to, kind, (Opcode::Alloc, va), &payload)
    }
    /// As [`Process::rfree`]. One that shares pages needs no room among the calls under way: a page that nobody uses any
    /// more goes back when there is some.
    pub fn rfree_async(&self, va: u64) -> Pending<Unmapped> {
        let room = self.session().lock().and_then(|core| core.admit(memory::free_request().len()));
        let full = room.is_err();
        // Refused before the heap forgets the allocation, so that the call can be made again.
        let admitted = self.is_shared(va).and_then(|shared| if shared { Ok(()) } else { room });
        match admitted.and_then(|()| self.take_back(va)) {
            Ok(Some(back)) if full => {
                self.owe(back);
                Pending::ready(self, Ok(()))
            }
            Ok(Some(back)) => self.give_back_async(back, va),
            Ok(None) => Pending::ready(self, Ok(())),
            Err(error) => Pending::ready(self, Err(error)),
        }
    }
    /// Gives pages back to the boards that have them; where the process has ended they are gone, and what lies there may be
    /// another one's. Of parts that have moved `rrelease` tells the errors.
    pub(super) fn give_back_async(&self, back: Back, va: u64) -> Pending<Unmapped> {
        let (call, mut first) = (self.one_call(), None);
        let barrier = self.barrier_of_parts();
        for (way, base) in self.holders(back) {
            if self.has_ended_on(&way) {
                continue;
            }
            let (to, kind) = ((barrier, way), Unmapped { va, back });
            let pending = call.slow_async(to, kind, (Opcode::Free, base), &memory::free_request());
            first.get_or_insert(pending);
        }
        first.unwrap_or_else(|| Pending::ready(self, Ok(())))
    }
    /// What operations that are the parts of one call wait for, and hold up.
    fn barrier_of_parts(&self) -> Footprint {
        let barrier = Footprint::barrier(self.domain());
        self.session().look(barrier, |core| core.of_parts(barrier))
    }
    /// Ends the process on its boards, as far as nobody has to wait for that.
    pub(crate) fn leave(&self) {
        let barrier = self.barrier_of_parts();
        for way in self.session().look(Default::default(), |core| core.all_ways(self.domain())) {
            let exit = (Opcode::Exit, Va::default());
            drop(self.unhurried().slow_async((barrier, way), Written(()), exit, &[]));
        }
    }
    /// Waits until all asynchronous calls of this process on this client that were made so far have ended. Answers the
    /// first error of those whose handles were dropped; the others tell theirs through their handles. Where the time of the
    /// handle is over before ([`Process::within`]), they go on, and their errors are left to a later release.
    pub fn rrelease(&self) -> Result<()> {
        let ends = self.session().ends(self.ends);
        let ended = self.session().release(self.domain(), ends);
        if self.give_unclaimed_back() {
            return ended.and(self.session().release(self.domain(), ends));
        }
        ended
    }
}
