//! Whose packet is next at a lane: what keeps leases and keys first, then calls, which take turns.
//!
//! An example. A thread writes a gigabyte, and another one reads a word. The write has the rest of its turn, then the read has its
//! packet, and the write goes on.
use crate::order::RequestId;
use std::collections::VecDeque;

/// Packets that a call has in a turn, if others wait: about as many as a joined datagram carries.
const TURN: u32 = 32;

/// A request that has packets to hand over, and where it lies.
pub(super) type Ready = (RequestId, u32);

/// The requests of one lane that the ordering layer let go.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// The client's own: they are short, few, and must not wait for any call.
    pub(super) own: VecDeque<Ready>,
    /// Calls, the one that has waited longest first: it has its turn.
    calls: VecDeque<Ready>,
    /// Packets that it has had of that.
    had: u32,
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
    /// Adds a call that is not known.
    #[inline]
    pub(super) fn add(&mut self, ready: Ready) {
        self.calls.push_back(ready);
    }
    /// Adds a call, if it is not known already.
    pub(super) fn join(&mut self, ready: Ready) {
        if !self.calls.contains(&ready) {
            self.calls.push_back(ready);
        }
    }
    /// The call whose packet is next.
    #[inline]
    pub(super) fn first(&self) -> Option<Ready> {
        self.calls.front().copied()
    }
    /// That one has handed over a packet, and has more.
    #[inline]
    pub(super) fn go_on(&mut self) {
        self.had = self.had.saturating_add(1);
        if self.had >= TURN && self.calls.len() > 1 {
            self.calls.rotate_left(1);
            self.had = 0;
        }
    }
    /// It has no more packets for this lane.
    #[inline]
    pub(super) fn pass(&mut self) {
        self.calls.pop_front();
        self.had = 0;
    }
    /// A call has no more packets.
    pub(super) fn remove(&mut self, id: RequestId) {
        self.retain(|(other, _)| *other != id);
    }
    /// Only these stay.
    pub(super) fn retain(&mut self, stays: impl Fn(&Ready) -> bool) {
        let first = self.first();
        self.own.retain(&stays);
        self.calls.retain(&stays);
        if self.first() != first {
            self.had = 0;
        }
    }
    /// All calls, which are no longer here.
    pub(super) fn take_calls(&mut self) -> VecDeque<Ready> {
        self.had = 0;
        std::mem::take(&mut self.calls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::{Footprint, Order};

    /// Requests, each in the slot of its number.
    fn requests<const N: usize>() -> [Ready; N] {
        let mut order = Order::default();
        std::array::from_fn(|slot| (order.submit(Footprint::NOTHING), slot as u32))
    }
    /// Whose the next packets are, of calls that all have more.
    fn next(turns: &mut Turns, packets: u32) -> Vec<u32> {
        let mut whose = Vec::new();
        for _ in 0..packets {
            whose.extend(turns.first().map(|(_, slot)| slot));
            turns.go_on();
        }
        whose
    }

    #[test]
    fn long_calls_take_turns_and_a_short_one_waits_for_one_turn_of_each() {
        let [first, second, short] = requests();
        let mut turns = Turns::default();
        turns.add(first);
        assert_eq!(next(&mut turns, 5 * TURN), [0; 5 * TURN as usize], "alone it has all");
        turns.add(second);
        assert_eq!(next(&mut turns, 2), [0, 1], "it has had its turn");
        turns.add(short);
        turns.join(second);
        assert_eq!(next(&mut turns, TURN - 1), [1; TURN as usize - 1]);
        assert_eq!(next(&mut turns, TURN), [0; TURN as usize]);
        assert_eq!(turns.first(), Some(short));
        turns.pass();
        assert_eq!(next(&mut turns, TURN + 1), [[1; TURN as usize].as_slice(), &[0]].concat());
    }

    #[test]
    fn who_comes_first_has_a_whole_turn() {
        let [first, second, third] = requests();
        let mut turns = Turns::default();
        [first, second, third].into_iter().for_each(|call| turns.add(call));
        next(&mut turns, TURN - 1);
        turns.remove(first.0);
        assert_eq!(next(&mut turns, TURN + 1), [[1; TURN as usize].as_slice(), &[2]].concat());
        turns.remove(second.0);
        assert_eq!(next(&mut turns, 2 * TURN), [2; 2 * TURN as usize]);
        assert_eq!((turns.take_calls().len(), turns.is_empty()), (1, true));
    }
}
