//! Files of keys: who may read and write them, and what is said when that is wrong.
use crate::key::{KeyError, PublicKey, SecretKey};
use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// Bytes of the longest file that is read.
const LONGEST: u64 = 1 << 22;

/// A file in the user's folder of settings: `$XDG_CONFIG_HOME/mneme` or `~/.config/mneme`. `None` where neither is known.
///
/// ```
/// if let Some(path) = mneme_auth::files::setting("tenants") {
///     assert!(path.ends_with("mneme/tenants"));
/// }
/// ```
pub fn setting(name: &str) -> Option<PathBuf> {
    in_folder("XDG_CONFIG_HOME", ".config", name)
}

/// A file in the user's folder of what programs keep: `$XDG_STATE_HOME/mneme` or `~/.local/state/mneme`.
pub fn state(name: &str) -> Option<PathBuf> {
    in_folder("XDG_STATE_HOME", ".local/state", name)
}

fn in_folder(variable: &str, of_home: &str, name: &str) -> Option<PathBuf> {
    let named = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = named.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(of_home)))?;
    Some(folder.join("mneme").join(name))
}

/// The file with the key of this user as a tenant, unless another one is named.
pub const TENANT_KEY: &str = "tenant.key";
/// The file with a board's tenants, unless another one is named.
pub const TENANTS: &str = "tenants";
/// The file with the boards that this user knows, unless another one is named.
pub const BOARDS: &str = "boards";

/// What is wrong with a file, and what to do about it.
///
/// ```
/// use mneme_auth::{FileError, files};
///
/// let error = files::read_secret("no/such/tenant.key".as_ref()).err();
/// assert!(matches!(error, Some(FileError::System { .. })));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refuses.
    #[error("cannot {doing} {path}: {reason}", path = path.display())]
    System {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// Others than its owner can read a secret.
    #[error(
        "others can read the secret in {path} (mode {mode:04o}): `chmod 600 {path}` keeps them out; who may have read it already \
         has the key, so make another one",
        path = path.display()
    )]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// Others than its owner can change who is let in.
    #[error(
        "others can write to {path} (mode {mode:04o}), so they decide who is let in: `chmod go-w {path}`",
        path = path.display()
    )]
    Writable {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// A secret must not be overwritten.
    #[error("{path} exists: it is not overwritten; name another file, or remove it if nobody needs its key", path = .0.display())]
    Exists(PathBuf),
    /// Somebody else changes the file.
    #[error("somebody else is changing the file (there is a lock on {path}): nothing was changed; try again", path = .0.display())]
    Busy(PathBuf),
    /// A file holds no key.
    #[error("{path}: {why}", path = path.display())]
    Key {
        /// The file.
        path: PathBuf,
        /// Why.
        why: KeyError,
    },
    /// A line is wrong.
    #[error("{path}, line {line}: {why}", path = path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1 on.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A change that cannot be made.
    #[error("{path}: {why}", path = path.display())]
    Change {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A board has another key than it had.
    #[error(
        "THE BOARD AT {address} HAS ANOTHER KEY THAN IT HAD. Either it was set up anew, or another one answers in its place. Known \
         is {known} ({path}, line {line}), told was {told}. Ask who runs it; if the new key is right, remove that line",
        path = path.display()
    )]
    Changed {
        /// Where the board is.
        address: String,
        /// The key that it had.
        known: PublicKey,
        /// The key that it is said to have.
        told: PublicKey,
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
    },
}

pub(crate) fn system<'a>(doing: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> FileError + 'a {
    move |reason| FileError::System { doing, path: path.to_path_buf(), reason }
}

/// What others than its owner may not do to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guard {
    Read,
    Write,
}

/// The text of a file that others may not read, or not write to; `None` when there is no such file.
pub(crate) fn read_guarded(path: &Path, guard: Guard) -> Result<Option<Zeroizing<String>>, FileError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(system("read", path)(error)),
    };
    // Of what was opened, not of what has the name by now.
    let mode = file.metadata().map_err(system("look at", path))?.permissions().mode() & 0o7777;
    let path = path.to_path_buf();
    match guard {
        Guard::Read if mode & 0o077 != 0 => return Err(FileError::Exposed { path, mode }),
        Guard::Write if mode & 0o022 != 0 => return Err(FileError::Writable { path, mode }),
        _ => {}
    }
    let mut text = Zeroizing::new(String::new());
    let read = file.take(LONGEST + 1).read_to_string(&mut text).map_err(system("read", &path))?;
    if read as u64 > LONGEST {
        return Err(FileError::Change { path, why: format!("longer than {LONGEST} bytes, so none of ours") });
    }
    Ok(Some(text))
}

