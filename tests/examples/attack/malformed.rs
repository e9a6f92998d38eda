//! Damaged requests and frames from a seed, while honest clients work: nothing of theirs changes, nobody panics, and every frame
//! is answered or counted under the reason why it was dropped.
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use mneme_tests::damage::{Balance, Damage};
use mneme_tests::figures::{Bound, Figures, Table};
use mneme_tests::rig::in_process::{Rtl, Soft};
use mneme_wire::{Counter, NodeCounter};

use crate::board::{Board, Kind};
use crate::contest::{Attack, Did, contest, drain, exactly};
use crate::report::Report;
use crate::stranger::Stranger;
use crate::{ATTACKER, Options};

mod frames;
use frames::Sum;

/// Requests that leave before the attacker looks for answers, and how long it then waits.
const BATCH: u64 = 32;
const PAUSE: Duration = Duration::from_millis(2);
/// Damaged frames in process, on the software board and on the RTL.
const FRAMES: [u64; 2] = [20_000, 4_000];
const FRAMES_SHORT: [u64; 2] = [2_000, 500];

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

fn tell(figures: &mut Figures, table: &mut Table, named: &str, what: &str, balance: &Balance, missing: u64) {
    table.rows.push(vec![
        what.into(),
        balance.received.into(),
        balance.answered.into(),
        balance.slow.into(),
        balance.dropped.into(),
        missing.into(),
    ]);
    let none = |words: &str, count: u64| {
        exactly(format!("{named}, {what}: {words}"), Bound::AtMost(0.0), "", count as f64)
    };
    figures.goals.push(none("frames neither answered nor counted as dropped", missing));
    figures.goals.push(none("panics of workers", balance.panics));
}

pub fn measure(options: &Options, kind: Kind) -> Result<Report> {
    let attack = Malformed { seed: options.seed, seen: Mutex::default() };
    let contest = contest(options, kind, options.time(), &attack)?;
    let [soft, rtl] = options.either(FRAMES, FRAMES_SHORT);
    let count = options.frames.unwrap_or(if kind.is_slow() { rtl } else { soft });
    let began = Instant::now();
    let Sum { balance: inside, missing, boards, changed } = match kind {
        Kind::Soft => frames::on_boards::<Soft>(options.seed, count)?,
        Kind::Rtl => frames::on_boards::<Rtl>(options.seed, count)?,
    };
    let rate = count as f64 / began.elapsed().as_secs_f64();
    let datagrams = contest.attacker();
    let about = format!(
        "damaged datagrams: {datagrams}; {count} damaged frames on {boards} boards in process, {rate:.0} a second"
    );
    let mut report = Report::new("malformed", kind, about);
    let named = report.named();
    report.figures.tables.push(contest.table("Honest clients beside damaged datagrams"));
    contest.gross(options, &named, &mut report.figures);
    let columns = ["what", "received", "answered", "to the slow path", "dropped", "missing"];
    let mut table = Table::new("Where frames went", &columns);
    let seen = attack.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (round, balance) in seen.iter().enumerate() {
        tell(
            &mut report.figures,
            &mut table,
            &named,
            &format!("datagrams, round {}", round + 1),
            balance,
            balance.missing(),
        );
    }
    tell(&mut report.figures, &mut table, &named, "frames", &inside, missing);
    let name = format!("{named}, frames: honest pages changed");
    report.figures.goals.push(exactly(name, Bound::AtMost(0.0), "", changed as f64));
    report.figures.tables.push(table);
    Ok(report)
}
