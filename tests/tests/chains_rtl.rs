//! ODRP's chains on a served board of RTL, whose port serves them itself: their clients, native ones and clients of the library meet in the
//! same pages of 4 KB, under the same rights and quotas, and leave nothing behind.
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use mneme_clib::{OpenOptions, Process, Rights};
use mneme_daemon::rdma::SILENT;
use mneme_rdma::client::{FreeRange, Unstored};
use mneme_rdma::cm::{Ask, ChainAsk, ConnectConfig, ConnectError, Connected, Connector, Kind, Refusal};
use mneme_rdma::codec::profile::{Arguments, Chain, Profile};
use mneme_rdma::codec::{Nak, PathMtu, Psn};
use mneme_rdma::memory::Access;
use mneme_rdma::node::{FRAME, NoMemory, ReplyOptions};
use mneme_rdma::requester::{Failure, Operation, Work};
use mneme_rdma::responder::{Limits, Responder};
use mneme_rdma::udp::{
    ChainConnection, ChainOptions, ClientError, Connection, Exchange, Management, NativeClient, RocePort,
};
use mneme_tests::chain::{ended, invalidate, load, page, store};
use mneme_tests::frames::{ask, frames, meet};
use mneme_tests::native::{done, native_read, statistics};
use mneme_tests::served::{RdmaBoard, address};
use mneme_tests::suite::{pattern, read};
use mneme_wire::chain::CHAIN_QPN_BIT;

const PAGE: usize = FRAME as usize;
const MB: u64 = 1 << 20;
const DENIED: Result<(), Unstored> = Err(Unstored::Ended(Failure::Refused(Nak::RemoteAccess)));

fn refused(made: Result<ChainConnection, ClientError>) -> Refusal {
    match made {
        Err(ClientError::Connect(ConnectError::Refused(refusal))) => refusal,
        other => panic!("{other:?}"),
    }
}
/// Waits until something holds that the board does by and by.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(40);
    while !holds() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Rounds of what the three do at the same time.
const ROUNDS: u64 = 40;

/// Two add to one word and a chain stores and loads the next page, all at the same time: no addition is lost, and the chain sees whole
/// pages.
fn at_once(process: &Process, native: &mut NativeClient, chain: &mut ChainConnection, va: u64) {
    let word = va + 6 * FRAME + 8;
    std::thread::scope(|scope| {
        scope.spawn(|| (0..ROUNDS).for_each(|_| assert!(process.fetch_add(word, 1).is_ok())));
        scope.spawn(|| {
            for _ in 0..ROUNDS {
                native.native.fetch_add(word, 1000).expect("posted");
                assert_eq!(done(native).result, Ok(()));
            }
        });
        for round in 0..ROUNDS {
            store(chain, 7, &page(round)).expect("stored");
            assert_eq!(load(chain, 7), page(round));
        }
    });
    assert_eq!(process.compare_swap(word, ROUNDS * 1001, 7).expect("swapped"), ROUNDS * 1001);
    assert_eq!(load(chain, 6)[8..16], 7u64.to_le_bytes());
}

