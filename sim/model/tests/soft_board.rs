//! The software board by itself: what no input may do to it, and what the differential test cannot see.
use mneme_model::soft::{
    Answer, BoardRequest, BoardShape, Decision, Key, LineFault, Lookup, Model, Page, RetryFilter, SoftFast,
};
use mneme_model::{NetworkPort, Node};
use mneme_slowpath::{FastPath, LeafCommand, LeafSegment, MemoryEpochs};
use mneme_wire::frame::{Endpoints, UdpFrame};
use mneme_wire::payload::Rights;
use mneme_wire::pte::PageState;
use mneme_wire::{
    Cause, Counter, DEFAULT_UDP_PORT, Opcode, Pid, Register, ReplaceStatus, Request, Status, Tick, Trailer,
    Va, pte,
};
use proptest::prelude::*;

const BOARD_MAC: [u8; 6] = [0x02, 0x4d, 0x4e, 0x45, 0x4d, 0x01];

fn endpoints() -> Endpoints {
    Endpoints {
        src_mac: [2, 0, 0, 0, 0, 9],
        dst_mac: BOARD_MAC,
        src_ip: [10, 0, 0, 9],
        dst_ip: [10, 77, 0, 1],
        src_port: 4000,
        dst_port: DEFAULT_UDP_PORT,
    }
}

fn node() -> Node<SoftFast> {
    let mut fast = SoftFast::new(BoardShape::TINY).expect("a legal shape");
    let config = Node::config(&mut fast, 1, [3; 32]);
    Node::boot(fast, config, &mut MemoryEpochs::default()).expect("the board boots")
}

fn header(opcode: Opcode, length: u16) -> Request {
    Request {
        trailer: Trailer::None,
        key_phase: false,
        timed: false,
        opcode,
        epoch: 1,
        pid: Pid::from_low_bits(7),
        op_id: 1,
        attempt: 0,
        time: Tick::default(),
        va: Va::default(),
        length,
    }
}

fn request(opcode: Opcode, op_id: u32, attempt: u8, payload: &[u8]) -> BoardRequest {
    let header = Request { op_id, attempt, ..header(opcode, payload.len() as u16) };
    let mut datagram = header.to_bytes().to_vec();
    datagram.extend_from_slice(payload);
    let packet = mneme_wire::Packet::new_checked(&datagram[..]).expect("a whole header");
    let mut request = BoardRequest::default();
    request.take(endpoints(), &packet);
    request
}

/// A model with one page of process 7, free pages, and a window.
fn model() -> Model {
    let mut model = Model::new(BoardShape::TINY).expect("a legal shape");
    model.write_register(Register::Window, 100);
    for ppn in 1..4 {
        model.write_register(Register::ZeroPush, ppn);
        model.zero_next();
    }
    model.write_register(Register::ReplacePid, 7);
    model.write_register(Register::ReplaceWriteLow, u32::MAX);
    model.write_register(Register::ReplaceWriteHigh, u32::MAX);
    model.write_register(Register::ReplaceNewHigh, ((pte::ALLOCATED | pte::READ | pte::WRITE) >> 32) as u32);
    model.write_register(Register::ReplaceGo, 1);
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_from_the_network_stop_the_board(
        frames in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..1600), 1..20),
        fcs in any::<bool>(),
    ) {
        let mut node = node();
        for frame in &frames {
            node.fast().ingress(frame, fcs).expect("room at the port");
        }
        node.run(100_000);
        prop_assert!(node.idle());
        let received = node.counter(Counter::RxFrames.number());
        prop_assert_eq!(received, frames.len() as u64);
    }

    #[test]
    fn no_mutation_of_a_good_request_stops_the_board(
        opcode in 0usize..Opcode::ALL.len(),
        payload in prop::collection::vec(any::<u8>(), 0..200),
        changes in prop::collection::vec((0usize..242, any::<u8>()), 0..6),
        cut in 0usize..300,
    ) {
        let mut node = node();
        let epoch = node.fast().read_register(Register::Epoch) as u8;
        let request = Request { epoch, ..header(Opcode::ALL[opcode], payload.len() as u16) };
        let mut datagram = request.to_bytes().to_vec();
        datagram.extend_from_slice(&payload);
        let mut frame = vec![0; 42 + datagram.len()];
        UdpFrame { endpoints: endpoints(), datagram: &datagram }.emit(false, &mut frame).expect("room");
        for (at, value) in changes {
            if let Some(byte) = frame.get_mut(at) {
                *byte = value;
            }
        }
        frame.truncate(cut.max(1));
        node.submit(&frame).expect("room at the port");
        node.run(100_000);
        prop_assert!(node.fast().egress().is_none_or(|answer| answer.bytes.len() <= frame.len().max(1514)));
    }
}

