//! Payload layouts of the slow path's operations and of those that later parts bring. All integers little-endian.
//!
//! A request is never shorter than its answer, so that nobody can use a board to amplify traffic: PING, OPEN,
//! COUNTERS and PROCESSES requests are padded with zeros. Fields called *zero* must be 0; anything else is answered UNSUPPORTED, cause
//! OPTION, so that they can get a meaning later.
mod open;
mod processes;
mod secure;

pub use open::{OpenAnswer, OpenRequest, VaWindow};
pub use processes::{PROCESSES_MAX, ProcessEntry, ProcessesRequest, STANDING_LEASE_NS};
pub use secure::{
    NOISE_NAME, PROLOGUE, PROLOGUE_LEN, PUBLIC_KEY_LEN, SEAL_LEN, SECURE_OPEN_LEN, SecureOpenAnswer,
    SecureOpenRequest, prologue,
};

use crate::declare::declare;

/// Why a payload is not what its operation asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    /// Wrong number of bytes: BADREQUEST, cause LENGTH.
    #[error("payload of {actual} bytes, {expected} are needed")]
    Length {
        /// Bytes of the layout.
        expected: usize,
        /// Bytes found.
        actual: usize,
    },
    /// A reserved field or flag is set, or a number is not assigned: UNSUPPORTED, cause OPTION.
    #[error("field `{0}` holds a value that is not assigned")]
    Option(&'static str),
    /// A value outside its range: BADREQUEST, cause LENGTH.
    #[error("field `{0}` is out of range")]
    Range(&'static str),
}

fn exact<const N: usize>(bytes: &[u8]) -> Result<&[u8; N], PayloadError> {
    bytes.try_into().map_err(|_| PayloadError::Length { expected: N, actual: bytes.len() })
}
fn u16_at(b: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([b[at], b[at + 1]])
}
fn u32_at(b: &[u8], at: usize) -> u32 {
    u32::from(u16_at(b, at)) | u32::from(u16_at(b, at + 2)) << 16
}
fn u64_at(b: &[u8], at: usize) -> u64 {
    u64::from(u32_at(b, at)) | u64::from(u32_at(b, at + 4)) << 32
}
fn put(b: &mut [u8], at: usize, value: &[u8]) {
    b[at..at + value.len()].copy_from_slice(value);
}
fn zero(b: &[u8], name: &'static str) -> Result<(), PayloadError> {
    if b.iter().all(|byte| *byte == 0) { Ok(()) } else { Err(PayloadError::Option(name)) }
}

/// What a board says of itself in answers to PING and OPEN. 64 bytes:
/// `id 8, nonce 8, token 8, tick 4, window 4, ns per tick 4, capabilities 4, memory 8, largest payload 2, page bits 1,
/// epoch 1, key phase 1, retry-filter entries 4, tick's upper bits 5, zero 2`.
///
/// ```
/// use mneme_wire::payload::BoardInfo;
///
/// let info = BoardInfo { page_bits: 18, epoch: 7, ns_per_tick: 8192, max_payload: 1450, ..BoardInfo::default() };
/// assert_eq!(BoardInfo::parse(&info.to_bytes()), Ok(info));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BoardInfo {
    /// The board's identity, the same across boots.
    pub board_id: u64,
    /// Boot nonce, from which process keys derive.
    pub nonce: u64,
    /// Controller token: 16 bits of store incarnation, 48 of revision; 0 without a controller.
    pub token: u64,
    /// The tick when the answer was made, 24 bits.
    pub tick: u32,
    /// The window in ticks.
    pub window: u32,
    /// Nanoseconds that a tick lasts.
    pub ns_per_tick: u32,
    /// Capability bits, none assigned yet.
    pub capabilities: u32,
    /// Bytes of physical memory that processes can have.
    pub memory: u64,
    /// Largest payload of one packet in bytes.
    pub max_payload: u16,
    /// log2 of the page size.
    pub page_bits: u8,
    /// The epoch that requests must carry.
    pub epoch: u8,
    /// Current key phase, 0 or 1.
    pub key_phase: u8,
    /// Entries of the retry filter: writes and atomics of all clients that it remembers at once, each for a window. 0: the
    /// board does not tell.
    pub filter_entries: u32,
    /// The upper 40 bits of the tick when the answer was made; a board without trailers tells 0.
    pub tick_high: u64,
    /// Two bytes by which a client tells that the board's public key is another one than it knows: a hint, which anybody on
    /// the way can change. 0: the board has no key, so it serves no secure OPEN.
    pub key_hint: u16,
}

