//! Tenants on the software board: a secure OPEN proves who asks, tags carry on from there, and keys roll without a loss.
mod bench;
mod guests;
mod known;
mod own;
mod strangers;

use bench::{ALICE, BOARD, BOB, Bench, PERIOD, tenants};
use mneme_auth::{SecretKey, TenantList};
use mneme_model::Node;
use mneme_model::soft::{BoardShape, SoftFast};
use mneme_slowpath::{Config, MemoryEpochs};
use mneme_wire::payload::{OpenRequest, SecureOpenRequest};
use mneme_wire::{Cause, NodeCounter, Response, Status, TagMode};

#[test]
fn whoever_proves_nothing_is_told_nothing() {
    let mut bench = Bench::new(|_| {});
    let held = bench.process(ALICE);
    let (pid, token) = (held.pid.get(), held.told.open.token);
    let nobody = |response: Response| {
        assert_eq!((response.status, response.detail().cause), (Status::Unauthenticated, Cause::None));
    };
    // A plain OPEN; an unknown tenant, of a pid that exists, and of one that does not.
    nobody(bench.open_with(0, &OpenRequest::default().to_bytes()).0);
    let join = OpenRequest { join: true, token, ..OpenRequest::default() };
    for (pid, open) in [(0, OpenRequest::default()), (pid, join), (pid + 1, join)] {
        nobody(bench.open_as(77, pid, open).expect_err("refused"));
    }
    // A flipped bit, another pid in the header, a message of another life.
    let ask = bench.asks(0, OpenRequest::default());
    let (_, message) = bench.message(ALICE, &ask);
    let mut damaged = message;
    damaged[200] ^= 1;
    nobody(bench.open_with(0, &damaged).0);
    nobody(bench.open_with(pid, &message).0);
    bench.info.nonce += 1;
    nobody(bench.open_as(ALICE, 0, OpenRequest::default()).expect_err("refused"));
    bench.info.nonce -= 1;
    assert_eq!(bench.count(NodeCounter::OpensUnproven), 6);
    // A tenant who joins is not told whether the process is there, or the token wrong.
    let wrong = OpenRequest { token: [9; 16], ..join };
    for (pid, open) in [(pid, wrong), (pid + 1, join)] {
        let response = bench.open_as(BOB, pid, open).expect_err("refused");
        assert_eq!((response.status, response.detail().cause), (Status::Denied, Cause::Rights));
    }
    assert_eq!(bench.read(&held), Status::Ok);
}

#[test]
fn a_message_opens_once_and_an_old_one_never() {
    let mut bench = Bench::new(|_| {});
    let ask = bench.asks(0, OpenRequest::default());
    let (mut initiator, message) = bench.message(ALICE, &ask);
    let (response, payload) = bench.open_with(0, &message);
    assert_eq!(response.status, Status::Ok);
    initiator.finish(&payload).expect("proven");
    // Under another operation id, and from another address.
    assert_eq!(bench.open_with(0, &message).0.status, Status::Unauthenticated);
    bench.ip = [10, 0, 0, 66];
    assert_eq!(bench.open_with(0, &message).0.status, Status::Unauthenticated);
    assert_eq!(bench.node.slow().inspect(|space| space.process_count()), 1);
    // Kept back for a wrap of the wire's time, and told with a clock that is far ahead.
    let (_, kept) = bench.message(BOB, &ask);
    bench.skip(1 << 24);
    let far = SecureOpenRequest { tick: ask.tick + (3 << 24), ..ask };
    let (_, ahead) = bench.message(BOB, &far);
    for message in [kept, ahead] {
        let response = bench.open_with(0, &message).0;
        assert_eq!((response.status, response.detail().cause), (Status::Unauthenticated, Cause::Clock));
    }
}