#[test]
fn a_damaged_tlb_entry_is_an_error_once_and_then_walked_for() {
    let mut model = model();
    let write = request(Opcode::Write, 1, 0, b"12345678");
    assert_eq!(model.execute(&write, Lookup::Own).answer.status, Status::Ok);
    model.tlb.damage(Page { pid: Pid::from_low_bits(7), vpn: 0 }, 1 << 20);
    let read = BoardRequest { length: 8, ..request(Opcode::Read, 2, 0, &[]) };
    let damaged = model.execute(&read, Lookup::Own);
    assert_eq!(damaged.answer, Answer::fail(Status::MemoryError, Cause::Parity));
    assert_eq!(model.counters.get(Counter::TlbParity), 1);
    let repaired = model.execute(&read, Lookup::Own);
    assert_eq!((repaired.walked, repaired.answer.payload()), (true, &b"12345678"[..]));
}

#[test]
fn a_page_that_nobody_wrote_reads_as_zeros_and_takes_no_memory() {
    let mut model = model();
    let read = BoardRequest { length: 64, ..request(Opcode::Read, 2, 0, &[]) };
    let level = model.read_register(Register::AsyncLevel);
    assert_eq!(model.execute(&read, Lookup::Own).answer.payload(), [0; 64]);
    assert_eq!(model.read_register(Register::AsyncLevel), level);
    assert_eq!(model.counters.get(Counter::ZeroRead), 1);
}

/// A page of 1 MB of a process, in pages of 4 KB, is there: the number of its leaf table.
fn split_page(model: &mut Model, pid: u32, table: u32) {
    let segment = LeafSegment { pid, va: 0, table, tables: 1, budget: 8, rights: Rights::READ_WRITE };
    model.leaf_command(LeafCommand::Create(segment)).expect("room for a segment");
    let state = (PageState::Split as u64) << pte::STATE_SHIFT;
    let entry = pte::ALLOCATED | pte::READ | pte::WRITE | state | u64::from(table);
    model.write_register(Register::ReplacePid, pid);
    model.write_register(Register::ReplaceNewLow, entry as u32);
    model.write_register(Register::ReplaceNewHigh, (entry >> 32) as u32);
    model.write_register(Register::ReplaceGo, 1);
    assert_eq!(model.read_register(Register::ReplaceStatus), u32::from(ReplaceStatus::Done.number()));
}

#[test]
fn an_error_of_memory_is_told_to_who_reads_the_same_frames() {
    let mut model = Model::new(BoardShape::RDMA).expect("a legal shape");
    model.write_register(Register::Window, 100);
    model.write_register(Register::ZeroPush, 1);
    model.zero_next();
    model.leaf_command(LeafCommand::Refill).expect("a page for frames");
    model.write_register(Register::ReplaceWriteLow, u32::MAX);
    model.write_register(Register::ReplaceWriteHigh, u32::MAX);
    let write = |model: &mut Model, pid, op_id, va| {
        let (pid, va) = (Pid::from_low_bits(pid), Va::from_low_bits(va));
        let write = BoardRequest { pid, va, ..request(Opcode::Write, op_id, 0, &[7; 100]) };
        assert_eq!(model.execute(&write, Lookup::Own).answer.status, Status::Ok);
    };
    let read = |model: &mut Model, pid| {
        let request = request(Opcode::Read, 100, 0, &[]);
        let (pid, va) = (Pid::from_low_bits(pid), Va::from_low_bits(4096 - 100));
        let answer = model.execute(&BoardRequest { pid, va, length: 200, ..request }, Lookup::Own).answer;
        (answer.status, answer.bad_fcs)
    };
    // Of each process the first page has no frame; the second one has a frame, the first of which fails.
    for (pid, table) in [(7, 0), (8, 1)] {
        split_page(&mut model, pid, table);
        write(&mut model, pid, pid, 4096);
    }
    let first = model.leaf_entries(0).expect("a segment")[1] % (1 << 20);
    model.bad_lines.add(first..first + 64, LineFault { read: true, write: None });
    assert_eq!(read(&mut model, 7), (Status::Ok, true));
    assert_eq!(read(&mut model, 8), (Status::Ok, false), "another process's frame is sound");
    assert_eq!(read(&mut model, 7), (Status::MemoryError, false));
    assert_eq!(read(&mut model, 7), (Status::Ok, true), "told once");
    assert_eq!(read(&mut model, 7), (Status::MemoryError, false));
    // Both have a frame; then the second one has another.
    write(&mut model, 7, 9, 4096 - 100);
    assert_eq!(read(&mut model, 7), (Status::Ok, true));
    let (segment, _) = model.leaf.segments().find(|(_, config)| config.pid == 7).expect("a segment");
    assert!(model.leaf.unmap(segment, 1));
    write(&mut model, 7, 10, 4096);
    assert_eq!(read(&mut model, 7), (Status::Ok, false), "the frame that failed is the page's no more");
}

