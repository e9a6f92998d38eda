//! How many frames may be given to the board before it loses some.
//!
//! A board drops a frame that finds no packet slot, and the client hears nothing of it until a timer fires. What still lies in the
//! socket loses nothing by waiting there, so a daemon keeps count of what its board holds. The count is an estimate from above: a frame
//! that the board drops never leaves it. So it starts anew when the board is idle, or when nothing has left it for a while.
//!
//! What the slow path is to serve lies in a packet slot until it is polled, and is answered much later: it is counted by the
//! polls that pass. What is in the board goes first, whoever sent it. So a slow board, one that simulates each cycle, is given no more than it serves
//! in a millisecond or so: in front of it sources take turns.

use std::time::Duration;

use mneme_rdma::codec::ROCE_PORT;
use mneme_wire::Opcode;
use mneme_wire::frame::MNEME_OFFSET;
use mneme_wire::opcode::RESPONSE_BIT;
use mneme_wire::roce::ROCE_QPN_FIRST;

/// Where UDP's destination port lies in a frame.
const UDP_PORT: usize = MNEME_OFFSET - 6;
/// Where RoCEv2's destination queue pair lies.
const DEST_QP: usize = MNEME_OFFSET + 5;
/// Cycles without a frame that leaves after which the count is no longer believed: several accesses to the slowest memory.
const STALE: u64 = 1 << 14;

/// The slow path takes so many frames from the board in so many cycles.
const POLL: (usize, u64) = (16, 256);
/// What a board may have before it, in time that it takes to serve it.
const BACKLOG: Duration = Duration::from_millis(1);
/// Frames that a board may have in any case, so that it works on some while others come and go.
const LEAST: usize = 4;
/// One part in so many of what a frame took is taken into the mean.
const WEIGHT: u32 = 16;

/// An estimate of the packet slots in use.
#[derive(Debug, Clone)]
pub struct Room {
    slots: usize,
    taken: usize,
    /// Frames for the slow path that it has not taken yet, and cycles since it took some.
    slow: usize,
    polled: u64,
    /// Cycles since a frame left, or since the count began anew.
    silent: u64,
    /// When a frame left last while others were in the board, and how long one takes on average.
    left_at: Option<Duration>,
    each: Duration,
}

impl Room {
    /// A board with so many packet slots, all free.
    pub fn new(slots: usize) -> Room {
        Room {
            slots: slots.max(1),
            taken: 0,
            slow: 0,
            polled: 0,
            silent: 0,
            left_at: None,
            each: Duration::ZERO,
        }
    }
    /// The board may have no slot for another frame, or enough to do.
    pub fn is_full(&self) -> bool {
        let busy = self.taken >= LEAST && self.each * self.taken as u32 >= BACKLOG;
        self.taken + self.slow >= self.slots || self.slow >= POLL.0 || busy
    }
    /// The slow path may have as much as another port's frames may be of what it takes at a time: the wire's have the other half, however
    /// many come.
    pub fn is_half_full(&self) -> bool {
        self.slow >= POLL.0 / 2
    }
    /// The board was given a frame.
    pub fn entered(&mut self, frame: &[u8]) {
        if is_for_rdma_port(frame) {
            return;
        }
        match is_fast(frame) {
            true => self.taken += 1,
            false => self.slow += 1,
        }
    }
    /// A frame left the board. `now`: since any moment in the past.
    pub fn left(&mut self, frame: &[u8], now: Duration) {
        if !is_fast(frame) {
            return;
        }
        if let Some(before) = self.left_at {
            let took = now.saturating_sub(before).min(BACKLOG);
            self.each = (self.each * (WEIGHT - 1) + took) / WEIGHT;
        }
        self.taken = self.taken.saturating_sub(1);
        self.silent = 0;
        self.left_at = (self.taken > 0).then_some(now);
    }
    /// So many cycles passed.
    pub fn passed(&mut self, cycles: u64) {
        self.polled += cycles;
        self.slow = self.slow.saturating_sub((self.polled / POLL.1) as usize * POLL.0);
        self.polled %= POLL.1;
        self.silent = self.silent.saturating_add(cycles);
        if self.silent >= STALE {
            self.empty();
        }
    }
    /// Nothing is in the board.
    pub fn empty(&mut self) {
        (self.taken, self.slow, self.silent, self.left_at) = (0, 0, 0, None);
    }
}

/// Whether a frame is for the hardware's RDMA port, which has places of its own. Frames of software's queue pairs are the slow path's.
fn is_for_rdma_port(frame: &[u8]) -> bool {
    let qpn = frame.get(DEST_QP..).and_then(<[u8]>::first_chunk);
    let is_software = |[a, b, c]: &[u8; 3]| u32::from_be_bytes([0, *a, *b, *c]) < ROCE_QPN_FIRST;
    let roce = frame.get(UDP_PORT..UDP_PORT + 2) == Some(&ROCE_PORT.to_be_bytes());
    roce && !qpn.is_some_and(is_software)
}

