//! One case: a table is filled with allocations of one size by a thousand processes.
use crate::peer::HashTable;
use mneme_slowpath::allocator::{Bounds, Rovers, Search};
use mneme_slowpath::process::{Range, RangeState, Ranges};
use mneme_slowpath::shadow::Shadow;
use mneme_wire::Rights;
use mneme_wire::pte::Geometry;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Instant;

/// log2 of the page size: 4 MB.
pub const PAGE_BITS: u32 = 22;
/// Processes that allocate, in random order.
pub const PROCESSES: u32 = 1000;
/// Pages that one search may look at before it counts as failed.
const PROBES: u64 = 1 << 22;
/// Allocations at 100%, churn, at most.
const CHURN: usize = 2048;

/// How the table is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Kind {
    /// Allocations only, until as many pages are allocated as there is physical memory.
    Plain,
    /// After that, a random allocation is freed before each new one.
    Churn,
}

/// What is measured.
#[derive(Debug, Clone, Copy, serde::Serialize)]
pub struct Case {
    pub mem_bits: u32,
    pub slots_log2: u32,
    /// Pages of each allocation; 0: each draws 1, 4, 16, 64 or 256.
    pub pages: u64,
    pub kind: Kind,
    /// Times that the fill is repeated, with other random choices.
    pub runs: u64,
}

/// Allocations that were made while memory was up to this full.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct Level {
    pub full_percent: u64,
    pub allocations: u64,
    pub failed: u64,
    /// Median time of search and bookkeeping.
    pub median_ns: u64,
    pub mean_retries: f64,
    pub max_retries: u64,
    #[serde(skip)]
    ns: Vec<u64>,
    #[serde(skip)]
    retries: u128,
}

impl Level {
    fn add(&mut self, ns: u64, retries: Option<u64>) {
        let Some(retries) = retries else {
            self.failed += 1;
            return;
        };
        self.allocations += 1;
        self.ns.push(ns);
        self.retries += u128::from(retries);
        self.max_retries = self.max_retries.max(retries);
    }
    fn finish(&mut self) {
        self.ns.sort_unstable();
        self.median_ns = self.ns.get(self.ns.len() / 2).copied().unwrap_or(0);
        self.mean_retries = self.retries as f64 / self.allocations.max(1) as f64;
    }
}

/// The measurement of a case.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Figure {
    pub case: Case,
    pub ours: Vec<Level>,
    pub peer: Vec<Level>,
}

/// A table that can be filled.
trait Filled {
    /// Finds a range; its start and the retries.
    fn find(&mut self, pid: u32, pages: u64) -> Option<(u64, u64)>;
    fn insert(&mut self, pid: u32, start: u64, pages: u64);
    fn remove(&mut self, pid: u32, start: u64, pages: u64);
}

/// Ranges and search cursors of all processes; page 0 is never given out.
struct Processes {
    ranges: Vec<Ranges>,
    cursors: Vec<u64>,
}

impl Processes {
    fn new() -> Processes {
        let count = PROCESSES as usize + 1;
        Processes { ranges: vec![Ranges::default(); count], cursors: vec![1; count] }
    }
    fn insert(&mut self, pid: u32, start: u64, pages: u64) {
        self.ranges[pid as usize].insert(start, Range { pages, state: RangeState::Live });
        self.cursors[pid as usize] = start + pages;
    }
}

struct Ours {
    shadow: Shadow,
    rovers: Rovers,
    processes: Processes,
}

impl Filled for Ours {
    fn find(&mut self, pid: u32, pages: u64) -> Option<(u64, u64)> {
        let ranges = &self.processes.ranges[pid as usize];
        let bounds = Bounds::new(None, self.shadow.geometry().page_bits());
        let search =
            Search { shadow: &self.shadow, ranges, pid, tenant: pid, share: 8, probes: PROBES, bounds };
        let near = self.processes.cursors[pid as usize];
        search.place(pages, near, &mut self.rovers).ok().map(|found| (found.start, found.retries))
    }
    fn insert(&mut self, pid: u32, start: u64, pages: u64) {
        for vpn in start..start + pages {
            assert!(self.shadow.insert(pid, vpn, Rights::READ_WRITE, pid), "a bucket overflowed");
        }
        self.processes.insert(pid, start, pages);
    }
    fn remove(&mut self, pid: u32, start: u64, pages: u64) {
        for vpn in start..start + pages {
            self.shadow.remove(pid, vpn);
        }
        self.processes.ranges[pid as usize].remove(start);
    }
}

