//! Keys of boards and tenants, and their text form.
use base64ct::{Base64UrlUnpadded, Encoding};
use curve25519_dalek::montgomery::MontgomeryPoint;
use mneme_wire::payload::PUBLIC_KEY_LEN;
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

const PUBLIC_PREFIX: &str = "mneme_pub_";
const SECRET_PREFIX: &str = "mneme_key_";
/// Bytes of SHA-256 behind a key's bytes, so that a slip of the hand is no other key.
const CHECK_LEN: usize = 4;
const TEXT_LEN: usize = PUBLIC_KEY_LEN + CHECK_LEN;

/// Why a text or bytes are no key.
///
/// ```
/// use mneme_auth::{KeyError, PublicKey, SecretKey};
///
/// let secret = SecretKey::from_bytes([7; 32]);
/// assert_eq!(secret.to_text().parse::<PublicKey>(), Err(KeyError::Secret));
/// assert_eq!("mneme_pub_typo".parse::<PublicKey>(), Err(KeyError::Damaged));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// A secret key where a public one belongs.
    #[error(
        "this is a secret key: it belongs in a file of its owner alone; give the public one, which begins with {PUBLIC_PREFIX}"
    )]
    Secret,
    /// A public key where a secret one belongs.
    #[error("this is a public key; the secret one begins with {SECRET_PREFIX}")]
    Public,
    /// Neither.
    #[error("this is no key: keys begin with {PUBLIC_PREFIX} or {SECRET_PREFIX}")]
    Prefix,
    /// Something is missing, too much, or mistyped.
    #[error(
        "the key is damaged: its check does not fit, so a character is missing or another one; copy it again"
    )]
    Damaged,
    /// A point with which every secret agrees on the same number.
    #[error("this is no key that anybody can have made: it has no secret")]
    Weak,
}

/// What is hashed for the check: what kind of key it is, too.
fn check(prefix: &str, bytes: &[u8; PUBLIC_KEY_LEN]) -> [u8; CHECK_LEN] {
    let digest = Sha256::new().chain_update(prefix).chain_update(bytes).finalize();
    let mut check = [0; CHECK_LEN];
    check.copy_from_slice(&digest[..CHECK_LEN]);
    check
}

fn to_text(prefix: &str, bytes: &[u8; PUBLIC_KEY_LEN]) -> Zeroizing<String> {
    let mut all = Zeroizing::new([0; TEXT_LEN]);
    all[..PUBLIC_KEY_LEN].copy_from_slice(bytes);
    all[PUBLIC_KEY_LEN..].copy_from_slice(&check(prefix, bytes));
    let encoded = Zeroizing::new(Base64UrlUnpadded::encode_string(&all[..]));
    let mut text = Zeroizing::new(String::with_capacity(prefix.len() + encoded.len()));
    text.push_str(prefix);
    text.push_str(&encoded);
    text
}

fn from_text(prefix: &str, encoded: &str) -> Result<Zeroizing<[u8; PUBLIC_KEY_LEN]>, KeyError> {
    let mut all = Zeroizing::new([0; TEXT_LEN]);
    let decoded = Base64UrlUnpadded::decode(encoded, &mut all[..]).map_err(|_| KeyError::Damaged)?;
    let whole = decoded.len() == TEXT_LEN;
    let mut bytes = Zeroizing::new([0; PUBLIC_KEY_LEN]);
    bytes.copy_from_slice(&all[..PUBLIC_KEY_LEN]);
    if whole && check(prefix, &bytes) == all[PUBLIC_KEY_LEN..] { Ok(bytes) } else { Err(KeyError::Damaged) }
}

