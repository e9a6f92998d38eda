//! A thread of the client's: it waits for datagrams and timers in the place of futures that sleep, keeps the leases of
//! processes, and drives requests that nobody waits for, if that was asked for.
//!
//! A future that has to wait leaves its waker with its request. The thread waits for the driver's descriptors, without
//! the client's lock, until something has come or the transport wants to act; then it takes one step for the client, as
//! any call would, and wakes those whose requests have ended. It is started by the first future that waits or the first
//! lease, sleeps while nothing is to be done, and ends with the client. Where time stands still while nobody calls, calls
//! keep the leases ([`Driver::goes_on_alone`]); futures sleep only where drivers have descriptors
//! ([`Driver::descriptors`]).
//!
//! [`Driver::descriptors`]: crate::driver::Driver::descriptors
//! [`Driver::goes_on_alone`]: crate::driver::Driver::goes_on_alone
use crate::core::Session;
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::io::{Errno, read, write};
use std::io;
use std::os::fd::OwnedFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};
use std::task::Waker;
use std::time::Duration;

/// The thread's other end: with it, the thread ends.
#[derive(Debug)]
pub(crate) struct Reactor {
    alarm: Arc<OwnedFd>,
}

/// Nobody could wake a future: it has to be polled again and again.
#[derive(Debug)]
pub(crate) struct CannotSleep;

/// What a step came to.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    /// For how long to wait; none: until it is rung.
    pub(crate) wait: Option<Duration>,
    /// Whether datagrams end the wait.
    pub(crate) listens: bool,
    /// Another thread has taken this one's place: it is to end.
    pub(crate) ends: bool,
}

impl Reactor {
    /// Starts a thread for a client, which waits for these descriptors.
    pub(crate) fn start(session: Weak<Session>, descriptors: Vec<OwnedFd>) -> io::Result<Reactor> {
        let alarm = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
        let heard = Arc::clone(&alarm);
        std::thread::Builder::new()
            .name("mneme-reactor".into())
            .spawn(move || watch(&session, &heard, &descriptors))?;
        Ok(Reactor { alarm })
    }
    /// Whether this is the thread's other end.
    pub(crate) fn is(&self, thread: &Arc<OwnedFd>) -> bool {
        Arc::ptr_eq(&self.alarm, thread)
    }
    /// Makes the thread take a step: somebody sleeps now, or is to be woken.
    pub(crate) fn notify(&self) {
        // Full means that it is going to look anyway; nothing else can happen to an eventfd of one's own.
        let _will_look = write(&*self.alarm, &1u64.to_ne_bytes());
    }
}

impl Drop for Reactor {
    fn drop(&mut self) {
        self.notify();
    }
}

/// What happens when the thread unwinds, since something of the caller's has panicked in it: all that sleep are woken,
/// and the first that sleeps again starts another thread.
struct Unwinding<'a>(&'a Weak<Session>);

impl Drop for Unwinding<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            Session::lose_reactor(self.0).into_iter().for_each(wake);
        }
    }
}

/// Wakes a future; what its executor does if that panics is not the others' concern.
pub(crate) fn wake(waker: Waker) {
    if catch_unwind(AssertUnwindSafe(|| waker.wake())).is_err() {
        tracing::error!("an executor's waker has panicked");
    }
}

fn watch(session: &Weak<Session>, alarm: &Arc<OwnedFd>, descriptors: &[OwnedFd]) {
    let _unwinding = Unwinding(session);
    let mut quiet = false;
    // Both keep their size: turns allocate nothing.
    let mut woken = Vec::new();
    let mut polled = vec![PollFd::new(&**alarm, PollFlags::IN)];
    polled.extend(descriptors.iter().map(|descriptor| PollFd::new(descriptor, PollFlags::IN)));
    loop {
        let Some(strong) = session.upgrade() else { return };
        let Turn { wait, listens, ends } = strong.turn(quiet, alarm, &mut woken);
        // Perhaps the last one: then the client ends here, and the alarm says so.
        drop(strong);
        // Without the client's lock: they may do anything.
        woken.drain(..).for_each(wake);
        if ends {
            return;
        }
        let polled = if listens { &mut polled[..] } else { &mut polled[..1] };
        let timeout = wait.map(|wait| Timespec {
            tv_sec: i64::try_from(wait.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: wait.subsec_nanos().into(),
        });
        quiet = match poll(polled, timeout.as_ref()) {
            Ok(0) => wait.is_some_and(|wait| !wait.is_zero()),
            Ok(_) => polled.iter().any(|fd| !fd.revents().difference(PollFlags::IN).is_empty()),
            Err(Errno::INTR) => false,
            // Out of memory: time passes all the same.
            Err(_) => {
                std::thread::sleep(wait.unwrap_or(Duration::from_millis(1)));
                true
            }
        };
        let mut count = [0; 8];
        // Nothing to read is as good.
        let _heard = read(&**alarm, &mut count);
    }
}
