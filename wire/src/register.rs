//! The fast path's register block and counters, 32-bit words over AXI4-Lite.
use crate::declare::declare;

/// Value of the MAGIC register: "MNEM".
pub const MAGIC: u32 = 0x4d4e_454d;
/// Offset of the first counter; counter *i* is the word at `COUNTER_BASE + 4 × i`.
pub const COUNTER_BASE: u32 = 0x400;
/// Rows of the match-action table.
pub const MAT_ROWS: usize = 8;
/// Rows of the away table.
pub const AWAY_ROWS: usize = 64;
/// Groups of service classes that have shares of the TLB, of its misses, and of free pages.
pub const SHARE_GROUPS: usize = 4;

declare! {
    /// Byte offsets in the register block. RO: writes are ignored. WO: reads give 0.
    Register: u32 {
        #[doc = "RO. The constant MAGIC."] Magic = 0x000, "MAGIC";
        #[doc = "RO. Wire version, 1."] WireVersion = 0x004, "WIRE_VERSION";
        #[doc = "RO. log2 of the page size in bytes."] PageBits = 0x008, "PAGE_BITS";
        #[doc = "RO. log2 of physical memory in bytes."] MemBits = 0x00c, "MEM_BITS";
        #[doc = "RO. log2 of page-table slots per physical page."] SlotsLog2 = 0x010, "SLOTS_LOG2";
        #[doc = "RO. TLB entries."] TlbEntries = 0x014, "TLB_ENTRIES";
        #[doc = "RO. Retry-filter entries."] FilterEntries = 0x018, "FILTER_ENTRIES";
        #[doc = "RO. Places in the async buffer."] AsyncDepth = 0x01c, "ASYNC_DEPTH";
        #[doc = "RO. Largest Mneme payload in bytes."] MaxPayload = 0x020, "MAX_PAYLOAD";
        #[doc = "RO. log2 of cycles per tick."] TickLog2 = 0x024, "TICK_LOG2";
        #[doc = "RO. Packet slots of the ingress buffer."] PacketSlots = 0x028, "PACKET_SLOTS";
        #[doc = "RO. Ways of a TLB set; 0: this board has none."] TlbWays = 0x02c, "TLB_WAYS";
        #[doc = "RO. Pages that are walked for at a time; 0: this board walks at once."] Misses = 0x030, "MISSES";
        #[doc = "RO. Ways of a retry-filter set. There are two choices of FILTER_ENTRIES / 2 / ways sets."] FilterWays = 0x034, "FILTER_WAYS";
        #[doc = "RO. Places in the zeroing queue."] ZeroDepth = 0x038, "ZERO_DEPTH";
        #[doc = "RO. Bit 0: built for simulation (TICK_SKIP works). Bits 2:1: doors of the access engine less one. Bit 3: misses wait in lists, so that hits pass them. Bit 4: trailers are checked, and answers have them. Bit 5: split pages are served by a leaf unit; of hardware its registers begin at LEAF_BASE. Bit 6: a RoCEv2 port stands at the second door, its registers from ROCE_BASE on. Bit 7: of hardware, that port has chains, with registers from CHAIN_BASE on."] BuildFlags = 0x03c, "BUILD_FLAGS";
        #[doc = "RW. Bit 0: enable (else every frame is dropped as DISABLED). Bit 1: exhausted (a dry async buffer means NOMEM)."] Control = 0x040, "CONTROL";
        #[doc = "RW. The board's epoch, 8 bits, never 0 while enabled. A write takes effect when the board rests: frames are dropped as DISABLED until then."] Epoch = 0x044, "EPOCH";
        #[doc = "RW. The window in ticks, 24 bits, below 2^22."] Window = 0x048, "WINDOW";
        #[doc = "RO. The tick now, 24 bits."] Tick = 0x04c, "TICK";
        #[doc = "WO. Adds ticks at once: simulated boards skip idle time this way. Builds without bit 0 of BUILD_FLAGS ignore it."] TickSkip = 0x050, "TICK_SKIP";
        #[doc = "RW. MAC address: bytes 2 to 5, byte 2 in the top bits."] MacLow = 0x054, "MAC_LOW";
        #[doc = "RW. MAC address: bytes 0 and 1 in the low 16 bits."] MacHigh = 0x058, "MAC_HIGH";
        #[doc = "RW. IPv4 address, first byte in the top bits."] Ip = 0x05c, "IP";
        #[doc = "RW. UDP port, 16 bits."] UdpPort = 0x060, "UDP_PORT";
        #[doc = "RW. Hint of BUSY answers in ns."] BusyHint = 0x064, "BUSY_HINT";
        #[doc = "RO. Free zeroed pages in the async buffer."] AsyncLevel = 0x068, "ASYNC_LEVEL";
        #[doc = "WO. A physical page to zero and offer; bit 31: zero only."] ZeroPush = 0x06c, "ZERO_PUSH";
        #[doc = "RO. Free places in the zeroing queue."] ZeroSpace = 0x070, "ZERO_SPACE";
        #[doc = "RO. Pages in the zeroing queue and engine."] ZeroPending = 0x074, "ZERO_PENDING";
        #[doc = "RW. Replace: pid, 24 bits."] ReplacePid = 0x080, "REPLACE_PID";
        #[doc = "RW. Replace: virtual page number, low 32 bits."] ReplaceVpn = 0x084, "REPLACE_VPN";
        #[doc = "RW. Replace: bits of the old entry that must equal the expected ones, low word."] ReplaceCompareLow = 0x088, "REPLACE_COMPARE_LOW";
        #[doc = "RW. Replace: the same, high word."] ReplaceCompareHigh = 0x08c, "REPLACE_COMPARE_HIGH";
        #[doc = "RW. Replace: expected entry, low word."] ReplaceExpectedLow = 0x090, "REPLACE_EXPECTED_LOW";
        #[doc = "RW. Replace: expected entry, high word."] ReplaceExpectedHigh = 0x094, "REPLACE_EXPECTED_HIGH";
        #[doc = "RW. Replace: bits to change, low word."] ReplaceWriteLow = 0x098, "REPLACE_WRITE_LOW";
        #[doc = "RW. Replace: bits to change, high word."] ReplaceWriteHigh = 0x09c, "REPLACE_WRITE_HIGH";
        #[doc = "RW. Replace: new entry, low word; tag and parity are the hardware's."] ReplaceNewLow = 0x0a0, "REPLACE_NEW_LOW";
        #[doc = "RW. Replace: new entry, high word."] ReplaceNewHigh = 0x0a4, "REPLACE_NEW_HIGH";
        #[doc = "WO. Any write starts the command; ignored while one runs."] ReplaceGo = 0x0a8, "REPLACE_GO";
        #[doc = "RO. A ReplaceStatus number."] ReplaceStatus = 0x0ac, "REPLACE_STATUS";
        #[doc = "RO. The old entry, low word, when done."] ReplaceOldLow = 0x0b0, "REPLACE_OLD_LOW";
        #[doc = "RO. The old entry, high word."] ReplaceOldHigh = 0x0b4, "REPLACE_OLD_HIGH";
        #[doc = "RW. Match-action row: EtherType in the top 16 bits, IP protocol in bits 15:8, opcode in bits 7:0."] MatValue0 = 0x0c0, "MAT_VALUE0";
        #[doc = "RW. Match-action row: UDP destination port, 16 bits."] MatValue1 = 0x0c4, "MAT_VALUE1";
        #[doc = "RW. Mask of MAT_VALUE0: a 1 must match."] MatMask0 = 0x0c8, "MAT_MASK0";
        #[doc = "RW. Mask of MAT_VALUE1."] MatMask1 = 0x0cc, "MAT_MASK1";
        #[doc = "WO. Writes the row: row number in bits 7:0, MatAction in bits 15:8, valid in bit 16."] MatCommit = 0x0d0, "MAT_COMMIT";
        #[doc = "RW. Away row: low 32 bits of the answer's va."] AwayVaLow = 0x0d8, "AWAY_VA_LOW";
        #[doc = "RW. Away row: high 16 bits of va in bits 15:0, the answer's length in bits 31:16."] AwayVaHigh = 0x0dc, "AWAY_VA_HIGH";
        #[doc = "WO. Writes the row: row number in bits 7:0, status code in bits 12:8."] AwayCommit = 0x0e0, "AWAY_COMMIT";
        #[doc = "RO. The first 32 bits of the sources' git hash, 0: unknown."] BuildHash = 0x0e4, "BUILD_HASH";
        #[doc = "RO. When the board was built, in seconds since 1970, 0: unknown."] BuildDate = 0x0e8, "BUILD_DATE";
        #[doc = "RO. Bit 0: nothing that was taken in is on the board any more. Bit 1: memory owes no answer. Bit 2: an epoch was written and waits for bit 0."] Rest = 0x0ec, "REST";
        #[doc = "RW. Shares of the doors of the access engine, 8 bits each, door 0 in bits 7:0; 0 counts as 1. Boards with one door have none: reads give 0."] DoorWeights = 0x0f0, "DOOR_WEIGHTS";
        #[doc = "Page-table entries that memory did not take. Bit 31: the board keeps such an entry, of a page of the bucket in bits 29:0. Any write: show another. Bit 30, until reset: more failed at a time than the board can keep; pages without a physical page answer MEMERR."] TablePinned = 0x0f4, "TABLE_PINNED";
        #[doc = "RW. Who needs a tag, a TagMode; 3 is as 2. Boards without trailers have none: reads give 0."] TagMode = 0x100, "TAG_MODE";
        #[doc = "RW. Bit 0: the key of phase 0 is valid; bit 1: that of phase 1. Boards without trailers have none: reads give 0."] TagPhases = 0x104, "TAG_PHASES";
        #[doc = "WO. Key of phase 0, bytes 0 to 3, little-endian. Boards without trailers have none."] TagKey0 = 0x108, "TAG_KEY_0";
        #[doc = "WO. Key of phase 0, bytes 4 to 7, little-endian. Boards without trailers have none."] TagKey1 = 0x10c, "TAG_KEY_1";
        #[doc = "WO. Key of phase 0, bytes 8 to 11, little-endian. Boards without trailers have none."] TagKey2 = 0x110, "TAG_KEY_2";
        #[doc = "WO. Key of phase 0, bytes 12 to 15, little-endian. Boards without trailers have none."] TagKey3 = 0x114, "TAG_KEY_3";
        #[doc = "WO. Key of phase 1, bytes 0 to 3, little-endian. Boards without trailers have none."] TagKey4 = 0x118, "TAG_KEY_4";
        #[doc = "WO. Key of phase 1, bytes 4 to 7, little-endian. Boards without trailers have none."] TagKey5 = 0x11c, "TAG_KEY_5";
        #[doc = "WO. Key of phase 1, bytes 8 to 11, little-endian. Boards without trailers have none."] TagKey6 = 0x120, "TAG_KEY_6";
        #[doc = "WO. Key of phase 1, bytes 12 to 15, little-endian. Boards without trailers have none."] TagKey7 = 0x124, "TAG_KEY_7";
        #[doc = "RO. Bits 55:24 of the tick of 64 bits; boards without trailers: 0."] TickHigh = 0x128, "TICK_HIGH";
        #[doc = "RO. Bits 63:56 of the tick of 64 bits; boards without trailers: 0."] TickTop = 0x12c, "TICK_TOP";
        #[doc = "RW. Rate of a service class: operations in 2^16 cycles in bits 15:0, lines of 64 bytes in bits 31:16; 0: no bound."] ClassRate = 0x130, "CLASS_RATE";
        #[doc = "WO. Gives the rate to a class: its number in bits 7:0, log2 of its burst in bits 11:8."] ClassCommit = 0x134, "CLASS_COMMIT";
        #[doc = "RW. The share group of each service class, two bits each, class 0 in bits 1:0 (docs/reference/classes.md)."] ShareGroups = 0x300, "SHARE_GROUPS";
        #[doc = "RW. The TLB ways that pages of each share group may take, 8 bits each, group 0 in bits 7:0; a group with none of the board's ways has all."] ShareWays = 0x304, "SHARE_WAYS";
        #[doc = "RW. The miss entries that pages of each share group may take, in eighths of MISSES, 8 bits each as SHARE_WAYS; a group with none has all. Boards without waiting lists have none: reads give 0."] ShareMisses = 0x308, "SHARE_MISSES";
        #[doc = "RW. Requests of each share group that may wait for a miss entry, 8 bits each as SHARE_WAYS; those beyond are answered BUSY with cause SHARE; 0: no bound. Boards without waiting lists have none: reads give 0."] ShareWaiting = 0x30c, "SHARE_WAITING";
        #[doc = "RW. Free pages of the async buffer that are kept for the first touches of each share group, 8 bits each as SHARE_WAYS; 0: none."] SharePages = 0x310, "SHARE_PAGES";
        #[doc = "A write: the shares that were written are in force as soon as nothing waits that came under the old ones; the TLB forgets all. Reads: 1 until then."] ShareCommit = 0x314, "SHARE_COMMIT";
    }
}

