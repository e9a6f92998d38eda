//! What a test runs on: a board of some kind, and clients that reach it in some way.
pub mod in_process;
pub mod pair;
pub mod raw;
pub mod sealed;
pub mod udp;
pub mod veth;

use mneme_clib::{Client, ClientOptions, Driver, OpenOptions, Process, TransportConfig};
use mneme_slowpath::Limits;

/// A kept configuration of the board (contracts §8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Config {
    /// The default of simulated boards with only 64 pages of 256 KB: all of memory is within reach.
    Small,
    /// The same, and more writable memory can be allocated than there is.
    Overcommitted,
    /// 1,024 pages of 256 KB: the default of simulated boards.
    Sim,
    /// 4,096 pages of 256 KB: more than the RTL has.
    Large,
}

impl Config {
    /// Bytes of physical memory.
    pub fn memory(self) -> u64 {
        match self {
            Config::Small | Config::Overcommitted => 16 << 20,
            Config::Sim => 256 << 20,
            Config::Large => 1 << 30,
        }
    }
    /// What differs from the limits that boards have.
    pub fn limit(self, limits: &mut Limits) {
        limits.overcommit = self == Config::Overcommitted;
    }
}

/// A running board and a way to it. Dropping it ends the board.
pub trait Rig: Sync + Sized {
    /// How clients reach the board.
    type Driver: Driver + 'static;
    /// Starts a board and waits until it answers.
    fn start(config: Config) -> Self;
    /// A new way to the board, with a source address or port of its own.
    fn driver(&self) -> Self::Driver;
    /// Timers that fit the board's speed and the driver's clock.
    fn transport() -> TransportConfig;

    /// How its clients behave.
    fn options() -> ClientOptions {
        ClientOptions { transport: Self::transport(), ..ClientOptions::default() }
    }
    /// Whether the rig can run here; says why not, as the reason why `test` is skipped.
    fn works(_test: &str) -> bool {
        true
    }

    /// A new client.
    fn client(&self) -> Client {
        connect::<Self>(self.driver())
    }
    /// A new process of a new client.
    fn process(&self) -> Process {
        self.client().open(OpenOptions::default()).expect("open")
    }
    /// Another client in the same process, with a source of its own.
    fn join(&self, process: &Process) -> Process {
        self.client().join(process.pid(), process.token()).expect("join")
    }
}

/// A client on any driver, with the timers of a rig.
pub fn connect<R: Rig>(driver: impl Driver + 'static) -> Client {
    Client::connect(driver, R::options()).expect("connect")
}
