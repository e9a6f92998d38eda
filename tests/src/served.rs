//! A served board with an RDMA port, software or RTL, and clients of both wires.
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mneme_clib::{Client, ClientOptions, OpenOptions, Process, UdpDriver};
use mneme_daemon::rdma::{
    BoardAuditError, HardwarePort, Lent, PERFTEST_PORT, PERFTEST_SEND_LAT_PORT, PERFTEST_SENDS_PORT,
    PING_PONG_PORT, PerftestSettings, RdmaPort, RdmaSettings, SILENT, TEST_BYTES, TestMemory, audit,
    audit_hardware, statistics_names,
};
use mneme_daemon::{Options, SocketWire, serve_beside};
use mneme_link::Waiting;
use mneme_model::{BoardShape, Node, SoftFast};
use mneme_rdma::cm::Ask;
use mneme_rdma::codec::PathMtu;
use mneme_rdma::node::Audit;
use mneme_rdma::udp::{ChainConnection, ChainOptions, ClientError, NativeClient};
use mneme_rtl::{RtlConfig, RtlFast, RtlOptions};
use mneme_slowpath::{Config, MemoryEpochs};

use crate::native::statistics;

/// How long a connection may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a client of perftest's server may be silent.
pub const TEST_PATIENCE: Duration = Duration::from_secs(3);
/// How long a board may take to look where its frames are.
const AUDITED: Duration = Duration::from_secs(10);
/// How long a write may take of what a test begins with.
const LENDS: Duration = Duration::from_secs(20);
/// Nanoseconds of a cycle of the RTL, at least: about what a processor simulates.
const RTL_CYCLE: u64 = 1_000;
/// A host that no client of [`RdmaBoard::rdma`] is.
const LAST: u8 = 15;

/// An address of the loopback network that no other test of this machine has: RoCEv2 has one port for all. `board`: below 128; `host`:
/// below 16.
pub fn address(board: u8, host: u8) -> Ipv4Addr {
    let process = std::process::id();
    let high = 0x80 | ((process >> 8) as u8 & 0xf) << 3 | board >> 4;
    Ipv4Addr::new(127, high, process as u8, board << 4 | host)
}

/// Boards that this process has made.
static BOARDS: AtomicU8 = AtomicU8::new(0);

/// What is counted at the end, and where all frames are then.
type End = (Vec<u64>, Result<Audit, BoardAuditError>);

/// How a board is made.
#[derive(Debug, Clone, Copy)]
pub struct Made {
    /// Its shape.
    pub shape: BoardShape,
    /// It asks for tags.
    pub wants_tags: bool,
    /// When a silent connection gives way.
    pub silent: Duration,
    /// The cap of its connections.
    pub cap: u32,
    /// Changes what its slow path is told.
    pub configure: fn(&mut Config),
}

impl Default for Made {
    fn default() -> Made {
        Made { shape: BoardShape::DAEMON, wants_tags: false, silent: SILENT, cap: 0, configure: |_| {} }
    }
}

/// A board with an RDMA port.
pub struct RdmaBoard {
    /// Its number in this process.
    pub number: u8,
    hosts: u8,
    looks: u8,
    /// Where it serves clients of the library.
    pub address: SocketAddrV4,
    tests: Arc<Lent>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<End>>,
}

