//! A client that is gone leaves nothing behind: no memory and no open file, whatever it did and whatever failed.
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::net::UdpSocket;
use std::time::Duration;

use mneme_clib::{
    Client, ClientOptions, DEFAULT_LEASE, LockOptions, OpenOptions, RemoteBox, RemoteSlice, TransportConfig,
    UdpDriver,
};
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::raw::{Raw, Tpacket};
use mneme_tests::rig::udp::Udp;
use mneme_tests::rig::{Config, Rig};

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
}

/// Counts the bytes that each thread holds: the boards are in threads of their own.
struct Counting;

fn count(bytes: usize, sign: i64) {
    // A thread that ends frees things when its counter is gone.
    let _counted = LIVE.try_with(|live| live.set(live.get() + sign * bytes as i64));
}

// SAFETY: everything is the system allocator's; counting touches a plain number of the thread's own.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(layout.size(), -1);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(layout.size(), -1);
        count(size, 1);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Files that this program has open; the tests of this file run one after the other, in one function.
fn files() -> usize {
    std::fs::read_dir("/proc/self/fd").expect("this is Linux").count()
}

/// Works with a client in many ways, some of which fail, and drops everything; a process may be left on the board.
fn live<R: Rig>(rig: &R, round: u64, lease: Option<Duration>) {
    let process = rig.client().open(OpenOptions { lease, ..OpenOptions::default() }).expect("open");
    let page = process.page_size();
    let small = process.ralloc(100).expect("alloc");
    let large = process.ralloc(2 * page).expect("alloc");
    process.rwrite(large, &vec![7; 20_000]).expect("write");
    let mut into = vec![0; 20_000];
    process.rread_async(large, &mut into).wait().expect("read");
    drop(process.rread_async(large, &mut [0; 100]));
    drop(process.rwrite_owned_async(large + page, vec![1; 30_000]));
    process.rread(1 << 40, &mut into).expect_err("nothing is there");
    drop(process.fetch_add_async(small + 3, 1));
    process.rrelease().expect_err("it was not aligned");
    let slice = RemoteSlice::new(&process, &[1u64; 500]).expect("a slice");
    let word = RemoteBox::new(&process, &0u64).expect("a word");
    let lock = process.rlock(word.va(), LockOptions::default()).expect("lock");
    process.runlock(lock).expect("unlock");
    drop((slice, word));
    let second = rig.join(&process);
    second.rfree(small).expect_err("it shares a page");
    drop(second);
    if round.is_multiple_of(2) {
        process.exit().expect("exit");
    }
}

/// A client of a board that does not answer.
fn die() {
    let silent = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let transport = TransportConfig { give_up: Duration::from_millis(20), ..TransportConfig::default() };
    let driver = UdpDriver::connect(silent.local_addr().expect("an address")).expect("a socket");
    let options = ClientOptions { transport, ..ClientOptions::default() };
    Client::connect(driver, options).expect_err("nobody answers");
}

fn leaves_nothing(what: &str, mut work: impl FnMut(u64)) {
    // Tables of the libraries, names of threads and the like come once.
    (0..3).for_each(&mut work);
    let before = (LIVE.with(Cell::get), files());
    (3..13).for_each(work);
    assert_eq!(
        (LIVE.with(Cell::get), files()),
        before,
        "{what}: bytes held and files open, after and before"
    );
}

#[test]
fn clients_leave_nothing_behind() {
    // The counters can tell.
    let (bytes, open) = (LIVE.with(Cell::get), files());
    let kept = (vec![0u8; 1000], std::fs::File::open("/dev/null").expect("a file"));
    assert_eq!((LIVE.with(Cell::get), files()), (bytes + 1000, open + 1));
    drop(kept);
    let udp = Udp::<Soft>::start(Config::Sim);
    leaves_nothing("over UDP", |round| live(&udp, round, None));
    // Leases are kept by a thread, which counts for itself, and ends soon after its client.
    let before = files();
    (0..10).for_each(|round| live(&udp, round, Some(DEFAULT_LEASE)));
    let began = std::time::Instant::now();
    while files() != before {
        assert!(began.elapsed() < Duration::from_secs(20), "{} files open instead of {before}", files());
        std::thread::sleep(Duration::from_millis(5));
    }
    leaves_nothing("without a board", |_| die());
    let joined = udp.client().open(OpenOptions { lease: None, ..OpenOptions::default() }).expect("open");
    let client = udp.client();
    leaves_nothing("handles of one client", |_| {
        let handle = client.join(joined.pid(), joined.token()).expect("join");
        drop(handle.fetch_add_async(3, 1));
        handle.rrelease().expect_err("it was not aligned");
    });
    drop((client, joined, udp));
    if Raw::<Soft, Tpacket>::works("clients_leave_nothing_behind, raw") {
        let raw = Raw::<Soft, Tpacket>::start(Config::Sim);
        // Its drivers are opened in a thread that is in the client's network namespace, so that bytes tell nothing here.
        (0..3).for_each(|round| live(&raw, round, None));
        let before = files();
        (3..13).for_each(|round| live(&raw, round, None));
        assert_eq!(files(), before, "over a raw driver: files open, after and before");
    }
}
