//! What a board must have back when everybody is gone: each frame is accounted for, each page, slot, process and entry is free.
use mneme_wire::register::{REST_BOARD, REST_MEMORY, TABLE_LOST, TABLE_PINNED};
use mneme_wire::{Counter, NodeCounter, Register};

use super::{Ground, Yard};
use crate::damage::Balance;

/// Cycles in which everything that is under way ends: a page fault waits for a page for 2^18 of them.
const SETTLES: u64 = 1 << 19;
/// Windows after which the retry filter has freed all entries, and addresses that rest are usable again.
const WINDOWS: u64 = 4;
/// Cycles of the filter's scrubber per entry, with a reserve.
const SCRUB_CYCLES: u64 = 24;

/// Bytes that are zeroed in a beat, cycles that one may take, and cycles between two looks.
const LINE: u64 = 64;
const ZEROING: u64 = 4;
const ZEROED: u64 = 1 << 14;

/// What does not balance, in words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    /// Rows: what, the two sides.
    pub rows: Vec<(&'static str, u64, u64)>,
}

impl Sheet {
    fn same(&mut self, what: &'static str, here: u64, there: u64) {
        self.rows.push((what, here, there));
    }
    /// Rows whose sides differ.
    pub fn wrong(&self) -> Vec<String> {
        let differ = self.rows.iter().filter(|(_, here, there)| here != there);
        differ.map(|(what, here, there)| format!("{what}: {here}, should be {there}")).collect()
    }
}

impl<F: Ground> Yard<F> {
    /// Lets pass what everything takes to come to its end, once nobody asks for anything any more.
    pub fn settle(&mut self) -> anyhow::Result<()> {
        self.pass(SETTLES)?;
        let entries = self.node().fast().shape().filter_entries() as u64;
        let cycles = WINDOWS * self.window_cycles() + entries * SCRUB_CYCLES;
        let (mut left, slice) = (cycles, 1 << 12);
        while left > 0 {
            // Entries are freed by work that shows at no port, and that a quiet board would skip.
            self.node().fast().run_all(slice);
            self.pass(1)?;
            left = left.saturating_sub(slice);
        }
        // Pages are being zeroed until all that there is place for are offered.
        let looks = (1u64 << self.node().fast().shape().mem_bits) / LINE * ZEROING / ZEROED;
        for _ in 0..looks.max(1) {
            if self.node().idle() {
                break;
            }
            self.pass(ZEROED)?;
        }
        // The slow path looks once more at what hardware has.
        self.pass(ZEROED)
    }
    /// The node's counter.
    pub fn count(&mut self, counter: NodeCounter) -> u64 {
        self.node().counter(counter.number())
    }
    /// The board's.
    pub fn counter(&mut self, counter: Counter) -> u64 {
        self.node().counter(counter.number())
    }
    /// Frames that the board dropped in this life, by reason.
    pub fn drops(&mut self) -> Vec<(&'static str, u64)> {
        let all: Vec<_> = Balance::drops().map(|c| (c.name(), self.counter(c))).collect();
        all.into_iter().filter(|(_, count)| *count > 0).collect()
    }
    /// Draws up the balance. Nobody may be at work, and every process must have been ended.
    ///
    /// Slots whose entries memory did not take when the slow path changed them are given up, with their pages (contracts §4). They
    /// are counted, and back when the board has been reset: until then the balance is that they are all that is missing.
    pub fn balance(&mut self) -> Sheet {
        let mut sheet = Sheet::default();
        let lost = self.count(NodeCounter::SlotsLost);
        self.frames(&mut sheet);
        self.memory(&mut sheet, lost);
        self.health(&mut sheet);
        sheet
    }
    fn frames(&mut self, sheet: &mut Sheet) {
        let counters: Vec<u64> = Counter::ALL.iter().map(|c| self.counter(*c)).collect();
        let get = |counter: Counter| counters[counter as usize];
        let frames = Balance::of(&counters, 0);
        sheet.same("frames taken in, of those sent", frames.received, self.submitted);
        let known = frames.answered + frames.dropped + frames.slow;
        sheet.same("frames answered, dropped for a reason or given to the slow path", known, frames.received);
        let silent = self.count(NodeCounter::Unclaimed) + self.count(NodeCounter::RefusalsUnsent);
        sheet.same(
            "frames of the slow path answered, unclaimed or refused too often to be told",
            get(Counter::SlowRx) + silent,
            frames.slow,
        );
        let answers = frames.answered + get(Counter::SlowRx) - get(Counter::DropSlowGiant);
        sheet.same("frames that left, of all answers", get(Counter::TxFrames), answers);
        sheet.same("frames that came out, of those that left", self.emitted, get(Counter::TxFrames));
        // The software board writes over entries whose window is over, and counts only those that it looks for.
        if F::FREES_ENTRIES {
            let scrubbed = get(Counter::FilterScrubbed);
            sheet.same(
                "entries of the retry filter freed, of those taken",
                scrubbed,
                get(Counter::FilterInsert),
            );
        }
    }
    fn memory(&mut self, sheet: &mut Sheet, lost: u64) {
        let given = self.count(NodeCounter::PagesGiven);
        let offered = u64::from(self.node().fast().read_register(Register::AsyncLevel));
        let kept = given.saturating_sub(offered).min(lost);
        sheet.same("pages given, of those offered and given up", given, offered + kept);
        let (free, zeroing) = (self.count(NodeCounter::PagesFree), self.count(NodeCounter::PagesZeroing));
        let (usable, table) = self.node().slow().inspect(|space| {
            let geometry = space.geometry();
            (geometry.pages(), geometry.table_pages())
        });
        let limit = self.node().fast().memory_limit().unwrap_or(u64::MAX);
        let page = 1 << self.node().fast().shape().page_bits;
        let pages = usable.min(limit / page) - table;
        sheet.same("pages free, zeroing and given, of all", free + zeroing + given, pages);
        let none = [
            ("processes", NodeCounter::Processes),
            ("allocations", NodeCounter::Ranges),
            ("pages astray", NodeCounter::PagesAstray),
        ];
        for (what, counter) in none {
            sheet.same(what, self.count(counter), 0);
        }
        let used = self.count(NodeCounter::SlotsUsed);
        sheet.same("page-table slots, of those given up", used, lost);
        let charged = self.node().slow().inspect(|space| {
            space.tenants().map(|tenant| tenant.slots + tenant.pages + tenant.processes as u64).sum()
        });
        sheet.same("charged to tenants", charged, 0);
        let mut words = vec![0; (table * page) as usize];
        self.node().fast().read_memory(0, &mut words);
        let taken = words.as_chunks::<8>().0.iter().filter(|word| **word != [0; 8]).count();
        // Of a slot that was given up nobody knows what memory holds.
        sheet.same(
            "entries in the table in memory, beyond those given up",
            (taken as u64).saturating_sub(lost),
            0,
        );
    }
    fn health(&mut self, sheet: &mut Sheet) {
        let rest = self.node().fast().read_register(Register::Rest);
        sheet.same("REST: board and memory", (rest & (REST_BOARD | REST_MEMORY)).into(), 3);
        let pinned = self.node().fast().read_register(Register::TablePinned);
        sheet.same("entries that memory did not take", (pinned & (TABLE_PINNED | TABLE_LOST)).into(), 0);
        sheet.same("requests that stood still", self.counter(Counter::Watchdog), 0);
        sheet.same("panics of workers", self.count(NodeCounter::WorkerPanics), 0);
        let quiet = self.node().idle();
        sheet.same("something under way", u64::from(!quiet), 0);
    }
}
