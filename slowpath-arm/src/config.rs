//! What the slow path is told at boot: addresses, times, limits. Everything that grows has a bound here.
use crate::classes::{CLASSES, ClassRate};
use crate::groups::{GROUPS, GroupShare};
use crate::keys::Secret;
use mneme_auth::{SecretKey, TenantList};
use mneme_wire::{DEFAULT_UDP_PORT, TagMode};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha12Rng;
use std::time::Duration;

/// Settings of one board's slow path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The board's identity, the same across boots.
    pub board_id: u64,
    /// What the board is, told by the BOARD_KIND counter: 1 software, 2 RTL in simulation, 3 hardware.
    pub board_kind: u32,
    /// MAC address.
    pub mac: [u8; 6],
    /// IPv4 address.
    pub ip: [u8; 4],
    /// UDP port.
    pub udp_port: u16,
    /// The fast path's window in ticks, below 2^22.
    pub window_ticks: u32,
    /// Nanoseconds that a tick lasts for the board's clients (hardware: 2,048 cycles of 4 ns).
    pub ns_per_tick: u32,
    /// The slow path's own window in nanoseconds of board time (contracts §4: 1 s).
    pub slow_window_ns: u64,
    /// Hint of the fast path's BUSY answers, and of the slow path's, in nanoseconds.
    pub busy_hint_ns: u32,
    /// Where tokens and the boot nonce come from: fresh entropy on a real board, the run's seed in a simulation.
    pub seed: [u8; 32],
    /// What keys of tags are made of, on boards with trailers.
    pub secret: Secret,
    /// Which requests need a tag; boards without trailers know none.
    pub tag_mode: TagMode,
    /// The board's static key, which clients know: without it the board serves no secure OPEN.
    pub board_key: Option<SecretKey>,
    /// Who may use a board that serves secure OPENs; [`SlowPath::set_tenants`](crate::SlowPath::set_tenants) changes it.
    pub tenants: TenantList,
    /// What each service class may ask of the fast path, by its number. Class 15 is the boards'.
    pub classes: [ClassRate; CLASSES],
    /// What each share group has for itself, by its number. Which class is of which group the tenants' lines say.
    pub shares: [GroupShare; GROUPS],
    /// Nanoseconds of board time that the keys of tags are the current ones; they are valid for as long once more. 0: for good.
    pub key_period_ns: u64,
    /// `REPLACE_STATUS` reads after which a replace command counts as stuck.
    pub replace_patience: u32,
    /// Somebody serves the queue pairs that are software's on a board with a RoCEv2 port: their frames are kept for
    /// [`Slow::take_roce`](crate::Slow::take_roce), up to 64 of management and 64 others. Else the fast path drops them.
    pub roce: bool,
    /// Bounds.
    pub limits: Limits,
}

impl Config {
    /// Settings for a board with hardware's tick, default port and limits. The window is 8 × 25 µs in ticks. The
    /// secret is drawn from the seed; no request needs a tag.
    pub fn new(board_id: u64, mac: [u8; 6], ip: [u8; 4], seed: [u8; 32]) -> Config {
        let mut secret = [0; 32];
        let mut rng = ChaCha12Rng::from_seed(seed);
        rng.set_stream(2);
        rng.fill_bytes(&mut secret);
        Config {
            board_id,
            board_kind: 3,
            mac,
            ip,
            udp_port: DEFAULT_UDP_PORT,
            window_ticks: 25,
            ns_per_tick: 8192,
            slow_window_ns: 1_000_000_000,
            busy_hint_ns: 20_000,
            seed,
            secret: Secret::new(secret),
            tag_mode: TagMode::None,
            board_key: None,
            tenants: TenantList::default(),
            classes: [ClassRate::default(); CLASSES],
            shares: [GroupShare::default(); GROUPS],
            key_period_ns: 3_600_000_000_000,
            replace_patience: 1 << 16,
            roce: false,
            limits: Limits::default(),
        }
    }

