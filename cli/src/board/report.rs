//! When a board tells what it has counted, and what it tells.
use crate::output::say;
use crate::snapshot::Snapshot;
use anyhow::{Context, Result};
use mneme_daemon::Statistics;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Flags that signals set: to end, and to print statistics.
pub(super) fn signals() -> Result<(Arc<AtomicBool>, Arc<AtomicBool>)> {
    let (stop, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .context("cannot wait for an interrupt")?;
    signal_hook::flag::register(signal_hook::consts::SIGUSR1, Arc::clone(&asked))
        .context("cannot wait for the signal USR1")?;
    Ok((stop, asked))
}

/// Everything that was counted, zeros left out.
pub(super) fn print_statistics(
    daemon: &Statistics,
    beside: &[(String, u64)],
    counter: impl FnMut(u32) -> u64,
) {
    let socket = [
        ("datagrams received", daemon.received),
        ("datagrams sent", daemon.sent),
        ("datagrams from addresses other than IPv4", daemon.not_ipv4),
        ("frames of several datagrams that could not be told apart", daemon.unreadable),
        ("datagrams beyond their source's share of the room before the board", daemon.over_share),
        ("datagrams that the socket did not take", daemon.unsent),
        ("frames that no datagram carries", daemon.not_carried),
        ("board cycles", daemon.cycles),
        ("ticks skipped while idle", daemon.ticks_skipped),
    ];
    for (name, value) in socket.into_iter().filter(|(_, value)| *value > 0) {
        let _ = say!("{value:>14}  {name}");
    }
    for (name, value) in beside.iter().filter(|(_, value)| *value > 0) {
        let _ = say!("{value:>14}  {name}");
    }
    let _ = say!("{}", Snapshot::of(counter).text(false).trim_end());
}