#[test]
fn keys_roll_and_who_asks_again_once_a_period_loses_nothing() {
    let mut bench = Bench::new(|_| {});
    let mut held = bench.process(ALICE);
    let old = held;
    let token = held.told.open.token;
    assert_eq!((held.told.phase(), held.told.valid), (false, 1));
    let mut served = 0;
    for step in 0..16 {
        bench.skip(PERIOD / 4);
        if step % 2 == 1 {
            // Twice a period: the same process, the current keys.
            let join = OpenRequest { join: true, token, ..OpenRequest::default() };
            let told = bench.open_as(ALICE, held.pid.get(), join).expect("keys anew");
            assert_eq!((told.open.pid, told.open.token), (held.pid.get(), token));
            let ticks = told.rolls_ns / u64::from(bench.config.ns_per_tick);
            assert!(ticks > 0 && ticks <= u64::from(PERIOD), "{ticks}");
            assert_eq!(told.ends_ns - told.rolls_ns, bench.config.key_period_ns);
            held.told = told;
        }
        served += u32::from(bench.read(&held) == Status::Ok && bench.alloc(&held, 1).0.status == Status::Ok);
    }
    assert_eq!((served, bench.count(NodeCounter::KeyRolls)), (16, 4));
    // Whoever did not is refused, and what he knew is worth nothing any more.
    assert_eq!(bench.read(&old), Status::Unauthenticated);
    bench.ping();
    assert_eq!((bench.info.key_phase, held.told.phase(), held.told.valid), (0, false, 3));
    // A board that slept through many periods has two new keys.
    bench.skip(5 * PERIOD);
    assert_eq!(bench.read(&held), Status::Unauthenticated);
    let join = OpenRequest { join: true, token, ..OpenRequest::default() };
    held.told = bench.open_as(ALICE, held.pid.get(), join).expect("keys anew");
    assert_eq!((bench.read(&held), held.told.phase()), (Status::Ok, true));
}

#[test]
fn a_revoked_tenant_s_processes_end_and_others_stay() {
    let mut bench = Bench::new(|_| {});
    let (alice, bob) = (bench.process(ALICE), bench.process(BOB));
    bench.node.slow().set_tenants(tenants(&[BOB]));
    bench.skip(1);
    bench.node.run(1 << 16);
    assert_eq!((bench.read(&alice), bench.read(&bob)), (Status::Unmapped, Status::Ok));
    assert_eq!(bench.node.slow().inspect(|space| space.process_count()), 1);
    let refused = bench.open_as(ALICE, 0, OpenRequest::default()).expect_err("refused");
    assert_eq!(refused.status, Status::Unauthenticated);
    let counts = [NodeCounter::Revoked, NodeCounter::LeasesExpired].map(|counter| bench.count(counter));
    assert_eq!(counts, [1, 0]);
    bench.node.slow().set_tenants(tenants(&[ALICE, BOB]));
    bench.process(ALICE);
}

#[test]
fn shares_are_of_tenants_wherever_they_ask_from() {
    let mut bench = Bench::new(|config| {
        config.limits.processes = 16;
        config.limits.tenant_pages = Some(3);
    });
    let open = |bench: &mut Bench, secret: u8| {
        let opens = |bench: &mut Bench| {
            // Another address each time.
            bench.ip[3] += 1;
            let opened = bench.open_as(secret, 0, OpenRequest::default());
            opened.map_err(|response| assert_eq!(response.status, Status::Quota)).is_ok()
        };
        (0..8).take_while(|_| opens(bench)).count()
    };
    // A quarter of all; from then on thirds of what is left.
    assert_eq!((open(&mut bench, ALICE), open(&mut bench, BOB)), (4, 3));
    let mut bench = Bench::new(|config| config.limits.tenant_pages = Some(3));
    let held = [bench.process(ALICE), bench.process(ALICE), bench.process(ALICE)];
    bench.ip = [10, 0, 0, 66];
    let (response, _) = bench.alloc(&held[0], 1);
    assert_eq!((response.status, response.detail().cause), (Status::Quota, Cause::QuotaPages));
    let bob = bench.process(BOB);
    assert_eq!(bench.alloc(&bob, 1).0.status, Status::Ok);
}

