//! Somebody who is not who he says: forged pids, requests that were listened to and come again, forged sources.
//!
//! Loopback gives every source away, and the system lets nobody forge one without privileges. What a forged source would send
//! leaves from the source's own socket here: the board cannot tell the difference.
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use mneme_tests::figures::{Bound, Table};
use mneme_wire::payload::{Alloc, OpenRequest, RangeRights};
use mneme_wire::{NodeCounter, Opcode, Rights, Status};

use crate::board::{Board, Kind};
use crate::contest::exactly;
use crate::report::{Report, Tagged};
use crate::stranger::{Stranger, bytes};
use crate::{ATTACKER, Options, VICTIM, wrap};

/// Copies of a request that was listened to.
const COPIES: u64 = 16;
/// How long their answers may take.
const ANSWER: Duration = Duration::from_millis(500);

/// What a stranger asks in the name of another's process: opcode, address, length, payload.
pub fn of_another(va: u64, page: u64) -> [(Opcode, u64, u16, Vec<u8>); 5] {
    let protect = RangeRights { size: page, rights: Rights::READ_WRITE };
    [
        (Opcode::Read, va, 8, Vec::new()),
        (Opcode::Write, va, 0, vec![0xee; 8]),
        (Opcode::Protect, va, 0, protect.to_bytes().to_vec()),
        (Opcode::Free, va, 0, RangeRights::default().to_bytes().to_vec()),
        (Opcode::Exit, 0, 0, Vec::new()),
    ]
}

struct Scene {
    victim: Stranger,
    attacker: Stranger,
    pid: u32,
    va: u64,
}

impl Scene {
    fn new(board: &Board) -> Result<Scene> {
        let (mut victim, attacker) =
            (Stranger::at(VICTIM, board.address()?)?, Stranger::at(ATTACKER, board.address()?)?);
        let pid = victim.open()?;
        let va = victim.alloc(pid, 1)?;
        Ok(Scene { victim, attacker, pid, va })
    }
    fn word(&mut self) -> Result<u64> {
        let answer = self.victim.must(Opcode::Read, self.pid, self.va, 8, &[])?;
        Ok(answer.payload.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)))
    }
    fn write(&mut self, value: u64) -> Result<()> {
        self.victim.must(Opcode::Write, self.pid, self.va, 0, &value.to_le_bytes()).map(drop)
    }
    /// Sends copies of a packet from the victim's source, and takes the answers.
    fn replay(&mut self, packet: &[u8]) -> Result<u64> {
        let mut answered = 0;
        for _ in 0..COPIES {
            self.victim.send(packet)?;
            answered += u64::from(self.victim.answer(ANSWER)?.is_some());
        }
        Ok(answered)
    }
    /// One that is answered, and its bytes: what somebody on the way has listened to.
    fn heard(&mut self, opcode: Opcode, va: u64, payload: &[u8]) -> Result<Vec<u8>> {
        let request = self.victim.request(opcode, self.pid, va, payload.len() as u16);
        let packet = bytes(&request, payload);
        for _ in 0..COPIES {
            self.victim.send(&packet)?;
            while let Some(answer) = self.victim.answer(ANSWER)? {
                if answer.response.op_id == request.op_id && answer.is_ok() {
                    return Ok(packet);
                }
            }
        }
        anyhow::bail!("{} was not answered OK", opcode.name())
    }
}

