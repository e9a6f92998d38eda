//! Bytes that are written come back, whatever their size and place.
use mneme_clib::{BoardTimes, OpenOptions};
use mneme_wire::Counter;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{BAD, damage, pattern, read, whole_pages};
use crate::faulty::{Faults, FaultyDriver};
use crate::rig::{Config, Rig, connect};

/// Sizes around beats, packets and one page; places around beats.
pub fn any_size_and_alignment<R: Rig>() {
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let page = process.page_size() as usize;
    let payload = usize::from(rig.client().board().max_payload);
    let base = process.ralloc_with(3 * page as u64, whole_pages()).expect("alloc");
    let sizes = [
        1,
        2,
        7,
        8,
        9,
        63,
        64,
        65,
        127,
        128,
        1_000,
        payload - 1,
        payload,
        payload + 1,
        3 * payload + 5,
        10_000,
    ];
    for (round, size) in sizes.into_iter().enumerate() {
        for (turn, at) in [0, 1, 3, 8, 31, 60, 63].into_iter().enumerate() {
            // A frame of other bytes around the place shows a write that strays.
            let seed = (round * 10 + turn) as u64;
            let (place, around) = (base + 4_096 + at, pattern(seed, size + 2));
            process.rwrite(place - 1, &around).expect("write around");
            let data = pattern(seed + 1_000, size);
            process.rwrite(place, &data).expect("write");
            let back = read(&process, place - 1, size + 2);
            assert_eq!(back[1..=size], data, "{size} bytes at +{at}");
            assert_eq!(
                (back[0], back[size + 1]),
                (around[0], around[size + 1]),
                "beside {size} bytes at +{at}"
            );
        }
    }
    let data = pattern(7, page + 1);
    process.rwrite(base + 77, &data).expect("write of more than a page");
    assert_eq!(read(&process, base + 77, page + 1), data);
}

/// Ranges that end at, begin at and lie across the border of two pages.
pub fn across_page_borders<R: Rig>() {
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let page = process.page_size();
    let base = process.ralloc_with(4 * page, whole_pages()).expect("alloc");
    for border in [base + page, base + 2 * page, base + 3 * page] {
        for (before, after) in
            [(1, 0), (0, 1), (1, 1), (8, 0), (63, 2), (64, 64), (1_449, 1), (700, 900), (1_450, 1_450)]
        {
            let data = pattern(border + before + after, (before + after) as usize);
            process.rwrite(border - before, &data).expect("write");
            assert_eq!(
                read(&process, border - before, data.len()),
                data,
                "{before} before, {after} after the border"
            );
        }
    }
}

/// A long random sequence of reads, writes and atomics, held against an array.
pub fn random_accesses_like_local_memory<R: Rig>() {
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let page = process.page_size() as usize;
    let base = process.ralloc_with(2 * page as u64, whole_pages()).expect("alloc");
    let mut local = vec![0; 2 * page];
    let mut random = ChaCha8Rng::seed_from_u64(0x5eed);
    for step in 0..400 {
        // Half of the places lie around the border of the two pages.
        let centre = if random.random() { page } else { random.random_range(0..2 * page) };
        let length = [1, 8, 40, 200, 1_450, 4_000][random.random_range(0..6)];
        let at =
            (centre + random.random_range(0..200)).saturating_sub(100 + length / 2).min(2 * page - length);
        match random.random_range(0..5) {
            0 | 1 => {
                let data = pattern(step, length);
                process.rwrite(base + at as u64, &data).expect("write");
                local[at..at + length].copy_from_slice(&data);
            }
            2 | 3 => {
                assert_eq!(read(&process, base + at as u64, length), local[at..at + length], "step {step}")
            }
            _ => {
                let at = at / 8 * 8;
                let old = u64::from_le_bytes(local[at..at + 8].try_into().expect("8 bytes"));
                assert_eq!(process.fetch_add(base + at as u64, step).expect("add"), old, "step {step}");
                local[at..at + 8].copy_from_slice(&old.wrapping_add(step).to_le_bytes());
            }
        }
    }
    assert_eq!(read(&process, base, 2 * page), local);
}

