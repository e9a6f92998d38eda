//! The traffic generator beside the board (`cpp/load.h`): line rate at the network port, cycle by cycle in C++.
use std::ops::RangeInclusive;

use mneme_model::traffic::Traffic;
use mneme_slowpath::FastPath;
use mneme_wire::frame::MNEME_OFFSET;
use mneme_wire::{HEADER_LEN, Pid, Register};

use super::{RtlFast, ffi};

/// One kind of request in a load.
#[derive(Debug, Clone)]
pub struct LoadKind {
    /// A whole frame without UDP checksum; source port, operation id, time, pid and address are put in by the generator.
    pub frame: Vec<u8>,
    /// How often it is sent, beside the other kinds.
    pub weight: u64,
    /// Where in a page: `offset + stride × (one of places)`.
    pub offset: u64,
    /// Bytes between two places.
    pub stride: u64,
    /// Places in a page.
    pub places: u64,
}

/// A page that a load uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadPage {
    /// The process.
    pub pid: Pid,
    /// Its first address.
    pub va: u64,
}

/// What a load sends, and how.
#[derive(Debug, Clone, Default)]
pub struct LoadPlan {
    /// Of all choices.
    pub seed: u64,
    /// Requests in all.
    pub requests: u64,
    /// Answers before counting begins.
    pub warm_up: u64,
    /// Board cycles after which the load gives up.
    pub cycle_limit: u64,
    /// Requests in flight at most.
    pub window: u64,
    /// Source ports, in turn.
    pub sources: u64,
    /// The first operation id; the others follow.
    pub first_id: u32,
    /// Kinds of requests, at least one with a weight.
    pub kinds: Vec<LoadKind>,
    /// Pages: the hot ones in front.
    pub pages: Vec<LoadPage>,
    /// How many are hot.
    pub hot_pages: usize,
    /// The share of requests that go to hot pages, at random; the others go round the rest.
    pub hot_share: f64,
    /// Places come in turn instead of at random, so that no two requests in flight touch the same bytes.
    pub in_turn: bool,
    /// After so many cycles what was answered BUSY is asked again, as a new operation; 0: BUSY is an answer like others.
    pub retry_after: u64,
    /// Requests to hot pages come by themselves, so many per cycle at random times, instead of by `hot_share`; the window is then that of
    /// the others. 0: they do not.
    pub hot_rate: f64,
    /// How many of these may be in flight; more wait outside the port, which their latency counts.
    pub hot_window: u64,
    /// Bits per cycle that the wire at the port carries in each direction; 0: a beat in every cycle.
    pub link_bits: u32,
    /// What the traffic generator at door 1 is told, over and over, as long as the load is on.
    pub traffic: Vec<Traffic>,
}

/// The stages between two taps of a board, in the order of a request's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadStage {
    /// From the last beat at the port until it lies in its packet slot.
    Slot,
    /// From there until ingress hands on the frame, its checksums summed.
    Ingress,
    /// Dispatch.
    Dispatch,
    /// The retry filter.
    Filter,
    /// Translation.
    Translation,
    /// Memory access.
    Memory,
    /// From there until the header leaves the response builder.
    Response,
    /// From there to the port.
    Egress,
}

/// What a load measured, in board cycles; all of it after the warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadResult {
    /// Answers OK.
    pub ok: u64,
    /// Other answers.
    pub other: u64,
    /// Answers of hot pages, of any status.
    pub hot: u64,
    /// Answers OK of each kind.
    pub ok_of_kind: [u64; ffi::LOAD_KINDS],
    /// Requests of each kind that went in after as many as the warm-up has; where some overtake others, not quite those answered.
    pub entered_of_kind: [u64; ffi::LOAD_KINDS],
    /// From the warm-up's last to the last: last beats of answers, or last beats of requests, whichever took longer.
    pub cycles: u64,
    /// Beats that DRAM delivered meanwhile.
    pub read_beats: u64,
    /// Beats that DRAM took.
    pub write_beats: u64,
    /// Last beat in to last beat out: the least, p50, p99, the largest. Of a hit that comes by itself from when it came.
    pub latency: [u64; 4],
    /// The same of requests to hot pages.
    pub hot_latency: [u64; 4],
    /// The same of all requests to the first beat out.
    pub first_latency: [u64; 4],
    /// Requests that passed each tap once, and others: counted where one is in flight at a time and the board was compiled with taps.
    pub stamped: [u64; 2],
    /// Cycles that the former took in each stage ([`LoadStage`]): the least and the largest.
    pub stages: [(u64, u64); ffi::LOAD_STAGES],
    /// Tokens of the traffic generator that ended OK meanwhile, and others.
    pub tokens: [u64; 2],
    /// Their cycles from offer to result: the least, p50, p99, the largest.
    pub token_latency: [u64; 4],
}

impl LoadResult {
    /// Cycles that every request took in this stage, least to largest.
    pub fn stage(&self, stage: LoadStage) -> RangeInclusive<u64> {
        let (least, largest) = self.stages[stage as usize];
        least..=largest
    }
}

