//! The side that owns the fast path: boot, the async-buffer filler, the replace command, the ring, the clock.
use crate::boot::enable;
use crate::config::Config;
use crate::core::Core;
use crate::groups;
use crate::leaf::{LeafCommand, LeafDriver, LeafRefused, LeafState, Pace};
use crate::pages::Pages;
use crate::refusal_rate::RefusalRate;
use crate::roce::RoceFrames;
use crate::stats::HardwareCounters;
use crate::table::{Outcome, Replace, ReplaceDriver, Table, page_taken_out};
use crate::{FastPath, LatencySummary};
use mneme_wire::pte::Geometry;
use mneme_wire::register::{
    CONTROL_EXHAUSTED, HISTOGRAM_BUCKETS, TABLE_LOST, TABLE_PINNED, ZERO_ONLY, histogram_index,
};
use mneme_wire::{Counter, Mark, NodeCounter, Register, Stage};
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;

/// Ticks between looks at entries that memory did not take.
const TABLE_TICKS: u64 = 64;

/// How far the boot has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BootStage {
    /// Pages of the table are being pushed to be zeroed; this one is next.
    ZeroTable(u32),
    /// All are pushed; they are being zeroed.
    AwaitTable,
    /// Requests are served.
    Serving,
}

/// What only the owner of the fast path touches.
#[derive(Debug)]
pub(crate) struct Station {
    driver: ReplaceDriver,
    /// Of a leaf unit that is hardware.
    leaf: Option<LeafDriver>,
    pub(crate) pages: Pages,
    hardware: HardwareCounters,
    outbox: VecDeque<Vec<u8>>,
    outbox_bound: usize,
    control: u32,
    /// The groups of classes that the fast path was told.
    groups: u32,
    stage: BootStage,
    /// Pages that are zeroed first: those of the page table, and of what a leaf unit of hardware needs.
    table_pages: u32,
    ppn_mask: u64,
    tick_log2: u32,
    /// Tick of the next look at all hardware counters.
    next_sample: u64,
    /// Tick of the next look at entries that memory did not take.
    next_repair: u64,
    /// The board has lost one, and somebody was told.
    lost: bool,
    /// Pages that came back though nobody had them.
    astray: u64,
    refusals: RefusalRate,
    /// Commands that were begun and have not ended.
    runs: Option<Run>,
    /// Frames of a board page.
    page_frames: u64,
    /// Of looks for pages that the ring can do without.
    pace: Pace,
    /// What came for queue pairs of software's; `None`: nobody serves them.
    pub(crate) roce: Option<RoceFrames>,
}

/// Replace commands of somebody who waits for them.
#[derive(Debug)]
struct Run {
    commands: Vec<Replace>,
    outcomes: Vec<Outcome>,
}

impl Station {
    pub(crate) fn new(
        config: &Config,
        geometry: &Geometry,
        (pages, tick_log2): (Pages, u32),
        leaf: Option<LeafDriver>,
    ) -> Station {
        let leaf_pages = leaf.as_ref().map_or(0, LeafDriver::own_pages);
        Station {
            driver: ReplaceDriver::new(config.replace_patience),
            leaf,
            pages,
            hardware: HardwareCounters::default(),
            outbox: VecDeque::new(),
            outbox_bound: config.limits.outbox,
            control: 0,
            groups: 0,
            stage: BootStage::ZeroTable(0),
            table_pages: (geometry.table_pages() + leaf_pages) as u32,
            ppn_mask: geometry.ppn_mask(),
            tick_log2: tick_log2.min(24),
            next_sample: 0,
            next_repair: 0,
            lost: false,
            astray: 0,
            refusals: RefusalRate::new(&config.limits),
            runs: None,
            page_frames: geometry.page_frames(),
            pace: Pace::new(),
            roce: config.roce.then(RoceFrames::default),
        }
    }

    /// Whether the board serves requests.
    pub(crate) fn serving(&self) -> bool {
        self.stage == BootStage::Serving
    }

