//! Several boards in one thread: the end of one is nothing to the others.
use std::sync::mpsc::channel;
use std::time::Duration;

use mneme_model::NetworkPort;
use mneme_rtl::{RtlConfig, RtlFast, RtlOptions};

/// What a board's end takes at most.
const END: Duration = Duration::from_secs(60);
/// Bytes of what is allocated where a board was, and how often.
const LARGEST: usize = 8 << 10;
const EACH: usize = 24;

fn board() -> RtlFast {
    RtlFast::new(RtlOptions::new(RtlConfig::Tiny)).expect("a kept board starts")
}

#[test]
fn a_board_ends_well_after_another_one_that_was_made_later() {
    let (over, ended) = channel();
    let thread = std::thread::spawn(move || {
        for _ in 0..4 {
            let (mut first, mut last) = (board(), board());
            last.run(100);
            first.run(100);
            drop(last);
            // Others use what it has given back.
            let used = (16..LARGEST).step_by(16).flat_map(|size| (0..EACH).map(move |_| vec![0xffu8; size]));
            let used: Vec<Vec<u8>> = used.collect();
            drop(first);
            assert!(
                used.iter().flatten().all(|byte| *byte == 0xff),
                "a board's end wrote to what is others'"
            );
        }
        over.send(()).expect("the test waits");
    });
    ended.recv_timeout(END).expect("a board's end takes no time");
    thread.join().expect("no panic");
}
