//! A package, as who installs it finds it.
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Package;
use crate::arm;
use crate::process::{capture, describe, run};

/// What must be in a package.
fn expected(package: &Package) -> &'static [&'static str] {
    match (package.name, package.architecture) {
        ("mneme", _) => &[
            "usr/bin/mneme",
            "usr/bin/mneme-swap",
            "usr/include/mneme.h",
            "usr/lib/libmneme.so",
            "usr/lib/libmneme.a",
            "usr/lib/pkgconfig/mneme.pc",
            "usr/share/man/man1/mneme.1.gz",
            "usr/share/man/man1/mneme-cp.1.gz",
            "usr/share/man/man1/mneme-swap.1.gz",
            "usr/share/man/man1/mneme-swap-serve.1.gz",
            "usr/share/bash-completion/completions/mneme-swap",
            "usr/share/bash-completion/completions/mneme",
            "usr/share/doc/mneme/copyright",
        ],
        (_, "amd64") => &[
            "usr/bin/mneme-boardd",
            "usr/lib/systemd/system/mneme-boardd.service",
            "usr/lib/sysusers.d/mneme-boardd.conf",
            "usr/share/man/man1/mneme-boardd.1.gz",
            "usr/share/bash-completion/completions/mneme-boardd",
            "usr/share/doc/mneme-boardd/board-daemon.md",
            "etc/default/mneme-boardd",
        ],
        _ => &[
            "usr/bin/mneme-boardd",
            "usr/share/man/man1/mneme-boardd.1.gz",
            "usr/share/bash-completion/completions/mneme-boardd",
            "usr/lib/systemd/system/mneme-boardd.service",
            "usr/lib/udev/rules.d/60-mneme.rules",
            "usr/lib/sysusers.d/mneme-boardd.conf",
            "usr/share/mneme-boardd/mneme.dtso",
            "usr/share/mneme-boardd/mneme-memory.dtso",
            "usr/share/doc/mneme-boardd/board-daemon.md",
            "etc/default/mneme-boardd",
        ],
    }
}

/// Unpacks a package, looks at what it says of itself and what is in it, and runs its program.
pub fn check(package: &Package, path: &Path) -> Result<()> {
    let field = |name: &str| capture(Command::new("dpkg-deb").arg("--field").arg(path).arg(name));
    for (name, value) in [("Package", package.name), ("Architecture", package.architecture)] {
        let said = field(name)?;
        if said.trim() != value {
            bail!("{}: its {name} is `{}`, not `{value}`", path.display(), said.trim());
        }
    }
    if !field("Depends")?.contains("libc6 (>= 2.") {
        bail!("{} does not say which C library it needs", path.display());
    }
    let folder = tempfile::tempdir().context("a temporary folder")?;
    run(Command::new("dpkg-deb").arg("--extract").arg(path).arg(folder.path()))?;
    for file in expected(package) {
        // A link counts when what it points to is there.
        if !folder.path().join(file).is_file() {
            bail!("{} has no {file}", path.display());
        }
    }
    for program in expected(package).iter().filter(|file| file.starts_with("usr/bin/")) {
        starts(package, &folder.path().join(program))?;
    }
    if package.name == "mneme-boardd" {
        unit(folder.path())?;
    }
    run(Command::new("lintian")
        .args(["--fail-on", "error", "--tag-display-limit", "0", "--allow-root"])
        .arg(path))?;
    println!("{}: {} files and its program are as they should be", path.display(), expected(package).len());
    Ok(())
}

/// A program starts, and says the version of the package.
fn starts(package: &Package, program: &Path) -> Result<()> {
    let mut command = match package.architecture {
        "arm64" => {
            let [emulator, arguments @ ..] = arm::emulator();
            let mut command = Command::new(emulator);
            command.args(arguments).arg(program);
            command
        }
        _ => Command::new(program),
    };
    let said = capture(command.arg("--version"))?;
    if !said.contains(env!("CARGO_PKG_VERSION")) {
        bail!("`{}` says `{}`", describe(&command), said.trim());
    }
    Ok(())
}

/// The unit starts a program of the package, as a user and with a file of settings that the package has.
fn unit(folder: &Path) -> Result<()> {
    let read = |file: &str| {
        std::fs::read_to_string(folder.join(file)).with_context(|| format!("reading {file} of the package"))
    };
    let unit = read("usr/lib/systemd/system/mneme-boardd.service")?;
    let value = |name: &str| {
        let line = unit.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        line.with_context(|| format!("the unit has no {name}"))
    };
    for name in ["ExecStart", "EnvironmentFile"] {
        let path = value(name)?;
        if !folder.join(path.trim_start_matches('/')).is_file() {
            bail!("the unit's {name} is {path}, which the package does not have");
        }
    }
    let user = value("User")?;
    if !read("usr/lib/sysusers.d/mneme-boardd.conf")?.contains(&format!("u {user} ")) {
        bail!("the unit's user {user} is made by nobody");
    }
    if value("Type")? != "notify" || value("WatchdogSec")?.parse::<u64>().is_err() {
        bail!("the unit does not listen to the daemon");
    }
    Ok(())
}
