//! The daemon's side of the receive and transmit rings (device.md §1 to §3). No frame costs an allocation.
use mneme_slowpath::RingFull;
use mneme_window::{Memory, Registers, load_barrier, store_barrier};
use mneme_wire::DeviceRegister;
use mneme_wire::device::{
    PENDING_RECEIVED, PENDING_SENT, RING_FRAME_MIN, SLOT_HEADER_BYTES, SLOT_LENGTH, SLOT_SEQUENCE,
};

/// How the rings lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingShape {
    /// Slots of a ring, a power of two.
    pub slots: u32,
    /// Bytes of a slot, a multiple of 64 and more than its header.
    pub slot_bytes: u32,
}

impl RingShape {
    /// Bytes of both rings.
    pub fn bytes(&self) -> u64 {
        2 * u64::from(self.slots) * u64::from(self.slot_bytes)
    }
    /// The longest frame.
    pub fn longest(&self) -> usize {
        (self.slot_bytes - SLOT_HEADER_BYTES) as usize
    }
}

/// Both rings, counted since the board began them.
pub struct Rings {
    memory: Box<dyn Memory>,
    shape: RingShape,
    /// Frames taken out of the receive ring, and how many of them the board was told of.
    taken: u32,
    told: u32,
    /// Frames put into the transmit ring, and how many of them the board had taken when it was asked last.
    sent: u32,
    gone: u32,
    /// Frames of the receive ring whose length cannot be.
    damaged: u64,
    /// Frames that no slot of the transmit ring can carry.
    unsendable: u64,
}

impl Rings {
    /// Rings that stand, in this memory, with every sequence cleared.
    pub fn new(memory: Box<dyn Memory>, shape: RingShape) -> Rings {
        let rings = Rings { memory, shape, taken: 0, told: 0, sent: 0, gone: 0, damaged: 0, unsendable: 0 };
        for slot in 0..2 * shape.slots {
            rings.memory.write_u32(rings.slot(0, slot) + u64::from(SLOT_SEQUENCE), 0);
        }
        store_barrier();
        rings
    }
    /// Bytes before the ring that begins `rings` rings on, and before its slot of this count.
    fn slot(&self, ring_slots: u32, slot: u32) -> u64 {
        u64::from(ring_slots + slot) * u64::from(self.shape.slot_bytes)
    }
    fn incoming(&self) -> u64 {
        self.slot(0, self.taken & (self.shape.slots - 1))
    }

    /// Whether a frame waits. A look at memory, no access to the board.
    pub fn has_frame(&self) -> bool {
        self.memory.read_u32(self.incoming() + u64::from(SLOT_SEQUENCE)) == self.taken.wrapping_add(1)
    }

    /// Clears the rings' events, then looks whether a frame waits. One that comes behind the look sets them again.
    pub fn clear_events(&mut self, registers: &mut dyn Registers) -> bool {
        registers.write(DeviceRegister::RingPending.number(), PENDING_RECEIVED | PENDING_SENT);
        // The write may still be on its way when memory, which is elsewhere, is looked at: then it would clear the event of a
        // frame that the look has missed. A read of the same block comes behind it.
        let _behind = registers.read(DeviceRegister::RingStatus.number());
        self.has_frame()
    }

    /// Takes the next frame. False: there is none, and the board has been told of all that were taken.
    pub fn receive(&mut self, into: &mut Vec<u8>, registers: &mut dyn Registers) -> bool {
        while self.has_frame() {
            load_barrier();
            let slot = self.incoming();
            let length = self.memory.read_u32(slot + u64::from(SLOT_LENGTH)) as usize;
            let good = (RING_FRAME_MIN as usize..=self.shape.longest()).contains(&length);
            if good {
                into.clear();
                into.resize(length, 0);
                self.memory.read(slot + u64::from(SLOT_HEADER_BYTES), into);
            } else {
                self.damaged += 1;
                tracing::error!(length, "a frame of the receive ring has a length that cannot be");
            }
            self.taken = self.taken.wrapping_add(1);
            // Before the ring is full of frames that have been read, or the board waits for nothing.
            if self.taken.wrapping_sub(self.told) >= (self.shape.slots / 4).max(1) {
                self.tell(registers);
            }
            if good {
                return true;
            }
        }
        self.tell(registers);
        false
    }

