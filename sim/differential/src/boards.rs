//! The boards under test, with surroundings drawn from the seed.
use mneme_model::port::BuildStamp;
use mneme_model::soft::{BoardShape, ShapeError, SoftFast, Timing};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::spoil::pick;

/// Surroundings must not follow from the same numbers as the requests.
fn random(seed: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(1);
    rng
}

/// What is tied to the board. Its numbers are apart from all others, so that these stay what they were without it.
fn stamp(seed: u64) -> BuildStamp {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(2);
    BuildStamp { hash: rng.random(), date: rng.random() }
}

/// The software board with timings of its own.
pub fn soft(shape: BoardShape, seed: u64) -> Result<SoftFast, ShapeError> {
    let mut rng = random(seed);
    let timing = Timing {
        dispatch: rng.random_range(1..20),
        pipeline: rng.random_range(1..40),
        memory: *pick(&mut rng, &[1, 10, 60, 250]),
        jitter: *pick(&mut rng, &[0, 5, 80]),
        register: rng.random_range(1..30),
        zero_beat: rng.random_range(1..4),
        seed,
    };
    let mut board = SoftFast::with_timing(shape, timing)?;
    board.set_stamp(stamp(seed));
    Ok(board)
}

/// The Verilated board: DRAM latency and jitter, stalls at every port, random bits in registers before reset.
#[cfg(feature = "rtl")]
pub fn rtl(board: mneme_rtl::RtlConfig, seed: u64) -> Result<mneme_rtl::RtlFast, mneme_rtl::RtlError> {
    let mut rng = random(seed);
    mneme_rtl::RtlFast::new(mneme_rtl::RtlOptions {
        dram_latency: *pick(&mut rng, &[1, 5, 25, 60, 200]),
        dram_jitter: *pick(&mut rng, &[0, 0, 10, 150]),
        stall_seed: seed,
        stall_probability: *pick(&mut rng, &[0.0, 0.0, 0.05, 0.25, 0.6]),
        reset_seed: Some(seed),
        stamp: stamp(seed),
        ..mneme_rtl::RtlOptions::new(board)
    })
}
