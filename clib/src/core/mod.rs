//! The engine under a client and its processes: a lane for each board, one order of requests. Whoever calls drives
//! it: a synchronous call is submitted and waits, a poll looks for a moment; all requests go on meanwhile, whoever's
//! they are. `session` has what calls see, and how threads wait.
mod borrowed;
mod deadlines;
mod drive;
mod in_call;
mod keeper;
mod lane;
mod outstanding;
mod progress;
mod renewals;
mod session;
mod slot;
mod spaces;
mod turns;
mod waiters;

pub(crate) use deadlines::Ends;
pub(crate) use keeper::LeaseId;
pub(crate) use lane::Lane;
pub(crate) use outstanding::{Bounds, Handle};
pub(crate) use session::{Answers, Session};
pub(crate) use slot::{Slot, Taken};
pub(crate) use spaces::{Closed, Member, Way};

use crate::credentials::Credentials;
use crate::driver::Driver;
use crate::error::Error;
use crate::order::{Domain, Footprint, Order};
use crate::planted::PlantedFault;
use crate::reactor::{Reactor, Turn};
use crate::stats::{Recorder, Statistics};
use crate::transport::{BoardTimes, Payload, Reason, TransportCounters};
use keeper::Keeper;
use outstanding::Outstanding;
use rand::RngCore;
use rand_chacha::ChaCha8Rng;
use renewals::Renewals;
use spaces::{Spaces, Ways};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;
use waiters::{Awaited, Waiters};

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
    /// One for each board; the first one's clock is the client's.
    lanes: Vec<Lane>,
    /// Processes, and where their memory is.
    spaces: Spaces,
    statistics: Recorder,
    rng: ChaCha8Rng,
    order: Order,
    outstanding: Outstanding,
    /// Corks that are in: while there is one, asynchronous calls wait for each other.
    corks: u32,
    /// Calls submitted since something was sent.
    held: u32,
    /// How often a driver has failed.
    failures: u64,
    /// Threads that wait.
    waiters: Waiters,
    /// Leases of processes.
    keeper: Keeper,
    /// Keys of processes.
    renewals: Renewals,
    /// Who this client is to boards.
    credentials: Option<Credentials>,
    /// Whether requests go on though nobody waits or polls.
    background: bool,
    planted: Option<PlantedFault>,
    /// A thread for futures that sleep, for leases, and for requests in the background, since the first of these.
    reactor: Option<Reactor>,
    /// It hears nothing of the drivers at the moment.
    reactor_rests: bool,
}

impl Core {
    pub(crate) fn new(lane: Lane, rng: ChaCha8Rng, bounds: Bounds) -> Self {
        let mut core = Core {
            lanes: Vec::new(),
            spaces: Spaces::default(),
            statistics: Recorder::default(),
            rng,
            order: Order::default(),
            outstanding: Outstanding::new(bounds),
            corks: 0,
            held: 0,
            failures: 0,
            waiters: Waiters::default(),
            keeper: Keeper::default(),
            renewals: Renewals::default(),
            credentials: None,
            background: false,
            planted: None,
            reactor: None,
            reactor_rests: false,
        };
        core.add_lane(lane);
        core
    }
    /// Adds a board; its number.
    pub(crate) fn add_lane(&mut self, lane: Lane) -> usize {
        self.lanes.push(lane);
        self.outstanding.add_lane();
        self.listen_anew();
        self.lanes.len() - 1
    }
    fn into_lane(mut self) -> Option<Lane> {
        self.lanes.pop()
    }
    /// The drivers have changed: whoever waits is to wait for others' descriptors.
    fn listen_anew(&mut self) {
        let all = self.lanes.iter().map(|lane| lane.driver.descriptors());
        // Where one has none, threads look at all of them.
        let descriptors: Option<Vec<_>> = all.map(|of_one| (!of_one.is_empty()).then_some(of_one)).collect();
        self.waiters.listen(descriptors.unwrap_or_default().into_iter().flatten().collect());
        // Its thread ends; the next one that is needed listens to the new ones.
        self.reactor = None;
    }
    /// Another driver takes the place of a lane's. What is in flight ends: the new one sends from another source, by
    /// which the board would take another attempt for another operation.
    fn replace_driver(&mut self, number: usize, driver: Box<dyn Driver>) {
        let lane = &mut self.lanes[number];
        let now = lane.driver.now();
        lane.transport.abandon(Reason::Driver, now);
        self.settle(number, Ok(()));
        self.lanes[number].replace(driver);
        self.listen_anew();
    }
    /// Whether a thread in the background is needed from now on.
    fn is_kept(&self) -> bool {
        let asked = self.background || self.outstanding.sleeps() || self.keeper.is_used();
        asked && self.goes_on_alone()
    }
    pub(crate) fn lanes(&self) -> usize {
        self.lanes.len()
    }
    /// The lane of a board. One that is not there is the first: numbers come from this client.
    pub(crate) fn lane(&self, number: usize) -> &Lane {
        self.lanes.get(number).unwrap_or(&self.lanes[0])
    }
    pub(crate) fn lane_mut(&mut self, number: usize) -> &mut Lane {
        let number = if number < self.lanes.len() { number } else { 0 };
        &mut self.lanes[number]
    }
    /// The client's time: the first board's driver's.
    pub(crate) fn now(&self) -> Duration {
        self.lanes[0].driver.now()
    }
    /// Whether time goes on while nobody calls.
    fn goes_on_alone(&self) -> bool {
        self.lanes.iter().all(|lane| lane.driver.goes_on_alone())
    }
    /// Who this client is to boards.
    pub(crate) fn credentials(&self) -> Option<&Credentials> {
        self.credentials.as_ref()
    }
    pub(crate) fn set_credentials(&mut self, credentials: Option<Credentials>) {
        self.credentials = credentials;
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
    /// Packets ask their boards for their times from now on, or no longer; what was told so far.
    pub(crate) fn set_times(&mut self, times: Option<BoardTimes>) -> Option<BoardTimes> {
        let asks = times.is_some();
        let mut before: Option<BoardTimes> = None;
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            // What was counted goes on with the first board.
            let counted = if number == 0 { times } else { asks.then(BoardTimes::default) };
            if let Some(told) = lane.transport.set_times(counted) {
                before.get_or_insert_default().add(told);
            }
        }
        before
    }
    pub(crate) fn statistics(&self) -> Statistics {
        let mut counters = TransportCounters::default();
        self.lanes.iter().for_each(|lane| counters.add(lane.transport.counters()));
        self.statistics.statistics(counters)
    }
}

