//! The leaf unit of a board as the slow path sees it: a block of registers through which it makes and ends segments of 4 KB pages and
//! feeds the ring of free frames, and what the unit counts (`docs/reference/rdma-port.md`). Boards without the unit have none of it.
use crate::declare::{constants, declare};

constants! {
    /// What the registers below are made of.
    CONSTANTS {
        #[doc = "Value of the LEAF_MAGIC register: \"MNLF\"."] LEAF_MAGIC = 0x464c_4e4d;
        #[doc = "Offset, within the board's register block, of the leaf unit's."] LEAF_BASE = 0xe00;
        #[doc = "Bytes of the leaf unit's register block."] LEAF_BYTES = 0x100;
        #[doc = "Offset, within the block, of the first counter; counter *i* is the word at LEAF_COUNTERS + 4 × i."] LEAF_COUNTERS = 0x80;
        #[doc = "LEAF_RIGHTS: reads."] LEAF_RIGHT_READ = 1;
        #[doc = "LEAF_RIGHTS: writes."] LEAF_RIGHT_WRITE = 2;
        #[doc = "LEAF_RIGHTS: atomics."] LEAF_RIGHT_ATOMIC = 4;
        #[doc = "LEAF_STATE: the ring's memory takes no lines."] LEAF_STUCK = 1;
        #[doc = "LEAF_STATE: all entries that changed are in memory."] LEAF_CLEAN = 2;
    }
}

declare! {
    /// Byte offsets in the leaf unit's register block. RO: writes are ignored.
    LeafRegister: u32 {
        #[doc = "RO. The constant LEAF_MAGIC."] Magic = 0x00, "LEAF_MAGIC";
        #[doc = "RO. log2 of the segments in bits 7:0, of the leaf tables that entries can name in bits 15:8."] Sizes = 0x04, "LEAF_SIZES";
        #[doc = "WO. A LeafOrder number: does it with the registers below. While LEAF_RESULT is PENDING, writes to this block are ignored."] Command = 0x08, "LEAF_COMMAND";
        #[doc = "RO. How the last command ended: a LeafResult number."] Result = 0x0c, "LEAF_RESULT";
        #[doc = "RO. What the last command answered, if it was DONE: see LeafOrder."] Count = 0x10, "LEAF_COUNT";
        #[doc = "RW. The segment."] Segment = 0x14, "LEAF_SEGMENT";
        #[doc = "RW. The segment's process, 24 bits."] Pid = 0x18, "LEAF_PID";
        #[doc = "RW. What the process may do with its pages: the LEAF_RIGHT_ constants."] Rights = 0x1c, "LEAF_RIGHTS";
        #[doc = "RW. A page, a frame, or a number of them: see LeafOrder."] Page = 0x20, "LEAF_PAGE";
        #[doc = "RW. A number of pages or frames."] Pages = 0x24, "LEAF_PAGES";
        #[doc = "RW. A line of memory: an address ÷ 64."] Line = 0x28, "LEAF_LINE";
        #[doc = "RW. A leaf table, as a split entry names it."] Table = 0x2c, "LEAF_TABLE";
        #[doc = "RW. A frame full of zeros (an address ÷ 4,096), which nobody writes: reads across pages of which one has a frame read it for the other."] Zeros = 0x30, "LEAF_ZEROS";
        #[doc = "RO. Frames that the unit was given and that have not been taken back."] Total = 0x34, "LEAF_TOTAL";
        #[doc = "RO. Frames that may be taken."] Usable = 0x38, "LEAF_USABLE";
        #[doc = "RO. Frames that wait for accesses to end."] Waiting = 0x3c, "LEAF_WAITING";
        #[doc = "RO. LEAF_STUCK, LEAF_CLEAN."] State = 0x40, "LEAF_STATE";
    }
}

declare! {
    /// What the slow path tells the leaf unit to do.
    LeafOrder: u32 {
        #[doc = "Makes LEAF_SEGMENT of LEAF_PAGES pages, whose entries begin at LEAF_LINE and are zero, with a budget of LEAF_PAGE frames."] Create = 1, "CREATE";
        #[doc = "Changes what its process may do."] SetRights = 2, "SET_RIGHTS";
        #[doc = "Nobody may access the segment any more."] Close = 3, "CLOSE";
        #[doc = "Gives the frames of the last LEAF_PAGES pages of a closed segment back; it is gone with its last page. LEAF_COUNT: pages left."] Sweep = 4, "SWEEP";
        #[doc = "LEAF_PAGES frames from LEAF_PAGE on are free."] Push = 5, "PUSH";
        #[doc = "Takes the oldest free frame. LEAF_COUNT: the frame."] Pop = 6, "POP";
        #[doc = "The ring lies at LEAF_LINE, a multiple of its length, and has LEAF_PAGE + 1 lines, a power of two."] Ring = 7, "RING";
        #[doc = "LEAF_COUNT: frames of the segment."] Used = 8, "USED";
        #[doc = "LEAF_TABLE has the pages of LEAF_SEGMENT from LEAF_PAGE on, a multiple of a board page's."] Map = 9, "MAP";
        #[doc = "LEAF_TABLE has nobody's pages."] Unmap = 10, "UNMAP";
        #[doc = "Takes a page out of the async buffer, as a page fault does. LEAF_COUNT: the page."] TakePage = 11, "TAKE_PAGE";
    }
}

declare! {
    /// How a command to the leaf unit ended.
    LeafResult: u32 {
        #[doc = "It has not ended."] Pending = 0, "PENDING";
        #[doc = "Done."] Done = 1, "DONE";
        #[doc = "There is no such segment."] Unknown = 2, "UNKNOWN";
        #[doc = "No frame may be taken now."] RingEmpty = 3, "RING_EMPTY";
        #[doc = "Memory has failed."] Failed = 4, "FAILED";
        #[doc = "CREATE: the segment is there. SWEEP: it is not closed. RING: frames are in use."] Taken = 5, "TAKEN";
        #[doc = "No pages; no frames of memory."] BadRange = 6, "BAD_RANGE";
        #[doc = "The ring has no room for so many."] Full = 7, "FULL";
        #[doc = "No such command."] Order = 8, "ORDER";
        #[doc = "The async buffer has no page, or only such as are kept for groups of classes."] NoPage = 9, "NO_PAGE";
    }
}

declare! {
    /// What the leaf unit counts, 32 bits each; they wrap.
    LeafCounter: u32 {
        #[doc = "Accesses against a segment's rights."] Right = 0, "RIGHT";
        #[doc = "Accesses outside of a segment."] Outside = 1, "OUTSIDE";
        #[doc = "Looks at pages without a frame."] Unmapped = 2, "UNMAPPED";
        #[doc = "Frames wanted of an empty ring."] RingEmpty = 3, "RING_EMPTY";
        #[doc = "Frames wanted beyond a segment's budget."] BudgetSpent = 4, "BUDGET_SPENT";
        #[doc = "Frames taken from the ring for a page."] Taken = 5, "TAKEN";
        #[doc = "Frames that went back."] Freed = 6, "FREED";
        #[doc = "Accesses to memory that failed."] MemoryError = 7, "MEMORY_ERROR";
        #[doc = "Lines of eight free frames that were lost, as memory failed."] LineLost = 8, "LINE_LOST";
        #[doc = "Accesses of split pages."] Accesses = 9, "ACCESSES";
    }
}
