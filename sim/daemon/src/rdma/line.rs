//! Frames of a board's RDMA port over a socket: each datagram becomes the Ethernet frame that it would have been.
use std::os::fd::BorrowedFd;

use mneme_model::port::EgressFrame;
use mneme_rdma::codec::ROCE_PORT;
use mneme_rdma::udp::{DATAGRAM_MAX, PortCounters, RocePort, UdpError};
use mneme_wire::frame::net::Ipv4Packet;
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame, emit_headers};

/// Bytes of an Ethernet header.
const ETHERNET: usize = 14;

/// The socket, and the board behind it.
#[derive(Debug)]
pub(super) struct Line {
    port: RocePort,
    mac: [u8; 6],
    input: Box<[u8; DATAGRAM_MAX + 1]>,
    /// Frames that the board sent as damaged, since memory had failed, or that are no datagram; and datagrams that found the socket full.
    pub uncarried: [u64; 2],
}

/// The MAC address of a peer: a socket does not tell it, and both ways need the same.
pub(super) const fn peer_mac([a, b, c, d]: [u8; 4]) -> [u8; 6] {
    [0x02, 0, a, b, c, d]
}

impl Line {
    pub fn new(port: RocePort, mac: [u8; 6]) -> Line {
        Line { port, mac, input: Box::new([0; DATAGRAM_MAX + 1]), uncarried: [0; 2] }
    }
    pub fn counters(&self) -> &PortCounters {
        self.port.counters()
    }
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.port.as_fd()
    }
    /// Addresses of a frame to a peer.
    pub fn to(&self, peer: [u8; 4]) -> Endpoints {
        Endpoints {
            src_mac: self.mac,
            dst_mac: peer_mac(peer),
            src_ip: self.port.address().octets(),
            dst_ip: peer,
            src_port: ROCE_PORT,
            dst_port: ROCE_PORT,
        }
    }

    /// The next frame for the board. One with a wrong ICRC goes to the board, too, which drops and counts it.
    pub fn receive(&mut self) -> Result<Option<Vec<u8>>, UdpError> {
        let Some(came) = self.port.receive_sealed(&mut self.input)? else { return Ok(None) };
        let peer = came.from.ip().octets();
        let endpoints = Endpoints {
            src_mac: peer_mac(peer),
            dst_mac: self.mac,
            src_ip: peer,
            dst_ip: self.port.address().octets(),
            src_port: came.from.port(),
            dst_port: ROCE_PORT,
        };
        let mut frame = vec![0; MNEME_OFFSET + came.length];
        frame[MNEME_OFFSET..].copy_from_slice(&self.input[..came.length]);
        emit_headers(&endpoints, false, &mut frame)
            .expect("there is room for the headers, and a packet is far shorter than a datagram may be");
        if let Some(number) = came.identification.filter(|number| *number != 0) {
            let mut ip = Ipv4Packet::new_unchecked(&mut frame[ETHERNET..]);
            ip.set_ident(number);
            ip.fill_checksum();
        }
        Ok(Some(frame))
    }

    /// Sends a frame that left the board, if it is one of RoCEv2.
    pub fn send(&mut self, frame: &EgressFrame) -> bool {
        let Ok(UdpFrame { endpoints, datagram }) = UdpFrame::parse(&frame.bytes) else { return false };
        if (endpoints.src_port, endpoints.dst_port) != (ROCE_PORT, ROCE_PORT) {
            return false;
        }
        if frame.bad_fcs {
            self.uncarried[0] += 1;
        } else if !self.port.send_sealed(endpoints.dst_ip.into(), datagram) {
            // Lost, as on any network: the client asks again.
            self.uncarried[1] += 1;
        }
        true
    }
}
