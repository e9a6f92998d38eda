//! Typed remote memory against the reference board.
use crate::support;

use mneme_clib::{Client, ClientOptions, ErrorId, OpenOptions, Process, RemoteBox, RemoteSlice};
use mneme_wire::Opcode;
use proptest::prelude::*;
use support::{PAGE, Shared};
use zerocopy::{FromBytes, Immutable, IntoBytes};

#[derive(Debug, Clone, Copy, PartialEq, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
struct Point {
    x: f64,
    name: [u8; 8],
    count: u32,
    flags: u32,
}

fn process(world: &Shared) -> Process {
    world.client().open(OpenOptions::default()).expect("open")
}

#[test]
fn values_and_words() {
    let world = Shared::new(1);
    let process = process(&world);
    let (first, second) = (
        Point { x: 1.5, name: *b"somewhat", count: 3, flags: 4 },
        Point { x: -1.0, name: [0; 8], count: 9, flags: 0 },
    );
    let mut point = RemoteBox::new(&process, &first).unwrap();
    assert_eq!(point.get().unwrap(), first);
    point.set(&second).unwrap();
    assert_eq!(point.get_async().wait().unwrap(), second);
    point.set_async(&first).wait().unwrap();
    assert_eq!(point.get().unwrap(), first);
    let word = RemoteBox::new(&process, &5u64).unwrap();
    assert_eq!(
        (word.fetch_add(2).unwrap(), word.swap(1).unwrap(), word.compare_swap(1, 8).unwrap()),
        (5, 7, 1)
    );
    assert_eq!(word.get().unwrap(), 8);
}

#[test]
fn memory_is_freed_once_and_can_be_handed_over() {
    let world = Shared::new(1);
    let process = process(&world);
    let kept = RemoteBox::new(&process, &[7u8; 100]).unwrap();
    let dropped = RemoteBox::new(&process, &[8u8; 100]).unwrap();
    let address = dropped.va();
    drop(dropped);
    process.rrelease().unwrap();
    let again = RemoteBox::new(&process, &[9u8; 100]).unwrap();
    assert_eq!(again.va(), address, "a dropped value's place is used again");
    let address = kept.leak();
    let adopted = RemoteBox::<[u8; 100]>::adopt(&process, address).unwrap();
    assert_eq!(adopted.get().unwrap(), [7; 100]);
    adopted.free().unwrap();
    // Whole pages go back to the board, by free and by drop.
    let large = RemoteSlice::<u64>::zeroed(&process, PAGE as usize / 8).unwrap();
    let dropped = RemoteSlice::<u64>::zeroed(&process, PAGE as usize / 8).unwrap();
    large.free().unwrap();
    drop(dropped);
    process.rrelease().unwrap();
    let frees = world.with(|w| w.board.requests.iter().filter(|r| r.opcode == Opcode::Free).count());
    assert_eq!(frees, 2);
}

#[test]
fn no_handle_frees_what_another_one_shares() {
    let world = Shared::new(1);
    let owner = process(&world);
    let options = ClientOptions { seed: Some(2), ..Shared::options() };
    let other = Client::connect(world.clone(), options).unwrap();
    let other = other.join(owner.pid(), owner.token()).unwrap();
    // The first small allocations of a page, and one with pages of its own.
    let small: Vec<_> = (0..4u64).map(|n| RemoteBox::new(&owner, &n).unwrap()).collect();
    let large = RemoteSlice::<u64>::zeroed(&owner, PAGE as usize / 8).unwrap();
    for (n, value) in small.iter().enumerate() {
        let refused = RemoteBox::<u64>::adopt(&other, value.va()).unwrap_err();
        assert_eq!(refused.id(), ErrorId::NotAllocated);
        assert_eq!(other.rfree(value.va()).unwrap_err().id(), ErrorId::NotAllocated);
        let mut attached = RemoteBox::<u64>::attach(&other, value.va()).unwrap();
        assert_eq!(attached.get().unwrap(), n as u64);
        attached.set(&(n as u64 + 10)).unwrap();
        drop(attached);
        let attached = RemoteBox::<u64>::attach(&other, value.va()).unwrap();
        assert_eq!(attached.free().unwrap_err().id(), ErrorId::NotAllocated);
    }
    other.rrelease().unwrap();
    assert!(small.iter().enumerate().all(|(n, value)| value.get().unwrap() == n as u64 + 10));
    let slice = RemoteSlice::<u64>::attach(&other, large.va(), large.len()).unwrap();
    assert_eq!(slice.get(7).unwrap(), 0);
    drop(slice);
    let adopted = RemoteSlice::<u64>::adopt(&other, large.leak(), PAGE as usize / 8).unwrap();
    adopted.free().expect("pages of its own");
}

