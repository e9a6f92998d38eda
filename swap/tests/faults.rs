//! What goes wrong: boards that go away, come back or are others now, clients that die, stall or talk nonsense.
use crate::rig;

use mneme_clib::{AllocOptions, OpenOptions};
use mneme_swap::BLOCK;
use mneme_swap::client::NbdClient;
use mneme_swap::nbd::{Command, REPLY_LEN, RequestHead, parse_reply};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rig::roce::RoceRelay;
use rig::{Board, Device, Relay, Wish, content, until};
use std::cell::RefCell;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

const B: u32 = BLOCK as u32;
const IO: u32 = 5;

fn client(device: &Device) -> NbdClient {
    NbdClient::connect(&device.socket).expect("the export")
}
fn write(client: &mut NbdClient, block: u64, bytes: &[u8]) -> u32 {
    client.call(Command::Write, 0, block * BLOCK, bytes.len() as u32, bytes).expect("a reply").error
}
fn read(client: &mut NbdClient, block: u64, blocks: u32) -> Result<Vec<u8>, u32> {
    let reply = client.call(Command::Read, 0, block * BLOCK, blocks * B, &[]).expect("a reply");
    if reply.error == 0 { Ok(reply.bytes) } else { Err(reply.error) }
}

#[test]
fn what_a_silent_board_does_not_take_waits_in_ram_and_gets_there() {
    let board = Board::start();
    let relay = Relay::start(board.address);
    let wish = Wish { held: 12, ..Wish::default() };
    let device = Device::clib_at(wish, relay.address);
    let mut one = client(&device);
    assert_eq!(write(&mut one, 0, &content(0, 1, 64)), 0);
    relay.pause(true);
    let began = Instant::now();
    // The first one is tried; the others are known to be of no use.
    assert_eq!(write(&mut one, 3, &content(3, 2, 2)), 0);
    assert_eq!(write(&mut one, 40, &content(40, 2, 10)), 0);
    assert!(read(&mut one, 3, 2) == Ok(content(3, 2, 2)), "from RAM");
    assert_eq!(read(&mut one, 3, 3), Err(IO), "a part of it is on the board");
    // RAM is full: newer content of what waits there is taken, and nothing else.
    assert_eq!(write(&mut one, 41, &content(41, 3, 1)), 0);
    assert_eq!(write(&mut one, 20, &content(20, 3, 1)), IO);
    let (took, most) = (began.elapsed(), 6 * wish.give_up);
    assert!(took < most, "{took:?} for two tries and what was answered at once");
    let snapshot = device.server().snapshot();
    assert!(snapshot.board_away && snapshot.held_blocks == 12, "{snapshot:?}");
    assert_eq!((snapshot.errors["board_silent"], snapshot.errors["ram_full"]), (1, 1));
    relay.pause(false);
    until("RAM is empty", || device.server().snapshot().held_blocks == 0);
    assert!(!device.server().snapshot().board_away);
    // What was refused never left.
    let mut expected = content(0, 1, 64);
    for (block, version, blocks) in [(3, 2, 2), (40, 2, 10), (41, 3, 1)] {
        let bytes = content(block, version, blocks);
        expected[(block * BLOCK) as usize..][..bytes.len()].copy_from_slice(&bytes);
    }
    assert!(read(&mut one, 0, 64) == Ok(expected));
    assert!(device.counter("retries") >= 12);
    device.end();
}

