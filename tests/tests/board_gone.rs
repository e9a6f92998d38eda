//! A board that is not there, that does not speak, or that dies in mid-copy: an error in bounded time, never a hang.
use std::net::UdpSocket;
use std::time::{Duration, Instant};

use mneme_clib::{
    Client, ClientOptions, Effect, Error, ErrorId, OpenOptions, Reason, TransportConfig, UdpDriver,
};
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::udp::{Setup, Udp};
use mneme_tests::suite::pattern;
use mneme_tests::{Config, Rig};
use mneme_wire::WIRE_VERSION;

/// How long an operation may take before it fails.
const GIVE_UP: Duration = Duration::from_secs(2);
/// What the machine may add to that when it is busy.
const GRACE: Duration = Duration::from_secs(10);

fn options() -> ClientOptions {
    let transport = TransportConfig { give_up: GIVE_UP, ..TransportConfig::default() };
    ClientOptions { transport, ..ClientOptions::default() }
}

/// Runs a call that must fail, and demands that it did in time.
#[track_caller]
fn fails_in_time<T: std::fmt::Debug>(call: impl FnOnce() -> Result<T, Error>) -> Error {
    let start = Instant::now();
    let error = call().expect_err("nobody can have answered");
    assert!(start.elapsed() < GIVE_UP + GRACE, "only after {:?}: {error}", start.elapsed());
    error
}

#[test]
fn a_board_that_is_not_there() {
    // A port that was free a moment ago: the system answers with "connection refused".
    let address = UdpSocket::bind("127.0.0.1:0").and_then(|s| s.local_addr()).expect("a free port");
    let error = fails_in_time(|| Client::connect(UdpDriver::connect(address)?, options()));
    assert_eq!(error.reason(), Some(Reason::Unreachable), "{error}");
    assert!(error.to_string().contains(&address.port().to_string()), "names the board: {error}");
}

#[test]
fn refusals_are_believed_long_before_patience_ends() {
    let address = UdpSocket::bind("127.0.0.1:0").and_then(|s| s.local_addr()).expect("a free port");
    let transport = TransportConfig { give_up: Duration::from_secs(3_600), ..TransportConfig::default() };
    let patient = ClientOptions { transport, ..ClientOptions::default() };
    let error = Client::connect(UdpDriver::connect(address).expect("a socket"), patient).expect_err("nobody");
    assert_eq!(error.reason(), Some(Reason::Unreachable), "{error}");
    let operation = error.operation().expect("the ping");
    assert_eq!((operation.attempts, operation.effect), (3, Effect::None), "{error}");
    assert!(error.to_string().contains("nothing listens on UDP"), "{error}");
}

/// A board that was heard is waited for, however often its port refuses meanwhile.
#[test]
fn a_board_that_restarts_while_a_client_calls_is_waited_for() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let address = rig.address();
    let transport = TransportConfig { give_up: Duration::from_secs(60), ..TransportConfig::default() };
    let patient = ClientOptions { transport, ..ClientOptions::default() };
    let client = Client::connect(rig.driver(), patient).expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(100).expect("alloc");
    drop(rig);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| process.rread(va, &mut [0; 10]).expect_err("its memory is gone"));
        // With timeouts from 5 ms on, that many seconds bring far more than three refusals.
        std::thread::sleep(Duration::from_secs(1));
        assert!(!reader.is_finished(), "nobody has answered yet");
        let rig = Udp::<Soft>::start_with(Setup { address, seed: 2, ..Setup::default() });
        let error = reader.join().expect("no panic");
        assert!(error.is_restart(), "{error}");
        assert!(error.operation().is_some_and(|operation| operation.attempts > 3), "{error}");
        drop(rig);
    });
}

#[test]
fn a_board_that_does_not_speak() {
    let silent = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let address = silent.local_addr().expect("an address");
    let error = fails_in_time(|| Client::connect(UdpDriver::connect(address)?, options()));
    assert_eq!(error.reason(), Some(Reason::Unreachable), "{error}");
}

