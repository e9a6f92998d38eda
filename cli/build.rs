//! What boards that this command runs are built from: the sources' git hash, and when.
use std::env;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// What makes a board: one of these changed means that the hash does not tell the sources.
const SOURCES: &[&str] = &[
    "hw/rtl",
    "sim/model/src",
    "sim/rtl/src",
    "sim/rtl/cpp",
    "sim/daemon/src",
    "slowpath-arm/src",
    "wire/src",
    "link/src",
    "cli/src",
];

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir("..").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The first 32 bits of the hash; nothing where the sources differ from it, or are in no git repository.
fn hash() -> Option<u32> {
    let changed = git(&[&["--no-optional-locks", "status", "--porcelain", "--"], SOURCES].concat())?;
    let hash = git(&["rev-parse", "HEAD"])?;
    u32::from_str_radix(hash.get(..8)?, 16).ok().filter(|_| changed.is_empty())
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=SOURCE_DATE_EPOCH");
    SOURCES.iter().for_each(|folder| println!("cargo:rerun-if-changed=../{folder}"));
    // The log has a line more after each commit and each change of the branch.
    if let Some(log) = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"])
        && std::path::Path::new(&log).exists()
    {
        println!("cargo:rerun-if-changed={log}");
    }
    let told = env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse::<u32>().ok());
    let now = || {
        SystemTime::now().duration_since(UNIX_EPOCH).ok().and_then(|now| u32::try_from(now.as_secs()).ok())
    };
    println!("cargo:rustc-env=BOARD_BUILD_HASH={}", hash().unwrap_or(0));
    println!("cargo:rustc-env=BOARD_BUILD_DATE={}", told.or_else(now).unwrap_or(0));
}
