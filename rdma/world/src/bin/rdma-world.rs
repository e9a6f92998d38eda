//! Runs many seeds, and tells the first that goes wrong with the command that runs it again.
use anyhow::{Result, bail};
use clap::Parser;
use mneme_rdma_world::{Plan, Report, run};

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
    let mut all = Report::default();
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
    Ok(())
}