/// A board that was silent for a while is back, and another client has all the memory that was left. Block 0 is on the board, and those
/// of `without` have no memory there; they and a new content of block 1, if `over`, wait in RAM, which has no more room.
fn back_without_memory(without: u64, over: bool) {
    let board = Board::start_at((rig::address(), 0).into(), 16 << 20, false);
    let relay = Relay::start(board.address);
    let wish = Wish { held: without as usize + usize::from(over), spare: 0, ..Wish::default() };
    let device = Device::clib_at(wish, relay.address);
    let mut one = client(&device);
    assert_eq!(write(&mut one, 0, &content(0, 1, 2)), 0);
    let chunk = device.server().snapshot().chunk / BLOCK;
    relay.pause(true);
    for block in 2 * chunk..2 * chunk + without {
        assert_eq!(write(&mut one, block, &content(block, 1, 1)), 0);
    }
    assert!(!over || write(&mut one, 1, &content(1, 2, 1)) == 0);
    assert!(device.server().snapshot().board_away);
    assert_eq!(write(&mut one, 0, &content(0, 2, 1)), IO, "RAM is full");
    let other = board.client(Duration::from_secs(5)).open(OpenOptions::default()).expect("a process");
    let own = AllocOptions { own_pages: true, ..AllocOptions::default() };
    while other.ralloc_with(1 << 20, own).is_ok() {}
    relay.pause(false);
    let began = Instant::now();
    until("what has memory is written", || write(&mut one, 0, &content(0, 2, 1)) == 0);
    until("what has memory leaves RAM", || device.server().snapshot().held_blocks == without);
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    assert!(read(&mut one, 0, 1) == Ok(content(0, 2, 1)));
    assert!(read(&mut one, 1, 1) == Ok(content(1, if over { 2 } else { 1 }, 1)));
    // Room on the board: the rest gets there, too.
    other.exit().expect("it ends");
    until("RAM is empty", || device.server().snapshot().held_blocks == 0);
    assert!(read(&mut one, 2 * chunk, 1) == Ok(content(2 * chunk, 1, 1)));
    device.end();
}

#[test]
fn a_board_that_is_back_without_memory_takes_what_has_some() {
    std::thread::scope(|scope| {
        scope.spawn(|| back_without_memory(4, false));
        scope.spawn(|| back_without_memory(7, true));
    });
}

/// The board acknowledges a load; of its answer, and of all that it sends for so long behind that, nothing comes.
fn a_page_is_lost(most: Duration, expected: Result<Vec<u8>, u32>) {
    let board = Board::start_at((rig::address(), 0).into(), 64 << 20, true);
    let relay = RoceRelay::start(board.ip());
    let wish = Wish { queues: 1, give_up: Duration::from_secs(3), ..Wish::default() };
    let device = Device::chain_at(wish, &board, relay.address, wish.size);
    let mut one = client(&device);
    one.stream().set_read_timeout(Some(2 * wish.give_up)).expect("set");
    assert_eq!(write(&mut one, 0, &content(0, 1, 8)), 0);
    relay.lose_behind_the_next_acknowledge(most);
    let began = Instant::now();
    assert!(read(&mut one, 3, 1) == expected, "{:?}", began.elapsed());
    let took = began.elapsed();
    assert!(took < wish.give_up + Duration::from_secs(1) && relay.lost() > 1, "{took:?}, {}", relay.lost());
    assert_eq!(device.server().snapshot().errors["board_silent"], u64::from(expected.is_err()));
    if expected.is_ok() {
        assert!(read(&mut one, 0, 8) == Ok(content(0, 1, 8)));
    }
    device.end();
}

#[test]
fn a_page_that_is_lost_on_its_way_is_asked_for_again() {
    std::thread::scope(|scope| {
        // Longer than the board tries to bring it.
        scope.spawn(|| a_page_is_lost(Duration::from_millis(800), Ok(content(3, 1, 1))));
        scope.spawn(|| a_page_is_lost(Duration::from_secs(60), Err(IO)));
    });
}