/// REST: nothing that was taken in is on the board any more.
pub const REST_BOARD: u32 = 1;
/// REST: memory owes no answer.
pub const REST_MEMORY: u32 = 2;
/// TABLE_PINNED: the board keeps an entry that memory did not take.
pub const TABLE_PINNED: u32 = 1 << 31;
/// TABLE_PINNED: an entry was lost.
pub const TABLE_LOST: u32 = 1 << 30;
/// REST: an epoch waits for the board to rest.
pub const REST_EPOCH: u32 = 4;
/// BUILD_FLAGS: built for simulation.
pub const BUILD_SIMULATED: u32 = 1;
/// BUILD_FLAGS: lowest bit of the doors less one, two bits.
pub const BUILD_DOORS_BIT: u32 = 1;
/// BUILD_FLAGS: misses that find all miss entries taken wait in lists.
pub const BUILD_WAITING_LISTS: u32 = 8;
/// BUILD_FLAGS: trailers are checked, and answers have them.
pub const BUILD_TRAILERS: u32 = 16;
/// BUILD_FLAGS: split pages are served by a leaf unit.
pub const BUILD_LEAF: u32 = 32;
/// BUILD_FLAGS: a RoCEv2 port stands at the second door; its registers begin at `ROCE_BASE`.
pub const BUILD_RDMA: u32 = 64;
/// BUILD_FLAGS: the RoCEv2 port of hardware has chains; their registers begin at `CHAIN_BASE`.
pub const BUILD_CHAINS: u32 = 128;
/// CONTROL: frames are accepted.
pub const CONTROL_ENABLE: u32 = 1;
/// CONTROL: a dry async buffer means NOMEM.
pub const CONTROL_EXHAUSTED: u32 = 2;
/// ZERO_PUSH: zero the page but do not offer it to faults.
pub const ZERO_ONLY: u32 = 1 << 31;

