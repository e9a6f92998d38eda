//! Who a client is to boards, and which boards it believes.
use mneme_auth::{FileError, PublicKey, SecretKey};
use std::net::SocketAddrV4;
use std::path::Path;
use std::sync::Arc;

/// What a client proves itself to boards with, and how it knows them: its own secret key, and the public keys of boards.
/// With [`Integrity::Tag`](crate::Integrity::Tag) each process is opened by a handshake between the two, which hands out
/// the keys of its tags. The secret key is wiped when the last copy is dropped, and never printed.
///
/// ```
/// use mneme_clib::{ClientOptions, Credentials, Integrity, SecretKey};
///
/// let (own, board) = (SecretKey::from_bytes([1; 32]), SecretKey::from_bytes([2; 32]));
/// let credentials = Credentials::new(own).board(board.public());
/// let integrity = Integrity::Tag;
/// let options = ClientOptions { integrity, credentials: Some(credentials), ..ClientOptions::default() };
/// ```
#[derive(Debug, Clone)]
pub struct Credentials {
    own: Arc<SecretKey>,
    boards: Vec<(Option<SocketAddrV4>, PublicKey)>,
}

impl Credentials {
    /// A client with this key, which knows no board yet.
    pub fn new(own: SecretKey) -> Credentials {
        Credentials { own: Arc::new(own), boards: Vec::new() }
    }
    /// A client with the secret key of a file, as `mneme tenant` makes it; refused if others can read that.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let credentials = mneme_clib::Credentials::read("tenant.key".as_ref())?;
    /// println!("boards know me as {}", credentials.public());
    /// # Ok(()) }
    /// ```
    pub fn read(file: &Path) -> Result<Credentials, FileError> {
        mneme_auth::files::read_secret(file).map(Credentials::new)
    }
    /// A board with this key is believed, wherever it is, unless its address has a key of its own.
    pub fn board(mut self, key: PublicKey) -> Credentials {
        self.boards.push((None, key));
        self
    }
    /// A board at this address is believed if it has this key, and with no other.
    pub fn board_at(mut self, address: SocketAddrV4, key: PublicKey) -> Credentials {
        self.boards.push((Some(address), key));
        self
    }
    /// The public key by which boards know this client.
    pub fn public(&self) -> PublicKey {
        self.own.public()
    }
    pub(crate) fn own(&self) -> &SecretKey {
        &self.own
    }
    /// The keys that a board at an address may have.
    pub(crate) fn known(&self, address: Option<SocketAddrV4>) -> Vec<PublicKey> {
        let of = |wanted: Option<SocketAddrV4>| {
            let of_address = self.boards.iter().filter(move |(at, _)| *at == wanted);
            of_address.map(|(_, key)| *key).collect::<Vec<PublicKey>>()
        };
        match address.map(|_| of(address)) {
            Some(pinned) if !pinned.is_empty() => pinned,
            _ => of(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_a_key_of_its_own_has_no_other() {
        let key = |seed: u8| SecretKey::from_bytes([seed; 32]).public();
        let at = |port| Some(SocketAddrV4::new([10, 0, 0, 2].into(), port));
        let pinned = at(1).expect("an address");
        let credentials = Credentials::new(SecretKey::from_bytes([1; 32]))
            .board(key(2))
            .board(key(3))
            .board_at(pinned, key(4));
        assert_eq!(credentials.known(at(1)), [key(4)]);
        assert_eq!(credentials.known(at(2)), [key(2), key(3)]);
        assert_eq!(credentials.known(None), [key(2), key(3)]);
        assert_eq!(format!("{:?}", credentials.own), "SecretKey(..)");
    }
}
