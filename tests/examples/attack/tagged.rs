//! What a board with tags refuses: the same forgeries that a board without them serves.
//!
//! The victim is a client of CLib, to which somebody on the way listens; what a forged source would send leaves from the
//! victim's own socket.
use anyhow::{Result, ensure};
use mneme_clib::{AllocOptions, Client, ClientOptions, OpenOptions, Process, UdpDriver};
use mneme_tests::figures::{Bound, Table};
use mneme_tests::rig::in_process::SoftKeyed;
use mneme_tests::rig::sealed::Tagged;
use mneme_tests::rig::udp::Udp;
use mneme_tests::rig::{Config, Rig};
use mneme_tests::tapped::{Tap, Tapped};
use mneme_wire::payload::SECURE_OPEN_LEN;
use mneme_wire::{Opcode, Packet, Pid, Request, Status, Tick, Trailer, Va};
use std::net::SocketAddrV4;
use std::time::Duration;

use crate::board::{Board, Kind};
use crate::contest::exactly;
use crate::forge::of_another;
use crate::report::Report;
use crate::stranger::{Stranger, bytes};
use crate::{ATTACKER, Options};

use mneme_clib::Driver as _;

/// How long an answer to somebody else's packet may take.
const ANSWER: Duration = Duration::from_millis(500);

struct Scene {
    attacker: Stranger,
    process: Process,
    tap: Tap<UdpDriver>,
    va: u64,
}

impl Scene {
    fn new(board: SocketAddrV4) -> Result<Scene> {
        let (driver, tap) = Tapped::new(UdpDriver::connect(board)?);
        let options: ClientOptions = Tagged::<Udp<SoftKeyed>>::options();
        let process = Client::connect(driver, options)?.open(OpenOptions::default())?;
        let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
        let va = process.ralloc_with(64, whole)?;
        Ok(Scene { attacker: Stranger::at(ATTACKER, board)?, process, tap, va })
    }
    fn word(&self) -> Result<u64> {
        Ok(self.process.fetch_add(self.va, 0)?)
    }
    /// What left last.
    fn heard(&self) -> Vec<u8> {
        self.tap.heard().pop().unwrap_or_default()
    }
    /// A request under the victim's next operation id, which is one more than its last, without a tag.
    fn next(&self, opcode: Opcode, va: u64, length: u16) -> Result<Request> {
        let last = Packet::new_checked(self.heard())?;
        Ok(Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: self.attacker.info.epoch,
            pid: Pid::from_low_bits(if opcode == Opcode::Open { 0 } else { self.process.pid() }),
            op_id: last.op_id().wrapping_add(1),
            attempt: 0,
            time: Tick::from_low_bits(last.time().get()),
            va: Va::from_low_bits(va),
            length,
        })
    }
    /// Sends from the victim's own socket; answers are the victim's to judge.
    fn forge(&self, datagram: &[u8]) -> Result<()> {
        let mut driver = self.tap.driver();
        driver.send(datagram.len(), &mut |frame| frame.copy_from_slice(datagram))?;
        Ok(driver.flush()?)
    }
}

/// Names what was served though it should not, and counts it.
fn counted(scene: &mut Scene) -> Result<Vec<(&'static str, f64)>> {
    let (pid, va) = (scene.process.pid(), scene.va);
    let mut rows = Vec::new();
    scene.process.rwrite(va, &7u64.to_le_bytes())?;
    let write = scene.heard();
    scene.process.rwrite(va, &8u64.to_le_bytes())?;
    scene.attacker.send(&write)?;
    let answer = scene.attacker.answer(ANSWER)?;
    ensure!(answer.is_some(), "a copy from elsewhere was not answered");
    rows.push(("replayed WRITEs from another address executed", f64::from(scene.word()? != 8)));

    scene.forge(&bytes(&scene.next(Opcode::Write, va + 8, 8)?, &[0xee; 8]))?;
    let taken = scene.process.rwrite(va, &9u64.to_le_bytes()).is_err();
    let mut words = [0; 16];
    scene.process.rread(va, &mut words)?;
    rows.push(("the victim's operations that end as CONFLICT", f64::from(taken)));
    rows.push(("forged WRITEs of the victim's source executed", f64::from(words[8..] != [0; 8])));
    // OPENs alone reach the slow path without a tag.
    let nobody = [0xee; SECURE_OPEN_LEN];
    scene.forge(&bytes(&scene.next(Opcode::Open, 0, SECURE_OPEN_LEN as u16)?, &nobody))?;
    let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
    let taken = scene.process.ralloc_with(64, whole).is_err();
    rows.push(("the victim's ALLOCs that end as CONFLICT", f64::from(taken)));

    let mut served = 0;
    for (opcode, va, length, payload) in of_another(va, scene.attacker.page_size()) {
        let answer = scene.attacker.ask(opcode, pid, va, length, &payload)?;
        served += u32::from(answer.status() != Status::Unauthenticated);
    }
    rows.push(("requests with a forged pid not refused, of 5", f64::from(served)));
    rows.push(("words that are not what the victim wrote", f64::from(scene.word()? != 9)));

    let read = scene.attacker.request(Opcode::Read, pid, va, 1_400);
    scene.attacker.send(&bytes(&read, &[]))?;
    let answered = scene.attacker.datagram(ANSWER)?.map_or(0, |answer| answer.len());
    rows.push(("READ by who knows the pid, bytes of answer over bytes of request", answered as f64 / 22.0));
    Ok(rows)
}

pub fn measure(_options: &Options, kind: Kind) -> Result<Report> {
    let about = "forgeries and replays on a board that asks for tags; the victim is a client of CLib";
    let mut report = Report::new("tagged", kind, about);
    let board = Board::keyed(kind, Config::Sim);
    let mut scene = Scene::new(board.address()?)?;
    let mut table = Table::new("What a board that asks for tags refuses", &["what", "measured"]);
    let named = report.named();
    for (what, measured) in counted(&mut scene)? {
        table.rows.push(vec![what.into(), measured.into()]);
        let most = if what.starts_with("READ") { 1.0 } else { 0.0 };
        report.figures.goals.push(exactly(format!("{named}: {what}"), Bound::AtMost(most), "", measured));
    }
    report.figures.tables.push(table);
    Ok(report)
}
