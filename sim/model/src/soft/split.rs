//! Pages of 4 KB: what Mneme requests and the slow path's commands do at the leaf unit, which RDMA reaches by its own door.
//!
//! A split entry names a leaf table, and its segment says whose it is, how many frames it may have, and what may be done.
use std::ops::Range;

use mneme_rdma::memory::{Access, MemoryFault};
use mneme_rdma::node::{Leaf, SegmentConfig, SegmentError, Shortage};
use mneme_slowpath::{LeafCommand, LeafRefused, LeafSegment, LeafState};
use mneme_wire::frame::ALL_HEADERS;
use mneme_wire::pte::FRAME_BYTES;
use mneme_wire::{Cause, Counter, Opcode, Pid, Rights, Status};

use super::board::SoftFast;
use super::model::Model;
use super::request::{Answer, BoardRequest};

/// A part of a request that lies in one frame.
struct Piece {
    /// The page of the segment.
    page: u32,
    /// Bytes of the frame.
    within: Range<u64>,
    /// The frame, if the page has one.
    frame: Option<u64>,
}

fn access(rights: Rights) -> Access {
    let Rights { read, write } = rights;
    Access { read, write, atomic: read && write }
}

impl Model {
    /// The segment of a process's split entry, and the page in it with which the entry's leaf table begins.
    fn leaf_table(&self, entry: u64, pid: Pid) -> Option<(u32, u32)> {
        let number = (entry & self.geometry.leaf_mask()) as u32;
        let (first, segment) = self.segments.range(..=number).next_back()?;
        let page = u64::from(number - first) * self.geometry.page_frames();
        let inside = |config: &&SegmentConfig| page < config.entries.into() && config.pid == pid.get();
        self.leaf.config(*segment).filter(inside).map(|_| (*segment, page as u32))
    }

    /// The parts of a request. One of no bytes has one of none, where it begins.
    fn frame_pieces(&self, (segment, first): (u32, u32), request: &BoardRequest) -> Vec<Piece> {
        let start = request.va.get() % self.geometry.page_size();
        let end = start + u64::from(request.length);
        (start / FRAME_BYTES..end.div_ceil(FRAME_BYTES).max(start / FRAME_BYTES + 1))
            .map(|number| {
                let base = number * FRAME_BYTES;
                let page = first + number as u32;
                let within = start.max(base) - base..end.min(base + FRAME_BYTES).max(start) - base;
                Piece { page, within, frame: self.leaf.frame(segment, page) }
            })
            .collect()
    }

    /// A physical range as bytes of its page: what memory that fails knows.
    fn in_page(&self, frame: u64, within: &Range<u64>) -> Range<u64> {
        let base = frame % self.geometry.page_size();
        base + within.start..base + within.end
    }

    /// Where the pages of a split entry begin whose rights allow a request: segment, and page in it.
    ///
    /// # Errors
    /// The answer to the request: the segment refuses it, or there is none.
    pub fn judge_split(&self, entry: u64, request: &BoardRequest) -> Result<(u32, u32), Answer> {
        // An entry that names no table of its process is as damaged as one with odd parity.
        let table = self.leaf_table(entry, request.pid);
        let table = table.ok_or(Answer::fail(Status::MemoryError, Cause::Parity))?;
        let wanted = match request.operation() {
            Some(Opcode::Read) => Access::READ,
            Some(Opcode::Write) => Access::WRITE,
            _ => Access::ATOMIC,
        };
        if !self.leaf.config(table.0).is_some_and(|config| config.access.covers(wanted)) {
            return Err(Answer::fail(Status::Denied, Cause::Rights));
        }
        Ok(table)
    }

    /// Executes a request of a split page whose entry allows it.
    pub(super) fn access_split(&mut self, entry: u64, request: &BoardRequest) -> Answer {
        let table = match self.judge_split(entry, request) {
            Ok(table) => table,
            Err(answer) => return answer,
        };
        let pieces = self.frame_pieces(table, request);
        match request.operation() {
            Some(Opcode::Read) => self.read_frames(request, &pieces),
            Some(Opcode::Write) => self.write_frames(request, table.0, pieces),
            _ => self.atomic_frame(request, table.0, &pieces),
        }
    }

    fn read_frames(&mut self, request: &BoardRequest, pieces: &[Piece]) -> Answer {
        let places = pieces.iter().map(|piece| Some(piece.frame? + piece.within.start));
        let reads = places.clone().flatten().next().is_some();
        if reads && self.tells_failed_read(places.clone(), request.length) {
            return Answer::fail(Status::MemoryError, Cause::Dram);
        }
        let mut bytes = std::mem::take(&mut self.spare);
        bytes.clear();
        bytes.resize(ALL_HEADERS, 0);
        let mut failed = false;
        for Piece { within, frame, .. } in pieces {
            let length = (within.end - within.start) as usize;
            match frame {
                Some(frame) => {
                    self.memory.append(frame + within.start, length, &mut bytes);
                    failed |= self.bad_lines.fails_read(&self.in_page(*frame, within));
                }
                None => bytes.resize(bytes.len() + length, 0),
            }
        }
        if failed {
            self.counters.count(Counter::MemError);
            self.failed_read(places, request.length);
        }
        if !reads {
            self.counters.count(Counter::ZeroRead);
        }
        Answer { bad_fcs: failed, ..Answer::ok(request, request.length, bytes) }
    }

