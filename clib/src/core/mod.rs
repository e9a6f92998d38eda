//! The engine under a client and its processes: one driver, one transport, one order of requests. Whoever calls drives
//! it: a synchronous call is submitted and waits, a poll looks for a moment; all requests go on meanwhile, whoever's
//! they are. `session` has what calls see, and how threads wait.
mod borrowed;
mod drive;
mod outstanding;
mod progress;
mod session;
mod waiters;

pub(crate) use outstanding::{Bounds, Handle, Slot, Taken};
pub(crate) use session::Session;

use crate::driver::Driver;
use crate::error::Error;
use crate::order::Order;
use crate::planted::PlantedFault;
use crate::reactor::{Reactor, Turn};
use crate::split::Limits;
use crate::stats::{Recorder, Statistics};
use crate::transport::{BoardTimes, Transport};
use mneme_wire::HEADER_LEN;
use mneme_wire::payload::BoardInfo;
use outstanding::Outstanding;
use rand::RngCore;
use rand_chacha::ChaCha8Rng;
use std::task::Waker;
use std::time::Duration;
use waiters::Waiters;

/// Asynchronous calls that a cork holds back at most: as many as a driver sends at once.
const CORKED: u32 = 32;
/// How long one wait for a datagram may last when the transport wants nothing.
const IDLE_WAIT: Duration = Duration::from_millis(100);
/// How long a thread that waits awake keeps others from the client at once.
const MOMENT: Duration = Duration::from_micros(20);
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
    /// Corks that are in: while there is one, asynchronous calls wait for each other.
    corks: u32,
    /// Calls submitted since something was sent.
    held: u32,
    /// How often the driver has failed.
    failures: u64,
    /// Threads that wait.
    waiters: Waiters,
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
        let (looks, descriptors) = (driver.looks_for_free(), driver.descriptors());
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
            corks: 0,
            held: 0,
            failures: 0,
            waiters: Waiters::new(descriptors),
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

/// Requests.
impl Core {
    /// Whether another asynchronous request of so many bytes may be submitted.
    pub(crate) fn admit(&self, bytes: usize) -> Result<(), Error> {
        self.outstanding.admit(bytes)
    }
    /// That another request of so many bytes cannot be submitted.
    pub(crate) fn full(&self, bytes: usize) -> Error {
        self.outstanding.full(bytes)
    }
    /// Sends what waits to be sent.
    #[inline]
    fn send_held(&mut self) {
        let sent = self.catch_up().and_then(|now| self.send(now));
        if sent.is_err() || self.transport.has_finished() {
            self.settle(sent);
        }
    }
    /// Whether a step would hand packets to the transport.
    fn has_startable(&self) -> bool {
        self.order.has_freed() || self.outstanding.has_ready() && self.transport.has_room()
    }
    /// Whether the thread that waits for futures has something to do.
    fn concerns_sleepers(&self) -> bool {
        self.outstanding.has_woken() || self.outstanding.sleeps() && self.has_startable()
    }
    /// For how long to wait for datagrams before something else is to be done.
    fn next_wait(&mut self) -> Duration {
        if self.has_startable() {
            return Duration::ZERO;
        }
        let now = self.driver.now();
        let until = self.transport.deadline(now).map_or(IDLE_WAIT, |at| at.saturating_sub(now));
        let timer = self.waiters.timer().map_or(IDLE_WAIT, |at| at.saturating_sub(now));
        until.min(timer).min(IDLE_WAIT)
    }
    /// A step in place of futures that sleep. `quiet`: nothing has come for as long as was asked for, or the driver's
    /// descriptors tell of an error.
    fn turn(&mut self, quiet: bool) -> Turn {
        if self.outstanding.sleeps() {
            // Long enough for a driver to ask the system what is wrong.
            self.drive(if quiet { SHORT_WAIT } else { Duration::ZERO });
        }
        let woken = self.outstanding.take_woken();
        // A thread that waits for datagrams wakes futures, too, and says when it waits no longer.
        let wait = (self.outstanding.sleeps() && !self.waiters.led()).then(|| self.next_wait());
        Turn { woken, wait }
    }
    /// The thread that waits for futures is no more: the wakers of all that sleep.
    fn lose_reactor(&mut self) -> Vec<Waker> {
        self.reactor = None;
        self.outstanding.wake_all();
        self.outstanding.take_woken()
    }
}
