//! What a library of a Verilated board and who loads it have to agree on: for the crate, and for who builds such libraries.

/// A number of the shim's sources: a library that was made of others is refused before anything of it is called.
pub const ABI: u64 =
    fnv(fnv(0xcbf2_9ce4_8422_2325, include_bytes!("cpp/api.h")), include_bytes!("cpp/board.cpp"));

/// FNV-1a, which a constant can be made of.
const fn fnv(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}
