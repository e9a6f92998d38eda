//! perftest's side of a test with a served board: what it asks for is answered, and nothing else can be had.
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddrV4, TcpStream};
use std::time::{Duration, Instant};

use mneme_clib::{OpenOptions, Process};
use mneme_daemon::rdma::{PERFTEST_PORT, PERFTEST_SEND_LAT_PORT, PERFTEST_SENDS_PORT, SILENT};
use mneme_rdma::codec::{Nak, PathMtu, Psn};
use mneme_rdma::node::NoMemory;
use mneme_rdma::requester::{Completion, Failure, Operation, RequesterConfig, Work};
use mneme_rdma::responder::{Limits, QueuePairConfig, Responder};
use mneme_rdma::udp::{Connection, Exchange, RocePort};
use mneme_tests::native::statistics;
use mneme_tests::served::{Made, RdmaBoard, TEST_PATIENCE, address};
use mneme_tests::suite::pattern;
use rustix::net::{AddressFamily, SocketType, bind, connect, socket};

/// Bytes of keys.
const KEYS: usize = 108;
const QPN: u32 = 0x321;
const PSN: u32 = 0x12_3456;
/// Bytes of a test's memory.
const BYTES: u64 = 2 << 20;
const VERSION: &[u8; 16] = b"6.12\0\0\0\0\0\0\0\0\0\0\0\0";

struct Keys {
    qpn: u32,
    psn: u32,
    rkey: u32,
    va: u64,
}

fn call(board: &RdmaBoard, from: Ipv4Addr) -> TcpStream {
    call_at(board, from, PERFTEST_PORT)
}
fn call_at(board: &RdmaBoard, from: Ipv4Addr, port: u16) -> TcpStream {
    let called = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
    bind(&called, &SocketAddrV4::new(from, 0)).expect("an address");
    connect(&called, &SocketAddrV4::new(*board.address.ip(), port)).expect("the board listens");
    let stream = TcpStream::from(called);
    // A simulated board takes its time for what a test begins with.
    stream.set_read_timeout(Some(Duration::from_secs(120))).expect("set");
    stream
}
/// Says something, and hears as many bytes; nothing where the board ends the stream.
fn say(stream: &mut TcpStream, message: &[u8]) -> Option<Vec<u8>> {
    stream.write_all(message).ok()?;
    let mut said = vec![0; message.len()];
    stream.read_exact(&mut said).ok()?;
    Some(said)
}
/// What goes before the keys; the board's path MTU.
fn greet(stream: &mut TcpStream, mtu: u8) -> Option<u8> {
    for message in [&VERSION[..], &4096u32.to_be_bytes(), &64u32.to_be_bytes()] {
        (say(stream, message)? == message).then_some(())?;
    }
    let said = say(stream, &[mtu, 0])?;
    (said[0] <= mtu && said[1] == 0).then_some(said[0])
}
fn keys(gid: Ipv4Addr, qpn: u32) -> String {
    let [a, b, c, d] = gid.octets();
    let gid = format!("{}ff:ff:{a:02x}:{b:02x}:{c:02x}:{d:02x}", "00:".repeat(10));
    format!("0000:0001:{qpn:06x}:{PSN:06x}:00000207:00007f5ac0a10000:{gid}:00000000:\0")
}
fn exchange_keys(stream: &mut TcpStream, keys: &str) -> Option<Keys> {
    assert_eq!(keys.len(), KEYS);
    let said = String::from_utf8(say(stream, keys.as_bytes())?).expect("text");
    let fields: Vec<&str> = said.split(':').collect();
    let number = |field: &str| u64::from_str_radix(field, 16).expect("digits");
    let [qpn, psn, rkey] = [2, 3, 4].map(|at| number(fields[at]) as u32);
    Some(Keys { qpn, psn, rkey, va: number(fields[5]) })
}

