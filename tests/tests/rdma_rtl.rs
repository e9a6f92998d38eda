//! RDMA clients and clients of the library on one board of RTL, whose port answers the former: the same words, the same rights.
use std::net::UdpSocket;
use std::time::{Duration, Instant};

use mneme_clib::{AllocOptions, OpenOptions, Process, Rights};
use mneme_daemon::rdma::SILENT;
use mneme_rdma::cm::{Ask, Connected, Kind, Refusal};
use mneme_rdma::codec::{Nak, Psn, ROCE_PORT};
use mneme_rdma::memory::Access;
use mneme_rdma::node::NoMemory;
use mneme_rdma::requester::{Completion, Failure, Operation, Work};
use mneme_rdma::responder::{Limits, Responder};
use mneme_rdma::udp::{Connection, Exchange, NativeClient, RocePort};
use mneme_tests::native::{done, refused, told};
use mneme_tests::served::{Made, RdmaBoard, address};
use mneme_tests::suite::{pattern, read};
use mneme_wire::NodeCounter;

use crate::rdma::connect;

/// Bytes of a page of the board.
const PAGE: u64 = 1 << 20;

fn ask(process: &Process, va: u64, length: u64, access: Access) -> Ask {
    Ask { pid: process.pid(), kind: Kind::Pages, access, token: process.token(), va, length, hardened: false }
}

/// READs 8 bytes that the client of this repository would not ask for.
fn unasked(board: &RdmaBoard, id: u8, ask: Ask, va: u64) -> Completion<Vec<u8>> {
    let port = RocePort::bind(address(board.number, id)).expect("an address");
    let mut exchange = Exchange::new(port, Responder::new(Limits::default()));
    let Connected { qpn, starting_psn, granted, .. } =
        connect(&mut exchange, board, id.into(), ask).expect("a connection");
    let own = 0x200 + u32::from(id);
    let connection = Connection::new(own, *board.address.ip(), qpn, Psn::default(), starting_psn);
    exchange.connect(&connection).expect("a queue pair");
    let read = Operation::Read { va, rkey: granted.rkey, into: vec![0; 8] };
    let requester = exchange.requester(own).expect("it asks");
    requester.post(Work::new(1, read)).expect("posted");
    loop {
        exchange.serve(&mut NoMemory).expect("the socket works");
        if let Some(done) = exchange.requester(own).and_then(|requester| requester.poll_completion()) {
            return done;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until something holds that the board does by and by.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn both_kinds_of_clients_meet_in_the_same_words_of_the_rtl() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    // To zero a page of 1 MB takes a simulated board longer than an RDMA client waits: some are ready before the first one is wanted.
    until("pages for first touches", || {
        client.board_counters().expect("they are told").node(NodeCounter::PagesGiven) >= 8
    });
    const BYTES: usize = 4 << 20;
    let va = process.ralloc(BYTES as u64).expect("alloc");
    let mut rdma = board.rdma(ask(&process, va, BYTES as u64, Access::ALL)).expect("a connection");
    // Written by one, read by the other: across packets and pages.
    let written = pattern(1, 30_000);
    let at = va + PAGE - 15_001;
    process.rwrite(at, &written).expect("written");
    rdma.native.read(at, vec![0; written.len()]).expect("posted");
    assert_eq!(done(&mut rdma).buffer.as_deref(), Some(&written[..]));
    // And the other way round, where nobody has written before.
    let other = pattern(2, 20_003);
    rdma.native.write(va + 3 * PAGE - 77, other.clone(), None, false).expect("posted");
    assert_eq!(done(&mut rdma).result, Ok(()));
    assert_eq!(read(&process, va + 3 * PAGE - 77, other.len()), other);
    // One word, both atomics, both clients at the same time.
    let word = va + 8 * 1001;
    process.rwrite(word, &100u64.to_le_bytes()).expect("written");
    const ADDS: u64 = 50;
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
    std::thread::sleep(Duration::from_millis(500));
    let counted = board.end();
    assert_eq!((counted("connections made"), counted("connections ended by their clients")), (1, 1));
    assert_eq!((counted("connections"), counted("regions"), counted("immediates")), (0, 0, 1));
    assert_eq!(counted("atomics"), ADDS + 2);
    assert!(counted("reads") >= 1 && counted("writes") >= 2);
}

#[test]
fn a_cap_holds_what_the_rtl_answers_and_nothing_is_lost() {
    // A packet of 4 KB takes two periods.
    let mut board = RdmaBoard::start_rtl_with(Made { cap: 2100, ..Made::default() });
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(PAGE).expect("alloc");
    let mut rdma = board.rdma(ask(&process, va, PAGE, Access::ALL)).expect("a connection");
    let written = pattern(3, 64 << 10);
    process.rwrite(va, &written).expect("written");
    rdma.native.read(va, vec![0; written.len()]).expect("posted");
    assert_eq!(done(&mut rdma).buffer.as_deref(), Some(&written[..]));
    drop(rdma);
    let counted = board.end();
    assert!(counted("answers held by their rate") > 0);
    assert_eq!(counted("rate cuts"), 0);
}

#[test]
fn the_rtl_refuses_what_rights_forbid_and_drops_what_is_damaged() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let options = AllocOptions { rights: Rights::READ_ONLY, ..AllocOptions::default() };
    let va = process.ralloc_with(PAGE, options).expect("alloc");
    let refused = Err(Failure::Refused(Nak::RemoteAccess));
    let mut rdma = board.rdma(ask(&process, va, PAGE, Access::ALL)).expect("a connection");
    rdma.native.read(va, vec![1; 8]).expect("posted");
    assert_eq!(done(&mut rdma).buffer, Some(vec![0; 8]));
    rdma.native.write(va, vec![1; 8], None, false).expect("posted");
    assert_eq!(done(&mut rdma).result, refused, "a page that may only be read");
    // Behind a region's end, and without its right.
    let own = process.ralloc(PAGE).expect("alloc");
    for (id, at, access) in [(9, own + PAGE - 4, Access::ALL), (10, own, Access::WRITE)] {
        assert_eq!(unasked(&board, id, ask(&process, own, PAGE, access), at).result, refused);
    }
    // A damaged packet: dropped by the board, and counted.
    let kind = Kind::Statistics;
    let mut statistics = board.rdma(Ask { kind, ..ask(&process, 0, 8, Access::READ) }).expect("a connection");
    let before = told(&mut statistics);
    let stranger = UdpSocket::bind((address(board.number, 14), ROCE_PORT)).expect("an address");
    // READs of the port's, of its chains', and of software's.
    for queue_pair in [0x1005u32, 0x80_1005, 0x9ab] {
        let mut packet = [0; 32];
        packet[0] = 0x0c;
        packet[2..4].copy_from_slice(&[0xff; 2]);
        packet[4..8].copy_from_slice(&queue_pair.to_be_bytes());
        stranger.send_to(&packet, (*board.address.ip(), ROCE_PORT)).expect("sent");
    }
    until("three datagrams with a wrong ICRC", || {
        told(&mut statistics)("datagrams with a wrong ICRC") == before("datagrams with a wrong ICRC") + 3
    });
    let after = told(&mut statistics);
    assert_eq!((after("range"), after("right"), after("memory denied")), (1, 1, 1));
    // The three that were refused have ended.
    until("connections that end by their errors", || told(&mut statistics)("connections") == 1);
    assert_eq!(told(&mut statistics)("connections ended by an error"), 3);
}

#[test]
fn the_rtl_serves_who_may_join() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(PAGE).expect("alloc");
    let good = ask(&process, va, PAGE, Access::ALL);
    let mut token = good.token;
    token[15] ^= 1;
    assert_eq!(refused(board.rdma(Ask { token, ..good })), Refusal::Process);
    assert_eq!(refused(board.rdma(Ask { va: 1 << 48, ..good })), Refusal::Range);
    // These are no pages of 4 KB; why a chain has no connection `chains_rtl` tries.
    assert_eq!(refused(board.rdma(Ask { kind: Kind::Frames, ..good })), Refusal::Range);
    let counted = board.end();
    assert_eq!((counted("connections refused"), counted("connections made")), (3, 0));
}

