//! A client: connections to boards, which its processes share.
mod handshake;
mod lane;
mod opening;
mod options;

pub(crate) use handshake::{Handshake, Proven};
pub use lane::{BoardCounters, Lane};
pub(crate) use opening::valid_pid;
pub use options::{ClientOptions, DEFAULT_LEASE, LaneSet, MOST_LANES, OpenOptions};

use crate::completion::CompletionQueue;
use crate::core::{self, Bounds, Core, Ends, Session};
use crate::driver::{self, Chosen, Driver, DriverError, DriverOptions, ToBoard};
use crate::error::{Error, Result};
use crate::random::drawn;
use crate::stats::Statistics;
use crate::transport::{BoardTimes, Integrity, Transport};
use mneme_wire::payload::BoardInfo;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::Cell;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::time::Duration;

/// Connections to boards: to one, and to others that are added ([`Client::add_lane`]). Clones share it, and threads may:
/// none waits for another one's calls.
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
    session: Arc<Session>,
    /// Why other drivers were not taken.
    remarks: Arc<[String]>,
    options: Arc<ClientOptions>,
    /// By when each call of this handle is to have ended.
    ends: Ends,
}

fn new_lane(driver: Box<dyn Driver>, first_id: u32, options: &ClientOptions) -> Result<core::Lane> {
    let transport = Transport::new(options.transport.clone(), first_id);
    let mut lane = core::Lane::new(driver, transport, options.largest_payload);
    lane.set_integrity(options.integrity)?;
    Ok(lane)
}

// A panic leaves the transport between two datagrams, a state that it can go on from.
impl UnwindSafe for Client {}
impl RefUnwindSafe for Client {}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("board", &self.peer()).finish_non_exhaustive()
    }
}

