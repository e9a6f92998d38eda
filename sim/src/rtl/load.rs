//! The traffic generator beside the board (`cpp/load.h`): line rate at the network port, within one call.
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
#[derive(Debug, Clone)]
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
}

/// What a load measured, in board cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadResult {
    /// Answers OK, after the warm-up.
    pub ok: u64,
    /// Other answers.
    pub other: u64,
    /// From the last beat of the warm-up's last answer to that of the last.
    pub cycles: u64,
    /// Beats that DRAM delivered meanwhile.
    pub read_beats: u64,
    /// Beats that DRAM took.
    pub write_beats: u64,
    /// Last beat in to first beat out: the least, p50, p99, the largest.
    pub latency: [u64; 4],
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
        plan.check()?;
        let tick = self.read_register(Register::Tick);
        let kinds: Vec<_> = plan.kinds.iter().map(kind).collect();
        let pages: Vec<_> =
            plan.pages.iter().map(|page| ffi::Page { va: page.va, pid: page.pid.get() }).collect();
        let result = self.verilated.load(&ffi::Load {
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
        });
        self.after_running();
        if result.answers < plan.requests {
            return Err(LoadError::Lost { answers: result.answers, requests: plan.requests });
        }
        let ffi::LoadResult { ok, other, cycles, read_beats, write_beats, .. } = result;
        let latency = [result.latency_min, result.latency_p50, result.latency_p99, result.latency_max];
        Ok(LoadResult { ok, other, cycles, read_beats, write_beats, latency })
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
