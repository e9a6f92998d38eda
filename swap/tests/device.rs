//! Devices end to end, over real sockets: what is written is read, on every back end; requests that cannot be are refused.
use crate::rig;

use mneme_swap::BLOCK;
use mneme_swap::client::NbdClient;
use mneme_swap::nbd::{Command, FLAG_FUA, FLAG_NO_HOLE, transmission};
use rig::{Board, Device, Wish, content, until};
use std::collections::HashMap;
use std::time::{Duration, Instant};

const B: u32 = BLOCK as u32;

fn client(device: &Device) -> NbdClient {
    NbdClient::connect(&device.socket).expect("the export")
}
fn ok(client: &mut NbdClient, command: Command, at: u64, length: u32, bytes: &[u8]) -> Vec<u8> {
    let reply = client.call(command, 0, at, length, bytes).expect("a reply");
    assert_eq!(reply.error, 0, "{command:?} at {at}");
    reply.bytes
}
fn error(client: &mut NbdClient, command: Command, flags: u16, at: u64, length: u32, bytes: &[u8]) -> u32 {
    client.call(command, flags, at, length, bytes).expect("a reply").error
}

fn reads_what_was_written(device: Device, chunk_comes_back: bool) {
    let mut one = client(&device);
    let mut two = client(&device);
    assert_eq!((one.size(), one.flags()), (16 << 20, transmission::OURS));
    assert_eq!(ok(&mut one, Command::Read, 0, 2 << 20, &[]), vec![0; 2 << 20], "it begins as zeros");
    // Across units and chunks.
    let at = (4 << 20) - 5 * BLOCK;
    let first = content(at / BLOCK, 1, 256);
    ok(&mut one, Command::Write, at, 256 * B, &first);
    assert!(ok(&mut two, Command::Read, at, 256 * B, &[]) == first, "another connection sees it");
    let around = ok(&mut two, Command::Read, at - BLOCK, 258 * B, &[]);
    assert!(
        around[..BLOCK as usize] == [0; BLOCK as usize] && around[BLOCK as usize..][..first.len()] == first
    );
    // A part is written over, a part is discarded, a part is zeroed with memory and one without.
    let second = content(9, 2, 3);
    ok(&mut two, Command::Write, at + 10 * BLOCK, 3 * B, &second);
    ok(&mut one, Command::Trim, at + 20 * BLOCK, 20 * B, &[]);
    ok(&mut one, Command::WriteZeroes, at + 50 * BLOCK, 17 * B, &[]);
    assert_eq!(
        error(&mut one, Command::WriteZeroes, FLAG_NO_HOLE | FLAG_FUA, at + 80 * BLOCK, 33 * B, &[]),
        0
    );
    ok(&mut one, Command::Flush, 0, 0, &[]);
    let mut expected = first;
    let mut put = |from: usize, bytes: &[u8]| {
        expected[from * BLOCK as usize..][..bytes.len()].copy_from_slice(bytes);
    };
    put(10, &second);
    for (from, blocks) in [(20, 20), (50, 17), (80, 33)] {
        put(from, &vec![0; blocks * BLOCK as usize]);
    }
    assert!(ok(&mut two, Command::Read, at, 256 * B, &[]) == expected);
    let live = (256 - 20 - 17) * BLOCK;
    let snapshot = device.server().snapshot();
    assert_eq!(snapshot.live, live);
    assert!(snapshot.on_board >= 2 * snapshot.chunk && snapshot.utilisation < 1.0, "{snapshot:?}");
    assert_eq!(snapshot.queues_in_use, 2);
    // The longest request.
    let long = content(0, 3, 1024);
    ok(&mut one, Command::Write, 8 << 20, 4 << 20, &long);
    assert!(ok(&mut one, Command::Read, 8 << 20, 4 << 20, &[]) == long);
    // Everything is discarded: the board's memory comes back, but for what is kept at hand.
    ok(&mut two, Command::Trim, 0, 16 << 20, &[]);
    assert_eq!(device.server().snapshot().live, 0);
    until("memory comes back", || {
        let snapshot = device.server().snapshot();
        !chunk_comes_back || snapshot.on_board == snapshot.spare && snapshot.spare == snapshot.chunk
    });
    assert_eq!(ok(&mut one, Command::Read, 8 << 20, 4 << 20, &[]), vec![0; 4 << 20]);
    one.leave().expect("goodbye");
    two.leave().expect("goodbye");
    until("queues are free", || device.server().snapshot().queues_in_use == 0);
    device.end();
}

