//! The run itself: sends, lets time pass, gives commands, collects what the board did, and compares.
mod change;
mod collect;
mod drained;
mod epoch;
mod judge;
mod report;
mod sealed;
mod traffic;
mod words;

use std::collections::VecDeque;

use mneme_model::port::{BadMemory, Door, EgressFrame, NetworkPort, RegisterPort, TraceEvent};
use mneme_model::soft::{LineFault, Page, Replace, WriteFault};
use mneme_model::traffic::TrafficResult;
use mneme_slowpath::FastPath;
use mneme_wire::{Counter, Register, Tick, pte};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use self::change::Held;
use self::epoch::FAULT_WAIT_LOG2;
pub use self::report::{Plan, Report, RunError};
use super::compare;
use super::control::{self, Damage};
use super::generate::{Sent, for_slow, largest_read, next_frame};
use super::mismatch::Mismatch;
use super::programs::{Programs, random_page};
use super::replay::Replay;
use super::segments::Frames;
use super::spoil::pick;
use super::world::World;

/// EtherType of the frames that this test's slow path sends: an experimental one, so that they stand out at egress.
const SLOW_ETHERTYPE: [u8; 2] = [0x88, 0xb5];
/// Requests between two comparisons of all memory.
const CHECKPOINT: u64 = 400;
/// Cycles after which a run that waits for the board to come to rest lets the tick jump past the time of page faults that wait for a page.
const FAULT_PATIENCE: u64 = 2000;
/// Frames that a slow path which sleeps leaves outside the board's own ring, at most.
const SLOW_SINK: u64 = 16;
/// Frames of a burst at most, but for eight.
const LONGEST_BURST: usize = 64;

/// DRAM fails in the runs of every third seed: in these lines of every page, where most requests go but not the programs' words,
/// and in its last line. What it says of a write tells nothing of what the write did.
const FAILING_SEEDS: u64 = 3;
/// In the runs of every third seed, the next one, memory refuses this share of the writes of page-table entries, in 65,536: the board keeps what it did not take, so that
/// nothing shows of it.
const TABLE_ERRORS: u32 = 1 << 13;
const BAD_LINES: [(u64, LineFault); 4] = [
    (256, LineFault::DEAD),
    (320, LineFault { read: false, write: Some(WriteFault::Applied) }),
    (384, LineFault { read: true, write: None }),
    (448, LineFault { read: false, write: Some(WriteFault::Lost) }),
];
const LAST_LINE: LineFault = LineFault { read: true, write: Some(WriteFault::Applied) };

/// The board's tick as it was read last, and the cycle by which it had been.
#[derive(Default)]
struct Clock {
    tick: Tick,
    cycle: u64,
}

/// A board and the model beside it.
pub(super) struct Run<'a, B> {
    pub(super) board: &'a mut B,
    pub(super) replay: Replay,
    pub(super) world: World,
    pub(super) programs: Programs,
    pub(super) rng: ChaCha8Rng,
    clock: Clock,
    /// Frames of the slow ring that were taken, since the board's start.
    slow_taken: u64,
    pub(super) report: Report,
    /// Answers and trace events that wait for their counterpart.
    answers: VecDeque<EgressFrame>,
    events: VecDeque<TraceEvent>,
    /// Of a board with two doors: results of the second, and in which order tokens of both took effect.
    results: VecDeque<TrafficResult>,
    order: VecDeque<Door>,
    /// Frames of the slow ring, not yet compared.
    slow: VecDeque<Vec<u8>>,
    /// Frames given to the board by the slow path, not yet seen at egress.
    from_slow: VecDeque<Vec<u8>>,
    /// The slow ring is being ignored, so that it fills.
    slow_asleep: bool,
    /// Frames whose outcome is looked at as a whole: registers change while they are under way.
    held: Option<Held>,
    /// Physical pages that belong to nobody: the board's number and the model's.
    pub(super) pool: Vec<(u32, u32)>,
    /// What the leaf unit has, of a board with one.
    pub(super) frames: Frames,
    /// All physical pages of the run, wherever they are.
    pub(super) pages: u64,
    /// Beats of zeroing of large pages.
    pub(super) zeroed: u64,
    /// High-water marks at the last checkpoint.
    pub(super) marks: [u64; 6],
    /// Damaged entries, with the pages that they belong to.
    pub(super) damages: Vec<(Damage, Option<Page>)>,
    exhausted: bool,
    /// What MISSES said first, which the model cannot know.
    misses: Option<u32>,
    /// How many writes of entries memory refuses, in 65,536, and how many entries at a time.
    pub(super) table_errors: u32,
    pub(super) most_behind: u32,
}

