//! How the packets of one request stand.
use crate::driver::{Driver, DriverError};
use crate::error::{Error, OperationError};
use crate::stats::Recorder;
use crate::transport::{Answer, Call, Effect, Ended, Failure, Reason, StartError};
use mneme_wire::{Opcode, Pid, Va};
use std::sync::Arc;
use std::time::Duration;

/// What a packet asks, of whose memory, where, and how many bytes.
type What = (Opcode, Pid, Va, u16);

/// What errors are told with.
#[derive(Clone, Copy)]
pub(super) struct Report<'a> {
    pub(super) driver: &'a dyn Driver,
    /// Its error, if it cannot go on.
    pub(super) failed: Option<&'a Arc<DriverError>>,
}

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
    /// No packet was ever given to the transport.
    pub(super) fn is_untouched(&self) -> bool {
        self.in_flight == 0 && self.done == 0 && self.error.is_none()
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
        report: Report,
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
                self.failed((ended.opcode, ended.pid, ended.va, ended.length), failure, report);
            }
        }
        self.settle();
    }
    #[cold]
    fn failed(&mut self, (opcode, pid, va, length): What, failure: &Failure, report: Report) {
        self.possible |= failure.effect != Effect::None;
        if self.error.is_none() {
            let of_driver = failure.reason == Reason::Driver;
            self.error = Some(Error::Operation(Box::new(OperationError {
                board: report.driver.peer(),
                opcode,
                pid,
                va,
                length,
                reason: failure.reason,
                effect: failure.effect,
                attempts: failure.attempts,
                elapsed: failure.elapsed,
                trouble: report.driver.trouble(),
                driver: report.failed.filter(|_| of_driver).cloned(),
            })));
        }
    }
    /// This packet is not begun, for a reason that nothing in flight has told.
    #[cold]
    pub(super) fn never_begun(&mut self, call: &Call, reason: Reason, report: Report) {
        let effect = Effect::None;
        let failure = Failure { reason, effect, attempts: 0, elapsed: Duration::ZERO };
        self.failed((call.opcode, call.pid, call.va, call.length), &failure, report);
        self.settle();
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
