//! A hostile board: it answers every request of a client wrongly in one way, or in a way drawn for each answer. Every call ends
//! within a bound of the driver's time, with a result or an error that says what it is, and never takes more than it asked for.
//!
//! The fuzz target `client` does the same with what its input says; here each way has its name.
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mneme_clib::driver::{Driver, DriverError, Take};
use mneme_clib::{Client, ClientOptions, Error, LockOptions, OpenOptions, Process, Rights, TransportConfig};
use mneme_wire::payload::{Alloc, BoardInfo, OpenAnswer, RangeRights};
use mneme_wire::{Cause, Opcode, Packet, Request, Response, Status, Tick, Va};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Bytes of the largest payload that the board tells.
const LARGEST: u16 = 1_400;
/// Of each way to be hostile.
const SEEDS: u64 = 24;
/// What a call may take: it may wait for others that were made before it, and pass through several operations.
const PATIENCE: u32 = 600;

/// A way to be hostile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// BUSY with the longest hint, for ever.
    HugeHints,
    /// MOVED to itself, to nobody, to everywhere.
    MovedInCircles,
    /// STALE, each time with another epoch.
    Epochs,
    /// OK with another length in the header than the payload has, or than was asked for.
    Lengths,
    /// More bytes than were asked for, or fewer.
    Payloads,
    /// Answers to what nobody asked, beside the right one and instead of it.
    Strangers,
    /// Each answer many times.
    Again,
    /// Statuses and causes that are none, and those that are.
    Statuses,
    /// Impossible figures of the board: pages, windows, ticks, payloads.
    Impossible,
    /// Allocations at impossible addresses, of other sizes.
    Addresses,
    /// Ticks from anywhere.
    Ticks,
    /// Bits that flip.
    Noise,
    /// Nothing, now and then for ever.
    Silence,
}

const WAYS: [Way; 13] = [
    Way::HugeHints,
    Way::MovedInCircles,
    Way::Epochs,
    Way::Lengths,
    Way::Payloads,
    Way::Strangers,
    Way::Again,
    Way::Statuses,
    Way::Impossible,
    Way::Addresses,
    Way::Ticks,
    Way::Noise,
    Way::Silence,
];

struct Board {
    ways: Vec<Way>,
    random: ChaCha8Rng,
    now: Duration,
    answers: VecDeque<Vec<u8>>,
    /// Requests that are still answered as they should be.
    honest: u32,
    sent: u64,
}

