//! Who may reach the registers of a board: a file that its bitstream is built with, and that its host has.
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A key. It is not shown, and forgotten when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 16]);

impl Key {
    /// The key of these bytes, the first one first.
    pub fn new(bytes: [u8; 16]) -> Key {
        Key(bytes)
    }
    /// Its bytes.
    pub fn bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

impl Zeroize for Key {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
impl Drop for Key {
    fn drop(&mut self) {
        self.zeroize();
    }
}
impl ZeroizeOnDrop for Key {}

/// Who speaks with whom, and under which key. A file of it is
///
/// ```
/// let text = r#"
/// board = "02:00:c0:ff:ee:01"                  # the board, for the host's frames
/// host = "02:00:00:00:00:09"                   # the host
/// key = "9f8c1be07a5d4e2233f0c6d1a2b4985e"     # 16 random bytes, the first one first
/// "#;
/// let identity = mneme_host::Identity::parse(text).expect("an identity");
/// assert_eq!(identity.host, [2, 0, 0, 0, 0, 9]);
/// assert_eq!(identity.key.bytes()[0], 0x9f);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The address that the host's frames are for.
    pub board: [u8; 6],
    /// The address that they come from.
    pub host: [u8; 6],
    /// What only the two know.
    pub key: Key,
}

/// Why a file is no identity.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// It cannot be read.
    #[error("cannot read the identity {path}: {reason}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: std::io::Error,
    },
    /// It has other fields.
    #[error("an identity has `board`, `host` and `key`: {0}")]
    Fields(Box<toml::de::Error>),
    /// A field that is no address.
    #[error("`{field}` is an address of one station, such as 02:00:00:00:00:09, not {text:?}")]
    Address {
        /// The field.
        field: &'static str,
        /// What it says.
        text: String,
    },
    /// Both addresses are one.
    #[error("`board` and `host` have the same address")]
    Same,
    /// A key of another length.
    #[error("`key` is 16 bytes in 32 hexadecimal digits")]
    Key,
    /// A key that is none.
    #[error("`key` is all zeros, which anybody would try first")]
    Zeros,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    board: String,
    host: String,
    key: String,
}

/// An address as people write it.
pub fn mac_text(mac: &[u8; 6]) -> String {
    mac.map(|byte| format!("{byte:02x}")).join(":")
}

fn bytes<const N: usize>(parts: impl Iterator<Item = impl AsRef<str>>) -> Option<[u8; N]> {
    let digits = |part: &str| part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_hexdigit());
    let all: Option<Vec<u8>> = parts
        .map(|part| u8::from_str_radix(part.as_ref(), 16).ok().filter(|_| digits(part.as_ref())))
        .collect();
    all?.try_into().ok()
}

fn mac(field: &'static str, text: String) -> Result<[u8; 6], IdentityError> {
    match bytes::<6>(text.split(':')) {
        Some(mac) if mac[0] & 1 == 0 => Ok(mac),
        _ => Err(IdentityError::Address { field, text }),
    }
}

impl Identity {
    /// From a file.
    pub fn read(path: &Path) -> Result<Identity, IdentityError> {
        let text = std::fs::read_to_string(path)
            .map_err(|reason| IdentityError::Read { path: path.to_owned(), reason })?;
        Identity::parse(&text)
    }

    /// From a file's text.
    pub fn parse(text: &str) -> Result<Identity, IdentityError> {
        let mut file: File = toml::from_str(text).map_err(|error| IdentityError::Fields(Box::new(error)))?;
        let pairs = file.key.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap_or_default());
        let key = bytes::<16>(pairs).ok_or(IdentityError::Key);
        file.key.zeroize();
        let key = key?;
        if key == [0; 16] {
            return Err(IdentityError::Zeros);
        }
        let (board, host) = (mac("board", file.board)?, mac("host", file.host)?);
        if board == host {
            return Err(IdentityError::Same);
        }
        Ok(Identity { board, host, key: Key(key) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "02:00:c0:ff:ee:01";
    const HOST: &str = "02:00:00:00:00:09";
    const KEY: &str = "00112233445566778899aabbccddeeff";

    fn parse(board: &str, host: &str, key: &str) -> Result<Identity, IdentityError> {
        Identity::parse(&format!("board = \"{board}\"\nhost = \"{host}\"\nkey = \"{key}\"\n"))
    }

    #[test]
    fn bytes_stand_in_their_order_and_the_key_is_not_shown() {
        let identity = parse(BOARD, HOST, KEY).expect("an identity");
        assert_eq!(identity.board, [2, 0, 0xc0, 0xff, 0xee, 1]);
        assert_eq!((identity.key.bytes()[1], identity.key.bytes()[15]), (0x11, 0xff));
        assert!(!format!("{identity:?}").contains("17"), "0x11");
    }

    #[test]
    fn a_key_is_wiped() {
        let mut key = Key::new([9; 16]);
        key.zeroize();
        assert_eq!(key.bytes(), &[0; 16]);
        assert!(std::mem::needs_drop::<Key>(), "dropped, too");
    }

    #[test]
    fn what_is_no_identity_is_refused_in_words() {
        for (board, host, key, words) in [
            ("02:00:c0:ff:ee", HOST, KEY, "`board` is an address"),
            (BOARD, "03:00:00:00:00:09", KEY, "`host` is an address"),
            (BOARD, "2:00:00:00:00:09", KEY, "`host` is an address"),
            (BOARD, "+2:00:00:00:00:09", KEY, "`host` is an address"),
            (BOARD, BOARD, KEY, "the same address"),
            (BOARD, HOST, "0011", "32 hexadecimal digits"),
            (BOARD, HOST, "00112233445566778899aabbccddeefg", "32 hexadecimal digits"),
            (BOARD, HOST, "0011223344556677889\u{e4}aabbccddeef", "32 hexadecimal digits"),
            (BOARD, HOST, "00000000000000000000000000000000", "all zeros"),
        ] {
            let error = parse(board, host, key).expect_err(words).to_string();
            assert!(error.contains(words), "{error} without {words}");
        }
        let error = Identity::parse("board = \"02:00:c0:ff:ee:01\"").expect_err("no host").to_string();
        assert!(error.contains("`board`, `host` and `key`"), "{error}");
        let error = Identity::read(Path::new("/nowhere/id.toml")).expect_err("no file").to_string();
        assert!(error.contains("/nowhere/id.toml"), "{error}");
    }
}
