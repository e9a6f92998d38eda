//! What is to happen, in the order of virtual time, and when who may send.
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Time;
use crate::network::Network;

/// Nanoseconds between two frames of one sender: a full frame at 100 Gbit/s.
const FRAME_GAP: Time = 340;
/// When the network is left alone at the latest.
const HEAL_AT: Time = 2_000_000_000;
/// When everything must have ended: virtual seconds in which nobody loses anything.
const END_AT: Time = 20_000_000_000;

/// Events of one time come in the order in which they were planned.
#[derive(Debug)]
pub struct Events<E> {
    pub now: Time,
    heap: BinaryHeap<Reverse<(Time, u64, E)>>,
    planned: u64,
    pub network: Network,
}

impl<E: Ord> Events<E> {
    pub fn new(network: Network) -> Events<E> {
        Events { now: 0, heap: BinaryHeap::new(), planned: 0, network }
    }

    pub fn plan(&mut self, at: Time, event: E) {
        self.planned += 1;
        self.heap.push(Reverse((at, self.planned, event)));
    }

    /// Plans what each copy of a frame is that comes.
    pub fn send(&mut self, frame: Vec<u8>, comes: impl Fn(Vec<u8>) -> E) {
        for (at, frame) in self.network.send(self.now, frame) {
            self.plan(at, comes(frame));
        }
    }

    /// The next event, to whose time it then is; `None`: there is none, or everything must have ended.
    pub fn next(&mut self) -> Option<E> {
        let Reverse((at, _, event)) = self.heap.pop()?;
        self.now = at;
        if at > HEAL_AT {
            self.network.heal();
        }
        (at <= END_AT).then_some(event)
    }
}

/// When a sender is to look again whether it has something to send.
#[derive(Debug, Default)]
pub struct Tick {
    planned: Option<Time>,
    /// When its line takes another frame.
    line_free: Time,
}

impl Tick {
    /// The time of a tick that is to be planned; `None`: one of that time or an earlier one is.
    pub fn plan(&mut self, at: Time) -> Option<Time> {
        let at = at.max(self.line_free);
        if self.planned.is_some_and(|planned| planned <= at) {
            return None;
        }
        self.planned = Some(at);
        Some(at)
    }
    /// Whether this is the tick; others were planned anew for an earlier time.
    pub fn comes(&mut self, now: Time) -> bool {
        self.planned.take_if(|planned| *planned == now).is_some()
    }
    /// A frame goes out.
    pub fn sends(&mut self, now: Time) {
        self.line_free = now + FRAME_GAP;
    }
}
