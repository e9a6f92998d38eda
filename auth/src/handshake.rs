//! The two messages of a secure OPEN.
use crate::key::{PublicKey, SecretKey};
use crate::noise::Primitives;
use mneme_wire::payload::{
    NOISE_NAME, PUBLIC_KEY_LEN, PayloadError, SECURE_OPEN_LEN, SecureOpenAnswer, SecureOpenRequest, prologue,
};
use snow::{Builder, HandshakeState};
use std::fmt;
use zeroize::Zeroizing;

/// Why a message is not taken. What of it was wrong is told to nobody on the wire.
///
/// ```
/// use mneme_auth::{HandshakeError, Responder, SecretKey};
///
/// let board = Responder::new(SecretKey::from_bytes([1; 32]));
/// let refused = board.read(77, b"too short", [4; 32]).err();
/// assert_eq!(refused, Some(HandshakeError::Length(9)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HandshakeError {
    /// Another length.
    #[error("a message of {0} bytes is none of a secure OPEN: those have {SECURE_OPEN_LEN}")]
    Length(usize),
    /// Damaged, forged, from an earlier life of the board, or meant for another key.
    #[error("the message does not prove that it comes from the key that it should come from")]
    Unproven,
    /// Proven, but not to be understood.
    #[error("the message cannot be understood: {0}")]
    Payload(#[from] PayloadError),
    /// The client knows a key with which there is no handshake.
    #[error("no handshake is possible with this key")]
    Key,
}

fn builder(public: PublicKey, entropy: [u8; PUBLIC_KEY_LEN]) -> Result<Builder<'static>, HandshakeError> {
    let params = NOISE_NAME.parse().map_err(|_| HandshakeError::Key)?;
    Ok(Builder::with_resolver(params, Box::new(Primitives { entropy, public })))
}

/// The client's side of one OPEN: one message, and the answer to it.
///
/// The crate's first page has an example of both sides.
pub struct Initiator {
    state: Box<HandshakeState>,
}

impl Initiator {
    /// Begins. `board`: the key that the board must prove; `own`: the tenant's; `nonce`: the board's boot nonce, as PING tells
    /// it; `entropy`: 32 fresh random bytes. The message is sent in each attempt of one operation, and in no other one.
    pub fn new(
        board: &PublicKey,
        own: &SecretKey,
        nonce: u64,
        ask: &SecureOpenRequest,
        entropy: [u8; PUBLIC_KEY_LEN],
    ) -> Result<(Initiator, [u8; SECURE_OPEN_LEN]), HandshakeError> {
        let (prologue, board) = (prologue(nonce), board.to_bytes());
        let state = builder(own.public(), entropy)?
            .local_private_key(own.bytes())
            .and_then(|builder| builder.remote_public_key(&board))
            .and_then(|builder| builder.prologue(&prologue))
            .and_then(Builder::build_initiator);
        let mut state = Box::new(state.map_err(|_| HandshakeError::Key)?);
        let (inside, mut message) = (Zeroizing::new(ask.to_bytes()), [0; SECURE_OPEN_LEN]);
        let written = state.write_message(&inside[..], &mut message).map_err(|_| HandshakeError::Key)?;
        if written != SECURE_OPEN_LEN {
            return Err(HandshakeError::Length(written));
        }
        Ok((Initiator { state }, message))
    }
    /// Reads the answer. After an error the true answer may still come: it is read all the same.
    pub fn finish(&mut self, answer: &[u8]) -> Result<SecureOpenAnswer, HandshakeError> {
        if answer.len() != SECURE_OPEN_LEN {
            return Err(HandshakeError::Length(answer.len()));
        }
        let mut inside = Zeroizing::new([0; SECURE_OPEN_LEN]);
        let read = self.state.read_message(answer, &mut inside[..]).map_err(|_| HandshakeError::Unproven)?;
        Ok(SecureOpenAnswer::parse(&inside[..read])?)
    }
}

impl fmt::Debug for Initiator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Initiator(..)")
    }
}

/// The board's side: its static key.
///
/// The crate's first page has an example of both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Responder {
    secret: SecretKey,
    public: PublicKey,
}

impl Responder {
    /// A board with this key.
    pub fn new(secret: SecretKey) -> Responder {
        let public = secret.public();
        Responder { secret, public }
    }
    /// The key that clients must know.
    pub const fn public(&self) -> PublicKey {
        self.public
    }
    /// Reads a message of the life that a nonce names. Whether its tenant is known, and its tick recent, is the caller's to
    /// look at. `entropy`: 32 fresh random bytes.
    pub fn read(
        &self,
        nonce: u64,
        message: &[u8],
        entropy: [u8; PUBLIC_KEY_LEN],
    ) -> Result<Asked, HandshakeError> {
        if message.len() != SECURE_OPEN_LEN {
            return Err(HandshakeError::Length(message.len()));
        }
        let prologue = prologue(nonce);
        let state = builder(self.public, entropy)?
            .local_private_key(self.secret.bytes())
            .and_then(|builder| builder.prologue(&prologue))
            .and_then(Builder::build_responder);
        let mut state = Box::new(state.map_err(|_| HandshakeError::Key)?);
        let mut inside = Zeroizing::new([0; SECURE_OPEN_LEN]);
        let read = state.read_message(message, &mut inside[..]).map_err(|_| HandshakeError::Unproven)?;
        let request = SecureOpenRequest::parse(&inside[..read])?;
        let tenant = state.get_remote_static().and_then(|bytes| bytes.try_into().ok());
        let tenant = tenant.and_then(|bytes| PublicKey::from_bytes(bytes).ok()).ok_or(HandshakeError::Key)?;
        Ok(Asked { tenant, request, state })
    }
}

/// A message that was read: who asks for what. It is answered, or dropped.
///
/// The crate's first page has an example of both sides.
pub struct Asked {
    tenant: PublicKey,
    request: SecureOpenRequest,
    state: Box<HandshakeState>,
}

impl Asked {
    /// The key that asks, and has proved itself.
    pub const fn tenant(&self) -> PublicKey {
        self.tenant
    }
    /// What it asks for.
    pub const fn request(&self) -> &SecureOpenRequest {
        &self.request
    }
    /// The answer.
    pub fn answer(mut self, answer: &SecureOpenAnswer) -> Result<[u8; SECURE_OPEN_LEN], HandshakeError> {
        let (inside, mut message) = (Zeroizing::new(answer.to_bytes()), [0; SECURE_OPEN_LEN]);
        let written = self.state.write_message(&inside[..], &mut message).map_err(|_| HandshakeError::Key)?;
        if written == SECURE_OPEN_LEN { Ok(message) } else { Err(HandshakeError::Length(written)) }
    }
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked").field("tenant", &self.tenant).finish_non_exhaustive()
    }
}
