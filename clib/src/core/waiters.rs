//! Threads that wait in synchronous calls. One of them leads: it waits for datagrams, without the engine's lock where the
//! driver has descriptors, and drives the engine for all. The others sleep until what they wait for has happened, or
//! until they are to lead.
use super::outstanding::{Handle, Outstanding};
use crate::order::{Domain, Order, RequestId};
use parking_lot::Condvar;
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::io::{Errno, read, write};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

/// What a thread waits for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Awaited {
    /// The end of a request.
    End(Handle),
    /// The ends of all requests of a process before this one; or a time on the client's clock, if there is one.
    Quiet(Domain, RequestId, Option<Duration>),
    /// A time on the driver's clock, or another failure of the driver than so many.
    Time(Duration, u64),
}

/// What may have happened.
pub(super) struct Happened<'a> {
    pub(super) outstanding: &'a Outstanding,
    pub(super) order: &'a Order,
    pub(super) failures: u64,
    pub(super) now: &'a dyn Fn() -> Duration,
}

impl Awaited {
    pub(super) fn has_happened(self, happened: &Happened) -> bool {
        match self {
            Awaited::End(handle) => happened.outstanding.has_ended(handle),
            Awaited::Quiet(domain, upto, ends) => {
                !happened.order.busy(domain, upto) || ends.is_some_and(|at| (happened.now)() >= at)
            }
            Awaited::Time(at, failures) => failures != happened.failures || (happened.now)() >= at,
        }
    }
    pub(super) fn timer(self) -> Option<Duration> {
        match self {
            Awaited::Time(at, _) => Some(at),
            Awaited::Quiet(_, _, ends) => ends,
            Awaited::End(_) => None,
        }
    }
}

/// The descriptors of all drivers, and an alarm of one's own.
#[derive(Debug)]
pub(super) struct Descriptors {
    drivers: Vec<OwnedFd>,
    alarm: OwnedFd,
}

/// How a wait for descriptors ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Woken {
    /// Something has come.
    Came,
    /// The time is over, or a driver has an error to tell.
    Quiet,
    /// Somebody has rung.
    Rung,
}

impl Descriptors {
    fn new(drivers: Vec<OwnedFd>) -> Option<Descriptors> {
        if drivers.is_empty() {
            return None;
        }
        // Without one, threads wait awake.
        let alarm = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).ok()?;
        Some(Descriptors { drivers, alarm })
    }
    /// Whoever waits is to look.
    fn ring(&self) {
        // Full means that it is going to look anyway; nothing else can happen to an eventfd of one's own.
        let _will_look = write(&self.alarm, &1u64.to_ne_bytes());
    }
    /// Sleeps until datagrams have come, somebody rings, or the time has passed.
    pub(super) fn wait(&self, longest: Duration) -> Woken {
        let mut polled: smallvec::SmallVec<[PollFd; 4]> =
            [&self.alarm].into_iter().chain(&self.drivers).map(|fd| PollFd::new(fd, PollFlags::IN)).collect();
        let timeout = Timespec {
            tv_sec: i64::try_from(longest.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: longest.subsec_nanos().into(),
        };
        match poll(&mut polled, Some(&timeout)) {
            Ok(0) => Woken::Quiet,
            Ok(_) => {
                let odd = polled.iter().any(|fd| !fd.revents().difference(PollFlags::IN).is_empty());
                let came = polled[1..].iter().any(|fd| !fd.revents().is_empty());
                if !polled[0].revents().is_empty() {
                    let mut count = [0; 8];
                    // Nothing to read is as good.
                    let _heard = read(&self.alarm, &mut count);
                }
                match (odd, came) {
                    (true, _) => Woken::Quiet,
                    (false, true) => Woken::Came,
                    (false, false) => Woken::Rung,
                }
            }
            Err(Errno::INTR) => Woken::Rung,
            // Out of memory: time passes all the same.
            Err(_) => {
                std::thread::sleep(longest.min(Duration::from_millis(1)));
                Woken::Quiet
            }
        }
    }
}

