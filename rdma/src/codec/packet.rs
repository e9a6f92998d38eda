//! A packet without what carries it: base transport header, extensions, payload, pad.
//!
//! [`Transport::parse`] reads the base transport header, from which a responder finds queue pair and sequence number.
//! [`Transport::open`] then reads the rest. They are two calls because a responder answers the errors of the second one.

use super::{Aeth, AtomicEth, Bth, Deth, Extension, Opcode, PathMtu, Payload, Reth};

/// Bytes of all headers of a packet, at most: of an atomic request.
pub const HEADERS_MAX: usize = Bth::LEN + 28;

/// Why bytes are no packet, or a packet cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PacketError {
    /// No whole base transport header.
    #[error("{0} bytes are shorter than a base transport header of 12 bytes")]
    Short(usize),
    /// Another version of the header.
    #[error("transport version {0} is not 0")]
    Version(u8),
    /// The opcode is not known.
    #[error("opcode {0:#04x} is not known")]
    Opcode(u8),
    /// The headers that the opcode brings are not all there.
    #[error("{name} needs {needs} bytes of headers, the packet has {has}")]
    Headers {
        /// The opcode's name.
        name: &'static str,
        /// Bytes of headers.
        needs: usize,
        /// Bytes of the packet.
        has: usize,
    },
    /// The bytes after the headers are no multiple of four.
    #[error("payload and pad are {0} bytes, no multiple of 4")]
    Alignment(usize),
    /// More pad than there are bytes.
    #[error("{pad} bytes of pad in {bytes} bytes of payload")]
    Pad {
        /// The header's pad count.
        pad: u8,
        /// Bytes after the headers.
        bytes: usize,
    },
    /// A payload that no packet may have.
    #[error("a payload of {0} bytes, and no path carries more than {max}", max = PathMtu::MAX.bytes())]
    Long(usize),
    /// A payload, or a pad, where the opcode has none.
    #[error("{name} has no payload, yet {bytes} bytes and a pad count of {pad} are there")]
    Payload {
        /// The opcode's name.
        name: &'static str,
        /// Bytes after the headers.
        bytes: usize,
        /// The header's pad count.
        pad: u8,
    },
    /// The writer was not given a header that the opcode brings.
    #[error("{name} needs the header {extension:?}")]
    Missing {
        /// The opcode's name.
        name: &'static str,
        /// The header.
        extension: Extension,
    },
    /// The buffer is too small.
    #[error("a packet of {needs} bytes does not fit {has}")]
    NoRoom {
        /// Bytes of the packet.
        needs: usize,
        /// Bytes of the buffer.
        has: usize,
    },
}

/// The headers after the base transport header. Which of them a packet has is the opcode's matter ([`Opcode::extensions`]); the
/// writer does not look at the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extensions {
    /// Datagram header.
    pub deth: Option<Deth>,
    /// Place of an RDMA operation.
    pub reth: Option<Reth>,
    /// Place and operands of an atomic operation.
    pub atomic: Option<AtomicEth>,
    /// Acknowledge.
    pub aeth: Option<Aeth>,
    /// The word that an atomic operation found.
    pub original: Option<u64>,
    /// Immediate data.
    pub immediate: Option<u32>,
    /// The key that a SEND gives up.
    pub invalidate: Option<u32>,
}

/// Bytes at an offset whose presence the opcode's lengths have shown.
fn part<const N: usize>(bytes: &[u8]) -> Option<&[u8; N]> {
    bytes.first_chunk()
}

impl Extensions {
    fn read(opcode: Opcode, mut bytes: &[u8]) -> Option<Extensions> {
        let mut all = Extensions::default();
        for extension in opcode.extensions() {
            match extension {
                Extension::Deth => all.deth = Some(Deth::from_bytes(part(bytes)?)),
                Extension::Reth => all.reth = Some(Reth::from_bytes(part(bytes)?)),
                Extension::AtomicEth => all.atomic = Some(AtomicEth::from_bytes(part(bytes)?)),
                Extension::Aeth => all.aeth = Some(Aeth::from_bytes(part(bytes)?)),
                Extension::AtomicAckEth => all.original = Some(u64::from_be_bytes(*part(bytes)?)),
                Extension::Immediate => all.immediate = Some(u32::from_be_bytes(*part(bytes)?)),
                Extension::Ieth => all.invalidate = Some(u32::from_be_bytes(*part(bytes)?)),
            }
            bytes = bytes.get(extension.bytes()..)?;
        }
        Some(all)
    }
    /// Writes one header to the front of `to`, which has room. `None`: it is not there.
    fn write(&self, extension: Extension, to: &mut [u8]) -> Option<()> {
        let to = &mut to[..extension.bytes()];
        match extension {
            Extension::Deth => to.copy_from_slice(&self.deth?.to_bytes()),
            Extension::Reth => to.copy_from_slice(&self.reth?.to_bytes()),
            Extension::AtomicEth => to.copy_from_slice(&self.atomic?.to_bytes()),
            Extension::Aeth => to.copy_from_slice(&self.aeth?.to_bytes()),
            Extension::AtomicAckEth => to.copy_from_slice(&self.original?.to_be_bytes()),
            Extension::Immediate => to.copy_from_slice(&self.immediate?.to_be_bytes()),
            Extension::Ieth => to.copy_from_slice(&self.invalidate?.to_be_bytes()),
        }
        Some(())
    }
}

