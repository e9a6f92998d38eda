//! `ibv_rc_pingpong` of rdma-core, as Debian has it: its own handshake over TCP, and SENDs both ways.
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::lab::{BOARD, Lab};

/// How long one run may take, on an emulated processor.
const PATIENCE: Duration = Duration::from_secs(120);

/// Bytes of a message and how many go each way; with buffers that it checks, and with events instead of polling.
pub fn run(lab: &mut Lab) -> Result<()> {
    let before = lab.board.counters()?;
    // A simulated board answers some hundreds of packets a second beside an emulated guest.
    let (many, few, large) = match (lab.rtl, lab.short) {
        (true, _) => (50, 20, (1 << 16, 4)),
        (false, true) => (200, 100, (1 << 20, 10)),
        (false, false) => (1000, 100, (1 << 20, 10)),
    };
    let runs =
        [(4096, many, ""), (1, few, "-c"), (1024, few, "-c -e"), (1025, few, "-c"), (large.0, large.1, "-c")];
    let mut messages = 0;
    for (bytes, count, more) in runs {
        // The index of the address's GID: the first one is that of IPv6.
        let command = format!("ibv_rc_pingpong -d rxe0 -g 1 -s {bytes} -n {count} {more} {BOARD}");
        let said =
            lab.guest.line_of(&format!("{command} >/run/said && tr '\\n' ' ' </run/said"), PATIENCE)?;
        // Both directions, as it counts them.
        let told = format!("{} bytes in", 2 * bytes * count);
        ensure!(said.contains(&told) && !said.contains("invalid data"), "`{command}` says: {said}");
        messages += count;
        lab.tally.operations += 2 * count;
    }
    let back = lab.grown(&before, "messages sent back").context("counters")?;
    ensure!(back == messages, "{back} messages were sent back, not {messages}");
    ensure!(lab.grown(&before, "ping-pongs begun")? == runs.len() as u64, "each run is one ping-pong");
    ensure!(lab.grown(&before, "ping-pongs refused")? == 0, "and none is refused");
    Ok(())
}
