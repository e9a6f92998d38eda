//! Queues of calls that have ended: their descriptor, their tags, and what becomes of both when calls fail or are dropped.
use std::collections::HashMap;
use std::os::fd::AsFd;
use std::thread;
use std::time::{Duration, Instant};

use mneme_clib::{
    Client, ClientOptions, CompletionQueue, Error, OpenOptions, Pending, Polled, Process, ReadOwned,
    TransportConfig,
};
use mneme_tests::rig::in_process::{InProcess, Soft};
use mneme_tests::rig::udp::Udp;
use mneme_tests::{Config, Rig};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// No call of these tests takes as long.
const LONG: Duration = Duration::from_secs(60);

fn open<R: Rig>(rig: &R) -> (Client, Process, u64) {
    let client = rig.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(1 << 20).expect("alloc");
    (client, process, va)
}

/// Whether the queue's descriptor is readable, within a time.
fn readable(queue: &CompletionQueue, wait: Duration) -> bool {
    let timeout = Timespec { tv_sec: wait.as_secs() as i64, tv_nsec: wait.subsec_nanos().into() };
    poll(&mut [PollFd::new(&queue.as_fd(), PollFlags::IN)], Some(&timeout)).expect("poll") > 0
}

/// Reads of words that say where they lie, in any order of their ends; every tag comes once.
fn tags_come_once<R: Rig>() {
    const CALLS: u64 = 200;
    let rig = R::start(Config::Sim);
    let (client, process, va) = open(&rig);
    let words: Vec<u8> = (0..CALLS).flat_map(|word| (word * 3).to_le_bytes()).collect();
    process.rwrite(va, &words).expect("write");
    let queue = client.completions().expect("a queue");
    let mut calls: HashMap<u64, Pending<ReadOwned>> = HashMap::new();
    for tag in 0..CALLS {
        let mut call = process.rread_owned_async(va + 8 * tag, vec![0; 8]);
        call.notify(&queue, tag);
        calls.insert(tag, call);
    }
    while let Some((tag, call)) = (!calls.is_empty()).then(|| {
        let tag = queue.wait(LONG).expect("all end");
        (tag, calls.remove(&tag).expect("each tag once"))
    }) {
        let Polled::Ready(word) = call.rpoll() else { panic!("call {tag} had not ended") };
        assert_eq!(word.expect("read"), (tag * 3).to_le_bytes());
    }
    assert_eq!((queue.next(), queue.wait(Duration::from_millis(5))), (None, None));
    process.exit().expect("exit");
}

#[test]
fn tags_come_once_by_a_socket() {
    tags_come_once::<Udp<Soft>>();
}

#[test]
fn tags_come_once_in_process() {
    tags_come_once::<InProcess<Soft>>();
}

/// An event loop: nobody calls the client, and the descriptor tells.
#[test]
fn the_descriptor_is_readable_while_there_are_tags() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let (client, process, va) = open(&rig);
    let queue = client.completions().expect("a queue");
    assert!(!readable(&queue, Duration::ZERO));
    let (mut first, mut second) =
        (process.rwrite_async(va, b"first"), process.rwrite_async(va + 64, b"second"));
    first.notify(&queue, 1);
    second.notify(&queue, 2);
    let mut seen = Vec::new();
    while seen.len() < 2 {
        assert!(readable(&queue, LONG), "a call has ended");
        seen.extend(queue.next());
    }
    seen.sort_unstable();
    assert_eq!((seen, readable(&queue, Duration::ZERO)), (vec![1, 2], false));
    // One that has ended already tells so at once.
    let mut late = process.rwrite_async(va, b"third");
    thread::sleep(Duration::from_millis(20));
    late.notify(&queue, 3);
    assert!(readable(&queue, LONG));
    assert_eq!(queue.next(), Some(3));
    for call in [first, second, late] {
        let Polled::Ready(result) = call.rpoll() else { panic!("it has ended") };
        result.expect("write");
    }
    process.exit().expect("exit");
}