impl RdmaBoard {
    /// Serves until it is dropped or ended.
    pub fn start(made: Made) -> RdmaBoard {
        let number = BOARDS.fetch_add(1, Ordering::Relaxed);
        assert!(number < 128, "a process has 128 boards");
        let own = address(number, 1);
        let socket = UdpSocket::bind((own, 0)).expect("a port");
        let Ok(SocketAddr::V4(address)) = socket.local_addr() else { panic!("an IPv4 address") };
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let Made { wants_tags, silent, cap, .. } = made;
        let tests = Arc::new(Lent::default());
        let settings = RdmaSettings {
            address: own,
            seed: [number; 32],
            wants_tags,
            silent,
            ping_pong: Some(PING_PONG_PORT),
            perftest: Some(PerftestSettings {
                port: PERFTEST_PORT,
                sends: PERFTEST_SENDS_PORT,
                send_lat: PERFTEST_SEND_LAT_PORT,
                memory: tests.clone(),
                patience: TEST_PATIENCE,
            }),
            cap,
        };
        let mut port = RdmaPort::open(&settings).expect("UDP port 4791 is free");
        let thread = std::thread::spawn(move || {
            let mut fast = SoftFast::new(BoardShape { simulated: true, ..made.shape }).expect("a board");
            let mut config = mneme_daemon::config(&mut fast, 1, [number; 32], 4, Duration::from_secs(1));
            mneme_daemon::take_address(&mut config, &socket);
            (made.configure)(&mut config);
            let options = Options::of(&config, 4);
            let mut node =
                Node::boot_with_workers(fast, config, &mut MemoryEpochs::default(), 2).expect("it boots");
            let mut wire = SocketWire::new(&socket, &options, Waiting::Yield).expect("a wire");
            let never = AtomicBool::new(false);
            serve_beside(&mut node, &mut wire, &options, (&stopped, &never), |_, _, _| {}, &mut port)
                .expect("it serves");
            (port.counted(), audit(&mut node))
        });
        RdmaBoard { number, hosts: 1, looks: 0, address, tests, stop, thread: Some(thread) }
    }

    /// The same with the RTL's port, under Verilator: the board answers RDMA clients itself.
    pub fn start_rtl(silent: Duration) -> RdmaBoard {
        RdmaBoard::start_rtl_with(Made { silent, ..Made::default() })
    }

