//! What a real board has around its fast path: the device block, which the slow path's daemon maps beside the register
//! block, the layout of the rings in memory, and the counters of its Ethernet ports (`docs/reference/device.md`).
use crate::declare::{constants, declare};

constants! {
    /// What the registers and the rings below are made of.
    CONSTANTS {
        #[doc = "Value of the DEVICE_MAGIC register: \"MNED\"."] DEVICE_MAGIC = 0x4445_4e4d;
        #[doc = "Version of the device block and of the rings."] DEVICE_VERSION = 1;
        #[doc = "Bytes of the register window: the register block below DEVICE_BASE, the device block above it."] WINDOW_BYTES = 0x2000;
        #[doc = "Offset of the device block in the register window."] DEVICE_BASE = 0x1000;
        #[doc = "Offset of an Ethernet port's registers and counters; port *p* begins at PORT_BASE + PORT_BYTES × p."] PORT_BASE = 0x1100;
        #[doc = "Bytes between two ports."] PORT_BYTES = 0x100;
        #[doc = "Offset, within a port, of its first counter; counter *i* is the word at PORT_COUNTERS + 4 × i."] PORT_COUNTERS = 0x40;
        #[doc = "Bytes before a slot's frame. The first words are the frame's length and its sequence, both little-endian."] SLOT_HEADER_BYTES = 64;
        #[doc = "Offset, within a slot, of the frame's length in bytes."] SLOT_LENGTH = 0;
        #[doc = "Offset, within a slot, of the frame's sequence: the ring's count with this frame, so the first has 1. It is written last."] SLOT_SEQUENCE = 4;
        #[doc = "Shortest frame that a ring takes: an Ethernet header."] RING_FRAME_MIN = 14;
        #[doc = "RING_CONTROL: the rings run. A write of 0 ends the frame under way; the next write of 1 puts all counts to 0."] RING_ENABLE = 1;
        #[doc = "RING_CONTROL: a pending event raises the interrupt."] RING_INTERRUPT = 2;
        #[doc = "RING_STATUS: a frame is under way, or the rings run."] RING_RUNNING = 1;
        #[doc = "RING_STATUS: memory answered an access with an error since the last write; the frame was lost and counted."] RING_ERROR = 2;
        #[doc = "RING_PENDING: a frame came into the receive ring."] PENDING_RECEIVED = 1;
        #[doc = "RING_PENDING: a frame left the transmit ring."] PENDING_SENT = 2;
        #[doc = "DEVICE_STATUS: DRAM is calibrated and answers."] DEVICE_MEMORY_READY = 1;
        #[doc = "DEVICE_STATUS: the core is in reset, and takes no register access."] DEVICE_RESETTING = 2;
        #[doc = "PORT_CONTROL: pauses are sent when the receive store fills."] PORT_SEND_PAUSES = 1;
        #[doc = "PORT_STATUS: blocks are locked."] PORT_LOCKED = 1;
        #[doc = "PORT_STATUS: many headers are wrong."] PORT_HIGH_ERRORS = 2;
        #[doc = "PORT_STATUS: the receiver has a fault."] PORT_LOCAL_FAULT = 4;
        #[doc = "PORT_STATUS: the other end says that it has one."] PORT_REMOTE_FAULT = 8;
        #[doc = "PORT_STATUS: a received pause is in force."] PORT_PAUSED = 16;
    }
}

