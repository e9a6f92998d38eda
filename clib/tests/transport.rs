//! The transport alone, with answers written by hand: each rule of architecture §3 "What proves that nothing happened".
mod closing;
mod hand;
mod pacing;
mod page_faults;
mod timed;
mod trailers;

use hand::{Bench, US, WINDOW, transmit};
use mneme_clib::transport::{StartError, Transport};
use mneme_clib::{BoardInfo, Effect, Reason, TransportConfig};
use mneme_wire::{Cause, Opcode, Packet, Pid, Request, Response, Status, Tick, Va};
use std::time::Duration;

#[test]
fn an_answer_ends_an_operation() {
    let mut bench = Bench::new();
    let request = bench.start(Opcode::FetchAdd);
    assert_eq!((request.op_id, request.attempt, request.time.get(), request.epoch), (100, 0, 1_000, 3));
    bench.now += 20 * US;
    bench.ok(&request);
    let answer = bench.ended().unwrap().unwrap();
    assert_eq!((answer.payload.to_vec(), answer.latency, answer.attempts), (vec![9; 8], 20 * US, 1));
    assert_eq!(bench.start(Opcode::Read).op_id, 101);
}

#[test]
fn silence_repeats_the_same_id_and_time_and_ends_in_bounded_time() {
    let mut bench = Bench::new();
    let first = bench.start(Opcode::Write);
    let mut attempts = 1;
    while let Some(request) = bench.next() {
        assert_eq!((request.op_id, request.time, request.attempt), (first.op_id, first.time, attempts));
        attempts += 1;
    }
    assert!(bench.now <= TransportConfig::board_time().give_up, "{:?}", bench.now);
    assert!(attempts > 5, "{attempts} attempts");
    assert_eq!(bench.failure(), (Reason::Unreachable, Effect::Possible));
}

#[test]
fn a_read_that_nobody_answers_changed_nothing() {
    let mut bench = Bench::new();
    bench.start(Opcode::Read);
    while bench.next().is_some() {}
    assert_eq!(bench.failure(), (Reason::Unreachable, Effect::None));
}

#[test]
fn timeouts_back_off_but_several_attempts_fit_the_window() {
    let mut bench = Bench::new();
    let mut times = vec![(bench.start(Opcode::Write), Duration::ZERO).1];
    while bench.now < 10 * US * WINDOW / 10 {
        bench.next();
        times.push(bench.now);
    }
    let gaps: Vec<Duration> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(gaps.iter().all(|gap| *gap <= US * WINDOW / 8), "{gaps:?}");
    let mut bench = Bench::new();
    bench.start(Opcode::Read);
    let mut last = Duration::ZERO;
    let mut gaps = Vec::new();
    for _ in 0..4 {
        bench.next();
        gaps.push(bench.now - last);
        last = bench.now;
    }
    assert_eq!(gaps, [50 * US, 100 * US, 200 * US, 400 * US], "reads know no window");
}

#[test]
fn nack_is_repeated_at_once() {
    let mut bench = Bench::new();
    let first = bench.start(Opcode::Write);
    bench.answer(&first, Status::Nack, Cause::None);
    let second = bench.sent().expect("at once");
    assert_eq!((second.op_id, second.attempt, second.time), (first.op_id, 1, first.time));
    bench.answer(&first, Status::Nack, Cause::None);
    assert_eq!(bench.sent(), None, "a doubled NACK of the first attempt asks for nothing");
    bench.ok(&second);
    assert!(bench.ended().unwrap().is_ok());
    assert_eq!((bench.transport.counters().nacks, bench.transport.counters().outdated), (1, 1));
}

#[test]
fn endless_nacks_end_as_damaged_without_a_storm() {
    let mut bench = Bench::new();
    let mut request = Some(bench.start(Opcode::Write));
    let mut sent = 0;
    while let Some(nacked) = request {
        sent += 1;
        bench.answer(&nacked, Status::Nack, Cause::None);
        request = bench.next();
    }
    assert!(sent <= 255, "{sent} packets");
    assert_eq!(bench.failure(), (Reason::Damaged, Effect::Possible));
}

