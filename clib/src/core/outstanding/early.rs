//! Requests that end before all of their packets have left.
use super::super::Handle;
use super::super::progress::Report;
use super::super::spaces::Spaces;
use super::super::turns::Ready;
use super::{Outstanding, State};
use crate::order::Order;
use crate::split::Limits;
use crate::transport::Reason;

impl Outstanding {
    /// A lane's driver has failed and the transport has ended what was in flight: what waited for its turn there ends
    /// too, unless its next packet is for another board. A thread whose request has not begun may still try.
    pub(in crate::core) fn abandon(
        &mut self,
        (lane, limits): (usize, Limits),
        order: &mut Order,
        spaces: &Spaces,
        report: Report,
    ) {
        let spread = spaces.any_spread();
        for index in 0..self.slots.len() {
            let slot = &mut self.slots[index];
            if slot.state != State::Active || slot.lane != lane || slot.has_to_begin() {
                continue;
            }
            if spread
                && slot.progress.error.is_none()
                && let Some(way) = slot.way(spaces)
                && way.lane != lane
            {
                slot.lane = way.lane;
                continue;
            }
            if slot.progress.error.is_none()
                && let Some(call) = slot.next_call(limits)
            {
                slot.progress.never_begun(&call, Reason::Driver, report);
            }
            if slot.is_over() {
                self.finish(index as u32, order);
            }
        }
        let slots = &self.slots;
        let waits = |(_, index): &Ready| slots[*index as usize].state == State::Active;
        self.ready.iter_mut().for_each(|turns| turns.retain(waits));
        self.blocked.retain(waits);
        for ready in self.ready[lane].take_calls() {
            self.queue(ready);
        }
    }
    /// Ends a request of which nothing is under way any more before its next packet leaves.
    pub(in crate::core) fn end_early(
        &mut self,
        handle: Handle,
        reason: Reason,
        (order, limits): (&mut Order, Limits),
        report: Report,
    ) {
        if !self.is_active(handle) {
            return;
        }
        let slot = &mut self.slots[handle.slot as usize];
        if slot.progress.error.is_none()
            && let Some(call) = slot.next_call(limits)
        {
            slot.progress.never_begun(&call, reason, report);
        }
        if order.may_start(handle.id) {
            self.ready[slot.lane].remove(handle.id);
        } else if let Ok(at) = self.blocked.binary_search_by_key(&handle.id, |(id, _)| *id) {
            self.blocked.remove(at);
        }
        self.finish(handle.slot, order);
    }
}
