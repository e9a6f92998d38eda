//! The daemon's state file: the last epochs, so that a board never takes one of its recent past again.
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use mneme_slowpath::{EpochStore, EpochStoreError};

/// Epochs in a file: a JSON list of numbers, the newest last.
#[derive(Debug, Clone)]
pub struct FileEpochs {
    path: PathBuf,
}

impl FileEpochs {
    /// A store in a file that may not exist yet; its folder must.
    pub fn new(path: impl Into<PathBuf>) -> FileEpochs {
        FileEpochs { path: path.into() }
    }
    fn failed(&self, what: &str, reason: impl std::fmt::Display) -> EpochStoreError {
        EpochStoreError(format!("{what} {}: {reason}", self.path.display()))
    }
    fn replace(&self, text: &str) -> std::io::Result<()> {
        let next = self.path.with_extension("next");
        let mut file = File::create(&next)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&next, &self.path)?;
        // The name must be as durable as the contents.
        match self.path.parent().filter(|folder| *folder != Path::new("")) {
            Some(folder) => File::open(folder)?.sync_all(),
            None => File::open(".")?.sync_all(),
        }
    }
}

impl EpochStore for FileEpochs {
    fn load(&mut self) -> Result<Vec<u8>, EpochStoreError> {
        match fs::read_to_string(&self.path) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| self.failed("cannot understand", error)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(self.failed("cannot read", error)),
        }
    }
    fn save(&mut self, epochs: &[u8]) -> Result<(), EpochStoreError> {
        let text = serde_json::to_string(epochs).map_err(|error| self.failed("cannot write", error))?;
        self.replace(&text).map_err(|error| self.failed("cannot write", error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