#[test]
fn a_filter_entry_is_never_replaced_while_live_and_full_sets_say_so() {
    // Four sets of four ways; the eighth part that a crowded filter leaves to each group of sources is two entries.
    let mut filter = RetryFilter::new(1, 4);
    let now = Tick::default();
    let decisions: Vec<_> =
        (0..64).map(|op_id| filter.decide(&request(Opcode::Write, op_id, 0, b"x"), now, 10, false)).collect();
    let inserted = decisions.iter().filter(|decision| **decision == Decision::Insert).count();
    assert_eq!(inserted, 12, "one source has three quarters at most");
    assert!(decisions.iter().all(|decision| matches!(decision, Decision::Insert | Decision::Full)));
    let mut port = |port| {
        let mut request = request(Opcode::Write, 0, 0, b"x");
        request.endpoints.src_port = port;
        filter.decide(&request, now, 10, false)
    };
    assert!((2000..2400).all(|number| port(number) == Decision::Full), "who has many ports has no more");
    let mut other = |last| {
        let mut request = request(Opcode::Write, 0, 0, b"x");
        request.endpoints.src_ip[3] = last;
        filter.decide(&request, now, 10, false)
    };
    let others: Vec<_> = (0..=255).map(&mut other).collect();
    let inserted = others.iter().filter(|decision| **decision == Decision::Insert).count();
    assert_eq!(inserted, 4, "the last quarter is for other sources");
    // Pending entries stay beyond the window; finished ones make room.
    let later = Tick::from_low_bits(100);
    let fresh = |op_id| BoardRequest { time: later, ..request(Opcode::Write, op_id, 0, b"x") };
    assert_eq!(filter.decide(&fresh(1000), later, 10, false), Decision::Full);
    for op_id in 0..64 {
        let request = request(Opcode::Write, op_id, 0, b"x");
        filter.finish(&request, &Answer::stored(&request, 0));
    }
    assert_eq!(filter.decide(&fresh(1000), later, 10, false), Decision::Insert);
}

#[test]
fn a_group_with_its_share_leaves_a_way_of_each_set_to_the_others() {
    let now = Tick::default();
    let of = |last: u8, op_id| {
        let mut request = request(Opcode::Write, op_id, 0, b"x");
        request.endpoints.src_ip[3] = last;
        request
    };
    // All in one set of each choice, eight ways each; the share is eight entries.
    let here = |last: u8, count: usize| -> Vec<BoardRequest> {
        let all = (0..).map(|op_id| of(last, op_id));
        all.filter(|request| Key::of(request).sets(2) == [0, 0]).take(count).collect()
    };
    let group = |last: u8| Key::of(&of(last, 0)).group(None);
    let other = (2..=255).find(|last| group(*last) != group(1)).expect("eight groups");
    let flood = |filter: &mut RetryFilter| {
        here(1, 32).iter().filter(|write| filter.decide(write, now, 10, false) == Decision::Insert).count()
    };
    let mut alone = RetryFilter::new(2, 8);
    assert_eq!(flood(&mut alone), 16, "who is alone has all ways");
    assert_eq!(alone.decide(&here(other, 1)[0], now, 10, false), Decision::Full);
    let mut shared = RetryFilter::new(2, 8);
    let elsewhere = (0..).map(|op_id| of(other, op_id)).find(|write| !Key::of(write).sets(2).contains(&0));
    assert_eq!(shared.decide(&elsewhere.expect("ids are many"), now, 10, false), Decision::Insert);
    assert_eq!(flood(&mut shared), 14);
    assert!(here(other, 2).iter().all(|write| shared.decide(write, now, 10, false) == Decision::Insert));
}

