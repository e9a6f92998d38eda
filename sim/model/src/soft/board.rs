//! The software board: the model with a clock, queues and a network port.
use std::collections::VecDeque;

use mneme_slowpath::{FastPath, LatencySummary, LeafCommand, LeafRefused, LeafState, RingFull};
use mneme_wire::register::{HISTOGRAM_BUCKETS, REST_BOARD, REST_EPOCH, REST_MEMORY};
use mneme_wire::trailer::upper;
use mneme_wire::{Counter, Opcode, Register, Stage, Tick};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::classes::ClassMeter;
use super::guest::Guest;
use super::model::Model;
use super::places::Places;
use super::planted::PlantedFault;
use super::registers::Registers;
use super::request::{Answer, BoardRequest};
use super::shape::{BoardShape, ShapeError};
use super::timing::Timing;
use super::translate::{Executed, Lookup};
use crate::latency::LatencyHistogram;
use crate::port::{BuildStamp, Door, EgressFrame, NetworkPort, PortBusy, TraceEvent};
use crate::traffic::{Traffic, TrafficResult};

mod entering;
mod failing;
mod words;

/// Frames that the simulated MAC takes before it says busy.
const MAC_QUEUE: usize = 64;
/// Frames that may wait for [`NetworkPort::egress`] before the pipeline stands still.
const EGRESS_QUEUE: usize = 1024;
/// Buffers of frames that are kept for the next ones.
const SPARE: usize = 64;
/// Frames of the slow ring, each way.
const SLOW_RING: usize = 32;
/// Events of the trace that are kept.
const TRACE_EVENTS: usize = 1 << 12;

/// A frame in a packet slot, not yet looked at.
struct Admitted {
    frame: Vec<u8>,
    arrived: u64,
    dispatch_at: u64,
}

/// A request that dispatch and filter are done with.
#[derive(Default)]
struct InFlight {
    request: BoardRequest,
    /// Decided already; else it executes when it leaves.
    answer: Option<Answer>,
    tick_filter: u32,
    arrived: u64,
    leave_at: u64,
}

/// The cycles of the next things that happen; [`NEVER`]: nothing of the kind is under way.
struct Due {
    /// The oldest frame at the MAC is in.
    arrival: u64,
    /// The oldest frame in a packet slot is dispatched.
    dispatch: u64,
    /// The oldest request leaves.
    leave: u64,
    /// A page has been zeroed.
    zeroed: u64,
    /// The oldest token of the second door executes.
    token: u64,
}

const NEVER: u64 = u64::MAX;

impl Due {
    const NOTHING: Due = Due { arrival: NEVER, dispatch: NEVER, leave: NEVER, zeroed: NEVER, token: NEVER };
}

/// The software board.
pub struct SoftFast {
    /// What the board keeps and decides.
    pub(super) model: Model,
    pub(super) timing: Timing,
    jitter: ChaCha8Rng,
    pub(super) cycle: u64,
    pub(super) skipped_ticks: u64,
    /// An epoch that takes effect when nothing that was taken in is left.
    next_epoch: Option<u32>,
    mac: VecDeque<(Vec<u8>, bool)>,
    admitted: VecDeque<Admitted>,
    in_flight: Places<InFlight>,
    /// Of the first in each of these queues.
    due: Due,
    egress: VecDeque<EgressFrame>,
    /// Buffers of frames that have left.
    spare: Vec<Vec<u8>>,
    to_slow: VecDeque<Vec<u8>>,
    from_slow: VecDeque<Vec<u8>>,
    trace: VecDeque<TraceEvent>,
    latency: LatencyHistogram,
    /// What is left of the classes' rates.
    meter: ClassMeter,
    /// Who stands at the second door, of a board that has one.
    guest: Guest,
    /// Packet slots that a planted fault has taken away, and writes that one keeps back.
    leaked: usize,
    late: VecDeque<(Register, u32)>,
}

/// Beats of 64 bytes that a frame takes on the data path.
fn beats(frame: &[u8]) -> u64 {
    frame.len().div_ceil(64).max(1) as u64
}

/// Cycles that a request is in the pipeline and at the memory.
fn stay(model: &Model, timing: Timing, jitter: &mut ChaCha8Rng, next: &InFlight) -> u64 {
    let accesses = next.answer.is_none() && next.request.operation() != Some(Opcode::Fence);
    let memory = if accesses { timing.memory } else { 0 };
    let walk = if accesses && !model.is_cached(&next.request) { timing.memory } else { 0 };
    let jitter = match timing.jitter {
        0 => 0,
        most => jitter.random_range(0..=most),
    };
    timing.pipeline + memory + walk + jitter
}

