//! The leaf unit of hardware: the slow path's commands through its registers.
//!
//! An example. A range of 512 pages becomes a segment: CREATE says where its entries lie, and MAP that its two leaf tables are the
//! segment's. A write takes a frame; the ring runs low, TAKE_PAGE and PUSH put a board page's 256 frames into it. When the range is freed
//! CLOSE and SWEEP bring the frame back, and POP takes all 256 out again.
use super::collect::{Collector, Met, SliceEnd};
use super::{LeafCommand, LeafRefused, LeafSegment, LeafState};
use crate::FastPath;
use mneme_wire::leaf::{LEAF_MAGIC, LEAF_RIGHT_ATOMIC, LEAF_RIGHT_READ, LEAF_RIGHT_WRITE};
use mneme_wire::pte::{FRAME_BYTES, Geometry};
use mneme_wire::{LeafOrder, LeafRegister, LeafResult, Rights};
use std::collections::BTreeMap;

/// Looks at the end of a command; the longest, of [`SLICE`] entries whose memory takes its time, ends within thousands of cycles.
const LOOKS: u32 = 100_000;
/// Entries that the unit sweeps in one go: accesses wait meanwhile.
const SLICE: u32 = 256;
/// Bytes of a line of memory.
const LINE: u64 = 64;

/// A segment, by its first leaf table.
#[derive(Debug, Clone, Copy)]
struct Segment {
    number: u32,
    tables: u32,
    /// Frames that it may have; none once it is closed.
    cap: u64,
}

/// What the slow path knows of the leaf unit of hardware.
#[derive(Debug)]
pub struct LeafDriver {
    geometry: Geometry,
    places: u32,
    segments: BTreeMap<u32, Segment>,
    /// Frames that the unit was given.
    given: u64,
    collector: Collector,
}

/// How a command ended that was not done.
type Refused = Result<u32, LeafResult>;

impl LeafDriver {
    /// The unit of a fast path that has been reset; `None`: it has none behind registers. The ring is where the geometry says.
    pub fn of<F: FastPath + ?Sized>(fp: &mut F, geometry: &Geometry) -> Option<LeafDriver> {
        if fp.read_leaf(LeafRegister::Magic.number()) != LEAF_MAGIC {
            return None;
        }
        let sizes = fp.read_leaf(LeafRegister::Sizes.number());
        let mut driver = LeafDriver {
            geometry: *geometry,
            places: 1 << (sizes & 0xff).min(16),
            segments: BTreeMap::new(),
            given: 0,
            collector: Collector::new(geometry.page_frames()),
        };
        fp.write_leaf(LeafRegister::Zeros, (geometry.zero_frame() / FRAME_BYTES) as u32);
        let lines = geometry.ring_bytes() / LINE;
        let ring = [
            (LeafRegister::Line, (geometry.ring_address() / LINE) as u32),
            (LeafRegister::Page, (lines - 1) as u32),
        ];
        match driver.order(fp, LeafOrder::Ring, &ring) {
            Ok(_) => Some(driver),
            Err(result) => {
                tracing::error!(?result, "the leaf unit took no ring; it serves nobody");
                None
            }
        }
    }

    /// Pages to be zeroed before it is used: its tables and the frame of zeros are among them.
    pub(crate) fn own_pages(&self) -> u64 {
        self.geometry.leaf_pages()
    }

    /// What the unit has.
    pub fn state<F: FastPath + ?Sized>(&self, fp: &mut F) -> LeafState {
        let cap: u64 = self.segments.values().map(|segment| segment.cap).sum();
        if cap == 0 && self.given == 0 {
            return LeafState::default();
        }
        let ring = ring(fp);
        let given = self.given.saturating_sub(self.held());
        let used = given.saturating_sub(ring);
        LeafState { ring, given, wanted: cap.saturating_sub(used) }
    }

    /// Frames that are neither in the ring nor used: those of pages that are on their way back.
    pub fn held(&self) -> u64 {
        self.collector.held()
    }

