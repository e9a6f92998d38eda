//! Atomics: of the guest, of the library, on one word, one after the other and at once.
use anyhow::{Result, ensure};
use rand::Rng;

use crate::lab::{Lab, same};
use crate::peer::{Operation, Verb};

const BYTES: u64 = 4096;

/// Tries them.
pub fn run(lab: &mut Lab) -> Result<()> {
    let va = lab.board.process.ralloc(BYTES)?;
    let connection = lab.connection(0, va, BYTES)?;
    let times = if lab.short { 60 } else { 1000 };
    let mut words = [0u64; 8];
    lab.board.process.rwrite(va, &[0; 64])?;
    for time in 0..times {
        let which = lab.rng.random_range(0..words.len());
        let (at, word) = (va + 8 * which as u64, words[which]);
        let random: u64 = lab.rng.random();
        // Half of the comparisons succeed.
        let compare = if lab.rng.random() { word } else { random };
        let add = if lab.rng.random() { random } else { u64::MAX };
        let swaps: bool = lab.rng.random();
        let found = match (time % 2 == 0, swaps) {
            (true, true) => lab.board.process.compare_swap(at, compare, !random)?,
            (true, false) => lab.board.process.fetch_add(at, add)?,
            (false, true) => {
                connection.word(&mut lab.guest, Verb::CompareSwap { compare, swap: !random }, at)?
            }
            (false, false) => connection.word(&mut lab.guest, Verb::FetchAdd { add }, at)?,
        };
        ensure!(found == word, "atomic {time} found {found:#x} instead of {word:#x}");
        words[which] = match (swaps, compare == word) {
            (true, true) => !random,
            (true, false) => word,
            (false, _) => word.wrapping_add(add),
        };
        lab.tally.operations += 1;
    }
    let expected: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    lab.memory_is(va, &expected, "words after atomics")?;
    at_once(lab, va + 2048, &connection)?;
    connection.end(&mut lab.guest)
}

/// Both add to one word at once, the guest several times in flight. Each of its additions finds another value, and all are there at
/// the end.
fn at_once(lab: &mut Lab, va: u64, own: &crate::peer::Connection) -> Result<()> {
    const ADD: u64 = 1 << 32;
    let rounds = if lab.short { 4 } else { 40 };
    lab.board.process.rwrite(va, &[0; 8])?;
    let (mut found, mut hosts) = (Vec::new(), 0);
    for _ in 0..rounds {
        let add =
            |place: u64| Operation::new(Verb::FetchAdd { add: ADD }, 8 * place, 8, va, own.granted.rkey);
        let operations: Vec<Operation> = (0..32).map(add).collect();
        own.post(&mut lab.guest, &operations)?;
        for _ in 0..16 {
            lab.board.process.fetch_add(va, 1)?;
            hosts += 1;
        }
        let statuses = own.reap(&mut lab.guest, operations.len())?;
        ensure!(statuses.iter().all(|status| *status == 0), "statuses {statuses:?}");
        lab.tally.operations += operations.len() as u64;
        for place in 0..operations.len() as u64 {
            found.push(own.first(&mut lab.guest, 8 * place)?);
        }
    }
    // In the order in which they were asked for, each a whole addition more, whatever the library added between.
    let guests: Vec<u8> = found.iter().flat_map(|word| (word / ADD).to_le_bytes()).collect();
    let expected: Vec<u8> = (0..found.len() as u64).flat_map(u64::to_le_bytes).collect();
    same(&guests, &expected, "what additions in flight found")?;
    ensure!(found.is_sorted() && found.iter().all(|word| word % ADD <= hosts), "additions of the library");
    let sum = found.len() as u64 * ADD + hosts;
    lab.memory_is(va, &sum.to_le_bytes(), "a word to which both have added")
}
