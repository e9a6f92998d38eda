//! The golden model: what a board decides and keeps, without the time that it takes.
//!
//! Every call is one step at a tick that the caller names. [`SoftFast`](super::SoftFast) makes the steps as its clock
//! goes; the differential test makes them in the order and at the ticks of the RTL's commits.
use std::collections::{BTreeMap, VecDeque};

use mneme_rdma::node::Leaf;
use mneme_wire::pte::{FRAME_BYTES, Geometry};
use mneme_wire::register::{
    BUILD_CHAINS, BUILD_DOORS_BIT, BUILD_LEAF, BUILD_RDMA, BUILD_SIMULATED, BUILD_TRAILERS,
    BUILD_WAITING_LISTS, MAGIC, MAT_ROWS, REST_BOARD, REST_MEMORY, ZERO_ONLY,
};
use mneme_wire::{
    Cause, Counter, DEFAULT_UDP_PORT, Pid, Register, ReplaceStatus, Status, TagMode, Tick, WIRE_VERSION,
};

use super::counters::{Counters, status_counter};
use super::filter::{Decision, RetryFilter};
use super::memory::{BadLines, Memory};
use super::pages::PageShares;
use super::planted::PlantedFault;
use super::registers::Registers;
use super::request::{Answer, BoardRequest};
use super::shape::{BoardShape, ShapeError};
use super::table;
use super::tlb::Tlb;
use super::trailer::of_trailers;
use crate::port::BuildStamp;

/// Failed reads that a board remembers.
const FAILED_READS: usize = 4;

/// Where bytes of a read lie; none: zeros, of a page of 4 KB without a frame.
type PartPlace = Option<u64>;

/// A read that memory failed: where its part of each page of 4 KB begins, if that is split, and its length.
struct FailedRead {
    places: Vec<PartPlace>,
    length: u16,
}

/// A page to zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ZeroJob {
    ppn: u64,
    offer: bool,
}

/// What a board keeps: tables, memory, counters.
pub struct Model {
    /// Build parameters.
    pub shape: BoardShape,
    /// What registers tell of the sources.
    pub stamp: BuildStamp,
    /// The page table's geometry.
    pub geometry: Geometry,
    /// Register values.
    pub registers: Registers,
    /// Counters.
    pub counters: Counters,
    /// DRAM, page table included.
    pub memory: Memory,
    /// Where DRAM fails.
    pub bad_lines: BadLines,
    /// Tables and ring of 4 KB frames; of a board without a leaf unit nothing is ever in it.
    pub leaf: Leaf,
    /// Segments of `leaf` by the numbers of their first leaf tables.
    pub(super) segments: BTreeMap<u32, u32>,
    /// Retry filter.
    pub filter: RetryFilter,
    /// TLB.
    pub tlb: Tlb,
    /// The tick now.
    pub tick: Tick,
    /// The upper 40 bits of the tick.
    pub tick_high: u64,
    /// What the retry filter counted last.
    pub judged: Option<Counter>,
    /// The async buffer gives nothing, whatever it holds: a replay of a board whose buffer was dry.
    pub dry: bool,
    /// The ring of frames gives nothing, whatever it has: a replay of a board whose freed frames wait for accesses to end.
    pub ring_waits: bool,
    /// The free pages that are left are kept for others: a replay of a board that said so.
    pub kept_for_others: bool,
    /// Reads that ended with a bad check sequence: whoever asks for the same again is told.
    failed_reads: VecDeque<FailedRead>,
    /// The next read is answered MEMERR: a replay of a board that remembered a failed one. A model in a replay remembers none itself.
    pub refuse_read: bool,
    pub(super) replays: bool,
    /// A buffer for the next answer.
    pub(super) spare: Vec<u8>,
    zero_queue: VecDeque<ZeroJob>,
    zero_queue_depth: usize,
    async_buffer: VecDeque<u64>,
    async_depth: usize,
    page_shares: PageShares,
    planted: Option<PlantedFault>,
    /// Chances of a planted fault that comes now and then.
    chances: u64,
}

