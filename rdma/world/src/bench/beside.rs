//! A quiet tenant beside one that takes whatever it gets: 64 queue pairs, each with as many READs under way as it may have.
use std::collections::BTreeMap;

use super::costs::{Costs, Picos};
use super::peer::{Ask, Ended, Peer, Way};
use super::port::{Made, Port, Program};
use super::rates::{Drawn, Mix};
use crate::failure::Failure;

/// Queue pairs of the other tenant.
const PAIRS: usize = 64;
/// READs of a queue pair at a time: the most that it is told it may have.
const DEPTH: usize = 16;
/// Pages of a client.
const ENTRIES: u32 = 64;
/// READs of the quiet tenant.
const READS: usize = 2_000;
/// It wants a page so often: a quarter of what the line carries.
pub const GAP: Picos = 1_360_000;
/// It begins when the other's pages are filled.
const BEGINS: Picos = 1_000_000_000;

/// A client that reads a page at fixed times, whether the ones before have come or not.
#[derive(Debug, Default)]
struct Paced {
    begun: usize,
    due: Picos,
    /// When those that are under way were due, by page.
    under_way: BTreeMap<u32, Picos>,
    /// Of those that have ended: when they were due, and when they ended.
    took: Vec<(Picos, Picos)>,
}

enum Tenant {
    Quiet(Paced),
    Other(Box<Drawn>),
}

impl Program for Paced {
    fn act(&mut self, now: Picos, peer: &mut Peer) -> Result<(), Failure> {
        while self.begun < READS && self.due <= now && self.under_way.len() < DEPTH {
            let page = self.begun as u32 % ENTRIES;
            self.under_way.insert(page, self.due);
            peer.begin(Ask::Load(page))?;
            self.begun += 1;
            self.due += GAP;
        }
        Ok(())
    }
    fn ended(&mut self, now: Picos, ended: Ended) -> Result<(), Failure> {
        let id = ended.ask.page().into();
        let due = self.under_way.remove(&ended.ask.page()).ok_or(Failure::Unasked { client: 0, id })?;
        // Nobody has written its pages.
        if ended.bytes.is_none_or(|bytes| bytes.iter().any(|byte| *byte != 0)) {
            return Err(Failure::Answer { client: 0, id });
        }
        self.took.push((due, now));
        Ok(())
    }
    fn is_done(&self) -> bool {
        self.took.len() == READS
    }
    fn next_time(&self) -> Option<Picos> {
        (self.begun < READS).then_some(self.due)
    }
}

impl Program for Tenant {
    fn act(&mut self, now: Picos, peer: &mut Peer) -> Result<(), Failure> {
        match self {
            Tenant::Quiet(own) => own.act(now, peer),
            Tenant::Other(own) => own.act(now, peer),
        }
    }
    fn ended(&mut self, now: Picos, ended: Ended) -> Result<(), Failure> {
        match self {
            Tenant::Quiet(own) => own.ended(now, ended),
            Tenant::Other(own) => own.ended(now, ended),
        }
    }
    fn is_done(&self) -> bool {
        match self {
            Tenant::Quiet(own) => own.is_done(),
            Tenant::Other(own) => own.is_done(),
        }
    }
    fn next_time(&self) -> Option<Picos> {
        match self {
            Tenant::Quiet(own) => own.next_time(),
            Tenant::Other(own) => own.next_time(),
        }
    }
}

/// What the quiet tenant has.
#[derive(Debug, Clone, Copy)]
pub struct Quiet {
    /// READs a second.
    pub per_second: f64,
    /// The time from when one was due to its end that 99 of 100 do not pass.
    pub p99: Picos,
    /// The time from when one's packet came to when the engine took it that 99 of 100 do not pass.
    pub waited: Picos,
}

/// How the two share the port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// Whoever comes first is served.
    Nothing,
    /// The places for READs, and what leaves.
    Places,
    /// These, and the engine where packets come, as the hardware's port does.
    Turns,
}

impl Sharing {
    /// What stands behind the name of a figure.
    pub fn name(self) -> &'static str {
        match self {
            Sharing::Turns => "",
            Sharing::Places => ", packets taken as they come",
            Sharing::Nothing => ", nothing shared",
        }
    }
}

/// Measures the quiet tenant alone, or beside the other.
///
/// # Errors
/// Whatever went wrong. What is measured ends when the first queue pair of the other has ended.
pub fn quiet(beside: bool, sharing: Sharing, costs: Costs) -> Result<Quiet, Failure> {
    let others = if beside { PAIRS } else { 0 };
    let made = Made {
        way: Way::Static,
        clients: 1 + others,
        entries: ENTRIES,
        slots: DEPTH,
        frames: 0,
        first_alone: true,
        shares: sharing != Sharing::Nothing,
        turns: sharing == Sharing::Turns,
        costs,
    };
    let first = Tenant::Quiet(Paced { due: BEGINS, ..Paced::default() });
    let requests = 300;
    let other = |client| Tenant::Other(Box::new(Drawn::new(1, client, &made, Mix::LOADS, requests)));
    let mut port = Port::new(made, [first].into_iter().chain((1..=others).map(other)).collect())?;
    port.run()?;
    let in_front = port.waited.clone();
    let (mut took, mut until, mut filled) = (Vec::new(), Picos::MAX, 0);
    for tenant in port.programs() {
        match tenant {
            Tenant::Quiet(own) => took.clone_from(&own.took),
            Tenant::Other(own) => {
                until = until.min(own.times.1);
                filled = filled.max(own.times.0.unwrap_or(Picos::MAX));
            }
        }
    }
    let last = took.iter().map(|(_, ended)| *ended).max().unwrap_or(0);
    until = until.min(last);
    if until <= BEGINS || filled > BEGINS {
        return Err(Failure::SetUp(format!("the other from {filled} to {until} alone")));
    }
    let ended = took.iter().filter(|(_, ended)| *ended <= until).count();
    let due = took.iter().filter(|(due, _)| *due < until);
    let waited = due.map(|(due, ended)| ended - due).collect();
    let per_second = ended as f64 / ((until - BEGINS) as f64 * 1e-12);
    Ok(Quiet { per_second, p99: p99(waited), waited: p99(in_front) })
}

/// What 99 of 100 do not pass.
fn p99(mut all: Vec<Picos>) -> Picos {
    all.sort_unstable();
    all.get(all.len() * 99 / 100).copied().unwrap_or_default()
}
