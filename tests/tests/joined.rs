//! Datagrams that leave joined: to boards that take them apart, and to those that read them as one, such as a raw link
//! without a ring at the other end of a cable on the same machine, and, where there are no privileges, a go-between that does what such a link does.
use std::net::{SocketAddr, SocketAddrV4, UdpSocket};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mneme_clib::driver::{LinkKind, Route, Waiting};
use mneme_clib::{Client, ClientOptions, Driver, OpenOptions, RawDriver, TransportConfig, UdpDriver};
use mneme_link::{Interface, Link, PacketRing, PortReservation, Selection};
use mneme_skips::{Lack, skipped};
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::raw::{self, Pnet, Raw, RawKind, Tpacket};
use mneme_tests::rig::udp::Udp;
use mneme_tests::rig::veth::{End, INTERFACE, Veth};
use mneme_tests::suite::{pattern, read};
use mneme_tests::{Config, Rig};
use mneme_wire::frame::UdpFrame;
use mneme_wire::{Cause, Detail, Opcode, Packet, Request, Response, Status};

/// Bytes of a read of many packets, whose requests are small and equally long: they leave joined.
const MANY: usize = 60_000;

fn joins(driver: &UdpDriver, test: &str) -> bool {
    let not = driver.not_joined();
    if let Some(why) = not {
        skipped(test, Lack::System, format_args!("{why}"));
    }
    not.is_none()
}

/// A raw driver on the cable's interface, for a thread at the client's end.
fn connect(to: SocketAddrV4, kind: LinkKind) -> RawDriver {
    let route = Route { interface: Some(INTERFACE.into()), ..Route::default() };
    RawDriver::connect(to, kind, &route, Waiting::Yield).expect("the link opens")
}

/// Drivers that join, at the client's end of a cable; none where the kernel does not know it.
fn joining<L: RawKind>(rig: &Raw<Soft, L>, test: &str) -> Option<(UdpDriver, RawDriver)> {
    let (udp, ring) = rig.veth().at(End::Client, || {
        let udp = UdpDriver::connect(raw::address()).expect("a socket");
        (udp, connect(raw::address(), LinkKind::PacketRing))
    });
    if let Some(why) = ring.not_joined() {
        skipped(test, Lack::System, format_args!("{why}"));
        return None;
    }
    joins(&udp, test).then_some((udp, ring))
}

/// Reads and writes that leave joined where the driver joins; whether it does in the end.
fn reads_and_writes(driver: impl Driver + 'static) -> bool {
    let client = Client::connect(driver, ClientOptions::default()).expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(MANY as u64).expect("alloc");
    // Nothing large has left joined so far, which would have ended it for another reason.
    assert_eq!(read(&process, va, MANY), vec![0; MANY]);
    let joins = !client.remarks().iter().any(|remark| remark.contains("one by one"));
    for round in 0..20 {
        let data = pattern(round, MANY);
        process.rwrite(va, &data).expect("write");
        assert_eq!(read(&process, va, MANY), data);
    }
    assert_eq!(joins, !client.remarks().iter().any(|remark| remark.contains("one by one")));
    joins
}

#[test]
fn small_reads_from_a_raw_board_do_not_fail_for_being_joined() {
    let test = "small_reads_from_a_raw_board_do_not_fail_for_being_joined";
    if !Raw::<Soft, Pnet>::works(test) || !Raw::<Soft, Tpacket>::works(test) {
        return;
    }
    let rig = Raw::<Soft, Pnet>::start(Config::Sim);
    let Some((udp, ring)) = joining(&rig, test) else { return };
    assert!(!reads_and_writes(udp) && !reads_and_writes(ring), "datagrams leave one by one");
}

#[test]
fn a_board_with_a_ring_takes_joined_datagrams_apart_and_answers_so() {
    let test = "a_board_with_a_ring_takes_joined_datagrams_apart_and_answers_so";
    if !Raw::<Soft, Tpacket>::works(test) {
        return;
    }
    let rig = Raw::<Soft, Tpacket>::start(Config::Sim);
    let Some((udp, ring)) = joining(&rig, test) else { return };
    assert!(reads_and_writes(udp) && reads_and_writes(ring), "datagrams leave joined");
}