#[test]
fn a_board_that_dies_or_starts_anew_is_told_by_name_in_bounded_time() {
    for via in ["clib", "native", "frames", "chain"] {
        let at = (rig::address(), 0).into();
        let board = Board::start_at(at, 64 << 20, true);
        let wish = Wish { held: 4, ..Wish::default() };
        let device = match via {
            "clib" => Device::clib(wish, &board),
            "frames" => Device::frames(wish, &board, wish.size),
            "chain" => Device::chain(wish, &board, wish.size),
            _ => Device::native(wish, &board),
        };
        let mut one = client(&device);
        assert_eq!(write(&mut one, 0, &content(0, 1, 32)), 0);
        let address = board.kill();
        let began = Instant::now();
        assert_eq!(read(&mut one, 0, 1), Err(IO), "{via}");
        assert!(began.elapsed() < 8 * wish.give_up, "{via}: {:?}", began.elapsed());
        assert_eq!(write(&mut one, 1, &content(1, 2, 3)), 0, "RAM has room");
        assert_eq!(write(&mut one, 9, &content(9, 2, 2)), IO, "RAM has none");
        assert!(read(&mut one, 2, 2) == Ok(content(2, 2, 2)), "from RAM");
        // Blocks that were never written are no matter of the board's.
        assert!(read(&mut one, 1000, 2) == Ok(vec![0; 2 * BLOCK as usize]));
        let errors = device.server().snapshot().errors;
        let of_board = errors["board_silent"] + errors["board_memory_gone"];
        assert_eq!((of_board, errors["ram_full"]), (1, 1), "{via}: {errors:?}");
        // Another life of the board at the same address has nothing of it, and says so.
        let again = Board::start_at(address, 64 << 20, true);
        until("it is known that the memory is gone", || {
            assert_eq!(read(&mut one, 0, 1), Err(IO), "{via}");
            device.server().snapshot().errors["board_memory_gone"] > 0 || via != "clib"
        });
        assert!(read(&mut one, 2, 2) == Ok(content(2, 2, 2)), "{via}: RAM keeps what it has");
        // Discards need no board.
        let discarded = one.call(Command::Trim, 0, 0, 16 * B, &[]).expect("a reply");
        assert_eq!((discarded.error, read(&mut one, 0, 16)), (0, Ok(vec![0; 16 * BLOCK as usize])), "{via}");
        // The process has ended with the board, and the end says so; it does not wait.
        let mut device = device;
        let began = Instant::now();
        let _told = device.server.take().expect("it is served").end();
        assert!(began.elapsed() < Duration::from_secs(10), "{via}: {:?}", began.elapsed());
        drop(again);
    }
}

#[test]
fn clients_that_die_or_stall_are_nobody_elses_concern() {
    let board = Board::start();
    let device = Device::clib(Wish::default(), &board);
    let mut steady = client(&device);
    assert_eq!(write(&mut steady, 0, &content(0, 1, 256)), 0);
    // In the middle of a write, with others under way.
    for cut in [10, 28, 28 + 4096, 28 + 100_000] {
        let mut dying = client(&device);
        for n in 0..4 {
            dying.write((4 + n) << 20, &content(0, 9, 64)).expect("sent");
        }
        let head =
            RequestHead { flags: 0, command: Command::Write, cookie: 7, offset: 12 << 20, length: 1 << 20 };
        let message = [&head.emit()[..], &vec![3; 1 << 20]].concat();
        dying.stream().write_all(&message[..cut]).expect("sent");
        drop(dying);
        until("its queue is free", || device.server().snapshot().queues_in_use == 1);
    }
    assert_eq!(device.counter("connections_cut"), 4);
    // Takes no replies: 64 MiB are asked for, and 16 requests may be under way.
    let mut stalled = client(&device);
    stalled.stream().set_nonblocking(true).expect("set");
    for _ in 0..64 {
        if stalled.read(0, 1 << 20).is_err() {
            break;
        }
    }
    for _ in 0..50 {
        assert!(read(&mut steady, 0, 16) == Ok(content(0, 1, 16)));
    }
    let snapshot = device.server().snapshot();
    assert!(snapshot.in_flight <= 17, "{snapshot:?}");
    drop(stalled);
    until("its queue is free", || device.server().snapshot().queues_in_use == 1);
    // A whole write before the end took effect or not; nothing else did.
    assert!(read(&mut steady, 0, 256) == Ok(content(0, 1, 256)));
    device.end();
}

#[test]
fn a_client_that_stalls_does_not_keep_the_device_from_ending() {
    let device = Device::ram(Wish::default());
    let mut stalled = client(&device);
    stalled.stream().set_nonblocking(true).expect("set");
    for _ in 0..64 {
        if stalled.read(0, 1 << 20).is_err() {
            break;
        }
    }
    let began = Instant::now();
    device.end();
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}

