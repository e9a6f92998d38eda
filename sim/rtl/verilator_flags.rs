//! How Verilated boards are made: for the crate's build script, and for boards that are built at run time.
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Two-state simulation without assertions and traces: speed is what the boards need. Registers get their values before reset from
/// `--x-initial unique`, which the shim sets to zeros or to seeded random bits.
pub const VERILATOR: &[&str] = &[
    "--cc",
    "-O3",
    // Its data-flow optimizer takes a few instructions off and leaves code that runs slower (docs/reference/figures/hw-bench.md).
    "-fno-dfg",
    "--x-initial",
    "unique",
    "--noassert",
    "--no-timing",
    "-Wno-fatal",
    "-Wno-lint",
    "-Wno-style",
    "--output-split",
    "20000",
];
/// What the hardware leaves undefined, since nobody looks at it then, is what is cheapest: for boards that users run.
pub const UNDEFINED_CHEAP: &[&str] = &["--x-assign", "fast"];
/// It is as random as registers before reset: for boards of tests, which find who looks all the same.
pub const UNDEFINED_RANDOM: &[&str] = &["--x-assign", "unique"];
/// Boards whose taps the shim can read (`cpp/stamps.h`): those that are built to be measured.
pub const TAPPED: &[&str] = &["large"];
/// Boards with a traffic generator (`cpp/traffic.h`).
pub const TRAFFIC: &[&str] = &["doors"];
/// What Verilator's own makefiles define.
pub const DEFINES: &[(&str, &str)] = &[
    ("VERILATOR", "1"),
    ("VM_COVERAGE", "0"),
    ("VM_SC", "0"),
    ("VM_TRACE", "0"),
    ("VM_TRACE_FST", "0"),
    ("VM_TRACE_VCD", "0"),
];

/// Bytes of C++ that are compiled sooner than the headers of a model, which each of its files includes.
const SMALL: u64 = 64 << 10;

/// The same sources in fewer files: `into` includes those that are small, from where the compiler looks for headers.
pub fn joined(sources: Vec<PathBuf>, into: &Path) -> io::Result<Vec<PathBuf>> {
    let is_small = |source: &PathBuf| fs::metadata(source).is_ok_and(|file| file.len() < SMALL);
    let (small, mut files): (Vec<_>, Vec<_>) = sources.into_iter().partition(is_small);
    let names = small.iter().filter_map(|source| source.file_name());
    let includes = names.map(|name| format!("#include \"{}\"\n", name.to_string_lossy()));
    fs::write(into, includes.collect::<String>())?;
    files.push(into.to_path_buf());
    Ok(files)
}
