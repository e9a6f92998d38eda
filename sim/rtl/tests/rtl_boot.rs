//! The Verilated boards, driven by registers and frames alone: boot, first touch, atomics, replays, errors of the memory. And
//! what a node tells of the build of one.
use mneme_model::{BuildStamp, NetworkPort, Node};
use mneme_rtl::{RtlConfig, RtlError, RtlFast, RtlOptions};
use mneme_slowpath::{FastPath, MemoryEpochs};
use mneme_wire::frame::{Endpoints, UdpFrame};
use mneme_wire::register::{BUILD_BASE, CONTROL_ENABLE, ZERO_ONLY};
use mneme_wire::{
    Cause, Counter, DEFAULT_UDP_PORT, MatAction, Opcode, Packet, Pid, Register, ReplaceStatus, Request,
    Response, Status, Tick, Trailer, Va, pte,
};

const EPOCH: u8 = 7;
const WINDOW: u32 = 1 << 16;
const PAGE: u64 = 5;
const HOST: Endpoints = Endpoints {
    src_mac: [2, 0, 0, 0, 0, 1],
    dst_mac: [2, 0, 0, 0, 0, 9],
    src_ip: [10, 0, 0, 1],
    dst_ip: [10, 0, 0, 9],
    src_port: 40_000,
    dst_port: DEFAULT_UDP_PORT,
};

struct Host {
    board: RtlFast,
    op_id: u32,
}

/// A board with a zeroed table, one match-action row and 2 free pages, and page `PAGE` of process 1 allocated.
fn boot(options: RtlOptions) -> Host {
    let mut board = RtlFast::new(options).expect("the board starts");
    let (shape, geometry) = (*board.shape(), board.shape().check().expect("a kept shape"));
    assert_eq!(board.read_register(Register::Magic), mneme_wire::register::MAGIC);
    assert_eq!(board.read_register(Register::MemBits), shape.mem_bits);
    assert_eq!(board.read_register(Register::FilterEntries) as usize, shape.filter_entries());
    for page in 0..geometry.table_pages() {
        board.write_register(Register::ZeroPush, page as u32 | ZERO_ONLY);
    }
    for page in 0..2 {
        board.write_register(Register::ZeroPush, (geometry.table_pages() + page) as u32);
    }
    until(&mut board, "zeroing", |board| board.read_register(Register::ZeroPending) == 0);
    assert_eq!(board.read_register(Register::AsyncLevel), 2);
    board.write_register(Register::Epoch, EPOCH.into());
    board.write_register(Register::Window, WINDOW);
    board.write_register(Register::MacHigh, u32::from_be_bytes([0, 0, HOST.dst_mac[0], HOST.dst_mac[1]]));
    board.write_register(
        Register::MacLow,
        u32::from_be_bytes([HOST.dst_mac[2], HOST.dst_mac[3], HOST.dst_mac[4], HOST.dst_mac[5]]),
    );
    board.write_register(Register::Ip, u32::from_be_bytes(HOST.dst_ip));
    board.write_register(Register::UdpPort, DEFAULT_UDP_PORT.into());
    board.write_register(Register::MatValue0, 0x0800 << 16 | 17 << 8);
    board.write_register(Register::MatMask0, 0xffff << 16 | 0xff << 8);
    board.write_register(Register::MatMask1, 0);
    board.write_register(Register::MatCommit, 1 << 16 | u32::from(MatAction::Fast.number()) << 8);
    board.write_register(Register::Control, CONTROL_ENABLE);
    let allocated = pte::ALLOCATED | pte::READ | pte::WRITE;
    assert_eq!(replace(&mut board, 1, PAGE, allocated), ReplaceStatus::Done);
    Host { board, op_id: 100 }
}

fn until(board: &mut RtlFast, what: &str, mut done: impl FnMut(&mut RtlFast) -> bool) {
    for _ in 0..1000 {
        if done(board) {
            return;
        }
        board.run(1000);
    }
    panic!("{what} does not end");
}