#[test]
fn on_ram() {
    reads_what_was_written(Device::ram(Wish::default()), true);
}

#[test]
fn through_clib() {
    let board = Board::start();
    reads_what_was_written(Device::clib(Wish::default(), &board), true);
}

#[test]
fn through_rdma() {
    let board = Board::start_at((rig::address(), 0).into(), 64 << 20, true);
    reads_what_was_written(Device::native(Wish::default(), &board), true);
}

fn rdma_board() -> Board {
    Board::start_at((rig::address(), 0).into(), 64 << 20, true)
}

#[test]
fn memory_comes_and_goes_by_the_block() {
    let board = rdma_board();
    by_the_block(Device::frames(Wish::default(), &board, 16 << 20));
    by_the_block(Device::chain(Wish::default(), &board, 16 << 20));
}
fn by_the_block(device: Device) {
    let mut one = client(&device);
    let on_board = || {
        let snapshot = device.server().snapshot();
        assert_eq!((snapshot.live, snapshot.chunk), (snapshot.on_board, BLOCK), "{snapshot:?}");
        snapshot.on_board / BLOCK
    };
    assert_eq!((on_board(), ok(&mut one, Command::Read, 0, 64 * B, &[])), (0, vec![0; 64 * BLOCK as usize]));
    let first = content(250, 1, 300);
    ok(&mut one, Command::Write, 250 * BLOCK, 300 * B, &first);
    assert_eq!(on_board(), 300);
    // Over what is there, by itself and in a stretch that is not all there.
    let second = content(251, 2, 1);
    ok(&mut one, Command::Write, 251 * BLOCK, B, &second);
    ok(&mut one, Command::Trim, 253 * BLOCK, B, &[]);
    assert_eq!(on_board(), 299);
    ok(&mut one, Command::Trim, 240 * BLOCK, 11 * B, &[]);
    ok(&mut one, Command::WriteZeroes, 255 * BLOCK, 2 * B, &[]);
    assert_eq!(on_board(), 296);
    // Blocks 251, 252, 254: every other one of a stretch.
    let found = ok(&mut one, Command::Read, 250 * BLOCK, 7 * B, &[]);
    let zeros = vec![0; BLOCK as usize];
    let expected = [&zeros[..], &second, &content(252, 1, 1), &zeros, &content(254, 1, 1), &zeros, &zeros];
    assert!(found == expected.concat());
    assert!(ok(&mut one, Command::Read, 257 * BLOCK, 293 * B, &[]) == content(257, 1, 293));
    // Once more, and what was never there.
    ok(&mut one, Command::Trim, 0, 16 << 20, &[]);
    assert_eq!(on_board(), 0);
    ok(&mut one, Command::Trim, 0, 16 << 20, &[]);
    assert_eq!((device.counter("blocks_freed"), device.counter("frees_failed")), (300, 0));
    let rewritten = content(250, 3, 64);
    ok(&mut one, Command::Write, 250 * BLOCK, 64 * B, &rewritten);
    assert!(ok(&mut one, Command::Read, 250 * BLOCK, 64 * B, &[]) == rewritten);
    assert_eq!(on_board(), 64);
    device.end();
}