/// Whether the fast path serves what a frame asks for, or has answered it.
fn is_fast(frame: &[u8]) -> bool {
    let opcode = frame.get(MNEME_OFFSET + 1).and_then(|byte| Opcode::from_number(byte & !RESPONSE_BIT));
    opcode.is_some_and(Opcode::is_fast)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAST: [u8; MNEME_OFFSET + 2] = frame(Opcode::Read);

    const fn frame(opcode: Opcode) -> [u8; MNEME_OFFSET + 2] {
        let mut frame = [0; MNEME_OFFSET + 2];
        frame[MNEME_OFFSET + 1] = opcode.number();
        frame
    }

    #[test]
    fn what_the_slow_path_has_taken_holds_up_nobody_though_it_is_not_answered() {
        let (mut room, slow) = (Room::new(32), frame(Opcode::Alloc));
        for _ in 0..10 {
            (0..POLL.0).for_each(|_| room.entered(&slow));
            assert!(room.is_full());
            room.passed(POLL.1 - 1);
            assert!(room.is_full());
            room.passed(1);
            assert!(!room.is_full());
        }
        room.entered(&FAST);
        room.left(&slow, Duration::ZERO);
        assert_eq!(room.taken, 1, "the answer to a slow request frees no place of a fast one");
    }

    #[test]
    fn a_slow_board_is_given_what_it_serves_in_a_millisecond() {
        let mut room = Room::new(64);
        let fill = |room: &mut Room, each: Duration| {
            let mut now = Duration::ZERO;
            for _ in 0..20 * WEIGHT {
                while !room.is_full() {
                    room.entered(&FAST);
                }
                now += each;
                room.left(&FAST, now);
            }
            room.taken + 1
        };
        assert_eq!(fill(&mut room, Duration::from_micros(1)), 64);
        assert!((10..=11).contains(&fill(&mut room, Duration::from_micros(100))));
        assert_eq!(fill(&mut room, Duration::from_secs(1)), LEAST);
        assert_eq!(fill(&mut room, Duration::from_micros(1)), 64, "it may be quick again");
    }

    #[test]
    fn frames_for_the_rdma_port_take_no_slot_and_those_for_softwares_queue_pairs_are_slow() {
        let frame = |qpn: u32| {
            let mut frame = [0; DEST_QP + 3];
            frame[UDP_PORT..UDP_PORT + 2].copy_from_slice(&ROCE_PORT.to_be_bytes());
            frame[DEST_QP..].copy_from_slice(&qpn.to_be_bytes()[1..]);
            frame
        };
        let mut room = Room::new(32);
        room.entered(&frame(ROCE_QPN_FIRST));
        assert_eq!((room.taken, room.slow), (0, 0));
        room.entered(&frame(1));
        room.entered(&frame(ROCE_QPN_FIRST - 1));
        assert_eq!((room.taken, room.slow), (0, 2));
    }

    #[test]
    fn another_ports_slow_frames_leave_the_wire_half() {
        let (mut room, slow) = (Room::new(32), frame(Opcode::Alloc));
        while !room.is_half_full() {
            room.entered(&slow);
        }
        assert!(room.slow == POLL.0 / 2 && !room.is_full());
        // And the wire's leave the other port as much after a poll.
        while !room.is_full() {
            room.entered(&slow);
        }
        assert!(room.is_half_full());
        room.passed(POLL.1);
        assert!(!room.is_half_full());
    }

    #[test]
    fn a_board_is_given_no_more_than_it_has_slots_for() {
        let mut room = Room::new(4);
        (0..4).for_each(|_| room.entered(&FAST));
        assert!(room.is_full());
        room.left(&FAST, Duration::ZERO);
        assert!(!room.is_full());
        room.entered(&FAST);
        assert!(room.is_full());
    }

    #[test]
    fn frames_that_the_board_dropped_do_not_close_it_for_good() {
        let mut room = Room::new(2);
        (0..2).for_each(|_| room.entered(&FAST));
        room.passed(STALE - 1);
        assert!(room.is_full());
        room.passed(1);
        assert!(!room.is_full());
        (0..2).for_each(|_| room.entered(&FAST));
        room.empty();
        assert!(!room.is_full(), "an idle board holds nothing");
        // More may leave than came in.
        room.left(&FAST, Duration::ZERO);
        room.entered(&FAST);
        assert!(!room.is_full());
    }
}