/// Sets all bits of a page's entry but tag and parity.
fn replace(board: &mut RtlFast, pid: u32, vpn: u64, entry: u64) -> ReplaceStatus {
    board.write_register(Register::ReplacePid, pid);
    board.write_register(Register::ReplaceVpn, vpn as u32);
    board.write_register(Register::ReplaceCompareLow, 0);
    board.write_register(Register::ReplaceCompareHigh, 0);
    board.write_register(Register::ReplaceWriteLow, u32::MAX);
    board.write_register(Register::ReplaceWriteHigh, u32::MAX);
    board.write_register(Register::ReplaceNewLow, entry as u32);
    board.write_register(Register::ReplaceNewHigh, (entry >> 32) as u32);
    board.write_register(Register::ReplaceGo, 1);
    let mut status = ReplaceStatus::Running;
    until(board, "replace", |board| {
        status =
            ReplaceStatus::from_number(board.read_register(Register::ReplaceStatus) as u8).expect("a status");
        status != ReplaceStatus::Running
    });
    status
}

impl Host {
    fn va(&self, offset: u64) -> Va {
        Va::new((PAGE << self.board.shape().page_bits) + offset).expect("an address")
    }
    fn request(&mut self, opcode: Opcode, va: Va, length: usize) -> Request {
        self.op_id += 1;
        Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: EPOCH,
            pid: Pid::new(1).expect("a pid"),
            op_id: self.op_id,
            attempt: 0,
            time: Tick::from_low_bits(self.board.read_register(Register::Tick)),
            va,
            length: length as u16,
        }
    }
    fn send(&mut self, request: &Request, payload: &[u8]) {
        self.send_from(HOST, request, payload);
    }
    fn send_from(&mut self, endpoints: Endpoints, request: &Request, payload: &[u8]) {
        let datagram = [&request.to_bytes()[..], payload].concat();
        let mut frame = vec![0; 16_384];
        let length = UdpFrame { endpoints, datagram: &datagram }.emit(true, &mut frame).expect("room");
        self.board.ingress(&frame[..length], false).expect("room at the MAC");
    }
    fn answer(&mut self) -> (Response, Vec<u8>, bool) {
        self.answer_to(HOST)
    }
    fn answer_to(&mut self, endpoints: Endpoints) -> (Response, Vec<u8>, bool) {
        for _ in 0..1000 {
            if let Some(frame) = self.board.egress() {
                let udp = UdpFrame::parse(&frame.bytes).expect("a frame that others can read");
                assert_eq!(udp.endpoints, endpoints.reversed());
                let packet = Packet::new_checked(udp.datagram).expect("a packet");
                return (
                    Response::parse(&packet).expect("a response"),
                    packet.payload().to_vec(),
                    frame.bad_fcs,
                );
            }
            self.board.run(100);
        }
        panic!("no answer");
    }
    fn ask(&mut self, opcode: Opcode, va: Va, length: usize, payload: &[u8]) -> (Response, Vec<u8>) {
        let request = self.request(opcode, va, length);
        self.send(&request, payload);
        let (response, bytes, _) = self.answer();
        assert_eq!((response.op_id, response.opcode), (request.op_id, opcode));
        (response, bytes)
    }
}

fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + i / 251) as u8).collect()
}

