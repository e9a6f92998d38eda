//! Blocks that wait in RAM since the board did not take them: the newest content of each, written again until the board has it.
//!
//! Everything that concerns a block happens under the lock of its chunk. A *turn* is one try to write a block; what changes meanwhile
//! is told by the block's version, and the block stays.
use crate::BLOCK;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

const BYTES: usize = BLOCK as usize;

#[derive(Debug, Clone, Copy)]
struct Place {
    block: u64,
    version: u64,
    /// A turn is under way: the block stays even if it is discarded, or an older write could come behind a newer one.
    busy: bool,
    /// Discarded during a turn: it reads as zeros, and goes when the turn has ended.
    discarded: bool,
}

struct Inner {
    places: HashMap<u64, usize>,
    slots: Vec<Place>,
    bytes: Box<[u8]>,
    free: Vec<usize>,
    /// Where the search for the next turn goes on.
    next: usize,
    versions: u64,
    peak: usize,
}

/// Room for some blocks, all of it made at the start.
pub struct Held {
    inner: Mutex<Inner>,
    count: AtomicUsize,
    limit: usize,
}

/// A try to write a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Which.
    pub block: u64,
    version: u64,
}

/// What a turn left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// The board has the block now, and RAM no more.
    Written,
    /// It was discarded meanwhile, and is nowhere now.
    Discarded,
    /// It stays.
    Stays,
}

impl Held {
    /// Room for so many blocks.
    pub fn new(limit: usize) -> Held {
        let inner = Inner {
            // Twice the room: a table with marks of removed blocks is cleaned in place and never grows.
            places: HashMap::with_capacity(2 * limit),
            slots: vec![Place { block: 0, version: 0, busy: false, discarded: false }; limit],
            bytes: vec![0; limit * BYTES].into_boxed_slice(),
            free: (0..limit).rev().collect(),
            next: 0,
            versions: 0,
            peak: 0,
        };
        Held { inner: Mutex::new(inner), count: AtomicUsize::new(0), limit }
    }
    /// Blocks that wait.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }
    /// The most that have waited at a time.
    pub fn peak(&self) -> usize {
        self.inner.lock().peak
    }
    /// The most that may.
    pub const fn limit(&self) -> usize {
        self.limit
    }
    /// Copies a block that waits.
    pub fn copy(&self, block: u64, into: &mut [u8]) -> bool {
        if self.count() == 0 {
            return false;
        }
        let inner = self.inner.lock();
        let Some(&slot) = inner.places.get(&block) else { return false };
        into.copy_from_slice(&inner.bytes[slot * BYTES..][..BYTES]);
        true
    }
    /// Gives a block that waits its new content. False: it does not wait.
    pub fn renew(&self, block: u64, from: &[u8]) -> bool {
        if self.count() == 0 {
            return false;
        }
        let mut inner = self.inner.lock();
        let Some(&slot) = inner.places.get(&block) else { return false };
        inner.fill(slot, from);
        true
    }
    /// Keeps blocks, one after the other from `first` on: all of them, or none when there is no room.
    #[must_use]
    pub fn keep(&self, first: u64, from: &[u8]) -> bool {
        let mut inner = self.inner.lock();
        let blocks = || (first..).zip(from.chunks_exact(BYTES));
        let fresh = blocks().filter(|(block, _)| !inner.places.contains_key(block)).count();
        if fresh > inner.free.len() {
            return false;
        }
        for (block, bytes) in blocks() {
            let known = inner.places.get(&block).copied();
            // There is room for all: it was counted.
            let Some(slot) = known.or_else(|| inner.free.pop()) else { break };
            if known.is_none() {
                inner.places.insert(block, slot);
                inner.slots[slot] = Place { block, version: 0, busy: false, discarded: false };
            }
            inner.fill(slot, bytes);
        }
        inner.peak = inner.peak.max(inner.places.len());
        self.count.store(inner.places.len(), Ordering::Release);
        true
    }
    /// A block's content is of no use any more, and reads as zeros from now on.
    pub fn discard(&self, block: u64) {
        if self.count() == 0 {
            return;
        }
        let mut inner = self.inner.lock();
        let Some(&slot) = inner.places.get(&block) else { return };
        if inner.slots[slot].busy {
            inner.fill(slot, &[0; BYTES]);
            inner.slots[slot].discarded = true;
        } else {
            inner.remove(slot);
        }
        self.count.store(inner.places.len(), Ordering::Release);
    }
    /// The block that comes next: all of them in turns.
    pub fn next(&self) -> Option<u64> {
        if self.count() == 0 {
            return None;
        }
        let mut inner = self.inner.lock();
        let limit = self.limit;
        let used = |inner: &Inner, slot: usize| {
            let Place { block, busy, .. } = inner.slots[slot];
            !busy && inner.places.get(&block) == Some(&slot)
        };
        let from = inner.next;
        let slot = (from..limit).chain(0..from).find(|&slot| used(&inner, slot))?;
        inner.next = (slot + 1) % limit;
        Some(inner.slots[slot].block)
    }
    /// Begins a turn of a block, and copies it. `None`: it waits no more, or has a turn.
    pub fn turn(&self, block: u64, into: &mut [u8; BYTES]) -> Option<Turn> {
        let mut inner = self.inner.lock();
        let slot = *inner.places.get(&block)?;
        let Place { version, busy, .. } = inner.slots[slot];
        if busy {
            return None;
        }
        inner.slots[slot].busy = true;
        into.copy_from_slice(&inner.bytes[slot * BYTES..][..BYTES]);
        Some(Turn { block, version })
    }
    /// Ends a turn.
    pub fn settle(&self, turn: Turn, written: bool) -> Settled {
        let mut inner = self.inner.lock();
        let Some(&slot) = inner.places.get(&turn.block) else { return Settled::Discarded };
        inner.slots[slot].busy = false;
        let Place { version, discarded, .. } = inner.slots[slot];
        let settled = match (discarded, written && version == turn.version) {
            (true, _) => Settled::Discarded,
            (false, true) => Settled::Written,
            (false, false) => return Settled::Stays,
        };
        inner.remove(slot);
        self.count.store(inner.places.len(), Ordering::Release);
        settled
    }
}