#[test]
fn busy_waits_for_the_hint_with_each_cause() {
    // PENDING waits for the answer to the attempt that the board has.
    for cause in [Cause::Queue, Cause::Filter, Cause::Fault, Cause::Hold, Cause::Tier] {
        let mut bench = Bench::new();
        let first = bench.start(Opcode::Write);
        bench.answer(&first, Status::Busy, cause);
        let second = bench.next().unwrap();
        assert!(bench.now >= 5 * US && bench.now <= 10 * US, "{cause}: {:?}", bench.now);
        assert_eq!((second.op_id, second.attempt, second.time), (first.op_id, 1, first.time), "{cause}");
        bench.answer(&second, Status::Busy, cause);
        let again = bench.now;
        bench.next().unwrap();
        assert!(bench.now - again > 5 * US, "{cause}: the second wait is longer");
        assert_eq!(bench.transport.counters().busy[&cause], 2);
    }
}

#[test]
fn a_board_that_stays_busy_is_named_and_only_recorded_causes_prove_that_nothing_happened() {
    for (cause, effect) in [(Cause::Fault, Effect::None), (Cause::Filter, Effect::Possible)] {
        let mut bench = Bench::new();
        let mut request = bench.start(Opcode::Write);
        loop {
            // The tick stands still: the window never closes.
            bench.answer_at(&request, Status::Busy, cause, 10_000, 1_000);
            match bench.next() {
                Some(next) => request = next,
                None => break,
            }
        }
        assert_eq!(bench.failure(), (Reason::Busy(cause), effect));
        assert!(bench.now <= TransportConfig::board_time().give_up);
    }
}

#[test]
fn a_released_operation_starts_anew_when_its_window_runs_out() {
    let mut bench = Bench::new();
    let first = bench.start(Opcode::Write);
    // Two attempts more that wait for a page for a quarter of the window each have no time.
    bench.now = US * (WINDOW * 3 / 8 + 10);
    bench.answer(&first, Status::Busy, Cause::Fault);
    let answered = bench.now;
    let mut second = bench.next().unwrap();
    // The late answer has shrunk the window, so that packets are paced; by then the tick has to be asked for again.
    if second.opcode == Opcode::Fence {
        let told = Response::ok(&second, Tick::from_low_bits(bench.tick()), 0).to_bytes();
        bench.transport.receive(bench.now, &told, &mut ());
        second = bench.next().unwrap();
    }
    assert_eq!((second.opcode, second.op_id, second.attempt), (Opcode::Write, first.op_id + 1, 0));
    assert_eq!(second.time.get(), bench.tick());
    assert_eq!(bench.transport.counters().anew_released, 1);
    let most = bench.transport.config().max_timeout;
    assert!(bench.now - answered <= most, "paced for {:?}", bench.now - answered);
}

#[test]
fn a_refusal_of_an_earlier_attempt_proves_nothing() {
    let mut bench = Bench::new();
    let first = bench.start(Opcode::Write);
    let second = bench.next().expect("a timeout");
    bench.answer(&first, Status::Unmapped, Cause::None);
    assert!(bench.ended().is_none(), "the second attempt may be executed");
    bench.ok(&second);
    assert!(bench.ended().unwrap().is_ok());

    let first = bench.start(Opcode::Write);
    let second = bench.next().expect("a timeout");
    bench.answer(&second, Status::Unmapped, Cause::None);
    bench.ok(&first);
    let (reason, effect) = bench.failure();
    assert!(matches!(reason, Reason::Refused { status: Status::Unmapped, .. }));
    assert_eq!(effect, Effect::None);
}

/// A transport that knows the board's tick from an answer that was on its way for longer than the window.
fn lately_told() -> Bench {
    let mut bench = Bench::new();
    let read = bench.start(Opcode::Read);
    bench.now = US * (WINDOW + 60);
    // No sign of congestion, as far as the transport knows.
    bench.ok_slow_at(&read, 1_000);
    assert!(bench.ended().unwrap().is_ok());
    bench
}

#[test]
fn expired_with_proof_starts_anew() {
    let mut bench = lately_told();
    let first = bench.start(Opcode::Write);
    assert_eq!(first.time.get(), 1_000);
    bench.now += 30 * US;
    // The board was ahead of what the client knew by more than the window, already when the first attempt left.
    bench.answer_at(&first, Status::Expired, Cause::Window, 0, 1_000 + 30 + WINDOW + 10);
    let then = bench.now;
    let second = bench.next().unwrap();
    assert_eq!((second.op_id, second.attempt, bench.now), (first.op_id + 1, 0, then));
    assert_eq!(second.time.get(), 1_000 + 30 + WINDOW + 10, "with the tick that the answer told");
    bench.ok(&second);
    assert!(bench.ended().unwrap().is_ok());
}

