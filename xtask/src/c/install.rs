//! Installation of the C interface: libraries, header, and what pkg-config and CMake read.
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{HEADER, SHARED};
use crate::process::{cargo, root, run, target_dir};

/// What is made of a template: its place below `clib/c`, and that below the prefix.
const TEMPLATES: [(&str, &str); 3] = [
    ("mneme.pc.in", "lib/pkgconfig/mneme.pc"),
    ("cmake/mneme-config.cmake.in", "lib/cmake/mneme/mneme-config.cmake"),
    ("cmake/mneme-config-version.cmake.in", "lib/cmake/mneme/mneme-config-version.cmake"),
];

/// Builds the libraries and copies them, the header and the files for pkg-config and CMake below `prefix`, which may be
/// moved afterwards: no file has its path.
pub fn run_install(prefix: &Path, profile: &str) -> Result<()> {
    run(cargo().args(["build", "-p", "mneme-c", "--profile", profile]))?;
    let built = target_dir()?.join(profile);
    let copies = [
        (root().join(HEADER), "include/mneme.h"),
        (built.join("libmneme.so"), SHARED),
        (built.join("libmneme.a"), "lib/libmneme.a"),
    ];
    for (from, to) in copies {
        let to = place(prefix, to)?;
        replace(&to, |part| std::fs::copy(&from, part).map(drop))
            .with_context(|| format!("copying {} to {}", from.display(), to.display()))?;
    }
    // What the linker looks for; the name inside is what programs look for.
    let link = prefix.join("lib/libmneme.so");
    let name = Path::new(SHARED).file_name().context("the library's name")?;
    replace(&link, |part| std::os::unix::fs::symlink(name, part))
        .with_context(|| format!("making {}", link.display()))?;
    let libraries = native_libraries(profile)?;
    for (template, to) in TEMPLATES {
        let path = root().join("clib/c").join(template);
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let to = place(prefix, to)?;
        let text = filled(&text, &libraries)?;
        replace(&to, |part| std::fs::write(part, text))
            .with_context(|| format!("writing {}", to.display()))?;
    }
    Ok(())
}

/// Puts a file in another one's place, whole or not at all. Programs that run keep the library that they have mapped: bytes
/// written into that would change under them.
fn replace(to: &Path, make: impl FnOnce(&Path) -> std::io::Result<()>) -> std::io::Result<()> {
    let mut part = to.as_os_str().to_owned();
    part.push(format!(".part{}", std::process::id()));
    let part = PathBuf::from(part);
    let made = make(&part).and_then(|()| std::fs::rename(&part, to));
    if made.is_err() {
        // There may be none, and the error that there was is the one to tell.
        let _none = std::fs::remove_file(&part);
    }
    made.inspect(|()| println!("installed {}", to.display()))
}

/// A file's place below the prefix, in a folder that there is.
fn place(prefix: &Path, name: &str) -> Result<PathBuf> {
    let path = prefix.join(name);
    let folder = path.parent().context("a file's folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(path)
}

/// A template with its values. `libraries`: as rustc tells them.
fn filled(template: &str, libraries: &str) -> Result<String> {
    let list: Vec<&str> = libraries.split_whitespace().collect();
    let values = [
        ("@VERSION@", env!("CARGO_PKG_VERSION").to_owned()),
        ("@SHARED@", SHARED.trim_start_matches("lib/").to_owned()),
        ("@PRIVATE@", list.join(" ")),
        ("@PRIVATE_LIST@", list.join(";")),
    ];
    let text = values.iter().fold(template.to_owned(), |text, (name, value)| text.replace(name, value));
    match text.split('@').nth(1) {
        Some(unknown) => bail!("a template of the C interface asks for `{unknown}`, which nobody fills in"),
        None => Ok(text),
    }
}

/// The system's libraries that a program linking `libmneme.a` needs, as rustc tells them.
fn native_libraries(profile: &str) -> Result<String> {
    let mut command = cargo();
    command.args([
        "rustc",
        "--quiet",
        "-p",
        "mneme-c",
        "--profile",
        profile,
        "--",
        "--print=native-static-libs",
    ]);
    let output = command.output().context("asking rustc for the libraries of libmneme.a")?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    match text.lines().find_map(|line| line.split("native-static-libs:").nth(1)) {
        Some(list) if output.status.success() => Ok(list.trim().to_owned()),
        _ => bail!("rustc does not tell the libraries of libmneme.a:\n{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_in_use_is_replaced_and_not_changed() {
        use std::io::{Read, Seek};
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("libmneme.so.0.1");
        replace(&to, |part| std::fs::write(part, "the first one")).unwrap();
        let mut used = std::fs::File::open(&to).unwrap();
        replace(&to, |part| std::fs::write(part, "the second")).unwrap();
        let mut text = String::new();
        used.rewind().and_then(|()| used.read_to_string(&mut text)).unwrap();
        assert_eq!(
            (text.as_str(), std::fs::read_to_string(&to).unwrap().as_str()),
            ("the first one", "the second")
        );
        // One that breaks off leaves what there was.
        let broken = |part: &Path| std::fs::write(part, "half").and(Err(std::io::ErrorKind::Other.into()));
        replace(&to, broken).unwrap_err();
        assert_eq!(std::fs::read_to_string(&to).unwrap(), "the second");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn templates_are_filled_in() {
        for (template, _) in TEMPLATES {
            let text = std::fs::read_to_string(root().join("clib/c").join(template)).unwrap();
            filled(&text, "-lpthread -lc").unwrap();
        }
        assert_eq!(filled("x @PRIVATE_LIST@", " -lm  -lc\n").unwrap(), "x -lm;-lc");
        assert!(filled("x @NOBODY@", "").unwrap_err().to_string().contains("NOBODY"));
    }
}
