//! `mneme board --device`: a board whose slow path is another program, as on hardware.
use std::net::UdpSocket;
use std::path::Path;

use anyhow::{Context, Result};
use mneme_daemon::SocketWire;
use mneme_daemon::window::Windowed;
use mneme_model::{Mounted, NetworkPort};
use mneme_slowpath::{Config, FastPath};

use super::report::{print_statistics, signals};
use super::{BoardArgs, Made, waiting};
use crate::output::say;

/// Serves until interrupted. Who may use the board, and how much, its slow path is told.
pub fn serve<F: FastPath + NetworkPort + Mounted>(
    folder: &Path,
    made: Made<F>,
    config: &Config,
    socket: &UdpSocket,
    args: &BoardArgs,
) -> Result<()> {
    let options = mneme_daemon::Options {
        capture: args.capture.clone(),
        ..mneme_daemon::Options::of(config, made.cycle_ns)
    };
    let mut wire = SocketWire::new(socket, &options, waiting(args))?;
    let mut board = Windowed::new(made.fast, folder, made.number, &options, made.window)
        .with_context(|| format!("no board can be put into {}", folder.display()))?;
    let (stop, asked) = signals()?;
    let _ = say!(
        "listening on {}: {} board ({}) without a slow path: `mneme-boardd --simulated {} --state FILE` is one",
        socket.local_addr().context("the socket's address")?,
        made.name,
        made.config,
        folder.display()
    );
    let statistics =
        mneme_daemon::serve_and_report(&mut board, &mut wire, &options, &stop, &asked, |board, seen| {
            print_statistics(seen, &[], |number| board.counter(number));
        })?;
    print_statistics(&statistics, &[], |number| board.counter(number));
    Ok(())
}
