//! Requester and responder on real sockets, each in a thread of its own, and the frames that the kernel makes of it.
use std::net::{Ipv4Addr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mneme_rdma::client::Unstored;
use mneme_rdma::cm::{Accepted, Ask, ChainGrant, Granted, Kind, Listener};
use mneme_rdma::codec::cm::{Mad, Message, Pair as Ids};
use mneme_rdma::codec::frame::Datagram;
use mneme_rdma::codec::icrc::icrc;
use mneme_rdma::codec::{Nak, PathMtu, Psn};
use mneme_rdma::memory::{Access, Atomic, Memory, MemoryFault, Region};
use mneme_rdma::requester::{Completion, Failure, Operation, Work};
use mneme_rdma::responder::{Limits, Received, Responder};
use mneme_rdma::udp::{
    ChainConnection, ChainOptions, Connection, Exchange, Management, NativeClient, RocePort, Station,
    UdpError,
};
use mneme_skips::{Lack, skipped};

const VA: u64 = 0x1_0000;
const BYTES: usize = 2 << 20;
const QPN: u32 = 0x77;

/// An address that no other test of this machine has: the loopback network is wide.
fn address(host: u8) -> Ipv4Addr {
    let process = std::process::id();
    Ipv4Addr::new(127, (process >> 8) as u8 | 0x80, process as u8, host)
}

struct Bytes(Vec<u8>);

impl Bytes {
    fn place(&mut self, va: u64, length: usize) -> Result<&mut [u8], MemoryFault> {
        let start = va.checked_sub(VA).ok_or(MemoryFault::Denied)? as usize;
        self.0.get_mut(start..start + length).ok_or(MemoryFault::Denied)
    }
}

impl Memory for Bytes {
    fn read(&mut self, _: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        to.copy_from_slice(self.place(va, to.len())?);
        Ok(())
    }
    fn write(&mut self, _: u32, va: u64, from: &[u8]) -> Result<(), MemoryFault> {
        self.place(va, from.len())?.copy_from_slice(from);
        Ok(())
    }
    fn atomic(&mut self, _: u32, va: u64, operation: Atomic) -> Result<u64, MemoryFault> {
        let place = self.place(va, 8)?;
        let word = u64::from_le_bytes((&*place).try_into().map_err(|_| MemoryFault::Failed)?);
        place.copy_from_slice(&operation.apply(word).to_le_bytes());
        Ok(word)
    }
}

/// A client at one address, and a server at another that runs until it is told to end.
struct Pair {
    client: Station<Bytes>,
    rkey: u32,
    end: Arc<AtomicBool>,
    server: JoinHandle<(Station<Bytes>, Vec<Received>)>,
}

impl Pair {
    fn new(hosts: [u8; 2], path_mtu: PathMtu) -> Pair {
        let [here, there] = hosts.map(address);
        let (to, from) = (Psn::from_low_bits(0xff_fff0), Psn::from_low_bits(3));
        let station = |address, bytes| {
            let port = RocePort::bind(address).expect("a port");
            Station::new(port, Responder::new(Limits::default()), Bytes(vec![0; bytes]))
        };
        let (mut client, mut server) = (station(here, 0), station(there, BYTES));
        let mut connection = Connection::new(QPN, there, QPN + 1, from, to);
        (connection.requester.path_mtu, connection.responder.path_mtu) = (path_mtu, path_mtu);
        // A busy machine may let the server wait for long.
        connection.requester.timeout = 250_000_000;
        client.connect(&connection).expect("a connection");
        let mut back = Connection::new(QPN + 1, here, QPN, to, from);
        (back.requester.path_mtu, back.responder.path_mtu) = (path_mtu, path_mtu);
        server.connect(&back).expect("a connection");
        let region = Region { pid: 0, va: VA, length: BYTES as u64, access: Access::ALL };
        let rkey = server.responder.regions.insert(0x15_a5a5, region).expect("room");
        for id in 0..4 {
            server.responder.post_receive(QPN + 1, id, vec![0; 20_000].into()).expect("a queue pair");
        }
        let end = Arc::new(AtomicBool::new(false));
        let ended = end.clone();
        let server = std::thread::spawn(move || {
            let mut received = Vec::new();
            while !ended.load(Ordering::Relaxed) {
                server.poll(Duration::from_millis(20)).expect("the socket works");
                received.extend(std::iter::from_fn(|| server.responder.poll_received()));
            }
            (server, received)
        });
        Pair { client, rkey, end, server }
    }

    fn execute(&mut self, operation: Operation<Vec<u8>>) -> Completion<Vec<u8>> {
        self.client.execute(QPN, Work::new(1, operation)).expect("the socket works")
    }

    fn end(self) -> (Station<Bytes>, Vec<Received>) {
        self.end.store(true, Ordering::Relaxed);
        self.server.join().expect("the server ended well")
    }
}

#[test]
fn every_operation_works_over_real_sockets() {
    let mtu = PathMtu::new(1024).expect("a path MTU");
    let mut pair = Pair::new([1, 2], mtu);
    let rkey = pair.rkey;
    let data: Vec<u8> = (0..(1u32 << 20) + 1).map(|i| ((i * 31) >> 3) as u8).collect();
    let done = pair.execute(Operation::Write { data: data.clone(), va: VA + 7, rkey, immediate: None });
    assert_eq!(done.result, Ok(()));
    let done = pair.execute(Operation::Read { into: vec![0; (1 << 20) + 1], va: VA + 7, rkey });
    assert_eq!((done.result, done.buffer), (Ok(()), Some(data.clone())));
    let va = VA + 0x18_0000;
    let done = pair.execute(Operation::FetchAdd { va, rkey, add: 40 });
    assert_eq!((done.result, done.found), (Ok(()), Some(0)));
    let done = pair.execute(Operation::CompareSwap { va, rkey, compare: 40, swap: 42 });
    assert_eq!((done.result, done.found), (Ok(()), Some(40)));
    let done = pair.execute(Operation::FetchAdd { va, rkey, add: 0 });
    assert_eq!(done.found, Some(42));
    let message = data[..10_000].to_vec();
    assert_eq!(pair.execute(Operation::Send { data: message.clone(), immediate: Some(5) }).result, Ok(()));
    let with = Operation::Write { data: vec![1], va: VA, rkey, immediate: Some(6) };
    assert_eq!(pair.execute(with).result, Ok(()));
    // And what may not be done is refused, and said so.
    let done = pair.execute(Operation::Read { into: vec![0; 8], va: VA, rkey: rkey ^ 1 << 20 });
    assert_eq!(done.result, Err(Failure::Refused(Nak::RemoteAccess)));
    let (server, received) = pair.end();
    assert_eq!(server.memory.0[7..(1 << 20) + 8], data);
    assert_eq!(server.memory.0[0x18_0000..0x18_0008], 42u64.to_le_bytes());
    let [send, write] = &received[..] else { panic!("{} messages", received.len()) };
    assert_eq!((&send.buffer[..send.length], send.immediate), (&message[..], Some(5)));
    assert_eq!((write.by_write, write.immediate), (true, Some(6)));
    assert_eq!(server.port.counters().wrong_icrc, 0);
    assert_eq!(server.responder.in_error(QPN + 1), Some(true));
}

/// A board that grants what it is asked for, serves nothing, and ends one of its connections. Answers when a client has said that it
/// knows.
fn ends_a_connection(port: RocePort, connections: usize) {
    let here = port.address();
    let mut exchange = Exchange::new(port, Responder::new(Limits::default()));
    let (mut listener, mut asked, mut made) = (Listener::default(), Vec::<Asked>::new(), 0);
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(10) {
        exchange.serve(&mut Bytes(Vec::new())).expect("the socket works");
        while let Some(Management { peer, bytes }) = exchange.poll_management() {
            let mad = Mad::parse(&bytes).expect("a message");
            if let Message::DisconnectReply { ids, .. } = mad.message {
                assert_eq!((ids, mad.transaction), (Ids { local: asked[0].ids.remote, remote: 1 }, 77));
                return;
            }
            made += usize::from(matches!(mad.message, Message::ReadyToUse { .. }));
            let (reply, _) = listener.receive(0, peer.octets(), &bytes, |wanted| {
                let Ask { pid, kind, access, va, length, .. } = wanted.ask;
                let chain = wanted.chain.map(|_| ChainGrant { tt_base: 8, entries: 4, key: 5 });
                let ids = Ids { local: 1 + asked.len() as u32, remote: wanted.request.local_id };
                asked.push(Asked { peer, ids, qpn: wanted.request.qpn });
                let granted = Granted { pid, kind, access, rkey: 1, va, length };
                Ok(Accepted { qpn: 0x100 + asked.len() as u32, starting_psn: Psn::default(), granted, chain })
            });
            reply.into_iter().for_each(|bytes| exchange.send_management(Management { peer, bytes }));
        }
        if made == connections {
            let Asked { peer, ids, qpn } = asked[0];
            // One that is not the client's queue pair ends nothing, and neither does another connection's number.
            for (ids, remote_qpn) in [(ids, qpn ^ 1), (Ids { local: 99, ..ids }, qpn), (ids, qpn)] {
                let end = Message::DisconnectRequest { ids, remote_qpn, private: &[] };
                let bytes = end.to_bytes(77).expect("a message");
                exchange.send_management(Management { peer, bytes });
            }
            made = 0;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("{here}: nobody says that the connection has ended");
}

#[test]
fn a_connection_that_the_board_ends_flushes_what_is_under_way() {
    let ask = Ask {
        pid: 7,
        kind: Kind::Frames,
        access: Access::ALL,
        token: [9; 16],
        va: VA,
        length: 4 * 4096,
        hardened: false,
    };
    let patience = Duration::from_secs(5);
    let most = Duration::from_secs(1);
    let board = |host, connections| {
        let port = RocePort::bind(address(host)).expect("a port");
        std::thread::spawn(move || ends_a_connection(port, connections))
    };
    let native = board(13, 1);
    let mut client =
        NativeClient::connect(address(14), address(13), ask, 0x1234_5678, patience).expect("connected");
    client.native.read(VA, vec![0; 8]).expect("posted");
    let began = Instant::now();
    let done = client.wait().expect("the socket works").expect("it was posted");
    assert_eq!((done.result, client.native.has_ended()), (Err(Failure::Flushed), true));
    assert!(began.elapsed() < most, "{:?}", began.elapsed());
    native.join().expect("the board was told");
    let chain = board(15, 4);
    let ends = (address(16), address(15));
    let mut client = ChainConnection::connect(ends, ask, ChainOptions::default(), 0x1234_5678, patience)
        .expect("connected");
    client.chain.learn(2, true).expect("a page");
    client.chain.load(2).expect("posted");
    client.chain.invalidate(3).expect("posted");
    let began = Instant::now();
    for _ in 0..2 {
        let done = client.wait().expect("the socket works").expect("it was posted");
        assert_eq!(done.result, Err(Unstored::Ended(Failure::Flushed)));
    }
    assert!(began.elapsed() < most && client.chain.has_ended(), "{:?}", began.elapsed());
    chain.join().expect("the board was told");
}

/// A connection that was granted.
#[derive(Clone, Copy)]
struct Asked {
    peer: Ipv4Addr,
    /// As the board numbers it, and the client.
    ids: Ids,
    qpn: u32,
}

#[test]
fn many_operations_are_under_way_at_once() {
    let mut pair = Pair::new([3, 4], PathMtu::MAX);
    let (rkey, count) = (pair.rkey, 100u64);
    let requester = pair.client.requester(QPN).expect("connected");
    for i in 0..count / 2 {
        let va = VA + i * 9000;
        let write = Operation::Write { data: vec![i as u8 + 1; 9000], va, rkey, immediate: None };
        requester.post(Work::new(2 * i, write)).expect("room");
        requester
            .post(Work::new(2 * i + 1, Operation::Read { into: vec![0; 9000], va, rkey }))
            .expect("room");
    }
    let (mut next, end) = (0, Instant::now() + Duration::from_secs(60));
    while next < count {
        assert!(Instant::now() < end, "{next} of {count} done: {:?}", pair.client.port.counters());
        pair.client.poll(Duration::from_millis(20)).expect("the socket works");
        let requester = pair.client.requester(QPN).expect("connected");
        while let Some(done) = requester.poll_completion() {
            assert_eq!((done.id, done.result), (next, Ok(())));
            assert_eq!(done.buffer, Some(vec![(next / 2) as u8 + 1; 9000]));
            next += 1;
        }
    }
    pair.end();
}

#[test]
fn a_port_that_is_taken_or_cannot_be_is_told() {
    let here = address(5);
    let first = RocePort::bind(here).expect("a port");
    let error = RocePort::bind(here).expect_err("taken");
    assert!(matches!(error, UdpError::Taken(at) if at == here));
    assert!(error.to_string().starts_with(&format!("UDP port 4791 of {here} is taken")), "{error}");
    drop(first);
    assert!(RocePort::bind(here).is_ok(), "given back");
    assert!(matches!(RocePort::bind(Ipv4Addr::UNSPECIFIED), Err(UdpError::NotOne(_))));
    // TEST-NET-1 (RFC 5737).
    assert!(matches!(RocePort::bind(Ipv4Addr::new(192, 0, 2, 1)), Err(UdpError::NotHere(_))));
}

#[test]
fn damaged_datagrams_are_dropped_and_counted() {
    let (here, there) = (address(6), address(7));
    let port = RocePort::bind(here).expect("a port");
    let mut station = Station::new(port, Responder::new(Limits::default()), Bytes(Vec::new()));
    let socket = UdpSocket::bind((there, 4791)).expect("a socket");
    let way = Datagram { source: there.octets(), destination: here.octets(), source_port: 4791 };
    let mut sound = [4; 16];
    sound[1] = 0;
    way.seal(&mut sound).expect("long enough");
    let mut damaged = sound;
    damaged[9] ^= 1;
    for datagram in [&sound[..], &damaged, &sound[..9], &[0; 5000]] {
        socket.send_to(datagram, (here, 4791)).expect("sent");
    }
    let end = Instant::now() + Duration::from_secs(10);
    let seen = |station: &Station<Bytes>| {
        let seen = station.port.counters();
        (seen.received, seen.wrong_icrc, seen.wrong_length)
    };
    while seen(&station) != (1, 1, 2) {
        assert!(Instant::now() < end, "{:?}", station.port.counters());
        station.poll(Duration::from_millis(20)).expect("the socket works");
    }
    let counters = station.responder.counters();
    assert_eq!(counters.seen().collect::<Vec<_>>(), [("unknown queue pair", 1)]);
}

#[test]
fn a_look_at_what_has_come_ends_though_all_of_it_is_dropped() {
    let (here, there) = (address(8), address(9));
    let port = RocePort::bind(here).expect("a port");
    let mut station = Station::new(port, Responder::new(Limits::default()), Bytes(Vec::new()));
    let socket = UdpSocket::bind((there, 4791)).expect("a socket");
    // Too short to be a packet, and with an ICRC that is wrong: whoever sends them sends them faster than they are dropped.
    const SENT: u64 = 160;
    for number in 0..SENT {
        socket.send_to(if number % 2 == 0 { &[0; 1] } else { &[9; 16] }, (here, 4791)).expect("sent");
    }
    let dropped = |station: &Station<Bytes>| {
        let seen = station.port.counters();
        seen.wrong_icrc + seen.wrong_length
    };
    let (mut before, end) = (0, Instant::now() + Duration::from_secs(10));
    while before < SENT {
        assert!(Instant::now() < end, "{:?}", station.port.counters());
        station.poll(Duration::from_millis(20)).expect("the socket works");
        let now = dropped(&station);
        assert!(now - before <= 32, "{} at one look", now - before);
        before = now;
    }
}

/// What the whole transport rests on: the kernel writes identification 0 and DF, so that the ICRC is that of the real frame.
#[test]
fn the_kernel_s_frames_have_the_headers_that_the_icrc_was_computed_for() {
    use socket2::{Domain, Protocol, Socket, Type};
    use std::io::Read;
    const ALL_PROTOCOLS: i32 = 0x0003_u16.to_be() as i32;
    let tap = match Socket::new(Domain::PACKET, Type::RAW, Some(Protocol::from(ALL_PROTOCOLS))) {
        Ok(tap) => tap,
        Err(error) => {
            let test = "the_kernel_s_frames_have_the_headers_that_the_icrc_was_computed_for";
            return skipped(test, Lack::Privileges, format_args!("want of packet sockets: {error}"));
        }
    };
    tap.set_read_timeout(Some(Duration::from_millis(500))).expect("a timeout");
    let (here, there) = (address(8), address(9));
    let mut pair = Pair::new([8, 9], PathMtu::MAX);
    let rkey = pair.rkey;
    let reader = std::thread::spawn(move || {
        let (mut checked, end) = ([0; 2], Instant::now() + Duration::from_secs(20));
        let mut frame = [0; 9000];
        while checked.iter().any(|count| *count < 4) && Instant::now() < end {
            let Ok(length) = (&tap).read(&mut frame) else { continue };
            let frame = &frame[..length];
            let (Some(ip), Some(ports)) = (frame.get(14..42), frame.get(34..38)) else { continue };
            let source = Ipv4Addr::new(ip[12], ip[13], ip[14], ip[15]);
            if ip[9] != 17 || ports[2..] != 4791u16.to_be_bytes() || ![here, there].contains(&source) {
                continue;
            }
            assert_eq!((ip[4], ip[5]), (0, 0), "identification");
            assert_eq!((ip[6], ip[7]), (0x40, 0), "DF and no fragment");
            let (transport, sent) = frame[42..].split_last_chunk::<4>().expect("an ICRC");
            assert_eq!(icrc(ip.try_into().expect("28 bytes"), transport), *sent);
            checked[usize::from(source == there)] += 1;
        }
        checked
    });
    let end = Instant::now() + Duration::from_secs(20);
    while !reader.is_finished() && Instant::now() < end {
        let done = pair.execute(Operation::Read { into: vec![0; 5000], va: VA, rkey });
        assert_eq!(done.result, Ok(()));
    }
    let checked = reader.join().expect("every frame is as it must be");
    assert!(checked.iter().all(|count| *count >= 4), "requests and responses were seen: {checked:?}");
    pair.end();
}
