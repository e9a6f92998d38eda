//! What an answer tells of the page-table entry that its request met.
use mneme_model::port::TraceEvent;
use mneme_model::soft::{Answer, BoardRequest, Model, Page};
use mneme_wire::pte::{self, PageState};
use mneme_wire::{Cause, Status, Va};

use super::replay::{is_busy, is_over_its_share, packet};

/// What an answer shows of the page-table entry that the request met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Served.
    Served,
    /// With this status and `va`, which tells one away row from another.
    Refused(u8, Option<Va>),
}

impl Shown {
    /// Nothing, when the answer was decided before the entry mattered.
    pub fn of_answer(event: &TraceEvent, frame: &[u8]) -> Option<Shown> {
        match event.status() {
            Some(Status::Expired) => None,
            _ if is_over_its_share(event) => None,
            Some(Status::Ok | Status::NoMemory) => Some(Shown::Served),
            // The entry let it through, and there was no page for it.
            _ if is_busy(event, Cause::Fault) || is_busy(event, Cause::Share) => Some(Shown::Served),
            // So did a split one, whose segment has as many frames as it may.
            Some(Status::Quota) if event.cause() == Some(Cause::QuotaPages) => Some(Shown::Served),
            // Only the access itself meets errors in these runs.
            Some(Status::MemoryError) if event.cause() == Some(Cause::Dram) => Some(Shown::Served),
            _ => Some(Shown::of_away_row(event, frame)),
        }
    }
    /// What an answer shows that comes as it is from an away row, which can say anything.
    pub fn of_away_row(event: &TraceEvent, frame: &[u8]) -> Shown {
        Shown::Refused(event.status, packet(frame).map(|packet| packet.va()))
    }
    /// What the entry in the model's table would show.
    pub fn of_entry(model: &Model, page: Page, request: &BoardRequest) -> Shown {
        let refused = |answer: Answer| Shown::Refused(answer.status.number(), Some(answer.va));
        match model.find_entry(page) {
            Err(status) if status == Status::Unmapped => refused(Answer::fail(status, Cause::None)),
            Err(status) => refused(Answer::fail(status, Cause::Parity)),
            Ok(entry) => match model.judge_entry(entry, request) {
                Ok(()) if pte::state(entry) == PageState::Split => {
                    model.judge_split(entry, request).map_or_else(refused, |_| Shown::Served)
                }
                Ok(()) => Shown::Served,
                Err(answer) => refused(answer),
            },
        }
    }
}
