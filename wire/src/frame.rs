//! A Mneme packet inside Ethernet II, IPv4 and UDP: 42 bytes of headers before the Mneme header, so that all headers fill
//! exactly 64 bytes. The views are smoltcp's; what is ours is which frames count as well-formed, with a reason for each
//! that does not.
pub use smoltcp::wire as net;

use crate::header::HEADER_LEN;
use net::{
    ETHERNET_HEADER_LEN, EthernetAddress, EthernetFrame, EthernetProtocol, IPV4_HEADER_LEN, IpAddress,
    IpProtocol, Ipv4Address, Ipv4Packet, UDP_HEADER_LEN, UdpPacket,
};

/// Bytes before the Mneme header.
pub const MNEME_OFFSET: usize = ETHERNET_HEADER_LEN + IPV4_HEADER_LEN + UDP_HEADER_LEN;
/// Bytes of all headers: one beat of the data path.
pub const ALL_HEADERS: usize = MNEME_OFFSET + HEADER_LEN;

/// Where a frame comes from and goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Endpoints {
    /// Source MAC address.
    pub src_mac: [u8; 6],
    /// Destination MAC address.
    pub dst_mac: [u8; 6],
    /// Source IPv4 address, as in `Ipv4Addr::octets`.
    pub src_ip: [u8; 4],
    /// Destination IPv4 address.
    pub dst_ip: [u8; 4],
    /// Source UDP port.
    pub src_port: u16,
    /// Destination UDP port.
    pub dst_port: u16,
}

impl Endpoints {
    /// The way back.
    pub fn reversed(&self) -> Endpoints {
        Endpoints {
            src_mac: self.dst_mac,
            dst_mac: self.src_mac,
            src_ip: self.dst_ip,
            dst_ip: self.src_ip,
            src_port: self.dst_port,
            dst_port: self.src_port,
        }
    }
}

/// Why bytes are not a UDP datagram in IPv4 in Ethernet as Mneme uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// No whole Ethernet header.
    #[error("shorter than an Ethernet header")]
    Runt,
    /// Another EtherType.
    #[error("EtherType {0:#06x} is not IPv4")]
    EtherType(u16),
    /// No whole IPv4 header, or not version 4.
    #[error("no whole IPv4 header")]
    IpHeader,
    /// IPv4 options.
    #[error("IPv4 options")]
    IpOptions,
    /// IPv4 header checksum.
    #[error("wrong IPv4 header checksum")]
    IpChecksum,
    /// A fragment.
    #[error("IPv4 fragment")]
    Fragment,
    /// IPv4 total length disagrees with the frame.
    #[error("IPv4 total length disagrees with the frame")]
    IpLength,
    /// Not UDP.
    #[error("IP protocol {0} is not UDP")]
    Protocol(u8),
    /// UDP length disagrees with IPv4's.
    #[error("UDP length disagrees with IPv4's")]
    UdpLength,
    /// UDP checksum, when it is not 0.
    #[error("wrong UDP checksum")]
    UdpChecksum,
    /// The output buffer cannot hold the frame, or the datagram is past 65,507 bytes.
    #[error("a frame of {0} bytes does not fit")]
    NoRoom(usize),
}

/// A well-formed frame: addresses and the datagram, which may be anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UdpFrame<'a> {
    /// Addresses and ports.
    pub endpoints: Endpoints,
    /// The UDP payload: a Mneme packet, header first.
    pub datagram: &'a [u8],
}

