//! Several clients at once.
use std::thread;
use std::time::{Duration, Instant};

use mneme_clib::{LockOptions, LockToken, OpenOptions, Process};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{pattern, read, whole_pages};
use crate::rig::{Config, Rig};

/// Runs `work` in as many threads, each with a client of its own in the same process.
fn together<R: Rig>(rig: &R, process: &Process, threads: u64, work: impl Fn(u64, &Process) + Sync) {
    thread::scope(|scope| {
        for n in 0..threads {
            let work = &work;
            let joined = rig.join(process);
            scope.spawn(move || work(n, &joined));
        }
    });
}

/// Eight processes, each with a client and data of its own, at addresses that partly coincide.
pub fn eight_processes_at_once<R: Rig>() {
    let rig = R::start(Config::Sim);
    thread::scope(|scope| {
        for n in 0..8 {
            let client = rig.client();
            scope.spawn(move || {
                let process = client.open(OpenOptions::default()).expect("open");
                let page = process.page_size() as usize;
                let base = process.ralloc_with(2 * page as u64, whole_pages()).expect("alloc");
                let mut local = vec![0; 2 * page];
                let mut random = ChaCha8Rng::seed_from_u64(n);
                for step in 0..40 {
                    let length = random.random_range(1..3_000);
                    let at = random.random_range(page - 4_000..page + 1_000);
                    if random.random() {
                        let data = pattern(n * 1_000 + step, length);
                        process.rwrite(base + at as u64, &data).expect("write");
                        local[at..at + length].copy_from_slice(&data);
                    } else {
                        assert_eq!(
                            read(&process, base + at as u64, length),
                            local[at..at + length],
                            "process {n}"
                        );
                    }
                }
                let place = page - 8_000..page + 8_000;
                assert_eq!(
                    read(&process, base + place.start as u64, 16_000),
                    local[place],
                    "process {n} at the end"
                );
                process.exit().expect("exit");
            });
        }
    });
}

/// Fetch-and-add and compare-and-swap loops on two words of one line.
pub fn counters_lose_no_increment<R: Rig>() {
    const THREADS: u64 = 4;
    const EACH: u64 = 25;
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let va = process.ralloc_with(64, whole_pages()).expect("alloc");
    together(&rig, &process, THREADS, |_, own| {
        let mut guess = 0;
        for _ in 0..EACH {
            own.fetch_add(va, 1).expect("add");
            while let found = own.compare_swap(va + 8, guess, guess + 1).expect("compare and swap")
                && found != guess
            {
                guess = found;
            }
            guess += 1;
        }
    });
    assert_eq!(process.fetch_add(va, 0).expect("add"), THREADS * EACH);
    assert_eq!(process.fetch_add(va + 8, 0).expect("add"), THREADS * EACH);
}

/// Every word that goes in comes out exactly once.
pub fn swaps_lose_no_word<R: Rig>() {
    const THREADS: u64 = 4;
    const EACH: u64 = 25;
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let va = process.ralloc_with(8, whole_pages()).expect("alloc");
    let seen = std::sync::Mutex::new(Vec::new());
    together(&rig, &process, THREADS, |n, own| {
        let words: Vec<_> = (0..EACH).map(|i| own.swap(va, n * EACH + i + 1).expect("swap")).collect();
        seen.lock().expect("no thread failed").extend(words);
    });
    let mut seen = seen.into_inner().expect("no thread failed");
    seen.push(process.swap(va, 0).expect("swap"));
    seen.sort_unstable();
    assert_eq!(seen, (0..=THREADS * EACH).collect::<Vec<_>>());
}

/// What a lock guards is read and written by parts, and no other holder's parts are ever between.
pub fn locks_keep_others_out<R: Rig>() {
    const THREADS: u64 = 3;
    const EACH: u64 = 8;
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let lock = process.ralloc_with(8, whole_pages()).expect("alloc");
    let guarded = process.ralloc_with(4_096, whole_pages()).expect("alloc");
    together(&rig, &process, THREADS, |_, own| {
        for _ in 0..EACH {
            let token = own.rlock(lock, LockOptions::within(Duration::from_secs(60))).expect("lock");
            let bytes = read(own, guarded, 4_000);
            assert!(bytes.iter().all(|b| *b == bytes[0]), "half of another holder's write");
            own.rwrite(guarded, &[bytes[0] + 1; 4_000]).expect("write");
            own.runlock(token).expect("unlock");
        }
    });
    assert_eq!(read(&process, guarded, 4_000), [(THREADS * EACH) as u8; 4_000]);
    let token = process.rlock(lock, LockOptions::default()).expect("the lock is free again");
    let other = rig.join(&process);
    let wait = LockOptions::within(Duration::from_millis(1));
    let error = other.rlock(lock, wait).expect_err("somebody holds it");
    assert!(matches!(error, mneme_clib::Error::LockTimeout { va, .. } if va == lock), "{error}");
    process.runlock(token).expect("unlock");
    let token = other.rlock(lock, LockOptions::default()).expect("lock");
    other.runlock(token).expect("unlock");
}

/// Tries for a lock again and again, for minutes of the wall clock.
fn patiently(mut lock: impl FnMut() -> mneme_clib::Result<LockToken>) -> LockToken {
    let began = Instant::now();
    loop {
        match lock() {
            Err(mneme_clib::Error::LockTimeout { .. }) if began.elapsed() < Duration::from_secs(180) => {}
            other => return other.expect("lock"),
        }
    }
}

/// Threads of one client wait for each other's locks. The driver's clock may be one of virtual time, which those who wait
/// let pass: patience is no measure of a thread that does not run.
pub fn locks_between_threads_of_one_client<R: Rig>() {
    const THREADS: u64 = 3;
    const EACH: u64 = 10;
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let lock = process.ralloc_with(8, whole_pages()).expect("alloc");
    let guarded = process.ralloc_with(8, whole_pages()).expect("alloc");
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..EACH {
                    let token = patiently(|| process.rlock(lock, LockOptions::default()));
                    let mut word = [0; 8];
                    process.rread(guarded, &mut word).expect("read");
                    let next = u64::from_le_bytes(word) + 1;
                    process.rwrite(guarded, &next.to_le_bytes()).expect("write");
                    process.runlock(token).expect("unlock");
                }
            });
        }
    });
    assert_eq!(read(&process, guarded, 8), (THREADS * EACH).to_le_bytes());
    process.exit().expect("exit");
}

/// Looks at a word until it holds `value`. Bounded: the thread that should write it may have failed.
fn wait_for(process: &Process, va: u64, value: u64) {
    let seen = (0..100_000).any(|_| read(process, va, 8) == value.to_le_bytes());
    assert!(seen, "the word never became {value}");
}

/// After write and fence of one client, another one sees the write when it sees the flag.
pub fn fence_orders_other_clients<R: Rig>() {
    const TURNS: u64 = 12;
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let page = process.page_size();
    let data = process.ralloc_with(2 * page, whole_pages()).expect("alloc");
    let flag = process.ralloc_with(8, whole_pages()).expect("alloc");
    let across = data + page - 1_000;
    together(&rig, &process, 2, |n, own| {
        for turn in 1..=TURNS {
            if n == 0 {
                own.rwrite(across, &[turn as u8; 2_000]).expect("write");
                own.rfence().expect("fence");
                own.swap(flag, turn).expect("raise the flag");
                wait_for(own, flag, 0);
            } else {
                wait_for(own, flag, turn);
                assert_eq!(read(own, across, 2_000), [turn as u8; 2_000]);
                own.swap(flag, 0).expect("lower the flag");
            }
        }
    });
}
