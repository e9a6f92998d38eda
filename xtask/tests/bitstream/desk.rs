//! Where a build takes place: programs of the test's own before all others.
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds since 1970 that every build of these tests tells.
pub const DATE: u32 = 1_700_000_000;

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").to_owned()
}

/// A folder with programs of its own, found before all others.
pub struct Desk {
    folder: tempfile::TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Desk {
    pub fn new() -> Desk {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("bin")).expect("a folder");
        Desk { folder, variables: Vec::new() }
    }
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
    pub fn text(&self, name: &str) -> String {
        let path = self.path(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
    /// A program of this shell text, which also writes its arguments into `NAME.calls`.
    pub fn program(&self, name: &str, text: &str) {
        let path = self.path("bin").join(name);
        let calls = self.path(&format!("{name}.calls"));
        let text = format!("#!/bin/sh\necho \"$*\" >>'{}'\n{text}\n", calls.display());
        std::fs::write(&path, text).expect("written");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("a program");
    }
    pub fn with(mut self, name: &'static str, value: &str) -> Desk {
        self.variables.push((name, value.to_owned()));
        self
    }
    /// Whether a task ended well, and all that it said.
    pub fn xtask(&self, arguments: &[&str]) -> (bool, String) {
        let mut search = OsString::from(self.path("bin"));
        search.push(":");
        search.push(std::env::var_os("PATH").unwrap_or_default());
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(arguments).current_dir(root()).env("PATH", search);
        command.env("SOURCE_DATE_EPOCH", DATE.to_string()).env("STUB_CALLS", self.path("calls"));
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        let output = command.output().expect("xtask starts");
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.success(), said.into_owned())
    }
    pub fn bitstream(&self, more: &[&str]) -> (bool, String) {
        let vivado = root().join("xtask/tests/bitstream/vivado").display().to_string();
        let (out, manifest) = (self.path("out"), self.path("manifest.toml"));
        let (out, manifest) = (out.display().to_string(), manifest.display().to_string());
        let mut words = vec!["bitstream", "zcu106", "--out", &out, "--manifest", &manifest];
        if !more.contains(&"--config") && !more.contains(&"--ports") {
            words.push("--committed-verilog");
        }
        if !more.contains(&"--vivado") {
            words.extend(["--vivado", &vivado]);
        }
        words.extend(more);
        self.xtask(&words)
    }
    pub fn flash(&self, more: &[&str]) -> (bool, String) {
        let (out, manifest) = (self.path("out"), self.path("manifest.toml"));
        let (out, manifest) = (out.display().to_string(), manifest.display().to_string());
        self.xtask(&[&["flash", "zcu106", "--out", &out, "--manifest", &manifest], more].concat())
    }
    /// One with a bitstream.
    pub fn built() -> Desk {
        let desk = Desk::new();
        let (well, said) = desk.bitstream(&[]);
        assert!(well, "{said}");
        desk
    }
    pub fn manifest(&self) -> toml::Table {
        self.text("manifest.toml").parse().expect("TOML")
    }
    pub fn told(&self, name: &str) -> i64 {
        self.manifest()["zcu106"][name].as_integer().expect("a number")
    }
}