/// Runs a plan on a board after reset.
pub fn run<B: FastPath + NetworkPort + BadMemory + RegisterPort>(
    board: &mut B,
    plan: &Plan,
) -> Result<Report, RunError> {
    let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
    let geometry = plan.shape.check()?;
    let window = *pick(&mut rng, &[16, 64, 256]);
    let world = World::new(plan.shape, geometry, window, board.filter_hash(), &mut rng);
    let pool = super::pages::pool(&plan.shape, &geometry);
    let [shared, nodes] = [(); 2].map(|()| random_page(&world, &mut rng));
    let programs = Programs::new(&world, shared, nodes, &mut rng);
    let mut run = Run {
        replay: Replay::new(plan.shape, board.filter_hash(), board.slow_places())?,
        world,
        programs,
        rng,
        clock: Clock::default(),
        slow_taken: 0,
        report: Report::default(),
        answers: VecDeque::new(),
        events: VecDeque::new(),
        results: VecDeque::new(),
        order: VecDeque::new(),
        slow: VecDeque::new(),
        from_slow: VecDeque::new(),
        slow_asleep: false,
        held: None,
        pages: pool.len() as u64,
        pool,
        frames: Frames::default(),
        zeroed: 0,
        marks: [0; 6],
        damages: Vec::new(),
        exhausted: false,
        misses: None,
        table_errors: 0,
        most_behind: 0,
        board,
    };
    run.replay.model.stamp = run.board.stamp();
    if plan.seed.is_multiple_of(FAILING_SEEDS) {
        let page = run.world.geometry.page_size();
        for (line, fault) in BAD_LINES.into_iter().chain([(page - 64, LAST_LINE)]) {
            run.board.fail_lines(line..line + 64, fault);
            run.replay.model.bad_lines.add(line..line + 64, fault);
        }
    }
    if plan.seed % FAILING_SEEDS == 1 {
        run.table_errors = TABLE_ERRORS;
        run.most_behind = (run.board.read_register(Register::Misses) / 2).max(1);
    }
    run.start(plan.seed)?;
    while run.report.frames < plan.requests {
        let until = (run.report.frames + CHECKPOINT).min(plan.requests);
        while run.report.frames < until {
            run.act()?;
        }
        run.checkpoint()?;
    }
    run.report.answers = run.replay.answers;
    run.report.results = run.replay.results;
    run.report.timed = run.replay.timed;
    run.report.dependent = run.programs.done();
    run.report.split_tally = run.replay.split.iter().map(|(kind, count)| (*kind, *count)).collect();
    run.report.split = run.replay.split.values().sum();
    run.report.cycles = run.board.cycles();
    run.report.waited = u64::from(run.board.read_counter(Counter::FaultWait));
    run.report.tally = run.replay.tally.iter().map(|(kind, count)| (*kind, *count)).collect();
    run.report.tally.sort_unstable();
    run.report.cover = run.replay.cover;
    Ok(run.report)
}

