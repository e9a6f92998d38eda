//! The packets that go out.
use super::{Entry, Operation, Requester};
use crate::codec::{AtomicEth, Bth, Extensions, Opcode, Packet, Position, Psn, Reth};
use crate::planted::PlantedFault;
use crate::responder::PACKET_MAX;

/// Every so many packets within a message an acknowledge is asked for.
const ACKNOWLEDGE_EVERY: u32 = 8;

/// The packet that [`Requester::poll_transmit`] writes next.
#[derive(Debug)]
pub struct NextPacket<'a, B> {
    /// The operation, by the number that the caller gave.
    pub id: u64,
    /// It was sent before.
    pub again: bool,
    /// The bytes of a SEND or a WRITE, which the caller may change before they go.
    pub data: &'a mut B,
}

impl<B: AsRef<[u8]> + AsMut<[u8]>> Requester<B> {
    /// Tells which packet of a SEND or a WRITE goes next, for callers whose bytes are those of the moment in which they are sent.
    /// `None`: nothing is to be sent now, or another operation's. Time passes as in [`Requester::on_time`].
    pub fn next_packet(&mut self, now: u64) -> Option<NextPacket<'_, B>> {
        self.on_time(now);
        if self.ready_at.is_some_and(|ready| now < ready) {
            return None;
        }
        let at = self.queue.iter().position(|entry| self.next.since(entry.first) < entry.packets)?;
        if !self.may_send(at) {
            return None;
        }
        let again = self.next.is_before(self.sent_to);
        let entry = &mut self.queue[at];
        match &mut entry.work.operation {
            Operation::Send { data, .. } | Operation::Write { data, .. } => {
                Some(NextPacket { id: entry.work.id, again, data })
            }
            _ => None,
        }
    }

    /// Whether all that is posted has left, and the first packet of a SEND or a WRITE that came now would leave at once.
    pub fn is_quiet(&self) -> bool {
        let under_way = self.posted_to.since(self.unanswered) as usize;
        let waits = self.ended || self.ready_at.is_some() || self.next != self.posted_to;
        !waits && under_way < self.config.window
    }

    /// Writes the next packet, without ICRC. Answers its length; `None`: there is nothing to send now.
    ///
    /// Time passes here too, as in [`Requester::on_time`].
    pub fn poll_transmit(&mut self, now: u64, to: &mut [u8; PACKET_MAX]) -> Option<usize> {
        self.on_time(now);
        if self.ready_at.is_some_and(|ready| now < ready) {
            return None;
        }
        self.ready_at = None;
        let at = self.queue.iter().position(|entry| self.next.since(entry.first) < entry.packets)?;
        if !self.may_send(at) {
            return None;
        }
        let entry = &self.queue[at];
        let (length, numbers) = self.emit(entry, to)?;
        self.seen.sent += 1;
        if self.next.is_before(self.sent_to) {
            self.seen.sent_again += 1;
        }
        self.next = self.next.plus(numbers);
        if self.sent_to.is_before(self.next) {
            self.sent_to = self.next;
        }
        self.deadline.get_or_insert(now.saturating_add(self.config.timeout));
        Some(length)
    }

    /// Whether window, depth and fence let the entry's next packet go.
    fn may_send(&self, at: usize) -> bool {
        let earlier = self.queue.iter().take(at);
        let (mut packets, mut answered) = (0, 0);
        for entry in earlier {
            if entry.is_answered() {
                (packets, answered) = (packets + 1, answered + 1);
            } else {
                let from = if entry.first.is_before(self.unanswered) { self.unanswered } else { entry.first };
                packets += entry.end().since(from) as usize;
            }
        }
        let entry = &self.queue[at];
        if !entry.is_answered() {
            let from = if entry.first.is_before(self.unanswered) { self.unanswered } else { entry.first };
            packets += self.next.since(from) as usize;
        }
        let fenced = entry.work.fence && answered > 0 && !self.plants.has(PlantedFault::FenceIgnored);
        let deep = entry.is_answered() && answered >= self.config.answered;
        packets < self.config.window && !fenced && !deep
    }

    /// Writes the packet of number `next`. Answers its length and the numbers that it takes.
    fn emit(&self, entry: &Entry<B>, to: &mut [u8; PACKET_MAX]) -> Option<(usize, u32)> {
        let index = self.next.since(entry.first);
        let mtu = self.config.path_mtu.bytes();
        // Fewer packets than the message has: not past its length.
        let start = index as usize * mtu;
        let ends = index + 1 == entry.packets;
        let position = Position::of(index == 0, ends);
        let mut bth = Bth {
            dest_qp: self.config.peer_qpn,
            pkey: self.config.pkey,
            psn: self.next,
            ack_request: ends || index % ACKNOWLEDGE_EVERY == ACKNOWLEDGE_EVERY - 1,
            ..Bth::default()
        };
        let none = Extensions::default();
        let part = |data: &B| {
            let data = data.as_ref();
            let end = (start + mtu).min(data.len());
            start..end
        };
        let length = entry.length;
        let (opcode, extensions, payload, numbers) = match &entry.work.operation {
            Operation::Send { data, immediate } => {
                bth.solicited = entry.work.solicited && ends;
                let opcode = Opcode::send(position, immediate.is_some());
                (opcode, Extensions { immediate: *immediate, ..none }, &data.as_ref()[part(data)], 1)
            }
            Operation::Write { data, va, rkey, immediate } => {
                bth.solicited = entry.work.solicited && ends && immediate.is_some();
                let opcode = Opcode::write(position, immediate.is_some());
                let reth = Some(Reth { va: *va, rkey: *rkey, length });
                (opcode, Extensions { reth, immediate: *immediate, ..none }, &data.as_ref()[part(data)], 1)
            }
            Operation::Read { va, rkey, .. } => {
                // The bytes that have not come.
                let reth =
                    Reth { va: va.wrapping_add(start as u64), rkey: *rkey, length: length - start as u32 };
                let extensions = Extensions { reth: Some(reth), ..none };
                (Opcode::ReadRequest, extensions, &[][..], entry.packets - index)
            }
            Operation::CompareSwap { va, rkey, compare, swap } => {
                let atomic = AtomicEth { va: *va, rkey: *rkey, swap_or_add: *swap, compare: *compare };
                (Opcode::CompareSwap, Extensions { atomic: Some(atomic), ..none }, &[][..], 1)
            }
            Operation::FetchAdd { va, rkey, add } => {
                let atomic = AtomicEth { va: *va, rkey: *rkey, swap_or_add: *add, compare: 0 };
                (Opcode::FetchAdd, Extensions { atomic: Some(atomic), ..none }, &[][..], 1)
            }
        };
        // The buffer is as long as the longest packet, and every header that an opcode needs is given.
        let written = Packet { bth, opcode, extensions, payload }.emit(to).ok()?;
        Some((written, numbers))
    }

    /// Sends again from a number on, once until something new comes.
    pub(super) fn go_back(&mut self, psn: Psn) {
        if self.went_back == Some(psn) {
            return;
        }
        self.went_back = Some(psn);
        self.send_again_from(psn);
    }

    pub(super) fn send_again_from(&mut self, psn: Psn) {
        if !self.plants.has(PlantedFault::NeverAgain) {
            let skip = u32::from(self.plants.has(PlantedFault::GoesBackTooLittle));
            self.next = psn.plus(skip);
        }
    }
}
