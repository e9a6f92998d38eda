//! The side that owns the memory (IBTA volume 1, 9.7): what a request does, and what it is answered.
//!
//! | packet | answer |
//! |---|---|
//! | expected | executed; the expected number moves on by its packets, of a READ by its responses |
//! | ahead by less than 2^23 | NAK 0x60, once for each gap |
//! | SEND or WRITE that was done | an acknowledge of all that is done; not executed |
//! | READ that was done | done again if it lies in one of the last 16 READs and atomics, else dropped |
//! | atomic that was done | the saved word, else dropped |
//! | wrong order, length, pad, total, alignment, opcode | NAK 0x61 |
//! | key, range, right, process | NAK 0x62 |
//! | memory failed | NAK 0x63 |
//! | memory not ready, no buffer, no place | RNR, timer 10 µs rising to 1.28 ms; nothing is done, packets behind are dropped |
//! | unknown queue pair, wrong source or partition, queue pair in error | silence |
//!
//! A NAK of 0x61 to 0x63 puts the queue pair into error, unless it is hardened: then the packet is dropped. Every row has a
//! [`Counter`]. One deviation is for a peer that exists: a WRITE First or Only at the expected number, in the middle of a WRITE,
//! is taken if it names exactly the bytes that are left. Linux 6.1's rdma_rxe restarts a WRITE so.
//!
//! `request` executes, `duplicate` repeats, `answer` writes the responses.
//!
//! ```
//! use mneme_rdma::codec::{Bth, Extensions, Opcode, Packet, Psn, Reth};
//! use mneme_rdma::memory::{Access, Atomic, Memory, MemoryFault, Region};
//! use mneme_rdma::responder::{Arrival, Limits, PACKET_MAX, QueuePairConfig, Responder};
//!
//! /// A kilobyte from address 0.
//! struct Kilobyte([u8; 1024]);
//! impl Memory for Kilobyte {
//!     fn read(&mut self, _: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
//!         to.copy_from_slice(&self.0[va as usize..][..to.len()]);
//!         Ok(())
//!     }
//!     fn write(&mut self, _: u32, va: u64, from: &[u8]) -> Result<(), MemoryFault> {
//!         self.0[va as usize..][..from.len()].copy_from_slice(from);
//!         Ok(())
//!     }
//!     fn atomic(&mut self, _: u32, _: u64, _: Atomic) -> Result<u64, MemoryFault> {
//!         Err(MemoryFault::Failed)
//!     }
//! }
//!
//! let (mut memory, mut responder) = (Kilobyte([0; 1024]), Responder::new(Limits::default()));
//! responder.create(QueuePairConfig::new(17, [10, 0, 0, 2], 99, Psn::from_low_bits(5)))?;
//! let region = Region { pid: 0, va: 0, length: 1024, access: Access::ALL };
//! let rkey = responder.regions.insert(0x1234, region)?;
//!
//! let write = Packet {
//!     bth: Bth { dest_qp: 17, psn: Psn::from_low_bits(5), ack_request: true, ..Bth::default() },
//!     opcode: Opcode::WriteOnly,
//!     extensions: Extensions { reth: Some(Reth { va: 8, rkey, length: 6 }), ..Extensions::default() },
//!     payload: b"remote",
//! };
//! let mut bytes = [0; PACKET_MAX];
//! let length = write.emit(&mut bytes)?;
//! let arrival = Arrival { source: [10, 0, 0, 2], congested: false, transport: &bytes[..length] };
//! responder.receive(0, &arrival, &mut memory);
//! assert_eq!(&memory.0[8..14], b"remote");
//!
//! let sent = responder.poll_transmit(0, &mut memory, &mut bytes).expect("an acknowledge");
//! assert_eq!(Packet::parse(&bytes[..sent.length])?.opcode, Opcode::Acknowledge);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
mod answer;
mod counter;
mod duplicate;
mod queue_pair;
mod rate;
mod request;
pub(crate) mod turns;

use std::collections::{BTreeMap, VecDeque};

pub use counter::{Counter, Counters};
pub use queue_pair::{MEMORY_MESSAGE_MAX, MESSAGE_MAX, QueuePairConfig, REMEMBERED, Serves};
pub use rate::Rate;

use crate::codec::{HEADERS_MAX, PathMtu, Psn, Transport};
use crate::memory::{Memory, Regions};
use crate::planted::{PlantedFault, Plants};
use queue_pair::{QueuePair, Receive};
use turns::Turns;