impl BoardInfo {
    /// Bytes of the layout.
    pub const LEN: usize = 64;
    /// Reads the layout.
    pub fn parse(bytes: &[u8]) -> Result<Self, PayloadError> {
        let b: &[u8; Self::LEN] = exact(bytes)?;
        let info = BoardInfo {
            board_id: u64_at(b, 0),
            nonce: u64_at(b, 8),
            token: u64_at(b, 16),
            tick: u32_at(b, 24),
            window: u32_at(b, 28),
            ns_per_tick: u32_at(b, 32),
            capabilities: u32_at(b, 36),
            memory: u64_at(b, 40),
            max_payload: u16_at(b, 48),
            page_bits: b[50],
            epoch: b[51],
            key_phase: b[52],
            filter_entries: u32_at(b, 53),
            tick_high: u64_at(b, 54) >> 24,
            key_hint: u16_at(b, 62),
        };
        let sane = info.tick < 1 << 24
            && info.window < 1 << 22
            && info.ns_per_tick != 0
            && (12..=40).contains(&info.page_bits)
            && info.epoch != 0
            && info.key_phase < 2
            && info.max_payload >= 64;
        if sane { Ok(info) } else { Err(PayloadError::Range("board info")) }
    }
    /// The tick with all its 64 bits.
    pub fn full_tick(&self) -> u64 {
        self.tick_high << 24 | u64::from(self.tick)
    }
    /// Writes the layout.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let mut b = [0; Self::LEN];
        put(&mut b, 0, &self.board_id.to_le_bytes());
        put(&mut b, 8, &self.nonce.to_le_bytes());
        put(&mut b, 16, &self.token.to_le_bytes());
        put(&mut b, 24, &self.tick.to_le_bytes());
        put(&mut b, 28, &self.window.to_le_bytes());
        put(&mut b, 32, &self.ns_per_tick.to_le_bytes());
        put(&mut b, 36, &self.capabilities.to_le_bytes());
        put(&mut b, 40, &self.memory.to_le_bytes());
        put(&mut b, 48, &self.max_payload.to_le_bytes());
        b[50] = self.page_bits;
        b[51] = self.epoch;
        b[52] = self.key_phase;
        put(&mut b, 53, &self.filter_entries.to_le_bytes());
        put(&mut b, 57, &self.tick_high.to_le_bytes()[..5]);
        put(&mut b, 62, &self.key_hint.to_le_bytes());
        b
    }
}

/// PING request: 64 bytes of zero, as long as its answer, a [`BoardInfo`]. Pid and epoch of the header may be 0. With the
/// pid of a process it renews that one's lease; BAD_REQUEST, cause PID, says that there is no such process.
pub fn parse_ping(bytes: &[u8]) -> Result<(), PayloadError> {
    zero(exact::<{ BoardInfo::LEN }>(bytes)?, "zero")
}

/// Rights of a page.
///
/// ```
/// use mneme_wire::Rights;
///
/// assert_eq!(Rights::READ_ONLY.bits(), 1);
/// assert_eq!(Rights::from_bits(3), Ok(Rights::READ_WRITE));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Rights {
    /// READ and atomics need it.
    pub read: bool,
    /// WRITE and atomics need it.
    pub write: bool,
}

impl Rights {
    /// Reads and writes.
    pub const READ_WRITE: Rights = Rights { read: true, write: true };
    /// Reads only.
    pub const READ_ONLY: Rights = Rights { read: true, write: false };
    /// Bit 0 read, bit 1 write.
    pub fn from_bits(bits: u8) -> Result<Rights, PayloadError> {
        if bits < 4 {
            Ok(Rights { read: bits & 1 != 0, write: bits & 2 != 0 })
        } else {
            Err(PayloadError::Option("rights"))
        }
    }
    /// Bit 0 read, bit 1 write.
    pub fn bits(self) -> u8 {
        u8::from(self.read) | u8::from(self.write) << 1
    }
}

declare! {
    /// Granularity of an allocation.
    AllocUnit: u8 {
        #[doc = "Whole board pages."] BoardPage = 0, "BOARD_PAGE";
        #[doc = "4 KB frames of split pages, on boards with a leaf unit."] Frame = 1, "FRAME";
    }
}

