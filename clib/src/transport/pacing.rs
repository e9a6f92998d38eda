//! How fast writes and atomics may leave: the board's retry filter remembers each for a time window, and refuses what it has
//! no room for (BUSY, cause FILTER). A refused operation ages, and one that is too old may have an unknown outcome: so they
//! are paced before the board has to refuse them.
//!
//! A bucket of tokens, one for each new operation, fills at `budget` operations per window. The budget is what the board
//! tells of its filter, less what sets that overflow early cost; it falls when the board refuses, once in a window since
//! what is in the filter stays there for so long, and grows slowly while it does not. So clients that share a board find
//! their shares (AIMD). Retries are never paced.
//!
//! Windows are counted by the board's tick, as its answers tell it: a simulated board on a busy machine may need several
//! seconds for a window of half a second. Between two answers the tick is taken to go on as advertised; the next answer
//! takes back what was too much.
use super::BoardClock;
use super::nanos::Nanos;

/// Shares of the filter's entries that leave per window to begin with: of a filter of so many entries or more. An entry is in use for 1¼
/// windows at most, and a source that is alone may have three quarters of all, which makes 0.565 with a burst. The fewer sets there are
/// the more often both of an operation's are full before that.
const SHARES: [(u32, f64); 3] = [(1024, 0.55), (64, 0.45), (0, 0.25)];
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

/// New operations per window that a filter of so many entries takes to begin with.
fn first_budget(entries: u32) -> f64 {
    let share = SHARES.iter().find(|(least, _)| entries >= *least).map_or(1.0, |(_, share)| *share);
    (f64::from(entries) * share).max(1.0)
}

