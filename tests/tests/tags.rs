//! What a listener makes of the packets of a client with tags: nothing. And keys that roll under way.
use mneme_clib::driver::{DriverError, Take};
use mneme_clib::{
    AllocOptions, Client, ClientOptions, Credentials, Driver, Error, ErrorId, Integrity, OpenOptions, Reason,
    SecretKey, TransportConfig, UdpDriver,
};
use mneme_model::{BoardShape, SoftFast};
use mneme_tests::rig::in_process::{BOARD_KEY, InProcess, Soft, SoftTagged, TENANT_KEY, network};
use mneme_tests::rig::sealed::{Tagged, Whole};
use mneme_tests::rig::udp::{Setup, Udp};
use mneme_tests::rig::{Config, Rig, connect};
use mneme_tests::tapped::Tapped;
use mneme_wire::payload::BoardInfo;
use mneme_wire::trailer::{Means, covered};
use mneme_wire::{HEADER_LEN, Opcode, Packet, Response, Status};
use mneme_world::InProcessDriver;
use std::net::SocketAddrV4;
use std::time::{Duration, Instant};

/// Sends a datagram as it is; how it was answered.
fn speak(driver: &mut impl Driver, datagram: &[u8]) -> Option<Status> {
    driver.begin_call();
    driver.send(datagram.len(), &mut |frame| frame.copy_from_slice(datagram)).expect("it is taken");
    let mut status = None;
    let answered = driver.receive(Duration::from_micros(50), &mut |_, answer| {
        let answer = Packet::new_checked(answer).expect("a whole header");
        status = Response::parse(&answer).ok().map(|answer| answer.status);
    });
    answered.expect("the driver works");
    driver.end_call();
    status
}

/// A listener changes one or two bits of what it has heard, or sends it from elsewhere.
fn nothing_of_it_is_executed<R: Rig>() {
    let rig = R::start(Config::Small);
    let (tapped, tap) = Tapped::new(rig.driver());
    let client = connect::<R>(tapped);
    let process = client.open(OpenOptions::default()).expect("open");
    let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
    let (word, data) = (process.ralloc(8).expect("alloc"), process.ralloc_with(64, whole).expect("alloc"));
    process.rwrite(data, b"what is mine....").expect("write");
    let last = || tap.heard().pop().expect("something was sent");
    let write = last();
    assert_eq!(process.fetch_add(word, 1).expect("add"), 0);
    let add = last();
    // The memory is another one by now: whatever of the old packet is executed shows.
    process.rwrite(data, b"what came later!").expect("write");
    let mut refused = 0;
    for (number, first) in (0..8 * HEADER_LEN).enumerate() {
        // All single bits, and each of them with a few others.
        for second in (first..8 * HEADER_LEN).step_by(1 + number % 13 * 3) {
            let mut damaged = if number % 2 == 0 { write.clone() } else { add.clone() };
            damaged[first / 8] ^= 1 << (first % 8);
            if second != first {
                damaged[second / 8] ^= 1 << (second % 8);
            }
            let status = speak(&mut *tap.driver(), &damaged);
            assert!(status != Some(Status::Ok), "bits {first} and {second} of the header");
            refused += u32::from(status.is_some());
        }
    }
    assert!(refused > 500, "{refused} were answered");
    if R::options().integrity == Integrity::Tag {
        for heard in tap.heard() {
            let opcode = Packet::new_checked(&heard[..]).expect("a whole header").opcode_number();
            let status = speak(&mut rig.driver(), &heard);
            let others = [Opcode::Ping, Opcode::Open].map(Opcode::number).contains(&opcode);
            assert!(others || status == Some(Status::Unauthenticated), "{opcode} from elsewhere: {status:?}");
        }
    }
    assert_eq!(process.fetch_add(word, 1).expect("add"), 1);
    let mut back = [0; 16];
    process.rread(data, &mut back).expect("read");
    assert_eq!(&back, b"what came later!");
}

