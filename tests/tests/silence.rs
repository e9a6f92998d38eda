//! Clients of RDMA whose library says nothing any more: those that live keep their process and what is in it, and what dead ones had comes
//! back. On a software board, and on one of RTL, whose slow path sees none of their packets.
use std::time::{Duration, Instant};

use mneme_clib::{Client, ClientOptions, OpenOptions, Process, UdpDriver};
use mneme_daemon::rdma::{GRACE, SILENT};
use mneme_model::BoardShape;
use mneme_rdma::cm::{Ask, Kind};
use mneme_rdma::memory::Access;
use mneme_rdma::node::FRAME;
use mneme_rdma::udp::{ChainConnection, ChainOptions, NativeClient};
use mneme_tests::chain::{load, page, store};
use mneme_tests::faulty::{Faults, FaultyDriver};
use mneme_tests::frames::{ask, frames};
use mneme_tests::native::{native_read, native_write, told};
use mneme_tests::served::{Made, RdmaBoard};

const MB: u64 = 1 << 20;
const PAGE: usize = FRAME as usize;
/// What a process may be silent.
const LEASE: Duration = Duration::from_secs(3);
/// How long clients live on without a word of the library: longer than what the board waits for one that it asks in vain.
const LONG: Duration = Duration::from_secs(15);
/// What else may pass until the dead are gone: looks at connections, and the machine's other work. The time of a simulated board is late
/// while the machine has much of that.
const SLACK: Duration = Duration::from_secs(5);
const RTL_SLACK: Duration = Duration::from_secs(60);
/// What a board tells of it.
const NAMES: [&str; 6] = [
    "connections",
    "connections ended with their process",
    "connections ended by an error",
    "connections ended after silence",
    "probes of silent clients",
    "probes of silent clients answered",
];

/// A client of the library whose thread keeps no lease.
fn still(board: &RdmaBoard) -> Client {
    let driver = UdpDriver::connect(board.address).expect("a socket");
    let driver = FaultyDriver::new(driver, Faults::default(), 1).standing_still();
    Client::connect(driver, ClientOptions::default()).expect("the board answers")
}
/// A process with that lease, and pages of 4 KB.
fn begin(client: &Client) -> (Process, u64) {
    let process = client.open(OpenOptions { lease: Some(LEASE), ..OpenOptions::default() }).expect("open");
    let va = process.ralloc_with(MB, frames(0)).expect("alloc");
    (process, va)
}
fn native(board: &mut RdmaBoard, (process, va): (&Process, u64)) -> NativeClient {
    let mut native = board.rdma(ask(process, va, MB)).expect("a connection");
    native_write(&mut native, va, &page(7)).expect("written");
    native
}
fn chain(board: &mut RdmaBoard, (process, va): (&Process, u64)) -> ChainConnection {
    let mut chain = board.chain(ask(process, va, MB), ChainOptions::default()).expect("four connections");
    store(&mut chain, 9, &page(9)).expect("stored");
    chain
}

/// One that READs, READs of no bytes among them; one that is idle; a dead one with its process; and a dead one in a process that a client of
/// the library keeps.
fn the_living_are_kept_and_the_dead_are_not(mut board: RdmaBoard, slack: Duration) {
    let (client, still) = (board.client(), still(&board));
    let (kept, other) = begin(&client);
    let kind = Kind::Statistics;
    let counters = Ask { kind, access: Access::READ, length: 8, ..ask(&kept, 0, 8) };
    let mut counters = board.rdma(counters).expect("a connection");
    let (reads, idles, dies) = (begin(&still), begin(&still), begin(&still));
    let mut reader = native(&mut board, (&reads.0, reads.1));
    let mut idle = chain(&mut board, (&idles.0, idles.1));
    // Nothing more is heard of these: no end of their connections.
    let dead = (native(&mut board, (&dies.0, dies.1)), chain(&mut board, (&dies.0, dies.1)));
    let dead_too = native(&mut board, (&kept, other));
    let begun = Instant::now();
    assert_eq!(told(&mut counters)("connections"), 1 + 1 + 4 + 5 + 1);
    std::mem::forget((dead, dead_too));
    let (mut process_ended, mut all_ended) = (None, None);
    let mut look = 0;
    while begun.elapsed() < LONG || all_ended.is_none() && begun.elapsed() < LONG + slack {
        // Its board is asked whether it is there, and its socket answers: no operation of it.
        idle.poll(Duration::from_millis(100)).expect("the socket works");
        look += 1;
        if look % 4 == 0 {
            let bytes = if look % 8 == 0 { 0 } else { 64 };
            assert_eq!(native_read(&mut reader, reads.1, bytes), page(7)[..bytes]);
        }
        let now = told(&mut counters);
        if now("segments") == 3 {
            process_ended.get_or_insert(begun.elapsed());
        }
        if now("segments") == 3 && now("connections") == 1 + 1 + 4 {
            all_ended.get_or_insert(begun.elapsed());
        }
    }
    let now = told(&mut counters);
    let found = NAMES.map(|name| (name, now(name)));
    let process_ended = process_ended.unwrap_or_else(|| panic!("no process has ended: {found:?}"));
    let all_ended = all_ended.unwrap_or_else(|| panic!("not all connections have ended: {found:?}"));
    // A simulated board's time, by which leases end, may be late; its connections are then ended after silence.
    let ended = [now("connections ended with their process"), now("connections ended after silence")];
    assert!(ended == [5, 1] || slack == RTL_SLACK && ended.iter().sum::<u64>() == 6, "{ended:?}");
    assert!(process_ended < LEASE + slack, "after {process_ended:?}");
    let may = LEASE + GRACE;
    assert!(all_ended >= may - Duration::from_secs(1) && all_ended < may + slack, "after {all_ended:?}");
    // All is there that was, and all else has come back.
    assert_eq!(native_read(&mut reader, reads.1, PAGE), page(7));
    assert_eq!(load(&mut idle, 9), page(9));
    let now = told(&mut counters);
    assert_eq!((now("connections"), now("segments"), now("chain connections")), (1 + 1 + 4, 3, 4));
    assert!(now("probes of silent clients answered") > 0);
    assert_eq!(now("connections ended by an error"), 0);
    let (_, audit) = board.end_audited();
    // The reader's page, the idle client's, and what the dead one wrote in the process that is kept.
    assert_eq!((audit.mapped, audit.private, audit.waiting), (3, 0, 0));
}

#[test]
fn a_software_board_tells_silent_clients_that_live_from_dead_ones() {
    let shape = BoardShape::RDMA;
    let board = RdmaBoard::start(Made { shape, ..Made::default() });
    the_living_are_kept_and_the_dead_are_not(board, SLACK);
}

#[test]
fn a_board_of_rtl_tells_silent_clients_that_live_from_dead_ones() {
    the_living_are_kept_and_the_dead_are_not(RdmaBoard::start_rtl(SILENT), RTL_SLACK);
}
