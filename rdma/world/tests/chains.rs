//! Seeds of ODRP's clients beside the paper's node, and defects that they find.
use mneme_rdma::PlantedFault;
use mneme_rdma_world::{ChainPlan, Failure, run_chains, run_chains_planted};

/// What CI runs: always the same seeds.
const SEEDS: u64 = 200;

#[test]
fn tables_queue_and_memory_are_those_of_the_papers_node_whatever_the_network_does() {
    let mut all = (0, 0, 0, 0, 0, 0);
    for seed in 1..=SEEDS {
        let report = run_chains(&ChainPlan::of(seed)).unwrap_or_else(|failure| {
            panic!("{failure}; again with `cargo xtask rdma-sim --seed {seed} --seeds 1`")
        });
        let node = report.node;
        all.0 += node.loads;
        all.1 += node.mapped_stores;
        all.2 += node.unmapped_stores;
        all.3 += node.freed;
        all.4 += node.ring_empty + node.budget_spent;
        all.5 += node.looked_up_again;
        assert!(report.executed >= report.operations as u64, "seed {seed}");
    }
    // The seeds are always the same: everything that can happen has happened often.
    let (loads, mapped, unmapped, freed, short, again) = all;
    println!(
        "loads {loads}, mapped {mapped}, unmapped {unmapped}, freed {freed}, short {short}, again {again}"
    );
    assert!(loads > 2_000 && mapped > 2_000 && unmapped > 2_000 && freed > 1_500, "{all:?}");
    assert!(short > 200 && again > 200, "{all:?}");
}

#[test]
fn a_seed_replays() {
    for seed in [3, 17, 40] {
        let plan = ChainPlan::of(seed);
        assert_eq!(run_chains(&plan), run_chains(&plan), "seed {seed}");
    }
}

/// The first seed that finds a defect of the node, and what it found.
fn found(fault: PlantedFault) -> Option<(u64, Failure)> {
    (1..=60).find_map(|seed| {
        let failure = run_chains_planted(&ChainPlan::of(seed), &|node| node.plant(fault)).err()?;
        Some((seed, failure))
    })
}

#[test]
fn planted_faults_are_found() {
    use PlantedFault::*;
    for fault in [GapAccepted, NotReadyAcknowledged] {
        let found = found(fault);
        println!("{fault:?}: {found:?}");
        assert!(found.is_some(), "{fault:?}");
    }
}
