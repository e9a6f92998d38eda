//! The shape of a board: every build parameter, the same list as `CBoardConfig` in `hw/`.
use mneme_wire::HEADER_LEN;
use mneme_wire::pte::{Geometry, GeometryError};

/// Bytes of IPv4 and UDP headers that the MTU has to carry besides the Mneme packet.
const IP_UDP_LEN: usize = 28;
/// Bytes of an Ethernet header.
const ETHERNET_LEN: usize = 14;

/// Every build parameter of a board (contracts §8). Sizes ending in `bits` or `log2` are base-2 logarithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardShape {
    /// Name of the configuration.
    pub name: &'static str,
    /// Page size.
    pub page_bits: u32,
    /// Physical memory.
    pub mem_bits: u32,
    /// Page-table slots per physical page.
    pub slots_log2: u32,
    /// TLB entries.
    pub tlb_entries: usize,
    /// Sets of each of the retry filter's two choices.
    pub filter_sets_log2: u32,
    /// Ways of a filter set.
    pub filter_ways: usize,
    /// Free, zeroed pages ready for faults.
    pub async_depth: usize,
    /// Pages waiting to be zeroed.
    pub zero_queue_depth: usize,
    /// Frames that the board holds at once.
    pub packet_slots: usize,
    /// Largest IPv4 packet.
    pub mtu: usize,
    /// Cycles per tick.
    pub tick_log2: u32,
    /// Built for simulation: the tick can be told to jump.
    pub simulated: bool,
    /// A traffic generator stands at a second door of the access engine.
    pub traffic: bool,
    /// A RoCEv2 port stands there. The software board only tells so: it is no part of its fast path.
    pub rdma: bool,
    /// Misses that find all miss entries taken wait beside the stages, so that hits pass them. The software board only tells so.
    pub waiting_lists: bool,
    /// Trailers are checked, and answers have them.
    pub trailers: bool,
    /// Split pages are served by a leaf unit.
    pub leaf: bool,
    /// The RoCEv2 port of hardware has chains.
    pub chains: bool,
}

/// Why a board of this shape cannot be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// Page table and memory do not fit each other.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A parameter outside its range.
    #[error("{what} of {value} is outside {low} to {high}")]
    Range {
        /// The parameter, in words.
        what: &'static str,
        /// What was asked for.
        value: usize,
        /// The least that is possible.
        low: usize,
        /// The most that is possible.
        high: usize,
    },
    /// The packet slots are not a power of two.
    #[error("{0} packet slots are not a power of two")]
    PacketSlots(usize),
    /// Entries have no bit for the numbers of leaf tables.
    #[error(
        "pages of 2^{0} bytes leave an entry no bit for leaf tables: 4 KB frames need pages of 1 MB at least"
    )]
    Leaf(u32),
    /// Memory must be a power of two.
    #[error("memory of {0} bytes is not a power of two")]
    Memory(u64),
}

