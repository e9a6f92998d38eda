//! How fast writes and atomics may leave: the board's retry filter remembers each for a time window, and refuses what it has
//! no room for (BUSY, cause FILTER). A refused operation ages, and one that is too old may have an unknown outcome: so they
//! are paced before the board has to refuse them.
//!
//! A bucket of tokens, one for each new operation, fills at `budget` operations per window. The budget is what the board
//! tells of its filter, less what sets that overflow early cost; it falls when the board refuses, once in a window since
//! what is in the filter stays there for so long, and grows slowly while it does not. So clients that share a board find
//! their shares (AIMD). Retries are never paced.
use super::nanos::Nanos;

/// Shares of the filter's entries that are used to begin with. In small filters sets overflow early.
const SHARE: f64 = 0.625;
const SHARE_OF_SMALL: f64 = 0.5;
/// Filters of fewer entries are small.
const SMALL: u32 = 256;
/// What a refusal leaves of the budget.
const LOWERED: f64 = 0.8;
/// Growth of the budget per window that is used, as a share of the entries: what a refusal takes comes back in some 25
/// windows, so that far fewer than one operation of a hundred is refused.
const GROWTH: f64 = 1.0 / 128.0;
/// It falls to this share of the entries at most, and to so many operations.
const LEAST: f64 = 1.0 / 32.0;
const FEWEST: f64 = 2.0;
/// Tokens that a pause saves up, as a share of the budget.
const BURST: f64 = 1.0 / 16.0;

/// The pace towards one board.
#[derive(Debug, Clone)]
pub(super) struct FilterPace {
    /// No board is known, or one whose window is nothing.
    window: Nanos,
    entries: u32,
    /// New operations per window; infinite until something is known.
    budget: f64,
    tokens: f64,
    filled: Nanos,
    /// When the budget fell last.
    lowered: Option<Nanos>,
    /// New operations of this half of a window and of the one before, and when this one began.
    halves: [u32; 2],
    began: Nanos,
}