    /// What is due whatever comes from the ring: the clock, the boot, the filler, old answers. True: the board serves.
    pub(crate) fn begin_poll<F: FastPath + ?Sized>(&mut self, fp: &mut F, core: &Core) -> bool {
        let now = core.set_tick(fp.read_register(Register::Tick));
        if !self.serving() && !self.advance_boot(fp, core) {
            return false;
        }
        if self.groups != core.groups() {
            self.groups = core.groups();
            groups::regroup(self.groups, fp);
        }
        if let Some(keys) = &core.keys {
            let rolled = keys.roll(&core.config, now, fp);
            if rolled > 0 {
                core.stats.count_many(NodeCounter::KeyRolls, rolled);
            }
        }
        if now >= self.next_sample {
            // A counter counts at most one event a cycle: looked at every 2^30 cycles, none wraps unseen.
            self.next_sample = now + (1 << (30 - self.tick_log2).min(22));
            for counter in Counter::ALL {
                self.hardware.observe(*counter, fp.read_counter(*counter));
            }
            for stage in Stage::ALL {
                for bucket in 0..HISTOGRAM_BUCKETS {
                    self.counter(fp, core, stage.bucket(bucket));
                }
            }
        }
        if now >= self.next_repair && self.repair_table(fp, core) {
            self.next_repair = now + TABLE_TICKS;
        }
        self.refill(fp);
        self.feed_ring(fp, core);
        self.flush(fp);
        true
    }

    /// What the leaf unit has; `None`: there is none.
    pub(crate) fn leaf_state<F: FastPath + ?Sized>(&self, fp: &mut F) -> Option<LeafState> {
        match &self.leaf {
            Some(driver) => Some(driver.state(fp)),
            None => fp.leaf_state(),
        }
    }

    /// What a leaf unit of hardware numbers the segment whose first leaf table this is.
    pub(crate) fn segment_number(&self, table: u32) -> Option<u32> {
        self.leaf.as_ref()?.number(table)
    }

    /// Gives the ring of frames board pages when it runs low, and takes one back that it can do without. It is low with half a page
    /// of frames, or with less than its segments may still take where that is fewer.
    fn feed_ring<F: FastPath + ?Sized>(&mut self, fp: &mut F, core: &Core) {
        let Some(LeafState { ring, given, wanted }) = self.leaf_state(fp) else { return };
        let held = self.leaf.as_ref().map_or(0, LeafDriver::held);
        let low = (self.page_frames / 2).min(wanted);
        if ring < low {
            // None in the async buffer: the next look comes soon.
            let _dry = self.leaf(fp, LeafCommand::Refill).is_err();
        } else if ring + held >= low + self.page_frames && self.pace.is_due(core.now()) {
            let found = self.leaf(fp, LeafCommand::TakeBack);
            self.pace.looked(core.now(), found);
            if let Ok(page) = found {
                self.take_in(page);
            }
        }
        core.pool.store((given + held) / self.page_frames.max(1), Relaxed);
    }

    /// A page that nobody has any more is free.
    fn take_in(&mut self, page: u64) {
        if let Err(error) = self.pages.give_back(page) {
            self.astray += 1;
            tracing::error!(%error, "the leaf unit's page was not taken back");
        }
    }

    /// Has the leaf unit execute a command.
    pub(crate) fn leaf<F: FastPath + ?Sized>(
        &mut self,
        fp: &mut F,
        command: LeafCommand,
    ) -> Result<u64, LeafRefused> {
        let done = match &mut self.leaf {
            Some(driver) => driver.command(fp, command),
            None => fp.leaf(command),
        };
        if matches!((command, done), (LeafCommand::Sweep(..), Ok(0))) {
            self.pace.freed();
        }
        done
    }

    /// Has an entry that memory did not take written once more, one bucket at a look. Of the pages of that bucket the board
    /// does not say which it is. False: it has to be tried again soon.
    fn repair_table<F: FastPath + ?Sized>(&mut self, fp: &mut F, core: &Core) -> bool {
        let pinned = fp.read_register(Register::TablePinned);
        if pinned & TABLE_LOST != 0 && !self.lost {
            self.lost = true;
            tracing::error!(
                "memory did not take page-table entries; pages without memory answer MEMERR until the board restarts"
            );
        }
        if pinned & TABLE_PINNED == 0 {
            return true;
        }
        if self.runs.is_some() {
            return false;
        }
        let Some(space) = core.try_space() else { return false };
        let pages = space.shadow.pages_in(u64::from(pinned & !(TABLE_PINNED | TABLE_LOST)));
        drop(space);
        for (pid, vpn) in pages {
            let refused = self.execute(fp, &[Replace::rewrite(pid, vpn)]).contains(&Outcome::Failed);
            if refused {
                tracing::warn!(pid, vpn, "memory does not take the page's entry");
            }
            core.stats.count(if refused { NodeCounter::TableRefused } else { NodeCounter::TableRepairs });
        }
        // If it is still there, another one's turn comes first.
        fp.write_register(Register::TablePinned, 0);
        true
    }