/// COUNTERS numbers from here on, plus an offset in words: registers of [`Register::BUILD`].
pub const BUILD_BASE: u32 = 0x2000;

impl Register {
    /// What tells of the board's build. COUNTERS answers these to clients, and no other register. MAGIC is among them: where it is 0, the
    /// board's slow path is older than these numbers, and the other zeros say nothing.
    pub const BUILD: &[Register] = &[
        Register::Magic,
        Register::WireVersion,
        Register::PageBits,
        Register::MemBits,
        Register::SlotsLog2,
        Register::TlbEntries,
        Register::FilterEntries,
        Register::AsyncDepth,
        Register::MaxPayload,
        Register::TickLog2,
        Register::PacketSlots,
        Register::TlbWays,
        Register::Misses,
        Register::FilterWays,
        Register::ZeroDepth,
        Register::BuildFlags,
        Register::BuildHash,
        Register::BuildDate,
    ];
    /// TAG_KEY_0 to TAG_KEY_7: four words for each key phase.
    pub const TAG_KEYS: [Register; 8] = {
        use Register as R;
        [R::TagKey0, R::TagKey1, R::TagKey2, R::TagKey3, R::TagKey4, R::TagKey5, R::TagKey6, R::TagKey7]
    };
    /// The number under which COUNTERS answers a register of [`Register::BUILD`].
    pub const fn build_number(self) -> u32 {
        BUILD_BASE + self as u32 / 4
    }
    /// The register of a COUNTERS number, if it is one of [`Register::BUILD`].
    pub fn of_build_number(number: u32) -> Option<Register> {
        Register::BUILD.iter().copied().find(|register| register.build_number() == number)
    }
}

