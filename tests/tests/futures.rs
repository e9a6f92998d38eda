//! Futures over sockets: what wakes them, and when.
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mneme_clib::driver::{DriverError, Take, UdpOptions, Waiting};
use mneme_clib::{
    Client, ClientOptions, Driver, Effect, OpenOptions, Process, Reason, TransportConfig, UdpDriver,
};
use mneme_tests::executor::{all, block_on};
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::udp::Udp;
use mneme_tests::rig::{Config, Rig};

/// A socket whose next datagrams get lost.
struct Cut {
    inner: UdpDriver,
    lost: Arc<AtomicUsize>,
}

/// All of them.
const ALL: usize = usize::MAX;

impl Driver for Cut {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        let lost = self.lost.load(Ordering::Relaxed);
        if lost > 0 {
            self.lost.store(if lost == ALL { ALL } else { lost - 1 }, Ordering::Relaxed);
            fill(&mut vec![0; length]);
            return Ok(());
        }
        self.inner.send(length, fill)
    }
    fn flush(&mut self) -> Result<(), DriverError> {
        self.inner.flush()
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        self.inner.receive(wait, take)
    }
    fn now(&self) -> Duration {
        self.inner.now()
    }
    fn max_datagram(&self) -> usize {
        self.inner.max_datagram()
    }
    fn peer(&self) -> String {
        self.inner.peer()
    }
    fn descriptors(&self) -> Vec<OwnedFd> {
        self.inner.descriptors()
    }
}

fn open(board: &Udp<Soft>, give_up: Duration) -> (Client, Process, Arc<AtomicUsize>) {
    let lost = Arc::new(AtomicUsize::new(0));
    let driver = Cut { inner: board.driver(), lost: Arc::clone(&lost) };
    let transport = TransportConfig { give_up, ..TransportConfig::default() };
    let client = Client::connect(driver, ClientOptions { transport, ..ClientOptions::default() });
    let client = client.expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    (client, process, lost)
}

/// Threads of this process that wait for futures.
fn reactors() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("Linux tells of threads");
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names.filter(|name| name.trim() == "mneme-reactor").count()
}

/// Waits for something that other threads do.
fn until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The tests count threads of the whole process: one after the other.
#[test]
fn futures_sleep() {
    a_future_is_woken_by_its_timers();
    a_call_in_another_thread_wakes_too();
    what_becomes_free_leaves_at_once();
    a_waker_that_panics_is_its_own_concern();
    what_is_dropped_or_awake_is_not_waited_for();
}

/// Nothing comes any more: a retry's timer and the end of patience are the reactor's to see.
fn a_future_is_woken_by_its_timers() {
    let board = Udp::<Soft>::start(Config::Small);
    let (client, process, lost) = open(&board, Duration::from_secs(60));
    let va = process.ralloc(64).expect("alloc");
    assert_eq!(reactors(), 0, "nobody has slept");
    lost.store(2, Ordering::Relaxed);
    let (read, polls) = block_on(process.rread_owned_async(va, vec![0; 8]));
    read.expect("the third attempt arrives");
    assert!(polls <= 3 && client.statistics().transport.retries() >= 2, "{polls} polls");
    assert_eq!(reactors(), 1);
    drop((client, process));
    until("the thread ends with its client", || reactors() == 0);

    let (client, process, lost) = open(&board, Duration::from_millis(300));
    let va = process.ralloc(64).expect("alloc");
    lost.store(ALL, Ordering::Relaxed);
    let (failed, polls) =
        block_on(all((0..4).map(|at| process.rwrite_async(va + 8 * at, &[1; 8])).collect()));
    for error in failed.into_iter().map(|result| result.expect_err("nothing is answered")) {
        let mneme_clib::Error::Operation(error) = error else { panic!("{error}") };
        assert_eq!(error.reason, Reason::Unreachable);
        // What the congestion window kept back has not left.
        assert_eq!(error.effect == Effect::None, error.attempts == 0, "{error}");
    }
    assert!(polls <= 10, "{polls} polls");
    drop((client, process));
    until("the thread ends with its client", || reactors() == 0);
}

