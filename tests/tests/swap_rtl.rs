//! A swap device on a served board of RTL, through ODRP's chains: every word that comes back is the one that was written last.
use std::time::{Duration, Instant};

use mneme_clib::OpenOptions;
use mneme_daemon::rdma::SILENT;
use mneme_swap::BLOCK;
use mneme_swap::back::{ChainLane, FrameStore, Lane, Way};
use mneme_swap::client::NbdClient;
use mneme_swap::nbd::Command;
use mneme_swap::nbd::negotiation::Export;
use mneme_swap::queue;
use mneme_swap::server::{Options, Server};
use mneme_swap::stats::Snapshot;
use mneme_tests::native::statistics;
use mneme_tests::served::{RdmaBoard, address};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Blocks of the device, and those that a request has at most.
const BLOCKS: u64 = 256;
const LONG: u64 = 8;
/// Requests at a time, and rounds of so many.
const DEPTH: usize = 8;
const ROUNDS: usize = 40;

/// A word of a block of a version: each is another one.
fn word(block: u64, version: u64, at: u64) -> u64 {
    (block << 40 | version << 16 | at).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
/// What blocks hold; version 0: zeros.
fn content(first: u64, versions: &[u64]) -> Vec<u8> {
    let word = |block, version, at| if version == 0 { 0 } else { word(block, version, at) };
    let block = |(block, version): (u64, &u64)| {
        let version = *version;
        (0..BLOCK / 8).flat_map(move |at| word(block, version, at).to_le_bytes())
    };
    (first..).zip(versions).flat_map(block).collect()
}

/// A device of two queues, in a process of its own.
fn device(board: &RdmaBoard, socket: &std::path::Path) -> Server {
    let client = board.client();
    let lease = OpenOptions { lease: Some(Duration::from_secs(30)), ..OpenOptions::default() };
    let size = BLOCKS * BLOCK;
    let store = FrameStore::open(&client, lease, size, size).expect("a process");
    let store = store.expect("the board has pages of 4 KB");
    let lane = |host| {
        let way = Way {
            source: address(board.number, host),
            board: *board.address.ip(),
            pid: store.process().pid(),
            token: store.process().token(),
            frames: Some(store.range()),
            give_up: Duration::from_secs(10),
        };
        Box::new(ChainLane::connect(way, queue::units(DEPTH)).expect("connected")) as Box<dyn Lane>
    };
    let lanes = [12, 13].map(lane).into_iter().collect();
    let options = Options {
        socket: socket.to_owned(),
        export: Export { name: "mneme".into(), size },
        depth: DEPTH,
        held: 64,
        spare: 1,
        via: "chain".into(),
        board: None,
    };
    Server::start(options, Box::new(store), lanes).expect("it starts")
}

/// Requests of two connections, none of which meet: each writes, reads or discards blocks. What is read is compared.
fn round(clients: &mut [NbdClient; 2], versions: &mut [u64], version: u64, rng: &mut ChaCha8Rng) {
    let places = BLOCKS / LONG;
    let first = rng.random_range(0..places);
    let mut reads = Vec::new();
    for number in 0..2 * DEPTH {
        let which = number % 2;
        // Seven is prime to the places.
        let at = (first + 7 * number as u64) % places * LONG;
        let count = rng.random_range(1..=LONG);
        let blocks = at as usize..(at + count) as usize;
        let client = &mut clients[which];
        let length = (count * BLOCK) as u32;
        match rng.random_range(0..10) {
            0..5 => {
                versions[blocks.clone()].fill(version);
                let bytes = content(at, &versions[blocks]);
                client.write(at * BLOCK, &bytes).expect("sent");
            }
            5..9 => {
                let cookie = client.read(at * BLOCK, length).expect("sent");
                reads.push((which, cookie, content(at, &versions[blocks])));
            }
            _ => {
                versions[blocks].fill(0);
                client.send(Command::Trim, 0, at * BLOCK, length, &[]).expect("sent");
            }
        }
    }
    for number in 0..2 * DEPTH {
        let which = number % 2;
        let reply = clients[which].reply().expect("a reply");
        assert_eq!(reply.error, 0, "round {version}");
        let read = reads.iter().find(|own| (own.0, own.1) == (which, reply.cookie));
        assert!(read.is_none_or(|own| own.2 == reply.bytes), "round {version}: other words");
    }
}

/// What the device has, once so many bytes are on the board: a block that was not stored at once is written again later.
fn come_to_rest(server: &Server, bytes: u64) -> Snapshot {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let snapshot = server.snapshot();
        if snapshot.on_board == bytes || Instant::now() > end {
            return snapshot;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_swap_device_through_chains_of_the_rtl_gives_every_word_back() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("swap.sock");
    let server = device(&board, &socket);
    let mut clients = [0, 1].map(|_| NbdClient::connect(&socket).expect("the export"));
    let mut versions = vec![0; BLOCKS as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(26);
    for version in 1..=ROUNDS as u64 {
        round(&mut clients, &mut versions, version, &mut rng);
    }
    // All of it, by the other connection.
    for at in (0..BLOCKS).step_by(LONG as usize) {
        let bytes = (LONG * BLOCK) as u32;
        let reply = clients[1].call(Command::Read, 0, at * BLOCK, bytes, &[]).expect("a reply");
        let expected = content(at, &versions[at as usize..][..LONG as usize]);
        assert!(reply.error == 0 && reply.bytes == expected, "blocks from {at} on");
    }
    // The board has what is live, and chains did it.
    let live = versions.iter().filter(|version| **version != 0).count() as u64;
    let snapshot = come_to_rest(&server, live * BLOCK);
    assert_eq!((snapshot.live, snapshot.on_board), (live * BLOCK, live * BLOCK), "{snapshot:?}");
    assert_eq!(snapshot.errors.values().sum::<u64>(), 0, "{snapshot:?}");
    let client = board.client();
    let keeper = client.open(OpenOptions::default()).expect("open");
    let counted = statistics(&mut board, &keeper);
    assert_eq!(counted("frames in use"), live, "the board's frames are those of live blocks");
    for name in [
        "chain loads",
        "chain stores into mapped pages",
        "chain stores into unmapped pages",
        "frames given up",
    ] {
        assert!(counted(name) > 0, "no {name}");
    }
    for client in clients {
        client.leave().expect("goodbye");
    }
    server.end().expect("it ends well");
    assert_eq!(statistics(&mut board, &keeper)("frames in use"), 0);
}