#[test]
fn a_spent_budget_is_no_space_until_a_block_is_discarded() {
    let board = rdma_board();
    let wish = Wish { held: 2, queues: 1, ..Wish::default() };
    a_spent_budget(Device::frames(wish, &board, 1 << 20));
    a_spent_budget(Device::chain(wish, &board, 1 << 20));
}
fn a_spent_budget(device: Device) {
    let mut one = client(&device);
    ok(&mut one, Command::Write, 0, 256 * B, &content(0, 1, 256));
    let snapshot = device.server().snapshot();
    assert_eq!((snapshot.live, snapshot.on_board), (1 << 20, 1 << 20), "the whole budget is used");
    // RAM takes two more.
    for block in [300, 301] {
        ok(&mut one, Command::Write, block * BLOCK, B, &content(block, 1, 1));
    }
    assert_eq!(error(&mut one, Command::Write, 0, 302 * BLOCK, B, &content(302, 1, 1)), 28);
    // Over what is there is no new memory.
    ok(&mut one, Command::Write, 5 * BLOCK, B, &content(5, 2, 1));
    ok(&mut one, Command::Trim, 7 * BLOCK, 3 * B, &[]);
    until("RAM is empty", || device.server().snapshot().held_blocks == 0);
    until("there is room", || error(&mut one, Command::Write, 0, 302 * BLOCK, B, &content(302, 1, 1)) == 0);
    for block in 300..303 {
        assert!(ok(&mut one, Command::Read, block * BLOCK, B, &[]) == content(block, 1, 1), "{block}");
    }
    assert!(ok(&mut one, Command::Read, 5 * BLOCK, B, &[]) == content(5, 2, 1));
    device.end();
}

#[test]
fn a_read_among_writes_that_find_no_memory_is_answered() {
    let board = rdma_board();
    let wish = Wish { queues: 1, depth: 64, give_up: Duration::from_secs(2), ..Wish::default() };
    a_read_among_writes(Device::frames(wish, &board, 1 << 20), wish.give_up);
    a_read_among_writes(Device::chain(wish, &board, 1 << 20), wish.give_up);
}
fn a_read_among_writes(device: Device, give_up: Duration) {
    let mut one = client(&device);
    ok(&mut one, Command::Write, 0, 256 * B, &content(0, 1, 256));
    assert_eq!(device.server().snapshot().on_board, 1 << 20, "the whole budget is used");
    // One queue pair carries all of them, in this order. Over what is there is no new memory.
    let began = Instant::now();
    for block in 300..340 {
        one.write(block * BLOCK, &content(block, 1, 1)).expect("sent");
    }
    one.write(9 * BLOCK, &content(9, 2, 1)).expect("sent");
    let read = one.read(0, B).expect("sent");
    for _ in 0..42 {
        let reply = one.reply().expect("a reply");
        assert_eq!(reply.error, 0, "{} of 42", reply.cookie);
        assert!(reply.cookie != read || reply.bytes == content(0, 1, 1));
    }
    let took = began.elapsed();
    assert!(took < give_up, "{took:?}");
    let snapshot = device.server().snapshot();
    assert_eq!((snapshot.errors["board_silent"], snapshot.board_away, snapshot.held_blocks), (0, false, 40));
    for (block, version) in [(339, 1), (9, 2)] {
        assert!(ok(&mut one, Command::Read, block * BLOCK, B, &[]) == content(block, version, 1), "{block}");
    }
    device.end();
}

