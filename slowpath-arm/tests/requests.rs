//! Requests and answers of the slow path, in frames.
use crate::double;
use double::{Bench, Double, config, frame_of};
use mneme_slowpath::{BootError, EpochStore, EpochStoreError, MemoryEpochs, SlowPath};
use mneme_wire::payload::{
    Alloc, AllocClass, AllocUnit, BoardInfo, CountersRequest, NODE_REFUSED_CAUSE, OpenRequest, RangeRights,
};
use mneme_wire::{Cause, Counter, NodeCounter, Opcode, Packet, Register, Response, Rights, Status};

const RW: Rights = Rights::READ_WRITE;

fn why(response: &Response) -> (Status, Cause, u32) {
    (response.status, response.detail().cause, response.detail().hint)
}

#[test]
fn a_process_opens_allocates_writes_frees_and_exits() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let at = b.alloc(pid, 3, RW).unwrap();
    assert_ne!(at, 0);
    for vpn in at..at + 3 {
        assert_eq!(b.fp.touch(pid, vpn), Status::Ok);
    }
    assert_eq!(b.fp.touch(pid, at + 3), Status::Unmapped);
    assert_eq!(b.fp.touch(pid + 1, at), Status::Unmapped);
    assert_eq!(b.protect(pid, at + 1, 1, Rights::READ_ONLY).status, Status::Ok);
    assert_eq!(b.fp.touch(pid, at + 1), Status::Denied);
    assert_eq!(b.fp.touch(pid, at + 2), Status::Ok);
    b.audit();
    assert_eq!(b.free(pid, at, 0).status, Status::Ok);
    assert_eq!(b.fp.touch(pid, at), Status::Unmapped);
    let other = b.alloc(pid, 1, RW).unwrap();
    assert!(!(at..at + 3).contains(&other), "the freed address rests");
    b.audit();
    assert_eq!(b.exit(pid).status, Status::Ok);
    assert!(b.fp.table.iter().all(|entry| *entry == 0));
    b.pass(1);
    b.audit();
    assert_eq!(b.slow.pages(&mut b.fp).held_by_hardware(), b.fp.buffer.len());
}

#[test]
fn the_boot_zeroes_the_table_and_routes_by_opcode() {
    let b = Bench::tiny();
    assert_eq!(b.fp.zeroed_table, vec![0]);
    assert_eq!(b.fp.mat.len(), 8);
    let route = |ethertype: u32, protocol: u32, port: u32, opcode: u32| {
        let key = (ethertype << 16 | protocol << 8 | opcode, port);
        let hit = |row: &&[u32; 5]| {
            row[4] >> 16 & 1 == 1 && (key.0 ^ row[0]) & row[2] == 0 && (key.1 ^ row[1]) & row[3] == 0
        };
        b.fp.mat.iter().find(hit).map(|row| row[4] >> 8 & 0xff)
    };
    let (fast, slow) = (Some(1), Some(2));
    assert_eq!(route(0x0806, 0, 0, 0), slow);
    assert_eq!(route(0x0800, 1, 0, 0), slow);
    for opcode in 0..128 {
        let expected = if (0x10..0x30).contains(&opcode) { slow } else { fast };
        assert_eq!(route(0x0800, 17, 19790, opcode), expected, "opcode {opcode:#x}");
        assert_eq!(route(0x0800, 17, 19791, opcode), None);
    }
    assert_eq!(route(0x0800, 6, 19790, 0), None);
}

#[test]
fn boards_that_cannot_be_served_are_refused_at_boot() {
    struct Wrong(Double, Register, u32);
    impl Wrong {
        fn boot(register: Register, value: u32) -> BootError {
            let mut board = Wrong(Double::new(18, 24, 2), register, value);
            SlowPath::boot(config(), &mut board, &mut MemoryEpochs::default()).unwrap_err()
        }
    }
    impl mneme_slowpath::FastPath for Wrong {
        fn read_register(&mut self, register: Register) -> u32 {
            if register == self.1 { self.2 } else { self.0.read_register(register) }
        }
        fn write_register(&mut self, _: Register, _: u32) {}
        fn read_counter(&mut self, _: Counter) -> u32 {
            0
        }
        fn receive(&mut self, _: &mut Vec<u8>) -> bool {
            false
        }
        fn send(&mut self, _: &[u8]) -> Result<(), mneme_slowpath::RingFull> {
            Ok(())
        }
        fn read_memory(&mut self, _: u64, _: &mut [u8]) {}
        fn write_memory(&mut self, _: u64, _: &[u8]) {}
    }
    assert!(matches!(Wrong::boot(Register::Magic, 7), BootError::Magic(7)));
    assert!(matches!(Wrong::boot(Register::WireVersion, 2), BootError::Version(2)));
    assert!(matches!(Wrong::boot(Register::PageBits, 5), BootError::Geometry(_)));
    assert!(matches!(Wrong::boot(Register::MaxPayload, 1 << 16), BootError::MaxPayload(_)));
    assert!(matches!(Wrong::boot(Register::ReplaceStatus, 2), BootError::NotReset));
    assert!(matches!(Wrong::boot(Register::AsyncLevel, 1), BootError::NotReset));
    let mut wrong = config();
    wrong.mac[0] |= 1;
    let refused = SlowPath::boot(wrong, &mut Double::new(18, 24, 2), &mut MemoryEpochs::default());
    assert!(matches!(refused, Err(BootError::Config(_))));
    struct Broken;
    impl EpochStore for Broken {
        fn load(&mut self) -> Result<Vec<u8>, EpochStoreError> {
            Err(EpochStoreError("disk on fire".into()))
        }
        fn save(&mut self, _: &[u8]) -> Result<(), EpochStoreError> {
            Ok(())
        }
    }
    let refused = SlowPath::boot(config(), &mut Double::new(18, 24, 2), &mut Broken);
    assert!(matches!(refused, Err(BootError::Epoch(_))));
}

