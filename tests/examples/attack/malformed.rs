//! Damaged requests and frames from a seed, while honest clients work: nothing of theirs changes, nobody panics, and every frame
//! is answered or counted under the reason why it was dropped.
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use mneme_model::Network;
use mneme_model::port::NetworkPort;
use mneme_slowpath::FastPath;
use mneme_tests::damage::{Balance, Damage};
use mneme_tests::figures::{Bound, Figures, Table};
use mneme_tests::rig::Config;
use mneme_tests::rig::in_process::{BoardKind, Rtl, Soft, network};
use mneme_wire::frame::{MNEME_OFFSET, UdpFrame};
use mneme_wire::{Counter, NodeCounter, Pid, Request};
use rand::Rng;

use crate::board::{Board, Kind};
use crate::contest::{Attack, Did, contest, drain, exactly};
use crate::inside::Inside;
use crate::report::Report;
use crate::stranger::{Stranger, bytes};
use crate::{ATTACKER, Options};

/// Requests that leave before the attacker looks for answers, and how long it then waits.
const BATCH: u64 = 32;
const PAUSE: Duration = Duration::from_millis(2);
/// Damaged frames in process, on the software board and on the RTL.
const FRAMES: [u64; 2] = [20_000, 4_000];
const FRAMES_SHORT: [u64; 2] = [2_000, 500];
/// Cycles that a frame has on the board before the next one, on the software board and on the RTL, and all of them at the end.
const CYCLES: [u64; 2] = [2_000, 200];
const LAST_CYCLES: u64 = 200_000;
/// What an honest page holds.
const HONEST: u64 = 0x0123_4567_89ab_cdef;

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
fn frames<F: FastPath + NetworkPort>(
    network: &Network<F>,
    seed: u64,
    count: u64,
    cycles: u64,
) -> Result<(Balance, bool)> {
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
                node.run(cycles);
            }
            node.run(cycles);
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
    let network = network(K::reset(Config::Small), K::NUMBER, Config::Small);
    let [soft, rtl] = CYCLES;
    frames(&network, seed, count, if K::NUMBER == Rtl::NUMBER { rtl } else { soft })
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
    let count = options.frames.unwrap_or(if kind.is_slow() { rtl } else { soft });
    let began = Instant::now();
    let (inside, kept) = match kind {
        Kind::Soft => frames_on::<Soft>(options.seed, count)?,
        Kind::Rtl => frames_on::<Rtl>(options.seed, count)?,
    };
    let rate = count as f64 / began.elapsed().as_secs_f64();
    let datagrams = contest.attacker();
    let about =
        format!("damaged datagrams: {datagrams}; {count} damaged frames in process, {rate:.0} a second");
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
