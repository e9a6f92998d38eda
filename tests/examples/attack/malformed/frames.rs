//! Damaged frames on boards in this process, as many boards at a time as there are processors. A board takes a bounded number of
//! them, and its seed follows from the run's: how many processors there are changes nothing.
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{available_parallelism, scope};

use anyhow::{Context, Result, anyhow};
use mneme_model::Network;
use mneme_model::port::NetworkPort;
use mneme_slowpath::FastPath;
use mneme_tests::damage::{Balance, Damage};
use mneme_tests::rig::Config;
use mneme_tests::rig::in_process::{BoardKind, Rtl, network};
use mneme_wire::frame::{MNEME_OFFSET, UdpFrame};
use mneme_wire::{Counter, NodeCounter, Pid, Register, Request, Tick};
use rand::Rng;

use crate::inside::Inside;
use crate::stranger::bytes;

/// Frames that one board takes at most, on the software board and on the RTL.
const OF_A_BOARD: [u64; 2] = [1_000_000, 50_000];
/// Cycles that a frame has on the board before the next one, on the software board and on the RTL, and all of them at the end.
const CYCLES: [u64; 2] = [2_000, 48];
const LAST_CYCLES: u64 = 200_000;
/// What an honest page holds.
const HONEST: u64 = 0x0123_4567_89ab_cdef;

/// What became of frames on all boards.
#[derive(Default)]
pub struct Sum {
    pub balance: Balance,
    /// Frames that nothing tells of, board by board.
    pub missing: u64,
    pub boards: u64,
    /// Honest pages that hold something else afterwards.
    pub changed: u64,
}

/// Damaged frames on a board of its own.
fn on_network<F: FastPath + NetworkPort>(
    network: &Network<F>,
    seed: u64,
    count: u64,
    cycles: u64,
) -> Result<(Balance, bool)> {
    let (mut honest, mut attacker) = (Inside::new(network.attach())?, Inside::new(network.attach())?);
    honest.write(HONEST)?;
    let mut damage = Damage::new(seed, attacker.pid, attacker.va);
    let tick_log2 = network.with_node(|node| node.fast().read_register(Register::TickLog2));
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
            // What nothing else is wrong with comes in time.
            attacker.info.tick = Tick::from_low_bits((node.fast().cycles() >> tick_log2) as u32).get();
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

/// So many damaged frames, on as many boards as they need.
pub fn on_boards<K: BoardKind>(seed: u64, count: u64) -> Result<Sum> {
    let [soft, rtl] = [0, 1].map(|kind| (OF_A_BOARD[kind], CYCLES[kind]));
    let (most, cycles) = if K::NUMBER == Rtl::NUMBER { rtl } else { soft };
    let boards = count.div_ceil(most);
    let next = AtomicU64::new(0);
    let work = || -> Result<Sum> {
        let mut sum = Sum::default();
        loop {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            if nth >= boards {
                return Ok(sum);
            }
            let network = network(K::reset(Config::Small), K::NUMBER, Config::Small);
            let seed = seed.wrapping_add(nth.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let (balance, kept) = on_network(&network, seed, most.min(count - nth * most), cycles)
                .with_context(|| format!("board {nth} of seed {seed}"))?;
            let missing = balance.missing();
            sum.add(&Sum { balance, missing, boards: 1, changed: u64::from(!kept) });
        }
    };
    scope(|scope| {
        let threads = available_parallelism().map_or(1, NonZero::get);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut all = Sum::default();
        for thread in threads {
            all.add(&thread.join().map_err(|_| anyhow!("a board's thread panicked"))??);
        }
        Ok(all)
    })
}

impl Sum {
    fn add(&mut self, other: &Sum) {
        let (all, one) = (&mut self.balance, &other.balance);
        all.received += one.received;
        all.dropped += one.dropped;
        all.answered += one.answered;
        all.slow += one.slow;
        all.panics += one.panics;
        self.missing += other.missing;
        self.boards += other.boards;
        self.changed += other.changed;
    }
}
