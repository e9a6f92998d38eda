//! The network side of a board, and the trace that its commits leave (contracts §5, §6).
use std::fs::File;
use std::io;
use std::ops::Range;

use mneme_wire::{Cause, Status};

use crate::soft::LineFault;
use crate::traffic::{Traffic, TrafficResult};

/// The board's MAC is still taking the frames that it was given before; let time pass and offer the frame again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the board's network port is still taking earlier frames")]
pub struct PortBusy;

/// A frame that left the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EgressFrame {
    /// The Ethernet frame without its check sequence.
    pub bytes: Vec<u8>,
    /// Sent with a wrong check sequence: a memory error showed up after the header had left. Receivers throw it away.
    pub bad_fcs: bool,
}

/// One answer of the fast path, in the order of commits: what a replay needs to decide the same (contracts §5).
///
/// Frames to the slow ring and dropped frames leave no event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceEvent {
    /// Source IPv4 address of the request, first byte in the top bits.
    pub src_ip: u32,
    /// Source UDP port.
    pub src_port: u16,
    /// Operation id.
    pub op_id: u32,
    /// Attempt.
    pub attempt: u8,
    /// Opcode number without the response bit; it may name no operation.
    pub opcode: u8,
    /// Status code.
    pub status: u8,
    /// Cause code, 0 where the answer carries none.
    pub cause: u8,
    /// Tick when the retry filter decided; 24 bits.
    pub tick_filter: u32,
    /// Tick when the request was checked again after its walk; meaningful when `resumed`.
    pub tick_resume: u32,
    /// Tick when the answer's header left; 24 bits.
    pub tick: u32,
    /// The request walked the page table and was checked again.
    pub resumed: bool,
}

impl TraceEvent {
    /// The status, if the code names one.
    pub fn status(&self) -> Option<Status> {
        Status::from_number(self.status)
    }
    /// The cause, if the code names one.
    pub fn cause(&self) -> Option<Cause> {
        Cause::from_number(self.cause)
    }
}

/// How a retry filter spreads keys over its sets, and sources over groups (contracts §2 leaves both to the board).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterHash {
    /// The software board's.
    Software,
    /// That of the RTL (`hw/`, `FilterHash`).
    Crc,
}

/// What whoever builds a board ties to it, and registers tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BuildStamp {
    /// The first 32 bits of the sources' git hash, 0: unknown. Register BUILD_HASH.
    pub hash: u32,
    /// When the board was built, in seconds since 1970, 0: unknown. Register BUILD_DATE.
    pub date: u32,
}

/// A board's network port and its clock. The board does nothing outside [`NetworkPort::run`].
pub trait NetworkPort {
    /// Queues a frame (without check sequence) at the MAC; `fcs_error` marks it as damaged on the wire.
    ///
    /// The frame enters the board as time passes. A board may drop it for any reason of contracts §1.
    fn ingress(&mut self, frame: &[u8], fcs_error: bool) -> Result<(), PortBusy>;
    /// The next frame that left the board.
    fn egress(&mut self) -> Option<EgressFrame>;
    /// Takes the buffer of a frame that left back, for later ones.
    fn recycle(&mut self, _frame: Vec<u8>) {}
    /// Whether the board's memory takes room of the system's that [`NetworkPort::forget`] gives back.
    fn forgets(&self) -> bool {
        false
    }
    /// Gives back the room of a physical page, as far as it is all zeros. `free`: nobody wants its bytes any more, and they
    /// will be zeroed before anybody has it again.
    fn forget(&mut self, _page: u64, _free: bool) {}
    /// Lets `cycles` of the board's clock (4 ns each) pass. A quiet board may skip them.
    fn run(&mut self, cycles: u64);
    /// The same, and a board that is simulated skips none of them, though it is quiet: for work inside that shows at no port.
    fn run_all(&mut self, cycles: u64) {
        self.run(cycles);
    }
    /// Cycles since reset.
    fn cycles(&self) -> u64;
    /// Nothing is in flight: no frame at the MAC, in the pipeline, in a ring or awaiting [`NetworkPort::egress`], no page
    /// being zeroed, no command running. A quiet board stays quiet until somebody asks it for something.
    fn quiet(&self) -> bool;
    /// As [`NetworkPort::quiet`], but frames may await [`NetworkPort::egress`].
    fn rests(&self) -> bool {
        self.quiet()
    }
    /// Whether the MAC holds none of the frames that it was given: they are on the board, or have been dropped.
    fn taken(&self) -> bool;
    /// Frames that have left the board for the slow path and await `FastPath::receive`.
    fn slow_waiting(&self) -> u64 {
        0
    }
    /// Frames for the slow path that the board itself holds before it refuses.
    fn slow_places(&self) -> u64;
    /// By which hash the board's retry filter chooses where an operation's entry may lie.
    fn filter_hash(&self) -> FilterHash {
        FilterHash::Software
    }
    /// What was tied to it when it was built.
    fn stamp(&self) -> BuildStamp;
    /// The next event of the trace. The trace is bounded: a board whose trace nobody takes throws the oldest events away.
    fn trace(&mut self) -> Option<TraceEvent>;

    /// Tells the traffic generator at door 1 to offer tokens. A board without one refuses all.
    fn traffic(&mut self, _traffic: &Traffic) -> Result<(), PortBusy> {
        Err(PortBusy)
    }
    /// How the next of its tokens ended, in the order in which they left translation.
    fn traffic_result(&mut self) -> Option<TrafficResult> {
        None
    }
    /// The door of the next token that left translation, of a board with a traffic generator: in this order tokens took effect.
    fn order(&mut self) -> Option<Door> {
        None
    }
}

/// A door of the access engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// Mneme requests from the network.
    Network,
    /// The traffic generator.
    Traffic,
}

/// A board's register port as it is: words of a block of 4 KB, whether anything is there or not.
pub trait RegisterPort {
    /// Reads the word at an offset, a multiple of 4; the answer is taken only after so many cycles.
    fn read_word(&mut self, offset: u32, late: u32) -> u32;
    /// Writes those bytes of a word whose bits are set in `strobes`, bit 0 for its lowest byte. Address and data come, and the answer is taken,
    /// so many cycles late.
    fn write_bytes(&mut self, offset: u32, value: u32, strobes: u8, late: [u32; 3]);
}

/// A board that stands in a device, as a real one does: the processor beside it resets its core and sees its DRAM.
pub trait Mounted {
    /// Resets the core now, whatever is on it: what was is lost, and nobody has booted it. DRAM keeps what it has, and cycles are
    /// counted on.
    fn reset_core(&mut self);
    /// Puts all of DRAM into a file, whose former contents are lost. Whoever maps it sees the same memory from then on.
    fn share_memory(&mut self, file: &File) -> io::Result<()>;
}

/// A board whose DRAM can be told to fail.
pub trait BadMemory {
    /// From now on reads and writes of requests fail so in these bytes of every page; both ends are multiples of 64.
    /// Walks of the page table and zeroing do not.
    ///
    /// A write that is lost changes nothing in its block of 4 KB, as the bursts of the RTL do.
    fn fail_lines(&mut self, lines: Range<u64>, fault: LineFault);
    /// From now on a write of a page-table entry answers with an error, with a chance of `chance` in 65,536, and takes effect all the same or not. No more than
    /// `most` entries at a time are behind what was written to them. A board that
    /// has no copies of entries has nothing to lose: the software board takes no notice.
    fn fail_table(&mut self, chance: u32, most: u32);
}