impl Model {
    /// A board after reset.
    pub fn new(shape: BoardShape) -> Result<Model, ShapeError> {
        let geometry = shape.check()?;
        // All but the first, which is the page table's.
        let frames = if shape.leaf { (1 << shape.mem_bits) / FRAME_BYTES - 1 } else { 0 };
        let mut leaf = Leaf::new(FRAME_BYTES, frames as usize);
        leaf.count_runs(geometry.page_frames());
        Ok(Model {
            geometry,
            stamp: BuildStamp::default(),
            registers: Registers::default(),
            counters: Counters::default(),
            memory: Memory::new(shape.mem_bits),
            bad_lines: BadLines::default(),
            leaf,
            segments: BTreeMap::new(),
            filter: RetryFilter::new(shape.filter_sets_log2, shape.filter_ways),
            tlb: Tlb::new(shape.tlb_entries),
            tick: Tick::default(),
            tick_high: 0,
            judged: None,
            dry: false,
            ring_waits: false,
            kept_for_others: false,
            page_shares: PageShares::default(),
            failed_reads: VecDeque::new(),
            refuse_read: false,
            replays: false,
            spare: Vec::new(),
            zero_queue: VecDeque::new(),
            zero_queue_depth: shape.zero_queue_depth,
            async_buffer: VecDeque::new(),
            async_depth: shape.async_depth,
            planted: None,
            chances: 0,
            shape,
        })
    }

    /// The model for a replay: nothing in it is ever full, since when a board was full is the board's to say.
    pub fn for_replay(shape: BoardShape) -> Result<Model, ShapeError> {
        Ok(Model {
            filter: RetryFilter::new(12, usize::MAX),
            tlb: Tlb::new(usize::MAX),
            zero_queue_depth: usize::MAX,
            async_depth: usize::MAX,
            replays: true,
            ..Model::new(shape)?
        })
    }

    /// Whether a read of these bytes failed lately and was not told so, as [`failed_read`](Self::failed_read) noted. Told once.
    pub(super) fn tells_failed_read(
        &mut self,
        places: impl Iterator<Item = PartPlace> + Clone,
        length: u16,
    ) -> bool {
        let kept = self.failed_reads.len();
        self.failed_reads
            .retain(|read| read.length != length || !places.clone().eq(read.places.iter().copied()));
        self.refuse_read || self.failed_reads.len() < kept
    }
    pub(super) fn failed_read(&mut self, places: impl Iterator<Item = PartPlace>, length: u16) {
        if self.replays {
            return;
        }
        if self.failed_reads.len() == FAILED_READS {
            self.failed_reads.pop_front();
        }
        self.failed_reads.push_back(FailedRead { places: places.collect(), length });
    }

    /// Plants a fault; only builds with the feature `planted-faults` can.
    #[cfg(feature = "planted-faults")]
    pub fn plant(&mut self, fault: PlantedFault) {
        self.planted = Some(fault);
        self.filter.faults = super::filter::FilterFaults {
            ignored: fault == PlantedFault::FilterIgnored,
            digest_ignored: fault == PlantedFault::DigestIgnored,
            window_off: fault == PlantedFault::WindowOff,
            lower_attempt_executes: fault == PlantedFault::LowerAttemptExecutes,
            failed_executes: fault == PlantedFault::FailedExecutes,
            half: fault == PlantedFault::FilterHalf,
        };
    }
    pub(super) fn planted(&self, fault: PlantedFault) -> bool {
        cfg!(feature = "planted-faults") && self.planted == Some(fault)
    }