impl Board {
    fn tick(&self) -> Tick {
        Tick::from_low_bits((self.now.as_micros() & 0xff_ffff) as u32)
    }
    fn info(&mut self, way: Option<Way>) -> BoardInfo {
        let info = BoardInfo {
            epoch: 1,
            window: 1_000,
            ns_per_tick: 1_000,
            tick: self.tick().get(),
            page_bits: 18,
            max_payload: LARGEST,
            memory: 1 << 30,
            ..BoardInfo::default()
        };
        if way != Some(Way::Impossible) {
            return info;
        }
        let any = self.random.next_u64();
        match self.random.random_range(0..6) {
            0 => BoardInfo { page_bits: any as u8, ..info },
            1 => BoardInfo { window: any as u32 >> (any % 32), ..info },
            2 => BoardInfo { ns_per_tick: [0, 1, u32::MAX][any as usize % 3], ..info },
            3 => BoardInfo { max_payload: [0, 1, 63, u16::MAX][any as usize % 4], ..info },
            4 => BoardInfo { memory: any >> (any % 64), epoch: 0, ..info },
            _ => BoardInfo { tick: any as u32, epoch: any as u8, ..info },
        }
    }
    fn carried(&mut self, request: &Request, payload: &[u8], way: Option<Way>) -> Vec<u8> {
        let info = self.info(way);
        match request.opcode {
            Opcode::Read => vec![7; usize::from(request.length)],
            Opcode::CompareSwap | Opcode::FetchAdd | Opcode::Swap => vec![0; 8],
            Opcode::Ping => info.to_bytes().to_vec(),
            Opcode::Open => OpenAnswer { pid: 1, token: [1; 16], board: info, ..OpenAnswer::default() }
                .to_bytes()
                .to_vec(),
            Opcode::Alloc => match Alloc::parse_request(payload) {
                Ok(asked) if way == Some(Way::Addresses) => {
                    let va = self.random.next_u64() >> self.random.random_range(0..64);
                    let size = [0, 1, asked.size, u64::MAX][self.random.random_range(0..4)];
                    Alloc { va, size, ..asked }.to_bytes().to_vec()
                }
                Ok(asked) => Alloc { va: 1 << 30, ..asked }.to_bytes().to_vec(),
                Err(_) => Vec::new(),
            },
            Opcode::Free | Opcode::Protect => RangeRights::default().to_bytes().to_vec(),
            Opcode::Counters => payload.to_vec(),
            _ => Vec::new(),
        }
    }
    fn serve(&mut self, datagram: &[u8]) {
        let packet = Packet::new_checked(datagram).expect("a client sends whole headers");
        let request = Request::parse(&packet).expect("a client sends well-formed requests");
        self.sent += 1;
        let way = self.ways[self.random.random_range(0..self.ways.len())];
        let way = (self.honest == 0 && self.random.random_ratio(3, 4)).then_some(way);
        self.honest = self.honest.saturating_sub(1);
        let carried = self.carried(&request, packet.payload(), way);
        let length = if request.opcode == Opcode::Write { request.length } else { carried.len() as u16 };
        let proper = [&Response::ok(&request, self.tick(), length).to_bytes()[..], &carried].concat();
        let Some(way) = way else { return self.answers.push_back(proper) };
        self.spoil(way, &request, proper);
    }
    fn refuse(&self, request: &Request, status: Status, va: u64) -> Vec<u8> {
        Response::fail(request, self.tick(), status, Va::from_low_bits(va)).to_bytes().to_vec()
    }
    fn spoil(&mut self, way: Way, request: &Request, mut proper: Vec<u8>) {
        let any = self.random.next_u64();
        let answer = match way {
            Way::HugeHints => self.refuse(request, Status::Busy, (any % 24) << 40 | u64::from(u32::MAX)),
            Way::MovedInCircles => {
                let mut moved =
                    self.refuse(request, Status::Moved, [0, 0x7f00_0001_4d4e, any][any as usize % 3]);
                moved[20..22].copy_from_slice(&(any as u16).to_be_bytes());
                moved
            }
            Way::Epochs => {
                let epoch = u64::from(Cause::Epoch.number()) << 40 | any & 0xff;
                self.refuse(request, Status::Stale, epoch)
            }
            Way::Lengths => {
                let length = [0, 1, 7, u16::MAX, any as u16][any as usize % 5];
                proper[20..22].copy_from_slice(&length.to_be_bytes());
                proper
            }
            Way::Payloads => {
                let length = self.random.random_range(0..=22 + usize::from(LARGEST));
                proper.resize(length, 0xff);
                proper
            }
            Way::Strangers => {
                let mut other = proper.clone();
                other[6..10].copy_from_slice(&(any as u32).to_be_bytes());
                self.answers.push_back(other.clone());
                if any.is_multiple_of(2) { other } else { proper }
            }
            Way::Again => {
                self.answers.extend(std::iter::repeat_n(proper.clone(), 1 + any as usize % 40));
                proper
            }
            Way::Statuses => {
                let mut answer = self.refuse(request, Status::Busy, any & 0xff_00ff_ffff_ffff);
                answer[2] = any as u8;
                answer
            }
            Way::Impossible | Way::Addresses => proper,
            Way::Ticks => {
                proper[11..14].copy_from_slice(&any.to_be_bytes()[5..]);
                proper
            }
            Way::Noise => {
                for _ in 0..1 + any % 4 {
                    let at = self.random.random_range(0..proper.len());
                    proper[at] ^= 1 << self.random.random_range(0..8);
                }
                proper
            }
            Way::Silence => return,
        };
        self.answers.push_back(answer);
    }
}

