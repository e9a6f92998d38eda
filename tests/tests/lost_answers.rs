//! Memory that never answers what it has taken, as no memory may (contracts §3): what stands still, what does not, and what clients and
//! whoever watches the board learn of it.
use std::time::Duration;

use mneme_clib::{
    AllocOptions, Client, ClientOptions, Driver, Error, OpenOptions, Process, Reason, TransportConfig,
};
use mneme_model::{Network, NetworkPort};
use mneme_rtl::{LostAnswer, RtlConfig, RtlFast, RtlOptions};
use mneme_slowpath::FastPath;
use mneme_tests::Config;
use mneme_tests::rig::in_process::network;
use mneme_wire::register::REST_MEMORY;
use mneme_wire::{Cause, Counter, Register};
use mneme_world::InProcessDriver;

/// Of board time. The watchdog has counted by then: a request that has kept its packet slot for 2^18 cycles, 1.05 ms.
const GIVE_UP: Duration = Duration::from_micros(1_500);
/// What the last attempt takes beyond.
const GRACE: Duration = Duration::from_millis(1);
/// Operations that are measured before and behind.
const HITS: u32 = 100;

struct Tenant {
    process: Process,
    clock: InProcessDriver<RtlFast>,
    word: u64,
}

impl Tenant {
    fn new(network: &Network<RtlFast>) -> Tenant {
        let transport = TransportConfig { give_up: GIVE_UP, ..TransportConfig::board_time() };
        let options = ClientOptions { transport, seed: Some(1), ..ClientOptions::default() };
        let client = Client::connect(InProcessDriver::new(network), options).expect("connect");
        let process = client.open(OpenOptions::default()).expect("open");
        let word = process.ralloc_zeroed(8).expect("alloc");
        Tenant { process, clock: InProcessDriver::new(network), word }
    }
    /// The board time that hits take.
    fn hits(&self) -> Duration {
        let began = self.clock.now();
        for _ in 0..HITS {
            self.process.fetch_add(self.word, 1).expect("a hit");
        }
        self.clock.now() - began
    }
    /// The error of a call that does not end well, in time.
    #[track_caller]
    fn gives_up(&self, reason: Reason, call: impl FnOnce(&Process) -> Result<(), Error>) {
        let began = self.clock.now();
        let error = call(&self.process).expect_err("memory owes an answer");
        assert_eq!(error.reason(), Some(reason), "{error}");
        let took = self.clock.now() - began;
        assert!(took < GIVE_UP + GRACE, "only after {took:?}");
    }
}

fn board() -> Network<RtlFast> {
    let fast = RtlFast::new(RtlOptions::new(RtlConfig::Sim)).expect("the RTL starts");
    network(fast, 2, Config::Small)
}

fn watchdog(network: &Network<RtlFast>) -> u32 {
    network.with_node(|node| node.fast().read_counter(Counter::Watchdog))
}

fn lose(network: &Network<RtlFast>, lost: LostAnswer) {
    network.with_node(|node| node.fast().lose_answer(lost, 1));
}

/// Whether memory owes the board nothing 2^16 cycles after a reset of its core.
fn rests_after_a_reset(network: &Network<RtlFast>) -> bool {
    network.with_node(|node| {
        let fast = node.fast();
        fast.reset_core(16);
        fast.run_all(1 << 16);
        fast.read_register(Register::Rest) & REST_MEMORY != 0
    })
}

#[test]
fn a_walk_that_is_not_answered_keeps_misses_and_no_hits() {
    let network = board();
    let (quiet, unlucky) = (Tenant::new(&network), Tenant::new(&network));
    let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
    let page = |tenant: &Tenant| tenant.process.ralloc_with(64, whole).expect("alloc");
    let (fresh, others) = (page(&unlucky), page(&quiet));
    let alone = quiet.hits();
    assert_eq!(watchdog(&network), 0);
    lose(&network, LostAnswer::Walk);
    // The retry filter has the WRITE and says so; of a READ nobody hears.
    let pending = Reason::Busy(Cause::Pending);
    unlucky.gives_up(pending, |process| process.rwrite(fresh, b"nowhere"));
    assert!(watchdog(&network) >= 1, "a request has kept its packet slot");
    unlucky.gives_up(Reason::Unreachable, |process| process.rread(fresh, &mut [0; 8]));
    let beside = quiet.hits();
    println!("{HITS} hits take {alone:?} alone, {beside:?} beside a walk that is not answered");
    assert!(beside <= alone + alone / 10, "{HITS} hits took {alone:?} alone, {beside:?} beside");
    // Memory answers walks in order.
    quiet.gives_up(pending, |process| process.rwrite(others, b"neither"));
    assert!(!rests_after_a_reset(&network), "memory still owes an answer");
}

#[test]
fn an_access_that_is_not_answered_ends_in_an_error_for_whoever_comes_behind() {
    for lost in [None, Some(LostAnswer::Read), Some(LostAnswer::Write)] {
        let network = board();
        let (unlucky, other) = (Tenant::new(&network), Tenant::new(&network));
        unlucky.hits();
        other.hits();
        let Some(lost) = lost else {
            assert!(rests_after_a_reset(&network), "memory has answered everything");
            continue;
        };
        lose(&network, lost);
        unlucky.gives_up(Reason::Unreachable, |process| match lost {
            LostAnswer::Write => process.rwrite(unlucky.word, b"a word.."),
            _ => process.rread(unlucky.word, &mut [0; 8]),
        });
        assert!(watchdog(&network) >= 1, "{lost:?}");
        other.gives_up(Reason::Unreachable, |process| process.rread(other.word, &mut [0; 8]));
        assert!(!rests_after_a_reset(&network), "memory still owes an answer: {lost:?}");
    }
}