/// Why a load did not come to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// Frames were lost, or the board stopped.
    #[error("only {answers} of {requests} requests were answered")]
    Lost {
        /// What came.
        answers: u64,
        /// What was sent.
        requests: u64,
    },
    /// The plan makes no sense.
    #[error("the load's plan: {0}")]
    Plan(&'static str),
}

/// The source port of the first source.
const FIRST_PORT: u32 = 40_000;

impl LoadPlan {
    fn check(&self) -> Result<(), LoadError> {
        let bad = if self.kinds.iter().any(|kind| kind.frame.len() < MNEME_OFFSET + HEADER_LEN) {
            "a frame without a whole header"
        } else if self.kinds.iter().map(|kind| kind.weight).sum::<u64>() == 0 {
            "no kind has a weight"
        } else if self.hot_pages > self.pages.len() || self.pages.is_empty() {
            "fewer pages than hot ones, or none"
        } else if self.hot_pages == self.pages.len() && self.hot_share < 1.0 {
            "no pages for requests outside the hot ones"
        } else if self.hot_rate > 0.0 && (self.hot_pages == 0 || self.hot_window == 0) {
            "hits that come by themselves, and no page or no room for them"
        } else if self.traffic.iter().any(|traffic| traffic.count == 0) {
            "a run of no tokens"
        } else if self.kinds.len() > ffi::LOAD_KINDS {
            "more than eight kinds"
        } else if self.window == 0 || self.sources == 0 || self.warm_up >= self.requests {
            "a window, a source and a request after the warm-up are needed"
        } else {
            return Ok(());
        };
        Err(LoadError::Plan(bad))
    }
}

impl RtlFast {
    /// Sends a load and takes its answers. Nothing else may be under way at the network port.
    pub fn carry(&mut self, plan: &LoadPlan) -> Result<LoadResult, LoadError> {
        self.begin_load(plan)?;
        self.run_load(plan.cycle_limit);
        self.end_load(plan)
    }
    /// Begins a load, which goes on whenever cycles pass, until [`RtlFast::end_load`]. Frames of ports other than its sources pass it by.
    pub fn begin_load(&mut self, plan: &LoadPlan) -> Result<(), LoadError> {
        plan.check()?;
        let tick = self.read_register(Register::Tick);
        let kinds: Vec<_> = plan.kinds.iter().map(kind).collect();
        let pages: Vec<_> =
            plan.pages.iter().map(|page| ffi::Page { va: page.va, pid: page.pid.get() }).collect();
        let traffic: Vec<_> = plan.traffic.iter().map(ffi::Traffic::of).collect();
        self.verilated.begin_load(&ffi::Load {
            seed: plan.seed,
            requests: plan.requests,
            warm_up: plan.warm_up,
            cycle_limit: plan.cycle_limit,
            window: plan.window,
            sources: plan.sources,
            first_id: plan.first_id.into(),
            kind: kinds.as_ptr(),
            kinds: kinds.len() as u64,
            page: pages.as_ptr(),
            pages: pages.len() as u64,
            hot_pages: plan.hot_pages as u64,
            hot_share: (plan.hot_share.clamp(0.0, 1.0) * 65_536.0) as u32,
            tick,
            first_port: FIRST_PORT,
            in_turn: plan.in_turn.into(),
            retry_after: plan.retry_after,
            hot_rate: (plan.hot_rate.clamp(0.0, 1.0) * 65_536.0) as u32,
            link_bits: plan.link_bits,
            hot_window: plan.hot_window,
            traffic: traffic.as_ptr(),
            traffics: traffic.len() as u64,
        });
        Ok(())
    }
    /// Lets cycles pass while a load is on, fewer when all its requests are answered. Whether they are.
    pub fn run_load(&mut self, cycles: u64) -> bool {
        let finished = self.verilated.run_load(cycles);
        self.after_running();
        finished
    }
    /// Ends the load that `plan` began: what it measured, if all its requests were answered.
    pub fn end_load(&mut self, plan: &LoadPlan) -> Result<LoadResult, LoadError> {
        let r = self.verilated.end_load();
        if r.answers < plan.requests {
            return Err(LoadError::Lost { answers: r.answers, requests: plan.requests });
        }
        Ok(LoadResult {
            ok: r.ok,
            other: r.other,
            hot: r.hot,
            ok_of_kind: r.ok_of_kind,
            entered_of_kind: r.entered_of_kind,
            cycles: r.cycles,
            read_beats: r.read_beats,
            write_beats: r.write_beats,
            latency: r.latency,
            hot_latency: r.hot_latency,
            first_latency: r.first_latency,
            stamped: [r.stamped, r.unstamped],
            stages: std::array::from_fn(|stage| (r.stage_min[stage], r.stage_max[stage])),
            tokens: [r.traffic_ok, r.traffic_other],
            token_latency: r.traffic_latency,
        })
    }
}

fn kind(kind: &LoadKind) -> ffi::Kind {
    ffi::Kind {
        frame: kind.frame.as_ptr(),
        frame_length: kind.frame.len() as u64,
        weight: kind.weight,
        offset: kind.offset,
        stride: kind.stride,
        places: kind.places,
    }
}