#[derive(Clone)]
struct Hostile(Arc<Mutex<Board>>);

impl Hostile {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Driver for Hostile {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        let mut frame = vec![0; length];
        fill(&mut frame);
        self.board().serve(&frame);
        Ok(())
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        let mut board = self.board();
        board.now += Duration::from_micros(2);
        let answer = board.answers.pop_front();
        board.now += if answer.is_none() { wait } else { Duration::ZERO };
        let now = board.now;
        drop(board);
        answer.iter().for_each(|bytes| take(now, bytes));
        Ok(usize::from(answer.is_some()))
    }
    fn now(&self) -> Duration {
        self.board().now
    }
    fn max_datagram(&self) -> usize {
        22 + usize::from(LARGEST)
    }
    fn peer(&self) -> String {
        "a hostile board".into()
    }
}

/// One call of each kind.
fn calls(process: &Process, number: u64) -> Result<(), Error> {
    let va = 1 << 30;
    let mut into = vec![0; 3_000];
    match number % 12 {
        0 => process.rread(va, &mut into),
        1 => process.rwrite(va + 5, &into),
        2 => process.fetch_add(va, 1).map(drop),
        3 => process.compare_swap(va, 0, 1).map(drop),
        4 => process.ralloc(300_000).map(drop),
        5 => process.rfree(va),
        6 => process.rfence(),
        7 => {
            let token = process.rlock(va, LockOptions::within(Duration::from_millis(2)))?;
            process.runlock(token).map_err(|error| *error.error)
        }
        8 => process.rread_async(va, &mut into).wait().map(drop),
        9 => {
            drop(process.rwrite_async(va, &into));
            process.rrelease()
        }
        10 => process.rprotect(va, 1 << 18, Rights::READ_ONLY),
        _ => process.ralloc_zeroed(64).map(drop),
    }
}

/// Calls against a board; how many of them ended with an error.
fn suffer(ways: &[Way], seed: u64) -> u64 {
    // A third of the boards is hostile from the first word on.
    let honest = if seed.is_multiple_of(3) { 0 } else { 4 };
    let board = Board {
        ways: ways.to_vec(),
        random: ChaCha8Rng::seed_from_u64(seed),
        now: Duration::from_millis(1),
        answers: VecDeque::new(),
        honest,
        sent: 0,
    };
    let hostile = Hostile(Arc::new(Mutex::new(board)));
    let transport = TransportConfig::board_time();
    let patience = PATIENCE * transport.give_up;
    let options = ClientOptions { transport, seed: Some(seed), ..ClientOptions::default() };
    let mut errors = 0;
    let mut told = |result: Result<(), Error>| {
        if let Err(error) = result {
            assert!(!error.to_string().is_empty() && !error.id().title().is_empty());
            errors += 1;
        }
    };
    let opened = Client::connect(hostile.clone(), options)
        .and_then(|client| Ok((client.open(OpenOptions { lease: None, ..OpenOptions::default() })?, client)));
    match opened {
        Ok((process, client)) => {
            for number in 0..24 {
                let before = hostile.now();
                told(calls(&process, number));
                let took = hostile.now() - before;
                assert!(took <= patience, "{ways:?}, seed {seed}: call {number} took {took:?}");
            }
            told(client.counters(0, 3).map(drop));
            told(process.exit().map_err(Error::from));
        }
        Err(error) => told(Err(error)),
    }
    let sent = hostile.board().sent;
    assert!(sent < 2_000_000, "{ways:?}, seed {seed}: {sent} packets");
    errors
}

#[test]
fn in_one_way() {
    for way in WAYS {
        let errors: u64 = (1..=SEEDS).map(|seed| suffer(&[way], seed)).sum();
        // An answer that comes again, or beside one that nobody asked for, harms nobody.
        assert!(errors > 0 || way == Way::Again, "{way:?} was never noticed");
    }
}

#[test]
fn in_all_ways() {
    let errors: u64 = (1..=crate::many(10 * SEEDS)).map(|seed| suffer(&WAYS, seed)).sum();
    assert!(errors > 0);
}
