//! A model of the device block and of the rings' DMA, by their contract (device.md).
use mneme_slowpath::FastPath;
use mneme_window::{Memory, load_barrier, store_barrier};
use mneme_wire::device::{
    DEVICE_MAGIC, DEVICE_MEMORY_READY, DEVICE_VERSION, PENDING_RECEIVED, PENDING_SENT, RING_ENABLE,
    RING_ERROR, RING_FRAME_MIN, RING_INTERRUPT, RING_RUNNING, SLOT_HEADER_BYTES, SLOT_LENGTH, SLOT_SEQUENCE,
    slot_bytes,
};
use mneme_wire::{DeviceRegister, Target};

/// Slots of a ring.
const SLOTS: u32 = 64;
/// Where the device sees the rings' memory: any address that DRAM does not have.
pub const RING_ADDRESS: u64 = 0x7f00_0000;

/// The device block of a simulated board. A frame under way is a call of [`Device::step`], so it is always ended.
pub struct Device<M> {
    memory: M,
    slot_bytes: u32,
    base: u64,
    control: u32,
    error: bool,
    pending: u32,
    rx_head: u32,
    rx_tail: u32,
    tx_head: u32,
    tx_tail: u32,
    lost: u32,
    refused: u32,
    frame: Vec<u8>,
}

/// What a write asks of the board, besides what the block does itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Nothing.
    Nothing,
    /// The core is reset.
    Reset,
}

/// Bytes of both rings of a board whose longest frame has so many bytes.
pub fn ring_bytes(longest: usize) -> u64 {
    2 * u64::from(SLOTS) * u64::from(slot_bytes(longest as u32))
}

impl<M: Memory> Device<M> {
    /// The block of a board with this longest frame.
    pub fn new(memory: M, longest: usize) -> Device<M> {
        Device {
            memory,
            slot_bytes: slot_bytes(longest as u32),
            base: 0,
            control: 0,
            error: false,
            pending: 0,
            rx_head: 0,
            rx_tail: 0,
            tx_head: 0,
            tx_tail: 0,
            lost: 0,
            refused: 0,
            frame: Vec::new(),
        }
    }

    fn runs(&self) -> bool {
        self.control & RING_ENABLE != 0
    }

    /// Reads the word at an offset of the block.
    pub fn read(&self, offset: u32) -> u32 {
        use DeviceRegister as R;
        let Some(register) = R::from_number(offset) else { return 0 };
        match register {
            R::Magic => DEVICE_MAGIC,
            R::Version => DEVICE_VERSION,
            R::Target => Target::Simulated.number(),
            // No Ethernet port: frames are datagrams of a socket.
            R::Ports => 0,
            R::Status => DEVICE_MEMORY_READY,
            R::RingSlots => SLOTS,
            R::RingSlotBytes => self.slot_bytes,
            R::RingBaseLow => self.base as u32,
            R::RingBaseHigh => (self.base >> 32) as u32,
            R::RingControl => self.control,
            R::RingStatus => {
                (if self.runs() { RING_RUNNING } else { 0 }) | (if self.error { RING_ERROR } else { 0 })
            }
            R::RingPending => self.pending,
            R::RxHead => self.rx_head,
            R::RxTail => self.rx_tail,
            R::TxHead => self.tx_head,
            R::TxTail => self.tx_tail,
            R::RingLost => self.lost,
            R::RingRefused => self.refused,
            R::CoreReset => 0,
        }
    }

    /// Writes it.
    pub fn write(&mut self, offset: u32, value: u32) -> Asked {
        use DeviceRegister as R;
        match R::from_number(offset) {
            Some(R::RingBaseLow) if !self.runs() => {
                self.base = self.base & !0xffff_ffff | u64::from(value & !63)
            }
            Some(R::RingBaseHigh) if !self.runs() => {
                self.base = self.base & 0xffff_ffff | u64::from(value) << 32;
            }
            Some(R::RingControl) => {
                if !self.runs() && value & RING_ENABLE != 0 {
                    (self.rx_head, self.rx_tail, self.tx_head, self.tx_tail) = (0, 0, 0, 0);
                }
                self.control = value & (RING_ENABLE | RING_INTERRUPT);
            }
            Some(R::RingStatus) => self.error = false,
            Some(R::RingPending) => self.pending &= !value,
            Some(R::RxTail) => self.rx_tail = value,
            Some(R::TxHead) => self.tx_head = value,
            Some(R::CoreReset) if value == DEVICE_MAGIC && !self.runs() => return Asked::Reset,
            _ => {}
        }
        Asked::Nothing
    }

