//! What answers to READs bring, against the memory that was read: every packet on the cable, also those of READs that are asked again.
use std::collections::VecDeque;

use mneme_rdma::codec::{Opcode, Packet, Psn, Reth};

use crate::seen::Way;

/// READs that are remembered: an answer comes long before so many others are asked for.
const ASKED: usize = 4096;

/// What was seen.
#[derive(Debug, Clone, Default)]
pub struct Brought {
    /// READs asked for.
    pub asked: u64,
    /// Packets of answers whose payload was that of the memory, and its bytes.
    pub packets: u64,
    pub bytes: u64,
    /// The first packet that was another one.
    pub wrong: Option<String>,
}

/// READs of one queue pair, and the memory that they are of.
#[derive(Debug)]
pub struct Reads {
    va: u64,
    memory: Vec<u8>,
    asked: VecDeque<(Psn, Reth)>,
    brought: Brought,
}

impl Reads {
    /// Memory begins at this address.
    pub fn new(va: u64, memory: Vec<u8>) -> Reads {
        Reads { va, memory, asked: VecDeque::new(), brought: Brought::default() }
    }
    pub fn end(self) -> Brought {
        self.brought
    }
    /// Looks at a packet. All READs that pass are of the one queue pair.
    pub fn packet(&mut self, way: Way, packet: &Packet<'_>) {
        let Packet { bth, opcode, extensions, payload } = packet;
        match (way, opcode, extensions.reth) {
            (Way::ToBoard, Opcode::ReadRequest, Some(reth)) => {
                self.brought.asked += 1;
                if self.asked.len() == ASKED {
                    self.asked.pop_front();
                }
                self.asked.push_back((bth.psn, reth));
            }
            (Way::ToGuest, ..) if is_answer(*opcode) => match self.must(bth.psn, *opcode, payload.len()) {
                Ok(must) if must == *payload => {
                    self.brought.packets += 1;
                    self.brought.bytes += payload.len() as u64;
                }
                other => {
                    let why = other.map_or_else(
                        |why| why,
                        |must| match must.iter().zip(*payload).position(|(must, is)| must != is) {
                            Some(at) => format!("byte {at} is {:#04x}, not {:#04x}", payload[at], must[at]),
                            None => "it is too short".into(),
                        },
                    );
                    let (psn, bytes) = (bth.psn.number(), payload.len());
                    let wrong = format!("{} {psn:#x} of {bytes} bytes: {why}", opcode.name());
                    self.brought.wrong.get_or_insert(wrong);
                }
            },
            _ => {}
        }
    }
    /// The bytes that a packet must have: those of the READ that it answers.
    fn must(&self, psn: Psn, opcode: Opcode, bytes: usize) -> Result<&[u8], String> {
        // Of a READ that was asked again for its rest, the rest.
        let asked = self.asked.iter().min_by_key(|(first, _)| psn.since(*first));
        let (first, reth) = asked.ok_or("nobody has asked")?;
        let whole = reth.length as usize;
        let from = match opcode {
            Opcode::ReadResponseOnly | Opcode::ReadResponseLast => whole.checked_sub(bytes),
            // All but the last have the path MTU.
            _ => Some(psn.since(*first) as usize * bytes),
        };
        let begin = reth.va.checked_sub(self.va).map(|begin| begin as usize);
        let from = from.filter(|from| from + bytes <= whole).zip(begin).map(|(from, begin)| begin + from);
        from.and_then(|from| self.memory.get(from..from + bytes))
            .ok_or_else(|| format!("it is no part of {whole} bytes at {:#x}", reth.va))
    }
}

fn is_answer(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::ReadResponseFirst
            | Opcode::ReadResponseMiddle
            | Opcode::ReadResponseLast
            | Opcode::ReadResponseOnly
    )
}