#[test]
fn clients_of_three_kinds_meet_in_the_same_words_of_the_rtl() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(2 * MB, frames(0)).expect("alloc");
    let at = |page: u64| va + page * FRAME;
    let mut native = board.rdma(ask(&process, va, 2 * MB)).expect("a connection");
    let mut chain =
        board.chain(ask(&process, va + MB, MB), ChainOptions::default()).expect("four connections");
    assert_eq!((chain.table().entries, chain.connected()[0].granted.va), (512, va), "all of the segment");
    assert!(chain.connected().iter().all(|own| own.qpn & CHAIN_QPN_BIT != 0));
    assert_eq!(native.connected().qpn & CHAIN_QPN_BIT, 0);
    meet(&process, &mut native, &mut chain, va);
    let counted = statistics(&mut board, &process);
    assert_eq!((counted("frames in use"), counted("segments"), counted("chain connections")), (3, 1, 4));
    at_once(&process, &mut native, &mut chain, va);
    // What one gives up is zeros for all.
    assert_eq!(invalidate(&mut chain, 3), Ok(()));
    native.native.free(&[FreeRange { va: at(4), pages: 3 }]).expect("posted");
    assert_eq!(done(&mut native).result, Ok(()));
    for number in 3..7 {
        assert_eq!(read(&process, at(number), PAGE), vec![0; PAGE]);
        assert_eq!(native_read(&mut native, at(number), PAGE), vec![0; PAGE]);
    }
    assert_eq!(statistics(&mut board, &process)("frames in use"), 1);
    chain.chain.load(5).expect("sent");
    assert_eq!(ended(&mut chain).result, DENIED, "a load of a page that somebody gave up");
    until("the load's connection ends by its error", || {
        statistics(&mut board, &process)("chain connections") == 3
    });
    process.rfree(va).expect("freed");
    until("the others end with the segment", || {
        let counted = statistics(&mut board, &process);
        (counted("connections"), counted("segments"), counted("frames in use")) == (1, 0, 0)
    });
    drop((native, chain));
    let counted = board.end();
    // Of page 7 the first store was one into an unmapped page, as was that of page 5.
    let stores = (counted("chain stores into unmapped pages"), counted("chain stores into mapped pages"));
    assert_eq!((stores, counted("chain loads")), ((2, ROUNDS), 3 + 1 + ROUNDS + 1));
    assert_eq!((counted("frames given up"), counted("loads and stores of unmapped pages refused")), (1, 1));
    assert_eq!(counted("memory denied"), 1);
}

/// Sixteen requests at a time over a table, what comes back is what was stored, and the library finds it.
#[test]
fn many_requests_of_chains_are_under_way_on_the_rtl() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(MB, frames(0)).expect("alloc");
    let mut chain = board.chain(ask(&process, va, MB), ChainOptions::default()).expect("four connections");
    const PAGES: u32 = 96;
    for round in 0..2 {
        let seed = |number: u32| u64::from(1000 * round + number);
        // Begun as long as there is room, ended in any order.
        let mut run = |begin: &mut dyn FnMut(&mut ChainConnection, u32)| {
            let (mut begun, mut over) = (0, Vec::new());
            while over.len() < PAGES as usize {
                while begun < PAGES && chain.chain.pending() < 16 {
                    begin(&mut chain, begun);
                    begun += 1;
                }
                let done = ended(&mut chain);
                assert_eq!(done.result, Ok(()), "page {}", done.page);
                over.push((done.page, done.bytes));
            }
            over
        };
        run(&mut |chain, number| {
            chain.chain.store(number, &page(seed(number))).expect("sent");
        });
        let loaded = run(&mut |chain, number| {
            chain.chain.load(number).expect("sent");
        });
        for (number, bytes) in loaded {
            assert!(bytes.as_deref() == Some(&page(seed(number))[..]), "page {number} in round {round}");
        }
        let all: Vec<u8> = (0..PAGES).flat_map(|number| page(seed(number))).collect();
        assert!(read(&process, va, all.len()) == all, "the library, round {round}");
    }
    for number in 0..PAGES {
        assert_eq!(invalidate(&mut chain, number), Ok(()));
    }
    let counted = statistics(&mut board, &process);
    assert_eq!((counted("frames in use"), counted("frames given up")), (0, PAGES.into()));
    let stores = (counted("chain stores into unmapped pages"), counted("chain stores into mapped pages"));
    assert_eq!(stores, (PAGES.into(), PAGES.into()));
    drop(chain);
    until("its client ends them", || statistics(&mut board, &process)("connections") == 1);
    assert_eq!(board.end()("connections ended by an error"), 0);
}

