//! The tables of layouts against the functions that read and write payloads: every field lies where its table says.
use mneme_wire::layout::{self, Body, EXCHANGES, Field, LAYOUTS, Layout};
use mneme_wire::payload::{
    Alloc, AllocClass, AllocUnit, BoardInfo, CountersRequest, OpenAnswer, OpenRequest, PageRange,
    ProcessEntry, ProcessesRequest, RangeRights, Rights, SecureOpenAnswer, SecureOpenRequest, VaWindow,
    parse_ping,
};
use mneme_wire::{Opcode, Va};

/// Number `n` of so many bytes, all of them different from each other and from those of other numbers.
fn distinct<const N: usize>(n: u8) -> [u8; N] {
    std::array::from_fn(|i| 0x10 * n + i as u8 % 16)
}

/// What a field must hold.
type Held<'a> = (&'a str, &'a [u8]);

/// Fails when `bytes` do not hold, field by field, what is expected: all of it, in the order of the table.
fn check_fields(fields: &[Field], bytes: &[u8], expected: &[Held]) {
    let mut expected = expected.iter();
    for field in fields {
        let found = &bytes[field.at..field.at + field.bytes];
        if field.name == "zero" {
            assert!(found.iter().all(|byte| *byte == 0), "{field:?} holds {found:x?}");
            continue;
        }
        assert_eq!(expected.next(), Some(&(field.name, found)), "{field:?}");
    }
    assert_eq!(expected.next(), None, "a field that the table does not have");
}

fn check(layout: &Layout, bytes: &[u8], expected: &[Held]) {
    assert_eq!(layout.len(), bytes.len(), "{}", layout.name);
    check_fields(layout.fields, bytes, expected);
}

fn info() -> BoardInfo {
    BoardInfo {
        board_id: u64::from_le_bytes(distinct(1)),
        nonce: u64::from_le_bytes(distinct(2)),
        token: u64::from_le_bytes(distinct(3)),
        tick: 0x0043_4241,
        window: 0x0013_5251,
        ns_per_tick: u32::from_le_bytes(distinct(6)),
        capabilities: u32::from_le_bytes(distinct(7)),
        memory: u64::from_le_bytes(distinct(8)),
        max_payload: u16::from_le_bytes(distinct(9)),
        page_bits: 0x16,
        epoch: 0xb1,
        key_phase: 1,
        filter_entries: u32::from_le_bytes(distinct(12)),
        tick_high: 0x01_0203_0405,
        key_hint: 0xbeef,
    }
}

#[test]
fn what_a_board_says_of_itself() {
    let info = info();
    let bytes = info.to_bytes();
    assert_eq!(BoardInfo::parse(&bytes), Ok(info));
    // A field more, and this does not compile.
    let BoardInfo {
        board_id,
        nonce,
        token,
        tick,
        window,
        ns_per_tick,
        capabilities,
        memory,
        max_payload,
        page_bits,
        epoch,
        key_phase,
        filter_entries,
        tick_high,
        key_hint,
    } = info;
    let expected: [Held; 15] = [
        ("board_id", &board_id.to_le_bytes()),
        ("nonce", &nonce.to_le_bytes()),
        ("token", &token.to_le_bytes()),
        ("tick", &tick.to_le_bytes()),
        ("window", &window.to_le_bytes()),
        ("ns_per_tick", &ns_per_tick.to_le_bytes()),
        ("capabilities", &capabilities.to_le_bytes()),
        ("memory", &memory.to_le_bytes()),
        ("max_payload", &max_payload.to_le_bytes()),
        ("page_bits", &[page_bits]),
        ("epoch", &[epoch]),
        ("key_phase", &[key_phase]),
        ("filter_entries", &filter_entries.to_le_bytes()),
        ("tick_high", &tick_high.to_le_bytes()[..5]),
        ("key_hint", &key_hint.to_le_bytes()),
    ];
    check(&layout::BOARD_INFO, &bytes, &expected);
    assert_eq!(parse_ping(&[0; BoardInfo::LEN]), Ok(()));
    check(&layout::PING_REQUEST, &[0; BoardInfo::LEN], &[]);
}

/// What the two messages of a secure OPEN have inside.
fn secure(open: &OpenRequest, answer: &OpenAnswer) {
    let ask = SecureOpenRequest { open: *open, tick: u64::from_le_bytes(distinct(5)), pid: 0x0012_3456 };
    let expected: [Held; 3] =
        [("open", &open.to_bytes()), ("tick", &ask.tick.to_le_bytes()), ("pid", &ask.pid.to_le_bytes())];
    check(&layout::SECURE_OPEN_INSIDE, &ask.to_bytes(), &expected);
    let told = SecureOpenAnswer { open: *answer, other_key: distinct(6), rolls_ns: 5, ends_ns: 7, valid: 3 };
    let expected: [Held; 5] = [
        ("open", &answer.to_bytes()),
        ("other_key", &told.other_key),
        ("rolls", &told.rolls_ns.to_le_bytes()),
        ("ends", &told.ends_ns.to_le_bytes()),
        ("valid", &[told.valid]),
    ];
    check(&layout::SECURE_OPEN_TOLD, &told.to_bytes(), &expected);
}

