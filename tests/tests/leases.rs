//! Leases: a client keeps its processes without a word of the application's; what a killed client leaves behind is gone after its lease, and one
//! that was stopped for longer is told so.
use std::thread::sleep;
use std::time::{Duration, Instant};

use mneme_clib::{
    AllocOptions, Client, ClientOptions, Error, ErrorId, NodeCounter, OpenOptions, Process, RemoteSlice,
    TransportConfig,
};
use mneme_tests::faulty::{Faults, FaultyDriver};
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::udp::Udp;
use mneme_tests::{Config, Rig};

const LEASE: Duration = Duration::from_secs(2);
/// What the machine may add to that when it is busy.
const GRACE: Duration = Duration::from_secs(20);

fn options() -> ClientOptions {
    let transport = TransportConfig { give_up: Duration::from_secs(30), ..TransportConfig::default() };
    ClientOptions { transport, ..ClientOptions::default() }
}

fn leased(client: &Client) -> Process {
    client.open(OpenOptions { lease: Some(LEASE), ..OpenOptions::default() }).expect("open")
}

fn processes(client: &Client) -> u64 {
    client.board_counters().expect("counters").node(NodeCounter::Processes)
}

/// Waits until the board has so many processes; how long that took.
#[track_caller]
fn comes_to(client: &Client, count: u64) -> Duration {
    let began = Instant::now();
    while processes(client) != count {
        assert!(began.elapsed() < LEASE + GRACE, "{} processes instead of {count}", processes(client));
        sleep(Duration::from_millis(20));
    }
    began.elapsed()
}

/// A client whose time stands still while nobody calls: as one that is stopped.
fn stoppable(rig: &Udp<Soft>) -> Client {
    let driver = FaultyDriver::new(rig.driver(), Faults::default(), 1).standing_still();
    Client::connect(driver, options()).expect("connect")
}

/// In numbers, so that nobody changes it by the way.
#[test]
fn who_asks_for_nothing_has_a_lease_of_30_seconds() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let client = Client::connect(rig.driver(), options()).expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    assert_eq!(process.lease(), Some(Duration::from_secs(30)));
    let told = client.processes().expect("told");
    assert_eq!(told.first().and_then(|told| told.lease), Some(Duration::from_secs(30)), "the board's word");
    process.exit().expect("exit");
}

#[test]
fn an_idle_client_keeps_its_processes() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let client = Client::connect(rig.driver(), options()).expect("connect");
    let process = leased(&client);
    assert_eq!(process.lease(), Some(LEASE));
    let va = process.ralloc(8).expect("alloc");
    process.rwrite(va, b"kept for").expect("write");
    sleep(3 * LEASE);
    let mut back = [0; 8];
    process.rread(va, &mut back).expect("the process is there");
    assert_eq!(&back, b"kept for");
    process.exit().expect("exit");
    comes_to(&client, 0);
}

/// One that only reads and writes says nothing to the slow path.
#[test]
fn a_busy_client_keeps_its_processes() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let client = stoppable(&rig);
    let process = leased(&client);
    let va = process.ralloc(8).expect("alloc");
    let began = Instant::now();
    let mut count = 0u64;
    while began.elapsed() < 3 * LEASE {
        process.rwrite(va, &count.to_le_bytes()).expect("the process is there");
        count += 1;
    }
    assert!(count > 3);
    process.exit().expect("exit");
}

#[test]
fn what_is_dropped_or_left_is_reclaimed_and_what_others_keep_is_not() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let client = Client::connect(rig.driver(), options()).expect("connect");
    let (dropped, kept) = (leased(&client), leased(&client));
    let for_ever = client.open(OpenOptions { lease: None, ..OpenOptions::default() }).expect("open");
    assert_eq!(for_ever.lease(), None);
    let other = Client::connect(rig.driver(), options()).expect("connect");
    let joined = other.join(kept.pid(), kept.token()).expect("join");
    let va = kept.ralloc(8).expect("alloc");
    // Handles of pending calls keep a process as well.
    let pending = kept.rwrite_async(va, b"by other");
    drop((dropped, kept, for_ever));
    pending.wait().expect("write");
    assert_eq!(processes(&other), 3);
    comes_to(&other, 2);
    sleep(2 * LEASE);
    let mut back = [0; 8];
    joined.rread(va, &mut back).expect("it is kept by the other client");
    assert_eq!((&back, processes(&other)), (b"by other", 2));
    drop(joined);
    comes_to(&other, 1);
}

/// A client that is stopped for longer than its lease hears what has happened, from all kinds of calls.
#[test]
fn a_stopped_client_is_told() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let (watcher, client) = (Client::connect(rig.driver(), options()).expect("connect"), stoppable(&rig));
    let process = leased(&client);
    let va = process.ralloc(1 << 20).expect("alloc");
    process.rwrite(va, b"lost").expect("write");
    comes_to(&watcher, 0);
    sleep(LEASE / 2);
    let errors = [
        process.rread(va, &mut [0; 4]).expect_err("it is gone"),
        process.rwrite_async(va, b"late").wait().expect_err("it is gone"),
        process.fetch_add(va, 1).expect_err("it is gone"),
        process.ralloc(1 << 20).expect_err("it is gone"),
        process.exit().map_err(Error::from).expect_err("it is gone"),
    ];
    for error in errors {
        assert_eq!(error.id(), ErrorId::Reclaimed, "{error}");
        assert!(error.to_string().contains("lease"), "{error}");
    }
    // The client itself is well.
    let next = leased(&client);
    let va = next.ralloc(8).expect("alloc");
    next.rwrite(va, b"anew").expect("write");
    next.exit().expect("exit");
}

