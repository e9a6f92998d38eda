//! The server: a responder, its memory, and an owner who takes messages and gives buffers back, now and then too late.
use mneme_rdma::codec::{AtomicEth, Bth, Extensions, Opcode, Packet, Payload, Psn, Reth};
use mneme_rdma::memory::{Access, Region};
use mneme_rdma::responder::{Arrival, Limits, PACKET_MAX, QueuePairConfig, Responder};
use mneme_wire::frame::Endpoints;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::Time;
use crate::client::{Client, open, seal};
use crate::events::Tick;
use crate::failure::Failure;
use crate::memory::{AREA_BYTES, Areas, SHARED_WORDS, area};
use crate::program::{Keys, Message, SEND_PACKETS};

/// Buffers of a queue pair.
const BUFFERS: u64 = 4;

#[derive(Debug)]
pub struct Server {
    pub responder: Responder,
    pub memory: Areas,
    clients: Vec<Endpoints>,
    pub tick: Tick,
    /// Frames that no check let through.
    pub dropped: u64,
    buffer: usize,
}

/// The queue pair of a client.
pub fn qpn(client: usize) -> u32 {
    0x100 + client as u32
}

impl Server {
    /// A server for some clients, whose endpoints are those of their frames.
    pub fn new(
        memory: Areas,
        clients: Vec<Endpoints>,
        configs: &[QueuePairConfig],
    ) -> Result<Server, Failure> {
        let mut responder = Responder::new(Limits { read_wait: 20_000, ..Limits::default() });
        let wrong = |error: mneme_rdma::responder::ResponderError| Failure::SetUp(error.to_string());
        let mut buffer = 0;
        for config in configs {
            responder.create(*config).map_err(wrong)?;
            buffer = buffer.max(SEND_PACKETS * config.path_mtu.bytes());
            for id in 0..BUFFERS {
                let bytes = vec![0; SEND_PACKETS * config.path_mtu.bytes()];
                responder.post_receive(config.qpn, id, bytes.into()).map_err(wrong)?;
            }
        }
        Ok(Server { responder, memory, clients, tick: Tick::default(), dropped: 0, buffer })
    }

    /// Registers a client's area and the shared words under its own keys.
    pub fn register(&mut self, client: usize, random: [u32; 2]) -> Result<Keys, Failure> {
        let mut insert = |random, va, length| {
            let region = Region { pid: 1, va, length, access: Access::ALL };
            self.responder.regions.insert(random, region).map_err(|error| Failure::SetUp(error.to_string()))
        };
        let own = insert(random[0], area(client), AREA_BYTES as u64)?;
        let shared = insert(random[1], area(self.clients.len()), 8 * SHARED_WORDS as u64)?;
        Ok(Keys { own, shared })
    }

    /// Takes a frame.
    pub fn receive(&mut self, now: Time, frame: &[u8], trusting: bool) {
        match open(frame, trusting) {
            Some((transport, congested, source)) => {
                let arrival = Arrival { source, congested, transport };
                self.responder.receive(now, &arrival, &mut self.memory);
            }
            None => self.dropped += 1,
        }
    }

    /// The owner takes messages and compares them. Answers the clients whose buffers are to come back.
    pub fn take_messages(&mut self, clients: &mut [Client]) -> Result<Vec<usize>, Failure> {
        let mut back = Vec::new();
        while let Some(received) = self.responder.poll_received() {
            let client = (received.qpn - qpn(0)) as usize;
            let got = Message {
                bytes: received.buffer[..received.length].to_vec(),
                immediate: received.immediate,
                by_write: received.by_write,
            };
            match clients[client].program.messages.pop_front() {
                Some(expected) if expected == got => {}
                _ => return Err(Failure::Message { client }),
            }
            back.push(client);
        }
        Ok(back)
    }

    /// A packet as somebody forges it who knows addresses, queue pairs and numbers, but no key.
    pub fn forge(
        &self,
        client: usize,
        endpoints: &Endpoints,
        rng: &mut ChaCha8Rng,
    ) -> Result<Vec<u8>, Failure> {
        let expected = self.responder.progress(qpn(client)).map_or(Psn::default(), |(psn, _)| psn);
        let psn = expected.plus(rng.random_range(0..6)).minus(rng.random_range(0..6));
        let bth = Bth { dest_qp: qpn(client), psn, ack_request: rng.random(), ..Bth::default() };
        let (va, rkey, payload) = (area(client), rng.random(), [0xbb; 8]);
        let extensions = Extensions {
            reth: Some(Reth { va, rkey, length: 8 }),
            atomic: Some(AtomicEth { va, rkey, swap_or_add: 1, compare: 0 }),
            invalidate: Some(rkey),
            ..Extensions::default()
        };
        let opcodes = [
            Opcode::WriteOnly,
            Opcode::ReadRequest,
            Opcode::FetchAdd,
            Opcode::CompareSwap,
            Opcode::SendOnlyInvalidate,
        ];
        let opcode = opcodes[rng.random_range(0..opcodes.len())];
        let bare = opcode.payload() == Payload::None;
        let packet = Packet { bth, opcode, extensions, payload: if bare { &[] } else { &payload } };
        let mut bytes = [0; 64];
        let length = packet.emit(&mut bytes).map_err(|error| Failure::Frame(error.to_string()))?;
        seal(endpoints, &bytes[..length])
    }

    /// Gives a buffer back.
    pub fn repost(&mut self, client: usize) -> Result<(), Failure> {
        let bytes = vec![0; self.buffer].into();
        self.responder.post_receive(qpn(client), 0, bytes).map_err(|error| Failure::SetUp(error.to_string()))
    }

    /// The next frame and its client, if there is one.
    pub fn transmit(&mut self, now: Time) -> Result<Option<(usize, Vec<u8>)>, Failure> {
        let mut packet = [0; PACKET_MAX];
        let Some(sent) = self.responder.poll_transmit(now, &mut self.memory, &mut packet) else {
            return Ok(None);
        };
        let client = (sent.qpn - qpn(0)) as usize;
        let frame = seal(&self.clients[client].reversed(), &packet[..sent.length])?;
        Ok(Some((client, frame)))
    }
}
