//! Requests that are ended before their time: those whose deadline has passed, and those that are cancelled.
use super::progress::Report;
use super::{Core, Handle};
use crate::transport::Reason;
use std::time::Duration;

/// By when a call is to have ended, all its parts together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Ends {
    /// As the transport's bounds say.
    #[default]
    Open,
    /// So long after it is made.
    In(Duration),
    /// At a time on the client's clock: it is a part of a call that was made before.
    At(Duration),
}

impl Ends {
    /// When, for a call that is made at a time.
    #[inline]
    pub(super) fn at(self, now: impl FnOnce() -> Duration) -> Option<Duration> {
        match self {
            Ends::Open => None,
            // As long as there is no end is no deadline, and no reason to panic.
            Ends::In(time) => Some(now().saturating_add(time)),
            Ends::At(time) => Some(time),
        }
    }
    /// The same for the parts of such a call.
    #[inline]
    pub(super) fn of_parts(self, now: impl FnOnce() -> Duration) -> Ends {
        self.at(now).map_or(Ends::Open, Ends::At)
    }
    /// The time that is left at a time for a call that is made now; none: as long as the transport's bounds say.
    pub(crate) fn left(self, now: Duration) -> Option<Duration> {
        self.at(|| now).map(|at| at.saturating_sub(now))
    }
}

impl Core {
    /// Ends requests whose deadlines have passed.
    #[inline]
    pub(super) fn expire(&mut self, now: Duration) -> bool {
        let mut any = false;
        while let Some(handle) = self.outstanding.expired(now) {
            self.cancel(handle, Reason::Deadline);
            any = true;
        }
        any
    }
    /// Ends a request now: nothing more of it leaves, and its error says whether what has left may take effect. Does
    /// nothing to one that has ended.
    #[cold]
    pub(super) fn cancel(&mut self, handle: Handle, reason: Reason) {
        let Some(request) = self.outstanding.request(handle) else { return };
        for number in 0..self.lanes.len() {
            let lane = &mut self.lanes[number];
            let now = lane.driver.now();
            lane.transport.cancel(request, reason, now);
            self.settle(number, Ok(()));
        }
        let home = self.outstanding.lane_of(request);
        let limits = self.limits(home);
        let report = Report { driver: &*self.lanes[home].driver, failed: None };
        self.outstanding.end_early(handle, reason, (&mut self.order, limits), report);
    }
}
