//! Translation and memory access: checks 19 and 20 of contracts §1, in the order of §3.
use std::iter;
use std::ops::Range;

use mneme_wire::frame::ALL_HEADERS;
use mneme_wire::pte::{self, PageState};
use mneme_wire::{Cause, Counter, Opcode, Status, WindowCheck, check_window};

use super::model::Model;
use super::planted::PlantedFault;
use super::request::{Answer, BoardRequest};
use super::table::{self, Overlook, Page, Walk};

/// Where a request's bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At this physical address.
    At(u64),
    /// Nowhere: nobody ever wrote the page.
    Zeros,
    /// In frames of 4 KB behind this split entry.
    Split(u64),
}

/// How a request that went on ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executed {
    /// The answer.
    pub answer: Answer,
    /// The page table was walked.
    pub walked: bool,
    /// A read of a page that nobody wrote.
    pub zeros: bool,
}

/// What decides between TLB and page table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// The model's own TLB.
    Own,
    /// A replayed board walked, whatever the model's TLB holds.
    Walk,
}

fn writes(request: &BoardRequest) -> bool {
    request.is_filtered()
}

impl Model {
    /// Executes a request that passed dispatch and filter, and notes in the filter how it ended.
    pub fn execute(&mut self, request: &BoardRequest, lookup: Lookup) -> Executed {
        let executed = self.serve(request, lookup);
        if request.is_filtered() {
            self.filter.finish(request, &executed.answer);
        }
        executed
    }

    /// Serves a request of whatever door: translation and memory access.
    pub fn serve(&mut self, request: &BoardRequest, lookup: Lookup) -> Executed {
        if request.operation() == Some(Opcode::Fence) {
            self.counters.count(Counter::Fences);
            return Executed { answer: Answer::ok(request, 0, Vec::new()), walked: false, zeros: false };
        }
        let page = self.page(request);
        let cached = if lookup == Lookup::Own { self.cached(page, request) } else { None };
        let (place, walked) = match cached {
            Some(place) => (place, false),
            None => (self.walk(page, request), true),
        };
        let zeros = place == Ok(Place::Zeros);
        let answer = match place {
            Ok(place) => self.access(request, place),
            Err(answer) => answer,
        };
        Executed { answer, walked, zeros }
    }

    /// The page of a request's address.
    pub fn page(&self, request: &BoardRequest) -> Page {
        Page { pid: request.pid, vpn: self.geometry.vpn(request.va.get()) }
    }

    /// Whether a request would be translated without a walk.
    pub(super) fn is_cached(&self, request: &BoardRequest) -> bool {
        let entry = self.tlb.peek(self.page(request));
        entry.is_some_and(|entry| !writes(request) || entry & pte::DIRTY != 0)
    }

    /// The TLB: nothing when the page has to be walked for, also by the first write of a page that was only read.
    fn cached(&mut self, page: Page, request: &BoardRequest) -> Option<Result<Place, Answer>> {
        let entry = self.tlb.lookup(page)?;
        let intact = pte::parity_ok(entry);
        let split = pte::state(entry) == PageState::Split;
        if intact && writes(request) && entry & pte::DIRTY == 0 && !split {
            return None;
        }
        self.counters.count(Counter::TlbHit);
        if !intact {
            self.counters.count(Counter::TlbParity);
            self.tlb.invalidate(page);
        }
        if let Some(expired) = self.expired(request) {
            return Some(Err(expired));
        }
        if !intact {
            return Some(Err(Answer::fail(Status::MemoryError, Cause::Parity)));
        }
        Some(self.check_entry(entry, request).map(|()| self.place(entry, request)))
    }

    /// The answer to a request that is older than the window by the time it would be translated.
    fn expired(&mut self, request: &BoardRequest) -> Option<Answer> {
        let late = check_window(self.tick, request.time, self.registers.window()) == WindowCheck::Expired;
        if !request.windowed || !late || self.planted(PlantedFault::WindowOff) {
            return None;
        }
        self.counters.count(Counter::ResumeExpired);
        Some(Answer::fail(Status::Expired, Cause::Window))
    }

