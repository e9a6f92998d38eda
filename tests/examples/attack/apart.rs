//! A processor of the attacker's own. What a flood takes of the machine that it comes from is nothing to a board on another one.
use std::sync::OnceLock;

use anyhow::{Context, Result, ensure};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The attacker's, once it has one.
static OWN: OnceLock<usize> = OnceLock::new();

/// Leaves the last processor to the attacker. Threads that this one starts have the others, too.
pub fn begin() -> Result<()> {
    let mut rest = sched_getaffinity(None).context("asking which processors there are")?;
    ensure!(rest.count() >= 2, "--apart needs two processors");
    let last = (0..CpuSet::MAX_CPU).rev().find(|at| rest.is_set(*at)).context("there is no processor")?;
    rest.unset(last);
    sched_setaffinity(None, &rest).context("leaving a processor to the attacker")?;
    OWN.get_or_init(|| last);
    Ok(())
}

/// Moves the calling thread to the attacker's processor, if it has one.
pub fn attacker() -> Result<()> {
    let Some(last) = OWN.get() else { return Ok(()) };
    let mut own = CpuSet::new();
    own.set(*last);
    sched_setaffinity(None, &own).context("moving the attacker to its processor")
}
