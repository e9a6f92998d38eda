//! Paths whose MTU changes under a client that works.
use crate::support;

use mneme_clib::{Effect, ErrorId, Reason, WritePart};
use proptest::prelude::*;
use std::io::IoSlice;
use support::narrow::Rig;
use support::{Mood, PAGE};

/// What the virtual board's packets need at most: 22 bytes of header, 1,408 of payload.
const WIDE: usize = 1_430;
const SIZE: usize = 60_000;

fn pattern(seed: u8, length: usize) -> Vec<u8> {
    (0..length).map(|at| (at as u8).wrapping_mul(31) ^ (at >> 8) as u8 ^ seed).collect()
}

#[test]
fn a_path_that_gets_narrow_under_a_write_loses_nothing() {
    let rig = Rig::new(1, WIDE);
    let bytes = pattern(1, SIZE);
    let offered = rig.path(|path| path.offered);
    rig.path(|path| path.changes.push_back((offered + 7, 600)));
    rig.process.rwrite(rig.va, &bytes).expect("what did not leave is cut anew");
    assert!(rig.path(|path| path.refused) > 0 && rig.outgrown() > 0);
    assert_eq!(rig.read(rig.va, SIZE), bytes);
    let statistics = rig.client.statistics();
    assert_eq!((statistics.bytes_written, statistics.bytes_read), (SIZE as u64, SIZE as u64));
    assert_eq!(statistics.transport.timeouts, 0, "what did not leave is not waited for");
    // Wide again: packets are as long as before.
    rig.path(|path| path.carries = WIDE);
    rig.process.rfence().expect("the driver finds out");
    let before = rig.world.with(|world| world.sent);
    rig.process.rwrite(rig.va, &pattern(2, 14_080)).expect("write");
    assert_eq!(rig.world.with(|world| world.sent) - before, 10);
}

#[test]
fn a_narrow_path_cuts_vectored_and_batched_calls_at_their_buffers_places() {
    let rig = Rig::new(2, WIDE);
    let parts: Vec<Vec<u8>> = [700, 1, 4_000, 33, 2_222].map(|length| pattern(length as u8, length)).into();
    let all: Vec<u8> = parts.concat();
    let slices: Vec<IoSlice> = parts.iter().map(|part| IoSlice::new(part)).collect();
    let batch: Vec<WritePart> =
        (0..).zip(&parts).map(|(n, from)| WritePart { va: rig.va + PAGE + 8_192 * n, from }).collect();
    for (at, asynchronous) in [(3, false), (2, true)] {
        rig.path(|path| path.carries = WIDE);
        rig.process.rfence().expect("the driver finds out");
        let offered = rig.path(|path| path.offered);
        rig.path(|path| path.changes.extend([(offered + at, 300), (offered + 30, 200)]));
        if asynchronous {
            let calls = rig.client.corked(|| {
                [rig.process.rwritev_async(rig.va, &slices), rig.process.rwrite_batch_async(&batch)]
            });
            calls.into_iter().for_each(|call| call.wait().expect("write"));
        } else {
            rig.process.rwritev(rig.va, &slices).expect("write");
            rig.process.rwrite_batch(&batch).expect("write");
        }
        assert_eq!(rig.read(rig.va, all.len()), all);
        for (part, write) in parts.iter().zip(&batch) {
            assert_eq!(rig.read(write.va, part.len()), *part);
        }
        rig.process.rwrite(rig.va, &vec![0; all.len()]).expect("write");
    }
}

#[test]
fn a_read_that_left_is_cut_anew() {
    let rig = Rig::new(3, WIDE);
    let bytes = pattern(3, 5_000);
    rig.process.rwrite(rig.va, &bytes).expect("write");
    rig.world.mood([Mood::Mute, Mood::Mute]);
    let mut into = vec![0; 5_000];
    let call = rig.process.rread_async(rig.va, &mut into);
    rig.path(|path| path.carries = 500);
    // A longer packet than the path carries makes the driver find out.
    rig.process.rwrite(rig.va + PAGE, &bytes).expect("write");
    call.wait().expect("read");
    assert_eq!(into, bytes);
}