/// Bytes of a packet without ICRC, at most.
pub const PACKET_MAX: usize = HEADERS_MAX + PathMtu::MAX.bytes();
/// Nanoseconds between two congestion notifications of a queue pair.
pub const NOTIFICATION_GAP: u64 = 50_000;

/// How much a responder holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Queue pairs.
    pub queue_pairs: usize,
    /// READs and atomics of all queue pairs that are still to be answered.
    pub jobs: usize,
    /// A process may have as many of these places as are free, so that there is always one for the next process. Else whoever comes
    /// first may have all.
    pub shares: bool,
    /// Buffers of a queue pair for SENDs and immediates, with those whose message waits to be taken.
    pub receives: usize,
    /// Rates hold answers. Without them answers go at once, whatever congestion or cap there is.
    pub rates: bool,
    /// The most that answers of a queue pair send whose settings name no rate, in bytes a period ([`Rate::cap_of`]); 0: as can.
    pub cap: u32,
    /// Nanoseconds that a READ waits for memory that is not ready before its requester is told to come again.
    pub read_wait: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            queue_pairs: 1024,
            jobs: 64,
            shares: true,
            rates: true,
            cap: 0,
            receives: 256,
            read_wait: 100_000,
        }
    }
}

/// Why a responder did not do as its owner told it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ResponderError {
    /// All queue pairs are in use.
    #[error("all {0} queue pairs are in use")]
    Full(usize),
    /// The number is taken.
    #[error("queue pair {0:#x} exists")]
    Exists(u32),
    /// The number has more than 24 bits, or is one of the two of management.
    #[error("{0:#x} is no number of a queue pair: 2 to 0xffffff")]
    Number(u32),
    /// No such queue pair.
    #[error("no queue pair {0:#x}")]
    Unknown(u32),
    /// Messages for the memory would be longer than any may be.
    #[error("messages of {0} bytes: {MEMORY_MESSAGE_MAX} are the most that memory takes")]
    Message(u32),
    /// The queue pair has as many buffers as it may.
    #[error("queue pair {qpn:#x} has {most} buffers, and may have no more")]
    Receives {
        /// The queue pair.
        qpn: u32,
        /// Its buffers.
        most: usize,
    },
}

/// A packet that has come, its ICRC checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival<'a> {
    /// The IPv4 address it came from.
    pub source: [u8; 4],
    /// A router has met congestion.
    pub congested: bool,
    /// All from the base transport header up to the ICRC.
    pub transport: &'a [u8],
}

/// A packet that is to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Departure {
    /// The queue pair that sends.
    pub qpn: u32,
    /// The peer's address.
    pub destination: [u8; 4],
    /// Bytes from the base transport header up to the ICRC.
    pub length: usize,
}

/// A message for the owner of a queue pair: a SEND, or the immediate of a WRITE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// The queue pair.
    pub qpn: u32,
    /// The buffer's number ([`Responder::post_receive`]).
    pub id: u64,
    /// The buffer.
    pub buffer: Box<[u8]>,
    /// Bytes of a SEND at the buffer's front; 0 for a WRITE.
    pub length: usize,
    /// Immediate data.
    pub immediate: Option<u32>,
    /// The peer wants the owner woken.
    pub solicited: bool,
    /// Whether it is a WRITE's.
    pub by_write: bool,
}

/// Queue pairs, regions, and what waits to be sent.
#[derive(Debug, Default)]
pub struct Responder {
    limits: Limits,
    /// The memory that clients may name.
    pub regions: Regions,
    queue_pairs: BTreeMap<u32, QueuePair>,
    counters: Counters,
    received: VecDeque<Received>,
    turns: Turns,
    plants: Plants,
}

impl Responder {
    /// A responder without queue pairs and regions.
    pub fn new(limits: Limits) -> Responder {
        Responder { limits, ..Responder::default() }
    }

    /// Test-only: gives it a defect.
    #[cfg(feature = "planted-faults")]
    pub fn plant(&mut self, fault: crate::planted::PlantedFault) {
        self.plants.0 = Some(fault);
        self.regions.plants.0 = Some(fault);
    }