/// A client with a queue pair, at a port for which the board has this path MTU.
fn client_at(board: &RdmaBoard, host: u8, (port, mtu): (u16, u8)) -> (TcpStream, Keys, Exchange) {
    let own = address(board.number, host);
    let mut stream = call_at(board, own, port);
    assert_eq!(greet(&mut stream, b'5'), Some(mtu));
    let theirs = exchange_keys(&mut stream, &keys(own, QPN)).expect("keys");
    let to = *board.address.ip();
    let connection =
        Connection::new(QPN, to, theirs.qpn, Psn::from_low_bits(theirs.psn), Psn::from_low_bits(PSN));
    let path_mtu = PathMtu::from_code(mtu - b'0').expect("a path MTU");
    let responder = QueuePairConfig { path_mtu, ..connection.responder };
    let requester = RequesterConfig { path_mtu, ..connection.requester };
    let connection = Connection { responder, requester };
    let mut exchange = Exchange::new(RocePort::bind(own).expect("a port"), Responder::new(Limits::default()));
    exchange.connect(&connection).expect("it is new");
    (stream, theirs, exchange)
}
/// The same where all programs are served.
fn client(board: &RdmaBoard, host: u8) -> (TcpStream, Keys, Exchange) {
    client_at(board, host, (PERFTEST_PORT, b'5'))
}
fn run(exchange: &mut Exchange, operation: Operation<Vec<u8>>) -> Completion<Vec<u8>> {
    exchange.requester(QPN).expect("a pair").post(Work::new(1, operation)).expect("there is room");
    let began = Instant::now();
    loop {
        exchange.serve(&mut NoMemory).expect("the socket works");
        if let Some(done) = exchange.requester(QPN).and_then(|requester| requester.poll_completion()) {
            return done;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "the operation ends");
        std::thread::sleep(Duration::from_micros(100));
    }
}

