//! A request that nothing stands in the way of, whatever its door: the model executes it as the board says that it did.
use mneme_model::port::TraceEvent;
use mneme_model::soft::{Answer, BoardRequest, Executed, Lookup};
use mneme_wire::pte::{self, PageState};
use mneme_wire::{Cause, Counter, Opcode, Register, Status, Tick};

use super::{Replay, is_busy, is_over_its_share, wrong};
use crate::mismatch::Mismatch;
use crate::shown::Shown;

impl Replay {
    /// Translation and memory access. `since`: the request came when so many frames had been sent.
    pub(super) fn serve(
        &mut self,
        request: &BoardRequest,
        since: u64,
        event: &TraceEvent,
        frame: &[u8],
    ) -> Result<Executed, Mismatch> {
        if is_over_its_share(event) {
            return self.over_its_share(request, event, frame);
        }
        self.replace_before(request, event, frame);
        if request.operation() != Some(Opcode::Fence) {
            self.model.tick = Tick::from_low_bits(event.tick_resume);
        }
        let page = self.model.page(request);
        let entry = self.model.find_entry(page).unwrap_or_default();
        let refused = is_busy(event, Cause::Fault) || event.status() == Some(Status::NoMemory);
        let split = pte::state(entry) == PageState::Split;
        self.way.split = split && self.model.shape.leaf;
        if self.way.split {
            *self.split.entry((event.status, event.cause)).or_default() += 1;
        }
        self.model.dry = if split { event.status() == Some(Status::NoMemory) } else { refused };
        // What was freed lately may have waited for accesses to end, and what was given not been there yet.
        self.model.ring_waits = split && refused && since < self.frames_wait;
        let kept = self.pages_are_kept(request, since, event, frame)?;
        self.model.kept_for_others = kept;
        let span = (request.pid, request.va, request.length);
        self.model.refuse_read = self.damaged_reads.told(request, event, span);
        let faults = self.model.counters.get(Counter::PageFault);
        let lookup = if event.resumed { Lookup::Walk } else { Lookup::Own };
        let executed = self.model.serve(request, lookup);
        self.way.walked = (request.operation() != Some(Opcode::Fence)).then_some(event.resumed);
        self.model.dry = false;
        self.model.ring_waits = false;
        self.model.kept_for_others = false;
        self.model.refuse_read = false;
        if executed.answer.bad_fcs {
            self.damaged_reads.note(span);
        }
        self.journal.translated(page, event, executed.walked, entry);
        let certain = !self.maybe_cached.contains(&page);
        if self.model.tlb.peek(page).is_some() {
            self.maybe_cached.remove(&page);
        }
        if executed.walked != event.resumed && certain {
            return Err(wrong("the board used a translation that it cannot have had", event, frame));
        }
        if refused
            && (!split || event.status() == Some(Status::NoMemory))
            && self.occupancy.has_page(since, self.under_way())
        {
            return Err(wrong("the board refused a page fault though it had a free page", event, frame));
        }
        if !split && self.model.counters.get(Counter::PageFault) != faults {
            self.occupancy.page_taken();
        }
        Ok(executed)
    }

    /// Whether the board said that the free pages that are left are kept for other groups; it had reason to. An away row may say the same.
    fn pages_are_kept(
        &self,
        request: &BoardRequest,
        since: u64,
        event: &TraceEvent,
        frame: &[u8],
    ) -> Result<bool, Mismatch> {
        let entry = self.model.find_entry(self.model.page(request)).unwrap_or_default();
        if !is_busy(event, Cause::Share) || pte::state(entry) == PageState::Away {
            return Ok(false);
        }
        let mut kept = self.model.registers.get(Register::SharePages).to_le_bytes();
        kept[self.model.registers.share_group(request.pid)] = 0;
        let kept: usize = kept.into_iter().map(usize::from).sum();
        // When memory is not full any more, groups get theirs back one by one.
        let steady = !self.was_exhausted;
        if kept == 0 || steady && self.occupancy.has_page(since, self.under_way() + kept) {
            return Err(wrong(
                "BUSY, cause SHARE, though not all free pages are kept for others",
                event,
                frame,
            ));
        }
        Ok(true)
    }

    /// Too many of its group waited for a page: nothing has happened. How many waited only the board knows.
    fn over_its_share(
        &mut self,
        request: &BoardRequest,
        event: &TraceEvent,
        frame: &[u8],
    ) -> Result<Executed, Mismatch> {
        let registers = &self.model.registers;
        let group = registers.share_group(request.pid) as u32;
        let bound = registers.get(Register::ShareWaiting) >> (8 * group) & 0xff;
        if !self.model.shape.waiting_lists || bound == 0 {
            return Err(wrong("BUSY, cause SHARE, where any number may wait", event, frame));
        }
        let answer = Answer::busy(Cause::Share, registers.busy_hint());
        self.model.counters.count(Counter::ShareBusy);
        self.model.tick = Tick::from_low_bits(event.tick_resume);
        Ok(Executed { answer, walked: false, zeros: false })
    }

    /// Requests that may take a page before this one.
    fn under_way(&self) -> usize {
        self.sent.operations().count() + self.guest.len()
    }

    /// Executes the running replace command before a request when the answer shows that the board did.
    fn replace_before(&mut self, request: &BoardRequest, event: &TraceEvent, frame: &[u8]) {
        let page = self.model.page(request);
        let Some(replacing) = self.replacing.as_mut().filter(|replacing| replacing.page == page) else {
            return;
        };
        if request.operation() == Some(Opcode::Fence) {
            return;
        }
        replacing.touched = true;
        // A damaged entry and a split one of nobody's leaf table are told alike: on which side of the command it was nobody knows.
        let parity = event.status() == Some(Status::MemoryError) && event.cause() == Some(Cause::Parity);
        self.unclear += u64::from(parity && self.model.shape.leaf);
        let (shown, expected) = (Shown::of_answer(event, frame), Shown::of_entry(&self.model, page, request));
        let fits = shown == Some(expected) || Shown::of_away_row(event, frame) == expected;
        if !replacing.done && shown.is_some() && !fits {
            replacing.done = true;
            // An answer before this one may have come after the command all the same.
            self.maybe_cached.insert(page);
            self.journal.replaced(page, "seen by an answer", self.model.find_entry(page).unwrap_or_default());
            self.model.write_register(Register::ReplaceGo, 1);
        }
    }
}
