//! `mneme rdma`: a board's RDMA port, reached without a network card that knows RDMA.
mod bench;
mod check;
mod ping;
mod stat;

use crate::connect::BoardArgs;
use crate::fault::Fault;
use anyhow::{Context, Result, anyhow};
use clap::{Args, Subcommand, ValueEnum};
use mneme_clib::{AllocOptions, Process};
use mneme_rdma::client::NativeConnection;
use mneme_rdma::cm::{Ask, Kind};
use mneme_rdma::memory::Access;
use mneme_rdma::requester::Completion;
use mneme_rdma::udp::{ChainConnection, ChainOptions, NativeClient};
use mneme_verbs::DeviceClient;
use mneme_wire::Register;
use mneme_wire::register::{BUILD_CHAINS, BUILD_LEAF, BUILD_RDMA};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::time::Duration;

/// Reach a board by RDMA (RoCEv2 on UDP port 4791): times, rates, and what its port has counted. The board must serve it
/// (`mneme board --rdma`). Needs no privileges and no RDMA hardware; with `--device` an RDMA device of this machine does it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    mneme rdma ping                               READs of 8 bytes, a second apart\n  \
    mneme rdma bench write -s 4K --depth 16       WRITEs of 4 KiB, 16 in flight\n  \
    mneme rdma bench write --kind frames -s 64K   the same into pages of 4 KB that take memory as they are written\n  \
    mneme rdma bench read --kind chain            ODRP's loads\n  \
    mneme rdma check                              one page for the library and RDMA: each reads what the other wrote\n  \
    mneme rdma stat --json | jq .reads\n  \
    mneme rdma ping --device mlx5_0               the same READs, by the machine's own RDMA card\n\n\
    RoCEv2 has one port for both ends, so that two ends of one machine need two addresses: to a board on 127.0.0.1 these commands\n\
    take another address of 127.0.0.0/8; --from names one.")]
pub struct RdmaArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Ping(ping::PingArgs),
    Bench(bench::BenchArgs),
    Check(check::CheckArgs),
    Stat(stat::StatArgs),
}

/// Runs the command.
pub fn run(args: &RdmaArgs) -> Result<()> {
    match &args.command {
        Command::Ping(args) => ping::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Check(args) => check::run(args),
        Command::Stat(args) => stat::run(args),
    }
}

/// What RDMA clients of a board do with pages of 4 KB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// The board has none.
    Nothing,
    /// READ, WRITE, atomics and FREE: its port is hardware that was built without ODRP's chains.
    Verbs,
    /// ODRP's chains, too.
    All,
}

/// What a connection is made to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum PageKind {
    /// The board's own pages
    #[default]
    Pages,
    /// Pages of 4 KB, by READ, WRITE, atomics and FREE
    Frames,
    /// Pages of 4 KB, by ODRP's load, stores and invalidate
    Chain,
}

/// Where the board is, and from where.
#[derive(Debug, Args)]
struct WayArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// The own address, whose UDP port 4791 is taken; default: the one from which the board is reached, or a free one of 127.0.0.0/8
    #[arg(long, value_name = "ADDR")]
    from: Option<Ipv4Addr>,
    /// An RDMA device of this machine, by which native operations go (`rdma link` lists them; `rxe0`, `mlx5_0`); needs rdma-core's
    /// libraries, which are loaded then. Default: this program speaks RoCEv2 itself
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// What would end the connection is dropped by the board: who forges an error ends nothing. A mistake of this end's has no answer then
    #[arg(long)]
    hardened: bool,
}

/// A process of the board's, and an RDMA connection to some of its memory. The connection ends before the process.
struct Reached<C = Box<dyn NativeConnection>> {
    rdma: C,
    process: Process,
    board: SocketAddrV4,
    /// The first of the bytes.
    va: u64,
}

fn ask(process: &Process, kind: Kind, access: Access, (va, length): (u64, u64)) -> Ask {
    Ask { pid: process.pid(), kind, access, token: process.token(), va, length, hardened: false }
}

