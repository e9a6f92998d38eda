//! The fast path as a board's windows show it.
use std::io;
use std::time::{Duration, Instant};

use mneme_slowpath::{FastPath, RingFull};
use mneme_window::{Interrupt, Memory, Registers, Window};
use mneme_wire::chain::{CHAIN_BASE, CHAIN_BYTES};
use mneme_wire::device::{
    DEVICE_MAGIC, DEVICE_MEMORY_READY, DEVICE_RESETTING, DEVICE_VERSION, PENDING_RECEIVED, PENDING_SENT,
    RING_ENABLE, RING_INTERRUPT, RING_RUNNING, SLOT_HEADER_BYTES, WINDOW_BYTES,
};
use mneme_wire::leaf::{LEAF_BASE, LEAF_BYTES};
use mneme_wire::pte::Geometry;
use mneme_wire::register::{CONTROL_ENABLE, COUNTER_BASE, MAGIC, REST_BOARD};
use mneme_wire::roce::{ROCE_BASE, ROCE_BYTES};
use mneme_wire::{
    ChainRegister, Counter, DeviceRegister, LeafRegister, Register, ReplaceStatus, RoceRegister, Target,
};

use crate::former::Former;
use crate::rings::{RingShape, Rings};
use crate::serve::Served;

/// How long a device may take to do what takes it microseconds.
const PATIENCE: Duration = Duration::from_secs(5);
/// Calibration of DRAM takes a board longer.
const CALIBRATION: Duration = Duration::from_secs(30);
/// How long requests on the board get to end before the core is reset.
const REST: Duration = Duration::from_millis(100);
/// Looks at the ring between two looks at the clock.
const LOOKS: u32 = 16;
/// Slots of a ring at most; more is a device that is none.
const MOST_SLOTS: u32 = 1 << 16;
/// Bytes of a slot at most: a frame is no longer than an IPv4 packet with its header.
const MOST_SLOT_BYTES: u32 = 1 << 17;

/// Why a board cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The register window is too small.
    #[error(
        "the register window has {0:#x} bytes, and a board's has {WINDOW_BYTES:#x}: is the device tree the package's?"
    )]
    SmallWindow(u64),
    /// There is no device block.
    #[error(
        "the device block begins with {0:#010x}, not with \"MNED\": no board is there, or its bitstream is not loaded"
    )]
    Magic(u32),
    /// The device block is of another version.
    #[error(
        "the device block has version {0}, this daemon knows {DEVICE_VERSION}: update whichever is older"
    )]
    Version(u32),
    /// The board was built for no target that is known.
    #[error("the board was built for target {0}, which this daemon does not know: update it")]
    Target(u32),
    /// The board was built for another target than was asked for.
    #[error(
        "the board was built for {built}, not for {asked}: load the bitstream of the board that is there"
    )]
    OtherTarget {
        /// What it was built for.
        built: &'static str,
        /// What was asked for.
        asked: &'static str,
    },
    /// The rings' shape is impossible.
    #[error(
        "rings of {slots} slots of {slot_bytes} bytes cannot be: slots are a power of two, their bytes a multiple of 64"
    )]
    Rings {
        /// Slots.
        slots: u32,
        /// Bytes of each.
        slot_bytes: u32,
    },
    /// The rings do not fit into their memory.
    #[error("the rings take {needed} bytes, and their memory has {there}: reserve more in the device tree")]
    RingMemory {
        /// What they take.
        needed: u64,
        /// What there is.
        there: u64,
    },
    /// The rings' memory lies where the board cannot begin a ring.
    #[error("the memory of the rings begins at {0:#x}, which is no multiple of 64")]
    RingAddress(u64),
    /// DRAM does not calibrate.
    #[error("DRAM is not ready after {patience} s: the memory controller has not calibrated", patience = CALIBRATION.as_secs())]
    Dram,
    /// The device block does not do what it is told.
    #[error("{0} within {patience} s", patience = PATIENCE.as_secs())]
    Stuck(&'static str),
    /// A register access of a board failed that is reached by messages: a simulated one, or one on the network.
    #[error("the board is no longer reached: {0}")]
    Gone(String),
    /// The board has rings, not mail.
    #[error(
        "the board has a processor of its own: serve it there, as its slow ring lies in the processor's memory"
    )]
    HasRings,
    /// DRAM cannot be brought up.
    #[error(transparent)]
    Levels(#[from] mneme_host::dram::DramError),
}

