//! Requests: those that have not ended, and those whose end nobody has asked for yet. Asynchronous ones are bounded in
//! number and bytes; of synchronous ones each thread has one.
//!
//! Each lies in a slot that is used again, with its buffers: in steady state nothing is allocated.
mod early;
mod own;

use super::progress::Report;
use super::slot::{Slot, State, Taken};
use super::spaces::Spaces;
use super::turns::{Ready, Turns};
use crate::driver::Driver;
use crate::error::{Error, Result};
use crate::order::{Domain, Order, RequestId};
use crate::request::Again;
use crate::split::Limits;
use crate::stats::Recorder;
use crate::transport::{Answer, Buffers, Ended, Failure, Payload, Place, Transport};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::task::Waker;
use std::time::Duration;

/// Bounds of what asynchronous calls may leave behind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) requests: usize,
    pub(crate) bytes: usize,
}

/// Deadlines of requests that have ended are kept within this number and twice the requests that there were at once.
const KEPT_DEADLINES: usize = 64;

/// Allocations that nobody has claimed yet, at most; what is more goes with its process.
const MOST_UNCLAIMED: usize = 1 << 16;

/// Memory that nobody waits for any more: whose, by which lane, and the payload of the answer.
pub(crate) type Unclaimed = (Domain, usize, Payload);

/// Names a request until its end is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Handle {
    slot: u32,
    id: RequestId,
}

/// All requests of a client.
#[derive(Debug)]
pub(super) struct Outstanding {
    bounds: Bounds,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// By lane, requests that the ordering layer let go and whose next packet goes there.
    ready: Vec<Turns>,
    /// Requests that wait for others, oldest first.
    blocked: VecDeque<Ready>,
    bytes: usize,
    /// Asynchronous requests.
    requests: usize,
    /// Bytes of buffers that free slots keep.
    kept: usize,
    /// When requests are to have ended; of some that have ended, too.
    deadlines: BinaryHeap<Reverse<(Duration, Handle)>>,
    /// First errors of requests that nobody asked about, one per process.
    lost: HashMap<Domain, Error>,
    /// Memory that was given for calls whose ends nobody asked for: whose, by which board, and what it said.
    unclaimed: Vec<Unclaimed>,
    /// How many slots have a waker.
    sleeping: usize,
    /// Wakers of requests that have ended, to be woken without the client's lock.
    woken: Vec<Waker>,
}

