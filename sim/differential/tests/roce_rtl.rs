//! The RoCEv2 port of the RTL against the model of a responder, and defects of the model that the comparison must find.
//!
//! For longer runs and to replay a seed: `cargo xtask rdma-differential --help`.
#![cfg(feature = "rdma")]
use mneme_differential::roce::{Plan, Report, run};
use mneme_differential::{Mismatch, boards};
use mneme_rdma::PlantedFault;
use mneme_rdma::responder::Responder;
use mneme_rtl::RtlConfig;

fn planted(plan: &Plan, plant: impl FnOnce(&mut Responder)) -> Result<Report, Mismatch> {
    let mut board = boards::rtl(RtlConfig::Rdma, plan.seed).expect("the board starts");
    run(&mut board, plan, plant)
}

#[test]
fn the_port_agrees_with_the_model() {
    // One seed whose frames come one by one, one with everything that a network does at a tenth, one with pages of 4 KB.
    for seed in [3, 5, 6] {
        let plan = Plan { seed, frames: 2000 };
        let report = planted(&plan, |_| ()).unwrap_or_else(|error| {
            panic!("{error}\nreplay: cargo xtask rdma-differential --seed {seed} --frames {}", plan.frames)
        });
        assert!(report.answers > 500 && report.operations[0] - report.operations[1] > 50, "{report:?}");
        assert!(
            report.dropped > 0 && report.nonsense > 0 && report.commands > 0 && report.memory > 0,
            "{report:?}"
        );
        let [groups, alone] = report.groups;
        assert_eq!(groups == alone, seed == 3, "{report:?}");
        let [freed, lists] = report.freed;
        let of_frames = report.frames_taken > 20 && report.frames_short > 10 && freed > 5 && lists > 20;
        assert_eq!(of_frames, seed == 6, "{report:?}");
    }
}

#[test]
fn every_planted_fault_of_the_model_is_found() {
    // Atomics across a word's ends come too seldom; `roce_attacks` has them.
    use PlantedFault as Fault;
    let faults = [
        Fault::DuplicateWriteExecuted,
        Fault::DuplicateAtomicExecuted,
        Fault::GapAccepted,
        Fault::NotReadyAcknowledged,
        Fault::ReadRestartsAtFirstByte,
        Fault::AtomicLittleEndian,
        Fault::KeyByRow,
        Fault::ForeignRegion,
        Fault::RangeByStart,
        Fault::RightsIgnored,
        Fault::AnySource,
        Fault::HardenedMovesOn,
        Fault::ErrorServed,
    ];
    for fault in faults {
        let found = (1..=12).find_map(|seed| {
            let plan = Plan { seed, frames: 2000 };
            planted(&plan, |responder| responder.plant(fault)).err().map(|error| (seed, error.to_string()))
        });
        let (seed, what) = found.unwrap_or_else(|| panic!("{fault:?} is not found"));
        println!("{fault:?}, seed {seed}: {}", what.lines().next().unwrap_or_default());
    }
}