/// A board, reached through its windows.
pub struct Board {
    registers: Box<dyn Registers>,
    rings: Rings,
    dram: Box<dyn Memory>,
    interrupt: Box<dyn Interrupt>,
    target: Target,
    /// Bytes of DRAM, where the window shows fewer than the core has.
    limit: Option<u64>,
    ring_address: u64,
    former: Option<Former>,
}

impl Board {
    /// Looks at a board, stops its rings, resets a core that has been in use, and begins the rings anew. What comes from the
    /// network is dropped from then on, until a slow path has booted.
    pub fn open(window: Window, asked: Option<Target>) -> Result<Board, OpenError> {
        let Window { mut registers, rings, ring_address, dram, interrupt, .. } = window;
        let target = identify(registers.as_mut(), asked)?;
        let shape = ring_shape(registers.as_mut(), rings.len(), ring_address)?;
        ready(registers.as_mut())?;
        // Nothing is written to the rings' memory any more once they stand.
        registers.write(DeviceRegister::RingControl.number(), 0);
        until(registers.as_mut(), PATIENCE, "the rings of the former daemon do not stop", |registers| {
            registers.read(DeviceRegister::RingStatus.number()) & RING_RUNNING == 0
        })?;
        let mut board = Board {
            registers,
            rings: Rings::new(rings, shape),
            dram,
            interrupt,
            target,
            limit: None,
            ring_address,
            former: None,
        };
        if in_use(board.registers.as_mut()) {
            board.former = end_former(board.registers.as_mut(), Some(board.dram.as_ref()))?;
        }
        let bits = board.read_register(Register::MemBits).min(63);
        board.limit = Some(board.dram.len()).filter(|bytes| *bytes < 1 << bits);
        board.begin_rings();
        alive(board.registers.as_ref())?;
        Ok(board)
    }

    fn begin_rings(&mut self) {
        let write = |registers: &mut dyn Registers, register: DeviceRegister, value: u32| {
            registers.write(register.number(), value);
        };
        let registers = self.registers.as_mut();
        write(registers, DeviceRegister::RingBaseLow, self.ring_address as u32);
        write(registers, DeviceRegister::RingBaseHigh, (self.ring_address >> 32) as u32);
        write(registers, DeviceRegister::RingStatus, 0);
        write(registers, DeviceRegister::RingPending, PENDING_RECEIVED | PENDING_SENT);
        write(registers, DeviceRegister::RingControl, RING_ENABLE | RING_INTERRUPT);
    }

    /// What the board was built for.
    pub fn target(&self) -> Target {
        self.target
    }
    /// What a former daemon had left, if the core was in use.
    pub fn former(&self) -> Option<Former> {
        self.former
    }
    /// Frames dropped in the rings: a length that cannot be, coming and going.
    pub fn dropped(&self) -> (u64, u64) {
        (self.rings.damaged(), self.rings.unsendable())
    }

    /// Stops the rings, once the last answers have left: the board writes to no memory of the processor from then on. Its fast
    /// path serves on.
    pub fn close(mut self) {
        let began = Instant::now();
        while !self.rings.all_sent(self.registers.as_mut()) && began.elapsed() < REST {
            std::thread::sleep(Duration::from_micros(50));
        }
        self.registers.write(DeviceRegister::RingControl.number(), 0);
        let stopped = |registers: &mut dyn Registers| {
            registers.read(DeviceRegister::RingStatus.number()) & RING_RUNNING == 0
        };
        if let Err(error) = until(self.registers.as_mut(), PATIENCE, "the rings do not stop", stopped) {
            tracing::error!(%error, "the board may write to the memory of the rings");
        }
    }
}