#[test]
fn open() {
    let window = VaWindow::new(3 * Va::REGION, 5 * Va::REGION).unwrap();
    let request = OpenRequest {
        join: false,
        capabilities: u32::from_le_bytes(distinct(1)),
        lease_ns: u64::from_le_bytes(distinct(2)),
        token: distinct(3),
        window: Some(window),
    };
    let OpenRequest { join: _, capabilities, lease_ns, token, window: _ } = request;
    let expected: [Held; 6] = [
        ("flags", &[0, 0, 0, 0]),
        ("capabilities", &capabilities.to_le_bytes()),
        ("lease", &lease_ns.to_le_bytes()),
        ("token", &token),
        ("window_va", &window.first().to_le_bytes()),
        ("window_bytes", &window.bytes().to_le_bytes()),
    ];
    check(&layout::OPEN_REQUEST, &request.to_bytes(), &expected);
    let joins = OpenRequest { join: true, window: None, ..request }.to_bytes();
    let mut expected = expected;
    expected[0].1 = &[1, 0, 0, 0];
    expected[4].1 = &[0; 8];
    expected[5].1 = &[0; 8];
    check(&layout::OPEN_REQUEST, &joins, &expected);

    let answer = OpenAnswer {
        pid: 0x0012_3456,
        capabilities: u32::from_le_bytes(distinct(1)),
        lease_ns: u64::from_le_bytes(distinct(2)),
        token: distinct(3),
        key: distinct(4),
        board: info(),
    };
    secure(&request, &answer);
    let OpenAnswer { pid, capabilities, lease_ns, token, key, board } = answer;
    let expected: [Held; 6] = [
        ("pid", &pid.to_le_bytes()),
        ("capabilities", &capabilities.to_le_bytes()),
        ("lease", &lease_ns.to_le_bytes()),
        ("token", &token),
        ("key", &key),
        ("board", &board.to_bytes()),
    ];
    check(&layout::OPEN_ANSWER, &answer.to_bytes(), &expected);
}

#[test]
fn alloc() {
    let alloc = Alloc {
        size: u64::from_le_bytes(distinct(1)),
        rights: Rights::READ_ONLY,
        fixed: true,
        unit: AllocUnit::Frame,
        class: AllocClass::Persistent,
        dram_min: u64::from_le_bytes(distinct(2)),
        dram_max: u64::from_le_bytes(distinct(3)),
        va: u64::from_le_bytes(distinct(4)),
    };
    let Alloc { size, rights, fixed, unit, class, dram_min, dram_max, va } = alloc;
    assert_eq!((rights.bits(), u8::from(fixed), unit.number(), class.number()), (1, 1, 1, 2));
    let expected: [Held; 8] = [
        ("size", &size.to_le_bytes()),
        ("rights", &[1]),
        ("fixed", &[1]),
        ("unit", &[1]),
        ("class", &[2]),
        ("dram_min", &dram_min.to_le_bytes()),
        ("dram_max", &dram_max.to_le_bytes()),
        ("va", &va.to_le_bytes()),
    ];
    check(&layout::ALLOC_ANSWER, &alloc.to_bytes(), &expected);
    check(&layout::ALLOC_REQUEST, &Alloc { va: 0, ..alloc }.to_bytes(), &expected[..7]);
}

#[test]
fn free_and_protect() {
    let range = RangeRights { size: u64::from_le_bytes(distinct(1)), rights: Rights::READ_WRITE };
    let RangeRights { size, rights } = range;
    let expected: [Held; 2] = [("size", &size.to_le_bytes()), ("rights", &[rights.bits()])];
    for layout in [&layout::FREE_REQUEST, &layout::FREE_ANSWER, &layout::PROTECT] {
        check(layout, &range.to_bytes(), &expected);
    }
}

#[test]
fn counters() {
    let request = CountersRequest { first: u32::from_le_bytes(distinct(1)), count: 2 };
    let CountersRequest { first, count } = request;
    let values = [u64::from_le_bytes(distinct(2)), u64::from_le_bytes(distinct(3))];
    for (layout, values) in [(&layout::COUNTERS_REQUEST, &[][..]), (&layout::COUNTERS_ANSWER, &values)] {
        let mut bytes = vec![0; request.payload_len()];
        request.emit(values, &mut bytes);
        let (head, rest) = bytes.split_at(layout.len());
        check(layout, head, &[("first", &first.to_le_bytes()), ("count", &count.to_le_bytes())]);
        let repeated = layout.repeated.unwrap();
        let chunks: Vec<&[u8]> = rest.chunks_exact(8).collect();
        assert_eq!(chunks.len(), 2);
        for (nth, chunk) in chunks.into_iter().enumerate() {
            let value = values.get(nth).map(|value| value.to_le_bytes());
            let expected: Vec<Held> = value.iter().map(|value| ("value", &value[..])).collect();
            check_fields(repeated.fields, chunk, &expected);
        }
        let most = CountersRequest { first, count: repeated.max as u32 };
        let mut bytes = vec![0; most.payload_len()];
        most.emit(&[], &mut bytes);
        assert_eq!(CountersRequest::parse(&bytes), Ok(most));
    }
}

