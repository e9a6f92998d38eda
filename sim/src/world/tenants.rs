//! What clients do: requests of every kind on memory that several of them share, and on memory that comes and goes.
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mneme_clib::{AllocOptions, Client, Effect, Error, Process};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::Time;
use super::history::{Act, Word};
use super::ledger::{End, Ledger, Ticket};
use super::program::Known;

/// Bits of a value above the number that makes it unique: whose it is.
const OWNER_SHIFT: u32 = 56;
/// Bits below that number, for what is added.
const ADD_BITS: u32 = 20;
/// Most words that a request reads or writes.
const MOST_WORDS: u64 = 6;
/// Words of a region that requests go to: few, so that they meet; half of them on either side of a page border.
pub const WORDS: u64 = 12;

/// Memory in which words lie.
#[derive(Debug, Clone, Copy)]
pub struct Region {
    /// The first word's address.
    pub va: u64,
    /// Its number in histories.
    pub allocation: u64,
}

impl Region {
    /// Within an allocation of two pages.
    pub fn within(base: u64, page: u64, allocation: u64) -> Region {
        Region { va: base + page - WORDS / 2 * 8, allocation }
    }
    /// A word's name in histories.
    pub fn word(&self, index: u64) -> Word {
        Word { allocation: self.allocation, index }
    }
}

/// A process of a board, with clients of several hosts in it.
pub struct Tenant {
    /// Distinguishes its values from others'; not 0.
    pub number: u64,
    /// Its board.
    pub board: usize,
    /// For other clients to join.
    pub pid: u32,
    /// For other clients to join.
    pub token: [u8; 16],
    /// What all its clients use.
    pub shared: Region,
    /// Its board has restarted.
    pub dead: Cell<bool>,
}

/// What all clients have in common.
pub struct Context {
    /// Requests and histories.
    pub ledger: RefCell<Ledger>,
    /// The world's time.
    pub clock: Box<dyn Fn() -> Time>,
    /// Nothing new is to be begun.
    pub stop: Cell<bool>,
    /// The first byte of another tenant that anybody saw.
    pub leak: RefCell<Option<String>>,
    /// The first call that saw another order than that of the calls.
    pub disorder: RefCell<Option<String>>,
    /// How long a request of which nobody knows may still take effect.
    pub late: Cell<Time>,
    numbers: Cell<u64>,
}

impl Context {
    /// An empty ledger.
    pub fn new(clock: Box<dyn Fn() -> Time>) -> Context {
        Context {
            ledger: RefCell::default(),
            clock,
            stop: Cell::new(false),
            leak: RefCell::default(),
            disorder: RefCell::default(),
            late: Cell::new(0),
            numbers: Cell::new(1),
        }
    }
    /// A number that nobody had.
    pub fn number(&self) -> u64 {
        self.numbers.replace(self.numbers.get() + 1)
    }
    pub(super) fn begin(&self, client: usize, words: Vec<(Word, Act)>) -> Ticket {
        self.ledger.borrow_mut().begin(client, (self.clock)(), words)
    }
    pub(super) fn end(&self, ticket: Ticket, end: End) {
        self.ledger.borrow_mut().end(ticket, (self.clock)(), end, self.late.get());
    }
}

/// One thread of a client.
pub struct Worker {
    /// What all have in common.
    pub context: Rc<Context>,
    /// Its process.
    pub tenant: Rc<Tenant>,
    /// Its handle.
    pub process: Rc<Process>,
    /// The client.
    pub handle: Client,
    /// The client's number.
    pub client: usize,
    /// What it does.
    pub random: ChaCha8Rng,
}

/// A request that failed: whether the board has restarted.
pub(super) struct Failed {
    pub(super) restarted: bool,
}