declare! {
    /// Byte offsets in the register window, from its beginning. RO: writes are ignored.
    DeviceRegister: u32 {
        #[doc = "RO. The constant DEVICE_MAGIC."] Magic = 0x1000, "DEVICE_MAGIC";
        #[doc = "RO. DEVICE_VERSION."] Version = 0x1004, "DEVICE_VERSION";
        #[doc = "RO. The board's target: a Target number."] Target = 0x1008, "DEVICE_TARGET";
        #[doc = "RO. Ethernet ports in bits 7:0; the one that the fast path uses in bits 15:8."] Ports = 0x100c, "DEVICE_PORTS";
        #[doc = "RO. Bit 0: DRAM is calibrated and answers. Bit 1: the core is in reset."] Status = 0x1010, "DEVICE_STATUS";
        #[doc = "RO. Slots of a ring, a power of two."] RingSlots = 0x1014, "RING_SLOTS";
        #[doc = "RO. Bytes of a slot, header included, a multiple of 64."] RingSlotBytes = 0x1018, "RING_SLOT_BYTES";
        #[doc = "RW. Bus address of the receive ring, a multiple of 64, low word; the transmit ring follows it. Writes while RING_RUNNING are ignored."] RingBaseLow = 0x101c, "RING_BASE_LOW";
        #[doc = "RW. The same, high word."] RingBaseHigh = 0x1020, "RING_BASE_HIGH";
        #[doc = "RW. Bit 0: the rings run. Bit 1: pending events raise the interrupt."] RingControl = 0x1024, "RING_CONTROL";
        #[doc = "Bit 0: the rings run or a frame is under way. Bit 1: memory answered with an error; any write clears it."] RingStatus = 0x1028, "RING_STATUS";
        #[doc = "Events since they were cleared. Bit 0: a frame came. Bit 1: a frame left. Writing a 1 clears a bit."] RingPending = 0x102c, "RING_PENDING";
        #[doc = "RO. Frames that the board has written into the receive ring, wrapping."] RxHead = 0x1030, "RX_HEAD";
        #[doc = "RW. Frames that the slow path has taken out of it, wrapping."] RxTail = 0x1034, "RX_TAIL";
        #[doc = "RW. Frames that the slow path has written into the transmit ring, wrapping."] TxHead = 0x1038, "TX_HEAD";
        #[doc = "RO. Frames that the board has taken out of it, wrapping."] TxTail = 0x103c, "TX_TAIL";
        #[doc = "RO. Frames lost because memory answered with an error, wrapping."] RingLost = 0x1040, "RING_LOST";
        #[doc = "RO. Frames of the transmit ring that were dropped: a length or a sequence that cannot be, wrapping."] RingRefused = 0x1044, "RING_REFUSED";
        #[doc = "WO. Writing DEVICE_MAGIC while RING_RUNNING is 0 resets the core, and nothing else; all other writes are ignored."] CoreReset = 0x1048, "CORE_RESET";
    }
}

declare! {
    /// The hardware that a board is built for.
    Target: u32 {
        #[doc = "None: a simulation."] Simulated = 0, "SIMULATED";
        #[doc = "Xilinx ZCU106."] Zcu106 = 1, "ZCU106";
        #[doc = "LambdaConcept ECPIX-5 85F."] Ecpix5 = 2, "ECPIX5";
    }
}

declare! {
    /// Byte offsets of an Ethernet port's registers, from the port's beginning.
    PortRegister: u32 {
        #[doc = "RW. Bit 0: pauses are sent when the receive store fills."] Control = 0x00, "PORT_CONTROL";
        #[doc = "RO. Lock, errors, faults, pause: the PORT_ constants."] Status = 0x04, "PORT_STATUS";
    }
}

declare! {
    /// What an Ethernet port counts: 32 bits each, wrapping, since reset. Every frame that starts on the line is one of the first eight.
    PortCounter: u32 {
        #[doc = "Good frames for the core, those of RX_OVERFLOW among them."] RxFrames = 0, "RX_FRAMES";
        #[doc = "Starts without a preamble behind them."] RxBadStart = 1, "RX_BAD_START";
        #[doc = "Frames with a control character within: an error, a lost link, a start of another frame."] RxBadCode = 2, "RX_BAD_CODE";
        #[doc = "Frames that are longer than the port's longest."] RxTooLong = 3, "RX_TOO_LONG";
        #[doc = "Frames under 64 bytes."] RxTooShort = 4, "RX_TOO_SHORT";
        #[doc = "Frames with a wrong check sequence."] RxBadFcs = 5, "RX_BAD_FCS";
        #[doc = "Pauses taken."] RxPause = 6, "RX_PAUSE";
        #[doc = "Other frames of MAC control, dropped."] RxControl = 7, "RX_CONTROL";
        #[doc = "Good frames that met a full store, dropped whole."] RxOverflow = 8, "RX_OVERFLOW";
        #[doc = "Blocks replaced by errors."] RxBadBlock = 9, "RX_BAD_BLOCK";
        #[doc = "Wrong headers within lock."] RxBadHeader = 10, "RX_BAD_HEADER";
        #[doc = "Losses of block lock; with RGMII, of the link."] RxLockLost = 11, "RX_LOCK_LOST";
        #[doc = "Frames sent."] TxFrames = 12, "TX_FRAMES";
        #[doc = "Pauses sent."] TxPause = 13, "TX_PAUSE";
        #[doc = "Frames sent with a wrong check sequence, as the core said."] TxDamaged = 14, "TX_DAMAGED";
        #[doc = "Frames dropped, as there was a fault."] TxNoLink = 15, "TX_NO_LINK";
        #[doc = "Frames of the core that are longer than the port's longest, dropped."] TxTooLong = 16, "TX_TOO_LONG";
        #[doc = "With several ports: frames that did not leave here, as there was no link, or no room for a long time."] TxRefused = 17, "TX_REFUSED";
    }
}

/// Bytes of a ring's slot where the longest frame has so many bytes.
pub const fn slot_bytes(longest_frame: u32) -> u32 {
    SLOT_HEADER_BYTES + longest_frame.div_ceil(64) * 64
}
