//! The packets that come.
use super::{Entry, Failure, NotReadyRetries, Operation, Requester};
use crate::codec::{Aeth, Nak, Operation as About, Packet, Psn, RnrTimer, Syndrome};
use crate::planted::PlantedFault;

/// A READ or an atomic without answer stands before what was acknowledged.
struct Missing;

impl<B: AsRef<[u8]> + AsMut<[u8]>> Requester<B> {
    /// Takes a response of the peer, from the base transport header up to the ICRC, at `now` in nanoseconds. The caller has seen
    /// that it comes from the peer and is for this queue pair.
    pub fn receive(&mut self, now: u64, transport: &[u8]) {
        let packet = match Packet::parse(transport) {
            Ok(packet) if packet.opcode.is_response() && packet.bth.pkey == self.config.pkey => packet,
            _ => {
                self.seen.malformed += 1;
                return;
            }
        };
        let psn = packet.bth.psn;
        let mut stale = psn.since(self.unanswered) >= self.sent_to.since(self.unanswered);
        if self.plants.has(PlantedFault::NoWrap) {
            stale = psn.number() < self.unanswered.number() || psn.number() >= self.sent_to.number();
        }
        if self.plants.has(PlantedFault::DuplicateResponseAccepted)
            && packet.opcode.operation() == About::ReadResponse
        {
            stale = false;
        }
        if self.ended || stale {
            self.seen.stale += 1;
            return;
        }
        match packet.opcode.operation() {
            About::ReadResponse => self.read_response(now, &packet),
            About::AtomicAcknowledge => self.atomic_answer(now, &packet),
            _ => match packet.extensions.aeth {
                Some(aeth) => self.acknowledge(now, psn, aeth),
                None => self.seen.malformed += 1,
            },
        }
    }

    fn acknowledge(&mut self, now: u64, psn: Psn, aeth: Aeth) {
        match aeth.syndrome {
            Syndrome::Ack(_) => {
                if self.done_before(now, psn.plus(1)).is_err() {
                    self.implied_gap();
                }
            }
            Syndrome::Rnr(timer) => match self.done_before(now, psn) {
                Ok(()) => self.not_ready(now, timer),
                Err(Missing) => self.implied_gap(),
            },
            Syndrome::Nak(Nak::Sequence) => match self.done_before(now, psn) {
                Ok(()) => {
                    self.seen.gaps += 1;
                    self.go_back(psn);
                }
                Err(Missing) => self.implied_gap(),
            },
            Syndrome::Nak(nak) => self.refused(now, psn, nak),
            Syndrome::Reserved(_) => self.seen.malformed += 1,
        }
    }

    fn implied_gap(&mut self) {
        self.seen.implied_gaps += 1;
        self.go_back(self.unanswered);
    }

    fn not_ready(&mut self, now: u64, timer: RnrTimer) {
        if self.ready_at.is_some() {
            // A copy of the answer that it waits for already.
            self.seen.stale += 1;
            return;
        }
        self.seen.not_ready += 1;
        let (since, tried) = self.not_ready_since.unwrap_or((now, now));
        // Compared before it counts: 255 repeats are an end, too.
        let over = match self.config.not_ready_retries {
            NotReadyRetries::Times(most) => self.not_ready >= most,
            // By when it was tried: its answer may have waited here for long.
            NotReadyRetries::For(most) => tried.saturating_sub(since) >= most,
            NotReadyRetries::Forever => false,
        };
        if over {
            self.fail_first(Failure::NeverReady(self.not_ready));
            return;
        }
        let ready = now.saturating_add(timer.nanoseconds());
        (self.not_ready, self.not_ready_since) = (self.not_ready.saturating_add(1), Some((since, ready)));
        self.next = self.unanswered;
        self.went_back = None;
        // Nothing is under way, so nothing can be late. The peer lives: its silence counts anew.
        (self.deadline, self.retries) = (None, 0);
        if !self.plants.has(PlantedFault::NotReadyIgnored) {
            self.ready_at = Some(ready);
        }
    }

    fn refused(&mut self, now: u64, psn: Psn, nak: Nak) {
        let missing = self.done_before(now, psn).is_err();
        while missing && self.queue.front().is_some_and(|entry| !psn.is_before(entry.end())) {
            // Its answer was lost, and a peer in error gives no other.
            if let Some(entry) = self.queue.pop_front() {
                self.complete(entry, Err(Failure::Flushed));
            }
        }
        self.fail_first(Failure::Refused(nak));
    }

