//! The C interface: its header, its installation, and the programs that must build and run as a user's do.
mod check;
mod header;
mod install;
mod sanitize;

pub use check::run_test;
pub use header::run_header;
pub use install::run_install;

/// The committed header, from the repository's top.
const HEADER: &str = "clib/c/include/mneme.h";

/// The installed shared library; `clib/c/build.rs` gives it the same name.
const SHARED: &str =
    concat!("lib/libmneme.so.", env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));

/// What a program may be expected to compile with.
const STRICT: [&str; 5] = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];
