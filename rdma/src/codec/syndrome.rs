//! What an acknowledge says: its syndrome byte (IBTA volume 1, 9.7.5.2.1, tables 43 to 47).
use core::fmt;

/// Why a request was refused for good (IBTA volume 1, table 44).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Nak {
    /// A packet is missing; the requester sends again from the number that the answer carries.
    Sequence,
    /// The request makes no sense: order, length, pad, alignment, opcode.
    InvalidRequest,
    /// The place may not be accessed: key, range, right.
    RemoteAccess,
    /// The responder cannot: its memory failed.
    RemoteOperation,
    /// Reliable datagrams only.
    InvalidRdRequest,
    /// A code of later standards, 5 to 31.
    Reserved(u8),
}

impl Nak {
    /// The code, 0 to 31.
    pub const fn code(self) -> u8 {
        match self {
            Nak::Sequence => 0,
            Nak::InvalidRequest => 1,
            Nak::RemoteAccess => 2,
            Nak::RemoteOperation => 3,
            Nak::InvalidRdRequest => 4,
            Nak::Reserved(code) => code & 0x1f,
        }
    }
    /// The reason of a code; the low five bits count.
    pub const fn from_code(code: u8) -> Nak {
        match code & 0x1f {
            0 => Nak::Sequence,
            1 => Nak::InvalidRequest,
            2 => Nak::RemoteAccess,
            3 => Nak::RemoteOperation,
            4 => Nak::InvalidRdRequest,
            code => Nak::Reserved(code),
        }
    }
}

impl fmt::Display for Nak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Nak::Sequence => f.write_str("a packet is missing"),
            Nak::InvalidRequest => f.write_str("the request is invalid"),
            Nak::RemoteAccess => f.write_str("the remote memory may not be accessed so"),
            Nak::RemoteOperation => f.write_str("the remote memory failed"),
            Nak::InvalidRdRequest => f.write_str("the reliable datagram is invalid"),
            Nak::Reserved(code) => write!(f, "reserved code {code}"),
        }
    }
}

/// How long a requester waits after "receiver not ready": a code of five bits (IBTA volume 1, table 45).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RnrTimer(u8);

/// Units of 10 µs by code. Code 0 is the longest.
const RNR_TENS_OF_MICROSECONDS: [u32; 32] = [
    65_536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_024, 1_536, 2_048,
    3_072, 4_096, 6_144, 8_192, 12_288, 16_384, 24_576, 32_768, 49_152,
];

impl RnrTimer {
    /// The timer of a code; the low five bits count.
    pub const fn from_code(code: u8) -> RnrTimer {
        RnrTimer(code & 0x1f)
    }
    /// The code, 0 to 31.
    pub const fn code(self) -> u8 {
        self.0
    }
    /// The wait in nanoseconds: 10 µs with code 1 to 491.52 ms with code 31, 655.36 ms with code 0.
    pub const fn nanoseconds(self) -> u64 {
        RNR_TENS_OF_MICROSECONDS[self.0 as usize] as u64 * 10_000
    }
}

/// How many messages the responder's owner has buffers for: a code of five bits (IBTA volume 1, table 47).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Credits(u8);

impl Credits {
    /// The responder counts no credits.
    pub const UNCOUNTED: Credits = Credits(0x1f);

    /// The credits of a code; the low five bits count.
    pub const fn from_code(code: u8) -> Credits {
        Credits(code & 0x1f)
    }
    /// The code, 0 to 31.
    pub const fn code(self) -> u8 {
        self.0
    }
    /// The count, unless none is kept: 0, 1, 2, 3, 4, 6, 8, 12, … 32,768.
    pub const fn count(self) -> Option<u32> {
        match self.0 {
            0x1f => None,
            code @ 0..=1 => Some(code as u32),
            code if code % 2 == 0 => Some(1 << (code / 2)),
            code => Some(3 << (code / 2 - 1)),
        }
    }
}

/// The syndrome of an acknowledge header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Syndrome {
    /// Everything up to the answer's number is done.
    Ack(Credits),
    /// Receiver not ready: the packet of the answer's number was not executed, send it again after a while.
    Rnr(RnrTimer),
    /// Refused.
    Nak(Nak),
    /// Neither: the reserved type 2, or the reserved top bit. The byte.
    Reserved(u8),
}

impl Syndrome {
    /// Reads the byte.
    pub const fn from_number(byte: u8) -> Syndrome {
        match byte >> 5 {
            0 => Syndrome::Ack(Credits::from_code(byte)),
            1 => Syndrome::Rnr(RnrTimer::from_code(byte)),
            3 => Syndrome::Nak(Nak::from_code(byte)),
            _ => Syndrome::Reserved(byte),
        }
    }
    /// Writes the byte.
    pub const fn number(self) -> u8 {
        match self {
            Syndrome::Ack(credits) => credits.code(),
            Syndrome::Rnr(timer) => 0x20 | timer.code(),
            Syndrome::Nak(nak) => 0x60 | nak.code(),
            Syndrome::Reserved(byte) => byte,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_read_and_written_the_same() {
        for byte in 0..=u8::MAX {
            assert_eq!(Syndrome::from_number(byte).number(), byte);
        }
        assert_eq!(Syndrome::Nak(Nak::Sequence).number(), 0x60);
        assert_eq!(Syndrome::Nak(Nak::InvalidRequest).number(), 0x61);
        assert_eq!(Syndrome::Nak(Nak::RemoteAccess).number(), 0x62);
        assert_eq!(Syndrome::Nak(Nak::RemoteOperation).number(), 0x63);
        assert_eq!(Syndrome::Ack(Credits::UNCOUNTED).number(), 0x1f);
    }

    #[test]
    fn timers_are_those_of_the_standard() {
        let wait = |code| RnrTimer::from_code(code).nanoseconds();
        assert_eq!((wait(1), wait(14), wait(31), wait(0)), (10_000, 1_280_000, 491_520_000, 655_360_000));
        // Past the first, each is 4/3 or 3/2 of the one before.
        assert!(
            (4..31).all(|code| wait(code + 1) * 2 == wait(code) * 3 || wait(code + 1) * 3 == wait(code) * 4)
        );
    }

    #[test]
    fn credits_are_those_of_the_standard() {
        let counts: [u32; 13] = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
        for (code, count) in counts.into_iter().enumerate() {
            assert_eq!(Credits::from_code(code as u8).count(), Some(count));
        }
        assert_eq!(Credits::from_code(30).count(), Some(32_768));
        assert_eq!(Credits::UNCOUNTED.count(), None);
    }
}