    /// The same with ticks of so many nanoseconds, and with a fast path's window of this long at least (16 ticks or more, below
    /// 2^22). The slow path's own window and the hint of BUSY answers become those of a board with such a window.
    pub fn timed(self, ns_per_tick: u32, window: Duration) -> Config {
        let window_ns = u64::try_from(window.as_nanos()).unwrap_or(u64::MAX);
        Config {
            ns_per_tick,
            window_ticks: window_ns.div_ceil(u64::from(ns_per_tick.max(1))).clamp(16, (1 << 22) - 1) as u32,
            slow_window_ns: window_ns.saturating_mul(4).max(self.slow_window_ns),
            busy_hint_ns: (window_ns / 256).clamp(20_000, 10_000_000) as u32,
            ..self
        }
    }

    /// Ticks that a generation of keys is the current one; 0: for good.
    pub fn key_period_ticks(&self) -> u64 {
        self.key_period_ns.div_ceil(u64::from(self.ns_per_tick.max(1)))
    }

    /// The slow path's window in ticks: at least the fast path's, and short enough that ages never wrap.
    pub fn slow_window_ticks(&self) -> u32 {
        let ticks = self.slow_window_ns / u64::from(self.ns_per_tick.max(1));
        (ticks.min((1 << 22) - 1) as u32).max(self.window_ticks)
    }
}

/// Bounds of everything that clients can make grow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Processes open at once, and pids waiting to be usable again. A tenant has its share of either ([`crate::share`]).
    pub processes: usize,
    /// Processes open at once of one tenant, however few the others have.
    pub tenant_processes: usize,
    /// Ranges of one process, those that wait for their address to be usable again included.
    pub ranges_per_process: usize,
    /// Freed ranges of all processes that wait for their address to be usable again. A tenant has its share of them.
    pub quarantine: usize,
    /// Page-table slots that one tenant can have; `None`: no bound but the table and its share of each bucket.
    pub tenant_slots: Option<u64>,
    /// Pages that one tenant may ever have written to: allocated pages that are or were writable. `None`: no bound.
    pub tenant_pages: Option<u64>,
    /// Slots of one bucket that one tenant can have (architecture §4: half of 8).
    pub bucket_share: u8,
    /// Answers remembered for retried requests. A source has its share of them.
    pub answers: usize,
    /// Frames that wait for room in the ring towards the network.
    pub outbox: usize,
    /// Frames served by one poll.
    pub frames_per_poll: usize,
    /// Pages that one walk of a search for a virtual range may look at.
    pub search_probes: u64,
    /// Pages a second that the searches of one source may look at for nothing, and one walk's at once.
    pub search_rate: u64,
    /// Answers a second that tell one address of refusals, and at most at once a twentieth of that. What is more is counted
    /// and not sent, as with ICMP's errors (RFC 1812 §4.3.2.8): who floods a board with what it must refuse has nothing
    /// sent back at its own pace.
    pub refusal_rate: u32,
    /// Pages of memory that are kept for each tenant, and for one that is not here yet. `None`: a sixteenth of all.
    pub tenant_reserve: Option<u64>,
    /// More pages may be allocated writable than memory has. Then a first write may find none left, whoever it is.
    pub overcommit: bool,
    /// Secure OPENs a second of one source address that may turn out to be nobody's, and a second's worth of them at once.
    pub unproven_opens: u64,
    /// Longest lease in nanoseconds; longer wishes get this one.
    pub lease_max_ns: u64,
    /// Shortest lease in nanoseconds; shorter wishes are refused.
    pub lease_min_ns: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            processes: 4096,
            tenant_processes: 4096,
            ranges_per_process: 1 << 16,
            quarantine: 1 << 16,
            tenant_slots: None,
            tenant_pages: None,
            bucket_share: 4,
            answers: 1 << 15,
            outbox: 64,
            frames_per_poll: 16,
            search_probes: 1 << 20,
            search_rate: 1 << 21,
            refusal_rate: 20_000,
            tenant_reserve: None,
            overcommit: false,
            unproven_opens: 100,
            lease_max_ns: 86_400_000_000_000,
            lease_min_ns: 10_000_000,
        }
    }
}
