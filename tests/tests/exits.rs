//! EXIT with tags whose answer is lost: what another try concludes, and from whose word.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mneme_clib::driver::{DriverError, Take};
use mneme_clib::{
    Client, ClientOptions, Driver, Effect, ExitError, OpenOptions, Process, Reason, TransportConfig,
    UdpDriver,
};
use mneme_tests::rig::in_process::{InProcess, SoftKeyed, SoftTagged};
use mneme_tests::rig::sealed::Tagged;
use mneme_tests::rig::udp::{Setup, Udp};
use mneme_tests::{Config, Rig};
use mneme_wire::Status;

/// By then keys have been rolled twice, which are rolled every second.
const ROLLS: Duration = Duration::from_secs(3);

/// What a driver does not carry for a while.
#[derive(Default)]
struct Lost {
    answers: AtomicBool,
    requests: AtomicBool,
}

impl Lost {
    fn set(&self, answers: bool, requests: bool) {
        self.answers.store(answers, Ordering::Relaxed);
        self.requests.store(requests, Ordering::Relaxed);
    }
}

/// A driver that loses what it is told to.
struct Losing<D>(D, Arc<Lost>);

impl<D: Driver> Driver for Losing<D> {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        if !self.1.requests.load(Ordering::Relaxed) {
            return self.0.send(length, fill);
        }
        fill(&mut vec![0; length]);
        Ok(())
    }
    fn flush(&mut self) -> Result<(), DriverError> {
        self.0.flush()
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        let Losing(driver, lost) = self;
        driver.receive(wait, &mut |now, datagram| {
            if !lost.answers.load(Ordering::Relaxed) {
                take(now, datagram);
            }
        })
    }
    fn begin_call(&mut self) {
        self.0.begin_call();
    }
    fn end_call(&mut self) {
        self.0.end_call();
    }
    fn now(&self) -> Duration {
        self.0.now()
    }
    fn max_datagram(&self) -> usize {
        self.0.max_datagram()
    }
    fn peer(&self) -> String {
        self.0.peer()
    }
    fn addresses(&self) -> Option<(std::net::SocketAddrV4, std::net::SocketAddrV4)> {
        self.0.addresses()
    }
}

/// A client with tags, what is lost on its way, and another client of the same tenant.
fn clients<R: Rig>(rig: &R) -> (Client, Arc<Lost>, Client) {
    let transport = TransportConfig { give_up: Duration::from_millis(50), ..R::transport() };
    let options = || ClientOptions { transport: transport.clone(), ..R::options() };
    let lost = Arc::new(Lost::default());
    let client = Client::connect(Losing(rig.driver(), Arc::clone(&lost)), options()).expect("connect");
    let other = Client::connect(rig.driver(), options()).expect("connect");
    (client, lost, other)
}

/// The same, and a process of the first one's.
fn with_process<R: Rig>(rig: &R) -> (Process, Arc<Lost>, Client) {
    let (client, lost, other) = clients(rig);
    (client.open(OpenOptions::default()).expect("open"), lost, other)
}

/// Board time passes.
fn pass(driver: &mut impl Driver, time: Duration) {
    let ends = driver.now() + time;
    driver.begin_call();
    while driver.now() < ends {
        driver.receive(Duration::from_millis(10), &mut |_, _| {}).expect("it works");
    }
    driver.end_call();
}

/// An EXIT whose answer is lost, or that does not reach the board.
fn unheard(process: Process, lost: &Lost, reaches: bool) -> ExitError {
    lost.set(true, !reaches);
    let failed = process.exit().expect_err("no answer came");
    assert_eq!(failed.error.effect(), Effect::Possible, "{failed}");
    lost.set(false, false);
    failed
}

#[test]
fn an_exit_with_tags_whose_answer_was_lost_ends_well_when_it_is_tried_again() {
    let rig = Tagged::<InProcess<SoftKeyed>>::start(Config::Small);
    let (process, lost, other) = with_process(&rig);
    let failed = unheard(process, &lost, true);
    assert_eq!(other.processes().expect("told"), [], "it took effect");
    failed.process.exit().expect("it has ended");
}

#[test]
fn nor_does_it_matter_that_its_keys_have_ended_since() {
    let rig = Tagged::<InProcess<SoftTagged>>::start(Config::Small);
    let (process, lost, _) = with_process(&rig);
    let failed = unheard(process, &lost, true);
    pass(&mut rig.driver(), ROLLS);
    failed.process.exit().expect("it has ended");
}

#[test]
fn nor_that_the_board_has_restarted() {
    let board = Udp::<SoftKeyed>::start_with(Setup::default());
    let address = board.address();
    let rig = Tagged::<Udp<SoftKeyed>>::options();
    let transport = TransportConfig { give_up: Duration::from_secs(3), ..rig.transport.clone() };
    let lost = Arc::new(Lost::default());
    let driver = Losing(UdpDriver::connect(address).expect("a socket"), Arc::clone(&lost));
    let client = Client::connect(driver, ClientOptions { transport, ..rig }).expect("connect");
    let failed = unheard(client.open(OpenOptions::default()).expect("open"), &lost, true);
    drop(board);
    let _again = Udp::<SoftKeyed>::start_with(Setup { address, seed: 2, ..Setup::default() });
    failed.process.exit().expect("it has ended");
}

#[test]
fn a_process_that_has_not_ended_ends_by_another_try() {
    let rig = Tagged::<InProcess<SoftKeyed>>::start(Config::Small);
    let (process, lost, other) = with_process(&rig);
    let failed = unheard(process, &lost, false);
    // No late copy of it holds anything up any more.
    pass(&mut rig.driver(), ROLLS);
    assert_eq!(other.processes().expect("told").len(), 1, "it has not taken effect");
    failed.process.exit().expect("it ends");
    assert_eq!(other.processes().expect("told"), []);
}

#[test]
fn of_another_ones_process_nothing_is_proven_once_its_keys_have_ended() {
    let rig = Tagged::<InProcess<SoftTagged>>::start(Config::Small);
    let (client, lost, other) = clients(&rig);
    let process = other.open(OpenOptions::default()).expect("open");
    let joined = client.join(process.pid(), process.token()).expect("join");
    let failed = unheard(joined, &lost, true);
    assert_eq!(other.processes().expect("told"), [], "it took effect");
    pass(&mut rig.driver(), ROLLS);
    let error = failed.process.exit().expect_err("the board tells nobody of others' processes").error;
    assert_eq!(error.reason(), Some(Reason::Unproven { status: Status::Unauthenticated }), "{error}");
}
