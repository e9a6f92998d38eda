//! Pages of 4 KB on a served board: clients of the library, native RDMA clients and ODRP's clients meet in the same words, under the
//! same rights and quotas, and leave nothing behind.
use std::time::{Duration, Instant};

use mneme_clib::driver::UdpOptions;
use mneme_clib::{AllocOptions, Client, ClientOptions, Error, OpenOptions, Process, Rights, UdpDriver};
use mneme_model::BoardShape;
use mneme_rdma::client::{FreeRange, Unstored};
use mneme_rdma::cm::{Ask, ConnectError, Refusal};
use mneme_rdma::codec::Nak;
use mneme_rdma::memory::Access;
use mneme_rdma::node::{FRAME, ReplyOptions};
use mneme_rdma::requester::Failure;
use mneme_rdma::udp::{ChainConnection, ChainOptions, ClientError, NativeClient};
use mneme_tests::chain::{ended, invalidate, load, page, store};
use mneme_tests::faulty::{Faults, FaultyDriver};
use mneme_tests::frames::{ask, frames, meet};
use mneme_tests::native::{done, native_read, native_write, statistics};
use mneme_tests::served::{Made, RdmaBoard};
use mneme_tests::suite::{pattern, read};
use mneme_wire::{Cause, Status};

const PAGE: usize = FRAME as usize;
const MB: u64 = 1 << 20;
const MADE: fn() -> Made = || Made { shape: BoardShape::RDMA, ..Made::default() };

fn refusal(result: Result<(), Error>) -> (Status, Cause) {
    result.expect_err("refused").refusal().expect("by the board")
}

#[test]
fn clients_of_three_kinds_meet_in_the_same_words() {
    let mut board = RdmaBoard::start(MADE());
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(2 * MB, frames(0)).expect("alloc");
    let at = |page: u64| va + page * FRAME;
    let mut native = board.rdma(ask(&process, va, 2 * MB)).expect("a connection");
    let mut chain =
        board.chain(ask(&process, va, 2 * MB), ChainOptions::default()).expect("four connections");
    assert_eq!((chain.table().entries, chain.connected()[0].granted.va), (512, va));
    meet(&process, &mut native, &mut chain, va);
    // A page that nobody wrote is zeros and takes no frame.
    assert_eq!(read(&process, at(7), PAGE), vec![0; PAGE]);
    assert_eq!(native_read(&mut native, at(7), PAGE), vec![0; PAGE]);
    let counted = statistics(&mut board, &process);
    assert_eq!((counted("frames in use"), counted("segments"), counted("chain connections")), (3, 1, 4));
    // Across pages and board pages, some of them new.
    let long = pattern(9, 20_000);
    process.rwrite(at(254) - 77, &long).expect("written");
    assert_eq!(native_read(&mut native, at(254) - 77, long.len()), long);
    native_write(&mut native, at(255) + 13, &long).expect("written");
    assert_eq!(read(&process, at(255) + 13, long.len()), long);
    // One word, whose page both take at the same time; each addition counts once.
    const ADDS: u64 = 100;
    std::thread::scope(|scope| {
        scope.spawn(|| (0..ADDS).for_each(|_| assert!(process.fetch_add(at(6) + 8, 1).is_ok())));
        for _ in 0..ADDS {
            native.native.fetch_add(at(6) + 8, 1000).expect("posted");
            assert_eq!(done(&mut native).result, Ok(()));
        }
    });
    assert_eq!(process.compare_swap(at(6) + 8, ADDS * 1001, 7).expect("swapped"), ADDS * 1001);
    assert_eq!(load(&mut chain, 6)[8..16], 7u64.to_le_bytes());
    // What one gives up is zeros for all.
    assert_eq!(invalidate(&mut chain, 3), Ok(()));
    native.native.free(&[FreeRange { va: at(4), pages: 3 }]).expect("posted");
    assert_eq!(done(&mut native).result, Ok(()));
    for number in 3..7 {
        assert_eq!(read(&process, at(number), PAGE), vec![0; PAGE]);
        assert_eq!(native_read(&mut native, at(number), PAGE), vec![0; PAGE]);
    }
    chain.chain.load(5).expect("sent");
    let refused = Err(Unstored::Ended(Failure::Refused(Nak::RemoteAccess)));
    assert_eq!(ended(&mut chain).result, refused, "a load of a page that somebody gave up");
    let counted = statistics(&mut board, &process);
    // Two have asked, perhaps within a second.
    assert!((1..=2).contains(&counted("audits")), "{} audits", counted("audits"));
    assert_eq!(counted("audits that found something wrong"), 0);
    assert_eq!(counted("frames given up"), 4);
    process.rfree(va).expect("freed");
    drop((native, chain));
    let (counted, audit) = board.end_audited();
    assert_eq!((counted("segments"), counted("frames in use"), audit.mapped), (0, 0, 0));
}