/// Processes.
impl Core {
    /// A handle of a process that was opened, or joined.
    pub(crate) fn add_space(&mut self, members: &[Member], joined: bool) -> Domain {
        self.sweep();
        self.spaces.add(members, joined)
    }
    /// A handle is gone.
    pub(crate) fn let_space_go(&mut self, domain: Domain) {
        self.spaces.let_go(domain);
        self.sweep();
    }
    fn sweep(&mut self) {
        let (order, outstanding) = (&self.order, &mut self.outstanding);
        let upto = order.next_id();
        let mut any_gone = false;
        self.spaces.sweep(
            |domain| order.busy(domain, upto),
            |domain| {
                any_gone = true;
                outstanding.forget(domain);
            },
        );
        if any_gone {
            self.forget_keys();
        }
    }
    /// The ways to a range of a process's memory, each with where its part begins and its bytes.
    pub(crate) fn ways(&self, domain: Domain, va: u64, length: u64) -> Vec<(Way, u64, u64)> {
        self.spaces.ways(domain, va, length)
    }
    /// The boards that keep something of an allocation, each with where that begins.
    pub(crate) fn holders(&self, domain: Domain, va: u64, length: u64) -> Vec<(Way, u64)> {
        self.spaces.holders(domain, va, length)
    }
    /// Whether a process has ended on the board of a lane, or was asked to and has not told.
    pub(crate) fn closed(&self, domain: Domain, lane: usize) -> Option<Closed> {
        self.spaces.closed(domain, lane)
    }
    /// Nothing more is sent for a process to the board of a lane, except for EXIT as long as that is perhaps not done.
    pub(crate) fn close(&mut self, domain: Domain, lane: usize, why: Closed) {
        self.spaces.close(domain, lane, why);
        if why == Closed::Exited {
            for asked in self.keeper.end(domain, lane) {
                drop(self.outstanding.detach(asked));
            }
        }
    }
    /// All ways that packets of a process may take now.
    pub(crate) fn all_ways(&self, domain: Domain) -> Ways {
        self.spaces.all_ways(domain)
    }
    /// Whether another process has the number that one had on a board: this one is no more.
    pub(crate) fn is_of_another(&self, domain: Domain, way: Way) -> bool {
        self.spaces.is_of_another(domain, way)
    }
    /// Memory was given by the board of a lane.
    pub(crate) fn placed(&mut self, domain: Domain, va: u64, length: u64, lane: usize) {
        self.spaces.placed(domain, va, length, lane);
        self.lane_mut(lane).took(length);
    }
    /// Memory was freed.
    pub(crate) fn freed(&mut self, domain: Domain, va: u64, length: u64) {
        self.spaces.freed(domain, va, length);
    }
}

