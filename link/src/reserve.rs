//! A UDP port that belongs to a raw link.
use std::net::{Ipv4Addr, SocketAddr};

use socket2::{Domain, Protocol, Socket, Type};

use crate::error::LinkError;
use crate::filter;

/// Holds a UDP port of an address of this machine: no other program gets it, and the system does not answer its
/// datagrams with "port unreachable". What arrives is thrown away by the kernel; the raw link sees it before.
#[derive(Debug)]
pub struct PortReservation {
    socket: Socket,
    port: u16,
}

impl PortReservation {
    /// Takes `port`, or any that is free for 0.
    pub fn new(ip: Ipv4Addr, port: u16) -> Result<PortReservation, LinkError> {
        let address = SocketAddr::from((ip, port));
        let failed = |source| LinkError::Port { address, source };
        let socket = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::UDP)).map_err(failed)?;
        // Before binding, so that not even the first datagram stays.
        socket.attach_filter(&filter::nothing()).map_err(LinkError::io("a UDP socket's filter"))?;
        socket.bind(&address.into()).map_err(failed)?;
        let bound = socket.local_addr().map_err(failed)?;
        let port = bound.as_socket().map_or(port, |bound| bound.port());
        Ok(PortReservation { socket, port })
    }
    /// The port held.
    pub fn port(&self) -> u16 {
        self.port
    }
    /// Datagrams that wait in the socket: none ever does.
    pub fn waiting(&self) -> bool {
        let mut byte = [std::mem::MaybeUninit::uninit()];
        self.socket.set_nonblocking(true).is_ok() && self.socket.peek(&mut byte).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::UdpSocket;

    #[test]
    fn a_reserved_port_is_taken_and_deaf() {
        let held = PortReservation::new(Ipv4Addr::LOCALHOST, 0).unwrap();
        let error = PortReservation::new(Ipv4Addr::LOCALHOST, held.port()).unwrap_err();
        assert!(matches!(error, LinkError::Port { .. }), "{error}");
        let other = UdpSocket::bind("127.0.0.1:0").unwrap();
        other.connect(("127.0.0.1", held.port())).unwrap();
        other.send(b"anybody?").unwrap();
        other.set_nonblocking(true).unwrap();
        // A closed port would have answered "refused" by now: loopback delivers within the call.
        assert_eq!(other.recv(&mut [0; 8]).unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
        assert!(!held.waiting());
    }
}
