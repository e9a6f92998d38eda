//! When packets leave where they are paced: retries, and the first timer after a pause.
use super::hand::{Bench, US, WINDOW};
use mneme_clib::transport::Transport;
use mneme_clib::{BoardInfo, Reason, TransportConfig};
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

/// A write that has its turn at last may find the tick too old, and the board busy with others: that is no silence.
#[test]
fn what_waited_for_the_filter_is_not_given_up_while_it_waits_for_the_tick() {
    const GIVE_UP: Duration = Duration::from_millis(2);
    let mut bench = impatient(GIVE_UP);
    let config = TransportConfig { clock_trust: Some(50 * US), ..bench.transport.config().clone() };
    let board = *bench.transport.board().unwrap();
    bench.transport = Transport::new(config, 100);
    bench.transport.learn(board, bench.now);
    for _ in 0..60 {
        bench.transport.start(Bench::call(Opcode::Write), bench.now).unwrap();
    }
    let (mut done, mut asked) = (0, 0);
    while done < 60 {
        let request = bench.next().expect("they leave one after the other");
        if request.opcode != Opcode::Write {
            // The tick comes late.
            asked += 1;
            bench.now += US * WINDOW / 4;
        }
        bench.ok(&request);
        while let Some(result) = bench.ended() {
            result.expect("the board answers");
            done += 1;
        }
    }
    assert!(asked > 20 && bench.now > 2 * GIVE_UP, "{asked} in {:?}", bench.now);
}

/// A simulated board on a busy machine: its ticks are ten times as long as it tells.
#[test]
fn a_board_whose_tick_lags_is_paced_by_its_tick_and_asked_for_a_whole_window() {
    const SLOWER: u32 = 10;
    let config = TransportConfig { max_busy_wait: US * WINDOW, ..TransportConfig::board_time() };
    let mut bench = Bench::new();
    let board = BoardInfo { filter_entries: 64, ..*bench.transport.board().unwrap() };
    bench.transport = Transport::new(config, 100);
    bench.transport.learn(board, bench.now);
    let tick = |bench: &Bench| 1_000 + bench.now.as_micros() as u32 / SLOWER;
    let (mut left, mut done, mut started) = (Vec::new(), 0, 0);
    while bench.now < 4 * SLOWER * WINDOW * US {
        if started < done + 8 {
            bench.transport.start(Bench::call(Opcode::Write), bench.now).unwrap();
            started += 1;
        }
        if let Some(request) = bench.next() {
            if request.opcode == Opcode::Write {
                left.push(bench.now);
            }
            bench.answer_at(&request, Status::Ok, Cause::None, 0, tick(&bench));
        }
        while let Some(result) = bench.ended() {
            result.unwrap();
            done += 1;
        }
    }
    // 45% of 64 entries for each of the board's windows, and what growth and the burst add.
    let third = left.iter().filter(|at| (2 * SLOWER * WINDOW * US..3 * SLOWER * WINDOW * US).contains(*at));
    assert!((28..=38).contains(&third.count()), "{left:?}");
    // One that finds no room all that time has attempts left at the end of it.
    while started > done {
        let request = bench.next().expect("it is under way");
        bench.answer_at(&request, Status::Ok, Cause::None, 0, tick(&bench));
        done += u32::from(bench.ended().is_some());
    }
    bench.transport.start(Bench::call(Opcode::Write), bench.now).unwrap();
    let request = loop {
        let request = bench.next().expect("it has its turn");
        if request.opcode == Opcode::Write {
            break request;
        }
        bench.answer_at(&request, Status::Ok, Cause::None, 0, tick(&bench));
    };
    let first = bench.now;
    bench.answer_at(&request, Status::Busy, Cause::Filter, 1_000, tick(&bench));
    while let Some(request) = bench.next() {
        bench.answer_at(&request, Status::Busy, Cause::Filter, 1_000, tick(&bench));
    }
    assert_eq!(bench.failure().0, Reason::Busy(Cause::Filter));
    assert!(bench.now - first >= SLOWER * WINDOW * US, "{:?}", bench.now - first);
}
