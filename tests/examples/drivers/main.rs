//! Ping-pong of datagrams over a veth cable: every driver beside plain UDP sockets with one system call per packet.
//!
//! Both ends are threads of this process, each in its network namespace and on its processor. Rounds measure every way once,
//! in an order that changes, so that what disturbs the machine disturbs all alike; figures are means over the rounds with
//! 95% confidence intervals (Student's t), ratios are of the same round.
mod echo;
mod report;
mod ways;

use anyhow::{Context, Result};
use clap::Parser;
use mneme_tests::rig::veth::Veth;
use std::path::PathBuf;
use ways::Way;

/// Bytes of a datagram.
const BYTES: usize = 1024;

#[derive(Debug, Parser)]
struct Options {
    /// Rounds; each measures every way once
    #[arg(long, default_value_t = 10)]
    rounds: usize,
    /// Milliseconds per measurement
    #[arg(long, default_value_t = 200)]
    milliseconds: u64,
    /// Datagrams outstanding
    #[arg(long, value_delimiter = ',', default_values_t = [1, 16])]
    depths: Vec<usize>,
    /// Both ends on one processor, where they have to take turns
    #[arg(long)]
    one_processor: bool,
    /// Where to write the figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let mut results = Vec::new();
    for &depth in &options.depths {
        let mut rates: Vec<(Way, Vec<f64>, Option<String>)> =
            Way::all().into_iter().map(|way| (way, Vec::new(), None)).collect();
        for round in 0..options.rounds {
            let count = rates.len();
            for step in 0..count {
                let (way, rates, failed) = &mut rates[(round + step) % count];
                if failed.is_some() {
                    continue;
                }
                match measure(*way, depth, &options) {
                    Ok(rate) => rates.push(rate),
                    Err(error) => *failed = Some(format!("{error:#}")),
                }
            }
        }
        results.extend(rates.into_iter().map(|(way, rates, failed)| report::Row {
            way,
            depth,
            rates,
            failed,
        }));
    }
    let figures = report::Figures::of(&results);
    println!("{figures}");
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(&figures)?;
        std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

/// Round trips per second of one way, on a fresh cable.
fn measure(way: Way, depth: usize, options: &Options) -> Result<f64> {
    let veth = Veth::new().context("network namespaces need root and the program `ip` (Debian: iproute2)")?;
    let board_processor = usize::from(!options.one_processor);
    echo::with(&veth, way, board_processor, || {
        ways::ping_pong(&veth, way, depth, std::time::Duration::from_millis(options.milliseconds))
    })
}