/// The points of which any multiple of 8, as all secrets are, is zero: those of orders 1 to 8 on the curve and 1 to 4 on its
/// twist, as all numbers that stand for them below 2^255.
const SMALL: [[u8; PUBLIC_KEY_LEN]; 7] = {
    /// 2^255 - 19, or as many more or less.
    const fn prime(first: u8) -> [u8; PUBLIC_KEY_LEN] {
        let mut bytes = [0xff; PUBLIC_KEY_LEN];
        (bytes[0], bytes[PUBLIC_KEY_LEN - 1]) = (first, 0x7f);
        bytes
    }
    let mut one = [0; PUBLIC_KEY_LEN];
    one[0] = 1;
    let order_8 = [
        0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4, 0x6a, 0xda,
        0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00,
    ];
    let other_of_8 = [
        0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef, 0x5b, 0x04,
        0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11, 0x57,
    ];
    [[0; PUBLIC_KEY_LEN], one, order_8, other_of_8, prime(0xec), prime(0xed), prime(0xee)]
};

/// A public key: whoever has it can ask its owner to prove that he has the secret one.
///
/// ```
/// use mneme_auth::{PublicKey, SecretKey};
///
/// let public = SecretKey::from_bytes([7; 32]).public();
/// assert_eq!(public.to_string().parse(), Ok(public));
/// assert!("mneme_pub_typo".parse::<PublicKey>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PublicKey([u8; PUBLIC_KEY_LEN]);

impl PublicKey {
    /// The key of these bytes; refused if it is one that nobody's secret belongs to.
    pub fn from_bytes(bytes: [u8; PUBLIC_KEY_LEN]) -> Result<PublicKey, KeyError> {
        // They are public, and compared with a list: to multiply each would keep a board for a second while it reads a
        // file of 16,384 tenants again. The last bit is no part of a point.
        let mut point = bytes;
        point[PUBLIC_KEY_LEN - 1] &= 0x7f;
        if SMALL.contains(&point) { Err(KeyError::Weak) } else { Ok(PublicKey(bytes)) }
    }
    /// Its bytes.
    pub const fn to_bytes(self) -> [u8; PUBLIC_KEY_LEN] {
        self.0
    }
    /// What a board with this key tells in its board info: the first two bytes of its SHA-256; never 0.
    pub fn hint(&self) -> u16 {
        let digest = Sha256::digest(self.0);
        u16::from_le_bytes([digest[0], digest[1]]).max(1)
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&to_text(PUBLIC_PREFIX, &self.0))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for PublicKey {
    type Err = KeyError;
    fn from_str(text: &str) -> Result<PublicKey, KeyError> {
        match text.strip_prefix(PUBLIC_PREFIX) {
            Some(encoded) => PublicKey::from_bytes(*from_text(PUBLIC_PREFIX, encoded)?),
            None if text.starts_with(SECRET_PREFIX) => Err(KeyError::Secret),
            None => Err(KeyError::Prefix),
        }
    }
}

/// A secret key. It is wiped when it is dropped, never printed, and compared in constant time.
///
/// ```
/// use mneme_auth::SecretKey;
///
/// let key = SecretKey::from_bytes([7; 32]);
/// assert_eq!(format!("{key:?}"), "SecretKey(..)");
/// assert_eq!(key.to_text().parse(), Ok(key));
/// ```
#[derive(Clone)]
pub struct SecretKey([u8; PUBLIC_KEY_LEN]);

impl SecretKey {
    /// The key of these bytes, which must be random.
    pub const fn from_bytes(bytes: [u8; PUBLIC_KEY_LEN]) -> SecretKey {
        SecretKey(bytes)
    }
    /// The public key that belongs to it.
    pub fn public(&self) -> PublicKey {
        PublicKey(MontgomeryPoint::mul_base_clamped(self.0).0)
    }
    /// The text for a file, wiped when it is dropped.
    pub fn to_text(&self) -> Zeroizing<String> {
        to_text(SECRET_PREFIX, &self.0)
    }
    /// 32 bytes that follow from the key, for another purpose: who has them does not have the key.
    ///
    /// ```
    /// use mneme_auth::SecretKey;
    ///
    /// let key = SecretKey::from_bytes([7; 32]);
    /// assert!(key.derive("one") != key.derive("other"));
    /// ```
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        Sha256::new()
            .chain_update("mneme derives ")
            .chain_update(purpose)
            .chain_update([0])
            .chain_update(self.0)
            .finalize()
            .into()
    }
    pub(crate) const fn bytes(&self) -> &[u8; PUBLIC_KEY_LEN] {
        &self.0
    }
}

