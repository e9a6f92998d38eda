//! What carries a packet: Ethernet, IPv4 and UDP port 4791 before it, the ICRC behind it (IBTA annex A17; RFC 768; RFC 791).
//!
//! Ethernet, IPv4 and UDP are those of [`mneme_wire::frame`], checksums and lengths included: no options, no fragments.

use mneme_wire::frame::{Endpoints, FrameError as UdpError, MNEME_OFFSET, UdpFrame, emit_headers};

use super::icrc::{ICRC_LEN, IP_UDP_LEN, icrc, identification};
use super::{Bth, Packet, PacketError};

/// The destination port of RoCEv2.
pub const ROCE_PORT: u16 = 4791;
/// Bytes before the base transport header.
pub const TRANSPORT_OFFSET: usize = MNEME_OFFSET;
/// Bytes of a datagram, at most: what UDP in IPv4 carries.
const DATAGRAM_MAX: usize = 65_507;
/// Bytes of an Ethernet header.
const ETHERNET_LEN: usize = TRANSPORT_OFFSET - IP_UDP_LEN;

/// Why bytes are no frame of RoCEv2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Ethernet, IPv4 or UDP is not as it should be.
    #[error(transparent)]
    Carrier(#[from] UdpError),
    /// Another port.
    #[error("UDP port {0} is not 4791")]
    Port(u16),
    /// Neither base transport header nor ICRC fit.
    #[error("a datagram of {0} bytes has no room for a base transport header and an ICRC")]
    Short(usize),
    /// The ICRC is wrong.
    #[error("the ICRC is wrong")]
    Icrc,
    /// The packet cannot be written.
    #[error(transparent)]
    Packet(#[from] PacketError),
}

/// A frame whose carrier and ICRC are sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoceFrame<'a> {
    /// Addresses and ports.
    pub endpoints: Endpoints,
    /// A router has met congestion (RFC 3168: both bits of ECN).
    pub congested: bool,
    /// All from the base transport header up to the ICRC.
    pub transport: &'a [u8],
}

impl<'a> RoceFrame<'a> {
    /// Checks and opens a frame without its FCS. Ethernet padding is allowed.
    ///
    /// # Errors
    /// Every [`FrameError`] but that of a packet: nothing of the base transport header is looked at.
    pub fn parse(frame: &'a [u8]) -> Result<RoceFrame<'a>, FrameError> {
        let udp = UdpFrame::parse(frame)?;
        if udp.endpoints.dst_port != ROCE_PORT {
            return Err(FrameError::Port(udp.endpoints.dst_port));
        }
        let short = FrameError::Short(udp.datagram.len());
        let (transport, sent) = udp.datagram.split_last_chunk::<ICRC_LEN>().ok_or(short)?;
        if transport.len() < Bth::LEN {
            return Err(short);
        }
        let headers = frame[ETHERNET_LEN..].first_chunk().ok_or(short)?;
        if icrc(headers, transport) != *sent {
            return Err(FrameError::Icrc);
        }
        let congested = frame[ETHERNET_LEN + 1] & 3 == 3;
        Ok(RoceFrame { endpoints: udp.endpoints, congested, transport })
    }

    /// Writes a packet as a whole frame without FCS: IP id 0, DF, TTL 64, UDP checksum 0, destination port 4791 whatever
    /// `endpoints` says. Answers the frame's length.
    ///
    /// # Errors
    /// [`FrameError::Packet`], and [`FrameError::Carrier`] past the length of a datagram.
    pub fn emit(endpoints: &Endpoints, packet: &Packet<'_>, to: &mut [u8]) -> Result<usize, FrameError> {
        let length = packet.wire_len();
        let (needs, has) = (TRANSPORT_OFFSET + length + ICRC_LEN, to.len());
        let frame = to.get_mut(..needs).ok_or(PacketError::NoRoom { needs, has })?;
        packet.emit(&mut frame[TRANSPORT_OFFSET..])?;
        seal_frame(endpoints, frame)?;
        Ok(needs)
    }
}

/// Writes carrier and ICRC round a packet that lies in the frame already, from [`TRANSPORT_OFFSET`] on; the last four bytes are
/// the ICRC's.
///
/// # Errors
/// [`FrameError::Short`] and [`FrameError::Carrier`].
pub fn seal_frame(endpoints: &Endpoints, frame: &mut [u8]) -> Result<(), FrameError> {
    let short = FrameError::Short(frame.len().saturating_sub(TRANSPORT_OFFSET));
    if frame.len() < TRANSPORT_OFFSET + Bth::LEN + ICRC_LEN {
        return Err(short);
    }
    emit_headers(&Endpoints { dst_port: ROCE_PORT, ..*endpoints }, false, frame)?;
    let (covered, end) = frame.split_last_chunk_mut::<ICRC_LEN>().ok_or(short)?;
    let (headers, transport) = covered[ETHERNET_LEN..].split_first_chunk().ok_or(short)?;
    *end = icrc(headers, transport);
    Ok(())
}

/// Addresses of a datagram on a socket, where the kernel writes IPv4 and UDP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Datagram {
    /// Source address.
    pub source: [u8; 4],
    /// Destination address.
    pub destination: [u8; 4],
    /// Source port. The destination's is [`ROCE_PORT`].
    pub source_port: u16,
}