    fn walk(&mut self, page: Page, request: &BoardRequest) -> Result<Place, Answer> {
        self.counters.count(Counter::TlbMiss);
        if let Some(expired) = self.expired(request) {
            return Err(expired);
        }
        let overlook = Overlook {
            pid: self.planted(PlantedFault::PidIgnored),
            parity: self.planted(PlantedFault::ParityIgnored),
        };
        let (entry, address) = match table::walk(&self.memory, &self.geometry, page, overlook) {
            Walk::Found { entry, address } => (entry, address),
            Walk::Unmapped => return Err(Answer::fail(Status::Unmapped, Cause::None)),
            Walk::Parity => {
                self.counters.count(Counter::PteParity);
                return Err(Answer::fail(Status::MemoryError, Cause::Parity));
            }
        };
        self.check_entry(entry, request)?;
        if pte::state(entry) == PageState::Split {
            self.tlb.fill(page, entry);
            return Ok(Place::Split(entry));
        }
        if entry & pte::VALID == 0 && !writes(request) {
            self.counters.count(Counter::ZeroRead);
            return Ok(Place::Zeros);
        }
        let touched = self.touch(entry, request)?;
        if touched != entry {
            self.counters.count(Counter::PteWriteBack);
            self.memory.set_word(address, touched);
        }
        self.tlb.fill(page, touched);
        Ok(self.place(touched, request))
    }

    /// The entry of a page in the table, or the status that a walk for it ends with.
    pub fn find_entry(&self, page: Page) -> Result<u64, Status> {
        match table::walk(&self.memory, &self.geometry, page, Overlook::default()) {
            Walk::Found { entry, .. } => Ok(entry),
            Walk::Unmapped => Err(Status::Unmapped),
            Walk::Parity => Err(Status::MemoryError),
        }
    }

    fn check_entry(&mut self, entry: u64, request: &BoardRequest) -> Result<(), Answer> {
        let judged = self.judge_entry(entry, request);
        let held = pte::state(entry) == PageState::Hold && entry & pte::VALID != 0;
        if self.planted(PlantedFault::BusyAfterExecuting) && judged.is_err() && held {
            self.access(request, self.place(entry, request));
        }
        judged
    }

    /// State and rights of an entry, in the order of contracts §3.
    pub fn judge_entry(&self, entry: u64, request: &BoardRequest) -> Result<(), Answer> {
        let state = pte::state(entry);
        if state == PageState::Split && !self.shape.leaf {
            return Err(Answer::fail(Status::Unsupported, Cause::Split));
        }
        if state == PageState::Away {
            let row = self.registers.away[(self.geometry.entry_ppn(entry) % 64) as usize];
            return Err(Answer::detailed(row.status, row.va, row.length));
        }
        let readable = entry & pte::READ != 0;
        let writable = entry & pte::WRITE != 0 || self.planted(PlantedFault::ReadOnlyWritable);
        let allowed = match request.operation() {
            Some(Opcode::Read) => readable,
            Some(Opcode::Write) => writable,
            _ => readable && writable,
        };
        if !allowed {
            return Err(Answer::fail(Status::Denied, Cause::Rights));
        }
        if state == PageState::Hold && writes(request) {
            return Err(Answer::busy(Cause::Hold, self.registers.busy_hint()));
        }
        Ok(())
    }

    /// The entry after this access: with a physical page, accessed, and dirty when the access writes.
    fn touch(&mut self, entry: u64, request: &BoardRequest) -> Result<u64, Answer> {
        let dirty = if self.planted(PlantedFault::DirtyNotSet) { 0 } else { pte::DIRTY };
        let used = pte::ACCESSED | if writes(request) { dirty } else { 0 };
        if entry & pte::VALID != 0 {
            return Ok(pte::with_parity(entry | used));
        }
        let ppn = self.take_page(request.pid).map_err(|cause| {
            self.counters.count(if cause == Cause::Share { Counter::ShareBusy } else { Counter::FaultDry });
            if cause == Cause::Fault && self.registers.exhausted() {
                Answer::fail(Status::NoMemory, Cause::None)
            } else {
                Answer::busy(cause, self.registers.busy_hint())
            }
        })?;
        self.counters.count(Counter::PageFault);
        Ok(pte::with_parity((entry & !self.geometry.ppn_mask()) | ppn | pte::VALID | used))
    }

    fn place(&self, entry: u64, request: &BoardRequest) -> Place {
        if pte::state(entry) == PageState::Split {
            return Place::Split(entry);
        }
        let base = self.geometry.entry_ppn(entry) << self.geometry.page_bits();
        Place::At(base + request.va.get() % self.geometry.page_size())
    }