/// Whom another client has ended within its lease hears of no lease.
#[test]
fn an_exit_by_another_client_is_no_lease() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let (first, second) = (stoppable(&rig), Client::connect(rig.driver(), options()).expect("connect"));
    // Longer than a busy machine takes for the rest.
    let lease = Some(Duration::from_secs(120));
    let process = first.open(OpenOptions { lease, ..OpenOptions::default() }).expect("open");
    let va = process.ralloc(8).expect("alloc");
    process.rwrite(va, b"shared").expect("write");
    second.join(process.pid(), process.token()).expect("join").exit().expect("exit");
    let error = process.rread(va, &mut [0; 4]).expect_err("it is gone");
    assert_eq!(error.id(), ErrorId::Unmapped, "{error}");
}

/// An asynchronous write whose packet was lost is sent again by nobody but the thread in the background.
#[test]
fn requests_go_on_though_nobody_polls() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let watcher = Client::connect(rig.driver(), options()).expect("connect");
    let lossy = FaultyDriver::new(rig.driver(), Faults { lost: 10, doubled: 10, late: 10, damaged: 0 }, 7);
    let client = Client::connect(lossy, ClientOptions { background: true, ..options() }).expect("connect");
    let process = client.open(OpenOptions { lease: None, ..OpenOptions::default() }).expect("open");
    let va = process.ralloc(64 * 8).expect("alloc");
    process.rwrite(va, &[0; 64 * 8]).expect("clear");
    for number in 0..64u64 {
        drop(process.rwrite_async(va + 8 * number, &(number + 1).to_le_bytes()));
    }
    let joined = watcher.join(process.pid(), process.token()).expect("join");
    let began = Instant::now();
    loop {
        let mut back = [0; 64 * 8];
        joined.rread(va, &mut back).expect("read");
        if back.chunks_exact(8).zip(1u64..).all(|(word, number)| word == number.to_le_bytes()) {
            break;
        }
        assert!(began.elapsed() < GRACE, "some are lost");
        sleep(Duration::from_millis(10));
    }
    process.rrelease().expect("all have ended well");
}

/// All that is under way of a write may be answered at once, long before the write has ended: the rest leaves, too.
#[test]
fn a_long_write_goes_on_though_nobody_polls() {
    const SIZE: usize = 256 << 10;
    let rig = Udp::<Soft>::start(Config::Sim);
    let watcher = Client::connect(rig.driver(), options()).expect("connect");
    let transport = TransportConfig { packets_in_flight: 2, ..options().transport };
    let few = ClientOptions { background: true, transport, ..options() };
    let client = Client::connect(rig.driver(), few).expect("connect");
    let process = client.open(OpenOptions { lease: None, ..OpenOptions::default() }).expect("open");
    let va = process.ralloc(SIZE as u64).expect("alloc");
    let joined = watcher.join(process.pid(), process.token()).expect("join");
    let write = process.rwrite_async(va, &[7; SIZE]);
    let began = Instant::now();
    let mut last = [0];
    while last != [7] {
        joined.rread(va + SIZE as u64 - 1, &mut last).expect("read");
        assert!(began.elapsed() < GRACE, "it has stopped");
        sleep(Duration::from_millis(10));
    }
    write.wait().expect("written");
}

/// A pid may be given to another process while a handle of the one before is held: what that one leaves is its own.
#[test]
fn a_handle_of_a_process_that_is_gone_takes_nothing_from_the_next_one() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let client = Client::connect(rig.driver(), options()).expect("connect");
    let old = leased(&client);
    let (pid, va) = (old.pid(), old.ralloc(8).expect("alloc"));
    let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
    let kept = RemoteSlice::new_with(&old, &[7u64; 64], whole).expect("a slice");
    let mut held = vec![old.rwrite_async(va, b"old one.")];
    held[0].notify(&client.completions().expect("a queue"), 1);
    old.exit().expect("exit");
    let began = Instant::now();
    // A pid rests before it is given out again.
    let next = loop {
        match client.open(OpenOptions { pid: Some(pid), lease: Some(LEASE), ..OpenOptions::default() }) {
            Ok(next) => break next,
            Err(error) => assert!(began.elapsed() < GRACE + GRACE, "{error}"),
        }
    };
    held.clear();
    let whole = AllocOptions { at: Some(kept.va()), own_pages: true, ..AllocOptions::default() };
    let there = next.ralloc_with(512, whole).expect("where the other one's was");
    next.rwrite(there, &[9; 512]).expect("written");
    drop(kept);
    next.rrelease().expect("nothing is under way");
    let va = next.ralloc(8).expect("alloc");
    sleep(2 * LEASE);
    next.rwrite(va, b"new one.").expect("it is kept");
    let mut found = [0; 512];
    next.rread(there, &mut found).expect("so is this");
    assert_eq!(found, [9; 512]);
    next.exit().expect("exit");
}
