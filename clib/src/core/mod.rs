//! The engine under a client and its processes: one driver, one transport, one order of requests. Whoever calls drives
//! it: a synchronous call until it has ended, a poll for a moment; asynchronous requests go on meanwhile.
mod drive;
mod outstanding;
mod progress;

pub(crate) use outstanding::{Bounds, Handle, Slot};

use crate::driver::{Driver, DriverError};
use crate::error::{Error, Result};
use crate::order::{Footprint, Order, RequestId};
use crate::planted::PlantedFault;
use crate::reactor::{CannotSleep, Reactor, Turn};
use crate::request::{Once, Work};
use crate::split::Limits;
use crate::stats::{Recorder, Statistics};
use crate::transport::{Answer, BoardTimes, Call, Transport};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{HEADER_LEN, Pid};
use outstanding::Outstanding;
use parking_lot::Mutex;
use progress::{Progress, Report};
use rand::RngCore;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

/// Asynchronous calls that a cork holds back at most: as many as a driver sends at once.
const CORKED: u32 = 32;
/// How long one wait for a datagram may last when the transport wants nothing.
const IDLE_WAIT: Duration = Duration::from_millis(100);
/// How long a pause may keep other threads from the client at once.
const MOMENT: Duration = Duration::from_micros(100);
/// The shortest wait.
const SHORT_WAIT: Duration = Duration::from_micros(1);

pub(crate) struct Core {
    driver: Box<dyn Driver>,
    transport: Transport,
    statistics: Recorder,
    rng: ChaCha8Rng,
    largest_payload: Option<u16>,
    /// What packets to the board must respect, as far as it is known.
    limits: Limits,
    /// Bytes of the largest datagram, as the driver said last.
    longest: usize,
    /// Whether the driver looks for free.
    looks: bool,
    order: Order,
    outstanding: Outstanding,
    /// The last synchronous request.
    number: u32,
    /// Corks that are in: while there is one, asynchronous calls wait for each other.
    corks: u32,
    /// Calls submitted since something was sent.
    held: u32,
    planted: Option<PlantedFault>,
    /// Waits for futures that sleep, since the first one did.
    reactor: Option<Reactor>,
}

impl Core {
    pub(crate) fn new(
        driver: Box<dyn Driver>,
        transport: Transport,
        rng: ChaCha8Rng,
        largest_payload: Option<u16>,
        bounds: Bounds,
    ) -> Self {
        let looks = driver.looks_for_free();
        let mut core = Core {
            driver,
            transport,
            statistics: Recorder::default(),
            rng,
            largest_payload,
            limits: Limits { page_bits: 0, max_payload: 0 },
            longest: usize::MAX,
            looks,
            order: Order::default(),
            outstanding: Outstanding::new(bounds),
            number: SYNCHRONOUS,
            corks: 0,
            held: 0,
            planted: None,
            reactor: None,
        };
        core.set_longest(core.driver.max_datagram());
        core
    }
    pub(crate) fn board(&self) -> BoardInfo {
        // `Client::connect` answers no client before it has learned the board.
        self.transport.board().copied().unwrap_or_default()
    }
    pub(crate) fn learn(&mut self, board: BoardInfo) {
        let now = self.driver.now();
        self.transport.learn(board, now);
        self.limits = self.limits_now();
    }
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }
    fn set_longest(&mut self, longest: usize) {
        self.longest = longest;
        self.transport.set_longest(longest);
        self.limits = self.limits_now();
    }
    fn limits_now(&self) -> Limits {
        let board = self.board();
        let path = u16::try_from(self.longest.saturating_sub(HEADER_LEN)).unwrap_or(u16::MAX);
        let max_payload = board.max_payload.min(path).min(self.largest_payload.unwrap_or(u16::MAX)).max(64);
        Limits { page_bits: board.page_bits, max_payload }
    }
    pub(crate) fn now(&self) -> Duration {
        self.driver.now()
    }
    pub(crate) fn peer(&self) -> String {
        self.driver.peer()
    }
    pub(crate) fn remarks(&self) -> Vec<String> {
        self.driver.remarks()
    }
    pub(crate) fn random(&mut self) -> u64 {
        self.rng.next_u64()
    }
    #[cfg(feature = "planted-faults")]
    pub(crate) fn plant(&mut self, fault: PlantedFault) {
        self.planted = Some(fault);
        if fault == PlantedFault::Disorder {
            self.order.plant_disorder();
        }
    }
    /// Whether this fault is planted; only builds with the feature `planted-faults` have one.
    pub(crate) fn planted(&self, fault: PlantedFault) -> bool {
        cfg!(feature = "planted-faults") && self.planted == Some(fault)
    }
    pub(crate) fn congestion_window(&self) -> f64 {
        self.transport.congestion().requests()
    }
    pub(crate) fn set_times(&mut self, times: Option<BoardTimes>) -> Option<BoardTimes> {
        self.transport.set_times(times)
    }
    pub(crate) fn statistics(&self) -> Statistics {
        self.statistics.statistics(self.transport.counters().clone())
    }
}

