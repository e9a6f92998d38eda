//! What a request consists of: its packets, and where their bytes lie at the caller.
//!
//! Remote memory is one or more ranges; local memory is one or more buffers ("parts"), which the ranges fill one after
//! the other. A [`Walk`] cuts the ranges into packets and follows through the parts.
use crate::split::{Limits, Pieces};
use crate::transport::{Call, Payload, Place};
use mneme_wire::{Opcode, Pid, Va};
use std::io::{IoSlice, IoSliceMut};

/// A transfer between a caller's memory and a board's, as the engine sees it. It may be driven by another thread than the
/// caller's.
pub(crate) trait Work: Send {
    /// The next packet, within the limits; `None` when there is none more.
    fn next(&mut self, limits: Limits) -> Option<Call>;
    /// Where the next packet begins; `None` when there is none more.
    fn next_va(&self) -> Option<Va>;
    /// Whether another packet follows.
    fn has_more(&self) -> bool;
    /// The bytes of a packet that did not leave are to be cut anew.
    fn again(&mut self, again: Again);
    /// Copies what a write carries.
    fn fill(&self, place: Place, payload: &mut [u8]);
    /// Takes what a read brought.
    fn land(&mut self, place: Place, payload: &[u8]);
}

/// What all packets of a request have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) opcode: Opcode,
    pub(crate) pid: Pid,
    pub(crate) epoch: u8,
}

impl Kind {
    #[inline]
    pub(crate) fn call(self, va: Va, length: u16, payload: Payload) -> Call {
        let Kind { opcode, pid, epoch } = self;
        Call { opcode, pid, epoch, va, length, payload, place: Place::default() }
    }
}

/// A range of remote memory, and the part in which its bytes begin.
pub(crate) type Range = (Va, usize, u32);

/// Buffers of the caller, and the remote memory that belongs to them.
pub(crate) trait Local {
    /// A range by number, in order; none past the last.
    fn range(&self, number: usize) -> Option<Range>;
    /// Bytes of a part; none past the last.
    fn part_len(&self, part: usize) -> Option<usize>;
}
/// Buffers to write from.
pub(crate) trait Source: Local {
    /// A part's bytes.
    fn bytes(&self, part: usize) -> &[u8];
}
/// Buffers to read into.
pub(crate) trait Sink: Local {
    /// A part's bytes.
    fn bytes_mut(&mut self, part: usize) -> &mut [u8];
}

/// What a packet carried, or asked for, that is to be cut anew.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Again {
    pub(crate) va: Va,
    pub(crate) length: u16,
    pub(crate) place: Place,
}

/// Memory of another owner, handed to an asynchronous call until it has ended: bytes are encoded straight from it, or
/// land straight in it. Dropped when the call has ended, whether anybody asks how or not, by whichever call of the
/// client finds that out: `drop` must neither call the client nor wait for somebody who does.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// use mneme_clib::Lent;
/// use std::sync::mpsc::{Sender, channel};
///
/// /// Comes back to its owner when the call has ended.
/// struct Block(Vec<u8>, Sender<Vec<u8>>);
///
/// impl Lent for Block {
///     fn bytes(&self) -> &[u8] {
///         &self.0
///     }
///     fn bytes_mut(&mut self) -> &mut [u8] {
///         &mut self.0
///     }
/// }
/// impl Drop for Block {
///     fn drop(&mut self) {
///         // Nobody may be left to take it.
///         let _ = self.1.send(std::mem::take(&mut self.0));
///     }
/// }
///
/// let (owner, back) = channel();
/// process.rwrite_lent_async(va, Box::new(Block(vec![7; 64], owner))).wait()?;
/// let block = back.recv();
/// # Ok(()) }
/// ```
pub trait Lent: Send {
    /// The bytes, always as many.
    fn bytes(&self) -> &[u8];
    /// The same.
    fn bytes_mut(&mut self) -> &mut [u8];
}

/// Cuts ranges into packets and finds their places.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    pieces: Pieces,
    next_range: usize,
    place: Place,
    /// As many as packets may be in flight, at most.
    again: Vec<Again>,
}