#[test]
fn rights_are_the_same_by_every_door() {
    let mut board = RdmaBoard::start(MADE());
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(2 * MB, frames(0)).expect("alloc");
    process.rwrite(va, b"before").expect("written");
    let mut native = board.rdma(ask(&process, va, 2 * MB)).expect("a connection");
    let mut chain =
        board.chain(ask(&process, va, 2 * MB), ChainOptions::default()).expect("four connections");
    let part = process.rprotect(va, MB, Rights::READ_ONLY);
    assert_eq!(refusal(part), (Status::BadRequest, Cause::Length), "frames have one set of rights");
    process.rprotect(va, 2 * MB, Rights::READ_ONLY).expect("protected");
    // Reads go on, what would change something is refused.
    assert_eq!(native_read(&mut native, va, 6), b"before");
    assert_eq!(load(&mut chain, 0)[..6], *b"before");
    assert_eq!(refusal(process.rwrite(va, b"after")), (Status::Denied, Cause::Rights));
    assert_eq!(refusal(process.fetch_add(va, 1).map(drop)), (Status::Denied, Cause::Rights));
    let denied = Failure::Refused(Nak::RemoteAccess);
    assert_eq!(native_write(&mut native, va, b"after"), Err(denied));
    assert_eq!(store(&mut chain, 0, &page(1)), Err(Unstored::Ended(denied)));
    let mut native = board.rdma(ask(&process, va, 2 * MB)).expect("a connection");
    native.native.free(&[FreeRange { va, pages: 1 }]).expect("posted");
    assert_eq!(done(&mut native).result, Err(denied), "nothing is given up");
    assert_eq!(read(&process, va, 6), b"before");
    process.rprotect(va, 2 * MB, Rights::READ_WRITE).expect("protected");
    process.rwrite(va, b"after!").expect("written");
    // A connection may ask for less than its process has; it gives up nothing outside of its range either.
    let less = Ask { access: Access::READ, ..ask(&process, va, MB) };
    let mut reader = board.rdma(less).expect("a connection");
    assert_eq!(native_read(&mut reader, va, 6), b"after!");
    assert!(matches!(
        board.chain(less, ChainOptions::default()),
        Err(ClientError::Connect(ConnectError::Refused(Refusal::Range)))
    ));
    // Another process reaches nothing of it.
    let other = client.open(OpenOptions::default()).expect("open");
    let refused = |made: Result<NativeClient, ClientError>| match made {
        Err(ClientError::Connect(ConnectError::Refused(refusal))) => refusal,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(board.rdma(ask(&other, va, MB))), Refusal::Range);
    assert_eq!(refused(board.rdma(ask(&process, va + MB, 2 * MB))), Refusal::Range, "past its end");
    let pages = process.ralloc(MB).expect("alloc");
    assert_eq!(refused(board.rdma(ask(&process, pages, MB))), Refusal::Range, "board pages");
    assert_eq!(refusal(other.rwrite(va, b"other")).0, Status::Unmapped);
    let (counted, audit) = board.end_audited();
    assert!(counted("accesses against a segment's rights refused") >= 3);
    assert_eq!(audit.private, 0);
}

