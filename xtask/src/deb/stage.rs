//! A folder that becomes a package.
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Package;
use crate::process::{capture, root, target_dir};

/// Who answers for a package.
const MAINTAINER: &str = "Mneme developers <mneme-memory@users.noreply.github.com>";
/// Libraries that programs may need, and the packages that have them.
const LIBRARIES: [(&str, &str); 6] = [
    ("libc.so.", "libc6"),
    ("libm.so.", "libc6"),
    ("libdl.so.", "libc6"),
    ("ld-linux-", "libc6"),
    ("libgcc_s.so.", "libgcc-s1"),
    ("libstdc++.so.", "libstdc++6"),
];

/// The folder.
pub struct Stage {
    root: PathBuf,
}

impl Stage {
    /// An empty one.
    pub fn new(name: &str) -> Result<Stage> {
        let root = target_dir()?.join("debian").join("stage").join(name);
        if root.exists() {
            fs::remove_dir_all(&root).with_context(|| format!("removing {}", root.display()))?;
        }
        fs::create_dir_all(&root).with_context(|| format!("cannot create {}", root.display()))?;
        Ok(Stage { root })
    }
    /// Its place.
    pub fn root(&self) -> &Path {
        &self.root
    }
    /// A folder in it.
    pub fn folder(&self, name: &str) -> Result<PathBuf> {
        let path = self.root.join(name);
        fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
        Ok(path)
    }
    fn place(&self, to: &str) -> Result<PathBuf> {
        let path = self.root.join(to);
        let folder = path.parent().context("a file's folder")?;
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(path)
    }
    /// A file of this text.
    pub fn write(&self, to: &str, text: &str) -> Result<()> {
        let path = self.place(to)?;
        fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
        mode(&path, 0o644)
    }
    /// A copy of a file.
    pub fn copy(&self, from: &Path, to: &str) -> Result<()> {
        let path = self.place(to)?;
        fs::copy(from, &path).with_context(|| format!("copying {} to {}", from.display(), path.display()))?;
        mode(&path, 0o644)
    }
    /// A program, without names of symbols.
    pub fn program(&self, from: &Path, to: &str, strip: &str) -> Result<()> {
        self.copy(from, to)?;
        let path = self.root.join(to);
        capture(Command::new(strip).arg(&path))?;
        mode(&path, 0o755)
    }
    /// Takes out of the libraries of a folder what only debuggers need.
    pub fn strip_library(&self, folder: &str, strip: &str) -> Result<()> {
        for path in files(&self.root.join(folder))? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.contains(".so") && !path.is_symlink() {
                capture(Command::new(strip).arg("--strip-unneeded").arg(&path))?;
                mode(&path, 0o644)?;
            } else if name.ends_with(".a") {
                capture(Command::new(strip).arg("--strip-debug").arg(&path))?;
                mode(&path, 0o644)?;
            }
        }
        Ok(())
    }
    /// Compresses all files of a folder, the same way every time.
    pub fn compress(&self, folder: &str) -> Result<()> {
        for path in files(&self.root.join(folder))? {
            capture(Command::new("gzip").args(["-9", "-n", "-f"]).arg(&path))?;
        }
        Ok(())
    }

    /// What every package has in its folder of documents: who may copy it, and what has changed.
    pub fn documents(&self, name: &str) -> Result<()> {
        let folder = format!("usr/share/doc/{name}");
        let mut text = String::from(
            "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
             Upstream-Name: mneme\n\nFiles: *\nCopyright: Mneme developers\nLicense: Apache-2.0 or Expat\n\n\
             License: Apache-2.0\n On Debian systems, the full text of the Apache License, version 2.0, can be found in\n \
             /usr/share/common-licenses/Apache-2.0.\n\nLicense: Expat\n",
        );
        let license = fs::read_to_string(root().join("LICENSE-MIT")).context("reading LICENSE-MIT")?;
        for line in license.trim().lines() {
            text +=
                &if line.trim().is_empty() { " .\n".to_owned() } else { format!(" {}\n", line.trim_end()) };
        }
        self.write(&format!("{folder}/copyright"), &text)?;
        let version = env!("CARGO_PKG_VERSION");
        // The date of the sources: the same sources give the same package.
        let date = capture(Command::new("git").current_dir(root()).args(["log", "-1", "--format=%cD"]))?;
        let changes = format!(
            "{name} ({version}) unstable; urgency=medium\n\n  * See the history of the sources.\n\n -- {MAINTAINER}  {date}"
        );
        let folder = format!("{folder}/changelog");
        self.write(&folder, &changes)?;
        capture(Command::new("gzip").args(["-9", "-n", "-f"]).arg(self.root.join(folder)))?;
        Ok(())
    }

    /// The control file and all beside it.
    pub fn control(&self, package: &Package) -> Result<()> {
        let folder = root().join("packaging").join(package.folder);
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))
        };
        let (name, architecture) = (package.name, package.architecture);
        let (version, depends) = (env!("CARGO_PKG_VERSION"), self.needs(package)?.join(", "));
        let size = capture(Command::new("du").args(["-sk", "--exclude=DEBIAN"]).arg(&self.root))?;
        let size = size.split_whitespace().next().unwrap_or("0").to_owned();
        let sums = self.sums()?;
        let told = read("control")?;
        self.write(
            "DEBIAN/control",
            &format!(
                "Package: {name}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: {MAINTAINER}\n\
                 Installed-Size: {size}\nDepends: {depends}\n{told}"
            ),
        )?;
        self.write("DEBIAN/md5sums", &sums)?;
        for optional in ["shlibs", "triggers", "conffiles", "postinst", "prerm", "postrm"] {
            if folder.join(optional).is_file() {
                self.write(&format!("DEBIAN/{optional}"), &read(optional)?)?;
                if optional.starts_with('p') {
                    mode(&self.root.join("DEBIAN").join(optional), 0o755)?;
                }
            }
        }
        Ok(())
    }

    /// Packages that its programs and libraries need, by what they say themselves.
    fn needs(&self, package: &Package) -> Result<Vec<String>> {
        let (mut packages, mut libc) = (BTreeSet::new(), (2, 0));
        for path in files(&self.root)? {
            if path.is_symlink() || !fs::read(&path)?.starts_with(b"\x7fELF") {
                continue;
            }
            let told = capture(Command::new("readelf").args(["-W", "-d", "-V"]).arg(&path))?;
            for line in told.lines().filter(|line| line.contains("(NEEDED)")) {
                let library = line.split(['[', ']']).nth(1).context("readelf names a library")?;
                let known = LIBRARIES.iter().find(|(start, _)| library.starts_with(start));
                let Some((_, package)) = known else {
                    bail!("{} needs {library}, of which no package is known", path.display());
                };
                packages.insert(*package);
            }
            for version in told.split("GLIBC_").skip(1) {
                let mut numbers =
                    version.split(|c: char| !c.is_ascii_digit()).map(|n| n.parse().unwrap_or(0));
                libc = libc.max((numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)));
            }
        }
        if packages.is_empty() {
            bail!("{} has no program", package.name);
        }
        let least = |package: &str| match package {
            "libc6" => format!("libc6 (>= {}.{})", libc.0, libc.1),
            other => other.to_owned(),
        };
        let mut needs: Vec<String> = packages.into_iter().map(least).collect();
        if package.name == "mneme-boardd" {
            // The scripts' own.
            needs.push("init-system-helpers (>= 1.52)".to_owned());
        }
        Ok(needs)
    }

    fn sums(&self) -> Result<String> {
        let mut command = Command::new("md5sum");
        command.current_dir(&self.root);
        for path in files(&self.root)? {
            let within = path.strip_prefix(&self.root).context("a file of the stage")?;
            if !path.is_symlink() && !within.starts_with("DEBIAN") {
                command.arg(within);
            }
        }
        capture(&mut command)
    }
}

fn mode(path: &Path, mode: u32) -> Result<()> {
    let permissions = fs::Permissions::from_mode(mode);
    fs::set_permissions(path, permissions).with_context(|| format!("the mode of {}", path.display()))
}

/// All files below a folder, links too, in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() {
            all.extend(files(&path)?);
        } else {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}
