//! Pids of ended processes, whose keys those know who had them.
use crate::bench::{ALICE, BOB, Bench, Held, PERIOD};
use mneme_wire::payload::OpenRequest;
use mneme_wire::trailer::Means;
use mneme_wire::{Cause, Opcode, Pid, Response, Status, TagMode, Va};

/// Longer than a pid rests.
const REST: u32 = PERIOD / 8;
/// Rolls after which no key counts that was told before.
const ROLLS: u32 = 3;

fn wants(bench: &mut Bench, secret: u8, pid: u32) -> Result<Held, (Status, Cause)> {
    let why = |response: Response| (response.status, response.detail().cause);
    let told = bench.open_as(secret, pid, OpenRequest::default()).map_err(why)?;
    assert_eq!(told.open.pid, pid);
    Ok(Held { pid: Pid::from_low_bits(pid), told, va: Default::default() })
}

/// Bob opens and ends processes whose pids are to be Alice's soon.
#[test]
fn nobody_is_given_a_pid_whose_keys_another_tenant_knows() {
    let mut bench = Bench::new(|_| {});
    let first = bench.process(ALICE).pid.get();
    let laid: Vec<Held> =
        (1..=4).map(|ahead| wants(&mut bench, BOB, first + ahead).expect("nobody's")).collect();
    for held in &laid {
        assert_eq!(bench.ends(held, 0), (Status::Ok, Cause::None));
    }
    bench.skip(REST);
    let denied = (Status::Denied, Cause::Pid);
    for held in &laid {
        let next = bench.process(ALICE);
        assert!(laid.iter().all(|known| known.pid != next.pid), "{} is Bob's to read", next.pid.get());
        assert_eq!(wants(&mut bench, ALICE, held.pid.get()).map(drop).expect_err("known to Bob"), denied);
        // The keys that Bob still has serve nothing of hers.
        let forged = Held { va: next.va, ..*held };
        assert_ne!(bench.read(&forged), Status::Ok);
    }
    // His own he may have again.
    let again = wants(&mut bench, BOB, laid[0].pid.get()).expect("his own");
    assert_eq!(bench.ends(&again, 0), (Status::Ok, Cause::None));
    for _ in 0..ROLLS {
        assert_eq!(wants(&mut bench, ALICE, laid[1].pid.get()).map(drop).expect_err("not yet"), denied);
        bench.skip(PERIOD);
    }
    let hers = wants(&mut bench, ALICE, laid[1].pid.get()).expect("nobody knows its keys any more");
    let forged = Held { va: hers.va, ..laid[1] };
    assert_eq!(bench.read(&forged), Status::Unauthenticated);
}

/// A guest knows the keys, too: the pid is then nobody's, not even its tenant's.
#[test]
fn a_pid_that_a_guest_has_joined_is_nobody_s_until_its_keys_have_ended() {
    let mut bench = Bench::new(|_| {});
    let alice = bench.process(ALICE);
    let join = OpenRequest { join: true, token: alice.told.open.token, ..OpenRequest::default() };
    bench.open_as(BOB, alice.pid.get(), join).expect("he has the token");
    assert_eq!(bench.ends(&alice, 0), (Status::Ok, Cause::None));
    bench.skip(REST);
    for secret in [ALICE, BOB] {
        let refused = wants(&mut bench, secret, alice.pid.get()).map(drop).expect_err("both know its keys");
        assert_eq!(refused, (Status::Denied, Cause::Pid));
    }
    bench.skip(ROLLS * PERIOD);
    wants(&mut bench, BOB, alice.pid.get()).expect("they have ended");
}

/// Who opens and ends processes without end uses up no pids: beyond as many as may be open at once he gets his oldest back.
#[test]
fn a_tenant_who_has_had_many_pids_gets_his_own_back() {
    // Keys that are never rolled never end.
    let mut bench = Bench::new(|config| (config.limits.processes, config.key_period_ns) = (16, 0));
    let mut pids = Vec::new();
    for _ in 0..50 {
        let held = bench.process(BOB);
        assert_eq!(bench.ends(&held, 0), (Status::Ok, Cause::None));
        pids.push(held.pid.get());
        bench.skip(REST);
    }
    assert!(pids[16..].iter().zip(&pids).all(|(again, before)| again == before), "the oldest: {pids:?}");
    pids.truncate(16);
    let refused = wants(&mut bench, BOB, pids[15] + 7).map(drop).expect_err("he has had enough others");
    assert_eq!(refused, (Status::Denied, Cause::Pid));
    wants(&mut bench, BOB, pids[3]).expect("one of his own");
    let alice = bench.process(ALICE).pid.get();
    assert!(!pids.contains(&alice));
}

/// Where nobody proves himself no keys are told, and a pid is anybody's once it has rested.
#[test]
fn without_tags_a_pid_is_anybody_s_again() {
    let mut bench = Bench::new(|config| config.tag_mode = TagMode::None);
    let open = |bench: &mut Bench, join: bool, token| {
        let payload = OpenRequest { join, token, ..OpenRequest::default() }.to_bytes();
        bench.ask(Means::None, Opcode::Open, Pid::from_low_bits(5), Va::default(), 112, &payload)
    };
    for last in 9..12 {
        bench.ip = [10, 0, 0, last];
        let (opened, told) = open(&mut bench, false, [0; 16]);
        assert_eq!(opened.status, Status::Ok, "of {last}");
        let token = mneme_wire::payload::OpenAnswer::parse(&told).expect("an OPEN's layout").token;
        // Another address joins.
        bench.ip = [10, 0, 0, last + 100];
        assert_eq!(open(&mut bench, true, token).0.status, Status::Ok);
        let (ended, _) = bench.ask(Means::None, Opcode::Exit, Pid::from_low_bits(5), Va::default(), 0, &[]);
        assert_eq!(ended.status, Status::Ok);
        bench.skip(REST);
    }
}