/// The text of a file that nobody but its owner may read; `None` when there is no such file.
///
/// ```
/// use mneme_auth::files::{read_private, replace};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("state.json");
/// assert!(read_private(&path)?.is_none());
/// replace(&path, "[]", 0o600)?;
/// assert_eq!(read_private(&path)?.as_deref().map(String::as_str), Some("[]"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_private(path: &Path) -> Result<Option<Zeroizing<String>>, FileError> {
    read_guarded(path, Guard::Read)
}

/// Makes the folder of a file, for its owner alone.
fn make_folder(path: &Path) -> Result<(), FileError> {
    let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) else { return Ok(()) };
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(system("make the folder of", path))
}

fn write_new(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        // Half a file would be in the way of the next one.
        let _gone = fs::remove_file(path).is_ok();
    }
    written
}

/// Makes the name of a file as durable as its contents.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// A change of a file, which only one can make at a time. It begins before the old text is read, so that what is written is
/// a change of what the file says by then.
///
/// The new text goes into a file beside it, which is locked while the change is under way. One that was left behind without
/// a lock, by a program that was killed, is in nobody's way.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    path: &'a Path,
    next: PathBuf,
    file: File,
    moved: bool,
}

impl Change<'_> {
    /// Keeps others from changing the file, until it is dropped.
    pub(crate) fn begin(path: &Path, mode: u32) -> Result<Change<'_>, FileError> {
        make_folder(path)?;
        let mut next = path.as_os_str().to_owned();
        next.push(".next");
        let next = PathBuf::from(next);
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(mode)
            // What is no file, but a link or a pipe, is an error.
            .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32)
            .open(&next)
            .map_err(system("write", &next))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => return Err(FileError::Busy(next)),
            Err(error) => return Err(system("lock", &next)(error.into())),
        }
        let ours = file.metadata().map_err(system("look at", &next))?;
        // Who had the lock when it was opened here may have moved it into its place since, or removed it.
        match fs::symlink_metadata(&next) {
            Ok(told) if (told.dev(), told.ino()) == (ours.dev(), ours.ino()) => {}
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(system("look at", &next)(error)),
            _ => return Err(FileError::Busy(next)),
        }
        let change = Change { path, next, file, moved: false };
        let (has, may) = (ours.permissions().mode() & 0o7777, mode);
        if has & !may != 0 {
            let narrowed = change.file.set_permissions(Permissions::from_mode(has & may));
            narrowed.map_err(system("change the mode of", &change.next))?;
        }
        Ok(change)
    }
    fn write(&mut self, text: &str) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.write_all(text.as_bytes())?;
        self.file.sync_all()
    }
    /// Puts the new text in the place of the old one, whole or not at all.
    pub(crate) fn put(mut self, text: &str) -> Result<(), FileError> {
        self.write(text).map_err(system("write", &self.next))?;
        fs::rename(&self.next, self.path).map_err(system("write", self.path))?;
        self.moved = true;
        sync_folder(self.path).map_err(system("write", self.path))
    }
}

impl Drop for Change<'_> {
    fn drop(&mut self) {
        // Before the lock ends with the file. Once it was moved the name is the next one's.
        if !self.moved {
            let _gone = fs::remove_file(&self.next).is_ok();
        }
    }
}

/// Puts a new text in the place of a file, whole or not at all.
pub fn replace(path: &Path, text: &str, mode: u32) -> Result<(), FileError> {
    Change::begin(path, mode)?.put(text)
}

/// Reads the secret key that a file holds: the first line that is no comment. Refused if others can read the file.
///
/// ```
/// use mneme_auth::{SecretKey, files};
///
/// let folder = tempfile::tempdir()?;
/// let (path, key) = (folder.path().join("tenant.key"), SecretKey::from_bytes([7; 32]));
/// files::create_secret(&path, &key)?;
/// assert_eq!(files::read_secret(&path)?, key);
/// assert!(files::create_secret(&path, &key).is_err(), "it is not overwritten");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_secret(path: &Path) -> Result<SecretKey, FileError> {
    let missing = || system("read", path)(io::Error::from(ErrorKind::NotFound));
    let text = read_private(path)?.ok_or_else(missing)?;
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    line.unwrap_or("").parse().map_err(|why| FileError::Key { path: path.to_path_buf(), why })
}

/// Writes a secret key into a new file that its owner alone can read, and makes the file's folder.
pub fn create_secret(path: &Path, key: &SecretKey) -> Result<(), FileError> {
    make_folder(path)?;
    let secret = key.to_text();
    let head = format!("# The public key: {}\n# The secret one, for its owner alone:\n", key.public());
    let mut text = Zeroizing::new(String::with_capacity(head.len() + secret.len() + 1));
    text.push_str(&head);
    text.push_str(&secret);
    text.push('\n');
    match write_new(path, &text, 0o600).and_then(|()| sync_folder(path)) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(FileError::Exists(path.to_path_buf())),
        other => other.map_err(system("write", path)),
    }
}
