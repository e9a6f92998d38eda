//! Asynchronous calls: many in flight, lost, doubled and reordered, and still as if one after the other where the rules
//! of order say so (docs/guides/ordering.md).
use crate::support;

use mneme_clib::{
    AllocOptions, Client, ClientOptions, Effect, Error, OldWord, OpenOptions, Outcome, Pending, Polled,
    Process, ReadInto, Written,
};
use mneme_wire::{Cause, Opcode};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use support::{Faults, Mood, PAGE, Shared};

/// Bytes of the test's memory: three pages.
const SIZE: u64 = 3 * PAGE;

fn open(world: &Shared) -> (Client, Process, u64) {
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let va = process.ralloc_with(SIZE, AllocOptions { own_pages: true, ..AllocOptions::default() }).unwrap();
    (client, process, va)
}

/// One step of a random program.
#[derive(Debug, Clone)]
enum Step {
    Write {
        at: u64,
        length: usize,
        sync: bool,
    },
    Read {
        at: u64,
        length: usize,
        sync: bool,
    },
    Add {
        word: u64,
        sync: bool,
    },
    /// Takes the oldest result that was not taken.
    Take,
    Release,
    Fence,
    Cork,
    Uncork,
}

fn step() -> impl Strategy<Value = Step> {
    // Around the two page borders, so that requests overlap and cross.
    let place =
        (1u64..3, 0u64..400, 1usize..300).prop_map(|(border, at, length)| (border * PAGE - 200 + at, length));
    prop_oneof![
        4 => (place.clone(), any::<bool>()).prop_map(|((at, length), sync)| Step::Write { at, length, sync }),
        4 => (place, any::<bool>()).prop_map(|((at, length), sync)| Step::Read { at, length, sync }),
        3 => (0u64..6, any::<bool>()).prop_map(|(word, sync)| Step::Add { word, sync }),
        4 => Just(Step::Take),
        1 => Just(Step::Release),
        1 => Just(Step::Fence),
        1 => Just(Step::Cork),
        1 => Just(Step::Uncork),
    ]
}

