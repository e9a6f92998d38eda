//! How fast the simulation itself runs on this machine, on one thread: of interest to users without hardware, and no measure of
//! the board. Time is that of the processor, so that what else the machine does counts as little as possible.
use std::time::{Duration, Instant};

use anyhow::Result;
use mneme_model::NetworkPort;
use mneme_rtl::RtlConfig;
use serde::Serialize;

use super::measure;
use super::rows::Row;

/// Cycles simulated without traffic.
const IDLE_CYCLES: u64 = 400_000;

/// Host time for board time.
#[derive(Debug, Clone, Serialize)]
pub struct Speed {
    /// The configuration.
    pub board: &'static str,
    /// Cycles per second without traffic.
    pub idle_cycles_per_second: f64,
    /// Cycles per second while 16-byte reads saturate the port.
    pub busy_cycles_per_second: f64,
    /// Such reads per second.
    pub reads_per_second: f64,
}

/// What this thread has had of a processor, where the system tells; otherwise time since `start`.
fn processor_time(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// Measures one configuration.
pub fn measure(board: RtlConfig) -> Result<Speed> {
    let row = Row::for_speed(board);
    let (mut host, plan) = measure::prepare(&row)?;
    let start = Instant::now();
    let began = processor_time(start);
    host.board.run(IDLE_CYCLES);
    let idle = processor_time(start) - began;
    let (before, began) = (host.board.cycles(), processor_time(start));
    host.board.carry(&plan)?;
    let (cycles, busy) = (host.board.cycles() - before, processor_time(start) - began);
    let (idle, busy) = (idle.as_secs_f64(), busy.as_secs_f64());
    Ok(Speed {
        board: board.shape().name,
        idle_cycles_per_second: IDLE_CYCLES as f64 / idle,
        busy_cycles_per_second: cycles as f64 / busy,
        reads_per_second: plan.requests as f64 / busy,
    })
}
