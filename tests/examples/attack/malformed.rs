//! Damaged requests and frames from a seed, while honest clients work: nothing of theirs changes, nobody panics, and every frame
//! is answered or counted under the reason why it was dropped.
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use mneme_model::Network;
use mneme_model::port::NetworkPort;
use mneme_slowpath::FastPath;
use mneme_tests::figures::{Bound, Figures, Table};
use mneme_tests::rig::Config;
use mneme_tests::rig::in_process::{BoardKind, Rtl, Soft, network};
use mneme_wire::frame::{MNEME_OFFSET, UdpFrame};
use mneme_wire::payload::{Alloc, BoardInfo, CountersRequest, OpenRequest, RangeRights};
use mneme_wire::{Counter, HEADER_LEN, NodeCounter, Opcode, Pid, Request, Rights};
use rand::seq::IndexedRandom;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::board::{Board, Kind};
use crate::contest::{Attack, Did, contest, drain, exactly};
use crate::inside::Inside;
use crate::report::Report;
use crate::stranger::{Stranger, bytes};
use crate::{ATTACKER, Options};

/// Pids from here on are nobody's: a damaged request that named an honest pid would have all authority over it.
const NOBODYS: u32 = 0x1_0000;
/// Requests that leave before the attacker looks for answers, and how long it then waits.
const BATCH: u64 = 32;
const PAUSE: Duration = Duration::from_millis(2);
/// Bytes of the longest datagram that is sent.
const LONGEST: usize = 1472;
/// Damaged frames in process, on the software board and on the RTL.
const FRAMES: [u64; 2] = [20_000, 4_000];
const FRAMES_SHORT: [u64; 2] = [2_000, 500];
/// Cycles that a frame has on the board before the next one, and all of them at the end.
const CYCLES: u64 = 2_000;
const LAST_CYCLES: u64 = 200_000;
/// What an honest page holds.
const HONEST: u64 = 0x0123_4567_89ab_cdef;

/// Where frames went.
#[derive(Debug, Clone, Copy, Default)]
struct Balance {
    received: u64,
    dropped: u64,
    answered: u64,
    /// Given to the slow path.
    slow: u64,
    panics: u64,
}

impl Balance {
    fn of(counters: &[u64], panics: u64) -> Balance {
        let get = |counter: Counter| counters.get(counter as usize).copied().unwrap_or_default();
        let statuses = Counter::StatusOk as usize..=Counter::StatusUnauthenticated as usize;
        // Frames from the network that were dropped, for whatever reason.
        let drops =
            |counter: &&Counter| counter.name().starts_with("DROP_") && **counter != Counter::DropSlowGiant;
        Balance {
            received: get(Counter::RxFrames),
            dropped: Counter::ALL.iter().filter(drops).copied().map(get).sum(),
            answered: counters.get(statuses).map_or(0, |all| all.iter().sum()),
            slow: get(Counter::SlowTx),
            panics,
        }
    }
    /// Frames that nothing tells of.
    fn missing(&self) -> u64 {
        self.received.abs_diff(self.dropped + self.answered + self.slow)
    }
}

/// Draws requests and damages them.
struct Damage {
    random: ChaCha8Rng,
    pid: u32,
    va: u64,
}

