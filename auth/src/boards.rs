//! The boards that a client knows, with their keys: what ssh's known_hosts is for.
use crate::files::{Change, FileError, Guard, read_guarded};
use crate::key::PublicKey;
use std::path::{Path, PathBuf};

const HEAD: &str = "# Boards and their public keys, one a line: address and port, key. A board that proves another key is refused.\n";

/// What a file knows of a board.
///
/// [`BoardsFile`] has an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Its key.
    pub key: PublicKey,
    /// The line that says so, from 1 on.
    pub line: usize,
}

/// A file of known boards. An address is whatever names a board for its reader, without blanks: `HOST:PORT`.
///
/// ```
/// use mneme_auth::{BoardsFile, FileError, SecretKey};
///
/// let folder = tempfile::tempdir()?;
/// let file = BoardsFile::new(folder.path().join("boards"));
/// let (key, other) = (SecretKey::from_bytes([1; 32]).public(), SecretKey::from_bytes([2; 32]).public());
/// assert_eq!(file.find("10.0.0.9:19790")?, None);
/// file.pin("10.0.0.9:19790", key)?;
/// file.pin("10.0.0.9:19790", key)?;
/// assert_eq!(file.find("10.0.0.9:19790")?.map(|known| known.key), Some(key));
/// assert!(matches!(file.pin("10.0.0.9:19790", other), Err(FileError::Changed { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardsFile {
    path: PathBuf,
}

impl BoardsFile {
    /// A file that may not exist yet: then no board is known.
    pub fn new(path: impl Into<PathBuf>) -> BoardsFile {
        BoardsFile { path: path.into() }
    }
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
    fn text(&self) -> Result<String, FileError> {
        Ok(read_guarded(&self.path, Guard::Write)?.map_or_else(|| HEAD.to_owned(), |text| text.to_string()))
    }
    fn find_in(&self, text: &str, address: &str) -> Result<Option<Known>, FileError> {
        let mut found = None;
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |why: String| FileError::Line { path: self.path.clone(), line: at + 1, why };
            let words: Vec<&str> = line.split_whitespace().collect();
            let [board, key] = words[..] else {
                return Err(wrong("a board is an address and a public key".to_owned()));
            };
            let key = key.parse().map_err(|error: crate::KeyError| wrong(error.to_string()))?;
            if board == address {
                if found.is_some() {
                    return Err(wrong(format!(
                        "{address} has a key further up already: remove one of the lines"
                    )));
                }
                found = Some(Known { key, line: at + 1 });
            }
        }
        Ok(found)
    }
    /// What is known of the board at an address.
    pub fn find(&self, address: &str) -> Result<Option<Known>, FileError> {
        self.find_in(&self.text()?, address)
    }
    /// Whether the file's text has this key for a board; refused if it has another one.
    fn has(&self, text: &str, address: &str, told: PublicKey) -> Result<bool, FileError> {
        match self.find_in(text, address)? {
            Some(Known { key, .. }) if key == told => Ok(true),
            Some(Known { key: known, line }) => {
                let (address, path) = (address.to_owned(), self.path.clone());
                Err(FileError::Changed { address, known, told, path, line })
            }
            None => Ok(false),
        }
    }
    /// Remembers the key of the board at an address; refused if another one is known.
    pub fn pin(&self, address: &str, told: PublicKey) -> Result<(), FileError> {
        if address.is_empty() || address.starts_with('#') || address.contains(char::is_whitespace) {
            let why = format!("`{address}` names no board");
            return Err(FileError::Change { path: self.path.clone(), why });
        }
        // Where there is nothing to change the file need not be one that can be changed.
        if self.has(&self.text()?, address, told)? {
            return Ok(());
        }
        let change = Change::begin(&self.path, 0o644)?;
        let mut text = self.text()?;
        if self.has(&text, address, told)? {
            return Ok(());
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&format!("{address} {told}\n"));
        change.put(&text)
    }
}
