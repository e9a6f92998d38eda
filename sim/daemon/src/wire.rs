//! What joins the board to a network: a UDP socket, or a raw link.
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use mneme_link::{
    Frame, Interface, JoiningPeers, Link, LinkError, LinkKind, PortReservation, PortSent, Selection, UdpPort,
    Waiting,
};
use mneme_model::port::EgressFrame;
use mneme_slowpath::share::Source;
use mneme_wire::frame::{
    ALL_HEADERS, Endpoints, MNEME_OFFSET, UDP_CHECKSUM, UdpFrame, emit_headers, has_unfinished_checksum,
    set_lengths,
};

use super::came::Came;
use super::{DaemonError, Options, Statistics};

/// Frames taken from a link at once.
const BATCH: usize = 64;
/// Looks at a socket or link in a row: what a flood has sent is taken off it, so that others' frames are seen behind it.
const LOOKS: usize = 256;

/// Carries the board's frames. What it cannot carry it counts.
pub trait Wire {
    /// The next frame; waits for it up to `wait`, or takes what is there.
    fn receive(
        &mut self,
        wait: Option<Duration>,
        statistics: &mut Statistics,
    ) -> Result<Option<Vec<u8>>, DaemonError>;
    /// Takes the buffer of a frame back, for later ones.
    fn recycle(&mut self, _frame: Vec<u8>) {}
    /// Sends a frame of the board, at the next [`Wire::flush`] at the latest.
    fn send(&mut self, frame: &EgressFrame, statistics: &mut Statistics) -> Result<(), DaemonError>;
    /// Sends what was kept back.
    fn flush(&mut self, statistics: &mut Statistics) -> Result<(), DaemonError>;
    /// What tells that a frame has come, to wait for it and something else; `None`: frames are here, or nothing tells.
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        None
    }
}

/// Keeps a frame of a link as it would have come over a wire: joined datagrams one by one, and without a checksum that no
/// interface will finish.
fn take(came: &mut Came, frame: &Frame<'_>, joining: &mut JoiningPeers, statistics: &mut Statistics) {
    let joined = frame.segment.is_some();
    let parsed = if joined || frame.unsummed || !joining.is_empty() { frame.parse().ok() } else { None };
    let Some(UdpFrame { endpoints, datagram }) = parsed.filter(|_| joined) else {
        if joined {
            statistics.unreadable += 1;
            return;
        }
        if let Some(UdpFrame { endpoints, .. }) = parsed {
            joining.hear(source(&endpoints), false);
        }
        statistics.received += 1;
        match came.push(sender(frame.bytes), [frame.bytes, &[]]) {
            Some(bytes) => {
                if (frame.unsummed && parsed.is_some()) || has_unfinished_checksum(bytes) {
                    bytes[UDP_CHECKSUM].fill(0);
                }
            }
            None => statistics.over_share += 1,
        }
        return;
    };
    joining.hear(source(&endpoints), true);
    // All but the last are equally long.
    let (mut headers, mut length) = ([0; MNEME_OFFSET], None);
    headers.copy_from_slice(&frame.bytes[..MNEME_OFFSET]);
    for datagram in frame.datagrams(datagram) {
        if length.replace(datagram.len()) != Some(datagram.len()) {
            set_lengths(&mut headers, datagram.len(), false);
        }
        statistics.received += 1;
        if came.push(Source::from(endpoints.src_ip), [&headers, datagram]).is_none() {
            statistics.over_share += 1;
        }
    }
}

/// Keeps a datagram, wrapped as if it had come over Ethernet.
fn wrap(
    came: &mut Came,
    board: &Endpoints,
    source: SocketAddrV4,
    datagram: &[u8],
    statistics: &mut Statistics,
) {
    let ip = source.ip().octets();
    let endpoints = Endpoints {
        src_mac: [0x02, 0, ip[0], ip[1], ip[2], ip[3]],
        src_ip: ip,
        src_port: source.port(),
        ..*board
    };
    match came.push(Source::from(ip), [&[0; MNEME_OFFSET], datagram]) {
        Some(frame) => emit_headers(&endpoints, true, frame)
            .expect("there is room for the headers, and a received datagram is at most 65,507 bytes"),
        None => statistics.over_share += 1,
    }
}

