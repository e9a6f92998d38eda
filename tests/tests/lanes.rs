//! Clients of several boards: memory on each of them in one address space, pages that move between them, and what is
//! promised across them.
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use mneme_clib::{
    AllocOptions, Effect, Error, LaneSet, LockOptions, OpenOptions, Process, ReadPart, Reason, WritePart,
};
use mneme_tests::rig::in_process::{BoardKind, Rtl, Soft};
use mneme_tests::rig::pair::Pair;
use mneme_tests::rig::udp::{Setup, Udp};
use mneme_tests::suite::{pattern, read};
use mneme_tests::{Config, Rig};

fn on(lane: usize) -> AllocOptions {
    AllocOptions { lane: Some(lane), own_pages: true, ..AllocOptions::default() }
}

fn one_address_space<K: BoardKind>() {
    let pair = Pair::<K>::start();
    let client = pair.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let (first, second) =
        (process.ralloc_with(100_000, on(0)).unwrap(), process.ralloc_with(100_000, on(1)).unwrap());
    assert_eq!((process.lane_of(first), process.lane_of(second)), (0, 1));
    let (one, two) = (pattern(1, 70_000), pattern(2, 70_000));
    process
        .rwrite_batch(&[WritePart { va: first, from: &one }, WritePart { va: second, from: &two }])
        .unwrap();
    let (mut back_one, mut back_two) = (vec![0; 70_000], vec![0; 70_000]);
    process
        .rread_batch(&mut [
            ReadPart { va: second, into: &mut back_two },
            ReadPart { va: first, into: &mut back_one },
        ])
        .unwrap();
    assert!(back_one == one && back_two == two);
    // Each board has its part, and no more.
    for (lane, va) in [(0, first), (1, second)] {
        let alone = pair.client_of(lane);
        let membership = process.memberships()[lane];
        let joined = alone.join(membership.pid, membership.token).unwrap();
        assert_eq!(read(&joined, va, 70_000), if lane == 0 { &one[..] } else { &two[..] });
        let elsewhere = if lane == 0 { second } else { first };
        assert!(joined.rread(elsewhere, &mut [0]).is_err(), "that is on the other board");
    }
    let calls: Vec<_> = (0..64).map(|n| process.fetch_add_async([first, second][n % 2], 1)).collect();
    for call in calls {
        call.wait().unwrap();
    }
    let fences = || {
        let of = |lane: &mneme_clib::Lane| lane.board_counters().unwrap().get(mneme_wire::Counter::Fences);
        client.lanes().iter().map(of).collect::<Vec<_>>()
    };
    let before = fences();
    process.rfence().unwrap();
    assert!(fences().iter().zip(&before).all(|(after, before)| after > before), "both have done it");
    process.rprotect(second, 1, mneme_clib::Rights::READ_ONLY).unwrap();
    assert!(process.rwrite(second, b"x").is_err() && process.rwrite(first, b"x").is_ok());
    process.rfree(second).unwrap();
    assert!(process.rread(second, &mut [0]).is_err());
    let open = || client.lanes().iter().map(processes).collect::<Vec<_>>();
    assert_eq!(open(), [1, 1]);
    process.exit().unwrap();
    assert_eq!(open(), [0, 0], "it has ended on both");
}

fn processes(lane: &mneme_clib::Lane) -> u64 {
    lane.board_counters().unwrap().node(mneme_clib::NodeCounter::Processes)
}

#[test]
fn one_address_space_on_software_boards() {
    one_address_space::<Soft>();
}
#[test]
fn one_address_space_on_rtl_boards() {
    one_address_space::<Rtl>();
}

#[test]
fn allocations_go_to_the_freer_board_and_to_the_other_when_it_is_full() {
    let pair = Pair::<Soft>::start();
    let client = pair.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let megabytes = |mb: u64, lane| {
        let asked = AllocOptions { lane, own_pages: true, ..AllocOptions::default() };
        process.ralloc_with(mb << 20, asked)
    };
    megabytes(128, Some(0)).unwrap();
    let lanes: Vec<usize> = (0..16).map(|_| process.lane_of(megabytes(4, None).unwrap())).collect();
    assert_eq!(lanes, [1; 16], "the first board has half of its memory given away");
    // More than either has pages for together: both are filled, and only then there is no more.
    let (mut counts, mut refused) = ([0, 0], None);
    for _ in 0..200 {
        match megabytes(32, None) {
            Ok(va) => counts[process.lane_of(va)] += 1,
            Err(error) => {
                refused = Some(error);
                break;
            }
        }
    }
    assert!(matches!(refused, Some(Error::OutOfMemory { .. } | Error::Quota { .. })), "{refused:?}");
    assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
    assert!(matches!(megabytes(1, Some(2)), Err(Error::NoSuchLane(2))));
    process.exit().unwrap();
}

