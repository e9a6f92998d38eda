//! Programs of others that call a daemon over TCP on the network of its processor: what `ibv_rc_pingpong` and perftest say is said here,
//! byte by byte, and what they were told is used.
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::time::{Duration, Instant};

use mneme_rdma::codec::{Nak, PathMtu, Psn};
use mneme_rdma::node::NoMemory;
use mneme_rdma::requester::{Completion, Failure, Operation, RequesterConfig, Work};
use mneme_rdma::responder::{Limits, QueuePairConfig, Responder};
use mneme_rdma::udp::{Connection, Exchange, RocePort};
use mneme_tests::served::address;
use mneme_tests::suite::pattern;
use rustix::net::{AddressFamily, SocketType, bind, connect, socket};

use crate::rdma::Board;
use crate::rig::{Daemon, terminate};

/// Hosts of a board's network: the daemon's processor, those who call it there, and ports of RDMA.
const PROCESSOR: u8 = 8;
const CALLER: u8 = 9;
const STRANGER: u8 = 10;
const PORT: u8 = 11;
const OTHER_PORT: u8 = 12;

const PING_PONG: u16 = 18_515;
const PERFTEST: u16 = 18_516;
const SENDS: u16 = 18_517;
const SEND_LAT: u16 = 18_518;
const QPN: u32 = 0x123;
const PSN: u32 = 0xff_fff0;
/// Bytes of a test's memory.
const BYTES: u64 = 2 << 20;
/// How long something may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A board whose daemon serves callers.
struct Called {
    board: Board,
    daemon: Daemon,
}

impl Called {
    fn start() -> Called {
        let board = Board::start();
        let at = address(board.number, PROCESSOR).to_string();
        let mut daemon = Daemon::start(&board.hardware, &["--rdma", "--ping-pong", &at, "--perftest", &at]);
        let said = daemon.serving();
        let also = format!(
            "RDMA, ping-pong at {at}:{PING_PONG}, perftest at {at}:{PERFTEST}, {SENDS} and {SEND_LAT}"
        );
        assert!(said[0].ends_with(&also), "{said:?}");
        Called { board, daemon }
    }
    fn address(&self, host: u8) -> Ipv4Addr {
        address(self.board.number, host)
    }
    /// A stream to the processor.
    fn call(&self, from: u8, port: u16) -> TcpStream {
        let called = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
        bind(&called, &SocketAddrV4::new(self.address(from), 0)).expect("an address");
        connect(&called, &SocketAddrV4::new(self.address(PROCESSOR), port)).expect("the daemon listens");
        let stream = TcpStream::from(called);
        stream.set_read_timeout(Some(PATIENCE)).expect("set");
        stream
    }
    /// Ends the daemon; what it says at the end.
    fn end(mut self) -> Vec<String> {
        terminate(self.daemon.id());
        let said = std::iter::from_fn(|| Some(self.daemon.line()).filter(|line| !line.is_empty())).collect();
        assert!(self.daemon.end());
        said
    }
}

/// Says something, and hears as many bytes; nothing where the stream is ended.
fn say(stream: &mut TcpStream, message: &[u8]) -> Option<String> {
    stream.write_all(message).ok()?;
    let mut said = vec![0; message.len()];
    stream.read_exact(&mut said).ok()?;
    String::from_utf8(said).ok()
}
/// Whether the stream is ended by the daemon.
fn ends(stream: &mut TcpStream) -> bool {
    stream.read(&mut [0; 8]).map_or_else(|error| error.kind() == ErrorKind::ConnectionReset, |read| read == 0)
}
fn number(field: &str) -> u64 {
    u64::from_str_radix(field, 16).expect("digits")
}

