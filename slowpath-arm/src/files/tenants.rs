//! The file of tenants, looked at while a board serves: what has changed in it holds from then on.
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use mneme_auth::{TenantList, TenantsFile};

/// Between two looks at the file.
const LOOK: Duration = Duration::from_millis(500);

/// What tells that a file has changed, without its contents.
type Stamp = (u64, u64, i64, i64);

/// A file of tenants, and what it looked like.
#[derive(Debug)]
pub struct TenantsWatch {
    file: TenantsFile,
    seen: Option<Stamp>,
    next: Duration,
}

impl TenantsWatch {
    /// The file was read just now, or is about to be.
    pub fn new(file: TenantsFile) -> TenantsWatch {
        TenantsWatch { file, seen: None, next: Duration::ZERO }
    }
    fn stamp(&self) -> Option<Stamp> {
        let told = fs::metadata(self.file.path()).ok()?;
        Some((told.ino(), told.size(), told.mtime(), told.mtime_nsec()))
    }
    /// The tenants, when the file has changed. A file that is gone or cannot be read changes nothing: the log says so.
    pub fn look(&mut self, now: Duration) -> Option<TenantList> {
        if now < self.next {
            return None;
        }
        self.next = now + LOOK;
        let stamp = self.stamp();
        if stamp == self.seen {
            return None;
        }
        let was = std::mem::replace(&mut self.seen, stamp);
        let path = self.file.path().display();
        if stamp.is_none() {
            tracing::error!(%path, "the file of tenants is gone; they stay as they were. An empty one revokes all");
            return None;
        }
        match self.file.load() {
            Ok(list) => {
                if was.is_some() {
                    tracing::info!(%path, tenants = list.len(), "read the file of tenants again");
                }
                Some(list)
            }
            Err(error) => {
                tracing::error!(%error, "the tenants stay as they were");
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_once_and_a_broken_file_changes_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = TenantsFile::new(folder.path().join("tenants"));
        let key = mneme_auth::SecretKey::from_bytes([7; 32]).public();
        file.add(format!("alice {key} 2026-01-01").parse().expect("a tenant")).expect("added");
        let mut watch = TenantsWatch::new(file.clone());
        let mut now = Duration::ZERO;
        let mut look = || {
            now += LOOK;
            watch.look(now).map(|list| list.len())
        };
        assert_eq!((look(), look()), (Some(1), None));
        fs::write(file.path(), "not a tenant\n").expect("written");
        assert_eq!((look(), look()), (None, None));
        fs::remove_file(file.path()).expect("removed");
        assert_eq!((look(), look()), (None, None));
        fs::write(file.path(), "# nobody\n").expect("written");
        assert_eq!(look(), Some(0));
    }
}
