//! Trailers: what is sent has the right one, and what is taken, too.
use super::hand::{Bench, US};
use mneme_clib::transport::{Call, Payload, ProcessKeys};
use mneme_clib::{BoardInfo, Effect, Integrity, Reason};
use mneme_wire::payload::SECURE_OPEN_LEN;
use mneme_wire::trailer::{Means, ProcessKey, covered};
use mneme_wire::{
    Cause, Detail, HEADER_LEN, Opcode, Packet, Pid, Request, Response, Status, Tick, Trailer, Va,
};
use std::net::{Ipv4Addr, SocketAddrV4};

const OWN: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 4_000);
const BOARD: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 19_790);
const KEYS: [[u8; 16]; 2] = [[1; 16], [2; 16]];

fn pid() -> Pid {
    Pid::from_low_bits(5)
}
fn board() -> BoardInfo {
    *Bench::new().transport.board().expect("it has learned of one")
}

/// A transport whose packets have trailers; with tags, process 5 has the key of phase 0.
fn bench(integrity: Integrity) -> Bench {
    let mut bench = Bench::new();
    bench.transport.set_integrity(integrity, OWN, BOARD);
    if integrity == Integrity::Tag {
        bench.transport.learn_proven(BoardInfo { tick_high: 9, ..board() }, bench.now);
        bench.transport.set_keys(pid(), 3, ProcessKeys::new(false, KEYS[0]));
    }
    bench
}
fn tag(phase: usize, upper: u64) -> Means {
    Means::Tag { key: ProcessKey::new(KEYS[phase]), upper }
}
fn means(integrity: Integrity) -> Means {
    match integrity {
        Integrity::None => Means::None,
        Integrity::Crc32c => Means::Crc32c,
        Integrity::Tag => tag(0, 9),
    }
}
/// Whether what left last has this trailer, and is as long as it must be.
fn left_with(bench: &Bench, means: &Means, payload: usize) -> bool {
    let addresses = covered(OWN.ip().octets(), BOARD.ip().octets(), OWN.port(), BOARD.port());
    let kind = Packet::new_checked(&bench.datagram[..]).unwrap().trailer();
    kind == Some(means.kind())
        && bench.datagram.len() == HEADER_LEN + payload + means.kind().bytes()
        && means.check(&addresses, &bench.datagram)
}
/// An answer with a trailer.
fn sealed(means: &Means, header: Response, payload: &[u8]) -> Vec<u8> {
    let header = Response { trailer: means.kind(), ..header };
    let mut bytes = [&header.to_bytes()[..], payload].concat();
    bytes.resize(bytes.len() + means.kind().bytes(), 0);
    let addresses = covered(BOARD.ip().octets(), OWN.ip().octets(), BOARD.port(), OWN.port());
    assert!(means.seal(&addresses, &mut bytes));
    bytes
}
fn hear(bench: &mut Bench, bytes: &[u8]) {
    bench.transport.receive(bench.now, bytes, &mut ());
}
fn ok(bench: &Bench, request: &Request) -> Response {
    Response::ok(request, Tick::from_low_bits(bench.tick()), request.length)
}
/// OK with a trailer.
fn whole(bench: &mut Bench, means: &Means, request: &Request, payload: &[u8]) {
    let answer = sealed(means, ok(bench, request), payload);
    hear(bench, &answer);
}
/// A refusal without a trailer, as anybody can say it.
fn bare(bench: &mut Bench, request: &Request, status: Status, cause: Cause) {
    let va = if status == Status::Stale { Va::from_low_bits(4) } else { Detail { cause, hint: 0 }.to_va() };
    let header = Response::fail(request, Tick::from_low_bits(bench.tick()), status, va);
    hear(bench, &header.to_bytes());
}

#[test]
fn packets_are_sealed_and_only_whole_answers_are_taken() {
    for integrity in [Integrity::Crc32c, Integrity::Tag] {
        let mut bench = bench(integrity);
        let means = means(integrity);
        let read = bench.start(Opcode::Read);
        assert!(left_with(&bench, &means, 0));
        let good = sealed(&means, ok(&bench, &read), &[9; 8]);
        for bit in 0..8 * good.len() {
            let mut damaged = good.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            hear(&mut bench, &damaged);
        }
        // Whole, and of another kind.
        whole(&mut bench, &Means::None, &read, &[9; 8]);
        assert!(bench.ended().is_none(), "{integrity}");
        assert!(bench.transport.counters().wrong_trailer > 100);
        hear(&mut bench, &good);
        assert!(bench.ended().unwrap().is_ok(), "{integrity}");
        assert_eq!(bench.transport.clock().last(), Some(Tick::from_low_bits(bench.tick())));
        bench.start(Opcode::FetchAdd);
        assert!(left_with(&bench, &means, 8), "a payload is covered, too");
    }
}

