//! The bodies of the fuzz targets: each takes any bytes and panics when one of its properties is broken.
//!
//! libFuzzer runs them under `cargo xtask fuzz` (`fuzz_targets/`, in cargo-fuzz's layout); `cargo test` runs them on every
//! input of `corpus/` and `regressions/`, so that a defect once found stays found.
pub mod callers;
pub mod client;
pub mod handshake;
mod input;
pub mod rdma;
pub mod station;
pub mod transport;
pub mod wire;

use std::path::{Path, PathBuf};

/// Runs one input.
pub type Run = fn(&[u8]);

/// All targets, by the names of their programs and of their folders.
pub const TARGETS: [(&str, Run); 7] = [
    ("wire", wire::run),
    ("transport", transport::run),
    ("client", client::run),
    ("station", station::run),
    ("rdma", rdma::run),
    ("handshake", handshake::run),
    ("callers", callers::run),
];

/// The inputs of a target in the repository: those that reach code that no other does, and those that found a defect,
/// of which a target may have none. Blocks on the file system; fails when a folder cannot be read.
pub fn inputs(target: &str) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (corpus, regressions) = (here.join("corpus").join(target), here.join("regressions").join(target));
    for folder in [Some(corpus), regressions.is_dir().then_some(regressions)].into_iter().flatten() {
        for entry in folder.read_dir()? {
            files.push(entry?.path());
        }
    }
    files.sort();
    Ok(files)
}

/// The program of a target: libFuzzer's when built by cargo-fuzz, else one that runs the files that it is given, for a
/// debugger.
#[macro_export]
macro_rules! target {
    ($run:path) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|input: &[u8]| $run(input));
        #[cfg(not(fuzzing))]
        fn main() -> std::io::Result<()> {
            for file in std::env::args_os().skip(1) {
                $run(&std::fs::read(file)?);
            }
            Ok(())
        }
    };
}
