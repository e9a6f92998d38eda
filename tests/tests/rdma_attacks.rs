//! Attacks on a served board's RDMA port that need its connection manager: floods, half-made handshakes, exhaustion, forged ends.
use std::net::{Ipv4Addr, UdpSocket};
use std::time::{Duration, Instant};

use mneme_clib::{AllocOptions, OpenOptions, Process};
use mneme_daemon::rdma::{PER_PEER, PER_PROCESS, SILENT};
use mneme_model::BoardShape;
use mneme_rdma::cm::{Ask, ConnectConfig, ConnectError, Connected, Connector, Kind, Refusal};
use mneme_rdma::codec::frame::Datagram;
use mneme_rdma::codec::icrc::ICRC_LEN;
use mneme_rdma::codec::{Bth, Extensions, Opcode, Packet, PathMtu, Psn, ROCE_PORT, Reth};
use mneme_rdma::memory::Access;
use mneme_rdma::node::{FRAME, NoMemory};
use mneme_rdma::responder::{Limits, PACKET_MAX, Responder};
use mneme_rdma::udp::{Exchange, Management, NativeClient, RocePort};
use mneme_tests::native::statistics;
use mneme_tests::served::{Made, RdmaBoard, address};

const MADE: fn() -> Made = || Made { shape: BoardShape::RDMA, ..Made::default() };
const BYTES: u64 = 64 * FRAME;

fn ask(process: &Process, kind: Kind, va: u64) -> Ask {
    Ask {
        pid: process.pid(),
        kind,
        access: Access::ALL,
        token: process.token(),
        va,
        length: BYTES,
        hardened: false,
    }
}

/// An attacker: an address with its port, and nothing of the library.
struct Attacker {
    exchange: Exchange,
    board: Ipv4Addr,
    next: u32,
}

impl Attacker {
    fn new(board: &RdmaBoard, host: u8) -> Attacker {
        let port = RocePort::bind(address(board.number, host)).expect("a port");
        let exchange = Exchange::new(port, Responder::new(Limits::default()));
        Attacker { exchange, board: *board.address.ip(), next: 0 }
    }

    fn connector(&mut self, ask: Ask) -> Connector {
        self.next += 1;
        Connector::new(ConnectConfig {
            source: self.exchange.port.address().octets(),
            board: self.board.octets(),
            qpn: 0x200 + self.next,
            from_board: Psn::default(),
            path_mtu: PathMtu::MAX,
            id: self.next,
            ask,
            patience: 10_000_000_000,
        })
        .expect("a request")
    }

    /// Sends a request and waits for no answer.
    fn shout(&mut self, ask: Ask) {
        let now = self.exchange.now();
        let bytes = self.connector(ask).poll(now).expect("there is time").expect("a request");
        self.send(bytes);
    }
    fn send(&mut self, bytes: [u8; mneme_rdma::codec::cm::MAD_LEN]) {
        self.exchange.send_management(Management { peer: self.board, bytes });
        self.serve();
    }
    fn serve(&mut self) {
        self.exchange.serve(&mut NoMemory).expect("the socket works");
    }

