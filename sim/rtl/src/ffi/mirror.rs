//! What Rust and the shim tell each other: `cpp/api.h`, line by line.
use std::ffi::c_char;

/// `MnemeOptions`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    pub seed: u64,
    pub reset_seed: u64,
    pub random_reset: u32,
    pub stall: u32,
    pub latency: u32,
    pub jitter: u32,
    pub memory_fill: u32,
    pub build_hash: u32,
    pub build_date: u32,
}

/// `MnemeTrace`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Trace {
    pub src_ip: u32,
    pub op_id: u32,
    pub tick_filter: u32,
    pub tick_resume: u32,
    pub tick: u32,
    pub src_port: u16,
    pub attempt: u8,
    pub opcode: u8,
    pub status: u8,
    pub cause: u8,
    pub resumed: u8,
}

/// `MnemeTraffic`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Traffic {
    pub va: u64,
    pub operands: [u64; 2],
    pub pid: u32,
    pub time: u32,
    pub length: u16,
    pub count: u16,
    pub stride: u16,
    pub operation: u8,
    pub fence: u8,
    pub windowed: u8,
    pub data_offset: u8,
}

/// `MnemeTrafficResult`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TrafficResult {
    pub detail_va: u64,
    pub old: u64,
    pub digest: u64,
    pub tick_resume: u32,
    pub number: u16,
    pub detail_length: u16,
    pub cycles: u16,
    pub status: u8,
    pub zeros: u8,
    pub resumed: u8,
    pub slow: u8,
    pub damaged: u8,
}

/// `MnemeLatency`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Latency {
    pub cycles: u64,
    pub opcode: u8,
}

/// `MnemePage`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page {
    pub va: u64,
    pub pid: u32,
}

/// `MnemeKind`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    pub frame: *const u8,
    pub frame_length: u64,
    pub weight: u64,
    pub offset: u64,
    pub stride: u64,
    pub places: u64,
}

/// `MnemeLoad`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    pub seed: u64,
    pub requests: u64,
    pub warm_up: u64,
    pub cycle_limit: u64,
    pub window: u64,
    pub sources: u64,
    pub first_id: u64,
    pub kind: *const Kind,
    pub kinds: u64,
    pub page: *const Page,
    pub pages: u64,
    pub hot_pages: u64,
    pub hot_share: u32,
    pub tick: u32,
    pub first_port: u32,
    pub in_turn: u32,
    pub retry_after: u64,
    pub hot_rate: u32,
    pub link_bits: u32,
    pub hot_window: u64,
    pub traffic: *const Traffic,
    pub traffics: u64,
}

/// `MNEME_LOAD_KINDS` and `MNEME_LOAD_STAGES`.
pub(crate) const LOAD_KINDS: usize = 8;
pub(crate) const LOAD_STAGES: usize = 8;

/// `MnemeLoadResult`, its `MnemeSpread`s as arrays of four.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LoadResult {
    pub answers: u64,
    pub ok: u64,
    pub other: u64,
    pub hot: u64,
    pub cycles: u64,
    pub read_beats: u64,
    pub write_beats: u64,
    pub latency: [u64; 4],
    pub hot_latency: [u64; 4],
    pub first_latency: [u64; 4],
    pub ok_of_kind: [u64; LOAD_KINDS],
    pub entered_of_kind: [u64; LOAD_KINDS],
    pub stamped: u64,
    pub unstamped: u64,
    pub stage_min: [u64; LOAD_STAGES],
    pub stage_max: [u64; LOAD_STAGES],
    pub traffic_ok: u64,
    pub traffic_other: u64,
    pub traffic_latency: [u64; 4],
}

/// `MnemeState`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct State {
    pub cycles: u64,
    pub idle: u64,
    pub slow_waiting: u64,
    pub waiting: u8,
    pub entering: u8,
}

/// `MnemeWaves`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Waves {
    pub(super) file: *const c_char,
    pub(super) older: *const c_char,
    pub(super) from: u64,
    pub(super) count: u64,
    pub(super) before: u64,
    pub(super) after: u64,
    pub(super) trigger: u32,
    pub(super) value: u32,
}

/// `MnemeWavesState`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WavesState {
    pub first: u64,
    pub end: u64,
    pub older_first: u64,
    pub trigger: u64,
    pub done: u8,
    pub failed: u8,
    pub triggered: u8,
    pub older: u8,
}
