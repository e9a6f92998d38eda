//! What a port tells of itself: numbers in an order that does not change, new ones behind.
use mneme_rdma::cm::ListenerCounters;
use mneme_rdma::node::PagedCounters;
use mneme_rdma::responder::{Counter, Responder};
use mneme_rdma::udp::PortCounters;

/// What is told of frames.
const FRAMES: [&str; 24] = [
    "frames given by the slow path",
    "frames in the ring",
    "frames in use",
    "frames that segments may still take",
    "segments",
    "audits",
    "audits that found something wrong",
    "chain loads",
    "chain stores into mapped pages",
    "chain stores into unmapped pages",
    "first touches by RDMA",
    "frames given up",
    "frames given up that were none",
    "loads and stores of unmapped pages refused",
    "addresses outside their table refused",
    "messages with a wrong secret refused",
    "accesses against a segment's rights refused",
    "lists of free ranges refused",
    "frames wanted of an empty ring",
    "frames wanted beyond a budget",
    "stores told not stored",
    "messages without room for replies",
    "pages looked up again for a repeated reply",
    "chain connections",
];

/// What is told of ping-pongs.
const PING_PONG: [&str; 3] = ["ping-pongs begun", "ping-pongs refused", "messages sent back"];

/// What is told of perftest's tests: begun, their messages, and why clients have none, or none any more.
pub const PERFTEST: [&str; 14] = [
    "tests begun",
    "messages of tests",
    "tests refused for want of a place",
    "tests refused for want of memory",
    "tests refused for nonsense",
    "tests refused for the address of another",
    "tests refused for a second queue pair",
    "tests refused for both directions",
    "tests given up as the client waits",
    "tests given up by the client",
    "tests given up after silence",
    "tests given up after an error",
    "tests refused for the share of their address",
    "tests refused for want of a way to the client",
];
/// The others were told of later.
const PERFTEST_FIRST: usize = 12;

/// Audits that ended without a result.
const MOVING: &str = "audits during which frames moved";

/// What is told of connections whose clients were silent.
const SILENCE: [&str; 3] =
    ["connections ended after silence", "probes of silent clients", "probes of silent clients answered"];

/// What is told of rates: the responder's counters from [`Counter::RateCuts`] on.
const RATES: [&str; 2] = ["rate cuts", "answers held by their rate"];
const _: () = assert!(Counter::RateCuts as usize + RATES.len() == Counter::ALL.len());

/// Names of what [`Kind::Statistics`](mneme_rdma::cm::Kind::Statistics) tells, in its order: 8 bytes each, little-endian.
pub fn statistics_names() -> impl Iterator<Item = &'static str> {
    let own = [
        "connections",
        "connections made",
        "connections refused",
        "requests for connections repeated",
        "connections ended by their clients",
        "connections whose clients were never heard of",
        "connections ended with their process",
        "connections ended by an error",
        "connections ended for another of their process",
        "connections begun anew by their clients",
        "management datagrams malformed",
        "management datagrams unexpected",
        "management datagrams without a place",
        "immediates",
        "datagrams received",
        "datagrams sent",
        "datagrams with a wrong ICRC",
        "datagrams of a wrong length",
        "datagrams too long for the way",
        "datagrams that the system did not send",
    ];
    let counters = Counter::ALL[..Counter::RateCuts as usize].iter().map(|counter| counter.name());
    // What is new comes last: clients of other versions know places, not names.
    let before = own.into_iter().chain(counters).chain(["datagrams with an identification"]).chain(FRAMES);
    let (tests, later) = PERFTEST.split_at(PERFTEST_FIRST);
    let tests = before.chain(PING_PONG).chain(["regions"]).chain(tests.iter().copied());
    tests.chain(RATES).chain([MOVING]).chain(SILENCE).chain(later.iter().copied())
}

/// Frames as they were last seen.
#[derive(Debug, Clone, Default)]
pub struct FrameCounts {
    /// Given by the slow path, in the ring, in use, that segments may still take; segments.
    pub now: [u64; 5],
    audits: [u64; 2],
    /// Audits that found nothing out, since frames moved.
    moving: u64,
}

impl FrameCounts {
    /// No audit has found something wrong.
    pub fn is_sound(&self) -> bool {
        self.audits[1] == 0
    }
    /// An audit has ended without a result, since frames moved all the time.
    pub fn moved(&mut self) {
        self.moving += 1;
    }
    /// An audit has ended.
    pub fn audited(&mut self, well: bool) {
        self.audits[0] += 1;
        self.audits[1] += u64::from(!well);
    }
}

/// Everything that is told.
#[derive(Debug)]
pub struct Counts<'a> {
    /// Connections that there are.
    pub connections: u64,
    /// Of the connection manager.
    pub listener: &'a ListenerCounters,
    /// Connections that were ended because their process had ended, because of an error, for another one, and after silence.
    pub ended: [u64; 4],
    /// Datagrams.
    pub port: &'a PortCounters,
    /// Management datagrams that found no place.
    pub management_dropped: u64,
    /// Of the responder, in the order of [`Counter::ALL`].
    pub responder: Vec<u64>,
    /// Regions that there are.
    pub regions: u64,
    /// Immediates that came, and were counted.
    pub immediates: u64,
    /// Of pages of 4 KB.
    pub frames: &'a FrameCounts,
    /// What was done to them.
    pub pages: &'a PagedCounters,
    /// Chain connections that there are.
    pub chains: u64,
    /// Ping-pongs begun, refused, and their messages.
    pub ping_pong: [u64; 3],
    /// In the order of [`PERFTEST`].
    pub perftest: [u64; PERFTEST.len()],
}

impl Counts<'_> {
    /// In the order of [`statistics_names`].
    pub fn values(&self) -> Vec<u64> {
        let (made, port, pages) = (self.listener, self.port, self.pages);
        let own = [
            self.connections,
            made.accepted,
            made.refused,
            made.repeated,
            made.disconnected,
            made.half_open,
            self.ended[0],
            self.ended[1],
            self.ended[2],
            made.stale,
            made.malformed,
            made.unexpected,
            self.management_dropped,
            self.immediates,
            port.received,
            port.sent,
            port.wrong_icrc,
            port.wrong_length,
            port.too_long,
            port.unsent,
        ];
        let pages = [
            pages.loads,
            pages.mapped_stores,
            pages.unmapped_stores,
            pages.first_touches,
            pages.freed,
            pages.freed_nothing,
            pages.unmapped,
            pages.outside,
            pages.wrong_key,
            pages.right,
            pages.bad_free,
            pages.ring_empty,
            pages.budget_spent,
            pages.not_stored,
            pages.replies_full,
            pages.looked_up_again,
            self.chains,
        ];
        let FrameCounts { now, audits, moving } = self.frames;
        let (responder, rates) = self.responder.split_at(Counter::RateCuts as usize);
        let (tests, later) = self.perftest.split_at(PERFTEST_FIRST);
        own.into_iter()
            .chain(responder.iter().copied())
            .chain([port.identified])
            .chain(*now)
            .chain(*audits)
            .chain(pages)
            .chain(self.ping_pong)
            .chain([self.regions])
            .chain(tests.iter().copied())
            .chain(rates.iter().copied())
            .chain([*moving])
            .chain([self.ended[3], made.probes, made.probes_answered])
            .chain(later.iter().copied())
            .collect()
    }
}

/// What a responder has counted, in the order of [`Counter::ALL`].
pub fn counted(responder: &Responder) -> Vec<u64> {
    let counters = responder.counters();
    Counter::ALL.iter().map(|counter| counters.get(*counter)).collect()
}