#[test]
fn a_process_may_have_some_of_the_boards() {
    let pair = Pair::<Soft>::start();
    let client = pair.client();
    let alone = client.open(OpenOptions { lanes: LaneSet::only(1), ..OpenOptions::default() }).unwrap();
    let va = alone.ralloc(8).unwrap();
    assert_eq!(alone.lane_of(va), 1);
    assert!(matches!(alone.ralloc_with(8, on(0)), Err(Error::NoSuchLane(0))));
    // Its number is taken on the second board, so a process of both has another one there.
    let both = client.open(OpenOptions::default()).unwrap();
    let pids: Vec<u32> = both.memberships().iter().map(|member| member.pid).collect();
    assert_eq!((pids[0], alone.pid()), (1, 1));
    assert_ne!(pids[1], 1);
    let (here, there) = (both.ralloc_with(8, on(0)).unwrap(), both.ralloc_with(8, on(1)).unwrap());
    both.rwrite_batch(&[WritePart { va: here, from: b"here" }, WritePart { va: there, from: b"there" }])
        .unwrap();
    assert_eq!((&read(&both, here, 4)[..], &read(&both, there, 5)[..]), (&b"here"[..], &b"there"[..]));
    let none = client.open(OpenOptions { lanes: LaneSet::only(7), ..OpenOptions::default() });
    assert!(matches!(none, Err(Error::NoSuchLane(7))));
    let some = OpenOptions { lanes: LaneSet::only(0).and(5), ..OpenOptions::default() };
    assert!(matches!(client.open(some), Err(Error::NoSuchLane(5))));
    assert!(matches!(client.add_lane(pair.driver(0)), Err(Error::SameBoard { lane: 0, .. })));
    assert!(client.lane(2).is_err() && client.lanes().len() == 2);
    // Who lacks a board cannot join.
    let poor = pair.client_of(0);
    assert!(matches!(poor.join_all(&both.memberships()), Err(Error::UnknownBoard(2))));
    alone.exit().unwrap();
    both.exit().unwrap();
}

/// What three clients do to shared words while their page moves, and comes back as another page goes.
struct Moving<'p, K: BoardKind> {
    pair: &'p Pair<K>,
    process: Process,
    page: u64,
    /// Of the second board.
    epoch: u8,
    destination: Process,
}

impl<'p, K: BoardKind> Moving<'p, K> {
    fn start(pair: &'p Pair<K>) -> Self {
        let client = pair.client();
        let process = client.open(OpenOptions::default()).unwrap();
        let membership = process.memberships()[1];
        assert_eq!(membership.pid, process.pid(), "as a controller gives pids");
        let destination = pair.client_of(1).join(membership.pid, membership.token).unwrap();
        let epoch = client.lane(1).unwrap().board().epoch;
        let page = process.ralloc_with(3 << pair.page_bits(), on(0)).unwrap();
        Moving { pair, process, page, epoch, destination }
    }
    fn join(&self) -> Process {
        self.pair.client().join_all(&self.process.memberships()).unwrap()
    }
}

