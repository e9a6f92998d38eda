//! Why a board's registers cannot be reached.
use std::io;

use crate::identity::mac_text;

/// What ends the way to a board. What was asked last may have taken effect or not.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// Nobody answers.
    #[error(
        "no board {board} answers {host}{why}: is it powered, is its bitstream loaded, is it on this Ethernet? A board that was built \
         for another key or other addresses than those of the identity file keeps silent, too",
        board = mac_text(board), host = mac_text(host)
    )]
    Silent {
        /// The board's address.
        board: [u8; 6],
        /// The host's.
        host: [u8; 6],
        /// What the line knows of it.
        why: String,
    },
    /// Somebody answers for the board, with wrong tags.
    #[error(
        "what answers for the board {board} has another key than the identity file ({frames} frames with wrong tags): was its bitstream \
         built with this file?",
        board = mac_text(board)
    )]
    OtherKey {
        /// The board's address.
        board: [u8; 6],
        /// Frames with wrong tags.
        frames: u64,
    },
    /// The board's nonce is another one.
    #[error("the board was reset, and all that it had is gone: begin anew")]
    Reset,
    /// The board says who it is, and takes no access.
    #[error(
        "the board answers, and takes none of this host's accesses: another program uses its key, or this host's clock has gone back \
         since the board was served last. Stop the other one; or reset the board"
    )]
    Refused,
    /// The interface.
    #[error("the board's interface failed: {0}")]
    Line(#[from] io::Error),
}
