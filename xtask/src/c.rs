//! The C interface: its header, its installation, and the example that must build and run as a user's program does.
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::board::Board;
use crate::cable::{Cable, INTERFACE};
use crate::process::{Target, built, capture, cargo, root, run, target_dir};

/// The committed header, from the repository's top.
const HEADER: &str = "clib/c/include/mneme.h";

/// The installed shared library; `clib/c/build.rs` gives it the same name.
const SHARED: &str =
    concat!("lib/libmneme.so.", env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));

/// What a program may be expected to compile with.
const STRICT: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror"];

/// Writes the header of the C interface; with `check` changes nothing and fails when the committed one is stale.
pub fn run_header(check: bool) -> Result<()> {
    let folder = root().join("clib/c");
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).map_err(anyhow::Error::msg)?;
    let bindings = cbindgen::generate_with_config(&folder, config).context("making the header")?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    let path = root().join(HEADER);
    if !check {
        std::fs::create_dir_all(folder.join("include"))?;
        std::fs::write(&path, text).with_context(|| format!("writing {HEADER}"))?;
        println!("wrote {HEADER}");
    } else if std::fs::read(&path).with_context(|| format!("reading {HEADER}"))? != text {
        bail!("{HEADER} is stale: run `cargo xtask c-header` and commit the result");
    }
    Ok(())
}

