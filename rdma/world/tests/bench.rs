//! Figures in virtual time: what must hold in every size of a run, and that a run is always the same.
use mneme_rdma_world::{BenchOptions, bench};

#[test]
fn packets_accesses_and_utilisation_are_the_designs_and_a_run_replays() {
    let small = BenchOptions { requests: 100, depth: 8, pages: 64, seed: 1 };
    let rows = bench(&small).unwrap_or_else(|failure| panic!("{failure}"));
    let exact: Vec<_> = rows.iter().filter(|row| row.goal.starts_with('=')).collect();
    // Two ways × four operations × two packets' directions, three kinds of beats, entries in a row; and six of utilisation.
    assert_eq!(exact.len(), 2 * 4 * 6 + 6);
    for row in &exact {
        assert_eq!(row.met, Some(true), "{}: {} and {}", row.figure, row.value, row.goal);
    }
    let missed: Vec<_> = rows.iter().filter(|row| row.met == Some(false)).map(|row| &row.figure).collect();
    println!("missed in so short a run: {missed:?}");
    assert_eq!(bench(&small).as_ref(), Ok(&rows));
}