    /// Executes a command.
    ///
    /// # Errors
    /// [`LeafRefused`]: nothing was done, unless memory failed.
    pub fn command<F: FastPath + ?Sized>(
        &mut self,
        fp: &mut F,
        command: LeafCommand,
    ) -> Result<u64, LeafRefused> {
        match command {
            LeafCommand::Create(segment) => self.create(fp, &segment),
            LeafCommand::Protect(table, rights) => {
                let number = self.find(table)?.number;
                let registers = [(LeafRegister::Segment, number), (LeafRegister::Rights, bits(rights))];
                self.order(fp, LeafOrder::SetRights, &registers).map(|_| 0).map_err(told)
            }
            LeafCommand::Close(table) => {
                let number = self.find(table)?.number;
                self.order(fp, LeafOrder::Close, &[(LeafRegister::Segment, number)]).map_err(told)?;
                self.segments.entry(table).and_modify(|segment| segment.cap = 0);
                Ok(0)
            }
            LeafCommand::Sweep(table, most) => self.sweep(fp, table, most),
            LeafCommand::Refill => self.refill(fp),
            LeafCommand::TakeBack => self.take_back(fp),
        }
    }

    /// What the unit numbers the segment whose first leaf table this is.
    pub(crate) fn number(&self, table: u32) -> Option<u32> {
        self.find(table).ok().map(|segment| segment.number)
    }

    fn find(&self, table: u32) -> Result<Segment, LeafRefused> {
        self.segments.get(&table).copied().ok_or(LeafRefused::Unknown)
    }

    fn create<F: FastPath + ?Sized>(
        &mut self,
        fp: &mut F,
        segment: &LeafSegment,
    ) -> Result<u64, LeafRefused> {
        let LeafSegment { pid, table, tables, budget, rights, .. } = *segment;
        let end =
            table.checked_add(tables).filter(|end| Some(u64::from(*end)) <= self.geometry.leaf_tables());
        let end = end.ok_or(LeafRefused::Taken)?;
        let before = self.segments.range(..end).next_back();
        if before.is_some_and(|(first, other)| first + other.tables > table) {
            return Err(LeafRefused::Taken);
        }
        let taken: Vec<u32> = self.segments.values().map(|segment| segment.number).collect();
        let number = (0..self.places).find(|number| !taken.contains(number)).ok_or(LeafRefused::Full)?;
        let frames = self.geometry.page_frames() as u32;
        let entries = tables.checked_mul(frames).ok_or(LeafRefused::Taken)?;
        let budget = budget.min(entries);
        let registers = [
            (LeafRegister::Segment, number),
            (LeafRegister::Pid, pid),
            (LeafRegister::Rights, bits(rights)),
            (LeafRegister::Pages, entries),
            (LeafRegister::Page, budget),
            (LeafRegister::Line, (self.geometry.leaf_table(table.into()) / LINE) as u32),
        ];
        self.order(fp, LeafOrder::Create, &registers).map_err(told)?;
        // Whatever comes of the rest, the unit has it: its number and its tables are nobody else's.
        self.segments.insert(table, Segment { number, tables, cap: budget.into() });
        for own in 0..tables {
            let row = [(LeafRegister::Table, table + own), (LeafRegister::Page, own * frames)];
            self.order(fp, LeafOrder::Map, &row).map_err(told)?;
        }
        Ok(0)
    }

    /// One that cannot be swept to its end keeps its tables, whose entries are not zeros.
    fn sweep<F: FastPath + ?Sized>(&mut self, fp: &mut F, table: u32, most: u32) -> Result<u64, LeafRefused> {
        let Segment { number, tables, .. } = self.find(table)?;
        let mut left = 0;
        for _ in 0..most.div_ceil(SLICE).max(1) {
            let registers = [(LeafRegister::Segment, number), (LeafRegister::Pages, SLICE.min(most))];
            left = self.order(fp, LeafOrder::Sweep, &registers).map_err(told)?;
            if left == 0 {
                break;
            }
        }
        if left == 0 {
            for own in table..table + tables {
                self.order(fp, LeafOrder::Unmap, &[(LeafRegister::Table, own)]).map_err(told)?;
            }
            self.segments.remove(&table);
        }
        Ok(left.into())
    }