impl Worker {
    /// Works until told to stop, or until the board has restarted.
    pub async fn work(mut self) {
        let mut own: Option<(Region, Known)> = None;
        while !self.context.stop.get() && !self.tenant.dead.get() {
            let result = match (self.random.random_range(0..100), &mut own) {
                (0..60, _) | (60..92, None) => self.request(self.tenant.shared).await,
                (60..72, Some((region, known))) => {
                    *known = Known::default();
                    self.request(*region).await
                }
                (72..92, Some((region, known))) => self.program(*region, known).await,
                // Pages come as zeros.
                (_, None) => self.allocate().await.map(|region| own = Some((region, [Some(0); _]))),
                (_, Some((region, _))) => {
                    let region = *region;
                    own = None;
                    self.free(region).await
                }
            };
            if result.is_err_and(|failed| failed.restarted) {
                return;
            }
        }
    }
    async fn allocate(&mut self) -> Result<Region, Failed> {
        let page = self.process.page_size();
        let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
        let base = self.process.ralloc_with_async(2 * page, whole).await.map_err(|e| failed(&e))?;
        Ok(Region::within(base, page, self.context.number()))
    }
    /// Nobody uses the region afterwards, whatever came of it.
    async fn free(&mut self, region: Region) -> Result<(), Failed> {
        let base = region.va + WORDS / 2 * 8 - self.process.page_size();
        self.process.rfree_async(base).await.map_err(|e| failed(&e))
    }
    /// A value that nobody wrote before.
    pub(super) fn value(&self) -> u64 {
        self.tenant.number << OWNER_SHIFT | self.context.number() << ADD_BITS
    }
    async fn request(&mut self, region: Region) -> Result<(), Failed> {
        let index = self.random.random_range(0..WORDS);
        let count = self.random.random_range(1..=MOST_WORDS.min(WORDS - index));
        let va = region.va + 8 * index;
        match self.random.random_range(0..100) {
            0..35 => self.read(region, index, count).await,
            35..60 => {
                let values: Vec<u64> = (0..count).map(|_| self.value()).collect();
                let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
                let acts: Vec<Act> = values.into_iter().map(Act::Write).collect();
                let words = (index..).map(|index| region.word(index)).zip(acts.iter().copied()).collect();
                let ticket = self.context.begin(self.client, words);
                let result = self.process.rwrite_async(va, &bytes).await;
                self.conclude(ticket, result, |()| acts)
            }
            60..80 => {
                let addend = self.random.random_range(1..100);
                let ticket =
                    self.context.begin(self.client, vec![(region.word(index), Act::Add(addend, None))]);
                let result = self.process.fetch_add_async(va, addend).await;
                self.conclude(ticket, result, |old| vec![Act::Add(addend, Some(old))])
            }
            80..90 => {
                let (expected, new) = (0, self.value());
                let act = Act::Exchange(expected, new, None);
                let ticket = self.context.begin(self.client, vec![(region.word(index), act)]);
                let result = self.process.compare_swap_async(va, expected, new).await;
                self.conclude(ticket, result, |old| vec![Act::Exchange(expected, new, Some(old))])
            }
            _ => {
                // Back to 0 now and then, so that exchanges succeed.
                let new = if self.random.random_bool(0.5) { 0 } else { self.value() };
                let ticket =
                    self.context.begin(self.client, vec![(region.word(index), Act::Swap(new, None))]);
                let result = self.process.swap_async(va, new).await;
                self.conclude(ticket, result, |old| vec![Act::Swap(new, Some(old))])
            }
        }
    }
    async fn read(&mut self, region: Region, index: u64, count: u64) -> Result<(), Failed> {
        let words = (index..index + count).map(|index| (region.word(index), Act::Read(0))).collect();
        let ticket = self.context.begin(self.client, words);
        let mut bytes = vec![0; 8 * count as usize];
        let result = self.process.rread_async(region.va + 8 * index, &mut bytes).await.map(|_| ());
        let values: Vec<u64> = bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        self.conclude(ticket, result, |()| {
            values.iter().for_each(|value| self.look(*value));
            values.into_iter().map(Act::Read).collect()
        })
    }
    /// Other tenants' values are nobody's business.
    pub(super) fn look(&self, value: u64) {
        let owner = value >> OWNER_SHIFT;
        if owner != 0 && owner != self.tenant.number {
            let what = format!("tenant {} read {value:#x}, which tenant {owner} wrote", self.tenant.number);
            self.context.leak.borrow_mut().get_or_insert(what);
        }
    }
    fn conclude<T>(
        &self,
        ticket: Ticket,
        result: Result<T, Error>,
        acts: impl FnOnce(T) -> Vec<Act>,
    ) -> Result<(), Failed> {
        match result {
            Ok(answer) => {
                self.context.end(ticket, End::Done(acts(answer)));
                Ok(())
            }
            Err(error) => {
                let end = if error.effect() == Effect::None { End::None } else { End::Unknown };
                self.context.end(ticket, end);
                Err(failed(&error))
            }
        }
    }
}

pub(super) fn failed(error: &Error) -> Failed {
    Failed { restarted: error.is_restart() }
}