declare! {
    /// Where an allocation's pages may live.
    AllocClass: u8 {
        #[doc = "DRAM only."] Pinned = 0, "PINNED";
        #[doc = "DRAM and SSD (tiers; not built yet)."] Tiered = 1, "TIERED";
        #[doc = "Survives a restart (tiers; not built yet)."] Persistent = 2, "PERSISTENT";
    }
}

/// ALLOC request and answer. 40 bytes: `size 8, rights 1, fixed 1, unit 1, class 1, zero 4, DRAM min 8, DRAM max 8,
/// zero 8`. A request's header carries the fixed address in `va` (0 unless fixed); the answer's header repeats it, and
/// the answer's payload has the address in the last 8 bytes and the size in whole pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alloc {
    /// Bytes wanted; in the answer bytes given, whole pages.
    pub size: u64,
    /// Rights of all pages.
    pub rights: Rights,
    /// The header's `va` is wanted and nothing else.
    pub fixed: bool,
    /// Granularity.
    pub unit: AllocUnit,
    /// Residence.
    pub class: AllocClass,
    /// Tiered: DRAM to keep at least; 0 now.
    pub dram_min: u64,
    /// Of frames: bytes of them that the allocation may have at a time, 0: as many as it is long. Tiered: DRAM to use at most; 0
    /// now.
    pub dram_max: u64,
    /// Answer: the address. Request: 0.
    pub va: u64,
}

impl Alloc {
    /// Bytes of the layout.
    pub const LEN: usize = 40;
    /// A plain request for pinned board pages anywhere.
    pub fn request(size: u64, rights: Rights) -> Alloc {
        let (unit, class) = (AllocUnit::BoardPage, AllocClass::Pinned);
        Alloc { size, rights, fixed: false, unit, class, dram_min: 0, dram_max: 0, va: 0 }
    }
    fn parse(b: &[u8; Self::LEN]) -> Result<Self, PayloadError> {
        if b[9] > 1 {
            return Err(PayloadError::Option("fixed"));
        }
        zero(&b[12..16], "zero")?;
        Ok(Alloc {
            size: u64_at(b, 0),
            rights: Rights::from_bits(b[8])?,
            fixed: b[9] == 1,
            unit: AllocUnit::from_number(b[10]).ok_or(PayloadError::Option("unit"))?,
            class: AllocClass::from_number(b[11]).ok_or(PayloadError::Option("class"))?,
            dram_min: u64_at(b, 16),
            dram_max: u64_at(b, 24),
            va: u64_at(b, 32),
        })
    }
    /// Reads a request, whose last 8 bytes must be 0.
    pub fn parse_request(bytes: &[u8]) -> Result<Self, PayloadError> {
        let b: &[u8; Self::LEN] = exact(bytes)?;
        zero(&b[32..], "zero")?;
        Self::parse(b)
    }
    /// Reads an answer, which has an address.
    pub fn parse_answer(bytes: &[u8]) -> Result<Self, PayloadError> {
        let alloc = Self::parse(exact(bytes)?)?;
        match alloc.va.checked_add(alloc.size) {
            Some(end) if end <= crate::Va::LIMIT && alloc.size > 0 => Ok(alloc),
            _ => Err(PayloadError::Range("va")),
        }
    }
    /// Writes the layout.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let mut b = [0; Self::LEN];
        put(&mut b, 0, &self.size.to_le_bytes());
        put(&mut b, 8, &[self.rights.bits(), u8::from(self.fixed), self.unit.number(), self.class.number()]);
        put(&mut b, 16, &self.dram_min.to_le_bytes());
        put(&mut b, 24, &self.dram_max.to_le_bytes());
        put(&mut b, 32, &self.va.to_le_bytes());
        b
    }
}

/// FREE and PROTECT, request and answer. 16 bytes: `size 8, rights 1, zero 7`. The header's `va` is where the range
/// begins. FREE takes a range that ALLOC answered: `size` is that size or 0 for "whatever ALLOC gave"; rights are 0.
/// PROTECT takes any whole pages inside one range. The answer tells the bytes freed or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RangeRights {
    /// Bytes.
    pub size: u64,
    /// New rights (PROTECT).
    pub rights: Rights,
}

