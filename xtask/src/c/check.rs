//! The examples, built as a user's programs are, and run against a software board.
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use mneme_skips::Lack;

use super::header::functions;
use super::install::run_install;
use super::{HEADER, SHARED, STRICT, sanitize};
use crate::board::Board;
use crate::cable::{Cable, INTERFACE};
use crate::process::{Target, built, capture, root, run, target_dir};
use crate::skips::Skips;

/// The programs that call every function of the interface.
pub(super) const EXAMPLES: [&str; 3] = ["hello", "share", "figures"];

/// An example that wants a board with pages of 4 KB.
pub(super) const OF_FRAMES: &str = "frames";
/// An example that wants two boards.
pub(super) const OF_TWO: &str = "boards";
/// The example in Python, whose asyncio waits for calls by the library's descriptor.
const OF_PYTHON: &str = "clib/c/examples/event_loop.py";

pub(super) fn example(name: &str) -> PathBuf {
    root().join(format!("clib/c/examples/{name}.c"))
}

/// Fails if the header declares a function that no example calls.
fn all_called() -> Result<()> {
    let header = std::fs::read_to_string(root().join(HEADER)).with_context(|| format!("reading {HEADER}"))?;
    let mut calls = String::new();
    for name in EXAMPLES.into_iter().chain([OF_FRAMES, OF_TWO]) {
        calls += &std::fs::read_to_string(example(name)).with_context(|| format!("reading {name}.c"))?;
    }
    let functions = functions(&header);
    let uncalled: Vec<&&str> = functions.iter().filter(|name| !calls.contains(&format!("{name}("))).collect();
    if functions.is_empty() || !uncalled.is_empty() {
        bail!("of {} functions in {HEADER}, no example calls {uncalled:?}", functions.len());
    }
    Ok(())
}

/// The header alone is C99 and C++17 without a warning.
fn header_compiles() -> Result<()> {
    for (compiler, language, standard) in [("cc", "c", "-std=c99"), ("c++", "c++", "-std=c++17")] {
        run(Command::new(compiler)
            .args(&STRICT[1..])
            .args([standard, "-fsyntax-only", "-x", language])
            .arg(root().join(HEADER)))?;
    }
    Ok(())
}

/// No byte outside of what was allocated, and nothing left behind. Values that were never set are not looked for: the compiler lets optimised
/// code look at both halves of an `Option` at once.
pub(super) const VALGRIND: [&str; 5] = [
    "--quiet",
    "--undef-value-errors=no",
    "--leak-check=full",
    // A client that is gone leaves its thread a moment to see that: what the system keeps for it is "possibly lost".
    "--errors-for-leak-kinds=definite,indirect",
    "--error-exitcode=9",
];

/// Where the interface is installed for the test.
pub(super) struct Installed {
    pub(super) prefix: PathBuf,
    /// Where programs are built.
    pub(super) programs: PathBuf,
}