#[test]
fn something_else_that_answers() {
    let other = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let address = other.local_addr().expect("an address");
    other.set_read_timeout(Some(GIVE_UP / 2)).expect("a timeout");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut buffer = [0; 2_048];
            while let Ok((length, from)) = other.recv_from(&mut buffer) {
                // An echo is no response, and the rest is no Mneme packet.
                for answer in [&buffer[..length], b"hello", b"", &[0xff; 200]] {
                    other.send_to(answer, from).expect("loopback takes it");
                }
            }
        });
        let error = fails_in_time(|| Client::connect(UdpDriver::connect(address)?, options()));
        // Or what it says looks like a board of another time.
        assert!(matches!(error.reason(), Some(Reason::Unreachable | Reason::Version)), "{error}");
    });
}

/// A board of another wire version answers as one of ours would, but for its version.
#[test]
fn a_board_of_another_version() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let (front, back) = (UdpSocket::bind("127.0.0.1:0"), UdpSocket::bind("127.0.0.1:0"));
    let (front, back) = (front.expect("a socket"), back.expect("a socket"));
    let address = front.local_addr().expect("an address");
    back.connect(rig.address()).expect("a route");
    for socket in [&front, &back] {
        socket.set_read_timeout(Some(GIVE_UP / 2)).expect("a timeout");
    }
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut buffer = [0; 2_048];
            while let Ok((length, from)) = front.recv_from(&mut buffer) {
                back.send(&buffer[..length]).expect("loopback takes it");
                let length = back.recv(&mut buffer).expect("the board answers");
                buffer[0] = buffer[0] & 0x0f | (WIRE_VERSION + 1) << 4;
                front.send_to(&buffer[..length], from).expect("loopback takes it");
            }
        });
        let error = fails_in_time(|| Client::connect(UdpDriver::connect(address)?, options()));
        assert_eq!((error.reason(), error.id()), (Some(Reason::Version), ErrorId::Version), "{error}");
    });
}

#[test]
fn a_board_that_dies_in_mid_copy() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let client = Client::connect(rig.driver(), options()).expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    let data = pattern(1, 100_000);
    let va = process.ralloc(data.len() as u64).expect("alloc");
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        drop(rig);
    });
    let start = Instant::now();
    let error = loop {
        if let Err(error) = process.rwrite(va, &data) {
            break error;
        }
        assert!(start.elapsed() < GRACE, "the board did not die");
    };
    assert!(start.elapsed() < GIVE_UP + GRACE, "only after {:?}: {error}", start.elapsed());
    // Silent until the retries were spent, or until the window had passed.
    assert!(matches!(error.reason(), Some(Reason::Unreachable | Reason::Expired)), "{error}");
    assert_ne!(error.effect(), Effect::None, "some of it may have been written: {error}");
    killer.join().expect("the daemon ends well");
    // Every further call ends too.
    let error = fails_in_time(|| process.rread(va, &mut [0; 100]));
    assert_eq!(error.reason(), Some(Reason::Unreachable), "{error}");
    fails_in_time(|| process.ralloc(1 << 20));
}

#[test]
fn a_board_that_restarts() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let address = rig.address();
    let client = Client::connect(rig.driver(), options()).expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(100).expect("alloc");
    process.rwrite(va, b"of the first life").expect("write");
    drop(rig);
    let rig = Udp::<Soft>::start_with(Setup { address, seed: 2, ..Setup::default() });
    let error = fails_in_time(|| process.rread(va, &mut [0; 10]));
    assert!(error.is_restart(), "{error}");
    let error = fails_in_time(|| process.rwrite(va, b"into the second"));
    assert!(error.is_restart(), "{error}");
    let next = client.open(OpenOptions::default()).expect("a process in the new epoch");
    let va = next.ralloc(100).expect("alloc");
    next.rwrite(va, b"of the second life").expect("write");
    drop(rig);
}