    /// Tells the board what was taken.
    fn tell(&mut self, registers: &mut dyn Registers) {
        if self.told != self.taken {
            load_barrier();
            registers.write(DeviceRegister::RxTail.number(), self.taken);
            self.told = self.taken;
        }
    }

    /// Puts a frame into the transmit ring. One that no slot can carry is dropped and counted: it can have come from nobody.
    pub fn send(&mut self, frame: &[u8], registers: &mut dyn Registers) -> Result<(), RingFull> {
        if !(RING_FRAME_MIN as usize..=self.shape.longest()).contains(&frame.len()) {
            self.unsendable += 1;
            tracing::error!(length = frame.len(), "no slot of the transmit ring can carry the frame");
            return Ok(());
        }
        let waiting = |rings: &Rings| rings.sent.wrapping_sub(rings.gone);
        if waiting(self) >= self.shape.slots {
            self.gone = registers.read(DeviceRegister::TxTail.number());
            if waiting(self) >= self.shape.slots {
                return Err(RingFull);
            }
        }
        let slot = self.slot(self.shape.slots, self.sent & (self.shape.slots - 1));
        let next = self.sent.wrapping_add(1);
        self.memory.write(slot + u64::from(SLOT_HEADER_BYTES), frame);
        self.memory.write_u32(slot + u64::from(SLOT_LENGTH), frame.len() as u32);
        self.memory.write_u32(slot + u64::from(SLOT_SEQUENCE), next);
        store_barrier();
        registers.write(DeviceRegister::TxHead.number(), next);
        self.sent = next;
        Ok(())
    }

    /// Whether the board has taken all that was sent.
    pub fn all_sent(&mut self, registers: &mut dyn Registers) -> bool {
        self.gone = registers.read(DeviceRegister::TxTail.number());
        self.gone == self.sent
    }

