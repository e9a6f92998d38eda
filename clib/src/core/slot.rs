//! What one request is while it has not ended: what it asks, how its packets stand, and where its bytes lie.
use super::borrowed::Borrowed;
use super::progress::{Progress, Report};
use super::spaces::{Closed, Spaces, Way};
use crate::driver::Driver;
use crate::order::{Domain, RequestId};
use crate::request::{Again, Kind, Lent, Local, Range, Walk};
use crate::split::Limits;
use crate::transport::{Answer, Call, Place, Reason};
use mneme_wire::{Opcode, Va};
use std::task::Waker;

/// Remote ranges of a request, each with where its bytes begin in the request's buffer.
#[derive(Debug, Default)]
pub(crate) struct Ranges(Vec<(Va, usize, usize)>);

impl Ranges {
    /// Adds a range behind the others.
    pub(crate) fn push(&mut self, va: Va, length: usize) {
        let start = self.0.last().map_or(0, |(_, length, start)| start + length);
        self.0.push((va, length, start));
    }
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl Local for Ranges {
    fn range(&self, number: usize) -> Option<Range> {
        self.0.get(number).map(|(va, length, _)| (*va, *length, number as u32))
    }
    fn part_len(&self, part: usize) -> Option<usize> {
        self.0.get(part).map(|(_, length, _)| *length)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Free,
    Active,
    Ended,
}

/// Memory that a request has until it has ended.
pub(super) struct Loan(Box<dyn Lent>);

impl std::fmt::Debug for Loan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Loan({} bytes)", self.0.bytes().len())
    }
}

/// What an ended request leaves to whoever asked for it.
pub(crate) struct Taken<'a> {
    pub(crate) buffer: &'a mut Vec<u8>,
    pub(crate) answer: Option<Answer>,
    pub(crate) failed: bool,
}

/// What is asked: one packet, or memory to read or write.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(super) state: State,
    pub(super) id: RequestId,
    pub(super) domain: Domain,
    /// Whose board its next packet goes to, as far as is known.
    pub(super) lane: usize,
    /// It is for that board, whatever lies there.
    pub(crate) fixed: bool,
    /// What its answer gives is memory.
    pub(crate) allocates: bool,
    pub(super) kind: Option<Kind>,
    /// A request of a single packet with a payload of its own, whose answer is kept.
    pub(crate) once: Option<Call>,
    /// The same while it is under way and may have to take another way.
    pub(super) kept: Option<Call>,
    pub(super) walk: Walk,
    /// The remote memory of the others.
    pub(crate) ranges: Ranges,
    /// The bytes of the ranges, one after the other; may be longer.
    pub(crate) buffer: Vec<u8>,
    /// The bytes lie here instead.
    pub(super) lent: Option<Loan>,
    /// Or with a thread that waits for the request, which also says what is asked.
    pub(super) borrowed: Option<Borrowed>,
    pub(super) progress: Progress,
    pub(super) answer: Option<Answer>,
    pub(super) bytes: usize,
    /// A thread waits for it: it counts for no bound.
    pub(super) synchronous: bool,
    /// Nobody will ask how it ended.
    pub(super) detached: bool,
    /// Of the future that sleeps until it has ended.
    pub(super) waker: Option<Waker>,
}