/// A synchronous request in progress.
struct Current<'a> {
    /// What its packets name as their request.
    number: u32,
    work: &'a mut dyn Work,
    progress: Progress,
    all_begun: bool,
}

impl Current<'_> {
    fn is_over(&self) -> bool {
        self.progress.at_rest() && (self.all_begun || self.progress.error.is_some())
    }
    /// The driver has failed: what has not been begun is not.
    fn abandon(&mut self, limits: Limits, report: Report) {
        if self.progress.error.is_none() {
            match self.work.next(limits) {
                Some(call) => self.progress.never_begun(&call, report),
                None => self.all_begun = true,
            }
        }
    }
    fn start(&mut self, transport: &mut Transport, limits: Limits, now: Duration) {
        while !self.all_begun && self.progress.error.is_none() && transport.has_room() {
            match self.work.next(limits) {
                Some(mut call) => {
                    call.place.request = self.number;
                    self.progress.begun(transport.start(call, now));
                }
                None => self.all_begun = true,
            }
        }
    }
}

/// Names of synchronous requests have this bit, slots of asynchronous ones do not.
const SYNCHRONOUS: u32 = 1 << 31;

/// Synchronous calls.
impl Core {
    /// One operation of one packet. Without a footprint it is ordered against nothing.
    pub(crate) fn call(&mut self, footprint: Option<Footprint>, call: Call) -> Result<Answer> {
        let mut once = Once::new(call);
        self.run(footprint, &mut once)?;
        // Without an error the one operation has ended OK.
        once.answer.ok_or_else(|| Error::Driver(DriverError::Ended("an operation vanished".into())))
    }
    /// A request of many packets, several in flight. Begins when no asynchronous request that the footprint depends on
    /// is under way. After an error no more packets leave, those in flight are awaited, and the first error is
    /// answered.
    pub(crate) fn run(&mut self, footprint: Option<Footprint>, work: &mut dyn Work) -> Result<()> {
        let call = InCall::begin(self);
        let id = footprint.map(|footprint| call.0.order.submit(footprint));
        let result = call.0.run_alone(id, work);
        if let Some(id) = id {
            call.0.order.finish(id);
        }
        result
    }
    #[inline]
    fn run_alone(&mut self, id: Option<RequestId>, work: &mut dyn Work) -> Result<()> {
        while id.is_some_and(|id| !self.order.may_start(id)) {
            // If the driver fails, what this one waits for has ended.
            self.drive(IDLE_WAIT, None);
        }
        self.number = self.number.wrapping_add(1) | SYNCHRONOUS;
        let progress = Progress::default();
        let mut current = Current { number: self.number, work, progress, all_begun: false };
        while !current.is_over() {
            self.drive(IDLE_WAIT, Some(&mut current));
        }
        current.progress.error.map_or(Ok(()), Err)
    }
    /// Lets a moment pass without an operation of its own: whether it is not yet `until`. Nothing is waited for once the
    /// driver has failed, which the next operation tells.
    pub(crate) fn pause(&mut self, until: Duration) -> bool {
        let call = InCall::begin(self);
        let core = &mut *call.0;
        let now = core.driver.now();
        now < until && core.drive((until - now).min(MOMENT), None)
    }
}

/// Takes what a request brought: its buffer, and the answer if it is a single packet with a payload of its own.
pub(crate) type Collect<'a> = dyn FnMut(&mut Vec<u8>, Option<&Answer>) + 'a;