impl Walk {
    #[inline(always)]
    pub(crate) fn next(&mut self, local: &(impl Local + ?Sized), kind: Kind, limits: Limits) -> Option<Call> {
        loop {
            if let Some(piece) = self.pieces.next(limits) {
                let place = self.place;
                self.advance(local, usize::from(piece.length));
                return Some(Call { place, ..kind.call(piece.va, piece.length, Payload::new()) });
            }
            if let Some(again) = self.again.pop() {
                self.place = again.place;
                self.pieces = Pieces::of(again.va, usize::from(again.length), limits);
                continue;
            }
            let (va, length, part) = local.range(self.next_range)?;
            self.next_range += 1;
            self.place = Place { part, ..Place::default() };
            // Most are one packet, and lie in one part.
            if limits.carry(va, length) && local.part_len(part as usize) == Some(length) {
                return Some(Call { place: self.place, ..kind.call(va, length as u16, Payload::new()) });
            }
            self.pieces = Pieces::of(va, length, limits);
            self.advance(local, 0);
        }
    }
    /// A packet's bytes are to be cut anew.
    #[cold]
    pub(crate) fn again(&mut self, again: Again) {
        self.again.push(again);
    }
    /// Where the next packet begins.
    pub(crate) fn next_va(&self, local: &(impl Local + ?Sized)) -> Option<Va> {
        if self.pieces.has_more() {
            return Some(self.pieces.next_va());
        }
        if let Some(again) = self.again.last() {
            return Some(again.va);
        }
        let mut ranges = (self.next_range..).map_while(|number| local.range(number));
        ranges.find(|(_, length, _)| *length > 0).map(|(va, _, _)| va)
    }
    /// Whether another packet follows.
    #[inline]
    pub(crate) fn has_more(&self, local: &(impl Local + ?Sized)) -> bool {
        let ranges = || (self.next_range..).map_while(|number| local.range(number));
        self.pieces.has_more() || !self.again.is_empty() || ranges().any(|(_, length, _)| length > 0)
    }
    /// Passes over bytes, and over parts that have no more.
    #[inline]
    fn advance(&mut self, local: &(impl Local + ?Sized), bytes: usize) {
        self.place.offset += bytes;
        while let Some(length) = local.part_len(self.place.part as usize)
            && self.place.offset >= length
        {
            self.place.offset -= length;
            self.place.part += 1;
        }
    }
}

/// A synchronous write.
pub(crate) struct Writing<L> {
    pub(crate) kind: Kind,
    pub(crate) walk: Walk,
    pub(crate) local: L,
}

impl<L: Source + Send> Work for Writing<L> {
    fn next(&mut self, limits: Limits) -> Option<Call> {
        self.walk.next(&self.local, self.kind, limits)
    }
    fn next_va(&self) -> Option<Va> {
        self.walk.next_va(&self.local)
    }
    fn has_more(&self) -> bool {
        self.walk.has_more(&self.local)
    }
    fn again(&mut self, again: Again) {
        self.walk.again(again);
    }
    fn fill(&self, place: Place, mut payload: &mut [u8]) {
        let (mut part, mut offset) = (place.part as usize, place.offset);
        while !payload.is_empty() && self.local.part_len(part).is_some() {
            let bytes = self.local.bytes(part).get(offset..).unwrap_or_default();
            let (now, later) = payload.split_at_mut(bytes.len().min(payload.len()));
            now.copy_from_slice(&bytes[..now.len()]);
            (payload, part, offset) = (later, part + 1, 0);
        }
    }
    fn land(&mut self, _: Place, _: &[u8]) {}
}

/// A synchronous read.
pub(crate) struct Reading<L> {
    pub(crate) kind: Kind,
    pub(crate) walk: Walk,
    pub(crate) local: L,
}

impl<L: Sink + Send> Work for Reading<L> {
    fn next(&mut self, limits: Limits) -> Option<Call> {
        self.walk.next(&self.local, self.kind, limits)
    }
    fn next_va(&self) -> Option<Va> {
        self.walk.next_va(&self.local)
    }
    fn has_more(&self) -> bool {
        self.walk.has_more(&self.local)
    }
    fn again(&mut self, again: Again) {
        self.walk.again(again);
    }
    fn fill(&self, _: Place, payload: &mut [u8]) {
        payload.fill(0);
    }
    fn land(&mut self, place: Place, payload: &[u8]) {
        scatter(&mut self.local, (place.part as usize, place.offset), payload);
    }
}

