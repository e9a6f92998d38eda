//! A software board at the far end of a cable, in a thread with a processor of its own; and ways to it.
use std::net::{SocketAddrV4, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use mneme_clib::driver::{DriverKind, DriverOptions, Route, UdpOptions, Waiting, open};
use mneme_clib::{Client, ClientOptions, TransportConfig, UdpDriver};
use mneme_daemon::{Options, RawPort, SocketWire, Wire, serve_and_report};
use mneme_model::{BoardShape, Node, SoftFast};
use mneme_slowpath::{Config, FastPath, MemoryEpochs};
use mneme_tests::rig::veth::{ETHERNET_MTU, End, Entrance, INTERFACE, Veth};
use mneme_wire::{DEFAULT_UDP_PORT, Register};
use rustix::net::sockopt;

use crate::drivers::ways::pin;

/// Nanoseconds of a board cycle, as `mneme board` has it.
const CYCLE_NS: u64 = 4;
/// Bytes that the board's socket holds: a request of each of some thousands of clients.
const SOCKET_BYTES: usize = 64 << 20;
/// How long one of many clients may wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// Processors of the two ends.
pub const CLIENT_PROCESSOR: usize = 0;
pub const BOARD_PROCESSOR: usize = 1;

/// The cable that everything is measured on.
pub fn cable() -> Result<Veth> {
    cable_carrying(ETHERNET_MTU)
}

/// A cable for packets of up to `mtu` bytes.
pub fn cable_carrying(mtu: usize) -> Result<Veth> {
    Veth::carrying(mtu).context("network namespaces need root and the program `ip` (Debian: iproute2)")
}

/// What a board is to be.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    /// What carries its frames.
    pub driver: DriverKind,
    /// How it waits for them.
    pub waiting: Waiting,
    /// Bytes of memory, a power of two.
    pub memory: u64,
    /// Bytes of the largest packet.
    pub mtu: usize,
    /// The time window.
    pub window: Duration,
}

impl Default for Setup {
    /// As `mneme board` has it.
    fn default() -> Self {
        let (driver, waiting) = (DriverKind::Udp, Waiting::Yield);
        Setup { driver, waiting, memory: 256 << 20, mtu: ETHERNET_MTU, window: Duration::from_secs(1) }
    }
}

/// A board that serves until it is dropped.
pub struct Board {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<()>>>,
}

impl Board {
    /// Starts one and waits until it listens.
    pub fn start(veth: &Veth, setup: Setup) -> Result<Board> {
        let entrance = veth.entrance(End::Board)?;
        Board::serve(move |up, stop| run(&entrance, setup, up, stop))
    }
    /// Has a thread serve until it is to stop, and waits until it says that it is up.
    pub fn serve(
        serve: impl FnOnce(&Sender<()>, &AtomicBool) -> Result<()> + Send + 'static,
    ) -> Result<Board> {
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, (up, is_up)) = (stop.clone(), mpsc::channel());
        let thread = std::thread::spawn(move || serve(&up, &stopped));
        let mut board = Board { stop, thread: Some(thread) };
        if is_up.recv().is_err() {
            board.end()?;
            return Err(anyhow!("the board has ended"));
        }
        Ok(board)
    }
    /// Ends it, and tells how that went.
    pub fn end(&mut self) -> Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(ended)) => ended.context("the board"),
            Some(Err(_)) => Err(anyhow!("the board's thread panicked")),
            None => Ok(()),
        }
    }
    /// Where boards listen.
    pub fn address() -> SocketAddrV4 {
        SocketAddrV4::new(Veth::address(End::Board), DEFAULT_UDP_PORT)
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            eprintln!("{error:#}");
        }
    }
}

fn run(entrance: &Entrance, setup: Setup, up: &Sender<()>, stop: &AtomicBool) -> Result<()> {
    entrance.enter()?;
    pin(BOARD_PROCESSOR);
    let shape = BoardShape { mtu: setup.mtu, ..BoardShape::DAEMON };
    let mut fast = SoftFast::new(shape.with_memory(setup.memory)?)?;
    let max_payload = fast.read_register(Register::MaxPayload) as usize;
    let mut settings = mneme_daemon::config(&mut fast, 1, [1; 32], CYCLE_NS, setup.window);
    let address = Board::address();
    settings.ip = address.ip().octets();
    let Some(link) = setup.driver.link() else {
        let socket = UdpSocket::bind(address)?;
        // Whoever has set up the cable may do that.
        sockopt::set_socket_recv_buffer_size_force(&socket, SOCKET_BYTES)?;
        mneme_daemon::take_address(&mut settings, &socket);
        let options = Options::of(&settings, CYCLE_NS);
        let mut wire = SocketWire::new(&socket, &options, setup.waiting)?;
        return serve(fast, settings, &mut wire, &options, up, stop);
    };
    let port = RawPort::new(INTERFACE, address, link, setup.waiting)?;
    settings.mac = port.mac();
    let options = Options::of(&settings, CYCLE_NS);
    serve(fast, settings, &mut port.open(max_payload)?, &options, up, stop)
}

fn serve(
    fast: SoftFast,
    settings: Config,
    wire: &mut dyn Wire,
    options: &Options,
    up: &Sender<()>,
    stop: &AtomicBool,
) -> Result<()> {
    let mut epochs = MemoryEpochs::default();
    let mut node = Node::boot_with_workers(fast, settings, &mut epochs, mneme_daemon::DEFAULT_WORKERS)?;
    // Whoever started the board may have given up.
    let _ = up.send(());
    serve_and_report(&mut node, wire, options, stop, &AtomicBool::new(false), |_, _| {})?;
    Ok(())
}

/// A client of the board; to be called at the client's end of the cable.
pub fn connect(driver: DriverKind, waiting: Waiting) -> Result<Client> {
    let route = Route { interface: Some(INTERFACE.into()), ..Route::default() };
    let chosen = open(Board::address().to_string(), &DriverOptions { kind: driver, waiting, route })?;
    Ok(Client::connect(chosen.driver, ClientOptions::default())?)
}

/// One of many clients, each with a UDP socket of its own: small buffers, asleep while waiting.
pub fn connect_small() -> Result<Client> {
    let options = UdpOptions { segmentation: false, coalescing: false, ..UdpOptions::default() };
    let driver = UdpDriver::connect_with(Board::address(), options)?;
    // Thousands of them share a processor, and a round of all takes its time.
    let transport = TransportConfig { give_up: PATIENCE, ..TransportConfig::default() };
    Ok(Client::connect(driver, ClientOptions { transport, ..ClientOptions::default() })?)
}
