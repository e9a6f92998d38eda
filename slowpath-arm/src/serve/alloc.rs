//! ALLOC.
use super::{Gone, Job, Served, free_pages, run_all, table_refusal};
use crate::core::Core;
use crate::planted::PlantedFault;
use crate::refusal::{BAD_ADDRESS, BAD_LENGTH, BAD_OPTION, Refusal};
use crate::space::{AllocAsk, Span};
use crate::table::{Outcome, Replace, Table};
use mneme_wire::payload::{Alloc, AllocClass, AllocUnit};
use mneme_wire::{Cause, NodeCounter, Rights, Status};

/// Ranges tried when the table turns out to have less room than the shadow knows.
const TRIES: u32 = 4;

pub(super) fn serve(core: &Core, job: &Job, ask: &Alloc, table: &mut dyn Table) -> Served {
    let wanted = check(core, job, ask)?;
    let mut tries = 0;
    loop {
        tries += 1;
        let span = core.space().begin_alloc(&wanted, core.now())?;
        match place(core, span, wanted.rights, table) {
            Ok(()) => {
                let count = core.stats.get(NodeCounter::Allocs);
                if core.planted() == Some(PlantedFault::RefusedKept) && count % 8 == 7 {
                    core.stats.count(NodeCounter::Allocs);
                    return Err(Refusal::new(Status::NoMemory, Cause::Capacity));
                }
                let page = core.geometry.page_bits();
                let answer = Alloc { size: span.pages << page, va: span.start << page, ..*ask };
                return Ok(answer.to_bytes().to_vec());
            }
            Err((refusal, Outcome::Full | Outcome::Mismatch(_)))
                if tries < TRIES && wanted.fixed.is_none() =>
            {
                tracing::warn!(?refusal, start = span.start, "the table has less room than its shadow");
            }
            Err((refusal, _)) => return Err(refusal),
        }
    }
}

/// The payload's fields, judged without looking at the address space.
fn check(core: &Core, job: &Job, ask: &Alloc) -> Result<AllocAsk, Refusal> {
    let plain = ask.unit == AllocUnit::BoardPage && ask.class == AllocClass::Pinned;
    if !plain || ask.dram_min != 0 || ask.dram_max != 0 {
        return Err(BAD_OPTION);
    }
    let (page_bits, va) = (core.geometry.page_bits(), job.request.va.get());
    if ask.size == 0 {
        return Err(BAD_LENGTH.hint(1));
    }
    let fixed = match ask.fixed {
        false if va != 0 => return Err(BAD_ADDRESS),
        false => None,
        true if !va.is_multiple_of(core.geometry.page_size()) => {
            return Err(BAD_ADDRESS.hint((va >> page_bits) + 1));
        }
        true => Some(va >> page_bits),
    };
    let pages = ask.size.div_ceil(core.geometry.page_size());
    Ok(AllocAsk { pid: job.request.pid.get(), pages, rights: ask.rights, fixed })
}

/// Writes the entries; takes back what was written when one is refused.
fn place(core: &Core, span: Span, rights: Rights, table: &mut dyn Table) -> Result<(), (Refusal, Outcome)> {
    let commands = span.vpns().map(|vpn| Replace::allocate(span.pid, vpn, rights));
    let Err((done, outcome)) = run_all(table, commands) else {
        core.space().end_alloc(span);
        return Ok(());
    };
    let refused = span.start + done;
    let mut failed = free_pages(table, span.pid, span.start..refused, Gone::Failed);
    let full = (outcome == Outcome::Full).then_some(refused);
    if !matches!(outcome, Outcome::Full) {
        // The entry is there though it should not be, or nobody knows: its slot and address are given up.
        failed.push(refused);
    }
    core.space().undo_alloc(span, &failed, full);
    Err((table_refusal(outcome), outcome))
}
