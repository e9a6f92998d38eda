//! What a board calls itself.
use std::net::SocketAddr;

use sha2::{Digest, Sha256};

/// The identity of the board that listens here, the same after a restart: no other one of this machine listens at its address,
/// and no other machine has this one's `/etc/machine-id`. A machine without one has boards that the address alone tells apart.
pub fn board_identity(listening: SocketAddr) -> u64 {
    let machine = std::fs::read("/etc/machine-id").unwrap_or_default();
    let digest = Sha256::new().chain_update(machine).chain_update(listening.to_string()).finalize();
    digest.first_chunk().map_or(1, |bytes| u64::from_le_bytes(*bytes))
}
