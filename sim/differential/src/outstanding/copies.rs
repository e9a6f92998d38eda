//! Copies of a request: what tells them apart, and what an answer tells of the one that it answers.
use mneme_model::port::TraceEvent;
use mneme_model::soft::BoardRequest;
use mneme_wire::{Status, Trailer, filter_digest};

use super::Expected;

/// What an answer tells of the copy that it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// It tells its time.
    pub time: bool,
    /// Its trailer.
    pub trailer: Trailer,
}

impl Default for Told {
    fn default() -> Told {
        Told { time: false, trailer: Trailer::None }
    }
}

/// Whether an answer that tells this can be that of a request.
pub(super) fn tells(event: &TraceEvent, told: Told, expected: &Expected) -> bool {
    let Some(status) = event.status() else { return true };
    let Some(request) = expected.request() else { return true };
    request.means.of_answer(status).kind() == told.trailer
        && (status != Status::Ok || request.timed == told.time)
}

/// Whether two requests of one key and attempt ask for the same, but for what they would write.
pub(super) fn same_operation(one: &BoardRequest, other: &BoardRequest) -> bool {
    let digest = |request: &BoardRequest| filter_digest(request.opcode, request.va, request.length);
    one.pid == other.pid && one.time == other.time && digest(one) == digest(other)
}

/// Whether two requests of one key and attempt are copies of one packet, but for the question of the time.
pub(super) fn same_packet((one, other): (&BoardRequest, &BoardRequest)) -> bool {
    same_operation(one, other) && one.payload == other.payload
}
