//! A real board process is killed in the middle of a client's copy, and comes back: a typed error in bounded time, then STALE.
use crate::board;

use board::Board;
use mneme_clib::{Client, ClientOptions, Effect, OpenOptions, Process, Reason, TransportConfig, UdpDriver};
use mneme_wire::{Cause, Counter, Opcode, Packet, Pid, Request, Response, Status, Tick, Trailer, Va};
use std::net::UdpSocket;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long an operation may take before it fails.
const GIVE_UP: Duration = Duration::from_secs(2);
/// What the machine may add to that when it is busy.
const GRACE: Duration = Duration::from_secs(60);
/// Bytes of one write of the copy.
const CHUNK: usize = 16 << 10;
/// Memory that the copy goes round in.
const REGION: u64 = 1 << 20;

fn connect(address: &str) -> Client {
    let transport = TransportConfig { give_up: GIVE_UP, ..TransportConfig::default() };
    let options = ClientOptions { transport, ..ClientOptions::default() };
    Client::connect(UdpDriver::connect(address).expect("a socket"), options).expect("the board answers")
}

/// Copies without end; counts whole chunks; comes back with the error that ended it.
fn copy_until_it_fails(process: &Process, va: u64, chunks: &AtomicU64) -> (mneme_clib::Error, Instant) {
    let data: Vec<u8> = (0..CHUNK).map(|i| (i * 7) as u8).collect();
    for number in 0.. {
        let at = va + number * CHUNK as u64 % REGION;
        if let Err(error) = process.rwrite(at, &data) {
            return (error, Instant::now());
        }
        chunks.fetch_add(1, Ordering::Release);
    }
    unreachable!("a copy without end");
}

/// Sends one request of an old epoch; the board's answer.
fn of_old_epoch(address: &str, opcode: Opcode, epoch: u8, pid: u32, va: u64) -> Response {
    let payload = if opcode == Opcode::Write { &[1; 8][..] } else { &[] };
    let request = Request {
        trailer: Trailer::None,
        key_phase: false,
        timed: false,
        opcode,
        epoch,
        pid: Pid::from_low_bits(pid),
        op_id: 1,
        attempt: 0,
        time: Tick::default(),
        va: Va::from_low_bits(va),
        length: if opcode == Opcode::Exit { 0 } else { 8 },
    };
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    socket.connect(address).expect("connected");
    socket.set_read_timeout(Some(GRACE)).expect("a timeout");
    socket.send(&[&request.to_bytes()[..], payload].concat()).expect("sent");
    let mut buffer = [0; 2048];
    let len = socket.recv(&mut buffer).expect("an answer");
    Response::parse(&Packet::new_checked(&buffer[..len]).expect("a whole header")).expect("a response")
}

fn killed_and_back(number: u8, kind: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let state = folder.path().join("epochs.json");
    let args = ["--kind", kind, "--state", state.to_str().expect("UTF-8")];
    let board = Board::start_to_return(number, &args);
    let (address, old_epoch) = (board.address().to_owned(), board.epoch() as u8);
    let client = connect(&address);
    let process = client.open(OpenOptions::default()).expect("a process");
    let (pid, va) = (process.pid(), process.ralloc(REGION).expect("memory"));

    let chunks = AtomicU64::new(0);
    let (error, failed, died) = std::thread::scope(|scope| {
        let copy = scope.spawn(|| copy_until_it_fails(&process, va, &chunks));
        // It copies, whatever the machine takes for it; then the board is gone without a word.
        while chunks.load(Ordering::Acquire) < 4 && !copy.is_finished() {
            std::thread::yield_now();
        }
        board.kill();
        let died = Instant::now();
        let (error, failed) = copy.join().expect("the copy ends");
        (error, failed, died)
    });
    assert!(chunks.load(Ordering::Acquire) >= 4, "ended too early: {error}");
    let took = failed.saturating_duration_since(died);
    assert!(took < GIVE_UP + GRACE, "only after {took:?}: {error}");
    assert!(matches!(error.reason(), Some(Reason::Unreachable | Reason::Expired)), "{error}");
    assert_ne!(error.effect(), Effect::None, "some of it may have been written: {error}");
    let began = Instant::now();
    let error = process.rread(va, &mut [0; 64]).expect_err("nobody is there");
    assert!(began.elapsed() < GIVE_UP + GRACE, "{error}");
    assert_eq!(error.reason(), Some(Reason::Unreachable), "{error}");

    let board = Board::start_at(&address, &args);
    let new_epoch = board.epoch() as u8;
    assert_ne!(new_epoch, old_epoch);
    for opcode in [Opcode::Read, Opcode::Write, Opcode::Exit] {
        let answer = of_old_epoch(&address, opcode, old_epoch, pid, va);
        assert_eq!((answer.status, answer.detail().cause), (Status::Stale, Cause::Epoch), "{opcode:?}");
        assert_eq!(answer.va.get() as u8, new_epoch);
    }
    for error in [
        process.rread(va, &mut [0; 64]).expect_err("its memory is gone"),
        process.rwrite(va, b"late").expect_err("its memory is gone"),
        process.ralloc(REGION).expect_err("the process is gone"),
    ] {
        assert_eq!(error.reason(), Some(Reason::Restarted { epoch: new_epoch }), "{error}");
        assert!(error.to_string().contains("the board restarted"), "{error}");
    }
    // The same client goes on with a process of the new epoch, whose memory is empty.
    let process = client.open(OpenOptions::default()).expect("a process of the new epoch");
    let mut found = [1; 64];
    process.rread(process.ralloc(REGION).expect("memory"), &mut found).expect("read");
    assert_eq!(found, [0; 64]);
    process.exit().expect("ended");
    assert!(client.board_counters().expect("counters").get(Counter::StatusStale) >= 3);
    board.end();
}

#[test]
fn a_software_board_is_killed_in_mid_copy() {
    killed_and_back(1, "soft");
}

#[test]
fn an_rtl_board_is_killed_in_mid_copy() {
    killed_and_back(2, "rtl");
}
