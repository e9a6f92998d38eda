//! A queue pair's state: numbers, the message that runs, what is remembered, and what is still to be answered.
use std::collections::VecDeque;

use super::rate::Rate;
use crate::codec::{DEFAULT_PKEY, Opcode, PathMtu, Psn, Syndrome};
use crate::memory::Atomic;

/// READs and atomics that a queue pair remembers, and so serves at a time.
pub const REMEMBERED: usize = 16;
/// Bytes of a message, at most (IBTA volume 1, 9.7.7).
pub const MESSAGE_MAX: u32 = 1 << 31;

/// Bytes of a message for the memory, at most: a page and what comes with it.
pub const MEMORY_MESSAGE_MAX: u32 = 8192;

/// What a queue pair takes. Everything else is refused with 0x61.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Serves {
    /// Every request; SENDs go into the owner's buffers.
    #[default]
    Everything,
    /// READ, WRITE and atomics.
    Regions,
    /// The same, and SENDs of one packet, which the memory executes ([`Memory::message`](crate::memory::Memory::message)).
    RegionsAndPackets,
    /// SENDs of exactly so many bytes, which the memory executes.
    Messages(u32),
}

impl Serves {
    /// Whether READ, WRITE and atomics are served.
    pub const fn regions(self) -> bool {
        !matches!(self, Serves::Messages(_))
    }
}

/// What a queue pair is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuePairConfig {
    /// Its number, 24 bits.
    pub qpn: u32,
    /// The peer's number.
    pub peer_qpn: u32,
    /// The peer's address: packets of others are dropped.
    pub peer: [u8; 4],
    /// The process whose regions it may name.
    pub pid: u32,
    /// The number of the first packet that comes.
    pub expected_psn: Psn,
    /// Bytes of payload of a packet.
    pub path_mtu: PathMtu,
    /// The partition.
    pub pkey: u16,
    /// What would end a queue pair is dropped instead, so that a forged packet has no effect.
    pub hardened: bool,
    /// What it takes.
    pub serves: Serves,
    /// Bytes that its READs' and atomics' answers, and a chain's replies, send in 8.192 µs at most; 0: what the
    /// responder's limits say.
    pub rate: u32,
}

impl QueuePairConfig {
    /// The default partition and the largest packets, not hardened, of process 0, taking everything.
    pub const fn new(qpn: u32, peer: [u8; 4], peer_qpn: u32, expected_psn: Psn) -> QueuePairConfig {
        QueuePairConfig {
            qpn,
            peer_qpn,
            peer,
            pid: 0,
            expected_psn,
            path_mtu: PathMtu::MAX,
            pkey: DEFAULT_PKEY,
            hardened: false,
            serves: Serves::Everything,
            rate: 0,
        }
    }
}

/// A message of which packets have come and more are to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Running {
    Send { filled: usize },
    Write { va: u64, rkey: u32, before: u32, left: u32 },
}

/// A READ as its request told it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Read {
    pub psn: Psn,
    pub va: u64,
    pub rkey: u32,
    pub length: u32,
    pub msn: u32,
}

/// An atomic, with the word that it found once it has been executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    pub psn: Psn,
    pub opcode: Opcode,
    pub va: u64,
    pub rkey: u32,
    pub operation: Atomic,
    pub found: Option<u64>,
    pub msn: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Remembered {
    Read(Read),
    Word(Word),
}

impl Remembered {
    pub fn psn(&self) -> Psn {
        match self {
            Remembered::Read(read) => read.psn,
            Remembered::Word(word) => word.psn,
        }
    }
}

/// Something to be answered. A queue pair answers in the order of its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Job {
    /// The rest of a READ: `request` names what is remembered, `next` is the packet that comes next.
    Read { request: Psn, next: Read, begins: bool },
    /// An atomic, by what is remembered.
    Word { request: Psn },
    /// Everything up to here is done.
    Ack { psn: Psn, msn: u32 },
    /// The packet of this number is refused, or is to come again.
    Refuse { psn: Psn, msn: u32, syndrome: Syndrome },
}

impl Job {
    /// Whether it takes one of the places for READs and atomics.
    pub fn is_work(&self) -> bool {
        matches!(self, Job::Read { .. } | Job::Word { .. })
    }
}

