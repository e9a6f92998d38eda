//! How clients and processes are made.
use crate::credentials::Credentials;
use crate::transport::{Integrity, TransportConfig};
use std::time::Duration;

/// How a client behaves.
///
/// ```
/// use mneme_clib::{ClientOptions, TransportConfig};
/// use std::time::Duration;
///
/// let transport = TransportConfig { give_up: Duration::from_secs(20), ..TransportConfig::default() };
/// let patient = ClientOptions { transport, background: true, ..ClientOptions::default() };
/// assert_eq!(patient.most_outstanding, 1024);
/// ```
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// Timers and bounds.
    pub transport: TransportConfig,
    /// Where operation ids and lock tokens come from; `None`: from the system's randomness. A fixed seed replays a run,
    /// but two clients on one source address and port must not share one.
    pub seed: Option<u64>,
    /// Bytes of the largest payload, where the path carries less than the board and the system does not know it.
    pub largest_payload: Option<u16>,
    /// Most asynchronous calls that have not ended, or whose results nobody took yet.
    pub most_outstanding: usize,
    /// Most bytes that they read and write together.
    pub most_outstanding_bytes: usize,
    /// What packets carry against damage and forgery.
    pub integrity: Integrity,
    /// Who the client is to boards, and which boards it believes: what [`Integrity::Tag`] needs. Refused without it, since nothing
    /// would be proven.
    pub credentials: Option<Credentials>,
    /// Whether asynchronous calls go on, and lost packets are sent again, though nobody waits, polls or calls: a thread
    /// of the client's does that. Not for drivers whose time stands still while nobody calls.
    pub background: bool,
}

impl Default for ClientOptions {
    fn default() -> Self {
        ClientOptions {
            transport: TransportConfig::default(),
            seed: None,
            largest_payload: None,
            most_outstanding: 1024,
            most_outstanding_bytes: 16 << 20,
            integrity: Integrity::None,
            credentials: None,
            background: false,
        }
    }
}

/// How to open a process.
///
/// ```no_run
/// # fn example(client: &mneme_clib::Client) -> mneme_clib::Result<()> {
/// use mneme_clib::OpenOptions;
/// use std::time::Duration;
///
/// let process = client.open(OpenOptions { lease: Some(Duration::from_secs(5)), ..OpenOptions::default() })?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenOptions {
    /// The pid wanted; `None`: any that is free. A board with tags denies one whose keys somebody else may still know.
    pub pid: Option<u32>,
    /// How long the process outlives its clients: the board reclaims it, with its memory, when no client has kept it for
    /// so long (the board may set a shorter bound). A client keeps the processes of which it has a handle, in the
    /// background; one that is killed, or cut off, does not. `None`: it stays until somebody exits it, or the board
    /// restarts.
    pub lease: Option<Duration>,
    /// On which of the client's boards it has memory.
    pub lanes: LaneSet,
}

/// The lease of processes for which none is asked.
pub const DEFAULT_LEASE: Duration = Duration::from_secs(30);

impl Default for OpenOptions {
    /// Any pid, a lease of 30 s, on all boards that the client has at the time.
    fn default() -> Self {
        OpenOptions { pid: None, lease: Some(DEFAULT_LEASE), lanes: LaneSet::ALL }
    }
}

/// Boards that a client may have at most: the top bits of an address tell which one allocated it.
pub const MOST_LANES: usize = 16;

/// Some of a client's boards, by number.
///
/// ```
/// use mneme_clib::{LaneSet, OpenOptions};
/// let second_and_third = OpenOptions { lanes: LaneSet::only(1).and(2), ..OpenOptions::default() };
/// assert!(!second_and_third.lanes.has(0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LaneSet(u16);

impl LaneSet {
    /// All that the client has.
    pub const ALL: LaneSet = LaneSet(u16::MAX);

    /// One of them. Numbers past [`MOST_LANES`] name none.
    pub fn only(lane: usize) -> LaneSet {
        LaneSet(if lane < MOST_LANES { 1 << lane } else { 0 })
    }
    /// These and another one.
    ///
    /// ```
    /// use mneme_clib::LaneSet;
    /// assert!(LaneSet::only(0).and(2).has(2));
    /// ```
    pub fn and(self, lane: usize) -> LaneSet {
        LaneSet(self.0 | LaneSet::only(lane).0)
    }
    /// The first of them that a client of so many boards does not have; all that there are, whatever their number, are
    /// never past them.
    pub(super) fn past(self, boards: usize) -> Option<usize> {
        (boards..MOST_LANES).find(|lane| self != LaneSet::ALL && self.has(*lane))
    }
    /// Whether a board is one of them.
    pub fn has(self, lane: usize) -> bool {
        lane < MOST_LANES && self.0 >> lane & 1 != 0
    }
}
