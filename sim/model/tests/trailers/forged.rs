//! What is damaged, forged or captured, on any board with trailers: nothing of it executes, and it is counted.
use crate::bench::{BEFORE, Bench, opened};
use mneme_model::NetworkPort;
use mneme_slowpath::FastPath;
use mneme_wire::frame::{Endpoints, MNEME_OFFSET};
use mneme_wire::payload::BoardInfo;
use mneme_wire::trailer::Means;
use mneme_wire::{Counter, HEADER_LEN, Opcode, Pid, Register, Request, Status, TagMode, Trailer};

/// Frames that enter in a row: no board drops any for want of room.
const IN_A_ROW: usize = 16;

/// No flip of one or two bits of a header executes. The board takes a frame whose check sequences are all right.
pub fn flips<F: FastPath + NetworkPort>(board: impl Fn() -> F) {
    for (mode, kind) in [(TagMode::None, Trailer::Crc32c), (TagMode::All, Trailer::Tag)] {
        let mut bench = Bench::new(board(), mode);
        let means = if kind == Trailer::Tag { bench.tag() } else { Means::Crc32c };
        let verdict = if kind == Trailer::Tag { Status::Unauthenticated } else { Status::Nack };
        let (before, counted) = (bench.executed(), bench.refused());
        let (bits, mut refused) = (8 * HEADER_LEN, 0);
        let flips: Vec<_> =
            (0..bits).flat_map(|first| (first..bits).map(move |second| (first, second))).collect();
        for flips in flips.chunks(IN_A_ROW) {
            let damaged = flips.iter().map(|(first, second)| {
                // 16 bytes: with a bit more of the length field, the trailer would lie in the payload.
                let write = bench.request(Opcode::Write);
                let mut datagram = bench.datagram(&means, write, b"what is not mine");
                datagram[first / 8] ^= 1 << (first % 8);
                if second != first {
                    datagram[second / 8] ^= 1 << (second % 8);
                }
                datagram
            });
            let (damaged, endpoints): (Vec<_>, _) = (damaged.collect(), bench.endpoints);
            for frame in bench.send_all(endpoints, &damaged) {
                let status = Status::from_number(frame[MNEME_OFFSET + 2]);
                // The opcode may name no operation.
                let others = [
                    Status::Nack,
                    Status::Unauthenticated,
                    Status::Unsupported,
                    Status::Stale,
                    Status::BadRequest,
                ];
                let sound = status.is_some_and(|status| others.contains(&status));
                assert!(sound, "{kind}: {status:?} after one of {flips:?}");
                refused += u32::from(status == Some(verdict));
            }
        }
        assert_eq!(bench.executed(), before, "{kind}");
        let at = usize::from(kind == Trailer::Tag);
        assert_eq!(bench.refused()[at] - counted[at], refused, "{kind}: all are counted");
        assert!(refused > 10_000, "{kind}: {refused} were refused for their trailer");
        assert_eq!(bench.node.fast().read_counter(Counter::DropIngressFull), 0, "{kind}: all have entered");
        bench.assert_unchanged();
    }
}

/// Damage is told, and the next attempt executes.
pub fn damage<F: FastPath + NetworkPort>(board: F) {
    let mut bench = Bench::new(board, TagMode::None);
    let write = bench.request(Opcode::Write);
    let datagram = bench.datagram(&Means::Crc32c, write, b"what comes later");
    for at in HEADER_LEN..datagram.len() {
        let mut damaged = datagram.clone();
        damaged[at] ^= 0x10;
        assert_eq!(bench.forged(bench.endpoints, &damaged), Status::Nack, "byte {at}");
    }
    bench.assert_unchanged();
    bench.ok(&Means::Crc32c, Request { attempt: 1, ..write }, b"what comes later");
    let read = bench.read();
    assert_eq!(bench.ok(&Means::Crc32c, read, &[]), b"what comes later");
}

