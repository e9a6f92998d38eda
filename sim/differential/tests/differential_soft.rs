//! The differential test's own test: the software board, with timings of its own, against the golden model.
use mneme_differential::{Plan, Report, run};
use mneme_model::soft::{BoardShape, SoftFast, Timing};

fn timing(seed: u64) -> Timing {
    Timing { memory: 10 + seed * 17 % 90, jitter: seed * 13 % 60, seed, ..Timing::default() }
}

fn check(shape: BoardShape, seed: u64, requests: u64) -> Report {
    let mut board = SoftFast::with_timing(shape, timing(seed)).expect("a legal shape");
    match run(&mut board, &Plan { shape, seed, requests }) {
        Ok(report) => report,
        Err(error) => panic!("{} with seed {seed}: {error}", shape.name),
    }
}

#[test]
fn the_software_board_agrees_with_the_model_in_every_configuration() {
    for (shape, seed) in BoardShape::ALL.into_iter().zip(1..) {
        let report = check(shape, seed, 4000);
        assert!(report.answers > 2000 && report.timed > 100 && report.memory > 0, "{report:?}");
    }
}
