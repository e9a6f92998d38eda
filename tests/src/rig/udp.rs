//! A board behind the daemon's UDP socket: time is the wall clock's.
use std::net::{SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use mneme_clib::{TransportConfig, UdpDriver};
use mneme_daemon::{Options, Statistics};
use mneme_model::Node;
use mneme_slowpath::MemoryEpochs;

use super::in_process::BoardKind;
use super::{Config, Rig};

/// A daemon in a thread of this process, on a free loopback port.
pub struct Udp<K> {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Statistics>>,
    kind: std::marker::PhantomData<K>,
}

/// How a daemon is started.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The board.
    pub config: Config,
    /// Where it listens; port 0: a free one.
    pub address: SocketAddr,
    /// Decides its first epoch among other things.
    pub seed: u8,
    /// Where to write its frames in and out.
    pub capture: Option<PathBuf>,
    /// Its window; none: the one of its kind, which is longer than a busy machine keeps a client waiting.
    pub window: Option<Duration>,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            config: Config::Sim,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            seed: 1,
            capture: None,
            window: None,
        }
    }
}

impl<K: BoardKind> Udp<K> {
    /// Starts a daemon in a thread.
    pub fn start_with(setup: Setup) -> Self {
        let socket = UdpSocket::bind(setup.address).expect("the port is free");
        let address = socket.local_addr().expect("an address");
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            let mut fast = K::reset(setup.config);
            let mut settings = mneme_daemon::config(
                &mut fast,
                K::NUMBER,
                [setup.seed; 32],
                K::NS_PER_CYCLE,
                setup.window.unwrap_or(K::WINDOW),
            );
            mneme_daemon::take_address(&mut settings, &socket);
            settings.board_id = u64::from(address.port());
            setup.config.limit(&mut settings.limits);
            K::prepare(&mut settings);
            let options = Options { capture: setup.capture, ..Options::of(&settings, K::NS_PER_CYCLE) };
            let store = &mut MemoryEpochs::default();
            let mut node =
                Node::boot_with_workers(fast, settings, store, mneme_daemon::DEFAULT_WORKERS).expect("boot");
            mneme_daemon::serve(&mut node, &socket, &options, &stopped).expect("serve")
        });
        Udp { address, stop, thread: Some(thread), kind: std::marker::PhantomData }
    }
    /// Where the daemon listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
    /// Ends the daemon; what it did. An error: it panicked.
    pub fn end(mut self) -> std::thread::Result<Statistics> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().map_or(Ok(Statistics::default()), JoinHandle::join)
    }
}

impl<K: BoardKind> Rig for Udp<K> {
    type Driver = UdpDriver;
    fn start(config: Config) -> Self {
        Self::start_with(Setup { config, ..Setup::default() })
    }
    fn driver(&self) -> UdpDriver {
        UdpDriver::connect(self.address).expect("a socket")
    }
    fn transport() -> TransportConfig {
        // Several daemons and their clients may share one processor.
        TransportConfig { give_up: Duration::from_secs(60), ..TransportConfig::default() }
    }
}

impl<K> Drop for Udp<K> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join)
            && !std::thread::panicking()
        {
            std::panic::resume_unwind(panic);
        }
    }
}
