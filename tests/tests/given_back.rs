//! The room of the system's that a software board's memory takes: it is used again, and goes back when the board rests.
use std::net::UdpSocket;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mneme_clib::{Client, ClientOptions, OpenOptions, TransportConfig, UdpDriver};
use mneme_daemon::Options;
use mneme_model::Node;
use mneme_slowpath::MemoryEpochs;
use mneme_tests::rig::in_process::{BoardKind, InProcess, Soft, network};
use mneme_tests::suite::pattern;
use mneme_tests::{Config, Rig};
use mneme_world::InProcessDriver;

/// Half of the board's memory.
const BYTES: usize = 8 << 20;

/// A process writes, reads what it has written, and ends. Before that all is zeros.
fn comes_and_goes(client: &Client, seed: u64) {
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(BYTES as u64).expect("alloc");
    let (data, mut back) = (pattern(seed, BYTES / 2), vec![1; BYTES / 2]);
    // Of each page the second half is never written.
    for page in (0..BYTES).step_by(1 << 18) {
        let (half, at) = (1 << 17, va + page as u64);
        process.rwrite(at, &data[page / 2..][..half]).expect("write");
        process.rread(at + half as u64, &mut back[page / 2..][..half]).expect("read");
    }
    assert!(back.iter().all(|byte| *byte == 0), "somebody else's bytes");
    for page in (0..BYTES).step_by(1 << 18) {
        process.rread(va + page as u64, &mut back[page / 2..][..1 << 17]).expect("read");
    }
    assert!(back == data);
    process.exit().expect("exit");
}

#[test]
fn pages_that_are_free_give_their_room_back_and_others_keep_it() {
    let network = network(Soft::reset(Config::Small), Soft::NUMBER, Config::Small);
    let client =
        Client::connect(InProcessDriver::new(&network), InProcess::<Soft>::options()).expect("connect");
    let taken = || network.with_node(|node| node.fast().memory_taken());
    let stays = client.open(OpenOptions::default()).expect("open");
    let word = stays.ralloc(8).expect("alloc");
    stays.rwrite(word, b"it stays").expect("write");
    for round in 0..5 {
        comes_and_goes(&client, round);
        assert!(taken() >= BYTES as u64, "what was freed waits to be used again");
        if round % 2 == 0 {
            network.with_node(|node| (0..100).for_each(|_| node.forget_free(7)));
            assert!(taken() < BYTES as u64 / 2, "{} bytes", taken());
        }
    }
    let mut back = [0; 8];
    stays.rread(word, &mut back).expect("read");
    assert_eq!(&back, b"it stays");
}

#[test]
fn a_served_board_that_rests_gives_the_room_of_its_free_pages_back() {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let address = socket.local_addr().expect("an address");
    let mut fast = Soft::reset(Config::Small);
    let mut settings =
        mneme_daemon::config(&mut fast, Soft::NUMBER, [1; 32], Soft::NS_PER_CYCLE, Soft::WINDOW);
    mneme_daemon::take_address(&mut settings, &socket);
    let options = Options::of(&settings, Soft::NS_PER_CYCLE);
    let store = &mut MemoryEpochs::default();
    let mut node =
        Node::boot_with_workers(fast, settings, store, mneme_daemon::DEFAULT_WORKERS).expect("boot");
    let stop = AtomicBool::new(false);
    let mut serve = |rests: Duration| {
        stop.store(false, Ordering::Relaxed);
        std::thread::scope(|scope| {
            let served = scope.spawn(|| mneme_daemon::serve(&mut node, &socket, &options, &stop));
            if rests.is_zero() {
                let transport =
                    TransportConfig { give_up: Duration::from_secs(60), ..TransportConfig::default() };
                let options = ClientOptions { transport, ..ClientOptions::default() };
                let driver = UdpDriver::connect(address).expect("a socket");
                comes_and_goes(&Client::connect(driver, options).expect("connect"), 1);
            }
            std::thread::sleep(rests);
            stop.store(true, Ordering::Relaxed);
            served.join().expect("no panic").expect("served");
        });
        node.fast().memory_taken()
    };
    assert!(serve(Duration::ZERO) >= BYTES as u64, "what was freed waits to be used again");
    assert!(serve(Duration::from_secs(4)) < BYTES as u64 / 2, "nobody has wanted it");
}