impl Inner {
    fn fill(&mut self, slot: usize, from: &[u8]) {
        self.versions += 1;
        self.bytes[slot * BYTES..][..BYTES].copy_from_slice(from);
        self.slots[slot].version = self.versions;
        self.slots[slot].discarded = false;
    }
    fn remove(&mut self, slot: usize) {
        self.places.remove(&self.slots[slot].block);
        self.free.push(slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(byte: u8) -> [u8; BYTES] {
        [byte; BYTES]
    }
    fn content(held: &Held, number: u64) -> Option<u8> {
        let mut bytes = block(0xee);
        held.copy(number, &mut bytes).then_some(bytes[77])
    }

    #[test]
    fn blocks_are_kept_all_or_none_and_renewed() {
        let held = Held::new(3);
        assert!(held.keep(10, &[block(1), block(2)].concat()));
        assert!(!held.keep(20, &[block(3), block(4)].concat()), "one place is left");
        assert_eq!((content(&held, 20), held.count()), (None, 2));
        assert!(held.keep(11, &[block(5), block(6)].concat()), "one of the two has its place");
        assert_eq!([10, 11, 12].map(|number| content(&held, number)), [Some(1), Some(5), Some(6)]);
        assert!(held.renew(10, &block(7)) && !held.renew(13, &block(7)));
        held.discard(11);
        assert_eq!([10, 11, 12].map(|number| content(&held, number)), [Some(7), None, Some(6)]);
        assert_eq!((held.count(), held.peak()), (2, 3));
    }

    #[test]
    fn a_turn_settles_only_what_did_not_change() {
        let held = Held::new(2);
        let mut bytes = block(0);
        assert!(held.next().is_none() && held.turn(1, &mut bytes).is_none());
        assert!(held.keep(1, &block(1)));
        assert_eq!(held.next(), Some(1));
        let turn = held.turn(1, &mut bytes).expect("it waits");
        assert_eq!((turn.block, bytes[0]), (1, 1));
        assert!(held.next().is_none() && held.turn(1, &mut bytes).is_none(), "it has its turn");
        assert!(held.renew(1, &block(2)));
        assert_eq!((held.settle(turn, true), content(&held, 1)), (Settled::Stays, Some(2)));
        let turn = held.turn(1, &mut bytes).expect("it still waits");
        assert_eq!(held.settle(turn, false), Settled::Stays);
        let turn = held.turn(1, &mut bytes).expect("it still waits");
        held.discard(1);
        assert_eq!(content(&held, 1), Some(0), "it reads as zeros, and stays until the turn has ended");
        assert_eq!((held.settle(turn, true), content(&held, 1)), (Settled::Discarded, None));
        assert!(held.keep(1, &block(3)));
        let turn = held.turn(1, &mut bytes).expect("it waits");
        held.discard(1);
        assert!(held.renew(1, &block(4)), "written again while its turn is under way");
        assert_eq!((held.settle(turn, true), content(&held, 1)), (Settled::Stays, Some(4)));
        let turn = held.turn(1, &mut bytes).expect("it waits");
        assert_eq!((held.settle(turn, true), held.count()), (Settled::Written, 0));
    }

    #[test]
    fn all_blocks_come_in_turns_whether_they_are_written_or_not() {
        let held = Held::new(4);
        assert!(held.keep(5, &[block(1), block(2), block(3)].concat()));
        let mut came: Vec<u64> = (0..3).filter_map(|_| held.next()).collect();
        let again: Vec<u64> = (0..3).filter_map(|_| held.next()).collect();
        assert_eq!(came, again);
        came.sort_unstable();
        assert_eq!(came, [5, 6, 7]);
        held.discard(6);
        let mut came: Vec<u64> = (0..4).filter_map(|_| held.next()).collect();
        came.sort_unstable();
        assert!(came == [5, 5, 7, 7], "{came:?}");
    }
}
