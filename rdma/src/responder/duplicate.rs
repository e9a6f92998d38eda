//! Repeats what a request was answered that has come before (IBTA volume 1, 9.7.5.1.4 and 9.7.5.1.5).
use super::Counter;
use super::queue_pair::{Job, Read, Remembered, Word};
use super::request::Work;
use crate::codec::{Extensions, Opcode, Operation, Psn, Reth, Transport};
use crate::memory::{Atomic, Memory};
use crate::planted::PlantedFault;

impl Work<'_> {
    /// A packet whose number lies behind the expected one.
    pub fn duplicate(
        &mut self,
        packet: &Transport<'_>,
        memory: &mut (impl Memory + ?Sized),
    ) -> Result<(), Counter> {
        let packet = packet.open().map_err(|_| Counter::DuplicateMalformed)?;
        let Extensions { reth, atomic, .. } = packet.extensions;
        match (packet.opcode.operation(), reth, atomic) {
            (Operation::Send | Operation::Write, ..) => {
                if let Some(reth) = reth.filter(|_| self.plants.has(PlantedFault::DuplicateWriteExecuted)) {
                    let _done = memory.write(self.qp.config.pid, reth.va, packet.payload);
                }
                self.acknowledge();
                Err(Counter::DuplicateWrites)
            }
            (Operation::ReadRequest, Some(reth), _) => self.read_again(packet.bth.psn, reth),
            (Operation::Atomic, _, Some(header)) => {
                let operation = Atomic::of(&header, packet.opcode == Opcode::CompareSwap);
                let psn = packet.bth.psn;
                let word = self.qp.remembered.iter_mut().find_map(|old| match old {
                    Remembered::Word(word) if word.psn == psn => Some(word),
                    _ => None,
                });
                let word =
                    word.filter(|word| is_same(word, packet.opcode, header.va, header.rkey, operation));
                let word = word.ok_or(Counter::DuplicateForgotten)?;
                if self.plants.has(PlantedFault::DuplicateAtomicExecuted) {
                    word.found = None;
                }
                // Still to come, and so need not come twice.
                if !self.qp.is_queued(psn) {
                    self.qp.jobs.push_back(Job::Word { request: psn });
                }
                Err(Counter::DuplicateAtomics)
            }
            _ => Err(Counter::DuplicateMalformed),
        }
    }

    /// Serves a READ again, from its start or from one of its later packets.
    fn read_again(&mut self, psn: Psn, reth: Reth) -> Result<(), Counter> {
        let mtu = self.qp.config.path_mtu;
        let found = self.qp.remembered.iter().find_map(|old| match old {
            Remembered::Read(read) => rest_of(read, psn, reth, mtu.bytes() as u32, mtu.packets(read.length)),
            Remembered::Word(_) => None,
        });
        let (request, mut next) = found.ok_or(Counter::DuplicateForgotten)?;
        if self.plants.has(PlantedFault::ReadRestartsAtFirstByte) {
            next.va -= u64::from(psn.since(request)) * mtu.bytes() as u64;
        }
        let queued = self
            .qp
            .jobs
            .iter_mut()
            .find(|job| matches!(job, Job::Read { request: own, .. } if *own == request));
        let again = Job::Read { request, next, begins: true };
        match queued {
            // It is being answered: the answer goes on from here, so that a queue pair has one answer a request at most.
            Some(job) => *job = again,
            None => self.qp.jobs.push_back(again),
        }
        Err(Counter::DuplicateReads)
    }
}

/// The part of a READ that a duplicate asks for, if it asks for a part of it.
fn rest_of(read: &Read, psn: Psn, reth: Reth, mtu: u32, packets: u32) -> Option<(Psn, Read)> {
    let skipped = psn.since(read.psn);
    if skipped >= packets || reth.rkey != read.rkey {
        return None;
    }
    // Fewer packets than the message has, so neither product is past its length.
    let bytes = skipped * mtu;
    let same = reth.va == read.va.wrapping_add(bytes.into()) && reth.length <= read.length - bytes;
    same.then_some((read.psn, Read { psn, va: reth.va, length: reth.length, ..*read }))
}

fn is_same(word: &Word, opcode: Opcode, va: u64, rkey: u32, operation: Atomic) -> bool {
    (word.opcode, word.va, word.rkey, word.operation) == (opcode, va, rkey, operation)
}