/// What `ibv_rc_pingpong` says.
fn word(gid: Ipv4Addr) -> String {
    format!("0000:{QPN:06x}:{PSN:06x}:00000000000000000000ffff{:08x}\0", u32::from(gid))
}
/// What perftest says: everything before the keys, and the keys.
fn greet(stream: &mut TcpStream, mtu: &str) -> Option<()> {
    let version = "6.12\0\0\0\0\0\0\0\0\0\0\0\0";
    for message in [version, "\0\0\x10\0", "\0\0\0\x40", mtu] {
        (say(stream, message.as_bytes())? == message).then_some(())?;
    }
    Some(())
}
fn keys(gid: Ipv4Addr) -> String {
    let [a, b, c, d] = gid.octets();
    let gid = format!("{}ff:ff:{a:02x}:{b:02x}:{c:02x}:{d:02x}", "00:".repeat(10));
    format!("0000:0001:{QPN:06x}:{PSN:06x}:00000207:00007f5ac0a10000:{gid}:00000000:\0")
}

/// A queue pair with one of the board's, at a port.
fn pair(called: &Called, port: u8, (qpn, psn): (u64, u64), mtu: u16) -> Exchange {
    let to = called.board.ip();
    let (theirs, own) = (Psn::from_low_bits(psn as u32), Psn::from_low_bits(PSN));
    let connection = Connection::new(QPN, to, qpn as u32, theirs, own);
    let path_mtu = PathMtu::new(mtu).expect("a path MTU");
    let responder = QueuePairConfig { path_mtu, ..connection.responder };
    let requester = RequesterConfig { path_mtu, ..connection.requester };
    let port = RocePort::bind(called.address(port)).expect("a port");
    let mut exchange = Exchange::new(port, Responder::new(Limits::default()));
    exchange.connect(&Connection { responder, requester }).expect("it is new");
    exchange
}
/// Serves until something is there.
fn until<T>(own: &mut Exchange, what: &str, mut is: impl FnMut(&mut Exchange) -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        own.serve(&mut NoMemory).expect("the socket works");
        if let Some(found) = is(own) {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_micros(200));
    }
}
fn run(own: &mut Exchange, operation: Operation<Vec<u8>>) -> Completion<Vec<u8>> {
    own.requester(QPN).expect("a pair").post(Work::new(1, operation)).expect("there is room");
    until(own, "the operation ends", |own| own.requester(QPN)?.poll_completion())
}

/// A ping-pong of a port, asked for by another network's address.
fn ping_pong(called: &Called, port: u8) -> Exchange {
    let mut stream = called.call(CALLER, PING_PONG);
    let said = say(&mut stream, word(called.address(port)).as_bytes()).expect("a word");
    stream.write_all(b"done\0").expect("sent");
    let fields: Vec<&str> = said.split(':').collect();
    let gid = format!("00000000000000000000ffff{:08x}\0", u32::from(called.board.ip()));
    assert_eq!(fields[3], gid, "the GID of the board, not of its processor");
    pair(called, port, (number(fields[1]), number(fields[2])), 1024)
}
fn comes_back(own: &mut Exchange, bytes: usize, immediate: Option<u32>) {
    own.responder.post_receive(QPN, 1, vec![0xee; 1 << 20].into()).expect("there is room");
    let data = pattern(7, bytes);
    assert_eq!(run(own, Operation::Send { data: data.clone(), immediate }).result, Ok(()));
    let back = until(own, "it comes back", |own| own.responder.poll_received());
    assert_eq!((back.length, back.immediate), (bytes, immediate));
    assert!(back.buffer[..bytes] == data, "{bytes} bytes");
}

/// A test of perftest: its stream, its key, where its memory begins, and its queue pair.
struct Test {
    stream: TcpStream,
    rkey: u32,
    va: u64,
    own: Exchange,
}

fn test(called: &Called, at: u16, port: u8, mtu: (&str, u16)) -> Test {
    let mut stream = called.call(CALLER, at);
    greet(&mut stream, mtu.0).expect("the same");
    let said = say(&mut stream, keys(called.address(port)).as_bytes()).expect("keys");
    let fields: Vec<&str> = said.split(':').collect();
    let own = pair(called, port, (number(fields[2]), number(fields[3])), mtu.1);
    Test { stream, rkey: number(fields[4]) as u32, va: number(fields[5]), own }
}