/// Calls that are refused on this side, that fail, and whose handles are dropped; several threads take tags.
#[test]
fn calls_that_end_badly_are_told_too() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let (client, process, va) = open(&rig);
    let queue = client.completions().expect("a queue");
    let mut unmapped = process.rread_owned_async(1 << 40, vec![7; 8]);
    let mut refused = process.fetch_add_async(va + 3, 1);
    let mut dropped = process.rwrite_async(va, b"dropped");
    unmapped.notify(&queue, 1);
    refused.notify(&queue, 2);
    dropped.notify(&queue, 3);
    drop(dropped);
    let mut tags = Vec::new();
    while !(tags.contains(&1) && tags.contains(&2)) {
        tags.push(queue.wait(LONG).expect("both end"));
    }
    assert!(matches!(refused.wait(), Err(Error::Unaligned(_))));
    let failed = unmapped.wait().expect_err("nothing is there");
    assert_eq!((failed.buffer.len(), failed.error.refusal().is_some()), (8, true), "the buffer comes back");
    process.rrelease().expect("what was dropped has ended well");
    // Its end is told if it came before it was dropped.
    while let Some(tag) = queue.next() {
        assert!(tag == 3 && !tags.contains(&3), "{tag} twice");
        tags.push(tag);
    }
    thread::scope(|scope| {
        let takers: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| std::iter::from_fn(|| queue.wait(Duration::from_millis(300))).count()))
            .collect();
        let mut calls = Vec::new();
        for tag in 0..100 {
            let mut call = process.rwrite_async(va + 8 * tag, &tag.to_le_bytes());
            call.notify(&queue, tag);
            calls.push(call);
        }
        let taken: usize = takers.into_iter().map(|taker| taker.join().expect("it ends")).sum();
        assert_eq!(taken, 100);
        calls.into_iter().for_each(|call| call.wait().expect("write"));
    });
    process.exit().expect("exit");
}

/// A wait ends in time, on a board that is gone; the call's end comes all the same.
#[test]
fn waits_end_in_time() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let transport = TransportConfig { give_up: Duration::from_secs(2), ..TransportConfig::default() };
    let options = ClientOptions { transport, ..ClientOptions::default() };
    let client = Client::connect(rig.driver(), options).expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(8).expect("alloc");
    let queue = client.completions().expect("a queue");
    drop(rig);
    let began = Instant::now();
    let mut call = process.rread_owned_async(va, vec![1; 8]);
    call.notify(&queue, 9);
    assert_eq!(queue.wait(Duration::from_millis(50)), None);
    assert!(began.elapsed() >= Duration::from_millis(50));
    assert_eq!(queue.wait(LONG), Some(9), "it is given up");
    assert_eq!(call.wait().expect_err("nobody answers").buffer.len(), 8);
}

/// What does not fit is handed back, to be sent later.
#[test]
fn a_full_client_hands_buffers_back() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let options = ClientOptions { most_outstanding: 4, ..ClientOptions::default() };
    let client = Client::connect(rig.driver(), options).expect("connect");
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(1 << 16).expect("alloc");
    let held: Vec<_> = (0..4).map(|number| process.rwrite_async(va + 8 * number, &[1; 8])).collect();
    let error = process.rwrite_owned_async(va, vec![5; 100]).wait().expect_err("there is no room");
    assert!(matches!(*error.error, Error::QueueFull { .. }), "{error}");
    assert_eq!(error.buffer, [5; 100]);
    let error = process.rread_owned_async(va, vec![6; 10]).wait().expect_err("there is no room");
    assert_eq!(error.buffer, [6; 10]);
    held.into_iter().for_each(|call| call.wait().expect("write"));
    process.rwrite_owned_async(va, vec![5; 100]).wait().expect("now there is");
    process.exit().expect("exit");
}
