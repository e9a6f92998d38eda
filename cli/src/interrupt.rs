//! Interrupts: the first one ends a command well, which tells what it has measured and frees what it has on the board; a second one ends the
//! program at once, and the board reclaims what is left with its lease.
use crate::fault::Fault;
use anyhow::{Context, Result, anyhow};
use std::sync::atomic::{AtomicBool, Ordering};

static CAME: AtomicBool = AtomicBool::new(false);
/// What a shell says of a program that an interrupt has ended.
const INTERRUPTED: i32 = 130;

/// From now on interrupts and the signal TERM are heard.
pub fn listen() -> Result<()> {
    ctrlc::set_handler(|| {
        if CAME.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        eprintln!("interrupted: ending well; once more to end at once");
    })
    .context("cannot wait for interrupts")
}

/// Whether the command is to end.
pub fn came() -> bool {
    CAME.load(Ordering::Relaxed)
}

/// An error if the command is to end: `what` says how far it has come.
pub fn check(what: impl FnOnce() -> String) -> Result<()> {
    if came() { Err(anyhow!(what()).context(Fault::Interrupted)) } else { Ok(()) }
}
