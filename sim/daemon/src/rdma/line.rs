//! Frames of a board's RDMA port over a socket: each datagram becomes the Ethernet frame that it would have been.
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use mneme_model::port::EgressFrame;
use mneme_rdma::codec::ROCE_PORT;
use mneme_rdma::udp::{DATAGRAM_MAX, Heard, PortCounters, RocePort, UdpError};
use mneme_wire::frame::net::{
    ArpOperation, ArpPacket, ArpRepr, EthernetAddress, EthernetFrame, EthernetProtocol, EthernetRepr,
    Ipv4Packet,
};
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame, emit_headers};

use crate::{Beside, DaemonError};

/// Datagrams that are looked at for one that may be a packet: anybody can send others, as fast as they are dropped.
const LOOKS: usize = 32;
/// Bytes of an Ethernet header.
const ETHERNET: usize = 14;

/// The socket, and the board behind it.
#[derive(Debug)]
pub(super) struct Line {
    port: RocePort,
    mac: [u8; 6],
    input: Box<[u8; DATAGRAM_MAX + 1]>,
    /// Frames that the board sent as damaged, since memory had failed, or that are no datagram; and datagrams that found the socket full.
    uncarried: [u64; 2],
}

/// The MAC address of a peer: a socket does not tell it, and both ways need the same.
pub(super) const fn peer_mac([a, b, c, d]: [u8; 4]) -> [u8; 6] {
    [0x02, 0, a, b, c, d]
}

impl Line {
    pub fn new(port: RocePort, mac: [u8; 6]) -> Line {
        Line { port, mac, input: Box::new([0; DATAGRAM_MAX + 1]), uncarried: [0; 2] }
    }
    /// What was counted of the socket.
    pub fn counted(&self) -> PortCounters {
        let mut counted = *self.port.counters();
        counted.unsent += self.uncarried[1];
        counted
    }
    /// And of frames that no socket carries, by name.
    pub fn named(&self) -> [(String, u64); 1] {
        [("RDMA frames that no datagram carries".to_owned(), self.uncarried[0])]
    }
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.port.as_fd()
    }
    /// The next frame for the board. One with a wrong ICRC goes to the board, too, which drops and counts it.
    pub fn receive(&mut self) -> Result<Option<Vec<u8>>, UdpError> {
        let mut looks = 0..LOOKS;
        let came = loop {
            match self.port.receive_sealed(&mut self.input)? {
                Heard::Packet(came) => break came,
                // The socket tells of the others when somebody waits for it.
                Heard::Dropped if looks.next().is_none() => return Ok(None),
                Heard::Dropped => {}
                Heard::Nothing => return Ok(None),
            }
        };
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

/// The socket of a board whose slow path is another program's, and with it the connection manager.
///
/// A socket's network has hosts without addresses of Ethernet: who asks for one by ARP is told what it has in frames ([`peer_mac`]).
#[derive(Debug)]
pub struct LinePort {
    line: Line,
    /// Answers to the board's questions.
    answers: VecDeque<Vec<u8>>,
}
/// Answers that wait at most: a board that takes none asks again.
const ANSWERS: usize = 16;

impl LinePort {
    /// Takes the socket's port. `mac` is the board's.
    ///
    /// # Errors
    /// Every [`UdpError`].
    pub fn open(address: Ipv4Addr, mac: [u8; 6]) -> Result<LinePort, UdpError> {
        Ok(LinePort { line: Line::new(RocePort::bind(address)?, mac), answers: VecDeque::new() })
    }
    /// What a host of the network answers to a question of the board. Of a board of the loopback network there are no other hosts.
    fn answer(&self, frame: &[u8]) -> Option<Vec<u8>> {
        let question = EthernetFrame::new_checked(frame).ok()?;
        if question.ethertype() != EthernetProtocol::Arp {
            return None;
        }
        let ArpRepr::EthernetIpv4 {
            operation: ArpOperation::Request,
            source_hardware_addr,
            source_protocol_addr,
            target_protocol_addr: host,
            ..
        } = ArpRepr::parse(&ArpPacket::new_checked(question.payload()).ok()?).ok()?
        else {
            return None;
        };
        if self.line.port.address().is_loopback() && !host.is_loopback() {
            return None;
        }
        let mac = EthernetAddress(peer_mac(host.octets()));
        let answer = ArpRepr::EthernetIpv4 {
            operation: ArpOperation::Reply,
            source_hardware_addr: mac,
            source_protocol_addr: host,
            target_hardware_addr: source_hardware_addr,
            target_protocol_addr: source_protocol_addr,
        };
        let header =
            EthernetRepr { src_addr: mac, dst_addr: source_hardware_addr, ethertype: EthernetProtocol::Arp };
        let mut bytes = vec![0; header.buffer_len() + answer.buffer_len()];
        let mut frame = EthernetFrame::new_unchecked(&mut bytes);
        header.emit(&mut frame);
        answer.emit(&mut ArpPacket::new_unchecked(frame.payload_mut()));
        Some(bytes)
    }
}

impl<N> Beside<N> for LinePort {
    fn serve(&mut self, _: &mut N) -> Result<bool, DaemonError> {
        Ok(false)
    }
    fn frame(&mut self) -> Result<Option<Vec<u8>>, DaemonError> {
        match self.answers.pop_front() {
            Some(answer) => Ok(Some(answer)),
            None => Ok(self.line.receive()?),
        }
    }
    fn send(&mut self, frame: &EgressFrame) -> bool {
        if let Some(answer) = self.answer(&frame.bytes) {
            if self.answers.len() < ANSWERS {
                self.answers.push_back(answer);
            }
            return true;
        }
        self.line.send(frame)
    }
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        Some(self.line.fd())
    }
    fn rest(&self, most: Duration) -> Duration {
        if self.answers.is_empty() { most } else { Duration::ZERO }
    }
    fn counted(&self) -> Vec<(String, u64)> {
        let PortCounters { sent, received, wrong_icrc, wrong_length, too_long, unsent, .. } =
            self.line.counted();
        let own = [
            ("RDMA datagrams received", received + wrong_icrc),
            ("RDMA datagrams of a wrong length", wrong_length),
            ("RDMA datagrams sent", sent),
            ("RDMA datagrams too long for the way", too_long),
            ("RDMA datagrams that the system did not send", unsent),
        ];
        own.map(|(name, count)| (name.to_owned(), count)).into_iter().chain(self.line.named()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_for_a_frame_ends_though_datagrams_that_are_none_have_come() {
        let process = std::process::id();
        let own = |host| Ipv4Addr::new(127, (process >> 8) as u8 | 0x80, process as u8, host);
        let mut port = LinePort::open(own(10), [2, 0, 0, 0, 0, 1]).unwrap();
        let stranger = std::net::UdpSocket::bind((own(11), ROCE_PORT)).unwrap();
        for _ in 0..120 {
            stranger.send_to(&[0], (own(10), ROCE_PORT)).unwrap();
        }
        let dropped = |port: &LinePort| port.line.counted().wrong_length;
        let mut before = 0;
        for _ in 0..1_000 {
            let frame = Beside::<()>::frame(&mut port).unwrap();
            assert_eq!(frame, None);
            let now = dropped(&port);
            assert!(now - before <= LOOKS as u64 + 1, "{} at one look", now - before);
            before = now;
        }
        assert_eq!(before, 120);
    }
}
