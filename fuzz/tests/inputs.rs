//! Every target runs on every input that the repository keeps for it, and on mutations of them: always the same ones.
//! What coverage guides is `cargo xtask fuzz`.
use std::panic::catch_unwind;
use std::path::Path;

use mneme_fuzz::{TARGETS, inputs};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Decides the mutations, with the target's place.
const SEED: u64 = 1;
/// Mutated inputs of each target.
const MUTATED: usize = 4_000;
/// Changes of an input, at most.
const CHANGES: usize = 8;
/// Bytes of an input, at most, as `cargo xtask fuzz` has it.
const LONGEST: usize = 2_048;
/// Values at which parsers tend to decide.
const EDGES: [u8; 8] = [0, 1, 0x0f, 0x10, 0x7f, 0x80, 0xfe, 0xff];

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

/// One change of an input, of the kinds that libFuzzer makes.
fn change(input: &mut Vec<u8>, others: &[Vec<u8>], rng: &mut ChaCha8Rng) {
    if input.is_empty() {
        return input.extend(others.choose(rng).into_iter().flatten());
    }
    let at = rng.random_range(0..input.len());
    let end = rng.random_range(at..=input.len().min(at + 64));
    match rng.random_range(0..8) {
        0 => input[at] ^= 1 << rng.random_range(0..8),
        1 => input[at] = rng.random(),
        2 => input[at] = *EDGES.choose(rng).expect("there are edges"),
        3 => input.insert(at, rng.random()),
        4 => drop(input.drain(at..end)),
        5 => input.truncate(at),
        // A part once more.
        6 => drop(input.splice(at..at, input[at..end].to_vec())),
        // Goes on as another input does.
        _ => {
            let other = others.choose(rng).expect("there are inputs");
            input.truncate(at);
            input.extend(&other[at.min(other.len())..]);
        }
    }
    input.truncate(LONGEST);
}

#[test]
fn mutated_inputs_keep_every_property() {
    let mut broken = Vec::new();
    for (place, (target, run)) in TARGETS.iter().enumerate() {
        let mut rng = ChaCha8Rng::seed_from_u64(SEED + ((place as u64) << 32));
        let files = inputs(target).unwrap_or_else(|error| panic!("the inputs of {target}: {error}"));
        let kept: Vec<_> =
            files.iter().map(|file| std::fs::read(file).expect("an input can be read")).collect();
        for number in 0..MUTATED {
            let mut input = kept.choose(&mut rng).expect("a target has inputs").clone();
            for _ in 0..rng.random_range(1..=CHANGES) {
                change(&mut input, &kept, &mut rng);
            }
            if catch_unwind(|| run(&input)).is_err() {
                let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{target}-{number}"));
                std::fs::write(&file, &input).expect("the input can be kept");
                broken.push(file);
            }
        }
    }
    assert!(
        broken.is_empty(),
        "a property is broken; copied into fuzz/regressions/TARGET, `cargo xtask fuzz --input FILE` runs one: \
         {broken:#?}"
    );
}
