//! The boards that are attacked: behind the daemon's UDP socket, as `mneme board` serves them.
use std::net::SocketAddrV4;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use mneme_daemon::Statistics;
use mneme_tests::rig::Config;
use mneme_tests::rig::in_process::{Rtl, Soft};
use mneme_tests::rig::udp::{Setup, Udp};

/// Windows as `mneme board` has them.
const SOFT_WINDOW: Duration = Duration::from_secs(1);
const RTL_WINDOW: Duration = Duration::from_millis(500);

/// What a board is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// The golden model, in Rust
    Soft,
    /// The Verilog under Verilator, configuration sim
    Rtl,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Soft => "soft",
            Kind::Rtl => "rtl",
        }
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
}

impl Board {
    /// One with the memory that boards have unless told otherwise.
    pub fn start(kind: Kind) -> Board {
        Board::with(kind, Config::Sim)
    }
    pub fn with(kind: Kind, config: Config) -> Board {
        let setup = |window| Setup { config, window: Some(window), ..Setup::default() };
        match kind {
            Kind::Soft => Board::Soft(Udp::start_with(setup(SOFT_WINDOW))),
            Kind::Rtl => Board::Rtl(Udp::start_with(setup(RTL_WINDOW))),
        }
    }
    pub fn address(&self) -> Result<SocketAddrV4> {
        let address = match self {
            Board::Soft(board) => board.address(),
            Board::Rtl(board) => board.address(),
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
