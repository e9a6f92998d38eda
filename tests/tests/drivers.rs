//! What can go wrong with drivers: typed errors that say what to do, nothing panics, nothing hangs. Tests over veth are skipped,
//! with a line that says why, where there are no privileges.
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::time::{Duration, Instant};

use mneme_clib::driver::{self, AddressError, LinkKind, Route, Waiting, XdpMode};
use mneme_clib::{
    Client, ClientOptions, Driver, DriverError, DriverKind, DriverOptions, Effect, Error, ErrorId,
    OpenOptions, RawDriver, Reason, TransportConfig, UdpDriver,
};
use mneme_daemon::RawPort;
use mneme_link::{Interface, Link, LinkError, PacketRing, PortReservation, Selection};
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::raw::{self, Raw, Tpacket};
use mneme_tests::rig::udp::Udp;
use mneme_tests::rig::veth::{End, INTERFACE, Veth};
use mneme_tests::suite::{pattern, read};
use mneme_tests::{Config, Rig};
use mneme_wire::Opcode;
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame, emit_headers};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustix::thread::{CapabilitySet, CapabilitySets, CpuSet, sched_setaffinity, set_capabilities};

const KINDS: [LinkKind; 4] =
    [LinkKind::Pnet, LinkKind::PacketRing, LinkKind::Xdp(XdpMode::Generic), LinkKind::Xdp(XdpMode::Native)];

fn connect(kind: LinkKind, interface: &str) -> Result<RawDriver, DriverError> {
    let route = Route { interface: Some(interface.into()), ..Route::default() };
    RawDriver::connect(SocketAddrV4::new(Veth::address(End::Board), 19_790), kind, &route, Waiting::Yield)
}

fn link_error(result: Result<RawDriver, DriverError>) -> LinkError {
    match result.map(|driver| driver.peer()) {
        Err(DriverError::Link(error)) => error,
        other => panic!("a link error was expected, not {other:?}"),
    }
}

/// A client that loses patience soon.
fn impatient(driver: impl Driver + 'static) -> Result<Client, Error> {
    let transport = TransportConfig { give_up: Duration::from_secs(1), ..TransportConfig::default() };
    Client::connect(driver, ClientOptions { transport, ..ClientOptions::default() })
}

#[test]
fn an_unknown_interface_and_a_board_without_ipv4_are_refused() {
    for kind in KINDS {
        let error = link_error(connect(kind, "no-such-0"));
        assert!(matches!(&error, LinkError::NoInterface { name, .. } if name == "no-such-0"), "{error}");
        let refused = RawDriver::connect("[::1]:19790", kind, &Route::default(), Waiting::Yield);
        assert!(matches!(
            refused.map(|driver| driver.peer()),
            Err(DriverError::Address(AddressError::NotIpv4(_)))
        ));
    }
    let port = RawPort::new("no-such-0", raw::address(), LinkKind::PacketRing, Waiting::Yield);
    assert!(matches!(port, Err(LinkError::NoInterface { .. })));
}

#[test]
fn without_privileges_raw_drivers_say_what_they_need() {
    let Some(veth) = Veth::or_skip("without_privileges_raw_drivers_say_what_they_need") else { return };
    for kind in KINDS {
        let error = veth.at(End::Client, || {
            // Of this thread alone.
            let none = CapabilitySet::empty();
            let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
            set_capabilities(None, sets).expect("a thread may always do with less");
            link_error(connect(kind, INTERFACE))
        });
        let said = error.to_string();
        assert!(matches!(error, LinkError::NotPermitted { .. }), "{kind:?}: {said}");
        assert!(said.contains("setcap cap_net") && said.contains("UDP driver"), "{said}");
    }
}

