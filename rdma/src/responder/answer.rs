//! Writes what a queue pair has to answer, one packet at a time.
use super::queue_pair::{Job, QueuePair, Read, Remembered, Word};
use super::request::Not;
use super::{Counter, Counters, PACKET_MAX};
use crate::codec::{Aeth, Bth, Credits, Extensions, Nak, Opcode, Packet, Position, Psn, RnrTimer, Syndrome};
use crate::memory::{Access, Memory, Regions};
use crate::planted::{PlantedFault, Plants};

/// One queue pair and what its answers need.
pub(super) struct Answer<'a> {
    pub qp: &'a mut QueuePair,
    pub regions: &'a Regions,
    pub counters: &'a mut Counters,
    pub plants: &'a Plants,
    pub read_wait: u64,
    pub rates: bool,
}

impl Answer<'_> {
    /// Writes the next packet. Answers its length; `None`: there is nothing now.
    pub fn next(
        &mut self,
        now: u64,
        memory: &mut (impl Memory + ?Sized),
        to: &mut [u8; PACKET_MAX],
    ) -> Option<usize> {
        if std::mem::take(&mut self.qp.notify) {
            self.counters.add(Counter::Notifications);
            return self.emit(Opcode::Congestion, Psn::default(), Extensions::default(), 0, to);
        }
        let job = *self.qp.jobs.front()?;
        if job.is_work() && self.waits_for_rate(now) {
            return None;
        }
        let done = match job {
            Job::Ack { psn, msn } => {
                self.counters.add(Counter::Acknowledges);
                self.qp.jobs.pop_front();
                return self.acknowledge(psn, msn, Syndrome::Ack(Credits::UNCOUNTED), to);
            }
            Job::Refuse { psn, msn, syndrome } => {
                self.qp.jobs.pop_front();
                return self.acknowledge(psn, msn, syndrome, to);
            }
            Job::Read { request, next, begins } => {
                self.read(request, next, begins, memory, to).map_err(|not| (next.psn, next.msn, not))
            }
            Job::Word { request } => self.word(request, memory, to),
        };
        match done {
            Ok(length) => {
                self.qp.waits_since = None;
                length
            }
            Err((psn, msn, not)) => self.failed(now, psn, msn, not, to),
        }
    }

    /// Whether the rate holds the next answer. Its wait is counted once.
    fn waits_for_rate(&mut self, now: u64) -> bool {
        if !self.rates {
            return false;
        }
        self.qp.rate.advance(now);
        let holds = self.qp.rate.holds();
        if holds && !self.qp.held {
            self.counters.add(Counter::Held);
        }
        self.qp.held = holds;
        holds
    }

    fn emit(
        &self,
        opcode: Opcode,
        psn: Psn,
        extensions: Extensions,
        payload: usize,
        to: &mut [u8; PACKET_MAX],
    ) -> Option<usize> {
        let becn = opcode == Opcode::Congestion;
        let bth =
            Bth { dest_qp: self.qp.config.peer_qpn, pkey: self.qp.config.pkey, psn, becn, ..Bth::default() };
        let packet = Packet { bth, opcode, extensions, payload: &[] };
        // The buffer is as long as the longest packet.
        let place = packet.emit_headers(payload, to).ok()?;
        Some(place.end.next_multiple_of(4).max(packet.wire_len()))
    }

    fn acknowledge(
        &self,
        psn: Psn,
        msn: u32,
        syndrome: Syndrome,
        to: &mut [u8; PACKET_MAX],
    ) -> Option<usize> {
        let extensions = Extensions { aeth: Some(Aeth { syndrome, msn }), ..Extensions::default() };
        self.emit(Opcode::Acknowledge, psn, extensions, 0, to)
    }

    /// The next response of a READ. Rights are looked at again: the region may be gone.
    fn read(
        &mut self,
        request: Psn,
        next: Read,
        begins: bool,
        memory: &mut (impl Memory + ?Sized),
        to: &mut [u8; PACKET_MAX],
    ) -> Result<Option<usize>, Not> {
        let (mtu, pid) = (self.qp.config.path_mtu.bytes() as u32, self.qp.config.pid);
        let bytes = next.length.min(mtu);
        let ends = bytes == next.length;
        if bytes > 0 {
            self.regions.check(next.rkey, pid, next.va, bytes.into(), Access::READ)?;
        }
        let opcode = Opcode::read_response(Position::of(begins, ends));
        let aeth = Aeth { syndrome: Syndrome::Ack(Credits::UNCOUNTED), msn: next.msn };
        let extensions = Extensions { aeth: Some(aeth), ..Extensions::default() };
        let length = self.emit(opcode, next.psn, extensions, bytes as usize, to);
        let start = Bth::LEN + opcode.extension_len();
        if bytes > 0 {
            memory.read(pid, next.va, &mut to[start..start + bytes as usize])?;
        }
        self.counters.add(Counter::ReadResponses);
        self.qp.rate.sent(bytes);
        let after = Read {
            psn: next.psn.plus(1),
            va: next.va.wrapping_add(bytes.into()),
            length: next.length - bytes,
            ..next
        };
        if ends {
            self.qp.jobs.pop_front();
        } else if let Some(front) = self.qp.jobs.front_mut() {
            *front = Job::Read { request, next: after, begins: false };
        }
        Ok(length)
    }

    /// The answer to an atomic, which is executed now if it stood behind a READ.
    fn word(
        &mut self,
        request: Psn,
        memory: &mut (impl Memory + ?Sized),
        to: &mut [u8; PACKET_MAX],
    ) -> Result<Option<usize>, (Psn, u32, Not)> {
        let pid = self.qp.config.pid;
        let word = self.qp.remembered.iter_mut().find_map(|old| match old {
            Remembered::Word(word) if word.psn == request => Some(word),
            _ => None,
        });
        let Some(word) = word else {
            // A place is not given away before its answer has left, so this does not happen.
            self.qp.jobs.pop_front();
            return Ok(None);
        };
        let Word { psn, msn, va, rkey, operation, .. } = *word;
        let found = match word.found {
            Some(found) => found,
            None => {
                let allowed = self.regions.check(rkey, pid, va, 8, Access::ATOMIC);
                allowed.map_err(|refused| (psn, msn, refused.into()))?;
                let found = memory.atomic(pid, va, operation).map_err(|fault| (psn, msn, fault.into()))?;
                self.counters.add(Counter::Atomics);
                *word.found.insert(found)
            }
        };
        let found =
            if self.plants.has(PlantedFault::AtomicLittleEndian) { found.swap_bytes() } else { found };
        let aeth = Aeth { syndrome: Syndrome::Ack(Credits::UNCOUNTED), msn };
        let extensions = Extensions { aeth: Some(aeth), original: Some(found), ..Extensions::default() };
        self.qp.jobs.pop_front();
        self.qp.rate.sent(0);
        Ok(self.emit(Opcode::AtomicAcknowledge, psn, extensions, 0, to))
    }

    /// The job at the front cannot be done. What waits behind it is forgotten: the requester asks for all of it again.
    fn failed(&mut self, now: u64, psn: Psn, msn: u32, not: Not, to: &mut [u8; PACKET_MAX]) -> Option<usize> {
        let (syndrome, reason) = match not {
            Not::Ready(reason) => {
                let since = *self.qp.waits_since.get_or_insert(now);
                if now.saturating_sub(since) < self.read_wait {
                    return None;
                }
                (Syndrome::Rnr(RnrTimer::from_code(1)), reason)
            }
            Not::Refused(nak, reason) => {
                self.qp.in_error |= !self.qp.config.hardened;
                (Syndrome::Nak(nak), reason)
            }
        };
        self.counters.add(reason);
        self.qp.waits_since = None;
        self.qp.jobs.clear();
        if matches!(syndrome, Syndrome::Nak(nak) if self.qp.config.hardened && nak != Nak::Sequence) {
            self.counters.add(Counter::Hardened);
            return None;
        }
        self.acknowledge(psn, msn, syndrome, to)
    }
}
