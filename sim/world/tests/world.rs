//! The simulated world: a seed replays a run, and what is planted is found.
use mneme_clib::{Integrity, PlantedFault as ClientFault};
use mneme_model::SoftFast;
use mneme_model::soft::{BoardShape, PlantedFault};
use mneme_slowpath::PlantedFault as SlowFault;
use mneme_world::{Failure, Plan, Plants, Report, run, run_planted};

/// Small, so that what is freed is soon another's.
const MEMORY: u64 = 16 << 20;
/// Virtual time in which things go wrong.
const CHAOS: u64 = 6_000_000;

fn plan(seed: u64) -> Plan {
    Plan { seed, chaos: CHAOS, only: None }
}

fn board() -> SoftFast {
    SoftFast::new(BoardShape::SIM.with_memory(MEMORY).expect("a legal size")).expect("a legal shape")
}

fn soft(seed: u64, planted: Option<PlantedFault>) -> Result<Report, Failure> {
    let make = move |_| {
        let mut board = board();
        planted.into_iter().for_each(|fault| board.plant(fault));
        board
    };
    run(&plan(seed), Box::new(make))
}

/// Clients whose packets have a CRC-32C, boards that look at no checksum of UDP, and a network that damages both ways.
fn whole(seed: u64) -> Result<Report, Failure> {
    let make = |_| {
        let shape = BoardShape { trailers: true, ..BoardShape::SIM };
        let mut board =
            SoftFast::new(shape.with_memory(MEMORY).expect("a legal size")).expect("a legal shape");
        board.plant(PlantedFault::UdpChecksumIgnored);
        board
    };
    let plants = Plants { integrity: Integrity::Crc32c, ..Plants::default() };
    run_planted(&plan(seed), Box::new(make), plants)
}

/// Without it, [`FAULTS`] has how soon the damage is seen.
#[test]
fn a_crc_finds_the_damage_that_no_checksum_finds() {
    for seed in 1..=12 {
        let report = whole(seed).unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
        assert!(report.done > 100, "seed {seed}: {report:?}");
    }
}

fn slow(seed: u64, fault: SlowFault) -> Result<Report, Failure> {
    let plants = Plants { slow: Box::new(move |slow| slow.plant(fault)), ..Plants::default() };
    run_planted(&plan(seed), Box::new(|_| board()), plants)
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
    (PlantedFault::StaleEpochAccepted, 60),
    (PlantedFault::ReadOnlyWritable, 3),
];

/// What clients can do wrong; what follows from the order of calls must find it.
const CLIENT_FAULTS: &[(ClientFault, u64)] = &[
    (ClientFault::Disorder, 5),
    (ClientFault::FenceIgnored, 2),
    (ClientFault::ReleaseIgnored, 2),
    (ClientFault::LockShared, 2),
    (ClientFault::UnlockOvertakes, 2),
];

fn client(seed: u64, fault: ClientFault) -> Result<Report, Failure> {
    let plants = Plants { client: Box::new(move |client| client.plant(fault)), ..Plants::default() };
    run_planted(&plan(seed), Box::new(|_| board()), plants)
}

#[test]
fn clients_that_do_not_keep_the_order_are_found() {
    // Those of clients of several boards are found elsewhere: clib/tests/lanes.rs, tests/tests/lanes_world.rs.
    assert_eq!(CLIENT_FAULTS.len() + ClientFault::OF_SEVERAL_BOARDS.len(), ClientFault::ALL.len());
    let found = |(fault, seeds): &&(ClientFault, u64)| {
        let found = find(fault, *seeds, |seed| client(seed, *fault).err());
        matches!(found, Some(Failure::Disorder(_)))
    };
    let missed: Vec<_> = CLIENT_FAULTS.iter().filter(|planted| !found(planted)).collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// The same for slow paths; the checker of holdings must find them.
const SLOW_FAULTS: &[(SlowFault, u64)] = &[
    (SlowFault::AnswersForgotten, 3),
    (SlowFault::FreeAgain, 5),
    (SlowFault::OpenAgain, 5),
    (SlowFault::RefusedKept, 2),
    (SlowFault::FreeUncounted, 2),
    (SlowFault::ProtectAnswered, 2),
    (SlowFault::ExitAnswered, 2),
];

/// The first seed that fails, with what it says.
fn find(fault: impl std::fmt::Debug, seeds: u64, run: impl Fn(u64) -> Option<Failure>) -> Option<Failure> {
    let (seed, failure) = (1..=seeds).find_map(|seed| Some((seed, run(seed)?)))?;
    println!("{fault:?}, seed {seed}: {}", failure.to_string().lines().next().unwrap_or_default());
    Some(failure)
}

#[test]
fn planted_faults_are_found() {
    let found = |(fault, seeds): &&(PlantedFault, u64)| {
        find(fault, *seeds, |seed| soft(seed, Some(*fault)).err()).is_some()
    };
    let missed: Vec<_> = FAULTS.iter().filter(|planted| !found(planted)).collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}

#[test]
fn faults_of_slow_paths_are_found() {
    assert_eq!(SLOW_FAULTS.len(), SlowFault::ALL.len());
    let found = |(fault, seeds): &&(SlowFault, u64)| {
        let found = find(fault, *seeds, |seed| slow(seed, *fault).err());
        matches!(found, Some(Failure::Holdings { .. }))
    };
    let missed: Vec<_> = SLOW_FAULTS.iter().filter(|planted| !found(planted)).collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}