    /// Frames of the receive ring that were dropped, as their length cannot be.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }
    /// Frames of the slow path that were dropped, as no slot can carry them.
    pub fn unsendable(&self) -> u64 {
        self.unsendable
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_window::Ordinary;
    use std::collections::HashMap;

    const SHAPE: RingShape = RingShape { slots: 4, slot_bytes: 256 };

    /// Keeps what is written.
    #[derive(Default)]
    struct Kept(HashMap<u32, u32>, usize);

    impl Kept {
        fn get(&self, register: DeviceRegister) -> u32 {
            self.0.get(&register.number()).copied().unwrap_or(0)
        }
    }

    impl Registers for Kept {
        fn bytes(&self) -> u64 {
            0x2000
        }
        fn read(&mut self, offset: u32) -> u32 {
            self.0.get(&offset).copied().unwrap_or(0)
        }
        fn write(&mut self, offset: u32, value: u32) {
            self.1 += 1;
            self.0.insert(offset, value);
        }
    }

    fn rings() -> (Ordinary, Rings, Kept) {
        let memory = Ordinary::new(SHAPE.bytes());
        // What an earlier life has left.
        for slot in 0..8 {
            memory.write_u32(slot * 256 + 4, slot as u32 + 1);
        }
        let rings = Rings::new(Box::new(memory.clone()), SHAPE);
        (memory, rings, Kept::default())
    }

    /// The board writes frame number `k`.
    fn comes(memory: &Ordinary, k: u32, length: u32, fill: u8) {
        let slot = u64::from(k % 4) * 256;
        memory.write(slot + 64, &vec![fill; (length as usize).min(192)]);
        memory.write_u32(slot, length);
        memory.write_u32(slot + 4, k + 1);
    }

    #[test]
    fn frames_come_in_order_round_the_ring_and_the_board_is_told() {
        let (memory, mut rings, mut registers) = rings();
        let mut frame = Vec::new();
        assert!(!rings.receive(&mut frame, &mut registers), "what is left of an earlier life is no frame");
        for k in 0..11 {
            comes(&memory, k, 14 + k, k as u8);
            assert!(rings.receive(&mut frame, &mut registers));
            assert_eq!(frame, vec![k as u8; 14 + k as usize]);
            assert!(!rings.receive(&mut frame, &mut registers));
            assert_eq!(registers.get(DeviceRegister::RxTail), k + 1);
        }
    }

    #[test]
    fn an_idle_look_costs_no_access_and_the_buffer_is_used_again() {
        let (memory, mut rings, mut registers) = rings();
        let mut frame = Vec::with_capacity(192);
        let place = frame.as_ptr();
        for _ in 0..10 {
            assert!(!rings.has_frame() && !rings.receive(&mut frame, &mut registers));
        }
        assert_eq!(registers.1, 0);
        comes(&memory, 0, 192, 7);
        assert!(rings.has_frame() && rings.receive(&mut frame, &mut registers));
        assert_eq!((frame.as_ptr(), frame.len()), (place, 192));
    }

    #[test]
    fn a_length_that_cannot_be_is_counted_and_holds_up_nobody() {
        let (memory, mut rings, mut registers) = rings();
        for (k, length) in [(0, 13), (1, 193), (2, u32::MAX), (3, 60)] {
            comes(&memory, k, length, 9);
        }
        let mut frame = Vec::new();
        assert!(rings.receive(&mut frame, &mut registers));
        assert_eq!((frame.len(), rings.damaged()), (60, 3));
    }

    #[test]
    fn a_full_ring_refuses_until_the_board_has_taken_some() {
        let (memory, mut rings, mut registers) = rings();
        for k in 0..4u8 {
            rings.send(&[k; 20], &mut registers).expect("room");
            assert_eq!(registers.get(DeviceRegister::TxHead), u32::from(k) + 1);
        }
        assert_eq!(rings.send(&[4; 20], &mut registers), Err(RingFull));
        registers.write(DeviceRegister::TxTail.number(), 1);
        rings.send(&[4; 21], &mut registers).expect("room again");
        // It lies in the first slot of the second ring.
        assert_eq!((memory.read_u32(1024), memory.read_u32(1028)), (21, 5));
        let mut bytes = [0; 21];
        memory.read(1024 + 64, &mut bytes);
        assert_eq!(bytes, [4; 21]);
    }

    #[test]
    fn a_frame_that_no_slot_can_carry_is_counted() {
        let (_, mut rings, mut registers) = rings();
        for length in [0, 13, 193, 5000] {
            assert_eq!(rings.send(&vec![0; length], &mut registers), Ok(()));
        }
        assert_eq!((rings.unsendable(), registers.1), (4, 0));
    }

    /// Writes take effect when something is read; the board writes a frame just before that.
    struct Posted {
        memory: Ordinary,
        posted: Vec<(u32, u32)>,
        pending: u32,
    }

    impl Registers for Posted {
        fn bytes(&self) -> u64 {
            0x2000
        }
        fn read(&mut self, _: u32) -> u32 {
            if !self.posted.is_empty() {
                comes(&self.memory, 0, 60, 5);
                self.pending |= PENDING_RECEIVED;
            }
            for (offset, value) in self.posted.drain(..) {
                assert_eq!(offset, DeviceRegister::RingPending.number());
                self.pending &= !value;
            }
            0
        }
        fn write(&mut self, offset: u32, value: u32) {
            self.posted.push((offset, value));
        }
    }

    #[test]
    fn a_frame_whose_event_is_cleared_is_seen() {
        let (memory, mut rings, _) = rings();
        let mut registers = Posted { memory: memory.clone(), posted: Vec::new(), pending: 0 };
        let seen = rings.clear_events(&mut registers);
        // Whatever is read next: the clear arrives.
        registers.read(0);
        assert_eq!(registers.pending & PENDING_RECEIVED, 0, "nobody is going to be woken");
        assert!(seen);
    }

    #[test]
    fn counts_wrap() {
        let (memory, mut rings, mut registers) = rings();
        (rings.taken, rings.told, rings.sent, rings.gone) = (u32::MAX, u32::MAX, u32::MAX, u32::MAX);
        memory.write_u32(3 * 256, 20);
        memory.write_u32(3 * 256 + 4, 0);
        let mut frame = Vec::new();
        assert!(rings.receive(&mut frame, &mut registers));
        rings.send(&[1; 20], &mut registers).expect("room");
        assert_eq!(registers.get(DeviceRegister::TxHead), 0);
        assert!(!rings.receive(&mut frame, &mut registers));
        assert_eq!(registers.get(DeviceRegister::RxTail), 0);
    }
}