#[test]
fn an_mtu_that_is_too_small_is_refused_with_one_that_works() {
    let Some(veth) = Veth::or_skip("an_mtu_that_is_too_small_is_refused_with_one_that_works") else { return };
    veth.ip(End::Client, &["link", "set", INTERFACE, "mtu", "500"]).expect("another MTU");
    veth.ip(End::Board, &["link", "set", INTERFACE, "mtu", "1000"]).expect("another MTU");
    for kind in KINDS {
        let error = veth.at(End::Client, || link_error(connect(kind, INTERFACE)));
        assert!(matches!(error, LinkError::MtuTooSmall { mtu: 500, needed: 576, .. }), "{error}");
        let error = veth.at(End::Board, || {
            let port = RawPort::new(INTERFACE, raw::address(), kind, Waiting::Yield).expect("it is there");
            port.open(1400).map(drop).expect_err("64 bytes of headers and 1400 do not fit")
        });
        assert!(matches!(error, LinkError::MtuTooSmall { mtu: 1000, needed: 1450, .. }), "{error}");
    }
}

#[test]
fn a_socket_on_a_path_of_small_packets_sends_none_that_are_longer() {
    let test = "a_socket_on_a_path_of_small_packets_sends_none_that_are_longer";
    if !Raw::<Soft, Tpacket>::works(test) {
        return;
    }
    let rig = Raw::<Soft, Tpacket>::start(Config::Sim);
    let veth = rig.veth();
    veth.ip(End::Client, &["link", "set", INTERFACE, "mtu", "1000"]).expect("another MTU");
    let driver = veth.at(End::Client, || UdpDriver::connect(raw::address())).expect("a socket");
    assert_eq!(driver.max_datagram(), 1000 - 28);
    let client = impatient(driver).expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    let bytes = pattern(1, 20_000);
    let va = process.ralloc(bytes.len() as u64).expect("alloc");
    process.rwrite(va, &bytes).expect("write");
    assert_eq!(read(&process, va, bytes.len()), bytes);
}

#[test]
fn an_interface_that_goes_down_is_named_and_one_that_comes_up_goes_on() {
    let test = "an_interface_that_goes_down_is_named_and_one_that_comes_up_goes_on";
    if !Raw::<Soft, Tpacket>::works(test) {
        return;
    }
    let rig = Raw::<Soft, Tpacket>::start(Config::Sim);
    let veth = rig.veth();
    let drivers = KINDS.into_iter().take(2);
    for kind in drivers {
        let route = Route { interface: Some(INTERFACE.into()), ..Route::default() };
        let open =
            || RawDriver::connect(raw::address(), kind, &route, Waiting::Yield).expect("the link opens");
        let client = impatient(veth.at(End::Client, open)).expect("connect");
        let process = client.open(OpenOptions::default()).expect("open");
        let va = process.ralloc(100).expect("alloc");
        process.rwrite(va, b"before").expect("write");
        veth.ip(End::Client, &["link", "set", INTERFACE, "down"]).expect("down");
        // The driver looks at the interface in the namespace of the thread that calls.
        let error = veth.at(End::Client, || process.rread(va, &mut [0; 6])).expect_err("nothing moves");
        assert_eq!(error.reason(), Some(Reason::Unreachable), "{error}");
        assert!(error.to_string().contains(&format!("ip link set {INTERFACE} up")), "{kind:?}: {error}");
        veth.ip(End::Client, &["link", "set", INTERFACE, "up"]).expect("up");
        assert_eq!(veth.at(End::Client, || read(&process, va, 6)), b"before", "{kind:?}");
    }
}

#[test]
fn an_interface_that_is_removed_ends_the_driver() {
    let Some(veth) = Veth::or_skip("an_interface_that_is_removed_ends_the_driver") else { return };
    for (number, kind) in KINDS.into_iter().enumerate() {
        let name = format!("gone{number}");
        veth.ip(End::Client, &["link", "add", &name, "type", "veth", "peer", "name", "far"]).expect("a pair");
        veth.ip(End::Client, &["link", "set", &name, "up"]).expect("up");
        let error = veth.at(End::Client, || {
            let (source, neighbour) = (Some(Ipv4Addr::new(10, 78, 0, 1)), Some([2, 0, 0, 0, 0, 9]));
            let route = Route { interface: Some(name.clone()), source, neighbour, gateway: None };
            let board = SocketAddrV4::new(Ipv4Addr::new(10, 78, 0, 2), 19_790);
            let driver = RawDriver::connect(board, kind, &route, Waiting::Yield).expect("the link opens");
            veth.ip(End::Client, &["link", "del", &name]).expect("removed");
            impatient(driver).expect_err("nobody is there")
        });
        let failed = error.operation().expect("an operation failed, and is named");
        let gone = matches!(failed.driver.as_deref(), Some(DriverError::Link(LinkError::Gone { name: gone })) if *gone == name);
        assert!(gone && error.id() == ErrorId::InterfaceGone, "{kind:?}: {error}");
        assert_eq!((failed.opcode, error.effect()), (Opcode::Ping, Effect::None), "{error}");
        assert!(error.to_string().contains("10.78.0.2:19790"), "{error}");
    }
}

