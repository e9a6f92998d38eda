//! A simulated board in a thread of this process, and its slow path as a process of its own, as on hardware: a real `mneme-boardd`,
//! behind files and sockets that behave as UIO does.
//!
//! `MNEME_BOARDD` names another program, with arguments before its own: `qemu-aarch64-static PATH` runs one built for ARM.
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use mneme_clib::driver::Waiting;
use mneme_clib::{TransportConfig, UdpDriver};
use mneme_daemon::window::Windowed;
use mneme_daemon::{Beside, NoPort, Options, SocketWire, Statistics, serve_beside};
use mneme_model::Mounted;
use mneme_slowpath::Limits;
use mneme_tests::rig::in_process::BoardKind;
use mneme_tests::{Config, Rig};
use tempfile::TempDir;

/// The board, as hardware is: it goes on whatever its daemon does.
pub struct Hardware {
    pub folder: TempDir,
    pub address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Statistics>>,
}

impl Hardware {
    pub fn start<K: BoardKind>(config: Config) -> Hardware
    where
        K::Fast: Mounted,
    {
        Hardware::with::<K, _>(K::reset(config), Ipv4Addr::LOCALHOST, |_| NoPort)
    }
    /// A board at an address, with another port beside the network's, which is opened for its MAC address.
    pub fn with<K: BoardKind, B: Beside<Windowed<K::Fast>> + Send + 'static>(
        fast: K::Fast,
        ip: Ipv4Addr,
        open: impl FnOnce([u8; 6]) -> B,
    ) -> Hardware
    where
        K::Fast: Mounted,
    {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = UdpSocket::bind((ip, 0)).expect("a free port");
        let address = socket.local_addr().expect("an address");
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, path) = (stop.clone(), folder.path().join("device"));
        let options = Options {
            mac: [2, 0x4d, 0x4e, 0x45, 0x4d, 1],
            ip: ip.octets(),
            port: address.port(),
            ns_per_cycle: K::NS_PER_CYCLE,
            capture: None,
            tenants: None,
        };
        let mut beside = open(options.mac);
        let mut board = Windowed::new(fast, &path, K::NUMBER, &options, K::WINDOW).expect("a window");
        let thread = std::thread::spawn(move || {
            let mut wire = SocketWire::new(&socket, &options, Waiting::Yield).expect("a socket");
            let never = AtomicBool::new(false);
            serve_beside(&mut board, &mut wire, &options, (&stopped, &never), |_, _, _| {}, &mut beside)
                .expect("served")
        });
        Hardware { folder, address, stop, thread: Some(thread) }
    }
    /// A path in its folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
    pub fn driver(&self) -> UdpDriver {
        UdpDriver::connect(self.address).expect("a socket")
    }
}

impl Drop for Hardware {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join)
            && !std::thread::panicking()
        {
            std::panic::resume_unwind(panic);
        }
    }
}

/// The program, with what comes before its own arguments.
pub fn program() -> Command {
    let told =
        std::env::var("MNEME_BOARDD").unwrap_or_else(|_| env!("CARGO_BIN_EXE_mneme-boardd").to_owned());
    let mut words = told.split_whitespace();
    let mut command = Command::new(words.next().expect("MNEME_BOARDD names a program"));
    command.args(words);
    command
}

/// A running daemon. Dropping it kills it, as `kill -9` does.
pub struct Daemon {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Daemon {
    /// Starts a daemon on the board; [`Daemon::line`] hears what it says.
    pub fn start(hardware: &Hardware, arguments: &[&str]) -> Daemon {
        let mut command = program();
        command.arg("--simulated").arg(hardware.path("device"));
        command.arg("--state").arg(hardware.path("state.json")).args(arguments);
        Daemon::spawn(command)
    }
    /// Starts it, whatever its board is.
    pub fn spawn(mut command: Command) -> Daemon {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the daemon starts");
        let out = BufReader::new(child.stdout.take().expect("its output"));
        Daemon { child, out }
    }
    /// The next line that it says.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).expect("its output");
        line.trim_end().to_owned()
    }
    /// Waits until it serves; what it said until then, a line each.
    pub fn serving(&mut self) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            let line = self.line();
            assert!(!line.is_empty(), "it ended before it served: {said:?}");
            let serves = line.starts_with("serving ");
            said.push(line);
            if serves {
                return said;
            }
        }
    }
    pub fn id(&self) -> u32 {
        self.child.id()
    }
    /// Waits for its end; whether it ended well.
    pub fn end(&mut self) -> bool {
        self.child.wait().expect("it was started").success()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ended_before = self.child.kill();
        let _status = self.child.wait();
    }
}

/// A board and its daemon.
pub struct Boardd<K> {
    // It ends first: a daemon whose board is gone says so.
    _daemon: Daemon,
    hardware: Hardware,
    kind: std::marker::PhantomData<K>,
}

impl<K: BoardKind> Rig for Boardd<K>
where
    K::Fast: Mounted,
{
    type Driver = UdpDriver;
    fn start(config: Config) -> Self {
        let hardware = Hardware::start::<K>(config);
        let mut limits = Limits::default();
        config.limit(&mut limits);
        let overcommit = format!("--overcommit={}", limits.overcommit);
        let mut daemon = Daemon::start(&hardware, &[&overcommit, "--seed", "1"]);
        daemon.serving();
        Boardd { _daemon: daemon, hardware, kind: std::marker::PhantomData }
    }
    fn driver(&self) -> UdpDriver {
        self.hardware.driver()
    }
    fn transport() -> TransportConfig {
        TransportConfig { give_up: Duration::from_secs(60), ..TransportConfig::default() }
    }
}

/// Asks a process to end, as systemd does.
pub fn terminate(id: u32) {
    let killed = Command::new("kill").arg(id.to_string()).status().expect("kill starts");
    assert!(killed.success());
}
