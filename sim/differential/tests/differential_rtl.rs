//! The RTL against the golden model: 33,600 frames over four configurations and some over the others, each run with a DRAM and stalls of its own.
//!
//! For longer runs and to replay a seed: `cargo xtask differential --help`.
#![cfg(feature = "rtl")]
use std::collections::BTreeSet;

use mneme_differential::{Beside, Plan, Report, again, boards, run};
use mneme_rtl::RtlConfig;
use mneme_wire::{Cause, Status};

fn check(config: RtlConfig, seed: u64, requests: u64) -> Report {
    let shape = config.shape();
    let mut board = boards::rtl(config, seed).expect("the board starts");
    match run(&mut board, &Plan { shape, seed, requests }) {
        Ok(report) => report,
        Err(error) => panic!("{error}\nreplay: {}", again(Beside::Kept, shape.name, seed, requests)),
    }
}

/// Runs several seeds; what a configuration never shows, the runs have not tested.
fn check_all(config: RtlConfig, seeds: std::ops::Range<u64>, requests: u64, rare: &[(Status, Cause)]) {
    let mut seen = BTreeSet::new();
    let (mut answers, mut timed) = (0, 0);
    for seed in seeds {
        let report = check(config, seed, requests);
        answers += report.answers;
        timed += report.timed;
        seen.extend(report.tally.iter().map(|((_, status, cause), _)| (*status, *cause)));
    }
    assert!(answers > 3 * requests / 2, "only {answers} answers");
    assert!(timed > answers / 16, "only {timed} answers told their time");
    let common = [
        (Status::Ok, Cause::None),
        (Status::Busy, Cause::Pending),
        (Status::Busy, Cause::Clock),
        (Status::Busy, Cause::Hold),
        (Status::Expired, Cause::Window),
        (Status::Stale, Cause::Epoch),
        (Status::Conflict, Cause::None),
        (Status::Unmapped, Cause::None),
        (Status::Denied, Cause::Rights),
        (Status::BadRequest, Cause::Pid),
        (Status::BadRequest, Cause::Length),
        (Status::BadRequest, Cause::Alignment),
        (Status::BadRequest, Cause::Crossing),
        (Status::Unsupported, Cause::Version),
        (Status::Unsupported, Cause::Trailer),
        (Status::Unsupported, Cause::Opcode),
        (Status::Unsupported, Cause::Split),
        (Status::MemoryError, Cause::Parity),
        (Status::MemoryError, Cause::Dram),
        (Status::Moved, Cause::None),
    ];
    for (status, cause) in common.iter().chain(rare) {
        assert!(
            seen.contains(&(status.number(), cause.number())),
            "no run saw {status} for the cause {cause}"
        );
    }
}

/// What only small boards run out of.
const SMALL: &[(Status, Cause)] =
    &[(Status::Busy, Cause::Filter), (Status::Busy, Cause::Fault), (Status::NoMemory, Cause::None)];

#[test]
fn tiny_agrees_with_the_model() {
    check_all(RtlConfig::Tiny, 101..109, 2000, SMALL);
}

#[test]
fn sim_agrees_with_the_model() {
    check_all(RtlConfig::Sim, 201..204, 2000, &[]);
}

#[test]
fn wide_agrees_with_the_model() {
    check_all(RtlConfig::Wide, 301..304, 3600, &[]);
}

#[test]
fn odd_agrees_with_the_model() {
    check_all(RtlConfig::Odd, 401..407, 2000, SMALL);
}

#[cfg(feature = "doors")]
#[test]
fn doors_agree_with_the_model() {
    let results: u64 = (601..604).map(|seed| check(RtlConfig::Doors, seed, 1500).results).sum();
    assert!(results > 1000, "only {results} tokens of the second door ended");
}

/// Its RDMA port hears nothing: what it does to all else is that frames come a cycle later, and that registers have neighbours. Its leaf
/// unit serves segments of 4 KB pages.
#[cfg(feature = "rdma")]
#[test]
fn a_board_with_an_rdma_port_and_a_leaf_unit_agrees_with_the_model() {
    let runs: Vec<Report> =
        [803, 805, 808].into_iter().map(|seed| check(RtlConfig::Rdma, seed, 1000)).collect();
    let sum = |of: fn(&Report) -> u64| runs.iter().map(of).sum::<u64>();
    let (split, segments, framed) = (sum(|run| run.split), sum(|run| run.segments), sum(|run| run.framed));
    assert!(
        split > 300 && segments > 8 && framed > 50,
        "{split} requests to frames of {segments} segments, {framed} frames"
    );
    let seen: BTreeSet<_> =
        runs.iter().flat_map(|run| &run.split_tally).map(|((status, cause), _)| (*status, *cause)).collect();
    for (status, cause) in [
        (Status::Ok, Cause::None),
        (Status::Busy, Cause::Fault),
        (Status::Quota, Cause::QuotaPages),
        (Status::Denied, Cause::Rights),
        (Status::MemoryError, Cause::Parity),
    ] {
        let kind = (status.number(), cause.number());
        assert!(seen.contains(&kind), "no request to a split page was told {status} for the cause {cause}");
    }
}

#[cfg(feature = "zcu106")]
#[test]
fn zcu106_agrees_with_the_model() {
    check(RtlConfig::Zcu106, 501, 400);
}

#[cfg(feature = "tags")]
#[test]
fn trailers_agree_with_the_model() {
    let runs: Vec<Report> = (701..704).map(|seed| check(RtlConfig::Tags, seed, 1500)).collect();
    let seen = |status: Status| {
        let of_status =
            |report: &Report| report.tally.iter().any(|((_, code, _), _)| *code == status.number());
        runs.iter().any(of_status)
    };
    for status in [Status::Ok, Status::Nack, Status::Unauthenticated] {
        assert!(seen(status), "no run saw {status}");
    }
}