#[test]
fn ping_tells_who_the_board_is() {
    let mut b = Bench::tiny();
    let (response, payload) = b.ask(Opcode::Ping, 0, 0, &[0; BoardInfo::LEN]);
    assert_eq!(response.status, Status::Ok);
    let info = BoardInfo::parse(&payload).unwrap();
    assert_eq!((info.board_id, info.page_bits, info.window, info.epoch), (77, 18, 8, b.epoch));
    assert_eq!((info.memory, info.max_payload, info.ns_per_tick), (63 << 18, 1428, 1000));
    let opened = b.open_from([10, 0, 0, 1], 0, &OpenRequest::default()).unwrap();
    assert_eq!(opened.board.nonce, info.nonce);
    let short = b.ask(Opcode::Ping, 0, 0, &[]).0;
    assert_eq!(why(&short), (Status::BadRequest, Cause::Length, 0));
}

#[test]
fn counters_of_hardware_and_of_the_slow_path() {
    let mut b = Bench::tiny();
    let pid = b.open();
    b.alloc(pid, 2, RW).unwrap();
    assert_eq!(b.free(pid, 77, 0).status, Status::Unmapped);
    b.fp.counters.insert(Counter::TlbHit, 41);
    let mut read = |first: u32, count: u32| {
        let ask = CountersRequest { first, count };
        let mut payload = vec![0; ask.payload_len()];
        ask.emit(&[], &mut payload);
        let (response, answer) = b.ask(Opcode::Counters, 0, 0, &payload);
        assert_eq!(response.status, Status::Ok);
        ask.parse_answer(&answer).unwrap().collect::<Vec<u64>>()
    };
    assert_eq!(read(Counter::TlbHit.number(), 2), vec![41, 0]);
    assert_eq!(read(NodeCounter::Opens.number(), 4), vec![1, 0, 1, 0]);
    assert_eq!(read(NodeCounter::SlotsUsed.number(), 1), vec![2]);
    assert_eq!(read(NODE_REFUSED_CAUSE + u32::from(Cause::Address.number()), 1), vec![1]);
    assert_eq!(read(u32::MAX, 3), vec![0, 0, 0], "numbers past the last are 0");
    assert_eq!(read(0x900, 1), vec![0]);
}

#[test]
fn opening_joining_and_their_refusals() {
    let mut b = Bench::tiny();
    let (a, c) = ([10, 0, 0, 1], [10, 0, 0, 2]);
    let first = b.open_from(a, 0x20_0005, &OpenRequest::default()).unwrap();
    assert_eq!(first.pid, 0x20_0005);
    assert_ne!(first.token, [0; 16]);
    let join = |token| OpenRequest { join: true, token, ..OpenRequest::default() };
    assert_eq!(b.open_from(c, first.pid, &join(first.token)).unwrap().pid, first.pid);
    let wrong = b.open_from(c, first.pid, &join([1; 16])).unwrap_err();
    assert_eq!(why(&wrong), (Status::Denied, Cause::Rights, 0));
    let taken = b.open_from(c, first.pid, &OpenRequest::default()).unwrap_err();
    assert_eq!(why(&taken), (Status::Denied, Cause::Pid, 0));
    let nobody = b.open_from(c, 99, &join([0; 16])).unwrap_err();
    assert_eq!(why(&nobody), (Status::BadRequest, Cause::Pid, 0));
    let board = b.open_from(c, 0xf0_0001, &OpenRequest::default()).unwrap_err();
    assert_eq!(why(&board), (Status::BadRequest, Cause::Pid, 0));
    // A token from before a restart is kept, so that the others of the process can join again.
    let known = OpenRequest { token: [9; 16], ..OpenRequest::default() };
    assert_eq!(b.open_from(a, 0, &known).unwrap().token, [9; 16]);
    // An ended pid rests for 1¼ windows.
    assert_eq!(b.exit(first.pid).status, Status::Ok);
    let resting = b.open_from(c, first.pid, &OpenRequest::default()).unwrap_err();
    assert_eq!((resting.status, resting.detail().cause), (Status::Busy, Cause::Hold));
    b.pass(11);
    assert_eq!(b.open_from(c, first.pid, &OpenRequest::default()).unwrap().pid, first.pid);
}

