//! The secure OPEN: a board and a client prove to each other who they are, and the client gets the keys of tags.
use super::unreadable;
use crate::core::Lane;
use crate::credentials::Credentials;
use crate::error::{Error, Result};
use crate::random::drawn;
use crate::transport::ProcessKeys;
use mneme_auth::{HandshakeError, Initiator, PublicKey};
use mneme_wire::Pid;
use mneme_wire::payload::{OpenAnswer, OpenRequest, SECURE_OPEN_LEN, SecureOpenAnswer, SecureOpenRequest};
use std::time::Duration;

/// The client's half of one OPEN that is under way.
#[derive(Debug)]
pub(crate) struct Handshake {
    initiator: Initiator,
    board: PublicKey,
}

/// What an OPEN has brought.
#[derive(Debug)]
pub(crate) struct Proven {
    pub(crate) open: OpenAnswer,
    pub(crate) keys: ProcessKeys,
    /// How long the keys last, if they are rolled: until the other phase has another one, and until this one ends.
    pub(crate) lasts: Option<(Duration, Duration)>,
}

impl Handshake {
    /// Begins: what the OPEN of a process carries. The board's key is the one of those known that the board says to have,
    /// which it has to prove. `tick`: the board's, with all its bits.
    pub(crate) fn begin(
        credentials: &Credentials,
        lane: &Lane,
        (pid, tick): (Pid, u64),
        open: OpenRequest,
    ) -> Result<(Handshake, [u8; SECURE_OPEN_LEN])> {
        let (board, peer) = (lane.board(), lane.peer());
        let known = credentials.known(lane.address());
        if known.is_empty() {
            return Err(Error::UnknownBoardKey { board: peer });
        }
        if board.key_hint == 0 {
            return Err(Error::NoBoardKey { board: peer });
        }
        let Some(key) = known.into_iter().find(|key| key.hint() == board.key_hint) else {
            return Err(Error::WrongBoardKey { board: peer });
        };
        let ask = SecureOpenRequest { open, tick, pid: pid.get() };
        let begun = Initiator::new(&key, credentials.own(), board.nonce, &ask, drawn()?);
        let (initiator, message) = begun.map_err(|source| failed(&peer, source))?;
        Ok((Handshake { initiator, board: key }, message))
    }
    /// Reads the answer.
    pub(crate) fn end(mut self, peer: &str, pid: Pid, answer: &[u8]) -> Result<Proven> {
        let mut told = self.initiator.finish(answer).map_err(|source| failed(peer, source))?;
        if pid != Pid::NONE && told.open.pid != pid.get() {
            told.wipe_keys();
            return Err(failed(peer, HandshakeError::Unproven));
        }
        tracing::debug!(board = %peer, key = %self.board, "the board has proven its key");
        let proven = proven(&told);
        told.wipe_keys();
        proven
    }
}

fn failed(peer: &str, source: HandshakeError) -> Error {
    Error::Handshake { board: peer.to_owned(), source }
}

/// What an answer says; its keys are where they are wiped.
fn proven(told: &SecureOpenAnswer) -> Result<Proven> {
    let phase = told.phase();
    let range = || unreadable(mneme_wire::payload::PayloadError::Range("keys"));
    let keys = ProcessKeys::new(phase, told.key_of(phase).ok_or_else(range)?);
    let keys = match told.key_of(!phase) {
        Some(other) => keys.and(!phase, other),
        None => keys,
    };
    let lasts =
        (told.ends_ns > 0).then(|| (Duration::from_nanos(told.rolls_ns), Duration::from_nanos(told.ends_ns)));
    Ok(Proven { open: OpenAnswer { key: [0; 16], ..told.open }, keys, lasts })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_once() {
        let open = OpenAnswer { key: [7; 16], ..OpenAnswer::default() };
        let told = SecureOpenAnswer { open, other_key: [8; 16], valid: 3, ..SecureOpenAnswer::default() };
        let proven = proven(&told).expect("keys of both phases");
        assert_eq!(proven.open.key, [0; 16]);
        assert!(std::mem::needs_drop::<ProcessKeys>(), "they are wiped");
    }
}
