//! The fast path's counters: 32 bits each, wrapping.
use mneme_wire::{Counter, Status};

/// One number per [`Counter`].
#[derive(Debug, Clone)]
pub struct Counters {
    values: Vec<u32>,
}

impl Default for Counters {
    fn default() -> Self {
        Counters { values: vec![0; Counter::ALL.len()] }
    }
}

impl Counters {
    /// Counts one event.
    pub fn count(&mut self, counter: Counter) {
        self.add(counter, 1);
    }
    /// Counts several events at once.
    pub fn add(&mut self, counter: Counter, events: u32) {
        let value = &mut self.values[counter as usize];
        *value = value.wrapping_add(events);
    }
    /// The value of a counter.
    pub fn get(&self, counter: Counter) -> u32 {
        self.values[counter as usize]
    }
}

/// The counter of the answers with a status.
pub fn status_counter(status: Status) -> Counter {
    match status {
        Status::Ok => Counter::StatusOk,
        Status::Busy => Counter::StatusBusy,
        Status::Nack => Counter::StatusNack,
        Status::Expired => Counter::StatusExpired,
        Status::Stale => Counter::StatusStale,
        Status::Conflict => Counter::StatusConflict,
        Status::Unmapped => Counter::StatusUnmapped,
        Status::Denied => Counter::StatusDenied,
        Status::BadRequest => Counter::StatusBadRequest,
        Status::Unsupported => Counter::StatusUnsupported,
        Status::NoMemory => Counter::StatusNoMemory,
        Status::Quota => Counter::StatusQuota,
        Status::Moved => Counter::StatusMoved,
        Status::MemoryError => Counter::StatusMemoryError,
        Status::Unauthenticated => Counter::StatusUnauthenticated,
    }
}
