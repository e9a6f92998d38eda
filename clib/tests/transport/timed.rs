//! Answers that tell how long their requests were on the board.
use super::hand::{Bench, US};
use mneme_clib::BoardTimes;
use mneme_wire::{Cause, Opcode, Request, Response, Status, Tick};

/// An answer with the flag timed.
fn told(bench: &mut Bench, request: &Request, status: Status, cycles: u32) {
    let time = Tick::from_low_bits(cycles);
    let header = match status {
        Status::Ok => Response::ok(request, time, request.length),
        _ => Response::fail(request, time, status, request.va),
    };
    let mut bytes = Response { timed: true, ..header }.to_bytes().to_vec();
    if status == Status::Ok && request.opcode != Opcode::Write {
        bytes.extend([9; 8]);
    }
    bench.transport.receive(bench.now, &bytes, &mut ());
}

#[test]
fn cycles_are_told_and_are_no_tick() {
    let mut bench = Bench::new();
    let plain = bench.start(Opcode::Read);
    assert!(!plain.timed);
    bench.ok(&plain);
    assert!(bench.ended().expect("it has ended").is_ok());
    assert_eq!(bench.transport.set_times(Some(BoardTimes::default())), None);
    let request = bench.start(Opcode::Write);
    assert!(request.timed);
    bench.now += 20 * US;
    told(&mut bench, &request, Status::Ok, 70_000);
    assert!(bench.ended().expect("it has ended").is_ok());
    assert_eq!(bench.transport.clock().last(), Some(Tick::from_low_bits(1_000)), "no sample of the clock");
    let times = BoardTimes { packets: 1, cycles: 70_000, shortest: 70_000, longest: 70_000 };
    assert_eq!(bench.transport.set_times(None), Some(times));
    assert!(!bench.start(Opcode::Write).timed);
}

#[test]
fn an_answer_that_does_not_tell_is_as_good() {
    let mut bench = Bench::new();
    bench.transport.set_times(Some(BoardTimes::default()));
    let request = bench.start(Opcode::FetchAdd);
    bench.now += 20 * US;
    bench.ok(&request);
    assert!(bench.ended().expect("it has ended").is_ok());
    assert_eq!(bench.transport.set_times(None), Some(BoardTimes::default()));
    assert_eq!(bench.transport.clock().last(), Some(Tick::from_low_bits(1_020)));
}

#[test]
fn cycles_that_nobody_asked_for_fit_nothing() {
    let mut bench = Bench::new();
    let request = bench.start(Opcode::Read);
    told(&mut bench, &request, Status::Ok, 5);
    assert!(bench.ended().is_none());
    bench.ok(&request);
    assert!(bench.ended().expect("it has ended").is_ok());
    bench.transport.set_times(Some(BoardTimes::default()));
    let timed = bench.start(Opcode::Write);
    // Only OK can do without the tick.
    told(&mut bench, &timed, Status::Expired, 5);
    assert_eq!(bench.transport.counters().mismatched, 2);
    assert!(bench.ended().is_none());
    bench.answer(&timed, Status::Expired, Cause::Window);
    assert_eq!(bench.transport.counters().mismatched, 2);
}

#[test]
fn slow_path_operations_are_not_timed() {
    for opcode in [Opcode::Ping, Opcode::Free, Opcode::Counters] {
        let mut bench = Bench::new();
        bench.transport.set_times(Some(BoardTimes::default()));
        assert!(!bench.start(opcode).timed, "{opcode}");
    }
}
