//! OPEN: what it asks for and what it gives.
use core::fmt;

use super::{BoardInfo, PayloadError, exact, put, u32_at, u64_at, zero};
use crate::Va;

/// A window of a process's addresses: whole regions, at least one, inside the address space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VaWindow {
    first: u64,
    bytes: u64,
}

impl VaWindow {
    /// A window from `first` on. Both numbers must be multiples of [`Va::REGION`].
    pub fn new(first: u64, bytes: u64) -> Result<VaWindow, PayloadError> {
        let regions = first.is_multiple_of(Va::REGION) && bytes.is_multiple_of(Va::REGION);
        let inside = first.checked_add(bytes).is_some_and(|end| end <= Va::LIMIT);
        if regions && inside && bytes != 0 {
            Ok(VaWindow { first, bytes })
        } else {
            Err(PayloadError::Range("window"))
        }
    }
    /// Its first address.
    pub const fn first(self) -> u64 {
        self.first
    }
    /// Its bytes, never 0.
    pub const fn bytes(self) -> u64 {
        self.bytes
    }
    /// The first address behind it.
    pub const fn end(self) -> u64 {
        self.first + self.bytes
    }
}

/// OPEN request. The header's pid is the one asked for, 0 = any. 112 bytes: `flags 4 (bit 0 join), capabilities 4,
/// lease ns 8 (0 = none), process token 16, window first va 8, window bytes 8, zero 64`. Who joins leaves the window zero:
/// that of the process holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenRequest {
    /// Join the existing process of the header's pid; else it must be new.
    pub join: bool,
    /// Capabilities that the client wants to use, none assigned yet.
    pub capabilities: u32,
    /// Nanoseconds of board time without a slow-path request after which the process is reclaimed; 0 = never.
    pub lease_ns: u64,
    /// To rejoin after a restart; zeros when unknown. Joining needs the token that OPEN answered.
    pub token: [u8; 16],
    /// Where the process's allocations are placed; `None` = the whole address space. Fixed addresses may lie anywhere.
    pub window: Option<VaWindow>,
}

impl OpenRequest {
    /// Bytes of the layout, the same as the answer's.
    pub const LEN: usize = 112;
    /// Reads the layout.
    pub fn parse(bytes: &[u8]) -> Result<Self, PayloadError> {
        let b: &[u8; Self::LEN] = exact(bytes)?;
        zero(&b[48..], "zero")?;
        let flags = u32_at(b, 0);
        if flags > 1 {
            return Err(PayloadError::Option("flags"));
        }
        let join = flags == 1;
        if join {
            zero(&b[32..48], "window")?;
        }
        let mut token = [0; 16];
        token.copy_from_slice(&b[16..32]);
        let window = match (u64_at(b, 32), u64_at(b, 40)) {
            (0, 0) => None,
            (first, bytes) => Some(VaWindow::new(first, bytes)?),
        };
        Ok(OpenRequest { join, capabilities: u32_at(b, 4), lease_ns: u64_at(b, 8), token, window })
    }
    /// Writes the layout.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let mut b = [0; Self::LEN];
        put(&mut b, 0, &u32::from(self.join).to_le_bytes());
        put(&mut b, 4, &self.capabilities.to_le_bytes());
        put(&mut b, 8, &self.lease_ns.to_le_bytes());
        put(&mut b, 16, &self.token);
        if let Some(window) = self.window {
            put(&mut b, 32, &window.first.to_le_bytes());
            put(&mut b, 40, &window.bytes.to_le_bytes());
        }
        b
    }
}

/// OPEN answer. 112 bytes: `pid 4, capabilities 4, lease ns 8, process token 16, process key 16 (zero unless the OPEN was a
/// secure one), board info 64`.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenAnswer {
    /// The process.
    pub pid: u32,
    /// Capabilities granted.
    pub capabilities: u32,
    /// The lease in force, 0 = none.
    pub lease_ns: u64,
    /// What another client needs to join, and this one to rejoin.
    pub token: [u8; 16],
    /// The process's tag key of the current phase, in the answer to a secure OPEN; zeros in the answer to a plain one.
    pub key: [u8; 16],
    /// The board.
    pub board: BoardInfo,
}

impl OpenAnswer {
    /// Bytes of the layout.
    pub const LEN: usize = OpenRequest::LEN;
    /// Reads the layout.
    pub fn parse(bytes: &[u8]) -> Result<Self, PayloadError> {
        let b: &[u8; Self::LEN] = exact(bytes)?;
        let (mut token, mut key) = ([0; 16], [0; 16]);
        token.copy_from_slice(&b[16..32]);
        key.copy_from_slice(&b[32..48]);
        let pid = u32_at(b, 0);
        if pid == 0 || pid >= 1 << 24 {
            return Err(PayloadError::Range("pid"));
        }
        let board = BoardInfo::parse(&b[48..])?;
        Ok(OpenAnswer { pid, capabilities: u32_at(b, 4), lease_ns: u64_at(b, 8), token, key, board })
    }
    /// Writes the layout.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let mut b = [0; Self::LEN];
        put(&mut b, 0, &self.pid.to_le_bytes());
        put(&mut b, 4, &self.capabilities.to_le_bytes());
        put(&mut b, 8, &self.lease_ns.to_le_bytes());
        put(&mut b, 16, &self.token);
        put(&mut b, 32, &self.key);
        put(&mut b, 48, &self.board.to_bytes());
        b
    }
}

// Neither key nor token are ever printed.
impl fmt::Debug for OpenAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAnswer")
            .field("pid", &self.pid)
            .field("capabilities", &self.capabilities)
            .field("lease_ns", &self.lease_ns)
            .field("board", &self.board)
            .finish_non_exhaustive()
    }
}
