//! Back ends by name.
use crate::connect::BoardArgs;
use crate::fault::Fault;
use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, ValueEnum};
use mneme_auth::Size;
use mneme_clib::{Client, ClientOptions, Process, TransportConfig};
use mneme_swap::UNIT;
use mneme_swap::back::{ChainLane, ClibLane, ClibStore, FrameStore, Lane, NativeLane, RamStore, Store, Way};
use mneme_swap::queue;
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::time::Duration;

/// How blocks get to the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Via {
    /// Mneme's own packets, through CLib; any board, with or without tags
    Clib,
    /// RDMA READ, WRITE and FREE (RoCEv2); boards that serve it (`mneme board --rdma`), without tags. Memory comes and goes by 4 KiB where
    /// the board has such pages
    Native,
    /// ODRP's chains, a SEND a block, on pages of 4 KiB; boards that serve them (`mneme board --rdma`), without tags
    Chain,
    /// No board: this process's own memory. To measure what the rest costs, and to try it
    Ram,
}

impl Via {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Via::Clib => "clib",
            Via::Native => "native",
            Via::Chain => "chain",
            Via::Ram => "ram",
        }
    }
}

/// The board and the own address.
#[derive(Debug, Args)]
pub struct WayArgs {
    #[command(flatten)]
    pub board: BoardArgs,
    /// RDMA: the own address, whose UDP port 4791 is taken, for one queue; default: the one from which the board is reached; for a
    /// board of this machine addresses of 127.0.0.0/8, one for each queue
    #[arg(long, value_name = "ADDR")]
    from: Option<Ipv4Addr>,
    /// RDMA: what the device may have of the board's memory at a time, which the board keeps for it; default: the device's size
    #[arg(long, value_name = "SIZE", value_parser = Size::within(1 << 20..=1 << 44))]
    budget: Option<Size>,
}

/// A back end that is ready.
pub struct Made {
    pub store: Box<dyn Store>,
    pub lanes: Vec<Box<dyn Lane>>,
    /// The board's name.
    pub board: Option<String>,
}

impl WayArgs {
    /// Reaches the board. The device's size matters to RAM alone.
    pub fn make(&self, via: Via, size: u64, queues: usize, depth: usize) -> Result<Made> {
        let depth = queue::units(depth);
        if via == Via::Ram {
            let store = RamStore::new(size);
            let lanes = (0..queues).map(|_| Box::new(store.lane(depth)) as Box<dyn Lane>).collect();
            return Ok(Made { store: Box::new(store), lanes, board: None });
        }
        let keeper = self.client(depth)?;
        if matches!(via, Via::Native | Via::Chain) {
            let budget = self.budget.map_or(size, |budget| budget.0);
            let frames = FrameStore::open(&keeper, self.board.process(), size, budget);
            let frames = frames.with_context(|| {
                let budget = Size(budget);
                format!("the board does not keep {budget} for the device; --budget asks for less")
            })?;
            if let Some(store) = frames {
                let frames = Some(store.range());
                let lane = |n| self.rdma(via, (store.process(), frames), (n, queues), depth);
                return self.made((0..queues).map(lane).collect(), Box::new(store));
            }
            ensure!(
                via == Via::Native,
                anyhow!("the board has no pages of 4 KiB, which chains need: --via native")
                    .context(Fault::Rdma)
            );
            tracing::info!("the board has no pages of 4 KiB: memory comes and goes by the chunk");
        }
        let store = ClibStore::open(&keeper, self.board.process())?;
        let lane = |number| match via {
            Via::Native => self.rdma(via, (store.process(), None), (number, queues), depth),
            _ => {
                let lane = ClibLane::join(self.client(depth)?, &store.membership(), depth)?;
                Ok(Box::new(lane) as Box<dyn Lane>)
            }
        };
        self.made((0..queues).map(lane).collect(), Box::new(store))
    }
    fn made(&self, lanes: Result<Vec<Box<dyn Lane>>>, store: Box<dyn Store>) -> Result<Made> {
        match lanes {
            Ok(lanes) => Ok(Made { store, lanes, board: Some(self.board.board.to_string()) }),
            Err(error) => {
                // What failed first is what is told.
                let _ended = store.end();
                Err(error)
            }
        }
    }
    fn client(&self, depth: u32) -> Result<Client> {
        let give_up = Duration::from_secs_f64(self.board.timeout);
        let options = self.board.options(TransportConfig { give_up, ..TransportConfig::default() })?;
        let options = ClientOptions {
            most_outstanding: depth as usize + 16,
            most_outstanding_bytes: (depth as usize + 16) * UNIT as usize,
            background: true,
            ..options
        };
        let chosen = self.board.open()?;
        Client::connect_by(chosen, options)
            .with_context(|| format!("no board answers at {}", self.board.board))
    }
    fn rdma(
        &self,
        via: Via,
        (process, frames): (&Process, Option<(u64, u64)>),
        (number, queues): (usize, usize),
        depth: u32,
    ) -> Result<Box<dyn Lane>> {
        let board: SocketAddrV4 = self.board.board.resolve()?;
        let source = self.source(*board.ip(), number)?;
        ensure!(
            queues == 1 || board.ip().is_loopback() && self.from.is_none(),
            anyhow!(
                "RoCEv2 has one UDP port for an address, and this machine reaches the board from one: --queues 1"
            )
            .context(Fault::Arguments)
        );
        let way = Way {
            source,
            board: *board.ip(),
            pid: process.pid(),
            token: process.token(),
            frames,
            give_up: Duration::from_secs_f64(self.board.timeout),
        };
        let boxed: Result<Box<dyn Lane>> = match via {
            Via::Chain => ChainLane::connect(way, depth).map(|lane| Box::new(lane) as Box<dyn Lane>),
            _ => NativeLane::connect(way, depth).map(|lane| Box::new(lane) as Box<dyn Lane>),
        };
        boxed.with_context(|| format!("RDMA from {source} to {}", board.ip())).context(Fault::Rdma)
    }
    fn source(&self, board: Ipv4Addr, number: usize) -> Result<Ipv4Addr> {
        if let Some(from) = self.from {
            return Ok(from);
        }
        if board.is_loopback() {
            // Every address of the network is this machine's; queues have different ones.
            let [.., b, c, _] = rand::random::<[u8; 4]>();
            return Ok(Ipv4Addr::new(127, b | 1, c, 1 + (number % 250) as u8));
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
