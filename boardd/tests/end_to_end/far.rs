//! A simulated ECPIX-5 in a thread of this process at one end of a cable, and its daemon, a real `mneme-boardd`, at the other: all that
//! it knows of the board comes in frames of raw Ethernet. Clients are elsewhere.
use std::collections::VecDeque;
use std::io::{self, Read};
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use mneme_clib::driver::Waiting;
use mneme_clib::{Client, ClientOptions, OpenOptions, Process, TransportConfig, UdpDriver};
use mneme_daemon::hosted::{Broken, Built, HostLine, Hosted, HostedBoard, Right};
use mneme_daemon::{Options, SocketWire, serve_and_report};
use mneme_link::{Interface, Link, Pnet};
use mneme_model::Mounted;
use mneme_skips::{Lack, skipped};
use mneme_tests::Config;
use mneme_tests::rig::in_process::{BoardKind, Rtl, Soft};
use mneme_tests::rig::veth::{End, INTERFACE, Veth};
use mneme_wire::host::HOST_ETHERTYPE;
use tempfile::TempDir;

use crate::rig::{Daemon, program, terminate};

const HOST: [u8; 6] = [2, 0, 0, 0, 0, 9];
const BOARD: [u8; 6] = [2, 0, 0xc0, 0xff, 0xee, 1];
const KEY: [u8; 16] = *b"0123456789abcdef";
const RIGHT: [Right; 2] = [Right { slip: 2, delays: (1, 5) }, Right { slip: 0, delays: (3, 7) }];
/// Of the core, at 41.7 MHz.
const NS_PER_CYCLE: u64 = 24;

/// The board's end of the cable.
struct Cable {
    link: Pnet,
    came: VecDeque<Vec<u8>>,
    fd: OwnedFd,
}

impl Cable {
    fn open() -> Cable {
        let interface = Interface::named(INTERFACE).expect("the cable");
        let link = Pnet::of_type(&interface, HOST_ETHERTYPE as u16, Waiting::Yield).expect("a link");
        let fd = link.descriptors().pop().expect("a descriptor");
        Cable { link, came: VecDeque::new(), fd }
    }
}

impl HostLine for Cable {
    fn receive(&mut self, at_most: Duration, into: &mut Vec<u8>) -> io::Result<bool> {
        if self.came.is_empty() {
            let came = &mut self.came;
            let taken = self.link.receive(at_most, 16, &mut |frame| came.push_back(frame.bytes.to_vec()));
            taken.map_err(io::Error::other)?;
        }
        let frame = self.came.pop_front();
        let any = frame.is_some();
        frame.into_iter().for_each(|frame| *into = frame);
        Ok(any)
    }
    fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        let sent = self.link.queue(frame.len(), &mut |room| room.copy_from_slice(frame));
        sent.and_then(|()| self.link.flush(&mut |_| {})).map_err(io::Error::other)
    }
    fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// The board and the cable.
