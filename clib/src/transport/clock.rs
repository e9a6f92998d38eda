//! The board's tick, followed from its answers.
use super::nanos::Nanos;
use mneme_wire::Tick;

/// Samples older than this many ticks no longer order new ones: half of what a signed 24-bit difference can tell.
const ORDER_LIMIT: u64 = 1 << 22;

/// The newest tick that the board told, carried forward by the client's clock.
///
/// The estimate may be ahead of a board whose tick lags; how old the sample may be bounds by how much. It is never ahead of
/// a board that keeps the advertised tick length, since an answer's tick is older than its arrival.
///
/// ```
/// use mneme_clib::transport::{Transport, TransportConfig};
///
/// let transport = Transport::new(TransportConfig::default(), 1);
/// assert_eq!(transport.clock().last(), None, "no answer has come yet");
/// ```
#[derive(Debug, Clone)]
pub struct BoardClock {
    sample: Option<(Tick, Nanos)>,
    ns_per_tick: u32,
    trust: Nanos,
}

impl BoardClock {
    /// A clock that knows nothing.
    pub(super) fn new() -> Self {
        BoardClock { sample: None, ns_per_tick: 1, trust: Nanos::ZERO }
    }
    /// Sets the tick length (1 ns at least) and how long a sample may be carried forward.
    pub(super) fn configure(&mut self, ns_per_tick: u32, trust: Nanos) {
        self.ns_per_tick = ns_per_tick.max(1);
        self.trust = trust;
    }
    /// Forgets the samples: another boot counts from elsewhere.
    pub(super) fn reset(&mut self) {
        self.sample = None;
    }
    /// Takes the tick of an answer that arrived now. One that was overtaken by a newer tick is ignored.
    #[inline]
    pub(super) fn observe(&mut self, tick: Tick, now: Nanos) {
        // The order first: most answers are newer, and need no division.
        if let Some((last, at)) = self.sample
            && tick.since(last) < 0
            && self.ticks_in(now - at) < ORDER_LIMIT
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
    pub(super) fn estimate(&self, now: Nanos) -> Option<Tick> {
        let (tick, at) = self.sample?;
        Some(tick.plus((self.ticks_in(now - at) & 0xff_ffff) as u32))
    }
    /// Whether the estimate is young enough to be sent as the time of a first attempt.
    #[inline]
    pub(super) fn fresh(&self, now: Nanos) -> bool {
        self.sample.is_some_and(|(_, at)| now - at <= self.trust)
    }
    /// By how many ticks an estimate that is sent as the time of a first attempt may be wrong.
    pub(super) fn error(&self) -> u64 {
        self.ticks_in(self.trust).saturating_add(1)
    }
    /// Whole ticks of the advertised length in a time span.
    #[inline]
    pub(super) fn ticks_in(&self, span: Nanos) -> u64 {
        // A short span needs no division of 64 bits.
        match u32::try_from(span.0) {
            Ok(short) => u64::from(short / self.ns_per_tick),
            Err(_) => span.0 / u64::from(self.ns_per_tick),
        }
    }
    /// No more ticks than this can have passed on the board in a time span: clocks may differ by 1 in 1,024, and both
    /// ends of the span may cut a tick.
    pub(super) fn ticks_at_most(&self, span: Nanos) -> u64 {
        let ticks = self.ticks_in(span);
        ticks.saturating_add(ticks / 1024).saturating_add(2)
    }
    /// How long a number of ticks lasts.
    pub(super) fn span_of(&self, ticks: u64) -> Nanos {
        ticks * Nanos(self.ns_per_tick.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MICRO: Nanos = Nanos::from_micros(1);

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
        clock.observe(Tick::from_low_bits(100), Nanos::ZERO);
        assert_eq!(clock.estimate(50 * MICRO), Some(Tick::from_low_bits(150)));
        clock.observe(Tick::from_low_bits(105), 50 * MICRO);
        assert_eq!(clock.estimate(50 * MICRO), Some(Tick::from_low_bits(105)));
    }

    #[test]
    fn after_a_long_silence_any_tick_is_taken() {
        let mut clock = clock();
        clock.observe(Tick::from_low_bits(100), Nanos::ZERO);
        clock.observe(Tick::from_low_bits(50), 17_000_000 * MICRO);
        assert_eq!(clock.last(), Some(Tick::from_low_bits(50)));
    }

    #[test]
    fn upper_bound_covers_cut_ticks_and_drift() {
        assert_eq!(clock().ticks_at_most(Nanos(999)), 2);
        assert_eq!(clock().ticks_at_most(2_000 * MICRO), 2_003);
    }
}
