//! The headers one by one: bytes to values and back. Callers have checked lengths, which the array types tell.

use super::{Psn, Syndrome};

/// The base transport header, 12 bytes, without the opcode's meaning (IBTA volume 1, 9.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bth {
    /// The opcode, known or not.
    pub opcode: u8,
    /// The receiver's owner is to be woken.
    pub solicited: bool,
    /// The state of path migration; peers set it.
    pub migrated: bool,
    /// Bytes of pad after the payload, 0 to 3.
    pub pad: u8,
    /// Partition key; 0xffff is the default partition.
    pub pkey: u16,
    /// Congestion was met on the way here.
    pub fecn: bool,
    /// Congestion was met on the way back.
    pub becn: bool,
    /// The receiver's queue pair, 24 bits.
    pub dest_qp: u32,
    /// An answer is wanted.
    pub ack_request: bool,
    /// The packet's number.
    pub psn: Psn,
}

/// The default partition, in which the sender is a full member.
pub const DEFAULT_PKEY: u16 = 0xffff;

impl Default for Bth {
    fn default() -> Bth {
        Bth {
            opcode: 0,
            solicited: false,
            migrated: true,
            pad: 0,
            pkey: DEFAULT_PKEY,
            fecn: false,
            becn: false,
            dest_qp: 0,
            ack_request: false,
            psn: Psn::default(),
        }
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |n, byte| n << 8 | u64::from(*byte))
}

impl Bth {
    /// Bytes on the wire.
    pub const LEN: usize = 12;

    /// Reads the header; reserved bits are not looked at. The second value is the version, which must be 0.
    pub fn from_bytes(b: &[u8; Self::LEN]) -> (Bth, u8) {
        let bth = Bth {
            opcode: b[0],
            solicited: b[1] & 0x80 != 0,
            migrated: b[1] & 0x40 != 0,
            pad: b[1] >> 4 & 3,
            pkey: u16::from_be_bytes([b[2], b[3]]),
            fecn: b[4] & 0x80 != 0,
            becn: b[4] & 0x40 != 0,
            dest_qp: number(&b[5..8]) as u32,
            ack_request: b[8] & 0x80 != 0,
            psn: Psn::from_low_bits(number(&b[9..12]) as u32),
        };
        (bth, b[1] & 0xf)
    }
    /// Writes the header, version and reserved bits zero. Of the pad and the queue pair the low bits count.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let mut b = [0; Self::LEN];
        b[0] = self.opcode;
        b[1] = u8::from(self.solicited) << 7 | u8::from(self.migrated) << 6 | (self.pad & 3) << 4;
        b[2..4].copy_from_slice(&self.pkey.to_be_bytes());
        // Byte 4 goes over the queue pair's top byte, which is not of the 24 bits.
        b[4..8].copy_from_slice(&self.dest_qp.to_be_bytes());
        b[4] = u8::from(self.fecn) << 7 | u8::from(self.becn) << 6;
        b[8..12].copy_from_slice(&self.psn.number().to_be_bytes());
        b[8] = u8::from(self.ack_request) << 7;
        b
    }
}

/// Where an RDMA operation goes, 16 bytes (IBTA volume 1, 9.3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reth {
    /// The address.
    pub va: u64,
    /// The key of the memory region.
    pub rkey: u32,
    /// Bytes of the whole message.
    pub length: u32,
}

impl Reth {
    /// Reads the header.
    pub fn from_bytes(b: &[u8; 16]) -> Reth {
        Reth { va: number(&b[..8]), rkey: number(&b[8..12]) as u32, length: number(&b[12..]) as u32 }
    }
    /// Writes the header.
    pub fn to_bytes(&self) -> [u8; 16] {
        let mut b = [0; 16];
        b[..8].copy_from_slice(&self.va.to_be_bytes());
        b[8..12].copy_from_slice(&self.rkey.to_be_bytes());
        b[12..].copy_from_slice(&self.length.to_be_bytes());
        b
    }
}

/// An atomic request, 28 bytes, operands big-endian (IBTA volume 1, 9.3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AtomicEth {
    /// The address, a multiple of 8.
    pub va: u64,
    /// The key of the memory region.
    pub rkey: u32,
    /// What is swapped in, or added.
    pub swap_or_add: u64,
    /// What is compared with; no part of fetch-and-add.
    pub compare: u64,
}

impl AtomicEth {
    /// Reads the header.
    pub fn from_bytes(b: &[u8; 28]) -> AtomicEth {
        AtomicEth {
            va: number(&b[..8]),
            rkey: number(&b[8..12]) as u32,
            swap_or_add: number(&b[12..20]),
            compare: number(&b[20..]),
        }
    }
    /// Writes the header.
    pub fn to_bytes(&self) -> [u8; 28] {
        let mut b = [0; 28];
        b[..8].copy_from_slice(&self.va.to_be_bytes());
        b[8..12].copy_from_slice(&self.rkey.to_be_bytes());
        b[12..20].copy_from_slice(&self.swap_or_add.to_be_bytes());
        b[20..].copy_from_slice(&self.compare.to_be_bytes());
        b
    }
}

/// An acknowledge header, 4 bytes (IBTA volume 1, 9.3.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aeth {
    /// What the responder says.
    pub syndrome: Syndrome,
    /// Messages that the responder has done, 24 bits.
    pub msn: u32,
}

impl Aeth {
    /// Reads the header.
    pub fn from_bytes(b: &[u8; 4]) -> Aeth {
        Aeth { syndrome: Syndrome::from_number(b[0]), msn: number(&b[1..]) as u32 }
    }
    /// Writes the header; of the message number the low 24 bits count.
    pub fn to_bytes(&self) -> [u8; 4] {
        let mut b = self.msn.to_be_bytes();
        b[0] = self.syndrome.number();
        b
    }
}

/// A datagram header, 8 bytes (IBTA volume 1, 9.3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deth {
    /// The key of the receiver's queue.
    pub qkey: u32,
    /// The sender's queue pair, 24 bits.
    pub source_qp: u32,
}

impl Deth {
    /// Reads the header.
    pub fn from_bytes(b: &[u8; 8]) -> Deth {
        Deth { qkey: number(&b[..4]) as u32, source_qp: number(&b[5..]) as u32 }
    }
    /// Writes the header; of the queue pair the low 24 bits count.
    pub fn to_bytes(&self) -> [u8; 8] {
        let mut b = [0; 8];
        b[4..].copy_from_slice(&self.source_qp.to_be_bytes());
        b[..4].copy_from_slice(&self.qkey.to_be_bytes());
        b[4] = 0;
        b
    }
}
