//! The protocol of network block devices, newstyle with fixed negotiation (the NBD project's `doc/proto.md`), without I/O.
//! [`negotiation`] is the handshake, this module has requests and replies. Numbers are big-endian.
pub mod negotiation;

/// Bytes of a request's head.
pub const REQUEST_LEN: usize = 28;
/// Bytes of a simple reply's head.
pub const REPLY_LEN: usize = 16;
const REQUEST_MAGIC: u32 = 0x2560_9513;
const REPLY_MAGIC: u32 = 0x6744_6698;

/// What the device can do: flags of the export.
pub mod transmission {
    /// There are flags.
    pub const HAS_FLAGS: u16 = 1;
    /// FLUSH is known.
    pub const SEND_FLUSH: u16 = 1 << 2;
    /// The flag FUA is known.
    pub const SEND_FUA: u16 = 1 << 3;
    /// The device rotates: set by nobody here, asked by tests.
    pub const ROTATIONAL: u16 = 1 << 4;
    /// TRIM is known.
    pub const SEND_TRIM: u16 = 1 << 5;
    /// WRITE_ZEROES is known.
    pub const SEND_WRITE_ZEROES: u16 = 1 << 6;
    /// A FLUSH of one connection holds for all.
    pub const CAN_MULTI_CONN: u16 = 1 << 8;
    /// Ours. A write that has ended is where it is going to stay, on whichever connection: FUA and FLUSH cost nothing.
    pub const OURS: u16 = HAS_FLAGS | SEND_FLUSH | SEND_FUA | SEND_TRIM | SEND_WRITE_ZEROES | CAN_MULTI_CONN;
}

/// Errors of replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Errno {
    /// No error.
    Ok = 0,
    /// The board, or the way there.
    Io = 5,
    /// A request that cannot be.
    Invalid = 22,
    /// No memory on the board, or a write past the end.
    NoSpace = 28,
    /// A request that is too long.
    Overflow = 75,
}

/// Commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// READ.
    Read,
    /// WRITE.
    Write,
    /// DISC: the client goes.
    Disconnect,
    /// FLUSH.
    Flush,
    /// TRIM.
    Trim,
    /// WRITE_ZEROES.
    WriteZeroes,
    /// Another one.
    Unknown(u16),
}

impl Command {
    fn from_code(code: u16) -> Command {
        match code {
            0 => Command::Read,
            1 => Command::Write,
            2 => Command::Disconnect,
            3 => Command::Flush,
            4 => Command::Trim,
            6 => Command::WriteZeroes,
            other => Command::Unknown(other),
        }
    }
    /// The code.
    pub const fn code(self) -> u16 {
        match self {
            Command::Read => 0,
            Command::Write => 1,
            Command::Disconnect => 2,
            Command::Flush => 3,
            Command::Trim => 4,
            Command::WriteZeroes => 6,
            Command::Unknown(code) => code,
        }
    }
}

/// FUA: the reply comes when the data is where it is going to stay.
pub const FLAG_FUA: u16 = 1;
/// NO_HOLE: zeros are to take memory.
pub const FLAG_NO_HOLE: u16 = 1 << 1;

/// A request's head. A write's bytes follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestHead {
    /// Flags.
    pub flags: u16,
    /// What to do.
    pub command: Command,
    /// Comes back with the reply.
    pub cookie: u64,
    /// The first byte.
    pub offset: u64,
    /// Bytes.
    pub length: u32,
}

/// Bytes that begin no request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a request begins with {0:#010x}")]
pub struct NoRequest(pub u32);

fn bytes<const N: usize>(from: &[u8; REQUEST_LEN], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&from[at..at + N]);
    array
}

