//! The device block and the rings' DMA against their contract.
use std::collections::VecDeque;

use mneme_slowpath::{FastPath, RingFull};
use mneme_window::{Memory, Ordinary};
use mneme_wire::device::{
    DEVICE_MAGIC, PENDING_RECEIVED, PENDING_SENT, RING_ENABLE, RING_INTERRUPT, RING_RUNNING,
};
use mneme_wire::{Counter, DeviceRegister as R, Register};

use super::device::{Asked, Device, RING_ADDRESS, ring_bytes};

const LONGEST: usize = 1514;
const SLOTS: u32 = 64;
const SLOT: u64 = 64 + 1536;

/// The core's slow ring.
#[derive(Default)]
struct Ring {
    to_slow: VecDeque<Vec<u8>>,
    from_slow: Vec<Vec<u8>>,
    room: usize,
}

impl FastPath for Ring {
    fn read_register(&mut self, _: Register) -> u32 {
        0
    }
    fn write_register(&mut self, _: Register, _: u32) {}
    fn read_counter(&mut self, _: Counter) -> u32 {
        0
    }
    fn receive(&mut self, into: &mut Vec<u8>) -> bool {
        self.to_slow.pop_front().map(|frame| *into = frame).is_some()
    }
    fn send(&mut self, frame: &[u8]) -> Result<(), RingFull> {
        if self.from_slow.len() >= self.room {
            return Err(RingFull);
        }
        self.from_slow.push(frame.to_vec());
        Ok(())
    }
    fn read_memory(&mut self, _: u64, _: &mut [u8]) {}
    fn write_memory(&mut self, _: u64, _: &[u8]) {}
}

struct Bench {
    memory: Ordinary,
    device: Device<Ordinary>,
    ring: Ring,
}

impl Bench {
    fn running() -> Bench {
        let memory = Ordinary::new(ring_bytes(LONGEST));
        let device = Device::new(memory.clone(), LONGEST);
        let mut bench = Bench { memory, device, ring: Ring { room: 1000, ..Ring::default() } };
        bench.write(R::RingBaseLow, RING_ADDRESS as u32);
        bench.write(R::RingControl, RING_ENABLE | RING_INTERRUPT);
        bench
    }
    fn read(&self, register: R) -> u32 {
        self.device.read(register.number())
    }
    fn write(&mut self, register: R, value: u32) -> Asked {
        self.device.write(register.number(), value)
    }
    fn step(&mut self) -> bool {
        self.device.step(&mut self.ring)
    }
    /// The daemon writes a slot of the transmit ring.
    fn put(&self, count: u32, length: u32, sequence: u32) {
        let at = (u64::from(SLOTS) + u64::from(count % SLOTS)) * SLOT;
        self.memory.write(at + 64, &[count as u8; 100]);
        self.memory.write_u32(at, length);
        self.memory.write_u32(at + 4, sequence);
    }
}

#[test]
fn frames_for_the_slow_path_lie_in_their_slots_and_no_more_than_there_are() {
    let mut bench = Bench::running();
    assert_eq!((bench.read(R::RingSlots), bench.read(R::RingSlotBytes)), (SLOTS, SLOT as u32));
    bench.ring.to_slow.extend((0..SLOTS + 3).map(|k| vec![k as u8; 60 + k as usize]));
    assert!(bench.step() && !bench.step());
    assert_eq!(
        (bench.read(R::RxHead), bench.ring.to_slow.len()),
        (SLOTS, 3),
        "what comes then waits in the core"
    );
    assert_eq!((bench.read(R::RingPending), bench.device.interrupt()), (PENDING_RECEIVED, true));
    let at = 5 * SLOT;
    assert_eq!((bench.memory.read_u32(at), bench.memory.read_u32(at + 4)), (65, 6));
    let mut frame = [0; 65];
    bench.memory.read(at + 64, &mut frame);
    assert_eq!(frame, [5; 65]);
    bench.write(R::RxTail, 2);
    bench.write(R::RingPending, PENDING_RECEIVED);
    assert!(!bench.device.interrupt());
    assert!(bench.step());
    assert_eq!((bench.read(R::RxHead), bench.memory.read_u32(4)), (SLOTS + 2, SLOTS + 1), "round the ring");
    bench.write(R::RxTail, SLOTS + 3);
    assert!(!bench.step(), "a tail ahead of the head gives no room");
}

#[test]
fn frames_of_the_slow_path_leave_in_order_and_wrong_ones_are_counted() {
    let mut bench = Bench::running();
    bench.ring.room = 2;
    for (count, length, sequence) in
        [(0, 60, 1), (1, 13, 2), (2, 60, 7), (3, 1537, 4), (4, 70, 5), (5, 80, 6)]
    {
        bench.put(count, length, sequence);
    }
    bench.write(R::TxHead, 6);
    assert!(bench.step());
    let left = |bench: &Bench| bench.ring.from_slow.iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!((left(&bench), bench.read(R::TxTail), bench.read(R::RingRefused)), (vec![60, 70], 5, 3));
    assert!(bench.device.waits(), "the core has no room");
    bench.ring.room = 3;
    assert!(bench.step() && !bench.device.waits());
    assert_eq!((left(&bench), bench.read(R::RingPending)), (vec![60, 70, 80], PENDING_SENT));
    assert_eq!(bench.ring.from_slow[2], [5; 80]);
}

#[test]
fn rings_that_stand_write_nothing_and_begin_anew_at_0() {
    let mut bench = Bench::running();
    bench.ring.to_slow.push_back(vec![1; 60]);
    bench.step();
    assert_eq!((bench.read(R::RingStatus), bench.read(R::RxHead)), (RING_RUNNING, 1));
    bench.write(R::RingBaseLow, 0);
    assert_eq!(bench.read(R::RingBaseLow), RING_ADDRESS as u32, "not while they run");
    bench.write(R::RingControl, 0);
    bench.ring.to_slow.push_back(vec![2; 60]);
    assert!(!bench.step());
    assert_eq!((bench.read(R::RingStatus), bench.memory.read_u32(SLOT + 4)), (0, 0));
    bench.write(R::RingControl, RING_ENABLE);
    assert_eq!(bench.read(R::RxHead), 0);
    assert!(bench.step());
    assert_eq!(bench.memory.read_u32(4), 1);
    assert!(!bench.device.interrupt(), "nobody asked for it");
}

#[test]
fn rings_where_no_memory_is_lose_frames_and_say_so() {
    let mut bench = Bench::running();
    bench.write(R::RingControl, 0);
    bench.write(R::RingBaseLow, 0x1000);
    bench.write(R::RingControl, RING_ENABLE);
    bench.ring.to_slow.push_back(vec![1; 60]);
    bench.step();
    assert_eq!((bench.read(R::RingLost), bench.read(R::RxHead), bench.read(R::RingStatus) & 2), (1, 0, 2));
    bench.write(R::RingStatus, 0);
    assert_eq!(bench.read(R::RingStatus) & 2, 0);
}

#[test]
fn the_core_is_reset_on_the_magic_word_while_rings_stand() {
    let mut bench = Bench::running();
    assert_eq!(bench.write(R::CoreReset, DEVICE_MAGIC), Asked::Nothing, "rings run");
    bench.write(R::RingControl, 0);
    assert_eq!(bench.write(R::CoreReset, 1), Asked::Nothing);
    assert_eq!(bench.write(R::CoreReset, DEVICE_MAGIC), Asked::Reset);
}