/// The IPv4 address that a frame says it comes from; 0.0.0.0 for others.
fn sender(frame: &[u8]) -> Source {
    let is_ipv4 = frame.get(12..14) == Some(&[0x08, 0x00]);
    let ip: Option<&[u8; 4]> = frame.get(26..30).filter(|_| is_ipv4).and_then(<[u8]>::first_chunk);
    Source::from(ip.copied().unwrap_or_default())
}

/// How far a wire has looked: now and then at frames of all sources, though some wait.
#[derive(Default)]
struct Looks {
    /// Frames that were taken since it looked last.
    taken: usize,
}

impl Looks {
    /// Whether it is time to look. Others may have sent something while one source's frames wait.
    fn is_due(&mut self, came: &Came) -> bool {
        self.taken += 1;
        let due = came.is_empty() || self.taken >= BATCH;
        if due {
            self.taken = 0;
        }
        due
    }
}

fn source(endpoints: &Endpoints) -> SocketAddrV4 {
    SocketAddrV4::new(endpoints.src_ip.into(), endpoints.src_port)
}

/// A board behind a UDP socket of the system: each datagram becomes a frame from its real source address and port.
pub struct SocketWire {
    port: UdpPort,
    /// The same socket, to be waited for. `None`: whoever waits stays awake.
    socket: Option<UdpSocket>,
    board: Endpoints,
    came: Came,
    looks: Looks,
}

impl SocketWire {
    /// The socket is the board's alone from now on.
    pub fn new(socket: &UdpSocket, options: &Options, waiting: Waiting) -> Result<SocketWire, DaemonError> {
        let port = socket.try_clone().and_then(|socket| UdpPort::new(socket, waiting));
        let board = Endpoints {
            src_mac: [0; 6],
            dst_mac: options.mac,
            src_ip: [0; 4],
            dst_ip: options.ip,
            src_port: 0,
            dst_port: options.port,
        };
        let port = port.map_err(DaemonError::Socket)?;
        let sleeps = waiting != Waiting::Spin;
        let socket = sleeps.then(|| socket.try_clone()).transpose().map_err(DaemonError::Socket)?;
        Ok(SocketWire { port, socket, board, came: Came::default(), looks: Looks::default() })
    }
}

impl Wire for SocketWire {
    fn receive(
        &mut self,
        wait: Option<Duration>,
        statistics: &mut Statistics,
    ) -> Result<Option<Vec<u8>>, DaemonError> {
        if self.looks.is_due(&self.came) {
            let (came, board) = (&mut self.came, &self.board);
            let mut wait = if came.is_empty() { wait.unwrap_or_default() } else { Duration::ZERO };
            for _ in 0..LOOKS {
                let received = self.port.receive(wait, &mut |source, datagram| {
                    statistics.received += 1;
                    match source {
                        Some(source) => wrap(came, board, source, datagram, statistics),
                        None => statistics.not_ipv4 += 1,
                    }
                });
                match received {
                    Err(error) if !is_nothing(&error) => return Err(DaemonError::Socket(error)),
                    // One alone: nothing was behind it.
                    Ok(many) if many > 1 => wait = Duration::ZERO,
                    _ => break,
                }
            }
        }
        Ok(self.came.pop())
    }
    fn recycle(&mut self, frame: Vec<u8>) {
        self.came.recycle(frame);
    }
    fn send(&mut self, frame: &EgressFrame, statistics: &mut Statistics) -> Result<(), DaemonError> {
        let parsed = UdpFrame::parse(&frame.bytes).ok().filter(|_| !frame.bad_fcs);
        let Some(UdpFrame { endpoints, datagram }) = parsed else {
            statistics.not_carried += 1;
            return Ok(());
        };
        let to = SocketAddrV4::new(Ipv4Addr::from(endpoints.dst_ip), endpoints.dst_port);
        count(self.port.send(to, datagram), statistics);
        Ok(())
    }
    fn flush(&mut self, statistics: &mut Statistics) -> Result<(), DaemonError> {
        count(self.port.flush(), statistics);
        Ok(())
    }
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.socket.as_ref().filter(|_| self.came.is_empty()).map(AsFd::as_fd)
    }
}

