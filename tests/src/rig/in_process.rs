//! A board in this process, without sockets: time is the board's own.
use std::time::Duration;

use mneme_clib::{SecretKey, TransportConfig};
use mneme_model::{BoardShape, Network, NetworkPort, Node, SoftFast};
use mneme_rtl::{RtlConfig, RtlFast, RtlOptions};
use mneme_slowpath::{Config as Settings, FastPath, MemoryEpochs};
use mneme_wire::TagMode;
use mneme_world::InProcessDriver;

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
    /// In this process, where threads share the board's time: the window. A thread that a busy machine does not let run
    /// while the others work must not find it over.
    const SHARED_WINDOW: Duration;
    /// A freshly reset board.
    fn reset(config: Config) -> Self::Fast;
    /// What its slow path is told besides.
    fn prepare(_: &mut Settings) {}
}

/// The golden model, with trailers, as `mneme board` makes it.
pub struct Soft;

impl BoardKind for Soft {
    type Fast = SoftFast;
    const NUMBER: u32 = 1;
    const NS_PER_CYCLE: u64 = 4;
    // Longer than a busy machine keeps a client waiting between two attempts.
    const WINDOW: Duration = Duration::from_secs(2);
    const SHARED_WINDOW: Duration = Duration::from_millis(100);
    fn reset(config: Config) -> SoftFast {
        SoftFast::new(BoardShape::DAEMON.with_memory(config.memory()).expect("a sound size"))
            .expect("a sound shape")
    }
}

/// The golden model with a key of its own, which asks for tags, and rolls their keys all the time.
pub struct SoftTagged;

/// The key of boards that have one.
pub const BOARD_KEY: SecretKey = SecretKey::from_bytes([1; 32]);
/// The key of the tenant that they know.
pub const TENANT_KEY: SecretKey = SecretKey::from_bytes([2; 32]);

impl BoardKind for SoftTagged {
    type Fast = SoftFast;
    const NUMBER: u32 = Soft::NUMBER;
    const NS_PER_CYCLE: u64 = Soft::NS_PER_CYCLE;
    const WINDOW: Duration = Soft::WINDOW;
    const SHARED_WINDOW: Duration = Soft::SHARED_WINDOW;
    fn reset(config: Config) -> SoftFast {
        Soft::reset(config)
    }
    fn prepare(settings: &mut Settings) {
        ask_for_tags(settings);
        // As soon as the slow path allows.
        settings.key_period_ns = settings.slow_window_ns;
    }
}

/// The board has a key, knows one tenant, and asks for tags; keys are rolled every hour.
pub fn ask_for_tags(settings: &mut Settings) {
    settings.tag_mode = TagMode::All;
    settings.board_key = Some(BOARD_KEY);
    let tenant = format!("tenant {} 2026-01-01", TENANT_KEY.public());
    settings.tenants.insert(tenant.parse().expect("a tenant")).expect("the first one");
    settings.key_period_ns = 3_600_000_000_000;
}

/// The golden model as `mneme board --tenants` serves it.
pub struct SoftKeyed;

impl BoardKind for SoftKeyed {
    type Fast = SoftFast;
    const NUMBER: u32 = Soft::NUMBER;
    const NS_PER_CYCLE: u64 = Soft::NS_PER_CYCLE;
    const WINDOW: Duration = Soft::WINDOW;
    const SHARED_WINDOW: Duration = Soft::SHARED_WINDOW;
    fn reset(config: Config) -> SoftFast {
        Soft::reset(config)
    }
    fn prepare(settings: &mut Settings) {
        ask_for_tags(settings);
    }
}

/// The Verilog of the configuration *tags*, likewise. Builds without that panic at a reset.
pub struct RtlKeyed;

impl BoardKind for RtlKeyed {
    type Fast = RtlFast;
    const NUMBER: u32 = Rtl::NUMBER;
    const NS_PER_CYCLE: u64 = Rtl::NS_PER_CYCLE;
    const WINDOW: Duration = Rtl::WINDOW;
    const SHARED_WINDOW: Duration = Rtl::SHARED_WINDOW;
    fn reset(config: Config) -> RtlFast {
        let board = RtlConfig::named("tags").expect("mneme-rtl has its feature `tags`");
        let options = RtlOptions { memory_limit: config.memory(), ..RtlOptions::new(board) };
        RtlFast::new(options).expect("the RTL starts")
    }
    fn prepare(settings: &mut Settings) {
        ask_for_tags(settings);
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
    const SHARED_WINDOW: Duration = Duration::from_millis(4);
    fn reset(config: Config) -> RtlFast {
        let options = RtlOptions { memory_limit: config.memory(), ..RtlOptions::new(RtlConfig::Sim) };
        RtlFast::new(options).expect("the RTL starts")
    }
}

/// A node in this process, and the network around it.
pub struct InProcess<K: BoardKind> {
    network: Network<K::Fast>,
}

/// Brings a board up and puts a network around it.
pub fn network<F: FastPath + NetworkPort>(fast: F, kind: u32, config: Config) -> Network<F> {
    prepared(fast, kind, config, |_| {})
}

/// The same; `prepare` says what the slow path is told besides.
pub fn prepared<F: FastPath + NetworkPort>(
    mut fast: F,
    kind: u32,
    config: Config,
    prepare: impl FnOnce(&mut Settings),
) -> Network<F> {
    let mut settings = Node::config(&mut fast, kind, [7; 32]);
    config.limit(&mut settings.limits);
    settings.busy_hint_ns = 1_000;
    prepare(&mut settings);
    let (mac, ip, port) = (settings.mac, settings.ip, settings.udp_port);
    let node = Node::boot(fast, settings, &mut MemoryEpochs::default()).expect("boot");
    Network::new(node, mac, ip, port)
}

impl<K: BoardKind> Rig for InProcess<K> {
    type Driver = InProcessDriver<K::Fast>;
    fn start(config: Config) -> Self {
        InProcess { network: prepared(K::reset(config), K::NUMBER, config, K::prepare) }
    }
    fn driver(&self) -> Self::Driver {
        InProcessDriver::new(&self.network)
    }
    fn transport() -> TransportConfig {
        TransportConfig {
            // Threads share the board's time: one that sleeps while the others work must not lose patience.
            give_up: Duration::from_secs(2),
            ..TransportConfig::board_time()
        }
    }
}
