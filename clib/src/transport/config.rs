//! Settings of the transport.
use super::nanos::Nanos;
use std::time::Duration;

/// How long the slow path remembers its answers, and how old a slow-path request may be, unless four fast-path windows
/// are longer (contracts §4).
pub const SLOW_WINDOW: Duration = Duration::from_secs(1);

/// Bounds and timers of a [`Transport`](super::Transport). All durations are of the clock that the driver gives.
///
/// ```
/// use mneme_clib::TransportConfig;
/// use std::time::Duration;
///
/// let impatient = TransportConfig { give_up: Duration::from_millis(500), ..TransportConfig::default() };
/// assert_eq!(impatient.packets_in_flight, 64);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransportConfig {
    /// Operations that the transport holds at most, and the bound of the congestion window; how many are on the way
    /// follows from that window and `incast_bytes`. What keeps leases and keys has a few places besides.
    pub packets_in_flight: usize,
    /// A longer round trip counts as congestion, unless an eighth of the board's window is longer still. On sockets the
    /// processor's scheduling is part of it.
    pub target_rtt: Duration,
    /// Whether the congestion window may fall below one request, so that packets are paced. Wrong where a long round
    /// trip is more likely a busy processor than a busy network.
    pub paces: bool,
    /// Bytes of answers that may be on the way at most: the incast window. One larger answer comes alone.
    pub incast_bytes: usize,
    /// The retransmission timeout before the first round trip was measured.
    pub first_timeout: Duration,
    /// The retransmission timeout never falls below this.
    pub min_timeout: Duration,
    /// The retransmission timeout, backed off, never grows past this.
    pub max_timeout: Duration,
    /// An operation that did not end by then fails, counted from the moment when it was given to the transport. But a
    /// write or atomic waits for room in the board's retry filter as long as the board answers others. It has half of this
    /// time from its first attempt on, or two timers where those are longer, and if the filter refuses it, all of this time or the board's window.
    pub give_up: Duration,
    /// A BUSY answer never delays an attempt by more, whatever its hint says. But after PENDING the board answers the
    /// attempt that it has: that is waited for as long as a page fault may wait, a quarter of the board's window.
    pub max_busy_wait: Duration,
    /// How long an answer's tick may be carried forward with the advertised tick length before the board is asked
    /// again.
    ///
    /// `None`: an eighth of the window. A simulated board's tick may lag behind the advertised one, and a request whose
    /// time is ahead of the board by more than a quarter of the window is not served, so the error must stay below
    /// that. Hardware keeps its tick to some 100 ppm: there a tenth of a second is safe and saves a probe after each
    /// pause.
    pub clock_trust: Option<Duration>,
}

/// The timers of a [`TransportConfig`] as the transport counts.
#[derive(Debug)]
pub(super) struct Timers {
    pub(super) first: Nanos,
    pub(super) min: Nanos,
    pub(super) max: Nanos,
    pub(super) give_up: Nanos,
    pub(super) max_busy_wait: Nanos,
}

impl Timers {
    pub(super) fn of(config: &TransportConfig) -> Timers {
        Timers {
            first: config.first_timeout.into(),
            min: config.min_timeout.into(),
            max: config.max_timeout.into(),
            give_up: config.give_up.into(),
            max_busy_wait: config.max_busy_wait.into(),
        }
    }
}

impl Default for TransportConfig {
    /// For sockets: wall-clock time, boards in hardware or simulated ones that may be a hundred times slower.
    fn default() -> Self {
        TransportConfig {
            packets_in_flight: 64,
            target_rtt: Duration::from_micros(500),
            paces: false,
            incast_bytes: 256 << 10,
            first_timeout: Duration::from_millis(100),
            min_timeout: Duration::from_millis(5),
            max_timeout: Duration::from_secs(1),
            give_up: Duration::from_secs(5),
            max_busy_wait: Duration::from_millis(100),
            clock_trust: None,
        }
    }
}

impl TransportConfig {
    /// For a board in the same process, whose driver counts the board's own time (4 ns a cycle).
    pub fn board_time() -> Self {
        TransportConfig {
            packets_in_flight: 64,
            target_rtt: Duration::from_micros(25),
            paces: true,
            incast_bytes: 256 << 10,
            first_timeout: Duration::from_micros(50),
            min_timeout: Duration::from_micros(10),
            max_timeout: Duration::from_millis(1),
            give_up: Duration::from_millis(20),
            max_busy_wait: Duration::from_micros(100),
            clock_trust: None,
        }
    }
}
