//! Trailers: what follows the payload and tells whether a packet is whole, or who sent it (`docs/reference/trailers.md`).
//!
//! ```
//! use mneme_wire::trailer::{BoardKey, Means, covered};
//! use mneme_wire::{HEADER_LEN, Pid, Trailer};
//!
//! let key = BoardKey::new([7; 16]).of(Pid::from_low_bits(3));
//! let means = Means::Tag { key, upper: 0 };
//! let addresses = covered([10, 0, 0, 2], [10, 0, 0, 1], 40_000, 19_790);
//! let mut datagram = [0; HEADER_LEN + 5 + Trailer::Tag.bytes()];
//! means.seal(&addresses, &mut datagram);
//! assert!(means.check(&addresses, &datagram));
//! datagram[0] ^= 1;
//! assert!(!means.check(&addresses, &datagram));
//! ```
use core::fmt;

use siphasher::{sip, sip128};
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::frame::Endpoints;
use crate::header::HEADER_LEN;
use crate::ids::Crc32c;
use crate::{Pid, Status, Tick, Trailer, crc32c};

/// Bytes of addresses and ports that a trailer covers.
pub const COVERED_LEN: usize = 12;
/// Bytes that a tag is made of.
const TAGGED_LEN: usize = 44;
/// Bytes of the longest trailer.
const LONGEST: usize = Trailer::Tag.bytes();

/// Source address, destination address, source port, destination port, as a frame has them.
pub fn covered(src_ip: [u8; 4], dst_ip: [u8; 4], src_port: u16, dst_port: u16) -> [u8; COVERED_LEN] {
    let mut bytes = [0; COVERED_LEN];
    bytes[..4].copy_from_slice(&src_ip);
    bytes[4..8].copy_from_slice(&dst_ip);
    bytes[8..10].copy_from_slice(&src_port.to_be_bytes());
    bytes[10..].copy_from_slice(&dst_port.to_be_bytes());
    bytes
}

impl Endpoints {
    /// What a trailer covers of them.
    pub fn covered(&self) -> [u8; COVERED_LEN] {
        covered(self.src_ip, self.dst_ip, self.src_port, self.dst_port)
    }
}

/// The number of 64 bits nearest to a board's tick whose low 24 bits are `time`; of two that are as near, the earlier.
pub const fn full_time(tick: u64, time: Tick) -> u64 {
    tick.wrapping_add_signed(time.since(Tick::from_low_bits(tick as u32)) as i64)
}

/// The upper 40 bits of a time of 64: what a tag covers, and no packet carries.
pub const fn upper(time: u64) -> u64 {
    time >> 24
}

/// A board's key of one key phase, from which those of its processes follow. It is wiped when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct BoardKey([u8; 16]);

/// A process's key. It is wiped when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct ProcessKey([u8; 16]);

impl Zeroize for BoardKey {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
impl Drop for BoardKey {
    fn drop(&mut self) {
        self.zeroize();
    }
}
impl ZeroizeOnDrop for BoardKey {}
impl Zeroize for ProcessKey {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
impl Drop for ProcessKey {
    fn drop(&mut self) {
        self.zeroize();
    }
}
impl ZeroizeOnDrop for ProcessKey {}

impl BoardKey {
    /// The key of these bytes.
    pub const fn new(bytes: [u8; 16]) -> BoardKey {
        BoardKey(bytes)
    }
    /// The key that registers spell: little-endian words.
    pub fn from_words(words: [u32; 4]) -> BoardKey {
        let mut bytes = [0; 16];
        bytes.chunks_exact_mut(4).zip(words).for_each(|(to, word)| to.copy_from_slice(&word.to_le_bytes()));
        BoardKey(bytes)
    }
    /// The words that spell it in registers.
    pub fn to_words(&self) -> [u32; 4] {
        let word =
            |at: usize| u32::from_le_bytes([self.0[at], self.0[at + 1], self.0[at + 2], self.0[at + 3]]);
        [word(0), word(4), word(8), word(12)]
    }
    /// The key of a process.
    pub fn of(&self, pid: Pid) -> ProcessKey {
        let pid = u64::from(pid.get()).to_le_bytes();
        ProcessKey(sip128::SipHasher24::new_with_key(&self.0).hash(&pid[..7]).as_bytes())
    }
}

impl ProcessKey {
    /// The key of these bytes.
    pub const fn new(bytes: [u8; 16]) -> ProcessKey {
        ProcessKey(bytes)
    }
    /// Its bytes, as the answer to a secure OPEN has them.
    pub const fn to_bytes(&self) -> [u8; 16] {
        self.0
    }
}

// A key is never printed.
impl fmt::Debug for BoardKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoardKey(..)")
    }
}
impl fmt::Debug for ProcessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProcessKey(..)")
    }
}