    /// Whether a fault keeps a write to this register back until the board rests.
    pub(super) fn is_late(&self, register: Register) -> bool {
        use Register as R;
        match register {
            R::Window => self.planted(PlantedFault::WindowLate),
            R::BusyHint => self.planted(PlantedFault::HintLate),
            R::Control | R::MacLow | R::MacHigh | R::Ip | R::UdpPort => {
                self.planted(PlantedFault::TablesLate)
            }
            R::MatValue0 | R::MatValue1 | R::MatMask0 | R::MatMask1 | R::MatCommit => {
                self.planted(PlantedFault::TablesLate)
            }
            _ => false,
        }
    }

    /// Whether a fault that comes now and then is planted, and takes this chance.
    pub(super) fn now_and_then(&mut self, fault: PlantedFault) -> bool {
        let planted = self.planted(fault);
        self.chances += u64::from(planted);
        planted && self.chances.is_multiple_of(fault.every())
    }

    /// The retry filter (check 18): an answer, or nothing when the request goes on.
    #[inline]
    pub fn filter(&mut self, request: &BoardRequest) -> Option<Answer> {
        if request.is_filtered() { self.judge(request) } else { None }
    }
    fn judge(&mut self, request: &BoardRequest) -> Option<Answer> {
        let (window, proven) = (self.registers.window(), self.tag_mode() == TagMode::All);
        let decision = self.filter.decide(request, self.tick, window, proven);
        let hint = self.registers.busy_hint();
        let (counter, answer) = match decision {
            Decision::Insert => (Counter::FilterInsert, None),
            Decision::Reopen => (Counter::FilterReopen, None),
            Decision::Replay(result) => (Counter::FilterReplay, Some(Answer::stored(request, result))),
            Decision::Repeat { status, va, length } => {
                (Counter::FilterRepeat, Some(Answer::detailed(status, va, length)))
            }
            Decision::Pending => (Counter::FilterPending, Some(Answer::busy(Cause::Pending, hint))),
            Decision::Conflict => {
                (Counter::FilterConflict, Some(Answer::fail(Status::Conflict, Cause::None)))
            }
            Decision::Expired => (Counter::FilterExpired, Some(Answer::fail(Status::Expired, Cause::Window))),
            Decision::Clock => (Counter::FilterClock, Some(Answer::busy(Cause::Clock, hint))),
            Decision::Full => (Counter::FilterFull, Some(Answer::busy(Cause::Filter, hint))),
        };
        self.counters.count(counter);
        self.judged = Some(counter);
        answer
    }

    /// The response frame of an answer, counted; the request's last beat came in `cycles` ago. The answer's body becomes the frame.
    pub fn respond(&mut self, request: &BoardRequest, answer: &mut Answer, cycles: u64) -> Vec<u8> {
        self.counters.count(status_counter(answer.status));
        answer.frame(request, self.registers.mac(), self.tick, cycles, std::mem::take(&mut self.spare))
    }
    /// Takes a buffer for the next answer.
    pub(super) fn lend(&mut self, buffer: Vec<u8>) {
        self.spare = buffer;
    }

    /// Lets the tick become `now`, and the filter forget what is too old.
    pub fn advance(&mut self, now: Tick) {
        if now == self.tick {
            return;
        }
        self.tick = now;
        let freed = self.filter.scrub(now, self.registers.window());
        self.counters.add(Counter::FilterScrubbed, freed);
    }

    fn build_flags(&self) -> u32 {
        let simulated = u32::from(self.shape.simulated) * BUILD_SIMULATED;
        let lists = u32::from(self.shape.waiting_lists) * BUILD_WAITING_LISTS;
        let trailers = u32::from(self.shape.trailers) * BUILD_TRAILERS;
        let chains = u32::from(self.shape.chains) * BUILD_CHAINS;
        let leaf = u32::from(self.shape.leaf) * BUILD_LEAF;
        let rdma = u32::from(self.shape.rdma) * BUILD_RDMA;
        let doors = u32::from(self.shape.doors() - 1) << BUILD_DOORS_BIT;
        simulated | doors | lists | trailers | leaf | rdma | chains
    }

