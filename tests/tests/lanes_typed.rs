//! Typed memory and corks on two boards.
use mneme_clib::{AllocOptions, Error, NodeCounter, OpenOptions, Process, RemoteBox, RemoteSlice};
use mneme_tests::rig::in_process::{BoardKind, Rtl, Soft};
use mneme_tests::rig::pair::Pair;

fn on(lane: usize) -> AllocOptions {
    AllocOptions { lane: Some(lane), ..AllocOptions::default() }
}

/// What each board holds of a process, without the client's help.
fn ranges(pair: &Pair<impl BoardKind>) -> [u64; 2] {
    [0, 1].map(|lane| pair.client_of(lane).board_counters().unwrap().node(NodeCounter::Ranges))
}

fn values_are_where_they_were_asked_for<K: BoardKind>() {
    let pair = Pair::<K>::start();
    let client = pair.client();
    let process = client.open(OpenOptions::default()).unwrap();
    for lane in [1, 0] {
        let mut number = RemoteBox::new_with(&process, &5u64, on(lane)).unwrap();
        let mut series = RemoteSlice::new_with(&process, &[1u32, 2, 3], on(lane)).unwrap();
        let zeros = RemoteSlice::<u64>::zeroed_with(&process, 100, on(lane)).unwrap();
        for va in [number.va(), series.va(), zeros.va()] {
            assert_eq!(process.lane_of(va), lane);
        }
        // Calls of one board's values do not end those of the other: each kind of call goes to its own.
        assert_eq!((number.fetch_add(2).unwrap(), number.get().unwrap()), (5, 7));
        number.set_async(&11).wait().unwrap();
        assert_eq!(number.get_async().wait().unwrap(), 11);
        series.write(1, &[20]).unwrap();
        assert_eq!(series.to_vec().unwrap(), [1, 20, 3]);
        let mut two = [0; 2];
        assert_eq!(series.read_async(1, &mut two).wait().unwrap(), &[20, 3]);
        assert_eq!(zeros.to_vec().unwrap(), [0; 100]);
        // The board has it, and nobody else.
        let membership = process.memberships()[lane];
        let joined = pair.client_of(lane).join(membership.pid, membership.token).unwrap();
        assert_eq!(RemoteBox::<u64>::attach(&joined, number.va()).unwrap().get().unwrap(), 11);
    }
    assert!(matches!(RemoteBox::new_with(&process, &1u64, on(2)), Err(Error::NoSuchLane(2))));
    process.exit().unwrap();
}

#[test]
fn values_are_where_they_were_asked_for_on_software_boards() {
    values_are_where_they_were_asked_for::<Soft>();
}
#[test]
fn values_are_where_they_were_asked_for_on_rtl_boards() {
    values_are_where_they_were_asked_for::<Rtl>();
}

/// Memory whose place was used before has zeros where they are promised, on either board.
#[test]
fn zeros_are_written_where_pages_are_shared() {
    let pair = Pair::<Soft>::start();
    let process = pair.client().open(OpenOptions::default()).unwrap();
    for lane in [0, 1] {
        let used = RemoteSlice::new_with(&process, &[u64::MAX; 32], on(lane)).unwrap();
        let place = used.va();
        used.free().unwrap();
        let zeros = RemoteSlice::<u64>::zeroed_with(&process, 32, on(lane)).unwrap();
        assert_eq!((zeros.va(), zeros.to_vec().unwrap()), (place, vec![0; 32]));
    }
    process.exit().unwrap();
}

/// What is freed, by a call or by a drop, goes back to the board that had it.
#[test]
fn values_are_freed_on_their_own_board() {
    let pair = Pair::<Soft>::start();
    let process = pair.client().open(OpenOptions::default()).unwrap();
    let whole = |lane| AllocOptions { own_pages: true, ..on(lane) };
    let before = ranges(&pair);
    let first = RemoteBox::new_with(&process, &1u64, whole(0)).unwrap();
    let second = RemoteSlice::new_with(&process, &[2u64; 4], whole(1)).unwrap();
    let third = RemoteBox::new_with(&process, &3u64, whole(1)).unwrap();
    assert_eq!(ranges(&pair), [before[0] + 1, before[1] + 2]);
    second.free().unwrap();
    assert_eq!(ranges(&pair), [before[0] + 1, before[1] + 1]);
    drop(first);
    process.rrelease().unwrap();
    assert_eq!(ranges(&pair), [before[0], before[1] + 1]);
    // Another handle takes over what this one has leaked.
    let va = third.leak();
    let taken = RemoteBox::<u64>::adopt(&process, va).unwrap();
    assert_eq!(taken.get().unwrap(), 3);
    taken.free().unwrap();
    assert_eq!(ranges(&pair), before);
    process.exit().unwrap();
}

/// Words on both boards, by turns.
fn words(process: &Process, count: usize) -> Vec<u64> {
    (0..count).map(|n| process.ralloc_with(8, on(n % 2)).unwrap()).collect()
}

fn corks_hold_back_calls_to_all_boards<K: BoardKind>() {
    let pair = Pair::<K>::start();
    let client = pair.client();
    let process = client.open(OpenOptions::default()).unwrap();
    // As many for each board as its congestion window takes at first.
    let words = words(&process, 4);
    words.iter().for_each(|va| process.rwrite(*va, &va.to_le_bytes()).unwrap());
    // Reads wait for nothing but the cork; what changes memory may ask a board for its time first.
    let reads = || words.iter().map(|va| process.rread_owned_async(*va, vec![0; 8])).collect::<Vec<_>>();
    let sent = || client.statistics().transport.sent;
    let before = sent();
    let calls = client.corked(|| {
        let calls = reads();
        client.corked(|| {});
        assert_eq!(sent(), before, "an inner cork lets nothing out, to neither board");
        calls
    });
    let left = sent() - before;
    assert!(left >= words.len() as u64, "{left} leave with the last cork, not all, to both boards");
    for (call, va) in calls.into_iter().zip(&words).rev() {
        assert_eq!(call.wait().unwrap(), va.to_le_bytes());
    }
    // A call that waits lets out what is held back, also what is for another board than its own.
    client.cork();
    let held = reads();
    let before = sent();
    client.lane(1).unwrap().ping().unwrap();
    let left = sent() - before;
    assert!(left > words.len() as u64, "{left} leave with a call that waits, not all");
    client.uncork();
    for (call, va) in held.into_iter().zip(&words) {
        assert_eq!(call.wait().unwrap(), va.to_le_bytes());
    }
    process.exit().unwrap();
}

#[test]
fn corks_hold_back_calls_to_all_boards_on_software_boards() {
    corks_hold_back_calls_to_all_boards::<Soft>();
}
#[test]
fn corks_hold_back_calls_to_all_boards_on_rtl_boards() {
    corks_hold_back_calls_to_all_boards::<Rtl>();
}