impl Outstanding {
    pub(super) fn new(bounds: Bounds) -> Self {
        let bounds = Bounds { requests: bounds.requests.min(1 << 30), ..bounds };
        Outstanding {
            bounds,
            slots: Vec::new(),
            free: Vec::new(),
            ready: Vec::new(),
            deadlines: BinaryHeap::new(),
            blocked: VecDeque::new(),
            bytes: 0,
            requests: 0,
            kept: 0,
            lost: HashMap::new(),
            unclaimed: Vec::new(),
            sleeping: 0,
            woken: Vec::new(),
        }
    }
    /// Whether another request of so many bytes may be added.
    #[inline]
    pub(super) fn admit(&self, bytes: usize) -> Result<()> {
        if self.requests < self.bounds.requests && self.bytes.saturating_add(bytes) <= self.bounds.bytes {
            return Ok(());
        }
        Err(self.full(bytes))
    }
    /// That there is no room for another request of so many bytes.
    #[cold]
    pub(super) fn full(&self, asked: usize) -> Error {
        let Bounds { requests: most_requests, bytes: most_bytes } = self.bounds;
        Error::QueueFull { requests: self.requests, bytes: self.bytes, asked, most_requests, most_bytes }
    }
    /// There is another lane.
    pub(super) fn add_lane(&mut self) {
        self.ready.push(Turns::default());
    }
    /// Adds a request that was admitted, or that a thread waits for (no bytes are counted); `ask` says what is asked.
    /// Its packets take this lane, unless they are to take others.
    #[inline]
    pub(super) fn insert(
        &mut self,
        (id, domain, lane): (RequestId, Domain, usize),
        bytes: Option<usize>,
        order: &Order,
        ask: impl FnOnce(&mut Slot),
    ) -> Handle {
        let index = self.occupy((id, domain, lane), bytes, ask);
        if order.may_start(id) {
            self.ready[lane].add((id, index));
        } else {
            self.blocked.push_back((id, index));
        }
        Handle { slot: index, id }
    }
    /// Takes a slot for a request.
    #[inline]
    fn occupy(
        &mut self,
        (id, domain, lane): (RequestId, Domain, usize),
        bytes: Option<usize>,
        ask: impl FnOnce(&mut Slot),
    ) -> u32 {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::new(id));
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[index as usize];
        self.kept -= slot.buffer.capacity();
        (slot.state, slot.id, slot.domain, slot.bytes) = (State::Active, id, domain, bytes.unwrap_or(0));
        (slot.synchronous, slot.lane) = (bytes.is_none(), lane);
        self.bytes += slot.bytes;
        self.requests += usize::from(bytes.is_some());
        ask(slot);
        index
    }
    /// Whether a request has packets to hand over to a lane.
    #[inline]
    pub(super) fn has_ready(&self, lane: usize) -> bool {
        !self.ready[lane].is_empty()
    }
    /// Requests that wait no longer for others are ready.
    #[inline]
    pub(super) fn unblock(&mut self, order: &mut Order) {
        while let Some(id) = order.freed() {
            let Ok(at) = self.blocked.binary_search_by_key(&id, |(id, _)| *id) else { continue };
            let Some(freed) = self.blocked.remove(at) else { continue };
            self.ready[self.slots[freed.1 as usize].lane].add(freed);
        }
    }
    /// A request has packets for its lane, if it is not known already.
    fn queue(&mut self, ready: Ready) {
        let lane = self.slots[ready.1 as usize].lane;
        self.ready[lane].join(ready);
    }
    /// Hands packets to a lane's transport while it has room.
    pub(super) fn start(
        &mut self,
        (lane, limits): (usize, Limits),
        order: &mut Order,
        spaces: &Spaces,
        (transport, driver): (&mut Transport, &dyn Driver),
        now: Duration,
    ) {
        let (spread, closed) = (spaces.any_spread(), spaces.any_closed());
        if !self.ready[lane].own.is_empty() {
            self.start_own(lane, order, transport, now);
        }
        while transport.has_room()
            && let Some((id, index)) = self.ready[lane].first()
        {
            let slot = &mut self.slots[index as usize];
            let current = slot.id == id && slot.state == State::Active && slot.progress.error.is_none();
            let way = if spread && current { slot.way(spaces) } else { None };
            if let Some(way) = way
                && way.lane != lane
            {
                slot.lane = way.lane;
                self.ready[lane].pass();
                self.ready[way.lane].add((id, index));
                continue;
            }
            let current = current && !(closed && slot.refuse((lane, limits), spaces, driver));
            if let Some(mut call) = if current { slot.next_call(limits) } else { None } {
                call.place.request = index;
                if let Some(way) = way {
                    (call.pid, call.epoch) = (way.pid, way.epoch);
                    slot.keep(&call);
                }
                slot.progress.begun(transport.start(call, now));
                if slot.has_more() {
                    self.ready[lane].go_on();
                    continue;
                }
            }
            self.ready[lane].pass();
            if slot.id == id && slot.state == State::Active && slot.is_over() {
                self.finish(index, order);
            }
        }
    }
    /// The process of a request that has not ended.
    pub(super) fn domain_of(&self, request: u32) -> Option<Domain> {
        let slot = self.slots.get(request as usize).filter(|slot| slot.state == State::Active)?;
        Some(slot.domain)
    }
    /// What a packet asked for that nothing has come of is to be sent again, cut anew or elsewhere; false: it cannot be.
    #[cold]
    pub(super) fn again(&mut self, again: Again, order: &mut Order) -> bool {
        let index = again.place.request;
        let active = |slot: &&mut Slot| slot.state == State::Active;
        let Some(slot) = self.slots.get_mut(index as usize).filter(active) else { return false };
        if !slot.again(again) {
            return false;
        }
        slot.progress.not_begun();
        let id = slot.id;
        if slot.is_over() {
            self.finish(index, order);
        } else {
            self.queue((id, index));
        }
        true
    }
    /// Takes the end of a packet.
    #[inline]
    pub(super) fn end(
        &mut self,
        (ended, result): (&Ended, &mut Result<Answer, Failure>),
        order: &mut Order,
        statistics: &mut Recorder,
        report: Report,
    ) {
        let index = ended.place.request;
        let Some(slot) = self.slots.get_mut(index as usize).filter(|slot| slot.state == State::Active) else {
            return;
        };
        slot.progress.end(ended, result, statistics, report);
        // Transfers have their bytes in the buffer.
        if !slot.moves()
            && let Ok(answer) = result
        {
            slot.answer = Some(std::mem::take(answer));
        }
        if slot.is_over() {
            self.finish(index, order);
        }
    }
    #[inline]
    fn finish(&mut self, index: u32, order: &mut Order) {
        let slot = &mut self.slots[index as usize];
        slot.state = State::Ended;
        // Its thread may go on.
        slot.borrowed = None;
        order.finish(slot.id);
        if let Some(waker) = slot.waker.take() {
            self.sleeping -= 1;
            self.woken.push(waker);
        }
        if slot.detached {
            self.leave(index);
        }
    }
    /// Nobody asks how a request ended: an error is kept for [`Outstanding::take_lost`].
    fn leave(&mut self, index: u32) {
        let slot = &mut self.slots[index as usize];
        let (domain, error) = (slot.domain, slot.progress.error.take());
        if slot.allocates
            && let Some(answer) = slot.answer.take()
            && self.unclaimed.len() < MOST_UNCLAIMED
        {
            self.unclaimed.push((domain, slot.lane, answer.payload));
        }
        if let Some(error) = error {
            self.lose(domain, error);
        }
        self.release(index);
    }
    /// Keeps a process's first error for [`Outstanding::take_lost`].
    pub(super) fn lose(&mut self, domain: Domain, error: Error) {
        if self.lost.len() < self.bounds.requests {
            self.lost.entry(domain).or_insert(error);
        }
    }
    /// The slot is free for another request. Buffers are kept within the bound.
    #[inline]
    fn release(&mut self, index: u32) {
        let slot = &mut self.slots[index as usize];
        self.bytes -= slot.bytes;
        self.requests -= usize::from(!slot.synchronous);
        (slot.state, slot.kind, slot.detached) = (State::Free, None, false);
        (slot.fixed, slot.allocates) = (false, false);
        slot.progress.reset();
        // Most have none of these: what is large is not written for nothing.
        if slot.once.is_some() {
            slot.once = None;
        }
        if slot.answer.is_some() {
            slot.answer = None;
        }
        if slot.lent.is_some() {
            slot.lent = None;
        }
        if slot.kept.is_some() {
            slot.kept = None;
        }
        slot.ranges.clear();
        if self.kept + slot.buffer.capacity() > self.bounds.bytes {
            slot.buffer = Vec::new();
        }
        self.kept += slot.buffer.capacity();
        self.free.push(index);
    }
    /// How a request ended, once: `collect` gets its buffer, and the answer if the request is a single packet with a
    /// payload of its own, or the error.
    #[inline]
    pub(super) fn take<T>(&mut self, handle: Handle, collect: impl FnOnce(Taken) -> T) -> Option<Result<T>> {
        if !self.has_ended(handle) {
            return None;
        }
        let slot = &mut self.slots[handle.slot as usize];
        let error = slot.progress.error.take();
        let taken = Taken { buffer: &mut slot.buffer, answer: slot.answer.take(), failed: error.is_some() };
        let collected = collect(taken);
        self.release(handle.slot);
        Some(error.map_or(Ok(collected), Err))
    }
    /// A request is to have ended at a time.
    #[cold]
    pub(super) fn set_deadline(&mut self, handle: Handle, at: Duration) {
        if self.deadlines.len() > 2 * self.slots.len() + KEPT_DEADLINES {
            let mut all = std::mem::take(&mut self.deadlines).into_vec();
            all.retain(|Reverse((_, handle))| self.is_active(*handle));
            self.deadlines = all.into();
        }
        self.deadlines.push(Reverse((at, handle)));
    }
    /// The first time at which a request may have to be ended.
    #[inline]
    pub(super) fn deadline(&self) -> Option<Duration> {
        self.deadlines.peek().map(|Reverse((at, _))| *at)
    }
    /// A request that has not ended and should have, each once.
    #[inline]
    pub(super) fn expired(&mut self, now: Duration) -> Option<Handle> {
        while self.deadline().is_some_and(|at| at <= now) {
            let Reverse((_, handle)) = self.deadlines.pop()?;
            if self.is_active(handle) {
                return Some(handle);
            }
        }
        None
    }
    fn is_active(&self, handle: Handle) -> bool {
        let slot = &self.slots[handle.slot as usize];
        slot.id == handle.id && slot.state == State::Active
    }
    /// What a request that has not ended is called in its packets.
    pub(super) fn request(&self, handle: Handle) -> Option<u32> {
        self.is_active(handle).then_some(handle.slot)
    }
    /// The lane that a request's next packet takes.
    pub(super) fn lane_of(&self, request: u32) -> usize {
        self.slots[request as usize].lane
    }
    /// Whether a request has ended; its end may have been taken.
    #[inline]
    pub(super) fn has_ended(&self, handle: Handle) -> bool {
        let slot = &self.slots[handle.slot as usize];
        slot.id == handle.id && slot.state == State::Ended
    }
    /// A future sleeps until a request has ended. Answers whether it did not before, and the waker that it had and has no
    /// longer.
    pub(super) fn sleep(&mut self, handle: Handle, waker: &Waker) -> (bool, Option<Waker>) {
        let slot = &mut self.slots[handle.slot as usize];
        let first = slot.waker.is_none();
        self.sleeping += usize::from(first);
        if slot.waker.as_ref().is_some_and(|known| known.will_wake(waker)) {
            return (first, None);
        }
        (first, slot.waker.replace(waker.clone()))
    }
    /// Everybody who sleeps is to be woken.
    pub(super) fn wake_all(&mut self) {
        self.woken.extend(self.slots.iter_mut().filter_map(|slot| slot.waker.take()));
        self.sleeping = 0;
    }
    /// Whether any future sleeps.
    pub(super) fn sleeps(&self) -> bool {
        self.sleeping > 0
    }
    /// Whether [`Outstanding::take_woken`] has something.
    #[inline]
    pub(super) fn has_woken(&self) -> bool {
        !self.woken.is_empty()
    }
    /// Wakers of futures whose requests have ended.
    pub(super) fn take_woken(&mut self) -> Vec<Waker> {
        std::mem::take(&mut self.woken)
    }
    /// The same, into a vector that keeps its size from one time to the next.
    pub(super) fn move_woken(&mut self, to: &mut Vec<Waker>) {
        to.append(&mut self.woken);
    }
    /// Nobody will ask how a request ends. What its future waited by.
    pub(super) fn detach(&mut self, handle: Handle) -> Option<Waker> {
        let slot = &mut self.slots[handle.slot as usize];
        match slot.state {
            State::Active if slot.id == handle.id => {
                slot.detached = true;
                let waker = slot.waker.take();
                self.sleeping -= usize::from(waker.is_some());
                waker
            }
            State::Ended if slot.id == handle.id => {
                self.leave(handle.slot);
                None
            }
            _ => None,
        }
    }
    /// Memory that was given to a process and that nobody has claimed.
    pub(super) fn take_unclaimed(&mut self, domain: Domain) -> Option<Unclaimed> {
        let at = self.unclaimed.iter().position(|(of, ..)| *of == domain)?;
        Some(self.unclaimed.swap_remove(at))
    }
    /// Nobody will claim anything of a process any more.
    pub(super) fn forget(&mut self, domain: Domain) {
        self.unclaimed.retain(|(of, ..)| *of != domain);
        drop(self.take_lost(domain));
    }
    /// The first error of the requests of a process that nobody asked about.
    pub(super) fn take_lost(&mut self, domain: Domain) -> Option<Error> {
        self.lost.remove(&domain)
    }
}

/// The bytes of requests lie in their slots, or where these say.
impl Buffers for Outstanding {
    fn fill(&self, place: Place, payload: &mut [u8]) {
        let Some(slot) = self.slots.get(place.request as usize) else { return payload.fill(0) };
        if let Some(work) = &slot.borrowed {
            return work.get().fill(place, payload);
        }
        let bytes = slot.place(place, payload.len()).and_then(|range| slot.bytes().get(range));
        match bytes {
            Some(bytes) => payload.copy_from_slice(bytes),
            None => payload.fill(0),
        }
    }
    fn land(&mut self, place: Place, payload: &[u8]) {
        let slot = self.slots.get_mut(place.request as usize);
        let Some(slot) = slot.filter(|slot| slot.state == State::Active) else { return };
        if let Some(work) = &mut slot.borrowed {
            return work.get_mut().land(place, payload);
        }
        if let Some(range) = slot.place(place, payload.len())
            && let Some(bytes) = slot.bytes_mut().get_mut(range)
        {
            bytes.copy_from_slice(payload);
        }
    }
}
