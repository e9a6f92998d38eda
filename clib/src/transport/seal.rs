//! Trailers: what requests are sealed with, and which answers are taken (`docs/reference/trailers.md`).
use super::keys::Keyring;
use super::operation::{Call, Operation};
use mneme_wire::trailer::{COVERED_LEN, Means, ProcessKey, covered};
use mneme_wire::{Opcode, Pid, Response, Status, Trailer};
use std::net::SocketAddrV4;
use std::str::FromStr;

/// What the packets of a client carry against damage on the way, and against those who forge them.
///
/// ```
/// use mneme_clib::{ClientOptions, Integrity};
///
/// let whole = ClientOptions { integrity: Integrity::Crc32c, ..ClientOptions::default() };
/// assert_eq!("crc32c".parse(), Ok(whole.integrity));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Integrity {
    /// Nothing: the checks of Ethernet and UDP stand alone.
    #[default]
    None,
    /// A CRC-32C over addresses, ports, header and payload: damage on the whole way is found, and the packet sent again.
    Crc32c,
    /// A tag under the process's key: nobody without it makes a request, or an answer, that is taken. What is asked of no
    /// process has a CRC-32C.
    Tag,
}

impl Integrity {
    /// All of them.
    pub const ALL: [Integrity; 3] = [Integrity::None, Integrity::Crc32c, Integrity::Tag];

    /// The name in options and messages.
    pub fn name(self) -> &'static str {
        match self {
            Integrity::None => "none",
            Integrity::Crc32c => "crc32c",
            Integrity::Tag => "tag",
        }
    }
    /// Bytes of the longest trailer that a packet has with it.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Integrity::None => Trailer::None,
            Integrity::Crc32c => Trailer::Crc32c,
            Integrity::Tag => Trailer::Tag,
        }
        .bytes()
    }
}

impl std::fmt::Display for Integrity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// Integrity of no such name.
///
/// ```
/// use mneme_clib::Integrity;
///
/// assert!("md5".parse::<Integrity>().unwrap_err().to_string().contains("crc32c"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no integrity `{0}`: there are none, crc32c and tag")]
pub struct UnknownIntegrity(String);

impl FromStr for Integrity {
    type Err = UnknownIntegrity;

    fn from_str(name: &str) -> Result<Integrity, UnknownIntegrity> {
        Integrity::ALL.into_iter().find(|one| one.name() == name).ok_or_else(|| UnknownIntegrity(name.into()))
    }
}

/// What the next attempt of an operation is sealed with.
#[derive(Debug)]
pub(super) struct Sealing {
    pub(super) kind: Trailer,
    pub(super) phase: bool,
    key: Option<ProcessKey>,
}

impl Sealing {
    pub(super) const NONE: Sealing = Sealing { kind: Trailer::None, phase: false, key: None };
    const CRC: Sealing = Sealing { kind: Trailer::Crc32c, phase: false, key: None };

    /// For a time with these upper bits.
    #[inline]
    pub(super) fn means(self, upper: u64) -> Means {
        match (self.kind, self.key) {
            (Trailer::Tag, Some(key)) => Means::Tag { key, upper },
            (Trailer::Crc32c, _) => Means::Crc32c,
            _ => Means::None,
        }
    }
}

/// What an answer is worth to the operation that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Worth {
    /// It counts.
    Sound,
    /// It has no trailer where its request had one. It says that something is wrong, and proves nothing.
    Hint,
    /// Its trailer is wrong, or of another kind.
    Wrong,
}

/// How a transport seals, and what it takes.
#[derive(Debug)]
pub(super) struct Seal {
    integrity: Integrity,
    /// What trailers of requests cover of the frame, and those of answers.
    out: [u8; COVERED_LEN],
    back: [u8; COVERED_LEN],
    pub(super) keys: Keyring,
}

impl Default for Seal {
    fn default() -> Seal {
        let none = [0; COVERED_LEN];
        Seal { integrity: Integrity::None, out: none, back: none, keys: Keyring::default() }
    }
}

impl Seal {
    /// From now on packets have these trailers, between these addresses.
    pub(super) fn set(&mut self, integrity: Integrity, own: SocketAddrV4, board: SocketAddrV4) {
        let (here, there) = (own.ip().octets(), board.ip().octets());
        self.integrity = integrity;
        self.out = covered(here, there, own.port(), board.port());
        self.back = covered(there, here, board.port(), own.port());
    }
    pub(super) fn integrity(&self) -> Integrity {
        self.integrity
    }
    #[inline]
    pub(super) fn out(&self) -> &[u8; COVERED_LEN] {
        &self.out
    }
    /// Bytes of the longest trailer.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.integrity.bytes()
    }
    /// What an attempt is sealed with. `doubted`: the last one was told that its tag is wrong.
    #[inline]
    pub(super) fn sealing(&self, call: &Call, doubted: bool) -> Sealing {
        match self.integrity {
            Integrity::None => Sealing::NONE,
            Integrity::Crc32c => Sealing::CRC,
            // It proves by itself who asks, and whom: the keys may be old ones.
            Integrity::Tag if call.opcode == Opcode::Open => Sealing::CRC,
            Integrity::Tag => self.tagging(call.pid, doubted),
        }
    }
    fn tagging(&self, pid: Pid, doubted: bool) -> Sealing {
        match self.keys.of(pid).and_then(|keys| keys.to_send(doubted)) {
            Some((phase, key)) => Sealing { kind: Trailer::Tag, phase, key: Some(key.clone()) },
            None => Sealing::CRC,
        }
    }
    /// What an answer is worth to its operation.
    #[inline]
    pub(super) fn worth(&self, operation: &Operation, response: &Response, datagram: &[u8]) -> Worth {
        // The layouts of most clients' answers: nothing is computed.
        if operation.kind == Trailer::None {
            let alike = response.trailer == Trailer::None && !response.key_phase;
            return if alike { Worth::Sound } else { Worth::Wrong };
        }
        self.worth_sealed(operation, response, datagram)
    }
    fn worth_sealed(&self, operation: &Operation, response: &Response, datagram: &[u8]) -> Worth {
        let means = match (operation.kind, response.trailer) {
            (kind, Trailer::None) if is_bare(response.status) => {
                let told = operation.hint.is_some_and(|(status, attempt)| {
                    status == response.status && attempt != response.attempt
                });
                // Damage does not do the same twice; who forges does.
                let counts = kind == Trailer::Crc32c && (response.status == Status::Nack || told);
                return if counts { Worth::Sound } else { Worth::Hint };
            }
            (Trailer::Crc32c, Trailer::Crc32c) => Means::Crc32c,
            (Trailer::Tag, Trailer::Tag) => match self.keys.of(operation.call.pid) {
                Some(keys) => match keys.key(response.key_phase) {
                    Some(key) => Means::Tag { key: key.clone(), upper: operation.upper },
                    None => return Worth::Wrong,
                },
                None => return Worth::Wrong,
            },
            _ => return Worth::Wrong,
        };
        if is_bare(response.status) || !means.check(&self.back, datagram) {
            Worth::Wrong
        } else {
            Worth::Sound
        }
    }
    /// Whether what an answer to an operation tells of the board, its tick above all, is to be believed: once there are
    /// keys, only what a tag proves.
    #[inline]
    pub(super) fn believes(&self, kind: Trailer) -> bool {
        kind == Trailer::Tag || self.keys.is_empty()
    }
}

/// Answers that never have a trailer: they tell those whose request was not verified what is wrong.
fn is_bare(status: Status) -> bool {
    Means::Crc32c.of_answer(status) == Means::None
}
