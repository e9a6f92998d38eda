//! Trailers on the software board: what is right is served and answered in kind, and nothing else executes.
mod bench;
mod forged;
mod shares;

use bench::{BEFORE, Bench, opened};
use mneme_model::soft::{BoardShape, Model, SoftFast};
use mneme_slowpath::FastPath;
use mneme_wire::payload::{Alloc, OpenRequest, RangeRights, Rights};
use mneme_wire::register::BUILD_TRAILERS;
use mneme_wire::trailer::Means;
use mneme_wire::{Cause, Counter, HEADER_LEN, Opcode, Pid, Register, Request, Status, TagMode, Trailer, Va};

const SHAPE: BoardShape = BoardShape { trailers: true, ..BoardShape::SIM };

fn board() -> SoftFast {
    SoftFast::new(SHAPE).expect("a legal shape")
}

#[test]
fn no_flip_of_one_or_two_bits_of_a_header_executes() {
    forged::flips(board);
}

#[test]
fn damage_is_told_and_the_next_attempt_executes() {
    forged::damage(board());
}

#[test]
fn what_is_forged_or_captured_does_not_execute() {
    forged::forgeries(board());
}

#[test]
fn what_was_captured_is_worth_nothing_after_the_tick_s_wrap() {
    forged::captured(board());
}

#[test]
fn a_class_has_its_share_of_the_filter_whatever_addresses_it_has() {
    shares::classes(board, SHAPE.filter_entries());
}

#[test]
fn every_operation_is_answered_in_its_kind() {
    let mut bench = Bench::new(board(), TagMode::None);
    for means in [Means::None, Means::Crc32c, bench.tag()] {
        for timed in [false, true] {
            let mut request = |opcode| Request { timed, ..bench.request(opcode) };
            let (write, add, fence) =
                (request(Opcode::Write), request(Opcode::FetchAdd), request(Opcode::Fence));
            bench.ok(&means, write, BEFORE);
            let read = Request { timed, ..bench.read() };
            assert_eq!(bench.ok(&means, read, &[]), BEFORE);
            assert_eq!(bench.ok(&means, add, &1_u64.to_le_bytes()), BEFORE[..8]);
            bench.ok(&means, fence, &[]);
        }
        if means.kind() != Trailer::Tag {
            let (ping, open) = (bench.request(Opcode::Ping), bench.request(Opcode::Open));
            bench.ok(&means, ping, &[0; 64]);
            bench.ok(&means, Request { pid: Pid::NONE, ..open }, &OpenRequest::default().to_bytes());
        }
        let (alloc, free) = (bench.request(Opcode::Alloc), bench.request(Opcode::Free));
        let ask = Alloc::request(1, Rights::READ_WRITE);
        let given = bench.ok(&means, alloc, &ask.to_bytes());
        let given = Alloc::parse_answer(&given).expect("an ALLOC's layout");
        let range = RangeRights { size: given.size, ..RangeRights::default() };
        bench.ok(&means, Request { va: Va::from_low_bits(given.va), ..free }, &range.to_bytes());
    }
}

#[test]
fn refusals_behind_the_check_have_a_trailer_and_those_before_it_none() {
    let mut bench = Bench::new(board(), TagMode::None);
    for means in [Means::Crc32c, bench.tag()] {
        let read = bench.read();
        let statuses = [
            (Request { va: Va::from_low_bits(1 << 40), ..read }, Status::Unmapped),
            (Request { length: 0, ..read }, Status::BadRequest),
            (Request { epoch: read.epoch ^ 1, ..read }, Status::Stale),
            (Request { opcode: Opcode::Pull, ..read }, Status::Unsupported),
            (Request { opcode: Opcode::Advise, ..read }, Status::Unsupported),
        ];
        for (request, status) in statuses {
            assert_eq!(bench.ask(&means, request, &[]).0.status, status);
        }
    }
    let read = bench.read();
    assert_eq!(
        bench.ask(&Means::Crc32c, Request { pid: Pid::NONE, ..read }, &[]).0.detail().cause,
        Cause::Pid
    );
}

