//! The library's example with tokio, on a board of the tests'.
use std::time::Duration;

use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::udp::Udp;
use mneme_tests::{Config, Rig};

#[allow(dead_code, reason = "its main function is for people")]
#[path = "../../clib/examples/tokio.rs"]
mod example;

#[test]
fn ten_thousand_reads_in_flight_stall_no_worker() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .expect("a runtime");
    let done = runtime.block_on(example::run(&rig.address().to_string())).expect("all is read");
    assert_eq!(done.reads, 10_000);
    // A call that blocks a worker would do so for as long as its answer takes, or `give_up`: a busy machine takes less.
    assert!(done.longest_stall < Duration::from_secs(3), "{:?}", done.longest_stall);
}
