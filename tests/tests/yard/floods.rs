//! Floods of every kind beside an honest client: its operations end well, what it has stays as it is, and each frame of the
//! flood is answered or counted under the reason why it was not.
use std::time::Duration;

use mneme_clib::{Client, ClientOptions, OpenOptions, TransportConfig};
use mneme_rtl::RtlConfig;
use mneme_tests::yard::{Flood, FloodKind, Ground, Raw, Shared, Target, YardDriver, lock};
use mneme_wire::{NodeCounter, Rights};

use crate::{balances, many, rtl_yard, soft_yard};

/// Frames of each flood.
const FEW: u64 = 2_000;
/// Cycles from one frame to the next: a minimal frame each 64 ns is the rate of a link of 10 Gbit/s.
const EVERY: u64 = 16;

/// Frames that left for the board.
fn flood<F: Ground>(yard: &Shared<F>, kind: FloodKind, port: u16, count: u64, every: u64) -> (u64, u64) {
    let mut source = Raw::new(yard, [10, 78, 2, 1], port).expect("the board answers");
    let pid = source.open(0).expect("a process");
    let va = source.alloc(pid, 1, Rights::READ_WRITE).expect("a page");
    let transport = TransportConfig { give_up: Duration::from_millis(50), ..TransportConfig::board_time() };
    let options = ClientOptions { transport, seed: Some(u64::from(port)), ..ClientOptions::default() };
    let client = Client::connect(YardDriver::new(yard, [10, 78, 1, 1], port), options).expect("connect");
    let process = client.open(OpenOptions { lease: None, ..OpenOptions::default() }).expect("open");
    let word = process.ralloc_zeroed(8).expect("alloc");
    let target = Target {
        endpoints: source.endpoints,
        pid,
        va,
        page: source.page(),
        epoch: source.info.epoch,
        lease_ns: 20_000,
    };
    let mut held = lock(yard);
    let now = held.cycles();
    let sent = |seen: &mneme_tests::yard::Seen| seen.sent.get(kind.name()).copied().unwrap_or_default();
    let before = sent(&held.seen);
    held.flood(Flood::new(kind, target, u64::from(port), every, (now, now + count * every)));
    drop(held);
    let mut done = 0;
    while lock(yard).cycles() < now + count * every {
        assert_eq!(process.fetch_add(word, 1).expect("an honest operation"), done, "{kind:?}");
        done += 1;
        // Its pace: it is far from what a board can serve.
        lock(yard).pass(500).expect("the board is up");
    }
    process.exit().expect("exit");
    drop(client);
    let mut held = lock(yard);
    held.heal().expect("the board is up");
    held.pass(1 << 18).expect("the board is up");
    let flooded = sent(&held.seen) - before;
    // What damaged requests have opened for ever is no leak of the board's.
    let open: Vec<u32> = held.node().slow().inspect(|space| space.processes().map(|(pid, _)| pid).collect());
    drop(held);
    for pid in open {
        let _gone_by_its_lease_or_by_this = source.exit(pid).expect("an answer");
    }
    (flooded, done)
}

fn every_flood<F: Ground>(yard: &Shared<F>, count: u64, every: u64) {
    for (number, kind) in FloodKind::ANY.into_iter().enumerate() {
        let (flooded, done) = flood(yard, kind, 30_000 + number as u16, count, every);
        assert!(
            done > 0 && (kind == FloodKind::Repeats || flooded > count / 8),
            "{kind:?}: {flooded} frames, {done} done"
        );
        println!(
            "{kind:?}: {flooded} frames of {count} found the port free, {done} honest operations beside them"
        );
    }
    let mut held = lock(yard);
    assert!(held.count(NodeCounter::Arps) > 0 && held.count(NodeCounter::Echoes) > 0);
    drop(held);
    balances(yard);
}

#[test]
fn on_the_software_board() {
    every_flood(&soft_yard(9), many(FEW), EVERY);
}

#[test]
fn on_the_rtl() {
    every_flood(&rtl_yard(RtlConfig::Sim, 10), many(FEW / 4).div_ceil(10).max(FEW / 4), 4 * EVERY);
}
