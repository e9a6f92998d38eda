//! Trailers: the contract's test vectors, and no damage of one or two bits that a trailer does not show.
use mneme_wire::payload::{OpenAnswer, SecureOpenAnswer};
use mneme_wire::trailer::{BoardKey, COVERED_LEN, Means, ProcessKey, covered, full_time, upper};
use mneme_wire::{HEADER_LEN, Opcode, Pid, Request, Status, Tick, Trailer, Va};
use proptest::prelude::*;
use std::mem::needs_drop;
use zeroize::Zeroize;

const UPPER: u64 = 0x01_0203_04ab;

fn board_key() -> BoardKey {
    BoardKey::new(std::array::from_fn(|i| i as u8))
}

/// The contract's request, as WRITE of `hello` or READ of 64 bytes.
fn request(opcode: Opcode, trailer: Trailer, timed: bool) -> Request {
    Request {
        trailer,
        key_phase: true,
        timed,
        opcode,
        epoch: 7,
        pid: Pid::from_low_bits(0x123),
        op_id: 0x89ab_cdef,
        attempt: 2,
        time: Tick::from_low_bits(0x12_3456),
        va: Va::from_low_bits(0x7fff_0000_beef),
        length: if opcode == Opcode::Write { 5 } else { 64 },
    }
}

fn addresses() -> [u8; COVERED_LEN] {
    covered([10, 0, 0, 2], [10, 0, 0, 1], 40_000, 19_790)
}

fn means(kind: Trailer) -> Means {
    match kind {
        Trailer::None => Means::None,
        Trailer::Crc32c => Means::Crc32c,
        Trailer::Tag => Means::Tag { key: board_key().of(Pid::from_low_bits(0x123)), upper: UPPER },
    }
}

fn sealed(means: &Means, addresses: &[u8; COVERED_LEN], request: &Request, payload: &[u8]) -> Vec<u8> {
    let mut datagram = [&request.to_bytes()[..], payload].concat();
    datagram.resize(datagram.len() + means.kind().bytes(), 0);
    assert!(means.seal(addresses, &mut datagram));
    datagram
}

/// The numbers come from `tests/decoder/trailers.py`, which has them as a test, too.
#[test]
fn the_contract_s_vectors() {
    let key = ProcessKey::new(0x3bbb_54a9_7fea_8a10_35a6_30d4_8189_ceba_u128.to_be_bytes());
    assert!(board_key().of(Pid::from_low_bits(0x123)) == key);
    let vectors: [(Trailer, Opcode, bool, &[u8]); 6] = [
        (Trailer::Crc32c, Opcode::Write, false, &[0x97, 0x9e, 0xcf, 0x81]),
        (Trailer::Crc32c, Opcode::Write, true, &[0x37, 0x0c, 0xf1, 0xdf]),
        (Trailer::Crc32c, Opcode::Read, false, &[0x84, 0xed, 0x3a, 0xd1]),
        (Trailer::Tag, Opcode::Write, false, &0xbe0b_a8ce_94b7_0c10_u64.to_be_bytes()),
        (Trailer::Tag, Opcode::Write, true, &0xae94_e851_be3d_5ee7_u64.to_be_bytes()),
        (Trailer::Tag, Opcode::Read, false, &0xa073_6cf6_f9b4_8ba7_u64.to_be_bytes()),
    ];
    for (kind, opcode, timed, expected) in vectors {
        let payload: &[u8] = if opcode == Opcode::Write { b"hello" } else { b"" };
        let (means, request) = (means(kind), request(opcode, kind, timed));
        let datagram = sealed(&means, &addresses(), &request, payload);
        assert_eq!(datagram[HEADER_LEN + payload.len()..], *expected, "{kind} {opcode} timed: {timed}");
        assert!(means.check(&addresses(), &datagram));
    }
}

/// Every one and every two bits of addresses, header, payload and trailer.
#[test]
fn no_flip_of_one_or_two_bits_stays_hidden() {
    for kind in [Trailer::Crc32c, Trailer::Tag] {
        let means = means(kind);
        let whole = sealed(&means, &addresses(), &request(Opcode::Write, kind, false), b"hello");
        let mut all = [&addresses()[..], &whole].concat();
        let right = |all: &[u8]| {
            let (addresses, datagram) = all.split_first_chunk().unwrap();
            means.check(addresses, datagram)
        };
        assert!(right(&all));
        let bits = 8 * all.len();
        for first in 0..bits {
            all[first / 8] ^= 1 << (first % 8);
            assert!(!right(&all), "{kind}: bit {first}");
            for second in first + 1..bits {
                all[second / 8] ^= 1 << (second % 8);
                assert!(!right(&all), "{kind}: bits {first} and {second}");
                all[second / 8] ^= 1 << (second % 8);
            }
            all[first / 8] ^= 1 << (first % 8);
        }
    }
}

