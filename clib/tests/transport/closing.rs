//! For how long a failed write closes memory to new operations.
use super::hand::{Bench, US, WINDOW};
use mneme_clib::transport::Call;
use mneme_clib::{BoardInfo, Effect, Reason};
use mneme_wire::{Cause, Opcode, Request, Status};

/// Starts a read behind a failed write; answers what the client asks the board's tick with instead.
fn a_read_waits(bench: &mut Bench) -> Request {
    bench.transport.start(Bench::call(Opcode::Read), bench.now).unwrap();
    let probe = bench.next().unwrap();
    assert_eq!(probe.opcode, Opcode::Fence, "the read waits");
    probe
}

#[test]
fn nothing_touches_memory_while_a_failed_write_may_still_be_executed() {
    let mut bench = Bench::new();
    let write = bench.start(Opcode::Write);
    // The board's tick hardly moves, so its window is still open when the client gives up.
    while let Some(request) = bench.next() {
        bench.answer_at(&request, Status::Busy, Cause::Filter, 50_000, 1_000 + u32::from(request.attempt));
    }
    assert_eq!(bench.failure(), (Reason::Busy(Cause::Filter), Effect::Possible));
    bench.transport.start(Bench::call(Opcode::Read), bench.now).unwrap();
    let probe = bench.next().unwrap();
    assert_eq!(probe.opcode, Opcode::Fence, "the read waits");
    let closing = write.time.get() + WINDOW;
    let fence = |probe: Request| Request { length: 0, ..probe };
    bench.answer_at(&fence(probe), Status::Unmapped, Cause::None, 0, closing);
    let probe = bench.next().unwrap();
    assert_eq!(probe.opcode, Opcode::Fence, "at the last tick of the window it waits still");
    bench.answer_at(&fence(probe), Status::Unmapped, Cause::None, 0, closing + 1);
    let read = bench.next().unwrap();
    assert_eq!(read.opcode, Opcode::Read);
}

#[test]
fn a_call_that_an_earlier_one_holds_for_too_long_says_so() {
    for (opcode, board_answers) in
        [(Opcode::Read, true), (Opcode::Read, false), (Opcode::Write, true), (Opcode::Write, false)]
    {
        let mut bench = Bench::new();
        bench.start(Opcode::Write);
        // The tick stands still: the window stays open for longer than anyone waits.
        while bench.next().is_some() {}
        assert_eq!(bench.failure(), (Reason::Unreachable, Effect::Possible));
        bench.transport.start(Bench::call(opcode), bench.now).unwrap();
        while let Some(probe) = bench.next() {
            assert_eq!(probe.opcode, Opcode::Fence, "only the tick is asked for");
            if board_answers {
                bench.answer_at(&Request { length: 0, ..probe }, Status::Unmapped, Cause::None, 0, 1_001);
            }
        }
        let failure = bench.ended().expect("it has ended").expect_err("it has failed");
        assert_eq!((failure.effect, failure.attempts), (Effect::None, 0));
        match failure.reason {
            Reason::Held { left } => assert!(board_answers && left <= US * (WINDOW + 2), "{left:?}"),
            reason => assert!(!board_answers && reason == Reason::Unreachable, "{reason}"),
        }
    }
}

#[test]
fn a_restart_ends_what_copies_of_a_failed_write_may_do() {
    let mut bench = Bench::new();
    bench.start(Opcode::Write);
    while bench.next().is_some() {}
    assert_eq!(bench.failure(), (Reason::Unreachable, Effect::Possible));
    let probe = a_read_waits(&mut bench);
    // Another boot's tick is no nearer to the end of the window.
    bench.answer_at(&Request { length: 0, ..probe }, Status::Stale, Cause::Epoch, 4, 17);
    let read = bench.next().unwrap();
    assert_eq!(read.opcode, Opcode::Read, "nothing of the old epoch is executed any more");
    bench.answer_at(&read, Status::Stale, Cause::Epoch, 4, 18);
    assert_eq!(bench.failure(), (Reason::Restarted { epoch: 4 }, Effect::None));
}

/// A write fails after this call has gone out; the call's request.
fn a_write_fails_after(bench: &mut Bench, call: Call) -> Request {
    for _ in 0..8 {
        let request = bench.start(Opcode::Write);
        bench.ok(&request);
        bench.ended().unwrap().unwrap();
    }
    bench.start(Opcode::Write);
    bench.now += US;
    bench.transport.start(call, bench.now).unwrap();
    let old = bench.sent().expect("the window is open");
    while bench.next().is_some() {}
    assert_eq!(bench.failure(), (Reason::Unreachable, Effect::Possible));
    old
}

#[test]
fn what_was_asked_before_a_failure_does_not_end_its_window() {
    let mut bench = Bench::new();
    // Of a process that is older than the write's: its answer may have been on the way for as long.
    let old = a_write_fails_after(&mut bench, Call { epoch: 2, ..Bench::call(Opcode::Read) });
    bench.answer_at(&old, Status::Stale, Cause::Epoch, 4, 17);
    assert_eq!(bench.failure(), (Reason::Restarted { epoch: 4 }, Effect::None));
    a_read_waits(&mut bench);
}

#[test]
fn a_tick_that_wrapped_meanwhile_is_not_the_past() {
    // The tick is told modulo 2^24: after more than half of that every tick seems to be before the window's end.
    let half = US * (1 << 23);
    for idle in [half - US * 10_000, half + US * 10_000, half * 3 / 2, half * 2 - US * 200_000] {
        let mut bench = Bench::new();
        bench.start(Opcode::Write);
        while bench.next().is_some() {}
        assert_eq!(bench.failure(), (Reason::Unreachable, Effect::Possible));
        bench.now += idle;
        let probe = a_read_waits(&mut bench);
        let tick = bench.tick();
        bench.answer_at(&Request { length: 0, ..probe }, Status::Unmapped, Cause::None, 0, tick);
        let read = bench.next().unwrap();
        assert_eq!(read.opcode, Opcode::Read, "the window is long over after {idle:?}");
    }
}

#[test]
fn a_call_that_nobody_drove_for_long_closes_nothing_when_it_fails() {
    let mut bench = Bench::new();
    bench.start(Opcode::Write);
    // Before anybody looks at the write again, the board tells a tick that has wrapped.
    bench.now += US * (1 << 23) * 3 / 2;
    let tick = bench.tick();
    bench.transport.learn(BoardInfo { tick, ..*bench.transport.board().unwrap() }, bench.now);
    bench.transport.poll(bench.now);
    assert_eq!(bench.failure(), (Reason::Unreachable, Effect::Possible));
    bench.transport.start(Bench::call(Opcode::Read), bench.now).unwrap();
    assert_eq!(bench.next().unwrap().opcode, Opcode::Read);
}

#[test]
fn a_late_answer_to_an_older_call_is_no_tick_that_wrapped() {
    let mut bench = Bench::new();
    let old = a_write_fails_after(&mut bench, Bench::call(Opcode::Read));
    // Answered long before the write was sent.
    bench.answer_at(&old, Status::Unmapped, Cause::None, 0, 1_000_u32.wrapping_sub(1 << 21));
    bench.ended().unwrap().unwrap_err();
    a_read_waits(&mut bench);
}