impl RequestHead {
    /// Reads one.
    ///
    /// # Errors
    /// Other magic: nothing that follows can be understood.
    pub fn parse(from: &[u8; REQUEST_LEN]) -> Result<RequestHead, NoRequest> {
        let magic = u32::from_be_bytes(bytes(from, 0));
        if magic != REQUEST_MAGIC {
            return Err(NoRequest(magic));
        }
        Ok(RequestHead {
            flags: u16::from_be_bytes(bytes(from, 4)),
            command: Command::from_code(u16::from_be_bytes(bytes(from, 6))),
            cookie: u64::from_be_bytes(bytes(from, 8)),
            offset: u64::from_be_bytes(bytes(from, 16)),
            length: u32::from_be_bytes(bytes(from, 24)),
        })
    }
    /// Writes one.
    pub fn emit(&self) -> [u8; REQUEST_LEN] {
        let mut to = [0; REQUEST_LEN];
        to[..4].copy_from_slice(&REQUEST_MAGIC.to_be_bytes());
        to[4..6].copy_from_slice(&self.flags.to_be_bytes());
        to[6..8].copy_from_slice(&self.command.code().to_be_bytes());
        to[8..16].copy_from_slice(&self.cookie.to_be_bytes());
        to[16..24].copy_from_slice(&self.offset.to_be_bytes());
        to[24..].copy_from_slice(&self.length.to_be_bytes());
        to
    }
    /// What is wrong with it on a device of so many bytes; a write's bytes follow all the same.
    pub fn check(&self, size: u64) -> Errno {
        let known = match self.command {
            Command::Write | Command::Trim => FLAG_FUA,
            Command::WriteZeroes => FLAG_FUA | FLAG_NO_HOLE,
            Command::Read | Command::Flush | Command::Disconnect => FLAG_FUA,
            Command::Unknown(_) => return Errno::Invalid,
        };
        if self.flags & !known != 0 {
            return Errno::Invalid;
        }
        if matches!(self.command, Command::Flush | Command::Disconnect) {
            return Errno::Ok;
        }
        let length = u64::from(self.length);
        if !self.offset.is_multiple_of(crate::BLOCK) || !length.is_multiple_of(crate::BLOCK) {
            return Errno::Invalid;
        }
        if self.offset.checked_add(length).is_none_or(|end| end > size) {
            return match self.command {
                Command::Write | Command::WriteZeroes => Errno::NoSpace,
                _ => Errno::Invalid,
            };
        }
        let carries = matches!(self.command, Command::Read | Command::Write);
        if carries && length > crate::REQUEST_MAX { Errno::Overflow } else { Errno::Ok }
    }
}

/// A simple reply's head. A read's bytes follow if there is no error.
pub fn reply(errno: Errno, cookie: u64) -> [u8; REPLY_LEN] {
    let mut to = [0; REPLY_LEN];
    to[..4].copy_from_slice(&REPLY_MAGIC.to_be_bytes());
    to[4..8].copy_from_slice(&(errno as u32).to_be_bytes());
    to[8..].copy_from_slice(&cookie.to_be_bytes());
    to
}

/// Error and cookie of a reply's head; none if it is no reply.
pub fn parse_reply(from: &[u8; REPLY_LEN]) -> Option<(u32, u64)> {
    let [magic, error] =
        [0, 4].map(|at| u32::from_be_bytes([from[at], from[at + 1], from[at + 2], from[at + 3]]));
    let mut cookie = [0; 8];
    cookie.copy_from_slice(&from[8..]);
    (magic == REPLY_MAGIC).then_some((error, u64::from_be_bytes(cookie)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_as_the_protocol_has_them() {
        let head = RequestHead {
            flags: 1,
            command: Command::Write,
            cookie: 0x0102_0304_0506_0708,
            offset: 4096,
            length: 8192,
        };
        let bytes = head.emit();
        let expected: [u8; REQUEST_LEN] = [
            0x25, 0x60, 0x95, 0x13, 0, 1, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0,
            0x20, 0,
        ];
        assert_eq!(bytes, expected);
        assert_eq!(RequestHead::parse(&bytes), Ok(head));
        assert_eq!(RequestHead::parse(&[0; REQUEST_LEN]), Err(NoRequest(0)));
        assert_eq!(reply(Errno::NoSpace, 7), [0x67, 0x44, 0x66, 0x98, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0, 7]);
        assert_eq!(parse_reply(&reply(Errno::Io, 9)), Some((5, 9)));
    }

    #[test]
    fn what_a_device_cannot_do_is_refused_by_name() {
        let check = |command, flags, offset, length| {
            RequestHead { flags, command, cookie: 0, offset, length }.check(1 << 20)
        };
        assert_eq!(check(Command::Read, 0, 0, 1 << 20), Errno::Ok);
        assert_eq!(check(Command::Read, 0, 512, 4096), Errno::Invalid);
        assert_eq!(check(Command::Write, 0, 0, 4095), Errno::Invalid);
        assert_eq!(check(Command::Read, 0, 1 << 20, 4096), Errno::Invalid);
        assert_eq!(check(Command::Write, 0, 1 << 20, 4096), Errno::NoSpace);
        assert_eq!(check(Command::Write, 0, u64::MAX - 4095, 4096), Errno::NoSpace);
        assert_eq!(check(Command::Trim, 1, 0, 1 << 20), Errno::Ok);
        assert_eq!(check(Command::WriteZeroes, 3, 0, 1 << 20), Errno::Ok);
        assert_eq!(check(Command::Trim, 2, 0, 4096), Errno::Invalid);
        assert_eq!(check(Command::Unknown(5), 0, 0, 4096), Errno::Invalid);
        assert_eq!(check(Command::Flush, 0, 9, 7), Errno::Ok);
        let long =
            RequestHead { flags: 0, command: Command::Read, cookie: 0, offset: 0, length: (4 << 20) + 4096 };
        assert_eq!(long.check(1 << 30), Errno::Overflow);
    }
}
