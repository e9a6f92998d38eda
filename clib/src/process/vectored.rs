//! Vectored access: several local buffers and one remote range, pairs of a buffer and a range in one call, or several
//! ranges and one buffer. All packets of a call are under way together, as far as the windows allow.
//!
//! To the ordering layer a call touches all bytes from its first to its last one.
use super::{Process, range};
use crate::error::{Error, Result};
use crate::order::{Access, Footprint};
use crate::pending::{Outcome, Pending, sealed::Sealed};
use crate::process::{ReadOwned, Written};
use crate::request::{Many, Pairs, ReadPart, Reading, Sink, Walk, WritePart, Writing, scatter};
use crate::transport::Answer;
use mneme_wire::{Opcode, Va};
use smallvec::SmallVec;
use std::io::{IoSlice, IoSliceMut};

/// Ends with the buffers, filled.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// use std::io::IoSliceMut;
///
/// let (mut head, mut body) = ([0; 16], [0; 1000]);
/// let mut parts = [IoSliceMut::new(&mut head), IoSliceMut::new(&mut body)];
/// process.rreadv_async(va, &mut parts).wait()?;
/// # Ok(()) }
/// ```
pub struct ReadVectored<'s, 'b>(&'s mut [IoSliceMut<'b>]);
/// Ends with the parts, filled.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// use mneme_clib::ReadPart;
///
/// let (mut a, mut b) = ([0; 8], [0; 8]);
/// let mut parts = [ReadPart { va, into: &mut a }, ReadPart { va: va + 512, into: &mut b }];
/// process.rread_batch_async(&mut parts).wait()?;
/// # Ok(()) }
/// ```
pub struct ReadBatch<'s, 'b>(&'s mut [ReadPart<'b>]);

/// Copies a request's buffer into the caller's.
fn spread(local: &mut impl Sink, buffer: &[u8], length: usize) {
    scatter(local, (0, 0), &buffer[..length.min(buffer.len())]);
}

impl Sealed for ReadVectored<'_, '_> {}
impl<'s, 'b> Outcome for ReadVectored<'s, 'b> {
    type Output = &'s mut [IoSliceMut<'b>];
    type Error = Error;
    fn collect(&mut self, buffer: &mut Vec<u8>, _: Option<Answer>) {
        let length = self.0.iter().map(|part| part.len()).sum();
        let mut local = Many { va: Va::default(), length, buffers: &mut *self.0 };
        spread(&mut local, buffer, length);
    }
    fn finish(self, _: &Process) -> Result<Self::Output> {
        Ok(self.0)
    }
}

impl Sealed for ReadBatch<'_, '_> {}
impl<'s, 'b> Outcome for ReadBatch<'s, 'b> {
    type Output = &'s mut [ReadPart<'b>];
    type Error = Error;
    fn collect(&mut self, buffer: &mut Vec<u8>, _: Option<Answer>) {
        let length = self.0.iter().map(|part| part.into.len()).sum();
        spread(&mut Pairs(&mut *self.0), buffer, length);
    }
    fn finish(self, _: &Process) -> Result<Self::Output> {
        Ok(self.0)
    }
}

/// What a checked batch touches.
struct Batch {
    footprint: Footprint,
    bytes: usize,
}

