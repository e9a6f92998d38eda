//! Boards of random legal configurations: generated, Verilated and compiled to shared libraries that the comparison loads.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{capture, root, run};
use crate::setup::Tools;

#[path = "../../sim/verilator_flags.rs"]
mod verilator_flags;
use verilator_flags::{DEFINES, UNDEFINED_RANDOM, VERILATOR};

/// Begins the names of a loaded board's functions (`sim/src/rtl/ffi.rs`).
const PREFIX: &str = "mneme_board_loaded";

/// Builds `count` boards of configurations drawn from the seed; answers the folder with their libraries.
pub fn build(tools: &Tools, seed: u64, count: u64) -> Result<PathBuf> {
    let folder = root().join(format!("hw/target/drawn/{seed}"));
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("emptying {}", folder.display()))?;
    }
    fs::create_dir_all(&folder)?;
    run(&mut tools.sbt(&[&format!("runMain mneme.DrawnConfig {} {seed} {count}", folder.display())]))?;
    let names: Vec<String> = (0..count).map(|number| format!("drawn{number}")).collect();
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    for some in names.chunks(jobs) {
        std::thread::scope(|scope| {
            let started: Vec<_> = some.iter().map(|name| scope.spawn(|| compile(&folder, name))).collect();
            let mut ends = started.into_iter().map(|thread| match thread.join() {
                Ok(end) => end,
                Err(_) => bail!("the thread that compiles a board panicked"),
            });
            ends.try_for_each(|end| end)
        })?;
    }
    Ok(folder)
}

/// Makes `name.so` of `CBoard_name.v`.
fn compile(folder: &Path, name: &str) -> Result<()> {
    let (class, generated) = (format!("VCBoard_{name}"), folder.join(name));
    let mut verilate = Command::new("verilator");
    verilate.args(VERILATOR).args(UNDEFINED_RANDOM).args([
        "--prefix",
        &class,
        "--top-module",
        &format!("CBoard_{name}"),
    ]);
    run(verilate.arg("--Mdir").arg(&generated).arg(folder.join(format!("CBoard_{name}.v"))))?;
    let include = capture(Command::new("verilator").args(["--getenv", "VERILATOR_ROOT"]))?;
    let include = Path::new(include.trim()).join("include");
    let mut sources = fs::read_dir(&generated)?.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "cpp"));
    sources.extend(["verilated.cpp", "verilated_threads.cpp"].map(|file| include.join(file)));
    let sim = root().join("sim/cpp");
    let mut compiler = Command::new(std::env::var_os("CXX").unwrap_or_else(|| "c++".into()));
    // They run for seconds: a better optimiser would take longer than it saves.
    compiler.args(["-std=c++17", "-O1", "-w", "-fPIC", "-shared", "-faligned-new"]);
    compiler.args(DEFINES.iter().map(|(define, value)| format!("-D{define}={value}")));
    compiler.args([
        format!("-DMODEL={class}"),
        format!("-DMODEL_HEADER=\"{class}.h\""),
        format!("-DPREFIX={PREFIX}"),
    ]);
    for path in [&generated, &include, &include.join("vltstd"), &sim, &root().join("wire/generated")] {
        compiler.arg("-I").arg(path);
    }
    // Another board's functions and Verilator's own must not be taken for these.
    compiler.args(["-Wl,-Bsymbolic", "-pthread", "-o"]).arg(folder.join(format!("{name}.so")));
    run(compiler.arg(sim.join("board.cpp")).args(sources))
}