struct Peer {
    table: HashTable,
    processes: Processes,
}

impl Filled for Peer {
    fn find(&mut self, pid: u32, pages: u64) -> Option<(u64, u64)> {
        let at = pid as usize;
        self.table.find(&self.processes.ranges[at], pid, pages, self.processes.cursors[at], PROBES)
    }
    fn insert(&mut self, pid: u32, start: u64, pages: u64) {
        (start..start + pages).for_each(|vpn| self.table.insert(pid, vpn));
        self.processes.insert(pid, start, pages);
    }
    fn remove(&mut self, pid: u32, start: u64, pages: u64) {
        (start..start + pages).for_each(|vpn| self.table.remove(pid, vpn));
        self.processes.ranges[pid as usize].remove(start);
    }
}

/// Times one allocation and carries it out.
fn allocate(table: &mut dyn Filled, pid: u32, pages: u64, level: &mut Level) -> Option<(u32, u64)> {
    let begin = Instant::now();
    let found = table.find(pid, pages);
    if let Some((start, _)) = found {
        table.insert(pid, start, pages);
    }
    level.add(begin.elapsed().as_nanos() as u64, found.map(|(_, retries)| retries));
    found.map(|(start, _)| (pid, start))
}

fn size(case: &Case, rng: &mut ChaCha8Rng) -> u64 {
    if case.pages == 0 { 1 << (2 * rng.random_range(0..5)) } else { case.pages }
}

fn fill(case: &Case, table: &mut dyn Filled, seed: u64, levels: &mut [Level]) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let total = 1u64 << (case.mem_bits - PAGE_BITS);
    let mut live = Vec::new();
    let mut used = 0;
    let mut unused = Level::default();
    loop {
        let pages = size(case, &mut rng);
        if used + pages > total {
            break;
        }
        let level = match case.kind {
            Kind::Plain => &mut levels[((used + pages - 1) * 10 / total) as usize],
            Kind::Churn => &mut unused,
        };
        let range = allocate(table, rng.random_range(1..=PROCESSES), pages, level);
        live.extend(range.map(|(pid, start)| (pid, start, pages)));
        used += pages;
    }
    if case.kind == Kind::Plain {
        return;
    }
    for _ in 0..CHURN.min(live.len() * 4) {
        // As much is freed as the next allocation needs, so that memory stays full.
        let wanted = size(case, &mut rng);
        let mut free = total - live.iter().map(|(.., pages)| pages).sum::<u64>();
        while free < wanted && !live.is_empty() {
            let (pid, start, pages) = live.swap_remove(rng.random_range(0..live.len()));
            table.remove(pid, start, pages);
            free += pages;
        }
        let range = allocate(table, rng.random_range(1..=PROCESSES), wanted, &mut levels[0]);
        live.extend(range.map(|(pid, start)| (pid, start, wanted)));
    }
}

/// Measures a case.
pub fn figure(case: Case) -> Figure {
    let shape = Geometry::new(PAGE_BITS, case.mem_bits, case.slots_log2);
    let geometry = shape.expect("4 MB pages fit 2 GB and 1 TB");
    let percents: &[u64] = match case.kind {
        Kind::Plain => &[10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
        Kind::Churn => &[100],
    };
    let empty = |full_percent: &u64| Level { full_percent: *full_percent, ..Level::default() };
    let mut ours: Vec<Level> = percents.iter().map(empty).collect();
    let mut peer = ours.clone();
    for seed in 0..case.runs {
        let mut table = Ours {
            shadow: Shadow::new(geometry),
            rovers: Rovers::new(geometry.buckets()),
            processes: Processes::new(),
        };
        fill(&case, &mut table, seed, &mut ours);
        let mut table = Peer { table: HashTable::new(geometry.buckets()), processes: Processes::new() };
        fill(&case, &mut table, seed, &mut peer);
    }
    ours.iter_mut().chain(&mut peer).for_each(Level::finish);
    let keep: Vec<bool> = ours.iter().map(|l| l.allocations + l.failed > 0).collect();
    let kept =
        |levels: Vec<Level>| levels.into_iter().zip(&keep).filter(|(_, k)| **k).map(|(l, _)| l).collect();
    Figure { case, ours: kept(ours), peer: kept(peer) }
}
