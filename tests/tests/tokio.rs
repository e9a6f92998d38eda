//! The library's example with tokio, and tokio's reactor on a queue's descriptor, on a board of the tests'.
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mneme_clib::{CompletionQueue, OpenOptions, Pending, Polled, Process, ReadOwned};
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::udp::Udp;
use mneme_tests::{Config, Rig};
use tokio::io::unix::AsyncFd;
use tokio::time::{sleep, timeout};

/// No call of these tests takes as long.
const LONG: Duration = Duration::from_secs(60);

#[allow(dead_code, reason = "its main function is for people")]
#[path = "../../clib/examples/tokio.rs"]
mod example;

#[test]
fn ten_thousand_reads_in_flight_stall_no_worker() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .expect("a runtime");
    let done = runtime.block_on(example::run(&rig.address().to_string())).expect("all is read");
    assert_eq!(done.reads, 10_000);
    // A call that blocks a worker would do so for as long as its answer takes, or `give_up`: a busy machine takes less.
    assert!(done.longest_stall < Duration::from_secs(3), "{:?}", done.longest_stall);
}

/// Awaits the tag of the next call that has ended; the loop sleeps meanwhile, or has other tasks' turns.
async fn next(queue: &AsyncFd<CompletionQueue>) -> u64 {
    loop {
        let mut ready = queue.readable().await.expect("tokio's reactor");
        if let Some(tag) = queue.get_ref().next() {
            return tag;
        }
        ready.clear_ready();
    }
}

/// Reads words in rounds, so that the descriptor becomes readable, and is emptied, again and again.
async fn rounds(process: &Process, va: u64, queue: &AsyncFd<CompletionQueue>) {
    const ROUNDS: u64 = 50;
    const CALLS: u64 = 40;
    for round in 0..ROUNDS {
        let mut calls: HashMap<u64, Pending<ReadOwned>> = HashMap::new();
        for word in 0..CALLS {
            let mut call = process.rread_owned_async(va + 8 * word, vec![0; 8]);
            let tag = round * CALLS + word;
            call.notify(queue.get_ref(), tag);
            calls.insert(tag, call);
        }
        while !calls.is_empty() {
            let tag = timeout(LONG, next(queue)).await.expect("all end");
            let call = calls.remove(&tag).expect("each tag once");
            let Polled::Ready(word) = call.rpoll() else { panic!("call {tag} had not ended") };
            assert_eq!(word.expect("read"), (tag % CALLS * 3).to_le_bytes());
        }
    }
}

/// No feature of the library's and no waker: tokio's own reactor waits for the queue, on one thread, beside other tasks.
#[test]
fn tokio_waits_for_a_queue_by_its_descriptor() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let client = rig.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc(4096).expect("alloc");
    let words: Vec<u8> = (0..512u64).flat_map(|word| (word * 3).to_le_bytes()).collect();
    process.rwrite(va, &words).expect("write");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let turns = AtomicU64::new(0);
    runtime.block_on(async {
        let queue = client.completions().expect("a queue");
        // SAFETY: the queue has one descriptor, and owns it as long as it lives.
        let queue = unsafe { AsyncFd::register(queue) }.expect("a descriptor for epoll");
        let early = timeout(Duration::from_millis(20), queue.readable()).await;
        assert!(early.is_err(), "no call has been made");
        let others = async {
            loop {
                turns.fetch_add(1, Ordering::Relaxed);
                sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::select! {
            () = rounds(&process, va, &queue) => {}
            () = others => {}
        }
        let late = timeout(Duration::from_millis(20), next(&queue)).await;
        assert!(late.is_err(), "each tag has been taken");
    });
    assert!(turns.into_inner() > 1, "another task had its turns");
    process.exit().expect("exit");
}
