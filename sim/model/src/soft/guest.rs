//! The traffic generator at the software board's second door. Its tokens execute one after the other, each after memory's time.
use std::collections::VecDeque;

use mneme_wire::{Opcode, Status};

use super::model::Model;
use super::planted::PlantedFault;
use super::request::BoardRequest;
use super::translate::{Executed, Lookup};
use crate::port::{Door, PortBusy};
use crate::traffic::{Traffic, TrafficResult, digest};

/// Tokens that may wait, with their results.
const TOKENS: usize = 1024;
/// Of the order so much is kept; where nobody takes it the oldest goes.
const ORDER: usize = 1 << 16;

/// What waits at the door, and what came of it.
#[derive(Default)]
pub(super) struct Guest {
    tokens: VecDeque<BoardRequest>,
    results: VecDeque<TrafficResult>,
    order: VecDeque<Door>,
    next: u16,
}

impl Guest {
    pub fn offer(&mut self, traffic: &Traffic, model: &Model) -> Result<(), PortBusy> {
        let held = self.tokens.len() + self.results.len();
        if !model.shape.traffic || held + usize::from(traffic.count) > TOKENS {
            return Err(PortBusy);
        }
        let mut traffic = *traffic;
        if model.planted(PlantedFault::DoorDataAtZero) {
            traffic.data_offset = 0;
        }
        if model.planted(PlantedFault::DoorWindowOff) {
            traffic.windowed = None;
        }
        self.tokens.extend(traffic.tokens());
        Ok(())
    }
    pub fn waits(&self) -> bool {
        !self.tokens.is_empty()
    }
    pub fn rests(&self) -> bool {
        self.tokens.is_empty() && self.results.is_empty()
    }
    pub fn result(&mut self) -> Option<TrafficResult> {
        self.results.pop_front()
    }
    pub fn order(&mut self) -> Option<Door> {
        self.order.pop_front()
    }
    /// A request of the network took effect.
    pub fn network_goes(&mut self) {
        self.goes(Door::Network);
    }
    fn goes(&mut self, door: Door) {
        if self.order.len() == ORDER {
            self.order.pop_front();
        }
        self.order.push_back(door);
    }

    /// The oldest token executes.
    pub fn execute(&mut self, model: &mut Model) {
        // This one forgets that the next may be of the same page.
        let overtakes = self.tokens.len() > 1 && model.now_and_then(PlantedFault::DoorOvertakes);
        let Some(request) = self.tokens.remove(overtakes.into()) else { return };
        let number = self.next.wrapping_add(overtakes.into());
        self.next = self.next.wrapping_add((!overtakes).into());
        let Some(operation) = request.operation() else {
            self.results.push_back(TrafficResult { number, ..TrafficResult::default() });
            return self.goes(Door::Traffic);
        };
        let Executed { answer, walked, zeros } = model.serve(&request, Lookup::Own);
        let ok = answer.status == Status::Ok;
        self.results.push_back(TrafficResult {
            number,
            status: answer.status.number(),
            detail: if ok { Default::default() } else { (answer.va, answer.length) },
            zeros,
            resumed: walked,
            slow: false,
            tick_resume: model.tick.get(),
            old: answer.result,
            digest: if ok && operation == Opcode::Read && !zeros { digest(answer.payload()) } else { 0 },
            damaged: answer.bad_fcs,
            cycles: 0,
        });
        self.goes(Door::Traffic);
    }
}
