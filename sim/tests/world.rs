//! The simulated world: a seed replays a run, and what is planted is found.
use mneme_sim::SoftFast;
use mneme_sim::soft::{BoardShape, PlantedFault};
use mneme_sim::world::{Failure, Plan, Report, run, run_planted};

/// Small, so that what is freed is soon another's.
const MEMORY: u64 = 16 << 20;
/// Virtual time in which things go wrong.
const CHAOS: u64 = 3_000_000;

fn plan(seed: u64) -> Plan {
    Plan { seed, chaos: CHAOS, only: None }
}

fn soft(seed: u64, planted: Option<PlantedFault>) -> Result<Report, Failure> {
    let make = move |_| {
        let mut board =
            SoftFast::new(BoardShape::SIM.with_memory(MEMORY).expect("a legal size")).expect("a legal shape");
        planted.into_iter().for_each(|fault| board.plant(fault));
        board
    };
    run(&plan(seed), Box::new(make))
}

#[test]
fn one_seed_replays_a_run() {
    let [first, again, other] = [3, 3, 4].map(|seed| soft(seed, None).expect("a sound board"));
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert!(first.done > 200, "{first:?}");
}

/// What clients can notice, and how many seeds it may take.
const FAULTS: &[(PlantedFault, u64)] = &[
    (PlantedFault::FilterIgnored, 10),
    (PlantedFault::WindowOff, 40),
    (PlantedFault::PageNotZeroed, 20),
    (PlantedFault::NoShootDown, 20),
    (PlantedFault::LengthOffByOne, 3),
    (PlantedFault::UdpChecksumIgnored, 40),
    (PlantedFault::AtomicAnswersNew, 5),
    (PlantedFault::CompareIgnored, 5),
    (PlantedFault::StaleEpochAccepted, 40),
];

/// Clients whose calls do not wait for those that they depend on.
#[test]
fn calls_out_of_order_are_found() {
    let board = || SoftFast::new(BoardShape::SIM.with_memory(MEMORY).expect("a legal size"));
    let run = |seed| {
        let plant = Box::new(mneme_clib::Client::plant_disorder);
        run_planted(&plan(seed), Box::new(move |_| board().expect("a legal shape")), plant)
    };
    let found = (1..=5).find_map(|seed| run(seed).err());
    println!("{found:?}");
    assert!(matches!(found, Some(Failure::Disorder(_))), "{found:?}");
}

#[test]
fn planted_faults_are_found() {
    let missed: Vec<_> = FAULTS
        .iter()
        .filter(|(fault, seeds)| {
            let found = (1..=*seeds).find_map(|seed| Some((seed, soft(seed, Some(*fault)).err()?)));
            if let Some((seed, failure)) = &found {
                let what = failure.to_string();
                println!("{fault:?}, seed {seed}: {}", what.lines().next().unwrap_or_default());
            }
            found.is_none()
        })
        .collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}