#[test]
fn each_attempt_has_a_tag_of_its_own_and_the_upper_bits_of_its_first() {
    let mut bench = bench(Integrity::Tag);
    let tick = BoardInfo { tick: 0xff_fff0, tick_high: 9, epoch: 3, ..board() };
    bench.transport.learn_proven(tick, bench.now);
    let first = bench.start(Opcode::Write);
    let before = bench.datagram.clone();
    let second = bench.next().expect("a timeout");
    assert!(bench.now > 16 * US, "the tick has wrapped meanwhile");
    assert_eq!((second.time, second.attempt), (first.time, 1));
    assert!(left_with(&bench, &tag(0, 9), 8), "the upper bits of its time");
    assert_ne!(before[before.len() - 8..], bench.datagram[bench.datagram.len() - 8..]);
    whole(&mut bench, &tag(0, 10), &second, &[]);
    assert!(bench.ended().is_none(), "of another time");
    whole(&mut bench, &tag(0, 9), &second, &[]);
    assert!(bench.ended().unwrap().is_ok());
    bench.start(Opcode::Read);
    assert!(left_with(&bench, &tag(0, 10), 0), "what begins now has the next ones");
}

#[test]
fn what_damage_says_once_is_not_believed_and_what_the_board_says_twice_is() {
    let table = [
        (Status::Stale, Cause::Epoch, Reason::Restarted { epoch: 4 }),
        (
            Status::Unsupported,
            Cause::Trailer,
            Reason::Refused { status: Status::Unsupported, cause: Cause::Trailer, hint: 0 },
        ),
        (
            Status::Unauthenticated,
            Cause::None,
            Reason::Refused { status: Status::Unauthenticated, cause: Cause::None, hint: 0 },
        ),
    ];
    for (status, cause, reason) in table {
        let mut bench = bench(Integrity::Crc32c);
        let first = bench.start(Opcode::Read);
        bare(&mut bench, &first, status, cause);
        bare(&mut bench, &first, status, cause);
        assert!(bench.ended().is_none(), "{status}: a copy says no more");
        let second = bench.sent().expect("at once");
        assert_eq!((second.op_id, second.attempt), (first.op_id, 1));
        bare(&mut bench, &second, status, cause);
        assert_eq!(bench.failure(), (reason, Effect::None));
        assert_eq!(bench.transport.counters().hints, 2);
    }
    let mut bench = bench(Integrity::Crc32c);
    let first = bench.start(Opcode::Write);
    bare(&mut bench, &first, Status::Nack, Cause::None);
    assert_eq!(bench.sent().map(|again| again.attempt), Some(1), "NACK is what damage is answered with");
}

#[test]
fn a_restart_is_told_to_who_asks_for_the_tick_too() {
    let mut bench = bench(Integrity::Crc32c);
    bench.now = US * (super::WINDOW / 8 + 1);
    let mut asked = Some(bench.start(Opcode::Write));
    let mut opcodes = Vec::new();
    while let Some(request) = asked {
        opcodes.push(request.opcode);
        bare(&mut bench, &request, Status::Stale, Cause::Epoch);
        asked = if bench.transport.has_finished() { None } else { bench.next() };
    }
    assert_eq!(opcodes[..2], [Opcode::Fence; 2], "believed when it is said twice");
    assert_eq!(opcodes.last(), Some(&Opcode::Write));
    assert_eq!(bench.failure(), (Reason::Restarted { epoch: 4 }, Effect::Possible));
}

#[test]
fn without_a_tag_nothing_ends_an_operation_but_its_time() {
    for status in [Status::Nack, Status::Stale, Status::Unsupported, Status::Unauthenticated] {
        let mut bench = bench(Integrity::Tag);
        let mut request = Some(bench.start(Opcode::Write));
        let mut sent = 0;
        while let Some(asked) = request {
            sent += 1;
            bare(&mut bench, &asked, status, Cause::None);
            bare(&mut bench, &asked, status, Cause::None);
            request = bench.next();
        }
        assert!((5..=255).contains(&sent), "{status}: {sent} packets");
        assert_eq!(bench.failure(), (Reason::Unproven { status }, Effect::Possible));
        assert_eq!(bench.transport.counters().hints, 2 * sent);
        assert_eq!(bench.transport.clock().last(), Some(Tick::from_low_bits(1_000)), "nor sets the clock");
    }
    let mut bench = bench(Integrity::Tag);
    let write = bench.start(Opcode::Write);
    bare(&mut bench, &write, Status::Stale, Cause::None);
    assert!(bench.ended().is_none());
    // An OPEN has proven that the board has restarted.
    let later = BoardInfo { epoch: 4, nonce: 77, ..board() };
    bench.transport.learn(later, bench.now);
    bare(&mut bench, &write, Status::Stale, Cause::None);
    assert!(bench.ended().is_none(), "anybody can answer a ping");
    bench.transport.learn_proven(later, bench.now);
    bare(&mut bench, &write, Status::Stale, Cause::None);
    assert_eq!(bench.failure(), (Reason::Restarted { epoch: 4 }, Effect::Possible));
}

