//! The Verilated board: the committed RTL, its DRAM, streams and registers simulated around it (`cpp/`), behind the same traits as
//! the software board.
//!
//! A board is a function of its options and of the calls made: one seed replays a run, stalls and delays included.
mod config;
mod ffi;
mod load;
mod loaded;
mod traffic;
mod waves;

pub use config::RtlConfig;
pub use load::{LoadError, LoadKind, LoadPage, LoadPlan, LoadResult, LoadStage};
pub use loaded::{LoadedBoard, LoadedBoardError};
pub use waves::{MOST_BEFORE, NS_PER_CYCLE, WaveError, WavePlan, WaveReport, WaveTrigger, WaveWindow};

use std::fs::File;
use std::io;
use std::ops::Range;

use mneme_model::latency::LatencyHistogram;
use mneme_model::port::{
    BadMemory, BuildStamp, Door, EgressFrame, FilterHash, Mounted, NetworkPort, PortBusy, RegisterPort,
    TraceEvent,
};
use mneme_model::soft::{BoardShape, LineFault};
use mneme_model::traffic::{Traffic, TrafficResult};
use mneme_slowpath::{FastPath, LatencySummary, RingFull};
use mneme_wire::chain::{CHAIN_BASE, CHAIN_BYTES};
use mneme_wire::leaf::{LEAF_BASE, LEAF_BYTES};
use mneme_wire::register::COUNTER_BASE;
use mneme_wire::roce::{ROCE_BASE, ROCE_BYTES};
use mneme_wire::{ChainRegister, Counter, LeafRegister, Opcode, Register, RoceRegister};

/// Cycles without movement at any port after which nothing is under way inside. The longest silent work is the filter's first
/// pass after reset; everything else takes a few dozen cycles between movements, and DRAM answers that are due count as movement.
/// Before a board counts as quiet the shim has looked whether anything is left inside (`RESTS_AFTER` in `cpp/board.cpp`, which must be less).
const QUIET_AFTER: u64 = 512;
/// Cycles in which the retry filter frees its entries after reset, at least.
const BOOT_CYCLES: u64 = 1 << 13;
/// Most ticks that are skipped between two passes of the filter's scrubber. An entry must be freed within 2^22 ticks
/// after its window, before the 24-bit tick wraps and makes it look new.
const SKIP_BETWEEN_SCRUBS: u64 = 1 << 20;
/// Cycles of the scrubber per entry, with a reserve of two.
const SCRUB_CYCLES_PER_ENTRY: u64 = 16;
/// Cycles run in one go; measurements are collected in between.
const BATCH: u64 = 1 << 14;
/// Counters of latency: opcodes of the fast path are 1 to 6.
const FAST_OPCODES: usize = 7;

/// How a board and its surroundings behave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RtlOptions {
    /// Which RTL.
    pub board: RtlConfig,
    /// Cycles from a DRAM address (for writes: the last data) to its answer.
    pub dram_latency: u32,
    /// Each DRAM answer takes up to this many cycles more, at random.
    pub dram_jitter: u32,
    /// Seed of stalls, of DRAM's delays and of the order in which it does what AXI leaves open.
    pub stall_seed: u64,
    /// Chance, per cycle and handshake outside the board, to hold it back; 0 to 0.95.
    pub stall_probability: f64,
    /// Bytes of DRAM offered to the slow path, at most what the RTL was built for.
    pub memory_limit: u64,
    /// Registers hold random bits before reset, by this seed, instead of zeros.
    pub reset_seed: Option<u64>,
    /// What each byte of DRAM holds at power-on. 0 costs nothing; other values touch all memory.
    pub memory_fill: u8,
    /// What registers tell of the sources.
    pub stamp: BuildStamp,
    /// [`NetworkPort::run`] jumps over time in which the board is quiet, in whole ticks.
    pub skip_idle: bool,
}