impl SoftFast {
    /// A board after reset, with the usual timing.
    pub fn new(shape: BoardShape) -> Result<SoftFast, ShapeError> {
        SoftFast::with_timing(shape, Timing::default())
    }
    /// A board after reset.
    pub fn with_timing(shape: BoardShape, timing: Timing) -> Result<SoftFast, ShapeError> {
        let model = Model::new(shape)?;
        let in_flight = Places::new(model.shape.packet_slots);
        Ok(SoftFast {
            model,
            timing,
            jitter: ChaCha8Rng::seed_from_u64(timing.seed),
            cycle: 0,
            skipped_ticks: 0,
            next_epoch: None,
            mac: VecDeque::new(),
            admitted: VecDeque::new(),
            in_flight,
            due: Due::NOTHING,
            egress: VecDeque::new(),
            spare: Vec::new(),
            to_slow: VecDeque::new(),
            from_slow: VecDeque::new(),
            trace: VecDeque::new(),
            latency: LatencyHistogram::default(),
            meter: ClassMeter::default(),
            guest: Guest::default(),
            leaked: 0,
            late: VecDeque::new(),
        })
    }

    /// Serves a request of a port beside the network's, between two cycles: translation, rights and memory are those of any request;
    /// dispatch, filter and classes are passed by. The caller has checked length and alignment: the access lies within a page.
    pub fn serve_beside(&mut self, request: &BoardRequest) -> Answer {
        let Executed { answer, .. } = self.model.serve(request, Lookup::Own);
        // A page that was taken makes room for one that is to be zeroed.
        self.start_zeroing();
        answer
    }
    /// Bytes of the system's memory that the board's memory takes.
    pub fn memory_taken(&self) -> u64 {
        self.model.memory.taken()
    }
    /// Bytes of a page.
    pub fn page_size(&self) -> u64 {
        self.model.geometry.page_size()
    }

    /// When the next thing happens, if anything is under way.
    fn next_event(&self) -> Option<u64> {
        let mut next = self.due.arrival.min(self.due.dispatch).min(self.due.zeroed).min(self.due.token);
        if self.egress.len() < EGRESS_QUEUE {
            let slow = if self.from_slow.is_empty() { NEVER } else { self.cycle };
            next = next.min(self.due.leave).min(slow);
        }
        (next != NEVER).then_some(next)
    }

    fn set_cycle(&mut self, cycle: u64) {
        self.cycle = cycle;
        let ticks = Registers::tick_at(cycle, self.model.shape.tick_log2, self.skipped_ticks);
        self.model.tick_high = upper(ticks);
        let tick = Tick::from_low_bits(ticks as u32);
        if tick != self.model.tick {
            self.model.advance(tick);
        }
    }

    /// Everything that is due at this cycle, the end of the pipeline first.
    fn step(&mut self) {
        let now = self.cycle;
        if self.due.zeroed <= now {
            self.model.zero_next();
            self.due.zeroed = NEVER;
        }
        self.change_epoch();
        let room = self.egress.len() < EGRESS_QUEUE;
        if room && self.due.leave <= now {
            self.commit();
        } else if room && let Some(frame) = self.from_slow.pop_front() {
            self.emit(frame, false);
        }
        if self.due.dispatch <= now {
            self.dispatch();
        }
        if self.due.arrival <= now {
            self.arrive();
        }
        if self.due.token <= now {
            self.guest.execute(&mut self.model);
            self.due.token = NEVER;
            self.await_token();
        }
        self.start_zeroing();
    }

    fn await_token(&mut self) {
        if self.due.token == NEVER && self.guest.waits() {
            self.due.token = self.cycle + 1 + self.timing.memory;
        }
    }

    /// Nothing that was taken in is left.
    fn is_empty(&self) -> bool {
        self.admitted.is_empty() && self.in_flight.is_empty()
    }
    fn change_epoch(&mut self) {
        while self.is_empty()
            && let Some((register, value)) = self.late.pop_front()
        {
            self.model.write_register(register, value);
        }
        let at_once = self.model.planted(PlantedFault::EpochAtOnce);
        if (self.is_empty() || at_once)
            && let Some(epoch) = self.next_epoch.take()
        {
            self.model.write_register(Register::Epoch, epoch);
        }
    }

