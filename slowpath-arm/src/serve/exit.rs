//! EXIT, and the end of processes whose lease ran out.
use super::{Gone, Job, Served, free_pages};
use crate::core::Core;
use crate::planted::PlantedFault;
use crate::refusal::{BAD_ADDRESS, Refusal};
use crate::table::Table;
use mneme_wire::{Cause, NodeCounter, Status};

/// Ends a process: frees everything it has. An error means that nothing was done, or that part of the table is damaged.
fn end(core: &Core, pid: u32, table: &mut dyn Table) -> Result<(), Refusal> {
    let (spans, again) = core.space().begin_exit(pid, core.now())?;
    // An EXIT that broke off has freed some. Should such an entry be damaged instead, the board says that its bucket is full
    // when the slot is given out again.
    let gone = if again { Gone::Freed } else { Gone::Failed };
    let mut failed = Vec::new();
    for span in &spans {
        failed.extend(free_pages(table, pid, span.vpns(), gone));
    }
    core.space().end_exit(pid, &spans, &failed, core.now());
    match failed.is_empty() {
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

/// Reclaims a process that has been silent for longer than its lease.
pub(crate) fn reclaim(core: &Core, pid: u32, table: &mut dyn Table) {
    match end(core, pid, table) {
        Ok(()) => core.stats.count(NodeCounter::LeasesExpired),
        Err(refusal) => tracing::warn!(pid, ?refusal, "a silent process could not be reclaimed"),
    }
}