    /// The answer to a request that needs a frame and gets none.
    fn short(&mut self, shortage: Shortage) -> Answer {
        self.counters.count(Counter::FaultDry);
        match shortage {
            Shortage::Budget => Answer::fail(Status::Quota, Cause::QuotaPages),
            Shortage::Ring if self.registers.exhausted() && self.has_no_page() => {
                Answer::fail(Status::NoMemory, Cause::None)
            }
            Shortage::Ring => Answer::busy(Cause::Fault, self.registers.busy_hint()),
        }
    }

    /// In a replay it is the board's to say when its free pages have run out.
    fn has_no_page(&self) -> bool {
        if self.replays { self.dry } else { self.async_level() == 0 }
    }

    /// Whether a segment could have so many frames.
    fn has_frames(&self, segment: u32, frames: usize) -> Result<(), Shortage> {
        self.leaf.can_take(segment, frames)?;
        if self.ring_waits { Err(Shortage::Ring) } else { Ok(()) }
    }

    /// Takes a frame for a page, zeroes it, and publishes it.
    fn touch_frame(&mut self, segment: u32, page: u32) -> Result<u64, Shortage> {
        let frame = self.leaf.take(segment)?;
        self.memory.write(frame, &[0; FRAME_BYTES as usize]);
        self.leaf.publish(segment, page, frame);
        self.counters.count(Counter::PageFault);
        Ok(frame)
    }

    /// All frames that a write needs are there before a byte is written.
    fn write_frames(&mut self, request: &BoardRequest, segment: u32, pieces: Vec<Piece>) -> Answer {
        let needed = pieces.iter().filter(|piece| piece.frame.is_none()).count();
        if needed > 0
            && let Err(shortage) = self.has_frames(segment, needed)
        {
            return self.short(shortage);
        }
        let (mut rest, mut failed) = (&request.payload[..], false);
        for Piece { page, within, frame } in pieces {
            let frame = match frame.map_or_else(|| self.touch_frame(segment, page), Ok) {
                Ok(frame) => frame,
                Err(shortage) => return self.short(shortage),
            };
            let (now, later) = rest.split_at(rest.len().min((within.end - within.start) as usize));
            rest = later;
            let span = self.in_page(frame, &within);
            for part in self.bad_lines.written(span.clone()) {
                let from = (part.start - span.start) as usize..(part.end - span.start) as usize;
                self.memory.write(frame + within.start + part.start - span.start, &now[from]);
            }
            failed |= self.bad_lines.fails_write(&span);
        }
        if failed {
            self.counters.count(Counter::MemError);
            return Answer::fail(Status::MemoryError, Cause::Dram);
        }
        Answer::stored(request, 0)
    }

    fn atomic_frame(&mut self, request: &BoardRequest, segment: u32, pieces: &[Piece]) -> Answer {
        let Some(Piece { page, within, frame }) = pieces.first() else {
            return Answer::fail(Status::BadRequest, Cause::Length);
        };
        if frame.is_none()
            && let Err(shortage) = self.has_frames(segment, 1)
        {
            return self.short(shortage);
        }
        let frame = match frame.map_or_else(|| self.touch_frame(segment, *page), Ok) {
            Ok(frame) => frame,
            Err(shortage) => return self.short(shortage),
        };
        let span = self.in_page(frame, within);
        if self.bad_lines.fails_read(&span) {
            self.counters.count(Counter::MemError);
            return Answer::fail(Status::MemoryError, Cause::Dram);
        }
        self.atomic_at(request, frame + within.start, &span)
    }

    /// Executes a command of the slow path.
    ///
    /// # Errors
    /// [`LeafRefused`]: nothing was done.
    pub fn leaf_command(&mut self, command: LeafCommand) -> Result<u64, LeafRefused> {
        if !self.shape.leaf {
            return Err(LeafRefused::None);
        }
        let find = |table| self.segments.get(&table).copied().ok_or(LeafRefused::Unknown);
        match command {
            LeafCommand::Create(segment) => self.create_segment(&segment),
            LeafCommand::Protect(table, rights) => {
                let segment = find(table)?;
                self.leaf.set_access(segment, access(rights)).map(|()| 0).map_err(refused)
            }
            LeafCommand::Close(table) => {
                let segment = find(table)?;
                self.leaf.close(segment).map(|()| 0).map_err(refused)
            }
            LeafCommand::Sweep(table, most) => {
                let segment = find(table)?;
                let left = self.leaf.sweep(segment, most).map_err(refused)?;
                if left == 0 {
                    self.segments.remove(&table);
                }
                Ok(left.into())
            }
            LeafCommand::Refill => self.refill_ring(),
            LeafCommand::TakeBack => {
                let base = self.leaf.free_run().ok_or(LeafRefused::NoPage)?;
                self.leaf.take_back(base, self.geometry.page_frames()).map_err(|_| LeafRefused::NoPage)?;
                Ok(base >> self.geometry.page_bits())
            }
        }
    }