/// The machine was paused, for as long as the board says, but nobody knows whether before the first attempt or after it.
#[test]
fn expired_after_the_client_stood_still_is_unknown() {
    for late in [10, WINDOW, 1 << 20] {
        let mut bench = Bench::new();
        let first = bench.start(Opcode::Write);
        bench.now = 30 * US;
        bench.answer_at(&first, Status::Expired, Cause::Window, 0, 1_000 + 30 + WINDOW + late);
        assert_eq!(bench.next(), None, "{late}");
        assert_eq!(bench.failure(), (Reason::Expired, Effect::Possible), "{late}");
    }
    // Later than what is known may be.
    let mut bench = lately_told();
    let first = bench.start(Opcode::Write);
    bench.now += 30 * US;
    bench.answer_at(&first, Status::Expired, Cause::Window, 0, 1_000 + 30 + 2 * WINDOW);
    assert_eq!(bench.next(), None);
    assert_eq!(bench.failure(), (Reason::Expired, Effect::Possible));
}

#[test]
fn expired_without_proof_is_unknown_unless_a_late_answer_comes() {
    for late in [false, true] {
        let mut bench = Bench::new();
        let first = bench.start(Opcode::Write);
        let second = bench.next().unwrap();
        bench.now = US * (WINDOW + 30);
        bench.answer(&second, Status::Expired, Cause::Window);
        assert!(bench.ended().is_none(), "an earlier answer may be late");
        if late {
            bench.now += 2 * US;
            bench.ok(&first);
            assert!(bench.ended().unwrap().is_ok());
        } else {
            assert_eq!(bench.next(), None);
            assert_eq!(bench.failure(), (Reason::Expired, Effect::Possible));
        }
    }
}

#[test]
fn expired_by_a_margin_within_clock_error_is_no_proof() {
    let mut bench = lately_told();
    let first = bench.start(Opcode::Write);
    bench.now += 30 * US;
    bench.answer_at(&first, Status::Expired, Cause::Window, 0, 1_000 + 30 + WINDOW + 1);
    assert_eq!(bench.next(), None);
    assert_eq!(bench.failure(), (Reason::Expired, Effect::Possible));
}

#[test]
fn stale_tells_the_new_epoch() {
    for opcode in [Opcode::Write, Opcode::Read] {
        let mut bench = Bench::new();
        let request = bench.start(opcode);
        bench.answer_at(&request, Status::Stale, Cause::Epoch, 4, 17);
        let (reason, _) = bench.failure();
        assert_eq!(reason, Reason::Restarted { epoch: 4 });
        assert_eq!(bench.transport.clock().last(), Some(Tick::from_low_bits(17)), "another boot's tick");
    }
}

#[test]
fn definite_refusals_end_at_once() {
    use {Cause as C, Effect as E, Status as S};
    let table = [
        (S::Unmapped, C::None, E::None),
        (S::Denied, C::Rights, E::None),
        (S::NoMemory, C::None, E::None),
        (S::BadRequest, C::Length, E::None),
        (S::Unsupported, C::Opcode, E::None),
        (S::MemoryError, C::Parity, E::None),
        (S::MemoryError, C::Dram, E::Possible),
        (S::Conflict, C::None, E::Possible),
        (S::Moved, C::None, E::None),
        (S::Unauthenticated, C::None, E::None),
    ];
    for (status, cause, expected) in table {
        let mut bench = Bench::new();
        let request = bench.start(Opcode::Swap);
        bench.answer_at(&request, status, cause, 0, 1_000);
        let (reason, effect) = bench.failure();
        match status {
            S::Moved => assert_eq!(reason, Reason::Moved { to: None, epoch: 0, span: 0 }),
            _ => assert_eq!(reason, Reason::Refused { status, cause, hint: 0 }),
        }
        assert_eq!(effect, expected, "{status}");
        bench.transport.start(Bench::call(Opcode::Swap), bench.now).unwrap();
    }
    let mut bench = Bench::new();
    let request = bench.start(Opcode::Read);
    bench.answer(&request, Status::Unsupported, Cause::Version);
    assert_eq!(bench.failure(), (Reason::Version, Effect::None));
}

