//! What a client, its processes and its pending calls share: the engine behind a lock that nobody holds while he waits.
use super::borrowed::Borrowed;
use super::keeper::LeaseId;
use super::waiters::{Awaited, Happened, Woken};
use super::{CORKED, Core, Handle, MOMENT, Slot, Taken};
use crate::driver::DriverError;
use crate::error::{Error, Result};
use crate::order::{Footprint, RequestId};
use crate::planted::PlantedFault;
use crate::reactor::{CannotSleep, Reactor, Turn};
use crate::request::Work;
use crate::transport::{Answer, Call};
use mneme_wire::Pid;
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::task::Waker;
use std::time::Duration;

thread_local! {
    /// What wakes this thread when it follows.
    static BELL: Arc<Condvar> = Arc::new(Condvar::new());
}

/// The engine, shared. Calls block only as long as they say; those that wait let all others in meanwhile.
pub(crate) struct Session {
    core: Mutex<Core>,
    /// Threads that want the lock and did not get it at once: whoever waits awake looks at this.
    queued: AtomicUsize,
    /// Those of them that come to make a call: what leaves waits for theirs, and the last one sends it.
    callers: AtomicUsize,
}

impl Session {
    pub(crate) fn new(core: Core) -> Session {
        Session { core: Mutex::new(core), queued: AtomicUsize::new(0), callers: AtomicUsize::new(0) }
    }
    /// The engine, for a look: nothing is sent or received.
    #[inline]
    pub(crate) fn lock(&self) -> MutexGuard<'_, Core> {
        if let Some(core) = self.core.try_lock() {
            return core;
        }
        self.queued.fetch_add(1, Ordering::Relaxed);
        let core = self.core.lock();
        self.queued.fetch_sub(1, Ordering::Relaxed);
        core
    }
    /// The engine, to drive it.
    #[inline]
    fn enter(&self) -> InCall<'_> {
        let mut core = match self.core.try_lock() {
            Some(core) => core,
            None => {
                self.callers.fetch_add(1, Ordering::Relaxed);
                let core = self.lock();
                self.callers.fetch_sub(1, Ordering::Relaxed);
                core
            }
        };
        core.driver.begin_call();
        InCall { session: self, core }
    }
    /// Whether another thread is about to make a call.
    #[inline]
    fn others_come(&self) -> bool {
        self.callers.load(Ordering::Relaxed) > 0
    }
}

/// Synchronous calls.
impl Session {
    /// One operation of one packet. Without a footprint it is ordered against nothing.
    pub(crate) fn call(&self, footprint: Option<Footprint>, call: Call) -> Result<Answer> {
        let footprint = footprint.unwrap_or(Footprint::NOTHING);
        let mut core = self.enter();
        let handle = core.begin_synchronous(footprint, |slot| slot.once = Some(call));
        core.send_for_leader();
        let ended = core.wait(Awaited::End(handle), |core| core.take_end(handle, |taken| taken.answer));
        // Without an error the one operation has ended OK.
        ended?.ok_or_else(|| Error::Driver(DriverError::Ended("an operation vanished".into())))
    }
    /// A request of many packets, several in flight. Begins when no earlier request that the footprint depends on is
    /// under way. After an error no more packets leave, those in flight are awaited, and the first error is answered.
    #[allow(unsafe_code)]
    pub(crate) fn run(&self, footprint: Footprint, work: &mut dyn Work) -> Result<()> {
        // SAFETY: the engine drops it when the request ends, and `Ending` is not left before.
        let work = unsafe { Borrowed::new(work) };
        let mut ending = Ending { session: self, handle: None };
        let mut core = self.enter();
        let handle = core.begin_synchronous(footprint, |slot| slot.borrow(work));
        ending.handle = Some(handle);
        core.send_for_leader();
        let ended = core.wait(Awaited::End(handle), |core| core.take_end(handle, |_| ()));
        ending.handle = None;
        ended
    }
    /// Waits until all requests of a process that were submitted so far have ended; the first error of those that
    /// nobody asked about.
    pub(crate) fn release(&self, pid: Pid) -> Result<()> {
        let mut core = self.enter();
        if core.planted(PlantedFault::ReleaseIgnored) {
            return Ok(());
        }
        let upto: RequestId = core.order.next_id();
        core.wait(Awaited::Quiet(pid, upto), |core| (!core.order.busy(pid, upto)).then_some(()));
        let lost = core.outstanding.take_lost(pid);
        lost.map_or(Ok(()), |error| Err(core.explain(error)))
    }
    /// Lets time pass without an operation of its own. Nothing is waited for once the driver has failed, which the next
    /// operation tells.
    pub(crate) fn pause(&self, until: Duration) {
        let mut core = self.enter();
        let failures = core.failures;
        core.wait(Awaited::Time(until, failures), |core| {
            (core.failures != failures || core.now() >= until).then_some(())
        });
    }
    /// Waits until an asynchronous request has ended.
    pub(crate) fn wait<T>(&self, handle: Handle, collect: &mut dyn FnMut(Taken) -> T) -> Result<T> {
        let mut core = self.enter();
        if core.held > 0 {
            core.send_for_leader();
        }
        core.wait(Awaited::End(handle), |core| core.take_end(handle, &mut *collect))
    }
}