    /// Makes a queue pair that is ready to receive.
    ///
    /// # Errors
    /// [`ResponderError::Full`], [`ResponderError::Exists`], [`ResponderError::Number`], [`ResponderError::Message`].
    pub fn create(&mut self, config: QueuePairConfig) -> Result<(), ResponderError> {
        if !(2..Psn::COUNT).contains(&config.qpn) {
            return Err(ResponderError::Number(config.qpn));
        }
        if let Serves::Messages(bytes) = config.serves
            && bytes > MEMORY_MESSAGE_MAX
        {
            return Err(ResponderError::Message(bytes));
        }
        if self.queue_pairs.contains_key(&config.qpn) {
            return Err(ResponderError::Exists(config.qpn));
        }
        if self.queue_pairs.len() >= self.limits.queue_pairs {
            return Err(ResponderError::Full(self.limits.queue_pairs));
        }
        self.turns.insert(config.pid, config.qpn);
        self.queue_pairs.insert(config.qpn, QueuePair::new(config, self.limits.cap));
        Ok(())
    }

    /// Ends a queue pair. What it has not answered stays unanswered.
    ///
    /// # Errors
    /// [`ResponderError::Unknown`].
    pub fn destroy(&mut self, qpn: u32) -> Result<(), ResponderError> {
        let gone = self.queue_pairs.remove(&qpn).ok_or(ResponderError::Unknown(qpn))?;
        self.turns.remove(gone.config.pid, qpn);
        Ok(())
    }

    /// Puts a queue pair into error: it stays silent from now on. Nothing happens if there is none of this number.
    pub fn end(&mut self, qpn: u32) {
        if let Some(qp) = self.queue_pairs.get_mut(&qpn) {
            qp.in_error = true;
            qp.jobs.clear();
        }
    }

    /// How many queue pairs more it can have.
    pub fn room(&self) -> usize {
        self.limits.queue_pairs.saturating_sub(self.queue_pairs.len())
    }

    /// Whether a queue pair has ended in an error; `None`: there is none of this number.
    pub fn in_error(&self, qpn: u32) -> Option<bool> {
        self.queue_pairs.get(&qpn).map(|qp| qp.in_error)
    }

    /// Whether a queue pair has ended in an error, and what it refused has left; `None`: there is none of this number.
    pub fn is_over(&self, qpn: u32) -> Option<bool> {
        self.queue_pairs.get(&qpn).map(|qp| qp.in_error && qp.jobs.is_empty())
    }

    /// The number of the next packet that a queue pair expects, and how many messages it has done (24 bits).
    pub fn progress(&self, qpn: u32) -> Option<(Psn, u32)> {
        self.queue_pairs.get(&qpn).map(|qp| (qp.expected, qp.msn))
    }

    /// Gives a queue pair a buffer for a SEND or for the immediate of a WRITE. They are used in order.
    ///
    /// # Errors
    /// [`ResponderError::Unknown`], [`ResponderError::Receives`].
    pub fn post_receive(&mut self, qpn: u32, id: u64, buffer: Box<[u8]>) -> Result<(), ResponderError> {
        let qp = self.queue_pairs.get_mut(&qpn).ok_or(ResponderError::Unknown(qpn))?;
        // Those that hold a message count as well: an owner who does not take them gets no more.
        let full = self.received.iter().filter(|received| received.qpn == qpn).count();
        if qp.receives.len() + full >= self.limits.receives {
            return Err(ResponderError::Receives { qpn, most: self.limits.receives });
        }
        qp.receives.push_back(Receive { id, buffer });
        Ok(())
    }

    /// The next message for an owner. There are never more than there were buffers.
    pub fn poll_received(&mut self) -> Option<Received> {
        self.received.pop_front()
    }

    /// What was seen so far.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Whether nothing waits to be sent, not even a READ for its memory.
    pub fn is_idle(&self) -> bool {
        self.queue_pairs.values().all(|qp| qp.jobs.is_empty() && !qp.notify)
    }

    /// Takes a packet at `now`, in nanoseconds from any start. What it answers comes from [`Responder::poll_transmit`].
    pub fn receive(&mut self, now: u64, arrival: &Arrival<'_>, memory: &mut (impl Memory + ?Sized)) {
        if let Err(reason) = self.take(now, arrival, memory) {
            self.counters.add(reason);
        }
    }

