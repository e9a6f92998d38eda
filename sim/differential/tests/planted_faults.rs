//! The differential test can fail: it finds each planted fault of the software board within a bounded number of requests.
use mneme_differential::{Plan, RunError, run};
use mneme_model::BuildStamp;
use mneme_model::soft::{BoardShape, PlantedFault, SoftFast};

/// Requests until a fault must have been found.
const REQUESTS: u64 = 6000;
/// Seeds that are tried: what a run can find depends on what its window, its pages and its changes happen to be. Two are found by the fourth and the sixth.
const SEEDS: u64 = 200;

/// The number of the run that finds the fault, and what it says.
fn found(fault: PlantedFault) -> Option<(u64, String)> {
    let shape = BoardShape { traffic: fault.of_doors(), ..BoardShape::TINY };
    (1..=SEEDS).find_map(|seed| {
        let mut board = SoftFast::new(shape).expect("a legal shape");
        board.set_stamp(BuildStamp { hash: 0x1234_5678, date: 1_700_000_000 });
        board.plant(fault);
        match run(&mut board, &Plan { shape, seed, requests: REQUESTS }) {
            Ok(_) => None,
            Err(RunError::Mismatch(mismatch)) => Some((seed, mismatch.to_string())),
            Err(error @ RunError::Shape(_)) => panic!("{error}"),
        }
    })
}

#[test]
fn every_planted_fault_is_found() {
    let missed: Vec<_> = PlantedFault::ALL
        .iter()
        .filter(|fault| match found(**fault) {
            Some((seed, what)) => {
                println!("{fault:?}, seed {seed}: {}", what.lines().next().unwrap_or_default());
                false
            }
            None => true,
        })
        .collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}
