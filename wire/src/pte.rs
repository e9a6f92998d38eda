//! The page-table entry and the index function (architecture §4).

/// The entry names a physical page.
pub const VALID: u64 = 1 << 63;
/// The slot belongs to an allocated virtual page.
pub const ALLOCATED: u64 = 1 << 62;
/// Reads are allowed.
pub const READ: u64 = 1 << 61;
/// Writes are allowed.
pub const WRITE: u64 = 1 << 60;
/// Makes the number of ones in the entry even.
pub const PARITY: u64 = 1 << 59;
/// Set by the first access after it was cleared.
pub const ACCESSED: u64 = 1 << 58;
/// Set by the first write after it was cleared.
pub const DIRTY: u64 = 1 << 57;
/// Lowest of the two state bits.
pub const STATE_SHIFT: u32 = 55;
/// Both state bits.
pub const STATE_MASK: u64 = 3 << STATE_SHIFT;
/// Tag and PPN share the bits below: tag at the top, PPN at the bottom.
pub const TAG_TOP: u32 = 55;
/// PPN bits never number fewer, so that an away row always fits.
pub const PPN_BITS_MIN: u32 = 6;
/// Bits of a virtual address.
pub const VA_BITS: u32 = 48;
/// Bits of a process id.
pub const PID_BITS: u32 = 24;
/// Entries of a bucket.
pub const BUCKET_ENTRIES: usize = 8;
/// Bytes of a bucket: one beat of the data path.
pub const BUCKET_BYTES: u64 = 64;

/// Bytes of a frame of a split page.
pub const FRAME_BYTES: u64 = 4096;

/// Bit positions for generators.
pub const BITS: &[(&str, u32, &str)] = &[
    ("VALID", 63, "The entry names a physical page."),
    ("ALLOCATED", 62, "The slot belongs to an allocated virtual page."),
    ("READ", 61, "Reads are allowed."),
    ("WRITE", 60, "Writes are allowed."),
    ("PARITY", 59, "Makes the number of ones in the entry even."),
    ("ACCESSED", 58, "Set by the first access after it was cleared."),
    ("DIRTY", 57, "Set by the first write after it was cleared."),
    ("STATE", 55, "Lowest of the two state bits (57 exclusive)."),
    ("TAG_TOP", 55, "Tag and PPN lie below this bit: the tag directly under it, the PPN at bit 0."),
];

crate::declare::declare! {
    /// The two state bits of an entry.
    PageState: u8 {
        #[doc = "Served normally."] Open = 0, "OPEN";
        #[doc = "Writes and atomics get BUSY, cause HOLD."] Hold = 1, "HOLD";
        #[doc = "The low 6 PPN bits name a row of the away table, which holds the answer."] Away = 2, "AWAY";
        #[doc = "4 KB frames: the low PPN bits and one more name a leaf table. Boards without a leaf unit (BUILD_FLAGS) answer UNSUPPORTED, cause SPLIT."] Split = 3, "SPLIT";
    }
}

/// Why a geometry cannot be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GeometryError {
    /// The page size is outside 2^18 to 2^30.
    #[error("page size 2^{0} is outside 256 KB to 1 GB")]
    PageSize(u32),
    /// Memory holds fewer than 16 pages, or is past 2^44.
    #[error(
        "memory of 2^{mem_bits} bytes does not fit pages of 2^{page_bits}: 16 pages at least, 2^44 bytes at most"
    )]
    Memory {
        /// log2 of memory.
        mem_bits: u32,
        /// log2 of the page.
        page_bits: u32,
    },
    /// Tag, PPN and flags take more than 64 bits.
    #[error("an entry would need {0} bits of 64: use larger pages or more slots per page")]
    Entry(u32),
    /// The table would have more buckets than a process has pages.
    #[error("slots per page 2^{0} are too many")]
    Slots(u32),
}