impl WayArgs {
    /// Opens a process, allocates, and connects a native client, by a device if one is named.
    fn reach(&self, bytes: u64, kind: Kind, access: Access) -> Result<Reached> {
        self.reach_by(bytes, kind, access, |board, ask| match &self.device {
            Some(device) => {
                let way = mneme_verbs::Way { device: device.clone(), source: self.from, board };
                let made = DeviceClient::connect(way, &ask, self.patience());
                Ok(Box::new(made.with_context(|| format!("RDMA by {device} to {board}"))?)
                    as Box<dyn NativeConnection>)
            }
            None => {
                let source = self.source(board)?;
                let made = NativeClient::connect(source, board, ask, rand::random(), self.patience());
                Ok(Box::new(made.with_context(|| format!("RDMA from {source} to {board}"))?)
                    as Box<dyn NativeConnection>)
            }
        })
    }
    /// The same for one of ODRP's clients, with so many requests at a time.
    fn reach_chain(&self, bytes: u64, slots: usize) -> Result<Reached<ChainConnection>> {
        if let Some(device) = &self.device {
            let why = anyhow!(
                "ODRP's chains write into this program's buffers, and go by no device: leave out --device {device}"
            );
            return Err(why.context(Fault::Arguments));
        }
        // Each of its connections has its own kind.
        self.reach_by(bytes, Kind::Frames, Access::ALL, |board, ask| {
            let (source, options) = (self.source(board)?, ChainOptions { slots, ..ChainOptions::default() });
            let made =
                ChainConnection::connect((source, board), ask, options, rand::random(), self.patience());
            made.with_context(|| format!("RDMA from {source} to {board}"))
        })
    }
    /// One of ODRP's clients, from `ends.0` to `ends.1`, for pages of 4 KB that a process has: first address and bytes.
    fn chain_of(
        &self,
        process: &Process,
        ends: (Ipv4Addr, Ipv4Addr),
        (va, length): (u64, u64),
        slots: usize,
    ) -> Result<ChainConnection> {
        let ask = Ask { hardened: self.hardened, ..ask(process, Kind::Frames, Access::ALL, (va, length)) };
        let options = ChainOptions { slots, ..ChainOptions::default() };
        let made = ChainConnection::connect(ends, ask, options, rand::random(), self.patience());
        made.with_context(|| format!("RDMA from {} to {}", ends.0, ends.1)).context(Fault::Rdma)
    }

    /// What RDMA clients of the board do with pages of 4 KB.
    fn reaches(&self) -> Result<Reach> {
        let flags = self.board.connect()?.counters(Register::BuildFlags.build_number(), 1)?;
        let has = |flag: u32| flags.iter().any(|flags| flags & u64::from(flag) != 0);
        // A software board serves chains and has no flag of them.
        let chains = !has(BUILD_RDMA) || has(BUILD_CHAINS);
        Ok(match (has(BUILD_LEAF), chains) {
            (false, _) => Reach::Nothing,
            (true, false) => Reach::Verbs,
            (true, true) => Reach::All,
        })
    }
    fn patience(&self) -> Duration {
        Duration::from_secs_f64(self.board.timeout)
    }

    fn reach_by<C>(
        &self,
        bytes: u64,
        kind: Kind,
        access: Access,
        connect: impl FnOnce(Ipv4Addr, Ask) -> Result<C>,
    ) -> Result<Reached<C>> {
        let client = self.board.connect()?;
        let board: SocketAddrV4 = self.board.board.resolve()?;
        let process = client.open(self.board.process())?;
        let frames = (kind == Kind::Frames).then_some(0);
        let options = AllocOptions { frames, ..AllocOptions::default() };
        let made = process.ralloc_with(bytes, options).map_err(anyhow::Error::from).and_then(|va| {
            let ask = Ask { hardened: self.hardened, ..ask(&process, kind, access, (va, bytes)) };
            let rdma = connect(*board.ip(), ask).context(Fault::Rdma)?;
            Ok((va, rdma))
        });
        match made {
            Ok((va, rdma)) => Ok(Reached { rdma, process, board, va }),
            Err(error) => {
                // What failed first is what is told.
                let _ = process.exit();
                Err(error)
            }
        }
    }

    fn source(&self, board: Ipv4Addr) -> Result<Ipv4Addr> {
        if let Some(from) = self.from {
            return Ok(from);
        }
        if board.is_loopback() {
            // Every address of the network is this machine's. One that another command has taken is as unlikely as any.
            let [.., b, c, d] = rand::random::<[u8; 4]>();
            return Ok(Ipv4Addr::new(127, b | 1, c, d.clamp(1, 254)));
        }
        // No datagram is sent: the system tells which address it would take.
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).context("a socket")?;
        socket.connect((board, 4791)).with_context(|| format!("no way to {board}"))?;
        match socket.local_addr().context("the own address")? {
            std::net::SocketAddr::V4(own) => Ok(*own.ip()),
            std::net::SocketAddr::V6(_) => unreachable!("an IPv4 socket has an IPv4 address"),
        }
    }
}

impl Reached {
    /// Waits for the next operation to end well.
    fn done(&mut self) -> Result<Completion<Vec<u8>>> {
        let done = self.rdma.wait().map_err(|error| anyhow!(error).context(Fault::Rdma))?;
        let done = done.context("no operation was begun")?;
        done.result.context(Fault::Rdma)?;
        Ok(done)
    }
}

impl<C> Reached<C> {
    /// Ends the connection, and then the process.
    fn end(self) -> Result<()> {
        let Reached { rdma, process, .. } = self;
        drop(rdma);
        Ok(process.exit()?)
    }
}