    /// Frames that were kept out of the ring to make pages whole go back before it gets a page.
    fn refill<F: FastPath + ?Sized>(&mut self, fp: &mut F) -> Result<u64, LeafRefused> {
        if self.held() > 0 {
            self.collector.give_up();
            self.bring_back(fp);
            return Err(LeafRefused::NoPage);
        }
        let page = self.order(fp, LeafOrder::TakePage, &[]).map_err(told)?;
        let frames = self.geometry.page_frames();
        self.push(fp, u64::from(page) * frames, frames);
        self.given += frames;
        Ok(page.into())
    }

    fn bring_back<F: FastPath + ?Sized>(&mut self, fp: &mut F) {
        for run in self.collector.returned() {
            self.push(fp, run[0].into(), run.len() as u64);
        }
    }

    /// Puts a run of frames into the ring. What it does not take is nobody's until the board restarts.
    fn push<F: FastPath + ?Sized>(&mut self, fp: &mut F, first: u64, frames: u64) {
        let run = [(LeafRegister::Page, first as u32), (LeafRegister::Pages, frames as u32)];
        if let Err(result) = self.order(fp, LeafOrder::Push, &run) {
            tracing::error!(?result, first, frames, "the ring did not take free frames");
        }
    }

    /// Takes a slice of frames out of the ring, the oldest first, until they make a whole page; the others go back.
    fn take_back<F: FastPath + ?Sized>(&mut self, fp: &mut F) -> Result<u64, LeafRefused> {
        if self.collector.is_returning() {
            self.bring_back(fp);
            return Err(LeafRefused::Unfinished);
        }
        let mut whole = None;
        // Whatever the unit says that the ring has: no more than it was given.
        let most = self.given.saturating_sub(self.held());
        for _ in 0..self.collector.begin(|| ring(fp).min(most)) {
            let Ok(frame) = self.order(fp, LeafOrder::Pop, &[]) else {
                self.collector.dry();
                break;
            };
            if let Met::Whole(page) = self.collector.meet(frame) {
                self.given -= self.geometry.page_frames();
                whole = Some(page);
                break;
            }
        }
        for run in self.collector.passed() {
            self.push(fp, run[0].into(), run.len() as u64);
        }
        match whole {
            Some(page) => Ok(page),
            None => Err(match self.collector.end(|| ring(fp)) {
                SliceEnd::More => LeafRefused::Unfinished,
                SliceEnd::Vain => LeafRefused::NoPage,
            }),
        }
    }

    /// Writes registers and then a command, and waits for its end: what it answered, or why it was not done.
    fn order<F: FastPath + ?Sized>(
        &mut self,
        fp: &mut F,
        order: LeafOrder,
        registers: &[(LeafRegister, u32)],
    ) -> Refused {
        for (register, value) in registers {
            fp.write_leaf(*register, *value);
        }
        fp.write_leaf(LeafRegister::Command, order.number());
        for _ in 0..LOOKS {
            match LeafResult::from_number(fp.read_leaf(LeafRegister::Result.number())) {
                Some(LeafResult::Pending) | None => {}
                Some(LeafResult::Done) => return Ok(fp.read_leaf(LeafRegister::Count.number())),
                Some(result) => return Err(result),
            }
        }
        tracing::error!(?order, "the leaf unit does not end a command");
        Err(LeafResult::Pending)
    }
}

/// Frames of the ring, those included that wait for accesses to end.
fn ring<F: FastPath + ?Sized>(fp: &mut F) -> u64 {
    let mut read = |register: LeafRegister| u64::from(fp.read_leaf(register.number()));
    read(LeafRegister::Usable) + read(LeafRegister::Waiting)
}

fn bits(rights: Rights) -> u32 {
    let Rights { read, write } = rights;
    let bit = |has: bool, bit: u32| if has { bit } else { 0 };
    bit(read, LEAF_RIGHT_READ) | bit(write, LEAF_RIGHT_WRITE) | bit(read && write, LEAF_RIGHT_ATOMIC)
}

fn told(result: LeafResult) -> LeafRefused {
    match result {
        LeafResult::Unknown => LeafRefused::Unknown,
        LeafResult::Taken | LeafResult::BadRange => LeafRefused::Taken,
        LeafResult::NoPage | LeafResult::RingEmpty | LeafResult::Full => LeafRefused::NoPage,
        LeafResult::Pending | LeafResult::Done | LeafResult::Failed | LeafResult::Order => {
            LeafRefused::Failed
        }
    }
}
