//! A link and a station: datagrams to and from one peer over raw Ethernet.
use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use mneme_wire::frame::{Endpoints, MNEME_OFFSET};

use crate::afxdp::{XdpLink, XdpMode};
use crate::error::LinkError;
use crate::filter::Selection;
use crate::interface::Interface;
use crate::joining::{Answers, Joining, NotJoined};
use crate::pnet::Pnet;
use crate::prefetch::prefetch;
use crate::reserve::PortReservation;
use crate::station::{Received, Station, StationConfig, StationCounters};
use crate::tpacket::PacketRing;
use crate::waiting::Waiting;
use crate::{ETHERNET_HEADER, Link, LinkCounters};

/// Datagrams that wait for the next hop's address at most; more are lost.
const MOST_HELD: usize = 32;
/// Frames handed on per look at the link at most.
const MOST_AT_ONCE: usize = 64;
/// Bytes of the IPv4 and UDP headers.
const INNER_HEADERS: usize = MNEME_OFFSET - ETHERNET_HEADER;
/// The least MTU that IPv4 demands of a link (RFC 791: every host accepts 576 bytes).
const LEAST_MTU: usize = 576;

/// The kinds of raw links.
///
/// ```
/// use mneme_link::{LinkKind, XdpMode};
///
/// let kinds = [LinkKind::Pnet, LinkKind::PacketRing, LinkKind::Xdp(XdpMode::Generic)];
/// assert!(kinds.contains(&LinkKind::PacketRing));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// [`Pnet`].
    Pnet,
    /// [`PacketRing`].
    PacketRing,
    /// [`XdpLink`].
    Xdp(XdpMode),
}

impl LinkKind {
    /// Opens a link of this kind.
    pub fn open(
        self,
        interface: &Interface,
        selection: Selection,
        waiting: Waiting,
    ) -> Result<Box<dyn Link>, LinkError> {
        interface.demand_mtu(LEAST_MTU)?;
        Ok(match self {
            LinkKind::Pnet => Box::new(Pnet::open(interface, selection, waiting)?),
            LinkKind::PacketRing => Box::new(PacketRing::open(interface, selection, waiting)?),
            LinkKind::Xdp(mode) => Box::new(XdpLink::open(interface, selection, mode, waiting)?),
        })
    }
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            LinkKind::Pnet => "pnet",
            LinkKind::PacketRing => "tpacket",
            LinkKind::Xdp(_) => "afxdp",
        }
    }
}

/// How to reach a peer over raw Ethernet.
///
/// ```
/// use mneme_link::Route;
///
/// let route = Route { interface: Some("eth1".into()), ..Route::default() };
/// assert!(route.gateway.is_none(), "that of the default route");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Route {
    /// The interface; none: the one that the system would take.
    pub interface: Option<String>,
    /// The own address; none: the interface's, the one on the peer's subnet before others.
    pub source: Option<Ipv4Addr>,
    /// The gateway to peers on other subnets; none: that of the interface's default route.
    pub gateway: Option<Ipv4Addr>,
    /// The MAC address of the peer, or of the gateway; none: ARP tells.
    pub neighbour: Option<[u8; 6]>,
}

/// What is in line.
#[derive(Debug)]
struct Begun {
    /// Where it goes. Asked for once a line: neighbours do not change so fast.
    endpoints: Endpoints,
    /// Bytes of the last datagram.
    last: usize,
    /// Two of them may leave as one, which is what joining is tried again with.
    has_pair: bool,
}

impl Begun {
    fn follows(&mut self, length: usize) {
        self.has_pair |= (1..=self.last).contains(&length);
        self.last = length;
    }
}

/// A raw connection to one peer.
pub struct Connection {
    link: Box<dyn Link>,
    station: Station,
    joining: Joining,
    line: Option<Begun>,
    reservation: Option<PortReservation>,
    held: VecDeque<Vec<u8>>,
    peer: SocketAddrV4,
    interface: Interface,
    lost: u64,
}

