//! What a client, its processes and its pending calls share: the engine behind a lock that nobody holds while he waits.
use super::borrowed::Borrowed;
use super::deadlines::Ends;
use super::in_call::InCall;
use super::keeper::LeaseId;
use super::waiters::Awaited;
use super::{CORKED, Core, Handle, Lane, Slot, Taken, Way};
use crate::client::MOST_LANES;
use crate::driver::{Driver, DriverError};
use crate::error::{Error, Result};
use crate::fork::OfMaker;
use crate::order::{Domain, Footprint, RequestId};
use crate::planted::PlantedFault;
use crate::reactor::{CannotSleep, Reactor, Turn};
use crate::request::Work;
use crate::transport::{Answer, Call, Payload, Place, Reason};
use mneme_wire::payload::{CountersRequest, NodeCounter};
use mneme_wire::{Opcode, Pid, Va};
use parking_lot::{Mutex, MutexGuard};
use smallvec::SmallVec;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::task::Waker;
use std::time::Duration;

/// How long to wait for a board's word on how much memory it has free.
const FREE_PATIENCE: Duration = Duration::from_millis(250);

/// How the parts of one call have ended.
pub(crate) type Answers = SmallVec<[Result<Answer>; 2]>;

/// The engine, shared. Calls block only as long as they say; those that wait let all others in meanwhile.
pub(crate) struct Session {
    core: OfMaker<Mutex<Core>>,
    /// Threads that want the lock and did not get it at once: whoever waits awake looks at this.
    pub(super) queued: AtomicUsize,
    /// Those of them that come to make a call: what leaves waits for theirs, and the last one sends it.
    callers: AtomicUsize,
}

impl Session {
    pub(crate) fn new(core: Core) -> Session {
        let (queued, callers) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Session { core: OfMaker::new(Mutex::new(core)), queued, callers }
    }
    /// Whether another process has it: this one is a child of that. Nothing is sent or received then, and the engine is not
    /// locked, since a thread that has no copy here may hold it.
    #[inline]
    pub(crate) fn is_of_parent(&self) -> bool {
        self.core.is_of_parent()
    }
    /// Refuses calls in a child.
    #[inline]
    pub(crate) fn is_own(&self) -> Result<()> {
        if self.is_of_parent() { Err(Error::Forked) } else { Ok(()) }
    }
    /// The engine, for a look: nothing is sent or received. An error in a child, where nobody might ever give it back.
    #[inline]
    pub(crate) fn lock(&self) -> Result<MutexGuard<'_, Core>> {
        self.is_own()?;
        if let Some(core) = self.core.try_lock() {
            return Ok(core);
        }
        self.queued.fetch_add(1, Ordering::Relaxed);
        let core = self.core.lock();
        self.queued.fetch_sub(1, Ordering::Relaxed);
        Ok(core)
    }
    /// The engine, to drive it.
    #[inline]
    fn enter(&self) -> Result<InCall<'_>> {
        self.is_own()?;
        let mut core = match self.core.try_lock() {
            Some(core) => core,
            None => {
                self.callers.fetch_add(1, Ordering::Relaxed);
                let core = self.lock();
                self.callers.fetch_sub(1, Ordering::Relaxed);
                core?
            }
        };
        core.begin_call();
        Ok(InCall { session: self, core })
    }
    /// What a look at the engine tells; in a child, what a client says that has nothing.
    pub(crate) fn look<T>(&self, otherwise: T, look: impl FnOnce(&mut Core) -> T) -> T {
        match self.lock() {
            Ok(mut core) => look(&mut core),
            Err(_) => otherwise,
        }
    }
    /// Whether another thread is about to make a call.
    #[inline]
    pub(super) fn others_come(&self) -> bool {
        self.callers.load(Ordering::Relaxed) > 0
    }
}

