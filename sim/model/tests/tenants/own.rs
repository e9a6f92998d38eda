//! What a tenant sees and ends: his own processes, in the name of one of them.
use crate::bench::{ALICE, BOB, Bench, Held};
use mneme_wire::payload::{OpenRequest, ProcessesRequest, STANDING_LEASE_NS};
use mneme_wire::trailer::Means;
use mneme_wire::{Cause, Opcode, Pid, Response, Status, TagMode, Va};

#[test]
fn a_tenant_sees_and_ends_his_own_processes_in_the_name_of_one() {
    let mut bench = Bench::new(|_| {});
    let [one, two] = [bench.process(ALICE), bench.process(ALICE)];
    bench.ip = [10, 0, 0, 66];
    let (three, bob) = (bench.process(ALICE), bench.process(BOB));
    let [first, second, third] = [one, two, three].map(|held| held.pid.get());
    assert_eq!(bench.listed(&two), Ok(vec![first, second, third]), "from wherever they were opened");
    assert_eq!(bench.listed(&bob), Ok(vec![bob.pid.get()]));
    // Another tenant's, one that nobody has, and what is no pid at all: nobody is told which.
    let nobody = (Status::BadRequest, Cause::Pid);
    for pid in [bob.pid.get(), bob.pid.get() + 1] {
        assert_eq!(bench.ends(&one, pid.into()), nobody);
    }
    assert_eq!(bench.ends(&one, 1 << 24), (Status::BadRequest, Cause::Address));
    assert_eq!(bench.read(&bob), Status::Ok);
    assert_eq!(bench.ends(&one, third.into()), (Status::Ok, Cause::None));
    assert_eq!(bench.read(&three), Status::Unmapped);
    assert_eq!(bench.ends(&one, third.into()), nobody, "once");
    // The pid without the key: the fast path lets nothing of it in.
    let forged = Held { pid: two.pid, ..bob };
    assert_eq!(bench.listed(&forged), Err((Status::Unauthenticated, Cause::None)));
    assert_eq!(bench.ends(&forged, first.into()), (Status::Unauthenticated, Cause::None));
    assert_eq!(bench.ends(&two, second.into()), (Status::Ok, Cause::None), "itself");
    assert_eq!(bench.listed(&two), Err(nobody), "it has no process any more");
    assert_eq!(bench.listed(&one), Ok(vec![first]));
}

#[test]
fn a_process_that_others_have_joined_stands_for_itself_alone() {
    let mut bench = Bench::new(|_| {});
    let [one, two] = [bench.process(ALICE), bench.process(ALICE)];
    let join = OpenRequest { join: true, token: two.told.open.token, ..OpenRequest::default() };
    bench.open_as(ALICE, two.pid.get(), join).expect("she may");
    assert_eq!(bench.listed(&two), Ok(vec![one.pid.get(), two.pid.get()]), "she is nobody else");
    let told = bench.open_as(BOB, two.pid.get(), join).expect("he has the token");
    let guest = Held { told, ..two };
    for held in [guest, two] {
        assert_eq!(bench.listed(&held), Ok(vec![two.pid.get()]));
        assert_eq!(bench.ends(&held, one.pid.get().into()), (Status::Denied, Cause::Rights));
    }
    assert_eq!((bench.read(&one), bench.read(&guest)), (Status::Ok, Status::Ok));
    assert_eq!(bench.ends(&one, two.pid.get().into()), (Status::Ok, Cause::None), "hers all the same");
    assert_eq!(bench.read(&guest), Status::Unmapped);
}

#[test]
fn without_a_tag_an_exit_ends_the_process_that_it_names_and_no_other() {
    let mut bench = Bench::new(|config| config.tag_mode = TagMode::None);
    let [one, two] = [bench.process(ALICE), bench.process(ALICE)];
    let va = Va::from_low_bits(two.pid.get().into());
    let (response, _) = bench.ask(Means::None, Opcode::Exit, one.pid, va, 0, &[]);
    assert_eq!((response.status, response.detail().cause), (Status::BadRequest, Cause::Address));
    let ask = ProcessesRequest { after: 0, count: 1 };
    let mut payload = vec![0; ask.payload_len()];
    ask.emit(None, &mut payload);
    let length = payload.len() as u16;
    let (response, _) = bench.ask(Means::None, Opcode::Processes, one.pid, Va::default(), length, &payload);
    assert_eq!((response.status, response.detail().cause), (Status::BadRequest, Cause::Pid));
    assert_eq!(bench.listed(&one), Ok(vec![one.pid.get(), two.pid.get()]), "a tag is worth it in any mode");
}

#[test]
fn who_has_his_share_of_processes_may_have_one_more_to_end_some() {
    let mut bench = Bench::new(|config| config.limits.processes = 16);
    let short = OpenRequest { lease_ns: STANDING_LEASE_NS, ..OpenRequest::default() };
    let all: Vec<Held> = (0..4).map(|_| bench.process(ALICE)).collect();
    let quota = |response: Response| assert_eq!(response.status, Status::Quota);
    quota(bench.open_as(ALICE, 0, OpenRequest::default()).expect_err("she has her share"));
    let longer = OpenRequest { lease_ns: STANDING_LEASE_NS + 1, ..OpenRequest::default() };
    quota(bench.open_as(ALICE, 0, longer).expect_err("that is no short while"));
    let told = bench.open_as(ALICE, 0, short).expect("one");
    quota(bench.open_as(ALICE, 0, short).expect_err("one, not two"));
    let standing = Held { pid: Pid::from_low_bits(told.open.pid), told, va: Va::default() };
    assert_eq!(bench.listed(&standing).expect("told").len(), 5);
    for held in &all {
        assert_eq!(bench.ends(&standing, held.pid.get().into()), (Status::Ok, Cause::None));
    }
    assert_eq!(bench.listed(&standing), Ok(vec![told.open.pid]));
}
