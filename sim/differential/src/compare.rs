//! Comparisons at checkpoints, when the board is quiet: counters, page table, memory by (pid, va).
use std::collections::HashSet;

use mneme_model::port::{BadMemory, FilterHash, NetworkPort, RegisterPort};
use mneme_model::soft::status_counter;
use mneme_slowpath::FastPath;
use mneme_wire::pte;
use mneme_wire::register::HISTOGRAM_BUCKETS;
use mneme_wire::{Counter, Mark, Register, Stage, Status};

use super::mismatch::Mismatch;
use super::pages::first_page;
use super::replay::{Replay, has_page, in_use};
use super::run::Run;

/// Counters that have the same value whatever the board's timing.
const EXACT: &[Counter] = &[
    Counter::RxFrames,
    Counter::TxFrames,
    Counter::TxDamaged,
    Counter::SlowTx,
    Counter::SlowRx,
    Counter::DropSlowGiant,
    Counter::StatusOk,
    Counter::StatusBusy,
    Counter::StatusNack,
    Counter::StatusExpired,
    Counter::StatusStale,
    Counter::StatusConflict,
    Counter::StatusUnmapped,
    Counter::StatusDenied,
    Counter::StatusBadRequest,
    Counter::StatusUnsupported,
    Counter::StatusNoMemory,
    Counter::StatusQuota,
    Counter::StatusMoved,
    Counter::StatusMemoryError,
    Counter::StatusUnauthenticated,
    Counter::FilterInsert,
    Counter::FilterReplay,
    Counter::FilterRepeat,
    Counter::FilterReopen,
    Counter::FilterPending,
    Counter::FilterConflict,
    Counter::FilterExpired,
    Counter::FilterClock,
    Counter::FilterFull,
    Counter::FilterParity,
    Counter::PageFault,
    Counter::FaultDry,
    Counter::ZeroRead,
    Counter::PteWriteBack,
    Counter::PteParity,
    Counter::TlbParity,
    Counter::ResumeExpired,
    Counter::ReplaceDone,
    Counter::ReplaceRefused,
    Counter::ZeroRefused,
    Counter::MemError,
    Counter::Atomics,
    Counter::Fences,
    Counter::ClassBusy,
    Counter::ShareBusy,
    Counter::Watchdog,
];

/// Drops that the frame itself decides. A frame lost for want of a slot is one of these less.
pub(super) const DROPS: &[Counter] = &[
    Counter::DropFcs,
    Counter::DropRunt,
    Counter::DropGiant,
    Counter::DropDisabled,
    Counter::DropForeignMac,
    Counter::DropForeignEthertype,
    Counter::DropIpHeader,
    Counter::DropIpOptions,
    Counter::DropIpChecksum,
    Counter::DropIpFragment,
    Counter::DropIpLength,
    Counter::DropForeignIp,
    Counter::DropForeignProtocol,
    Counter::DropUdpLength,
    Counter::DropForeignPort,
    Counter::DropUdpChecksum,
    Counter::DropMnemeShort,
    Counter::DropResponse,
    Counter::DropMatDrop,
    Counter::DropMatMiss,
];