impl Connection {
    /// Opens a link of a kind towards a peer. Sends nothing. `answers`: how to tell which datagram answers which; without,
    /// nothing is known of a peer that reads joined datagrams as one.
    pub fn open(
        kind: LinkKind,
        peer: SocketAddrV4,
        route: &Route,
        waiting: Waiting,
        answers: Option<Answers>,
    ) -> Result<Connection, LinkError> {
        let interface = match &route.interface {
            Some(name) => Interface::named(name)?,
            None => Interface::towards(*peer.ip())?,
        };
        let source = source(&interface, *peer.ip(), route)?;
        let next_hop = next_hop(&interface, *peer.ip(), source, route)?;
        let owned = interface.owns(source);
        // An address that the system does not have has no ports that anybody else could take.
        let reservation = owned.then(|| PortReservation::new(source, 0)).transpose()?;
        let port = match &reservation {
            Some(reservation) => reservation.port(),
            None => ephemeral_port(),
        };
        let selection = Selection::Port { ip: source.octets(), port };
        let link = kind.open(&interface, selection, waiting)?;
        let station = Station::new(StationConfig {
            mac: link.mac(),
            own: SocketAddrV4::new(source, port),
            peer,
            next_hop,
            next_hop_mac: route.neighbour,
            answers_arp: !owned,
        });
        let held = VecDeque::with_capacity(MOST_HELD);
        let joining = Joining::new(link.joins(), answers);
        Ok(Connection { link, station, joining, line: None, reservation, held, peer, interface, lost: 0 })
    }
    /// Bytes of the largest datagram.
    pub fn max_datagram(&self) -> usize {
        self.link.mtu() - INNER_HEADERS
    }
    /// The own address and port.
    pub fn own(&self) -> SocketAddrV4 {
        self.station.own()
    }
    /// The peer.
    pub fn peer(&self) -> SocketAddrV4 {
        self.peer
    }
    /// The interface.
    pub fn interface(&self) -> &Interface {
        &self.interface
    }
    /// Whether the port is held against the system's other programs; a port of an address that the system does not have
    /// needs no holding.
    pub fn holds_port(&self) -> bool {
        self.reservation.is_some()
    }
    /// Why datagrams leave one by one; none: those of the same length leave joined, and whoever reads them takes them
    /// apart.
    pub fn not_joined(&self) -> Option<NotJoined> {
        self.joining.stopped()
    }
    /// Answers thrown away since they were about joined datagrams that nothing had taken apart.
    pub fn joined_refused(&self) -> u64 {
        self.joining.refused()
    }
    /// Takes a datagram of `length` bytes that `fill` writes; it leaves at the next [`Connection::flush`], or before when
    /// the line is full. While the next hop is unknown, some are kept until it answers. `clock` tells the time.
    pub fn send(
        &mut self,
        clock: &dyn Fn() -> Duration,
        length: usize,
        fill: &mut dyn FnMut(&mut [u8]),
    ) -> Result<(), LinkError> {
        if length > self.max_datagram() {
            return Err(LinkError::TooLong { length: length + MNEME_OFFSET, mtu: self.link.mtu() });
        }
        if self.link.is_full() {
            self.flush(clock)?;
        }
        if self.line.is_none() {
            self.line = self.begin_line(clock())?;
        }
        let Some(line) = &mut self.line else {
            if self.held.len() == MOST_HELD {
                self.held.pop_front();
                self.lost += 1;
            }
            let mut datagram = vec![0; length];
            fill(&mut datagram);
            self.held.push_back(datagram);
            return Ok(());
        };
        let joins = self.joining.allowed() && !(line.has_pair && self.joining.is_trying());
        line.follows(length);
        self.link.send(&line.endpoints, length, joins, fill)
    }
    /// Sends what was kept back. `clock` tells the time.
    pub fn flush(&mut self, clock: &dyn Fn() -> Duration) -> Result<(), LinkError> {
        let Connection { link, joining, line, .. } = self;
        *line = None;
        if joining.stopped() == Some(NotJoined::Unsupported) {
            return link.flush(&mut |_| {});
        }
        let mut now = None;
        let flushed = link.flush(&mut |datagrams| {
            let now = *now.get_or_insert_with(clock);
            joining.left(now, datagrams);
        });
        if !link.joins() {
            joining.stop(NotJoined::Unsupported);
        }
        flushed
    }
    /// An empty line to the peer, if the next hop is known; it is asked for its address where that is due.
    fn begin_line(&mut self, now: Duration) -> Result<Option<Begun>, LinkError> {
        self.joining.doubt(now);
        let (endpoints, request) = self.station.address(now);
        if let Some(request) = request {
            self.send_now(now, &request)?;
        }
        Ok(endpoints.map(|endpoints| Begun { endpoints, last: 0, has_pair: false }))
    }
    /// Sends a frame at once.
    fn send_now(&mut self, now: Duration, frame: &[u8]) -> Result<(), LinkError> {
        self.flush(&|| now)?;
        self.link.queue(frame.len(), &mut |to| to.copy_from_slice(frame))?;
        self.flush(&|| now)
    }
    /// Hands datagrams of the peer to `take`, waiting up to `wait` for the first; answers how many. `clock` tells the
    /// time.
    pub fn receive(
        &mut self,
        wait: Duration,
        clock: &dyn Fn() -> Duration,
        take: &mut dyn FnMut(Duration, &[u8]),
    ) -> Result<usize, LinkError> {
        let until = (!wait.is_zero()).then(|| Instant::now() + wait);
        let mut left = wait;
        loop {
            let Connection { station, joining, .. } = self;
            let (mut taken, mut answer, mut resolved) = (0, None, false);
            let frames = self.link.receive(left, MOST_AT_ONCE, &mut |frame| {
                let now = clock();
                match station.receive(now, frame) {
                    Received::Datagram(found) => {
                        let mut datagrams = frame.datagrams(found).peekable();
                        while let Some(datagram) = datagrams.next() {
                            if let Some(next) = datagrams.peek() {
                                prefetch(next);
                            }
                            if joining.hears(datagram) {
                                take(now, datagram);
                                taken += 1;
                            }
                        }
                    }
                    // The last one is answered: whoever else asked, asks again.
                    Received::Answer(frame) => answer = Some(frame),
                    Received::Neighbour => resolved = true,
                    Received::Nothing => {}
                }
            })?;
            if let Some(answer) = answer {
                self.send_now(clock(), &answer)?;
            }
            if resolved {
                self.send_held(clock())?;
            }
            if taken > 0 || frames == 0 {
                return Ok(taken);
            }
            left = until.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Ok(taken);
            }
        }
    }
    fn send_held(&mut self, now: Duration) -> Result<(), LinkError> {
        for datagram in std::mem::take(&mut self.held) {
            self.send(&|| now, datagram.len(), &mut |to| to.copy_from_slice(&datagram))?;
        }
        self.flush(&|| now)
    }
    /// Copies of what is readable when frames have come, or errors; none while waiting is done awake.
    pub fn descriptors(&self) -> Vec<OwnedFd> {
        self.link.descriptors()
    }
    /// What makes this way slower than it could be, a clause each.
    pub fn remarks(&self) -> Vec<String> {
        self.link.remarks()
    }
    /// What explains silence.
    pub fn trouble(&self) -> Option<String> {
        self.link.trouble().or_else(|| self.station.trouble())
    }
    /// What the link did, what the station did not take, and datagrams lost while the next hop was unknown.
    pub fn counters(&self) -> (LinkCounters, StationCounters, u64) {
        (self.link.counters(), self.station.counters(), self.lost)
    }
}

