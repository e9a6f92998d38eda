//! How the packets of one request stand.
use crate::driver::{Driver, DriverError};
use crate::error::{Error, OperationError};
use crate::stats::Statistics;
use crate::transport::{Answer, Call, Effect, Failure, Finished, Token, Transport};
use mneme_wire::{Opcode, Pid, Va};

/// What is remembered of a packet in flight.
#[derive(Debug)]
struct InFlight {
    token: Token,
    offset: usize,
    opcode: Opcode,
    pid: Pid,
    va: Va,
    length: u16,
}

/// The packets in flight of one request, and how the others ended.
#[derive(Debug, Default)]
pub(super) struct Progress {
    in_flight: Vec<InFlight>,
    done: usize,
    possible: bool,
    pub(super) error: Option<Error>,
}

impl Progress {
    /// No packet is under way.
    pub(super) fn at_rest(&self) -> bool {
        self.in_flight.is_empty()
    }
    /// Hands a packet to the transport, which has room and knows the board.
    pub(super) fn begin(
        &mut self,
        transport: &mut Transport,
        driver: &dyn Driver,
        (offset, call): (usize, Call),
    ) -> Option<Token> {
        let (opcode, pid, va, length) = (call.opcode, call.pid, call.va, call.length);
        match transport.start(call, driver.now()) {
            Ok(token) => {
                self.in_flight.push(InFlight { token, offset, opcode, pid, va, length });
                Some(token)
            }
            Err(error) => {
                self.error.get_or_insert_with(|| DriverError::Ended(error.to_string()).into());
                None
            }
        }
    }
    /// A packet has ended: its offset and answer if it ended well. Packets of other requests are not touched.
    pub(super) fn end(
        &mut self,
        (token, result): Finished,
        statistics: &mut Statistics,
        driver: &dyn Driver,
    ) -> Option<(usize, Answer)> {
        let at = self.in_flight.iter().position(|op| op.token == token)?;
        let ended = self.in_flight.swap_remove(at);
        let answer = match result {
            Ok(answer) => {
                let bytes = if ended.opcode.is_fast() { u64::from(ended.length) } else { 0 };
                statistics.succeeded(ended.opcode, bytes, answer.latency);
                self.done += 1;
                Some((ended.offset, answer))
            }
            Err(failure) => {
                statistics.failed(ended.opcode);
                self.failed(&ended, failure, driver);
                None
            }
        };
        self.settle();
        answer
    }
    fn failed(&mut self, ended: &InFlight, failure: Failure, driver: &dyn Driver) {
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