    /// The frames of a segment's pages, by its first leaf table; 0: none.
    pub fn leaf_entries(&self, table: u32) -> Option<Vec<u64>> {
        let entries = self.leaf.table(*self.segments.get(&table)?)?;
        Some(entries.iter().map(|entry| u64::from_be_bytes(*entry) & !(FRAME_BYTES - 1)).collect())
    }

    fn create_segment(&mut self, segment: &LeafSegment) -> Result<u64, LeafRefused> {
        let LeafSegment { pid, va, table, tables, budget, rights } = *segment;
        let entries = u64::from(tables) * self.geometry.page_frames();
        let end =
            table.checked_add(tables).filter(|end| Some(u64::from(*end)) <= self.geometry.leaf_tables());
        let meets = |(first, segment): (&u32, &u32)| {
            let pages = self.leaf.config(*segment).map_or(0, |config| u64::from(config.entries));
            u64::from(*first) + pages / self.geometry.page_frames() > table.into()
        };
        let entries = u32::try_from(entries).map_err(|_| LeafRefused::Taken)?;
        let end = end.ok_or(LeafRefused::Taken)?;
        if self.segments.range(..end).next_back().is_some_and(meets) {
            return Err(LeafRefused::Taken);
        }
        let config = SegmentConfig { pid, va, entries, budget, access: access(rights) };
        let number = self.leaf.create(config).map_err(refused)?;
        self.segments.insert(table, number);
        Ok(0)
    }

    fn refill_ring(&mut self) -> Result<u64, LeafRefused> {
        let page = self.take_page(Pid::NONE).map_err(|_| LeafRefused::NoPage)?;
        let base = page << self.geometry.page_bits();
        match self.leaf.push_run(base, self.geometry.page_frames()) {
            Ok(()) => Ok(page),
            // It was nobody's, so it cannot be in the ring.
            Err(_) => Err(LeafRefused::NoPage),
        }
    }

    pub(super) fn leaf_state(&self) -> LeafState {
        let wanted = |(number, config): (u32, &SegmentConfig)| {
            u64::from(config.budget.min(config.entries)).saturating_sub(self.leaf.used(number).into())
        };
        LeafState {
            ring: self.leaf.ring().len() as u64,
            given: self.leaf.given() as u64,
            wanted: self.leaf.segments().filter(|(_, own)| own.access.write).map(wanted).sum(),
        }
    }
}

fn refused(error: SegmentError) -> LeafRefused {
    match error {
        SegmentError::Full => LeafRefused::Full,
        SegmentError::Range { .. } | SegmentError::Taken(_) => LeafRefused::Taken,
        SegmentError::Unknown(_) => LeafRefused::Unknown,
    }
}

/// The leaf unit as a port beside the network's reaches it.
impl SoftFast {
    /// Whether the board has a leaf unit.
    pub fn has_leaf_unit(&self) -> bool {
        self.model.shape.leaf
    }
    /// Tables and ring.
    pub fn leaf_unit(&self) -> &Leaf {
        &self.model.leaf
    }
    /// The same, to be changed.
    pub fn leaf_unit_mut(&mut self) -> &mut Leaf {
        &mut self.model.leaf
    }
    /// Reads bytes of a frame.
    ///
    /// # Errors
    /// [`MemoryFault::Failed`]: its lines fail.
    pub fn load_frame(&self, address: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        let span = self.model.in_page(address, &(0..to.len() as u64));
        if self.model.bad_lines.fails_read(&span) {
            return Err(MemoryFault::Failed);
        }
        self.model.memory.read(address, to);
        Ok(())
    }
    /// Writes bytes of a frame.
    ///
    /// # Errors
    /// [`MemoryFault::Failed`]: its lines fail, and some bytes may have been written.
    pub fn store_frame(&mut self, address: u64, from: &[u8]) -> Result<(), MemoryFault> {
        let model = &mut self.model;
        let span = model.in_page(address, &(0..from.len() as u64));
        for part in model.bad_lines.written(span.clone()) {
            let bytes = (part.start - span.start) as usize..(part.end - span.start) as usize;
            model.memory.write(address + part.start - span.start, &from[bytes]);
        }
        if model.bad_lines.fails_write(&span) { Err(MemoryFault::Failed) } else { Ok(()) }
    }
}
