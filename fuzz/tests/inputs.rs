//! Every target runs on every input that the repository keeps for it.
use mneme_fuzz::{TARGETS, inputs};
use std::panic::catch_unwind;

#[test]
fn every_kept_input_keeps_every_property() {
    let mut broken = Vec::new();
    for (target, run) in TARGETS {
        let files = inputs(target).unwrap_or_else(|error| panic!("the inputs of {target}: {error}"));
        assert!(!files.is_empty(), "{target} has no inputs");
        for file in files {
            let input = std::fs::read(&file).expect("an input can be read");
            if catch_unwind(|| run(&input)).is_err() {
                broken.push(file);
            }
        }
    }
    assert!(
        broken.is_empty(),
        "a property is broken; again with `cargo xtask fuzz --input FILE`: {broken:#?}"
    );
}

/// Bytes that nobody chose: nothing at all, and long rows of one byte.
#[test]
fn inputs_of_one_byte_repeated() {
    for (_, run) in TARGETS {
        for byte in 0..=u8::MAX {
            for length in [0, 1, 64, 512] {
                run(&vec![byte; length]);
            }
        }
    }
}