impl FromStr for SecretKey {
    type Err = KeyError;
    fn from_str(text: &str) -> Result<SecretKey, KeyError> {
        match text.strip_prefix(SECRET_PREFIX) {
            Some(encoded) => Ok(SecretKey(*from_text(SECRET_PREFIX, encoded)?)),
            None if text.starts_with(PUBLIC_PREFIX) => Err(KeyError::Public),
            None => Err(KeyError::Prefix),
        }
    }
}

impl PartialEq for SecretKey {
    fn eq(&self, other: &SecretKey) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}
impl Eq for SecretKey {}

impl Zeroize for SecretKey {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
impl Drop for SecretKey {
    fn drop(&mut self) {
        self.zeroize();
    }
}
impl ZeroizeOnDrop for SecretKey {}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_key_is_wiped() {
        let mut key = SecretKey::from_bytes([9; 32]);
        key.zeroize();
        assert!(key == SecretKey::from_bytes([0; 32]));
        assert!(std::mem::needs_drop::<SecretKey>(), "dropped, too");
    }

    #[test]
    fn texts_are_told_apart_and_checked() {
        let secret = SecretKey::from_bytes([9; 32]);
        let (public, text) = (secret.public().to_string(), secret.to_text());
        assert_eq!(text.parse::<PublicKey>(), Err(KeyError::Secret));
        assert_eq!(public.parse::<SecretKey>(), Err(KeyError::Public));
        assert_eq!("ssh-ed25519".parse::<PublicKey>(), Err(KeyError::Prefix));
        for at in PUBLIC_PREFIX.len()..public.len() {
            let mut damaged = public.clone().into_bytes();
            damaged[at] = if damaged[at] == b'A' { b'B' } else { b'A' };
            let damaged = String::from_utf8(damaged).expect("ASCII");
            assert_eq!(damaged.parse::<PublicKey>(), Err(KeyError::Damaged), "{damaged}");
            assert_eq!(public[..at].parse::<PublicKey>(), Err(KeyError::Damaged));
        }
        assert_eq!(format!("{public}x").parse::<PublicKey>(), Err(KeyError::Damaged));
    }

    #[test]
    fn public_keys_are_those_of_rfc_7748_and_weak_ones_are_refused() {
        let hex = |text: &str| {
            let mut bytes = [0; 32];
            for (at, byte) in bytes.iter_mut().enumerate() {
                *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).expect("hexadecimal");
            }
            bytes
        };
        let alice = SecretKey(hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"));
        let public = hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
        assert_eq!(alice.public().to_bytes(), public);
    }

    #[test]
    fn keys_are_weak_whose_multiples_are_zero() {
        let zero = |bytes: [u8; 32]| MontgomeryPoint(bytes).mul_clamped([1; 32]).0 == [0; 32];
        for weak in SMALL {
            for last in [0, 0x80] {
                let mut bytes = weak;
                bytes[31] |= last;
                assert!(zero(bytes), "{bytes:02x?}");
                assert_eq!(PublicKey::from_bytes(bytes), Err(KeyError::Weak));
            }
        }
        // Their neighbours are none, whichever byte differs.
        for (weak, at) in SMALL.into_iter().flat_map(|weak| (0..32).map(move |at| (weak, at))) {
            let mut bytes = weak;
            bytes[at] ^= 4;
            assert_eq!(PublicKey::from_bytes(bytes).is_err(), zero(bytes), "{bytes:02x?}");
        }
    }
}
