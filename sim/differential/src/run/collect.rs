//! What comes out of the board, compared as it comes.
use mneme_model::port::{BadMemory, Door, EgressFrame, NetworkPort, RegisterPort};
use mneme_slowpath::FastPath;

use super::super::mismatch::{Mismatch, hex};
use super::{Run, SLOW_ETHERTYPE};

impl<B: FastPath + NetworkPort + BadMemory + RegisterPort> Run<'_, B> {
    /// Takes everything that the board has to give, and compares answers and results with the model's.
    pub(in super::super) fn collect(&mut self) -> Result<(), Mismatch> {
        while let Some(event) = self.board.trace() {
            self.events.push_back(event);
        }
        while let Some(frame) = self.board.egress() {
            if frame.bytes.get(12..14) == Some(&SLOW_ETHERTYPE) {
                self.check_from_slow(&frame)?;
            } else {
                self.answers.push_back(frame);
            }
        }
        let mut frame = Vec::new();
        while !self.slow_asleep && self.board.receive(&mut frame) {
            self.slow_taken += 1;
            self.slow.push_back(std::mem::take(&mut frame));
        }
        while let Some(result) = self.board.traffic_result() {
            self.results.push_back(result);
        }
        while let Some(door) = self.board.order() {
            self.order.push_back(door);
        }
        if let Some(held) = &mut self.held {
            held.look(&self.events, &self.slow);
            return Ok(());
        }
        if !self.may_compare() {
            return Ok(());
        }
        let now = self.now();
        while self.may_compare() {
            match self.next_door() {
                Door::Network => {
                    let (Some(event), Some(frame)) = (self.events.pop_front(), self.answers.pop_front())
                    else {
                        break;
                    };
                    self.replay.answer(&event, &frame, now)?;
                    if !frame.bad_fcs {
                        self.programs.answer(&frame.bytes)?;
                    }
                }
                Door::Traffic => {
                    let Some(result) = self.results.pop_front() else { break };
                    self.replay.result(&result, now)?;
                }
            }
            self.order.pop_front();
        }
        Ok(())
    }

    /// Whose token took effect next. A board with one door does not say.
    fn next_door(&self) -> Door {
        self.order.front().copied().unwrap_or(Door::Network)
    }
    /// How it ended has come.
    fn may_compare(&self) -> bool {
        match self.next_door() {
            Door::Network => !self.events.is_empty() && !self.answers.is_empty(),
            Door::Traffic => !self.results.is_empty(),
        }
    }

    /// The board rests, so everything has found its counterpart.
    pub(super) fn nothing_is_left(&self) -> Result<(), Mismatch> {
        let what = if let Some(event) = self.events.front() {
            format!("an event of the trace without an answer: {event:?}")
        } else if let Some(frame) = self.answers.front() {
            format!("an answer without an event of the trace: {}", hex(&frame.bytes))
        } else if let Some(result) = self.results.front() {
            format!("a result of a token that never left translation: {result:?}")
        } else if let Some(door) = self.order.front() {
            format!("a token of door {door:?} left translation and never ended")
        } else if self.replay.tokens() > 0 {
            format!("{} tokens of door 1 have no result", self.replay.tokens())
        } else {
            return Ok(());
        };
        Err(Mismatch::new(what))
    }

    fn check_from_slow(&mut self, frame: &EgressFrame) -> Result<(), Mismatch> {
        match self.from_slow.pop_front() {
            Some(sent) if sent == frame.bytes && !frame.bad_fcs => Ok(()),
            _ => Err(Mismatch::new(format!("the slow path's frame left changed: {}", hex(&frame.bytes)))),
        }
    }
}