declare! {
    /// TAG_MODE: which requests are executed with a tag only. PING with pid 0 and OPEN never need one.
    TagMode: u8 {
        #[doc = "None."] None = 0, "NONE";
        #[doc = "Those of the slow path."] Slow = 1, "SLOW";
        #[doc = "All."] All = 2, "ALL";
    }
}

declare! {
    /// What the match-action table does with a packet.
    MatAction: u8 {
        #[doc = "Drop it as MAT_DROP."] Drop = 0, "DROP";
        #[doc = "Give it to the fast path."] Fast = 1, "FAST";
        #[doc = "Give the frame to the slow path."] Slow = 2, "SLOW";
    }
}

declare! {
    /// Where the replace command stands.
    ReplaceStatus: u8 {
        #[doc = "No command since reset."] Idle = 0, "IDLE";
        #[doc = "Running."] Running = 1, "RUNNING";
        #[doc = "Done: written, shot down and drained; the old entry is valid."] Done = 2, "DONE";
        #[doc = "Not done: the compared bits differ; the old entry is valid."] Mismatch = 3, "MISMATCH";
        #[doc = "Not done: the bucket holds neither the entry nor a free slot."] Full = 4, "FULL";
        #[doc = "Not done: the memory controller reported an error."] Error = 5, "ERROR";
    }
}

