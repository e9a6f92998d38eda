//! What joins the board to a network: a UDP socket, or a raw link.
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::time::Duration;

use mneme_link::{
    Interface, Link, LinkError, LinkKind, PortReservation, PortSent, Selection, UdpPort, Waiting,
};
use mneme_wire::frame::{
    ALL_HEADERS, Endpoints, MNEME_OFFSET, UDP_CHECKSUM, UdpFrame, has_unfinished_checksum,
};

use super::{DaemonError, Options, Statistics};
use crate::port::EgressFrame;

/// Frames taken from a link at once.
const BATCH: usize = 64;

/// Carries the board's frames. What it cannot carry it counts.
pub trait Wire {
    /// The next frame; waits for it up to `wait`, or takes what is there.
    fn receive(
        &mut self,
        wait: Option<Duration>,
        statistics: &mut Statistics,
    ) -> Result<Option<Vec<u8>>, DaemonError>;
    /// Sends a frame of the board, at the next [`Wire::flush`] at the latest.
    fn send(&mut self, frame: &EgressFrame, statistics: &mut Statistics) -> Result<(), DaemonError>;
    /// Sends what was kept back.
    fn flush(&mut self, statistics: &mut Statistics) -> Result<(), DaemonError>;
}

/// A board behind a UDP socket of the system: each datagram becomes a frame from its real source address and port.
pub struct SocketWire {
    port: UdpPort,
    board: Endpoints,
    came: VecDeque<Vec<u8>>,
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
        Ok(SocketWire { port: port.map_err(DaemonError::Socket)?, board, came: VecDeque::new() })
    }
}

/// A datagram, wrapped as if it had come over Ethernet.
fn wrap(board: &Endpoints, source: SocketAddrV4, datagram: &[u8]) -> Vec<u8> {
    let ip = source.ip().octets();
    let endpoints = Endpoints {
        src_mac: [0x02, 0, ip[0], ip[1], ip[2], ip[3]],
        src_ip: ip,
        src_port: source.port(),
        ..*board
    };
    let mut frame = vec![0; MNEME_OFFSET + datagram.len()];
    UdpFrame { endpoints, datagram }
        .emit(true, &mut frame)
        .expect("the buffer has the frame's own length, and a received datagram is at most 65,507 bytes");
    frame
}

impl Wire for SocketWire {
    fn receive(
        &mut self,
        wait: Option<Duration>,
        statistics: &mut Statistics,
    ) -> Result<Option<Vec<u8>>, DaemonError> {
        if self.came.is_empty() {
            let (came, board) = (&mut self.came, &self.board);
            let received = self.port.receive(wait.unwrap_or_default(), &mut |source, datagram| {
                statistics.received += 1;
                match source {
                    Some(source) => came.push_back(wrap(board, source, datagram)),
                    None => statistics.not_ipv4 += 1,
                }
            });
            match received {
                Err(error) if !is_nothing(&error) => return Err(DaemonError::Socket(error)),
                _ => {}
            }
        }
        Ok(self.came.pop_front())
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
/// go in and out as they are, ARP and echo requests included.
pub struct LinkWire {
    link: Box<dyn Link>,
    came: VecDeque<Vec<u8>>,
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
        Ok(LinkWire { link, came: VecDeque::with_capacity(BATCH), _reservation: reservation })
    }
}

impl Wire for LinkWire {
    fn receive(
        &mut self,
        wait: Option<Duration>,
        statistics: &mut Statistics,
    ) -> Result<Option<Vec<u8>>, DaemonError> {
        if self.came.is_empty() {
            let came = &mut self.came;
            let count = self.link.receive(wait.unwrap_or_default(), BATCH, &mut |frame| {
                let mut frame = frame.to_vec();
                // From a sender on this machine: no interface will finish the sum, so the frame goes without.
                if has_unfinished_checksum(&frame) {
                    frame[UDP_CHECKSUM].fill(0);
                }
                came.push_back(frame);
            })?;
            statistics.received += count as u64;
        }
        Ok(self.came.pop_front())
    }
    fn send(&mut self, frame: &EgressFrame, statistics: &mut Statistics) -> Result<(), DaemonError> {
        if frame.bad_fcs {
            statistics.not_carried += 1;
            return Ok(());
        }
        match self.link.queue(frame.bytes.len(), &mut |to| to.copy_from_slice(&frame.bytes)) {
            Ok(()) => statistics.sent += 1,
            Err(LinkError::TooLong { .. }) => statistics.unsent += 1,
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
    fn flush(&mut self, _: &mut Statistics) -> Result<(), DaemonError> {
        Ok(self.link.flush()?)
    }
}
