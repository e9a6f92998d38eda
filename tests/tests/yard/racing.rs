//! Accesses that are under way while their page is freed and given to somebody else: each is served before, or refused; none
//! touches the next one's page.
use std::collections::BTreeMap;

use mneme_rtl::RtlConfig;
use mneme_tests::yard::{Ground, Raw, Shared, lock};
use mneme_wire::payload::RangeRights;
use mneme_wire::{Opcode, Rights, Status};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{balances, many, rtl_yard, soft_yard};

/// Pages that are freed under accesses.
const FEW: u64 = 400;
/// Accesses beside each FREE, before and behind it.
const ACCESSES: u64 = 10;
/// Looks at the board for all answers.
const PATIENCE: u64 = 1 << 13;
/// What the next tenant writes, and where accesses go.
const MINE: [u8; 64] = [0x3c; 64];

/// How accesses ended.
#[derive(Debug, Default, Clone, Copy)]
struct Raced {
    served: u64,
    refused: u64,
    freed: u64,
}

fn race<F: Ground>(yard: &Shared<F>, seed: u64, count: u64) -> Raced {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let [mut first, mut next] =
        [1, 2].map(|n| Raw::new(yard, [10, 78, 1, n], 20_000).expect("the board answers"));
    let pids = (first.open(0).expect("a process"), next.open(0).expect("a process"));
    let mut raced = Raced::default();
    for round in 0..count {
        let va = first.alloc(pids.0, 1, Rights::READ_WRITE).expect("a page");
        assert!(first.write(pids.0, va, &[1; 8]).expect("an answer").is_ok());
        let mut waited = BTreeMap::new();
        let place = random.random_range(0..=ACCESSES);
        for number in 0..=ACCESSES {
            let tick = lock(yard).ask_tick();
            let (opcode, payload, length) = match random.random_range(0..4) {
                _ if number == place => (Opcode::Free, RangeRights::default().to_bytes().to_vec(), None),
                0 => (Opcode::Read, Vec::new(), Some(64)),
                1 => (Opcode::FetchAdd, vec![1; 8], None),
                _ => (Opcode::Write, vec![0xbb; 64], None),
            };
            let at = if opcode == Opcode::Free { va } else { va + 64 * random.random_range(0..4) };
            let mut request = first.request(opcode, pids.0, at, length.unwrap_or(payload.len() as u16));
            request.time = tick;
            first.send(&request, &payload).expect("sent");
            waited.insert(request.op_id, opcode);
            if random.random_ratio(1, 3) {
                lock(yard).pass(random.random_range(1..400)).expect("the board is up");
            }
        }
        let mut is_free = false;
        while !waited.is_empty() {
            let answer = first.answer(PATIENCE).expect("readable").expect("every request is answered");
            let Some(opcode) = waited.remove(&answer.response.op_id) else { continue };
            let fits = match opcode {
                Opcode::Free => matches!(answer.response.status, Status::Ok | Status::Busy),
                _ => matches!(answer.response.status, Status::Ok | Status::Unmapped | Status::Busy),
            };
            assert!(fits, "round {round}: {opcode:?} was answered {}", answer.words());
            is_free |= opcode == Opcode::Free && answer.is_ok();
            raced.served += u64::from(opcode != Opcode::Free && answer.is_ok());
            raced.refused += u64::from(opcode != Opcode::Free && answer.response.status == Status::Unmapped);
        }
        raced.freed += u64::from(is_free);
        if !is_free {
            assert!(first.free(pids.0, va).expect("an answer").is_ok());
        }
        // Whoever has the page now finds it as he left it, whatever comes late.
        let mine = next.alloc(pids.1, 1, Rights::READ_WRITE).expect("a page");
        for line in 0..4 {
            assert!(next.write(pids.1, mine + 64 * line, &MINE).expect("an answer").is_ok());
        }
        let late = first.write(pids.0, va, &[0xbb; 64]).expect("an answer");
        assert_eq!(late.response.status, Status::Unmapped, "round {round}: after FREE");
        for line in 0..4 {
            let read = next.read(pids.1, mine + 64 * line, 64).expect("an answer");
            assert_eq!((read.is_ok(), &read.payload[..]), (true, &MINE[..]), "round {round}");
        }
        assert!(next.free(pids.1, mine).expect("an answer").is_ok());
    }
    assert!(first.exit(pids.0).expect("an answer").is_ok() && next.exit(pids.1).expect("an answer").is_ok());
    balances(yard);
    raced
}

#[test]
fn on_the_software_board() {
    let count = many(FEW);
    let raced = race(&soft_yard(7), 7, count);
    assert!(raced.freed > count / 2 && raced.served > count && raced.refused > count, "{raced:?}");
}

#[test]
fn on_the_rtl() {
    let count = many(10 * FEW).div_ceil(100).max(FEW / 8);
    let raced = race(&rtl_yard(RtlConfig::Sim, 8), 8, count);
    assert!(raced.freed > count / 2 && raced.served > count && raced.refused > count, "{raced:?}");
}
