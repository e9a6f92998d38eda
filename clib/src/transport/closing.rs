//! For how long failed operations keep memory closed to new ones.
use super::TICK_REACH;
use super::nanos::Nanos;
use super::operation::Operation;
use mneme_wire::{Pid, Response, Status, Tick};

/// By how many ticks what the board tells may go back: its processors look at the tick only now and then.
const STALE_TICKS: u32 = 1 << 16;

/// Copies of failed operations may still be executed. No new operation touches memory meanwhile, lest an old copy
/// overwrites what came later.
///
/// The board tells its tick modulo 2^24, and a client may be idle for longer than that lasts. So a tick is not compared
/// with the window's end alone: the tick does not go back, and what is before the window's start has wrapped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closing {
    /// The board's tick had certainly come as far as this one,
    from: Tick,
    /// and copies may be executed until it is past this one,
    at: Tick,
    /// since then,
    pub(super) since: Nanos,
    /// while the board is in this epoch: it executes nothing of another one. `None`: operations of several epochs
    /// failed, whose ticks cannot be told apart.
    epoch: Option<u8>,
}

impl Closing {
    /// An operation has failed now that was first sent at `time` as estimated, which may be wrong by `error` ticks.
    /// The board executes it for `window` ticks.
    pub(super) fn new(operation: &Operation, time: Tick, (window, error): (u32, u64), now: Nanos) -> Closing {
        let before = error.saturating_add(window.saturating_add(STALE_TICKS).into()).min(TICK_REACH) as u32;
        Closing {
            from: time.plus(before.wrapping_neg()),
            at: time.plus(window),
            since: now,
            epoch: Some(operation.call.epoch),
        }
    }
    /// One more operation has failed.
    pub(super) fn and(self, next: Closing) -> Closing {
        let later = next.at.since(self.at);
        if u64::from(later.unsigned_abs()) > TICK_REACH {
            // Operations that are in flight together are not that far apart. This one's window was over when the next
            // one was sent.
            return next;
        }
        let at = if later > 0 { next.at } else { self.at };
        let from = if next.from.since(self.from) < 0 { next.from } else { self.from };
        Closing { from, at, since: self.since, epoch: self.epoch.filter(|_| self.epoch == next.epoch) }
    }
    /// For how many ticks copies may still be executed when the board is at a tick that it has reached since the
    /// operation was sent: none when it is past the window.
    pub(super) fn left(&self, tick: Tick) -> Option<u64> {
        let left = u64::try_from(self.at.since(tick)).ok()?;
        (tick.since(self.from) >= 0).then_some(left)
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
        // Asked after the failure, so the epoch that the board is in now came after that of the failed operation, and
        // so did its tick. What was asked before may have been answered at any tick.
        let after = operation.started >= self.since;
        let restarted = after && self.epoch.zip(told).is_some_and(|(epoch, told)| epoch != told);
        let lasts = |tick: Tick| if after { self.left(tick).is_some() } else { tick.since(self.at) <= 0 };
        !restarted && response.tick().is_none_or(lasts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: u32 = 800;

    fn closing(time: u32) -> Closing {
        Closing::new(&Operation::vacant(), Tick::from_low_bits(time), (WINDOW, 100), Nanos::ZERO)
    }
    fn left(closing: &Closing, tick: u32) -> Option<u64> {
        closing.left(Tick::from_low_bits(tick))
    }

    #[test]
    fn every_tick_but_those_of_the_window_and_shortly_before_is_past_it() {
        for time in [0, 1_000, 0xff_ff00] {
            let closing = closing(time);
            for (after, expected) in [(0, Some(800)), (799, Some(1)), (800, Some(0)), (801, None)] {
                assert_eq!(left(&closing, time + after), expected, "{time} + {after}");
            }
            let before = WINDOW + 100 + STALE_TICKS;
            assert_eq!(left(&closing, time.wrapping_sub(before)), Some((before + WINDOW).into()));
            for after in [(1 << 22) + 5, (1 << 23) - 1, 1 << 23, (1 << 23) + 801, (1 << 24) - before - 1] {
                assert_eq!(left(&closing, time + after), None, "{time} + {after}");
            }
        }
    }

    #[test]
    fn the_later_of_two_windows_counts_also_when_the_tick_has_wrapped_between() {
        for apart in [1, 5_000, 1 << 22, (1 << 23) - 1, (1 << 23) + 1, (1 << 24) - (1 << 22) - 1] {
            let both = closing(7).and(closing(7 + apart));
            assert_eq!(left(&both, 7 + apart + WINDOW), Some(0), "{apart}");
            assert_eq!(left(&both, 7 + apart + WINDOW + 1), None, "{apart}");
        }
        let both = closing(5_007).and(closing(7));
        assert_eq!((left(&both, 5_007), left(&both, 7)), (Some(800), Some(5_800)));
    }

    #[test]
    fn a_far_estimate_reaches_no_further_back_than_ticks_can_tell() {
        let far = Closing::new(&Operation::vacant(), Tick::default(), (WINDOW, u64::MAX), Nanos::ZERO);
        assert_eq!((left(&far, 800), left(&far, 801), left(&far, 1 << 23)), (Some(0), None, None));
    }
}
