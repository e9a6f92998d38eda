//! Python and pyverbs in the guest: as much of the standard library as pyverbs and the programs of tests/guest import.
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::cpio::Archive;
use crate::process::root;

/// Python as the packages have it.
const PROGRAM: &str = "usr/bin/python3.11";
const LIBRARY: &str = "usr/lib/python3.11";
/// Packages of the standard library; of single modules there are all.
const PACKAGES: [&str; 6] = ["collections", "ctypes", "encodings", "importlib", "logging", "re"];
/// Modules in C that are no part of the program.
const EXTENSIONS: [&str; 2] = ["_ctypes", "resource"];
/// Programs of tests/guest, and what they import.
const OWN: [&str; 3] = ["connection.py", "verbs.py", "chains.py"];
const PYVERBS: &str = "usr/lib/python3/dist-packages/pyverbs";

/// Adds them. Answers what needs libraries.
pub fn add(folder: &Path, archive: &mut Archive) -> Result<Vec<PathBuf>> {
    let mut programs = vec![folder.join(PROGRAM)];
    archive.file("usr/bin/python3", &fs::read(&programs[0])?);
    for own in OWN {
        archive.file(&format!("usr/bin/{own}"), &fs::read(root().join("tests/guest").join(own))?);
    }
    archive.folder(LIBRARY);
    modules(folder, LIBRARY, archive)?;
    for package in PACKAGES {
        let path = format!("{LIBRARY}/{package}");
        archive.folder(&path);
        modules(folder, &path, archive)?;
    }
    for path in ["usr/lib/python3", "usr/lib/python3/dist-packages", PYVERBS] {
        archive.folder(path);
    }
    modules(folder, PYVERBS, archive)?;
    let dynload = format!("{LIBRARY}/lib-dynload");
    archive.folder(&dynload);
    let wanted = |name: &str| EXTENSIONS.iter().any(|own| name.split('.').next() == Some(own));
    programs.extend(extensions(folder, &dynload, archive, wanted)?);
    programs.extend(extensions(folder, PYVERBS, archive, |_| true)?);
    Ok(programs)
}

/// Files of a folder, by name.
fn files(folder: &Path, path: &str, end: &str) -> Result<Vec<(String, PathBuf)>> {
    let there = fs::read_dir(folder.join(path)).with_context(|| format!("no package has {path}"))?;
    let mut found = Vec::new();
    for entry in there {
        let path = entry?.path();
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        if path.is_file() && name.ends_with(end) {
            found.push((name, path));
        }
    }
    found.sort();
    Ok(found)
}

fn modules(folder: &Path, path: &str, archive: &mut Archive) -> Result<()> {
    for (name, file) in files(folder, path, ".py")? {
        archive.file(&format!("{path}/{name}"), &fs::read(file)?);
    }
    Ok(())
}

fn extensions(
    folder: &Path,
    path: &str,
    archive: &mut Archive,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for (name, file) in files(folder, path, ".so")?.into_iter().filter(|(name, _)| wanted(name)) {
        archive.file(&format!("{path}/{name}"), &fs::read(&file)?);
        found.push(file);
    }
    Ok(found)
}