/// A datagram that is not taken is lost, as on any network: the client asks again.
fn count(PortSent { sent, unsent }: PortSent, statistics: &mut Statistics) {
    statistics.sent += sent;
    statistics.unsent += unsent;
}

/// Errors that say no more than that there is nothing to read, or that an earlier datagram found no reader.
fn is_nothing(error: &io::Error) -> bool {
    use ErrorKind::*;
    let kinds = [WouldBlock, TimedOut, Interrupted, ConnectionRefused, ConnectionReset];
    let unreachable = [HostUnreachable, NetworkUnreachable];
    kinds.contains(&error.kind()) || unreachable.contains(&error.kind())
}

/// A board on an Ethernet interface, with the interface's MAC address and an IPv4 address of its own or of the system: frames
/// go in and out as they are, ARP and echo requests included; those that joined are told apart, and answered joined.
pub struct LinkWire {
    link: Box<dyn Link>,
    came: Came,
    looks: Looks,
    joining: JoiningPeers,
    /// The last frame of those at hand, if it could leave joined: the next is often like it.
    joined: Option<Known>,
    /// Held where the address is the system's, so that it does not answer for the port.
    _reservation: Option<PortReservation>,
}

/// A raw port, before the board behind it is known.
#[derive(Debug)]
pub struct RawPort {
    interface: Interface,
    address: SocketAddrV4,
    kind: LinkKind,
    waiting: Waiting,
}

impl RawPort {
    /// A port with an address on an interface. The link is opened by [`RawPort::open`].
    pub fn new(
        interface: &str,
        address: SocketAddrV4,
        kind: LinkKind,
        waiting: Waiting,
    ) -> Result<RawPort, LinkError> {
        let interface = Interface::named(interface)?;
        // Nobody could tell another port from a program that asks the system for one.
        if address.port() == 0 {
            let source = io::Error::new(ErrorKind::InvalidInput, "a raw board's port must be named");
            return Err(LinkError::Port { address: address.into(), source });
        }
        if address.ip().is_unspecified() || address.ip().is_multicast() || address.ip().is_broadcast() {
            return Err(LinkError::NoAddress { name: interface.name });
        }
        Ok(RawPort { interface, address, kind, waiting })
    }
    /// The MAC address that the board must have.
    pub fn mac(&self) -> [u8; 6] {
        self.interface.mac
    }
    /// The address that the board must have.
    pub fn address(&self) -> SocketAddrV4 {
        self.address
    }
    /// Opens the link. `max_payload` is the board's: frames of that much must fit the interface.
    pub fn open(self, max_payload: usize) -> Result<LinkWire, LinkError> {
        let needed = ALL_HEADERS + max_payload;
        self.interface.demand_mtu(needed - mneme_link::ETHERNET_HEADER)?;
        let ip: Ipv4Addr = *self.address.ip();
        let owned = self.interface.owns(ip);
        let reservation = owned.then(|| PortReservation::new(ip, self.address.port())).transpose()?;
        let selection = Selection::Host { ip: ip.octets(), port: self.address.port() };
        let link = self.kind.open(&self.interface, selection, self.waiting)?;
        let (came, joining, looks) = Default::default();
        Ok(LinkWire { link, came, looks, joining, joined: None, _reservation: reservation })
    }
}

