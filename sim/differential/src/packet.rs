//! A Mneme packet with every field free, and the frame around it: what the generator writes and spoils.
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame};
use mneme_wire::header::TIMED_BIT;
use mneme_wire::trailer::{BoardKey, Means, full_time, upper};
use mneme_wire::{HEADER_LEN, Pid, Tick, Trailer, WIRE_VERSION};

/// What tags are made with.
#[derive(Debug, Clone)]
pub struct Seals {
    /// The board's keys by phase.
    pub keys: [BoardKey; 2],
    /// The board's tick with all its bits.
    pub tick: u64,
}

/// What follows the payload. What the header says of it is another matter.
#[derive(Debug, Clone, Copy)]
pub struct RawTrailer {
    /// Its kind.
    pub kind: Trailer,
    /// A bit of the datagram that is another one than when it was sealed, counted from the end.
    pub flipped: Option<usize>,
}

impl RawTrailer {
    /// A right one.
    pub const fn right(kind: Trailer) -> RawTrailer {
        RawTrailer { kind, flipped: None }
    }
}

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
    /// What follows these.
    pub trailer: RawTrailer,
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
    /// The bits of the first byte that name the trailer's kind.
    pub fn of_kind(kind: Trailer) -> u8 {
        kind.number() << 2
    }
    /// Adds the trailer to header and payload.
    fn seal(&self, datagram: &mut Vec<u8>, seals: &Seals) {
        let means = match self.trailer.kind {
            Trailer::None => Means::None,
            Trailer::Crc32c => Means::Crc32c,
            Trailer::Tag => Means::Tag {
                key: seals.keys[usize::from(self.flags >> 1 & 1)].of(Pid::from_low_bits(self.pid)),
                upper: upper(full_time(seals.tick, Tick::from_low_bits(self.time))),
            },
        };
        datagram.resize(datagram.len() + means.kind().bytes(), 0);
        means.seal(&self.endpoints.covered(), datagram);
        if let Some(bit) = self.trailer.flipped {
            let at = datagram.len() - 1 - bit / 8 % datagram.len();
            datagram[at] ^= 1 << (bit % 8);
        }
    }
    /// The whole frame.
    pub fn frame(&self, seals: &Seals) -> Vec<u8> {
        let mut datagram = self.datagram();
        self.seal(&mut datagram, seals);
        let mut frame = vec![0; MNEME_OFFSET + datagram.len()];
        UdpFrame { endpoints: self.endpoints, datagram: &datagram }
            .emit(self.udp_checksum, &mut frame)
            .expect("the buffer has the frame's own length, and no generated payload is past 65,507 bytes");
        frame
    }
}
