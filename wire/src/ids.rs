//! Small number types that keep their range: process id, tick, virtual address.

/// Process id: the protection domain, 24 bits. The top 4 bits are the service class; class 15 belongs to boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Pid(u32);

impl Pid {
    /// No process: only PING and COUNTERS, and OPEN for "any", carry it.
    pub const NONE: Pid = Pid(0);
    /// Top bits of a pid that are its service class.
    pub const CLASS_BITS: u32 = 4;
    /// A pid, if it fits 24 bits.
    pub const fn new(number: u32) -> Option<Pid> {
        if number < 1 << 24 { Some(Pid(number)) } else { None }
    }
    /// The low 24 bits.
    pub const fn from_low_bits(number: u32) -> Pid {
        Pid(number & 0xff_ffff)
    }
    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }
    /// Service class, 0 to 15.
    pub const fn class(self) -> u8 {
        (self.0 >> (24 - Pid::CLASS_BITS)) as u8
    }
}

/// The board's time, 24 bits, wrapping. One tick is 2,048 cycles on hardware.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tick(u32);

impl Tick {
    /// The low 24 bits.
    pub const fn from_low_bits(number: u32) -> Tick {
        Tick(number & 0xff_ffff)
    }
    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }
    /// Ticks from `earlier` to here, −2^23 to 2^23 − 1: the age of `earlier` when `self` is now.
    pub const fn since(self, earlier: Tick) -> i32 {
        ((self.0.wrapping_sub(earlier.0) << 8) as i32) >> 8
    }
    /// This tick plus a number of ticks, wrapping.
    pub const fn plus(self, ticks: u32) -> Tick {
        Tick::from_low_bits(self.0.wrapping_add(ticks))
    }
}

/// Remote virtual address, 48 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Va(u64);

impl Va {
    /// First address that does not exist.
    pub const LIMIT: u64 = 1 << 48;
    /// Bytes of a region, the unit in which addresses are dealt out to boards. Pages are never longer.
    pub const REGION: u64 = 1 << 30;
    /// An address, if it fits 48 bits.
    pub const fn new(address: u64) -> Option<Va> {
        if address < Va::LIMIT { Some(Va(address)) } else { None }
    }
    /// The low 48 bits.
    pub const fn from_low_bits(address: u64) -> Va {
        Va(address & (Va::LIMIT - 1))
    }
    /// The address.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// Where a request's time lies with respect to the board's window (architecture §3, exactly once).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowCheck {
    /// Inside: may execute.
    Inside,
    /// Older than the window: EXPIRED.
    Expired,
    /// Ahead by more than a quarter of the window: BUSY, cause CLOCK.
    Ahead,
}

/// Judges `time` at board tick `now` with a window of `window` ticks.
pub const fn check_window(now: Tick, time: Tick, window: u32) -> WindowCheck {
    let age = now.since(time);
    if age > window as i32 {
        WindowCheck::Expired
    } else if age < -((window / 4) as i32) {
        WindowCheck::Ahead
    } else {
        WindowCheck::Inside
    }
}

/// The sum of parts that lie in different places.
#[cfg(feature = "accelerated")]
pub(crate) struct Crc32c(u32);

#[cfg(feature = "accelerated")]
impl Crc32c {
    pub(crate) fn new() -> Crc32c {
        Crc32c(0)
    }
    /// Takes the next part.
    pub(crate) fn of(self, bytes: &[u8]) -> Crc32c {
        Crc32c(::crc32c::crc32c_append(self.0, bytes))
    }
    pub(crate) fn end(self) -> u32 {
        self.0
    }
}

/// The tables behind [`crc32c`].
#[cfg(not(feature = "accelerated"))]
static CASTAGNOLI: crc::Crc<u32, crc::Table<16>> = crc::Crc::<u32, crc::Table<16>>::new(&crc::CRC_32_ISCSI);

/// The sum of parts that lie in different places.
#[cfg(not(feature = "accelerated"))]
pub(crate) struct Crc32c(crc::Digest<'static, u32, crc::Table<16>>);

#[cfg(not(feature = "accelerated"))]
impl Crc32c {
    pub(crate) fn new() -> Crc32c {
        Crc32c(CASTAGNOLI.digest())
    }
    /// Takes the next part.
    pub(crate) fn of(mut self, bytes: &[u8]) -> Crc32c {
        self.0.update(bytes);
        self
    }
    pub(crate) fn end(self) -> u32 {
        self.0.finalize()
    }
}

/// CRC-32C (Castagnoli, reflected): digest of the retry filter, and part of trailers.
pub fn crc32c(bytes: &[u8]) -> u32 {
    Crc32c::new().of(bytes).end()
}

/// The retry filter's digest of an operation: CRC-32C over opcode, va and length in network order.
pub fn filter_digest(opcode: u8, va: Va, length: u16) -> u32 {
    let mut bytes = [0; 9];
    bytes[0] = opcode;
    bytes[1..7].copy_from_slice(&va.get().to_be_bytes()[2..]);
    bytes[7..].copy_from_slice(&length.to_be_bytes());
    crc32c(&bytes)
}
