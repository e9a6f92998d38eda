//! Operations, statuses and causes (architecture §3).
use crate::declare::declare;

declare! {
    /// What a request asks for. The top bit of the byte on the wire marks a response and is not part of the value.
    ///
    /// ```
    /// use mneme_wire::Opcode;
    ///
    /// assert_eq!(Opcode::from_number(0x04), Some(Opcode::FetchAdd));
    /// assert!(Opcode::FetchAdd.is_atomic());
    /// ```
    Opcode: u8 {
        #[doc = "Reads `length` bytes at `va` within one page."] Read = 0x01, "READ";
        #[doc = "Writes the payload at `va` within one page."] Write = 0x02, "WRITE";
        #[doc = "Compare-and-swap of an aligned 8-byte word: payload expected 8, new 8; answers the old word."] CompareSwap = 0x03, "COMPARE_SWAP";
        #[doc = "Fetch-and-add on an aligned 8-byte word: payload addend 8; answers the old word."] FetchAdd = 0x04, "FETCH_ADD";
        #[doc = "Swap of an aligned 8-byte word: payload new 8; answers the old word."] Swap = 0x05, "SWAP";
        #[doc = "Answers after all earlier received requests of the pid are done."] Fence = 0x06, "FENCE";
        #[doc = "Opens a process, or joins an existing one from another client."] Open = 0x10, "OPEN";
        #[doc = "Ends a process: all its pages are freed."] Exit = 0x11, "EXIT";
        #[doc = "Allocates a range of virtual pages with rights, at a free or at a fixed address."] Alloc = 0x12, "ALLOC";
        #[doc = "Frees a range that an ALLOC answered."] Free = 0x13, "FREE";
        #[doc = "Changes the rights of a range."] Protect = 0x14, "PROTECT";
        #[doc = "Hints for ranges: prefetch, evict, pin, unpin, discard (tiers; not built yet)."] Advise = 0x15, "ADVISE";
        #[doc = "Makes ranges durable (tiers; not built yet)."] Persist = 0x16, "PERSIST";
        #[doc = "Tells who the board is: epoch, tick, window, page size, largest payload."] Ping = 0x20, "PING";
        #[doc = "Reads counters by number."] Counters = 0x21, "COUNTERS";
        #[doc = "Lists the processes that belong to the source address of the request, or to the tenant of its process."] Processes = 0x22, "PROCESSES";
        #[doc = "Calls an offload of the extend path (not built yet)."] Offload = 0x30, "OFFLOAD";
        #[doc = "Board to board: a READ that needs no right (scale-out; not built yet)."] Pull = 0x60, "PULL";
        #[doc = "Board to board: a page or region is open at its destination (scale-out; not built yet)."] RegionOpen = 0x61, "REGION_OPEN";
        #[doc = "Board to board: a write for a backup (scale-out; not built yet)."] Mirror = 0x62, "MIRROR";
    }
}

/// The bit of the opcode byte that marks a response.
pub const RESPONSE_BIT: u8 = 0x80;

impl Opcode {
    /// Operations that the fast path executes by itself.
    pub const fn is_fast(self) -> bool {
        matches!(
            self,
            Opcode::Read
                | Opcode::Write
                | Opcode::CompareSwap
                | Opcode::FetchAdd
                | Opcode::Swap
                | Opcode::Fence
        )
    }
    /// Operations that only ask: nothing changes, however often they are done.
    pub const fn is_query(self) -> bool {
        matches!(self, Opcode::Ping | Opcode::Counters | Opcode::Processes)
    }
    /// Atomics on one aligned 8-byte word.
    pub const fn is_atomic(self) -> bool {
        matches!(self, Opcode::CompareSwap | Opcode::FetchAdd | Opcode::Swap)
    }
    /// Operations that the retry filter of the fast path makes exactly-once.
    pub const fn is_filtered(self) -> bool {
        matches!(self, Opcode::Write) || self.is_atomic()
    }
}

declare! {
    /// How a request ended. Every answer that is not OK is a header alone and, EXPIRED, CONFLICT and BUSY-pending apart,
    /// executed nothing.
    Status: u8 {
        #[doc = "Done; for a write and an atomic: stored."] Ok = 0, "OK";
        #[doc = "Not now; `va` holds the cause and a hint when to retry. Proves nothing when the cause is PENDING."] Busy = 1, "BUSY";
        #[doc = "The frame arrived damaged: send it again at once."] Nack = 2, "NACK";
        #[doc = "The request's time lies before the window: not executed now; an earlier copy may have been."] Expired = 3, "EXPIRED";
        #[doc = "Another epoch: the board restarted; `va` holds its epoch."] Stale = 4, "STALE";
        #[doc = "The operation id is in use for a different operation of this source."] Conflict = 5, "CONFLICT";
        #[doc = "No page is allocated at this address in this process."] Unmapped = 6, "UNMAPPED";
        #[doc = "The page's rights do not allow the access."] Denied = 7, "DENIED";
        #[doc = "The request is malformed; the cause names the field."] BadRequest = 8, "BADREQUEST";
        #[doc = "Version, opcode, trailer or option that this board does not know."] Unsupported = 9, "UNSUPPORTED";
        #[doc = "Physical memory or page-table slots are exhausted."] NoMemory = 10, "NOMEM";
        #[doc = "The tenant's quota is spent."] Quota = 11, "QUOTA";
        #[doc = "Another board serves this address: IPv4 and port in `va`, epoch and log2 of the span in `length`."] Moved = 12, "MOVED";
        #[doc = "Memory is damaged: parity, DRAM error, lost page."] MemoryError = 13, "MEMERR";
        #[doc = "The keyed tag is missing or wrong."] Unauthenticated = 14, "UNAUTHENTICATED";
    }
}