/// Asynchronous requests.
impl Core {
    /// Whether another request of so many bytes may be submitted.
    pub(crate) fn admit(&self, bytes: usize) -> Result<()> {
        self.outstanding.admit(bytes)
    }
    /// That another request of so many bytes cannot be submitted.
    pub(crate) fn full(&self, bytes: usize) -> Error {
        self.outstanding.full(bytes)
    }
    /// Adds a request of so many bytes if the bounds allow it; `ask` says what is asked. Its first packets leave at
    /// once if nothing that it depends on is under way and no cork is in.
    pub(crate) fn submit(
        &mut self,
        footprint: Footprint,
        bytes: usize,
        ask: impl FnOnce(&mut Slot),
    ) -> Result<Handle> {
        self.outstanding.admit(bytes)?;
        let call = InCall::begin(self);
        let core = &mut *call.0;
        let id = core.order.submit(footprint);
        let named = (id, footprint.pid);
        let handle = core.outstanding.insert(named, bytes, &core.order, ask);
        core.held += 1;
        if core.corks == 0 || core.held >= CORKED {
            core.send_held();
        }
        Ok(handle)
    }
    /// Sends what waits to be sent.
    #[inline]
    fn send_held(&mut self) {
        let sent = self.catch_up(None).and_then(|now| self.send(now, None));
        if sent.is_err() || self.transport.has_finished() {
            self.settle(sent, None);
        }
    }
    /// From now on asynchronous calls are held back until something waits or polls.
    pub(crate) fn cork(&mut self) {
        self.corks = self.corks.saturating_add(1);
    }
    /// Takes a cork out; with the last one what was held back leaves.
    pub(crate) fn uncork(&mut self) {
        self.corks = self.corks.saturating_sub(1);
        if self.corks == 0 && self.held > 0 {
            let call = InCall::begin(self);
            call.0.send_held();
        }
    }
    /// How a request ended, if it has: looks for datagrams for `longest` at most. `collect` gets the request's buffer.
    pub(crate) fn poll(
        &mut self,
        handle: Handle,
        longest: Duration,
        collect: &mut Collect,
    ) -> Option<Result<()>> {
        if let Some(result) = self.outstanding.take(handle, &mut *collect) {
            return Some(result);
        }
        let call = InCall::begin(self);
        if call.0.looks {
            // What has come tells its own time, so that the clock need not be read for it.
            call.0.look();
            if let Some(result) = call.0.outstanding.take(handle, &mut *collect) {
                return Some(result);
            }
        }
        call.0.drive(longest, None);
        call.0.outstanding.take(handle, collect)
    }
    /// Waits until a request has ended.
    pub(crate) fn wait(&mut self, handle: Handle, collect: &mut Collect) -> Result<()> {
        loop {
            if let Some(result) = self.poll(handle, IDLE_WAIT, collect) {
                return result;
            }
        }
    }
    /// The future of a request that has not ended wants to sleep: answers what it waited by before, to be dropped without
    /// the client's lock; an error: nobody could wake it. `own`: this client.
    pub(crate) fn sleep(
        &mut self,
        handle: Handle,
        waker: &Waker,
        own: &Arc<Mutex<Core>>,
    ) -> std::result::Result<Option<Waker>, CannotSleep> {
        if self.reactor.is_none() {
            let descriptors = self.driver.descriptors();
            if descriptors.is_empty() {
                return Err(CannotSleep);
            }
            // The system may have no more threads or descriptors.
            let started = Reactor::start(Arc::downgrade(own), descriptors);
            self.reactor = Some(started.map_err(|_| CannotSleep)?);
        }
        let (first, before) = self.outstanding.sleep(handle, waker);
        if first && let Some(reactor) = &self.reactor {
            reactor.notify();
        }
        Ok(before)
    }
    /// A step in place of futures that sleep. `quiet`: nothing has come for as long as was asked for, or the driver's
    /// descriptors tell of an error.
    pub(crate) fn turn(&mut self, quiet: bool) -> Turn {
        let call = InCall::begin(self);
        let core = &mut *call.0;
        if core.outstanding.sleeps() {
            // Long enough for a driver to ask the system what is wrong.
            core.drive(if quiet { SHORT_WAIT } else { Duration::ZERO }, None);
        }
        let woken = core.outstanding.take_woken();
        let wait = core.outstanding.sleeps().then(|| {
            if core.has_startable() {
                return Duration::ZERO;
            }
            let now = core.driver.now();
            core.transport.deadline(now).map_or(IDLE_WAIT, |at| at.saturating_sub(now).min(IDLE_WAIT))
        });
        Turn { woken, wait }
    }
    /// The thread that waits for futures is no more: the wakers of all that sleep.
    pub(crate) fn lose_reactor(&mut self) -> Vec<Waker> {
        self.reactor = None;
        self.outstanding.wake_all();
        self.outstanding.take_woken()
    }
    /// Whether a step would hand packets to the transport.
    fn has_startable(&self) -> bool {
        self.order.has_freed() || self.outstanding.has_ready() && self.transport.has_room()
    }
    /// Whether the thread that waits for futures has something to do.
    fn concerns_sleepers(&self) -> bool {
        self.outstanding.has_woken() || self.outstanding.sleeps() && self.has_startable()
    }
    /// Nobody will ask how a request ends. What its future waited by, to be dropped without the client's lock.
    pub(crate) fn detach(&mut self, handle: Handle) -> Option<Waker> {
        self.outstanding.detach(handle)
    }
    /// Keeps the error of a call that was refused and that nobody asks about.
    pub(crate) fn lose(&mut self, pid: Pid, error: Error) {
        self.outstanding.lose(pid, error);
    }
    /// Nobody will ask about calls of a process that has ended.
    pub(crate) fn forget(&mut self, pid: Pid) {
        drop(self.outstanding.take_lost(pid));
    }
    /// Waits until all requests of a process that were submitted so far have ended; the first error of those that
    /// nobody asked about.
    pub(crate) fn release(&mut self, pid: Pid) -> Result<()> {
        if self.planted(PlantedFault::ReleaseIgnored) {
            return Ok(());
        }
        let upto = self.order.next_id();
        let call = InCall::begin(self);
        while call.0.order.busy(pid, upto) {
            call.0.drive(IDLE_WAIT, None);
        }
        call.0.outstanding.take_lost(pid).map_or(Ok(()), Err)
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
        if let Some(reactor) = &self.0.reactor
            && self.0.concerns_sleepers()
        {
            reactor.notify();
        }
    }
}