/// Writes and reads of every alignment around a beat, an atomic, its replay, and counters that agree.
fn exercise(options: RtlOptions) {
    let mut host = boot(options);
    let (start, bytes) = (host.va(64), host.board.shape().max_payload());
    let (read, zeros) = host.ask(Opcode::Read, start, 100, &[]);
    assert_eq!((read.status, zeros), (Status::Ok, vec![0; 100]));
    for (offset, length) in [(0, bytes), (1, 63), (63, 2), (130, 64), (5, 1)] {
        let (va, data) = (host.va(4096 + offset), pattern(length));
        let (write, _) = host.ask(Opcode::Write, va, length, &data);
        assert_eq!((write.status, usize::from(write.length)), (Status::Ok, length));
        let (read, back) = host.ask(Opcode::Read, va, length, &[]);
        assert_eq!((read.status, back), (Status::Ok, data));
    }
    let word = host.va(8192 * 2);
    let request = host.request(Opcode::FetchAdd, word, 8);
    for attempt in 0..3 {
        // A retry is answered from the filter: the old word again, and nothing is added.
        host.send(&Request { attempt, ..request }, &5u64.to_le_bytes());
        let (response, old, _) = host.answer();
        assert_eq!((response.status, response.attempt, old), (Status::Ok, attempt, vec![0; 8]));
    }
    let (_, value) = host.ask(Opcode::Read, word, 8, &[]);
    assert_eq!(value, 5u64.to_le_bytes());
    let foreign = host.ask(Opcode::Read, Va::new(1 << 40).expect("an address"), 8, &[]).0;
    assert_eq!((foreign.status, foreign.detail().cause), (Status::Unmapped, Cause::None));

    for (counter, expected) in [
        (Counter::PageFault, 1),
        (Counter::FilterReplay, 2),
        (Counter::Atomics, 1),
        (Counter::StatusUnmapped, 1),
    ] {
        assert_eq!(host.board.read_counter(counter), expected, "{counter}");
    }
    let events: Vec<_> = std::iter::from_fn(|| host.board.trace()).collect();
    assert_eq!(events.len(), 16);
    assert_eq!(events.last().map(|event| event.status()), Some(Some(Status::Unmapped)));
    assert_eq!(host.board.latency().map(|latency| latency.count), Some(16));
    assert_eq!(host.board.latency_of(Opcode::FetchAdd).map(|latency| latency.count), Some(3));
}

#[test]
fn every_configuration_serves() {
    for &board in RtlConfig::ALL {
        exercise(RtlOptions::new(board));
    }
}

/// Alone on the board: what the answer tells is what the ports show.
#[test]
fn a_timed_answer_tells_the_cycles_between_the_ports() {
    for &board in RtlConfig::ALL {
        let mut host = boot(RtlOptions::new(board));
        let data = pattern(256);
        // The first write faults, the repeat is answered by the filter.
        for (opcode, length, payload) in [
            (Opcode::Write, 256, &data[..]),
            (Opcode::Write, 256, &data[..]),
            (Opcode::Read, 256, &[][..]),
            (Opcode::Swap, 8, &data[..8]),
            (Opcode::Fence, 0, &[][..]),
        ] {
            let request = Request { timed: true, ..host.request(opcode, host.va(64), length) };
            for attempt in 0..2 {
                host.board.forget_latency();
                host.send(&Request { attempt, ..request }, payload);
                let (response, ..) = host.answer();
                assert_eq!((response.status, response.timed), (Status::Ok, true));
                let shown = host.board.latency_of(opcode).expect("one answer").max;
                assert_eq!(response.cycles().map(u64::from), Some(shown), "{opcode} on {board:?}");
                assert_eq!(response.tick(), None);
            }
        }
        let refused = Request { timed: true, ..host.request(Opcode::Read, Va::default(), 8) };
        host.send(&refused, &[]);
        let (response, ..) = host.answer();
        assert_eq!((response.status, response.timed), (Status::Unmapped, false));
        assert!(response.tick().is_some());
    }
}

#[test]
fn stalls_jitter_and_random_resets_change_no_answer() {
    for seed in 1..=4 {
        exercise(RtlOptions {
            dram_latency: 7 * seed as u32,
            dram_jitter: 30,
            stall_seed: seed,
            stall_probability: 0.2 * seed as f64,
            reset_seed: Some(seed),
            memory_fill: 0xa5,
            ..RtlOptions::new(RtlConfig::Tiny)
        });
    }
}

