//! Vectored calls against the reference board: bytes land where they belong, over a bad network too; packets are
//! shared.
use crate::support;

use mneme_clib::{
    AllocOptions, Client, ClientOptions, Effect, Error, OpenOptions, Process, ReadPart, WritePart,
};
use mneme_wire::Opcode;
use proptest::prelude::*;
use std::io::{IoSlice, IoSliceMut};
use std::time::Duration;
use support::{Faults, Mood, PAGE, Shared};

fn whole_pages() -> AllocOptions {
    AllocOptions { own_pages: true, ..AllocOptions::default() }
}

fn set_out(world: &Shared) -> (Process, u64) {
    let process = world.client().open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(2 * PAGE, whole_pages()).expect("alloc");
    (process, va)
}

/// Bytes that tell where they come from.
fn pattern(length: usize, salt: u8) -> Vec<u8> {
    (0..length).map(|at| (at as u8).wrapping_mul(31) ^ (at >> 8) as u8 ^ salt).collect()
}

/// Cuts bytes at some places.
fn cut<'b>(mut bytes: &'b mut [u8], lengths: &[usize]) -> Vec<&'b mut [u8]> {
    let mut parts = Vec::new();
    for length in lengths {
        let (part, rest) = bytes.split_at_mut((*length).min(bytes.len()));
        parts.push(part);
        bytes = rest;
    }
    parts.push(bytes);
    parts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn buffers_of_any_lengths_and_one_range(
        lengths in proptest::collection::vec(0usize..3_000, 0..6), last in 1usize..3_000, offset in 0u64..3_000,
        seed in any::<u64>(), bad in any::<bool>(),
    ) {
        let world = Shared::new(seed);
        let (process, base) = set_out(&world);
        if bad {
            let late = (Duration::from_micros(20), Duration::from_micros(60));
            world.with(|w| w.faults = Faults { loss: 0.1, doubling: 0.2, lateness: 0.2, late, ..Faults::default() });
        }
        let va = base + PAGE - offset;
        let total = lengths.iter().sum::<usize>() + last;
        for asynchronous in [false, true] {
            let mut from = pattern(total, asynchronous as u8);
            let expected = from.clone();
            let parts = cut(&mut from, &lengths);
            let slices: Vec<IoSlice> = parts.iter().map(|part| IoSlice::new(part)).collect();
            let mut into = vec![0; total];
            // Other cuts than those of the write.
            let halves: Vec<usize> = lengths.iter().map(|length| length / 2 + 1).collect();
            let mut buffers: Vec<IoSliceMut> = cut(&mut into, &halves).into_iter().map(IoSliceMut::new).collect();
            if asynchronous {
                drop(process.rwritev_async(va, &slices));
                process.rreadv_async(va, &mut buffers).wait().unwrap();
                process.rrelease().unwrap();
            } else {
                process.rwritev(va, &slices).unwrap();
                process.rreadv(va, &mut buffers).unwrap();
            }
            prop_assert_eq!(into, expected);
        }
    }

    #[test]
    fn batches_reach_each_range(
        places in proptest::collection::btree_set(0u64..100, 1..12), seed in any::<u64>(), asynchronous in any::<bool>(),
        had in 0usize..30_000, bad in any::<bool>(),
    ) {
        let world = Shared::new(seed);
        let (process, base) = set_out(&world);
        if bad {
            world.with(|w| w.faults = Faults { loss: 0.1, doubling: 0.2, ..Faults::default() });
        }
        // Ranges of 2 KB with gaps of 1 KB, some over the border of the pages; in descending order.
        let at = |place: u64| base + PAGE / 2 + place * 3_072;
        let data: Vec<(u64, Vec<u8>)> =
            places.iter().rev().map(|place| (at(*place), pattern(2_048, *place as u8))).collect();
        let from: Vec<WritePart> = data.iter().map(|(va, from)| WritePart { va: *va, from }).collect();
        let mut back = vec![vec![0; 2_048]; data.len()];
        let mut into: Vec<ReadPart> =
            data.iter().zip(&mut back).map(|((va, _), into)| ReadPart { va: *va, into }).collect();
        if asynchronous {
            let write = process.rwrite_batch_async(&from);
            process.rread_batch_async(&mut into).wait().unwrap();
            write.wait().unwrap();
        } else {
            process.rwrite_batch(&from).unwrap();
            process.rread_batch(&mut into).unwrap();
        }
        for ((va, expected), back) in data.iter().zip(&back) {
            prop_assert_eq!(expected, back, "at {:#x}", va);
            let mut gap = [0xff; 8];
            process.rread(va + 2_048, &mut gap).unwrap();
            prop_assert_eq!(gap, [0; 8], "behind {:#x}", va);
        }
        // The same into one buffer, of whatever length before, and less of each range.
        let ranges: Vec<(u64, usize)> =
            data.iter().zip(1..).map(|((va, from), less)| (*va, from.len() - 100 * less)).collect();
        let read = process.rread_batch_owned_async(&ranges, vec![0xee; had]).wait().unwrap();
        let expected: Vec<&[u8]> =
            data.iter().zip(&ranges).map(|((_, from), (_, length))| &from[..*length]).collect();
        prop_assert_eq!(read, expected.concat());
    }
}

