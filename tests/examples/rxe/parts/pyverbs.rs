//! pyverbs of rdma-core in the guest: tests/guest/verbs.py, whose own model says what the memory must hold.
use std::fmt::Write;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use rand::Rng;

use crate::lab::{BOARD, Lab};
use crate::peer::hash;

/// Python alone takes seconds to start on an emulated processor.
const PATIENCE: Duration = Duration::from_secs(180);
/// Bytes that the program uses.
const RANGE: u64 = 16_384;

/// Runs the program on a range of its own, and reads by the library what it has left.
pub fn run(lab: &mut Lab) -> Result<()> {
    let before = lab.board.counters()?;
    let va = lab.board.process.ralloc(RANGE)?;
    let mut private = String::new();
    for byte in lab.board.ask(va, RANGE).to_bytes() {
        write!(private, "{byte:02x}")?;
    }
    let seed = lab.rng.random::<u32>();
    let command = format!(
        "PYTHONPATH=/usr/lib/python3/dist-packages python3 -S /usr/bin/verbs.py {BOARD} {private} {seed}"
    );
    let said = lab.guest.line_of(&command, PATIENCE)?;
    let counts: Vec<u64> =
        said.split(' ').map(str::parse).collect::<Result<_, _>>().with_context(|| said.clone())?;
    let [operations, compared, sum] = counts[..] else { anyhow::bail!("the program says {said}") };
    let left = lab.board.read(va, RANGE as usize)?;
    ensure!(hash(&left) == sum, "the library reads another range than pyverbs");
    ensure!(lab.grown(&before, "atomics")? == 48 + 16, "48 atomics and 16 tickets");
    lab.tally.operations += operations;
    lab.tally.compared += compared + RANGE;
    lab.board.process.rfree(va).context("freeing the range")
}