#[test]
fn every_other_refusal_says_what_would_work() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let page = 1u64 << 18;
    let zero = b.alloc_as(pid, 0, &Alloc::request(0, RW)).unwrap_err();
    assert_eq!(why(&zero), (Status::BadRequest, Cause::Length, 1));
    let huge = b.alloc_as(pid, 0, &Alloc::request(u64::MAX, RW)).unwrap_err();
    assert_eq!(why(&huge), (Status::NoMemory, Cause::Capacity, 32), "a block of 32 buckets");
    let stranger = b.alloc(pid + 1, 1, RW).unwrap_err();
    assert_eq!(why(&stranger), (Status::BadRequest, Cause::Pid, 0));
    for odd in [
        Alloc { class: AllocClass::Tiered, ..Alloc::request(page, RW) },
        Alloc { dram_min: 1, ..Alloc::request(page, RW) },
    ] {
        let refused = b.alloc_as(pid, 0, &odd).unwrap_err();
        assert_eq!(why(&refused), (Status::Unsupported, Cause::Option, 0));
    }
    let frames = Alloc { unit: AllocUnit::Frame, ..Alloc::request(page, RW) };
    let unsplit = b.alloc_as(pid, 0, &frames).unwrap_err();
    assert_eq!(why(&unsplit), (Status::Unsupported, Cause::Split, 0), "a board without a leaf unit");
    let stray = b.alloc_as(pid, page, &Alloc::request(page, RW)).unwrap_err();
    assert_eq!(why(&stray).1, Cause::Address, "an address that is not asked for as fixed");
    let at = b.alloc(pid, 4, RW).unwrap();
    assert_eq!(why(&b.free(pid, at + 1, 0)), (Status::Unmapped, Cause::Address, 0));
    assert_eq!(why(&b.free(pid, at, 3)), (Status::BadRequest, Cause::Length, 4));
    let ask = RangeRights { size: 0, rights: RW };
    assert_eq!(why(&b.ask(Opcode::Free, pid, at << 18, &ask.to_bytes()).0).0, Status::Unsupported);
    assert_eq!(why(&b.protect(pid, at + 1, 4, RW)), (Status::BadRequest, Cause::Length, 3));
    assert_eq!(why(&b.protect(pid, at + 4, 1, RW)), (Status::Unmapped, Cause::Address, 0));
    assert_eq!(why(&b.protect(pid, at, 0, RW)).1, Cause::Length);
    let ask = RangeRights { size: page, rights: RW };
    assert_eq!(why(&b.ask(Opcode::Protect, pid, (at << 18) + 8, &ask.to_bytes()).0).1, Cause::Address);
    assert_eq!(why(&b.ask(Opcode::Exit, pid, 0, &[0]).0).1, Cause::Length);
    assert_eq!(why(&b.ask(Opcode::Advise, pid, 0, &[]).0), (Status::Unsupported, Cause::Opcode, 0));
    let lying = b.request(Opcode::Exit, pid, 0, 4);
    assert_eq!(why(&b.send([10, 0, 0, 1], &lying, &[]).0).1, Cause::Length);
    b.audit();
}

#[test]
fn unknown_opcodes_are_answered_under_their_own_number() {
    let mut b = Bench::tiny();
    let request = b.request(Opcode::Exit, 1, 0, 0);
    let mut frame = frame_of([10, 0, 0, 1], &request, &[]);
    frame[mneme_wire::frame::MNEME_OFFSET + 1] = 0x2f;
    frame[40..42].fill(0);
    b.fp.rx.push_back(frame);
    b.slow.poll(&mut b.fp);
    let answer = b.fp.tx.pop_front().unwrap();
    let packet = Packet::new_checked(&answer[mneme_wire::frame::MNEME_OFFSET..]).unwrap();
    assert_eq!((packet.opcode_number(), packet.is_response()), (0x2f, true));
    assert_eq!(packet.epoch_or_status(), Status::Unsupported.number());
    assert_eq!(packet.va().get() >> 40, u64::from(Cause::Opcode.number()));
}