impl Served for Board {
    fn alive(&self) -> Result<(), OpenError> {
        alive(self.registers.as_ref())
    }
    fn look(&mut self, at_most: Duration) -> bool {
        let began = Instant::now();
        loop {
            for _ in 0..LOOKS {
                if self.rings.has_frame() {
                    return true;
                }
                std::hint::spin_loop();
            }
            if began.elapsed() >= at_most {
                return false;
            }
        }
    }
    /// Events are cleared before the ring is looked at, and the interrupt is let come after that: none is missed.
    fn wait(&mut self, at_most: Duration) -> io::Result<bool> {
        if self.rings.clear_events(self.registers.as_mut()) {
            return Ok(true);
        }
        self.interrupt.enable()?;
        self.interrupt.wait(at_most)
    }
}

/// Why a board is no longer reached.
pub(crate) fn alive(registers: &dyn Registers) -> Result<(), OpenError> {
    registers.trouble().map_or(Ok(()), |error| Err(OpenError::Gone(error.to_string())))
}

/// Whether a core has been in use since its reset, as far as registers tell.
pub(crate) fn in_use(registers: &mut dyn Registers) -> bool {
    let mut read = |register: Register| registers.read(register.number());
    read(Register::ReplaceStatus) != u32::from(ReplaceStatus::Idle.number())
        || read(Register::AsyncLevel) != 0
        || read(Register::ZeroPending) != 0
        || read(Register::Control) & CONTROL_ENABLE != 0
}

/// Ends what a former daemon has left: looks at its table, where DRAM can be seen, and resets the core.
pub(crate) fn end_former(
    registers: &mut dyn Registers,
    dram: Option<&dyn Memory>,
) -> Result<Option<Former>, OpenError> {
    registers.write(Register::Control.number(), 0);
    let began = Instant::now();
    while registers.read(Register::Rest.number()) & REST_BOARD == 0 && began.elapsed() < REST {
        std::thread::sleep(Duration::from_micros(50));
    }
    let mut shape = |register: Register| registers.read(register.number());
    let bits = (shape(Register::PageBits), shape(Register::MemBits), shape(Register::SlotsLog2));
    let epoch = shape(Register::Epoch) as u8;
    let geometry =
        (shape(Register::Magic) == MAGIC).then(|| Geometry::new(bits.0, bits.1, bits.2).ok()).flatten();
    let former = geometry.map(|geometry| match dram {
        Some(dram) => Former::of(epoch, &geometry, dram),
        None => Former { epoch, pages: None },
    });
    registers.write(DeviceRegister::CoreReset.number(), DEVICE_MAGIC);
    until(registers, PATIENCE, "the core does not come out of its reset", |registers| {
        registers.read(DeviceRegister::Status.number()) & DEVICE_RESETTING == 0
    })?;
    alive(registers)?;
    if in_use(registers) {
        return Err(OpenError::Stuck("the core still is in the middle of its former life"));
    }
    Ok(former)
}

pub(crate) fn identify(registers: &mut dyn Registers, asked: Option<Target>) -> Result<Target, OpenError> {
    if registers.bytes() < u64::from(WINDOW_BYTES) {
        return Err(OpenError::SmallWindow(registers.bytes()));
    }
    let mut read = |register: DeviceRegister| registers.read(register.number());
    let (magic, version) = (read(DeviceRegister::Magic), read(DeviceRegister::Version));
    if magic != DEVICE_MAGIC {
        return Err(OpenError::Magic(magic));
    }
    if version != DEVICE_VERSION {
        return Err(OpenError::Version(version));
    }
    let number = read(DeviceRegister::Target);
    let built = Target::from_number(number).ok_or(OpenError::Target(number))?;
    match asked {
        Some(asked) if asked != built => {
            Err(OpenError::OtherTarget { built: built.name(), asked: asked.name() })
        }
        _ => Ok(built),
    }
}

