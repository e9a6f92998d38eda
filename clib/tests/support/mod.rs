//! A board, or two, a network that loses, doubles, delays and reorders, and virtual time.

pub mod board;
pub mod narrow;

pub use board::{Board, MEMORY, Mood, PAGE};
use mneme_clib::driver::Take;
use mneme_clib::{Client, ClientOptions, Driver, DriverError, TransportConfig};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the network does to a datagram; shares of 1.
#[derive(Debug, Clone, Copy)]
pub struct Faults {
    pub loss: f64,
    pub doubling: f64,
    /// Datagrams that take `late` instead of `delay`.
    pub lateness: f64,
    pub delay: (Duration, Duration),
    pub late: (Duration, Duration),
}

impl Default for Faults {
    fn default() -> Self {
        let us = Duration::from_micros;
        Faults { loss: 0.0, doubling: 0.0, lateness: 0.0, delay: (us(2), us(5)), late: (us(500), us(3_000)) }
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Flying {
    arrives: Duration,
    number: u64,
    to_board: bool,
    /// Which board's; the first one's is 0.
    of: usize,
    bytes: Vec<u8>,
}

pub struct World {
    pub now: Duration,
    pub board: Board,
    /// Another board, which [`Second`] reaches.
    pub second: Board,
    pub faults: Faults,
    pub sent: u64,
    /// The longest that the client has asked the driver to wait: nobody else has the client meanwhile.
    pub longest_wait: Duration,
    /// Bytes put in front of the client's next receives, for hostile content.
    pub forged: Vec<Vec<u8>>,
    rng: ChaCha8Rng,
    flying: BinaryHeap<Reverse<Flying>>,
    /// What has come from the other board while one was waited for.
    inboxes: [VecDeque<Vec<u8>>; 2],
    number: u64,
}

impl World {
    pub fn new(seed: u64) -> Self {
        World {
            now: Duration::from_millis(3),
            board: Board::new(),
            second: Board::numbered(0x2b0a2d),
            faults: Faults::default(),
            sent: 0,
            longest_wait: Duration::ZERO,
            forged: Vec::new(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            flying: BinaryHeap::new(),
            inboxes: Default::default(),
            number: 0,
        }
    }
    fn throw(&mut self, (to_board, of): (bool, usize), bytes: &[u8]) {
        let copies = 1 + usize::from(self.rng.random_bool(self.faults.doubling));
        for _ in 0..copies {
            if self.rng.random_bool(self.faults.loss) {
                continue;
            }
            let late = self.rng.random_bool(self.faults.lateness);
            let (from, to) = if late { self.faults.late } else { self.faults.delay };
            let arrives = self.now + self.rng.random_range(from..=to);
            self.number += 1;
            self.flying.push(Reverse(Flying {
                arrives,
                number: self.number,
                to_board,
                of,
                bytes: bytes.to_vec(),
            }));
        }
    }
    pub fn send(&mut self, bytes: &[u8]) {
        self.send_to(0, bytes);
    }
    pub fn send_to(&mut self, of: usize, bytes: &[u8]) {
        self.sent += 1;
        self.throw((true, of), bytes);
    }
    /// A board takes a datagram.
    fn handle(&mut self, of: usize, bytes: &[u8]) {
        let board = if of == 0 { &mut self.board } else { &mut self.second };
        if let Some(answer) = board.handle(self.now, bytes) {
            self.throw((false, of), &answer);
        }
    }
    /// Lets time pass until a datagram of the first board reaches the client, or until `until`.
    pub fn receive(&mut self, until: Duration) -> Option<Vec<u8>> {
        self.receive_from(0, until)
    }
    pub fn receive_from(&mut self, of: usize, until: Duration) -> Option<Vec<u8>> {
        if let Some(bytes) = self.forged.pop() {
            return Some(bytes);
        }
        if let Some(bytes) = self.inboxes[of].pop_front() {
            return Some(bytes);
        }
        while let Some(Reverse(next)) = self.flying.peek() {
            if next.arrives > until {
                break;
            }
            let Reverse(next) = self.flying.pop().unwrap();
            self.now = self.now.max(next.arrives);
            match (next.to_board, next.of == of) {
                (true, _) => self.handle(next.of, &next.bytes),
                (false, true) => return Some(next.bytes),
                (false, false) => self.inboxes[next.of].push_back(next.bytes),
            }
        }
        self.now = self.now.max(until);
        None
    }
    /// Lets time pass while no client runs: what reaches it waits there.
    pub fn pass(&mut self, span: Duration) {
        let end = self.now + span;
        let mut waiting = Vec::new();
        while self.flying.peek().is_some_and(|Reverse(next)| next.arrives <= end) {
            let Reverse(next) = self.flying.pop().unwrap();
            if !next.to_board {
                waiting.push(Reverse(next));
                continue;
            }
            self.now = self.now.max(next.arrives);
            self.handle(next.of, &next.bytes);
        }
        self.flying.extend(waiting);
        self.now = end;
    }
    /// Everything under way arrives, whatever it does.
    pub fn settle(&mut self) {
        while let Some(Reverse(next)) = self.flying.pop() {
            self.now = self.now.max(next.arrives);
            if next.to_board {
                let board = if next.of == 0 { &mut self.board } else { &mut self.second };
                board.handle(self.now, &next.bytes);
            }
        }
    }
}

/// A world that a test and a client's driver share.
#[derive(Clone)]
pub struct Shared(pub Arc<Mutex<World>>);

impl Shared {
    pub fn new(seed: u64) -> Self {
        Shared(Arc::new(Mutex::new(World::new(seed))))
    }
    pub fn with<T>(&self, change: impl FnOnce(&mut World) -> T) -> T {
        change(&mut self.0.lock().unwrap())
    }
    pub fn mood(&self, moods: impl IntoIterator<Item = Mood>) {
        self.with(|world| world.board.moods = moods.into_iter().collect());
    }
    pub fn options() -> ClientOptions {
        ClientOptions { transport: TransportConfig::board_time(), seed: Some(1), ..ClientOptions::default() }
    }
    pub fn client(&self) -> Client {
        Client::connect(self.clone(), Shared::options()).expect("the board answers")
    }
}

impl Driver for Shared {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        let mut datagram = vec![0; length];
        fill(&mut datagram);
        self.with(|world| world.send(&datagram));
        Ok(())
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        let received = self.with(|world| {
            // A look takes time, too.
            let until = world.now + wait.max(Duration::from_nanos(100));
            world.longest_wait = world.longest_wait.max(wait);
            world.receive(until)
        });
        received.iter().for_each(|bytes| take(self.now(), bytes));
        Ok(usize::from(received.is_some()))
    }
    fn now(&self) -> Duration {
        self.with(|world| world.now)
    }
    fn max_datagram(&self) -> usize {
        9_000
    }
    fn peer(&self) -> String {
        "virtual board".into()
    }
}

/// The way to the world's second board.
pub struct Second(pub Shared);

impl Driver for Second {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        let mut datagram = vec![0; length];
        fill(&mut datagram);
        self.0.with(|world| world.send_to(1, &datagram));
        Ok(())
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        let received = self.0.with(|world| {
            let until = world.now + wait.max(Duration::from_nanos(100));
            world.receive_from(1, until)
        });
        received.iter().for_each(|bytes| take(self.now(), bytes));
        Ok(usize::from(received.is_some()))
    }
    fn now(&self) -> Duration {
        self.0.now()
    }
    fn max_datagram(&self) -> usize {
        9_000
    }
    fn peer(&self) -> String {
        "virtual board 2".into()
    }
}