    /// One step of the boot; true when it is complete.
    fn advance_boot<F: FastPath + ?Sized>(&mut self, fp: &mut F, core: &Core) -> bool {
        if let BootStage::ZeroTable(mut next) = self.stage {
            let space = fp.read_register(Register::ZeroSpace);
            let end = self.table_pages.min(next.saturating_add(space));
            while next < end {
                fp.write_register(Register::ZeroPush, next | ZERO_ONLY);
                next += 1;
            }
            self.stage =
                if next == self.table_pages { BootStage::AwaitTable } else { BootStage::ZeroTable(next) };
        }
        if self.stage == BootStage::AwaitTable && fp.read_register(Register::ZeroPending) == 0 {
            self.control = enable(core, fp);
            self.groups = core.groups();
            self.stage = BootStage::Serving;
        }
        self.serving()
    }

    /// Keeps the async buffer filled, and the exhausted bit right: set when neither a free page nor one in the zeroing
    /// queue is left, cleared before the first page that came back is pushed.
    pub(crate) fn refill<F: FastPath + ?Sized>(&mut self, fp: &mut F) {
        if self.pages.free() == 0 {
            if self.control & CONTROL_EXHAUSTED == 0 && fp.read_register(Register::ZeroPending) == 0 {
                self.set_exhausted(fp, true);
            }
            return;
        }
        self.set_exhausted(fp, false);
        let space = fp.read_register(Register::ZeroSpace);
        if space == 0 {
            return;
        }
        self.observe(fp);
        for _ in 0..space {
            let Some(page) = self.pages.take() else { break };
            fp.write_register(Register::ZeroPush, page);
        }
    }

    fn set_exhausted<F: FastPath + ?Sized>(&mut self, fp: &mut F, exhausted: bool) {
        let control = self.control & !CONTROL_EXHAUSTED | if exhausted { CONTROL_EXHAUSTED } else { 0 };
        if control != self.control {
            self.control = control;
            fp.write_register(Register::Control, control);
        }
    }

    /// Looks at what hardware holds.
    pub(crate) fn observe<F: FastPath + ?Sized>(&mut self, fp: &mut F) {
        let zeroing = fp.read_register(Register::ZeroPending) as usize;
        let level = fp.read_register(Register::AsyncLevel) as usize;
        self.pages.observe(zeroing, level);
    }

    /// Runs replace commands until one is not done, and waits for them.
    pub(crate) fn execute<F: FastPath + ?Sized>(&mut self, fp: &mut F, commands: &[Replace]) -> Vec<Outcome> {
        self.runs = Some(Run { commands: commands.to_vec(), outcomes: Vec::with_capacity(commands.len()) });
        loop {
            if let Some(outcomes) = self.advance(fp, usize::MAX, u32::MAX) {
                return outcomes;
            }
        }
    }

    /// Takes commands in that [`Station::advance`] is to run. There must be none that run.
    pub(crate) fn begin(&mut self, commands: Vec<Replace>) {
        debug_assert!(self.runs.is_none());
        self.runs = Some(Run { outcomes: Vec::with_capacity(commands.len()), commands });
    }

    /// Goes on with the commands that were begun, with at most `most` of them and `reads` looks at each. The outcomes when
    /// they have ended: up to the first that is not done. Pages that come out of the table are free again.
    pub(crate) fn advance<F: FastPath + ?Sized>(
        &mut self,
        fp: &mut F,
        most: usize,
        reads: u32,
    ) -> Option<Vec<Outcome>> {
        let mut run = self.runs.take()?;
        for _ in 0..most {
            let Some(command) = run.commands.get(run.outcomes.len()) else { break };
            let Some(outcome) = self.driver.advance(fp, command, reads) else { break };
            if let Some(page) = page_taken_out(command, &outcome, self.ppn_mask)
                && let Err(error) = self.pages.give_back(page)
            {
                self.astray += 1;
                tracing::error!(%error, pid = command.pid, vpn = command.vpn, "not taken back");
            }
            run.outcomes.push(outcome);
            if !matches!(outcome, Outcome::Done(_)) {
                run.commands.truncate(run.outcomes.len());
            }
        }
        if self.pages.free() > 0 {
            // Before anybody is told of the free memory.
            self.set_exhausted(fp, false);
        }
        if run.outcomes.len() == run.commands.len() {
            return Some(run.outcomes);
        }
        self.runs = Some(run);
        None
    }

