//! Operations drawn at random on two connections at once, against a model: on a quiet network, and on one that loses, doubles and
//! delays packets.
use anyhow::{Result, bail, ensure};
use rand::Rng;

use crate::lab::Lab;
use crate::peer::{Connection, Operation, Verb, Wish, data, status};
use crate::relay::Weather;

/// Bytes of each connection's own range, the words of both behind them.
const OWN: usize = 1 << 20;
const WORDS: usize = 16;
/// The longest operation.
const MOST: usize = 40_000;
/// Operations of a connection in a round.
const ROUND: usize = 24;
/// Each operation of a round has a part of the guest's buffer.
const PART: u64 = MOST as u64 + 128;
/// One kind of bad weather at a time, for two frames of a hundred.
const LOST: Weather = Weather { lost: 20, doubled: 0, delayed: 0, halts: 0 };
const DOUBLED: Weather = Weather { lost: 0, doubled: 20, delayed: 0, halts: 0 };
const DELAYED: Weather = Weather { lost: 0, doubled: 0, delayed: 20, halts: 0 };
/// An acknowledge may take 67 ms: on a bad network it is to be asked for again soon. A simulated board takes longer than that for some, and
/// has half a second: what it has answered need not come again.
const fn soon(lab: &Lab) -> u32 {
    if lab.rtl { 17 } else { 14 }
}

/// What the memory must hold.
struct Model {
    va: u64,
    bytes: Vec<u8>,
    words: [u64; WORDS],
}

/// On a quiet network.
pub fn run(lab: &mut Lab) -> Result<()> {
    let rounds = if lab.short { 12 } else { 200 };
    programs(lab, rounds, 18, Weather::default(), ROUND)
}

/// Packets are lost. Each connection has one operation under way: with several, a CmpSwap has to have a fence, and rdma_rxe of Linux 6.1.192
/// never sends such a one again. It waits until no READ or atomic is under way, and is one itself.
pub fn run_with_loss(lab: &mut Lab) -> Result<()> {
    in_bad_weather(lab, LOST, 1)
}

/// Packets come twice.
pub fn run_with_doubles(lab: &mut Lab) -> Result<()> {
    in_bad_weather(lab, DOUBLED, ROUND)
}

/// Packets come later than those behind them.
pub fn run_with_delays(lab: &mut Lab) -> Result<()> {
    in_bad_weather(lab, DELAYED, 1)
}

fn in_bad_weather(lab: &mut Lab, weather: Weather, at_once: usize) -> Result<()> {
    let rounds = if lab.short { 8 } else { 100 };
    let (restarts, counted) = (lab.relay.counts()?.restarts, lab.board.counters()?);
    let weathered = lab.relay.weathered();
    let result = programs(lab, rounds, soon(lab), weather, at_once);
    let after = lab.relay.weathered();
    let done: Vec<u64> = after.iter().zip(weathered).map(|(after, before)| after - before).collect();
    let restarts = lab.relay.counts()?.restarts - restarts;
    let mut note = format!("{weather:?}: {done:?} frames, WRITEs begun again in their middle {restarts}");
    for name in ["duplicate writes", "duplicate reads", "duplicate atomics", "duplicates forgotten", "gap"] {
        note += &format!(", {name} {}", lab.grown(&counted, name)?);
    }
    lab.notes.push(note);
    result?;
    ensure!(done.iter().sum::<u64>() > 0, "no weather");
    ensure!(lab.grown(&counted, "connections ended by an error")? == 0, "the board has ended a connection");
    Ok(())
}

fn programs(lab: &mut Lab, rounds: usize, timeout: u32, weather: Weather, at_once: usize) -> Result<()> {
    let length = 2 * OWN + 8 * WORDS;
    let va = lab.board.process.ralloc(length as u64)?;
    let mut model = Model { va, bytes: vec![0; 2 * OWN], words: [0; WORDS] };
    let ask = lab.board.ask(va, length as u64);
    let wish = |number| Wish { timeout, ..Wish::number(number) };
    let own = [lab.connection_as(&wish(0), &ask)?, lab.connection_as(&wish(1), &ask)?];
    lab.relay.set_weather(weather);
    for _ in 0..rounds {
        round(lab, &own, &mut model, at_once)?;
    }
    lab.relay.set_weather(Weather::default());
    lab.memory_is(va, &model.bytes, "memory after programs of two connections")?;
    let words: Vec<u8> = model.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    lab.memory_is(va + 2 * OWN as u64, &words, "words after programs of two connections")?;
    for connection in own {
        connection.end(&mut lab.guest)?;
    }
    Ok(())
}

/// What an operation must have brought.
enum Brought {
    Nothing,
    Bytes(Vec<u8>),
    /// The value of a word before, of those that both connections add to: it lies between these.
    Word,
}

