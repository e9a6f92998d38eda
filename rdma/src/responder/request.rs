//! Executes a request that is the next one.
use std::collections::VecDeque;

use super::queue_pair::{Job, MESSAGE_MAX, QueuePair, Read, Remembered, Running, Serves, Word};
use super::{Counter, Counters, Received};
use crate::codec::{
    AtomicEth, Extensions, Nak, Opcode, Operation, Packet, PacketError, Position, Psn, Reth, RnrTimer,
    Syndrome, Transport,
};
use crate::memory::{Access, Atomic, Memory, MemoryFault, Refused, Regions, WritePart};
use crate::planted::{PlantedFault, Plants};

/// The last step of the timer of "not ready": 1.28 ms.
const NOT_READY_STEPS: u8 = 14;

/// One packet and what it may touch.
pub(super) struct Work<'a> {
    pub qp: &'a mut QueuePair,
    pub regions: &'a Regions,
    pub counters: &'a mut Counters,
    pub received: &'a mut VecDeque<Received>,
    pub plants: &'a Plants,
    /// Another READ or atomic may be queued.
    pub has_job: bool,
}

/// Why a request is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Not {
    /// For good.
    Refused(Nak, Counter),
    /// Now.
    Ready(Counter),
}

pub(super) const fn invalid(reason: Counter) -> Not {
    Not::Refused(Nak::InvalidRequest, reason)
}

impl From<Refused> for Not {
    fn from(refused: Refused) -> Not {
        let reason = match refused {
            Refused::Key => Counter::Key,
            Refused::Process => Counter::Process,
            Refused::Range => Counter::Range,
            Refused::Right => Counter::Right,
        };
        Not::Refused(Nak::RemoteAccess, reason)
    }
}

impl From<MemoryFault> for Not {
    fn from(fault: MemoryFault) -> Not {
        match fault {
            MemoryFault::NotReady => Not::Ready(Counter::MemoryNotReady),
            MemoryFault::Denied => Not::Refused(Nak::RemoteAccess, Counter::MemoryDenied),
            MemoryFault::Failed => Not::Refused(Nak::RemoteOperation, Counter::MemoryFailed),
            MemoryFault::Invalid => invalid(Counter::Message),
        }
    }
}

