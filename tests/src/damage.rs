//! Damaged requests and frames, from a seed, and where they went: every frame is answered or counted under the reason why
//! it was dropped.
use mneme_wire::frame::MNEME_OFFSET;
use mneme_wire::payload::{Alloc, BoardInfo, CountersRequest, OpenRequest, RangeRights};
use mneme_wire::{Counter, HEADER_LEN, Opcode, Rights};
use rand::seq::IndexedRandom;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Pids from here on are nobody's: a damaged request that named an honest pid would have all authority over it.
const NOBODYS: u32 = 0x1_0000;
/// Bytes of the longest datagram that is sent.
const LONGEST: usize = 1472;
/// Bytes of the longest frame that is sent: longer than boards take.
const LONGEST_FRAME: usize = 2_000;

/// Where frames went, by the board's own counters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Balance {
    /// Frames that reached the board.
    pub received: u64,
    /// Dropped, for whatever reason.
    pub dropped: u64,
    /// Answered by the fast path.
    pub answered: u64,
    /// Given to the slow path.
    pub slow: u64,
    /// Requests that a worker of the slow path gave up.
    pub panics: u64,
}

impl Balance {
    /// Of all [`Counter`]s in their order.
    pub fn of(counters: &[u64], panics: u64) -> Balance {
        let get = |counter: Counter| counters.get(counter as usize).copied().unwrap_or_default();
        let statuses = Counter::StatusOk as usize..=Counter::StatusUnauthenticated as usize;
        Balance {
            received: get(Counter::RxFrames),
            dropped: Self::drops().map(get).sum(),
            answered: counters.get(statuses).map_or(0, |all| all.iter().sum()),
            slow: get(Counter::SlowTx),
            panics,
        }
    }
    /// Counters of frames from the network that were dropped.
    pub fn drops() -> impl Iterator<Item = Counter> {
        let drops = |c: &Counter| c.name().starts_with("DROP_") && *c != Counter::DropSlowGiant;
        Counter::ALL.iter().copied().filter(drops)
    }
    /// Frames that nothing tells of.
    pub fn missing(&self) -> u64 {
        self.received.abs_diff(self.dropped + self.answered + self.slow)
    }
}

/// Draws requests and damages them.
pub struct Damage {
    /// Where everything comes from.
    pub random: ChaCha8Rng,
    /// The attacker's own process.
    pub pid: u32,
    /// A page of it.
    pub va: u64,
}

impl Damage {
    /// From a seed, with a process and a page of its own.
    pub fn new(seed: u64, pid: u32, va: u64) -> Damage {
        Damage { random: ChaCha8Rng::seed_from_u64(seed), pid, va }
    }
    /// An operation, an address and a payload that fits it.
    pub fn sound(&mut self, page: u64) -> (Opcode, u64, Vec<u8>) {
        let all = [Opcode::ALL, &[Opcode::Read, Opcode::Write]].concat();
        let opcode = all.choose(&mut self.random).copied().unwrap_or(Opcode::Read);
        let counters = CountersRequest { first: 0, count: 4 };
        let mut counted = vec![0; counters.payload_len()];
        counters.emit(&[], &mut counted);
        let payload = match opcode {
            Opcode::Write => vec![0x77; self.random.random_range(1..256)],
            Opcode::CompareSwap => vec![0; 16],
            Opcode::FetchAdd | Opcode::Swap => vec![1; 8],
            Opcode::Open => {
                OpenRequest { lease_ns: 1_000_000_000, ..OpenRequest::default() }.to_bytes().to_vec()
            }
            Opcode::Alloc => Alloc::request(page, Rights::READ_WRITE).to_bytes().to_vec(),
            Opcode::Free | Opcode::Protect => {
                RangeRights { size: page, rights: Rights::READ_WRITE }.to_bytes().to_vec()
            }
            Opcode::Ping => vec![0; BoardInfo::LEN],
            Opcode::Counters => counted,
            _ => Vec::new(),
        };
        (opcode, self.va + u64::from(self.random.random_range(0..64u32)) * 8, payload)
    }
    /// The same, damaged somewhere in its header, payload or length; now and then nothing but noise.
    pub fn damaged(&mut self, mut datagram: Vec<u8>) -> Vec<u8> {
        match self.random.random_range(0..6) {
            0 => {
                for _ in 0..self.random.random_range(1..5) {
                    let at = self.random.random_range(0..datagram.len().min(HEADER_LEN));
                    datagram[at] ^= 1 << self.random.random_range(0..8);
                }
            }
            1 => datagram.truncate(self.random.random_range(0..datagram.len())),
            2 => datagram.resize(self.random.random_range(datagram.len()..LONGEST), 0xff),
            3 => {
                // A whole field of the header.
                let fields = mneme_wire::header::FIELDS;
                let (_, first, length, _) = fields.choose(&mut self.random).copied().unwrap_or(fields[0]);
                let field = first as usize..(first + length) as usize;
                self.random.fill_bytes(&mut datagram[field]);
            }
            4 => {
                for byte in datagram.iter_mut().skip(HEADER_LEN) {
                    *byte ^= if self.random.random_ratio(1, 8) { self.random.random() } else { 0 };
                }
            }
            _ => {
                datagram = vec![0; self.random.random_range(0..256)];
                self.random.fill_bytes(&mut datagram);
            }
        }
        self.disown(&mut datagram);
        datagram
    }
    /// Takes pids of others out of a request.
    fn disown(&mut self, datagram: &mut [u8]) {
        let Some(field) = datagram.get_mut(3..6) else { return };
        let pid = u32::from_be_bytes([0, field[0], field[1], field[2]]);
        if pid != self.pid && pid < NOBODYS {
            field.copy_from_slice(&(pid | NOBODYS).to_be_bytes()[1..]);
        }
    }
    /// A frame with other bytes in its Ethernet, IPv4 or UDP header, or of another length.
    pub fn damaged_frame(&mut self, frame: &mut Vec<u8>) {
        for _ in 0..self.random.random_range(1..4) {
            let at = self.random.random_range(0..MNEME_OFFSET);
            frame[at] = self.random.random();
        }
        match self.random.random_range(0..8) {
            0 => frame.truncate(self.random.random_range(1..frame.len())),
            1 => frame.resize(self.random.random_range(frame.len()..LONGEST_FRAME), 0),
            _ => {}
        }
    }
}