/// Compares the counters; every frame that was sent must be accounted for.
pub(super) fn counters<B: FastPath + NetworkPort>(run: &mut Run<'_, B>) -> Result<(), Mismatch> {
    let Run { board, replay, .. } = run;
    // A command on a page whose entry memory did not take has it written once more.
    let commands = run.report.replaced.0 + run.report.replaced.1;
    let trials = if run.table_errors > 0 { commands } else { 0 };
    let refused = if run.table_errors > 0 { board.read_counter(Counter::PteWriteBack) } else { 0 };
    for counter in EXACT {
        let (board, model) = (board.read_counter(*counter), replay.model.counters.get(*counter));
        if *counter == Counter::PteParity && u64::from(board.abs_diff(model)) <= replay.unclear {
            continue;
        }
        let most = match counter {
            Counter::PteWriteBack => trials,
            Counter::MemError => refused.into(),
            _ => 0,
        };
        if board.checked_sub(model).is_none_or(|more| u64::from(more) > most) {
            return Err(Mismatch::new(format!("counter {counter}: board {board}, model {model}")));
        }
    }
    let translations = |hit: u32, miss: u32| hit.wrapping_add(miss);
    let of_board = translations(board.read_counter(Counter::TlbHit), board.read_counter(Counter::TlbMiss));
    let counters = &replay.model.counters;
    let of_model = translations(counters.get(Counter::TlbHit), counters.get(Counter::TlbMiss));
    if of_board != of_model {
        return Err(Mismatch::new(format!("translations: board {of_board}, model {of_model}")));
    }
    times(*board)?;
    waits(*board, replay)?;
    let mut missing = 0;
    for drop in DROPS {
        let (board, model) = (board.read_counter(*drop), replay.model.counters.get(*drop));
        if board > model {
            return Err(Mismatch::new(format!("counter {drop}: board {board}, model {model}")));
        }
        missing += u64::from(model - board);
    }
    let lost = u64::from(board.read_counter(Counter::DropIngressFull));
    let slow_full = u64::from(board.read_counter(Counter::DropSlowFull));
    let unaccounted = missing + replay.lost + replay.lost_slow;
    if unaccounted != lost + slow_full || slow_full > replay.lost_slow {
        return Err(Mismatch::new(format!(
            "{unaccounted} frames are missing ({} requests, {} slow frames), the board counted {lost} without a slot and {slow_full} without room in the slow ring",
            replay.lost, replay.lost_slow
        )));
    }
    if lost > replay.may_be_lost {
        return Err(Mismatch::new(format!(
            "the board lost {lost} frames for want of a packet slot, {} came when there may have been none",
            replay.may_be_lost
        )));
    }
    Ok(())
}

/// Compares the page table, and the contents of every page in it. Answers how many bytes.
pub(super) fn memory<B: FastPath + NetworkPort + BadMemory + RegisterPort>(
    run: &mut Run<'_, B>,
) -> Result<u64, Mismatch> {
    let geometry = run.world.geometry;
    let table = geometry.table_bytes() as usize;
    let (mut of_board, mut of_model) = (vec![0; table], vec![0; table]);
    run.board.read_memory(0, &mut of_board);
    run.replay.model.memory.read(0, &mut of_model);
    let words = of_board.as_chunks::<8>().0.iter().zip(of_model.as_chunks::<8>().0);
    let mut pages = HashSet::new();
    let mut mapped = 0;
    let mut compared = table as u64;
    for (slot, (board, model)) in words.enumerate() {
        let (board, model) = (u64::from_le_bytes(*board), u64::from_le_bytes(*model));
        let backed = board & model & pte::VALID != 0;
        let ignored = if backed { geometry.ppn_mask() | pte::PARITY } else { 0 };
        if (board ^ model) & !ignored != 0 || pte::parity_ok(board) != pte::parity_ok(model) {
            return Err(Mismatch::new(format!(
                "page table, bucket {} slot {}: board {board:#018x}, model {model:#018x}",
                slot / pte::BUCKET_ENTRIES,
                slot % pte::BUCKET_ENTRIES
            )));
        }
        let whole = run.damages.iter().fold(board, |word, (damage, _)| damage.mended(8 * slot as u64, word));
        mapped += u64::from(in_use(whole) && whole & pte::VALID != 0);
        if !in_use(board) || !has_page(board) {
            continue;
        }
        let ppn = geometry.entry_ppn(board);
        if ppn < first_page(&run.world.shape, &geometry) || !pages.insert(ppn) {
            return Err(Mismatch::new(format!("physical page {ppn} belongs to two, or to the table")));
        }
        compared += page(run, ppn, geometry.entry_ppn(model))?;
    }
    let free = run.board.read_register(Register::AsyncLevel) + run.board.read_register(Register::ZeroPending);
    let expected = run.replay.model.read_register(Register::AsyncLevel);
    if free != expected {
        return Err(Mismatch::new(format!("free pages: board {free}, model {expected}")));
    }
    let kept = run.pool.len() as u64 + run.frames.board_pages();
    conserved(run.pages, [mapped, free.into(), kept])?;
    Ok(compared + run.compare_frames(&pages)?)
}

