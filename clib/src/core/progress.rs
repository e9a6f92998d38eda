//! How the packets of one request stand.
use crate::driver::{Driver, DriverError};
use crate::error::{Error, OperationError};
use crate::stats::Recorder;
use crate::transport::{Answer, Effect, Ended, Failure, StartError};

/// How many packets of one request are in flight, and how the others ended.
#[derive(Debug, Default)]
pub(super) struct Progress {
    in_flight: u32,
    done: u32,
    possible: bool,
    pub(super) error: Option<Error>,
}

impl Progress {
    /// Begins anew; the error has been taken.
    #[inline]
    pub(super) fn reset(&mut self) {
        (self.in_flight, self.done, self.possible) = (0, 0, false);
        if self.error.is_some() {
            self.error = None;
        }
    }
    /// No packet is under way.
    #[inline]
    pub(super) fn at_rest(&self) -> bool {
        self.in_flight == 0
    }
    /// A packet was given to the transport.
    #[inline]
    pub(super) fn begun<T>(&mut self, started: Result<T, StartError>) {
        match started {
            Ok(_) => self.in_flight += 1,
            // The transport had room and knows the board, so this cannot be.
            Err(error) => {
                self.error.get_or_insert_with(|| DriverError::Ended(error.to_string()).into());
            }
        }
    }
    /// A packet that was given to the transport has not left, and is to be cut anew.
    pub(super) fn not_begun(&mut self) {
        self.in_flight = self.in_flight.saturating_sub(1);
    }
    /// A packet has ended.
    #[inline]
    pub(super) fn end(
        &mut self,
        ended: &Ended,
        result: &Result<Answer, Failure>,
        statistics: &mut Recorder,
        driver: &dyn Driver,
    ) {
        self.in_flight = self.in_flight.saturating_sub(1);
        match result {
            Ok(answer) => {
                let bytes = if ended.opcode.is_fast() { u64::from(ended.length) } else { 0 };
                statistics.succeeded(ended.opcode, bytes, answer.latency);
                self.done += 1;
            }
            Err(failure) => {
                statistics.failed(ended.opcode);
                self.failed(ended, failure, driver);
            }
        }
        self.settle();
    }
    #[cold]
    fn failed(&mut self, ended: &Ended, failure: &Failure, driver: &dyn Driver) {
        self.possible |= failure.effect != Effect::None;
        if self.error.is_none() {
            self.error = Some(Error::Operation(Box::new(OperationError {
                board: driver.peer(),
                opcode: ended.opcode,
                pid: ended.pid,
                va: ended.va,
                length: ended.length,
                reason: failure.reason,
                effect: failure.effect,
                attempts: failure.attempts,
                elapsed: failure.elapsed,
                trouble: driver.trouble(),
            })));
        }
    }
    /// What the first error says about the whole request: other packets of it may have been executed.
    #[inline]
    fn settle(&mut self) {
        let Some(Error::Operation(error)) = &mut self.error else { return };
        let changes = error.opcode.is_filtered();
        if changes && self.done > 0 {
            error.effect = Effect::Partial;
        } else if changes && self.possible && error.effect == Effect::None {
            error.effect = Effect::Possible;
        }
    }
}