#[test]
fn a_class_has_its_share_whatever_addresses_its_requests_have() {
    let now = Tick::default();
    let of = |class: u32, op_id: u32| {
        let mut request = request(Opcode::Write, op_id, 0, b"x");
        request.endpoints.src_ip = [10, 7, (op_id >> 8) as u8, op_id as u8];
        request.pid = Pid::from_low_bits(class << 20 | 9);
        request
    };
    let made = |filter: &mut RetryFilter, class, ids: std::ops::Range<u32>, proven| {
        ids.filter(|id| filter.decide(&of(class, *id), now, 10, proven) == Decision::Insert).count()
    };
    for flood in [0, 5] {
        // Sets so large that none is full before the filter is: 512 entries, groups of 64.
        let mut filter = RetryFilter::new(2, 64);
        let got = made(&mut filter, flood, 0..2_000, true);
        assert!((384..400).contains(&got), "class {flood} has {got}: three quarters, and no more");
        assert_eq!(made(&mut filter, 6, 2_000..2_032, true), 32, "beside class {flood}");
        assert!(
            made(&mut filter, 9, 3_000..3_032, true) == if flood == 5 { 0 } else { 32 },
            "9 and 5 share a part"
        );
    }
    // Addresses tell nothing of a class when nobody has proved it: its requests have all groups.
    let mut filter = RetryFilter::new(2, 64);
    assert_eq!(made(&mut filter, 5, 0..2_000, false), 512);
    assert_eq!(made(&mut filter, 6, 2_000..2_032, false), 0);
}

#[test]
fn an_attempt_that_a_shorter_window_leaves_ahead_of_the_clock_waits_for_it() {
    let mut filter = RetryFilter::new(1, 4);
    let now = Tick::from_low_bits(100);
    let ahead =
        |attempt| BoardRequest { time: Tick::from_low_bits(110), ..request(Opcode::Write, 1, attempt, b"x") };
    assert_eq!(filter.decide(&ahead(0), now, 40, false), Decision::Insert, "a quarter of the window");
    filter.finish(&ahead(0), &Answer::busy(Cause::Fault, 5));
    assert_eq!(filter.decide(&ahead(1), now, 36, false), Decision::Clock);
    assert!(matches!(
        filter.decide(&ahead(0), now, 36, false),
        Decision::Repeat { status: Status::Busy, .. }
    ));
    assert_eq!(filter.decide(&ahead(1), Tick::from_low_bits(101), 36, false), Decision::Reopen);
}

#[test]
fn no_entry_of_the_filter_survives_a_wrap_of_the_tick() {
    let mut filter = RetryFilter::new(2, 2);
    let write = request(Opcode::Write, 1, 0, b"x");
    assert_eq!(filter.decide(&write, Tick::default(), 10, false), Decision::Insert);
    filter.finish(&write, &Answer::stored(&write, 0));
    let mut freed = 0;
    for step in 1..=16 {
        freed += filter.scrub(Tick::from_low_bits(step << 20), 10);
    }
    assert_eq!(freed, 1);
    // The tick is back where the operation began: an entry left over would answer OK for something new.
    assert_eq!(filter.decide(&write, Tick::default(), 10, false), Decision::Insert);
}

#[test]
fn a_shape_that_cannot_be_built_is_refused_in_words() {
    let odd = BoardShape { packet_slots: 6, ..BoardShape::TINY };
    assert_eq!(odd.check().expect_err("refused").to_string(), "6 packet slots are not a power of two");
    let jumbo = BoardShape { mtu: 10_000, ..BoardShape::TINY };
    assert_eq!(jumbo.check().expect_err("refused").to_string(), "an MTU of 10000 is outside 576 to 9000");
    assert!(BoardShape::SIM.with_memory(100 << 20).is_err());
    assert_eq!(BoardShape::SIM.with_memory(1 << 29).map(|shape| shape.mem_bits), Ok(29));
}

#[test]
fn running_to_rest_does_not_let_answers_wait() {
    let mut node = node();
    let passed = |node: &mut Node<SoftFast>, run: fn(&mut Node<SoftFast>, u64)| {
        let before = node.fast().cycles();
        run(node, 100_000);
        node.fast().cycles() - before
    };
    // Until the pages have been zeroed.
    node.run(1_000_000);
    assert!(passed(&mut node, Node::run_to_rest) < 1_000, "there is nothing to do");
    for (run, least, most) in
        [(Node::run_to_rest as fn(&mut Node<SoftFast>, u64), 1, 1_000), (Node::run, 100_000, 101_000)]
    {
        let datagram = header(Opcode::Read, 64).to_bytes();
        let mut frame = [0; 64];
        UdpFrame { endpoints: endpoints(), datagram: &datagram }
            .emit(true, &mut frame)
            .expect("there is room");
        node.submit(&frame).expect("room at the port");
        let passed = passed(&mut node, run);
        assert!((least..most).contains(&passed), "{passed} cycles");
        assert!(node.poll().is_some() && node.poll().is_none(), "one answer");
    }
}

#[test]
fn a_shape_that_cannot_be_is_refused_before_memory_is_asked_for() {
    for packet_slots in [0, 3, 1 << 40, usize::MAX] {
        let shape = BoardShape { packet_slots, ..BoardShape::TINY };
        assert!(SoftFast::new(shape).is_err(), "{packet_slots}");
    }
}