impl<'a> UdpFrame<'a> {
    /// Checks and opens a frame. Bytes after the IPv4 packet (Ethernet padding) are allowed.
    pub fn parse(frame: &'a [u8]) -> Result<UdpFrame<'a>, FrameError> {
        let parsed = UdpFrame::parse_unsummed(frame)?;
        let ip = Ipv4Packet::new_unchecked(&frame[ETHERNET_HEADER_LEN..]);
        let udp = UdpPacket::new_unchecked(&frame[ETHERNET_HEADER_LEN + IPV4_HEADER_LEN..parsed.frame_len()]);
        let (src, dst) = (IpAddress::Ipv4(ip.src_addr()), IpAddress::Ipv4(ip.dst_addr()));
        match udp.checksum() == 0 || udp.verify_checksum(&src, &dst) {
            true => Ok(parsed),
            false => Err(FrameError::UdpChecksum),
        }
    }

    /// As [`UdpFrame::parse`], for frames whose UDP checksum is known not to be finished, or has been checked: nobody looks at it.
    pub fn parse_unsummed(frame: &'a [u8]) -> Result<UdpFrame<'a>, FrameError> {
        let eth = EthernetFrame::new_checked(frame).map_err(|_| FrameError::Runt)?;
        if eth.ethertype() != EthernetProtocol::Ipv4 {
            return Err(FrameError::EtherType(eth.ethertype().into()));
        }
        let ip_bytes = eth.payload();
        if ip_bytes.len() < IPV4_HEADER_LEN || ip_bytes[0] >> 4 != 4 {
            return Err(FrameError::IpHeader);
        }
        let ip = Ipv4Packet::new_unchecked(ip_bytes);
        if usize::from(ip.header_len()) != IPV4_HEADER_LEN {
            return Err(FrameError::IpOptions);
        }
        if !ip.verify_checksum() {
            return Err(FrameError::IpChecksum);
        }
        if ip.more_frags() || ip.frag_offset() != 0 {
            return Err(FrameError::Fragment);
        }
        let total = usize::from(ip.total_len());
        if total < IPV4_HEADER_LEN || total > ip_bytes.len() {
            return Err(FrameError::IpLength);
        }
        if ip.next_header() != IpProtocol::Udp {
            return Err(FrameError::Protocol(ip.next_header().into()));
        }
        let udp_bytes = &ip_bytes[IPV4_HEADER_LEN..total];
        if udp_bytes.len() < UDP_HEADER_LEN {
            return Err(FrameError::UdpLength);
        }
        let udp = UdpPacket::new_unchecked(udp_bytes);
        if usize::from(udp.len()) != udp_bytes.len() {
            return Err(FrameError::UdpLength);
        }
        Ok(UdpFrame::open(frame))
    }

    /// As [`UdpFrame::parse`], for frames from a sender on the same machine too: where the kernel leaves the UDP checksum to an
    /// interface that computes none (veth, loopback), the field holds the sum of the pseudo-header alone. Such a frame has not
    /// been on any wire.
    pub fn parse_local(frame: &'a [u8]) -> Result<UdpFrame<'a>, FrameError> {
        match UdpFrame::parse(frame) {
            Err(FrameError::UdpChecksum) if has_unfinished_checksum(frame) => Ok(Self::open(frame)),
            other => other,
        }
    }
    /// The parts of a frame whose lengths and protocols have been checked.
    fn open(frame: &'a [u8]) -> UdpFrame<'a> {
        let eth = EthernetFrame::new_unchecked(frame);
        let ip = Ipv4Packet::new_unchecked(eth.payload());
        let udp_bytes = &eth.payload()[IPV4_HEADER_LEN..usize::from(ip.total_len())];
        let udp = UdpPacket::new_unchecked(udp_bytes);
        let endpoints = Endpoints {
            src_mac: eth.src_addr().0,
            dst_mac: eth.dst_addr().0,
            src_ip: ip.src_addr().octets(),
            dst_ip: ip.dst_addr().octets(),
            src_port: udp.src_port(),
            dst_port: udp.dst_port(),
        };
        UdpFrame { endpoints, datagram: &udp_bytes[UDP_HEADER_LEN..] }
    }

    /// Bytes of the frame without FCS.
    pub fn frame_len(&self) -> usize {
        MNEME_OFFSET + self.datagram.len()
    }

    /// Writes the frame: IP id 0, DF, TTL 64, UDP checksum computed or 0 (architecture §3). Answers the frame's length.
    pub fn emit(&self, udp_checksum: bool, to: &mut [u8]) -> Result<usize, FrameError> {
        let len = self.frame_len();
        let Some(frame) = to.get_mut(..len) else { return Err(FrameError::NoRoom(len)) };
        frame[MNEME_OFFSET..].copy_from_slice(self.datagram);
        emit_headers(&self.endpoints, udp_checksum, frame)?;
        Ok(len)
    }
}

/// Writes the headers of [`UdpFrame::emit`] before a datagram that lies in the frame already, from [`MNEME_OFFSET`] on.
pub fn emit_headers(e: &Endpoints, udp_checksum: bool, frame: &mut [u8]) -> Result<(), FrameError> {
    let len = frame.len();
    if len < MNEME_OFFSET || len - MNEME_OFFSET > 65_507 {
        return Err(FrameError::NoRoom(len));
    }
    let (src, dst) = (Ipv4Address::from(e.src_ip), Ipv4Address::from(e.dst_ip));
    let mut eth = EthernetFrame::new_unchecked(frame);
    eth.set_src_addr(EthernetAddress(e.src_mac));
    eth.set_dst_addr(EthernetAddress(e.dst_mac));
    eth.set_ethertype(EthernetProtocol::Ipv4);
    let ip_len = len - ETHERNET_HEADER_LEN;
    let mut ip = Ipv4Packet::new_unchecked(eth.payload_mut());
    ip.set_version(4);
    ip.set_header_len(IPV4_HEADER_LEN as u8);
    ip.set_dscp(0);
    ip.set_ecn(0);
    ip.set_total_len(ip_len as u16);
    ip.set_ident(0);
    ip.clear_flags();
    ip.set_dont_frag(true);
    ip.set_frag_offset(0);
    ip.set_hop_limit(64);
    ip.set_next_header(IpProtocol::Udp);
    ip.set_src_addr(src);
    ip.set_dst_addr(dst);
    ip.fill_checksum();
    let mut udp = UdpPacket::new_unchecked(ip.payload_mut());
    udp.set_src_port(e.src_port);
    udp.set_dst_port(e.dst_port);
    udp.set_len((ip_len - IPV4_HEADER_LEN) as u16);
    udp.set_checksum(0);
    if udp_checksum {
        udp.fill_checksum(&IpAddress::Ipv4(src), &IpAddress::Ipv4(dst));
    }
    Ok(())
}

/// Whether the UDP checksum of a frame that is well-formed otherwise holds the sum of the pseudo-header alone
/// ([`UdpFrame::parse_local`]).
pub fn has_unfinished_checksum(frame: &[u8]) -> bool {
    if !matches!(UdpFrame::parse(frame), Err(FrameError::UdpChecksum)) {
        return false;
    }
    frame[UDP_CHECKSUM] == unfinished_checksum(frame)
}

/// The sum of the pseudo-header of a frame with UDP in IPv4 without options: what the kernel leaves in the place of the UDP
/// checksum for an interface to finish.
fn unfinished_checksum(frame: &[u8]) -> [u8; 2] {
    let word = |at: usize| u32::from(u16::from_be_bytes([frame[at], frame[at + 1]]));
    let addresses: u32 = (0..4).map(|i| word(ETHERNET_HEADER_LEN + 12 + 2 * i)).sum();
    let mut sum = addresses + 17 + word(ETHERNET_HEADER_LEN + IPV4_HEADER_LEN + 4);
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    (sum as u16).to_be_bytes()
}

/// Makes the headers of [`emit_headers`] those of a datagram of another length. `unfinished`: the UDP checksum is left for the
/// kernel or an interface to finish; else it is 0. Headers and length must fit an IPv4 packet.
pub fn set_lengths(frame: &mut [u8], datagram: usize, unfinished: bool) {
    let udp_len = (UDP_HEADER_LEN + datagram) as u16;
    let mut ip = Ipv4Packet::new_unchecked(&mut frame[ETHERNET_HEADER_LEN..]);
    ip.set_total_len(IPV4_HEADER_LEN as u16 + udp_len);
    ip.fill_checksum();
    UdpPacket::new_unchecked(&mut frame[ETHERNET_HEADER_LEN + IPV4_HEADER_LEN..]).set_len(udp_len);
    let checksum = if unfinished { unfinished_checksum(frame) } else { [0; 2] };
    frame[UDP_CHECKSUM].copy_from_slice(&checksum);
}

/// Bytes of the UDP checksum in a frame without IPv4 options.
pub const UDP_CHECKSUM: core::ops::Range<usize> = MNEME_OFFSET - 2..MNEME_OFFSET;
