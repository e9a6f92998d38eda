//! `cargo xtask deb`: the Debian packages `mneme` and `mneme-boardd`, the latter for boards' processors and for hosts, built by dpkg-deb, then unpacked and looked at.
mod check;
mod stage;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::{capture, cargo, root, run, target_dir};
use crate::{arm, c, setup};
use stage::Stage;

/// A package.
pub struct Package {
    /// Its name.
    pub name: &'static str,
    /// Debian's name of the processor that it is for.
    pub architecture: &'static str,
    /// Below `packaging/`: its control file without what is found out, its scripts.
    folder: &'static str,
    /// Its folder below `target/debian/stage/`.
    stage: &'static str,
    /// Takes names of symbols out of its programs.
    strip: &'static str,
}

const MNEME: Package =
    Package { name: "mneme", architecture: "amd64", folder: "mneme", stage: "mneme", strip: "strip" };
const BOARDD: Package = Package {
    name: "mneme-boardd",
    architecture: "arm64",
    folder: "mneme-boardd",
    stage: "mneme-boardd",
    strip: "aarch64-linux-gnu-strip",
};
/// For a board that has no processor.
const HOST: Package = Package {
    name: "mneme-boardd",
    architecture: "amd64",
    folder: "mneme-boardd-host",
    stage: "mneme-boardd-host",
    strip: "strip",
};

/// Files of `packaging/mneme-boardd-host/`, and where they go.
const HOST_FILES: [(&str, &str); 4] = [
    ("mneme-boardd.service", "usr/lib/systemd/system/mneme-boardd.service"),
    ("default", "etc/default/mneme-boardd"),
    ("sysusers.conf", "usr/lib/sysusers.d/mneme-boardd.conf"),
    ("../../docs/guides/board-daemon.md", "usr/share/doc/mneme-boardd/board-daemon.md"),
];

/// Files of `packaging/mneme-boardd/`, and where they go.
const BOARDD_FILES: [(&str, &str); 9] = [
    ("mneme-boardd.service", "usr/lib/systemd/system/mneme-boardd.service"),
    ("default", "etc/default/mneme-boardd"),
    ("60-mneme.rules", "usr/lib/udev/rules.d/60-mneme.rules"),
    ("sysusers.conf", "usr/lib/sysusers.d/mneme-boardd.conf"),
    ("modprobe.conf", "usr/lib/modprobe.d/mneme-boardd.conf"),
    ("modules-load.conf", "usr/lib/modules-load.d/mneme-boardd.conf"),
    ("mneme.dtso", "usr/share/mneme-boardd/mneme.dtso"),
    ("mneme-memory.dtso", "usr/share/mneme-boardd/mneme-memory.dtso"),
    ("../../docs/guides/board-daemon.md", "usr/share/doc/mneme-boardd/board-daemon.md"),
];

/// Builds the packages into `target/debian/`, and looks at them.
pub fn run_deb() -> Result<()> {
    setup::run_arm_setup()?;
    setup::run_deb_setup()?;
    let out = target_dir()?.join("debian");
    std::fs::create_dir_all(&out).with_context(|| format!("cannot create {}", out.display()))?;
    run(cargo().args(["build", "--release", "-p", "mneme-boardd"]))?;
    let native = target_dir()?.join("release/mneme-boardd");
    let board = boardd(&BOARDD, &arm::build("release")?, &BOARDD_FILES, &native)?;
    let host = boardd(&HOST, &native, &HOST_FILES, &native)?;
    let packages = [(&MNEME, mneme()?), (&BOARDD, board), (&HOST, host)];
    for (package, stage) in packages {
        let path = build(package, &stage, &out)?;
        check::check(package, &path)?;
    }
    Ok(())
}

/// The commands, manual pages and completions, the C library.
fn mneme() -> Result<Stage> {
    let stage = Stage::new(MNEME.stage)?;
    run(cargo().args(["build", "--release", "-p", "mneme"]))?;
    let program = target_dir()?.join("release/mneme");
    stage.program(&program, "usr/bin/mneme", MNEME.strip)?;
    // By itself, as who installs it alone builds it: memory that is locked must not hold the parts of simulated boards.
    run(cargo().args(["build", "--release", "-p", "mneme-swap"]))?;
    let swap = target_dir()?.join("release/mneme-swap");
    stage.program(&swap, "usr/bin/mneme-swap", MNEME.strip)?;
    for program in [&program, &swap] {
        pages(&stage, program)?;
    }
    stage.compress("usr/share/man/man1")?;
    c::run_install(&stage.folder("usr")?, "release")?;
    stage.strip_library("usr/lib", MNEME.strip)?;
    Ok(stage)
}

/// A program's manual pages and completions, which it writes itself.
fn pages(stage: &Stage, program: &Path) -> Result<()> {
    let name = program.file_name().context("a program's name")?.to_string_lossy();
    let folder = stage.folder("usr/share/man/man1")?;
    capture(Command::new(program).arg("man").arg(&folder))?;
    for (shell, to) in [
        ("bash", format!("usr/share/bash-completion/completions/{name}")),
        ("zsh", format!("usr/share/zsh/vendor-completions/_{name}")),
        ("fish", format!("usr/share/fish/vendor_completions.d/{name}.fish")),
    ] {
        stage.write(&to, &capture(Command::new(program).args(["completions", shell]))?)?;
    }
    Ok(())
}

/// The daemon, its unit, what the kernel is told. The manual page is written by the program of this machine.
fn boardd(package: &Package, program: &Path, files: &[(&str, &str)], native: &Path) -> Result<Stage> {
    let stage = Stage::new(package.stage)?;
    stage.program(program, "usr/bin/mneme-boardd", package.strip)?;
    for (from, to) in files {
        stage.copy(&root().join("packaging").join(package.folder).join(from), to)?;
    }
    capture(Command::new(native).arg("--man").arg(stage.folder("usr/share/man/man1")?))?;
    stage.compress("usr/share/man/man1")?;
    let script = capture(Command::new(native).args(["--completions", "bash"]))?;
    stage.write("usr/share/bash-completion/completions/mneme-boardd", &script)?;
    Ok(stage)
}

fn build(package: &Package, stage: &Stage, out: &Path) -> Result<PathBuf> {
    stage.documents(package.name)?;
    stage.control(package)?;
    let version = env!("CARGO_PKG_VERSION");
    let path = out.join(format!("{}_{version}_{}.deb", package.name, package.architecture));
    let mut command = Command::new("dpkg-deb");
    command.args(["--root-owner-group", "--build"]).arg(stage.root()).arg(&path);
    run(&mut command)?;
    Ok(path)
}