    fn start_zeroing(&mut self) {
        if self.due.zeroed == NEVER && self.model.can_zero() {
            let beats = self.model.geometry.page_size() / 64;
            self.due.zeroed = self.cycle + (beats * self.timing.zero_beat).max(1);
        }
    }

    /// The oldest request leaves: checks 19 and 20 if it has no answer yet, then the response.
    fn commit(&mut self) {
        let Some(InFlight { request, answer, .. }) = self.in_flight.front_mut() else { return };
        if self.model.shape.traffic {
            self.guest.network_goes();
        }
        self.model.lend(self.spare.pop().unwrap_or_default());
        match answer.take() {
            Some(answer) => self.respond(&mut Executed { answer, walked: false, zeros: false }),
            None => {
                let mut executed = self.model.execute(request, Lookup::Own);
                self.respond(&mut executed);
            }
        }
    }

    /// The answer of the oldest request leaves.
    fn respond(&mut self, Executed { answer, walked: resumed, .. }: &mut Executed) {
        let Some(InFlight { request, tick_filter, arrived, .. }) = self.in_flight.front_mut() else { return };
        let cycles = self.cycle - *arrived;
        let frame = self.model.respond(request, answer, cycles);
        self.latency.record(cycles);
        if self.trace.len() == TRACE_EVENTS {
            self.trace.pop_front();
        }
        let tick = self.model.tick.get();
        let early = |fault: PlantedFault, of: u32| {
            if self.model.planted(fault) {
                Tick::from_low_bits(*tick_filter).plus(u32::MAX).get()
            } else {
                of
            }
        };
        self.trace.push_back(TraceEvent {
            src_ip: request.source_ip(),
            src_port: request.endpoints.src_port,
            op_id: request.op_id,
            attempt: request.attempt,
            opcode: request.opcode,
            status: answer.status.number(),
            cause: answer.cause_number(),
            tick_filter: early(PlantedFault::FilterTickEarly, *tick_filter),
            tick_resume: early(PlantedFault::ResumeTickEarly, tick),
            tick,
            resumed: *resumed,
        });
        let bad_fcs = answer.bad_fcs;
        self.in_flight.pop();
        // The next answer cannot leave while this one's beats are on the way.
        let sent = self.cycle + beats(&frame);
        self.due.leave = self.in_flight.front_mut().map_or(NEVER, |next| {
            next.leave_at = next.leave_at.max(sent);
            next.leave_at
        });
        self.emit(frame, bad_fcs);
    }

    fn emit(&mut self, bytes: Vec<u8>, bad_fcs: bool) {
        self.model.counters.count(Counter::TxFrames);
        if bad_fcs {
            self.model.counters.count(Counter::TxDamaged);
        }
        self.egress.push_back(EgressFrame { bytes, bad_fcs });
    }
}

impl NetworkPort for SoftFast {
    fn stamp(&self) -> BuildStamp {
        self.model.stamp
    }
    fn forgets(&self) -> bool {
        true
    }
    fn forget(&mut self, page: u64, free: bool) {
        let geometry = &self.model.geometry;
        let free = free || self.model.is_to_be_zeroed(page);
        self.model.memory.forget(page << geometry.page_bits(), geometry.page_size(), free);
    }
    fn ingress(&mut self, frame: &[u8], fcs_error: bool) -> Result<(), PortBusy> {
        if self.mac.len() >= MAC_QUEUE {
            return Err(PortBusy);
        }
        let mut own = self.spare.pop().unwrap_or_default();
        own.clear();
        own.extend_from_slice(frame);
        if self.mac.is_empty() {
            self.due.arrival = self.cycle + beats(frame);
        }
        self.mac.push_back((own, fcs_error));
        Ok(())
    }
    fn egress(&mut self) -> Option<EgressFrame> {
        self.egress.pop_front()
    }
    fn recycle(&mut self, frame: Vec<u8>) {
        if self.spare.len() < SPARE {
            self.spare.push(frame);
        }
    }
    fn run(&mut self, cycles: u64) {
        let end = self.cycle + cycles;
        self.start_zeroing();
        while let Some(at) = self.next_event().filter(|at| *at <= end) {
            self.set_cycle(at.max(self.cycle));
            self.step();
        }
        self.set_cycle(end);
    }
    fn cycles(&self) -> u64 {
        self.cycle
    }
    fn quiet(&self) -> bool {
        self.rests() && self.egress.is_empty()
    }
    fn taken(&self) -> bool {
        self.mac.is_empty()
    }
    fn rests(&self) -> bool {
        self.mac.is_empty()
            && self.admitted.is_empty()
            && self.in_flight.is_empty()
            && self.to_slow.is_empty()
            && self.from_slow.is_empty()
            && self.guest.rests()
            && !self.model.can_zero()
    }
    fn slow_places(&self) -> u64 {
        SLOW_RING as u64
    }
    fn trace(&mut self) -> Option<TraceEvent> {
        self.trace.pop_front()
    }
    fn traffic(&mut self, traffic: &Traffic) -> Result<(), PortBusy> {
        self.guest.offer(traffic, &self.model)?;
        self.await_token();
        Ok(())
    }
    fn traffic_result(&mut self) -> Option<TrafficResult> {
        self.guest.result()
    }
    fn order(&mut self) -> Option<Door> {
        self.guest.order()
    }
}

