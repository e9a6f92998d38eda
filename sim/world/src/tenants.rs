//! What clients do: requests of every kind on memory that several of them share, and on memory that comes and goes.
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mneme_clib::{Client, Effect, Error, OpenOptions, Process};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::Time;
use super::guard::Guard;
use super::history::{Act, Word};
use super::holdings::{Asked, Doubt, Holdings};
use super::ledger::{End, Ledger, Ticket};
use super::metadata::Own;
use super::program::Known;

/// Bits of a value above the number that makes it unique: whose it is.
const OWNER_SHIFT: u32 = 56;
/// Bits below that number, for what is added.
pub(super) const ADD_BITS: u32 = 20;
/// Most words that a request reads or writes.
const MOST_WORDS: u64 = 6;
/// Words of a region that requests go to: few, so that they meet; half of them on either side of a page border.
pub const WORDS: u64 = 12;

/// Memory in which words lie.
#[derive(Debug, Clone, Copy)]
pub struct Region {
    /// Where the allocation begins.
    pub base: u64,
    /// The first word's address.
    pub va: u64,
    /// Its number in histories.
    pub allocation: u64,
}

impl Region {
    /// Within an allocation of two pages.
    pub fn within(base: u64, page: u64, allocation: u64) -> Region {
        Region { base, va: base + page - WORDS / 2 * 8, allocation }
    }
    /// A word's address.
    pub fn at(&self, index: u64) -> u64 {
        self.va + 8 * index
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
    /// Of which boot of it.
    pub boot: u64,
    /// For other clients to join.
    pub pid: u32,
    /// For other clients to join.
    pub token: [u8; 16],
    /// What all its clients use.
    pub shared: Region,
    /// The beginning of the same allocation.
    pub low: Region,
    /// Its locks.
    pub guard: Guard,
}

/// What all clients have in common.
pub struct Context {
    /// Requests and histories.
    pub ledger: RefCell<Ledger>,
    /// Processes and allocations.
    pub holdings: RefCell<Holdings>,
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
    /// Clients make no calls but reads, writes, atomics, allocations and frees.
    pub(super) plain: bool,
    numbers: Cell<u64>,
}

impl Context {
    /// An empty ledger.
    pub fn new(clock: Box<dyn Fn() -> Time>, epochs: &[u8], plain: bool) -> Context {
        Context {
            ledger: RefCell::default(),
            holdings: RefCell::new(Holdings::new(epochs)),
            plain,
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
    /// Whether a tenant's board has restarted.
    pub fn is_dead(&self, tenant: &Tenant) -> bool {
        self.holdings.borrow().boot(tenant.board) != tenant.boot
    }
    /// A call begins that the slow path of a board serves.
    pub(super) fn ask(&self, board: usize, boot: u64, asked: Asked) -> Doubt {
        self.holdings.borrow_mut().ask(board, boot, asked)
    }
    /// It has ended; `given`: the address of an ALLOC.
    pub(super) fn told<T>(
        &self,
        board: usize,
        doubt: Doubt,
        result: &Result<T, Error>,
        given: impl FnOnce(&T) -> u64,
    ) {
        self.holdings.borrow_mut().told(board, doubt, result.as_ref().map(given));
    }
    /// Opens a process; tells the boot of the board that it belongs to.
    pub(super) fn open(&self, board: usize, client: &Client) -> Result<(Process, u64), Error> {
        let boot = self.holdings.borrow().boot(board);
        let doubt = self.ask(board, boot, Asked::Open);
        let opened = client.open(OpenOptions::default());
        let told = opened.as_ref().map(|process| (process.pid(), client.board().epoch));
        let boot = self.holdings.borrow_mut().opened(board, doubt, told);
        Ok((opened?, boot))
    }
    /// A process of a tenant's board was joined.
    pub(super) fn joined(&self, tenant: &Tenant, pid: u32) {
        self.holdings.borrow_mut().joined(tenant.board, tenant.boot, pid);
    }
    pub(super) fn begin(&self, client: usize, words: Vec<(Word, Act)>) -> Ticket {
        self.ledger.borrow_mut().begin(client, (self.clock)(), words)
    }
    /// A call has ended by now; how is not known yet.
    pub(super) fn ended(&self, ticket: Ticket) {
        self.ledger.borrow_mut().ended(ticket, (self.clock)());
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
        let mut own: Option<Own> = None;
        let kinds = if self.context.plain { 900 } else { 1_040 };
        while !self.context.stop.get() && !self.context.is_dead(&self.tenant) {
            let result = match (self.random.random_range(0..kinds), &mut own) {
                (0..540, _) | (540..828, None) => self.request(self.tenant.shared).await,
                (540..648, Some(own)) => {
                    own.known = Known::default();
                    self.request(own.region).await
                }
                (648..828, Some(own)) => self.program(own.region, &mut own.known).await,
                (828..900, None) | (900..915, None) => self.allocate().await.map(|new| own = Some(new)),
                (828..900, Some(_)) => self.free(own.take()).await,
                (900..915, Some(_)) => self.protect(&mut own).await,
                (915..955, _) => self.refused().await,
                (955..962, _) => self.visit(),
                (962..1_000, _) => self.message().await,
                _ => self.critical().await,
            };
            if result.is_err_and(|failed| failed.restarted) {
                return;
            }
        }
    }
    /// A value that nobody wrote before.
    pub(super) fn value(&self) -> u64 {
        self.owned(self.context.number() << ADD_BITS)
    }
    /// A value that says whose it is.
    pub(super) fn owned(&self, value: u64) -> u64 {
        self.tenant.number << OWNER_SHIFT | value
    }
    pub(super) async fn request(&mut self, region: Region) -> Result<(), Failed> {
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
    pub(super) fn conclude<T>(
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
