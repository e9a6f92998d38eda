//! Service classes: whose processes are of which, and what a class with a rate gets, on the software board and the RTL.
use mneme_auth::TenantList;
use mneme_clib::{Client, ClientOptions, Credentials, ErrorId, OpenOptions, Process, SecretKey};
use mneme_model::{Network, NetworkPort, Node, SoftFast};
use mneme_slowpath::{ClassRate, FastPath, GroupShare, MemoryEpochs};
use mneme_tests::rig::in_process::{
    BOARD_KEY, BoardKind, InProcess, Rtl, Soft, SoftKeyed, SoftTagged, prepared,
};
use mneme_tests::rig::sealed::Tagged;
use mneme_tests::rig::{Config, Rig};
use mneme_wire::{Cause, Counter, Register, Status};
use mneme_world::InProcessDriver;
use std::time::Duration;

const ALICE: SecretKey = SecretKey::from_bytes([3; 32]);
const BOB: SecretKey = SecretKey::from_bytes([4; 32]);
/// Operations that are read in a row.
const READS: u32 = 300;
/// What may be asked for at once, and the requests of a round that are let in besides.
const AT_ONCE: u32 = 16 + 18;

fn rate(operations: u64, bytes: u64) -> ClassRate {
    ClassRate { operations, bytes, burst: 16 }
}

/// How long as many reads take, by the board's clock.
fn reads<F: FastPath + NetworkPort>(network: &Network<F>, process: &Process, each: usize) -> Duration {
    let data = process.ralloc(each as u64).expect("alloc");
    process.rwrite(data, &vec![7; each]).expect("write");
    let now = || network.with_node(|node| node.now());
    let (began, mut bytes) = (now(), vec![0; each]);
    for _ in 0..READS {
        process.rread(data, &mut bytes).expect("a class without credit waits");
        assert_eq!(bytes, vec![7; each]);
    }
    now() - began
}

fn refusals<F: FastPath + NetworkPort>(network: &Network<F>) -> u32 {
    network.with_node(|node| node.fast().read_counter(Counter::ClassBusy))
}

/// A client that proves itself with a key.
fn of_tenant(network: &Network<SoftFast>, key: SecretKey) -> Client {
    let options = ClientOptions {
        credentials: Some(Credentials::new(key).board(BOARD_KEY.public())),
        ..Tagged::<InProcess<SoftTagged>>::options()
    };
    Client::connect(InProcessDriver::new(network), options).expect("connect")
}

#[test]
fn a_tenants_processes_are_of_its_class_and_have_its_rate() {
    let network = prepared(SoftTagged::reset(Config::Small), SoftTagged::NUMBER, Config::Small, |settings| {
        SoftTagged::prepare(settings);
        for (name, key, class) in [("alice", ALICE, " class=3"), ("bob", BOB, "")] {
            let line = format!("{name} {} 2026-01-01{class}", key.public());
            settings.tenants.insert(line.parse().expect("a tenant")).expect("a new one");
        }
        settings.classes[3] = rate(1_000_000, 0);
    });
    let (alice, bob) = (of_tenant(&network, ALICE), of_tenant(&network, BOB));
    let slow = alice.open(OpenOptions::default()).expect("open");
    let quick = bob.open(OpenOptions::default()).expect("open");
    assert_eq!((slow.pid() >> 20, quick.pid() >> 20), (3, 0));
    let of = |client: &Client, pid| client.open(OpenOptions { pid: Some(pid), ..OpenOptions::default() });
    assert_eq!(of(&alice, 0x30_0077).expect("one of its class").pid(), 0x30_0077);
    for foreign in [0x77, 0x20_0077, 0xf0_0077] {
        let refused = of(&alice, foreign).map(drop).expect_err("another class");
        assert_eq!(refused.refusal(), Some((Status::BadRequest, Cause::Pid)), "{refused}");
    }
    let unbounded = reads(&network, &quick, 64);
    assert_eq!(refusals(&network), 0, "bob's class has no bound");
    let due = Duration::from_micros(u64::from(READS - AT_ONCE));
    let bounded = reads(&network, &slow, 64);
    assert!(bounded >= due && unbounded < due, "{bounded:?} and {unbounded:?}, due are {due:?}");
    assert!(refusals(&network) > 0);
}

fn bytes_are_bounded_too<K: BoardKind>() {
    let bound = |bytes| {
        let network = prepared(K::reset(Config::Small), K::NUMBER, Config::Small, |settings| {
            settings.classes[0] = rate(0, bytes);
        });
        let client =
            Client::connect(InProcessDriver::new(&network), InProcess::<K>::options()).expect("connect");
        let process = client.open(OpenOptions::default()).expect("open");
        (reads(&network, &process, 1024), refusals(&network))
    };
    // A read of 1 KB costs 17 lines of 64 bytes; of a request that overdraws a round's are let in.
    let (free, none) = bound(0);
    let (bounded, refused) = bound(17 * 64 * 200_000);
    let due = Duration::from_micros(u64::from(READS - AT_ONCE) * 5);
    assert!(bounded >= due && bounded < due * 2 && free < due, "{bounded:?} and {free:?}, due are {due:?}");
    assert!(none == 0 && refused > 0, "{none} and {refused} refusals");
}

#[test]
fn a_class_has_its_bytes_on_the_software_board() {
    bytes_are_bounded_too::<Soft>();
}