/// A thread that sleeps.
#[derive(Debug)]
struct Follower {
    number: u64,
    awaited: Awaited,
    bell: Arc<Condvar>,
    /// It is to look: what it waits for has happened, or it is to lead.
    called: bool,
}

/// The thread that drives the engine, and is elsewhere at the moment.
#[derive(Debug)]
struct Leader {
    awaited: Awaited,
    /// When it comes back by itself.
    until: Duration,
    /// It comes back already, or has not left yet.
    called: bool,
}

/// All threads of a client that wait.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    descriptors: Option<Arc<Descriptors>>,
    leader: Option<Leader>,
    followers: Vec<Follower>,
    next: u64,
}

impl Waiters {
    /// From now on the leader waits for these; none: awake.
    pub(super) fn listen(&mut self, drivers: Vec<OwnedFd>) {
        if let Some(before) = &self.descriptors {
            before.ring();
        }
        self.descriptors = Descriptors::new(drivers).map(Arc::new);
    }
    /// What the leader may wait for without the engine's lock.
    pub(super) fn descriptors(&self) -> Option<Arc<Descriptors>> {
        self.descriptors.clone()
    }
    /// Whether a thread drives the engine, which is elsewhere at the moment.
    #[inline]
    pub(super) fn led(&self) -> bool {
        self.leader.is_some()
    }
    /// The calling thread leads from now on, and is elsewhere until a time at most.
    pub(super) fn lead(&mut self, awaited: Awaited, until: Duration) {
        self.leader = Some(Leader { awaited, until, called: true });
    }
    /// From now on it has to be called.
    pub(super) fn gone(&mut self) {
        if let Some(leader) = &mut self.leader {
            leader.called = false;
        }
    }
    /// It is back.
    pub(super) fn back(&mut self) {
        self.leader = None;
    }
    /// The calling thread is going to sleep until the bell rings.
    pub(super) fn follow(&mut self, awaited: Awaited, bell: Arc<Condvar>) -> u64 {
        self.next += 1;
        self.followers.push(Follower { number: self.next, awaited, bell, called: false });
        self.next
    }
    /// Whether a thread that sleeps is to look now.
    pub(super) fn is_called(&self, number: u64) -> bool {
        self.followers.iter().any(|follower| follower.number == number && follower.called)
    }
    /// It sleeps no longer.
    pub(super) fn rise(&mut self, number: u64) {
        self.followers.retain(|follower| follower.number != number);
    }
    /// The first time that somebody waits for.
    pub(super) fn timer(&self) -> Option<Duration> {
        let of_leader = self.leader.as_ref().and_then(|leader| leader.awaited.timer());
        self.followers.iter().filter_map(|follower| follower.awaited.timer()).chain(of_leader).min()
    }
    /// Whether anybody waits who may have to be called.
    #[inline]
    pub(super) fn concerned(&self) -> bool {
        !self.followers.is_empty() || self.leader.as_ref().is_some_and(|leader| !leader.called)
    }
    /// Calls those for whom something has happened, and one to lead if nobody does. `next`: when the engine wants to be
    /// driven; none: at once.
    pub(super) fn call(&mut self, happened: &Happened, next: Option<Duration>) {
        for follower in self.followers.iter_mut().filter(|follower| !follower.called) {
            if follower.awaited.has_happened(happened) {
                follower.called = true;
                follower.bell.notify_one();
            }
        }
        match &mut self.leader {
            Some(leader) => {
                let early = next.is_none_or(|next| next < leader.until);
                if !leader.called && (early || leader.awaited.has_happened(happened)) {
                    leader.called = true;
                    if let Some(descriptors) = &self.descriptors {
                        descriptors.ring();
                    }
                }
            }
            // One that is called already leads when it has found nothing else.
            None if self.followers.iter().any(|follower| follower.called) => {}
            None => {
                if let Some(first) = self.followers.first_mut() {
                    first.called = true;
                    first.bell.notify_one();
                }
            }
        }
    }
}
