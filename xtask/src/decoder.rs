//! The independent packet decoder: its own tests, then captures of both boards, sound and damaged. And a client that was
//! written from the pages alone, against both boards.
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use mneme_wire::Opcode;

use crate::board::Board;
use crate::dissector;
use crate::process::{Target, built, capture, root, run, target_dir};

/// The client.
const STRANGER: &str = "tests/stranger/client.py";
/// What tshark must not find in a sound capture.
const WRONG: &str =
    "ip.checksum.status == 0 || udp.checksum.status == 0 || _ws.malformed || ip.version != 4 && !arp";

/// Tests the decoder, captures conversations on every kind of board, decodes them, and damages copies of them.
pub fn run_decoder(python: &Path, profile: &str) -> Result<()> {
    let script = |name: &str| {
        let mut command = Command::new(python);
        command.current_dir(root().join("tests/decoder")).arg(name);
        command
    };
    run(script("-m").args(["unittest", "discover", "-s", "."]))?;
    let folder = target_dir()?.join("captures");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("emptying {}", folder.display()))?;
    }
    run(built(Target::Example, "capture", profile, &[])?.arg(&folder))?;
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))? {
        files.push(entry?.path());
    }
    if files.is_empty() {
        bail!("no capture was written to {}", folder.display());
    }
    files.sort();
    run(script("check.py").args(&files))?;
    run(script("damage.py").args(&files))?;
    let dissect = |file: &Path| dissector::check(file, dissector::EVERY_KIND);
    files.iter().try_for_each(|file| second_opinion(file).and_then(|()| dissect(file)))?;
    dissector::check_foreign(&folder)?;
    relayed(&folder, profile)?;
    strangers(python, profile)
}

/// Runs the client that shares no code with the project.
fn strangers(python: &Path, profile: &str) -> Result<()> {
    let mneme = PathBuf::from(built(Target::Bin, "mneme", profile, &[])?.get_program());
    for kind in ["soft", "rtl"] {
        let mut board = Board::start(&mneme, kind)?;
        board.wait(&mneme)?;
        run(Command::new(python).arg(root().join(STRANGER)).arg(board.address.to_string()))?;
    }
    Ok(())
}

/// What tshark says of a capture.
fn second_opinion(file: &Path) -> Result<()> {
    let read = |filter: &str| {
        let mut command = Command::new("tshark");
        command.args(["-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE", "-r"]).arg(file);
        capture(command.args(["-Y", filter]))
    };
    let (all, wrong) = (read("udp")?.lines().count(), read(WRONG)?);
    if all == 0 || !wrong.is_empty() {
        bail!("tshark, {}: {all} datagrams, and it objects to these frames:\n{wrong}", file.display());
    }
    println!("tshark: {all} datagrams in {}, no objection", file.display());
    Ok(())
}

/// Copies a file through `mneme capture`, and reads what that has written.
fn relayed(folder: &Path, profile: &str) -> Result<()> {
    let mneme = PathBuf::from(built(Target::Bin, "mneme", profile, &[])?.get_program());
    let mut board = Board::start(&mneme, "soft")?;
    board.wait(&mneme)?;
    let (file, address) = (folder.join("relayed.pcapng"), board.address.to_string());
    let mut relay = Command::new(&mneme);
    relay.arg("capture").arg(&file).args(["--listen", "127.0.0.1:0", "--board", &address]);
    let mut relay = relay.stdout(Stdio::piped()).spawn().context("cannot start `mneme capture`")?;
    let mut said = BufReader::new(relay.stdout.take().context("the output of `mneme capture`")?);
    let mut line = String::new();
    said.read_line(&mut line)?;
    let front = line.split_whitespace().find(|word| word.starts_with("127.0.0.1:"));
    let front = front.with_context(|| format!("`mneme capture` names no address: {line}"))?;
    run(Command::new(&mneme).current_dir(root()).args(["cp", "--board", front, "README.md"]))?;
    // Answers that tell their time.
    run(Command::new(&mneme).current_dir(root()).args(["trace", "write", "--board", front]))?;
    run(Command::new("kill").args(["-INT", &relay.id().to_string()]))?;
    let end = relay.wait()?;
    if !end.success() {
        bail!("`mneme capture` failed: {end}");
    }
    let kinds = [Opcode::Ping, Opcode::Open, Opcode::Alloc, Opcode::Write, Opcode::Read, Opcode::Exit];
    second_opinion(&file)?;
    // The board's port is any that was free: nobody has told the dissector.
    dissector::check(&file, &kinds)
}
