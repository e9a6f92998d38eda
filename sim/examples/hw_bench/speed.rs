//! How fast the simulation itself runs on this machine: of interest to users without hardware, and no measure of the board.
use std::time::Instant;

use anyhow::Result;
use mneme_sim::{NetworkPort, RtlConfig};
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

/// Measures one configuration.
pub fn measure(board: RtlConfig) -> Result<Speed> {
    let row = Row::for_speed(board);
    let (mut host, plan) = measure::prepare(&row)?;
    let began = Instant::now();
    host.board.run(IDLE_CYCLES);
    let idle = began.elapsed().as_secs_f64();
    let (before, began) = (host.board.cycles(), Instant::now());
    host.board.carry(&plan)?;
    let (cycles, busy) = (host.board.cycles() - before, began.elapsed().as_secs_f64());
    Ok(Speed {
        board: board.shape().name,
        idle_cycles_per_second: IDLE_CYCLES as f64 / idle,
        busy_cycles_per_second: cycles as f64 / busy,
        reads_per_second: plan.requests as f64 / busy,
    })
}