/// Requests.
impl Core {
    /// Memory that was given to a process for a call whose end nobody asked for: by which lane, and what it said.
    pub(crate) fn take_unclaimed(&mut self, domain: Domain) -> Option<(usize, Payload)> {
        self.outstanding.take_unclaimed(domain).map(|(_, lane, payload)| (lane, payload))
    }
    /// The footprint of the parts of one call.
    pub(crate) fn of_parts(&mut self, footprint: Footprint) -> Footprint {
        self.order.of_parts(footprint)
    }
    /// Whether another asynchronous request of so many bytes may be submitted.
    pub(crate) fn admit(&self, bytes: usize) -> Result<(), Error> {
        self.outstanding.admit(bytes)
    }
    /// That another request of so many bytes cannot be submitted.
    pub(crate) fn full(&self, bytes: usize) -> Error {
        self.outstanding.full(bytes)
    }
    /// Whether a step would hand packets to a transport.
    fn has_startable(&self) -> bool {
        let has = |(number, lane): (usize, &Lane)| self.outstanding.is_startable(number, &lane.transport);
        self.order.has_freed() || self.lanes.iter().enumerate().any(has)
    }
    /// Whether packets are under way.
    fn in_flight(&self) -> bool {
        self.lanes.iter().any(|lane| lane.transport.in_flight() > 0)
    }
    /// Whether the thread in the background is to drive the engine.
    fn is_attended(&self) -> bool {
        self.outstanding.sleeps() || self.asks() || self.background && (self.in_flight() || self.is_owed())
    }
    /// Whether packets are to leave that no cork holds back. All that were under way may have been answered at once.
    fn is_owed(&self) -> bool {
        let ready = || (0..self.lanes.len()).any(|lane| self.outstanding.has_ready(lane));
        self.corks == 0 && (self.order.has_freed() || ready())
    }
    /// Whether the thread in the background has something to do that it does not know of.
    fn concerns_reactor(&self) -> bool {
        let attended = !self.waiters.led() && self.is_attended();
        self.outstanding.has_woken() || attended && (self.reactor_rests || self.has_startable())
    }
    /// Whether a lease or keys are asked for.
    fn asks(&self) -> bool {
        self.keeper.asks() || self.renewals.asks()
    }
    /// When a lease or keys are to be asked for.
    fn keeps_until(&self) -> Option<Duration> {
        self.keeper.due().into_iter().chain(self.renewals.due()).min()
    }
    /// For how long to wait for datagrams before something else is to be done.
    fn next_wait(&mut self) -> Duration {
        if self.has_startable() {
            return Duration::ZERO;
        }
        let mut until = IDLE_WAIT;
        for lane in &mut self.lanes {
            let now = lane.driver.now();
            if let Some(at) = lane.transport.deadline(now) {
                until = until.min(at.saturating_sub(now));
            }
        }
        let now = self.now();
        let timers = self.waiters.timer().into_iter().chain(self.keeps_until());
        let timers = timers.chain(self.outstanding.deadline());
        timers.map(|at| at.saturating_sub(now)).fold(until, Duration::min).min(IDLE_WAIT)
    }
    /// The same for a thread that waits for something itself.
    fn next_wait_for(&mut self, awaited: Awaited) -> Duration {
        let wait = self.next_wait();
        awaited.timer().map_or(wait, |at| wait.min(at.saturating_sub(self.now())))
    }
    /// A step of the thread in the background. `quiet`: nothing has come for as long as was asked for, or the driver's
    /// descriptors tell of an error. `woken` gets the wakers of futures whose requests have ended.
    fn turn(&mut self, quiet: bool, thread: &Arc<OwnedFd>, woken: &mut Vec<Waker>) -> Turn {
        if !self.reactor.as_ref().is_some_and(|reactor| reactor.is(thread)) {
            return Turn { ends: true, ..Turn::default() };
        }
        let now = self.now();
        let renews = self.keeps_until().is_some_and(|at| at <= now);
        if !self.waiters.led() && (self.is_attended() || renews) {
            // Long enough for a driver to ask the system what is wrong.
            self.drive(if quiet { SHORT_WAIT } else { Duration::ZERO });
        }
        self.outstanding.move_woken(woken);
        // A thread that waits for datagrams does all of this, too, and says when it waits no longer.
        let listens = self.is_attended() && !self.waiters.led();
        self.reactor_rests = !listens;
        let wait = match listens {
            // Where nothing tells it of datagrams it looks for them.
            true if self.waiters.descriptors().is_none() => Some(self.next_wait().min(LOOK)),
            true => Some(self.next_wait()),
            // A thread that leads renews leases, too: this one looks whether it still does. What it asks for is due again
            // when that has been answered, of which nobody tells.
            false if self.asks() => Some(LED),
            false => self.keeps_until().map(|at| {
                let least = if self.waiters.led() { LED } else { Duration::ZERO };
                at.saturating_sub(self.now()).max(least)
            }),
        };
        Turn { wait, listens, ends: false }
    }
    /// The thread that waits for futures is no more: the wakers of all that sleep.
    fn lose_reactor(&mut self) -> Vec<Waker> {
        self.reactor = None;
        self.outstanding.wake_all();
        self.outstanding.take_woken()
    }
}