    /// The same. Its shape is *rdma*, and it asks for no tags.
    pub fn start_rtl_with(Made { silent, cap, configure, .. }: Made) -> RdmaBoard {
        let number = BOARDS.fetch_add(1, Ordering::Relaxed);
        assert!(number < 128, "a process has 128 boards");
        let own = address(number, 1);
        let socket = UdpSocket::bind((own, 0)).expect("a port");
        let Ok(SocketAddr::V4(address)) = socket.local_addr() else { panic!("an IPv4 address") };
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let seed = [number; 32];
        let tests = Arc::new(Lent::default());
        let settings = RdmaSettings {
            address: own,
            seed,
            wants_tags: false,
            silent,
            ping_pong: Some(PING_PONG_PORT),
            perftest: Some(PerftestSettings {
                port: PERFTEST_PORT,
                sends: PERFTEST_SENDS_PORT,
                send_lat: PERFTEST_SEND_LAT_PORT,
                memory: tests.clone(),
                patience: TEST_PATIENCE,
            }),
            cap,
        };
        let (opened, opens) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let mut fast = RtlFast::new(RtlOptions::new(RtlConfig::Rdma)).expect("a board");
            let mut config = mneme_daemon::config(&mut fast, 2, seed, RTL_CYCLE, Duration::from_millis(500));
            mneme_daemon::take_address(&mut config, &socket);
            config.roce = true;
            configure(&mut config);
            let mut port = HardwarePort::open(&settings, config.mac, &mut fast).expect("a port");
            let options = Options::of(&config, RTL_CYCLE);
            let mut node =
                Node::boot_with_workers(fast, config, &mut MemoryEpochs::default(), 2).expect("it boots");
            opened.send(()).expect("somebody waits");
            let mut wire = SocketWire::new(&socket, &options, Waiting::Yield).expect("a wire");
            let never = AtomicBool::new(false);
            serve_beside(&mut node, &mut wire, &options, (&stopped, &never), |_, _, _| {}, &mut port)
                .expect("it serves");
            (port.counted(), audit_hardware(&mut node))
        });
        // Clients ask again and again, but not for ever: a busy machine takes long to boot a simulated board.
        opens.recv().expect("the board starts");
        RdmaBoard { number, hosts: 1, looks: 0, address, tests, stop, thread: Some(thread) }
    }

    /// A client of the library.
    pub fn client(&self) -> Client {
        let driver = UdpDriver::connect(self.address).expect("a socket");
        Client::connect(driver, ClientOptions::default()).expect("the board answers")
    }

    /// Opens the process that perftest's tests read and write. Where its memory begins.
    pub fn lend(&self, client: &Client) -> (Process, u64) {
        let process = client.open(OpenOptions::default()).expect("a process");
        let va = process.ralloc(TEST_BYTES).expect("memory");
        let memory = TestMemory { pid: process.pid(), token: process.token(), va };
        self.tests.set(memory).expect("once");
        let (lent, own) = (self.tests.clone(), process.within(LENDS));
        // It ends with the board.
        std::thread::spawn(move || lent.serve(|va, words| own.rwrite(va, words).is_ok()));
        (process, va)
    }

    fn next(&mut self) -> (Ipv4Addr, u128) {
        self.hosts += 1;
        (address(self.number, self.hosts), u128::from(self.hosts) << 64 | 0x1234_5678)
    }

    /// A native RDMA client at an address of its own.
    ///
    /// # Errors
    /// Those of [`NativeClient::connect`].
    pub fn rdma(&mut self, ask: Ask) -> Result<NativeClient, ClientError> {
        self.rdma_by(ask, PathMtu::MAX)
    }
    /// The same with packets of another length.
    ///
    /// # Errors
    /// Those of [`NativeClient::connect`].
    pub fn rdma_by(&mut self, ask: Ask, path_mtu: PathMtu) -> Result<NativeClient, ClientError> {
        let (source, random) = self.next();
        NativeClient::connect_by((source, *self.address.ip()), ask, path_mtu, random, PATIENCE)
    }
    /// The same at one address, for those that come one after the other.
    ///
    /// # Errors
    /// Those of [`NativeClient::connect`].
    pub fn rdma_again(&mut self, ask: Ask) -> Result<NativeClient, ClientError> {
        self.looks = self.looks.wrapping_add(1);
        let random = u128::from(self.looks) << 72 | 0x1234_5678;
        NativeClient::connect(address(self.number, LAST), *self.address.ip(), ask, random, PATIENCE)
    }
    /// A chain client at an address of its own.
    ///
    /// # Errors
    /// Those of [`ChainConnection::connect`].
    pub fn chain(&mut self, ask: Ask, options: ChainOptions) -> Result<ChainConnection, ClientError> {
        let (source, random) = self.next();
        ChainConnection::connect((source, *self.address.ip()), ask, options, random, PATIENCE)
    }

    fn stop(&mut self) -> End {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().expect("it runs").join().expect("it ended well")
    }
    /// Waits until the board, which serves meanwhile, has looked where its frames are, and found each in one place.
    pub fn wait_for_audit(&mut self, process: &Process) {
        let began = Instant::now();
        loop {
            let counted = statistics(self, process);
            assert_eq!(counted("audits that found something wrong"), 0);
            if counted("audits") > 0 {
                return;
            }
            assert!(began.elapsed() < AUDITED, "no audit has ended");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    /// What the port has counted at the end, by name. Every frame must be in one place.
    pub fn end(self) -> impl Fn(&str) -> u64 {
        self.end_audited().0
    }
    /// The same, and where all frames are.
    pub fn end_audited(mut self) -> (impl Fn(&str) -> u64, Audit) {
        let (counted, audit) = self.stop();
        let counted = named(counted);
        assert_eq!(counted("audits that found something wrong"), 0);
        (counted, audit.expect("every frame is in one place"))
    }
}

fn named(counted: Vec<u64>) -> impl Fn(&str) -> u64 {
    move |name| {
        let at = statistics_names().position(|own| own == name).unwrap_or_else(|| panic!("`{name}`"));
        counted[at]
    }
}
