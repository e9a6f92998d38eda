//! When packets leave where they are paced: retries, and the first timer after a pause.
use super::hand::{Bench, US, WINDOW};
use mneme_wire::Opcode;
use std::time::Duration;

#[test]
fn young_retries_wait_for_the_window_and_older_ones_do_not() {
    let mut bench = Bench::new();
    let read = bench.start(Opcode::Read);
    bench.now += 20 * US;
    bench.ok(&read);
    assert!(bench.ended().unwrap().is_ok());
    let first = bench.now;
    let ids = [bench.start(Opcode::Write).op_id, bench.start(Opcode::Write).op_id];
    let (share, half) = (US * WINDOW / 8, US * WINDOW / 2);
    let mut left = vec![];
    while bench.now < first + 2 * half {
        let request = bench.next().expect("silence is borne for longer than a window");
        left.push((bench.now - first, request.op_id));
    }
    // Both time out at once, and the window is one request then, and less later.
    let young: Vec<_> = left.iter().filter(|(at, _)| *at < half).collect();
    assert!(!young.is_empty() && young.windows(2).all(|pair| pair[0].0 < pair[1].0), "{left:?}");
    for id in ids {
        let of = left.iter().filter(|(at, op_id)| *op_id == id && *at >= half);
        let times: Vec<_> = of.map(|(at, _)| *at).collect();
        assert!(times[0] <= half + share && times.len() >= 4, "{left:?}");
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] <= share), "{left:?}");
    }
}

#[test]
fn the_first_timer_after_a_pause_is_a_blind_one() {
    // The target is an eighth of the window.
    let target = US * WINDOW / 8;
    let mut bench = Bench::new();
    // Reads that are answered soon, and one whose first two attempts are not: when the second and third leave.
    let mut gaps = |pause: Duration| {
        for _ in 0..20 {
            let read = bench.start(Opcode::Read);
            bench.now += 20 * US;
            bench.ok(&read);
            assert!(bench.ended().unwrap().is_ok());
        }
        bench.now += pause;
        let began = bench.now;
        let read = bench.start(Opcode::Read);
        let attempts = [1, 2].map(|_| {
            let again = bench.next().expect("silence is borne for longer");
            (again, bench.now)
        });
        assert!(attempts.iter().all(|(again, _)| again.op_id == read.op_id));
        bench.ok(&attempts[1].0);
        assert!(bench.ended().unwrap().is_ok());
        // Pacing ends, whatever the window is now.
        bench.now += 100 * target;
        [attempts[0].1 - began, attempts[1].1 - attempts[0].1]
    };
    let [first, _] = gaps(Duration::ZERO);
    assert!(first < target, "{first:?}: the round trip is known");
    let [first, second] = gaps(10 * target);
    assert_eq!(first, 4 * target, "it may be longer now");
    assert!(second < 2 * target, "{second:?}");
    let [first, _] = gaps(target / 2);
    assert!(first < target, "{first:?}: that was no pause");
}
