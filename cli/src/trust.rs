//! What packets carry against damage and forgery, and with which keys.
use crate::config::folder;
use anyhow::{Context, Result, bail};
use clap::Args;
use mneme_auth::{BoardsFile, files};
use mneme_clib::driver::BoardAddress;
use mneme_clib::{Credentials, Integrity, PublicKey};
use std::path::PathBuf;

/// What packets carry, and who proves what to whom.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Integrity")]
pub struct TrustArgs {
    /// What packets carry: none; crc32c, against damage on the way; tag, against who forges them, too, which needs --identity
    /// and the board's key. Default: tag with --identity, else none
    #[arg(long, value_name = "NAME", env = "MNEME_INTEGRITY")]
    pub integrity: Option<Integrity>,
    /// The file of the own secret key, by whose public half the board knows this tenant
    #[arg(long, value_name = "FILE", env = "MNEME_IDENTITY")]
    pub identity: Option<PathBuf>,
    /// The public key that the board must prove; default: what the file of known boards says
    #[arg(long, value_name = "KEY", env = "MNEME_BOARD_KEY")]
    pub board_key: Option<PublicKey>,
    /// The file of known boards: lines of HOST:PORT and a public key; default: boards in the folder of mneme's settings
    #[arg(long, value_name = "FILE", env = "MNEME_KNOWN_BOARDS")]
    pub known_boards: Option<PathBuf>,
}

impl TrustArgs {
    /// What packets carry.
    pub fn integrity(&self) -> Integrity {
        let usual = if self.identity.is_some() { Integrity::Tag } else { Integrity::None };
        self.integrity.unwrap_or(usual)
    }
    /// Who this command is to a board; none: nobody in particular.
    pub fn credentials(&self, board: &BoardAddress) -> Result<Option<Credentials>> {
        let Some(identity) = &self.identity else {
            if self.integrity == Some(Integrity::Tag) {
                bail!("tags need a key of your own: name its file with --identity, or take --integrity crc32c");
            }
            return Ok(None);
        };
        let credentials = Credentials::new(files::read_secret(identity)?);
        if let Some(key) = self.board_key {
            return Ok(Some(credentials.board(key)));
        }
        let path = self.known_boards.clone().or_else(|| Some(folder()?.join("boards")));
        let file = BoardsFile::new(path.context("no folder of settings: name --known-boards or --board-key")?);
        match file.find(&board.to_string())? {
            Some(known) => Ok(Some(credentials.board(known.key))),
            None => bail!(
                "{} knows no key of {board}: ask who runs that board for its public key, over a way that you trust, and name it \
                 with --board-key, or write the line `{board} KEY` into that file",
                file.path().display()
            ),
        }
    }
}
