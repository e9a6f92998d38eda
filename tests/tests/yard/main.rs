//! Hostile and unlucky things that are done to a board, and by one, over and over, in its own time and from a seed: nothing of others changes,
//! nobody sees old bytes, and the board has everything back in the end.
//!
//! `MNEME_MANY=<count>` does each of them so many times on the software board, and a hundredth of it on the RTL, instead of few times.
mod beside;
mod crash;
mod cross;
mod floods;
mod hostile;
mod racing;
mod reused;

use mneme_model::BoardShape;
use mneme_rtl::{RtlConfig, RtlFast};
use mneme_tests::yard::{Ground, Shared, Yard, lock, rtl, soft};

/// All of it is within reach.
const MEMORY: u64 = 16 << 20;

/// A yard around the software board.
fn soft_yard(seed: u64) -> Shared<mneme_model::SoftFast> {
    made(soft(BoardShape::DAEMON, MEMORY), seed)
}

/// And around the RTL.
fn rtl_yard(config: RtlConfig, seed: u64) -> Shared<RtlFast> {
    made(rtl(config, MEMORY, 0.1, seed), seed)
}

fn made<F: Ground>(fast: F, seed: u64) -> Shared<F> {
    Yard::new(fast, seed, 0..0, |config| config.limits.lease_min_ns = 10_000).expect("it comes up").shared()
}

/// How often: a few times, or as often as the environment says.
fn many(few: u64) -> u64 {
    std::env::var("MNEME_MANY").ok().and_then(|count| count.parse().ok()).unwrap_or(few)
}

/// The board has everything back.
#[track_caller]
fn balances<F: Ground>(yard: &Shared<F>) {
    let mut yard = lock(yard);
    yard.heal().expect("the board is up");
    yard.settle().expect("the board is up");
    assert_eq!(yard.balance().wrong(), Vec::<String>::new());
}
