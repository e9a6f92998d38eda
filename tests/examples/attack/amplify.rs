//! Bytes of answers over bytes of requests: what a board would do to somebody whose address a request has forged.
use std::time::Duration;

use anyhow::{Context, Result};
use mneme_tests::figures::{Bound, Cell, Table};
use mneme_wire::frame::MNEME_OFFSET;
use mneme_wire::payload::{Alloc, BoardInfo, CountersRequest, OpenRequest, ProcessesRequest, RangeRights};
use mneme_wire::{HEADER_LEN, Opcode, Pid, Request, Rights};

use crate::board::{Board, Kind};
use crate::contest::exactly;
use crate::report::{Report, Tagged};
use crate::stranger::{Stranger, bytes};
use crate::{ATTACKER, Options};

/// Bytes of the shortest frame without its check sequence, and of that.
const SHORTEST: usize = 60;
const FCS: usize = 4;
/// How long an answer is waited for, and others after it.
const FIRST: Duration = Duration::from_millis(300);
const FURTHER: Duration = Duration::from_millis(2);
/// A process that nobody has opened.
const NOBODY: u32 = 0xa_bcde;

/// Bytes of the frame that carries a datagram.
fn on_the_wire(datagram: usize) -> usize {
    (MNEME_OFFSET + datagram).max(SHORTEST) + FCS
}

/// What a sender knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Knows {
    /// Pid and epoch: all authority that there is today.
    Pid,
    /// The epoch, which a PING tells everybody.
    Epoch,
    Nothing,
}

struct Target {
    pid: u32,
    va: u64,
}

/// Length fields and payloads of an operation, shortest and longest among them.
fn forms(stranger: &Stranger, opcode: Opcode) -> Vec<(u16, Vec<u8>)> {
    let (page, most) = (stranger.page_size(), stranger.info.max_payload);
    let with = |payload: Vec<u8>| (payload.len() as u16, payload);
    let counted = |count: u32| {
        let request = CountersRequest { first: 0, count };
        let mut payload = vec![0; request.payload_len()];
        request.emit(&[], &mut payload);
        with(payload)
    };
    match opcode {
        Opcode::Read => [1, 8, 64, 512, most].map(|length| (length, Vec::new())).into(),
        Opcode::Write => [1, usize::from(most)].map(|length| with(vec![1; length])).into(),
        Opcode::CompareSwap => vec![with(vec![0; 16])],
        Opcode::FetchAdd | Opcode::Swap => vec![with(vec![0; 8])],
        Opcode::Open => vec![with(OpenRequest::default().to_bytes().to_vec())],
        Opcode::Alloc => vec![with(Alloc::request(page, Rights::READ_WRITE).to_bytes().to_vec())],
        Opcode::Free => vec![with(RangeRights::default().to_bytes().to_vec())],
        Opcode::Protect => {
            vec![with(RangeRights { size: page, rights: Rights::READ_WRITE }.to_bytes().to_vec())]
        }
        Opcode::Ping => vec![with(vec![0; BoardInfo::LEN])],
        Opcode::Counters => [1, 64, 128].map(counted).into(),
        Opcode::Processes => [1, 16]
            .map(|count| {
                let request = ProcessesRequest { after: 0, count };
                let mut payload = vec![0; request.payload_len()];
                request.emit(None, &mut payload);
                with(payload)
            })
            .into(),
        _ => [0, 64].map(|length| with(vec![0; length])).into(),
    }
}

/// The largest answers over the request of an operation.
fn largest(stranger: &mut Stranger, target: &Target, opcode: Opcode, knows: Knows) -> Result<f64> {
    let mut worst: f64 = 0.0;
    for (length, payload) in forms(stranger, opcode) {
        let pid = if knows == Knows::Pid { target.pid } else { NOBODY };
        let pid = if matches!(opcode, Opcode::Open | Opcode::Ping) { 0 } else { pid };
        let va = match opcode {
            Opcode::Open | Opcode::Exit | Opcode::Alloc | Opcode::Ping | Opcode::Counters => 0,
            Opcode::Processes | Opcode::Fence => 0,
            _ => target.va,
        };
        let request = stranger.request(opcode, pid, va, length);
        let epoch = if knows == Knows::Nothing { request.epoch.wrapping_add(7) } else { request.epoch };
        let datagram = bytes(&Request { epoch, pid: Pid::from_low_bits(pid), ..request }, &payload);
        stranger.send(&datagram)?;
        let (mut answers, mut wait) = (0, FIRST);
        while let Some(answer) = stranger.datagram(wait)? {
            answers += on_the_wire(answer.len());
            wait = FURTHER;
        }
        worst = worst.max(answers as f64 / on_the_wire(datagram.len()) as f64);
    }
    Ok(worst)
}

pub fn measure(_options: &Options, kind: Kind) -> Result<Report> {
    let board = Board::start(kind);
    let mut stranger = Stranger::at(ATTACKER, board.address()?)?;
    let pid = stranger.open()?;
    let target = Target { pid, va: stranger.alloc(pid, 1)? };
    stranger.must(Opcode::Write, pid, target.va, 0, &[1; 64])?;
    let about = format!(
        "bytes of answers over bytes of the request, whole frames; requests of {HEADER_LEN} bytes and up"
    );
    let mut report = Report::new("amplification", kind, about);
    let named = report.named();
    let mut table = Table::new(
        "Amplification",
        &["operation", "knows nothing", "knows the epoch", "knows epoch and pid"],
    );
    // What ends the range or the process comes last.
    let last = |opcode: &Opcode| match opcode {
        Opcode::Free => 1,
        Opcode::Exit => 2,
        _ => 0,
    };
    let mut opcodes = Opcode::ALL.to_vec();
    opcodes.sort_by_key(last);
    let mut worst = [0.0f64; 3];
    let mut read = 0.0;
    for opcode in opcodes {
        let mut row: Vec<Cell> = vec![opcode.name().into()];
        for (at, knows) in [Knows::Nothing, Knows::Epoch, Knows::Pid].into_iter().enumerate() {
            let ratio = largest(&mut stranger, &target, opcode, knows)?;
            row.push(ratio.into());
            match (opcode, knows) {
                (Opcode::Read, Knows::Pid) => read = ratio,
                _ => worst[at] = worst[at].max(ratio),
            }
        }
        table.rows.push(row);
    }
    board.end().context("after odd requests")?;
    report.figures.tables.push(table);
    let most = Bound::AtMost(1.0);
    let words = ["who knows nothing", "who knows the epoch", "who knows epoch and pid, READ apart"];
    for (who, ratio) in words.into_iter().zip(worst) {
        report.figures.goals.push(exactly(format!("{named}: largest, {who}"), most, "×", ratio));
    }
    let name = format!("{named}: READ by who knows the pid");
    report.needs_tags.push(Tagged { name, measured: format!("{read:.1}×") });
    Ok(report)
}
