//! A client's program is killed after each packet of each operation: the board ends what it has, and has everything back once
//! the process is ended, by its lease or by somebody else.
use std::time::Duration;

use mneme_clib::{
    AllocOptions, Client, ClientOptions, LockOptions, OpenOptions, Process, Rights, TransportConfig,
};
use mneme_rtl::RtlConfig;
use mneme_tests::yard::{Ground, Raw, Shared, YardDriver, lock};
use mneme_wire::{Cause, Status};

use crate::{balances, rtl_yard, soft_yard};

/// The lease of processes that a killed program leaves.
const LEASE: Duration = Duration::from_millis(2);
/// An operation of a program that was killed is given up after that, in the board's time.
const GIVE_UP: Duration = Duration::from_micros(600);
/// Packets that the longest of the operations takes, its retries among them: at most.
const MOST: u64 = 24;

/// What a program does last, after it has opened its process and written to a page.
type Operation = (&'static str, fn(&Process, u64));

const OPERATIONS: [Operation; 12] = [
    ("ALLOC", |process, _| drop(process.ralloc_with(process.page_size(), whole()))),
    ("FREE", |process, va| drop(process.rfree(va))),
    ("PROTECT", |process, va| drop(process.rprotect(va, process.page_size(), Rights::READ_ONLY))),
    ("WRITE of one packet", |process, va| drop(process.rwrite(va, &[7; 64]))),
    ("WRITE of six packets", |process, va| drop(process.rwrite(va, &[7; 8_000]))),
    ("READ of six packets", |process, va| drop(process.rread(va, &mut [0; 8_000]))),
    ("first touch", |process, va| drop(process.rwrite(va + process.page_size(), &[7; 8]))),
    ("FETCH_ADD", |process, va| drop(process.fetch_add(va, 1))),
    ("COMPARE_SWAP", |process, va| drop(process.compare_swap(va, 0, 1))),
    ("FENCE", |process, _| drop(process.rfence())),
    ("lock and unlock", |process, va| {
        if let Ok(token) = process.rlock(va + 4_096, LockOptions::within(GIVE_UP)) {
            drop(process.runlock(token));
        }
    }),
    ("EXIT", |process, _| drop(process.end())),
];

fn whole() -> AllocOptions {
    AllocOptions { own_pages: true, ..AllocOptions::default() }
}

/// What a program that is killed leaves behind, as far as it knows.
#[derive(Default)]
struct Left {
    /// Its process, if it had one.
    pid: Option<u32>,
}

/// A program's life: connect, open, ALLOC of two pages, a first write, and the operation; it is killed after so many packets.
fn live<F: Ground>(
    yard: &Shared<F>,
    port: u16,
    packets: u64,
    lease: bool,
    operation: fn(&Process, u64),
) -> Left {
    let driver = YardDriver::new(yard, [10, 78, 1, 1], port).killed_after(packets);
    let transport = TransportConfig { give_up: GIVE_UP, ..TransportConfig::board_time() };
    let options = ClientOptions { transport, seed: Some(packets + 1), ..ClientOptions::default() };
    let mut left = Left::default();
    let Ok(client) = Client::connect(driver, options) else { return left };
    let lease = lease.then_some(LEASE);
    let Ok(process) = client.open(OpenOptions { lease, ..OpenOptions::default() }) else { return left };
    left.pid = Some(process.pid());
    let Ok(va) = process.ralloc_with(2 * process.page_size(), whole()) else { return left };
    if process.rwrite(va, &[1; 16]).is_ok() {
        operation(&process, va);
    }
    left
}

/// Kills a program after each packet of an operation. Programs without a lease are reaped by somebody else; an OPEN whose
/// answer nobody heard is found by PROCESSES, as `mneme reap` finds it. Answers the lives.
fn killed_at_every_step<F: Ground>(yard: &Shared<F>, first_port: u16, most: u64) -> u64 {
    let (mut lives, mut port) = (0, first_port);
    let mut reaper = Raw::new(yard, [10, 78, 1, 1], 1_024).expect("the board answers");
    for (name, operation) in OPERATIONS {
        for packets in 0..most {
            port += 1;
            let left = live(yard, port, packets, packets % 2 == 0, operation);
            lives += 1;
            if packets % 2 == 1 {
                let open: Vec<u32> =
                    lock(yard).node().slow().inspect(|space| space.processes().map(|(pid, _)| pid).collect());
                assert!(open.len() <= 1, "{name} after {packets} packets: {open:?} are open");
                for pid in open {
                    assert!(left.pid.is_none_or(|known| known == pid), "{name}: {pid} is nobody's");
                    let told = reaper.exit(pid).expect("the board answers");
                    assert!(
                        told.is_ok() || told.told() == (Status::BadRequest, Cause::Pid),
                        "{}",
                        told.words()
                    );
                }
            } else {
                lock(yard).pass(2 * LEASE.as_nanos() as u64 / 4).expect("the board is up");
            }
            let held = lock(yard).node().slow().inspect(|space| (space.process_count(), space.slots_used()));
            assert_eq!(held, (0, 0), "{name}, killed after {packets} packets: processes and slots");
        }
    }
    balances(yard);
    lives
}

#[test]
fn on_the_software_board() {
    let yard = soft_yard(1);
    let lives = killed_at_every_step(&yard, 20_000, MOST);
    assert_eq!(lives, 12 * MOST);
    let expired = lock(&yard).count(mneme_wire::NodeCounter::LeasesExpired);
    assert!(expired > lives / 4, "{expired} leases ran out in {lives} lives");
}

#[test]
fn on_the_rtl() {
    let lives = killed_at_every_step(&rtl_yard(RtlConfig::Tiny, 2), 20_000, MOST / 2);
    assert_eq!(lives, 12 * MOST / 2);
}
