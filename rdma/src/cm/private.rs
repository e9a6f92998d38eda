//! What a client asks for, and what it is granted: private data of REQ, REP and REJ. Numbers are little-endian.
//!
//! | REQ, behind the addresses that rdma_cm writes | bytes |
//! |---|---|
//! | `MNR1` | 4 |
//! | process | 4 |
//! | kind, rights (1 read, 2 write, 4 atomics), options (1 hardened), 0 | 1, 1, 1, 1 |
//! | the process's token | 16 |
//! | first address, bytes | 8, 8 |
//!
//! A REP repeats it without options and token, and has the key (4 bytes and 4 of zeros) in its place. A REJ has `MNR1` and a byte with the
//! reason. What chains have besides is `chain`'s.
use crate::codec::profile::Chain;
use crate::memory::Access;

/// The first bytes of all private data: this layout.
pub const MAGIC: [u8; 4] = *b"MNR1";
/// Bytes of what is asked.
pub const ASK_LEN: usize = 44;
/// Bytes of what is granted.
pub const GRANT_LEN: usize = 36;
/// The option that a connection is hardened.
const HARDENED: u8 = 1;
/// Bits of an address.
const VA_BITS: u32 = 48;

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The board's own pages: READ, WRITE, atomics.
    Pages,
    /// Pages of 4 KB: READ, WRITE, atomics, FREE.
    Frames,
    /// What the board has counted: READ alone.
    Statistics,
    /// Pages of 4 KB by one of ODRP's functions: SENDs alone.
    Chain(Chain),
}

impl Kind {
    const fn number(self) -> u8 {
        match self {
            Kind::Pages => 0,
            Kind::Frames => 1,
            Kind::Statistics => 2,
            Kind::Chain(Chain::Load) => 4,
            Kind::Chain(Chain::MappedStore) => 5,
            Kind::Chain(Chain::UnmappedStore) => 6,
            Kind::Chain(Chain::Invalidate) => 7,
        }
    }
    const fn from_number(number: u8) -> Option<Kind> {
        match number {
            0 => Some(Kind::Pages),
            1 => Some(Kind::Frames),
            2 => Some(Kind::Statistics),
            4 => Some(Kind::Chain(Chain::Load)),
            5 => Some(Kind::Chain(Chain::MappedStore)),
            6 => Some(Kind::Chain(Chain::UnmappedStore)),
            7 => Some(Kind::Chain(Chain::Invalidate)),
            _ => None,
        }
    }
}

/// What a client asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Ask {
    /// The process, 24 bits.
    pub pid: u32,
    /// What the connection is for.
    pub kind: Kind,
    /// What it wants to do.
    pub access: Access,
    /// What proves that it may: whoever joins the process shows the same.
    pub token: [u8; 16],
    /// The first address.
    pub va: u64,
    /// Bytes.
    pub length: u64,
    /// A packet that would end the connection is dropped, so that who forges one ends nothing. A client's own mistake has no answer then:
    /// it is sent again until the client gives up. Chains have it among their own options.
    pub hardened: bool,
}

impl std::fmt::Debug for Ask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Ask { pid, kind, access, va, length, hardened, .. } = self;
        let mut it = f.debug_struct("Ask");
        it.field("pid", pid)
            .field("kind", kind)
            .field("access", access)
            .field("va", va)
            .field("length", length)
            .field("hardened", hardened);
        it.finish_non_exhaustive()
    }
}

/// Why a board grants nothing. The numbers are those of the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[repr(u8)]
pub enum Refusal {
    /// No private data that the board knows.
    #[error("the board does not understand what was asked for")]
    Malformed = 1,
    /// Another kind of connection.
    #[error("the board has no connections of this kind")]
    Kind = 2,
    /// No such process, or another token. The board does not tell which.
    #[error("the board has no such process, or its token is another one")]
    Process = 3,
    /// The board serves only who proves himself with tags, and packets of RoCEv2 have none.
    #[error("the board asks for tags, and RoCEv2 has none: it serves no RDMA")]
    Tags = 4,
    /// All connections, or the process's share of them, are in use.
    #[error("all connections that the process may have are in use")]
    Full = 5,
    /// No range of addresses of 48 bits, no pages of 4 KB, or rights for nothing.
    #[error("the range is no range of addresses or of 4 KB pages, or nothing may be done with it")]
    Range = 6,
    /// Addresses in the request are others than those of its packet.
    #[error("the request names another address than it comes from")]
    Address = 7,
}

