//! The secure OPEN: what the handshake's messages have, and what is inside them.
use super::{Field, Layout, plain};
use crate::payload::{SECURE_OPEN_LEN, SecureOpenAnswer, SecureOpenRequest};

/// A secure OPEN, asked: the first message of Noise's IK.
pub static SECURE_OPEN_REQUEST: Layout = plain(
    "OPEN request, secure",
    "Told from a plain one by its length. The first message of Noise_IK_25519_ChaChaPoly_SHA256.",
    fields! {
        ephemeral 32 "The client's ephemeral public key.";
        tenant 48 "The tenant's public key, sealed.";
        sealed 176 "What is asked for inside, sealed: its bytes and 16.";
    },
);

/// [`SecureOpenRequest`].
pub static SECURE_OPEN_INSIDE: Layout = plain(
    "OPEN request, inside a secure one",
    "",
    fields! {
        open 112 "An OPEN request.";
        tick 8 "The board's tick of 64 bits as the client knows it.";
        pid 4 "The header's pid.";
        zero 36 "0.";
    },
);

/// A secure OPEN, answered: the second message.
pub static SECURE_OPEN_ANSWER: Layout = plain(
    "OPEN answer, secure",
    "The second message of the handshake.",
    fields! {
        ephemeral 32 "The board's ephemeral public key.";
        sealed 224 "What is answered inside, sealed: its bytes and 16.";
    },
);

/// [`SecureOpenAnswer`].
pub static SECURE_OPEN_TOLD: Layout = plain(
    "OPEN answer, inside a secure one",
    "",
    fields! {
        open 112 "An OPEN answer, with the process's key of the current phase.";
        other_key 16 "The process's key of the other phase; 0 where that has none.";
        rolls 8 "Nanoseconds of board time until the other phase becomes the current one, with a new key; 0: never.";
        ends 8 "Nanoseconds of board time until the current key is refused; 0: never.";
        valid 1 "Which phases have a key: bit 0 phase 0, bit 1 phase 1.";
        zero 63 "0.";
    },
);

const _: () = {
    assert!(SECURE_OPEN_REQUEST.len() == SECURE_OPEN_LEN && SECURE_OPEN_ANSWER.len() == SECURE_OPEN_LEN);
    assert!(SECURE_OPEN_INSIDE.len() == SecureOpenRequest::LEN);
    assert!(SECURE_OPEN_TOLD.len() == SecureOpenAnswer::LEN);
};
