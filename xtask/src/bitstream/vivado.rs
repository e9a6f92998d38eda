//! Vivado: whether it is there, its version, and a run of it in batch.
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::board::Board;
use crate::process::{capture, root, run_and_tell};

/// What the Tcl is told beside what the board is.
pub struct Build<'a> {
    /// Where everything goes.
    pub out: &'a Path,
    /// The folder with the core's Verilog and constraints.
    pub hardware: &'a Path,
    /// The first bits of the sources' git hash, 0 where they differ from it.
    pub hash: u32,
    /// Seconds since 1970.
    pub date: u32,
    /// Vivado's name of the DRAM's chips.
    pub memory_part: &'a str,
    /// SFP+ cages in use.
    pub ports: u8,
}

/// The version in what `vivado -version` says: `vivado v2024.1 (64-bit)` and more lines.
fn version_in(said: &str) -> Option<&str> {
    let line = said.lines().find(|line| line.to_ascii_lowercase().starts_with("vivado v"))?;
    line.split_whitespace().nth(1)?.strip_prefix('v')
}

/// Refuses a Vivado that is not there, or is of another version than the board's.
pub fn check_version(program: &Path, board: &Board) -> Result<()> {
    let wanted = board.vivado;
    let said = capture(Command::new(program).arg("-version")).with_context(|| {
        format!(
            "Vivado is missing: `{}` does not run. Install Vivado {wanted} with the devices of Zynq UltraScale+, then \
             `source …/Vivado/{wanted}/settings64.sh`, or name the program with --vivado. `cargo xtask bitstream {} --check` does \
             what can be done without it",
            program.display(),
            board.name
        )
    })?;
    let Some(found) = version_in(&said) else {
        bail!(
            "`{} -version` tells no version: {}",
            program.display(),
            said.lines().next().unwrap_or("nothing")
        );
    };
    if found != wanted {
        bail!(
            "this is Vivado {found}, and the {} is built with {wanted}: its parts and its results are another version's. Install \
             {wanted}, or name it with --vivado",
            board.name
        );
    }
    println!("Vivado: {found}");
    Ok(())
}

/// The lines of a run that tell why it failed.
#[derive(Default)]
struct Complaints(Vec<String>);

impl Complaints {
    /// As many are shown again.
    const MOST: usize = 20;

    fn hear(&mut self, line: &str) {
        if line.starts_with("CRITICAL WARNING:") || line.starts_with("ERROR:") {
            self.0.push(line.to_owned());
        }
    }
    fn list(&self) -> String {
        let mut lines: Vec<String> = self.0.iter().take(Self::MOST).cloned().collect();
        if self.0.len() > Self::MOST {
            lines.push(format!("and {} more, in vivado.log", self.0.len() - Self::MOST));
        }
        lines.join("\n")
    }
}

/// Runs the board's Tcl. Hours. The bitstream that it leaves.
pub fn build(program: &Path, board: &Board, build: &Build) -> Result<PathBuf> {
    let script = root().join("bitstreams").join(board.name).join("build.tcl");
    let log = build.out.join("vivado.log");
    let bitstream = build.out.join(format!("{}.bit", board.top));
    // One of an earlier run must not be taken for this run's.
    if bitstream.exists() {
        std::fs::remove_file(&bitstream).with_context(|| format!("removing {}", bitstream.display()))?;
    }
    let mut command = Command::new(program);
    command.current_dir(build.out).args(["-mode", "batch", "-nojournal", "-notrace", "-log"]).arg(&log);
    command.arg("-source").arg(&script).arg("-tclargs");
    command.args([
        format!("root={}", root().display()),
        format!("out={}", build.out.display()),
        format!("hardware={}", build.hardware.display()),
        format!("part={}", board.part),
        format!("version={}", board.vivado),
        format!("memory_part={}", build.memory_part),
        format!("channels={}", board.channels[..usize::from(build.ports)].join(",")),
        format!("clock_mhz={}", board.clock_mhz),
        format!("build_hash={:08x}", build.hash),
        format!("build_date={}", build.date),
    ]);
    let mut complaints = Complaints::default();
    let result = run_and_tell(&mut command, |line| complaints.hear(line));
    if result.is_err() || !complaints.0.is_empty() {
        let list = complaints.list();
        let why = result.err().map_or_else(|| "Vivado complained".to_owned(), |error| format!("{error:#}"));
        bail!("no bitstream: {why}\n{list}");
    }
    if !bitstream.is_file() {
        bail!("Vivado ended well but left no {}", bitstream.display());
    }
    Ok(bitstream)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_however_vivado_writes_its_name() {
        for said in
            ["Vivado v2024.1 (64-bit)\nSW Build 5076996", "vivado v2024.1 (64-bit)\n", "\nvivado v2024.1"]
        {
            assert_eq!(version_in(said), Some("2024.1"), "{said}");
        }
        assert_eq!(version_in("vivado: command not found"), None);
    }

    #[test]
    fn complaints_are_heard_and_bounded() {
        let mut complaints = Complaints::default();
        complaints.hear("WARNING: [Synth 8-1] a warning is none");
        assert!(complaints.0.is_empty());
        (0..30).for_each(|n| complaints.hear(&format!("CRITICAL WARNING: [Vivado 12-{n}]")));
        assert!(complaints.list().ends_with("and 10 more, in vivado.log"));
    }
}