/// Writes, reads, discards in any order from several connections, each in a part of its own: every read is checked.
fn many_requests(device: &Device, rounds: u64) {
    let part = (16 << 20) / BLOCK / 2;
    std::thread::scope(|scope| {
        for number in 0..2u64 {
            scope.spawn(move || {
                let mut client = client(device);
                let mut known: HashMap<u64, u64> = HashMap::new();
                let mut draw = {
                    let mut state = 77 + number;
                    move |below: u64| {
                        state ^= state << 13;
                        state ^= state >> 7;
                        state ^= state << 17;
                        state % below
                    }
                };
                for round in 1..=rounds {
                    // A batch of requests that do not touch each other, in flight together.
                    let stripe = part / 8;
                    let mut under_way = HashMap::new();
                    for n in 0..8 {
                        let blocks = [1, 1, 1, 16, 17, 40][draw(6) as usize];
                        let at = number * part + n * stripe + draw(stripe - blocks);
                        let (offset, length) = (at * BLOCK, blocks as u32 * B);
                        let cookie = match draw(10) {
                            0 => {
                                known.retain(|block, _| !(at..at + blocks).contains(block));
                                client.send(Command::Trim, 0, offset, length, &[]).expect("sent")
                            }
                            1..5 => {
                                known.extend((at..at + blocks).map(|block| (block, round)));
                                client.write(offset, &content(at, round, blocks as usize)).expect("sent")
                            }
                            _ => client.read(offset, length).expect("sent"),
                        };
                        under_way.insert(cookie, (at, blocks));
                    }
                    while !under_way.is_empty() {
                        let reply = client.reply().expect("a reply");
                        let (at, _) = under_way.remove(&reply.cookie).expect("it was sent");
                        assert_eq!(reply.error, 0);
                        for (block, found) in (at..).zip(reply.bytes.chunks_exact(BLOCK as usize)) {
                            let expected = match known.get(&block) {
                                Some(version) => content(block, *version, 1),
                                None => vec![0; BLOCK as usize],
                            };
                            assert!(found == expected, "block {block} in round {round} of {number}");
                        }
                    }
                }
                client.leave().expect("goodbye");
            });
        }
    });
}

#[test]
fn many_requests_from_several_connections() {
    let plain = Board::start();
    let rdma = Board::start_at((rig::address(), 0).into(), 64 << 20, true);
    for device in [
        Device::ram(Wish::default()),
        Device::clib(Wish::default(), &plain),
        Device::native(Wish::default(), &rdma),
        Device::frames(Wish::default(), &rdma, 16 << 20),
        Device::chain(Wish::default(), &rdma, 16 << 20),
    ] {
        many_requests(&device, 120);
        let snapshot = device.server().snapshot();
        assert_eq!(snapshot.errors.values().sum::<u64>(), 0);
        assert!(snapshot.chunk > BLOCK || snapshot.on_board == snapshot.live, "{snapshot:?}");
        device.end();
    }
}

#[test]
fn what_cannot_be_is_refused_and_the_rest_goes_on() {
    let device = Device::ram(Wish::default());
    let mut one = client(&device);
    let (invalid, no_space, overflow) = (22, 28, 75);
    let size = 16 << 20;
    let block = [1; BLOCK as usize];
    assert_eq!(error(&mut one, Command::Read, 0, 1, B, &[]), invalid);
    assert_eq!(error(&mut one, Command::Read, 0, 0, B - 1, &[]), invalid);
    assert_eq!(error(&mut one, Command::Write, 0, 512, 512, &block[..512]), invalid);
    assert_eq!(error(&mut one, Command::Read, 0, size, B, &[]), invalid);
    assert_eq!(error(&mut one, Command::Write, 0, size, B, &block), no_space);
    assert_eq!(error(&mut one, Command::Write, 0, u64::MAX - 4095, B, &block), no_space);
    assert_eq!(error(&mut one, Command::Read, 0, 0, (4 << 20) + B, &[]), overflow);
    assert_eq!(error(&mut one, Command::Write, 0, 0, (4 << 20) + B, &vec![1; (4 << 20) + 4096]), overflow);
    assert_eq!(error(&mut one, Command::Trim, FLAG_NO_HOLE, 0, B, &[]), invalid);
    assert_eq!(error(&mut one, Command::Unknown(5), 0, 0, B, &[]), invalid);
    assert_eq!(error(&mut one, Command::Unknown(77), 9, 3, 3, &[]), invalid);
    ok(&mut one, Command::Read, 0, 0, &[]);
    ok(&mut one, Command::Write, 0, B, &block);
    assert_eq!(ok(&mut one, Command::Read, 0, B, &[]), block);
    assert_eq!((device.counter("requests_refused"), device.counter("writes")), (11, 1));
    // Two queues: a third client is told, and gets one when it is free.
    let two = client(&device);
    let refused = NbdClient::connect(&device.socket).expect_err("no queue").to_string();
    assert!(refused.contains("all queues are in use"), "{refused}");
    two.leave().expect("goodbye");
    until("a queue is free", || NbdClient::connect(&device.socket).is_ok());
    device.end();
}