impl RtlOptions {
    /// DRAM of 25 cycles, no stalls, all of memory, idle time skipped.
    pub fn new(board: RtlConfig) -> RtlOptions {
        RtlOptions {
            board,
            dram_latency: 25,
            dram_jitter: 0,
            stall_seed: 0,
            stall_probability: 0.0,
            memory_limit: 1 << board.shape().mem_bits,
            reset_seed: None,
            memory_fill: 0,
            stamp: BuildStamp::default(),
            skip_idle: true,
        }
    }
}

/// An answer that memory owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LostAnswer {
    /// The bucket of a page-table walk (R).
    Walk,
    /// What an operation reads (R).
    Read,
    /// That an operation's write is done (B).
    Write,
}

/// Why a board cannot be started.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum RtlError {
    /// More memory than the RTL has address bits for, or none.
    #[error("{asked} bytes of memory: this board takes 1 to {built}")]
    Memory {
        /// What was asked for.
        asked: u64,
        /// What the RTL was built for.
        built: u64,
    },
    /// A chance outside 0 to 0.95.
    #[error("a stall probability of {0} is outside 0 to 0.95")]
    Stall(f64),
    /// The system refused the memory, or the RTL does not answer after reset.
    #[error("the board {0} did not start: its memory was refused, or its registers do not answer")]
    Start(&'static str),
}

/// The Verilated board.
///
/// # Panics
/// Calls that let time pass panic when the RTL breaks a rule of AXI or leaves a register access without answer: a fault of
/// the hardware's description that no input may provoke, and after which nothing it says can be trusted.
pub struct RtlFast {
    verilated: ffi::Verilated,
    options: RtlOptions,
    shape: BoardShape,
    /// Simulated cycles until the last reset.
    reset_at: u64,
    skipped_cycles: u64,
    skipped_since_scrub: u64,
    /// Cycles to simulate before ticks may be skipped again.
    scrub_owed: u64,
    latency: LatencyHistogram,
    latency_by_opcode: [LatencyHistogram; FAST_OPCODES],
    recording: Option<waves::Recording>,
}

/// Cycles that a device block resets its core for (device.md §4).
const DEVICE_RESET_CYCLES: u64 = 16;

impl RtlFast {
    /// A board after reset.
    pub fn new(options: RtlOptions) -> Result<RtlFast, RtlError> {
        let shape = options.board.shape();
        let built = 1 << shape.mem_bits;
        if options.memory_limit == 0 || options.memory_limit > built {
            return Err(RtlError::Memory { asked: options.memory_limit, built });
        }
        if !(0.0..=0.95).contains(&options.stall_probability) {
            return Err(RtlError::Stall(options.stall_probability));
        }
        let verilated = ffi::Verilated::new(
            options.board,
            &ffi::Options {
                seed: options.stall_seed,
                reset_seed: options.reset_seed.unwrap_or(0),
                random_reset: options.reset_seed.is_some().into(),
                stall: (options.stall_probability * 65_536.0) as u32,
                latency: options.dram_latency,
                jitter: options.dram_jitter,
                memory_fill: options.memory_fill.into(),
                build_hash: options.stamp.hash,
                build_date: options.stamp.date,
            },
        )
        .ok_or(RtlError::Start(shape.name))?;
        Ok(RtlFast {
            verilated,
            options,
            shape,
            reset_at: 0,
            skipped_cycles: 0,
            skipped_since_scrub: 0,
            scrub_owed: 0,
            latency: Default::default(),
            latency_by_opcode: Default::default(),
            recording: None,
        })
    }
    /// The build parameters.
    pub fn shape(&self) -> &BoardShape {
        &self.shape
    }
    /// The options that the board was started with.
    pub fn options(&self) -> &RtlOptions {
        &self.options
    }
    /// Resets the core now, for so many cycles, 1 at least, under whatever traffic there is: frames at its ports are gone, and nobody has booted it.
    /// Memory is not reset, and goes on with what it was asked for.
    pub fn reset_core(&mut self, cycles: u64) {
        self.reset(cycles, false);
    }
    /// The same with the guard at the memory port reset, too, as if the board had none (contracts §5 forbids it): what a test of resets must
    /// notice.
    #[doc(hidden)]
    pub fn reset_core_unguarded(&mut self, cycles: u64) {
        self.reset(cycles, true);
    }
    fn reset(&mut self, cycles: u64, unguarded: bool) {
        self.verilated.reset_core(cycles.max(1), unguarded);
        self.reset_at = self.verilated.state().cycles;
        (self.skipped_since_scrub, self.scrub_owed) = (0, 0);
        self.after_running();
    }
    /// DRAM beats at these addresses answer SLVERR from now on: reads deliver garbage, writes change nothing.
    pub fn fail_memory(&mut self, addresses: Range<u64>) {
        self.verilated.memory_fail(addresses.start, addresses.end);
    }
    /// The `count`th answer of its kind from now on, 1 at least, never comes, nor do those of its id behind it: what no memory may do that
    /// has taken a request (contracts §3).
    pub fn lose_answer(&mut self, lost: LostAnswer, count: u64) {
        self.verilated.memory_lose(lost, count.max(1));
    }
    /// Latency of one opcode's requests.
    pub fn latency_of(&self, opcode: Opcode) -> Option<LatencySummary> {
        self.latency_by_opcode.get(usize::from(opcode.number()))?.summary()
    }
    /// Forgets all latencies measured so far.
    pub fn forget_latency(&mut self) {
        self.latency = Default::default();
        self.latency_by_opcode = Default::default();
    }
    /// Cycles that were really simulated; [`NetworkPort::cycles`] counts those that were skipped, too.
    pub fn simulated_cycles(&self) -> u64 {
        self.verilated.state().cycles
    }

