//! For how long failed operations keep memory closed to new ones.
use super::nanos::Nanos;
use super::operation::Operation;
use mneme_wire::{Pid, Response, Status, Tick};

/// Copies of failed operations may still be executed. No new operation touches memory meanwhile, lest an old copy
/// overwrites what came later.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closing {
    /// Until the board's tick is past this one,
    pub(super) at: Tick,
    /// since then,
    pub(super) since: Nanos,
    /// while the board is in this epoch: it executes nothing of another one. `None`: operations of several epochs
    /// failed, whose ticks cannot be told apart.
    pub(super) epoch: Option<u8>,
}

impl Closing {
    /// One more operation has failed.
    pub(super) fn and(self, next: Closing) -> Closing {
        let at = if next.at.since(self.at) > 0 { next.at } else { self.at };
        Closing { at, since: self.since, epoch: self.epoch.filter(|_| self.epoch == next.epoch) }
    }
    /// Opens memory again where an answer tells that nothing is executed any more.
    #[inline]
    pub(super) fn reopen(closing: &mut Option<Closing>, response: &Response, operation: &Operation) {
        if closing.as_ref().is_some_and(|closing| !closing.outlasts(response, operation)) {
            *closing = None;
        }
    }
    fn outlasts(&self, response: &Response, operation: &Operation) -> bool {
        let told = match response.status {
            Status::Stale => Some(response.va.get() as u8),
            Status::Ok if operation.call.pid != Pid::NONE => Some(operation.call.epoch),
            _ => None,
        };
        // Asked after the failure, so the epoch that the board is in now came after that of the failed operation.
        let restarted = operation.started >= self.since
            && self.epoch.zip(told).is_some_and(|(epoch, told)| epoch != told);
        !restarted && response.tick().is_none_or(|tick| tick.since(self.at) <= 0)
    }
}
