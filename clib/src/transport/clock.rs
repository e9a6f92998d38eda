//! The board's tick, followed from its answers.
use mneme_wire::Tick;
use std::time::Duration;

/// Samples older than this many ticks no longer order new ones: half of what a signed 24-bit difference can tell.
const ORDER_LIMIT: u64 = 1 << 22;

/// The newest tick that the board told, carried forward by the client's clock.
///
/// The estimate may be ahead of a board whose tick lags; [`BoardClock::fresh`] bounds by how much. It is never ahead of
/// a board that keeps the advertised tick length, since an answer's tick is older than its arrival.
#[derive(Debug, Clone)]
pub struct BoardClock {
    sample: Option<(Tick, Duration)>,
    ns_per_tick: u32,
    trust: Duration,
}

impl Default for BoardClock {
    fn default() -> Self {
        BoardClock::new()
    }
}

impl BoardClock {
    /// A clock that knows nothing.
    pub fn new() -> Self {
        BoardClock { sample: None, ns_per_tick: 1, trust: Duration::ZERO }
    }
    /// Sets the tick length (1 ns at least) and how long a sample may be carried forward.
    pub fn configure(&mut self, ns_per_tick: u32, trust: Duration) {
        self.ns_per_tick = ns_per_tick.max(1);
        self.trust = trust;
    }
    /// Forgets the samples: another boot counts from elsewhere.
    pub fn reset(&mut self) {
        self.sample = None;
    }
    /// Takes the tick of an answer that arrived now. One that was overtaken by a newer tick is ignored.
    #[inline]
    pub fn observe(&mut self, tick: Tick, now: Duration) {
        // The order first: most answers are newer, and need no division.
        if let Some((last, at)) = self.sample
            && tick.since(last) < 0
            && self.ticks_in(now.saturating_sub(at)) < ORDER_LIMIT
        {
            return;
        }
        self.sample = Some((tick, now));
    }
    /// The newest tick that the board told: it is certainly past this one.
    pub fn last(&self) -> Option<Tick> {
        self.sample.map(|(tick, _)| tick)
    }
    /// The tick now, if the board keeps the advertised tick length.
    #[inline]
    pub fn estimate(&self, now: Duration) -> Option<Tick> {
        let (tick, at) = self.sample?;
        Some(tick.plus((self.ticks_in(now.saturating_sub(at)) & 0xff_ffff) as u32))
    }
    /// Whether the estimate is young enough to be sent as the time of a first attempt.
    #[inline]
    pub fn fresh(&self, now: Duration) -> bool {
        self.sample.is_some_and(|(_, at)| now.saturating_sub(at) <= self.trust)
    }
    /// Whole ticks of the advertised length in a time span.
    #[inline]
    pub fn ticks_in(&self, span: Duration) -> u64 {
        // 584 years of nanoseconds, and no division of 128 bits at every packet, nor one of 64 for a short span.
        let span = u64::try_from(span.as_nanos()).unwrap_or(u64::MAX);
        match u32::try_from(span) {
            Ok(short) => u64::from(short / self.ns_per_tick),
            Err(_) => span / u64::from(self.ns_per_tick),
        }
    }
    /// No more ticks than this can have passed on the board in a time span: clocks may differ by 1 in 1,024, and both
    /// ends of the span may cut a tick.
    pub fn ticks_at_most(&self, span: Duration) -> u64 {
        let ticks = self.ticks_in(span);
        ticks.saturating_add(ticks / 1024).saturating_add(2)
    }
    /// How long a number of ticks lasts.
    pub fn span_of(&self, ticks: u64) -> Duration {
        Duration::from_nanos(ticks.saturating_mul(u64::from(self.ns_per_tick)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MICRO: Duration = Duration::from_micros(1);

    fn clock() -> BoardClock {
        let mut clock = BoardClock::new();
        clock.configure(1_000, 100 * MICRO);
        clock
    }

    #[test]
    fn carries_a_sample_forward_and_wraps() {
        let mut clock = clock();
        assert_eq!(clock.estimate(MICRO), None);
        assert!(!clock.fresh(MICRO));
        clock.observe(Tick::from_low_bits(0xff_fffe), 10 * MICRO);
        assert_eq!(clock.estimate(15 * MICRO), Some(Tick::from_low_bits(3)));
        assert!(clock.fresh(110 * MICRO));
        assert!(!clock.fresh(111 * MICRO));
    }

    #[test]
    fn an_overtaken_answer_does_not_set_the_clock_back() {
        let mut clock = clock();
        clock.observe(Tick::from_low_bits(100), 10 * MICRO);
        clock.observe(Tick::from_low_bits(90), 11 * MICRO);
        assert_eq!(clock.last(), Some(Tick::from_low_bits(100)));
    }

    #[test]
    fn a_lagging_board_sets_the_estimate_back() {
        let mut clock = clock();
        clock.observe(Tick::from_low_bits(100), Duration::ZERO);
        assert_eq!(clock.estimate(50 * MICRO), Some(Tick::from_low_bits(150)));
        clock.observe(Tick::from_low_bits(105), 50 * MICRO);
        assert_eq!(clock.estimate(50 * MICRO), Some(Tick::from_low_bits(105)));
    }

    #[test]
    fn after_a_long_silence_any_tick_is_taken() {
        let mut clock = clock();
        clock.observe(Tick::from_low_bits(100), Duration::ZERO);
        clock.observe(Tick::from_low_bits(50), Duration::from_secs(17));
        assert_eq!(clock.last(), Some(Tick::from_low_bits(50)));
    }

    #[test]
    fn upper_bound_covers_cut_ticks_and_drift() {
        assert_eq!(clock().ticks_at_most(Duration::from_nanos(999)), 2);
        assert_eq!(clock().ticks_at_most(Duration::from_millis(2)), 2_003);
    }
}
