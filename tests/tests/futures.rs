//! Futures over sockets: what wakes them, and when.
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mneme_clib::driver::{DriverError, Take, UdpOptions, Waiting};
use mneme_clib::{
    Client, ClientOptions, Driver, Effect, OpenOptions, Process, Reason, TransportConfig, UdpDriver,
};
use mneme_tests::executor::{all, block_on};
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::udp::Udp;
use mneme_tests::rig::{Config, Rig};

/// A socket whose datagrams all get lost while `dead`.
struct Cut {
    inner: UdpDriver,
    dead: Arc<AtomicBool>,
}

impl Driver for Cut {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        if self.dead.load(Ordering::Relaxed) {
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

fn open(board: &Udp<Soft>, give_up: Duration) -> (Client, Process, Arc<AtomicBool>) {
    let dead = Arc::new(AtomicBool::new(false));
    let driver = Cut { inner: board.driver(), dead: Arc::clone(&dead) };
    let transport = TransportConfig { give_up, ..TransportConfig::default() };
    let client = Client::connect(driver, ClientOptions { transport, ..ClientOptions::default() });
    let client = client.expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    (client, process, dead)
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
    what_is_dropped_or_awake_is_not_waited_for();
}

/// Nothing comes any more: a retry's timer and the end of patience are the reactor's to see.
fn a_future_is_woken_by_its_timers() {
    let board = Udp::<Soft>::start(Config::Small);
    let (client, process, dead) = open(&board, Duration::from_millis(400));
    let va = process.ralloc(64).expect("alloc");
    assert_eq!(reactors(), 0, "nobody has slept");
    dead.store(true, Ordering::Relaxed);
    let healed = Arc::clone(&dead);
    let healer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        healed.store(false, Ordering::Relaxed);
    });
    let (added, polls) = block_on(process.fetch_add_async(va, 7));
    healer.join().expect("the healer");
    assert!(matches!(added, Ok(0)), "{added:?}");
    assert!(polls <= 3 && client.statistics().transport.retries() > 0, "{polls} polls");
    assert_eq!(reactors(), 1);

    dead.store(true, Ordering::Relaxed);
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

/// Whoever drives the client finds out: the future's task is woken all the same.
fn a_call_in_another_thread_wakes_too() {
    let board = Udp::<Soft>::start(Config::Small);
    let (_client, process, _) = open(&board, Duration::from_secs(60));
    let va = process.ralloc(64).expect("alloc");
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
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
        over.store(true, Ordering::Relaxed);
    });
}

fn what_is_dropped_or_awake_is_not_waited_for() {
    let board = Udp::<Soft>::start(Config::Small);
    let (client, process, dead) = open(&board, Duration::from_millis(300));
    let va = process.ralloc(64).expect("alloc");
    dead.store(true, Ordering::Relaxed);
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
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(64).expect("alloc");
    block_on(process.fetch_add_async(va, 7)).0.expect("an atomic");
    assert_eq!(reactors(), 0, "who is to stay awake gets no thread that sleeps");
}
