//! The independent packet decoder: its own tests, then captures of both boards, sound and damaged.
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::dissector;
use crate::process::{capture, cargo, root, run, target_dir};

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
    run(cargo()
        .args(["run", "--quiet", "--profile", profile, "-p", "mneme-tests", "--example", "capture", "--"])
        .arg(&folder))?;
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
    files.iter().try_for_each(|file| second_opinion(file).and_then(|()| dissector::check(file)))
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
