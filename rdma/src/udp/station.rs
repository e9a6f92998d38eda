//! A socket with both ends of connections.
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use super::ends::Ends;
use super::port::{Heard, RocePort, UdpError};
use crate::codec::cm::{MAD_LEN, MANAGEMENT_QKEY, MANAGEMENT_QP};
use crate::codec::icrc::ICRC_LEN;
use crate::codec::{Bth, Deth, Extensions, Opcode, Packet, Psn};
use crate::memory::Memory;
use crate::node::{Door, Frames};
use crate::requester::{Completion, PostError, Work};
use crate::responder::{Arrival, Departure, PACKET_MAX, Responder, ResponderError};

/// Packets that are taken at a time before others are sent.
pub(super) const BATCH: usize = 32;
/// Management datagrams that wait, each way, at most.
pub const MANAGEMENTS: usize = 64;

/// A packet that the system's queue had no place for.
#[derive(Debug, Clone, Copy)]
struct Held {
    to: Ipv4Addr,
    length: usize,
}

/// A management datagram that has come, or that is to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Management {
    /// The other side's address.
    pub peer: Ipv4Addr,
    /// The datagram.
    pub bytes: [u8; MAD_LEN],
}

/// Who takes requests and sends answers.
trait Side {
    fn receive(&mut self, responder: &mut Responder, now: u64, arrival: &Arrival<'_>);
    fn poll_transmit(
        &mut self,
        responder: &mut Responder,
        now: u64,
        to: &mut [u8; PACKET_MAX],
    ) -> Option<Departure>;
}

/// A responder alone.
struct Plain<'a, M: ?Sized>(&'a mut M);

impl<M: Memory + ?Sized> Side for Plain<'_, M> {
    fn receive(&mut self, responder: &mut Responder, now: u64, arrival: &Arrival<'_>) {
        responder.receive(now, arrival, self.0);
    }
    fn poll_transmit(
        &mut self,
        responder: &mut Responder,
        now: u64,
        to: &mut [u8; PACKET_MAX],
    ) -> Option<Departure> {
        responder.poll_transmit(now, self.0, to)
    }
}

impl<F: Frames> Side for Door<'_, F> {
    fn receive(&mut self, responder: &mut Responder, now: u64, arrival: &Arrival<'_>) {
        Door::receive(self, responder, now, arrival);
    }
    fn poll_transmit(
        &mut self,
        responder: &mut Responder,
        now: u64,
        to: &mut [u8; PACKET_MAX],
    ) -> Option<Departure> {
        Door::poll_transmit(self, responder, now, to)
    }
}

/// One address that speaks RoCEv2, for callers who bring the memory themselves: [`Ends`] with a socket. Nothing happens but in
/// [`Exchange::serve`].
#[derive(Debug)]
pub struct Exchange {
    /// The socket.
    pub port: RocePort,
    ends: Ends,
    start: Instant,
    out: Box<[u8; PACKET_MAX + ICRC_LEN]>,
    held: Option<Held>,
    input: Box<[u8; PACKET_MAX + ICRC_LEN + 1]>,
    /// Management datagrams that have come, and those that wait to be sent.
    came: VecDeque<Management>,
    goes: VecDeque<Management>,
    management_psn: Psn,
    management_dropped: u64,
}

impl Exchange {
    /// Without connections.
    pub fn new(port: RocePort, responder: Responder) -> Exchange {
        Exchange {
            port,
            ends: Ends::new(responder),
            start: Instant::now(),
            out: Box::new([0; PACKET_MAX + ICRC_LEN]),
            held: None,
            input: Box::new([0; PACKET_MAX + ICRC_LEN + 1]),
            came: VecDeque::new(),
            goes: VecDeque::new(),
            management_psn: Psn::default(),
            management_dropped: 0,
        }
    }

    /// The next management datagram that has come. [`MANAGEMENTS`] wait at most; more are dropped, and sent again by who asks.
    pub fn poll_management(&mut self) -> Option<Management> {
        self.came.pop_front()
    }
    /// Sends a management datagram with the next packets. As many wait at most; more are dropped.
    pub fn send_management(&mut self, management: Management) {
        if self.goes.len() < MANAGEMENTS {
            self.goes.push_back(management);
        } else {
            self.management_dropped += 1;
        }
    }
    /// Management datagrams that found no place, either way.
    pub const fn management_dropped(&self) -> u64 {
        self.management_dropped
    }

    /// Nanoseconds since the start: the time that its state machines go by.
    pub fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Takes a batch of what has come, and sends what there is. Answers whether anything had come. Does not block.
    ///
    /// # Errors
    /// [`UdpError::System`].
    pub fn serve(&mut self, memory: &mut (impl Memory + ?Sized)) -> Result<bool, UdpError> {
        self.serve_side(&mut Plain(memory))
    }

    /// The same for a node's memory: native queue pairs and chains on its frames ([`crate::node`]). Chains' replies are sent, too.
    ///
    /// # Errors
    /// [`UdpError::System`].
    pub fn serve_node(&mut self, door: &mut Door<'_, impl Frames>) -> Result<bool, UdpError> {
        self.serve_side(door)
    }

