//! Every interleaving of small programs, against a memory that says what each read must see.
use super::{Access, Domain, Footprint, Order, RequestId};
use std::collections::HashSet;

/// Bytes of the reference memory.
const BYTES: usize = 2;
/// Requests of a program.
const LENGTH: usize = 4;

/// What each byte was written by last (0: nobody), per process.
type Memory = [[u8; BYTES]; 2];

fn kinds() -> Vec<Footprint> {
    let mut kinds = Vec::new();
    for domain in [1, 2].map(Domain) {
        kinds.push(Footprint::barrier(domain));
        for access in [Access::Read, Access::Write] {
            for bytes in [(0, 0), (1, 1), (0, 1)] {
                kinds.push(Footprint { domain, access, bytes });
            }
        }
    }
    kinds
}

/// What a request sees of its process, and what it leaves behind. Barriers see everything and write everything, so that
/// an access on the wrong side of one shows.
fn effect(memory: &mut Memory, footprint: &Footprint, number: u8) -> [u8; BYTES] {
    let process = &mut memory[footprint.domain.0 as usize - 1];
    let (first, last) = if footprint.access == Access::Barrier { (0, 1) } else { footprint.bytes };
    let mut seen = [u8::MAX; BYTES];
    for byte in first as usize..=last as usize {
        seen[byte] = process[byte];
        if footprint.access != Access::Read {
            process[byte] = number;
        }
    }
    seen
}

/// Where a run stands: what has started, taken effect, ended, and what memory holds.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    started: [bool; LENGTH],
    effective: [bool; LENGTH],
    ended: [bool; LENGTH],
    memory: Memory,
}