impl Process {
    /// Checks the ranges of a batch. Writes of one call must not overlap, since they are under way together.
    fn check_batch(
        &self,
        what: &'static str,
        access: Access,
        ranges: impl Iterator<Item = (u64, usize)> + Clone,
    ) -> Result<Batch> {
        let (mut first, mut last, mut bytes, mut sorted) = (u64::MAX, 0, 0, true);
        for (va, length) in ranges.clone() {
            range(what, va, length as u64)?;
            sorted &= va >= last;
            (first, last) = (first.min(va), last.max(va + length as u64));
            bytes = length.saturating_add(bytes);
        }
        if bytes == 0 {
            return Err(Error::ZeroSize(what));
        }
        // In ascending order nothing can overlap, and nothing has to be sorted.
        if access == Access::Write && !sorted {
            let mut all: SmallVec<[(u64, usize); 32]> = ranges.collect();
            all.sort_unstable();
            let meets = |pair: &&[(u64, usize)]| pair[0].0 + pair[0].1 as u64 > pair[1].0;
            if let Some(pair) = all.windows(2).find(meets) {
                return Err(Error::Overlap { first: pair[0].0, second: pair[1].0 });
            }
        }
        Ok(Batch { footprint: self.footprint(access, first, last - first), bytes })
    }
    /// Reads one remote range into several buffers, which it fills one after the other. Empty buffers are allowed, 1
    /// byte in all is needed.
    pub fn rreadv(&self, va: u64, into: &mut [IoSliceMut<'_>]) -> Result<()> {
        let length = into.iter().map(|part| part.len()).sum();
        let address = range("rreadv", va, length as u64)?;
        let footprint = self.footprint(Access::Read, va, length as u64);
        let walk = Walk::default();
        let local = Many { va: address, length, buffers: into };
        self.session().run(footprint, self.ends, &mut Reading { kind: self.kind(Opcode::Read), walk, local })
    }
    /// Writes several buffers, one after the other, to one remote range. Small ones share packets. As with
    /// [`Process::rwrite`], an error whose effect is partial leaves some of the bytes written.
    pub fn rwritev(&self, va: u64, from: &[IoSlice<'_>]) -> Result<()> {
        let length = from.iter().map(|part| part.len()).sum();
        let address = range("rwritev", va, length as u64)?;
        let footprint = self.footprint(Access::Write, va, length as u64);
        let walk = Walk::default();
        let local = Many { va: address, length, buffers: from };
        self.session().run(footprint, self.ends, &mut Writing { kind: self.kind(Opcode::Write), walk, local })
    }
    /// Reads several ranges into a buffer each. After an error the buffers hold anything.
    pub fn rread_batch(&self, parts: &mut [ReadPart<'_>]) -> Result<()> {
        let ranges = parts.iter().map(|part| (part.va, part.into.len()));
        let batch = self.check_batch("rread_batch", Access::Read, ranges)?;
        let walk = Walk::default();
        let local = Pairs(parts);
        self.session().run(
            batch.footprint,
            self.ends,
            &mut Reading { kind: self.kind(Opcode::Read), walk, local },
        )
    }
    /// Writes several buffers to a range each; the ranges must not overlap. In no order, and not atomic: an error whose
    /// effect is partial leaves some of the bytes written.
    pub fn rwrite_batch(&self, parts: &[WritePart<'_>]) -> Result<()> {
        let ranges = parts.iter().map(|part| (part.va, part.from.len()));
        let batch = self.check_batch("rwrite_batch", Access::Write, ranges)?;
        let walk = Walk::default();
        let local = Pairs(parts);
        self.session().run(
            batch.footprint,
            self.ends,
            &mut Writing { kind: self.kind(Opcode::Write), walk, local },
        )
    }
}

/// Asynchronous: as their namesakes, in the order of [`Process::rread_async`] and [`Process::rwrite_async`].
impl Process {
    /// As [`Process::rreadv`]; the buffers come back, filled, with the result.
    pub fn rreadv_async<'s, 'b>(
        &self,
        va: u64,
        into: &'s mut [IoSliceMut<'b>],
    ) -> Pending<ReadVectored<'s, 'b>> {
        let length: usize = into.iter().map(|part| part.len()).sum();
        let address = match range("rreadv", va, length as u64) {
            Ok(address) => address,
            Err(error) => return Pending::ready(self, Err(error)),
        };
        let footprint = self.footprint(Access::Read, va, length as u64);
        self.begin(footprint, length, ReadVectored(into), |slot| {
            slot.transfers(self.kind(Opcode::Read));
            slot.ranges.push(address, length);
            slot.reserve(length);
        })
    }
    /// As [`Process::rwritev`]. The bytes are taken at once.
    pub fn rwritev_async(&self, va: u64, from: &[IoSlice<'_>]) -> Pending<Written> {
        let length: usize = from.iter().map(|part| part.len()).sum();
        let address = match range("rwritev", va, length as u64) {
            Ok(address) => address,
            Err(error) => return Pending::ready(self, Err(error)),
        };
        let footprint = self.footprint(Access::Write, va, length as u64);
        self.begin(footprint, length, Written(()), |slot| {
            slot.transfers(self.kind(Opcode::Write));
            slot.ranges.push(address, length);
            slot.buffer.clear();
            from.iter().for_each(|part| slot.buffer.extend_from_slice(part));
        })
    }
    /// As [`Process::rread_batch`]; the parts come back, filled, with the result. The bytes lie with the client until
    /// the result is taken: [`Process::rread_batch_owned_async`] saves that copy.
    pub fn rread_batch_async<'s, 'b>(&self, parts: &'s mut [ReadPart<'b>]) -> Pending<ReadBatch<'s, 'b>> {
        let ranges = parts.iter().map(|part| (part.va, part.into.len()));
        let batch = match self.check_batch("rread_batch", Access::Read, ranges) {
            Ok(batch) => batch,
            Err(error) => return Pending::ready(self, Err(error)),
        };
        let submitted = self.session().submit((batch.footprint, None), batch.bytes, self.ends, |slot| {
            slot.transfers(self.kind(Opcode::Read));
            parts.iter().for_each(|part| slot.ranges.push(Va::from_low_bits(part.va), part.into.len()));
            slot.reserve(batch.bytes);
        });
        match submitted {
            Ok(handle) => Pending::flying(self, handle, ReadBatch(parts)),
            Err(error) => Pending::ready(self, Err(error)),
        }
    }
    /// Reads several ranges, each an address and its bytes, one after the other into a buffer that is the call's until
    /// it has ended: they land in it straight from the network. It is made as long as they are together, whatever its
    /// length was; what was behind that is cut off. An error has it, too. More than there is memory for is
    /// [`Error::QueueFull`].
    pub fn rread_batch_owned_async(&self, ranges: &[(u64, usize)], mut into: Vec<u8>) -> Pending<ReadOwned> {
        let batch = match self.check_batch("rread_batch", Access::Read, ranges.iter().copied()) {
            Ok(batch) => batch,
            Err(error) => return self.refuse(into, error),
        };
        if into.capacity() < batch.bytes
            && let Err(error) = self.make_room(&mut into, batch.bytes)
        {
            return self.refuse(into, error);
        }
        let mut handed = Some(into);
        let submitted = self.session().submit((batch.footprint, None), batch.bytes, self.ends, |slot| {
            slot.transfers(self.kind(Opcode::Read));
            ranges.iter().for_each(|(va, length)| slot.ranges.push(Va::from_low_bits(*va), *length));
            slot.buffer = handed.take().unwrap_or_default();
            slot.buffer.resize(batch.bytes, 0);
        });
        match submitted {
            Ok(handle) => Pending::flying(self, handle, ReadOwned(Vec::new())),
            Err(error) => self.refuse(handed.unwrap_or_default(), error),
        }
    }
    /// Makes room for what a call is to bring, if that may be outstanding and there is memory for it.
    #[cold]
    fn make_room(&self, into: &mut Vec<u8>, bytes: usize) -> Result<()> {
        let core = self.session().lock()?;
        core.admit(bytes)?;
        into.try_reserve_exact(bytes.saturating_sub(into.len())).map_err(|_| core.full(bytes))
    }
    /// As [`Process::rwrite_batch`]. The bytes are taken at once.
    pub fn rwrite_batch_async(&self, parts: &[WritePart<'_>]) -> Pending<Written> {
        let ranges = parts.iter().map(|part| (part.va, part.from.len()));
        let batch = match self.check_batch("rwrite_batch", Access::Write, ranges) {
            Ok(batch) => batch,
            Err(error) => return Pending::ready(self, Err(error)),
        };
        self.begin(batch.footprint, batch.bytes, Written(()), |slot| {
            slot.transfers(self.kind(Opcode::Write));
            slot.buffer.clear();
            for part in parts {
                slot.ranges.push(Va::from_low_bits(part.va), part.from.len());
                slot.buffer.extend_from_slice(part.from);
            }
        })
    }
}