impl BoardShape {
    /// Limits within easy reach: every queue overflows, every table fills.
    pub const TINY: BoardShape = BoardShape {
        name: "tiny",
        page_bits: 18,
        mem_bits: 24,
        slots_log2: 2,
        tlb_entries: 4,
        filter_sets_log2: 2,
        filter_ways: 2,
        async_depth: 4,
        zero_queue_depth: 4,
        packet_slots: 4,
        mtu: 1500,
        tick_log2: 6,
        simulated: true,
        traffic: false,
        rdma: false,
        waiting_lists: true,
        trailers: false,
        leaf: false,
        chains: false,
    };
    /// The default of simulated boards: small pages, so that faults are plentiful.
    pub const SIM: BoardShape = BoardShape {
        name: "sim",
        page_bits: 18,
        mem_bits: 28,
        slots_log2: 2,
        tlb_entries: 16,
        filter_sets_log2: 9,
        filter_ways: 4,
        async_depth: 32,
        zero_queue_depth: 16,
        packet_slots: 32,
        mtu: 1500,
        tick_log2: 11,
        simulated: true,
        traffic: false,
        rdma: false,
        waiting_lists: true,
        trailers: false,
        leaf: false,
        chains: false,
    };
    /// Jumbo frames, more slots per page.
    pub const WIDE: BoardShape = BoardShape {
        name: "wide",
        page_bits: 21,
        mem_bits: 27,
        slots_log2: 3,
        tlb_entries: 8,
        filter_sets_log2: 5,
        filter_ways: 4,
        async_depth: 8,
        zero_queue_depth: 16,
        packet_slots: 8,
        mtu: 9000,
        tick_log2: 8,
        simulated: true,
        traffic: false,
        rdma: false,
        waiting_lists: true,
        trailers: false,
        leaf: false,
        chains: false,
    };
    /// Parameters where they are hardest: entries of all 64 bits, sizes that are no powers of two, the smallest MTU and
    /// tick.
    pub const ODD: BoardShape = BoardShape {
        name: "odd",
        page_bits: 19,
        mem_bits: 25,
        slots_log2: 1,
        tlb_entries: 6,
        filter_sets_log2: 1,
        filter_ways: 3,
        async_depth: 3,
        zero_queue_depth: 2,
        packet_slots: 8,
        mtu: 576,
        tick_log2: 4,
        simulated: true,
        traffic: false,
        rdma: false,
        waiting_lists: true,
        trailers: false,
        leaf: false,
        chains: false,
    };
    /// The ZCU106: 2 GB of PL DDR4, 10G.
    pub const ZCU106: BoardShape = BoardShape {
        name: "zcu106",
        page_bits: 22,
        mem_bits: 31,
        slots_log2: 2,
        tlb_entries: 256,
        filter_sets_log2: 8,
        filter_ways: 8,
        async_depth: 64,
        zero_queue_depth: 16,
        packet_slots: 64,
        mtu: 1500,
        tick_log2: 11,
        simulated: false,
        traffic: false,
        rdma: false,
        waiting_lists: true,
        trailers: false,
        leaf: false,
        chains: false,
    };
    /// The most memory, with jumbo frames and room for line rate: what `cargo xtask hw-bench` measures. A short tick lets
    /// the filter forget early.
    pub const LARGE: BoardShape = BoardShape {
        name: "large",
        page_bits: 22,
        mem_bits: 42,
        slots_log2: 1,
        tlb_entries: 32,
        filter_sets_log2: 8,
        filter_ways: 4,
        async_depth: 64,
        zero_queue_depth: 16,
        packet_slots: 128,
        mtu: 9000,
        tick_log2: 6,
        simulated: true,
        traffic: false,
        rdma: false,
        waiting_lists: false,
        trailers: false,
        leaf: false,
        chains: false,
    };
    /// The software board behind a daemon: `SIM` with a retry filter for as many writes as a processor can do within a
    /// window of wall-clock time.
    pub const DAEMON: BoardShape = BoardShape {
        name: "daemon",
        filter_sets_log2: 15,
        filter_ways: 8,
        trailers: true,
        ..BoardShape::SIM
    };
    /// The same with a leaf unit, and so with pages of 1 MB: what serves RDMA.
    pub const RDMA: BoardShape = BoardShape { name: "rdma", page_bits: 20, leaf: true, ..BoardShape::DAEMON };
    /// A second source of requests: a traffic generator at door 1.
    pub const DOORS: BoardShape =
        BoardShape { name: "doors", packet_slots: 64, tick_log2: 8, traffic: true, ..BoardShape::SIM };
    /// The simulated board with trailers.
    pub const TAGS: BoardShape = BoardShape { name: "tags", trailers: true, ..BoardShape::SIM };
    /// The simulated board with a RoCEv2 port at door 1 and a leaf unit: `rdma` of the RTL's, where what is called so here is the software board that serves
    /// RDMA.
    pub const RDMA_PORT: BoardShape =
        BoardShape { name: "rdma", page_bits: 20, rdma: true, leaf: true, chains: true, ..BoardShape::SIM };
    /// The configurations that are kept; of `rdma` the RTL's is not among them, since its name means another software board.
    pub const ALL: [BoardShape; 8] =
        [Self::TINY, Self::SIM, Self::WIDE, Self::ODD, Self::LARGE, Self::ZCU106, Self::DOORS, Self::TAGS];

    /// The kept configuration of this name.
    pub fn named(name: &str) -> Option<BoardShape> {
        Self::ALL.into_iter().find(|shape| shape.name == name)
    }
    /// The same board with another amount of memory, in bytes.
    pub fn with_memory(self, bytes: u64) -> Result<BoardShape, ShapeError> {
        if !bytes.is_power_of_two() {
            return Err(ShapeError::Memory(bytes));
        }
        let shape = BoardShape { mem_bits: bytes.ilog2(), ..self };
        shape.check().map(|_| shape)
    }
    /// Checks every parameter; answers the page table's geometry.
    pub fn check(&self) -> Result<Geometry, ShapeError> {
        let ranges = [
            ("a TLB", self.tlb_entries, 4, 4096),
            ("log2 of filter sets", self.filter_sets_log2 as usize, 1, 16),
            ("filter ways", self.filter_ways, 1, 16),
            ("an async buffer", self.async_depth, 2, 255),
            ("a zeroing queue", self.zero_queue_depth, 2, 1024),
            ("packet slots", self.packet_slots, 4, 128),
            ("an MTU", self.mtu, 576, 9000),
            ("log2 of cycles per tick", self.tick_log2 as usize, 4, 20),
        ];
        for (what, value, low, high) in ranges {
            if value < low || value > high {
                return Err(ShapeError::Range { what, value, low, high });
            }
        }
        if !self.packet_slots.is_power_of_two() {
            return Err(ShapeError::PacketSlots(self.packet_slots));
        }
        let geometry = Geometry::new(self.page_bits, self.mem_bits, self.slots_log2)?;
        if self.leaf && geometry.leaf_tables().is_none() {
            return Err(ShapeError::Leaf(self.page_bits));
        }
        Ok(geometry)
    }
    /// Doors of the access engine.
    pub fn doors(&self) -> u8 {
        1 + u8::from(self.traffic || self.rdma)
    }
    /// Largest Ethernet frame without check sequence.
    pub fn max_frame(&self) -> usize {
        ETHERNET_LEN + self.mtu
    }
    /// Largest Mneme payload.
    pub fn max_payload(&self) -> usize {
        self.mtu - IP_UDP_LEN - HEADER_LEN
    }
    /// Entries of the retry filter: two choices of sets.
    pub fn filter_entries(&self) -> usize {
        2 * (1 << self.filter_sets_log2) * self.filter_ways
    }
}
