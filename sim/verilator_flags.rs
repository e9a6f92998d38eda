//! How Verilated boards are made: for the crate's build script, and for boards that are built at run time.

/// Two-state simulation without assertions and traces: speed is what the boards need. Registers get their values before reset from
/// `--x-initial unique`, which the shim sets to zeros or to seeded random bits.
pub const VERILATOR: &[&str] = &[
    "--cc",
    "-O3",
    "--x-assign",
    "fast",
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
/// What Verilator's own makefiles define.
pub const DEFINES: &[(&str, &str)] = &[
    ("VERILATOR", "1"),
    ("VM_COVERAGE", "0"),
    ("VM_SC", "0"),
    ("VM_TRACE", "0"),
    ("VM_TRACE_FST", "0"),
    ("VM_TRACE_VCD", "0"),
];