#[test]
fn what_is_heard_is_of_no_use_with_tags() {
    nothing_of_it_is_executed::<Tagged<InProcess<SoftTagged>>>();
}

#[test]
fn damaged_headers_are_not_executed_with_a_crc() {
    nothing_of_it_is_executed::<Whole<InProcess<Soft>>>();
}

#[test]
fn keys_roll_and_no_request_notices() {
    // The slow path's window is a second then, and so is the life of keys.
    let window = Some(Duration::from_millis(250));
    let board = Udp::<SoftTagged>::start_with(Setup { window, ..Setup::default() });
    let client = connect::<Tagged<Udp<SoftTagged>>>(board.driver());
    let process = client.open(OpenOptions::default()).expect("open");
    let word = process.ralloc(8).expect("alloc");
    let (began, mut phases, mut added) = (Instant::now(), [false; 2], 0);
    while began.elapsed() < Duration::from_millis(1_300) {
        assert_eq!(process.fetch_add(word, 1).expect("add"), added);
        added += 1;
        phases[usize::from(client.board().key_phase)] = true;
    }
    assert_eq!(phases, [true; 2], "the keys have been rolled");
    // Nobody calls until the first keys have ended, and those at hand stay fresh.
    std::thread::sleep(Duration::from_millis(1_800));
    let before = client.statistics().transport.hints;
    assert_eq!(process.fetch_add(word, 0).expect("add"), added);
    assert_eq!(client.statistics().transport.hints, before, "the key was a valid one");
    // Nor does a pause keep another process from being opened.
    client.open(OpenOptions::default()).expect("open").exit().expect("exit");
    process.exit().expect("exit");
}

#[test]
fn a_restart_is_believed_when_a_handshake_has_proven_it() {
    let board = Udp::<SoftTagged>::start_with(Setup::default());
    let address = board.address();
    let transport = TransportConfig { give_up: Duration::from_millis(700), ..TransportConfig::default() };
    let options = ClientOptions { transport, ..Tagged::<Udp<SoftTagged>>::options() };
    let client = Client::connect(UdpDriver::connect(address).expect("a socket"), options).expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    let word = process.ralloc(8).expect("alloc");
    process.fetch_add(word, 1).expect("add");
    drop(board);
    let _again = Udp::<SoftTagged>::start_with(Setup { address, seed: 2, ..Setup::default() });
    let error = process.fetch_add(word, 1).expect_err("the process is gone");
    assert_eq!(error.reason(), Some(Reason::Unproven { status: Status::Stale }), "{error}");
    let other = client.open(OpenOptions::default()).expect("open");
    let error = process.fetch_add(word, 1).expect_err("the process is gone");
    assert!(error.is_restart(), "{error}");
    let word = other.ralloc(8).expect("alloc");
    assert_eq!(other.fetch_add(word, 1).expect("add"), 0);
    other.exit().expect("exit");
}

/// Somebody on the way, who changes the tick in the answers to so many PINGs. No key protects them.
struct WrongTick<D> {
    driver: D,
    left: u32,
    by: fn(u64) -> u64,
}

impl<D: Driver> Driver for WrongTick<D> {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        self.driver.send(length, fill)
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        let (own, board) = self.driver.addresses().expect("addresses");
        let (left, by) = (&mut self.left, self.by);
        self.driver.receive(wait, &mut |now, datagram| {
            let mut datagram = datagram.to_vec();
            let packet = Packet::new_checked(&datagram[..]).expect("a whole header");
            if *left > 0 && packet.opcode_number() == Opcode::Ping.number() {
                *left -= 1;
                let told = &mut datagram[HEADER_LEN..][..BoardInfo::LEN];
                let mut info = BoardInfo::parse(told).expect("a ping's layout");
                info.tick_high = by(info.tick_high);
                told.copy_from_slice(&info.to_bytes());
                let addresses = covered(board.ip().octets(), own.ip().octets(), board.port(), own.port());
                assert!(Means::Crc32c.seal(&addresses, &mut datagram));
            }
            take(now, &datagram);
        })
    }
    fn now(&self) -> Duration {
        self.driver.now()
    }
    fn max_datagram(&self) -> usize {
        self.driver.max_datagram()
    }
    fn peer(&self) -> String {
        self.driver.peer()
    }
    fn addresses(&self) -> Option<(SocketAddrV4, SocketAddrV4)> {
        self.driver.addresses()
    }
    fn begin_call(&mut self) {
        self.driver.begin_call();
    }
    fn end_call(&mut self) {
        self.driver.end_call();
    }
}