impl<B: FastPath + NetworkPort + BadMemory + RegisterPort> Run<'_, B> {
    /// Boots, and allocates the first pages.
    fn start(&mut self, seed: u64) -> Result<(), Mismatch> {
        control::boot(self.board, &mut self.replay, &self.world, &mut self.rng)?;
        if !seed.is_multiple_of(FAILING_SEEDS) {
            self.start_frames();
        }
        // The tick wraps within the first requests of some runs.
        if self.rng.random_bool(0.5) {
            for skip in [0x3f_ff00, 0x3f_ff00, 0x3f_ff00, 0x3f_ff00] {
                self.skip_ticks(skip);
            }
        }
        let pages: Vec<Page> = self.world.pages.iter().step_by(2).copied().collect();
        for page in pages {
            let new = pte::ALLOCATED | pte::READ | pte::WRITE;
            self.replace(&Replace { page, compare: pte::ALLOCATED, expected: 0, write: u64::MAX, new })?;
        }
        self.give_pages(4);
        self.start_programs()?;
        // They get their pages first, where these are rare.
        self.run_programs()?;
        self.first_segments()
    }

    pub(super) fn now(&mut self) -> Tick {
        let tick = Tick::from_low_bits(self.board.read_register(Register::Tick));
        self.has_come_to(tick);
        self.clock.cycle = self.board.cycles();
        tick
    }
    /// One thing that happens.
    fn act(&mut self) -> Result<(), Mismatch> {
        if self.frames.are_served() && self.rng.random_bool(0.15) {
            return self.act_on_frames();
        }
        match self.rng.random_range(0..1000) {
            0..420 => self.send_calmly(),
            420..520 => self.run_programs(),
            520..560 => self.send_burst(),
            // Of a board with one door there is nobody to tell.
            560..600 if self.world.shape.traffic => self.send_traffic(),
            560..610 => self.pause(),
            610..630 => self.change_under_load(),
            630..640 => self.change_drained(),
            640..660 => self.bring_in(),
            660..720 => {
                let count = self.rng.random_range(1..4);
                self.give_pages(count);
                Ok(())
            }
            720..870 => self.command_under_load(),
            870..899 => self.command_on_programs(),
            899 => self.fill_zeroing_queue(),
            900..920 => {
                let ticks = self.rng.random_range(1..=2 * self.world.window);
                self.skip_ticks(ticks);
                Ok(())
            }
            920..945 => self.send_from_slow(),
            945..950 => self.fill_slow_ring(),
            950..960 => {
                self.slow_asleep = !self.slow_asleep;
                Ok(())
            }
            960..980 => self.wild_or_damaged(),
            _ => self.change_quiet_things(),
        }
    }

    /// A few frames, no more than the board has slots for.
    fn send_calmly(&mut self) -> Result<(), Mismatch> {
        let now = self.now();
        if self.world.shape.traffic && self.rng.random_bool(0.3) {
            self.send_traffic()?;
        }
        for _ in 0..self.rng.random_range(1..=12) {
            self.wait_for_slots()?;
            let sent = next_frame(&mut self.world, now, true, &mut self.rng);
            self.send(sent)?;
        }
        let cycles = self.rng.random_range(0..60);
        self.pass(cycles)
    }

    /// More frames than the board has slots for, back to back.
    fn send_burst(&mut self) -> Result<(), Mismatch> {
        let now = self.now();
        for _ in 0..self.rng.random_range(4..=self.world.shape.packet_slots.min(LONGEST_BURST) + 8) {
            let sent = next_frame(&mut self.world, now, false, &mut self.rng);
            self.send(sent)?;
        }
        let cycles = self.rng.random_range(0..400);
        self.pass(cycles)?;
        // Repeats with another content must find nothing of the burst unanswered.
        self.drain()
    }

    /// As many requests as the board has packet slots, back to back, while it is at rest: none may be lost. Their answers take longer to leave than
    /// they take to come, so that the slots fill.
    fn take_all_slots(&mut self) -> Result<(), Mismatch> {
        let (now, page) = (self.now(), self.world.page(&mut self.rng));
        for _ in 0..self.world.shape.packet_slots {
            let sent = largest_read(&self.world, page, now, &mut self.rng);
            self.send(sent)?;
        }
        self.drain()
    }

    fn pause(&mut self) -> Result<(), Mismatch> {
        let cycles = self.rng.random_range(0..600);
        self.pass(cycles)
    }

    /// Epoch, *exhausted*, *enable*; and a page to zero that the board does not have.
    fn change_quiet_things(&mut self) -> Result<(), Mismatch> {
        self.drain()?;
        let kinds = if self.world.shape.trailers { 10 } else { 9 };
        match self.rng.random_range(0..kinds) {
            9 => self.change_trailers(),
            8 => self.write_bytes()?,
            0..3 => self.change_epoch()?,
            3..6 => {
                self.exhausted = !self.exhausted;
                control::set_control(self.board, &mut self.replay, true, self.exhausted);
            }
            6 => {
                control::set_control(self.board, &mut self.replay, false, self.exhausted);
                self.send_calmly()?;
                self.drain()?;
                control::set_control(self.board, &mut self.replay, true, self.exhausted);
            }
            _ => {
                let page = self.world.geometry.pages() as u32 + self.rng.random_range(0..1000);
                control::push_zero(self.board, &mut self.replay, page, page);
            }
        }
        Ok(())
    }

    /// Frames for a slow path that sleeps, until the ring is full, and some more.
    fn fill_slow_ring(&mut self) -> Result<(), Mismatch> {
        let now = self.now();
        self.slow_asleep = true;
        for _ in 0..self.rng.random_range(1..=self.board.slow_places() + SLOW_SINK + 4) {
            let sent = for_slow(&mut self.world, now, &mut self.rng);
            self.send(sent)?;
            self.pass(24)?;
        }
        self.slow_asleep = false;
        self.drain()
    }

    fn send_from_slow(&mut self) -> Result<(), Mismatch> {
        let longest = self.world.shape.max_frame();
        // Many are of one beat, which is the last one whenever it waits.
        let lengths = match self.rng.random_range(0..8) {
            0 => longest + 1..=longest + 200,
            1..5 => 60..=64,
            _ => 60..=longest,
        };
        let mut frame = vec![0; self.rng.random_range(lengths)];
        self.rng.fill_bytes(&mut frame);
        frame[12..14].copy_from_slice(&SLOW_ETHERTYPE);
        if self.board.send(&frame).is_err() {
            // The ring is full.
        } else if frame.len() > longest {
            self.replay.model.counters.count(Counter::DropSlowGiant);
        } else {
            self.replay.model.counters.count(Counter::SlowRx);
            self.replay.model.counters.count(Counter::TxFrames);
            self.from_slow.push_back(frame);
        }
        self.collect()
    }

    pub(super) fn has_slots(&self) -> bool {
        self.replay.outstanding() < self.world.shape.packet_slots / 2
    }

    /// Lets time pass until half the packet slots are free for sure.
    pub(super) fn wait_for_slots(&mut self) -> Result<(), Mismatch> {
        for _ in 0..64 {
            if self.has_slots() {
                return Ok(());
            }
            self.pass(16)?;
        }
        // Drops leave no answer by which they could be told from frames under way.
        self.drain()
    }

    pub(super) fn send(&mut self, sent: Sent) -> Result<(), Mismatch> {
        self.report.frames += 1;
        for _ in 0..100_000 {
            if self.board.ingress(&sent.frame, sent.fcs_error).is_ok() {
                self.replay.send(sent, self.reached(), self.slow_taken + self.board.slow_waiting());
                return Ok(());
            }
            self.pass(8)?;
        }
        Err(Mismatch::new("the network port is busy for ever".into()))
    }

    /// Lets time pass and compares what came of it.
    pub(super) fn pass(&mut self, cycles: u64) -> Result<(), Mismatch> {
        self.board.run(cycles);
        self.collect()
    }

    /// Lets the board come to rest: within a bounded time everything must be answered.
    pub(super) fn drain(&mut self) -> Result<(), Mismatch> {
        let asleep = std::mem::take(&mut self.slow_asleep);
        self.come_to_rest()?;
        self.collect()?;
        self.nothing_is_left()?;
        if !self.from_slow.is_empty() {
            return Err(Mismatch::new("a frame of the slow path never left".into()));
        }
        self.replay.settle_all()?;
        self.programs.settle();
        while let Some(frame) = self.slow.pop_front() {
            self.replay.slow_frame(&frame)?;
        }
        self.replay.settle_slow(self.slow_taken)?;
        let pages = self.board.read_register(Register::AsyncLevel);
        self.replay.pages_read(pages, true);
        self.slow_asleep = asleep;
        Ok(())
    }

    /// Lets time pass until the board is quiet.
    fn come_to_rest(&mut self) -> Result<(), Mismatch> {
        let page_beats = self.world.geometry.page_size() / 64;
        let mut bound = 200_000 + 8 * page_beats * (self.world.shape.zero_queue_depth as u64 + 2);
        if !self.world.shape.simulated {
            // Page faults wait for as long as they may.
            bound += 2 << FAULT_WAIT_LOG2;
        }
        let end = self.board.cycles() + bound;
        self.collect()?;
        let mut patient = self.board.cycles() + FAULT_PATIENCE;
        while !self.board.quiet() {
            if self.board.cycles() > end {
                return Err(Mismatch::new(format!("the board does not come to rest within {bound} cycles")));
            }
            self.pass(32)?;
            // None comes any more: they would wait for a quarter of the window, which may be a hundred thousand cycles.
            if self.board.cycles() > patient && self.board.read_register(Register::ZeroPending) == 0 {
                self.skip_ticks(self.world.window / 4);
                patient = self.board.cycles() + FAULT_PATIENCE;
            }
        }
        Ok(())
    }

    /// Quiet, then everything compared: counters, table, memory.
    fn checkpoint(&mut self) -> Result<(), Mismatch> {
        self.drain()?;
        self.take_all_slots()?;
        compare::counters(self)?;
        compare::marks(self)?;
        self.read_back()?;
        self.programs.check(&self.replay.model)?;
        // After all frames: those that took the slots may be the first access of a page, whose entry memory refuses, too.
        self.repair_table()?;
        let bytes = compare::memory(self)?;
        self.report.memory += bytes;
        self.report.lost = self.replay.lost + self.replay.lost_slow;
        Ok(())
    }
}