/// Asynchronous requests.
impl Session {
    /// Adds a request of so many bytes if the bounds allow it; `ask` says what is asked. Its first packets leave at
    /// once if nothing that it depends on is under way and no cork is in.
    pub(crate) fn submit(
        &self,
        footprint: Footprint,
        bytes: usize,
        ask: impl FnOnce(&mut Slot),
    ) -> Result<Handle> {
        let mut call = self.enter();
        let core = &mut *call.core;
        core.outstanding.admit(bytes)?;
        let id = core.order.submit(footprint);
        let handle = core.outstanding.insert((id, footprint.pid), Some(bytes), &core.order, ask);
        core.held += 1;
        if core.corks == 0 && !self.others_come() || core.held >= CORKED {
            core.send_held();
        }
        Ok(handle)
    }
    /// From now on asynchronous calls are held back until something waits or polls.
    pub(crate) fn cork(&self) {
        let mut core = self.lock();
        core.corks = core.corks.saturating_add(1);
    }
    /// Takes a cork out; with the last one what was held back leaves.
    pub(crate) fn uncork(&self) {
        let mut core = self.enter();
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
        let mut core = self.lock();
        if let Some(result) = core.take_end(handle, &mut *collect) {
            return Ok(result);
        }
        core.driver.begin_call();
        let mut call = InCall { session: self, core };
        if call.looks {
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
        let mut core = self.lock();
        if core.outstanding.has_ended(handle) {
            return true;
        }
        if core.driver.goes_on_alone() && self.attend(&mut core).is_err() {
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
        let mut core = self.enter();
        if !core.waiters.led() {
            core.drive(Duration::ZERO);
        }
        let woken = core.outstanding.take_woken();
        drop(core);
        woken.into_iter().for_each(crate::reactor::wake);
    }
    /// Whether a thread in the background tells the ends of requests as soon as they have come.
    pub(crate) fn is_attended_by_a_thread(&self) -> bool {
        let core = self.lock();
        core.reactor.is_some() && core.waiters.descriptors().is_some()
    }
    /// Sees to it that there is a thread in the background.
    fn attend(self: &Arc<Self>, core: &mut Core) -> std::result::Result<(), CannotSleep> {
        if core.reactor.is_none() {
            // The system may have no more threads or descriptors.
            let started = Reactor::start(Arc::downgrade(self), core.driver.descriptors());
            core.reactor = Some(started.map_err(|_| CannotSleep)?);
        }
        Ok(())
    }
    /// From now on requests go on though nobody waits or polls. False: no thread could be started, or the driver's time
    /// stands still while nobody calls.
    pub(crate) fn go_on_alone(self: &Arc<Self>) -> bool {
        let mut core = self.lock();
        core.background = core.driver.goes_on_alone() && self.attend(&mut core).is_ok();
        core.background
    }
    /// Keeps the lease of a process whose OPEN was sent at a time, for one handle.
    pub(crate) fn keep(self: &Arc<Self>, process: (Pid, u8), lease: Duration, sent: Duration) -> LeaseId {
        let mut core = self.enter();
        let id = core.keeper.add(process, lease, sent);
        if core.driver.goes_on_alone() && self.attend(&mut core).is_err() {
            tracing::warn!("no thread can be started: leases are kept only while calls are made");
        }
        if let Some(reactor) = &core.reactor {
            // It may wait for something that comes later.
            reactor.notify();
        }
        id
    }
    /// A handle of a process is gone.
    pub(crate) fn let_go(&self, lease: LeaseId) {
        let mut core = self.lock();
        if let Some(asked) = core.keeper.remove(lease) {
            drop(core.outstanding.detach(asked));
        }
    }
    /// A step of the thread in the background.
    pub(crate) fn turn(&self, quiet: bool) -> Turn {
        self.enter().turn(quiet)
    }
    /// The thread that waits for futures is no more: the wakers of all that sleep.
    pub(crate) fn lose_reactor(session: &Weak<Session>) -> Vec<Waker> {
        session.upgrade().map(|session| session.lock().lose_reactor()).unwrap_or_default()
    }
    /// Nobody will ask how a request ends.
    pub(crate) fn detach(&self, handle: Handle) {
        let waker = self.lock().outstanding.detach(handle);
        // Without the lock: whose waker it is may do anything when it is dropped.
        drop(waker);
    }
    /// Keeps the error of a call that was refused and that nobody asks about.
    pub(crate) fn lose(&self, pid: Pid, error: Error) {
        self.lock().outstanding.lose(pid, error);
    }
    /// Nobody will ask about calls of a process that has ended.
    pub(crate) fn forget(&self, pid: Pid) {
        drop(self.lock().outstanding.take_lost(pid));
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

/// A call in progress: the engine is locked, and the driver knows. On every way out others are told what concerns them.
struct InCall<'s> {
    session: &'s Session,
    core: MutexGuard<'s, Core>,
}

impl Deref for InCall<'_> {
    type Target = Core;
    fn deref(&self) -> &Core {
        &self.core
    }
}

impl DerefMut for InCall<'_> {
    fn deref_mut(&mut self) -> &mut Core {
        &mut self.core
    }
}

impl Drop for InCall<'_> {
    fn drop(&mut self) {
        self.leave();
    }
}