declare! {
    /// Counters of the fast path: 32 bits each, wrapping, since reset.
    Counter: u32 {
        #[doc = "Frames that reached the ingress, damaged ones included."] RxFrames = 0, "RX_FRAMES";
        #[doc = "Frames sent."] TxFrames = 1, "TX_FRAMES";
        #[doc = "Dropped: the MAC reported an FCS error."] DropFcs = 2, "DROP_FCS";
        #[doc = "Dropped: under 14 bytes."] DropRunt = 3, "DROP_RUNT";
        #[doc = "Dropped: over the largest frame."] DropGiant = 4, "DROP_GIANT";
        #[doc = "Dropped: no free packet slot."] DropIngressFull = 5, "DROP_INGRESS_FULL";
        #[doc = "Dropped: the board is not enabled."] DropDisabled = 6, "DROP_DISABLED";
        #[doc = "Dropped: not our MAC address."] DropForeignMac = 7, "DROP_FOREIGN_MAC";
        #[doc = "Dropped: neither IPv4 nor ARP."] DropForeignEthertype = 8, "DROP_FOREIGN_ETHERTYPE";
        #[doc = "Dropped: no whole IPv4 header, or not version 4."] DropIpHeader = 9, "DROP_IP_HEADER";
        #[doc = "Dropped: IPv4 options."] DropIpOptions = 10, "DROP_IP_OPTIONS";
        #[doc = "Dropped: IPv4 header checksum."] DropIpChecksum = 11, "DROP_IP_CHECKSUM";
        #[doc = "Dropped: IPv4 fragment."] DropIpFragment = 12, "DROP_IP_FRAGMENT";
        #[doc = "Dropped: IPv4 total length disagrees with the frame."] DropIpLength = 13, "DROP_IP_LENGTH";
        #[doc = "Dropped: not our IPv4 address."] DropForeignIp = 14, "DROP_FOREIGN_IP";
        #[doc = "Dropped: neither UDP nor ICMP."] DropForeignProtocol = 15, "DROP_FOREIGN_PROTOCOL";
        #[doc = "Dropped: UDP length disagrees with IPv4's."] DropUdpLength = 16, "DROP_UDP_LENGTH";
        #[doc = "Dropped: not our UDP port."] DropForeignPort = 17, "DROP_FOREIGN_PORT";
        #[doc = "Dropped: UDP checksum."] DropUdpChecksum = 18, "DROP_UDP_CHECKSUM";
        #[doc = "Dropped: shorter than a Mneme header and its trailer."] DropMnemeShort = 19, "DROP_MNEME_SHORT";
        #[doc = "Dropped: a response, sent to a board."] DropResponse = 20, "DROP_RESPONSE";
        #[doc = "Dropped: by a match-action row."] DropMatDrop = 21, "DROP_MAT_DROP";
        #[doc = "Dropped: no match-action row."] DropMatMiss = 22, "DROP_MAT_MISS";
        #[doc = "Dropped: ARP, ICMP or RoCEv2 while the slow ring was full."] DropSlowFull = 23, "DROP_SLOW_FULL";
        #[doc = "Frames given to the slow path."] SlowTx = 24, "SLOW_TX";
        #[doc = "Frames taken from the slow path."] SlowRx = 25, "SLOW_RX";
        #[doc = "Fast-path answers: OK."] StatusOk = 26, "STATUS_OK";
        #[doc = "Fast-path answers: BUSY."] StatusBusy = 27, "STATUS_BUSY";
        #[doc = "Fast-path answers: NACK."] StatusNack = 28, "STATUS_NACK";
        #[doc = "Fast-path answers: EXPIRED."] StatusExpired = 29, "STATUS_EXPIRED";
        #[doc = "Fast-path answers: STALE."] StatusStale = 30, "STATUS_STALE";
        #[doc = "Fast-path answers: CONFLICT."] StatusConflict = 31, "STATUS_CONFLICT";
        #[doc = "Fast-path answers: UNMAPPED."] StatusUnmapped = 32, "STATUS_UNMAPPED";
        #[doc = "Fast-path answers: DENIED."] StatusDenied = 33, "STATUS_DENIED";
        #[doc = "Fast-path answers: BADREQUEST."] StatusBadRequest = 34, "STATUS_BADREQUEST";
        #[doc = "Fast-path answers: UNSUPPORTED."] StatusUnsupported = 35, "STATUS_UNSUPPORTED";
        #[doc = "Fast-path answers: NOMEM."] StatusNoMemory = 36, "STATUS_NOMEM";
        #[doc = "Fast-path answers: QUOTA."] StatusQuota = 37, "STATUS_QUOTA";
        #[doc = "Fast-path answers: MOVED."] StatusMoved = 38, "STATUS_MOVED";
        #[doc = "Fast-path answers: MEMERR."] StatusMemoryError = 39, "STATUS_MEMERR";
        #[doc = "Fast-path answers: UNAUTHENTICATED."] StatusUnauthenticated = 40, "STATUS_UNAUTHENTICATED";
        #[doc = "Filter: new entries."] FilterInsert = 41, "FILTER_INSERT";
        #[doc = "Filter: OK answered again."] FilterReplay = 42, "FILTER_REPLAY";
        #[doc = "Filter: a released attempt's status answered again."] FilterRepeat = 43, "FILTER_REPEAT";
        #[doc = "Filter: a higher attempt of a released operation goes on."] FilterReopen = 44, "FILTER_REOPEN";
        #[doc = "Filter: BUSY, pending."] FilterPending = 45, "FILTER_PENDING";
        #[doc = "Filter: CONFLICT."] FilterConflict = 46, "FILTER_CONFLICT";
        #[doc = "Filter: EXPIRED at the first look."] FilterExpired = 47, "FILTER_EXPIRED";
        #[doc = "Filter: BUSY, time too far ahead."] FilterClock = 48, "FILTER_CLOCK";
        #[doc = "Filter: BUSY, no entry free."] FilterFull = 49, "FILTER_FULL";
        #[doc = "Filter: entries freed by the scrubber."] FilterScrubbed = 50, "FILTER_SCRUBBED";
        #[doc = "Translations that hit the TLB."] TlbHit = 51, "TLB_HIT";
        #[doc = "Translations that did not: requests that wait for a walk of their page, their own or one that was under way."] TlbMiss = 52, "TLB_MISS";
        #[doc = "Page faults served: a page was taken."] PageFault = 53, "PAGE_FAULT";
        #[doc = "Page faults refused: the async buffer was dry."] FaultDry = 54, "FAULT_DRY";
        #[doc = "Reads of pages never written, answered with zeros."] ZeroRead = 55, "ZERO_READ";
        #[doc = "Page-table entries written by the walker or the fault unit."] PteWriteBack = 56, "PTE_WRITE_BACK";
        #[doc = "Walks that ended in a parity error."] PteParity = 57, "PTE_PARITY";
        #[doc = "TLB hits with wrong parity."] TlbParity = 58, "TLB_PARITY";
        #[doc = "Requests EXPIRED after a walk."] ResumeExpired = 59, "RESUME_EXPIRED";
        #[doc = "Replace commands done."] ReplaceDone = 60, "REPLACE_DONE";
        #[doc = "Replace commands refused."] ReplaceRefused = 61, "REPLACE_REFUSED";
        #[doc = "Pages zeroed."] ZeroPages = 62, "ZERO_PAGES";
        #[doc = "Pages refused by the full zeroing queue."] ZeroRefused = 63, "ZERO_REFUSED";
        #[doc = "Data beats of requests read from memory; not those of walks."] MemReadBeats = 64, "MEM_READ_BEATS";
        #[doc = "Data beats of requests written to memory; not those of page table entries and of zeroing."] MemWriteBeats = 65, "MEM_WRITE_BEATS";
        #[doc = "Memory controller errors."] MemError = 66, "MEM_ERROR";
        #[doc = "Atomics executed."] Atomics = 67, "ATOMICS";
        #[doc = "Fences answered."] Fences = 68, "FENCES";
        #[doc = "Times that requests were in the pipeline and none left it for 2^16 cycles, or one kept its packet slot for 2^18, those not counted in which a page fault waited for a page: always 0 on a healthy board."] Watchdog = 69, "WATCHDOG";
        #[doc = "Page faults that waited for a page."] FaultWait = 70, "FAULT_WAIT";
        #[doc = "Frames sent with a bad check sequence: reads whose memory failed after their header had left, and what the slow path marked so. They are in TX_FRAMES, too."] TxDamaged = 71, "TX_DAMAGED";
        #[doc = "Dropped: a frame of the slow path longer than the build's largest frame."] DropSlowGiant = 72, "DROP_SLOW_GIANT";
        #[doc = "Requests that their service class had no credit for: BUSY, cause CLASS."] ClassBusy = 73, "CLASS_BUSY";
        #[doc = "Requests that their group had no share for, of places to wait or of free pages: BUSY, cause SHARE."] ShareBusy = 74, "SHARE_BUSY";
        #[doc = "Filter: MEMERR, a bit of the operation's entry has flipped, or of one that may be its."] FilterParity = 75, "FILTER_PARITY";
    }
}

