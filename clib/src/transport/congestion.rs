//! How much may be on the way to one board: a congestion window in requests and an incast window in expected bytes.
//!
//! Delay is the signal (Clio §4.4; Swift, SIGCOMM '20): a round trip longer than [`TransportConfig::target_rtt`] says
//! that a queue is building up somewhere. The window grows by one request per round trip and shrinks in proportion to
//! the excess, once per round trip, to a half at most. It may fall below one request, where [`TransportConfig::paces`]
//! says so: then packets are paced, one every (round trip ÷ window). Answers that say that they waited for memory
//! (`slow`) are no congestion.
//!
//! The target is absolute: one relative to the shortest round trip would favour who comes late, whose shortest has the
//! others' queue in it. It is never below an eighth of the board's time window, which says how fast a board is: 25 µs
//! in hardware, far longer on simulated boards. Windows of less than four requests bear more, up to three times as
//! much, so that those with large windows give way first. Where packets are paced, a pause longer than the target
//! starts the window anew.
use super::TransportConfig;
use super::nanos::Nanos;

/// A window that may fall below one never falls below this: a packet every 64 round trips.
const SMALLEST: f64 = 1.0 / 64.0;
/// Requests that the window starts with where packets are paced, and starts with again after a pause.
const FIRST: f64 = 1.0;
/// Requests that it starts with elsewhere. There it keeps its size over a pause: a busy processor says nothing of a
/// queue.
const FIRST_UNPACED: f64 = 4.0;
/// Growth per round trip, in requests.
const INCREASE: f64 = 1.0;
/// Growth per answer while the window is below one.
const INCREASE_PACED: f64 = 0.5;
/// A window of one request bears this many targets of delay, one of four requests half as many, none more than the
/// most.
const PATIENCE: f64 = 2.0;
const MOST_PATIENT: f64 = 3.0;
/// Until the first answer after a pause first attempts are given this many targets: half of the board's time window
/// where the target comes from that, so that there is time for more attempts.
const BLIND: u64 = 4;
/// How sharply excess delay shrinks the window.
const SHARPNESS: f64 = 0.8;
/// The windows towards one board.
///
/// ```
/// use mneme_clib::transport::{CongestionWindow, TransportConfig};
///
/// let window = CongestionWindow::new(&TransportConfig::default());
/// assert!(window.requests() >= 1.0);
/// ```
#[derive(Debug, Clone)]
pub struct CongestionWindow {
    window: f64,
    largest: f64,
    smallest: f64,
    /// What it has at most after a pause.
    after_pause: f64,
    target: Nanos,
    incast_bytes: usize,
    /// 0 before the first.
    smoothed: Nanos,
    /// No answer has come since a pause: what round trips were before says nothing of them now.
    stale: bool,
    shrunk: Option<Nanos>,
    /// What the window was before timeouts shrank it, and when they did so last.
    before_timeouts: Option<(f64, Nanos)>,
    /// When the last packet left; paces while the window is below one.
    sent: Option<Nanos>,
    /// No pause between packets is longer.
    longest_pause: Nanos,
}

