//! `ibv_rc_pingpong`'s side of a ping-pong with a served board: every message comes back, and nothing else can be had.
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mneme_daemon::rdma::{PING_PONG_PORT, SILENT};
use mneme_rdma::cm::{Ask, Kind};
use mneme_rdma::codec::frame::Datagram;
use mneme_rdma::codec::icrc::ICRC_LEN;
use mneme_rdma::codec::{Bth, Extensions, Nak, Opcode, Packet, PathMtu, Psn, ROCE_PORT};
use mneme_rdma::memory::Access;
use mneme_rdma::node::NoMemory;
use mneme_rdma::requester::{Failure, Operation, RequesterConfig, Work};
use mneme_rdma::responder::{Limits, PACKET_MAX, QueuePairConfig, Responder};
use mneme_rdma::udp::{Connection, Exchange, RocePort};
use mneme_tests::native::native_read;
use mneme_tests::served::{Made, RdmaBoard, address};
use mneme_tests::suite::pattern;
use rustix::net::{AddressFamily, SocketType, bind, connect, socket};

/// Bytes of a side's word.
const WORD: usize = 52;
const QPN: u32 = 0x123;
const PSN: u32 = 0xff_fff0;

/// A handshake's stream from an address of one's own.
fn call(board: &RdmaBoard, from: Ipv4Addr) -> TcpStream {
    let called = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
    bind(&called, &SocketAddrV4::new(from, 0)).expect("an address");
    connect(&called, &SocketAddrV4::new(*board.address.ip(), PING_PONG_PORT)).expect("the board listens");
    let stream = TcpStream::from(called);
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
    stream
}
fn word(gid: Ipv4Addr, qpn: u32) -> String {
    format!("0000:{qpn:06x}:{PSN:06x}:00000000000000000000ffff{:08x}\0", u32::from(gid))
}
/// The board's number and first packet, or nothing where it ends the stream.
fn greet(stream: &mut TcpStream, word: &str) -> Option<(u32, u32)> {
    stream.write_all(word.as_bytes()).ok()?;
    let mut said = [0; WORD];
    stream.read_exact(&mut said).ok()?;
    let text = std::str::from_utf8(&said).expect("text");
    let fields: Vec<&str> = text.split(':').collect();
    let number = |field: &str| u32::from_str_radix(field, 16).expect("digits");
    Some((number(fields[1]), number(fields[2])))
}

/// A client with a queue pair.
fn client(board: &RdmaBoard, host: u8) -> Exchange {
    let own = address(board.number, host);
    let mut stream = call(board, own);
    let (qpn, psn) = greet(&mut stream, &word(own, QPN)).expect("a word");
    stream.write_all(b"done\0").expect("sent");
    let path_mtu = PathMtu::new(1024).expect("a path MTU");
    let to = *board.address.ip();
    let connection = Connection::new(QPN, to, qpn, Psn::from_low_bits(psn), Psn::from_low_bits(PSN));
    let responder = QueuePairConfig { path_mtu, ..connection.responder };
    let requester = RequesterConfig { path_mtu, ..connection.requester };
    let port = RocePort::bind(own).expect("a port");
    let mut exchange = Exchange::new(port, Responder::new(Limits::default()));
    exchange.connect(&Connection { responder, requester }).expect("it is new");
    exchange
}
/// Serves until something is there.
fn until<T>(exchange: &mut Exchange, what: &str, mut is: impl FnMut(&mut Exchange) -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        exchange.serve(&mut NoMemory).expect("the socket works");
        if let Some(found) = is(exchange) {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_micros(100));
    }
}
fn post(exchange: &mut Exchange, operation: Operation<Vec<u8>>) {
    exchange.requester(QPN).expect("a pair").post(Work::new(1, operation)).expect("there is room");
}

/// Messages of these sizes come back, one after the other.
fn come_back(own: &mut Exchange, sizes: &[usize]) {
    for (n, &bytes) in sizes.iter().enumerate() {
        own.responder.post_receive(QPN, n as u64, vec![0xee; 1 << 20].into()).expect("there is room");
        let (data, immediate) = (pattern(n as u64, bytes), (n % 2 == 1).then_some(n as u32));
        post(own, Operation::Send { data: data.clone(), immediate });
        let sent = until(own, "it is sent", |own| own.requester(QPN)?.poll_completion());
        assert_eq!(sent.result, Ok(()), "{bytes} bytes");
        let back = until(own, "it comes back", |own| own.responder.poll_received());
        assert_eq!((back.length, back.immediate), (bytes, immediate));
        assert!(back.buffer[..bytes] == data, "{bytes} bytes");
    }
}

#[test]
fn every_message_comes_back() {
    let board = RdmaBoard::start(Made::default());
    let mut one = client(&board, 13);
    let sizes = [4096, 0, 1, 1023, 1024, 1025, 70_000, 1 << 20, 4096, 17];
    come_back(&mut one, &sizes);
    // Longer than any buffer, and no memory is behind it: the pair ends, and others go on.
    post(&mut one, Operation::Send { data: vec![1; (1 << 20) + 1], immediate: None });
    let refused = until(&mut one, "an end", |one| one.requester(QPN)?.poll_completion());
    assert_eq!(refused.result, Err(Failure::Refused(Nak::InvalidRequest)));
    reads_nothing(&mut client(&board, 12));
    let counted = board.end();
    assert_eq!((counted("ping-pongs begun"), counted("messages sent back")), (2, sizes.len() as u64));
    assert_eq!((counted("ping-pongs refused"), counted("immediates")), (0, 0));
}

