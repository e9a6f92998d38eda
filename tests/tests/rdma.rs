//! RDMA clients and clients of the library on one board: the same words, the same rights, the same lives of processes.
use std::time::{Duration, Instant};

use mneme_clib::{AllocOptions, OpenOptions, Process, Rights};
use mneme_daemon::rdma::{PER_PROCESS, statistics_names};
use mneme_rdma::cm::{Ask, ConnectConfig, ConnectError, Connected, Connector, Kind, Refusal};
use mneme_rdma::codec::{Nak, PathMtu, Psn};
use mneme_rdma::memory::Access;
use mneme_rdma::node::NoMemory;
use mneme_rdma::requester::Failure;
use mneme_rdma::responder::{Limits, Responder};
use mneme_rdma::udp::{ClientError, Exchange, Management, NativeClient, RocePort};
use mneme_tests::native::done;
use mneme_tests::served::{Made, RdmaBoard, address};
use mneme_tests::suite::{pattern, read};
use mneme_wire::roce::ROCE_RATE_LEAST;

fn ask(process: &Process, va: u64, length: u64, access: Access) -> Ask {
    Ask { pid: process.pid(), kind: Kind::Pages, access, token: process.token(), va, length, hardened: false }
}

/// Asks for a connection that nobody uses.
pub(crate) fn connect(
    exchange: &mut Exchange,
    board: &RdmaBoard,
    id: u32,
    ask: Ask,
) -> Result<Connected, ConnectError> {
    let mut connector = Connector::new(ConnectConfig {
        source: exchange.port.address().octets(),
        board: board.address.ip().octets(),
        qpn: 0x200 + id,
        from_board: Psn::default(),
        path_mtu: PathMtu::MAX,
        id,
        ask,
        patience: 10_000_000_000,
    })?;
    loop {
        if let Some(bytes) = connector.poll(exchange.now())? {
            exchange.send_management(Management { peer: *board.address.ip(), bytes });
        }
        exchange.serve(&mut NoMemory).expect("the socket works");
        while let Some(came) = exchange.poll_management() {
            if let Some((connected, bytes)) = connector.receive(&came.bytes)? {
                exchange.send_management(Management { peer: came.peer, bytes });
                return Ok(connected);
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn both_kinds_of_clients_meet_in_the_same_words() {
    let mut board = RdmaBoard::start(Made::default());
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    const BYTES: usize = 5 << 20;
    let va = process.ralloc(BYTES as u64).expect("alloc");
    let mut rdma = board.rdma(ask(&process, va, BYTES as u64, Access::ALL)).expect("a connection");
    // Written by one, read by the other: across packets and pages.
    let written = pattern(1, 300_000);
    let at = va + (4 << 20) - 150_001;
    process.rwrite(at, &written).expect("written");
    rdma.native.read(at, vec![0; written.len()]).expect("posted");
    assert_eq!(done(&mut rdma).buffer.as_deref(), Some(&written[..]));
    // And the other way round, some of it where nobody has written before.
    let other = pattern(2, 200_003);
    rdma.native.write(va + 77, other.clone(), None, false).expect("posted");
    assert_eq!(done(&mut rdma).result, Ok(()));
    assert_eq!(read(&process, va + 77, other.len()), other);
    // One word, both atomics, both clients at the same time.
    let word = va + 8 * 1001;
    process.rwrite(word, &100u64.to_le_bytes()).expect("written");
    const ADDS: u64 = 200;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            (0..ADDS).for_each(|_| {
                process.fetch_add(word, 1).expect("added");
            })
        });
        for _ in 0..ADDS {
            rdma.native.fetch_add(word, 1000).expect("posted");
            assert_eq!(done(&mut rdma).result, Ok(()));
        }
    });
    let sum = 100 + ADDS * 1001;
    rdma.native.compare_swap(word, sum, 7).expect("posted");
    assert_eq!(done(&mut rdma).found, Some(sum), "each addition once");
    assert_eq!(process.compare_swap(word, 7, 8).expect("swapped"), 7);
    rdma.native.compare_swap(word, 7, 9).expect("posted");
    assert_eq!((done(&mut rdma).found, process.fetch_add(word, 0).expect("read")), (Some(8), 8));
    // An immediate is counted.
    rdma.native.write(va, vec![1; 8], Some(0x1234), true).expect("posted");
    assert_eq!(done(&mut rdma).result, Ok(()));
    drop(rdma);
    // What it has sent comes before the board is told to stop.
    std::thread::sleep(Duration::from_millis(200));
    let counted = board.end();
    assert_eq!((counted("connections made"), counted("connections ended by their clients")), (1, 1));
    assert_eq!((counted("connections"), counted("immediates")), (0, 1));
    assert!(counted("reads") >= 1 && counted("atomics") == ADDS + 2, "{} atomics", counted("atomics"));
}