/// Builds the libraries and copies them, the header and the pkg-config file below `prefix`.
pub fn run_install(prefix: &Path, profile: &str) -> Result<()> {
    // pkg-config files name absolute folders.
    let prefix = std::path::absolute(prefix)?;
    let version = env!("CARGO_PKG_VERSION");
    run(cargo().args(["build", "-p", "mneme-c", "--profile", profile]))?;
    let built = target_dir()?.join(profile);
    let template = root().join("clib/c/mneme.pc.in");
    let template = std::fs::read_to_string(&template).context("reading clib/c/mneme.pc.in")?;
    let libraries = native_libraries(profile)?;
    let config =
        [("@PREFIX@", prefix.display().to_string()), ("@VERSION@", version.into()), ("@PRIVATE@", libraries)]
            .iter()
            .fold(template, |text, (name, value)| text.replace(name, value));
    for folder in ["include", "lib/pkgconfig"] {
        let folder = prefix.join(folder);
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let copies = [
        (root().join(HEADER), "include/mneme.h"),
        (built.join("libmneme.so"), SHARED),
        (built.join("libmneme.a"), "lib/libmneme.a"),
    ];
    for (from, to) in copies {
        let to = prefix.join(to);
        std::fs::copy(&from, &to)
            .with_context(|| format!("copying {} to {}", from.display(), to.display()))?;
        println!("installed {}", to.display());
    }
    // What the linker looks for; the name inside is what programs look for.
    let link = prefix.join("lib/libmneme.so");
    if link.symlink_metadata().is_ok() {
        std::fs::remove_file(&link).with_context(|| format!("removing {}", link.display()))?;
    }
    let name = Path::new(SHARED).file_name().context("the library's name")?;
    std::os::unix::fs::symlink(name, &link).with_context(|| format!("making {}", link.display()))?;
    println!("installed {}", link.display());
    let file = prefix.join("lib/pkgconfig/mneme.pc");
    std::fs::write(&file, config).with_context(|| format!("writing {}", file.display()))?;
    println!("installed {}", file.display());
    Ok(())
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

/// The programs that call every function of the interface.
const EXAMPLES: [&str; 3] = ["hello", "share", "figures"];

fn example(name: &str) -> PathBuf {
    root().join(format!("clib/c/examples/{name}.c"))
}

/// Fails if the header declares a function that no example calls.
fn all_called() -> Result<()> {
    let header = std::fs::read_to_string(root().join(HEADER)).with_context(|| format!("reading {HEADER}"))?;
    let mut calls = String::new();
    for name in EXAMPLES {
        calls += &std::fs::read_to_string(example(name)).with_context(|| format!("reading {name}.c"))?;
    }
    let declarations = header.lines().filter(|line| !line.trim_start().starts_with("//"));
    let functions = declarations.filter_map(|line| line.split_once('(')).map(|(before, _)| before);
    let functions = functions.filter_map(|before| before.split([' ', '*']).next_back());
    let functions: Vec<&str> = functions.filter(|name| name.starts_with("mneme_")).collect();
    let uncalled: Vec<&&str> = functions.iter().filter(|name| !calls.contains(&format!("{name}("))).collect();
    if functions.is_empty() || !uncalled.is_empty() {
        bail!("of {} functions in {HEADER}, no example calls {uncalled:?}", functions.len());
    }
    Ok(())
}

/// No byte outside of what was allocated, and nothing left behind. Values that were never set are not looked for: the compiler lets optimised
/// code look at both halves of an `Option` at once.
const VALGRIND: [&str; 5] = [
    "--quiet",
    "--undef-value-errors=no",
    "--leak-check=full",
    // A client that is gone leaves its thread a moment to see that: what the system keeps for it is "possibly lost".
    "--errors-for-leak-kinds=definite,indirect",
    "--error-exitcode=9",
];

/// Installs into a scratch prefix, builds the examples against the shared and the static library as their first lines say,
/// compiles the header as C++, and runs the programs against a software board.
pub fn run_test(profile: &str) -> Result<()> {
    let prefix = target_dir()?.join("c-interface");
    if prefix.exists() {
        std::fs::remove_dir_all(&prefix).with_context(|| format!("emptying {}", prefix.display()))?;
    }
    run_install(&prefix, profile)?;
    all_called()?;
    let build = |name: &str, linked: bool| {
        let program = format!("{name}-{}", if linked { "static" } else { "shared" });
        compile(&prefix, &example(name), &program, linked)
    };
    let shared = EXAMPLES.iter().map(|name| build(name, false)).collect::<Result<Vec<_>>>()?;
    let linked = EXAMPLES.iter().map(|name| build(name, true)).collect::<Result<Vec<_>>>()?;
    run(Command::new("c++")
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++"])
        .arg(root().join(HEADER)))?;
    let mneme = PathBuf::from(built(Target::Bin, "mneme", profile, &[])?.get_program());
    let mut board = Board::start(&mneme, "soft")?;
    board.wait(&mneme)?;
    let needed = capture(Command::new("readelf").arg("-d").args(&shared))?;
    let name = SHARED.trim_start_matches("lib/");
    if needed.matches(&format!("[{name}]")).count() != EXAMPLES.len() {
        bail!("programs do not ask for {name}:\n{needed}");
    }
    for program in shared.iter().chain(&linked) {
        run(Command::new(program).arg(board.address.to_string()).env("LD_LIBRARY_PATH", prefix.join("lib")))?;
    }
    for program in &linked {
        run(Command::new("valgrind").args(VALGRIND).arg(program).arg(board.address.to_string()))?;
    }
    match Cable::lay() {
        Ok(cable) => run_raw(&cable, &mneme, &linked),
        Err(reason) => {
            println!(
                "the C interface over raw drivers: skipped, for no network namespaces can be made here: {reason}"
            );
            Ok(())
        }
    }
}

/// Runs the examples over a cable, through every driver that works here. A socket, a ring and whichever is found to be the
/// fastest always do.
fn run_raw(cable: &Cable, mneme: &Path, programs: &[PathBuf]) -> Result<()> {
    let mut board = Board::start_raw(mneme, &cable.far)?;
    let address = board.address.to_string();
    let pings = |driver: &str| {
        let mut ping = cable.near.command(mneme);
        ping.args(["ping", "--board", &address, "--count", "1", "--timeout", "1", "--driver", driver]);
        capture(&mut ping)
    };
    board.wait_for(|| pings("tpacket").is_ok())?;
    for (driver, always) in
        [("udp", true), ("tpacket", true), ("auto", true), ("pnet", false), ("afxdp", false)]
    {
        match pings(driver) {
            Err(reason) if !always => {
                println!("the C interface over {driver}: skipped, for it does not work here: {reason}")
            }
            _ => programs.iter().try_for_each(|program| {
                run(cable.near.command(program).args([&address, driver, INTERFACE]))
            })?,
        }
    }
    Ok(())
}

fn compile(prefix: &Path, source: &Path, name: &str, linked: bool) -> Result<PathBuf> {
    let mut asked = Command::new("pkg-config");
    asked.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).args(["--cflags", "--libs"]);
    if linked {
        asked.arg("--static");
    }
    let flags = capture(asked.arg("mneme"))?;
    let program = prefix.join(name);
    let mut command = Command::new("cc");
    command.args(STRICT).arg(source).arg("-o").arg(&program);
    for flag in flags.split_whitespace() {
        // The linker takes the shared library where it finds both.
        command.arg(if linked && flag == "-lmneme" { "-l:libmneme.a" } else { flag });
    }
    run(&mut command)?;
    Ok(program)
}
