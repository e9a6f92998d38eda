//! Threads that share a client: nobody waits for a thread that waits, and everybody gets his answers, whoever takes them from the network.
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mneme_clib::driver::{UdpOptions, Waiting};
use mneme_clib::{Client, ClientOptions, OpenOptions, Polled, Reason, TransportConfig, UdpDriver};
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::udp::Udp;
use mneme_tests::{Config, Rig};

/// How long a call on a board that is gone blocks.
const GIVE_UP: Duration = Duration::from_secs(4);

fn client(rig: &Udp<Soft>, waiting: Waiting) -> Client {
    let mut driver = UdpDriver::connect_with(rig.address(), UdpOptions::default()).expect("a socket");
    driver.set_waiting(waiting);
    let transport = TransportConfig { give_up: GIVE_UP, ..TransportConfig::default() };
    Client::connect(driver, ClientOptions { transport, ..ClientOptions::default() }).expect("connect")
}

/// One thread waits for a board that is gone. Others poll, submit, drop and ask meanwhile, and get their turn at once.
fn others_get_their_turn(waiting: Waiting) {
    let rig = Udp::<Soft>::start(Config::Sim);
    let client = client(&rig, waiting);
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(1 << 20).expect("alloc");
    drop(rig);
    let waits = AtomicBool::new(true);
    thread::scope(|scope| {
        scope.spawn(|| {
            let error = process.rread(va, &mut [0; 8]).expect_err("nobody can have answered");
            assert_eq!(error.reason(), Some(Reason::Unreachable), "{error}");
            waits.store(false, Ordering::Release);
        });
        let began = Instant::now();
        let mut turns = 0u32;
        while waits.load(Ordering::Acquire) {
            let mut into = [0; 8];
            let pending = process.rread_async(va + 4096, &mut into);
            let polled = pending.rpoll();
            let _ = client.statistics();
            drop(polled);
            turns += 1;
            thread::sleep(Duration::from_millis(1));
        }
        let waited = began.elapsed();
        assert!(waited >= GIVE_UP / 2, "the call ended after {waited:?}");
        // A busy machine takes longer, but not as long as the call that waits.
        assert!(turns > 50, "{turns} turns in {waited:?}");
    });
}

#[test]
fn others_get_their_turn_while_one_sleeps() {
    others_get_their_turn(Waiting::Yield);
}

#[test]
fn others_get_their_turn_while_one_spins() {
    others_get_their_turn(Waiting::Spin);
}

/// A thread that polls takes the answers to another one's synchronous calls from the network: these end nevertheless, and none waits for
/// a timer.
fn answers_find_their_thread(waiting: Waiting) {
    const CALLS: u64 = 3_000;
    let rig = Udp::<Soft>::start(Config::Sim);
    let client = client(&rig, waiting);
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(1 << 20).expect("alloc");
    let ends = AtomicBool::new(false);
    thread::scope(|scope| {
        let poller = scope.spawn(|| {
            let mut polled = 0u64;
            while !ends.load(Ordering::Acquire) {
                let mut into = [0; 64];
                let mut pending = process.rread_async(va + (1 << 19), &mut into);
                loop {
                    match pending.rpoll() {
                        Polled::Ready(result) => break assert_eq!(result.expect("read").len(), 64),
                        Polled::Pending(again) => pending = again,
                    }
                }
                polled += 1;
            }
            polled
        });
        for call in 0..CALLS {
            let at = va + 8 * (call % 1024);
            process.rwrite(at, &call.to_le_bytes()).expect("write");
            let mut back = [0; 8];
            process.rread(at, &mut back).expect("read");
            assert_eq!(u64::from_le_bytes(back), call);
        }
        ends.store(true, Ordering::Release);
        assert!(poller.join().expect("the poller ends well") > 0);
    });
    process.exit().expect("exit");
}

#[test]
fn answers_find_their_thread_when_it_sleeps() {
    answers_find_their_thread(Waiting::Yield);
}

#[test]
fn answers_find_their_thread_when_it_spins() {
    answers_find_their_thread(Waiting::Spin);
}

/// Sixteen threads make all kinds of synchronous calls on one client, futures and releases among them.
#[test]
fn sixteen_threads_of_all_kinds() {
    const THREADS: u64 = 16;
    const EACH: u64 = 150;
    let rig = Udp::<Soft>::start(Config::Sim);
    let client = client(&rig, Waiting::Yield);
    let process = client.open(OpenOptions::default()).expect("open");
    let shared = process.ralloc(8).expect("alloc");
    process.rwrite(shared, &[0; 8]).expect("clear");
    let released = AtomicU64::new(0);
    thread::scope(|scope| {
        for number in 0..THREADS {
            let (process, released) = (&process, &released);
            scope.spawn(move || {
                let own = process.ralloc(4096).expect("alloc");
                for turn in 0..EACH {
                    let word = (number << 32 | turn).to_le_bytes();
                    match turn % 5 {
                        0 => {
                            let _left_alone = process.rwrite_async(own, &word);
                            process.rrelease().expect("release");
                            released.fetch_add(1, Ordering::Relaxed);
                        }
                        1 => {
                            let written = process.rwrite_async(own, &word);
                            mneme_tests::executor::block_on(written).0.expect("write");
                        }
                        2 => process.rwrite_async(own, &word).wait().expect("write"),
                        3 => {
                            process.rfence().expect("fence");
                            process.rwrite(own, &word).expect("write");
                        }
                        _ => process.rwrite(own, &word).expect("write"),
                    }
                    let mut back = [0; 8];
                    process.rread(own, &mut back).expect("read");
                    assert_eq!(back, word, "thread {number}, turn {turn}");
                    process.fetch_add(shared, 1).expect("add");
                }
                process.rfree(own).expect("free");
            });
        }
    });
    assert_eq!(process.fetch_add(shared, 0).expect("add"), THREADS * EACH);
    assert_eq!(released.into_inner(), THREADS * EACH / 5);
    process.exit().expect("exit");
}
