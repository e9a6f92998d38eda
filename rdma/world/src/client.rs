//! A client: its program, its requester, and what it has been answered.
use mneme_rdma::codec::{Bth, Opcode, Psn, RoceFrame, Syndrome};
use mneme_rdma::requester::{Requester, Work};
use mneme_wire::frame::Endpoints;

use crate::Time;
use crate::events::Tick;
use crate::failure::Failure;
use crate::program::{Expected, Program};

#[derive(Debug)]
pub struct Client {
    pub number: usize,
    pub endpoints: Endpoints,
    pub requester: Requester<Vec<u8>>,
    pub program: Program,
    /// Operations that are still to be drawn.
    pub left: usize,
    /// An operation that the requester had no place for.
    pub held: Option<Work<Vec<u8>>>,
    /// Words that were found in shared places.
    pub found: Vec<(usize, u64)>,
    pub completed: usize,
    pub notified: u64,
    /// The responder was not ready: nothing may be sent before.
    not_before: Time,
    pub tick: Tick,
}

impl Client {
    pub fn new(
        number: usize,
        endpoints: Endpoints,
        requester: Requester<Vec<u8>>,
        program: Program,
        left: usize,
    ) -> Client {
        Client {
            number,
            endpoints,
            requester,
            program,
            left,
            held: None,
            found: Vec::new(),
            completed: 0,
            notified: 0,
            not_before: 0,
            tick: Tick::default(),
        }
    }

    pub fn is_done(&self) -> bool {
        self.left == 0 && self.held.is_none() && self.requester.pending() == 0
    }

    /// Posts as much as fits.
    pub fn post(&mut self) {
        while self.held.is_some() || self.left > 0 {
            let work = match self.held.take() {
                Some(work) => work,
                None => {
                    self.left -= 1;
                    self.program.draw()
                }
            };
            if let Err((_, work)) = self.requester.post(work) {
                self.held = Some(work);
                return;
            }
        }
    }

    /// Takes a frame's packet.
    pub fn receive(&mut self, now: Time, transport: &[u8]) -> Result<(), Failure> {
        if transport[0] == Opcode::Congestion.number() {
            self.notified += 1;
            return Ok(());
        }
        let before = self.requester.seen().not_ready;
        self.requester.receive(now, transport);
        if self.requester.seen().not_ready > before {
            let aeth = mneme_rdma::codec::Packet::parse(transport).ok().and_then(|p| p.extensions.aeth);
            if let Some(Syndrome::Rnr(timer)) = aeth.map(|aeth| aeth.syndrome) {
                self.not_before = now + timer.nanoseconds();
            }
        }
        self.completions()
    }

    /// Compares what has ended with what must have come of it.
    pub fn completions(&mut self) -> Result<(), Failure> {
        let client = self.number;
        while let Some(done) = self.requester.poll_completion() {
            let Some((id, expected)) = self.program.expected.pop_front() else {
                return Err(Failure::Unasked { client, id: done.id });
            };
            if id != done.id {
                return Err(Failure::Order { client, expected: id, id: done.id });
            }
            done.result.map_err(|failure| Failure::Operation { client, id, failure })?;
            let as_expected = match expected {
                Expected::Done => true,
                Expected::Bytes(bytes) => done.buffer.as_ref() == Some(&bytes),
                Expected::Word(word) => done.found == Some(word),
                Expected::Shared(word) => {
                    self.found.extend(done.found.map(|found| (word, found)));
                    done.found.is_some()
                }
            };
            if !as_expected {
                return Err(Failure::Answer { client, id });
            }
            self.completed += 1;
        }
        Ok(())
    }

    /// The next frame, if there is one.
    pub fn transmit(&mut self, now: Time) -> Result<Option<Vec<u8>>, Failure> {
        let mut packet = [0; mneme_rdma::responder::PACKET_MAX];
        let Some(length) = self.requester.poll_transmit(now, &mut packet) else { return Ok(None) };
        if now < self.not_before {
            return Err(Failure::Hasty { client: self.number, early: self.not_before - now });
        }
        seal(&self.endpoints, &packet[..length]).map(Some)
    }
}

/// A packet as a frame.
pub fn seal(endpoints: &Endpoints, packet: &[u8]) -> Result<Vec<u8>, Failure> {
    use mneme_rdma::codec::frame::{TRANSPORT_OFFSET, seal_frame};
    let mut frame = vec![0; TRANSPORT_OFFSET + packet.len() + 4];
    frame[TRANSPORT_OFFSET..][..packet.len()].copy_from_slice(packet);
    seal_frame(endpoints, &mut frame).map_err(|error| Failure::Frame(error.to_string()))?;
    Ok(frame)
}

/// A frame's packet, congestion mark and source; `None` when it must be dropped. `trusting`: without a look at any check.
pub fn open(frame: &[u8], trusting: bool) -> Option<(&[u8], bool, [u8; 4])> {
    match RoceFrame::parse(frame) {
        Ok(read) => Some((read.transport, read.congested, read.endpoints.src_ip)),
        Err(_) if trusting && frame.len() >= 42 + Bth::LEN + 4 => {
            let source = frame[26..30].try_into().ok()?;
            Some((&frame[42..frame.len() - 4], false, source))
        }
        Err(_) => None,
    }
}

/// A first number: half of them near the wrap.
pub fn first_psn(random: u32) -> Psn {
    if random & 1 == 0 { Psn::from_low_bits(random >> 1) } else { Psn::default().minus(random >> 1 & 0x7f) }
}
