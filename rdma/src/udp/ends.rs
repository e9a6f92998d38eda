//! Both ends of connections without a way for their packets: a socket's, or a board's whose hardware leaves some to software.
use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use crate::codec::{Bth, Opcode, Psn};
use crate::memory::Memory;
use crate::requester::{ACK_TIMEOUT, Completion, Requester, RequesterConfig};
use crate::responder::{Arrival, Departure, PACKET_MAX, QueuePairConfig, Responder, ResponderError};

/// Both sides of a connection. Their queue pair is one: requests and responses carry the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connection {
    /// The side that answers; its number and peer are those of the connection.
    pub responder: QueuePairConfig,
    /// The side that asks.
    pub requester: RequesterConfig,
}

impl Connection {
    /// A connection with the largest packets: this side's number, the peer and its number, and the first numbers that come
    /// from the peer and go to it.
    pub const fn new(qpn: u32, peer: Ipv4Addr, peer_qpn: u32, from_peer: Psn, to_peer: Psn) -> Connection {
        Connection {
            responder: QueuePairConfig::new(qpn, peer.octets(), peer_qpn, from_peer),
            // Whoever has a socket shares a processor with others.
            requester: RequesterConfig {
                timeout: ACK_TIMEOUT,
                patient: true,
                ..RequesterConfig::new(peer_qpn, to_peer)
            },
        }
    }
}

#[derive(Debug)]
struct Asking {
    peer: Ipv4Addr,
    requester: Requester<Vec<u8>>,
}

/// A responder, and the requesters of those of its queue pairs that ask, too.
#[derive(Debug)]
pub struct Ends {
    /// The side that answers; regions are its matter.
    pub responder: Responder,
    asking: BTreeMap<u32, Asking>,
}

impl Ends {
    /// Without connections.
    pub const fn new(responder: Responder) -> Ends {
        Ends { responder, asking: BTreeMap::new() }
    }

    /// Makes a connection, which the peer has been told of some other way. There are as many as the responder takes.
    ///
    /// # Errors
    /// Those of [`Responder::create`].
    pub fn connect(&mut self, connection: &Connection) -> Result<(), ResponderError> {
        self.responder.create(connection.responder)?;
        let asking = Asking {
            peer: connection.responder.peer.into(),
            requester: Requester::new(connection.requester),
        };
        self.asking.insert(connection.responder.qpn, asking);
        Ok(())
    }

    /// Ends a connection. Answers what had not ended, all of it flushed.
    ///
    /// # Errors
    /// [`ResponderError::Unknown`].
    pub fn disconnect(&mut self, qpn: u32) -> Result<Vec<Completion<Vec<u8>>>, ResponderError> {
        self.responder.destroy(qpn)?;
        let Some(mut asking) = self.asking.remove(&qpn) else { return Ok(Vec::new()) };
        asking.requester.close();
        Ok(std::iter::from_fn(|| asking.requester.poll_completion()).collect())
    }

    /// The asking side of a connection.
    pub fn requester(&mut self, qpn: u32) -> Option<&mut Requester<Vec<u8>>> {
        self.asking.get_mut(&qpn).map(|asking| &mut asking.requester)
    }

    /// Takes a packet of a connection, at `now` of any clock, in nanoseconds.
    pub fn receive(&mut self, now: u64, arrival: &Arrival<'_>, memory: &mut (impl Memory + ?Sized)) {
        if !self.answered(now, arrival) {
            self.responder.receive(now, arrival, memory);
        }
    }
    /// Writes the next packet that is to be sent, without ICRC: answers before requests. `None`: there is nothing now.
    pub fn poll_transmit(
        &mut self,
        now: u64,
        memory: &mut (impl Memory + ?Sized),
        to: &mut [u8; PACKET_MAX],
    ) -> Option<Departure> {
        let answer = self.responder.poll_transmit(now, memory, to);
        answer.or_else(|| self.next_request(now, to))
    }

    /// Gives a response to who has asked. False: it is no response, or nobody's; the responder drops and counts those.
    pub(super) fn answered(&mut self, now: u64, arrival: &Arrival<'_>) -> bool {
        let header = arrival.transport.first_chunk().map(|header| Bth::from_bytes(header).0);
        let response = header.filter(|bth| Opcode::from_number(bth.opcode).is_some_and(Opcode::is_response));
        let asking = response.and_then(|bth| self.asking.get_mut(&bth.dest_qp));
        let Some(asking) = asking.filter(|asking| asking.peer.octets() == arrival.source) else {
            return false;
        };
        asking.requester.receive(now, arrival.transport);
        true
    }
    /// The next packet of those who ask.
    pub(super) fn next_request(&mut self, now: u64, to: &mut [u8; PACKET_MAX]) -> Option<Departure> {
        self.asking.iter_mut().find_map(|(&qpn, Asking { peer, requester })| {
            let length = requester.poll_transmit(now, to)?;
            Some(Departure { qpn, destination: peer.octets(), length })
        })
    }
    /// When somebody who asks is to be looked at, if nothing comes before.
    pub(super) fn next_time(&self) -> Option<u64> {
        self.asking.values().filter_map(|asking| asking.requester.next_time()).min()
    }
}
