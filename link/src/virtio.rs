//! What lies before a frame that is exchanged with the kernel by PACKET_VNET_HDR (`struct virtio_net_hdr`, virtio 1.2,
//! 5.1.6, in the machine's byte order): whether its checksum is still to be computed, and whether it is several
//! datagrams in one.
use mneme_wire::frame::{MNEME_OFFSET, UDP_CHECKSUM};

/// Bytes of it.
pub(crate) const LENGTH: usize = 10;
const NEEDS_CHECKSUM: u8 = 1;
/// `VIRTIO_NET_HDR_GSO_UDP_L4` (Linux 6.2).
const UDP_SEGMENTS: u8 = 5;
/// Where the UDP header begins.
const UDP: usize = MNEME_OFFSET - 8;

/// The header of a frame of `length` bytes as it is.
pub(crate) fn alone(length: usize) -> [u8; LENGTH] {
    let mut header = [0; LENGTH];
    header[2..4].copy_from_slice(&piece(length).to_ne_bytes());
    header
}

/// How many bytes of a frame the kernel is to lay in one piece, which it is told as the length of the frame's headers: that
/// is one allocation instead of several, and programs that look at headers see the first piece alone.
fn piece(length: usize) -> u16 {
    if length <= ONE_PIECE { length as u16 } else { MNEME_OFFSET as u16 }
}

/// Bytes of the largest frame that the kernel is asked to lay in one piece: up to eight pages it finds those at once.
const ONE_PIECE: usize = 30_000;

/// The header of datagrams of `each` bytes in one frame of `length` bytes, whose UDP checksum is that of the pseudo-header
/// alone.
pub(crate) fn joined(each: u16, length: usize) -> [u8; LENGTH] {
    let mut header = [0; LENGTH];
    (header[0], header[1]) = (NEEDS_CHECKSUM, UDP_SEGMENTS);
    let fields = [piece(length), each, UDP as u16, (UDP_CHECKSUM.start - UDP) as u16];
    for (to, field) in header[2..].chunks_mut(2).zip(fields) {
        to.copy_from_slice(&field.to_ne_bytes());
    }
    header
}

/// What the kernel says of a frame that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Told {
    /// The checksum holds the sum of the pseudo-header alone.
    pub(crate) unsummed: bool,
    pub(crate) joined: Joined,
}

/// Whether a frame is several in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joined {
    Not,
    /// Datagrams of so many bytes; the last may have fewer.
    Datagrams(u16),
    /// TCP segments, or fragments of old.
    Other,
}

/// Reads a header.
pub(crate) fn read(header: [u8; LENGTH]) -> Told {
    let [flags, kind, _, _, low, high, ..] = header;
    let joined = match (kind, u16::from_ne_bytes([low, high])) {
        (0, _) => Joined::Not,
        (UDP_SEGMENTS, each @ 1..) => Joined::Datagrams(each),
        _ => Joined::Other,
    };
    Told { unsummed: flags & NEEDS_CHECKSUM != 0, joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(read(alone(60)), Told { unsummed: false, joined: Joined::Not });
        assert_eq!(read(joined(1_048, 9_000)), Told { unsummed: true, joined: Joined::Datagrams(1_048) });
        let piece = |header: [u8; LENGTH]| u16::from_ne_bytes([header[2], header[3]]);
        assert_eq!((piece(alone(60)), piece(alone(9_014)), piece(joined(1_048, 9_000))), (60, 9_014, 9_000));
        assert_eq!((piece(alone(40_000)), piece(joined(1_048, 40_000))), (42, 42));
        let mut tcp = joined(1_448, 9_000);
        tcp[1] = 1;
        assert_eq!(read(tcp).joined, Joined::Other);
        assert_eq!(read(joined(0, 42)).joined, Joined::Other, "nothing could be told apart");
    }
}
