//! The board's tick, followed from its answers.
use super::nanos::Nanos;
use mneme_wire::Tick;
use mneme_wire::trailer::{full_time, upper};

/// Samples older than this many ticks no longer order new ones: half of what a signed 24-bit difference can tell.
const ORDER_LIMIT: u64 = 1 << 22;
/// A board's tick may be this far ahead of what is expected of it, as its clock and the client's may differ.
const AHEAD: u64 = 1 << 20;
/// How many ticks an answer tells from each other.
const TICKS: u64 = 1 << 24;

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
    /// With the bits that answers do not tell.
    sample: Option<(u64, Nanos)>,
    /// The sample was no older than this when it came.
    late: Nanos,
    ns_per_tick: u32,
    trust: Nanos,
    /// For so long a tick of 24 bits says which one it is without a look at the clock.
    plain: Nanos,
    /// The newest tick that somebody told who has proven nothing: handshakes, which prove it themselves, go by it.
    told: Option<(Tick, Nanos)>,
}

impl BoardClock {
    /// A clock that knows nothing.
    pub(super) fn new() -> Self {
        BoardClock {
            sample: None,
            late: Nanos::ZERO,
            ns_per_tick: 1,
            trust: Nanos::ZERO,
            plain: Nanos::ZERO,
            told: None,
        }
    }
    /// Sets the tick length (1 ns at least) and how long a sample may be carried forward.
    pub(super) fn configure(&mut self, ns_per_tick: u32, trust: Nanos) {
        self.ns_per_tick = ns_per_tick.max(1);
        self.trust = trust;
        self.plain = self.span_of(ORDER_LIMIT);
    }
    /// Forgets the samples: another boot counts from elsewhere.
    pub(super) fn reset(&mut self) {
        self.sample = None;
        self.told = None;
    }
    /// Takes the tick of an answer that proves nothing.
    pub(super) fn hear(&mut self, tick: Tick, now: Nanos) {
        self.told = Some((tick, now));
    }
    /// The tick for a handshake: as the last answer told it, proven or not. Whoever tells a wrong one makes the handshake fail, as
    /// whoever keeps its answer does.
    ///
    /// While no key is good, as after a roll, no answer is proven. The tick of a board that lags would run away from an estimate
    /// that nothing sets back, and each handshake seem to come from the future.
    pub(super) fn for_handshake(&self, now: Nanos) -> Option<u64> {
        let estimate = self.estimate_full(now)?;
        let newer = |(_, at): &(Tick, Nanos)| self.sample.is_some_and(|(_, proven)| proven < *at);
        let Some((tick, at)) = self.told.filter(newer) else { return Some(estimate) };
        // The board's tick is never far ahead of the estimate. It may be far behind.
        let then = estimate.wrapping_sub(self.ticks_in(now - at));
        let behind = then.wrapping_sub(u64::from(tick.get())) % TICKS;
        let ahead = TICKS - behind;
        Some(if ahead <= AHEAD { estimate.wrapping_add(ahead) } else { estimate.wrapping_sub(behind) })
    }
    /// Takes the tick of an answer that arrived now, so long after what it answers had left. One that was overtaken by a
    /// newer tick is ignored.
    #[inline]
    pub(super) fn observe(&mut self, tick: Tick, now: Nanos, rtt: Nanos) {
        let Some((last, at)) = self.sample else {
            (self.sample, self.late) = (Some((tick.get().into(), now)), rtt);
            return;
        };
        // Most answers come soon, and need no division.
        let expected = if now - at <= self.plain { last } else { last.wrapping_add(self.ticks_in(now - at)) };
        let told = full_time(expected, tick);
        if told >= last || self.ticks_in(now - at) >= ORDER_LIMIT {
            (self.sample, self.late) = (Some((told, now)), rtt);
        }
    }
    /// Takes a tick with all its bits, unless a newer one is known. The answer that told it has told its lower bits before.
    pub(super) fn observe_full(&mut self, tick: u64, now: Nanos) {
        let newer = |(last, at): (u64, Nanos)| tick >= last || self.ticks_in(now - at) >= ORDER_LIMIT;
        // Whoever did not know the upper bits knows them now.
        let others = |(last, _): (u64, Nanos)| upper(last) != upper(tick);
        if self.sample.is_none_or(|sample| newer(sample) || others(sample)) {
            self.late = self.sample.map_or(Nanos::ZERO, |(_, at)| self.late + (now - at));
            self.sample = Some((tick, now));
        }
    }
    /// The newest tick that the board told: it is certainly past this one.
    pub fn last(&self) -> Option<Tick> {
        self.sample.map(|(tick, _)| Tick::from_low_bits(tick as u32))
    }
    /// The same with all its bits, and when it came.
    #[inline]
    pub(super) fn sample(&self) -> Option<(u64, Nanos)> {
        self.sample
    }
    /// The tick now, if the board keeps the advertised tick length.
    #[inline]
    pub(super) fn estimate(&self, now: Nanos) -> Option<Tick> {
        self.estimate_full(now).map(|tick| Tick::from_low_bits(tick as u32))
    }
    /// The same with all its bits, the upper ones as PING and OPEN have told them.
    #[inline]
    pub(super) fn estimate_full(&self, now: Nanos) -> Option<u64> {
        let (tick, at) = self.sample?;
        Some(tick.wrapping_add(self.ticks_in(now - at)))
    }
    /// Whether the estimate is young enough to be sent as the time of a first attempt.
    #[inline]
    pub(super) fn fresh(&self, now: Nanos) -> bool {
        self.sample.is_some_and(|(_, at)| now - at <= self.trust)
    }
    /// How old the sample may have been when it came. The board's tick was ahead of the estimate by that much at most, unless
    /// the client's clock stood still since.
    #[inline]
    pub(super) fn late(&self) -> Nanos {
        self.late
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
    /// By how many ticks the time of a first attempt may lag behind the board's, if its sample was so late at most.
    pub(super) fn lag(&self, late: Nanos) -> u64 {
        self.ticks_at_most(late).saturating_add(self.ticks_at_most(self.trust) - self.ticks_in(self.trust))
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
        clock.observe(Tick::from_low_bits(0xff_fffe), 10 * MICRO, MICRO);
        assert_eq!(clock.estimate(15 * MICRO), Some(Tick::from_low_bits(3)));
        assert!(clock.fresh(110 * MICRO));
        assert!(!clock.fresh(111 * MICRO));
    }

    #[test]
    fn an_overtaken_answer_does_not_set_the_clock_back() {
        let mut clock = clock();
        clock.observe(Tick::from_low_bits(100), 10 * MICRO, MICRO);
        clock.observe(Tick::from_low_bits(90), 11 * MICRO, MICRO);
        assert_eq!(clock.last(), Some(Tick::from_low_bits(100)));
    }

    #[test]
    fn a_lagging_board_sets_the_estimate_back() {
        let mut clock = clock();
        clock.observe(Tick::from_low_bits(100), Nanos::ZERO, MICRO);
        assert_eq!(clock.estimate(50 * MICRO), Some(Tick::from_low_bits(150)));
        clock.observe(Tick::from_low_bits(105), 50 * MICRO, MICRO);
        assert_eq!(clock.estimate(50 * MICRO), Some(Tick::from_low_bits(105)));
    }

    #[test]
    fn after_a_long_silence_any_tick_is_taken() {
        let mut clock = clock();
        clock.observe(Tick::from_low_bits(100), Nanos::ZERO, MICRO);
        clock.observe(Tick::from_low_bits(50), 17_000_000 * MICRO, MICRO);
        assert_eq!(clock.last(), Some(Tick::from_low_bits(50)));
    }

    #[test]
    fn the_upper_bits_are_carried_over_wraps_and_long_pauses() {
        let mut clock = clock();
        clock.observe_full(0x12_00ff_fff0, 10 * MICRO);
        assert_eq!(clock.estimate_full(42 * MICRO), Some(0x12_0100_0010));
        clock.observe(Tick::from_low_bits(0x20), 50 * MICRO, MICRO);
        assert_eq!(clock.estimate_full(50 * MICRO), Some(0x12_0100_0020));
        clock.observe(Tick::from_low_bits(0x1f), 51 * MICRO, MICRO);
        assert_eq!(clock.estimate_full(50 * MICRO), Some(0x12_0100_0020), "overtaken");
        // Three times the range of 24 bits later, and a little less than the client's clock says.
        let later = (50 + (3 << 24)) * MICRO;
        clock.observe(Tick::from_low_bits(0x10), later, MICRO);
        assert_eq!(clock.estimate_full(later), Some(0x12_0400_0010));
        clock.observe_full(0x77_0400_0011, later);
        assert_eq!(clock.estimate_full(later), Some(0x77_0400_0011), "another life counts from elsewhere");
    }

    #[test]
    fn a_handshake_goes_by_the_tick_that_was_told_last() {
        let mut clock = clock();
        clock.hear(Tick::from_low_bits(7), MICRO);
        assert_eq!(clock.for_handshake(MICRO), None, "nothing is known of the upper bits");
        clock.observe_full(0x12_00ff_fff0, 10 * MICRO);
        assert_eq!(clock.for_handshake(20 * MICRO), Some(0x12_00ff_fffa), "older than what is proven");
        // The board has come 32 ticks far in a second.
        clock.hear(Tick::from_low_bits(0x10), 1_000_010 * MICRO);
        assert_eq!(clock.for_handshake(1_000_012 * MICRO), Some(0x12_0100_0012));
        assert_eq!(
            clock.estimate_full(1_000_012 * MICRO),
            Some(0x12_00ff_fff0 + 1_000_002),
            "that is not proven"
        );
        // A little faster than the client's clock.
        clock.hear(Tick::from_low_bits(0xff_fff0 + 1_000_010), 1_000_013 * MICRO);
        assert_eq!(clock.for_handshake(1_000_013 * MICRO), Some(0x12_00ff_fff0 + 1_000_010));
        clock.observe(Tick::from_low_bits(0x20), 1_000_014 * MICRO, MICRO);
        assert_eq!(clock.for_handshake(1_000_014 * MICRO), Some(0x12_0100_0020), "proven");
        clock.reset();
        assert_eq!(clock.for_handshake(1_000_015 * MICRO), None);
    }

    #[test]
    fn upper_bound_covers_cut_ticks_and_drift() {
        assert_eq!(clock().ticks_at_most(Nanos(999)), 2);
        assert_eq!(clock().ticks_at_most(2_000 * MICRO), 2_003);
    }
}