/// A base transport header and the bytes after it, up to the ICRC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transport<'a> {
    /// The header.
    pub bth: Bth,
    /// Everything after it.
    pub body: &'a [u8],
}

impl<'a> Transport<'a> {
    /// Reads the base transport header of a packet without ICRC.
    ///
    /// # Errors
    /// [`PacketError::Short`] and [`PacketError::Version`].
    pub fn parse(bytes: &'a [u8]) -> Result<Transport<'a>, PacketError> {
        let Some((header, body)) = bytes.split_first_chunk() else {
            return Err(PacketError::Short(bytes.len()));
        };
        match Bth::from_bytes(header) {
            (bth, 0) => Ok(Transport { bth, body }),
            (_, version) => Err(PacketError::Version(version)),
        }
    }

    /// Reads what follows the base transport header.
    ///
    /// # Errors
    /// All that [`Transport::parse`] has not looked for: unknown opcode, headers cut off, and a payload or pad that cannot be.
    pub fn open(&self) -> Result<Packet<'a>, PacketError> {
        let opcode = Opcode::from_number(self.bth.opcode).ok_or(PacketError::Opcode(self.bth.opcode))?;
        let (name, needs, has) = (opcode.name(), opcode.extension_len(), self.body.len());
        let cut = PacketError::Headers { name, needs: Bth::LEN + needs, has: Bth::LEN + has };
        let (headers, rest) = self.body.split_at_checked(needs).ok_or(cut)?;
        let extensions = Extensions::read(opcode, headers).ok_or(cut)?;
        let (pad, bytes) = (self.bth.pad, rest.len());
        let payload = match opcode.payload() {
            Payload::Reserved(length) if pad == 0 && bytes == length => &[],
            Payload::None if pad == 0 && bytes == 0 => rest,
            Payload::None | Payload::Reserved(_) => return Err(PacketError::Payload { name, bytes, pad }),
            Payload::Any if bytes % 4 != 0 => return Err(PacketError::Alignment(bytes)),
            Payload::Any => {
                let end = bytes.checked_sub(usize::from(pad)).ok_or(PacketError::Pad { pad, bytes })?;
                if end > PathMtu::MAX.bytes() {
                    return Err(PacketError::Long(end));
                }
                &rest[..end]
            }
        };
        Ok(Packet { bth: self.bth, opcode, extensions, payload })
    }
}

/// A whole packet. The payload is a view of the bytes it was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet<'a> {
    /// The base transport header. The writer takes opcode and pad from the other fields.
    pub bth: Bth,
    /// The opcode.
    pub opcode: Opcode,
    /// The headers that the opcode brings.
    pub extensions: Extensions,
    /// The payload without its pad. The zeros of a CNP are no payload.
    pub payload: &'a [u8],
}

impl<'a> Packet<'a> {
    /// Reads a packet without ICRC: [`Transport::parse`] and [`Transport::open`].
    ///
    /// # Errors
    /// Theirs.
    pub fn parse(bytes: &'a [u8]) -> Result<Packet<'a>, PacketError> {
        Transport::parse(bytes)?.open()
    }

    /// Bytes that [`Packet::emit`] writes.
    pub fn wire_len(&self) -> usize {
        let reserved = if let Payload::Reserved(bytes) = self.opcode.payload() { bytes } else { 0 };
        Bth::LEN + self.opcode.extension_len() + self.payload.len().next_multiple_of(4) + reserved
    }

    /// Writes the packet, pad included, without ICRC. Answers its length.
    ///
    /// # Errors
    /// [`PacketError::NoRoom`], [`PacketError::Missing`], and [`PacketError::Payload`] where the opcode has none.
    pub fn emit(&self, to: &mut [u8]) -> Result<usize, PacketError> {
        let place = self.emit_headers(self.payload.len(), to)?;
        to[place].copy_from_slice(self.payload);
        Ok(self.wire_len())
    }

    /// Writes headers and pad for a payload of `length` bytes that the caller puts in place itself, for instance straight from
    /// memory; [`Packet::payload`] is not looked at. Answers where the payload goes; the packet ends at the next multiple of 4.
    ///
    /// # Errors
    /// As [`Packet::emit`].
    pub fn emit_headers(&self, length: usize, to: &mut [u8]) -> Result<core::ops::Range<usize>, PacketError> {
        let name = self.opcode.name();
        let padded = length.next_multiple_of(4);
        let reserved = match self.opcode.payload() {
            Payload::Any => 0,
            Payload::None | Payload::Reserved(_) if length > 0 => {
                return Err(PacketError::Payload { name, bytes: length, pad: 0 });
            }
            Payload::None => 0,
            Payload::Reserved(bytes) => bytes,
        };
        let start = Bth::LEN + self.opcode.extension_len();
        let (needs, has) = (start + padded + reserved, to.len());
        let to = to.get_mut(..needs).ok_or(PacketError::NoRoom { needs, has })?;
        let bth = Bth { opcode: self.opcode.number(), pad: (padded - length) as u8, ..self.bth };
        to[..Bth::LEN].copy_from_slice(&bth.to_bytes());
        let mut at = Bth::LEN;
        for &extension in self.opcode.extensions() {
            let there = self.extensions.write(extension, &mut to[at..]);
            there.ok_or(PacketError::Missing { name, extension })?;
            at += extension.bytes();
        }
        to[start + length..].fill(0);
        Ok(start..start + length)
    }
}
