//! The daemon's state file: the last epochs, so that a board never takes one of its recent past again, and the board's key.
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::{EpochStore, EpochStoreError};
use mneme_auth::{FileError, SecretKey, files};
use serde::{Deserialize, Serialize};

/// What a board keeps from one life to the next, in a file: epochs, the newest last, and the board's secret key if it has
/// one. A file with a key is refused if others can read it. Older files, a list of epochs, are read, too.
#[derive(Debug, Clone)]
pub struct FileEpochs {
    path: PathBuf,
}

#[derive(Serialize, Deserialize, Default)]
struct Kept {
    epochs: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Read {
    Kept(Kept),
    Epochs(Vec<u8>),
}

impl FileEpochs {
    /// A store in a file that may not exist yet; its folder must.
    pub fn new(path: impl Into<PathBuf>) -> FileEpochs {
        FileEpochs { path: path.into() }
    }
    fn failed(&self, what: &str, reason: impl std::fmt::Display) -> EpochStoreError {
        EpochStoreError(format!("{what} {}: {reason}", self.path.display()))
    }
    fn read(&self) -> Result<Kept, EpochStoreError> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Kept::default()),
            Err(error) => return Err(self.failed("cannot read", error)),
        };
        let kept =
            match serde_json::from_str(&text).map_err(|error| self.failed("cannot understand", error))? {
                Read::Kept(kept) => kept,
                Read::Epochs(epochs) => Kept { epochs, key: None },
            };
        if kept.key.is_some() {
            files::read_private(&self.path).map_err(|error| EpochStoreError(error.to_string()))?;
        }
        Ok(kept)
    }
    fn write(&self, kept: &Kept) -> Result<(), EpochStoreError> {
        let text = serde_json::to_string(kept).map_err(|error| self.failed("cannot write", error))?;
        self.replace(&text).map_err(|error| self.failed("cannot write", error))
    }
    fn replace(&self, text: &str) -> std::io::Result<()> {
        let next = self.path.with_extension("next");
        // One that an earlier board has left half written has any mode.
        match fs::remove_file(&next) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&next)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&next, &self.path)?;
        // The name must be as durable as the contents.
        match self.path.parent().filter(|folder| *folder != Path::new("")) {
            Some(folder) => File::open(folder)?.sync_all(),
            None => File::open(".")?.sync_all(),
        }
    }
    /// The board's key; at its first boot it is made of `entropy`, which must be random, and kept.
    ///
    /// ```
    /// use mneme_slowpath::FileEpochs;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let mut store = FileEpochs::new(folder.path().join("board.json"));
    /// let key = store.key([7; 32])?;
    /// assert_eq!(store.key([8; 32])?, key, "it is the same from then on");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn key(&mut self, entropy: [u8; 32]) -> Result<SecretKey, EpochStoreError> {
        let mut kept = self.read()?;
        if let Some(text) = &kept.key {
            let wrong = |why| EpochStoreError(FileError::Key { path: self.path.clone(), why }.to_string());
            return text.parse().map_err(wrong);
        }
        let key = SecretKey::from_bytes(entropy);
        kept.key = Some(key.to_text().to_string());
        self.write(&kept)?;
        Ok(key)
    }
}

impl EpochStore for FileEpochs {
    fn load(&mut self) -> Result<Vec<u8>, EpochStoreError> {
        Ok(self.read()?.epochs)
    }
    fn save(&mut self, epochs: &[u8]) -> Result<(), EpochStoreError> {
        let kept = self.read()?;
        self.write(&Kept { epochs: epochs.to_vec(), ..kept })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn epochs_survive_and_a_damaged_file_is_an_error() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut store = FileEpochs::new(folder.path().join("epochs.json"));
        assert_eq!(store.load().expect("no file yet"), Vec::<u8>::new());
        store.save(&[1, 2, 3]).expect("saved");
        assert_eq!(FileEpochs::new(folder.path().join("epochs.json")).load().expect("loaded"), [1, 2, 3]);
        fs::write(folder.path().join("epochs.json"), "not a list").expect("written");
        assert!(store.load().is_err());
    }

    #[test]
    fn the_key_survives_beside_epochs_and_nobody_else_may_read_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("board.json");
        fs::write(&path, "[5, 6]").expect("written");
        let mut store = FileEpochs::new(&path);
        let key = store.key([7; 32]).expect("made");
        assert_eq!(store.load().expect("an older file's epochs"), [5, 6]);
        store.save(&[6, 7]).expect("saved");
        assert_eq!((store.key([8; 32]).expect("kept"), store.load().expect("kept")), (key, vec![6, 7]));
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("a mode");
        for refused in [store.key([8; 32]).err(), store.load().err()] {
            let said = refused.expect("refused").to_string();
            assert!(said.contains("others can read"), "{said}");
        }
    }
}