    /// Lets the frames that were given enter, and then runs until nothing has moved at any port, memory's among them, for `still` cycles; at
    /// most `most` cycles. Whether it has come to that. What takes longer inside without a movement at a port goes on.
    pub fn settle(&mut self, still: u64, most: u64) -> bool {
        let end = self.simulated_cycles() + most;
        // A frame that enters is a movement, from the first cycle on.
        if self.verilated.state().entering != 0 {
            self.simulate(1, u64::MAX);
        }
        self.simulate(end.saturating_sub(self.simulated_cycles()), still);
        self.verilated.state().idle >= still
    }

    fn after_running(&mut self) {
        while let Some(measured) = self.verilated.latency() {
            self.latency.record(measured.cycles);
            if let Some(histogram) = self.latency_by_opcode.get_mut(usize::from(measured.opcode)) {
                histogram.record(measured.cycles);
            }
        }
        if let Some(violation) = self.verilated.violation() {
            panic!("the RTL of board {} broke a bus rule: {violation}", self.shape.name);
        }
        self.look_at_waves();
    }
    /// Simulates; stops early when the board has become quiet. Answers the cycles that passed.
    fn simulate(&mut self, cycles: u64, idle_limit: u64) -> u64 {
        let before = self.verilated.state().cycles;
        self.verilated.run(cycles, idle_limit);
        self.after_running();
        self.verilated.state().cycles - before
    }
    /// Jumps over whole ticks of quiet time, at most `cycles`, by TICK_SKIP. Answers the cycles that passed, those of the register
    /// access included.
    fn skip(&mut self, cycles: u64) -> u64 {
        let ticks = (cycles >> self.shape.tick_log2).min(SKIP_BETWEEN_SCRUBS - self.skipped_since_scrub);
        if ticks == 0 || !self.shape.simulated {
            return 0;
        }
        let before = self.cycles();
        self.write_register(Register::TickSkip, ticks as u32);
        self.skipped_cycles += ticks << self.shape.tick_log2;
        self.skipped_since_scrub += ticks;
        if self.skipped_since_scrub == SKIP_BETWEEN_SCRUBS {
            self.scrub_owed = self.shape.filter_entries() as u64 * SCRUB_CYCLES_PER_ENTRY;
            self.skipped_since_scrub = 0;
        }
        self.cycles() - before
    }
    /// Lets at most `cycles` pass in which a quiet board stays quiet. Answers the cycles that passed.
    fn idle(&mut self, cycles: u64) -> u64 {
        if self.scrub_owed != 0 {
            let passed = self.simulate(cycles.min(self.scrub_owed), u64::MAX);
            self.scrub_owed -= passed;
            return passed;
        }
        match self.skip(cycles) {
            0 => self.simulate(cycles, u64::MAX),
            skipped => skipped,
        }
    }
    fn read_word(&mut self, offset: u32) -> u32 {
        let value = self.verilated.read_register(offset);
        self.after_running();
        value.expect("a read without answer is a violation, which has been reported")
    }
    /// Writes a register of a block beside the core's. A command to one shows at no port: who gave it looks at its end.
    fn write_block(&mut self, offset: u32, value: u32) {
        let done = self.verilated.write_register(offset, value, false);
        self.after_running();
        done.expect("a write that was not done is a violation, which has been reported");
    }
}

