//! A memory node: a board's fast path, its network port and its slow path, in one step function. No clock or socket inside,
//! and no thread unless workers are asked for; time is the board's own.
use std::time::Duration;

use mneme_slowpath::pages::PagePlace;
use mneme_slowpath::{BootError, Config, EpochStore, FastPath};
use mneme_wire::Register;

use crate::port::{EgressFrame, NetworkPort, PortBusy};

pub use mneme_slowpath::Slow;

/// Nanoseconds of a board cycle: 250 MHz.
pub const CYCLE_NS: u64 = 4;
/// Board cycles between two polls of the slow path: it looks after the ring about a million times a second.
const POLL_CYCLES: u64 = 256;
/// Polls in a row before board time goes on, however much a slow path without workers finds to do.
const POLLS: usize = 16;
/// Board cycles until the node must be up: zeroing the page table of the largest board takes a hundredth of this.
const BOOT_CYCLES: u64 = 1 << 32;

/// A node that cannot be brought up.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    /// The slow path refuses the board or its settings.
    #[error(transparent)]
    Boot(#[from] BootError),
    /// The board never got ready.
    #[error("the board was not up within {BOOT_CYCLES} cycles of its own time")]
    NeverReady,
}

/// A board with its slow path.
#[derive(Debug)]
pub struct Node<F> {
    fast: F,
    slow: Slow,
    poll_at: u64,
    /// The page that is looked at next by [`Node::forget_free`].
    forgotten: usize,
}

impl<F: FastPath + NetworkPort> Node<F> {
    /// Brings a freshly reset board up and waits, in board time, until it serves requests. Its slow path runs in the caller's
    /// thread: one seed replays a run.
    pub fn boot(fast: F, config: Config, store: &mut dyn EpochStore) -> Result<Node<F>, NodeError> {
        Node::boot_with_workers(fast, config, store, 0)
    }
    /// The same with worker threads in the slow path, for boards that are served to others. The order in which requests of
    /// different processes take effect is then the system's to decide. 0 workers: as [`Node::boot`].
    pub fn boot_with_workers(
        mut fast: F,
        config: Config,
        store: &mut dyn EpochStore,
        workers: usize,
    ) -> Result<Node<F>, NodeError> {
        let slow = Slow::boot(config, &mut fast, store, workers)?;
        // A board that was reset may count on.
        let began = fast.cycles();
        let mut node = Node { poll_at: began, fast, slow, forgotten: 0 };
        while !node.slow.ready() {
            if node.fast.cycles() - began > BOOT_CYCLES {
                return Err(NodeError::NeverReady);
            }
            node.run(POLL_CYCLES);
        }
        Ok(node)
    }
    /// Settings for a simulated board: a tick lasts what its cycles last, the window is hardware's 8 × 25 µs, or 16 ticks
    /// where a tick is longer. `board_kind` is what COUNTERS tells (1 software, 2 RTL); `seed` decides tokens, nonces and
    /// the first epoch.
    pub fn config(fast: &mut F, board_kind: u32, seed: [u8; 32]) -> Config {
        let ns_per_tick = (CYCLE_NS as u32) << fast.read_register(Register::TickLog2).min(24);
        Config {
            board_kind,
            ns_per_tick,
            window_ticks: (200_000 / ns_per_tick).max(16),
            ..Config::new(1, [0x02, 0x4d, 0x4e, 0x45, 0x4d, 0x01], [10, 77, 0, 1], seed)
        }
    }
    /// Gives a frame to the board's port. It gets in as time passes.
    pub fn submit(&mut self, frame: &[u8]) -> Result<(), PortBusy> {
        self.fast.ingress(frame, false)
    }
    /// The next frame that left the board.
    pub fn poll(&mut self) -> Option<EgressFrame> {
        self.fast.egress()
    }
    /// Lets board time pass, and the slow path work. Takes one step when nothing is to be done in between.
    pub fn run(&mut self, cycles: u64) {
        self.run_while(cycles, |_| true);
    }
    /// The same, but no longer than there is something to do other than to [`Node::poll`].
    pub fn run_to_rest(&mut self, cycles: u64) {
        self.run_while(cycles, |node| !(node.fast.rests() && node.slow.idle()));
    }
    fn run_while(&mut self, cycles: u64, goes_on: impl Fn(&Self) -> bool) {
        let end = self.fast.cycles() + cycles;
        loop {
            if self.fast.cycles() >= self.poll_at {
                self.poll_slow();
            }
            if self.fast.cycles() >= end || !goes_on(self) {
                return;
            }
            if self.idle() {
                // The slow path may have pages to offer now that the board has come to rest.
                self.poll_slow();
            }
            let next = if self.idle() { end } else { self.poll_at.min(end) };
            self.fast.run(next.saturating_sub(self.fast.cycles()).max(1));
        }
    }
    fn poll_slow(&mut self) {
        for _ in 0..POLLS {
            // What workers want comes in small parts, so that the board and its clients get their turns in between.
            if !self.slow.poll(&mut self.fast) || self.slow.has_workers() {
                break;
            }
        }
        self.poll_at = self.fast.cycles() + POLL_CYCLES;
    }
    /// Nothing is left to do until a frame comes or board time has passed.
    pub fn idle(&self) -> bool {
        self.fast.quiet() && self.slow.idle()
    }
    /// The board's own time.
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.fast.cycles() * CYCLE_NS)
    }
    /// The board.
    pub fn fast(&mut self) -> &mut F {
        &mut self.fast
    }
    /// The board without its slow path, whose memory of it is gone: what is left when the slow path's program dies.
    pub fn into_fast(self) -> F {
        self.fast
    }
    /// Both.
    pub fn parts(&mut self) -> (&mut F, &Slow) {
        (&mut self.fast, &self.slow)
    }
    /// Both, for who serves a part of the slow path.
    pub fn parts_mut(&mut self) -> (&mut F, &mut Slow) {
        (&mut self.fast, &mut self.slow)
    }
    /// Where a physical page is, after a fresh look at the hardware.
    pub fn page_place(&mut self, page: u64) -> PagePlace {
        self.slow.page_place(&mut self.fast, page)
    }
    /// Lets a simulated board give back the room of pages that are free or zeros, as far as there are any among the next
    /// `count`; all pages have their turn.
    pub fn forget_free(&mut self, count: usize) {
        if !self.fast.forgets() {
            return;
        }
        let pages = self.slow.pages(&mut self.fast);
        let next = (self.forgotten + count).min(pages.count());
        let free: Vec<bool> = (self.forgotten..next).map(|page| pages.is_free(page)).collect();
        free.iter().zip(self.forgotten..).for_each(|(free, page)| self.fast.forget(page as u64, *free));
        self.forgotten = if next < pages.count() { next } else { 0 };
    }
    /// The slow path.
    pub fn slow(&self) -> &Slow {
        &self.slow
    }
    /// The board rests, and the slow path's workers have something to end: only they can bring it on.
    pub fn waits_for_workers(&self) -> bool {
        self.slow.working() && self.fast.quiet()
    }
    /// Serves the workers that want something.
    pub fn serve_workers(&mut self) {
        self.poll_slow();
    }
    /// Ends the slow path's workers, once they have ended what they have. The board serves no slow request afterwards.
    pub fn close(&mut self) {
        self.slow.close(&mut self.fast);
    }
    /// The value of a counter number, as the operation COUNTERS tells it.
    pub fn counter(&mut self, number: u32) -> u64 {
        self.slow.counter(&mut self.fast, number)
    }
}