impl Test {
    fn read(&mut self, at: u64, bytes: usize) -> Completion<Vec<u8>> {
        run(&mut self.own, Operation::Read { into: vec![1; bytes], va: self.va + at, rkey: self.rkey })
    }
    /// Its memory is zeros, takes what is written, and nothing is beyond it.
    fn works(&mut self, salt: u64) {
        for at in [0, 4096, BYTES / 2 - 100, BYTES - 9000] {
            assert_eq!(self.read(at, 9000).buffer, Some(vec![0; 9000]), "from byte {at} on");
        }
        let (va, rkey, data) = (self.va, self.rkey, pattern(salt, 9000));
        for at in [0, BYTES / 2 - 100, BYTES - 9000] {
            let write = Operation::Write { data: data.clone(), va: va + at, rkey, immediate: None };
            assert_eq!(run(&mut self.own, write).result, Ok(()));
            assert_eq!(self.read(at, 9000).buffer.as_ref(), Some(&data));
        }
        for found in [0, 2] {
            let add = Operation::FetchAdd { va: va + 65_536, rkey, add: 2 };
            assert_eq!(run(&mut self.own, add).found, Some(found));
        }
    }
}

#[test]
fn programs_that_call_the_processor_use_the_boards_port() {
    let mut called = Called::start();
    let process = called.board.process();
    let mut ping = ping_pong(&called, PORT);
    [1, 1024, 5000].into_iter().for_each(|bytes| comes_back(&mut ping, bytes, Some(bytes as u32)));
    drop(ping);
    // A test has the port's own queue pair, memory of its own, and keys as often as it likes.
    let mut first = test(&called, PERFTEST, PORT, ("5\0", 4096));
    first.works(1);
    let again = say(&mut first.stream, keys(called.address(PORT)).as_bytes()).expect("the same keys");
    assert_eq!(number(again.split(':').nth(4).expect("a key")), u64::from(first.rkey));
    let past = Operation::Read { into: vec![0; 8], va: first.va + BYTES - 7, rkey: first.rkey };
    // `done`, and all of it ends: the next one finds nothing of the first one's.
    first.stream.write_all(b"done\0").expect("sent");
    assert!(ends(&mut first.stream));
    until_regions(&mut called, &process, 0);
    assert!(run(&mut first.own, past.clone()).result.is_err(), "its queue pair is no more");
    drop(first);
    let mut second = test(&called, PERFTEST, PORT, ("5\0", 4096));
    second.works(2);
    let past = Operation::Read { into: vec![0; 8], va: second.va + BYTES - 7, rkey: second.rkey };
    assert_eq!(run(&mut second.own, past).result, Err(Failure::Refused(Nak::RemoteAccess)));
    assert!(ends(&mut second.stream), "an error ends the test");
    drop(second);
    // Who hangs up in the middle has ended, too.
    let third = test(&called, PERFTEST, OTHER_PORT, ("3\0", 1024));
    until_regions(&mut called, &process, 1);
    drop(third);
    until_regions(&mut called, &process, 0);
    // SENDs, at the port for these.
    let mut sends = test(&called, SENDS, PORT, ("3\0", 1024));
    for bytes in [1, 0, 1024, 5000] {
        let send = Operation::Send { data: pattern(bytes as u64, bytes), immediate: None };
        assert_eq!(run(&mut sends.own, send).result, Ok(()), "{bytes} bytes");
    }
    assert!(sends.read(0, 8).result.is_err(), "no memory is behind it");
    drop(sends);
    // And each of them answered.
    let mut latency = test(&called, SEND_LAT, PORT, ("3\0", 1024));
    for bytes in [2, 0, 1025, 5000] {
        comes_back(&mut latency.own, bytes, None);
    }
    latency.stream.write_all(b"done\0").expect("sent");
    assert!(ends(&mut latency.stream));
    process.exit().expect("it was there all the time");
    let said = called.end();
    for line in [
        "RDMA ping-pongs begun: 1",
        "RDMA messages sent back: 3",
        "RDMA tests begun: 5",
        "RDMA messages of tests: 8",
        "RDMA tests given up by the client: 1",
        "RDMA tests given up after an error: 2",
    ] {
        assert!(said.iter().any(|own| own == line), "{line}: {said:?}");
    }
}