/// What is forged or captured does not execute.
pub fn forgeries<F: FastPath + NetworkPort>(board: F) {
    let mut bench = Bench::new(board, TagMode::All);
    let payload = b"what is not mine";
    let before = bench.executed();
    let write = bench.request(Opcode::Write);
    let captured = bench.datagram(&bench.tag(), write, payload);
    let own = bench.endpoints;
    // From elsewhere.
    let address = Endpoints { src_ip: [10, 0, 0, 8], ..own };
    let port = Endpoints { src_port: own.src_port + 1, ..own };
    for endpoints in [address, port] {
        assert_eq!(bench.forged(endpoints, &captured), Status::Unauthenticated);
    }
    // By another process, with that one's own key; by nobody; of a phase that has no key; under another life's key.
    let other = Pid::from_low_bits(bench.pid.get() ^ 1);
    let mut later = bench.tag_of(bench.pid, true);
    let forged = [
        (bench.tag_of(other, false), write),
        (bench.tag(), Request { pid: other, ..write }),
        (bench.tag_of(Pid::NONE, false), Request { pid: Pid::NONE, ..write }),
        (later.clone(), Request { key_phase: true, ..write }),
        (later.clone(), write),
        (Means::Crc32c, write),
        (Means::None, write),
    ];
    for (number, (means, request)) in forged.into_iter().enumerate() {
        let datagram = bench.datagram(&means, request, payload);
        assert_eq!(bench.forged(own, &datagram), Status::Unauthenticated, "forgery {number}");
    }
    // Another epoch, or another time, in what was captured.
    let mut stale = captured.clone();
    stale[2] ^= 1;
    assert_eq!(bench.forged(own, &stale), Status::Stale);
    let mut late = captured.clone();
    late[13] = late[13].wrapping_add(1);
    assert_eq!(bench.forged(own, &late), Status::Unauthenticated);
    assert_eq!(bench.executed(), before);
    bench.assert_unchanged();
    // Once both phases have keys, each has its own.
    let words = bench.config.secret.key(bench.info.nonce, 1).to_words();
    for (register, word) in Register::TAG_KEYS[4..].iter().zip(words) {
        bench.node.fast().write_register(*register, word);
        assert_eq!(bench.node.fast().read_register(*register), 0, "keys are not told");
    }
    bench.node.fast().write_register(Register::TagPhases, 3);
    let read = bench.read();
    assert_eq!(bench.ok(&later, Request { key_phase: true, ..read }, &[]), BEFORE);
    let datagram = bench.datagram(&later, read, &[]);
    assert_eq!(bench.forged(own, &datagram), Status::Unauthenticated);
    if let Means::Tag { upper, .. } = &mut later {
        *upper += 1;
    }
    let datagram = bench.datagram(&later, Request { key_phase: true, ..read }, &[]);
    assert_eq!(bench.forged(own, &datagram), Status::Unauthenticated);
}

/// What was captured is worth nothing after the tick's wrap.
pub fn captured<F: FastPath + NetworkPort>(board: F) {
    let mut bench = Bench::new(board, TagMode::All);
    let (own, write, read) = (bench.endpoints, bench.request(Opcode::Write), bench.read());
    let captured = [bench.datagram(&bench.tag(), write, BEFORE), bench.datagram(&bench.tag(), read, &[])];
    for datagram in &captured {
        let frame = bench.send(own, datagram).expect("an answer");
        assert_eq!(opened(&bench.tag(), &frame).0.status, Status::Ok);
    }
    bench.skip(1 << 24);
    assert_eq!(bench.node.fast().read_register(Register::TickHigh), 1);
    for datagram in &captured {
        assert_eq!(bench.forged(own, datagram), Status::Unauthenticated);
    }
    // The board tells where it is, and goes on.
    let ping = bench.request(Opcode::Ping);
    let told = BoardInfo::parse(&bench.ok(&Means::None, ping, &[0; 64])).expect("a ping's layout");
    assert_eq!(told.tick_high, 1);
    let before = bench.tag();
    bench.info = told;
    bench.assert_unchanged();
    // What left before a wrap may come behind it.
    let left = (1 << 24) - bench.node.fast().read_register(Register::Tick);
    bench.skip(left - 2);
    let late = bench.read();
    bench.skip(3);
    assert_eq!(bench.node.fast().read_register(Register::TickHigh), 2);
    assert_eq!(bench.ok(&bench.tag(), late, &[]), BEFORE);
    let datagram = bench.datagram(&before, late, &[]);
    assert_eq!(bench.forged(own, &datagram), Status::Unauthenticated);
}
