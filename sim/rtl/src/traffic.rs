//! Commands and results of the traffic generator, as the shim has them.
use mneme_model::traffic::{Traffic, TrafficResult};
use mneme_wire::{Opcode, Va};

use super::ffi;

/// `Operation` of the RTL, as it counts.
fn operation(opcode: Option<Opcode>) -> u8 {
    match opcode {
        Some(Opcode::Read) => 1,
        Some(Opcode::Write) => 2,
        Some(Opcode::CompareSwap) => 3,
        Some(Opcode::FetchAdd) => 4,
        Some(Opcode::Swap) => 5,
        _ => 0,
    }
}

impl ffi::Traffic {
    pub(super) fn of(traffic: &Traffic) -> ffi::Traffic {
        ffi::Traffic {
            va: traffic.va.get(),
            operands: traffic.operands,
            pid: traffic.pid.get(),
            time: traffic.windowed.unwrap_or_default().get(),
            length: traffic.length,
            count: traffic.count,
            stride: traffic.stride,
            operation: operation(traffic.operation),
            fence: (traffic.operation == Some(Opcode::Fence)).into(),
            windowed: traffic.windowed.is_some().into(),
            data_offset: traffic.data_offset,
        }
    }
}

impl ffi::TrafficResult {
    pub(super) fn told(&self) -> TrafficResult {
        TrafficResult {
            number: self.number,
            status: self.status,
            detail: (Va::from_low_bits(self.detail_va), self.detail_length),
            zeros: self.zeros != 0,
            resumed: self.resumed != 0,
            slow: self.slow != 0,
            tick_resume: self.tick_resume,
            old: self.old,
            digest: self.digest,
            damaged: self.damaged != 0,
            cycles: self.cycles,
        }
    }
}
