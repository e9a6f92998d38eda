//! Datagrams that a socket sends joined, towards boards that read them as one: a raw link at the other end of a cable on the
//! same machine, and, where there are no privileges, a go-between that does what such a link does.
use std::net::{SocketAddr, UdpSocket};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mneme_clib::{Client, ClientOptions, OpenOptions, TransportConfig, UdpDriver};
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::raw::{self, Raw, Tpacket};
use mneme_tests::rig::udp::Udp;
use mneme_tests::rig::veth::End;
use mneme_tests::suite::{pattern, read};
use mneme_tests::{Config, Rig};
use mneme_wire::{Cause, Detail, Opcode, Packet, Request, Response, Status};

/// Bytes of a read of many packets, whose requests are small and equally long: they leave joined.
const MANY: usize = 60_000;

fn joins(driver: &UdpDriver, test: &str) -> bool {
    let not = driver.not_joined();
    if let Some(why) = not {
        mneme_tests::rig::skipped(test, format_args!("{why}"));
    }
    not.is_none()
}

#[test]
fn small_reads_from_a_raw_board_do_not_fail_for_being_joined() {
    let test = "small_reads_from_a_raw_board_do_not_fail_for_being_joined";
    if !Raw::<Soft, Tpacket>::works(test) {
        return;
    }
    let rig = Raw::<Soft, Tpacket>::start(Config::Sim);
    let driver = rig.veth().at(End::Client, || UdpDriver::connect(raw::address())).expect("a socket");
    if !joins(&driver, test) {
        return;
    }
    let client = Client::connect(driver, ClientOptions::default()).expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(MANY as u64).expect("alloc");
    // Nothing large has left joined so far, which would have ended it for another reason.
    assert_eq!(read(&process, va, MANY), vec![0; MANY]);
    assert!(!client.remarks().is_empty(), "datagrams leave one by one");
    let data = pattern(4, MANY);
    process.rwrite(va, &data).expect("write");
    assert_eq!(read(&process, va, MANY), data);
}

/// Carries datagrams between a client and a board. The first reads arrive as if they were one datagram: the first of them is
/// refused for what is behind it, which nobody hears of. That ends when one leaves again.
struct GoBetween {
    near: UdpSocket,
    far: UdpSocket,
    client: OnceLock<SocketAddr>,
    over: AtomicBool,
    /// Nothing passes.
    away: AtomicBool,
}

impl GoBetween {
    fn new(board: SocketAddr) -> GoBetween {
        let socket = || {
            let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
            socket.set_read_timeout(Some(Duration::from_millis(20))).expect("a timeout");
            socket
        };
        let (near, far) = (socket(), socket());
        far.connect(board).expect("loopback");
        GoBetween {
            near,
            far,
            client: OnceLock::new(),
            over: AtomicBool::new(false),
            away: AtomicBool::new(false),
        }
    }
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
    fn to_the_board(&self) {
        let (mut buffer, mut whole, mut reads) = ([0; 9_000], true, 0);
        while !self.is_over() {
            let Ok((length, from)) = self.near.recv_from(&mut buffer) else { continue };
            self.client.get_or_init(|| from);
            let datagram = &buffer[..length];
            let request =
                Request::parse(&Packet::new_checked(datagram).expect("a header")).expect("a request");
            if whole && request.opcode == Opcode::Read {
                whole = request.attempt == 0;
                reads += 1;
                if whole && reads == 1 {
                    let va = Detail { cause: Cause::Length, hint: 0 }.to_va();
                    let refusal = Response::fail(&request, request.time, Status::BadRequest, va);
                    self.near.send_to(&refusal.to_bytes(), from).expect("loopback");
                }
                if whole {
                    continue;
                }
            }
            self.far.send(datagram).expect("loopback");
        }
        assert!(reads > 2, "{reads} reads came as one datagram");
    }
    /// Carries everything, unless the board is away.
    fn plainly(&self) {
        let mut buffer = [0; 9_000];
        while !self.is_over() {
            let Ok((length, from)) = self.near.recv_from(&mut buffer) else { continue };
            self.client.get_or_init(|| from);
            if !self.is_away() {
                self.far.send(&buffer[..length]).expect("loopback");
            }
        }
    }
    fn is_away(&self) -> bool {
        self.away.load(Ordering::Relaxed)
    }
    fn to_the_client(&self) {
        let mut buffer = [0; 9_000];
        while !self.is_over() {
            let Ok(length) = self.far.recv(&mut buffer) else { continue };
            if self.is_away() {
                continue;
            }
            let client = self.client.get().expect("the board answers");
            self.near.send_to(&buffer[..length], client).expect("loopback");
        }
    }
}

/// Ends the threads, on every way out.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_refusal_of_a_joined_datagram_is_taken_for_what_it_is() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let between = GoBetween::new(rig.address());
    let driver = UdpDriver::connect(between.near.local_addr().expect("bound")).expect("a socket");
    if !joins(&driver, "a_refusal_of_a_joined_datagram_is_taken_for_what_it_is") {
        return;
    }
    std::thread::scope(|scope| {
        scope.spawn(|| between.to_the_board());
        scope.spawn(|| between.to_the_client());
        let _end = Over(&between.over);
        let client = Client::connect(driver, ClientOptions::default()).expect("connect");
        let process = client.open(OpenOptions::default()).expect("open");
        let va = process.ralloc(MANY as u64).expect("alloc");
        assert_eq!(read(&process, va, MANY), vec![0; MANY]);
        assert!(!client.remarks().is_empty(), "datagrams leave one by one");
    });
}

#[test]
fn a_board_that_was_away_is_sent_joined_datagrams_again() {
    const PATIENCE: Duration = Duration::from_secs(60);
    let rig = Udp::<Soft>::start(Config::Sim);
    let between = GoBetween::new(rig.address());
    let driver = UdpDriver::connect(between.near.local_addr().expect("bound")).expect("a socket");
    if !joins(&driver, "a_board_that_was_away_is_sent_joined_datagrams_again") {
        return;
    }
    std::thread::scope(|scope| {
        scope.spawn(|| between.plainly());
        scope.spawn(|| between.to_the_client());
        let _end = Over(&between.over);
        let transport = TransportConfig { give_up: PATIENCE, ..TransportConfig::default() };
        let options = ClientOptions { transport, ..ClientOptions::default() };
        let client = Client::connect(driver, options).expect("connect");
        let process = client.open(OpenOptions::default()).expect("open");
        let va = process.ralloc(MANY as u64).expect("alloc");
        let until = |joined: bool, turn: &dyn Fn()| {
            let began = Instant::now();
            while client.remarks().is_empty() != joined {
                assert!(began.elapsed() < PATIENCE, "joined: {}, for too long", !joined);
                turn();
            }
        };
        let turns = AtomicU64::new(0);
        until(false, &|| {
            let away = Duration::from_millis(100) * turns.fetch_add(1, Ordering::Relaxed) as u32;
            between.away.store(true, Ordering::Relaxed);
            let between = &between;
            scope.spawn(move || {
                std::thread::sleep(away);
                between.away.store(false, Ordering::Relaxed);
            });
            assert_eq!(read(&process, va, MANY), vec![0; MANY]);
        });
        let stays = || {
            until(true, &|| assert_eq!(read(&process, va, MANY), vec![0; MANY]));
            // What was tried has been answered, or is found silent by the next.
            let tried = Instant::now();
            while tried.elapsed() < Duration::from_millis(50) {
                assert_eq!(read(&process, va, MANY), vec![0; MANY]);
            }
            client.remarks().is_empty()
        };
        assert!((0..6).any(|_| stays()), "datagrams leave joined again");
    });
}