impl Refusal {
    const ALL: [Refusal; 7] = [
        Refusal::Malformed,
        Refusal::Kind,
        Refusal::Process,
        Refusal::Tags,
        Refusal::Full,
        Refusal::Range,
        Refusal::Address,
    ];
    /// Private data of a REJ.
    pub const fn to_bytes(self) -> [u8; 5] {
        let [a, b, c, d] = MAGIC;
        [a, b, c, d, self as u8]
    }
    /// Reads it; `None`: somebody else's.
    pub fn parse(private: &[u8]) -> Option<Refusal> {
        let number = private.strip_prefix(&MAGIC)?.first()?;
        Refusal::ALL.into_iter().find(|refusal| *refusal as u8 == *number)
    }
}

const fn rights(access: Access) -> u8 {
    access.read as u8 | (access.write as u8) << 1 | (access.atomic as u8) << 2
}
const fn access(rights: u8) -> Access {
    Access { read: rights & 1 != 0, write: rights & 2 != 0, atomic: rights & 4 != 0 }
}
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte))
}

fn put_head(to: &mut [u8], pid: u32, kind: Kind, access: Access) {
    to[..4].copy_from_slice(&MAGIC);
    to[4..8].copy_from_slice(&pid.to_le_bytes());
    (to[8], to[9]) = (kind.number(), rights(access));
}

/// Process, kind, rights and options of the first twelve bytes.
fn head(bytes: &[u8]) -> Result<(u32, Kind, Access, u8), Refusal> {
    let pid = number(&bytes[4..8]) as u32;
    if bytes[..4] != MAGIC || pid >= 1 << 24 || bytes[9] >= 8 || bytes[10] > HARDENED || bytes[11] != 0 {
        return Err(Refusal::Malformed);
    }
    let kind = Kind::from_number(bytes[8]).ok_or(Refusal::Kind)?;
    Ok((pid, kind, access(bytes[9]), bytes[10]))
}

impl Ask {
    /// Writes it.
    pub fn to_bytes(&self) -> [u8; ASK_LEN] {
        let mut bytes = [0; ASK_LEN];
        put_head(&mut bytes, self.pid, self.kind, self.access);
        bytes[10] = if self.hardened { HARDENED } else { 0 };
        bytes[12..28].copy_from_slice(&self.token);
        bytes[28..36].copy_from_slice(&self.va.to_le_bytes());
        bytes[36..].copy_from_slice(&self.length.to_le_bytes());
        bytes
    }
    /// Reads it from the front of private data.
    ///
    /// # Errors
    /// [`Refusal::Malformed`], [`Refusal::Kind`], [`Refusal::Range`].
    pub fn parse(private: &[u8]) -> Result<Ask, Refusal> {
        let bytes: &[u8; ASK_LEN] = private.first_chunk().ok_or(Refusal::Malformed)?;
        let (pid, kind, access, options) = head(bytes)?;
        if options != 0 && matches!(kind, Kind::Chain(_)) {
            return Err(Refusal::Malformed);
        }
        let mut token = [0; 16];
        token.copy_from_slice(&bytes[12..28]);
        let (va, length) = (number(&bytes[28..36]), number(&bytes[36..]));
        let end = va.checked_add(length).filter(|end| *end <= 1 << VA_BITS);
        if length == 0 || end.is_none() || access == Access::default() {
            return Err(Refusal::Range);
        }
        Ok(Ask { pid, kind, access, token, va, length, hardened: options == HARDENED })
    }
}

