//! A client: one connection to one board.
use crate::completion::CompletionQueue;
use crate::core::{Bounds, Core, Session};
use crate::driver::{self, Chosen, Driver, DriverOptions, ToBoard};
use crate::error::{Error, Result};
use crate::process::Process;
use crate::stats::Statistics;
use crate::transport::{BoardTimes, Call, Payload, Place, Transport, TransportConfig};
use mneme_wire::payload::{
    BoardInfo, COUNTERS_MAX, CountersRequest, NODE_COUNTER_BASE, NodeCounter, OpenAnswer, OpenRequest,
};
use mneme_wire::{Counter, Opcode, Pid, Va};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::Cell;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
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
    /// The pid wanted; `None`: any that is free.
    pub pid: Option<u32>,
    /// How long the process outlives its clients: the board reclaims it, with its memory, when no client has kept it for
    /// so long (the board may set a shorter bound). A client keeps the processes of which it has a handle, in the
    /// background; one that is killed, or cut off, does not. `None`: it stays until somebody exits it, or the board
    /// restarts.
    pub lease: Option<Duration>,
}

/// The lease of processes for which none is asked.
pub const DEFAULT_LEASE: Duration = Duration::from_secs(30);

impl Default for OpenOptions {
    /// Any pid, and a lease of 30 s.
    fn default() -> Self {
        OpenOptions { pid: None, lease: Some(DEFAULT_LEASE) }
    }
}

/// A snapshot of a board's counters.
///
/// ```no_run
/// # fn example(client: &mneme_clib::Client) -> mneme_clib::Result<()> {
/// for (name, value) in client.board_counters()?.named().filter(|(_, value)| *value != 0) {
///     println!("{name} {value}");
/// }
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardCounters {
    fast: Vec<u64>,
    node: Vec<u64>,
}

impl BoardCounters {
    /// A counter of the fast path; 0 for one that the board does not have.
    pub fn get(&self, counter: Counter) -> u64 {
        self.fast.get(counter as usize).copied().unwrap_or(0)
    }
    /// All of them by the names of docs/reference/wire.md, the fast path's first.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let fast = Counter::ALL.iter().map(|counter| (counter.name(), self.get(*counter)));
        fast.chain(NodeCounter::ALL.iter().map(|counter| (counter.name(), self.node(*counter))))
    }
    /// A counter or figure of the node.
    pub fn node(&self, counter: NodeCounter) -> u64 {
        let index = (counter as u32).saturating_sub(NODE_COUNTER_BASE);
        self.node.get(index as usize).copied().unwrap_or(0)
    }
}

/// A connection to one board. Clones share it; all calls block, and calls of clones and processes of one client follow
/// each other. Threads that want to work at the same time take a client each.
///
/// ```no_run
/// use mneme_clib::{Client, ClientOptions, OpenOptions, UdpDriver};
/// # fn main() -> mneme_clib::Result<()> {
/// let client = Client::connect(UdpDriver::connect("10.0.0.2:19790")?, ClientOptions::default())?;
/// let process = client.open(OpenOptions::default())?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Client {
    // Threads that wait for it get their turn in the end; at once in the pauses of `rlock`.
    pub(crate) session: Arc<Session>,
    /// Why other drivers were not taken.
    remarks: Arc<[String]>,
}

// A panic leaves the transport between two datagrams, a state that it can go on from.
impl UnwindSafe for Client {}
impl RefUnwindSafe for Client {}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("board", &self.session.lock().peer()).finish_non_exhaustive()
    }
}