#[test]
fn a_memory_error_is_told() {
    let mut host = boot(RtlOptions::new(RtlConfig::Tiny));
    let (va, data) = (host.va(0), pattern(256));
    assert_eq!(host.ask(Opcode::Write, va, 256, &data).0.status, Status::Ok);
    let (page, memory) = (1 << host.board.shape().page_bits, 1 << host.board.shape().mem_bits);
    host.board.fail_memory(page..memory);
    let write = host.ask(Opcode::Write, va, 256, &data).0;
    assert_eq!((write.status, write.detail().cause), (Status::MemoryError, Cause::Dram));
    let request = host.request(Opcode::Read, va, 256);
    host.send(&request, &[]);
    assert!(host.answer().2, "the header has left before the error: the frame must end with a bad FCS");
}

/// The watchdog counts 2^16 cycles in which nothing left a pipeline that has requests, and nothing else; what was held up is answered then.
#[test]
fn a_pipeline_that_stands_still_is_counted() {
    const SILENCE: u64 = 1 << 16;
    for config in [RtlConfig::Tiny, RtlConfig::Sim] {
        let mut host = boot(RtlOptions { skip_idle: false, ..RtlOptions::new(config) });
        let (va, data) = (host.va(0), pattern(64));
        assert_eq!(host.ask(Opcode::Write, va, 64, &data).0.status, Status::Ok);
        host.board.run(SILENCE + SILENCE / 2);
        assert_eq!(host.board.read_counter(Counter::Watchdog), 0, "a board at rest waits for nothing");
        // Nobody takes the answers, and the port has room for so many.
        let mut asked = 0;
        while host.board.read_counter(Counter::DropIngressFull) == 0 {
            let request = host.request(Opcode::Read, va, 64);
            host.send(&request, &[]);
            asked += 1;
            host.board.run(200);
        }
        host.board.run(SILENCE / 2);
        assert_eq!(host.board.read_counter(Counter::Watchdog), 0, "it has stood still for less");
        host.board.run(SILENCE);
        assert_eq!(host.board.read_counter(Counter::Watchdog), 1);
        let (lost, mut answered) = (host.board.read_counter(Counter::DropIngressFull), 0);
        while answered + lost < asked {
            assert_eq!(host.answer().0.status, Status::Ok);
            answered += 1;
        }
    }
}

/// Three quarters of the filter are for whoever comes; what is above, for sources that hold less than their eighth (contracts §2). What goes out of
/// the window makes room again.
#[test]
fn a_source_has_three_quarters_of_the_filter_and_others_have_the_rest() {
    let mut host = boot(RtlOptions::new(RtlConfig::Sim));
    let (va, entries) = (host.va(0), host.board.shape().filter_entries());
    let mut write = |host: &mut Host, endpoints: Endpoints| {
        let request = host.request(Opcode::Write, va, 8);
        host.send_from(endpoints, &request, &[1; 8]);
        let answer = host.answer_to(endpoints).0;
        let full = answer.status == Status::Busy && answer.detail().cause == Cause::Filter;
        assert!(full || answer.status == Status::Ok, "{answer:?}");
        !full
    };
    let held = |host: &mut Host, write: &mut dyn FnMut(&mut Host, Endpoints) -> bool| {
        (0..entries).take_while(|_| write(host, HOST)).count()
    };
    assert_eq!(held(&mut host, &mut write), entries * 3 / 4);
    let ports =
        (0..64).filter(|port| write(&mut host, Endpoints { src_port: 50_000 + port, ..HOST })).count();
    assert_eq!(ports, 0, "who has many ports has no more");
    let ips: Vec<bool> =
        (0..64).map(|last| write(&mut host, Endpoints { src_ip: [10, 0, 9, last], ..HOST })).collect();
    let others = ips.iter().filter(|taken| **taken).count();
    // One of eight groups is the first source's own.
    assert!((40..64).contains(&others), "{others} of 64 other sources had room");
    assert!(!write(&mut host, HOST));
    // All of it goes: so do the shares.
    host.board.write_register(Register::TickSkip, 2 * WINDOW);
    until(&mut host.board, "the scrubber", |board| {
        board.read_counter(Counter::FilterScrubbed) as usize == entries * 3 / 4 + others
    });
    assert_eq!(held(&mut host, &mut write), entries * 3 / 4);
}