#[test]
fn handshakes_that_lead_nowhere_keep_nobody_out() {
    let device = Device::ram(Wish::default());
    // More than may be under way, which say nothing.
    let idle: Vec<UnixStream> =
        (0..40).map(|_| UnixStream::connect(&device.socket).expect("connected")).collect();
    let began = Instant::now();
    let mut one = client(&device);
    assert!(began.elapsed() < Duration::from_secs(25), "{:?}", began.elapsed());
    assert_eq!(write(&mut one, 0, &content(0, 1, 1)), 0);
    // Each is told when its thread has its turn.
    until("30 handshakes have failed", || device.counter("handshakes_failed") >= 30);
    drop(idle);
    let mut rubbish = UnixStream::connect(&device.socket).expect("connected");
    rubbish.write_all(&[0xff; 3_000]).expect("sent");
    let mut said = Vec::new();
    // The greeting, and then the end.
    let _cut = rubbish.read_to_end(&mut said);
    assert_eq!(said.len(), 18);
    device.end();
}

/// A request, mostly of fields that nearly fit.
fn heads() -> impl Strategy<Value = RequestHead> {
    let near = |exact: Vec<u64>| prop_oneof![prop::sample::select(exact), any::<u64>()];
    let offsets =
        near(vec![0, 1, 4096, 8192, 65_536 - 4096, (16 << 20) - 4096, 16 << 20, u64::MAX, u64::MAX - 4095]);
    let lengths = prop_oneof![
        prop::sample::select(vec![0, 1, 512, 4096, 8192, 65_536, 69_632, 1 << 20]),
        0u32..40_000,
    ];
    let commands = prop_oneof![
        Just(Command::Read),
        Just(Command::Write),
        Just(Command::Flush),
        Just(Command::Trim),
        Just(Command::WriteZeroes),
        (7u16..=u16::MAX).prop_map(Command::Unknown),
    ];
    let flags = prop_oneof![3 => 0u16..4, 1 => any::<u16>()];
    (flags, commands, any::<u64>(), offsets, lengths).prop_map(|(flags, command, cookie, offset, length)| {
        RequestHead { flags, command, cookie, offset, length }
    })
}

/// Every request is answered once, with what its fields deserve, whatever the others are.
#[test]
fn any_requests_are_answered_as_they_deserve() {
    let device = Device::ram(Wish::default());
    let mut runner = TestRunner::new(Config { cases: 150, failure_persistence: None, ..Config::default() });
    let one = RefCell::new(client(&device));
    let ran = runner.run(&prop::collection::vec(heads(), 1..12), |heads| {
        let mut one = one.borrow_mut();
        let size = one.size();
        for head in heads {
            let bytes = vec![0x5a; if head.command == Command::Write { head.length as usize } else { 0 }];
            one.stream().write_all(&[&head.emit()[..], &bytes].concat()).expect("sent");
            let mut reply = [0; REPLY_LEN];
            one.stream().read_exact(&mut reply).expect("a reply");
            let expected = head.check(size) as u32;
            prop_assert_eq!(parse_reply(&reply), Some((expected, head.cookie)), "{:?}", head);
            if expected == 0 && head.command == Command::Read {
                one.stream().read_exact(&mut vec![0; head.length as usize]).expect("its bytes");
            }
        }
        Ok(())
    });
    ran.expect("every request");
    device.end();
}

/// Bytes that are no requests end their connection, and nothing else.
#[test]
fn rubbish_ends_its_connection_alone() {
    let device = Device::ram(Wish::default());
    let steady = RefCell::new(client(&device));
    let mut runner = TestRunner::new(Config { cases: 60, failure_persistence: None, ..Config::default() });
    let before = device.counter("requests_malformed");
    let ran = runner.run(&prop::collection::vec(any::<u8>(), 28..5_000), |bytes| {
        let mut one = NbdClient::connect(&device.socket);
        until("a queue", || {
            if one.is_err() {
                one = NbdClient::connect(&device.socket);
            }
            one.is_ok()
        });
        let mut one = one.expect("a queue");
        one.stream().write_all(&bytes).expect("sent");
        let mut rest = Vec::new();
        // The end may come as a reset: not all of it was read.
        let _cut = one.stream().read_to_end(&mut rest);
        prop_assert!(rest.is_empty());
        prop_assert_eq!(write(&mut steady.borrow_mut(), 5, &content(5, 1, 1)), 0);
        Ok(())
    });
    ran.expect("every connection");
    assert_eq!(device.counter("requests_malformed") - before, 60);
    device.end();
}
