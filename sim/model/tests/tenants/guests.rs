//! Guests: tenants who have joined a process that is not theirs, and what they know when they are revoked.
use crate::bench::{ALICE, BOB, Bench, Held, PERIOD, tenants};
use mneme_wire::payload::OpenRequest;
use mneme_wire::{NodeCounter, Status};

/// Bob has joined a process of Alice's and is revoked after so many rolls; how many there have been then.
fn a_revoked_guest(rolls: u64, period_ns: Option<u64>) -> u64 {
    let mut bench = Bench::new(|config| config.key_period_ns = period_ns.unwrap_or(config.key_period_ns));
    // One roll has been, or none will be: so he is told all keys that there are.
    bench.skip(PERIOD);
    let mut alice = bench.process(ALICE);
    let token = alice.told.open.token;
    let join = OpenRequest { join: true, token, ..OpenRequest::default() };
    let told = bench.open_as(BOB, alice.pid.get(), join).expect("he has the token");
    let before = bench.count(NodeCounter::KeyRolls);
    let bob = Held { told, ..alice };
    assert_eq!(bench.read(&bob), Status::Ok);
    for _ in 0..rolls {
        bench.skip(PERIOD);
    }
    bench.node.slow().set_tenants(tenants(&[ALICE]));
    bench.node.run(1 << 12);
    let mut other = bob;
    let open = &mut other.told.open;
    (open.key, other.told.other_key) = (other.told.other_key, open.key);
    open.board.key_phase ^= 1;
    assert_eq!(bench.read(&bob), Status::Unauthenticated);
    if period_ns.is_none() {
        assert_eq!(bench.read(&other), Status::Unauthenticated, "both keys that he was told");
    }
    assert_eq!(
        bench.open_as(BOB, alice.pid.get(), join).expect_err("revoked").status,
        Status::Unauthenticated
    );
    // Alice fetches her keys again, and has all that she had.
    alice.told = bench.open_as(ALICE, alice.pid.get(), join).expect("keys anew");
    assert_eq!((bench.read(&alice), alice.told.valid), (Status::Ok, 3));
    assert_eq!(bench.alloc(&alice, 1).0.status, Status::Ok);
    let rolled = bench.count(NodeCounter::KeyRolls);
    bench.node.slow().set_tenants(tenants(&[ALICE]));
    bench.node.run(1 << 12);
    assert_eq!(bench.count(NodeCounter::KeyRolls), rolled, "once");
    rolled - before
}

#[test]
fn a_revoked_guest_s_keys_end_at_once() {
    assert_eq!(a_revoked_guest(0, None), 2);
    assert_eq!(a_revoked_guest(0, Some(0)), 2, "on a board that never rolls them by itself, too");
    assert_eq!(a_revoked_guest(1, None), 2, "the one that is due anyway counts");
    assert_eq!(a_revoked_guest(3, None), 3, "they have ended by themselves");
}

#[test]
fn keys_are_not_rolled_for_those_who_are_nobody_s_guests() {
    let mut bench = Bench::new(|_| {});
    let (alice, bob) = (bench.process(ALICE), bench.process(BOB));
    let join = OpenRequest { join: true, token: bob.told.open.token, ..OpenRequest::default() };
    bench.open_as(BOB, bob.pid.get(), join).expect("his own");
    bench.node.slow().set_tenants(tenants(&[ALICE]));
    bench.node.run(1 << 12);
    assert_eq!((bench.read(&alice), bench.count(NodeCounter::KeyRolls)), (Status::Ok, 0));
    // After a roll by force the next one is a whole period away.
    bench.node.slow().set_tenants(tenants(&[ALICE, BOB]));
    let join = OpenRequest { join: true, token: alice.told.open.token, ..OpenRequest::default() };
    bench.open_as(BOB, alice.pid.get(), join).expect("he has the token");
    bench.skip(PERIOD / 2);
    bench.node.slow().set_tenants(tenants(&[ALICE]));
    bench.node.run(1 << 12);
    let told = bench.open_as(ALICE, alice.pid.get(), join).expect("keys anew");
    let ticks = told.rolls_ns / u64::from(bench.config.ns_per_tick);
    assert!(ticks <= u64::from(PERIOD) && ticks > u64::from(PERIOD) * 7 / 8, "{ticks}");
}