/// Runs a program in every order that the layer allows; a started request takes effect at any moment before it ends.
fn explore(program: &[Footprint; LENGTH], longest: &mut usize) {
    let (mut expected, mut memory) = ([[0; BYTES]; LENGTH], Memory::default());
    for (number, footprint) in program.iter().enumerate() {
        expected[number] = effect(&mut memory, footprint, number as u8 + 1);
    }
    let start = State {
        started: [false; LENGTH],
        effective: [false; LENGTH],
        ended: [false; LENGTH],
        memory: Memory::default(),
    };
    let (mut seen, mut todo) = (HashSet::from([start.clone()]), vec![start]);
    while let Some(state) = todo.pop() {
        let mut order = Order::default();
        let submit = |footprint: &Footprint| {
            let id = order.submit(*footprint);
            (id, order.may_start(id))
        };
        let (ids, at_once): (Vec<RequestId>, Vec<bool>) = program.iter().map(submit).unzip();
        (0..LENGTH).filter(|n| state.ended[*n]).for_each(|n| order.finish(ids[n]));
        // Whoever had to wait is told once that it need not any longer: nobody asks again and again.
        let mut freed: Vec<RequestId> = std::iter::from_fn(|| order.freed()).collect();
        freed.sort();
        let free = (0..LENGTH).filter(|n| !at_once[*n] && (state.ended[*n] || order.may_start(ids[*n])));
        assert_eq!(freed, free.map(|n| ids[n]).collect::<Vec<_>>(), "{program:?} waits for ever");
        let mut moves = 0;
        for n in 0..LENGTH {
            let mut next = state.clone();
            if !state.started[n] && order.may_start(ids[n]) {
                next.started[n] = true;
            } else if state.started[n] && !state.effective[n] {
                next.effective[n] = true;
                let saw = effect(&mut next.memory, &program[n], n as u8 + 1);
                assert_eq!(saw, expected[n], "request {n} of {program:?}");
            } else if state.effective[n] && !state.ended[n] {
                next.ended[n] = true;
            } else {
                continue;
            }
            moves += 1;
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
        let done = state.ended.iter().all(|ended| *ended);
        assert!(done || moves > 0, "{program:?} hangs");
        assert!(!done || state.memory == memory, "{program:?} leaves another memory behind");
        let together = (0..LENGTH).filter(|n| state.started[*n] && !state.ended[*n]).count();
        *longest = (*longest).max(together);
    }
}

#[test]
fn every_interleaving_of_every_small_program_is_as_if_one_after_the_other() {
    let kinds = kinds();
    let mut longest = 0;
    // The first request belongs to process 1: processes are alike.
    for a in kinds.iter().filter(|kind| kind.domain == Domain(1)) {
        for (b, c) in kinds.iter().flat_map(|b| kinds.iter().map(move |c| (b, c))) {
            kinds.iter().for_each(|d| explore(&[*a, *b, *c, *d], &mut longest));
        }
    }
    assert_eq!(longest, LENGTH, "independent requests are under way together");
}

/// The table of the module's page, row by row.
#[test]
fn pairs_wait_as_the_table_says() {
    let domain = Domain(1);
    let on = |access, byte| Footprint { domain, access, bytes: (byte, byte) };
    let waits = |first: Footprint, second: Footprint| {
        let mut order = Order::default();
        order.submit(first);
        let id = order.submit(second);
        !order.may_start(id)
    };
    let (read, write) = (on(Access::Read, 7), on(Access::Write, 7));
    let barrier = Footprint::barrier(domain);
    assert!(!waits(read, read));
    assert!(waits(read, write) && waits(write, read) && waits(write, write));
    assert!(waits(read, barrier) && waits(write, barrier) && waits(barrier, barrier));
    assert!(waits(barrier, read) && waits(barrier, write));
    assert!(!waits(write, on(Access::Write, 8)), "another page");
    let stranger = Footprint { domain: Domain(2), ..write };
    assert!(!waits(write, stranger) && !waits(barrier, stranger), "another process");
}

#[test]
fn the_parts_of_one_call_go_together_and_all_of_them_are_one_barrier() {
    let (domain, mut order) = (Domain(1), Order::default());
    let write = Footprint { domain, access: Access::Write, bytes: (1, 1) };
    let (first, second) =
        (order.of_parts(Footprint::barrier(domain)), order.of_parts(Footprint::barrier(domain)));
    let before = order.submit(write);
    let parts = [order.submit(first), order.submit(first)];
    let next = [order.submit(second), order.submit(second)];
    let behind = order.submit(write);
    assert!(parts.iter().chain(&next).chain([&behind]).all(|id| !order.may_start(*id)));
    order.finish(before);
    assert!(parts.iter().all(|id| order.may_start(*id)), "on several boards at once");
    order.finish(parts[1]);
    assert!(next.iter().chain([&behind]).all(|id| !order.may_start(*id)), "one part is under way still");
    order.finish(parts[0]);
    assert!(next.iter().all(|id| order.may_start(*id)) && !order.may_start(behind));
    next.into_iter().for_each(|id| order.finish(id));
    assert!(order.may_start(behind));
    let mut freed: Vec<RequestId> = std::iter::from_fn(|| order.freed()).collect();
    freed.sort();
    assert_eq!(freed, [parts[0], parts[1], next[0], next[1], behind], "each once");
    let read = Footprint { access: Access::Read, ..write };
    assert_eq!(order.of_parts(read), read, "what is no barrier stays what it is");
}

#[test]
fn a_release_waits_for_what_came_before_it_only() {
    let domain = Domain(1);
    let mut order = Order::default();
    let write = order.submit(Footprint { domain, access: Access::Write, bytes: (0, 3) });
    let release = order.next_id();
    let later = order.submit(Footprint { domain, access: Access::Write, bytes: (9, 9) });
    assert!(order.busy(domain, release) && !order.busy(Domain(2), release));
    order.finish(write);
    assert!(!order.busy(domain, release));
    assert!(order.may_start(later));
    order.finish(later);
    order.finish(later);
    assert!(!order.may_start(later), "it has ended");
}