/// What waits for a request that ended in the reactor's hands, or in another call, leaves at once.
fn what_becomes_free_leaves_at_once() {
    let board = Udp::<Soft>::start(Config::Small);
    let (_client, process, _) = open(&board, Duration::from_secs(60));
    let va = process.ralloc(1 << 19).expect("alloc");
    let began = Instant::now();
    for _ in 0..200 {
        drop(process.rwrite_async(va, &[3; 64]));
        block_on(process.rread_owned_async(va, vec![0; 64])).0.expect("the write is there");
    }
    // More packets than may be in flight.
    let (read, polls) = block_on(process.rread_owned_async(va, vec![1; 1 << 19]));
    assert!(read.expect("read")[..64] == [3; 64] && polls <= 3);
    // A wait that nobody ends takes a tenth of a second.
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

/// An executor whose waker panics harms nobody else.
fn a_waker_that_panics_is_its_own_concern() {
    struct Panics;
    impl std::task::Wake for Panics {
        fn wake(self: Arc<Self>) {
            panic!("as the test wants");
        }
    }
    let board = Udp::<Soft>::start(Config::Small);
    let (client, process, _) = open(&board, Duration::from_secs(60));
    let va = process.ralloc(64).expect("alloc");
    let waker = std::task::Waker::from(Arc::new(Panics));
    let mut first = Box::pin(process.fetch_add_async(va, 1));
    let mut context = std::task::Context::from_waker(&waker);
    let polled = first.as_mut().poll(&mut context);
    for round in 0..20 {
        let old = block_on(process.fetch_add_async(va, 1)).0.expect("an atomic");
        assert_eq!(old, round + 1);
    }
    match polled {
        std::task::Poll::Pending => assert!(matches!(block_on(first).0, Ok(0))),
        std::task::Poll::Ready(_) => drop(first),
    }
    drop((client, process));
    until("the thread ends with its client", || reactors() == 0);
}

/// Ends another thread, on every way out.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Whoever drives the client finds out: the future's task is woken all the same.
fn a_call_in_another_thread_wakes_too() {
    let board = Udp::<Soft>::start(Config::Small);
    let (_client, process, _) = open(&board, Duration::from_secs(60));
    let va = process.ralloc(64).expect("alloc");
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let end = Over(&over);
        scope.spawn(|| {
            let mut word = [0; 8];
            while !over.load(Ordering::Relaxed) {
                process.rread(va + 32, &mut word).expect("read");
            }
        });
        for round in 0..500 {
            let (old, polls) = block_on(process.fetch_add_async(va, 1));
            assert_eq!(old.expect("an atomic"), round);
            assert!(polls <= 3, "{polls} polls");
        }
        drop(end);
    });
}

fn what_is_dropped_or_awake_is_not_waited_for() {
    let board = Udp::<Soft>::start(Config::Small);
    let (client, process, lost) = open(&board, Duration::from_millis(300));
    let va = process.ralloc(64).expect("alloc");
    lost.store(ALL, Ordering::Relaxed);
    let (ended, _) = block_on(async {
        let polled_once = all(vec![process.rwrite_async(va, &[1; 8])]);
        let mut polled_once = Box::pin(polled_once);
        std::future::poll_fn(|context| {
            assert!(polled_once.as_mut().poll(context).is_pending());
            std::task::Poll::Ready(())
        })
        .await;
        drop(polled_once);
        process.rread_owned_async(va + 4_000_000, vec![0; 8]).await
    });
    ended.expect_err("nothing is answered");
    process.rrelease().expect_err("the error of the call that was dropped");
    drop((client, process));
    until("the thread ends with its client", || reactors() == 0);

    let spins = UdpOptions { waiting: Waiting::Spin, ..UdpOptions::default() };
    let driver = UdpDriver::connect_with(board.address(), spins).expect("a socket");
    let client = Client::connect(driver, ClientOptions::default()).expect("connect");
    // A lease would have one.
    let process = client.open(OpenOptions { lease: None, ..OpenOptions::default() }).expect("open");
    let va = process.ralloc(64).expect("alloc");
    block_on(process.fetch_add_async(va, 7)).0.expect("an atomic");
    assert_eq!(reactors(), 0, "who is to stay awake gets no thread that sleeps");
}