#[test]
fn quotas_are_the_same_by_every_door() {
    let made = Made { configure: |config| config.limits.tenant_pages = Some(6), ..MADE() };
    let mut board = RdmaBoard::start(made);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    // Addresses are free of charge, frames are not.
    assert!(matches!(process.ralloc_with(7 * MB, frames(0)), Err(Error::Quota { .. })));
    let va = process.ralloc_with(32 * MB, frames(4 * FRAME)).expect("a page's worth of frames at most");
    assert!(matches!(process.ralloc_with(6 * MB, AllocOptions::default()), Err(Error::Quota { .. })));
    let pages = process.ralloc(5 * MB).expect("what is left");
    process.rfree(pages).expect("freed");
    let at = |page: u64| va + page * FRAME;
    let mut native = board.rdma(ask(&process, va, 32 * MB)).expect("a connection");
    let replies = ReplyOptions { tell_empty: true, ..ReplyOptions::default() };
    let options = ChainOptions { replies, ..ChainOptions::default() };
    let mut chain = board.chain(ask(&process, va, 32 * MB), options).expect("four connections");
    process.rwrite(at(0), &page(0)).expect("written");
    native_write(&mut native, at(1000), &page(1)).expect("written");
    native_write(&mut native, at(2000) + 8, b"part").expect("written");
    store(&mut chain, 3000, &page(3)).expect("stored");
    // That was all, for whoever asks.
    assert_eq!(refusal(process.rwrite(at(4), b"more")), (Status::Quota, Cause::QuotaPages));
    assert_eq!(store(&mut chain, 4, &page(4)), Err(Unstored::Empty));
    assert!(matches!(native_write(&mut native, at(4), &page(4)), Err(Failure::NeverReady(_))));
    // What is there may still be written, and one that is given up is anybody's.
    process.rwrite(at(3000), b"over").expect("written");
    let mut native = board.rdma(ask(&process, va, 32 * MB)).expect("a connection");
    native.native.free(&[FreeRange { va: at(2000), pages: 1 }]).expect("posted");
    assert_eq!(done(&mut native).result, Ok(()));
    store(&mut chain, 4, &page(4)).expect("stored");
    assert_eq!(read(&process, at(4), PAGE), page(4));
    let counted = statistics(&mut board, &process);
    assert_eq!((counted("frames in use"), counted("stores told not stored")), (4, 1));
    assert!(counted("frames wanted beyond a budget") > 1);
    assert_eq!(counted("frames given by the slow path"), 256, "one board page does");
    let (_, audit) = board.end_audited();
    assert_eq!((audit.mapped, audit.ring), (4, 252));
}

/// All memory is somebody else's: the ring is empty until that one gives some back.
#[test]
fn a_write_waits_for_a_frame_and_is_served_when_the_ring_is_filled() {
    let shape = BoardShape::RDMA.with_memory(32 << 20).expect("a shape");
    let made = Made { shape, configure: |config| config.limits.overcommit = true, ..MADE() };
    let mut board = RdmaBoard::start(made);
    let client = board.client();
    let other = client.open(OpenOptions::default()).expect("open");
    let mut taken = Vec::new();
    // Page by page, until there is none.
    loop {
        let va = other.ralloc_with(MB, AllocOptions { own_pages: true, ..AllocOptions::default() });
        let va = va.expect("addresses are there");
        if let Err(error) = other.rwrite(va, b"mine") {
            assert_eq!(error.refusal(), Some((Status::NoMemory, Cause::None)), "{error}");
            break;
        }
        taken.push(va);
    }
    assert!(taken.len() >= 28, "{} pages", taken.len());
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(MB, frames(0)).expect("alloc");
    assert_eq!(refusal(process.rwrite(va, b"none")), (Status::NoMemory, Cause::None));
    assert_eq!(read(&process, va, 8), [0; 8], "a read needs no frame");
    let mut native = board.rdma(ask(&process, va, MB)).expect("a connection");
    native.native.write(va + FRAME, page(1).to_vec(), None, false).expect("posted");
    let until = Instant::now() + Duration::from_millis(40);
    while Instant::now() < until {
        native.poll(Duration::from_millis(5)).expect("the socket works");
        assert!(native.native.poll_done().is_none(), "there is no frame");
    }
    other.rfree(taken[0]).expect("freed");
    assert_eq!(done(&mut native).result, Ok(()), "served as soon as there is one");
    assert!(native.native.seen().not_ready > 0);
    assert_eq!(read(&process, va + FRAME, PAGE), page(1));
    let (counted, audit) = board.end_audited();
    assert!(counted("frames wanted of an empty ring") > 0);
    assert_eq!((audit.mapped, audit.ring), (1, 255));
}