impl InCall<'_> {
    /// What everybody has to do before he lets go of the lock.
    #[inline]
    fn leave(&mut self) {
        let core = &mut *self.core;
        if core.held > 0 && core.corks == 0 && !self.session.others_come() {
            core.send_held();
        }
        core.driver.end_call();
        if core.waiters.concerned() {
            core.call_others();
        }
        if let Some(reactor) = &core.reactor
            && core.concerns_reactor()
        {
            reactor.notify();
            core.reactor_rests = false;
        }
    }
    /// Submits the request of a call that is going to wait for it.
    #[inline]
    fn begin_synchronous(&mut self, footprint: Footprint, ask: impl FnOnce(&mut Slot)) -> Handle {
        let core = &mut *self.core;
        let id = core.order.submit(footprint);
        core.outstanding.insert((id, footprint.pid), None, &core.order, ask)
    }
    /// Sends what the calling thread is going to wait for, if another one leads. The leader itself does as it waits.
    #[inline]
    fn send_for_leader(&mut self) {
        if !self.core.waiters.led() {
            return;
        }
        self.core.held += 1;
        if !self.session.others_come() || self.core.held >= CORKED {
            self.core.send_held();
        }
    }
    /// Waits until `done` has an answer, which it has when what is awaited has happened.
    #[inline]
    fn wait<T>(&mut self, awaited: Awaited, mut done: impl FnMut(&mut Core) -> Option<T>) -> T {
        loop {
            if let Some(answer) = done(&mut self.core) {
                return answer;
            }
            if self.core.waiters.led() {
                self.follow(awaited);
            } else {
                self.lead(awaited);
            }
        }
    }
    /// Drives the engine, and waits for something to happen.
    #[inline]
    fn lead(&mut self, awaited: Awaited) {
        if self.core.looks && self.core.transport.in_flight() > 0 {
            // What has come tells its own time, so that the clock need not be read for it.
            self.core.look();
            if self.core.has_happened(awaited) {
                return;
            }
        }
        let Some(descriptors) = self.core.waiters.descriptors() else {
            self.core.drive(MOMENT);
            if self.session.queued.load(Ordering::Relaxed) > 0 {
                let until = self.core.now();
                self.away(awaited, until, |core| MutexGuard::unlocked_fair(core, || ()));
            }
            return;
        };
        self.core.send_held();
        if self.core.has_happened(awaited) {
            return;
        }
        let wait = self.core.next_wait();
        if wait.is_zero() {
            return self.core.hear(false);
        }
        let until = self.core.now() + wait;
        let woken = self.away(awaited, until, |core| MutexGuard::unlocked(core, || descriptors.wait(wait)));
        if woken != Woken::Rung {
            self.core.hear(woken == Woken::Quiet);
        }
    }
    /// Lets go of the lock until a time, as the one who leads.
    fn away<T>(
        &mut self,
        awaited: Awaited,
        until: Duration,
        absent: impl FnOnce(&mut MutexGuard<Core>) -> T,
    ) -> T {
        self.core.waiters.lead(awaited, until);
        self.leave();
        self.core.waiters.gone();
        let answer = absent(&mut self.core);
        self.core.waiters.back();
        self.core.driver.begin_call();
        answer
    }
    /// Sleeps until what is awaited has happened, or nobody leads any more.
    fn follow(&mut self, awaited: Awaited) {
        let bell = BELL.with(Arc::clone);
        let number = self.core.waiters.follow(awaited, Arc::clone(&bell));
        self.leave();
        while !self.core.waiters.is_called(number) {
            bell.wait(&mut self.core);
        }
        self.core.waiters.rise(number);
        self.core.driver.begin_call();
    }
}

impl Core {
    /// How a request ended, once.
    #[inline]
    fn take_end<T>(&mut self, handle: Handle, collect: impl FnOnce(Taken) -> T) -> Option<Result<T>> {
        let ended = self.outstanding.take(handle, collect)?;
        Some(ended.map_err(|error| self.explain(error)))
    }
    fn has_happened(&self, awaited: Awaited) -> bool {
        awaited.has_happened(&self.happened(&|| self.driver.now()))
    }
    fn happened<'a>(&'a self, now: &'a dyn Fn() -> Duration) -> Happened<'a> {
        Happened { outstanding: &self.outstanding, order: &self.order, failures: self.failures, now }
    }
    /// Calls the threads for whom something has happened, and one to lead if nobody does.
    #[cold]
    fn call_others(&mut self) {
        let next = self.next_wait();
        let next = (!next.is_zero()).then(|| self.now() + next);
        let driver = &*self.driver;
        let now = || driver.now();
        let (outstanding, order, failures) = (&self.outstanding, &self.order, self.failures);
        self.waiters.call(&Happened { outstanding, order, failures, now: &now }, next);
    }
}
