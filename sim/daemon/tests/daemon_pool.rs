//! The daemon with workers in its slow path: slow operations of many clients at once, over real sockets.
use std::collections::{BTreeMap, BTreeSet};
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mneme_clib::{
    Client, ClientOptions, Effect, NodeCounter, OpenOptions, Reason, TransportConfig, UdpDriver,
};
use mneme_daemon::Options;
use mneme_model::{BoardShape, NetworkPort, Node, SoftFast};
use mneme_rtl::{RtlConfig, RtlFast, RtlOptions};
use mneme_slowpath::{FastPath, MemoryEpochs};
use mneme_wire::payload::{Alloc, BoardInfo};
use mneme_wire::{Cause, Opcode, Packet, Pid, Request, Response, Rights, Status, Tick, Trailer, Va};

/// Long against whatever the machine does meanwhile.
const WINDOW: Duration = Duration::from_secs(30);

/// Bytes of a page of the configuration `sim`; allocations of whole pages are asked of the board one by one.
const PAGE: u64 = 256 << 10;

/// A daemon while `use_it` runs; what `look` makes of the node at the end.
fn served<F: FastPath + NetworkPort + Send, R: Send>(
    make: impl FnOnce() -> F + Send,
    ns_per_cycle: u64,
    (workers, window): (usize, Duration),
    prepare: impl FnOnce(&Node<F>) + Send,
    use_it: impl FnOnce(SocketAddr),
    look: impl FnOnce(&mut Node<F>) -> R + Send,
) -> R {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let address = socket.local_addr().expect("an address");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let daemon = scope.spawn(|| {
            let mut fast = make();
            let mut config = mneme_daemon::config(&mut fast, 1, [1; 32], ns_per_cycle, window);
            assert!(mneme_daemon::take_address(&mut config, &socket));
            let options = Options::of(&config, ns_per_cycle);
            let mut node = Node::boot_with_workers(fast, config, &mut MemoryEpochs::default(), workers)
                .expect("the board boots");
            prepare(&node);
            mneme_daemon::serve(&mut node, &socket, &options, &stop).expect("the daemon serves");
            look(&mut node)
        });
        // A failed assertion must not leave the daemon running: the scope waits for it.
        let used = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| use_it(address)));
        stop.store(true, Ordering::Relaxed);
        let looked = daemon.join().expect("the daemon ends well");
        used.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        looked
    })
}

fn soft() -> SoftFast {
    SoftFast::new(BoardShape::SIM).expect("a legal shape")
}

fn client(address: SocketAddr) -> Client {
    let transport = TransportConfig { give_up: Duration::from_secs(60), ..TransportConfig::default() };
    let options = ClientOptions { transport, ..ClientOptions::default() };
    Client::connect(UdpDriver::connect(address).expect("a socket"), options).expect("the board answers")
}

/// Clients in threads, each with a process of its own that allocates, writes, reads and frees.
fn churn(address: SocketAddr, clients: u64, rounds: u64) {
    std::thread::scope(|scope| {
        for number in 0..clients {
            scope.spawn(move || {
                let client = client(address);
                let process = client.open(OpenOptions::default()).expect("a process");
                for round in 0..rounds {
                    let va = process.ralloc((1 + round % 3) * PAGE).expect("memory");
                    let text = format!("{number} in round {round}");
                    process.rwrite(va, text.as_bytes()).expect("written");
                    let mut found = vec![0; text.len()];
                    process.rread(va, &mut found).expect("read");
                    assert_eq!(found, text.as_bytes());
                    process.rfree(va).expect("freed");
                }
                process.exit().expect("ended");
            });
        }
    });
}

/// Slow operations that were executed, and what is left behind.
fn balance<F: FastPath + NetworkPort>(node: &mut Node<F>) -> ([u64; 4], (u64, u64)) {
    let done = [NodeCounter::Opens, NodeCounter::Allocs, NodeCounter::Frees, NodeCounter::Exits]
        .map(|counter| node.counter(counter as u32));
    (done, node.slow().inspect(|space| (space.slots_used(), space.process_count())))
}

#[test]
fn clients_at_once_are_each_served_exactly_once() {
    for workers in [0, 1, 4] {
        let (done, left) =
            served(soft, 4, (workers, WINDOW), |_| {}, |address| churn(address, 6, 10), balance);
        assert_eq!((done, left), ([6, 60, 60, 6], (0, 0)), "with {workers} workers");
    }
}