#[test]
fn no_cycle_is_skipped_where_all_are_wanted() {
    let mut host = boot(RtlOptions::new(RtlConfig::Sim));
    host.board.run(10_000);
    for (wanted, all) in [(50_000, false), (50_000, true)] {
        let (cycles, simulated) = (host.board.cycles(), host.board.simulated_cycles());
        if all {
            host.board.run_all(wanted)
        } else {
            host.board.run(wanted)
        }
        let passed = (host.board.cycles() - cycles, host.board.simulated_cycles() - simulated);
        assert_eq!(passed == (wanted, wanted), all, "{passed:?}");
    }
}

#[test]
fn quiet_time_is_skipped_and_counted() {
    let mut host = boot(RtlOptions::new(RtlConfig::Sim));
    let (va, second) = (host.va(0), 250_000_000);
    assert_eq!(host.ask(Opcode::Write, va, 3, b"abc").0.status, Status::Ok);
    let (cycles, simulated, tick) =
        (host.board.cycles(), host.board.simulated_cycles(), host.board.read_register(Register::Tick));
    host.board.run(300 * second);
    let passed = host.board.cycles() - cycles;
    assert!((300 * second..300 * second + 100_000).contains(&passed), "{passed} cycles");
    assert!(host.board.simulated_cycles() - simulated < 20_000_000);
    let ticks = host.board.read_register(Register::Tick).wrapping_sub(tick) & 0xff_ffff;
    let difference = (passed >> 11).wrapping_sub(ticks.into()).wrapping_add(2) & 0xff_ffff;
    assert!(difference <= 4, "{ticks} ticks in {passed} cycles");
    assert!(host.board.quiet());
    // The tick has wrapped twice: the scrubber has freed the entry before it could look new.
    assert_eq!(host.board.read_counter(Counter::FilterScrubbed), 1);
    assert_eq!(host.ask(Opcode::Read, va, 3, &[]).1, b"abc");
}

#[test]
fn options_that_cannot_be_are_refused() {
    let options = RtlOptions::new(RtlConfig::Tiny);
    let refused = |options| RtlFast::new(options).err();
    assert_eq!(
        refused(RtlOptions { memory_limit: 1 << 25, ..options }),
        Some(RtlError::Memory { asked: 1 << 25, built: 1 << 24 })
    );
    assert_eq!(refused(RtlOptions { stall_probability: 1.5, ..options }), Some(RtlError::Stall(1.5)));
}

#[test]
fn a_node_tells_the_registers_of_the_build_each_by_its_number_and_no_other() {
    let stamp = BuildStamp { hash: 0x89ab_cdef, date: 1_700_000_000 };
    let mut board = RtlFast::new(RtlOptions { stamp, ..RtlOptions::new(RtlConfig::Tiny) }).expect("a board");
    let config = Node::config(&mut board, 2, [7; 32]);
    let mut node = Node::boot(board, config, &mut MemoryEpochs::default()).expect("the board boots");
    assert_ne!(node.fast().read_register(Register::Window), 0);
    for word in 0..0x100 {
        let told = node.counter(BUILD_BASE + word);
        let register = Register::from_number(4 * word).filter(|register| Register::BUILD.contains(register));
        let expected = register.map_or(0, |register| node.fast().read_register(register));
        assert_eq!(told, u64::from(expected), "word {word}, {register:?}");
    }
    let stamped = [Register::BuildHash, Register::BuildDate].map(|r| node.counter(r.build_number()));
    assert_eq!(stamped, [stamp.hash, stamp.date].map(u64::from));
}