impl FastPath for RtlFast {
    fn memory_limit(&self) -> Option<u64> {
        Some(self.options.memory_limit)
    }
    fn read_register(&mut self, register: Register) -> u32 {
        self.read_word(register.number())
    }
    fn write_register(&mut self, register: Register, value: u32) {
        // All other writes may start something that takes a few cycles to show at a port.
        let wakes = register != Register::TickSkip;
        let done = self.verilated.write_register(register.number(), value, wakes);
        self.after_running();
        done.expect("a write that was not done is a violation, which has been reported");
    }
    fn read_counter(&mut self, counter: Counter) -> u32 {
        self.read_word(counter.offset())
    }
    fn read_observed(&mut self, number: u32) -> u32 {
        self.read_word(COUNTER_BASE + 4 * number)
    }
    fn read_roce(&mut self, offset: u32) -> u32 {
        if self.shape.rdma && offset < ROCE_BYTES { self.read_word(ROCE_BASE + offset) } else { 0 }
    }
    fn write_roce(&mut self, register: RoceRegister, value: u32) {
        if self.shape.rdma {
            self.write_block(ROCE_BASE + register.number(), value);
        }
    }
    fn read_chain(&mut self, offset: u32) -> u32 {
        if self.shape.chains && offset < CHAIN_BYTES { self.read_word(CHAIN_BASE + offset) } else { 0 }
    }
    fn write_chain(&mut self, register: ChainRegister, value: u32) {
        if self.shape.chains {
            self.write_block(CHAIN_BASE + register.number(), value);
        }
    }
    fn read_leaf(&mut self, offset: u32) -> u32 {
        if self.shape.leaf && offset < LEAF_BYTES { self.read_word(LEAF_BASE + offset) } else { 0 }
    }
    fn write_leaf(&mut self, register: LeafRegister, value: u32) {
        if self.shape.leaf {
            self.write_block(LEAF_BASE + register.number(), value);
        }
    }
    fn receive(&mut self, into: &mut Vec<u8>) -> bool {
        self.verilated.slow_receive(into)
    }
    fn send(&mut self, frame: &[u8]) -> Result<(), RingFull> {
        self.verilated.slow_send(frame).then_some(()).ok_or(RingFull)
    }
    fn read_memory(&mut self, address: u64, into: &mut [u8]) {
        let from = address as usize;
        into.copy_from_slice(&self.verilated.memory()[from..from + into.len()]);
    }
    fn write_memory(&mut self, address: u64, from: &[u8]) {
        let to = address as usize;
        self.verilated.memory()[to..to + from.len()].copy_from_slice(from);
    }
    fn latency(&self) -> Option<LatencySummary> {
        self.latency.summary()
    }
}

impl Mounted for RtlFast {
    fn reset_core(&mut self) {
        RtlFast::reset_core(self, DEVICE_RESET_CYCLES);
    }
    fn share_memory(&mut self, file: &File) -> io::Result<()> {
        file.set_len(0)?;
        file.set_len(1 << self.shape.mem_bits)?;
        self.verilated.share_memory(file)
    }
}