#[test]
fn what_killed_clients_had_ends_with_their_process_on_the_rtl() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let keeper = client.open(OpenOptions::default()).expect("open");
    let kind = Kind::Statistics;
    let mut statistics = board.rdma(Ask { kind, ..ask(&keeper, 0, 8, Access::READ) }).expect("a connection");
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(PAGE).expect("alloc");
    let mut clients: Vec<NativeClient> =
        (0..4).map(|_| board.rdma(ask(&process, va, PAGE, Access::ALL)).expect("a connection")).collect();
    clients[0].native.write(va, vec![7; 64], None, false).expect("posted");
    assert_eq!(done(&mut clients[0]).result, Ok(()));
    let now = told(&mut statistics);
    assert_eq!((now("connections"), now("regions")), (5, 5));
    // They say no word: their process ends, as a lease that ran out ends it.
    let gone: Vec<_> = clients.into_iter().map(std::mem::ManuallyDrop::new).collect();
    process.exit().expect("ended");
    until("connections that end with their process", || told(&mut statistics)("connections") == 1);
    let now = told(&mut statistics);
    assert_eq!((now("connections ended with their process"), now("regions")), (4, 1));
    drop(gone);
}

#[test]
fn an_address_of_its_own_is_what_the_rtl_answers() {
    // Who sends from elsewhere than its queue pair's peer gets nothing.
    let mut board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(PAGE).expect("alloc");
    let rdma = board.rdma(ask(&process, va, PAGE, Access::ALL)).expect("a connection");
    let stranger = UdpSocket::bind((address(board.number, 13), ROCE_PORT)).expect("an address");
    stranger.set_read_timeout(Some(Duration::from_millis(300))).expect("set");
    let way = mneme_rdma::codec::frame::Datagram {
        source: address(board.number, 13).octets(),
        destination: board.address.ip().octets(),
        source_port: ROCE_PORT,
    };
    let mut packet = [0; 32];
    packet[0] = 0x0c;
    packet[2..4].copy_from_slice(&[0xff; 2]);
    packet[4..8].copy_from_slice(&rdma.connected().qpn.to_be_bytes());
    way.seal(&mut packet).expect("a packet");
    stranger.send_to(&packet, (*board.address.ip(), ROCE_PORT)).expect("sent");
    assert!(stranger.recv(&mut [0; 64]).is_err(), "an answer");
    drop(rdma);
    std::thread::sleep(Duration::from_millis(500));
    let counted = board.end();
    assert_eq!((counted("wrong source"), counted("connections")), (1, 0));
}
