//! The MTU of the path to a board changes under a client that works, through a real socket. Skipped, with a line that
//! says why, where there are no privileges.
use std::net::{SocketAddr, SocketAddrV4};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mneme_clib::driver::UdpOptions;
use mneme_clib::{
    Client, ClientOptions, Driver, Effect, ErrorId, OpenOptions, Process, TransportConfig, UdpDriver,
};
use mneme_tests::Config;
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::udp::{Setup, Udp};
use mneme_tests::rig::veth::{End, INTERFACE, Veth};
use mneme_tests::suite::{pattern, read};
use rustix::net::{AddressFamily, SendFlags, SocketType, ipproto, sendto, socket};

/// Bytes of a call: many packets at once, so that the MTU changes between two of them.
const SIZE: usize = 300_000;
/// What a driver takes for the silence of a joined message.
const SILENCE: Duration = Duration::from_millis(5);

/// A board behind a socket at one end of a cable, and a client at the other.
struct Rig {
    veth: Veth,
    board: Udp<Soft>,
    client: Client,
    local: SocketAddr,
    process: Process,
}

impl Rig {
    fn new(test: &str) -> Option<Rig> {
        Rig::with(test, UdpOptions::default())
    }
    fn with(test: &str, options: UdpOptions) -> Option<Rig> {
        let veth = Veth::or_skip(test)?;
        let address = SocketAddr::from((Veth::address(End::Board), 0));
        let setup = Setup { config: Config::Sim, address, ..Setup::default() };
        let board = veth.at(End::Board, || Udp::<Soft>::start_with(setup));
        let driver =
            veth.at(End::Client, || UdpDriver::connect_with(board.address(), options)).expect("a socket");
        assert_eq!(driver.max_datagram(), 1_500 - 28);
        let local = driver.local_addr().expect("an address");
        let transport = TransportConfig { give_up: Duration::from_secs(20), ..TransportConfig::default() };
        let options = ClientOptions { transport, ..ClientOptions::default() };
        let client = Client::connect(driver, options).expect("connect");
        let process = client.open(OpenOptions::default()).expect("open");
        Some(Rig { veth, board, client, local, process })
    }
    fn set_mtu(&self, mtu: u32) {
        let mtu = mtu.to_string();
        self.veth.ip(End::Client, &["link", "set", INTERFACE, "mtu", &mtu]).expect("another MTU");
    }
    /// What the client says of the path, if it is narrower than in the beginning.
    fn carries(&self) -> Option<String> {
        self.client.remarks().into_iter().find(|remark| remark.contains("the path carries"))
    }
    /// Tells the client's system, as a router would, that the path to the board carries packets of so many bytes
    /// (RFC 792, 1191).
    fn fragmentation_needed(&self, mtu: u16) {
        let (client, board) = (Veth::address(End::Client), Veth::address(End::Board));
        let mut message = vec![3, 4, 0, 0, 0, 0];
        message.extend(mtu.to_be_bytes());
        let total = 1_400u16.to_be_bytes();
        message.extend([0x45, 0, total[0], total[1], 0, 0, 0x40, 0, 64, 17, 0, 0]);
        message.extend([client.octets(), board.octets()].concat());
        let ports = [self.local.port(), self.board.address().port(), 1_380, 0];
        message.extend(ports.iter().flat_map(|number| number.to_be_bytes()));
        let sum: u32 = message.chunks(2).map(|two| u32::from(two[0]) << 8 | u32::from(two[1])).sum();
        let sum = !((sum & 0xffff) + (sum >> 16)) as u16;
        message[2..4].copy_from_slice(&sum.to_be_bytes());
        self.veth.at(End::Board, || {
            let icmp =
                socket(AddressFamily::INET, SocketType::RAW, Some(ipproto::ICMP)).expect("a raw socket");
            let to = SocketAddrV4::new(client, 0);
            assert_eq!(sendto(&icmp, &message, SendFlags::empty(), &to), Ok(message.len()));
        });
    }
}

/// Whether a write's packet had left before, was lost on the way, and cannot be sent again as it is.
fn is_outgrown(error: &mneme_clib::Error) -> bool {
    error.id() == ErrorId::DatagramTooLarge && error.effect() != Effect::None
}