    /// Whether another answer may be made: all earlier ones found room in the ring.
    pub(crate) fn has_room(&self) -> bool {
        self.outbox.len() < self.outbox_bound
    }

    /// Sends an answer, or keeps it until the ring has room. An empty one is silence. Of refusals each address is told a
    /// bounded number in a time.
    pub(crate) fn post<F: FastPath + ?Sized>(&mut self, fp: &mut F, core: &Core, frame: Vec<u8>) {
        if !frame.is_empty() && self.refusals.may_send(&frame, core.now_ns()) {
            self.outbox.push_back(frame);
            self.flush(fp);
        }
    }

    /// Sends what waits, as far as the ring has room.
    pub(crate) fn flush<F: FastPath + ?Sized>(&mut self, fp: &mut F) {
        while let Some(frame) = self.outbox.front() {
            if fp.send(frame).is_err() {
                return;
            }
            self.outbox.pop_front();
        }
    }

    /// Nothing waits to be sent.
    pub(crate) fn idle(&self) -> bool {
        self.outbox.is_empty()
    }

    /// The value of a counter number, 0 for numbers that this board does not have.
    pub(crate) fn counter<F: FastPath + ?Sized>(&mut self, fp: &mut F, core: &Core, number: u32) -> u64 {
        if let Some(counter) = Counter::from_number(number) {
            return self.hardware.observe(counter, fp.read_counter(counter));
        }
        if let Some(index) = histogram_index(number) {
            return self.hardware.observe_bucket(index, fp.read_observed(number));
        }
        if Mark::from_number(number).is_some() {
            return u64::from(fp.read_observed(number));
        }
        if let Some(register) = Register::of_build_number(number) {
            return u64::from(fp.read_register(register));
        }
        match NodeCounter::from_number(number) {
            Some(counter) => self.node_counter(fp, core, counter),
            None => core.stats.refusals(number).unwrap_or(0),
        }
    }

    fn node_counter<F: FastPath + ?Sized>(&self, fp: &mut F, core: &Core, counter: NodeCounter) -> u64 {
        let latency = |field: fn(&LatencySummary) -> u64| fp.latency().as_ref().map_or(0, field);
        match counter {
            NodeCounter::BoardKind => u64::from(core.config.board_kind),
            NodeCounter::Cycles => core.now() << self.tick_log2,
            NodeCounter::LatencyCount => latency(|l| l.count),
            NodeCounter::LatencyMin => latency(|l| l.min),
            NodeCounter::LatencyP50 => latency(|l| l.p50),
            NodeCounter::LatencyP99 => latency(|l| l.p99),
            NodeCounter::LatencyMax => latency(|l| l.max),
            NodeCounter::Processes => core.census.processes.load(Relaxed),
            NodeCounter::Ranges => core.census.ranges.load(Relaxed),
            NodeCounter::SlotsUsed => core.census.slots_used.load(Relaxed),
            NodeCounter::AllocRetries => core.census.retries.load(Relaxed),
            NodeCounter::SlotsLost => core.census.lost_slots.load(Relaxed),
            NodeCounter::PagesAstray => self.astray,
            NodeCounter::RefusalsUnsent => self.refusals.unsent(),
            NodeCounter::PagesFree => self.pages.free() as u64,
            NodeCounter::PagesZeroing => self.pages.zeroing() as u64,
            NodeCounter::PagesGiven => self.pages.held_by_hardware() as u64,
            event => core.stats.get(event),
        }
    }
}

/// The table as the owner of the fast path reaches it.
pub(crate) struct Direct<'a, F: FastPath + ?Sized> {
    pub(crate) station: &'a mut Station,
    pub(crate) fp: &'a mut F,
}

impl<F: FastPath + ?Sized> Table for Direct<'_, F> {
    fn run(&mut self, commands: &[Replace]) -> Vec<Outcome> {
        self.station.execute(self.fp, commands)
    }
    fn leaf(&mut self, command: LeafCommand) -> Result<u64, LeafRefused> {
        self.station.leaf(self.fp, command)
    }
}