/// Both connections at once: each does what it likes in its own range, and both add to the words.
fn round(lab: &mut Lab, own: &[Connection; 2], model: &mut Model, at_once: usize) -> Result<()> {
    let mut all: [Vec<(Operation, Brought)>; 2] = Default::default();
    for (which, connection) in own.iter().enumerate() {
        for index in 0..ROUND {
            let (operation, brought) = draw(lab, connection, model, which, index);
            // Alone it is behind all others, and must do without: this kernel (rxe_wqe_is_fenced) lets a fenced atomic that is to be sent
            // again wait for itself.
            all[which].push((Operation { fence: operation.fence && at_once > 1, ..operation }, brought));
        }
    }
    for start in (0..ROUND).step_by(at_once) {
        let some = start..(start + at_once).min(ROUND);
        for (connection, program) in own.iter().zip(&all) {
            let operations: Vec<Operation> = program[some.clone()].iter().map(|(own, _)| *own).collect();
            connection.post(&mut lab.guest, &operations)?;
        }
        for (connection, program) in own.iter().zip(&all) {
            let program = &program[some.clone()];
            let statuses = connection.reap(&mut lab.guest, program.len())?;
            if let Some(at) = statuses.iter().position(|own| *own != status::SUCCESS) {
                bail!("{:?} ends with status {}", program[at].0, statuses[at]);
            }
            lab.tally.operations += program.len() as u64;
        }
    }
    for (connection, program) in own.iter().zip(&all) {
        for (operation, brought) in program {
            if let Brought::Bytes(bytes) = brought {
                lab.buffer_is(connection, operation.place, bytes, &format!("{operation:?}"))?;
            }
        }
    }
    // Every addition of a word of both has found another value, below what it is now.
    for word in 0..WORDS {
        let mut found = Vec::new();
        for (connection, program) in own.iter().zip(&all) {
            let va = model.va + 2 * OWN as u64 + 8 * word as u64;
            for (operation, _) in program.iter().filter(|(o, b)| o.va == va && matches!(b, Brought::Word)) {
                found.push(connection.first(&mut lab.guest, operation.place)?);
            }
        }
        let count = found.len() as u64;
        found.sort_unstable();
        let expected: Vec<u64> = (model.words[word]..model.words[word] + count).collect();
        ensure!(found == expected, "word {word}: additions found {found:?} instead of {expected:?}");
        model.words[word] += count;
        lab.tally.compared += 8 * count;
    }
    Ok(())
}

/// Draws an operation, and does it in the model. A write comes after all READs before it: it might else overtake one (IBTA volume 1,
/// 10.8.3.3).
fn draw(
    lab: &mut Lab,
    connection: &Connection,
    model: &mut Model,
    which: usize,
    index: usize,
) -> (Operation, Brought) {
    let rng = &mut lab.rng;
    let (rkey, place) = (connection.granted.rkey, index as u64 * PART + u64::from(rng.random_range(0..64u8)));
    // Many are short, and lengths round packets are drawn as often as others.
    let length = match rng.random_range(0..4) {
        0 => rng.random_range(0..=64),
        1 => 4096 * rng.random_range(1..=3) + rng.random_range(0..=4) - 2,
        _ => rng.random_range(1..=MOST),
    };
    let start = which * OWN + rng.random_range(0..=OWN - length);
    let (va, range) = (model.va + start as u64, start..start + length);
    match rng.random_range(0..10) {
        0..4 => {
            let seed = rng.random();
            model.bytes[range].copy_from_slice(&data(seed, length));
            let verb = match rng.random_range(0..8) {
                0 => Verb::WriteImmediate { seed, immediate: rng.random() },
                _ => Verb::Write { seed },
            };
            (Operation { fence: true, ..Operation::new(verb, place, length, va, rkey) }, Brought::Nothing)
        }
        4..8 => {
            let expected = model.bytes[range].to_vec();
            (Operation::new(Verb::Read, place, length, va, rkey), Brought::Bytes(expected))
        }
        8 => {
            let va = model.va + (2 * OWN + 8 * rng.random_range(0..WORDS)) as u64;
            (Operation::new(Verb::FetchAdd { add: 1 }, place, 8, va, rkey), Brought::Word)
        }
        _ => swap(lab, model, which, place, rkey),
    }
}

/// A comparison in the connection's own range. Every other one succeeds.
fn swap(lab: &mut Lab, model: &mut Model, which: usize, place: u64, rkey: u32) -> (Operation, Brought) {
    let at = which * OWN + 8 * lab.rng.random_range(0..OWN / 8);
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&model.bytes[at..at + 8]);
    let (there, swap) = (u64::from_le_bytes(bytes), lab.rng.random());
    let compare = if lab.rng.random() { there } else { !there };
    if compare == there {
        model.bytes[at..at + 8].copy_from_slice(&u64::to_le_bytes(swap));
    }
    let verb = Verb::CompareSwap { compare, swap };
    let operation = Operation::new(verb, place, 8, model.va + at as u64, rkey);
    // Its fence keeps it behind READs, which it might else overtake as a write does.
    (Operation { fence: true, ..operation }, Brought::Bytes(bytes.to_vec()))
}