impl CongestionWindow {
    /// Windows with a transport's bounds.
    pub fn new(config: &TransportConfig) -> Self {
        let largest = config.packets_in_flight.max(1) as f64;
        CongestionWindow {
            window: if config.paces { FIRST } else { FIRST_UNPACED.min(largest) },
            largest,
            after_pause: if config.paces { FIRST } else { largest },
            smallest: if config.paces { SMALLEST } else { 1.0 },
            target: config.target_rtt.into(),
            incast_bytes: config.incast_bytes,
            smoothed: Nanos::ZERO,
            stale: false,
            shrunk: None,
            before_timeouts: None,
            sent: None,
            longest_pause: config.max_timeout.into(),
        }
    }
    /// Learns an eighth of the board's time window.
    pub(super) fn learn(&mut self, config: &TransportConfig, share: Nanos) {
        self.target = share.max(config.target_rtt.into());
    }
    /// The congestion window in requests.
    pub fn requests(&self) -> f64 {
        self.window
    }
    /// Whether another packet may leave, with so many packets and expected bytes on the way.
    #[inline]
    pub(super) fn allows(&self, in_flight: usize, expected: usize, more: usize, now: Nanos) -> bool {
        let congestion = if self.window >= 1.0 {
            (in_flight + 1) as f64 <= self.window
        } else {
            in_flight == 0 && self.paced_until().is_none_or(|at| at <= now)
        };
        // A single answer that is larger than the window comes alone.
        let incast = expected == 0 || expected + more <= self.incast_bytes;
        congestion && incast
    }
    /// When the next packet may leave, while packets are paced.
    pub(super) fn paced_until(&self) -> Option<Nanos> {
        let sent = self.sent.filter(|_| self.window < 1.0)?;
        Some(sent + self.smoothed.div_f64(self.window).min(self.longest_pause))
    }
    /// A packet left, with so many others on the way.
    #[inline]
    pub(super) fn sent(&mut self, in_flight: usize, now: Nanos) {
        // What a window says is old after a pause (RFC 2861): many clients that begin at once must not begin with all
        // of it.
        if in_flight == 0 && self.sent.is_some_and(|at| now - at > self.target) {
            self.window = self.window.min(self.after_pause);
            // Packets are paced.
            self.stale = self.smallest < 1.0;
        }
        self.sent = Some(now);
    }
    /// An answer came that did not wait for memory.
    #[inline]
    pub(super) fn answered(&mut self, rtt: Nanos, now: Nanos) {
        self.stale = false;
        // Seven parts of what was and one of what is.
        let was = if self.smoothed == Nanos::ZERO { rtt } else { self.smoothed };
        self.smoothed = (7 * was + rtt) / 8;
        // A large window has no patience, and one that is as large as it may be does not grow.
        if rtt <= self.target && self.window >= self.largest {
            return;
        }
        let target = self.own_target();
        if rtt <= target {
            let more = if self.window >= 1.0 { INCREASE / self.window } else { INCREASE_PACED };
            self.window = (self.window + more).min(self.largest);
        } else {
            let excess = (rtt - target).0 as f64 / rtt.0 as f64;
            self.before_timeouts = None;
            self.shrink((1.0 - SHARPNESS * excess).max(0.5), now);
        }
    }
    /// The target for a window of this size: the smaller, the more patient, so that among many clients those with large
    /// windows give way first (Swift's flow scaling, SIGCOMM '20, 3.5).
    fn own_target(&self) -> Nanos {
        self.target.mul_f64((PATIENCE / self.window.sqrt()).clamp(1.0, MOST_PATIENT))
    }
    /// No answer is missing before this. After a pause what was measured before says nothing: many clients that begin
    /// at once are each other's queue, and copies of what waits in it would make it overflow.
    #[inline]
    pub(super) fn least_timeout(&self) -> Nanos {
        if self.stale { BLIND * self.target } else { Nanos::ZERO }
    }
    /// An answer did not come in time.
    pub(super) fn timed_out(&mut self, now: Nanos) {
        // Timers of one queue, or of one wait on the board, fire one after the other.
        let same = self.before_timeouts.filter(|(_, at)| now - *at <= self.target);
        self.before_timeouts = Some((same.map_or(self.window, |(window, _)| window), now));
        self.shrink(0.5, now);
    }
    /// A timer was too short: the board has what it waited for, so it was no sign of loss (RFC 4015). A long queue
    /// tells of itself by its delay.
    pub(super) fn was_not_lost(&mut self, now: Nanos) {
        let recent = self.before_timeouts.take().filter(|(_, at)| now - *at <= self.target);
        self.window = recent.map_or(self.window, |(window, _)| self.window.max(window));
    }
    fn shrink(&mut self, by: f64, now: Nanos) {
        // One queue is one signal, however many answers tell of it.
        if self.shrunk.is_none_or(|at| now - at > self.smoothed) {
            self.window = (self.window * by).max(self.smallest);
            self.shrunk = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const US: Nanos = Nanos::from_micros(1);

    fn window(packets: usize) -> CongestionWindow {
        let config = TransportConfig {
            packets_in_flight: packets,
            target_rtt: Duration::from_micros(150),
            incast_bytes: 3_000,
            paces: true,
            ..TransportConfig::default()
        };
        CongestionWindow::new(&config)
    }

    #[test]
    fn grows_by_one_request_a_round_trip_up_to_the_bound() {
        let mut window = window(32);
        assert_eq!(window.requests(), FIRST);
        let mut now = Nanos::ZERO;
        for _ in 0..10 {
            let before = window.requests();
            // A window of two and a half has two on the way: a round trip of answers is its whole part.
            let answers = before.floor();
            for _ in 0..answers as u32 {
                now += US;
                window.answered(100 * US, now);
            }
            let grown = window.requests() - before;
            assert!(grown >= answers / (before + 1.0) && grown <= answers / before, "{before}: {grown}");
        }
        assert!(window.requests() > 8.0, "{}", window.requests());
        (0..1_000).for_each(|_| window.answered(100 * US, now));
        assert_eq!(window.requests(), 32.0);
    }

    #[test]
    fn shrinks_once_a_round_trip_and_falls_below_one() {
        let mut window = window(8);
        window.answered(100 * US, 100 * US);
        let before = window.requests();
        window.answered(400 * US, 500 * US);
        let once = window.requests();
        assert!(once < before && once >= before / 2.0);
        window.answered(400 * US, 501 * US);
        assert_eq!(window.requests(), once, "the same queue again");
        let mut now = 501 * US;
        for _ in 0..40 {
            now += 1_000 * US;
            window.answered(800 * US, now);
        }
        assert_eq!(window.requests(), SMALLEST);
        assert!(!window.allows(1, 0, 0, now), "one is on the way");
        window.sent(0, now);
        assert!(!window.allows(0, 0, 0, now + US));
        let at = window.paced_until().expect("paced");
        assert!(at >= now + 60 * 700 * US && window.allows(0, 0, 0, at));
    }

    #[test]
    fn a_pause_ends_what_a_window_says() {
        let mut window = window(8);
        (0..100).for_each(|n| window.answered(100 * US, n * US));
        assert_eq!(window.requests(), 8.0);
        window.sent(0, 1_000 * US);
        window.sent(0, 1_150 * US);
        assert_eq!(window.requests(), 8.0, "a target's length is no pause");
        window.sent(1, 2_000 * US);
        assert_eq!(window.requests(), 8.0, "nor is waiting for an answer");
        assert_eq!(window.least_timeout(), Nanos::ZERO);
        window.sent(0, 2_151 * US);
        assert_eq!(window.requests(), FIRST);
        assert_eq!(window.least_timeout(), 600 * US, "timers are blind");
        window.answered(100 * US, 2_300 * US);
        assert_eq!(window.least_timeout(), Nanos::ZERO);
        let mut unpaced = CongestionWindow::new(&TransportConfig::default());
        assert_eq!(unpaced.requests(), FIRST_UNPACED);
        unpaced.sent(0, Nanos::ZERO);
        unpaced.sent(0, 9_000_000 * US);
        assert_eq!(
            (unpaced.requests(), unpaced.least_timeout()),
            (FIRST_UNPACED, Nanos::ZERO),
            "sockets keep it"
        );
        (3..20).for_each(|n| window.timed_out(n * 1_000 * US));
        window.sent(0, 30_000 * US);
        assert_eq!(window.requests(), SMALLEST, "a pause opens nothing");
    }

    #[test]
    fn large_windows_give_way_first() {
        let (mut small, mut large) = (window(32), window(32));
        (0..1_000).for_each(|n| large.answered(100 * US, n * US));
        let now = 2_000 * US;
        // Between the target of a large window (150 µs) and that of a window of one (300 µs).
        large.answered(250 * US, now);
        small.answered(250 * US, now);
        assert!(large.requests() < 32.0 && small.requests() > FIRST);
        let before = small.requests();
        small.answered(500 * US, now + 1_000 * US);
        assert!(small.requests() < before, "no window bears any delay");
    }

    #[test]
    fn loss_halves_and_the_incast_window_counts_bytes() {
        let mut window = window(8);
        (0..100).for_each(|n| window.answered(100 * US, n * US));
        window.timed_out(1_000 * US);
        assert_eq!(window.requests(), 4.0);
        window.timed_out(1_010 * US);
        assert_eq!(window.requests(), 4.0);
        assert!(window.allows(3, 2_000, 1_000, US) && !window.allows(3, 2_001, 1_000, US));
        assert!(window.allows(0, 0, 9_000, US), "a large answer alone");
        assert!(!window.allows(4, 0, 0, US));
    }

    #[test]
    fn a_timeout_that_was_no_loss_is_taken_back_while_it_is_recent() {
        let full = || {
            let mut window = window(8);
            (0..100).for_each(|n| window.answered(100 * US, n * US));
            window
        };
        let mut once = full();
        once.timed_out(1_000 * US);
        // The next timer fires after a round trip, and shrinks it again.
        once.timed_out(1_140 * US);
        assert_eq!(once.requests(), 2.0);
        once.was_not_lost(1_150 * US);
        assert_eq!(once.requests(), 8.0);
        once.was_not_lost(1_150 * US);
        assert_eq!(once.requests(), 8.0, "nothing is left to be taken back");
        let mut old = full();
        old.timed_out(1_000 * US);
        old.was_not_lost(1_151 * US);
        assert_eq!(old.requests(), 4.0, "that was another wait");
        let mut queue = full();
        queue.timed_out(1_000 * US);
        queue.answered(600 * US, 1_001 * US);
        let shrunk = queue.requests();
        queue.was_not_lost(1_010 * US);
        assert_eq!(queue.requests(), shrunk, "there is a queue as well");
    }

    #[test]
    fn a_slow_board_has_a_longer_target() {
        let mut window = window(8);
        let config = TransportConfig { target_rtt: Duration::from_micros(150), ..TransportConfig::default() };
        window.learn(&config, 25 * US);
        window.answered(400 * US, 1_000 * US);
        assert!(window.requests() < FIRST);
        window.learn(&config, 62_000 * US);
        (0..100).for_each(|_| window.answered(10_000 * US, 2_000 * US));
        assert_eq!(window.requests(), 8.0);
    }
}
