//! The boards that are attacked: behind the daemon's UDP socket, as `mneme board` serves them.
use std::net::SocketAddrV4;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use mneme_daemon::Statistics;
use mneme_tests::rig::Config;
use mneme_tests::rig::in_process::{Rtl, RtlKeyed, Soft, SoftKeyed};
use mneme_tests::rig::udp::{Setup, Udp};

/// Windows as `mneme board` has them.
const SOFT_WINDOW: Duration = Duration::from_secs(1);
const RTL_WINDOW: Duration = Duration::from_millis(500);

/// What a board is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// The golden model, in Rust
    Soft,
    /// The Verilog under Verilator, configuration sim, or tags where tags are asked for
    Rtl,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Soft => "soft",
            Kind::Rtl => "rtl",
        }
    }
    fn setup(self, config: Config) -> Setup {
        let window = if self.is_slow() { RTL_WINDOW } else { SOFT_WINDOW };
        Setup { config, window: Some(window), ..Setup::default() }
    }
    /// Whether it runs at the speed of a program that simulates gates.
    pub fn is_slow(self) -> bool {
        self == Kind::Rtl
    }
}

/// A board in a thread of this program, until it is dropped.
pub enum Board {
    Soft(Udp<Soft>),
    Rtl(Udp<Rtl>),
    /// Those that ask for tags.
    SoftKeyed(Udp<SoftKeyed>),
    RtlKeyed(Udp<RtlKeyed>),
}

impl Board {
    /// One with the memory that boards have unless told otherwise.
    pub fn start(kind: Kind) -> Board {
        Board::with(kind, Config::Sim)
    }
    pub fn with(kind: Kind, config: Config) -> Board {
        match kind {
            Kind::Soft => Board::Soft(Udp::start_with(kind.setup(config))),
            Kind::Rtl => Board::Rtl(Udp::start_with(kind.setup(config))),
        }
    }
    /// One that asks for tags.
    pub fn keyed(kind: Kind, config: Config) -> Board {
        match kind {
            Kind::Soft => Board::SoftKeyed(Udp::start_with(kind.setup(config))),
            Kind::Rtl => Board::RtlKeyed(Udp::start_with(kind.setup(config))),
        }
    }
    pub fn address(&self) -> Result<SocketAddrV4> {
        let address = match self {
            Board::Soft(board) => board.address(),
            Board::Rtl(board) => board.address(),
            Board::SoftKeyed(board) => board.address(),
            Board::RtlKeyed(board) => board.address(),
        };
        match address {
            std::net::SocketAddr::V4(address) => Ok(address),
            other => bail!("the board listens on {other}"),
        }
    }
    /// Ends it; what its daemon did.
    pub fn end(self) -> Result<Statistics> {
        let ended = match self {
            Board::Soft(board) => board.end(),
            Board::Rtl(board) => board.end(),
            Board::SoftKeyed(board) => board.end(),
            Board::RtlKeyed(board) => board.end(),
        };
        let statistics = ended.ok().context("the board panicked")?;
        ensure!(
            statistics.unreadable == 0,
            "the daemon could not take {} frames apart",
            statistics.unreadable
        );
        Ok(statistics)
    }
}