    /// Reads a register.
    pub fn read_register(&self, register: Register) -> u32 {
        use Register as R;
        match register {
            R::Magic => MAGIC,
            R::WireVersion => WIRE_VERSION.into(),
            R::PageBits => self.shape.page_bits,
            R::MemBits => self.shape.mem_bits,
            R::SlotsLog2 => self.shape.slots_log2,
            R::TlbEntries => self.shape.tlb_entries as u32,
            R::FilterEntries => self.shape.filter_entries() as u32,
            R::AsyncDepth => self.shape.async_depth as u32,
            R::MaxPayload => self.shape.max_payload() as u32,
            R::TickLog2 => self.shape.tick_log2,
            R::PacketSlots => self.shape.packet_slots as u32,
            R::FilterWays => self.shape.filter_ways as u32,
            R::ZeroDepth => self.shape.zero_queue_depth as u32,
            R::BuildFlags => self.build_flags(),
            R::BuildHash if self.planted(PlantedFault::StampSwapped) => self.stamp.date,
            R::BuildHash => self.stamp.hash,
            R::BuildDate if self.planted(PlantedFault::StampSwapped) => self.stamp.hash,
            R::BuildDate => self.stamp.date,
            // It has neither sets nor misses.
            // A board with a clock says more.
            R::Rest => REST_BOARD | REST_MEMORY,
            R::TlbWays | R::Misses | R::TablePinned => 0,
            R::Tick => self.tick.get(),
            R::AsyncLevel => self.async_buffer.len() as u32,
            R::ZeroSpace => self.zero_queue_depth.saturating_sub(self.zero_queue.len()) as u32,
            R::ZeroPending => self.zero_queue.len() as u32,
            R::ReplaceStatus => self.registers.replace_status.number().into(),
            R::ReplaceOldLow => self.registers.replace_old as u32,
            R::ReplaceOldHigh => (self.registers.replace_old >> 32) as u32,
            R::TickSkip | R::ZeroPush | R::ReplaceGo | R::MatCommit | R::AwayCommit | R::ClassCommit => 0,
            // They are in force at once.
            R::ShareCommit => 0,
            R::ShareMisses | R::ShareWaiting if !self.shape.waiting_lists => 0,
            R::DoorWeights if self.shape.doors() == 1 => 0,
            _ if !self.shape.trailers && of_trailers(register) => 0,
            R::TickHigh => self.tick_high as u32,
            R::TickTop => (self.tick_high >> 32) as u32,
            _ if Register::TAG_KEYS.contains(&register) => 0,
            R::UdpPort if self.planted(PlantedFault::PortReadsDefault) => DEFAULT_UDP_PORT.into(),
            _ => self.registers.get(register),
        }
    }

    /// Writes a register. `TICK_SKIP` is the clock's business: whoever makes the steps names the tick.
    pub fn write_register(&mut self, register: Register, value: u32) {
        use Register as R;
        match register {
            R::ZeroPush => self.push_zero(value),
            R::MatCommit if self.planted(PlantedFault::RowsWrap) => {
                self.registers.commit_mat(value & !0xff | value & (MAT_ROWS as u32 - 1));
            }
            R::MatCommit => self.registers.commit_mat(value),
            R::AwayCommit => {
                let before = self.registers.away;
                self.registers.commit_away(value);
                if self.planted(PlantedFault::AwayTorn) {
                    let rows = self.registers.away.iter_mut().zip(before);
                    rows.for_each(|(row, before)| row.length = before.length);
                }
            }
            R::ReplaceGo => self.replace(),
            R::Control | R::Epoch | R::Window | R::MacLow | R::MacHigh | R::Ip | R::UdpPort | R::BusyHint => {
                self.registers.set(register, value);
            }
            _ if (R::ReplacePid as u32..=R::ReplaceNewHigh as u32).contains(&register.number()) => {
                self.registers.set(register, value);
            }
            R::MatValue0 | R::MatValue1 | R::MatMask0 | R::MatMask1 | R::AwayVaLow | R::AwayVaHigh => {
                self.registers.set(register, value);
            }
            R::ClassCommit => self.registers.commit_class(value),
            // The other shares change when something happens, not what.
            R::ShareCommit => {
                self.registers.commit_shares();
                let pages = self.registers.get(R::SharePages);
                self.page_shares.begin(pages, self.async_buffer.len(), self.registers.exhausted());
            }
            R::DoorWeights
            | R::ClassRate
            | R::ShareGroups
            | R::ShareWays
            | R::ShareMisses
            | R::ShareWaiting
            | R::SharePages => self.registers.set(register, value),
            R::TagMode | R::TagPhases if self.shape.trailers => self.registers.set(register, value),
            _ if self.shape.trailers && Register::TAG_KEYS.contains(&register) => {
                self.registers.set(register, value);
            }
            _ => {}
        }
    }