/// Waits until there are so many regions beside that of who asks.
fn until_regions(called: &mut Called, process: &mneme_clib::Process, wanted: u64) {
    let began = Instant::now();
    while called.board.told(process, "regions") != wanted + 1 {
        assert!(began.elapsed() < PATIENCE, "{wanted} regions");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn strangers_who_call_cost_a_bounded_time_and_nobody_else() {
    let mut called = Called::start();
    let process = called.board.process();
    // Said and left: half a word, half a greeting, nothing at all. Half of all places is one address's.
    let mut silent: Vec<TcpStream> = (0..4).map(|_| called.call(STRANGER, PING_PONG)).collect();
    silent[1].write_all(b"0000:").expect("sent");
    let mut half: Vec<TcpStream> = (0..2).map(|_| called.call(STRANGER, PERFTEST)).collect();
    half[0].write_all(b"6.1").expect("sent");
    assert!(ends(&mut called.call(STRANGER, PING_PONG)) && ends(&mut called.call(STRANGER, SENDS)));
    // A thousand calls more: all are hung up, whether they find a place or not, and others are served meanwhile, over TCP as by the slow
    // path.
    let flood = std::thread::scope(|scope| {
        let nonsense = || say(&mut called.call(STRANGER, PING_PONG), &[b'x'; 52]).is_none();
        let flood = scope.spawn(move || (0..1000).filter(|_| nonsense()).count());
        let mut ping = ping_pong(&called, PORT);
        comes_back(&mut ping, 3000, None);
        for _ in 0..20 {
            let va = process.ralloc(1 << 20).expect("memory");
            process.rwrite(va, b"meanwhile").expect("written");
            process.rfree(va).expect("freed");
        }
        flood.join().expect("it ends")
    });
    assert_eq!(flood, 1000);
    // Nonsense, too much, GIDs of nobody, of the board, and of a host that nobody has.
    let refused = |words: &[u8], port: u16| say(&mut called.call(CALLER, port), words).is_none();
    assert!(refused(&[b'x'; 52], PING_PONG) && refused(&[0xff; 16], PERFTEST));
    assert!(refused(&[b'0'; 4000], PING_PONG) && refused(&[b'6'; 4000], PERFTEST));
    let absent = Ipv4Addr::new(10, 9, 9, 9);
    for gid in [Ipv4Addr::UNSPECIFIED, called.board.ip(), absent] {
        assert!(refused(word(gid).as_bytes(), PING_PONG), "{gid}");
        let mut stream = called.call(CALLER, PERFTEST);
        greet(&mut stream, "5\0").expect("the same");
        assert_eq!(say(&mut stream, keys(gid).as_bytes()), None, "{gid}");
    }
    // Those who were silent have been hung up by now, or are soon.
    assert!(silent.iter_mut().all(ends) && half.iter_mut().all(ends));
    assert_eq!(called.board.told(&process, "regions"), 1, "that of who asks");
    let said = called.end();
    let counted = |name: &str| {
        let count = |line: &String| line.strip_prefix(name)?.strip_prefix(": ")?.parse::<u64>().ok();
        said.iter().filter_map(count).sum::<u64>()
    };
    for (name, count) in [
        ("ping-pongs begun", 1),
        ("ping-pongs refused", 4 + 1 + 1000 + 2 + 2 + 1),
        ("ping-pongs refused for the address of another", 2),
        ("ping-pongs refused for want of a way to the client", 1),
        ("tests refused for nonsense", 2),
        ("tests refused for the address of another", 2),
        ("tests refused for want of a way to the client", 1),
    ] {
        assert_eq!(counted(&format!("RDMA {name}")), count, "{name}: {said:?}");
    }
    // On a machine that stood still for 5 s one of the others has had its place meanwhile.
    for (name, least) in [
        ("ping-pongs refused after silence", 4),
        ("ping-pongs refused for the share of their address", 1),
        ("ping-pongs refused for nonsense", 2),
        ("tests refused for the share of their address", 1),
        ("tests given up after silence", 2),
    ] {
        assert!(counted(&format!("RDMA {name}")) >= least, "{name}: {said:?}");
    }
}
