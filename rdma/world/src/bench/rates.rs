//! Programs that keep requests in flight: loads alone, and a mix of loads and stores as swapping has it.
use std::collections::BTreeMap;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::costs::{Costs, Picos};
use super::peer::{Ask, Ended, Peer, Way, bytes};
use super::port::{Made, Port, Program, Used};
use crate::failure::Failure;

/// What is asked for, of 100: loads, stores into pages that have been stored, stores into others (ODRP paper, §5.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mix {
    /// Loads.
    pub loads: u32,
    /// Stores into pages that hold something.
    pub mapped: u32,
    /// Stores into pages that hold nothing.
    pub unmapped: u32,
}

impl Mix {
    /// Loads alone.
    pub const LOADS: Mix = Mix { loads: 100, mapped: 0, unmapped: 0 };
    /// The paper's: more than 60% loads, about 10% unmapped stores.
    pub const SWAP: Mix = Mix { loads: 60, mapped: 30, unmapped: 10 };
}

/// A client that draws its requests. Every page that is loaded is compared.
#[derive(Debug)]
pub struct Drawn {
    number: usize,
    mix: Mix,
    way: Way,
    entries: u32,
    slots: usize,
    /// Requests that still count, and those that were done.
    left: u64,
    pub done: u64,
    /// Pages that are filled before anything counts.
    fill: u32,
    holds: BTreeMap<u32, u64>,
    /// Pages with a request under way.
    busy: BTreeMap<u32, Option<u64>>,
    /// Those of them that are given up.
    freeing: usize,
    versions: u64,
    rng: ChaCha8Rng,
    /// When the first request that counts was begun, and the last one ended.
    pub times: (Option<Picos>, Picos),
}

impl Drawn {
    /// `requests` that count, after half of the pages were stored.
    pub fn new(seed: u64, number: usize, made: &Made, mix: Mix, requests: u64) -> Drawn {
        Drawn {
            number,
            mix,
            way: made.way,
            entries: made.entries,
            slots: made.slots,
            left: requests,
            done: 0,
            fill: made.entries / 2,
            holds: BTreeMap::new(),
            busy: BTreeMap::new(),
            freeing: 0,
            versions: (number as u64) << 32,
            rng: ChaCha8Rng::seed_from_u64(seed ^ (number as u64) << 8),
            times: (None, 0),
        }
    }

    fn begin(&mut self, peer: &mut Peer, ask: Ask, expected: Option<u64>) -> Result<(), Failure> {
        self.busy.insert(ask.page(), expected);
        peer.begin(ask)
    }

    fn store(&mut self, peer: &mut Peer, page: u32) -> Result<(), Failure> {
        self.versions += 1;
        self.holds.insert(page, self.versions);
        self.begin(peer, Ask::Store(page, self.versions), None)
    }

    /// A page that has no request under way, and holds something or not.
    fn page(&mut self, holds: bool) -> Option<u32> {
        let tries = 4 * self.entries;
        (0..tries)
            .map(|_| self.rng.random_range(0..self.entries))
            .find(|page| self.holds.contains_key(page) == holds && !self.busy.contains_key(page))
    }
}

impl Program for Drawn {
    fn act(&mut self, now: Picos, peer: &mut Peer) -> Result<(), Failure> {
        while self.fill > 0 && peer.pending() < self.slots {
            self.fill -= 1;
            let page = 2 * self.fill;
            self.store(peer, page)?;
        }
        // What counts begins when all that was filled is there.
        if self.times.0.is_none() && !self.busy.is_empty() {
            return Ok(());
        }
        // Pages are given up beside, half a client's requests at a time at most.
        while self.left > 0 && self.busy.len() - self.freeing < self.slots && self.freeing < self.slots {
            self.times.0.get_or_insert(now);
            let draw = self.rng.random_range(0..100);
            let (loads, mapped) = (self.mix.loads, self.mix.mapped);
            self.left -= 1;
            if draw < loads + mapped {
                let Some(page) = self.page(true) else { return Err(Failure::SetUp("no page".to_owned())) };
                if draw < loads {
                    let expected = self.holds.get(&page).copied();
                    self.begin(peer, Ask::Load(page), expected)?;
                } else {
                    self.store(peer, page)?;
                }
                continue;
            }
            // A page that holds nothing; another is given up for it, so that the number of frames stays. With static binding nothing
            // is given up: its page is there all the time.
            let (Some(page), Some(other)) = (self.page(false), self.page(true)) else {
                return Err(Failure::SetUp("no page".to_owned()));
            };
            self.store(peer, page)?;
            self.holds.remove(&other);
            if self.way != Way::Static {
                self.freeing += 1;
                self.begin(peer, Ask::Free(other, 1), None)?;
            }
        }
        Ok(())
    }

    fn ended(&mut self, now: Picos, ended: Ended) -> Result<(), Failure> {
        let expected = self.busy.remove(&ended.ask.page()).flatten();
        if matches!(ended.ask, Ask::Free(..)) {
            self.freeing -= 1;
        } else if self.times.0.is_some() {
            self.done += 1;
        }
        self.times.1 = now;
        match (ended.bytes, expected) {
            (Some(loaded), Some(number)) if loaded == bytes(number) => Ok(()),
            (None, None) => Ok(()),
            _ => Err(Failure::Answer { client: self.number, id: ended.ask.page().into() }),
        }
    }

    fn is_done(&self) -> bool {
        self.left == 0 && self.busy.is_empty()
    }
}

/// Requests a second, and what the port was used for.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    /// Requests a second; pages that were given up do not count.
    pub per_second: f64,
    /// What was used, the filling included.
    pub used: Used,
    /// Picoseconds of virtual time.
    pub took: Picos,
}

/// Clients that keep `slots` requests each in flight.
///
/// # Errors
/// Whatever went wrong: a page that was not the one that was stored, a request that failed.
pub fn rate(
    way: Way,
    mix: Mix,
    costs: Costs,
    (clients, slots, requests): (usize, usize, u64),
) -> Result<Rate, Failure> {
    let entries = 1024;
    let made = Made {
        way,
        clients,
        entries,
        slots,
        frames: clients * entries as usize,
        first_alone: false,
        shares: true,
        turns: true,
        costs,
    };
    let programs = (0..clients).map(|client| Drawn::new(1, client, &made, mix, requests)).collect();
    let mut port = Port::new(made, programs)?;
    let took = port.run()?;
    let began = port.programs().filter_map(|own| own.times.0).min().unwrap_or(0);
    let ended = port.programs().map(|own| own.times.1).max().unwrap_or(0);
    let done: u64 = port.programs().map(|own| own.done).sum();
    Ok(Rate { per_second: done as f64 / ((ended - began).max(1) as f64 * 1e-12), used: port.used, took })
}
