//! The file of tenants, looked at while a board serves: what has changed in it holds from then on.
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use mneme_auth::{FileError, TenantList, TenantsFile};

/// Between two looks at the file.
const LOOK: Duration = Duration::from_millis(500);

/// What tells that a file has changed, without its contents: inode, size, and the times of its contents and of all else,
/// as its mode.
type Stamp = (u64, u64, (i64, i64), (i64, i64));

fn stamp(of: &Metadata) -> Stamp {
    (of.ino(), of.size(), (of.mtime(), of.mtime_nsec()), (of.ctime(), of.ctime_nsec()))
}

/// A file of tenants, and what it looked like.
#[derive(Debug)]
pub struct TenantsWatch {
    file: TenantsFile,
    /// Of what was read. None where the last try failed: then each look is another one.
    seen: Option<Stamp>,
    /// It was read once.
    known: bool,
    /// Why it could not be read, as the log has it. Empty while it can be.
    said: String,
    next: Duration,
}

impl TenantsWatch {
    /// The file was read just now, or is about to be.
    pub fn new(file: TenantsFile) -> TenantsWatch {
        TenantsWatch { file, seen: None, known: false, said: String::new(), next: Duration::ZERO }
    }
    /// The tenants, when the file has changed. A file that is gone or cannot be read changes nothing: the log says so, and
    /// it is tried again at each look.
    pub fn look(&mut self, now: Duration) -> Option<TenantList> {
        self.look_by(now, TenantsFile::load)
    }
    fn look_by(
        &mut self,
        now: Duration,
        load: impl FnOnce(&TenantsFile) -> Result<TenantList, FileError>,
    ) -> Option<TenantList> {
        if now < self.next {
            return None;
        }
        self.next = now + LOOK;
        match self.read(load) {
            Ok(Some(list)) => {
                if self.known {
                    let path = self.file.path().display();
                    tracing::info!(%path, tenants = list.len(), "read the file of tenants again");
                }
                self.known = true;
                self.said.clear();
                Some(list)
            }
            Ok(None) => None,
            Err(why) => {
                self.seen = None;
                if why != self.said {
                    let path = self.file.path().display();
                    tracing::error!(%path, "the tenants stay as they were: {why}");
                    self.said = why;
                }
                None
            }
        }
    }
    /// The tenants, if the file is another one than was read last. None before there is a file.
    fn read(
        &mut self,
        load: impl FnOnce(&TenantsFile) -> Result<TenantList, FileError>,
    ) -> Result<Option<TenantList>, String> {
        // Before the contents: what changes meanwhile shows at the next look.
        let now = match fs::metadata(self.file.path()) {
            Ok(told) => Some(stamp(&told)),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error.to_string()),
        };
        let gone = "the file is gone; an empty one revokes all";
        match now {
            None if self.known => Err(gone.to_owned()),
            _ if now == self.seen => Ok(None),
            _ => {
                let list = load(&self.file).map_err(|error| error.to_string())?;
                // One that has gone just now has no tenants either, and revokes none.
                if list.is_empty() && !self.file.path().exists() {
                    return Err(gone.to_owned());
                }
                self.seen = now;
                Ok(Some(list))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A file with a tenant, and looks at it, each when it is time: how many tenants there are now.
    fn one_tenant() -> (tempfile::TempDir, TenantsFile, impl FnMut() -> Option<usize>) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = TenantsFile::new(folder.path().join("tenants"));
        let key = mneme_auth::SecretKey::from_bytes([7; 32]).public();
        file.add(format!("alice {key} 2026-01-01").parse().expect("a tenant")).expect("added");
        let (mut watch, mut now) = (TenantsWatch::new(file.clone()), Duration::ZERO);
        let look = move || {
            now += LOOK;
            watch.look(now).map(|list| list.len())
        };
        (folder, file, look)
    }

    #[test]
    fn a_change_is_seen_once_and_a_broken_file_changes_nothing() {
        let (_folder, file, mut look) = one_tenant();
        assert_eq!((look(), look()), (Some(1), None));
        fs::write(file.path(), "not a tenant\n").expect("written");
        assert_eq!((look(), look()), (None, None));
        fs::remove_file(file.path()).expect("removed");
        assert_eq!((look(), look()), (None, None));
        fs::write(file.path(), "# nobody\n").expect("written");
        assert_eq!(look(), Some(0));
    }

    #[test]
    fn a_file_that_was_refused_is_read_when_its_mode_is_mended() {
        let (folder, file, mut look) = one_tenant();
        assert_eq!((look(), look()), (Some(1), None));
        let (other, mode) = (folder.path().join("other"), fs::Permissions::from_mode);
        fs::write(&other, "# nobody\n").expect("written");
        fs::set_permissions(&other, mode(0o664)).expect("a mode");
        fs::rename(&other, file.path()).expect("moved");
        assert_eq!((look(), look()), (None, None), "others can write to it");
        fs::set_permissions(file.path(), mode(0o644)).expect("a mode");
        assert_eq!((look(), look()), (Some(0), None), "what the error names brings the revocation back");
    }

    /// Counts what goes to the log.
    #[derive(Default)]
    struct Lines(AtomicU64);

    impl tracing::Subscriber for Lines {
        fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
            true
        }
        fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
            tracing::span::Id::from_u64(1)
        }
        fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
        fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
        fn event(&self, _: &tracing::Event<'_>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        fn enter(&self, _: &tracing::span::Id) {}
        fn exit(&self, _: &tracing::span::Id) {}
    }

    #[test]
    fn an_error_that_passes_is_told_once_and_the_file_is_read_then() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = TenantsFile::new(folder.path().join("tenants"));
        fs::write(file.path(), "# nobody\n").expect("written");
        let mut watch = TenantsWatch::new(file.clone());
        let lines = Arc::new(Lines::default());
        let _held = tracing::subscriber::set_default(lines.clone());
        let mut now = Duration::ZERO;
        let mut look = |reason: Option<i32>| {
            now += LOOK;
            let list = watch.look_by(now, |file| match reason {
                Some(reason) => Err(FileError::System {
                    doing: "read",
                    path: file.path().to_owned(),
                    reason: std::io::Error::from_raw_os_error(reason),
                }),
                None => file.load(),
            });
            (list.map(|list| list.len()), lines.0.load(Ordering::Relaxed))
        };
        let (many_files, broken_disk) = (24, 5);
        assert_eq!((look(Some(many_files)), look(Some(many_files))), ((None, 1), (None, 1)));
        assert_eq!((look(Some(broken_disk)), look(Some(broken_disk))), ((None, 2), (None, 2)));
        assert_eq!((look(None), look(None)), ((Some(0), 2), (None, 2)), "the same file, read at last");
    }
}
