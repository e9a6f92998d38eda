//! `mneme-swap serve`.
use super::made::{Via, WayArgs};
use super::{lock, table};
use crate::fault::Fault;
use crate::interrupt;
use crate::output::say;
use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use mneme_auth::Size;
use mneme_swap::BLOCK;
use mneme_swap::nbd::negotiation::Export;
use mneme_swap::server::{Options, Server};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

/// Serve a block device until interrupted
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  \
    mneme-swap serve --board 10.0.0.2 --size 12G --socket /run/mneme-swap.sock\n\n\
    The device is for one machine at a time and lives as long as this command: its blocks begin as zeros. Swap it off before you end\n\
    the command. A block that the board did not take waits in RAM (--hold) and is written again; beyond that bound writes fail. One\n\
    device lies on one board; two boards are two devices, which swapon uses in turns at equal priority.")]
pub struct ServeArgs {
    /// Bytes of the device
    #[arg(long, value_name = "SIZE", value_parser = Size::within(1 << 20..=1 << 44))]
    size: Size,
    /// The Unix socket on which the device is served; figures are at the same path with `.stat`
    #[arg(long, value_name = "PATH", env = "MNEME_SWAP_SOCKET")]
    socket: PathBuf,
    /// How blocks get to the board
    #[arg(long, value_enum, default_value_t = Via::Clib)]
    via: Via,
    /// Connections served at a time, each with a thread and a way to the board of its own; default: processors of this machine, 4 at
    /// most
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=32))]
    queues: Option<u16>,
    /// Requests under way on each connection
    #[arg(long, value_name = "COUNT", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=512))]
    depth: u16,
    /// RAM for blocks that the board did not take
    #[arg(long, value_name = "SIZE", default_value_t = Size(32 << 20), value_parser = Size::within(0..=1 << 36))]
    hold: Size,
    /// Chunks of the board's memory kept at hand for writes to places that have none
    #[arg(long, value_name = "COUNT", default_value_t = 2, value_parser = clap::value_parser!(u16).range(0..=1024))]
    spare: u16,
    /// The export's name; clients that name none get it, too
    #[arg(long, default_value = "mneme")]
    name: String,
    #[command(flatten)]
    way: WayArgs,
}

impl ServeArgs {
    fn queues(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        match (self.queues, self.via) {
            (Some(asked), _) => asked.into(),
            // RoCEv2 has one port for an address.
            (None, Via::Native | Via::Chain) => 1,
            (None, _) => processors().clamp(1, 4),
        }
    }
}

/// Runs the command.
pub fn run(args: &ServeArgs) -> Result<()> {
    interrupt::listen()?;
    let size = args.size.0;
    ensure!(
        size.is_multiple_of(BLOCK),
        anyhow::anyhow!("{} are no whole blocks of 4 KiB", args.size).context(Fault::Arguments)
    );
    let mut warnings = vec![lock::allocate_without_io(), lock::stay_alive()];
    lock::keep_heap();
    let made = args.way.make(args.via, size, args.queues(), args.depth.into())?;
    let memory = made.store.memory();
    if size > memory {
        tracing::warn!(
            "the device has {}, the board {}: writes beyond what the board gives fail",
            args.size,
            Size(memory)
        );
    }
    let export = Export { name: args.name.clone(), size };
    let options = Options {
        socket: args.socket.clone(),
        export,
        depth: args.depth.into(),
        held: (args.hold.0 / BLOCK) as usize,
        spare: args.spare.into(),
        via: args.via.name().to_owned(),
        board: made.board,
    };
    let server = Server::start(options, made.store, made.lanes).context(Fault::Swap)?;
    warnings.push(lock::stay_in_memory());
    for warning in warnings.into_iter().filter_map(Result::err) {
        tracing::warn!("{warning}");
    }
    say!("serving {} via {} at {}", args.size, args.via.name(), args.socket.display())?;
    watch(&server);
    let last = server.snapshot();
    let ended = server.end();
    // Nobody has to read it.
    let _told = say!("{}", table::summary(&last));
    ended
}

/// Waits for an interrupt; tells how it goes where somebody looks.
fn watch(server: &Server) {
    let looks = std::io::stderr().is_terminal();
    let bar = if looks { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
        bar.set_style(style);
    }
    while !interrupt::came() {
        if looks {
            bar.set_message(table::line(&server.snapshot()));
            bar.tick();
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    bar.finish_and_clear();
}
