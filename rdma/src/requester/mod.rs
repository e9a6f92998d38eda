//! The side that asks (IBTA volume 1, 9.7.5 and 9.7.6): packets of one queue pair, sent until they are answered.
//!
//! Operations end in the order in which they were posted. When a packet is missing, everything from it on is sent again. A READ
//! of which some bytes have come is asked for from the first byte that has not.
//!
//! | answer | what happens |
//! |---|---|
//! | acknowledge | all up to its number is done; a READ or an atomic before it that has no answer is asked for again |
//! | READ response, ATOMIC acknowledge | as an acknowledge of all before it; its bytes go into the caller's buffer |
//! | NAK 0x60 | sent again from its number, once until there is progress |
//! | RNR | sent again from its number after the time that it tells |
//! | NAK 0x61 to 0x63, or an answer that does not fit | the operation fails, and all behind it are flushed |
//! | silence | sent again after the timeout, up to 7 times in a row without progress; a patient requester waits twice as long after two of them, four times after four (IBTA volume 1, 9.7.6.1.3, leaves as much) |
//!
//! Credits of the peer are not counted: a SEND that finds no buffer is answered "not ready", and sent again.
//!
//! `work` has what is posted and completed, `sending` the packets that go out, `answers` those that come.
//!
//! ```
//! use mneme_rdma::codec::{Aeth, Bth, Credits, Extensions, Opcode, Packet, Psn, Syndrome};
//! use mneme_rdma::requester::{Operation, Requester, RequesterConfig, Work};
//! use mneme_rdma::responder::PACKET_MAX;
//!
//! let mut requester = Requester::new(RequesterConfig::new(17, Psn::from_low_bits(5)));
//! let data = b"remote".to_vec();
//! let write = Operation::Write { data, va: 4096, rkey: 9, immediate: None };
//! requester.post(Work::new(1, write)).map_err(|(error, _)| error)?;
//!
//! let mut bytes = [0; PACKET_MAX];
//! let length = requester.poll_transmit(0, &mut bytes).expect("a packet");
//! assert_eq!(Packet::parse(&bytes[..length])?.payload, b"remote");
//!
//! // What a responder answers.
//! let aeth = Some(Aeth { syndrome: Syndrome::Ack(Credits::UNCOUNTED), msn: 1 });
//! let acknowledge = Packet {
//!     bth: Bth { psn: Psn::from_low_bits(5), ..Bth::default() },
//!     opcode: Opcode::Acknowledge,
//!     extensions: Extensions { aeth, ..Extensions::default() },
//!     payload: &[],
//! };
//! let length = acknowledge.emit(&mut bytes)?;
//! requester.receive(1_000, &bytes[..length]);
//! let done = requester.poll_completion().expect("it is done");
//! assert_eq!((done.id, done.result), (1, Ok(())));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
mod answers;
mod sending;
mod work;

use std::collections::VecDeque;

use crate::codec::Psn;
use crate::planted::Plants;

pub use sending::NextPacket;
pub use work::{
    ACK_TIMEOUT, ACK_TIMEOUT_CODE, Completion, Failure, NotReadyRetries, Operation, PostError,
    RequesterConfig, Work,
};

/// Packets of a message, at most: an eighth of the numbers, so that what is under way stays far under half.
const PACKETS_MAX: u32 = Psn::COUNT / 8;

/// A posted operation.
#[derive(Debug)]
struct Entry<B> {
    work: Work<B>,
    first: Psn,
    /// Numbers that it takes: packets, or responses of a READ.
    packets: u32,
    length: u32,
    /// Responses of a READ that have come.
    got: u32,
    /// The word that an atomic found.
    found: Option<u64>,
}

impl<B: AsRef<[u8]>> Entry<B> {
    /// The number behind its last.
    fn end(&self) -> Psn {
        self.first.plus(self.packets)
    }
    fn is_answered(&self) -> bool {
        self.work.operation.is_answered()
    }
}

/// What a requester has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen {
    /// Packets sent.
    pub sent: u64,
    /// Of them, those that had been sent before.
    pub sent_again: u64,
    /// Timeouts.
    pub timeouts: u64,
    /// NAK 0x60.
    pub gaps: u64,
    /// Acknowledges and responses behind a READ or an atomic whose answer is missing.
    pub implied_gaps: u64,
    /// "Not ready".
    pub not_ready: u64,
    /// Answers to what is answered already, or was never asked; dropped.
    pub stale: u64,
    /// Packets that are no sound responses; dropped.
    pub malformed: u64,
}

/// One queue pair's sending side. Holds no more than [`RequesterConfig::queue`] operations, completions that wait to be taken
/// among them.
#[derive(Debug)]
pub struct Requester<B> {
    config: RequesterConfig,
    /// Posted and not ended, in order.
    queue: VecDeque<Entry<B>>,
    completions: VecDeque<Completion<B>>,
    /// The oldest number without answer.
    unanswered: Psn,
    /// The number that is sent next.
    next: Psn,
    /// Behind the last number that was ever sent.
    sent_to: Psn,
    /// Behind the last number that is posted.
    posted_to: Psn,
    /// When silence is too long.
    deadline: Option<u64>,
    /// When a peer that was not ready is tried again.
    ready_at: Option<u64>,
    retries: u8,
    not_ready: u8,
    /// When the peer was first not ready, and when what it answers now might leave: without progress since.
    not_ready_since: Option<(u64, u64)>,
    /// It was gone back to this number, and nothing has come since.
    went_back: Option<Psn>,
    ended: bool,
    seen: Seen,
    plants: Plants,
}