fn ring_shape(registers: &mut dyn Registers, there: u64, address: u64) -> Result<RingShape, OpenError> {
    let slots = registers.read(DeviceRegister::RingSlots.number());
    let slot_bytes = registers.read(DeviceRegister::RingSlotBytes.number());
    let sound = slots.is_power_of_two()
        && slots <= MOST_SLOTS
        && slot_bytes.is_multiple_of(64)
        && (SLOT_HEADER_BYTES + 64..=MOST_SLOT_BYTES).contains(&slot_bytes);
    if !sound {
        return Err(OpenError::Rings { slots, slot_bytes });
    }
    let shape = RingShape { slots, slot_bytes };
    if there < shape.bytes() {
        return Err(OpenError::RingMemory { needed: shape.bytes(), there });
    }
    if !address.is_multiple_of(64) {
        return Err(OpenError::RingAddress(address));
    }
    Ok(shape)
}

/// Waits for DRAM.
pub(crate) fn ready(registers: &mut dyn Registers) -> Result<(), OpenError> {
    let calibrated = |registers: &mut dyn Registers| {
        registers.read(DeviceRegister::Status.number()) & DEVICE_MEMORY_READY != 0
    };
    until(registers, CALIBRATION, "DRAM", calibrated).map_err(|error| match error {
        OpenError::Stuck(_) => OpenError::Dram,
        other => other,
    })
}

/// Waits until something holds.
pub(crate) fn until(
    registers: &mut dyn Registers,
    at_most: Duration,
    what: &'static str,
    holds: impl Fn(&mut dyn Registers) -> bool,
) -> Result<(), OpenError> {
    let began = Instant::now();
    while !holds(registers) {
        if let Some(error) = registers.trouble() {
            return Err(OpenError::Gone(error.to_string()));
        }
        if began.elapsed() > at_most {
            return Err(OpenError::Stuck(what));
        }
        std::thread::sleep(Duration::from_micros(50));
    }
    Ok(())
}

/// A counter by its place; 0 of one that there is not: all lie below the device block.
pub(crate) fn observed(registers: &mut dyn Registers, number: u32) -> u32 {
    let offset = COUNTER_BASE.saturating_add(number.saturating_mul(4));
    if offset < DeviceRegister::Magic.number() { registers.read(offset) } else { 0 }
}

impl FastPath for Board {
    fn read_register(&mut self, register: Register) -> u32 {
        self.registers.read(register.number())
    }
    fn write_register(&mut self, register: Register, value: u32) {
        self.registers.write(register.number(), value);
    }
    fn read_counter(&mut self, counter: Counter) -> u32 {
        self.registers.read(counter.offset())
    }
    fn read_observed(&mut self, number: u32) -> u32 {
        observed(self.registers.as_mut(), number)
    }
    fn read_roce(&mut self, offset: u32) -> u32 {
        // All of the block lies below the device's.
        if offset < ROCE_BYTES { self.registers.read(ROCE_BASE + offset) } else { 0 }
    }
    fn write_roce(&mut self, register: RoceRegister, value: u32) {
        self.registers.write(ROCE_BASE + register.number(), value);
    }
    fn read_leaf(&mut self, offset: u32) -> u32 {
        // Below the device's, too.
        if offset < LEAF_BYTES { self.registers.read(LEAF_BASE + offset) } else { 0 }
    }
    fn write_leaf(&mut self, register: LeafRegister, value: u32) {
        self.registers.write(LEAF_BASE + register.number(), value);
    }
    fn read_chain(&mut self, offset: u32) -> u32 {
        // And so do these.
        if offset < CHAIN_BYTES { self.registers.read(CHAIN_BASE + offset) } else { 0 }
    }
    fn write_chain(&mut self, register: ChainRegister, value: u32) {
        self.registers.write(CHAIN_BASE + register.number(), value);
    }
    fn receive(&mut self, into: &mut Vec<u8>) -> bool {
        self.rings.receive(into, self.registers.as_mut())
    }
    fn send(&mut self, frame: &[u8]) -> Result<(), RingFull> {
        self.rings.send(frame, self.registers.as_mut())
    }
    fn read_memory(&mut self, address: u64, into: &mut [u8]) {
        self.dram.read(address, into);
    }
    fn write_memory(&mut self, address: u64, from: &[u8]) {
        self.dram.write(address, from);
    }
    fn memory_limit(&self) -> Option<u64> {
        self.limit
    }
}
