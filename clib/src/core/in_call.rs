//! A call in progress, and how its thread waits.
use super::deadlines::Ends;
use super::session::Session;
use super::waiters::{Awaited, Happened, Woken};
use super::{CORKED, Core, Handle, Lane, MOMENT, Slot, Taken};
use crate::error::Result;
use crate::order::Footprint;
use parking_lot::{Condvar, MutexGuard};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

thread_local! {
    /// What wakes this thread when it follows.
    static BELL: Arc<Condvar> = Arc::new(Condvar::new());
}

/// A call in progress: the engine is locked, and the driver knows. On every way out others are told what concerns them.
pub(super) struct InCall<'s> {
    pub(super) session: &'s Session,
    pub(super) core: MutexGuard<'s, Core>,
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
        core.end_call();
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
    pub(super) fn begin_synchronous(
        &mut self,
        (footprint, lane): (Footprint, Option<usize>),
        ends: Ends,
        ask: impl FnOnce(&mut Slot),
    ) -> Handle {
        self.core.begin((footprint, lane), None, ends, ask)
    }
    /// Sends what the calling thread is going to wait for, if another one leads. The leader itself does as it waits.
    #[inline]
    pub(super) fn send_for_leader(&mut self) {
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
    pub(super) fn wait<T>(&mut self, awaited: Awaited, mut done: impl FnMut(&mut Core) -> Option<T>) -> T {
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
        if self.core.looks_for_free() && self.core.in_flight() {
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
        let wait = self.core.next_wait_for(awaited);
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
        self.core.begin_call();
        answer
    }
    /// Sleeps until what is awaited has happened, or nobody leads any more.
    fn follow(&mut self, awaited: Awaited) {
        // A destructor of the thread may call when the thread's own is gone.
        let bell = BELL.try_with(Arc::clone).unwrap_or_default();
        let number = self.core.waiters.follow(awaited, Arc::clone(&bell));
        self.leave();
        while !self.core.waiters.is_called(number) {
            bell.wait(&mut self.core);
        }
        self.core.waiters.rise(number);
        self.core.begin_call();
    }
}

impl Core {
    /// Submits a request. `lane`: the board that it is for, whatever lies there; none: where the process's memory is.
    /// `ends`: by when it is to have ended.
    #[inline]
    pub(super) fn begin(
        &mut self,
        (footprint, lane): (Footprint, Option<usize>),
        bytes: Option<usize>,
        ends: Ends,
        ask: impl FnOnce(&mut Slot),
    ) -> Handle {
        let id = self.order.submit(footprint);
        let to = match lane {
            Some(lane) => lane,
            None if self.lanes.len() == 1 => 0,
            None => self.spaces.home(footprint.domain),
        };
        let handle = self.outstanding.insert((id, footprint.domain, to), bytes, &self.order, |slot| {
            slot.fixed = lane.is_some();
            ask(slot);
        });
        if let Some(at) = ends.at(|| self.now()) {
            self.outstanding.set_deadline(handle, at);
        }
        handle
    }
    pub(super) fn looks_for_free(&self) -> bool {
        self.lanes.iter().all(Lane::looks)
    }
    /// How a request ended, once.
    #[inline]
    pub(super) fn take_end<T>(
        &mut self,
        handle: Handle,
        collect: impl FnOnce(Taken) -> T,
    ) -> Option<Result<T>> {
        let ended = self.outstanding.take(handle, collect)?;
        Some(ended.map_err(|error| self.explain(error)))
    }
    fn has_happened(&self, awaited: Awaited) -> bool {
        awaited.has_happened(&self.happened(&|| self.now()))
    }
    fn happened<'a>(&'a self, now: &'a dyn Fn() -> Duration) -> Happened<'a> {
        Happened { outstanding: &self.outstanding, order: &self.order, failures: self.failures, now }
    }
    /// Calls the threads for whom something has happened, and one to lead if nobody does.
    #[cold]
    fn call_others(&mut self) {
        let next = self.next_wait();
        let next = (!next.is_zero()).then(|| self.now() + next);
        let driver = &*self.lanes[0].driver;
        let now = || driver.now();
        let (outstanding, order, failures) = (&self.outstanding, &self.order, self.failures);
        self.waiters.call(&Happened { outstanding, order, failures, now: &now }, next);
    }
}