/// Synchronous calls.
impl Session {
    /// One operation of one packet. `to.1`: for the board of this lane; none: of memory, wherever it is.
    pub(crate) fn call(&self, to: (Footprint, Option<usize>), ends: Ends, call: Call) -> Result<Answer> {
        let mut core = self.enter()?;
        let handle = core.begin_synchronous(to, ends, |slot| slot.once = Some(call));
        core.send_for_leader();
        let ended = core.wait(Awaited::End(handle), |core| core.take_end(handle, |taken| taken.answer));
        answered(ended)
    }
    /// Operations of one packet that are the parts of one call, each for the board of a lane: all leave before any is
    /// waited for, and all have ended when this returns.
    pub(crate) fn call_all(
        &self,
        footprint: Footprint,
        ends: Ends,
        parts: impl IntoIterator<Item = (usize, Call)>,
    ) -> Answers {
        let Ok(mut core) = self.enter() else {
            return parts.into_iter().map(|_| Err(Error::Forked)).collect();
        };
        let (footprint, ends) = (core.order.of_parts(footprint), ends.of_parts(|| core.now()));
        let begin = |(lane, call)| {
            core.begin_synchronous((footprint, Some(lane)), ends, |slot| slot.once = Some(call))
        };
        let handles: SmallVec<[Handle; 2]> = parts.into_iter().map(begin).collect();
        core.send_for_leader();
        let mut end = |handle| {
            let ended = core.wait(Awaited::End(handle), |core| core.take_end(handle, |taken| taken.answer));
            answered(ended)
        };
        handles.into_iter().map(&mut end).collect()
    }
    /// When a call of many parts that is made now is to have ended.
    pub(crate) fn ends(&self, ends: Ends) -> Ends {
        match ends {
            Ends::In(_) => self.look(ends, |core| ends.of_parts(|| core.now())),
            Ends::Open | Ends::At(_) => ends,
        }
    }
    /// Asks boards how much they have free if that was some time ago, all at once. Those that do not answer soon count as
    /// full. Half of a call's time is left for what it is asked for.
    pub(crate) fn ask_free_memory(&self, ways: &[Way], ends: Ends) {
        let request = CountersRequest { first: NodeCounter::SlotsUsed as u32, count: 1 };
        let (asked, patience) = {
            let Ok(core) = self.lock() else { return };
            let asked: SmallVec<[(usize, Call); 2]> = ways
                .iter()
                .filter(|way| core.lane(way.lane).asks_free())
                .map(|way| {
                    let mut payload = Payload::from_elem(0, request.payload_len());
                    request.emit(&[], &mut payload);
                    let keyed = core.lane(way.lane).keyed();
                    let ((pid, epoch), length) =
                        (keyed.unwrap_or((Pid::NONE, way.epoch)), payload.len() as u16);
                    let (opcode, va, place) = (Opcode::Counters, Va::default(), Place::default());
                    (way.lane, Call { opcode, pid, epoch, va, length, payload, place })
                })
                .collect();
            let left = ends.left(core.now()).map(|left| left / 2);
            (asked, left.map_or(FREE_PATIENCE, |left| left.min(FREE_PATIENCE)))
        };
        if asked.is_empty() {
            return;
        }
        let lanes: SmallVec<[usize; 2]> = asked.iter().map(|(lane, _)| *lane).collect();
        let answers = self.call_all(Footprint::NOTHING, Ends::In(patience), asked);
        let Ok(mut core) = self.lock() else { return };
        for (lane, answer) in lanes.into_iter().zip(answers) {
            let used = answer.ok().and_then(|answer| request.parse_answer(&answer.payload).ok()?.next());
            core.lane_mut(lane).told_free(used);
        }
    }
    /// A request of many packets, several in flight. Begins when no earlier request that the footprint depends on is
    /// under way. After an error no more packets leave, those in flight are awaited, and the first error is answered.
    #[allow(unsafe_code)]
    pub(crate) fn run(&self, footprint: Footprint, ends: Ends, work: &mut dyn Work) -> Result<()> {
        // SAFETY: the engine drops it when the request ends, and `Ending` is not left before.
        let work = unsafe { Borrowed::new(work) };
        let mut ending = Ending { session: self, handle: None };
        let mut core = self.enter()?;
        let handle = core.begin_synchronous((footprint, None), ends, |slot| slot.borrow(work));
        ending.handle = Some(handle);
        core.send_for_leader();
        let ended = core.wait(Awaited::End(handle), |core| core.take_end(handle, |_| ()));
        ending.handle = None;
        ended
    }
    /// Waits until all requests of a process that were submitted so far have ended; the first error of those that
    /// nobody asked about.
    pub(crate) fn release(&self, domain: Domain, ends: Ends) -> Result<()> {
        let mut core = self.enter()?;
        if core.planted(PlantedFault::ReleaseIgnored) {
            return Ok(());
        }
        let upto: RequestId = core.order.next_id();
        let (began, until) = (core.now(), ends.at(|| core.now()));
        core.wait(Awaited::Quiet(domain, upto, until), |core| match core.order.busy(domain, upto) {
            false => Some(Ok(())),
            true if until.is_some_and(|at| core.now() >= at) => {
                Some(Err(Error::NotReleased { waited: core.now().saturating_sub(began) }))
            }
            true => None,
        })?;
        let lost = core.outstanding.take_lost(domain);
        lost.map_or(Ok(()), |error| Err(core.explain(error)))
    }
    /// Lets time pass without an operation of its own. Nothing is waited for once the driver has failed, which the next
    /// operation tells.
    pub(crate) fn pause(&self, until: Duration) {
        let Ok(mut core) = self.enter() else { return };
        let failures = core.failures;
        core.wait(Awaited::Time(until, failures), |core| {
            (core.failures != failures || core.now() >= until).then_some(())
        });
    }
    /// Waits until an asynchronous request has ended.
    pub(crate) fn wait<T>(&self, handle: Handle, collect: &mut dyn FnMut(Taken) -> T) -> Result<T> {
        let mut core = self.enter()?;
        if core.held > 0 {
            core.send_for_leader();
        }
        core.wait(Awaited::End(handle), |core| core.take_end(handle, &mut *collect))
    }
}

