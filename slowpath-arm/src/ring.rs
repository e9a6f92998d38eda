//! Frames of the slow ring: what they are, and the answers to those that need no table (ARP, ICMP echo).
use crate::serve::Job;
use mneme_wire::frame::UdpFrame;
use mneme_wire::frame::net::{
    ArpOperation, ArpPacket, ArpRepr, EthernetAddress, EthernetFrame, EthernetProtocol, EthernetRepr,
    Icmpv4Packet, Icmpv4Repr, IpProtocol, Ipv4Address, Ipv4Packet, Ipv4Repr,
};
use mneme_wire::trailer::Means;
use mneme_wire::{Opcode, Packet, ParseError, Request};
use smoltcp::phy::ChecksumCapabilities;

/// What a frame of the ring is.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// Answered at once with this frame: ARP.
    Arp(Vec<u8>),
    /// Answered at once with this frame: ICMP echo.
    Echo(Vec<u8>),
    /// A Mneme request.
    Mneme(Box<Job>),
    /// A Mneme request whose opcode (second field) names no operation; the job's own opcode does not count.
    UnknownOpcode(Box<Job>, u8),
    /// Nothing that the slow path serves.
    Unclaimed,
}

/// Opens a frame. Any bytes are allowed.
pub(crate) fn open(frame: &[u8], mac: [u8; 6], ip: [u8; 4]) -> Incoming {
    let Ok(ethernet) = EthernetFrame::new_checked(frame) else { return Incoming::Unclaimed };
    match ethernet.ethertype() {
        EthernetProtocol::Arp => arp(&ethernet, mac, ip).map_or(Incoming::Unclaimed, Incoming::Arp),
        EthernetProtocol::Ipv4 => match UdpFrame::parse(frame) {
            Ok(udp) => mneme(&udp),
            Err(_) => echo(&ethernet, mac, ip).map_or(Incoming::Unclaimed, Incoming::Echo),
        },
        _ => Incoming::Unclaimed,
    }
}

fn mneme(udp: &UdpFrame<'_>) -> Incoming {
    let Ok(packet) = Packet::new_checked(udp.datagram) else { return Incoming::Unclaimed };
    let job = |request| {
        let (endpoints, payload) = (udp.endpoints, packet.payload().to_vec());
        Box::new(Job { endpoints, request, payload, means: Means::None, source: endpoints.src_ip.into() })
    };
    match Request::parse(&packet) {
        Ok(request) => Incoming::Mneme(job(request)),
        Err(ParseError::Opcode(number)) => {
            let mut known = udp.datagram.to_vec();
            known[1] = Opcode::Ping.number();
            match Packet::new_checked(&known).as_ref().map(Request::parse) {
                Ok(Ok(request)) => Incoming::UnknownOpcode(job(request), number),
                _ => Incoming::Unclaimed,
            }
        }
        Err(_) => Incoming::Unclaimed,
    }
}

/// A frame around `payload_len` bytes that `fill` writes.
fn ethernet(
    src: [u8; 6],
    dst: EthernetAddress,
    ethertype: EthernetProtocol,
    len: usize,
    fill: impl FnOnce(&mut [u8]),
) -> Vec<u8> {
    let repr = EthernetRepr { src_addr: EthernetAddress(src), dst_addr: dst, ethertype };
    let mut bytes = vec![0; repr.buffer_len() + len];
    let mut frame = EthernetFrame::new_unchecked(&mut bytes);
    repr.emit(&mut frame);
    fill(frame.payload_mut());
    bytes
}

/// RFC 826: a request for our address is answered; everything else is not ours.
fn arp(frame: &EthernetFrame<&[u8]>, mac: [u8; 6], ip: [u8; 4]) -> Option<Vec<u8>> {
    let packet = ArpPacket::new_checked(frame.payload()).ok()?;
    let ArpRepr::EthernetIpv4 {
        operation: ArpOperation::Request,
        source_hardware_addr: asker_mac,
        source_protocol_addr: asker_ip,
        target_protocol_addr,
        ..
    } = ArpRepr::parse(&packet).ok()?
    else {
        return None;
    };
    if target_protocol_addr.octets() != ip || !asker_mac.is_unicast() {
        return None;
    }
    let reply = ArpRepr::EthernetIpv4 {
        operation: ArpOperation::Reply,
        source_hardware_addr: EthernetAddress(mac),
        source_protocol_addr: Ipv4Address::from(ip),
        target_hardware_addr: asker_mac,
        target_protocol_addr: asker_ip,
    };
    Some(ethernet(mac, asker_mac, EthernetProtocol::Arp, reply.buffer_len(), |to| {
        reply.emit(&mut ArpPacket::new_unchecked(to));
    }))
}

/// RFC 792: an echo request to our address is answered with its own data, never more than was asked with.
fn echo(frame: &EthernetFrame<&[u8]>, mac: [u8; 6], ip: [u8; 4]) -> Option<Vec<u8>> {
    let checksums = ChecksumCapabilities::default();
    let packet = Ipv4Packet::new_checked(frame.payload()).ok()?;
    let asked = Ipv4Repr::parse(&packet, &checksums).ok()?;
    let src = asked.src_addr;
    let strange = src.is_multicast() || src.is_broadcast() || src.is_unspecified();
    let fragment = packet.more_frags() || packet.frag_offset() != 0;
    if asked.dst_addr.octets() != ip || asked.next_header != IpProtocol::Icmp || strange || fragment {
        return None;
    }
    let icmp = Icmpv4Packet::new_checked(packet.payload()).ok()?;
    let Icmpv4Repr::EchoRequest { ident, seq_no, data } = Icmpv4Repr::parse(&icmp, &checksums).ok()? else {
        return None;
    };
    let reply = Icmpv4Repr::EchoReply { ident, seq_no, data };
    let header = Ipv4Repr {
        src_addr: asked.dst_addr,
        dst_addr: src,
        next_header: IpProtocol::Icmp,
        payload_len: reply.buffer_len(),
        hop_limit: 64,
    };
    let len = header.buffer_len() + reply.buffer_len();
    Some(ethernet(mac, frame.src_addr(), EthernetProtocol::Ipv4, len, |to| {
        header.emit(&mut Ipv4Packet::new_unchecked(&mut *to), &checksums);
        reply.emit(&mut Icmpv4Packet::new_unchecked(&mut to[header.buffer_len()..]), &checksums);
    }))
}