#[test]
fn a_class_has_its_bytes_on_the_rtl() {
    bytes_are_bounded_too::<Rtl>();
}

#[test]
fn a_class_that_waits_longer_than_a_client_does_is_told_why() {
    let network = prepared(Soft::reset(Config::Small), Soft::NUMBER, Config::Small, |settings| {
        // A unit is a line in 262 microseconds, and the writes below cost 17 lines each.
        settings.classes[0] = ClassRate { operations: 0, bytes: 1, burst: 1 };
    });
    let mut options = InProcess::<Soft>::options();
    options.transport.give_up = Duration::from_micros(500);
    let client = Client::connect(InProcessDriver::new(&network), options).expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    let data = process.ralloc(1024).expect("alloc");
    let refused =
        (0..2).find_map(|_| process.rwrite(data, &[1; 1024]).err()).expect("the second one waits for 4 ms");
    assert_eq!(refused.id(), ErrorId::Busy, "{refused}");
    assert!(refused.to_string().contains("CLASS"), "{refused}");
}

/// A tenant whose class has a group of its own finds pages for its first touches, however many another one touches; and the fast path
/// knows the groups of the tenants that there are.
#[test]
fn pages_are_kept_for_a_tenants_group() {
    type K = SoftKeyed;
    let (ways, misses, pages) = (2, 4, 8);
    let network = prepared(K::reset(Config::Sim), K::NUMBER, Config::Sim, |settings| {
        K::prepare(settings);
        for (name, key, class) in [("alice", ALICE, " class=3 group=1"), ("bob", BOB, "")] {
            let line = format!("{name} {} 2026-01-01{class}", key.public());
            settings.tenants.insert(line.parse().expect("a tenant")).expect("a new one");
        }
        settings.shares[1] = GroupShare { ways, misses, waiting: 0, pages };
    });
    let register = |register| network.with_node(|node| node.fast().read_register(register));
    assert_eq!(register(Register::ShareGroups), 1 << 6);
    assert_eq!(register(Register::SharePages), u32::from(pages) << 8);
    let counter = |counter| network.with_node(|node| node.fast().read_counter(counter));
    let options = |key| ClientOptions {
        credentials: Some(Credentials::new(key).board(BOARD_KEY.public())),
        ..Tagged::<InProcess<K>>::options()
    };
    let client = |key| Client::connect(InProcessDriver::new(&network), options(key)).expect("connect");
    let (alice, bob) = (client(ALICE), client(BOB));
    let quiet = alice.open(OpenOptions::default()).expect("open");
    let loud = bob.open(OpenOptions::default()).expect("open");
    let page = 1 << register(Register::PageBits);
    let touch = |process: &Process, from: u64, number: u64| {
        process.rwrite(from + number * page, &[1; 8]).expect("a first touch waits for a page");
    };
    let count = 2 * u64::from(register(Register::AsyncDepth));
    let (hers, his) = (quiet.ralloc(4 * page).expect("alloc"), loud.ralloc(count * page).expect("alloc"));
    for number in 0..count {
        touch(&loud, his, number);
    }
    assert!(counter(Counter::ShareBusy) > 0, "bob found all pages that were not kept taken");
    let refused = [Counter::ShareBusy, Counter::FaultDry].map(counter);
    for number in 0..4 {
        touch(&quiet, hers, number);
    }
    assert_eq!([Counter::ShareBusy, Counter::FaultDry].map(counter), refused, "alice finds hers at once");
    network.with_node(|node| node.slow().set_tenants(TenantList::default()));
    network.with_node(|node| node.run(10_000));
    assert_eq!(register(Register::ShareGroups), 0, "nobody's class has a group");
}

/// Who is of no group touches all pages that he likes, some of them later, and never those that are kept for a group.
fn what_is_kept_nobody_else_takes<K: BoardKind>() {
    let pages = 8;
    let network = prepared(K::reset(Config::Sim), K::NUMBER, Config::Sim, |settings| {
        settings.shares[1] = GroupShare { pages, ..GroupShare::default() };
    });
    let client = Client::connect(InProcessDriver::new(&network), InProcess::<K>::options()).expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    let register = |register| network.with_node(|node| node.fast().read_register(register));
    let page = 1 << register(Register::PageBits);
    let count = 2 * u64::from(register(Register::AsyncDepth));
    let from = process.ralloc(count * page).expect("alloc");
    for number in 0..count {
        process.rwrite(from + number * page, &[1; 8]).expect("a first touch waits for a page");
        assert!(register(Register::AsyncLevel) >= u32::from(pages));
    }
    assert!(network.with_node(|node| node.fast().read_counter(Counter::ShareBusy)) > 0);
}

#[test]
fn what_is_kept_nobody_else_takes_on_the_software_board() {
    what_is_kept_nobody_else_takes::<Soft>();
}

#[test]
fn what_is_kept_nobody_else_takes_on_the_rtl() {
    what_is_kept_nobody_else_takes::<Rtl>();
}

#[test]
fn shares_that_a_board_cannot_have_are_refused_in_words() {
    let mut fast = Soft::reset(Config::Small);
    let mut settings = Node::config(&mut fast, Soft::NUMBER, [7; 32]);
    settings.shares[1].pages = 200;
    let refused = Node::boot(fast, settings, &mut MemoryEpochs::default())
        .map(drop)
        .expect_err("more than half of the free pages");
    assert!(refused.to_string().contains("200 free pages would be kept"), "{refused}");
}
