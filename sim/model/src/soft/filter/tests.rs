//! A filter that knows when its entries stop being live decides as one that looks at all of them.
use super::*;
use mneme_wire::{Opcode, Pid};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SETS_LOG2: u32 = 4;
const WAYS: usize = 4;
const ENTRIES: usize = (2 << SETS_LOG2) * WAYS;

fn drawn(rng: &mut ChaCha8Rng, now: Tick, window: u32) -> BoardRequest {
    let mut request = BoardRequest { opcode: Opcode::Write.number(), ..BoardRequest::default() };
    // One address asks for more than all others.
    let host = if rng.random_bool(0.6) { 1 } else { rng.random_range(2..40) };
    (request.endpoints.src_ip, request.endpoints.src_port) = ([10, 0, 0, host], rng.random_range(1..4));
    request.pid = Pid::from_low_bits(rng.random_range(0..4) << 20 | 1);
    request.op_id = rng.random_range(0..4_000);
    request.attempt = rng.random_range(0..3);
    let age = rng.random_range(0..window + window / 4 + 20);
    request.time = Tick::from_low_bits(now.get().wrapping_add(window / 4 + 10).wrapping_sub(age));
    request
}

/// Ticks until the next request: mostly few, now and then more than a window, or than lists are passed in one step.
fn pause(rng: &mut ChaCha8Rng, window: u32) -> u32 {
    match rng.random_range(0..1_000) {
        0 => 1 << 22,
        1..6 => rng.random_range(0..3 * window),
        n if n < 400 => 0,
        _ => rng.random_range(1..window / 20),
    }
}

#[test]
fn marks_tell_what_a_walk_tells() {
    let (mut full, mut swept, mut walked) = (0, 0, 0);
    for seed in 0..8 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut marked =
            RetryFilter { expiry: Some(Expiry::new(ENTRIES)), ..RetryFilter::new(SETS_LOG2, WAYS) };
        let mut plain = RetryFilter::new(SETS_LOG2, WAYS);
        assert!(plain.expiry.is_none(), "small ones are walked over");
        let (mut now, mut window, mut pending) = (Tick::from_low_bits(0xff_8000), 2_000, Vec::new());
        for step in 0..20_000 {
            now = now.plus(pause(&mut rng, window));
            if rng.random_ratio(1, 2_000) {
                window = rng.random_range(500..60_000);
            }
            assert_eq!(marked.scrub(now, window), plain.scrub(now, window), "{seed}/{step}");
            let (request, proven) = (drawn(&mut rng, now, window), rng.random());
            let before = (marked.tidied_at, marked.expiry.as_ref().is_some_and(Expiry::keeps));
            let decision = plain.decide(&request, now, window, proven);
            assert_eq!(marked.decide(&request, now, window, proven), decision, "{seed}/{step}: {request:?}");
            if before.0 != marked.tidied_at {
                (swept, walked) = (swept + u64::from(before.1), walked + u64::from(!before.1));
            }
            full += u64::from(decision == Decision::Full);
            if matches!(decision, Decision::Insert | Decision::Reopen) {
                pending.push(request);
            }
            // Some stay pending for longer than the window.
            while pending.len() > 12 || !pending.is_empty() && rng.random_bool(0.4) {
                let request = pending.swap_remove(rng.random_range(0..pending.len()));
                let status = if rng.random_bool(0.5) { Status::Ok } else { Status::Denied };
                let answer = Answer::fail(status, Cause::None);
                marked.finish(&request, &answer);
                plain.finish(&request, &answer);
            }
            assert_eq!((&marked.sets, marked.held), (&plain.sets, plain.held), "{seed}/{step}");
        }
    }
    assert!(full > 300 && swept > 200 && walked > 50, "{full} full, {swept} swept, {walked} walks");
}

#[test]
fn large_filters_keep_marks() {
    assert!(RetryFilter::new(14, 8).expiry.is_some());
    assert!(RetryFilter::new(12, usize::MAX).expiry.is_none(), "without bounds nobody asks");
}

/// Who fills a large filter from one address makes the board walk over all entries once, not in each tick.
#[test]
fn a_flood_of_one_address_costs_no_walks() {
    let (mut filter, window) = (RetryFilter::new(12, 8), 32_000);
    let (mut now, mut made) = (Tick::default(), [0, 0]);
    for id in 0..200_000 {
        // Two in a tick, of which the filter has room for one; every eighth is another's.
        now = now.plus(id % 2);
        let host = usize::from(id.is_multiple_of(8));
        let mut request =
            BoardRequest { opcode: Opcode::Write.number(), op_id: id, time: now, ..BoardRequest::default() };
        request.endpoints.src_ip = [10, 0, 0, host as u8];
        if filter.decide(&request, now, window, false) == Decision::Insert {
            made[host] += 1;
            filter.finish(&request, &Answer::fail(Status::Ok, Cause::None));
        }
    }
    let [flood, other] = made;
    assert!(flood < 160_000 && other > 24_000, "the flood is refused, the other is not: {made:?}");
    assert!(filter.walks <= 3, "{} walks", filter.walks);
}
