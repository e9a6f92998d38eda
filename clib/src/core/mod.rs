//! The engine under a client and its processes: one driver, one transport, one order of requests. Whoever calls drives it:
//! a synchronous call until it has ended, a poll for a moment; asynchronous requests go on meanwhile.
mod outstanding;
mod progress;

pub(crate) use outstanding::{Answers, Bounds};

use crate::driver::{Driver, DriverError};
use crate::error::{Error, Result};
use crate::order::{Footprint, Order, RequestId};
use crate::split::Limits;
use crate::stats::Statistics;
use crate::transport::{Answer, Call, Finished, Transport};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{HEADER_LEN, Pid};
use outstanding::Outstanding;
use progress::Progress;
use rand::RngCore;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::time::Duration;

/// How long one wait for a datagram may last when the transport wants nothing.
const IDLE_WAIT: Duration = Duration::from_millis(100);

pub(crate) struct Core {
    driver: Box<dyn Driver>,
    transport: Transport,
    statistics: Statistics,
    rng: ChaCha8Rng,
    largest_payload: Option<u16>,
    order: Order,
    outstanding: Outstanding,
    datagram: Vec<u8>,
}

impl Core {
    pub(crate) fn new(
        driver: Box<dyn Driver>,
        transport: Transport,
        rng: ChaCha8Rng,
        largest_payload: Option<u16>,
        bounds: Bounds,
    ) -> Self {
        Core {
            driver,
            transport,
            statistics: Statistics::default(),
            rng,
            largest_payload,
            order: Order::default(),
            outstanding: Outstanding::new(bounds),
            datagram: Vec::new(),
        }
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
}

/// Synchronous calls.
impl Core {
    /// One operation of one packet. Without a footprint it is ordered against nothing.
    pub(crate) fn call(&mut self, footprint: Option<Footprint>, call: Call) -> Result<Answer> {
        let mut answer = None;
        self.gather(footprint, std::iter::once((0, call)), |_, given| answer = Some(given))?;
        // Without an error the one operation has ended OK.
        answer.ok_or_else(|| Error::Driver(DriverError::Ended("an operation vanished".into())))
    }

    /// Many packets, several in flight; `done` gets each answer with the offset that came with its call. Begins when no
    /// asynchronous request that the footprint depends on is under way. After an error no more packets leave, those in
    /// flight are awaited, and the first error is answered.
    pub(crate) fn gather(
        &mut self,
        footprint: Option<Footprint>,
        calls: impl Iterator<Item = (usize, Call)>,
        done: impl FnMut(usize, Answer),
    ) -> Result<()> {
        let call = InCall::begin(self);
        let id = footprint.map(|footprint| call.0.order.submit(footprint));
        let result = call.0.gather_all(id, calls, done);
        if let Some(id) = id {
            call.0.order.finish(id);
        }
        result
    }
    fn gather_all(
        &mut self,
        id: Option<RequestId>,
        mut calls: impl Iterator<Item = (usize, Call)>,
        mut done: impl FnMut(usize, Answer),
    ) -> Result<()> {
        while id.is_some_and(|id| !self.order.may_start(id)) {
            self.drive(IDLE_WAIT)?;
        }
        let (mut progress, mut all_begun) = (Progress::default(), false);
        loop {
            while !all_begun && progress.error.is_none() && self.transport.has_room() {
                match calls.next() {
                    Some(call) => drop(progress.begin(&mut self.transport, &*self.driver, call)),
                    None => all_begun = true,
                }
            }
            if progress.at_rest() && (all_begun || progress.error.is_some()) {
                return progress.error.map_or(Ok(()), Err);
            }
            for ended in self.drive(IDLE_WAIT)? {
                if let Some((offset, answer)) = progress.end(ended, &mut self.statistics, &*self.driver) {
                    done(offset, answer);
                }
            }
        }
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
            core.drive(until - now)?;
        }
    }
}

