//! Queue pairs on a node's memory: how they are made and ended, and which packets they take and send.
use super::NodeError;
use super::chain::{ChainConfig, ChainQp};
use super::door::{Door, Frames, NativePair};
use super::leaf::SegmentError;
use crate::codec::{Bth, Opcode};
use crate::memory::Region;
use crate::responder::{Arrival, Departure, PACKET_MAX, QueuePairConfig, Responder, Serves};

/// Immediates that wait for the owner of a native queue pair, at most. Beyond, its client is told to come again.
const IMMEDIATES: u64 = 16;

impl<F: Frames> Door<'_, F> {
    /// Makes a native queue pair: READ, WRITE, atomics, and FREE of pages of `frees` (`None`: of all of the process's).
    ///
    /// # Errors
    /// [`NodeError::Responder`].
    pub fn create_native(
        &mut self,
        responder: &mut Responder,
        config: QueuePairConfig,
        frees: Option<Region>,
    ) -> Result<(), NodeError> {
        responder.create(QueuePairConfig { serves: Serves::RegionsAndPackets, ..config })?;
        self.pairs.native.insert(config.qpn, NativePair { pid: config.pid, frees });
        let mut ids = 0..IMMEDIATES;
        let posted = ids.try_for_each(|id| responder.post_receive(config.qpn, id, Box::default()));
        // A responder of fewer buffers: nothing of the queue pair stays.
        posted.or_else(|error| {
            self.destroy(responder, config.qpn)?;
            Err(error.into())
        })
    }

    /// Makes a chain queue pair on a segment.
    ///
    /// # Errors
    /// Every [`NodeError`].
    pub fn create_chain(&mut self, responder: &mut Responder, config: ChainConfig) -> Result<(), NodeError> {
        let segment = self.frames.leaf().config(config.segment);
        let segment = segment.ok_or(SegmentError::Unknown(config.segment))?;
        let (pid, entries, tt_base) = (segment.pid, segment.entries, config.tt_base);
        if tt_base % 8 != 0 || tt_base.checked_add(8 * u64::from(entries)).is_none() {
            return Err(NodeError::TableBase { tt_base, entries });
        }
        responder.create(config.queue_pair(pid))?;
        self.pairs.chains.insert(config.qpn, ChainQp::new(config, pid));
        self.pairs.turns.insert(pid, config.qpn);
        Ok(())
    }

    /// Ends a queue pair. A frame that it was filling goes back, and its replies are not sent again.
    ///
    /// # Errors
    /// [`NodeError::Responder`].
    pub fn destroy(&mut self, responder: &mut Responder, qpn: u32) -> Result<(), NodeError> {
        self.end(qpn);
        Ok(responder.destroy(qpn)?)
    }

    /// Ends what a queue pair does, which stays there in its error.
    pub(super) fn fail(&mut self, responder: &mut Responder, qpn: u32) {
        self.end(qpn);
        responder.end(qpn);
    }

    /// Takes a packet at `now`, in nanoseconds from any start.
    pub fn receive(&mut self, responder: &mut Responder, now: u64, arrival: &Arrival<'_>) {
        let header = arrival.transport.first_chunk().map(|header| Bth::from_bytes(header).0);
        let Some(bth) = header else { return responder.receive(now, arrival, self) };
        let answers = Opcode::from_number(bth.opcode).is_some_and(Opcode::is_response);
        match self.pairs.chains.get_mut(&bth.dest_qp) {
            Some(chain) if answers && chain.config.peer == arrival.source => {
                if !chain.receive(now, arrival.transport) {
                    self.fail(responder, bth.dest_qp);
                }
            }
            _ => {
                responder.receive(now, arrival, self);
                if responder.in_error(bth.dest_qp) == Some(true) {
                    self.end(bth.dest_qp);
                }
            }
        }
    }

    /// Writes the next packet that is to be sent, answers and replies in turns; of either, processes take turns. `None`: there is nothing now.
    pub fn poll_transmit(
        &mut self,
        responder: &mut Responder,
        now: u64,
        to: &mut [u8; PACKET_MAX],
    ) -> Option<Departure> {
        self.pairs.turn = !self.pairs.turn;
        if self.pairs.turn {
            self.send_reply(responder, now, to).or_else(|| responder.poll_transmit(now, self, to))
        } else {
            let answer = responder.poll_transmit(now, self, to);
            answer.or_else(|| self.send_reply(responder, now, to))
        }
    }

    fn send_reply(
        &mut self,
        responder: &mut Responder,
        now: u64,
        to: &mut [u8; PACKET_MAX],
    ) -> Option<Departure> {
        let turns: Vec<(u32, u32)> = self.pairs.turns.order().collect();
        for (pid, qpn) in turns {
            let Some(chain) = self.pairs.chains.get_mut(&qpn) else { continue };
            let (destination, again) = (chain.config.peer, &mut self.pairs.counters.looked_up_again);
            let held = responder.rate(now, qpn).filter(|rate| rate.holds()).map(|rate| rate.next());
            if chain.held(held, self.frames.leaf_mut()) {
                continue;
            }
            let (length, sound) = chain.transmit(now, self.frames, again, to);
            if !sound {
                self.fail(responder, qpn);
            }
            if let Some(length) = length {
                if let Some(rate) = responder.rate(now, qpn) {
                    rate.sent(payload(&to[..length]));
                }
                self.pairs.turns.sent(pid, qpn);
                return Some(Departure { qpn, destination, length });
            }
        }
        None
    }
}

/// Bytes of payload of a reply, with its pad.
fn payload(packet: &[u8]) -> u32 {
    let opcode = packet.first().copied().and_then(Opcode::from_number);
    let headers = Bth::LEN + opcode.map_or(0, Opcode::extension_len);
    packet.len().saturating_sub(headers) as u32
}