#[test]
fn a_wrong_tick_is_asked_for_again_and_then_told() {
    // Ahead, and behind where the board's own upper bits have moved.
    let ticks: [fn(u64) -> u64; 2] = [|upper| upper + 1, |upper| upper.wrapping_sub(1) & ((1 << 40) - 1)];
    for by in ticks {
        for (left, told) in [(1, None), (u32::MAX, Some(ErrorId::ClockOff))] {
            let rig = Tagged::<InProcess<SoftTagged>>::start(Config::Small);
            let driver = WrongTick { driver: rig.driver(), left, by };
            let client = connect::<Tagged<InProcess<SoftTagged>>>(driver);
            let opened = client.open(OpenOptions::default());
            assert_eq!(opened.as_ref().err().map(Error::id), told, "{left} wrong PINGs");
            if let Ok(process) = opened {
                // Its tags have the upper bits that the handshake has proven.
                let word = process.ralloc(8).expect("alloc");
                assert_eq!(process.fetch_add(word, 1).expect("add"), 0);
            }
        }
    }
}

/// What opening a process fails with, for a client of the tagged rig with other options.
fn refused(change: impl FnOnce(&mut ClientOptions)) -> ErrorId {
    let rig = Tagged::<InProcess<SoftTagged>>::start(Config::Small);
    let mut options = Tagged::<InProcess<SoftTagged>>::options();
    change(&mut options);
    let opened =
        Client::connect(rig.driver(), options).and_then(|client| client.open(OpenOptions::default()));
    opened.map(drop).map_err(|error: Error| error.id()).expect_err("it is refused")
}

#[test]
fn whoever_cannot_prove_himself_is_told_why() {
    let other = || SecretKey::from_bytes([9; 32]);
    assert_eq!(refused(|options| options.credentials = None), ErrorId::NoCredentials);
    assert_eq!(
        refused(|options| (options.integrity, options.credentials) = (Integrity::Crc32c, None)),
        ErrorId::TagsWanted
    );
    let nobody = || Some(Credentials::new(other()).board(BOARD_KEY.public()));
    assert_eq!(refused(|options| options.credentials = nobody()), ErrorId::UnknownTenant);
    let wrong = || Some(Credentials::new(TENANT_KEY).board(other().public()));
    assert_eq!(refused(|options| options.credentials = wrong()), ErrorId::WrongBoardKey);
    let unknown = || Some(Credentials::new(TENANT_KEY));
    assert_eq!(refused(|options| options.credentials = unknown()), ErrorId::UnknownBoardKey);
    let rig = Whole::<InProcess<Soft>>::start(Config::Small);
    let options = Tagged::<InProcess<SoftTagged>>::options();
    let client = Client::connect(rig.driver(), options).expect("anybody may ask");
    let error = client.open(OpenOptions::default()).map(drop).expect_err("it has no key");
    assert_eq!(error.id(), ErrorId::NoBoardKey);
}

#[test]
fn a_board_without_trailers_says_so() {
    let fast = SoftFast::new(BoardShape::SIM).expect("a sound shape");
    let network = network(fast, 1, Config::Small);
    let transport = TransportConfig::board_time();
    let options = ClientOptions { integrity: Integrity::Crc32c, transport, ..ClientOptions::default() };
    let driver = InProcessDriver::new(&network);
    let error = Client::connect(driver, options).map(drop).expect_err("it has none");
    assert_eq!(error.id(), ErrorId::NoTrailers);
}