    /// Everything before a number is done. An error: up to a READ or an atomic whose answer has not come.
    fn done_before(&mut self, now: u64, psn: Psn) -> Result<(), Missing> {
        let mut missing = Ok(());
        while let Some(entry) = self.queue.front() {
            if !entry.first.is_before(psn) {
                break;
            }
            if entry.is_answered() && !self.plants.has(PlantedFault::AcknowledgeCompletesRead) {
                // Of a READ whose responses have all come up to here nothing is missing.
                if self.unanswered.is_before(psn) {
                    missing = Err(Missing);
                }
                break;
            }
            if psn.is_before(entry.end()) {
                self.moved_on(now, psn);
                break;
            }
            let end = entry.end();
            if let Some(entry) = self.queue.pop_front() {
                self.complete(entry, Ok(()));
            }
            self.moved_on(now, end);
        }
        missing
    }

    /// There is progress: up to a number everything is answered.
    fn moved_on(&mut self, now: u64, to: Psn) {
        if !self.unanswered.is_before(to) {
            return;
        }
        self.unanswered = to;
        if self.next.is_before(to) {
            self.next = to;
        }
        (self.retries, self.not_ready, self.not_ready_since, self.went_back) = (0, 0, None, None);
        let under_way = self.unanswered != self.sent_to;
        self.deadline = under_way.then(|| now.saturating_add(self.config.timeout));
    }

    /// The READ or atomic that waits for the answer of this number, if all before it is done.
    fn waiting(&mut self, now: u64, packet: &Packet<'_>) -> Option<&mut Entry<B>> {
        let psn = packet.bth.psn;
        let accepts_all = self.plants.has(PlantedFault::DuplicateResponseAccepted);
        if self.done_before(now, psn).is_err() && !accepts_all {
            self.implied_gap();
            return None;
        }
        let is_next = self.unanswered == psn || accepts_all;
        let front = self.queue.front_mut().filter(|entry| is_next && entry.is_answered());
        if front.is_none() {
            self.seen.stale += 1;
        }
        front
    }

    fn read_response(&mut self, now: u64, packet: &Packet<'_>) {
        let mtu = self.config.path_mtu.bytes();
        let Some(entry) = self.waiting(now, packet) else { return };
        let start = entry.got as usize * mtu;
        let wrong = match (&mut entry.work.operation, packet.extensions.aeth.map(|aeth| aeth.syndrome)) {
            (_, Some(Syndrome::Rnr(_) | Syndrome::Nak(_) | Syndrome::Reserved(_))) => {
                Some("a READ response that refuses")
            }
            (Operation::Read { into, .. }, _) => {
                let into = into.as_mut();
                let end = (start + mtu).min(into.len());
                let ends = entry.got + 1 == entry.packets;
                match into.get_mut(start..end) {
                    Some(place)
                        if place.len() == packet.payload.len() && ends == packet.opcode.position().ends() =>
                    {
                        place.copy_from_slice(packet.payload);
                        None
                    }
                    _ => Some("a READ response of another length"),
                }
            }
            _ => Some("a READ response to an atomic"),
        };
        if let Some(wrong) = wrong {
            self.fail_first(Failure::BadAnswer(wrong));
            return;
        }
        entry.got += 1;
        let (ends, to) = (entry.got == entry.packets, entry.first.plus(entry.got));
        self.answered(now, ends, to);
    }

    fn atomic_answer(&mut self, now: u64, packet: &Packet<'_>) {
        let Some(entry) = self.waiting(now, packet) else { return };
        if matches!(entry.work.operation, Operation::Read { .. }) {
            self.fail_first(Failure::BadAnswer("an ATOMIC acknowledge to a READ"));
            return;
        }
        entry.found = packet.extensions.original;
        let to = entry.end();
        self.answered(now, true, to);
    }

    fn answered(&mut self, now: u64, ends: bool, to: Psn) {
        if ends && let Some(entry) = self.queue.pop_front() {
            self.complete(entry, Ok(()));
        }
        self.moved_on(now, to);
    }
}
