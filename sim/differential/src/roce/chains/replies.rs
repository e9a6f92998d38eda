//! What peers answer to replies: acknowledges of some packets or all, that one is missing, that they are not ready, nonsense, nothing.
use mneme_rdma::codec::{Aeth, Bth, Credits, Extensions, Nak, Opcode, Packet, Psn, RnrTimer, Syndrome};
use mneme_rdma::responder::PACKET_MAX;
use rand::Rng;

use super::super::run::Run;
use crate::Mismatch;

/// Cycles of a tick of replies' times, on all boards.
const TICK: u64 = 2500;
/// The longest wait that a peer asks for, by its code: 40 µs.
const WAIT: u8 = 4;
/// Ticks after which it is over.
const WAITED: u64 = 6;

/// What a peer says of its first packets without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// So many have come.
    Acknowledge(u32),
    /// So many have come, and the next one is missing.
    Gap(u32),
    /// So many have come, and the next one is to come again.
    NotReady(u32),
    /// What has been said, or is said of packets that never left.
    Stale(u32),
    /// A syndrome that means nothing.
    Unknown,
}

impl Run<'_> {
    /// A peer answers replies, if some have no answer.
    pub(super) fn answer_replies(&mut self) -> Result<(), Mismatch> {
        let waits =
            |at: &usize| !self.chains[*at].in_error && self.chains[*at].sent != self.chains[*at].answered;
        let all: Vec<usize> = (0..self.chains.len()).filter(waits).collect();
        if all.is_empty() {
            return Ok(());
        }
        let at = all[self.rng.random_range(0..all.len())];
        let left = self.chains[at].sent.since(self.chains[at].answered);
        let rng = &mut self.rng;
        let says = match rng.random_range(0..20) {
            0 | 1 => Says::Gap(rng.random_range(0..left)),
            2 => Says::NotReady(rng.random_range(0..left)),
            3 => Says::Stale(if rng.random() { left } else { rng.random_range(1..0x100) + (1 << 23) }),
            4 => Says::Unknown,
            5..12 => Says::Acknowledge(left),
            _ => Says::Acknowledge(rng.random_range(1..=left)),
        };
        self.say(at, says)
    }

    pub(super) fn say(&mut self, at: usize, says: Says) -> Result<(), Mismatch> {
        let peer = &self.chains[at];
        let waits = peer.posted.iter().sum::<u32>() > peer.sent.since(peer.answered);
        let ack = Syndrome::Ack(Credits::UNCOUNTED);
        let (psn, syndrome, done) = match says {
            Says::Acknowledge(count) => (peer.answered.plus(count - 1), ack, count),
            Says::Gap(count) => (peer.answered.plus(count), Syndrome::Nak(Nak::Sequence), count),
            Says::NotReady(count) => {
                let code = self.rng.random_range(1..=WAIT);
                (peer.answered.plus(count), Syndrome::Rnr(RnrTimer::from_code(code)), count)
            }
            Says::Stale(ahead) => (peer.answered.plus(ahead), ack, 0),
            Says::Unknown => (peer.answered, Syndrome::from_number(0x40 | self.rng.random_range(0..0x20)), 0),
        };
        // Replies that leave now, or again, are not beside messages of their queue pair, nor beside what may change their pages.
        let again = matches!(says, Says::Gap(_) | Says::NotReady(_));
        if again
            || waits
            || self.group.messages(self.chains[at].config.qpn)
            || self.group.frames.len() >= self.most
        {
            self.flush()?;
        }
        self.group.acknowledged.insert(at);
        let (qpn, source) = (self.chains[at].config.qpn, self.chains[at].config.peer);
        self.count_said(at, says);
        self.acknowledge_packet(at, qpn, source, psn, syndrome)?;
        self.count_answer(at, done);
        if again || waits || self.most == 1 {
            self.flush()?;
        }
        if matches!(says, Says::NotReady(_)) { self.pass_time(WAITED) } else { Ok(()) }
    }
    fn acknowledge_packet(
        &mut self,
        at: usize,
        qpn: u32,
        source: [u8; 4],
        psn: Psn,
        syndrome: Syndrome,
    ) -> Result<(), Mismatch> {
        let bth = Bth { dest_qp: qpn, psn, ..Bth::default() };
        let extensions = Extensions { aeth: Some(Aeth { syndrome, msn: 0 }), ..Extensions::default() };
        let packet = Packet { bth, opcode: Opcode::Acknowledge, extensions, payload: &[] };
        let mut bytes = [0; PACKET_MAX];
        let length = packet.emit(&mut bytes).map_err(|error| Mismatch::new(error.to_string()))?;
        let packet = bytes[..length].to_vec();
        self.chain_packet(at, Some(&packet), source, std::slice::from_ref(&packet), None)
    }
    fn count_said(&mut self, at: usize, says: Says) {
        let (seen, peer) = (&mut self.report.chains, &mut self.chains[at]);
        seen.answers += 1;
        match says {
            Says::Acknowledge(count) => peer.went_back &= count == 0,
            // It goes back once, until there is progress.
            Says::Gap(count) => {
                seen.gaps += u64::from(count > 0 || !peer.went_back);
                peer.went_back = true;
            }
            Says::NotReady(_) => {
                seen.not_ready += 1;
                peer.went_back = false;
            }
            Says::Stale(_) => seen.stale += 1,
            Says::Unknown => seen.unknown += 1,
        }
    }
    /// So many packets more are answered.
    fn count_answer(&mut self, at: usize, mut done: u32) {
        let peer = &mut self.chains[at];
        peer.answered = peer.answered.plus(done);
        while let Some(front) = peer.posted.front_mut() {
            if *front > done {
                *front -= done;
                return;
            }
            done -= *front;
            peer.posted.pop_front();
        }
    }

    /// So many ticks pass, on both sides. What leaves then is compared.
    pub(super) fn pass_time(&mut self, ticks: u64) -> Result<(), Mismatch> {
        for _ in 0..ticks {
            self.model.now += 10_000;
            self.hear(None)?;
        }
        let group = std::mem::take(&mut self.group);
        let mut answers = self.board.pass(ticks * TICK);
        answers.extend(self.board.rest()?);
        self.heard(&group, answers)
    }

    /// All replies are answered, as those who end do.
    pub(super) fn answer_all(&mut self) -> Result<(), Mismatch> {
        for at in 0..self.chains.len() {
            // A window is full of packets at a time.
            while !self.chains[at].in_error && self.chains[at].sent != self.chains[at].answered {
                let left = self.chains[at].sent.since(self.chains[at].answered);
                self.say(at, Says::Acknowledge(left))?;
                self.flush()?;
            }
        }
        Ok(())
    }
}
