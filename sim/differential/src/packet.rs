//! A Mneme packet with every field free, and the frame around it: what the generator writes and spoils.
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame};
use mneme_wire::header::TIMED_BIT;
use mneme_wire::{HEADER_LEN, WIRE_VERSION};

/// Every field of a request as a plain number, so that values outside the wire format can be written too.
#[derive(Debug, Clone)]
pub struct RawPacket {
    /// Addresses and ports.
    pub endpoints: Endpoints,
    /// First byte: version, trailer, key phase, timed.
    pub flags: u8,
    /// Opcode byte.
    pub opcode: u8,
    /// Epoch.
    pub epoch: u8,
    /// Process id, 24 bits.
    pub pid: u32,
    /// Operation id.
    pub op_id: u32,
    /// Attempt.
    pub attempt: u8,
    /// Time, 24 bits.
    pub time: u32,
    /// Address, 48 bits.
    pub va: u64,
    /// Length field.
    pub length: u16,
    /// Bytes after the header.
    pub payload: Vec<u8>,
    /// With a UDP checksum, or 0 in its place.
    pub udp_checksum: bool,
}

impl RawPacket {
    /// The first byte of a request that is in order.
    pub const FLAGS: u8 = WIRE_VERSION << 4;
    /// The flag timed: an OK answer tells its cycles.
    pub const TIMED: u8 = TIMED_BIT;

    /// The Mneme header and payload.
    fn datagram(&self) -> Vec<u8> {
        let mut bytes = vec![0; HEADER_LEN];
        bytes[0] = self.flags;
        bytes[1] = self.opcode;
        bytes[2] = self.epoch;
        bytes[3..6].copy_from_slice(&self.pid.to_be_bytes()[1..]);
        bytes[6..10].copy_from_slice(&self.op_id.to_be_bytes());
        bytes[10] = self.attempt;
        bytes[11..14].copy_from_slice(&self.time.to_be_bytes()[1..]);
        bytes[14..20].copy_from_slice(&self.va.to_be_bytes()[2..]);
        bytes[20..22].copy_from_slice(&self.length.to_be_bytes());
        bytes.extend_from_slice(&self.payload);
        bytes
    }
    /// The whole frame.
    pub fn frame(&self) -> Vec<u8> {
        let datagram = self.datagram();
        let mut frame = vec![0; MNEME_OFFSET + datagram.len()];
        UdpFrame { endpoints: self.endpoints, datagram: &datagram }
            .emit(self.udp_checksum, &mut frame)
            .expect("the buffer has the frame's own length, and no generated payload is past 65,507 bytes");
        frame
    }
}
