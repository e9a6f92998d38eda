//! EXIT, and the end of processes whose lease ran out.
use super::{Gone, Job, Served, drop_pages, frames, free_pages};
use crate::core::Core;
use crate::planted::PlantedFault;
use crate::refusal::{BAD_ADDRESS, NO_PROCESS, Refusal};
use crate::share::Source;
use crate::table::Table;
use mneme_wire::trailer::Means;
use mneme_wire::{Cause, NodeCounter, Pid, Status};

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
    // Those of ranges that were given up, too.
    let split = core.space().frame_ranges(pid);
    for start in split {
        let ended = frames::end(core, pid, start, table);
        core.space().frames_gone(pid, start, ended && any.is_empty());
    }
    core.space().end_exit(pid, spans.len(), &any, core.now());
    match any.is_empty() {
        true => Ok(()),
        false => Err(Refusal::new(Status::MemoryError, Cause::Dram)),
    }
}

/// The process that an EXIT is to end: its own, or one that `va` names. Only one of the same tenant, which a tag has proved, has
/// its requests wait for that.
pub(super) fn ended_by(core: &Core, job: &Job) -> u32 {
    let own = job.request.pid.get();
    match (named(job), job.source) {
        (Some(other), Source::Tenant(_)) if core.owners.find(other) == Some(job.source) => other,
        _ => own,
    }
}

/// The process that `va` names.
fn named(job: &Job) -> Option<u32> {
    let other = u32::try_from(job.request.va.get()).ok().and_then(Pid::new)?;
    (other != Pid::NONE).then_some(other.get())
}

/// Whether an EXIT may end `pid`, which is another one than its own, or has been asked for as if it were.
fn may_end(core: &Core, job: &Job, pid: u32) -> Result<(), Refusal> {
    if !matches!(job.means, Means::Tag { .. }) {
        return Err(BAD_ADDRESS);
    }
    let other = named(job).ok_or(BAD_ADDRESS)?;
    core.space().speaks_for(job.request.pid.get(), other, core.now())?;
    // It has become the tenant's since the request came: another try follows its requests.
    if other == pid { Ok(()) } else { Err(NO_PROCESS) }
}

pub(super) fn serve(core: &Core, job: &Job, pid: u32, table: &mut dyn Table) -> Served {
    if job.request.va.get() != 0 {
        may_end(core, job, pid)?;
    }
    if core.planted() == Some(PlantedFault::ExitAnswered) {
        return Ok(Vec::new());
    }
    end(core, pid, table).map(|()| Vec::new())
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
