//! The rings allocate nothing, in or out, whatever a frame's length: not when they are full, nor for frames that cannot be.
use allocation_counter::measure;
use mneme_boardd::{RingShape, Rings};
use mneme_slowpath::RingFull;
use mneme_window::{Memory, Ordinary, Registers};
use mneme_wire::DeviceRegister;
use mneme_wire::device::{RING_FRAME_MIN, SLOT_HEADER_BYTES, SLOT_LENGTH, SLOT_SEQUENCE};

const SHAPE: RingShape = RingShape { slots: 8, slot_bytes: 1_600 };
const LENGTHS: [usize; 4] = [RING_FRAME_MIN as usize, 60, 1_000, (1_600 - SLOT_HEADER_BYTES) as usize];

/// What the daemon was told, in place of a board's registers.
#[derive(Default)]
struct Told {
    rx_tail: u32,
    tx_head: u32,
    /// What the board says that it has taken.
    tx_tail: u32,
}

impl Registers for Told {
    fn bytes(&self) -> u64 {
        0x2000
    }
    fn read(&mut self, offset: u32) -> u32 {
        assert_eq!(offset, DeviceRegister::TxTail.number());
        self.tx_tail
    }
    fn write(&mut self, offset: u32, value: u32) {
        match offset {
            at if at == DeviceRegister::RxTail.number() => self.rx_tail = value,
            at if at == DeviceRegister::TxHead.number() => self.tx_head = value,
            other => panic!("register {other:#x} is none of the rings'"),
        }
    }
}

/// How often something allocates.
fn allocations(work: impl FnOnce()) -> u64 {
    measure(work).count_total
}

fn rings() -> (Ordinary, Rings) {
    let memory = Ordinary::new(SHAPE.bytes());
    (memory.clone(), Rings::new(Box::new(memory), SHAPE))
}

/// The counter can tell.
#[test]
fn allocations_are_counted() {
    let mut kept = Vec::new();
    assert_eq!(allocations(|| kept = std::hint::black_box(vec![1])), 1);
}

#[test]
fn frames_that_come() {
    let (memory, mut rings) = rings();
    let (mut told, bytes) = (Told::default(), [7; SHAPE.slot_bytes as usize]);
    // The daemon's one buffer, which has its size after the longest frame.
    let mut frame = Vec::new();
    let mut come = |k: u32, length: u32, frame: &mut Vec<u8>| {
        let slot = u64::from(k % SHAPE.slots) * u64::from(SHAPE.slot_bytes);
        memory.write(slot + u64::from(SLOT_HEADER_BYTES), &bytes[..SHAPE.longest().min(length as usize)]);
        memory.write_u32(slot + u64::from(SLOT_LENGTH), length);
        memory.write_u32(slot + u64::from(SLOT_SEQUENCE), k + 1);
        rings.receive(frame, &mut told)
    };
    assert!(come(0, SHAPE.longest() as u32, &mut frame));
    let counted = allocations(|| {
        for k in 1..400 {
            let length = LENGTHS[k as usize % LENGTHS.len()];
            assert!(come(k, length as u32, &mut frame) && frame.len() == length && frame[length - 1] == 7);
        }
        // It is told of, and no frame.
        assert!(!come(400, SHAPE.slot_bytes, &mut frame));
    });
    assert_eq!((counted, told.rx_tail, rings.damaged()), (0, 401, 1));
}

#[test]
fn frames_that_go() {
    let (memory, mut rings) = rings();
    let (mut told, bytes) = (Told::default(), [9; SHAPE.slot_bytes as usize]);
    let counted = allocations(|| {
        for k in 0..400 {
            let length = LENGTHS[k as usize % LENGTHS.len()];
            assert_eq!(rings.send(&bytes[..length], &mut told), Ok(()));
            let slot = u64::from(SHAPE.slots + k % SHAPE.slots) * u64::from(SHAPE.slot_bytes);
            assert_eq!(memory.read_u32(slot + u64::from(SLOT_LENGTH)), length as u32);
            if told.tx_head.wrapping_sub(told.tx_tail) == SHAPE.slots {
                assert_eq!(rings.send(&bytes[..60], &mut told), Err(RingFull));
                told.tx_tail = told.tx_head;
            }
        }
        assert_eq!(rings.send(&bytes, &mut told), Ok(()));
    });
    assert_eq!((counted, told.tx_head, rings.unsendable()), (0, 400, 1));
}