impl Datagram {
    /// The headers that a kernel writes for a socket that is not connected and forbids fragments: IP id 0, DF. What the ICRC
    /// counts as ones is zero here.
    fn headers(&self, length: usize) -> [u8; IP_UDP_LEN] {
        let mut h = [0; IP_UDP_LEN];
        h[0] = 0x45;
        h[2..4].copy_from_slice(&((IP_UDP_LEN + length) as u16).to_be_bytes());
        h[6] = 0x40;
        h[9] = 17;
        h[12..16].copy_from_slice(&self.source);
        h[16..20].copy_from_slice(&self.destination);
        h[20..22].copy_from_slice(&self.source_port.to_be_bytes());
        h[22..24].copy_from_slice(&ROCE_PORT.to_be_bytes());
        h[24..26].copy_from_slice(&((8 + length) as u16).to_be_bytes());
        h
    }

    /// Writes the ICRC into the last four bytes of a datagram.
    ///
    /// # Errors
    /// [`FrameError::Short`], and [`FrameError::Carrier`] past 65,507 bytes.
    pub fn seal(&self, datagram: &mut [u8]) -> Result<(), FrameError> {
        let length = datagram.len();
        if length > DATAGRAM_MAX {
            return Err(UdpError::NoRoom(TRANSPORT_OFFSET + length).into());
        }
        match datagram.split_last_chunk_mut() {
            Some((transport, end)) if transport.len() >= Bth::LEN => {
                *end = icrc(&self.headers(length), transport);
                Ok(())
            }
            _ => Err(FrameError::Short(length)),
        }
    }

    /// Checks the ICRC of a datagram and takes it off. Answers what is left, and the IPv4 identification of its frame, which a
    /// receiver on a socket cannot see: some senders number their packets, as Linux's rdma_rxe does, and the ICRC covers the number.
    ///
    /// # Errors
    /// [`FrameError::Short`] and [`FrameError::Icrc`]; the latter also when the sender's IPv4 headers differ from those of
    /// [`Datagram`] in something else.
    pub fn open<'a>(&self, datagram: &'a [u8]) -> Result<(&'a [u8], u16), FrameError> {
        let length = datagram.len();
        match datagram.split_last_chunk() {
            Some((transport, end)) if transport.len() >= Bth::LEN && length <= DATAGRAM_MAX => {
                let headers = self.headers(length);
                if icrc(&headers, transport) == *end {
                    return Ok((transport, 0));
                }
                let number = identification(&headers, transport, *end).ok_or(FrameError::Icrc)?;
                Ok((transport, number))
            }
            _ => Err(FrameError::Short(length)),
        }
    }
}