    fn access(&mut self, request: &BoardRequest, place: Place) -> Answer {
        if let Place::Split(entry) = place {
            return self.access_split(entry, request);
        }
        match request.operation() {
            Some(Opcode::Read) => self.read(request, place),
            Some(Opcode::Write) => self.write(request, place),
            _ => self.atomic(request, place),
        }
    }

    /// The bytes of its page that a request touches.
    fn span(&self, request: &BoardRequest) -> Range<u64> {
        let offset = request.va.get() % self.geometry.page_size();
        offset..offset + u64::from(request.length)
    }

    fn read(&mut self, request: &BoardRequest, place: Place) -> Answer {
        if let Place::At(address) = place
            && self.tells_failed_read(iter::once(Some(address)), request.length)
        {
            return Answer::fail(Status::MemoryError, Cause::Dram);
        }
        let missing = u16::from(self.planted(PlantedFault::LengthOffByOne));
        let length = request.length.saturating_sub(missing);
        let mut bytes = std::mem::take(&mut self.spare);
        bytes.clear();
        bytes.resize(ALL_HEADERS, 0);
        let failed = match place {
            Place::At(address) => {
                self.memory.append(address, length.into(), &mut bytes);
                self.bad_lines.fails_read(&self.span(request))
            }
            Place::Zeros | Place::Split(_) => {
                bytes.resize(ALL_HEADERS + usize::from(length), 0);
                false
            }
        };
        if let Place::At(address) = place
            && failed
        {
            self.counters.count(Counter::MemError);
            self.failed_read(iter::once(Some(address)), request.length);
        }
        let hidden = self.planted(PlantedFault::ReadErrorHidden);
        Answer { bad_fcs: failed && !hidden, ..Answer::ok(request, length, bytes) }
    }

    fn write(&mut self, request: &BoardRequest, place: Place) -> Answer {
        let Place::At(address) = place else { return Answer::stored(request, 0) };
        let offset = self.span(request).start;
        let span = offset..offset + request.payload.len() as u64;
        for part in self.bad_lines.written(span.clone()) {
            let from = (part.start - span.start) as usize..(part.end - span.start) as usize;
            self.memory.write(address + part.start - span.start, &request.payload[from]);
        }
        if self.bad_lines.fails_write(&span) && !self.planted(PlantedFault::WriteErrorHidden) {
            self.counters.count(Counter::MemError);
            return Answer::fail(Status::MemoryError, Cause::Dram);
        }
        Answer::stored(request, 0)
    }

    fn atomic(&mut self, request: &BoardRequest, place: Place) -> Answer {
        let Place::At(address) = place else { return Answer::stored(request, 0) };
        let span = self.span(request);
        if self.bad_lines.fails_read(&span) {
            self.counters.count(Counter::MemError);
            return Answer::fail(Status::MemoryError, Cause::Dram);
        }
        self.atomic_at(request, address, &span)
    }

    /// The atomic operation on a word whose line may be read.
    pub(super) fn atomic_at(&mut self, request: &BoardRequest, address: u64, span: &Range<u64>) -> Answer {
        let operand = |at: usize| {
            let bytes = request.payload.get(8 * at..8 * at + 8).and_then(|bytes| bytes.try_into().ok());
            u64::from_le_bytes(bytes.unwrap_or_default())
        };
        let old = self.memory.word(address);
        let equal = old == operand(0) || self.planted(PlantedFault::CompareIgnored);
        let new = match request.operation() {
            Some(Opcode::CompareSwap) => operand(1),
            Some(Opcode::FetchAdd) => old.wrapping_add(operand(0)),
            _ => operand(0),
        };
        let stores = equal || request.operation() != Some(Opcode::CompareSwap);
        if stores && self.bad_lines.written(span.clone()).next().is_some() {
            self.memory.set_word(address, new);
        }
        if stores && self.bad_lines.fails_write(span) {
            self.counters.count(Counter::MemError);
            return Answer::fail(Status::MemoryError, Cause::Dram);
        }
        self.counters.count(Counter::Atomics);
        let answered = if self.planted(PlantedFault::AtomicAnswersNew) { new } else { old };
        Answer::stored(request, answered)
    }
}
