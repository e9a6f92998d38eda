//! Strangers, who forge addresses and have heard packets of others: what they cost the board, and what they take from tenants.
use crate::bench::{ALICE, BOB, Bench, Held};
use mneme_wire::payload::{Alloc, OpenRequest, Rights, SECURE_OPEN_LEN};
use mneme_wire::trailer::{Means, ProcessKey, full_time, upper};
use mneme_wire::{Cause, NodeCounter, Opcode, Pid, Request, Status, Tick, Trailer, Va};

/// An OPEN from the address and port of all others, under the operation id that the next one of them is going to have.
fn take_next_id(bench: &mut Bench, payload: &[u8]) -> Status {
    let request = Request {
        trailer: Trailer::None,
        key_phase: false,
        timed: false,
        opcode: Opcode::Open,
        epoch: bench.info.epoch,
        pid: Pid::NONE,
        op_id: bench.next_id + 1,
        attempt: 0,
        time: Tick::from_low_bits(bench.tick() as u32),
        va: Va::default(),
        length: payload.len() as u16,
    };
    bench.send(Means::None, request, payload).0.status
}

#[test]
fn a_forged_source_takes_no_operation_ids_of_a_tenant() {
    let mut bench = Bench::new(|_| {});
    let alice = bench.process(ALICE);
    let ask = bench.asks(0, OpenRequest::default());
    let (_, bobs) = bench.message(BOB, &ask);
    let plain = OpenRequest::default().to_bytes();
    // Nobody's, and that of a tenant who has another process opened in her place.
    let forged: [(&[u8], Status); 3] = [
        (&plain, Status::Unauthenticated),
        (&[7; SECURE_OPEN_LEN], Status::Unauthenticated),
        (&bobs, Status::Ok),
    ];
    for (payload, told) in forged {
        assert_eq!(take_next_id(&mut bench, payload), told);
        assert_eq!(bench.alloc(&alice, 1).0.status, Status::Ok, "an ALLOC after an OPEN that was {told:?}");
        // Her own OPENs are told apart by what they carry.
        bench.next_id += 1;
        let (_, message) = bench.message(BOB, &ask);
        assert_eq!(take_next_id(&mut bench, &message), Status::Ok);
        let opened = bench.open_as(ALICE, 0, OpenRequest::default());
        assert!(opened.is_ok(), "an OPEN after another one: {opened:?}");
    }
}

/// An ALLOC of a process in the name of another address.
fn alloc_from(bench: &mut Bench, held: &Held, ip: [u8; 4], op_id: u32) -> Status {
    let ask = Alloc::request(1, Rights::READ_WRITE).to_bytes();
    let (now, own) = (bench.tick(), bench.ip);
    let time = Tick::from_low_bits(now as u32);
    let key = ProcessKey::new(held.told.key_of(held.told.phase()).expect("a current key"));
    let means = Means::Tag { key, upper: upper(full_time(now, time)) };
    let request = Request {
        trailer: Trailer::Tag,
        key_phase: held.told.phase(),
        timed: false,
        opcode: Opcode::Alloc,
        epoch: bench.info.epoch,
        pid: held.pid,
        op_id,
        attempt: 0,
        time,
        va: Va::default(),
        length: ask.len() as u16,
    };
    bench.ip = ip;
    let status = bench.send(means, request, &ask).0.status;
    bench.ip = own;
    status
}

#[test]
fn a_tenant_who_forges_an_address_takes_no_ids_of_another_one() {
    let mut bench = Bench::new(|_| {});
    let (alice, bob) = (bench.process(ALICE), bench.process(BOB));
    let (ip, next) = (bench.ip, bench.next_id + 1);
    assert_eq!(alloc_from(&mut bench, &bob, ip, next), Status::Ok);
    assert_eq!(bench.alloc(&alice, 1).0.status, Status::Ok);
}

#[test]
fn opens_of_nobody_leave_the_answers_of_tenants_their_places() {
    // Of sixteen answers one source has four.
    let mut bench = Bench::new(|config| config.limits.answers = 16);
    let alice = bench.process(ALICE);
    let own = bench.ip;
    for last in 0..100 {
        bench.ip = [10, 0, 1, last];
        let payload = [last; SECURE_OPEN_LEN];
        assert_eq!(bench.open_with(0, &payload).0.status, Status::Unauthenticated, "{last}");
        assert_eq!(
            bench.open_with(0, &OpenRequest::default().to_bytes()).0.status,
            Status::Unauthenticated,
            "{last}"
        );
    }
    bench.ip = own;
    assert_eq!(bench.alloc(&alice, 1).0.status, Status::Ok);
    bench.ip = [10, 0, 0, 77];
    bench.open_as(BOB, 0, OpenRequest::default()).expect("there is room for who is somebody");
}

#[test]
fn a_message_that_was_heard_costs_no_more_when_it_is_old() {
    let mut bench = Bench::new(|config| config.limits.unproven_opens = 20);
    let ask = bench.asks(0, OpenRequest::default());
    let (_, heard) = bench.message(ALICE, &ask);
    bench.skip(1 << 21);
    bench.ping();
    bench.ip = [10, 0, 0, 66];
    let mut told = Vec::new();
    for _ in 0..60 {
        let (response, _) = bench.open_with(0, &heard);
        told.push((response.status, response.detail().cause));
    }
    let computed = told.iter().filter(|told| **told == (Status::Unauthenticated, Cause::Clock)).count();
    let waits = told.iter().filter(|told| **told == (Status::Busy, Cause::Queue)).count();
    assert_eq!(computed + waits, 60, "{told:?}");
    assert!((20..=22).contains(&computed), "{computed} handshakes were computed");
    assert_eq!(bench.count(NodeCounter::OpensUnproven), 0, "a tenant has made it");
    bench.ip = [10, 0, 0, 9];
    bench.open_as(ALICE, 0, OpenRequest::default()).expect("others are not concerned");
}