impl Wire for LinkWire {
    fn receive(
        &mut self,
        wait: Option<Duration>,
        statistics: &mut Statistics,
    ) -> Result<Option<Vec<u8>>, DaemonError> {
        if self.looks.is_due(&self.came) {
            let LinkWire { link, came, joining, .. } = self;
            let mut wait = if came.is_empty() { wait.unwrap_or_default() } else { Duration::ZERO };
            for _ in 0..LOOKS {
                let mut many = 0;
                link.receive(wait, BATCH, &mut |frame| {
                    many += 1;
                    take(came, &frame, joining, statistics);
                })?;
                if many < BATCH {
                    break;
                }
                wait = Duration::ZERO;
            }
            self.joined = None;
        }
        Ok(self.came.pop())
    }
    fn recycle(&mut self, frame: Vec<u8>) {
        self.came.recycle(frame);
    }
    fn send(&mut self, frame: &EgressFrame, statistics: &mut Statistics) -> Result<(), DaemonError> {
        if frame.bad_fcs {
            statistics.not_carried += 1;
            return Ok(());
        }
        if self.link.is_full() {
            self.flush(statistics)?;
        }
        let joined = match self.link.joins() {
            true => Known::datagram(&mut self.joined, &mut self.joining, &frame.bytes),
            false => None,
        };
        let queued = match joined {
            Some((endpoints, datagram)) => {
                self.link.send(endpoints, datagram.len(), true, &mut |to| to.copy_from_slice(datagram))
            }
            None => self.link.queue(frame.bytes.len(), &mut |to| to.copy_from_slice(&frame.bytes)),
        };
        match queued {
            Ok(()) => statistics.sent += 1,
            Err(LinkError::TooLong { .. }) => statistics.unsent += 1,
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
    fn flush(&mut self, _: &mut Statistics) -> Result<(), DaemonError> {
        Ok(self.link.flush(&mut |_| {})?)
    }
}

/// A frame that could leave joined.
struct Known {
    endpoints: Endpoints,
    headers: [u8; MNEME_OFFSET],
    /// Bytes of the whole frame.
    length: usize,
}

impl Known {
    /// What is in a frame of the board that may leave joined, a datagram to a peer that joins, and its ends; it is the
    /// last one known then.
    fn datagram<'k, 'f>(
        last: &'k mut Option<Known>,
        joining: &mut JoiningPeers,
        frame: &'f [u8],
    ) -> Option<(&'k Endpoints, &'f [u8])> {
        let (headers, datagram) = frame.split_first_chunk()?;
        if !last.as_ref().is_some_and(|last| last.length == frame.len() && is_same(&last.headers, headers)) {
            *last = Known::new(joining, frame, headers);
        }
        last.as_ref().map(|last| (&last.endpoints, datagram))
    }
    fn new(joining: &mut JoiningPeers, frame: &[u8], headers: &[u8; MNEME_OFFSET]) -> Option<Known> {
        // What the link would write itself: another frame leaves as it is.
        let UdpFrame { endpoints, .. } = UdpFrame::parse_unsummed(frame).ok()?;
        let mut written = [0; MNEME_OFFSET];
        emit_headers(&endpoints, false, &mut written).ok()?;
        // All that follows the headers: a frame that was padded is another one.
        set_lengths(&mut written, frame.len() - MNEME_OFFSET, false);
        let joins = joining.joins(SocketAddrV4::new(endpoints.dst_ip.into(), endpoints.dst_port));
        let known = Known { endpoints, headers: *headers, length: frame.len() };
        (joins && written == *headers).then_some(known)
    }
}

/// Compares all bytes, without a call.
fn is_same(one: &[u8; MNEME_OFFSET], other: &[u8; MNEME_OFFSET]) -> bool {
    one.iter().zip(other).fold(0, |differs, (one, other)| differs | (one ^ other)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: Endpoints = Endpoints {
        src_mac: [2, 0, 0, 0, 0, 1],
        dst_mac: [2, 0, 0, 0, 0, 2],
        src_ip: [10, 0, 0, 1],
        dst_ip: [10, 0, 0, 2],
        src_port: 4_000,
        dst_port: 19_790,
    };

    fn frame_of(endpoints: &Endpoints, datagram: &[u8]) -> Vec<u8> {
        let mut frame = [&[0; MNEME_OFFSET], datagram].concat();
        emit_headers(endpoints, false, &mut frame).expect("there is room");
        frame
    }
    fn frame(datagram: &[u8]) -> Vec<u8> {
        frame_of(&PEER, datagram)
    }

    #[test]
    fn joined_datagrams_come_as_if_over_a_wire_and_make_their_sender_known() {
        let (mut came, mut joining, mut statistics) =
            (Came::default(), JoiningPeers::default(), Statistics::default());
        let mut bytes = frame(&[1; 70]);
        set_lengths(&mut bytes, 70, true);
        let joined = Frame { bytes: &bytes, segment: Some(30), unsummed: true };
        take(&mut came, &joined, &mut joining, &mut statistics);
        assert!(joining.joins(source(&PEER)));
        let frames: Vec<Vec<u8>> = std::iter::from_fn(|| came.pop()).collect();
        assert_eq!(frames, [frame(&[1; 30]), frame(&[1; 30]), frame(&[1; 10])]);
        // One alone, with a sum that nobody will finish.
        take(&mut came, &Frame { segment: None, ..joined }, &mut joining, &mut statistics);
        assert_eq!((came.pop(), statistics.unreadable), (Some(frame(&[1; 70])), 0));
    }

    #[test]
    fn joined_frames_that_hold_no_datagrams_are_counted() {
        let (mut came, mut joining, mut statistics) =
            (Came::default(), JoiningPeers::default(), Statistics::default());
        let mut bytes = frame(&[1; 70]);
        // A header of 24 bytes, with options.
        bytes[14] = 0x46;
        let unknown = Frame { bytes: &bytes, segment: Some(30), unsummed: true };
        take(&mut came, &unknown, &mut joining, &mut statistics);
        assert!(came.is_empty() && joining.is_empty());
        assert_eq!(statistics.unreadable, 1);
        // Alone it is the board's to judge.
        take(&mut came, &Frame::from(&bytes[..]), &mut joining, &mut statistics);
        assert_eq!((came.pop(), statistics.unreadable), (Some(bytes), 1));
    }
    #[test]
    fn only_what_the_link_would_write_itself_leaves_joined_and_to_peers_that_join() {
        let (mut last, mut joining) = (None, JoiningPeers::default());
        joining.hear(source(&PEER), true);
        let back = PEER.reversed();
        let mut leaves = |frame: &[u8]| {
            Known::datagram(&mut last, &mut joining, frame)
                .map(|(endpoints, datagram)| (*endpoints, datagram.to_vec()))
        };
        let as_it_is = frame_of(&back, &[1; 70]);
        assert_eq!(leaves(&as_it_is), Some((back, vec![1; 70])));
        assert_eq!(leaves(&frame_of(&back, &[2; 70])), Some((back, vec![2; 70])), "known");
        assert_eq!(leaves(&frame_of(&back, &[2; 7])), Some((back, vec![2; 7])), "of another length");
        let mut padded = as_it_is.clone();
        padded.extend_from_slice(&[0; 9]);
        assert_eq!(leaves(&padded), None, "padding is no payload");
        let mut other = as_it_is.clone();
        other[MNEME_OFFSET - 28] ^= 4;
        assert_eq!(leaves(&other), None, "not with these headers");
        assert_eq!(leaves(&frame_of(&Endpoints { dst_port: 9, ..back }, &[1; 70])), None, "a stranger");
        assert_eq!(leaves(&as_it_is[..MNEME_OFFSET - 1]), None, "no datagram");
        assert_eq!(leaves(&as_it_is), Some((back, vec![1; 70])));
    }
}