impl Installed {
    /// Installs at one place and moves everything to another: nothing may depend on the first one.
    fn new(profile: &str) -> Result<Installed> {
        let folder = target_dir()?.join("c-interface");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).with_context(|| format!("emptying {}", folder.display()))?;
        }
        let (first, prefix, programs) = (folder.join("first"), folder.join("moved"), folder.join("programs"));
        run_install(&first, profile)?;
        std::fs::rename(&first, &prefix).with_context(|| format!("moving {}", first.display()))?;
        std::fs::create_dir(&programs).with_context(|| format!("cannot create {}", programs.display()))?;
        Ok(Installed { prefix, programs })
    }

    /// Compiles a program as pkg-config says, against the static library if `linked`.
    pub(super) fn compile(
        &self,
        source: &Path,
        name: &str,
        linked: bool,
        options: &[&str],
    ) -> Result<PathBuf> {
        let mut asked = Command::new("pkg-config");
        asked.env("PKG_CONFIG_PATH", self.prefix.join("lib/pkgconfig")).args(["--cflags", "--libs"]);
        if linked {
            asked.arg("--static");
        }
        let flags = capture(asked.arg("mneme"))?;
        let program = self.programs.join(name);
        let mut command = Command::new("cc");
        command.args(STRICT).args(options).arg(source).arg("-o").arg(&program);
        for flag in flags.split_whitespace() {
            // The linker takes the shared library where it finds both.
            command.arg(if linked && flag == "-lmneme" { "-l:libmneme.a" } else { flag });
        }
        run(&mut command)?;
        Ok(program)
    }

    /// Builds the examples as CMake says, against both libraries. Answers the programs.
    fn cmake(&self) -> Result<Vec<PathBuf>> {
        let folder = self.programs.join("cmake");
        self.configure(&root().join("clib/c/examples"), &folder).and_then(|mut command| run(&mut command))?;
        run(Command::new("cmake").arg("--build").arg(&folder))?;
        Ok(EXAMPLES
            .iter()
            .flat_map(|name| [folder.join(name), folder.join(format!("{name}-static"))])
            .collect())
    }

    fn configure(&self, source: &Path, folder: &Path) -> Result<Command> {
        let mut command = Command::new("cmake");
        command.arg("-S").arg(source).arg("-B").arg(folder);
        command.arg(format!("-DCMAKE_PREFIX_PATH={}", self.prefix.display()));
        let warnings = STRICT[1..].join(" ");
        command.arg(format!("-DCMAKE_C_FLAGS={warnings}"));
        Ok(command)
    }

    /// CMake finds the versions that this one can stand in for, and no others.
    fn versions(&self) -> Result<()> {
        let number = |text: &str| text.parse::<u32>().context("the version");
        let major = number(env!("CARGO_PKG_VERSION_MAJOR"))?;
        let minor = number(env!("CARGO_PKG_VERSION_MINOR"))?;
        let asked = [
            (String::new(), true),
            (format!("{major}.{minor}"), true),
            (format!("{} EXACT", env!("CARGO_PKG_VERSION")), true),
            (format!("{major}.{}", minor + 1), false),
            (format!("{major}.{minor}.999"), false),
            (format!("{}", major + 1), false),
        ];
        for (which, (version, found)) in asked.iter().enumerate() {
            let source = self.programs.join(format!("version-{which}"));
            std::fs::create_dir(&source).with_context(|| format!("cannot create {}", source.display()))?;
            let project = format!(
                "cmake_minimum_required(VERSION 3.13)\nproject(asks NONE)\nfind_package(mneme {version} CONFIG REQUIRED)\n"
            );
            std::fs::write(source.join("CMakeLists.txt"), project).context("writing a CMakeLists.txt")?;
            let answer = self
                .configure(&source, &source.join("build"))
                .and_then(|mut command| capture(command.arg("-Wno-dev").arg("--no-warn-unused-cli")));
            match answer {
                Err(error) if *found => {
                    return Err(error.context(format!("CMake does not find mneme {version}")));
                }
                Ok(_) if !found => bail!("CMake takes this version for mneme {version}"),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Installs into a scratch prefix, builds the examples through pkg-config and CMake against the shared and the static
/// library, and runs them against a software board: as they are, under valgrind, with sanitizers, and over raw drivers.
pub fn run_test(profile: &str, skips: &Skips) -> Result<()> {
    all_called()?;
    header_compiles()?;
    let installed = Installed::new(profile)?;
    let build = |name: &str, linked: bool| {
        let program = format!("{name}-{}", if linked { "static" } else { "shared" });
        installed.compile(&example(name), &program, linked, &[])
    };
    let shared = EXAMPLES.iter().map(|name| build(name, false)).collect::<Result<Vec<_>>>()?;
    let linked = EXAMPLES.iter().map(|name| build(name, true)).collect::<Result<Vec<_>>>()?;
    let needed = capture(Command::new("readelf").arg("-d").args(&shared))?;
    let name = SHARED.trim_start_matches("lib/");
    if needed.matches(&format!("[{name}]")).count() != EXAMPLES.len() {
        bail!("programs do not ask for {name}:\n{needed}");
    }
    let by_cmake = installed.cmake()?;
    installed.versions()?;
    let mneme = PathBuf::from(built(Target::Bin, "mneme", profile, &[])?.get_program());
    let mut board = Board::start(&mneme, "soft")?;
    board.wait(&mneme)?;
    let address = board.address.to_string();
    for program in shared.iter().chain(&linked) {
        run(Command::new(program).arg(&address).env("LD_LIBRARY_PATH", installed.prefix.join("lib")))?;
    }
    let library = installed.prefix.join("lib").join(name.trim_start_matches("lib/"));
    run(Command::new("python3").arg(root().join(OF_PYTHON)).arg(library).arg(&address))?;
    let source = root().join("clib/c/tests/forks_and_threads.c");
    for linked in [false, true] {
        let program = format!("forks-and-threads-{linked}");
        let program = installed.compile(&source, &program, linked, &["-pthread"])?;
        run(Command::new(program).arg(&address).env("LD_LIBRARY_PATH", installed.prefix.join("lib")))?;
    }
    // CMake's programs know where the library lies.
    by_cmake.iter().try_for_each(|program| run(Command::new(program).arg(&address)))?;
    for program in &linked {
        run(Command::new("valgrind").args(VALGRIND).arg(program).arg(&address))?;
    }
    sanitize::run_sanitized(&installed, &address)?;
    let mut second = Board::start_with(&mneme, "soft", &["--rdma"])?;
    second.wait(&mneme)?;
    let both = [&address, &second.address.to_string()];
    run(Command::new("valgrind").args(VALGRIND).arg(build(OF_TWO, true)?).args(both))?;
    sanitize::run_of_two(&installed, both)?;
    run(Command::new("valgrind").args(VALGRIND).arg(build(OF_FRAMES, true)?).arg(both[1]))?;
    match Cable::lay() {
        Ok(cable) => run_raw(&cable, &mneme, &linked, skips),
        Err(reason) => {
            let reason = format!("no network namespaces can be made here: {reason}");
            skips.skip("the C interface over raw drivers", Lack::Privileges, &reason)
        }
    }
}

/// Runs the examples over a cable, through every driver that works here. All but AF_XDP, an option of the kernel, always do.
fn run_raw(cable: &Cable, mneme: &Path, programs: &[PathBuf], skips: &Skips) -> Result<()> {
    let mut board = Board::start_raw(mneme, &cable.far)?;
    let address = board.address.to_string();
    let pings = |driver: &str| {
        let mut ping = cable.near.command(mneme);
        ping.args(["ping", "--board", &address, "--count", "1", "--timeout", "1", "--driver", driver]);
        capture(&mut ping)
    };
    board.wait_for(|| pings("tpacket").is_ok())?;
    for (driver, always) in
        [("udp", true), ("tpacket", true), ("auto", true), ("pnet", true), ("afxdp", false)]
    {
        match pings(driver) {
            Err(reason) if !always => {
                let reason = format!("the driver {driver} does not work here: {reason}");
                // The driver's words where it lacks a capability.
                let lack = if reason.contains("setcap") { Lack::Privileges } else { Lack::System };
                skips.skip(&format!("the C interface over {driver}"), lack, &reason)?;
            }
            _ => programs.iter().try_for_each(|program| {
                run(cable.near.command(program).args([&address, driver, INTERFACE]))
            })?,
        }
    }
    Ok(())
}