/// The shape of a page table: everything that index, tag and entry depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Geometry {
    page_bits: u32,
    mem_bits: u32,
    slots_log2: u32,
}

impl Geometry {
    /// Checks a shape. Sizes are log2 of bytes; `slots_log2` is log2 of slots per physical page.
    pub const fn new(page_bits: u32, mem_bits: u32, slots_log2: u32) -> Result<Self, GeometryError> {
        if page_bits < 18 || page_bits > 30 {
            return Err(GeometryError::PageSize(page_bits));
        }
        if mem_bits < page_bits + 4 || mem_bits > 44 {
            return Err(GeometryError::Memory { mem_bits, page_bits });
        }
        let g = Geometry { page_bits, mem_bits, slots_log2 };
        if slots_log2 > 6 || g.bucket_bits() > VA_BITS - page_bits {
            return Err(GeometryError::Slots(slots_log2));
        }
        let bits = 9 + g.tag_bits() + g.ppn_bits();
        if bits > 64 { Err(GeometryError::Entry(bits)) } else { Ok(g) }
    }
    /// log2 of the page size.
    pub const fn page_bits(&self) -> u32 {
        self.page_bits
    }
    /// Page size in bytes.
    pub const fn page_size(&self) -> u64 {
        1 << self.page_bits
    }
    /// log2 of physical memory.
    pub const fn mem_bits(&self) -> u32 {
        self.mem_bits
    }
    /// log2 of slots per physical page.
    pub const fn slots_log2(&self) -> u32 {
        self.slots_log2
    }
    /// Physical pages, those of the table included.
    pub const fn pages(&self) -> u64 {
        1 << (self.mem_bits - self.page_bits)
    }
    /// log2 of the number of buckets.
    pub const fn bucket_bits(&self) -> u32 {
        self.mem_bits - self.page_bits + self.slots_log2 - 3
    }
    /// Number of buckets.
    pub const fn buckets(&self) -> u64 {
        1 << self.bucket_bits()
    }
    /// Bytes of the table, which begins at address 0.
    pub const fn table_bytes(&self) -> u64 {
        self.buckets() * BUCKET_BYTES
    }
    /// Physical pages that the table takes, from page 0 on.
    pub const fn table_pages(&self) -> u64 {
        self.table_bytes().div_ceil(self.page_size())
    }
    /// Bits of a tag.
    pub const fn tag_bits(&self) -> u32 {
        PID_BITS + VA_BITS - self.page_bits - self.bucket_bits()
    }
    /// Bits of a physical page number in an entry.
    pub const fn ppn_bits(&self) -> u32 {
        let bits = self.mem_bits - self.page_bits;
        if bits < PPN_BITS_MIN { PPN_BITS_MIN } else { bits }
    }
    /// Leaf tables that split entries can name: twice as many as physical pages, by one bit more than a PPN has. `None`: an entry
    /// has no such bit (pages of 1 MB and more have one, with the usual four slots per page).
    pub const fn leaf_tables(&self) -> Option<u64> {
        let bits = 9 + self.tag_bits() + self.ppn_bits() + 1;
        if bits > 64 { None } else { Some(2 * self.pages()) }
    }
    /// The number of a leaf table in a split entry, in place.
    pub const fn leaf_mask(&self) -> u64 {
        (2 << self.ppn_bits()) - 1
    }
    /// Frames of 4 KB of a page, and so entries of a leaf table.
    pub const fn page_frames(&self) -> u64 {
        self.page_size() / FRAME_BYTES
    }
    /// Address of a leaf table: they lie behind the page table, 8 bytes for each frame.
    pub const fn leaf_table(&self, number: u64) -> u64 {
        self.table_pages() * self.page_size() + number * self.page_frames() * 8
    }
    /// Bytes of the ring of free frames, which has room for all of memory.
    pub const fn ring_bytes(&self) -> u64 {
        self.pages() * self.page_frames() * 8
    }
    /// Address of the ring: behind the leaf tables, at a multiple of its length.
    pub const fn ring_address(&self) -> u64 {
        self.leaf_table(2 * self.pages()).next_multiple_of(self.ring_bytes())
    }
    /// Address of a frame full of zeros, behind the ring.
    pub const fn zero_frame(&self) -> u64 {
        self.ring_address() + self.ring_bytes()
    }
    /// Physical pages that leaf tables, ring and the frame of zeros take, behind those of the page table.
    pub const fn leaf_pages(&self) -> u64 {
        match self.leaf_tables() {
            Some(_) => (self.zero_frame() + FRAME_BYTES - self.leaf_table(0)).div_ceil(self.page_size()),
            None => 0,
        }
    }
    /// Lowest bit of the tag in an entry.
    pub const fn tag_shift(&self) -> u32 {
        TAG_TOP - self.tag_bits()
    }
    /// Tag bits in place.
    pub const fn tag_mask(&self) -> u64 {
        ((1 << self.tag_bits()) - 1) << self.tag_shift()
    }
    /// PPN bits in place.
    pub const fn ppn_mask(&self) -> u64 {
        (1 << self.ppn_bits()) - 1
    }
    /// Virtual page number of an address.
    pub const fn vpn(&self, va: u64) -> u64 {
        va >> self.page_bits
    }
    /// The tag of a page, not shifted into place.
    pub const fn tag(&self, pid: u32, vpn: u64) -> u64 {
        let high_bits = VA_BITS - self.page_bits - self.bucket_bits();
        ((pid as u64) << high_bits) | (vpn >> self.bucket_bits())
    }
    /// XOR of the tag's chunks of `bucket_bits` bits: the fixed XOR tree of the index.
    pub const fn fold(&self, tag: u64) -> u64 {
        let (mut rest, mut fold) = (tag, 0);
        while rest != 0 {
            fold ^= rest & (self.buckets() - 1);
            rest >>= self.bucket_bits();
        }
        fold
    }
    /// The bucket of a page.
    pub const fn bucket(&self, pid: u32, vpn: u64) -> u64 {
        (vpn & (self.buckets() - 1)) ^ self.fold(self.tag(pid, vpn))
    }
    /// The page (pid, vpn) that an entry with this tag in this bucket stands for: the index is invertible.
    pub const fn page_of(&self, bucket: u64, tag: u64) -> (u32, u64) {
        let high_bits = VA_BITS - self.page_bits - self.bucket_bits();
        let pid = (tag >> high_bits) as u32;
        let high = tag & ((1 << high_bits) - 1);
        (pid, (high << self.bucket_bits()) | (bucket ^ self.fold(tag)))
    }
    /// The tag of an entry.
    pub const fn entry_tag(&self, entry: u64) -> u64 {
        (entry & self.tag_mask()) >> self.tag_shift()
    }
    /// The physical page number of an entry.
    pub const fn entry_ppn(&self, entry: u64) -> u64 {
        entry & self.ppn_mask()
    }
    /// The entry with the tag of a page put in and parity made even.
    pub const fn seal(&self, entry: u64, pid: u32, vpn: u64) -> u64 {
        with_parity((entry & !self.tag_mask()) | (self.tag(pid, vpn) << self.tag_shift()))
    }
}

/// The entry with its parity bit set so that the number of ones is even.
pub const fn with_parity(entry: u64) -> u64 {
    let bare = entry & !PARITY;
    if bare.count_ones() % 2 == 1 { bare | PARITY } else { bare }
}

/// Whether the parity of an entry is right.
pub const fn parity_ok(entry: u64) -> bool {
    entry.count_ones().is_multiple_of(2)
}

/// The state of an entry.
pub const fn state(entry: u64) -> PageState {
    match (entry >> STATE_SHIFT) & 3 {
        0 => PageState::Open,
        1 => PageState::Hold,
        2 => PageState::Away,
        _ => PageState::Split,
    }
}
