//! FREE.
use super::{Gone, Job, Served, drop_pages, frames, free_pages};
use crate::core::Core;
use crate::planted::{PlantedFault, charge_again};
use crate::refusal::{BAD_LENGTH, BAD_OPTION, NOT_ALLOCATED, Refusal};
use crate::table::Table;
use mneme_wire::payload::RangeRights;
use mneme_wire::{Cause, Rights, Status};

pub(super) fn serve(core: &Core, job: &Job, ask: &RangeRights, table: &mut dyn Table) -> Served {
    if ask.rights != Rights::default() {
        return Err(BAD_OPTION);
    }
    let (page_bits, page_size) = (core.geometry.page_bits(), core.geometry.page_size());
    let va = job.request.va.get();
    if !va.is_multiple_of(page_size) {
        return Err(NOT_ALLOCATED);
    }
    if !ask.size.is_multiple_of(page_size) {
        return Err(BAD_LENGTH);
    }
    let pages = (ask.size != 0).then_some(ask.size >> page_bits);
    let pid = job.request.pid.get();
    let span = core.space().begin_free(pid, va >> page_bits, pages, core.now())?;
    let failed = free_pages(table, pid, span.vpns(), Gone::Failed);
    let ended = frames::end(core, pid, span.start, table);
    core.space().frames_gone(pid, span.start, ended && failed.is_empty());
    drop_pages(core, span, &failed);
    core.space().end_free(span, &failed, core.now());
    if core.planted() == Some(PlantedFault::FreeUncounted) {
        charge_again(&mut core.space(), span);
    }
    if !failed.is_empty() {
        return Err(Refusal::new(Status::MemoryError, Cause::Dram));
    }
    let answer = RangeRights { size: span.pages << page_bits, rights: Rights::default() };
    Ok(answer.to_bytes().to_vec())
}
