//! The secure OPEN: the payloads that a Noise handshake carries (`docs/reference/trailers.md` §2). The handshake itself is in
//! the crate `mneme-auth`.
use core::fmt;

use zeroize::Zeroize;

use super::{OpenAnswer, OpenRequest, PayloadError, exact, put, u32_at, u64_at, zero};

/// The handshake, as Noise names it.
pub const NOISE_NAME: &str = "Noise_IK_25519_ChaChaPoly_SHA256";
/// What a handshake's prologue begins with; the boot nonce, 8 bytes, little-endian, follows.
pub const PROLOGUE: &[u8; 12] = b"mneme open 1";
/// Bytes of the prologue.
pub const PROLOGUE_LEN: usize = 20;
/// Bytes that a secure OPEN carries, asked and answered. By its length it is told from a plain one.
pub const SECURE_OPEN_LEN: usize = 256;
/// Bytes of a public key, an ephemeral one too.
pub const PUBLIC_KEY_LEN: usize = 32;
/// Bytes that sealing adds.
pub const SEAL_LEN: usize = 16;

/// The prologue of a handshake with a board in the life that a nonce names.
pub fn prologue(nonce: u64) -> [u8; PROLOGUE_LEN] {
    let mut bytes = [0; PROLOGUE_LEN];
    put(&mut bytes, 0, PROLOGUE);
    put(&mut bytes, PROLOGUE.len(), &nonce.to_le_bytes());
    bytes
}

/// What a client asks for inside the first message. 160 bytes: `open 112, tick 8, pid 4, zero 36`.
///
/// ```
/// use mneme_wire::payload::{OpenRequest, SecureOpenRequest};
///
/// let ask = SecureOpenRequest { open: OpenRequest::default(), tick: 77, pid: 0 };
/// assert_eq!(SecureOpenRequest::parse(&ask.to_bytes()), Ok(ask));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SecureOpenRequest {
    /// What a plain OPEN asks for.
    pub open: OpenRequest,
    /// The board's tick of 64 bits as the client knows it: a message is good for the slow path's window.
    pub tick: u64,
    /// The header's pid, which nothing else protects.
    pub pid: u32,
}

impl SecureOpenRequest {
    /// Bytes of the layout: the first message without an ephemeral key, a sealed static key and a seal.
    pub const LEN: usize = SECURE_OPEN_LEN - 2 * PUBLIC_KEY_LEN - 2 * SEAL_LEN;
    /// Reads the layout.
    pub fn parse(bytes: &[u8]) -> Result<Self, PayloadError> {
        let b: &[u8; Self::LEN] = exact(bytes)?;
        zero(&b[124..], "zero")?;
        let open = OpenRequest::parse(&b[..OpenRequest::LEN])?;
        Ok(SecureOpenRequest { open, tick: u64_at(b, 112), pid: u32_at(b, 120) })
    }
    /// Writes the layout.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let mut b = [0; Self::LEN];
        put(&mut b, 0, &self.open.to_bytes());
        put(&mut b, 112, &self.tick.to_le_bytes());
        put(&mut b, 120, &self.pid.to_le_bytes());
        b
    }
}

/// What a board answers inside the second message. 208 bytes: `open 112, other key 16, rolls 8, ends 8, valid 1, zero 63`.
///
/// ```
/// use mneme_wire::payload::{BoardInfo, OpenAnswer, SecureOpenAnswer};
///
/// let board = BoardInfo { page_bits: 18, epoch: 7, ns_per_tick: 8192, max_payload: 1450, ..BoardInfo::default() };
/// let open = OpenAnswer { pid: 3, key: [7; 16], board, ..OpenAnswer::default() };
/// let answer = SecureOpenAnswer { open, valid: 1, ..SecureOpenAnswer::default() };
/// assert_eq!(SecureOpenAnswer::parse(&answer.to_bytes()), Ok(answer));
/// assert_eq!(answer.key_of(false), Some([7; 16]));
/// assert_eq!(answer.key_of(true), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct SecureOpenAnswer {
    /// What a plain OPEN answers; `key` is that of the current phase, which the board info tells.
    pub open: OpenAnswer,
    /// The process's key of the other phase; zeros where that has none.
    pub other_key: [u8; 16],
    /// Nanoseconds of board time until the other phase becomes the current one, with a new key; 0: keys are not rolled.
    pub rolls_ns: u64,
    /// Nanoseconds of board time until the current key is refused: one more period. 0: keys are not rolled.
    pub ends_ns: u64,
    /// Which phases have a valid key: bit 0 phase 0, bit 1 phase 1.
    pub valid: u8,
}

impl SecureOpenAnswer {
    /// Bytes of the layout: the second message without an ephemeral key and a seal.
    pub const LEN: usize = SECURE_OPEN_LEN - PUBLIC_KEY_LEN - SEAL_LEN;
    /// The current phase.
    pub const fn phase(&self) -> bool {
        self.open.board.key_phase != 0
    }
    /// The process's key of a phase, where that has one.
    pub const fn key_of(&self, phase: bool) -> Option<[u8; 16]> {
        if self.valid >> (phase as u8) & 1 == 0 {
            None
        } else if phase == self.phase() {
            Some(self.open.key)
        } else {
            Some(self.other_key)
        }
    }
    /// Wipes the keys, once they have been told or taken: this is a layout, which may be copied.
    pub fn wipe_keys(&mut self) {
        self.open.key.zeroize();
        self.other_key.zeroize();
    }
    /// Reads the layout.
    pub fn parse(bytes: &[u8]) -> Result<Self, PayloadError> {
        let b: &[u8; Self::LEN] = exact(bytes)?;
        zero(&b[145..], "zero")?;
        let open = OpenAnswer::parse(&b[..OpenAnswer::LEN])?;
        let mut other_key = [0; 16];
        other_key.copy_from_slice(&b[112..128]);
        let (rolls_ns, ends_ns, valid) = (u64_at(b, 128), u64_at(b, 136), b[144]);
        let answer = SecureOpenAnswer { open, other_key, rolls_ns, ends_ns, valid };
        let current = valid >> u8::from(answer.phase()) & 1;
        if valid > 3 || current == 0 || rolls_ns > ends_ns {
            return Err(PayloadError::Range("keys"));
        }
        Ok(answer)
    }
    /// Writes the layout.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let mut b = [0; Self::LEN];
        put(&mut b, 0, &self.open.to_bytes());
        put(&mut b, 112, &self.other_key);
        put(&mut b, 128, &self.rolls_ns.to_le_bytes());
        put(&mut b, 136, &self.ends_ns.to_le_bytes());
        b[144] = self.valid;
        b
    }
}

// A key is never printed.
impl fmt::Debug for SecureOpenAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecureOpenAnswer")
            .field("open", &self.open)
            .field("rolls_ns", &self.rolls_ns)
            .field("ends_ns", &self.ends_ns)
            .field("valid", &self.valid)
            .finish_non_exhaustive()
    }
}
