//! A board in this process, without sockets: time is the board's own.
use std::time::Duration;

use mneme_clib::{Driver, DriverError, TransportConfig};
use mneme_sim::node::Node;
use mneme_sim::rtl::{RtlConfig, RtlFast, RtlOptions};
use mneme_sim::{BoardShape, ClientPort, Network, NetworkPort, SoftFast};
use mneme_slowpath::{FastPath, MemoryEpochs};
use mneme_wire::header::HEADER_LEN;

use super::{Config, Rig};

/// A kind of board that can be made in this process.
pub trait BoardKind: Send + Sync + 'static {
    /// Its fast path.
    type Fast: FastPath + NetworkPort + Send + 'static;
    /// What the BOARD_KIND counter tells.
    const NUMBER: u32;
    /// Behind a daemon: wall-clock time that a board cycle lasts at least, in nanoseconds.
    const NS_PER_CYCLE: u64;
    /// Behind a daemon: the window.
    const WINDOW: Duration;
    /// A freshly reset board.
    fn reset(config: Config) -> Self::Fast;
}

/// The golden model.
pub struct Soft;

impl BoardKind for Soft {
    type Fast = SoftFast;
    const NUMBER: u32 = 1;
    const NS_PER_CYCLE: u64 = 4;
    const WINDOW: Duration = Duration::from_millis(100);
    fn reset(config: Config) -> SoftFast {
        SoftFast::new(BoardShape::SIM.with_memory(config.memory()).expect("a sound size"))
            .expect("a sound shape")
    }
}

/// The generated Verilog under Verilator.
pub struct Rtl;

impl BoardKind for Rtl {
    type Fast = RtlFast;
    const NUMBER: u32 = 2;
    // The simulation is slower than this, so its ticks lag and it runs as fast as it can.
    const NS_PER_CYCLE: u64 = 1_000;
    const WINDOW: Duration = Duration::from_secs(10);
    fn reset(config: Config) -> RtlFast {
        let options = RtlOptions { memory_limit: config.memory(), ..RtlOptions::new(RtlConfig::Sim) };
        RtlFast::new(options).expect("the RTL starts")
    }
}

/// A node in this process, and the network around it.
pub struct InProcess<K: BoardKind> {
    network: Network<K::Fast>,
    max_datagram: usize,
}

/// Brings a board up and puts a network around it; also tells its largest datagram.
pub fn network<F: FastPath + NetworkPort>(mut fast: F, kind: u32, config: Config) -> (Network<F>, usize) {
    let mut settings = Node::config(&mut fast, kind, [7; 32]);
    let window = match config {
        Config::Small | Config::Sim => Duration::from_micros(200),
        Config::Crowd => Duration::from_millis(100),
    };
    settings.window_ticks = window.as_nanos() as u32 / settings.ns_per_tick;
    settings.busy_hint_ns = 1_000;
    let (mac, ip, port) = (settings.mac, settings.ip, settings.udp_port);
    let mut node = Node::boot(fast, settings, &mut MemoryEpochs::default()).expect("boot");
    let payload = node.fast().read_register(mneme_wire::Register::MaxPayload);
    (Network::new(node, mac, ip, port), HEADER_LEN + payload as usize)
}

impl<K: BoardKind> Rig for InProcess<K> {
    type Driver = PortDriver<K::Fast>;
    fn start(config: Config) -> Self {
        let (network, max_datagram) = network(K::reset(config), K::NUMBER, config);
        InProcess { network, max_datagram }
    }
    fn driver(&self) -> Self::Driver {
        PortDriver::new(&self.network, self.max_datagram)
    }
    fn transport() -> TransportConfig {
        TransportConfig {
            // Threads share the board's time: one that sleeps while the others work must not lose patience.
            give_up: Duration::from_secs(2),
            ..TransportConfig::board_time()
        }
    }
}

/// CLib's driver on a port of the network.
pub struct PortDriver<F: FastPath + NetworkPort> {
    port: ClientPort<F>,
    max_datagram: usize,
}

impl<F: FastPath + NetworkPort> PortDriver<F> {
    /// A new port of a network.
    pub fn new(network: &Network<F>, max_datagram: usize) -> Self {
        PortDriver { port: network.attach(), max_datagram }
    }
}

impl<F: FastPath + NetworkPort + Send> Driver for PortDriver<F> {
    fn send(&mut self, datagram: &[u8]) -> Result<(), DriverError> {
        self.port.send(datagram);
        Ok(())
    }
    fn receive(&mut self, into: &mut [u8], wait: Duration) -> Result<Option<usize>, DriverError> {
        let Some(datagram) = self.port.receive(wait).filter(|d| d.len() <= into.len()) else {
            return Ok(None);
        };
        into[..datagram.len()].copy_from_slice(&datagram);
        Ok(Some(datagram.len()))
    }
    fn now(&self) -> Duration {
        self.port.now()
    }
    fn max_datagram(&self) -> usize {
        self.max_datagram
    }
    fn peer(&self) -> String {
        "board in this process".to_owned()
    }
}
