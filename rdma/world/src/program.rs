//! What a client does, drawn at random, and what must come of it.
use std::collections::VecDeque;

use mneme_rdma::codec::PathMtu;
use mneme_rdma::memory::Atomic;
use mneme_rdma::requester::{Operation, Work};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::memory::{AREA_BYTES, Change, SHARED_WORDS, area};

/// Packets of a SEND, at most.
pub const SEND_PACKETS: usize = 4;

/// What an operation must give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// Nothing but its end.
    Done,
    /// These bytes.
    Bytes(Vec<u8>),
    /// This word.
    Word(u64),
    /// Any word: others add to it too. Its place among the shared words.
    Shared(usize),
}

/// A message that the server's owner must get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub bytes: Vec<u8>,
    pub immediate: Option<u32>,
    pub by_write: bool,
}

/// Keys of the regions that a client names.
#[derive(Debug, Clone, Copy)]
pub struct Keys {
    pub own: u32,
    pub shared: u32,
}

/// A client's operations, its own picture of its area, and the changes that must be made there.
#[derive(Debug)]
pub struct Program {
    client: usize,
    clients: usize,
    keys: Keys,
    mtu: PathMtu,
    picture: Vec<u8>,
    rng: ChaCha8Rng,
    next: u64,
    /// READs since the last fence: one may have to be done once more, so that what it reads may not change without a fence.
    reads: Vec<(usize, usize)>,
    /// Atomics since the last fence: one may take effect behind a later WRITE.
    atomics: Vec<usize>,
    pub expected: VecDeque<(u64, Expected)>,
    pub messages: VecDeque<Message>,
    pub changes: Vec<Change>,
    /// Additions to the shared words.
    pub added: [u64; SHARED_WORDS],
}

impl Program {
    pub fn new(client: usize, clients: usize, keys: Keys, mtu: PathMtu, rng: ChaCha8Rng) -> Program {
        Program {
            client,
            clients,
            keys,
            mtu,
            picture: vec![0; AREA_BYTES],
            rng,
            next: 0,
            reads: Vec::new(),
            atomics: Vec::new(),
            expected: VecDeque::new(),
            messages: VecDeque::new(),
            changes: Vec::new(),
            added: [0; SHARED_WORDS],
        }
    }

    /// The area as it must be.
    pub fn picture(&self) -> &[u8] {
        &self.picture
    }

    /// A length near the sizes where packets begin and end.
    fn length(&mut self, packets: usize) -> usize {
        let mtu = self.mtu.bytes();
        match self.rng.random_range(0..8) {
            0 => self.rng.random_range(0..8),
            1 => mtu - self.rng.random_range(0..4),
            2 => mtu + self.rng.random_range(0..4),
            3 => (self.rng.random_range(1..=packets) * mtu).min(AREA_BYTES / 2),
            4 => self.rng.random_range(0..=(packets * mtu).min(AREA_BYTES / 2)),
            _ => self.rng.random_range(0..=mtu),
        }
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.rng.fill(&mut bytes[..]);
        bytes
    }

    /// Whether a WRITE or an atomic here needs a fence.
    fn needs_fence(&mut self, at: usize, length: usize, is_write: bool) -> bool {
        let meets = |from: usize, to: usize| at < to && from < at + length;
        let needs = self.reads.iter().any(|(from, to)| meets(*from, *to))
            || is_write && self.atomics.iter().any(|word| meets(*word, word + 8));
        if needs {
            self.reads.clear();
            self.atomics.clear();
        }
        needs
    }

    /// The next operation.
    pub fn draw(&mut self) -> Work<Vec<u8>> {
        self.next += 1;
        let (operation, fence, expected) = match self.rng.random_range(0..100) {
            0..30 => self.write(),
            30..60 => self.read(),
            60..75 => self.send(),
            75..90 => self.atomic(),
            _ => self.shared(),
        };
        self.expected.push_back((self.next, expected));
        Work { id: self.next, fence, solicited: false, operation }
    }

    fn write(&mut self) -> (Operation<Vec<u8>>, bool, Expected) {
        let length = self.length(20);
        let at = self.rng.random_range(0..=AREA_BYTES - length);
        let data = self.bytes(length);
        let fence = self.needs_fence(at, length, true);
        self.picture[at..at + length].copy_from_slice(&data);
        let va = area(self.client) + at as u64;
        for (i, bytes) in data.chunks(self.mtu.bytes()).enumerate() {
            let va = va + (i * self.mtu.bytes()) as u64;
            self.changes.push(Change::Write { va, bytes: bytes.to_vec() });
        }
        let immediate = self.rng.random_bool(0.2).then(|| self.rng.random());
        if immediate.is_some() {
            self.messages.push_back(Message { bytes: Vec::new(), immediate, by_write: true });
        }
        (Operation::Write { data, va, rkey: self.keys.own, immediate }, fence, Expected::Done)
    }

    fn read(&mut self) -> (Operation<Vec<u8>>, bool, Expected) {
        let length = self.length(20);
        let at = self.rng.random_range(0..=AREA_BYTES - length);
        self.reads.push((at, at + length));
        let expected = Expected::Bytes(self.picture[at..at + length].to_vec());
        let va = area(self.client) + at as u64;
        (Operation::Read { into: vec![0xee; length], va, rkey: self.keys.own }, false, expected)
    }

    fn send(&mut self) -> (Operation<Vec<u8>>, bool, Expected) {
        let length = self.length(SEND_PACKETS).min(SEND_PACKETS * self.mtu.bytes());
        let data = self.bytes(length);
        let immediate = self.rng.random_bool(0.3).then(|| self.rng.random());
        self.messages.push_back(Message { bytes: data.clone(), immediate, by_write: false });
        (Operation::Send { data, immediate }, self.rng.random_bool(0.1), Expected::Done)
    }

    fn atomic(&mut self) -> (Operation<Vec<u8>>, bool, Expected) {
        // Few words, so that an addition that is made twice meets others.
        let at = 8 * self.rng.random_range(0..16);
        let fence = self.needs_fence(at, 8, false);
        self.atomics.push(at);
        let (va, rkey) = (area(self.client) + at as u64, self.keys.own);
        let word = u64::from_le_bytes(self.picture[at..at + 8].try_into().expect("eight bytes"));
        let (operation, change) = if self.rng.random_bool(0.5) {
            let add = self.rng.random();
            (Operation::FetchAdd { va, rkey, add }, Atomic::FetchAdd { add })
        } else {
            let compare = if self.rng.random_bool(0.7) { word } else { self.rng.random() };
            let swap = self.rng.random();
            (Operation::CompareSwap { va, rkey, compare, swap }, Atomic::CompareSwap { compare, swap })
        };
        self.picture[at..at + 8].copy_from_slice(&change.apply(word).to_le_bytes());
        self.changes.push(Change::Atomic { va, operation: change });
        (operation, fence, Expected::Word(word))
    }

    fn shared(&mut self) -> (Operation<Vec<u8>>, bool, Expected) {
        let word = self.rng.random_range(0..SHARED_WORDS);
        self.added[word] += 1;
        let va = area(self.clients) + 8 * word as u64;
        (Operation::FetchAdd { va, rkey: self.keys.shared, add: 1 }, false, Expected::Shared(word))
    }
}
