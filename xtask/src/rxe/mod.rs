//! `cargo xtask rxe`: the Linux kernel's RoCE (rdma_rxe), in a small guest, as a client of a software board: a peer that nobody here
//! wrote.
//!
//! The board is `mneme board --rdma` as anybody starts it, in a network namespace of its own with a tap device. The guest is QEMU's, its
//! network card a socket. Between the two stands a relay, which passes Ethernet frames as they are and may lose, double and delay
//! them. So the board's packets have the headers that the system writes for a socket, the guest's those that its kernel writes, and
//! each side's ICRC covers what the other one really gets. A board inside the relay would need no namespace, but nobody would have
//! looked at a socket's frames then; a relay that translates addresses would have to write ICRCs itself, and hide what it is to show.
//!
//! Without root the namespace is one of a user namespace, if the system lets users make them.
//!
//! `packages` downloads, `image` builds the guest's kernel and file system, `cpio` writes archives,
//! `python` adds Python for one part. What runs is the example `rxe` of
//! the crate mneme-tests.
mod cpio;
mod image;
mod packages;
mod python;

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::process::{Target, answers, built, capture, root, run, target_dir};
use crate::setup;
use crate::skips::Skips;
use mneme_skips::Lack;

/// The program that runs the guest, of the crate mneme-tests.
const PROGRAM: &str = "rxe";
/// The system's way to a network card of one's own.
const TUN: &str = "/dev/net/tun";

/// The parts that every run has passed. Those that take a minute are for the command.
const SURE: [&str; 14] = [
    "connect",
    "sizes",
    "atomics",
    "refused",
    "programs",
    "silence",
    "ping-pong",
    "perftest",
    "verbs",
    PYTHON_PARTS[0],
    PYTHON_PARTS[1],
    "doubled",
    "lost",
    "delayed",
];

/// The parts that take Python, which the others do without.
const PYTHON_PARTS: [&str; 2] = ["pyverbs", "chains"];

/// The board.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// The golden model.
    #[default]
    Soft,
    /// The Verilog under Verilator.
    Rtl,
    /// The same, and its slow path is `mneme-boardd`: `ping-pong` and `perftest` call it.
    Daemon,
}

/// What is tried.
#[derive(Debug, Default, clap::Args)]
pub struct Options {
    /// Less of everything
    #[arg(long)]
    short: bool,
    /// Data, programs of operations, and what the network does to packets follow from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The Verilated board, whose own port answers, by itself or with a daemon, instead of a software board
    #[arg(long, value_enum, default_value_t = Kind::Soft)]
    kind: Kind,
    /// Parts, by the names that the table has; default: all
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// The guest's kernel: a package of this system's Debian; default: the newest
    #[arg(long, value_name = "PACKAGE")]
    kernel: Option<String>,
}

/// Sets up what is missing, boots the guest, and runs all parts.
pub fn run_rxe(options: &Options, profile: &str) -> Result<()> {
    possible()?;
    setup::run_rxe_setup()?;
    run_prepared(options, profile)
}

fn run_prepared(options: &Options, profile: &str) -> Result<()> {
    let out = target_dir()?.join("rxe");
    let with_python =
        options.only.is_empty() || options.only.iter().any(|part| PYTHON_PARTS.contains(&part.as_str()));
    let unpacked = packages::unpacked(options.kernel.as_deref(), with_python)?;
    let swap = built(Target::Bin, "mneme-swap", profile, &[])?;
    let board = built(Target::Bin, "mneme", profile, &[])?;
    let own = [Path::new(swap.get_program()), Path::new(board.get_program())];
    let image = image::build(&unpacked, &own, &out.join("image"))?;
    let program = built(Target::Example, PROGRAM, profile, &[])?;
    let mut command = namespace();
    command.current_dir(root()).arg(program.get_program());
    command.arg("--board").arg(board.get_program());
    command.arg("--kernel").arg(&image.kernel).arg("--archive").arg(&image.archive);
    command.arg(format!("--package={}", unpacked.package)).arg(format!("--seed={}", options.seed));
    command.args(options.short.then_some("--short"));
    command.args((options.kind != Kind::Soft).then_some("--rtl"));
    if options.kind == Kind::Daemon {
        command.arg("--daemon").arg(built(Target::Bin, "mneme-boardd", profile, &[])?.get_program());
    }
    command.args((!options.only.is_empty()).then(|| format!("--only={}", options.only.join(","))));
    let report = out.join("rxe.json");
    // One of an earlier run would tell of that.
    if report.exists() {
        fs::remove_file(&report).with_context(|| format!("removing {}", report.display()))?;
    }
    run(command.arg("--out").arg(&out)).with_context(|| {
        let wrong = wrong(&report).unwrap_or_else(|| vec!["see its output".into()]);
        format!("the guest's RoCE and the board do not agree: {}", wrong.join("; "))
    })?;
    read_capture(&out.join("rxe.pcap"))
}

/// What a report says went wrong, where there is one.
fn wrong(report: &Path) -> Option<Vec<String>> {
    let report: Report = serde_json::from_slice(&fs::read(report).ok()?).ok()?;
    let failed =
        report.parts.into_iter().filter_map(|Part { part, error }| Some(format!("{part}: {}", error?)));
    Some(failed.chain(report.wrong).collect())
}
/// Of a report.
#[derive(Debug, serde::Deserialize)]
struct Report {
    parts: Vec<Part>,
    wrong: Vec<String>,
}
#[derive(Debug, serde::Deserialize)]
struct Part {
    part: String,
    error: Option<String>,
}

/// A program in a network namespace of its own.
fn namespace() -> Command {
    let mut command = Command::new("unshare");
    let is_root = capture(Command::new("id").arg("-u")).is_ok_and(|user| user.trim() == "0");
    command.args((!is_root).then_some("--map-root-user")).arg("--net");
    command
}

/// scapy reads what has passed, and computes every ICRC again.
fn read_capture(capture: &Path) -> Result<()> {
    let tools = setup::run_scapy_setup()?;
    let check = root().join("rdma/tests/scapy/capture.py");
    run(Command::new(tools).arg(check).arg(capture)).context("scapy does not agree with what has passed")
}

/// Whether this machine can run it at all, or why not.
fn possible() -> Result<()> {
    ensure!(cfg!(target_arch = "x86_64"), "the guest's programs are for x86-64, and this machine is none");
    ensure!(
        answers("apt-cache", &["--version"]),
        "the guest is made of Debian's packages, and this system has no apt"
    );
    ensure!(Path::new(TUN).exists(), "this system has no {TUN}");
    let there = namespace().arg("true").output().context("cannot start unshare")?;
    let said = String::from_utf8_lossy(&there.stderr);
    ensure!(there.status.success(), "no network namespaces can be made here: {}", said.trim());
    Ok(())
}

/// What `cargo xtask test` runs.
pub fn run_ci(skips: &Skips, profile: &str) -> Result<()> {
    let had = possible().and_then(|()| setup::run_rxe_setup()).and_then(|()| packages::unpacked(None, true));
    match had {
        Ok(_) => {
            let only = SURE.map(str::to_owned).into();
            run_prepared(&Options { short: true, seed: 1, only, ..Options::default() }, profile)
        }
        Err(error) => skips.skip("the kernel's RoCE in a guest", Lack::System, &format!("{error:#}")),
    }
}
