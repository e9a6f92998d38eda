//! When packets leave where they are paced: retries, and the first timer after a pause.
use super::hand::{Bench, US, WINDOW};
use mneme_clib::transport::Transport;
use mneme_clib::{BoardInfo, TransportConfig};
use mneme_wire::{Cause, Opcode, Status};
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

#[test]
fn what_waits_for_the_filter_is_not_given_up_while_the_board_answers() {
    const GIVE_UP: Duration = Duration::from_millis(2);
    let mut bench = impatient(GIVE_UP);
    let start = |bench: &mut Bench, count: usize| {
        for _ in 0..count {
            bench.transport.start(Bench::call(Opcode::Write), bench.now).unwrap();
        }
    };
    start(&mut bench, 60);
    let mut done = 0;
    while done < 60 {
        // Fences among them ask for the tick.
        let request = bench.next().expect("they leave one after the other");
        bench.ok(&request);
        if request.opcode == Opcode::Write {
            assert!(bench.ended().unwrap().is_ok());
            done += 1;
        }
    }
    assert!(bench.now > 2 * GIVE_UP, "eight in a window of {WINDOW} µs: {:?}", bench.now);
    assert_eq!(bench.transport.counters().busy.len(), 0);
    // On a board that is gone they end all the same.
    start(&mut bench, 20);
    let (from, mut failed) = (bench.now, 0);
    while failed < 20 {
        let _nobody_answers = bench.next();
        while let Some(result) = bench.ended() {
            result.expect_err("nobody has answered");
            failed += 1;
        }
        assert!(bench.now - from < 20 * GIVE_UP, "{failed} of 20");
    }
}

/// A transport that gives up before the filter's window is over.
fn impatient(give_up: Duration) -> Bench {
    let mut bench = Bench::new();
    let board = BoardInfo { filter_entries: 16, ..*bench.transport.board().unwrap() };
    let config = TransportConfig { give_up, ..TransportConfig::board_time() };
    bench.transport = Transport::new(config, 100);
    bench.transport.learn(board, bench.now);
    bench
}

#[test]
fn what_leaves_late_and_is_refused_is_not_given_up_before_a_window_has_passed() {
    let mut bench = impatient(US * WINDOW);
    for _ in 0..12 {
        bench.transport.start(Bench::call(Opcode::Write), bench.now).unwrap();
    }
    let (mut first, mut writes, mut done) = (bench.now, 0, 0);
    while done < 12 {
        if let Some(request) = bench.next() {
            if request.opcode == Opcode::Write && request.attempt == 0 {
                (first, writes) = (bench.now, writes + 1);
            }
            // The last one has its place late: entries are in its way.
            if writes == 12 && request.opcode == Opcode::Write && bench.now - first < US * WINDOW / 8 * 7 {
                bench.answer(&request, Status::Busy, Cause::Filter);
            } else {
                bench.ok(&request);
            }
        }
        while let Some(result) = bench.ended() {
            result.expect("the entries in its way go");
            done += 1;
        }
    }
    assert!(first > US * WINDOW, "its time was over before it left: {first:?}");
}

#[test]
fn a_write_that_waited_for_the_filter_has_half_of_its_time_once_it_leaves() {
    let give_up = US * WINDOW;
    let mut bench = impatient(give_up);
    // Timers follow the round trip.
    let read = bench.start(Opcode::Read);
    bench.now += 20 * US;
    bench.ok(&read);
    assert!(bench.ended().unwrap().is_ok());
    for _ in 0..20 {
        bench.transport.start(Bench::call(Opcode::Write), bench.now).unwrap();
    }
    let (mut done, mut last) = (0, bench.now);
    while done < 20 {
        if let Some(request) = bench.next() {
            // The first attempt of every write is lost.
            match (request.opcode, request.attempt) {
                (Opcode::Write, 0) => last = bench.now,
                _ => bench.ok(&request),
            }
        }
        while let Some(result) = bench.ended() {
            result.expect("one lost packet ends nothing");
            done += 1;
        }
    }
    assert!(last > 2 * give_up, "they wait for longer than operations last: {last:?}");
}
