//! How many frames may be given to the board before it loses some.
//!
//! A board drops a frame that finds no packet slot, and the client hears nothing of it until a timer fires. What still lies in the
//! socket loses nothing by waiting there, so a daemon keeps count of what its board holds. The count is an estimate from above: a frame
//! that the board drops never leaves it. So it starts anew when the board is idle, or when nothing has left it for a while.

/// Cycles without a frame that leaves after which the count is no longer believed: several accesses to the slowest memory.
const STALE: u64 = 1 << 14;

/// An estimate of the packet slots in use.
#[derive(Debug, Clone)]
pub struct Room {
    slots: usize,
    taken: usize,
    /// Cycles since a frame left, or since the count began anew.
    silent: u64,
}

impl Room {
    /// A board with so many packet slots, all free.
    pub fn new(slots: usize) -> Room {
        Room { slots: slots.max(1), taken: 0, silent: 0 }
    }
    /// The board may have no slot for another frame.
    pub fn is_full(&self) -> bool {
        self.taken >= self.slots
    }
    /// The board was given a frame.
    pub fn entered(&mut self) {
        self.taken += 1;
    }
    /// A frame left the board. Some answer nothing that came in: the slow path's own.
    pub fn left(&mut self) {
        self.taken = self.taken.saturating_sub(1);
        self.silent = 0;
    }
    /// So many cycles passed.
    pub fn passed(&mut self, cycles: u64) {
        self.silent = self.silent.saturating_add(cycles);
        if self.silent >= STALE {
            self.empty();
        }
    }
    /// Nothing is in the board.
    pub fn empty(&mut self) {
        (self.taken, self.silent) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_given_no_more_than_it_has_slots_for() {
        let mut room = Room::new(4);
        (0..4).for_each(|_| room.entered());
        assert!(room.is_full());
        room.left();
        assert!(!room.is_full());
        room.entered();
        assert!(room.is_full());
    }

    #[test]
    fn frames_that_the_board_dropped_do_not_close_it_for_good() {
        let mut room = Room::new(2);
        (0..2).for_each(|_| room.entered());
        room.passed(STALE - 1);
        assert!(room.is_full());
        room.passed(1);
        assert!(!room.is_full());
        (0..2).for_each(|_| room.entered());
        room.empty();
        assert!(!room.is_full(), "an idle board holds nothing");
        // More may leave than came in.
        room.left();
        room.entered();
        assert!(!room.is_full());
    }
}