#[test]
fn a_board_that_has_no_more_memory_is_told_as_no_space_and_nothing_is_lost() {
    let board = Board::start_at((rig::address(), 0).into(), 16 << 20, false);
    let wish = Wish { size: 64 << 20, held: 16, spare: 0, ..Wish::default() };
    let device = Device::clib(wish, &board);
    let mut one = client(&device);
    let chunk = device.server().snapshot().chunk;
    let (mut written, mut refused) = (Vec::new(), 0);
    for number in 0..wish.size / chunk {
        let at = number * chunk;
        let bytes = content(at / BLOCK, 1, 8);
        match error(&mut one, Command::Write, 0, at, 8 * B, &bytes) {
            0 => written.push((at, bytes)),
            error => {
                assert_eq!(error, 28);
                refused += 1;
            }
        }
    }
    let snapshot = device.server().snapshot();
    assert!(refused > 0 && snapshot.errors["no_board_memory"] > 0, "{snapshot:?}");
    assert_eq!((snapshot.held_blocks, snapshot.board_away), (16, false), "two writes wait in RAM");
    for (at, bytes) in &written {
        assert!(ok(&mut one, Command::Read, *at, 8 * B, &[]) == *bytes, "at {at}");
    }
    // Room on the board: what waits in RAM gets there.
    for (at, _) in written.drain(..2) {
        ok(&mut one, Command::Trim, at, 8 * B, &[]);
    }
    until("RAM is empty", || device.server().snapshot().held_blocks == 0);
    for (at, bytes) in &written {
        assert!(ok(&mut one, Command::Read, *at, 8 * B, &[]) == *bytes, "at {at}");
    }
    device.end();
}

#[test]
fn the_end_frees_the_boards_memory_and_answers_what_is_under_way() {
    let board = Board::start();
    let device = Device::clib(Wish { give_up: Duration::from_secs(5), ..Wish::default() }, &board);
    let watcher = board.client(Duration::from_secs(5));
    let open = || {
        let process = watcher.open(mneme_clib::OpenOptions::default()).expect("a process");
        // All of the board, if nobody else has any of it.
        let all = process.ralloc(48 << 20).is_ok();
        process.exit().expect("it ends");
        all
    };
    let mut one = client(&device);
    ok(&mut one, Command::Write, 0, 4 << 20, &content(0, 1, 1024));
    ok(&mut one, Command::Write, 4 << 20, 4 << 20, &content(0, 1, 1024));
    ok(&mut one, Command::Write, 8 << 20, 4 << 20, &content(0, 1, 1024));
    ok(&mut one, Command::Write, 12 << 20, 4 << 20, &content(0, 1, 1024));
    assert!(!open(), "the device has memory");
    for n in 0..8 {
        one.write(n << 20, &content(n, 2, 64)).expect("sent");
    }
    until("they have come", || device.counter("writes") >= 8);
    device.end();
    let mut answered = 0;
    while let Ok(reply) = one.reply() {
        assert_eq!(reply.error, 0);
        answered += 1;
    }
    assert!(answered >= 4, "{answered} were answered");
    assert!(open(), "the device's memory is free");
}
