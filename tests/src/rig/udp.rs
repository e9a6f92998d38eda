//! A board behind the daemon's UDP socket: time is the wall clock's.
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use mneme_clib::{TransportConfig, UdpDriver};
use mneme_sim::daemon::{self, Options};
use mneme_sim::node::Node;
use mneme_slowpath::MemoryEpochs;

use super::in_process::BoardKind;
use super::{Config, Rig};

/// A daemon in a thread of this process, on a free loopback port.
pub struct Udp<K> {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    kind: std::marker::PhantomData<K>,
}

impl<K: BoardKind> Udp<K> {
    /// Starts a board at an address, port 0 for a free one. Boards of different seeds have different first epochs.
    pub fn start_at(config: Config, address: SocketAddr, seed: u8) -> Self {
        let socket = UdpSocket::bind(address).expect("the port is free");
        let address = socket.local_addr().expect("an address");
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            let mut fast = K::reset(config);
            let settings = daemon::config(&mut fast, K::NUMBER, [seed; 32], K::NS_PER_CYCLE, K::WINDOW);
            let options = Options {
                mac: settings.mac,
                ip: settings.ip,
                port: settings.udp_port,
                ns_per_cycle: K::NS_PER_CYCLE,
                capture: None,
            };
            let mut node = Node::boot(fast, settings, &mut MemoryEpochs::default()).expect("boot");
            daemon::serve(&mut node, &socket, &options, &stopped).expect("serve");
        });
        Udp { address, stop, thread: Some(thread), kind: std::marker::PhantomData }
    }
    /// Where the daemon listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl<K: BoardKind> Rig for Udp<K> {
    type Driver = UdpDriver;
    fn start(config: Config) -> Self {
        Self::start_at(config, SocketAddr::from(([127, 0, 0, 1], 0)), 1)
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