#[test]
fn joined_datagrams_come_back_as_they_left() {
    let test = "joined_datagrams_come_back_as_they_left";
    if !Raw::<Soft, Tpacket>::works(test) {
        return;
    }
    let veth = Veth::new().expect("network namespaces worked before");
    let address = SocketAddrV4::new(Veth::address(End::Board), 19_790);
    let (mut far, _held) = veth.at(End::Board, || {
        let interface = Interface::named(INTERFACE).expect("the interface is up");
        let selection = Selection::Port { ip: address.ip().octets(), port: address.port() };
        let link = PacketRing::open(&interface, selection, Waiting::Yield).expect("the link opens");
        (link, PortReservation::new(*address.ip(), address.port()).expect("the port is free"))
    });
    let mut near = veth.at(End::Client, || connect(address, LinkKind::PacketRing));
    if let Some(why) = near.not_joined() {
        return skipped(test, Lack::System, format_args!("{why}"));
    }
    let (mut back, mut frames) = (Vec::new(), 0);
    for round in 0..200_usize {
        let lengths: Vec<usize> =
            (0..1 + round % 40).map(|n| if n % 11 == 10 { 9 } else { 1 + round * 7 }).collect();
        for (number, length) in lengths.iter().enumerate() {
            near.send(*length, &mut |to| to.fill((round + number) as u8)).expect("sent");
        }
        near.flush().expect("sent");
        let (mut came, began) = (0, Instant::now());
        while came < lengths.len() {
            assert!(began.elapsed() < Duration::from_secs(20), "round {round}: {came} of {}", lengths.len());
            let mut answers = Vec::new();
            far.receive(Duration::from_millis(100), 64, &mut |frame| {
                let Ok(UdpFrame { endpoints, datagram }) = frame.parse() else { return };
                frames += 1;
                answers.extend(frame.datagrams(datagram).map(|one| (endpoints.reversed(), one.to_vec())));
            })
            .expect("received");
            for (endpoints, datagram) in answers {
                if far.is_full() {
                    far.flush(&mut |_| {}).expect("sent");
                }
                far.send(&endpoints, datagram.len(), true, &mut |to| to.copy_from_slice(&datagram))
                    .expect("sent");
            }
            far.flush(&mut |_| {}).expect("sent");
            came += near
                .receive(Duration::from_millis(100), &mut |_, datagram| back.push(datagram.to_vec()))
                .expect("received");
        }
        let sent = lengths.iter().enumerate().map(|(number, length)| vec![(round + number) as u8; *length]);
        assert!(back.drain(..).eq(sent), "round {round}");
    }
    let (link, _, lost) = near.counters();
    let all: usize = (0..200).map(|round| 1 + round % 40).sum();
    assert_eq!(
        (link.sent as usize, lost, link.unsent, link.too_long),
        (all + 1, 0, 0, 0),
        "and one ARP request"
    );
    assert!(link.sent_joined > link.sent / 2 && link.received_joined > link.sent / 2, "{link:?}");
    assert!(frames < all / 4, "{all} datagrams came in {frames} frames");
    assert_eq!((far.counters().sent_joined, far.counters().too_long), (link.received_joined, 0));
}

#[test]
fn what_leaves_joined_is_taken_apart_for_those_who_do_not_know_it() {
    let test = "what_leaves_joined_is_taken_apart_for_those_who_do_not_know_it";
    if !Raw::<Soft, Tpacket>::works(test) {
        return;
    }
    let veth = Veth::new().expect("network namespaces worked before");
    let address = SocketAddrV4::new(Veth::address(End::Board), 19_790);
    let far = veth.at(End::Board, || UdpSocket::bind(address)).expect("a socket");
    far.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    // At the socket; then where the frame leaves the machine, as on an interface that cannot: in one piece, and in pages.
    for most in ["65536", "1600"] {
        veth.ip(End::Client, &["link", "set", INTERFACE, "gso_max_size", most]).expect("another size");
        let mut near = veth.at(End::Client, || connect(address, LinkKind::PacketRing));
        if let Some(why) = near.not_joined() {
            return skipped(test, Lack::System, format_args!("{why}"));
        }
        // The board's address becomes known.
        near.send(1, &mut |to| to.fill(0)).and_then(|()| near.flush()).expect("sent");
        near.receive(Duration::from_millis(20), &mut |_, _| {}).expect("received");
        assert_eq!(far.recv(&mut [0; 2]).expect("a datagram"), 1);
        for lengths in [vec![500; 16], vec![1_472, 1_472, 1_472, 77], vec![1_400; 30]] {
            for (number, length) in lengths.iter().enumerate() {
                near.send(*length, &mut |to| to.fill(number as u8)).expect("sent");
            }
            near.flush().expect("sent");
            let mut buffer = [0; 2_000];
            for (number, length) in lengths.iter().enumerate() {
                let came =
                    far.recv(&mut buffer).unwrap_or_else(|e| panic!("{most} {number} {lengths:?} {e}"));
                assert_eq!(buffer[..came], vec![number as u8; *length], "{most}: {number} of {lengths:?}");
            }
        }
        assert_eq!(near.counters().0.sent_joined, 50, "all left joined");
    }
}