#[test]
fn another_wire_version_is_named_when_nothing_else_comes() {
    let mut bench = Bench::new();
    let request = bench.start(Opcode::Read);
    let mut bytes = Response::ok(&request, Tick::default(), 8).to_bytes().to_vec();
    bytes[0] = 0x20;
    bench.transport.receive(bench.now, &bytes, &mut ());
    while bench.next().is_some() {}
    assert_eq!(bench.failure(), (Reason::Version, Effect::None));
    assert_eq!(bench.transport.counters().other_version, 1);
}

#[test]
fn wrong_answers_are_ignored_and_counted() {
    let mut bench = Bench::new();
    let request = bench.start(Opcode::Read);
    let good = Response::ok(&request, Tick::from_low_bits(1_001), 8);
    let send = |bench: &mut Bench, header: Response, payload: usize| {
        let bytes = [&header.to_bytes()[..], &vec![1; payload]].concat();
        bench.transport.receive(bench.now, &bytes, &mut ());
    };
    for length in 0..22 {
        bench.transport.receive(bench.now, &vec![0x10; length], &mut ());
    }
    bench.transport.receive(bench.now, &request.to_bytes(), &mut ());
    send(&mut bench, good, 7);
    assert_eq!(bench.transport.counters().malformed, 24);
    send(&mut bench, Response { length: 7, ..good }, 7);
    send(&mut bench, Response { length: 9, ..good }, 9);
    send(&mut bench, Response { va: Va::from_low_bits(4_104), ..good }, 8);
    send(&mut bench, Response { pid: Pid::from_low_bits(6), ..good }, 8);
    send(&mut bench, Response { opcode: Opcode::FetchAdd, ..good }, 8);
    send(&mut bench, Response { attempt: 1, ..good }, 8);
    assert_eq!(bench.transport.counters().mismatched, 6);
    send(&mut bench, Response { key_phase: true, ..good }, 8);
    assert_eq!(bench.transport.counters().wrong_trailer, 1);
    send(&mut bench, Response { op_id: 77, ..good }, 8);
    send(&mut bench, Response { op_id: request.op_id + 1, ..good }, 8);
    assert_eq!(bench.transport.counters().strangers, 2);
    assert_eq!(bench.transport.clock().last(), Some(Tick::from_low_bits(1_000)), "their ticks do not count");
    assert!(bench.ended().is_none());
    send(&mut bench, good, 8);
    assert!(bench.ended().unwrap().is_ok());
    send(&mut bench, good, 8);
    assert_eq!(bench.transport.counters().late, 1);
    assert!(bench.ended().is_none());
}

#[test]
fn an_old_tick_is_refreshed_before_anything_is_changed() {
    let mut bench = Bench::new();
    bench.now = US * (WINDOW / 8 + 1);
    let probe = bench.start(Opcode::Write);
    assert_eq!((probe.opcode, probe.pid.get()), (Opcode::Fence, 5));
    // The board lags behind the advertised tick.
    bench.answer_at(&Request { length: 0, ..probe }, Status::Busy, Cause::Queue, 0, 1_020);
    let write = bench.next().unwrap();
    assert_eq!((write.opcode, write.time.get()), (Opcode::Write, 1_020));
    bench.ok(&write);
    assert_eq!(bench.transport.counters().probes, 1);

    let mut bench = Bench::new();
    bench.now = US * (WINDOW / 8 + 1);
    assert_eq!(bench.start(Opcode::Read).opcode, Opcode::Read, "reads need no tick");
}

#[test]
fn busy_for_being_ahead_waits_until_the_board_has_come_near() {
    let mut bench = Bench::new();
    bench.now = 90 * US;
    let first = bench.start(Opcode::Write);
    assert_eq!(first.time.get(), 1_090);
    bench.answer_at(&first, Status::Busy, Cause::Clock, 100, 800);
    let (before, second) = (bench.now, bench.next().unwrap());
    assert_eq!((second.op_id, second.time), (first.op_id, first.time), "BUSY proves nothing");
    // 290 ticks ahead, 200 are allowed: 91 ticks to wait, at most halved by the spread.
    assert!(bench.now - before >= 45 * US && bench.now - before <= 100 * US, "{:?}", bench.now - before);
}

#[test]
fn a_doubled_busy_asks_for_one_more_attempt_only() {
    let mut bench = Bench::new();
    let first = bench.start(Opcode::Write);
    bench.answer(&first, Status::Busy, Cause::Fault);
    bench.answer(&first, Status::Busy, Cause::Fault);
    assert_eq!((bench.transport.counters().busy[&Cause::Fault], bench.transport.counters().outdated), (1, 1));
    let second = bench.next().unwrap();
    assert!(bench.now <= 10 * US, "the wait was not doubled");
    assert_eq!(second.attempt, 1);
}