fn pages_move_under_three_clients<K: BoardKind>(rounds: u64) {
    let pair = Pair::<K>::start();
    let moving = Moving::start(&pair);
    let (page, size) = (moving.page, 1u64 << pair.page_bits());
    // A counter, a lock with what it guards on another page, and a block across the border of two pages.
    let (counter, lock, guarded, block) = (page + 64, page + 128, page + size + 1024, page + size - 96);
    let stop = AtomicBool::new(false);
    let total: u64 = thread::scope(|scope| {
        let workers: Vec<_> = (0..3u64)
            .map(|number| {
                let (process, stop) = (moving.join(), &stop);
                scope.spawn(move || {
                    let mut done = 0;
                    let mut last = 0;
                    while done < rounds || !stop.load(Ordering::Relaxed) && done < 50 * rounds {
                        let old = process.fetch_add(counter, 1).unwrap();
                        assert!(done == 0 || old > last, "{old} came after {last}");
                        last = old;
                        let token = process.rlock(lock, LockOptions::within(Duration::from_secs(2))).unwrap();
                        let mut word = [0; 8];
                        process.rread(guarded, &mut word).unwrap();
                        process.rwrite(guarded, &(u64::from_le_bytes(word) + 1).to_le_bytes()).unwrap();
                        process.runlock(token).unwrap();
                        if number == 0 {
                            let bytes = pattern(done, 192);
                            process.rwrite(block, &bytes).unwrap();
                            assert_eq!(read(&process, block, 192), bytes, "across the pages' border");
                        }
                        done += 1;
                    }
                    done
                })
            })
            .collect();
        for (row, va) in [(5, page), (6, page + size)] {
            moving.pair.move_page(&moving.process, &moving.destination, va, row, moving.epoch);
        }
        stop.store(true, Ordering::Relaxed);
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    let fresh = moving.join();
    assert_eq!(fresh.fetch_add(counter, 0).unwrap(), total, "each increment once, on one of the boards");
    assert_eq!(read(&fresh, guarded, 8), total.to_le_bytes(), "the lock kept others out");
    assert_eq!([fresh.lane_of(page), fresh.lane_of(page + size), fresh.lane_of(page + 2 * size)], [1, 1, 0]);
    let moved = moving.destination.fetch_add(counter, 0).unwrap();
    assert_eq!(moved, total, "it is on the second board");
    // What has moved is freed and ended there, too.
    fresh.rfree(page).unwrap();
    moving.process.exit().unwrap();
}

#[test]
fn pages_move_under_three_clients_on_software_boards() {
    pages_move_under_three_clients::<Soft>(200);
}
#[test]
fn pages_move_under_three_clients_on_rtl_boards() {
    pages_move_under_three_clients::<Rtl>(4);
}

#[test]
fn boards_that_send_a_client_to_and_fro_end_its_call() {
    let pair = Pair::<Soft>::start();
    let moving = Moving::start(&pair);
    let page = moving.page;
    pair.move_page(&moving.process, &moving.destination, page, 1, moving.epoch);
    let epoch = pair.client_of(0).board().epoch;
    pair.send_back(moving.process.pid(), page, 2, epoch);
    let process = moving.join();
    let error = process.fetch_add(page, 1).unwrap_err();
    assert!(matches!(error.reason(), Some(Reason::Moved { to: Some(_), .. })), "{error}");
    assert_eq!(error.effect(), Effect::None);
    // Others go on.
    process.rwrite(page + (1 << pair.page_bits()), b"still here").unwrap();
}

#[test]
fn a_client_that_lacks_the_new_board_is_told_its_address() {
    let pair = Pair::<Soft>::start();
    let moving = Moving::start(&pair);
    moving.process.rwrite(moving.page, b"before").unwrap();
    pair.move_page(&moving.process, &moving.destination, moving.page, 1, moving.epoch);
    let alone = pair.client_of(0);
    let joined = alone.join(moving.process.pid(), moving.process.token()).unwrap();
    let error = joined.rread(moving.page, &mut [0; 6]).unwrap_err();
    assert_eq!(error.id().to_string(), "MNM-0035");
    assert!(error.to_string().contains("10.77.0.2:19790"), "{error}");
    // With it, the same process finds its memory, though it never joined there: pids are the same everywhere.
    alone.add_lane(pair.driver(1)).unwrap();
    assert_eq!(read(&joined, moving.page, 6), b"before");
}

#[test]
fn one_board_restarts_and_the_others_memory_stays() {
    let stays = Udp::<Soft>::start(Config::Small);
    let goes = Udp::<Soft>::start_with(Setup { config: Config::Small, ..Setup::default() });
    let address = goes.address();
    let client = stays.client();
    client.add_lane(goes.driver()).unwrap();
    let process = client.open(OpenOptions::default()).unwrap();
    let (kept, lost) = (process.ralloc_with(8, on(0)).unwrap(), process.ralloc_with(8, on(1)).unwrap());
    process.rwrite(kept, b"kept").unwrap();
    drop(goes);
    let again =
        Udp::<Soft>::start_with(Setup { config: Config::Small, address, seed: 9, ..Setup::default() });
    let error = process.rread(lost, &mut [0]).unwrap_err();
    assert!(error.is_restart(), "{error}");
    assert_eq!(read(&process, kept, 4), b"kept");
    // The session goes on: a new process is on both again, with or without another driver.
    for _ in 0..2 {
        let next = client.open(OpenOptions::default()).unwrap();
        let va = next.ralloc_with(8, on(1)).unwrap();
        next.rwrite(va, b"anew").unwrap();
        assert_eq!(read(&next, va, 4), b"anew");
        client.reconnect(1, again.driver()).unwrap();
        assert_eq!(read(&next, va, 4), b"anew", "the process is the same through another driver");
        next.exit().unwrap();
    }
    assert!(process.exit().is_err(), "one part of it was gone before");
}

#[test]
fn a_board_that_is_gone_holds_up_no_calls_to_another_one() {
    let stays = Udp::<Soft>::start(Config::Small);
    let goes = Udp::<Soft>::start(Config::Small);
    let client = stays.client();
    client.add_lane(goes.driver()).unwrap();
    let process = client.open(OpenOptions::default()).unwrap();
    let (here, there) = (process.ralloc_with(8, on(0)).unwrap(), process.ralloc_with(8, on(1)).unwrap());
    process.rwrite(there, b"there").unwrap();
    drop(goes);
    let lost = process.rread_owned_async(there, vec![0; 8]);
    for round in 0..1_000u64 {
        process.rwrite(here, &round.to_le_bytes()).unwrap();
        assert_eq!(read(&process, here, 8), round.to_le_bytes());
    }
    let error = lost.cancel().unwrap_err();
    assert_eq!((error.error.reason(), error.buffer.len()), (Some(Reason::Cancelled), 8));
    let hurried = process.within(Duration::from_millis(20));
    let error = hurried.rwrite(there, b"lost").unwrap_err();
    assert!(error.is_deadline(), "{error}");
    if error.effect() == Effect::Possible {
        // Nobody knows whether that is still executed: what is new waits for that, here too, and not for ever.
        let error = hurried.rread(here, &mut [0]).unwrap_err();
        assert!(error.is_deadline() && error.effect() == Effect::None, "{error}");
    } else {
        // The rounds took so long that a write asks for the board's time first: it never left, and holds up nothing.
        assert_eq!(read(&process, here, 8), 999u64.to_le_bytes());
    }
}
