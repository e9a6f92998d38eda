//! Frames that come back to back, and what they are answered.
use std::collections::{BTreeMap, BTreeSet};

use super::answers::{Answer, compare};
use super::memory::Touches;
use super::run::Run;
use crate::Mismatch;
use crate::mismatch::hex;

/// Frames that come back to back, and what the model says of them.
#[derive(Default)]
pub(super) struct Group {
    pub frames: Vec<(Vec<u8>, bool)>,
    pub answers: Vec<Answer>,
    pub touches: Touches,
    /// Chains' peers that have answered replies.
    pub acknowledged: BTreeSet<usize>,
}

impl Group {
    /// Whether it has a packet of a chain queue pair.
    pub fn messages(&self, qpn: u32) -> bool {
        self.frames.iter().any(|(frame, _)| Answer(frame.clone()).queue_pair() == qpn)
    }
    /// Whether the model says the same more than once, and the board has said it less often.
    fn lacks_an_equal(&self, board: &[Answer]) -> bool {
        let times = |of: &[Answer], answer: &Answer| of.iter().filter(|own| *own == answer).count();
        self.answers.iter().any(|answer| {
            let told = times(&self.answers, answer);
            told > 1 && times(board, answer) < told
        })
    }
}

impl Run<'_> {
    /// A frame comes: with those before it, unless what it does then would depend on when it comes.
    pub(super) fn arrive(&mut self, frame: Vec<u8>, bad_fcs: bool) -> Result<(), Mismatch> {
        self.report.frames += 1;
        let done = if bad_fcs { None } else { self.model.take(&frame)? };
        self.report.dropped += u64::from(done.is_none());
        let done = done.unwrap_or_default();
        let full = self.group.frames.len() >= self.most;
        if full || done.alone || done.touches.races(&self.group.touches) {
            self.flush()?;
        }
        self.group.frames.push((frame, bad_fcs));
        self.group.answers.extend(done.answers);
        self.group.touches.add(done.touches);
        if done.alone { self.flush() } else { Ok(()) }
    }

    /// The frames of a group come, and what they are answered is compared.
    pub(super) fn flush(&mut self) -> Result<(), Mismatch> {
        let group = std::mem::take(&mut self.group);
        if group.frames.is_empty() {
            return Ok(());
        }
        let mut answers = self.board.serve(&group.frames)?;
        // Something may take longer inside.
        if self.compare(&group, &answers).is_err() {
            answers.extend(self.board.linger()?);
        }
        if self.compare(&group, &answers).is_err() {
            answers.extend(self.board.rest()?);
        }
        // Of equal answers the last may be yet to come: its packet waits behind another process's list of pages, say.
        if group.lacks_an_equal(&answers) {
            answers.extend(self.board.rest()?);
        }
        self.report.groups[0] += 1;
        self.report.groups[1] += u64::from(group.frames.len() == 1);
        self.heard(&group, answers)
    }
    /// Answers are right, and go to those who asked.
    pub(super) fn heard(&mut self, group: &Group, answers: Vec<Answer>) -> Result<(), Mismatch> {
        self.compare(group, &answers)?;
        self.report.answers += answers.len() as u64;
        self.report.acknowledges += answers.iter().filter(|answer| answer.is_acknowledge()).count() as u64;
        for answer in answers {
            // Chains' peers know what to do without them.
            let number = answer.queue_pair();
            if self.chains.iter().any(|peer| peer.config.peer_qpn == number) {
                continue;
            }
            for (at, frame) in self.network.send(self.now, answer.0) {
                self.number += 1;
                self.to_peer.insert((at, self.number), frame);
            }
        }
        Ok(())
    }

    /// Compares what a group was answered, by queue pair.
    fn compare(&self, group: &Group, answers: &[Answer]) -> Result<(), Mismatch> {
        let by_pair = |answers: &[Answer]| {
            let mut sorted: BTreeMap<(u32, bool), Vec<Answer>> = BTreeMap::new();
            // Replies of a chain leave before acknowledges or behind them.
            let key = |own: &Answer| (own.queue_pair(), own.is_reply());
            answers.iter().for_each(|own| sorted.entry(key(own)).or_default().push(own.clone()));
            sorted
        };
        let (model, board) = (by_pair(&group.answers), by_pair(answers));
        let alone = group.frames.len() == 1;
        for pair in model.keys().chain(board.keys()) {
            let of =
                |sorted: &BTreeMap<(u32, bool), Vec<Answer>>| sorted.get(pair).cloned().unwrap_or_default();
            compare(&of(&model), &of(&board), alone).map_err(|why| {
                let shown = group.frames.iter().map(|(frame, _)| format!("\n  frame {}", hex(frame)));
                let frames: String = shown.collect();
                Mismatch::new(format!(
                    "queue pair of peer {pair:x?}, frame {}: {why}{frames}",
                    self.report.frames
                ))
            })?;
        }
        Ok(())
    }
}
