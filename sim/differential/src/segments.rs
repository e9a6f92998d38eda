//! Segments of pages of 4 KB on both: the slow path's own driver opens, protects and ends them on the board, while requests come.
//!
//! What may differ: which frame a page has, as with board pages; and whether the ring had one for requests that came before it had got a page,
//! or before it was seen that no freed frame waits. In runs whose memory fails there are none: it fails by physical address, and frames have others.
use std::collections::HashSet;

use mneme_model::port::{BadMemory, NetworkPort, RegisterPort};
use mneme_model::soft::{Page, Replace};
use mneme_slowpath::{FastPath, LeafCommand, LeafDriver, LeafRefused, LeafSegment};
use mneme_wire::leaf::{LEAF_CLEAN, LEAF_COUNTERS};
use mneme_wire::pte::{self, FRAME_BYTES, PageState};
use mneme_wire::{LeafCounter, LeafRegister, Register, Rights};
use rand::Rng;

use super::generate::{into_frame, on_page};
use super::mismatch::Mismatch;
use super::pages::first_page;
use super::run::Run;
use super::spoil::pick;

/// Segments at a time.
const SEGMENTS: usize = 6;
/// Frames that a run writes to one after the other, at most.
const FILLED: u64 = 60;
/// Looks at the unit until it holds nothing back.
const LOOKS: u32 = 20_000;

/// A segment, by its first leaf table.
#[derive(Debug, Clone, Copy)]
struct Segment {
    table: u32,
    tables: u32,
}

/// What the leaf unit has.
#[derive(Default)]
pub struct Frames {
    driver: Option<LeafDriver>,
    /// Leaf tables that no physical page of the run has the number of: an entry that is called split and was a board page's names none of them.
    tables: Vec<u32>,
    open: Vec<Segment>,
    /// Board pages that it was given.
    given: Vec<u64>,
}

impl Frames {
    /// Whether the run has segments.
    pub fn are_served(&self) -> bool {
        self.driver.is_some()
    }
    /// Board pages that it was given.
    pub fn board_pages(&self) -> u64 {
        self.given.len() as u64
    }
}

fn refused(what: &str, board: Result<u64, LeafRefused>, model: Result<u64, LeafRefused>) -> Mismatch {
    Mismatch::new(format!("{what}: board {board:?}, model {model:?}"))
}