impl FilterPace {
    pub(super) fn new() -> FilterPace {
        FilterPace {
            window: Nanos::ZERO,
            entries: 0,
            budget: f64::INFINITY,
            tokens: 0.0,
            filled: Nanos::ZERO,
            lowered: None,
            halves: [0; 2],
            began: Nanos::ZERO,
        }
    }
    /// Learns of a board with so many entries (0: it does not tell) for each window. What is known of the same board stays.
    pub(super) fn learn(&mut self, entries: u32, window: Nanos, now: Nanos) {
        if (entries, window) == (self.entries, self.window) {
            return;
        }
        *self = FilterPace { entries, window, filled: now, began: now, ..FilterPace::new() };
        if entries > 0 {
            let share = if entries < SMALL { SHARE_OF_SMALL } else { SHARE };
            self.budget = (f64::from(entries) * share).max(1.0);
            self.tokens = self.burst();
        }
    }
    /// Whether nothing is paced.
    #[inline]
    fn is_free(&self) -> bool {
        self.budget.is_infinite() || self.window == Nanos::ZERO
    }
    fn burst(&self) -> f64 {
        (self.budget * BURST).max(1.0)
    }
    /// Tokens that come in a time.
    fn come(&self, time: Nanos) -> f64 {
        self.budget * time.0 as f64 / self.window.0 as f64
    }
    /// From when on another new operation may leave; none: now.
    #[inline]
    pub(super) fn until(&self, now: Nanos) -> Option<Nanos> {
        if self.is_free() {
            return None;
        }
        let missing = 1.0 - self.tokens - self.come(now - self.filled);
        (missing > 0.0).then(|| now + self.window.mul_f64(missing / self.budget).max(Nanos(1)))
    }
    /// A new operation leaves.
    #[inline]
    pub(super) fn sent(&mut self, now: Nanos) {
        if self.window == Nanos::ZERO {
            return;
        }
        if now - self.began >= self.window / 2 {
            let older = if now - self.began >= self.window { 0 } else { self.halves[0] };
            (self.halves, self.began) = ([0, older], now);
        }
        self.halves[0] = self.halves[0].saturating_add(1);
        if self.is_free() {
            return;
        }
        let time = now - self.filled;
        let full = self.tokens + self.come(time);
        // Who does not use the budget learns nothing of it.
        if full < self.burst() {
            let (whole, most) = match self.entries {
                0 => (self.budget, f64::INFINITY),
                entries => (f64::from(entries), f64::from(entries)),
            };
            let windows = (time.0 as f64 / self.window.0 as f64).min(1.0);
            self.budget = (self.budget + whole * GROWTH * windows).min(most);
        }
        self.tokens = full.min(self.burst()) - 1.0;
        self.filled = now;
    }
    /// The board had no room for a new operation.
    pub(super) fn refused(&mut self, now: Nanos) {
        if self.window == Nanos::ZERO || self.lowered.is_some_and(|at| now - at < self.window) {
            return;
        }
        // What others took, too, is not known: at most so many of one's own were in it.
        let own = f64::from(self.halves[0]) + f64::from(self.halves[1]);
        let least = (f64::from(self.entries) * LEAST).max(FEWEST);
        self.budget = (self.budget.min(own.max(1.0)) * LOWERED).max(least);
        self.tokens = self.tokens.min(0.0);
        self.filled = now;
        self.lowered = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Nanos = Nanos::from_micros(1_000);

    /// Sends whatever may leave until a time; how many did, and the longest gap between two.
    fn send(pace: &mut FilterPace, now: &mut Nanos, until: Nanos) -> (u32, Nanos) {
        let (mut count, mut gap, mut last) = (0, Nanos::ZERO, *now);
        while *now < until {
            match pace.until(*now) {
                Some(at) => *now = at,
                None => {
                    pace.sent(*now);
                    (count, gap, last) = (count + 1, gap.max(*now - last), *now);
                }
            }
        }
        (count, gap)
    }

    #[test]
    fn what_the_board_tells_is_used_evenly() {
        let (mut pace, mut now) = (FilterPace::new(), MS);
        pace.learn(1024, 500 * MS, now);
        let (first, _) = send(&mut pace, &mut now, 501 * MS);
        assert!((640 + 35..=640 + 50).contains(&first), "{first}");
        let (next, gap) = send(&mut pace, &mut now, 1_001 * MS);
        assert!((640..=665).contains(&next), "{next}");
        assert!(gap <= MS, "no pause in between: {gap:?}");
        // A pause saves up no more than a burst.
        now = 9_000 * MS;
        let (burst, _) = send(&mut pace, &mut now, 9_000 * MS + Nanos(1));
        assert!((38..=45).contains(&burst), "{burst}");
        pace.learn(1024, 500 * MS, now);
        assert!(pace.until(now).is_some(), "the same board again");
        pace.learn(1024, 600 * MS, now);
        assert!(pace.until(now).is_none(), "another one");
    }

    #[test]
    fn refusals_lower_the_budget_and_it_grows_again() {
        let (mut pace, mut now) = (FilterPace::new(), MS);
        pace.learn(1024, 500 * MS, now);
        send(&mut pace, &mut now, 501 * MS);
        (0..50).for_each(|_| pace.refused(now));
        let (after, _) = send(&mut pace, &mut now, 1_001 * MS);
        assert!((500..=535).contains(&after), "one refusal, however often it is told: {after}");
        for window in 2..200u64 {
            send(&mut pace, &mut now, (window * 500 + 501) * MS);
        }
        let (grown, _) = send(&mut pace, &mut now, (200 * 500 + 501) * MS);
        assert!((1_000..=1_024).contains(&grown), "up to all entries: {grown}");
    }

    #[test]
    fn a_board_that_tells_nothing_is_felt() {
        let (mut pace, mut now) = (FilterPace::new(), MS);
        pace.refused(now);
        assert!(pace.until(now).is_none(), "no board is known");
        pace.learn(0, 500 * MS, now);
        for _ in 0..2_000 {
            assert!(pace.until(now).is_none());
            pace.sent(now);
            now += MS / 10;
        }
        pace.refused(now);
        let (after, _) = send(&mut pace, &mut now, 701 * MS);
        assert!((1_500..=1_700).contains(&after), "four fifths of what left: {after}");
    }

    #[test]
    fn the_smallest_filter_takes_two_a_window() {
        let (mut pace, mut now) = (FilterPace::new(), MS);
        pace.learn(1, 500 * MS, now);
        for window in 1..20u64 {
            pace.refused(now);
            let (count, _) = send(&mut pace, &mut now, (window * 500 + 1) * MS);
            assert!(count <= 3, "{count}");
        }
        assert!(pace.until(now).is_none_or(|at| at - now <= 500 * MS));
    }
}