impl Client {
    /// Pings a board and learns its epoch, tick, window, page size and largest payload. Blocks until the answer, until
    /// `transport.give_up` has passed, or until the board's host has said three times that nothing listens there.
    pub fn connect(driver: impl Driver + 'static, options: ClientOptions) -> Result<Client> {
        let _span = tracing::debug_span!("connect", board = %driver.peer()).entered();
        let mut rng = match options.seed {
            Some(seed) => ChaCha8Rng::seed_from_u64(seed),
            None => ChaCha8Rng::from_seed(rand::random()),
        };
        let transport = Transport::new(options.transport, rng.next_u32());
        let bounds =
            Bounds { requests: options.most_outstanding.max(1), bytes: options.most_outstanding_bytes };
        let core = Core::new(Box::new(driver), transport, rng, options.largest_payload, bounds);
        let client = Client { session: Arc::new(Session::new(core)), remarks: Arc::default() };
        client.ping()?;
        if options.background && !client.session.go_on_alone() {
            tracing::warn!("asynchronous calls go on only while calls are made: no thread in the background");
        }
        Ok(client)
    }
    /// As [`Client::connect`], through a driver by its name or the fastest that works here ([`driver::open`]). `board`:
    /// `HOST[:PORT]` ([`BoardAddress`](driver::BoardAddress)).
    pub fn connect_to(
        board: impl ToBoard,
        drivers: &DriverOptions,
        options: ClientOptions,
    ) -> Result<Client> {
        Client::connect_by(driver::open(board, drivers)?, options)
    }
    /// As [`Client::connect`], through a driver that was chosen among several: [`Client::remarks`] says why not the
    /// others.
    pub fn connect_by(chosen: Chosen, options: ClientOptions) -> Result<Client> {
        let remarks = chosen.remarks().into();
        let Client { session, .. } = Client::connect(chosen.driver, options)?;
        Ok(Client { session, remarks })
    }
    /// Asks the board who it is; answers that and the round trip.
    pub fn ping(&self) -> Result<(BoardInfo, Duration)> {
        ping(&self.session)
    }
    /// What the board said of itself last.
    pub fn board(&self) -> BoardInfo {
        self.session.lock().board()
    }
    /// The board's name, as the driver gives it.
    pub fn peer(&self) -> String {
        self.session.lock().peer()
    }
    /// What is to be said of the way to the board, a clause each: why other drivers were not taken, and that datagrams
    /// leave one by one.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = self.remarks.to_vec();
        remarks.extend(self.session.lock().remarks());
        remarks
    }
    /// What this client did so far.
    pub fn statistics(&self) -> Statistics {
        self.session.lock().statistics()
    }
    /// Test-only: plants a fault for good. To be made before any other call.
    #[cfg(feature = "planted-faults")]
    pub fn plant(&self, fault: crate::PlantedFault) {
        self.session.lock().plant(fault);
    }
    /// How many requests may be on the way to the board at the moment: the congestion window. Below one: packets are
    /// paced.
    pub fn congestion_window(&self) -> f64 {
        self.session.lock().congestion_window()
    }
    /// Makes calls whose packets ask the board how long they were on it: what of the latency is neither network nor client.
    ///
    /// Counts reads, writes, atomics and fences of this client and its processes that were answered OK meanwhile, whichever thread
    /// made them.
    ///
    /// ```no_run
    /// # fn main() -> mneme_clib::Result<()> {
    /// # let client = mneme_clib::Client::connect_to("10.0.0.2:19790", &Default::default(), Default::default())?;
    /// # let process = client.open(Default::default())?;
    /// # let va = process.ralloc(8)?;
    /// let (written, times) = client.timed(|| process.rwrite(va, b"8 bytes."));
    /// written?;
    /// println!("{} cycles on the board", times.cycles);
    /// # Ok(()) }
    /// ```
    pub fn timed<T>(&self, calls: impl FnOnce() -> T) -> (T, BoardTimes) {
        /// Ends the timing however the calls end; the one around it counts what this one did.
        struct Timing<'c> {
            client: &'c Client,
            outer: Option<BoardTimes>,
            told: &'c Cell<BoardTimes>,
        }
        impl Drop for Timing<'_> {
            fn drop(&mut self) {
                let mut core = self.client.session.lock();
                let told = core.set_times(None).unwrap_or_default();
                if let Some(mut outer) = self.outer {
                    outer.add(told);
                    core.set_times(Some(outer));
                }
                self.told.set(told);
            }
        }
        let told = Cell::new(BoardTimes::default());
        let outer = self.session.lock().set_times(Some(BoardTimes::default()));
        let timing = Timing { client: self, outer, told: &told };
        let result = calls();
        drop(timing);
        (result, told.get())
    }
    /// From now on packets ask how long they were on the board, until [`Client::stop_timing`]: [`Client::timed`] for
    /// calls that no closure can hold. What was counted before is forgotten.
    pub fn start_timing(&self) {
        self.session.lock().set_times(Some(BoardTimes::default()));
    }
    /// Packets ask no longer; what their answers told since [`Client::start_timing`], nothing without one.
    pub fn stop_timing(&self) -> BoardTimes {
        self.session.lock().set_times(None).unwrap_or_default()
    }
    /// Makes asynchronous calls that leave together: as soon as `calls` has returned, when 32 are held back, or when any
    /// call of this client waits or polls in vain. A driver sends what leaves together with one system call, and a UDP socket
    /// equally long packets as one message; calls made one by one leave one by one. Holds for this client and its
    /// processes, whichever thread makes the calls; corks may be nested.
    ///
    /// ```no_run
    /// # fn main() -> mneme_clib::Result<()> {
    /// # let client = mneme_clib::Client::connect_to("10.0.0.2:19790", &Default::default(), Default::default())?;
    /// # let process = client.open(Default::default())?;
    /// # let (a, b) = (process.ralloc(8)?, process.ralloc(1 << 20)?);
    /// let (first, second) = client.corked(|| (process.fetch_add_async(a, 1), process.fetch_add_async(b, 1)));
    /// println!("{} {}", first.wait()?, second.wait()?);
    /// # Ok(()) }
    /// ```
    pub fn corked<T>(&self, calls: impl FnOnce() -> T) -> T {
        /// Comes out however the calls end.
        struct Cork<'c>(&'c Client);
        impl Drop for Cork<'_> {
            fn drop(&mut self) {
                self.0.uncork();
            }
        }
        self.cork();
        let _cork = Cork(self);
        calls()
    }
    /// A queue that tells which calls have ended ([`Pending::notify`](crate::Pending::notify)).
    pub fn completions(&self) -> Result<CompletionQueue> {
        CompletionQueue::new(Arc::clone(&self.session))
    }
    /// From now on asynchronous calls are held back, until [`Client::uncork`]: [`Client::corked`] for calls that no
    /// closure can hold.
    pub fn cork(&self) {
        self.session.cork();
    }
    /// Undoes one [`Client::cork`]; with the last one what was held back leaves. Does nothing without one.
    pub fn uncork(&self) {
        self.session.uncork();
    }
    /// Time on the driver's clock.
    pub fn now(&self) -> Duration {
        self.session.lock().now()
    }

    /// Opens a new process.
    ///
    /// A board that has restarted since the client connected is pinged, and the process opened in its new epoch.
    pub fn open(&self, options: OpenOptions) -> Result<Process> {
        let pid = options.pid.map_or(Ok(Pid::NONE), valid_pid)?;
        let lease_ns =
            options.lease.map_or(0, |lease| u64::try_from(lease.as_nanos()).unwrap_or(u64::MAX).max(1));
        self.open_with(pid, OpenRequest { lease_ns, ..OpenRequest::default() })
    }
    /// Joins a process that another client opened; `token` is that client's [`Process::token`].
    pub fn join(&self, pid: u32, token: [u8; 16]) -> Result<Process> {
        self.open_with(valid_pid(pid)?, OpenRequest { join: true, token, ..OpenRequest::default() })
    }
    fn open_with(&self, pid: Pid, request: OpenRequest) -> Result<Process> {
        let session = &*self.session;
        let _span = tracing::debug_span!("open", board = %self.peer(), join = request.join).entered();
        let sent = std::cell::Cell::new(Duration::ZERO);
        let attempt = || {
            sent.set(session.lock().now());
            let payload = Payload::from_slice(&request.to_bytes());
            let (epoch, length) = (self.board().epoch, payload.len() as u16);
            let (opcode, va, place) = (Opcode::Open, Va::default(), Place::default());
            session.call(None, Call { opcode, pid, epoch, va, length, payload, place })
        };
        let answer = match attempt() {
            Err(error) if error.is_restart() => {
                ping(session)?;
                attempt()?
            }
            other => other?,
        };
        let opened = OpenAnswer::parse(&answer.payload).map_err(unreadable)?;
        session.lock().learn(opened.board);
        if !request.join {
            // What was left unsaid of another process that had this number.
            session.forget(Pid::from_low_bits(opened.pid));
        }
        Ok(Process::new(Arc::clone(&self.session), &opened, sent.get()))
    }

    /// Reads `count` counters from number `first` on; numbers that the board does not have are 0.
    pub fn counters(&self, first: u32, count: u32) -> Result<Vec<u64>> {
        let fits = u32::from(self.session.lock().limits().max_payload.saturating_sub(8)) / 8;
        let mut values = Vec::new();
        while (values.len() as u32) < count {
            let done = values.len() as u32;
            let request = CountersRequest {
                first: first.saturating_add(done),
                count: (count - done).min(COUNTERS_MAX as u32).min(fits.max(1)),
            };
            let mut payload = Payload::from_elem(0, request.payload_len());
            request.emit(&[], &mut payload);
            let (epoch, length) = (self.board().epoch, payload.len() as u16);
            let call = Call {
                opcode: Opcode::Counters,
                pid: Pid::NONE,
                epoch,
                va: Va::default(),
                length,
                payload,
                place: Place::default(),
            };
            let answer = self.session.call(None, call)?;
            values.extend(request.parse_answer(&answer.payload).map_err(unreadable)?);
        }
        Ok(values)
    }
    /// Reads all counters that this client knows by name. They are read one packet after the other, not at one moment.
    pub fn board_counters(&self) -> Result<BoardCounters> {
        let fast = Counter::ALL.iter().map(|c| *c as u32 + 1).max().unwrap_or(0);
        let node = NodeCounter::ALL.iter().map(|c| *c as u32 + 1 - NODE_COUNTER_BASE).max().unwrap_or(0);
        Ok(BoardCounters { fast: self.counters(0, fast)?, node: self.counters(NODE_COUNTER_BASE, node)? })
    }
}

pub(crate) fn valid_pid(pid: u32) -> Result<Pid> {
    Pid::new(pid).filter(|pid| *pid != Pid::NONE).ok_or(Error::BadPid(pid))
}

/// The transport lets no answer pass whose layout it cannot read; this names the case all the same.
pub(crate) fn unreadable(error: mneme_wire::payload::PayloadError) -> Error {
    crate::driver::DriverError::Ended(format!("unreadable answer: {error}")).into()
}

fn ping(session: &Session) -> Result<(BoardInfo, Duration)> {
    let payload = Payload::from_elem(0, BoardInfo::LEN);
    let length = payload.len() as u16;
    let call = Call {
        opcode: Opcode::Ping,
        pid: Pid::NONE,
        epoch: 0,
        va: Va::default(),
        length,
        payload,
        place: Place::default(),
    };
    let answer = session.call(None, call)?;
    let board = BoardInfo::parse(&answer.payload).map_err(unreadable)?;
    session.lock().learn(board);
    Ok((board, answer.latency))
}
