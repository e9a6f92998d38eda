//! Who may reach the registers of a board, built into its bitstream.
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// A file such as
///
/// ```toml
/// board = "02:00:c0:ff:ee:01"
/// host = "02:00:00:00:00:09"
/// key = "00112233445566778899aabbccddeeff"
/// ```
///
/// `board`: the address that the host's frames are for, which the slow path gives the core, too. `host`: the address that they come from.
/// `key`: 16 bytes, the first one first; only the host knows it beside the board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    board: String,
    host: String,
    key: String,
}

/// What the board's parameters are, as Verilog has them.
#[derive(Debug, PartialEq)]
pub struct Identity {
    pub board: String,
    pub host: String,
    pub key: String,
}

fn mac(field: &str, text: &str) -> Result<String> {
    let parts: Vec<&str> = text.split(':').collect();
    let bytes: Option<Vec<u8>> =
        parts.iter().map(|p| u8::from_str_radix(p, 16).ok().filter(|_| p.len() == 2)).collect();
    match bytes {
        Some(bytes) if bytes.len() == 6 && bytes[0] & 1 == 0 => Ok(format!("48'h{}", parts.concat())),
        _ => bail!("`{field}` is an address of one station, such as 02:00:00:00:00:09, not {text:?}"),
    }
}

impl Identity {
    /// From a file of the form above.
    pub fn read(path: &Path) -> Result<Identity> {
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        Identity::parse(&text).with_context(|| format!("the identity {}", path.display()))
    }

    fn parse(text: &str) -> Result<Identity> {
        let file: File = toml::from_str(text).context("it has `board`, `host` and `key`")?;
        let digits: Vec<char> = file.key.chars().collect();
        if digits.len() != 32 || !digits.iter().all(char::is_ascii_hexdigit) {
            bail!("`key` is 16 bytes in 32 hexadecimal digits");
        }
        if digits.iter().all(|d| *d == '0') {
            bail!("`key` is all zeros, which anybody would try first");
        }
        // SipHash takes its first byte lowest.
        let key: String = digits.chunks(2).rev().flatten().collect();
        let (board, host) = (mac("board", &file.board)?, mac("host", &file.host)?);
        if board == host {
            bail!("`board` and `host` have the same address");
        }
        Ok(Identity { board, host, key: format!("128'h{key}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(board: &str, host: &str, key: &str) -> Result<Identity> {
        Identity::parse(&format!("board = \"{board}\"\nhost = \"{host}\"\nkey = \"{key}\"\n"))
    }
    const BOARD: &str = "02:00:c0:ff:ee:01";
    const HOST: &str = "02:00:00:00:00:09";
    const KEY: &str = "00112233445566778899aabbccddeeff";

    #[test]
    fn addresses_have_their_first_byte_highest_and_keys_lowest() {
        let identity = parse(BOARD, HOST, KEY).unwrap();
        assert_eq!(identity.board, "48'h0200c0ffee01");
        assert_eq!(identity.host, "48'h020000000009");
        assert_eq!(identity.key, "128'hffeeddccbbaa99887766554433221100");
    }

    #[test]
    fn what_is_no_identity_is_refused_in_words() {
        for (board, host, key, words) in [
            ("02:00:c0:ff:ee", HOST, KEY, "`board` is an address"),
            (BOARD, "03:00:00:00:00:09", KEY, "`host` is an address"),
            (BOARD, "2:00:00:00:00:09", KEY, "`host` is an address"),
            (BOARD, BOARD, KEY, "the same address"),
            (BOARD, HOST, "0011", "32 hexadecimal digits"),
            (BOARD, HOST, "00112233445566778899aabbccddeefg", "32 hexadecimal digits"),
            (BOARD, HOST, "00000000000000000000000000000000", "all zeros"),
        ] {
            let error = parse(board, host, key).unwrap_err().to_string();
            assert!(error.contains(words), "{error} without {words}");
        }
        assert!(Identity::parse("board = \"02:00:c0:ff:ee:01\"").is_err());
    }
}
