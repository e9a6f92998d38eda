//! The data path allocates nothing in steady state: from the issue of a call to its completion, small and of many
//! packets, synchronous, asynchronous and vectored.
#[path = "support/prompt.rs"]
mod prompt;

use allocation_counter::measure;
use mneme_clib::{AllocOptions, Client, Integrity, OpenOptions, Process, ReadPart, WritePart};
use prompt::Prompt;
use std::io::{IoSlice, IoSliceMut};

const SIZES: [usize; 5] = [1, 8, 64, 1_450, 100_000];

fn process() -> (Process, u64) {
    process_with(Integrity::None)
}
fn process_with(integrity: Integrity) -> (Process, u64) {
    let client = Client::connect(Prompt::stepping(), prompt::sealed(integrity)).expect("it answers");
    let process = client.open(OpenOptions::default()).expect("open");
    let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
    let va = process.ralloc_with(1 << 22, whole).expect("alloc");
    (process, va)
}

/// Runs some work until buffers and tables have their size, then demands that it allocates nothing.
#[track_caller]
fn allocates_nothing(what: &str, mut work: impl FnMut()) {
    (0..50).for_each(|_| work());
    let allocations = measure(|| (0..200).for_each(|_| work())).count_total;
    assert_eq!(allocations, 0, "{what}: {allocations} allocations in 200 rounds");
}

/// The counter can tell.
#[test]
fn allocations_are_counted() {
    let counted = measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(counted.count_total, 1);
}

#[test]
fn synchronous_calls() {
    Integrity::ALL.into_iter().for_each(synchronous_calls_with);
}

fn synchronous_calls_with(integrity: Integrity) {
    let (process, va) = process_with(integrity);
    for size in SIZES {
        let (from, mut into) = (vec![7; size], vec![0; size]);
        allocates_nothing(&format!("rwrite of {size}"), || process.rwrite(va, &from).expect("write"));
        allocates_nothing(&format!("rread of {size}"), || process.rread(va, &mut into).expect("read"));
        assert_eq!(from, into);
    }
    allocates_nothing("atomics", || {
        process.swap(va, 1).expect("swap");
        assert_eq!(process.fetch_add(va, 2).expect("add"), 1);
        assert_eq!(process.compare_swap(va, 3, 4).expect("compare"), 3);
        process.rfence().expect("fence");
    });
}

#[test]
fn asynchronous_calls() {
    let (process, va) = process();
    for size in SIZES {
        let from = vec![9; size];
        let mut into: [Vec<u8>; 6] = std::array::from_fn(|_| vec![0; size]);
        let at = |n: usize| va + (n << 18) as u64;
        allocates_nothing(&format!("rwrite_async of {size}"), || {
            let calls: [_; 6] = std::array::from_fn(|n| process.rwrite_async(at(n), &from));
            calls.into_iter().for_each(|call| call.wait().expect("write"));
        });
        allocates_nothing(&format!("rread_async of {size}"), || {
            let mut buffers = into.iter_mut().enumerate();
            let calls: [_; 6] = std::array::from_fn(|_| {
                let (n, buffer) = buffers.next().expect("six buffers");
                process.rread_async(at(n), buffer)
            });
            calls.into_iter().for_each(|call| assert_eq!(call.wait().expect("read")[size - 1], 9));
        });
        let mut own = vec![5; size];
        allocates_nothing(&format!("owned buffers of {size}"), || {
            own = process.rwrite_owned_async(va, std::mem::take(&mut own)).wait().expect("write");
            own = process.rread_owned_async(va, std::mem::take(&mut own)).wait().expect("read");
        });
        assert_eq!(own, vec![5; size]);
    }
    allocates_nothing("atomics and dropped handles", || {
        let calls: [_; 6] = std::array::from_fn(|n| process.fetch_add_async(va + (n << 18) as u64, 1));
        for call in calls {
            call.wait().expect("add");
        }
        drop(process.swap_async(va, 3));
        process.rrelease().expect("release");
    });
}

#[test]
fn vectored_calls() {
    let (process, va) = process();
    let (a, b, c) = ([1u8; 3], [2u8; 2_000], [3u8; 61]);
    let (mut x, mut y, mut z) = ([0u8; 64], [0u8; 1_900], [0u8; 100]);
    allocates_nothing("vectored", || {
        process.rwritev(va, &[IoSlice::new(&a), IoSlice::new(&b), IoSlice::new(&c)]).expect("write");
        let mut into = [IoSliceMut::new(&mut x), IoSliceMut::new(&mut y), IoSliceMut::new(&mut z)];
        process.rreadv(va, &mut into).expect("read");
        let calls = process.rwritev_async(va, &[IoSlice::new(&a), IoSlice::new(&b), IoSlice::new(&c)]);
        calls.wait().expect("write");
    });
    assert_eq!((x[2], x[3], y[1_899], z[38], z[39], z[99]), (1, 2, 2, 2, 3, 3));
    allocates_nothing("batches", || {
        let from = [WritePart { va, from: &a }, WritePart { va: va + 9_000, from: &b }];
        process.rwrite_batch(&from).expect("write");
        process.rwrite_batch_async(&from).wait().expect("write");
        let mut into = [ReadPart { va: va + 9_000, into: &mut y }, ReadPart { va, into: &mut x[..3] }];
        process.rread_batch(&mut into).expect("read");
        process.rread_batch_async(&mut into).wait().expect("read");
    });
    assert_eq!((x[..3].to_vec(), y), (a.to_vec(), [2; 1_900]));
}
