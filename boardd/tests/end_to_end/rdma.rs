//! A board whose RDMA port is in its hardware, and whose connections its daemon makes.
use std::io::Read;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::Stdio;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use mneme_clib::{AllocOptions, Client, ClientOptions, OpenOptions, Process, TransportConfig};
use mneme_daemon::rdma::{LinePort, statistics_names};
use mneme_rdma::cm::{Ask, ConnectError, Kind, Refusal};
use mneme_rdma::memory::Access;
use mneme_rdma::requester::Completion;
use mneme_rdma::udp::{ClientError, NativeClient};
use mneme_rtl::{RtlConfig, RtlFast, RtlOptions};
use mneme_tests::Config;
use mneme_tests::rig::in_process::{Rtl, Soft};
use mneme_tests::served::address;

use crate::rig::{Daemon, Hardware, program, terminate};

/// Boards that this process has made.
static BOARDS: AtomicU8 = AtomicU8::new(0);
const PAGE: u64 = 1 << 20;

pub struct Board {
    pub hardware: Hardware,
    pub number: u8,
    hosts: u8,
    /// Connections for what was counted.
    looks: u64,
}

impl Board {
    pub fn start() -> Board {
        let number = BOARDS.fetch_add(1, Ordering::Relaxed);
        let own = address(number, 1);
        let fast = RtlFast::new(RtlOptions::new(RtlConfig::Rdma)).expect("a board");
        let open = |mac| LinePort::open(own, mac).expect("UDP port 4791 is free");
        Board { hardware: Hardware::with::<Rtl, _>(fast, own, open), number, hosts: 1, looks: 0 }
    }
    pub fn ip(&self) -> Ipv4Addr {
        match self.hardware.address {
            SocketAddr::V4(address) => *address.ip(),
            SocketAddr::V6(address) => panic!("{address}"),
        }
    }
    fn rdma(&mut self, ask: Ask) -> Result<NativeClient, ClientError> {
        self.hosts += 1;
        let random = u128::from(self.hosts) << 64 | 0x1234_5678;
        let patience = Duration::from_secs(20);
        NativeClient::connect(address(self.number, self.hosts), self.ip(), ask, random, patience)
    }
    /// What a counter tells who asks for a process, at an address of one's own.
    pub fn told(&mut self, process: &Process, name: &str) -> u64 {
        self.looks += 1;
        let ask = Ask { kind: Kind::Statistics, ..ask(process, 0, 8) };
        let random = u128::from(self.looks) << 72 | 0x1234_5678;
        let patience = Duration::from_secs(20);
        let from = address(self.number, 15);
        let mut asks = NativeClient::connect(from, self.ip(), ask, random, patience).expect("a connection");
        let place = statistics_names().position(|own| own == name).expect("a counter") as u64;
        asks.native.read(8 * place, vec![0; 8]).expect("posted");
        let bytes = done(&mut asks).buffer.expect("a counter");
        u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
    }
    pub fn process(&self) -> Process {
        let transport = TransportConfig { give_up: Duration::from_secs(60), ..TransportConfig::default() };
        let options = ClientOptions { transport, ..ClientOptions::default() };
        let client = Client::connect(self.hardware.driver(), options).expect("the board answers");
        client.open(OpenOptions::default()).expect("open")
    }
}

fn ask(process: &Process, va: u64, length: u64) -> Ask {
    Ask {
        pid: process.pid(),
        kind: Kind::Pages,
        access: Access::ALL,
        token: process.token(),
        va,
        length,
        hardened: false,
    }
}

fn done(client: &mut NativeClient) -> Completion<Vec<u8>> {
    client.wait().expect("the socket works").expect("an operation")
}

/// Writes by one wire and reads by the other, and adds by both.
fn meets(rdma: &mut NativeClient, process: &Process, va: u64, salt: u8) {
    let data: Vec<u8> = (0..9_000_u32).map(|at| (at as u8).wrapping_mul(31) ^ salt).collect();
    process.rwrite(va + PAGE - 4_000, &data).expect("written");
    rdma.native.read(va + PAGE - 4_000, vec![0; data.len()]).expect("posted");
    assert_eq!(done(rdma).buffer.as_deref(), Some(&data[..]));
    let other: Vec<u8> = data.iter().rev().copied().collect();
    rdma.native.write(va + 64, other.clone(), None, false).expect("posted");
    assert_eq!(done(rdma).result, Ok(()));
    let mut back = vec![0; other.len()];
    process.rread(va + 64, &mut back).expect("read");
    assert_eq!(back, other);
    process.rwrite(va, &5_u64.to_le_bytes()).expect("written");
    rdma.native.fetch_add(va, 1_000).expect("posted");
    assert_eq!(done(rdma).found, Some(5));
    assert_eq!(process.fetch_add(va, 0).expect("read"), 1_005);
}