/// A buffer for a SEND.
#[derive(Debug)]
pub(super) struct Receive {
    pub id: u64,
    pub buffer: Box<[u8]>,
}

#[derive(Debug)]
pub(super) struct QueuePair {
    pub config: QueuePairConfig,
    pub in_error: bool,
    pub expected: Psn,
    pub msn: u32,
    pub running: Option<Running>,
    /// The gap before `expected` has been told.
    pub gap_told: bool,
    /// The packet `expected` was told to come again, so often in a row.
    pub not_ready: u8,
    pub remembered: VecDeque<Remembered>,
    pub jobs: VecDeque<Job>,
    /// When the job at the front was first found waiting for memory.
    pub waits_since: Option<u64>,
    pub receives: VecDeque<Receive>,
    /// What has come of a message for the memory.
    pub message: Vec<u8>,
    pub notify: bool,
    pub next_notification: u64,
    pub rate: Rate,
    /// The rate was seen to hold the next answer.
    pub held: bool,
}

impl QueuePair {
    pub fn new(config: QueuePairConfig, cap: u32) -> QueuePair {
        QueuePair {
            config,
            in_error: false,
            expected: config.expected_psn,
            msn: 0,
            running: None,
            gap_told: false,
            not_ready: 0,
            remembered: VecDeque::with_capacity(REMEMBERED),
            jobs: VecDeque::new(),
            waits_since: None,
            receives: VecDeque::new(),
            message: Vec::new(),
            notify: false,
            next_notification: 0,
            rate: Rate::new(if config.rate == 0 { cap } else { config.rate }),
            held: false,
        }
    }

    pub fn count_message(&mut self) {
        self.msn = (self.msn + 1) & (Psn::COUNT - 1);
    }

    /// READs and atomics that are still to be answered.
    pub fn work(&self) -> usize {
        self.jobs.iter().filter(|job| job.is_work()).count()
    }

    /// Whether an answer to this READ or atomic is still to come.
    pub fn is_queued(&self, request: Psn) -> bool {
        self.jobs.iter().any(|job| match job {
            Job::Read { request: own, .. } | Job::Word { request: own } => *own == request,
            _ => false,
        })
    }

    /// Whether a READ has not read all, or an atomic behind one has not been executed.
    pub fn has_unread(&self) -> bool {
        let unread = |request| {
            let is_this = |old: &&Remembered| old.psn() == request;
            matches!(self.remembered.iter().find(is_this), Some(Remembered::Word(Word { found: None, .. })))
        };
        self.jobs.iter().any(|job| match job {
            Job::Read { .. } => true,
            Job::Word { request } => unread(*request),
            Job::Ack { .. } | Job::Refuse { .. } => false,
        })
    }

    /// Whether another READ or atomic has a place: the oldest that is remembered may only go when it has been answered.
    pub fn has_place(&self) -> bool {
        self.remembered.len() < REMEMBERED
            || self.remembered.front().is_none_or(|old| !self.is_queued(old.psn()))
    }

    pub fn remember(&mut self, what: Remembered) {
        if self.remembered.len() == REMEMBERED {
            self.remembered.pop_front();
        }
        self.remembered.push_back(what);
    }

    /// Adds an acknowledge, or lets one that waits at the end of the queue tell more.
    pub fn acknowledge(&mut self) {
        let (psn, msn) = (self.expected.minus(1), self.msn);
        match self.jobs.back_mut() {
            Some(Job::Ack { psn: own, msn: count }) => (*own, *count) = (psn, msn),
            // A refusal says the same of all before it. Once its packet has been done, only the acknowledge is true.
            Some(Job::Refuse { psn: refused, .. }) if psn.is_before(*refused) => {}
            Some(last @ Job::Refuse { .. }) => *last = Job::Ack { psn, msn },
            _ => self.jobs.push_back(Job::Ack { psn, msn }),
        }
    }

    /// Adds a refusal. It says that all before it is done, so it replaces an acknowledge that waits at the end of the queue.
    pub fn refuse(&mut self, psn: Psn, syndrome: Syndrome) {
        let refusal = Job::Refuse { psn, msn: self.msn, syndrome };
        match self.jobs.back_mut() {
            Some(last @ (Job::Ack { .. } | Job::Refuse { .. })) => *last = refusal,
            _ => self.jobs.push_back(refusal),
        }
    }
}
