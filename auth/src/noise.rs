//! Noise with X25519 of our own making: secrets are wiped, randomness is passed in, weak points are refused.
use crate::key::{PublicKey, SecretKey};
use curve25519_dalek::montgomery::MontgomeryPoint;
use mneme_wire::payload::PUBLIC_KEY_LEN;
use snow::params::{CipherChoice, DHChoice, HashChoice};
use snow::resolvers::{CryptoResolver, DefaultResolver};
use snow::types::{Cipher, Dh, Hash, Random};
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

/// The primitives of one handshake.
pub(crate) struct Primitives {
    /// The randomness of its ephemeral key.
    pub(crate) entropy: [u8; PUBLIC_KEY_LEN],
    /// The public key of the own static one, which is known.
    pub(crate) public: PublicKey,
}

impl Drop for Primitives {
    fn drop(&mut self) {
        self.entropy.zeroize();
    }
}

impl CryptoResolver for Primitives {
    fn resolve_rng(&self) -> Option<Box<dyn Random>> {
        Some(Box::new(Entropy(Some(SecretKey::from_bytes(self.entropy)))))
    }
    fn resolve_dh(&self, choice: &DHChoice) -> Option<Box<dyn Dh>> {
        match choice {
            DHChoice::Curve25519 => Some(Box::new(X25519 {
                secret: SecretKey::from_bytes([0; 32]),
                public: self.public.to_bytes(),
            })),
            _ => None,
        }
    }
    fn resolve_hash(&self, choice: &HashChoice) -> Option<Box<dyn Hash>> {
        DefaultResolver.resolve_hash(choice)
    }
    fn resolve_cipher(&self, choice: &CipherChoice) -> Option<Box<dyn Cipher>> {
        DefaultResolver.resolve_cipher(choice)
    }
}

/// The randomness of one ephemeral key: given out once.
struct Entropy(Option<SecretKey>);

impl Random for Entropy {
    fn try_fill_bytes(&mut self, dest: &mut [u8]) -> Result<(), snow::Error> {
        let bytes = self.0.take().ok_or(snow::Error::Rng)?;
        if dest.len() != PUBLIC_KEY_LEN {
            return Err(snow::Error::Rng);
        }
        dest.copy_from_slice(bytes.bytes());
        Ok(())
    }
}

struct X25519 {
    secret: SecretKey,
    public: [u8; PUBLIC_KEY_LEN],
}

impl Dh for X25519 {
    fn name(&self) -> &'static str {
        "25519"
    }
    fn pub_len(&self) -> usize {
        PUBLIC_KEY_LEN
    }
    fn priv_len(&self) -> usize {
        PUBLIC_KEY_LEN
    }
    /// Only the own static key is set, whose public key is there already.
    fn set(&mut self, privkey: &[u8]) {
        if let Ok(bytes) = privkey.try_into() {
            self.secret = SecretKey::from_bytes(bytes);
        }
    }
    fn generate(&mut self, rng: &mut dyn Random) -> Result<(), snow::Error> {
        let mut bytes = [0; PUBLIC_KEY_LEN];
        rng.try_fill_bytes(&mut bytes)?;
        self.secret = SecretKey::from_bytes(bytes);
        bytes.zeroize();
        self.public = self.secret.public().to_bytes();
        Ok(())
    }
    fn pubkey(&self) -> &[u8] {
        &self.public
    }
    fn privkey(&self) -> &[u8] {
        self.secret.bytes()
    }
    fn dh(&self, pubkey: &[u8], out: &mut [u8]) -> Result<(), snow::Error> {
        let point =
            pubkey.get(..PUBLIC_KEY_LEN).and_then(|bytes| bytes.try_into().ok()).ok_or(snow::Error::Dh)?;
        let mut shared = MontgomeryPoint(point).mul_clamped(*self.secret.bytes());
        let weak: bool = shared.0.ct_eq(&[0; PUBLIC_KEY_LEN]).into();
        let room = out.get_mut(..PUBLIC_KEY_LEN).filter(|_| !weak).ok_or(snow::Error::Dh)?;
        room.copy_from_slice(&shared.0);
        shared.zeroize();
        Ok(())
    }
}
