//! Every value survives the round trip; every byte string parses to a value or a typed error.
use mneme_wire::frame::{Endpoints, FrameError, UdpFrame};
use mneme_wire::payload::{
    Alloc, AllocClass, AllocUnit, BoardInfo, CountersRequest, OpenAnswer, OpenRequest, PageRange,
    PayloadError, ProcessEntry, ProcessesRequest, RangeRights, Rights, SecureOpenAnswer, SecureOpenRequest,
    VaWindow, parse_ping,
};
use mneme_wire::{
    Cause, Detail, HEADER_LEN, Opcode, Packet, ParseError, Pid, Request, Response, Status, Tick, Trailer, Va,
};
use proptest::prelude::*;
use proptest::sample::select;

prop_compose! {
    fn request()(
        opcode in select(Opcode::ALL), trailer in select(Trailer::ALL), key_phase: bool, timed: bool,
        epoch: u8, pid in 0u32..1 << 24, op_id: u32, attempt: u8, time in 0u32..1 << 24, va in 0u64..1 << 48, length: u16,
    ) -> Request {
        Request {
            trailer, key_phase, timed, opcode, epoch, pid: Pid::new(pid).unwrap(), op_id, attempt,
            time: Tick::from_low_bits(time), va: Va::new(va).unwrap(), length,
        }
    }
}

prop_compose! {
    fn response()(request in request(), status in select(Status::ALL), slow: bool, va in 0u64..1 << 48) -> Response {
        Response { status, slow, trailer: request.trailer, length: request.length % 2000,
            ..Response::fail(&request, request.time, status, Va::new(va).unwrap()) }
    }
}

prop_compose! {
    fn board_info()(
        ids: [u64; 3], tick in 0u32..1 << 24, window in 0u32..1 << 22, ns_per_tick in 1u32.., capabilities: u32, memory: u64,
        max_payload in 64u16.., page_bits in 12u8..=40, epoch in 1u8.., key_phase in 0u8..2, filter_entries: u32, tick_high in 0u64..1 << 40, key_hint: u16,
    ) -> BoardInfo {
        BoardInfo {
            board_id: ids[0], nonce: ids[1], token: ids[2], tick, window, ns_per_tick, capabilities, memory, max_payload,
            page_bits, epoch, key_phase, filter_entries, tick_high, key_hint,
        }
    }
}

/// Regions of the address space.
const REGIONS: u64 = Va::LIMIT / Va::REGION;

fn window() -> impl Strategy<Value = Option<VaWindow>> {
    let some = (0..REGIONS).prop_flat_map(|first| (Just(first), 1..=REGIONS - first));
    proptest::option::of(
        some.prop_map(|(first, count)| VaWindow::new(first * Va::REGION, count * Va::REGION).unwrap()),
    )
}

#[test]
fn windows_are_whole_regions_inside_the_address_space() {
    let region = Va::REGION;
    let bad = [
        (region, 0),
        (region / 2, region),
        (0, region - 1),
        (1 << 18, region),
        (Va::LIMIT, region),
        (Va::LIMIT - region, 2 * region),
        (u64::MAX - region + 1, region),
        (0, Va::LIMIT + region),
    ];
    for (first, bytes) in bad {
        assert_eq!(VaWindow::new(first, bytes), Err(PayloadError::Range("window")), "{first:#x}, {bytes:#x}");
        let mut open = OpenRequest::default().to_bytes();
        open[32..40].copy_from_slice(&first.to_le_bytes());
        open[40..48].copy_from_slice(&bytes.to_le_bytes());
        assert_eq!(OpenRequest::parse(&open), Err(PayloadError::Range("window")), "{first:#x}, {bytes:#x}");
    }
    let whole = VaWindow::new(0, Va::LIMIT).unwrap();
    assert_eq!((whole.first(), whole.bytes(), whole.end()), (0, Va::LIMIT, Va::LIMIT));
    let last = VaWindow::new(Va::LIMIT - region, region).unwrap();
    assert_eq!(last.end(), Va::LIMIT);
    let mut behind = OpenRequest::default().to_bytes();
    behind[48] = 1;
    assert_eq!(OpenRequest::parse(&behind), Err(PayloadError::Option("zero")));
}

