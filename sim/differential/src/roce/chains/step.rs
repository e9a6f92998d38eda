//! Messages, whole and amid others.
use mneme_rdma::codec::profile::Chain;
use mneme_rdma::codec::{DEFAULT_PKEY, Opcode, Position};
use mneme_rdma::node::Shortage;
use rand::Rng;

use super::super::memory::Touches;
use super::super::run::Run;
use super::message::{Message, Verdict};
use super::replies::Says;
use super::{Coming, PEERS, Wrong};
use crate::Mismatch;

/// Messages that come back to back, at most, and their packets.
const MESSAGES: usize = 4;
const PACKETS: usize = 16;
/// Steps that take a right from a segment, and then those that give it back.
const RESTRICTED: f64 = 0.02;
const RESTORED: f64 = 0.1;
/// Messages of one queue pair in a row: more than have room for their replies.
const MANY: usize = 36;

impl Run<'_> {
    /// A peer does something, or some do.
    pub(in crate::roce) fn chain_step(&mut self) -> Result<(), Mismatch> {
        let at = self.rng.random_range(0..PEERS);
        let peer = &self.chains[at];
        let (in_error, waits) = (peer.in_error, peer.again.is_some());
        let change = if self.restricted.is_some() { RESTORED } else { RESTRICTED };
        if self.rng.random_bool(change) {
            return self.change_segment_rights();
        }
        match self.rng.random_range(0..100) {
            0..30 if in_error => self.renew_chain(at),
            0 => self.renew_chain(at),
            99 => self.silence(),
            1..9 => self.strange(at),
            _ if in_error => Ok(()),
            9..12 => self.violate(at),
            12..35 => self.answer_replies(),
            35..60 if waits => self.come_again(at),
            60..62 => self.many(at),
            62..65 => self.moved(),
            _ => self.burst(),
        }
    }

    /// The `i`th packet of a message, if the first one comes next.
    pub(super) fn message_packet(&mut self, at: usize, message: &Message, i: usize) -> Coming {
        let peer = &self.chains[at];
        let (mtu, length) = (peer.config.path_mtu.bytes(), message.bytes.len());
        let (from, psn) = (i * mtu, peer.client.plus(i as u32));
        let bytes = mtu.min(length - from);
        let ends = from + bytes == length;
        let (qpn, source) = (peer.config.qpn, peer.config.peer);
        let asks = ends || self.rng.random_bool(0.1);
        let opcode = Opcode::send(Position::of(i == 0, ends), false).number();
        Coming { qpn, source, opcode, asks, pkey: DEFAULT_PKEY, psn, from, bytes, malformed: false }
    }
    pub(super) fn message_packets(&self, at: usize, message: &Message) -> usize {
        message.bytes.len().div_ceil(self.chains[at].config.path_mtu.bytes())
    }

    /// Messages of some peers come back to back, packets of one among those of others. They do not meet.
    fn burst(&mut self) -> Result<(), Mismatch> {
        let mut drawn: Vec<(usize, Message, Verdict)> = Vec::new();
        let mut touches = Touches::default();
        let mut packets = 0;
        for _ in 0..self.rng.random_range(1..=MESSAGES) {
            let at = self.rng.random_range(0..PEERS);
            let peer = &self.chains[at];
            if peer.in_error || peer.again.is_some() || drawn.iter().any(|own| own.0 == at) {
                continue;
            }
            let message = self.draw_message(at)?;
            let verdict = self.verdict(at, &message);
            if verdict.is_refused() {
                match drawn.is_empty() {
                    true => return self.refused(at, message, verdict, false),
                    false => continue,
                }
            }
            let (own, count) = (self.chain_touches(at, &message), self.message_packets(at, &message));
            if own.races(&touches) || !drawn.is_empty() && packets + count > PACKETS {
                continue;
            }
            touches.add(own);
            packets += count;
            drawn.push((at, message, verdict));
        }
        // Where frames are few it matters who comes first.
        let moves = |own: &(usize, Message, Verdict)| match own.2 {
            Verdict::Moves => self.model.memory.is_scarce(self.chains[own.0].config.segment),
            verdict => verdict == Verdict::Tells,
        };
        let alone = drawn.iter().position(moves);
        if let Some(own) = alone {
            drawn = vec![drawn.swap_remove(own)];
            touches = self.chain_touches(drawn[0].0, &drawn[0].1);
        }
        let acknowledged = drawn.iter().any(|own| self.group.acknowledged.contains(&own.0));
        let full = self.group.frames.len() + packets > self.most;
        if alone.is_some() || full || acknowledged || touches.races(&self.group.touches) {
            self.flush()?;
        }
        self.group.touches.add(touches);
        self.send_messages(drawn)?;
        if alone.is_some() { self.flush() } else { Ok(()) }
    }
    pub(super) fn send_messages(&mut self, messages: Vec<(usize, Message, Verdict)>) -> Result<(), Mismatch> {
        let mut left: Vec<_> = messages.into_iter().map(|(at, message, _)| (at, message, 0)).collect();
        while !left.is_empty() {
            let which = self.rng.random_range(0..left.len());
            let (at, message, i) = &left[which];
            let (at, i) = (*at, *i);
            let coming = self.message_packet(at, message, i);
            let count = self.message_packets(at, message);
            let before = self.model.refusals();
            self.comes(at, &coming, &left[which].1.bytes)?;
            if self.model.refusals() != before {
                return Err(Mismatch::new(format!("the model refuses what it should do: {coming:x?}")));
            }
            left[which].2 += 1;
            if i + 1 == count {
                let (_, message, _) = left.remove(which);
                self.message_done(at, message.page, count);
            }
            if self.most == 1 {
                self.flush()?;
            }
        }
        Ok(())
    }
    pub(super) fn message_done(&mut self, at: usize, page: u32, packets: usize) {
        self.count_told(at);
        self.spoil_frames(at, page);
        let peer = &mut self.chains[at];
        peer.client = peer.client.plus(packets as u32);
        peer.posted.extend(peer.replies());
        self.report.chains.messages[peer.chain() as usize] += 1;
    }

    /// Test-only: does what the comparison must find to the model's frames.
    fn spoil_frames(&mut self, at: usize, page: u32) {
        let (memory, segment) = (&mut self.model.memory, self.chains[at].config.segment);
        match self.wrong {
            Some(Wrong::PageByte) if self.chains[at].chain().stores() => memory.spoil_byte(segment, page),
            Some(Wrong::FrameLost) if memory.leaf.take(segment).is_ok() => self.wrong = None,
            _ => {}
        }
    }
    /// The leaf unit counts why a store is told "not stored", the model does not.
    fn count_told(&mut self, at: usize) {
        let told = &mut self.report.chains.told_empty;
        if self.model.chain_counters().not_stored > told.iter().sum::<u64>() {
            let short = self.model.memory.leaf.can_take(self.chains[at].config.segment, 1);
            told[usize::from(short == Err(Shortage::Budget))] += 1;
        }
    }

    /// Messages of one queue pair in a row, until one finds no room for its replies.
    fn many(&mut self, at: usize) -> Result<(), Mismatch> {
        for _ in 0..MANY {
            if self.chains[at].in_error || self.chains[at].again.is_some() {
                return Ok(());
            }
            let message = self.draw_message(at)?;
            let verdict = self.verdict(at, &message);
            if verdict.is_refused() {
                return self.refused(at, message, verdict, false);
            }
            let (touches, packets) = (self.chain_touches(at, &message), self.message_packets(at, &message));
            let moves = matches!(verdict, Verdict::Moves | Verdict::Tells);
            let full = self.group.frames.len() + packets > self.most;
            let acknowledged = self.group.acknowledged.contains(&at);
            if moves || full || acknowledged || touches.races(&self.group.touches) {
                self.flush()?;
            }
            self.group.touches.add(touches);
            self.send_messages(vec![(at, message, verdict)])?;
            if moves {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// A page that has been loaded is given up, and may have a new frame, before its reply is asked for again.
    fn moved(&mut self) -> Result<(), Mismatch> {
        let first = 4 * self.rng.random_range(0..PEERS / 4);
        let (loads, stores, invalidates) = (first, first + 2, first + 3);
        let ready = |at: &usize| !self.chains[*at].in_error && self.chains[*at].again.is_none();
        let peer = &self.chains[loads];
        if ![loads, stores, invalidates].iter().all(ready) || peer.sent != peer.answered {
            return Ok(());
        }
        let message = self.draw_message(loads)?;
        let page = message.page;
        if !self.one_message(loads, message)? {
            return Ok(());
        }
        let gives = self.draw_message_of(invalidates, page)?;
        if self.one_message(invalidates, gives)? && self.rng.random() {
            let other = self.draw_message_of(stores, page)?;
            self.one_message(stores, other)?;
        }
        self.say(loads, Says::Gap(0))
    }
    /// A message by itself; whether it was done.
    fn one_message(&mut self, at: usize, message: Message) -> Result<bool, Mismatch> {
        let verdict = self.verdict(at, &message);
        if verdict.is_refused() {
            self.refused(at, message, verdict, false)?;
            return Ok(false);
        }
        self.flush()?;
        self.send_messages(vec![(at, message, verdict)])?;
        self.flush()?;
        Ok(true)
    }

    /// A message that is refused, or is to come again: the board gets its first packet, the model all that it has not had.
    fn refused(
        &mut self,
        at: usize,
        message: Message,
        verdict: Verdict,
        repeats: bool,
    ) -> Result<(), Mismatch> {
        self.flush()?;
        let count = self.message_packets(at, &message);
        let first = self.message_packet(at, &message, 0);
        let told = first.packet(&message.bytes)?;
        let mut fed = Vec::new();
        for i in if repeats { count - 1 } else { 0 }..count {
            let coming =
                Coming { asks: i == 0 && first.asks && count == 1, ..self.message_packet(at, &message, i) };
            fed.push(coming.packet(&message.bytes)?);
        }
        let (before, later) = (self.model.refusals(), self.model.told_to_come_again());
        self.chain_packet(at, Some(&told), first.source, &fed, Some(first.psn))?;
        let refused = verdict == Verdict::Denied;
        let now = (self.model.refusals() - before, self.model.told_to_come_again() - later);
        if now != (1, u64::from(!refused)) {
            return Err(Mismatch::new(format!("the model does not say {verdict:?}: {now:?}, {first:x?}")));
        }
        self.flush()?;
        self.report.chains.refused[usize::from(!refused)] += 1;
        let peer = &mut self.chains[at];
        match (refused, peer.config.hardened) {
            (false, _) => peer.again = Some(message),
            (true, false) => peer.in_error = true,
            // The model has all but its last packet.
            (true, true) if count > 1 => {
                peer.again = Some(message);
                return self.renew_chain(at);
            }
            (true, true) => {}
        }
        Ok(())
    }

    /// A message that was to come again does. The model has all but its last packet.
    fn come_again(&mut self, at: usize) -> Result<(), Mismatch> {
        let Some(message) = self.chains[at].again.take() else { return Ok(()) };
        let verdict = self.verdict(at, &message);
        if verdict.is_refused() {
            return self.refused(at, message, verdict, true);
        }
        self.flush()?;
        let count = self.message_packets(at, &message);
        for i in 0..count {
            let ends = i + 1 == count;
            let coming = Coming { asks: ends, ..self.message_packet(at, &message, i) };
            let packet = coming.packet(&message.bytes)?;
            let fed = if ends { vec![packet.clone()] } else { Vec::new() };
            self.chain_packet(at, Some(&packet), coming.source, &fed, None)?;
        }
        self.message_done(at, message.page, count);
        self.flush()
    }

    /// Whether it is an unmapped store's queue pair.
    pub(super) fn takes_frames(&self, at: usize) -> bool {
        self.chains[at].chain() == Chain::UnmappedStore
    }
}
