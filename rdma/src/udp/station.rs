//! A port with a responder and requesters: both ends of connections.
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use super::port::{RocePort, UdpError};
use crate::codec::icrc::ICRC_LEN;
use crate::codec::{Bth, Opcode, Psn};
use crate::memory::Memory;
use crate::requester::{Completion, PostError, Requester, RequesterConfig, Work};
use crate::responder::{Arrival, PACKET_MAX, QueuePairConfig, Responder, ResponderError};

/// Packets that are taken at a time before others are sent.
const BATCH: usize = 32;

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
            requester: RequesterConfig::new(peer_qpn, to_peer),
        }
    }
}

#[derive(Debug)]
struct Asking {
    peer: Ipv4Addr,
    requester: Requester<Vec<u8>>,
}

/// A packet that the system's queue had no place for.
#[derive(Debug, Clone, Copy)]
struct Held {
    to: Ipv4Addr,
    length: usize,
}

/// One address that speaks RoCEv2. Nothing happens but in [`Station::poll`].
#[derive(Debug)]
pub struct Station<M> {
    /// The socket.
    pub port: RocePort,
    /// The side that answers; regions are its matter.
    pub responder: Responder,
    /// What its clients read and write.
    pub memory: M,
    asking: BTreeMap<u32, Asking>,
    start: Instant,
    out: Box<[u8; PACKET_MAX + ICRC_LEN]>,
    held: Option<Held>,
    input: Box<[u8; PACKET_MAX + ICRC_LEN + 1]>,
}

impl<M: Memory> Station<M> {
    /// A station without connections.
    pub fn new(port: RocePort, responder: Responder, memory: M) -> Station<M> {
        Station {
            port,
            responder,
            memory,
            asking: BTreeMap::new(),
            start: Instant::now(),
            out: Box::new([0; PACKET_MAX + ICRC_LEN]),
            held: None,
            input: Box::new([0; PACKET_MAX + ICRC_LEN + 1]),
        }
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

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Sends and takes what there is. If there is nothing, waits until something comes or has to be sent again, for `most`
    /// at most.
    ///
    /// # Errors
    /// [`UdpError::System`].
    pub fn poll(&mut self, most: Duration) -> Result<(), UdpError> {
        self.transmit();
        if self.take()? {
            self.transmit();
            return Ok(());
        }
        let now = self.now();
        let next = self.asking.values().filter_map(|asking| asking.requester.next_time()).min();
        let next = next.map(|at| Duration::from_nanos(at.saturating_sub(now)));
        // Of memory that is not ready nobody tells when it is.
        let look = (!self.responder.is_idle()).then_some(Duration::from_micros(50));
        let wait = [next, look].into_iter().flatten().fold(most, Duration::min);
        self.port.wait(wait, self.held.is_some())?;
        self.take()?;
        self.transmit();
        Ok(())
    }

    /// Takes up to a batch of packets. Answers whether there was one.
    fn take(&mut self) -> Result<bool, UdpError> {
        for taken in 0..BATCH {
            let now = self.now();
            let Some((from, packet)) = self.port.receive(&mut self.input)? else { return Ok(taken > 0) };
            let header = packet.first_chunk().map(|header| Bth::from_bytes(header).0);
            let response =
                header.filter(|bth| Opcode::from_number(bth.opcode).is_some_and(Opcode::is_response));
            match response.and_then(|bth| self.asking.get_mut(&bth.dest_qp)) {
                Some(asking) if asking.peer == from => asking.requester.receive(now, packet),
                // Others' responses too: the responder drops and counts them.
                _ => {
                    let arrival = Arrival { source: from.octets(), congested: false, transport: packet };
                    self.responder.receive(now, &arrival, &mut self.memory);
                }
            }
        }
        Ok(true)
    }

    /// Sends until nothing is left or the system's queue is full.
    fn transmit(&mut self) {
        loop {
            let next = self.held.take().or_else(|| self.next());
            let Some(held) = next else { return };
            if !self.port.send(held.to, &mut self.out, held.length) {
                self.held = Some(held);
                return;
            }
        }
    }

    fn next(&mut self) -> Option<Held> {
        let now = self.now();
        let packet = self.out.first_chunk_mut()?;
        if let Some(sent) = self.responder.poll_transmit(now, &mut self.memory, packet) {
            return Some(Held { to: sent.destination.into(), length: sent.length });
        }
        self.asking.values_mut().find_map(|asking| {
            let length = asking.requester.poll_transmit(now, packet)?;
            Some(Held { to: asking.peer, length })
        })
    }

    /// Posts an operation and polls until it has ended. Blocks as long as the requester tries; operations that were posted
    /// before end before, and their completions are lost.
    ///
    /// # Errors
    /// The system's, and why the operation was not taken. How it ended is in the completion.
    pub fn execute(&mut self, qpn: u32, work: Work<Vec<u8>>) -> Result<Completion<Vec<u8>>, ExecuteError> {
        let id = work.id;
        let requester = self.requester(qpn).ok_or(ResponderError::Unknown(qpn))?;
        requester.post(work).map_err(|(error, _)| error)?;
        loop {
            self.poll(Duration::from_millis(100))?;
            let requester = self.requester(qpn).ok_or(ResponderError::Unknown(qpn))?;
            while let Some(done) = requester.poll_completion() {
                if done.id == id {
                    return Ok(done);
                }
            }
        }
    }
}

/// Why [`Station::execute`] has no completion.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// No such connection.
    #[error(transparent)]
    Connection(#[from] ResponderError),
    /// The operation was not taken.
    #[error(transparent)]
    Post(#[from] PostError),
    /// The system failed.
    #[error(transparent)]
    Udp(#[from] UdpError),
}
