//! WRITEs with fresh ids: each takes a place of the retry filter for a window.
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use mneme_wire::Opcode;

use crate::board::{Board, Kind};
use crate::contest::{Attack, Did, contest, drain};
use crate::honest::Work;
use crate::report::Report;
use crate::stranger::Stranger;
use crate::{ATTACKER, Options};

/// Ports of the one address.
const PORTS: usize = 64;
/// WRITEs that a port has under way.
const EACH: u64 = 4;
/// Looks without any answer after which what is under way counts as lost.
const FRUITLESS: u32 = 200;
const RATE: f64 = 0.9;

struct Fill;

struct State {
    ports: Vec<Stranger>,
    pid: u32,
    va: u64,
}

impl Attack for Fill {
    type State = State;
    const ELSEWHERE: bool = true;
    fn prepare(&self, board: &Board) -> Result<State> {
        let address = board.address()?;
        let mut ports = (0..PORTS).map(|_| Stranger::at(ATTACKER, address)).collect::<Result<Vec<_>>>()?;
        let pid = ports[0].open()?;
        let va = ports[0].alloc(pid, 1)?;
        ports[0].must(Opcode::Write, pid, va, 0, &[1; 8])?;
        Ok(State { ports, pid, va })
    }
    fn attack(&self, state: &mut State, stop: &AtomicBool) -> Result<Did> {
        let (mut did, mut under_way, mut fruitless) = (Did::default(), vec![0; PORTS], 0);
        while !stop.load(Ordering::Relaxed) {
            let mut any = false;
            for (port, under_way) in state.ports.iter_mut().zip(&mut under_way) {
                while *under_way < EACH {
                    let packet = port.packet(Opcode::Write, state.pid, state.va, &did.sent.to_le_bytes());
                    port.send(&packet)?;
                    (did.sent, *under_way) = (did.sent + 1, *under_way + 1);
                }
                let here = drain(port)?;
                any |= here > 0;
                (did.answered, *under_way) = (did.answered + here, under_way.saturating_sub(here));
            }
            fruitless = if any { 0 } else { fruitless + 1 };
            if fruitless > FRUITLESS {
                under_way.fill(0);
                fruitless = 0;
            }
            if !any {
                std::thread::yield_now();
            }
        }
        Ok(did)
    }
}

pub fn measure(options: &Options, kind: Kind) -> Result<Report> {
    let contest = contest(options, kind, options.time(), &Fill)?;
    let about = format!(
        "WRITEs with fresh ids from {PORTS} ports of one address, {EACH} under way at each; {}",
        contest.attacker()
    );
    let mut report = Report::new("filter-fill", kind, about);
    let named = report.named();
    report.figures.tables.push(contest.table("Honest clients beside a full retry filter"));
    // Before it is known that it is not alone the flood fills sets, and a WRITE that meets two of them waits: figures of WRITEs are
    // for the long form, which has the goal.
    match options.short && kind.is_slow() {
        true => contest.gross_of(&[Work::Read, Work::Alloc], options, &named, &mut report.figures),
        false => contest.gross(options, &named, &mut report.figures),
    }
    if !options.short {
        contest.rate(Work::Write, RATE, &named, &mut report.figures);
    }
    Ok(report)
}
