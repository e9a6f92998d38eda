//! A real board process stands still in the middle of a client's work (SIGSTOP) and goes on: each operation ends in bounded time,
//! and took effect once, or at most once where its caller was told so.
use crate::board;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use board::Board;
use mneme_clib::{Client, ClientOptions, Effect, OpenOptions, Process, TransportConfig, UdpDriver};

/// How long an operation may take before it fails, and what the machine may add to that when it is busy.
const GIVE_UP: Duration = Duration::from_secs(4);
const GRACE: Duration = Duration::from_secs(60);
/// How long the board stands still: longer than its window, and a moment.
const STOPS: [Duration; 3] =
    [Duration::from_millis(1_500), Duration::from_millis(20), Duration::from_millis(700)];

/// Adds to a word without end; how often it was done, and how often nobody knows.
fn add(process: &Process, va: u64, stop: &AtomicBool) -> (u64, u64) {
    let (mut done, mut unknown) = (0, 0);
    while !stop.load(Ordering::Acquire) {
        let began = Instant::now();
        match process.fetch_add(va, 1) {
            Ok(old) => {
                assert!((done..=done + unknown).contains(&old), "{old} after {done} and {unknown}");
                done += 1;
            }
            Err(error) => unknown += u64::from(error.effect() != Effect::None),
        }
        assert!(began.elapsed() < GIVE_UP + GRACE, "an operation took {:?}", began.elapsed());
    }
    (done, unknown)
}

fn stands_still(kind: &str) {
    let board = Board::start(&["--kind", kind]);
    let transport = TransportConfig { give_up: GIVE_UP, ..TransportConfig::default() };
    let options = ClientOptions { transport, ..ClientOptions::default() };
    let driver = UdpDriver::connect(board.address()).expect("a socket");
    let client = Client::connect(driver, options).expect("the board answers");
    let process = client.open(OpenOptions::default()).expect("a process");
    let va = process.ralloc_zeroed(8).expect("memory");
    let stop = AtomicBool::new(false);
    let (done, unknown) = std::thread::scope(|scope| {
        let adding = scope.spawn(|| add(&process, va, &stop));
        for pause in STOPS {
            std::thread::sleep(Duration::from_millis(100));
            board.signal("-STOP");
            std::thread::sleep(pause);
            board.signal("-CONT");
        }
        std::thread::sleep(Duration::from_millis(100));
        stop.store(true, Ordering::Release);
        adding.join().expect("no panic")
    });
    assert!(done > 0, "nothing was done");
    // What nobody knows of has closed memory until its window is over.
    let began = Instant::now();
    let value = loop {
        match process.fetch_add(va, 0) {
            Ok(value) => break value,
            Err(error) => assert!(began.elapsed() < GRACE, "{error}"),
        }
    };
    assert!((done..=done + unknown).contains(&value), "{value} after {done} and {unknown}");
    process.exit().expect("ended");
    drop(client);
    board.end();
}

#[test]
fn a_software_board_stands_still() {
    stands_still("soft");
}

#[test]
fn an_rtl_board_stands_still() {
    stands_still("rtl");
}