/// Bits of the status byte that hold the code.
pub const STATUS_CODE_MASK: u8 = 0x1f;
/// Bit of the status byte: the request waited, so its round trip is no RTT sample.
pub const STATUS_SLOW_BIT: u8 = 0x80;

declare! {
    /// Why a request did not end OK: the top byte of `va` in such an answer.
    Cause: u8 {
        #[doc = "Nothing beyond the status."] None = 0, "NONE";
        #[doc = "BUSY: a queue towards the slow path or an offload is full."] Queue = 1, "QUEUE";
        #[doc = "BUSY: every retry-filter entry that could hold the request is in use."] Filter = 2, "FILTER";
        #[doc = "BUSY: the async buffer has no free page at the moment."] Fault = 3, "FAULT";
        #[doc = "BUSY or MEMERR: the page is on another tier."] Tier = 4, "TIER";
        #[doc = "MEMERR: a page-table or TLB entry has wrong parity."] Parity = 5, "PARITY";
        #[doc = "BUSY: an attempt of the same operation is still running."] Pending = 6, "PENDING";
        #[doc = "BUSY: the request's time is ahead of the board by more than a quarter of the window."] Clock = 7, "CLOCK";
        #[doc = "BUSY: the page takes no writes while the slow path works on it."] Hold = 8, "HOLD";
        #[doc = "EXPIRED: time outside the window."] Window = 9, "WINDOW";
        #[doc = "STALE: the low 8 bits of `va` are the board's epoch."] Epoch = 10, "EPOCH";
        #[doc = "UNSUPPORTED: version."] Version = 11, "VERSION";
        #[doc = "UNSUPPORTED: trailer kind, or an operation that has no time to tell."] Trailer = 13, "TRAILER";
        #[doc = "UNSUPPORTED: opcode."] Opcode = 14, "OPCODE";
        #[doc = "UNSUPPORTED: an option or field value of the payload."] Option = 15, "OPTION";
        #[doc = "UNSUPPORTED: the page is split into 4 KB frames, which this board does not serve."] Split = 16, "SPLIT";
        #[doc = "BADREQUEST: pid 0, or a class that may not ask this."] Pid = 17, "PID";
        #[doc = "BADREQUEST: lengths disagree, zero, or past the largest payload."] Length = 18, "LENGTH";
        #[doc = "BADREQUEST: an atomic on an address that is not a multiple of 8."] Alignment = 19, "ALIGNMENT";
        #[doc = "BADREQUEST: the access crosses a page border."] Crossing = 20, "CROSSING";
        #[doc = "BADREQUEST or DENIED: the page's or the request's rights."] Rights = 21, "RIGHTS";
        #[doc = "MEMERR: the memory controller reported an error."] Dram = 22, "DRAM";
        #[doc = "MEMERR: the page's contents are lost."] Lost = 23, "LOST";
        #[doc = "NOMEM: no free slot in a page-table bucket for a fixed address."] Slots = 24, "SLOTS";
        #[doc = "BADREQUEST or NOMEM: the fixed address is taken or not usable."] Address = 25, "ADDRESS";
        #[doc = "NOMEM: more than the board holds."] Capacity = 26, "CAPACITY";
        #[doc = "QUOTA: pages of the tenant."] QuotaPages = 27, "QUOTA_PAGES";
        #[doc = "QUOTA: page-table slots of the tenant, or its share of one bucket."] QuotaSlots = 28, "QUOTA_SLOTS";
        #[doc = "QUOTA or NOMEM: processes."] Processes = 29, "PROCESSES";
        #[doc = "Reserved for BUSY answers that another answer follows (tiers)."] Wait = 30, "WAIT";
        #[doc = "BUSY: the process's service class has asked for more than its rate."] Class = 31, "CLASS";
        #[doc = "BUSY: the class's share group has its share: as many of its requests wait for page-table walks as may, or the free pages that are left are kept for others (docs/reference/classes.md)."] Share = 36, "SHARE";
    }
}

declare! {
    /// The two trailer bits of the first header byte.
    Trailer: u8 {
        #[doc = "No trailer."] None = 0, "NONE";
        #[doc = "Keyed tag, SipHash-2-4, 8 bytes."] Tag = 2, "TAG";
        #[doc = "CRC-32C over addresses, ports, header and payload, 4 bytes."] Crc32c = 3, "CRC32C";
    }
}

impl Trailer {
    /// Bytes that follow the payload.
    pub const fn bytes(self) -> usize {
        match self {
            Trailer::None => 0,
            Trailer::Crc32c => 4,
            Trailer::Tag => 8,
        }
    }
}