#[test]
fn rights_and_budgets_hold_for_chains_on_the_rtl() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(8 * MB, frames(4 * FRAME)).expect("a page's worth of frames at most");
    let at = |page: u64| va + page * FRAME;
    // Who may not have a connection, and is told why.
    let all = ask(&process, va, MB);
    assert_eq!(
        refused(board.chain(Ask { access: Access::READ, ..all }, ChainOptions::default())),
        Refusal::Range
    );
    let other = client.open(OpenOptions::default()).expect("open");
    assert_eq!(refused(board.chain(ask(&other, va, MB), ChainOptions::default())), Refusal::Range);
    let pages = process.ralloc(MB).expect("alloc");
    assert_eq!(refused(board.chain(ask(&process, pages, MB), ChainOptions::default())), Refusal::Range);
    let token = other.token();
    assert_eq!(refused(board.chain(Ask { token, ..all }, ChainOptions::default())), Refusal::Process);
    // Four frames; the fifth store is told so, as its client wants.
    let replies = ReplyOptions { tell_empty: true, ..ReplyOptions::default() };
    let options = ChainOptions { replies, ..ChainOptions::default() };
    let mut chain = board.chain(all, options).expect("four connections");
    process.rwrite(at(0), &page(0)).expect("written");
    for number in [1000, 2000, 3] {
        store(&mut chain, number, &page(number.into())).expect("stored");
    }
    assert_eq!(store(&mut chain, 4, &page(4)), Err(Unstored::Empty));
    assert_eq!(read(&process, at(4), PAGE), vec![0; PAGE]);
    store(&mut chain, 3, &page(5)).expect("what has a frame may still be written");
    assert_eq!(invalidate(&mut chain, 2000), Ok(()));
    store(&mut chain, 4, &page(4)).expect("what is given up is anybody's");
    assert_eq!(read(&process, at(3), 2 * PAGE), [page(5), page(4)].concat());
    let counted = statistics(&mut board, &process);
    assert_eq!((counted("frames in use"), counted("stores told not stored")), (4, 1));
    assert!(counted("frames wanted beyond a budget") > 0);
    // Rights of the segment: loads go on, what would change something is refused and ends its connection.
    process.rprotect(va, 8 * MB, Rights::READ_ONLY).expect("protected");
    assert_eq!(load(&mut chain, 0), page(0));
    assert_eq!(store(&mut chain, 0, &page(9)), DENIED);
    assert_eq!(invalidate(&mut chain, 0), DENIED);
    assert_eq!(load(&mut chain, 3), page(5));
    until("two connections end by their errors", || {
        statistics(&mut board, &process)("connections ended by an error") == 2
    });
    drop(chain);
    let counted = board.end();
    assert!(counted("accesses against a segment's rights refused") >= 2);
    assert_eq!(counted("memory denied"), 2);
}

/// Two chain clients and a native one do what they want with the same few pages.
#[test]
fn stores_and_frees_of_the_same_page_race_on_the_rtl() {
    let mut board = RdmaBoard::start_rtl(SILENT);
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
                for round in 0..ROUNDS {
                    let number = (round % 3) as u32;
                    // As if nobody had stored it: it may be the other's, or have none by now.
                    chain.chain.learn(number, false).expect("no request of it");
                    store(chain, number, &page(2 * round + own as u64)).expect("stored");
                }
            });
        }
        for _ in 0..ROUNDS {
            native.native.free(&[FreeRange { va, pages: 3 }]).expect("posted");
            assert_eq!(done(&mut native).result, Ok(()));
        }
    });
    let counted = statistics(&mut board, &process);
    let stored = (counted("chain stores into unmapped pages"), counted("chain stores into mapped pages"));
    assert_eq!(stored.0 + stored.1, 2 * ROUNDS);
    // Each page has what somebody stored there last, or nothing.
    let pages: Vec<Vec<u8>> = (0..3).map(|number| read(&process, va + number * FRAME, PAGE)).collect();
    let there = pages.iter().filter(|bytes| bytes.iter().any(|byte| *byte != 0)).count() as u64;
    for (number, bytes) in (0..).zip(&pages) {
        let seeds =
            (0..ROUNDS).filter(|round| round % 3 == number).flat_map(|round| [2 * round, 2 * round + 1]);
        let whole =
            seeds.into_iter().any(|seed| bytes[..] == page(seed)) || bytes.iter().all(|byte| *byte == 0);
        assert!(whole, "page {number} is a mixture");
    }
    assert_eq!(counted("frames in use"), there, "each frame that was taken is used or free");
    drop((native, chains));
    assert_eq!(board.end()("connections ended by an error"), 0);
}