#[test]
fn a_tag_covers_what_no_packet_carries() {
    let request = request(Opcode::Write, Trailer::Tag, false);
    let tag =
        |key: BoardKey, pid: u32, upper: u64| Means::Tag { key: key.of(Pid::from_low_bits(pid)), upper };
    let datagram = sealed(&tag(board_key(), 0x123, UPPER), &addresses(), &request, b"hello");
    let others = [
        tag(board_key(), 0x122, UPPER),
        tag(BoardKey::new([0; 16]), 0x123, UPPER),
        tag(board_key(), 0x123, UPPER + 1),
        tag(board_key(), 0x123, UPPER ^ 1 << 39),
    ];
    for other in others {
        assert!(!other.check(&addresses(), &datagram));
    }
}

#[test]
fn keys_are_wiped() {
    let (mut board, mut process) = (board_key(), board_key().of(Pid::from_low_bits(3)));
    board.zeroize();
    process.zeroize();
    assert!(board == BoardKey::new([0; 16]) && process == ProcessKey::new([0; 16]));
    let dropped = [needs_drop::<BoardKey>(), needs_drop::<ProcessKey>(), needs_drop::<Means>()];
    assert_eq!(dropped, [true; 3], "dropped, too");
    let open = OpenAnswer { key: [7; 16], ..OpenAnswer::default() };
    let mut told = SecureOpenAnswer { open, other_key: [8; 16], valid: 3, ..SecureOpenAnswer::default() };
    told.wipe_keys();
    assert_eq!([told.key_of(false), told.key_of(true)], [Some([0; 16]); 2]);
}

#[test]
fn what_has_no_room_for_a_trailer_has_none() {
    for kind in [Trailer::Crc32c, Trailer::Tag] {
        let short = HEADER_LEN + kind.bytes() - 1;
        for length in 0..=short {
            assert!(!means(kind).seal(&addresses(), &mut vec![0; length]));
            assert!(!means(kind).check(&addresses(), &vec![0; length]));
        }
    }
}

#[test]
fn answers_to_those_who_may_have_no_key_are_bare() {
    let bare: Vec<_> =
        Status::ALL.iter().filter(|status| Means::Crc32c.of_answer(**status) == Means::None).collect();
    assert_eq!(bare, [&Status::Nack, &Status::Stale, &Status::Unsupported, &Status::Unauthenticated]);
}

#[test]
fn the_nearest_time_is_taken_over_every_border() {
    let wrap = 1_u64 << 24;
    let at = |tick: u64, time: u64| full_time(tick, Tick::from_low_bits(time as u32));
    assert_eq!(at(5 * wrap, wrap - 1), 5 * wrap - 1);
    assert_eq!(at(5 * wrap - 1, 0), 5 * wrap);
    assert_eq!(at(5 * wrap, wrap / 2 - 1), 5 * wrap + wrap / 2 - 1);
    assert_eq!(at(5 * wrap, wrap / 2), 5 * wrap - wrap / 2, "of two the earlier");
    assert_eq!(at(0, wrap - 1), u64::MAX);
    assert_eq!(at(u64::MAX, 0), 0);
    assert_eq!(upper(at(7 * wrap - 1, 3)), 7);
    assert_eq!(upper(u64::MAX), (1 << 40) - 1);
}

proptest! {
    #[test]
    fn a_time_is_found_again_for_half_a_range_around_it(time: u64, apart in -(1_i64 << 23) + 1..=1 << 23) {
        let tick = time.wrapping_add_signed(apart);
        prop_assert_eq!(full_time(tick, Tick::from_low_bits(time as u32)), time);
    }

    #[test]
    fn keys_survive_registers(bytes: [u8; 16]) {
        prop_assert!(BoardKey::from_words(BoardKey::new(bytes).to_words()) == BoardKey::new(bytes));
    }

    #[test]
    fn damage_of_any_kind_is_found(
        payload in prop::collection::vec(any::<u8>(), 0..1500), kind in prop::sample::select(&[Trailer::Crc32c, Trailer::Tag]),
        at: prop::sample::Index, with in 1_u8.., cut in 1_usize..9,
    ) {
        let means = means(kind);
        let mut datagram = sealed(&means, &addresses(), &request(Opcode::Write, kind, false), &payload);
        prop_assert!(means.check(&addresses(), &datagram));
        let at = at.index(datagram.len());
        datagram[at] ^= with;
        prop_assert!(!means.check(&addresses(), &datagram));
        datagram[at] ^= with;
        datagram.truncate(datagram.len() - cut);
        prop_assert!(!means.check(&addresses(), &datagram));
    }
}
