//! Physical pages of a run: given to the board to be zeroed, or brought in by the slow path with what they hold.
use mneme_model::port::{BadMemory, NetworkPort, RegisterPort};
use mneme_model::soft::{BoardShape, Replace};
use mneme_slowpath::FastPath;
use mneme_wire::pte::{self, Geometry};
use mneme_wire::{Counter, Register};
use rand::RngCore;

use super::control;
use super::mismatch::Mismatch;
use super::run::Run;
use super::spoil::pick;

/// Beats of zeroing that a run may wait for at most, to fill the queue.
const FILLING: u64 = 50_000;
/// Pages of this size and over are zeroed for as many beats per frame sent, on average; the others are brought in by the slow path, as from another
/// tier. A page of 4 MB takes as long to be zeroed as all else that a hundred frames make the board do; one of 1 MB belongs to the board with a
/// RoCEv2 port, whose cycles take three times as long to simulate.
const LARGE_PAGE_BITS: u32 = 20;
const ZEROED_PER_FRAME: u64 = 200;
const ZEROED_PER_FRAME_OF_1_MB: u64 = 64;
/// Beats of zeroing that a run begins with.
const ZEROED_FIRST: u64 = 1 << 18;

/// Pages that a run gives to the board at most, and bytes of memory that they take.
const POOL: u64 = 200;
const POOL_BYTES: u64 = 256 << 20;

/// The first page behind page table, leaf tables and ring.
pub(super) fn first_page(shape: &BoardShape, geometry: &Geometry) -> u64 {
    geometry.table_pages() + if shape.leaf { geometry.leaf_pages() } else { 0 }
}

/// Physical pages for a run, board's and model's: from both ends of memory, so that every bit of an address is used.
pub(super) fn pool(shape: &BoardShape, geometry: &Geometry) -> Vec<(u32, u32)> {
    let (first, pages) = (first_page(shape, geometry), geometry.pages());
    let most = POOL.min(POOL_BYTES >> geometry.page_bits()).min(pages - first);
    let (low, high) = (first..first + most - most / 2, pages - most / 2..pages);
    low.chain(high).map(|ppn| (ppn as u32, ppn as u32)).collect()
}

impl<B: FastPath + NetworkPort + BadMemory + RegisterPort> Run<'_, B> {
    /// Whether another page may be zeroed: what that costs is bounded. The page counts as zeroed.
    pub(super) fn may_zero(&mut self) -> bool {
        let geometry = &self.world.geometry;
        let per_frame = match geometry.page_bits() {
            ..LARGE_PAGE_BITS => return true,
            LARGE_PAGE_BITS => ZEROED_PER_FRAME_OF_1_MB,
            _ => ZEROED_PER_FRAME,
        };
        let beats = geometry.page_size() / 64;
        let may = self.zeroed + beats <= ZEROED_FIRST.max(2 * beats) + per_frame * self.report.frames;
        if may {
            self.zeroed += beats;
        }
        may
    }

    /// One page more than what may be spent may be zeroed.
    pub(super) fn allow_page(&mut self) {
        self.zeroed = self.zeroed.saturating_sub(self.world.geometry.page_size() / 64);
    }

    /// Gives pages to the board, filled with what no process may ever see.
    pub(super) fn give_pages(&mut self, count: usize) {
        let level = self.board.read_register(Register::AsyncLevel);
        self.replay.pages_read(level, false);
        for _ in 0..count {
            if self.board.read_register(Register::ZeroSpace) == 0 || !self.may_zero() {
                return;
            }
            // The page freed last first: what it held must not come back.
            let Some((board_page, model_page)) = self.pool.pop() else { return };
            let noise = self.noise();
            self.fill(board_page, &noise);
            control::push_zero(self.board, &mut self.replay, board_page, model_page);
        }
    }

    fn noise(&mut self) -> Vec<u8> {
        let mut noise = vec![0; 4096];
        self.rng.fill_bytes(&mut noise);
        noise
    }
    fn fill(&mut self, board_page: u32, noise: &[u8]) {
        let address = u64::from(board_page) << self.world.geometry.page_bits();
        for part in 0..self.world.geometry.page_size() / noise.len() as u64 {
            self.board.write_memory(address + part * noise.len() as u64, noise);
        }
    }

    /// Allocates a page with a physical page that holds something already, as one that comes back from another tier.
    pub(super) fn bring_in(&mut self) -> Result<(), Mismatch> {
        let page = *pick(&mut self.rng, &self.world.pages);
        let known = self.damages.iter().any(|(_, victim)| *victim == Some(page));
        if known || self.replay.model.find_entry(page).is_ok() {
            return Ok(());
        }
        let Some((board_page, model_page)) = self.pool.pop() else { return Ok(()) };
        let noise = self.noise();
        self.fill(board_page, &noise);
        let address = u64::from(model_page) << self.world.geometry.page_bits();
        for part in 0..self.world.geometry.page_size() / noise.len() as u64 {
            self.replay.model.memory.write(address + part * noise.len() as u64, &noise);
        }
        let dirty = *pick(&mut self.rng, &[0, pte::ACCESSED, pte::ACCESSED | pte::DIRTY]);
        let new = pte::ALLOCATED | pte::READ | pte::WRITE | pte::VALID | dirty;
        let command = Replace { page, compare: pte::ALLOCATED, expected: 0, write: u64::MAX, new };
        let done = self.report.replaced.0;
        self.board.fail_table(0, 0);
        control::start_bringing_in(self.board, &mut self.replay, &command, (board_page, model_page));
        self.finish_replace(&command)?;
        if self.report.replaced.0 == done {
            self.pool.push((board_page, model_page));
        }
        Ok(())
    }

    /// Pages to zero until the board has no room for another; one more is refused and counted.
    pub(super) fn fill_zeroing_queue(&mut self) -> Result<(), Mismatch> {
        let shape = self.world.shape;
        let room = shape.async_depth + shape.zero_queue_depth;
        if self.world.geometry.page_size() / 64 * room as u64 > FILLING {
            return Ok(());
        }
        // While the async buffer is full nothing leaves the queue, and a quiet board takes no page.
        self.give_pages(room);
        for _ in 0..2 {
            self.drain()?;
            self.give_pages(shape.zero_queue_depth);
        }
        let full = self.board.read_register(Register::AsyncLevel) as usize == shape.async_depth
            && self.board.read_register(Register::ZeroSpace) == 0;
        if full && let Some((board_page, _)) = self.pool.last() {
            self.board.write_register(Register::ZeroPush, *board_page);
            self.replay.model.counters.count(Counter::ZeroRefused);
            self.report.refused_zeroing += 1;
        }
        Ok(())
    }
}
