//! The engine under a client and its processes: one driver, one transport, one order of requests. Whoever calls drives
//! it: a synchronous call is submitted and waits, a poll looks for a moment; all requests go on meanwhile, whoever's
//! they are. `session` has what calls see, and how threads wait.
mod borrowed;
mod drive;
mod keeper;
mod outstanding;
mod progress;
mod session;
mod slot;
mod waiters;

pub(crate) use keeper::LeaseId;
pub(crate) use outstanding::{Bounds, Handle};
pub(crate) use session::Session;
pub(crate) use slot::{Slot, Taken};

use crate::driver::Driver;
use crate::error::Error;
use crate::order::Order;
use crate::planted::PlantedFault;
use crate::reactor::{Reactor, Turn};
use crate::split::Limits;
use crate::stats::{Recorder, Statistics};
use crate::transport::{BoardTimes, Transport};
use keeper::Keeper;
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
/// How often the thread in the background looks for datagrams of which no descriptor tells.
const LOOK: Duration = Duration::from_micros(500);
/// How long the thread in the background leaves leases that are due to a thread that leads.
const LED: Duration = Duration::from_millis(10);
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
    /// Leases of processes.
    keeper: Keeper,
    /// Whether requests go on though nobody waits or polls.
    background: bool,
    planted: Option<PlantedFault>,
    /// A thread for futures that sleep, for leases, and for requests in the background, since the first of these.
    reactor: Option<Reactor>,
    /// It hears nothing of the driver at the moment.
    reactor_rests: bool,
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
            keeper: Keeper::default(),
            background: false,
            planted: None,
            reactor: None,
            reactor_rests: false,
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
        let sent = self.catch_up().and_then(|now| {
            self.keep_leases(now);
            self.send(now)
        });
        if sent.is_err() || self.transport.has_finished() {
            self.settle(sent);
        }
    }
    /// Whether a step would hand packets to the transport.
    fn has_startable(&self) -> bool {
        self.order.has_freed() || self.outstanding.has_ready() && self.transport.has_room()
    }
    /// Whether the thread in the background is to drive the engine.
    fn is_attended(&self) -> bool {
        self.outstanding.sleeps() || self.keeper.asks() || self.background && self.transport.in_flight() > 0
    }
    /// Whether the thread in the background has something to do that it does not know of.
    fn concerns_reactor(&self) -> bool {
        let attended = !self.waiters.led() && self.is_attended();
        self.outstanding.has_woken() || attended && (self.reactor_rests || self.has_startable())
    }
    /// For how long to wait for datagrams before something else is to be done.
    fn next_wait(&mut self) -> Duration {
        if self.has_startable() {
            return Duration::ZERO;
        }
        let now = self.driver.now();
        let until = self.transport.deadline(now).map_or(IDLE_WAIT, |at| at.saturating_sub(now));
        let timers = self.waiters.timer().into_iter().chain(self.keeper.due());
        timers.map(|at| at.saturating_sub(now)).fold(until, Duration::min).min(IDLE_WAIT)
    }
    /// A step of the thread in the background. `quiet`: nothing has come for as long as was asked for, or the driver's
    /// descriptors tell of an error.
    fn turn(&mut self, quiet: bool) -> Turn {
        let now = self.driver.now();
        let renews = self.keeper.due().is_some_and(|at| at <= now);
        if !self.waiters.led() && (self.is_attended() || renews) {
            // Long enough for a driver to ask the system what is wrong.
            self.drive(if quiet { SHORT_WAIT } else { Duration::ZERO });
        }
        let woken = self.outstanding.take_woken();
        // A thread that waits for datagrams does all of this, too, and says when it waits no longer.
        let listens = self.is_attended() && !self.waiters.led();
        self.reactor_rests = !listens;
        let wait = match listens {
            // Where nothing tells it of datagrams it looks for them.
            true if self.waiters.descriptors().is_none() => Some(self.next_wait().min(LOOK)),
            true => Some(self.next_wait()),
            // A thread that leads renews leases, too: this one looks whether it still does.
            false => self.keeper.due().map(|at| {
                let least = if self.waiters.led() { LED } else { Duration::ZERO };
                at.saturating_sub(self.driver.now()).max(least)
            }),
        };
        Turn { woken, wait, listens }
    }
    /// The thread that waits for futures is no more: the wakers of all that sleep.
    fn lose_reactor(&mut self) -> Vec<Waker> {
        self.reactor = None;
        self.outstanding.wake_all();
        self.outstanding.take_woken()
    }
}
