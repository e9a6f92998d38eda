//! Memory that is given back, and memory that is spent.
use mneme_clib::{Error, NodeCounter, OpenOptions, Process};
use mneme_wire::{Cause, Counter, Status};

use super::{pattern, read, refusal, whole_pages};
use crate::rig::{Config, Rig};

/// Physical pages of [`Config::Small`], the page table's included.
const PAGES: u64 = 64;

/// Writes one byte into each page of a range.
fn touch(process: &Process, va: u64, pages: u64) -> Result<(), Error> {
    (0..pages).try_for_each(|n| process.rwrite(va + n * process.page_size(), b"!"))
}

/// More pages than the board has go through two processes; nobody ever reads what another one wrote.
pub fn freed_bytes_never_reappear<R: Rig>() {
    let rig = R::start(Config::Small);
    let page_bytes = rig.process().page_size();
    let chunk = 16;
    for round in 0..6 {
        let process = rig.process();
        let va = process.ralloc_with(chunk * page_bytes, whole_pages()).expect("alloc");
        for n in 0..chunk {
            let page = va + n * page_bytes;
            // The first write gives the page; all else in it must be zeros, at its edges and in the middle.
            process.rwrite(page + 1_000, b"!").expect("write");
            for at in [0, page_bytes / 2, page_bytes - 1_400] {
                let mut expected = vec![0; 1_400];
                if at == 0 {
                    expected[1_000] = b'!';
                }
                assert_eq!(read(&process, page + at, 1_400), expected, "round {round}, page {n}, +{at}");
            }
            for at in [0, page_bytes / 2, page_bytes - 1_400] {
                process.rwrite(page + at, &pattern(round * 100 + n, 1_400)).expect("write");
            }
        }
        // Both ways to give back.
        if round % 2 == 0 {
            process.rfree(va).expect("free");
        } else {
            process.exit().expect("exit");
        }
    }
}

/// Small allocations that are made together share pages, and what has zeros has them though others used the memory before.
pub fn small_allocations_made_together<R: Rig>() {
    const CALLS: usize = 300;
    let rig = R::start(Config::Sim);
    let client = rig.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let ranges = || client.board_counters().expect("counters").node(NodeCounter::Ranges);
    let before = ranges();
    let calls: Vec<_> = (0..CALLS).map(|_| process.ralloc_async(16)).collect();
    let mut all: Vec<u64> = calls.into_iter().map(|call| call.wait().expect("alloc")).collect();
    process.rrelease().expect("what was too much is given back");
    assert_eq!(ranges() - before, 1, "ranges for {CALLS} small allocations");
    for (number, va) in (1u64..).zip(&all) {
        process.rwrite(*va, &[number.to_le_bytes(); 2].concat()).expect("write");
    }
    for (number, va) in (1u64..).zip(&all) {
        assert_eq!(read(&process, *va, 16), [number.to_le_bytes(); 2].concat());
    }
    all.drain(..).for_each(|va| process.rfree(va).expect("free"));
    let counter = process.ralloc_zeroed(8).expect("alloc");
    assert_eq!(process.fetch_add(counter, 1).expect("add"), 0);
    let large = process.ralloc_zeroed(2 * process.page_size()).expect("alloc");
    assert_eq!(read(&process, large, 64), [0; 64]);
    process.exit().expect("exit");
}

/// Allocations whose handles were dropped, before and after their ends, go back to the board.
pub fn dropped_allocations_go_back<R: Rig>() {
    let rig = R::start(Config::Sim);
    let client = rig.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let kept = process.ralloc(16).expect("the page that stays");
    let ranges = || client.board_counters().expect("counters").node(NodeCounter::Ranges);
    let before = ranges();
    for round in 0..3 {
        let calls: Vec<_> = (0..20).map(|n| process.ralloc_with_async(1 + n, whole_pages())).collect();
        if round == 1 {
            // They have ended, and nobody knows.
            process.rfence().expect("fence");
        }
        let held = ranges();
        drop(calls);
        assert!(round != 1 || held == before + 20, "{held} ranges");
        drop(process.ralloc_async(16));
        process.rrelease().expect("nothing failed");
        assert_eq!(ranges(), before, "round {round}");
    }
    process.rfree(kept).expect("free");
    process.exit().expect("exit");
}

/// What a process held is there for the next one.
pub fn exit_frees_everything<R: Rig>() {
    let rig = R::start(Config::Small);
    let client = rig.client();
    let pages = PAGES * 3 / 4;
    let before = client.board_counters().expect("counters");
    for _ in 0..3 {
        let process = client.open(OpenOptions::default()).expect("open");
        let va = process.ralloc_with(pages * process.page_size(), whole_pages()).expect("alloc");
        touch(&process, va, pages).expect("three quarters of all memory");
        process.exit().expect("exit");
    }
    let after = client.board_counters().expect("counters");
    for figure in [NodeCounter::Processes, NodeCounter::Ranges, NodeCounter::SlotsUsed] {
        assert_eq!(after.node(figure), before.node(figure), "{figure:?}");
    }
    assert_eq!(after.node(NodeCounter::Exits), before.node(NodeCounter::Exits) + 3);
}

/// Spends all physical memory: who faults gets NOMEM, everybody else goes on, and freeing helps.
pub fn out_of_memory_hits_only_who_faults<R: Rig>() {
    let rig = R::start(Config::Overcommitted);
    let client = rig.client();
    let quiet = rig.process();
    let page = quiet.page_size();
    let own = quiet.ralloc_with(2 * page, whole_pages()).expect("alloc");
    quiet.rwrite(own, &pattern(1, 2_000)).expect("write");

    // Two ranges that do not fit together, though each does: address space may be over-committed.
    let greedy = client.open(OpenOptions::default()).expect("open");
    let half = PAGES / 2 + 8;
    let first = greedy.ralloc_with(half * page, whole_pages()).expect("alloc");
    let second = greedy.ralloc_with(half * page, whole_pages()).expect("alloc");
    touch(&greedy, first, half).expect("half of all memory");
    let error = touch(&greedy, second, half).expect_err("more than all memory");
    assert_eq!(refusal(&error), Some((Status::NoMemory, Cause::None)), "{error}");
    assert!(client.board_counters().expect("counters").get(Counter::StatusNoMemory) > 0);

    // Whoever needs no new page goes on: reads and writes of mapped pages, reads of fresh ones, the slow path.
    assert_eq!(read(&quiet, own, 2_000), pattern(1, 2_000));
    quiet.rwrite(own + 500, &pattern(2, 2_000)).expect("write to a page that is there");
    assert_eq!(read(&quiet, own + 500, 2_000), pattern(2, 2_000));
    assert_eq!(read(&quiet, own + page, 100), [0; 100]);
    assert_eq!(read(&greedy, first, 1), b"!");
    let error = quiet.rwrite(own + page, b"new").expect_err("a fresh page");
    assert_eq!(refusal(&error), Some((Status::NoMemory, Cause::None)), "{error}");

    greedy.rfree(first).expect("free");
    // The pages come back as they are zeroed.
    let mut tries = 0;
    while let Err(error) = quiet.rwrite(own + page, b"new") {
        tries += 1;
        assert_eq!(refusal(&error).map(|r| r.0), Some(Status::NoMemory), "{error}");
        assert!(tries < 1_000, "memory did not come back: {error}");
        client.ping().expect("ping");
    }
    assert_eq!(read(&quiet, own + page, 3), b"new");
    greedy.rread(first, &mut [0]).expect_err("freed");
}
