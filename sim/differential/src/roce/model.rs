//! The golden model beside a board: a responder, its memory, and its answers as the frames that they would be.
use std::collections::BTreeMap;

use mneme_rdma::codec::frame::{TRANSPORT_OFFSET, seal_frame};
use mneme_rdma::codec::icrc::ICRC_LEN;
use mneme_rdma::codec::{Psn, RoceFrame, Transport};
use mneme_rdma::node::{ChainConfig, Door, PagedCounters, QueuePairs};
use mneme_rdma::responder::{Arrival, Counter, Limits, PACKET_MAX, QueuePairConfig, Responder};
use mneme_wire::RoceCounter;
use mneme_wire::frame::Endpoints;

use super::answers::Answer;
use super::memory::{Pages, Touches};
use crate::Mismatch;

/// What the model does with a packet.
#[derive(Default)]
pub struct Done {
    pub answers: Vec<Answer>,
    pub touches: Touches,
    /// What comes back to back with this packet may be answered otherwise, or may change what it reads: it must come by itself.
    pub alone: bool,
}

/// The model.
pub struct Model {
    pub responder: Responder,
    pub memory: Pages,
    /// Addresses of answers, by queue pair.
    ways: BTreeMap<u32, Endpoints>,
    /// Chain queue pairs.
    pairs: QueuePairs,
    /// Nanoseconds, for replies.
    pub now: u64,
    /// Immediates of WRITEs, which boards count themselves.
    pub immediates: u64,
    /// The last frame that was refused for good.
    pub refused: Vec<u8>,
    /// Frames that the port hands on, and those with another version of the base transport header.
    pub sound: u64,
    pub other_version: u64,
}

/// Reasons for which a packet ends its queue pair, or would.
const REFUSALS: &[Counter] = &[
    Counter::Opcode,
    Counter::Layout,
    Counter::Order,
    Counter::Length,
    Counter::Total,
    Counter::Alignment,
    Counter::Key,
    Counter::Process,
    Counter::Range,
    Counter::Right,
    Counter::Message,
];
/// What memory said.
const MEMORY: &[Counter] = &[Counter::MemoryDenied, Counter::MemoryFailed, Counter::MemoryNotReady];

/// The hardware's counter of the same name. What needs a buffer it has none for.
pub fn counter(of: Counter) -> Option<RoceCounter> {
    let name = of.name().to_uppercase().replace(' ', "_");
    RoceCounter::ALL.iter().copied().find(|other| other.name() == name)
}

impl Model {
    /// A responder without queue pairs, with a memory without pages.
    pub fn new(page_bits: u32) -> Model {
        // The model's time stands still, so what the board's rates let go later it sends at once.
        // Memory that is not ready answers at once: the engine itself has waited.
        let limits = Limits { read_wait: 0, rates: false, ..Limits::default() };
        Model {
            responder: Responder::new(limits),
            memory: Pages::new(page_bits),
            ways: BTreeMap::new(),
            pairs: QueuePairs::default(),
            now: 0,
            immediates: 0,
            refused: Vec::new(),
            sound: 0,
            other_version: 0,
        }
    }

    /// Makes a queue pair whose answers go this way.
    pub fn create(&mut self, config: QueuePairConfig, way: Endpoints) -> Result<(), Mismatch> {
        let wrong = |error: mneme_rdma::responder::ResponderError| Mismatch::new(error.to_string());
        self.responder.create(config).map_err(wrong)?;
        // Immediates are taken by nobody, and never wait.
        self.responder.post_receive(config.qpn, 0, Box::default()).map_err(wrong)?;
        self.ways.insert(config.qpn, way);
        Ok(())
    }