impl Work<'_> {
    /// The packet that was expected.
    pub fn expected(
        &mut self,
        packet: &Transport<'_>,
        memory: &mut (impl Memory + ?Sized),
    ) -> Result<(), Counter> {
        let mut done = self.execute(packet, memory);
        if self.plants.has(PlantedFault::NotReadyAcknowledged) && matches!(done, Err(Not::Ready(_))) {
            done = Ok(1);
        }
        match done {
            Ok(packets) => {
                self.qp.expected = self.qp.expected.plus(packets);
                (self.qp.gap_told, self.qp.not_ready) = (false, 0);
                if packet.bth.ack_request && !answers_itself(packet) {
                    self.acknowledge();
                }
                Ok(())
            }
            Err(Not::Ready(reason)) => {
                self.qp.not_ready = (self.qp.not_ready + 1).min(NOT_READY_STEPS);
                let timer = RnrTimer::from_code(self.qp.not_ready);
                self.qp.refuse(packet.bth.psn, Syndrome::Rnr(timer));
                Err(reason)
            }
            Err(Not::Refused(_, reason)) if self.qp.config.hardened => {
                self.counters.add(reason);
                let moves = u32::from(self.plants.has(PlantedFault::HardenedMovesOn));
                self.qp.expected = self.qp.expected.plus(moves);
                Err(Counter::Hardened)
            }
            Err(Not::Refused(nak, reason)) => {
                self.qp.refuse(packet.bth.psn, Syndrome::Nak(nak));
                self.qp.in_error = true;
                Err(reason)
            }
        }
    }

    /// A packet behind one that is missing.
    pub fn ahead(
        &mut self,
        packet: &Transport<'_>,
        memory: &mut (impl Memory + ?Sized),
    ) -> Result<(), Counter> {
        if self.plants.has(PlantedFault::GapAccepted) {
            self.qp.expected = packet.bth.psn;
            return self.expected(packet, memory);
        }
        if self.qp.not_ready > 0 {
            return Err(Counter::AheadOfNotReady);
        }
        if self.qp.gap_told {
            return Err(Counter::AheadOfGap);
        }
        self.qp.gap_told = true;
        self.qp.refuse(self.qp.expected, Syndrome::Nak(Nak::Sequence));
        Err(Counter::Gap)
    }

    pub(super) fn acknowledge(&mut self) {
        if self.plants.has(PlantedFault::AcknowledgeOvertakes) {
            let job = Job::Ack { psn: self.qp.expected.minus(1), msn: self.qp.msn };
            self.qp.jobs.push_front(job);
        } else {
            self.qp.acknowledge();
        }
    }

    /// Does what the packet asks for, or nothing. Answers by how many packets the sequence moves on.
    fn execute(&mut self, packet: &Transport<'_>, memory: &mut (impl Memory + ?Sized)) -> Result<u32, Not> {
        let packet = packet.open().map_err(|error| match error {
            PacketError::Opcode(_) => invalid(Counter::Opcode),
            _ => invalid(Counter::Layout),
        })?;
        match packet.opcode {
            Opcode::SendLastInvalidate | Opcode::SendOnlyInvalidate => return Err(invalid(Counter::Opcode)),
            _ => {}
        }
        let Extensions { reth, atomic, .. } = packet.extensions;
        let serves = self.qp.config.serves;
        match (packet.opcode.operation(), reth, atomic) {
            (Operation::Send, ..) => match serves {
                Serves::Messages(bytes) => self.message(&packet, bytes as usize, memory).map(|()| 1),
                Serves::RegionsAndPackets if packet.opcode == Opcode::SendOnly => {
                    self.whole_message(&packet, memory).map(|()| 1)
                }
                Serves::RegionsAndPackets | Serves::Regions => Err(invalid(Counter::Opcode)),
                Serves::Everything => self.send(&packet).map(|()| 1),
            },
            _ if !serves.regions() => Err(invalid(Counter::Opcode)),
            (Operation::Write, ..) => self.write(&packet, memory).map(|()| 1),
            (Operation::ReadRequest, Some(reth), _) => self.read(packet.bth.psn, reth),
            (Operation::Atomic, _, Some(header)) => {
                self.atomic(packet.bth.psn, packet.opcode, &header, memory).map(|()| 1)
            }
            // Responses, datagrams and notifications have been told apart before.
            _ => Err(invalid(Counter::Opcode)),
        }
    }

    /// Checks a payload against its packet's place in the message.
    fn fits(&self, packet: &Packet<'_>) -> Result<(), Not> {
        let (bytes, mtu) = (packet.payload.len(), self.qp.config.path_mtu.bytes());
        let position = packet.opcode.position();
        let fits = match (position.begins(), position.ends()) {
            (_, false) => bytes == mtu,
            (false, true) => (1..=mtu).contains(&bytes),
            (true, true) => bytes <= mtu,
        };
        if fits { Ok(()) } else { Err(invalid(Counter::Length)) }
    }

    /// Bytes of the packet's SEND that have come before it.
    fn filled(&self, position: Position) -> Result<usize, Not> {
        match (self.qp.running, position.begins()) {
            (None, true) => Ok(0),
            (Some(Running::Send { filled }), false) => Ok(filled),
            _ => Err(invalid(Counter::Order)),
        }
    }

    /// A packet of a message that the memory executes when its last packet is here.
    fn message(
        &mut self,
        packet: &Packet<'_>,
        bytes: usize,
        memory: &mut (impl Memory + ?Sized),
    ) -> Result<(), Not> {
        let position = packet.opcode.position();
        let filled = self.filled(position)?;
        self.fits(packet)?;
        let end = filled + packet.payload.len();
        if packet.extensions.immediate.is_some() {
            return Err(invalid(Counter::Opcode));
        }
        if end > bytes || position.ends() && end < bytes {
            return Err(invalid(Counter::ReceiveLength));
        }
        // A last packet that memory was not ready for has been here before.
        self.qp.message.truncate(filled);
        self.qp.message.extend_from_slice(packet.payload);
        if position.ends() {
            memory.message(self.qp.config.qpn, &self.qp.message)?;
            self.qp.running = None;
            self.qp.count_message();
            self.counters.add(Counter::Sends);
        } else {
            self.qp.running = Some(Running::Send { filled: end });
        }
        Ok(())
    }

    /// A message of one packet that the memory executes.
    fn whole_message(&mut self, packet: &Packet<'_>, memory: &mut (impl Memory + ?Sized)) -> Result<(), Not> {
        self.filled(packet.opcode.position())?;
        self.fits(packet)?;
        memory.message(self.qp.config.qpn, packet.payload)?;
        self.qp.count_message();
        self.counters.add(Counter::Sends);
        Ok(())
    }

    fn send(&mut self, packet: &Packet<'_>) -> Result<(), Not> {
        let position = packet.opcode.position();
        let filled = self.filled(position)?;
        self.fits(packet)?;
        let receive = self.qp.receives.front_mut().ok_or(Not::Ready(Counter::NoReceive))?;
        let end = filled + packet.payload.len();
        let place = receive.buffer.get_mut(filled..end).ok_or(invalid(Counter::ReceiveLength))?;
        place.copy_from_slice(packet.payload);
        self.qp.running = Some(Running::Send { filled: end });
        if position.ends() {
            self.qp.running = None;
            self.tell(packet, end, false);
            self.qp.count_message();
            self.counters.add(Counter::Sends);
        }
        Ok(())
    }

    /// Hands the buffer at the front to the owner.
    fn tell(&mut self, packet: &Packet<'_>, length: usize, by_write: bool) {
        let Some(receive) = self.qp.receives.pop_front() else { return };
        self.received.push_back(Received {
            qpn: self.qp.config.qpn,
            id: receive.id,
            buffer: receive.buffer,
            length,
            immediate: packet.extensions.immediate,
            solicited: packet.bth.solicited,
            by_write,
        });
    }

    fn write(&mut self, packet: &Packet<'_>, memory: &mut (impl Memory + ?Sized)) -> Result<(), Not> {
        let (position, pid) = (packet.opcode.position(), self.qp.config.pid);
        let (va, rkey, before, left) = match (self.qp.running, packet.extensions.reth) {
            (None, Some(Reth { va, rkey, length })) => (va, rkey, 0, length),
            (Some(Running::Write { va, rkey, before, left }), None) => (va, rkey, before, left),
            // A restart of the rest.
            (Some(Running::Write { va, rkey, before, left }), Some(reth))
                if reth == (Reth { va, rkey, length: left }) =>
            {
                (va, rkey, before, left)
            }
            _ => return Err(invalid(Counter::Order)),
        };
        self.fits(packet)?;
        let bytes = packet.payload.len() as u32;
        let whole = if position.ends() { bytes == left } else { bytes < left };
        if !whole || left > MESSAGE_MAX {
            return Err(invalid(Counter::Total));
        }
        // Nothing is accessed by an empty message, so its key may be any (9.7.4.1.3).
        if left > 0 {
            self.regions.check(rkey, pid, va, left.into(), Access::WRITE)?;
        }
        let immediate = packet.extensions.immediate.is_some();
        if immediate && self.qp.receives.is_empty() {
            return Err(Not::Ready(Counter::NoReceive));
        }
        if bytes > 0 {
            let qpn = self.qp.config.qpn;
            memory.write_part(&WritePart { qpn, pid, va, before, left }, packet.payload)?;
        }
        // The range has been checked, but its last byte may be that of the address space.
        let va = va.wrapping_add(bytes.into());
        self.qp.running = Some(Running::Write { va, rkey, before: before + bytes, left: left - bytes });
        if position.ends() {
            self.qp.running = None;
            if immediate {
                self.tell(packet, 0, true);
            }
            self.qp.count_message();
            self.counters.add(Counter::Writes);
        }
        Ok(())
    }

    /// Whether a READ or an atomic may come here, and has a place.
    fn admit(&self) -> Result<(), Not> {
        if self.qp.running.is_some() {
            return Err(invalid(Counter::Order));
        }
        if self.has_job && self.qp.has_place() { Ok(()) } else { Err(Not::Ready(Counter::QueueFull)) }
    }

    fn read(&mut self, psn: Psn, reth: Reth) -> Result<u32, Not> {
        let packets = self.qp.config.path_mtu.packets(reth.length);
        if self.qp.running.is_some() {
            return Err(invalid(Counter::Order));
        }
        // Its responses must be fewer than the numbers that count as ahead.
        if reth.length > MESSAGE_MAX || packets >= Psn::HALF {
            return Err(invalid(Counter::Total));
        }
        if reth.length > 0 {
            let length = reth.length.into();
            self.regions.check(reth.rkey, self.qp.config.pid, reth.va, length, Access::READ)?;
        }
        self.admit()?;
        self.qp.count_message();
        let read = Read { psn, va: reth.va, rkey: reth.rkey, length: reth.length, msn: self.qp.msn };
        self.qp.remember(Remembered::Read(read));
        self.qp.jobs.push_back(Job::Read { request: psn, next: read, begins: true });
        self.counters.add(Counter::Reads);
        Ok(packets)
    }

    fn atomic(
        &mut self,
        psn: Psn,
        opcode: Opcode,
        header: &AtomicEth,
        memory: &mut (impl Memory + ?Sized),
    ) -> Result<(), Not> {
        let AtomicEth { va, rkey, .. } = *header;
        if self.qp.running.is_some() {
            return Err(invalid(Counter::Order));
        }
        if va % 8 != 0 && !self.plants.has(PlantedFault::Unaligned) {
            return Err(invalid(Counter::Alignment));
        }
        self.regions.check(rkey, self.qp.config.pid, va, 8, Access::ATOMIC)?;
        self.admit()?;
        let operation = Atomic::of(header, opcode == Opcode::CompareSwap);
        // An atomic must not overtake READs (table 79 of the standard): behind one it is executed in its turn.
        let found = if self.qp.has_unread() {
            None
        } else {
            Some(memory.atomic(self.qp.config.pid, va, operation)?)
        };
        if found.is_some() {
            self.counters.add(Counter::Atomics);
        }
        self.qp.count_message();
        let word = Word { psn, opcode, va, rkey, operation, found, msn: self.qp.msn };
        self.qp.remember(Remembered::Word(word));
        self.qp.jobs.push_back(Job::Word { request: psn });
        Ok(())
    }
}

/// Whether the answer to the packet acknowledges it.
fn answers_itself(packet: &Transport<'_>) -> bool {
    matches!(packet.bth.opcode, 0x0c | 0x13 | 0x14)
}