proptest! {
    #[test]
    fn requests_survive(request in request(), payload: Vec<u8>) {
        let mut bytes = request.to_bytes().to_vec();
        bytes.extend_from_slice(&payload);
        let packet = Packet::new_checked(&bytes).unwrap();
        prop_assert_eq!(Request::parse(&packet).unwrap(), request);
        let trailer = request.trailer.bytes().min(payload.len());
        prop_assert_eq!(packet.rest(), &payload[..]);
        prop_assert_eq!(packet.payload(), &payload[..payload.len() - trailer]);
        prop_assert_eq!(Response::parse(&packet), Err(ParseError::NotAResponse));
    }

    #[test]
    fn responses_survive(response in response()) {
        let mut bytes = response.to_bytes().to_vec();
        bytes.resize(HEADER_LEN + response.payload_len() + response.trailer.bytes(), 7);
        prop_assert_eq!(Response::parse(&Packet::new_checked(&bytes).unwrap()).unwrap(), response);
        bytes.push(0);
        let actual = bytes.len() - HEADER_LEN;
        prop_assert_eq!(
            Response::parse(&Packet::new_checked(&bytes).unwrap()),
            Err(ParseError::Length { header: actual - 1, actual })
        );
    }

    #[test]
    fn truncated_headers_are_short(request in request(), len in 0..HEADER_LEN) {
        let bytes = request.to_bytes();
        prop_assert_eq!(Packet::new_checked(&bytes[..len]), Err(ParseError::Short(len)));
    }

    #[test]
    fn a_parsed_header_is_written_back_bit_for_bit(bytes in prop::collection::vec(any::<u8>(), HEADER_LEN)) {
        let packet = Packet::new_checked(&bytes).unwrap();
        if let Ok(request) = Request::parse(&packet) {
            prop_assert_eq!(&request.to_bytes()[..], &bytes[..]);
        }
        if let Ok(response) = Response::parse(&packet) {
            prop_assert_eq!(&response.to_bytes()[..], &bytes[..]);
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), count in 1u32..=128) {
        if let Ok(packet) = Packet::new_checked(&bytes) {
            let _ = (Request::parse(&packet), Response::parse(&packet));
        }
        let _ = (BoardInfo::parse(&bytes), OpenRequest::parse(&bytes), OpenAnswer::parse(&bytes), parse_ping(&bytes));
        let _ = (SecureOpenRequest::parse(&bytes), SecureOpenAnswer::parse(&bytes));
        let _ = (Alloc::parse_request(&bytes), Alloc::parse_answer(&bytes), RangeRights::parse(&bytes), PageRange::parse(&bytes));
        let _ = (CountersRequest::parse(&bytes), ProcessesRequest::parse(&bytes));
        let processes = ProcessesRequest { after: 0, count };
        let _ = processes.parse_answer(&bytes).map(|entries| entries.count());
        let counters = CountersRequest { first: 0, count };
        let _ = counters.parse_answer(&bytes).map(|values| values.count());
        let _ = UdpFrame::parse(&bytes);
    }

    #[test]
    fn details_survive(cause in select(Cause::ALL), hint: u32) {
        let detail = Detail { cause, hint };
        prop_assert_eq!(Detail::from_va(detail.to_va()), detail);
    }

    #[test]
    fn board_info_and_open_survive(board in board_info(), pid in 1u32..1 << 24, join: bool, words: [u64; 2], token: [u8; 16], key: [u8; 16], window in window()) {
        prop_assert_eq!(BoardInfo::parse(&board.to_bytes()).unwrap(), board);
        let open = OpenRequest { join, capabilities: words[0] as u32, lease_ns: words[1], token, window: window.filter(|_| !join) };
        prop_assert_eq!(OpenRequest::parse(&open.to_bytes()).unwrap(), open);
        let joins = OpenRequest { join: true, window, ..open };
        let refused = window.map(|_| PayloadError::Option("window"));
        prop_assert_eq!(OpenRequest::parse(&joins.to_bytes()).err(), refused, "who joins asks for no window");
        let answer = OpenAnswer { pid, capabilities: words[0] as u32, lease_ns: words[1], token, key, board };
        prop_assert_eq!(OpenAnswer::parse(&answer.to_bytes()).unwrap(), answer);
    }

    #[test]
    fn alloc_and_ranges_survive(
        size in 1u64..1 << 40, va in 0u64..1 << 47, bits in 0u8..4, fixed: bool, unit in select(AllocUnit::ALL),
        class in select(AllocClass::ALL), dram: [u64; 2],
    ) {
        let rights = Rights::from_bits(bits).unwrap();
        let alloc = Alloc { size, rights, fixed, unit, class, dram_min: dram[0], dram_max: dram[1], va };
        prop_assert_eq!(Alloc::parse_answer(&alloc.to_bytes()).unwrap(), alloc);
        let asked = Alloc { va: 0, ..alloc };
        prop_assert_eq!(Alloc::parse_request(&asked.to_bytes()).unwrap(), asked);
        let range = RangeRights { size, rights };
        prop_assert_eq!(RangeRights::parse(&range.to_bytes()).unwrap(), range);
        let pages = PageRange { va, pages: size };
        prop_assert_eq!(PageRange::parse(&pages.to_bytes()).unwrap(), pages);
    }

    #[test]
    fn counters_survive(first: u32, values in prop::collection::vec(any::<u64>(), 1..=128)) {
        let request = CountersRequest { first, count: values.len() as u32 };
        let mut bytes = vec![0xff; request.payload_len()];
        request.emit(&[], &mut bytes);
        prop_assert_eq!(CountersRequest::parse(&bytes).unwrap(), request);
        request.emit(&values, &mut bytes);
        prop_assert_eq!(request.parse_answer(&bytes).unwrap().collect::<Vec<_>>(), values);
    }

    #[test]
    fn processes_survive(
        pids in prop::collection::btree_set(1u32..1 << 24, 0..40), count in 1u32..=128, words: [u64; 5],
        ending: bool, broken: bool, spoilt in 0usize..6200,
    ) {
        let request = ProcessesRequest { after: pids.first().map_or(7, |pid| pid - 1), count };
        let mut bytes = vec![0xff; request.payload_len()];
        request.emit(None, &mut bytes);
        prop_assert_eq!(ProcessesRequest::parse(&bytes).unwrap(), request);
        let [lease_ns, silent_ns, slots, pages, ranges] = words;
        let entry = |pid: &u32| ProcessEntry { pid: *pid, ending, broken, lease_ns, silent_ns, slots, pages, ranges };
        let entries: Vec<ProcessEntry> = pids.iter().map(entry).collect();
        request.emit(Some(&entries), &mut bytes);
        let told: Vec<_> = request.parse_answer(&bytes).unwrap().collect();
        prop_assert_eq!(&told[..], &entries[..entries.len().min(count as usize)]);
        // Entries that do not ascend, and bytes behind the last one, are no answer.
        if told.len() > 1 {
            let mut turned = entries.clone();
            turned.swap(0, 1);
            request.emit(Some(&turned), &mut bytes);
            prop_assert!(request.parse_answer(&bytes).is_err());
            request.emit(Some(&entries), &mut bytes);
        }
        let behind = 8 + ProcessEntry::LEN * told.len();
        if behind < bytes.len() {
            let at = behind + spoilt % (bytes.len() - behind);
            bytes[at] = 1;
            prop_assert!(request.parse_answer(&bytes).is_err());
        }
        prop_assert!(request.parse_answer(&bytes[1..]).is_err());
        prop_assert!(ProcessesRequest::fitting(0, bytes.len()).payload_len() <= bytes.len());
    }

    #[test]
    fn frames_survive_and_a_flipped_bit_is_seen(
        macs: [[u8; 6]; 2], ips: [[u8; 4]; 2], ports: [u16; 2], datagram in prop::collection::vec(any::<u8>(), 0..300),
        flip in 0usize..10_000, checksum: bool,
    ) {
        let endpoints = Endpoints {
            src_mac: macs[0], dst_mac: macs[1], src_ip: ips[0], dst_ip: ips[1], src_port: ports[0], dst_port: ports[1],
        };
        let frame = UdpFrame { endpoints, datagram: &datagram };
        let mut bytes = vec![0; frame.frame_len()];
        prop_assert_eq!(frame.emit(checksum, &mut bytes).unwrap(), bytes.len());
        prop_assert_eq!(UdpFrame::parse(&bytes).unwrap(), frame);
        prop_assert_eq!(frame.emit(checksum, &mut vec![0; bytes.len() - 1]), Err(FrameError::NoRoom(bytes.len())));
        // With a checksum, no single flipped bit from the EtherType on goes unseen; one that makes the checksum field 0 turns the check off.
        let bit = 12 * 8 + flip % ((bytes.len() - 12) * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        if checksum && bytes[40..42] != [0, 0] {
            prop_assert!(UdpFrame::parse(&bytes).is_err(), "bit {} flipped unseen", bit);
        }
    }
}