impl RangeRights {
    /// Bytes of the layout.
    pub const LEN: usize = 16;
    /// Reads the layout.
    pub fn parse(bytes: &[u8]) -> Result<Self, PayloadError> {
        let b: &[u8; Self::LEN] = exact(bytes)?;
        zero(&b[9..], "zero")?;
        Ok(RangeRights { size: u64_at(b, 0), rights: Rights::from_bits(b[8])? })
    }
    /// Writes the layout.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let mut b = [0; Self::LEN];
        put(&mut b, 0, &self.size.to_le_bytes());
        b[8] = self.rights.bits();
        b
    }
}

/// Most counters that one COUNTERS request can ask for.
pub const COUNTERS_MAX: usize = 128;

/// COUNTERS request: `first 4, count 4, zero 8 × count`; the answer has the values in the place of the zeros, 0 for
/// numbers that this board does not have. Numbers below 0x1000 are [`Counter`](crate::Counter), widened to 64 bits;
/// from 0x1000 on [`NodeCounter`], from 0x2000 on registers that tell of the build
/// ([`Register::BUILD`](crate::Register::BUILD)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountersRequest {
    /// First number.
    pub first: u32,
    /// How many, 1 to [`COUNTERS_MAX`].
    pub count: u32,
}

impl CountersRequest {
    /// Reads the layout.
    pub fn parse(bytes: &[u8]) -> Result<Self, PayloadError> {
        if bytes.len() < 16 {
            return Err(PayloadError::Length { expected: 16, actual: bytes.len() });
        }
        let request = CountersRequest { first: u32_at(bytes, 0), count: u32_at(bytes, 4) };
        if request.count == 0 || request.count as usize > COUNTERS_MAX {
            return Err(PayloadError::Range("count"));
        }
        if bytes.len() != request.payload_len() {
            return Err(PayloadError::Length { expected: request.payload_len(), actual: bytes.len() });
        }
        zero(&bytes[8..], "zero")?;
        Ok(request)
    }
    /// Bytes of the request and of its answer.
    pub fn payload_len(&self) -> usize {
        8 + 8 * self.count as usize
    }
    /// Writes the request or, with values, the answer into `to`, which must be `payload_len` bytes.
    pub fn emit(&self, values: &[u64], to: &mut [u8]) {
        to.fill(0);
        put(to, 0, &self.first.to_le_bytes());
        put(to, 4, &self.count.to_le_bytes());
        for (i, value) in values.iter().take(self.count as usize).enumerate() {
            put(to, 8 + 8 * i, &value.to_le_bytes());
        }
    }
    /// Reads an answer to this request: its values in order.
    pub fn parse_answer<'a>(&self, bytes: &'a [u8]) -> Result<impl Iterator<Item = u64> + 'a, PayloadError> {
        if bytes.len() != self.payload_len() {
            return Err(PayloadError::Length { expected: self.payload_len(), actual: bytes.len() });
        }
        if u32_at(bytes, 0) != self.first || u32_at(bytes, 4) != self.count {
            return Err(PayloadError::Range("first"));
        }
        Ok(bytes[8..].chunks_exact(8).map(|c| u64_at(c, 0)))
    }
}

