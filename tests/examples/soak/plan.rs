//! What happens in a round, and when: drawn from the seed, the board's name and the round's number alone.
use mneme_tests::yard::{FloodKind, Link};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// Events of a round.
const EVENTS: std::ops::RangeInclusive<usize> = 5..=9;
/// Cycles from one frame of a flood to the next; the fastest is more than a small board serves.
const PACES: std::ops::RangeInclusive<u64> = 40..=2_000;

/// Something that goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A flood of one kind, a frame every so many cycles.
    Flood(FloodKind, u64),
    /// The network loses, repeats and delays.
    Network(Link),
    /// Writes of page-table entries fail, with a chance in 65,536.
    Table(u32),
    /// The slow path's program stands still.
    SlowPath,
    /// The board is reset under load.
    Restart,
    /// A client's program is killed, in the middle of what it does.
    Kill(usize),
    /// A client's program stands still.
    Stop(usize),
    /// A bit of a page-table entry in memory flips.
    Flip(u32),
}

/// An event, in cycles from the round's beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    pub at: u64,
    pub lasts: u64,
    pub what: What,
}

/// An event in words.
#[derive(Debug, Clone, Serialize)]
pub struct Told {
    pub at: u64,
    pub lasts: u64,
    pub what: String,
}

impl Event {
    pub fn told(&self) -> Told {
        Told { at: self.at, lasts: self.lasts, what: format!("{:?}", self.what) }
    }
}

/// Where everything random of a round comes from.
pub fn random(seed: u64, board: &str, round: u64) -> ChaCha8Rng {
    let name = board.bytes().fold(0u64, |sum, byte| sum.wrapping_mul(131) + u64::from(byte));
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ name.rotate_left(32));
    random.set_stream(round);
    random
}

/// The events of a round of so many cycles, the first one first, with floods of these kinds. Every third round has a reset, every kind of event its turn.
pub fn draw(
    random: &mut ChaCha8Rng,
    round: u64,
    cycles: u64,
    tenants: usize,
    kinds: &[FloodKind],
) -> Vec<Event> {
    let mut events: Vec<Event> = (0..random.random_range(EVENTS))
        .map(|_| {
            let at = random.random_range(0..cycles * 3 / 4);
            let lasts = random.random_range(cycles / 16..cycles / 3);
            Event { at, lasts, what: what(random, tenants, kinds) }
        })
        .collect();
    if round % 3 == 2 {
        let at = random.random_range(cycles / 4..cycles * 3 / 4);
        events.push(Event { at, lasts: 0, what: What::Restart });
    }
    events.sort_by_key(|event| event.at);
    events
}

fn what(random: &mut ChaCha8Rng, tenants: usize, kinds: &[FloodKind]) -> What {
    match random.random_range(0..16) {
        0..8 => {
            let kind = kinds.choose(random).copied().unwrap_or(FloodKind::Arp);
            What::Flood(kind, random.random_range(PACES))
        }
        8..10 => What::Network(Link {
            lost: random.random_range(0..100),
            doubled: random.random_range(0..150),
            late: random.random_range(0..150),
        }),
        10..12 => What::Table(random.random_range(1_000..20_000)),
        12 => What::SlowPath,
        13 => What::Kill(random.random_range(0..tenants)),
        14 => What::Stop(random.random_range(0..tenants)),
        _ => What::Flip(random.random_range(0..64)),
    }
}