/// The pace towards one board.
#[derive(Debug, Clone)]
pub(super) struct FilterPace {
    /// No board is known, or one whose window is nothing.
    window: Nanos,
    entries: u32,
    /// New operations per window; infinite until something is known.
    budget: f64,
    /// As of the newest tick that the board told. Below nothing where more has left since than has come.
    tokens: f64,
    /// That tick, and when it came.
    seen: (u64, Nanos),
    /// From when on tokens come as advertised: since then, or since there were as many as may be saved up.
    from: Nanos,
    /// How many of `tokens` have come so, and not by the board's tick.
    ahead: f64,
    /// How far the board's tick has come since the board is known.
    time: Nanos,
    /// The same when a new operation left last.
    left: Nanos,
    /// And when the budget fell last.
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
            seen: (0, Nanos::ZERO),
            from: Nanos::ZERO,
            ahead: 0.0,
            time: Nanos::ZERO,
            left: Nanos::ZERO,
            lowered: None,
            halves: [0; 2],
            began: Nanos::ZERO,
        }
    }
    /// Learns of a board with so many entries (0: it does not tell) for each window. What is known of the same board stays.
    pub(super) fn learn(&mut self, entries: u32, window: Nanos, clock: &BoardClock) {
        if (entries, window) == (self.entries, self.window) {
            return;
        }
        let seen = clock.sample().unwrap_or(self.seen);
        *self = FilterPace { entries, window, seen, from: seen.1, ..FilterPace::new() };
        if entries > 0 {
            self.budget = first_budget(entries);
            self.tokens = self.burst();
        }
    }
    /// Follows the board's tick.
    #[inline]
    pub(super) fn follow(&mut self, clock: &BoardClock) {
        let Some((tick, at)) = clock.sample().filter(|sample| *sample != self.seen) else { return };
        let span = clock.span_of(tick.saturating_sub(self.seen.0));
        // Another boot counts from elsewhere, and its filter is empty.
        let ahead = if tick < self.seen.0 { 0.0 } else { self.ahead };
        (self.seen, self.from, self.ahead) = ((tick, at), at, 0.0);
        self.time += span.min(self.window);
        if !self.is_free() {
            // A pause saves up no more than a burst.
            self.tokens = (self.tokens + self.come(span) - ahead).min(self.burst());
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
    /// Tokens that there are if the tick goes on as advertised.
    fn tokens(&self, now: Nanos) -> f64 {
        (self.tokens + self.come(now - self.from)).min(self.burst())
    }
    /// From when on another new operation may leave, unless the board tells a tick before that is less far; none: now.
    #[inline]
    pub(super) fn until(&self, now: Nanos) -> Option<Nanos> {
        if self.is_free() {
            return None;
        }
        let missing = 1.0 - self.tokens(now);
        (missing > 0.0).then(|| now + self.window.mul_f64(missing / self.budget).max(Nanos(1)))
    }
    /// A new operation leaves.
    #[inline]
    pub(super) fn sent(&mut self, now: Nanos) {
        if self.window == Nanos::ZERO {
            return;
        }
        let half = self.time - self.began;
        if half >= self.window / 2 {
            let older = if half >= self.window { 0 } else { self.halves[0] };
            (self.halves, self.began) = ([0, older], self.time);
        }
        self.halves[0] = self.halves[0].saturating_add(1);
        if self.is_free() {
            return;
        }
        // Who does not use the budget learns nothing of it.
        if self.tokens(now) >= self.burst() {
            let full = self.burst();
            self.ahead += full - self.tokens;
            (self.tokens, self.from) = (full, now);
        } else {
            let (whole, most) = match self.entries {
                0 => (self.budget, f64::INFINITY),
                entries => (f64::from(entries), f64::from(entries)),
            };
            let windows = ((self.time - self.left).0 as f64 / self.window.0 as f64).min(1.0);
            self.budget = (self.budget + whole * GROWTH * windows).min(most);
        }
        self.tokens -= 1.0;
        self.left = self.time;
    }
    /// The board had no room for a new operation.
    pub(super) fn refused(&mut self) {
        let since = self.lowered.map(|at| self.time - at);
        if self.window == Nanos::ZERO || since.is_some_and(|since| since < self.window) {
            return;
        }
        // What others took, too, is not known: at most so many of one's own were in it.
        let own = f64::from(self.halves[0]) + f64::from(self.halves[1]);
        let least = (f64::from(self.entries) * LEAST).max(FEWEST);
        self.budget = (self.budget.min(own.max(1.0)) * LOWERED).max(least);
        self.tokens = self.tokens.min(0.0);
        self.lowered = Some(self.time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_wire::Tick;

    const MS: Nanos = Nanos::from_micros(1_000);
    /// Nanoseconds of a tick.
    const TICK: u32 = 1_000_000;

    /// A board that answers each operation at once, and whose ticks are so many times as long as advertised.
    struct Board {
        clock: BoardClock,
        pace: FilterPace,
        now: Nanos,
        slower: u64,
    }

    impl Board {
        fn new(entries: u32) -> Board {
            let mut clock = BoardClock::new();
            clock.configure(TICK, 100 * MS);
            let mut pace = FilterPace::new();
            clock.observe(Tick::default(), MS, MS);
            pace.learn(entries, 500 * MS, &clock);
            Board { clock, pace, now: MS, slower: 1 }
        }
        fn answers(&mut self) {
            let tick = (self.now - MS).0 / u64::from(TICK) / self.slower;
            self.clock.observe(Tick::from_low_bits(tick as u32), self.now, Nanos::ZERO);
            self.pace.follow(&self.clock);
        }
        /// Sends whatever may leave until a time; how many did, and the longest gap between two.
        fn send(&mut self, until: Nanos) -> (u32, Nanos) {
            let (mut count, mut gap, mut last) = (0, Nanos::ZERO, self.now);
            while self.now < until {
                match self.pace.until(self.now) {
                    Some(at) => self.now = at,
                    None => {
                        self.pace.sent(self.now);
                        (count, gap, last) = (count + 1, gap.max(self.now - last), self.now);
                        self.answers();
                    }
                }
            }
            (count, gap)
        }
    }

    #[test]
    fn what_the_board_tells_is_used_evenly() {
        let mut board = Board::new(1024);
        let (first, _) = board.send(501 * MS);
        assert!((563 + 30..=563 + 50).contains(&first), "{first}");
        let (next, gap) = board.send(1_001 * MS);
        assert!((563..=590).contains(&next), "{next}");
        assert!(gap <= 2 * MS, "no pause in between: {gap:?}");
        // A pause saves up no more than a burst.
        board.now = 9_000 * MS;
        let (burst, _) = board.send(9_000 * MS + Nanos(1));
        assert!((35..=80).contains(&burst), "{burst}");
        board.pace.learn(1024, 500 * MS, &board.clock);
        assert!(board.pace.until(board.now).is_some(), "the same board again");
        board.pace.learn(1024, 600 * MS, &board.clock);
        assert!(board.pace.until(board.now).is_none(), "another one");
    }

    #[test]
    fn windows_are_the_boards() {
        for (entries, slower) in [(1024, 6), (16, 6), (16, 3), (1, 4)] {
            let mut board = Board::new(entries);
            board.slower = slower;
            let mut windows = Vec::new();
            for window in 1..=8 {
                windows.push(board.send(MS + window * slower * 500 * MS).0);
            }
            let share = first_budget(entries);
            for (index, count) in windows.iter().enumerate().skip(1) {
                let most = share + f64::from(entries) * GROWTH * (index as f64 + 1.0) + 1.0;
                assert!(f64::from(*count) <= most, "{entries} entries, {slower} times slower: {windows:?}");
            }
            assert!(windows[1..].iter().sum::<u32>() as f64 >= 7.0 * share * 0.9, "{entries}: {windows:?}");
            // After a pause it is not silent for long, though the pause was far shorter by the board's tick.
            board.now += 20_000 * MS;
            board.send(board.now + Nanos(1));
            let (_, gap) = board.send(board.now + slower * 1_000 * MS);
            let even = (slower * 500 * MS).mul_f64(1.0 / share);
            assert!(gap <= 2 * even + 2 * MS, "{entries} entries: {gap:?} of {even:?}");
        }
    }

    #[test]
    fn nothing_is_saved_up_while_no_answer_comes() {
        let mut board = Board::new(1024);
        board.now = 9_000 * MS;
        let mut count = 0;
        while board.pace.until(board.now).is_none() {
            board.pace.sent(board.now);
            count += 1;
            assert!(count < 100, "no bound");
        }
        assert!((33..=45).contains(&count), "{count}");
    }

    #[test]
    fn another_boot_counts_from_elsewhere() {
        let mut board = Board::new(16);
        board.send(5_000 * MS);
        board.clock.reset();
        board.pace.follow(&board.clock);
        board.clock.observe(Tick::from_low_bits(3), board.now, Nanos::ZERO);
        board.pace.follow(&board.clock);
        let (first, at) = (board.pace.until(board.now), board.now);
        assert!(first.is_none_or(|until| until - at <= 125 * MS), "{first:?}");
    }

    #[test]
    fn refusals_lower_the_budget_and_it_grows_again() {
        let mut board = Board::new(1024);
        board.send(501 * MS);
        (0..50).for_each(|_| board.pace.refused());
        let (after, _) = board.send(1_001 * MS);
        assert!((440..=475).contains(&after), "one refusal, however often it is told: {after}");
        for window in 2..200u64 {
            board.send((window * 500 + 501) * MS);
        }
        let (grown, _) = board.send((200 * 500 + 501) * MS);
        assert!((1_000..=1_024).contains(&grown), "up to all entries: {grown}");
    }

    #[test]
    fn a_board_that_tells_nothing_is_felt() {
        let mut pace = FilterPace::new();
        pace.refused();
        assert!(pace.until(MS).is_none(), "no board is known");
        let mut board = Board::new(0);
        for _ in 0..2_000 {
            assert!(board.pace.until(board.now).is_none());
            board.pace.sent(board.now);
            board.now += MS / 10;
            board.answers();
        }
        board.pace.refused();
        let (after, _) = board.send(701 * MS);
        assert!((1_500..=1_700).contains(&after), "four fifths of what left: {after}");
    }

    #[test]
    fn the_smallest_filter_takes_two_a_window() {
        let mut board = Board::new(1);
        for window in 1..20u64 {
            board.pace.refused();
            let (count, _) = board.send((window * 500 + 1) * MS);
            assert!(count <= 3, "{count}");
        }
        assert!(board.pace.until(board.now).is_none_or(|at| at - board.now <= 500 * MS));
    }
}