#[test]
fn quotas_of_a_line_hold_at_once_and_take_nothing_away() {
    let mut bench = Bench::new(|_| {});
    let (alice, bob) = (bench.process(ALICE), bench.process(BOB));
    let page = 1u64 << bench.info.page_bits;
    let with = |alice: &str| {
        let lines = [(ALICE, "alice", alice), (BOB, "bob", "")];
        let mut list = TenantList::default();
        for (secret, name, terms) in lines {
            let key = SecretKey::from_bytes([secret; 32]).public();
            let line = format!("{name} {key} 2026-01-31{terms}");
            list.insert(line.parse().expect("a line")).expect("new");
        }
        list
    };
    let refused = |bench: &mut Bench| {
        let response = bench.alloc(&alice, 1).0;
        (response.status, response.detail().cause)
    };
    // Each process of the bench has a page.
    bench.node.slow().set_tenants(with(&format!(" memory={}", 3 * page - 1)));
    assert_eq!(bench.alloc(&alice, 1).0.status, Status::Ok, "whole pages");
    assert_eq!(refused(&mut bench), (Status::Quota, Cause::QuotaPages));
    assert_eq!(bench.alloc(&bob, 2).0.status, Status::Ok, "another's quota is his own");
    bench.node.slow().set_tenants(with(" memory=0 processes=1"));
    assert_eq!(refused(&mut bench), (Status::Quota, Cause::QuotaPages));
    assert_eq!(bench.read(&alice), Status::Ok, "what she has stays hers");
    let open = |bench: &mut Bench, secret| bench.open_as(secret, 0, OpenRequest::default());
    let refused = open(&mut bench, ALICE).expect_err("she has one");
    assert_eq!((refused.status, refused.detail().cause), (Status::Quota, Cause::Processes));
    open(&mut bench, BOB).expect("opened");
    bench.node.slow().set_tenants(with(""));
    open(&mut bench, ALICE).expect("opened");
}

#[test]
fn a_flood_of_forged_opens_costs_a_bounded_number_of_handshakes() {
    let mut bench = Bench::new(|config| config.limits.unproven_opens = 20);
    let ask = bench.asks(0, OpenRequest::default());
    let (_, mut message) = bench.message(ALICE, &ask);
    let mut statuses = Vec::new();
    for number in 0..60 {
        message[100] = number;
        statuses.push(bench.open_with(0, &message).0.status);
    }
    let computed = statuses.iter().filter(|status| **status == Status::Unauthenticated).count();
    let told_to_wait = statuses.iter().filter(|status| **status == Status::Busy).count();
    assert_eq!((computed + told_to_wait, bench.count(NodeCounter::OpensUnproven)), (60, computed as u64));
    assert!((20..=22).contains(&computed), "{computed}");
    // Others are not concerned, and the source itself a second later no longer.
    bench.ip = [10, 0, 0, 66];
    bench.open_as(BOB, 0, OpenRequest::default()).expect("opened");
    bench.ip = [10, 0, 0, 9];
    bench.skip((1_000_000_000 / u64::from(bench.config.ns_per_tick)) as u32);
    bench.open_as(ALICE, 0, OpenRequest::default()).expect("opened");
}

#[test]
fn a_board_without_a_key_or_without_trailers_serves_none() {
    let mut bench = Bench::new(|config| (config.board_key, config.tag_mode) = (None, TagMode::None));
    assert_eq!(bench.info.key_hint, 0);
    let response = bench.open_as(ALICE, 0, OpenRequest::default()).expect_err("refused");
    assert_eq!((response.status, response.detail().cause), (Status::BadRequest, Cause::Length));
    let bench = Bench::new(|_| {});
    assert_eq!(bench.info.key_hint, BOARD.public().hint());
    let mut fast = SoftFast::new(BoardShape::SIM).expect("a legal shape");
    let config = Config { tag_mode: TagMode::All, ..Node::config(&mut fast, 1, [3; 32]) };
    let refused = Node::boot(fast, config, &mut MemoryEpochs::default()).err().expect("refused").to_string();
    assert!(refused.contains("no trailers"), "{refused}");
}
