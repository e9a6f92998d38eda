//! Reads whose bytes memory failed to deliver, and which of them the board may remember.
use std::collections::HashMap;

use mneme_model::port::TraceEvent;
use mneme_model::soft::BoardRequest;
use mneme_wire::{Cause, Opcode, Pid, Status, Va};

/// Whose bytes, where they begin, and how many.
pub type Span = (Pid, Va, u16);

/// Reads that ended with a bad check sequence, and how many of each: the board may tell MEMERR to as many that ask for the same again.
#[derive(Default)]
pub struct DamagedReads(HashMap<Span, u64>);

impl DamagedReads {
    /// One ended so.
    pub fn note(&mut self, span: Span) {
        *self.0.entry(span).or_default() += 1;
    }
    /// Whether the board tells a read that the same bytes could not be read before, with reason: each damaged answer may be told once.
    pub fn told(&mut self, request: &BoardRequest, event: &TraceEvent, span: Span) -> bool {
        let told = event.status() == Some(Status::MemoryError) && event.cause() == Some(Cause::Dram);
        if !told || request.operation() != Some(Opcode::Read) {
            return false;
        }
        match self.0.get_mut(&span) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}
