//! Asynchronous calls: many in flight from one thread, on every board and transport.
use mneme_clib::{Driver, OpenOptions};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{BAD, damage, pattern, read, whole_pages};
use crate::executor::{all, block_on};
use crate::faulty::{Faults, FaultyDriver};
use crate::rig::{Config, Rig, connect};

/// Reads and writes of three pages, some thirty in flight at any time: each read sees what was written before it.
pub fn many_in_flight_read_what_was_written_before<R: Rig>() {
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let page = process.page_size() as usize;
    let base = process.ralloc_with(3 * page as u64, whole_pages()).expect("alloc");
    let mut local = vec![0; 3 * page];
    let mut random = ChaCha8Rng::seed_from_u64(21);
    for round in 0..8 {
        let mut reads = Vec::new();
        for step in 0..30 {
            let length = random.random_range(1..2_500);
            let at = random.random_range(0..2 * page + 1_000);
            if random.random() {
                let data = pattern(round * 100 + step, length);
                local[at..at + length].copy_from_slice(&data);
                // The next `rrelease` tells its error, if it has one.
                drop(process.rwrite_async(base + at as u64, &data));
            } else {
                let into = vec![0xa5; length].leak();
                reads.push((process.rread_async(base + at as u64, into), local[at..at + length].to_vec()));
            }
        }
        for (pending, expected) in reads {
            assert!(pending.wait().expect("read") == expected, "round {round}");
        }
        process.rrelease().expect("all writes");
    }
    process.exit().expect("exit");
}

/// What was written before `rrelease` is there for other clients after it; so are words.
pub fn released_writes_are_seen_by_others<R: Rig>() {
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let other = rig.join(&process);
    let base = process.ralloc_with(4 * process.page_size(), whole_pages()).expect("alloc");
    for turn in 0..5u64 {
        let data = pattern(turn, 4_096);
        let calls: Vec<_> = (0..4)
            .map(|n| {
                let va = base + n * process.page_size();
                (process.rwrite_async(va + 64, &data), process.fetch_add_async(va, turn))
            })
            .collect();
        process.rrelease().expect("release");
        for n in 0..4 {
            assert_eq!(read(&other, base + n * process.page_size() + 64, 4_096), data);
        }
        for (write, add) in calls {
            write.wait().expect("write");
            assert_eq!(add.wait().expect("add"), (0..turn).sum::<u64>());
        }
    }
}

/// Increments of few words, many at once, over a network that loses, doubles and delays: each counts once.
pub fn many_in_flight_on_a_bad_network<R: Rig>() {
    let rig = R::start(Config::Sim);
    let faults = Faults { damaged: damage::<R>(), ..BAD };
    let client = connect::<R>(FaultyDriver::new(rig.driver(), faults, 31));
    let process = client.open(OpenOptions::default()).expect("open");
    let page = process.page_size();
    let base = process.ralloc_with(6 * page, whole_pages()).expect("alloc");
    for turn in 0..10 {
        let calls: Vec<_> = (0..6).map(|n| process.fetch_add_async(base + n * page, 1)).collect();
        for call in calls {
            assert_eq!(call.wait().expect("add"), turn);
        }
    }
    assert!(client.statistics().transport.retries() > 0, "a network this bad must cost retries");
    let other = rig.join(&process);
    for n in 0..6 {
        assert_eq!(other.fetch_add(base + n * page, 0).expect("add"), 10);
    }
}

/// Futures of one task on an executor that sleeps: all end, and where the driver can be slept on they are polled when one
/// of them has ended, no more often.
pub fn futures_on_an_executor_that_sleeps<R: Rig>() {
    const CALLS: usize = 24;
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let sleeps = !rig.driver().descriptors().is_empty();
    let base = process.ralloc_with(CALLS as u64 * 4_096, whole_pages()).expect("alloc");
    let place = |number: usize| base + number as u64 * 4_096;
    let values: Vec<_> = (0..CALLS).map(|number| pattern(number as u64, 3_000)).collect();
    let writes = values.iter().enumerate().map(|(number, bytes)| process.rwrite_async(place(number), bytes));
    let (written, polls) = block_on(all(writes.collect()));
    assert!(written.iter().all(Result::is_ok), "{written:?}");
    // Each end wakes once, and a thread that is woken twice may poll once more.
    assert!(!sleeps || polls <= 2 * CALLS + 2, "{polls} polls");
    let reads = (0..CALLS).map(|number| process.rread_owned_async(place(number), vec![0; 3_000]));
    let (read, polls) = block_on(all(reads.collect()));
    for (value, read) in values.iter().zip(read) {
        assert!(*value == read.expect("read"));
    }
    assert!(!sleeps || polls <= 2 * CALLS + 2, "{polls} polls");
    process.exit().expect("exit");
}