#[test]
fn processes() {
    let request = ProcessesRequest { after: 0x0302_0100, count: 2 };
    let number = |n| u64::from_le_bytes(distinct(n));
    let entry = ProcessEntry {
        pid: u32::from_le_bytes(distinct(1)) & 0xff_ffff,
        ending: true,
        broken: true,
        lease_ns: number(2),
        silent_ns: number(3),
        slots: number(4),
        pages: number(5),
        ranges: number(6),
    };
    let ProcessEntry { pid, lease_ns, silent_ns, slots, pages, ranges, .. } = entry;
    let expected: [Held; 7] = [
        ("pid", &pid.to_le_bytes()),
        ("state", &[3, 0, 0, 0]),
        ("lease", &lease_ns.to_le_bytes()),
        ("silent", &silent_ns.to_le_bytes()),
        ("slots", &slots.to_le_bytes()),
        ("pages", &pages.to_le_bytes()),
        ("ranges", &ranges.to_le_bytes()),
    ];
    let told: [(&Layout, Option<&[ProcessEntry]>, u32); 2] =
        [(&layout::PROCESSES_REQUEST, None, 2), (&layout::PROCESSES_ANSWER, Some(&[entry]), 1)];
    for (layout, entries, count) in told {
        let mut bytes = vec![0xff; request.payload_len()];
        request.emit(entries, &mut bytes);
        let (head, rest) = bytes.split_at(layout.len());
        check(layout, head, &[("after", &request.after.to_le_bytes()), ("count", &count.to_le_bytes())]);
        let repeated = layout.repeated.unwrap();
        let fields = if entries.is_some() { &expected[..] } else { &[] };
        check_fields(repeated.fields, &rest[..ProcessEntry::LEN], fields);
        assert!(rest[ProcessEntry::LEN..].iter().all(|byte| *byte == 0), "zeros fill it");
        let most = ProcessesRequest { count: repeated.max as u32, ..request };
        let mut bytes = vec![0xff; most.payload_len()];
        most.emit(None, &mut bytes);
        assert_eq!(ProcessesRequest::parse(&bytes), Ok(most));
    }
}

#[test]
fn ranges() {
    let range = PageRange { va: u64::from_le_bytes(distinct(1)), pages: u64::from_le_bytes(distinct(2)) };
    let PageRange { va, pages } = range;
    let expected: [Held; 2] = [("va", &va.to_le_bytes()), ("pages", &pages.to_le_bytes())];
    let repeated = layout::RANGES_REQUEST.repeated.unwrap();
    check_fields(repeated.fields, &range.to_bytes(), &expected);
    assert_eq!(repeated.max, PageRange::MAX);
}

#[test]
fn every_field_follows_the_one_before_it() {
    for layout in LAYOUTS {
        let lists = [Some(layout.fields), layout.repeated.map(|repeated| repeated.fields)];
        for fields in lists.into_iter().flatten() {
            let mut at = 0;
            for field in fields {
                assert_eq!(field.at, at, "{}, {}", layout.name, field.name);
                assert!(field.bytes > 0 && !field.doc.is_empty());
                at += field.bytes;
            }
        }
    }
}

#[test]
fn every_operation_that_boards_serve_is_there_once_and_its_layouts_are_listed() {
    let not_built = |opcode: &Opcode| {
        Opcode::ROWS
            .iter()
            .any(|row| row.value == u32::from(opcode.number()) && row.doc.contains("not built yet"))
    };
    let served: Vec<Opcode> = Opcode::ALL.iter().copied().filter(|opcode| !not_built(opcode)).collect();
    assert_eq!(EXCHANGES.iter().map(|exchange| exchange.opcode).collect::<Vec<_>>(), served);
    for body in EXCHANGES.iter().flat_map(|exchange| [exchange.request, exchange.answer]) {
        if let Body::Fields(layout) = body {
            assert!(LAYOUTS.iter().any(|listed| std::ptr::eq(*listed, layout)), "{}", layout.name);
        }
    }
}

#[test]
fn no_answer_is_longer_than_its_request() {
    let length = |body: Body| match body {
        Body::Fields(layout) => {
            layout.len() + layout.repeated.map_or(0, |again| again.fields.iter().map(|f| f.bytes).sum())
        }
        Body::Nothing | Body::Data => 0,
    };
    // Of READ alone it is not so: it asks for data.
    for exchange in EXCHANGES.iter().filter(|exchange| exchange.opcode != Opcode::Read) {
        assert!(length(exchange.answer) <= length(exchange.request), "{:?}", exchange.opcode);
    }
}