fn source(interface: &Interface, peer: Ipv4Addr, route: &Route) -> Result<Ipv4Addr, LinkError> {
    if let Some(source) = route.source {
        return Ok(source);
    }
    let near = |(own, prefix): &&(Ipv4Addr, u8)| {
        let mask = u32::MAX.checked_shl(32 - u32::from(*prefix)).unwrap_or(0);
        u32::from(*own) & mask == u32::from(peer) & mask
    };
    let addresses = &interface.addresses;
    let found = addresses.iter().find(near).or_else(|| addresses.first());
    found.map(|(own, _)| *own).ok_or_else(|| LinkError::NoAddress { name: interface.name.clone() })
}

fn next_hop(
    interface: &Interface,
    peer: Ipv4Addr,
    source: Ipv4Addr,
    route: &Route,
) -> Result<Ipv4Addr, LinkError> {
    // With an address that is not the interface's there is no subnet to compare: the peer is asked for directly.
    let direct = interface.reaches(peer) || !interface.owns(source);
    match route.gateway.or_else(|| interface.gateway()) {
        _ if direct && route.gateway.is_none() => Ok(peer),
        Some(gateway) => Ok(gateway),
        // A configured neighbour is the way, whatever its subnet.
        None if route.neighbour.is_some() => Ok(peer),
        None => Err(LinkError::NoRoute { name: interface.name.clone(), peer }),
    }
}

/// A port out of the dynamic range (RFC 6335) that differs between programs and between connections of one.
fn ephemeral_port() -> u16 {
    use std::hash::{BuildHasher, RandomState};
    49_152 + (RandomState::new().hash_one(std::process::id()) % 16_384) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_is_tried_with_the_first_two_that_can_be_joined() {
        let joined = |lengths: [usize; 5]| {
            let zero = Endpoints {
                src_mac: [0; 6],
                dst_mac: [0; 6],
                src_ip: [0; 4],
                dst_ip: [0; 4],
                src_port: 0,
                dst_port: 0,
            };
            let mut line = Begun { endpoints: zero, last: 0, has_pair: false };
            lengths.map(|length| {
                let joins = !line.has_pair;
                line.follows(length);
                joins
            })
        };
        assert_eq!(joined([9, 9, 9, 9, 9]), [true, true, false, false, false]);
        assert_eq!(joined([5, 9, 9, 9, 9]), [true, true, true, false, false]);
        assert_eq!(joined([5, 6, 0, 8, 7]), [true; 5]);
        assert_eq!(joined([0, 0, 4, 3, 3]), [true, true, true, true, false]);
    }
}
