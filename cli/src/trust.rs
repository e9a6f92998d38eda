//! What packets carry against damage and forgery, and with which keys.
use crate::fault::Fault;
use anyhow::{Context, Result, anyhow};
use clap::Args;
use mneme_auth::{BoardsFile, files};
use mneme_clib::driver::BoardAddress;
use mneme_clib::{Credentials, Integrity, PublicKey};
use std::path::PathBuf;

/// What packets carry, and who proves what to whom.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Integrity")]
pub struct TrustArgs {
    /// What packets carry: none; crc32c, against damage on the way; tag, against who forges them, too. Default: tag for boards
    /// whose key is known (--board-key, `mneme tenant pin`) where there is a key of your own, else none
    #[arg(long, value_name = "NAME", env = "MNEME_INTEGRITY")]
    integrity: Option<Integrity>,
    /// The file of your own secret key (`mneme tenant keygen`); default: ~/.config/mneme/tenant.key
    #[arg(long, value_name = "FILE", env = "MNEME_IDENTITY")]
    identity: Option<PathBuf>,
    /// The public key that the board must prove; default: the one that it was pinned with
    #[arg(long, value_name = "KEY", env = "MNEME_BOARD_KEY")]
    board_key: Option<PublicKey>,
    /// The file of known boards (`mneme tenant pin`); default: ~/.config/mneme/boards
    #[arg(long, value_name = "FILE", env = "MNEME_KNOWN_BOARDS")]
    known_boards: Option<PathBuf>,
}

impl TrustArgs {
    /// What packets to a board carry, and who this command is to it.
    pub fn decide(&self, board: &BoardAddress) -> Result<(Integrity, Option<Credentials>)> {
        let asked = self.integrity.or(self.identity.as_ref().map(|_| Integrity::Tag));
        if asked.is_some_and(|asked| asked != Integrity::Tag) {
            return Ok((self.integrity.unwrap_or_default(), None));
        }
        let (identity, key) = (self.identity(), self.key(board)?);
        match (identity, key) {
            (Some(identity), Some(key)) => {
                let own = files::read_secret(&identity).context(Fault::Keys)?;
                Ok((Integrity::Tag, Some(Credentials::new(own).board(key))))
            }
            _ if asked.is_none() => Ok((Integrity::None, None)),
            (None, _) => Err(anyhow!(
                "tags need a key of your own: `mneme tenant keygen` makes one, --identity names its file; or take --integrity crc32c"
            )
            .context(Fault::Keys)),
            (_, None) => Err(anyhow!(
                "no key of {board} is known: ask who runs that board for it, over a way that you trust, and name it with --board-key, or \
                 once and for all with `mneme tenant pin {board} KEY`"
            )
            .context(Fault::Keys)),
        }
    }
    /// The file of the own key, if there is one.
    fn identity(&self) -> Option<PathBuf> {
        let usual = || files::setting(files::TENANT_KEY).filter(|path| path.exists());
        self.identity.clone().or_else(usual)
    }
    /// The key that a board must prove, if one is known.
    fn key(&self, board: &BoardAddress) -> Result<Option<PublicKey>> {
        if self.board_key.is_some() {
            return Ok(self.board_key);
        }
        let Some(path) = self.known_boards.clone().or_else(|| files::setting(files::BOARDS)) else {
            return Ok(None);
        };
        let known = BoardsFile::new(path).find(&board.to_string()).context(Fault::Keys)?;
        Ok(known.map(|known| known.key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_clib::SecretKey;

    #[test]
    fn tags_are_the_default_where_both_keys_are_known() {
        let folder = tempfile::tempdir().expect("a folder");
        let (identity, boards) = (folder.path().join("tenant.key"), folder.path().join("boards"));
        let key = SecretKey::from_bytes([2; 32]).public();
        files::create_secret(&identity, &SecretKey::from_bytes([1; 32])).expect("written");
        BoardsFile::new(&boards).pin("10.0.0.9:19790", key).expect("written");
        let args = |integrity, identity: Option<&PathBuf>, board_key| TrustArgs {
            integrity,
            identity: identity.cloned(),
            board_key,
            known_boards: Some(boards.clone()),
        };
        let decide = |args: &TrustArgs, board: &str| {
            let decided = args.decide(&board.parse().expect("an address"));
            decided.map(|(integrity, own)| (integrity, own.is_some()))
        };
        let (tag, none) = ((Integrity::Tag, true), (Integrity::None, false));
        assert_eq!(decide(&args(None, Some(&identity), None), "10.0.0.9").expect("pinned"), tag);
        assert_eq!(decide(&args(None, Some(&identity), Some(key)), "10.0.0.8").expect("named"), tag);
        assert!(decide(&args(None, Some(&identity), None), "10.0.0.8").is_err(), "no key is known");
        let crc = args(Some(Integrity::Crc32c), Some(&identity), None);
        assert_eq!(decide(&crc, "10.0.0.8").expect("no key is needed"), (Integrity::Crc32c, false));
        let off = args(Some(Integrity::None), Some(&identity), None);
        assert_eq!(decide(&off, "10.0.0.9").expect("as asked"), none);
    }
}