/// Fresh memory reads zeros, and reading it takes no physical page.
pub fn never_written_reads_zeros<R: Rig>() {
    let rig = R::start(Config::Sim);
    let client = rig.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let page = process.page_size();
    let base = process.ralloc_with(8 * page, whole_pages()).expect("alloc");
    let before = client.board_counters().expect("counters");
    for at in [0, 1, page - 64, page, 3 * page - 700, 8 * page - 3_000] {
        assert_eq!(read(&process, base + at, 3_000), vec![0; 3_000], "at +{at}");
    }
    let after = client.board_counters().expect("counters");
    assert_eq!(after.get(Counter::PageFault), before.get(Counter::PageFault), "a read took a page");
    assert!(after.get(Counter::ZeroRead) >= before.get(Counter::ZeroRead) + 6, "zeros that were not counted");
    process.rwrite(base + 5 * page + 9, b"x").expect("write");
    let mut expected = vec![0; 64];
    expected[9] = b'x';
    assert_eq!(read(&process, base + 5 * page, 64), expected, "the rest of a page that was just touched");
    let touched = client.board_counters().expect("counters");
    assert_eq!(touched.get(Counter::PageFault), after.get(Counter::PageFault) + 1);
}

/// Compare-and-swap, fetch-and-add and swap: what they answer and what they leave.
pub fn atomics_tell_the_old_word<R: Rig>() {
    let rig = R::start(Config::Sim);
    let process = rig.process();
    let base = process.ralloc_with(4_096, whole_pages()).expect("alloc");
    for va in [base, base + 8, base + 56, base + 64, base + 4_088] {
        assert_eq!(process.fetch_add(va, u64::MAX).expect("first touch"), 0);
        assert_eq!(process.fetch_add(va, 3).expect("wraps"), u64::MAX);
        assert_eq!(process.compare_swap(va, 1, 99).expect("differs"), 2);
        assert_eq!(process.compare_swap(va, 2, 0x0102_0304_0506_0708).expect("equal"), 2);
        assert_eq!(read(&process, va, 8), [8, 7, 6, 5, 4, 3, 2, 1], "words are little-endian");
        assert_eq!(process.swap(va, 5).expect("swap"), 0x0102_0304_0506_0708);
        assert_eq!(process.swap(va, 0).expect("swap"), 5);
    }
    assert_eq!(read(&process, base, 4_096), vec![0; 4_096], "the words beside stayed as they were");
}

/// Loss, doubling, delay and reordering in both directions: every atomic counts once, every write arrives.
pub fn exactly_once_on_a_bad_network<R: Rig>() {
    let rig = R::start(Config::Sim);
    let faults = Faults { damaged: damage::<R>(), ..BAD };
    let client = connect::<R>(FaultyDriver::new(rig.driver(), faults, 11));
    let process = client.open(OpenOptions::default()).expect("open");
    let word = process.ralloc_with(8, whole_pages()).expect("alloc");
    for turn in 0..60 {
        assert_eq!(process.fetch_add(word, 1).expect("add"), turn);
    }
    let data = pattern(3, 20_000);
    let base = process.ralloc(20_000).expect("alloc");
    process.rwrite(base, &data).expect("write");
    assert_eq!(read(&process, base, 20_000), data);
    let statistics = client.statistics();
    assert!(statistics.transport.retries() > 0, "a network this bad must cost retries");
    // The healed network shows the same memory: nothing late has come in between.
    let other = rig.join(&process);
    assert_eq!(other.fetch_add(word, 0).expect("add"), 60);
    assert_eq!(read(&other, base, 20_000), data);
}

/// Packets that ask how long they were on the board are served as others are, and told.
pub fn answers_tell_the_time_on_the_board<R: Rig>() {
    let rig = R::start(Config::Sim);
    let client = rig.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let base = process.ralloc_with(process.page_size(), whole_pages()).expect("alloc");
    let data = pattern(1, 5_000);
    let ((), times) = client.timed(|| {
        process.rwrite(base, &data).expect("write");
        process.fetch_add(base + 8_192, 3).expect("add");
        assert_eq!(process.fetch_add(base + 8_192, 3).expect("add"), 3);
        process.rfence().expect("fence");
        assert_eq!(read(&process, base, data.len()), data);
    });
    let payload = u64::from(client.board().max_payload);
    let packets = 2 * (data.len() as u64).div_ceil(payload) + 3;
    assert!(times.packets >= packets, "{times:?}, {packets} packets");
    // No board does anything in ten cycles, nor keeps a request for a second.
    assert!(times.shortest > 10 && times.longest < 250_000_000, "{times:?}");
    let (least, most) = (u64::from(times.shortest) * times.packets, u64::from(times.longest) * times.packets);
    assert!((least..=most).contains(&times.cycles), "{times:?}");
    let (read, one) = client.timed(|| read(&process, base, 8));
    assert_eq!((read, one.packets), (data[..8].to_vec(), 1));
    // What the slow path serves is not timed, nor what nobody asked for.
    let (freed, none) = client.timed(|| process.rfree(base));
    freed.expect("free");
    assert_eq!(none, BoardTimes::default());
    process.exit().expect("exit");
}