/// No physical page is lost, and none is in two places: in the table, free or being zeroed on the board, or with the slow path.
fn conserved(pages: u64, [mapped, free, kept]: [u64; 3]) -> Result<(), Mismatch> {
    if mapped + free + kept == pages {
        return Ok(());
    }
    Err(Mismatch::new(format!(
        "of {pages} physical pages {mapped} are in the table, {free} free or being zeroed, {kept} with the slow path or the leaf unit"
    )))
}

/// The high-water marks lie within what there is, and none falls; whatever requests pass has been in use. A board without marks answers zeros.
pub(super) fn marks<B: FastPath + NetworkPort>(run: &mut Run<'_, B>) -> Result<(), Mismatch> {
    let shape = run.world.shape;
    let slots = shape.packet_slots as u64;
    let bounds = [
        (Mark::PacketSlots, slots),
        (Mark::SlowQueue, run.board.slow_places()),
        (Mark::AsyncEmpty, shape.async_depth as u64),
        (Mark::Translation, slots),
        (Mark::Memory, slots),
        (Mark::Response, slots),
    ];
    let observes = observes(run.board);
    for (at, (mark, bound)) in bounds.into_iter().enumerate() {
        let most = u64::from(run.board.read_observed(mark as u32));
        let least = u64::from(observes && !matches!(mark, Mark::SlowQueue | Mark::AsyncEmpty));
        if most > bound || most < run.marks[at].max(least) {
            let before = std::mem::replace(&mut run.marks[at], most);
            return Err(Mismatch::new(format!("{mark}: {most}, after {before}; there are {bound}")));
        }
        run.marks[at] = most;
    }
    Ok(())
}

/// Compares one page's contents.
fn page<B: FastPath + NetworkPort>(
    run: &mut Run<'_, B>,
    board_page: u64,
    model_page: u64,
) -> Result<u64, Mismatch> {
    const PART: usize = 1 << 16;
    let geometry = run.world.geometry;
    let (mut of_board, mut of_model) = (vec![0; PART], vec![0; PART]);
    for part in (0..geometry.page_size()).step_by(PART) {
        run.board.read_memory((board_page << geometry.page_bits()) + part, &mut of_board);
        run.replay.model.memory.read((model_page << geometry.page_bits()) + part, &mut of_model);
        if of_board != of_model
            && let Some(at) = (0..PART).find(|at| of_board[*at] != of_model[*at])
        {
            return Err(Mismatch::new(format!(
                "byte {:#x} of physical page {board_page} (the model's {model_page}): board {:#04x}, model {:#04x}",
                part + at as u64,
                of_board[at],
                of_model[at]
            )));
        }
    }
    Ok(geometry.page_size())
}

/// Each page fault that waited was called slow, with those behind it, and nobody where none did.
fn waits<B: FastPath>(board: &mut B, replay: &Replay) -> Result<(), Mismatch> {
    let (waited, slow) = (u64::from(board.read_counter(Counter::FaultWait)), replay.called_slow);
    if slow < waited || (slow > 0 && waited == 0) {
        return Err(Mismatch::new(format!("{slow} answers were called slow, {waited} page faults waited")));
    }
    Ok(())
}

/// Whether it keeps marks and the stages' times: the software board does not.
fn observes<B: NetworkPort>(board: &B) -> bool {
    board.filter_hash() != FilterHash::Software
}

/// Every answer is in every stage's histogram. A board without marks is the model, which knows the whole alone.
fn times<B: FastPath + NetworkPort>(board: &mut B) -> Result<(), Mismatch> {
    let answers: u32 = Status::ALL
        .iter()
        .fold(0, |sum, status| sum.wrapping_add(board.read_counter(status_counter(*status))));
    for stage in if observes(board) { Stage::ALL } else { &[Stage::Whole] } {
        let buckets = 0..HISTOGRAM_BUCKETS;
        let timed = buckets.fold(0, |sum: u32, b| sum.wrapping_add(board.read_observed(stage.bucket(b))));
        if timed != answers {
            return Err(Mismatch::new(format!("{stage}: {timed} requests timed, {answers} answered")));
        }
    }
    Ok(())
}