/// Waits until something is counted.
fn until(board: &mut RdmaBoard, process: &Process, name: &str, wanted: u64) {
    let began = Instant::now();
    loop {
        let found = statistics(board, process)(name);
        if found == wanted {
            return;
        }
        assert!(found < wanted && began.elapsed() < Duration::from_secs(30), "{name}: {found}, not {wanted}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
/// Whether the board ends the stream.
fn ends(stream: &mut TcpStream) -> bool {
    stream.read(&mut [0; 8]).map_or_else(|error| error.kind() == ErrorKind::ConnectionReset, |read| read == 0)
}

/// READs, WRITEs and atomics meet the library's in the test's memory.
fn works(process: &Process, theirs: &Keys, exchange: &mut Exchange) {
    let Keys { rkey, va, .. } = *theirs;
    let read = |va, bytes| Operation::Read { into: vec![1; bytes], va, rkey };
    // What it begins with is in docs/reference/rdma.md; here in its own words.
    let word = |at: u64| (u128::from(at / 8 + 1) * 0x9e37_79b9_7f4a_7c15) as u64;
    for at in [0, 4096, BYTES / 2 - 8, BYTES - 4096] {
        let words: Vec<u8> = (at..at + 4096).step_by(8).flat_map(|at| word(at).to_le_bytes()).collect();
        assert_eq!(run(exchange, read(va + at, 4096)).buffer, Some(words), "from byte {at} on");
    }
    let data = pattern(3, 70_000);
    let write = Operation::Write { data: data.clone(), va: va + 5, rkey, immediate: None };
    assert_eq!(run(exchange, write).result, Ok(()));
    assert_eq!(run(exchange, read(va + 5, 70_000)).buffer.as_ref(), Some(&data));
    // The library reads the same bytes, and what it writes is read by the test.
    let mut found = vec![0; 70_000];
    process.rread(va + 5, &mut found).expect("read");
    assert_eq!(found, data);
    let word = va + BYTES - 8;
    process.rwrite(word, &5u64.to_le_bytes()).expect("written");
    assert_eq!(run(exchange, Operation::FetchAdd { va: word, rkey, add: 2 }).found, Some(5));
    let swap = |compare| Operation::CompareSwap { va: word, rkey, compare, swap: 9 };
    assert_eq!([7, 7].map(|compare| run(exchange, swap(compare)).found), [Some(7), Some(9)]);
}

#[test]
fn a_test_has_board_memory_of_its_own_and_ends_as_perftest_does() {
    let mut board = RdmaBoard::start(Made::default());
    let library = board.client();
    let (process, memory) = board.lend(&library);
    // What another test left is not there.
    process.rwrite(memory + BYTES - 4096, &[9; 4096]).expect("written");
    let (mut stream, theirs, mut exchange) = client(&board, 13);
    let Keys { rkey, va, .. } = theirs;
    assert_eq!(va, memory);
    works(&process, &theirs, &mut exchange);
    for bytes in [1, 4097, 1 << 20] {
        let data = pattern(bytes as u64, bytes);
        let send = Operation::Send { data: data.clone(), immediate: None };
        assert_eq!(run(&mut exchange, send).result, Ok(()));
        let mut found = vec![0; bytes];
        process.rread(va, &mut found).expect("read");
        assert_eq!(found, data, "a message of {bytes}");
    }
    // The keys again, as often as it likes, a report, and the end.
    let own = keys(address(board.number, 13), QPN);
    for _ in 0..4 {
        assert_eq!(exchange_keys(&mut stream, &own).map(|keys| keys.rkey), Some(rkey));
    }
    for number in [65_536, 100, 0x4059_0000_0000_0000, 0x4059_0000_0000_0000, 0] {
        let number = u64::to_be_bytes(number);
        assert_eq!(say(&mut stream, &number).as_deref(), Some(&number[..]));
    }
    assert!(exchange_keys(&mut stream, &own).is_some());
    stream.write_all(b"done\0").expect("sent");
    assert!(ends(&mut stream));
    let counted = statistics(&mut board, &process);
    assert_eq!((counted("tests begun"), counted("messages of tests")), (1, 3));
    assert_eq!(counted("regions"), 1, "that of who asks");
}

/// Each message is answered by one as long, as `ib_send_lat` wants it: the client begins.
fn answers(exchange: &mut Exchange, sizes: &[usize]) {
    for (n, &bytes) in sizes.iter().enumerate() {
        exchange.responder.post_receive(QPN, n as u64, vec![0xee; 1 << 20].into()).expect("there is room");
        let data = pattern(bytes as u64, bytes);
        assert_eq!(run(exchange, Operation::Send { data: data.clone(), immediate: None }).result, Ok(()));
        let began = Instant::now();
        let back = loop {
            exchange.serve(&mut NoMemory).expect("the socket works");
            if let Some(back) = exchange.responder.poll_received() {
                break back;
            }
            assert!(began.elapsed() < Duration::from_secs(20), "{bytes} bytes are not answered");
            std::thread::sleep(Duration::from_micros(100));
        };
        assert!(back.length == bytes && back.buffer[..bytes] == data, "{bytes} bytes");
    }
}

#[test]
fn ib_send_lat_is_answered_at_its_port() {
    let mut board = RdmaBoard::start(Made::default());
    let library = board.client();
    let (process, memory) = board.lend(&library);
    let (mut stream, theirs, mut exchange) = client_at(&board, 13, (PERFTEST_SEND_LAT_PORT, b'5'));
    let own = keys(address(board.number, 13), QPN);
    // As often as programs say them that wait for the server.
    assert!((0..3).all(|_| exchange_keys(&mut stream, &own).is_some()));
    // More than there are buffers: each comes back to the next message.
    let sizes = [2; 40].into_iter().chain([0, 1, 4097, 1 << 20, 8]).collect::<Vec<_>>();
    answers(&mut exchange, &sizes);
    // A message comes to the test's memory, too.
    let mut found = [0; 8];
    process.rread(memory, &mut found).expect("read");
    assert_eq!(found[..], pattern(8, 8));
    let read = Operation::Read { into: vec![0; 8], va: theirs.va, rkey: theirs.rkey };
    assert_eq!(run(&mut exchange, read).buffer, Some(pattern(8, 8)));
    assert!(exchange_keys(&mut stream, &own).is_some());
    stream.write_all(b"done\0").expect("sent");
    assert!(ends(&mut stream));
    let counted = statistics(&mut board, &process);
    assert_eq!((counted("tests begun"), counted("messages of tests")), (1, sizes.len() as u64));
    assert_eq!(counted("regions"), 1, "that of who asks");
}

/// The hardware has the test's queue pair, which takes no SEND; at the port for these it is software's, and takes nothing else. Packets
/// for software are as short as frames of the core.
#[test]
fn a_test_on_the_rtl_has_its_memory_or_sends_at_the_port_for_these() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let library = board.client();
    let (process, memory) = board.lend(&library);
    process.rwrite(memory + BYTES - 4096, &[9; 4096]).expect("written");
    let (mut stream, theirs, mut exchange) = client(&board, 13);
    assert_eq!(theirs.va, memory);
    works(&process, &theirs, &mut exchange);
    let past = |rkey| Operation::Read { into: vec![0; 8], va: memory + BYTES - 7, rkey };
    stream.write_all(b"done\0").expect("sent");
    assert!(ends(&mut stream));
    // It has ended: nobody answers by its queue pair, and the next one begins as that one did.
    let (mut stream, theirs, mut exchange) = client(&board, 14);
    works(&process, &theirs, &mut exchange);
    let send = Operation::Send { data: vec![1; 8], immediate: None };
    assert_eq!(run(&mut exchange, send).result, Err(Failure::Refused(Nak::InvalidRequest)));
    assert!(ends(&mut stream));
    let (mut stream, theirs, mut exchange) = client(&board, 12);
    assert_eq!(run(&mut exchange, past(theirs.rkey)).result, Err(Failure::Refused(Nak::RemoteAccess)));
    assert!(ends(&mut stream));
    let (mut stream, theirs, mut exchange) = client_at(&board, 11, (PERFTEST_SENDS_PORT, b'3'));
    for bytes in [1, 0, 1024, 5000, 70_000] {
        let send = Operation::Send { data: pattern(bytes as u64, bytes), immediate: None };
        assert_eq!(run(&mut exchange, send).result, Ok(()), "{bytes} bytes");
    }
    let va = theirs.va;
    let write = Operation::Write { data: vec![1; 8], va, rkey: theirs.rkey, immediate: None };
    assert_eq!(run(&mut exchange, write).result, Err(Failure::Refused(Nak::RemoteAccess)));
    assert!(ends(&mut stream));
    let (mut stream, _, mut exchange) = client_at(&board, 10, (PERFTEST_SEND_LAT_PORT, b'3'));
    answers(&mut exchange, &[2; 20]);
    answers(&mut exchange, &[0, 1025, 5000]);
    stream.write_all(b"done\0").expect("sent");
    assert!(ends(&mut stream));
    let counted = statistics(&mut board, &process);
    assert_eq!((counted("tests begun"), counted("tests given up after an error")), (5, 3));
    assert_eq!((counted("messages of tests"), counted("regions")), (28, 1), "the region is that of who asks");
}

#[test]
fn tests_at_once_have_memory_apart_and_one_past_it_ends() {
    let mut board = RdmaBoard::start(Made::default());
    let library = board.client();
    let (process, memory) = board.lend(&library);
    let mut both = [13, 14].map(|host| client(&board, host));
    assert_eq!([&both[0], &both[1]].map(|(_, theirs, _)| theirs.va), [memory, memory + BYTES]);
    for (at, (_, theirs, exchange)) in both.iter_mut().enumerate() {
        let data = vec![at as u8 + 1; 8];
        let write = Operation::Write { data, va: theirs.va, rkey: theirs.rkey, immediate: None };
        assert_eq!(run(exchange, write).result, Ok(()));
    }
    for (at, (_, theirs, exchange)) in both.iter_mut().enumerate() {
        let read = Operation::Read { into: vec![0; 8], va: theirs.va, rkey: theirs.rkey };
        assert_eq!(run(exchange, read).buffer, Some(vec![at as u8 + 1; 8]));
    }
    // Another one's, by its own key, and past the end.
    let [(_first, theirs, _), (stream, second, exchange)] = &mut both;
    let past = Operation::Read { into: vec![0; 8], va: theirs.va, rkey: second.rkey };
    assert_eq!(run(exchange, past).result, Err(Failure::Refused(Nak::RemoteAccess)));
    assert!(ends(stream));
    until(&mut board, &process, "tests given up after an error", 1);
    let (_stream, theirs, mut exchange) = client(&board, 12);
    assert_eq!(theirs.va, memory + BYTES, "its place is free again");
    let past = Operation::Read { into: vec![0; 8], va: theirs.va + BYTES - 7, rkey: theirs.rkey };
    assert_eq!(run(&mut exchange, past).result, Err(Failure::Refused(Nak::RemoteAccess)));
    until(&mut board, &process, "tests given up after an error", 2);
    assert_eq!(statistics(&mut board, &process)("regions"), 2, "the first test's, and that of who asks");
}

#[test]
fn who_says_nonsense_hangs_up_or_is_one_too_many_gets_no_test() {
    let mut board = RdmaBoard::start(Made::default());
    let library = board.client();
    let (process, _) = board.lend(&library);
    let own = address(board.number, 13);
    let other = address(board.number, 14);
    let greeted = |board: &RdmaBoard| {
        let mut stream = call(board, own);
        greet(&mut stream, b'3').expect("the same");
        stream
    };
    // No version, no path MTU, no keys at all, another's address.
    assert_eq!(say(&mut call(&board, own), &[0xff; 16]), None);
    for mtu in [b'0', b'6', 0xff] {
        assert_eq!(greet(&mut call(&board, own), mtu), None);
    }
    assert!(say(&mut greeted(&board), &[b'x'; KEYS]).is_none());
    assert!(exchange_keys(&mut greeted(&board), &keys(other, QPN)).is_none());
    // A second queue pair, a second report, and something else than `done`.
    let mut second = greeted(&board);
    assert!(exchange_keys(&mut second, &keys(own, QPN)).is_some());
    assert!(exchange_keys(&mut second, &keys(own, QPN + 1)).is_none());
    let mut twice = greeted(&board);
    assert!(exchange_keys(&mut twice, &keys(own, QPN)).is_some());
    assert!((0..5).all(|_| say(&mut twice, &[0; 8]).is_some()));
    assert_eq!(say(&mut twice, &[0; 8]), None);
    let mut not_done = greeted(&board);
    assert!(exchange_keys(&mut not_done, &keys(own, QPN)).is_some());
    assert_eq!(say(&mut not_done, b"dont\0"), None);
    // Both directions: a report, and keys came four times before a packet.
    let mut both = greeted(&board);
    assert!((0..4).all(|_| exchange_keys(&mut both, &keys(own, QPN)).is_some()));
    assert_eq!(say(&mut both, &[0; 8]), None);
    // Half a message and then the end, and the end in the middle of a test.
    let mut half = call(&board, own);
    half.write_all(b"6.1").expect("sent");
    half.shutdown(Shutdown::Write).expect("shut");
    assert!(ends(&mut half));
    let (stream, _, mut exchange) = client(&board, 14);
    drop(stream);
    until(&mut board, &process, "tests given up by the client", 2);
    // Its queue pair is gone: nobody answers.
    assert_eq!(statistics(&mut board, &process)("regions"), 1, "that of who asks");
    exchange
        .requester(QPN)
        .expect("a pair")
        .post(Work::new(1, Operation::Send { data: vec![1], immediate: None }))
        .expect("room");
    exchange.serve(&mut NoMemory).expect("the socket works");
    until(&mut board, &process, "unknown queue pair", 1);
    // Four tests at a time, a fifth is refused. One address has half of them, and as many as are free.
    let greeted_from = |board: &RdmaBoard, from: Ipv4Addr| {
        let mut stream = call(board, from);
        greet(&mut stream, b'3').expect("the same");
        stream
    };
    let test = |board: &RdmaBoard, from: Ipv4Addr, qpn: u32| {
        let mut stream = greeted_from(board, from);
        assert!(exchange_keys(&mut stream, &keys(from, qpn)).is_some(), "a test of {from}");
        stream
    };
    let mut streams = vec![test(&board, own, QPN), test(&board, own, QPN + 1)];
    assert_eq!(say(&mut call(&board, own), VERSION), None, "it has half");
    streams.push(test(&board, other, QPN));
    streams.push(test(&board, address(board.number, 12), QPN));
    assert_eq!(say(&mut call(&board, address(board.number, 11)), VERSION), None, "four are under way");
    streams.pop();
    until(&mut board, &process, "tests given up by the client", 3);
    streams.push(test(&board, address(board.number, 11), QPN));
    drop(streams);
    until(&mut board, &process, "tests given up by the client", 7);
    let counted = statistics(&mut board, &process);
    assert_eq!(counted("tests refused for nonsense"), 1 + 3 + 1 + 2);
    let share = "the share of their address";
    for why in ["the address of another", "a second queue pair", "both directions", "want of a place", share]
    {
        assert_eq!(counted(&format!("tests refused for {why}")), 1, "{why}");
    }
    assert_eq!(counted("tests begun"), 4 + 1 + 4 + 1);
    assert_eq!(counted("regions"), 1, "that of who asks");
}

#[test]
fn silence_ends_a_test_and_a_client_that_waits_for_the_server_is_told_apart() {
    let mut board = RdmaBoard::start(Made::default());
    let library = board.client();
    let (process, _) = board.lend(&library);
    // Nothing at all; keys and nothing more; four times keys, one message, and nothing more.
    let mut silent = call(&board, address(board.number, 12));
    let (mut idle, ..) = client(&board, 13);
    let (mut waits, theirs, mut exchange) = client(&board, 14);
    let own = keys(address(board.number, 14), QPN);
    assert!((0..3).all(|_| exchange_keys(&mut waits, &own).is_some()));
    let write = Operation::Write { data: vec![1, 1], va: theirs.va, rkey: theirs.rkey, immediate: None };
    assert_eq!(run(&mut exchange, write).result, Ok(()));
    // One of which something comes stays for longer.
    let (mut busy, theirs, mut exchange) = client(&board, 11);
    let began = Instant::now();
    while began.elapsed() < TEST_PATIENCE + Duration::from_secs(1) {
        let add = Operation::FetchAdd { va: theirs.va, rkey: theirs.rkey, add: 1 };
        assert_eq!(run(&mut exchange, add).result, Ok(()));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!([&mut silent, &mut idle, &mut waits].into_iter().all(ends));
    assert!(exchange_keys(&mut busy, &keys(address(board.number, 11), QPN)).is_some());
    until(&mut board, &process, "tests given up after silence", 2);
    until(&mut board, &process, "tests given up as the client waits", 1);
    assert_eq!(statistics(&mut board, &process)("regions"), 2, "the busy one's, and that of who asks");
}

#[test]
fn tests_end_with_the_process_whose_memory_they_have() {
    let mut board = RdmaBoard::start(Made::default());
    let library = board.client();
    let asks = library.open(OpenOptions::default()).expect("a process");
    // Who comes before there is memory waits for it.
    let mut early = call(&board, address(board.number, 12));
    early.set_read_timeout(Some(Duration::from_millis(200))).expect("set");
    assert_eq!(say(&mut early, VERSION), None);
    let (process, _) = board.lend(&library);
    early.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
    let mut said = [0; 16];
    early.read_exact(&mut said).expect("its turn");
    assert_eq!(&said, VERSION);
    let (mut stream, ..) = client(&board, 13);
    process.exit().expect("it ends");
    assert!(ends(&mut stream) && ends(&mut early));
    assert!(say(&mut call(&board, address(board.number, 14)), VERSION).is_none());
    until(&mut board, &asks, "tests refused for want of memory", 3);
    assert_eq!(statistics(&mut board, &asks)("regions"), 1, "that of who asks");
}