impl<B: FastPath + NetworkPort + BadMemory + RegisterPort> Run<'_, B> {
    /// Finds the board's leaf unit, and the leaf tables for the run.
    pub(super) fn start_frames(&mut self) {
        if !self.world.shape.leaf {
            return;
        }
        let geometry = self.world.geometry;
        self.frames.driver = LeafDriver::of(self.board, &geometry);
        let first = first_page(&self.world.shape, &geometry);
        let taken: HashSet<u64> = self.pool.iter().map(|(page, _)| u64::from(*page)).collect();
        // An entry that is away has a row in the place.
        let free = (first.max(mneme_wire::register::AWAY_ROWS as u64)..geometry.pages())
            .filter(|page| !taken.contains(page));
        self.frames.tables = free.flat_map(|page| [page as u32, (geometry.pages() + page) as u32]).collect();
        self.frames.tables.sort_unstable();
    }

    /// Two segments from the start, and in half of the runs frames for them.
    pub(super) fn first_segments(&mut self) -> Result<(), Mismatch> {
        if !self.frames.are_served() {
            return Ok(());
        }
        if self.rng.random_bool(0.5) {
            self.refill()?;
        }
        self.open_segment()?;
        self.open_segment()
    }

    /// A command to both; the board's answer and the model's.
    fn leaf(&mut self, command: LeafCommand) -> (Result<u64, LeafRefused>, Result<u64, LeafRefused>) {
        let Some(driver) = &mut self.frames.driver else {
            return (Err(LeafRefused::None), Err(LeafRefused::None));
        };
        let board = driver.command(self.board, command);
        // Before anything is collected: the board may have used what it was given meanwhile.
        let model = if board.is_ok() { self.replay.model.leaf_command(command) } else { board };
        (board, model)
    }
    /// The same of a command that neither refuses.
    fn order(&mut self, command: LeafCommand) -> Result<(), Mismatch> {
        let (board, model) = self.leaf(command);
        if board.is_err() || board != model {
            return Err(refused(&format!("{command:?}"), board, model));
        }
        self.collect()
    }

    pub(super) fn act_on_frames(&mut self) -> Result<(), Mismatch> {
        if self.replay.model.leaf.ring().is_empty() && self.rng.random_bool(0.1) {
            return self.refill();
        }
        match self.rng.random_range(0..100) {
            0..25 if self.frames.open.len() < SEGMENTS => self.open_segment(),
            0..30 => self.refill(),
            30..45 => self.protect_segment(),
            45..53 => self.end_segment(),
            53..75 => self.fill_frames(),
            75..99 => self.send_to_frames(),
            _ => self.take_back(),
        }
    }

    /// A board page for the ring; mostly one that was given for it, since faults want them, too.
    fn refill(&mut self) -> Result<(), Mismatch> {
        if self.rng.random_bool(0.8) {
            if self.replay.model.leaf.ring().is_empty() {
                self.allow_page();
            }
            self.give_pages(2);
            for _ in 0..LOOKS {
                let pending = self.board.read_register(Register::ZeroPending);
                if pending == 0 || self.board.read_register(Register::AsyncLevel) > 0 {
                    break;
                }
                self.pass(64)?;
            }
        }
        let (board, model) = self.leaf(LeafCommand::Refill);
        match (board, model) {
            (Ok(page), Ok(_)) => {
                // Who was under way may have met the ring without it.
                self.replay.frames_wait = self.replay.next_number();
                self.replay.occupancy.page_taken();
                self.frames.given.push(page);
            }
            (Err(LeafRefused::NoPage), _) => {}
            _ => return Err(refused("Refill", board, model)),
        }
        self.collect()
    }

    /// A segment, and the entries of its pages: one or two, which lie side by side.
    fn open_segment(&mut self) -> Result<(), Mismatch> {
        let free: Vec<Page> = self.world.pages.iter().copied().filter(|page| self.is_free(*page)).collect();
        if free.is_empty() {
            return Ok(());
        }
        let page = *pick(&mut self.rng, &free);
        let next = Page { vpn: page.vpn + 1, ..page };
        let tables = self.rng.random_range(1..=2);
        let used = |table: u32| {
            self.frames.open.iter().any(|own| (own.table..own.table + own.tables).contains(&table))
        };
        let run = |first: &u32| {
            (*first..*first + tables).all(|table| !used(table) && self.frames.tables.contains(&table))
        };
        let runs: Vec<u32> = self.frames.tables.iter().copied().filter(run).collect();
        let va = page.vpn * self.world.geometry.page_size();
        let length = u64::from(tables) * self.world.geometry.page_size();
        let meets = self.replay.model.leaf.overlapped(page.pid.get(), va, length).is_some();
        if runs.is_empty() || meets || va + length > 1 << pte::VA_BITS {
            return Ok(());
        }
        let table = *pick(&mut self.rng, &runs);
        // An entry that is left of a segment before may name it.
        self.settle_tables(Segment { table, tables })?;
        let rights = self.rights();
        let budget = *pick(&mut self.rng, &[0, 2, 40, 150, 256, 256, 1000]);
        let pid = page.pid.get();
        self.order(LeafCommand::Create(LeafSegment { pid, va, table, tables, budget, rights }))?;
        self.frames.open.push(Segment { table, tables });
        self.report.segments += 1;
        for (page, table) in [page, next].into_iter().zip(table..table + tables) {
            if !self.world.pages.contains(&page) || !self.is_free(page) {
                continue;
            }
            let state = u64::from(PageState::Split.number()) << pte::STATE_SHIFT;
            let rights = *pick(
                &mut self.rng,
                &[
                    pte::READ | pte::WRITE,
                    pte::READ | pte::WRITE,
                    pte::READ | pte::WRITE,
                    pte::READ,
                    pte::WRITE,
                ],
            );
            let new = pte::ALLOCATED | rights | state | u64::from(table);
            let command = Replace { page, compare: pte::ALLOCATED, expected: 0, write: u64::MAX, new };
            self.start_replace(&command);
            self.finish_replace(&command)?;
            if self.is_split(page) && !self.world.split.contains(&page) {
                self.world.split.push(page);
            }
        }
        Ok(())
    }

    /// Whether a page has no entry, and may get one.
    fn is_free(&self, page: Page) -> bool {
        let damaged = self.damages.iter().any(|(_, victim)| *victim == Some(page));
        self.replay.model.find_entry(page).is_err() && !damaged && !self.programs.pages().contains(&page)
    }

    fn rights(&mut self) -> Rights {
        let (read, write) = match self.rng.random_range(0..12) {
            0 => (true, false),
            1 => (false, true),
            2 => (false, false),
            _ => (true, true),
        };
        Rights { read, write }
    }

    /// Whether an entry names a leaf table.
    fn is_split(&self, page: Page) -> bool {
        self.table_of(page).is_some()
    }
    fn table_of(&self, page: Page) -> Option<u32> {
        let entry = self.replay.model.find_entry(page).ok()?;
        let split = pte::state(entry) == PageState::Split;
        split.then_some((entry & self.world.geometry.leaf_mask()) as u32)
    }

    /// Waits for the requests to pages whose entries name a segment's tables: a command changes what they meet.
    fn settle_tables(&mut self, of: Segment) -> Result<(), Mismatch> {
        for page in self.pages_of(of) {
            self.settle_page(page)?;
        }
        Ok(())
    }
    fn pages_of(&self, of: Segment) -> Vec<Page> {
        let names = |page: &Page| {
            self.table_of(*page).is_some_and(|table| (of.table..of.table + of.tables).contains(&table))
        };
        self.world.pages.iter().copied().filter(names).collect()
    }

    fn protect_segment(&mut self) -> Result<(), Mismatch> {
        let Some(at) = self.some_segment() else { return Ok(()) };
        let segment = self.frames.open[at];
        self.send_to_frames()?;
        self.settle_tables(segment)?;
        let rights = self.rights();
        self.order(LeafCommand::Protect(segment.table, rights))?;
        self.send_to_frames()
    }
    fn some_segment(&mut self) -> Option<usize> {
        let open = self.frames.open.len();
        (open > 0).then(|| self.rng.random_range(0..open))
    }

    /// As the slow path does it, entries first; or with entries that stay, so that requests meet a closed segment, and none.
    fn end_segment(&mut self) -> Result<(), Mismatch> {
        let Some(at) = self.some_segment() else { return Ok(()) };
        let segment = self.frames.open.swap_remove(at);
        if self.rng.random_bool(0.7) {
            for page in self.pages_of(segment) {
                let free = Replace {
                    page,
                    compare: pte::ALLOCATED,
                    expected: pte::ALLOCATED,
                    write: u64::MAX,
                    new: 0,
                };
                self.start_replace(&free);
                self.finish_replace(&free)?;
            }
        }
        self.send_to_frames()?;
        self.settle_tables(segment)?;
        self.order(LeafCommand::Close(segment.table))?;
        self.send_to_frames()?;
        self.settle_tables(segment)?;
        self.replay.frames_wait = u64::MAX;
        self.order(LeafCommand::Sweep(segment.table, u32::MAX))?;
        self.send_to_frames()?;
        self.await_frames()
    }

    /// Until no freed frame waits for accesses: whoever comes now finds all that are free.
    fn await_frames(&mut self) -> Result<(), Mismatch> {
        for _ in 0..LOOKS {
            if self.board.read_leaf(LeafRegister::Waiting.number()) == 0 {
                self.replay.frames_wait = self.replay.next_number();
                return Ok(());
            }
            self.pass(8)?;
        }
        Err(Mismatch::new("freed frames wait for ever".into()))
    }

    /// Writes to one frame of a segment after the other.
    fn fill_frames(&mut self) -> Result<(), Mismatch> {
        let now = self.now();
        let pages: Vec<Page> = self.world.split.iter().copied().filter(|page| self.is_split(*page)).collect();
        if pages.is_empty() {
            return Ok(());
        }
        let page = *pick(&mut self.rng, &pages);
        let frames = self.world.geometry.page_frames();
        let (first, count) = (self.rng.random_range(1..frames), self.rng.random_range(1..FILLED));
        for frame in first..(first + count).min(frames) {
            self.wait_for_slots()?;
            let sent = into_frame(&mut self.world, page, frame, now, &mut self.rng);
            self.send(sent)?;
        }
        Ok(())
    }

    /// Some requests to pages of frames, or that were such.
    fn send_to_frames(&mut self) -> Result<(), Mismatch> {
        let now = self.now();
        for _ in 0..self.rng.random_range(0..8) {
            if self.world.split.is_empty() {
                return Ok(());
            }
            let page = *pick(&mut self.rng, &self.world.split);
            self.wait_for_slots()?;
            let sent = on_page(&mut self.world, page, now, &mut self.rng);
            self.send(sent)?;
        }
        Ok(())
    }

    /// A board page out of the ring. Where frames are in use it hangs on which ones whether there is one.
    fn take_back(&mut self) -> Result<(), Mismatch> {
        while !self.frames.open.is_empty() {
            self.end_segment()?;
        }
        self.drain()?;
        if self.frames.given.is_empty() {
            return Ok(());
        }
        loop {
            match self.leaf(LeafCommand::TakeBack) {
                (Err(LeafRefused::Unfinished), _) => continue,
                (Ok(page), Ok(of_model)) => {
                    self.frames.given.retain(|given| *given != page);
                    self.pool.push((page as u32, of_model as u32));
                }
                (board, model) => return Err(refused("TakeBack", board, model)),
            }
            // Frames of other pages may be on their way back, too.
            if self.frames.driver.as_ref().is_none_or(|driver| driver.held() == 0) {
                return Ok(());
            }
        }
    }

    /// Compares segments on a quiet board: who has frames, what is in them, and that each frame is in one place. Answers how many bytes.
    pub(super) fn compare_frames(&mut self, pages: &HashSet<u64>) -> Result<u64, Mismatch> {
        if !self.frames.are_served() {
            return Ok(0);
        }
        self.await_frames()?;
        let mut looks = 0;
        while self.board.read_leaf(LeafRegister::State.number()) & LEAF_CLEAN == 0 {
            self.pass(8)?;
            looks += 1;
            if looks == LOOKS {
                return Err(Mismatch::new("entries of leaf tables are never written".into()));
            }
        }
        if let Some(page) = self.frames.given.iter().find(|page| pages.contains(page)) {
            return Err(Mismatch::new(format!("physical page {page} is the leaf unit's, and in the table")));
        }
        let mut seen = HashSet::new();
        for segment in self.frames.open.clone() {
            self.compare_segment(segment, &mut seen)?;
        }
        let leaf = &self.replay.model.leaf;
        let model = [leaf.given() as u64, leaf.ring().len() as u64, seen.len() as u64];
        let mut read = |offset: u32| u64::from(self.board.read_leaf(offset));
        let mut counter = |counter: LeafCounter| read(LEAF_COUNTERS + 4 * counter.number());
        let used = counter(LeafCounter::Taken).wrapping_sub(counter(LeafCounter::Freed));
        let board = [read(LeafRegister::Total.number()), read(LeafRegister::Usable.number()), used];
        if board != model {
            return Err(Mismatch::new(format!(
                "frames given, free, in use: board {board:?}, model {model:?}"
            )));
        }
        self.report.framed += seen.len() as u64;
        Ok(seen.len() as u64 * FRAME_BYTES)
    }

    fn compare_segment(&mut self, segment: Segment, seen: &mut HashSet<u64>) -> Result<(), Mismatch> {
        let geometry = self.world.geometry;
        let model_table = self.replay.model.leaf_entries(segment.table).unwrap_or_default();
        let mut table = vec![0; model_table.len() * 8];
        self.board.read_memory(geometry.leaf_table(segment.table.into()), &mut table);
        let (mut of_board, mut of_model) = ([0; FRAME_BYTES as usize], [0; FRAME_BYTES as usize]);
        for (number, (board, model)) in table.as_chunks::<8>().0.iter().zip(&model_table).enumerate() {
            let frame = u64::from_be_bytes(*board);
            let what = format!("page {number} of the segment with leaf table {}", segment.table);
            if (frame == 0) != (*model == 0) {
                return Err(Mismatch::new(format!("{what}: board's frame {frame:#x}, model's {model:#x}")));
            }
            if frame == 0 {
                continue;
            }
            let given = self.frames.given.contains(&(frame >> geometry.page_bits()));
            if !given || !frame.is_multiple_of(FRAME_BYTES) || !seen.insert(frame) {
                return Err(Mismatch::new(format!(
                    "{what}: frame {frame:#x} is another's, or was never given"
                )));
            }
            self.board.read_memory(frame, &mut of_board);
            self.replay.model.memory.read(*model, &mut of_model);
            if let Some(at) = (0..of_board.len()).find(|at| of_board[*at] != of_model[*at]) {
                return Err(Mismatch::new(format!(
                    "{what}, byte {at:#x}: board {:#04x}, model {:#04x}",
                    of_board[at], of_model[at]
                )));
            }
        }
        Ok(())
    }
}