#[test]
fn a_cap_holds_what_a_connection_reads_and_nothing_is_lost() {
    for (cap, holds) in [(ROCE_RATE_LEAST, true), (0, false)] {
        let mut board = RdmaBoard::start(Made { cap, ..Made::default() });
        let client = board.client();
        let process = client.open(OpenOptions::default()).expect("open");
        let va = process.ralloc(1 << 20).expect("alloc");
        let mut rdma = board.rdma(ask(&process, va, 1 << 20, Access::ALL)).expect("a connection");
        let written = pattern(3, 256 << 10);
        process.rwrite(va, &written).expect("written");
        rdma.native.read(va, vec![0; written.len()]).expect("posted");
        assert_eq!(done(&mut rdma).buffer.as_deref(), Some(&written[..]));
        drop(rdma);
        let counted = board.end();
        assert_eq!(counted("answers held by their rate") > 0, holds, "cap {cap}");
        assert_eq!(counted("rate cuts"), 0);
    }
}

#[test]
fn rights_are_those_of_the_page_table() {
    let mut board = RdmaBoard::start(Made::default());
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let page = 4 << 20;
    let va = process
        .ralloc_with(page, AllocOptions { rights: Rights::READ_ONLY, ..AllocOptions::default() })
        .expect("alloc");
    let refused = Err(Failure::Refused(Nak::RemoteAccess));
    let mut rdma = board.rdma(ask(&process, va, page, Access::ALL)).expect("a connection");
    rdma.native.read(va, vec![1; 8]).expect("posted");
    assert_eq!(done(&mut rdma).buffer, Some(vec![0; 8]));
    rdma.native.write(va, vec![1; 8], None, false).expect("posted");
    assert_eq!(done(&mut rdma).result, refused, "a page that may only be read");
    // What nobody has allocated, and what another process has.
    let mut rdma = board.rdma(ask(&process, va + 64 * page, page, Access::ALL)).expect("a connection");
    rdma.native.read(va + 64 * page, vec![0; 8]).expect("posted");
    assert_eq!(done(&mut rdma).result, refused);
    let other = client.open(OpenOptions::default()).expect("open");
    let theirs = other.ralloc(page).expect("alloc");
    other.rwrite(theirs, b"secret").expect("written");
    let mut rdma = board.rdma(ask(&process, theirs, page, Access::READ)).expect("a connection");
    rdma.native.read(theirs, vec![0; 6]).expect("posted");
    let seen = done(&mut rdma);
    assert_ne!(seen.buffer.as_deref(), Some(&b"secret"[..]));
}

#[test]
fn who_may_connect_is_who_may_join() {
    let mut board = RdmaBoard::start(Made::default());
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let good = ask(&process, 0, 4096, Access::READ);
    let mut token = good.token;
    token[15] ^= 1;
    let refused = |made: Result<NativeClient, ClientError>| match made {
        Err(ClientError::Connect(ConnectError::Refused(refusal))) => refusal,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(board.rdma(Ask { token, ..good })), Refusal::Process);
    assert_eq!(refused(board.rdma(Ask { pid: good.pid + 1, ..good })), Refusal::Process);
    assert_eq!(refused(board.rdma(Ask { length: 0, ..good })), Refusal::Range);
    assert_eq!(refused(board.rdma(Ask { va: 1 << 48, ..good })), Refusal::Range);
    let counted = board.end();
    assert_eq!((counted("connections refused"), counted("connections made")), (4, 0));
}

#[test]
fn a_board_that_asks_for_tags_serves_no_rdma() {
    let mut board = RdmaBoard::start(Made { wants_tags: true, ..Made::default() });
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let made = board.rdma(ask(&process, 0, 4096, Access::READ));
    assert!(matches!(made, Err(ClientError::Connect(ConnectError::Refused(Refusal::Tags)))), "{made:?}");
}