    /// Finds the queue pair and the place in its sequence. An error is why the packet is dropped in silence.
    fn take(
        &mut self,
        now: u64,
        arrival: &Arrival<'_>,
        memory: &mut (impl Memory + ?Sized),
    ) -> Result<(), Counter> {
        let packet = Transport::parse(arrival.transport).map_err(|_| Counter::Malformed)?;
        let bth = packet.bth;
        match bth.opcode {
            0x81 => {
                self.notified(now, arrival.source, &packet);
                return Err(Counter::CongestionNotified);
            }
            0x20.. => return Err(Counter::OtherTransport),
            0x0d..=0x12 => return Err(Counter::Response),
            _ => {}
        }
        let has_job = self.has_job(bth.dest_qp);
        let qp = self.queue_pairs.get_mut(&bth.dest_qp).ok_or(Counter::UnknownQueuePair)?;
        if qp.config.peer != arrival.source && !self.plants.has(PlantedFault::AnySource) {
            return Err(Counter::WrongSource);
        }
        if qp.config.pkey != bth.pkey {
            return Err(Counter::WrongPartition);
        }
        if qp.in_error && !self.plants.has(PlantedFault::ErrorServed) {
            return Err(Counter::QueuePairError);
        }
        if arrival.congested && now >= qp.next_notification {
            qp.notify = true;
            qp.next_notification = now.saturating_add(NOTIFICATION_GAP);
        }
        let mut work = request::Work {
            qp,
            regions: &self.regions,
            counters: &mut self.counters,
            received: &mut self.received,
            plants: &self.plants,
            has_job,
        };
        let ahead = bth.psn.since(work.qp.expected);
        match ahead {
            0 => work.expected(&packet, memory),
            1..Psn::HALF => work.ahead(&packet, memory),
            _ => work.duplicate(&packet, memory),
        }
    }

    /// A congestion notification lowers the rate of a sound queue pair, if it is its peer's.
    fn notified(&mut self, now: u64, source: [u8; 4], packet: &Transport<'_>) {
        let bth = packet.bth;
        let sound = packet.open().is_ok();
        let whose = |qp: &&mut QueuePair| {
            let config = &qp.config;
            config.peer == source && config.pkey == bth.pkey && !qp.in_error
        };
        if let Some(qp) = self.queue_pairs.get_mut(&bth.dest_qp).filter(whose).filter(|_| sound) {
            qp.rate.advance(now);
            qp.rate.cut();
            self.counters.add(Counter::RateCuts);
        }
    }

    /// The rate of a queue pair, brought to `now`; `None`: there is none of this number, or rates have no effect.
    pub fn rate(&mut self, now: u64, qpn: u32) -> Option<&mut Rate> {
        let qp = self.queue_pairs.get_mut(&qpn).filter(|_| self.limits.rates)?;
        qp.rate.advance(now);
        Some(&mut qp.rate)
    }

    /// Whether a READ or an atomic of this queue pair may be queued.
    fn has_job(&self, qpn: u32) -> bool {
        let Some(qp) = self.queue_pairs.get(&qpn) else { return false };
        let jobs: usize = self.queue_pairs.values().map(QueuePair::work).sum();
        let free = self.limits.jobs.saturating_sub(jobs);
        let shares = self.limits.shares && !self.plants.has(PlantedFault::PlacesUnshared);
        let of_process = || {
            let pairs = self.turns.of(qp.config.pid).filter_map(|own| self.queue_pairs.get(&own));
            pairs.map(QueuePair::work).sum::<usize>()
        };
        free > 0 && (!shares || of_process() < free) || self.plants.has(PlantedFault::JobsUnbounded)
    }

    /// Writes the next packet that is to be sent. Processes take turns by packet, and so do the queue pairs of each. `None`: there is
    /// nothing now.
    ///
    /// Bytes of a READ go straight from memory into the packet. One that waits for memory is asked for again at every call.
    pub fn poll_transmit(
        &mut self,
        now: u64,
        memory: &mut (impl Memory + ?Sized),
        to: &mut [u8; PACKET_MAX],
    ) -> Option<Departure> {
        let mut sends = None;
        for (pid, qpn) in self.turns.order() {
            let qp = self.queue_pairs.get_mut(&qpn).filter(|qp| qp.notify || !qp.jobs.is_empty());
            let Some(qp) = qp else { continue };
            let mut answer = answer::Answer {
                qp,
                regions: &self.regions,
                counters: &mut self.counters,
                plants: &self.plants,
                read_wait: self.limits.read_wait,
                rates: self.limits.rates,
            };
            if let Some(length) = answer.next(now, memory, to) {
                let destination = answer.qp.config.peer;
                sends = Some((pid, Departure { qpn, destination, length }));
                break;
            }
        }
        let (pid, departure) = sends?;
        if !self.plants.has(PlantedFault::TurnsForgotten) {
            self.turns.sent(pid, departure.qpn);
        }
        Some(departure)
    }
}