impl Client {
    /// Pings a board and learns its epoch, tick, window, page size and largest payload. Blocks until the answer, until
    /// `transport.give_up` has passed, or until the board's host has said three times that nothing listens there.
    pub fn connect(driver: impl Driver + 'static, options: ClientOptions) -> Result<Client> {
        let _span = tracing::debug_span!("connect", board = %driver.peer()).entered();
        if options.credentials.is_some() && options.integrity != Integrity::Tag {
            return Err(Error::UnusedCredentials(options.integrity));
        }
        let mut rng = match options.seed {
            Some(seed) => ChaCha8Rng::seed_from_u64(seed),
            None => ChaCha8Rng::from_seed(drawn()?),
        };
        let bounds =
            Bounds { requests: options.most_outstanding.max(1), bytes: options.most_outstanding_bytes };
        let lane = new_lane(Box::new(driver), rng.next_u32(), &options)?;
        let session = Arc::new(Session::new(Core::new(lane, rng, bounds)));
        session.lock()?.set_credentials(options.credentials.clone());
        let client =
            Client { session, remarks: Arc::default(), options: Arc::new(options), ends: Ends::Open };
        client.ping()?;
        if client.options.background && !client.session.go_on_alone() {
            tracing::warn!("asynchronous calls go on only while calls are made: no thread in the background");
        }
        Ok(client)
    }
    /// Another handle, whose calls end within a time, each as a whole: opening and joining processes, pings, counters,
    /// [`Client::processes`], [`Client::reap`], and the ping of [`Client::add_lane`] and [`Client::reconnect`]; those of its
    /// [`Client::lanes`], too. The time runs on the client's clock. The error says [`Error::is_deadline`], and its effect:
    /// an OPEN or EXIT that has left may be done all the same, and a process that nobody got ends with its lease.
    ///
    /// Without it each question to a board takes the transport's `give_up` at most, and a call as many times that as it asks
    /// questions one after the other: each board that is opened or joined is one, each packet of counters, too.
    ///
    /// Processes that are opened or joined through it have no deadline by that: [`Process::within`](crate::Process::within)
    /// gives them one. Opening a driver ([`Client::add_board`]) takes its own time.
    ///
    /// ```no_run
    /// # fn example(client: &mneme_clib::Client) -> mneme_clib::Result<()> {
    /// use std::time::Duration;
    /// match client.within(Duration::from_millis(50)).open(Default::default()) {
    ///     Err(error) if error.is_deadline() => println!("a board takes too long"),
    ///     opened => println!("process {}", opened?.pid()),
    /// }
    /// # Ok(()) }
    /// ```
    pub fn within(&self, time: Duration) -> Client {
        Client { ends: Ends::In(time), ..self.clone() }
    }
    /// The handle for the questions of a call that is made now, which has to end as a whole when it would by itself.
    fn one_call(&self) -> Client {
        Client { ends: self.session.ends(self.ends), ..self.clone() }
    }
    /// Adds a board; its number. Processes that are opened from now on have memory on it, too, if nothing else is asked
    /// for ([`OpenOptions::lanes`]). Blocks until the board has answered a ping, or until `transport.give_up` has passed:
    /// then nothing was added.
    ///
    /// ```no_run
    /// use mneme_clib::{AllocOptions, Client, ClientOptions, OpenOptions, UdpDriver};
    /// # fn main() -> mneme_clib::Result<()> {
    /// let client = Client::connect(UdpDriver::connect("10.0.0.2:19790")?, ClientOptions::default())?;
    /// let second = client.add_lane(UdpDriver::connect("10.0.0.3:19790")?)?;
    /// let process = client.open(OpenOptions::default())?;
    /// let anywhere = process.ralloc(1 << 20)?;
    /// let there = process.ralloc_with(1 << 20, AllocOptions { lane: Some(second), ..AllocOptions::default() })?;
    /// process.rwrite(anywhere, b"on the freer one")?;
    /// process.rwrite(there, b"on the second one")?;
    /// # Ok(()) }
    /// ```
    pub fn add_lane(&self, driver: impl Driver + 'static) -> Result<usize> {
        let first_id = self.session.lock()?.random() as u32;
        let lane = new_lane(Box::new(driver), first_id, &self.options)?;
        // By itself, so that nobody waits for a board that does not answer.
        let rng = ChaCha8Rng::seed_from_u64(0);
        let bounds = Bounds { requests: 1, bytes: 0 };
        let alone = Arc::new(Session::new(Core::new(lane, rng, bounds)));
        let (board, _) = Lane::new(&alone, 0, self.ends).ping()?;
        let Some(lane) = Arc::into_inner(alone).and_then(Session::into_lane) else {
            return Err(DriverError::Ended("the new board's lane is in use".into()).into());
        };
        let known = self.lanes().into_iter().find(|lane| {
            let known = lane.board();
            (known.board_id, known.nonce, known.epoch) == (board.board_id, board.nonce, board.epoch)
        });
        if let Some(known) = known {
            return Err(Error::SameBoard { lane: known.number(), peer: lane.peer() });
        }
        self.session.add_lane(lane)
    }
    /// As [`Client::add_lane`], through a driver by its name or the fastest that works here ([`driver::open`]).
    pub fn add_board(&self, board: impl ToBoard, drivers: &DriverOptions) -> Result<usize> {
        self.add_lane(driver::open(board, drivers)?.driver)
    }
    /// The boards, by number.
    pub fn lanes(&self) -> Vec<Lane> {
        let count = self.session.look(0, |core| core.lanes());
        (0..count).map(|number| Lane::new(&self.session, number, self.ends)).collect()
    }
    /// A board by number.
    pub fn lane(&self, number: usize) -> Result<Lane> {
        match number < self.session.lock()?.lanes() {
            true => Ok(Lane::new(&self.session, number, self.ends)),
            false => Err(Error::NoSuchLane(number)),
        }
    }
    pub(crate) fn first(&self) -> Lane {
        Lane::new(&self.session, 0, self.ends)
    }
    /// Reaches a board through another driver from now on: after the old one has failed, or over another interface.
    /// Processes stay what they are: those of a board that has restarted end with their own error
    /// ([`Error::is_restart`]), and new ones can be opened. What was in flight to this board ends as if the old driver
    /// had failed, since a board takes another source's attempt for another operation. Blocks as [`Client::ping`].
    ///
    /// A driver that still works needs nothing of this when its board restarts.
    pub fn reconnect(&self, lane: usize, driver: impl Driver + 'static) -> Result<BoardInfo> {
        let lane = self.lane(lane)?;
        if self.options.integrity != Integrity::None && driver.addresses().is_none() {
            return Err(DriverError::NoAddresses(driver.peer()).into());
        }
        self.session.replace_driver(lane.number(), Box::new(driver));
        Ok(lane.ping()?.0)
    }
    /// As [`Client::reconnect`], through a driver by its name or the fastest that works here ([`driver::open`]). `board`
    /// may be another address than before.
    pub fn reconnect_to(
        &self,
        lane: usize,
        board: impl ToBoard,
        drivers: &DriverOptions,
    ) -> Result<BoardInfo> {
        // Before a driver takes its time to open.
        self.lane(lane)?;
        self.reconnect(lane, driver::open(board, drivers)?.driver)
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
        let client = Client::connect(chosen.driver, options)?;
        Ok(Client { remarks, ..client })
    }
    /// Asks the first board who it is; answers that and the round trip.
    pub fn ping(&self) -> Result<(BoardInfo, Duration)> {
        self.first().ping()
    }
    /// What the first board said of itself last.
    pub fn board(&self) -> BoardInfo {
        self.first().board()
    }
    /// The first board's name, as the driver gives it.
    pub fn peer(&self) -> String {
        self.first().peer()
    }
    /// What is to be said of the way to the board, a clause each: why other drivers were not taken, and that datagrams
    /// leave one by one.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = self.remarks.to_vec();
        self.lanes().iter().for_each(|lane| remarks.extend(lane.remarks()));
        remarks
    }
    /// Whether this process is the one that made the client, which serves no child of that: calls that ask a board fail
    /// there ([`Error::Forked`]), and what others tell is what a client tells that knows nothing.
    #[doc(hidden)]
    pub fn is_own(&self) -> Result<()> {
        self.session.is_own()
    }
    /// What this client did so far.
    pub fn statistics(&self) -> Statistics {
        self.session.look(Statistics::default(), |core| core.statistics())
    }
    /// Test-only: plants a fault for good. To be made before any other call.
    #[cfg(feature = "planted-faults")]
    pub fn plant(&self, fault: crate::PlantedFault) {
        self.session.look((), |core| core.plant(fault));
    }
    /// How many requests may be on the way to the first board at the moment: the congestion window. Below one: packets
    /// are paced.
    pub fn congestion_window(&self) -> f64 {
        self.first().congestion_window()
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
                let told = self.client.session.look(BoardTimes::default(), |core| {
                    let told = core.set_times(None).unwrap_or_default();
                    if let Some(mut outer) = self.outer {
                        outer.add(told);
                        core.set_times(Some(outer));
                    }
                    told
                });
                self.told.set(told);
            }
        }
        let told = Cell::new(BoardTimes::default());
        let outer = self.session.look(None, |core| core.set_times(Some(BoardTimes::default())));
        let timing = Timing { client: self, outer, told: &told };
        let result = calls();
        drop(timing);
        (result, told.get())
    }
    /// From now on packets ask how long they were on the board, until [`Client::stop_timing`]: [`Client::timed`] for
    /// calls that no closure can hold. What was counted before is forgotten.
    pub fn start_timing(&self) {
        self.session.look(None, |core| core.set_times(Some(BoardTimes::default())));
    }
    /// Packets ask no longer; what their answers told since [`Client::start_timing`], nothing without one.
    pub fn stop_timing(&self) -> BoardTimes {
        self.session.look(None, |core| core.set_times(None)).unwrap_or_default()
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
        self.session.look(Duration::ZERO, |core| core.now())
    }
    /// Reads `count` counters of the first board from number `first` on; numbers that it does not have are 0.
    pub fn counters(&self, first: u32, count: u32) -> Result<Vec<u64>> {
        self.first().counters(first, count)
    }
    /// Reads all counters of the first board that this client knows by name. They are read one packet after the other,
    /// not at one moment.
    pub fn board_counters(&self) -> Result<BoardCounters> {
        self.first().board_counters()
    }
}

/// The transport lets no answer pass whose layout it cannot read; this names the case all the same.
pub(crate) fn unreadable(error: mneme_wire::payload::PayloadError) -> Error {
    crate::driver::DriverError::Ended(format!("unreadable answer: {error}")).into()
}