#[test]
fn a_mode_asks_for_tags_where_it_says_so() {
    let unauthenticated = [
        (TagMode::None, [false; 6]),
        (TagMode::Slow, [false, true, false, true, true, true]),
        (TagMode::All, [false, true, true, true, true, true]),
    ];
    for (mode, expected) in unauthenticated {
        let mut bench = Bench::new(board(), mode);
        for means in [Means::None, Means::Crc32c] {
            let (pid, ping, read) = (bench.pid, bench.request(Opcode::Ping), bench.read());
            let open = Request { pid: Pid::NONE, ..bench.request(Opcode::Open) };
            let (alloc, exit) = (bench.request(Opcode::Alloc), bench.request(Opcode::Exit));
            let asked: [(Request, &[u8]); 6] = [
                (ping, &[0; 64]),
                (open, &OpenRequest::default().to_bytes()),
                (read, &[]),
                (Request { pid, op_id: ping.op_id + 100, ..ping }, &[0; 64]),
                (alloc, &Alloc::request(1, Rights::READ_ONLY).to_bytes()),
                (Request { pid: Pid::from_low_bits(77), ..exit }, &[]),
            ];
            for ((request, payload), refused) in asked.into_iter().zip(expected) {
                let status = bench.ask(&means, request, payload).0.status;
                assert_eq!(status == Status::Unauthenticated, refused, "{} {mode} {means:?}", request.opcode);
            }
        }
        bench.assert_unchanged();
    }
}

#[test]
fn the_tick_s_upper_bits_are_told_in_two_words() {
    let mut model = Model::new(SHAPE).expect("a legal shape");
    model.tick_high = 0xab_0123_4567;
    let told = [Register::TickTop, Register::TickHigh].map(|register| model.read_register(register));
    assert_eq!(told, [0xab, 0x0123_4567]);
}

#[test]
fn what_is_carried_leaves_room_for_the_trailer() {
    let mut bench = Bench::new(board(), TagMode::None);
    for means in [Means::None, Means::Crc32c, bench.tag()] {
        let most = SHAPE.max_payload() - means.kind().bytes();
        let read = Request { length: most as u16, ..bench.read() };
        let datagram = bench.datagram(&means, read, &[]);
        let frame = bench.send(bench.endpoints, &datagram).expect("an answer");
        assert_eq!(frame.len(), SHAPE.max_frame());
        assert_eq!(opened(&means, &frame).0.status, Status::Ok);
        let more = Request { length: most as u16 + 1, op_id: read.op_id + 50, ..read };
        assert_eq!(bench.ask(&means, more, &[]).0.detail().cause, Cause::Length);
        let write = bench.request(Opcode::Write);
        bench.ok(&means, write, &vec![7; most]);
    }
}

#[test]
fn half_a_trailer_is_dropped() {
    let mut bench = Bench::new(board(), TagMode::None);
    for means in [Means::Crc32c, bench.tag()] {
        let fence = bench.request(Opcode::Fence);
        let whole = bench.datagram(&means, fence, &[]);
        for length in HEADER_LEN..whole.len() {
            let dropped = bench.node.fast().read_counter(Counter::DropMnemeShort);
            assert_eq!(bench.send(bench.endpoints, &whole[..length]), None);
            assert_eq!(bench.node.fast().read_counter(Counter::DropMnemeShort), dropped + 1);
        }
    }
}

#[test]
fn a_board_without_trailers_says_so() {
    let mut fast = SoftFast::new(BoardShape::SIM).expect("a legal shape");
    for register in Register::TAG_KEYS.into_iter().chain([Register::TagMode, Register::TagPhases]) {
        fast.write_register(register, u32::MAX);
        assert_eq!(fast.read_register(register), 0, "{register}");
    }
    fast.write_register(Register::TickSkip, u32::MAX);
    assert_eq!(fast.read_register(Register::TickHigh), 0);
    let flags = fast.read_register(Register::BuildFlags);
    assert_eq!(flags & BUILD_TRAILERS, 0);
    let mut with = SoftFast::new(SHAPE).expect("a legal shape");
    assert_eq!(with.read_register(Register::BuildFlags), flags | BUILD_TRAILERS);
}