impl Slot {
    /// Reads or writes the ranges.
    pub(crate) fn transfers(&mut self, kind: Kind) {
        self.kind = Some(kind);
        self.walk = Walk::default();
    }
    /// The bytes of the ranges lie in memory that somebody has lent.
    pub(crate) fn lend(&mut self, memory: Box<dyn Lent>) {
        self.lent = Some(Loan(memory));
    }
    /// The thread that makes the request has the memory, and waits.
    pub(super) fn borrow(&mut self, work: Borrowed) {
        self.borrowed = Some(work);
    }
    pub(super) fn bytes(&self) -> &[u8] {
        self.lent.as_ref().map_or(&self.buffer, |lent| lent.0.bytes())
    }
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.lent {
            Some(lent) => lent.0.bytes_mut(),
            None => &mut self.buffer,
        }
    }
    /// Makes room for what is read.
    pub(crate) fn reserve(&mut self, length: usize) {
        if self.buffer.len() < length {
            self.buffer.resize(length, 0);
        }
    }
    #[inline(always)]
    pub(super) fn next_call(&mut self, limits: Limits) -> Option<Call> {
        match (self.kind, &mut self.borrowed) {
            (Some(kind), _) => self.walk.next(&self.ranges, kind, limits),
            (None, Some(work)) => work.get_mut().next(limits),
            (None, None) => self.once.take(),
        }
    }
    /// The way of the next packet, where memory is on several boards.
    pub(super) fn way(&self, spaces: &Spaces) -> Option<Way> {
        let next = match (self.kind, &self.borrowed) {
            _ if self.fixed => None,
            (Some(_), _) => self.walk.next_va(&self.ranges),
            (None, Some(work)) => work.get().next_va(),
            (None, None) => self.once.as_ref().map(|call| call.va),
        };
        spaces.way(self.domain, next?.get())
    }
    /// Ends with an error before its next packet leaves if its process has ended on that one's board, which is a lane's.
    /// Only EXIT may be sent again to one of which nobody knows whether it has.
    #[cold]
    pub(super) fn refuse(
        &mut self,
        (lane, limits): (usize, Limits),
        spaces: &Spaces,
        driver: &dyn Driver,
    ) -> bool {
        let Some(why) = spaces.closed(self.domain, lane) else { return false };
        let ends = self.once.as_ref().is_some_and(|call| call.opcode == Opcode::Exit);
        if why == Closed::Perhaps && ends {
            return false;
        }
        let Some(call) = self.next_call(limits) else { return false };
        let reason = Reason::Exited { perhaps: why == Closed::Perhaps };
        self.progress.never_begun(&call, reason, Report { driver, failed: None });
        true
    }
    /// Keeps what is asked for, should another board have to be asked. What memory is read and written lies elsewhere.
    pub(super) fn keep(&mut self, call: &Call) {
        if !self.moves() {
            self.kept = Some(call.clone());
        }
    }
    /// What a packet asked for is to be sent again; false: it is not known any more.
    pub(super) fn again(&mut self, again: Again) -> bool {
        match (self.kind, &mut self.borrowed) {
            (Some(_), _) => self.walk.again(again),
            (None, Some(work)) => work.get_mut().again(again),
            (None, None) => {
                self.once = self.kept.take();
                return self.once.is_some();
            }
        }
        true
    }
    /// Whether another packet waits to be sent.
    #[inline]
    pub(super) fn has_more(&self) -> bool {
        match (self.kind, &self.borrowed) {
            (Some(_), _) => self.walk.has_more(&self.ranges),
            (None, Some(work)) => work.get().has_more(),
            (None, None) => self.once.is_some(),
        }
    }
    /// Whether it moves bytes, which may be cut in other ways.
    pub(super) fn moves(&self) -> bool {
        self.kind.is_some() || self.borrowed.is_some()
    }
    /// A thread waits for it, and nothing of it was ever under way.
    pub(super) fn has_to_begin(&self) -> bool {
        self.synchronous && self.progress.is_untouched() && self.has_more()
    }
    /// Nothing of it is under way, and nothing more will be.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.progress.at_rest() && (self.progress.error.is_some() || !self.has_more())
    }
    pub(super) fn place(&self, place: Place, length: usize) -> Option<std::ops::Range<usize>> {
        let (_, _, start) = self.ranges.0.get(place.part as usize)?;
        let from = start + place.offset;
        Some(from..from + length)
    }
}

impl Slot {
    pub(super) fn new(id: RequestId) -> Self {
        Slot {
            state: State::Free,
            id,
            domain: Domain::NONE,
            lane: 0,
            fixed: false,
            allocates: false,
            kept: None,
            kind: None,
            once: None,
            walk: Walk::default(),
            ranges: Ranges::default(),
            buffer: Vec::new(),
            lent: None,
            borrowed: None,
            progress: Progress::default(),
            answer: None,
            bytes: 0,
            synchronous: false,
            detached: false,
            waker: None,
        }
    }
}