#[test]
fn small_buffers_share_packets() {
    let world = Shared::new(1);
    let (process, va) = set_out(&world);
    let parts = [[1u8; 16]; 64];
    let slices: Vec<IoSlice> = parts.iter().map(|part| IoSlice::new(part)).collect();
    world.with(|world| world.board.requests.clear());
    process.rwritev(va, &slices).unwrap();
    let writes = world.with(|w| w.board.requests.iter().filter(|r| r.opcode == Opcode::Write).count());
    assert_eq!(writes, 1, "1 KB fits a packet");
}

#[test]
fn batches_that_cannot_be() {
    let world = Shared::new(1);
    let (process, va) = set_out(&world);
    world.with(|world| world.board.requests.clear());
    assert!(matches!(process.rwrite_batch(&[]), Err(Error::ZeroSize(_))));
    assert!(matches!(process.rreadv(va, &mut []), Err(Error::ZeroSize(_))));
    assert!(matches!(process.rwritev(va, &[IoSlice::new(&[])]), Err(Error::ZeroSize(_))));
    let owned = |ranges: &[(u64, usize)]| process.rread_batch_owned_async(ranges, vec![1; 8]).wait();
    assert!(matches!(owned(&[]).map_err(Error::from), Err(Error::ZeroSize(_))));
    assert!(matches!(owned(&[(va, 8), (va + 8, 0)]).map_err(Error::from), Err(Error::ZeroSize(_))));
    assert!(matches!(
        owned(&[(va, 8), ((1 << 48) - 1, 2)]).map_err(Error::from),
        Err(Error::AddressRange { .. })
    ));
    // Refused before any memory is asked for, whatever they come to together.
    let huge = owned(&vec![(0, 1 << 48); 1 << 17]).map_err(Error::from);
    assert!(matches!(huge, Err(Error::QueueFull { asked: usize::MAX, .. })), "{huge:?}");
    let options = ClientOptions { most_outstanding_bytes: usize::MAX, ..Shared::options() };
    let unbounded =
        Client::connect(world.clone(), options).and_then(|client| client.open(OpenOptions::default()));
    let unbounded = unbounded.expect("open");
    world.with(|world| world.board.requests.clear());
    for count in [1, 1 << 15, 1 << 17] {
        let huge = unbounded
            .rread_batch_owned_async(&vec![(0, 1 << 48); count], vec![1; 8])
            .wait()
            .map_err(Error::from);
        assert!(matches!(huge, Err(Error::QueueFull { .. })), "no memory for it: {huge:?}");
    }
    let part = |va, from: &'static [u8]| WritePart { va, from };
    let empty = process.rwrite_batch(&[part(va, b"x"), part(va + 8, b"")]);
    assert!(matches!(empty, Err(Error::ZeroSize(_))), "{empty:?}");
    let high = process.rwrite_batch(&[part(va, b"x"), part((1 << 48) - 1, b"xx")]);
    assert!(matches!(high, Err(Error::AddressRange { .. })), "{high:?}");
    for overlapping in
        [[part(va, b"123456789"), part(va + 8, b"x")], [part(va + 8, b"x"), part(va, b"123456789")]]
    {
        let error = process.rwrite_batch(&overlapping).unwrap_err();
        assert!(
            matches!(error, Error::Overlap { first, second } if (first, second) == (va, va + 8)),
            "{error}"
        );
        assert_eq!(error.effect(), Effect::None);
        assert!(process.rwrite_batch_async(&overlapping).wait().is_err());
    }
    assert!(world.with(|world| world.board.requests.is_empty()), "nothing was sent");
    // Reads may overlap.
    let (mut a, mut b) = ([9; 16], [9; 8]);
    process.rread_batch(&mut [ReadPart { va, into: &mut a }, ReadPart { va: va + 8, into: &mut b }]).unwrap();
    assert_eq!((a, b), ([0; 16], [0; 8]));
}

