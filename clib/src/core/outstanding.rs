//! Requests: those that have not ended, and those whose end nobody has asked for yet. Asynchronous ones are bounded in
//! number and bytes; of synchronous ones each thread has one.
//!
//! Each lies in a slot that is used again, with its buffers: in steady state nothing is allocated.
use super::progress::Report;
use super::slot::{Slot, State, Taken};
use crate::error::{Error, Result};
use crate::order::{Order, RequestId};
use crate::request::Again;
use crate::split::Limits;
use crate::stats::Recorder;
use crate::transport::{Answer, Buffers, Ended, Failure, Place, Transport};
use mneme_wire::Pid;
use std::collections::{HashMap, VecDeque};
use std::task::Waker;
use std::time::Duration;

/// Bounds of what asynchronous calls may leave behind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) requests: usize,
    pub(crate) bytes: usize,
}

/// Names a request until its end is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// Requests with packets to send that the ordering layer let go, oldest first.
    ready: VecDeque<(RequestId, u32)>,
    /// Requests that wait for others, oldest first.
    blocked: VecDeque<(RequestId, u32)>,
    bytes: usize,
    /// Asynchronous requests.
    requests: usize,
    /// Bytes of buffers that free slots keep.
    kept: usize,
    /// First errors of requests that nobody asked about, one per process.
    lost: HashMap<Pid, Error>,
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
            ready: VecDeque::new(),
            blocked: VecDeque::new(),
            bytes: 0,
            requests: 0,
            kept: 0,
            lost: HashMap::new(),
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
    /// Adds a request that was admitted, or that a thread waits for (no bytes are counted); `ask` says what is asked.
    #[inline]
    pub(super) fn insert(
        &mut self,
        (id, pid): (RequestId, Pid),
        bytes: Option<usize>,
        order: &Order,
        ask: impl FnOnce(&mut Slot),
    ) -> Handle {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::new(id));
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[index as usize];
        self.kept -= slot.buffer.capacity();
        (slot.state, slot.id, slot.pid, slot.bytes) = (State::Active, id, pid, bytes.unwrap_or(0));
        slot.synchronous = bytes.is_none();
        self.bytes += slot.bytes;
        self.requests += usize::from(bytes.is_some());
        ask(slot);
        let queue = if order.may_start(id) { &mut self.ready } else { &mut self.blocked };
        queue.push_back((id, index));
        Handle { slot: index, id }
    }
    /// Whether a request has packets to hand over.
    #[inline]
    pub(super) fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }
    /// Hands packets to the transport while it has room, the oldest requests first.
    pub(super) fn start(
        &mut self,
        order: &mut Order,
        transport: &mut Transport,
        limits: Limits,
        now: Duration,
    ) {
        while let Some(id) = order.freed() {
            let Ok(at) = self.blocked.binary_search_by_key(&id, |(id, _)| *id) else { continue };
            let Some(freed) = self.blocked.remove(at) else { continue };
            let behind = self.ready.partition_point(|(other, _)| *other < id);
            self.ready.insert(behind, freed);
        }
        while transport.has_room()
            && let Some(&(id, index)) = self.ready.front()
        {
            let slot = &mut self.slots[index as usize];
            let current = slot.id == id && slot.state == State::Active && slot.progress.error.is_none();
            if let Some(mut call) = if current { slot.next_call(limits) } else { None } {
                call.place.request = index;
                slot.progress.begun(transport.start(call, now));
                if slot.has_more() {
                    continue;
                }
            }
            self.ready.pop_front();
            if slot.id == id && slot.state == State::Active && slot.is_over() {
                self.finish(index, order);
            }
        }
    }
    /// The bytes of a packet that has not left are to be cut anew; false: they cannot be.
    #[cold]
    pub(super) fn again(&mut self, again: Again, order: &mut Order) -> bool {
        let index = again.place.request;
        let active = |slot: &&mut Slot| slot.state == State::Active && slot.moves();
        let Some(slot) = self.slots.get_mut(index as usize).filter(active) else { return false };
        match &mut slot.borrowed {
            Some(work) => work.get_mut().again(again),
            None => slot.walk.again(again),
        }
        slot.progress.not_begun();
        let id = slot.id;
        if slot.is_over() {
            self.finish(index, order);
        } else if let Err(at) = self.ready.binary_search_by_key(&id, |(id, _)| *id) {
            self.ready.insert(at, (id, index));
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
        let (pid, error) = (slot.pid, slot.progress.error.take());
        if let Some(error) = error {
            self.lose(pid, error);
        }
        self.release(index);
    }
    /// Keeps a process's first error for [`Outstanding::take_lost`].
    pub(super) fn lose(&mut self, pid: Pid, error: Error) {
        if self.lost.len() < self.bounds.requests {
            self.lost.entry(pid).or_insert(error);
        }
    }
    /// The slot is free for another request. Buffers are kept within the bound.
    #[inline]
    fn release(&mut self, index: u32) {
        let slot = &mut self.slots[index as usize];
        self.bytes -= slot.bytes;
        self.requests -= usize::from(!slot.synchronous);
        (slot.state, slot.kind, slot.detached) = (State::Free, None, false);
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
        slot.ranges.clear();
        if self.kept + slot.buffer.capacity() > self.bounds.bytes {
            slot.buffer = Vec::new();
        }
        self.kept += slot.buffer.capacity();
        self.free.push(index);
    }
    /// The driver has failed and the transport has ended what was in flight: what waited for its turn ends too. A thread
    /// whose request has not begun may still try.
    pub(super) fn abandon(&mut self, order: &mut Order, limits: Limits, report: Report) {
        for index in 0..self.slots.len() {
            let slot = &mut self.slots[index];
            if slot.state != State::Active || slot.has_to_begin() {
                continue;
            }
            if slot.progress.error.is_none()
                && let Some(call) = slot.next_call(limits)
            {
                slot.progress.never_begun(&call, report);
            }
            self.finish(index as u32, order);
        }
        let slots = &self.slots;
        let waits = |(_, index): &(RequestId, u32)| slots[*index as usize].state == State::Active;
        self.ready.retain(waits);
        self.blocked.retain(waits);
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
    /// The first error of the requests of a process that nobody asked about.
    pub(super) fn take_lost(&mut self, pid: Pid) -> Option<Error> {
        self.lost.remove(&pid)
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