/// What a board grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Granted {
    /// The process.
    pub pid: u32,
    /// What the connection is for.
    pub kind: Kind,
    /// What may be done.
    pub access: Access,
    /// The region's key.
    pub rkey: u32,
    /// The first address.
    pub va: u64,
    /// Bytes.
    pub length: u64,
}

impl Granted {
    /// Writes it.
    pub fn to_bytes(&self) -> [u8; GRANT_LEN] {
        let mut bytes = [0; GRANT_LEN];
        put_head(&mut bytes, self.pid, self.kind, self.access);
        bytes[12..16].copy_from_slice(&self.rkey.to_le_bytes());
        bytes[20..28].copy_from_slice(&self.va.to_le_bytes());
        bytes[28..].copy_from_slice(&self.length.to_le_bytes());
        bytes
    }
    /// Reads it from the front of private data; `None`: it is something else.
    pub fn parse(private: &[u8]) -> Option<Granted> {
        let bytes: &[u8; GRANT_LEN] = private.first_chunk()?;
        let (pid, kind, access, options) = head(bytes).ok()?;
        if options != 0 {
            return None;
        }
        let rkey = number(&bytes[12..16]) as u32;
        Some(Granted { pid, kind, access, rkey, va: number(&bytes[20..28]), length: number(&bytes[28..]) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ASK: Ask = Ask {
        pid: 7,
        kind: Kind::Pages,
        access: Access::ALL,
        token: [9; 16],
        va: 0x1000,
        length: 0x2000,
        hardened: false,
    };

    #[test]
    fn what_is_asked_and_granted_is_read_as_it_was_written() {
        let bytes = ASK.to_bytes();
        assert_eq!((&bytes[..12], &bytes[28..30]), (&b"MNR1\x07\0\0\0\0\x07\0\0"[..], &[0, 0x10][..]));
        assert_eq!(Ask::parse(&bytes), Ok(ASK));
        let hardened = Ask { hardened: true, ..ASK };
        assert_eq!((hardened.to_bytes()[10], Ask::parse(&hardened.to_bytes())), (1, Ok(hardened)));
        let granted = Granted {
            pid: 7,
            kind: Kind::Statistics,
            access: Access::READ,
            rkey: 0xdead_beef,
            va: 1,
            length: 2,
        };
        assert_eq!(Granted::parse(&granted.to_bytes()), Some(granted));
        for refusal in Refusal::ALL {
            assert_eq!(Refusal::parse(&refusal.to_bytes()), Some(refusal));
        }
        assert!(!format!("{ASK:?}").contains("9, 9"), "a token is not for logs");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let with = |at: usize, byte: u8| {
            let mut bytes = ASK.to_bytes();
            bytes[at] = byte;
            Ask::parse(&bytes)
        };
        assert_eq!(with(0, b'X'), Err(Refusal::Malformed));
        assert_eq!(with(7, 1), Err(Refusal::Malformed), "25 bits of a pid");
        assert_eq!((with(8, 3), with(8, 8)), (Err(Refusal::Kind), Err(Refusal::Kind)));
        assert_eq!(with(9, 0), Err(Refusal::Range), "no right");
        assert_eq!(with(9, 8), Err(Refusal::Malformed));
        assert_eq!((with(10, 2), with(11, 1)), (Err(Refusal::Malformed), Err(Refusal::Malformed)));
        let chain = Ask { kind: Kind::Chain(Chain::Load), hardened: true, ..ASK };
        assert_eq!(Ask::parse(&chain.to_bytes()), Err(Refusal::Malformed), "chains say so among their own");
        assert_eq!(with(34, 1), Err(Refusal::Range), "past 48 bits");
        assert_eq!(with(43, 0xff), Err(Refusal::Range));
        assert_eq!(with(37, 0), Err(Refusal::Range), "empty");
        assert_eq!(Ask::parse(&ASK.to_bytes()[..43]), Err(Refusal::Malformed));
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            if let Ok(ask) = Ask::parse(&bytes) {
                prop_assert_eq!(&ask.to_bytes()[..], &bytes[..ASK_LEN]);
            }
            let _ = (Granted::parse(&bytes), Refusal::parse(&bytes));
        }
    }
}
