//! What packets carry against damage and forgery, and with which keys.
use crate::fault::Fault;
use crate::output::warn;
use anyhow::{Context, Result, anyhow};
use clap::Args;
use mneme_auth::{BoardsFile, FileError, files};
use mneme_clib::driver::BoardAddress;
use mneme_clib::{Credentials, Integrity, PublicKey};
use std::path::PathBuf;
use std::sync::Once;

/// What packets carry, and who proves what to whom.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Integrity")]
pub struct TrustArgs {
    /// What packets carry: none; crc32c, against damage on the way; tag, against who forges them, too. Default: tag for boards
    /// that are pinned (`mneme tenant pin`) where there is a key of your own, and where --identity or --board-key is named;
    /// else none. With none and crc32c nobody proves anything, whatever keys are named
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
        self.decide_by(board, files::setting(files::TENANT_KEY))
    }
    /// The same, with the usual file of the own key.
    fn decide_by(
        &self,
        board: &BoardAddress,
        usual: Option<PathBuf>,
    ) -> Result<(Integrity, Option<Credentials>)> {
        // Who names a key wants it proven.
        let keyed = self.identity.is_some() || self.board_key.is_some();
        let asked = self.integrity.or(keyed.then_some(Integrity::Tag));
        if asked.is_some_and(|asked| asked != Integrity::Tag) {
            return Ok((self.integrity.unwrap_or_default(), None));
        }
        let (identity, key) = (identity(self.identity.as_ref(), usual)?, self.key(board)?);
        match (identity, key) {
            (Some(identity), Some(key)) => {
                let own = files::read_secret(&identity).context(Fault::Keys)?;
                Ok((Integrity::Tag, Some(Credentials::new(own).board(key))))
            }
            (identity, key) if asked.is_none() => {
                if identity.is_none() && key.is_some() {
                    UNPROVEN.call_once(|| warn(&unproven(board)));
                }
                Ok((Integrity::None, None))
            }
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

/// Told once, however often a command asks.
static UNPROVEN: Once = Once::new();

fn unproven(board: &BoardAddress) -> String {
    format!(
        "the key of {board} is known, and there is none of your own: packets go without tags, to whoever answers; \
         `mneme tenant keygen` makes one, --integrity none says that you want none"
    )
}

/// The file of the own key: the one that is named, or the usual one if it is there.
fn identity(named: Option<&PathBuf>, usual: Option<PathBuf>) -> Result<Option<PathBuf>> {
    let (None, Some(usual)) = (named, usual) else { return Ok(named.cloned()) };
    match usual.try_exists() {
        Ok(there) => Ok(there.then_some(usual)),
        Err(reason) => Err(FileError::System { doing: "look for", path: usual, reason }).context(Fault::Keys),
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

    #[test]
    fn a_key_that_is_named_is_never_passed_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let (own, boards) = (folder.path().join("tenant.key"), folder.path().join("boards"));
        let key = SecretKey::from_bytes([2; 32]).public();
        let decide = |integrity, board_key| {
            let known_boards = Some(boards.clone());
            let args = TrustArgs { integrity, identity: None, board_key, known_boards };
            let decided = args.decide_by(&"10.0.0.9".parse().expect("an address"), Some(own.clone()));
            decided.map(|(integrity, own)| (integrity, own.is_some()))
        };
        let said = format!("{:#}", decide(None, Some(key)).expect_err("there is no own key"));
        assert!(said.contains("tags need a key of your own"), "{said}");
        for asked in [Integrity::None, Integrity::Crc32c] {
            assert_eq!(decide(Some(asked), Some(key)).expect("as asked"), (asked, false));
        }
        assert_eq!(decide(None, None).expect("nothing is asked"), (Integrity::None, false));
        BoardsFile::new(&boards).pin("10.0.0.9:19790", key).expect("written");
        assert_eq!(decide(None, None).expect("told"), (Integrity::None, false));
        files::create_secret(&own, &SecretKey::from_bytes([1; 32])).expect("written");
        assert_eq!(decide(None, Some(key)).expect("both"), (Integrity::Tag, true));
    }

    #[test]
    fn the_usual_file_is_taken_if_it_is_there_and_told_if_it_cannot_be_looked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, named) = (folder.path().join("file"), PathBuf::from("named.key"));
        assert_eq!(identity(None, Some(file.clone())).expect("looked for"), None);
        std::fs::write(&file, "").expect("written");
        assert_eq!(identity(None, Some(file.clone())).expect("looked for"), Some(file.clone()));
        assert_eq!(identity(Some(&named), Some(file.clone())).expect("named"), Some(named));
        let said = format!("{:#}", identity(None, Some(file.join("tenant.key"))).expect_err("no folder"));
        assert!(said.contains("cannot look for"), "{said}");
    }
}
