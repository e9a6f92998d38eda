//! The socket: datagrams with an ICRC that is right.
use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::sockopt::{Ipv4PathMtuDiscovery, set_ip_mtu_discover};

use crate::codec::frame::Datagram;
use crate::codec::icrc::ICRC_LEN;
use crate::codec::{FrameError, ROCE_PORT};
use crate::responder::PACKET_MAX;

/// Bytes of a datagram, at most.
pub const DATAGRAM_MAX: usize = PACKET_MAX + ICRC_LEN;

/// Why there is no port, or why it fails.
#[derive(Debug, thiserror::Error)]
pub enum UdpError {
    /// Somebody else has the port.
    #[error(
        "UDP port 4791 of {0} is taken: by another program, or by the kernel's own RoCE (`rdma link`); \
         end it or use another address"
    )]
    Taken(Ipv4Addr),
    /// This machine does not have the address.
    #[error("{0} is no address of this machine")]
    NotHere(Ipv4Addr),
    /// The ICRC covers the source address, so it must be known.
    #[error("{0} is no single address: RoCE needs the one that its packets will have")]
    NotOne(Ipv4Addr),
    /// The system refused something else.
    #[error("{what}: {error}")]
    System {
        /// What was asked of it.
        what: &'static str,
        /// What it said.
        error: io::Error,
    },
}

fn system(what: &'static str) -> impl Fn(io::Error) -> UdpError {
    move |error| UdpError::System { what, error }
}

/// What a port has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PortCounters {
    /// Datagrams sent.
    pub sent: u64,
    /// Datagrams with a right ICRC.
    pub received: u64,
    /// Datagrams of those whose frames have an IPv4 identification; the system does not tell it, their ICRC does.
    pub identified: u64,
    /// Datagrams with a wrong ICRC; dropped.
    pub wrong_icrc: u64,
    /// Datagrams that are too short or too long for a packet; dropped.
    pub wrong_length: u64,
    /// Datagrams that the way does not carry in one piece: the path MTU is too large for it; dropped.
    pub too_long: u64,
    /// Datagrams that the system did not send for another reason; dropped.
    pub unsent: u64,
}

/// A datagram that has come, its ICRC with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Came {
    /// Who sent it.
    pub from: SocketAddrV4,
    /// Bytes.
    pub length: usize,
    /// Its frame's IPv4 identification as a right ICRC tells it; `None`: the ICRC is wrong.
    pub identification: Option<u16>,
}

/// What a look at a socket has found. Whoever looks again and again counts these looks, not packets alone: anybody can send what is none,
/// as fast as it is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard<T> {
    /// Nothing has come.
    Nothing,
    /// What had come was none, and was dropped and counted.
    Dropped,
    /// A packet.
    Packet(T),
}

/// UDP port 4791 of one address of this machine.
#[derive(Debug)]
pub struct RocePort {
    socket: UdpSocket,
    address: Ipv4Addr,
    counters: PortCounters,
}