/// What a trailer is made with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Means {
    /// No trailer.
    #[default]
    None,
    /// A CRC-32C.
    Crc32c,
    /// A keyed tag.
    Tag {
        /// The process's key.
        key: ProcessKey,
        /// The upper 40 bits of the request's time, in its answer, too.
        upper: u64,
    },
}

impl Means {
    /// The kind of trailer.
    pub const fn kind(&self) -> Trailer {
        match self {
            Means::None => Trailer::None,
            Means::Crc32c => Trailer::Crc32c,
            Means::Tag { .. } => Trailer::Tag,
        }
    }
    /// What an answer with this status is sealed with, if its request had a right trailer of these means. Some statuses
    /// tell a client without a key, or whose packet was damaged, what is wrong: they never have a trailer.
    pub fn of_answer(&self, status: Status) -> Means {
        match status {
            Status::Nack | Status::Unauthenticated | Status::Unsupported | Status::Stale => Means::None,
            _ => self.clone(),
        }
    }
    /// The bytes of the trailer, those in front that its kind has.
    fn make(&self, addresses: &[u8; COVERED_LEN], header: &[u8], payload: &[u8]) -> [u8; LONGEST] {
        let mut bytes = [0; LONGEST];
        match self {
            Means::None => {}
            Means::Crc32c => {
                let crc = Crc32c::new().of(addresses).of(header).of(payload).end();
                bytes[..4].copy_from_slice(&crc.to_le_bytes());
            }
            Means::Tag { key, upper } => {
                let mut tagged = [0; TAGGED_LEN];
                tagged[..12].copy_from_slice(addresses);
                tagged[12..34].copy_from_slice(header);
                tagged[34..39].copy_from_slice(&upper.to_be_bytes()[3..]);
                tagged[40..].copy_from_slice(&crc32c(payload).to_le_bytes());
                bytes = sip::SipHasher24::new_with_key(&key.0).hash(&tagged).to_le_bytes();
            }
        }
        bytes
    }
    /// Header, payload and trailer of a datagram that has them.
    fn split<'a>(&self, datagram: &'a [u8]) -> Option<(&'a [u8], &'a [u8], &'a [u8])> {
        let (header, rest) = datagram.split_at_checked(HEADER_LEN)?;
        let (payload, trailer) = rest.split_at_checked(rest.len().checked_sub(self.kind().bytes())?)?;
        Some((header, payload, trailer))
    }
    /// Writes the last bytes of a datagram, which are the trailer's. False if it has no room for one.
    pub fn seal(&self, addresses: &[u8; COVERED_LEN], datagram: &mut [u8]) -> bool {
        let Some((header, payload, trailer)) = self.split(datagram) else { return false };
        let (made, at) = (self.make(addresses, header, payload), datagram.len() - trailer.len());
        datagram[at..].copy_from_slice(&made[..self.kind().bytes()]);
        true
    }
    /// Whether the trailer of a datagram, whose header's kind is not looked at, is right. How long it takes does not tell
    /// which bytes are wrong.
    pub fn check(&self, addresses: &[u8; COVERED_LEN], datagram: &[u8]) -> bool {
        self.split(datagram).is_some_and(|(header, payload, trailer)| {
            let made = self.make(addresses, header, payload);
            made[..trailer.len()].ct_eq(trailer).into()
        })
    }
}