/// Copies bytes into buffers, from a place on.
pub(crate) fn scatter(local: &mut impl Sink, (mut part, mut offset): (usize, usize), mut payload: &[u8]) {
    while !payload.is_empty() && local.part_len(part).is_some() {
        let bytes = local.bytes_mut(part).get_mut(offset..).unwrap_or_default();
        let (now, later) = payload.split_at(bytes.len().min(payload.len()));
        bytes[..now.len()].copy_from_slice(now);
        (payload, part, offset) = (later, part + 1, 0);
    }
}

/// One buffer, one range.
pub(crate) struct One<B> {
    pub(crate) va: Va,
    pub(crate) bytes: B,
}

impl<B: std::ops::Deref<Target = [u8]>> Local for One<B> {
    fn range(&self, number: usize) -> Option<Range> {
        (number == 0).then_some((self.va, self.bytes.len(), 0))
    }
    fn part_len(&self, part: usize) -> Option<usize> {
        (part == 0).then_some(self.bytes.len())
    }
}
impl Source for One<&[u8]> {
    fn bytes(&self, part: usize) -> &[u8] {
        if part == 0 { self.bytes } else { &[] }
    }
}
impl Sink for One<&mut [u8]> {
    fn bytes_mut(&mut self, part: usize) -> &mut [u8] {
        if part == 0 { self.bytes } else { &mut [] }
    }
}

/// Several buffers, one range.
pub(crate) struct Many<B> {
    pub(crate) va: Va,
    /// Bytes of all buffers together.
    pub(crate) length: usize,
    pub(crate) buffers: B,
}

macro_rules! local_for_many {
    ($buffers:ty) => {
        impl Local for Many<$buffers> {
            fn range(&self, number: usize) -> Option<Range> {
                (number == 0).then_some((self.va, self.length, 0))
            }
            fn part_len(&self, part: usize) -> Option<usize> {
                self.buffers.get(part).map(|buffer| buffer.len())
            }
        }
    };
}
local_for_many!(&[IoSlice<'_>]);
local_for_many!(&mut [IoSliceMut<'_>]);
impl Source for Many<&[IoSlice<'_>]> {
    fn bytes(&self, part: usize) -> &[u8] {
        self.buffers.get(part).map_or(&[], |buffer| buffer)
    }
}
impl Sink for Many<&mut [IoSliceMut<'_>]> {
    fn bytes_mut(&mut self, part: usize) -> &mut [u8] {
        self.buffers.get_mut(part).map_or(&mut [], |buffer| buffer)
    }
}

/// One write of a batch.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// use mneme_clib::WritePart;
///
/// let parts = [WritePart { va, from: b"head" }, WritePart { va: va + 512, from: b"tail" }];
/// process.rwrite_batch(&parts)?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct WritePart<'b> {
    /// Where it goes.
    pub va: u64,
    /// What is written; 1 byte at least.
    pub from: &'b [u8],
}

/// One read of a batch.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// use mneme_clib::ReadPart;
///
/// let (mut a, mut b) = ([0; 8], [0; 8]);
/// process.rread_batch(&mut [ReadPart { va, into: &mut a }, ReadPart { va: va + 512, into: &mut b }])?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct ReadPart<'b> {
    /// Where it comes from.
    pub va: u64,
    /// What is filled; 1 byte at least.
    pub into: &'b mut [u8],
}

/// Pairs of a buffer and a range.
pub(crate) struct Pairs<B>(pub(crate) B);

macro_rules! local_for_pairs {
    ($pairs:ty, $field:ident) => {
        impl Local for Pairs<$pairs> {
            fn range(&self, number: usize) -> Option<Range> {
                let part = self.0.get(number)?;
                Some((Va::from_low_bits(part.va), part.$field.len(), number as u32))
            }
            fn part_len(&self, part: usize) -> Option<usize> {
                self.0.get(part).map(|part| part.$field.len())
            }
        }
    };
}
local_for_pairs!(&[WritePart<'_>], from);
local_for_pairs!(&mut [ReadPart<'_>], into);
impl Source for Pairs<&[WritePart<'_>]> {
    fn bytes(&self, part: usize) -> &[u8] {
        self.0.get(part).map_or(&[], |part| part.from)
    }
}
impl Sink for Pairs<&mut [ReadPart<'_>]> {
    fn bytes_mut(&mut self, part: usize) -> &mut [u8] {
        self.0.get_mut(part).map_or(&mut [], |part| part.into)
    }
}
