//! How board time follows the wall clock (contracts §7): never faster than advertised over any stretch of time. What a
//! slow simulation loses is forgiven, not caught up.
use std::time::Duration;

/// Wall-clock time that may be caught up at once: a thread that slept too long, not a simulation that is too slow.
const FORGIVE: Duration = Duration::from_micros(200);

/// Cycles that the board may still run.
#[derive(Debug, Clone)]
pub struct Pace {
    ns_per_cycle: u64,
    /// In nanoseconds of wall-clock time; negative when the slow path's register accesses took more than there was.
    credit: i64,
    last: Duration,
}

impl Pace {
    /// A board whose cycles last at least `ns_per_cycle`.
    pub fn new(ns_per_cycle: u64, now: Duration) -> Pace {
        Pace { ns_per_cycle: ns_per_cycle.max(1), credit: 0, last: now }
    }
    fn earn(&mut self, now: Duration) {
        let passed = now.saturating_sub(self.last);
        self.last = now;
        self.credit = self.credit.saturating_add(i64::try_from(passed.as_nanos()).unwrap_or(i64::MAX));
    }
    /// The board was busy until now: cycles that it may run at most.
    pub fn busy(&mut self, now: Duration) -> u64 {
        self.earn(now);
        let most = (FORGIVE.as_nanos() as i64).max(self.ns_per_cycle as i64);
        self.credit = self.credit.min(most);
        self.credit.max(0) as u64 / self.ns_per_cycle
    }
    /// The board was idle until now: whole ticks that it may skip. `tick_cycles` is their length.
    pub fn idle(&mut self, now: Duration, tick_cycles: u64) -> u32 {
        self.earn(now);
        let tick_ns = tick_cycles * self.ns_per_cycle;
        let ticks = self.credit.max(0) as u64 / tick_ns;
        let ticks = ticks.min(MOST_SKIPPED.into()) as u32;
        self.credit -= (u64::from(ticks) * tick_ns) as i64;
        ticks
    }
    /// The board ran.
    pub fn spend(&mut self, cycles: u64) {
        let ns = i64::try_from(cycles.saturating_mul(self.ns_per_cycle)).unwrap_or(i64::MAX);
        self.credit = self.credit.saturating_sub(ns);
    }
    /// Wall-clock time until the board may run `cycles` more.
    pub fn wait_for(&self, cycles: u64) -> Duration {
        let needed = (cycles * self.ns_per_cycle) as i64;
        Duration::from_nanos(needed.saturating_sub(self.credit).max(0) as u64)
    }
}

/// Ticks skipped at once at most: the retry filter's scrubber has to see every entry before the tick has gone half round.
const MOST_SKIPPED: u32 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn an_idle_board_keeps_up_with_the_wall_clock_to_the_tick() {
        let mut pace = Pace::new(4, Duration::ZERO);
        let ticks: u32 = (1..=1000).map(|ms| pace.idle(MS * ms, 2048)).sum();
        assert_eq!(ticks, 1_000_000_000 / 8192);
    }

    #[test]
    fn a_busy_board_never_runs_ahead_and_lost_time_is_forgiven() {
        let mut pace = Pace::new(1000, Duration::ZERO);
        // A second passes while the simulation manages 100 cycles: of the rest, only a moment is caught up.
        pace.spend(100);
        assert_eq!(pace.busy(MS * 1000), 200);
        pace.spend(500);
        assert_eq!(pace.busy(MS * 1000), 0);
        assert!(pace.wait_for(1) > Duration::from_micros(300));
        assert_eq!(pace.idle(MS * 1000 + MS, 64), (1_000_000 - 300_000) / 64_000);
    }
}