#[test]
fn a_daemon_makes_connections_that_its_board_serves() {
    let mut board = Board::start();
    let mut daemon = Daemon::start(&board.hardware, &["--rdma"]);
    let said = daemon.serving();
    assert!(said[0].ends_with(", RDMA"), "{said:?}");
    let process = board.process();
    let va = process.ralloc(2 * PAGE).expect("alloc");
    let good = ask(&process, va, 2 * PAGE);
    let mut token = good.token;
    token[3] ^= 1;
    match board.rdma(Ask { token, ..good }) {
        Err(ClientError::Connect(ConnectError::Refused(refusal))) => assert_eq!(refusal, Refusal::Process),
        other => panic!("{other:?}"),
    }
    let mut rdma = board.rdma(good).expect("a connection");
    meets(&mut rdma, &process, va, 1);
    // Pages of 4 KB.
    let options = AllocOptions { frames: Some(0), ..AllocOptions::default() };
    let frames = process.ralloc_with(2 * PAGE, options).expect("alloc");
    let small = Ask { kind: Kind::Frames, ..ask(&process, frames, 2 * PAGE) };
    let mut small = board.rdma(small).expect("a connection");
    meets(&mut small, &process, frames, 5);
    // What it has counted it tells by RDMA, too.
    let kind = Kind::Statistics;
    let mut statistics = board.rdma(Ask { kind, ..ask(&process, 0, 8) }).expect("a connection");
    statistics.native.read(0, vec![0; 8 * statistics_names().count()]).expect("posted");
    let read = done(&mut statistics);
    assert_eq!(read.result, Ok(()));
    let bytes = read.buffer.expect("counters");
    let counts: Vec<u64> = bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let told = |name| counts[statistics_names().position(|own| own == name).expect("a counter")];
    assert_eq!((told("connections"), told("connections refused")), (3, 1));
    assert!(told("reads") >= 1 && told("writes") >= 1 && told("atomics") == 2, "{counts:?}");
    // The process ends, and with it what could reach its memory.
    process.exit().expect("ended");
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        statistics.native.read(0, vec![0; 8]).expect("posted");
        // That connection is the process's, too.
        if done(&mut statistics).result.is_err() || Instant::now() > until {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(Instant::now() < until, "connections outlive their process");
    terminate(daemon.id());
    let mut said = Vec::new();
    loop {
        let line = daemon.line();
        if line.is_empty() {
            break;
        }
        said.push(line);
    }
    assert!(daemon.end());
    for line in ["RDMA connections made: 3", "RDMA connections ended with their process: 3"] {
        assert!(said.iter().any(|own| own == line), "{line}: {said:?}");
    }
}

#[test]
fn connections_outlive_a_killed_daemon_and_end_with_the_next_one() {
    let mut board = Board::start();
    let mut daemon = Daemon::start(&board.hardware, &["--rdma"]);
    daemon.serving();
    let process = board.process();
    let va = process.ralloc(2 * PAGE).expect("alloc");
    let mut rdma = board.rdma(ask(&process, va, 2 * PAGE)).expect("a connection");
    meets(&mut rdma, &process, va, 2);
    drop(daemon);
    // The board needs nobody for what it serves itself.
    meets(&mut rdma, &process, va, 3);
    let mut daemon = Daemon::start(&board.hardware, &["--rdma"]);
    let said = daemon.serving();
    assert!(said[0].starts_with("the core was in use: epoch "), "{said:?}");
    // The former life's queue pairs are no more: its client asks in vain, until it gives up.
    rdma.native.read(va, vec![0; 8]).expect("posted");
    let ended = rdma.wait().expect("the socket works").expect("an operation");
    assert!(ended.result.is_err(), "{ended:?}");
    let next = board.process();
    let va = next.ralloc(2 * PAGE).expect("alloc");
    let mut rdma = board.rdma(ask(&next, va, 2 * PAGE)).expect("a connection");
    meets(&mut rdma, &next, va, 4);
}

#[test]
fn a_daemon_feeds_the_leaf_unit_of_its_board() {
    let board = Board::start();
    let mut daemon = Daemon::start(&board.hardware, &[]);
    daemon.serving();
    let process = board.process();
    const BYTES: u64 = 8 << 20;
    let options = AllocOptions { frames: Some(1 << 20), ..AllocOptions::default() };
    for salt in 0..2_u8 {
        let va = process.ralloc_with(BYTES, options).expect("alloc");
        // Every 40th page, across its border, and a word of each.
        for at in (0..BYTES - 8_192).step_by(40 * 4096) {
            let data: Vec<u8> = (0..300_u32).map(|byte| (byte as u8).wrapping_mul(7) ^ salt).collect();
            process.rwrite(va + at + 4_000, &data).expect("written");
            let mut back = vec![0xff; 500];
            process.rread(va + at + 3_900, &mut back).expect("read");
            assert!(back[..100] == [0; 100] && back[100..400] == data[..] && back[400..] == [0; 100]);
            assert_eq!(process.fetch_add(va + at, 3).expect("added"), 0);
        }
        // Nobody has written these.
        let mut zeros = [0xff; 64];
        process.rread(va + 10 * 4096, &mut zeros).expect("read");
        assert_eq!(zeros, [0; 64]);
        process.rfree(va).expect("freed");
    }
}

#[test]
fn a_board_without_a_port_is_not_served_as_if_it_had_one() {
    let hardware = Hardware::start::<Soft>(Config::Small);
    let mut command = program();
    command.arg("--simulated").arg(hardware.path("device")).arg("--state").arg(hardware.path("state.json"));
    let mut child =
        command.arg("--rdma").stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
    let mut said = String::new();
    child.stderr.take().expect("its errors").read_to_string(&mut said).expect("text");
    assert!(!child.wait().expect("it ends").success());
    assert!(said.contains("no RDMA port: leave --rdma out"), "{said}");
}
