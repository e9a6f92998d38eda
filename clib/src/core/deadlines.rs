//! Requests that are ended before their time: those whose deadline has passed, and those that are cancelled.
use super::progress::Report;
use super::{Core, Handle};
use crate::transport::Reason;
use std::time::Duration;

impl Core {
    /// Ends requests whose deadlines have passed.
    #[inline]
    pub(super) fn expire(&mut self, now: Duration) {
        while let Some(handle) = self.outstanding.expired(now) {
            self.cancel(handle, Reason::Deadline);
        }
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