#[test]
fn a_client_goes_on_while_its_interfaces_mtu_changes() {
    let Some(rig) = Rig::new("a_client_goes_on_while_its_interfaces_mtu_changes") else {
        return;
    };
    let va = rig.process.ralloc(SIZE as u64).expect("alloc");
    let (over, caught) = (AtomicBool::new(false), AtomicBool::new(false));
    let (mut rounds, mut outgrown, mut longest_stall) = (0u64, 0u64, Duration::ZERO);
    std::thread::scope(|scope| {
        let stalls = scope.spawn(|| {
            let mut longest = Duration::ZERO;
            while !over.load(Ordering::Relaxed) {
                let asleep = Instant::now();
                std::thread::sleep(Duration::from_millis(1));
                longest = longest.max(asleep.elapsed());
            }
            longest
        });
        scope.spawn(|| {
            // Until it has fallen while packets were sent, which chance decides.
            let mtus = [1_000, 600, 1_500, 700, 1_200, 576, 1_500, 900].into_iter().cycle().take(1_500);
            for (changes, mtu) in mtus.enumerate() {
                if changes >= 24 && caught.load(Ordering::Relaxed) {
                    break;
                }
                std::thread::sleep(Duration::from_millis(40));
                rig.set_mtu(mtu);
            }
            over.store(true, Ordering::Relaxed);
        });
        while !over.load(Ordering::Relaxed) || rounds < 4 {
            rounds += 1;
            let transport = rig.client.statistics().transport;
            caught.store(transport.taken_back + transport.outgrown > 0, Ordering::Relaxed);
            let bytes = pattern(rounds, SIZE);
            match rig.process.rwrite(va, &bytes) {
                // A queue was full before the MTU fell.
                Err(error) if is_outgrown(&error) => outgrown += 1,
                result => {
                    result.expect("write");
                    let call = rig.process.rread_owned_async(va, vec![0; SIZE]);
                    assert!(call.wait().expect("read") == bytes, "round {rounds}");
                }
            }
        }
        longest_stall = stalls.join().expect("a clock");
    });
    let transport = rig.client.statistics().transport;
    assert!(outgrown * 4 <= rounds, "{outgrown} of {rounds} writes");
    assert!(
        transport.taken_back + transport.outgrown > 0,
        "the MTU fell while packets were sent: {transport:?}"
    );
    assert!(transport.answered > 0);
    let one_by_one = || rig.client.remarks().iter().any(|remark| remark.contains("one by one"));
    // Where this machine let threads wait for so long, the board's may have been one of them: that is a silence, too, and
    // over when it runs.
    assert!(longest_stall >= SILENCE || !one_by_one(), "{:?}, {longest_stall:?}", rig.client.remarks());
    let healed = Instant::now();
    while one_by_one() {
        assert!(healed.elapsed() < Duration::from_secs(60), "{:?}", rig.client.remarks());
        assert_eq!(read(&rig.process, va, SIZE).len(), SIZE);
    }
}

#[test]
fn a_client_that_only_reads_finds_out_too() {
    // A board answers joined whoever joins, and veth passes joined datagrams on whatever their length.
    let options = UdpOptions { segmentation: false, coalescing: false, ..UdpOptions::default() };
    let Some(rig) = Rig::with("a_client_that_only_reads_finds_out_too", options) else { return };
    let va = rig.process.ralloc(SIZE as u64).expect("alloc");
    let bytes = pattern(7, SIZE);
    rig.process.rwrite(va, &bytes).expect("write");
    rig.set_mtu(700);
    assert!(read(&rig.process, va, SIZE) == bytes, "the answers are asked for anew, shorter ones");
    assert!(rig.carries().is_some_and(|remark| remark.contains("672 bytes")), "{:?}", rig.client.remarks());
    rig.set_mtu(1_500);
    std::thread::sleep(Duration::from_millis(1_100));
    for _ in 0..2 {
        assert!(read(&rig.process, va, SIZE) == bytes);
        std::thread::sleep(Duration::from_millis(1_100));
    }
    rig.process.rfence().expect("fence");
    assert_eq!(rig.carries(), None, "a wide path is used again");
}

#[test]
fn a_routers_message_makes_packets_shorter_and_ends_nothing() {
    let Some(rig) = Rig::new("a_routers_message_makes_packets_shorter_and_ends_nothing") else { return };
    let va = rig.process.ralloc(SIZE as u64).expect("alloc");
    for (round, mtu) in [(1, 1_300), (2, 1_000), (3, 600)] {
        rig.fragmentation_needed(mtu);
        let bytes = pattern(round, SIZE);
        rig.process.rwrite(va, &bytes).expect("write");
        assert!(read(&rig.process, va, SIZE) == bytes, "round {round}");
        let told = format!("{} bytes", mtu - 28);
        assert!(
            rig.carries().is_some_and(|remark| remark.contains(&told)),
            "{told}: {:?}",
            rig.client.remarks()
        );
    }
    assert!(rig.client.statistics().failures.is_empty(), "no operation failed");
    let joined = |remark: &String| remark.contains("one by one");
    assert!(!rig.client.remarks().iter().any(joined), "a path's message is not about joining");
}

#[test]
fn what_cannot_be_cut_is_refused_and_names_the_path() {
    let Some(rig) = Rig::new("what_cannot_be_cut_is_refused_and_names_the_path") else { return };
    let va = rig.process.ralloc(64).expect("alloc");
    rig.process.rwrite(va, &[1; 64]).expect("write");
    // The least that veth takes: 40 bytes of datagram.
    rig.set_mtu(68);
    let error = rig.process.rwrite(va, &[2; 64]).expect_err("22 bytes of header and 64");
    assert_eq!((error.id(), error.effect()), (ErrorId::DatagramTooLarge, Effect::None), "{error}");
    let said = error.to_string();
    for part in
        ["WRITE of 64 bytes", "udp://10.77.0.2", "86 bytes", "carries 40", "0 packets", "nothing was changed"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(rig.process.fetch_add(va, 1).map(drop).map_err(|error| error.to_string()), Ok(()));
    rig.set_mtu(1_500);
    std::thread::sleep(Duration::from_millis(1_100));
    rig.process.rfence().expect("the driver looks again");
    std::thread::sleep(Duration::from_millis(1_100));
    rig.process.rfence().expect("the driver looks again");
    rig.process.rwrite(va, &[3; 64]).expect("the path is wide again");
}