/// Frames of all kinds of nonsense to a client: random bytes, cut and damaged answers, answers of others.
fn nonsense(link: &mut dyn Link, random: &mut ChaCha8Rng, client: Endpoints) {
    let mut frame = vec![0; 400];
    random.fill_bytes(&mut frame);
    emit_headers(&client, random.random(), &mut frame).expect("400 bytes are enough");
    match random.random_range(0..5) {
        0 => random.fill_bytes(&mut frame),
        1 => frame.truncate(random.random_range(14..400)),
        2 => frame[random.random_range(12..MNEME_OFFSET)] ^= 1 << random.random_range(0..8),
        3 => {
            let stranger = Endpoints { src_port: client.src_port ^ 1, ..client };
            emit_headers(&stranger, true, &mut frame).expect("400 bytes are enough");
        }
        // Well addressed, and no Mneme packet.
        _ => {}
    }
    link.queue(frame.len(), &mut |to| to.copy_from_slice(&frame)).expect("the link takes it");
    link.flush(&mut |_| {}).expect("and sends it");
}

#[test]
fn nonsense_on_the_network_disturbs_nothing() {
    if !Raw::<Soft, Tpacket>::works("nonsense_on_the_network_disturbs_nothing") {
        return;
    }
    let rig = Raw::<Soft, Tpacket>::start(Config::Sim);
    let veth = rig.veth();
    let selection = Selection::Port { ip: Veth::address(End::Board).octets(), port: 9 };
    let mut injector = veth.at(End::Board, || {
        let interface = Interface::named(INTERFACE).expect("the interface is up");
        PacketRing::open(&interface, selection, Waiting::Yield).expect("the link opens")
    });
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for kind in KINDS {
        let route = Route { interface: Some(INTERFACE.into()), ..Route::default() };
        let driver = veth.at(End::Client, || {
            RawDriver::connect(raw::address(), kind, &route, Waiting::Yield).expect("the link opens")
        });
        // To the client, as the board's answers are addressed.
        let back = Endpoints {
            src_mac: injector.mac(),
            dst_mac: veth.at(End::Client, || Interface::named(INTERFACE).expect("it is up").mac),
            src_ip: raw::address().ip().octets(),
            dst_ip: driver.source().ip().octets(),
            src_port: raw::address().port(),
            dst_port: driver.source().port(),
        };
        let client = Client::connect(driver, ClientOptions::default()).expect("connect");
        let process = client.open(OpenOptions::default()).expect("open");
        let va = process.ralloc(4_000).expect("alloc");
        for round in 0..50 {
            (0..20).for_each(|_| nonsense(&mut injector, &mut random, back));
            let data = pattern(round, 4_000);
            process.rwrite(va, &data).expect("write");
            assert_eq!(read(&process, va, 4_000), data, "{kind:?}");
        }
    }
}