#[test]
fn a_killed_client_leaves_nothing() {
    let mut board = RdmaBoard::start(MADE());
    let client = board.client();
    let watcher = client.open(OpenOptions::default()).expect("open");
    let lease = OpenOptions { lease: Some(Duration::from_secs(5)), ..OpenOptions::default() };
    // One whose thread does not keep its leases: as if it were no more.
    let driver = UdpDriver::connect(board.address).expect("a socket");
    let driver = FaultyDriver::new(driver, Faults::default(), 1).standing_still();
    let killed = Client::connect(driver, ClientOptions::default()).expect("the board answers");
    let process = killed.open(lease).expect("open");
    let va = process.ralloc_with(8 * MB, frames(0)).expect("alloc");
    let mut native = board.rdma(ask(&process, va, 8 * MB)).expect("a connection");
    let mut chain =
        board.chain(ask(&process, va, 8 * MB), ChainOptions::default()).expect("four connections");
    for number in 0..300 {
        native_write(&mut native, va + number * FRAME, &page(number)).expect("written");
    }
    store(&mut chain, 700, &page(1)).expect("stored");
    // A load whose reply nobody acknowledges, and a WRITE that nobody ends.
    chain.chain.learn(0, true).expect("no request of it");
    chain.chain.load(0).expect("sent");
    chain.poll(Duration::ZERO).expect("the socket works");
    native.native.write(va + 800 * FRAME, pattern(1, 3 * PAGE), None, false).expect("posted");
    native.poll(Duration::ZERO).expect("the socket works");
    // Nothing more is heard of it: no end of its connections, nor of its process.
    std::mem::forget((native, chain, process, killed));
    let until = Instant::now() + Duration::from_secs(40);
    loop {
        let counted = statistics(&mut board, &watcher);
        assert_eq!(counted("audits that found something wrong"), 0);
        let left = ["segments", "frames in use", "frames given by the slow path", "chain connections"];
        if left.iter().all(|name| counted(name) == 0) {
            break;
        }
        assert!(Instant::now() < until, "{:?}", left.map(|name| (name, counted(name))));
        std::thread::sleep(Duration::from_millis(100));
    }
    let (counted, audit) = board.end_audited();
    // The load's may end by itself before, as nobody acknowledges its replies.
    let by_error = counted("connections ended by an error");
    assert_eq!(counted("connections ended with their process") + by_error, 5);
    assert!(by_error <= 1, "{by_error} ended by an error");
    assert_eq!(audit, mneme_rdma::node::Audit::default());
}

/// Two chain clients and a native one do what they want with the same few pages.
#[test]
fn stores_and_frees_of_the_same_page_race_without_losing_a_frame() {
    let mut board = RdmaBoard::start(MADE());
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(MB, frames(0)).expect("alloc");
    let mut native = board.rdma(ask(&process, va, MB)).expect("a connection");
    let mut chains: Vec<ChainConnection> = (0..2)
        .map(|_| board.chain(ask(&process, va, MB), ChainOptions::default()).expect("four connections"))
        .collect();
    std::thread::scope(|scope| {
        for (own, chain) in chains.iter_mut().enumerate() {
            scope.spawn(move || {
                for round in 0..150u64 {
                    let number = (round % 3) as u32;
                    // As if nobody had stored it: it may be the other's, or have none by now.
                    chain.chain.learn(number, false).expect("no request of it");
                    store(chain, number, &page(2 * round + own as u64)).expect("stored");
                }
            });
        }
        for _ in 0..150 {
            native.native.free(&[FreeRange { va, pages: 3 }]).expect("posted");
            assert_eq!(done(&mut native).result, Ok(()));
        }
    });
    let counted = statistics(&mut board, &process);
    assert_eq!(counted("audits that found something wrong"), 0);
    let used = counted("frames in use");
    let stored = counted("chain stores into unmapped pages");
    assert_eq!(stored - counted("frames given up"), used, "each frame that was taken is used or free");
    assert_eq!(stored + counted("chain stores into mapped pages"), 300);
    let (_, audit) = board.end_audited();
    assert_eq!(audit.mapped as u64, used);
}

#[test]
fn a_board_without_a_leaf_unit_says_so() {
    let mut board = RdmaBoard::start(Made::default());
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let error = process.ralloc_with(MB, frames(0)).expect_err("refused");
    assert_eq!(error.refusal(), Some((Status::Unsupported, Cause::Split)));
    let va = process.ralloc(MB).expect("alloc");
    let made = board.rdma(ask(&process, va, MB));
    assert!(matches!(made, Err(ClientError::Connect(ConnectError::Refused(Refusal::Kind)))), "{made:?}");
    let (_, audit) = board.end_audited();
    assert_eq!(audit, mneme_rdma::node::Audit::default());
}

