//! EXIT, and the end of processes whose lease ran out.
use super::{Gone, Job, Served, drop_pages, free_pages};
use crate::core::Core;
use crate::planted::PlantedFault;
use crate::refusal::{BAD_ADDRESS, NO_PROCESS, Refusal};
use crate::table::Table;
use mneme_wire::{Cause, NodeCounter, Status};

/// Ends a process: frees everything it has. An error means that nothing was done, or that part of the table is damaged.
fn end(core: &Core, pid: u32, table: &mut dyn Table) -> Result<(), Refusal> {
    let (spans, again) = core.space().begin_exit(pid, core.now())?;
    // An EXIT that broke off has freed some. Should such an entry be damaged instead, the board says that its bucket is full
    // when the slot is given out again.
    let gone = if again { Gone::Freed } else { Gone::Failed };
    let mut any = Vec::new();
    for span in &spans {
        let failed = free_pages(table, pid, span.vpns(), gone);
        drop_pages(core, *span, &failed);
        any.extend(failed);
    }
    core.space().end_exit(pid, spans.len(), &any, core.now());
    match any.is_empty() {
        true => Ok(()),
        false => Err(Refusal::new(Status::MemoryError, Cause::Dram)),
    }
}

pub(super) fn serve(core: &Core, job: &Job, table: &mut dyn Table) -> Served {
    if job.request.va.get() != 0 {
        return Err(BAD_ADDRESS);
    }
    if core.planted() == Some(PlantedFault::ExitAnswered) {
        return Ok(Vec::new());
    }
    end(core, job.request.pid.get(), table).map(|()| Vec::new())
}

/// Reclaims a process that has been silent for longer than its lease, unless it has been heard of since.
pub(crate) fn reclaim(core: &Core, pid: u32, table: &mut dyn Table) {
    let (is_silent, revoked) = core.space().is_silent(pid, core.now());
    match if is_silent { end(core, pid, table) } else { Err(NO_PROCESS) } {
        Ok(()) if revoked => {}
        Ok(()) => core.stats.count(NodeCounter::LeasesExpired),
        Err(refusal) => {
            core.space().unclaim(pid, core.now());
            if is_silent && let Some(left_out) = core.log.line(core.now_ns()) {
                tracing::warn!(pid, ?refusal, left_out, "a silent process could not be reclaimed");
            }
        }
    }
}