/// A client whose messages are written by hand.
struct Hand {
    exchange: Exchange,
    board: Ipv4Addr,
    next: u32,
}

impl Hand {
    fn new(board: &RdmaBoard, host: u8) -> Hand {
        let port = RocePort::bind(address(board.number, host)).expect("a port");
        let exchange = Exchange::new(port, Responder::new(Limits::default()));
        Hand { exchange, board: *board.address.ip(), next: 0x300 }
    }
    /// Asks for a connection, and tells the board that it has come, or not (`ready`).
    fn connect(&mut self, ask: Ask, chain: Chain, ready: bool) -> Connected {
        self.next += 1;
        let config = ConnectConfig {
            source: self.exchange.port.address().octets(),
            board: self.board.octets(),
            qpn: self.next,
            from_board: Psn::default(),
            path_mtu: PathMtu::MAX,
            id: self.next,
            ask: Ask { kind: Kind::Chain(chain), ..ask },
            patience: 10_000_000_000,
        };
        let mut connector = Connector::of_chain(config, &ChainAsk::default_of(chain)).expect("a request");
        loop {
            if let Some(bytes) = connector.poll(self.exchange.now()).expect("the board answers") {
                self.exchange.send_management(Management { peer: self.board, bytes });
            }
            self.exchange.serve(&mut NoMemory).expect("the socket works");
            while let Some(came) = self.exchange.poll_management() {
                let Some((connected, bytes)) = connector.receive(&came.bytes).expect("an answer") else {
                    continue;
                };
                if ready {
                    self.exchange.send_management(Management { peer: self.board, bytes });
                }
                return connected;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    /// Sends one message by the connection that was made last; how it ended.
    fn send(&mut self, connected: &Connected, data: Vec<u8>) -> Result<(), Failure> {
        let Connected { qpn, starting_psn, .. } = *connected;
        let connection = Connection::new(self.next, self.board, qpn, Psn::default(), starting_psn);
        self.exchange.connect(&connection).expect("a queue pair");
        let requester = self.exchange.requester(self.next).expect("it asks");
        requester.post(Work::new(1, Operation::Send { data, immediate: None })).expect("posted");
        loop {
            self.exchange.serve(&mut NoMemory).expect("the socket works");
            let over = self.exchange.requester(self.next).and_then(|requester| requester.poll_completion());
            if let Some(done) = over {
                return done.result;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Who does not know the secret of a table, or names an entry that it does not have, changes nothing by any of the four functions.
#[test]
fn messages_without_the_secret_or_outside_the_table_reach_nothing_on_the_rtl() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(MB, frames(0)).expect("alloc");
    // The next segment's table lies behind: what is outside of one must not be in the other.
    let behind = process.ralloc_with(MB, frames(0)).expect("alloc");
    for at in [va, behind] {
        process.rwrite(at, &page(1)).expect("written");
        process.rwrite(at + MB - FRAME, &page(2)).expect("written");
    }
    let mut hand = Hand::new(&board, 14);
    let (mut wrong, mut outside) = (0, 0);
    for chain in Chain::ALL {
        for (key, address) in [
            (1, 0),
            (1 << 31, 0),
            (1 << 32, 0),
            (1 << 63, 0),
            (0, -8),
            (0, 8 * 256),
            (0, 1 << 40),
            (0, i64::MIN),
        ] {
            let connected = hand.connect(ask(&process, va, MB), chain, true);
            let table = connected.chain.expect("a table");
            let profile = Profile::default_of(chain);
            let mut message = vec![0; profile.message_len()];
            let arguments = Arguments {
                tt_addr: table.tt_base.wrapping_add_signed(address),
                key: Some(table.key ^ key),
                page: chain.stores().then_some(&[7; PAGE]),
                ..Arguments::default()
            };
            profile.write(&arguments, &mut message).expect("a message");
            let refused = hand.send(&connected, message);
            assert_eq!(refused, Err(Failure::Refused(Nak::RemoteAccess)), "{chain:?} {key:#x} {address:#x}");
            (wrong, outside) = if key != 0 { (wrong + 1, outside) } else { (wrong, outside + 1) };
        }
    }
    for at in [va, behind] {
        assert_eq!(read(&process, at, PAGE), page(1));
        assert_eq!(read(&process, at + MB - FRAME, PAGE), page(2));
    }
    let counted = statistics(&mut board, &process);
    assert_eq!(counted("messages with a wrong secret refused"), wrong);
    assert_eq!(counted("addresses outside their table refused"), outside);
    assert_eq!((counted("frames in use"), counted("memory denied")), (4, wrong + outside));
    until("they end by their errors", || statistics(&mut board, &process)("chain connections") == 0);
}

#[test]
fn killed_and_silent_chain_clients_leave_nothing_on_the_rtl() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let keeper = client.open(OpenOptions::default()).expect("open");
    let kept = keeper.ralloc_with(MB, frames(0)).expect("alloc");
    let half = Hand::new(&board, 14).connect(ask(&keeper, kept, MB), Chain::UnmappedStore, false);
    assert_ne!(half.qpn & CHAIN_QPN_BIT, 0);
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(2 * MB, frames(0)).expect("alloc");
    let mut native = board.rdma(ask(&process, va, 2 * MB)).expect("a connection");
    let mut chain =
        board.chain(ask(&process, va, 2 * MB), ChainOptions::default()).expect("four connections");
    for number in 0..20 {
        store(&mut chain, number, &page(number.into())).expect("stored");
    }
    // Loads whose replies nobody acknowledges, stores of which nobody hears, and a WRITE that nobody ends.
    for number in 0..6 {
        chain.chain.load(number).expect("sent");
        chain.chain.store(100 + number, &page(1)).expect("sent");
    }
    chain.poll(Duration::ZERO).expect("the socket works");
    native.native.write(va + 300 * FRAME, pattern(1, 3 * PAGE), None, false).expect("posted");
    native.poll(Duration::ZERO).expect("the socket works");
    let counted = statistics(&mut board, &keeper);
    assert_eq!((counted("chain connections"), counted("segments")), (5, 2));
    // They say no word: their process ends, as a lease that ran out ends it.
    std::mem::forget((native, chain));
    process.exit().expect("ended");
    until("what the killed one had is free", || {
        let counted = statistics(&mut board, &keeper);
        (counted("frames in use"), counted("segments"), counted("chain connections")) == (0, 1, 1)
    });
    // Nobody has heard of the other since it was granted its connection.
    until("the silent one's connection ends", || statistics(&mut board, &keeper)("chain connections") == 0);
    let counted = statistics(&mut board, &keeper);
    assert_eq!(counted("connections whose clients were never heard of"), 1);
    let by_error = counted("connections ended by an error");
    assert_eq!(counted("connections ended with their process") + by_error, 5);
    assert!(by_error <= 1, "{by_error} ended by an error");
    // All of it serves the next one.
    let mut chain = board.chain(ask(&keeper, kept, MB), ChainOptions::default()).expect("four connections");
    store(&mut chain, 255, &page(7)).expect("stored");
    assert_eq!(load(&mut chain, 255), page(7));
    assert_eq!(statistics(&mut board, &keeper)("frames in use"), 1);
    drop(chain);
    until("it ends by DREQ", || statistics(&mut board, &keeper)("connections") == 1);
}
