//! The RoCEv2 port of the RTL against the model of a responder, and defects of the model that the comparison must find.
//!
//! For longer runs and to replay a seed: `cargo xtask rdma-differential --help`.
#![cfg(feature = "rdma")]
use mneme_differential::roce::{Plan, Plants, Report, Wrong, run};
use mneme_differential::{Mismatch, boards};
use mneme_rdma::PlantedFault;
use mneme_rtl::RtlConfig;

/// All of these where there is time, else each third one: a fault tells what the comparison is worth, which changes with that alone.
fn some<T>(all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let step = if std::env::var_os("MNEME_ATTACKS").is_some_and(|attacks| attacks == "all") { 1 } else { 3 };
    all.into_iter().step_by(step)
}

fn planted(plan: &Plan, plant: impl FnOnce(&mut Plants<'_>)) -> Result<Report, Mismatch> {
    let mut board = boards::rtl(RtlConfig::Rdma, plan.seed).expect("the board starts");
    run(&mut board, plan, plant)
}

#[test]
fn the_port_agrees_with_the_model() {
    // One seed whose frames come one by one, and one with chains that has few frames. Where there is time one with everything that a network
    // does at a tenth, one with pages of 4 KB, and another one with chains, which others of `cargo xtask rdma-differential` are, too.
    for seed in some([3, 5, 6, 4, 8]) {
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
        let of_frames = report.frames_taken > 20 && freed > 3 && lists > 20;
        assert_eq!(of_frames, [4, 6, 8].contains(&seed), "{report:?}");
        assert_eq!(report.frames_short > 10, [4, 6].contains(&seed), "{report:?}");
        let chains = report.chains;
        let of_chains = chains.messages.iter().all(|count| *count > 20) && chains.replies[0] > 100;
        assert_eq!(of_chains, seed % 4 == 0, "{report:?}");
        assert!(
            seed % 4 != 0
                || chains.refused[0] > 5 && chains.rights > 0 && chains.strange > 10 && chains.answers > 20,
            "{report:?}"
        );
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
    for fault in some(faults) {
        // Some come in few runs: of the first twelve none finds `RangeByStart`.
        let found = (1..=48).find_map(|seed| {
            let plan = Plan { seed, frames: 2000 };
            planted(&plan, |plants| plants.responder.plant(fault))
                .err()
                .map(|error| (seed, error.to_string()))
        });
        let (seed, what) = found.unwrap_or_else(|| panic!("{fault:?} is not found"));
        println!("{fault:?}, seed {seed}: {}", what.lines().next().unwrap_or_default());
    }
}

/// The seed at which a planted fault is found, of those with chains.
fn found(frames: u64, plant: impl Fn(&mut Plants<'_>)) -> Option<(u64, String)> {
    (1..=6).map(|number| 4 * number).find_map(|seed| {
        let plan = Plan { seed, frames };
        planted(&plan, &plant).err().map(|error| (seed, error.to_string()))
    })
}

#[test]
fn every_fault_of_chains_and_of_what_is_expected_of_them_is_found() {
    use PlantedFault as Fault;
    for wrong in some([
        Wrong::PageByte,
        Wrong::ReplyLost,
        Wrong::ReplyByte,
        Wrong::RepliesSwapped,
        Wrong::AcknowledgeLost,
        Wrong::FrameLost,
        Wrong::Count,
    ]) {
        let (seed, what) = found(500, |plants| *plants.wrong = Some(wrong))
            .unwrap_or_else(|| panic!("{wrong:?} is not found"));
        println!("{wrong:?}, seed {seed}: {}", what.lines().next().unwrap_or_default());
    }
    // Nothing is freed here while a reply reads its frame, as the model sends each reply at once. So *FreedAtOnce* could not show: the model's
    // own tests of that race plant it (`rdma/tests/node`), and `FrameEpochsProof` has the hardware's part.
    for fault in some([
        Fault::RepeatKeepsFrame,
        Fault::MappedFrameLost,
        Fault::BudgetIgnored,
        Fault::EntryKept,
        Fault::TableWraps,
        Fault::SecretIgnored,
        Fault::RepliesUnbounded,
    ]) {
        let (seed, what) = found(2000, |plants| plants.leaf.plant(fault))
            .unwrap_or_else(|| panic!("{fault:?} is not found"));
        println!("{fault:?}, seed {seed}: {}", what.lines().next().unwrap_or_default());
    }
}