    /// Executes the replace command that the registers spell.
    fn replace(&mut self) {
        let command = self.registers.replace_command(mneme_wire::pte::VA_BITS - self.geometry.page_bits());
        let (status, old) = table::replace(&mut self.memory, &self.geometry, &command);
        let done = status == ReplaceStatus::Done;
        if done && !self.planted(PlantedFault::NoShootDown) {
            self.tlb.invalidate(command.page);
        }
        self.registers.replace_status = status;
        self.registers.replace_old = old;
        self.counters.count(if done { Counter::ReplaceDone } else { Counter::ReplaceRefused });
    }

    fn push_zero(&mut self, value: u32) {
        let ppn = u64::from(value & !ZERO_ONLY);
        if self.zero_queue.len() < self.zero_queue_depth && ppn < self.geometry.pages() {
            self.zero_queue.push_back(ZeroJob { ppn, offer: value & ZERO_ONLY == 0 });
        } else {
            self.counters.count(Counter::ZeroRefused);
        }
    }

    /// Whether a page waits to be zeroed.
    pub(super) fn is_to_be_zeroed(&self, page: u64) -> bool {
        self.zero_queue.iter().any(|job| job.ppn == page)
    }
    /// Whether the zeroing engine has a page that it could finish now.
    pub(super) fn can_zero(&self) -> bool {
        self.zero_queue.front().is_some_and(|job| !job.offer || self.async_buffer.len() < self.async_depth)
    }

    /// Finishes the oldest page of the zeroing queue, unless the async buffer has no room for it.
    pub fn zero_next(&mut self) {
        if !self.can_zero() {
            return;
        }
        let Some(job) = self.zero_queue.pop_front() else { return };
        if !self.planted(PlantedFault::PageNotZeroed) || !job.offer {
            self.memory.zero(job.ppn << self.geometry.page_bits(), self.geometry.page_size());
        }
        self.counters.count(Counter::ZeroPages);
        if job.offer {
            self.async_buffer.push_back(job.ppn);
        }
    }

    /// Pages in the async buffer.
    pub(super) fn async_level(&self) -> usize {
        self.async_buffer.len()
    }

    /// A free, zeroed page for a fault of a process; or why there is none.
    pub(super) fn take_page(&mut self, pid: Pid) -> Result<u64, Cause> {
        let withheld = self.now_and_then(PlantedFault::PagesWithheld);
        let group = self.registers.share_group(pid);
        let (level, exhausted) = (self.async_buffer.len(), self.registers.exhausted());
        // In a replay that is the board's to say.
        let others = if self.replays {
            self.kept_for_others
        } else {
            level > 0 && !self.page_shares.may_take(group, level, exhausted)
        };
        if others {
            return Err(Cause::Share);
        }
        let page = if self.dry || withheld { None } else { self.async_buffer.pop_front() };
        let page = page.ok_or(Cause::Fault)?;
        self.page_shares.taken(group, level);
        Ok(page)
    }
}