#[test]
fn the_part_that_has_no_memory_is_named() {
    let world = Shared::new(1);
    let (process, va) = set_out(&world);
    let outside = va + 2 * PAGE;
    let parts = [WritePart { va, from: &[1; 4_000] }, WritePart { va: outside, from: &[2; 100] }];
    for error in
        [process.rwrite_batch(&parts).unwrap_err(), process.rwrite_batch_async(&parts).wait().unwrap_err()]
    {
        assert_eq!(error.effect(), Effect::Partial, "{error}");
        assert_eq!(error.operation().map(|o| o.va.get()), Some(outside));
    }
}

/// Memory that tells when it is dropped, and what it holds then.
struct Told {
    bytes: Vec<u8>,
    ends: std::sync::Arc<std::sync::Mutex<Vec<Vec<u8>>>>,
}

impl mneme_clib::Lent for Told {
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }
    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        self.ends.lock().unwrap().push(std::mem::take(&mut self.bytes));
    }
}

#[test]
fn memory_that_was_lent_comes_back_once_with_what_was_read() {
    let world = Shared::new(31);
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let va = process.ralloc(2 * PAGE).unwrap();
    let ends: std::sync::Arc<std::sync::Mutex<Vec<Vec<u8>>>> = Default::default();
    let lend = |bytes: Vec<u8>| Box::new(Told { bytes, ends: ends.clone() });
    let back = || std::mem::take(&mut *ends.lock().unwrap());
    let bytes: Vec<u8> = (0..5_000).map(|at| at as u8).collect();
    world.mood([Mood::Mute, Mood::Deaf, Mood::Nack]);
    process.rwrite_lent_async(va, lend(bytes.clone())).wait().unwrap();
    assert_eq!(back(), std::slice::from_ref(&bytes));
    let read = process.rread_lent_async(va, lend(vec![9; 5_000]));
    assert!(back().is_empty(), "the call has it");
    read.wait().unwrap();
    assert_eq!(back(), [bytes]);
    // Nobody asks, the call is refused on either side, the client goes.
    drop(process.rwrite_lent_async(va, lend(vec![1; 8])));
    process.rrelease().unwrap();
    assert_eq!(back(), [vec![1; 8]]);
    process.rread_lent_async(1 << 47, lend(vec![2; 8])).wait().unwrap_err();
    assert_eq!(back(), [vec![2; 8]]);
    process.rread_lent_async(va, lend(Vec::new())).wait().unwrap_err();
    assert_eq!(back(), [Vec::<u8>::new()]);
    drop(process.rwrite_lent_async(va, lend(vec![3; 8])));
    drop((process, client));
    assert_eq!(back(), [vec![3; 8]]);
}
