//! The engine under a client and its processes: one driver, one transport, driven until a call has ended.
use crate::driver::{Driver, DriverError};
use crate::error::{Error, OperationError, Result};
use crate::split::Limits;
use crate::stats::Statistics;
use crate::transport::{Answer, Call, Effect, Failure, Token, Transport};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{HEADER_LEN, Opcode, Pid, Va};
use rand::RngCore;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// How long one wait for a datagram may last when the transport wants nothing.
const IDLE_WAIT: Duration = Duration::from_millis(100);

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

/// How the packets of one request ended so far.
#[derive(Debug, Default)]
struct Progress {
    in_flight: Vec<InFlight>,
    done: usize,
    possible: bool,
    error: Option<Error>,
}

pub(crate) struct Core {
    driver: Box<dyn Driver>,
    transport: Transport,
    statistics: Statistics,
    rng: ChaCha8Rng,
    largest_payload: Option<u16>,
    datagram: Vec<u8>,
    buffer: Vec<u8>,
}

impl Core {
    pub(crate) fn new(
        driver: Box<dyn Driver>,
        transport: Transport,
        rng: ChaCha8Rng,
        largest_payload: Option<u16>,
    ) -> Self {
        // One byte more than the largest datagram, so that a longer one shows.
        let buffer = vec![0; driver.max_datagram() + 1];
        let statistics = Statistics::default();
        Core { driver, transport, statistics, rng, largest_payload, datagram: Vec::new(), buffer }
    }
    pub(crate) fn board(&self) -> BoardInfo {
        // `Client::connect` answers no client before it has learned the board.
        self.transport.board().copied().unwrap_or_default()
    }
    pub(crate) fn learn(&mut self, board: BoardInfo) {
        let now = self.driver.now();
        self.transport.learn(board, now);
    }
    pub(crate) fn limits(&self) -> Limits {
        let board = self.board();
        let path = u16::try_from(self.driver.max_datagram().saturating_sub(HEADER_LEN)).unwrap_or(u16::MAX);
        let max_payload = board.max_payload.min(path).min(self.largest_payload.unwrap_or(u16::MAX)).max(64);
        Limits { page_bits: board.page_bits, max_payload }
    }
    pub(crate) fn now(&self) -> Duration {
        self.driver.now()
    }
    pub(crate) fn peer(&self) -> String {
        self.driver.peer()
    }
    pub(crate) fn random(&mut self) -> u64 {
        self.rng.next_u64()
    }
    pub(crate) fn statistics(&self) -> Statistics {
        Statistics { transport: self.transport.counters().clone(), ..self.statistics.clone() }
    }

    /// One operation of one packet.
    pub(crate) fn call(&mut self, call: Call) -> Result<Answer> {
        let mut answer = None;
        self.gather(std::iter::once((0, call)), |_, given| answer = Some(given))?;
        // Without an error the one operation has ended OK.
        answer.ok_or_else(|| Error::Driver(DriverError::Ended("an operation vanished".into())))
    }

    /// Many packets, several in flight; `done` gets each answer with the offset that came with its call. After an error
    /// no more packets leave, those in flight are awaited, and the first error is answered.
    pub(crate) fn gather(
        &mut self,
        calls: impl Iterator<Item = (usize, Call)>,
        done: impl FnMut(usize, Answer),
    ) -> Result<()> {
        InCall::begin(self).0.gather_all(calls, done)
    }
    fn gather_all(
        &mut self,
        mut calls: impl Iterator<Item = (usize, Call)>,
        mut done: impl FnMut(usize, Answer),
    ) -> Result<()> {
        let mut progress = Progress::default();
        loop {
            while progress.error.is_none() && self.transport.has_room() {
                let Some((offset, call)) = calls.next() else { break };
                self.begin(offset, call, &mut progress);
            }
            if progress.in_flight.is_empty() {
                return progress.error.map_or(Ok(()), Err);
            }
            if let Err(error) = self.step(IDLE_WAIT) {
                self.transport.abandon(self.driver.now());
                while self.transport.finished().is_some() {}
                return Err(error.into());
            }
            while let Some((token, result)) = self.transport.finished() {
                let Some(at) = progress.in_flight.iter().position(|op| op.token == token) else { continue };
                let ended = progress.in_flight.swap_remove(at);
                match result {
                    Ok(answer) => {
                        let bytes = if ended.opcode.is_fast() { u64::from(ended.length) } else { 0 };
                        self.statistics.succeeded(ended.opcode, bytes, answer.latency);
                        progress.done += 1;
                        done(ended.offset, answer);
                    }
                    Err(failure) => self.failed(&ended, failure, &mut progress),
                }
            }
            progress.settle();
        }
    }

    fn begin(&mut self, offset: usize, call: Call, progress: &mut Progress) {
        let (opcode, pid, va, length) = (call.opcode, call.pid, call.va, call.length);
        match self.transport.start(call, self.driver.now()) {
            Ok(token) => progress.in_flight.push(InFlight { token, offset, opcode, pid, va, length }),
            // The room was checked, and the board is known since the client was connected.
            Err(error) => progress.error = Some(DriverError::Ended(error.to_string()).into()),
        }
    }
    fn failed(&mut self, ended: &InFlight, failure: Failure, progress: &mut Progress) {
        self.statistics.failed(ended.opcode);
        progress.possible |= failure.effect != Effect::None;
        if progress.error.is_none() {
            progress.error = Some(Error::Operation(Box::new(OperationError {
                board: self.driver.peer(),
                opcode: ended.opcode,
                pid: ended.pid,
                va: ended.va,
                length: ended.length,
                reason: failure.reason,
                effect: failure.effect,
                attempts: failure.attempts,
                elapsed: failure.elapsed,
                trouble: self.driver.trouble(),
            })));
        }
    }
    /// Sends what is due and waits for one datagram, until the transport's next deadline or for `longest`.
    fn step(&mut self, longest: Duration) -> Result<(), DriverError> {
        let now = self.driver.now();
        self.transport.poll(now);
        while self.transport.transmit(now, &mut self.datagram) {
            self.driver.send(&self.datagram)?;
        }
        if self.transport.has_finished() {
            return Ok(());
        }
        let deadline = self.transport.deadline(now).unwrap_or(now + longest);
        let wait = deadline.saturating_sub(now).min(longest);
        if let Some(length) = self.driver.receive(&mut self.buffer, wait)? {
            let now = self.driver.now();
            self.transport.receive(now, &self.buffer[..length]);
        }
        Ok(())
    }
    /// Lets time pass without an operation of its own.
    pub(crate) fn pause(&mut self, span: Duration) -> Result<()> {
        let call = InCall::begin(self);
        let core = &mut *call.0;
        let until = core.driver.now() + span;
        loop {
            let now = core.driver.now();
            if now >= until {
                return Ok(());
            }
            core.step(until - now)?;
        }
    }
}

/// A call in progress; its end reaches the driver on every way out.
struct InCall<'a>(&'a mut Core);

impl<'a> InCall<'a> {
    fn begin(core: &'a mut Core) -> Self {
        core.driver.begin_call();
        InCall(core)
    }
}

impl Drop for InCall<'_> {
    fn drop(&mut self) {
        self.0.driver.end_call();
    }
}

impl Progress {
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
