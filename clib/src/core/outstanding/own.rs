//! Requests of the client's own, which keep leases and keys. They wait for no call: a long one would take the turns of a lane, and calls
//! that wait for a board or for a window all places of its transport, for longer than leases last.
use super::super::slot::State;
use super::Outstanding;
use crate::core::Handle;
use crate::order::{Domain, Order, RequestId};
use crate::transport::{Call, Transport};
use std::time::Duration;

impl Outstanding {
    /// Adds one, which is ordered against nothing.
    pub(in crate::core) fn insert_own(&mut self, (id, lane): (RequestId, usize), call: Call) -> Handle {
        let index = self.occupy((id, Domain::NONE, lane), None, |slot| {
            slot.fixed = true;
            slot.once = Some(call);
        });
        self.ready[lane].own.push_back((id, index));
        Handle { slot: index, id }
    }
    /// Hands those of a lane to its transport, which has places for them that no call has.
    pub(super) fn start_own(
        &mut self,
        lane: usize,
        order: &mut Order,
        transport: &mut Transport,
        now: Duration,
    ) {
        while transport.has_room_for_own()
            && let Some((id, index)) = self.ready[lane].own.pop_front()
        {
            let slot = &mut self.slots[index as usize];
            if slot.id != id || slot.state != State::Active {
                continue;
            }
            if let Some(mut call) = slot.once.take() {
                call.place.request = index;
                slot.progress.begun(transport.start_own(call, now));
            }
            if slot.is_over() {
                self.finish(index, order);
            }
        }
    }
    /// Whether a lane has something that its transport has room for.
    pub(in crate::core) fn is_startable(&self, lane: usize, transport: &Transport) -> bool {
        let turns = &self.ready[lane];
        turns.has_call() && transport.has_room() || !turns.own.is_empty() && transport.has_room_for_own()
    }
}