impl Counter {
    /// Byte offset of the counter in the register block.
    pub const fn offset(self) -> u32 {
        COUNTER_BASE + 4 * self as u32
    }
}

declare! {
    /// High-water marks of the fast path's queues, numbered and placed in the register block like counters: the most since reset.
    Mark: u32 {
        #[doc = "Packet slots in use: frames that arrive, or whose answer has not begun to leave."] PacketSlots = 0x80, "MARK_PACKET_SLOTS";
        #[doc = "Requests in the translation stage, those that wait for a walk or a fault among them."] Translation = 0x81, "MARK_TRANSLATION";
        #[doc = "Requests in the memory stage."] Memory = 0x82, "MARK_MEMORY";
        #[doc = "Requests that wait for the response builder or are in it."] Response = 0x83, "MARK_RESPONSE";
        #[doc = "Frames that wait for the slow path to take them."] SlowQueue = 0x84, "MARK_SLOW_QUEUE";
        #[doc = "Places of the async buffer that were empty at a page fault: the buffer's depth less its low-water mark."] AsyncEmpty = 0x85, "MARK_ASYNC_EMPTY";
    }
}

impl Mark {
    /// Byte offset of the mark in the register block.
    pub const fn offset(self) -> u32 {
        COUNTER_BASE + 4 * self as u32
    }
}