#[test]
fn a_connection_ends_with_its_process() {
    let mut board = RdmaBoard::start(Made::default());
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(4096).expect("alloc");
    let mut rdma = board.rdma(ask(&process, va, 4096, Access::ALL)).expect("a connection");
    rdma.native.write(va, b"here".to_vec(), None, false).expect("posted");
    assert_eq!(done(&mut rdma).result, Ok(()));
    let asked = ask(&process, va, 4096, Access::ALL);
    process.exit().expect("ended");
    std::thread::sleep(Duration::from_millis(100));
    rdma.native.read(va, vec![0; 4]).expect("posted");
    // Silence, as the queue pair is gone, or a refusal in the moment in which it goes.
    assert!(done(&mut rdma).result.is_err());
    let again = board.rdma(asked);
    assert!(matches!(again, Err(ClientError::Connect(ConnectError::Refused(Refusal::Process)))), "{again:?}");
    let counted = board.end();
    assert_eq!((counted("connections ended with their process"), counted("connections")), (1, 0));
}

#[test]
fn a_process_has_its_share_of_connections_and_statistics_are_read_by_rdma() {
    let mut board = RdmaBoard::start(Made::default());
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let statistics = Ask { kind: Kind::Statistics, ..ask(&process, 0, 8, Access::READ) };
    // One address and its port for all: nothing but the connection manager's messages.
    let port = RocePort::bind(address(board.number, 15)).expect("a port");
    let mut exchange = Exchange::new(port, Responder::new(Limits::default()));
    for id in 0..PER_PROCESS as u32 {
        assert!(connect(&mut exchange, &board, id, statistics).is_ok(), "connection {id}");
    }
    let more = connect(&mut exchange, &board, PER_PROCESS as u32, statistics);
    assert_eq!(more.map(|_| ()), Err(ConnectError::Refused(Refusal::Full)));
    let other = client.open(OpenOptions::default()).expect("open");
    let mut reader =
        board.rdma(Ask { kind: Kind::Statistics, ..ask(&other, 0, 8, Access::READ) }).expect("a connection");
    std::thread::sleep(Duration::from_millis(50));
    let grant = *reader.native.grant();
    assert_eq!(grant.length, 8 * statistics_names().count() as u64);
    reader.native.read(0, vec![0; grant.length as usize]).expect("posted");
    let bytes = done(&mut reader).buffer.expect("bytes");
    let value = |name: &str| {
        let at = statistics_names().position(|own| own == name).expect("a name");
        u64::from_le_bytes(bytes[8 * at..8 * at + 8].try_into().expect("eight bytes"))
    };
    assert_eq!(value("connections made"), PER_PROCESS as u64 + 1);
    assert_eq!((value("connections"), value("connections refused")), (PER_PROCESS as u64 + 1, 1));
    reader.native.fetch_add(0, 1).expect_err("they are for reading");
    drop(board.end());
}

#[test]
fn connections_of_killed_clients_give_way_to_others_of_their_process() {
    let mut board = RdmaBoard::start(Made { silent: Duration::from_millis(300), ..Made::default() });
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(4096).expect("alloc");
    let good = ask(&process, va, 4096, Access::ALL);
    let mut alive = board.rdma(good).expect("a connection");
    let port = RocePort::bind(address(board.number, 15)).expect("a port");
    let mut exchange = Exchange::new(port, Responder::new(Limits::default()));
    // All but one: clients that connected and were never heard of again.
    for id in 1..PER_PROCESS as u32 {
        assert!(connect(&mut exchange, &board, id, good).is_ok(), "connection {id}");
    }
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(600) {
        alive.native.fetch_add(va, 1).expect("posted");
        assert_eq!(done(&mut alive).result, Ok(()), "one whose client works stays");
        std::thread::sleep(Duration::from_millis(20));
    }
    for id in 0..3 {
        let made = connect(&mut exchange, &board, 1000 + id, good);
        assert!(made.is_ok(), "{made:?}");
    }
    alive.native.fetch_add(va, 1).expect("posted");
    assert_eq!(done(&mut alive).result, Ok(()));
    let counted = board.end();
    assert_eq!((counted("connections ended for another of their process"), counted("connections")), (3, 64));
    assert_eq!(counted("connections refused"), 0);
}