impl BadMemory for RtlFast {
    fn fail_lines(&mut self, lines: Range<u64>, fault: LineFault) {
        let page = 1 << self.shape.page_bits;
        self.verilated.memory_fail_lines(page, lines, fault);
    }
    fn fail_table(&mut self, chance: u32, most: u32) {
        self.verilated.memory_fail_table(chance, most);
    }
}

impl RegisterPort for RtlFast {
    fn read_word(&mut self, offset: u32, late: u32) -> u32 {
        let value = self.verilated.read_word(offset, late);
        self.after_running();
        value.expect("a read without answer is a violation, which has been reported")
    }
    fn write_bytes(&mut self, offset: u32, value: u32, strobes: u8, late: [u32; 3]) {
        let done = self.verilated.write_bytes(offset, value, strobes, late);
        self.after_running();
        done.expect("a write that was not done is a violation, which has been reported");
    }
}

impl NetworkPort for RtlFast {
    fn stamp(&self) -> BuildStamp {
        self.options.stamp
    }
    fn taken(&self) -> bool {
        self.verilated.state().entering == 0
    }
    fn ingress(&mut self, frame: &[u8], fcs_error: bool) -> Result<(), PortBusy> {
        self.verilated.ingress(frame, fcs_error).then_some(()).ok_or(PortBusy)
    }
    fn egress(&mut self) -> Option<EgressFrame> {
        self.verilated.egress().map(|(bytes, bad_fcs)| EgressFrame { bytes, bad_fcs })
    }
    fn run(&mut self, cycles: u64) {
        let mut left = cycles;
        while left > 0 {
            let passed = if self.options.skip_idle && self.quiet() {
                self.idle(left)
            } else {
                // Where ports rest while frames wait to be fetched, resting is no reason to stop.
                let rests = self.verilated.state().idle >= QUIET_AFTER;
                self.simulate(left.min(BATCH), if rests { u64::MAX } else { QUIET_AFTER })
            };
            // A skip costs a register access, which may go past what was asked for.
            left = left.saturating_sub(passed);
        }
    }
    fn run_all(&mut self, cycles: u64) {
        self.simulate(cycles, u64::MAX);
    }
    fn cycles(&self) -> u64 {
        self.verilated.state().cycles + self.skipped_cycles
    }
    fn quiet(&self) -> bool {
        let state = self.verilated.state();
        state.waiting == 0 && state.idle >= QUIET_AFTER && state.cycles >= self.reset_at + BOOT_CYCLES
    }
    fn slow_waiting(&self) -> u64 {
        self.verilated.state().slow_waiting
    }
    fn slow_places(&self) -> u64 {
        self.shape.packet_slots as u64 / 2
    }
    fn filter_hash(&self) -> FilterHash {
        FilterHash::Crc
    }
    fn trace(&mut self) -> Option<TraceEvent> {
        self.verilated.trace().map(|event| TraceEvent {
            src_ip: event.src_ip,
            src_port: event.src_port,
            op_id: event.op_id,
            attempt: event.attempt,
            opcode: event.opcode,
            status: event.status,
            cause: event.cause,
            tick_filter: event.tick_filter,
            tick_resume: event.tick_resume,
            tick: event.tick,
            resumed: event.resumed != 0,
        })
    }
    fn traffic(&mut self, traffic: &Traffic) -> Result<(), PortBusy> {
        let command = ffi::Traffic::of(traffic);
        self.verilated.traffic(&command).then_some(()).ok_or(PortBusy)
    }
    fn traffic_result(&mut self) -> Option<TrafficResult> {
        self.verilated.traffic_result().map(|result| result.told())
    }
    fn order(&mut self) -> Option<Door> {
        self.verilated.order().map(|door| if door == 1 { Door::Network } else { Door::Traffic })
    }
}
