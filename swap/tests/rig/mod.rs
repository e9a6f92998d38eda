//! Boards in this process, behind real sockets, and devices on them.
#![allow(dead_code, reason = "each test file uses its part")]
pub mod roce;

use mneme_clib::{Client, ClientOptions, OpenOptions, Process, TransportConfig, UdpDriver};
use mneme_daemon::rdma::{RdmaPort, RdmaSettings, SILENT};
use mneme_daemon::{NoPort, Options as BoardOptions, SocketWire};
use mneme_model::{BoardShape, Node, SoftFast};
use mneme_slowpath::MemoryEpochs;
use mneme_swap::BLOCK;
use mneme_swap::back::{ChainLane, ClibLane, ClibStore, FrameStore, Lane, NativeLane, RamStore, Store, Way};
use mneme_swap::nbd::negotiation::Export;
use mneme_swap::queue;
use mneme_swap::server::{Options, Server};
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const NS_PER_CYCLE: u64 = 100;

/// A software board in a thread. It has no memory of earlier lives.
pub struct Board {
    pub address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// An address of the loopback network that no other board of this process has: RoCEv2 has one port for all.
pub fn address() -> Ipv4Addr {
    static NEXT: AtomicU8 = AtomicU8::new(1);
    let process = std::process::id();
    Ipv4Addr::new(127, (process >> 8) as u8 & 0x7e, process as u8, NEXT.fetch_add(1, Ordering::Relaxed))
}

impl Board {
    pub fn start() -> Board {
        Board::start_at((address(), 0).into(), 64 << 20, false)
    }
    pub fn start_at(at: SocketAddr, memory: u64, rdma: bool) -> Board {
        Board::start_by(at, memory, rdma, || ())
    }
    /// One whose thread, without others beside it, calls this first.
    pub fn start_apart(first: impl Fn() + Send + 'static) -> Board {
        Board::start_by((address(), 0).into(), 64 << 20, true, first)
    }
    fn start_by(at: SocketAddr, memory: u64, rdma: bool, first: impl Fn() + Send + 'static) -> Board {
        let socket = UdpSocket::bind(at).expect("a port");
        let address = socket.local_addr().expect("an address");
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let body = move || {
            first();
            let shape = if rdma { BoardShape::RDMA } else { BoardShape::DAEMON };
            let shape = shape.with_memory(memory).expect("a legal size");
            let shape = BoardShape { trailers: true, simulated: true, ..shape };
            let mut fast = SoftFast::new(shape).expect("a legal shape");
            let seed = rand_seed(address);
            let window = Duration::from_millis(200);
            let mut config = mneme_daemon::config(&mut fast, 1, seed, NS_PER_CYCLE, window);
            assert!(mneme_daemon::take_address(&mut config, &socket));
            let options = BoardOptions::of(&config, NS_PER_CYCLE);
            let mut node = Node::boot(fast, config, &mut MemoryEpochs(vec![epoch()])).expect("it boots");
            let mut wire =
                SocketWire::new(&socket, &options, mneme_clib::driver::Waiting::Yield).expect("a wire");
            let flags = (&*stopped, &AtomicBool::new(false));
            let SocketAddr::V4(own) = address else { panic!("IPv4") };
            let settings = RdmaSettings {
                address: *own.ip(),
                seed,
                wants_tags: false,
                silent: SILENT,
                ping_pong: None,
                perftest: None,
                cap: 0,
            };
            let _statistics = match rdma {
                true => {
                    let mut port = RdmaPort::open(&settings).expect("an RDMA port");
                    mneme_daemon::serve_beside(&mut node, &mut wire, &options, flags, |_, _, _| {}, &mut port)
                }
                false => mneme_daemon::serve_beside(
                    &mut node,
                    &mut wire,
                    &options,
                    flags,
                    |_, _, _| {},
                    &mut NoPort,
                ),
            }
            .expect("it serves");
        };
        Board { address, stop, thread: Some(std::thread::spawn(body)) }
    }
    pub fn client(&self, give_up: Duration) -> Client {
        client(self.address, give_up)
    }
    pub fn ip(&self) -> Ipv4Addr {
        let SocketAddr::V4(at) = self.address else { panic!("IPv4") };
        *at.ip()
    }
    /// Ends it at once: with it go its memory and its processes.
    pub fn kill(mut self) -> SocketAddr {
        self.end();
        self.address
    }
    fn end(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the board ends");
        }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A client of the board at an address.
pub fn client(at: SocketAddr, give_up: Duration) -> Client {
    let driver = UdpDriver::connect(at.to_string()).expect("a socket");
    let transport = TransportConfig { give_up, ..TransportConfig::default() };
    let options = ClientOptions { transport, background: true, ..ClientOptions::default() };
    Client::connect(driver, options).expect("the board answers")
}

/// How a device is made.
#[derive(Clone, Copy)]
pub struct Wish {
    pub size: u64,
    pub queues: usize,
    pub depth: usize,
    pub held: usize,
    pub spare: usize,
    pub give_up: Duration,
    pub lease: Duration,
}

impl Default for Wish {
    fn default() -> Wish {
        Wish {
            size: 16 << 20,
            queues: 2,
            depth: 16,
            held: 256,
            spare: 1,
            give_up: Duration::from_millis(400),
            lease: Duration::from_secs(5),
        }
    }
}

/// A device that is served.
pub struct Device {
    pub server: Option<Server>,
    pub socket: PathBuf,
    _folder: tempfile::TempDir,
}

impl Device {
    pub fn start(wish: Wish, store: Box<dyn Store>, lanes: Vec<Box<dyn Lane>>, via: &str) -> Device {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("device.sock");
        let options = Options {
            socket: socket.clone(),
            export: Export { name: "mneme".into(), size: wish.size },
            depth: wish.depth,
            held: wish.held,
            spare: wish.spare,
            via: via.into(),
            board: None,
        };
        Device {
            server: Some(Server::start(options, store, lanes).expect("it starts")),
            socket,
            _folder: folder,
        }
    }
    pub fn ram(wish: Wish) -> Device {
        let store = RamStore::new(wish.size);
        let depth = queue::units(wish.depth);
        let lanes = (0..wish.queues).map(|_| Box::new(store.lane(depth)) as Box<dyn Lane>).collect();
        Device::start(wish, Box::new(store), lanes, "ram")
    }
    pub fn clib(wish: Wish, board: &Board) -> Device {
        Device::clib_at(wish, board.address)
    }
    pub fn clib_at(wish: Wish, at: SocketAddr) -> Device {
        let store = ClibStore::open(&client(at, wish.give_up), lease(wish)).expect("a process");
        let lane = |_| {
            let joined =
                ClibLane::join(client(at, wish.give_up), &store.membership(), queue::units(wish.depth));
            Box::new(joined.expect("joined")) as Box<dyn Lane>
        };
        let lanes = (0..wish.queues).map(lane).collect();
        Device::start(wish, Box::new(store), lanes, "clib")
    }
    pub fn native(wish: Wish, board: &Board) -> Device {
        let store = ClibStore::open(&board.client(wish.give_up), lease(wish)).expect("a process");
        let lanes = Device::rdma_lanes(wish, board.ip(), store.process(), None, native);
        Device::start(wish, Box::new(store), lanes, "native")
    }
    /// Through RDMA on pages of 4 KB, of which the board keeps `budget` bytes for the device.
    pub fn frames(wish: Wish, board: &Board, budget: u64) -> Device {
        Device::by_block(wish, board, board.ip(), budget, ("native", native))
    }
    /// Through ODRP's chains on the same.
    pub fn chain(wish: Wish, board: &Board, budget: u64) -> Device {
        Device::chain_at(wish, board, board.ip(), budget)
    }
    /// The same with lanes that find the board at another address.
    pub fn chain_at(wish: Wish, board: &Board, at: Ipv4Addr, budget: u64) -> Device {
        let lane = |way, depth| Box::new(ChainLane::connect(way, depth).expect("connected")) as Box<dyn Lane>;
        Device::by_block(wish, board, at, budget, ("chain", lane))
    }
    fn by_block(
        wish: Wish,
        board: &Board,
        at: Ipv4Addr,
        budget: u64,
        (via, lane): (&str, impl Fn(Way, u32) -> Box<dyn Lane>),
    ) -> Device {
        let client = board.client(wish.give_up);
        let store = FrameStore::open(&client, lease(wish), wish.size, budget).expect("a process");
        let store = store.expect("the board has pages of 4 KB");
        let lanes = Device::rdma_lanes(wish, at, store.process(), Some(store.range()), lane);
        Device::start(wish, Box::new(store), lanes, via)
    }
    fn rdma_lanes(
        wish: Wish,
        board: Ipv4Addr,
        process: &Process,
        frames: Option<(u64, u64)>,
        lane: impl Fn(Way, u32) -> Box<dyn Lane>,
    ) -> Vec<Box<dyn Lane>> {
        let (pid, token, give_up) = (process.pid(), process.token(), wish.give_up);
        let one = |_| {
            let way = Way { source: address(), board, pid, token, frames, give_up };
            lane(way, queue::units(wish.depth))
        };
        (0..wish.queues).map(one).collect()
    }
    pub fn server(&self) -> &Server {
        self.server.as_ref().expect("it is served")
    }
    pub fn counter(&self, name: &str) -> u64 {
        let counters = self.server().snapshot().counters;
        *counters.get(name).unwrap_or_else(|| panic!("{name} in {counters:?}"))
    }
    pub fn end(mut self) {
        self.server.take().expect("it is served").end().expect("it ends well");
    }
}

fn native(way: Way, depth: u32) -> Box<dyn Lane> {
    Box::new(NativeLane::connect(way, depth).expect("connected"))
}

fn lease(wish: Wish) -> OpenOptions {
    OpenOptions { lease: Some(wish.lease), ..OpenOptions::default() }
}

/// Another one for each board: one that starts at another's address is another life.
fn epoch() -> u8 {
    static NEXT: AtomicU8 = AtomicU8::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn rand_seed(address: SocketAddr) -> [u8; 32] {
    let mut seed = [7; 32];
    seed[..2].copy_from_slice(&address.port().to_le_bytes());
    seed[2..6].copy_from_slice(&std::process::id().to_le_bytes());
    seed
}

/// Waits for something, for some seconds at most.
#[track_caller]
pub fn until(what: &str, mut is: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < Duration::from_secs(20), "{what} in {:?}", began.elapsed());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Bytes that tell which block they are, and of which version.
pub fn content(block: u64, version: u64, blocks: usize) -> Vec<u8> {
    let word = |n: u64| ((block + n) << 24 ^ version.wrapping_mul(0x9e37_79b9)).to_le_bytes();
    let block = |n| std::iter::repeat_n(word(n), BLOCK as usize / 8).flatten();
    (0..blocks as u64).flat_map(block).collect()
}

/// Stands between clients and a board, and can be deaf.
pub struct Relay {
    pub address: SocketAddr,
    deaf: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
}

impl Relay {
    pub fn start(board: SocketAddr) -> Relay {
        let front = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let (deaf, stop) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let relay = Relay {
            address: front.local_addr().expect("an address"),
            deaf: Arc::clone(&deaf),
            stop: Arc::clone(&stop),
        };
        std::thread::spawn(move || {
            let tick = Some(Duration::from_millis(50));
            front.set_read_timeout(tick).expect("a timeout");
            let mut ways: HashMap<SocketAddr, UdpSocket> = HashMap::new();
            let mut buffer = vec![0; 65_536];
            while !stop.load(Ordering::Relaxed) {
                let Ok((length, from)) = front.recv_from(&mut buffer) else { continue };
                let way = ways.entry(from).or_insert_with(|| {
                    let way = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
                    way.connect(board).expect("connected");
                    way.set_read_timeout(tick).expect("a timeout");
                    let (back, front) =
                        (way.try_clone().expect("a socket"), front.try_clone().expect("a socket"));
                    let (deaf, stop) = (Arc::clone(&deaf), Arc::clone(&stop));
                    std::thread::spawn(move || {
                        let mut buffer = vec![0; 65_536];
                        while !stop.load(Ordering::Relaxed) {
                            let Ok(length) = back.recv(&mut buffer) else { continue };
                            if !deaf.load(Ordering::Relaxed) {
                                front.send_to(&buffer[..length], from).expect("sent");
                            }
                        }
                    });
                    way
                });
                if !deaf.load(Ordering::Relaxed) {
                    way.send(&buffer[..length]).ok();
                }
            }
        });
        relay
    }
    pub fn pause(&self, deaf: bool) {
        self.deaf.store(deaf, Ordering::Relaxed);
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