/// A call under way, with what it must give.
enum Call {
    Read(Pending<ReadInto<'static>>, Vec<u8>),
    Write(Pending<Written>),
    Add(Pending<OldWord>, u64),
}

impl Call {
    fn take(self) {
        match self {
            Call::Read(pending, expected) => assert_eq!(pending.wait().unwrap(), &expected[..]),
            Call::Write(pending) => pending.wait().unwrap(),
            Call::Add(pending, expected) => assert_eq!(pending.wait().unwrap(), expected),
        }
    }
}

/// Runs a program against a board, and beside it one call after the other on plain memory.
fn run(client: &Client, process: &Process, va: u64, program: &[Step]) -> Vec<u8> {
    let mut memory = vec![0u8; SIZE as usize];
    let mut calls = std::collections::VecDeque::new();
    for (number, step) in program.iter().enumerate() {
        match *step {
            Step::Write { at, length, sync } => {
                let mut data = vec![number as u8 + 1; length];
                memory[at as usize..][..length].copy_from_slice(&data);
                if sync {
                    process.rwrite(va + at, &data).unwrap();
                } else {
                    calls.push_back(Call::Write(process.rwrite_async(va + at, &data)));
                    data.fill(0xee);
                }
            }
            Step::Read { at, length, sync } => {
                let expected = memory[at as usize..][..length].to_vec();
                let into = vec![0; length].leak();
                if sync {
                    process.rread(va + at, into).unwrap();
                    assert_eq!(into, expected);
                } else {
                    calls.push_back(Call::Read(process.rread_async(va + at, into), expected));
                }
            }
            Step::Add { word, sync } => {
                let at = (PAGE - 24 + 8 * word) as usize;
                let old = u64::from_le_bytes(memory[at..at + 8].try_into().unwrap());
                memory[at..at + 8].copy_from_slice(&old.wrapping_add(number as u64).to_le_bytes());
                if sync {
                    assert_eq!(process.fetch_add(va + at as u64, number as u64).unwrap(), old);
                } else {
                    calls.push_back(Call::Add(process.fetch_add_async(va + at as u64, number as u64), old));
                }
            }
            Step::Take => calls.pop_front().into_iter().for_each(Call::take),
            Step::Release => process.rrelease().unwrap(),
            Step::Fence => process.rfence().unwrap(),
            Step::Cork => client.cork(),
            Step::Uncork => client.uncork(),
        }
    }
    calls.into_iter().for_each(Call::take);
    memory
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn dependent_calls_take_effect_in_their_order(
        seed in any::<u64>(), program in proptest::collection::vec(step(), 1..60), loss in 0.0..0.05, lateness in 0.0..0.3,
    ) {
        let world = Shared::new(seed);
        // Long enough for every retry: this is about order, not about outcomes that stay unknown.
        world.with(|world| world.board.window = 1 << 20);
        let (client, process, va) = open(&world);
        let late = (Duration::from_micros(5), Duration::from_micros(200));
        world.with(|world| world.faults = Faults { loss, doubling: 0.1, lateness, late, ..Faults::default() });
        let memory = run(&client, &process, va, &program);
        world.with(|world| world.faults = Faults::default());
        let mut back = vec![0; SIZE as usize];
        process.rread(va, &mut back).unwrap();
        prop_assert!(back == memory, "memory differs");
    }
}

/// Requests of an opcode that the board has seen.
fn seen(world: &Shared, opcode: Opcode) -> usize {
    world.with(|world| world.board.requests.iter().filter(|request| request.opcode == opcode).count())
}

#[test]
fn independent_calls_are_in_flight_together_and_dependent_ones_are_not() {
    let world = Shared::new(1);
    let (_client, process, va) = open(&world);
    // Until more than a few may be on the way.
    (0..64).for_each(|_| process.rread(va, &mut [0; 8]).unwrap());
    let sent = |world: &Shared| world.with(|world| world.sent);
    let before = sent(&world);
    let a = process.rwrite_async(va, b"a");
    let b = process.rwrite_async(va + PAGE, b"b");
    assert_eq!(sent(&world) - before, 2, "different pages");
    let near = process.rwrite_async(va + 1, b"near");
    assert_eq!(sent(&world) - before, 3, "other bytes of a page");
    let c = process.rwrite_async(va + 4, b"c");
    let mut buffer = [0; 1];
    let d = process.rread_async(va + PAGE, &mut buffer);
    assert_eq!(sent(&world) - before, 3, "the last byte of one that is under way, and the same byte");
    assert_eq!(d.wait().unwrap(), b"b");
    for pending in [a, b, near, c] {
        pending.wait().unwrap();
    }
    assert_eq!(sent(&world) - before, 5);
    let mut back = [0; 5];
    process.rread(va, &mut back).unwrap();
    assert_eq!(&back, b"aneac");
}

/// Of the packets of a long call some leave before those of a short one that is made later, and not all.
#[test]
fn a_short_call_waits_for_a_turn_of_a_long_one_and_not_for_its_end() {
    let world = Shared::new(7);
    let (_client, process, va) = open(&world);
    let long = process.ralloc(1 << 20).unwrap();
    let before = seen(&world, Opcode::Write);
    let write = process.rwrite_async(long, &vec![7; 1 << 20]);
    process.rread(va, &mut [0; 8]).unwrap();
    let written = seen(&world, Opcode::Write) - before;
    assert!((1..200).contains(&written), "{written} of its 748 packets came first");
    write.wait().unwrap();
}

#[test]
fn a_cork_holds_calls_back_until_it_is_out_32_are_held_or_something_waits() {
    let world = Shared::new(7);
    let (client, process, va) = open(&world);
    let before = world.with(|world| world.sent);
    let sent = || world.with(|world| world.sent) - before;
    let add = || process.fetch_add_async(va + 2 * PAGE, 1);
    let two = client.corked(|| {
        let two = (process.rwrite_async(va, b"a"), process.rwrite_async(va + PAGE, b"b"));
        assert_eq!(sent(), 0);
        two
    });
    assert_eq!(sent(), 2, "the cork is out");
    two.0.wait().unwrap();
    two.1.wait().unwrap();
    let mut bytes = [[0; 1]; 32];
    client.corked(|| {
        let mut calls = Vec::new();
        for byte in &mut bytes {
            assert_eq!(sent(), 2, "{} are held back", calls.len());
            calls.push(process.rread_async(va, byte));
        }
        assert!(sent() > 2, "no more than 32 are held back");
        for call in calls {
            assert_eq!(call.wait().unwrap(), b"a");
        }
        let nested = client.corked(add);
        assert_eq!(sent(), 34, "the outer cork is in");
        let Polled::Pending(nested) = nested.rpoll() else { panic!("the board was not asked yet") };
        assert_eq!(sent(), 35, "a poll in vain sends");
        let other = process.rread_owned_async(va, vec![0]);
        assert_eq!(sent(), 35);
        assert_eq!(other.wait().unwrap(), b"a", "a wait sends");
        assert_eq!(nested.wait().unwrap(), 0);
    });
    client.uncork();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        client.corked(|| {
            drop(add());
            panic!("a caller's");
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(sent(), 37, "a panic takes the cork out");
    drop(add());
    process.rrelease().unwrap();
    assert_eq!(sent(), 38, "one cork too many was taken out, and none is in");
}

#[test]
fn polling_gives_the_handle_back_until_the_call_has_ended() {
    let world = Shared::new(2);
    let (_client, process, va) = open(&world);
    let mut pending = process.fetch_add_async(va, 5);
    let mut looks = 0;
    let old = loop {
        match pending.rpoll() {
            Polled::Ready(result) => break result.unwrap(),
            Polled::Pending(again) => pending = again,
        }
        looks += 1;
    };
    assert!(looks > 0);
    assert_eq!(old, 0);
    assert_eq!(process.fetch_add(va, 0).unwrap(), 5);
}

/// A future is driven by any executor: here, by one that only polls.
fn block_on<K: Outcome>(pending: Pending<K>) -> mneme_clib::Result<K::Output> {
    let mut pending = pin!(pending);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(result) = pending.as_mut().poll(&mut context) {
            return result.map_err(Into::into);
        }
    }
}

#[test]
fn calls_are_futures() {
    let world = Shared::new(3);
    let (_client, process, va) = open(&world);
    block_on(process.rwrite_async(va, b"later")).unwrap();
    let mut buffer = [0; 5];
    assert_eq!(block_on(process.rread_async(va, &mut buffer)).unwrap(), b"later");
    let mut pending = pin!(process.swap_async(va, 1));
    let mut context = Context::from_waker(Waker::noop());
    while pending.as_mut().poll(&mut context).is_pending() {}
    assert!(matches!(pending.as_mut().poll(&mut context), Poll::Ready(Err(Error::Taken))));
}

#[test]
fn memory_is_allocated_used_and_freed_without_waiting() {
    let world = Shared::new(4);
    let client = world.client();
    let process = client.open(OpenOptions::default()).unwrap();
    let pages = process.ralloc_async(2 * PAGE);
    let small = process.ralloc_async(100);
    let (pages, small) = (pages.wait().unwrap(), small.wait().unwrap());
    let at_hand = process.ralloc_async(100).wait().unwrap();
    assert_eq!(small / PAGE, at_hand / PAGE, "small allocations share a page");
    assert_eq!(seen(&world, Opcode::Alloc), 2);
    let write = process.rwrite_async(pages, b"last words");
    let free = process.rfree_async(pages);
    // The free waits for the write, and what follows waits for the free.
    let mut buffer = [0; 4];
    let read = process.rread_async(pages, &mut buffer);
    write.wait().unwrap();
    let error = read.wait().unwrap_err();
    assert_eq!(error.refusal().map(|(status, _)| status), Some(mneme_wire::Status::Unmapped));
    free.wait().unwrap();
    assert!(matches!(process.rfree_async(pages).wait(), Err(Error::NotAllocated(va)) if va == pages));
    assert!(matches!(process.ralloc_async(64 * PAGE).wait(), Err(Error::OutOfMemory { .. })));
}

#[test]
fn a_release_tells_the_first_error_that_nobody_asked_about() {
    let world = Shared::new(5);
    let (_client, process, va) = open(&world);
    drop(process.rwrite_async(va, b"good"));
    process.rrelease().unwrap();
    let mut back = [0; 4];
    process.rread(va, &mut back).unwrap();
    assert_eq!(&back, b"good");
    drop(process.rwrite_async(va + SIZE + (64 << 20), b"nobody's"));
    let asked = process.rwrite_async(va + SIZE + (65 << 20), b"nobody's");
    let error = process.rrelease().unwrap_err();
    assert_eq!(error.operation().map(|operation| operation.va.get()), Some(va + SIZE + (64 << 20)));
    process.rrelease().unwrap();
    assert!(asked.wait().is_err(), "whoever holds the handle is told by it");
    process.rrelease().unwrap();
}

#[test]
fn a_release_tells_of_calls_that_were_never_made() {
    let world = Shared::new(6);
    let options = ClientOptions { most_outstanding_bytes: 1000, ..Shared::options() };
    let client = Client::connect(world.clone(), options).unwrap();
    let process = client.open(OpenOptions::default()).unwrap();
    let va = process.ralloc(SIZE).unwrap();
    drop(process.rwrite_async(va, &[1; 1001]));
    assert!(matches!(process.rrelease(), Err(Error::QueueFull { asked: 1001, .. })));
    process.rrelease().unwrap();
    drop(process.fetch_add_async(va + 4, 1));
    drop(process.rwrite_async(va, &[]));
    assert!(matches!(process.rrelease(), Err(Error::Unaligned(at)) if at == va + 4), "the first");
    process.rrelease().unwrap();
    // What its owner has been told is told.
    assert!(process.rwrite_async(va, &[]).wait().is_err());
    process.rrelease().unwrap();
    drop(process.rwrite_async(va, &[]));
    let pid = process.pid();
    process.exit().unwrap();
    let next = client.open(OpenOptions { pid: Some(pid), ..OpenOptions::default() }).unwrap();
    next.rrelease().expect("that was another process");
}

#[test]
fn what_may_be_outstanding_is_bounded() {
    let world = Shared::new(6);
    let options = ClientOptions { most_outstanding: 3, most_outstanding_bytes: 1000, ..Shared::options() };
    let client = Client::connect(world.clone(), options).unwrap();
    let process = client.open(OpenOptions::default()).unwrap();
    let va = process.ralloc(SIZE).unwrap();
    let small: Vec<u64> = (0..2 * PAGE / 1024).map(|_| process.ralloc(1024).unwrap()).collect();
    let large = process.rwrite_async(va, &[1; 1001]).wait().unwrap_err();
    assert!(matches!(large, Error::QueueFull { asked: 1001, .. }), "{large}");
    assert_eq!(large.effect(), Effect::None);
    let held = [0, 1, 2].map(|n| process.rwrite_async(va + n, &[1]));
    assert!(matches!(process.rwrite_async(va, &[1]).wait(), Err(Error::QueueFull { requests: 3, .. })));
    assert!(matches!(process.rfree_async(va).wait(), Err(Error::QueueFull { .. })));
    // Small ones share pages, which go back when there is room.
    small.iter().for_each(|va| process.rfree_async(*va).wait().unwrap());
    process.rrelease().unwrap();
    assert!(
        matches!(process.rwrite_async(va, &[1]).wait(), Err(Error::QueueFull { .. })),
        "results are held"
    );
    held.into_iter().for_each(|pending| pending.wait().unwrap());
    process.rwrite_async(va, &[1; 1000]).wait().unwrap();
    process.rfree_async(va).wait().expect("a refused free can be made again");
    process.rrelease().unwrap();
    let mapped = small.iter().filter(|va| process.rread(**va, &mut [0; 8]).is_ok()).count();
    assert!(0 < mapped && mapped < small.len(), "one page stays at hand: {mapped} of {}", small.len());
}

#[test]
fn a_board_that_falls_silent_ends_every_call() {
    let world = Shared::new(7);
    let (_client, process, va) = open(&world);
    world.mood([Mood::Deaf; 100_000]);
    let calls: Vec<_> = (0..20).map(|n| process.rwrite_async(va + n * PAGE / 4 % SIZE, b"gone")).collect();
    for call in calls {
        let error = call.wait().unwrap_err();
        assert_eq!(error.reason(), Some(mneme_clib::Reason::Unreachable));
    }
    process.rrelease().unwrap();
}

#[test]
fn locks_release() {
    let world = Shared::new(8);
    let (_client, process, va) = open(&world);
    let token = process.rlock(va, mneme_clib::LockOptions::default()).unwrap();
    world.mood([Mood::BusyUnrecorded(Cause::Filter); 3]);
    let write = process.rwrite_async(va + PAGE, b"behind the lock");
    process.runlock(token).unwrap();
    let word = world.with(|world| world.board.word(process.pid(), va + PAGE));
    assert_eq!(&word.to_le_bytes(), b"behind t", "the write has taken effect before the lock is free");
    write.wait().unwrap();
}

#[test]
fn what_came_while_a_client_did_not_run_is_not_asked_for_again() {
    let world = Shared::new(21);
    let (client, process, va) = open(&world);
    let retries = || client.statistics().transport.retries();
    let before = retries();
    // Longer than every timer, shorter than the board's window. The client finds out when it waits, …
    let away = Duration::from_millis(100);
    let mut into = [1; 8];
    let call = process.rread_async(va, &mut into);
    world.with(|world| world.pass(away));
    let sent = world.with(|world| world.sent);
    call.wait().unwrap();
    assert_eq!((retries() - before, world.with(|world| world.sent)), (0, sent));
    // … or when it has more to send.
    let (mut first, mut second) = ([1; 8], [1; 8]);
    let earlier = process.rread_async(va, &mut first);
    world.with(|world| world.pass(away));
    let later = process.rread_async(va + 8, &mut second);
    assert_eq!((retries() - before, world.with(|world| world.sent)), (0, sent + 2));
    earlier.wait().unwrap();
    later.wait().unwrap();
    assert_eq!((retries() - before, into, first, second), (0, [0; 8], [0; 8], [0; 8]));
}