#[test]
fn frames_that_are_too_long_do_not_make_a_driver_deaf() {
    let Some(veth) = Veth::or_skip("frames_that_are_too_long_do_not_make_a_driver_deaf") else { return };
    let (own, peer) = (veth.at(End::Client, mac_of_cable), veth.at(End::Board, mac_of_cable));
    for kind in KINDS {
        let mut driver = veth.at(End::Client, || connect(kind, INTERFACE)).expect("the link opens");
        // A driver knows what its interface carried when it was opened. Now longer frames can come.
        let mtu = |mtu: &str| {
            for end in [End::Client, End::Board] {
                veth.ip(end, &["link", "set", INTERFACE, "mtu", mtu]).expect("another MTU");
            }
        };
        mtu("3000");
        let mut board = veth.at(End::Board, || {
            let selection = Selection::Port { ip: Veth::address(End::Board).octets(), port: 9 };
            PacketRing::open(&Interface::named(INTERFACE).expect("it is up"), selection, Waiting::Yield)
                .expect("the link opens")
        });
        let endpoints = Endpoints {
            src_mac: peer,
            dst_mac: own,
            src_ip: Veth::address(End::Board).octets(),
            dst_ip: driver.source().ip().octets(),
            src_port: 19_790,
            dst_port: driver.source().port(),
        };
        let mut send = |length: usize| {
            let mut frame = vec![0; MNEME_OFFSET + length];
            emit_headers(&endpoints, false, &mut frame).expect("there is room");
            board.queue(frame.len(), &mut |to| to.copy_from_slice(&frame)).expect("the link takes it");
            board.flush(&mut |_| {}).expect("and sends it");
        };
        // More than any ring of a driver holds.
        for _ in 0..100 {
            (0..30).for_each(|_| send(2_500));
            let came = driver.receive(Duration::ZERO, &mut |_, _| panic!("{kind:?} took a cut datagram"));
            assert_eq!(came.expect("receive"), 0);
        }
        assert!(driver.counters().0.too_long >= 100, "{kind:?}: {:?}", driver.counters());
        let (mut heard, until) = (0, Instant::now() + Duration::from_secs(20));
        while heard == 0 && Instant::now() < until {
            send(100);
            heard += driver.receive(Duration::from_millis(50), &mut |_, _| {}).expect("receive");
        }
        assert!(heard > 0, "{kind:?} hears nothing any more: {:?}", driver.counters());
        mtu("1500");
    }
}

fn mac_of_cable() -> [u8; 6] {
    Interface::named(INTERFACE).expect("the interface is up").mac
}

