//! Packets that nobody should have sent: some change nothing, others end their queue pair.
use mneme_rdma::codec::{DEFAULT_PKEY, Psn};
use rand::Rng;

use super::super::run::Run;
use super::Coming;
use super::message::Verdict;
use crate::Mismatch;

/// Addresses of nobody.
const STRANGER: [u8; 4] = [10, 77, 9, 0x33];
/// A payload of nothing.
const ZEROS: [u8; 8192] = [0; 8192];

impl Coming {
    /// A message of eight bytes in one packet, which asks for an acknowledge.
    fn short(qpn: u32, source: [u8; 4], psn: Psn) -> Coming {
        let (opcode, asks, pkey) = (4, true, DEFAULT_PKEY);
        Coming { qpn, source, opcode, asks, pkey, psn, from: 0, bytes: 8, malformed: false }
    }
}

impl Run<'_> {
    /// A packet that changes nothing, or asks for what has been.
    pub(super) fn strange(&mut self, at: usize) -> Result<(), Mismatch> {
        let peer = &self.chains[at];
        let base = Coming::short(peer.config.qpn, peer.config.peer, peer.client);
        // The model is some packets ahead of the board.
        let apart = peer.again.is_some() && peer.chain().stores();
        let psn = peer.client;
        let rng = &mut self.rng;
        let far = rng.random_range(1..0x100);
        let coming = match rng.random_range(0..9) {
            0 => Coming { source: STRANGER, ..base },
            1 => Coming { pkey: 0x7fff, ..base },
            2 => Coming { qpn: base.qpn ^ 0x100, ..base },
            // The model takes those of a peer for acknowledges, the board none of them.
            3 => Coming {
                source: STRANGER,
                opcode: [0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12][rng.random_range(0..6)],
                ..base
            },
            4 => Coming { opcode: [0x20, 0x64, 0x81, 0xc4][rng.random_range(0..4)], ..base },
            5 | 6 if apart => Coming { psn: psn.plus(0x40), ..base },
            5 => Coming { psn: psn.minus(far), malformed: rng.random_bool(0.3), ..base },
            6 => Coming {
                psn: psn.minus(far),
                bytes: 0,
                opcode: [0x0a, 0x0c, 0x13, 0x14, 0x15, 0x17][rng.random_range(0..6)],
                ..base
            },
            _ => Coming { psn: psn.plus(0x40 + far), ..base },
        };
        self.report.chains.strange += 1;
        self.comes(at, &coming, &ZEROS)?;
        if self.group.frames.len() >= self.most { self.flush() } else { Ok(()) }
    }

    /// A packet that ends a queue pair, unless that is hardened: instead of a message, or amid one that takes a frame. Or the slow path ends
    /// it there.
    pub(super) fn violate(&mut self, at: usize) -> Result<(), Mismatch> {
        // The model is some packets ahead of the board.
        if self.chains[at].again.is_some() {
            return Ok(());
        }
        self.flush()?;
        let message = self.draw_message(at)?;
        let verdict = self.verdict(at, &message);
        let count = self.message_packets(at, &message);
        // What a store had filled goes back at once.
        let amid = verdict == Verdict::Moves && self.takes_frames(at) && count > 1;
        let done = if amid { self.rng.random_range(0..count) } else { 0 };
        for i in 0..done {
            let coming = self.message_packet(at, &message, i);
            self.comes(at, &coming, &message.bytes)?;
        }
        if done > 0 && self.rng.random_bool(0.3) {
            self.flush()?;
            let peer = &mut self.chains[at];
            peer.client = peer.client.plus(done as u32);
            self.report.chains.abandoned += 1;
            self.end_chain(at)?;
            return self.put_chain(at);
        }
        let Some(coming) = self.violation(at, done) else {
            return Err(Mismatch::new("a violation that is none".into()));
        };
        self.report.chains.strange += 1;
        self.comes(at, &coming, &ZEROS)?;
        self.flush()?;
        let peer = &mut self.chains[at];
        if !peer.config.hardened {
            peer.client = peer.client.plus(done as u32);
            peer.in_error = true;
            self.report.chains.abandoned += u64::from(done > 0);
            return Ok(());
        }
        if done == 0 {
            return Ok(());
        }
        // The message goes on as if nothing had been.
        for i in done..count {
            let coming = self.message_packet(at, &message, i);
            self.comes(at, &coming, &message.bytes)?;
        }
        self.message_done(at, message.page, count);
        self.flush()
    }

    /// `done` packets of a message have come.
    fn violation(&mut self, at: usize, done: usize) -> Option<Coming> {
        let peer = &self.chains[at];
        let (mtu, length) = (peer.config.path_mtu.bytes(), peer.config.profile.message_len());
        let (running, stores) = (done > 0, peer.chain().stores());
        let rest = length.checked_sub(done * mtu)?;
        let base = Coming::short(peer.config.qpn, peer.config.peer, peer.client.plus(done as u32));
        let [first, middle, last, only] = [0, 1, 2, 4];
        let rng = &mut self.rng;
        Some(match rng.random_range(0..7) {
            0 => Coming {
                opcode: [0x06, 0x0a, 0x0c, 0x13, 0x14, 0x15, 0x16][rng.random_range(0..7)],
                bytes: 0,
                ..base
            },
            1 => Coming { malformed: true, ..base },
            // Another place in the message.
            2 if running => Coming { opcode: first, bytes: mtu, ..base },
            2 => Coming { opcode: middle, bytes: mtu, ..base },
            // Not the path MTU.
            3 if running => Coming { opcode: middle, bytes: mtu - 1, ..base },
            3 => Coming { opcode: first, bytes: mtu - 4, ..base },
            // Immediate data.
            4 if running => Coming { opcode: 3, bytes: rest.min(mtu), ..base },
            4 => Coming { opcode: 5, bytes: length.min(mtu), ..base },
            // Too short, or too long.
            5 if running && rest > mtu => Coming { opcode: last, bytes: mtu, ..base },
            _ if running && rest < mtu => Coming { opcode: middle, bytes: mtu, ..base },
            _ if running && rest != mtu - 1 => Coming { opcode: last, bytes: mtu - 1, ..base },
            _ if running => Coming { opcode: only, bytes: mtu, ..base },
            _ if stores => Coming { opcode: only, bytes: mtu, ..base },
            _ => Coming { opcode: only, bytes: length - 1, ..base },
        })
    }
}
