//! Time and datagrams: what leaves, what comes, and whose it is.
use super::progress::Report;
use super::{Core, SHORT_WAIT};
use crate::driver::DriverError;
use crate::request::Again;
use crate::split::Limits;
use crate::transport::{Answer, Effect, Ended, Failure, Reason};
use mneme_wire::Opcode;
use std::sync::Arc;
use std::time::Duration;

/// Looks at the driver before timers that have run out count. One takes as many datagrams as the driver's memory holds:
/// this is a bound for a board that answers without end.
const LATE_LOOKS: u32 = 8;
/// How often what is due is sent anew at once because the path carries other packets than before.
const PATHS_AT_ONCE: usize = 8;
/// Refusals in a row that are believed: with the timeouts of sockets three come within 0.3 s.
const REFUSALS: u32 = 3;

impl Core {
    /// Lets everything go on that can, until datagrams have come or `longest` has passed. False: the driver has failed,
    /// and every request has ended and tells it.
    #[inline]
    pub(super) fn drive(&mut self, longest: Duration) -> bool {
        let stepped = self.step(longest);
        self.settle(stepped)
    }
    #[inline]
    fn step(&mut self, longest: Duration) -> Result<(), DriverError> {
        let now = self.catch_up()?;
        self.keep_leases(now);
        self.send(now)?;
        if self.transport.has_finished() {
            return Ok(());
        }
        self.receive(now, longest)
    }
    /// The time now. A timer that has run out may tell of a thread that did not run, rather than of an answer that did
    /// not come: what lies in the driver is taken first, lest it be asked for again.
    #[inline]
    pub(super) fn catch_up(&mut self) -> Result<Duration, DriverError> {
        let mut now = self.driver.now();
        let mut looks = LATE_LOOKS;
        while looks > 0 && self.transport.is_late(now) {
            let came = self.take(Duration::ZERO)?;
            looks = if came > 0 { looks - 1 } else { 0 };
            now = self.driver.now();
        }
        Ok(now)
    }
    /// Takes what has come.
    pub(super) fn look(&mut self) {
        let looked = self.take(Duration::ZERO).map(drop);
        self.settle(looked);
    }
    /// Takes what has come, without sending anything. `quiet`: nothing has come for as long as was asked for, or the
    /// driver's descriptors tell of an error: long enough for a driver to ask the system what is wrong.
    pub(super) fn hear(&mut self, quiet: bool) {
        let longest = if quiet { SHORT_WAIT } else { Duration::ZERO };
        let now = self.driver.now();
        let heard = self.receive(now, longest);
        self.settle(heard);
    }
    /// Sends what is due.
    #[inline]
    pub(super) fn send(&mut self, now: Duration) -> Result<(), DriverError> {
        for _ in 0..PATHS_AT_ONCE {
            self.send_within(now)?;
            self.take_back(now);
            if !self.follow_path() {
                break;
            }
        }
        Ok(())
    }
    /// What the driver sent may have told it that the path carries other packets than before: whether it has.
    #[inline]
    fn follow_path(&mut self) -> bool {
        let longest = self.driver.max_datagram();
        if longest == self.longest {
            return false;
        }
        self.set_longest(longest);
        true
    }
    /// What certainly has not left counts as never sent.
    #[inline]
    fn take_back(&mut self, now: Duration) {
        let transport = &mut self.transport;
        self.driver.take_back(&mut |datagram| transport.take_back(datagram, now));
    }
    #[inline]
    fn send_within(&mut self, now: Duration) -> Result<(), DriverError> {
        self.held = 0;
        if self.order.has_freed() || self.outstanding.has_ready() {
            self.outstanding.start(&mut self.order, &mut self.transport, self.limits, now);
        }
        self.transport.poll(now);
        let driver = &mut *self.driver;
        self.transport.transmit_all(now, &self.outstanding, |length, fill| driver.send(length, fill))?;
        driver.flush()
    }
    /// Waits for datagrams, until the transport's next deadline or for `longest`.
    #[inline]
    fn receive(&mut self, now: Duration, longest: Duration) -> Result<(), DriverError> {
        let deadline = self.transport.deadline(now).unwrap_or(now + longest);
        let wait = deadline.saturating_sub(now).min(longest);
        if self.take(wait)? == 0 && !wait.is_zero() {
            if self.follow_path() {
                // A driver that has heard nothing may have asked why.
                self.take_back(now);
            }
            self.believe_refusals();
        }
        Ok(())
    }
    /// Ends everything when nothing listens where the board should be. One that was heard before may be restarting: that
    /// is waited for.
    fn believe_refusals(&mut self) {
        if self.driver.refusals() >= REFUSALS && !self.transport.was_heard() {
            self.transport.abandon(Reason::Unreachable, self.driver.now());
        }
    }
    /// Gives what comes within `wait` to the transport; how many datagrams.
    #[inline]
    fn take(&mut self, wait: Duration) -> Result<usize, DriverError> {
        let (transport, outstanding) = (&mut self.transport, &mut self.outstanding);
        self.driver.receive(wait, &mut |at, datagram| transport.receive(at, datagram, outstanding))
    }
    /// Gives ended packets to their requests; everything ends when the driver has failed.
    #[inline]
    pub(super) fn settle(&mut self, stepped: Result<(), DriverError>) -> bool {
        let failed = stepped.err().map(Arc::new);
        if failed.is_some() {
            let now = self.driver.now();
            self.take_back(now);
            self.transport.abandon(Reason::Driver, now);
            self.failures += 1;
        }
        let report = Report { driver: &*self.driver, failed: failed.as_ref() };
        while let Some((ended, result)) = self.transport.look_at_finished() {
            let again = again(ended, result, (self.limits, self.longest));
            let order = &mut self.order;
            if again.is_none_or(|again| !self.outstanding.again(again, order)) {
                self.outstanding.end((ended, result), order, &mut self.statistics, report);
            }
            self.transport.pass_finished();
        }
        if failed.is_some() {
            self.outstanding.abandon(&mut self.order, self.limits, report);
        }
        failed.is_none()
    }
}

/// The bytes of a packet that are to be cut anew: the path does not carry it any longer, nothing of it has happened,
/// and shorter ones would fit, or it would itself, since the path has widened again.
#[inline]
fn again(
    ended: &Ended,
    result: &Result<Answer, Failure>,
    (limits, longest): (Limits, usize),
) -> Option<Again> {
    let Err(Failure { reason: Reason::TooLong { needs, .. }, effect: Effect::None, .. }) = result else {
        return None;
    };
    let Ended { opcode, va, length, place, .. } = *ended;
    let fits = limits.max_payload < length || *needs <= longest;
    (fits && matches!(opcode, Opcode::Read | Opcode::Write)).then_some(Again { va, length, place })
}