    /// The level of the interrupt.
    pub fn interrupt(&self) -> bool {
        self.control & RING_INTERRUPT != 0 && self.pending != 0
    }

    /// The place of a slot in memory; `None`: the bus has nothing there.
    fn slot(&self, ring: u32, count: u32) -> Option<u64> {
        let number = ring * SLOTS + (count & (SLOTS - 1));
        let address = self.base.checked_add(u64::from(number) * u64::from(self.slot_bytes))?;
        let at = address.checked_sub(RING_ADDRESS)?;
        (at + u64::from(self.slot_bytes) <= self.memory.len()).then_some(at)
    }

    /// Moves frames both ways, as many as there are and there is room for. Whether any moved.
    pub fn step(&mut self, fast: &mut impl FastPath) -> bool {
        if !self.runs() {
            return false;
        }
        let mut moved = false;
        // A tail that is ahead of the head is a daemon's mistake: there is no room then.
        while self.rx_head.wrapping_sub(self.rx_tail) < SLOTS {
            let mut frame = std::mem::take(&mut self.frame);
            let any = fast.receive(&mut frame);
            if any {
                self.received(&frame);
            }
            self.frame = frame;
            if !any {
                break;
            }
            moved = true;
        }
        while self.tx_tail != self.tx_head && self.transmit(fast) {
            moved = true;
        }
        moved
    }

    fn lose(&mut self) {
        self.lost = self.lost.wrapping_add(1);
        self.error = true;
    }

    /// Writes a frame, then its header, the sequence last.
    fn received(&mut self, frame: &[u8]) {
        let fits = frame.len() <= (self.slot_bytes - SLOT_HEADER_BYTES) as usize;
        let Some(at) = self.slot(0, self.rx_head).filter(|_| fits) else { return self.lose() };
        let next = self.rx_head.wrapping_add(1);
        let mut header = [0; SLOT_HEADER_BYTES as usize];
        header[..4].copy_from_slice(&(frame.len() as u32).to_le_bytes());
        self.memory.write(at + u64::from(SLOT_HEADER_BYTES), frame);
        self.memory.write(at + 8, &header[8..]);
        self.memory.write_u32(at + u64::from(SLOT_LENGTH), frame.len() as u32);
        store_barrier();
        self.memory.write_u32(at + u64::from(SLOT_SEQUENCE), next);
        self.rx_head = next;
        self.pending |= PENDING_RECEIVED;
    }

    /// Takes the next frame of the transmit ring; false: the core has no room for it.
    fn transmit(&mut self, fast: &mut impl FastPath) -> bool {
        let next = self.tx_tail.wrapping_add(1);
        match self.slot(1, self.tx_tail) {
            None => self.lose(),
            Some(at) => {
                load_barrier();
                let length = self.memory.read_u32(at + u64::from(SLOT_LENGTH));
                let sequence = self.memory.read_u32(at + u64::from(SLOT_SEQUENCE));
                let longest = self.slot_bytes - SLOT_HEADER_BYTES;
                if !(RING_FRAME_MIN..=longest).contains(&length) || sequence != next {
                    self.refused = self.refused.wrapping_add(1);
                } else {
                    self.frame.clear();
                    self.frame.resize(length as usize, 0);
                    self.memory.read(at + u64::from(SLOT_HEADER_BYTES), &mut self.frame);
                    if fast.send(&self.frame).is_err() {
                        return false;
                    }
                }
            }
        }
        self.tx_tail = next;
        self.pending |= PENDING_SENT;
        true
    }

    /// Frames wait for the core to have room.
    pub fn waits(&self) -> bool {
        self.runs() && self.tx_tail != self.tx_head
    }
}