/// Datagrams that the system threw away at the sockets of this namespace (proc_pid_net(5), the last column of its table).
fn thrown_away() -> u64 {
    let table = std::fs::read_to_string("/proc/thread-self/net/udp").expect("proc is mounted");
    table.lines().skip(1).filter_map(|line| line.split_whitespace().last()?.parse::<u64>().ok()).sum()
}

#[test]
fn the_system_does_not_handle_what_the_ring_has_taken() {
    let test = "the_system_does_not_handle_what_the_ring_has_taken";
    if !Raw::<Soft, Tpacket>::works(test) {
        return;
    }
    let rig = Raw::<Soft, Tpacket>::start(Config::Sim);
    rig.veth().at(End::Client, || {
        let thrown = |kind| {
            let driver = connect(raw::address(), kind);
            let handled = driver.remarks().iter().any(|remark| remark.contains("the system handles"));
            let client = Client::connect(driver, ClientOptions::default()).expect("connect");
            let process = client.open(OpenOptions::default()).expect("open");
            let va = process.ralloc(MANY as u64).expect("alloc");
            assert_eq!(read(&process, va, MANY), vec![0; MANY]);
            (handled, thrown_away())
        };
        let (handled, of_ring) = thrown(LinkKind::PacketRing);
        if handled {
            return skipped(test, Lack::System, format_args!("this system has no tcx (Linux 6.6)"));
        }
        assert_eq!(of_ring, 0);
        // The program is gone with the link; a link without one leaves them to the system.
        assert!(thrown(LinkKind::Pnet).1 > 0);
    });
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
        // The read's first packets are to leave as one message, whatever a busy machine has made of the window.
        while client.congestion_window() < 4.0 {
            process.fetch_add(va, 0).expect("add");
        }
        assert_eq!(read(&process, va, MANY), vec![0; MANY]);
        assert!(!client.remarks().is_empty(), "datagrams leave one by one");
    });
}

#[test]
fn a_board_that_was_away_is_sent_joined_datagrams_as_before() {
    const PATIENCE: Duration = Duration::from_secs(60);
    let rig = Udp::<Soft>::start(Config::Sim);
    let between = GoBetween::new(rig.address());
    let driver = UdpDriver::connect(between.near.local_addr().expect("bound")).expect("a socket");
    if !joins(&driver, "a_board_that_was_away_is_sent_joined_datagrams_as_before") {
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
        for turn in 0..6 {
            let away = Duration::from_millis(100) * turn;
            between.away.store(true, Ordering::Relaxed);
            let between = &between;
            scope.spawn(move || {
                std::thread::sleep(away);
                between.away.store(false, Ordering::Relaxed);
            });
            assert_eq!(read(&process, va, MANY), vec![0; MANY]);
        }
        let stays = || {
            let began = Instant::now();
            while !client.remarks().is_empty() {
                assert!(began.elapsed() < PATIENCE, "one by one for too long");
                assert_eq!(read(&process, va, MANY), vec![0; MANY]);
            }
            // What was tried has been answered, or is found silent by the next.
            let tried = Instant::now();
            while tried.elapsed() < Duration::from_millis(50) {
                assert_eq!(read(&process, va, MANY), vec![0; MANY]);
            }
            client.remarks().is_empty()
        };
        assert!((0..6).any(|_| stays()), "datagrams leave joined");
    });
}