/// What must hold today.
fn goals(scene: &mut Scene, report: &mut Report) -> Result<()> {
    let named = report.named();
    let mut none = |what: &str, count: u64| {
        report.figures.goals.push(exactly(format!("{named}: {what}"), Bound::AtMost(0.0), "", count as f64));
    };
    let (pid, va) = (scene.pid, scene.va);
    let guessed = OpenRequest { join: true, token: [0x11; 16], ..OpenRequest::default() };
    let answer = scene.attacker.ask(Opcode::Open, pid, 0, 0, &guessed.to_bytes())?;
    none("joins with a guessed token", u64::from(answer.status() != Status::Denied));

    let write = scene.heard(Opcode::Write, va, &1u64.to_le_bytes())?;
    scene.write(2)?;
    scene.replay(&write)?;
    none("replayed WRITEs executed inside the window", u64::from(scene.word()? != 2));

    scene.write(10)?;
    let add = scene.heard(Opcode::FetchAdd, va, &1u64.to_le_bytes())?;
    scene.replay(&add)?;
    none("replayed FETCH_ADDs executed inside the window", scene.word()?.wrapping_sub(11));

    let before = scene.victim.node_counter(NodeCounter::Ranges)?;
    let payload = Alloc::request(scene.victim.page_size(), Rights::READ_WRITE).to_bytes();
    let alloc = scene.heard(Opcode::Alloc, 0, &payload)?;
    scene.replay(&alloc)?;
    none(
        "replayed ALLOCs executed",
        scene.victim.node_counter(NodeCounter::Ranges)?.saturating_sub(before + 1),
    );

    let info = scene.victim.info;
    let window = Duration::from_nanos(u64::from(info.window) * u64::from(info.ns_per_tick));
    scene.write(3)?;
    let late = scene.heard(Opcode::Write, va, &4u64.to_le_bytes())?;
    scene.write(5)?;
    // A simulated board's tick may lag behind the clock.
    let past = info.window * 5 / 4;
    let began = scene.victim.tick();
    for _ in 0..100 {
        scene.victim.must(Opcode::Ping, 0, 0, 0, &[0; mneme_wire::payload::BoardInfo::LEN])?;
        if scene.victim.tick().since(began) > past as i32 {
            break;
        }
        std::thread::sleep(window / 8);
    }
    ensure!(scene.victim.tick().since(began) > past as i32, "the board's tick does not move");
    scene.replay(&late)?;
    none("replayed WRITEs executed past the window", u64::from(scene.word()? != 5));
    Ok(())
}

/// What nothing but tags can refuse.
fn facts(scene: &mut Scene, table: &mut Table, report: &mut Report) -> Result<()> {
    let named = report.named();
    let (pid, va, page) = (scene.pid, scene.va, scene.victim.page_size());
    let mut tell = |what: &str, measured: String| {
        table.rows.push(vec![what.into(), measured.as_str().into()]);
        report.needs_tags.push(Tagged { name: format!("{named}: {what}"), measured });
    };
    scene.write(6)?;
    let write = scene.heard(Opcode::Write, va, &7u64.to_le_bytes())?;
    scene.write(8)?;
    scene.attacker.send(&write)?;
    scene.attacker.answer(ANSWER)?;
    let again = scene.word()? == 7;
    tell("replayed WRITE from another address", if again { "executed again" } else { "not executed" }.into());

    // The next operation id of a client is one more than its last.
    let next = scene.victim.request(Opcode::Write, pid, va + 64, 8);
    scene.victim.send(&bytes(&next, &[0; 8]))?;
    scene.victim.answer(ANSWER)?;
    let own = mneme_wire::Request { va: mneme_wire::Va::from_low_bits(va), ..next };
    scene.victim.send(&bytes(&own, &9u64.to_le_bytes()))?;
    let answer = scene.victim.answer(ANSWER)?.context("no answer")?;
    tell(
        "forged source takes the victim's next operation id",
        format!("the victim's is answered {}", answer.words()),
    );

    for (opcode, va, length, payload) in of_another(va, page) {
        let answer = scene.attacker.ask(opcode, pid, va, length, &payload)?;
        tell(&format!("{} of another's process", opcode.name()), format!("answered {}", answer.words()));
    }
    Ok(())
}

pub fn measure(_options: &Options, kind: Kind) -> Result<Report> {
    let board = Board::start(kind);
    let mut scene = Scene::new(&board)?;
    let mut report = Report::new(
        "stranger",
        kind,
        format!("forged pids, sources and tokens; {COPIES} copies of what was listened to"),
    );
    let mut table = Table::new("What a board without tags cannot tell apart", &["what", "measured"]);
    goals(&mut scene, &mut report)?;
    facts(&mut scene, &mut table, &mut report)?;
    board.end()?;
    let wrapped = wrap::replay(kind)?;
    table.rows.push(vec!["replayed WRITE, a wrap of the tick later".into(), wrapped.as_str().into()]);
    let name = format!("{}: replayed WRITE, a wrap of the tick later", report.named());
    report.needs_tags.push(Tagged { name, measured: wrapped });
    report.figures.tables.push(table);
    Ok(report)
}