/// A tenant writes all that it may, frees it, and has kept one frame in each board page: these come back for nobody, and it is charged
/// for them.
#[test]
fn pages_that_a_tenant_scatters_are_charged_to_it() {
    let shape = BoardShape::RDMA.with_memory(64 << 20).expect("a shape");
    let mut board = RdmaBoard::start(Made { shape, ..MADE() });
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let usable = client.board().memory / MB;
    let reserve = usable / 16;
    let large = usable - reserve - 1;
    let own = scatter(&process, large);
    let counted = statistics(&mut board, &process);
    assert!(counted("frames given by the slow path") / 256 >= large, "no page is free");
    let more = process.ralloc((reserve - 1) * MB);
    assert_eq!(refusal(more.map(drop)), (Status::NoMemory, Cause::Capacity));
    // A tenant that comes now finds what is kept for it, and can write all of it.
    let local = mneme_tests::served::address(board.number, 9);
    let driver = UdpDriver::connect_from((local, 0).into(), board.address, UdpOptions::default());
    let newcomer = Client::connect(driver.expect("a socket"), ClientOptions::default()).expect("it answers");
    let other = newcomer.open(OpenOptions::default()).expect("open");
    let va = other.ralloc(reserve * MB).expect("what is kept for a newcomer");
    for page in 0..reserve {
        other.rwrite(va + page * MB, b"mine").expect("there is memory");
    }
    // The pages come back with the last frames in them.
    process.rfree(own).expect("freed");
    let until = Instant::now() + Duration::from_secs(20);
    while let Err(error) = process.ralloc((large - 2 * reserve) * MB) {
        assert!(Instant::now() < until, "{error}");
        std::thread::sleep(Duration::from_millis(20));
    }
    let (counted, audit) = board.end_audited();
    assert_eq!((counted("segments"), audit.mapped), (0, 0));
}

#[test]
fn a_quota_holds_for_pages_that_are_scattered() {
    const QUOTA: u64 = 20;
    let made = Made { configure: |config| config.limits.tenant_pages = Some(QUOTA), ..MADE() };
    let mut board = RdmaBoard::start(made);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let pages = |board: &mut RdmaBoard| statistics(board, &process)("frames given by the slow path") / 256;
    let own = scatter(&process, QUOTA - 1);
    let given = pages(&mut board);
    assert!((QUOTA - 1..=QUOTA + 1).contains(&given), "{given} pages");
    let more = process.ralloc(4 * MB);
    assert_eq!(refusal(more.map(drop)), (Status::Quota, Cause::QuotaPages));
    // New frames use the free ones.
    let va = process.ralloc_with((QUOTA - 1) * MB, frames(0)).expect("they are there");
    for page in 0..(QUOTA - 1) * 256 {
        process.rwrite(va + page * FRAME, b"again").expect("written");
    }
    let given = pages(&mut board);
    assert!(given <= QUOTA + 1, "{given} pages");
    process.rfree(va).expect("freed");
    process.rfree(own).expect("freed");
    let until = Instant::now() + Duration::from_secs(20);
    while let Err(error) = process.ralloc(QUOTA * MB) {
        assert!(Instant::now() < until, "{error}");
        std::thread::sleep(Duration::from_millis(20));
    }
    let (counted, audit) = board.end_audited();
    assert_eq!((counted("segments"), audit.mapped), (0, 0));
}

/// Writes so many board pages of frames, with a frame of another range behind every 255, and frees them. Answers that other range.
fn scatter(process: &Process, pages: u64) -> u64 {
    let va = process.ralloc_with(pages * MB, frames(0)).expect("alloc");
    let other = process.ralloc_with(MB, frames(0)).expect("alloc");
    let mut written = 0;
    for page in 0..pages * 256 {
        process.rwrite(va + page * FRAME, b"mine").expect("written");
        if page % 255 == 254 {
            process.rwrite(other + written * FRAME, b"mine too").expect("written");
            written += 1;
        }
    }
    process.rfree(va).expect("freed");
    other
}