    fn door(&mut self) -> (Door<'_, Pages>, &mut Responder) {
        (Door { frames: &mut self.memory, pairs: &mut self.pairs }, &mut self.responder)
    }
    /// Makes a chain queue pair.
    pub fn create_chain(&mut self, config: ChainConfig, way: Endpoints) -> Result<(), Mismatch> {
        let (mut door, responder) = self.door();
        door.create_chain(responder, config).map_err(|error| Mismatch::new(error.to_string()))?;
        self.ways.insert(config.qpn, way);
        Ok(())
    }
    /// Ends one.
    pub fn destroy_chain(&mut self, qpn: u32) -> Result<(), Mismatch> {
        let (mut door, responder) = self.door();
        door.destroy(responder, qpn).map_err(|error| Mismatch::new(error.to_string()))
    }
    /// What chains have counted.
    pub const fn chain_counters(&self) -> &PagedCounters {
        self.pairs.counters()
    }
    /// A packet of a chain's peer, up to the ICRC.
    pub fn chain(&mut self, source: [u8; 4], transport: &[u8]) {
        let now = self.now;
        let (mut door, responder) = self.door();
        door.receive(responder, now, &Arrival { source, congested: false, transport });
    }
    /// Packets of chains that leave now, with their queue pairs.
    pub fn departures(&mut self) -> Vec<(u32, Vec<u8>)> {
        let now = self.now;
        let (mut door, responder) = self.door();
        let mut bytes = [0; PACKET_MAX];
        let mut all = Vec::new();
        while let Some(sent) = door.poll_transmit(responder, now, &mut bytes) {
            all.push((sent.qpn, bytes[..sent.length].to_vec()));
        }
        all
    }
    /// A queue pair's packet as the frame that it is.
    pub fn answer(&self, qpn: u32, packet: &[u8]) -> Result<Answer, Mismatch> {
        let way = self.ways.get(&qpn).copied().unwrap_or_default();
        Ok(Answer(sealed(&way, packet)?))
    }
    /// Packets that were refused, or are to come again; and the latter.
    pub fn refusals(&self) -> u64 {
        self.count(REFUSALS) + self.count(MEMORY) + self.count(&[Counter::ReceiveLength])
    }
    pub fn told_to_come_again(&self) -> u64 {
        self.count(&[Counter::MemoryNotReady])
    }

    fn count(&self, counters: &[Counter]) -> u64 {
        counters.iter().map(|counter| self.responder.counters().get(*counter)).sum()
    }

    /// What a frame does; `None`: it is dropped before any queue pair sees it.
    pub fn take(&mut self, frame: &[u8]) -> Result<Option<Done>, Mismatch> {
        // The ICRC covers more than UDP's checksum, at which the port does not look.
        let mut looked_at = frame.to_vec();
        if let Some(checksum) = looked_at.get_mut(TRANSPORT_OFFSET - 2..TRANSPORT_OFFSET) {
            checksum.fill(0);
        }
        let Ok(RoceFrame { endpoints, transport, .. }) = RoceFrame::parse(&looked_at) else {
            return Ok(None);
        };
        let Ok(packet) = Transport::parse(transport) else {
            self.other_version += 1;
            return Ok(None);
        };
        self.sound += 1;
        let (qpn, psn, opcode) = (packet.bth.dest_qp, packet.bth.psn, packet.bth.opcode);
        let expected = self.responder.progress(qpn).map_or(Psn::default(), |(expected, _)| expected);
        let is_write = opcode <= 0x0b;
        let (refused, memory) = (self.count(REFUSALS), self.count(MEMORY));
        let arrival = Arrival { source: endpoints.src_ip, congested: false, transport };
        self.responder.receive(0, &arrival, &mut self.memory);
        if self.count(REFUSALS) > refused {
            self.refused = frame.to_vec();
        }
        if let Some(taken) = self.responder.poll_received() {
            self.immediates += 1;
            let again = self.responder.post_receive(taken.qpn, taken.id, taken.buffer);
            again.map_err(|error| Mismatch::new(error.to_string()))?;
        }
        let mut answers = Vec::new();
        let mut bytes = [0; PACKET_MAX];
        while let Some(sent) = self.responder.poll_transmit(0, &mut self.memory, &mut bytes) {
            answers.push(self.answer(sent.qpn, &bytes[..sent.length])?);
        }
        let alone = !is_write && (psn.is_before(expected) || self.count(MEMORY) > memory);
        // Who comes first gets the frame: packets of a group may reach memory in another order.
        let alone = alone || std::mem::take(&mut self.memory.scarce);
        Ok(Some(Done { answers, touches: std::mem::take(&mut self.memory.touches), alone }))
    }
}

/// A packet as a frame.
pub fn sealed(way: &Endpoints, packet: &[u8]) -> Result<Vec<u8>, Mismatch> {
    let mut frame = vec![0; TRANSPORT_OFFSET + packet.len() + ICRC_LEN];
    frame[TRANSPORT_OFFSET..][..packet.len()].copy_from_slice(packet);
    seal_frame(way, &mut frame).map_err(|error| Mismatch::new(error.to_string()))?;
    Ok(frame)
}