fn reads_nothing(own: &mut Exchange) {
    post(own, Operation::Read { into: vec![0; 8], va: 0x1000, rkey: 1 });
    let refused = until(own, "an end", |own| own.requester(QPN)?.poll_completion());
    assert_eq!(refused.result, Err(Failure::Refused(Nak::RemoteAccess)));
}

/// SENDs for a number of software's that nobody has, more at once than the slow path has places for. There is a pause after each burst,
/// since a busy machine's board takes its frames from one socket, and what that has no room for is lost whoever sent it.
struct Flood {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<u64>,
}

impl Flood {
    fn begin(from: Ipv4Addr, to: Ipv4Addr) -> Flood {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let mut port = RocePort::bind(from).expect("a port");
        let thread = std::thread::spawn(move || {
            let send = Packet {
                bth: Bth { dest_qp: 0x700, ack_request: true, ..Bth::default() },
                opcode: Opcode::SendOnly,
                extensions: Extensions::default(),
                payload: &[7; 64],
            };
            let mut packet = [0; PACKET_MAX + ICRC_LEN];
            let length = send.emit(&mut packet).expect("it fits");
            let way = Datagram { source: from.octets(), destination: to.octets(), source_port: ROCE_PORT };
            let datagram = &mut packet[..length + ICRC_LEN];
            way.seal(datagram).expect("it is long enough");
            let mut sent = 0;
            while !stopped.load(Ordering::Relaxed) {
                sent += (0..200).filter(|_| port.send_sealed(to, datagram)).count() as u64;
                std::thread::sleep(Duration::from_millis(40));
            }
            sent
        });
        Flood { stop, thread }
    }
    /// How many it was.
    fn end(self) -> u64 {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("it sends")
    }
}

/// A board of RTL leaves these queue pairs to software, and serves its own beside them. A flood of frames for a number that nobody has
/// keeps neither from going on.
#[test]
fn every_message_comes_back_from_the_rtl() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let mut one = client(&board, 13);
    let sizes = [4096, 0, 1, 1023, 1024, 1025, 70_000, 17];
    come_back(&mut one, &sizes);
    let library = board.client();
    let (process, va) = board.lend(&library);
    let flood = Flood::begin(address(board.number, 11), *board.address.ip());
    come_back(&mut one, &[5000, 1]);
    process.rwrite(va, b"beside").expect("written");
    let (pid, token) = (process.pid(), process.token());
    let ask = Ask { pid, kind: Kind::Pages, access: Access::ALL, token, va, length: 8, hardened: false };
    let mut native = board.rdma(ask).expect("a connection");
    assert_eq!(native_read(&mut native, va, 6), b"beside");
    let sent = flood.end();
    reads_nothing(&mut client(&board, 12));
    let counted = board.end();
    assert_eq!((counted("ping-pongs begun"), counted("messages sent back")), (2, sizes.len() as u64 + 2));
    assert_eq!(counted("ping-pongs refused"), 0);
    let came = counted("unknown queue pair");
    assert!(came > 100 && came <= sent, "{came} of the flood's {sent} frames came");
}

/// A client whose machine has no time for it for a tenth of a second goes on afterwards: the board has not given it up.
#[test]
fn a_client_that_is_silent_for_a_while_goes_on() {
    let board = RdmaBoard::start(Made::default());
    let mut own = client(&board, 14);
    for number in [7, 8] {
        own.responder.post_receive(QPN, 1, vec![0; 64].into()).expect("there is room");
        post(&mut own, Operation::Send { data: vec![number; 64], immediate: None });
        own.serve(&mut NoMemory).expect("the socket works");
        std::thread::sleep(Duration::from_millis(100));
        let back = until(&mut own, "it comes back", |own| own.responder.poll_received());
        assert_eq!((back.length, &back.buffer[..]), (64, &[number; 64][..]));
    }
}

#[test]
fn who_says_nonsense_or_is_one_too_many_is_refused() {
    let board = RdmaBoard::start(Made::default());
    let own = address(board.number, 13);
    // Another's address: answers to forged words would go there.
    let forged = greet(&mut call(&board, own), &word(address(board.number, 14), QPN));
    assert_eq!(forged, None);
    assert_eq!(greet(&mut call(&board, own), &"x".repeat(WORD)), None);
    // Half a word, and then nothing.
    let mut half = call(&board, own);
    half.write_all(b"0000:").expect("sent");
    half.shutdown(std::net::Shutdown::Write).expect("shut");
    assert_eq!(half.read(&mut [0; 8]).ok(), Some(0));
    let streams: Vec<TcpStream> = (0..8)
        .map(|n| {
            let mut stream = call(&board, own);
            assert!(greet(&mut stream, &word(own, QPN + n)).is_some(), "pair {n}");
            stream.write_all(b"done\0").expect("sent");
            stream
        })
        .collect();
    assert_eq!(greet(&mut call(&board, own), &word(own, QPN + 9)), None, "eight are under way");
    drop(streams);
    let counted = board.end();
    assert_eq!((counted("ping-pongs begun"), counted("ping-pongs refused")), (8, 4));
}