impl FastPath for SoftFast {
    fn read_register(&mut self, register: Register) -> u32 {
        self.run(self.timing.register);
        self.change_epoch();
        match (register, self.next_epoch) {
            (Register::Epoch, Some(epoch)) => epoch,
            (Register::Rest, _) => {
                let changing = self.next_epoch.map_or(0, |_| REST_EPOCH);
                let rests = self.is_empty() || self.model.planted(PlantedFault::RestEarly);
                REST_MEMORY | changing | (u32::from(rests) * REST_BOARD)
            }
            _ => self.model.read_register(register),
        }
    }
    fn write_register(&mut self, register: Register, value: u32) {
        self.run(self.timing.register);
        if register == Register::TickSkip && !self.model.shape.simulated {
            // Not there: the write does nothing.
        } else if register == Register::Epoch {
            self.next_epoch = Some(value & 0xff);
            self.change_epoch();
        } else if register == Register::TickSkip {
            self.skipped_ticks = self.skipped_ticks.wrapping_add(value.into());
            self.set_cycle(self.cycle);
        } else if !self.is_empty() && self.model.is_late(register) {
            self.late.push_back((register, value));
        } else {
            self.model.write_register(register, value);
            if register == Register::ClassCommit
                && let Some(rate) = self.model.registers.classes.get((value & 0xff) as usize)
            {
                self.meter.set(value as u8, *rate, self.cycle);
            }
        }
    }
    fn read_counter(&mut self, counter: Counter) -> u32 {
        self.run(self.timing.register);
        self.model.counters.get(counter)
    }
    /// The model has no stages: it knows the whole way of a request, and no marks.
    fn read_observed(&mut self, number: u32) -> u32 {
        self.run(self.timing.register);
        let bucket = number.wrapping_sub(Stage::Whole.bucket(0));
        if bucket < HISTOGRAM_BUCKETS { self.latency.power_of_two(bucket) as u32 } else { 0 }
    }
    fn receive(&mut self, into: &mut Vec<u8>) -> bool {
        let Some(frame) = self.to_slow.pop_front() else { return false };
        let earlier = std::mem::replace(into, frame);
        self.recycle(earlier);
        true
    }
    fn send(&mut self, frame: &[u8]) -> Result<(), RingFull> {
        if self.from_slow.len() >= SLOW_RING {
            return Err(RingFull);
        }
        if frame.len() > self.model.shape.max_frame() {
            self.model.counters.count(Counter::DropSlowGiant);
            return Ok(());
        }
        self.model.counters.count(Counter::SlowRx);
        self.from_slow.push_back(frame.to_vec());
        Ok(())
    }
    fn read_memory(&mut self, address: u64, into: &mut [u8]) {
        self.model.memory.read(address, into);
    }
    fn write_memory(&mut self, address: u64, from: &[u8]) {
        self.model.memory.write(address, from);
    }
    fn leaf(&mut self, command: LeafCommand) -> Result<u64, LeafRefused> {
        self.run(self.timing.register);
        let done = self.model.leaf_command(command);
        self.start_zeroing();
        done
    }
    fn leaf_state(&self) -> Option<LeafState> {
        self.model.shape.leaf.then(|| self.model.leaf_state())
    }
    fn latency(&self) -> Option<LatencySummary> {
        self.latency.summary()
    }
}
