//! The raw drivers: Ethernet frames over one interface, past the system's UDP.
use super::joined::{ANSWERS, log_change, one_by_one};
use super::{Clock, Driver, DriverError, Take, ToBoard};
use mneme_link::{Connection, LinkCounters, LinkKind, NotJoined, Route, StationCounters, Waiting};
use std::net::SocketAddrV4;
use std::os::fd::OwnedFd;
use std::time::Duration;

/// A raw connection to a board ([`mneme_link::Connection`]).
///
/// ```no_run
/// use mneme_clib::driver::{LinkKind, RawDriver, Route, Waiting};
/// # fn main() -> mneme_clib::Result<()> {
/// let route = Route { interface: Some("eth1".into()), ..Route::default() };
/// let driver = RawDriver::connect("10.0.0.2:19790", LinkKind::PacketRing, &route, Waiting::Spin)?;
/// # Ok(()) }
/// ```
pub struct RawDriver {
    connection: Connection,
    kind: LinkKind,
    clock: Clock,
    /// Whether datagrams may still leave joined, as far as the log knows.
    joins: bool,
}

impl RawDriver {
    /// Opens a raw link towards a board, `HOST[:PORT]`; of a name's addresses the first IPv4 one counts. Sends nothing.
    pub fn connect(
        board: impl ToBoard,
        kind: LinkKind,
        route: &Route,
        waiting: Waiting,
    ) -> Result<RawDriver, DriverError> {
        let connection = Connection::open(kind, board.to_board()?, route, waiting, Some(ANSWERS))?;
        let joins = connection.not_joined().is_none();
        Ok(RawDriver { connection, kind, clock: Clock::default(), joins })
    }
    /// The own address and port: the source that the board sees.
    pub fn source(&self) -> std::net::SocketAddrV4 {
        self.connection.own()
    }
    /// Why datagrams leave one by one; none: batches of equally long ones leave joined, which `tpacket` can. A board that
    /// reads them joined ends that, for the driver's life; silence ends it for a while.
    pub fn not_joined(&self) -> Option<NotJoined> {
        self.connection.not_joined()
    }
    fn log_changes(&mut self) {
        log_change(&mut self.joins, self.connection.not_joined(), &self.connection.peer());
    }
    /// What the link did, what it did not take, and datagrams lost before the board's MAC address was known.
    pub fn counters(&self) -> (LinkCounters, StationCounters, u64) {
        self.connection.counters()
    }
}

impl Driver for RawDriver {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        if length > self.connection.max_datagram() {
            return Err(DriverError::TooLarge(length));
        }
        Ok(self.connection.send(&|| self.clock.now(), length, fill)?)
    }
    fn flush(&mut self) -> Result<(), DriverError> {
        let flushed = self.connection.flush(&|| self.clock.now());
        self.log_changes();
        Ok(flushed?)
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        let received = self.connection.receive(wait, &|| self.clock.now(), take);
        self.log_changes();
        Ok(received?)
    }
    fn now(&self) -> Duration {
        self.clock.now()
    }
    fn max_datagram(&self) -> usize {
        self.connection.max_datagram()
    }
    fn peer(&self) -> String {
        format!("{}://{}%{}", self.kind.name(), self.connection.peer(), self.connection.interface().name)
    }
    fn board_address(&self) -> Option<SocketAddrV4> {
        Some(self.connection.peer())
    }
    fn addresses(&self) -> Option<(SocketAddrV4, SocketAddrV4)> {
        Some((self.connection.own(), self.connection.peer()))
    }
    fn looks_for_free(&self) -> bool {
        // The others have a ring that is shared with the kernel.
        self.kind != LinkKind::Pnet
    }
    fn descriptors(&self) -> Vec<OwnedFd> {
        self.connection.descriptors()
    }
    fn goes_on_alone(&self) -> bool {
        true
    }
    fn trouble(&self) -> Option<String> {
        self.connection.trouble()
    }
    fn remarks(&self) -> Vec<String> {
        // The others never join.
        let why = self.not_joined().filter(|_| self.kind == LinkKind::PacketRing);
        let joined = why.map(|why| one_by_one(why, self.connection.joined_refused()));
        joined.into_iter().chain(self.connection.remarks()).collect()
    }
}