declare! {
    /// Stages of the pipeline whose time per request is counted in a histogram.
    Stage: u32 {
        #[doc = "From the frame's last beat in its packet slot until the request leaves dispatch."] Dispatch = 0, "STAGE_DISPATCH";
        #[doc = "From there until it leaves the retry filter."] Filter = 1, "STAGE_FILTER";
        #[doc = "From there until it leaves translation, walks and faults included."] Translation = 2, "STAGE_TRANSLATION";
        #[doc = "From there until its memory access has ended, earlier requests' included."] Memory = 3, "STAGE_MEMORY";
        #[doc = "From there until the first beat of its answer leaves the response builder."] Response = 4, "STAGE_RESPONSE";
        #[doc = "All of it: from the frame's last beat to the answer's first."] Whole = 5, "STAGE_WHOLE";
    }
}

/// Buckets of a histogram. Bucket 0 counts 0 and 1 cycles, bucket *b* counts 2^*b* to 2^(*b* + 1) − 1 cycles, the last one
/// all that are longer; times are taken modulo 2^24 cycles, more than a page fault waits for.
pub const HISTOGRAM_BUCKETS: u32 = 16;
/// Number of bucket 0 of the first stage; bucket *b* of stage *s* is the counter `HISTOGRAM_BASE + 16 × s + b`.
pub const HISTOGRAM_BASE: u32 = 0x100;

impl Stage {
    /// The counter number of one of this stage's buckets.
    pub const fn bucket(self, bucket: u32) -> u32 {
        HISTOGRAM_BASE + HISTOGRAM_BUCKETS * self as u32 + bucket
    }
}

/// The index of a histogram's word among all buckets, if a counter number is one.
pub fn histogram_index(number: u32) -> Option<usize> {
    let index = number.checked_sub(HISTOGRAM_BASE)? as usize;
    (index < Stage::ALL.len() * HISTOGRAM_BUCKETS as usize).then_some(index)
}
