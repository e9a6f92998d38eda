//! Whose packet is next at a lane: what keeps leases and keys first, then calls.
use crate::order::RequestId;
use std::collections::VecDeque;

/// A request that has packets to hand over, and where it lies.
pub(super) type Ready = (RequestId, u32);

/// The requests of one lane that the ordering layer let go.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// The client's own: they are short, few, and must not wait for any call.
    pub(super) own: VecDeque<Ready>,
    /// Calls, oldest first.
    calls: VecDeque<Ready>,
}

impl Turns {
    /// Whether nobody has packets to hand over.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.own.is_empty()
    }
    /// Whether a call has.
    #[inline]
    pub(super) fn has_call(&self) -> bool {
        !self.calls.is_empty()
    }
    /// Adds a call that is younger than all others.
    #[inline]
    pub(super) fn add(&mut self, ready: Ready) {
        self.calls.push_back(ready);
    }
    /// Adds a call, if it is not known already.
    pub(super) fn join(&mut self, ready: Ready) {
        if let Err(at) = self.calls.binary_search_by_key(&ready.0, |(id, _)| *id) {
            self.calls.insert(at, ready);
        }
    }
    /// The call whose packet is next.
    #[inline]
    pub(super) fn first(&mut self) -> Option<Ready> {
        self.calls.front().copied()
    }
    /// That one has no more packets for this lane.
    #[inline]
    pub(super) fn pass(&mut self) {
        self.calls.pop_front();
    }
    /// A call has no more packets.
    pub(super) fn remove(&mut self, id: RequestId) {
        if let Ok(at) = self.calls.binary_search_by_key(&id, |(id, _)| *id) {
            self.calls.remove(at);
        }
    }
    /// Only these stay.
    pub(super) fn retain(&mut self, stays: impl Fn(&Ready) -> bool) {
        self.own.retain(&stays);
        self.calls.retain(&stays);
    }
    /// All calls, which are no longer here.
    pub(super) fn take_calls(&mut self) -> VecDeque<Ready> {
        std::mem::take(&mut self.calls)
    }
}