#[test]
fn a_write_that_left_before_says_that_it_may_have_happened_and_the_others_go_on() {
    let rig = Rig::new(4, WIDE);
    rig.process.rwrite(rig.va, &[1; 2_000]).expect("write");
    rig.world.mood([Mood::Mute]);
    let lost = rig.process.rwrite_async(rig.va, &[2; 1_408]);
    rig.path(|path| path.carries = 500);
    let other = pattern(5, SIZE);
    rig.process.rwrite(rig.va + PAGE, &other).expect("the others go on");
    let error = lost.wait().expect_err("it left as one packet and can be cut no more");
    assert_eq!(error.reason(), Some(Reason::TooLong { needs: 1_430, carries: 500 }), "{error}");
    assert_eq!((error.effect(), error.id()), (Effect::Possible, ErrorId::DatagramTooLarge));
    let said = error.to_string();
    for part in ["WRITE of 1408 bytes", "virtual board", "1430 bytes", "carries 500", "may have taken effect"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(rig.read(rig.va + PAGE, SIZE), other);
    rig.process.rwrite(rig.va, &[3; 2_000]).expect("later writes are cut to fit");
    assert_eq!(rig.read(rig.va, 2_000), [3; 2_000]);
    rig.process.rrelease().expect("nothing was lost");
}

#[test]
fn an_answer_to_a_write_that_left_before_still_counts() {
    let rig = Rig::new(5, WIDE);
    rig.process.rwrite(rig.va, &[1; 8]).expect("write");
    rig.world.with(|world| {
        world.faults.lateness = 1.0;
        let late = std::time::Duration::from_micros(150);
        world.faults.late = (late, late);
    });
    let slow = rig.process.rwrite_async(rig.va, &[2; 1_408]);
    rig.path(|path| path.carries = 500);
    rig.process.rread(rig.va + PAGE, &mut [0; 1_000]).expect("read");
    slow.wait().expect("its answer came");
    assert_eq!(rig.read(rig.va, 1_408), [2; 1_408]);
}

#[test]
fn a_write_that_the_board_let_go_is_cut_anew_and_happens_once() {
    let rig = Rig::new(6, WIDE);
    rig.process.rwrite(rig.va, &[1; 8]).expect("write");
    let before = rig.world.with(|world| world.board.executed);
    rig.world.mood([Mood::BusyReleased(mneme_wire::Cause::Fault)]);
    let call = rig.process.rwrite_async(rig.va, &[2; 1_408]);
    rig.path(|path| path.carries = 800);
    call.wait().expect("write");
    assert_eq!(rig.read(rig.va, 1_408), [2; 1_408]);
    assert_eq!(rig.world.with(|world| world.board.executed) - before, 2, "two shorter ones");
}

#[test]
fn a_packet_that_cannot_be_shorter_is_refused_with_what_the_path_carries() {
    let rig = Rig::new(7, WIDE);
    rig.path(|path| path.carries = 36);
    let error = rig.process.compare_swap(rig.va, 0, 1);
    let error = error.expect_err("22 bytes of header and 16 of payload");
    assert_eq!(error.id(), ErrorId::DatagramTooLarge, "{error}");
    assert_eq!(error.effect(), Effect::None, "{error}");
    assert_eq!(error.operation().map(|failed| failed.attempts), Some(0), "{error}");
    let error = rig.process.rwrite(rig.va, &[1; 192]).expect_err("64 bytes of payload are the least");
    assert_eq!((error.id(), error.effect()), (ErrorId::DatagramTooLarge, Effect::None), "{error}");
    rig.path(|path| path.carries = WIDE);
    rig.process.rfence().expect("a fence is a header");
    rig.process.rwrite(rig.va, &[1; 192]).expect("the path is wide again");
}

/// Writes and reads at once, while the path changes after so many datagrams: no call fails and every byte arrives.
fn changing(seed: u64, changes: Vec<(u64, usize)>, lengths: &[usize]) {
    let rig = Rig::new(seed, WIDE);
    let mut at = rig.path(|path| path.offered);
    for (after, carries) in changes {
        at += after;
        rig.path(|path| path.changes.push_back((at, carries)));
    }
    let writes: Vec<Vec<u8>> = (0..).zip(lengths).map(|(n, length)| pattern(n, *length)).collect();
    let places = |n: usize| rig.va + n as u64 * 9_000;
    let calls: Vec<_> =
        writes.iter().enumerate().map(|(n, from)| rig.process.rwrite_async(places(n), from)).collect();
    for call in calls {
        call.wait().expect("write");
    }
    let mut into: Vec<Vec<u8>> = lengths.iter().map(|length| vec![0; *length]).collect();
    let reads: Vec<_> =
        into.iter_mut().enumerate().map(|(n, into)| rig.process.rread_async(places(n), into)).collect();
    for call in reads {
        call.wait().expect("read");
    }
    assert_eq!(into, writes);
}

#[test]
fn what_was_too_long_for_a_moment_is_sent_when_the_path_is_wide_again() {
    let lengths = [1409, 5593, 1409, 1579, 4193, 1627, 4177, 1409, 4225, 2777, 7025];
    changing(17, vec![(52, 248), (4, 351)], &lengths);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// At any datagram.
    #[test]
    fn nothing_is_lost_as_the_path_changes(
        seed in 0u64..1_000,
        changes in prop::collection::vec((1u64..150, 96usize..WIDE), 1..8),
        lengths in prop::collection::vec(1usize..9_000, 1..12),
    ) {
        changing(seed, changes, &lengths);
    }
}