struct Far {
    veth: Veth,
    folder: TempDir,
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Far {
    /// A board that was switched on; `None` where no cable can be laid, which is said.
    fn start<K: BoardKind>(test: &str, broken: Option<Broken>) -> Option<Far>
    where
        K::Fast: Mounted,
    {
        if std::env::var_os("MNEME_BOARDD").is_some() {
            // Such a daemon runs on hosts, not on a board's processor.
            skipped(test, Lack::System, format_args!("an emulator knows no packet sockets"));
            return None;
        }
        let veth = Veth::or_skip(test)?;
        veth.ip(End::Client, &["link", "set", INTERFACE, "address", "02:00:00:00:00:09"])
            .expect("an address");
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a free port");
        let address = socket.local_addr().expect("an address");
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, entrance) = (stop.clone(), veth.entrance(End::Board).expect("the namespace is there"));
        let options = Options {
            mac: BOARD,
            ip: [127, 0, 0, 1],
            port: address.port(),
            ns_per_cycle: NS_PER_CYCLE,
            capture: None,
            tenants: None,
        };
        let thread = std::thread::spawn(move || {
            entrance.enter().expect("the namespace is there");
            let built = Built { board: BOARD, host: HOST, key: KEY };
            let board = HostedBoard::new(K::reset(Config::Sim), built, RIGHT, broken);
            let mut board = Hosted::new(board, Cable::open());
            let mut wire = SocketWire::new(&socket, &options, Waiting::Yield).expect("a socket");
            let never = AtomicBool::new(false);
            serve_and_report(&mut board, &mut wire, &options, &stopped, &never, |_, _| {}).expect("served");
        });
        let folder = tempfile::tempdir().expect("a folder");
        let far = Far { veth, folder, address, stop, thread: Some(thread) };
        far.identity("board.toml", "02:00:c0:ff:ee:01", "02:00:00:00:00:09", &KEY);
        Some(far)
    }
    fn identity(&self, name: &str, board: &str, host: &str, key: &[u8; 16]) {
        let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        let text = format!("board = \"{board}\"\nhost = \"{host}\"\nkey = \"{key}\"\n");
        std::fs::write(self.folder.path().join(name), text).expect("written");
    }
    /// The program, on the board's Ethernet, with this identity.
    fn command(&self, identity: &str) -> Command {
        let mut command = program();
        command.args(["--ecpix5", INTERFACE, "--key"]).arg(self.folder.path().join(identity));
        command
    }
    fn daemon(&self) -> Daemon {
        let mut command = self.command("board.toml");
        command.arg("--address").arg(self.address.to_string());
        command.arg("--state").arg(self.folder.path().join("state.json")).args(["--window-us", "2000000"]);
        self.veth.at(End::Client, || Daemon::spawn(command))
    }
    /// What the program says that ends by itself: whether well, on its output, on its error output.
    fn said(&self, mut command: Command) -> (bool, String, String) {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.veth.at(End::Client, || command.spawn()).expect("it starts");
        let (mut out, mut error) = (String::new(), String::new());
        child.stdout.take().expect("its output").read_to_string(&mut out).expect("text");
        child.stderr.take().expect("its errors").read_to_string(&mut error).expect("text");
        (child.wait().expect("it ends").success(), out, error)
    }
    fn process(&self) -> Process {
        let transport = TransportConfig { give_up: Duration::from_secs(60), ..TransportConfig::default() };
        let options = ClientOptions { transport, ..ClientOptions::default() };
        let driver = UdpDriver::connect(self.address).expect("a socket");
        Client::connect(driver, options)
            .expect("the board answers")
            .open(OpenOptions::default())
            .expect("open")
    }
}

impl Drop for Far {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join)
            && !std::thread::panicking()
        {
            std::panic::resume_unwind(panic);
        }
    }
}

/// Writes and reads back in pages of its own, which the slow path gives and takes.
fn work(process: &Process, rounds: u8) {
    for round in 0..rounds {
        let va = process.ralloc(1 << 18).expect("alloc");
        let data: Vec<u8> = (0..5_000_u32).map(|at| (at as u8).wrapping_mul(round | 1)).collect();
        process.rwrite(va, &data).expect("write");
        let mut back = vec![0; data.len()];
        process.rread(va, &mut back).expect("read");
        assert_eq!(back, data);
        process.rfree(va).expect("free");
    }
}

fn a_host_serves<K: BoardKind>(test: &str)
where
    K::Fast: Mounted,
{
    let Some(far) = Far::start::<K>(test, None) else { return };
    let mut daemon = far.daemon();
    let said = daemon.serving();
    assert_eq!(said.len(), 1, "a core after reset has no former life: {said:?}");
    assert!(said[0].contains(": ECPIX5, "), "{said:?}");
    let process = far.process();
    work(&process, 5);
    terminate(daemon.id());
    assert_eq!(daemon.line(), "ended: 0 frames damaged on their way from the board, 0 too long for it");
    assert!(daemon.end());
}

#[test]
fn a_host_brings_up_the_board_and_serves_it() {
    a_host_serves::<Soft>("far::a_host_brings_up_the_board_and_serves_it");
}

#[test]
fn a_host_brings_up_the_rtl_and_serves_it() {
    a_host_serves::<Rtl>("far::a_host_brings_up_the_rtl_and_serves_it");
}

