//! Which files are copied: those that the user names, or those that git tracks.
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A regular file and how many of its bytes are copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Where it is.
    pub path: PathBuf,
    /// Bytes to copy: its size, or less for the file where the limit fell.
    pub take: u64,
}

/// What is copied, and what the limit left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// Files in order.
    pub inputs: Vec<Input>,
    /// Bytes to copy.
    pub bytes: u64,
    /// Files found.
    pub found_files: usize,
    /// Bytes found.
    pub found_bytes: u64,
}

impl Selection {
    /// Whether the limit left something out.
    pub fn is_cut(&self) -> bool {
        self.bytes < self.found_bytes
    }
}

/// The files of some paths, or of the current folder when none are given.
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if paths.is_empty() {
        match tracked(Path::new(".")) {
            Some(files) => found = files,
            None => walk(Path::new("."), &mut found)?,
        }
    }
    for path in paths {
        let kind = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
        match kind.is_dir() {
            true => match tracked(path) {
                Some(files) => found.extend(files),
                None => walk(path, &mut found)?,
            },
            false => found.push(path.clone()),
        }
    }
    // Tracked files may be gone from the working folder, and links may point anywhere.
    found.retain(|path| fs::symlink_metadata(path).is_ok_and(|kind| kind.is_file()) || paths.contains(path));
    if found.is_empty() {
        bail!("there is no file to copy: name files or folders, or run in a folder that has some");
    }
    Ok(found)
}

/// The files that git tracks under a folder; `None` without git, outside a repository, or when it tracks none there.
fn tracked(folder: &Path) -> Option<Vec<PathBuf>> {
    let output = Command::new("git").arg("-C").arg(folder).args(["ls-files", "-z"]).output().ok()?;
    let names = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let files: Vec<PathBuf> = names.map(|name| folder.join(String::from_utf8_lossy(name).as_ref())).collect();
    (output.status.success() && !files.is_empty()).then_some(files)
}

/// All regular files under a folder, in the order of their names; hidden folders and links are left out.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let context = || format!("cannot read the folder {}", folder.display());
    let mut entries =
        fs::read_dir(folder).with_context(context)?.collect::<Result<Vec<_>, _>>().with_context(context)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().with_context(context)?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if kind.is_dir() && !hidden {
            walk(&entry.path(), found)?;
        } else if kind.is_file() {
            found.push(entry.path());
        }
    }
    Ok(())
}

/// Takes files in order until `limit` bytes are reached; the file where that happens is taken in part.
pub fn select(paths: &[PathBuf], limit: u64) -> Result<Selection> {
    let mut selection = Selection { inputs: Vec::new(), bytes: 0, found_files: paths.len(), found_bytes: 0 };
    for path in paths {
        let metadata = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
        if !metadata.is_file() {
            bail!("{} is neither a regular file nor a folder", path.display());
        }
        let size = metadata.len();
        let take = size.min(limit - selection.bytes);
        if take == size || take > 0 {
            selection.inputs.push(Input { path: path.clone(), take });
        }
        selection.bytes += take;
        selection.found_bytes += size;
    }
    Ok(selection)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, size) in [("a", 10), ("b", 0), ("sub/c", 20), (".hidden/d", 5)] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, vec![7; size]).unwrap();
        }
        folder
    }
    fn names(root: &Path, files: &[PathBuf]) -> Vec<String> {
        files.iter().map(|f| f.strip_prefix(root).unwrap().display().to_string()).collect()
    }

    #[test]
    fn a_folder_without_git_is_walked() {
        let folder = folder();
        let found = find(&[folder.path().into()]).unwrap();
        assert_eq!(names(folder.path(), &found), ["a", "b", "sub/c"]);
    }

    #[test]
    fn a_repository_gives_what_it_tracks() {
        let folder = folder();
        let git = |args: &[&str]| {
            assert!(
                Command::new("git")
                    .arg("-C")
                    .arg(folder.path())
                    .args(args)
                    .output()
                    .unwrap()
                    .status
                    .success()
            );
        };
        git(&["init", "-q"]);
        git(&["add", "sub/c", ".hidden/d"]);
        let found = find(&[folder.path().into()]).unwrap();
        assert_eq!(names(folder.path(), &found), [".hidden/d", "sub/c"]);
        fs::remove_file(folder.path().join("sub/c")).unwrap();
        assert_eq!(names(folder.path(), &find(&[folder.path().into()]).unwrap()), [".hidden/d"]);
    }

    #[test]
    fn the_limit_cuts_within_a_file() {
        let folder = folder();
        let found = find(&[folder.path().into()]).unwrap();
        let cut = select(&found, 15).unwrap();
        assert_eq!(cut.inputs.iter().map(|i| i.take).collect::<Vec<_>>(), [10, 0, 5]);
        assert_eq!((cut.bytes, cut.found_bytes, cut.is_cut()), (15, 30, true));
        assert!(!select(&found, 30).unwrap().is_cut());
        assert_eq!(
            select(&found, 10).unwrap().inputs.len(),
            2,
            "a file of which nothing is left is not taken"
        );
    }

    #[test]
    fn missing_and_empty_inputs_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        assert!(find(&[folder.path().join("none")]).unwrap_err().to_string().contains("cannot read"));
        assert!(find(&[folder.path().into()]).unwrap_err().to_string().contains("no file to copy"));
    }
}
