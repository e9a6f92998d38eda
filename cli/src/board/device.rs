//! `mneme board --device`: a board whose slow path is another program, as on hardware.
use std::net::UdpSocket;
use std::path::Path;

use anyhow::{Context, Result, bail};
use mneme_daemon::rdma::LinePort;
use mneme_daemon::window::Windowed;
use mneme_daemon::{Beside, NoPort, Options, SocketWire, serve_beside};
use mneme_model::{Mounted, NetworkPort};
use mneme_slowpath::{Config, FastPath};
use mneme_wire::Register;
use mneme_wire::register::BUILD_RDMA;

use super::report::{print_statistics, signals};
use super::{BoardArgs, Made, waiting};
use crate::output::say;

/// Serves until interrupted. Who may use the board, and how much, its slow path is told.
pub fn serve<F: FastPath + NetworkPort + Mounted>(
    folder: &Path,
    mut made: Made<F>,
    config: &Config,
    socket: &UdpSocket,
    args: &BoardArgs,
) -> Result<()> {
    let options = Options { capture: args.capture.clone(), ..Options::of(config, made.cycle_ns) };
    if args.rdma {
        if made.fast.read_register(Register::BuildFlags) & BUILD_RDMA == 0 {
            bail!(
                "the {} board `{}` has no RDMA port of its own, which a slow path that is another program needs: \
                 --kind rtl --config rdma has one",
                made.name,
                made.config
            );
        }
        let port = LinePort::open(*args.listen.ip(), config.mac).context("no RDMA port")?;
        return serve_with(port, folder, made, options, socket, args);
    }
    serve_with(NoPort, folder, made, options, socket, args)
}

fn serve_with<F: FastPath + NetworkPort + Mounted>(
    mut beside: impl Beside<Windowed<F>>,
    folder: &Path,
    made: Made<F>,
    options: Options,
    socket: &UdpSocket,
    args: &BoardArgs,
) -> Result<()> {
    let mut wire = SocketWire::new(socket, &options, waiting(args))?;
    let mut board = Windowed::new(made.fast, folder, made.number, &options, made.window)
        .with_context(|| format!("no board can be put into {}", folder.display()))?;
    let (stop, asked) = signals()?;
    let rdma = if args.rdma { " --rdma" } else { "" };
    let _ = say!(
        "listening on {}: {} board ({}) without a slow path: `mneme-boardd --simulated {} --state FILE{rdma}` is one",
        socket.local_addr().context("the socket's address")?,
        made.name,
        made.config,
        folder.display()
    );
    let report = |board: &mut Windowed<F>, seen: &_, beside: &_| {
        print_statistics(seen, &Beside::<Windowed<F>>::counted(beside), |number| board.counter(number));
    };
    let statistics = serve_beside(&mut board, &mut wire, &options, (&stop, &asked), report, &mut beside)?;
    report(&mut board, &statistics, &beside);
    Ok(())
}
