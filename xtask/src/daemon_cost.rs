//! `cargo xtask daemon-cost`: what the slow path's daemon executes for each request on a board's processor.
//!
//! Instructions, not seconds: QEMU runs one instruction at a time and logs each, so the count is that of the same binary on any
//! aarch64, whatever else this machine does. The log goes through a pipe and is never kept.
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use comfy_table::{CellAlignment, Table};

use crate::process::{cargo, describe, run, target_dir};
use crate::{arm, setup};

/// A part of the run.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Counted {
    /// Instructions while the count went on.
    instructions: u64,
    /// Times that it went on.
    intervals: u64,
}

/// Reads QEMU's log: a line for each instruction, and one for each system call (see `sim/model/examples/daemon_cost.rs`).
#[derive(Default)]
struct Log {
    within: bool,
    goes_on: bool,
    now: Counted,
    parts: Vec<Counted>,
}

impl Log {
    fn line(&mut self, line: &[u8]) {
        if line.starts_with(b"Trace ") {
            self.now.instructions += u64::from(self.goes_on);
        } else if has(line, b" getppid()") {
            if self.within {
                self.parts.push(self.now);
            }
            (self.within, self.goes_on, self.now) = (!self.within, false, Counted::default());
        } else if has(line, b" getpid()") {
            self.goes_on = self.within && !self.goes_on;
            self.now.intervals += u64::from(self.goes_on);
        }
    }
}

fn has(line: &[u8], word: &[u8]) -> bool {
    line.windows(word.len()).any(|part| part == word)
}

/// Builds, runs, counts, prints.
pub fn run_daemon_cost() -> Result<()> {
    setup::run_arm_setup()?;
    let mut build = cargo();
    build.args([
        "build",
        "--release",
        "-p",
        "mneme-model",
        "--example",
        "daemon_cost",
        "--target",
        arm::TARGET,
    ]);
    run(build.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", arm::LINKER))?;
    let program = target_dir()?.join(arm::TARGET).join("release/examples/daemon_cost");
    let (names, parts) = count(&program)?;
    let [(_, marks), rest @ ..] = &names.iter().zip(&parts).collect::<Vec<_>>()[..] else {
        bail!("the run has no part");
    };
    if names.len() != parts.len() || marks.intervals == 0 {
        bail!("{} parts were named and {} counted: QEMU's log has another form", names.len(), parts.len());
    }
    let mark = marks.instructions as f64 / marks.intervals as f64;
    let mut table = Table::new();
    table.load_preset(comfy_table::presets::ASCII_MARKDOWN);
    table.set_header(["work", "instructions", "register accesses"]);
    for ((name, times), counted) in rest {
        let times = *times as f64;
        let accesses = counted.intervals as f64 / times - 1.0;
        // An access is one load or store where a board is.
        let own = counted.instructions as f64 - counted.intervals as f64 * mark;
        let each = own / times + accesses;
        table.add_row([name.clone(), format!("{each:.0}"), format!("{accesses:.1}")]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    Ok(())
}

/// Names of the parts with their repetitions, and their counts.
#[allow(clippy::type_complexity)]
fn count(program: &std::path::Path) -> Result<(Vec<(String, u64)>, Vec<Counted>)> {
    let [emulator, arguments @ ..] = arm::emulator();
    let mut command = Command::new(emulator);
    command.args(arguments).args(["-singlestep", "-d", "exec,nochain,strace"]).arg(program);
    let line = describe(&command);
    println!("$ {line}");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{line}`"))?;
    let out = child.stdout.take().context("its output")?;
    let names = std::thread::spawn(move || {
        let lines = BufReader::new(out).lines().map_while(Result::ok);
        lines
            .filter_map(|line| {
                line.split_once('\t').map(|(name, n)| (name.to_owned(), n.parse().unwrap_or(0)))
            })
            .collect()
    });
    let mut reader = BufReader::with_capacity(1 << 20, child.stderr.take().context("its log")?);
    let (mut log, mut bytes) = (Log::default(), Vec::new());
    while reader.read_until(b'\n', &mut bytes).context("reading QEMU's log")? > 0 {
        log.line(&bytes);
        bytes.clear();
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("`{line}` failed: {status}");
    }
    let names = names.join().ok().context("the reader of names panicked")?;
    Ok((names, log.parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_between_marks_is_counted() {
        let mut log = Log::default();
        for line in [
            "Trace 0: 0x7f [0/1/2/3] main",
            "7 getpid() = 7",
            "Trace 0: before any part",
            "7 getppid() = 1",
            "Trace 0: stopped",
            "7 getpid() = 7",
            "Trace 0: one",
            "Trace 0: two",
            "7 getpid() = 7",
            "Trace 0: the board's",
            "7 getpid() = 7",
            "Trace 0: three",
            "7 getppid() = 1",
            "Trace 0: behind",
            "7 getppid() = 1",
            "7 getppid() = 1",
        ] {
            log.line(line.as_bytes());
        }
        let counted = Counted { instructions: 3, intervals: 2 };
        assert_eq!(log.parts, [counted, Counted::default()]);
    }
}