impl Damage {
    fn new(seed: u64, pid: u32, va: u64) -> Damage {
        Damage { random: ChaCha8Rng::seed_from_u64(seed), pid, va }
    }
    /// An operation and a payload that fits it.
    fn sound(&mut self, page: u64) -> (Opcode, u64, Vec<u8>) {
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
    fn damaged(&mut self, mut datagram: Vec<u8>) -> Vec<u8> {
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
    fn damaged_frame(&mut self, frame: &mut Vec<u8>) {
        for _ in 0..self.random.random_range(1..4) {
            let at = self.random.random_range(0..MNEME_OFFSET);
            frame[at] = self.random.random();
        }
        match self.random.random_range(0..8) {
            0 => frame.truncate(self.random.random_range(1..frame.len())),
            1 => frame.resize(self.random.random_range(frame.len()..2_000), 0),
            _ => {}
        }
    }
}

struct Malformed {
    seed: u64,
    seen: Mutex<Vec<Balance>>,
}

struct State {
    stranger: Stranger,
    damage: Damage,
}

impl Attack for Malformed {
    type State = State;
    fn prepare(&self, board: &Board) -> Result<State> {
        let mut stranger = Stranger::at(ATTACKER, board.address()?)?;
        let pid = stranger.open()?;
        let va = stranger.alloc(pid, 1)?;
        Ok(State { stranger, damage: Damage::new(self.seed, pid, va) })
    }
    fn attack(&self, State { stranger, damage }: &mut State, stop: &AtomicBool) -> Result<Did> {
        let mut did = Did::default();
        while !stop.load(Ordering::Relaxed) {
            let (opcode, va, payload) = damage.sound(stranger.page_size());
            let packet = stranger.packet(opcode, damage.pid, va, &payload);
            stranger.send(&damage.damaged(packet))?;
            did.sent += 1;
            if did.sent.is_multiple_of(BATCH) {
                std::thread::sleep(PAUSE);
                did.answered += drain(stranger)?;
            }
        }
        Ok(did)
    }
    fn after(&self, State { stranger, .. }: &mut State) -> Result<()> {
        // What is still under way ends first: nothing else may be on the board while its counters are compared.
        while stranger.datagram(Duration::from_millis(300))?.is_some() {}
        let panics = stranger.node_counter(NodeCounter::WorkerPanics)?;
        let counters = stranger.counters(0, Counter::ALL.len() as u32)?;
        let balance = Balance::of(&counters, panics);
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(balance);
        Ok(())
    }
}

/// Damaged frames on a board in this process.
fn frames<F: FastPath + NetworkPort>(network: &Network<F>, seed: u64, count: u64) -> Result<(Balance, bool)> {
    let (mut honest, attacker) = (Inside::new(network.attach())?, Inside::new(network.attach())?);
    honest.write(HONEST)?;
    let mut damage = Damage::new(seed, attacker.pid, attacker.va);
    for nth in 0..count {
        let (opcode, va, payload) = damage.sound(1 << attacker.info.page_bits);
        let request = Request {
            pid: Pid::from_low_bits(attacker.pid),
            op_id: 0x8000_0000 | nth as u32,
            ..attacker.header(opcode, va, payload.len() as u16)
        };
        let mut datagram = bytes(&request, &payload);
        let in_frame = nth.is_multiple_of(2);
        if !in_frame {
            datagram = damage.damaged(datagram);
        }
        let mut frame = vec![0; MNEME_OFFSET + datagram.len()];
        (UdpFrame { endpoints: attacker.port.endpoints(), datagram: &datagram }).emit(true, &mut frame)?;
        if in_frame {
            damage.damaged_frame(&mut frame);
        }
        let fcs = damage.random.random_ratio(1, 50);
        network.with_node(|node| {
            while node.fast().ingress(&frame, fcs).is_err() {
                node.run(CYCLES);
            }
            node.run(CYCLES);
            while node.poll().is_some() {}
        });
    }
    let balance = network.with_node(|node| {
        node.run(LAST_CYCLES);
        while node.poll().is_some() {}
        let counters: Vec<u64> = Counter::ALL.iter().map(|counter| node.counter(counter.number())).collect();
        let panics = node.counter(NodeCounter::WorkerPanics.number());
        Balance::of(&counters, panics)
    });
    Ok((balance, honest.read().context("the honest page")? == HONEST))
}

fn frames_on<K: BoardKind>(seed: u64, count: u64) -> Result<(Balance, bool)> {
    frames(&network(K::reset(Config::Small), K::NUMBER, Config::Small), seed, count)
}

fn tell(figures: &mut Figures, table: &mut Table, named: &str, what: &str, balance: &Balance) {
    table.rows.push(vec![
        what.into(),
        balance.received.into(),
        balance.answered.into(),
        balance.slow.into(),
        balance.dropped.into(),
        balance.missing().into(),
    ]);
    let none = |words: &str, count: u64| {
        exactly(format!("{named}, {what}: {words}"), Bound::AtMost(0.0), "", count as f64)
    };
    figures.goals.push(none("frames neither answered nor counted as dropped", balance.missing()));
    figures.goals.push(none("panics of workers", balance.panics));
}

pub fn measure(options: &Options, kind: Kind) -> Result<Report> {
    let attack = Malformed { seed: options.seed, seen: Mutex::default() };
    let contest = contest(options, kind, options.time(), &attack)?;
    let [soft, rtl] = options.either(FRAMES, FRAMES_SHORT);
    let count = if kind.is_slow() { rtl } else { soft };
    let (inside, kept) = match kind {
        Kind::Soft => frames_on::<Soft>(options.seed, count)?,
        Kind::Rtl => frames_on::<Rtl>(options.seed, count)?,
    };
    let about = format!("damaged datagrams: {}; {count} damaged frames in process", contest.attacker());
    let mut report = Report::new("malformed", kind, about);
    let named = report.named();
    report.figures.tables.push(contest.table("Honest clients beside damaged datagrams"));
    contest.gross(options, &named, &mut report.figures);
    let columns = ["what", "received", "answered", "to the slow path", "dropped", "missing"];
    let mut table = Table::new("Where frames went", &columns);
    let seen = attack.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (round, balance) in seen.iter().enumerate() {
        tell(&mut report.figures, &mut table, &named, &format!("datagrams, round {}", round + 1), balance);
    }
    tell(&mut report.figures, &mut table, &named, "frames", &inside);
    let changed = u64::from(!kept) as f64;
    let name = format!("{named}, frames: honest pages changed");
    report.figures.goals.push(exactly(name, Bound::AtMost(0.0), "", changed));
    report.figures.tables.push(table);
    Ok(report)
}