    /// Asks for a connection, and tells the board so, or not (`ready`).
    fn connect(&mut self, ask: Ask, ready: bool) -> Result<Connected, ConnectError> {
        let mut connector = self.connector(ask);
        loop {
            if let Some(bytes) = connector.poll(self.exchange.now())? {
                self.send(bytes);
            }
            self.serve();
            while let Some(came) = self.exchange.poll_management() {
                if let Some((connected, bytes)) = connector.receive(&came.bytes)? {
                    if ready {
                        self.send(bytes);
                    }
                    return Ok(connected);
                }
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

impl Attacker {
    /// Sends the first WRITE of a connection, of 8 bytes, and looks at no answer.
    fn writes(&mut self, connected: &Connected, rkey: u32, payload: [u8; 8]) {
        let bth =
            Bth { dest_qp: connected.qpn, psn: connected.starting_psn, ack_request: true, ..Bth::default() };
        let reth = Reth { va: connected.granted.va, rkey, length: 8 };
        let extensions = Extensions { reth: Some(reth), ..Extensions::default() };
        let mut bytes = [0; PACKET_MAX + ICRC_LEN];
        let packet = Packet { bth, opcode: Opcode::WriteOnly, extensions, payload: &payload };
        let length = packet.emit(&mut bytes).expect("a packet") + ICRC_LEN;
        let way = Datagram {
            source: self.exchange.port.address().octets(),
            destination: self.board.octets(),
            source_port: ROCE_PORT,
        };
        way.seal(&mut bytes[..length]).expect("a datagram");
        assert!(self.exchange.port.send_sealed(self.board, &bytes[..length]));
    }
}

/// A victim who has a connection and reads by it, one READ after the other.
struct Victim {
    process: Process,
    rdma: NativeClient,
    va: u64,
}

impl Victim {
    fn new(board: &mut RdmaBoard) -> Victim {
        let process = board.client().open(OpenOptions::default()).expect("open");
        let options = AllocOptions { frames: Some(0), ..AllocOptions::default() };
        let va = process.ralloc_with(1 << 20, options).expect("alloc");
        process.rwrite(va, b"the victim's own").expect("written");
        let rdma = board.rdma(ask(&process, Kind::Frames, va)).expect("a connection");
        Victim { process, rdma, va }
    }
    /// Reads so often, and compares. Answers the longest time.
    fn works(&mut self, reads: u32) -> Duration {
        let mut longest = Duration::ZERO;
        for _ in 0..reads {
            let since = Instant::now();
            self.rdma.native.read(self.va, vec![0; 16]).expect("posted");
            let done = self.rdma.wait().expect("the socket works").expect("an operation");
            assert_eq!((done.result, done.buffer.as_deref()), (Ok(()), Some(&b"the victim's own"[..])));
            longest = longest.max(since.elapsed());
        }
        longest
    }
}

/// Requests of processes that are not there, without end: each is refused, nothing is kept of it, and who is connected works.
#[test]
fn a_flood_of_requests_for_connections_keeps_nobody_from_working() {
    let mut board = RdmaBoard::start(MADE());
    let mut victim = Victim::new(&mut board);
    let mut attacker = Attacker::new(&board, 14);
    let nobody = Ask { pid: 0xdead, token: [7; 16], ..ask(&victim.process, Kind::Frames, victim.va) };
    const REQUESTS: u64 = 5_000;
    std::thread::scope(|scope| {
        let flood = scope.spawn(|| {
            for number in 0..REQUESTS {
                attacker.shout(nobody);
                // What comes back is taken, and no more than what sockets hold is under way.
                if number % 16 == 0 {
                    std::thread::sleep(Duration::from_micros(500));
                    attacker.serve();
                    while attacker.exchange.poll_management().is_some() {}
                }
            }
        });
        let mut rounds = 0;
        while !flood.is_finished() || rounds < 10 {
            let longest = victim.works(20);
            assert!(longest < Duration::from_secs(2), "a READ took {longest:?} beside the flood");
            rounds += 1;
        }
    });
    // Who is not there yet connects beside it.
    let again = board.rdma(ask(&victim.process, Kind::Frames, victim.va));
    assert!(again.is_ok(), "{again:?}");
    drop(again);
    victim.works(1);
    let (counted, audit) = board.end_audited();
    let seen = counted("connections refused") + counted("management datagrams without a place");
    println!(
        "{} of {REQUESTS} requests refused, {} connections made",
        counted("connections refused"),
        counted("connections made")
    );
    assert!(counted("connections refused") > REQUESTS / 2 && seen <= REQUESTS, "{seen}");
    assert_eq!((counted("connections made"), audit.mapped), (2, 1));
}

/// Handshakes that are begun and never ended, and bytes that are none: they take the attacker's own places.
#[test]
fn handshakes_that_nobody_ends_take_the_attackers_places_alone() {
    let mut board = RdmaBoard::start(MADE());
    let mut victim = Victim::new(&mut board);
    let mut attacker = Attacker::new(&board, 14);
    let process = board.client().open(OpenOptions::default()).expect("open");
    let half = Ask { kind: Kind::Statistics, access: Access::READ, ..ask(&process, Kind::Statistics, 0) };
    for number in 0..PER_PROCESS {
        assert!(attacker.connect(half, false).is_ok(), "handshake {number}");
    }
    for _ in 0..8 {
        let more = attacker.connect(half, false);
        assert_eq!(more.map(|_| ()), Err(ConnectError::Refused(Refusal::Full)));
    }
    // Management datagrams of noise, and RoCEv2 packets of noise, whose ICRC is wrong.
    for number in 0..500u64 {
        let noise = std::array::from_fn(|at| (number.wrapping_mul(0x9e37_79b9) >> (at % 24)) as u8);
        attacker.send(noise);
        // No more than what sockets hold is under way.
        if number % 16 == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    let socket = UdpSocket::bind((address(board.number, 13), 0)).expect("a socket");
    for length in 0..200 {
        socket.send_to(&vec![0x5a; length], (*board.address.ip(), 4791)).expect("sent");
    }
    victim.works(50);
    let other = board.rdma(ask(&victim.process, Kind::Frames, victim.va));
    assert!(other.is_ok(), "the victim's next connection: {other:?}");
    drop(other);
    // They end by themselves: 10 s without a sign of their client.
    let until = Instant::now() + Duration::from_secs(40);
    while attacker.connect(half, true).is_err() {
        assert!(Instant::now() < until, "half-made handshakes do not end");
        std::thread::sleep(Duration::from_millis(300));
    }
    victim.works(1);
    let counted = board.end();
    assert!(counted("connections whose clients were never heard of") >= 1);
    let dropped = counted("management datagrams malformed") + counted("management datagrams without a place");
    assert!(dropped >= 400, "{dropped} of 500 datagrams of noise");
    assert!(counted("datagrams with a wrong ICRC") + counted("datagrams of a wrong length") >= 100);
}

/// Opens process after process and takes all connections that one address gets; how many.
fn take_all(board: &mut RdmaBoard, attacker: &mut Attacker, processes: &mut Vec<Process>) -> usize {
    let (client, mut made) = (board.client(), 0);
    loop {
        let process = client.open(OpenOptions::default()).expect("open");
        let one = Ask { access: Access::READ, ..ask(&process, Kind::Statistics, 0) };
        processes.push(process);
        for _ in 0..PER_PROCESS {
            match attacker.connect(one, true) {
                Ok(_) => made += 1,
                Err(ConnectError::Refused(Refusal::Full)) => return made,
                Err(error) => panic!("{error:?}"),
            }
        }
        assert!(made <= PER_PEER, "{made} connections of one address");
    }
}

/// Addresses that take all that they get leave some for the next one, though each has fewer than it might and the table is full with
/// four times that: nobody has more than what is free.
#[test]
fn a_few_addresses_cannot_take_all_queue_pairs() {
    let mut board = RdmaBoard::start(MADE());
    let (mut processes, mut attackers) = (Vec::new(), Vec::new());
    let made: Vec<usize> = (11..15)
        .map(|host| {
            let mut attacker = Attacker::new(&board, host);
            let made = take_all(&mut board, &mut attacker, &mut processes);
            // Its connections stay.
            attackers.push(attacker);
            made
        })
        .collect();
    assert_eq!(made, [PER_PEER, PER_PEER, PER_PEER, PER_PEER / 2]);
    let mut victim = Victim::new(&mut board);
    victim.works(10);
    let counted = board.end();
    let all = made.iter().sum::<usize>() as u64;
    assert_eq!((counted("connections made"), counted("connections refused")), (all + 1, 4));
}

/// Each connection for the statistics asks where all frames are, which the board looks for once a second at most.
#[test]
fn connections_for_statistics_do_not_have_the_board_look_at_its_frames_all_the_time() {
    let mut board = RdmaBoard::start(MADE());
    let mut attacker = Attacker::new(&board, 14);
    let process = board.client().open(OpenOptions::default()).expect("open");
    let one = Ask { access: Access::READ, ..ask(&process, Kind::Statistics, 0) };
    let began = Instant::now();
    for _ in 0..50 {
        let connected = attacker.connect(one, true).expect("a connection");
        attacker.send(Connector::end(&connected).expect("a message"));
    }
    let counted = statistics(&mut board, &process);
    let seconds = began.elapsed().as_secs();
    assert!((1..=seconds + 1).contains(&counted("audits")), "{} in {seconds} s", counted("audits"));
    assert_eq!(board.end()("connections made"), 51);
}

/// An end that somebody else asks for: the right numbers from another address, and guessed ones from the right one.
#[test]
fn a_forged_end_of_a_connection_ends_nothing() {
    let mut board = RdmaBoard::start(MADE());
    let mut victim = Victim::new(&mut board);
    let connected = *victim.rdma.connected();
    let right = Connector::end(&connected).expect("a message");
    let mut attacker = Attacker::new(&board, 14);
    for _ in 0..5 {
        attacker.send(right);
    }
    // The last bytes of the numbers are drawn again: any of them wrong, and it is another connection's.
    for bit in 0..64 {
        let mut wrong = right;
        wrong[24 + bit / 8] ^= 1 << (bit % 8);
        attacker.send(wrong);
    }
    victim.works(50);
    let counted = board.end();
    assert_eq!((counted("connections ended by their clients"), counted("connections")), (0, 1));
}

/// One tenant's WRITEs take all frames that it may have; the other's budget is still there.
#[test]
fn a_tenant_that_writes_without_end_leaves_the_others_frames() {
    let made = Made { configure: |config| config.limits.tenant_pages = Some(4), ..MADE() };
    let mut board = RdmaBoard::start(made);
    let process = board.client().open(OpenOptions::default()).expect("open");
    let options = AllocOptions { frames: Some(8 * FRAME), ..AllocOptions::default() };
    let greedy = process.ralloc_with(1 << 20, options).expect("alloc");
    let other = board.client().open(OpenOptions::default()).expect("open");
    let va = other.ralloc_with(1 << 20, options).expect("alloc");
    let mut rdma = board.rdma(ask(&process, Kind::Frames, greedy)).expect("a connection");
    for page in 0..9 {
        rdma.native.write(greedy + page * FRAME, vec![0x66; FRAME as usize], None, false).expect("posted");
        let result = rdma.wait().expect("the socket works").expect("an operation").result;
        assert_eq!(result.is_ok(), page < 8, "page {page}: {result:?}");
    }
    for page in 0..8 {
        other.rwrite(va + page * FRAME, b"mine").expect("within its budget");
    }
    let (counted, audit) = board.end_audited();
    assert_eq!(audit.mapped, 16);
    assert!(counted("frames wanted beyond a budget") > 0);
    assert_eq!(counted("frames wanted of an empty ring"), 0);
}

/// Who knows all numbers of a connection, but no key, ends it by an error (A2), unless it was asked for as hardened.
fn an_error_ends_what_is_not_hardened(mut board: RdmaBoard) {
    let process = board.client().open(OpenOptions::default()).expect("open");
    let va = process.ralloc(2 * BYTES).expect("alloc");
    // A page that must be taken first may be "not ready", and nobody here asks again.
    process.rwrite(va, &[0; 8]).expect("write");
    process.rwrite(va + BYTES, &[0; 8]).expect("write");
    for (host, hardened) in [(13, false), (14, true)] {
        let mut attacker = Attacker::new(&board, host);
        let va = if hardened { va } else { va + BYTES };
        let asked = Ask { hardened, ..ask(&process, Kind::Pages, va) };
        let connected = attacker.connect(asked, true).expect("a connection");
        let rkey = connected.granted.rkey;
        attacker.writes(&connected, rkey ^ 0x100, *b"a guess.");
        attacker.writes(&connected, rkey, *b"its own.");
    }
    let found = |va: u64| {
        let mut bytes = [0; 8];
        process.rread(va, &mut bytes).expect("read");
        bytes
    };
    let end = Instant::now() + Duration::from_secs(20);
    while found(va) == [0; 8] {
        assert!(Instant::now() < end, "the hardened connection's WRITE does nothing");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!((&found(va), found(va + BYTES)), (b"its own.", [0; 8]), "one has ended before its WRITE came");
    while statistics(&mut board, &process)("connections ended by an error") == 0 {
        assert!(Instant::now() < end, "nothing has ended");
        std::thread::sleep(Duration::from_millis(50));
    }
    let counted = board.end();
    let ended = counted("connections ended by an error");
    assert_eq!((counted("hardened"), ended, counted("connections refused")), (1, 1, 0));
}

#[test]
fn an_error_ends_no_hardened_connection_of_a_software_board() {
    an_error_ends_what_is_not_hardened(RdmaBoard::start(Made::default()));
}

#[test]
fn an_error_ends_no_hardened_connection_of_the_rtl() {
    an_error_ends_what_is_not_hardened(RdmaBoard::start_rtl(SILENT));
}
