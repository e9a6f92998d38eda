//! Operations that have ended, until their caller has asked how.
use super::operation::Operation;
use super::{Answer, Call, Ended, Failure, Finished};
use std::collections::VecDeque;

#[derive(Debug, Default)]
pub(super) struct Outbox(VecDeque<Finished>);

impl Outbox {
    /// An operation ended OK. The transport's own has nobody who asks.
    #[inline]
    pub(super) fn done(&mut self, operation: &Operation, answer: Answer) {
        if let Some(ended) = ended(operation) {
            self.0.push_back((ended, Ok(answer)));
        }
    }
    /// An operation failed.
    pub(super) fn failed(&mut self, operation: &Operation, failure: Failure) {
        self.0.extend(ended(operation).map(|ended| (ended, Err(failure))));
    }
    #[inline]
    pub(super) fn next(&mut self) -> Option<Finished> {
        self.0.pop_front()
    }
    /// The next one, where it lies.
    #[inline]
    pub(super) fn look(&mut self) -> Option<&mut Finished> {
        self.0.front_mut()
    }
    /// Goes on behind it.
    #[inline]
    pub(super) fn pass(&mut self) {
        self.0.pop_front();
    }
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Which operation ended; nothing for the probe.
#[inline]
fn ended(operation: &Operation) -> Option<Ended> {
    let Call { opcode, pid, va, length, place, .. } = operation.call;
    operation.token.map(|token| Ended { token, place, opcode, pid, va, length })
}
