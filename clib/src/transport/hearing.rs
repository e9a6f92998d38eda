//! When something was heard: what silence means.
use super::Reason;
use super::nanos::Nanos;
use mneme_wire::Status;

#[derive(Debug, Default)]
pub(super) struct Hearing {
    /// When the board answered last.
    board: Option<Nanos>,
    /// When a datagram of another wire version came last.
    other_version: Option<Nanos>,
    /// What was said last without the trailer that belongs there, and when.
    hint: Option<(Status, Nanos)>,
}

impl Hearing {
    /// The board has answered.
    #[inline]
    pub(super) fn heard(&mut self, now: Nanos) {
        self.board = Some(now);
    }
    /// Somebody speaks another version.
    pub(super) fn heard_other_version(&mut self, now: Nanos) {
        self.other_version = Some(now);
    }
    /// Somebody says without the trailer that belongs there that something is wrong.
    pub(super) fn heard_hint(&mut self, status: Status, now: Nanos) {
        self.hint = Some((status, now));
    }
    /// Whether the board ever answered.
    pub(super) fn has_answered(&self) -> bool {
        self.board.is_some()
    }
    /// Whether the board was heard within a time.
    pub(super) fn is_alive(&self, now: Nanos, within: Nanos) -> bool {
        self.board.is_some_and(|at| now - at < within)
    }
    /// Whether it was heard since a moment.
    pub(super) fn answers_since(&self, moment: Nanos) -> bool {
        self.board.is_some_and(|at| at >= moment)
    }
    /// Why an operation really failed that began at a moment: it was not answered, or in a language that nobody
    /// understands.
    pub(super) fn explain(&self, reason: Reason, since: Nanos) -> Reason {
        let other_version = self.other_version.is_some_and(|at| at >= since);
        let hint = self.hint.filter(|(_, at)| *at >= since);
        match (reason, hint) {
            (Reason::Unreachable, _) if other_version => Reason::Version,
            (Reason::Unreachable, Some((status, _))) => Reason::Unproven { status },
            _ => reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_another_version_only_if_that_was_heard_meanwhile() {
        let mut hearing = Hearing::default();
        assert!(!hearing.is_alive(Nanos(1), Nanos(9)) && !hearing.answers_since(Nanos::ZERO));
        assert!(!hearing.has_answered());
        hearing.heard(Nanos(10));
        assert!(hearing.has_answered());
        assert!(hearing.is_alive(Nanos(18), Nanos(9)) && !hearing.is_alive(Nanos(19), Nanos(9)));
        assert!(hearing.answers_since(Nanos(10)) && !hearing.answers_since(Nanos(11)));
        hearing.heard_other_version(Nanos(20));
        assert_eq!(hearing.explain(Reason::Unreachable, Nanos(20)), Reason::Version);
        assert_eq!(hearing.explain(Reason::Unreachable, Nanos(21)), Reason::Unreachable);
        assert_eq!(hearing.explain(Reason::Expired, Nanos(20)), Reason::Expired);
        hearing.heard_hint(Status::Stale, Nanos(30));
        let unproven = Reason::Unproven { status: Status::Stale };
        assert_eq!(hearing.explain(Reason::Unreachable, Nanos(30)), unproven);
        assert_eq!(hearing.explain(Reason::Unreachable, Nanos(31)), Reason::Unreachable);
        assert_eq!(hearing.explain(Reason::Damaged, Nanos(30)), Reason::Damaged);
    }
}