impl RocePort {
    /// Takes the port. Does not block.
    ///
    /// # Errors
    /// Every [`UdpError`].
    pub fn bind(address: Ipv4Addr) -> Result<RocePort, UdpError> {
        if address.is_unspecified() || address.is_multicast() || address.is_broadcast() {
            return Err(UdpError::NotOne(address));
        }
        let socket = UdpSocket::bind((address, ROCE_PORT)).map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => UdpError::Taken(address),
            io::ErrorKind::AddrNotAvailable => UdpError::NotHere(address),
            _ => UdpError::System { what: "binding UDP port 4791", error },
        })?;
        // Sets DF, on which both the receiver and the identification of 0 depend.
        set_ip_mtu_discover(&socket, Ipv4PathMtuDiscovery::DO)
            .map_err(|error| UdpError::System { what: "forbidding fragments", error: error.into() })?;
        socket.set_nonblocking(true).map_err(system("making the socket answer at once"))?;
        Ok(RocePort { socket, address, counters: PortCounters::default() })
    }

    /// The address.
    pub const fn address(&self) -> Ipv4Addr {
        self.address
    }
    /// What was seen so far.
    pub const fn counters(&self) -> &PortCounters {
        &self.counters
    }

    /// The socket, to wait for with others.
    pub fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        std::os::fd::AsFd::as_fd(&self.socket)
    }

    /// Sends a packet, whose four bytes behind `length` become its ICRC. Answers whether the system took it; if not, its
    /// queue is full, and the same packet is to be sent later. A packet that the system refuses for good is dropped and
    /// counted, as a network would lose it. Does not block.
    pub(super) fn send(&mut self, to: Ipv4Addr, packet: &mut [u8; DATAGRAM_MAX], length: usize) -> bool {
        let way =
            Datagram { source: self.address.octets(), destination: to.octets(), source_port: ROCE_PORT };
        let datagram = &mut packet[..length + ICRC_LEN];
        if way.seal(datagram).is_err() {
            self.counters.wrong_length += 1;
            return true;
        }
        Self::pass(&self.socket, &mut self.counters, to, datagram)
    }

    /// Sends a datagram whose ICRC is there already, for this address, source port 4791 and identification 0. Answers as `send`
    /// does. Does not block.
    pub fn send_sealed(&mut self, to: Ipv4Addr, datagram: &[u8]) -> bool {
        Self::pass(&self.socket, &mut self.counters, to, datagram)
    }

    fn pass(socket: &UdpSocket, counters: &mut PortCounters, to: Ipv4Addr, datagram: &[u8]) -> bool {
        match socket.send_to(datagram, SocketAddrV4::new(to, ROCE_PORT)) {
            Ok(_) => counters.sent += 1,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return false,
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::MSGSIZE.raw_os_error()) => {
                counters.too_long += 1;
            }
            Err(_) => counters.unsent += 1,
        }
        true
    }

    /// Takes what has come next: a packet up to the ICRC, which has been checked, and who sent it. Does not block.
    ///
    /// # Errors
    /// [`UdpError::System`].
    pub(super) fn receive<'a>(
        &mut self,
        buffer: &'a mut [u8; DATAGRAM_MAX + 1],
    ) -> Result<Heard<(Ipv4Addr, &'a [u8])>, UdpError> {
        Ok(match self.receive_sealed(buffer)? {
            Heard::Packet(came) if came.identification.is_some() => {
                Heard::Packet((*came.from.ip(), &buffer[..came.length - ICRC_LEN]))
            }
            Heard::Packet(_) | Heard::Dropped => Heard::Dropped,
            Heard::Nothing => Heard::Nothing,
        })
    }

    /// Takes the datagram that has come next: as a packet if it is as long as one with its ICRC, be this right or wrong: who asks looks at
    /// it, too. Does not block.
    ///
    /// # Errors
    /// [`UdpError::System`].
    pub fn receive_sealed(&mut self, buffer: &mut [u8; DATAGRAM_MAX + 1]) -> Result<Heard<Came>, UdpError> {
        let (length, from) = match self.socket.recv_from(buffer) {
            Ok((length, SocketAddr::V4(from))) => (length, from),
            // A socket of IPv4 hears nobody else.
            Ok(_) => return Ok(Heard::Dropped),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Heard::Nothing),
            // As if something had come: it is asked again.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(Heard::Dropped),
            Err(error) => return Err(system("receiving")(error)),
        };
        let way = Datagram {
            source: from.ip().octets(),
            destination: self.address.octets(),
            source_port: from.port(),
        };
        // One byte more than the longest packet has fitted if it was too long.
        let opened =
            if length > DATAGRAM_MAX { Err(FrameError::Short(length)) } else { way.open(&buffer[..length]) };
        let identification = match opened {
            Ok((_, identification)) => {
                self.counters.received += 1;
                self.counters.identified += u64::from(identification != 0);
                Some(identification)
            }
            Err(FrameError::Icrc) => {
                self.counters.wrong_icrc += 1;
                None
            }
            Err(_) => {
                self.counters.wrong_length += 1;
                return Ok(Heard::Dropped);
            }
        };
        Ok(Heard::Packet(Came { from, length, identification }))
    }

    /// Waits until something comes, or until something can be sent if `also_room`. Blocks up to `most`.
    ///
    /// # Errors
    /// [`UdpError::System`].
    pub(super) fn wait(&self, most: Duration, also_room: bool) -> Result<(), UdpError> {
        let mut flags = PollFlags::IN;
        flags.set(PollFlags::OUT, also_room);
        let most = Timespec { tv_sec: most.as_secs().min(3600) as i64, tv_nsec: most.subsec_nanos().into() };
        match poll(&mut [PollFd::new(&self.socket, flags)], Some(&most)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(UdpError::System { what: "waiting", error: error.into() }),
        }
    }
}