    fn serve_side(&mut self, side: &mut impl Side) -> Result<bool, UdpError> {
        self.transmit(side);
        let came = self.take(side)?;
        self.transmit(side);
        Ok(came)
    }

    /// How long nothing will be to do if nothing comes, `most` at most.
    pub fn rest(&self, most: Duration) -> Duration {
        let now = self.now();
        let next = self.ends.next_time().map(|at| Duration::from_nanos(at.saturating_sub(now)));
        // Of memory that is not ready nobody tells when it is.
        let look = (!self.ends.responder.is_idle()).then_some(Duration::from_micros(50));
        [next, look].into_iter().flatten().fold(most, Duration::min)
    }

    /// Takes up to a batch of datagrams. Answers whether there was one.
    fn take(&mut self, side: &mut impl Side) -> Result<bool, UdpError> {
        for taken in 0..BATCH {
            let now = self.now();
            let (from, packet) = match self.port.receive(&mut self.input)? {
                Heard::Packet(packet) => packet,
                Heard::Dropped => continue,
                Heard::Nothing => return Ok(taken > 0),
            };
            if let Some(bytes) = management(packet) {
                if self.came.len() < MANAGEMENTS {
                    self.came.push_back(Management { peer: from, bytes });
                } else {
                    self.management_dropped += 1;
                }
                continue;
            }
            let arrival = Arrival { source: from.octets(), congested: false, transport: packet };
            if !self.ends.answered(now, &arrival) {
                side.receive(&mut self.ends.responder, now, &arrival);
            }
        }
        Ok(true)
    }

    /// Sends until nothing is left or the system's queue is full.
    fn transmit(&mut self, side: &mut impl Side) {
        loop {
            let next = self.held.take().or_else(|| self.next(side));
            let Some(held) = next else { return };
            if !self.port.send(held.to, &mut self.out, held.length) {
                self.held = Some(held);
                return;
            }
        }
    }

    fn next(&mut self, side: &mut impl Side) -> Option<Held> {
        let now = self.now();
        let packet = self.out.first_chunk_mut()?;
        if let Some(Management { peer, bytes }) = self.goes.pop_front() {
            let length = emit_management(self.management_psn, &bytes, packet)?;
            self.management_psn = self.management_psn.plus(1);
            return Some(Held { to: peer, length });
        }
        let answer = side.poll_transmit(&mut self.ends.responder, now, packet);
        let sent = answer.or_else(|| self.ends.next_request(now, packet))?;
        Some(Held { to: sent.destination.into(), length: sent.length })
    }
}

impl Deref for Exchange {
    type Target = Ends;
    fn deref(&self) -> &Ends {
        &self.ends
    }
}

impl DerefMut for Exchange {
    fn deref_mut(&mut self) -> &mut Ends {
        &mut self.ends
    }
}

/// Writes a management datagram as a packet without ICRC. Answers its length.
pub fn emit_management(psn: Psn, bytes: &[u8; MAD_LEN], to: &mut [u8; PACKET_MAX]) -> Option<usize> {
    let deth = Deth { qkey: MANAGEMENT_QKEY, source_qp: MANAGEMENT_QP };
    let bth = Bth { dest_qp: MANAGEMENT_QP, psn, ..Bth::default() };
    let extensions = Extensions { deth: Some(deth), ..Extensions::default() };
    let datagram = Packet { bth, opcode: Opcode::DatagramSendOnly, extensions, payload: bytes };
    datagram.emit(to).ok()
}

/// The management datagram in a packet without ICRC, if it is one.
pub fn management(transport: &[u8]) -> Option<[u8; MAD_LEN]> {
    let packet = Packet::parse(transport).ok()?;
    let keyed = packet.extensions.deth.is_some_and(|deth| deth.qkey == MANAGEMENT_QKEY);
    let is_one = packet.opcode == Opcode::DatagramSendOnly && packet.bth.dest_qp == MANAGEMENT_QP && keyed;
    packet.payload.try_into().ok().filter(|_| is_one)
}

/// An exchange with memory of its own. Nothing happens but in [`Station::poll`].
#[derive(Debug)]
pub struct Station<M> {
    exchange: Exchange,
    /// What its clients read and write.
    pub memory: M,
}

impl<M> Deref for Station<M> {
    type Target = Exchange;
    fn deref(&self) -> &Exchange {
        &self.exchange
    }
}

impl<M> DerefMut for Station<M> {
    fn deref_mut(&mut self) -> &mut Exchange {
        &mut self.exchange
    }
}

impl<M: Memory> Station<M> {
    /// A station without connections.
    pub fn new(port: RocePort, responder: Responder, memory: M) -> Station<M> {
        Station { exchange: Exchange::new(port, responder), memory }
    }

    /// Sends and takes what there is. If there is nothing, waits until something comes or has to be sent again, for `most`
    /// at most.
    ///
    /// # Errors
    /// [`UdpError::System`].
    pub fn poll(&mut self, most: Duration) -> Result<(), UdpError> {
        if self.exchange.serve(&mut self.memory)? {
            return Ok(());
        }
        let wait = self.exchange.rest(most);
        self.exchange.port.wait(wait, self.exchange.held.is_some())?;
        self.exchange.serve(&mut self.memory)?;
        Ok(())
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