#[test]
fn strangers_are_not_heard_and_the_port_is_held() {
    let Some(veth) = Veth::or_skip("strangers_are_not_heard_and_the_port_is_held") else { return };
    for kind in KINDS {
        let mut driver = veth.at(End::Client, || connect(kind, INTERFACE)).expect("the link opens");
        let source = driver.source();
        veth.at(End::Client, || PortReservation::new(*source.ip(), source.port()).map(drop))
            .expect_err("the port is taken");
        let stranger = veth.at(End::Board, || UdpSocket::bind("0.0.0.0:0")).expect("a socket");
        stranger.connect(source).expect("connect");
        stranger.send(b"lies").expect("send");
        // The stranger's kernel asks for the address first: a busy machine takes its time, and ARP ends a wait too.
        let until = Instant::now() + Duration::from_secs(20);
        while driver.counters().1.foreign == 0 && Instant::now() < until {
            let came =
                driver.receive(Duration::from_millis(50), &mut |_, _| panic!("{kind:?} heard a stranger"));
            assert_eq!(came.expect("receive"), 0);
        }
        assert_eq!(driver.counters().1.foreign, 1, "{kind:?}");
        // A port that nobody holds would have been reported closed.
        stranger.set_nonblocking(true).expect("nonblocking");
        assert_eq!(stranger.recv(&mut [0; 4]).unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    }
}

#[test]
fn a_socket_client_and_a_raw_board_understand_each_other() {
    if !Raw::<Soft, Tpacket>::works("a_socket_client_and_a_raw_board_understand_each_other") {
        return;
    }
    let rig = Raw::<Soft, Tpacket>::start(Config::Sim);
    // Batches of equal requests leave as one packet, which nothing on this machine cuts up: the driver notices.
    let driver = rig.veth().at(End::Client, || UdpDriver::connect(raw::address())).expect("a socket");
    let client = Client::connect(driver, ClientOptions::default()).expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    let data = pattern(3, 300_000);
    let va = process.ralloc(data.len() as u64).expect("alloc");
    process.rwrite(va, &data).expect("write");
    assert_eq!(read(&process, va, data.len()), data);
}

#[test]
fn auto_takes_what_works_and_says_why_not_the_others() {
    let rig = Udp::<Soft>::start(Config::Small);
    let auto = DriverOptions { kind: DriverKind::Auto, ..DriverOptions::default() };
    let chosen = driver::open(rig.address().to_string(), &auto).expect("loopback has sockets");
    assert_eq!(chosen.kind, DriverKind::Udp);
    assert_eq!(chosen.rejected.len(), 3, "raw drivers do not know loopback: {chosen:?}");
    assert_eq!(chosen.speed, None, "there was no choice");
    if !Raw::<Soft, Tpacket>::works("auto_takes_what_works_and_says_why_not_the_others, over veth") {
        return;
    }
    let rig = Raw::<Soft, Tpacket>::start(Config::Small);
    let board = raw::address().to_string();
    let chosen = rig.veth().at(End::Client, || driver::open(&board, &auto)).expect("opens");
    // Which is the fastest depends on what else the machine does.
    let speed = chosen.speed.expect("there was a choice");
    assert!(speed.alone > Duration::ZERO && speed.together > Duration::ZERO);
    let mut all: Vec<_> = chosen.rejected.iter().map(|other| other.kind).chain([chosen.kind]).collect();
    all.sort_by_key(|kind| kind.name());
    assert_eq!(
        all,
        [DriverKind::AfXdp, DriverKind::Pnet, DriverKind::Tpacket, DriverKind::Udp],
        "{chosen:?}"
    );
    let client = Client::connect_by(chosen, ClientOptions::default()).expect("connect");
    let remarks = client.remarks();
    assert!(remarks.len() >= 3 && remarks[..3].iter().all(|other| other.starts_with("not ")), "{remarks:?}");
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(5_000).expect("alloc");
    process.rwrite(va, &pattern(1, 5_000)).expect("write");
    assert_eq!(read(&process, va, 5_000), pattern(1, 5_000));
    let nobody = "10.77.0.77:19790";
    let chosen = rig.veth().at(End::Client, || driver::open(nobody, &auto)).expect("a socket always opens");
    assert_eq!(chosen.kind, DriverKind::Udp);
    let first = chosen.rejected.first().expect("one was tried").reason.to_string();
    assert!(first.contains("10.77.0.77 does not answer ARP"), "{first}");
}

#[test]
fn two_spinning_ends_on_one_processor_get_on() {
    let Some(veth) = Veth::or_skip("two_spinning_ends_on_one_processor_get_on") else { return };
    let pin = || {
        let mut first = CpuSet::new();
        first.set(0);
        sched_setaffinity(None, &first).expect("every machine has a processor 0");
    };
    let (stop, up) = (std::sync::atomic::AtomicBool::new(false), std::sync::Barrier::new(2));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            veth.enter(End::Board).expect("the namespace is there");
            pin();
            let interface = Interface::named(INTERFACE).expect("the interface is up");
            let selection = Selection::Port { ip: Veth::address(End::Board).octets(), port: 19_790 };
            let mut link = PacketRing::open(&interface, selection, Waiting::Spin).expect("the link opens");
            up.wait();
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let mut came = Vec::new();
                link.receive(Duration::from_millis(5), 1, &mut |frame| came.extend_from_slice(frame.bytes))
                    .expect("receive");
                let Ok(UdpFrame { endpoints, .. }) = UdpFrame::parse_local(&came) else { continue };
                emit_headers(&endpoints.reversed(), false, &mut came).expect("as long as it was");
                link.queue(came.len(), &mut |to| to.copy_from_slice(&came)).expect("send");
                link.flush(&mut |_| {}).expect("send");
            }
        });
        veth.enter(End::Client).expect("the namespace is there");
        pin();
        up.wait();
        let route = Route { interface: Some(INTERFACE.into()), ..Route::default() };
        let board = SocketAddrV4::new(Veth::address(End::Board), 19_790);
        let mut driver =
            RawDriver::connect(board, LinkKind::PacketRing, &route, Waiting::Spin).expect("opens");
        let (began, mut rounds) = (Instant::now(), 0);
        while rounds < 200 && began.elapsed() < Duration::from_secs(60) {
            driver.send(100, &mut |to| to.fill(7)).expect("send");
            driver.flush().expect("send");
            rounds += driver.receive(Duration::from_secs(1), &mut |_, _| {}).expect("receive");
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(rounds >= 200, "{rounds} round trips in {:?}", began.elapsed());
    });
}