/// Asynchronous requests.
impl Core {
    /// Whether another request of so many bytes may be submitted.
    pub(crate) fn admit(&self, bytes: usize) -> Result<()> {
        self.outstanding.admit(bytes)
    }
    /// Adds a request that was admitted. Its first packets leave at once if nothing that it depends on is under way.
    pub(crate) fn submit(&mut self, footprint: Footprint, calls: VecDeque<(usize, Call)>) -> RequestId {
        let call = InCall::begin(self);
        let core = &mut *call.0;
        let id = core.order.submit(footprint);
        core.outstanding.insert(id, footprint.pid, calls);
        // Should the driver fail, the request has ended and says so.
        let _told_later = core.send_what_is_due();
        id
    }
    /// How a request ended, if it has: looks for datagrams for `longest` at most.
    pub(crate) fn poll(&mut self, id: RequestId, longest: Duration) -> Option<Result<Answers>> {
        if let Some(result) = self.outstanding.take(id) {
            return Some(result);
        }
        let call = InCall::begin(self);
        let _told_by_the_request = call.0.drive(longest);
        call.0.outstanding.take(id)
    }
    /// Waits until a request has ended.
    pub(crate) fn wait(&mut self, id: RequestId) -> Result<Answers> {
        loop {
            if let Some(result) = self.poll(id, IDLE_WAIT) {
                return result;
            }
        }
    }
    /// Nobody will ask how a request ends.
    pub(crate) fn detach(&mut self, id: RequestId, pid: Pid) {
        self.outstanding.detach(id, pid);
    }
    /// Waits until all requests of a process that were submitted so far have ended; the first error of those that nobody
    /// asked about.
    pub(crate) fn release(&mut self, pid: Pid) -> Result<()> {
        let upto = self.order.next_id();
        let call = InCall::begin(self);
        while call.0.order.busy(pid, upto) {
            call.0.drive(IDLE_WAIT)?;
        }
        call.0.outstanding.take_lost(pid).map_or(Ok(()), Err)
    }
}

/// Time and datagrams.
impl Core {
    /// Lets everything go on that can, for one datagram or until `longest` has passed. Answers the packets that ended and
    /// belong to no asynchronous request. When the driver fails, everything in flight ends.
    fn drive(&mut self, longest: Duration) -> Result<Vec<Finished>, DriverError> {
        self.outstanding.start(&mut self.order, &mut self.transport, &*self.driver);
        let stepped = self.step(longest);
        if stepped.is_err() {
            self.transport.abandon(self.driver.now());
        }
        let mut others = Vec::new();
        while let Some(ended) = self.transport.finished() {
            let (order, statistics) = (&mut self.order, &mut self.statistics);
            others.extend(self.outstanding.end(ended, order, statistics, &*self.driver));
        }
        if let Err(error) = stepped {
            self.outstanding.abandon(&mut self.order);
            return Err(error);
        }
        Ok(others)
    }
    /// The part of [`Core::drive`] that waits for nothing.
    fn send_what_is_due(&mut self) -> Result<(), DriverError> {
        self.outstanding.start(&mut self.order, &mut self.transport, &*self.driver);
        let sent = self.send();
        if sent.is_err() {
            self.transport.abandon(self.driver.now());
            while let Some(ended) = self.transport.finished() {
                let (order, statistics) = (&mut self.order, &mut self.statistics);
                self.outstanding.end(ended, order, statistics, &*self.driver);
            }
            self.outstanding.abandon(&mut self.order);
        }
        sent
    }
    fn send(&mut self) -> Result<(), DriverError> {
        let now = self.driver.now();
        self.transport.poll(now);
        while self.transport.transmit(now, &mut self.datagram) {
            let datagram = &self.datagram;
            self.driver.send(datagram.len(), &mut |frame| frame.copy_from_slice(datagram))?;
        }
        self.driver.flush()
    }
    /// Sends what is due and waits for one datagram, until the transport's next deadline or for `longest`.
    fn step(&mut self, longest: Duration) -> Result<(), DriverError> {
        self.send()?;
        if self.transport.has_finished() {
            return Ok(());
        }
        let now = self.driver.now();
        let deadline = self.transport.deadline(now).unwrap_or(now + longest);
        let wait = deadline.saturating_sub(now).min(longest);
        let transport = &mut self.transport;
        self.driver.receive(wait, &mut |at, datagram| transport.receive(at, datagram))?;
        Ok(())
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