#[test]
fn the_rtl_board_has_workers_too() {
    let make = || RtlFast::new(RtlOptions::new(RtlConfig::Sim)).expect("the RTL starts");
    let (done, left) = served(make, 1_000, (2, WINDOW), |_| {}, |address| churn(address, 3, 3), balance);
    assert_eq!((done, left), ([3, 9, 9, 3], (0, 0)));
}

#[test]
fn a_worker_that_panics_is_reported_and_hangs_nobody() {
    let use_it = |address| {
        let client = client(address);
        let process = client.open(OpenOptions::default()).expect("a process");
        let error = process.ralloc(PAGE).expect_err("its worker panics");
        assert!(
            matches!(error.reason(), Some(Reason::Refused { status: Status::MemoryError, .. })),
            "{error}"
        );
        assert_eq!(error.effect(), Effect::Possible);
        let counters = client.board_counters().expect("the board answers");
        assert_eq!(counters.node(NodeCounter::WorkerPanics), 1);
        process.ralloc(PAGE).expect("the process goes on");
        process.exit().expect("and ends");
        let other = Client::open(&self::client(address), OpenOptions::default()).expect("others come");
        other.rfree(other.ralloc(PAGE).expect("memory")).expect("freed");
        other.exit().expect("and go");
    };
    // A client whose operation may have taken effect waits for the end of its window before the next one.
    let setup = (1, Duration::from_secs(1));
    let (done, _) = served(soft, 4, setup, |node| node.slow().plant_panic(), use_it, balance);
    assert_eq!(done, [2, 2, 1, 2]);
}

/// The request `number` of a burst: one page for process `pid`.
fn alloc(info: &BoardInfo, tick: Tick, pid: u32, number: u32, attempt: u8) -> Vec<u8> {
    let payload = Alloc::request(PAGE, Rights::READ_WRITE).to_bytes();
    let request = Request {
        trailer: Trailer::None,
        key_phase: false,
        timed: false,
        opcode: Opcode::Alloc,
        epoch: info.epoch,
        pid: Pid::from_low_bits(pid),
        op_id: number,
        attempt,
        time: tick,
        va: Va::default(),
        length: payload.len() as u16,
    };
    [&request.to_bytes()[..], &payload].concat()
}

#[test]
fn a_burst_that_overruns_the_queue_is_refused_or_executed_never_both() {
    const BURST: u32 = 300;
    let use_it = |address| {
        let connection = client(address);
        let process = connection.open(OpenOptions::default()).expect("a process");
        let info = connection.board();
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
        socket.connect(address).expect("connected");
        socket.set_read_timeout(Some(Duration::from_millis(100))).expect("a timeout");
        let mut given = BTreeMap::new();
        let deadline = Instant::now() + Duration::from_secs(60);
        let now = Tick::from_low_bits(connection.ping().expect("the board answers").0.tick);
        for attempt in 0..=u8::MAX {
            for number in (0..BURST).filter(|number| !given.contains_key(number)) {
                let datagram = alloc(&info, now, process.pid(), number, attempt);
                socket.send(&datagram).expect("sent");
            }
            let mut buffer = [0; 2048];
            while let Ok(len) = socket.recv(&mut buffer) {
                let packet = Packet::new_checked(&buffer[..len]).expect("a whole header");
                let response = Response::parse(&packet).expect("a response");
                match response.status {
                    Status::Ok => {
                        let va = Alloc::parse_answer(packet.payload()).expect("an ALLOC's answer").va;
                        assert_eq!(*given.entry(response.op_id).or_insert(va), va, "executed twice");
                    }
                    Status::Busy => {
                        let cause = response.detail().cause;
                        assert!(matches!(cause, Cause::Queue | Cause::Pending), "{cause:?}");
                    }
                    other => panic!("{other:?}"),
                }
            }
            if given.len() as u32 == BURST {
                break;
            }
            assert!(attempt < u8::MAX && Instant::now() < deadline, "{} of {BURST}", given.len());
        }
        let distinct: BTreeSet<u64> = given.values().copied().collect();
        assert_eq!(distinct.len() as u32, BURST);
    };
    let look = |node: &mut Node<SoftFast>| node.slow().inspect(|space| space.live_ranges());
    assert_eq!(served(soft, 4, (2, WINDOW), |_| {}, use_it, look), u64::from(BURST));
}
