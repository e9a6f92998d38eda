//! Runs many seeds, each with verbs and with ODRP's chains, and tells the first that goes wrong with the command that runs it again.
use anyhow::{Result, bail};
use clap::Parser;
use mneme_rdma_world::{ChainPlan, ChainReport, Plan, Report, run, run_chains};

/// Requesters and a responder in virtual time, one world a seed.
#[derive(Parser)]
#[command(name = "rdma-world")]
struct Options {
    /// The first seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seeds
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    seeds: u64,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let Some(end) = options.seed.checked_add(options.seeds) else { bail!("seeds end at {}", u64::MAX) };
    let (mut all, mut chains) = (Report::default(), ChainReport::default());
    for seed in options.seed..end {
        match run(&Plan::of(seed)) {
            Ok(report) => {
                all.operations += report.operations;
                all.notified += report.notified;
                all.dropped += report.dropped;
                all.forged += report.forged;
                all.hardened += report.hardened;
                all.network.sent += report.network.sent;
                all.network.lost += report.network.lost;
                all.network.doubled += report.network.doubled;
                all.network.late += report.network.late;
                all.network.damaged += report.network.damaged;
                all.seen.sent_again += report.seen.sent_again;
                all.seen.not_ready += report.seen.not_ready;
            }
            Err(failure) => {
                bail!("seed {seed}: {failure}\nagain with `cargo xtask rdma-sim --seed {seed} --seeds 1`")
            }
        }
        match run_chains(&ChainPlan::of(seed)) {
            Ok(report) => add(&mut chains, &report),
            Err(failure) => {
                bail!(
                    "seed {seed}, chains: {failure}\nagain with `cargo xtask rdma-sim --seed {seed} --seeds 1`"
                )
            }
        }
    }
    let net = all.network;
    println!("seeds {} to {}: every operation took effect once, every byte was right", options.seed, end - 1);
    println!("operations {}, packets sent again {}", all.operations, all.seen.sent_again);
    println!(
        "frames {}: lost {}, doubled {}, late {}, damaged {} ({} dropped by a check)",
        net.sent, net.lost, net.doubled, net.late, net.damaged, all.dropped
    );
    println!("forged {}, of them dropped by hardened queue pairs {}", all.forged, all.hardened);
    println!("not ready {}, congestion notifications {}", all.seen.not_ready, all.notified);
    print_chains(&chains);
    Ok(())
}

fn add(all: &mut ChainReport, report: &ChainReport) {
    all.operations += report.operations;
    all.executed += report.executed;
    all.network.sent += report.network.sent;
    all.network.lost += report.network.lost;
    let (all, node) = (&mut all.node, &report.node);
    all.loads += node.loads;
    all.mapped_stores += node.mapped_stores;
    all.unmapped_stores += node.unmapped_stores;
    all.freed += node.freed;
    all.ring_empty += node.ring_empty;
    all.budget_spent += node.budget_spent;
    all.looked_up_again += node.looked_up_again;
}

fn print_chains(chains: &ChainReport) {
    let node = &chains.node;
    println!("chains: tables, queue of free pages and clients' memory were those of the paper's node");
    println!(
        "requests {}: loads {}, mapped stores {}, unmapped stores {}, pages given up {}",
        chains.operations, node.loads, node.mapped_stores, node.unmapped_stores, node.freed
    );
    println!(
        "frames {}, lost {}; no free page {}, budget spent {}, replies looked up again {}",
        chains.network.sent, chains.network.lost, node.ring_empty, node.budget_spent, node.looked_up_again
    );
}
