//! Frames spoiled on purpose: one kind for every check of contracts §1 that a frame can fail before Mneme is looked at.
use mneme_wire::frame::net::{EthernetFrame, EthernetProtocol, IpAddress, IpProtocol, Ipv4Packet, UdpPacket};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// What is wrong with a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoil {
    /// Fewer bytes than an Ethernet header.
    Runt,
    /// Longer than the board's largest frame.
    Giant,
    /// Another station's address.
    ForeignMac,
    /// The broadcast address, which is no fault.
    Broadcast,
    /// Neither IPv4 nor ARP.
    ForeignEthertype,
    /// Not a whole IPv4 header.
    IpTruncated,
    /// IP version 6.
    IpVersion,
    /// IPv4 options.
    IpOptions,
    /// IPv4 header checksum.
    IpChecksum,
    /// More fragments follow, or this is a later one.
    IpFragment,
    /// Total length past the frame, or under a header.
    IpLength,
    /// Bytes after the IPv4 packet.
    Padding,
    /// Another host's address.
    ForeignIp,
    /// Neither UDP nor ICMP.
    ForeignProtocol,
    /// UDP length disagrees with IPv4's.
    UdpLength,
    /// Another port.
    ForeignPort,
    /// UDP checksum.
    UdpChecksum,
    /// Less than a Mneme header.
    MnemeShort,
    /// The frame ends early.
    Cut,
    /// One bit flipped anywhere.
    BitFlip,
    /// Nothing but noise.
    Noise,
}

impl Spoil {
    /// Every kind.
    pub const ALL: &'static [Spoil] = &[
        Spoil::Runt,
        Spoil::Giant,
        Spoil::ForeignMac,
        Spoil::Broadcast,
        Spoil::ForeignEthertype,
        Spoil::IpTruncated,
        Spoil::IpVersion,
        Spoil::IpOptions,
        Spoil::IpChecksum,
        Spoil::IpFragment,
        Spoil::IpLength,
        Spoil::Padding,
        Spoil::ForeignIp,
        Spoil::ForeignProtocol,
        Spoil::UdpLength,
        Spoil::ForeignPort,
        Spoil::UdpChecksum,
        Spoil::MnemeShort,
        Spoil::Cut,
        Spoil::BitFlip,
        Spoil::Noise,
    ];

    /// Spoils a frame that was in order; `max_frame` is the board's largest.
    pub fn apply(self, frame: &mut Vec<u8>, max_frame: usize, rng: &mut ChaCha8Rng) {
        match self {
            Spoil::Runt => frame.truncate(rng.random_range(1..14)),
            Spoil::Giant => frame.resize(max_frame + rng.random_range(1..200), 0x5a),
            Spoil::ForeignMac => frame[rng.random_range(0..6)] ^= 1 << rng.random_range(1..8),
            Spoil::Broadcast => frame[..6].fill(0xff),
            Spoil::ForeignEthertype => {
                let other = *pick(rng, &[0x86dd, 0x8100, 0x0801, 0x88b5, 0x0000]);
                EthernetFrame::new_unchecked(frame).set_ethertype(EthernetProtocol::from(other));
            }
            Spoil::IpTruncated => frame.truncate(rng.random_range(14..34)),
            Spoil::Cut => frame.truncate(rng.random_range(34..frame.len())),
            Spoil::Padding => frame.extend(std::iter::repeat_n(0, rng.random_range(1..40))),
            Spoil::BitFlip => {
                let at = rng.random_range(0..frame.len());
                frame[at] ^= 1 << rng.random_range(0..8);
            }
            Spoil::Noise => {
                let len = rng.random_range(14..=max_frame);
                let addresses = frame[..14].to_vec();
                frame.resize(len, 0);
                rng.fill(&mut frame[..]);
                if rng.random_bool(0.5) {
                    frame[..14].copy_from_slice(&addresses);
                }
            }
            Spoil::UdpLength | Spoil::ForeignPort | Spoil::UdpChecksum | Spoil::MnemeShort => {
                self.spoil_udp(frame, rng);
            }
            _ => self.spoil_ip(frame, rng),
        }
    }

    /// Faults of the IPv4 header; its checksum stays right unless it is the fault.
    fn spoil_ip(self, frame: &mut [u8], rng: &mut ChaCha8Rng) {
        let mut ip = Ipv4Packet::new_unchecked(&mut frame[14..]);
        match self {
            Spoil::IpVersion => ip.set_version(6),
            Spoil::IpOptions => ip.set_header_len(*pick(rng, &[16, 24, 60, 0])),
            Spoil::IpFragment if rng.random_bool(0.5) => ip.set_more_frags(true),
            Spoil::IpFragment => ip.set_frag_offset(8 * rng.random_range(1..64)),
            Spoil::IpLength => {
                let total = ip.total_len();
                ip.set_total_len(*pick(rng, &[0, 19, total + 1, total + 200, u16::MAX]));
            }
            Spoil::ForeignIp => {
                let mut octets = ip.dst_addr().octets();
                octets[rng.random_range(0..4)] ^= 1 << rng.random_range(0..8);
                ip.set_dst_addr(octets.into());
            }
            Spoil::ForeignProtocol => ip.set_next_header(IpProtocol::from(*pick(rng, &[0, 6, 16, 18, 255]))),
            _ => {}
        }
        if self == Spoil::IpChecksum {
            let wrong = ip.checksum() ^ 1 << rng.random_range(0..16);
            ip.set_checksum(wrong);
        } else {
            refill(&mut ip);
        }
    }

    /// Faults of the UDP header, or of what it carries.
    fn spoil_udp(self, frame: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
        if self == Spoil::MnemeShort {
            frame.truncate(42 + rng.random_range(0..22));
            let total = (frame.len() - 14) as u16;
            let mut ip = Ipv4Packet::new_unchecked(&mut frame[14..]);
            ip.set_total_len(total);
            refill(&mut ip);
            let mut udp = UdpPacket::new_unchecked(&mut frame[34..]);
            udp.set_len(total - 20);
            udp.set_checksum(0);
            return;
        }
        let (source, destination) = {
            let ip = Ipv4Packet::new_unchecked(&frame[14..]);
            (IpAddress::Ipv4(ip.src_addr()), IpAddress::Ipv4(ip.dst_addr()))
        };
        let mut udp = UdpPacket::new_unchecked(&mut frame[34..]);
        match self {
            Spoil::UdpLength => {
                let len = udp.len();
                udp.set_len(*pick(rng, &[0, 7, 8, len - 1, len + 1, u16::MAX]));
            }
            Spoil::ForeignPort => {
                let port = udp.dst_port();
                udp.set_dst_port(port ^ 1 << rng.random_range(0..16));
                udp.set_checksum(0);
            }
            _ => {
                udp.fill_checksum(&source, &destination);
                let wrong = udp.checksum() ^ 1 << rng.random_range(0..16);
                udp.set_checksum(if wrong == 0 { 1 } else { wrong });
            }
        }
    }
}

/// The IPv4 checksum as a sender computes it, over the 20 bytes that are there: smoltcp would follow a spoiled IHL.
fn refill(ip: &mut Ipv4Packet<&mut [u8]>) {
    let ihl = ip.header_len();
    if ihl == 20 {
        ip.fill_checksum();
    }
}

/// One of several values.
pub fn pick<'a, T>(rng: &mut ChaCha8Rng, from: &'a [T]) -> &'a T {
    &from[rng.random_range(0..from.len())]
}