/// The answer of an operation that is a request by itself: without an error it has ended OK.
fn answered(ended: Result<Option<Answer>>) -> Result<Answer> {
    ended?.ok_or_else(|| Error::Driver(DriverError::Ended("an operation vanished".into())))
}

/// Asynchronous requests.
impl Session {
    /// Adds a request of so many bytes if the bounds allow it; `ask` says what is asked. Its first packets leave at
    /// once if nothing that it depends on is under way and no cork is in.
    pub(crate) fn submit(
        &self,
        to: (Footprint, Option<usize>),
        bytes: usize,
        ends: Ends,
        ask: impl FnOnce(&mut Slot),
    ) -> Result<Handle> {
        let mut call = self.enter()?;
        let core = &mut *call.core;
        core.outstanding.admit(bytes)?;
        let handle = core.begin(to, Some(bytes), ends, ask);
        core.held += 1;
        if core.corks == 0 && !self.others_come() || core.held >= CORKED {
            core.send_held();
        }
        Ok(handle)
    }
    /// From now on asynchronous calls are held back until something waits or polls.
    pub(crate) fn cork(&self) {
        self.look((), |core| core.corks = core.corks.saturating_add(1));
    }
    /// Takes a cork out; with the last one what was held back leaves.
    pub(crate) fn uncork(&self) {
        let Ok(mut core) = self.enter() else { return };
        core.corks = core.corks.saturating_sub(1);
        if core.corks == 0 && core.held > 0 {
            core.send_held();
        }
    }
    /// How a request ended, if it has: takes what has come and sends what is due. If it has not, a future may leave a
    /// waker and sleep; what it waited by before is dropped without the lock.
    pub(crate) fn poll<T>(
        self: &Arc<Self>,
        handle: Handle,
        waker: Option<&Waker>,
        collect: &mut dyn FnMut(Taken) -> T,
    ) -> std::result::Result<Result<T>, Option<CannotSleep>> {
        let mut core = match self.lock() {
            Ok(core) => core,
            Err(error) => return Ok(Err(error)),
        };
        if let Some(result) = core.take_end(handle, &mut *collect) {
            return Ok(result);
        }
        core.begin_call();
        let mut call = InCall { session: self, core };
        if call.looks_for_free() {
            // What has come tells its own time, so that the clock need not be read for it.
            call.look();
            if let Some(result) = call.take_end(handle, &mut *collect) {
                return Ok(result);
            }
        }
        call.drive(Duration::ZERO);
        if let Some(result) = call.take_end(handle, collect) {
            return Ok(result);
        }
        let asleep = waker.map(|waker| self.sleep(&mut call, handle, waker));
        drop(call);
        match asleep {
            Some(Err(cannot)) => Err(Some(cannot)),
            Some(Ok(before)) => {
                drop(before);
                Err(None)
            }
            None => Err(None),
        }
    }
    /// The future of a request that has not ended wants to sleep: answers what it waited by before; an error: nobody
    /// could wake it.
    fn sleep(
        self: &Arc<Self>,
        core: &mut Core,
        handle: Handle,
        waker: &Waker,
    ) -> std::result::Result<Option<Waker>, CannotSleep> {
        if core.waiters.descriptors().is_none() {
            return Err(CannotSleep);
        }
        self.attend(core)?;
        let (first, before) = core.outstanding.sleep(handle, waker);
        if first && let Some(reactor) = &core.reactor {
            reactor.notify();
        }
        Ok(before)
    }
    /// The end of a request is to be told by a waker, which a thread in the background does where there may be one. True:
    /// it has ended already, and nothing will be told.
    pub(crate) fn notify(self: &Arc<Self>, handle: Handle, waker: &Waker) -> bool {
        let Ok(mut core) = self.lock() else { return true };
        if core.outstanding.has_ended(handle) {
            return true;
        }
        if core.goes_on_alone() && self.attend(&mut core).is_err() {
            tracing::warn!("no thread can be started: calls end only while calls are made");
        }
        let (first, before) = core.outstanding.sleep(handle, waker);
        if first && let Some(reactor) = &core.reactor {
            reactor.notify();
        }
        drop(core);
        // Without the lock: whose waker it was may do anything when it is dropped.
        drop(before);
        false
    }
    /// Takes what has come and sends what is due, and tells of requests that have ended by that.
    pub(crate) fn step(&self) {
        let Ok(mut core) = self.enter() else { return };
        if !core.waiters.led() {
            core.drive(Duration::ZERO);
        }
        let woken = core.outstanding.take_woken();
        drop(core);
        woken.into_iter().for_each(crate::reactor::wake);
    }
    /// Whether a thread in the background tells the ends of requests as soon as they have come.
    pub(crate) fn is_attended_by_a_thread(&self) -> bool {
        self.look(false, |core| core.reactor.is_some() && core.waiters.descriptors().is_some())
    }
    /// Sees to it that there is a thread in the background.
    fn attend(self: &Arc<Self>, core: &mut Core) -> std::result::Result<(), CannotSleep> {
        if core.reactor.is_none() {
            // The system may have no more threads or descriptors.
            let descriptors = core.lanes.iter().flat_map(|lane| lane.driver.descriptors()).collect();
            let started = Reactor::start(Arc::downgrade(self), descriptors);
            core.reactor = Some(started.map_err(|_| CannotSleep)?);
        }
        Ok(())
    }
    /// From now on requests go on though nobody waits or polls. False: no thread could be started, or the driver's time
    /// stands still while nobody calls.
    pub(crate) fn go_on_alone(self: &Arc<Self>) -> bool {
        self.look(false, |core| {
            core.background = core.goes_on_alone() && self.attend(core).is_ok();
            core.background
        })
    }
    /// Keeps the lease of a process on a board, whose OPEN was sent at a time, for one handle.
    pub(crate) fn keep(
        self: &Arc<Self>,
        process: (Domain, Way),
        lease: Duration,
        sent: Duration,
    ) -> Result<LeaseId> {
        let mut core = self.enter()?;
        let id = core.keeper.add(process, lease, sent);
        if core.goes_on_alone() && self.attend(&mut core).is_err() {
            tracing::warn!("no thread can be started: leases are kept only while calls are made");
        }
        if let Some(reactor) = &core.reactor {
            // It may wait for something that comes later.
            reactor.notify();
        }
        Ok(id)
    }
    /// A handle of a process is gone.
    pub(crate) fn let_go(&self, lease: LeaseId) {
        self.look((), |core| {
            if let Some(asked) = core.keeper.remove(lease) {
                drop(core.outstanding.detach(asked));
            }
        });
    }
    /// A step of the thread in the background.
    pub(crate) fn turn(&self, quiet: bool, thread: &Arc<OwnedFd>, woken: &mut Vec<Waker>) -> Turn {
        match self.enter() {
            Ok(mut core) => core.turn(quiet, thread, woken),
            Err(_) => Turn { ends: true, ..Turn::default() },
        }
    }
    /// The thread that waits for futures is no more: the wakers of all that sleep.
    pub(crate) fn lose_reactor(session: &Weak<Session>) -> Vec<Waker> {
        session.upgrade().map(|session| session.look(Vec::new(), Core::lose_reactor)).unwrap_or_default()
    }
    /// Nobody will ask how a request ends.
    pub(crate) fn detach(&self, handle: Handle) {
        let waker = self.look(None, |core| core.outstanding.detach(handle));
        // Without the lock: whose waker it is may do anything when it is dropped.
        drop(waker);
    }
    /// Keeps the error of a call that was refused and that nobody asks about.
    pub(crate) fn lose(&self, domain: Domain, error: Error) {
        self.look((), |core| core.outstanding.lose(domain, error));
    }
    /// Nobody will ask about calls of a process that has ended.
    pub(crate) fn forget(&self, domain: Domain) {
        self.look((), |core| core.outstanding.forget(domain));
    }
    /// Ends a request now, if it has not ended: nothing more of it leaves.
    pub(crate) fn cancel(&self, handle: Handle) {
        let Ok(mut core) = self.enter() else { return };
        core.cancel(handle, Reason::Cancelled);
        let woken = core.outstanding.take_woken();
        drop(core);
        woken.into_iter().for_each(crate::reactor::wake);
    }
    /// Another board; its number.
    pub(crate) fn add_lane(self: &Arc<Self>, lane: Lane) -> Result<usize> {
        let mut core = self.lock()?;
        if core.lanes() >= MOST_LANES {
            return Err(Error::TooManyLanes(MOST_LANES));
        }
        let number = core.add_lane(lane);
        self.listen_anew(&mut core);
        Ok(number)
    }
    /// The board of a client that has no other.
    pub(crate) fn into_lane(self) -> Option<Lane> {
        self.core.into_inner()?.into_inner().into_lane()
    }
    /// Another driver takes the place of a board's.
    pub(crate) fn replace_driver(self: &Arc<Self>, lane: usize, driver: Box<dyn Driver>) {
        self.look((), |core| {
            core.replace_driver(lane, driver);
            self.listen_anew(core);
        });
    }
    /// Whoever was asleep is to hear the drivers that there are now.
    fn listen_anew(self: &Arc<Self>, core: &mut Core) {
        if core.is_kept() && self.attend(core).is_err() {
            tracing::warn!(
                "no thread can be started: calls end, and leases are kept, only while calls are made"
            );
        }
    }
}

/// Sees a request to its end, though its call unwinds: until then the engine looks at what the call has borrowed.
struct Ending<'s> {
    session: &'s Session,
    handle: Option<Handle>,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        if let Some(handle) = self.handle {
            let ended = self.session.wait(handle, &mut |_| ());
            tracing::error!("a synchronous call has panicked; its request ended {ended:?}");
        }
    }
}