#[test]
fn memory_that_is_dropped_while_the_queue_is_full_goes_back_later() {
    let world = Shared::new(1);
    let options = ClientOptions { most_outstanding: 1, ..Shared::options() };
    let client = Client::connect(world.clone(), options).unwrap();
    let process = client.open(OpenOptions::default()).unwrap();
    let held = process.ralloc(8).unwrap();
    let frees = || world.with(|w| w.board.requests.iter().filter(|r| r.opcode == Opcode::Free).count());
    let pending = process.rread_owned_async(held, vec![0; 8]);
    let small = RemoteBox::new(&process, &7u64).unwrap();
    let place = small.va();
    drop(small);
    assert_eq!(RemoteBox::new(&process, &8u64).unwrap().va(), place, "a place at hand needs no room");
    for _ in 0..10 {
        // What it is made of needs no room, what it takes to free it does.
        drop(RemoteSlice::<u64>::zeroed(&process, PAGE as usize / 8).unwrap());
    }
    assert_eq!(frees(), 0, "there was no room");
    pending.wait().unwrap();
    process.rrelease().expect("the program has made no call that found no room");
    // One is under way at a time.
    for _ in 0..10 {
        process.rrelease().unwrap();
    }
    assert_eq!(frees(), 10);
}

#[test]
fn an_error_of_a_drop_is_told_by_the_next_release() {
    let world = Shared::new(1);
    let process = process(&world);
    let value = RemoteBox::<[u64; 4]>::adopt(&process, 64 * PAGE).unwrap();
    drop(value);
    assert_eq!(process.rrelease().unwrap_err().id(), ErrorId::Unmapped);
    process.rrelease().unwrap();
}

#[test]
fn places_that_cannot_be() {
    let world = Shared::new(1);
    let process = process(&world);
    assert_eq!(RemoteBox::<u64>::adopt(&process, 12).unwrap_err().id(), ErrorId::NotThisType);
    assert_eq!(RemoteSlice::<u32>::new(&process, &[]).unwrap_err().id(), ErrorId::ZeroSize);
    assert_eq!(RemoteSlice::<u64>::zeroed(&process, usize::MAX).unwrap_err().id(), ErrorId::TooLarge);
    let mut slice = RemoteSlice::new(&process, &[1u32, 2, 3]).unwrap();
    for (first, count) in [(3, 1), (0, 4), (usize::MAX, 2)] {
        assert_eq!(slice.read(first, &mut vec![0; count]).unwrap_err().id(), ErrorId::OutOfBounds);
        assert_eq!(slice.write(first, &vec![0; count]).unwrap_err().id(), ErrorId::OutOfBounds);
        assert_eq!(slice.write_async(first, &vec![0; count]).wait().unwrap_err().id(), ErrorId::OutOfBounds);
        assert_eq!(
            slice.read_async(first, &mut vec![0; count]).wait().unwrap_err().id(),
            ErrorId::OutOfBounds
        );
    }
    assert_eq!(slice.to_vec().unwrap(), [1, 2, 3]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Slices that are made, changed and dropped in any order hold what vectors hold: none reaches into another.
    #[test]
    fn slices_are_like_vectors(
        steps in proptest::collection::vec((0u8..4, any::<prop::sample::Index>(), 1usize..600, any::<u32>()), 1..60),
    ) {
        let world = Shared::new(3);
        let process = process(&world);
        let mut slices: Vec<(RemoteSlice<u32>, Vec<u32>)> = Vec::new();
        for (what, pick, length, seed) in steps {
            let values: Vec<u32> = (0..length as u32).map(|n| n.wrapping_mul(seed)).collect();
            if what == 0 || slices.is_empty() {
                let fresh = if seed % 2 == 0 {
                    (RemoteSlice::new(&process, &values).unwrap(), values)
                } else {
                    (RemoteSlice::zeroed(&process, length).unwrap(), vec![0; length])
                };
                slices.push(fresh);
                continue;
            }
            let at = pick.index(slices.len());
            let (slice, model) = &mut slices[at];
            match what {
                1 => drop(slices.swap_remove(at)),
                _ => {
                    let first = seed as usize % model.len();
                    let count = length.min(model.len() - first);
                    model[first..first + count].copy_from_slice(&values[..count]);
                    slice.write(first, &values[..count]).unwrap();
                }
            }
        }
        for (slice, model) in &slices {
            prop_assert_eq!(&slice.to_vec().unwrap(), model);
            let last = model.len() - 1;
            prop_assert_eq!(slice.get(last).unwrap(), model[last]);
        }
    }
}

#[test]
fn values_outlive_the_handle_that_they_were_made_with_and_end_with_the_process() {
    let world = Shared::new(9);
    let client = world.client();
    let mut kept: Vec<RemoteBox<u64>> = {
        let process = client.open(OpenOptions::default()).unwrap();
        (0..4).map(|n| RemoteBox::new(&process, &n).unwrap()).collect()
    };
    let value = std::thread::spawn(move || {
        let last = kept.pop().unwrap();
        assert_eq!(last.fetch_add(5).unwrap(), 3, "in another thread");
        kept
    });
    let kept = value.join().unwrap();
    assert_eq!(kept.iter().map(|value| value.get().unwrap()).sum::<u64>(), 3);
    let process = client.open(OpenOptions::default()).unwrap();
    let value = RemoteBox::new(&process, &7u64).unwrap();
    process.exit().unwrap();
    assert!(value.get().is_err(), "its process has ended");
}