#[test]
fn a_daemon_that_was_killed_comes_again_with_another_epoch() {
    let Some(far) = Far::start::<Soft>("far::a_daemon_that_was_killed_comes_again_with_another_epoch", None)
    else {
        return;
    };
    let mut daemon = far.daemon();
    daemon.serving();
    let process = far.process();
    let va = process.ralloc(100).expect("alloc");
    process.rwrite(va, b"stays").expect("write");
    drop(daemon);
    let mut back = [0; 5];
    process.rread(va, &mut back).expect("the fast path serves without a daemon");
    assert_eq!(&back, b"stays");
    let mut daemon = far.daemon();
    let said = daemon.serving();
    assert!(said[0].starts_with("the core was in use: epoch ") && said.len() == 2, "{said:?}");
    assert!(process.rread(va, &mut back).expect_err("another life").is_restart());
    work(&far.process(), 3);
}

#[test]
fn a_board_on_the_network_is_identified_and_who_cannot_reach_it_hears_why() {
    let Some(far) = Far::start::<Soft>(
        "far::a_board_on_the_network_is_identified_and_who_cannot_reach_it_hears_why",
        None,
    ) else {
        return;
    };
    let identify = |identity: &str| {
        let mut command = far.command(identity);
        command.arg("--identify");
        far.said(command)
    };
    let (well, said, error) = identify("board.toml");
    assert!(well && said.starts_with("target ECPIX5\ndram waits\nbuild_hash 0x00000000\n"), "{said}{error}");
    assert!(said.ends_with("ports 1\nport0 locked\n"), "{said}");
    far.identity("key.toml", "02:00:c0:ff:ee:01", "02:00:00:00:00:09", b"another key 9876");
    far.identity("board2.toml", "02:00:c0:ff:ee:02", "02:00:00:00:00:09", &KEY);
    far.identity("host2.toml", "02:00:c0:ff:ee:01", "02:00:00:00:00:08", &KEY);
    for (file, words) in [
        ("key.toml", "no board 02:00:c0:ff:ee:01 answers 02:00:00:00:00:09"),
        ("board2.toml", "no board 02:00:c0:ff:ee:02 answers"),
        ("host2.toml", "ip link set mneme0 address 02:00:00:00:00:08"),
        ("none.toml", "cannot read the identity"),
    ] {
        let (well, said, error) = identify(file);
        assert!(!well && said.is_empty() && error.contains(words), "{file}: {said}{error}");
    }
    let mut command = program();
    command.args(["--ecpix5", "nowhere0", "--identify", "--key"]).arg(far.folder.path().join("board.toml"));
    let (well, _, error) = far.said(command);
    assert!(!well && error.contains("no network interface `nowhere0`"), "{error}");
    let mut command = far.command("board.toml");
    command.args(["--identify", "--bring-up"]);
    let (well, said, error) = far.said(command);
    let levels = "dram_byte0 slip 2 delay 3 of 5 in a row\ndram_byte1 slip 0 delay 5 of 5 in a row\n";
    assert!(well && said.starts_with(&format!("{levels}target ECPIX5\ndram ready\n")), "{said}{error}");
    let mut daemon = far.daemon();
    assert_eq!(daemon.serving().len(), 1, "nothing has begun a life");
    let (well, _, error) = identify("board.toml");
    assert!(!well && error.contains("is in use: another program reaches this board"), "{error}");
    work(&far.process(), 2);
}

#[test]
fn a_board_whose_dram_cannot_be_read_is_not_served() {
    let test = "far::a_board_whose_dram_cannot_be_read_is_not_served";
    let Some(far) = Far::start::<Soft>(test, Some(Broken::Byte(1))) else { return };
    let mut command = far.command("board.toml");
    command.arg("--address").arg(far.address.to_string()).arg("--state").arg(far.folder.path().join("s"));
    let (well, said, error) = far.said(command);
    assert!(
        !well && said.is_empty() && error.contains("no delay reads byte 1 of DRAM right"),
        "{said}{error}"
    );
}

#[test]
fn a_daemon_whose_board_is_switched_off_ends_with_an_error() {
    let Some(far) = Far::start::<Soft>("far::a_daemon_whose_board_is_switched_off_ends_with_an_error", None)
    else {
        return;
    };
    let mut daemon = far.daemon();
    daemon.serving();
    drop(far);
    assert!(!daemon.end());
}