#[test]
fn while_the_filter_has_no_room_the_refused_come_first() {
    let mut bench = Bench::new();
    let first = bench.start(Opcode::Write);
    bench.answer(&first, Status::Busy, Cause::Filter);
    bench.transport.start(Bench::call(Opcode::Write), bench.now).unwrap();
    bench.transport.start(Bench::call(Opcode::Read), bench.now).unwrap();
    let read = bench.sent().expect("reads need no place in the filter");
    assert_eq!((read.opcode, bench.sent()), (Opcode::Read, None));
    bench.ok(&read);
    assert!(bench.ended().unwrap().is_ok());
    let again = bench.next().unwrap();
    assert_eq!((again.op_id, again.attempt), (first.op_id, 1));
    bench.ok(&again);
    assert!(bench.ended().unwrap().is_ok());
    let mut turn = bench.next().expect("now it is the next one's turn");
    while turn.opcode == Opcode::Fence {
        // It asks for the tick, since it has waited.
        bench.ok(&turn);
        turn = bench.next().expect("now it is the next one's turn");
    }
    assert_eq!(turn.opcode, Opcode::Write);
    assert!(
        bench.now <= US * WINDOW * 2,
        "a board that tells nothing is thought to have taken what was sent"
    );
}

#[test]
fn the_number_of_packets_in_flight_is_bounded() {
    let mut bench = Bench::new();
    let room = TransportConfig::board_time().packets_in_flight;
    for _ in 0..room {
        bench.transport.start(Bench::call(Opcode::Read), bench.now).unwrap();
    }
    let full = bench.transport.start(Bench::call(Opcode::Read), bench.now);
    assert_eq!(full, Err(StartError::Full(room)));
    let mut fresh = Transport::new(TransportConfig::default(), 0);
    assert_eq!(fresh.start(Bench::call(Opcode::Read), bench.now), Err(StartError::UnknownBoard));
}

#[test]
fn ids_wrap_and_late_answers_are_still_told_from_strangers() {
    let mut transport = Transport::new(TransportConfig::board_time(), u32::MAX);
    let board = BoardInfo {
        window: 8,
        ns_per_tick: 1,
        epoch: 1,
        page_bits: 18,
        max_payload: 64,
        ..BoardInfo::default()
    };
    transport.learn(board, Duration::ZERO);
    let mut ids = Vec::new();
    let mut datagram = Vec::new();
    let answer = |transport: &mut Transport, request: &Request| {
        let bytes = [&Response::ok(request, Tick::default(), 8).to_bytes()[..], &[0; 8]].concat();
        transport.receive(Duration::ZERO, &bytes, &mut ());
    };
    for _ in 0..3 {
        transport.start(Bench::call(Opcode::Read), Duration::ZERO).unwrap();
        assert!(transmit(&mut transport, Duration::ZERO, &mut datagram));
        ids.push(Request::parse(&Packet::new_checked(&datagram[..]).unwrap()).unwrap());
        answer(&mut transport, &ids[ids.len() - 1]);
    }
    assert_eq!(ids.iter().map(|r| r.op_id).collect::<Vec<_>>(), [u32::MAX, 0, 1]);
    ids.iter().for_each(|request| answer(&mut transport, request));
    assert_eq!((transport.counters().answered, transport.counters().late), (3, 3));
}

#[test]
fn who_is_told_to_wait_again_and_again_starts_anew_before_its_attempts_have_no_numbers_left() {
    let mut bench = Bench::new();
    let mut request = bench.start(Opcode::FetchAdd);
    let mut ids = vec![request.op_id];
    let mut sent = 1;
    loop {
        // The board's tick stands still: the window does not end it.
        bench.answer_at(&request, Status::Busy, Cause::Hold, 0, 1_000);
        let Some(next) = bench.next() else { break };
        (request, sent) = (next, sent + 1);
        if ids.last() != Some(&request.op_id) {
            assert_eq!(request.attempt, 0);
            ids.push(request.op_id);
        }
    }
    assert!(sent > 256 && ids.len() == 2, "{sent} attempts, 255 of an id: {ids:?}");
    assert_eq!(bench.failure(), (Reason::Busy(Cause::Hold), Effect::None), "until its time is over");
}