#[test]
fn keys_roll_by_the_phase_that_is_told_or_found_out() {
    let mut bench = bench(Integrity::Tag);
    bench.transport.set_keys(pid(), 3, ProcessKeys::new(false, KEYS[0]).and(true, KEYS[1]));
    let read = bench.start(Opcode::Read);
    assert!(!read.key_phase);
    bare(&mut bench, &read, Status::Unauthenticated, Cause::None);
    let again = bench.sent().expect("with the other key, at once");
    assert!(again.key_phase && left_with(&bench, &tag(1, 9), 0));
    whole(&mut bench, &tag(1, 9), &again, &[9; 8]);
    assert!(bench.ended().unwrap().is_ok());
    let next = bench.start(Opcode::Read);
    assert!(next.key_phase, "the other one is the newer");
    whole(&mut bench, &tag(1, 9), &next, &[9; 8]);
    // Keys that come while a request is under way are used by its next attempt.
    assert!(bench.ended().unwrap().is_ok());
    let write = bench.start(Opcode::Write);
    bench.transport.set_keys(pid(), 3, ProcessKeys::new(false, [7; 16]));
    let again = bench.next().expect("a timeout");
    assert_eq!((again.op_id, again.key_phase), (write.op_id, false));
    let means = Means::Tag { key: ProcessKey::new([7; 16]), upper: 9 };
    assert!(left_with(&bench, &means, 8));
    // An answer to the first attempt, under the other key, counts all the same.
    whole(&mut bench, &tag(1, 9), &write, &[]);
    assert!(bench.ended().unwrap().is_ok());
}

#[test]
fn what_has_no_process_has_a_crc_and_tells_a_client_with_keys_nothing() {
    let mut bench = bench(Integrity::Tag);
    let mut call = Bench::call(Opcode::Ping);
    (call.pid, call.epoch) = (Pid::NONE, 0);
    call.payload = Payload::from_elem(0, BoardInfo::LEN);
    bench.transport.start(call, bench.now).unwrap();
    let ping = bench.sent().expect("it leaves");
    assert_eq!(ping.trailer, Trailer::Crc32c);
    bench.now += 20 * US;
    let told = BoardInfo { tick: 500_000, tick_high: 99, window: 7, ..board() };
    let header = Response { va: ping.va, ..Response::ok(&ping, Tick::from_low_bits(500_000), 64) };
    hear(&mut bench, &sealed(&Means::Crc32c, header, &told.to_bytes()));
    assert!(bench.ended().unwrap().is_ok());
    bench.transport.learn(told, bench.now);
    assert_eq!(bench.transport.clock().last(), Some(Tick::from_low_bits(1_000)));
    assert_eq!(bench.transport.board().map(|board| board.window), Some(super::WINDOW));
    bench.start(Opcode::Write);
    assert!(left_with(&bench, &tag(0, 9), 8));
}

#[test]
fn a_handshake_goes_by_the_tick_that_its_board_told_last() {
    let mut bench = bench(Integrity::Tag);
    // The board lags: in 10 ms it has come 50 ticks far, and no key is good that would prove it.
    bench.now = 10_000 * US;
    let payload = Payload::from_elem(7, SECURE_OPEN_LEN);
    let length = payload.len() as u16;
    let call = Call { opcode: Opcode::Open, va: Va::default(), length, payload, ..Bench::call(Opcode::Open) };
    bench.transport.start(call, bench.now).unwrap();
    let first = bench.sent().expect("a handshake waits for no tick");
    assert_eq!(first.time, Tick::from_low_bits(11_000));
    let clock = Detail { cause: Cause::Clock, hint: 0 }.to_va();
    let busy = Response::fail(&first, Tick::from_low_bits(1_050), Status::Busy, clock);
    hear(&mut bench, &sealed(&Means::Crc32c, busy, &[]));
    let began = bench.now;
    let second = bench.next().expect("another attempt");
    let since = (bench.now - began).as_micros() as u32;
    assert_ne!(second.op_id, first.op_id, "the old id has the old time");
    assert_eq!((second.attempt, second.time), (0, Tick::from_low_bits(1_050 + since)));
    assert_eq!(bench.transport.full_tick(bench.now), 9 << 24 | u64::from(1_050 + since));
    assert_eq!(bench.transport.clock().last(), Some(Tick::from_low_bits(1_000)), "that is not proven");
}

#[test]
fn who_asks_for_the_tick_learns_that_keys_are_old() {
    let mut bench = bench(Integrity::Tag);
    bench.now = US * (super::WINDOW / 8 + 1);
    let probe = bench.start(Opcode::Write);
    assert_eq!(probe.opcode, Opcode::Fence, "the write waits for the tick");
    assert!(!bench.transport.take_doubt());
    bare(&mut bench, &probe, Status::Unauthenticated, Cause::None);
    assert!(bench.transport.take_doubt(), "else nobody would ask for newer keys");
    assert!(!bench.transport.take_doubt(), "told once");
}
