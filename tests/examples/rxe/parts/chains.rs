//! ODRP's functions by pyverbs of rdma-core in the guest: tests/guest/chains.py, whose own model says what the pages must hold.
use std::fmt::Write;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use mneme_clib::AllocOptions;
use rand::Rng;

use crate::lab::{BOARD, Lab};
use crate::peer::hash;

/// Python alone takes seconds to start on an emulated processor.
const PATIENCE: Duration = Duration::from_secs(180);
/// Bytes of a page.
const PAGE: u64 = 4_096;
/// Pages that the program uses, and how many of them may have bytes at a time.
const PAGES: u64 = 24;
const FRAMES: u64 = 16;
/// Options of the node's answers (docs/reference/rdma.md): 1 immediate, 2 signal, 4 "not stored" is told. What a load tells, and what a
/// store past the budget does, differ.
const OPTIONS: [u8; 3] = [1, 2 | 4, 0];

/// Runs the program once for each of the options, and reads by the library what it has left.
pub fn run(lab: &mut Lab) -> Result<()> {
    for options in OPTIONS {
        once(lab, options).with_context(|| format!("options {options}"))?;
    }
    Ok(())
}

fn once(lab: &mut Lab, options: u8) -> Result<()> {
    let before = lab.board.counters()?;
    let own = AllocOptions { frames: Some(FRAMES * PAGE), ..AllocOptions::default() };
    let va = lab.board.process.ralloc_with(PAGES * PAGE, own)?;
    let (pid, mut token) = (lab.board.process.pid(), String::new());
    for byte in lab.board.process.token() {
        write!(token, "{byte:02x}")?;
    }
    let seed = lab.rng.random::<u32>();
    let command = format!(
        "PYTHONPATH=/usr/lib/python3/dist-packages python3 -S /usr/bin/chains.py {BOARD} {pid} {token} {va} {PAGES} {FRAMES} {options} {seed}"
    );
    let said = lab.guest.line_of(&command, PATIENCE)?;
    let counts: Vec<u64> =
        said.split(' ').map(str::parse).collect::<Result<_, _>>().with_context(|| said.clone())?;
    let [operations, compared, sum] = counts[..] else { anyhow::bail!("the program says {said}") };
    let left = lab.board.read(va, (PAGES * PAGE) as usize)?;
    ensure!(hash(&left) == sum, "the library reads other pages than pyverbs");
    ensure!(lab.grown(&before, "loads and stores of unmapped pages refused")? == 1, "one load was refused");
    lab.tally.operations += operations;
    lab.tally.compared += compared + left.len() as u64;
    lab.board.process.rfree(va).context("freeing the pages")
}