declare! {
    /// Counters and figures of the node beyond its fast path: the slow path's, and those of simulated boards.
    ///
    /// ```
    /// use mneme_wire::NodeCounter;
    ///
    /// assert_eq!(NodeCounter::Opens.name(), "OPENS");
    /// ```
    NodeCounter: u32 {
        #[doc = "What the board is: 1 software, 2 RTL in simulation, 3 hardware."] BoardKind = 0x1000, "BOARD_KIND";
        #[doc = "Cycles since reset."] Cycles = 0x1001, "CYCLES";
        #[doc = "Requests with a latency figure (simulated boards: last beat in to first beat out)."] LatencyCount = 0x1002, "LATENCY_COUNT";
        #[doc = "Smallest latency in cycles."] LatencyMin = 0x1003, "LATENCY_MIN";
        #[doc = "Median latency in cycles."] LatencyP50 = 0x1004, "LATENCY_P50";
        #[doc = "99th percentile of the latency in cycles."] LatencyP99 = 0x1005, "LATENCY_P99";
        #[doc = "Largest latency in cycles."] LatencyMax = 0x1006, "LATENCY_MAX";
        #[doc = "OPEN requests served."] Opens = 0x1010, "OPENS";
        #[doc = "EXIT requests served."] Exits = 0x1011, "EXITS";
        #[doc = "ALLOC requests served."] Allocs = 0x1012, "ALLOCS";
        #[doc = "FREE requests served."] Frees = 0x1013, "FREES";
        #[doc = "PROTECT requests served."] Protects = 0x1014, "PROTECTS";
        #[doc = "PING requests served."] Pings = 0x1015, "PINGS";
        #[doc = "ARP requests answered."] Arps = 0x1016, "ARPS";
        #[doc = "ICMP echo requests answered."] Echoes = 0x1017, "ECHOES";
        #[doc = "Slow-path requests refused, any status but OK."] Refused = 0x1018, "REFUSED";
        #[doc = "Slow-path requests answered again from the answer cache."] Replays = 0x1019, "REPLAYS";
        #[doc = "Frames from the ring that no service wanted."] Unclaimed = 0x101a, "UNCLAIMED";
        #[doc = "Requests given up because a worker of the slow path panicked while it served them: 0 on a healthy board."] WorkerPanics = 0x101b, "WORKER_PANICS";
        #[doc = "Processes open now."] Processes = 0x1020, "PROCESSES";
        #[doc = "Allocations alive now."] Ranges = 0x1021, "RANGES";
        #[doc = "Page-table slots in use now."] SlotsUsed = 0x1022, "SLOTS_USED";
        #[doc = "Ranges that the allocator passed over because a bucket was full."] AllocRetries = 0x1023, "ALLOC_RETRIES";
        #[doc = "Physical pages free and not zeroed."] PagesFree = 0x1024, "PAGES_FREE";
        #[doc = "Physical pages in the zeroing queue or engine."] PagesZeroing = 0x1025, "PAGES_ZEROING";
        #[doc = "Physical pages that hardware holds: offered in the async buffer or mapped."] PagesGiven = 0x1026, "PAGES_GIVEN";
        #[doc = "Processes reclaimed because their lease ran out."] LeasesExpired = 0x1027, "LEASES_EXPIRED";
        #[doc = "Page-table slots given up because the table could not be changed: 0 on a healthy board."] SlotsLost = 0x1028, "SLOTS_LOST";
        #[doc = "Physical pages that came out of the table though nobody had them: 0 on a healthy board."] PagesAstray = 0x1029, "PAGES_ASTRAY";
        #[doc = "Pages whose entries memory had not taken (TABLE_PINNED), written once more: 0 on a healthy board."] TableRepairs = 0x102a, "TABLE_REPAIRS";
        #[doc = "The same, not taken again: tried later. 0 on a healthy board."] TableRefused = 0x102b, "TABLE_REFUSED";
        #[doc = "Answers that tell of a refusal and were not sent: their address had been told so many in a short time."] RefusalsUnsent = 0x102c, "REFUSALS_UNSENT";
        #[doc = "Secure OPENs of nobody who may open: they prove no tenant that the board knows, or are repeated."] OpensUnproven = 0x102d, "OPENS_UNPROVEN";
        #[doc = "Processes whose tenant was revoked."] Revoked = 0x102e, "REVOKED";
        #[doc = "Times that the board's key of tags was rolled."] KeyRolls = 0x102f, "KEY_ROLLS";
    }
}

/// First [`NodeCounter`] number.
pub const NODE_COUNTER_BASE: u32 = 0x1000;
/// Counter numbers from here on, plus a status number: slow-path requests refused with that status.
pub const NODE_REFUSED_STATUS: u32 = 0x1080;
/// Counter numbers from here on, plus a cause number: slow-path requests refused for that cause.
pub const NODE_REFUSED_CAUSE: u32 = 0x10a0;

/// One range of ADVISE and PERSIST: `va 8, pages 8`; a request carries 1 to 64 of them after `kind 1, zero 7`.
/// Declared so that no packet has to change; answered UNSUPPORTED until tiers are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRange {
    /// Where the range begins.
    pub va: u64,
    /// Pages.
    pub pages: u64,
}

impl PageRange {
    /// Bytes of the layout.
    pub const LEN: usize = 16;
    /// Most ranges of a request.
    pub const MAX: usize = 64;
    /// Reads the layout.
    pub fn parse(bytes: &[u8]) -> Result<Self, PayloadError> {
        let b: &[u8; Self::LEN] = exact(bytes)?;
        Ok(PageRange { va: u64_at(b, 0), pages: u64_at(b, 8) })
    }
    /// Writes the layout.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let mut b = [0; Self::LEN];
        put(&mut b, 0, &self.va.to_le_bytes());
        put(&mut b, 8, &self.pages.to_le_bytes());
        b
    }
}