impl<B: AsRef<[u8]> + AsMut<[u8]>> Requester<B> {
    /// A requester with nothing to do.
    pub fn new(config: RequesterConfig) -> Requester<B> {
        let psn = config.first_psn;
        Requester {
            config,
            queue: VecDeque::new(),
            completions: VecDeque::new(),
            unanswered: psn,
            next: psn,
            sent_to: psn,
            posted_to: psn,
            deadline: None,
            ready_at: None,
            retries: 0,
            not_ready: 0,
            not_ready_since: None,
            went_back: None,
            ended: false,
            seen: Seen::default(),
            plants: Plants::default(),
        }
    }

    /// Test-only: gives it a defect.
    #[cfg(feature = "planted-faults")]
    pub fn plant(&mut self, fault: crate::planted::PlantedFault) {
        self.plants.0 = Some(fault);
    }

    /// From now on, how often "not ready" is met with another try.
    pub const fn bear(&mut self, not_ready_retries: NotReadyRetries) {
        self.config.not_ready_retries = not_ready_retries;
    }
    /// Bytes that one packet carries.
    pub const fn packet_bytes(&self) -> usize {
        self.config.path_mtu.bytes()
    }

    /// Adds an operation to the queue. [`Requester::poll_transmit`] has its packets.
    ///
    /// # Errors
    /// The operation comes back with the reason.
    pub fn post(&mut self, work: Work<B>) -> Result<(), (PostError, Work<B>)> {
        let bytes = work.operation.bytes();
        let mtu = self.config.path_mtu;
        let most = (PACKETS_MAX as usize * mtu.bytes()).min(1 << 31);
        let taken = self.posted_to.since(self.unanswered);
        let refusal = match work.operation {
            _ if self.ended => Some(PostError::Ended),
            _ if bytes > most => Some(PostError::Long { has: bytes, most }),
            Operation::CompareSwap { va, .. } | Operation::FetchAdd { va, .. } if va % 8 != 0 => {
                Some(PostError::Alignment(va))
            }
            _ if self.held() >= self.config.queue || taken > PACKETS_MAX => {
                Some(PostError::Full(self.held()))
            }
            _ => None,
        };
        if let Some(refusal) = refusal {
            return Err((refusal, work));
        }
        let (first, length) = (self.posted_to, bytes as u32);
        let packets = mtu.packets(length);
        self.posted_to = first.plus(packets);
        self.queue.push_back(Entry { work, first, packets, length, got: 0, found: None });
        Ok(())
    }

    /// The next operation that has ended, in the order of posting.
    pub fn poll_completion(&mut self) -> Option<Completion<B>> {
        self.completions.pop_front()
    }

    /// Operations that it holds: those that have not ended, and those whose completion nobody has taken.
    fn held(&self) -> usize {
        self.queue.len() + self.completions.len()
    }

    /// Operations that have not ended.
    pub fn pending(&self) -> usize {
        self.queue.len()
    }

    /// Whether an operation has failed: then all others are flushed, and no more are taken.
    pub const fn has_ended(&self) -> bool {
        self.ended
    }

    /// What was seen so far.
    pub const fn seen(&self) -> &Seen {
        &self.seen
    }

    /// When [`Requester::on_time`] and [`Requester::poll_transmit`] are to be called, if nothing comes before.
    pub fn next_time(&self) -> Option<u64> {
        self.ready_at.or(self.deadline)
    }

    /// Lets time pass: sends again after a silence, and gives up after too many.
    pub fn on_time(&mut self, now: u64) {
        if self.deadline.is_none_or(|deadline| now < deadline) {
            return;
        }
        self.seen.timeouts += 1;
        self.retries = self.retries.saturating_add(1);
        if self.retries > self.config.retries {
            self.fail_first(Failure::NoAnswer(self.config.retries));
            return;
        }
        self.went_back = None;
        self.deadline = Some(now.saturating_add(self.patience()));
        self.send_again_from(self.unanswered);
    }

    /// How long the next silence is borne. A peer that is silent twice is slow rather than a packet lost.
    fn patience(&self) -> u64 {
        let doubled = if self.config.patient { (self.retries / 2).min(2) } else { 0 };
        self.config.timeout.saturating_mul(1 << doubled)
    }

    /// Ends the queue pair: everything that has not ended is flushed.
    pub fn close(&mut self) {
        self.ended = true;
        (self.deadline, self.ready_at) = (None, None);
        while let Some(entry) = self.queue.pop_front() {
            self.complete(entry, Err(Failure::Flushed));
        }
    }

    fn complete(&mut self, entry: Entry<B>, result: Result<(), Failure>) {
        let Entry { work, found, .. } = entry;
        let buffer = work.operation.into_buffer();
        self.completions.push_back(Completion { id: work.id, result, found, buffer });
    }

    /// The oldest operation fails, and with it all others.
    fn fail_first(&mut self, failure: Failure) {
        if let Some(entry) = self.queue.pop_front() {
            self.complete(entry, Err(failure));
        }
        self.close();
    }
}
