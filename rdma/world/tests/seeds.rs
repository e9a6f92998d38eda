//! Seeds, and defects that they find.
use mneme_rdma::PlantedFault;
use mneme_rdma::requester::Failure as Refusal;
use mneme_rdma_world::{Failure, Plan, Plants, Rates, run, run_planted};

/// What CI runs: always the same seeds.
const SEEDS: u64 = 200;
/// Seeds in which a defect must show.
const SEEDS_TO_FIND: u64 = 60;

#[test]
fn every_operation_takes_effect_once_whatever_the_network_does() {
    let (mut operations, mut again, mut damaged, mut not_ready, mut notified) = (0, 0, 0, 0, 0);
    for seed in 1..=SEEDS {
        let report = run(&Plan::of(seed)).unwrap_or_else(|failure| {
            panic!("{failure}; again with `cargo xtask rdma-sim --seed {seed} --seeds 1`")
        });
        operations += report.operations;
        again += report.seen.sent_again;
        damaged += report.network.damaged;
        not_ready += report.seen.not_ready;
        notified += report.notified;
    }
    // The seeds are always the same: each of the things that can happen has happened often.
    assert!(operations > 10_000 && again > 5_000, "{operations} operations, {again} packets sent again");
    assert!(damaged > 1_000 && not_ready > 300 && notified > 100, "{damaged}, {not_ready}, {notified}");
}

#[test]
fn a_seed_replays_and_a_sound_network_has_nothing_sent_again() {
    for seed in 1..=SEEDS_TO_FIND {
        let plan = sound(seed);
        let report = run(&plan).unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
        let lost = (
            report.network.lost,
            report.dropped,
            report.seen.timeouts,
            report.seen.gaps,
            report.seen.implied_gaps,
        );
        assert_eq!(lost, (0, 0, 0, 0, 0), "seed {seed}");
        assert_eq!(run(&plan), Ok(report));
    }
    let chaos = Plan::of(3);
    assert_eq!(run(&chaos), run(&chaos));
}

/// The seed's plan with nothing in its way.
fn sound(seed: u64) -> Plan {
    Plan { rates: Rates::NONE, not_ready: 0.0, forgeries: 0.0, ..Plan::of(seed) }
}

#[test]
fn forged_packets_have_no_effect_on_hardened_queue_pairs_and_end_others() {
    let (mut forged, mut hardened, mut ended) = (0, 0, 0);
    for seed in 1..=SEEDS_TO_FIND {
        let plan = Plan { forgeries: 0.1, hardened: true, ..Plan::of(seed) };
        let report = run(&plan).unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
        forged += report.forged;
        hardened += report.hardened;
        let bare = run(&Plan { hardened: false, ..plan });
        ended += u64::from(matches!(bare, Err(Failure::Operation { failure: Refusal::Refused(_), .. })));
    }
    assert!(forged > 1_000 && hardened > 100, "{forged} forged, {hardened} dropped");
    assert!(ended > SEEDS_TO_FIND / 2, "{ended} of {SEEDS_TO_FIND}");
}

fn requester(fault: PlantedFault) -> Plants {
    Plants { requester: Some(Box::new(move |requester| requester.plant(fault))), ..Plants::default() }
}

fn responder(fault: PlantedFault) -> Plants {
    Plants { responder: Some(Box::new(move |responder| responder.plant(fault))), ..Plants::default() }
}

/// The first seed that finds a defect, and what it found.
fn found(plants: &Plants) -> Option<(u64, Failure)> {
    (1..=SEEDS_TO_FIND).find_map(|seed| {
        let chaos = run_planted(&Plan::of(seed), plants).err();
        let found = chaos.or_else(|| run_planted(&sound(seed), plants).err());
        Some((seed, found?))
    })
}

#[test]
fn every_planted_fault_is_found() {
    use PlantedFault::*;
    let responders = [
        DuplicateWriteExecuted,
        DuplicateAtomicExecuted,
        AcknowledgeOvertakes,
        GapAccepted,
        NotReadyAcknowledged,
        ReadRestartsAtFirstByte,
        AtomicLittleEndian,
    ];
    let requesters = [
        AcknowledgeCompletesRead,
        GoesBackTooLittle,
        DuplicateResponseAccepted,
        NoWrap,
        NotReadyIgnored,
        NeverAgain,
        FenceIgnored,
    ];
    let mut all: Vec<(String, Plants)> = Vec::new();
    all.extend(responders.map(|fault| (format!("{fault:?}"), responder(fault))));
    all.extend(requesters.map(|fault| (format!("{fault:?}"), requester(fault))));
    all.push(("TrustingFrames".to_owned(), Plants { trusting: true, ..Plants::default() }));
    let mut missed = Vec::new();
    for (name, plants) in all {
        match found(&plants) {
            Some((seed, failure)) => println!("{name}: seed {seed}: {failure}"),
            None => missed.push(name),
        }
    }
    assert!(missed.is_empty(), "not found in {SEEDS_TO_FIND} seeds: {missed:?}");
}
